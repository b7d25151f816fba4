//! Arithmetic of C on numbers that may be symbolic: exact, with fresh symbols for quotients and what wraps.

use super::machine::{Doing, Machine};
use super::path::Relation;
use super::value::{Linear, Value};
use crate::frontend::c::types::{BOOL, FloatKind, Ty};
use crate::program::{BinOp, Check, Cmp, IntKind};
use crate::util::span::Span;

impl Machine<'_> {
    /// Whether a value is not 0.
    pub(super) fn truth(&mut self, value: Value, span: Span) -> Doing<bool> {
        match value {
            Value::Int(number) => Ok(!self.decide(&number, Relation::Zero, span)?),
            Value::Pointer(..) | Value::Function(_) => Ok(true),
            Value::Float(x) => Ok(x != 0.0),
            Value::AnyFloat => {
                self.path.inexact = true;
                self.choose(span)
            }
            Value::Wild(null) => Ok(!self.decide(&null, Relation::Zero, span)?),
            _ => self.give_up(span, "this value decides a test"),
        }
    }

    /// The number of this kind that is congruent to the sum.
    pub(super) fn wrapped(&mut self, sum: &Linear, kind: IntKind, span: Span) -> Doing<Linear> {
        if let Some(n) = sum.known() {
            return Ok(Linear::number(kind.wrap(n)));
        }
        if let Some((low, high)) = self.path.range(sum)
            && kind.min() <= low
            && high <= kind.max()
        {
            return Ok(sum.clone());
        }
        // Most numbers fit: two paths are cheaper than a quotient.
        let below = self.linear(sum.times(-1).and_then(|s| s.shifted(kind.min())), span)?;
        let above = self.linear(sum.shifted(-kind.max()), span)?;
        if self.decide(&below, Relation::NotPositive, span)?
            && self.decide(&above, Relation::NotPositive, span)?
        {
            return Ok(sum.clone());
        }
        let modulus = 1i128 << kind.bits;
        let lifted = self.linear(sum.shifted(-kind.min()), span)?;
        let (_, rest) = self.divided(&lifted, modulus, span)?;
        self.linear(rest.shifted(kind.min()), span)
    }

    /// Quotient and rest by a positive number; the rest is not negative.
    pub(super) fn divided(&mut self, sum: &Linear, by: i128, span: Span) -> Doing<(Linear, Linear)> {
        if let Some(n) = sum.known() {
            return Ok((Linear::number(n.div_euclid(by)), Linear::number(n.rem_euclid(by))));
        }
        let Some((low, high)) = self.path.range(sum) else {
            return self.give_up(span, "a number is too large to be computed with");
        };
        let (least, most) = (low.div_euclid(by), high.div_euclid(by));
        if least == most {
            let rest = self.linear(sum.shifted(-least * by), span)?;
            return Ok((Linear::number(least), rest));
        }
        // What is divisible is divided at once: the rest is that of the rest.
        let (whole, left) = self.parted(sum, by);
        if whole != Linear::number(0) {
            let (quotient, rest) = self.divided(&left, by, span)?;
            let quotient = self.linear(whole.plus(1, &quotient), span)?;
            return Ok((quotient, rest));
        }
        if let Some((quotient, rest)) = self.path.quotients.get(&left, by) {
            return Ok((quotient, rest));
        }
        let quotient = self.path.auxiliary(least, most);
        let rest = self.path.auxiliary(0, by - 1);
        // sum = by * quotient + rest
        let difference = sum.plus(-by, &quotient).and_then(|s| s.plus(-1, &rest));
        let difference = self.linear(difference, span)?;
        self.path.define(&difference, Relation::Zero);
        self.path.quotients.note(&left, by, &quotient, &rest);
        Ok((quotient, rest))
    }

    /// A sum as `by * whole + left`, as far as its factors, and what its symbols are known to consist of, tell.
    fn parted(&self, sum: &Linear, by: i128) -> (Linear, Linear) {
        let part = |sum: &Linear| {
            let mut whole = Linear::number(sum.constant.div_euclid(by));
            let mut left = Linear::number(sum.constant.rem_euclid(by));
            for (symbol, factor) in &sum.terms {
                if factor / by != 0 {
                    whole.terms.push((*symbol, factor / by));
                }
                if factor % by != 0 {
                    left.terms.push((*symbol, factor % by));
                }
            }
            (whole, left)
        };
        let plain = part(sum);
        let fits = |left: &Linear| self.path.range(left).is_some_and(|(low, high)| low >= 0 && high < by);
        if fits(&plain.1) {
            return plain;
        }
        // A symbol that was divided before stands for quotient and rest.
        let Some(expanded) = self.path.quotients.expanded(sum) else { return plain };
        let parted = part(&expanded);
        if fits(&parted.1) { parted } else { plain }
    }

    /// `a op b` in integers of this kind.
    pub(super) fn binary(
        &mut self,
        op: BinOp,
        a: Value,
        b: Value,
        kind: IntKind,
        span: Span,
    ) -> Doing<Value> {
        let (x, y) = match (a, b) {
            (Value::Int(x), Value::Int(y)) => (x, y),
            // An address as a number.
            (pointer @ Value::Pointer(..), Value::Int(n)) if op == BinOp::Add => {
                return self.moved(pointer, &n, span);
            }
            (Value::Int(n), pointer @ Value::Pointer(..)) if op == BinOp::Add => {
                return self.moved(pointer, &n, span);
            }
            (pointer @ Value::Pointer(..), Value::Int(n)) if op == BinOp::Sub => {
                let back = self.linear(n.times(-1), span)?;
                return self.moved(pointer, &back, span);
            }
            (Value::Pointer(a, x), Value::Pointer(b, y)) if a == b && op == BinOp::Sub => {
                return Ok(Value::Int(self.linear(x.plus(-1, &y), span)?));
            }
            _ => return self.give_up(span, "arithmetic on this value"),
        };
        let result = match op {
            BinOp::Add => self.linear(x.plus(1, &y), span)?,
            BinOp::Sub => self.linear(x.plus(-1, &y), span)?,
            BinOp::Mul => match (x.known(), y.known()) {
                (Some(n), _) => self.linear(y.times(n), span)?,
                (_, Some(n)) => self.linear(x.times(n), span)?,
                _ if self.splits && self.path.spend_cases(&[&x, &y]) => {
                    let (n, m) = (self.concrete(&x, span)?, self.concrete(&y, span)?);
                    self.linear(n.checked_mul(m).map(Linear::number), span)?
                }
                _ if kind.signed && self.asks(Check::Overflow) => {
                    let bounds = self.path.range(&x).zip(self.path.range(&y));
                    let within = bounds.is_some_and(|((a, b), (c, d))| {
                        let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(p, q)| p.checked_mul(q));
                        corners.iter().all(|n| n.is_some_and(|n| kind.min() <= n && n <= kind.max()))
                    });
                    if !within {
                        return self.give_up(span, "whether this product is too large for its type");
                    }
                    return self.approximated(kind, span);
                }
                _ => return self.approximated(kind, span),
            },
            BinOp::Div | BinOp::Rem => return self.division(op, &x, &y, kind, span),
            BinOp::Shl | BinOp::Shr => return self.shift(op, &x, &y, kind, span),
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => return self.bits(op, &x, &y, kind, span),
        };
        self.in_kind(result, kind, sign(op), span).map(Value::Int)
    }

    /// The result of arithmetic: unsigned numbers wrap, signed ones stay, or the run overflows: that is a failure if it
    /// is asked about, and else outside of the claim.
    pub(super) fn in_kind(&mut self, result: Linear, kind: IntKind, sign: &str, span: Span) -> Doing<Linear> {
        if !kind.signed {
            return self.wrapped(&result, kind, span);
        }
        let below = self.linear(result.times(-1).and_then(|s| s.shifted(kind.min())), span)?;
        let above = self.linear(result.shifted(-kind.max()), span)?;
        let fits = self.decide(&below, Relation::NotPositive, span)?
            && self.decide(&above, Relation::NotPositive, span)?;
        if fits {
            return Ok(result);
        }
        if self.asks(Check::Overflow) {
            return self.fail(Check::Overflow, span, format!("signed overflow of `{sign}`"));
        }
        Err(super::machine::Halt::Cut)
    }

    /// Some number of the kind: more than there may be.
    fn approximated(&mut self, kind: IntKind, span: Span) -> Doing<Value> {
        let _ = span;
        self.path.inexact = true;
        Ok(Value::Int(self.path.fresh(kind.min(), kind.max())))
    }

    /// C's division truncates; the rest has the sign of the dividend.
    fn division(&mut self, op: BinOp, x: &Linear, y: &Linear, kind: IntKind, span: Span) -> Doing<Value> {
        if self.decide(y, Relation::Zero, span)? {
            return self.fail(Check::Memsafety, span, "division by zero");
        }
        if kind.signed && self.asks(Check::Overflow) {
            // The only quotient that is too large; the rest then has no value either.
            let minus_one = self.linear(y.shifted(1), span)?;
            let least = self.linear(x.shifted(-kind.min()), span)?;
            if self.decide(&minus_one, Relation::Zero, span)? && self.decide(&least, Relation::Zero, span)? {
                return self.fail(Check::Overflow, span, format!("signed overflow of `{}`", sign(op)));
            }
        }
        let Some(by) = y.known() else { return self.approximated(kind, span) };
        if let Some(n) = x.known() {
            let result = if op == BinOp::Div { n / by } else { n % by };
            return self.in_kind(Linear::number(result), kind, sign(op), span).map(Value::Int);
        }
        // x < 0
        let below = self.linear(x.shifted(1), span)?;
        let negative = self.decide(&below, Relation::NotPositive, span)?;
        let size = if negative { self.linear(x.times(-1), span)? } else { x.clone() };
        let (quotient, rest) = self.divided(&size, by.abs(), span)?;
        let result = match op {
            BinOp::Div if negative != (by < 0) => self.linear(quotient.times(-1), span)?,
            BinOp::Div => quotient,
            _ if negative => self.linear(rest.times(-1), span)?,
            _ => rest,
        };
        self.in_kind(result, kind, sign(op), span).map(Value::Int)
    }

    fn shift(&mut self, op: BinOp, x: &Linear, y: &Linear, kind: IntKind, span: Span) -> Doing<Value> {
        let below = self.linear(y.times(-1), span)?;
        let above = self.linear(y.shifted(1 - i128::from(kind.bits)), span)?;
        if !self.decide(&below, Relation::NotPositive, span)?
            || !self.decide(&above, Relation::NotPositive, span)?
        {
            let overflow = self.asks(Check::Overflow);
            let class = if overflow { Check::Overflow } else { Check::Asserts };
            return self.fail(class, span, "shift by more than the width");
        }
        let counts = op == BinOp::Shl && kind.signed && self.asks(Check::Overflow);
        let Some(by) = y.known() else {
            if counts {
                return self.give_up(span, "a left shift by an amount that is not known");
            }
            return self.approximated(kind, span);
        };
        let factor = 1i128 << by;
        if op == BinOp::Shr {
            let (quotient, _) = self.divided(x, factor, span)?;
            return Ok(Value::Int(quotient));
        }
        if counts {
            // 0 <= x <= max / factor
            let below = self.linear(x.times(-1), span)?;
            let above = self.linear(x.shifted(-(kind.max() >> by)), span)?;
            if !self.decide(&below, Relation::NotPositive, span)?
                || !self.decide(&above, Relation::NotPositive, span)?
            {
                return self.fail(Check::Overflow, span, "left shift beyond the type");
            }
        }
        let result = self.linear(x.times(factor), span)?;
        // As compilers have it, also for signed numbers.
        self.wrapped(&result, kind, span).map(Value::Int)
    }

    fn bits(&mut self, op: BinOp, x: &Linear, y: &Linear, kind: IntKind, span: Span) -> Doing<Value> {
        match (op, x.known(), y.known()) {
            (BinOp::BitAnd, Some(n), Some(m)) => Ok(Value::int(n & m)),
            (BinOp::BitOr, Some(n), Some(m)) => Ok(Value::int(n | m)),
            (BinOp::BitXor, Some(n), Some(m)) => Ok(Value::int(n ^ m)),
            (BinOp::BitOr | BinOp::BitXor, Some(0), _) => Ok(Value::Int(y.clone())),
            (BinOp::BitOr | BinOp::BitXor, _, Some(0)) => Ok(Value::Int(x.clone())),
            (BinOp::BitAnd, _, Some(0)) | (BinOp::BitAnd, Some(0), _) => Ok(Value::int(0)),
            // The lowest bits are a rest.
            (BinOp::BitAnd, _, Some(mask)) if mask > 0 && (mask & (mask + 1)) == 0 => {
                Ok(Value::Int(self.divided(x, mask + 1, span)?.1))
            }
            (BinOp::BitAnd, Some(mask), _) if mask > 0 && (mask & (mask + 1)) == 0 => {
                Ok(Value::Int(self.divided(y, mask + 1, span)?.1))
            }
            _ if self.are_apart(x, y) || self.are_apart(y, x) => match op {
                BinOp::BitAnd => Ok(Value::int(0)),
                _ => Ok(Value::Int(self.linear(x.plus(1, y), span)?)),
            },
            _ if self.splits && self.path.spend_cases(&[x, y]) => {
                let (n, m) = (self.concrete(x, span)?, self.concrete(y, span)?);
                self.bits(op, &Linear::number(n), &Linear::number(m), kind, span)
            }
            _ => self.approximated(kind, span),
        }
    }

    /// No bit is one in both: the first is smaller than all bits of the second.
    fn are_apart(&self, small: &Linear, large: &Linear) -> bool {
        let step = large.terms.iter().map(|t| t.1).chain([large.constant]).filter(|n| *n != 0);
        let Some(zeros) = step.map(i128::trailing_zeros).min() else { return false };
        let limit = 1i128.checked_shl(zeros.min(100)).unwrap_or(1);
        let range = (self.path.range(small), self.path.range(large));
        matches!(range, (Some((low, high)), Some((least, _))) if low >= 0 && high < limit && least >= 0)
    }

    /// Compares two values.
    pub(super) fn compare(&mut self, cmp: Cmp, a: Value, b: Value, span: Span) -> Doing<bool> {
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => self.compare_numbers(cmp, &x, &y, span),
            (Value::Float(x), Value::Float(y)) => Ok(cmp_floats(cmp, x, y)),
            (Value::Float(_) | Value::AnyFloat, Value::Float(_) | Value::AnyFloat) => {
                self.path.inexact = true;
                self.choose(span)
            }
            (Value::Pointer(a, x), Value::Pointer(b, y)) => {
                let (a, b) = self.settled_pair(a, b, span)?;
                match cmp {
                    _ if a == b => self.compare_numbers(cmp, &x, &y, span),
                    Cmp::Eq | Cmp::Ne => {
                        let same = self.same(Value::Pointer(a, x), Value::Pointer(b, y), span)?;
                        Ok(same == (cmp == Cmp::Eq))
                    }
                    _ => self.give_up(span, "an order between these pointers has no meaning"),
                }
            }
            (a, b) if matches!(cmp, Cmp::Eq | Cmp::Ne) => Ok(self.same(a, b, span)? == (cmp == Cmp::Eq)),
            _ => self.give_up(span, "an order between these pointers has no meaning"),
        }
    }

    fn compare_numbers(&mut self, cmp: Cmp, x: &Linear, y: &Linear, span: Span) -> Doing<bool> {
        let difference = self.linear(x.plus(-1, y), span)?;
        match cmp {
            Cmp::Eq => self.decide(&difference, Relation::Zero, span),
            Cmp::Ne => Ok(!self.decide(&difference, Relation::Zero, span)?),
            Cmp::Le => self.decide(&difference, Relation::NotPositive, span),
            Cmp::Gt => Ok(!self.decide(&difference, Relation::NotPositive, span)?),
            Cmp::Lt => {
                let less = self.linear(difference.shifted(1), span)?;
                self.decide(&less, Relation::NotPositive, span)
            }
            Cmp::Ge => {
                let opposite = self.linear(difference.times(-1), span)?;
                self.decide(&opposite, Relation::NotPositive, span)
            }
        }
    }

    /// Whether two addresses are the same.
    fn same(&mut self, a: Value, b: Value, span: Span) -> Doing<bool> {
        match (a, b) {
            (Value::Pointer(a, x), Value::Pointer(b, y)) => {
                // The end of one object may be the beginning of another.
                let end =
                    |m: &Self, id, at: &Linear| at.known() == Some(i128::from(m.memory.object(id).size));
                let open = |m: &Self, id, at: &Linear| at.known().is_none() || end(m, id, at);
                let start = |at: &Linear| at.known().is_none_or(|n| n == 0);
                if open(self, a, &x) && start(&y) || open(self, b, &y) && start(&x) {
                    return self.give_up(span, "whether these addresses are the same is open");
                }
                // Literals may share their bytes.
                if a != b && self.memory.object(a).constant && self.memory.object(b).constant {
                    return self.give_up(span, "whether two string literals are one object is open");
                }
                Ok(false)
            }
            (Value::Function(f), Value::Function(g)) => Ok(f == g),
            (Value::Pointer(..), Value::Function(_)) | (Value::Function(_), Value::Pointer(..)) => Ok(false),
            (Value::Int(n), Value::Pointer(..) | Value::Function(_))
            | (Value::Pointer(..) | Value::Function(_), Value::Int(n)) => {
                // Objects and functions are not at null; where they are, nobody knows.
                if self.decide(&n, Relation::Zero, span)? {
                    return Ok(false);
                }
                self.give_up(span, "whether an object has this address is open")
            }
            (Value::Wild(null), Value::Int(n)) | (Value::Int(n), Value::Wild(null))
                if n.known() == Some(0) =>
            {
                self.decide(&null, Relation::Zero, span)
            }
            (Value::Wild(a), Value::Wild(b)) if a == b => Ok(true),
            _ => self.give_up(span, "a comparison of these values is open"),
        }
    }

    /// Converts a value to a type.
    pub(super) fn converted(&mut self, value: Value, from: &Ty, to: &Ty, span: Span) -> Doing<Value> {
        match (value, to) {
            (_, Ty::Void) => Ok(Value::Unknown),
            (value, Ty::Int(kind)) if *kind == BOOL => {
                let holds = self.truth(value, span)?;
                Ok(Value::int(i128::from(holds)))
            }
            (Value::Int(number), Ty::Int(kind)) => self.wrapped(&number, *kind, span).map(Value::Int),
            (Value::Int(number), Ty::Float(kind)) => match number.known() {
                Some(n) => Ok(Value::float(n as f64, *kind)),
                None => {
                    self.path.inexact = true;
                    Ok(Value::AnyFloat)
                }
            },
            (Value::Float(x), Ty::Float(kind)) => Ok(Value::float(x, *kind)),
            (Value::AnyFloat, Ty::Float(_)) => Ok(Value::AnyFloat),
            (Value::Float(x), Ty::Int(kind)) => {
                let whole = x.trunc();
                let (least, most) = (IntKind::min(*kind) as f64, IntKind::max(*kind) as f64);
                if whole.is_finite() && whole >= least && whole <= most {
                    Ok(Value::int(kind.wrap(whole as i128)))
                } else {
                    self.give_up(span, "this number with a fraction has no value as an integer")
                }
            }
            (Value::AnyFloat, Ty::Int(kind)) => self.approximated(*kind, span),
            // Addresses fit into integers of the same size, and nothing else.
            (value @ (Value::Pointer(..) | Value::Function(_) | Value::Wild(_)), Ty::Int(kind)) => {
                let word = if self.types().lp64 { 64 } else { 32 };
                if kind.bits == word {
                    Ok(value)
                } else {
                    self.give_up(span, "a part of an address as a number")
                }
            }
            (Value::Int(number), Ty::Pointer(_) | Ty::Array(..)) => {
                let word = IntKind { bits: if self.types().lp64 { 64 } else { 32 }, signed: false };
                self.wrapped(&number, word, span).map(Value::Int)
            }
            (value, Ty::Pointer(target)) => {
                self.give_type(&value, target);
                let _ = from;
                Ok(value)
            }
            (value, _) => Ok(value),
        }
    }

    /// What `malloc` gave has the type of the first pointer to it; this is only shown.
    fn give_type(&mut self, value: &Value, target: &Ty) {
        if let Value::Pointer(id, offset) = value
            && offset.known() == Some(0)
            && !matches!(target, Ty::Void)
            && self.memory.object(*id).ty.is_none()
            && self
                .types()
                .layout(target)
                .is_some_and(|(size, _)| size <= self.memory.object(*id).size && size > 1)
        {
            self.memory.object_mut(*id).ty = Some(target.clone());
        }
    }

    /// `a op b` in numbers with a fraction.
    pub(super) fn binary_floats(
        &mut self,
        op: BinOp,
        a: Value,
        b: Value,
        kind: FloatKind,
        span: Span,
    ) -> Doing<Value> {
        match (a, b) {
            (Value::Float(x), Value::Float(y)) => {
                let result = match op {
                    BinOp::Add => x + y,
                    BinOp::Sub => x - y,
                    BinOp::Mul => x * y,
                    BinOp::Div => x / y,
                    _ => return self.give_up(span, "this operator on numbers with a fraction"),
                };
                Ok(Value::float(result, kind))
            }
            _ => {
                self.path.inexact = true;
                Ok(Value::AnyFloat)
            }
        }
    }
}

fn cmp_floats(cmp: Cmp, x: f64, y: f64) -> bool {
    match cmp {
        Cmp::Eq => x == y,
        Cmp::Ne => x != y,
        Cmp::Lt => x < y,
        Cmp::Le => x <= y,
        Cmp::Gt => x > y,
        Cmp::Ge => x >= y,
    }
}

/// How an operator is written.
fn sign(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
    }
}
