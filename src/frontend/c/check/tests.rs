//! Tests of the checker.
