//! Answers as JSON (DESIGN 2): fields that do not apply are null.

use super::draw::Canvas;
use super::{Entry, text};
use crate::frontend::diagnostic::{Diagnostic, Sources};
use crate::program::{Program, print};
use crate::util::span::Span;
use crate::verdict::{Certificate, Counters, Trace, Verdict, Weakness};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// One answer.
#[must_use]
pub fn answer(entry: &Entry<'_>) -> Value {
    let (mut invariant, mut trace) = (Value::Null, Value::Null);
    if let Some(program) = entry.program {
        match &entry.outcome.verdict {
            Verdict::Verified(certificate) => invariant = certified(entry, program, certificate),
            Verdict::Violated(found) => trace = concrete(entry, program, found),
            Verdict::TooWeak(weakness) => trace = abstract_trace(entry, program, weakness),
            Verdict::Unknown(_) => {}
        }
    }
    json!({
        "file": entry.file,
        "function": entry.function,
        "behavior": entry.behavior,
        "engine": entry.outcome.engine,
        "verdict": entry.outcome.verdict.word(),
        "reason": entry.reason(),
        "checks": entry.checks.iter().map(|c| c.word()).collect::<Vec<_>>(),
        "time_ms": u64::try_from(entry.time.as_millis()).unwrap_or(u64::MAX),
        "stats": stats(&entry.outcome.counters),
        "invariant": invariant,
        "trace": trace,
        "svcomp": Value::Null,
    })
}

/// What is said of a file that was not read to its end.
#[must_use]
pub fn unread(file: &str, reason: &str, time: Duration) -> Value {
    json!({
        "file": file,
        "function": null,
        "behavior": null,
        "engine": null,
        "verdict": "unknown",
        "reason": reason,
        "checks": null,
        "time_ms": u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        "stats": null,
        "invariant": null,
        "trace": null,
        "svcomp": null,
    })
}

/// Puts the verdict about a property of the competition into the answer about `main`; without one it gets an object
/// of its own.
pub fn add_svcomp(answers: &mut Vec<Value>, verdict: &str) {
    let is_main = |answer: &&mut Value| answer["function"] == "main" && !answer["verdict"].is_null();
    if let Some(answer) = answers.iter_mut().find(is_main) {
        answer["svcomp"] = json!(verdict);
        return;
    }
    let mut answer = unread("", "", Duration::ZERO);
    (answer["file"], answer["reason"]) = (Value::Null, Value::Null);
    answer["svcomp"] = json!(verdict);
    answers.push(answer);
}

/// The `stats` object.
#[must_use]
pub fn stats(counters: &Counters) -> Value {
    let mut object = Map::new();
    for (name, value) in text::named(counters) {
        object.insert(name.to_owned(), json!(value));
    }
    Value::Object(object)
}

fn place(entry: &Entry<'_>, span: Span) -> Value {
    if span == Span::default() { Value::Null } else { location(entry.sources, span) }
}

fn location(sources: &Sources, span: Span) -> Value {
    let at = sources.presumed(span);
    json!({ "file": at.file, "line": at.line, "column": at.column })
}

fn certified(entry: &Entry<'_>, program: &Program, certificate: &Certificate) -> Value {
    match certificate {
        Certificate::Invariants(loops) => {
            let mut out = Vec::new();
            for (id, formulas) in loops {
                let span = program.loops.get(id.index()).map(|l| l.span).unwrap_or_default();
                for formula in formulas {
                    let text = print::formula(program, formula);
                    out.push(json!({ "loop": place(entry, span), "formula": text }));
                }
            }
            Value::Array(out)
        }
        Certificate::Run | Certificate::Paths(_) => json!([]),
        Certificate::Text { lines, .. } => {
            Value::Array(lines.iter().map(|l| json!({ "loop": null, "formula": l })).collect())
        }
    }
}

fn concrete(entry: &Entry<'_>, program: &Program, trace: &Trace) -> Value {
    let mut canvas = Canvas::new(program);
    let mut out = vec![json!({
        "location": place(entry, program.span),
        "source": null,
        "changes": [],
        "state": canvas.state(&trace.initial, true),
        "failure": null,
    })];
    let last = trace.steps.last().map(|s| &s.state);
    for step in canvas.steps(&trace.initial, &trace.steps, trace.omitted > 0) {
        let (state, failure) = if step.last {
            let failure = &trace.failure;
            let failure = json!({
                "check": failure.check.word(),
                "message": failure.message,
                "location": place(entry, failure.span),
            });
            (json!(last.map(|s| canvas.state(s, false))), failure)
        } else {
            (Value::Null, Value::Null)
        };
        out.push(json!({
            "location": place(entry, step.span),
            "source": entry.line(step.span),
            "changes": step.changes,
            "state": state,
            "failure": failure,
        }));
    }
    Value::Array(out)
}

fn abstract_trace(entry: &Entry<'_>, program: &Program, weakness: &Weakness) -> Value {
    let mut out: Vec<Value> = Vec::new();
    for step in &weakness.abstract_trace {
        let at = text::location(entry, program, step.location);
        out.push(json!({ "at": at, "abstract": step.text }));
    }
    if let Some(state) = &weakness.state {
        let pieces = Canvas::new(program).state(state, false);
        let failure = &weakness.failure;
        out.push(json!({
            "at": place(entry, failure.span),
            "state": pieces,
            "failure": { "check": failure.check.word(), "message": failure.message },
            "hint": weakness.hint,
        }));
    }
    Value::Array(out)
}

/// A message of the front end, in the shape of an answer: verdict null, the message as the reason.
#[must_use]
pub fn diagnostic(file: &str, sources: &Sources, diagnostic: &Diagnostic) -> Value {
    let message = super::diagnostic::json(diagnostic, sources);
    json!({
        "file": file,
        "function": null,
        "behavior": null,
        "engine": null,
        "verdict": null,
        "reason": diagnostic.message,
        "checks": null,
        "time_ms": null,
        "stats": null,
        "invariant": null,
        "trace": null,
        "svcomp": null,
        "diagnostic": serde_json::from_str::<Value>(&message).unwrap_or(Value::String(message)),
    })
}
