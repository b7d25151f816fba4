//! Answers as JSON (DESIGN 2): fields that do not apply are null.

use super::findings::{Evidence, Trace, Verdict, Weakness};
use super::{Entry, plain, text, translate};
use crate::frontend::diagnostic::{Diagnostic, Sources};
use crate::program::Program;
use crate::verdict::Counters;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The text of a document. What a terminal or an editor would obey is escaped; it stands inside of strings only.
#[must_use]
pub fn printed(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c != '\n' && plain::is_hostile(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out.push('\n');
    out
}

/// One answer.
#[must_use]
pub fn answer(entry: &Entry<'_>) -> Value {
    let (mut invariant, mut trace) = (Value::Null, Value::Null);
    if let Some(program) = entry.program {
        match &translate::verdict(entry) {
            Verdict::Verified(evidence) => invariant = certified(evidence),
            Verdict::Violated(found) => trace = concrete(entry, program, found),
            Verdict::TooWeak(weakness) => trace = abstract_trace(weakness),
            Verdict::Unknown(_) => {}
        }
    }
    json!({
        "file": entry.file,
        "function": entry.function,
        "behavior": entry.behavior,
        "engine": entry.outcome.engine.word(),
        "verdict": entry.outcome.verdict.word(),
        "reason": entry.reason(),
        "checks": entry.checks,
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

fn certified(evidence: &Evidence) -> Value {
    let invariants = evidence.invariants.iter().map(|i| json!({ "loop": i.place, "formula": i.formula }));
    let lines = evidence.lines.iter().map(|line| json!({ "loop": null, "formula": line }));
    Value::Array(invariants.chain(lines).collect())
}

fn concrete(entry: &Entry<'_>, program: &Program, trace: &Trace) -> Value {
    let mut out = vec![json!({
        "location": translate::place(entry.sources, program.span),
        "source": null,
        "changes": [],
        "state": trace.entry,
        "failure": null,
    })];
    for (i, step) in trace.steps.iter().enumerate() {
        let is_last = i + 1 == trace.steps.len();
        let failure = json!({ "check": trace.check, "message": trace.message, "location": trace.place });
        out.push(json!({
            "location": step.place,
            "source": step.source,
            "changes": step.changes,
            "state": is_last.then_some(&trace.end),
            "failure": if is_last { failure } else { Value::Null },
        }));
    }
    Value::Array(out)
}

fn abstract_trace(weakness: &Weakness) -> Value {
    let mut out: Vec<Value> =
        weakness.abstract_trace.iter().map(|step| json!({ "at": step.at, "abstract": step.text })).collect();
    if let Some(state) = &weakness.state {
        out.push(json!({
            "at": weakness.place,
            "state": state,
            "failure": { "check": weakness.check, "message": weakness.message },
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
