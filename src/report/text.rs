//! Answers as text: one line with the verdict, then indented what is behind it.

use super::draw::Canvas;
use super::{Entry, failing, names, slice};
use crate::program::{Command, LoopId, Program, State, Var, VarKind, print, unbounded};
use crate::verdict::{Certificate, Counters, Trace, Verdict, Weakness};
use std::fmt::Write;
use std::time::Duration;

/// Lines of a violated function unless more is asked for.
const MOST_LINES: usize = 25;
/// Lines of a state in them.
const MOST_STATE: usize = 4;
/// Places of an abstract trace that are named.
const MOST_STEPS: usize = 12;
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

/// How much is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Invariants, and what was tried (`--explain`).
    pub explain: bool,
    /// All steps of a run, not only those that matter (`--full-trace`).
    pub full_trace: bool,
}

/// The whole answer.
#[must_use]
pub fn answer(entry: &Entry<'_>, detail: Detail) -> String {
    let mut out = headline(entry);
    out.push('\n');
    for line in evidence(entry, detail) {
        let _ = writeln!(out, "    {line}");
    }
    out
}

fn evidence(entry: &Entry<'_>, detail: Detail) -> Vec<String> {
    let mut out = Vec::new();
    if detail.explain
        && let Some(program) = entry.program
        && unbounded::occurs(program)
        && !entry.checks.iter().any(|check| check.word() == "overflow")
    {
        out.push(UNBOUNDED.to_owned());
    }
    match (&entry.outcome.verdict, entry.program) {
        (Verdict::Verified(certificate), Some(program)) if detail.explain => {
            out.extend(certified(entry, program, certificate));
        }
        (Verdict::Verified(_), _) => {}
        (Verdict::Violated(trace), Some(program)) => {
            let room = MOST_LINES - 1 - out.len();
            out.extend(violated(entry, program, trace, (!detail.full_trace).then_some(room)));
        }
        (Verdict::TooWeak(weakness), Some(program)) => {
            out.extend(too_weak(entry, program, weakness, detail));
        }
        _ => out.extend(entry.reason()),
    }
    if detail.explain {
        out.extend(entry.outcome.counters.added.iter().map(|p| format!("predicate added: {p}")));
        let effort = counters(&entry.outcome.counters);
        if !effort.is_empty() {
            out.push(format!("engine {}: {effort}", entry.outcome.engine));
        }
    }
    out
}

/// What `--explain` says first where it applies (DESIGN 6, decision 6).
const UNBOUNDED: &str =
    "signed arithmetic on unbounded values occurs: runs that overflow are outside the claim";

fn certified(entry: &Entry<'_>, program: &Program, certificate: &Certificate) -> Vec<String> {
    match certificate {
        Certificate::Invariants(loops) => {
            let mut out = Vec::new();
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
        Certificate::Parts(parts) => match parts.len() {
            1 => vec!["the program was decided without what does not matter to the question".to_owned()],
            n => vec![format!("the heap has {n} regions that never meet; each was decided by itself")],
        },
        Certificate::Text { lines, .. } => lines.clone(),
    }
}

/// `file:line` of a loop.
#[must_use]
pub(super) fn loop_place(entry: &Entry<'_>, program: &Program, id: LoopId) -> String {
    let span = program.loops.get(id.index()).map(|l| l.span).unwrap_or_default();
    entry.place(span).unwrap_or_else(|| format!("loop {}", id.0))
}

/// A failing run, in at most `room` lines if that is given.
fn violated(entry: &Entry<'_>, program: &Program, trace: &Trace, room: Option<usize>) -> Vec<String> {
    let mut canvas = Canvas::new(program);
    let mut out: Vec<String> = entry.reason().into_iter().collect();
    let entry_lines = state("at entry:", &mut canvas, &trace.initial, true, room.map(|_| MOST_STATE));
    if let Some(broken) = failing::broken(program, trace, &mut canvas) {
        out.push(format!("expected: {}", shortened(&broken.expected, room)));
        if !broken.found.is_empty() {
            out.push(format!("found: {}", broken.found.join(", ")));
        }
    }
    out.extend(entry_lines);
    let mut steps = canvas.steps(&trace.initial, &trace.steps, trace.omitted > 0);
    let mut omitted = trace.omitted;
    if room.is_some() {
        let matters = slice::relevant(program, trace);
        let before = steps.len();
        steps.retain(|s| s.last || matters[s.first..=s.step].contains(&true));
        omitted += (before - steps.len()) as u64;
    }
    canvas.hide(unused(program, trace));
    let end = trace.steps.last();
    let there = end.map(|l| state("there:", &mut canvas, &l.state, false, room.map(|_| MOST_STATE)));
    let there = there.unwrap_or_default();
    if let Some(room) = room {
        // One line says what is left out.
        let most = room.saturating_sub(out.len() + there.len() + 1).max(3);
        if steps.len() > most {
            let cut = steps.len() - most;
            omitted += cut as u64;
            steps.drain(..cut);
        }
    }
    if omitted > 0 {
        let how = if room.is_some() { " (--full-trace shows them)" } else { "" };
        let steps = if omitted == 1 { "step" } else { "steps" };
        out.push(format!(".. {omitted} {steps} left out{how}"));
    }
    for step in steps {
        let place = entry.place(step.span).unwrap_or_default();
        let line = entry.statement(step.span).unwrap_or_default();
        let mut changes = step.changes.join(", ");
        if step.last {
            if !changes.is_empty() {
                changes.push_str("; ");
            }
            changes.push_str("fails");
        }
        let changes = shortened(&changes, room);
        out.push(format!("{place}: {line}    [{changes}]").trim_start_matches(": ").to_owned());
    }
    out.extend(there);
    out
}

/// The text, cut if it is long and lines are few.
fn shortened(text: &str, room: Option<usize>) -> String {
    match room {
        Some(_) if text.chars().count() > 2 * WIDTH => {
            text.chars().take(2 * WIDTH).chain(" ..".chars()).collect()
        }
        _ => text.to_owned(),
    }
}

/// Variables that say nothing in the last state: locals that the run has not set, and of several copies of one
/// variable all but the one that was set last.
fn unused(program: &Program, trace: &Trace) -> Vec<bool> {
    let mut set: Vec<Option<usize>> = vec![None; program.vars.len()];
    for (i, step) in trace.steps.iter().enumerate() {
        // A failing command has done nothing.
        if i > 0 && i + 1 == trace.steps.len() && trace.steps[i - 1].state == step.state {
            break;
        }
        match &program.edges[step.edge.index()].command {
            Command::Assign(x, _)
            | Command::Load { to: x, .. }
            | Command::LoadElement { to: x, .. }
            | Command::Alloc { to: x, .. }
            | Command::Havoc(x)
            | Command::StoreElement { array: x, .. } => {
                let declared = program.vars[x.index()].span == program.edges[step.edge.index()].span
                    && matches!(program.edges[step.edge.index()].command, Command::Havoc(_));
                if !declared {
                    set[x.index()] = Some(i);
                }
            }
            // A command of a path only says that something was done.
            Command::Skip => {
                let before = i.checked_sub(1).map_or(&trace.initial, |last| &trace.steps[last].state);
                let pairs = before.vars.iter().zip(&step.state.vars).enumerate();
                for (x, _) in pairs.filter(|(_, (old, new))| old != new) {
                    set[x] = Some(i);
                }
            }
            _ => {}
        }
    }
    let local = |v: &Var| matches!(v.kind, VarKind::Local | VarKind::Result);
    let later = |i: usize| {
        let mut others = program.vars.iter().enumerate();
        others.any(|(k, other)| {
            k != i && set[k] > set[i] && names::of_variable(other) == names::of_variable(&program.vars[i])
        })
    };
    let vars = program.vars.iter().enumerate();
    vars.map(|(i, v)| {
        local(v)
            && names::fat(program, i).is_none()
            && !names::is_part(program, i)
            && (set[i].is_none() || later(i))
    })
    .collect()
}

fn too_weak(entry: &Entry<'_>, program: &Program, weakness: &Weakness, detail: Detail) -> Vec<String> {
    let mut out: Vec<String> = entry.reason().into_iter().collect();
    if let Some(hint) = &weakness.hint {
        out.push(hint.clone());
    }
    let room = (!detail.explain).then_some(MOST_LINES);
    let places = weakness.abstract_trace.iter().map(|step| location(entry, program, step.location));
    if detail.explain {
        for (step, place) in weakness.abstract_trace.iter().zip(places) {
            out.push(format!("at {place}: {}", step.text));
        }
    } else {
        out.extend(way(places.collect()));
    }
    if let Some(found) = &weakness.state {
        let mut canvas = Canvas::new(program);
        let most = room.map(|_| MOST_STATE);
        out.extend(state("a state that is not excluded:", &mut canvas, found, false, most));
    }
    out
}

/// The places of an abstract trace, which has states for those who know the engine.
fn way(mut places: Vec<String>) -> Option<String> {
    places.dedup();
    let rest = places.len().saturating_sub(MOST_STEPS);
    let shown = places.get(..places.len().min(MOST_STEPS)).filter(|p| !p.is_empty())?;
    let more = if rest > 0 { format!(", .. {rest} more") } else { String::new() };
    Some(format!("by way of {}{more} (--explain shows the states)", shown.join(", ")))
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

/// A state after a title, on one line if it fits, in at most so many.
fn state(
    title: &str,
    canvas: &mut Canvas<'_>,
    state: &State,
    at_entry: bool,
    most: Option<usize>,
) -> Vec<String> {
    let mut pieces = canvas.state(state, at_entry);
    let width: usize = pieces.iter().map(|p| p.chars().count() + 4).sum();
    if pieces.is_empty() {
        return vec![format!("{title} nothing")];
    }
    if width <= WIDTH {
        return vec![format!("{title} {}", pieces.join("    "))];
    }
    if let Some(most) = most.filter(|most| pieces.len() > *most) {
        // Short pieces share lines before any is left out.
        let mut packed: Vec<String> = Vec::new();
        for piece in pieces {
            match packed.last_mut() {
                Some(line) if line.chars().count() + piece.chars().count() + 4 <= WIDTH => {
                    line.push_str("    ");
                    line.push_str(&piece);
                }
                _ => packed.push(piece),
            }
        }
        pieces = packed;
        if pieces.len() > most {
            let cut = pieces.len() + 1 - most;
            pieces.truncate(most - 1);
            pieces.push(format!(".. {cut} more lines (--full-trace shows them)"));
        }
    }
    let pieces = pieces.into_iter().map(|p| format!("    {}", shortened(&p, most)));
    std::iter::once(title.to_owned()).chain(pieces).collect()
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
