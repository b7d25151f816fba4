//! Suite `pdr`: Tables 6, 7 and 8 of "Property-Directed Shape Analysis" (CAV 2014), with the paper's figures
//! (1.7 GHz Core i5, Z3 4.3.2), and programs of the text.

use super::Row;
use crate::analysis::Predicates;
use crate::analysis::lazy::Columns;
use crate::portfolio::Engine;

/// A row: name, column, file, behaviour, expected verdict, and the paper's figures by name.
macro_rules! row {
    ($name:literal, $column:literal, $file:literal, $behavior:literal, $expected:literal $(, $key:literal = $value:literal)*) => {
        Row {
            row: $name,
            column: $column,
            text: include_str!(concat!("../../../tests/programs/pdr/", $file, ".c")),
            functions: &[],
            behavior: Some($behavior),
            engine: Engine::Pdr,
            checks: &[],
            columns: Columns::BOTH,
            expected: $expected,
            paper: &[$(($key, $value)),*],
        }
    };
}

/// The rows in the order of the tables.
pub(super) const ROWS: &[Row] = &[
    row!(
        "create",
        "safety",
        "create",
        "safety",
        "verified",
        "s" = "1.37",
        "frames" = "3",
        "calls" = "28",
        "clauses" = "3"
    ),
    row!(
        "delete",
        "safety",
        "delete",
        "safety",
        "verified",
        "s" = "14.55",
        "frames" = "4",
        "calls" = "61",
        "clauses" = "6"
    ),
    row!(
        "delete_all",
        "safety",
        "delete_all",
        "safety",
        "verified",
        "s" = "6.77",
        "frames" = "3",
        "calls" = "72",
        "clauses" = "6"
    ),
    row!(
        "filter",
        "safety",
        "filter",
        "safety",
        "verified",
        "s" = "2.37",
        "frames" = "3",
        "calls" = "27",
        "clauses" = "4"
    ),
    row!(
        "insert",
        "safety",
        "insert",
        "safety",
        "verified",
        "s" = "26.38",
        "frames" = "5",
        "calls" = "220",
        "clauses" = "16"
    ),
    row!(
        "prev",
        "safety",
        "prev",
        "safety",
        "verified",
        "s" = "0.21",
        "frames" = "2",
        "calls" = "3",
        "clauses" = "0"
    ),
    row!(
        "last",
        "safety",
        "last",
        "safety",
        "verified",
        "s" = "0.33",
        "frames" = "2",
        "calls" = "3",
        "clauses" = "0"
    ),
    row!(
        "reverse",
        "safety",
        "reverse",
        "safety",
        "verified",
        "s" = "5.35",
        "frames" = "5",
        "calls" = "128",
        "clauses" = "4"
    ),
    row!(
        "sorted_insert",
        "safety",
        "sorted_insert",
        "safety",
        "verified",
        "s" = "41.07",
        "frames" = "3",
        "calls" = "48",
        "clauses" = "7"
    ),
    row!(
        "sorted_merge",
        "safety",
        "sorted_merge",
        "safety",
        "verified",
        "s" = "26.69",
        "frames" = "4",
        "calls" = "87",
        "clauses" = "10"
    ),
    row!(
        "make_doubly_linked",
        "safety",
        "make_doubly_linked",
        "safety",
        "verified",
        "s" = "18.91",
        "frames" = "3",
        "calls" = "44",
        "clauses" = "5"
    ),
    row!(
        "create",
        "new_cells",
        "create",
        "new_cells",
        "verified",
        "s" = "8.19",
        "frames" = "4",
        "calls" = "96",
        "clauses" = "7"
    ),
    row!(
        "delete",
        "removed",
        "delete",
        "removed",
        "verified",
        "s" = "9.32",
        "frames" = "3",
        "calls" = "67",
        "clauses" = "7"
    ),
    row!(
        "delete_all",
        "freed",
        "delete_all",
        "freed",
        "verified",
        "s" = "37.35",
        "frames" = "7",
        "calls" = "308",
        "clauses" = "12"
    ),
    row!(
        "filter",
        "order_kept",
        "filter",
        "order_kept",
        "verified",
        "s" = "55.53",
        "frames" = "5",
        "calls" = "94",
        "clauses" = "5"
    ),
    row!(
        "insert",
        "inserted",
        "insert",
        "inserted",
        "verified",
        "s" = "25.25",
        "frames" = "4",
        "calls" = "155",
        "clauses" = "13"
    ),
    row!(
        "prev",
        "before",
        "prev",
        "before",
        "verified",
        "s" = "11.64",
        "frames" = "4",
        "calls" = "118",
        "clauses" = "6"
    ),
    row!(
        "last",
        "is_last",
        "last",
        "is_last",
        "verified",
        "s" = "7.49",
        "frames" = "3",
        "calls" = "41",
        "clauses" = "4"
    ),
    row!(
        "reverse",
        "order_reversed",
        "reverse",
        "order_reversed",
        "verified",
        "s" = "146.42",
        "frames" = "6",
        "calls" = "723",
        "clauses" = "11"
    ),
    row!(
        "sorted_insert",
        "stays_sorted",
        "sorted_insert",
        "stays_sorted",
        "verified",
        "s" = "51.46",
        "frames" = "4",
        "calls" = "134",
        "clauses" = "10"
    ),
    row!(
        "sorted_merge",
        "with_order",
        "sorted_merge",
        "with_order",
        "verified",
        "s" = "256.41",
        "frames" = "5",
        "calls" = "140",
        "clauses" = "14"
    ),
    row!(
        "make_doubly_linked",
        "inverse",
        "make_doubly_linked",
        "inverse",
        "verified",
        "s" = "1086.61",
        "frames" = "5",
        "calls" = "112",
        "clauses" = "8"
    ),
    row!(
        "insert: e may be null",
        "bug",
        "insert_bug",
        "bug",
        "violated",
        "s" = "4.46",
        "frames" = "1",
        "calls" = "17",
        "size" = "8"
    ),
    row!(
        "filter: null dereference",
        "bug",
        "filter_bug1",
        "bug",
        "violated",
        "s" = "6.3",
        "frames" = "1",
        "calls" = "21",
        "size" = "3"
    ),
    row!(
        "filter: head for iterator",
        "bug",
        "filter_bug2",
        "bug",
        "violated",
        "s" = "103.1",
        "frames" = "3",
        "calls" = "79",
        "size" = "4"
    ),
    row!(
        "reverse: cycle created",
        "bug",
        "reverse_bug",
        "bug",
        "violated",
        "s" = "0.96",
        "frames" = "1",
        "calls" = "9",
        "size" = "2"
    ),
    row!("insert: variant of Figure 2", "bug", "insert_bug", "figure2", "violated"),
    row!("Example 1", "safety", "example1", "safety", "verified"),
    row!("sorted_merge", "stays_sorted", "sorted_merge", "stays_sorted", "verified"),
    row!("insert, rotated", "safety", "insert_rotated", "safety", "verified"),
    row!("insert, rotated", "inserted", "insert_rotated", "inserted", "verified"),
    row!("insert: Figure 1 to the letter", "inserted", "insert_bug", "literal", "verified"),
    row!("make_doubly_linked", "inverse, paper's family", "make_doubly_linked", "inverse", "too-weak"),
    row!("sorted_insert", "stays_sorted, paper's family", "sorted_insert", "stays_sorted", "too-weak"),
    row!("filter", "order_kept, paper's family", "filter", "order_kept", "too-weak"),
    row!("create", "safety, no predicates", "create", "safety", "verified"),
    row!("delete", "safety, no predicates", "delete", "safety", "verified"),
    row!("delete_all", "safety, no predicates", "delete_all", "safety", "verified"),
    row!("filter", "safety, no predicates", "filter", "safety", "verified"),
    row!("insert", "safety, no predicates", "insert", "safety", "verified"),
    row!("prev", "safety, no predicates", "prev", "safety", "verified"),
    row!("last", "safety, no predicates", "last", "safety", "verified"),
    row!("reverse", "safety, no predicates", "reverse", "safety", "verified"),
    row!("sorted_insert", "safety, no predicates", "sorted_insert", "safety", "verified"),
    row!("sorted_merge", "safety, no predicates", "sorted_merge", "safety", "verified"),
    row!("make_doubly_linked", "safety, no predicates", "make_doubly_linked", "safety", "verified"),
    row!("create", "new_cells, no predicates", "create", "new_cells", "verified"),
    row!("delete", "removed, no predicates", "delete", "removed", "verified"),
    row!("delete_all", "freed, no predicates", "delete_all", "freed", "verified"),
    row!("filter", "order_kept, no predicates", "filter", "order_kept", "verified"),
    row!("insert", "inserted, no predicates", "insert", "inserted", "verified"),
    row!("prev", "before, no predicates", "prev", "before", "verified"),
    row!("last", "is_last, no predicates", "last", "is_last", "verified"),
    row!("reverse", "order_reversed, no predicates", "reverse", "order_reversed", "verified"),
    row!("sorted_insert", "stays_sorted, no predicates", "sorted_insert", "stays_sorted", "verified"),
    row!("sorted_merge", "with_order, no predicates", "sorted_merge", "with_order", "verified"),
    row!("make_doubly_linked", "inverse, no predicates", "make_doubly_linked", "inverse", "verified"),
    row!("insert: e may be null", "bug, no predicates", "insert_bug", "bug", "violated"),
    row!("filter: null dereference", "bug, no predicates", "filter_bug1", "bug", "violated"),
    row!("filter: head for iterator", "bug, no predicates", "filter_bug2", "bug", "violated"),
    row!("reverse: cycle created", "bug, no predicates", "reverse_bug", "bug", "violated"),
    row!("insert: variant of Figure 2", "bug, no predicates", "insert_bug", "figure2", "violated"),
    row!("Example 1", "safety, no predicates", "example1", "safety", "verified"),
    row!("sorted_merge", "stays_sorted, no predicates", "sorted_merge", "stays_sorted", "verified"),
];

/// What the invariants of a row are made of: its column says if that is not the derived predicates.
pub(super) fn predicates(row: &Row) -> Predicates {
    match row.column {
        column if column.ends_with(PAPER) => Predicates::Paper,
        column if column.ends_with(UNIVERSAL) => Predicates::None,
        _ => Predicates::Derived,
    }
}

/// Columns that restrict the predicates to the families that the paper prints.
const PAPER: &str = ", paper's family";
/// Columns without predicates.
const UNIVERSAL: &str = ", no predicates";
