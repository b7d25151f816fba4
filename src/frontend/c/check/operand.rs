//! `sizeof`, `_Alignof` and `typeof`: types of operands that are not evaluated.
//!
//! Only the type counts, so more has a meaning here than in code that runs: arrays inside structs, unions, arithmetic
//! on pointers. And an array stays an array: a string literal has the size of its characters.

use super::super::ast::{self, BinaryOp, UnaryOp};
use super::super::hir::{Expr, ExprKind, Variable};
use super::super::types::Ty;
use super::convert::common;
use super::{Checker, Checking, Entity};
use crate::frontend::diagnostic::Span;
use crate::program::{BinOp, IntKind};
use std::sync::Arc;

const CHAR: Ty = Ty::Int(IntKind { bits: 8, signed: true });

/// The type of a string literal with so many bytes before its zero.
pub(super) fn string_type(bytes: usize) -> Ty {
    Ty::Array(Arc::new(CHAR), Some(bytes as u64 + 1))
}

/// What is left of an array where its value is wanted.
fn decayed(ty: Ty) -> Ty {
    match ty {
        Ty::Array(element, _) => Ty::Pointer(element),
        Ty::Function(_) => ty.pointer(),
        other => other,
    }
}

impl Checker<'_> {
    /// The type of an expression that is not evaluated.
    pub(super) fn operand_type(&mut self, expr: &ast::Expr) -> Checking<Ty> {
        use ast::ExprKind as K;
        let span = expr.span;
        match &expr.kind {
            K::Str(bytes) => Ok(string_type(bytes.len())),
            K::Char(_) => Ok(Ty::INT),
            K::Name(name) => self.type_of_name(*name, span),
            K::Unary(UnaryOp::Address, inner) => Ok(self.operand_type(inner)?.pointer()),
            K::Unary(UnaryOp::Deref, inner) => {
                let pointer = self.value_type(inner)?;
                self.target_type(&pointer, span)
            }
            K::Unary(UnaryOp::Not, _) => Ok(Ty::INT),
            K::Unary(_, inner) => match self.value_type(inner)? {
                Ty::Int(kind) => Ok(Ty::Int(common(kind, IntKind::INT))),
                _ => self.type_as_evaluated(expr),
            },
            K::Binary(BinaryOp::Arithmetic(op), a, b) => {
                let (a, b) = (self.value_type(a)?, self.value_type(b)?);
                self.type_of_arithmetic(*op, a, b, expr)
            }
            K::Binary(BinaryOp::Compare(_) | BinaryOp::And | BinaryOp::Or, ..) => Ok(Ty::INT),
            K::Assign(_, target, _) | K::Step { target, .. } => self.operand_type(target),
            K::Comma(_, last) => self.value_type(last),
            K::Conditional(_, yes, no) => match (self.value_type(yes)?, self.value_type(no)?) {
                (Ty::Int(a), Ty::Int(b)) => Ok(Ty::Int(common(a, b))),
                (a, b) if a == b => Ok(a),
                _ => self.type_as_evaluated(expr),
            },
            K::Index(array, index) => {
                let (array, index) = (self.value_type(array)?, self.value_type(index)?);
                let pointer = if array.int().is_some() { index } else { array };
                self.target_type(&pointer, span)
            }
            K::Member { base, field, field_span, arrow } => {
                let base = if *arrow {
                    let pointer = self.value_type(base)?;
                    self.target_type(&pointer, span)?
                } else {
                    self.operand_type(base)?
                };
                self.type_of_member(base, *field, *field_span, span)
            }
            K::Call(function, _) => match &function.kind {
                K::Name(name) => match self.lookup(*name) {
                    Some(Entity::Function(index)) => {
                        Ok(self.checked.functions[*index as usize].result.clone())
                    }
                    _ => self.type_as_evaluated(expr),
                },
                _ => self.type_as_evaluated(expr),
            },
            K::Cast(ty, _) => Ok(self.resolve(ty)),
            K::Compound(ty, init, _) => {
                let ty = self.resolve(ty);
                Ok(self.complete_array(ty, Some(init)))
            }
            K::SizeofType(_) | K::SizeofExpr(_) | K::Alignof(..) => Ok(Ty::Int(self.size_kind())),
            _ => self.type_as_evaluated(expr),
        }
    }

    /// Like [`Checker::operand_type`], after an array has become a pointer.
    fn value_type(&mut self, expr: &ast::Expr) -> Checking<Ty> {
        self.operand_type(expr).map(decayed)
    }

    /// The type that evaluation would give. What evaluation would declare is forgotten.
    fn type_as_evaluated(&mut self, expr: &ast::Expr) -> Checking<Ty> {
        let (literals, automatic) = (self.current.literals.len(), self.current.automatic.len());
        let checked = self.expression(expr);
        self.current.literals.truncate(literals);
        self.current.automatic.truncate(automatic);
        checked.map(|e| e.ty)
    }

    fn type_of_name(&mut self, name: super::Name, span: Span) -> Checking<Ty> {
        match self.lookup(name).cloned() {
            Some(Entity::Var(variable)) => {
                let ty = self.type_of(variable);
                if let Ty::Unsupported(what) = ty {
                    let message = format!("`{}` is {what}, which is not modelled", self.text(name));
                    return self.unsupported(span, message);
                }
                // A parameter that is written as an array is a pointer.
                let parameter = matches!(variable, Variable::Local(i) if i < self.current.parameters);
                Ok(if parameter { decayed(ty) } else { ty })
            }
            Some(Entity::Function(_)) => self.name(name, span).map(|e| e.ty),
            None => match self.function_name(name) {
                Some(text) => Ok(string_type(text.len())),
                None => self.name(name, span).map(|e| e.ty),
            },
            _ => self.name(name, span).map(|e| e.ty),
        }
    }

    fn target_type(&mut self, pointer: &Ty, span: Span) -> Checking<Ty> {
        match pointer {
            Ty::Pointer(target) => Ok((**target).clone()),
            Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
            other => {
                let message = format!("a pointer is expected, found `{}`", self.types.show(other));
                self.error("wrong-type", span, message)
            }
        }
    }

    fn type_of_member(&mut self, base: Ty, field: super::Name, field_span: Span, span: Span) -> Checking<Ty> {
        let Ty::Record(id) = base else {
            if let Ty::Unsupported(what) = base {
                return self.unsupported(span, format!("{what} is not modelled"));
            }
            let message = format!("`{}` is no struct", self.types.show(&base));
            return self.error("wrong-type", span, message);
        };
        let path = self.find_member(id, field, field_span)?;
        let mut ty = Ty::Record(id);
        for index in path {
            let Ty::Record(around) = ty else {
                return self.error("wrong-type", span, "a struct is expected");
            };
            let Some(member) = self.types.member_at(around, index) else {
                return self.error("wrong-type", span, "the struct has no such member");
            };
            if member.width.is_some() {
                return self.error("wrong-type", span, "a bit-field has no size in bytes");
            }
            ty = member.ty.clone();
        }
        match ty {
            Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
            ty => Ok(ty),
        }
    }

    fn type_of_arithmetic(&mut self, op: BinOp, a: Ty, b: Ty, expr: &ast::Expr) -> Checking<Ty> {
        match (op, &a, &b) {
            (BinOp::Shl | BinOp::Shr, Ty::Int(kind), Ty::Int(_)) => Ok(Ty::Int(common(*kind, IntKind::INT))),
            (_, Ty::Int(x), Ty::Int(y)) => Ok(Ty::Int(common(*x, *y))),
            (BinOp::Add | BinOp::Sub, Ty::Pointer(_), Ty::Int(_)) => Ok(a),
            (BinOp::Add, Ty::Int(_), Ty::Pointer(_)) => Ok(b),
            (BinOp::Sub, Ty::Pointer(_), Ty::Pointer(_)) => {
                Ok(Ty::Int(IntKind { signed: true, ..self.size_kind() }))
            }
            _ => self.type_as_evaluated(expr),
        }
    }

    /// The size of a type as a constant.
    pub(super) fn sizeof(&mut self, ty: Ty, span: Span) -> Checking<Expr> {
        if let Ty::Record(id) = ty
            && !self.is_complete(id)
        {
            let message = format!("`{}` is not complete here", self.types.show(&ty));
            return self.error("incomplete-type", span, message);
        }
        let size = match ty {
            // As GCC and Clang have it.
            Ty::Void | Ty::Function(_) => Some(1),
            _ => self.types.layout(&ty).map(|(size, _)| i128::from(size)),
        };
        Ok(self.make(ExprKind::Sizeof(ty, size), Ty::Int(self.size_kind()), span))
    }

    /// The alignment of a type as a constant. On 32-bit x86 compilers do not agree about integers of 64 bits.
    pub(super) fn alignof(&mut self, ty: &Ty, gnu: bool, span: Span) -> Checking<Expr> {
        let simple = matches!(ty, Ty::Int(IntKind { bits: ..=32, .. }) | Ty::Pointer(_));
        let known = self.types.layout(ty).filter(|_| self.types.lp64 || (simple && !gnu));
        let complete = !matches!(ty, Ty::Record(id) if !self.is_complete(*id));
        match known.filter(|_| complete) {
            Some((_, align)) => {
                Ok(self.make(ExprKind::Int(i128::from(align)), Ty::Int(self.size_kind()), span))
            }
            None => self.unsupported(span, "the alignment of this type is not modelled"),
        }
    }

    /// `offsetof(T, m.n[2])`
    pub(super) fn offset_of(
        &mut self,
        ty: &ast::TypeExpr,
        way: &[ast::Designator],
        span: Span,
    ) -> Checking<Expr> {
        let mut ty = self.resolve(ty);
        let mut offset = 0u64;
        for step in way {
            match (step, ty) {
                (ast::Designator::Field(name, field_span), Ty::Record(id)) => {
                    let path = self.find_member(id, *name, *field_span)?;
                    let mut around = id;
                    let mut found = Ty::Record(id);
                    for index in path {
                        if let Ty::Record(inner) = found {
                            around = inner;
                        }
                        let record = self.types.record(around);
                        let (Some(place), Some(member)) =
                            (record.offsets.get(index as usize), self.types.member_at(around, index))
                        else {
                            return self.unsupported(span, "where this member lies is not known");
                        };
                        if member.width.is_some() {
                            return self.error("wrong-type", *field_span, "a bit-field has no offset");
                        }
                        offset += place.byte;
                        found = member.ty.clone();
                    }
                    ty = found;
                }
                (ast::Designator::Index(index), Ty::Array(element, _)) => {
                    let size = self.types.layout(&element).map(|(size, _)| size);
                    let index_value = self.constant_expression(index).and_then(|n| u64::try_from(n).ok());
                    let (Some(size), Some(n)) = (size, index_value) else {
                        return self.unsupported(index.span, "an offset that is no constant is not modelled");
                    };
                    offset = offset.saturating_add(size.saturating_mul(n));
                    ty = (*element).clone();
                }
                (_, Ty::Unsupported(what)) => {
                    return self.unsupported(span, format!("{what} is not modelled"));
                }
                (_, ty) => {
                    let message = format!("`{}` has no such part", self.types.show(&ty));
                    return self.error("wrong-type", span, message);
                }
            }
        }
        Ok(self.make(ExprKind::Int(i128::from(offset)), Ty::Int(self.size_kind()), span))
    }

    /// `size_t`
    pub(super) fn size_kind(&self) -> IntKind {
        IntKind { bits: if self.types.lp64 { 64 } else { 32 }, signed: false }
    }

    /// The name of the present function, if that is what `__func__` and the like say.
    pub(super) fn function_name(&self, name: super::Name) -> Option<String> {
        let known = matches!(self.text(name), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__");
        let function = self.current.index.filter(|_| known)?;
        Some(self.text(self.checked.functions[function as usize].name).to_owned())
    }
}
