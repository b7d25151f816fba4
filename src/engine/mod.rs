//! The decision procedures.

pub mod arith;
pub(crate) mod theory;
