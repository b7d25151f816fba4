//! Random C functions with contracts about lists and their data, and the judge of all engines that answer
//! about one.
//!
//! Whatever an engine verifies is held against explicit runs of the interpreter on small heaps, whatever it
//! refutes against a second run of its trace, and all engines against each other. Fields stand in any order
//! in the struct, accesses may lack their guards, integers are added to and compared. Everything is a function
//! of its seed.

use crate::analysis::{Predicates, Progress, Setup, Variants, heaps, monotone, pdr, vc};
use crate::frontend::c;
use crate::program::explore::{self, Bound, Found};
use crate::program::{Check, Program, Question};
use crate::testing::clock;
use crate::util::limits::{Budget, Limits};
use crate::util::rng::Rng;
use crate::verdict::{Outcome, Verdict};
use std::fmt::Write as _;
use std::time::Duration;

const POINTERS: [&str; 4] = ["a", "b", "p", "q"];
const INTEGERS: [&str; 3] = ["k", "x", "y"];
const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// What an engine may spend on one case; one that needs more has no opinion. Steps are counted per question
/// by some engines, so that processor time is what ends long cases.
const STEPS: u64 = 150_000;
const TIME: Duration = Duration::from_secs(3);

type Engine = fn(&Program, &Question, &Setup, Progress<'_>) -> Outcome;
const ENGINES: [(&str, Predicates, Engine); 5] = [
    ("pdr", Predicates::Derived, pdr::run),
    ("pdr without predicates", Predicates::None, pdr::run),
    ("heaps", Predicates::Derived, heaps::run),
    ("monotone", Predicates::Derived, monotone::run),
    ("vc", Predicates::Derived, vc::run),
];

/// The function of a seed.
#[must_use]
pub fn random_text(seed: u64) -> String {
    let mut g = Generator { rng: Rng::new(seed), out: String::new(), returns_int: false };
    g.returns_int = g.rng.one_in(3);
    let mut fields = ["struct n *next;", "int d;", "int flag;"];
    g.rng.shuffle(&mut fields);
    let _ = writeln!(g.out, "#include <stdlib.h>\nstruct n {{ {} }};", fields.join(" "));
    g.contract();
    let ty = if g.returns_int { "int " } else { "struct n *" };
    let _ = writeln!(g.out, "{ty}f(struct n *a, struct n *b, int k) {{");
    let _ = writeln!(g.out, "  struct n *p = a, *q = NULL, *t;\n  int x = 0, y = k;");
    let size = 1 + g.rng.below(3);
    g.block(size, 0);
    g.walk(0);
    if g.rng.one_in(3) {
        g.block(1, 0);
    }
    let result = if g.returns_int { *g.rng.pick(&INTEGERS) } else { *g.rng.pick(&POINTERS) };
    let _ = writeln!(g.out, "  return {result};\n}}");
    g.out
}

struct Generator {
    rng: Rng,
    out: String,
    returns_int: bool,
}

impl Generator {
    fn contract(&mut self) {
        let mut requires = vec!["\\list(next, a)", "\\list(next, b)"];
        for (clause, rarity) in [
            ("a != NULL", 2),
            ("\\disjoint(\\cells(next, a, NULL), \\cells(next, b, NULL))", 2),
            ("\\sorted(next, d, a, NULL)", 4),
            ("k >= 0", 4),
            ("\\forall struct n *u; u \\in \\cells(next, a, NULL) ==> u->d <= k", 8),
        ] {
            if self.rng.one_in(rarity) {
                requires.push(clause);
            }
        }
        let _ = writeln!(self.out, "/*@ requires {};", requires.join(" && "));
        for _ in 0..1 + self.rng.below(2) {
            let clause = self.promise();
            let _ = writeln!(self.out, "    ensures {clause};");
        }
        self.out.push_str("@*/\n");
    }

    fn promise(&mut self) -> String {
        let (cmp, n) = (*self.rng.pick(&COMPARISONS), self.rng.below(3));
        let (from, other) = if self.returns_int { ("a", "b") } else { ("\\result", "a") };
        let cells = format!("\\forall struct n *u; u \\in \\cells(next, {from}, NULL) ==>");
        match self.rng.below(9) {
            0 => format!("\\list(next, {from})"),
            1 => format!("\\sorted(next, d, {from}, NULL)"),
            2 => format!("{cells} u->d {cmp} k"),
            3 => format!("{cells} u->d {cmp} {n}"),
            4 if self.returns_int => format!("\\result {cmp} k"),
            4 => format!("\\result == NULL || \\result->d {cmp} k"),
            5 if self.returns_int => format!("\\result == 1 ==> \\sorted(next, d, a, NULL) || k {cmp} {n}"),
            5 => format!("{other} -next*-> \\result"),
            6 if self.returns_int => format!("{cells} u->d {cmp} \\result"),
            6 => format!("{cells} \\old(u \\in \\cells(next, a, NULL))"),
            7 => "\\old(a) == NULL || \\valid(\\old(a))".to_owned(),
            _ => format!("a == NULL || a->flag {cmp} {n} || \\old(a->flag) {cmp} {n}"),
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth + 1));
    }

    fn block(&mut self, size: usize, depth: usize) {
        for _ in 0..size {
            self.statement(depth);
        }
    }

    /// A loop along a list.
    fn walk(&mut self, depth: usize) {
        let (k, x) = (*self.rng.pick(&INTEGERS), *self.rng.pick(&INTEGERS));
        let cmp = *self.rng.pick(&COMPARISONS);
        let test = match self.rng.below(7) {
            0 | 1 => "p".to_owned(),
            2 => "p && p->next".to_owned(),
            3 => "p->next != NULL".to_owned(),
            4 => format!("p && p->d {cmp} {k}"),
            5 => format!("p && p->d {cmp} {x} + 1"),
            _ => "p && !p->flag".to_owned(),
        };
        self.line(depth, &format!("while ({test}) {{"));
        let size = self.rng.below(3);
        self.block(size, depth + 1);
        let step = match self.rng.below(5) {
            0 | 1 => "p = p->next;",
            2 => "q = p; p = p->next;",
            3 => "t = p->next; p->next = q; q = p; p = t;",
            _ => "t = p->next; if (p != b) { if (q) q->next = t; } p = t;",
        };
        self.line(depth + 1, step);
        self.line(depth, "}");
    }

    fn statement(&mut self, depth: usize) {
        let (p, q) = (*self.rng.pick(&POINTERS), *self.rng.pick(&POINTERS));
        let (x, y) = (*self.rng.pick(&INTEGERS), *self.rng.pick(&INTEGERS));
        let (cmp, n) = (*self.rng.pick(&COMPARISONS), self.rng.below(3));
        let guard = if self.rng.one_in(12) { String::new() } else { format!("if ({p}) ") };
        let text = match self.rng.below(20) {
            0 => format!("{x} = {y} + {n};"),
            1 => format!("{x} = {n};"),
            2 => format!("{x} = {y};"),
            3 => format!("{guard}{x} = {p}->d;"),
            4 => format!("{guard}{x} = {p}->d - {n};"),
            5 => format!("{guard}{p}->d = {x};"),
            6 => format!("{guard}{p}->d = {p}->d + {n};"),
            7 => format!("{guard}{p}->flag = {n};"),
            8 => format!("if ({p} && {p}->d {cmp} {x}) {x} = {p}->d;"),
            9 => format!("if ({p} && {q} && {p}->d {cmp} {q}->d + 1) {y} = {n};"),
            10 => format!("if ({p} && {p}->flag) {x} = {y};"),
            11 => format!("{guard}{q} = {p}->next;"),
            12 => format!("{p} = {q};"),
            13 => format!("if ({p} && {p} != {q}) {p}->next = {q};"),
            14 => format!("t = malloc(sizeof *t); t->next = {p}; t->d = {x}; t->flag = {n}; {p} = t;"),
            15 if self.rng.one_in(2) => format!("{guard}{{ t = {p}; {p} = {p}->next; free(t); }}"),
            15 | 16 if depth < 2 => {
                self.line(depth, &format!("if ({x} {cmp} {y}) {{"));
                let size = 1 + self.rng.below(2);
                self.block(size, depth + 1);
                "}".to_owned()
            }
            17 if depth == 0 => return self.walk(depth),
            18 if self.returns_int => format!("if ({x} {cmp} {n}) return {y};"),
            18 => format!("if ({p} && {p}->d {cmp} {x}) return {p};"),
            _ => format!("{x} = {x} + 1;"),
        };
        self.line(depth, &text);
    }
}

/// Runs the engines on the function of a seed; the word of the first that decides, or what is wrong.
pub fn check_contract(seed: u64) -> Result<&'static str, String> {
    let text = random_text(seed);
    let complain = |what: String| Err(format!("{what}\n{text}"));
    let unit = c::load("random", text.as_bytes(), &c::Options::default());
    let program = match unit.functions.iter().find(|f| f.name == "f").map(|f| f.program.clone()) {
        Some(Ok(program)) => program,
        Some(Err(diagnostics)) => return complain(format!("{diagnostics:?}")),
        None => return complain(format!("{:?}", unit.diagnostics)),
    };
    let question = Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts, Check::Ensures] };
    let bound = Bound { cells: 3, commands: 200_000, ..Bound::default() };
    // Searched at most once, and only if somebody says that there is nothing to find.
    let mut counterexample: Option<Option<String>> = None;
    let mut decided = "unknown";
    for (name, predicates, run) in ENGINES {
        let verdict = clock::within(TIME, |token| {
            let limits = Limits { steps: Some(STEPS), cancel: Some(token), ..Limits::default() };
            let setup = Setup {
                limits,
                variants: Variants { predicates, ..Variants::default() },
                ..Setup::default()
            };
            run(&program, &question, &setup, &|_| {}).verdict
        });
        match &verdict {
            Verdict::Verified(_) => {
                let found = counterexample.get_or_insert_with(|| {
                    match explore::search(&program, &question, &bound, &mut Budget::unlimited()) {
                        Found::Violation(trace) => Some(trace.failure.message.clone()),
                        _ => None,
                    }
                });
                if let Some(message) = found {
                    return complain(format!("{name}: verified, but {message}"));
                }
            }
            Verdict::Violated(trace) => {
                let mut budget = Budget::unlimited();
                let again = explore::replay(
                    &program,
                    &question,
                    &trace.initial,
                    None,
                    &Bound::default(),
                    &mut budget,
                );
                if !matches!(again, Found::Violation(_)) {
                    return complain(format!("{name}: a trace that does not replay"));
                }
            }
            Verdict::TooWeak(_) | Verdict::Unknown(_) => continue,
        }
        let word = verdict.word();
        if decided != "unknown" && decided != word {
            return complain(format!("{name}: {word}, but another engine says {decided}"));
        }
        decided = word;
    }
    Ok(decided)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_functions_are_judged_right() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..25 {
            let word = check_contract(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            *counts.entry(word).or_insert(0) += 1;
        }
        assert!(counts["verified"] > 2 && counts["violated"] > 8, "{counts:?}");
    }
}
