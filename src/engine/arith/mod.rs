//! Linear integer arithmetic.
