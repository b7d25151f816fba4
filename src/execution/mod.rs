//! C executed as it is written, byte for byte: numbers are symbols, memory and control are concrete.
//!
//! The engines see cells with fields; this module sees the checked tree of C itself, so nothing of the language is out
//! of its reach because of a model: unions, bytes, arrays, casts, pointers to functions. It follows every path of a `main`:
//! input is a symbol, a test that symbols do not decide makes two paths, and the solver says which of them are possible.
//!
//! * If all paths end and none fails, the program is verified: there are finitely many runs, up to the values of symbols.
//! * If one fails, the solver gives values for its symbols, and the program is run again with these numbers: only a failure
//!   that this run shows is one.
//! * If there is no end to the paths, or something on one of them has no meaning here, nothing is known.
//!
//! Programs about lists have paths without end: there `summary` leaves out what is not needed, `fold` makes chains of cells (`chain`)
//! or trees (`tree`, `grove`), and `join` says what cells have in common. What recursive functions do is found out once for each state at
//! their calls (`recursion`, `local`). What then fails nowhere is verified; what fails shows nothing.
//!
//! `path` decides tests, `frontier` keeps the paths that wait, `memory` keeps objects, `machine` executes statements, `expression` and
//! `arithmetic` compute, `library` is the standard library, `variadic` keeps arguments that no parameter stands for, `view` shows a failing run as states of cells.

mod access;
mod arithmetic;
mod call;
mod chain;
mod ends;
mod expression;
mod fold;
mod frontier;
mod grove;
mod join;
mod library;
mod local;
mod machine;
mod memory;
mod orders;
mod path;
mod recursion;
mod summary;
mod text;
mod tree;
mod value;
mod variadic;
mod view;
mod visited;

use crate::frontend::c::{CheckedUnit, Options};
use crate::program::{Check, Program, Property};
use crate::util::limits::{Budget, Limits};
use crate::util::threads::with_stack;
use crate::verdict::{Author, Certificate, Counters, Outcome, Reason, Trace, Verdict};
use frontier::Frontier;
use grove::{Kinds, Parent};
use machine::{Fault, Halt, Machine};
use path::Path;
use recursion::Calls;
use std::cell::RefCell;
use std::rc::Rc;
use summary::{Landmarks, Summing};
use visited::Visited;

/// Steps of the failing run that are shown.
const SHOWN: u64 = 200;
/// Stack for the calls of the program: see [`machine::MAX_DEPTH`].
const STACK: usize = 1 << 30;

/// An answer, and the program that its run is shown in.
#[derive(Debug)]
pub struct Executed {
    /// The answer.
    pub outcome: Outcome,
    /// What the states of a failing run speak of.
    pub view: Option<Box<Program>>,
    /// There was no end within the limits.
    pub stopped: bool,
}

/// Decides `main` by following its paths.
pub fn decide(unit: &CheckedUnit, options: &Options, limits: &Limits) -> Executed {
    with_stack(STACK, || explore(unit, options, limits, None)).unwrap_or_else(|_| no_memory())
}

fn no_memory() -> Executed {
    unknown("there is no memory for executing this program", None, Counters::default())
}

/// Proves `main` by paths whose states are summed up at loop heads (`summary`): `verified`, or nothing is known. What is left
/// out is more from one attempt to the next; each has the same steps.
pub fn prove(unit: &CheckedUnit, options: &Options, limits: &Limits) -> Executed {
    if asks(options, Check::Termination) {
        return unknown("whether runs end is not seen in sums of states", None, Counters::default());
    }
    let mut budget = Budget::new(limits);
    let mut open: Vec<Summing> = ATTEMPTS.to_vec();
    if Kinds::of(&unit.types).is_empty() {
        open.retain(|how| how.trees.is_none());
    }
    let (mut last, mut steps) = (None, FIRST_ATTEMPT);
    while !open.is_empty() {
        let all = limits.steps.is_some_and(|most| most <= steps);
        let mut left = Vec::new();
        for how in open {
            // Nobody knows which way leads to an end, so all of them get more and more.
            let within =
                Limits { steps: Some(limits.steps.map_or(steps, |s| s.min(steps))), ..budget.within(limits) };
            let found = with_stack(STACK, || explore(unit, options, &within, Some(how)));
            let found = found.unwrap_or_else(|_| no_memory());
            if matches!(found.outcome.verdict, Verdict::Verified(_)) {
                return found;
            }
            if found.stopped {
                left.push(how);
            }
            last.get_or_insert(found);
            if budget.spend(1).is_err() || budget.within(limits).time.is_some_and(|t| t.is_zero()) {
                return last.unwrap_or_else(no_memory);
            }
        }
        if all {
            break;
        }
        open = left;
        steps = steps.saturating_mul(6);
    }
    last.unwrap_or_else(no_memory)
}

/// Steps of the first attempts to sum up states.
const FIRST_ATTEMPT: u64 = 15_000;

/// How states are summed up, the most exact way first.
const ATTEMPTS: [Summing; 8] = [
    Summing { widen_after: 70, keeps_numbers: true, kinds: 1, loose: false, row: 3, trees: None },
    Summing { widen_after: 70, keeps_numbers: true, kinds: 4, loose: false, row: 3, trees: None },
    Summing { widen_after: 2, keeps_numbers: false, kinds: 4, loose: true, row: 2, trees: None },
    Summing { widen_after: 2, keeps_numbers: false, kinds: 1, loose: true, row: 2, trees: None },
    Summing { widen_after: 70, keeps_numbers: false, kinds: 1, loose: true, row: 3, trees: None },
    Summing { widen_after: 70, keeps_numbers: false, kinds: 1, loose: false, row: 7, trees: None },
    Summing {
        widen_after: 2,
        keeps_numbers: false,
        kinds: 4,
        loose: true,
        row: 3,
        trees: Some(Parent::Last),
    },
    Summing {
        widen_after: 2,
        keeps_numbers: false,
        kinds: 4,
        loose: true,
        row: 3,
        trees: Some(Parent::First),
    },
];

fn unknown(message: &str, span: Option<crate::util::span::Span>, counters: Counters) -> Executed {
    let verdict = Verdict::Unknown(Reason { message: message.to_owned(), span });
    Executed { outcome: Outcome { engine: Author::Paths, verdict, counters }, view: None, stopped: false }
}

/// What is executed.
#[derive(Clone, Copy)]
enum Start {
    Main,
    /// A recursive function from one of its entries.
    Entry(usize),
}

/// How all paths are followed.
struct Exploration<'e> {
    unit: &'e CheckedUnit,
    options: &'e Options,
    limits: &'e Limits,
    summing: Option<Summing>,
    landmarks: Rc<Landmarks>,
    calls: Option<Rc<RefCell<Calls>>>,
}

fn explore(unit: &CheckedUnit, options: &Options, limits: &Limits, summing: Option<Summing>) -> Executed {
    let mut budget = Budget::new(limits);
    let landmarks = Rc::new(if summing.is_some() { Landmarks::of(unit) } else { Landmarks::default() });
    let calls = summing.and_then(|_| Calls::of(unit)).map(|calls| Rc::new(RefCell::new(calls)));
    let all = Exploration { unit, options, limits, summing, landmarks, calls: calls.clone() };
    let Some(calls) = calls else { return follow(&all, Start::Main, &mut budget) };
    // What recursive functions do is found out by executing them again as long as something is added.
    loop {
        calls.borrow_mut().begin();
        let main = follow(&all, Start::Main, &mut budget);
        let used = calls.borrow_mut().done(None);
        if !matches!(main.outcome.verdict, Verdict::Verified(_)) {
            return main;
        }
        let mut entry = calls.borrow().next();
        while let Some(index) = entry {
            calls.borrow_mut().begin();
            let found = follow(&all, Start::Entry(index), &mut budget);
            calls.borrow_mut().done(Some(index));
            if !matches!(found.outcome.verdict, Verdict::Verified(_)) {
                return found;
            }
            entry = calls.borrow().next();
        }
        if !calls.borrow().has_grown(&used) {
            return main;
        }
    }
}

/// Follows all paths.
fn follow(all: &Exploration<'_>, start: Start, budget: &mut Budget) -> Executed {
    let Exploration { unit, options, limits, summing, .. } = *all;
    let mut frontier = Frontier::new();
    let (mut paths, mut queries) = (0u64, 0u64);
    let mut open: Option<Reason> = None;
    let mut visited = Visited::default();
    while let Some(next) = frontier.next() {
        let within = budget.within(limits);
        let mut machine = Machine::new(unit, options, Path::new(next.given, within.clone()), budget);
        machine.allowance = Some(frontier.allowance());
        // A path that comes back to a state may be part of an endless run: where that is asked, it goes on.
        machine.visited = (!asks(options, Check::Termination)).then_some(&mut visited);
        machine.summing = summing;
        machine.landmarks = all.landmarks.clone();
        machine.calls.clone_from(&all.calls);
        machine.resumed = next.executed;
        let halt = match start {
            Start::Main => machine.main(),
            Start::Entry(index) => machine.from_entry(index),
        };
        paths += u64::from(!matches!(halt, Halt::Paused));
        queries += machine.path.queries;
        if !matches!(halt, Halt::Stopped(_)) {
            frontier.leave(&machine.path, matches!(halt, Halt::Paused).then_some(machine.steps));
        }
        let counters =
            || Counters { queries: Some(queries), obligations: Some(paths), ..Counters::default() };
        match halt {
            Halt::Ended | Halt::Cut | Halt::Paused => {}
            Halt::Failed(Fault { message, span, .. }) | Halt::GaveUp(message, span) if summing.is_some() => {
                return unknown(&message, Some(span), counters());
            }
            Halt::Failed(fault) => {
                let inexact = machine.path.inexact;
                let values = machine.path.solution();
                drop(machine);
                let shown = values.and_then(|v| shown_run(unit, options, v, &within, budget));
                match shown {
                    Some((view, trace)) => {
                        let verdict = Verdict::Violated(Box::new(trace));
                        let outcome = Outcome { engine: Author::Paths, verdict, counters: counters() };
                        return Executed { outcome, view: Some(view), stopped: false };
                    }
                    None => {
                        let why = if inexact {
                            "of which only an approximation is known"
                        } else {
                            "that was not made again"
                        };
                        let message = format!("{} on a path {why}", fault.message);
                        open.get_or_insert(Reason { message, span: Some(fault.span) });
                    }
                }
            }
            Halt::GaveUp(message, span) => {
                open.get_or_insert(Reason { message, span: Some(span) });
            }
            Halt::Stopped(stop) => {
                let message = format!("{stop} after {paths} paths of the program");
                let reason = open.unwrap_or(Reason { message, span: None });
                return Executed { stopped: true, ..unknown(&reason.message, reason.span, counters()) };
            }
        }
        if frontier.is_full() {
            return unknown("the program has too many paths", None, counters());
        }
    }
    let counters = Counters { queries: Some(queries), obligations: Some(paths), ..Counters::default() };
    match open {
        Some(reason) => unknown(&reason.message, reason.span, counters),
        None => {
            let verdict = Verdict::Verified(Certificate::Paths(paths));
            Executed {
                outcome: Outcome { engine: Author::Paths, verdict, counters },
                view: None,
                stopped: false,
            }
        }
    }
}

/// Makes the run in which the symbols have these values; if it fails, shows it.
fn shown_run(
    unit: &CheckedUnit,
    options: &Options,
    values: Vec<i128>,
    limits: &Limits,
    budget: &mut Budget,
) -> Option<(Box<Program>, Trace)> {
    let mut first = Machine::new(unit, options, Path::run(values.clone(), limits.clone()), budget);
    let Halt::Failed(_) = first.main() else { return None };
    if first.path.inexact {
        return None;
    }
    let steps = first.steps;
    drop(first);
    let mut second = Machine::new(unit, options, Path::run(values, limits.clone()), budget);
    second.record_from = Some(steps.saturating_sub(SHOWN));
    let Halt::Failed(fault) = second.main() else { return None };
    Some(view::show(&second, &fault))
}

/// What became of one run.
#[cfg(feature = "testing")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// `main` returned this, or `exit` was called with it.
    Returned(i128),
    /// By `abort`, or by an assertion that failed.
    Aborted,
    /// Something in it has no meaning in C, or memory is lost: what and of which class.
    Failed(Check, String),
    /// Nothing is known of it.
    Unknown(String),
}

/// Runs a `main` that reads nothing from outside.
#[cfg(feature = "testing")]
pub fn run(unit: &CheckedUnit, options: &Options, limits: &Limits) -> Ran {
    let work = || {
        let mut budget = Budget::new(limits);
        let mut machine = Machine::new(unit, options, Path::run(Vec::new(), limits.clone()), &mut budget);
        match machine.main() {
            Halt::Ended => match machine.status.as_ref().map(value::Value::known) {
                Some(Some(status)) => Ran::Returned(status),
                Some(None) => Ran::Unknown("the result is not known".to_owned()),
                None => Ran::Aborted,
            },
            Halt::Failed(fault) if fault.check == Check::Asserts => Ran::Aborted,
            Halt::Failed(fault) => Ran::Failed(fault.check, fault.message),
            Halt::Cut | Halt::Paused => Ran::Unknown("the run is outside of the claim".to_owned()),
            Halt::GaveUp(why, _) => Ran::Unknown(why),
            Halt::Stopped(stop) => Ran::Unknown(stop.to_string()),
        }
    };
    with_stack(STACK, work)
        .unwrap_or_else(|_| Ran::Unknown("there is no memory for executing this program".to_owned()))
}

/// Whether failures of this class are asked about.
fn asks(options: &Options, check: Check) -> bool {
    match options.property {
        Some(Property::UnreachCall) => check == Check::Asserts,
        _ => options.checks.contains(&check),
    }
}
