//! Obligations and the core: used to find what is propagated, and again for the final check.

use crate::engine::solver::{Answer, Config, Solver};
use crate::logic::{Model, Op, TermId, Terms};
use crate::program::wp::Conditions;
use crate::util::limits::Limits;
use std::time::Instant;

/// Work that a question may take in a solver that has seen others.
const SHARED: u64 = 20_000;
/// Work that a question may take in a solver of its own.
const OWN_STEPS: u64 = 1_000_000;
/// Work that a question may take while heaps may still grow.
pub(super) const STEPS: u64 = 500_000;

/// The limits that are left of those of a whole run.
#[derive(Clone, Debug)]
pub(super) struct Remaining {
    limits: Limits,
    start: Instant,
}

impl Remaining {
    pub(super) fn new(limits: &Limits) -> Remaining {
        Remaining { limits: limits.clone(), start: Instant::now() }
    }

    /// What is left now.
    pub(super) fn now(&self) -> Limits {
        let time = self.limits.time.map(|t| t.saturating_sub(self.start.elapsed()));
        Limits { time, ..self.limits.clone() }
    }

    /// Whether time is up or somebody cancelled.
    pub(super) fn is_over(&self) -> bool {
        let late = self.limits.time.is_some_and(|t| self.start.elapsed() >= t);
        late || self.limits.cancel.as_ref().is_some_and(|c| c.is_cancelled())
    }
}

/// What was found about an obligation.
#[derive(Debug)]
pub(super) enum Proof {
    /// It follows.
    Proved,
    /// There is a model in which it does not hold.
    Refuted(Box<Model>),
    /// Neither is known, and why.
    Open(String),
}

impl Proof {
    pub(super) fn is_proved(&self) -> bool {
        matches!(self, Proof::Proved)
    }
}

/// A solver that knows facts and hypotheses.
pub(super) fn solver(conditions: &Conditions<'_>) -> Result<Solver, String> {
    with_facts(conditions.encoder.terms.clone(), &facts(conditions))
}

/// What holds in all states, and at the entry.
pub(super) fn facts(conditions: &Conditions<'_>) -> Vec<TermId> {
    conditions.encoder.facts.iter().chain(&conditions.hypotheses).copied().collect()
}

/// A solver that knows these facts.
pub(super) fn with_facts(terms: Terms, facts: &[TermId]) -> Result<Solver, String> {
    let config = Config { minimise_cores: false, ..Config::default() };
    let mut solver = Solver::with_terms(config, terms);
    for &fact in facts {
        solver.assert(fact).map_err(|e| e.to_string())?;
    }
    Ok(solver)
}

/// Conjuncts of a goal, as far as they show.
fn conjuncts(terms: &Terms, goal: TermId) -> Vec<TermId> {
    let (mut out, mut stack) = (Vec::new(), vec![goal]);
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend(terms.children(term).iter().rev()),
            _ => out.push(term),
        }
    }
    out
}

/// Whether an obligation follows, conjunct by conjunct. The first conjunct that does not decides.
pub(super) fn check(solver: &mut Solver, conditions: &Conditions<'_>, i: usize, limits: &Limits) -> Proof {
    let obligation = &conditions.obligations[i];
    let goal = match &obligation.goal {
        Ok(goal) => *goal,
        Err(reason) => return Proof::Open(format!("it cannot be expressed: {reason}")),
    };
    let mut own: Option<Solver> = None;
    for part in conjuncts(solver.terms(), goal) {
        let shared = ask(solver, obligation.path, part, &short(limits, SHARED));
        let proof = match shared {
            Proof::Open(_) => {
                // What earlier questions left behind may be in the way.
                if own.is_none() {
                    own = self::solver(conditions).ok();
                }
                match &mut own {
                    Some(own) => ask(own, obligation.path, part, &short(limits, OWN_STEPS)),
                    None => shared,
                }
            }
            proof => proof,
        };
        if !proof.is_proved() {
            return proof;
        }
    }
    Proof::Proved
}

/// The same limits with no more than so many steps.
pub(super) fn short(limits: &Limits, steps: u64) -> Limits {
    Limits { steps: Some(limits.steps.map_or(steps, |s| s.min(steps))), ..limits.clone() }
}

fn ask(solver: &mut Solver, path: TermId, goal: TermId, limits: &Limits) -> Proof {
    let negated = match solver.terms_mut().not(goal) {
        Ok(negated) => negated,
        Err(error) => return Proof::Open(error.to_string()),
    };
    solver.set_limits(limits.clone());
    match solver.check_assuming(&[path, negated]) {
        Ok(Answer::Unsat(_)) => Proof::Proved,
        Ok(Answer::Sat(model)) => Proof::Refuted(model),
        Ok(Answer::Unknown(reason)) => Proof::Open(reason.to_string()),
        Err(error) => Proof::Open(error.to_string()),
    }
}
