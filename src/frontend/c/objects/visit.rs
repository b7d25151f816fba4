//! Visits the parts of checked expressions and statements.

use super::super::hir::{Expr, ExprKind, Stmt, StmtKind};

/// All expressions of a statement, outer ones first.
pub(in crate::frontend::c) fn all<'e>(statement: &'e Stmt, visit: &mut dyn FnMut(&'e Expr)) {
    statement.each_expr(&mut |e| deep(e, visit));
}

fn deep<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    expr.each_part(&mut |e| deep(e, visit));
}

/// The same expression with other parts.
pub(in crate::frontend::c) fn map_children(expr: &Expr, map: &mut dyn Mapper) -> ExprKind {
    let mut one = |e: &Expr| Box::new(map.expression(e));
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Function(_)
        | ExprKind::Sizeof(..)
        | ExprKind::Null
        | ExprKind::Str(_)
        | ExprKind::Var(_) => expr.kind.clone(),
        ExprKind::Deref(e) => ExprKind::Deref(one(e)),
        ExprKind::Member(e, i) => ExprKind::Member(one(e), *i),
        ExprKind::Address(e) => ExprKind::Address(one(e)),
        ExprKind::Neg(e) => ExprKind::Neg(one(e)),
        ExprKind::BitNot(e) => ExprKind::BitNot(one(e)),
        ExprKind::Not(e) => ExprKind::Not(one(e)),
        ExprKind::Unmodelled(e, d) => ExprKind::Unmodelled(one(e), d.clone()),
        ExprKind::Moved(e, demand) => ExprKind::Moved(one(e), *demand),
        ExprKind::Convert(e) => ExprKind::Convert(one(e)),
        ExprKind::Index(a, b) => ExprKind::Index(one(a), one(b)),
        ExprKind::Offset(a, b, back) => ExprKind::Offset(one(a), one(b), *back),
        ExprKind::Difference(a, b) => ExprKind::Difference(one(a), one(b)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, one(a), one(b)),
        ExprKind::Compare(cmp, a, b) => ExprKind::Compare(*cmp, one(a), one(b)),
        ExprKind::And(a, b) => ExprKind::And(one(a), one(b)),
        ExprKind::Or(a, b) => ExprKind::Or(one(a), one(b)),
        ExprKind::Comma(a, b) => ExprKind::Comma(one(a), one(b)),
        ExprKind::Assign(a, b) => ExprKind::Assign(one(a), one(b)),
        ExprKind::Update { target, op, value, compute, old } => ExprKind::Update {
            target: one(target),
            op: *op,
            value: one(value),
            compute: compute.clone(),
            old: *old,
        },
        ExprKind::Conditional(a, b, c) => ExprKind::Conditional(one(a), one(b), one(c)),
        ExprKind::Call(callee, arguments) => {
            ExprKind::Call(*callee, arguments.iter().map(|a| map.expression(a)).collect())
        }
        ExprKind::CallPointer(function, arguments) => {
            let function = one(function);
            ExprKind::CallPointer(function, arguments.iter().map(|a| map.expression(a)).collect())
        }
        ExprKind::Block(statements) => {
            ExprKind::Block(statements.iter().map(|s| map_statement(s, map)).collect())
        }
    }
}

/// Makes new expressions of old ones.
pub(in crate::frontend::c) trait Mapper {
    /// The new expression.
    fn expression(&mut self, expr: &Expr) -> Expr;

    /// The new statement, where that is not just the old one with new expressions.
    fn statement(&mut self, _statement: &Stmt) -> Option<Stmt> {
        None
    }
}

/// The same statement with other expressions.
pub(in crate::frontend::c) fn map_statement(statement: &Stmt, map: &mut dyn Mapper) -> Stmt {
    if let Some(new) = map.statement(statement) {
        return new;
    }
    let inner = |s: &Stmt, map: &mut dyn Mapper| Box::new(map_statement(s, map));
    let kind = match &statement.kind {
        StmtKind::Block(list) => StmtKind::Block(list.iter().map(|s| map_statement(s, map)).collect()),
        StmtKind::Expr(e) => StmtKind::Expr(map.expression(e)),
        StmtKind::Return(e) => StmtKind::Return(e.as_ref().map(|e| map.expression(e))),
        StmtKind::If(test, yes, no) => {
            let test = map.expression(test);
            let yes = inner(yes, map);
            StmtKind::If(test, yes, no.as_ref().map(|no| inner(no, map)))
        }
        StmtKind::Loop { kind, test, step, body, spec } => StmtKind::Loop {
            kind: *kind,
            test: test.as_ref().map(|e| map.expression(e)),
            step: step.as_ref().map(|e| map.expression(e)),
            body: inner(body, map),
            spec: spec.clone(),
        },
        StmtKind::Switch(e, body) => StmtKind::Switch(map.expression(e), inner(body, map)),
        StmtKind::Case(value, body) => StmtKind::Case(*value, inner(body, map)),
        StmtKind::Default(body) => StmtKind::Default(inner(body, map)),
        StmtKind::Label(name, body) => StmtKind::Label(*name, inner(body, map)),
        StmtKind::Declare(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Assert(_)
        | StmtKind::Assume(_)
        | StmtKind::Track(_) => statement.kind.clone(),
    };
    Stmt { kind, span: statement.span }
}
