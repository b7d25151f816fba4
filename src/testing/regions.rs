//! Random whole programs with several structures that mostly keep to themselves, and the judge of `program::parts`.
//!
//! A failing run of the whole must show in one of the parts: bounded search of the parts must find a failure wherever
//! bounded search of the whole finds one. Structures share temporaries, flags and, now and then, cells. Everything is a
//! function of its seed.

use crate::frontend::c;
use crate::program::explore::{self, Bound, Found};
use crate::program::parts::parts;
use crate::program::{Check, Program, Question};
use crate::util::limits::Budget;
use crate::util::rng::Rng;
use std::fmt::Write as _;

/// The program of a seed.
#[must_use]
pub fn random_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
         struct node { int h; struct node *next; };\nstruct tree { struct tree *l, *r; int k; };\n",
    );
    let lists = 2 + rng.below(2);
    let global = rng.one_in(3);
    if global {
        text.push_str("struct node *l0;\n");
    }
    text.push_str("int main(void) {\n");
    for i in usize::from(global)..lists {
        let _ = writeln!(text, "  struct node *l{i} = NULL;");
    }
    let _ = writeln!(
        text,
        "  struct tree *r = NULL, *s = NULL;\n  struct node *t = NULL;\n  int f = 0, g = 0, i = 0;"
    );
    if rng.one_in(4) {
        text.push_str("  int a[3] = { 0, 1, 2 };\n");
    }
    let arrays = text.contains("a[3]");
    let context = Context { lists, arrays, mixes: rng.one_in(3) };
    let size = 3 + rng.below(6);
    context.block(&mut rng, size, 2, &mut text);
    for i in 0..lists {
        if rng.one_in(2) {
            let _ = writeln!(text, "  while (l{i}) {{ t = l{i}->next; free(l{i}); l{i} = t; }}");
        }
    }
    text.push_str("  return 0;\n}\n");
    text
}

struct Context {
    lists: usize,
    arrays: bool,
    /// Cells go from one list to another.
    mixes: bool,
}

impl Context {
    fn block(&self, rng: &mut Rng, size: usize, depth: usize, out: &mut String) {
        for _ in 0..size {
            self.statement(rng, depth, out);
        }
    }

    fn statement(&self, rng: &mut Rng, depth: usize, out: &mut String) {
        let x = format!("l{}", rng.below(self.lists));
        let y = if self.mixes { format!("l{}", rng.below(self.lists)) } else { x.clone() };
        let (flag, k) = (*rng.pick(&["f", "g"]), rng.below(3));
        if depth > 0 && rng.one_in(3) {
            let mut inner = String::new();
            let size = 1 + rng.below(3);
            self.block(rng, size, depth - 1, &mut inner);
            let head = match rng.below(8) {
                0 | 1 => "while (__VERIFIER_nondet_int())".to_owned(),
                2 => format!("while ({x} && __VERIFIER_nondet_int())"),
                3 => format!("if ({flag} == {k})"),
                4 => format!("if ({x} && {flag} < {k})"),
                5 => format!("if (!({x} || {flag} == {k}))"),
                6 => format!("if ({x} == {y})"),
                _ => "if (__VERIFIER_nondet_int())".to_owned(),
            };
            let _ = writeln!(out, "  {head} {{\n{inner}  }}");
            return;
        }
        let _ = match rng.below(22) {
            0..=3 => writeln!(out, "  t = malloc(sizeof *t); t->h = {k}; t->next = {x}; {x} = t;"),
            4 => writeln!(
                out,
                "  {{ struct node *u = malloc(sizeof *u); u->h = {flag}; u->next = {y}; {x} = u; }}"
            ),
            5 => writeln!(out, "  if ({x}) {{ t = {x}->next; free({x}); {x} = t; }}"),
            6 => writeln!(out, "  {x} = {y};"),
            7 => writeln!(out, "  {x} = NULL;"),
            8 => writeln!(out, "  if ({y}) {x} = {y}->next;"),
            9 => writeln!(out, "  if ({x}) {x}->next = {y};"),
            10 => writeln!(out, "  {flag} = {k};"),
            11 => writeln!(out, "  if ({x}) {{ i = {x}->h; if (i == {k}) {flag} = 1; }}"),
            12 => writeln!(out, "  if ({x}) {x}->h = {flag};"),
            13 => writeln!(out, "  if ({x} && {x}->h == {k}) reach_error();"),
            14 => writeln!(out, "  if ({flag} == {k} && {x} == NULL) reach_error();"),
            15 => writeln!(out, "  if ({flag} == {k}) exit(1);"),
            16 => writeln!(out, "  s = malloc(sizeof *s); s->l = r; s->r = NULL; s->k = {flag}; r = s;"),
            17 => writeln!(out, "  if (r) {{ {flag} = r->k; s = r->l; free(r); r = s; }}"),
            18 if self.arrays => writeln!(out, "  i = {flag}; if (i < {k}) a[i] = {k}; {flag} = a[{k}];"),
            18 => writeln!(out, "  {x} = {y}->next;"),
            19 => writeln!(out, "  free({x}); {x} = NULL;"),
            20 => writeln!(out, "  if ({x}) free({x});"),
            _ => writeln!(out, "  if ({flag} > 2) reach_error();"),
        };
    }
}

fn program(seed: u64) -> Result<Program, String> {
    let text = random_text(seed);
    let unit = c::load("random", text.as_bytes(), &c::Options::default());
    let main = unit.functions.iter().find(|f| f.name == "main").ok_or("no main")?;
    main.program.clone().map_err(|d| format!("{d:?}\n{text}"))
}

/// Looks at the parts of a case; whether the whole and its parts fail, or what is wrong.
pub fn check_parts(seed: u64) -> Result<&'static str, String> {
    let program = program(seed)?;
    let mut rng = Rng::new(seed ^ 0x9E37_79B9);
    let mut checks = Vec::new();
    for check in [Check::Memsafety, Check::Asserts, Check::Leaks] {
        if !rng.one_in(3) {
            checks.push(check);
        }
    }
    let question = Question { contract: 0, checks };
    let found = parts(&program, &question);
    for part in &found {
        part.validate().map_err(|e| format!("{e}\n{}", random_text(seed)))?;
    }
    if found.is_empty() {
        return Ok("one region");
    }
    let bound = Bound { cells: 2, commands: 60_000, ..Bound::default() };
    let search = |p: &Program, bound: &Bound| explore::search(p, &question, bound, &mut Budget::unlimited());
    let Found::Violation(trace) = search(&program, &bound) else { return Ok("verified") };
    let more = Bound { commands: 400_000, ..bound };
    if found.iter().any(|part| matches!(search(part, &more), Found::Violation(_))) {
        return Ok("violated");
    }
    Err(format!(
        "the program fails ({}), its {} parts do not\n{:?}\n{}",
        trace.failure.message,
        found.len(),
        question.checks,
        random_text(seed)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_in_the_whole_fails_in_a_part() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..150 {
            let word = check_parts(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            *counts.entry(word).or_insert(0) += 1;
        }
        assert!(counts["verified"] > 15 && counts["violated"] > 30, "{counts:?}");
    }
}
