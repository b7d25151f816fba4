//! Tests: branches of the graph, with short circuit.

use super::super::check::convert::constant;
use super::super::hir::{Expr, ExprKind};
use super::super::types::Ty;
use super::expression::Value;
use super::text::is_character;
use super::{Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{Cmp, Command, Cond, Expr as Pure, IntKind, LocationId, Type, VarId};

impl Lowerer<'_> {
    /// Goes to `yes` if the expression is not 0, to `no` otherwise.
    pub(super) fn branch(&mut self, expr: &Expr, yes: LocationId, no: LocationId) -> Lowering<()> {
        let span = expr.span;
        if let Some(value) = constant(expr) {
            self.emit_to(if value != 0 { yes } else { no }, Command::Skip, span);
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Not(inner) => self.branch(inner, no, yes),
            ExprKind::And(a, b) => {
                let middle = self.program.add_location();
                self.branch(a, middle, no)?;
                self.here = middle;
                self.branch(b, yes, no)
            }
            ExprKind::Or(a, b) => {
                let middle = self.program.add_location();
                self.branch(a, yes, middle)?;
                self.here = middle;
                self.branch(b, yes, no)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.branch(b, yes, no)
            }
            ExprKind::Conditional(test, a, b) if expr.ty.is_scalar() => {
                let (then, otherwise) = (self.program.add_location(), self.program.add_location());
                self.branch(test, then, otherwise)?;
                self.here = then;
                self.branch(a, yes, no)?;
                self.here = otherwise;
                self.branch(b, yes, no)
            }
            ExprKind::Convert(inner)
                if inner.ty.int().is_some()
                    && expr.ty.int().is_some_and(|to| {
                        to == super::super::types::BOOL
                            || inner
                                .ty
                                .int()
                                .is_some_and(|from| super::super::check::convert::widens(from, to))
                    }) =>
            {
                // The value is kept, so it is 0 exactly when the inner one is.
                self.branch(inner, yes, no)
            }
            ExprKind::Compare(cmp, a, b) => {
                let condition = self.comparison(*cmp, a, b, span)?;
                self.split(condition, yes, no, span);
                Ok(())
            }
            _ => {
                let value = self.value(expr)?;
                let condition = self.not_zero(value, span)?;
                self.split(condition, yes, no, span);
                Ok(())
            }
        }
    }

    fn split(&mut self, condition: Cond, yes: LocationId, no: LocationId, span: Span) {
        if let Cond::Const(value) = condition {
            self.emit_to(if value { yes } else { no }, Command::Skip, span);
            return;
        }
        let negated = condition.negated();
        self.emit_to(yes, Command::Assume(condition), span);
        self.emit_to(no, Command::Assume(negated), span);
    }

    fn not_zero(&mut self, value: Value, span: Span) -> Lowering<Cond> {
        Ok(match value {
            Value::Int(value) => Cond::ne(value, Pure::Int(0)),
            Value::Ptr(value, of) => Cond::ne(value, Pure::Null(of)),
            Value::Null => Cond::Const(false),
            Value::Fat(parts, _) => Cond::ne(parts[0].clone(), Pure::Int(0)),
            Value::Address(_) | Value::Text(_) => Cond::Const(true),
            _ => return self.unsupported(span, "this test is not modelled"),
        })
    }

    /// A comparison of two values, both evaluated.
    fn comparison(&mut self, cmp: Cmp, a: &Expr, b: &Expr, span: Span) -> Lowering<Cond> {
        if a.ty.int().is_some() {
            let (a, b) = (self.int(a)?, self.int(b)?);
            self.before_comparison(&a, &b, span);
            return Ok(Cond::Compare(cmp, a, b));
        }
        let ty = if a.ty.pointee() == Some(&Ty::Void) { &b.ty } else { &a.ty };
        let (a, b) = (self.value(a)?, self.value(b)?);
        let a = self.settled(a, ty, span)?;
        let b = self.settled(b, ty, span)?;
        let equal = match (a, b) {
            // Which texts lie in the same place is left open by C.
            (Value::Ptr(..), Value::Ptr(..)) if self.unit.usage.has_texts() && is_character(ty) => {
                return self.unsupported(span, "a comparison of pointers to text is not modelled");
            }
            (Value::Null, other) | (other, Value::Null) => self.not_zero(other, span)?.negated(),
            (Value::Ptr(x, of_x), Value::Ptr(y, of_y)) if of_x == of_y => Cond::eq(x, y),
            (Value::Fat(x, of_x), Value::Fat(y, of_y)) if of_x == of_y => {
                Cond::And(x.into_iter().zip(y).map(|(x, y)| Cond::eq(x, y)).collect())
            }
            (x @ Value::Fat(..), y @ Value::Ptr(..)) | (x @ Value::Ptr(..), y @ Value::Fat(..)) => {
                let Some(target) = ty.pointee() else {
                    return self.unsupported(span, "this test is not modelled");
                };
                let (x, y) = (self.fat_parts(x, target, span)?, self.fat_parts(y, target, span)?);
                Cond::And(x.into_iter().zip(y).map(|(x, y)| Cond::eq(x, y)).collect())
            }
            _ => return self.unsupported(span, "a comparison of these pointers is not modelled"),
        };
        Ok(if cmp == Cmp::Eq { equal } else { equal.negated() })
    }

    /// Allocation happens before the comparison, and texts have cells then.
    fn settled(&mut self, value: Value, ty: &Ty, span: Span) -> Lowering<Value> {
        match value {
            Value::Fresh { .. } => self.allocate(value, ty, None, span),
            Value::Text(text) => self.text(text),
            value => Ok(value),
        }
    }

    /// 1 or 0.
    pub(super) fn truth_value(&mut self, expr: &Expr, into: Option<VarId>) -> Lowering<Value> {
        let span = expr.span;
        let (yes, no, end) =
            (self.program.add_location(), self.program.add_location(), self.program.add_location());
        self.branch(expr, yes, no)?;
        // `into` may occur in the test, which is over by now.
        let fits = |v: &VarId| matches!(self.program.vars[v.index()].ty, Type::Int(_));
        let to = into.filter(fits).unwrap_or_else(|| self.temp(Type::Int(IntKind::INT), span));
        for (start, value) in [(yes, 1), (no, 0)] {
            self.here = start;
            self.emit_to(end, Command::Assign(to, Pure::Int(value)), span);
        }
        self.here = end;
        Ok(Value::Int(Pure::Var(to)))
    }
}
