//! Calls, of functions of the unit and of what is known by name.

use super::super::ast;
use super::super::formats::conversions;
use super::super::hir::{Callee, Expr, ExprKind, Intrinsic};
use super::super::types::{FloatKind, Ty};
use super::alloca::is_alloca;
use super::convert::{FLOATING, is_null, unmodelled};
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

/// Of a function that takes more than its parameters.
const FURTHER: &str = "an argument beyond the named ones is not modelled";

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Checking<Expr> {
        let ast::ExprKind::Name(name) = function.kind else {
            return self.pointer_call(function, arguments, span);
        };
        let text = self.text(name).to_owned();
        if self.current.ghost {
            return self.error("ghost", span, "a ghost statement cannot call functions");
        }
        let entity = self.lookup(name).cloned();
        if matches!(entity, Some(Entity::Var(_))) {
            return self.pointer_call(function, arguments, span);
        }
        let checked = self.arguments(arguments)?;
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
                    return self.memory_call(known, &checked, Callee::Function(index), span);
                }
                match intrinsic(&text).filter(|_| !defined || always_intrinsic(&text)) {
                    Some(known) => self.intrinsic_call(known, &text, Some(index), checked, span),
                    None => self.function_call(index, checked, span),
                }
            }
            Some(_) => self.error("wrong-type", function.span, format!("`{text}` is no function")),
            None => match intrinsic(&text) {
                Some(known) => self.intrinsic_call(known, &text, None, checked, span),
                None if is_alloca(&text) => self.alloca(&checked, name, span),
                None if text.starts_with("__builtin_") => self.builtin_call(name, &text, checked, span),
                None => self.error("undeclared", function.span, format!("function `{text}` is not declared")),
            },
        }
    }

    /// The arguments of a call, before they are converted.
    fn arguments(&mut self, arguments: &[ast::Expr]) -> Checking<Vec<Expr>> {
        let checked: Vec<Checking<Expr>> = arguments.iter().map(|a| self.expression(a)).collect();
        checked.into_iter().collect()
    }

    /// A call through a pointer.
    fn pointer_call(&mut self, function: &ast::Expr, arguments: &[ast::Expr], span: Span) -> Checking<Expr> {
        let (function, arguments) = (self.expression(function), self.arguments(arguments));
        let (function, arguments) = (function?, arguments?);
        let Some(signature) = function.ty.signature().cloned() else {
            let message = format!("a function is expected, found `{}`", self.types.show(&function.ty));
            return self.error("wrong-type", function.span, message);
        };
        // `(f)(x)`
        if let ExprKind::Function(index) = function.kind {
            return self.function_call(index, arguments, span);
        }
        let function = self.decay(function);
        let wrong = arguments.len() < signature.parameters.len()
            || (arguments.len() > signature.parameters.len() && !signature.variadic);
        if wrong && !signature.unspecified {
            let message = format!(
                "this function takes {} arguments, {} given",
                signature.parameters.len(),
                arguments.len()
            );
            return self.error("wrong-arguments", span, message);
        }
        let mut converted = Vec::new();
        for (i, argument) in arguments.into_iter().enumerate() {
            converted.push(match signature.parameters.get(i) {
                Some(ty) => self.convert(argument, ty, false)?,
                None => self.promote_argument(argument)?,
            });
        }
        let call = ExprKind::CallPointer(Box::new(function), converted);
        let call = self.make(call, signature.result.clone(), span);
        Ok(unmodelled(call, "a call through a pointer to a function is not modelled"))
    }

    /// `va_arg(list, T)`
    pub(super) fn further_argument(
        &mut self,
        list: &ast::Expr,
        ty: &ast::TypeExpr,
        span: Span,
    ) -> Checking<Expr> {
        let list = self.expression(list)?;
        let ty = self.resolve(ty);
        let ty = self.of_object(ty);
        if let Ty::Unsupported(what) = ty {
            return self.unsupported(span, format!("{what} is not modelled"));
        }
        let Some(name) = self.names.find(super::VA_ARG) else { return self.unsupported(span, FURTHER) };
        let address = self.address_of(list, span)?;
        let call = self.make(ExprKind::Call(Callee::Builtin(name), vec![address]), ty, span);
        Ok(unmodelled(call, FURTHER))
    }

    /// What the compiler knows without a declaration.
    fn builtin_call(
        &mut self,
        name: super::Name,
        text: &str,
        arguments: Vec<Expr>,
        span: Span,
    ) -> Checking<Expr> {
        if let Some(known) = Memory::named(text) {
            return self.memory_call(known, &arguments, Callee::Builtin(name), span);
        }
        match (text, &arguments[..]) {
            // A hint for the optimiser.
            ("__builtin_expect", [value, _]) => {
                let long = if self.types.lp64 { 64 } else { 32 };
                self.convert(value.clone(), &Ty::Int(IntKind { bits: long, signed: true }), false)
            }
            ("__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy", [list, ..]) => {
                let mut parts = vec![self.address_of(list.clone(), span)?];
                if text == "__builtin_va_copy" {
                    parts.extend(arguments.get(1).cloned());
                }
                let call = self.make(ExprKind::Call(Callee::Builtin(name), parts), Ty::Void, span);
                Ok(unmodelled(call, FURTHER))
            }
            ("__builtin_constant_p", [value]) => {
                let known = super::convert::constant(value).is_some();
                Ok(self.make(ExprKind::Int(i128::from(known)), Ty::INT, span))
            }
            ("__builtin_unreachable" | "__builtin_trap" | "__builtin_abort", []) => {
                let call = ExprKind::Call(Callee::Builtin(name), Vec::new());
                Ok(unmodelled(self.make(call, Ty::Void, span), format!("`{text}` is not modelled")))
            }
            _ => self.unsupported(span, format!("`{text}` is not modelled")),
        }
    }

    /// An argument that no parameter says the type of.
    fn promote_argument(&mut self, argument: Expr) -> Checking<Expr> {
        let argument = self.decay(argument);
        let to = match &argument.ty {
            Ty::Float(FloatKind::Single) => Ty::Float(FloatKind::Double),
            ty => promoted(ty),
        };
        self.convert(argument, &to, false)
    }

    fn function_call(&mut self, index: u32, arguments: Vec<Expr>, span: Span) -> Checking<Expr> {
        let function = &self.checked.functions[index as usize];
        let (parameters, result) = (function.parameters.clone(), function.result.clone());
        let (variadic, unspecified, name) = (function.variadic, function.unspecified, function.name);
        let old_style = function.old_style;
        let unchecked = unspecified && !arguments.is_empty();
        if unspecified {
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
                None => converted.push(self.promote_argument(argument)?),
            }
        }
        let call = self.make(ExprKind::Call(Callee::Function(index), converted), result, span);
        let message = "arguments for a function declared without parameters";
        Ok(if unchecked { unmodelled(call, message) } else { call })
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
            | Intrinsic::Leave
            | Intrinsic::Assert
            | Intrinsic::VerifierAssert
            | Intrinsic::Assume => Some(1),
            Intrinsic::Calloc | Intrinsic::Realloc => Some(2),
            Intrinsic::Abort | Intrinsic::Nondet => Some(0),
            Intrinsic::Error
            | Intrinsic::AssertFail
            | Intrinsic::Print
            | Intrinsic::Puts
            | Intrinsic::Guess
            | Intrinsic::Fraction
            | Intrinsic::Bounds
            | Intrinsic::Rely => None,
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
            Intrinsic::Print | Intrinsic::Puts => match declared {
                Some(index) => self.checked.functions[index as usize].result.clone(),
                None => Ty::INT,
            },
            _ => Ty::Void,
        };
        if known == Intrinsic::Nondet && !matches!(result, Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_)) {
            return self.unsupported(span, format!("the result of `{name}` is not modelled"));
        }
        let floating = matches!(result, Ty::Float(_));
        let anywhere = known == Intrinsic::Nondet && result.pointee().is_some();
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
                Intrinsic::Exit | Intrinsic::Leave => self.convert(argument, &Ty::INT, false)?,
                Intrinsic::Print | Intrinsic::Puts => self.promote_argument(argument)?,
                _ => argument,
            });
        }
        let prints = matches!(known, Intrinsic::Print | Intrinsic::Puts);
        let plain = !prints || can_print(name, &converted);
        let call = self.make(ExprKind::Call(Callee::Intrinsic(known), converted), result, span);
        Ok(if !plain {
            unmodelled(call, "printing anything but values and literal text is not modelled")
        } else if anywhere {
            unmodelled(call, format!("the result of `{name}` is not modelled"))
        } else if floating {
            unmodelled(call, FLOATING)
        } else {
            call
        })
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
            "pointer" => return Ty::Void.pointer(),
            "float" => return Ty::Float(FloatKind::Single),
            "double" => return Ty::Float(FloatKind::Double),
            _ => return Ty::Unsupported("an unknown type"),
        };
        Ty::Int(IntKind { bits, signed })
    }
}

/// Printing has no effect on the state if nothing is written through a pointer, and cannot fail if nothing is
/// read through one.
fn can_print(name: &str, arguments: &[Expr]) -> bool {
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
    match name {
        "puts" | "perror" => arguments.iter().all(literal),
        "printf" | "fprintf" => {
            let format = usize::from(name == "fprintf");
            let plain = arguments.iter().all(|a| a.ty.is_scalar());
            let rest = arguments.get(format + 1..).unwrap_or_default();
            // A text that is printed is read, whatever stands between `%` and `s`.
            let reads = |text: &[u8]| match conversions(text, false) {
                Some((all, _)) if all.len() == rest.len() => {
                    all.iter().zip(rest).any(|(c, a)| c.is_text() && !literal(a))
                }
                _ => !rest.iter().all(|a| a.ty.int().is_some()) || text.contains(&b's'),
            };
            let known = match arguments.get(format).map(|a| &a.kind) {
                Some(ExprKind::Str(text)) => !reads(text),
                _ => false,
            };
            known && plain && !contains(b"%n")
        }
        _ => arguments.iter().all(|a| a.ty.is_scalar()) && (name == "fflush" || !pointers),
    }
}
