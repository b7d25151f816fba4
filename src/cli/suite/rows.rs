//! The suites. Each has a file of its own with its rows, in the order of the paper's table.

use super::{Row, bohne, lazy_table, lisbq, monotone, pdr};

/// All suites by name.
pub(super) const SUITES: &[(&str, &[Row])] = &[
    ("lisbq", lisbq::ROWS),
    ("pdr", pdr::ROWS),
    ("bohne", bohne::ROWS),
    ("monotone", monotone::ROWS),
    ("lazy", lazy_table::ROWS),
];
