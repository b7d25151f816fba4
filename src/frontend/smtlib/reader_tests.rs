//! Tests of the reader: the language, exact error places, depth, damage.

use super::*;
use crate::logic::print;

fn one(text: &str) -> (Terms, Script) {
    let mut terms = Terms::new();
    let script = read(text, &mut terms).unwrap_or_else(|e| panic!("{e}"));
    (terms, script)
}

const HEAD: &str = "(declare-sort C 0)(declare-fun n (C) C)(declare-fun d (C) Int)(declare-fun p (C C) Bool)
(declare-const a C)(declare-const b C)(declare-const i Int)(declare-const j Int)(declare-const q Bool)\n";

/// Both formulas are the same term.
fn same(left: &str, right: &str) {
    let (_, script) = one(&format!("{HEAD}(assert {left})(assert {right})"));
    assert_eq!(script.assertions[0].0, script.assertions[1].0, "{left} and {right}");
}

#[test]
fn benchmarks_read() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks/lisbq/vcs/dialect");
    let Ok(entries) = std::fs::read_dir(&dir) else {
        eprintln!("SKIPPED benchmarks_read: {} is absent", dir.display());
        return;
    };
    let mut n_files = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (mut terms, script) = one(&text);
        assert_eq!(script.status, Some(Status::Unsat), "{}", path.display());
        assert_eq!(script.checks.len(), 1);
        for (formula, _) in &script.assertions {
            round_trip(&mut terms, *formula);
        }
        n_files += 1;
    }
    assert_eq!(n_files, 11);
}

fn round_trip(terms: &mut Terms, term: TermId) {
    let text = print::term(terms, term);
    let again = read(&format!("(assert {text})"), terms).unwrap_or_else(|e| panic!("{e} in {text}"));
    assert_eq!(again.assertions[0].0, term, "{text}");
}

#[test]
fn connectives_and_chains() {
    same("(=> q (= a b) (= i j))", "(or (not q) (or (not (= a b)) (= i j)))");
    same("(xor q (= a b) (= i j))", "(xor (xor q (= a b)) (= i j))");
    same("(< 1 i j)", "(and (< 1 i) (< i j))");
    same("(>= 3 i j)", "(and (<= i 3) (<= j i))");
    same("(= i j 3)", "(and (= i j) (= j 3))");
    same("(distinct a b (n a))", "(and (not (= a b)) (not (= a (n a))) (not (= b (n a))))");
    same("(<= (- i j 2) (- 5))", "(<= (+ i 3) (* 1 j))");
    same("(<= (* 2 3 i) 12)", "(<= i 2)");
    same("(= i 123456789012345678901234567890)", "(= 123456789012345678901234567890 i)");
    same("((_ reach n) a b)", "((_ between n) a b b)");
    same("(ite q (= a b) true)", "(or (not q) (= a b))");
    same("(= (ite q 1 2) i)", "(= i (ite q 1 2))");
    same("|q|", "q");
}

#[test]
fn let_is_parallel() {
    same("(let ((i j) (j i)) (< i j))", "(< j i)");
    same("(let ((i j)) (let ((i (+ i 1))) (< i 5)))", "(< (+ j 1) 5)");
    same("(and (let ((i 3)) (< j i)) (< i 7))", "(and (< j 3) (< i 7))");
    same("(let () q)", "q");
}

#[test]
fn quantifiers_are_shared_and_never_capture() {
    same("(forall ((u C)) (p u a))", "(forall ((u C)) (p u a))");
    same("(exists ((u C)) (p u a))", "(not (forall ((u C)) (not (p u a))))");
    let (terms, script) =
        one(&format!("{HEAD}(assert (forall ((u C)) (let ((t (p u a))) (exists ((u C)) (and t (p a u))))))"));
    let text = print::term(&terms, script.assertions[0].0);
    assert_eq!(text, "(forall ((u!0 C)) (exists ((u!1 C)) (and (p u!0 a) (p a u!1))))");
    let hinted = "(forall ((u C) (v C)) (! (=> (p u v) (p v u)) :pattern ((p u v)) :pattern ((n u) (n v))))";
    let (mut terms, script) = one(&format!("{HEAD}(assert {hinted})"));
    let formula = script.assertions[0].0;
    assert!(print::term(&terms, formula).contains(":pattern ((p u!0 v!1)) :pattern ((n u!0) (n v!1))"));
    round_trip(&mut terms, formula);
}

#[test]
fn definitions_expand() {
    let (terms, script) = one(&format!(
        "{HEAD}(define-sort Cell () C)(define-fun last ((x Cell)) Bool (forall ((u C)) (=> ((_ reach n) x u) (= x u))))
         (define-fun both ((x C) (y C)) Bool (and (last x) (last y)))(define-fun ten () Int 10)
         (assert (! (both a (n b)) :named first))(assert (forall ((u C)) (=> (last u) (= (d u) ten))))
         (assert (not first))(check-sat)(get-model)(exit) nonsense ("
    ));
    assert_eq!(script.assertions[0].1.as_deref(), Some("first"));
    assert_eq!(script.assertions.len(), 3);
    assert_eq!(terms.negated(script.assertions[2].0), Some(script.assertions[0].0));
    // The parameter of `last` is replaced by a bound u: the inner u must be another variable.
    let text = print::term(&terms, script.assertions[1].0);
    assert!(terms.is_closed(script.assertions[1].0) && text.matches("u!").count() >= 6, "{text}");
    assert_eq!(script.checks, [Check { n_assertions: 3, status: None }]);
}

#[test]
fn printed_terms_read_back() {
    let bodies = [
        "(and (<= (+ (* 2 i) (* (- 3) j)) 7) (not (= i (+ j (- 1)))) (= (ite q i j) 4))",
        "(forall ((u C)) (=> ((_ between n) a u b) (exists ((v C)) (and (p u v) (not (p v u)) (< (d v) i)))))",
        "(let ((x (n (n a)))) (or (p x x) (= x (n x)) (not (p x b))))",
        "(exists ((u C) (v C)) (! (p u v) :pattern ((p u v))))",
        "(= (forall ((u C)) (p u u)) (exists ((u C)) ((_ reach n) u a)))",
    ];
    for body in bodies {
        let (mut terms, script) = one(&format!("{HEAD}(assert {body})"));
        round_trip(&mut terms, script.assertions[0].0);
    }
}

#[test]
fn bad_inputs_have_a_place() {
    let cases: &[(&str, &str)] = &[
        ("(assert", "1:8: expected a ')' for the '(' at 1:1, found the end of the input"),
        ("(check-sat))", "1:12: expected a command, found ')'"),
        ("\n  hello", "2:3: expected a command, found hello"),
        ("(assert \"abc", "1:13: expected a \" to end the string at 1:9, found the end of the input"),
        ("(assert é)", "1:9: expected a parenthesis or an atom, found the character 'é'"),
        ("(push 1)", "1:2: expected a known command, found push"),
        ("(assert x)", "1:9: expected a declared symbol, found x"),
        ("(assert (f true))", "1:10: expected a declared function, found f"),
        ("(declare-const x Real)", "1:18: expected a declared sort, found Real"),
        ("(declare-const x Int)\n(declare-const x Int)", "2:16: x: this name is already declared"),
        (
            "(declare-const x Int)\n(assert (= x\n  true))",
            "2:9: second argument of =: expected sort Int, found Bool",
        ),
        ("(declare-const x Int)(assert x)", "1:30: expected a formula, found sort Int"),
        (
            "(declare-const x Int)(assert (< (* x x) 1))",
            "1:33: product of two terms: expected at least one number",
        ),
        ("(assert (not true false))", "1:9: not: expected 1 arguments, found 2"),
        ("(assert (=> true))", "1:9: =>: expected at least 2 arguments, found 1"),
        ("(assert (let ((x true) (x false)) x))", "1:25: x: bound twice in one list"),
        ("(assert (let ((x true)) (x x)))", "1:26: expected a function, found the bound name x"),
        ("(declare-fun and () Bool)", "1:14: expected a new name, found the predefined and"),
        ("(declare-sort L x)", "1:17: expected a number of parameters, found x"),
        ("(declare-sort L 1)(declare-const l L)", "1:36: expected (L ...) with 1 sorts, found L"),
        (
            "(declare-fun d (Int) Int)(assert ((_ reach d) 1 2))",
            "1:34: d: expected a function from an uninterpreted sort to itself, found (Int) Int",
        ),
        (
            "(assert ((_ reach) true))",
            "1:10: expected (_ reach field), (_ between field), (_ divisible n) or (as function sort), found a list of 2 elements",
        ),
        ("(assert (= 1.5 1))", "1:12: expected a term, found the number 1.5"),
        ("(assert (forall () true))", "1:17: expected at least one variable, found ()"),
        (
            "(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool) (f Bool) (g Bool) (h Bool) (i Bool) (j Bool)\
             (k Bool) (l Bool) (m Bool)) a))",
            "1:17: quantifiers over Bool: expected at most 4096 cases",
        ),
        (
            "(declare-sort S 0)(assert (forall ((u S)) (! (= u u) :named t)) )(assert (exists ((u S)) (! (distinct u (ite t u u)) :named x)))(assert (t))",
            "1:137: expected at least one argument, found none",
        ),
        ("(define-fun f ((x Int)) Bool x)", "1:30: body of f: expected sort Bool, found Int"),
        (
            "(define-fun f ((x Int)) Int x)(assert (= (f true) 1))",
            "1:42: argument 1 of f: expected sort Int, found Bool",
        ),
        ("(set-info :status maybe)", "1:19: expected sat, unsat or unknown, found maybe"),
        ("(assert ())", "1:9: expected a term, found ()"),
        ("(assert 12ab)", "1:9: expected a number, found 12ab"),
    ];
    for (text, expected) in cases {
        let error = read(text, &mut Terms::new()).expect_err(text);
        assert_eq!(&error.to_string(), expected, "{text}");
    }
}

#[test]
fn named_terms_must_be_closed() {
    let text = format!("{HEAD}(assert (forall ((u C)) (! (p u a) :named open)))");
    let error = read(&text, &mut Terms::new()).unwrap_err();
    assert!(error.message.starts_with("open: expected a closed term"), "{error}");
}

#[test]
fn depth_does_not_matter() {
    let depth = 100_000;
    let mut text = format!("{HEAD}(assert ");
    for i in 0..depth {
        let of = if i == 0 { "a".to_owned() } else { format!("x{}", i - 1) };
        text.push_str(&format!("(let ((x{i} (n {of}))) "));
    }
    text.push_str(&format!("(= x{} b)", depth - 1));
    text.push_str(&")".repeat(depth + 1));
    let (mut terms, script) = one(&text);
    round_trip(&mut terms, script.assertions[0].0);

    let nested = format!("{HEAD}(assert (= b {}a{}))", "(n ".repeat(depth), ")".repeat(depth));
    assert_eq!(one(&nested).1.assertions[0].0, script.assertions[0].0);

    let negations = format!("{HEAD}(assert {}q{})", "(not ".repeat(depth), ")".repeat(depth));
    one(&negations);

    let mut binders = format!("{HEAD}(assert ");
    binders.push_str(&"(forall ((u C)) (or (p u a) ".repeat(depth));
    binders.push_str(&format!("q{})", ")".repeat(2 * depth)));
    let error = read(&binders, &mut Terms::new()).unwrap_err();
    assert_eq!(error.message, "quantifiers are nested more than 200 deep");
}

#[test]
fn macros_cannot_hide_depth() {
    let mut text = format!("{HEAD}(define-fun m0 ((x Bool)) Bool (forall ((u C)) (or x (p u u))))\n");
    for i in 1..10 {
        text.push_str(&format!("(define-fun m{i} ((x Bool)) Bool (m{0} (m{0} x)))\n", i - 1));
    }
    let error = read(&text, &mut Terms::new()).unwrap_err();
    assert_eq!(error.message, "quantifiers are nested more than 200 deep");
}

/// Whatever happens to a text, reading it is an answer or an error.
#[test]
fn damaged_texts_do_no_harm() {
    use crate::testing::formulas;
    use crate::util::rng::Rng;
    let mut rng = Rng::new(11);
    let pieces = [
        "(",
        ")",
        " let ",
        " forall ",
        "((u Cell))",
        "!",
        ":named",
        " _ ",
        "|",
        "\"",
        ";",
        "é",
        "-",
        "1.",
        "x0",
    ];
    let mut n_errors = 0;
    for (_, generator) in formulas::all() {
        for seed in 0..40 {
            let mut chars: Vec<char> = generator.generate(seed).text().chars().collect();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(chars.len());
                if rng.one_in(2) {
                    let end = (at + 1 + rng.below(8)).min(chars.len());
                    chars.drain(at..end);
                } else {
                    let piece = *rng.pick(&pieces);
                    chars.splice(at..at, piece.chars());
                }
            }
            let text: String = chars.into_iter().collect();
            if let Err(error) = read(&text, &mut Terms::new()) {
                assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty());
                n_errors += 1;
            }
        }
    }
    assert!(n_errors > 100);
}
