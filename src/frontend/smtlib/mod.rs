//! Reading SMT-LIB 2.6 scripts, with the indexed predicates `(_ reach f)` and `(_ between f)`.
//!
//! Three layers, each usable alone: [`sexpr`] cuts text into S-expressions one at a time (so a dialogue can
//! answer each command before it reads the next), [`elaborate`] turns one S-expression into a term,
//! [`reader`] runs the commands of a script. Every walk keeps its own stack: input nested 100,000 deep is
//! as good as flat input, and `let` costs the same at every depth.
//!
//! Deliberately missing: `push`/`pop` and answers (the dialogue adds them), parametric sorts, reals,
//! bit vectors, arrays, datatypes, recursive definitions.

pub mod context;
pub mod elaborate;
pub mod error;
pub mod reader;
pub mod sep;
pub mod sexpr;

pub use error::ReadError;
pub use reader::{Check, Script, Status, read};
