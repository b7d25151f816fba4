//! The suites. Each has a file of its own with its rows, in the order of the paper's table.

use super::Row;

/// All suites by name.
pub(super) const SUITES: &[(&str, &[Row])] = &[
    ("lisbq", super::lisbq::ROWS),
    ("pdr", super::pdr::ROWS),
    ("bohne", &[]),
    ("monotone", super::monotone::ROWS),
    ("lazy", &[]),
];
