//! `catena verify`: proves or refutes every function that has a contract, and `main`.
//!
//! Files are read one after the other, functions are decided on several threads, answers are printed in the
//! order of the text as soon as those before them are there. Ctrl-C stops the engines; what is known is
//! printed.

mod answers;
mod cached;
mod evidence;
mod inferred;
mod options;
mod pictures;
mod svcomp;
mod watch;

use super::screen::Progress;
use super::{BAD_INPUT, BAD_USAGE, INTERNAL, Terminals, inputs};
use crate::certify::{ProgramCertificate, print_certificates};
use crate::frontend::c::files::Provider;
use crate::frontend::c::{self, LoadedFunction, Unit};
use crate::frontend::diagnostic::{Diagnostic, Severity};
use crate::program::Program;
use crate::report;
use crate::session::{self, Answered, Audience, File, Job, Missing, Unread};
use crate::util::limits::CancelToken;
use crate::verdict::{Author, Verdict};
use answers::Answers;
pub(super) use cached::build;
use evidence::Evidence;
pub(super) use options::{Arguments, DATA_MODELS, Format, MALLOC};
#[cfg(feature = "lsp")]
pub(super) use options::{Checks, checks};
use pictures::Pictures;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use watch::Round;

/// Runs the command.
pub(super) fn run(
    options: &Arguments,
    terminals: Terminals,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    if options.watch {
        watch::run(options, terminals, out, err)
    } else {
        once(options, terminals, None, out, err)
    }
}

/// Verifies everything once.
fn once(
    options: &Arguments,
    terminals: Terminals,
    round: Option<&Round>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let mut settings = match options.settings() {
        Ok(settings) => settings,
        Err(error) => {
            writeln!(err, "catena verify: {error}; see `catena verify --help`")?;
            return Ok(BAD_USAGE);
        }
    };
    if let Some(round) = round {
        settings.reading.files = Provider::new(round.watched.files());
    }
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    let mut status = Status::default();
    let inputs = inputs::resolve(&options.files, options.compile_commands.as_deref(), &settings.reading);
    for note in inputs.notes.iter().filter(|_| !options.quiet) {
        writeln!(err, "{note}")?;
    }
    for error in &inputs.errors {
        writeln!(err, "{error}")?;
        status.rejected = true;
    }
    let mut texts = Vec::new();
    for input in inputs.files {
        if let Some(round) = round {
            round.watched.note(&input.path);
        }
        match std::fs::read(&input.path) {
            Ok(text) => texts.push(c::Input { name: input.name, text, options: input.reading }),
            Err(error) => {
                writeln!(err, "{}: {error}", input.name)?;
                status.rejected = true;
            }
        }
    }
    // Kept for functions that are named and have no contract.
    let named = if settings.functions.is_empty() { Vec::new() } else { texts.clone() };
    let start = Instant::now();
    for read in session::read_all(texts, inputs.together, &settings.limits) {
        match read {
            Ok(file) => files.push(file),
            Err((name, unread)) => unreadable.push((name, unread, start.elapsed())),
        }
    }
    if settings.reading.property.is_none() {
        inferred::supply(&mut files, &named, &settings, err)?;
    }
    let mut answers = Answers::new(options, terminals, out, err);
    let mut property = settings.reading.property.map(svcomp::Summary::new);
    for (name, unread, time) in &unreadable {
        status.open = true;
        status.internal |= matches!(unread, Unread::Fault(_));
        let reason = unread.to_string();
        if let Some(property) = &mut property {
            property.note_unknown(&reason);
        }
        answers.unread(name, &reason, *time)?;
    }
    for file in &files {
        let quiet = |s: Severity| options.quiet && s == Severity::Warning;
        let shown = file.unit.diagnostics.iter().filter(|d| !quiet(d.severity) && !is_held(&file.unit, d));
        let shown: Vec<Diagnostic> = shown.cloned().collect();
        status.rejected |= file.unit.has_errors();
        let name = file.names.first().map_or("", String::as_str);
        answers.diagnostics(name, &file.unit.sources, &shown)?;
    }
    let jobs = match session::list(&files, &settings) {
        Ok(jobs) => jobs,
        Err(missing) => {
            let what = match missing {
                Missing::Function(name) => format!("no function `{name}` with a contract"),
                Missing::Behavior(name) => format!("no function has a behavior `{name}`"),
            };
            writeln!(answers.err, "catena verify: {what}")?;
            return Ok(BAD_USAGE);
        }
    };
    if jobs.is_empty() && !status.rejected && unreadable.is_empty() {
        let nothing = "catena verify: nothing to verify: no function has a contract, and there is no `main`";
        writeln!(answers.err, "{nothing}{}", inferred::hint(&files))?;
        answers.err.write_all(NOTHING.as_bytes())?;
        status.open = true;
    }
    let mut out_file = match options.certificate.as_ref().map(std::fs::File::create).transpose() {
        Ok(file) => file,
        Err(error) => {
            let path = options.certificate.as_deref().map_or(String::new(), |p| p.display().to_string());
            writeln!(answers.err, "catena verify: {path}: {error}")?;
            return Ok(BAD_USAGE);
        }
    };
    let token = round.map_or_else(CancelToken::new, |round| round.token.clone());
    super::interrupt::on_ctrl_c(&token);
    settings.limits.cancel = Some(token);
    settings.cache = match round {
        Some(round) => Some(round.cache.clone()),
        None => cached::open(options, answers.err)?,
    };
    let before = settings.cache.as_ref().map_or((0, 0), |cache| cache.counts());
    let (files, jobs) = (Arc::new(files), Arc::new(jobs));
    let line: Arc<Mutex<String>> = Arc::default();
    let told = {
        let line = line.clone();
        move |function: &str, text: &str| {
            if let Ok(mut line) = line.lock() {
                *line = format!("{function}: {text}");
            }
        }
    };
    let mut printer = Printer {
        options,
        files: &files,
        n_jobs: jobs.len(),
        repeats: round.is_none_or(|round| round.number == 1) || options.format != Format::Text,
        answers,
        status,
        property,
        certificates: Vec::new(),
        pictures: Pictures::new(options),
        evidence: Evidence::default(),
        line,
        progress: Progress::new(terminals.err),
    };
    session::decide_all(&files, &jobs, &settings, Arc::new(told), &mut printer)?;
    let Printer { mut answers, status, property, certificates, evidence, pictures, .. } = printer;
    if let Some(cache) = &settings.cache {
        cached::tell(options, cache, before, answers.err)?;
    }
    pictures.write(&files, answers.err)?;
    evidence.write(options, answers.err)?;
    if let Some(file) = &mut out_file {
        let all: Vec<_> = certificates.iter().map(|(program, c)| (program, c)).collect();
        if let Err(error) = file.write_all(print_certificates(&all).as_bytes()) {
            let path = options.certificate.as_deref().map_or(String::new(), |p| p.display().to_string());
            writeln!(answers.err, "catena verify: {path}: {error}; the certificate is not complete")?;
        }
    }
    let svcomp = property.map(|p| p.verdict(status.rejected));
    answers.finish(svcomp.as_deref())?;
    Ok(status.code())
}

/// What is said where there is nothing to verify.
const NOTHING: &str = "\
A contract stands before its function. For a function that puts a cell before a list:

  /*@ requires \\list(next, l) && \\valid(e) && !(l -next*-> e);
      ensures  \\list(next, \\result); @*/
  struct node *push(struct node *l, struct node *e)

`requires \\valid(p);` says that p is a cell, `ensures` what holds at the end; docs/verify.md has the rest.
";

/// Prints answers as they come, and notes what has to be said at the end.
struct Printer<'a> {
    options: &'a Arguments,
    files: &'a [File],
    n_jobs: usize,
    /// Answers that are known and say `verified` are shown as well.
    repeats: bool,
    answers: Answers<'a>,
    status: Status,
    property: Option<svcomp::Summary>,
    certificates: Vec<(Program, ProgramCertificate)>,
    pictures: Pictures<'a>,
    evidence: Evidence,
    /// How far an engine is.
    line: Arc<Mutex<String>>,
    progress: Progress,
}

impl Audience for Printer<'_> {
    fn answer(&mut self, job: &Job, result: Answered) -> io::Result<()> {
        let options = self.options;
        self.progress.clear()?;
        self.status.note(&result);
        let file = &self.files[job.file];
        let entry = session::entry(file, job, &result);
        let is_news = !result.known || !matches!(result.outcome.verdict, Verdict::Verified(_));
        self.answers.answer(&entry, self.repeats || is_news)?;
        if let Some(property) = &mut self.property {
            property.note(&entry);
        }
        self.pictures.note(&entry, job.question.contract);
        let reading = &file.reading;
        self.evidence.note(options, reading.property, reading.lp64, &entry);
        let unit = &file.unit;
        if let (Err(found), Author::FrontEnd) = (&unit.functions[job.function].program, result.outcome.engine)
        {
            // What is not modelled is said once, at the first place where it stands.
            let mut held: Vec<Diagnostic> = Vec::new();
            for diagnostic in found.iter().filter(|d| is_held(unit, d)) {
                if held.iter().all(|d| d.message != diagnostic.message) {
                    held.push(diagnostic.clone());
                }
            }
            self.answers.diagnostics(entry.file, &unit.sources, &held)?;
        }
        let warning = session::vacuous(entry.program, job, &result);
        if let Some(warning) = warning.filter(|_| !options.quiet) {
            self.answers.diagnostics(entry.file, &unit.sources, &[warning])?;
        }
        if options.stats {
            let counters = report::text::counters(&result.outcome.counters);
            writeln!(self.answers.err, "{}:{}: {counters}", entry.file, entry.function)?;
        }
        match (&result.certificate, entry.program) {
            (Some(Ok(certificate)), Some(program)) => {
                self.certificates.push((program.clone(), certificate.clone()));
            }
            (Some(Err(why)), _) if !options.quiet && options.certificate.is_some() => {
                writeln!(self.answers.err, "{}:{}: no certificate: {why}", entry.file, entry.function)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn wait(&mut self, answers: usize) -> io::Result<()> {
        let (line, n) = (&self.line, self.n_jobs);
        self.progress.tell(|| format!("[{answers}/{n}] {}", line.lock().map_or(String::new(), |l| l.clone())))
    }
}

/// What only keeps `main` from being seen as cells is said when following its paths did not help either.
pub(super) fn is_held(unit: &Unit, diagnostic: &Diagnostic) -> bool {
    let about = |f: &LoadedFunction| f.program.as_ref().err().is_some_and(|found| found.contains(diagnostic));
    diagnostic.severity == Severity::Unsupported
        && unit.checked.is_some()
        && unit.functions.iter().filter(|f| about(f)).all(|f| f.name == "main")
        && unit.functions.iter().any(about)
}

/// What the exit status has to tell.
#[derive(Default)]
struct Status {
    internal: bool,
    rejected: bool,
    violated: bool,
    open: bool,
}

impl Status {
    fn note(&mut self, result: &Answered) {
        self.internal |= result.is_fault;
        match result.outcome.verdict {
            Verdict::Verified(_) => {}
            Verdict::Violated(_) => self.violated = true,
            Verdict::TooWeak(_) | Verdict::Unknown(_) => self.open = true,
        }
    }

    fn code(&self) -> u8 {
        match self {
            Status { internal: true, .. } => INTERNAL,
            Status { rejected: true, .. } => BAD_INPUT,
            Status { violated: true, .. } => 1,
            Status { open: true, .. } => 2,
            _ => 0,
        }
    }
}
