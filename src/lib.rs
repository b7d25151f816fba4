//! Catena decides formulas about linked heap structures.

#![forbid(unsafe_code)]

pub mod engine;
pub mod logic;
pub mod rules;
pub mod sat;
pub mod util;
