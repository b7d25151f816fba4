//! What is shown to people and to other programs: verdicts with their evidence, as text and as JSON.
//!
//! An [`Entry`] is one answer with everything that is needed to show it. Formulas are printed in the
//! annotation language ([`crate::program::print`]), states as lists of named cells ([`draw`]), positions through
//! the front end's [`Sources`].

#[cfg(feature = "cli")]
pub mod diagnostic;
pub mod draw;
pub mod findings;
#[cfg(feature = "cli")]
pub mod json;
pub mod names;
#[cfg(feature = "serde")]
mod serialise;
pub mod text;
pub mod translate;

use crate::frontend::diagnostic::Sources;
use crate::program::{Check, Program};
use crate::util::span::Span;
use crate::verdict::{Outcome, Verdict};
use std::time::Duration;

/// One answer about one function and one behaviour.
pub struct Entry<'a> {
    /// As given on the command line.
    pub file: &'a str,
    /// Name of the function.
    pub function: &'a str,
    /// The behaviour, if it is a named one.
    pub behavior: Option<&'a str>,
    /// Texts that spans point into.
    pub sources: &'a Sources,
    /// The function's name in its text.
    pub span: Span,
    /// The program that formulas, edges and states of the outcome belong to; `None` if there is none.
    pub program: Option<&'a Program>,
    /// What was asked.
    pub checks: &'a [Check],
    /// What was found.
    pub outcome: &'a Outcome,
    /// How long it took.
    pub time: Duration,
}

impl Entry<'_> {
    /// Why the verdict is not `verified`.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match &self.outcome.verdict {
            Verdict::Verified(_) => None,
            Verdict::Violated(trace) => Some(self.at(&trace.failure.message, trace.failure.span)),
            Verdict::TooWeak(weakness) => Some(self.at(&weakness.failure.message, weakness.failure.span)),
            Verdict::Unknown(reason) => Some(match reason.span {
                Some(span) => self.at(&reason.message, span),
                None => reason.message.clone(),
            }),
        }
    }

    fn at(&self, message: &str, span: Span) -> String {
        match self.place(span) {
            Some(place) => format!("{place}: {message}"),
            None => message.to_owned(),
        }
    }

    /// `file:line:column`; `None` for a span that stands for nothing.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<String> {
        if span == Span::default() {
            return None;
        }
        let location = self.sources.presumed(span);
        Some(format!("{}:{}:{}", location.file, location.line, location.column))
    }

    /// The line of source text in which a span begins, trimmed.
    #[must_use]
    pub fn line(&self, span: Span) -> Option<&str> {
        if span == Span::default() {
            return None;
        }
        let source = self.sources.source_of(span.start)?;
        let offset = ((span.start - source.base) as usize).min(source.text.len());
        let bytes = source.text.as_bytes();
        let start = bytes[..offset].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let end = bytes[offset..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| offset + i);
        source.text.get(start..end).map(str::trim)
    }
}
