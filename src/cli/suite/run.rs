//! Decides rows, several at once, each as often as is asked.

use super::{Arguments, Row, pdr};
use crate::analysis::heaps::Context;
use crate::analysis::{Setup, Variants};
use crate::frontend::c;
use crate::portfolio::{self, Task};
use crate::program::Question;
use crate::util::limits::{CancelToken, Limits};
use crate::verdict::{Counters, Outcome, Reason, Verdict};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Stack of a thread: formulas are walked recursively.
const STACK: usize = 256 << 20;

/// What a row gave.
pub(super) struct Given {
    pub verdict: &'static str,
    pub reason: Option<String>,
    /// In order, the shortest first; not empty.
    pub times: Vec<Duration>,
    pub counters: Counters,
}

impl Given {
    /// The median.
    pub(super) fn time(&self) -> Duration {
        self.times.get((self.times.len() - 1) / 2).copied().unwrap_or_default()
    }
}

/// What the rows gave, in their order; after an interruption, those that were begun.
pub(super) fn all(
    rows: &'static [Row],
    arguments: &Arguments,
    token: &CancelToken,
    mut told: impl FnMut(&Row) -> io::Result<()>,
) -> io::Result<Vec<(&'static Row, Given)>> {
    let next = AtomicUsize::new(0);
    let (send, received) = channel();
    let mut found: Vec<Option<Given>> = rows.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.get().min(rows.len()) {
            let (send, next) = (send.clone(), &next);
            let work = move || {
                while !token.is_cancelled() {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(row) = rows.get(i) else { return };
                    // Who has ended waits for nothing.
                    let _ = send.send((i, None));
                    let _ = send.send((i, Some(repeated(row, arguments, token))));
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        }
        drop(send);
        let mut complaint = Ok(());
        for (i, given) in received {
            match given {
                Some(given) => found[i] = Some(given),
                None if complaint.is_ok() => complaint = told(&rows[i]),
                None => {}
            }
            if complaint.is_err() {
                token.cancel();
            }
        }
        complaint
    })?;
    Ok(rows.iter().zip(found).filter_map(|(row, given)| Some((row, given?))).collect())
}

/// A row, as often as is asked. Where the verdicts differ, the wrong one counts.
fn repeated(row: &Row, arguments: &Arguments, token: &CancelToken) -> Given {
    let limits = Limits { time: Some(arguments.timeout), cancel: Some(token.clone()), ..Limits::default() };
    let setup = Setup { limits, jobs: 1, variants: variants(row), ..Setup::default() };
    let mut given = decide(row, &setup);
    for _ in 1..arguments.repeat.get() {
        if token.is_cancelled() {
            break;
        }
        let again = decide(row, &setup);
        given.times.extend(&again.times);
        if again.verdict != row.expected && given.verdict == row.expected {
            given = Given { times: given.times, ..again };
        }
    }
    given.times.sort();
    given
}

/// From good to bad: the verdict of a row about several functions is the worst.
fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Verified(_) => 0,
        Verdict::TooWeak(_) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Violated(_) => 3,
    }
}

fn variants(row: &Row) -> Variants {
    Variants {
        predicates: pdr::predicates(row),
        context: row.column.strip_prefix("context ").and_then(Context::named),
        columns: row.columns,
    }
}

fn decide(row: &Row, setup: &Setup) -> Given {
    let start = Instant::now();
    let unit = c::load(row.row, row.text.as_bytes(), &c::Options::default());
    let mut worst: Option<Outcome> = None;
    let mut counters = Counters::default();
    for function in &unit.functions {
        if !row.functions.is_empty() && !row.functions.contains(&function.name.as_str()) {
            continue;
        }
        let outcomes = match &function.program {
            Ok(program) => {
                let contracts = program.contracts.iter().enumerate();
                let contracts = contracts
                    .filter(|(_, c)| row.behavior.is_none() || c.behavior.as_deref() == row.behavior);
                let decide = |(contract, _)| {
                    let mut question = Question::of_contract(contract);
                    if !row.checks.is_empty() {
                        question.checks = row.checks.to_vec();
                    }
                    let task =
                        Task { program, inlined: None, question: &question, property: None, aside: None };
                    portfolio::decide(row.engine, &task, setup, &|_| {}).outcome
                };
                contracts.map(decide).collect()
            }
            Err(diagnostics) => {
                let message = diagnostics.first().map_or("unreadable", |d| &d.message).to_owned();
                vec![Outcome::unknown(row.engine.author(), Reason { message, span: None })]
            }
        };
        for outcome in outcomes {
            counters.add(&outcome.counters);
            if worst.as_ref().is_none_or(|w| rank(&outcome.verdict) > rank(&w.verdict)) {
                worst = Some(outcome);
            }
        }
    }
    let (verdict, reason) = match worst.map(|o| o.verdict) {
        Some(Verdict::Unknown(reason)) => ("unknown", Some(reason.message)),
        Some(verdict) => (verdict.word(), None),
        None => ("unknown", Some("the program has no such function or behaviour".to_owned())),
    };
    Given { verdict, reason, times: vec![start.elapsed()], counters }
}
