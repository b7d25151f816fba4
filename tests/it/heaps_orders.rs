//! The rows of Bohne with names and orders changed that mean nothing.

use crate::heaps::loaded;
use catena::analysis::{Setup, heaps};
use catena::program::Question;

/// Tracked predicates in other orders and variables with other names: the verdict is the same, with a context too.
#[test]
fn names_and_orders_do_not_matter() {
    let rows = [
        ("dll_add_last", "verified"),
        ("list_reverse", "verified"),
        ("sorted_list_add", "too-weak"),
        ("skiplist_add", ""),
        ("tree_add", "too-weak"),
        ("parent_tree_add", "too-weak"),
        ("linear_array_inv", "verified"),
    ];
    for (row, without_context) in rows {
        let file = format!("bohne/{row}.c");
        for turn in 1..4 {
            let mut program = loaded(&file);
            let n = program.tracks.len();
            program.tracks.rotate_left(turn % n);
            if turn % 2 == 1 {
                program.tracks.reverse();
            }
            let last = program.vars.len();
            for (i, var) in program.vars.iter_mut().enumerate() {
                var.name = format!("v{}", (last - i) * turn);
            }
            let question = Question::of_contract(0);
            let outcome = heaps::run(&program, &question, &Setup::default(), &|_| {});
            assert_eq!(outcome.verdict.word(), "verified", "{row}, turn {turn}");
            if without_context.is_empty() || turn > 1 {
                continue;
            }
            for (context, expected) in
                [(heaps::Context::None, without_context), (heaps::Context::Joint, "verified")]
            {
                let with = (context, &mut heaps::Cache::default());
                let outcome = heaps::run_in_context(&program, &question, &Setup::default(), with, &|_| {});
                assert_eq!(outcome.verdict.word(), expected, "{row} with {context:?}");
            }
        }
    }
}
