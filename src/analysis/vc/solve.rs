//! Obligations and the core.
//!
//! Each thread has one solver with the facts and hypotheses of the function; an obligation is a check under
//! two assumptions, its path and the negation of its goal, so what was learnt for one serves the next.

use super::Remaining;
use crate::analysis::Progress;
use crate::engine::solver::{Answer, Config, Solver};
use crate::logic::{BuildError, Model, TermId, Terms};
use crate::program::wp::Conditions;
use crate::verdict::Counters;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was found about an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Result {
    /// It follows.
    Proved,
    /// It does not follow: there is a model.
    Refuted,
    /// Neither is known, and why.
    Open(String),
}

/// The obligations of one function, and how to work on them.
pub struct Task<'c, 'p> {
    /// What has to be proved.
    pub conditions: &'c Conditions<'p>,
    /// Limits.
    pub remaining: &'c Remaining,
    /// Threads.
    pub jobs: usize,
    /// Who wants to know.
    pub progress: Progress<'c>,
}

impl Task<'_, '_> {
    /// Works on all obligations. Stops early at the first one that does not follow; those after it are open.
    pub fn run(&self, counters: &mut Counters) -> Vec<Result> {
        let total = self.conditions.obligations.len();
        let results: Mutex<Vec<Result>> = Mutex::new(vec![Result::Open("not reached".to_owned()); total]);
        let sums = Mutex::new((0u64, 0u64, 0u64));
        // Obligations behind this one are not worth a check.
        let first_failure = AtomicUsize::new(usize::MAX);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut solver = match self.solver() {
                Ok(solver) => solver,
                Err(error) => return self.give_up(&results, &error),
            };
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= total || i > first_failure.load(Ordering::Relaxed) {
                    break;
                }
                (self.progress)(&format!("obligation {} of {total}", i + 1));
                let result = self.check(&mut solver, i);
                if result != Result::Proved {
                    first_failure.fetch_min(i, Ordering::Relaxed);
                }
                if let Ok(mut results) = results.lock() {
                    results[i] = result;
                }
            }
            let stats = solver.stats();
            if let Ok(mut sums) = sums.lock() {
                sums.0 += stats.queries;
                sums.1 += stats.conflicts;
                sums.2 += stats.instances;
            }
        };
        let threads = self.jobs.clamp(1, total.max(1));
        if threads == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            });
        }
        if let Ok(sums) = sums.lock() {
            counters.queries = Some(sums.0);
            counters.conflicts = Some(sums.1);
            counters.instances = Some(sums.2);
        }
        results.into_inner().unwrap_or_default()
    }

    fn give_up(&self, results: &Mutex<Vec<Result>>, error: &BuildError) {
        if let Ok(mut results) = results.lock() {
            for result in results.iter_mut().filter(|r| **r != Result::Proved) {
                *result = Result::Open(error.to_string());
            }
        }
    }

    /// A solver that knows the facts and hypotheses.
    ///
    /// # Errors
    /// Never for conditions of one encoder.
    pub fn solver(&self) -> std::result::Result<Solver, BuildError> {
        let config = Config { minimise_cores: false, ..Config::default() };
        let mut solver = Solver::with_terms(config, self.conditions.encoder.terms.clone());
        for &fact in self.conditions.encoder.facts.iter().chain(&self.conditions.hypotheses) {
            solver.assert(fact)?;
        }
        Ok(solver)
    }

    /// The assumptions under which an obligation fails.
    ///
    /// # Errors
    /// The reason, if the goal is not expressible.
    pub fn negation(&self, terms: &mut Terms, i: usize) -> std::result::Result<[TermId; 2], String> {
        let obligation = &self.conditions.obligations[i];
        let goal = obligation.goal.clone().map_err(|reason| format!("it cannot be expressed: {reason}"))?;
        let negated = terms.not(goal).map_err(|e| e.to_string())?;
        Ok([obligation.path, negated])
    }

    fn check(&self, solver: &mut Solver, i: usize) -> Result {
        let assumptions = match self.negation(solver.terms_mut(), i) {
            Ok(assumptions) => assumptions,
            Err(reason) => return Result::Open(reason),
        };
        solver.set_limits(self.remaining.now());
        match solver.check_assuming(&assumptions) {
            Ok(Answer::Unsat(_)) => Result::Proved,
            Ok(Answer::Sat(_)) => Result::Refuted,
            Ok(Answer::Unknown(reason)) => Result::Open(reason.to_string()),
            Err(error) => Result::Open(error.to_string()),
        }
    }

    /// A model in which an obligation fails, under further assumptions, from a solver of its own.
    pub fn model(&self, i: usize, more: impl FnOnce(&mut Terms) -> Vec<TermId>) -> Option<(Terms, Model)> {
        let mut solver = self.solver().ok()?;
        let mut assumptions = self.negation(solver.terms_mut(), i).ok()?.to_vec();
        assumptions.extend(more(solver.terms_mut()));
        solver.set_limits(self.remaining.now());
        match solver.check_assuming(&assumptions) {
            Ok(Answer::Sat(model)) => Some((solver.terms().clone(), *model)),
            _ => None,
        }
    }
}
