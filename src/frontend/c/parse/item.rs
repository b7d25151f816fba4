//! File scope: functions, declarations, annotations; one broken item does not spoil the others.

use super::super::ast::{Basic, Clause, ClauseKind, Declaration, Function, Item, Parameter, TypeExpr};
use super::super::token::{Kind, Name};
use super::declaration::Base;
use super::{MAX_ERRORS, Parsed, Parser};
use crate::frontend::diagnostic::Diagnostic;
use crate::util::hash::Map;

impl Parser<'_> {
    pub(super) fn unit(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut contract: Vec<Clause> = Vec::new();
        self.indexed.clear();
        while !self.at_end() && self.errors <= MAX_ERRORS {
            if self.peek().kind == Kind::Open {
                let parameters = self.parameters_ahead();
                let clauses = self.annotations_about(&parameters);
                let free = |c: &Clause| {
                    use ClauseKind::{Predicate, Shape, Unmodelled};
                    matches!(c.kind, Predicate { .. } | Shape(..) | Unmodelled(_))
                };
                let (free, bound): (Vec<_>, Vec<_>) = clauses.into_iter().partition(free);
                if !free.is_empty() {
                    items.push(Item::Annotation(free));
                }
                contract.extend(bound);
                continue;
            }
            if self.eat(";") {
                continue;
            }
            let start = self.at;
            let errors = self.errors;
            let scopes = self.scopes.len();
            let depth = self.depth;
            match self.item(&mut contract, &mut items) {
                Ok(()) => {}
                Err(_) => {
                    self.scopes.truncate(scopes);
                    self.depth = depth;
                    self.in_annotation = false;
                    self.skip_item(start);
                    contract.clear();
                }
            }
            self.indexed.clear();
            debug_assert!(self.at > start || self.errors > errors || self.at_end());
        }
        if let Some(clause) = contract.first() {
            let span = clause.span;
            self.report(Diagnostic::error("annotation-place", span, "no function follows this contract"));
        }
        items
    }

    /// The names of the parameters of the function whose contract begins here: in it they are no types, whatever
    /// they were before. Its header is read for them and later again.
    fn parameters_ahead(&mut self) -> Vec<Name> {
        let start = self.at;
        while self.peek().kind == Kind::Open {
            while !matches!(self.peek().kind, Kind::Close | Kind::End) {
                self.bump();
            }
            if self.at_end() {
                break;
            }
            self.bump();
        }
        let (complaints, strange, errors) = (self.diagnostics.len(), self.strange.len(), self.errors);
        let (depth, attributes, indexed) = (self.depth, self.attributes, self.indexed.len());
        let scope = self.scopes.last().cloned().unwrap_or_default();
        let scopes = self.scopes.len();
        let named = |p: &mut Self| {
            let base = if p.declaration_follows() { p.specifiers()?.ty } else { TypeExpr::Void };
            p.declarator(&base).map(|(_, ty, _)| names_of(&ty))
        };
        let names = named(self).unwrap_or_default();
        // Nothing of this counts.
        self.diagnostics.truncate(complaints);
        self.strange.truncate(strange);
        self.indexed.truncate(indexed);
        self.scopes.truncate(scopes);
        if let Some(last) = self.scopes.last_mut() {
            *last = scope;
        }
        (self.errors, self.depth, self.attributes, self.at) = (errors, depth, attributes, start);
        self.restart = None;
        names
    }

    /// Annotations in which these names are variables.
    fn annotations_about(&mut self, names: &[Name]) -> Vec<Clause> {
        self.scopes.push(names.iter().map(|name| (*name, false)).collect());
        let clauses = self.annotations();
        self.scopes.pop();
        clauses
    }

    /// To the end of the item that began at token `start` and went wrong at the present one.
    fn skip_item(&mut self, start: usize) {
        let failed_at = self.at;
        if let Some(restart) = self.restart.take() {
            self.at = restart.max(start + 1);
            return;
        }
        let mut depth = 0usize;
        let mut at = start;
        while at + 1 < self.tokens.len() {
            let token = self.tokens[at];
            at += 1;
            match token.kind {
                Kind::Punct("{") => depth += 1,
                Kind::Punct("}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            let ends = token.is("}") || token.is(";");
            if ends && depth == 0 && at > failed_at {
                break;
            }
        }
        self.at = at.max(failed_at);
    }

    fn item(&mut self, contract: &mut Vec<Clause>, items: &mut Vec<Item>) -> Parsed<()> {
        if self.at_word("_Static_assert") {
            return self.static_assert();
        }
        if matches!(self.word(), Some("asm" | "__asm__" | "__asm")) {
            let start = self.bump().span;
            self.skip_group();
            let text = "assembly outside of functions is not modelled";
            self.strange.push(Diagnostic::unsupported("unsupported", start, text));
            self.expect(";")?;
            return Ok(());
        }
        self.take_attributes();
        let start = self.peek().span;
        // `main()` without a type, as in old C.
        let implicit =
            self.peek().ident().is_some() && !self.declaration_follows() && self.peek_at(1).is("(");
        let mut base = if implicit {
            let ty = TypeExpr::Basic(Basic::Int);
            Base { specifiers: super::super::ast::Specifiers::default(), ty, span: start }
        } else {
            self.specifiers()?
        };
        if self.at(";") {
            let declaration = self.declarators(base, None)?;
            items.push(Item::Declaration(declaration, Vec::new()));
            return Ok(());
        }
        let (name, ty, name_span) = self.declarator(&base.ty)?;
        let Some(name) = name else { return self.unexpected("a name") };
        if self.peek().kind == Kind::Open {
            // A contract between declarator and body.
            let parameters = names_of(&ty);
            contract.extend(self.annotations_about(&parameters));
        }
        let TypeExpr::Function(mut ty) = ty else {
            let declaration = self.declarators(base, Some((name, ty, name_span)))?;
            return self.finish_declaration(declaration, contract, items);
        };
        self.skip_attributes();
        let attributes = self.take_attributes();
        base.specifiers.attributes.add(attributes);
        if ty.unspecified && !ty.parameters.is_empty() && (self.declaration_follows() || self.at("{")) {
            self.old_parameters(&mut ty.parameters)?;
            if self.peek().kind == Kind::Open {
                contract.extend(self.annotations());
            }
        }
        if self.at("{") {
            self.declare(name, false);
            let errors = self.errors;
            self.scopes.push(Map::default());
            for parameter in ty.parameters.iter().filter_map(|p| p.name) {
                self.declare(parameter, false);
            }
            let body = self.block();
            self.scopes.pop();
            let failed = body.is_err() || self.errors > errors;
            let (failure, body) = match body {
                Ok(body) => (None, Some(body)),
                Err(failed) => (Some(failed), None),
            };
            self.mark_indexed(&mut ty.parameters);
            items.push(Item::Function(Box::new(Function {
                name,
                name_span,
                start,
                specifiers: base.specifiers,
                ty: *ty,
                contract: std::mem::take(contract),
                body: body.filter(|_| !failed),
            })));
            return failure.map_or(Ok(()), Err);
        }
        self.mark_indexed(&mut ty.parameters);
        let declaration = self.declarators(base, Some((name, TypeExpr::Function(ty), name_span)))?;
        self.finish_declaration(declaration, contract, items)
    }

    fn mark_indexed(&self, parameters: &mut [Parameter]) {
        for parameter in parameters {
            parameter.indexed = parameter.name.is_some_and(|name| self.indexed.contains(&name));
        }
    }

    /// The declarations between `)` and `{`, in the style before C89. A parameter without one is an `int`.
    fn old_parameters(&mut self, parameters: &mut [Parameter]) -> Parsed<()> {
        let mut declared = vec![false; parameters.len()];
        while self.declaration_follows() {
            let base = self.specifiers()?;
            loop {
                let found = self.parameter(&base)?;
                let Some(i) = parameters.iter().position(|p| p.name == found.name) else {
                    let text = "this is not among the parameters";
                    return Err(self.report(Diagnostic::error("syntax", found.span, text)));
                };
                if std::mem::replace(&mut declared[i], true) {
                    let text = "this parameter is declared twice";
                    return Err(self.report(Diagnostic::error("redefinition", found.span, text)));
                }
                parameters[i] = found;
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        for (parameter, _) in parameters.iter_mut().zip(declared).filter(|(_, declared)| !declared) {
            parameter.ty = TypeExpr::Basic(Basic::Int);
        }
        Ok(())
    }

    fn finish_declaration(
        &mut self,
        declaration: Declaration,
        contract: &mut Vec<Clause>,
        items: &mut Vec<Item>,
    ) -> Parsed<()> {
        let clauses = std::mem::take(contract);
        let function = declaration.declarators.iter().any(|d| matches!(d.ty, TypeExpr::Function(_)));
        if let Some(clause) = clauses.first()
            && !function
        {
            let span = clause.span;
            self.report(Diagnostic::error("annotation-place", span, "a contract belongs to a function"));
        }
        items.push(Item::Declaration(declaration, clauses));
        Ok(())
    }
}

/// The names of a function's parameters.
fn names_of(ty: &TypeExpr) -> Vec<Name> {
    match ty {
        TypeExpr::Function(ty) => ty.parameters.iter().filter_map(|p| p.name).collect(),
        _ => Vec::new(),
    }
}
