//! Expressions of code.

use super::super::ast::{self, BinaryOp, UnaryOp};
use super::super::hir::{Expr, ExprKind, Intrinsic, Stmt, StmtKind, Variable};
use super::super::number::Literal;
use super::super::types::{RecordId, Ty};
use super::{Checker, Checking, Entity};
use crate::frontend::diagnostic::{Severity, Span};
use crate::program::{BinOp, Cmp, IntKind};

/// What is known by name, with the type of its result.
pub(crate) fn intrinsic(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "malloc" => Intrinsic::Malloc,
        "calloc" => Intrinsic::Calloc,
        "realloc" => Intrinsic::Realloc,
        "free" => Intrinsic::Free,
        "abort" => Intrinsic::Abort,
        "exit" | "_Exit" | "_exit" => Intrinsic::Exit,
        "__catena_assert" | "assert" => Intrinsic::Assert,
        "__assert_fail" | "__assert_rtn" | "__assert" | "__assert_perror_fail" => Intrinsic::AssertFail,
        "reach_error" | "__VERIFIER_error" => Intrinsic::Error,
        "__VERIFIER_assert" => Intrinsic::VerifierAssert,
        "__VERIFIER_assume" => Intrinsic::Assume,
        "printf" | "puts" | "putchar" | "fprintf" | "perror" | "fflush" => Intrinsic::Print,
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
                let (yes, no) = self.arms(yes, no, span)?;
                let ty = yes.ty.clone();
                Ok(self.make(ExprKind::Conditional(Box::new(test), Box::new(yes), Box::new(no)), ty, span))
            }
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
            Some(Entity::Function(_)) => self.unsupported(span, "a pointer to a function is not modelled"),
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
                    && let Some(Entity::Function(_)) = self.lookup(*name)
                {
                    return self.unsupported(span, "a pointer to a function is not modelled");
                }
                let target = self.lvalue(inner)?;
                if let ExprKind::Deref(pointer) = target.kind {
                    return Ok(Expr { span, ..*pointer });
                }
                let ty = target.ty.clone().pointer();
                Ok(self.make(ExprKind::Address(Box::new(target)), ty, span))
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
                let inner = self.promote(inner)?;
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

    fn deref(&mut self, pointer: Expr, span: Span) -> Checking<Expr> {
        match pointer.ty.clone() {
            Ty::Pointer(inner) => match &*inner {
                Ty::Void => self.error("wrong-type", span, "a `void *` cannot be dereferenced"),
                Ty::Function => self.unsupported(span, "a pointer to a function is not modelled"),
                Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
                Ty::Array(..) => self.unsupported(span, "a pointer to an array is not modelled"),
                target => {
                    let target = target.clone();
                    Ok(self.make(ExprKind::Deref(Box::new(pointer)), target, span))
                }
            },
            Ty::Array(element, _) if element.is_scalar() => {
                let first = self.make(ExprKind::Int(0), Ty::Int(IntKind::INT), span);
                Ok(self.make(ExprKind::Index(Box::new(pointer), Box::new(first)), (*element).clone(), span))
            }
            Ty::Array(..) => self.unsupported(span, "arithmetic on arrays is not modelled: write `a[0]`"),
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
        if self.types.record(id).union {
            return self.unsupported(span, "a union is not modelled");
        }
        let Some(member) = self.types.member_at(id, index).cloned() else {
            return self.error("wrong-type", span, "the struct has no such member");
        };
        if member.bit_field {
            return self.unsupported(span, "a bit-field is not modelled");
        }
        if member.ghost && !self.current.ghost {
            let message = "a ghost field belongs to annotations: only ghost statements may use it";
            return self.error("ghost", span, message);
        }
        match member.ty {
            Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
            Ty::Array(..) => self.unsupported(span, "an array inside a struct is not modelled"),
            ty => Ok(self.make(ExprKind::Member(Box::new(base), index), ty, span)),
        }
    }

    fn index(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) -> Checking<Expr> {
        let array = self.expression(array)?;
        let index = self.expression(index)?;
        if index.ty.int().is_none() {
            return self.not_an_integer(&index);
        }
        match array.ty.clone() {
            Ty::Array(element, _) => {
                if !element.is_scalar() {
                    return self
                        .unsupported(span, "only arrays of integers or of pointers to structs are modelled");
                }
                let ty = (*element).clone();
                Ok(self.make(ExprKind::Index(Box::new(array), Box::new(index)), ty, span))
            }
            Ty::Pointer(_) if super::convert::constant(&index) == Some(0) => self.deref(array, span),
            Ty::Pointer(_) => {
                self.sink.push(
                    crate::frontend::diagnostic::Diagnostic::unsupported(
                        "unsupported",
                        span,
                        "an index on a pointer is not modelled",
                    )
                    .help("declare the parameter as an array: `T a[]`"),
                );
                Err(super::Failed)
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
        let mut base = &checked;
        while let ExprKind::Member(inner, _) = &base.kind {
            base = inner;
        }
        if matches!(base.kind, ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Index(..)) {
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
                let ordered = !matches!(cmp, Cmp::Eq | Cmp::Ne);
                let (a, b) = self.comparable(a, b, ordered, span)?;
                Ok(self.make(ExprKind::Compare(cmp, Box::new(a), Box::new(b)), Ty::INT, span))
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

    fn arithmetic(&mut self, op: BinOp, a: Expr, b: Expr, span: Span) -> Checking<Expr> {
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            let (a, b) = (self.promote(a)?, self.promote(b)?);
            let ty = a.ty.clone();
            return Ok(self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span));
        }
        if a.ty.int().is_none() || b.ty.int().is_none() {
            let bad = if a.ty.int().is_none() { &a } else { &b };
            let bad = Expr { span, ..bad.clone() };
            return self.not_an_integer(&bad);
        }
        let (a, b, ty) = self.balance(a, b)?;
        Ok(self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span))
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
                if matches!(target.ty, Ty::Array(_, None)) {
                    return self.unsupported(span, "an array parameter that changes is not modelled");
                }
                if matches!(target.ty, Ty::Array(..) | Ty::Function) {
                    return self.error("lvalue", target.span, "an array cannot be assigned to");
                }
                let value = self.convert(value, &target.ty, false)?;
                let ty = target.ty.clone();
                Ok(self.make(ExprKind::Assign(Box::new(target), Box::new(value)), ty, span))
            }
        }
    }

    /// A ghost statement changes ghost fields only.
    fn check_ghost_target(&mut self, target: &Expr) -> Checking<()> {
        if let ExprKind::Member(base, index) = &target.kind
            && let Ty::Record(id) = base.ty
            && self.types.member_at(id, *index).is_some_and(|m| m.ghost)
        {
            return Ok(());
        }
        self.error("ghost", target.span, "a ghost statement may only change ghost fields")
    }

    fn update(&mut self, target: Expr, op: BinOp, value: Expr, old: bool, span: Span) -> Checking<Expr> {
        if self.current.ghost {
            self.check_ghost_target(&target)?;
        }
        let Ty::Int(kind) = target.ty else {
            let bad = Expr { span, ..target };
            return self.not_an_integer(&bad);
        };
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let value = self.promote(value)?;
        let other = if shift { kind } else { value.ty.int().unwrap_or(kind) };
        let compute = Ty::Int(super::convert::common(kind, other));
        let value = if shift { value } else { self.convert(value, &compute, false)? };
        let ty = target.ty.clone();
        let kind = ExprKind::Update { target: Box::new(target), op, value: Box::new(value), compute, old };
        Ok(self.make(kind, ty, span))
    }

    fn arms(&mut self, yes: Expr, no: Expr, span: Span) -> Checking<(Expr, Expr)> {
        if yes.ty.int().is_some() && no.ty.int().is_some() {
            let (yes, no, _) = self.balance(yes, no)?;
            return Ok((yes, no));
        }
        if yes.ty == Ty::Void || no.ty == Ty::Void {
            let (yes, no) = (self.convert(yes, &Ty::Void, true)?, self.convert(no, &Ty::Void, true)?);
            return Ok((yes, no));
        }
        if yes.ty.pointee().is_some() || no.ty.pointee().is_some() {
            return self.comparable(yes, no, false, span);
        }
        if yes.ty == no.ty {
            return self.unsupported(span, "a choice between structs is not modelled");
        }
        self.error("wrong-type", span, "the two alternatives have different types")
    }
}
