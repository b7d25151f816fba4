//! Verification and inference of one document, each in a thread of its own that its token stops.

use super::show::{Page, Shown};
use super::text::Text;
use super::wire::Incoming;
use crate::cli::inputs;
use crate::cli::verify::is_held;
use crate::frontend::c;
use crate::frontend::c::files::{Disk, Files, Provider, normal};
use crate::frontend::diagnostic::{Diagnostic, Severity};
use crate::infer::{self, Found, infer};
use crate::session::{self, Answered, Audience, File, Job, Settings};
use crate::util::limits::CancelToken;
use crate::verdict::Author;
use lsp_server::RequestId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// How often answers are shown before all are there.
const EVERY: Duration = Duration::from_millis(400);
/// Stack of a thread: formulas are printed recursively.
const STACK: usize = 256 << 20;

/// What the server waits for.
#[derive(Debug)]
pub(super) enum Event {
    Incoming(Incoming),
    /// What a document shows.
    Shown {
        uri: String,
        round: u64,
        shown: Shown,
        done: bool,
    },
    /// The edit that writes a contract, or why there is none.
    Inferred {
        id: RequestId,
        uri: String,
        of: u64,
        found: Result<Value, String>,
    },
}

/// A document and how it is read.
#[derive(Clone)]
pub(super) struct Work {
    pub uri: String,
    pub path: String,
    pub text: Text,
    /// The number of the text.
    pub of: u64,
    /// The number of the work.
    pub round: u64,
    /// With the token of this work.
    pub settings: Settings,
    /// The documents that are open, by path.
    pub open: Arc<BTreeMap<String, Vec<u8>>>,
    pub database: Option<PathBuf>,
    pub related: bool,
}

/// Open documents come before files.
struct Overlay(Arc<BTreeMap<String, Vec<u8>>>);

impl Files for Overlay {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        match self.0.get(&normal(path)) {
            Some(text) => Ok(Some(text.clone())),
            None => Disk.read(path),
        }
    }

    fn identity(&self, path: &str) -> String {
        Disk.identity(path)
    }
}

impl Work {
    fn input(&self) -> c::Input {
        let found =
            inputs::resolve(&[self.path.clone().into()], self.database.as_deref(), &self.settings.reading);
        let reading = found.files.into_iter().next().map(|file| file.reading);
        let mut options = reading.unwrap_or_else(|| self.settings.reading.clone());
        options.files = Provider::new(Overlay(self.open.clone()));
        c::Input { name: self.path.clone(), text: self.text.as_str().as_bytes().to_vec(), options }
    }

    fn is_cancelled(&self) -> bool {
        self.settings.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Answers that were known and answers that were found, in all documents so far.
    fn counts(&self) -> (u64, u64) {
        self.settings.cache.as_ref().map_or((0, 0), |cache| cache.counts())
    }

    fn page<'a>(&'a self, unit: &'a c::Unit) -> Page<'a> {
        Page { name: &self.path, uri: &self.uri, text: &self.text, unit, related: self.related }
    }

    /// Verifies the document; events tell what it shows.
    pub(super) fn verify(self, events: Sender<Event>) -> io::Result<()> {
        std::thread::Builder::new().name("verify".to_owned()).stack_size(STACK).spawn(move || {
            let told = |shown: Shown, done: bool| {
                let (uri, round) = (self.uri.clone(), self.round);
                // Who has ended waits for nothing.
                let _ = events.send(Event::Shown { uri, round, shown, done });
            };
            let shown = catch_unwind(AssertUnwindSafe(|| self.shown(&|shown| told(shown, false))));
            told(shown.unwrap_or_else(|_| remark(&self.text, FAULT)), true);
        })?;
        Ok(())
    }

    fn shown(&self, told: &dyn Fn(Shown)) -> Shown {
        let read = session::read(vec![self.input()], vec![self.path.clone()], &self.settings.limits);
        let file = match read {
            Ok(file) => file,
            Err(unread) => return remark(&self.text, &unread.to_string()),
        };
        let files = Arc::new(vec![file]);
        let unit = &files[0].unit;
        let page = self.page(unit);
        let mut shown = Shown::default();
        let said = unit.diagnostics.iter().filter(|d| !is_held(unit, d));
        shown.diagnostics.extend(said.map(|d| page.message(d)));
        page.contracts(&mut shown);
        if unit.has_errors() {
            return shown;
        }
        let jobs = Arc::new(session::list(&files, &self.settings).unwrap_or_default());
        let mut reporter =
            Reporter { work: self, files: &files, page, shown, told, since: Instant::now(), news: false };
        let told = Arc::new(|_: &str, _: &str| {});
        // Where the work was cancelled, nobody looks at what is shown.
        let before = self.counts();
        let _ = session::decide_all(&files, &jobs, &self.settings, told, &mut reporter);
        let after = self.counts();
        Shown { counts: (after.0 - before.0, after.1 - before.1), ..reporter.shown }
    }

    /// Looks for a contract of a function; an event tells what was found.
    pub(super) fn infer(self, function: String, id: RequestId, events: Sender<Event>) -> io::Result<()> {
        std::thread::Builder::new().name("infer".to_owned()).stack_size(STACK).spawn(move || {
            let found = catch_unwind(AssertUnwindSafe(|| self.contract(&function)));
            let found = found.unwrap_or_else(|_| Err(FAULT.to_owned()));
            let (uri, of) = (self.uri.clone(), self.of);
            let _ = events.send(Event::Inferred { id, uri, of, found });
        })?;
        Ok(())
    }

    /// The edit that writes the contract before its function.
    fn contract(&self, function: &str) -> Result<Value, String> {
        let input = self.input();
        let read = session::read(vec![input.clone()], vec![self.path.clone()], &self.settings.limits);
        let file = read.map_err(|unread| unread.to_string())?;
        if let Some(error) = file.unit.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            return Err(error.message.clone());
        }
        let asked = infer::Settings {
            functions: vec![function.to_owned()],
            limits: self.settings.limits.clone(),
            seed: self.settings.seed,
        };
        let inference = infer(vec![input], file.unit.outline.clone(), &asked, &|_| {});
        let inference = inference.map_err(|error| error.to_string())?;
        let answer = inference.functions.iter().find(|f| f.function == function);
        match answer.map(|answer| &answer.found) {
            Some(Found::Contract(_)) => {}
            Some(Found::Never { always: true, .. }) => {
                return Err(format!("`{function}` fails whenever it is called"));
            }
            Some(Found::Never { .. }) => {
                return Err(format!(
                    "no contract that callers are usually asked for keeps `{function}` from failing"
                ));
            }
            Some(Found::Open { reason, .. }) => {
                return Err(format!("no contract of `{function}` is proved: {reason}"));
            }
            Some(Found::Unmodelled { why, .. }) => {
                return Err(format!("there is no contract of `{function}`: {why}"));
            }
            None if self.is_cancelled() => return Err("cancelled".to_owned()),
            None => return Err(format!("there is no function `{function}` without a contract")),
        }
        let texts = inference.texts();
        let (_, before, after) =
            texts.iter().find(|(name, ..)| *name == self.path).ok_or("there is nothing to write")?;
        Ok(self.insertion(before, after))
    }

    /// The edit that makes one text of another.
    fn insertion(&self, before: &str, after: &str) -> Value {
        let same = before.char_indices().zip(after.chars()).find(|((_, a), b)| a != b);
        let start = same.map_or(before.len().min(after.len()), |((at, _), _)| at);
        let tail = before[start..].chars().rev().zip(after[start..].chars().rev());
        let tail: usize = tail.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let (end, new) = (before.len() - tail, &after[start..after.len() - tail]);
        json!({ "range": self.text.range(start, end), "newText": new })
    }
}

const FAULT: &str = "internal error: the work ended with a fault";

/// A message about the whole document.
fn remark(text: &Text, message: &str) -> Shown {
    let at = text.rest_of_line(0);
    let remark = json!({ "range": at, "severity": 3, "source": "catena", "message": message });
    Shown { diagnostics: vec![remark], ..Shown::default() }
}

/// Collects what is to be seen while answers come.
struct Reporter<'a> {
    work: &'a Work,
    files: &'a [File],
    page: Page<'a>,
    shown: Shown,
    told: &'a dyn Fn(Shown),
    since: Instant,
    news: bool,
}

impl Audience for Reporter<'_> {
    fn answer(&mut self, job: &Job, result: Answered) -> io::Result<()> {
        self.stop_if_cancelled()?;
        let file = &self.files[job.file];
        let entry = session::entry(file, job, &result);
        self.page.answer(&entry, &mut self.shown);
        if let (Err(found), Author::FrontEnd) =
            (&file.unit.functions[job.function].program, result.outcome.engine)
        {
            let held: Vec<&Diagnostic> = found.iter().filter(|d| is_held(&file.unit, d)).collect();
            self.shown.diagnostics.extend(held.into_iter().map(|d| self.page.message(d)));
        }
        let warning = session::vacuous(entry.program, job, &result);
        self.shown.diagnostics.extend(warning.map(|warning| self.page.message(&warning)));
        self.news = true;
        Ok(())
    }

    fn wait(&mut self, _: usize) -> io::Result<()> {
        self.stop_if_cancelled()?;
        if self.news && self.since.elapsed() >= EVERY {
            (self.since, self.news) = (Instant::now(), false);
            (self.told)(self.shown.clone());
        }
        Ok(())
    }
}

impl Reporter<'_> {
    /// Nobody waits for the engines of what has changed.
    fn stop_if_cancelled(&self) -> io::Result<()> {
        if self.work.is_cancelled() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::lsp::text::Position;

    #[test]
    fn an_edit_is_an_insertion() {
        let work = Work {
            uri: String::new(),
            path: String::new(),
            text: Text::new("a\nint f;\n"),
            of: 0,
            round: 0,
            settings: Settings::default(),
            open: Arc::default(),
            database: None,
            related: true,
        };
        let edit = work.insertion("a\nint f;\n", "a\n/*@ x; @*/\nint f;\n");
        assert_eq!(edit["newText"], "/*@ x; @*/\n");
        let at = Position { line: 1, character: 0 }.value();
        assert_eq!(edit["range"], json!({ "start": at, "end": at }));
    }
}
