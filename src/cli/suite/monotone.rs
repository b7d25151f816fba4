//! Suite `monotone`: Table 1 of the paper on monotonic abstraction, other forms of its tree insertion, and the
//! broken variants of all programs.

use super::Row;
use crate::analysis::lazy::Columns;
use crate::portfolio::Engine;
use crate::program::Check;

/// Everything that the paper checks: no garbage either.
const WHOLE: &[Check] = &[Check::Memsafety, Check::Asserts, Check::Ensures, Check::Garbage];

macro_rules! row {
    ($row:literal, $column:literal, $file:literal, $expected:literal, $checks:expr, $paper:expr) => {
        Row {
            row: $row,
            column: $column,
            text: include_str!(concat!("../../../tests/programs/monotone/", $file, ".c")),
            functions: &[],
            behavior: None,
            engine: Engine::Monotone,
            checks: $checks,
            columns: Columns::BOTH,
            expected: $expected,
            paper: $paper,
        }
    };
}

/// The rows, those of the table first in each group.
pub(super) const ROWS: &[Row] = &[
    row!("traverse", "correct", "traverse", "verified", WHOLE, &[("time", "11.4 s"), ("signatures", "294")]),
    row!("traverse", "advances head", "traverse-advances_head", "violated", WHOLE, &[]),
    row!("traverse", "frees", "traverse-frees", "violated", WHOLE, &[]),
    row!("traverse", "no null test", "traverse-no_null_test", "violated", WHOLE, &[]),
    row!("traverse", "writes prev", "traverse-writes_prev", "violated", WHOLE, &[]),
    row!("insert", "correct", "insert", "verified", WHOLE, &[("time", "3.5 s"), ("signatures", "121")]),
    row!("insert", "next back", "insert-next_back", "violated", WHOLE, &[]),
    row!("insert", "next not set", "insert-next_not_set", "violated", WHOLE, &[]),
    row!("insert", "no back link", "insert-no_back_link", "violated", WHOLE, &[]),
    row!("insert", "no null test", "insert-no_null_test", "violated", WHOLE, &[]),
    row!("insert", "prev not set", "insert-prev_not_set", "violated", WHOLE, &[]),
    row!("insert", "result not set", "insert-result_not_set", "violated", WHOLE, &[]),
    row!("insert", "second cell", "insert-second_cell", "violated", WHOLE, &[]),
    row!(
        "ordered insert",
        "correct",
        "ordered_insert",
        "verified",
        WHOLE,
        &[("time", "19.4 s"), ("signatures", "793")]
    ),
    row!("ordered insert", "exchanged", "ordered_insert-exchanged", "violated", WHOLE, &[]),
    row!("ordered insert", "head not set", "ordered_insert-head_not_set", "violated", WHOLE, &[]),
    row!("ordered insert", "no next", "ordered_insert-no_next", "violated", WHOLE, &[]),
    row!("ordered insert", "no null test", "ordered_insert-no_null_test", "violated", WHOLE, &[]),
    row!("ordered insert", "no prev", "ordered_insert-no_prev", "violated", WHOLE, &[]),
    row!("merge", "correct", "merge", "verified", WHOLE, &[("time", "6 min 40 s"), ("signatures", "8171")]),
    row!("merge", "no prev", "merge-no_prev", "violated", WHOLE, &[]),
    row!("merge", "no prev at tail", "merge-no_prev_at_tail", "violated", WHOLE, &[]),
    row!("merge", "no rest", "merge-no_rest", "violated", WHOLE, &[]),
    row!("merge", "or", "merge-or", "violated", WHOLE, &[]),
    row!("merge", "prev not reset", "merge-prev_not_reset", "verified", WHOLE, &[]),
    row!("merge", "u stays", "merge-u_stays", "violated", WHOLE, &[]),
    row!("reverse", "correct", "reverse", "verified", WHOLE, &[("time", "10.8 s"), ("signatures", "395")]),
    row!("reverse", "no prev", "reverse-no_prev", "violated", WHOLE, &[]),
    row!("reverse", "null next", "reverse-null_next", "violated", WHOLE, &[]),
    row!("reverse", "old head", "reverse-old_head", "violated", WHOLE, &[]),
    row!("reverse", "reread", "reverse-reread", "violated", WHOLE, &[]),
    row!(
        "tree search",
        "correct",
        "tree_search",
        "verified",
        WHOLE,
        &[("time", "1.2 s"), ("signatures", "51")]
    ),
    row!("tree search", "copies child", "tree_search-copies_child", "violated", WHOLE, &[]),
    row!("tree search", "frees", "tree_search-frees", "violated", WHOLE, &[]),
    row!("tree search", "no null test", "tree_search-no_null_test", "violated", WHOLE, &[]),
    row!("tree search", "writes left", "tree_search-writes_left", "violated", WHOLE, &[]),
    row!(
        "tree insert",
        "correct",
        "tree_insert",
        "verified",
        WHOLE,
        &[("time", "6.8 s"), ("signatures", "241")]
    ),
    row!("tree insert", "both fields", "tree_insert-both_fields", "violated", WHOLE, &[]),
    row!("tree insert", "field not set", "tree_insert-field_not_set", "violated", WHOLE, &[]),
    row!("tree insert", "leaf to root", "tree_insert-leaf_to_root", "violated", WHOLE, &[]),
    row!("tree insert", "lost leaf", "tree_insert-lost_leaf", "violated", WHOLE, &[]),
    row!("tree insert", "no empty test", "tree_insert-no_empty_test", "violated", WHOLE, &[]),
    row!("tree insert overwriting", "correct", "tree_insert_overwriting", "verified", &[], &[]),
    row!("tree insert overwriting", "garbage", "tree_insert_overwriting-garbage", "violated", WHOLE, &[]),
    row!("tree insert early", "correct", "tree_insert_early", "verified", &[], &[]),
    row!("tree insert early", "both fields", "tree_insert_early-both_fields", "violated", &[], &[]),
    row!("rotate", "correct", "rotate", "verified", WHOLE, &[]),
    row!("rotate", "lost subtree", "rotate-lost_subtree", "violated", WHOLE, &[]),
    row!("delete", "correct", "delete", "verified", WHOLE, &[]),
    row!("delete", "no prev", "delete-no_prev", "violated", WHOLE, &[]),
];
