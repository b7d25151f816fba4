//! Functions that leave all links as they are: they write no pointer into an object, allocate nothing and free nothing,
//! and neither do those that they call.
//!
//! What such a function reaches at its entry is reached, and allocated, in all its recursive calls as well. So these can
//! be made by contract whatever structs they are about.

use super::super::hir::{Callee, Checked, Expr, ExprKind, Intrinsic};

/// By function: whether it may change a link.
pub(super) fn changing(checked: &Checked, calls: &[Vec<u32>]) -> Vec<bool> {
    let mut changes: Vec<bool> = checked
        .functions
        .iter()
        .map(|f| match &f.body {
            None => true,
            Some(body) => {
                let mut found = false;
                body.iter().for_each(|s| s.each_expr(&mut |e| found |= changes_link(e)));
                found
            }
        })
        .collect();
    loop {
        let mut more = false;
        for f in 0..changes.len() {
            if !changes[f] && calls[f].iter().any(|g| changes[*g as usize]) {
                changes[f] = true;
                more = true;
            }
        }
        if !more {
            return changes;
        }
    }
}

fn changes_link(expr: &Expr) -> bool {
    let itself = match &expr.kind {
        ExprKind::Assign(target, _) | ExprKind::Update { target, .. } => {
            target.ty.int().is_none() && !matches!(target.exact().kind, ExprKind::Var(_))
                || !target.ty.is_scalar()
        }
        ExprKind::Call(Callee::Function(_), _) => false,
        ExprKind::Call(Callee::Intrinsic(known), _) => match known {
            Intrinsic::Nondet | Intrinsic::Guess => expr.ty.int().is_none(),
            Intrinsic::Malloc | Intrinsic::Calloc | Intrinsic::Realloc | Intrinsic::Free => true,
            Intrinsic::Abort
            | Intrinsic::Exit
            | Intrinsic::Leave
            | Intrinsic::Assert
            | Intrinsic::AssertFail
            | Intrinsic::Error
            | Intrinsic::VerifierAssert
            | Intrinsic::Assume
            | Intrinsic::Print
            | Intrinsic::Puts
            | Intrinsic::Fraction
            | Intrinsic::Bounds
            | Intrinsic::Rely => false,
        },
        // What has its address taken may be changed behind our back.
        ExprKind::Call(Callee::Builtin(_), _) | ExprKind::CallPointer(..) | ExprKind::Address(_) => true,
        _ => false,
    };
    let mut found = itself;
    expr.each_part(&mut |part| found = found || changes_link(part));
    found
}
