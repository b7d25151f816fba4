//! The decision procedures.

pub mod arith;
pub mod heap;
pub(crate) mod theory;
