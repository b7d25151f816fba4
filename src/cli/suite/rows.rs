//! The suites. Each has a file of its own with its rows, in the order of the paper's table.

use super::{Suite, bohne, lazy_table, lisbq, monotone, pdr};

/// All suites.
pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "lisbq",
        title: "Back to the Future: Revisiting Precise Program Verification using SMT Solvers",
        venue: "POPL 2008",
        table: "Figure 16",
        rows: lisbq::ROWS,
    },
    Suite {
        name: "pdr",
        title: "Property-Directed Shape Analysis",
        venue: "CAV 2014",
        table: "Tables 6, 7 and 8",
        rows: pdr::ROWS,
    },
    Suite {
        name: "bohne",
        title: "Verifying Complex Properties using Symbolic Shape Analysis",
        venue: "HAV 2007",
        table: "Figures 9 and 10",
        rows: bohne::ROWS,
    },
    Suite {
        name: "monotone",
        title: "Monotonic Abstraction for Programs with Multiply-Linked Structures",
        venue: "RP 2011",
        table: "Table 1",
        rows: monotone::ROWS,
    },
    Suite {
        name: "lazy",
        title: "Integrating Shape Analysis into the Model Checker BLAST",
        venue: "master's thesis, EPFL",
        table: "Tables 5.1 and 5.2",
        rows: lazy_table::ROWS,
    },
];
