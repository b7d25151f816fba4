//! Signed arithmetic on values that are not known: mathematical here, undefined in C where it overflows (DESIGN 6,
//! decision 6).

use super::cfg::Program;
use super::command::Command;
use super::expr::{BinOp, Cond, Expr};

/// Whether a command adds, subtracts, multiplies or negates signed integers of which one is a variable.
#[must_use]
pub fn occurs(program: &Program) -> bool {
    program.edges.iter().any(|edge| match &edge.command {
        Command::Assign(_, e) | Command::Store { value: e, .. } | Command::LoadElement { index: e, .. } => {
            signed(e)
        }
        Command::StoreElement { index, value, .. } => signed(index) || signed(value),
        Command::Assume(condition) => in_condition(condition),
        _ => false,
    })
}

fn in_condition(condition: &Cond) -> bool {
    match condition {
        Cond::Const(_) => false,
        Cond::Compare(_, a, b) => signed(a) || signed(b),
        Cond::Not(inner) => in_condition(inner),
        Cond::And(parts) | Cond::Or(parts) => parts.iter().any(in_condition),
    }
}

/// Whether an operation that is not unsigned occurs in the expression.
fn signed(e: &Expr) -> bool {
    match e {
        Expr::Var(_) | Expr::Null(_) | Expr::Int(_) => false,
        Expr::Neg(a) => has_variable(a),
        Expr::BitNot(a) => signed(a),
        Expr::Binary(op, a, b) => {
            let grows = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
            (grows && (has_variable(a) || has_variable(b))) || signed(a) || signed(b)
        }
        // What unsigned arithmetic yields is brought back into its type at once.
        Expr::Wrap(_, inner) => match &**inner {
            Expr::Binary(_, a, b) => signed(a) || signed(b),
            Expr::Neg(a) => signed(a),
            other => signed(other),
        },
    }
}

fn has_variable(e: &Expr) -> bool {
    match e {
        Expr::Var(_) => true,
        Expr::Null(_) | Expr::Int(_) => false,
        Expr::Neg(a) | Expr::BitNot(a) | Expr::Wrap(_, a) => has_variable(a),
        Expr::Binary(_, a, b) => has_variable(a) || has_variable(b),
    }
}
