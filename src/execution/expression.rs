//! Values of expressions.

use super::access::is_pointer;
use super::machine::{Doing, Flow, Machine};
use super::memory::pointer;
use super::value::{Linear, Value};
use crate::frontend::c::hir::{Expr, ExprKind, Stmt, StmtKind};
use crate::frontend::c::types::Ty;
use crate::program::{BinOp, IntKind};
use crate::util::span::Span;

impl<'a> Machine<'a> {
    /// The value of an expression, and its effects.
    pub(super) fn value(&mut self, expr: &'a Expr) -> Doing<Value> {
        let expr = expr.exact();
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::int(*value)),
            ExprKind::Float(value) => match expr.ty {
                Ty::Float(kind) => Ok(Value::float(*value, kind)),
                _ => Ok(Value::Float(*value)),
            },
            ExprKind::Function(index) => Ok(Value::Function(*index)),
            ExprKind::Sizeof(_, Some(size)) => Ok(Value::int(*size)),
            ExprKind::Sizeof(Ty::Array(_, None), None) => {
                self.give_up(span, "the size of an array whose length is computed")
            }
            ExprKind::Sizeof(ty, None) => Ok(Value::int(i128::from(self.size(ty, span)?))),
            ExprKind::Null => Ok(Value::int(0)),
            ExprKind::Str(bytes) => Ok(pointer(self.literal(bytes, span)?)),
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                let place = self.place(expr)?;
                match expr.ty {
                    Ty::Array(..) if !is_pointer(expr) => Ok(place.address),
                    Ty::Function(_) => Ok(place.address),
                    _ => self.load(&place, &expr.ty, span),
                }
            }
            ExprKind::Address(inner) => Ok(self.place(inner)?.address),
            ExprKind::Neg(inner) => match self.value(inner)? {
                Value::Float(x) => Ok(Value::Float(-x)),
                Value::AnyFloat => Ok(Value::AnyFloat),
                value => self.binary(BinOp::Sub, Value::int(0), value, kind_of(expr), span),
            },
            ExprKind::BitNot(inner) => {
                // ~x is -1 - x, and never beyond a signed kind.
                let value = self.value(inner)?;
                self.binary(BinOp::Sub, Value::int(-1), value, kind_of(expr), span)
            }
            ExprKind::Not(inner) => Ok(Value::int(i128::from(!self.test(inner)?))),
            ExprKind::Offset(base, index, backwards) => {
                let mut operands = self.operands(span);
                let base_value = self.value(base)?;
                self.operand_done(&mut operands);
                self.pending.push(base_value.clone());
                let index_value = self.value(index)?;
                self.pending.pop();
                self.operand_done(&mut operands);
                self.operands_end(operands, false, span)?;
                self.offset(base_value, index_value, &base.ty, *backwards, span)
            }
            ExprKind::Difference(a, b) => {
                let (x, y) = self.both(a, b, span)?;
                let size = self.element(&a.ty, span)?;
                match (x, y) {
                    (Value::Pointer(p, x), Value::Pointer(q, y)) if p == q => {
                        let bytes = self.linear(x.plus(-1, &y), span)?;
                        let (quotient, rest) = self.divided(&bytes, i128::from(size.max(1)), span)?;
                        if rest.known() == Some(0) || bytes.step() % i128::from(size.max(1)) == 0 {
                            return Ok(Value::Int(quotient));
                        }
                        self.give_up(span, "the difference of pointers between two elements")
                    }
                    (Value::Int(x), Value::Int(y)) if x == y => Ok(Value::int(0)),
                    _ => {
                        self.give_up(span, "the difference of pointers into different objects has no meaning")
                    }
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = self.both(a, b, span)?;
                match expr.ty {
                    Ty::Float(kind) => self.binary_floats(*op, x, y, kind, span),
                    _ => self.binary(*op, x, y, kind_of(expr), span),
                }
            }
            ExprKind::Compare(cmp, a, b) => {
                let (x, y) = self.both(a, b, span)?;
                Ok(Value::int(i128::from(self.compare(*cmp, x, y, span)?)))
            }
            ExprKind::And(a, b) => Ok(Value::int(i128::from(self.test(a)? && self.test(b)?))),
            ExprKind::Or(a, b) => Ok(Value::int(i128::from(self.test(a)? || self.test(b)?))),
            ExprKind::Conditional(test, yes, no) => {
                if self.test(test)? {
                    self.value(yes)
                } else {
                    self.value(no)
                }
            }
            ExprKind::Comma(a, b) => {
                self.value(a)?;
                self.value(b)
            }
            ExprKind::Assign(target, value) => {
                let mut operands = self.operands(span);
                let value = self.value(value)?;
                self.operand_done(&mut operands);
                self.pending.push(value.clone());
                let place = self.place(target)?;
                self.pending.pop();
                self.operand_done(&mut operands);
                self.put(&place, &target.ty, value.clone(), span)?;
                self.operand_done(&mut operands);
                self.operands_end(operands, true, span)?;
                // What a bit-field keeps may be less.
                match target.exact().kind {
                    ExprKind::Member(..) if expr.ty.int().is_some() => self.load(&place, &target.ty, span),
                    _ => Ok(value),
                }
            }
            ExprKind::Update { target, op, value, compute, old } => {
                self.update(target, *op, value, compute, *old, span)
            }
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments, expr),
            ExprKind::CallPointer(function, arguments) => self.call_pointer(function, arguments, expr),
            ExprKind::Convert(inner) => self.conversion(inner, &expr.ty, span),
            // The second is made for the engines only.
            ExprKind::Unmodelled(inner, _) | ExprKind::Moved(inner, _) => self.value(inner),
            ExprKind::Block(statements) => self.block_value(statements, span),
        }
    }

    /// The values of two operands.
    fn both(&mut self, a: &'a Expr, b: &'a Expr, span: Span) -> Doing<(Value, Value)> {
        let mut operands = self.operands_either(span);
        let reversed = operands.as_ref().is_some_and(|o| o.reversed);
        let (first, second) = if reversed { (b, a) } else { (a, b) };
        let x = self.value(first)?;
        self.operand_done(&mut operands);
        self.pending.push(x.clone());
        let y = self.value(second)?;
        self.pending.pop();
        self.operand_done(&mut operands);
        self.operands_end(operands, false, span)?;
        Ok(if reversed { (y, x) } else { (x, y) })
    }

    fn conversion(&mut self, inner: &'a Expr, to: &Ty, span: Span) -> Doing<Value> {
        if matches!(inner.ty, Ty::Array(..) | Ty::Record(_)) && *to == Ty::Void {
            self.place(inner)?;
            return Ok(Value::Unknown);
        }
        let value = self.value(inner)?;
        self.converted(value, &inner.ty, to, span)
    }

    /// The size of what a pointer of this type points to.
    pub(super) fn element(&self, pointer: &Ty, span: Span) -> Doing<u64> {
        match pointer {
            Ty::Pointer(target) | Ty::Array(target, _) => self.size(target, span),
            _ => self.give_up(span, "this is no pointer"),
        }
    }

    fn offset(&mut self, base: Value, index: Value, ty: &Ty, backwards: bool, span: Span) -> Doing<Value> {
        let size = i128::from(self.element(ty, span)?);
        let Value::Int(index) = index else { return self.give_up(span, "this value is an index") };
        let by = self.linear(index.times(if backwards { -size } else { size }), span)?;
        self.moved(base, &by, span)
    }

    fn update(
        &mut self,
        target: &'a Expr,
        op: BinOp,
        value: &'a Expr,
        compute: &Ty,
        old: bool,
        span: Span,
    ) -> Doing<Value> {
        let mut operands = self.operands(span);
        let right = self.value(value)?;
        self.operand_done(&mut operands);
        self.pending.push(right.clone());
        let place = self.place(target)?;
        self.pending.pop();
        let before = self.load(&place, &target.ty, span)?;
        self.operand_done(&mut operands);
        let after = match compute {
            Ty::Pointer(_) => self.offset(before.clone(), right, compute, op == BinOp::Sub, span)?,
            Ty::Float(kind) => {
                let left = self.converted(before.clone(), &target.ty, compute, span)?;
                let result = self.binary_floats(op, left, right, *kind, span)?;
                self.converted(result, compute, &target.ty, span)?
            }
            _ => {
                let left = self.converted(before.clone(), &target.ty, compute, span)?;
                let kind = compute.int().unwrap_or(IntKind::INT);
                let result = self.binary(op, left, right, kind, span)?;
                self.converted(result, compute, &target.ty, span)?
            }
        };
        self.put(&place, &target.ty, after.clone(), span)?;
        self.operand_done(&mut operands);
        self.operands_end(operands, true, span)?;
        if old {
            return Ok(before);
        }
        match target.exact().kind {
            ExprKind::Member(..) if target.ty.int().is_some() => self.load(&place, &target.ty, span),
            _ => Ok(after),
        }
    }

    /// `({ ... })`: the value of its last expression.
    fn block_value(&mut self, statements: &'a [Stmt], span: Span) -> Doing<Value> {
        let declared: Vec<u32> = statements
            .iter()
            .filter_map(|s| match s.kind {
                StmtKind::Declare(index, _) => Some(index),
                _ => None,
            })
            .collect();
        for index in &declared {
            self.bring(*index)?;
        }
        let mut result = Value::Unknown;
        for (i, statement) in statements.iter().enumerate() {
            match &statement.kind {
                StmtKind::Expr(expr) if i + 1 == statements.len() => result = self.value(expr)?,
                _ => match self.one(statement)? {
                    Flow::Next => {}
                    _ => return self.give_up(span, "a jump out of an expression"),
                },
            }
        }
        for index in declared {
            self.end_local(index);
        }
        Ok(result)
    }

    /// A number of bytes.
    pub(super) fn bytes(&mut self, value: &Value, span: Span) -> Doing<u64> {
        let Value::Int(number) = value else { return self.give_up(span, "this value is a size") };
        let number: Linear = number.clone();
        let bytes = self.concrete(&number, span)?;
        match u64::try_from(bytes) {
            Ok(bytes) => Ok(bytes),
            Err(_) => self.give_up(span, "a negative size"),
        }
    }
}

fn kind_of(expr: &Expr) -> IntKind {
    expr.ty.int().unwrap_or(IntKind::INT)
}
