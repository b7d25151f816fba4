//! Inference rules as data.
