//! Whether a program needs its objects looked at, and whether formulas speak of them.

use super::super::hir::{ExprKind, Function, Stmt, StmtKind};
use super::visit::all;

/// Whether a program needs its objects looked at: it converts between pointers of different types.
pub(super) fn needed(function: &Function) -> bool {
    let mut found = false;
    for statement in function.body.iter().flatten() {
        all(statement, &mut |e| {
            if let ExprKind::Unmodelled(inner, _) = &e.kind
                && let ExprKind::Convert(from) = &inner.exact().kind
                && inner.ty.pointee().is_some()
            {
                found |= from.ty.pointee().is_some() || from.ty.int().is_some();
            }
        });
    }
    found
}

/// Whether a function says something in formulas.
pub(in crate::frontend::c) fn annotated(function: &Function) -> bool {
    fn inside(statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::Assert(_) | StmtKind::Assume(_) | StmtKind::Track(_) => true,
            StmtKind::Block(inner) => inner.iter().any(inside),
            StmtKind::If(_, yes, no) => inside(yes) || no.as_ref().is_some_and(|no| inside(no)),
            StmtKind::Loop { body, spec, .. } => {
                !spec.invariants.is_empty()
                    || !spec.variant.is_empty()
                    || spec.assigns.is_some()
                    || !spec.tracks.is_empty()
                    || inside(body)
            }
            StmtKind::Switch(_, body)
            | StmtKind::Case(_, body)
            | StmtKind::Default(body)
            | StmtKind::Label(_, body) => inside(body),
            _ => false,
        }
    }
    function.has_contract || !function.tracks.is_empty() || function.body.iter().flatten().any(inside)
}
