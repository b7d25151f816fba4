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
use super::recursion::{Calls, Used};
use super::summary::{Landmarks, Summing};
use super::visited::Visited;
use super::{Executed, shown_run};
use crate::frontend::c::{CheckedUnit, Options};
use crate::program::{Check, Property};
use crate::util::limits::{Budget, Limits, Stop};
use crate::verdict::{Author, Certificate, Counters, Outcome, Reason, Verdict};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// How far a search has come.
pub(super) enum Progress {
    /// There is an answer, or there will be none.
    Ended(Box<Executed>),
    /// It was stopped, for this reason.
    Stopped(Stop, Reason),
}

/// Where paths begin.
#[derive(Clone, Copy, Debug)]
enum Start {
    Main,
    /// At a recursive function, in one of the states at its calls.
    Entry(usize),
}

/// A search.
pub(super) struct Search {
    start: Start,
    /// What recursive functions do, if there are any and states are summed up; and what `main` has used of it.
    calls: Option<Calls>,
    used: Used,
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
            start: Start::Main,
            calls: None,
            used: Used::default(),
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

    /// The same, with what recursive functions do.
    pub(super) fn with_calls(mut self, calls: Option<Calls>) -> Search {
        self.calls = calls;
        self
    }

    /// Goes on within these limits. Failures of classes that are `excluded` happen in no run. What recursive functions do is found
    /// out by executing them again as long as something is added.
    pub(super) fn go_on(
        &mut self,
        unit: &CheckedUnit,
        options: &Options,
        limits: &Limits,
        excluded: &[Check],
    ) -> Progress {
        let Some(calls) = self.calls.take() else {
            return self.follow(unit, options, limits, excluded, None);
        };
        let mut budget = Budget::new(limits);
        let calls = Rc::new(RefCell::new(calls));
        let progress = loop {
            let progress = self.follow(unit, options, &budget.within(limits), excluded, Some(&calls));
            match &progress {
                Progress::Ended(found) if matches!(found.outcome.verdict, Verdict::Verified(_)) => {}
                _ => break progress,
            }
            let next = {
                let mut calls = calls.borrow_mut();
                match self.start {
                    Start::Main => self.used = calls.done(None),
                    Start::Entry(index) => drop(calls.done(Some(index))),
                }
                match calls.next() {
                    Some(entry) => Start::Entry(entry),
                    None if calls.has_grown(&self.used) => Start::Main,
                    None => break progress,
                }
            };
            self.start = next;
            self.frontier = Frontier::new();
            self.visited = Visited::default();
            if let Err(stop) = budget.spend(1) {
                let message = format!("{stop} after {} paths of the program", self.paths);
                break Progress::Stopped(stop, Reason { message, span: None });
            }
        };
        self.calls = Rc::into_inner(calls).map(RefCell::into_inner);
        progress
    }

    fn counters(&self) -> Counters {
        Counters { queries: Some(self.queries), obligations: Some(self.paths), ..Counters::default() }
    }

    fn unknown(&self, reason: Reason) -> Progress {
        let verdict = Verdict::Unknown(reason);
        let outcome = Outcome { engine: Author::Paths, verdict, counters: self.counters() };
        Progress::Ended(Box::new(Executed { outcome, view: None }))
    }

    /// Follows the paths from where they begin now.
    fn follow(
        &mut self,
        unit: &CheckedUnit,
        options: &Options,
        limits: &Limits,
        excluded: &[Check],
        calls: Option<&Rc<RefCell<Calls>>>,
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
            machine.calls = calls.cloned();
            let halt = match self.start {
                Start::Main => machine.main(),
                Start::Entry(index) => machine.run_entry(index),
            };
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
