//! The decision procedures.

pub mod arith;
pub(crate) mod clausify;
pub(crate) mod construct;
pub(crate) mod definitions;
pub mod fragment;
pub(crate) mod kernel;
pub(crate) mod quantify;
pub(crate) mod relevancy;
pub(crate) mod search;
pub mod solver;
pub(crate) mod theory;
