//! `--svcomp PROPERTY`: the properties of the competition on software verification, decided for `main`, and the
//! last line of the output that its scripts read (DESIGN 2 and 6, decision 11).
//!
//! The reader of C knows the property: it decides what ends the program and what is held there
//! ([`Options::property`](crate::frontend::c::Options::property)).

use crate::program::{Check, Command, Program, Property};
use crate::report::Entry;
use crate::verdict::{Trace, Verdict};

/// The sub-property that a run breaks.
fn broken(property: Property, program: &Program, trace: &Trace) -> &'static str {
    let freeing = |edge: crate::program::EdgeId| match &program.edges[edge.index()].command {
        Command::Free(_) => true,
        Command::Assert { what, .. } => what.starts_with("free of "),
        _ => false,
    };
    match property {
        Property::UnreachCall => "unreach-call",
        Property::Memcleanup => "valid-memcleanup",
        Property::NoOverflow => "no-overflow",
        Property::Termination => "termination",
        Property::Memsafety if trace.failure.check == Check::Leaks => "valid-memtrack",
        Property::Memsafety if trace.steps.last().is_some_and(|s| freeing(s.edge)) => "valid-free",
        Property::Memsafety => "valid-deref",
    }
}

/// What the last line will say.
pub(super) struct Summary {
    property: Property,
    verdicts: Vec<String>,
}

impl Summary {
    pub(super) fn new(property: Property) -> Summary {
        Summary { property, verdicts: Vec::new() }
    }

    /// Takes note of the answer about a `main`.
    pub(super) fn note(&mut self, entry: &Entry<'_>) {
        let word = match (&entry.outcome.verdict, entry.program) {
            (Verdict::Verified(_), _) => "true".to_owned(),
            (Verdict::Violated(trace), Some(program)) => {
                format!("false({})", broken(self.property, program, trace))
            }
            (Verdict::Violated(_), None) => unknown("there is no program"),
            (Verdict::TooWeak(_) | Verdict::Unknown(_), _) => {
                unknown(&entry.reason().unwrap_or_else(|| "too weak".to_owned()))
            }
        };
        self.verdicts.push(word);
    }

    /// Takes note that nothing is known of a file.
    pub(super) fn note_unknown(&mut self, reason: &str) {
        self.verdicts.push(unknown(reason));
    }

    /// The verdict: what the last line of the text says.
    pub(super) fn verdict(&self, rejected: bool) -> String {
        match self.verdicts.as_slice() {
            _ if rejected => unknown("the input was rejected"),
            [one] => one.clone(),
            [] => unknown("there is no function main"),
            _ => unknown("there are several files with a function main"),
        }
    }
}

/// On one line, without brackets that would end it early.
fn unknown(reason: &str) -> String {
    let plain: String = reason.chars().map(|c| if matches!(c, '(' | ')' | '\n') { ' ' } else { c }).collect();
    format!("unknown({})", plain.trim())
}
