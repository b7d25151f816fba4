//! Answers in the format that was asked for: as text while they come, as one document at the end.

use super::options::{Arguments, Format};
use crate::cli::Terminals;
use crate::cli::screen::painted;
use crate::frontend::diagnostic::{Diagnostic, Sources};
use crate::report::item::{Item, Items};
use crate::report::{self, Entry, github, junit, plain, sarif, translate};
use serde_json::Value;
use std::io::{self, Write};
use std::time::{Duration, Instant};

pub(super) struct Answers<'a> {
    options: &'a Arguments,
    pub(super) out: &'a mut dyn Write,
    pub(super) err: &'a mut dyn Write,
    colour: bool,
    json: Vec<Value>,
    items: Items,
    tally: Tally,
}

/// What the last line of the text counts.
struct Tally {
    since: Instant,
    functions: usize,
    last: Option<(String, String)>,
    verified: usize,
    violated: usize,
    undecided: usize,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        options: &'a Arguments,
        terminals: Terminals,
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
    ) -> Answers<'a> {
        let tally =
            Tally { since: Instant::now(), functions: 0, last: None, verified: 0, violated: 0, undecided: 0 };
        let colour = options.color.is_on(terminals.out);
        Answers { options, out, err, colour, json: Vec::new(), items: Items::default(), tally }
    }

    /// A file that was not read to its end.
    pub(super) fn unread(&mut self, name: &str, reason: &str, time: Duration) -> io::Result<()> {
        match self.options.format {
            Format::Text => {
                let text =
                    format!("{name}: unknown (front end, {})\n    {reason}\n", report::text::time(time));
                self.text(&text, "unknown")
            }
            Format::Json => {
                self.json.push(report::json::unread(name, reason, time));
                Ok(())
            }
            Format::Github => {
                self.out.write_all(github::answer(&Item::unread(name, reason, time)).as_bytes())
            }
            Format::Sarif | Format::Junit => {
                self.items.answers.push(Item::unread(name, reason, time));
                Ok(())
            }
        }
    }

    /// Messages about a text.
    pub(super) fn diagnostics(
        &mut self,
        file: &str,
        sources: &Sources,
        found: &[Diagnostic],
    ) -> io::Result<()> {
        match self.options.format {
            Format::Text => self.err.write_all(report::diagnostic::text(found, sources, false).as_bytes())?,
            Format::Json => {
                self.json.extend(found.iter().map(|d| report::json::diagnostic(file, sources, d)));
            }
            Format::Github => {
                for diagnostic in found {
                    let text = github::diagnostic(&translate::diagnostic(sources, diagnostic));
                    self.out.write_all(text.as_bytes())?;
                }
            }
            Format::Sarif | Format::Junit => {
                self.items.diagnostics.extend(found.iter().map(|d| translate::diagnostic(sources, d)));
            }
        }
        Ok(())
    }

    /// An answer about a function, which is counted; it may be left out.
    pub(super) fn answer(&mut self, entry: &Entry<'_>, is_shown: bool) -> io::Result<()> {
        let word = entry.outcome.verdict.word();
        self.tally.note(entry, word);
        if !is_shown {
            return Ok(());
        }
        match self.options.format {
            Format::Text if self.options.quiet => {
                self.text(&format!("{}\n", report::text::headline(entry)), word)?;
            }
            Format::Text => self.text(&report::text::answer(entry, self.options.detail()), word)?,
            Format::Json => self.json.push(report::json::answer(entry)),
            Format::Github => self.out.write_all(github::answer(&Item::of(entry)).as_bytes())?,
            Format::Sarif | Format::Junit => self.items.answers.push(Item::of(entry)),
        }
        self.out.flush()
    }

    fn text(&mut self, text: &str, word: &str) -> io::Result<()> {
        let text = plain::lines(text);
        let text = if self.colour { painted(&text, word).into() } else { text };
        self.out.write_all(text.as_bytes())
    }

    /// What comes last: the document, or how many functions there were; the verdict about a property.
    pub(super) fn finish(&mut self, svcomp: Option<&str>) -> io::Result<()> {
        match self.options.format {
            Format::Text => {
                if !self.options.quiet && svcomp.is_none() && self.tally.functions > 1 {
                    writeln!(self.err, "{}", self.tally.line())?;
                }
                svcomp.map_or(Ok(()), |verdict| writeln!(self.out, "VERDICT: {}", plain::lines(verdict)))?;
            }
            Format::Json => {
                if let Some(verdict) = svcomp {
                    report::json::add_svcomp(&mut self.json, verdict);
                }
                let json = Value::Array(std::mem::take(&mut self.json));
                self.out.write_all(report::json::printed(&json).as_bytes())?;
            }
            Format::Sarif => {
                let text = report::json::printed(&sarif::document(&self.items));
                self.out.write_all(text.as_bytes())?;
            }
            Format::Junit => self.out.write_all(junit::document(&self.items).as_bytes())?,
            Format::Github => {}
        }
        self.out.flush()
    }
}

impl Tally {
    fn note(&mut self, entry: &Entry<'_>, word: &str) {
        let function = (entry.file.to_owned(), entry.function.to_owned());
        // Behaviours of one function follow each other.
        if self.last.as_ref() != Some(&function) {
            self.functions += 1;
            self.last = Some(function);
        }
        match word {
            "verified" => self.verified += 1,
            "violated" => self.violated += 1,
            _ => self.undecided += 1,
        }
    }

    /// `3 functions: 2 verified, 1 violated (12 ms)`
    fn line(&self) -> String {
        let mut parts = Vec::new();
        let counts =
            [(self.verified, "verified"), (self.violated, "violated"), (self.undecided, "undecided")];
        for (n, word) in counts.into_iter().filter(|(n, _)| *n > 0) {
            parts.push(format!("{n} {word}"));
        }
        let answers = self.verified + self.violated + self.undecided;
        let behaviors = match answers > self.functions {
            true => format!(", {answers} behaviors"),
            false => String::new(),
        };
        let time = report::text::time(self.since.elapsed());
        format!("{} functions{behaviors}: {} ({time})", self.functions, parts.join(", "))
    }
}
