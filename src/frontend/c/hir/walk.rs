//! Questions about checked expressions that look at all of their parts.

use super::{Callee, Expr, ExprKind, Intrinsic, Variable};

impl Expr {
    /// What it says in C, whether or not there is a model for it.
    pub fn exact(&self) -> &Expr {
        match &self.kind {
            ExprKind::Unmodelled(inner, _) => inner.exact(),
            _ => self,
        }
    }

    /// Does evaluating it change anything?
    pub fn has_effects(&self) -> bool {
        match &self.kind {
            ExprKind::Assign(..) | ExprKind::Update { .. } | ExprKind::Block(_) => true,
            ExprKind::Call(callee, arguments) => {
                let pure = matches!(
                    callee,
                    Callee::Intrinsic(
                        Intrinsic::Malloc | Intrinsic::Calloc | Intrinsic::Nondet | Intrinsic::Print
                    )
                );
                !pure || arguments.iter().any(Expr::has_effects)
            }
            ExprKind::CallPointer(..) => true,
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Sizeof(..)
            | ExprKind::Null
            | ExprKind::Str(_) => false,
            ExprKind::Deref(e)
            | ExprKind::Member(e, _)
            | ExprKind::Address(e)
            | ExprKind::Neg(e)
            | ExprKind::BitNot(e)
            | ExprKind::Not(e)
            | ExprKind::Unmodelled(e, _)
            | ExprKind::Convert(e) => e.has_effects(),
            ExprKind::Index(a, b)
            | ExprKind::Offset(a, b, _)
            | ExprKind::Difference(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b) => a.has_effects() || b.has_effects(),
            ExprKind::Conditional(a, b, c) => a.has_effects() || b.has_effects() || c.has_effects(),
        }
    }

    /// Does the variable occur? A block of statements counts as mentioning everything.
    pub fn mentions(&self, variable: Variable) -> bool {
        match &self.kind {
            ExprKind::Var(v) => *v == variable,
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Sizeof(..)
            | ExprKind::Null
            | ExprKind::Str(_) => false,
            ExprKind::Deref(e)
            | ExprKind::Member(e, _)
            | ExprKind::Address(e)
            | ExprKind::Neg(e)
            | ExprKind::BitNot(e)
            | ExprKind::Not(e)
            | ExprKind::Unmodelled(e, _)
            | ExprKind::Convert(e) => e.mentions(variable),
            ExprKind::Index(a, b)
            | ExprKind::Offset(a, b, _)
            | ExprKind::Difference(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::Update { target: a, value: b, .. } => a.mentions(variable) || b.mentions(variable),
            ExprKind::Conditional(a, b, c) => {
                a.mentions(variable) || b.mentions(variable) || c.mentions(variable)
            }
            ExprKind::Call(_, arguments) => arguments.iter().any(|a| a.mentions(variable)),
            ExprKind::CallPointer(function, arguments) => {
                function.mentions(variable) || arguments.iter().any(|a| a.mentions(variable))
            }
            ExprKind::Block(_) => true,
        }
    }
}
