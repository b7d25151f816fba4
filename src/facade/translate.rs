//! From what engines and front end say to [`findings`](super::findings).

use super::findings::{
    Diagnostic, Evidence, FunctionReport, Invariant, Place, Step, Trace, Unknown, Verdict, Weakness,
};
use crate::frontend::c::Unit;
use crate::frontend::diagnostic::{self, Sources};
use crate::program::{Program, Question, print};
use crate::report::draw::Canvas;
use crate::report::{Entry, text};
use crate::util::span::Span;
use crate::verdict::{self, Certificate, Outcome};
use std::time::Duration;

/// A file after reading.
pub(super) struct File {
    pub name: String,
    pub unit: Unit,
    /// The same functions with calls of functions with contracts inlined, if there are such calls.
    pub inlined: Vec<Option<Program>>,
}

/// Which program an outcome is about.
pub(super) struct About<'a> {
    pub file: &'a File,
    pub function: usize,
    pub about_inlined: bool,
}

pub(super) fn diagnostic(sources: &Sources, found: &diagnostic::Diagnostic) -> Diagnostic {
    let diagnostic::Diagnostic { code, severity, message, span, labels: _, help } = found;
    Diagnostic {
        code,
        severity: *severity,
        message: message.clone(),
        place: sources.presumed(*span),
        included_from: sources.includes(*span),
        help: help.clone(),
    }
}

pub(super) fn answer(
    about: &About<'_>,
    behavior: Option<&str>,
    question: &Question,
    outcome: &Outcome,
    time: Duration,
) -> FunctionReport {
    let file = about.file;
    let function = &file.unit.functions[about.function];
    let inlined = file.inlined[about.function].as_ref().filter(|_| about.about_inlined);
    let program = inlined.or(function.program.as_ref().ok());
    let entry = Entry {
        file: &function.file,
        function: &function.name,
        behavior,
        sources: &file.unit.sources,
        program,
        checks: &question.checks,
        outcome,
        time,
    };
    FunctionReport {
        function: function.name.clone(),
        behavior: behavior.map(str::to_owned),
        place: file.unit.sources.presumed(function.span),
        engine: outcome.engine,
        time,
        verdict: verdict(&entry),
        text: text::answer(&entry),
    }
}

fn place(sources: &Sources, span: Span) -> Option<Place> {
    (span != Span::default()).then(|| sources.presumed(span))
}

fn verdict(entry: &Entry<'_>) -> Verdict {
    match (&entry.outcome.verdict, entry.program) {
        (verdict::Verdict::Verified(certificate), program) => {
            Verdict::Verified(evidence(entry, program, certificate))
        }
        (verdict::Verdict::Violated(trace), Some(program)) => {
            Verdict::Violated(violated(entry, program, trace))
        }
        (verdict::Verdict::TooWeak(weakness), program) => {
            Verdict::TooWeak(too_weak(entry, program, weakness))
        }
        (verdict::Verdict::Unknown(reason), _) => {
            let place = reason.span.and_then(|span| place(entry.sources, span));
            Verdict::Unknown(Unknown { message: reason.message.clone(), place })
        }
        (verdict::Verdict::Violated(trace), None) => {
            let place = place(entry.sources, trace.failure.span);
            Verdict::Unknown(Unknown { message: trace.failure.message.clone(), place })
        }
    }
}

fn evidence(entry: &Entry<'_>, program: Option<&Program>, certificate: &Certificate) -> Evidence {
    match (certificate, program) {
        (Certificate::Invariants(loops), Some(program)) => {
            let mut invariants = Vec::new();
            for (id, formulas) in loops {
                let span = program.loops.get(id.index()).map(|l| l.span).unwrap_or_default();
                invariants.extend(formulas.iter().map(|formula| Invariant {
                    place: place(entry.sources, span),
                    formula: print::formula(program, formula),
                }));
            }
            Evidence { invariants, lines: Vec::new() }
        }
        (Certificate::Text { lines, .. }, _) => Evidence { invariants: Vec::new(), lines: lines.clone() },
        (Certificate::Invariants(_) | Certificate::Run | Certificate::Paths(_), _) => Evidence::default(),
    }
}

fn violated(entry: &Entry<'_>, program: &Program, trace: &verdict::Trace) -> Trace {
    let mut canvas = Canvas::new(program);
    let initial = canvas.state(&trace.initial, true);
    let steps = canvas.steps(&trace.initial, &trace.steps, trace.omitted > 0);
    let steps = steps.into_iter().map(|shown| Step {
        place: place(entry.sources, shown.span),
        source: entry.line(shown.span).unwrap_or_default().to_owned(),
        changes: shown.changes,
    });
    Trace {
        message: trace.failure.message.clone(),
        place: place(entry.sources, trace.failure.span),
        entry: initial,
        steps: steps.collect(),
        end: trace.steps.last().map_or_else(Vec::new, |last| canvas.state(&last.state, false)),
        omitted: trace.omitted,
    }
}

fn too_weak(entry: &Entry<'_>, program: Option<&Program>, weakness: &verdict::Weakness) -> Weakness {
    let state = match (&weakness.state, program) {
        (Some(state), Some(program)) => Canvas::new(program).state(state, false),
        _ => Vec::new(),
    };
    Weakness {
        message: weakness.failure.message.clone(),
        place: place(entry.sources, weakness.failure.span),
        hint: weakness.hint.clone(),
        state,
    }
}
