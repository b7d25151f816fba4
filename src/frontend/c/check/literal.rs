//! Compound literals: `(T){ ... }` is a variable without a name.
//!
//! The variable is declared before the statement that contains the literal and lives as long as the block around
//! it; a statement with a test is such a block itself (C11 6.8.4, 6.8.5). Evaluating the literal assigns its parts:
//! `*(x.a = 1, x.b = 0, &x)`, which is an lvalue as C wants it.

use super::super::ast::{self, StmtKind as Syntax};
use super::super::hir::{Expr, ExprKind, Start, Stmt, StmtKind, Variable};
use super::super::token::Name;
use super::super::types::Ty;
use super::convert::unmodelled;
use super::initialise::path;
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;

impl Checker<'_> {
    pub(super) fn literal(&mut self, ty: Ty, init: &ast::Init, name: Name, span: Span) -> Checking<Expr> {
        let ty = self.complete_array(ty, Some(init));
        if self.current.index.is_none() {
            let text = self.text(name).to_owned();
            let global = self.add_global(text, ty, span, None, false);
            let init = self.global_initialiser(Variable::Global(global), span, init);
            self.checked.globals[global as usize].init = init;
            let object = self.variable(Variable::Global(global), span);
            return Ok(unmodelled(object, "a compound literal outside of a function is not modelled"));
        }
        if let Some((code, what)) = self.no_object(&ty) {
            return self.error(code, span, format!("this literal {what}"));
        }
        if let Ty::Unsupported(what) = ty {
            return self.unsupported(span, format!("{what} is not modelled"));
        }
        let index = self.current.locals.len() as u32;
        self.current.locals.push(super::super::hir::Local { name, ty: ty.clone(), span });
        let declare = StmtKind::Declare(index, Start::Arbitrary);
        self.current.literals.push(Stmt { kind: declare, span });
        let object = self.variable(Variable::Local(index), span);
        let mut pairs = Vec::new();
        self.initialise(object.clone(), init, &mut pairs)?;
        self.check_order(&pairs, span);
        // What is not mentioned is 0.
        let mut steps = Vec::new();
        self.zero(&object, span, &mut steps)?;
        let named = |part: &Expr| pairs.iter().any(|(target, _)| path(target) == path(part));
        steps.retain(|step| !matches!(&step.kind, ExprKind::Assign(part, _) if named(part)));
        for (target, value) in pairs {
            let ty = target.ty.clone();
            steps.push(self.make(ExprKind::Assign(Box::new(target), Box::new(value)), ty, span));
        }
        let address = self.address_of(object, span)?;
        let pointer = steps.into_iter().rev().fold(address, |rest, step| {
            let ty = rest.ty.clone();
            self.make(ExprKind::Comma(Box::new(step), Box::new(rest)), ty, span)
        });
        let array = matches!(ty, Ty::Array(..));
        let object = self.make(ExprKind::Deref(Box::new(pointer)), ty, span);
        Ok(if array { unmodelled(object, "an array without a name is not modelled") } else { object })
    }

    /// Puts the variables of literals before the statements from `start` on, to which they belong.
    pub(super) fn declare_literals(
        &self,
        syntax: &Syntax,
        literals: Vec<Stmt>,
        start: usize,
        out: &mut Vec<Stmt>,
    ) {
        let Some(first) = literals.first() else { return };
        let span = first.span;
        let own_block = matches!(
            syntax,
            Syntax::If(..) | Syntax::While(..) | Syntax::Do(..) | Syntax::For { .. } | Syntax::Switch(..)
        );
        if own_block {
            let inner = literals.into_iter().chain(out.drain(start..)).collect();
            out.push(Stmt { kind: StmtKind::Block(inner), span });
        } else {
            out.splice(start..start, literals);
        }
    }
}
