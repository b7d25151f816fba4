//! C programs are proved or refuted.
//!
//! ```
//! use catena::{Engine, Verdict, Verifier};
//! use std::time::Duration;
//!
//! let source = "
//!     struct node { struct node *next; };
//!     /*@ requires \\valid(e) && \\list(next, l) && !(l -next*-> e);
//!         ensures  \\list(next, \\result); @*/
//!     struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
//!     /*@ requires \\list(next, l); @*/
//!     struct node *second(struct node *l) { return l->next; }
//! ";
//! let report = Verifier::new().engine(Engine::Auto).timeout(Duration::from_secs(10)).verify("list.c", source)?;
//! for f in report.functions() {
//!     match f.verdict() {
//!         Verdict::Verified(_) => assert_eq!(f.function, "push"),
//!         Verdict::Violated(trace) => {
//!             // The empty list has no second cell.
//!             assert_eq!(f.function, "second");
//!             assert_eq!(trace.place.as_ref().map(|p| p.line), Some(7));
//!         }
//!         other => panic!("{}: {other:?}", f.function),
//!     }
//! }
//! # Ok::<(), catena::VerifyError>(())
//! ```

use super::findings::{Diagnostic, FunctionReport, Report, VerifyError};
use super::translate::{self, File};
use crate::analysis::Setup;
use crate::analysis::vc::vacuous::is_vacuous;
use crate::frontend::c::files::{Files, MacroFlag, Provider};
use crate::frontend::c::{self, Malloc, Unit};
use crate::frontend::diagnostic;
use crate::portfolio::{self, Engine, Task};
use crate::program::{Check, Command, Program, Question};
use crate::util::limits::{Budget, CancelToken, Limits};
use crate::verdict::{Counters, Outcome, Reason, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of a thread that decides: formulas are walked recursively.
const STACK: usize = 256 << 20;
/// How often the limits of reading are looked at.
const TICK: Duration = Duration::from_millis(5);

/// Gets the name of a function and how far its engine is.
type Progress = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// Settings for [`Verifier::verify`]; see the [module](self).
///
/// The default asks for memory safety, assertions and postconditions, chooses the engine, uses one thread and sets no
/// limit.
#[derive(Clone, Default)]
pub struct Verifier {
    engine: Engine,
    reading: c::Options,
    limits: Limits,
    jobs: usize,
    functions: Vec<String>,
    progress: Option<Progress>,
}

impl std::fmt::Debug for Verifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Verifier { engine, reading, limits, jobs, functions, progress: _ } = self;
        let mut out = f.debug_struct("Verifier");
        out.field("engine", engine).field("reading", reading).field("limits", limits);
        out.field("jobs", jobs).field("functions", functions).finish_non_exhaustive()
    }
}

impl Verifier {
    /// The default settings.
    #[must_use]
    pub fn new() -> Verifier {
        Verifier::default()
    }

    /// Who decides.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Verifier {
        self.engine = engine;
        self
    }

    /// What is asked; no class means the default.
    #[must_use]
    pub fn checks(mut self, checks: impl IntoIterator<Item = Check>) -> Verifier {
        self.reading.checks = checks.into_iter().collect();
        if self.reading.checks.is_empty() {
            self.reading.checks = c::Options::default().checks;
        }
        self
    }

    /// Only these functions.
    #[must_use]
    pub fn functions<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Verifier {
        self.functions = names.into_iter().map(Into::into).collect();
        self
    }

    /// Time for each function, and for reading.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Verifier {
        self.limits.time = Some(time);
        self
    }

    /// All limits at once, each for each function. Reading keeps those of time and cancellation.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Verifier {
        self.limits = limits;
        self
    }

    /// The token by which another thread stops the work; what is known by then is reported.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Verifier {
        self.limits.cancel = Some(token);
        self
    }

    /// How many threads may work; each function has one before any has two.
    #[must_use]
    pub fn jobs(mut self, threads: usize) -> Verifier {
        self.jobs = threads;
        self
    }

    /// Whether `malloc` may return null; by default it does not.
    #[must_use]
    pub fn malloc_may_fail(mut self, may_fail: bool) -> Verifier {
        self.reading.malloc = if may_fail { Malloc::MayFail } else { Malloc::NeverFails };
        self
    }

    /// Whether `long` and pointers have 64 bits, as by default, or 32.
    #[must_use]
    pub fn lp64(mut self, lp64: bool) -> Verifier {
        self.reading.lp64 = lp64;
        self
    }

    /// A directory in which `#include` searches, as `-I` of compilers.
    #[must_use]
    pub fn include_directory(mut self, directory: impl Into<String>) -> Verifier {
        self.reading.flags.directories.push(directory.into());
        self
    }

    /// A macro that is defined before the first line: `NAME`, `NAME=VALUE` or `NAME(X)=VALUE`, as `-D` of compilers.
    #[must_use]
    pub fn define(mut self, text: impl Into<String>) -> Verifier {
        self.reading.flags.macros.push(MacroFlag::Define(text.into()));
        self
    }

    /// A macro that is not defined before the first line, as `-U` of compilers.
    #[must_use]
    pub fn undefine(mut self, name: impl Into<String>) -> Verifier {
        self.reading.flags.macros.push(MacroFlag::Undefine(name.into()));
        self
    }

    /// A file that is read before the first line, as `-include` of compilers.
    #[must_use]
    pub fn include(mut self, file: impl Into<String>) -> Verifier {
        self.reading.flags.includes.push(file.into());
        self
    }

    /// Who gives the files that the text includes: [`Disk`](crate::Disk), a map from paths to
    /// bytes, or your own. By default nobody: only the bundled headers can be included.
    #[must_use]
    pub fn files(mut self, files: impl Files + 'static) -> Verifier {
        self.reading.files = Provider::new(files);
        self
    }

    /// Who is told how far the work is: the name of a function and a few words, often, from the threads that work.
    #[must_use]
    pub fn on_progress(mut self, told: impl Fn(&str, &str) + Send + Sync + 'static) -> Verifier {
        self.progress = Some(Arc::new(told));
        self
    }

    /// Reads a text and decides every function that has a contract, and `main`.
    ///
    /// Engines look at the limits themselves. The reader does not, so that it is looked at from outside: if it takes
    /// too long, its thread is left to end alone.
    pub fn verify(&self, file: &str, source: impl AsRef<[u8]>) -> Result<Report, VerifyError> {
        self.verify_linked([(file, source)])
    }

    /// Like [`Verifier::verify`], for several texts that are linked to one program: each name with its text.
    pub fn verify_linked<'n, S: AsRef<[u8]>>(
        &self,
        files: impl IntoIterator<Item = (&'n str, S)>,
    ) -> Result<Report, VerifyError> {
        let input = |(name, source): (&str, S)| c::Input {
            name: name.to_owned(),
            text: source.as_ref().to_vec(),
            options: self.reading.clone(),
        };
        let file = self.read(files.into_iter().map(input).collect())?;
        let translated = |d: &diagnostic::Diagnostic| translate::diagnostic(&file.unit.sources, d);
        let mut diagnostics: Vec<Diagnostic> = file.unit.diagnostics.iter().map(translated).collect();
        if file.unit.has_errors() {
            return Err(VerifyError::Rejected(diagnostics));
        }
        let jobs = self.list(&file.unit)?;
        let functions = self.decide_all(&file, &jobs)?;
        let vacuous = jobs.iter().zip(&functions).filter_map(|(job, found)| vacuous(&file, job, found));
        diagnostics.extend(vacuous);
        Ok(Report { file: file.name, functions, diagnostics })
    }

    fn read(&self, inputs: Vec<c::Input>) -> Result<File, VerifyError> {
        let internal = |what: &str| VerifyError::Internal(what.to_owned());
        let mut budget = Budget::new(&self.limits);
        let (send, receive) = channel();
        let spawned = thread::Builder::new().spawn(move || {
            let _ = send.send(read(inputs));
        });
        spawned.map_err(|error| VerifyError::Internal(error.to_string()))?;
        loop {
            match receive.recv_timeout(TICK) {
                Ok(file) => return Ok(file),
                Err(RecvTimeoutError::Timeout) => budget.poll().map_err(VerifyError::Stopped)?,
                Err(RecvTimeoutError::Disconnected) => return Err(internal("the reader panicked")),
            }
        }
    }

    /// The questions, in the order of the text.
    fn list(&self, unit: &Unit) -> Result<Vec<Job>, VerifyError> {
        let missing = |name: &&String| !unit.functions.iter().any(|f| f.name == **name);
        if let Some(name) = self.functions.iter().find(missing) {
            return Err(VerifyError::NoSuch(name.clone()));
        }
        let mut jobs = Vec::new();
        for (function, loaded) in unit.functions.iter().enumerate() {
            if !self.functions.is_empty() && !self.functions.contains(&loaded.name) {
                continue;
            }
            let behaviors = match &loaded.program {
                Ok(program) => program.contracts.iter().map(|c| c.behavior.clone()).collect(),
                Err(_) => vec![None],
            };
            for (contract, behavior) in behaviors.into_iter().enumerate() {
                let question = Question { contract, checks: self.reading.checks.clone() };
                jobs.push(Job { function, question, behavior });
            }
        }
        Ok(jobs)
    }

    /// Decides on threads; the answers are in the order of the questions.
    fn decide_all(&self, file: &File, jobs: &[Job]) -> Result<Vec<FunctionReport>, VerifyError> {
        let threads = self.jobs.min(jobs.len()).max(1);
        let setup =
            Setup { limits: self.limits.clone(), jobs: (self.jobs / threads).max(1), ..Setup::default() };
        let next = AtomicUsize::new(0);
        let found: Vec<Mutex<Option<FunctionReport>>> = jobs.iter().map(|_| Mutex::default()).collect();
        let work = || {
            while let Some((job, slot)) = {
                let i = next.fetch_add(1, Ordering::Relaxed);
                jobs.get(i).zip(found.get(i))
            } {
                let report = self.decide(file, job, &setup);
                if let Ok(mut slot) = slot.lock() {
                    *slot = Some(report);
                }
            }
        };
        let started = thread::scope(|scope| {
            let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).map(|_| ());
            (0..threads).try_for_each(start)
        });
        let found = found.into_iter().map(|slot| slot.into_inner().ok().flatten());
        match (started, found.collect()) {
            // Whoever could start has done all the work.
            (_, Some(found)) => Ok(found),
            (Err(error), None) => Err(VerifyError::Internal(error.to_string())),
            (Ok(()), None) => Err(VerifyError::Internal("a worker ended without a word".to_owned())),
        }
    }

    fn decide(&self, file: &File, job: &Job, setup: &Setup) -> FunctionReport {
        let start = Instant::now();
        let function = &file.unit.functions[job.function];
        let told = |text: &str| {
            if let Some(told) = &self.progress {
                told(&function.name, text);
            }
        };
        let (outcome, about_inlined) = match &function.program {
            Err(found) => (unread(found), false),
            Ok(program) => {
                let inlined = file.inlined[job.function].as_ref();
                let task = Task { program, inlined, question: &job.question };
                let decide = AssertUnwindSafe(|| portfolio::decide(self.engine, &task, setup, &told));
                match catch_unwind(decide) {
                    Ok(decided) => (decided.outcome, decided.about_inlined),
                    Err(panic) => (panicked(self.engine, &*panic), false),
                }
            }
        };
        let about = translate::About { file, function: job.function, about_inlined };
        translate::answer(&about, job.behavior.as_deref(), &job.question, &outcome, start.elapsed())
    }
}

/// One question about one function.
struct Job {
    function: usize,
    question: Question,
    behavior: Option<String>,
}

/// Reads texts, and once more with calls of functions with contracts inlined if there are any: a failing run must
/// exist with the bodies of all callees.
fn read(mut inputs: Vec<c::Input>) -> File {
    let unit = c::load_linked(&inputs);
    let name = inputs.first().map_or(String::new(), |i| i.name.clone());
    let by_contract = |p: &Program| p.edges.iter().any(|e| matches!(e.command, Command::Scramble { .. }));
    let calls = unit.functions.iter().any(|f| f.program.as_ref().is_ok_and(by_contract));
    if !calls {
        let inlined = unit.functions.iter().map(|_| None).collect();
        return File { name, unit, inlined };
    }
    inputs.iter_mut().for_each(|input| input.options.inline_contracts = true);
    let again = c::load_linked(&inputs);
    let find = |f: &c::LoadedFunction| again.functions.iter().find(|g| g.span == f.span);
    let program = |f| find(f).and_then(|f| f.program.as_ref().ok().cloned());
    let inlined = unit.functions.iter().map(program).collect();
    File { name, unit, inlined }
}

/// The answer for a function of which there is no program.
fn unread(found: &[diagnostic::Diagnostic]) -> Outcome {
    let reason = match found.iter().max_by_key(|d| d.severity) {
        Some(d) => Reason { message: d.message.clone(), span: Some(d.span) },
        None => Reason { message: "the function could not be read".to_owned(), span: None },
    };
    Outcome { engine: "front end", verdict: Verdict::Unknown(reason), counters: Counters::default() }
}

/// A fault of an engine's is no reason to take the caller down.
fn panicked(engine: Engine, panic: &(dyn std::any::Any + Send)) -> Outcome {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
    let reason = Reason { message: format!("internal error: {text}"), span: None };
    Outcome { engine: engine.word(), verdict: Verdict::Unknown(reason), counters: Counters::default() }
}

/// What to say of a function that is verified because nobody can call it.
fn vacuous(file: &File, job: &Job, found: &FunctionReport) -> Option<Diagnostic> {
    let verified = matches!(found.verdict(), super::findings::Verdict::Verified(_));
    let program = file.unit.functions[job.function].program.as_ref().ok().filter(|_| verified)?;
    let span = program.contracts.get(job.question.contract)?.requires.first()?.span;
    let text = "no state satisfies `requires`: whatever the function does, it is verified";
    let warning = diagnostic::Diagnostic::warning("vacuous", span, text);
    is_vacuous(program, &job.question).then(|| translate::diagnostic(&file.unit.sources, &warning))
}
