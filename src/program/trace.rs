//! Concrete runs as evidence: the states from the entry to a failure.

use super::command::Check;
use super::decl::EdgeId;
use super::state::State;
use crate::util::span::Span;

/// A concrete run from the entry to a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// State at the entry.
    pub initial: State,
    /// Each step with the state after it; the last one is the failing step, whose state is the one in which it failed.
    pub steps: Vec<Step>,
    /// How many steps are left out between the initial state and the first of `steps` (very long runs).
    pub omitted: u64,
    /// What failed.
    pub failure: Failure,
    /// What was chosen on the way, in order: with it the interpreter makes exactly this run again.
    pub choices: Vec<i128>,
    /// Whether the fields of new cells were among the choices.
    pub fills: bool,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The edge taken.
    pub edge: EdgeId,
    /// The state after it.
    pub state: State,
}

/// How a run fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Property class.
    pub check: Check,
    /// For people: "null dereference of `x`", "postcondition does not hold".
    pub message: String,
    /// The failing statement or clause.
    pub span: Span,
}
