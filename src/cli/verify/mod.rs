//! `catena verify`: proves or refutes every function that has a contract, and `main`.
//!
//! Files are read one after the other, functions are decided on several threads, answers are printed in the
//! order of the text as soon as those before them are there. Ctrl-C stops the engines; what is known is
//! printed.

mod options;
mod svcomp;

use super::{BAD_INPUT, BAD_USAGE, INTERNAL, inputs};
use crate::certify::{ProgramCertificate, print_certificates};
use crate::frontend::c::{self, LoadedFunction, Unit};
use crate::frontend::diagnostic::{Diagnostic, Severity};
use crate::program::Program;
use crate::report;
use crate::session::{self, Answered, Audience, File, Job, Missing, Unread};
use crate::util::limits::CancelToken;
use crate::verdict::{Author, Verdict};
use options::{Format, Options};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often the status line is written.
const STATUS: Duration = Duration::from_millis(100);

/// Runs the command with the arguments that follow `catena verify`.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let mut options = match options::parse(args) {
        Ok(options) => options,
        Err(error) => {
            writeln!(err, "catena verify: {error}; see `catena verify --help`")?;
            return Ok(BAD_USAGE);
        }
    };
    if options.help {
        out.write_all(options::help().as_bytes())?;
        return Ok(0);
    }
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    let mut status = Status::default();
    let inputs = inputs::resolve(&options.files, options.database.as_deref(), &options.settings.reading);
    for note in inputs.notes.iter().filter(|_| !options.quiet) {
        writeln!(err, "{note}")?;
    }
    for error in &inputs.errors {
        writeln!(err, "{error}")?;
        status.rejected = true;
    }
    let mut texts = Vec::new();
    for input in inputs.files {
        match std::fs::read(&input.path) {
            Ok(text) => texts.push(c::Input { name: input.name, text, options: input.reading }),
            Err(error) => {
                writeln!(err, "{}: {error}", input.name)?;
                status.rejected = true;
            }
        }
    }
    let start = Instant::now();
    for read in session::read_all(texts, inputs.together, &options.settings.limits) {
        match read {
            Ok(file) => files.push(file),
            Err((name, unread)) => unreadable.push((name, unread, start.elapsed())),
        }
    }
    let mut json = Vec::new();
    let mut property = options.settings.reading.property.map(svcomp::Summary::new);
    for (name, unread, time) in &unreadable {
        status.open = true;
        status.internal |= matches!(unread, Unread::Fault(_));
        let reason = unread.to_string();
        if let Some(property) = &mut property {
            property.note_unknown(&reason);
        }
        match options.format {
            Format::Text => {
                let time = report::text::time(*time);
                writeln!(out, "{name}: unknown (front end, {time})\n    {reason}")?;
            }
            Format::Json => json.push(report::json::unread(name, &reason, *time)),
        }
    }
    for file in &files {
        let quiet = |s: Severity| options.quiet && s == Severity::Warning;
        let shown = file.unit.diagnostics.iter().filter(|d| !quiet(d.severity) && !is_held(&file.unit, d));
        let shown: Vec<Diagnostic> = shown.cloned().collect();
        status.rejected |= file.unit.has_errors();
        match options.format {
            Format::Text => {
                err.write_all(report::diagnostic::text(&shown, &file.unit.sources, false).as_bytes())?;
            }
            Format::Json => {
                let sources = &file.unit.sources;
                let name = file.names.first().map_or("", String::as_str);
                json.extend(shown.iter().map(|d| report::json::diagnostic(name, sources, d)));
            }
        }
    }
    let jobs = match session::list(&files, &options.settings) {
        Ok(jobs) => jobs,
        Err(missing) => {
            let what = match missing {
                Missing::Function(name) => format!("no function `{name}` with a contract"),
                Missing::Behavior(name) => format!("no function has a behavior `{name}`"),
            };
            writeln!(err, "catena verify: {what}")?;
            return Ok(BAD_USAGE);
        }
    };
    if jobs.is_empty() && !status.rejected && unreadable.is_empty() {
        writeln!(
            err,
            "catena verify: nothing to verify: no function has a contract, and there is no `main`"
        )?;
        status.open = true;
    }
    let mut out_file = match options.certificate.as_ref().map(std::fs::File::create).transpose() {
        Ok(file) => file,
        Err(error) => {
            let path = options.certificate.as_deref().map_or(String::new(), |p| p.display().to_string());
            writeln!(err, "catena verify: {path}: {error}")?;
            return Ok(BAD_USAGE);
        }
    };
    let token = CancelToken::new();
    super::interrupt::on_ctrl_c(&token);
    options.settings.limits.cancel = Some(token);
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
        options: &options,
        files: &files,
        n_jobs: jobs.len(),
        out,
        err,
        status,
        json,
        property,
        certificates: Vec::new(),
        line,
        is_terminal: io::stderr().is_terminal(),
        shown: Instant::now(),
    };
    session::decide_all(&files, &jobs, &options.settings, Arc::new(told), &mut printer)?;
    let Printer { out, status, mut json, property, certificates, .. } = printer;
    if let Some(file) = &mut out_file {
        let all: Vec<_> = certificates.iter().map(|(program, c)| (program, c)).collect();
        file.write_all(print_certificates(&all).as_bytes())?;
    }
    let svcomp = property.map(|p| p.verdict(status.rejected));
    if options.format == Format::Json {
        if let Some(verdict) = &svcomp {
            report::json::add_svcomp(&mut json, verdict);
        }
        let text = serde_json::to_string_pretty(&json).map_err(io::Error::other)?;
        writeln!(out, "{text}")?;
    }
    if let (Some(verdict), Format::Text) = (&svcomp, options.format) {
        writeln!(out, "VERDICT: {verdict}")?;
    }
    Ok(status.code())
}

/// Prints answers as they come, and notes what has to be said at the end.
struct Printer<'a> {
    options: &'a Options,
    files: &'a [File],
    n_jobs: usize,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    status: Status,
    json: Vec<Value>,
    property: Option<svcomp::Summary>,
    certificates: Vec<(Program, ProgramCertificate)>,
    /// How far an engine is.
    line: Arc<Mutex<String>>,
    is_terminal: bool,
    /// When the status line was written last.
    shown: Instant,
}

impl Audience for Printer<'_> {
    fn answer(&mut self, job: &Job, result: Answered) -> io::Result<()> {
        let options = self.options;
        if self.is_terminal {
            write!(self.err, "\r\x1b[K")?;
        }
        self.status.note(&result);
        let file = &self.files[job.file];
        let entry = session::entry(file, job, &result);
        match options.format {
            Format::Text if options.quiet => writeln!(self.out, "{}", report::text::headline(&entry))?,
            Format::Text => self.out.write_all(report::text::answer(&entry).as_bytes())?,
            Format::Json => self.json.push(report::json::answer(&entry)),
        }
        if let Some(property) = &mut self.property {
            property.note(&entry);
        }
        self.out.flush()?;
        let unit = &file.unit;
        if let (Err(found), Author::FrontEnd) = (&unit.functions[job.function].program, result.outcome.engine)
        {
            let held: Vec<Diagnostic> = found.iter().filter(|d| is_held(unit, d)).cloned().collect();
            match options.format {
                Format::Text => {
                    let text = report::diagnostic::text(&held, &unit.sources, false);
                    self.err.write_all(text.as_bytes())?;
                }
                Format::Json => {
                    let held = held.iter().map(|d| report::json::diagnostic(entry.file, &unit.sources, d));
                    self.json.extend(held);
                }
            }
        }
        let warning = session::vacuous(entry.program, job, &result.outcome.verdict);
        if let Some(warning) = warning.filter(|_| !options.quiet) {
            let sources = &file.unit.sources;
            match options.format {
                Format::Text => {
                    let text = report::diagnostic::text(&[warning], sources, false);
                    self.err.write_all(text.as_bytes())?;
                }
                Format::Json => self.json.push(report::json::diagnostic(entry.file, sources, &warning)),
            }
        }
        if options.stats {
            let counters = report::text::counters(&result.outcome.counters);
            writeln!(self.err, "{}:{}: {counters}", entry.file, entry.function)?;
        }
        match (&result.certificate, entry.program) {
            (Some(Ok(certificate)), Some(program)) => {
                self.certificates.push((program.clone(), certificate.clone()));
            }
            (Some(Err(why)), _) if !options.quiet => {
                writeln!(self.err, "{}:{}: no certificate: {why}", entry.file, entry.function)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn wait(&mut self, answers: usize) -> io::Result<()> {
        if self.is_terminal
            && self.shown.elapsed() >= STATUS
            && let Ok(text) = self.line.lock()
        {
            self.shown = Instant::now();
            write!(self.err, "\r\x1b[K[{answers}/{}] {text}", self.n_jobs)?;
            self.err.flush()?;
        }
        Ok(())
    }
}

/// What only keeps `main` from being seen as cells is said when following its paths did not help either.
fn is_held(unit: &Unit, diagnostic: &Diagnostic) -> bool {
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
