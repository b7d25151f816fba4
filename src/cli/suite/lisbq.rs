//! Suite `lisbq`: Figure 16 of the LISBQ paper, and broken variants of each program. The paper's figures are
//! seconds with Simplify and the earlier axioms (old), Simplify with the paper's rules (new), and the Z3 of 2007.

use super::Row;
use crate::portfolio::Engine;

macro_rules! row {
    ($row:literal, $column:literal, $file:literal, $expected:literal, $paper:expr) => {
        Row {
            row: $row,
            column: $column,
            text: include_str!(concat!("../../../tests/programs/lisbq/", $file, ".c")),
            functions: &[],
            behavior: None,
            engine: Engine::Vc,
            checks: &[],
            expected: $expected,
            paper: $paper,
        }
    };
}

/// The rows, the figure's first in each group.
pub(super) const ROWS: &[Row] = &[
    row!("iterate", "correct", "iterate", "verified", &[("old", "1.8 s"), ("new", "1.4 s"), ("Z3", "1.5 s")]),
    row!("iterate", "head forgotten", "iterate-head_forgotten", "violated", &[]),
    row!("iterate", "missing invariant", "iterate-missing_invariant", "too-weak", &[]),
    row!("iterate", "not cyclic", "iterate-not_cyclic", "violated", &[]),
    row!("iterate", "wrong value", "iterate-wrong_value", "violated", &[]),
    row!(
        "iterate_acyclic",
        "correct",
        "iterate_acyclic",
        "verified",
        &[("old", "1.7 s"), ("new", "1.5 s"), ("Z3", "1.43 s")]
    ),
    row!("iterate_acyclic", "last skipped", "iterate_acyclic-last_skipped", "violated", &[]),
    row!("iterate_acyclic", "missing invariant", "iterate_acyclic-missing_invariant", "too-weak", &[]),
    row!("iterate_acyclic", "not a list", "iterate_acyclic-not_a_list", "violated", &[]),
    row!("iterate_acyclic", "null dereference", "iterate_acyclic-null_dereference", "violated", &[]),
    row!(
        "slist_add",
        "correct",
        "slist_add",
        "verified",
        &[("old", "1.5 s"), ("new", "1.3 s"), ("Z3", "1.36 s")]
    ),
    row!("slist_add", "list lost", "slist_add-list_lost", "violated", &[]),
    row!("slist_add", "not a list", "slist_add-not_a_list", "violated", &[]),
    row!("slist_add", "value forgotten", "slist_add-value_forgotten", "violated", &[]),
    row!("slist_add", "wrong result", "slist_add-wrong_result", "violated", &[]),
    row!(
        "reverse_acyclic",
        "correct",
        "reverse_acyclic",
        "verified",
        &[("old", "2.0 s"), ("new", "1.4 s"), ("Z3", "1.37 s")]
    ),
    row!("reverse_acyclic", "cycle", "reverse_acyclic-cycle", "violated", &[]),
    row!("reverse_acyclic", "missing invariant", "reverse_acyclic-missing_invariant", "too-weak", &[]),
    row!("reverse_acyclic", "no invariant", "reverse_acyclic-no_invariant", "too-weak", &[]),
    row!("reverse_acyclic", "not a list", "reverse_acyclic-not_a_list", "violated", &[]),
    row!("reverse_acyclic", "prv kept", "reverse_acyclic-prv_kept", "violated", &[]),
    row!(
        "slist_sorted_insert",
        "correct",
        "slist_sorted_insert",
        "verified",
        &[("old", "16.4 s"), ("new", "3.1 s"), ("Z3", "4.85 s")]
    ),
    row!("slist_sorted_insert", "already there", "slist_sorted_insert-already_there", "violated", &[]),
    row!("slist_sorted_insert", "cycle", "slist_sorted_insert-cycle", "violated", &[]),
    row!(
        "slist_sorted_insert",
        "missing invariant",
        "slist_sorted_insert-missing_invariant",
        "too-weak",
        &[]
    ),
    row!("slist_sorted_insert", "wrong order", "slist_sorted_insert-wrong_order", "violated", &[]),
    row!(
        "dlist_add",
        "correct",
        "dlist_add",
        "verified",
        &[("old", "38.9 s"), ("new", "7.1 s"), ("Z3", "1.75 s")]
    ),
    row!("dlist_add", "already there", "dlist_add-already_there", "violated", &[]),
    row!("dlist_add", "lost", "dlist_add-lost", "violated", &[]),
    row!("dlist_add", "null entry", "dlist_add-null_entry", "violated", &[]),
    row!("dlist_add", "wrong prev", "dlist_add-wrong_prev", "violated", &[]),
    row!(
        "dlist_remove",
        "correct",
        "dlist_remove",
        "verified",
        &[("old", "45.4 s"), ("new", "2.4 s"), ("Z3", "1.65 s")]
    ),
    row!("dlist_remove", "head", "dlist_remove-head", "violated", &[]),
    row!("dlist_remove", "not in list", "dlist_remove-not_in_list", "violated", &[]),
    row!("dlist_remove", "one way", "dlist_remove-one_way", "violated", &[]),
    row!("dlist_remove", "wrong next", "dlist_remove-wrong_next", "violated", &[]),
    row!("allocator", "correct", "allocator", "verified", &[("new", "57.1 s"), ("Z3", "2.0 s")]),
    row!("allocator", "exact skipped", "allocator-exact_skipped", "violated", &[]),
    row!("allocator", "missing invariant", "allocator-missing_invariant", "too-weak", &[]),
    row!("allocator", "overlapping", "allocator-overlapping", "violated", &[]),
    row!("allocator", "wrong end", "allocator-wrong_end", "violated", &[]),
    row!("list_appl", "correct", "list_appl", "verified", &[("new", "200.1 s"), ("Z3", "30.22 s")]),
    row!("list_appl", "missing invariant", "list_appl-missing_invariant", "too-weak", &[]),
    row!("list_appl", "not removed", "list_appl-not_removed", "violated", &[]),
    row!("list_appl", "one list", "list_appl-one_list", "violated", &[]),
    row!("list_appl", "state forgotten", "list_appl-state_forgotten", "violated", &[]),
    row!("muh_free", "correct", "muh_free", "verified", &[("Z3", "8.2 s")]),
    row!("muh_free", "aliased", "muh_free-aliased", "violated", &[]),
    row!("muh_free", "double free", "muh_free-double_free", "violated", &[]),
    row!("muh_free", "missing invariant", "muh_free-missing_invariant", "too-weak", &[]),
    row!("muh_free", "use after free", "muh_free-use_after_free", "violated", &[]),
];
