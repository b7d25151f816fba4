//! Generators and oracles: random formulas, small models, search by enumeration, shrinking.
//!
//! Ordinary library code behind the feature `testing`, shared by property tests, fuzz targets and the
//! torture example. The oracles go back to [`crate::logic::Evaluator`] and to nothing else: no engine of
//! the crate is used here, so an engine and its oracle cannot be wrong together. Everything is a function
//! of its seed.

pub mod as_test;
pub mod brute;
pub mod families;
pub mod formulas;
pub mod models;
pub mod shrink;

pub use brute::{Brute, decide_by_enumeration};
pub use formulas::{Generate, Problem};
