//! The SAT interface.
