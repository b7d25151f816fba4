//! The built-in vocabulary: `\list`, `\cells`, `\old` and so on, and sets of cells.

use super::builtin::BUILTINS;
use super::formula::{Env, Mode, Value, null, record_of};
use crate::frontend::c::ast::{self, ExprKind};
use crate::frontend::c::check::{Checker, Checking, Failed};
use crate::frontend::c::hir::{self, TermTy, TypedTerm};
use crate::frontend::c::token::Name;
use crate::frontend::c::types::{RecordId, Ty};
use crate::frontend::diagnostic::Span;
use crate::program::{At, FieldId, Formula, Set, StructId, Term};

impl Checker<'_> {
    /// `\name(...)`
    pub(super) fn builtin_value(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        let Some((_, count)) = BUILTINS.iter().find(|(n, _)| *n == name) else {
            return self.unknown_builtin(name, span);
        };
        if count.is_some_and(|n| n != arguments.len()) || (count.is_none() && arguments.is_empty()) {
            let expected = count.map_or("at least 1".to_owned(), |n| n.to_string());
            let message = format!("`\\{name}` takes {expected} arguments, {} given", arguments.len());
            return self.error("wrong-arguments", span, message);
        }
        match name {
            "result" => self.result_value(env, span),
            "null" => Ok(Value::Term(null())),
            "true" | "false" => Ok(Value::Formula(Formula::Const(name == "true"))),
            "old" => self.value(&arguments[0], &Env { at: At::Entry, ..env.clone() }),
            "at" => {
                let at = self.moment(&arguments[1], env)?;
                self.value(&arguments[0], &Env { at, ..env.clone() })
            }
            "valid" | "valid_read" => match self.valid_address(&arguments[0], env)? {
                Some(formula) => Ok(Value::Formula(formula)),
                None => self.allocation("valid", &arguments[0], env),
            },
            "separated" => self.separated(arguments, env, span),
            "min" | "max" | "abs" => self.number_builtin(name, arguments, env),
            "freed" | "fresh" => self.allocation(name, &arguments[0], env),
            "cells" | "pre" | "union" | "inter" | "diff" | "empty" => {
                self.set_builtin(name, arguments, env, span)
            }
            "subset" => {
                let sets = self.sets(arguments, env, span)?.0;
                let [a, b] = <[Set; 2]>::try_from(sets).map_err(|_| Failed)?;
                Ok(Value::Formula(Formula::Subset(a, b)))
            }
            "disjoint" => Ok(Value::Formula(Formula::Disjoint(self.sets(arguments, env, span)?.0))),
            _ => self.field_builtin(name, arguments, env, span),
        }
    }

    fn result_value(&mut self, env: &Env, span: Span) -> Checking<Value> {
        if env.mode != Mode::Ensures {
            return self.error("annotation", span, "`\\result` exists in `ensures` only");
        }
        let ty = match self.current.result.clone() {
            Some(Ty::Int(_)) => TermTy::Int,
            Some(ty @ Ty::Pointer(_)) => TermTy::Pointer(ty),
            Some(Ty::Void) | None => return self.error("annotation", span, "the function returns nothing"),
            Some(ty) => {
                let message = format!("a result of type `{}` is not modelled", self.types.show(&ty));
                return self.unsupported(span, message);
            }
        };
        Ok(Value::Term(TypedTerm { term: Term::Var(hir::RESULT, At::Now), ty }))
    }

    fn allocation(&mut self, name: &str, argument: &ast::Expr, env: &Env) -> Checking<Value> {
        let term = match self.value(argument, env)? {
            Value::Slice(array, low, high) if name == "valid" => {
                return Ok(Value::Formula(Formula::ValidRange(array, low, high)));
            }
            Value::Array(array, _) if name == "valid" => {
                return Ok(Value::Formula(Formula::ValidRange(array, Term::Int(0), Term::Int(0))));
            }
            Value::Term(term) => term,
            _ => return self.error("wrong-type", argument.span, "a pointer is expected"),
        };
        let term = match term.ty {
            // It may lead to any object, one of those that are allocated and freed elsewhere in the model too.
            TermTy::Pointer(ty)
                if self.types.is_opaque(&ty) || self.types.is_opaque(&ty.clone().pointer()) =>
            {
                let text = "what an object of type `void *` leads to is not tracked";
                return self.unsupported(argument.span, text);
            }
            TermTy::Pointer(_) => term.term,
            // Null is neither allocated nor freed nor new.
            TermTy::Null => return Ok(Value::Formula(Formula::Const(false))),
            TermTy::Int => return self.error("wrong-type", argument.span, "a pointer is expected"),
        };
        Ok(Value::Formula(match name {
            "valid" => Formula::Valid(term, env.at),
            "freed" => Formula::Freed(term, env.at),
            _ => Formula::Fresh(term),
        }))
    }

    /// A field's name as an argument.
    fn field_name(&mut self, argument: &ast::Expr) -> Checking<(Name, Span)> {
        match argument.kind {
            ExprKind::Name(name) => Ok((name, argument.span)),
            _ => self.error("annotation", argument.span, "the name of a field is expected"),
        }
    }

    /// Built-ins of the form `\p(f, x, ...)` or `\p(f, g, x, ...)`.
    fn field_builtin(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        let two = matches!(name, "sorted" | "inverse" | "dlseg" | "tree");
        let (first, first_span) = self.field_name(&arguments[0])?;
        let rest = if two { &arguments[2..] } else { &arguments[1..] };
        let mut typed = Vec::new();
        for argument in rest {
            typed.push(self.term(argument, env)?);
        }
        let record = self.common_record(&typed.iter().collect::<Vec<_>>(), first, first_span)?;
        let f = self.link_field(record, first, first_span)?;
        let second = if two { Some(self.second_field(name, &arguments[1], record)?) } else { None };
        let mut terms = Vec::new();
        for (term, argument) in typed.into_iter().zip(rest) {
            terms.push(self.coerce(term, record, argument.span)?);
        }
        let at = env.at;
        let null = Term::Null(StructId(record.0));
        let reach = |from: Term, to: Term, plus| Formula::Reach { field: f, at, from, to, plus };
        let g = second.unwrap_or(f);
        let mut terms = terms.into_iter();
        let mut next = || terms.next().unwrap_or_else(|| null.clone());
        let formula = match name {
            "reach" | "lseg" => reach(next(), next(), false),
            "list" => reach(next(), null.clone(), false),
            "cyclic" => {
                let x = next();
                reach(x.clone(), x, true)
            }
            "btwn" => Formula::Between(f, at, next(), next(), next()),
            "unshared" => Formula::Unshared(f, at, next(), next()),
            "sorted" => Formula::Sorted(f, g, at, next(), next()),
            "inverse" => Formula::Inverse(f, g, at, next(), next()),
            "stable" => Formula::Stable(f, at, next()),
            "dlseg" => Formula::Dlseg(f, g, at, Box::new([next(), next(), next(), next()])),
            "tree" => Formula::Tree(f, g, at, next()),
            _ => return self.error("annotation", span, format!("`\\{name}` is not known")),
        };
        Ok(Value::Formula(formula))
    }

    fn second_field(&mut self, name: &str, argument: &ast::Expr, record: RecordId) -> Checking<FieldId> {
        let (field, span) = self.field_name(argument)?;
        if name != "sorted" {
            return self.link_field(record, field, span);
        }
        let id = self.any_field(record, field, span)?;
        if self.types.fields[id.index()].ty.int().is_none() {
            return self.error("wrong-type", span, "an integer field is expected");
        }
        Ok(id)
    }

    fn set_builtin(&mut self, name: &str, arguments: &[ast::Expr], env: &Env, span: Span) -> Checking<Value> {
        match name {
            "empty" => Ok(Value::Set(Set::Of(Vec::new()), None)),
            "cells" => {
                let (field, field_span) = self.field_name(&arguments[0])?;
                let (x, y) = (self.term(&arguments[1], env)?, self.term(&arguments[2], env)?);
                let record = self.common_record(&[&x, &y], field, field_span)?;
                let id = self.link_field(record, field, field_span)?;
                let x = self.coerce(x, record, arguments[1].span)?;
                let y = self.coerce(y, record, arguments[2].span)?;
                Ok(Value::Set(Set::Cells(id, env.at, Box::new(x), Box::new(y)), Some(record)))
            }
            "pre" => self.preimage(arguments, env),
            _ => {
                let (sets, record) = self.sets(arguments, env, span)?;
                let set = match name {
                    "union" => Set::Union(sets),
                    "inter" => Set::Inter(sets),
                    _ => {
                        let [a, b] = <[Set; 2]>::try_from(sets).map_err(|_| Failed)?;
                        Set::Diff(Box::new(a), Box::new(b))
                    }
                };
                Ok(Value::Set(set, record))
            }
        }
    }

    /// `\pre(f, t)`: f may lead to another struct, or be an integer.
    fn preimage(&mut self, arguments: &[ast::Expr], env: &Env) -> Checking<Value> {
        let (field, span) = self.field_name(&arguments[0])?;
        let target = self.term(&arguments[1], env)?;
        let wanted = record_of(&target);
        let all = (0..self.types.records.len() as u32).map(RecordId);
        let mut found = Vec::new();
        for record in all {
            let Some(path) = self.types.member(record, field) else { continue };
            let Some(id) = self.types.field(record, &path) else { continue };
            let ty = &self.types.fields[id.index()].ty;
            let fits = match &target.ty {
                TermTy::Int => ty.int().is_some(),
                TermTy::Null => ty.pointee().is_some(),
                TermTy::Pointer(_) => ty.target().is_some() && ty.target() == wanted,
            };
            if fits {
                found.push((record, id));
            }
        }
        let [(record, id)] = found[..] else {
            let text = self.text(field).to_owned();
            let message = if found.is_empty() {
                format!("no struct has a field `{text}` of that type")
            } else {
                format!("several structs have a field `{text}` of that type")
            };
            return self.error("unknown-member", span, message);
        };
        let term = match self.types.fields[id.index()].ty.target() {
            Some(pointee) => self.coerce(target, pointee, arguments[1].span)?,
            None => target.term,
        };
        Ok(Value::Set(Set::Pre(id, env.at, Box::new(term)), Some(record)))
    }

    /// One set.
    pub(super) fn set(&mut self, expr: &ast::Expr, env: &Env) -> Checking<(Set, Option<RecordId>)> {
        match self.value(expr, env)? {
            Value::Set(set, record) => Ok((set, record)),
            _ => self.error("wrong-type", expr.span, "a set of cells is expected"),
        }
    }

    /// Sets of cells of one struct.
    fn sets(&mut self, list: &[ast::Expr], env: &Env, span: Span) -> Checking<(Vec<Set>, Option<RecordId>)> {
        let mut sets = Vec::new();
        let mut of = None;
        for expr in list {
            let (set, record) = self.set(expr, env)?;
            if let (Some(a), Some(b)) = (of, record)
                && a != b
            {
                return self.error("wrong-type", span, "these are sets of cells of different structs");
            }
            of = of.or(record);
            sets.push(set);
        }
        Ok((sets, of))
    }

    /// `{a, b}`
    pub(super) fn set_of(&mut self, elements: &[ast::Expr], env: &Env) -> Checking<Value> {
        let mut typed = Vec::new();
        for element in elements {
            typed.push(self.term(element, env)?);
        }
        let Some(record) = typed.iter().find_map(record_of) else {
            if let Some(number) = typed.iter().position(|t| t.ty == TermTy::Int && t.term != Term::Int(0)) {
                return self.error("wrong-type", elements[number].span, "sets contain cells, no numbers");
            }
            // Null is no cell.
            return Ok(Value::Set(Set::Of(Vec::new()), None));
        };
        let mut terms = Vec::new();
        for (term, element) in typed.into_iter().zip(elements) {
            terms.push(self.coerce(term, record, element.span)?);
        }
        Ok(Value::Set(Set::Of(terms), Some(record)))
    }
}
