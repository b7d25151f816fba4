//! `--svcomp PROPERTY`: the properties of the competition on software verification, decided for `main`, and the
//! last line of the output that its scripts read (DESIGN 2 and 6, decision 11).
//!
//! `valid-memcleanup` asks that every cell is freed at the end. Our check word `leaks` spares what a global still
//! reaches, so the program is read with globals that lead nowhere at the end of `main`.

use crate::program::{Check, Command, Program};
use crate::report::Entry;
use crate::verdict::{Trace, Verdict};

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    /// No error function or `ERROR` label is reached.
    UnreachCall,
    /// No bad dereference, no bad `free`, no lost memory.
    Memsafety,
    /// Everything is freed at the end.
    Memcleanup,
}

impl Property {
    pub(super) fn named(word: &str) -> Option<Property> {
        match word {
            "unreach-call" => Some(Property::UnreachCall),
            "valid-memsafety" => Some(Property::Memsafety),
            "valid-memcleanup" => Some(Property::Memcleanup),
            _ => None,
        }
    }

    /// The check words that decide it.
    pub(super) fn checks(self) -> Vec<Check> {
        match self {
            Property::UnreachCall => vec![Check::Asserts],
            Property::Memsafety => vec![Check::Memsafety, Check::Leaks],
            Property::Memcleanup => vec![Check::Leaks],
        }
    }

    /// The sub-property that a run breaks.
    fn broken(self, program: &Program, trace: &Trace) -> &'static str {
        let freeing = |edge: crate::program::EdgeId| match &program.edges[edge.index()].command {
            Command::Free(_) => true,
            Command::Assert { what, .. } => what.starts_with("free of "),
            _ => false,
        };
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Memcleanup => "valid-memcleanup",
            Property::Memsafety if trace.failure.check == Check::Leaks => "valid-memtrack",
            Property::Memsafety if trace.steps.last().is_some_and(|s| freeing(s.edge)) => "valid-free",
            Property::Memsafety => "valid-deref",
        }
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
                format!("false({})", self.property.broken(program, trace))
            }
            (Verdict::Violated(_), None) => unknown("there is no program"),
            (Verdict::TooWeak(_) | Verdict::Unknown(_), _) => {
                unknown(&entry.reason().unwrap_or_else(|| "too weak".to_owned()))
            }
        };
        self.verdicts.push(word);
    }

    /// The line.
    pub(super) fn line(&self, rejected: bool) -> String {
        let verdict = match self.verdicts.as_slice() {
            _ if rejected => unknown("the input was rejected"),
            [one] => one.clone(),
            [] => unknown("there is no function main"),
            _ => unknown("there are several files with a function main"),
        };
        format!("VERDICT: {verdict}")
    }
}

/// On one line, without brackets that would end it early.
fn unknown(reason: &str) -> String {
    let plain: String = reason.chars().map(|c| if matches!(c, '(' | ')' | '\n') { ' ' } else { c }).collect();
    format!("unknown({})", plain.trim())
}
