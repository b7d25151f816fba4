//! A failing run state by state, for pictures: the entry, then the state after each statement that a reader wants to
//! see, and last the state in which it fails.

use super::draw::Canvas;
use super::findings::{Place, State};
use super::picture::scene::MOST_FRAMES;
use super::{Entry, translate};
use crate::program::{Command, Program, VarKind};
use crate::verdict::{Trace, Verdict};

/// One state of a run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The statement that led to it, or that fails in it; the function for the entry.
    pub place: Option<Place>,
    /// Its line of source text; nothing for the entry.
    pub source: String,
    /// What it changed.
    pub changes: Vec<String>,
    /// The state.
    pub state: State,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its states, at most [`MOST_FRAMES`].
    pub frames: Vec<Frame>,
    /// How many statements are left out after the entry.
    pub omitted: u64,
}

/// The run that an answer shows, if it is one that is violated.
#[must_use]
pub fn run(entry: &Entry<'_>) -> Option<Run> {
    match (&entry.outcome.verdict, entry.program) {
        (Verdict::Violated(trace), Some(program)) => Some(violated(entry, program, trace)),
        _ => None,
    }
}

fn violated(entry: &Entry<'_>, program: &Program, trace: &Trace) -> Run {
    let mut canvas = Canvas::new(program);
    let first = Frame {
        place: translate::place(entry.sources, entry.span),
        source: String::new(),
        changes: Vec::new(),
        state: canvas.snapshot(&trace.initial, true),
    };
    let mut frames = vec![first];
    let mut shown = canvas.steps(&trace.initial, &trace.steps, trace.omitted > 0);
    let mut omitted = trace.omitted;
    if shown.len() >= MOST_FRAMES {
        let cut = shown.len() + 1 - MOST_FRAMES;
        omitted += cut as u64;
        shown.drain(..cut);
    }
    let mut set = Set::new(program);
    let mut done = 0;
    for statement in shown {
        for step in &trace.steps[done..=statement.step] {
            set.note(program, &program.edges[step.edge.index()].command);
            set.compare(&trace.initial, &step.state);
        }
        done = statement.step + 1;
        let mut state = canvas.snapshot(&trace.steps[statement.step].state, false);
        state.variables.retain(|v| set.has(program, &v.name));
        frames.push(Frame {
            place: translate::place(entry.sources, statement.span),
            source: entry.line(statement.span).unwrap_or_default().to_owned(),
            changes: statement.changes,
            state,
        });
    }
    Run { frames, omitted }
}

/// The variables that have a value: locals and the result have none before they are assigned.
struct Set(Vec<bool>);

impl Set {
    fn new(program: &Program) -> Set {
        let begins = |kind| matches!(kind, VarKind::Param | VarKind::Global | VarKind::Logic);
        Set(program.vars.iter().map(|v| begins(v.kind)).collect())
    }

    fn note(&mut self, program: &Program, command: &Command) {
        match command {
            Command::Assign(x, _)
            | Command::Load { to: x, .. }
            | Command::LoadElement { to: x, .. }
            | Command::StoreElement { array: x, .. }
            | Command::Alloc { to: x, .. } => self.0[x.index()] = true,
            // An input; the function's variables come into being in its first step.
            Command::Havoc(x) if program.vars[x.index()].kind != VarKind::Result => self.0[x.index()] = true,
            _ => {}
        }
    }

    fn compare(&mut self, initial: &crate::program::State, now: &crate::program::State) {
        for (i, has) in self.0.iter_mut().enumerate() {
            *has |= initial.vars[i] != now.vars[i] || initial.arrays[i] != now.arrays[i];
        }
    }

    /// Whether a variable of this name has a value; a pointer to a scalar has parts with longer names, and
    /// so have copies of a variable.
    fn has(&self, program: &Program, name: &str) -> bool {
        let named = |var: &str| {
            var == name || var.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '#']))
        };
        program.vars.iter().zip(&self.0).any(|(var, has)| *has && named(&var.name))
    }
}
