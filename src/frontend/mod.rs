//! Front ends: text in, terms and programs out.
//!
//! A reader knows the term store and the program representation and nothing of the engines; only a dialogue
//! asks a solver. Whatever the user wrote wrong comes back as a value with a position; no input makes a reader
//! panic or overflow the stack.

#[cfg(feature = "verify")]
pub mod c;
#[cfg(feature = "verify")]
pub mod diagnostic;
#[cfg(feature = "verify")]
pub(crate) mod nearest;
pub mod smtlib;
#[cfg(feature = "verify")]
pub(crate) mod spec;
