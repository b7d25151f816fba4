//! Files beside the answers: a witness for other tools, a C program that makes a failing run again.
//!
//! A file that cannot be written is a complaint; verdicts and status stay as they are.

use super::options::Arguments;
use crate::program::Property;
use crate::report::witness::Task;
use crate::report::{Entry, replay, witness};
use crate::verdict::Verdict;
use std::io::{self, Write};
use std::path::Path;

/// What is to be written at the end.
#[derive(Default)]
pub(super) struct Evidence {
    /// Of `main`, or of the first function about which something is decided.
    witness: Option<(bool, String)>,
    /// Of the first function that is violated and of which there is one.
    replay: Option<String>,
    /// Why there is none.
    no_replay: Option<String>,
}

impl Evidence {
    /// Takes note of an answer.
    pub(super) fn note(
        &mut self,
        options: &Arguments,
        property: Option<Property>,
        lp64: bool,
        entry: &Entry<'_>,
    ) {
        let is_main = entry.function == "main";
        if options.witness.is_some() && self.witness.as_ref().is_none_or(|(main, _)| is_main && !main) {
            let text = std::fs::read(entry.file).unwrap_or_default();
            let task = Task { file: entry.file, text: &text, property, lp64 };
            if let Some(text) = witness::document(entry, &task) {
                self.witness = Some((is_main, text));
            }
        }
        let violated = matches!(entry.outcome.verdict, Verdict::Violated(_));
        if options.replay.is_some() && violated && self.replay.is_none() {
            let path = std::fs::canonicalize(entry.file).unwrap_or_else(|_| Path::new(entry.file).to_owned());
            match replay::harness(entry, &path.to_string_lossy()) {
                Ok(text) => self.replay = Some(text),
                Err(why) => self.no_replay = Some(format!("{}: {why}", entry.function)),
            }
        }
    }

    /// Writes the files.
    pub(super) fn write(self, options: &Arguments, err: &mut dyn Write) -> io::Result<()> {
        let witness = self.witness.map(|(_, text)| text);
        let nothing = "nothing is decided".to_owned();
        write_to(options.witness.as_deref(), witness, nothing, "witness", err)?;
        let why = self.no_replay.unwrap_or_else(|| "nothing is violated".to_owned());
        write_to(options.replay.as_deref(), self.replay, why, "replay", err)
    }
}

fn write_to(
    path: Option<&Path>,
    text: Option<String>,
    why: String,
    what: &str,
    err: &mut dyn Write,
) -> io::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let Some(text) = text else { return writeln!(err, "catena verify: no {what}: {why}") };
    match std::fs::write(path, text) {
        Ok(()) => Ok(()),
        Err(error) => writeln!(err, "catena verify: {}: {error}; the {what} is not written", path.display()),
    }
}
