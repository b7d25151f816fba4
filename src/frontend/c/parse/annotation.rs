//! Clauses of annotations.

use super::super::ast::{BinaryOp, Clause, ClauseKind, Expr, ExprKind, Parameter};
use super::super::token::{Kind, Name};
use super::{Parsed, Parser, acsl};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::nearest::did_you_mean;

/// The words that clauses begin with.
const CLAUSES: &[&str] = &[
    "requires",
    "ensures",
    "assigns",
    "behavior",
    "assumes",
    "complete",
    "disjoint",
    "frees",
    "allocates",
    "logic",
    "loop",
    "assert",
    "assume",
    "ghost",
    "predicate",
    "track",
    "pattern",
    "shape",
    "invariant",
];

impl Parser<'_> {
    /// All annotations that begin at the present token, one after the other.
    pub(super) fn annotations(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        while self.peek().kind == Kind::Open {
            self.bump();
            self.in_annotation = true;
            self.clauses_until_close(&mut clauses);
            self.in_annotation = false;
            if self.peek().kind == Kind::Close {
                self.bump();
            }
        }
        clauses
    }

    fn clauses_until_close(&mut self, clauses: &mut Vec<Clause>) {
        while !matches!(self.peek().kind, Kind::Close | Kind::End) {
            match self.clause(clauses) {
                Ok(Some(clause)) => clauses.push(clause),
                Ok(None) => {}
                Err(_) => clauses.push(self.broken_clause()),
            }
        }
    }

    /// What stands here is no clause. Without it, the others do not say what was meant.
    fn broken_clause(&mut self) -> Clause {
        let span = self.peek().span;
        self.skip_clause();
        Clause { kind: ClauseKind::Broken, span }
    }

    fn skip_clause(&mut self) {
        let (mut depth, mut quantifiers) = (0usize, 0usize);
        while !matches!(self.peek().kind, Kind::Close | Kind::End) {
            match self.bump().kind {
                Kind::Builtin(name) if self.is_quantifier(name) => quantifiers += usize::from(depth == 0),
                Kind::Punct(";") if depth == 0 && quantifiers > 0 => quantifiers -= 1,
                Kind::Punct("(" | "{" | "[") => depth += 1,
                Kind::Punct(")" | "}" | "]") => depth = depth.saturating_sub(1),
                Kind::Punct(";") if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// One clause; `None` if it has no meaning here. A behaviour's clauses are gathered up to the next one.
    fn clause(&mut self, before: &mut Vec<Clause>) -> Parsed<Option<Clause>> {
        let start = self.peek().span;
        let Some(word) = self.word().map(str::to_owned) else {
            return self.unexpected("a clause such as `requires` or `loop invariant`");
        };
        self.bump();
        let kind = match word.as_str() {
            "requires" => ClauseKind::Requires(self.formula()?),
            "ensures" => ClauseKind::Ensures(self.formula()?),
            "assert" | "check" => ClauseKind::Assert(self.formula()?),
            "assume" | "admit" => ClauseKind::Assume(self.formula()?),
            "invariant" => ClauseKind::Invariant(self.formula()?),
            "assigns" => ClauseKind::Assigns { of_loop: false, locations: self.formulas()? },
            "loop" => return self.loop_clause(start),
            "track" => self.track(false)?,
            "predicate" => {
                // It stands at file scope, whatever the function after it calls its parameters.
                let inner = self.scopes.split_off(1);
                let predicate = self.predicate();
                self.scopes.truncate(1);
                self.scopes.extend(inner);
                predicate?
            }
            "logic" if self.defines() => return self.logic_definition(start),
            "logic" => {
                self.no_unbounded()?;
                let parameters = self.binders()?;
                // They are names in all clauses after it.
                parameters.iter().filter_map(|p| p.name).for_each(|name| self.declare(name, false));
                self.expect(";")?;
                ClauseKind::Logic(parameters)
            }
            "shape" => self.shape()?,
            "ghost" => {
                let statement = self.nested(|p| p.statement())?;
                ClauseKind::Ghost(Box::new(statement))
            }
            "behavior" | "behaviour" => return self.behavior(start, before),
            "pattern" => self.pattern()?,
            "assumes" => ClauseKind::Assumes(self.formula()?),
            "complete" | "disjoint" => self.behaviors_relation(word == "complete")?,
            "frees" | "allocates" => {
                ClauseKind::Frees { allocates: word == "allocates", cells: self.formulas()? }
            }
            "decreases" => ClauseKind::Variant { of_loop: false, ranks: self.formulas()? },
            "terminates" => return self.ignored(start),
            _ if [acsl::DEFINITIONS, acsl::CLAUSES, acsl::GLOBAL].concat().contains(&word.as_str()) => {
                return self.unmodelled(&word, start);
            }
            _ => {
                let help = did_you_mean(&word, "", CLAUSES).unwrap_or_else(|| {
                    let words = CLAUSES.join(", ");
                    format!("known are {words}, and loop invariant, loop assigns, loop variant, loop track")
                });
                let message = format!("`{word}` is not a clause of annotations");
                let diagnostic = Diagnostic::error("annotation", start, message).help(help);
                return Err(self.report(diagnostic));
            }
        };
        Ok(Some(Clause { kind, span: start.to(self.previous()) }))
    }

    fn ignored(&mut self, start: Span) -> Parsed<Option<Clause>> {
        self.skip_clause();
        let text = "a function terminates under its whole precondition: this clause has no effect";
        self.diagnostics.push(Diagnostic::warning("annotation", start, text));
        Ok(None)
    }

    fn loop_clause(&mut self, start: Span) -> Parsed<Option<Clause>> {
        let word = self.word().unwrap_or_default().to_owned();
        let kind = match word.as_str() {
            "invariant" => {
                self.bump();
                ClauseKind::Invariant(self.formula()?)
            }
            "assigns" => {
                self.bump();
                ClauseKind::Assigns { of_loop: true, locations: self.formulas()? }
            }
            "track" => {
                self.bump();
                self.track(true)?
            }
            "variant" => {
                self.bump();
                ClauseKind::Variant { of_loop: true, ranks: self.formulas()? }
            }
            _ => {
                let known = ["invariant", "assigns", "track", "variant"];
                let text = "expected `invariant`, `assigns`, `variant` or `track` after `loop`";
                let found = self.spell(self.peek());
                let mut diagnostic =
                    Diagnostic::error("syntax", self.peek().span, format!("{text}, found {found}"));
                diagnostic.help = did_you_mean(&word, "loop ", &known);
                return Err(self.report(diagnostic));
            }
        };
        Ok(Some(Clause { kind, span: start.to(self.previous()) }))
    }

    fn behavior(&mut self, start: Span, before: &mut Vec<Clause>) -> Parsed<Option<Clause>> {
        let (name, span) = self.ident("the behaviour's name")?;
        self.expect(":")?;
        let mut inner = Vec::new();
        while !matches!(self.peek().kind, Kind::Close | Kind::End)
            && !matches!(self.word(), Some("behavior" | "behaviour" | "complete" | "disjoint"))
        {
            match self.clause(&mut inner) {
                Ok(Some(clause)) => inner.push(clause),
                Ok(None) => {}
                Err(_) => inner.push(self.broken_clause()),
            }
        }
        let clause = Clause { kind: ClauseKind::Behavior(name, inner), span: start.to(span) };
        before.push(clause);
        Ok(None)
    }

    /// `P;`
    fn formula(&mut self) -> Parsed<Expr> {
        let formula = self.assignment_expression()?;
        self.end_of_formula(&formula)?;
        Ok(formula)
    }

    /// `a, b;`; `\nothing` is the empty list.
    fn formulas(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = Vec::new();
        loop {
            let next = self.assignment_expression()?;
            let nothing = matches!(&next.kind, ExprKind::Builtin(n, a) if a.is_empty() && self.names.text(*n) == "nothing");
            if !nothing {
                list.push(next);
            }
            if self.dependencies() {
                return Ok(list);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(list)
    }

    fn track(&mut self, of_loop: bool) -> Parsed<ClauseKind> {
        let mut object = None;
        if self.at("(") && self.type_follows(1) && !self.cast_follows() {
            self.bump();
            let specifiers = self.bound_type()?;
            object = Some(self.parameter(&specifiers)?);
            self.expect(")")?;
        }
        let predicates = self.bound(object.iter(), Self::formulas)?;
        Ok(ClauseKind::Track { of_loop, object, predicates })
    }

    /// After `pattern`: the cells in parentheses, if there are any, and what must not hold of them.
    fn pattern(&mut self) -> Parsed<ClauseKind> {
        let mut cells = Vec::new();
        if self.at("(") && self.type_follows(1) && !self.cast_follows() {
            self.bump();
            cells = self.binders()?;
            self.expect(")")?;
        }
        let body = self.bound(cells.iter(), Self::formula)?;
        Ok(ClauseKind::Pattern { cells, body })
    }

    /// After `track`: `(T *)e`, a cast, has no name before the closing parenthesis.
    fn cast_follows(&self) -> bool {
        let mut at = 1;
        while !self.peek_at(at).is(")") {
            if matches!(self.peek_at(at).kind, Kind::Close | Kind::End) {
                return true;
            }
            at += 1;
        }
        self.peek_at(at - 1).is("*")
    }

    fn predicate(&mut self) -> Parsed<ClauseKind> {
        let (name, _) = self.ident("the predicate's name")?;
        let parameters = self.formal_parameters()?;
        self.expect("=")?;
        let body = self.bound(parameters.iter(), Self::assignment_expression)?;
        self.expect(";")?;
        Ok(ClauseKind::Predicate { name, parameters, body, is_value: false })
    }

    fn shape(&mut self) -> Parsed<ClauseKind> {
        let (kind, _) = self.ident("`list`, `dlist` or `tree`")?;
        self.expect("(")?;
        let mut fields = vec![self.ident("a field")?];
        while self.eat(",") {
            fields.push(self.ident("a field")?);
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(ClauseKind::Shape(kind, fields))
    }

    /// Reads something in which these names are variables, whatever they were before.
    pub(super) fn bound<'b, T>(
        &mut self,
        names: impl Iterator<Item = &'b Parameter>,
        inner: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        self.scopes.push(names.filter_map(|p| p.name).map(|name| (name, false)).collect());
        let result = inner(self);
        self.scopes.pop();
        result
    }

    /// The type before what a quantifier or a clause binds.
    pub(super) fn bound_type(&mut self) -> Parsed<super::declaration::Base> {
        self.type_wanted = true;
        let base = self.specifiers();
        self.type_wanted = false;
        base
    }

    /// `T *u, *v, w`
    pub(super) fn binders(&mut self) -> Parsed<Vec<Parameter>> {
        let specifiers = self.bound_type()?;
        let mut binders = vec![self.parameter(&specifiers)?];
        while self.eat(",") {
            binders.push(self.parameter(&specifiers)?);
        }
        if let Some(unnamed) = binders.iter().find(|b| b.name.is_none()) {
            let span = unnamed.span;
            return self.fail(span, "a name is expected");
        }
        Ok(binders)
    }

    /// `\name`, `\name(...)`, `\forall T x; P`.
    pub(super) fn builtin(&mut self) -> Parsed<Expr> {
        let token = self.bump();
        let Kind::Builtin(name) = token.kind else { return self.unexpected("a built-in") };
        match self.names.text(name) {
            word @ ("forall" | "exists") => {
                let all = word == "forall";
                let binders = self.binders()?;
                self.expect(";")?;
                let body = Box::new(self.bound(binders.iter(), Self::assignment_expression)?);
                let span = token.span.to(body.span);
                self.expr(ExprKind::Quantifier { all, binders, body }, span)
            }
            _ => {
                let mut arguments = Vec::new();
                if self.eat("(") {
                    arguments = self.nested(|p| p.arguments())?;
                }
                if let [Expr { kind: ExprKind::Binary(BinaryOp::Arithmetic(_), array, range), .. }] =
                    &arguments[..]
                    && let (ExprKind::Name(array), ExprKind::Range(..)) = (&array.kind, &range.kind)
                {
                    self.indexed.push(*array);
                }
                self.expr(ExprKind::Builtin(name, arguments), token.span.to(self.previous()))
            }
        }
    }

    /// `ghost T *f, *g;` inside a struct.
    pub(super) fn ghost_members(&mut self) -> Vec<(Name, super::super::ast::TypeExpr, Span)> {
        let mut members = Vec::new();
        while self.peek().kind == Kind::Open {
            self.bump();
            self.in_annotation = true;
            while !matches!(self.peek().kind, Kind::Close | Kind::End) {
                if self.ghost_member(&mut members).is_err() {
                    self.skip_clause();
                }
            }
            self.in_annotation = false;
            self.bump();
        }
        members
    }

    fn ghost_member(&mut self, members: &mut Vec<(Name, super::super::ast::TypeExpr, Span)>) -> Parsed<()> {
        if !self.eat_word("ghost") {
            return self.unexpected("`ghost`, the only annotation inside a struct");
        }
        for binder in self.binders()? {
            if let Some(name) = binder.name {
                members.push((name, binder.ty, binder.span));
            }
        }
        self.expect(";")?;
        Ok(())
    }
}
