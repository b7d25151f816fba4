//! Tests of annotations.
