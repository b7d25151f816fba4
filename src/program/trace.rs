//! Concrete runs as evidence: the states from the entry to a failure.

use super::cfg::{Edge, Program, Question};
use super::command::{Check, Command};
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

impl Trace {
    /// Whether it is a run of the program with the bodies of all callees: it passes no call by contract, whose effect
    /// is arbitrary, and does not fail by something that nobody asks about or that has no model.
    #[must_use]
    pub fn is_real(&self, program: &Program, question: &Question) -> bool {
        let by_contract = |e: &Edge| matches!(e.command, Command::Scramble { .. });
        let whole = self.omitted == 0 || !program.calls_by_contract();
        let passes = self.steps.iter().any(|s| by_contract(&program.edges[s.edge.index()]));
        // Where assertions are not asked about, a broken precondition shows that the contract cannot be used.
        let precondition = self.failure.message.starts_with(PRECONDITION) && !question.asks(Check::Asserts);
        let guessed = self.omitted > 0 && program.guesses() || self.guess(program).is_some();
        whole && !passes && !precondition && !guessed && !self.failure.message.starts_with(UNMODELLED)
    }

    /// The first step whose value is a guess: C may not allow it there.
    #[must_use]
    pub fn guess(&self, program: &Program) -> Option<EdgeId> {
        let guesses = |s: &&Step| program.is_guess(&program.edges[s.edge.index()].command);
        self.steps.iter().find(guesses).map(|s| s.edge)
    }

    /// The functions that are called by contract on the way, in order.
    #[must_use]
    pub fn calls_by_contract<'p>(&self, program: &'p Program) -> Vec<&'p str> {
        let label = |step: &Step| match program.edges[step.edge.index()].command {
            Command::Snapshot(label) => program.labels[label.index()].strip_prefix(CALL),
            _ => None,
        };
        self.steps.iter().filter_map(label).collect()
    }
}

/// How the name of the label begins that remembers the state before a call by contract.
pub const CALL: &str = "call of ";
/// How it is said that a callee's precondition is broken.
pub const PRECONDITION: &str = "precondition of ";
/// How it is said that a run goes where the program is no model of C.
pub const UNMODELLED: &str = "what is not modelled: ";

/// How the names of variables begin that hold a guess: any value where C has a certain one that the program does not
/// know. What holds for all values holds in C; what one of them breaks need not be broken.
pub const GUESS: &str = "#guess";

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
