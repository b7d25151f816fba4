//! The decision procedures.

pub mod arith;
pub(crate) mod ground;
pub(crate) mod theory;
