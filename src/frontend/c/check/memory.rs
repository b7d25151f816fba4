//! `memset` and `memcpy`, as far as they speak of whole objects: filling one is an assignment to each of its members
//! or elements, copying one is an assignment. Anything else works on bytes, which are not modelled.

use super::super::hir::{Callee, Expr, ExprKind};
use super::super::types::{BOOL, Ty};
use super::convert::{constant, unmodelled, unmodelled_as, wrap};
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;
use crate::program::IntKind;

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
    /// The types of its parameters.
    fn parameters(self, size: IntKind) -> [Ty; 3] {
        let second = match self {
            Memory::Set => Ty::INT,
            Memory::Copy => Ty::Void.pointer(),
        };
        [Ty::Void.pointer(), second, Ty::Int(size)]
    }

    pub(super) fn named(name: &str) -> Option<Memory> {
        match name {
            "memset" | "__builtin_memset" => Some(Memory::Set),
            "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove" => Some(Memory::Copy),
            _ => None,
        }
    }
}

impl Checker<'_> {
    /// A call of one of them; its value is the first argument. `exact` is the call as C has it.
    pub(super) fn memory_call(
        &mut self,
        known: Memory,
        arguments: &[Expr],
        exact: Callee,
        span: Span,
    ) -> Checking<Expr> {
        let [to, what, size] = arguments else {
            return self.error("wrong-arguments", span, "three arguments are expected");
        };
        let kept = self.sink.len();
        match self.whole_object(known, to, what, size, span) {
            Ok(modelled) => Ok(modelled),
            // The complaint is about the model.
            Err(super::Failed) => {
                let complaint = self.sink.drain(kept..).next();
                let call = self.library_call(exact, known.parameters(self.size_kind()), arguments, span)?;
                Ok(match complaint {
                    Some(diagnostic) => unmodelled_as(call, diagnostic),
                    None => call,
                })
            }
        }
    }

    /// A call of a library function with parameters of these types, which returns a pointer.
    fn library_call(
        &mut self,
        callee: Callee,
        parameters: [Ty; 3],
        arguments: &[Expr],
        span: Span,
    ) -> Checking<Expr> {
        let mut converted = Vec::new();
        for (argument, ty) in arguments.iter().zip(&parameters) {
            converted.push(self.convert(argument.clone(), ty, false)?);
        }
        Ok(self.make(ExprKind::Call(callee, converted), Ty::Void.pointer(), span))
    }

    /// The call as assignments, if it speaks of one whole object.
    fn whole_object(
        &mut self,
        known: Memory,
        to: &Expr,
        what: &Expr,
        size: &Expr,
        span: Span,
    ) -> Checking<Expr> {
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
        if !self.is_modelled(&target.ty) {
            return self.unsupported(span, "filling or copying an object with parts that are not modelled");
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

    /// Whether every part of such an object has a model.
    fn is_modelled(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Int(_) | Ty::Pointer(_) => true,
            Ty::Array(element, Some(_)) => element.is_scalar(),
            Ty::Record(id) => {
                let record = self.types.record(*id);
                let plain = |m: &super::super::types::MemberTy| {
                    m.width.is_none() && !matches!(m.ty, Ty::Array(..)) && self.is_modelled(&m.ty)
                };
                !record.union && record.members.as_ref().is_some_and(|members| members.iter().all(plain))
            }
            _ => false,
        }
    }

    /// Sets an object to 0: assignments if all of it has a model, else one call.
    pub(super) fn zero(&mut self, target: &Expr, span: Span, out: &mut Vec<Expr>) -> Checking<()> {
        if self.is_modelled(&target.ty) && !matches!(target.ty, Ty::Array(..)) {
            return self.fill_bytes(target, 0, span, out);
        }
        let to = self.address_of(target.clone(), span)?;
        let zero = self.make(ExprKind::Int(0), Ty::INT, span);
        let size = self.sizeof(target.ty.clone(), span)?;
        let Some(name) = self.memset else { return self.unsupported(span, "this object is not modelled") };
        let parameters = Memory::Set.parameters(self.size_kind());
        let call = self.library_call(Callee::Builtin(name), parameters, &[to, zero, size], span)?;
        out.push(unmodelled(call, "an object with parts that are not modelled starts as 0"));
        Ok(())
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
        // An array that became a pointer is meant as a whole.
        let pointer = match &pointer.exact().kind {
            ExprKind::Convert(inner) if matches!(inner.ty, Ty::Array(_, Some(_))) => inner,
            _ => pointer,
        };
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

    /// Assignments to all parts, as if every byte were this one.
    fn fill_bytes(&mut self, target: &Expr, byte: u8, span: Span, out: &mut Vec<Expr>) -> Checking<()> {
        let kind = match &target.ty {
            Ty::Record(id) => {
                let members = self.types.record(*id).members.clone().unwrap_or_default();
                for (index, member) in (0..).zip(&members) {
                    if !member.ghost {
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
