//! Numbers with a fraction, and bit-fields.
//!
//! Memory safety does not depend on fractions: such a number is the integer 0 of the same size wherever it is stored, and
//! comparing two, or making an integer of one, is a guess.

use super::super::hir::{Callee, Expr, ExprKind, Intrinsic};
use super::super::objects::visit::Mapper;
use super::super::types::{BOOL, Ty};
use super::Plain;
use super::build::{assign, binary, convert, guess, int, make, nothing};
use crate::program::{BinOp, IntKind};

/// What a bit-field holds. One bit without a sign is kept in eight, because one bit is a truth value.
pub(super) fn bits(kind: IntKind, width: u32) -> IntKind {
    match (kind.signed, width) {
        _ if kind == BOOL => kind,
        (false, 1) => IntKind { bits: 8, signed: false },
        (signed, width) => IntKind { bits: width.try_into().unwrap_or(kind.bits), signed },
    }
}

pub(super) fn is_fraction(ty: &Ty) -> bool {
    matches!(ty, Ty::Float(_)) && super::number(ty).is_some()
}

impl Plain<'_> {
    /// What an expression with fractions is.
    pub(super) fn fraction(&mut self, e: &Expr) -> Option<Expr> {
        let span = e.span;
        let ty = self.value_type(&e.ty);
        let zero = int(0, ty.clone(), span);
        Some(match &e.kind {
            ExprKind::Float(_) if is_fraction(&e.ty) => zero,
            ExprKind::Binary(_, a, b) if is_fraction(&e.ty) => {
                nothing(vec![self.expression(a), self.expression(b)], ty, span)
            }
            ExprKind::Neg(a) if is_fraction(&e.ty) => nothing(vec![self.expression(a)], ty, span),
            ExprKind::Compare(_, a, b) if is_fraction(&a.ty) => {
                guess(vec![self.expression(a), self.expression(b)], Ty::INT, span)
            }
            ExprKind::Convert(a) if is_fraction(&a.ty) && e.ty.int().is_some() => {
                guess(vec![self.expression(a)], ty, span)
            }
            ExprKind::Convert(a) if is_fraction(&e.ty) && (a.ty.int().is_some() || is_fraction(&a.ty)) => {
                nothing(vec![self.expression(a)], ty, span)
            }
            ExprKind::Call(Callee::Intrinsic(Intrinsic::Nondet), _) if is_fraction(&e.ty) => zero,
            ExprKind::Update { target, value, .. } if is_fraction(&target.ty) => {
                let (target, value) = (self.expression(target), self.expression(value));
                assign(target, nothing(vec![value], ty, span))
            }
            ExprKind::Update { target, value, compute, old: false, .. }
                if is_fraction(compute) && !target.has_effects() =>
            {
                let (target, value) = (self.expression(target), self.expression(value));
                let made = guess(vec![target.clone(), value], target.ty.clone(), span);
                assign(target, made)
            }
            _ => return None,
        })
    }

    /// A test; whether a fraction is zero is a guess.
    pub(super) fn test(&mut self, e: &Expr) -> Expr {
        if let Some(found) = self.finds(e).or_else(|| self.moving_test(e)) {
            return found;
        }
        let new = self.expression(e);
        if is_fraction(&e.ty) { guess(vec![new], Ty::INT, e.span) } else { new }
    }

    /// The bit-field that an lvalue is: the object around, its declared type and its width.
    fn bit_field<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, u32, IntKind, u32)> {
        let ExprKind::Member(base, index) = &e.exact().kind else { return None };
        let Ty::Record(id) = base.ty else { return None };
        if self.old.record(id).union {
            return None;
        }
        let member = self.old.member_at(id, *index)?;
        Some((base, *index, member.ty.int()?, member.width?))
    }

    /// What an expression with a bit-field is.
    pub(super) fn bits(&mut self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            ExprKind::Member(..) => {
                let (base, index, kind, width) = self.bit_field(e)?;
                let base = self.expression(base);
                let ty = Ty::Int(bits(kind, width));
                let member = make(ExprKind::Member(Box::new(base), index), ty, e.span);
                Some(convert(member, &Ty::Int(kind)))
            }
            ExprKind::Assign(target, value) => {
                let (base, index, kind, width) = self.bit_field(target)?;
                let (base, value) = (self.expression(base), self.expression(value));
                Some(self.store_bits(base, index, (kind, width), value, e))
            }
            ExprKind::Update { target, op, value, compute, old } => {
                let (base, index, kind, width) = self.bit_field(target)?;
                let simple = !base.has_effects() && compute.int().is_some();
                if !simple {
                    return None;
                }
                let (base, value) = (self.expression(base), self.expression(value));
                let ty = Ty::Int(bits(kind, width));
                let member = make(ExprKind::Member(Box::new(base.clone()), index), ty, e.span);
                let before = convert(member, compute);
                let mut steps = super::build::Steps::new(e.span);
                let before = self.keep(&mut steps, before);
                let after = binary(*op, before.clone(), value);
                let stored = self.store_bits(base, index, (kind, width), after, e);
                if *old {
                    steps.run(stored);
                    return Some(steps.give(convert(before, &Ty::Int(kind))));
                }
                Some(steps.give(stored))
            }
            _ => None,
        }
    }

    fn store_bits(
        &mut self,
        base: Expr,
        index: u32,
        (kind, width): (IntKind, u32),
        value: Expr,
        e: &Expr,
    ) -> Expr {
        let held = Ty::Int(bits(kind, width));
        let member = make(ExprKind::Member(Box::new(base), index), held.clone(), e.span);
        let narrow = kind != BOOL && !kind.signed && width == 1;
        let value = match narrow {
            true => {
                let ty = value.ty.clone();
                binary(BinOp::BitAnd, value, int(1, ty, e.span))
            }
            false => value,
        };
        convert(assign(member, convert(value, &held)), &Ty::Int(kind))
    }
}
