//! What a caller may configure, and what a check answers.

use crate::logic::{Model, TermId};
use crate::proof::Proof;
use crate::sat::Backend;
use crate::util::limits::Stop;
use crate::util::options;

/// What a solver does beside answering.
#[derive(Clone, Debug)]
pub struct Config {
    /// Keep a proof of every `unsat`. Costs memory and some time.
    pub proofs: bool,
    /// Make cores minimal by deletion, within a budget proportional to the check itself.
    pub minimise_cores: bool,
    /// Search with this SAT solver offline instead of with the justification-driven search. Slower; a
    /// second opinion.
    pub offline: Option<Backend>,
    /// Which procedures may answer.
    pub route: Route,
}

/// Which procedures may answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// EPR problems are grounded, everything else is searched.
    #[default]
    Auto,
    /// Always the search; it decides EPR as well, by instances from models.
    Search,
}

impl Default for Config {
    fn default() -> Config {
        Config { proofs: false, minimise_cores: true, offline: offline(), route: Route::Auto }
    }
}

/// What the option says.
fn offline() -> Option<Backend> {
    match options::SEARCH_BACKEND.get() {
        0 => None,
        #[cfg(feature = "varisat")]
        2 => Some(Backend::Varisat),
        _ => Some(Backend::Own),
    }
}

/// The answer to a check.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable, with a model that was evaluated against every assertion and assumption.
    Sat(Box<Model>),
    /// Unsatisfiable.
    Unsat(Refutation),
    /// Not decided, and why.
    Unknown(Reason),
}

/// Why an unsatisfiable problem is so.
#[derive(Clone, Debug, Default)]
pub struct Refutation {
    /// Names of named assertions that are needed.
    pub names: Vec<String>,
    /// Assumptions that are needed.
    pub assumptions: Vec<TermId>,
    /// The proof, if the solver keeps proofs.
    pub proof: Option<Proof>,
}

/// Why a check has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A limit was reached.
    Stopped(Stop),
    /// The formula is outside the fragments that are decided completely.
    Incomplete {
        /// The subformula that could not be dealt with.
        formula: TermId,
        /// What about it, in words.
        what: String,
    },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Stopped(stop) => stop.fmt(f),
            Reason::Incomplete { what, .. } => f.write_str(what),
        }
    }
}
