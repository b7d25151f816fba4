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
//! `prover` is the way in, `search` takes one path after the other, `path` decides tests, `frontier` keeps the paths that wait,
//! `memory` keeps objects, `machine` executes statements, `expression` and `arithmetic` compute, `library` is the standard library,
//! `variadic` keeps arguments that no parameter stands for, `view` shows a failing run as states of cells.

mod access;
mod arithmetic;
mod call;
mod chain;
mod ends;
mod expression;
mod fold;
mod formatted;
mod frontier;
mod grove;
mod join;
mod library;
mod local;
mod machine;
mod memory;
mod model;
mod orders;
mod outside;
mod path;
mod prover;
mod quotients;
mod recursion;
mod search;
mod strings;
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
#[cfg(feature = "testing")]
use crate::util::threads::with_stack;
use crate::verdict::{Author, Counters, Outcome, Reason, Trace, Verdict};
use machine::{Halt, Machine};
use path::Path;
pub use prover::{Follower, Prover};

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
}

fn no_memory() -> Executed {
    unknown("there is no memory for executing this program", None, Counters::default())
}

fn unknown(message: &str, span: Option<crate::util::span::Span>, counters: Counters) -> Executed {
    let verdict = Verdict::Unknown(Reason { message: message.to_owned(), span });
    Executed { outcome: Outcome { engine: Author::Paths, verdict, counters }, view: None }
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
