//! Inference rules as data.
//!
//! `rules/*.rules` hold the rules in a small language (`syntax`, `parse`). The build script compiles
//! each rule and each choice of newest premise into a matcher (`redundant`, `plan`, `codegen`; run by
//! `matcher`); the same text is read at run time into a `table` that is interpreted wherever trust
//! matters more than speed: by the proof checker, and by the gate (`check`, with `interpret`, `heaps`,
//! `closed` and `agree`) that every rule has to pass. `shape` holds what is known of structures over
//! several fields, with a gate of its own.

pub mod agree;
pub mod check;
pub mod closed;
#[cfg(feature = "testing")]
pub mod codegen;
pub mod heaps;
pub mod interpret;
pub mod matcher;
pub mod parse;
pub mod plan;
pub mod redundant;
pub mod shape;
pub mod syntax;
pub mod table;

#[cfg(test)]
mod tests;
