//! Engine `lazy`: predicates and shape graphs, refined only where a spurious path asks for it.
//!
//! After Beyer, Henzinger and Théoduloz, "Lazy shape analysis": an abstract reachability tree whose states are a
//! cube of scalar predicates and a region of shape graphs. It starts with nothing tracked. When the tree reaches
//! an error, the path to it is decided by its formula ([`path`]); an infeasible path names the predicates, pointers
//! and field tests that exclude it ([`precision`]), and the tree is cut back to where they begin to matter.
//!
//! Whole programs only (those that begin with `main`): the heap is empty at the start. Supported are several
//! kinds of cells with several pointer fields; arrays, automatic cells, assertions about the heap, calls by
//! contract, and postconditions are reported as unsupported. Leaks and garbage are the same here, because
//! nothing is allocated at the entry.
//!
//! An access through a pointer that was never written is an error where `memsafety` is asked; where it is not
//! asked, runs that do so are outside the claim.

mod flow;
mod interpolants;
mod invariant;
mod live;
pub mod path;
pub mod precision;
pub mod predicates;
mod restart;
pub mod search;
pub mod shape;
#[cfg(test)]
mod tests;
mod text;
pub mod tree;
mod wish;

use super::{Progress, Setup};
use crate::program::explore::{self, Bound, Found};
use crate::program::on_heap::on_heap;
use crate::program::{Check, Command, Entry, Failure, Program, Question, State, Storage};
use crate::util::clock::Instant;
use crate::util::limits::{Budget, CancelToken, Limits};
use crate::util::options;
use crate::util::span::Span;
use crate::verdict::{
    AbstractStep, Author, Certificate, Counters, Language, Outcome, Reason, Trace, Verdict, Weakness,
};
use search::{Halt, Search};

/// What a refuted path is read by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refiner {
    /// The steps of a core. Fewer rounds on all rows (`cargo bench --bench lazy`), hence the default.
    Cores,
    /// The atoms of sequence interpolants; the core where they add nothing.
    Interpolants,
}

/// Which halves may be refined, and how the tree is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Scalar predicates.
    pub predicates: bool,
    /// Shape classes.
    pub shapes: bool,
    /// First level of instrumentation.
    pub level: u8,
    /// How paths are read.
    pub refiner: Refiner,
    /// The newest node first, not the oldest: fewer nodes on every row (`cargo bench --bench lazy`). Given up where
    /// an infeasible path says nothing new.
    pub depth_first: bool,
    /// Waiting nodes of one location that agree on the predicates become one (Table 5.2); given up where the
    /// path to such a node says nothing new.
    pub joins: bool,
    /// Every refinement starts again at the root.
    pub from_root: bool,
    /// A location tracks what refuted paths through it asked for, not what any path asked for. More rounds and more nodes
    /// on every row but one (`cargo bench --bench lazy`), hence not the default.
    pub local: bool,
}

impl Columns {
    /// Both halves.
    pub const BOTH: Columns = Columns {
        predicates: true,
        shapes: true,
        level: 1,
        refiner: Refiner::Cores,
        depth_first: true,
        joins: false,
        from_root: false,
        local: false,
    };
    /// Both halves, breadth first, every refinement from the root: the plain algorithm, which lazy restarts are compared
    /// with.
    pub const FROM_ROOT: Columns = Columns { from_root: true, depth_first: false, ..Columns::BOTH };
    /// Both halves, with joins. The oldest node first, so that there are nodes that wait; restarts at the root, because
    /// the path to a joined node is that of one of its parts only.
    pub const JOINS: Columns = Columns { joins: true, ..Columns::FROM_ROOT };
    /// Scalar predicates only.
    pub const PREDICATES: Columns = Columns { shapes: false, ..Columns::BOTH };
    /// Shapes only.
    pub const SHAPES: Columns = Columns { predicates: false, ..Columns::BOTH };
}

impl Default for Columns {
    fn default() -> Columns {
        Columns::BOTH
    }
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Precisions added.
    pub refinements: u64,
    /// Paths decided infeasible.
    pub paths: u64,
    /// Graphs transformed.
    pub posts: u64,
    /// Questions to the core about predicates.
    pub queries: u64,
}

/// This engine in the table.
pub struct Lazy;

impl super::Engine for Lazy {
    fn author(&self) -> Author {
        Author::Lazy
    }

    fn takes(&self) -> &'static str {
        "whole programs with main, nothing annotated"
    }

    fn evidence(&self) -> Option<Language> {
        Some(Language::ShapeGraphs)
    }

    fn run(&self, program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
        run(program, question, setup, progress)
    }
}

/// Proves or refutes a program.
///
/// Where only assertions are asked for and they are neither proved nor refuted, memory safety is asked for as well: the
/// accesses that might fail name what has to be tracked long before an assertion does, and what is proved of
/// both questions is proved of one. Where leaks are asked for, it is tried first with fewer variables that keep cells.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    if setup.variants.columns != Columns::BOTH {
        return run_columns(program, question, setup, setup.variants.columns, progress);
    }
    let slim = if question.asks(Check::Leaks) { live::with_fewer_roots(program) } else { None };
    let Some(slim) = slim else { return run_question(program, question, setup, progress) };
    let start = Instant::now();
    let within = |time| Setup { limits: Limits { time, ..setup.limits.clone() }, ..setup.clone() };
    let first = run_question(&slim, question, &within(setup.limits.time.map(|t| t / 2)), progress);
    if matches!(first.verdict, Verdict::Verified(_)) {
        return first;
    }
    let rest = within(setup.limits.time.map(|t| t.saturating_sub(start.elapsed())));
    run_question(program, question, &rest, progress)
}

fn run_question(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let columns = Columns::default();
    if !question.asks(Check::Asserts) || question.asks(Check::Memsafety) {
        return run_columns(program, question, setup, columns, progress);
    }
    let start = Instant::now();
    let within = |time| Setup { limits: Limits { time, ..setup.limits.clone() }, ..setup.clone() };
    let half = within(setup.limits.time.map(|t| t / 2));
    let first = run_columns(program, question, &half, columns, progress);
    let cancelled = setup.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled);
    if matches!(first.verdict, Verdict::Verified(_) | Verdict::Violated(_)) || cancelled {
        return first;
    }
    let mut both = question.clone();
    both.checks.push(Check::Memsafety);
    let rest = within(setup.limits.time.map(|t| t.saturating_sub(start.elapsed())));
    let second = run_columns(program, &both, &rest, columns, progress);
    if matches!(second.verdict, Verdict::Verified(_)) { second } else { first }
}

/// The same with one half switched off.
#[must_use]
pub fn run_columns(
    program: &Program,
    question: &Question,
    setup: &Setup,
    columns: Columns,
    progress: Progress<'_>,
) -> Outcome {
    // The graphs know one kind of cells.
    let moved = on_heap(program);
    let analysed = moved.as_ref().unwrap_or(program);
    if let Some((message, span)) = unsupported(analysed, question) {
        return outcome(unknown(message, Some(span)), Counters::default());
    }
    progress("lazy: exploring");
    let mut search = match Search::new(analysed, question, columns, &setup.limits) {
        Ok(search) => search,
        Err(halt) => return outcome(give_up(program, halt), Counters::default()),
    };
    let result = search.run(progress);
    let counters = Counters {
        queries: Some(search.report.queries),
        refinements: Some(search.report.refinements),
        predicates: Some(search.precision().atoms.len() as u64),
        signatures: Some(search.tree.made),
        cache_hits: Some(search.tree.kept),
        ..Counters::default()
    };
    let verdict = match result {
        Ok(()) => Verdict::Verified(certificate(&search)),
        Err(Halt::Feasible(path, fault)) => {
            let along = (moved.is_none() && fault != path::Fault::Leak).then_some(&path[..]);
            violated(program, question, setup, along, span_of(analysed, &path))
        }
        Err(halt @ (Halt::Stuck(..) | Halt::Unable(_))) if columns.predicates && columns.shapes => {
            match failing_run(program, question, setup) {
                Some(trace) => Verdict::Violated(trace),
                None => give_up(analysed, halt),
            }
        }
        Err(halt) => give_up(analysed, halt),
    };
    let verdict = match verdict {
        Verdict::TooWeak(mut weakness) => {
            weakness.abstract_trace.retain(|step| step.location.0 < program.locations);
            Verdict::TooWeak(weakness)
        }
        // What was learned is not lost with the run.
        Verdict::Unknown(mut reason) if search.report.refinements > 0 => {
            reason.message = format!("{}; tracked so far: {}", reason.message, search.tracked());
            Verdict::Unknown(reason)
        }
        other => other,
    };
    outcome(verdict, counters)
}

fn outcome(verdict: Verdict, counters: Counters) -> Outcome {
    Outcome { engine: Author::Lazy, verdict, counters }
}

fn unknown(message: impl Into<String>, span: Option<Span>) -> Verdict {
    Verdict::Unknown(Reason { message: message.into(), span })
}

fn certificate(search: &Search<'_>) -> Certificate {
    let mut states = Vec::new();
    for (_, node) in search.tree.nodes().filter(|(_, n)| n.fate == tree::Fate::Expanded) {
        states.extend(search.certificate(node).into_iter().map(|l| (node.location.0, l)));
    }
    states.sort();
    states.dedup();
    let leaks = search.precision().class.leaks.then(|| "leaks".to_owned());
    let lines = leaks.into_iter().chain(states.into_iter().map(|(_, line)| line)).collect();
    Certificate::Text { language: Language::ShapeGraphs, lines, clauses: invariant::clauses(search) }
}

/// A run that fails, by bounded search.
fn failing_run(program: &Program, question: &Question, setup: &Setup) -> Option<Box<Trace>> {
    let bound = Bound { commands: options::LAZY_LAST_LOOK.get(), ..Bound::default() };
    match setup.searches.search(program, question, &bound, &mut Budget::new(&setup.limits)) {
        Found::Violation(trace) => Some(trace),
        Found::Nothing { .. } | Found::Stopped(_) => None,
    }
}

/// A path that can be executed: the interpreter makes the run, along the edges if they are the program's own and the
/// failure is at their end (what is lost is noticed only where the whole run ends).
fn violated(
    program: &Program,
    question: &Question,
    setup: &Setup,
    along: Option<&[crate::program::EdgeId]>,
    span: Option<Span>,
) -> Verdict {
    let mut budget = Budget::new(&setup.limits);
    let mut state = State::new(program);
    explore::add_strangers(program, &mut state);
    let bound = Bound::default();
    for path in [along, None] {
        match explore::replay(program, question, &state, path, &bound, &mut budget) {
            Found::Violation(trace) => return Verdict::Violated(trace),
            Found::Stopped(stop) => return unknown(stop.to_string(), None),
            Found::Nothing { .. } => {}
        }
    }
    unknown("a path to an error seems feasible, but no run along it was found", span)
}

fn give_up(program: &Program, halt: Halt) -> Verdict {
    match halt {
        Halt::Stopped(stop) => unknown(stop.to_string(), None),
        Halt::Unable(reason) => unknown(reason, None),
        Halt::Feasible(path, _) => unknown("a path to an error was left undecided", span_of(program, &path)),
        Halt::Stuck(path, states) => {
            let message =
                "the path to this statement is infeasible, but nothing that can be tracked excludes it";
            let failure = Failure {
                check: Check::Asserts,
                message: message.to_owned(),
                span: span_of(program, &path).unwrap_or_default(),
            };
            let step = |(location, text)| AbstractStep { location, text };
            let abstract_trace = states.into_iter().map(step).collect();
            Verdict::TooWeak(Box::new(Weakness { failure, abstract_trace, state: None, hint: None }))
        }
    }
}

fn span_of(program: &Program, path: &[crate::program::EdgeId]) -> Option<Span> {
    path.last().map(|e| program.edges[e.index()].span)
}

/// The first thing that the engine does not model.
fn unsupported(program: &Program, question: &Question) -> Option<(String, Span)> {
    if program.begins != Entry::Main {
        return Some((
            "the engine `lazy` checks whole programs; there is no `main`".to_owned(),
            program.span,
        ));
    }
    let contract = &program.contracts[question.contract];
    if question.asks(Check::Ensures)
        && let Some(clause) = contract.ensures.first()
    {
        return Some(("a postcondition of `main`".to_owned(), clause.span));
    }
    if question.asks(Check::Asserts)
        && let Some(clause) = program.loops.iter().flat_map(|l| &l.invariants).next()
    {
        return Some(("a loop invariant in the engine `lazy`".to_owned(), clause.span));
    }
    program.edges.iter().find_map(|edge| {
        let what = match &edge.command {
            Command::LoadElement { .. } | Command::StoreElement { .. } => "an array",
            Command::Scramble { .. } => "a call by contract",
            Command::Release(_) | Command::Alloc { storage: Storage::Automatic, .. } => {
                "the address of a variable"
            }
            Command::Assert { formula, check, .. }
                if question.asks(*check) && path::heap_free(formula).is_none() =>
            {
                "an assertion about the heap"
            }
            _ => return None,
        };
        Some((format!("{what} in the engine `lazy`"), edge.span))
    })
}
