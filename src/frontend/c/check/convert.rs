//! Conversions and constants.

use super::super::ast;
use super::super::hir::{Expr, ExprKind};
use super::super::types::{BOOL, Ty};
use super::{Checker, Checking};
use crate::frontend::diagnostic::Diagnostic;
use crate::program::{BinOp, IntKind};

/// Does every value of `from` exist in `to`?
pub(crate) fn widens(from: IntKind, to: IntKind) -> bool {
    to.min() <= from.min() && from.max() <= to.max()
}

/// The value congruent to `value` in the kind.
pub(crate) fn wrap(value: i128, kind: IntKind) -> i128 {
    if kind == BOOL {
        return i128::from(value != 0);
    }
    let modulus = 1i128 << kind.bits.clamp(1, 64);
    let low = value.rem_euclid(modulus);
    if low > kind.max() { low - modulus } else { low }
}

fn promoted(kind: IntKind) -> IntKind {
    if kind.bits < 32 { IntKind::INT } else { kind }
}

/// The usual arithmetic conversions.
pub(crate) fn common(a: IntKind, b: IntKind) -> IntKind {
    let (a, b) = (promoted(a), promoted(b));
    match a.bits.cmp(&b.bits) {
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => IntKind { bits: a.bits, signed: a.signed && b.signed },
    }
}

/// The value of a constant expression.
pub(crate) fn constant(expr: &Expr) -> Option<i128> {
    let kind = expr.ty.int();
    let fit = |value: Option<i128>| {
        let (value, kind) = (value?, kind?);
        // Signed arithmetic beyond the type has no value.
        if kind.signed {
            (kind.min()..=kind.max()).contains(&value).then_some(value)
        } else {
            Some(wrap(value, kind))
        }
    };
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Sizeof(_, value) => *value,
        ExprKind::Null => Some(0),
        ExprKind::Neg(e) => fit(constant(e)?.checked_neg()),
        ExprKind::BitNot(e) => fit(Some(!constant(e)?)),
        ExprKind::Not(e) => Some(i128::from(constant(e)? == 0)),
        ExprKind::Unmodelled(e, _) => constant(e),
        ExprKind::Convert(e) => match (&e.ty, kind) {
            (Ty::Int(_), Some(kind)) => Some(wrap(constant(e)?, kind)),
            (_, None) if expr.ty.pointee().is_some() => (constant(e)? == 0).then_some(0),
            _ => None,
        },
        ExprKind::Compare(cmp, a, b) => Some(i128::from(cmp.holds(&constant(a)?, &constant(b)?))),
        ExprKind::And(a, b) => match constant(a)? {
            0 => Some(0),
            _ => Some(i128::from(constant(b)? != 0)),
        },
        ExprKind::Or(a, b) => match constant(a)? {
            0 => Some(i128::from(constant(b)? != 0)),
            _ => Some(1),
        },
        ExprKind::Conditional(c, a, b) => constant(if constant(c)? != 0 { a } else { b }),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            fit(arithmetic(*op, a, b, kind?))
        }
        _ => None,
    }
}

fn arithmetic(op: BinOp, a: i128, b: i128, kind: IntKind) -> Option<i128> {
    let shift = u32::try_from(b).ok().filter(|s| *s < u32::from(kind.bits));
    match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Rem => a.checked_rem(b),
        BinOp::BitAnd => Some(a & b),
        BinOp::BitOr => Some(a | b),
        BinOp::BitXor => Some(a ^ b),
        BinOp::Shl => (a >= 0).then_some(a).and_then(|a| a.checked_mul(1i128.checked_shl(shift?)?)),
        BinOp::Shr => Some(a >> shift?),
    }
}

/// 0, or 0 cast to `void *`.
pub(crate) fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Null => true,
        ExprKind::Convert(inner) => expr.ty.pointee().is_some() && is_null(inner),
        ExprKind::Unmodelled(..) => false,
        _ => expr.ty.int().is_some() && constant(expr) == Some(0),
    }
}

impl Checker<'_> {
    /// The value of an integer constant expression in the source; no complaint if it is none.
    pub(super) fn constant_expression(&mut self, expr: &ast::Expr) -> Option<i128> {
        let kept = self.sink.len();
        let value = self.expression(expr).ok().and_then(|e| constant(&e));
        if value.is_some() {
            self.sink.truncate(kept);
        }
        value
    }

    /// Converts as by assignment (`cast`: as by a cast).
    pub(super) fn convert(&mut self, expr: Expr, to: &Ty, cast: bool) -> Checking<Expr> {
        let span = expr.span;
        if expr.ty == *to {
            return Ok(expr);
        }
        let converted =
            |expr: Expr| Ok(Expr { span, ty: to.clone(), kind: ExprKind::Convert(Box::new(expr)) });
        match (&expr.ty, to) {
            (_, Ty::Unsupported(what)) => self.unsupported(span, format!("{what} is not modelled")),
            (Ty::Unsupported(what), _) => {
                let what = *what;
                self.unsupported(span, format!("{what} is not modelled"))
            }
            (_, Ty::Void) if cast => converted(expr),
            (Ty::Int(_), Ty::Int(_)) => converted(expr),
            (Ty::Float(_), Ty::Int(_) | Ty::Float(_)) | (Ty::Int(_), Ty::Float(_)) => {
                Ok(unmodelled(converted(expr)?, FLOATING))
            }
            (Ty::Pointer(_), Ty::Int(kind)) if *kind == BOOL => converted(expr),
            (Ty::Int(_) | Ty::Pointer(_), Ty::Pointer(_)) if is_null(&expr) => {
                Ok(Expr { span, ty: to.clone(), kind: ExprKind::Null })
            }
            (Ty::Pointer(_), Ty::Pointer(_))
                if self.types.is_opaque(&expr.ty) || self.types.is_opaque(to) =>
            {
                let message = format!(
                    "a conversion from `{}` to `{}` is not modelled: what an object of type `void *` leads to is not tracked",
                    self.types.show(&expr.ty),
                    self.types.show(to)
                );
                Ok(unmodelled(converted(expr)?, message))
            }
            (Ty::Pointer(a), Ty::Pointer(b)) if **a == Ty::Void || **b == Ty::Void => converted(expr),
            (Ty::Pointer(_), Ty::Pointer(_)) => {
                let message = format!(
                    "a conversion from `{}` to `{}` is not modelled: objects have one type",
                    self.types.show(&expr.ty),
                    self.types.show(to)
                );
                Ok(unmodelled(converted(expr)?, message))
            }
            (Ty::Int(_), Ty::Pointer(_)) => {
                Ok(unmodelled(converted(expr)?, "a number as a pointer is not modelled"))
            }
            (Ty::Pointer(_), Ty::Int(_)) => {
                Ok(unmodelled(converted(expr)?, "a pointer as a number is not modelled"))
            }
            (Ty::Array(a, _), Ty::Array(b, None)) if a == b => Ok(expr),
            (Ty::Array(..) | Ty::Function(_), Ty::Pointer(_) | Ty::Int(_) | Ty::Array(_, None)) => {
                let pointer = self.decay(expr);
                self.convert(pointer, to, cast)
            }
            (Ty::Pointer(_), Ty::Array(_, None)) => {
                Ok(unmodelled(converted(expr)?, "a pointer used as an array is not modelled"))
            }
            (Ty::Int(_), Ty::Array(_, None)) => {
                let message = "a null pointer or a number used as an array is not modelled";
                Ok(unmodelled(converted(expr)?, message))
            }
            _ => {
                let message =
                    format!("`{}` expected, found `{}`", self.types.show(to), self.types.show(&expr.ty));
                self.error("wrong-type", span, message)
            }
        }
    }

    /// The pointer that an array or a function becomes where its value is wanted.
    pub(super) fn decay(&self, expr: Expr) -> Expr {
        let span = expr.span;
        let pointer = |ty: Ty, expr: Expr| Expr { kind: ExprKind::Convert(Box::new(expr)), ty, span };
        match &expr.ty {
            Ty::Array(element, _) => {
                let ty = Ty::Pointer(element.clone());
                // What is wrong with the array itself comes first.
                if let ExprKind::Unmodelled(..) = expr.kind {
                    return pointer(ty, expr);
                }
                let diagnostic = Diagnostic::unsupported(
                    "unsupported",
                    span,
                    "an array used as a pointer is not modelled",
                )
                .help("declare the parameter as an array: `T a[]`");
                unmodelled_as(pointer(ty, expr), diagnostic)
            }
            Ty::Function(_) => {
                let ty = expr.ty.clone().pointer();
                unmodelled(pointer(ty, expr), "a pointer to a function is not modelled")
            }
            _ => expr,
        }
    }

    /// An integer of at least the rank of `int`.
    pub(super) fn promote(&mut self, expr: Expr) -> Checking<Expr> {
        match expr.ty {
            Ty::Int(kind) => {
                // A narrow bit-field fits `int`, whatever its type.
                let narrow = self.bit_field(&expr).is_some_and(|width| width < 32);
                let to = Ty::Int(if narrow { IntKind::INT } else { promoted(kind) });
                self.convert(expr, &to, false)
            }
            _ => self.not_an_integer(&expr),
        }
    }

    /// The width of the bit-field that this is.
    pub(super) fn bit_field(&self, expr: &Expr) -> Option<u32> {
        match &expr.exact().kind {
            ExprKind::Member(base, index) => match base.ty {
                Ty::Record(id) => self.types.member_at(id, *index)?.width,
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn not_an_integer<T>(&mut self, expr: &Expr) -> Checking<T> {
        if let Ty::Unsupported(what) = expr.ty {
            return self.unsupported(expr.span, format!("{what} is not modelled"));
        }
        let message = format!("an integer is expected, found `{}`", self.types.show(&expr.ty));
        self.error("wrong-type", expr.span, message)
    }

    /// Both operands in their common type.
    pub(super) fn balance(&mut self, a: Expr, b: Expr) -> Checking<(Expr, Expr, Ty)> {
        let ty = match (&a.ty, &b.ty) {
            (Ty::Int(x), Ty::Int(y)) => {
                let narrow = |kind: IntKind, e: &Expr| match self.bit_field(e) {
                    Some(width) if width < 32 => IntKind::INT,
                    _ => kind,
                };
                Ty::Int(common(narrow(*x, &a), narrow(*y, &b)))
            }
            (Ty::Float(x), Ty::Float(y)) => Ty::Float(*x.max(y)),
            (Ty::Float(x), Ty::Int(_)) | (Ty::Int(_), Ty::Float(x)) => Ty::Float(*x),
            (x, _) => {
                let bad = if x.is_arithmetic() { &b } else { &a };
                return self.not_an_integer(bad);
            }
        };
        Ok((self.convert(a, &ty, false)?, self.convert(b, &ty, false)?, ty))
    }

    /// Something that can be tested: a number or a pointer.
    pub(super) fn scalar(&mut self, expr: Expr) -> Checking<Expr> {
        match &expr.ty {
            Ty::Int(_) | Ty::Pointer(_) => Ok(expr),
            Ty::Float(_) => Ok(unmodelled(expr, FLOATING)),
            Ty::Array(..) | Ty::Function(_) => Ok(self.decay(expr)),
            Ty::Unsupported(what) => {
                let what = *what;
                self.unsupported(expr.span, format!("{what} is not modelled"))
            }
            other => {
                let message =
                    format!("an integer or a pointer is expected, found `{}`", self.types.show(other));
                self.error("wrong-type", expr.span, message)
            }
        }
    }

    /// The two sides of a comparison, or of a choice.
    pub(super) fn comparable(&mut self, a: Expr, b: Expr) -> Checking<(Expr, Expr)> {
        if a.ty.is_arithmetic() && b.ty.is_arithmetic() {
            let (a, b, _) = self.balance(a, b)?;
            return Ok((a, b));
        }
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        // Null takes the other side's type; `void *` is compared with anything.
        let target = if is_null(&a) { b.ty.clone() } else { a.ty.clone() };
        if a.ty.pointee() == Some(&Ty::Void) && !is_null(&a) {
            let target = b.ty.clone();
            return Ok((self.convert(a, &target, false)?, b));
        }
        Ok((self.convert(a, &target, false)?, self.convert(b, &target, false)?))
    }
}

/// What is said of numbers with a fraction.
pub(super) const FLOATING: &str = "a floating-point number is not modelled";

/// An expression that C gives a meaning, and the engines have no model for.
pub(super) fn unmodelled(expr: Expr, message: impl Into<String>) -> Expr {
    let diagnostic = Diagnostic::unsupported("unsupported", expr.span, message);
    unmodelled_as(expr, diagnostic)
}

/// The same with a diagnostic of its own.
pub(super) fn unmodelled_as(expr: Expr, diagnostic: Diagnostic) -> Expr {
    let (ty, span) = (expr.ty.clone(), expr.span);
    Expr { kind: ExprKind::Unmodelled(Box::new(expr), Box::new(diagnostic)), ty, span }
}
