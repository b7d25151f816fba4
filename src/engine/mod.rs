//! The decision procedures.

pub mod arith;
