//! Separation logic in scripts: the SL-COMP dialect, by translation to reachability.
//!
//! - [`read`] has the commands and terms of the dialect;
//! - [`symbolic`] brings a description of the heap into the form `pure parts, cells, predicate calls`, one per
//!   disjunct;
//! - [`shape`] finds out what a recursive definition defines, mostly a [`chain`];
//! - [`describe`] unfolds calls;
//! - [`atoms`] says what cells and segments are in the reachability logic;
//! - [`data`] adds what segments say about the data of their cells;
//! - [`mod@translate`] turns a list of assertions about one heap into formulas that the solver decides;
//! - [`inductive`] takes over where a definition is no chain;
//! - [`model`] reads the heap off a model and evaluates the assertions in it as they were written.
//!
//! What is trusted: an answer `sat` is evaluated by [`crate::logic::sep::eval`], which knows nothing of the
//! translation. An answer `unsat` carries a proof of the translated formulas, so there the translation is part
//! of what is trusted; it is held against all small heaps in tests.

pub mod atoms;
pub mod chain;
pub mod data;
pub mod describe;
#[cfg(not(catena_certify_alone))]
pub mod inductive;
pub mod model;
pub mod read;
pub mod shape;
pub mod symbolic;
pub mod translate;

pub use model::HeapModel;
pub use translate::{Translation, translate};

/// Why formulas about the heap are outside what is decided: the reason of an `unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside(pub String);

impl Outside {
    fn new(what: impl Into<String>) -> Outside {
        Outside(what.into())
    }
}

impl std::fmt::Display for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Outside {}
