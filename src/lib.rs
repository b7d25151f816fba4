//! Catena decides formulas about linked heap structures.

#![forbid(unsafe_code)]

pub mod certify;
pub mod cli;
pub mod engine;
pub mod frontend;
pub mod logic;
pub mod proof;
pub mod rules;
pub mod sat;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod util;
