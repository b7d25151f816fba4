//! Operators: arithmetic on numbers and pointers, updates in place, choices.

use super::super::ast;
use super::super::hir::{Expr, ExprKind, Local, Start, Stmt, StmtKind, Variable};
use super::super::types::Ty;
use super::convert::{FLOATING, unmodelled};
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;
use crate::program::{BinOp, IntKind};

/// What is said of arithmetic on pointers.
const POINTERS: &str = "arithmetic on pointers is not modelled";

impl Checker<'_> {
    pub(super) fn arithmetic(&mut self, op: BinOp, a: Expr, b: Expr, span: Span) -> Checking<Expr> {
        let (a, b) = (self.decay(a), self.decay(b));
        if a.ty.pointee().is_some() || b.ty.pointee().is_some() {
            return self.pointer_arithmetic(op, a, b, span);
        }
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            let (a, b) = (self.promote(a)?, self.promote(b)?);
            let ty = a.ty.clone();
            return Ok(self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span));
        }
        let (a, b, ty) = self.balance(a, b)?;
        let floating = matches!(ty, Ty::Float(_));
        if floating && !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div) {
            return self.error("wrong-type", span, "this operator takes integers");
        }
        let computed = self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span);
        Ok(if floating { unmodelled(computed, FLOATING) } else { computed })
    }

    /// `p + i`, `i + p`, `p - i`, `p - q`
    fn pointer_arithmetic(&mut self, op: BinOp, a: Expr, b: Expr, span: Span) -> Checking<Expr> {
        let sized = |ty: &Ty| !matches!(ty.pointee(), Some(Ty::Unsupported(_)));
        let moved = match (op, a.ty.pointee().is_some(), b.ty.pointee().is_some()) {
            (BinOp::Add, true, false) if b.ty.int().is_some() && sized(&a.ty) => (a, b, false),
            (BinOp::Add, false, true) if a.ty.int().is_some() && sized(&b.ty) => (b, a, false),
            (BinOp::Sub, true, false) if b.ty.int().is_some() && sized(&a.ty) => (a, b, true),
            (BinOp::Sub, true, true) if sized(&a.ty) => {
                let ty = Ty::Int(IntKind { signed: true, ..self.size_kind() });
                let kind = ExprKind::Difference(Box::new(a), Box::new(b));
                return Ok(unmodelled(self.make(kind, ty, span), POINTERS));
            }
            _ => {
                let (a, b) = (self.types.show(&a.ty), self.types.show(&b.ty));
                let message = format!("this operator does not go with `{a}` and `{b}`");
                return self.error("wrong-type", span, message);
            }
        };
        let (pointer, index, backwards) = moved;
        let ty = pointer.ty.clone();
        let kind = ExprKind::Offset(Box::new(pointer), Box::new(index), backwards);
        Ok(unmodelled(self.make(kind, ty, span), POINTERS))
    }

    pub(super) fn update(
        &mut self,
        target: Expr,
        op: BinOp,
        value: Expr,
        old: bool,
        span: Span,
    ) -> Checking<Expr> {
        if self.current.ghost {
            self.check_ghost_target(&target)?;
        }
        let value = self.decay(value);
        let what = match (&target.ty, &value.ty) {
            (Ty::Int(_), Ty::Int(_)) => None,
            (Ty::Pointer(_) | Ty::Array(_, None), Ty::Int(_)) if matches!(op, BinOp::Add | BinOp::Sub) => {
                Some(POINTERS)
            }
            (Ty::Int(_) | Ty::Float(_), Ty::Int(_) | Ty::Float(_)) => Some(FLOATING),
            (Ty::Int(_), _) => return self.not_an_integer(&value),
            _ => {
                let bad = Expr { span, ..target };
                return self.not_an_integer(&bad);
            }
        };
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let (value, compute) = match (&target.ty, &value.ty) {
            (Ty::Int(kind), Ty::Int(_)) => {
                let narrow = self.bit_field(&target).is_some_and(|width| width < 32);
                let kind = if narrow { IntKind::INT } else { *kind };
                let value = self.promote(value)?;
                let other = if shift { kind } else { value.ty.int().unwrap_or(kind) };
                let compute = Ty::Int(super::convert::common(kind, other));
                (if shift { value } else { self.convert(value, &compute, false)? }, compute)
            }
            (Ty::Pointer(element) | Ty::Array(element, _), _) => (value, Ty::Pointer(element.clone())),
            (Ty::Float(kind), Ty::Int(_)) => {
                let compute = Ty::Float(*kind);
                (self.convert(value, &compute, false)?, compute)
            }
            (Ty::Float(x), Ty::Float(y)) => {
                let compute = Ty::Float(*x.max(y));
                (self.convert(value, &compute, false)?, compute)
            }
            (_, other) => {
                let compute = other.clone();
                (value, compute)
            }
        };
        let ty = target.ty.clone();
        let kind = ExprKind::Update { target: Box::new(target), op, value: Box::new(value), compute, old };
        let updated = self.make(kind, ty, span);
        Ok(match what {
            Some(what) => unmodelled(updated, what),
            None => updated,
        })
    }

    /// `test ? yes : no`
    pub(super) fn choice(&mut self, test: Expr, yes: Expr, no: Expr, span: Span) -> Checking<Expr> {
        let structs = matches!(yes.ty, Ty::Record(_)) && yes.ty == no.ty;
        let (yes, no) = if structs { (yes, no) } else { self.arms(yes, no, span)? };
        let ty = yes.ty.clone();
        let chosen = ExprKind::Conditional(Box::new(test), Box::new(yes), Box::new(no));
        let chosen = self.make(chosen, ty, span);
        Ok(if structs { unmodelled(chosen, "a choice between structs is not modelled") } else { chosen })
    }

    /// GNU's `a ?: b`: the value of `a` is kept in a variable.
    pub(super) fn otherwise(
        &mut self,
        test: &ast::Expr,
        no: &ast::Expr,
        name: super::Name,
        span: Span,
    ) -> Checking<Expr> {
        let test = self.expression(test)?;
        let test = self.scalar(test)?;
        let no = self.expression(no)?;
        let index = self.current.locals.len() as u32;
        self.current.locals.push(Local { name, ty: test.ty.clone(), span });
        let kept = self.variable(Variable::Local(index), span);
        let declare = Stmt { kind: StmtKind::Declare(index, Start::Assigned), span };
        let assign = self.assignment_statement(kept.clone(), test);
        let chosen = self.choice(kept.clone(), kept, no, span)?;
        let ty = chosen.ty.clone();
        let last = Stmt { kind: StmtKind::Expr(chosen), span };
        Ok(self.make(ExprKind::Block(vec![declare, assign, last]), ty, span))
    }

    fn arms(&mut self, yes: Expr, no: Expr, span: Span) -> Checking<(Expr, Expr)> {
        if yes.ty.is_arithmetic() && no.ty.is_arithmetic() {
            let (yes, no, _) = self.balance(yes, no)?;
            return Ok((yes, no));
        }
        let (yes, no) = (self.decay(yes), self.decay(no));
        if yes.ty == Ty::Void || no.ty == Ty::Void {
            let (yes, no) = (self.convert(yes, &Ty::Void, true)?, self.convert(no, &Ty::Void, true)?);
            return Ok((yes, no));
        }
        if yes.ty.pointee().is_some() || no.ty.pointee().is_some() {
            return self.comparable(yes, no);
        }
        self.error("wrong-type", span, "the two alternatives have different types")
    }
}
