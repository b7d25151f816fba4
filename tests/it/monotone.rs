//! Certificates of the engine `monotone` with something missing are refused; the same question has the same answer. The
//! verdicts on the programs are checked by `regressions`.

use crate::root;
use catena::analysis::{Setup, monotone};
use catena::certify::check_signatures;
use catena::frontend::c::{Options, load};
use catena::program::{Check, Program, Question};
use catena::util::limits::Limits;
use catena::verdict::{Certificate, Verdict};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

fn files(directory: &str, prefix: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(root().join("tests/programs").join(directory)).expect("a directory of programs");
    let mut all: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    all.retain(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix)));
    all.sort();
    all
}

fn read(path: &PathBuf) -> (Program, Question) {
    let text = fs::read_to_string(path).expect("a text");
    let [case] = &crate::regressions::cases(path)[..] else { panic!("{}: one call", path.display()) };
    let words = case.option("--check").unwrap_or("memsafety,asserts,ensures");
    let all = [Check::Memsafety, Check::Asserts, Check::Ensures, Check::Leaks, Check::Garbage];
    let checks = all.into_iter().filter(|c| words.split(',').any(|w| w == c.word())).collect();
    let unit = load(&path.display().to_string(), text.as_bytes(), &Options::default());
    let [function] = &unit.functions[..] else { panic!("{}: {:?}", path.display(), unit.diagnostics) };
    let program = function.program.clone().unwrap_or_else(|d| panic!("{}: {d:?}", path.display()));
    (program, Question { contract: 0, checks })
}

fn verdict(program: &Program, question: &Question) -> Verdict {
    let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
    monotone::run(program, question, &Setup { limits, ..Setup::default() }, &|_| {}).verdict
}

#[test]
fn a_certificate_without_some_lines_is_refused() {
    let path = root().join("tests/programs/monotone/reverse.c");
    let (program, question) = read(&path);
    let Verdict::Verified(Certificate::Text { lines, .. }) = verdict(&program, &question) else {
        panic!("reverse is verified")
    };
    let refused = |lines: &[String]| check_signatures(&program, &question, lines, 40, 7).is_err();
    assert!(!refused(&lines));
    // Nothing excluded at a location: a state there fails, or leads to what is excluded.
    let mut found = 0;
    for location in 0..program.locations {
        let prefix = format!("{location}: ");
        let without: Vec<String> = lines.iter().filter(|l| !l.starts_with(&prefix)).cloned().collect();
        found += u32::from(without.len() < lines.len() && refused(&without));
    }
    assert!(found >= program.locations / 2, "{found} of {}", program.locations);
    // Too much excluded, or no certificate at all.
    let mut all = lines.clone();
    all.push(format!("{}: anything", program.exit.0));
    assert!(refused(&all));
    for nonsense in ["0 x@a", "0: nobody@a", "99999: anything", "0: l@a, a -up-> b", "0: # -next-> a"] {
        let mut bad = lines.clone();
        bad.push(nonsense.to_owned());
        assert!(refused(&bad), "{nonsense}");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    for path in files("monotone", "ordered_insert") {
        let (program, question) = read(&path);
        assert_eq!(verdict(&program, &question), verdict(&program, &question), "{}", path.display());
    }
}

/// What patterns cannot say is `unknown`, with the clause; a failing run is still found.
#[test]
fn clauses_outside_the_language_are_named() {
    let head = "struct n { struct n *next, *back; };\n";
    let cases = [
        (
            "/*@ ensures \\forall struct n *z; z != NULL ==> z->back != z; @*/ void f(struct n *x) { }",
            "violated",
        ),
        (
            "/*@ requires x == NULL; pattern (struct n *a, *b) a->next == b && b->back != a; @*/ void f(struct n *x) { x = NULL; }",
            "unknown",
        ),
        (
            "/*@ pattern (struct n *b, *a) x -next*-> a && a->next == b && b->back == a; @*/ void f(struct n *x) { }",
            "violated",
        ),
    ];
    for (text, want) in cases {
        let unit = load("t.c", format!("{head}{text}").as_bytes(), &Options::default());
        let program = unit.functions[0].program.clone().expect("supported");
        let question = Question { contract: 0, checks: vec![Check::Ensures] };
        let found = verdict(&program, &question);
        assert_eq!(found.word(), want, "{text}");
        if let Verdict::Unknown(reason) = found {
            assert!(reason.span.is_some() && reason.message.contains("nothing need reach"), "{reason:?}");
        }
    }
}
