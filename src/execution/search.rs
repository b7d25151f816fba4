//! A search among the paths of a program, which can be left and gone on with.
//!
//! Exact paths (`summing` is none) decide: a failure is made again as a run. Paths whose states are summed up only exclude. A
//! search for several classes of failures may exclude some of them and not others: after the first failure of a class, what
//! fails in this class ends its path, and the others are looked for further on.
//!
//! What such a search shows of a class is that it is the class of no run's *first* failure. So classes that different searches
//! exclude are excluded together: the first failure of a run would be of one of them.

use super::frontier::Frontier;
use super::machine::{Fault, Halt, Machine};
use super::path::Path;
use super::summary::{Landmarks, Summing};
use super::visited::Visited;
use super::{Executed, shown_run};
use crate::frontend::c::{CheckedUnit, Options};
use crate::program::{Check, Property};
use crate::util::limits::{Budget, Limits, Stop};
use crate::verdict::{Author, Certificate, Counters, Outcome, Reason, Verdict};
use std::sync::Arc;

/// How far a search has come.
pub(super) enum Progress {
    /// There is an answer, or there will be none.
    Ended(Box<Executed>),
    /// It was stopped, for this reason.
    Stopped(Stop, Reason),
}

/// A search.
pub(super) struct Search {
    summing: Option<Summing>,
    frontier: Frontier,
    visited: Visited,
    landmarks: Arc<Landmarks>,
    paths: u64,
    queries: u64,
    /// Why all paths together do not decide.
    open: Option<Reason>,
    /// Classes of which a failure was seen that need not be one.
    pub(super) failed: Vec<Check>,
    /// Numbers of few values are split into cases: after the first failure of which only an approximation is known.
    splits: bool,
}

impl Search {
    /// From the beginning of the program.
    pub(super) fn new(summing: Option<Summing>, landmarks: Arc<Landmarks>) -> Search {
        Search {
            summing,
            frontier: Frontier::new(),
            visited: Visited::default(),
            landmarks,
            paths: 0,
            queries: 0,
            open: None,
            failed: Vec::new(),
            splits: false,
        }
    }

    fn counters(&self) -> Counters {
        Counters { queries: Some(self.queries), obligations: Some(self.paths), ..Counters::default() }
    }

    fn unknown(&self, reason: Reason) -> Progress {
        let verdict = Verdict::Unknown(reason);
        let outcome = Outcome { engine: Author::Paths, verdict, counters: self.counters() };
        Progress::Ended(Box::new(Executed { outcome, view: None }))
    }

    /// Goes on within these limits. Failures of classes that are `excluded` happen in no run.
    pub(super) fn go_on(
        &mut self,
        unit: &CheckedUnit,
        options: &Options,
        limits: &Limits,
        excluded: &[Check],
    ) -> Progress {
        let mut budget = Budget::new(limits);
        while let Some(next) = self.frontier.next() {
            let within = budget.within(limits);
            let path = Path::new(next.given.clone(), within.clone());
            let mut machine = Machine::new(unit, options, path, &mut budget);
            machine.allowance = Some(self.frontier.allowance());
            // A path that comes back to a state may be part of an endless run: where that is asked, it goes on.
            machine.visited = (!super::asks(options, Check::Termination)).then_some(&mut self.visited);
            machine.summing = self.summing;
            machine.landmarks = self.landmarks.clone();
            machine.resumed = next.arrivals;
            machine.splits = self.splits;
            machine.settled = excluded.iter().chain(&self.failed).copied().collect();
            let halt = machine.main();
            self.paths += u64::from(!matches!(halt, Halt::Paused | Halt::Stopped(_)));
            self.queries += machine.path.queries;
            self.frontier.leave(
                &machine.path,
                matches!(halt, Halt::Paused).then_some(machine.arrivals.max(next.arrivals)),
            );
            match halt {
                Halt::Ended | Halt::Cut | Halt::Paused => {}
                Halt::Failed(Fault { check, message, span }) if self.summing.is_some() => {
                    drop(machine);
                    let reason = Reason { message, span: Some(span) };
                    self.failed.push(check);
                    if asked(options).iter().all(|c| excluded.contains(c) || self.failed.contains(c)) {
                        return self.unknown(self.open.clone().unwrap_or(reason));
                    }
                    self.open.get_or_insert(reason);
                    // What is lost may be lost in the middle of a path.
                    if check == Check::Leaks {
                        self.frontier = Frontier::new();
                        self.visited = Visited::default();
                    }
                }
                Halt::GaveUp(message, span) if self.summing.is_some() => {
                    return self.unknown(Reason { message, span: Some(span) });
                }
                Halt::Failed(fault) => {
                    let inexact = machine.path.inexact;
                    let values = machine.path.solution();
                    let (taken, arrivals) = (machine.path.decisions().to_vec(), machine.arrivals);
                    drop(machine);
                    let like = values.clone().unwrap_or_default();
                    let shown = values.and_then(|v| shown_run(unit, options, v, &within, &mut budget));
                    if let Some((view, trace)) = shown {
                        let verdict = Verdict::Violated(Box::new(trace));
                        let outcome = Outcome { engine: Author::Paths, verdict, counters: self.counters() };
                        let found = Executed { outcome, view: Some(view) };
                        return Progress::Ended(Box::new(found));
                    }
                    // There was no time for the run: the path comes again.
                    if let Err(stop) = budget.poll() {
                        self.frontier.put_back(&taken, arrivals);
                        let message = format!("{stop} before a failing run was made");
                        return Progress::Stopped(stop, Reason { message, span: None });
                    }
                    if inexact && !self.splits {
                        if let Some((view, trace)) = tried_runs(unit, options, &like, &within, &mut budget) {
                            let verdict = Verdict::Violated(Box::new(trace));
                            let outcome =
                                Outcome { engine: Author::Paths, verdict, counters: self.counters() };
                            let found = Executed { outcome, view: Some(view) };
                            return Progress::Ended(Box::new(found));
                        }
                        self.splits = true;
                        self.frontier = Frontier::new();
                        self.visited = Visited::default();
                        self.open = None;
                        continue;
                    }
                    let why = match inexact {
                        true => "of which only an approximation is known",
                        false => "that was not made again",
                    };
                    let message = format!("{} on a path {why}", fault.message);
                    self.open.get_or_insert(Reason { message, span: Some(fault.span) });
                }
                Halt::GaveUp(message, span) => {
                    self.open.get_or_insert(Reason { message, span: Some(span) });
                }
                Halt::Stopped(stop) => {
                    let message = format!("{stop} after {} paths of the program", self.paths);
                    let arrivals = machine.arrivals.max(next.arrivals);
                    self.frontier.put_back(machine.path.decisions(), arrivals);
                    let reason = self.open.clone().filter(|_| self.summing.is_none());
                    return Progress::Stopped(stop, reason.unwrap_or(Reason { message, span: None }));
                }
            }
            if self.frontier.is_full() {
                let message = "the program has too many paths".to_owned();
                return self.unknown(Reason { message, span: None });
            }
        }
        let exact = self.summing.is_none();
        match self.open.clone().filter(|_| exact) {
            Some(reason) => self.unknown(reason),
            None => {
                let verdict = Verdict::Verified(Certificate::Paths(self.paths));
                let outcome = Outcome { engine: Author::Paths, verdict, counters: self.counters() };
                Progress::Ended(Box::new(Executed { outcome, view: None }))
            }
        }
    }
}

/// Numbers from outside that are tried one by one after a failure of which only an approximation is known, and runs.
const MAX_TRIED: usize = 4;
const MAX_RUNS: usize = 600;
/// Steps of such a run.
const STEPS_OF_RUN: u64 = 20_000;

/// A run that fails with numbers that are like these, but for one of them that is at a border of its bits.
fn tried_runs(
    unit: &CheckedUnit,
    options: &Options,
    like: &[i128],
    limits: &Limits,
    budget: &mut Budget,
) -> Option<(Box<crate::program::Program>, crate::verdict::Trace)> {
    let mut runs = 0;
    for number in 0..like.len().min(MAX_TRIED) {
        let borders = (1..64).flat_map(|bit| [(1i128 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for value in borders.flat_map(|n| [n, -n]) {
            runs += 1;
            if runs > MAX_RUNS || budget.spend(1).is_err() {
                return None;
            }
            let mut values = like.to_vec();
            values[number] = value;
            let mut short = budget.part(STEPS_OF_RUN);
            if let Some(found) = shown_run(unit, options, values, limits, &mut short) {
                return Some(found);
            }
        }
    }
    None
}

/// The classes that a question is about. Where memory must be freed at the end, an error call with memory left counts as one
/// of its own: that it is never reached may be another search's to show.
pub(super) fn asked(options: &Options) -> Vec<Check> {
    match options.property {
        Some(Property::UnreachCall) => vec![Check::Asserts],
        Some(Property::Memcleanup) => vec![Check::Asserts, Check::Leaks],
        _ => options.checks.clone(),
    }
}
