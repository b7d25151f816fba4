//! What is shown to people and to other programs: verdicts with their evidence, as text, as JSON, as pictures of heaps
//! ([`picture`]) and as a page.
//!
//! An [`Entry`] is one answer with everything that is needed to show it. Formulas are printed in the
//! annotation language ([`crate::program::print`]), states as lists of named cells ([`draw`]), positions through
//! the front end's [`Sources`].

#[cfg(feature = "cli")]
pub mod diagnostic;
pub mod draw;
mod failing;
pub mod findings;
#[cfg(feature = "cli")]
pub mod frames;
#[cfg(feature = "cli")]
pub mod github;
#[cfg(feature = "cli")]
pub mod item;
#[cfg(feature = "cli")]
pub mod json;
#[cfg(feature = "cli")]
pub mod junit;
mod links;
pub mod names;
#[cfg(feature = "cli")]
pub mod page;
pub mod picture;
pub mod plain;
#[cfg(feature = "cli")]
pub mod replay;
#[cfg(feature = "cli")]
pub mod sarif;
#[cfg(feature = "serde")]
mod serialise;
mod slice;
pub mod text;
pub mod translate;
#[cfg(feature = "cli")]
pub mod witness;

use crate::frontend::diagnostic::Sources;
use crate::program::{Check, Program};
use crate::util::span::Span;
use crate::verdict::{Outcome, Verdict};
use std::time::Duration;

/// Lines of source text up to this width are shown whole.
const LONG_LINE: usize = 76;

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

    /// The text of a statement: its line, or of a long line the part that is the statement.
    #[must_use]
    pub fn statement(&self, span: Span) -> Option<String> {
        let line = self.line(span)?;
        if line.chars().count() <= LONG_LINE {
            return Some(line.to_owned());
        }
        let source = self.sources.source_of(span.start)?;
        let start = (span.start - source.base) as usize;
        let end = (span.end.max(span.start) - source.base) as usize;
        let part = source.text.get(start..end.min(source.text.len())).and_then(|text| text.lines().next());
        let part = part.map(str::trim).filter(|part| !part.is_empty()).unwrap_or(line);
        if part.chars().count() <= LONG_LINE {
            return Some(part.to_owned());
        }
        Some(part.chars().take(LONG_LINE).chain(" ..".chars()).collect())
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
