//! Suite `lazy`: Tables 5.1 and 5.2 of the thesis on lazy shape analysis, with its figures (3 GHz Xeon). "Predicates" and
//! "shapes" switch the other half off: that they do not prove a row is the point of the table. The property is
//! that `reach_error` is not reached. "From the root" is "both" with every refinement starting again at the root: what
//! lazy restarts save is the difference of the `signatures`, which are the states computed in all rounds.

use super::Row;
use crate::analysis::lazy::Columns;
use crate::portfolio::Engine;
use crate::program::Check;

/// A row: name, column, file, halves, expected verdict, and the thesis' figures.
macro_rules! row {
    ($name:literal, $column:literal, $file:literal, $columns:expr, $expected:literal, $paper:expr) => {
        Row {
            row: $name,
            column: $column,
            text: include_str!(concat!("../../../tests/programs/lazy/", $file, ".c")),
            functions: &[],
            behavior: None,
            engine: Engine::Lazy,
            checks: &[Check::Asserts],
            columns: $columns,
            expected: $expected,
            paper: $paper,
        }
    };
}

/// The rows in the order of the table.
pub(super) const ROWS: &[Row] = &[
    row!("simple", "predicates", "simple", Columns::PREDICATES, "too-weak", &[("s", "0.16")]),
    row!("simple", "shapes", "simple", Columns::SHAPES, "verified", &[("s", "0.48")]),
    row!("simple", "both", "simple", Columns::BOTH, "verified", &[("s", "0.50"), ("refinements", "1")]),
    row!("simple", "from the root", "simple", Columns::FROM_ROOT, "verified", &[]),
    row!("simple", "with joins", "simple", Columns::JOINS, "verified", &[("s", "0.57")]),
    row!("simple", "broken", "simple-wrong_value", Columns::BOTH, "violated", &[]),
    row!("simple_backw", "predicates", "simple_backw", Columns::PREDICATES, "too-weak", &[("s", "0.36")]),
    row!("simple_backw", "shapes", "simple_backw", Columns::SHAPES, "verified", &[("s", "0.43")]),
    row!(
        "simple_backw",
        "both",
        "simple_backw",
        Columns::BOTH,
        "verified",
        &[("s", "0.60"), ("refinements", "5")]
    ),
    row!("simple_backw", "from the root", "simple_backw", Columns::FROM_ROOT, "verified", &[]),
    row!("simple_backw", "with joins", "simple_backw", Columns::JOINS, "verified", &[("s", "0.62")]),
    row!("simple_backw", "broken", "simple_backw-wrong_value", Columns::BOTH, "violated", &[]),
    row!("list", "predicates", "list", Columns::PREDICATES, "too-weak", &[("s", "0.15")]),
    row!("list", "shapes", "list", Columns::SHAPES, "verified", &[("s", "3.74")]),
    row!("list", "both", "list", Columns::BOTH, "verified", &[("s", "3.80"), ("refinements", "3")]),
    row!("list", "from the root", "list", Columns::FROM_ROOT, "verified", &[]),
    row!("list", "with joins", "list", Columns::JOINS, "verified", &[("s", "6.92")]),
    row!("list", "broken", "list-wrong_end", Columns::BOTH, "violated", &[]),
    row!("list_flag", "predicates", "list_flag", Columns::PREDICATES, "too-weak", &[("s", "0.15")]),
    row!("list_flag", "shapes", "list_flag", Columns::SHAPES, "too-weak", &[("s", "0.26")]),
    row!("list_flag", "both", "list_flag", Columns::BOTH, "verified", &[("s", "0.78"), ("refinements", "4")]),
    row!("list_flag", "from the root", "list_flag", Columns::FROM_ROOT, "verified", &[]),
    row!("list_flag", "with joins", "list_flag", Columns::JOINS, "verified", &[("s", "1.24")]),
    row!("list_flag", "broken", "list_flag-wrong_walk", Columns::BOTH, "violated", &[]),
    row!("alternating", "predicates", "alternating", Columns::PREDICATES, "too-weak", &[("s", "0.20")]),
    row!("alternating", "shapes", "alternating", Columns::SHAPES, "too-weak", &[("s", "0.26")]),
    row!(
        "alternating",
        "both",
        "alternating",
        Columns::BOTH,
        "verified",
        &[("s", "1.15"), ("refinements", "5")]
    ),
    row!("alternating", "from the root", "alternating", Columns::FROM_ROOT, "verified", &[]),
    row!("alternating", "with joins", "alternating", Columns::JOINS, "verified", &[("s", "1.69")]),
    row!("alternating", "broken", "alternating-no_flip", Columns::BOTH, "violated", &[]),
    row!("splice", "predicates", "splice", Columns::PREDICATES, "too-weak", &[("s", "0.68")]),
    row!("splice", "shapes", "splice", Columns::SHAPES, "too-weak", &[("s", "0.66")]),
    row!("splice", "both", "splice", Columns::BOTH, "verified", &[("s", "6.98"), ("refinements", "7")]),
    row!("splice", "from the root", "splice", Columns::FROM_ROOT, "verified", &[]),
    row!("splice", "with joins", "splice", Columns::JOINS, "verified", &[("s", "9.60")]),
    row!("splice", "broken", "splice-wrong_part", Columns::BOTH, "violated", &[]),
];
