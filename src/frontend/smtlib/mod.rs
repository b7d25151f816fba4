//! SMT-LIB 2.6: scripts and dialogues, with the indexed predicates `(_ reach f)` and `(_ between f)`.
//!
//! Layers, each usable alone: [`stream`] cuts bytes into commands as they arrive, [`sexpr`] a command into a
//! tree, [`elaborate`] turns a tree into a term, [`stack`] keeps what was declared and asserted. On these stand
//! [`dialogue`], which answers, [`reader`], which only collects the assertions of a script, and [`proof`], which
//! reads proofs. Every walk keeps its own stack: input nested 100,000 deep is
//! as good as flat input, and `let` costs the same at every depth.
//!
//! Deliberately missing: parametric datatypes, reals, bit vectors, arrays; datatypes and recursive definitions
//! beyond those of cells and heap predicates. What is refused and could have constrained the problem turns later
//! `sat` answers into `unknown` ([`refuse`]).

pub mod context;
#[cfg(not(catena_certify_alone))]
pub mod dialogue;
pub mod elaborate;
pub mod error;
mod names;
mod operators;
pub mod proof;
mod quantify;
#[cfg(feature = "testing")]
pub mod reader;
#[cfg(not(catena_certify_alone))]
pub mod recognise;
pub mod refuse;
pub mod sep;
pub mod sexpr;
mod sorts;
pub mod stack;
pub mod status;
pub mod stream;

pub use error::ReadError;
#[cfg(feature = "testing")]
pub use reader::{Check, Script, read};
pub use status::Status;
