//! What an invariant need not say: literals and clauses that hold in every state.
//!
//! Atoms hang together. A row that reaches a cell reaches itself, equal rows satisfy the same predicates, nothing but
//! null is null: whatever the heaps are, they never show the other combinations, and most of what tells them apart
//! from all truths is of this kind (two thirds of the clauses of Skiplist.add). Each such piece would be proved once per
//! way into the loop. It is asked for once, of an arbitrary state and without anything that the program says, and
//! left out. An unanswered question keeps its piece.

use super::boolean::{AtomLiteral, Invariant, Universal};
use super::learn::{self, Reading};
use super::prove::{self, Owner, Remaining};
use super::signature::Signature;
use crate::engine::solver::{Answer, Solver};
use crate::logic::{BuildError, TermId};
use crate::program::wp::Conditions;
use crate::util::hash::Map;
use crate::util::options;

/// One piece of an invariant, as something that no state shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Cube(Vec<AtomLiteral>),
    Universal(Universal),
}

/// What is known to hold in every state, by loop.
pub(super) struct Tautologies {
    solver: Solver,
    readings: Vec<Option<Reading>>,
    known: Map<(usize, Piece), bool>,
    /// Questions asked.
    pub(super) queries: u64,
}

impl Tautologies {
    /// Nothing is known yet.
    pub(super) fn new(
        mut conditions: Conditions<'_>,
        signatures: &[Signature],
    ) -> Result<Tautologies, String> {
        let mut readings: Vec<Option<Reading>> = signatures.iter().map(|_| None).collect();
        for head in conditions.heads.clone() {
            let Some(l) = head.of else { continue };
            let (entry, signature) = (&conditions.entry, &signatures[l.index()]);
            let reading = learn::reading(&mut conditions.encoder, entry, &head.moment, signature);
            readings[l.index()] = Some(reading.map_err(|reason| reason.0)?);
        }
        let solver = prove::with_facts(conditions.encoder.terms.clone(), &conditions.encoder.facts)?;
        Ok(Tautologies { solver, readings, known: Map::default(), queries: 0 })
    }

    /// The invariant of a loop without what holds in every state.
    pub(super) fn pruned(
        &mut self,
        l: usize,
        mut invariant: Invariant,
        remaining: &Remaining,
    ) -> Result<Invariant, BuildError> {
        if self.readings[l].is_none() {
            return Ok(invariant);
        }
        let mut units = Vec::new();
        for (i, truth) in invariant.units {
            if !self.never(l, Piece::Cube(vec![(i, !truth)]), remaining)? {
                units.push((i, truth));
            }
        }
        let mut excluded = Vec::new();
        for cube in invariant.excluded {
            if cube.is_empty() || !self.never(l, Piece::Cube(cube.clone()), remaining)? {
                excluded.push(cube);
            }
        }
        let mut universals = Vec::new();
        for universal in invariant.universals {
            if !self.never(l, Piece::Universal(universal.clone()), remaining)? {
                universals.push(universal);
            }
        }
        invariant.units = units;
        Ok(Invariant { excluded, universals, ..invariant })
    }

    /// Whether no state shows the piece.
    fn never(&mut self, l: usize, piece: Piece, remaining: &Remaining) -> Result<bool, BuildError> {
        let Some(reading) = &self.readings[l] else { return Ok(false) };
        let key = (l, piece);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let shown: TermId = match &key.1 {
            Piece::Cube(cube) => learn::conjunction(self.solver.terms_mut(), &reading.atoms, cube)?,
            Piece::Universal(universal) => learn::broken(self.solver.terms_mut(), reading, universal)?,
        };
        self.queries += 1;
        let answer = remaining.ask(
            Owner::Tautologies,
            &mut self.solver,
            &[shown],
            options::HEAPS_TAUTOLOGY_STEPS.get(),
        )?;
        let never = matches!(answer, Answer::Unsat(_));
        self.known.insert(key, never);
        Ok(never)
    }
}
