//! Symbolic heaps with inductive definitions: satisfiability and entailment.
//!
//! Where a definition is no chain that the reachability logic can speak of, these procedures take over. They
//! work on a small form of their own ([`heap`]): variables are numbers, integer arguments are linear sums.
//!
//! - [`pairs`] finds, by one fixpoint over all definitions, which equalities, disequalities and allocated
//!   parameters a predicate can have (the base pairs of Brotherston, Fuhs, Navarro Perez and Gorogiannis,
//!   "A decision procedure for satisfiability in separation logic with inductive predicates"). Without integers this
//!   decides satisfiability; with integers it refutes.
//! - [`unfold`] makes finite heaps out of symbolic ones: along base pairs, or all small ones in turn.
//! - [`prove`] proves entailments by induction on the number of cells.
//! - [`ints`] answers questions about sums.
//!
//! Nothing here answers `sat`: heaps are candidates, which the caller evaluates in the formulas as they were
//! written. A proof by induction has no certificate; the caller must not claim one.

pub mod heap;
pub mod ints;
pub mod pairs;
pub mod prove;
pub mod unfold;

pub use heap::{Arg, Call, Cell, Definition, Fact, Linear, Relation, Rule, SymbolicHeap, System, Var};
pub use ints::Ints;
pub use pairs::{Pairs, Satisfiable};
