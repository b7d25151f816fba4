//! What a [`Verifier`](super::verifier::Verifier) finds: plain values that borrow nothing, with places instead of
//! positions and text instead of formulas.

pub use crate::frontend::diagnostic::{Location as Place, Severity};
use std::fmt;
use std::time::Duration;

/// Everything that was found out about one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The name of the file, as given.
    pub file: String,
    pub(super) functions: Vec<FunctionReport>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// One entry for each function that has a contract, and for `main`; one for each behavior if it has several.
    #[must_use]
    pub fn functions(&self) -> &[FunctionReport] {
        &self.functions
    }

    /// Warnings, and what has no model; errors reject the file instead.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there is something to verify and all of it is verified.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        let verified = |f: &FunctionReport| matches!(f.verdict, Verdict::Verified(_));
        !self.functions.is_empty() && self.functions.iter().all(verified)
    }
}

/// The answers as text, as the program `catena` prints them.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.functions.iter().try_for_each(|function| function.fmt(f))
    }
}

/// The answer to one question about one function.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FunctionReport {
    /// Name of the function.
    pub function: String,
    /// The behavior, if it is a named one.
    pub behavior: Option<String>,
    /// Where the function is defined.
    pub place: Place,
    /// Who decided: the word of an engine, `auto`, `interpreter` or `front end`.
    pub engine: &'static str,
    /// How long it took.
    pub time: Duration,
    pub(super) verdict: Verdict,
    pub(super) text: String,
}

impl FunctionReport {
    /// What was found out.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

/// The answer as text, as the program `catena` prints it.
impl fmt::Display for FunctionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What was found out about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Everything that was asked holds on every execution.
    Verified(Evidence),
    /// This run of the interpreter breaks it.
    Violated(Trace),
    /// It may hold: the invariants that were given or found do not suffice.
    TooWeak(Weakness),
    /// Nothing is known.
    Unknown(Unknown),
}

/// Why something holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// Loop invariants that were found, beside those that were given.
    pub invariants: Vec<Invariant>,
    /// What an engine shows that has no such invariants, line by line.
    pub lines: Vec<String>,
}

/// A loop invariant in the language of annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invariant {
    /// The loop.
    pub place: Option<Place>,
    /// The formula.
    pub formula: String,
}

/// A run from the entry of a function to a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// What fails.
    pub message: String,
    /// The statement or clause that fails.
    pub place: Option<Place>,
    /// The state at the entry: variables, then cells.
    pub entry: Vec<String>,
    /// Statements that change something, and the one that fails.
    pub steps: Vec<Step>,
    /// The state in which the last statement fails.
    pub end: Vec<String>,
    /// How many steps of the interpreter are left out after the entry, in very long runs.
    pub omitted: u64,
}

/// One statement of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The statement.
    pub place: Option<Place>,
    /// Its line of source text.
    pub source: String,
    /// What it changes, such as `x = null`.
    pub changes: Vec<String>,
}

/// What could not be excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weakness {
    /// What may fail.
    pub message: String,
    /// The statement or clause that may fail.
    pub place: Option<Place>,
    /// What may help.
    pub hint: Option<String>,
    /// A state that the invariants allow and that fails, if one was found.
    pub state: Vec<String>,
}

/// Why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unknown {
    /// For people.
    pub message: String,
    /// The construct that is to blame, if one is.
    pub place: Option<Place>,
}

/// A message about the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// A stable name of the kind of message, such as `unknown-type`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// Where.
    pub place: Place,
    /// The `#include` lines that lead to a place in a header, the innermost first.
    pub included_from: Vec<Place>,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, line, column } = &self.place;
        write!(f, "{file}:{line}:{column}: {}", self.message)
    }
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The text is wrong: at least one of the messages is an error.
    Rejected(Vec<Diagnostic>),
    /// A limit was reached while the text was read.
    Stopped(crate::util::limits::Stop),
    /// There is no function of this name to verify.
    NoSuch(String),
    /// The system refuses a thread, or the reader has a fault.
    Internal(String),
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Rejected(diagnostics) => {
                let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
                for (i, error) in errors.enumerate() {
                    let separator = if i > 0 { "\n" } else { "" };
                    write!(f, "{separator}{error}")?;
                }
                Ok(())
            }
            VerifyError::Stopped(stop) => write!(f, "{stop} while the file was read"),
            VerifyError::NoSuch(name) => write!(f, "there is no function `{name}` to verify"),
            VerifyError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for VerifyError {}
