//! Engine `monotone`: backward reachability over signatures, after monotonic abstraction.

pub mod entry;
pub mod exit;
pub mod facts;
pub mod model;
pub mod order;
pub mod pattern;
pub mod pre;
pub mod search;
pub mod shape;
pub mod signature;
#[cfg(test)]
mod tests;
pub mod text;
