//! A session: files are read, their functions decided on several threads, answers handed out in the order of the text.
//!
//! The front door and the command line are two audiences of the same session. It prints nothing: an [`Audience`] gets
//! each answer as soon as those before it are there. `reading` and `watch` look at the limits from outside, `work` is
//! the threads, `certificate` makes evidence that is checked before anybody sees it, `cache` remembers answers.

#[cfg(feature = "cli")]
pub mod cache;
mod certificate;
mod reading;
mod watch;
mod work;

pub use reading::{Unread, read, read_all};
pub use work::{Audience, decide_all};

use crate::analysis::Variants;
use crate::certify::ProgramCertificate;
use crate::frontend::c::{self, Unit};
use crate::frontend::diagnostic::Diagnostic;
use crate::portfolio::Engine;
use crate::program::{Program, Question};
use crate::report::Entry;
use crate::util::limits::Limits;
use crate::verdict::{Author, Outcome, Reason};
use std::time::Duration;

/// What is asked, of whom, and how long it may take.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Who decides.
    pub engine: Engine,
    /// Which variants of the papers' algorithms run.
    pub variants: Variants,
    /// How C is read, and what is asked.
    pub reading: c::Options,
    /// Only these functions, if there are any.
    pub functions: Vec<String>,
    /// Only these behaviours, if there are any.
    pub behaviors: Vec<String>,
    /// For each function, and for reading.
    pub limits: Limits,
    /// Threads; each function has one before any has two.
    pub jobs: usize,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// Whether evidence is to be made.
    pub certificates: bool,
    /// Answers that were found before.
    #[cfg(feature = "cli")]
    pub cache: Option<std::sync::Arc<cache::Cache>>,
}

/// A file, or several that are linked, after reading.
#[derive(Debug)]
pub struct File {
    /// Those whose functions are asked about here, as given.
    pub names: Vec<String>,
    /// How it was read.
    pub reading: c::Options,
    /// What stands in it.
    pub unit: Unit,
}

/// One question about one function of one file.
#[derive(Debug)]
pub struct Job {
    /// Among the files.
    pub file: usize,
    /// Among the functions of the file.
    pub function: usize,
    /// The question.
    pub question: Question,
    /// The behaviour, if it is a named one.
    pub behavior: Option<String>,
}

/// What became of a job.
#[derive(Debug)]
pub struct Answered {
    /// The answer.
    pub outcome: Outcome,
    /// Edges and states of the trace are those of the program with the bodies of all callees.
    pub about_inlined: bool,
    /// The program that its run is shown in, if it is another one.
    pub view: Option<Box<Program>>,
    /// How long it took.
    pub time: Duration,
    /// A fault of ours: an engine panicked, or two contradict each other.
    pub is_fault: bool,
    /// Its certificate, if one is wanted and there is something to show, or why there is none.
    pub certificate: Option<Result<ProgramCertificate, String>>,
    /// It is verified because no state satisfies `requires`.
    pub vacuous: bool,
    /// It was found before.
    pub known: bool,
}

/// What the settings name and no file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A function with a contract.
    Function(String),
    /// A behaviour.
    Behavior(String),
}

/// The questions that the settings select, in the order of the text.
pub fn list(files: &[File], settings: &Settings) -> Result<Vec<Job>, Missing> {
    let mut jobs = Vec::new();
    let lacks = |name: &&String| !files.iter().any(|f| f.unit.functions.iter().any(|g| g.name == **name));
    if let Some(name) = settings.functions.iter().find(lacks) {
        return Err(Missing::Function(name.clone()));
    }
    let mut behaviors = Vec::new();
    for (file, f) in files.iter().enumerate() {
        for (function, g) in f.unit.functions.iter().enumerate() {
            let named = settings.functions.is_empty() || settings.functions.contains(&g.name);
            let elsewhere = !f.names.contains(&g.file);
            if !named || elsewhere || (settings.reading.property.is_some() && g.name != "main") {
                continue;
            }
            let contracts = match &g.program {
                Ok(program) => program.contracts.iter().map(|c| c.behavior.clone()).collect(),
                Err(_) => vec![None],
            };
            for (contract, behavior) in contracts.into_iter().enumerate() {
                behaviors.extend(behavior.clone());
                let wanted = behavior.as_ref().is_some_and(|b| settings.behaviors.contains(b));
                if settings.behaviors.is_empty() || wanted {
                    let question = Question { contract, checks: settings.reading.checks.clone() };
                    jobs.push(Job { file, function, question, behavior });
                }
            }
        }
    }
    match settings.behaviors.iter().find(|b| !behaviors.contains(b)) {
        Some(behavior) => Err(Missing::Behavior(behavior.clone())),
        None => Ok(jobs),
    }
}

/// An answer with everything that is needed to show it.
#[must_use]
pub fn entry<'a>(file: &'a File, job: &'a Job, result: &'a Answered) -> Entry<'a> {
    let function = &file.unit.functions[job.function];
    let inlined = function.inlined.as_ref().filter(|_| result.about_inlined);
    Entry {
        file: &function.file,
        function: &function.name,
        behavior: job.behavior.as_deref(),
        sources: &file.unit.sources,
        span: function.span,
        program: result.view.as_deref().or(inlined).or(function.program.as_ref().ok()),
        checks: &job.question.checks,
        outcome: &result.outcome,
        time: result.time,
    }
}

/// What to say of a function that is verified because nobody can call it.
#[must_use]
pub fn vacuous(program: Option<&Program>, job: &Job, answer: &Answered) -> Option<Diagnostic> {
    let program = program.filter(|_| answer.vacuous)?;
    let span = program.contracts.get(job.question.contract)?.requires.first()?.span;
    let text = "no state satisfies `requires`: whatever the function does, it is verified";
    Some(Diagnostic::warning("vacuous", span, text))
}

/// The answer for a function of which there is no program.
fn unread(found: &[Diagnostic]) -> Outcome {
    let reason = match found.iter().max_by_key(|d| d.severity) {
        Some(d) => Reason { message: d.message.clone(), span: Some(d.span) },
        None => Reason { message: "the function could not be read".to_owned(), span: None },
    };
    Outcome::unknown(Author::FrontEnd, reason)
}
