//! `--engine auto`: which engines are tried on a program, in which order, for how long, and what happens if they
//! do not agree.
//!
//! The interpreter alone when the program leaves nothing open; a short search for a failing run; then, by the
//! kind of the program (`order`), the engines in two rounds: first each gets a short slice, so that a quick
//! answer of a late engine does not wait for a slow one before it; then those that ran out of time share what
//! is left. The first engine that proves or refutes decides; if none does, the most telling of their answers
//! stays, after one last bounded search for a failing run.
//!
//! What is verified is checked once more where that costs little: the bounded search must find no failing run
//! (this also after an engine that the user named), and another engine, for as long as the first one needed,
//! must not refute it. A failing run is real, so one of the two is
//! wrong: that is an internal error, reported as such and never hidden.
//!
//! A call that is known by its contract is an arbitrary change to the engines. A run that fails is real only if
//! it exists with the callee's own body: it is looked for again in the program with such calls inlined.

mod by_check;
mod by_parts;
pub mod paths;
pub mod solo;
mod termination;
mod undefined;

use crate::analysis::{self, Progress, Setup, is_annotated};
use crate::program::explore::{Bound, Found, Searches};
use crate::program::trace::UNMODELLED;
use crate::program::{Check, Entry, Program, Property, Question, State};
use crate::util::clock::Instant;
use crate::util::limits::{Budget, CancelToken, Limits};
use crate::util::options;
use crate::util::span::Span;
use crate::verdict::{Author, Counters, Outcome, Reason, Verdict, Weakness};
use std::time::Duration;

/// Who decides: the choice among the engines, or one of them.
///
/// ```
/// use catena::Engine;
///
/// assert_eq!(Engine::named("pdr"), Some(Engine::Pdr));
/// assert_eq!(Engine::Lazy.word(), "lazy");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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
    /// All of them.
    pub const ALL: [Engine; 6] =
        [Engine::Auto, Engine::Vc, Engine::Pdr, Engine::Heaps, Engine::Monotone, Engine::Lazy];

    /// The engine of this name on the command line.
    #[must_use]
    pub fn named(word: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.word() == word)
    }

    /// Its name on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.author().word()
    }

    /// Who answers.
    pub(crate) fn author(self) -> Author {
        match self {
            Engine::Auto => Author::Portfolio,
            Engine::Vc => Author::Vc,
            Engine::Pdr => Author::Pdr,
            Engine::Heaps => Author::Heaps,
            Engine::Monotone => Author::Monotone,
            Engine::Lazy => Author::Lazy,
        }
    }

    /// Its line in the table of engines; `None` for the choice among them.
    pub(crate) fn one(self) -> Option<&'static dyn analysis::Engine> {
        analysis::ENGINES.into_iter().find(|engine| engine.author() == self.author())
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
    /// The property of the competition that is asked about, if it is one.
    pub property: Option<Property>,
    /// Somebody who works on the same question beside the engines.
    pub aside: Option<&'a dyn Aside>,
}

/// Somebody who works on a question beside the engines, and gets as much time as they had.
pub trait Aside {
    /// Works for about so long, or less if that leads nowhere. Whether there is an answer now.
    fn work(&self, time: Duration) -> bool;
    /// Whether there is an answer, which counts for more than any other.
    fn is_decided(&self) -> bool;
    /// Whether more time may lead to one.
    fn goes_on(&self) -> bool;
    /// Whether failures of this class are the first one of no run.
    fn has_excluded(&self, class: Check) -> bool;
    /// Is told that they are.
    fn exclude(&self, class: Check);
}

/// The answer, and whether its trace is one of the inlined program.
pub struct Decided {
    /// The answer.
    pub outcome: Outcome,
    /// Edges and states of the trace are those of [`Task::inlined`].
    pub about_inlined: bool,
    /// Two engines contradict each other: a bug of ours.
    pub disagreement: bool,
    /// Edges and states of the trace are those of this program.
    pub view: Option<Box<Program>>,
}

impl Decided {
    /// An answer about the task's own program.
    #[must_use]
    pub fn new(outcome: Outcome) -> Decided {
        Decided { outcome, about_inlined: false, disagreement: false, view: None }
    }
}

/// Runs one engine on a task.
type Runner<'r> = &'r dyn Fn(Engine, &Task<'_>, &Setup, Progress<'_>) -> Outcome;

/// Decides with an engine or with the portfolio.
#[must_use]
pub fn decide(engine: Engine, task: &Task<'_>, setup: &Setup, progress: Progress<'_>) -> Decided {
    if let (true, Some(var)) = (task.question.asks(Check::Garbage), task.program.leads_to_variable()) {
        let message =
            "garbage is not checked where a parameter may lead to a variable of the caller's".to_owned();
        let reason = Reason { message, span: Some(task.program.vars[var.index()].span) };
        let outcome = Outcome { verdict: Verdict::Unknown(reason), ..unknown("") };
        return Decided::new(outcome);
    }
    let setup = &Setup { searches: Searches::default(), ..setup.clone() };
    let mut decided = if task.question.asks(Check::Termination) {
        termination::decide(engine, task, setup, progress, &alone)
    } else {
        by_check::decide(engine, task, setup, progress, &alone)
    };
    let all_runs = [Property::UnreachCall, Property::NoOverflow, Property::Termination];
    if let Some(property) = task.property
        && all_runs.contains(&property)
        && matches!(decided.outcome.verdict, Verdict::Verified(_))
        && let Some(reason) = undefined::undefined(task.program, property, setup)
    {
        decided.outcome.verdict = Verdict::Unknown(reason);
    }
    decided
}

fn decide_by(
    engine: Engine,
    task: &Task<'_>,
    setup: &Setup,
    progress: Progress<'_>,
    run: Runner<'_>,
) -> Decided {
    let outcome = match engine {
        Engine::Auto => auto(task, setup, progress, run),
        engine => glance(
            task,
            (&setup.searches, &setup.limits),
            run(engine, task, setup, progress),
            options::PORTFOLIO_GLANCE.get(),
        ),
    };
    match outcome {
        Ok(outcome) if task.program.calls_locally() && !is_final(&outcome) => {
            with_bodies(task, setup, outcome)
        }
        Ok(outcome) => smallest(task, confirm(task, setup, outcome), setup),
        Err(disagreement) => {
            let outcome = unknown(&format!("internal error: {disagreement}"));
            Decided { disagreement: true, ..Decided::new(outcome) }
        }
    }
}

/// What is not proved of a function with recursive calls may fail in a run with the bodies of all callees.
fn with_bodies(task: &Task<'_>, setup: &Setup, outcome: Outcome) -> Decided {
    let Some(inlined) = task.inlined else { return Decided::new(outcome) };
    let commands = Bound::default().commands;
    match explore(&setup.searches, inlined, task.question, &setup.limits, commands) {
        Some(Verdict::Violated(trace)) if trace.is_real(inlined, task.question) => {
            let outcome = Outcome {
                engine: Author::Interpreter,
                verdict: Verdict::Violated(trace),
                counters: Counters::default(),
            };
            Decided { about_inlined: true, ..Decided::new(outcome) }
        }
        _ => Decided::new(outcome),
    }
}

/// Replaces the trace by the one the bounded search finds first, if that is no larger: fewest cells, then small
/// values, whatever the engine's model looked like.
fn smallest(task: &Task<'_>, decided: Decided, setup: &Setup) -> Decided {
    let Verdict::Violated(trace) = &decided.outcome.verdict else { return decided };
    if decided.about_inlined || decided.outcome.engine == Author::Interpreter {
        return decided;
    }
    let allocated = |state: &State| state.cells.iter().filter(|c| c.status.is_valid()).count();
    let cells = allocated(&trace.initial);
    let bound = Bound {
        cells: cells.min(Bound::default().cells),
        commands: options::PORTFOLIO_SHRINKING.get(),
        ..Bound::default()
    };
    let found = setup.searches.search(task.program, task.question, &bound, &mut Budget::new(&setup.limits));
    match found {
        Found::Violation(found)
            if allocated(&found.initial) <= cells && found.is_real(task.program, task.question) =>
        {
            let outcome = Outcome { verdict: Verdict::Violated(found), ..decided.outcome };
            Decided { outcome, ..decided }
        }
        _ => decided,
    }
}

/// One engine.
fn alone(engine: Engine, task: &Task<'_>, setup: &Setup, progress: Progress<'_>) -> Outcome {
    match engine.one() {
        Some(_) if task.program.calls_locally() => {
            unknown("a recursive call, of which only its contract is known, is judged by `trees` alone")
        }
        Some(one) => one.run(task.program, task.question, setup, progress),
        None => unknown("there is no one engine of this name"),
    }
}

fn unknown(message: &str) -> Outcome {
    Outcome::unknown(Author::Portfolio, Reason { message: message.to_owned(), span: None })
}

/// Whether an engine's word is final.
fn is_final(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Verified(_) | Verdict::Violated(_))
}

/// The engines for a program, the most promising first.
fn order(program: &Program) -> Vec<Engine> {
    if is_annotated(program) {
        vec![Engine::Vc, Engine::Pdr, Engine::Heaps, Engine::Monotone]
    } else if program.begins == Entry::Main {
        vec![Engine::Lazy, Engine::Pdr, Engine::Heaps, Engine::Monotone, Engine::Vc]
    } else if program.tracks.iter().any(|t| t.object.is_some()) {
        vec![Engine::Heaps, Engine::Pdr, Engine::Monotone, Engine::Vc]
    } else {
        vec![Engine::Pdr, Engine::Heaps, Engine::Monotone, Engine::Vc]
    }
}

/// The answer, or how two engines contradict each other.
fn auto(task: &Task<'_>, setup: &Setup, progress: Progress<'_>, run: Runner<'_>) -> Result<Outcome, String> {
    let (program, question) = (task.program, task.question);
    let clock = Clock::new(&setup.limits);
    let aside = task.aside;
    let beside = |time: Duration| aside.is_some_and(|a| a.work(clock.at_most(time)));
    let shares = || if aside.is_some_and(Aside::goes_on) { 2 } else { 1 };
    progress("running it");
    let begun = Instant::now();
    let alone =
        solo::run(program, question, &clock.slice(Some(options::PORTFOLIO_FIRST_RUN_MS.milliseconds()), 3))
            .ok();
    if let Some(outcome) = alone.as_ref().filter(|o| is_final(o)) {
        return Ok(outcome.clone());
    }
    let mut engines = order(program);
    if engines.first() != Some(&Engine::Vc)
        && let Some(verdict) =
            explore(&setup.searches, program, question, &clock.share(4), options::PORTFOLIO_FIRST_LOOK.get())
    {
        return Ok(Outcome { engine: Author::Interpreter, verdict, counters: Counters::default() });
    }
    let only = program.calls_locally() || analysis::trees::is_alone(program);
    if analysis::trees::suits(program) && (only || !setup.certificates) {
        progress("trees");
        let limits = clock.slice(Some(options::PORTFOLIO_SLICE_MS.milliseconds()), 2);
        let outcome = analysis::trees::run(program, question, &limits);
        if is_final(&outcome) {
            return glance(
                task,
                (&setup.searches, &clock.share(4)),
                outcome,
                options::PORTFOLIO_GLANCE.get(),
            );
        }
        if only {
            // Nobody else may look at it, or has words for it.
            let found = match program.calls_locally() {
                true => None,
                false => {
                    let commands = options::PORTFOLIO_FIRST_LOOK.get() * 4;
                    explore(&setup.searches, program, question, &clock.share(4), commands)
                }
            };
            let violated = found.map(|v| Outcome {
                engine: Author::Interpreter,
                verdict: v,
                counters: Counters::default(),
            });
            return Ok(violated.unwrap_or(outcome));
        }
    }
    let parts = || by_parts::by_parts(task, setup, &clock, progress, run);
    // Evidence about parts is none about the whole.
    if !setup.certificates
        && let Some(outcome) = parts()
    {
        return glance(task, (&setup.searches, &clock.share(4)), outcome, options::PORTFOLIO_GLANCE.get());
    }
    if beside(begun.elapsed()) {
        return Ok(unknown("decided beside the engines"));
    }
    let mut best: Option<Outcome> = None;
    for slice in [Some(options::PORTFOLIO_SLICE_MS.milliseconds()), None] {
        let mut again = Vec::new();
        for (i, &engine) in engines.iter().enumerate() {
            // A run that did not end goes on after the engines.
            let limits = clock.slice(slice, shares() * (engines.len() - i) + usize::from(alone.is_some()));
            let given = limits.time;
            let start = Instant::now();
            let told = |text: &str| progress(&format!("{}: {text}", engine.word()));
            told("starting");
            let outcome = run(engine, task, &Setup { limits, ..setup.clone() }, &told);
            if is_final(&outcome) {
                let time = start.elapsed().clamp(
                    options::PORTFOLIO_SECOND_OPINION_MS.milliseconds() / 2,
                    options::PORTFOLIO_SECOND_OPINION_MS.milliseconds(),
                );
                return second_opinion(task, setup, outcome, clock.at_most(time), run);
            }
            let telling = |o: &Outcome| matches!(o.verdict, Verdict::TooWeak(_));
            if best.as_ref().is_none_or(|b| telling(&outcome) && !telling(b)) {
                best = Some(outcome);
            }
            if setup.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
                return Ok(best.unwrap_or_else(|| unknown("cancelled")));
            }
            let used = start.elapsed();
            if given.is_some_and(|t| used >= t.mul_f64(0.8)) {
                again.push(engine);
            }
            if beside(used) {
                return Ok(unknown("decided beside the engines"));
            }
        }
        engines = again;
    }
    if setup.certificates
        && let Some(outcome) = parts()
    {
        return glance(task, (&setup.searches, &clock.share(4)), outcome, options::PORTFOLIO_GLANCE.get());
    }
    if let Some(verdict) =
        explore(&setup.searches, program, question, &clock.share(2), Bound::default().commands)
    {
        return Ok(Outcome { engine: Author::Interpreter, verdict, counters: Counters::default() });
    }
    match alone {
        // Nobody else knows: what is left of the time is the run's.
        Some(outcome) => Ok(solo::run(program, question, &clock.share(1)).unwrap_or(outcome)),
        None => Ok(best.unwrap_or_else(|| unknown("no engine has an answer"))),
    }
}

/// Looks for a contradiction to what an engine verified, for about as long as that took, within this time.
fn second_opinion(
    task: &Task<'_>,
    setup: &Setup,
    first: Outcome,
    time: Duration,
    run: Runner<'_>,
) -> Result<Outcome, String> {
    if !matches!(first.verdict, Verdict::Verified(_)) {
        return Ok(first);
    }
    let limits = Limits { time: Some(time), ..setup.limits.clone() };
    let first = glance(task, (&setup.searches, &limits), first, options::PORTFOLIO_FIRST_LOOK.get())?;
    if task.program.locations > options::PORTFOLIO_LARGE.count() {
        return Ok(first);
    }
    let other = if first.engine == Author::Pdr { Engine::Monotone } else { Engine::Pdr };
    let second = run(other, task, &Setup { limits, ..setup.clone() }, &|_| {});
    match second.verdict {
        Verdict::Violated(_) => Err(disagree(&first, second.engine)),
        _ => Ok(first),
    }
}

/// An engine's answer, unless it is "verified" and a short search finds a run that fails.
fn glance(
    task: &Task<'_>,
    (searches, limits): (&Searches, &Limits),
    first: Outcome,
    commands: u64,
) -> Result<Outcome, String> {
    // `trees` knows more of a call of the function itself than its contract says.
    let refutes = |verdict: Verdict| match verdict {
        Verdict::Violated(trace) => {
            first.engine != Author::Trees || trace.is_real(task.program, task.question)
        }
        _ => false,
    };
    if matches!(first.verdict, Verdict::Verified(_))
        && explore(searches, task.program, task.question, limits, commands).is_some_and(refutes)
    {
        return Err(disagree(&first, Author::Interpreter));
    }
    Ok(first)
}

fn disagree(first: &Outcome, engine: Author) -> String {
    format!("engines disagree: {} says verified, {engine} violated", first.engine)
}

/// A failing run by bounded search.
fn explore(
    searches: &Searches,
    program: &Program,
    question: &Question,
    limits: &Limits,
    commands: u64,
) -> Option<Verdict> {
    let mut budget = Budget::new(limits);
    let bound = Bound { commands, ..Bound::default() };
    match searches.search(program, question, &bound, &mut budget) {
        Found::Violation(trace) => Some(Verdict::Violated(trace)),
        Found::Nothing { .. } | Found::Stopped(_) => None,
    }
}

/// A violation must be a run with the bodies of all callees (DESIGN 6, decision 9). One that passes a call by contract
/// is looked for again in the inlined program.
fn confirm(task: &Task<'_>, setup: &Setup, outcome: Outcome) -> Decided {
    let Verdict::Violated(trace) = &outcome.verdict else {
        return Decided::new(outcome);
    };
    if trace.is_real(task.program, task.question) {
        return Decided::new(outcome);
    }
    let found = task
        .inlined
        .and_then(|p| explore(&setup.searches, p, task.question, &setup.limits, Bound::default().commands));
    if let (Some(Verdict::Violated(real)), Some(inlined)) = (found, task.inlined)
        && real.is_real(inlined, task.question)
    {
        let outcome = Outcome { verdict: Verdict::Violated(real), ..outcome };
        return Decided { about_inlined: true, ..Decided::new(outcome) };
    }
    if let Some(edge) = trace.guess(task.program) {
        let edge = &task.program.edges[edge.index()];
        let failure = trace.failure.message.clone();
        return guessed(task, setup, outcome, &failure, edge.span);
    }
    if trace.failure.message.starts_with(UNMODELLED) {
        let reason = Reason { message: trace.failure.message.clone(), span: Some(trace.failure.span) };
        let outcome = Outcome { verdict: Verdict::Unknown(reason), ..outcome };
        return Decided::new(outcome);
    }
    let mut callees = trace.calls_by_contract(task.program);
    callees.dedup();
    let whose = match callees[..] {
        [] => "a called function".to_owned(),
        [one] => format!("`{one}`"),
        [.., last] => format!("`{last}` (or another function called before)"),
    };
    let hint = format!(
        "the contract of {whose} allows this, no run with its body was found: a stronger contract may help"
    );
    let failure = trace.failure.clone();
    let state = trace.steps.last().map(|s| Box::new(s.state.clone()));
    let weakness = Weakness { failure, abstract_trace: Vec::new(), state, hint: Some(hint) };
    let verdict = Verdict::TooWeak(Box::new(weakness));
    Decided::new(Outcome { verdict, ..outcome })
}

/// A run that fails with a value that is made up shows nothing, nor is there a proof. Another run may fail without one.
fn guessed(task: &Task<'_>, setup: &Setup, outcome: Outcome, failure: &str, span: Span) -> Decided {
    let known = task.program.without_guesses();
    let searches = Searches::default();
    let found = explore(&searches, &known, task.question, &setup.limits, options::PORTFOLIO_FIRST_LOOK.get());
    if let Some(Verdict::Violated(real)) = found
        && real.is_real(task.program, task.question)
    {
        return Decided::new(Outcome { verdict: Verdict::Violated(real), ..outcome });
    }
    let message = format!("{failure}, if C allows a value here that is not modelled");
    let verdict = Verdict::Unknown(Reason { message, span: Some(span) });
    Decided::new(Outcome { verdict, ..outcome })
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

    /// So much time, but no more than is left.
    fn at_most(&self, time: Duration) -> Duration {
        self.share(1).time.map_or(time, |left| left.min(time))
    }

    /// A short slice if one is given, but no more than one of `n` equal parts of the remaining time.
    fn slice(&self, short: Option<Duration>, n: usize) -> Limits {
        let part = self.share(n);
        let time = match (part.time, short) {
            (Some(part), Some(short)) => Some(part.min(short)),
            (part, short) => short.or(part),
        };
        Limits { time, ..part }
    }

    /// One of `n` equal parts of the remaining time; without a limit all but the last part are finite.
    fn share(&self, n: usize) -> Limits {
        let left = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let part = left.map(|t| t / u32::try_from(n.max(1)).unwrap_or(1));
        let time = if n > 1 { part.or(Some(options::PORTFOLIO_PATIENCE_MS.milliseconds())) } else { part };
        Limits { time: time.map(|t| t.max(Duration::from_millis(1))), ..self.limits.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::vc;
    use crate::program::samples::{Sample, null};
    use crate::program::{At, Cond, Expr, Formula, Term, VarKind};
    use crate::verdict::Certificate;

    /// A function that fails for some entry states, and has a loop without invariant if asked.
    fn wrong(with_loop: bool) -> Program {
        let mut s = Sample::new("f");
        let x = s.pointer("x", VarKind::Param);
        if with_loop {
            s.while_loop(Cond::ne(Expr::Var(x), null()), vec![], |s| {
                s.assign(x, null());
            });
            s.assert(Formula::Const(false));
        } else {
            s.assert(Formula::eq(Term::Var(x, At::Now), Term::Null(crate::program::StructId(0))));
        }
        s.finish()
    }

    fn liar(engine: Engine, liars: &[Engine]) -> Outcome {
        let verdict = if liars.contains(&engine) {
            Verdict::Verified(Certificate::Invariants(Vec::new()))
        } else {
            Verdict::Unknown(Reason { message: "no idea".to_owned(), span: None })
        };
        Outcome { engine: engine.author(), verdict, counters: Counters::default() }
    }

    #[test]
    fn a_disagreement_is_an_internal_error() {
        let program = wrong(false);
        let question = Question::of_contract(0);
        let task =
            Task { program: &program, inlined: None, question: &question, property: None, aside: None };
        for engine in [Engine::Auto, Engine::Vc] {
            let decided = decide_by(engine, &task, &Setup::default(), &|_| {}, &|engine, _, _, _| {
                liar(engine, &[Engine::Vc])
            });
            assert!(decided.disagreement);
            match decided.outcome.verdict {
                Verdict::Unknown(reason) => assert_eq!(
                    reason.message,
                    "internal error: engines disagree: vc says verified, interp violated"
                ),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn another_engine_may_disagree() {
        // The search is given no time to find anything: the second engine has the run.
        let program = wrong(false);
        let question = Question::of_contract(0);
        let task =
            Task { program: &program, inlined: None, question: &question, property: None, aside: None };
        let real = vc::run(&program, &question, &Setup::default(), &|_| {});
        assert!(matches!(real.verdict, Verdict::Violated(_)));
        let steps = Limits { steps: Some(1), ..Limits::default() };
        let setup = Setup { limits: steps, ..Setup::default() };
        let run = |engine: Engine, _: &Task<'_>, _: &Setup, _: Progress<'_>| match engine {
            Engine::Pdr => Outcome { engine: Author::Pdr, ..real.clone() },
            engine => liar(engine, &[Engine::Vc]),
        };
        assert!(decide_by(Engine::Auto, &task, &setup, &|_| {}, &run).disagreement);
        // Without the lie the same runner is believed.
        let honest = |engine: Engine, t: &Task<'_>, s: &Setup, p: Progress<'_>| match engine {
            Engine::Vc => liar(Engine::Vc, &[]),
            engine => run(engine, t, s, p),
        };
        let decided = decide_by(Engine::Auto, &task, &setup, &|_| {}, &honest);
        assert!(!decided.disagreement && matches!(decided.outcome.verdict, Verdict::Violated(_)));
    }

    #[test]
    fn a_short_search_comes_before_engines_that_infer() {
        let program = wrong(true);
        let question = Question::of_contract(0);
        let task =
            Task { program: &program, inlined: None, question: &question, property: None, aside: None };
        let all = [Engine::Vc, Engine::Pdr, Engine::Heaps, Engine::Monotone, Engine::Lazy];
        let decided =
            decide_by(Engine::Auto, &task, &Setup::default(), &|_| {}, &|engine, _, _, _| liar(engine, &all));
        assert_eq!(decided.outcome.engine, Author::Interpreter);
        assert!(matches!(decided.outcome.verdict, Verdict::Violated(_)));
    }
}
