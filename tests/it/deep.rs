//! Terms nested 100,000 deep: built, printed, read, evaluated, solved and dropped in a thread with a small
//! stack, and in about linear time.

use catena::engine::solver::{Answer, Config, Solver};
use catena::frontend::smtlib::read;
use catena::logic::{Evaluator, Model, SortId, TermId, Terms};
use catena::testing::as_test;
use catena::testing::oracle::certify;
use std::time::{Duration, Instant};

const STACK: usize = 2 << 20;
const DEEP: usize = 100_000;
/// Everything for one term, at full depth, with a wide margin for slow machines.
const LONG: Duration = Duration::from_secs(20);

fn in_a_small_stack<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(body).expect("a thread");
    thread.join().expect("no overflow and no panic")
}

/// A store with a formula nested `depth` deep.
type Build = fn(usize) -> (Terms, TermId);

fn vocabulary() -> (Terms, Vec<TermId>, SortId) {
    let mut t = Terms::new();
    let s = t.declare_sort("S").expect("new");
    let names = ["p", "q", "i", "a", "b"];
    let sorts = [SortId::BOOL, SortId::BOOL, SortId::INT, s, s];
    let constants = names.iter().zip(sorts).map(|(n, s)| t.declare_const(n, s).expect("new")).collect();
    (t, constants, s)
}

/// Wraps a term again and again.
fn nest(
    depth: usize,
    first: usize,
    mut wrap: impl FnMut(&mut Terms, &[TermId], TermId, usize) -> TermId,
) -> (Terms, TermId) {
    let (mut t, c, _) = vocabulary();
    let mut term = c[first];
    for i in 0..depth {
        term = wrap(&mut t, &c, term, i);
    }
    (t, term)
}

fn junctions(depth: usize) -> (Terms, TermId) {
    nest(depth, 0, |t, c, term, i| {
        if i % 2 == 0 { t.and(&[c[1], term]) } else { t.or(&[c[0], term]) }.expect("formulas")
    })
}

fn negations(depth: usize) -> (Terms, TermId) {
    nest(depth, 0, |t, c, term, i| {
        let both = t.and(&[c[i % 2], term]).expect("formulas");
        t.not(both).expect("a formula")
    })
}

fn equivalences(depth: usize) -> (Terms, TermId) {
    nest(depth, 0, |t, c, term, i| t.iff(c[i % 2], term).expect("formulas"))
}

fn conditionals(depth: usize) -> (Terms, TermId) {
    nest(depth, 0, |t, c, term, i| {
        let other = t.not(c[i % 2]).expect("a formula");
        t.ite(c[(i + 1) % 2], term, other).expect("formulas")
    })
}

/// Conditional cells inside conditional cells, compared with a constant.
fn conditional_cells(depth: usize) -> (Terms, TermId) {
    let (mut t, term) =
        nest(depth, 3, |t, c, term, i| t.ite(c[i % 2], term, c[3 + i / 2 % 2]).expect("cells"));
    let a = t.find_func("a").expect("declared");
    let a = t.app(a, &[]).expect("a constant");
    let equal = t.eq(term, a).expect("cells");
    (t, equal)
}

fn functions(depth: usize) -> (Terms, TermId) {
    let (mut t, c, s) = vocabulary();
    let f = t.declare_fun("f", &[s], s).expect("new");
    let mut term = c[3];
    for _ in 0..depth {
        term = t.app(f, &[term]).expect("a cell");
    }
    let equal = t.eq(term, c[4]).expect("cells");
    (t, equal)
}

/// `f(... f(i + 1) + 1 ...) <= 5`: sums below functions, since sums alone are flattened.
fn sums(depth: usize) -> (Terms, TermId) {
    let (mut t, c, _) = vocabulary();
    let f = t.declare_fun("f", &[SortId::INT], SortId::INT).expect("new");
    let one = t.int(1);
    let mut term = c[2];
    for _ in 0..depth / 2 {
        let sum = t.add(&[term, one]).expect("integers");
        term = t.app(f, &[sum]).expect("an integer");
    }
    let five = t.int(5);
    let small = t.le(term, five).expect("integers");
    (t, small)
}

/// Build, print, read, evaluate; the formula read back.
fn text_and_value(build: Build, depth: usize) -> Duration {
    let start = Instant::now();
    let (terms, formula) = build(depth);
    let text = as_test::script(&terms, &[formula], None);
    let mut other = Terms::new();
    let script = read(&text, &mut other).unwrap_or_else(|e| panic!("{e}"));
    let (here, there) = (Model::new(&terms), Model::new(&other));
    let first = Evaluator::new(&terms, &here).holds(formula);
    let second = Evaluator::new(&other, &there).holds(script.formulas()[0]);
    assert_eq!(first.expect("a value"), second.expect("a value"));
    drop((terms, other));
    start.elapsed()
}

fn solve(build: Build, depth: usize) -> Duration {
    let start = Instant::now();
    let (terms, formula) = build(depth);
    let mut solver = Solver::with_terms(Config { proofs: true, ..Config::default() }, terms);
    solver.assert(formula).expect("closed");
    let answer = solver.check();
    assert!(matches!(answer, Answer::Sat(_)), "a model is easy to find");
    certify(solver.terms(), &[formula], &[], &answer).unwrap_or_else(|c| panic!("{c}"));
    drop(solver);
    start.elapsed()
}

/// Name, formula, and the part of the depth at which it is solved.
const SHAPES: &[(&str, Build, usize)] = &[
    ("and/or", junctions, 1),
    ("not", negations, 1),
    ("=", equivalences, 1),
    ("ite", conditionals, 1),
    ("ite of cells", conditional_cells, 1),
    ("functions", functions, 1),
    // NOTE: arithmetic is quadratic in the number of shared integer terms; 14 s at full depth.
    ("+", sums, 5),
];

/// Loosely: quadratic growth would be a factor of four, the rest is room for a busy machine.
fn about_linear(name: &str, body: fn(Build, usize) -> Duration, build: Build, depth: usize) {
    let (half, full) = in_a_small_stack(move || (body(build, depth / 2), body(build, depth)));
    eprintln!("{name}: {half:?} for half, {full:?} for all");
    assert!(full < LONG, "{name}: {full:?}");
    assert!(full < 8 * half + Duration::from_secs(2), "{name}: {half:?} for half, {full:?} for all");
}

#[test]
fn printed_read_and_evaluated() {
    for (name, build, _) in SHAPES {
        about_linear(name, text_and_value, *build, DEEP);
    }
}

#[test]
fn solved() {
    for (name, build, part) in SHAPES {
        about_linear(name, solve, *build, DEEP / part);
    }
}

/// Text that no term store has seen: parentheses only, and a sum within sums.
#[test]
fn deep_text() {
    in_a_small_stack(|| {
        let parentheses =
            format!("(assert {}{})", "(not ".repeat(DEEP), "true".to_owned() + &")".repeat(DEEP));
        assert!(read(&parentheses, &mut Terms::new()).is_ok());
        assert!(read(&"(".repeat(DEEP), &mut Terms::new()).is_err());
        let sum =
            format!("(declare-const i Int)(assert (= i {}i{}))", "(+ 1 ".repeat(DEEP), ")".repeat(DEEP));
        let mut terms = Terms::new();
        let script = read(&sum, &mut terms).unwrap_or_else(|e| panic!("{e}"));
        let mut solver = Solver::with_terms(Config::default(), terms);
        solver.assert(script.formulas()[0]).expect("closed");
        assert!(matches!(solver.check(), Answer::Unsat(_)));
    });
}
