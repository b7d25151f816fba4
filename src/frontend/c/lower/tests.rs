//! Tests of lowering.
