//! Calls: of functions of the unit, through pointers, of what is known by name.

use super::machine::{Doing, Flow, Frame, Halt, MAX_DEPTH, Machine};
use super::memory::pointer;
use super::value::Value;
use crate::frontend::c::hir::{Callee, Expr, Intrinsic, Variable};
use crate::frontend::c::types::Ty;
use crate::frontend::diagnostic::Severity;
use crate::program::Check;
use crate::util::span::Span;

impl<'a> Machine<'a> {
    /// The values of a call: of the pointer that leads to the function, if there is one, and of the arguments.
    fn arguments(
        &mut self,
        function: Option<&'a Expr>,
        arguments: &'a [Expr],
        span: Span,
    ) -> Doing<Vec<Value>> {
        let before = self.pending.len();
        let mut operands = self.operands_either(span);
        let reversed = operands.as_ref().is_some_and(|o| o.reversed);
        let mut parts: Vec<&'a Expr> = function.into_iter().chain(arguments).collect();
        if reversed {
            parts.reverse();
        }
        for part in parts {
            let value = self.value(part)?;
            self.pending.push(value);
            self.operand_done(&mut operands);
        }
        self.operands_end(operands, false, span)?;
        let mut values = self.pending.split_off(before);
        if reversed {
            values.reverse();
        }
        Ok(values)
    }

    pub(super) fn call(&mut self, callee: Callee, arguments: &'a [Expr], whole: &'a Expr) -> Doing<Value> {
        let span = whole.span;
        let values = self.arguments(None, arguments, span)?;
        match callee {
            Callee::Function(index) => {
                let function = self.function(index);
                if function.body.is_none() && !function.defined && !function.has_contract {
                    let name = self.name(function.name);
                    return self.library(name, values, arguments, whole);
                }
                self.call_unit(index, values, whole)
            }
            Callee::Builtin(name) => {
                let name = self.name(name);
                self.library(name, values, arguments, whole)
            }
            Callee::Intrinsic(known) => self.intrinsic(known, values, arguments, whole),
        }
    }

    /// Calls a function of the unit.
    pub(super) fn invoke(
        &mut self,
        index: u32,
        arguments: Vec<Value>,
        site: Option<&'a Expr>,
        span: Span,
    ) -> Doing<Option<Value>> {
        if self.is_summed(index) {
            return self.call_summed(index, arguments, span);
        }
        self.invoke_body(index, arguments, site, span)
    }

    /// Executes the body of a function.
    pub(super) fn invoke_body(
        &mut self,
        index: u32,
        arguments: Vec<Value>,
        site: Option<&'a Expr>,
        span: Span,
    ) -> Doing<Option<Value>> {
        let function = self.function(index);
        if let Some(bad) = function.diagnostics.iter().find(|d| d.severity > Severity::Warning) {
            return self.give_up(bad.span, bad.message.clone());
        }
        if function.has_contract && !self.frames.is_empty() {
            let message = format!("the contract of `{}` is not evaluated on paths", self.name(function.name));
            return self.give_up(span, message);
        }
        let Some(body) = &function.body else {
            let message = format!("`{}` has neither a body nor a contract", self.name(function.name));
            return self.give_up(span, message);
        };
        if self.frames.len() >= MAX_DEPTH {
            return self.give_up(span, "calls are nested too deeply");
        }
        let locals = vec![None; function.locals.len()];
        let further = match site {
            Some(call) if function.variadic => {
                Some(self.further_arguments(&arguments, function.parameters.len(), call)?)
            }
            _ => None,
        };
        let site = site.map_or(0, |e| std::ptr::from_ref(e) as usize);
        let automatic = further.into_iter().collect();
        self.frames.push(Frame { function: index, site, locals, automatic, further });
        let count = arguments.len().min(function.parameters.len());
        for (i, value) in arguments.into_iter().enumerate().take(count) {
            self.bring(i as u32)?;
            let ty = function.locals[i].ty.clone();
            let object = self.variable(Variable::Local(i as u32), span)?;
            self.store(&pointer(object), &ty, value, span)?;
        }
        for i in count..function.parameters.len() {
            self.bring(i as u32)?;
        }
        let flow = self.block(body)?;
        for i in 0..function.parameters.len() {
            self.end_local(i as u32);
        }
        if let Some(frame) = self.frames.pop() {
            for object in frame.automatic {
                self.end_object(object);
            }
        }
        match flow {
            Flow::Return(value) => Ok(value),
            // `main` returns 0 at its end; of another function nobody may use the value.
            _ => Ok(self.frames.is_empty().then(|| Value::int(0))),
        }
    }

    fn call_unit(&mut self, index: u32, values: Vec<Value>, whole: &'a Expr) -> Doing<Value> {
        self.touch_call();
        match self.invoke(index, values, Some(whole), whole.span)? {
            Some(value) => Ok(value),
            None if whole.ty == Ty::Void => Ok(Value::Unknown),
            // It ended without `return`: whoever looks at the value gives up.
            None => Ok(Value::Unknown),
        }
    }

    pub(super) fn call_pointer(
        &mut self,
        function: &'a Expr,
        arguments: &'a [Expr],
        whole: &'a Expr,
    ) -> Doing<Value> {
        let span = whole.span;
        let mut values = self.arguments(Some(function), arguments, span)?;
        let target = values.remove(0);
        let Value::Function(index) = target else {
            return match target {
                Value::Int(_) | Value::Pointer(..) | Value::Wild(_) => {
                    self.fail(Check::Memsafety, span, "call through a pointer that leads to no function")
                }
                _ => self.give_up(span, "a call through this value"),
            };
        };
        self.call_function(
            index,
            values,
            function.ty.signature().map(|s| &s.parameters[..]),
            arguments,
            whole,
        )
    }

    /// A call of a function that a pointer leads to, with the types that the pointer promises.
    pub(super) fn call_function(
        &mut self,
        index: u32,
        values: Vec<Value>,
        promised: Option<&[Ty]>,
        arguments: &'a [Expr],
        whole: &'a Expr,
    ) -> Doing<Value> {
        let (span, callee) = (whole.span, self.function(index));
        if callee.body.is_none() && !callee.defined {
            let name = self.name(callee.name);
            if let Some(known) = crate::frontend::c::intrinsic(name) {
                return self.intrinsic(known, values, arguments, whole);
            }
            return self.library(name, values, arguments, whole);
        }
        let pointer = |ty: &Ty| matches!(ty, Ty::Pointer(_) | Ty::Array(..));
        let alike = |a: &Ty, b: &Ty| a == b || (pointer(a) && pointer(b));
        let fits = promised.is_none_or(|p| {
            p.len() == callee.parameters.len() && p.iter().zip(&callee.parameters).all(|(a, b)| alike(a, b))
        });
        if !fits || callee.variadic || values.len() != callee.parameters.len() {
            return self.give_up(span, "a call through a pointer to a function of another type");
        }
        self.call_unit(index, values, whole)
    }

    fn intrinsic(
        &mut self,
        known: Intrinsic,
        values: Vec<Value>,
        arguments: &'a [Expr],
        whole: &'a Expr,
    ) -> Doing<Value> {
        let span = whole.span;
        match known {
            Intrinsic::Malloc => self.library("malloc", values, arguments, whole),
            Intrinsic::Calloc => self.library("calloc", values, arguments, whole),
            Intrinsic::Realloc => self.library("realloc", values, arguments, whole),
            Intrinsic::Free => self.library("free", values, arguments, whole),
            Intrinsic::Abort => Err(self.end(span)),
            Intrinsic::Exit => {
                self.status = values.into_iter().next();
                Err(self.exit(span))
            }
            Intrinsic::Leave => {
                self.status = values.into_iter().next();
                Err(self.end(span))
            }
            Intrinsic::Assert => {
                let holds = match values.into_iter().next() {
                    Some(value) => self.truth(value, span)?,
                    None => true,
                };
                if holds { Ok(Value::Unknown) } else { self.broken_assertion(span) }
            }
            Intrinsic::AssertFail => self.broken_assertion(span),
            Intrinsic::VerifierAssert => {
                let holds = match values.into_iter().next() {
                    Some(value) => self.truth(value, span)?,
                    None => true,
                };
                if holds { Ok(Value::Unknown) } else { self.error_call(span, "assertion does not hold") }
            }
            Intrinsic::Error => self.error_call(span, "the error function is called"),
            Intrinsic::Assume => match values.into_iter().next() {
                Some(value) if !self.truth(value.clone(), span)? => Err(Halt::Cut),
                _ => Ok(Value::Unknown),
            },
            Intrinsic::Nondet => match &whole.ty {
                Ty::Float(_) => {
                    self.path.inexact = true;
                    Ok(Value::AnyFloat)
                }
                ty @ Ty::Int(_) => Ok(self.arbitrary(ty)),
                // Nobody says that it leads to an object.
                ty @ Ty::Pointer(_) => Ok(self.arbitrary(ty)),
                _ => self.give_up(span, "a value of this type that is arbitrary"),
            },
            Intrinsic::Print => self.print(true, &values, arguments, whole),
            Intrinsic::Puts => self.print(false, &values, arguments, whole),
            // Made for cells only.
            Intrinsic::Guess | Intrinsic::Fraction | Intrinsic::Bounds | Intrinsic::Rely => {
                self.give_up(span, "this value")
            }
        }
    }

    /// A failed `assert` of C: a failure where such count, else the end of the program.
    fn broken_assertion(&mut self, span: Span) -> Doing<Value> {
        if self.options.counts_assert() {
            return self.fail(Check::Asserts, span, "assertion does not hold");
        }
        Err(self.end_of_error(span))
    }

    fn error_call(&mut self, span: Span, message: &str) -> Doing<Value> {
        if super::asks(self.options, Check::Asserts) {
            return self.fail(Check::Asserts, span, message);
        }
        Err(self.end_of_error(span))
    }
}
