//! Front ends: text in, terms out.
//!
//! A reader knows the term store and nothing of the engines; only a dialogue asks a solver. Whatever the user wrote wrong comes back
//! as a value with a position; no input makes a reader panic or overflow the stack.

pub mod smtlib;
