//! Questions about sums of integers, answered by the solver.

use crate::engine::induct::heap::{Fact, Linear, Relation, Var};
use crate::engine::solver::{Answer, Config, Solver};
use crate::logic::{BuildError, Model, Op, SortId, TermId, Terms, Value};
use crate::util::hash::Map;
use crate::util::limits::Limits;
use crate::util::num::Int;

/// How many steps one question may take.
const MAX_STEPS: u64 = 20_000;

/// Answers questions and remembers the answers.
#[derive(Default)]
pub struct Ints {
    known: Map<Vec<Fact>, bool>,
}

fn term_of(terms: &mut Terms, vars: &mut Map<Var, TermId>, form: &Linear) -> Result<TermId, BuildError> {
    let mut parts = vec![terms.int(form.constant.clone())];
    for (var, coefficient) in &form.terms {
        let constant = *vars.entry(*var).or_insert_with(|| terms.fresh_const("i", SortId::INT));
        let factor = terms.int(coefficient.clone());
        parts.push(terms.mul(factor, constant)?);
    }
    terms.add(&parts)
}

fn ask(facts: &[Fact]) -> Result<(Answer, Map<Var, TermId>, Terms), BuildError> {
    let config = Config { proofs: false, ..Config::default() };
    let mut solver = Solver::with_config(config);
    solver.set_limits(Limits { steps: Some(MAX_STEPS), ..Limits::default() });
    let mut vars: Map<Var, TermId> = Map::default();
    for fact in facts {
        let terms = solver.terms_mut();
        let (form, zero) = (term_of(terms, &mut vars, &fact.form)?, terms.int(0));
        let formula = match fact.relation {
            Relation::AtMostZero => terms.le(form, zero)?,
            Relation::Zero => terms.eq(form, zero)?,
            Relation::NotZero => {
                let equal = terms.eq(form, zero)?;
                terms.not(equal)?
            }
        };
        solver.assert(formula)?;
    }
    let answer = solver.check();
    let terms = std::mem::take(solver.terms_mut());
    Ok((answer, vars, terms))
}

impl Ints {
    /// Whether facts certainly contradict each other.
    pub fn absurd(&mut self, facts: &[Fact]) -> bool {
        if facts.iter().any(|f| f.truth() == Some(false)) {
            return true;
        }
        let open: Vec<Fact> = facts.iter().filter(|f| f.truth().is_none()).cloned().collect();
        if open.is_empty() {
            return false;
        }
        if let Some(&known) = self.known.get(&open) {
            return known;
        }
        let absurd = matches!(ask(&open), Ok((Answer::Unsat(_), ..)));
        self.known.insert(open, absurd);
        absurd
    }

    /// Whether facts certainly imply another.
    pub fn implies(&mut self, facts: &[Fact], goal: &Fact) -> bool {
        if goal.truth() == Some(true) || facts.contains(goal) {
            return true;
        }
        let mut with = |relation: Relation, form: Linear| {
            let mut all = facts.to_vec();
            all.push(Fact { relation, form });
            self.absurd(&all)
        };
        match goal.relation {
            Relation::Zero => with(Relation::NotZero, goal.form.clone()),
            Relation::NotZero => with(Relation::Zero, goal.form.clone()),
            Relation::AtMostZero => {
                // form >= 1, that is 1 - form <= 0.
                let one = Linear { terms: Vec::new(), constant: Int::from(1) };
                with(Relation::AtMostZero, one.minus(&goal.form))
            }
        }
    }

    /// Values for the variables of facts; nothing if there are none, or none were found.
    pub fn values(&self, facts: &[Fact]) -> Option<Map<Var, Int>> {
        let (answer, vars, terms) = ask(facts).ok()?;
        let Answer::Sat(model) = answer else { return None };
        let value = |(var, term): (Var, TermId)| Some((var, value_of(&terms, &model, term)?));
        vars.into_iter().map(value).collect()
    }
}

fn value_of(terms: &Terms, model: &Model, term: TermId) -> Option<Int> {
    let Op::App(func) = terms.op(term) else { return None };
    match model.get(terms, func, &[]) {
        Value::Int(value) => Some(value),
        _ => None,
    }
}
