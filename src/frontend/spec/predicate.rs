//! Calls of predicates, and the types of terms.

use super::builtin::words;
use super::formula::{Env, Mode, Value, record_of};
use crate::frontend::c::ast::{self, ExprKind};
use crate::frontend::c::check::{Checker, Checking, Failed};
use crate::frontend::c::hir::{TermTy, TypedTerm};
use crate::frontend::c::token::Name;
use crate::frontend::c::types::RecordId;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::nearest::did_you_mean;
use crate::program::{At, FieldId, LabelId, StructId, Term};

/// Predicates expanded for one function, at most.
const MAX_EXPANSIONS: u32 = 20_000;
/// Height of a formula, expanded predicates included.
const MAX_HEIGHT: u32 = 2000;

impl Checker<'_> {
    pub(super) fn predicate_call(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        let ExprKind::Name(name) = function.kind else {
            return self.error("annotation", span, "a predicate's name is expected");
        };
        let Some(predicate) = self.predicates.get(&name).cloned() else {
            let text = self.text(name).to_owned();
            if self.unmodelled.contains(&name) {
                return self
                    .unsupported(function.span, format!("`{text}` has no definition that is modelled"));
            }
            let defined: Vec<&str> = self.predicates.keys().map(|n| self.text(*n)).collect();
            let help = did_you_mean(&text, "", &defined).or_else(|| did_you_mean(&text, "\\", &words()));
            let help = help.unwrap_or_else(|| {
                "formulas cannot call functions of the program; `predicate p(T *x) = P;` defines one"
                    .to_owned()
            });
            let message = format!("`{text}` is no predicate");
            let diagnostic = Diagnostic::error("undeclared", function.span, message).help(help);
            self.sink.push(diagnostic);
            return Err(Failed);
        };
        if env.stack.contains(&name) {
            return self.error("annotation", span, "a predicate cannot be defined by itself");
        }
        if self.broken.contains(&name) {
            return self.broken_predicate(name, span);
        }
        if predicate.parameters.len() != arguments.len() {
            let message = format!(
                "`{}` takes {} arguments, {} given",
                self.text(name),
                predicate.parameters.len(),
                arguments.len()
            );
            return self.error("wrong-arguments", span, message);
        }
        self.current.expansions += 1;
        let height = env.height + predicate.body.height;
        if self.current.expansions > MAX_EXPANSIONS || height > MAX_HEIGHT {
            return self.error("annotation", span, "the predicates in this formula expand to too much");
        }
        let mut inner =
            Env { mode: Mode::Predicate, at: env.at, bound: Vec::new(), stack: env.stack.clone(), height };
        inner.stack.push(name);
        for ((name, ty), argument) in predicate.parameters.iter().zip(arguments) {
            let term = self.term(argument, env)?;
            let expected = if ty.int().is_some() { TermTy::Int } else { TermTy::Pointer(ty.clone()) };
            let term = self.argument(term, &expected, argument.span)?;
            inner.bound.push((*name, term));
        }
        match predicate.is_value {
            true => Ok(Value::Term(self.term(&predicate.body, &inner)?)),
            false => Ok(Value::Formula(self.formula(&predicate.body, &inner)?)),
        }
    }

    fn argument(&mut self, term: TypedTerm, expected: &TermTy, span: Span) -> Checking<TypedTerm> {
        if term.ty == *expected {
            return Ok(term);
        }
        let zero = term.ty == TermTy::Null || (term.ty == TermTy::Int && term.term == Term::Int(0));
        match expected {
            TermTy::Pointer(ty) if zero => {
                let term = self.null_of(&ty.clone(), span)?;
                Ok(TypedTerm { term, ty: expected.clone() })
            }
            _ => self.error("wrong-type", span, "the argument has another type than the parameter"),
        }
    }

    /// A term as a pointer to cells of the struct.
    pub(super) fn coerce(&mut self, term: TypedTerm, record: RecordId, span: Span) -> Checking<Term> {
        match &term.ty {
            TermTy::Null => Ok(Term::Null(StructId(record.0))),
            TermTy::Int if term.term == Term::Int(0) => Ok(Term::Null(StructId(record.0))),
            TermTy::Pointer(ty) if ty.target() == Some(record) => Ok(term.term),
            TermTy::Pointer(ty) => {
                let message = format!(
                    "a pointer to `{}` is expected, found `{}`",
                    self.types.record(record).name,
                    self.types.show(ty)
                );
                self.error("wrong-type", span, message)
            }
            TermTy::Int => self.error("wrong-type", span, "a pointer is expected, found a number"),
        }
    }

    /// The struct that the terms are about; if all are null, the one that has the field.
    pub(super) fn common_record(
        &mut self,
        terms: &[&TypedTerm],
        field: Name,
        span: Span,
    ) -> Checking<RecordId> {
        if let Some(record) = terms.iter().find_map(|t| record_of(t)) {
            return Ok(record);
        }
        let all = (0..self.types.records.len() as u32).map(RecordId);
        let having: Vec<_> = all.filter(|r| self.types.member(*r, field).is_some()).collect();
        match having[..] {
            [only] => Ok(only),
            _ => {
                let message = format!("the struct with field `{}` is not clear here", self.text(field));
                self.error("annotation", span, message)
            }
        }
    }

    /// A field that links cells of the struct to each other.
    pub(super) fn link_field(&mut self, record: RecordId, field: Name, span: Span) -> Checking<FieldId> {
        let id = self.any_field(record, field, span)?;
        if self.types.fields[id.index()].ty.target() == Some(record) {
            return Ok(id);
        }
        let message = format!(
            "`{}` is no link field: it does not lead from `{name}` to `{name}`",
            self.text(field),
            name = self.types.record(record).name
        );
        self.error("wrong-type", span, message)
    }

    pub(super) fn any_field(&mut self, record: RecordId, field: Name, span: Span) -> Checking<FieldId> {
        let path = self.find_member(record, field, span)?;
        match self.types.field(record, &path) {
            Some(id) => Ok(id),
            None => self.unsupported(span, "this member is not modelled"),
        }
    }

    /// `\at(e, Label)`: the moment.
    pub(super) fn moment(&mut self, label: &ast::Expr, env: &Env) -> Checking<At> {
        let ExprKind::Name(name) = label.kind else {
            return self.error("annotation", label.span, "a label is expected");
        };
        match self.text(name) {
            "Pre" | "Old" => return Ok(At::Entry),
            "Here" => return Ok(At::Now),
            _ => {}
        }
        if env.mode != Mode::Body || !self.current.defined_labels.contains(&name) {
            let message = format!("label `{}` is not known here", self.text(name));
            return self.error("undeclared", label.span, message);
        }
        let known = self.current.labels.iter().position(|l| *l == name);
        let index = known.unwrap_or_else(|| {
            self.current.labels.push(name);
            self.current.labels.len() - 1
        });
        Ok(At::Label(LabelId(index as u32)))
    }
}
