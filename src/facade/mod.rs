//! The front door: the few names at the root of the crate.
//!
//! [`solver`] decides formulas, `verifier` (feature `verify`) proves or refutes C programs. Both are thin: they
//! translate to and from the modules behind them and hold no procedure of their own. What a caller gets wrong is a
//! value, never a panic.

mod build;
#[cfg(feature = "verify")]
pub mod certify;
pub mod dialogue;
pub mod model;
pub mod solver;
#[cfg(feature = "verify")]
pub mod verifier;
