//! Expressions of code.

use super::super::ast::{self, BinaryOp, UnaryOp};
use super::super::hir::{Expr, ExprKind, Intrinsic, Stmt, StmtKind, Variable};
use super::super::number::Literal;
use super::super::types::{RecordId, Signature, Ty};
use super::convert::{FLOATING, unmodelled, unmodelled_as};
use super::{Checker, Checking, Entity};
use crate::frontend::diagnostic::{Diagnostic, Severity, Span};
use crate::program::{BinOp, Cmp, IntKind};
use std::sync::Arc;

/// What is known by name, with the type of its result.
pub(crate) fn intrinsic(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "malloc" => Intrinsic::Malloc,
        "calloc" => Intrinsic::Calloc,
        "realloc" => Intrinsic::Realloc,
        "free" => Intrinsic::Free,
        "abort" => Intrinsic::Abort,
        "exit" => Intrinsic::Exit,
        "_Exit" | "_exit" => Intrinsic::Leave,
        "__catena_assert" | "assert" => Intrinsic::Assert,
        "__assert_fail" | "__assert_rtn" | "__assert" | "__assert_perror_fail" => Intrinsic::AssertFail,
        "reach_error" | "__VERIFIER_error" => Intrinsic::Error,
        "__VERIFIER_assert" => Intrinsic::VerifierAssert,
        "__VERIFIER_assume" => Intrinsic::Assume,
        "printf" | "fprintf" => Intrinsic::Print,
        "puts" | "putchar" | "perror" | "fflush" => Intrinsic::Puts,
        _ if name.starts_with("__VERIFIER_nondet_") => Intrinsic::Nondet,
        _ => return None,
    })
}

/// Known by name even when the unit defines a body: what stands there is the competition's business. A unit's own
/// `malloc` or `exit` is what it says.
pub(crate) fn always_intrinsic(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error" | "__assert_fail")
}

impl Checker<'_> {
    pub(super) fn make(&self, kind: ExprKind, ty: Ty, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    /// A variable as an lvalue.
    pub(super) fn variable(&self, variable: Variable, span: Span) -> Expr {
        self.make(ExprKind::Var(variable), self.type_of(variable), span)
    }

    /// `target = value;`
    pub(super) fn assignment_statement(&self, target: Expr, value: Expr) -> Stmt {
        let (ty, span) = (target.ty.clone(), target.span);
        let kind = ExprKind::Assign(Box::new(target), Box::new(value));
        Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span }
    }

    /// Checks an expression of code.
    pub(super) fn expression(&mut self, expr: &ast::Expr) -> Checking<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Name(name) => self.name(*name, span),
            ast::ExprKind::Int(literal) => self.integer(*literal, span),
            ast::ExprKind::Float(value, kind) => {
                Ok(unmodelled(self.make(ExprKind::Float(*value), Ty::Float(*kind), span), FLOATING))
            }
            ast::ExprKind::Char(value) => Ok(self.make(ExprKind::Int(i128::from(*value)), Ty::INT, span)),
            ast::ExprKind::Str(bytes) => {
                let ty = Ty::Int(IntKind { bits: 8, signed: true }).pointer();
                Ok(self.make(ExprKind::Str(bytes.clone()), ty, span))
            }
            ast::ExprKind::Unary(op, inner) => self.unary(*op, inner, span),
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ast::ExprKind::Assign(op, target, value) => self.assign(*op, target, value, span),
            ast::ExprKind::Step { up, prefix, target } => {
                let target = self.lvalue(target)?;
                let one = self.make(ExprKind::Int(1), Ty::INT, span);
                let op = if *up { BinOp::Add } else { BinOp::Sub };
                self.update(target, op, one, !prefix, span)
            }
            ast::ExprKind::Conditional(test, yes, no) => {
                let test = self.expression(test)?;
                let test = self.scalar(test)?;
                let (yes, no) = (self.expression(yes)?, self.expression(no)?);
                self.choice(test, yes, no, span)
            }
            ast::ExprKind::Otherwise(test, no, name) => self.otherwise(test, no, *name, span),
            ast::ExprKind::Offsetof(ty, way) => self.offset_of(ty, way, span),
            ast::ExprKind::TypesCompatible(one, other) => {
                let same = self.resolve(one) == self.resolve(other);
                Ok(self.make(ExprKind::Int(i128::from(same)), Ty::INT, span))
            }
            ast::ExprKind::VaArg(list, ty) => self.further_argument(list, ty, span),
            ast::ExprKind::Comma(a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                let ty = b.ty.clone();
                Ok(self.make(ExprKind::Comma(Box::new(a), Box::new(b)), ty, span))
            }
            ast::ExprKind::Call(function, arguments) => self.call(function, arguments, span),
            ast::ExprKind::Index(array, index) => self.index(array, index, span),
            ast::ExprKind::Member { base, field, field_span, arrow } => {
                let base = self.expression(base)?;
                let base = if *arrow { self.deref(base, span)? } else { base };
                self.member(base, *field, *field_span, span)
            }
            ast::ExprKind::Cast(ty, inner) => {
                let ty = self.resolve(ty);
                let inner = self.expression(inner)?;
                let converted = self.convert(inner, &ty, true)?;
                Ok(Expr { span, ..converted })
            }
            ast::ExprKind::Compound(ty, init, name) => {
                let ty = self.resolve(ty);
                self.literal(ty, init, *name, span)
            }
            ast::ExprKind::SizeofType(ty) => {
                let ty = self.resolve(ty);
                self.sizeof(ty, span)
            }
            ast::ExprKind::SizeofExpr(inner) => {
                // The operand is not evaluated; only its type counts.
                let ty = self.operand_type(inner)?;
                self.sizeof(ty, span)
            }
            ast::ExprKind::Alignof(ty, gnu) => {
                let ty = self.resolve(ty);
                self.alignof(&ty, *gnu, span)
            }
            ast::ExprKind::Block(statements) => {
                let complaints = self.sink.len();
                let body = self.in_scope(|c| c.statements(statements));
                // Without a statement that was complained about, the type of the block says nothing.
                if self.sink[complaints..].iter().any(|d| d.severity != Severity::Warning) {
                    return Err(super::Failed);
                }
                let ty = match body.last().map(|s| &s.kind) {
                    Some(StmtKind::Expr(last)) => last.ty.clone(),
                    _ => Ty::Void,
                };
                Ok(self.make(ExprKind::Block(body), ty, span))
            }
            ast::ExprKind::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
            ast::ExprKind::Builtin(..)
            | ast::ExprKind::Reach { .. }
            | ast::ExprKind::Quantifier { .. }
            | ast::ExprKind::Set(_)
            | ast::ExprKind::Range(..) => {
                self.error("annotation", span, "this belongs into a formula, not into a statement")
            }
        }
    }

    pub(super) fn name(&mut self, name: super::Name, span: Span) -> Checking<Expr> {
        match self.lookup(name).cloned() {
            Some(Entity::Var(variable)) => {
                let found = self.variable(variable, span);
                if let Ty::Unsupported(what) = found.ty {
                    let message = format!("`{}` is {what}, which is not modelled", self.text(name));
                    return self.unsupported(span, message);
                }
                Ok(found)
            }
            Some(Entity::Constant(value, ty)) => Ok(self.make(ExprKind::Int(value), ty, span)),
            Some(Entity::Function(index)) => Ok(self.function_value(index, span)),
            Some(Entity::Typedef(_)) => {
                let message = format!("`{}` is a type, a value is expected", self.text(name));
                self.error("wrong-type", span, message)
            }
            None if self.function_name(name).is_some() => {
                let ty = Ty::Int(IntKind { bits: 8, signed: true }).pointer();
                let text = self.function_name(name).unwrap_or_default();
                Ok(self.make(ExprKind::Str(text.into_bytes()), ty, span))
            }
            None if self.current.ghost && self.text(name) == "NULL" => {
                Ok(self.make(ExprKind::Null, Ty::Void.pointer(), span))
            }
            None => {
                let text = self.text(name).to_owned();
                let mut diagnostic = crate::frontend::diagnostic::Diagnostic::error(
                    "undeclared",
                    span,
                    format!("`{text}` is not declared"),
                );
                if text == "NULL" {
                    diagnostic = diagnostic.help("add `#include <stddef.h>`");
                }
                self.sink.push(diagnostic);
                Err(super::Failed)
            }
        }
    }

    fn integer(&mut self, literal: Literal, span: Span) -> Checking<Expr> {
        let long = if self.types.lp64 { 64 } else { 32 };
        let least = match literal.longs {
            0 => 32,
            1 => long,
            _ => 64,
        };
        let value = i128::from(literal.value);
        let candidates = [(32, true), (32, false), (64, true), (64, false)];
        let kind = candidates
            .into_iter()
            .filter(|(bits, signed)| *bits >= least && (!literal.unsigned || !signed))
            .filter(|(_, signed)| *signed || literal.unsigned || literal.radix_prefix)
            .map(|(bits, signed)| IntKind { bits, signed })
            .find(|k| value <= IntKind::max(*k));
        match kind {
            Some(kind) => Ok(self.make(ExprKind::Int(value), Ty::Int(kind), span)),
            // Compilers differ: it may be a `__int128`.
            None => self.unsupported(span, "a decimal constant beyond `long long` is not modelled"),
        }
    }

    fn unary(&mut self, op: UnaryOp, inner: &ast::Expr, span: Span) -> Checking<Expr> {
        match op {
            UnaryOp::Address => {
                if let ast::ExprKind::Name(name) = &inner.kind
                    && let Some(Entity::Function(index)) = self.lookup(*name).cloned()
                {
                    let function = self.function_value(index, span);
                    return Ok(self.decay(function));
                }
                let target = self.lvalue(inner)?;
                self.address_of(target, span)
            }
            UnaryOp::Deref => {
                let pointer = self.expression(inner)?;
                self.deref(pointer, span)
            }
            UnaryOp::Not => {
                let inner = self.expression(inner)?;
                let inner = self.scalar(inner)?;
                Ok(self.make(ExprKind::Not(Box::new(inner)), Ty::INT, span))
            }
            UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot => {
                let inner = self.expression(inner)?;
                let floating = matches!(inner.ty, Ty::Float(_)) && op != UnaryOp::BitNot;
                let inner = if floating { inner } else { self.promote(inner)? };
                let ty = inner.ty.clone();
                let kind = match op {
                    UnaryOp::Plus => return Ok(Expr { span, ..inner }),
                    UnaryOp::Neg => ExprKind::Neg(Box::new(inner)),
                    _ => ExprKind::BitNot(Box::new(inner)),
                };
                Ok(self.make(kind, ty, span))
            }
        }
    }

    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Checking<Expr> {
        match pointer.ty.clone() {
            Ty::Pointer(inner) => match &*inner {
                Ty::Void => self.error("wrong-type", span, "a `void *` cannot be dereferenced"),
                // `*f` is `f` again.
                Ty::Function(_) => Ok(pointer),
                Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
                target => {
                    let array = matches!(target, Ty::Array(..));
                    let object = self.make(ExprKind::Deref(Box::new(pointer)), target.clone(), span);
                    Ok(if array {
                        unmodelled(object, "a pointer to an array is not modelled")
                    } else {
                        object
                    })
                }
            },
            Ty::Array(element, _) => {
                let first = self.make(ExprKind::Int(0), Ty::Int(IntKind::INT), span);
                let kind = ExprKind::Index(Box::new(pointer), Box::new(first));
                let object = self.make(kind, (*element).clone(), span);
                let message = "arithmetic on arrays is not modelled: write `a[0]`";
                Ok(if element.is_scalar() { object } else { unmodelled(object, message) })
            }
            Ty::Function(_) => Ok(self.decay(pointer)),
            Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
            other => {
                let message = format!("a pointer is expected, found `{}`", self.types.show(&other));
                self.error("wrong-type", pointer.span, message)
            }
        }
    }

    fn member(&mut self, base: Expr, field: super::Name, field_span: Span, span: Span) -> Checking<Expr> {
        let Ty::Record(id) = base.ty else {
            if let Ty::Unsupported(what) = base.ty {
                return self.unsupported(span, format!("{what} is not modelled"));
            }
            let message = format!("`{}` is no struct", self.types.show(&base.ty));
            return self.error("wrong-type", base.span, message);
        };
        let path = self.find_member(id, field, field_span)?;
        let mut result = base;
        for index in path {
            result = self.step_into(result, index, span)?;
        }
        Ok(result)
    }

    /// The path to a member, or a complaint that names the nearest one.
    pub(crate) fn find_member(&mut self, id: RecordId, field: super::Name, span: Span) -> Checking<Vec<u32>> {
        if let Some(path) = self.types.member(id, field).filter(|_| self.is_complete(id)) {
            return Ok(path);
        }
        let record = self.types.record(id);
        let (name, text) = (record.name.clone(), self.text(field).to_owned());
        let Some(members) = record.members.as_ref().filter(|_| self.is_complete(id)) else {
            return self.error("incomplete-type", span, format!("`{name}` is not complete here"));
        };
        let known: Vec<&str> = members.iter().filter_map(|m| m.name).map(|n| self.names.text(n)).collect();
        let help = format!(
            "it has {}",
            if known.is_empty() { "none".to_owned() } else { format!("`{}`", known.join("`, `")) }
        );
        let message = format!("`{name}` has no member `{text}`");
        self.sink
            .push(crate::frontend::diagnostic::Diagnostic::error("unknown-member", span, message).help(help));
        Err(super::Failed)
    }

    /// One member of a struct lvalue.
    pub(super) fn step_into(&mut self, base: Expr, index: u32, span: Span) -> Checking<Expr> {
        let Ty::Record(id) = base.ty else { return self.error("wrong-type", span, "a struct is expected") };
        let Some(member) = self.types.member_at(id, index).cloned() else {
            return self.error("wrong-type", span, "the struct has no such member");
        };
        if member.ghost && !self.current.ghost {
            let message = "a ghost field belongs to annotations: only ghost statements may use it";
            return self.error("ghost", span, message);
        }
        let what = match &member.ty {
            Ty::Unsupported(what) => return self.unsupported(span, format!("{what} is not modelled")),
            _ if self.types.record(id).union => Some("a union is not modelled"),
            _ if member.width.is_some() => Some("a bit-field is not modelled"),
            Ty::Array(..) => Some("an array inside a struct is not modelled"),
            Ty::Float(_) => Some(FLOATING),
            _ => None,
        };
        let part = self.make(ExprKind::Member(Box::new(base), index), member.ty, span);
        Ok(match what {
            Some(what) => unmodelled(part, what),
            None => part,
        })
    }

    fn index(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) -> Checking<Expr> {
        let (array, index) = (self.expression(array)?, self.expression(index)?);
        // `2[a]` is `a[2]`.
        let swapped = array.ty.int().is_some() && matches!(index.ty, Ty::Array(..) | Ty::Pointer(_));
        let (array, index) = if swapped { (index, array) } else { (array, index) };
        if index.ty.int().is_none() {
            return self.not_an_integer(&index);
        }
        match array.ty.clone() {
            Ty::Array(element, _) => {
                let object = ExprKind::Index(Box::new(array), Box::new(index));
                let object = self.make(object, (*element).clone(), span);
                let message = "only arrays of integers or of pointers to structs are modelled";
                Ok(if element.is_scalar() { object } else { unmodelled(object, message) })
            }
            Ty::Pointer(_) if super::convert::constant(&index) == Some(0) => self.deref(array, span),
            Ty::Pointer(element) if !matches!(*element, Ty::Void | Ty::Function(_) | Ty::Unsupported(_)) => {
                let object = ExprKind::Index(Box::new(array), Box::new(index));
                let object = self.make(object, (*element).clone(), span);
                let diagnostic =
                    Diagnostic::unsupported("unsupported", span, "an index on a pointer is not modelled")
                        .help("declare the parameter as an array: `T a[]`");
                Ok(unmodelled_as(object, diagnostic))
            }
            other => {
                let message = format!("an array is expected, found `{}`", self.types.show(&other));
                self.error("wrong-type", array.span, message)
            }
        }
    }

    /// Something that can be assigned to, or whose address can be taken.
    fn lvalue(&mut self, expr: &ast::Expr) -> Checking<Expr> {
        let checked = self.expression(expr)?;
        let mut base = checked.exact();
        while let ExprKind::Member(inner, _) = &base.kind {
            base = inner.exact();
        }
        let text = matches!(base.kind, ExprKind::Str(_)) && base.ty.pointee().is_none();
        if text || matches!(base.kind, ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Index(..)) {
            return Ok(checked);
        }
        self.error("lvalue", expr.span, "this is not an object: it cannot be assigned to and has no address")
    }

    fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Checking<Expr> {
        let (a, b) = (self.expression(a), self.expression(b));
        let (a, b) = (a?, b?);
        match op {
            BinaryOp::Arithmetic(op) => self.arithmetic(op, a, b, span),
            BinaryOp::Compare(cmp) => {
                let (a, b) = self.comparable(a, b)?;
                let ordered = a.ty.pointee().is_some() && !matches!(cmp, Cmp::Eq | Cmp::Ne);
                let floating = matches!(a.ty, Ty::Float(_));
                let compared = self.make(ExprKind::Compare(cmp, Box::new(a), Box::new(b)), Ty::INT, span);
                Ok(if ordered {
                    let message = "an order between pointers is not modelled: only `==` and `!=` are";
                    unmodelled(compared, message)
                } else if floating {
                    unmodelled(compared, FLOATING)
                } else {
                    compared
                })
            }
            BinaryOp::And | BinaryOp::Or => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                let (a, b) = (Box::new(a), Box::new(b));
                let kind = if op == BinaryOp::And { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
                Ok(self.make(kind, Ty::INT, span))
            }
            BinaryOp::Implies | BinaryOp::Iff | BinaryOp::In => {
                self.error("annotation", span, "this belongs into a formula, not into a statement")
            }
        }
    }

    fn assign(
        &mut self,
        op: Option<BinOp>,
        target: &ast::Expr,
        value: &ast::Expr,
        span: Span,
    ) -> Checking<Expr> {
        let (target, value) = (self.lvalue(target), self.expression(value));
        let (target, value) = (target?, value?);
        if self.current.ghost {
            self.check_ghost_target(&target)?;
        }
        match op {
            Some(op) => self.update(target, op, value, false, span),
            None => {
                if matches!(target.ty, Ty::Array(_, Some(_)) | Ty::Function(_)) {
                    return self.error("lvalue", target.span, "an array cannot be assigned to");
                }
                let value = self.convert(value, &target.ty, false)?;
                let ty = target.ty.clone();
                let parameter = matches!(ty, Ty::Array(_, None));
                let assigned = ExprKind::Assign(Box::new(target), Box::new(value));
                let assigned = self.make(assigned, ty, span);
                let message = "an array parameter that changes is not modelled";
                Ok(if parameter { unmodelled(assigned, message) } else { assigned })
            }
        }
    }

    /// A ghost statement changes ghost fields only.
    pub(super) fn check_ghost_target(&mut self, target: &Expr) -> Checking<()> {
        if let ExprKind::Member(base, index) = &target.kind
            && let Ty::Record(id) = base.ty
            && self.types.member_at(id, *index).is_some_and(|m| m.ghost)
        {
            return Ok(());
        }
        self.error("ghost", target.span, "a ghost statement may only change ghost fields")
    }

    /// A function as a value.
    fn function_value(&self, index: u32, span: Span) -> Expr {
        let function = &self.checked.functions[index as usize];
        let pointer = |ty: &Ty| match ty {
            Ty::Array(element, None) => Ty::Pointer(element.clone()),
            ty => ty.clone(),
        };
        let signature = Signature {
            result: function.result.clone(),
            parameters: function.parameters.iter().map(pointer).collect(),
            variadic: function.variadic,
            unspecified: function.unspecified,
        };
        self.make(ExprKind::Function(index), Ty::Function(Arc::new(signature)), span)
    }

    /// The address of an lvalue.
    pub(super) fn address_of(&mut self, target: Expr, span: Span) -> Checking<Expr> {
        if self.bit_field(&target).is_some() {
            return self.error("wrong-type", span, "a bit-field has no address");
        }
        match target.kind {
            ExprKind::Deref(pointer) => Ok(Expr { span, ..*pointer }),
            // The address of an array is that of its first element, with another type.
            _ => {
                let ty = target.ty.clone().pointer();
                Ok(self.make(ExprKind::Address(Box::new(target)), ty, span))
            }
        }
    }
}
