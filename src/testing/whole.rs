//! Random whole programs in C, and the judge of the engine `lazy` that answers about them.
//!
//! Lists with an integer and two links are built, walked, changed and freed; values, flags and pointers are
//! asserted. `verified` is held against bounded concrete exploration and against the certificate checker;
//! `violated` against a second run of the trace's own evidence. Everything is a function of its seed.

use crate::analysis::Setup;
use crate::analysis::lazy::{Columns, Refiner, run_columns};
use crate::certify::check_shapes;
use crate::frontend::c;
use crate::program::explore::{self, Bound};
use crate::program::{Check, Program, Question};
use crate::util::limits::{Budget, Limits};
use crate::util::rng::Rng;
use crate::verdict::{Certificate, Verdict};
use std::fmt::Write as _;

const POINTERS: [&str; 3] = ["a", "b", "c"];
const FIELDS: [&str; 2] = ["next", "prev"];

/// The program of a seed.
#[must_use]
pub fn random_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
         struct node { int h; struct node *next, *prev; };\n",
    );
    let global = rng.one_in(4);
    if global {
        text.push_str("struct node *a;\n");
    }
    text.push_str("int main(void) {\n");
    let locals = if global { "*b = NULL, *c = NULL" } else { "*a = NULL, *b = NULL, *c = NULL" };
    let _ = writeln!(text, "  struct node {locals}, *t = NULL;\n  int f = 0, i = 0;");
    let size = 3 + rng.below(4);
    block(&mut rng, size, 2, &mut text);
    if rng.one_in(3) {
        text.push_str("  while (a) { t = a->next; free(a); a = t; }\n");
    }
    text.push_str("  return 0;\n}\n");
    text
}

fn block(rng: &mut Rng, size: usize, depth: usize, out: &mut String) {
    for _ in 0..size {
        statement(rng, depth, out);
    }
}

fn statement(rng: &mut Rng, depth: usize, out: &mut String) {
    let (x, y, l) = (*rng.pick(&POINTERS), *rng.pick(&POINTERS), *rng.pick(&FIELDS));
    let k = rng.below(3);
    if depth > 0 && rng.one_in(3) {
        let mut inner = String::new();
        let size = 1 + rng.below(3);
        block(rng, size, depth - 1, &mut inner);
        let head = match rng.below(8) {
            0..=2 => "while (__VERIFIER_nondet_int())".to_owned(),
            3 => format!("while ({x} && __VERIFIER_nondet_int())"),
            4 => format!("if ({x} == {y})"),
            5 => format!("if (f == {k})"),
            6 => format!("if ({x} && {x}->h == {k})"),
            _ => "if (__VERIFIER_nondet_int())".to_owned(),
        };
        let _ = writeln!(out, "  {head} {{\n{inner}  }}");
        return;
    }
    let _ = match rng.below(16) {
        0..=2 => writeln!(
            out,
            "  t = malloc(sizeof *t); t->h = {k}; t->next = {x}; t->prev = NULL; if ({x}) {x}->prev = t; {x} = t;"
        ),
        3 => writeln!(out, "  {x} = malloc(sizeof *{x}); {x}->h = {k}; {x}->next = {y}; {x}->prev = NULL;"),
        4 => writeln!(out, "  {x} = {y};"),
        5 => writeln!(out, "  {x} = NULL;"),
        6 | 7 => writeln!(out, "  if ({y}) {x} = {y}->{l};"),
        8 => writeln!(out, "  if ({x}) {x}->{l} = {y};"),
        9 => writeln!(out, "  f = {k};"),
        10 => writeln!(out, "  if ({x}) {{ i = {x}->h; if (i == {k}) f = 1; }}"),
        11 => writeln!(out, "  if ({x}) {x}->h = f;"),
        12 => writeln!(out, "  if ({x} && {x}->h == {k}) reach_error();"),
        13 => writeln!(out, "  if ({x} && {x}->next && {x}->next->prev != {x}) reach_error();"),
        14 if rng.one_in(2) => writeln!(out, "  free({x}); {x} = NULL;"),
        14 => writeln!(out, "  if (f == {k} && {x} == NULL) reach_error();"),
        _ if rng.one_in(3) => writeln!(out, "  {x} = {y}->{l};"),
        _ => writeln!(out, "  i = i + 1; if (i < 0) reach_error();"),
    };
}

fn program(seed: u64) -> Result<Program, String> {
    let text = random_text(seed);
    let unit = c::load("random", text.as_bytes(), &c::Options::default());
    let main = unit.functions.iter().find(|f| f.name == "main").ok_or("no main")?;
    main.program.clone().map_err(|d| format!("{d:?}\n{text}"))
}

/// Runs the engine `lazy` on a case in one of its modes; the word of its verdict, or what is wrong.
pub fn check_lazy(seed: u64) -> Result<&'static str, String> {
    let program = program(seed)?;
    let mut checks = vec![Check::Memsafety, Check::Asserts];
    if seed.is_multiple_of(3) {
        checks.push(Check::Leaks);
    }
    let question = Question { contract: 0, checks };
    let refiner = if seed.is_multiple_of(5) { Refiner::Interpolants } else { Refiner::Cores };
    let level = if seed.is_multiple_of(4) { 2 } else { 1 };
    let depth_first = !seed.is_multiple_of(7);
    let mode = Columns {
        refiner,
        level,
        depth_first,
        joins: seed % 11 < 3,
        from_root: seed % 5 == 2,
        local: seed % 13 < 5,
        ..Columns::BOTH
    };
    let limits = Limits { steps: Some(100_000), ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    let outcome = run_columns(&program, &question, &setup, mode, &|_| {});
    let complain = |what: String| Err(format!("{what}\n{}", random_text(seed)));
    match &outcome.verdict {
        Verdict::Verified(certificate) => {
            let bound = Bound { cells: 3, commands: 100_000, ..Bound::default() };
            let found = explore::search(&program, &question, &bound, &mut Budget::unlimited());
            if let explore::Found::Violation(trace) = found {
                return complain(format!("verified, but {}", trace.failure.message));
            }
            let Certificate::Text { lines, .. } = certificate else {
                return complain("a certificate of another kind".to_owned());
            };
            if let Err(fault) = check_shapes(&program, &question, lines, 5, seed) {
                return complain(format!("certificate: {fault}"));
            }
        }
        Verdict::Violated(trace) => {
            let bound = Bound::default();
            let mut budget = Budget::unlimited();
            let again = explore::replay(&program, &question, &trace.initial, None, &bound, &mut budget);
            if !matches!(again, explore::Found::Violation(_)) {
                return complain("a trace that does not replay".to_owned());
            }
        }
        Verdict::TooWeak(_) | Verdict::Unknown(_) => {}
    }
    Ok(outcome.verdict.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_whole_programs_are_judged_right() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..80 {
            let word = check_lazy(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            *counts.entry(word).or_insert(0) += 1;
        }
        assert!(counts["verified"] > 15 && counts["violated"] > 15, "{counts:?}");
    }
}
