//! Conversions and constants.

use super::super::ast;
use super::super::hir::{Expr, ExprKind};
use super::super::types::{BOOL, Ty};
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;
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
            (Ty::Pointer(_), Ty::Int(kind)) if *kind == BOOL => converted(expr),
            (Ty::Int(_), Ty::Pointer(_)) if is_null(&expr) => {
                Ok(Expr { span, ty: to.clone(), kind: ExprKind::Null })
            }
            (Ty::Pointer(_), Ty::Pointer(_)) if is_null(&expr) => {
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
                self.unsupported(span, message)
            }
            (Ty::Pointer(a), Ty::Pointer(b)) if **a == Ty::Void || **b == Ty::Void => converted(expr),
            (Ty::Pointer(_), Ty::Pointer(_)) => {
                let message = format!(
                    "a conversion from `{}` to `{}` is not modelled: objects have one type",
                    self.types.show(&expr.ty),
                    self.types.show(to)
                );
                self.unsupported(span, message)
            }
            (Ty::Int(_), Ty::Pointer(_)) => self.unsupported(span, "a number as a pointer is not modelled"),
            (Ty::Pointer(_), Ty::Int(_)) => self.unsupported(span, "a pointer as a number is not modelled"),
            (Ty::Array(a, _), Ty::Array(b, None)) if a == b => Ok(expr),
            (Ty::Array(a, _), Ty::Pointer(b)) if a == b => {
                let message = "an array used as a pointer is not modelled";
                self.sink.push(
                    crate::frontend::diagnostic::Diagnostic::unsupported("unsupported", span, message)
                        .help("declare the parameter as an array: `T a[]`"),
                );
                Err(super::Failed)
            }
            (Ty::Pointer(a), Ty::Array(b, None)) if a == b || **a == Ty::Void => {
                self.unsupported(span, "a pointer used as an array is not modelled")
            }
            (Ty::Int(_), Ty::Array(_, None)) => {
                self.unsupported(span, "a null pointer or a number used as an array is not modelled")
            }
            (Ty::Function, Ty::Pointer(_)) => {
                self.unsupported(span, "a pointer to a function is not modelled")
            }
            _ => {
                let message =
                    format!("`{}` expected, found `{}`", self.types.show(to), self.types.show(&expr.ty));
                self.error("wrong-type", span, message)
            }
        }
    }

    /// An integer of at least the rank of `int`.
    pub(super) fn promote(&mut self, expr: Expr) -> Checking<Expr> {
        match expr.ty {
            Ty::Int(kind) => {
                let to = Ty::Int(promoted(kind));
                self.convert(expr, &to, false)
            }
            _ => self.not_an_integer(&expr),
        }
    }

    pub(super) fn not_an_integer<T>(&mut self, expr: &Expr) -> Checking<T> {
        match &expr.ty {
            Ty::Pointer(_) | Ty::Array(..) => {
                self.unsupported(expr.span, "arithmetic on pointers is not modelled")
            }
            Ty::Unsupported(what) => {
                let message = format!("{what} is not modelled");
                self.unsupported(expr.span, message)
            }
            _ => {
                let message = format!("an integer is expected, found `{}`", self.types.show(&expr.ty));
                self.error("wrong-type", expr.span, message)
            }
        }
    }

    /// Both operands in their common type.
    pub(super) fn balance(&mut self, a: Expr, b: Expr) -> Checking<(Expr, Expr, Ty)> {
        let (Ty::Int(x), Ty::Int(y)) = (&a.ty, &b.ty) else {
            let bad = if a.ty.int().is_none() { &a } else { &b };
            return self.not_an_integer(bad);
        };
        let ty = Ty::Int(common(*x, *y));
        Ok((self.convert(a, &ty, false)?, self.convert(b, &ty, false)?, ty))
    }

    /// Something that can be tested: integer or pointer.
    pub(super) fn scalar(&mut self, expr: Expr) -> Checking<Expr> {
        if expr.ty.is_scalar() {
            return Ok(expr);
        }
        if let Ty::Unsupported(what) = expr.ty {
            return self.unsupported(expr.span, format!("{what} is not modelled"));
        }
        if let Ty::Array(..) = expr.ty {
            return self.unsupported(expr.span, "the address of an array as a value is not modelled");
        }
        let message = format!("an integer or a pointer is expected, found `{}`", self.types.show(&expr.ty));
        self.error("wrong-type", expr.span, message)
    }

    /// The two sides of a comparison.
    pub(super) fn comparable(
        &mut self,
        a: Expr,
        b: Expr,
        ordered: bool,
        span: Span,
    ) -> Checking<(Expr, Expr)> {
        if a.ty.int().is_some() && b.ty.int().is_some() {
            let (a, b, _) = self.balance(a, b)?;
            return Ok((a, b));
        }
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        if ordered {
            return self
                .unsupported(span, "an order between pointers is not modelled: only `==` and `!=` are");
        }
        // Null takes the other side's type; `void *` is compared with anything.
        let target = if is_null(&a) { b.ty.clone() } else { a.ty.clone() };
        if a.ty.pointee() == Some(&Ty::Void) && !is_null(&a) {
            let target = b.ty.clone();
            return Ok((self.convert(a, &target, false)?, b));
        }
        Ok((self.convert(a, &target, false)?, self.convert(b, &target, false)?))
    }
}
