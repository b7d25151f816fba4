//! Expressions and conditions of commands as terms.
//!
//! Linear arithmetic, division, remainder and shifts by constants, complement and wrapping are exact. Products
//! of two unknowns and bit operations are over-approximated: the same operation on the same terms is the same
//! unknown integer, of which only its simplest bounds are known. Every run of the program is a run of the
//! approximation, so what is proved holds; what is refuted has to be replayed.

use super::{Built, Encoder, Inexpressible, Moment};
use crate::logic::{SortId, TermId, Terms};
use crate::program::decl::IntKind;
use crate::program::expr::{BinOp, Cmp, Cond, Expr};
use crate::util::num::Int;

/// Integers that stand for an operation on terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unknown {
    /// An operation that is not linear.
    Binary(BinOp, TermId, TermId),
    /// Truncated quotient by a positive constant.
    Quotient(TermId, i128),
    /// Multiple of 2^bits that wrapping takes away.
    Wraps(IntKind, TermId),
}

/// The largest product of constants that is computed: far inside what two factors of 64 bits need.
const MAX_FACTOR: i128 = 1 << 100;

impl Encoder<'_> {
    /// The value of an expression.
    ///
    /// # Errors
    /// If the expression is ill typed.
    pub fn expr(&mut self, moment: &Moment, expr: &Expr) -> Built {
        match expr {
            Expr::Var(v) => Ok(moment.vars[v.index()]),
            Expr::Null(s) => Ok(self.null(*s)),
            Expr::Int(n) => Ok(self.terms.int(*n)),
            Expr::Neg(e) => {
                let e = self.expr(moment, e)?;
                Ok(self.terms.neg(e)?)
            }
            Expr::BitNot(e) => {
                let e = self.expr(moment, e)?;
                let (negated, one) = (self.terms.neg(e)?, self.terms.int(1));
                Ok(self.terms.sub(negated, one)?)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(moment, a)?, self.expr(moment, b)?);
                self.binary(*op, a, b)
            }
            Expr::Wrap(kind, e) => {
                let e = self.expr(moment, e)?;
                self.wrap(*kind, e)
            }
        }
    }

    /// The truth of a condition.
    ///
    /// # Errors
    /// If the condition is ill typed.
    pub fn cond(&mut self, moment: &Moment, cond: &Cond) -> Built {
        match cond {
            Cond::Const(value) => Ok(self.terms.bool(*value)),
            Cond::Compare(cmp, a, b) => {
                let (a, b) = (self.expr(moment, a)?, self.expr(moment, b)?);
                self.compare(*cmp, a, b)
            }
            Cond::Not(inner) => {
                let inner = self.cond(moment, inner)?;
                Ok(self.terms.not(inner)?)
            }
            Cond::And(parts) => {
                let parts = parts.iter().map(|p| self.cond(moment, p)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.terms.and(&parts)?)
            }
            Cond::Or(parts) => {
                let parts = parts.iter().map(|p| self.cond(moment, p)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.terms.or(&parts)?)
            }
        }
    }

    /// `a cmp b`
    ///
    /// # Errors
    /// If the sorts do not agree.
    pub fn compare(&mut self, cmp: Cmp, a: TermId, b: TermId) -> Built {
        Ok(match cmp {
            Cmp::Eq => self.terms.eq(a, b)?,
            Cmp::Ne => {
                let equal = self.terms.eq(a, b)?;
                self.terms.not(equal)?
            }
            Cmp::Lt => self.terms.lt(a, b)?,
            Cmp::Le => self.terms.le(a, b)?,
            Cmp::Gt => self.terms.gt(a, b)?,
            Cmp::Ge => self.terms.ge(a, b)?,
        })
    }

    fn constant(&self, term: TermId) -> Option<i128> {
        let form = self.terms.linear_form(term);
        if !form.is_number() {
            return None;
        }
        form.constant.to_string().parse().ok()
    }

    /// `a op b`
    ///
    /// # Errors
    /// If an operand is no integer, or stands under a quantifier where the operation is not linear.
    pub fn binary(&mut self, op: BinOp, a: TermId, b: TermId) -> Built {
        let (left, right) = (self.constant(a), self.constant(b));
        if let (Some(x), Some(y)) = (left, right)
            && let Some(value) = fold(op, x, y)
        {
            return Ok(self.terms.int(value));
        }
        match op {
            BinOp::Add => return Ok(self.terms.add(&[a, b])?),
            BinOp::Sub => return Ok(self.terms.sub(a, b)?),
            BinOp::Mul if left.is_some() || right.is_some() => return Ok(self.terms.mul(a, b)?),
            BinOp::Shl if right.is_some_and(|n| (0..64).contains(&n)) => {
                let factor = self.terms.int(1i128 << right.unwrap_or(0));
                return Ok(self.terms.mul(a, factor)?);
            }
            BinOp::Shr if right.is_some_and(|n| (0..64).contains(&n)) => {
                return self.floor_quotient(a, 1i128 << right.unwrap_or(0));
            }
            BinOp::Shl | BinOp::Shr if right.is_some() => return Ok(self.terms.int(0)),
            BinOp::Div | BinOp::Rem if right == Some(0) => return Ok(self.terms.int(0)),
            BinOp::Div => {
                if let Some(divisor) = right.filter(|d| d.abs() < MAX_FACTOR) {
                    let quotient = self.quotient(a, divisor.abs())?;
                    return Ok(if divisor < 0 { self.terms.neg(quotient)? } else { quotient });
                }
            }
            BinOp::Rem => {
                if let Some(divisor) = right.filter(|d| d.abs() < MAX_FACTOR) {
                    let quotient = self.quotient(a, divisor.abs())?;
                    let divisor = self.terms.int(divisor.abs());
                    let whole = self.terms.mul(quotient, divisor)?;
                    return Ok(self.terms.sub(a, whole)?);
                }
            }
            BinOp::Mul | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Shl | BinOp::Shr => {}
        }
        let commutes = matches!(op, BinOp::Mul | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor);
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        let (value, new) = self.stand_in(Unknown::Binary(op, a, b), &[a, b])?;
        if new {
            self.bounds_of(op, a, b, value)?;
        }
        Ok(value)
    }

    /// The integer that stands for an operation, and whether it is new.
    fn stand_in(&mut self, key: Unknown, operands: &[TermId]) -> Result<(TermId, bool), Inexpressible> {
        if let Some(&known) = self.unknowns.get(&key) {
            return Ok((known, false));
        }
        if operands.iter().any(|&t| !self.terms.is_closed(t)) {
            return Err(Inexpressible("nonlinear arithmetic on a quantified variable".to_owned()));
        }
        let value = self.unknown("value", SortId::INT)?;
        self.unknowns.insert(key, value);
        Ok((value, true))
    }

    fn fact(&mut self, premises: &[TermId], conclusion: TermId) -> Result<(), Inexpressible> {
        let premise = self.terms.and(premises)?;
        let fact = self.terms.implies(premise, conclusion)?;
        if fact != Terms::TRUE {
            self.facts.push(fact);
        }
        Ok(())
    }

    /// What is told about an operation that is not linear.
    fn bounds_of(&mut self, op: BinOp, a: TermId, b: TermId, value: TermId) -> Result<(), Inexpressible> {
        let zero = self.terms.int(0);
        let (a_low, b_low, low) =
            (self.terms.le(zero, a)?, self.terms.le(zero, b)?, self.terms.le(zero, value)?);
        match op {
            BinOp::BitAnd => {
                for (operand, not_negative) in [(a, a_low), (b, b_low)] {
                    let small = self.terms.le(value, operand)?;
                    self.fact(&[not_negative], low)?;
                    self.fact(&[not_negative], small)?;
                }
            }
            BinOp::BitOr => {
                let (above_a, above_b) = (self.terms.le(a, value)?, self.terms.le(b, value)?);
                self.fact(&[a_low, b_low], above_a)?;
                self.fact(&[a_low, b_low], above_b)?;
            }
            BinOp::BitXor => self.fact(&[a_low, b_low], low)?,
            BinOp::Mul => {
                self.fact(&[a_low, b_low], low)?;
                let (a_zero, b_zero) = (self.terms.eq(a, zero)?, self.terms.eq(b, zero)?);
                let nothing = self.terms.eq(value, zero)?;
                self.fact(&[a_zero], nothing)?;
                self.fact(&[b_zero], nothing)?;
            }
            BinOp::Rem => {
                // The sign of the dividend, and smaller than the divisor.
                self.fact(&[a_low], low)?;
                let below = self.terms.lt(value, b)?;
                let positive = self.terms.lt(zero, b)?;
                self.fact(&[positive], below)?;
            }
            BinOp::Div => {
                self.fact(&[a_low, b_low], low)?;
                let small = self.terms.le(value, a)?;
                self.fact(&[a_low, b_low], small)?;
            }
            BinOp::Add | BinOp::Sub | BinOp::Shl | BinOp::Shr => {}
        }
        Ok(())
    }

    /// `a / d` towards zero, for d > 0: exact.
    fn quotient(&mut self, a: TermId, d: i128) -> Built {
        let (q, new) = self.stand_in(Unknown::Quotient(a, d), &[a])?;
        if new {
            let (zero, divisor) = (self.terms.int(0), self.terms.int(d));
            let whole = self.terms.mul(q, divisor)?;
            let rest = self.terms.sub(a, whole)?;
            let not_negative = self.terms.le(zero, a)?;
            let negative = self.terms.not(not_negative)?;
            let minus = self.terms.int(-d);
            let (low, high) = (self.terms.le(zero, rest)?, self.terms.lt(rest, divisor)?);
            let (top, bottom) = (self.terms.le(rest, zero)?, self.terms.lt(minus, rest)?);
            self.fact(&[not_negative], low)?;
            self.fact(&[not_negative], high)?;
            self.fact(&[negative], top)?;
            self.fact(&[negative], bottom)?;
        }
        Ok(q)
    }

    /// `a / d` rounded down, for a power of two: an arithmetic shift.
    fn floor_quotient(&mut self, a: TermId, d: i128) -> Built {
        let kind = IntKind { bits: u8::try_from(d.trailing_zeros()).unwrap_or(0), signed: false };
        if kind.bits == 0 {
            return Ok(a);
        }
        let (q, new) = self.stand_in(Unknown::Wraps(kind, a), &[a])?;
        if new {
            self.define_wraps(kind, a, q)?;
        }
        Ok(q)
    }

    /// The value of the kind congruent to `a` modulo 2^bits: exact.
    fn wrap(&mut self, kind: IntKind, a: TermId) -> Built {
        if self.constant(a).is_some_and(|n| (kind.min()..=kind.max()).contains(&n)) {
            return Ok(a);
        }
        let (wraps, new) = self.stand_in(Unknown::Wraps(kind, a), &[a])?;
        if new {
            self.define_wraps(kind, a, wraps)?;
        }
        self.without_wraps(kind, a, wraps)
    }

    fn without_wraps(&mut self, kind: IntKind, a: TermId, wraps: TermId) -> Built {
        let modulus = self.terms.int(1i128 << kind.bits.clamp(1, 64));
        let multiple = self.terms.mul(wraps, modulus)?;
        Ok(self.terms.sub(a, multiple)?)
    }

    fn define_wraps(&mut self, kind: IntKind, a: TermId, wraps: TermId) -> Result<(), Inexpressible> {
        let value = self.without_wraps(kind, a, wraps)?;
        let fact = self.in_range(kind, value)?;
        self.facts.push(fact);
        Ok(())
    }

    /// The value is one of the kind.
    ///
    /// # Errors
    /// If the term is no integer.
    pub fn in_range(&mut self, kind: IntKind, value: TermId) -> Built {
        let (min, max) = (self.terms.int(Int::from(kind.min())), self.terms.int(Int::from(kind.max())));
        let (low, high) = (self.terms.le(min, value)?, self.terms.le(value, max)?);
        Ok(self.terms.and(&[low, high])?)
    }
}

/// The value on constants, if it is small enough to be sure of it.
fn fold(op: BinOp, a: i128, b: i128) -> Option<i128> {
    if a.abs() >= MAX_FACTOR || b.abs() >= MAX_FACTOR {
        return None;
    }
    match op {
        BinOp::Add | BinOp::Sub => None,
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => Some(a.checked_div(b).unwrap_or(0)),
        BinOp::Rem => Some(a.checked_rem(b).unwrap_or(0)),
        BinOp::BitAnd => Some(a & b),
        BinOp::BitOr => Some(a | b),
        BinOp::BitXor => Some(a ^ b),
        BinOp::Shl if !(0..64).contains(&b) => Some(0),
        BinOp::Shl => a.checked_mul(1 << b),
        BinOp::Shr if !(0..64).contains(&b) => Some(0),
        BinOp::Shr => Some(a >> b),
    }
}
