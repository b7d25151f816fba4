//! `--engine auto`: which engines are tried on a program, and in which order.
//!
//! The interpreter alone when the program leaves nothing open; `vc` when every loop carries invariants;
//! otherwise a short search for a failing run, then `lazy` for whole programs, `pdr` and `monotone`. The first
//! engine that proves or refutes decides; if none does, the most
//! telling of their answers stays, after one last bounded search for a failing run.
//!
//! A call that is known by its contract is an arbitrary change to the engines. A run that fails is real only if
//! it exists with the callee's own body: it is looked for again in the program with such calls inlined.

pub mod solo;

use crate::analysis::{Progress, Setup, heaps, lazy, monotone, pdr, vc};
use crate::program::explore::{self, Bound, Found};
use crate::program::{Command, Entry, Program, Question, State};
use crate::util::limits::{Budget, Limits};
use crate::verdict::{Counters, Outcome, Reason, Verdict, Weakness};
use std::time::{Duration, Instant};

/// An engine, or the choice among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The portfolio chooses.
    #[default]
    Auto,
    /// Annotated loops.
    Vc,
    /// Property-directed reachability.
    Pdr,
    /// Boolean heaps.
    Heaps,
    /// Monotonic abstraction.
    Monotone,
    /// Lazy abstraction.
    Lazy,
}

impl Engine {
    /// All of them with their words on the command line.
    pub const ALL: [(&'static str, Engine); 6] = [
        ("auto", Engine::Auto),
        ("vc", Engine::Vc),
        ("pdr", Engine::Pdr),
        ("heaps", Engine::Heaps),
        ("monotone", Engine::Monotone),
        ("lazy", Engine::Lazy),
    ];

    /// The engine of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Engine> {
        Engine::ALL.iter().find(|(w, _)| *w == word).map(|(_, e)| *e)
    }

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Engine::ALL.iter().find(|(_, e)| *e == self).map_or("auto", |(w, _)| w)
    }
}

/// What is to be decided.
pub struct Task<'a> {
    /// The program, calls of functions with contracts by contract.
    pub program: &'a Program,
    /// The same function with those calls inlined, if there are any and they can be.
    pub inlined: Option<&'a Program>,
    /// The question; contracts of both programs have the same numbers.
    pub question: &'a Question,
}

/// The answer, and whether its trace is one of the inlined program.
pub struct Decided {
    /// The answer.
    pub outcome: Outcome,
    /// Edges and states of the trace are those of [`Task::inlined`].
    pub about_inlined: bool,
}

/// Decides with an engine or with the portfolio.
#[must_use]
pub fn decide(engine: Engine, task: &Task<'_>, setup: &Setup, progress: Progress<'_>) -> Decided {
    let outcome = alone(engine, task, setup, progress);
    smallest(task, confirm(task, setup, outcome), &setup.limits)
}

/// Commands of the search before the engines that infer invariants: most faults show up at once.
const FIRST_LOOK: u64 = 300_000;

/// What an engine that has others behind it gets if no time limit is set.
const PATIENCE: Duration = Duration::from_secs(60);

/// Commands spent on making a counterexample smaller.
const SHRINKING: u64 = 2_000_000;

/// Replaces the trace by the one the bounded search finds first, if that is no larger: fewest cells, then small
/// values, whatever the engine's model looked like.
fn smallest(task: &Task<'_>, decided: Decided, limits: &Limits) -> Decided {
    let Verdict::Violated(trace) = &decided.outcome.verdict else { return decided };
    if decided.about_inlined || decided.outcome.engine == solo::NAME {
        return decided;
    }
    let allocated = |state: &State| state.cells.iter().filter(|c| c.status.is_valid()).count();
    let cells = allocated(&trace.initial);
    let bound = Bound { cells: cells.min(Bound::default().cells), commands: SHRINKING, ..Bound::default() };
    let found = explore::search(task.program, task.question, &bound, &mut Budget::new(limits));
    match found {
        Found::Violation(found) if allocated(&found.initial) <= cells => {
            let outcome = Outcome { verdict: Verdict::Violated(found), ..decided.outcome };
            Decided { outcome, ..decided }
        }
        _ => decided,
    }
}

/// One engine.
fn alone(engine: Engine, task: &Task<'_>, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let (program, question) = (task.program, task.question);
    match engine {
        Engine::Vc => vc::run(program, question, setup, progress),
        Engine::Pdr => pdr::run(program, question, setup, progress),
        Engine::Monotone => monotone::run(program, question, setup, progress),
        Engine::Lazy => lazy::run(program, question, setup, progress),
        Engine::Heaps => heaps::run(program, question, setup, progress),
        Engine::Auto => auto(task, setup, progress),
    }
}

fn unknown(message: &str) -> Outcome {
    let verdict = Verdict::Unknown(Reason { message: message.to_owned(), span: None });
    Outcome { engine: Engine::Auto.word(), verdict, counters: Counters::default() }
}

/// Whether an engine's word is final.
fn is_final(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Verified(_) | Verdict::Violated(_))
}

fn auto(task: &Task<'_>, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let (program, question) = (task.program, task.question);
    let clock = Clock::new(&setup.limits);
    if let Ok(outcome) = solo::run(program, question, &setup.limits) {
        return outcome;
    }
    let annotated = program.loops.iter().all(|l| !l.invariants.is_empty());
    if !annotated && let Some(verdict) = explore(program, question, &clock.share(4), FIRST_LOOK) {
        return Outcome { engine: solo::NAME, verdict, counters: Counters::default() };
    }
    let order: &[Engine] = if annotated {
        &[Engine::Vc, Engine::Pdr, Engine::Monotone]
    } else if program.begins == Entry::Main {
        &[Engine::Lazy, Engine::Pdr, Engine::Monotone, Engine::Vc]
    } else {
        &[Engine::Pdr, Engine::Monotone, Engine::Vc]
    };
    let mut best: Option<Outcome> = None;
    for (i, engine) in order.iter().enumerate() {
        // The engines share what is left of the time; the last one gets all of it.
        let setup = Setup { limits: clock.share(order.len() - i), ..setup.clone() };
        progress(engine.word());
        let outcome = alone(*engine, task, &setup, progress);
        if is_final(&outcome) {
            return outcome;
        }
        let telling = |o: &Outcome| matches!(o.verdict, Verdict::TooWeak(_));
        if best.as_ref().is_none_or(|b| telling(&outcome) && !telling(b)) {
            best = Some(outcome);
        }
        if setup.limits.cancel.as_ref().is_some_and(crate::util::limits::CancelToken::is_cancelled) {
            break;
        }
    }
    if let Some(verdict) = explore(program, question, &clock.share(1), Bound::default().commands) {
        return Outcome { engine: solo::NAME, verdict, counters: Counters::default() };
    }
    best.unwrap_or_else(|| unknown("no engine has an answer"))
}

/// A failing run by bounded search.
fn explore(program: &Program, question: &Question, limits: &Limits, commands: u64) -> Option<Verdict> {
    let mut budget = Budget::new(limits);
    let bound = Bound { commands, ..Bound::default() };
    match explore::search(program, question, &bound, &mut budget) {
        Found::Violation(trace) => Some(Verdict::Violated(trace)),
        Found::Nothing { .. } | Found::Stopped(_) => None,
    }
}

/// A violation of a program with calls by contract must be one of the inlined program.
fn confirm(task: &Task<'_>, setup: &Setup, outcome: Outcome) -> Decided {
    let calls = task.program.edges.iter().any(|e| matches!(e.command, Command::Scramble { .. }));
    let (Verdict::Violated(trace), Some(inlined), true) = (&outcome.verdict, task.inlined, calls) else {
        return Decided { outcome, about_inlined: false };
    };
    match explore(inlined, task.question, &setup.limits, Bound::default().commands) {
        Some(verdict) => Decided { outcome: Outcome { verdict, ..outcome }, about_inlined: true },
        None => {
            let failure = trace.failure.clone();
            let state = trace.steps.last().map(|s| Box::new(s.state.clone()));
            let hint = "the contract of a called function allows this, its body does not: a stronger contract \
                        may help";
            let hint = Some(hint.to_owned());
            let weakness = Weakness { failure, abstract_trace: Vec::new(), state, hint };
            let verdict = Verdict::TooWeak(Box::new(weakness));
            Decided { outcome: Outcome { verdict, ..outcome }, about_inlined: false }
        }
    }
}

/// What is left of a time limit.
struct Clock {
    limits: Limits,
    deadline: Option<Instant>,
}

impl Clock {
    fn new(limits: &Limits) -> Clock {
        let deadline = limits.time.and_then(|t| Instant::now().checked_add(t));
        Clock { limits: limits.clone(), deadline }
    }

    /// One of `n` equal parts of the remaining time; without a limit all but the last part are finite.
    fn share(&self, n: usize) -> Limits {
        let left = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let part = left.map(|t| t / u32::try_from(n.max(1)).unwrap_or(1));
        let time = if n > 1 { part.or(Some(PATIENCE)) } else { part };
        Limits { time: time.map(|t| t.max(Duration::from_millis(1))), ..self.limits.clone() }
    }
}
