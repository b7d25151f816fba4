//! Obligations and the core.
//!
//! Each thread has one solver with the facts and hypotheses of the function; an obligation is a check under
//! two assumptions, its path and the negation of its goal, so what was learnt for one serves the next.

use super::Remaining;
use super::worker::Worker;
use crate::analysis::Progress;
use crate::engine::solver::{Answer, Config, Solver};
use crate::logic::{BuildError, Model, TermId, Terms};
use crate::program::wp::Conditions;
use crate::util::limits::Limits;
use crate::util::options;
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
    /// Works on all obligations but those that are decided, at most `steps` of work on each. Stops early at the
    /// first one that does not follow; those after it are open.
    pub fn run(&self, known: Vec<Result>, steps: Option<u64>, counters: &mut Counters) -> Vec<Result> {
        let total = self.conditions.obligations.len();
        let proved: Vec<bool> = known.iter().map(|r| *r == Result::Proved).collect();
        let refuted = known.iter().position(|r| *r == Result::Refuted);
        let results: Mutex<Vec<Result>> = Mutex::new(known);
        let sums = Mutex::new((0u64, 0u64, 0u64));
        // Obligations behind this one are not worth a check.
        let first_failure = AtomicUsize::new(refuted.unwrap_or(usize::MAX));
        let groups = self.conditions.clauses();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut worker = match self.worker() {
                Ok(worker) => worker,
                Err(error) => return self.give_up(&results, &error),
            };
            while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                let first = first_failure.load(Ordering::Relaxed);
                let open: Vec<usize> = group.clone().filter(|&i| i < first && !proved[i]).collect();
                if open.is_empty() {
                    continue;
                }
                (self.progress)(&format!("obligation {} of {total}", open[0] + 1));
                if open.len() == group.len() && self.together(&mut worker, &open, steps) {
                    if let Ok(mut results) = results.lock() {
                        open.iter().for_each(|&i| results[i] = Result::Proved);
                    }
                    continue;
                }
                for i in open {
                    let result = self.check(&mut worker, i, steps);
                    let is_refuted = result == Result::Refuted;
                    if let Ok(mut results) = results.lock() {
                        results[i] = result;
                    }
                    if is_refuted {
                        first_failure.fetch_min(i, Ordering::Relaxed);
                        break;
                    }
                }
            }
            let stats = worker.solver.stats();
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
            for (counter, more) in [
                (&mut counters.queries, sums.0),
                (&mut counters.conflicts, sums.1),
                (&mut counters.instances, sums.2),
            ] {
                *counter = Some(counter.unwrap_or(0) + more);
            }
        }
        results.into_inner().unwrap_or_default()
    }

    /// Whether all conjuncts of a clause are proved by one question: most clauses are, and that is cheaper.
    fn together(&self, worker: &mut Worker<'_>, group: &[usize], steps: Option<u64>) -> bool {
        let goals = group.iter().map(|&i| self.conditions.obligations[i].goal.clone().ok());
        let wanted = group.len() > 1 && steps.is_some_and(|s| s <= options::VC_TOGETHER.get());
        let (Some(goals), true) = (goals.collect::<Option<Vec<TermId>>>(), wanted) else { return false };
        let terms = worker.solver.terms_mut();
        let Ok(negated) = terms.and(&goals).and_then(|goal| terms.not(goal)) else { return false };
        let path = self.conditions.obligations[group[0]].path;
        matches!(
            worker.check(&[path, negated], || self.limits(Some(options::VC_TOGETHER.get()))),
            Ok(Answer::Unsat(_))
        )
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
    pub(super) fn worker(&self) -> std::result::Result<Worker<'_>, BuildError> {
        let config = Config { minimise_cores: false, ..Config::default() };
        let mut encoder = self.conditions.encoder.clone();
        let terms = std::mem::take(&mut encoder.terms);
        let mut solver = Solver::with_terms(config, terms);
        for &fact in self.conditions.encoder.facts.iter().chain(&self.conditions.hypotheses) {
            solver.assert(fact)?;
        }
        Ok(Worker::new(solver, encoder))
    }

    /// What is left, with at most so many steps.
    fn limits(&self, steps: Option<u64>) -> Limits {
        let limits = self.remaining.now();
        let steps = steps.map_or(limits.steps, |s| Some(limits.steps.map_or(s, |l| l.min(s))));
        Limits { steps, ..limits }
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

    fn check(&self, worker: &mut Worker<'_>, i: usize, steps: Option<u64>) -> Result {
        self.check_model(worker, i, steps).0
    }

    /// Which of the further assumptions the proof of an obligation uses; `None` if it is not proved.
    pub(super) fn core(
        &self,
        worker: &mut Worker<'_>,
        i: usize,
        more: &[TermId],
        steps: u64,
    ) -> Option<Vec<TermId>> {
        let mut assumptions = self.negation(worker.solver.terms_mut(), i).ok()?.to_vec();
        assumptions.extend(more);
        match worker.check(&assumptions, || self.limits(Some(steps))) {
            Ok(Answer::Unsat(core)) => Some(core.assumptions.clone()),
            _ => None,
        }
    }

    /// The same, with the model of one that does not follow.
    pub(super) fn check_model(
        &self,
        worker: &mut Worker<'_>,
        i: usize,
        steps: Option<u64>,
    ) -> (Result, Option<Box<Model>>) {
        let assumptions = match self.negation(worker.solver.terms_mut(), i) {
            Ok(assumptions) => assumptions,
            Err(reason) => return (Result::Open(reason), None),
        };
        match worker.check(&assumptions, || self.limits(steps)) {
            Ok(Answer::Unsat(_)) => (Result::Proved, None),
            Ok(Answer::Sat(model)) => (Result::Refuted, Some(model)),
            Ok(Answer::Unknown(reason)) => (Result::Open(reason.to_string()), None),
            Err(reason) => (Result::Open(reason), None),
        }
    }

    /// One obligation by itself.
    pub fn once(&self, i: usize, steps: u64) -> Result {
        match self.worker() {
            Ok(mut worker) => self.check(&mut worker, i, Some(steps)),
            Err(error) => Result::Open(error.to_string()),
        }
    }

    /// A model in which an obligation fails, under further assumptions, from a solver of its own.
    pub fn model(
        &self,
        i: usize,
        steps: Option<u64>,
        more: impl FnOnce(&mut Terms) -> Vec<TermId>,
    ) -> Option<(Terms, Model)> {
        let mut worker = self.worker().ok()?;
        let mut assumptions = self.negation(worker.solver.terms_mut(), i).ok()?.to_vec();
        assumptions.extend(more(worker.solver.terms_mut()));
        match worker.check(&assumptions, || self.limits(steps)) {
            Ok(Answer::Sat(model)) => Some((worker.solver.terms().clone(), *model)),
            _ => None,
        }
    }
}
