//! The context against brute force: every small heap is enumerated, every statement executed on it.

mod axioms;
mod evaluation;
mod oracle;
mod pitfalls;
mod programs;
mod satisfiability;
