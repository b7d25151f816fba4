//! Behaviours, as this language and ACSL have them.
//!
//! A behaviour with `requires` is a contract by itself: callers choose one. A behaviour with `assumes` is a case of one
//! contract: callers establish what the clauses outside require and, where a case applies, what the case requires. Such a
//! function has a contract more, the one outside of all cases. `complete` and `disjoint` are statements about
//! the entry state, so they become postconditions of that contract about `\old` values.

use super::formula::{Env, Mode};
use crate::frontend::c::ast::{self, BinaryOp, Clause, ClauseKind, ExprKind};
use crate::frontend::c::check::{Checker, Checking};
use crate::frontend::c::hir::{SpecClause, SpecContract, SpecTrack};
use crate::frontend::c::token::Name;
use crate::frontend::diagnostic::Span;
use crate::program::{At, Formula};

/// A behaviour before it is joined with the clauses outside.
pub(super) struct Behavior<'a> {
    pub(super) name: Name,
    own: SpecContract,
    /// The formulas of `assumes`.
    assumes: Vec<&'a ast::Expr>,
    /// The formulas of `requires`.
    requires: Vec<&'a ast::Expr>,
}

/// `complete behaviors` (or `disjoint`), the names, and where.
type Relation<'a> = (bool, &'a Vec<(Name, Span)>, Span);

impl Checker<'_> {
    pub(super) fn behavior<'a>(
        &mut self,
        name: Name,
        inner: &'a [Clause],
        span: Span,
        tracks: &mut Vec<SpecTrack>,
    ) -> Behavior<'a> {
        for clause in inner {
            if let ClauseKind::Logic(list) = &clause.kind {
                self.logic_constants(list);
            }
        }
        let text = self.text(name).to_owned();
        let own = SpecContract { behavior: Some(text), span, ..SpecContract::default() };
        let mut behavior = Behavior { name, own, assumes: Vec::new(), requires: Vec::new() };
        for clause in inner {
            match &clause.kind {
                ClauseKind::Assumes(formula) => behavior.assumes.push(formula),
                ClauseKind::Requires(formula) => {
                    behavior.requires.push(formula);
                    self.contract_clause(clause, &mut behavior.own, tracks);
                }
                _ => self.contract_clause(clause, &mut behavior.own, tracks),
            }
        }
        behavior
    }

    /// All contracts of a function.
    pub(super) fn joined(
        &mut self,
        mut common: SpecContract,
        behaviors: Vec<Behavior<'_>>,
        relations: &[Relation<'_>],
    ) -> Vec<SpecContract> {
        let cases = behaviors.iter().any(|b| !b.assumes.is_empty());
        let mut related = Vec::new();
        for (complete, names, span) in relations {
            if let Ok(formula) = self.relation(*complete, names, &behaviors, cases) {
                related.push(SpecClause { formula, span: *span });
            }
        }
        let mut own = Vec::new();
        for mut behavior in behaviors {
            if cases {
                let span = behavior.own.span;
                let guard = self.guard(&behavior, true, At::Now).unwrap_or(Formula::Const(true));
                let required = std::mem::take(&mut behavior.own.requires);
                if !required.is_empty() {
                    let required = Formula::all(required.into_iter().map(|c| c.formula));
                    let formula = Formula::Implies(Box::new(guard.clone()), Box::new(required));
                    common.requires.push(SpecClause { formula, span });
                }
                if guard != Formula::Const(true) {
                    behavior.own.requires.push(SpecClause { formula: guard, span });
                }
            }
            own.push(behavior.own);
        }
        let mut contracts = Vec::new();
        if own.is_empty() || cases || !related.is_empty() {
            let mut whole = common.clone();
            whole.ensures.extend(related);
            contracts.push(whole);
        }
        contracts.extend(own.into_iter().map(|own| join(&common, own)));
        contracts
    }

    /// When a behaviour applies.
    fn guard(&mut self, behavior: &Behavior<'_>, cases: bool, at: At) -> Checking<Formula> {
        let env = Env { at, ..Env::new(Mode::Requires) };
        let mut parts = Vec::new();
        for formula in if cases { &behavior.assumes } else { &behavior.requires } {
            parts.push(self.formula(formula, &env)?);
        }
        Ok(Formula::all(parts))
    }

    /// `complete behaviors` and `disjoint behaviors`, as a statement about the entry.
    fn relation(
        &mut self,
        complete: bool,
        names: &[(Name, Span)],
        behaviors: &[Behavior<'_>],
        cases: bool,
    ) -> Checking<Formula> {
        for (name, span) in names {
            if !behaviors.iter().any(|b| b.name == *name) {
                let message = format!("there is no behaviour `{}`", self.text(*name));
                return self.error("undeclared", *span, message);
            }
        }
        let mut guards = Vec::new();
        for behavior in behaviors {
            if names.is_empty() || names.iter().any(|(name, _)| *name == behavior.name) {
                guards.push(self.guard(behavior, cases, At::Entry)?);
            }
        }
        if complete {
            return Ok(Formula::Or(guards));
        }
        let mut parts = Vec::new();
        for (i, a) in guards.iter().enumerate() {
            parts.extend(guards[..i].iter().map(|b| Formula::And(vec![b.clone(), a.clone()]).negate()));
        }
        Ok(Formula::all(parts))
    }

    /// A formula of `requires`. What it says with `\initialized` is not needed: what is read before it is written is
    /// reported where it is read. So a part of the conjunction that says this is left out.
    pub(super) fn requirement(&mut self, formula: &ast::Expr) -> Checking<Formula> {
        let mut parts = Vec::new();
        conjuncts(formula, &mut parts);
        let initialised = |e: &&ast::Expr| matches!(&e.kind, ExprKind::Builtin(name, a) if a.len() == 1 && self.text(*name) == "initialized");
        let env = Env::new(Mode::Requires);
        if !parts.iter().any(initialised) {
            return self.formula(formula, &env);
        }
        let parts: Vec<_> = parts.into_iter().filter(|e| !initialised(e)).collect();
        let mut formulas = Vec::new();
        for part in parts {
            formulas.push(self.formula(part, &env)?);
        }
        Ok(Formula::all(formulas))
    }
}

/// The parts of `a && b && c`.
fn conjuncts<'a>(formula: &'a ast::Expr, parts: &mut Vec<&'a ast::Expr>) {
    let mut rest = formula;
    let mut right = Vec::new();
    while let ExprKind::Binary(BinaryOp::And, a, b) = &rest.kind {
        right.push(&**b);
        rest = a;
    }
    parts.push(rest);
    parts.extend(right.into_iter().rev());
}

/// The clauses of a behaviour with those outside any.
fn join(common: &SpecContract, own: SpecContract) -> SpecContract {
    let both = |a: &[SpecClause], b: Vec<SpecClause>| a.iter().cloned().chain(b).collect();
    let assigns = match (&common.assigns, own.assigns) {
        (None, own) => own,
        (Some(common), own) => Some(common.iter().cloned().chain(own.unwrap_or_default()).collect()),
    };
    SpecContract {
        behavior: own.behavior,
        requires: both(&common.requires, own.requires),
        ensures: both(&common.ensures, own.ensures),
        assigns,
        decreases: both(&common.decreases, own.decreases),
        span: own.span,
    }
}
