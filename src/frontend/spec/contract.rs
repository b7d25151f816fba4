//! Contracts, loop annotations, tracked predicates, shapes.

use super::behavior::Behavior;
use super::formula::{Env, Mode, Value};
use crate::frontend::c::UNREAD;
use crate::frontend::c::ast::{self, Clause, ClauseKind};
use crate::frontend::c::check::{Checker, Checking, Current};
use crate::frontend::c::hir::{
    self, LoopSpec, SpecClause, SpecContract, SpecTarget, SpecTrack, TermTy, TypedTerm,
};
use crate::frontend::c::token::Name;
use crate::frontend::c::types::{RecordId, Ty};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::variant::{Rank, rank_as_formula};
use crate::program::walk::{self, Part};
use crate::program::{At, Binder, BoundId, Formula, Shape, StructId, Target, Term};

/// What a contract annotation says.
#[derive(Default)]
pub(crate) struct Contract {
    /// Something was said.
    pub(crate) given: bool,
    /// One per behaviour, or one.
    pub(crate) contracts: Vec<SpecContract>,
    /// Predicates to track.
    pub(crate) tracks: Vec<SpecTrack>,
}

/// Whether a formula speaks of a bound variable.
fn mentions(formula: &Formula, id: BoundId) -> bool {
    let mut found = false;
    walk::formula(formula, &mut |part| found |= matches!(part, Part::Term(Term::Bound(b)) if *b == id));
    found
}

impl Checker<'_> {
    /// The contract of the function whose parameters are in scope.
    pub(crate) fn contract(&mut self, clauses: &[Clause], function: Span) -> Contract {
        let mut result = Contract { given: !clauses.is_empty(), ..Contract::default() };
        // Constants first: every clause may use them, wherever they stand.
        for clause in clauses {
            if let ClauseKind::Logic(list) = &clause.kind {
                self.logic_constants(list);
            }
        }
        let mut common = SpecContract { span: function, ..SpecContract::default() };
        let mut behaviors: Vec<Behavior<'_>> = Vec::new();
        let mut relations = Vec::new();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Behavior(name, inner) => {
                    let behavior = self.behavior(*name, inner, clause.span, &mut result.tracks);
                    if behaviors.iter().any(|b| b.name == *name) {
                        let message = format!("behaviour `{}` is defined twice", self.text(*name));
                        let _ = self.error::<()>("redefinition", clause.span, message);
                    }
                    behaviors.push(behavior);
                }
                ClauseKind::Relation { complete, names } => relations.push((*complete, names, clause.span)),
                _ => self.contract_clause(clause, &mut common, &mut result.tracks),
            }
        }
        result.contracts = self.joined(common, behaviors, &relations);
        result
    }

    pub(super) fn logic_constants(&mut self, list: &[ast::Parameter]) {
        for parameter in list {
            let (Some(name), ty) = (parameter.name, self.resolve(&parameter.ty)) else { continue };
            if ty.int().is_none() && ty.target().is_none() {
                let message = "a logical constant is an integer or a pointer to a struct";
                let _ = self.error::<()>("annotation", parameter.span, message);
                continue;
            }
            if self.current.logic.iter().any(|l| l.name == name) {
                let message = format!("logical constant `{}` is declared twice", self.text(name));
                let _ = self.error::<()>("redefinition", parameter.span, message);
                continue;
            }
            self.current.logic.push(hir::Local { name, ty, span: parameter.span });
        }
    }

    pub(super) fn contract_clause(
        &mut self,
        clause: &Clause,
        contract: &mut SpecContract,
        tracks: &mut Vec<SpecTrack>,
    ) {
        let span = clause.span;
        match &clause.kind {
            ClauseKind::Requires(formula) => {
                if let Ok(formula) = self.requirement(formula) {
                    contract.requires.push(SpecClause { formula, span });
                }
            }
            ClauseKind::Ensures(formula) => {
                if let Ok(formula) = self.formula(formula, &Env::new(Mode::Ensures)) {
                    contract.ensures.push(SpecClause { formula, span });
                }
            }
            ClauseKind::Pattern { cells, body } => {
                if let Ok(formula) = self.pattern(cells, body) {
                    contract.ensures.push(SpecClause { formula, span });
                }
            }
            ClauseKind::Assigns { of_loop: false, locations } => {
                let env = Env { at: At::Entry, ..Env::new(Mode::Requires) };
                let targets = self.locations(locations, &env);
                contract.assigns.get_or_insert_default().extend(targets);
                contract.span = span;
            }
            ClauseKind::Variant { of_loop: false, ranks } => {
                contract.decreases.extend(self.ranks(ranks, &Env::new(Mode::Requires)));
            }
            ClauseKind::Track { of_loop: false, .. } => {
                if let Ok(found) = self.track(clause) {
                    tracks.extend(found);
                }
            }
            ClauseKind::Logic(_) | ClauseKind::Unmodelled(_) => {}
            ClauseKind::Frees { allocates, cells } => {
                if let Ok(formulas) = self.frees(*allocates, cells) {
                    contract.ensures.extend(formulas.into_iter().map(|formula| SpecClause { formula, span }));
                }
            }
            ClauseKind::Invariant(_) => {
                let text = "an invariant belongs to a loop, not into a contract";
                let help =
                    "write `loop invariant P;` directly before the loop, or `requires` and `ensures` here";
                self.sink.push(Diagnostic::error("annotation-place", span, text).help(help));
            }
            ClauseKind::Assumes(_) => {
                let help = "outside of a behaviour, `requires` says what callers must establish";
                let text = "`assumes` belongs into a behaviour";
                self.sink.push(Diagnostic::error("annotation-place", span, text).help(help));
            }
            ClauseKind::Broken => {
                // The complaint itself is on record.
                let _ = self.error::<()>(UNREAD, span, "the contract could not be read");
            }
            _ => {
                let _ =
                    self.error::<()>("annotation-place", span, "this clause does not belong into a contract");
            }
        }
    }

    /// `pattern (T *a, *b) P;`: at the exit there are no pairwise different allocated cells with P. The same as
    /// `ensures \forall T *a, *b; !(\valid(a) && \valid(b) && a != b && P);`, so every engine knows it.
    fn pattern(&mut self, cells: &[ast::Parameter], body: &ast::Expr) -> Checking<Formula> {
        let mut env = Env::new(Mode::Ensures);
        let mut binders: Vec<Binder> = Vec::new();
        for cell in cells {
            let binder = self.bind(cell, &mut env)?;
            if binder.of.is_none() {
                return self.error("annotation", cell.span, "a cell of a pattern is a pointer to a struct");
            }
            binders.push(binder);
        }
        let mut parts = Vec::new();
        for (i, binder) in binders.iter().enumerate() {
            let term = Term::Bound(binder.id);
            parts.push(Formula::Valid(term.clone(), At::Now));
            let alike = binders[..i].iter().filter(|b| b.of == binder.of);
            parts.extend(alike.map(|b| Formula::ne(Term::Bound(b.id), term.clone())));
        }
        parts.push(self.formula(body, &env)?);
        let absent = Formula::Not(Box::new(Formula::And(parts)));
        Ok(binders.into_iter().rev().fold(absent, |inner, b| Formula::Forall(b, Box::new(inner))))
    }

    /// A formula between statements.
    pub(crate) fn body_formula(&mut self, formula: &ast::Expr) -> Checking<Formula> {
        self.formula(formula, &Env::new(Mode::Body))
    }

    /// The clauses before a loop.
    pub(crate) fn loop_clauses(&mut self, clauses: &[Clause]) -> LoopSpec {
        let mut spec = LoopSpec::default();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Invariant(formula) => {
                    if let Ok(formula) = self.body_formula(formula) {
                        spec.invariants.push(SpecClause { formula, span: clause.span });
                    }
                }
                ClauseKind::Assigns { locations, .. } => {
                    let targets = self.locations(locations, &Env::new(Mode::Body));
                    spec.assigns.get_or_insert_default().extend(targets);
                }
                ClauseKind::Variant { of_loop: true, ranks } => {
                    spec.variant.extend(self.ranks(ranks, &Env::new(Mode::Body)));
                }
                ClauseKind::Track { .. } => {
                    if let Ok(found) = self.track(clause) {
                        spec.tracks.extend(found);
                    }
                }
                ClauseKind::Broken => {}
                _ => {
                    let message = "this clause does not belong before a loop";
                    let _ = self.error::<()>("annotation-place", clause.span, message);
                }
            }
        }
        spec
    }

    /// What decreases: numbers and sets of cells.
    fn ranks(&mut self, ranks: &[ast::Expr], env: &Env) -> Vec<SpecClause> {
        let mut out = Vec::new();
        for rank in ranks {
            let formula = match self.value(rank, env) {
                Ok(Value::Set(set, _)) => Ok(rank_as_formula(Rank::Cells(set))),
                Ok(Value::Term(TypedTerm { term, ty: TermTy::Int })) => {
                    Ok(rank_as_formula(Rank::Number(term)))
                }
                Ok(Value::Formula(tree @ Formula::Tree(..))) if env.mode == Mode::Requires => Ok(tree),
                Ok(_) => {
                    let text = "a number or a set of cells is expected (of a function also `\\tree`)";
                    self.error("annotation", rank.span, text)
                }
                Err(failed) => Err(failed),
            };
            if let Ok(formula) = formula {
                out.push(SpecClause { formula, span: rank.span });
            }
        }
        out
    }

    /// `track P, ...;`
    pub(crate) fn track(&mut self, clause: &Clause) -> Checking<Vec<SpecTrack>> {
        let ClauseKind::Track { object, predicates, .. } = &clause.kind else { return Ok(Vec::new()) };
        let mut env = Env::new(Mode::Body);
        let mut binder = None;
        if let Some(object) = object {
            let bound = self.bind(object, &mut env)?;
            if bound.of.is_none() {
                return self.error("annotation", object.span, "a tracked object is a pointer to a struct");
            }
            binder = Some(bound);
        }
        let mut tracks = Vec::new();
        for predicate in predicates {
            let span = predicate.span;
            let formula = self.formula(predicate, &env)?;
            if let Some(binder) = &binder
                && !mentions(&formula, binder.id)
            {
                let message = format!("this predicate does not speak of `{}`", binder.name);
                return self.error("annotation", span, message);
            }
            tracks.push(SpecTrack { object: binder.clone(), clause: SpecClause { formula, span } });
        }
        Ok(tracks)
    }

    /// Enters what a quantifier or `track` binds.
    pub(super) fn bind(&mut self, parameter: &ast::Parameter, env: &mut Env) -> Checking<Binder> {
        let ty = self.resolve(&parameter.ty);
        let Some(name) = parameter.name else {
            return self.error("annotation", parameter.span, "a name is expected");
        };
        let of = match (&ty, ty.target()) {
            (Ty::Int(_), _) => None,
            (_, Some(record)) => {
                self.complete(record, parameter.span)?;
                Some(StructId(record.0))
            }
            _ => {
                let message =
                    format!("quantifiers range over integers and cells, not over `{}`", self.types.show(&ty));
                return self.error("annotation", parameter.span, message);
            }
        };
        let id = BoundId(self.current.bounds);
        self.current.bounds += 1;
        let ty = if of.is_some() { hir::TermTy::Pointer(ty) } else { hir::TermTy::Int };
        env.bound.push((name, hir::TypedTerm { term: Term::Bound(id), ty }));
        Ok(Binder { id, name: self.text(name).to_owned(), of })
    }

    pub(super) fn complete(&mut self, record: RecordId, span: Span) -> Checking<()> {
        if self.is_complete(record) {
            return Ok(());
        }
        let message = format!("`{}` is not defined", self.types.record(record).name);
        self.error("incomplete-type", span, message)
    }

    fn locations(&mut self, locations: &[ast::Expr], env: &Env) -> Vec<SpecTarget> {
        let mut targets = Vec::new();
        for location in locations {
            if let Ok(target) = self.location(location, env) {
                targets.push(SpecTarget { target, span: location.span });
            }
        }
        targets
    }

    /// One location of `assigns`.
    fn location(&mut self, location: &ast::Expr, env: &Env) -> Checking<Target> {
        let span = location.span;
        if let ast::ExprKind::Index(array, index) = &location.kind {
            let Value::Array(var, _) = self.value(array, env)? else {
                return self.error("annotation", span, "an array is expected before `[`");
            };
            let (low, high) = match &index.kind {
                ast::ExprKind::Range(low, high) => (self.int_term(low, env)?, self.int_term(high, env)?),
                _ => {
                    let index = self.int_term(index, env)?;
                    (index.clone(), index)
                }
            };
            return Ok(Target::Range(var, low, high));
        }
        if let ast::ExprKind::Member { base, field, field_span, arrow: true } = &location.kind
            && let Value::Set(set, record) = self.value(base, env)?
        {
            let Some(record) = record else {
                return self.error("annotation", span, "cells of which struct are meant?");
            };
            let path = self.find_member(record, *field, *field_span)?;
            return match self.types.field(record, &path) {
                Some(field) => Ok(Target::Fields(set, field)),
                None => self.unsupported(*field_span, "this member is not modelled"),
            };
        }
        match self.value(location, env)? {
            Value::Array(var, _) => Ok(Target::Var(var)),
            Value::Term(hir::TypedTerm { term: Term::Var(var, _), .. }) => match hir::decode(var) {
                hir::Ref::Global(_) => Ok(Target::Var(var)),
                hir::Ref::Local(_) if env.mode == Mode::Body => Ok(Target::Var(var)),
                _ => self.error("annotation", span, "a contract's `assigns` names globals and fields only"),
            },
            Value::Term(hir::TypedTerm { term: Term::Field(field, _, base), .. }) if field.0 < hir::PART => {
                Ok(Target::Field(*base, field))
            }
            _ => self.error(
                "annotation",
                span,
                "`assigns` names variables, fields `p->f` and `\\cells(f, x, y)->f`",
            ),
        }
    }

    /// `shape` hints of the unit.
    pub(crate) fn declare_shapes(&mut self, items: &[ast::Item]) {
        for item in items {
            let ast::Item::Annotation(clauses) = item else { continue };
            for clause in clauses {
                if let ClauseKind::Shape(kind, fields) = &clause.kind {
                    let _ = self.shape(*kind, fields, clause.span);
                }
            }
        }
    }

    fn shape(&mut self, kind: Name, fields: &[(Name, Span)], span: Span) -> Checking<()> {
        let expected = match self.text(kind) {
            "list" => 1,
            "dlist" | "tree" => 2,
            _ => {
                return self.error(
                    "annotation",
                    span,
                    "shapes are `list(f)`, `dlist(n, p)` and `tree(l, r)`",
                );
            }
        };
        if fields.len() != expected {
            return self.error("annotation", span, format!("this shape has {expected} fields"));
        }
        if let [(first, _), (second, at)] = fields
            && first == second
        {
            return self.error("annotation", *at, "the two fields of this shape must be different ones");
        }
        let mut found = false;
        for record in (0..self.types.records.len() as u32).map(RecordId) {
            let link = |c: &Self, name: Name| {
                let path = c.types.member(record, name)?;
                let field = c.types.field(record, &path)?;
                (c.types.fields[field.index()].ty.target() == Some(record)).then_some(field)
            };
            let ids: Option<Vec<_>> = fields.iter().map(|(name, _)| link(self, *name)).collect();
            let Some(ids) = ids else { continue };
            found = true;
            self.checked.shapes.push(match (self.text(kind), &ids[..]) {
                ("list", [f]) => Shape::List(*f),
                ("dlist", [n, p]) => Shape::Dlist(*n, *p),
                (_, [l, r]) => Shape::Tree(*l, *r),
                _ => continue,
            });
        }
        if found {
            return Ok(());
        }
        let at = fields.first().map_or(span, |(_, s)| *s);
        self.error("unknown-member", at, "no struct has these fields as links to itself")
    }

    /// Every predicate is checked once by itself, so that a wrong one is reported once.
    pub(crate) fn check_predicates(&mut self) {
        let mut names: Vec<Name> = self.predicates.keys().copied().collect();
        names.sort_by_key(|n| self.predicates[n].span);
        for name in names {
            let predicate = self.predicates[&name].clone();
            self.current = Current::default();
            let mut env = Env::new(Mode::Predicate);
            env.stack.push(name);
            let before = self.sink.len();
            for (name, ty) in &predicate.parameters {
                let id = BoundId(self.current.bounds);
                self.current.bounds += 1;
                let ty = if ty.int().is_some() { hir::TermTy::Int } else { hir::TermTy::Pointer(ty.clone()) };
                env.bound.push((*name, hir::TypedTerm { term: Term::Bound(id), ty }));
            }
            let _ = match predicate.is_value {
                true => self.term(&predicate.body, &env).map(|_| ()),
                false => self.formula(&predicate.body, &env).map(|_| ()),
            };
            if self.sink[before..].iter().any(|d| d.severity > crate::frontend::diagnostic::Severity::Warning)
            {
                self.broken.push(name);
            }
        }
        self.current = Current::default();
    }

    /// A complaint about a predicate that has one of its own.
    pub(super) fn broken_predicate<T>(&mut self, name: Name, span: Span) -> Checking<T> {
        let message = format!("predicate `{}` has an error", self.text(name));
        let place = self.predicates.get(&name).map(|p| p.span);
        let mut diagnostic = Diagnostic::error("annotation", span, message);
        if let Some(place) = place {
            diagnostic = diagnostic.label(place, "defined here");
        }
        self.sink.push(diagnostic);
        Err(crate::frontend::c::check::Failed)
    }
}
