//! `memset` and `memcpy`, as far as they speak of whole objects: filling one is an assignment to each of its members
//! or elements, copying one is an assignment. Anything else works on bytes, which are not modelled.

use super::super::hir::{Expr, ExprKind};
use super::super::types::{BOOL, Ty};
use super::convert::{constant, wrap};
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;

/// Elements of an array that is filled or copied, at most: each is an assignment.
const MAX_ELEMENTS: u64 = 64;

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
                .unsupported(span, "filling or copying memory other than one whole object is not modelled");
        };
        if to.has_effects() || what.has_effects() {
            return self.unsupported(span, "arguments with side effects are not modelled here");
        }
        let mut steps = Vec::new();
        match known {
            Memory::Set => match constant(what) {
                // The byte is what an `unsigned char` holds of the value.
                Some(value) => self.fill_bytes(&target, value as u8, span, &mut steps)?,
                None => {
                    return self.unsupported(span, "filling memory with a variable value is not modelled");
                }
            },
            Memory::Copy => match self.object(what).filter(|source| source.ty == target.ty) {
                Some(source) => {
                    let sources = self.elements(&source, span)?;
                    for (target, source) in self.elements(&target, span)?.into_iter().zip(sources) {
                        let ty = target.ty.clone();
                        steps.push(self.make(ExprKind::Assign(Box::new(target), Box::new(source)), ty, span));
                    }
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

    /// The elements of an array; any other object is its only one.
    fn elements(&mut self, object: &Expr, span: Span) -> Checking<Vec<Expr>> {
        let Ty::Array(element, Some(length)) = &object.ty else { return Ok(vec![object.clone()]) };
        if *length > MAX_ELEMENTS {
            let text = format!("filling or copying more than {MAX_ELEMENTS} elements is not modelled");
            return self.unsupported(span, text);
        }
        let at = |index: u64| {
            let index = self.make(ExprKind::Int(i128::from(index)), Ty::INT, span);
            let kind = ExprKind::Index(Box::new(object.clone()), Box::new(index));
            self.make(kind, (**element).clone(), span)
        };
        Ok((0..*length).map(at).collect())
    }

    /// The object that a pointer points to.
    fn object(&self, pointer: &Expr) -> Option<Expr> {
        let pointer = strip(pointer);
        let whole =
            |ty: &Ty| matches!(ty, Ty::Record(_) | Ty::Int(_) | Ty::Pointer(_) | Ty::Array(_, Some(_)));
        match (&pointer.kind, &pointer.ty) {
            (ExprKind::Address(inner), _) if whole(&inner.ty) => Some((**inner).clone()),
            (_, Ty::Array(_, Some(_))) => Some(pointer.clone()),
            (_, Ty::Pointer(of)) if whole(of) && !matches!(**of, Ty::Array(..)) => {
                let kind = ExprKind::Deref(Box::new(pointer.clone()));
                Some(self.make(kind, (**of).clone(), pointer.span))
            }
            _ => None,
        }
    }

    /// Assignments of 0 to all members that are modelled; the others cannot be read anyway.
    pub(super) fn zero(&mut self, target: &Expr, span: Span, out: &mut Vec<Expr>) -> Checking<()> {
        self.fill_bytes(target, 0, span, out)
    }

    /// Assignments to all members that are modelled, as if every byte were this one.
    fn fill_bytes(&mut self, target: &Expr, byte: u8, span: Span, out: &mut Vec<Expr>) -> Checking<()> {
        let kind = match &target.ty {
            Ty::Record(id) => {
                let members = self.types.record(*id).members.clone().unwrap_or_default();
                for (index, member) in (0..).zip(&members) {
                    let modelled = match &member.ty {
                        Ty::Int(_) | Ty::Pointer(_) => true,
                        Ty::Record(inner) => !self.types.record(*inner).union,
                        _ => false,
                    };
                    if modelled && !member.ghost && !member.bit_field {
                        let part = self.step_into(target.clone(), index, span)?;
                        self.fill_bytes(&part, byte, span, out)?;
                    }
                }
                return Ok(());
            }
            Ty::Array(..) => {
                for element in self.elements(target, span)? {
                    self.fill_bytes(&element, byte, span, out)?;
                }
                return Ok(());
            }
            Ty::Int(BOOL) if byte > 1 => {
                return self.unsupported(span, "a truth value other than 0 and 1 is not modelled");
            }
            Ty::Int(kind) => {
                let bytes = kind.bits.div_ceil(8);
                let value = (0..bytes).fold(0i128, |value, _| (value << 8) | i128::from(byte));
                ExprKind::Int(wrap(value, *kind))
            }
            Ty::Pointer(_) if byte == 0 => ExprKind::Null,
            Ty::Pointer(_) => return self.unsupported(span, "a number as a pointer is not modelled"),
            _ => return Ok(()),
        };
        let (ty, value) = (target.ty.clone(), self.make(kind, target.ty.clone(), span));
        out.push(self.make(ExprKind::Assign(Box::new(target.clone()), Box::new(value)), ty, span));
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
