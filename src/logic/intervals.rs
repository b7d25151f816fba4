//! The truth of a quantifier over the integers in a finite model.
//!
//! In a model every function has finitely many entries and one value elsewhere, so along one integer variable
//! a term is piecewise a number, an element or a line `a i + b`. The integers are cut into intervals on which
//! the body is one truth value: wherever a comparison changes its mind, an equation holds or an entry of a table
//! is met, the interval is cut there and its parts are looked at again. There are finitely many such places, and
//! how far apart they lie does not matter.
//!
//! One integer variable at a time: a quantifier with two, or with another integer quantifier below that mentions
//! its variable, stays an error.

use crate::logic::eval::{Env, EvalError, Evaluator, Plan};
use crate::logic::model::Value;
use crate::logic::symbol::FuncId;
use crate::logic::term::{Op, TermId, VarId};
use crate::util::hash::Map;
use crate::util::num::Int;

/// What a term is on an interval.
#[derive(Clone, Debug)]
enum Piece {
    Same(Value),
    /// `slope * i + at_zero`, with a slope that is not 0.
    Line(Int, Int),
}

/// Integers from and to, both included; open ends are `None`.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    from: Option<Int>,
    to: Option<Int>,
}

/// Where an interval has to be cut: it goes on with the second number.
type Cut = Int;

enum Known {
    Piece(Piece),
    Cut(Cut),
}

impl Interval {
    fn all() -> Interval {
        Interval { from: None, to: None }
    }

    fn contains(&self, i: &Int) -> bool {
        self.from.as_ref().is_none_or(|from| from <= i) && self.to.as_ref().is_none_or(|to| i <= to)
    }

    fn point(&self) -> Option<&Int> {
        self.from.as_ref().filter(|_| self.from == self.to)
    }

    /// The parts before a number and from it on. The number lies inside and is not the first.
    fn cut(&self, at: &Int) -> [Interval; 2] {
        debug_assert!(self.contains(at) && self.from.as_ref() != Some(at), "a cut makes two parts");
        let before = at - &Int::from(1);
        [
            Interval { from: self.from.clone(), to: Some(before) },
            Interval { from: Some(at.clone()), to: self.to.clone() },
        ]
    }

    /// A member, an end if there is one.
    fn member(&self) -> Int {
        self.from.clone().or_else(|| self.to.clone()).unwrap_or_default()
    }

    /// A cut that isolates a number from others in the interval, if it is there and not alone.
    fn isolate(&self, i: &Int) -> Option<Cut> {
        if !self.contains(i) || self.point().is_some() {
            return None;
        }
        Some(if self.from.as_ref() == Some(i) { i + &Int::from(1) } else { i.clone() })
    }
}

impl Evaluator<'_> {
    /// An integer at which the body is false, if there is one. The other free variables are bound.
    pub(crate) fn integer_against(
        &mut self,
        body: TermId,
        variable: VarId,
        env: &mut Env,
    ) -> Result<Option<Int>, EvalError> {
        let plan = self.plan(body)?;
        if self.terms.is_closed(body) {
            return Ok((!self.known(body).is_true()).then(Int::default));
        }
        let shadowed = env.remove(&variable);
        let found = self.search_intervals(&plan, variable, env);
        match shadowed {
            Some(value) => env.insert(variable, value),
            None => env.remove(&variable),
        };
        found
    }

    fn search_intervals(
        &mut self,
        plan: &Plan,
        variable: VarId,
        env: &mut Env,
    ) -> Result<Option<Int>, EvalError> {
        let mut open = vec![Interval::all()];
        while let Some(interval) = open.pop() {
            let truth = match interval.point() {
                Some(point) => {
                    env.insert(variable, Value::Int(point.clone()));
                    let value = self.run(plan, env, &mut Vec::new());
                    env.remove(&variable);
                    value?
                }
                None => match self.on_interval(plan, variable, &interval, env)? {
                    Known::Cut(at) => {
                        open.extend(interval.cut(&at));
                        continue;
                    }
                    Known::Piece(Piece::Same(value)) => value,
                    Known::Piece(Piece::Line(..)) => unreachable!("a formula is not an integer"),
                },
            };
            if !truth.is_true() {
                return Ok(Some(interval.member()));
            }
        }
        Ok(None)
    }

    /// The value of a plan's root on an interval of more than one number.
    fn on_interval(
        &mut self,
        plan: &Plan,
        variable: VarId,
        interval: &Interval,
        env: &mut Env,
    ) -> Result<Known, EvalError> {
        self.spend(plan.len() as u64)?;
        let mut pieces: Map<TermId, Piece> = Map::default();
        for &term in plan.iter() {
            let known = match self.terms.op(term) {
                Op::Var(var) if var == variable => Known::Piece(Piece::Line(Int::from(1), Int::from(0))),
                Op::Var(var) => same(env.get(&var).cloned().ok_or(EvalError::Unbound(var))?),
                Op::Forall(_) if self.terms.free_variables(term).contains(&variable) => {
                    self.forall_on_interval(term, variable, interval, env)?
                }
                Op::Forall(_) => same(self.eval_forall(term, env)?),
                _ => {
                    let args: Vec<Piece> =
                        self.terms.children(term).iter().map(|child| self.piece(&pieces, *child)).collect();
                    self.apply_on_interval(term, &args, interval)
                }
            };
            match known {
                Known::Piece(piece) => pieces.insert(term, piece),
                Known::Cut(at) => return Ok(Known::Cut(at)),
            };
        }
        let root = plan.last().expect("a plan ends with its root");
        Ok(Known::Piece(pieces.remove(root).expect("just computed")))
    }

    fn piece(&self, pieces: &Map<TermId, Piece>, term: TermId) -> Piece {
        pieces.get(&term).cloned().unwrap_or_else(|| Piece::Same(self.known(term)))
    }

    /// A quantifier over finite universes below the one over the integers.
    fn forall_on_interval(
        &mut self,
        term: TermId,
        variable: VarId,
        interval: &Interval,
        env: &mut Env,
    ) -> Result<Known, EvalError> {
        let Op::Forall(id) = self.terms.op(term) else { unreachable!("quantifiers only") };
        let variables = self.terms.quantifier(id).variables.clone();
        if variables.iter().any(|&v| !self.terms.variable_info(v).1.is_uninterpreted()) {
            return Err(EvalError::IntQuantifier(term));
        }
        let plan = self.plan(self.terms.children(term)[0])?;
        let mut outcome = same(Value::Bool(true));
        self.for_all_tuples(&variables, env, &mut |evaluator, env| match evaluator
            .on_interval(&plan, variable, interval, env)?
        {
            Known::Piece(Piece::Same(value)) if value.is_true() => Ok(true),
            other => {
                outcome = other;
                Ok(false)
            }
        })?;
        Ok(outcome)
    }

    fn apply_on_interval(&self, term: TermId, args: &[Piece], interval: &Interval) -> Known {
        let values: Option<Vec<Value>> = args.iter().map(Piece::value).collect();
        if let Some(values) = values {
            return same(self.apply(term, &values));
        }
        match self.terms.op(term) {
            Op::Lin(id) => {
                let form = self.terms.form(id);
                let (mut slope, mut at_zero) = (Int::from(0), form.constant.clone());
                for ((_, factor), piece) in form.terms.iter().zip(args) {
                    let (a, b) = piece.line();
                    slope = &slope + &(factor * &a);
                    at_zero = &at_zero + &(factor * &b);
                }
                Known::Piece(Piece::new(slope, at_zero))
            }
            Op::Le(id) => {
                let (slope, at_zero) = args[0].line();
                below(&slope, &(self.terms.number(id) - &at_zero), interval)
            }
            Op::Eq => equal(&args[0], &args[1], interval),
            Op::Distinct => {
                for (i, left) in args.iter().enumerate() {
                    for right in &args[i + 1..] {
                        match equal(left, right, interval) {
                            Known::Piece(Piece::Same(Value::Bool(false))) => {}
                            Known::Cut(at) => return Known::Cut(at),
                            Known::Piece(_) => return same(Value::Bool(false)),
                        }
                    }
                }
                same(Value::Bool(true))
            }
            Op::Ite => {
                let condition = args[0].value().expect("a formula is not an integer");
                Known::Piece(args[if condition.is_true() { 1 } else { 2 }].clone())
            }
            Op::App(func) => self.entry_on_interval(func, args, interval),
            op => unreachable!("{op:?} has no integers as arguments"),
        }
    }

    /// A function some of whose arguments are lines: its default, unless an entry is met.
    fn entry_on_interval(&self, func: FuncId, args: &[Piece], interval: &Interval) -> Known {
        let Some(table) = self.model.table(func) else {
            return same(self.model.get(self.terms, func, &[]));
        };
        match table.entries.keys().filter_map(|entry| meets(entry, args, interval)).min() {
            Some(at) => Known::Cut(at),
            None => same(table.default.clone()),
        }
    }
}

/// A cut that isolates the number at which the arguments are those of the entry, if there is one here.
fn meets(entry: &[Value], args: &[Piece], interval: &Interval) -> Option<Cut> {
    let mut met: Option<Int> = None;
    for (value, piece) in entry.iter().zip(args) {
        match (piece, value) {
            (Piece::Same(same), _) if same == value => {}
            (Piece::Line(slope, at_zero), Value::Int(value)) => {
                let root = root(slope, &(value - at_zero))?;
                if met.as_ref().is_some_and(|met| *met != root) {
                    return None;
                }
                met = Some(root);
            }
            _ => return None,
        }
    }
    interval.isolate(&met?)
}

impl Piece {
    fn new(slope: Int, at_zero: Int) -> Piece {
        if slope.is_zero() { Piece::Same(Value::Int(at_zero)) } else { Piece::Line(slope, at_zero) }
    }

    fn value(&self) -> Option<Value> {
        match self {
            Piece::Same(value) => Some(value.clone()),
            Piece::Line(..) => None,
        }
    }

    fn line(&self) -> (Int, Int) {
        match self {
            Piece::Line(slope, at_zero) => (slope.clone(), at_zero.clone()),
            Piece::Same(Value::Int(number)) => (Int::from(0), number.clone()),
            Piece::Same(other) => unreachable!("{other:?} is no summand"),
        }
    }
}

fn same(value: Value) -> Known {
    Known::Piece(Piece::Same(value))
}

/// The integer i with `slope * i = rest`.
fn root(slope: &Int, rest: &Int) -> Option<Int> {
    slope.divides(rest).then(|| rest.div_floor(slope))
}

/// Whether `slope * i <= bound` on the interval.
fn below(slope: &Int, bound: &Int, interval: &Interval) -> Known {
    // The first number at which the truth is another one than before.
    let (turn, after) = match slope.is_positive() {
        true => (&bound.div_floor(slope) + &Int::from(1), false),
        false => ((-bound).div_ceil(&-slope), true),
    };
    if interval.from.as_ref().is_some_and(|from| turn <= *from) {
        return same(Value::Bool(after));
    }
    match interval.contains(&turn) {
        true => Known::Cut(turn),
        false => same(Value::Bool(!after)),
    }
}

fn equal(left: &Piece, right: &Piece, interval: &Interval) -> Known {
    if let (Piece::Same(left), Piece::Same(right)) = (left, right) {
        return same(Value::Bool(left == right));
    }
    let ((a, b), (c, d)) = (left.line(), right.line());
    let slope = &a - &c;
    if slope.is_zero() {
        return same(Value::Bool(b == d));
    }
    match root(&slope, &(&d - &b)).and_then(|root| interval.isolate(&root)) {
        Some(at) => Known::Cut(at),
        None => same(Value::Bool(false)),
    }
}

#[cfg(test)]
#[path = "intervals_tests.rs"]
mod tests;
