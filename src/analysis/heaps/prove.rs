//! Obligations and the core: used to find what is propagated, and again for the final check.

use crate::engine::solver::{Answer, Config, Solver};
use crate::program::wp::Conditions;
use crate::util::limits::Limits;
use std::time::Instant;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// It follows.
    Proved,
    /// There is a model in which it does not hold.
    Refuted,
    /// Neither is known, and why.
    Open(String),
}

/// A solver that knows facts and hypotheses.
pub(super) fn solver(conditions: &Conditions<'_>) -> Result<Solver, String> {
    let config = Config { minimise_cores: false, ..Config::default() };
    let mut solver = Solver::with_terms(config, conditions.encoder.terms.clone());
    for &fact in conditions.encoder.facts.iter().chain(&conditions.hypotheses) {
        solver.assert(fact).map_err(|e| e.to_string())?;
    }
    Ok(solver)
}

/// Whether an obligation follows.
pub(super) fn check(
    solver: &mut Solver,
    conditions: &Conditions<'_>,
    i: usize,
    limits: Limits,
) -> Proof {
    let obligation = &conditions.obligations[i];
    let goal = match &obligation.goal {
        Ok(goal) => *goal,
        Err(reason) => return Proof::Open(format!("it cannot be expressed: {reason}")),
    };
    let negated = match solver.terms_mut().not(goal) {
        Ok(negated) => negated,
        Err(error) => return Proof::Open(error.to_string()),
    };
    solver.set_limits(limits);
    match solver.check_assuming(&[obligation.path, negated]) {
        Ok(Answer::Unsat(_)) => Proof::Proved,
        Ok(Answer::Sat(_)) => Proof::Refuted,
        Ok(Answer::Unknown(reason)) => Proof::Open(reason.to_string()),
        Err(error) => Proof::Open(error.to_string()),
    }
}
