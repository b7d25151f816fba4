//! `memset` and `memcpy`, as far as they speak of whole structs: zeroing one is an assignment to each of its
//! members, copying one is an assignment. Anything else works on bytes, which are not modelled.

use super::super::hir::{Expr, ExprKind};
use super::super::types::Ty;
use super::convert::constant;
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;

/// A function of `string.h` that is known by name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// `memset`
    Set,
    /// `memcpy`, `memmove`
    Copy,
}

impl Memory {
    pub(super) fn named(name: &str) -> Option<Memory> {
        match name {
            "memset" | "__builtin_memset" => Some(Memory::Set),
            "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove" => Some(Memory::Copy),
            _ => None,
        }
    }
}

impl Checker<'_> {
    /// A call of one of them; its value is the first argument.
    pub(super) fn memory_call(&mut self, known: Memory, arguments: &[Expr], span: Span) -> Checking<Expr> {
        let [to, what, size] = arguments else {
            return self.error("wrong-arguments", span, "three arguments are expected");
        };
        let target = self.object(to);
        let whole =
            target.as_ref().and_then(|t| self.types.layout(&t.ty)).map(|(bytes, _)| i128::from(bytes));
        let (Some(target), true) = (target, whole.is_some() && constant(size) == whole) else {
            return self
                .unsupported(span, "filling or copying memory other than one whole struct is not modelled");
        };
        if to.has_effects() || what.has_effects() {
            return self.unsupported(span, "arguments with side effects are not modelled here");
        }
        let mut steps = Vec::new();
        match known {
            Memory::Set if constant(what) == Some(0) => self.zero(&target, span, &mut steps)?,
            Memory::Set => {
                return self.unsupported(span, "filling memory with anything but 0 is not modelled");
            }
            Memory::Copy => match self.object(what).filter(|source| source.ty == target.ty) {
                Some(source) => {
                    let ty = target.ty.clone();
                    steps.push(self.make(ExprKind::Assign(Box::new(target), Box::new(source)), ty, span));
                }
                None => return self.unsupported(span, "copying between different types is not modelled"),
            },
        }
        let value = strip(to).clone();
        let then = |rest: Expr, step: Expr| {
            let ty = rest.ty.clone();
            self.make(ExprKind::Comma(Box::new(step), Box::new(rest)), ty, span)
        };
        Ok(steps.into_iter().rev().fold(value, then))
    }

    /// The struct that a pointer points to.
    fn object(&self, pointer: &Expr) -> Option<Expr> {
        let pointer = strip(pointer);
        match (&pointer.kind, &pointer.ty) {
            (ExprKind::Address(inner), _) if matches!(inner.ty, Ty::Record(_)) => Some((**inner).clone()),
            (_, Ty::Pointer(of)) if matches!(**of, Ty::Record(_)) => {
                let kind = ExprKind::Deref(Box::new(pointer.clone()));
                Some(self.make(kind, (**of).clone(), pointer.span))
            }
            _ => None,
        }
    }

    /// Assignments of 0 to all members that are modelled; the others cannot be read anyway.
    pub(super) fn zero(&mut self, target: &Expr, span: Span, out: &mut Vec<Expr>) -> Checking<()> {
        let Ty::Record(id) = target.ty else {
            let kind = match &target.ty {
                Ty::Int(_) => ExprKind::Int(0),
                Ty::Pointer(_) => ExprKind::Null,
                _ => return Ok(()),
            };
            let (ty, value) = (target.ty.clone(), self.make(kind, target.ty.clone(), span));
            out.push(self.make(ExprKind::Assign(Box::new(target.clone()), Box::new(value)), ty, span));
            return Ok(());
        };
        let count = self.types.record(id).members.as_ref().map_or(0, Vec::len);
        for index in 0..count {
            let Some(member) = self.types.record(id).members.as_ref().map(|m| &m[index]) else { break };
            let modelled = match &member.ty {
                Ty::Int(_) | Ty::Pointer(_) => true,
                Ty::Record(inner) => !self.types.record(*inner).union,
                _ => false,
            };
            if modelled && !member.ghost && !member.bit_field {
                let part = self.step_into(target.clone(), index as u32, span)?;
                self.zero(&part, span, out)?;
            }
        }
        Ok(())
    }
}

/// Without the conversion to `void *`.
fn strip(pointer: &Expr) -> &Expr {
    match &pointer.kind {
        ExprKind::Convert(inner) if matches!(&pointer.ty, Ty::Pointer(of) if **of == Ty::Void) => {
            strip(inner)
        }
        _ => pointer,
    }
}
