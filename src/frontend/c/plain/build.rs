//! Makes expressions.

use super::super::hir::{Callee, Expr, ExprKind, Intrinsic, Local, Start, Stmt, StmtKind, Variable};
use super::super::types::{RecordId, Ty};
use super::{PLACE, Plain};
use crate::frontend::diagnostic::Span;
use crate::program::{BinOp, Cmp};

pub(super) fn make(kind: ExprKind, ty: Ty, span: Span) -> Expr {
    Expr { kind, ty, span }
}

pub(super) fn int(value: i128, ty: Ty, span: Span) -> Expr {
    make(ExprKind::Int(value), ty, span)
}

/// A place inside a block, or a length.
pub(super) fn place(value: i128, span: Span) -> Expr {
    int(value, Ty::Int(PLACE), span)
}

pub(super) fn known(intrinsic: Intrinsic, arguments: Vec<Expr>, ty: Ty, span: Span) -> Expr {
    make(ExprKind::Call(Callee::Intrinsic(intrinsic), arguments), ty, span)
}

pub(super) fn guess(parts: Vec<Expr>, ty: Ty, span: Span) -> Expr {
    known(Intrinsic::Guess, parts, ty, span)
}

/// A number with a fraction, after the parts were evaluated in any order.
pub(super) fn nothing(parts: Vec<Expr>, ty: Ty, span: Span) -> Expr {
    known(Intrinsic::Fraction, parts, ty, span)
}

pub(super) fn nondet(ty: Ty, span: Span) -> Expr {
    known(Intrinsic::Nondet, Vec::new(), ty, span)
}

pub(super) fn compare(cmp: Cmp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    make(ExprKind::Compare(cmp, Box::new(a), Box::new(b)), Ty::INT, span)
}

pub(super) fn and(a: Expr, b: Expr) -> Expr {
    let span = a.span;
    make(ExprKind::And(Box::new(a), Box::new(b)), Ty::INT, span)
}

pub(super) fn or(a: Expr, b: Expr) -> Expr {
    let span = a.span;
    make(ExprKind::Or(Box::new(a), Box::new(b)), Ty::INT, span)
}

pub(super) fn not(a: Expr) -> Expr {
    let span = a.span;
    make(ExprKind::Not(Box::new(a)), Ty::INT, span)
}

pub(super) fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}

/// `low <= value && value < high`
pub(super) fn within(value: &Expr, low: Expr, high: Expr) -> Expr {
    and(compare(Cmp::Le, low, value.clone()), compare(Cmp::Lt, value.clone(), high))
}

pub(super) fn convert(value: Expr, ty: &Ty) -> Expr {
    if value.ty == *ty {
        return value;
    }
    let span = value.span;
    make(ExprKind::Convert(Box::new(value)), ty.clone(), span)
}

pub(super) fn assign(target: Expr, value: Expr) -> Expr {
    let (ty, span) = (target.ty.clone(), target.span);
    make(ExprKind::Assign(Box::new(target), Box::new(value)), ty, span)
}

pub(super) fn address(object: Expr) -> Expr {
    let (ty, span) = (object.ty.clone().pointer(), object.span);
    make(ExprKind::Address(Box::new(object)), ty, span)
}

/// The object behind a pointer to a struct.
pub(super) fn behind(pointer: Expr, record: RecordId) -> Expr {
    let span = pointer.span;
    make(ExprKind::Deref(Box::new(pointer)), Ty::Record(record), span)
}

pub(super) fn null(ty: Ty, span: Span) -> Expr {
    make(ExprKind::Null, ty, span)
}

/// The parts one after the other; the value is the last one.
pub(super) fn sequence(parts: Vec<Expr>, last: Expr) -> Expr {
    parts.into_iter().rev().fold(last, |rest, part| {
        let (ty, span) = (rest.ty.clone(), rest.span);
        make(ExprKind::Comma(Box::new(part), Box::new(rest)), ty, span)
    })
}

/// Statements with variables of their own, and a value.
pub(super) struct Steps {
    pub(super) span: Span,
    list: Vec<Stmt>,
}

impl Steps {
    pub(super) fn new(span: Span) -> Steps {
        Steps { span, list: Vec::new() }
    }

    pub(super) fn run(&mut self, expr: Expr) {
        self.list.push(Stmt { kind: StmtKind::Expr(expr), span: self.span });
    }

    /// A failure of memory safety unless it holds.
    pub(super) fn bounds(&mut self, test: Expr) {
        self.run(known(Intrinsic::Bounds, vec![test], Ty::INT, self.span));
    }

    /// There is no model unless it holds.
    pub(super) fn rely(&mut self, test: Expr) {
        self.run(known(Intrinsic::Rely, vec![test], Ty::INT, self.span));
    }

    pub(super) fn assume(&mut self, test: Expr) {
        self.run(known(Intrinsic::Assume, vec![test], Ty::Void, self.span));
    }

    pub(super) fn if_else(&mut self, test: Expr, yes: Steps, no: Option<Steps>) {
        let boxed = |steps: Steps| Box::new(Stmt { span: steps.span, kind: StmtKind::Block(steps.list) });
        let kind = StmtKind::If(test, boxed(yes), no.map(boxed));
        self.list.push(Stmt { kind, span: self.span });
    }

    /// The steps alone.
    pub(super) fn statements(self) -> Vec<Stmt> {
        self.list
    }

    /// The value of the whole.
    pub(super) fn give(mut self, value: Expr) -> Expr {
        let (ty, span) = (value.ty.clone(), self.span);
        if self.list.is_empty() {
            return value;
        }
        self.run(value);
        make(ExprKind::Block(self.list), ty, span)
    }
}

impl Plain<'_> {
    /// A new variable of the function with this value.
    pub(super) fn keep(&mut self, steps: &mut Steps, value: Expr) -> Expr {
        let index = self.locals.len() as u32;
        let name = self.checked.functions[self.function as usize].name;
        let span = steps.span;
        self.locals.push(Local { name, ty: value.ty.clone(), span });
        let local = make(ExprKind::Var(Variable::Local(index)), value.ty.clone(), span);
        steps.list.push(Stmt { kind: StmtKind::Declare(index, Start::Assigned), span });
        steps.run(assign(local.clone(), value));
        local
    }
}
