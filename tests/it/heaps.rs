//! The engine `heaps` beyond verdicts, which `regressions` checks: predicates that are found, invariants that can be pasted,
//! contexts, caches and limits.

use catena::analysis::{Setup, heaps, vc};
use catena::frontend::c;
use catena::program::explore::{self, Bound};
use catena::program::{Question, eval, print};
use catena::util::limits::{Budget, Limits};
use catena::verdict::{Certificate, Verdict};

/// The rows of Figure 9 with every predicate taken away: what the paper gives by hand (0, 2, 1, 0, 0, 0, 5) is found.
fn check_untracked(files: &[&str]) {
    for file in files {
        let mut program = loaded(file);
        assert!(!program.tracks.is_empty(), "{file}");
        program.tracks.clear();
        let outcome = heaps::run(&program, &Question::of_contract(0), &Setup::default(), &|_| {});
        assert_eq!(outcome.verdict.word(), "verified", "{file}: {:?}", outcome.verdict);
    }
}

#[test]
fn rows_without_given_predicates() {
    check_untracked(&["bohne/dll_add_last.c", "bohne/sorted_list_add.c"]);
}

#[test]
fn larger_rows_without_given_predicates() {
    check_untracked(&[
        "bohne/list_reverse.c",
        "bohne/skiplist_add.c",
        "bohne/tree_add.c",
        "bohne/parent_tree_add.c",
        "bohne/linear_array_inv.c",
    ]);
}

/// What was tried is said when it does not help.
#[test]
fn what_was_added_is_listed() {
    let mut program = loaded("beyond/heaps_list_of_lists.c");
    program.tracks.clear();
    let outcome = heaps::run(&program, &Question::of_contract(0), &Setup::default(), &|_| {});
    let Verdict::TooWeak(weakness) = &outcome.verdict else { panic!("{:?}", outcome.verdict) };
    let hint = weakness.hint.as_deref().unwrap_or_default();
    assert!(hint.contains("tried as well: x->value == 0, u->items->value == 0"), "{hint}");
}

pub(crate) fn loaded(file: &str) -> catena::program::Program {
    let file = crate::root().join("tests/programs").join(file);
    let text = std::fs::read_to_string(&file).expect("a readable program");
    let unit = c::load(&file.display().to_string(), text.as_bytes(), &c::Options::default());
    let function = unit.functions.into_iter().find(|f| f.name != "main").expect("a function with a contract");
    function.program.expect("lowered")
}

/// The text of a program with the invariants that `heaps` found written before their loops.
fn pasted(file: &str) -> String {
    let program = loaded(file);
    let outcome = heaps::run(&program, &Question::of_contract(0), &Setup::default(), &|_| {});
    let Verdict::Verified(Certificate::Invariants(mut loops)) = outcome.verdict else {
        panic!("{file}: {:?}", outcome.verdict)
    };
    let path = crate::root().join("tests/programs").join(file);
    let mut text = std::fs::read_to_string(path).expect("a readable program");
    loops.sort_by_key(|(l, _)| std::cmp::Reverse(program.loops[l.index()].span.start));
    for (l, formulas) in loops {
        let clause = |f| format!("loop invariant {};\n", print::formula(&program, f));
        let clauses: String = formulas.iter().map(clause).collect();
        text.insert_str(program.loops[l.index()].span.start as usize, &format!("/*@ {clauses} @*/ "));
    }
    text
}

/// What `heaps` prints is an annotation: written into the source and read again, it is proved by `vc` alone.
fn check_pasted(files: &[&str]) {
    for file in files {
        let text = pasted(file);
        let unit = c::load(file, text.as_bytes(), &c::Options::default());
        assert!(!unit.has_errors(), "{file}: {:?}", unit.diagnostics);
        let function = unit.functions.iter().find(|f| f.name != "main").expect("a function with a contract");
        let program = function.program.as_ref().expect("lowered");
        assert!(program.loops.iter().all(|l| !l.invariants.is_empty()), "{file}: not pasted");
        let outcome = vc::run(program, &Question::of_contract(0), &Setup::default(), &|_| {});
        assert_eq!(outcome.verdict.word(), "verified", "{file}: {:?}", outcome.verdict);
    }
}

#[test]
fn invariants_can_be_pasted() {
    check_pasted(&[
        "bohne/dll_add_last.c",
        "bohne/sorted_list_add.c",
        "bohne/tree_add.c",
        "bohne/parent_tree_add.c",
        "bohne/linear_array_inv.c",
        "beyond/heaps_array_reverse.c",
        "beyond/heaps_dll_remove.c",
        "beyond/heaps_list_of_lists.c",
        "beyond/heaps_sorted_remove.c",
    ]);
}

#[test]
fn larger_invariants_can_be_pasted() {
    check_pasted(&[
        "bohne/list_reverse.c",
        "bohne/skiplist_add.c",
        "beyond/heaps_bst_insert.c",
        "beyond/heaps_skiplist_remove.c",
    ]);
}

/// Every state that a run of up to five cells brings to a loop head satisfies the invariant found there.
#[test]
fn states_at_loop_heads_lie_in_the_heaps() {
    for file in ["bohne/sorted_list_add.c", "bohne/dll_add_last.c", "bohne/linear_array_inv.c"] {
        let program = loaded(file);
        let question = Question::of_contract(0);
        let outcome = heaps::run(&program, &question, &Setup::default(), &|_| {});
        let Verdict::Verified(Certificate::Invariants(loops)) = &outcome.verdict else {
            panic!("{file}: {:?}", outcome.verdict)
        };
        let bound = Bound { cells: 7, ints: 4, commands: 4_000_000, ..Bound::default() };
        let mut budget = Budget::new(&Limits::default());
        let mut met = 0;
        let found = explore::search_visiting(&program, &question, &bound, &mut budget, &mut |at, states| {
            for (l, formulas) in loops.iter().filter(|(l, _)| program.loops[l.index()].head == at) {
                met += 1;
                for formula in formulas {
                    assert_eq!(eval::holds(&program, states, formula), Ok(true), "{file}: {l:?} {formula:?}");
                }
            }
        });
        assert!(found.trace().is_none(), "{file}");
        // States, not truths: how many formulas an invariant has says nothing about how well it was tried.
        assert!(met > 30, "{file}: {met} states");
    }
}

/// Figure 10: without context the content of the sorted list is lost where the write is abstracted.
#[test]
fn a_context_keeps_what_writes_would_lose() {
    let program = loaded("bohne/sorted_list_add.c");
    let question = Question::of_contract(0);
    let verdict = |context| {
        let with = (context, &mut heaps::Cache::default());
        let outcome = heaps::run_in_context(&program, &question, &Setup::default(), with, &|_| {});
        assert!(outcome.counters.cache_hits > Some(0), "answers are used again");
        outcome.verdict.word()
    };
    assert_eq!(verdict(heaps::Context::None), "too-weak");
    assert_eq!(verdict(heaps::Context::Heap), "verified");
    assert_eq!(verdict(heaps::Context::Joint), "verified");
}

/// Questions that reach the core when a text is analysed with a cache.
fn asked(text: &str, cache: &mut heaps::Cache) -> u64 {
    let unit = c::load("text.c", text.as_bytes(), &c::Options::default());
    assert!(!unit.has_errors(), "{:?}", unit.diagnostics);
    let program = unit.functions[0].program.as_ref().expect("lowered");
    let with = (heaps::Context::Joint, cache);
    let outcome = heaps::run_in_context(program, &Question::of_contract(0), &Setup::default(), with, &|_| {});
    assert_eq!(outcome.verdict.word(), "verified");
    outcome.counters.queries.unwrap_or(0) - outcome.counters.cache_hits.unwrap_or(0)
}

/// The cache does not depend on names, nor on the order of what commutes.
#[test]
fn answers_serve_other_procedures() {
    let text = std::fs::read_to_string(crate::root().join("tests/programs/bohne/sorted_list_add.c"));
    let text = text.expect("a readable program");
    let renamed = text.replace("curr", "walker").replace("prev", "before").replace("first", "head");
    let link = "  n->next = curr;\n";
    let exchanged =
        text.replacen(link, "", 1).replace("    first = n;\n", &format!("    first = n;\n{link}"));
    assert!(exchanged.matches(link).count() == 1 && exchanged != text);
    let left = |other: &str| {
        let mut cache = heaps::Cache::default();
        asked(&text, &mut cache);
        (asked(other, &mut cache), asked(other, &mut heaps::Cache::default()))
    };
    // Proofs of the final invariant are not answered from the cache, so not everything goes.
    let (again, alone) = left(&text);
    assert!(10 * again < 9 * alone, "{again} of {alone} questions are left");
    assert_eq!(left(&renamed), (again, alone), "names make no difference");
    let (again, alone) = left(&exchanged);
    assert!(again < alone, "{again} of {alone} questions are left");
}

/// A limit on steps is one for the whole run, not for each question.
#[test]
fn steps_are_those_of_the_run() {
    let program = loaded("bohne/list_reverse.c");
    let question = Question::of_contract(0);
    let verdict = |steps| {
        let limits = Limits { steps, ..Limits::default() };
        heaps::run(&program, &question, &Setup { limits, ..Setup::default() }, &|_| {}).verdict
    };
    assert_eq!(verdict(None).word(), "verified");
    // Each question takes less than the last of these; all together take more.
    for steps in [0, 1, 1_000, 40_000] {
        let verdict = verdict(Some(steps));
        assert_eq!(verdict.word(), "unknown", "{steps}: {verdict:?}");
    }
}
