//! Values of expressions.

use super::super::check::convert::{constant, widens, wrap};
use super::super::hir::{Demand, Expr, ExprKind, Stmt, StmtKind};
use super::super::types::{BOOL, RecordId, Ty};
use super::layout::Repr;
use super::place::Place;
use super::text::Text;
use super::{Binding, Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{
    At, BinOp, Check, Cmp, Command, Expr as Pure, Formula, IntKind, StructId, Term, Type, VarId,
};

/// A value that was computed.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Void,
    Int(Pure),
    Ptr(Pure, StructId),
    /// The null pointer of any type.
    Null,
    /// A fat pointer to this type: tag and components.
    Fat(Vec<Pure>, Ty),
    /// The address of an object that a transparent parameter stands for.
    Address(Box<Place>),
    /// A struct: the cell it lies in, and where in it.
    Struct(VarId, RecordId, Vec<u32>),
    Array(VarId),
    /// `malloc` or `calloc` before its type is known; the size if it is constant, the type if it was named.
    Fresh {
        bytes: Option<i128>,
        named: Option<Ty>,
        zeroed: bool,
    },
    /// A string literal that has no cell yet.
    Text(Text),
}

/// Which value of an update is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Old,
    New,
    Nothing,
}

impl Lowerer<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Lowering<Value> {
        self.value_into(expr, None)
    }

    /// The value of an expression; a scalar that needs a variable goes into `into`.
    pub(super) fn value_into(&mut self, expr: &Expr, into: Option<VarId>) -> Lowering<Value> {
        self.nested(expr.span, |l| l.any_value(expr, into))
    }

    fn any_value(&mut self, expr: &Expr, into: Option<VarId>) -> Lowering<Value> {
        let span = expr.span;
        if expr.ty.int().is_some()
            && let Some(value) = constant(expr)
        {
            return Ok(Value::Int(Pure::Int(value)));
        }
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Int(Pure::Int(*value))),
            ExprKind::Sizeof(..) => self.unsupported(span, "the size of this type is not modelled"),
            ExprKind::Null => Ok(Value::Null),
            ExprKind::Str(bytes) => Ok(Value::Text(Text::new(bytes, span))),
            ExprKind::Var(variable) => match self.binding(*variable, span)? {
                Binding::Alias(place) => Ok(Value::Address(Box::new(place))),
                Binding::Text(text) => Ok(Value::Text(text)),
                _ => {
                    let place = self.place(expr)?;
                    self.read(place, &expr.ty, into, span)
                }
            },
            ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                let place = self.place(expr)?;
                self.read(place, &expr.ty, into, span)
            }
            ExprKind::Address(inner) => {
                let place = self.place(inner)?;
                self.address(place, &expr.ty, span)
            }
            ExprKind::Neg(inner) => {
                let operand = self.int(inner)?;
                let value = Pure::Neg(Box::new(self.before_negation(operand, &expr.ty, span)));
                Ok(Value::Int(modulo(value, &expr.ty)))
            }
            ExprKind::BitNot(inner) => {
                let value = Pure::BitNot(Box::new(self.int(inner)?));
                Ok(Value::Int(modulo(value, &expr.ty)))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b_ty) = (self.int(a)?, &b.ty);
                let b = self.int(b)?;
                self.arithmetic(*op, a, b, &expr.ty, b_ty, span).map(Value::Int)
            }
            ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                self.truth_value(expr, into)
            }
            ExprKind::Conditional(test, yes, no) => self.conditional(expr, test, yes, no, into),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value_into(b, into)
            }
            ExprKind::Assign(target, value) => self.assignment(target, value, span),
            ExprKind::Update { target, op, value, compute, old } => {
                let wanted = if *old { Wanted::Old } else { Wanted::New };
                self.update(target, *op, value, compute, wanted, span)
            }
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments, expr, into),
            ExprKind::Convert(inner) => self.conversion(inner, &expr.ty, into, span),
            ExprKind::Moved(inner, Demand::Made(first, end)) => {
                let outer = self.making.take();
                self.making = expr.ty.target().map(|record| (record, *first, *end));
                let value = self.value_into(inner, into);
                self.making = outer;
                value
            }
            ExprKind::Moved(inner, demand) => {
                let value = self.value(inner)?;
                self.moved(value, *demand, span)
            }
            ExprKind::Block(statements) => self.block_value(statements),
            ExprKind::Unmodelled(_, diagnostic) => self.reported(diagnostic),
            ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Offset(..)
            | ExprKind::Difference(..)
            | ExprKind::CallPointer(..) => self.unsupported(span, "this value is not modelled"),
        }
    }

    /// An expression for its effects.
    pub(super) fn effect(&mut self, expr: &Expr) -> Lowering<()> {
        match &expr.kind {
            ExprKind::Update { target, op, value, compute, .. } => {
                self.update(target, *op, value, compute, Wanted::Nothing, expr.span)?;
            }
            ExprKind::Convert(inner) if expr.ty == Ty::Void => return self.effect(inner),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                return self.effect(b);
            }
            ExprKind::Conditional(test, yes, no) => {
                let (then, otherwise, end) =
                    (self.program.add_location(), self.program.add_location(), self.program.add_location());
                self.branch(test, then, otherwise)?;
                for (start, arm) in [(then, yes), (otherwise, no)] {
                    self.here = start;
                    self.effect(arm)?;
                    self.emit_to(end, Command::Skip, expr.span);
                }
                self.here = end;
            }
            // The value is not used, but whether it can be read still matters.
            _ => {
                if let Value::Fresh { .. } = self.value(expr)? {
                    return self
                        .unsupported(expr.span, "memory that is allocated and not used is not modelled");
                }
            }
        }
        Ok(())
    }

    /// The value of an integer expression.
    pub(super) fn int(&mut self, expr: &Expr) -> Lowering<Pure> {
        match self.value(expr)? {
            Value::Int(value) => Ok(value),
            _ => self.unsupported(expr.span, "a number is expected here"),
        }
    }

    /// A value as a scalar of the type.
    pub(super) fn pure(&mut self, value: Value, ty: &Ty, span: Span) -> Lowering<Pure> {
        let Repr::Scalar(expected) = self.repr(ty, span)? else {
            return self.unsupported(span, "this value is not modelled");
        };
        match (value, expected) {
            (Value::Int(value), Type::Int(_)) => Ok(value),
            (Value::Ptr(value, of), Type::Ptr(id)) if of == id => Ok(value),
            (Value::Null, Type::Ptr(id)) => Ok(Pure::Null(id)),
            (Value::Text(text), Type::Ptr(_)) => {
                let value = self.text(text)?;
                self.pure(value, ty, span)
            }
            (fresh @ Value::Fresh { .. }, Type::Ptr(_)) => {
                let value = self.allocate(fresh, ty, None, span)?;
                self.pure(value, ty, span)
            }
            _ => self.unsupported(span, "this value is not modelled"),
        }
    }

    fn arithmetic(&mut self, op: BinOp, a: Pure, b: Pure, ty: &Ty, b_ty: &Ty, span: Span) -> Lowering<Pure> {
        let kind = ty.int().unwrap_or(IntKind::INT);
        let mut b = b;
        let (check, what) = match op {
            BinOp::Div | BinOp::Rem => (true, "division by zero"),
            BinOp::Shl | BinOp::Shr => (true, "shift by more than the width"),
            _ => (false, ""),
        };
        if check {
            let width = i128::from(kind.bits);
            let known = match (&b, op) {
                (Pure::Int(n), BinOp::Div | BinOp::Rem) => *n != 0,
                (Pure::Int(n), _) => (0..width).contains(n),
                _ => false,
            };
            if !known {
                let ty = Type::Int(b_ty.int().unwrap_or(kind));
                let var = self.in_var(b, ty, span);
                let divisor = Term::Var(var, At::Now);
                let formula = match op {
                    BinOp::Div | BinOp::Rem => Formula::ne(divisor, Term::Int(0)),
                    _ => Formula::And(vec![
                        Formula::Compare(Cmp::Ge, divisor.clone(), Term::Int(0)),
                        Formula::Compare(Cmp::Lt, divisor, Term::Int(width)),
                    ]),
                };
                let (check, counts) = match op {
                    BinOp::Div | BinOp::Rem => (Check::Asserts, self.unit.options.counts_assert()),
                    _ => self.shift_check(),
                };
                self.emit(
                    match counts {
                        true => Command::Assert { formula, check, what: what.to_owned() },
                        // It has no meaning in C, and nobody asks about it.
                        false => Command::Suppose(formula),
                    },
                    span,
                );
                b = Pure::Var(var);
            }
        }
        let (a, b) = self.before_arithmetic(op, a, b, ty, span);
        let value = Pure::Binary(op, Box::new(a), Box::new(b));
        // Of unsigned operands these stay in range by themselves.
        let exact =
            matches!(op, BinOp::Div | BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Shr);
        Ok(if exact { value } else { modulo(value, ty) })
    }

    fn conditional(
        &mut self,
        whole: &Expr,
        test: &Expr,
        yes: &Expr,
        no: &Expr,
        into: Option<VarId>,
    ) -> Lowering<Value> {
        let span = whole.span;
        if whole.ty == Ty::Void {
            self.effect(whole)?;
            return Ok(Value::Void);
        }
        let (place, result) = match self.repr(&whole.ty, span)? {
            Repr::Scalar(ty) => {
                let var = match into {
                    Some(var) if self.program.vars[var.index()].ty == ty => var,
                    _ => self.temp(ty, span),
                };
                (Place::Var(var), self.scalar_value(Pure::Var(var), &whole.ty, span)?)
            }
            Repr::Fat(target) => {
                let vars = self.fat_vars("#", &target, crate::program::VarKind::Temp, span)?;
                let value = Value::Fat(vars.iter().copied().map(Pure::Var).collect(), target.clone());
                (Place::Fat(vars, target), value)
            }
            Repr::Struct(_) => return self.unsupported(span, "a choice between structs is not modelled"),
        };
        let (then, otherwise, end) =
            (self.program.add_location(), self.program.add_location(), self.program.add_location());
        self.branch(test, then, otherwise)?;
        for (start, arm) in [(then, yes), (otherwise, no)] {
            self.here = start;
            let value = self.value(arm)?;
            self.write(&place, value, &whole.ty, arm.span)?;
            self.emit_to(end, Command::Skip, span);
        }
        self.here = end;
        Ok(result)
    }

    pub(super) fn assignment(&mut self, target: &Expr, value: &Expr, span: Span) -> Lowering<Value> {
        let place = self.place(target)?;
        let into = match &place {
            Place::Var(var) => Some(*var),
            _ => None,
        };
        let value = self.value_into(value, into)?;
        let value = match value {
            fresh @ Value::Fresh { .. } => self.allocate(fresh, &target.ty, into, span)?,
            value => value,
        };
        self.write(&place, value.clone(), &target.ty, span)?;
        match place {
            // The value of the whole is what the object holds now.
            Place::Var(_) | Place::Fat(..) | Place::Struct(..) => self.read(place, &target.ty, None, span),
            _ => Ok(value),
        }
    }

    fn update(
        &mut self,
        target: &Expr,
        op: BinOp,
        value: &Expr,
        compute: &Ty,
        wanted: Wanted,
        span: Span,
    ) -> Lowering<Value> {
        let place = self.place(target)?;
        let operand = self.int(value)?;
        let Value::Int(mut before) = self.read(place.clone(), &target.ty, None, span)? else {
            return self.unsupported(span, "a number is expected here");
        };
        if wanted == Wanted::Old {
            // The old value has to outlive the assignment.
            let Repr::Scalar(ty) = self.repr(&target.ty, span)? else {
                return self.unsupported(span, "a number is expected here");
            };
            let kept = self.temp(ty, span);
            self.emit(Command::Assign(kept, before), span);
            before = Pure::Var(kept);
        }
        let left = convert_int(before.clone(), target.ty.int(), compute.int());
        let result = self.arithmetic(op, left, operand, compute, &value.ty, span)?;
        let result = match target.ty.int() {
            Some(kind) if kind == BOOL => {
                let to = self.temp(Type::Int(BOOL), span);
                self.choose(crate::program::Cond::ne(result, Pure::Int(0)), to, 1, 0, span);
                Pure::Var(to)
            }
            kind => convert_int(result, compute.int(), kind),
        };
        self.write(&place, Value::Int(result), &target.ty, span)?;
        match wanted {
            Wanted::Old => return Ok(Value::Int(before)),
            Wanted::Nothing => return Ok(Value::Void),
            Wanted::New => {}
        }
        match place {
            Place::Var(var) => Ok(Value::Int(Pure::Var(var))),
            place => self.read(place, &target.ty, None, span),
        }
    }

    fn conversion(&mut self, inner: &Expr, to: &Ty, into: Option<VarId>, span: Span) -> Lowering<Value> {
        match to {
            Ty::Void => {
                self.effect(inner)?;
                Ok(Value::Void)
            }
            Ty::Int(kind) if *kind == BOOL => {
                if is_truth(inner) || inner.ty.int() == Some(BOOL) {
                    return self.value_into(inner, into);
                }
                self.truth_value(inner, into)
            }
            Ty::Int(kind) => {
                let value = self.int(inner)?;
                Ok(Value::Int(convert_int(value, inner.ty.int(), Some(*kind))))
            }
            Ty::Pointer(target) => {
                let value = self.value_into(inner, into)?;
                if **target == Ty::Void {
                    return Ok(value);
                }
                match value {
                    fresh @ Value::Fresh { .. } => self.allocate(fresh, to, into, span),
                    Value::Null => Ok(Value::Null),
                    Value::Ptr(pointer, of) => match self.repr(to, span)? {
                        Repr::Scalar(Type::Ptr(id)) if id == of => Ok(Value::Ptr(pointer, of)),
                        _ => self.unsupported(span, "a pointer is used with another type than its object's"),
                    },
                    Value::Fat(parts, of) if of == **target => Ok(Value::Fat(parts, of)),
                    _ => self.unsupported(span, "this conversion is not modelled"),
                }
            }
            _ => self.unsupported(span, "this conversion is not modelled"),
        }
    }

    fn block_value(&mut self, statements: &[Stmt]) -> Lowering<Value> {
        let Some((last, before)) = statements.split_last() else { return Ok(Value::Void) };
        let StmtKind::Expr(result) = &last.kind else {
            self.block(statements, last.span);
            return Ok(Value::Void);
        };
        self.enter_scope(statements, last.span);
        self.statements(before);
        let value = self.value(result);
        let value = match value {
            Ok(Value::Int(value)) => {
                // The block's variables may be used again before the value is.
                let ty = Type::Int(result.ty.int().unwrap_or(IntKind::INT));
                let kept = self.temp(ty, last.span);
                self.emit(Command::Assign(kept, value), last.span);
                Ok(Value::Int(Pure::Var(kept)))
            }
            Ok(Value::Ptr(value, of)) => {
                let kept = self.temp(Type::Ptr(of), last.span);
                self.emit(Command::Assign(kept, value), last.span);
                Ok(Value::Ptr(Pure::Var(kept), of))
            }
            Ok(other @ (Value::Void | Value::Null)) => Ok(other),
            Ok(_) => self.unsupported(last.span, "the value of this block is not modelled"),
            Err(failed) => Err(failed),
        };
        self.leave_scope(last.span);
        value
    }
}

/// Unsigned arithmetic is modulo 2^n; signed arithmetic is mathematical.
fn modulo(value: Pure, ty: &Ty) -> Pure {
    match ty.int() {
        Some(kind) if !kind.signed => Pure::Wrap(kind, Box::new(value)),
        _ => value,
    }
}

/// A conversion between integers other than to `_Bool`.
fn convert_int(value: Pure, from: Option<IntKind>, to: Option<IntKind>) -> Pure {
    match (from, to) {
        (Some(from), Some(to)) if !widens(from, to) => match value {
            Pure::Int(n) => Pure::Int(wrap(n, to)),
            value => Pure::Wrap(to, Box::new(value)),
        },
        _ => value,
    }
}

/// The value is 0 or 1.
pub(super) fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::And(..) | ExprKind::Or(..) => true,
        ExprKind::Convert(inner) => {
            expr.ty.int().is_some() && (is_truth(inner) || inner.ty.int() == Some(BOOL))
        }
        ExprKind::Int(value) => matches!(value, 0 | 1),
        _ => false,
    }
}
