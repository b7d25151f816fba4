//! Whole programs through the front end and the engine `lazy`: the rows of the thesis and programs beyond it.
//! Their verdicts are checked by `regressions`; here certificates are refused if something is missing, and modes compared.

use catena::analysis::lazy::{Columns, Refiner, run_columns};
use catena::analysis::{Setup, lazy};
use catena::certify::check_shapes;
use catena::frontend::c;
use catena::program::{Check, Program, Question};
use catena::verdict::{Certificate, Verdict};
use std::path::Path;

fn read(file: &Path) -> (String, Program, Question) {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let [case] = &crate::regressions::cases(file)[..] else { panic!("{}: one call", file.display()) };
    let want = case.verdict("main").expect("an expectation");
    let words = case.option("--check").unwrap_or("memsafety,asserts,ensures");
    let all = [Check::Memsafety, Check::Asserts, Check::Ensures, Check::Leaks, Check::Garbage];
    let checks = all.into_iter().filter(|c| words.split(',').any(|w| w == c.word())).collect();
    let unit = c::load(&file.display().to_string(), text.as_bytes(), &c::Options::default());
    let function = unit.functions.iter().find(|f| f.name == "main").expect("a main function");
    let program = function.program.clone().unwrap_or_else(|d| panic!("{}: {d:?}", file.display()));
    (want.to_owned(), program, Question { contract: 0, checks })
}

#[test]
fn a_certificate_without_some_lines_is_refused() {
    let (_, program, question) = read(&crate::root().join("tests/programs/lazy/list_flag.c"));
    let Verdict::Verified(Certificate::Text { lines, .. }) =
        lazy::run(&program, &question, &Setup::default(), &|_| {}).verdict
    else {
        panic!("list_flag is verified")
    };
    let refused = |lines: &[String]| check_shapes(&program, &question, lines, 30, 7).is_err();
    assert!(!refused(&lines));
    let location = |line: &str| line.split(':').next().map(str::to_owned);
    let mut locations: Vec<Option<String>> = lines.iter().map(|l| location(l)).collect();
    locations.dedup();
    let mut found = 0;
    for at in &locations {
        let without: Vec<String> = lines.iter().filter(|l| location(l) != *at).cloned().collect();
        found += usize::from(refused(&without));
    }
    assert!(found * 10 >= locations.len() * 9, "{found} of {}", locations.len());
    for nonsense in
        ["0 true", "99999: true ; -", "0: (== nobody 0) ; -", "0: true ; head=n7", "0: true ; - ; m0"]
    {
        let mut bad = lines.clone();
        bad.push(nonsense.to_owned());
        assert!(refused(&bad), "{nonsense}");
    }
}

/// Both refiners, both orders, joins, restarts at the root and precisions per location have the same verdicts.
#[test]
fn the_rows_in_every_mode() {
    let both = Columns::BOTH;
    let modes = [
        Columns { refiner: Refiner::Interpolants, ..both },
        Columns { depth_first: false, ..both },
        Columns::FROM_ROOT,
        Columns { from_root: true, ..both },
        Columns::JOINS,
        Columns { local: true, ..both },
        Columns { local: true, ..Columns::FROM_ROOT },
    ];
    let question = Question { contract: 0, checks: vec![Check::Asserts] };
    for file in crate::files(&crate::root().join("tests/programs/lazy"), "c") {
        let (want, program, _) = read(&file);
        // Its fault is one of memory.
        if file.ends_with("simple-past_the_end.c") {
            continue;
        }
        for mode in modes {
            let found = run_columns(&program, &question, &Setup::default(), mode, &|_| {}).verdict;
            assert_eq!(found.word(), want, "{} in {mode:?}", file.display());
        }
    }
}

/// A lazy restart keeps what does not lie on the refuted path; a restart at the root keeps the root. Of the row of the
/// paper, half of the states of the plain algorithm are computed.
#[test]
fn lazy_restarts_keep_nodes() {
    let (_, program, _) = read(&crate::root().join("tests/programs/lazy/splice.c"));
    let question = Question { contract: 0, checks: vec![Check::Asserts] };
    let kept = |columns: Columns| {
        let outcome = run_columns(&program, &question, &Setup::default(), columns, &|_| {});
        assert_eq!(outcome.verdict.word(), "verified");
        let refinements = outcome.counters.refinements.expect("counted");
        let made = outcome.counters.signatures.expect("counted");
        (outcome.counters.cache_hits.expect("counted"), refinements, made)
    };
    let (lazy, _, few) = kept(Columns::BOTH);
    let (root, refinements, many) = kept(Columns::FROM_ROOT);
    let (_, _, newest) = kept(Columns { from_root: true, ..Columns::BOTH });
    assert!(
        few * 10 <= newest * 9,
        "{few} states computed with lazy restarts, {newest} at the root in that order"
    );
    assert!(few * 2 <= many, "{few} states computed with lazy restarts, {many} with others");
    assert!(root <= 2 * refinements, "{root} nodes kept in {refinements} restarts at the root");
    assert!(lazy > root, "{lazy} nodes kept by lazy restarts, {root} by others");
}
