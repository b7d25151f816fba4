//! The fixpoint: the heaps at all loop heads, grown from models until they are closed.
//!
//! The abstract post is the best one, found symbolically. For each way into a loop head (from outside, or once round)
//! the core is asked for a run of that piece of code that starts in the heaps found so far and ends in none of
//! them. Its model *is* a new heap: the truth of all atoms and the objects of all its cells are read off and
//! added. When there is no such run, the heaps are closed under that way. One question so does the work of
//! splitting, cleaning and the Cartesian post of a whole heap, with the context that post needs (the other
//! literals at rows) always there.
//!
//! Growing starts from what runs showed (`runs`). Models are looked for by the number of their cells ([`LEVELS`]),
//! within a limit; what the final check refutes is a model too, and the next round starts with its heap.
//!
//! Nothing here is trusted: the caller proves the invariant from scratch.

use super::boolean::{AtomLiteral, Heap, Heaps, Invariant, Object, Universal};
use super::prove::{self, Owner, Remaining};
use super::signature::Signature;
use super::tautology::Tautologies;
use crate::engine::solver::{Answer, Solver};
use crate::logic::eval::Evaluator;
use crate::logic::{BuildError, Model, Op, TermId, Terms, Value};
use crate::program::encode::formula::Side;
use crate::program::encode::{Encoder, Inexpressible, Moment, Moments};
use crate::program::wp::Conditions;
use crate::program::{LoopId, StructId};
use crate::util::hash::Map;
use crate::util::options;
use std::collections::BTreeSet;

/// Cells of each kind in the models that are looked for, by round. In the first round the proof itself shows what is
/// missing. A bound makes models easy to find and closed sets easy to prove closed; without one, the clauses of the
/// invariant are asked about one after the other.
const LEVELS: [&[Option<usize>]; 8] =
    [&[], &[None], &[Some(4)], &[Some(5)], &[None], &[Some(5)], &[Some(6)], &[None]];
/// Rounds of growing and checking.
pub(super) const ROUNDS: usize = LEVELS.len();

/// The predicates of one loop as terms over one moment.
pub(super) struct Reading {
    pub(super) atoms: Vec<TermId>,
    kinds: Vec<Objects>,
}

/// The predicates of one kind of cells.
struct Objects {
    variable: TermId,
    /// At the variable.
    open: Vec<TermId>,
    /// Some cell.
    cell: TermId,
    /// At that cell.
    at_cell: Vec<TermId>,
    sort: crate::logic::SortId,
}

/// What the search found.
pub(super) struct Learnt {
    /// By loop.
    pub(super) heaps: Vec<Heaps>,
    /// Questions asked.
    pub(super) queries: u64,
}

/// Why the search gave up, with the heaps so far.
pub(super) struct Stuck {
    /// For people.
    pub(super) message: String,
    /// Questions asked.
    pub(super) queries: u64,
}

pub(super) fn reading(
    encoder: &mut Encoder<'_>,
    entry: &Moment,
    now: &Moment,
    signature: &Signature,
) -> Result<Reading, Inexpressible> {
    let labels = Map::default();
    let moments = Moments { now, entry, labels: &labels };
    let mut atoms = Vec::new();
    for atom in &signature.atoms {
        atoms.push(encoder.formula(moments, atom, Side::Prove)?);
    }
    let mut kinds = Vec::new();
    for kind in &signature.kinds {
        let sort = encoder.sort_of(kind.of);
        let variable = encoder.terms.variable("object", sort)?;
        let cell = encoder.unknown("object", sort)?;
        let (mut open, mut at_cell) = (Vec::new(), Vec::new());
        for predicate in &kind.predicates {
            for (place, out) in [(variable, &mut open), (cell, &mut at_cell)] {
                out.push(encoder.formula_with(moments, (kind.object.id, place), predicate, Side::Prove)?);
            }
        }
        kinds.push(Objects { variable, open, cell, at_cell, sort });
    }
    Ok(Reading { atoms, kinds })
}

/// Finds the heaps at all loops.
pub(super) fn learn(
    known: &[Heaps],
    round: usize,
    mut conditions: Conditions<'_>,
    signatures: &[Signature],
    tautologies: &mut Tautologies,
    remaining: &Remaining,
    progress: crate::analysis::Progress<'_>,
) -> Result<Learnt, Stuck> {
    let stuck = |message: String, queries| Stuck { message, queries };
    let (mut heads, mut arrivals) = (Vec::new(), Vec::new());
    for head in conditions.heads.clone() {
        let made = head.of.map(|l| {
            let signature = &signatures[l.index()];
            reading(&mut conditions.encoder, &conditions.entry, &head.moment, signature).map(|r| (l, r))
        });
        heads.push(made.transpose().map_err(|reason| stuck(reason.0, 0))?);
    }
    for arrival in conditions.arrivals.clone() {
        let signature = &signatures[arrival.of.index()];
        let made = reading(&mut conditions.encoder, &conditions.entry, &arrival.now, signature);
        arrivals.push((made.map_err(|reason| stuck(reason.0, 0))?, arrival));
    }
    let mut solver = prove::solver(&conditions).map_err(|e| stuck(e, 0))?;
    let mut heaps = known.to_vec();
    let levels = LEVELS[round.min(ROUNDS - 1)];
    if levels.is_empty() {
        return Ok(Learnt { heaps: known.to_vec(), queries: 0 });
    }
    let mut said: Vec<Option<Invariant>> = vec![None; heaps.len()];
    let nothing = Invariant::default();
    let mut bounds: Map<usize, Vec<TermId>> = Map::default();
    let mut queries = 0;
    // Arrivals in the order of the code; again from the first one after each growth that may matter to it.
    let mut open = vec![true; arrivals.len()];
    let mut level = 0;
    loop {
        let Some(at) = open.iter().position(|&o| o) else {
            level += 1;
            if level == levels.len() {
                break;
            }
            open.fill(true);
            continue;
        };
        if remaining.is_over() {
            return Err(stuck(remaining.why_over(), queries));
        }
        let (reading, arrival) = &arrivals[at];
        let l = arrival.of;
        for (i, said) in said.iter_mut().enumerate().filter(|(_, s)| s.is_none()) {
            let whole = heaps[i].invariant(&signatures[i].widths());
            let pruned = tautologies.pruned(i, whole, remaining);
            *said = Some(pruned.map_err(|e| stuck(e.to_string(), queries))?);
        }
        let invariant = |l: LoopId| said[l.index()].as_ref().unwrap_or(&nothing);
        let mut assumed = Vec::new();
        if let Some(cells) = levels[level] {
            // The same cells in every question, and first: what follows from them stays known.
            let bound = match bounds.get(&cells) {
                Some(known) => Vec::clone(known),
                None => {
                    let made = at_most(solver.terms_mut(), &conditions.encoder, cells);
                    let made = made.map_err(|e| stuck(e.to_string(), queries))?;
                    bounds.insert(cells, made.clone());
                    made
                }
            };
            assumed.extend(bound);
        }
        assumed.push(arrival.path);
        let mut built = Ok(());
        for &head in &arrival.heads {
            if let Some((of, reading)) = &heads[head] {
                match assume(solver.terms_mut(), reading, invariant(*of)) {
                    Ok(fact) => assumed.push(fact),
                    Err(error) => built = Err(error),
                }
            }
        }
        let outside = built.and_then(|()| violate(solver.terms_mut(), reading, invariant(l)));
        let outside = outside.map_err(|e| stuck(e.to_string(), queries))?;
        progress(&format!("way {} of {}, question {}", at + 1, arrivals.len(), queries + 1));
        let mut inquiry = Inquiry { solver: &mut solver, assumed, remaining, queries: 0 };
        let model = inquiry.model(&outside, levels[level].is_some());
        queries += inquiry.queries;
        match model.map_err(|e| stuck(e.to_string(), queries))? {
            None => open[at] = false,
            Some(model) => {
                let (atoms, objects) = abstracted(&solver, &model, reading)
                    .ok_or_else(|| stuck("a model could not be read".to_owned(), queries))?;
                if !heaps[l.index()].add(atoms, objects) {
                    return Err(stuck("a model gave nothing new".to_owned(), queries));
                }
                said[l.index()] = None;
                let found = &heaps[l.index()];
                progress(&format!("{} heaps, {} objects", found.heaps.len(), found.n_objects()));
                if found.n_objects() > options::HEAPS_LEARN_OBJECTS.size() {
                    return Err(stuck("there are too many heaps".to_owned(), queries));
                }
                for (o, (_, other)) in open.iter_mut().zip(&arrivals) {
                    let depends = |h: &usize| heads[*h].as_ref().is_some_and(|(of, _)| *of == l);
                    *o |= other.heads.iter().any(depends);
                }
            }
        }
    }
    remaining.release(Owner::Growth);
    Ok(Learnt { heaps, queries })
}

/// A question about one way.
struct Inquiry<'a> {
    solver: &'a mut Solver,
    assumed: Vec<TermId>,
    remaining: &'a Remaining,
    queries: u64,
}

impl Inquiry<'_> {
    /// A model in which one of the parts holds, if one is found; asked for all at once if the cells are bounded.
    fn model(&mut self, parts: &[TermId], bounded: bool) -> Result<Option<Box<Model>>, BuildError> {
        if bounded {
            let any = self.solver.terms_mut().or(parts)?;
            return self.ask(&[any]);
        }
        for &part in parts {
            if let Some(model) = self.ask(&[part])? {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }

    fn ask(&mut self, more: &[TermId]) -> Result<Option<Box<Model>>, BuildError> {
        self.queries += 1;
        let asked = [&self.assumed, more].concat();
        match self.remaining.ask(Owner::Growth, self.solver, &asked, options::HEAPS_LEARN_STEPS.get())? {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) | Answer::Unknown(_) => Ok(None),
        }
    }
}

/// Every struct has at most so many cells.
pub(super) fn at_most(
    terms: &mut Terms,
    encoder: &Encoder<'_>,
    cells: usize,
) -> Result<Vec<TermId>, BuildError> {
    let mut out = Vec::new();
    for i in 0..encoder.program().structs.len() {
        let of = StructId(u32::try_from(i).unwrap_or(u32::MAX));
        let sort = encoder.sort_of(of);
        let u = terms.variable("u", sort)?;
        let mut parts = vec![terms.eq(u, encoder.null(of))?];
        for _ in 0..cells {
            let cell = terms.fresh_const("cell", sort);
            parts.push(terms.eq(u, cell)?);
        }
        let body = terms.or(&parts)?;
        out.push(terms.forall(&[u], body)?);
    }
    Ok(out)
}

type Built = Result<TermId, BuildError>;

pub(super) fn conjunction(terms: &mut Terms, atoms: &[TermId], cube: &[AtomLiteral]) -> Built {
    let mut parts = Vec::new();
    for &(i, truth) in cube {
        parts.push(if truth { atoms[i] } else { terms.not(atoms[i])? });
    }
    terms.and(&parts)
}

/// The disjunction of the literals that make a cube of objects false.
fn clause(terms: &mut Terms, at: &[TermId], mask: Object, value: Object) -> Built {
    let mut parts = Vec::new();
    for (i, &predicate) in at.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1) {
        parts.push(if value >> i & 1 == 1 { terms.not(predicate)? } else { predicate });
    }
    terms.or(&parts)
}

/// The invariant holds.
fn assume(terms: &mut Terms, reading: &Reading, invariant: &Invariant) -> Built {
    let mut parts = vec![conjunction(terms, &reading.atoms, &invariant.units)?];
    for cube in &invariant.excluded {
        let cube = conjunction(terms, &reading.atoms, cube)?;
        parts.push(terms.not(cube)?);
    }
    for universal in &invariant.universals {
        let objects = &reading.kinds[universal.kind];
        let body = clause(terms, &objects.open, universal.mask, universal.value)?;
        let guard = conjunction(terms, &reading.atoms, &universal.guard)?;
        let all = terms.forall(&[objects.variable], body)?;
        parts.push(terms.implies(guard, all)?);
    }
    terms.and(&parts)
}

/// The ways in which the invariant may not hold; the cell that shows it is the reading's own.
fn violate(terms: &mut Terms, reading: &Reading, invariant: &Invariant) -> Result<Vec<TermId>, BuildError> {
    let units = conjunction(terms, &reading.atoms, &invariant.units)?;
    let mut parts = vec![terms.not(units)?];
    for cube in &invariant.excluded {
        parts.push(conjunction(terms, &reading.atoms, cube)?);
    }
    for universal in &invariant.universals {
        parts.push(broken(terms, reading, universal)?);
    }
    Ok(parts)
}

/// The reading's own cell shows that a clause does not hold.
pub(super) fn broken(terms: &mut Terms, reading: &Reading, universal: &Universal) -> Built {
    let objects = &reading.kinds[universal.kind];
    let body = clause(terms, &objects.at_cell, universal.mask, universal.value)?;
    let not = terms.not(body)?;
    let guard = conjunction(terms, &reading.atoms, &universal.guard)?;
    terms.and(&[guard, not])
}

/// The heap of a model.
pub(super) fn abstracted(solver: &Solver, model: &Model, reading: &Reading) -> Option<Heap> {
    let terms = solver.terms();
    let mut evaluator = Evaluator::new(terms, model);
    let mut atoms = Vec::new();
    for &atom in &reading.atoms {
        atoms.push(evaluator.holds(atom).ok()?);
    }
    let mut kinds = Vec::new();
    for kind in &reading.kinds {
        let Op::Var(variable) = terms.op(kind.variable) else { return None };
        let mut objects = BTreeSet::new();
        for element in 0..model.size(kind.sort) {
            let mut env = Map::default();
            env.insert(variable, Value::Elem(element));
            let mut object: Object = 0;
            for (i, &predicate) in kind.open.iter().enumerate() {
                let holds = evaluator.eval_in(predicate, &mut env).ok()?.is_true();
                object |= Object::from(holds) << i;
            }
            objects.insert(object);
        }
        kinds.push(objects);
        debug_assert!(evaluator.eval(kind.cell).is_ok());
    }
    Some((atoms, kinds))
}
