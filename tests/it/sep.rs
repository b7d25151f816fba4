//! Separation logic: the public problems, golden dialogues, and what must not be accepted.

use crate::{files, root};
use catena::cli::solve::Certifier;
use catena::frontend::smtlib::dialogue::{Dialogue, Settings};
use catena::frontend::smtlib::stream::Stream;
use catena::testing::Verdict;
use catena::testing::sep::generate::Style;
use catena::testing::sep::inductive::Fields;
use catena::testing::sep::{Bounds, Problem, Scrutiny, check_inductive, check_random, families, judge};

/// What a dialogue prints, every answer checked.
fn dialogue(text: &str) -> String {
    let mut dialogue = Dialogue::new(Settings::default());
    dialogue.set_judge(Box::new(Certifier));
    let mut stream = Stream::new(text.as_bytes());
    let mut out = String::new();
    while let Some(chunk) = stream.next_chunk().expect("text can be read") {
        let response = dialogue.chunk(&chunk.expect("well-formed chunks"));
        out.push_str(&dialogue.print(&response));
    }
    out
}

const HEAD: &str = "(declare-sort L 0) (declare-datatypes ((C 0)) (((c (next L))))) (declare-heap (L C))
(define-fun-rec ls ((in L) (out L)) Bool (or (and (= in out) emp)
  (exists ((u L)) (and (distinct in out) (sep (pto in (c u)) (ls u out))))))
(declare-const x L) (declare-const y L) (declare-const z L)\n";

/// Every problem of the collection has the answer that it promises.
#[test]
fn public_problems() {
    let mut n_files = 0;
    for directory in ["qf_shls_sat", "qf_shls_entl"] {
        let directory = root().join("../shared/corpora/slcomp18").join(directory);
        let all = files(&directory, "smt2");
        if all.is_empty() {
            eprintln!("SKIPPED public_problems: {} is absent", directory.display());
        }
        for path in all {
            let text = std::fs::read_to_string(&path).expect("readable text");
            let mut problem = Problem::read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let expected = Verdict::from(problem.script.status.expect("a status"));
            let (found, _) = problem.solve(false).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert_eq!(found, expected, "{}", path.display());
            n_files += 1;
        }
    }
    eprintln!("{n_files} problems");
}

/// The first line of each file says what its checks answer; files with one check are held against all small
/// heaps as well.
#[test]
fn golden_dialogues() {
    let all = files(&root().join("tests/data/sep"), "smt2");
    assert!(all.len() >= 12, "only {} files", all.len());
    for path in all {
        let text = std::fs::read_to_string(&path).expect("readable text");
        let expected = text.lines().next().and_then(|line| line.strip_prefix("; expected: "));
        let expected: Vec<&str> = expected.expect("a first line `; expected: ...`").split(' ').collect();
        let found = dialogue(&text);
        assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{}", path.display());
        if expected.len() == 1 {
            let bounds = Some(Bounds { cells: 3, dangling: 1, tries: 50_000 });
            let scrutiny = Scrutiny { bounds, proofs: true, must_decide: false };
            judge(&text, scrutiny).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
    }
}

/// A model with its heap can be put in the place of the declarations and satisfies the assertions again.
#[test]
fn models_read_back() {
    let assertions = "(assert (and (distinct x y z) (sep (ls x y) (ls y z) (pto z (c x)))))";
    let found =
        dialogue(&format!("{HEAD}{assertions}(check-sat)(get-model)(get-value ((ls x z) (= x y) emp))"));
    let model = found.strip_prefix("sat\n(").and_then(|rest| rest.rsplit_once("\n(((ls")).expect(&found).0;
    let model = model.trim_end().strip_suffix(')').expect("a list");
    assert!(found.ends_with("(((ls x z) false) ((= x y) false) (emp false))\n"), "{found}");
    let head = HEAD.split("(declare-const").next().expect("a head");
    let again = format!("{head}{model}");
    assert_eq!(dialogue(&format!("{again}{assertions}(check-sat)")), "sat\n", "{again}");
    assert_eq!(dialogue(&format!("{again}(assert (not {}))(check-sat)", "(ls x z)")), "sat\n", "{again}");
    assert_eq!(dialogue(&format!("{again}(assert emp)(check-sat)")), "unsat\n", "{again}");
}

/// Cores name the descriptions without which there would be no contradiction.
#[test]
fn cores_and_assumptions() {
    let text = "(set-option :produce-unsat-cores true) (set-option :produce-unsat-assumptions true)
(assert (! (distinct y z) :named apart)) (assert (! emp :named empty)) (assert (! (not (ls x x)) :named no))
(check-sat) (get-unsat-core)
(reset-assertions)";
    assert_eq!(dialogue(&format!("{HEAD}{text}")), "unsat\n(empty no)\n");
    let text = "(set-option :produce-unsat-assumptions true) (assert (pto x (c y)))
(check-sat-assuming ((distinct x y) (= x (as nil L)) (pto x (c y))))
(get-unsat-assumptions) (check-sat-assuming ((= x y)))";
    assert_eq!(dialogue(&format!("{HEAD}{text}")), "unsat\n((= x (as nil L)))\nsat\n");
}

#[test]
fn bad_input_has_a_position() {
    let cases = [
        ("(declare-heap (L L))", "1:15: L: this name is already declared"),
        ("(declare-heap (M C))", "1:16: expected a declared sort, found M"),
        ("(declare-heap)", "1:1: expected (declare-heap (location-sort content-sort) ...), found a list"),
        ("(assert (pto x y))", "1:9: second argument of pto: expected sort C, found L"),
        ("(assert (pto x))", "1:9: pto: expected 2 arguments, found 1"),
        ("(assert (sep x y))", "1:9: argument 1 of sep: expected sort Bool, found L"),
        ("(assert (_ emp L L))", "1:9: expected the two sorts of a declare-heap, found a list"),
        ("(assert (= x (as nil Int)))", "1:22: expected a sort of locations, found Int"),
        (
            "(assert (= x (as cons L)))",
            "1:14: expected a term, (_ emp location content) or (as nil location), found a list",
        ),
        (
            "(define-fun-rec f ((a L)) Int 0)",
            "1:27: expected Bool (recursive functions of other sorts are not supported), found Int",
        ),
        ("(define-fun-rec f ((a L)) Bool (g a))", "1:33: expected a declared function, found g"),
        ("(define-fun-rec ls ((a L)) Bool emp)", "1:17: ls: this name is already declared"),
        (
            "(declare-datatypes ((D 0)) ())",
            "1:1: expected as many names as bodies, found 1 names and 0 bodies",
        ),
        (
            "(declare-datatypes ((D 1)) (((d))))",
            "1:24: expected 0 (datatypes with parameters are not supported), found the number 1",
        ),
        ("(declare-datatype D ())", "1:21: expected at least one constructor, found ()"),
    ];
    for (text, expected) in cases {
        let error = Problem::read(&format!("{}\n{text}", HEAD.replace('\n', " "))).err().expect(text);
        assert_eq!(error.detail.replacen("2:", "1:", 1), expected, "{text}");
    }
    // Without a heap these are ordinary names.
    let text =
        "(declare-fun sep (Int Int) Bool) (declare-const emp Bool) (assert (and emp (sep 1 2)))(check-sat)";
    assert_eq!(dialogue(text), "sat\n");
    // An error changes nothing: the name is free again.
    let text = "(define-fun-rec f ((a L)) Bool (g a)) (define-fun-rec f ((a L)) Bool (ls a x))
(assert (f y)) (assert (not (ls y x))) (check-sat)";
    let found = dialogue(&format!("{HEAD}{text}"));
    assert!(found.starts_with("(error \"") && found.ends_with("unsat\n"), "{found}");
}

/// What a dialogue prints without certificates.
fn plain_dialogue(text: &str) -> String {
    let mut dialogue = Dialogue::new(Settings::default());
    let mut stream = Stream::new(text.as_bytes());
    let mut out = String::new();
    while let Some(chunk) = stream.next_chunk().expect("text can be read") {
        let response = dialogue.chunk(&chunk.expect("well-formed chunks"));
        out.push_str(&dialogue.print(&response));
    }
    out
}

/// Definitions that are no chains: entailments that hold, each with a twin that does not.
#[test]
fn inductive_definitions() {
    const LISTS: &str = "(declare-sort L 0) (declare-datatypes ((C 0)) (((c (next L))))) (declare-heap (L C))
(define-fun-rec some ((x L) (y L)) Bool (or (pto x (c y)) (exists ((u L)) (sep (pto x (c u)) (some u y)))))
(define-fun-rec last ((x L) (y L)) Bool (or (pto x (c y)) (exists ((u L)) (sep (last x u) (pto u (c y))))))
(define-funs-rec ((even ((x L) (y L)) Bool) (odd ((x L) (y L)) Bool)) (
  (exists ((u L)) (sep (pto x (c u)) (odd u y)))
  (or (pto x (c y)) (exists ((u L)) (sep (pto x (c u)) (even u y))))))
(declare-const x L) (declare-const y L) (declare-const z L)\n";
    const TREES: &str =
        "(declare-sort L 0) (declare-datatypes ((C 0)) (((c (l L) (r L))))) (declare-heap (L C))
(define-fun-rec tree ((x L)) Bool (or (and (= x (as nil L)) emp)
  (exists ((l L) (r L)) (sep (pto x (c l r)) (tree l) (tree r)))))
(define-fun-rec part ((x L) (y L)) Bool (or (and (= x y) emp)
  (exists ((l L) (r L)) (sep (pto x (c l r)) (part l y) (tree r)))
  (exists ((l L) (r L)) (sep (pto x (c l r)) (tree l) (part r y)))))
(declare-const x L) (declare-const y L) (declare-const z L)\n";
    let cases = [
        (LISTS, "(some x y)", "(last x y)", "unsat"),
        (LISTS, "(last x y)", "(some x y)", "unsat"),
        (LISTS, "(sep (some x y) (last y z))", "(some x z)", "unsat"),
        (LISTS, "(sep (some x y) (last y z))", "(sep (some x y) (pto y (c z)))", "sat"),
        (LISTS, "(sep (even x y) (odd y z))", "(odd x z)", "unsat"),
        (LISTS, "(sep (even x y) (odd y z))", "(even x z)", "sat"),
        (LISTS, "(some x y)", "(or (even x y) (odd x y))", "unsat"),
        (LISTS, "(some x y)", "(odd x y)", "sat"),
        (TREES, "(sep (part x y) (tree y))", "(tree x)", "unsat"),
        (TREES, "(sep (part x y) (tree z))", "(tree x)", "sat"),
        (TREES, "(sep (part x y) (part y z))", "(part x z)", "unsat"),
        (TREES, "(part x y)", "(part y x)", "sat"),
        (TREES, "(and (distinct x y) (= x (as nil L)) (sep (tree x) (part x y)))", "emp", "unsat"),
    ];
    for (head, left, right, expected) in cases {
        let text = format!("{head}(assert {left})(assert (not {right}))(check-sat)");
        assert_eq!(plain_dialogue(&text), format!("{expected}\n"), "{left} |- {right}");
        // With certificates an answer by induction is none.
        let checked = dialogue(&text);
        let allowed = if expected == "sat" { ["sat\n", "sat\n"] } else { ["unknown\n", "unsat\n"] };
        assert!(allowed.contains(&&checked[..]), "{left} |- {right}: {checked}");
    }
    let core = "(assert (! (tree x) :named a)) (assert (! (not (part x (as nil L))) :named b)) (check-sat)
(get-unsat-core) (get-proof)";
    let text = format!("(set-option :produce-unsat-cores true){TREES}{core}");
    let found = plain_dialogue(&text);
    assert!(found.starts_with("unsat\n(a b)\n(error "), "{found}");
}

/// Random definitions, against all small heaps.
#[test]
fn random_definitions() {
    let mut counts = [0; 3];
    for seed in 0..60 {
        let found = check_inductive(seed, Fields::Links, 2_000);
        counts[found.unwrap_or_else(|e| panic!("seed {seed}: {e}")) as usize] += 1;
    }
    assert!(counts[0] > 10 && counts[1] > 10 && counts[2] < 20, "sat, unsat, unknown: {counts:?}");
}

/// Depth and size of formulas do no harm.
#[test]
fn deep_descriptions() {
    let depth = 20_000;
    let deep = format!("{}(pto x (c y)){}", "(sep emp ".repeat(depth), ")".repeat(depth));
    assert_eq!(dialogue(&format!("{HEAD}(assert {deep})(check-sat)")), "sat\n");
    let deep = format!("{}emp{}", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(dialogue(&format!("{HEAD}(assert {deep})(check-sat)")), "sat\n");
    let deep = format!("{}emp{}", "(or (= x y) (and (= y z) ".repeat(depth), "))".repeat(depth));
    assert_eq!(dialogue(&format!("{HEAD}(assert {deep})(check-sat)")), "sat\n");
}

/// Families of the public collections, at other sizes and with other seeds; every sat is evaluated, every
/// proof certified.
#[test]
fn families_of_other_sizes() {
    let scrutiny = Scrutiny { bounds: None, proofs: true, must_decide: true };
    let mut counts = [0; 3];
    for seed in 0..12 {
        for text in
            [families::bolognesa(seed, 12), families::spaguetti(seed, 12), families::clones(seed, 4, 3)]
        {
            counts[judge(&text, scrutiny).unwrap_or_else(|e| panic!("{e}\n{text}")) as usize] += 1;
        }
    }
    assert!(counts[0] > 5 && counts[1] > 5, "sat, unsat, unknown: {counts:?}");
}

/// The dialogues of the manual answer what it says.
#[test]
fn manual() {
    let text = std::fs::read_to_string(root().join("docs/separation-logic.md")).expect("the manual is there");
    let mut n_dialogues = 0;
    for part in text.split("```smt2\n").skip(1) {
        let (commands, rest) = part.split_once("```\n```answers\n").expect("answers follow the commands");
        let answers = rest.split_once("```").expect("the answers end").0;
        assert_eq!(dialogue(commands), answers, "{commands}");
        n_dialogues += 1;
    }
    assert!(n_dialogues >= 3, "only {n_dialogues} dialogues");
}

/// Segments with data, against all small heaps with the numbers 0 and 1.
#[test]
fn random_data() {
    let mut counts = [0; 3];
    for seed in 0..60 {
        let verdict = check_random(seed, Style::Data, 3_000).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        counts[verdict as usize] += 1;
    }
    assert!(counts[0] > 5 && counts[1] > 5 && counts[2] < 10, "sat, unsat, unknown: {counts:?}");
}
