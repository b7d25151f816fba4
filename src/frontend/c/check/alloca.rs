//! `alloca(sizeof(T))`: a variable without a name that lives as long as the function's body.
//!
//! That is what it is where it is executed once at most. In a loop each round gives another object, which is not
//! modelled; neither are sizes other than that of a type that is named.

use super::super::hir::{Callee, Expr, ExprKind, Local, Start, Stmt, StmtKind, Variable};
use super::super::token::Name;
use super::super::types::Ty;
use super::convert::unmodelled;
use super::{Checker, Checking};
use crate::frontend::diagnostic::{Diagnostic, Span};

/// The message where an object is needed several times.
const AGAIN: &str = "`alloca` that may be executed several times is not modelled";

pub(super) fn is_alloca(name: &str) -> bool {
    matches!(name, "alloca" | "__builtin_alloca")
}

impl Checker<'_> {
    /// A call; `name` is that of the function.
    pub(super) fn alloca(&mut self, arguments: &[Expr], name: Name, span: Span) -> Checking<Expr> {
        let [size] = arguments else {
            return self.error("wrong-arguments", span, "one argument is expected");
        };
        if self.current.index.is_none() {
            return self.error("misplaced", span, "`alloca` outside of a function");
        }
        let exact = |c: &mut Self, message: &str| {
            let size = c.convert(size.clone(), &Ty::Int(c.size_kind()), false)?;
            let call = ExprKind::Call(Callee::Builtin(name), vec![size]);
            Ok(unmodelled(c.make(call, Ty::Void.pointer(), span), message))
        };
        // A label may be jumped to from below.
        if !self.current.defined_labels.is_empty() || self.current.loops > 0 {
            return exact(self, AGAIN);
        }
        let mut object = size;
        while let ExprKind::Convert(inner) = &object.kind {
            object = inner;
        }
        let ty = match &object.kind {
            ExprKind::Sizeof(ty, _) if ty.is_scalar() || matches!(ty, Ty::Record(_)) => ty.clone(),
            _ => {
                let text = "`alloca` of anything but one object, with the size of its type, is not modelled";
                return exact(self, text);
            }
        };
        let index = self.current.locals.len() as u32;
        self.current.locals.push(Local { name, ty: ty.clone(), span });
        self.current.automatic.push(Stmt { kind: StmtKind::Declare(index, Start::Arbitrary), span });
        let object = self.variable(Variable::Local(index), span);
        let address = self.make(ExprKind::Address(Box::new(object)), ty.pointer(), span);
        Ok(self.make(ExprKind::Convert(Box::new(address)), Ty::Void.pointer(), span))
    }

    /// After a loop: none of the declarations from `before` on may belong to it.
    pub(super) fn check_automatic(&mut self, before: usize) {
        for statement in self.current.automatic.split_off(before) {
            self.sink.push(Diagnostic::unsupported("unsupported", statement.span, AGAIN));
        }
    }
}
