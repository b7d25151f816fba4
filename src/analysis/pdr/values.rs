//! Values and conditions of code in the heap context: integers are points of one order (see `signature`).

use super::symbolic::{Exec, Sym, Value};
use crate::engine::heap::{Atom, Const, Order, Pred, constant};
use crate::program::{At, BinOp, Cmp, Cond, Expr, VarId};
use crate::sat::Lit;

impl Exec<'_> {
    /// The constant whose datum is the value.
    pub(super) fn point(&mut self, value: Value) -> Const {
        match value {
            Value::Point(point) => point,
            Value::Number(n) => self.number(n),
            Value::Flag(lit) => {
                let point = self.ctx.integer("flag");
                let zero = self.is_zero(point);
                self.ctx.add_clause(&[zero, lit]);
                self.ctx.add_clause(&[!zero, !lit]);
                point
            }
        }
    }

    /// The constant of a number, in its place among the others.
    pub(super) fn number(&mut self, n: i128) -> Const {
        if let Some(&known) = self.numbers.get(&n) {
            return known;
        }
        let point = self.ctx.integer(&n.to_string());
        let below = self.numbers.range(..n).next_back().map(|entry| *entry.1);
        let above = self.numbers.range(n..).next().map(|entry| *entry.1);
        for (small, large) in below.map(|b| (b, point)).into_iter().chain(above.map(|a| (point, a))) {
            let wrong = self.at_most(large, small);
            self.ctx.add_clause(&[!wrong]);
        }
        self.numbers.insert(n, point);
        point
    }

    pub(super) fn at_most(&mut self, a: Const, b: Const) -> Lit {
        self.ctx.atom_literal(Atom::AtMost(Order::BASE, a, Order::BASE, b), true)
    }

    fn is_zero(&mut self, point: Const) -> Lit {
        if let Some(&known) = self.zero_tests.get(&point) {
            return known;
        }
        let zero = self.number(0);
        let (below, above) = (self.at_most(point, zero), self.at_most(zero, point));
        let lit = self.ctx.and(below, above);
        self.zero_tests.insert(point, lit);
        lit
    }

    /// Compares two integers.
    pub(super) fn compare(&mut self, cmp: Cmp, a: Value, b: Value) -> Lit {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => return constant(cmp.holds(&a, &b)),
            (Value::Flag(lit), Value::Number(0)) | (Value::Number(0), Value::Flag(lit)) => match cmp {
                Cmp::Eq => return !lit,
                Cmp::Ne => return lit,
                _ => {}
            },
            _ => {}
        }
        let (a, b) = (self.point(a), self.point(b));
        match cmp {
            Cmp::Le => self.at_most(a, b),
            Cmp::Ge => self.at_most(b, a),
            Cmp::Lt => !self.at_most(b, a),
            Cmp::Gt => !self.at_most(a, b),
            Cmp::Eq | Cmp::Ne => {
                let (below, above) = (self.at_most(a, b), self.at_most(b, a));
                let same = self.ctx.and(below, above);
                if cmp == Cmp::Eq { same } else { !same }
            }
        }
    }

    /// `a op b`.
    pub(super) fn binary(&mut self, sym: &Sym, op: BinOp, a: Value, b: Value) -> Value {
        let step = match (op, a, b) {
            (BinOp::Add, Value::Number(x), Value::Number(y)) => return Value::Number(x.saturating_add(y)),
            (BinOp::Sub, Value::Number(x), Value::Number(y)) => return Value::Number(x.saturating_sub(y)),
            (BinOp::Mul, Value::Number(x), Value::Number(y)) => return Value::Number(x.saturating_mul(y)),
            (BinOp::Add, x, Value::Number(n)) | (BinOp::Add, Value::Number(n), x) => Some((x, n)),
            (BinOp::Sub, x, Value::Number(n)) => Some((x, n.saturating_neg())),
            _ => None,
        };
        let result = self.ctx.integer("result");
        if let Some((x, n)) = step {
            let x = self.point(x);
            if n == 0 {
                return Value::Point(x);
            }
            // The datum of a cell is one of an access that failed if the cell is null. Null is above all data,
            // so that nothing may be said of its successor.
            let failed = self.ctx.atom_literal(Atom::Equal(x, Const::NULL), true);
            let wrong = if n > 0 { self.at_most(result, x) } else { self.at_most(x, result) };
            self.ctx.add_clause(&[failed, !wrong]);
            self.shift(x, result, n, failed);
            if n == 1 || n == -1 {
                self.pass_none(sym, x, result, n, failed);
            }
        }
        Value::Point(result)
    }

    /// What `result = x + n` says about the program's numbers: a number and the one n above it are passed
    /// together.
    fn shift(&mut self, x: Const, result: Const, n: i128, failed: Lit) {
        let numbers = self.layout.occurs.numbers.clone();
        for &k in &numbers {
            let Some(shifted) = k.checked_add(n).filter(|shifted| numbers.contains(shifted)) else { continue };
            let (point, shifted) = (self.number(k), self.number(shifted));
            let before = (self.at_most(x, point), self.at_most(point, x));
            let (below, above) = (self.at_most(result, shifted), self.at_most(shifted, result));
            for (a, b) in [(before.0, below), (before.1, above)] {
                self.ctx.add_clause(&[failed, !a, b]);
                self.ctx.add_clause(&[failed, a, !b]);
            }
        }
    }

    /// A step of one, up or down, passes no other integer: none of the program's numbers and of the values that
    /// variables have.
    fn pass_none(&mut self, sym: &Sym, x: Const, result: Const, n: i128, failed: Lit) {
        let numbers = self.layout.occurs.numbers.clone();
        let mut points: Vec<Const> = numbers.into_iter().map(|k| self.number(k)).collect();
        points.extend(sym.ints.iter().flatten().filter_map(|value| match value {
            Value::Point(point) => Some(*point),
            Value::Number(_) | Value::Flag(_) => None,
        }));
        points.sort_unstable();
        points.dedup();
        for point in points.into_iter().filter(|point| *point != x) {
            let (reached, passed) = match n {
                1 => (self.at_most(point, x), self.at_most(result, point)),
                _ => (self.at_most(x, point), self.at_most(point, result)),
            };
            self.ctx.add_clause(&[failed, reached, passed]);
        }
    }

    pub(super) fn value(&mut self, sym: &Sym, expr: &Expr) -> Value {
        match expr {
            Expr::Int(n) => Value::Number(*n),
            Expr::Var(v) => match self.integer(sym, *v, At::Now) {
                Some(value) => value,
                None => self.unknown_integer(),
            },
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(sym, a), self.value(sym, b));
                self.binary(sym, *op, a, b)
            }
            Expr::Neg(e) => match self.value(sym, e) {
                Value::Number(n) => Value::Number(n.saturating_neg()),
                _ => self.unknown_integer(),
            },
            Expr::Wrap(kind, e) => match self.value(sym, e) {
                Value::Number(n) if (*kind).min() <= n && n <= (*kind).max() => Value::Number(n),
                _ => self.unknown_integer(),
            },
            Expr::BitNot(_) | Expr::Null(_) => self.unknown_integer(),
        }
    }

    pub(super) fn unknown_integer(&mut self) -> Value {
        Value::Point(self.ctx.integer("unknown"))
    }

    /// The value of an integer variable at a moment.
    pub(super) fn integer(&self, sym: &Sym, var: VarId, at: At) -> Option<Value> {
        let slot = self.layout.slot(var, at)?;
        sym.ints[usize::from(slot.0.checked_sub(self.layout.integers)?)]
    }

    pub(super) fn set_integer(&mut self, sym: &mut Sym, var: VarId, value: Value) {
        if let Some(slot) = self.layout.slot(var, At::Now) {
            sym.ints[usize::from(slot.0 - self.layout.integers)] = Some(value);
        }
    }

    /// A condition of the code.
    pub(super) fn cond(&mut self, sym: &mut Sym, cond: &Cond) -> Lit {
        match cond {
            Cond::Const(value) => constant(*value),
            Cond::Not(p) => !self.cond(sym, p),
            Cond::And(parts) => {
                let lits: Vec<Lit> = parts.iter().map(|p| self.cond(sym, p)).collect();
                lits.into_iter().fold(constant(true), |all, lit| self.ctx.and(all, lit))
            }
            Cond::Or(parts) => {
                let lits: Vec<Lit> = parts.iter().map(|p| self.cond(sym, p)).collect();
                lits.into_iter().fold(constant(false), |any, lit| self.ctx.or(any, lit))
            }
            Cond::Compare(cmp, a, b) => {
                let pointer = |e: &Expr| match e {
                    Expr::Null(_) => true,
                    Expr::Var(v) => self.is_pointer(*v),
                    _ => false,
                };
                if pointer(a) || pointer(b) {
                    let (Some(x), Some(y)) = (self.source(sym, a), self.source(sym, b)) else {
                        return constant(false);
                    };
                    let same = self.ctx.literal(&sym.heap, Pred::Equal(x, y), true);
                    return if *cmp == Cmp::Eq { same } else { !same };
                }
                let (a, b) = (self.value(sym, a), self.value(sym, b));
                self.compare(*cmp, a, b)
            }
        }
    }

    /// The program's numbers that have a place in the order.
    pub(super) fn numbers_known(&self) -> Vec<(i128, Const)> {
        self.numbers.iter().map(|(n, c)| (*n, *c)).collect()
    }
}
