//! Answers that are kept until all are there, for formats that are one document.

use super::findings::{Diagnostic, Place, Severity, Trace, Verdict};
use super::{Entry, translate};
use std::time::Duration;

/// Everything that a run of `catena verify` has to say.
#[derive(Debug, Default)]
pub struct Items {
    /// Answers, and files that were not read to their end.
    pub answers: Vec<Item>,
    /// Messages about the texts.
    pub diagnostics: Vec<Diagnostic>,
}

/// One answer.
#[derive(Debug)]
pub struct Item {
    /// The file, as given.
    pub file: String,
    /// The function, with its behaviour if that has a name; `None` for a file that was not read to its end.
    pub function: Option<String>,
    /// Where the function is defined.
    pub place: Option<Place>,
    /// The word of the verdict.
    pub word: &'static str,
    /// Who decided.
    pub engine: &'static str,
    /// Why it is not verified, with its place.
    pub reason: Option<String>,
    /// What was found.
    pub verdict: Option<Verdict>,
    /// How long it took.
    pub time: Duration,
}

impl Item {
    /// An answer.
    #[must_use]
    pub fn of(entry: &Entry<'_>) -> Item {
        let function = match entry.behavior {
            Some(behavior) => format!("{}[{behavior}]", entry.function),
            None => entry.function.to_owned(),
        };
        Item {
            file: entry.file.to_owned(),
            function: Some(function),
            place: translate::place(entry.sources, entry.span),
            word: entry.outcome.verdict.word(),
            engine: entry.outcome.engine.word(),
            reason: entry.reason(),
            verdict: Some(translate::verdict(entry)),
            time: entry.time,
        }
    }

    /// What is said of a file that was not read to its end.
    #[must_use]
    pub fn unread(file: &str, reason: &str, time: Duration) -> Item {
        Item {
            file: file.to_owned(),
            function: None,
            place: None,
            word: "unknown",
            engine: "front end",
            reason: Some(reason.to_owned()),
            verdict: None,
            time,
        }
    }

    /// The statement, clause or construct that is to blame, or the function.
    #[must_use]
    pub fn blamed(&self) -> Option<&Place> {
        let place = match self.verdict.as_ref()? {
            Verdict::Verified(_) => None,
            Verdict::Violated(trace) => trace.place.as_ref(),
            Verdict::TooWeak(weakness) => weakness.place.as_ref(),
            Verdict::Unknown(unknown) => unknown.place.as_ref(),
        };
        place.or(self.place.as_ref())
    }

    /// What is wrong, without its place.
    #[must_use]
    pub fn message(&self) -> String {
        let function = self.function.as_deref().unwrap_or("the file");
        let what = match &self.verdict {
            Some(Verdict::Verified(_)) => "everything that was asked holds",
            Some(Verdict::Violated(trace)) => &trace.message,
            Some(Verdict::TooWeak(weakness)) => &weakness.message,
            Some(Verdict::Unknown(unknown)) => &unknown.message,
            None => self.reason.as_deref().unwrap_or("nothing is known"),
        };
        format!("{function}: {}: {what}", self.word)
    }

    /// The failing run, if there is one.
    #[must_use]
    pub fn trace(&self) -> Option<&Trace> {
        match &self.verdict {
            Some(Verdict::Violated(trace)) => Some(trace),
            _ => None,
        }
    }

    /// The run in lines: the state at the entry, the statements, the last state.
    #[must_use]
    pub fn run(&self) -> Vec<String> {
        let Some(trace) = self.trace() else { return Vec::new() };
        let mut out = vec![format!("at entry: {}", trace.entry.drawn.join("    "))];
        for step in &trace.steps {
            let place = step
                .place
                .as_ref()
                .map_or(String::new(), |p| format!("{}:{}:{}: ", p.file, p.line, p.column));
            out.push(format!("{place}{}    [{}]", step.source, step.changes.join(", ")));
        }
        out.push(format!("there: {}", trace.end.drawn.join("    ")));
        out
    }
}

/// The word of a severity in formats that know errors, warnings and notes.
#[must_use]
pub fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Unsupported => "error",
        Severity::Warning => "warning",
    }
}
