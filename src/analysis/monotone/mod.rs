//! Engine `monotone`: backward reachability over signatures, after monotonic abstraction.

pub mod order;
pub mod pre;
pub mod signature;
#[cfg(test)]
mod tests;
