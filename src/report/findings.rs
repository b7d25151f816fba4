//! What a [`Verifier`](crate::Verifier) finds: plain values that borrow nothing, with places instead of positions and
//! text instead of formulas. With the feature `serde` all of them serialise.
//!
//! ```
//! use catena::findings::Content;
//! use catena::{Verdict, Verifier};
//!
//! let source = r"
//!     struct node { int key; struct node *next; };
//!     /*@ requires \list(next, l) && l != NULL; @*/
//!     int second(struct node *l) { return l->next->key; }
//! ";
//! let report = Verifier::new().verify("list.c", source)?;
//! let Verdict::Violated(trace) = report.functions()[0].verdict() else { panic!("{report}") };
//! // The list of one cell.
//! assert_eq!(trace.entry.variable("l"), Some(&Content::Cell("l".to_owned())));
//! let cell = trace.entry.cell("l").expect("it is allocated");
//! assert_eq!(cell.kind, "struct node");
//! assert_eq!(cell.field("next"), Some(&Content::Null));
//! // At the end the second cell is missing.
//! assert_eq!(trace.steps.last().map(|step| step.source.as_str()), Some("int second(struct node *l) { return l->next->key; }"));
//! # Ok::<(), catena::findings::VerifyError>(())
//! ```

use super::picture;
pub use crate::frontend::diagnostic::{Location as Place, Severity};
pub use crate::program::Check;
use crate::util::limits::Stop;
use std::fmt;
use std::time::Duration;

/// Everything that was found out about one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The name of the file, as given.
    pub file: String,
    pub(crate) functions: Vec<FunctionReport>,
    pub(crate) diagnostics: Vec<Diagnostic>,
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
    /// Evidence that `catena certify` checks, if [`Verifier::certificates`](crate::Verifier::certificates) asked for it
    /// and there is some.
    pub certificate: Option<String>,
    pub(crate) verdict: Verdict,
    pub(crate) text: String,
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
    /// The class that it belongs to.
    pub check: Check,
    /// The statement or clause that fails.
    pub place: Option<Place>,
    /// The state at the entry.
    pub entry: State,
    /// Statements that change something, and the one that fails.
    pub steps: Vec<Step>,
    /// The state in which the last statement fails.
    pub end: State,
    /// How many steps of the interpreter are left out after the entry, in very long runs.
    pub omitted: u64,
}

impl Trace {
    /// The state in which the run fails as a picture, what the failure is about marked and what the run has changed
    /// since the entry highlighted.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut about = picture::culprit::find(&self.message, "", &self.end);
        about.structure = self.check == Check::Ensures;
        picture::Film::new(&[&self.entry, &self.end], &about).svg(1, &picture::describe::state(&self.end))
    }
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

/// One stop of an abstract trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AbstractStep {
    /// Where, for people.
    pub at: String,
    /// The abstract state, in words.
    pub text: String,
}

/// A concrete state: variables and cells. A cell has a name that stays the same through a trace: the path that leads to
/// it at first, such as `x->next`; cells that come later are `new`, `new 2`, those without a path `other`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct State {
    /// What has a name in the program.
    pub variables: Vec<Variable>,
    /// Cells that are or were allocated.
    pub cells: Vec<Cell>,
    pub(crate) drawn: Vec<String>,
}

impl State {
    /// The content of a variable.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Content> {
        self.variables.iter().find(|v| v.name == name).map(|v| &v.value)
    }

    /// The cell of this name.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.name == name)
    }

    /// The state as a picture: an SVG document with light and dark colours and a text for those who do not see it.
    ///
    /// ```
    /// use catena::{Verdict, Verifier};
    ///
    /// let source = r"struct node { struct node *next; };
    ///     /*@ requires \list(next, l); @*/
    ///     struct node *second(struct node *l) { return l->next; }";
    /// let report = Verifier::new().verify("list.c", source)?;
    /// let Verdict::Violated(trace) = report.functions()[0].verdict() else { panic!("{report}") };
    /// assert!(trace.entry.svg().starts_with("<svg "));
    /// // The state in which the run fails, with what is wrong marked.
    /// assert!(trace.svg().contains("culprit"));
    /// # Ok::<(), catena::findings::VerifyError>(())
    /// ```
    #[must_use]
    pub fn svg(&self) -> String {
        picture::of_state(self).svg(0, &picture::describe::state(self))
    }

    /// The state as a graph in the language of Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        picture::of_state(self).dot(0, "")
    }
}

/// The state as text, as the program `catena` prints it: one line per variable, lists as chains of cells.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.drawn.join("\n"))
    }
}

/// A variable and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: Content,
}

/// A cell of the heap, or a variable whose address is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cell {
    /// Its name in this trace.
    pub name: String,
    /// Its struct.
    pub kind: String,
    /// Whether it may be accessed.
    pub status: Status,
    /// The fields that the program or its annotations mention, in the order of the struct.
    pub fields: Vec<Variable>,
}

impl Cell {
    /// The content of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Content> {
        self.fields.iter().find(|field| field.name == name).map(|field| &field.value)
    }
}

/// Whether a cell may be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// It is on the heap.
    Allocated,
    /// It is a variable of a function that has not returned.
    Automatic,
    /// It was freed.
    Freed,
}

/// What a variable, a field or an element of an array holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// An integer.
    Int(i128),
    /// The null pointer.
    Null,
    /// A pointer to the cell of this name.
    Cell(String),
    /// A pointer to a field of the cell of this name.
    Field {
        /// The cell.
        cell: String,
        /// The field.
        field: String,
    },
    /// A pointer that leads to nothing that was ever allocated.
    Wild,
    /// The elements of an array, the first ones if there are many.
    Array(Vec<Content>),
}

/// What could not be excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weakness {
    /// What may fail.
    pub message: String,
    /// The class that it belongs to.
    pub check: Check,
    /// The statement or clause that may fail.
    pub place: Option<Place>,
    /// What may help.
    pub hint: Option<String>,
    /// A state that the invariants allow and that fails, if one was found.
    pub state: Option<State>,
    /// What the engine could not exclude, in its own words.
    pub abstract_trace: Vec<AbstractStep>,
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

/// What the check of a certificate says about one function and behavior.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The text that has the function.
    pub file: String,
    /// Name of the function.
    pub function: String,
    /// The behavior, if it is a named one.
    pub behavior: Option<String>,
    /// Whether the evidence holds.
    pub standing: Standing,
    /// What was shown, or what is wrong, for people.
    pub note: String,
}

/// Whether evidence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// A proof was checked, or a failing run was made again.
    Certified,
    /// Nothing was found wrong on small instances, which is no proof.
    Tested,
    /// The evidence does not show what it claims.
    Rejected,
    /// There is no evidence.
    Missing,
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
    Stopped(Stop),
    /// There is no function of this name to verify.
    NoFunction(String),
    /// No function has a behavior of this name.
    NoBehavior(String),
    /// The certificate cannot be read.
    Certificate(String),
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
            VerifyError::NoFunction(name) => write!(f, "there is no function `{name}` to verify"),
            VerifyError::NoBehavior(name) => write!(f, "no function has a behavior `{name}`"),
            VerifyError::Certificate(why) => f.write_str(why),
            VerifyError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for VerifyError {}
