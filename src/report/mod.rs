//! What users read: diagnostics as text and JSON.

pub mod diagnostic;
