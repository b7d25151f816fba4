//! Tests of the arithmetic solver: brute force, replayed derivations, traces, large numbers.

mod brute;
mod hard;
mod replay;
mod traces;
