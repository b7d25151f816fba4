//! The report as one page: verdicts, source, failing runs state by state, in HTML without anything from outside.
//!
//! The page carries its pictures ready: all states of a run are one SVG element whose parts know in which states they
//! are seen, so that what does not change is there once. A script of a few lines, the same in every page, shows and
//! hides; it draws nothing and reads no text of the program. Drawing in the browser would need the layout a second time.
//!
//! The content-security policy allows this script and this style by their hashes and nothing else: no network, no frames,
//! no forms, no inline handlers. All text is escaped ([`markup`](super::picture::escape::markup)).
//!
//! [`Section`] is one answer as plain values; `listing` chooses the source lines, `html` writes.

mod html;
mod listing;
#[cfg(test)]
mod tests;

use super::findings::{State, Verdict, Weakness};
use super::frames::{self, Frame};
use super::picture::Film;
use super::picture::culprit;
use super::picture::scene::Culprit;
use super::{Entry, text, translate};
use crate::program::{Check, Program, print};
use crate::util::span::Span;
use crate::verdict;
use listing::Listing;
use std::time::Duration;

pub use html::page;
pub use listing::Outlines;

/// Lines of an engine's own evidence that are shown.
const MOST_LINES: usize = 40;

/// One answer as it is shown.
pub struct Section {
    /// The text that has the function.
    pub file: String,
    /// The function, with its behaviour.
    pub function: String,
    /// The word.
    pub verdict: &'static str,
    /// Who decided.
    pub engine: &'static str,
    /// How long it took.
    pub time: Duration,
    /// Why it is not verified.
    pub reason: Option<String>,
    /// What may help.
    pub hint: Option<String>,
    /// What is asked, clause by clause.
    pub contract: Vec<String>,
    /// Loop invariants that were found, with their places, and what else an engine shows.
    pub evidence: Vec<(String, String)>,
    /// How many lines of evidence are left out.
    pub more: usize,
    /// States, each with the statement before it.
    pub frames: Vec<Frame>,
    /// How many statements are left out after the first state.
    pub omitted: u64,
    /// Source lines.
    listing: Listing,
    /// The message, and the expression that fails, for marking what it is about.
    message: String,
    expression: String,
    /// What fails.
    check: Option<Check>,
}

impl Section {
    /// An answer; `contract` is the one of the program that was asked about, `outlines` what is known of the texts.
    #[must_use]
    pub fn new(entry: &Entry<'_>, contract: usize, outlines: &mut Outlines) -> Section {
        let verdict = translate::verdict(entry);
        let run = frames::run(entry);
        let (mut evidence, mut hint, mut message, mut check) = (Vec::new(), None, String::new(), None);
        let (mut frames, omitted) = run.map_or((Vec::new(), 0), |run| (run.frames, run.omitted));
        match verdict {
            Verdict::Verified(found) => {
                let place = |p: Option<super::findings::Place>| {
                    p.map_or_else(|| "loop".to_owned(), |p| format!("{}:{}", p.file, p.line))
                };
                evidence.extend(found.invariants.into_iter().map(|i| (place(i.place), i.formula)));
                evidence.extend(found.lines.into_iter().map(|line| (String::new(), line)));
            }
            Verdict::Violated(trace) => (message, check) = (trace.message, Some(trace.check)),
            Verdict::TooWeak(Weakness {
                hint: found, state, abstract_trace, place, message: what, ..
            }) => {
                hint = found;
                message = what;
                evidence.extend(abstract_trace.into_iter().map(|step| (step.at, step.text)));
                let source = "a state that is not excluded".to_owned();
                frames.extend(state.map(|state| Frame { place, source, changes: Vec::new(), state }));
            }
            Verdict::Unknown(_) => {}
        }
        let more = evidence.len().saturating_sub(MOST_LINES);
        evidence.truncate(MOST_LINES);
        let function = match entry.behavior {
            Some(behavior) => format!("{}[{behavior}]", entry.function),
            None => entry.function.to_owned(),
        };
        Section {
            file: entry.file.to_owned(),
            function,
            verdict: entry.outcome.verdict.word(),
            engine: entry.outcome.engine.word(),
            time: entry.time,
            reason: entry.reason(),
            hint,
            contract: entry.program.map_or_else(Vec::new, |p| clauses(entry, p, contract)),
            evidence,
            more,
            listing: Listing::new(entry, &frames, outlines),
            frames,
            omitted,
            message,
            check,
            expression: failing(entry).unwrap_or_default(),
        }
    }

    /// The pictures of its states.
    fn film(&self) -> Film {
        let states: Vec<_> = self.frames.iter().map(|frame| &frame.state).collect();
        let found = |last: &&State| culprit::find(&self.message, &self.expression, last);
        let about = states.last().map(found).unwrap_or_default();
        Film::new(&states, &Culprit { structure: self.check == Some(Check::Ensures), ..about })
    }

    /// Its states for Graphviz.
    #[must_use]
    pub fn dots(&self) -> Vec<String> {
        let film = self.film();
        let title = |i: usize, frame: &Frame| {
            let place = frame.place.as_ref().map(|p| format!("{}:{}", p.file, p.line)).unwrap_or_default();
            match (i, frame.source.as_str()) {
                (0, "") => format!("{}: at entry", self.function),
                (_, source) => format!("{}: {place}: {source}", self.function),
            }
        };
        self.frames.iter().enumerate().map(|(i, frame)| film.dot(i, &title(i, frame))).collect()
    }

    /// The time, for people.
    fn shown_time(&self) -> String {
        text::time(self.time)
    }
}

/// The text from where a run fails on, to the end of the statement; nothing if it is a clause that fails.
fn failing(entry: &Entry<'_>) -> Option<String> {
    let verdict::Verdict::Violated(trace) = &entry.outcome.verdict else { return None };
    let (check, span) = (trace.failure.check, trace.failure.span);
    let source = entry.sources.source_of(span.start)?;
    let text = source.text.get((span.start - source.base) as usize..)?;
    let end = text.find(['\n', ';', '{']).unwrap_or(text.len());
    (check == Check::Memsafety && span != Span::default()).then(|| text[..end].to_owned())
}

/// The clauses of a contract as they are written, or as we write them.
fn clauses(entry: &Entry<'_>, program: &Program, contract: usize) -> Vec<String> {
    let Some(contract) = program.contracts.get(contract) else { return Vec::new() };
    let both = [("requires", &contract.requires), ("ensures", &contract.ensures)];
    let mut out = Vec::new();
    for (word, clauses) in both {
        for clause in clauses {
            let written = entry.sources.text(clause.span).split_whitespace().collect::<Vec<_>>().join(" ");
            let written = written.trim_end_matches([';', ' ']).to_owned();
            let bare = written.strip_prefix(word).map_or(written.as_str(), str::trim);
            // What holds by itself, such as that variables of the caller are there, has the place of the function.
            if bare == entry.function {
                continue;
            }
            let said =
                if bare.is_empty() { print::formula(program, &clause.formula) } else { bare.to_owned() };
            let said = format!("{word} {said};");
            if !out.contains(&said) {
                out.push(said);
            }
        }
    }
    out
}
