//! The executable semantics of separation logic: the truth of a formula in a store and a finite heap.
//!
//! A formula speaks about the *whole* heap. Connectives mean what they always mean; `emp`, `pto`, `sep` and
//! defined predicates are decided by searching for a derivation from the definitions as they were written:
//! a list of goals each of which takes its cells away, and in the end no cell may be left. Nothing here
//! knows what a list segment is, so this is independent of how such formulas are solved.
//!
//! There are infinitely many locations. A model names finitely many; an existential may also choose
//! locations beyond those.
//!
//! Not evaluated, but refused: `wand`, negation below `sep`, a part of `sep` that says nothing about its
//! heap (it would fit any), quantifiers over locations without spatial symbols.

use crate::logic::eval::{EvalError, Evaluator};
use crate::logic::model::{Model, Value};
use crate::logic::sep::{Spatial, Vocabulary};
use crate::logic::sort::SortId;
use crate::logic::term::{Op, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};
use crate::util::limits::{Budget, Limits, Stop};

/// A finite heap: which locations are cells, and the values of their fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    cells: Map<(SortId, Value), Vec<Value>>,
}

impl Heap {
    /// Makes a location a cell with these fields.
    pub fn insert(&mut self, sort: SortId, at: Value, fields: Vec<Value>) {
        self.cells.insert((sort, at), fields);
    }

    /// The fields of a cell; nothing if the location is none.
    pub fn get(&self, sort: SortId, at: &Value) -> Option<&[Value]> {
        self.cells.get(&(sort, at.clone())).map(|v| &v[..])
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell.
    #[cfg(feature = "testing")]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cells in order of sort and location.
    pub fn cells(&self) -> Vec<(SortId, &Value, &[Value])> {
        let mut all: Vec<_> = self.cells.iter().map(|((s, at), fields)| (*s, at, &fields[..])).collect();
        all.sort_unstable();
        all
    }
}

/// Why a formula has no truth here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeapError {
    /// A formula that is not evaluated, and why.
    Unsupported(&'static str),
    /// A part without spatial symbols could not be evaluated.
    Pure(EvalError),
    /// The search for a derivation took too long.
    Stopped(Stop),
}

impl std::fmt::Display for HeapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HeapError::Unsupported(what) => f.write_str(what),
            HeapError::Pure(error) => error.fmt(f),
            HeapError::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for HeapError {}

/// How many steps the search for one derivation may take.
const MAX_STEPS: u64 = 5_000_000;

type Env = Map<VarId, Value>;

/// Values for existential variables that may be tried, for each predicate with values of its arguments.
pub type Hints = Map<(usize, Vec<Value>), Vec<Map<VarId, Value>>>;

/// The predicate of [`Hints`] for variables outside of all predicates.
pub const OUTSIDE: usize = usize::MAX;

/// Evaluates formulas in one store (the constants of a model) and one heap.
pub struct HeapEvaluator<'a> {
    terms: &'a Terms,
    vocabulary: &'a Vocabulary,
    model: &'a Model,
    heap: &'a Heap,
    pure: Evaluator<'a>,
    budget: Budget,
    hints: Option<&'a Hints>,
}

/// A goal: a formula with its polarity and the meaning of its variables. Goals form lists in an arena.
struct Goal {
    formula: TermId,
    positive: bool,
    env: usize,
    next: usize,
}

/// The end of a list of goals.
const DONE: usize = usize::MAX;

/// An alternative to come back to.
struct Choice {
    goals: usize,
    /// How many cells were taken when the choice was made.
    n_taken: usize,
}

/// The search for one derivation.
#[derive(Default)]
struct Search {
    goals: Vec<Goal>,
    envs: Vec<Env>,
    /// For each environment the call whose body it is for; hints are found by it.
    callers: Vec<usize>,
    calls: Vec<(usize, Vec<Value>)>,
    choices: Vec<Choice>,
    taken: Vec<(SortId, Value)>,
    is_taken: Set<(SortId, Value)>,
}

impl Search {
    fn push(&mut self, formula: TermId, positive: bool, env: usize, next: usize) -> usize {
        self.goals.push(Goal { formula, positive, env, next });
        self.goals.len() - 1
    }

    fn choose(&mut self, goals: usize) {
        self.choices.push(Choice { goals, n_taken: self.taken.len() });
    }

    /// The newest alternative, with the cells given back that were taken since.
    fn back(&mut self) -> Option<usize> {
        let choice = self.choices.pop()?;
        for cell in self.taken.drain(choice.n_taken..) {
            self.is_taken.remove(&cell);
        }
        Some(choice.goals)
    }
}

impl<'a> HeapEvaluator<'a> {
    /// An evaluator with a bound on the work for each formula.
    pub fn new(
        terms: &'a Terms,
        vocabulary: &'a Vocabulary,
        model: &'a Model,
        heap: &'a Heap,
    ) -> HeapEvaluator<'a> {
        let limits = Limits { steps: Some(MAX_STEPS), ..Limits::default() };
        HeapEvaluator {
            terms,
            vocabulary,
            model,
            heap,
            pure: Evaluator::new(terms, model),
            budget: Budget::new(&limits),
            hints: None,
        }
    }

    /// Whether a derivation of a closed formula is found when existential variables take only the values that
    /// hints give. `false` means nothing: there may be other derivations.
    pub fn derivable_by(&mut self, formula: TermId, hints: &'a Hints) -> Result<bool, HeapError> {
        if !self.vocabulary.is_spatial(self.terms, formula) {
            return self.holds(formula);
        }
        self.hints = Some(hints);
        let found = self.derivable(formula, true);
        self.hints = None;
        found
    }

    /// Whether a closed formula is true of the whole heap.
    pub fn holds(&mut self, root: TermId) -> Result<bool, HeapError> {
        let mut truth: Map<TermId, bool> = Map::default();
        let mut stack = vec![(root, false)];
        while let Some((formula, children_done)) = stack.pop() {
            if truth.contains_key(&formula) {
                continue;
            }
            let value = if !self.vocabulary.is_spatial(self.terms, formula) {
                self.pure_holds(formula, &mut Env::default())?
            } else {
                let children = self.terms.children(formula);
                match self.terms.op(formula) {
                    // A negated universal is an existential; its derivation is searched for as a whole.
                    Op::Not if !matches!(self.terms.op(children[0]), Op::Forall(_)) && !children_done => {
                        stack.extend([(formula, true), (children[0], false)]);
                        continue;
                    }
                    Op::And | Op::Or | Op::Iff | Op::Ite if !children_done => {
                        stack.push((formula, true));
                        stack.extend(children.iter().map(|&c| (c, false)));
                        continue;
                    }
                    Op::Not if children_done => !truth[&children[0]],
                    Op::And => children.iter().all(|c| truth[c]),
                    Op::Or => children.iter().any(|c| truth[c]),
                    Op::Iff => truth[&children[0]] == truth[&children[1]],
                    Op::Ite => truth[if truth[&children[0]] { &children[1] } else { &children[2] }],
                    // Not an existential in sight: the negation of one.
                    Op::Forall(_) => !self.derivable(formula, false)?,
                    _ => self.derivable(formula, true)?,
                }
            };
            truth.insert(formula, value);
        }
        Ok(truth[&root])
    }

    fn pure_holds(&mut self, formula: TermId, env: &mut Env) -> Result<bool, HeapError> {
        if !self.terms.is_quantifier_free(formula) {
            return Err(HeapError::Unsupported("a quantifier in a part that does not speak about the heap"));
        }
        Ok(self.pure.eval_in(formula, env).map_err(HeapError::Pure)?.is_true())
    }

    /// Whether the whole heap satisfies a formula (or its negation) by a derivation.
    fn derivable(&mut self, formula: TermId, positive: bool) -> Result<bool, HeapError> {
        let mut search = Search::default();
        search.envs.push(Env::default());
        search.callers.push(0);
        search.calls.push((OUTSIDE, Vec::new()));
        let start = search.push(formula, positive, 0, DONE);
        search.choose(start);
        while let Some(mut at) = search.back() {
            loop {
                self.budget.spend(1).map_err(HeapError::Stopped)?;
                if at == DONE {
                    if search.taken.len() == self.heap.len() {
                        return Ok(true);
                    }
                    break;
                }
                match self.step(&mut search, at)? {
                    Some(next) => at = next,
                    None => break,
                }
            }
        }
        Ok(false)
    }

    /// Replaces the first goal of a list by what it asks for; nothing if it fails here.
    fn step(&mut self, search: &mut Search, at: usize) -> Result<Option<usize>, HeapError> {
        let Goal { formula, positive, env, next } = search.goals[at];
        if !self.vocabulary.is_spatial(self.terms, formula) {
            // `false` fits no heap; anything else fits any.
            return match self.pure_holds(formula, &mut search.envs[env])? == positive {
                true => Err(HeapError::Unsupported("a part of sep that does not speak about its heap")),
                false => Ok(None),
            };
        }
        let children = self.terms.children(formula);
        match (self.terms.op(formula), positive) {
            (Op::Not, _) => Ok(Some(search.push(children[0], !positive, env, next))),
            (Op::And, true) | (Op::Or, false) => self.all_of(search, at),
            (Op::Or, true) | (Op::And, false) => {
                for &child in children.iter().rev() {
                    let alternative = search.push(child, positive, env, next);
                    search.choose(alternative);
                }
                Ok(search.back())
            }
            (Op::Ite, _) => {
                if self.vocabulary.is_spatial(self.terms, children[0]) {
                    return Err(HeapError::Unsupported("a condition below sep that speaks about the heap"));
                }
                let test = self.pure_holds(children[0], &mut search.envs[env])?;
                Ok(Some(search.push(children[if test { 1 } else { 2 }], positive, env, next)))
            }
            (Op::Forall(_), false) => self.exists(search, at),
            (Op::App(_), true) => self.atom(search, at),
            _ => Err(HeapError::Unsupported("a negation below sep or exists that speaks about the heap")),
        }
    }

    /// A conjunction: parts that do not speak about the heap are tested, one other part may remain.
    fn all_of(&mut self, search: &mut Search, at: usize) -> Result<Option<usize>, HeapError> {
        let Goal { formula, positive, env, next } = search.goals[at];
        let mut rest = None;
        for &child in self.terms.children(formula) {
            if !self.vocabulary.is_spatial(self.terms, child) {
                if self.pure_holds(child, &mut search.envs[env])? != positive {
                    return Ok(None);
                }
            } else if rest.replace(child).is_some() {
                return Err(HeapError::Unsupported(
                    "a conjunction below sep with two descriptions of the heap",
                ));
            }
        }
        let rest = rest.expect("a spatial conjunction has a spatial part");
        Ok(Some(search.push(rest, positive, env, next)))
    }

    /// `emp`, `pto`, `sep` or a predicate.
    fn atom(&mut self, search: &mut Search, at: usize) -> Result<Option<usize>, HeapError> {
        let Goal { formula, env, next, .. } = search.goals[at];
        let children = self.terms.children(formula);
        match self.vocabulary.head(self.terms, formula) {
            Some(Spatial::Emp) => Ok(Some(next)),
            Some(Spatial::Pto(cell)) => {
                let sort = self.vocabulary.cells()[cell].location;
                let place = (sort, self.value(children[0], &mut search.envs[env])?);
                let Some(found) = self.heap.cells.get(&place) else { return Ok(None) };
                let Some(content) = self.vocabulary.content(self.terms, cell, children[1]) else {
                    return Err(HeapError::Unsupported("a cell whose fields are not written out"));
                };
                for (&term, value) in content.iter().zip(found) {
                    if self.value(term, &mut search.envs[env])? != *value {
                        return Ok(None);
                    }
                }
                if !search.is_taken.insert(place.clone()) {
                    return Ok(None);
                }
                search.taken.push(place);
                Ok(Some(next))
            }
            Some(Spatial::Sep) => {
                let parts: Vec<(TermId, bool)> =
                    children.iter().map(|&c| self.vocabulary.unboxed(self.terms, c)).collect();
                let is_cell = |&&(part, _): &&(TermId, bool)| {
                    matches!(self.vocabulary.head(self.terms, part), Some(Spatial::Pto(_)))
                };
                // Cells come first: predicates that unfold must have something to take.
                let mut list = next;
                for &(part, positive) in parts.iter().rev().filter(|p| !is_cell(p)) {
                    list = search.push(part, positive, env, list);
                }
                for &(part, positive) in parts.iter().rev().filter(is_cell) {
                    list = search.push(part, positive, env, list);
                }
                Ok(Some(list))
            }
            Some(Spatial::Defined(index)) => {
                let definition = &self.vocabulary.definitions()[index];
                let Some(body) = definition.body else {
                    return Err(HeapError::Unsupported("a predicate without a definition"));
                };
                let mut inner = Env::default();
                for (&param, &arg) in definition.params.iter().zip(children) {
                    inner.insert(param, self.value(arg, &mut search.envs[env])?);
                }
                if self.hints.is_some() {
                    let values = definition.params.iter().map(|p| inner[p].clone()).collect();
                    search.calls.push((index, values));
                }
                search.envs.push(inner);
                search.callers.push(search.calls.len() - 1);
                let inner = search.envs.len() - 1;
                Ok(Some(search.push(body, true, inner, next)))
            }
            Some(Spatial::Wand) => Err(HeapError::Unsupported("wand")),
            None => Err(HeapError::Unsupported("a term that speaks about the heap")),
        }
    }

    fn value(&mut self, term: TermId, env: &mut Env) -> Result<Value, HeapError> {
        self.pure.eval_in(term, env).map_err(HeapError::Pure)
    }

    /// An existential: one alternative for each value that its first variable may have.
    fn exists(&mut self, search: &mut Search, at: usize) -> Result<Option<usize>, HeapError> {
        let Goal { formula, env: outer, next, .. } = search.goals[at];
        let Op::Forall(id) = self.terms.op(formula) else { unreachable!("called on quantifiers only") };
        let variables = self.terms.quantifier(id).variables.clone();
        let body = self.terms.children(formula)[0];
        let mut open: Vec<Env> = vec![search.envs[outer].clone()];
        for &var in &variables {
            // The variable may shadow one of the same number further out.
            open.iter_mut().for_each(|e| drop(e.remove(&var)));
        }
        let mut done: Vec<Env> = Vec::new();
        while let Some(env) = open.pop() {
            self.budget.spend(1).map_err(HeapError::Stopped)?;
            let Some(&var) = variables.iter().find(|v| !env.contains_key(*v)) else {
                done.push(env);
                continue;
            };
            let unbound: Vec<VarId> = variables.iter().copied().filter(|v| !env.contains_key(v)).collect();
            match self.read_off(body, &unbound, &env)? {
                ReadOff::Impossible => {}
                ReadOff::Value(var, value) => {
                    let mut env = env;
                    env.insert(var, value);
                    open.push(env);
                }
                ReadOff::Nothing if self.hints.is_some() => {
                    let key = &search.calls[search.callers[outer]];
                    for hint in self.hints.and_then(|h| h.get(key)).into_iter().flatten() {
                        let mut env = env.clone();
                        for v in &unbound {
                            if let Some(value) = hint.get(v) {
                                env.insert(*v, value.clone());
                            }
                        }
                        if env.contains_key(&var) {
                            open.push(env);
                        }
                    }
                }
                ReadOff::Nothing => {
                    let sort = self.terms.variable_info(var).1;
                    if !sort.is_uninterpreted() {
                        return Err(HeapError::Unsupported("an existential over values that no cell tells"));
                    }
                    // One location beyond the named ones for each variable is enough: they are alike.
                    let n = self.model.size(sort) + variables.len() as u32;
                    self.budget.spend(u64::from(n)).map_err(HeapError::Stopped)?;
                    for e in (0..n).rev() {
                        let mut env = env.clone();
                        env.insert(var, Value::Elem(e));
                        open.push(env);
                    }
                }
            }
        }
        let caller = search.callers[outer];
        for env in done.into_iter().rev() {
            search.envs.push(env);
            search.callers.push(caller);
            let inner = search.envs.len() - 1;
            let alternative = search.push(body, false, inner, next);
            search.choose(alternative);
        }
        Ok(search.back())
    }

    /// The only value a variable can have, because an equation says so or a cell that must be there holds it.
    fn read_off(&mut self, body: TermId, unbound: &[VarId], env: &Env) -> Result<ReadOff, HeapError> {
        let mut stack = vec![(body, false)];
        while let Some((formula, positive)) = stack.pop() {
            let children = self.terms.children(formula);
            match (self.terms.op(formula), positive) {
                (Op::Not, _) => stack.push((children[0], !positive)),
                (Op::And, true) | (Op::Or, false) => stack.extend(children.iter().map(|&c| (c, positive))),
                (Op::Eq, true) => {
                    for (one, other) in [(children[0], children[1]), (children[1], children[0])] {
                        if let Op::Var(var) = self.terms.op(one)
                            && unbound.contains(&var)
                            && self.terms.free_variables(other).iter().all(|v| env.contains_key(v))
                        {
                            return Ok(ReadOff::Value(var, self.value(other, &mut env.clone())?));
                        }
                    }
                }
                (Op::App(_), true) => match self.vocabulary.head(self.terms, formula) {
                    Some(Spatial::Sep) => {
                        stack.extend(children.iter().map(|&c| self.vocabulary.unboxed(self.terms, c)));
                    }
                    Some(Spatial::Pto(cell)) => {
                        let bound = |v: &VarId| env.contains_key(v);
                        let content = self.vocabulary.content(self.terms, cell, children[1]);
                        let Some(content) = content else { continue };
                        if !self.terms.free_variables(children[0]).iter().all(bound) {
                            continue;
                        }
                        let is_new =
                            |t: &TermId| matches!(self.terms.op(*t), Op::Var(v) if unbound.contains(&v));
                        let Some(i) = content.iter().position(is_new) else { continue };
                        let Op::Var(var) = self.terms.op(content[i]) else { unreachable!("just found") };
                        let sort = self.vocabulary.cells()[cell].location;
                        let at = self.value(children[0], &mut env.clone())?;
                        return Ok(match self.heap.get(sort, &at) {
                            Some(fields) => ReadOff::Value(var, fields[i].clone()),
                            None => ReadOff::Impossible,
                        });
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        Ok(ReadOff::Nothing)
    }
}

enum ReadOff {
    /// A cell that must be there is not.
    Impossible,
    Value(VarId, Value),
    Nothing,
}
