//! Deciding small formulas by search: an oracle that shares nothing with the engines.
//!
//! For each choice of universe sizes, values are given to one slot (symbol at arguments) after another. A
//! conjunct is evaluated as soon as all its symbols are complete, and the search backs up when it is false.
//! Symbols are ordered so that conjuncts become complete early.
//!
//! Isomorphic models are mostly skipped (the least number heuristic): elements that no slot filled so far
//! mentions, as argument or value, are interchangeable, so only the first of them is tried.

use crate::logic::{EvalError, Evaluator, FuncId, Model, Op, SortId, TermId, Terms, Value};
use crate::testing::models::{Signature, Slot, all_sizes, empty_model, slots, values};
use crate::util::hash::Set;
use std::ops::RangeInclusive;

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Brute {
    /// A model of all formulas, verified by evaluation.
    Sat(Model),
    /// No model with at most this many elements per sort and integers in the given range.
    NoModelUpTo(u32),
    /// The cap was reached first.
    TooMany,
    /// A formula has no value in a finite model (a quantifier over Int, a free variable).
    NotEvaluable(EvalError),
}

impl Brute {
    /// Whether a model was found.
    pub fn is_sat(&self) -> bool {
        matches!(self, Brute::Sat(_))
    }
}

/// Looks for a model of the conjunction with 1 to `max_cells` (at most 64) elements per sort and integers in
/// `ints`; gives up after filling `cap` slots.
pub fn decide_by_enumeration(
    terms: &Terms,
    formulas: &[TermId],
    max_cells: u32,
    ints: RangeInclusive<i64>,
    cap: u64,
) -> Brute {
    assert!(max_cells <= 64, "sets of elements are 64-bit masks");
    let conjuncts = conjuncts(terms, formulas);
    let (order, ready) = order_symbols(terms, &conjuncts);
    let signature = Signature::of(terms, formulas);
    let mut left = cap;
    for sizes in all_sizes(signature.sorts.len(), max_cells) {
        let model = empty_model(terms, &signature, &sizes);
        let mut search = Search::new(terms, model, &order, &ready, &ints, left);
        match search.run() {
            Ok(true) => return Brute::Sat(search.model),
            Ok(false) if search.left == 0 => return Brute::TooMany,
            Ok(false) => left = search.left,
            Err(error) => return Brute::NotEvaluable(error),
        }
    }
    Brute::NoModelUpTo(max_cells)
}

/// The formulas with their outer conjunctions taken apart.
fn conjuncts(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = Set::default();
    let mut stack: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(formula) = stack.pop() {
        if !seen.insert(formula) {
            continue;
        }
        let (inner, positive) = terms.strip_not(formula);
        match (terms.op(inner), positive) {
            (Op::And, true) => stack.extend(terms.children(inner).iter().rev()),
            _ => found.push(formula),
        }
    }
    found
}

/// An order of the symbols, and for each prefix length the conjuncts that become complete with it.
fn order_symbols(terms: &Terms, conjuncts: &[TermId]) -> (Vec<FuncId>, Vec<Vec<TermId>>) {
    let mut waiting: Vec<(TermId, Vec<FuncId>)> =
        conjuncts.iter().map(|&c| (c, Signature::of(terms, &[c]).funcs)).collect();
    // A symbol of many arguments has many slots; put it off as long as possible.
    let cost = |f: &FuncId| -> u64 {
        let func = terms.func(*f);
        let width = if func.result == SortId::BOOL { 2 } else { 3 };
        func.args.iter().fold(width, |c, _| c * 4)
    };
    let mut order: Vec<FuncId> = Vec::new();
    let mut ready = vec![Vec::new()];
    loop {
        let done: Set<FuncId> = order.iter().copied().collect();
        for (_, symbols) in &mut waiting {
            symbols.retain(|f| !done.contains(f));
        }
        ready[order.len()] = waiting.iter().filter(|w| w.1.is_empty()).map(|w| w.0).collect();
        waiting.retain(|w| !w.1.is_empty());
        let Some((_, symbols)) = waiting.iter().min_by_key(|w| w.1.iter().map(cost).sum::<u64>()) else {
            return (order, ready);
        };
        let mut next = symbols.clone();
        next.sort_by_key(cost);
        order.push(next[0]);
        ready.push(Vec::new());
    }
}

struct Level {
    slot: Slot,
    result: SortId,
    choices: Vec<Value>,
    /// Conjuncts to evaluate once the slot is filled.
    checks: Vec<TermId>,
}

struct Search<'a> {
    terms: &'a Terms,
    model: Model,
    levels: Vec<Level>,
    first_checks: Vec<TermId>,
    left: u64,
}

impl<'a> Search<'a> {
    fn new(
        terms: &'a Terms,
        model: Model,
        order: &[FuncId],
        ready: &[Vec<TermId>],
        ints: &RangeInclusive<i64>,
        left: u64,
    ) -> Search<'a> {
        let mut levels: Vec<Level> = Vec::new();
        let mut first_checks = ready[0].clone();
        for (&func, checks) in order.iter().zip(&ready[1..]) {
            let result = terms.func(func).result;
            for slot in slots(terms, &model, func, ints) {
                let choices = values(&model, result, ints);
                levels.push(Level { slot, result, choices, checks: Vec::new() });
            }
            // A function of integers over an empty range has no slots of its own.
            match levels.last_mut() {
                Some(last) => last.checks.extend(checks),
                None => first_checks.extend(checks),
            }
        }
        Search { terms, model, levels, first_checks, left }
    }

    fn holds(&self, checks: &[TermId]) -> Result<bool, EvalError> {
        let mut evaluator = Evaluator::new(self.terms, &self.model);
        for &check in checks {
            if !evaluator.holds(check)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether there is a model; it is left in `self.model`.
    fn run(&mut self) -> Result<bool, EvalError> {
        if !self.holds(&self.first_checks)? {
            return Ok(false);
        }
        let n_sorts = self.terms.n_sorts();
        // Per level: the next choice to try, and per sort the elements mentioned before the level.
        let mut next: Vec<usize> = vec![0; self.levels.len() + 1];
        let mut mentioned: Vec<Vec<u64>> = vec![vec![0; n_sorts]; self.levels.len() + 1];
        let mut depth = 0;
        loop {
            if depth == self.levels.len() {
                return Ok(true);
            }
            let level = &self.levels[depth];
            let mut known = mentioned[depth].clone();
            for (value, sort) in level.slot.args.iter().zip(&self.terms.func(level.slot.func).args) {
                mention(&mut known, *sort, value);
            }
            let choice = (next[depth]..level.choices.len())
                .find(|&c| is_canonical(&level.choices[c], known[level.result.index()]));
            let Some(choice) = choice else {
                next[depth] = 0;
                if depth == 0 {
                    return Ok(false);
                }
                depth -= 1;
                continue;
            };
            if self.left == 0 {
                return Ok(false);
            }
            self.left -= 1;
            next[depth] = choice + 1;
            let value = level.choices[choice].clone();
            mention(&mut known, level.result, &value);
            self.model.set(self.terms, level.slot.func, &level.slot.args, value);
            if self.holds(&self.levels[depth].checks)? {
                depth += 1;
                mentioned[depth] = known;
                next[depth] = 0;
            }
        }
    }
}

fn mention(known: &mut [u64], sort: SortId, value: &Value) {
    if let Value::Elem(e) = value {
        known[sort.index()] |= 1 << e;
    }
}

/// Whether the value is no element, a mentioned element, or the first one not mentioned.
fn is_canonical(value: &Value, known: u64) -> bool {
    match value {
        Value::Elem(e) => known >> e & 1 == 1 || *e == known.trailing_ones(),
        _ => true,
    }
}

#[cfg(test)]
#[path = "brute_tests.rs"]
mod tests;
