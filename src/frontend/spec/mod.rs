//! Annotations: from syntax to formulas about states.
//!
//! Clauses are read by the C parser (their terms are C expressions); here their names are resolved, their types
//! checked and predicates expanded, which gives [`crate::program::Formula`]s in ids of the unit (see
//! [`hir`](crate::frontend::c::hir)). Moments are written out: `\old` and, in `ensures`, parameters become
//! [`At::Entry`](crate::program::At); so are the locations of a contract's `assigns`. Those of `loop assigns`
//! are meant in the state in which the loop's test is evaluated.

mod behavior;
mod builtin;
mod contract;
mod formula;
mod predicate;
mod set;
mod term;
#[cfg(test)]
mod tests;
