//! The engines that prove or refute programs. Each is one function from a program and a question to an
//! outcome; none of them knows another.
//!
//! An engine polls its [`Setup`]'s limits in every loop, is deterministic, and answers `Violated` only with a
//! run that the interpreter made.

pub mod heaps;
pub mod lazy;
pub mod monotone;
pub mod pdr;
pub mod vc;

use crate::util::limits::Limits;

/// What an engine is given besides program and question.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Time, steps, memory, and the token by which another thread stops the run.
    pub limits: Limits,
    /// Threads it may use; 0 and 1 mean none besides its own.
    pub jobs: usize,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// What invariants are made of, for the engine that infers them over predicates.
    pub predicates: Predicates,
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

/// Where an engine tells how far it is. Called often; cheap to ignore.
pub type Progress<'a> = &'a (dyn Fn(&str) + Sync);
