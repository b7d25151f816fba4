//! Engine `monotone`: backward reachability over signatures, after the paper on monotonic abstraction for
//! programs with multiply-linked structures, with its rules corrected.
//!
//! | file | what |
//! |---|---|
//! | [`signature`], [`text`] | partial heaps; their text form |
//! | [`order`] | when one partial heap contains another |
//! | [`pre`] | predecessors of a partial heap under a command |
//! | [`model`] | the program without integers, and what must not happen in it |
//! | [`pattern`], [`shape`], [`exit`] | from contracts to bad patterns |
//! | [`entry`], [`levels`] | which partial heaps a run can begin with |
//! | [`facts`] | cheap forward facts that prune the search |
//! | [`mod@search`] | the search |
//!
//! The search starts from all bad patterns and goes backward until nothing new appears (`verified`, the kept
//! signatures are the certificate) or a signature meets the entry. Such an alarm may be false: data is
//! abstracted away, and an edge stands for a path. Then runs are searched with the interpreter: `violated`
//! needs one. If none is found the search is repeated with more precision: direct edges, known fields, frames,
//! and the order of lists over the same cells; once more with such lists thinned, if it did not end; once more
//! with direct edges kept at loop heads where they leave a cell that a variable points to; then
//! with the contract's own patterns instead of those of whole structures; on trees with signatures widened (`widen`). The
//! last alarm is the abstract trace of `too-weak`.
//!
//! Deliberately missing: data, arrays, automatic cells, calls by contract.

mod condition;
pub mod entry;
pub mod exit;
pub mod facts;
pub mod levels;
pub mod model;
pub mod order;
pub mod pattern;
pub mod pre;
mod replay;
pub mod search;
pub mod shape;
pub mod signature;
#[cfg(test)]
mod tests;
pub mod text;
mod widen;

use super::{Progress, Setup};
use crate::program::explore::Searches;
use crate::program::{LocationId, Program, Question};
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use crate::verdict::{
    AbstractStep, Author, Certificate, Counters, Failure, Language, Outcome, Reason, Trace, Verdict, Weakness,
};
use entry::{EntryCheck, entry_of};
use exit::exit_patterns;
use facts::{Facts, analyse};
use model::{Bad, Model};
use pre::VarIx;
use replay::Effort;
use search::{End, Found, Options, search};
use signature::Signature;
use text::show;

/// The first and the last search for a failing run.
const FIRST_EFFORT: Effort = Effort { cells: 3, commands: 200_000 };
const LAST_EFFORT: Effort = Effort { cells: 4, commands: 2_000_000 };

/// Attempts in their order: patterns of whole structures, then of the contract; plain, refined, thinned.
fn attempts() -> [Attempt; 7] {
    let plain = Options {
        refined: false,
        anchored: false,
        thinned: false,
        widened: false,
        max_kept: options::MONOTONE_KEPT.size(),
        max_compared: options::MONOTONE_FIRST_COMPARED.get(),
    };
    // With direct edges and frames.
    let refined = Options { refined: true, max_compared: options::MONOTONE_COMPARED.get(), ..plain };
    [
        Attempt::new(true, plain),
        Attempt::new(true, refined),
        Attempt::new(true, Options { thinned: true, ..refined }),
        Attempt::new(true, Options { anchored: true, ..refined }),
        Attempt::new(false, refined),
        Attempt::new(true, Options { widened: true, ..refined }),
        Attempt::new(true, Options { max_compared: options::MONOTONE_LAST_COMPARED.get(), ..plain }),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Attempt {
    whole: bool,
    options: Options,
}

impl Attempt {
    const fn new(whole: bool, options: Options) -> Attempt {
        Attempt { whole, options }
    }
}

/// This engine in the table.
pub struct Monotone;

impl super::Engine for Monotone {
    fn author(&self) -> Author {
        Author::Monotone
    }

    fn takes(&self) -> &'static str {
        "shape and memory safety by backward search; lists, doubly linked lists, trees"
    }

    fn evidence(&self) -> Option<Language> {
        Some(Language::Signatures)
    }

    fn run(&self, program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
        run(program, question, setup, progress)
    }
}

/// Proves or refutes.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let mut engine = Engine {
        program,
        question,
        budget: Budget::new(&setup.limits),
        searches: &setup.searches,
        kept: 0,
        refinements: 0,
    };
    let verdict = engine.verdict(progress);
    let counters = Counters {
        signatures: Some(engine.kept),
        refinements: Some(engine.refinements),
        ..Counters::default()
    };
    Outcome { engine: Author::Monotone, verdict, counters }
}

struct Engine<'p> {
    program: &'p Program,
    question: &'p Question,
    budget: Budget,
    searches: &'p Searches,
    kept: u64,
    refinements: u64,
}

fn unknown(message: String) -> Verdict {
    Verdict::Unknown(Reason { message: format!("engine monotone: {message}"), span: None })
}

impl Engine<'_> {
    fn verdict(&mut self, progress: Progress<'_>) -> Verdict {
        let model = match Model::of(self.program, self.question) {
            Ok(model) => model,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let (entry, at_entry) = entry_of(&model, self.question);
        let whole = match exit_patterns(&model, self.question, true) {
            Ok(patterns) => patterns,
            // What cannot be proved may still be refuted.
            Err(reason) => {
                return match self.failing_run(&model, &entry, FIRST_EFFORT) {
                    Ok(Some(trace)) => Verdict::Violated(trace),
                    Ok(None) | Err(_) => Verdict::Unknown(reason),
                };
            }
        };
        let anchored = exit_patterns(&model, self.question, false).ok().filter(|a| *a != whole);
        let facts = analyse(&model, &at_entry);
        let mut alarm = None;
        let mut full = "";
        let mut replayed = false;
        let trees = self.speaks_of_trees(&model);
        for (number, mut attempt) in attempts().into_iter().enumerate() {
            if number == 0 && trees {
                attempt.options.max_kept = options::MONOTONE_FIRST_OF_TREES.size();
            }
            let exit = if attempt.whole { Some(&whole) } else { anchored.as_ref() };
            let Some(exit) = exit else { continue };
            if attempt.options.thinned && (entry.levels.is_empty() || full.is_empty()) {
                continue;
            }
            if attempt.options.widened && !(trees && alarm.is_none()) {
                continue;
            }
            // What tells more apart does not end where less does not.
            if attempt.options.anchored && alarm.is_none() {
                continue;
            }
            if number + 1 == attempts().len() && alarm.is_some() {
                // More of the same leads to the same alarm.
                break;
            }
            self.refinements = number as u64;
            let bad = [&model.bad[..], &exit[..]].concat();
            let (end, tally) =
                search(&model, &bad, &facts, &entry, attempt.options, &mut self.budget, &|m| progress(m));
            self.kept = tally.kept;
            match end {
                End::Closed { kept, excluded } => {
                    let ignored = entry::ignored(&model, self.question);
                    let at_entry = [&entry.excluded[..], &excluded[..]].concat();
                    let lines = certificate(&model, &facts, &at_entry, &ignored, attempt, &kept);
                    return Verdict::Verified(lines);
                }
                End::Stopped(stop) => return unknown(stop.to_string()),
                End::Full(why) => full = why,
                End::Alarm(trace) => {
                    if !replayed {
                        replayed = true;
                        match self.failing_run(&model, &entry, FIRST_EFFORT) {
                            Ok(Some(trace)) => return Verdict::Violated(trace),
                            Ok(None) => {}
                            Err(stop) => return unknown(stop.to_string()),
                        }
                    }
                    alarm = Some(weakness(&model, &bad, &trace));
                }
            }
        }
        match self.failing_run(&model, &entry, LAST_EFFORT) {
            Ok(Some(trace)) => return Verdict::Violated(trace),
            Ok(None) => {}
            Err(stop) => return unknown(stop.to_string()),
        }
        match alarm {
            Some(weakness) if self.question.asks(weakness.failure.check) => {
                Verdict::TooWeak(Box::new(weakness))
            }
            Some(weakness) => unknown(format!(
                "its argument needs `{}`, which was not asked and is not proved: {}",
                weakness.failure.check.word(),
                weakness.failure.message
            )),
            None => unknown(full.to_owned()),
        }
    }

    fn speaks_of_trees(&self, model: &Model<'_>) -> bool {
        let contract = self.program.contracts.get(self.question.contract);
        let clauses = contract.into_iter().flat_map(|c| c.requires.iter().chain(&c.ensures));
        let shapes = shape::recognise(model, clauses.map(|c| &c.formula)).shapes;
        shapes.iter().any(|s| matches!(s.kind, shape::Kind::Tree { .. }))
    }

    /// A run that fails, from a small entry state.
    fn failing_run(
        &mut self,
        model: &Model<'_>,
        entry: &EntryCheck,
        effort: Effort,
    ) -> Result<Option<Box<Trace>>, Stop> {
        replay::failing_run(model, self.question, entry, effort, (self.searches, &mut self.budget))
    }
}

/// The location of the program that an abstract location belongs to.
fn place(model: &Model<'_>, found: &Found) -> LocationId {
    if found.location < model.program.locations as usize {
        return LocationId(found.location as u32);
    }
    match model.steps[found.step].edge {
        Some(edge) if found.next.is_some() => model.program.edges[edge.index()].from,
        _ => model.program.entry,
    }
}

fn weakness(model: &Model<'_>, bad: &[Bad], trace: &[Found]) -> Weakness {
    let target = &bad[trace[0].bad];
    let failure = Failure { check: target.check, message: target.message.clone(), span: target.span };
    let abstract_trace = trace
        .iter()
        .map(|f| AbstractStep { location: place(model, f), text: show(&f.signature, &model.names) })
        .collect();
    let hint = "the abstract heaps lead from an entry heap to a bad one, but no small run does".to_owned();
    Weakness { failure, abstract_trace, state: None, hint: Some(hint) }
}

/// What is unreachable, per location of the program: kept signatures, and what facts and frames exclude.
fn certificate(
    model: &Model<'_>,
    facts: &[Facts],
    at_entry: &[Signature],
    ignored: &[VarIx],
    attempt: Attempt,
    kept: &[(usize, Signature)],
) -> Certificate {
    let mut lines = vec![
        format!("labels {}", model.names.vars.join(" ")),
        format!("fields {}", model.names.colours.join(" ")),
    ];
    if !ignored.is_empty() {
        let names: Vec<&str> = ignored.iter().map(|x| model.names.vars[*x as usize].as_str()).collect();
        lines.push(format!("ignored {}", names.join(" ")));
    }
    let locations = model.program.locations as usize;
    let mut excluded: Vec<Vec<Signature>> = vec![Vec::new(); locations];
    for (location, signature) in kept.iter().filter(|(l, _)| *l < locations) {
        excluded[*location].push(*signature);
    }
    for (location, all) in excluded.iter_mut().enumerate() {
        let refined = attempt.options.refined;
        all.extend(facts[location].excluded(model.slots.len(), model.fields.len()));
        if refined {
            all.extend(facts[location].frame(at_entry, model.fields.len()));
        }
        lines.extend(all.iter().map(|s| format!("{location}: {}", show(s, &model.names))));
    }
    Certificate::Text { language: Language::Signatures, lines, clauses: Vec::new() }
}
