//! C programs are proved or refuted.

use crate::certify::print_certificates;
use crate::frontend::c::files::{Files, MacroFlag, Provider};
use crate::frontend::c::{Input, Malloc, Options};
use crate::portfolio::Engine;
use crate::program::Check;
use crate::report::findings::{FunctionReport, Report, VerifyError};
use crate::report::translate;
use crate::session::{self, Answered, Audience, File, Job, Missing, Settings, Unread};
use crate::util::limits::{CancelToken, Limits};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Gets the name of a function and how far its engine is.
type Progress = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// Proves or refutes the functions of a C text.
///
/// ```
/// use catena::{Engine, Verdict, Verifier};
/// use std::time::Duration;
///
/// let source = "
///     struct node { struct node *next; };
///     /*@ requires \\valid(e) && \\list(next, l) && !(l -next*-> e);
///         ensures  \\list(next, \\result); @*/
///     struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
///     /*@ requires \\list(next, l); @*/
///     struct node *second(struct node *l) { return l->next; }
/// ";
/// let report = Verifier::new().engine(Engine::Auto).timeout(Duration::from_secs(10)).verify("list.c", source)?;
/// for f in report.functions() {
///     match f.verdict() {
///         Verdict::Verified(_) => assert_eq!(f.function, "push"),
///         Verdict::Violated(trace) => {
///             // The empty list has no second cell.
///             assert_eq!(f.function, "second");
///             assert_eq!(trace.place.as_ref().map(|p| p.line), Some(7));
///         }
///         other => panic!("{}: {other:?}", f.function),
///     }
/// }
/// # Ok::<(), catena::findings::VerifyError>(())
/// ```
///
/// The default asks for memory safety, assertions and postconditions, chooses the engine, uses one thread and sets no
/// limit.
#[derive(Clone, Default)]
pub struct Verifier {
    settings: Settings,
    progress: Option<Progress>,
}

impl std::fmt::Debug for Verifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Verifier").field("settings", &self.settings).finish_non_exhaustive()
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
        self.settings.engine = engine;
        self
    }

    /// What is asked; no class means the default.
    #[must_use]
    pub fn checks(mut self, checks: impl IntoIterator<Item = Check>) -> Verifier {
        self.settings.reading.checks = checks.into_iter().collect();
        if self.settings.reading.checks.is_empty() {
            self.settings.reading.checks = Options::default().checks;
        }
        self
    }

    /// Only these functions.
    #[must_use]
    pub fn functions<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Verifier {
        self.settings.functions = names.into_iter().map(Into::into).collect();
        self
    }

    /// Only these behaviors.
    #[must_use]
    pub fn behaviors<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Verifier {
        self.settings.behaviors = names.into_iter().map(Into::into).collect();
        self
    }

    /// Whether evidence is made for every answer: [`FunctionReport::certificate`] and [`certify`](crate::certify).
    #[must_use]
    pub fn certificates(mut self, wanted: bool) -> Verifier {
        self.settings.certificates = wanted;
        self
    }

    /// Time for each function, and for reading.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Verifier {
        self.settings.limits.time = Some(time);
        self
    }

    /// All limits at once, each for each function. Reading keeps those of time and cancellation.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Verifier {
        self.settings.limits = limits;
        self
    }

    /// The token by which another thread stops the work; what is known by then is reported.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Verifier {
        self.settings.limits.cancel = Some(token);
        self
    }

    /// How many threads may work; each function has one before any has two.
    #[must_use]
    pub fn jobs(mut self, threads: usize) -> Verifier {
        self.settings.jobs = threads;
        self
    }

    /// Whether `malloc` may return null; by default it does not.
    #[must_use]
    pub fn malloc_may_fail(mut self, may_fail: bool) -> Verifier {
        self.settings.reading.malloc = if may_fail { Malloc::MayFail } else { Malloc::NeverFails };
        self
    }

    /// Whether `long` and pointers have 64 bits, as by default, or 32.
    #[must_use]
    pub fn lp64(mut self, lp64: bool) -> Verifier {
        self.settings.reading.lp64 = lp64;
        self
    }

    /// A directory in which `#include` searches, as `-I` of compilers.
    #[must_use]
    pub fn include_directory(mut self, directory: impl Into<String>) -> Verifier {
        self.settings.reading.flags.directories.push(directory.into());
        self
    }

    /// A macro that is defined before the first line: `NAME`, `NAME=VALUE` or `NAME(X)=VALUE`, as `-D` of compilers.
    #[must_use]
    pub fn define(mut self, text: impl Into<String>) -> Verifier {
        self.settings.reading.flags.macros.push(MacroFlag::Define(text.into()));
        self
    }

    /// A macro that is not defined before the first line, as `-U` of compilers.
    #[must_use]
    pub fn undefine(mut self, name: impl Into<String>) -> Verifier {
        self.settings.reading.flags.macros.push(MacroFlag::Undefine(name.into()));
        self
    }

    /// A file that is read before the first line, as `-include` of compilers.
    #[must_use]
    pub fn include(mut self, file: impl Into<String>) -> Verifier {
        self.settings.reading.flags.includes.push(file.into());
        self
    }

    /// Who gives the files that the text includes: [`Disk`](crate::Disk), a map from paths to
    /// bytes, or your own. By default nobody: only the bundled headers can be included.
    #[must_use]
    pub fn files(mut self, files: impl Files + 'static) -> Verifier {
        self.settings.reading.files = Provider::new(files);
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
    /// Limits are kept from outside as well: a reader or an engine that goes on after its time is given up, and its
    /// thread left to end alone.
    pub fn verify(&self, file: &str, source: impl AsRef<[u8]>) -> Result<Report, VerifyError> {
        self.verify_linked([(file, source)])
    }

    /// Like [`Verifier::verify`], for several texts that are linked to one program: each name with its text.
    pub fn verify_linked<'n, S: AsRef<[u8]>>(
        &self,
        files: impl IntoIterator<Item = (&'n str, S)>,
    ) -> Result<Report, VerifyError> {
        let input = |(name, source): (&str, S)| Input {
            name: name.to_owned(),
            text: source.as_ref().to_vec(),
            options: self.settings.reading.clone(),
        };
        let inputs: Vec<Input> = files.into_iter().map(input).collect();
        let names: Vec<String> = inputs.iter().map(|i| i.name.clone()).collect();
        let file = names.first().cloned().unwrap_or_default();
        let read = session::read(inputs, names, &self.settings.limits);
        let read = read.map_err(|unread| match unread {
            Unread::Stopped(stop) => VerifyError::Stopped(stop),
            Unread::Fault(why) => VerifyError::Internal(why),
        })?;
        let translated = |d| translate::diagnostic(&read.unit.sources, d);
        let diagnostics = read.unit.diagnostics.iter().map(translated).collect();
        if read.unit.has_errors() {
            return Err(VerifyError::Rejected(diagnostics));
        }
        let files = Arc::new(vec![read]);
        let jobs = session::list(&files, &self.settings).map_err(|missing| match missing {
            Missing::Function(name) => VerifyError::NoFunction(name),
            Missing::Behavior(name) => VerifyError::NoBehavior(name),
        })?;
        let report = Report { file, functions: Vec::new(), diagnostics };
        let mut writer = Writer { files: files.clone(), report };
        let told = self.progress.clone().unwrap_or_else(|| Arc::new(|_: &str, _: &str| {}));
        session::decide_all(&files, &Arc::new(jobs), &self.settings, told, &mut writer)
            .map_err(|error| VerifyError::Internal(error.to_string()))?;
        Ok(writer.report)
    }
}

/// Writes answers down.
struct Writer {
    files: Arc<Vec<File>>,
    report: Report,
}

impl Audience for Writer {
    fn answer(&mut self, job: &Job, answer: Answered) -> io::Result<()> {
        let file = &self.files[job.file];
        let entry = session::entry(file, job, &answer);
        let certificate = match (&answer.certificate, entry.program) {
            (Some(Ok(certificate)), Some(program)) => Some(print_certificates(&[(program, certificate)])),
            _ => None,
        };
        let answered: FunctionReport = translate::answer(&entry, certificate);
        let warning = session::vacuous(entry.program, job, &answer);
        let warning = warning.map(|found| translate::diagnostic(&file.unit.sources, &found));
        self.report.functions.push(answered);
        self.report.diagnostics.extend(warning);
        Ok(())
    }
}
