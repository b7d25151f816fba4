//! Termination: a run that repeats itself is looked for, then a variant for every loop is proved by the engines.
//!
//! What decides is [`program::termination`](crate::program::termination): each question here is one about assertions in a
//! program that was made for it. A variant that a loop does not have is refuted by a short search, so many can be tried.

use super::{Clock, Decided, Engine, Runner, Task, decide_by, explore, unknown};
use crate::analysis::{Progress, Setup};
use crate::program::termination::{Region, candidates, given, proving, regions, repeating};
use crate::program::{Check, Command, Program, Property, Question};
use crate::util::limits::CancelToken;
use crate::util::options;
use crate::util::span::Span;
use crate::verdict::{Author, Certificate, Counters, Outcome, Reason, Verdict};
use std::time::Duration;

/// For one variant in the first round.
const SHORT: Duration = Duration::from_millis(1500);

/// Decides a question that asks about termination.
pub(super) fn decide(
    engine: Engine,
    task: &Task<'_>,
    setup: &Setup,
    progress: Progress<'_>,
    run: Runner<'_>,
) -> Decided {
    let clock = Clock::new(&setup.limits);
    let others = without_termination(task.question);
    if !others.checks.is_empty() {
        let limits = clock.share(2);
        let rest = Task { question: &others, ..*task };
        let decided = decide_by(engine, &rest, &Setup { limits, ..setup.clone() }, progress, run);
        if !matches!(decided.outcome.verdict, Verdict::Verified(_)) || decided.disagreement {
            return decided;
        }
    }
    let search = Search { engine, task, setup, progress, run, clock };
    search.decide()
}

fn without_termination(question: &Question) -> Question {
    let checks = question.checks.iter().copied().filter(|c| *c != Check::Termination).collect();
    Question { contract: question.contract, checks }
}

struct Search<'a> {
    engine: Engine,
    task: &'a Task<'a>,
    setup: &'a Setup,
    progress: Progress<'a>,
    run: Runner<'a>,
    clock: Clock,
}

impl Search<'_> {
    fn decide(&self) -> Decided {
        let program = self.task.program;
        let Some(regions) = regions(program) else { return self.open("a cycle has no loop", program.span) };
        if let Some(refuted) = self.repeats(&regions) {
            return refuted;
        }
        if let Some(span) = program.endless.first() {
            return self
                .open("whether this recursion ends is not known: the contract needs `decreases`", *span);
        }
        if self.task.property == Some(Property::Termination) && program.calls_by_contract() {
            let text = "whether functions that are called by contract end is not asked with this property";
            return self.open(text, program.span);
        }
        let asserts = |c: &Command| matches!(c, Command::Assert { check: Check::Termination, .. });
        if program.edges.iter().any(|e| asserts(&e.command)) {
            let decided = self.prove(program, self.clock.share(2).time.unwrap_or(SHORT));
            if !matches!(decided.outcome.verdict, Verdict::Verified(_)) {
                // That something does not decrease is no run without an end.
                return match decided.outcome.verdict {
                    Verdict::Violated(trace) => self.open(&trace.failure.message, trace.failure.span),
                    _ => decided,
                };
            }
        }
        for (i, region) in regions.iter().enumerate() {
            if let Err(why) = self.region(region, regions.len() - i) {
                return *why;
            }
        }
        let verdict = Verdict::Verified(Certificate::Invariants(Vec::new()));
        let engine = if self.engine == Engine::Auto { Author::Portfolio } else { self.engine.author() };
        Decided::new(Outcome { engine, verdict, counters: Counters::default() })
    }

    fn open(&self, message: &str, span: Span) -> Decided {
        let reason = Reason { message: message.to_owned(), span: Some(span) };
        Decided::new(Outcome { verdict: Verdict::Unknown(reason), ..unknown("") })
    }

    /// A run without an end, if a bounded search finds one.
    fn repeats(&self, regions: &[Region]) -> Option<Decided> {
        let question = self.question();
        for region in regions {
            let Some(program) = repeating(self.task.program, region) else { continue };
            let commands = options::PORTFOLIO_FIRST_LOOK.get() * 4;
            let found = explore(&self.setup.searches, &program, &question, &self.clock.share(4), commands);
            if let Some(Verdict::Violated(trace)) = found
                && trace.is_real(&program, &question)
            {
                let verdict = Verdict::Violated(trace);
                let outcome = Outcome { engine: Author::Interpreter, verdict, counters: Counters::default() };
                return Some(Decided { view: Some(Box::new(program)), ..Decided::new(outcome) });
            }
        }
        None
    }

    fn question(&self) -> Question {
        Question { contract: self.task.question.contract, checks: vec![Check::Termination] }
    }

    fn prove(&self, program: &Program, time: Duration) -> Decided {
        let question = self.question();
        let task = Task { program, inlined: None, question: &question, property: None, aside: None };
        let limits = self.clock.slice(Some(time), 1);
        decide_by(self.engine, &task, &Setup { limits, ..self.setup.clone() }, self.progress, self.run)
    }

    /// A variant for the region is proved, or there is an answer.
    fn region(&self, region: &Region, left: usize) -> Result<(), Box<Decided>> {
        let program = self.task.program;
        let span = program.loops[region.of.index()].span;
        let own = given(program, region.of);
        let is_given = own.is_some();
        let mut variants = match own {
            Some(variant) => vec![variant],
            None => candidates(program, region),
        };
        (self.progress)("looking for a variant");
        for again in [false, true] {
            let mut rest = Vec::new();
            let count = variants.len();
            for (i, variant) in variants.into_iter().enumerate() {
                if self.setup.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
                    return Err(Box::new(Decided::new(unknown("cancelled"))));
                }
                let share = self.clock.share(left * (count - i).max(1)).time.unwrap_or(SHORT);
                let time = if again || is_given { share } else { share.min(SHORT) };
                let decided = self.prove(&proving(program, region, &variant), time);
                if decided.disagreement {
                    return Err(Box::new(decided));
                }
                match decided.outcome.verdict {
                    Verdict::Verified(_) => return Ok(()),
                    Verdict::Violated(trace) if is_given => {
                        let text = format!("{}: the loop may end all the same", trace.failure.message);
                        return Err(Box::new(self.open(&text, span)));
                    }
                    Verdict::Violated(_) => {}
                    _ => rest.push(variant),
                }
            }
            variants = rest;
        }
        let text = match is_given {
            true => "whether the loop's variant decreases is not known",
            false => "whether this loop ends is not known: `loop variant` may help",
        };
        Err(Box::new(self.open(text, span)))
    }
}
