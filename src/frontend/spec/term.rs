//! Names, members and addresses in formulas.

use super::formula::{Env, Mode, Value, null};
use crate::frontend::c::ast::{self, UnaryOp};
use crate::frontend::c::check::{Checker, Checking, Entity, Failed};
use crate::frontend::c::hir::{self, DEREF, PART, TermTy, TypedTerm, Variable};
use crate::frontend::c::token::Name;
use crate::frontend::c::types::Ty;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::{At, BinOp, FieldId, Formula, Term};

impl Checker<'_> {
    pub(super) fn spec_name(&mut self, name: Name, env: &Env, span: Span) -> Checking<Value> {
        if let Some((_, term)) = env.bound.iter().rev().find(|(n, _)| *n == name) {
            return Ok(Value::Term(term.clone()));
        }
        if env.mode != Mode::Predicate
            && let Some(index) = self.current.logic.iter().position(|l| l.name == name)
        {
            let ty = self.current.logic[index].ty.clone();
            let ty = if ty.int().is_some() { TermTy::Int } else { TermTy::Pointer(ty) };
            let term = Term::Var(hir::logic_id(index as u32), At::Now);
            return Ok(Value::Term(TypedTerm { term, ty }));
        }
        let entity = match self.lookup(name).cloned() {
            Some(Entity::Var(Variable::Local(_))) if env.mode == Mode::Predicate => None,
            found => found,
        };
        match entity {
            Some(Entity::Constant(value, _)) => {
                Ok(Value::Term(TypedTerm { term: Term::Int(value), ty: TermTy::Int }))
            }
            Some(Entity::Var(variable)) => self.spec_variable(variable, name, env, span),
            Some(_) => {
                let message = format!("`{}` is no value", self.text(name));
                self.error("wrong-type", span, message)
            }
            None => match self.text(name) {
                "NULL" => Ok(Value::Term(null())),
                "true" => Ok(Value::Formula(Formula::Const(true))),
                "false" => Ok(Value::Formula(Formula::Const(false))),
                text => {
                    let message = format!("`{text}` is not declared");
                    let mut diagnostic = Diagnostic::error("undeclared", span, message);
                    match env.mode {
                        Mode::Requires | Mode::Ensures => {
                            diagnostic = diagnostic
                                .help("a contract may name parameters, globals and `\\result`, no locals");
                        }
                        Mode::Predicate => {
                            diagnostic = diagnostic.help("a predicate may name its parameters and globals");
                        }
                        Mode::Body => {}
                    }
                    self.sink.push(diagnostic);
                    Err(Failed)
                }
            },
        }
    }

    fn spec_variable(&mut self, variable: Variable, name: Name, env: &Env, span: Span) -> Checking<Value> {
        let (id, at) = match variable {
            Variable::Global(index) => (hir::global_id(index), env.at),
            Variable::Local(index) if index < self.current.parameters => {
                // In a postcondition a parameter means its entry value, whatever the code did to it.
                let at = if env.mode == Mode::Ensures { At::Entry } else { env.at };
                (hir::local_id(index), at)
            }
            Variable::Local(index) => {
                if env.at == At::Entry {
                    let message = format!("local `{}` has no value at the function's entry", self.text(name));
                    return self.error("annotation", span, message);
                }
                (hir::local_id(index), env.at)
            }
        };
        match self.type_of(variable) {
            Ty::Int(_) => Ok(Value::Term(TypedTerm { term: Term::Var(id, at), ty: TermTy::Int })),
            ty @ Ty::Pointer(_) => {
                Ok(Value::Term(TypedTerm { term: Term::Var(id, at), ty: TermTy::Pointer(ty) }))
            }
            Ty::Record(record) => {
                Ok(Value::Struct { base: Term::Var(id, at), record, part: record, path: Vec::new() })
            }
            Ty::Array(element, _) => Ok(Value::Array(id, (*element).clone())),
            Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
            _ => self.error("wrong-type", span, "a value is expected"),
        }
    }

    pub(super) fn spec_unary(
        &mut self,
        op: UnaryOp,
        inner: &ast::Expr,
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        match op {
            UnaryOp::Not => Ok(Value::Formula(self.formula(inner, env)?.negate())),
            UnaryOp::Plus => {
                let term = self.int_term(inner, env)?;
                Ok(Value::Term(TypedTerm { term, ty: TermTy::Int }))
            }
            UnaryOp::Neg => {
                let term = match self.int_term(inner, env)? {
                    Term::Int(n) => Term::Int(-n),
                    term => Term::Neg(Box::new(term)),
                };
                Ok(Value::Term(TypedTerm { term, ty: TermTy::Int }))
            }
            UnaryOp::BitNot => {
                // Mathematically ~x is -x - 1.
                let term = Term::Neg(Box::new(self.int_term(inner, env)?));
                let term = Term::Binary(BinOp::Sub, Box::new(term), Box::new(Term::Int(1)));
                Ok(Value::Term(TypedTerm { term, ty: TermTy::Int }))
            }
            UnaryOp::Deref => {
                let pointer = match self.value(inner, env)? {
                    Value::Array(var, element) => {
                        let term = Term::Index(var, env.at, Box::new(Term::Int(0)));
                        let ty = if element.int().is_some() { TermTy::Int } else { TermTy::Pointer(element) };
                        return Ok(Value::Term(TypedTerm { term, ty }));
                    }
                    value => self.as_term(value, inner.span)?,
                };
                self.spec_deref(pointer, env, span)
            }
            UnaryOp::Address => match self.value(inner, env)? {
                Value::Struct { base, record, path, .. } if path.is_empty() => {
                    let ty = TermTy::Pointer(Ty::Record(record).pointer());
                    Ok(Value::Term(TypedTerm { term: base, ty }))
                }
                Value::Struct { base, record, part, path } => {
                    let ty = TermTy::Pointer(Ty::Record(part).pointer());
                    let field = FieldId(PART + self.inner_part(record, path));
                    Ok(Value::Term(TypedTerm { term: Term::Field(field, env.at, Box::new(base)), ty }))
                }
                Value::Term(TypedTerm { term: Term::Field(field, at, base), .. }) if field.0 < DEREF => {
                    let flat = &self.types.fields[field.index()];
                    let (record, path, ty) = (flat.record, flat.path.clone(), flat.ty.clone().pointer());
                    let field = FieldId(PART + self.inner_part(record, path));
                    Ok(Value::Term(TypedTerm { term: Term::Field(field, at, base), ty: TermTy::Pointer(ty) }))
                }
                _ => self.unsupported(span, "this address is not modelled in formulas"),
            },
        }
    }

    pub(super) fn spec_deref(&mut self, pointer: TypedTerm, env: &Env, span: Span) -> Checking<Value> {
        let TermTy::Pointer(ty) = &pointer.ty else {
            return self.error("wrong-type", span, "a pointer is expected");
        };
        match ty.pointee() {
            Some(Ty::Record(record)) => {
                self.complete(*record, span)?;
                Ok(Value::Struct { base: pointer.term, record: *record, part: *record, path: Vec::new() })
            }
            Some(inner) if inner.is_scalar() => {
                let inner = inner.clone();
                let field = FieldId(DEREF + self.boxed(&inner));
                let ty = if inner.int().is_some() { TermTy::Int } else { TermTy::Pointer(inner) };
                Ok(Value::Term(TypedTerm { term: Term::Field(field, env.at, Box::new(pointer.term)), ty }))
            }
            _ => self.unsupported(span, "this pointer is not modelled in formulas"),
        }
    }

    pub(super) fn spec_member(
        &mut self,
        base: &ast::Expr,
        field: Name,
        field_span: Span,
        arrow: bool,
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        let mut value = self.value(base, env)?;
        if arrow {
            value = match value {
                Value::Term(term) => self.spec_deref(term, env, base.span)?,
                Value::Set(..) => {
                    return self.error(
                        "annotation",
                        span,
                        "a field of a set of cells has a meaning in `assigns` only",
                    );
                }
                _ => return self.error("wrong-type", base.span, "a pointer is expected before `->`"),
            };
        }
        let Value::Struct { base, record, part, mut path } = value else {
            return self.error("wrong-type", span, "a struct is expected before `.`");
        };
        for index in self.find_member(part, field, field_span)? {
            path.push(index);
        }
        let mut ty = Ty::Record(record);
        for index in &path {
            let Ty::Record(id) = ty else { break };
            ty = self.types.member_at(id, *index).map_or(Ty::Void, |m| m.ty.clone());
        }
        if let Ty::Record(part) = ty {
            return Ok(Value::Struct { base, record, part, path });
        }
        let Some(id) = self.types.field(record, &path) else {
            return self.unsupported(field_span, "this member is not modelled");
        };
        let ty = if ty.int().is_some() { TermTy::Int } else { TermTy::Pointer(ty) };
        Ok(Value::Term(TypedTerm { term: Term::Field(id, env.at, Box::new(base)), ty }))
    }
}
