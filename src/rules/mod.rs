//! Inference rules as data.
//!
//! `rules/*.rules` hold the rules in a small language (`syntax`, `parse`). The build script compiles
//! each rule and each choice of newest premise into a matcher (`redundant`, `plan`, `codegen`; run by
//! `matcher`); the same text is read at run time into a `table` that is interpreted wherever trust
//! matters more than speed.

pub mod codegen;
pub mod matcher;
pub mod parse;
pub mod plan;
pub mod redundant;
pub mod syntax;
pub mod table;
