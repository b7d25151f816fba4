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
//! What comes from the entry is abstracted exactly, by the same enumeration. Cells that a way gives a name are
//! rows before it already (`materialise`).
//!
//! Answers are kept in a semantic cache (`cache`), which may serve several functions. Measured against the growth by
//! models this takes 3 to 10 times the questions and is less precise, so it runs only when a context is asked for; it is
//! what Figure 10 compares. The result is not trusted: the caller proves it.

use super::boolean::{Atoms, Heap, Heaps, Object};
use super::cache::{Cache, Hit, Naming};
use super::clean::View;
use super::enumerate::{Effort, Found};
use super::places::{Partial, Place, Way};
use super::pool::{Of, Pool};
use super::prove::Remaining;
use super::returned::Arrived;
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

/// The objects of a heap by kind.
type Objects = Vec<BTreeSet<Object>>;

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
    /// What arrives at the return, which is the last place.
    pub(super) returned: BTreeSet<Arrived>,
    /// Questions, and those that were answered from memory.
    pub(super) queries: u64,
    pub(super) hits: u64,
    cache: &'a mut Cache,
    /// By way: the names of its questions.
    namings: Map<usize, Naming>,
    posts: Map<(usize, usize, Vec<TermId>), Option<Partial>>,
    pub(super) cleaned: Map<(usize, Vec<BTreeSet<Partial>>), Vec<Heap>>,
    /// By way and heap: what it is split into before it goes the way.
    pub(super) split: Map<(usize, Heap), Vec<Heap>>,
    /// By way: the heaps that have gone it. A context that has become weaker since takes nothing from what they became.
    gone: BTreeMap<usize, Heaps>,
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
        let (namings, posts, cleaned, split) =
            (Map::default(), Map::default(), Map::default(), Map::default());
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
            returned: BTreeSet::new(),
            queries: 0,
            hits: 0,
            cache,
            namings,
            posts,
            cleaned,
            split,
            gone: BTreeMap::new(),
        }
    }

    /// Abstracts what comes from the entry.
    pub(super) fn enter(&mut self) -> Result<(), String> {
        for w in 0..self.ways.len() {
            if self.ways[w].from.is_none() {
                let way = &self.ways[w];
                let (to, path) = (way.to, way.path.clone());
                let literals = way.after.literals();
                let found = self.enumerate(Of::Way(w), &path, &literals)?;
                let heaps = self.objects(found, &path, None, View::After(w))?;
                self.add(to, heaps)?;
            }
        }
        Ok(())
    }

    /// Grows the heaps until nothing is new.
    pub(super) fn run(&mut self) -> Result<(), String> {
        loop {
            let mut changed = false;
            for w in 0..self.ways.len() {
                let Some(from) = self.ways[w].from else { continue };
                let going = self.going(w, from)?;
                let gone = self.gone.get(&w);
                let is_new = |(atoms, objects): &(&Atoms, &Objects)| {
                    gone.is_none_or(|g| g.heaps.get(*atoms) != Some(*objects))
                };
                let new: Vec<Heap> =
                    going.heaps.iter().filter(is_new).map(|(a, o)| (a.clone(), o.clone())).collect();
                // The context is what all have in common that can go this way.
                let common = common(&going);
                for (atoms, objects) in &new {
                    changed = true;
                    let cubes = self.post(w, atoms, objects, &common)?;
                    let to = self.ways[w].to;
                    if to + 1 == self.places.len() {
                        self.returned.insert(cubes);
                        continue;
                    }
                    let arrived = self.clean(to, cubes)?;
                    self.add(to, arrived)?;
                }
                self.gone.insert(w, going);
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
    pub(super) fn follows(
        &mut self,
        w: usize,
        literals: &BTreeSet<TermId>,
        goal: TermId,
        effort: Effort,
    ) -> Result<Found, String> {
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
                        self.ask_along(w, literals, negated, effort)?
                    };
                if effort != Effort::Little || !matches!(found, Found::Unclear) {
                    self.cache.note(self.solver.terms(), &mut naming, goal, &literals, hit);
                }
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
        vocabulary.extend(way.before.terms());
        self.cache.naming(self.solver.terms(), &background, &vocabulary)
    }

    /// Asks the core; the literals that matter to the answer.
    fn ask_along(
        &mut self,
        w: usize,
        literals: &BTreeSet<TermId>,
        negated: TermId,
        effort: Effort,
    ) -> Result<(Found, Hit, BTreeSet<TermId>), String> {
        let mut formulas = self.ways[w].path.clone();
        formulas.extend(literals);
        formulas.push(negated);
        Ok(match self.answer(Of::Way(w), &formulas, effort)? {
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
        atoms: &Atoms,
        objects: &[BTreeSet<Object>],
        common: &[Option<bool>],
    ) -> Result<Vec<BTreeSet<Partial>>, String> {
        let n_state = self.ways[w].before.n_state;
        let (mut context, mut state) = (BTreeSet::new(), BTreeSet::new());
        for (i, &truth) in atoms.iter().enumerate() {
            let used = match self.context {
                Context::None => false,
                Context::Heap => true,
                Context::Joint => common[i] == Some(truth),
            };
            if used || i < n_state {
                let term = self.ways[w].before.atoms[i];
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
            let kind = self.ways[w].before.kinds.iter().position(|k| k.of == of);
            let mut cubes = BTreeSet::new();
            let one = BTreeSet::from([0]);
            for &object in kind.map_or(&one, |k| &objects[k]) {
                let (mut literals, mut own) = (context.clone(), state.clone());
                let before = kind.map(|k| self.ways[w].before.kinds[k].at_cell.clone()).unwrap_or_default();
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
            match self.follows(w, literals, Terms::FALSE, Effort::Refutation)? {
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
                let alone = own != literals
                    && matches!(self.follows(w, own, wanted, Effort::Little)?, Found::Refuted);
                if alone {
                    known = Some(truth);
                    break;
                }
                match self.follows(w, literals, wanted, Effort::Refutation)? {
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
