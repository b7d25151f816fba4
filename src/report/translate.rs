//! From what engines and front end say to [`findings`](super::findings): the one structured form of an answer, from which
//! JSON is written and which the front door hands out.

use super::Entry;
use super::draw::Canvas;
use super::findings::{
    AbstractStep, Diagnostic, Evidence, FunctionReport, Invariant, Place, Step, Trace, Unknown, Verdict,
    Weakness,
};
use super::text;
use crate::frontend::diagnostic::{self, Sources};
use crate::program::{Program, print};
use crate::util::span::Span;
use crate::verdict::{self, Certificate};

/// A message about the text.
#[must_use]
pub fn diagnostic(sources: &Sources, found: &diagnostic::Diagnostic) -> Diagnostic {
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

/// An answer.
#[must_use]
pub fn answer(entry: &Entry<'_>, certificate: Option<String>) -> FunctionReport {
    FunctionReport {
        function: entry.function.to_owned(),
        behavior: entry.behavior.map(str::to_owned),
        place: entry.sources.presumed(entry.span),
        engine: entry.outcome.engine.word(),
        time: entry.time,
        certificate,
        verdict: verdict(entry),
        text: text::answer(entry, text::Detail::default()),
    }
}

pub(super) fn place(sources: &Sources, span: Span) -> Option<Place> {
    (span != Span::default()).then(|| sources.presumed(span))
}

/// What was found out.
#[must_use]
pub fn verdict(entry: &Entry<'_>) -> Verdict {
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
        (
            Certificate::Invariants(_) | Certificate::Run | Certificate::Paths(_) | Certificate::Parts(_),
            _,
        ) => Evidence::default(),
    }
}

fn violated(entry: &Entry<'_>, program: &Program, trace: &verdict::Trace) -> Trace {
    let mut canvas = Canvas::new(program);
    let initial = canvas.snapshot(&trace.initial, true);
    let steps = canvas.steps(&trace.initial, &trace.steps, trace.omitted > 0);
    let steps = steps.into_iter().map(|shown| Step {
        place: place(entry.sources, shown.span),
        source: entry.line(shown.span).unwrap_or_default().to_owned(),
        changes: shown.changes,
    });
    Trace {
        message: trace.failure.message.clone(),
        check: trace.failure.check,
        place: place(entry.sources, trace.failure.span),
        entry: initial,
        steps: steps.collect(),
        end: trace.steps.last().map(|last| canvas.snapshot(&last.state, false)).unwrap_or_default(),
        omitted: trace.omitted,
    }
}

fn too_weak(entry: &Entry<'_>, program: Option<&Program>, weakness: &verdict::Weakness) -> Weakness {
    let state = weakness.state.as_ref().zip(program);
    let steps = weakness.abstract_trace.iter();
    Weakness {
        message: weakness.failure.message.clone(),
        check: weakness.failure.check,
        place: place(entry.sources, weakness.failure.span),
        hint: weakness.hint.clone(),
        state: state.map(|(state, program)| Canvas::new(program).snapshot(state, false)),
        abstract_trace: steps
            .map(|step| AbstractStep {
                at: program.map(|p| text::location(entry, p, step.location)).unwrap_or_default(),
                text: step.text.clone(),
            })
            .collect(),
    }
}
