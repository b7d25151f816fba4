//! Symbolic heaps: `exists variables. pure parts and cell * ... * call * ...`.
//!
//! `sep` distributes over `or`, and existentials move outwards because every binder gets variables of its
//! own, so a description of the heap is a list of symbolic heaps, one per disjunct. Negation below `sep`,
//! conjunctions of two descriptions and parts without a description do not fit; they are refused.

use crate::frontend::smtlib::sep::Outside;
use crate::logic::sep::{Spatial, Vocabulary};
use crate::logic::{Op, TermId, Terms, VarId};
use crate::util::hash::Map;

/// A cell that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its type: an index into [`Vocabulary::cells`].
    pub cell: usize,
    /// Its location.
    pub at: TermId,
    /// The values of its fields.
    pub values: Vec<TermId>,
}

/// A predicate with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// An index into [`Vocabulary::definitions`].
    pub definition: usize,
    /// The arguments.
    pub args: Vec<TermId>,
}

/// A disjunct of a description of the heap.
#[derive(Clone, Debug, Default)]
pub struct SymbolicHeap {
    /// Existential variables.
    pub variables: Vec<VarId>,
    /// For existential variables, the ones that were written.
    pub written: Map<VarId, VarId>,
    /// Formulas that do not speak about the heap.
    pub pure: Vec<TermId>,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Predicates.
    pub calls: Vec<Call>,
}

/// More disjuncts than this are refused.
const MAX_DISJUNCTS: usize = 512;
/// More parts than this, counted over all disjuncts, are refused.
const MAX_PARTS: usize = 200_000;

struct State {
    heap: SymbolicHeap,
    goals: Vec<(TermId, bool)>,
}

/// The disjuncts of a description of the heap.
pub fn symbolic_heaps(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    formula: TermId,
    positive: bool,
) -> Result<Vec<SymbolicHeap>, Outside> {
    let mut done = Vec::new();
    let start = State { heap: SymbolicHeap::default(), goals: vec![(formula, positive)] };
    let mut states = vec![start];
    let mut n_parts = 0;
    while let Some(mut state) = states.pop() {
        let Some((formula, positive)) = state.goals.pop() else {
            done.push(state.heap);
            continue;
        };
        n_parts += 1;
        if done.len() + states.len() > MAX_DISJUNCTS || n_parts > MAX_PARTS {
            return Err(Outside::new("a description of the heap with too many disjuncts"));
        }
        if !vocabulary.is_spatial(terms, formula) {
            if formula != terms.bool(!positive) {
                return Err(Outside::new("a part of sep without a description of its heap"));
            }
            continue;
        }
        let children = terms.children(formula).to_vec();
        match (terms.op(formula), positive) {
            (Op::Not, _) => state.goals.push((children[0], !positive)),
            (Op::And, true) | (Op::Or, false) => {
                let (spatial, pure): (Vec<TermId>, Vec<TermId>) =
                    children.iter().partition(|&&c| vocabulary.is_spatial(terms, c));
                for part in pure {
                    let part = if positive { part } else { not(terms, part) };
                    push_pure(terms, &mut state.heap, part)?;
                }
                let [rest] = spatial[..] else {
                    return Err(Outside::new(
                        "a conjunction of two descriptions of a heap inside of another",
                    ));
                };
                state.goals.push((rest, positive));
            }
            (Op::Or, true) | (Op::And, false) => {
                for &child in children.iter().rev() {
                    let mut goals = state.goals.clone();
                    goals.push((child, positive));
                    n_parts += goals.len() + state.heap.pure.len() + state.heap.cells.len();
                    states.push(State { heap: state.heap.clone(), goals });
                }
                continue;
            }
            (Op::Ite, _) => {
                let [test, then, otherwise] = children[..] else { unreachable!("three children") };
                if vocabulary.is_spatial(terms, test) {
                    return Err(Outside::new("a condition on the heap inside of a description of it"));
                }
                let mut other = State { heap: state.heap.clone(), goals: state.goals.clone() };
                other.goals.push((otherwise, positive));
                let failed = not(terms, test);
                push_pure(terms, &mut other.heap, failed)?;
                states.push(other);
                push_pure(terms, &mut state.heap, test)?;
                state.goals.push((then, positive));
            }
            (Op::Forall(id), false) => {
                let variables = terms.quantifier(id).variables.clone();
                let mut map: Map<VarId, TermId> = Map::default();
                for var in variables {
                    let (name, sort) = terms.variable_info(var);
                    let name = name.to_owned();
                    let renamed = terms.variable(&name, sort).map_err(|e| Outside::new(e.to_string()))?;
                    let Op::Var(new) = terms.op(renamed) else { unreachable!("just made as a variable") };
                    state.heap.variables.push(new);
                    state.heap.written.insert(new, var);
                    map.insert(var, renamed);
                }
                let body = terms.substitute(children[0], &map);
                state.goals.push((body, false));
            }
            (Op::App(_), true) => atom(terms, vocabulary, &mut state, formula, children)?,
            _ => return Err(Outside::new("a negation inside of a description of the heap")),
        }
        states.push(state);
    }
    Ok(done)
}

fn atom(
    terms: &Terms,
    vocabulary: &Vocabulary,
    state: &mut State,
    formula: TermId,
    children: Vec<TermId>,
) -> Result<(), Outside> {
    if children.iter().any(|&c| !matches!(terms.op(c), Op::Ite) && vocabulary.is_spatial(terms, c)) {
        return Err(Outside::new("a term that depends on the heap"));
    }
    match vocabulary.head(terms, formula) {
        Some(Spatial::Emp) => {}
        Some(Spatial::Pto(cell)) => {
            let Some(values) = vocabulary.content(terms, cell, children[1]) else {
                return Err(Outside::new("a cell whose fields are not written out"));
            };
            if values.iter().chain([&children[0]]).any(|&v| vocabulary.is_spatial(terms, v)) {
                return Err(Outside::new("a term that depends on the heap"));
            }
            state.heap.cells.push(Cell { cell, at: children[0], values });
        }
        Some(Spatial::Sep) => {
            state.goals.extend(children.iter().rev().map(|&c| vocabulary.unboxed(terms, c)));
        }
        Some(Spatial::Defined(definition)) => {
            if children.iter().any(|&c| vocabulary.is_spatial(terms, c)) {
                return Err(Outside::new("a term that depends on the heap"));
            }
            state.heap.calls.push(Call { definition, args: children });
        }
        Some(Spatial::Wand) => return Err(Outside::new("wand")),
        None => return Err(Outside::new("a term that depends on the heap")),
    }
    Ok(())
}

/// Adds a pure part, conjunct by conjunct.
fn push_pure(terms: &mut Terms, heap: &mut SymbolicHeap, part: TermId) -> Result<(), Outside> {
    if !terms.is_quantifier_free(part) {
        return Err(Outside::new("a quantifier beside a description of the heap"));
    }
    let mut stack = vec![part];
    while let Some(part) = stack.pop() {
        let (inner, positive) = terms.strip_not(part);
        match (terms.op(inner), positive) {
            (Op::And, true) => stack.extend(terms.children(inner).iter().rev()),
            (Op::Or, false) => {
                let children = terms.children(inner).to_vec();
                stack.extend(children.into_iter().rev().map(|c| not(terms, c)));
            }
            _ if part == Terms::TRUE => {}
            _ => heap.pure.push(part),
        }
    }
    Ok(())
}

pub(super) fn not(terms: &mut Terms, formula: TermId) -> TermId {
    terms.not(formula).expect("a formula")
}

impl SymbolicHeap {
    /// Adds a formula that does not speak about the heap.
    pub fn add_pure(&mut self, terms: &mut Terms, part: TermId) -> Result<(), Outside> {
        push_pure(terms, self, part)
    }

    /// The symbolic heap with terms in the place of variables.
    pub fn substitute(&mut self, terms: &mut Terms, map: &Map<VarId, TermId>) {
        if map.is_empty() {
            return;
        }
        let cells = self.cells.iter_mut().flat_map(|c| c.values.iter_mut().chain([&mut c.at]));
        let calls = self.calls.iter_mut().flat_map(|c| c.args.iter_mut());
        for term in self.pure.iter_mut().chain(cells).chain(calls) {
            *term = terms.substitute(*term, map);
        }
        self.variables.retain(|v| !map.contains_key(v));
    }

    /// Gives the existential variables new names, for a further copy.
    pub fn rename(&mut self, terms: &mut Terms) -> Result<(), Outside> {
        let mut map: Map<VarId, TermId> = Map::default();
        let mut renamed = Vec::new();
        for &var in &self.variables {
            let (name, sort) = terms.variable_info(var);
            let name = name.to_owned();
            let new = terms.variable(&name, sort).map_err(|e| Outside::new(e.to_string()))?;
            let Op::Var(id) = terms.op(new) else { unreachable!("just made as a variable") };
            renamed.push(id);
            map.insert(var, new);
        }
        self.substitute(terms, &map);
        self.variables = renamed;
        Ok(())
    }

    /// Puts `term` in the place of the variables that a pure part says are equal to something.
    pub fn use_equations(&mut self, terms: &mut Terms) {
        while let Some((var, term)) = self.equation(terms) {
            self.substitute(terms, &[(var, term)].into_iter().collect());
            self.pure.retain(|&p| p != Terms::TRUE);
        }
    }

    fn equation(&self, terms: &Terms) -> Option<(VarId, TermId)> {
        for &part in &self.pure {
            let (Op::Eq, &[a, b]) = (terms.op(part), terms.children(part)) else { continue };
            for (from, to) in [(a, b), (b, a)] {
                if let Op::Var(var) = terms.op(from)
                    && self.variables.contains(&var)
                    && !terms.free_variables(to).contains(&var)
                {
                    return Some((var, to));
                }
            }
        }
        None
    }
}
