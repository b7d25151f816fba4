//! Addresses as an object and a number of bytes: `container_of` and its relatives, recognised by what they compute.

use super::super::check::convert::{constant, is_null};
use super::super::hir::{Expr, ExprKind};
use super::super::types::{RecordId, Ty, Types};
use crate::program::BinOp;

/// A pointer, or a number made of one, as another pointer moved by so many bytes.
pub(super) fn bytes<'e>(types: &Types, expr: &'e Expr) -> Option<(&'e Expr, i128)> {
    let exact = expr.exact();
    let vague = |ty: &Ty| match ty {
        Ty::Int(kind) => kind.bits >= 32,
        Ty::Pointer(inner) => is_byte(inner) || types.is_opaque(ty),
        _ => false,
    };
    match &exact.kind {
        ExprKind::Convert(inner)
            if vague(&exact.ty) && !matches!(inner.ty, Ty::Array(..) | Ty::Function(_)) =>
        {
            match &inner.ty {
                Ty::Pointer(_) | Ty::Int(_) => bytes(types, inner),
                _ => None,
            }
        }
        ExprKind::Convert(inner) if vague(&inner.ty) && exact.ty.pointee().is_some() => {
            // To a pointer again; the object is seen as its type there.
            match bytes(types, inner)? {
                (base, 0) if base.ty == exact.ty => Some((base, 0)),
                _ => Some((expr, 0)),
            }
        }
        ExprKind::Offset(pointer, index, back) if pointer.ty.pointee().is_some_and(is_byte) => {
            let (base, offset) = bytes(types, pointer)?;
            let distance = number(types, index)?;
            Some((base, if *back { offset - distance } else { offset + distance }))
        }
        ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) if exact.ty.int().is_some() => {
            let (base, offset) = bytes(types, a)?;
            let distance = number(types, b)?;
            Some((base, if *op == BinOp::Sub { offset - distance } else { offset + distance }))
        }
        _ if exact.ty.pointee().is_some() => Some((expr, 0)),
        _ => None,
    }
}

fn is_byte(ty: &Ty) -> bool {
    matches!(ty, Ty::Void) || matches!(ty, Ty::Int(kind) if kind.bits == 8)
}

/// The value of a constant; `(size_t)&((T *)0)->m` is one.
pub(super) fn number(types: &Types, expr: &Expr) -> Option<i128> {
    if let Some(value) = constant(expr) {
        return Some(value);
    }
    match &expr.exact().kind {
        ExprKind::Convert(inner) => match &inner.ty {
            Ty::Int(_) => number(types, inner),
            Ty::Pointer(_) => null_offset(types, inner),
            _ => None,
        },
        // `(char *)&((T *)0)->m - (char *)0`
        ExprKind::Difference(a, b) if a.ty.pointee().is_some_and(is_byte) => {
            Some(null_offset(types, a)? - null_offset(types, b)?)
        }
        _ => None,
    }
}

/// The address of an object that would lie at 0.
fn null_offset(types: &Types, pointer: &Expr) -> Option<i128> {
    let exact = pointer.exact();
    if is_null(exact) {
        return Some(0);
    }
    match &exact.kind {
        ExprKind::Convert(inner) if inner.ty.pointee().is_some() => null_offset(types, inner),
        ExprKind::Convert(inner) if inner.ty.int().is_some() => constant(inner),
        ExprKind::Address(object) => place_offset(types, object),
        _ => None,
    }
}

fn place_offset(types: &Types, object: &Expr) -> Option<i128> {
    match &object.exact().kind {
        ExprKind::Deref(pointer) => null_offset(types, pointer),
        ExprKind::Member(base, index) => {
            let Ty::Record(record) = base.ty else { return None };
            let before = types.record(record).offsets.get(*index as usize)?;
            Some(place_offset(types, base)? + i128::from(before.byte))
        }
        ExprKind::Index(array, index) => {
            let (size, _) = types.layout(&object.ty)?;
            Some(place_offset(types, array)? + number(types, index)?.checked_mul(i128::from(size))?)
        }
        _ => None,
    }
}

/// The members on the way from a struct to one inside it that begins after so many bytes.
pub(super) fn path_at(types: &Types, outer: RecordId, inner: RecordId, offset: i128) -> Option<Vec<u32>> {
    let record = types.record(outer);
    if offset < 0 || record.union || outer == inner {
        return None;
    }
    for (i, (member, at)) in record.members.as_ref()?.iter().zip(&record.offsets).enumerate() {
        let (Ty::Record(next), false) = (&member.ty, member.ghost) else { continue };
        let rest = offset - i128::from(at.byte);
        let size = i128::from(types.layout(&member.ty)?.0);
        if rest < 0 || (rest >= size && size > 0) {
            continue;
        }
        if *next == inner && rest == 0 {
            return Some(vec![i as u32]);
        }
        if let Some(mut path) = path_at(types, *next, inner, rest) {
            path.insert(0, i as u32);
            return Some(path);
        }
    }
    None
}
