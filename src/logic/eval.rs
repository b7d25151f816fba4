//! THE executable semantics: the value of a term in a finite model.
//!
//! Everything is total: functions have a value everywhere, and no connective guards another. Quantifiers
//! over an uninterpreted sort run over its whole universe, one integer variable over all integers
//! (`intervals`). A quantifier over several integers is an error rather than a guess.
//!
//! `between(f, x, y, z)` is computed from its definition: follow f from x, stop at the first z; y must have
//! been met. `reach(f, x, y)` is the case y = z.
//!
//! A quantifier body is compiled once into the list of its open subterms in bottom-up order; each
//! assignment of the variables then runs down that list without recursion. Closed terms other than literals about
//! constants are memoised for the life of the [`Evaluator`].

use crate::logic::model::{Model, Value};
use crate::logic::sort::SortId;
use crate::logic::symbol::FuncId;
use crate::logic::term::{Op, TermId, Terms, VarId};
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::num::Int;
use std::cell::RefCell;
use std::rc::Rc;

/// Why a term has no value here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// This quantifier ranges over several integers, or its body needs another such quantifier.
    IntQuantifier(TermId),
    /// This variable is not bound.
    Unbound(VarId),
    /// A limit was reached.
    Stopped(Stop),
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::IntQuantifier(_) => {
                f.write_str("a quantifier over several integers cannot be evaluated")
            }
            EvalError::Unbound(_) => f.write_str("a variable is not bound"),
            EvalError::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for EvalError {}

pub(crate) type Env = Map<VarId, Value>;

/// The open subterms of a term, children first, quantifiers as leaves.
pub(super) type Plan = Rc<[TermId]>;

/// Evaluates terms of one store in one model.
pub struct Evaluator<'a> {
    pub(super) terms: &'a Terms,
    pub(super) model: &'a Model,
    closed: Map<TermId, Value>,
    plans: Map<TermId, Plan>,
    /// By link field, the successors of all cells.
    links: RefCell<Map<FuncId, Vec<u32>>>,
    budget: Budget,
    /// Bytes reported to the budget by others.
    held: u64,
    /// Terms on the way and values of arguments, kept for their memory.
    stack: Vec<(TermId, usize)>,
    args: Vec<Value>,
}

/// The value of a closed term in a model.
pub fn eval(terms: &Terms, model: &Model, term: TermId) -> Result<Value, EvalError> {
    Evaluator::new(terms, model).eval(term)
}

impl<'a> Evaluator<'a> {
    /// An evaluator without limits.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        Evaluator::with_budget(terms, model, Budget::unlimited())
    }

    /// An evaluator that stops when the budget does.
    pub fn with_budget(terms: &'a Terms, model: &'a Model, budget: Budget) -> Evaluator<'a> {
        let held = budget.memory_used();
        Evaluator {
            terms,
            model,
            closed: Map::with_capacity_and_hasher(32, Default::default()),
            plans: Map::default(),
            links: RefCell::default(),
            budget,
            held,
            stack: Vec::new(),
            args: Vec::new(),
        }
    }

    /// The value of a closed term.
    pub fn eval(&mut self, term: TermId) -> Result<Value, EvalError> {
        self.eval_in(term, &mut Env::default())
    }

    /// Whether a closed formula is true.
    pub fn holds(&mut self, formula: TermId) -> Result<bool, EvalError> {
        Ok(self.eval(formula)?.is_true())
    }

    /// The value of a term whose free variables are bound by `env`.
    pub fn eval_in(&mut self, term: TermId, env: &mut Env) -> Result<Value, EvalError> {
        if let Some(value) = self.present(term) {
            return Ok(value);
        }
        if self.terms.is_closed(term) {
            self.eval_closed(term)?;
            return Ok(self.closed[&term].clone());
        }
        let plan = self.plan(term)?;
        let mut values = Vec::new();
        self.run(&plan, env, &mut values)
    }

    /// The value of a closed term; of its subterms as many as that needs. Literals about constants are not kept:
    /// reading them off the model again is cheaper.
    fn eval_closed(&mut self, root: TermId) -> Result<(), EvalError> {
        // Terms and how far their children have been looked at. Quantifiers come back here, with stacks of their own.
        let mut stack = std::mem::take(&mut self.stack);
        let mut args = std::mem::take(&mut self.args);
        stack.clear();
        stack.push((root, 0));
        while let Some((term, mut looked_at)) = stack.pop() {
            if self.closed.contains_key(&term) {
                continue;
            }
            self.budget.spend(1).map_err(EvalError::Stopped)?;
            if self.budget.watches_memory() && self.closed.len() == self.closed.capacity() {
                self.report_growth()?;
            }
            let children = self.terms.children(term);
            let waiting = stack.len();
            let value = match self.terms.op(term) {
                Op::Forall(_) => Some(self.eval_forall(term, &mut Env::default())?),
                // The first child that decides a connective is enough.
                op @ (Op::And | Op::Or) => {
                    let decisive = op == Op::Or;
                    loop {
                        let Some(&child) = children.get(looked_at) else {
                            break Some(Value::Bool(!decisive));
                        };
                        match self.present(child) {
                            Some(value) if value.is_true() == decisive => break Some(value),
                            Some(_) => {
                                looked_at += 1;
                                self.budget.spend(1).map_err(EvalError::Stopped)?;
                            }
                            None => {
                                stack.extend([(term, looked_at), (child, 0)]);
                                break None;
                            }
                        }
                    }
                }
                _ => {
                    args.clear();
                    for &child in children {
                        match self.present(child) {
                            Some(value) => args.push(value),
                            None if stack.len() == waiting => stack.extend([(term, 0), (child, 0)]),
                            None => stack.push((child, 0)),
                        }
                    }
                    (stack.len() == waiting).then(|| self.apply(term, &args))
                }
            };
            if let Some(value) = value {
                self.closed.insert(term, value);
            }
        }
        (self.stack, self.args) = (stack, args);
        Ok(())
    }

    /// The value of a term that needs no work: it was evaluated before, or is a literal about constants.
    fn present(&self, term: TermId) -> Option<Value> {
        let value = match self.terms.op(term) {
            Op::Not => self.atom(self.terms.children(term)[0]).map(|value| Value::Bool(!value.is_true())),
            _ => self.atom(term),
        };
        value.or_else(|| self.closed.get(&term).cloned())
    }

    /// The value of a constant or of an atom about constants.
    fn atom(&self, term: TermId) -> Option<Value> {
        let children = self.terms.children(term);
        match self.terms.op(term) {
            Op::Eq | Op::Between(_) | Op::Le(_) | Op::App(_) if (1..=3).contains(&children.len()) => {
                let mut args = [const { Value::Bool(false) }; 3];
                for (arg, &child) in args.iter_mut().zip(children) {
                    *arg = self.constant(child)?;
                }
                Some(self.apply(term, &args[..children.len()]))
            }
            _ => self.constant(term),
        }
    }

    fn constant(&self, term: TermId) -> Option<Value> {
        match self.terms.op(term) {
            Op::App(func) if self.terms.children(term).is_empty() => {
                Some(self.model.get(self.terms, func, &[]))
            }
            Op::True | Op::False | Op::Num(_) => Some(self.apply(term, &[])),
            _ => None,
        }
    }

    /// The table of values is about to double.
    fn report_growth(&mut self) -> Result<(), EvalError> {
        let entry = size_of::<(TermId, Value)>() as u64 + 1;
        // While it grows, the old and the new table exist.
        let bytes = 3 * self.closed.capacity() as u64 * entry;
        self.budget.set_memory(self.held.saturating_add(bytes));
        self.budget.poll().map_err(EvalError::Stopped)
    }

    pub(super) fn plan(&mut self, root: TermId) -> Result<Plan, EvalError> {
        if let Some(plan) = self.plans.get(&root) {
            return Ok(plan.clone());
        }
        let mut order = Vec::new();
        let mut seen: Map<TermId, bool> = Map::default();
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if self.terms.is_closed(term) {
                self.eval_closed(term)?;
                continue;
            }
            if children_done {
                order.push(term);
                continue;
            }
            if seen.insert(term, true).is_some() {
                continue;
            }
            stack.push((term, true));
            if !matches!(self.terms.op(term), Op::Forall(_)) {
                stack.extend(self.terms.children(term).iter().map(|&c| (c, false)));
            }
        }
        let plan: Plan = order.into();
        self.plans.insert(root, plan.clone());
        Ok(plan)
    }

    pub(super) fn run(
        &mut self,
        plan: &Plan,
        env: &mut Env,
        values: &mut Vec<Value>,
    ) -> Result<Value, EvalError> {
        self.budget.spend(plan.len() as u64).map_err(EvalError::Stopped)?;
        let mut open: Map<TermId, usize> = Map::default();
        values.clear();
        for (i, &term) in plan.iter().enumerate() {
            let value = match self.terms.op(term) {
                Op::Var(var) => env.get(&var).cloned().ok_or(EvalError::Unbound(var))?,
                Op::Forall(_) => self.eval_forall(term, env)?,
                _ => {
                    let args: Vec<Value> = self
                        .terms
                        .children(term)
                        .iter()
                        .map(|c| match open.get(c) {
                            Some(&at) => values[at].clone(),
                            None => self.closed[c].clone(),
                        })
                        .collect();
                    self.apply(term, &args)
                }
            };
            open.insert(term, i);
            values.push(value);
        }
        Ok(values.last().cloned().expect("a plan ends with its root"))
    }

    pub(super) fn eval_forall(&mut self, term: TermId, env: &mut Env) -> Result<Value, EvalError> {
        let Op::Forall(id) = self.terms.op(term) else { unreachable!("called on quantifiers only") };
        let terms = self.terms;
        let sort = |v: &VarId| terms.variable_info(*v).1;
        let (finite, integers): (Vec<VarId>, Vec<VarId>) =
            terms.quantifier(id).variables.iter().partition(|v| sort(v).is_uninterpreted());
        if integers.len() > 1 || integers.iter().any(|v| sort(v) != SortId::INT) {
            return Err(EvalError::IntQuantifier(term));
        }
        let body = terms.children(term)[0];
        let plan = self.plan(body)?;
        let mut values = Vec::new();
        let holds = self.for_all_tuples(&finite, env, &mut |evaluator, env| match integers.first() {
            None => Ok(evaluator.run(&plan, env, &mut values)?.is_true()),
            Some(&variable) => Ok(evaluator.integer_against(body, variable, env)?.is_none()),
        })?;
        Ok(Value::Bool(holds))
    }

    /// Whether something holds for all elements as values of the variables.
    pub(super) fn for_all_tuples(
        &mut self,
        variables: &[VarId],
        env: &mut Env,
        holds: &mut dyn FnMut(&mut Self, &mut Env) -> Result<bool, EvalError>,
    ) -> Result<bool, EvalError> {
        let sizes: Vec<u32> =
            variables.iter().map(|&v| self.model.size(self.terms.variable_info(v).1)).collect();
        let shadowed: Vec<Option<Value>> = variables.iter().map(|&v| env.insert(v, Value::Elem(0))).collect();
        let mut tuple = vec![0u32; variables.len()];
        let result = loop {
            for (&var, &elem) in variables.iter().zip(&tuple) {
                env.insert(var, Value::Elem(elem));
            }
            match holds(self, env) {
                Ok(true) => {}
                other => break other,
            }
            match (0..tuple.len()).find(|&i| tuple[i] + 1 < sizes[i]) {
                None => break Ok(true),
                Some(i) => {
                    tuple[i] += 1;
                    tuple[..i].fill(0);
                }
            }
        };
        for (&var, old) in variables.iter().zip(shadowed) {
            match old {
                Some(value) => env.insert(var, value),
                None => env.remove(&var),
            };
        }
        result
    }

    /// The value of a closed term that was evaluated before.
    pub(super) fn known(&self, term: TermId) -> Value {
        self.closed[&term].clone()
    }

    pub(super) fn spend(&mut self, steps: u64) -> Result<(), EvalError> {
        self.budget.spend(steps).map_err(EvalError::Stopped)
    }

    /// The value of a term from the values of its children.
    pub(super) fn apply(&self, term: TermId, args: &[Value]) -> Value {
        let bool = |i: usize| args[i] == Value::Bool(true);
        match self.terms.op(term) {
            Op::True => Value::Bool(true),
            Op::False => Value::Bool(false),
            Op::App(func) => self.model.get(self.terms, func, args),
            Op::Num(id) => Value::Int(self.terms.number(id).clone()),
            Op::Lin(id) => {
                let form = self.terms.form(id);
                let sum = form.terms.iter().zip(args).fold(form.constant.clone(), |sum, ((_, c), v)| {
                    let Value::Int(value) = v else { unreachable!("sums have integer summands") };
                    &sum + &(c * value)
                });
                Value::Int(sum)
            }
            Op::Not => Value::Bool(!bool(0)),
            Op::And => Value::Bool(args.iter().all(Value::is_true)),
            Op::Or => Value::Bool(args.iter().any(Value::is_true)),
            Op::Iff | Op::Eq => Value::Bool(args[0] == args[1]),
            Op::Distinct => {
                let mut values: Vec<&Value> = args.iter().collect();
                values.sort_unstable();
                Value::Bool(values.windows(2).all(|pair| pair[0] != pair[1]))
            }
            Op::Ite => args[if bool(0) { 1 } else { 2 }].clone(),
            Op::Le(id) => {
                let Value::Int(value) = &args[0] else { unreachable!("comparisons are of integers") };
                Value::Bool(value <= self.terms.number(id))
            }
            Op::Between(field) => Value::Bool(self.between(field, &args[0], &args[1], &args[2])),
            Op::Var(_) | Op::Forall(_) => unreachable!("evaluated by the caller"),
        }
    }

    fn between(&self, field: FuncId, x: &Value, y: &Value, z: &Value) -> bool {
        let (&Value::Elem(x), &Value::Elem(y), &Value::Elem(z)) = (x, y, z) else {
            unreachable!("link fields are about cells")
        };
        let mut links = self.links.borrow_mut();
        let links = links.entry(field).or_insert_with(|| self.links_of(field));
        let mut at = x;
        let mut met = false;
        // A simple path visits each cell at most once.
        for _ in 0..=links.len() {
            met |= at == y;
            if at == z {
                return met;
            }
            at = links.get(at as usize).copied().unwrap_or_else(|| self.successor(field, at));
        }
        false
    }

    /// The successors of all cells.
    fn links_of(&self, field: FuncId) -> Vec<u32> {
        let size = self.model.size(self.terms.func(field).result);
        let Some(table) = self.model.table(field) else { return vec![0; size as usize] };
        let mut links = vec![cell_of(&table.default); size as usize];
        for (args, value) in &table.entries {
            if let Some(link) = links.get_mut(cell_of(&args[0]) as usize) {
                *link = cell_of(value);
            }
        }
        links
    }

    fn successor(&self, field: FuncId, cell: u32) -> u32 {
        cell_of(&self.model.get(self.terms, field, &[Value::Elem(cell)]))
    }
}

/// The cell that a value is, for values at either end of a link.
fn cell_of(value: &Value) -> u32 {
    match value {
        Value::Elem(cell) => *cell,
        _ => unreachable!("link fields lead from cells to cells"),
    }
}

/// The value of an integer, for callers that know that the term is one.
pub fn as_int(value: &Value) -> Option<&Int> {
    match value {
        Value::Int(int) => Some(int),
        _ => None,
    }
}

#[cfg(test)]
#[path = "eval_tests.rs"]
mod tests;
