//! Answers as text: one line with the verdict, then indented what is behind it.

use super::Entry;
use super::draw::Canvas;
use crate::program::{LoopId, Program, State, print};
use crate::verdict::{Certificate, Counters, Trace, Verdict, Weakness};
use std::fmt::Write;
use std::time::Duration;

/// Most steps of a trace that are shown as text.
const MOST_STEPS: usize = 60;
/// Pieces of a state go on one line up to this width.
const WIDTH: usize = 100;

/// The line with the verdict: `FILE:FUNCTION: VERDICT (ENGINE, TIME)`.
#[must_use]
pub fn headline(entry: &Entry<'_>) -> String {
    let function = match entry.behavior {
        Some(behavior) => format!("{}[{behavior}]", entry.function),
        None => entry.function.to_owned(),
    };
    let (verdict, engine) = (entry.outcome.verdict.word(), entry.outcome.engine);
    format!("{}:{function}: {verdict} ({engine}, {})", entry.file, time(entry.time))
}

/// Time for people: `0 ms`, `12 ms`, `1.24 s`.
#[must_use]
pub fn time(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}

/// The whole answer.
#[must_use]
pub fn answer(entry: &Entry<'_>) -> String {
    let mut out = headline(entry);
    out.push('\n');
    for line in evidence(entry) {
        let _ = writeln!(out, "    {line}");
    }
    out
}

fn evidence(entry: &Entry<'_>) -> Vec<String> {
    match (&entry.outcome.verdict, entry.program) {
        (Verdict::Verified(certificate), Some(program)) => certified(entry, program, certificate),
        (Verdict::Violated(trace), Some(program)) => violated(entry, program, trace),
        (Verdict::TooWeak(weakness), Some(program)) => too_weak(entry, program, weakness),
        _ => entry.reason().into_iter().collect(),
    }
}

fn certified(entry: &Entry<'_>, program: &Program, certificate: &Certificate) -> Vec<String> {
    match certificate {
        Certificate::Invariants(loops) => {
            let added = entry.outcome.counters.added.iter();
            let mut out: Vec<String> = added.map(|p| format!("predicate added: {p}")).collect();
            for (id, formulas) in loops {
                let place = loop_place(entry, program, *id);
                for formula in formulas {
                    out.push(format!("loop invariant at {place}: {}", print::formula(program, formula)));
                }
            }
            out
        }
        Certificate::Run => vec!["the program leaves nothing open and was run to its end".to_owned()],
        Certificate::Paths(1) => vec!["the program has one path, which was followed to its end".to_owned()],
        Certificate::Paths(n) => vec![format!("all {n} paths of the program were followed to their ends")],
        Certificate::Text { lines, .. } => lines.clone(),
    }
}

/// `file:line` of a loop.
#[must_use]
pub(super) fn loop_place(entry: &Entry<'_>, program: &Program, id: LoopId) -> String {
    let span = program.loops.get(id.index()).map(|l| l.span).unwrap_or_default();
    entry.place(span).unwrap_or_else(|| format!("loop {}", id.0))
}

fn violated(entry: &Entry<'_>, program: &Program, trace: &Trace) -> Vec<String> {
    let mut canvas = Canvas::new(program);
    let mut out: Vec<String> = entry.reason().into_iter().collect();
    state(&mut out, "at entry:", &mut canvas, &trace.initial, true);
    if trace.omitted > 0 {
        out.push(format!(".. {} steps left out", trace.omitted));
    }
    let mut steps = canvas.steps(&trace.initial, &trace.steps, trace.omitted > 0);
    if steps.len() > MOST_STEPS {
        let cut = steps.len() - MOST_STEPS;
        out.push(format!(".. {cut} statements left out"));
        steps.drain(..cut);
    }
    for step in steps {
        let place = entry.place(step.span).unwrap_or_default();
        let line = entry.line(step.span).unwrap_or_default();
        let mut changes = step.changes.join(", ");
        if step.last {
            if !changes.is_empty() {
                changes.push_str("; ");
            }
            changes.push_str("fails");
        }
        out.push(format!("{place}: {line}    [{changes}]").trim_start_matches(": ").to_owned());
    }
    if let Some(last) = trace.steps.last() {
        state(&mut out, "there:", &mut canvas, &last.state, false);
    }
    out
}

fn too_weak(entry: &Entry<'_>, program: &Program, weakness: &Weakness) -> Vec<String> {
    let mut out: Vec<String> = entry.reason().into_iter().collect();
    if let Some(hint) = &weakness.hint {
        out.push(hint.clone());
    }
    for step in &weakness.abstract_trace {
        out.push(format!("at {}: {}", location(entry, program, step.location), step.text));
    }
    if let Some(found) = &weakness.state {
        let mut canvas = Canvas::new(program);
        state(&mut out, "a state that is not excluded:", &mut canvas, found, false);
    }
    out
}

/// Where a location stands in the source: its loop, or the first statement that leaves or enters it.
#[must_use]
pub(super) fn location(entry: &Entry<'_>, program: &Program, at: crate::program::LocationId) -> String {
    let head = program.loop_at(at).map(|l| program.loops[l.index()].span);
    let leaving = program.edges.iter().filter(|e| e.from == at).map(|e| e.span);
    let entering = program.edges.iter().filter(|e| e.to == at).map(|e| e.span);
    let mut spans = head.into_iter().chain(leaving).chain(entering);
    spans.find_map(|s| entry.place(s)).unwrap_or_else(|| format!("location {}", at.0))
}

/// A state after a title, on one line if it fits.
fn state(out: &mut Vec<String>, title: &str, canvas: &mut Canvas<'_>, state: &State, at_entry: bool) {
    let pieces = canvas.state(state, at_entry);
    let width: usize = pieces.iter().map(|p| p.chars().count() + 4).sum();
    if pieces.is_empty() {
        out.push(format!("{title} nothing"));
    } else if width <= WIDTH {
        out.push(format!("{title} {}", pieces.join("    ")));
    } else {
        out.push(title.to_owned());
        out.extend(pieces.into_iter().map(|p| format!("    {p}")));
    }
}

/// The counters that an engine has, for `--stats`.
#[must_use]
pub fn counters(counters: &Counters) -> String {
    let mut parts: Vec<String> = named(counters)
        .into_iter()
        .filter_map(|(name, value)| value.map(|v| format!("{name} {v}")))
        .collect();
    let phase = |(name, time): &(&str, Duration)| format!("{name} {:.1} ms", time.as_secs_f64() * 1000.0);
    parts.extend(counters.phases.0.iter().map(phase));
    parts.join(", ")
}

/// The counters by their names in the output.
pub(super) fn named(counters: &Counters) -> Vec<(&'static str, Option<u64>)> {
    let Counters {
        queries,
        frames,
        clauses,
        predicates,
        instances,
        conflicts,
        signatures,
        refinements,
        cache_hits,
        obligations,
        added: _,
        phases: _,
    } = counters;
    vec![
        ("queries", *queries),
        ("frames", *frames),
        ("clauses", *clauses),
        ("predicates", *predicates),
        ("instances", *instances),
        ("conflicts", *conflicts),
        ("signatures", *signatures),
        ("refinements", *refinements),
        ("cache_hits", *cache_hits),
        ("obligations", *obligations),
    ]
}
