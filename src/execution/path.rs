//! One path through a program: what was decided on it, and what that says of its symbols.
//!
//! A path is made again from its decisions, from the beginning of the program. Beyond the decisions that are given,
//! it takes the first way that is possible and leaves the other one, if that is possible too, for later.
//! Bounds of single symbols are kept as intervals; everything else is asked of the solver.

use super::model::{Condition, Known, mended, refuted, satisfies};
use super::quotients::Quotients;
use super::value::{Linear, Symbol};
use crate::engine::solver::{Answer, Solver};
use crate::logic::eval::{as_int, eval};
use crate::logic::{BuildError, Model, SortId, TermId};
use crate::util::limits::Limits;
use crate::util::num::Int;

/// What is decided of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// It is 0.
    Zero,
    /// It is at most 0.
    NotPositive,
}

/// An unknown number.
struct Unknown {
    low: i128,
    high: i128,
    /// It occurs in a condition with others, or has a hole in its range.
    entangled: bool,
    /// Its term, once the solver knows it, and the bounds that the solver knows.
    term: Option<(TermId, i128, i128)>,
}

/// Values of a number that is split into cases, at most.
const MAX_CASES: i128 = 256;
/// Cases of one path, at most.
const MAX_ALL_CASES: i128 = 65_536;

/// A path.
pub(super) struct Path {
    unknowns: Vec<Unknown>,
    /// Those from outside, in order.
    inputs: Vec<usize>,
    /// Conditions beyond intervals, and whether they hold.
    conditions: Vec<Condition>,
    /// In which of them a symbol occurs.
    uses: Vec<Vec<u32>>,
    /// How many of them the solver knows.
    known: usize,
    /// Numbers that make all of them true, if some are known; more are added when they are needed.
    model: Option<Vec<i128>>,
    /// So many conditions were looked at in vain for numbers.
    tried: Option<usize>,
    solver: Option<Box<Solver>>,
    limits: Limits,
    /// Decisions to make again.
    given: Vec<bool>,
    /// Decisions made.
    pub(super) taken: Vec<bool>,
    /// Other ways: so many decisions, and then the other one.
    pub(super) others: Vec<usize>,
    /// Orders of operands of which the other one is to be followed too, as such decisions.
    pub(super) orders: Vec<usize>,
    /// What sums were divided by.
    pub(super) quotients: Quotients,
    /// Cases that values were split into, one inside of the other.
    cases: i128,
    /// The values of the symbols, if the path is a run.
    values: Option<Vec<i128>>,
    /// Something on it was decided without looking at all of C's meaning: a failure may not be one.
    pub(super) inexact: bool,
    /// Questions to the solver.
    pub(super) queries: u64,
}

/// Numbers beyond this are not computed with.
pub(super) struct TooLarge;

impl Path {
    /// A path that begins with these decisions.
    pub(super) fn new(given: Vec<bool>, limits: Limits) -> Path {
        Path {
            unknowns: Vec::new(),
            inputs: Vec::new(),
            conditions: Vec::new(),
            uses: Vec::new(),
            known: 0,
            model: None,
            tried: None,
            solver: None,
            limits,
            given,
            taken: Vec::new(),
            others: Vec::new(),
            orders: Vec::new(),
            quotients: Quotients::default(),
            cases: 1,
            values: None,
            inexact: false,
            queries: 0,
        }
    }

    /// A run in which the symbols have these values.
    pub(super) fn run(values: Vec<i128>, limits: Limits) -> Path {
        Path { values: Some(values), ..Path::new(Vec::new(), limits) }
    }

    /// A number from outside between these bounds; in a run, the next value that is given.
    pub(super) fn fresh(&mut self, low: i128, high: i128) -> Linear {
        let number = self.inputs.len();
        self.inputs.push(self.unknowns.len());
        match &self.values {
            Some(values) => {
                self.unknowns.push(Unknown { low, high, entangled: false, term: None });
                // A run is one of the program, whoever proposes it.
                Linear::number(values.get(number).copied().unwrap_or(0).max(low).min(high))
            }
            None => self.auxiliary(low, high),
        }
    }

    /// A number that others determine. In a run all numbers are known, and there are none of these.
    pub(super) fn auxiliary(&mut self, low: i128, high: i128) -> Linear {
        let symbol = self.unknowns.len() as Symbol;
        self.unknowns.push(Unknown { low, high, entangled: false, term: None });
        Linear::symbol(symbol)
    }

    /// Whether operands are evaluated the other way round: a decision that nothing asks for until it makes a difference.
    pub(super) fn order(&mut self) -> (Option<usize>, bool) {
        let choice = self.fresh(0, 1);
        if let Some(known) = choice.known() {
            return (None, known == 1);
        }
        let at = self.taken.len();
        let reversed = self.given.get(at).copied().unwrap_or(false);
        self.taken.push(reversed);
        self.assume(&choice, Relation::Zero, !reversed);
        (Some(at), reversed)
    }

    /// Whether these numbers may be split into cases, as long as there are not too many on this path.
    pub(super) fn spend_cases(&mut self, sums: &[&Linear]) -> bool {
        let mut symbols: Vec<Symbol> = sums.iter().flat_map(|s| s.terms.iter().map(|t| t.0)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut cases = self.cases;
        for symbol in symbols {
            let (low, high) = self.bounds_of(symbol);
            let count = high.saturating_sub(low).saturating_add(1);
            if count > MAX_CASES {
                return false;
            }
            cases = cases.saturating_mul(count.max(1));
        }
        if cases > MAX_ALL_CASES {
            return false;
        }
        self.cases = cases;
        true
    }

    /// Whether the numbers from outside have values.
    pub(super) fn is_run(&self) -> bool {
        self.values.is_some()
    }

    /// The bounds of a symbol.
    pub(super) fn bounds_of(&self, symbol: Symbol) -> (i128, i128) {
        let unknown = &self.unknowns[symbol as usize];
        (unknown.low, unknown.high)
    }

    /// What holds beyond bounds.
    pub(super) fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The decisions that make it: those that were given, though it was stopped before it came to them, or made.
    pub(super) fn decisions(&self) -> &[bool] {
        if self.is_beyond_given() { &self.taken } else { &self.given }
    }

    /// All decisions that were given have been made again.
    pub(super) fn is_beyond_given(&self) -> bool {
        self.taken.len() >= self.given.len()
    }

    /// The least and the greatest value by the bounds of its symbols.
    pub(super) fn range(&self, sum: &Linear) -> Option<(i128, i128)> {
        let (mut low, mut high) = (sum.constant, sum.constant);
        for (symbol, factor) in &sum.terms {
            let unknown = &self.unknowns[*symbol as usize];
            let (a, b) = (factor.checked_mul(unknown.low)?, factor.checked_mul(unknown.high)?);
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
        }
        Some((low, high))
    }

    /// Whether it holds on this path.
    pub(super) fn decide(&mut self, sum: &Linear, relation: Relation) -> Result<bool, TooLarge> {
        let (low, high) = self.range(sum).ok_or(TooLarge)?;
        match relation {
            Relation::Zero if low == 0 && high == 0 => return Ok(true),
            Relation::Zero if low > 0 || high < 0 => return Ok(false),
            Relation::Zero if sum.step() != 0 && sum.constant % sum.step() != 0 => return Ok(false),
            Relation::NotPositive if high <= 0 => return Ok(true),
            Relation::NotPositive if low > 0 => return Ok(false),
            _ => {}
        }
        let at = self.taken.len();
        let holds = match self.given.get(at) {
            Some(given) => *given,
            None => {
                let yes = self.way(sum, relation, true);
                let no = yes.is_none() || self.way(sum, relation, false).is_some();
                if yes.is_some() && no {
                    self.others.push(at);
                }
                if let Some(Some(numbers)) = &yes {
                    self.model = self.model.take().map(|mut model| {
                        numbers.iter().for_each(|(symbol, value)| model[*symbol] = *value);
                        model
                    });
                }
                yes.is_some()
            }
        };
        self.taken.push(holds);
        self.assume(sum, relation, holds);
        Ok(holds)
    }

    /// One symbol whose bounds are all there is to know of it.
    fn alone(&self, sum: &Linear) -> Option<(Symbol, i128)> {
        match sum.terms[..] {
            [(symbol, factor)] if !self.unknowns[symbol as usize].entangled => Some((symbol, factor)),
            _ => None,
        }
    }

    /// The bounds of a symbol under a condition about it alone; `None`: a hole.
    fn bounds(&self, sum: &Linear, relation: Relation, holds: bool) -> Option<(i128, i128)> {
        let [(symbol, factor)] = sum.terms[..] else { return None };
        let Unknown { low, high, .. } = self.unknowns[symbol as usize];
        let floor = |n: i128, d: i128| n.div_euclid(d);
        let ceil = |n: i128, d: i128| -(-n).div_euclid(d);
        let constant = sum.constant;
        Some(match (relation, holds) {
            (Relation::Zero, true) => {
                let value = -constant / factor;
                if constant + factor * value == 0 { (low.max(value), high.min(value)) } else { (1, 0) }
            }
            (Relation::Zero, false) => {
                let value = -constant / factor;
                if constant + factor * value != 0 || value < low || value > high {
                    (low, high)
                } else if value == low {
                    (low + 1, high)
                } else if value == high {
                    (low, high - 1)
                } else {
                    return None;
                }
            }
            // constant + factor * x <= 0
            (Relation::NotPositive, true) if factor > 0 => (low, high.min(floor(-constant, factor))),
            (Relation::NotPositive, true) => (low.max(ceil(constant, -factor)), high),
            // constant + factor * x >= 1
            (Relation::NotPositive, false) if factor > 0 => (low.max(ceil(1 - constant, factor)), high),
            (Relation::NotPositive, false) => (low, high.min(floor(constant - 1, -factor))),
        })
    }

    /// Whether some run of this path has it so: what changes in the numbers that are known then, if that is known. What is
    /// not known is possible.
    fn way(&mut self, sum: &Linear, relation: Relation, holds: bool) -> Option<Option<Vec<(usize, i128)>>> {
        if self.alone(sum).is_some() {
            let possible = self.bounds(sum, relation, holds).is_none_or(|(low, high)| low <= high);
            return possible.then_some(None);
        }
        let condition = (sum.clone(), relation, holds);
        self.fill_model();
        let unknowns = &self.unknowns;
        let bounds = |s: usize| (unknowns[s].low, unknowns[s].high);
        let known = Known { bounds: &bounds, conditions: &self.conditions, uses: &self.uses };
        if let Some(model) = &mut self.model {
            if satisfies(&condition, model) {
                return Some(Some(Vec::new()));
            }
            if refuted(&known, &condition) {
                return None;
            }
            if let Some(changes) = mended(&known, model, &condition) {
                return Some(Some(changes));
            }
        }
        match self.ask(Some((sum, relation, holds))) {
            Ok(Answer::Unsat(_)) => None,
            Ok(Answer::Sat(found)) => {
                let values = self.values_of(Some(&found), 0..self.unknowns.len());
                if self.conditions.iter().chain([&condition]).all(|c| satisfies(c, &values)) {
                    self.model = Some(values);
                }
                Some(None)
            }
            Ok(_) | Err(_) => Some(None),
        }
    }

    /// The values of unknown numbers in a model of the solver; what it says nothing of is as near to 0 as it may be.
    fn values_of(&self, model: Option<&Model>, which: impl Iterator<Item = usize>) -> Vec<i128> {
        let value = |unknown: &Unknown| {
            let told = match (model, &unknown.term, &self.solver) {
                (Some(model), Some((term, ..)), Some(solver)) => eval(solver.terms(), model, *term).ok(),
                _ => None,
            };
            let told = told.as_ref().and_then(as_int).and_then(|n| n.to_big().try_into().ok());
            told.unwrap_or(unknown.low.max(0.min(unknown.high)))
        };
        which.map(|i| value(&self.unknowns[i])).collect()
    }

    /// Looks for numbers that make all conditions true, or for those of symbols that are new.
    fn fill_model(&mut self) {
        let simple = |u: &Unknown| u.low.max(0.min(u.high));
        if self.model.is_none() && self.tried == Some(self.conditions.len()) {
            return;
        }
        let unknowns = &self.unknowns;
        let bounds = |s: usize| (unknowns[s].low, unknowns[s].high);
        let known = Known { bounds: &bounds, conditions: &self.conditions, uses: &self.uses };
        let is_new = self.model.is_none();
        let mut model = self.model.take().unwrap_or_default();
        model.extend(unknowns[model.len()..].iter().map(simple));
        for condition in self.conditions.iter().filter(|_| is_new) {
            if satisfies(condition, &model) {
                continue;
            }
            let Some(changes) = mended(&known, &mut model, condition) else {
                self.tried = Some(self.conditions.len());
                return;
            };
            changes.iter().for_each(|(symbol, value)| model[*symbol] = *value);
        }
        // Mending one condition leaves those true that were true before.
        if !is_new || self.conditions.iter().all(|c| satisfies(c, &model)) {
            self.model = Some(model);
        }
    }

    fn assume(&mut self, sum: &Linear, relation: Relation, holds: bool) {
        if let Some((low, high)) = self.bounds(sum, relation, holds) {
            let symbol = sum.terms[0].0 as usize;
            if self.alone(sum).is_none() && self.model.is_some() {
                self.mend(&(sum.clone(), relation, holds));
            }
            let unknown = &mut self.unknowns[symbol];
            (unknown.low, unknown.high) = (low, high);
            if let Some(value) = self.model.as_mut().and_then(|m| m.get_mut(symbol)) {
                *value = (*value).max(low).min(high);
            }
            return;
        }
        let condition = (sum.clone(), relation, holds);
        if self.model.is_some() {
            self.mend(&condition);
        }
        let number = self.conditions.len() as u32;
        self.uses.resize_with(self.unknowns.len(), Vec::new);
        if self.model.is_some() {
            self.mend(&condition);
        }
        for (symbol, _) in &sum.terms {
            self.unknowns[*symbol as usize].entangled = true;
            self.uses[*symbol as usize].push(number);
        }
        self.conditions.push(condition);
    }

    /// Numbers that are known make one more condition true, or are forgotten.
    fn mend(&mut self, condition: &Condition) {
        self.fill_model();
        let unknowns = &self.unknowns;
        let bounds = |s: usize| (unknowns[s].low, unknowns[s].high);
        let known = Known { bounds: &bounds, conditions: &self.conditions, uses: &self.uses };
        let Some(mut model) = self.model.take() else { return };
        if !satisfies(condition, &model) {
            let Some(changes) = mended(&known, &mut model, condition) else { return };
            changes.iter().for_each(|(symbol, value)| model[*symbol] = *value);
        }
        self.model = Some(model);
    }

    /// Adds what is known of a fresh symbol: nothing is decided.
    pub(super) fn define(&mut self, sum: &Linear, relation: Relation) {
        if !sum.terms.is_empty() {
            self.assume(sum, relation, true);
        }
    }

    /// Forgets everything but bounds: no symbol of which something else is known is used any more.
    pub(super) fn forget(&mut self) {
        self.conditions.clear();
        self.quotients = Quotients::default();
        self.uses.clear();
        (self.model, self.tried) = (None, None);
        self.known = 0;
        self.solver = None;
        for unknown in &mut self.unknowns {
            unknown.term = None;
        }
    }

    fn ask(&mut self, more: Option<(&Linear, Relation, bool)>) -> Result<Answer, BuildError> {
        self.queries += 1;
        let limits = self.limits.clone();
        let mut solver = self.solver.take().unwrap_or_else(|| Box::new(Solver::new()));
        let result = self.ask_of(&mut solver, more, limits);
        self.solver = Some(solver);
        result
    }

    fn ask_of(
        &mut self,
        solver: &mut Solver,
        more: Option<(&Linear, Relation, bool)>,
        limits: Limits,
    ) -> Result<Answer, BuildError> {
        solver.set_limits(limits);
        for i in self.known..self.conditions.len() {
            let (sum, relation, holds) = self.conditions[i].clone();
            let formula = self.formula(solver, &sum, relation, holds)?;
            solver.assert(formula)?;
        }
        self.known = self.conditions.len();
        let more = match more {
            Some((sum, relation, holds)) => vec![self.formula(solver, sum, relation, holds)?],
            None => Vec::new(),
        };
        for unknown in &mut self.unknowns {
            let Some((term, low, high)) = &mut unknown.term else { continue };
            if (*low, *high) != (unknown.low, unknown.high) {
                let t = solver.terms_mut();
                let (least, most) = (t.int(big(unknown.low)), t.int(big(unknown.high)));
                let (above, below) = (t.le(least, *term)?, t.le(*term, most)?);
                solver.assert(above)?;
                solver.assert(below)?;
                (*low, *high) = (unknown.low, unknown.high);
            }
        }
        solver.check_assuming(&more)
    }

    fn formula(
        &mut self,
        solver: &mut Solver,
        sum: &Linear,
        relation: Relation,
        holds: bool,
    ) -> Result<TermId, BuildError> {
        let t = solver.terms_mut();
        let mut parts = vec![t.int(big(sum.constant))];
        for (symbol, factor) in &sum.terms {
            let unknown = &mut self.unknowns[*symbol as usize];
            let (term, ..) = *unknown
                .term
                // Bounds that no symbol has: the real ones are told later.
                .get_or_insert_with(|| (t.fresh_const("s", SortId::INT), 1, 0));
            let factor = t.int(big(*factor));
            parts.push(t.mul(factor, term)?);
        }
        let left = t.add(&parts)?;
        let zero = t.int(0);
        let formula = match relation {
            Relation::Zero => t.eq(left, zero)?,
            Relation::NotPositive => t.le(left, zero)?,
        };
        if holds { Ok(formula) } else { t.not(formula) }
    }

    /// Values of all numbers from outside that make a run of this path.
    pub(super) fn solution(&mut self) -> Option<Vec<i128>> {
        let answer = if self.conditions.is_empty() { None } else { self.ask(None).ok() };
        let model = match answer {
            None if self.conditions.is_empty() => None,
            Some(Answer::Sat(model)) => Some(model),
            _ => return None,
        };
        Some(self.values_of(model.as_deref(), self.inputs.iter().copied()))
    }
}

fn big(n: i128) -> Int {
    n.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Path {
        Path::new(Vec::new(), Limits::default())
    }

    #[test]
    fn bounds_of_one_symbol_need_no_solver() {
        let mut p = path();
        let x = p.fresh(-10, 10);
        // 2x - 7 <= 0, so x <= 3.
        let sum = x.times(2).and_then(|s| s.shifted(-7)).unwrap_or(Linear::number(0));
        assert!(matches!(p.decide(&sum, Relation::NotPositive), Ok(true)));
        assert_eq!(p.range(&x), Some((-10, 3)));
        assert_eq!((p.others.len(), p.queries), (1, 0));
        // -3x + 8 <= 0, so x >= 3.
        let sum = x.times(-3).and_then(|s| s.shifted(8)).unwrap_or(Linear::number(0));
        assert!(matches!(p.decide(&sum, Relation::NotPositive), Ok(true)));
        assert_eq!(p.range(&x), Some((3, 3)));
        assert_eq!(p.solution(), Some(vec![3]));
    }

    #[test]
    fn sums_are_asked_of_the_solver() {
        let mut p = path();
        let (x, y) = (p.fresh(0, 100), p.fresh(0, 100));
        let sum = x.plus(1, &y).and_then(|s| s.shifted(-5)).unwrap_or(Linear::number(0));
        assert!(matches!(p.decide(&sum, Relation::Zero), Ok(true)));
        // x + y = 5, so x - y = 0 is impossible.
        let difference = x.plus(-1, &y).unwrap_or(Linear::number(0));
        assert!(matches!(p.decide(&difference, Relation::Zero), Ok(false)));
        assert_eq!(p.others, vec![0], "the second one is certain");
        let values = p.solution().unwrap_or_default();
        assert_eq!(values[0] + values[1], 5);
        // The other way.
        let mut q = Path::new(vec![false], Limits::default());
        let (x, y) = (q.fresh(0, 100), q.fresh(0, 100));
        let sum = x.plus(1, &y).and_then(|s| s.shifted(-5)).unwrap_or(Linear::number(0));
        assert!(matches!(q.decide(&sum, Relation::Zero), Ok(false)));
        let values = q.solution().unwrap_or_default();
        assert_ne!(values[0] + values[1], 5);
    }
}
