//! The engines that prove or refute programs. Each is one function from a program and a question to an
//! outcome; none of them knows another.
//!
//! An engine polls its [`Setup`]'s limits in every loop, is deterministic, and answers `Violated` only with a
//! run that the interpreter made.

pub mod heaps;
pub mod lazy;
pub mod monotone;
pub mod pdr;
pub mod trees;
pub mod vc;

use crate::program::explore::Searches;
use crate::program::{Program, Question};
use crate::util::limits::Limits;
use crate::verdict::{Author, Language, Outcome};

/// What an engine is given besides program and question.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Time, steps, memory, and the token by which another thread stops the run.
    pub limits: Limits,
    /// Threads it may use; 0 and 1 mean none besides its own.
    pub jobs: usize,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// Which variants of the papers' algorithms run.
    pub variants: Variants,
    /// Bounded search for failing runs, with a memory that engines share.
    pub searches: Searches,
    /// A certificate is wanted: evidence about the program as it is comes before a quicker answer.
    pub certificates: bool,
}

/// Variants of the papers' algorithms, for tables and experiments. The default is what is best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variants {
    /// What the invariants of `pdr` are made of.
    pub predicates: Predicates,
    /// The Cartesian post of the paper with this context, in `heaps`.
    pub context: Option<heaps::Context>,
    /// What `lazy` refines.
    pub columns: lazy::Columns,
}

/// The predicates of engine `pdr`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Predicates {
    /// Derived from program and property, and refined when they are too weak.
    #[default]
    Derived,
    /// Only the families that the paper prints; nothing is refined.
    Paper,
    /// None: universally quantified clauses from diagrams of finite models.
    None,
}

/// An engine: one function from a program and a question to an outcome.
pub trait Engine: Sync {
    /// Who it is.
    fn author(&self) -> Author;

    /// What programs it is for, in a few words.
    fn takes(&self) -> &'static str;

    /// In which language its evidence for `verified` is; `None` is that of annotations, loop invariants.
    fn evidence(&self) -> Option<Language> {
        None
    }

    /// Whether a program has what the engine cannot do without.
    fn suits(&self, _program: &Program) -> bool {
        true
    }

    /// Proves or refutes one contract of a function.
    fn run(&self, program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome;
}

/// All engines.
pub const ENGINES: [&dyn Engine; 5] = [&vc::Vc, &pdr::Pdr, &heaps::Heaps, &monotone::Monotone, &lazy::Lazy];

/// Whether every loop has an invariant.
#[must_use]
pub fn is_annotated(program: &Program) -> bool {
    program.loops.iter().all(|l| !l.invariants.is_empty())
}

/// Where an engine tells how far it is. Called often; cheap to ignore.
pub type Progress<'a> = &'a (dyn Fn(&str) + Sync);
