//! What follows after a refused command: never a `sat` that the refused command could have excluded.

use crate::solve::talk;
use crate::{files, root};

/// Commands that could constrain, each refused in several ways. `i`, `j` are integers, `q` a formula, `f` a
/// function of integers, `S` a sort.
const CONSTRAIN: &[&str] = &[
    // declare-sort
    "(declare-sort)",
    "(declare-sort 3 0)",
    "(declare-sort S 0)",
    "(declare-sort Bool 0)",
    "(declare-sort T x)",
    "(declare-sort T 0 0)",
    "(declare-sort T 99999999999999999999)",
    "(declare-sort |a\\b| 0)",
    // define-sort
    "(define-sort)",
    "(define-sort T ())",
    "(define-sort T () Nowhere)",
    "(define-sort T (X) (Nowhere X))",
    "(define-sort T (X X) X)",
    "(define-sort T (3) Int)",
    "(define-sort T () Real)",
    "(define-sort S () Int)",
    "(define-sort T () (_ BitVec 8))",
    "(define-sort T (X) (Array X X))",
    // declare-fun
    "(declare-fun)",
    "(declare-fun g)",
    "(declare-fun g Int Int)",
    "(declare-fun g (Nowhere) Int)",
    "(declare-fun g (Int) Real)",
    "(declare-fun g ((S Int)) Int)",
    "(declare-fun g ((Array Int Int)) Int)",
    "(declare-fun f (Int) Int)",
    "(declare-fun and (Int) Int)",
    "(declare-fun 3 () Int)",
    "(declare-fun @div3 (Int) Int)",
    "(declare-fun |a\\b| () Int)",
    // declare-const
    "(declare-const)",
    "(declare-const i Int)",
    "(declare-const k Real)",
    "(declare-const k (_ BitVec 8))",
    "(declare-const k (Seq Int))",
    "(declare-const k Nowhere)",
    "(declare-const k ())",
    "(declare-const let Int)",
    // define-fun and its kind
    "(define-fun)",
    "(define-fun g ((a Int)) Bool a)",
    "(define-fun g ((a Int)) Real 1.5)",
    "(define-fun g ((a Int) (a Int)) Int a)",
    "(define-fun g ((a Int)) Int (g a))",
    "(define-fun g ((a (_ BitVec 3))) Bool true)",
    "(define-fun f ((a Int)) Int a)",
    "(define-const c Int q)",
    "(define-const c (Array Int Int) 3)",
    "(define-const i Int 3)",
    "(define-fun-rec g ((n Int)) Int (g n))",
    "(define-fun-rec g ((b Bool)) Bool (and b false))",
    "(define-funs-rec ((g ((n Int)) Int)) ((g n)))",
    "(define-funs-rec ((g ((n Int)) Int)) ())",
    "(define-fun-rec f ((n Int)) Int n)",
    // datatypes and heaps
    "(declare-datatype)",
    "(declare-datatype S ((c)))",
    "(declare-datatype D ((f)))",
    "(declare-datatype D (par (X) ((c (s X)))))",
    "(declare-datatypes ((Pair 2)) ((par (X Y) ((mk (first X) (second Y))))))",
    "(declare-datatypes ((D 0)) ((par () ((c1)))))",
    "(declare-datatypes () ((D c1 (c2 (s Int)))))",
    "(declare-datatypes ((D 0) (E 0)) (((c))))",
    "(declare-codatatypes ((D 0)) (((c (h Int) (t D)))))",
    "(declare-heap)",
    "(declare-heap (Nowhere Int))",
    "(declare-sort-parameter X)",
    // assert
    "(assert)",
    "(assert q q)",
    "(assert i)",
    "(assert nobody)",
    "(assert (nobody i))",
    "(assert (f i j))",
    "(assert (f q))",
    "(assert (= i q))",
    "(assert :b)",
    "(assert ())",
    "(assert (not q q))",
    "(assert (= (* i i) 4))",
    "(assert (= (div 4 i) 4))",
    "(assert ((_ divisible 0) i))",
    "(assert ((_ divisible 00) i))",
    "(assert ((_ divisible x) i))",
    "(assert ((_ map f) i))",
    "(assert ((_ reach f) i i))",
    "(assert (= i 1.5))",
    "(assert (= i #x0A))",
    "(assert (= i \"a\"))",
    "(assert (let ((v 1) (v 2)) q))",
    "(assert (let ((v)) q))",
    "(assert (forall () q))",
    "(assert (forall ((x Nowhere)) q))",
    "(assert (exists ((x S) (s (Set S))) false))",
    "(assert (forall ((x Int)) (! (< x j) :named open)))",
    "(assert (! q :named))",
    "(assert (! q :named q))",
    "(assert (! q 3))",
    "(assert (!))",
    "(assert (as q Int))",
    "(assert (as nobody Bool))",
    "(assert (match i ((x true))))",
    "(assert (seq.foo i))",
    // unknown words
    "(assert-not q)",
    "(assert-soft q :weight 3)",
    "(declare-fun-2 x)",
    "(declare-rel r (Int))",
    "(rule (=> q q))",
    "(include \"more.smt2\")",
    "(frob)",
    "(meta-info)",
    // texts that are no commands
    "()",
    "((assert false))",
    ")",
    "hello",
    "3",
    "\"assert\"",
    "|assert|",
    "(3 q)",
    "(assert (= \u{1} i))",
    "(assert #)",
    "(assert 3x)",
];

/// The script, the refused command within a level, and checks after it.
fn around(refused: &str) -> Vec<String> {
    let start = "(declare-const i Int)(declare-const j Int)(declare-const q Bool)(declare-sort S 0)";
    let text = format!(
        "{start}(declare-fun f (Int) Int)(assert (! (< i j) :named less))(check-sat)(push 1)\n{refused}\n\
        (check-sat)(get-info :reason-unknown)(get-model)(check-sat-assuming ((< 0 i)))\
        (push 1)(check-sat)(assert (< j i))(check-sat)(pop 1)(check-sat-assuming ((< j i)))\
        (pop 1)(check-sat)(get-value (q))"
    );
    talk(text.as_bytes()).lines().map(str::to_owned).collect()
}

#[test]
fn never_sat_after_what_could_constrain() {
    for refused in CONSTRAIN {
        let lines = around(refused);
        assert_eq!(lines[0], "sat");
        let complaint = &lines[1];
        assert!(complaint.starts_with("(error \"2:") || complaint == "unsupported", "{refused}: {lines:?}");
        assert_eq!(lines[2], "unknown", "{refused}");
        let reason = "(:reason-unknown (incomplete \"this was refused, and might exclude the model: 2:";
        assert!(lines[3].starts_with(reason), "{refused}: {lines:?}");
        assert!(lines[4].starts_with("(error ") && lines[4].contains("there is no model"), "{refused}");
        assert_eq!(lines[5..], ["unknown", "unknown", "unsat", "unsat", "sat", "((q false))"], "{refused}");
    }
}

/// Bytes that are no text have no word, and a command that ends with the input has nothing after it.
#[test]
fn never_sat_after_bytes() {
    assert!(talk(b"(assert \xff)(check-sat)").ends_with("\nunknown\n"));
    assert!(talk(b"(check-sat)(assert (and true").starts_with("sat\n(error "));
}

/// What only asks, prints, sets or takes away leaves every answer as it is.
#[test]
fn what_cannot_constrain_leaves_sat() {
    for refused in [
        "(set-logic)",
        "(set-logic 3)",
        "(set-logic QF_BV)",
        "(set-option :produce-models)",
        "(set-option :print-success maybe)",
        "(set-option :frob 3)",
        "(set-info)",
        "(set-info :status foo)",
        "(get-info)",
        "(get-info :frob)",
        "(get-option :frob)",
        "(get-value (nobody))",
        "(get-value)",
        "(get-value (\u{1}))",
        "(get-unsat-core)",
        "(get-proof)",
        "(get-interpolants)",
        "(get-abduct A q)",
        "(echo hello)",
        "(exit 3)",
        "(check-sat now)",
        "(check-sat-assuming (i))",
        "(check-sat-assuming (nobody))",
        "(check-sat-assuming ((= (* i i) 4)))",
        "(simplify (+ i 1))",
        "(pop 7)",
        "(pop x)",
        "(pop 99999999999999999999999)",
        "(reset now)",
        "(reset-assertions now)",
    ] {
        let lines = around(refused);
        assert!(lines[1].starts_with("(error \"2:") || lines[1] == "unsupported", "{refused}: {lines:?}");
        assert_eq!(lines[2], "sat", "{refused}: {lines:?}");
        let last = lines.last().map(String::as_str);
        assert_eq!(last, Some("((q false))"), "{refused}: {lines:?}");
    }
}

/// After a refused `push` every `pop` closes a level too many; only a reset brings the two sides together.
#[test]
fn a_refused_push_counts_until_a_reset() {
    for refused in ["(push x)", "(push 4000000000)", "(push 1 1)", "(push 99999999999999999999999)"] {
        let text = format!(
            "(push 1)(declare-const q Bool)(assert (not q)){refused}(assert q)(pop 1)(check-sat)\
            (reset-assertions)(check-sat){refused}(check-sat)(reset)(check-sat)"
        );
        let out = talk(text.as_bytes());
        let answers: Vec<&str> = out.lines().filter(|line| !line.starts_with('(')).collect();
        assert_eq!(answers, ["unknown", "sat", "unknown", "sat"], "{refused}: {out}");
    }
}

/// With declarations that outlive levels, a refused one is missing after its level as well.
#[test]
fn a_refused_global_declaration_counts_until_a_reset() {
    let global = "(set-option :global-declarations true)(push 1)";
    for refused in ["(declare-const k Real)", "(define-fun g () Real 1.5)", "(declare-datatype D (3))"] {
        let out =
            talk(format!("{global}{refused}(pop 1)(check-sat)(reset-assertions)(check-sat)").as_bytes());
        let answers: Vec<&str> = out.lines().skip(1).collect();
        assert_eq!(answers, ["unknown", "sat"], "{refused}: {out}");
    }
    let out = talk(format!("{global}(assert nobody)(check-sat)(pop 1)(check-sat)").as_bytes());
    assert!(out.ends_with("unknown\nsat\n"), "{out}");
}

/// Each script ends with what it prints, in comments. None says `sat` after a refused command.
#[test]
fn scripts_with_refused_commands() {
    let scripts = files(&root().join("tests/data/refused"), "smt2");
    assert!(scripts.len() >= 25, "{} scripts", scripts.len());
    for file in scripts {
        let text = std::fs::read_to_string(&file).expect("readable");
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("; > ")).collect();
        let out = talk(text.as_bytes());
        assert_eq!(out.lines().collect::<Vec<_>>(), expected, "{}", file.display());
        if let Some(refused) = expected.iter().position(|line| line.starts_with("(error")) {
            assert!(!expected[refused..].contains(&"sat"), "{}", file.display());
        }
    }
}
