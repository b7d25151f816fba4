//! The analysis of the paper: Cartesian post of Boolean heaps, cube by cube (Bohne, Figures 5 to 7).
//!
//! Places are the loop heads and the return. A heap at a place is split: it has one truth of all atoms (what holds
//! at rows) and the objects that occur. Along a way to the next place every object gets a *partial* cube of what is
//! known of it afterwards ([`Partial`]): a predicate is known if the core proves it, or its negation, from the
//! way, the object's own bits and the *context*: literals at rows ([`Context`], the paper's kappa). Every model met
//! is kept and evaluated on all predicates (`pool`), so few questions remain; a predicate whose meaning does not change is copied. The
//! partial cubes are split and cleaned at the place where they arrive by enumeration of models: first the truths of
//! the atoms such that each row has one of the cubes, then the objects under each of them.
//!
//! What comes from the entry is abstracted exactly, by the same enumeration. Materialisation is implied: rows at
//! the place of arrival are split there.
//!
//! Answers are kept in a semantic cache (`cache`), which may serve several functions. Measured against the growth by
//! models this takes 3 to 10 times the questions and is less precise, so it runs only when a context is asked for; it is
//! what Figure 10 compares. The result is not trusted: the caller proves it.

use super::boolean::{Atoms, Heap, Heaps, Object};
use super::cache::{Cache, Hit, Naming};
use super::enumerate::Found;
use super::places::{Partial, Place, Way};
use super::pool::{Of, Pool};
use super::prove::Remaining;
use crate::engine::solver::{Answer, Solver};
use crate::logic::{TermId, Terms};
use crate::util::hash::Map;
use std::collections::{BTreeMap, BTreeSet};

/// Which literals at rows the questions about a cube may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// None: only the cube's own.
    None,
    /// Those of the heap the cube is in.
    Heap,
    /// Those that all heaps of the place have in common.
    Joint,
}

impl Context {
    /// The context of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Context> {
        match word {
            "none" => Some(Context::None),
            "heap" => Some(Context::Heap),
            "joint" => Some(Context::Joint),
            _ => None,
        }
    }
}

/// Work that a question may take.
pub(super) const STEPS: u64 = 30_000;
/// Heaps at one place at most.
const MAX_HEAPS: usize = 200;

/// What questions are asked of.
pub(super) struct Core {
    pub(super) solver: Solver,
    /// What the solver knows.
    pub(super) facts: Vec<TermId>,
    /// The cell that a cube is about, by struct.
    pub(super) cells: Vec<TermId>,
    /// There are few cells.
    pub(super) bound: Vec<TermId>,
}

/// The fixpoint.
pub(super) struct Fixpoint<'a> {
    pub(super) solver: Solver,
    pub(super) facts: Vec<TermId>,
    pub(super) cells: Vec<TermId>,
    pub(super) bound: Vec<TermId>,
    pub(super) pool: Pool,
    pub(super) places: Vec<Place>,
    pub(super) ways: Vec<Way>,
    pub(super) context: Context,
    pub(super) remaining: &'a Remaining,
    /// By place.
    pub(super) heaps: Vec<Heaps>,
    /// Questions, and those that were answered from memory.
    pub(super) queries: u64,
    pub(super) hits: u64,
    cache: &'a mut Cache,
    /// By way: the names of its questions.
    namings: Map<usize, Naming>,
    posts: Map<(usize, usize, Vec<TermId>), Option<Partial>>,
    cleaned: Map<(usize, Vec<BTreeSet<Partial>>), Vec<Heap>>,
}

impl<'a> Fixpoint<'a> {
    pub(super) fn new(
        Core { solver, facts, cells, bound }: Core,
        places: Vec<Place>,
        ways: Vec<Way>,
        context: Context,
        remaining: &'a Remaining,
        cache: &'a mut Cache,
    ) -> Fixpoint<'a> {
        let heaps = vec![Heaps::default(); places.len()];
        let (namings, posts, cleaned) = (Map::default(), Map::default(), Map::default());
        Fixpoint {
            solver,
            facts,
            cells,
            bound,
            pool: Pool::default(),
            places,
            ways,
            context,
            remaining,
            heaps,
            queries: 0,
            hits: 0,
            cache,
            namings,
            posts,
            cleaned,
        }
    }

    /// Grows the heaps until nothing is new.
    pub(super) fn run(&mut self) -> Result<(), String> {
        for w in 0..self.ways.len() {
            if self.ways[w].from.is_none() {
                let way = &self.ways[w];
                let (to, path) = (way.to, way.path.clone());
                let literals = way.after.literals();
                let found = self.enumerate(Of::Way(w), &path, &literals)?;
                let heaps = self.objects(found, &path, None, Of::Way(w))?;
                self.add(to, heaps)?;
            }
        }
        let mut done: BTreeMap<usize, Heaps> = BTreeMap::new();
        loop {
            let mut changed = false;
            for w in 0..self.ways.len() {
                let Some(from) = self.ways[w].from else { continue };
                let heaps = self.heaps[from].clone();
                if done.get(&w) == Some(&heaps) {
                    continue;
                }
                changed = true;
                // The heaps that can go this way; the context is what they have in common.
                let mut going = Heaps::default();
                for (atoms, objects) in heaps.heaps.clone() {
                    let mut literals = BTreeSet::new();
                    for (i, &truth) in atoms.iter().enumerate() {
                        let term = self.places[from].view.atoms[i];
                        literals.insert(self.literal(term, truth)?);
                    }
                    if !matches!(self.follows(w, &literals, Terms::FALSE)?, Found::Refuted) {
                        going.add(atoms, objects);
                    }
                }
                let common = common(&going);
                for (atoms, objects) in &going.heaps {
                    let cubes = self.post(w, from, atoms, objects, &common)?;
                    let to = self.ways[w].to;
                    let arrived = self.clean(to, cubes)?;
                    self.add(to, arrived)?;
                }
                done.insert(w, heaps);
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn add(&mut self, to: usize, heaps: Vec<Heap>) -> Result<(), String> {
        for (atoms, objects) in heaps {
            self.heaps[to].add(atoms, objects);
        }
        if self.heaps[to].heaps.len() > MAX_HEAPS {
            return Err("there are too many heaps".to_owned());
        }
        Ok(())
    }

    /// Whether path and literals exclude that a goal is false; a model if not.
    fn follows(&mut self, w: usize, literals: &BTreeSet<TermId>, goal: TermId) -> Result<Found, String> {
        self.queries += 1;
        let mut naming = match self.namings.remove(&w) {
            Some(naming) => naming,
            None => self.naming(w),
        };
        let hit = self.cache.look(self.solver.terms(), &mut naming, goal, literals);
        let found = match hit {
            Some(hit) => {
                self.hits += 1;
                Ok(if hit == Hit::Refuted { Found::Refuted } else { Found::Unclear })
            }
            None => {
                let negated = self.literal(goal, false)?;
                let asked: Vec<TermId> = literals.iter().copied().chain([negated]).collect();
                let (found, hit, literals) =
                    if self.pool.is_satisfied(Of::Way(w), self.solver.terms(), &asked) {
                        self.hits += 1;
                        (Found::Unclear, Hit::Satisfied, literals.clone())
                    } else {
                        self.ask_along(w, literals, negated)?
                    };
                self.cache.note(self.solver.terms(), &mut naming, goal, &literals, hit);
                Ok(found)
            }
        };
        self.namings.insert(w, naming);
        found
    }

    /// Names for the questions along a way.
    fn naming(&mut self, w: usize) -> Naming {
        let way = &self.ways[w];
        let background: Vec<TermId> = self.facts.iter().chain(&way.path).copied().collect();
        let mut vocabulary = way.after.terms();
        if let Some(from) = way.from {
            vocabulary.extend(self.places[from].view.terms());
        }
        self.cache.naming(self.solver.terms(), &background, &vocabulary)
    }

    /// Asks the core; the literals that matter to the answer.
    fn ask_along(
        &mut self,
        w: usize,
        literals: &BTreeSet<TermId>,
        negated: TermId,
    ) -> Result<(Found, Hit, BTreeSet<TermId>), String> {
        let mut formulas = self.ways[w].path.clone();
        formulas.extend(literals);
        formulas.push(negated);
        Ok(match self.answer(Of::Way(w), &formulas, false)? {
            Answer::Unsat(refutation) => {
                let core = refutation.assumptions.into_iter().filter(|a| literals.contains(a)).collect();
                (Found::Refuted, Hit::Refuted, core)
            }
            Answer::Sat(_) => (Found::Model, Hit::Satisfied, literals.clone()),
            Answer::Unknown(_) => (Found::Unclear, Hit::Satisfied, literals.clone()),
        })
    }

    /// What every object of a heap becomes along a way.
    pub(super) fn post(
        &mut self,
        w: usize,
        from: usize,
        atoms: &Atoms,
        objects: &[BTreeSet<Object>],
        common: &[Option<bool>],
    ) -> Result<Vec<BTreeSet<Partial>>, String> {
        let n_state = self.places[from].view.n_state;
        let (mut context, mut state) = (BTreeSet::new(), BTreeSet::new());
        for (i, &truth) in atoms.iter().enumerate() {
            let used = match self.context {
                Context::None => false,
                Context::Heap => true,
                Context::Joint => common[i] == Some(truth),
            };
            if used || i < n_state {
                let term = self.places[from].view.atoms[i];
                let literal = self.literal(term, truth)?;
                context.insert(literal);
                if i < n_state {
                    state.insert(literal);
                }
            }
        }
        let mut out = Vec::new();
        for after in 0..self.ways[w].after.kinds.len() {
            let of = self.ways[w].after.kinds[after].of;
            let kind = self.places[from].view.kinds.iter().position(|k| k.of == of);
            let mut cubes = BTreeSet::new();
            let one = BTreeSet::from([0]);
            for &object in kind.map_or(&one, |k| &objects[k]) {
                let (mut literals, mut own) = (context.clone(), state.clone());
                let before =
                    kind.map(|k| self.places[from].view.kinds[k].at_cell.clone()).unwrap_or_default();
                for (i, &term) in before.iter().enumerate() {
                    let literal = self.literal(term, object >> i & 1 == 1)?;
                    literals.insert(literal);
                    own.insert(literal);
                }
                let key = (w, after, literals.iter().copied().collect());
                let cube = match self.posts.get(&key) {
                    Some(&known) => {
                        self.queries += 1;
                        self.hits += 1;
                        known
                    }
                    None => {
                        let cube = self.post_of_cube(w, after, &own, &literals)?;
                        self.posts.insert(key, cube);
                        cube
                    }
                };
                cubes.extend(cube);
            }
            out.push(cubes);
        }
        Ok(out)
    }

    /// What is known after a way of a cell with these literals, its own and those of the context; nothing if there is no
    /// such cell.
    fn post_of_cube(
        &mut self,
        w: usize,
        kind: usize,
        own: &BTreeSet<TermId>,
        literals: &BTreeSet<TermId>,
    ) -> Result<Option<Partial>, String> {
        let after = &self.ways[w].after;
        let mut goals = after.kinds[kind].at_cell.clone();
        let n_object = goals.len();
        goals.extend(&after.atoms[..after.n_state]);
        let mut seen = vec![(false, false); goals.len()];
        if !self.look(w, literals, &goals, &mut seen) {
            match self.follows(w, literals, Terms::FALSE)? {
                Found::Refuted => return Ok(None),
                Found::Model => _ = self.look(w, literals, &goals, &mut seen),
                Found::Unclear => {}
            }
        }
        let mut out = Partial { mask: 0, value: 0, state_mask: 0, state_value: 0 };
        for (i, &goal) in goals.iter().enumerate() {
            let mut known = None;
            for truth in [true, false] {
                let wanted = self.literal(goal, truth)?;
                if literals.contains(&wanted) {
                    // The meaning does not change along the way.
                    known = Some(truth);
                    break;
                }
                let (held, failed) = seen[i];
                if (truth && failed) || (!truth && held) {
                    continue;
                }
                // Without the context first: fewer literals are easier, and serve more heaps.
                let alone = own != literals && matches!(self.follows(w, own, wanted)?, Found::Refuted);
                if alone {
                    known = Some(truth);
                    break;
                }
                match self.follows(w, literals, wanted)? {
                    Found::Refuted => {
                        known = Some(truth);
                        break;
                    }
                    Found::Model => _ = self.look(w, literals, &goals, &mut seen),
                    Found::Unclear => {}
                }
            }
            let Some(truth) = known else { continue };
            if i < n_object {
                out.mask |= 1 << i;
                out.value |= Object::from(truth) << i;
            } else {
                out.state_mask |= 1 << (i - n_object);
                out.state_value |= Object::from(truth) << (i - n_object);
            }
        }
        Ok(Some(out))
    }

    /// The truths that goals have in models in which the literals hold; whether there is one.
    fn look(
        &mut self,
        w: usize,
        literals: &BTreeSet<TermId>,
        goals: &[TermId],
        seen: &mut [(bool, bool)],
    ) -> bool {
        let literals: Vec<TermId> = literals.iter().copied().collect();
        let (of, terms, mut any) = (Of::Way(w), self.solver.terms(), false);
        for i in 0..self.pool.len(of) {
            if !self.pool.satisfies(of, i, terms, &literals) {
                continue;
            }
            any = true;
            for (&goal, seen) in goals.iter().zip(&mut *seen) {
                if let Some(truths) = self.pool.truths(of, i, terms, &[goal]) {
                    if truths[0] { seen.0 = true } else { seen.1 = true }
                }
            }
        }
        any
    }

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

    fn one_of(&mut self, to: usize, at: &[TermId], cubes: &BTreeSet<Partial>) -> Result<TermId, String> {
        let mut parts = Vec::new();
        for &cube in cubes {
            parts.push(self.cube_at(to, at, cube)?);
        }
        self.solver.terms_mut().or(&parts).map_err(|e| e.to_string())
    }

    /// The split and cleaned heaps that partial cubes stand for at a place.
    fn clean(&mut self, to: usize, cubes: Vec<BTreeSet<Partial>>) -> Result<Vec<Heap>, String> {
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
        let heaps = self.objects(found, &base, Some(cubes), Of::Place(to))?;
        self.cleaned.insert(key, heaps.clone());
        Ok(heaps)
    }

    /// The objects under each truth of the literals: those of the rows, and of other cells by enumeration.
    fn objects(
        &mut self,
        found: Vec<Vec<bool>>,
        base: &[TermId],
        cubes: Option<&[BTreeSet<Partial>]>,
        of: Of,
    ) -> Result<Vec<Heap>, String> {
        let (view, to) = match of {
            Of::Place(to) => (&self.places[to].view, to),
            Of::Way(w) => (&self.ways[w].after, self.ways[w].to),
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
                if let Some(cubes) = cubes {
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

/// The truth that an atom has in all heaps, if it is one.
fn common(heaps: &Heaps) -> Vec<Option<bool>> {
    let mut all = heaps.heaps.keys();
    let Some(first) = all.next() else { return Vec::new() };
    let mut out: Vec<Option<bool>> = first.iter().copied().map(Some).collect();
    for atoms in all {
        for (known, &truth) in out.iter_mut().zip(atoms) {
            if *known != Some(truth) {
                *known = None;
            }
        }
    }
    out
}
