//! Random C that tries the front end: what a text means before anything runs.
//!
//! Each file is a family of programs like those of [`cprograms`](super::cprograms): a function without parameters that
//! returns a number from 0 to 198, the same in the interpreter and compiled. Generators know the values of what
//! they write where that keeps them clear of undefined behaviour.

pub mod control;
pub mod conversions;
pub mod initialisers;
pub mod layout;
pub mod macros;
mod numbers;
pub mod orders;
pub mod recursion;

/// What every program begins with.
pub const PRELUDE: &str = "#include <stdlib.h>
#include <stddef.h>
#include <assert.h>
static unsigned mix(unsigned h, unsigned long v) { return h * 31u + (unsigned)(v ^ (v >> 32)); }
";
