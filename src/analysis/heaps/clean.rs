//! Split and clean: the heaps that partial cubes stand for, by enumeration of models.
//!
//! First the truths of the atoms such that each row has one of the cubes, then under each of them the objects of the
//! cells that are no row. The universal quantifier of a heap never reaches the core (benchmark's README, step 5).

use super::boolean::{Heap, Object};
use super::cartesian::Fixpoint;
use super::places::Partial;
use super::pool::Of;
use crate::logic::{TermId, Terms};
use crate::util::hash::Map;
use std::collections::BTreeSet;

/// The predicates among which heaps are enumerated.
#[derive(Clone, Copy, Debug)]
pub(super) enum View {
    /// Those of a place.
    At(usize),
    /// Those before a way.
    Before(usize),
    /// Those after a way.
    After(usize),
}

impl Fixpoint<'_> {
    /// The cube holds of a cell whose predicates are these.
    fn cube_at(&mut self, to: usize, predicates: &[TermId], cube: Partial) -> Result<TermId, String> {
        let mut parts = Vec::new();
        for (i, &p) in predicates.iter().enumerate().filter(|(i, _)| cube.mask >> i & 1 == 1) {
            parts.push(self.literal(p, cube.value >> i & 1 == 1)?);
        }
        for i in (0..self.places[to].view.n_state).filter(|i| cube.state_mask >> i & 1 == 1) {
            let atom = self.places[to].view.atoms[i];
            parts.push(self.literal(atom, cube.state_value >> i & 1 == 1)?);
        }
        self.solver.terms_mut().and(&parts).map_err(|e| e.to_string())
    }

    pub(super) fn one_of(
        &mut self,
        to: usize,
        at: &[TermId],
        cubes: &BTreeSet<Partial>,
    ) -> Result<TermId, String> {
        let mut parts = Vec::new();
        for &cube in cubes {
            parts.push(self.cube_at(to, at, cube)?);
        }
        self.solver.terms_mut().or(&parts).map_err(|e| e.to_string())
    }

    /// The split and cleaned heaps that partial cubes stand for at a place.
    pub(super) fn clean(&mut self, to: usize, cubes: Vec<BTreeSet<Partial>>) -> Result<Vec<Heap>, String> {
        let key = (to, cubes);
        if let Some(known) = self.cleaned.get(&key) {
            self.queries += 1;
            self.hits += 1;
            return Ok(known.clone());
        }
        let cubes = &key.1;
        let mut base = self.places[to].background.clone();
        for (k, cubes) in cubes.iter().enumerate() {
            for row in self.places[to].view.kinds[k].at_rows.clone() {
                base.push(self.one_of(to, &row, cubes)?);
            }
        }
        let literals = self.places[to].view.literals();
        let found = self.enumerate(Of::Place(to), &base, &literals)?;
        let heaps = self.objects(found, &base, Some((to, cubes)), View::At(to))?;
        self.cleaned.insert(key, heaps.clone());
        Ok(heaps)
    }

    /// The objects under each truth of the literals: those of the rows, and of other cells by enumeration.
    pub(super) fn objects(
        &mut self,
        found: Vec<Vec<bool>>,
        base: &[TermId],
        cubes: Option<(usize, &[BTreeSet<Partial>])>,
        seen: View,
    ) -> Result<Vec<Heap>, String> {
        let (view, of) = match seen {
            View::At(to) => (&self.places[to].view, Of::Place(to)),
            View::Before(w) => (&self.ways[w].before, Of::Way(w)),
            View::After(w) => (&self.ways[w].after, Of::Way(w)),
        };
        let (literals, n_atoms) = (view.literals(), view.atoms.len());
        let kinds: Vec<(Vec<TermId>, Vec<Vec<TermId>>)> =
            view.kinds.iter().map(|k| (k.at_cell.clone(), k.at_rows.clone())).collect();
        let mut out = Vec::new();
        for truths in found {
            let truth_of: Map<TermId, bool> = literals.iter().copied().zip(truths.iter().copied()).collect();
            let mut context = base.to_vec();
            for (&term, &truth) in literals.iter().zip(&truths) {
                context.push(self.literal(term, truth)?);
            }
            let mut objects = Vec::new();
            for (k, (at_cell, at_rows)) in kinds.iter().enumerate() {
                let mut of_kind = BTreeSet::new();
                for row in at_rows {
                    let bit = |(i, t): (usize, &TermId)| {
                        let truth = *t == Terms::TRUE || truth_of.get(t) == Some(&true);
                        Object::from(truth) << i
                    };
                    of_kind.insert(row.iter().enumerate().map(bit).sum());
                }
                let mut free = context.clone();
                for &singleton in &at_cell[..at_rows.len()] {
                    free.push(self.literal(singleton, false)?);
                }
                if let Some((to, cubes)) = cubes {
                    free.push(self.one_of(to, at_cell, &cubes[k])?);
                }
                for bits in self.enumerate(of, &free, &at_cell[at_rows.len()..])? {
                    let bit = |(i, &truth): (usize, &bool)| Object::from(truth) << (i + at_rows.len());
                    of_kind.insert(bits.iter().enumerate().map(bit).sum());
                }
                objects.push(of_kind);
            }
            out.push((truths[..n_atoms].to_vec(), objects));
        }
        Ok(out)
    }
}
