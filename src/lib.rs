//! Catena decides formulas about linked heap structures.

#![forbid(unsafe_code)]

pub mod certify;
pub mod engine;
pub mod logic;
pub mod proof;
pub mod rules;
pub mod sat;
pub mod util;
