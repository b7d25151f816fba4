//! The language: sorts, symbols, hash-consed terms, finite models and their evaluation.
//!
//! A formula is a term of sort Bool. All terms of a problem live in one [`Terms`] store and are named by
//! [`TermId`]s, which are plain numbers: copying, comparing and hashing them is free, and nothing is ever
//! dropped recursively. [`eval`] is the executable semantics; every oracle, model check and certificate in
//! the crate goes back to it.
//!
//! Every walk over terms keeps its own stack, so a term nested 100,000 deep is as good as a flat one. Only
//! nested *quantifiers* recurse, and [`MAX_QUANTIFIER_DEPTH`] bounds them when they are built.

#[cfg(feature = "verify")]
pub mod axiomatise;
pub mod build;
pub mod error;
pub mod eval;
pub(crate) mod intervals;
pub mod lift;
pub mod linear;
pub mod model;
pub mod print;
#[cfg(feature = "verify")]
pub(crate) mod rewrite;
#[cfg(feature = "verify")]
pub mod script;
pub mod sep;
pub mod sort;
pub mod subst;
pub mod symbol;
pub mod term;

pub use error::BuildError;
pub use eval::{EvalError, Evaluator};
pub use linear::LinearForm;
pub use model::{FuncTable, Model, Value};
pub use sort::SortId;
pub use symbol::FuncId;
pub use term::{MAX_QUANTIFIER_DEPTH, Op, TermId, Terms, UNFOLDED_DISTINCT, VarId};
