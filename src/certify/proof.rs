//! The check of a whole proof, step by step.
//!
//! Each step is validated (its ids belong to the store, its terms are closed, its literals are literals),
//! its clause is computed or checked, and the clause is handed to unit propagation. The clauses of
//! instances, Skolem steps and trichotomies are built here and not taken from the proof. That may need terms
//! the store does not have, so the store is copied when the first such step is met; ids keep their meaning
//! in the copy, and the proof may only mention ids of the original.
//!
//! Skolem constants: every term met so far, down to its last subterm, is marked, the assertions and
//! assumptions first. A constant is new if it is not marked. Hence a constant is introduced once, and no
//! earlier clause and none of the problem's formulas speak of it.

use super::connective::check_connective;
use super::error::{Fault, ProofError, kind, show, show_clause, show_literal};
use super::lemma::check_lemma;
use super::propagate::Propagator;
use crate::logic::{FuncId, Op, SortId, TermId, Terms, VarId};
use crate::proof::{Clause, Closing, Derivation, Literal, Proof, Source, Step};
use crate::util::hash::{Map, Set};
use crate::util::limits::Budget;
use std::borrow::Cow;

/// What a lemma costs, in steps of a budget: its context is built from nothing.
const STEPS_OF_LEMMA: u64 = 128;

/// Whether the proof shows that the assertions are contradictory, or (if its last clause is not empty)
/// that they contradict the assumptions whose negations make up that clause.
pub fn check_proof(
    terms: &Terms,
    assertions: &[TermId],
    assumptions: &[TermId],
    proof: &Proof,
) -> Result<(), ProofError> {
    check_proof_within(terms, assertions, assumptions, proof, &mut Budget::unlimited())
}

/// As [`check_proof`], within a budget.
pub fn check_proof_within(
    terms: &Terms,
    assertions: &[TermId],
    assumptions: &[TermId],
    proof: &Proof,
    budget: &mut Budget,
) -> Result<(), ProofError> {
    let whole = |fault| ProofError { step: None, kind: "problem", fault };
    let mut checker = Checker {
        n_terms: terms.len(),
        n_funcs: terms.funcs().len(),
        terms: Cow::Borrowed(terms),
        assertions: assertions.iter().copied().collect(),
        marked: vec![false; terms.len()],
        propagator: Propagator::new(),
    };
    for &formula in assertions.iter().chain(assumptions) {
        checker.expect_formula(formula).map_err(whole)?;
        checker.mark(formula);
    }
    let mut last = None;
    for (number, step) in proof.steps.iter().enumerate() {
        let located = |fault| ProofError { step: Some(number), kind: kind(step), fault };
        let clause = checker.check_step(step).map_err(located)?;
        let work = match step {
            Step::Lemma { derivation, .. } => STEPS_OF_LEMMA + derivation.rules.len() as u64,
            _ => 1,
        };
        let work = work + clause.len() as u64 + checker.propagator.take_visits();
        budget.spend(work).map_err(|stop| located(Fault::Stopped(stop)))?;
        last = Some((clause, number, kind(step)));
    }
    let Some((clause, number, kind)) = last else {
        return Err(ProofError { step: None, kind: "proof", fault: Fault::EmptyProof });
    };
    let allowed: Set<Literal> = assumptions.iter().map(|&a| Literal::new(terms, a, false)).collect();
    match clause.iter().find(|literal| !allowed.contains(*literal)) {
        None => Ok(()),
        Some(&literal) => {
            let fault = Fault::FinalClause(show_literal(&checker.terms, literal));
            Err(ProofError { step: Some(number), kind, fault })
        }
    }
}

/// The term has the sort.
pub(super) fn expect_sort(terms: &Terms, term: TermId, sort: SortId) -> Result<(), Fault> {
    let found = terms.sort(term);
    if found == sort {
        return Ok(());
    }
    let name = |sort| terms.sort_name(sort).to_owned();
    Err(Fault::Sort { term: show(terms, term), expected: name(sort), found: name(found) })
}

struct Checker<'a> {
    terms: Cow<'a, Terms>,
    /// Sizes of the store that the proof speaks of.
    n_terms: usize,
    n_funcs: usize,
    assertions: Set<TermId>,
    /// Which terms have occurred, closed under subterms.
    marked: Vec<bool>,
    propagator: Propagator,
}

impl Checker<'_> {
    /// Checks a step and returns its clause, which then counts as proved.
    fn check_step(&mut self, step: &Step) -> Result<Clause, Fault> {
        self.validate(step)?;
        let clause = match step {
            Step::Assertion { formula } => self.assertion(*formula)?,
            Step::Connective { node, clause } => {
                check_connective(&self.terms, *node, clause)?;
                clause.clone()
            }
            Step::Instance { forall, values } => self.instance(*forall, values)?,
            Step::Skolem { forall, constants } => self.skolem(*forall, constants)?,
            Step::Trichotomy { left, right } => self.trichotomy(*left, *right)?,
            Step::Lemma { clause, derivation } => {
                check_lemma(&self.terms, clause, derivation)?;
                clause.clone()
            }
            Step::Propagation { clause } => {
                if !self.propagator.implies(clause) {
                    return Err(Fault::NotPropagated(show_clause(&self.terms, clause)));
                }
                clause.clone()
            }
        };
        self.propagator.add(&clause);
        for_each_term(step, |term| self.mark(term));
        clause.iter().for_each(|literal| self.mark(literal.atom));
        Ok(clause)
    }

    fn assertion(&self, formula: TermId) -> Result<Clause, Fault> {
        if !self.assertions.contains(&formula) {
            return Err(Fault::NotAsserted(show(&self.terms, formula)));
        }
        Ok(vec![Literal::new(&self.terms, formula, true)])
    }

    fn instance(&mut self, forall: TermId, values: &[TermId]) -> Result<Clause, Fault> {
        let body = self.instantiate(forall, values)?;
        Ok(vec![Literal::new(&self.terms, forall, false), Literal::new(&self.terms, body, true)])
    }

    fn skolem(&mut self, forall: TermId, constants: &[TermId]) -> Result<Clause, Fault> {
        self.mark(forall);
        for (i, &constant) in constants.iter().enumerate() {
            let is_internal = |func: FuncId| self.terms.func(func).internal;
            let fresh = match self.terms.op(constant) {
                Op::App(func) if self.terms.children(constant).is_empty() && is_internal(func) => {
                    !self.marked[constant.index()] && !constants[..i].contains(&constant)
                }
                _ => return Err(Fault::NotASkolemConstant(show(&self.terms, constant))),
            };
            if !fresh {
                return Err(Fault::NotFresh(show(&self.terms, constant)));
            }
        }
        let body = self.instantiate(forall, constants)?;
        Ok(vec![Literal::new(&self.terms, forall, true), Literal::new(&self.terms, body, false)])
    }

    fn trichotomy(&mut self, left: TermId, right: TermId) -> Result<Clause, Fault> {
        expect_sort(&self.terms, left, SortId::INT)?;
        expect_sort(&self.terms, right, SortId::INT)?;
        let terms = self.terms.to_mut();
        let cases = [terms.eq(left, right), terms.lt(left, right), terms.lt(right, left)];
        let literal = |case| Literal::new(terms, case, true);
        Ok(cases.into_iter().map(|case| literal(case.expect("both sides are integers"))).collect())
    }

    /// The body of a quantifier with values for its variables.
    fn instantiate(&mut self, forall: TermId, values: &[TermId]) -> Result<TermId, Fault> {
        let Op::Forall(prefix) = self.terms.op(forall) else {
            return Err(Fault::NotAQuantifier(show(&self.terms, forall)));
        };
        let variables = &self.terms.quantifier(prefix).variables;
        if variables.len() != values.len() {
            let place = format!("values for {}", show(&self.terms, forall));
            return Err(Fault::Arity { place, expected: variables.len(), found: values.len() });
        }
        let map: Map<VarId, TermId> = variables.iter().copied().zip(values.iter().copied()).collect();
        for (&variable, &value) in variables.iter().zip(values) {
            expect_sort(&self.terms, value, self.terms.variable_info(variable).1)?;
        }
        let body = self.terms.children(forall)[0];
        Ok(self.terms.to_mut().substitute(body, &map))
    }

    /// Whether everything the step mentions exists and is closed, and its literals are literals.
    fn validate(&self, step: &Step) -> Result<(), Fault> {
        let mut result = Ok(());
        for_each_term(step, |term| {
            if result.is_ok() {
                result = self.expect_closed(term);
            }
        });
        result?;
        let clause: &[Literal] = match step {
            Step::Connective { clause, .. } | Step::Propagation { clause } => clause,
            Step::Lemma { clause, derivation } => {
                let mut fields = derivation.rules.iter().map(|rule| rule.field);
                if let Some(foreign) = fields.find(|field| field.index() >= self.n_funcs) {
                    return Err(Fault::ForeignSymbol(foreign.0));
                }
                clause
            }
            Step::Assertion { .. }
            | Step::Instance { .. }
            | Step::Skolem { .. }
            | Step::Trichotomy { .. } => &[],
        };
        clause.iter().try_for_each(|literal| {
            self.expect_formula(literal.atom)?;
            match self.terms.negated(literal.atom) {
                Some(_) => Err(Fault::NotALiteral(show(&self.terms, literal.atom))),
                None => Ok(()),
            }
        })
    }

    fn expect_closed(&self, term: TermId) -> Result<(), Fault> {
        if term.index() >= self.n_terms {
            return Err(Fault::ForeignTerm(term.0));
        }
        if !self.terms.is_closed(term) {
            return Err(Fault::OpenTerm(show(&self.terms, term)));
        }
        Ok(())
    }

    fn expect_formula(&self, term: TermId) -> Result<(), Fault> {
        self.expect_closed(term)?;
        expect_sort(&self.terms, term, SortId::BOOL)
    }

    /// Marks a term and all its subterms.
    fn mark(&mut self, term: TermId) {
        self.marked.resize(self.terms.len(), false);
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !std::mem::replace(&mut self.marked[term.index()], true) {
                stack.extend(self.terms.children(term));
            }
        }
    }
}

/// Calls `visit` with every term that stands in a step.
fn for_each_term(step: &Step, mut visit: impl FnMut(TermId)) {
    let atoms = |clause: &Clause, visit: &mut dyn FnMut(TermId)| clause.iter().for_each(|l| visit(l.atom));
    match step {
        Step::Assertion { formula } => visit(*formula),
        Step::Connective { node, clause } => {
            visit(*node);
            atoms(clause, &mut visit);
        }
        Step::Instance { forall, values: arguments } | Step::Skolem { forall, constants: arguments } => {
            visit(*forall);
            arguments.iter().for_each(|&a| visit(a));
        }
        Step::Trichotomy { left, right } => {
            visit(*left);
            visit(*right);
        }
        Step::Lemma { clause, derivation } => {
            atoms(clause, &mut visit);
            for_each_term_of_derivation(derivation, &mut visit);
        }
        Step::Propagation { clause } => atoms(clause, &mut visit),
    }
}

fn for_each_term_of_derivation(derivation: &Derivation, visit: &mut impl FnMut(TermId)) {
    derivation.rules.iter().flat_map(|rule| &rule.binding).for_each(|&term| visit(term));
    let Closing::Arithmetic(cuts) = &derivation.closing else { return };
    for (_, source) in cuts.iter().flat_map(|cut| &cut.sum) {
        if let Source::Equal(left, right) = source {
            visit(*left);
            visit(*right);
        }
    }
}
