//! `catena solve` under limits: whatever the input, the program ends near its limit of time and memory.
//!
//! The inputs take minutes or gigabytes where nothing stops them. The margins are what is promised, times what a
//! busy machine adds; the right answers are those that can be had within the limits.

use catena::frontend::smtlib::dialogue::{Dialogue, Response, Settings};
use catena::frontend::smtlib::stream::Stream;
use catena::util::limits::Limits;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const DIGITS: usize = 400_000;

/// What the program prints, and its status.
fn solve(script: &str, args: &[&str]) -> (String, Option<i32>, Duration) {
    let since = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_catena"))
        .arg("solve")
        .args(args)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let out = std::thread::scope(|scope| {
        // The program may end before it has read everything.
        scope.spawn(move || drop(input.write_all(script.as_bytes())));
        child.wait_with_output().expect("it ends")
    });
    (String::from_utf8(out.stdout).expect("text"), out.status.code(), since.elapsed())
}

/// Digits without a pattern.
fn digits(n: usize, mut seed: u64) -> String {
    let digit = |_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'1' + ((seed >> 33) % 9) as u8)
    };
    (0..n).map(digit).collect()
}

/// `g_n(x) = g_(n-1)(g_(n-1)(x))`.
fn tower(first: &str) -> String {
    let mut text = format!("(declare-fun f (Int Int) Int)(define-fun g0 ((x Int)) Int {first})");
    for i in 0..40 {
        let _ = write!(text, "(define-fun g{} ((x Int)) Int (g{i} (g{i} x)))", i + 1);
    }
    text + "(declare-const a Int)(assert (= (g40 a) a))(check-sat)"
}

fn doubled_lets() -> String {
    let mut text = "(declare-const x0 Int)(assert (= 5 ".to_owned();
    for i in 0..100_000 {
        let _ = write!(text, "(let ((x{} (+ x{i} x{i}))) ", i + 1);
    }
    text + "x100000" + &")".repeat(100_000) + "))(check-sat)"
}

fn long_numbers() -> String {
    let [a, b] = [1, 2].map(|seed| digits(DIGITS, seed));
    format!("(declare-const x Int)(declare-const y Int)(assert (= (* {a} x) (+ 1 (* {b} y))))(check-sat)")
}

fn many_assertions() -> String {
    let mut text = "(declare-const x Int)\n".to_owned();
    for i in 0..500_000 {
        let _ = writeln!(text, "(assert (! (or (< x {i}) (> x {})) :named n{i}))", i * 7 % 1000);
    }
    text + "(check-sat)"
}

/// Ends within the time, whatever is asked: a second is allowed for starting and for a busy machine.
#[test]
fn time_holds_on_every_input() {
    let limit = Duration::from_secs(2);
    let inputs: Vec<(&str, String)> = vec![
        ("sums of definitions", tower("(+ x x)")),
        ("nested definitions", tower("(f x x)")),
        ("doubled lets", doubled_lets()),
        ("long numbers", long_numbers()),
        ("many assertions", many_assertions()),
    ];
    for (name, script) in inputs {
        for more in [&[][..], &["--check"]] {
            let args = [&["--timeout", "2"], more].concat();
            let (out, status, took) = solve(&script, &args);
            assert!(took < limit + Duration::from_secs(2), "{name}: {took:?}");
            assert!(!out.lines().any(|line| line == "sat"), "{name}: {out}");
            assert!(matches!(status, Some(0 | 2 | 65)), "{name}: {status:?}");
        }
    }
}

/// Whoever is beyond the memory says so, and answers the next question.
#[test]
fn memory_holds_while_reading() {
    for (name, script) in [("doubled lets", doubled_lets()), ("nested definitions", tower("(f x x)"))] {
        let (out, status, _) = solve(&script, &["--memory", "200", "--timeout", "30"]);
        assert!(out.contains("the memory limit was reached") || out.contains("too large"), "{name}: {out}");
        assert!(out.ends_with("unknown\n") || status == Some(2), "{name}: {out}");
    }
}

/// What is linear stays so: these take a fraction of a second, and once took minutes.
#[test]
fn long_texts_are_read_in_time() {
    let n = 50_000;
    let declared: String = (0..n).map(|i| format!("(declare-const x{i} Int)")).collect();
    let all: String = (0..n).map(|i| format!(" x{i}")).collect();
    let nested: String = (0..n).map(|i| format!("(+ x{i} ")).collect();
    let sorts: String = (0..n).map(|i| format!("(declare-sort S{i} 0)")).collect();
    let bound: String = (0..4000).map(|i| format!("(v{i} Int)")).collect();
    let used: String = (0..4000).map(|i| format!("(r v{i} 3)")).collect();
    let number = digits(DIGITS, 3);
    let cases = [
        (format!("{declared}(assert (= 5 (+{all})))(check-sat)"), "sat"),
        (format!("{declared}(assert (= 5 (-{all})))(check-sat)"), "sat"),
        (format!("{declared}(assert (= 5 {nested}1{}))(check-sat)", ")".repeat(n)), "sat"),
        (format!("{sorts}(check-sat)"), "sat"),
        (format!("(declare-fun r (Int Int) Bool)(assert (exists ({bound}) (and {used})))(check-sat)"), ""),
        (format!("(declare-const x Int)(assert (= x {number}))(check-sat)(get-value (x))"), "sat"),
        (format!("(declare-const x Int)(assert (< x {number}))(assert (> (* 3 x) 7))(check-sat)"), "sat"),
    ];
    for (script, expected) in cases {
        let (out, status, _) = solve(&script, &["--timeout", "20"]);
        let shown: String = script.chars().take(60).collect();
        assert!(out.starts_with(expected) && status == Some(0), "{shown}: {}", &out[..out.len().min(200)]);
    }
}

/// The time is one for a check and what was said before it; afterwards it starts anew.
#[test]
fn a_dialogue_goes_on_after_its_time() {
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let mut dialogue = Dialogue::new(Settings { limits, ..Settings::default() });
    let script = "(declare-const p Bool)(declare-const q Bool)(assert p)(check-sat)(get-info :reason-unknown)
        (declare-const p Bool)(check-sat-assuming (p))(reset)(set-option :print-success true)(assert true)(assert false)";
    let mut stream = Stream::new(script.as_bytes());
    let mut out = String::new();
    while let Some(chunk) = stream.next_chunk().expect("a slice") {
        let response = dialogue.read(chunk);
        assert!(!matches!(response, Response::Internal(_)), "{response:?}");
        out += &dialogue.print(&response);
    }
    let over = "the deadline passed: this and what follows it is not read";
    let expected = [
        format!("(error \"1:1: {over}\")"),
        "unknown".to_owned(),
        "(:reason-unknown timeout)".to_owned(),
        format!("(error \"2:9: {over}\")"),
        "unknown".to_owned(),
        "success".to_owned(),
        format!("(error \"2:94: {over}\")"),
        format!("(error \"2:107: {over}\")"),
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), expected);
}
