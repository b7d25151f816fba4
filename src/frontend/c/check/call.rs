//! Calls, of functions of the unit and of what is known by name.

use super::super::ast;
use super::super::hir::{Callee, Expr, ExprKind, Intrinsic};
use super::super::types::Ty;
use super::alloca::is_alloca;
use super::convert::is_null;
use super::expression::{always_intrinsic, intrinsic};
use super::memory::Memory;
use super::{Checker, Checking, Entity};
use crate::frontend::diagnostic::{Severity, Span};
use crate::program::IntKind;

/// The type of an argument where no prototype says another.
fn promoted(ty: &Ty) -> Ty {
    match ty {
        Ty::Int(kind) if kind.bits < IntKind::INT.bits => Ty::INT,
        other => other.clone(),
    }
}

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Checking<Expr> {
        let ast::ExprKind::Name(name) = function.kind else {
            return self.unsupported(span, "a call through a pointer to a function is not modelled");
        };
        let text = self.text(name).to_owned();
        if self.current.ghost {
            return self.error("ghost", span, "a ghost statement cannot call functions");
        }
        let entity = self.lookup(name).cloned();
        let mut checked = Vec::new();
        let mut failed = false;
        for argument in arguments {
            match self.expression(argument) {
                Ok(argument) => checked.push(argument),
                Err(_) => failed = true,
            }
        }
        if failed {
            return Err(super::Failed);
        }
        match entity {
            Some(Entity::Function(index)) => {
                let function = &self.checked.functions[index as usize];
                let defined = function.defined;
                // What is known of a name does not hold of a function with that name and other attributes.
                if !defined && function.diagnostics.iter().any(|d| d.severity == Severity::Unsupported) {
                    return self
                        .unsupported(span, format!("what the attributes of `{text}` do is not modelled"));
                }
                if !defined && is_alloca(&text) {
                    return self.alloca(&checked, name, span);
                }
                if let (Some(known), false) = (Memory::named(&text), defined) {
                    return self.memory_call(known, &checked, span);
                }
                match intrinsic(&text).filter(|_| !defined || always_intrinsic(&text)) {
                    Some(known) => self.intrinsic_call(known, &text, Some(index), checked, span),
                    None => self.function_call(index, checked, span),
                }
            }
            Some(_) => self.unsupported(span, "a call through a pointer to a function is not modelled"),
            None => match intrinsic(&text) {
                Some(known) => self.intrinsic_call(known, &text, None, checked, span),
                None if is_alloca(&text) => self.alloca(&checked, name, span),
                None if text.starts_with("__builtin_") => match Memory::named(&text) {
                    Some(known) => self.memory_call(known, &checked, span),
                    None => self.unsupported(span, format!("`{text}` is not modelled")),
                },
                None => self.error("undeclared", function.span, format!("function `{text}` is not declared")),
            },
        }
    }

    fn function_call(&mut self, index: u32, arguments: Vec<Expr>, span: Span) -> Checking<Expr> {
        let function = &self.checked.functions[index as usize];
        let (parameters, result) = (function.parameters.clone(), function.result.clone());
        let (variadic, unspecified, name) = (function.variadic, function.unspecified, function.name);
        let old_style = function.old_style;
        if unspecified {
            if !arguments.is_empty() {
                return self.unsupported(span, "arguments for a function declared without parameters");
            }
        } else if arguments.len() < parameters.len() || (arguments.len() > parameters.len() && !variadic) {
            let message = format!(
                "`{}` takes {} arguments, {} given",
                self.text(name),
                parameters.len(),
                arguments.len()
            );
            return self.error("wrong-arguments", span, message);
        }
        let mut converted = Vec::new();
        for (i, argument) in arguments.into_iter().enumerate() {
            match parameters.get(i) {
                Some(ty) if old_style && promoted(&argument.ty) != promoted(ty) => {
                    let text = "an argument of another type than the parameter, which no prototype converts";
                    return self.unsupported(argument.span, text);
                }
                Some(ty) => converted.push(self.convert(argument, ty, false)?),
                None => converted.push(argument),
            }
        }
        Ok(self.make(ExprKind::Call(Callee::Function(index), converted), result, span))
    }

    fn intrinsic_call(
        &mut self,
        known: Intrinsic,
        name: &str,
        declared: Option<u32>,
        arguments: Vec<Expr>,
        span: Span,
    ) -> Checking<Expr> {
        let expected = match known {
            Intrinsic::Malloc
            | Intrinsic::Free
            | Intrinsic::Exit
            | Intrinsic::Assert
            | Intrinsic::VerifierAssert
            | Intrinsic::Assume => Some(1),
            Intrinsic::Calloc | Intrinsic::Realloc => Some(2),
            Intrinsic::Abort | Intrinsic::Nondet => Some(0),
            Intrinsic::Error | Intrinsic::AssertFail | Intrinsic::Print => None,
        };
        if expected.is_some_and(|n| n != arguments.len()) {
            let message = format!("`{name}` takes {} arguments", expected.unwrap_or(0));
            return self.error("wrong-arguments", span, message);
        }
        let result = match known {
            Intrinsic::Malloc | Intrinsic::Calloc | Intrinsic::Realloc => Ty::Void.pointer(),
            Intrinsic::Nondet => match declared {
                Some(index) => self.checked.functions[index as usize].result.clone(),
                None => self.nondet_type(name),
            },
            Intrinsic::Print => match declared {
                Some(index) => self.checked.functions[index as usize].result.clone(),
                None => Ty::INT,
            },
            _ => Ty::Void,
        };
        if known == Intrinsic::Nondet && result.int().is_none() {
            return self.unsupported(span, format!("the result of `{name}` is not modelled"));
        }
        let mut converted = Vec::new();
        for argument in arguments {
            let first = converted.is_empty();
            converted.push(match known {
                Intrinsic::Realloc if first => self.convert(argument, &Ty::Void.pointer(), false)?,
                Intrinsic::Malloc | Intrinsic::Calloc | Intrinsic::Realloc if argument.ty.int().is_none() => {
                    return self.not_an_integer(&argument);
                }
                Intrinsic::Free => self.convert(argument, &Ty::Void.pointer(), false)?,
                Intrinsic::Assert | Intrinsic::VerifierAssert | Intrinsic::Assume => self.scalar(argument)?,
                Intrinsic::Exit => self.convert(argument, &Ty::INT, false)?,
                _ => argument,
            });
        }
        if known == Intrinsic::Print {
            self.check_print(name, &converted, span)?;
        }
        Ok(self.make(ExprKind::Call(Callee::Intrinsic(known), converted), result, span))
    }

    /// Printing has no effect on the state if nothing is written through a pointer, and cannot fail if nothing is
    /// read through one.
    fn check_print(&mut self, name: &str, arguments: &[Expr], span: Span) -> Checking<()> {
        let literal = |e: &Expr| matches!(e.kind, ExprKind::Str(_));
        let formats: Vec<&[u8]> = arguments
            .iter()
            .filter_map(|a| match &a.kind {
                ExprKind::Str(bytes) => Some(bytes.as_slice()),
                _ => None,
            })
            .collect();
        let contains = |what: &[u8]| formats.iter().any(|f| f.windows(2).any(|w| w == what));
        let pointers = arguments.iter().any(|a| a.ty.pointee().is_some() && !literal(a) && !is_null(a));
        let fine = match name {
            "puts" | "perror" => arguments.iter().all(literal),
            "printf" | "fprintf" => {
                let format = usize::from(name == "fprintf");
                let plain = arguments.iter().all(|a| a.ty.is_scalar());
                arguments.get(format).is_some_and(literal) && plain && !contains(b"%n") && !contains(b"%s")
                    || (arguments.iter().skip(format).all(|a| literal(a) || a.ty.int().is_some())
                        && !contains(b"%n"))
            }
            _ => arguments.iter().all(|a| a.ty.is_scalar()) && (name == "fflush" || !pointers),
        };
        if fine {
            Ok(())
        } else {
            self.unsupported(span, "printing anything but values and literal text is not modelled")
        }
    }

    fn nondet_type(&self, name: &str) -> Ty {
        let long = if self.types.lp64 { 64 } else { 32 };
        let (bits, signed) = match name.trim_start_matches("__VERIFIER_nondet_") {
            "int" => (32, true),
            "uint" | "unsigned" | "unsigned_int" | "u32" => (32, false),
            "bool" | "_Bool" => (1, false),
            "char" => (8, true),
            "uchar" | "u8" => (8, false),
            "short" => (16, true),
            "ushort" | "u16" => (16, false),
            "long" => (long, true),
            "ulong" | "size_t" => (long, false),
            "longlong" => (64, true),
            "ulonglong" => (64, false),
            _ => return Ty::Unsupported("an unknown type"),
        };
        Ty::Int(IntKind { bits, signed })
    }
}
