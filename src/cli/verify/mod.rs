//! `catena verify`: proves or refutes every function that has a contract, and `main`.
//!
//! Files are read one after the other, functions are decided on several threads, answers are printed in the
//! order of the text as soon as those before them are there. Ctrl-C stops the engines; what is known is
//! printed.

mod certificate;
mod options;
mod reading;
mod svcomp;
mod watch;
mod work;

use super::{BAD_INPUT, BAD_USAGE, INTERNAL, inputs};
use crate::analysis::vc::vacuous::is_vacuous;
use crate::certify::{ProgramCertificate, print_certificates};
use crate::frontend::c::{self, LoadedFunction, Unit};
use crate::frontend::diagnostic::{Diagnostic, Severity};
use crate::program::{Program, Question};
use crate::report::{self, Entry};
use crate::util::limits::CancelToken;
use crate::verdict::{Counters, Outcome, Reason, Verdict};
use options::{Format, Options};
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// A file, or several that are linked, after reading.
struct File {
    /// The name of the first.
    name: String,
    /// Those whose functions are asked about here.
    names: Vec<String>,
    /// The data model, which a compilation database may tell.
    lp64: bool,
    unit: Unit,
    /// The same functions with calls of functions with contracts inlined; empty if there are none.
    inlined: Vec<Option<Program>>,
}

/// One question about one function of one file.
struct Job {
    file: usize,
    function: usize,
    question: Question,
    behavior: Option<String>,
}

/// What became of a job.
struct Answered {
    outcome: Outcome,
    about_inlined: bool,
    /// The program that its run is shown in, if it is another one.
    view: Option<Box<Program>>,
    time: Duration,
    panicked: bool,
    /// Its certificate, if one is wanted and there is something to show, or why there is none.
    certificate: Option<Result<ProgramCertificate, String>>,
}

/// Runs the command with the arguments that follow `catena verify`.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let options = match options::parse(args) {
        Ok(options) => Arc::new(options),
        Err(error) => {
            writeln!(err, "catena verify: {error}; see `catena verify --help`")?;
            return Ok(BAD_USAGE);
        }
    };
    if options.help {
        out.write_all(options::HELP.as_bytes())?;
        return Ok(0);
    }
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    let mut status = Status::default();
    let inputs = inputs::resolve(&options.files, options.database.as_deref(), &options.reading);
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
    for read in reading::within(texts, inputs.together, &options) {
        match read {
            Ok(file) => files.push(file),
            Err((name, unread)) => unreadable.push((name, unread)),
        }
    }
    let mut json = Vec::new();
    let mut property = options.svcomp.map(svcomp::Summary::new);
    for (name, unread) in &unreadable {
        status.open = true;
        if let Some(property) = &mut property {
            property.note_unknown(&unread.reason);
        }
        match options.format {
            Format::Text => {
                let time = report::text::time(unread.time);
                writeln!(out, "{name}: unknown (front end, {time})\n    {}", unread.reason)?;
            }
            Format::Json => json.push(report::json::unread(name, &unread.reason, unread.time)),
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
                json.extend(shown.iter().map(|d| report::json::diagnostic(&file.name, sources, d)));
            }
        }
    }
    let jobs = match list(&files, &options) {
        Ok(jobs) => jobs,
        Err(message) => {
            writeln!(err, "catena verify: {message}")?;
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
    let mut certificates = Vec::new();
    let token = CancelToken::new();
    super::interrupt::on_ctrl_c(&token);
    let (files, jobs) = (Arc::new(files), Arc::new(jobs));
    let results = work::all(&files, &jobs, &options, &token, err, &mut |job, result, err| {
        status.note(result);
        let entry = entry(&files[job.file], job, result);
        match options.format {
            Format::Text if options.quiet => writeln!(out, "{}", report::text::headline(&entry))?,
            Format::Text => out.write_all(report::text::answer(&entry).as_bytes())?,
            Format::Json => json.push(report::json::answer(&entry)),
        }
        if let Some(property) = &mut property {
            property.note(&entry);
        }
        out.flush()?;
        let unit = &files[job.file].unit;
        if let (Err(found), true) =
            (&unit.functions[job.function].program, result.outcome.engine == FRONT_END)
        {
            let held: Vec<Diagnostic> = found.iter().filter(|d| is_held(unit, d)).cloned().collect();
            match options.format {
                Format::Text => {
                    err.write_all(report::diagnostic::text(&held, &unit.sources, false).as_bytes())?;
                }
                Format::Json => {
                    json.extend(held.iter().map(|d| report::json::diagnostic(entry.file, &unit.sources, d)));
                }
            }
        }
        if let Some(warning) = vacuous(&entry, job).filter(|_| !options.quiet) {
            let sources = &files[job.file].unit.sources;
            match options.format {
                Format::Text => {
                    err.write_all(report::diagnostic::text(&[warning], sources, false).as_bytes())?
                }
                Format::Json => json.push(report::json::diagnostic(entry.file, sources, &warning)),
            }
        }
        if options.stats {
            let counters = report::text::counters(&result.outcome.counters);
            writeln!(err, "{}:{}: {counters}", entry.file, entry.function)?;
        }
        match &result.certificate {
            Some(Ok(certificate)) => {
                certificates.extend(entry.program.map(|p| (p.clone(), certificate.clone())));
            }
            Some(Err(why)) if !options.quiet => {
                writeln!(err, "{}:{}: no certificate: {why}", entry.file, entry.function)?;
            }
            _ => {}
        }
        Ok(())
    });
    results?;
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

/// Who answers for a function of which there is no program.
const FRONT_END: &str = "front end";

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
        self.internal |= result.panicked;
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

/// The jobs that the options select.
fn list(files: &[File], options: &Options) -> Result<Vec<Job>, String> {
    let mut jobs = Vec::new();
    for name in &options.functions {
        let exists = files.iter().any(|f| f.unit.functions.iter().any(|g| g.name == *name));
        if !exists {
            return Err(format!("no function `{name}` with a contract"));
        }
    }
    let mut behaviors = Vec::new();
    for (file, f) in files.iter().enumerate() {
        for (function, g) in f.unit.functions.iter().enumerate() {
            if !options.functions.is_empty() && !options.functions.contains(&g.name) {
                continue;
            }
            if options.svcomp.is_some() && g.name != "main" {
                continue;
            }
            if !f.names.contains(&g.file) {
                continue;
            }
            let contracts = match &g.program {
                Ok(program) => program.contracts.iter().map(|c| c.behavior.clone()).collect(),
                Err(_) => vec![None],
            };
            for (contract, behavior) in contracts.into_iter().enumerate() {
                behaviors.extend(behavior.clone());
                let wanted = behavior.as_ref().is_some_and(|b| options.behaviors.contains(b));
                if options.behaviors.is_empty() || wanted {
                    let question = Question { contract, checks: options.checks.clone() };
                    jobs.push(Job { file, function, question, behavior });
                }
            }
        }
    }
    match options.behaviors.iter().find(|b| !behaviors.contains(b)) {
        Some(behavior) => Err(format!("no function has a behavior `{behavior}`")),
        None => Ok(jobs),
    }
}

fn entry<'a>(file: &'a File, job: &'a Job, result: &'a Answered) -> Entry<'a> {
    let function = &file.unit.functions[job.function];
    let program = function.program.as_ref().ok();
    let inlined = file.inlined[job.function].as_ref().filter(|_| result.about_inlined);
    Entry {
        file: &function.file,
        function: &function.name,
        behavior: job.behavior.as_deref(),
        sources: &file.unit.sources,
        program: result.view.as_deref().or(inlined).or(program),
        checks: &job.question.checks,
        outcome: &result.outcome,
        time: result.time,
    }
}

/// What to say of a function that is verified because nobody can call it.
fn vacuous(entry: &Entry<'_>, job: &Job) -> Option<Diagnostic> {
    let program = entry.program.filter(|_| matches!(entry.outcome.verdict, Verdict::Verified(_)))?;
    let span = program.contracts.get(job.question.contract)?.requires.first()?.span;
    let text = "no state satisfies `requires`: whatever the function does, it is verified";
    is_vacuous(program, &job.question).then(|| Diagnostic::warning("vacuous", span, text))
}

/// The answer for a function of which there is no program.
fn unsupported(unit: &Unit, function: usize) -> Outcome {
    let found = unit.functions[function].program.as_ref().err();
    let worst = found.and_then(|d| d.iter().max_by_key(|d| d.severity));
    let reason = match worst {
        Some(d) => Reason { message: d.message.clone(), span: Some(d.span) },
        None => Reason { message: "the function could not be read".to_owned(), span: None },
    };
    Outcome { engine: FRONT_END, verdict: Verdict::Unknown(reason), counters: Counters::default() }
}
