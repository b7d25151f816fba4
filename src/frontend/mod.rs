//! Front ends: text in, terms and programs out.
//!
//! A front end knows the term store and the program representation and nothing of the engines. Whatever the
//! user wrote wrong comes back as a value with a position; no input makes a reader panic or overflow the stack.

pub mod c;
pub mod diagnostic;
pub mod smtlib;
pub(crate) mod spec;
