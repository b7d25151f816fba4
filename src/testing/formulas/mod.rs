//! Random formulas of the fragments that the crate decides.
//!
//! Each generator is a struct of knobs with [`Generate::generate`], a function of the seed alone. The
//! defaults are small: three or four elements per sort are enough for most satisfiable problems, so
//! [`crate::testing::decide_by_enumeration`] can judge the answer.

mod epr;
mod ground;
mod lisbq;
mod vocabulary;

pub use epr::{AcyclicReach, Epr};
pub use ground::{GroundEuf, GroundReach, LinearInts, Mixed};
pub use lisbq::Lisbq;

use crate::logic::{TermId, Terms};

/// Formulas and the store they live in.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The store.
    pub terms: Terms,
    /// The assertions.
    pub formulas: Vec<TermId>,
}

impl Problem {
    /// The problem as an SMT-LIB script.
    pub fn text(&self) -> String {
        crate::testing::as_test::script(&self.terms, &self.formulas, None)
    }
}

/// How much formula to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many assertions; more of them make more problems unsatisfiable.
    pub assertions: usize,
    /// How deep connectives are nested in an assertion.
    pub depth: usize,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { assertions: 6, depth: 2 }
    }
}

/// A seeded generator of problems.
pub trait Generate {
    /// The problem of this seed; equal seeds give equal problems.
    fn generate(&self, seed: u64) -> Problem;
}

/// One generator of each kind with its default knobs, and its name: for tests that run over all of them.
pub fn all() -> Vec<(&'static str, Box<dyn Generate>)> {
    vec![
        ("euf", Box::new(GroundEuf::default())),
        ("ints", Box::new(LinearInts::default())),
        ("reach", Box::new(GroundReach::default())),
        ("lisbq", Box::new(Lisbq::default())),
        ("epr", Box::new(Epr::default())),
        ("stratified", Box::new(Epr { functions: 2, sorts: 2, max_arity: 2, ..Epr::default() })),
        ("acyclic", Box::new(AcyclicReach::default())),
        ("mixed", Box::new(Mixed::default())),
    ]
}

#[cfg(test)]
mod tests;
