//! Tests of the preprocessor.
