//! What an editor shows of answers: diagnostics, code lenses, quick fixes.

use super::text::{Position, Text};
use super::uri;
use crate::frontend::c::Unit;
use crate::frontend::diagnostic::{Diagnostic, Severity, Sources, Span};
use crate::program::print;
use crate::report::findings::{self, Place};
use crate::report::item::Item;
use crate::report::{self, Entry, plain};
use crate::verdict::{Author, Certificate, Verdict};
use serde_json::{Value, json};

/// Steps of a failing run, at most.
const MOST_STEPS: usize = 40;

/// What a document shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    pub diagnostics: Vec<Value>,
    pub lenses: Vec<Value>,
    pub fixes: Vec<Fix>,
    /// How many answers were known, and how many had to be found.
    pub counts: (u64, u64),
}

/// A quick fix, offered from one position to another.
#[derive(Clone, Debug)]
pub(super) struct Fix {
    pub title: String,
    pub from: Position,
    pub to: Position,
    pub what: Repair,
}

/// What a quick fix does.
#[derive(Clone, Debug)]
pub(super) enum Repair {
    /// The text is written at the position.
    Insert(Position, String),
    /// A contract is looked for.
    Infer(String),
}

/// A document with what was read of it.
pub(super) struct Page<'a> {
    /// Its name among the sources.
    pub name: &'a str,
    pub uri: &'a str,
    pub text: &'a Text,
    pub unit: &'a Unit,
    /// The client shows further places of a diagnostic.
    pub related: bool,
}

impl Page<'_> {
    fn sources(&self) -> &Sources {
        &self.unit.sources
    }

    /// The bytes of a span, if it lies in the document.
    fn own(&self, span: Span) -> Option<(usize, usize)> {
        let source = self.sources().source_of(span.start).filter(|s| s.name == self.name)?;
        let at = |position: u32| (position.saturating_sub(source.base) as usize).min(source.text.len());
        (span != Span::default()).then(|| (at(span.start), at(span.end)))
    }

    /// The range of a span; what is in a header stands at its `#include`.
    fn range(&self, span: Span) -> Value {
        match self.own(span) {
            Some((start, end)) if start < end => self.text.range(start, end),
            Some((start, _)) => self.text.rest_of_line(start),
            None => {
                let start = self.sources().outermost(span);
                let at = self.own(Span::new(start, start + 1)).map_or(0, |(start, _)| start);
                self.text.rest_of_line(at)
            }
        }
    }

    /// A place as a location; `None` for what no editor can open.
    fn location(&self, place: &Place) -> Option<Value> {
        let known = |text: &Text| text.rest_of_line(text.place(place.line, place.column));
        if place.file == self.name {
            return Some(json!({ "uri": self.uri, "range": known(self.text) }));
        }
        let path = std::path::absolute(&place.file).ok().filter(|_| !place.file.starts_with('<'))?;
        let range = match self.sources().find(&place.file) {
            Some(source) => known(&Text::new(source.text.as_str())),
            None => {
                let line = place.line.saturating_sub(1);
                let at = Position { line, character: place.column.saturating_sub(1) };
                super::text::range(at, at)
            }
        };
        Some(json!({ "uri": uri::of_path(&path.to_string_lossy()), "range": range }))
    }

    fn related(&self, place: Option<&Place>, message: &str) -> Option<Value> {
        Some(json!({ "location": self.location(place?)?, "message": plain::lines(message) }))
    }

    /// A message about the text.
    pub(super) fn message(&self, found: &Diagnostic) -> Value {
        let severity = match found.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Unsupported => 3,
        };
        let mut message = found.message.clone();
        if self.own(found.span).is_none() && found.span != Span::default() {
            let Place { file, line, column } = self.sources().presumed(found.span);
            message = format!("{file}:{line}:{column}: {message}");
        }
        if let Some(help) = &found.help {
            message.push_str(&format!("\nhelp: {help}"));
        }
        let labels = found
            .labels
            .iter()
            .filter_map(|label| self.related(Some(&self.sources().presumed(label.span)), &label.message));
        json!({
            "range": self.range(found.span),
            "severity": severity,
            "source": "catena",
            "code": found.code,
            "message": plain::lines(&message),
            "relatedInformation": labels.collect::<Vec<_>>(),
        })
    }

    /// Adds what is to be seen of an answer.
    pub(super) fn answer(&self, entry: &Entry<'_>, shown: &mut Shown) {
        let item = Item::of(entry);
        shown.lenses.push(self.lens(entry));
        let (severity, span) = match &entry.outcome.verdict {
            Verdict::Verified(certificate) => return self.invariants(entry, certificate, shown),
            Verdict::Violated(trace) => (1, trace.failure.span),
            Verdict::TooWeak(weakness) => (2, weakness.failure.span),
            Verdict::Unknown(reason) => (3, reason.span.unwrap_or_default()),
        };
        // What the reader has to say stands in the text already.
        if entry.outcome.engine == Author::FrontEnd {
            return;
        }
        let mut message = item.message();
        let text = report::text::answer(entry, report::text::Detail::default());
        let telling = |line: &&str| line.starts_with("expected: ") || line.starts_with("found: ");
        let lines = text.lines().map(str::trim).filter(telling).map(str::to_owned);
        let hint = match &entry.outcome.verdict {
            Verdict::TooWeak(weakness) => weakness.hint.clone(),
            _ => None,
        };
        let run = if self.related { Vec::new() } else { item.run() };
        for line in lines.chain(hint).chain(run) {
            message.push_str(&format!("\n{line}"));
        }
        let code = match &item.verdict {
            Some(findings::Verdict::Violated(trace)) => Some(trace.check.word()),
            Some(findings::Verdict::TooWeak(weakness)) => Some(weakness.check.word()),
            _ => None,
        };
        shown.diagnostics.push(json!({
            "range": self.range(if span == Span::default() { entry.span } else { span }),
            "severity": severity,
            "source": "catena",
            "code": code.unwrap_or(item.word),
            "message": plain::lines(&message),
            "relatedInformation": if self.related { self.run(entry, &item) } else { Vec::new() },
        }));
    }

    /// The failing run, each step at its place.
    fn run(&self, entry: &Entry<'_>, item: &Item) -> Vec<Value> {
        let Some(trace) = item.trace() else { return Vec::new() };
        let function = self.sources().presumed(entry.span);
        let mut out = Vec::new();
        out.extend(self.related(Some(&function), &format!("at entry: {}", trace.entry.drawn.join("    "))));
        let left_out = trace.steps.len().saturating_sub(MOST_STEPS);
        if trace.omitted > 0 || left_out > 0 {
            let steps = trace.omitted.saturating_add(left_out as u64);
            out.extend(self.related(Some(&function), &format!(".. {steps} steps left out")));
        }
        for (i, step) in trace.steps.iter().enumerate().skip(left_out) {
            let mut message = step.changes.join(", ");
            if i + 1 == trace.steps.len() {
                message.push_str(if message.is_empty() { "fails" } else { "; fails" });
            }
            out.extend(self.related(step.place.as_ref(), &message));
        }
        let place = trace.place.as_ref().unwrap_or(&function);
        out.extend(self.related(Some(place), &format!("there: {}", trace.end.drawn.join("    "))));
        out
    }

    /// The verdict at the function's name.
    fn lens(&self, entry: &Entry<'_>) -> Value {
        let behavior = entry.behavior.map_or(String::new(), |name| format!("[{name}] "));
        let word = entry.outcome.verdict.word();
        let title = match &entry.outcome.verdict {
            Verdict::Verified(_) => format!("{behavior}{word} ({})", entry.outcome.engine),
            Verdict::Violated(trace) => format!("{behavior}{word}: {}", trace.failure.message),
            Verdict::TooWeak(weakness) => format!("{behavior}{word}: {}", weakness.failure.message),
            Verdict::Unknown(reason) => format!("{behavior}{word}: {}", reason.message),
        };
        json!({ "range": self.range(entry.span), "command": { "title": plain::lines(&title), "command": "" } })
    }

    /// The bytes from the first word of a function to the next function.
    fn extent(&self, function: &str) -> Option<(usize, usize)> {
        let of = self.unit.outline.function(function)?;
        let (start, _) = self.own(of.start)?;
        let others = self.unit.outline.functions.iter().filter_map(|f| self.own(f.start));
        let end = others.map(|(at, _)| at).filter(|at| *at > start).min();
        Some((start, end.unwrap_or(self.text.as_str().len())))
    }

    /// Offers the invariants that were found, where they can be written before their loops.
    fn invariants(&self, entry: &Entry<'_>, certificate: &Certificate, shown: &mut Shown) {
        let (Certificate::Invariants(loops), Some(program)) = (certificate, entry.program) else { return };
        let Some((first, last)) = self.extent(entry.function) else { return };
        for (id, formulas) in loops {
            let span = program.loops.get(id.index()).map(|l| l.span).unwrap_or_default();
            let Some((start, end)) = self.own(span).filter(|(at, _)| (first..last).contains(at)) else {
                continue;
            };
            let clauses: Vec<String> =
                formulas.iter().map(|f| format!("loop invariant {};", print::formula(program, f))).collect();
            // Names that are not those of the source cannot be written into it.
            if clauses.is_empty() || clauses.iter().any(|clause| clause.contains('#')) {
                continue;
            }
            let at = self.text.position(start);
            let line = self.text.line(at.line as usize);
            let indent = &line[..line.len() - line.trim_start().len()];
            // A blank is one unit of UTF-16 and one byte, whatever stands behind it.
            let text = match at.character as usize == indent.len() {
                true => format!("/*@ {} @*/\n{indent}", clauses.join(&format!("\n{indent}    "))),
                false => format!("/*@ {} @*/ ", clauses.join(" ")),
            };
            shown.fixes.push(Fix {
                title: "Insert the loop invariant that was found".to_owned(),
                from: at,
                to: self.text.position(end),
                what: Repair::Insert(at, text),
            });
        }
    }

    /// Offers contracts for functions that have none.
    pub(super) fn contracts(&self, shown: &mut Shown) {
        let outline = &self.unit.outline;
        let lacks = outline.functions.iter().filter(|f| !f.has_contract && f.in_text && f.name != "main");
        for function in lacks {
            let Some((start, end)) = self.extent(&function.name) else { continue };
            let name = function.name.clone();
            shown.fixes.push(Fix {
                title: format!("Infer a contract for `{name}`"),
                from: self.text.position(start),
                // Not where the next function begins.
                to: self.text.position(start + self.text.as_str()[start..end].trim_end().len()),
                what: Repair::Infer(name),
            });
        }
    }
}
