//! Random programs about lists, for paths whose states are summed up: what they prove must not fail on an exact path.
//!
//! The programs build, walk, rewire and free lists with links in one or two directions and cells that own another one, in loops that
//! end when they like. Many are wrong. Exact paths find what is wrong in a few steps, if anything is; a proof of such a program
//! is a complaint.

use crate::execution::{Follower, Prover};
use crate::frontend::c::{self, Options};
use crate::program::Check;
use crate::util::limits::Limits;
use crate::util::rng::Rng;
use crate::verdict::Verdict;
use std::fmt::Write as _;

/// Statements of all paths of the oracle.
const EXACT: u64 = 60_000;
/// Statements of each attempt to sum up.
const SUMMED: u64 = 400_000;

const HEAD: &str = "\
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; struct n *prev; struct n *own; };
struct q { struct n *head; struct n *tail; int size; };
";

const POINTERS: [&str; 5] = ["a", "b", "c", "q.head", "q.tail"];

struct Writer {
    rng: Rng,
    out: String,
    names: usize,
}

impl Writer {
    fn pointer(&mut self) -> &'static str {
        POINTERS[self.rng.below(POINTERS.len())]
    }

    fn number(&mut self) -> String {
        match self.rng.below(4) {
            0 => "__VERIFIER_nondet_int()".to_owned(),
            1 => "x".to_owned(),
            _ => self.rng.below(3).to_string(),
        }
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    fn cell(&mut self, name: &str, next: &str) {
        let number = self.number();
        let own = match self.rng.below(6) {
            0 => "malloc(sizeof(struct n))".to_owned(),
            1 => name.to_owned(),
            2 => self.pointer().to_owned(),
            _ => "NULL".to_owned(),
        };
        let previous = if self.rng.one_in(4) { self.pointer() } else { "NULL" };
        let _ = writeln!(
            self.out,
            "struct n *{name} = malloc(sizeof *{name}); {name}->v = {number}; {name}->next = {next}; {name}->prev = {previous}; {name}->own = {own};"
        );
    }

    fn block(&mut self, depth: usize, most: usize) {
        self.out.push_str("{\n");
        for _ in 0..1 + self.rng.below(most) {
            self.statement(depth);
        }
        self.out.push_str("}\n");
    }

    fn statement(&mut self, depth: usize) {
        let (v, w) = (self.pointer(), self.pointer());
        let t = self.fresh();
        match self.rng.below(20) {
            0..=2 => {
                self.out.push_str("{ ");
                self.cell(&t, v);
                if self.rng.one_in(2) {
                    let _ = writeln!(self.out, "if ({v}) {v}->prev = {t};");
                }
                let _ = writeln!(self.out, "{v} = {t}; }}");
            }
            3 => {
                self.out.push_str("{ ");
                self.cell(&t, "NULL");
                let back = if self.rng.one_in(2) { format!("{t}->prev = e;") } else { String::new() };
                let _ = writeln!(
                    self.out,
                    "if (!{v}) {v} = {t}; else {{ struct n *e = {v}; while (e->next) e = e->next; e->next = {t}; {back} }} }}"
                );
            }
            4 => {
                self.out.push_str("{ ");
                self.cell(&t, "NULL");
                let _ = writeln!(
                    self.out,
                    "{t}->prev = q.tail; if (q.tail) q.tail->next = {t}; else q.head = {t}; q.tail = {t}; q.size++; }}"
                );
            }
            5 | 6 => {
                let own = ["", "if (s->own != s) free(s->own);", "free(s->own);"][self.rng.below(3)];
                let after = ["", "q.tail = NULL;"][self.rng.below(2)];
                let _ = writeln!(
                    self.out,
                    "while ({v}) {{ struct n *s = {v}; {v} = s->next; {own} free(s); }} {after}"
                );
            }
            7 => {
                let _ = writeln!(
                    self.out,
                    "{{ struct n *r = NULL; while ({v}) {{ struct n *s = {v}->next; {v}->next = r; {v}->prev = s; r = {v}; {v} = s; }} {v} = r; }}"
                );
            }
            8 => {
                let _ = writeln!(
                    self.out,
                    "if ({w}) {{ if ({w}->prev) {w}->prev->next = {w}->next; else {v} = {w}->next; if ({w}->next) {w}->next->prev = {w}->prev; free({w}); {w} = NULL; }}"
                );
            }
            9 | 10 if depth > 0 => {
                self.out.push_str("while (__VERIFIER_nondet_int()) ");
                self.block(depth - 1, 3);
            }
            11 if depth > 0 => {
                let number = self.number();
                let _ = write!(
                    self.out,
                    "for (struct n *e = {v}; e; e = e->next) {{ if (e->v == {number}) {w} = e; "
                );
                match self.rng.below(4) {
                    0 => self.out.push_str("assert(!e->next || e->next->prev == e);"),
                    1 => self.out.push_str("assert(e->own == NULL || e->own == e);"),
                    2 => self.out.push_str("e->v = x;"),
                    _ => self.out.push_str("x++;"),
                }
                self.out.push_str(" }\n");
            }
            12 if depth > 0 => {
                let _ = write!(self.out, "for (int i = 0; i < {}; i++) ", 1 + self.rng.below(4));
                self.block(depth - 1, 2);
            }
            13 => {
                let number = self.number();
                let _ = writeln!(self.out, "x = {number};");
            }
            14 => {
                let _ = writeln!(self.out, "if ({v}) {v}->next = {w};");
            }
            15 => {
                let _ = writeln!(
                    self.out,
                    "{v} = {w} ? {w}->{} : NULL;",
                    ["next", "prev", "own"][self.rng.below(3)]
                );
            }
            16 => {
                let _ = writeln!(self.out, "{v} = {w};");
            }
            17 => {
                let number = self.number();
                let _ = match self.rng.below(4) {
                    0 => writeln!(self.out, "assert(!{v} || {v}->v == {number} || {v}->v >= 1);"),
                    1 => writeln!(self.out, "assert(!{v} || !{v}->next || {v}->next->prev != {w});"),
                    2 => writeln!(self.out, "assert({v} == NULL || {v} != {v}->next);"),
                    _ => writeln!(self.out, "assert(q.size < 3 || q.head != q.tail);"),
                };
            }
            18 if depth > 0 => {
                let _ = write!(self.out, "if (x < {}) ", self.rng.below(4));
                self.block(depth - 1, 2);
            }
            _ => {
                let _ = writeln!(self.out, "if ({v} && {v}->own == {v}) {{ {w} = {v}; x++; }}");
            }
        }
    }
}

/// A program.
#[must_use]
pub fn random_text(seed: u64) -> String {
    let mut writer = Writer { rng: Rng::new(seed), out: HEAD.to_owned(), names: 0 };
    writer.out.push_str(
        "int main(void) {\nstruct n *a = NULL, *b = NULL, *c = NULL; struct q q = { NULL, NULL, 0 }; int x = 0;\n",
    );
    let count = 2 + writer.rng.below(4);
    for _ in 0..count {
        writer.statement(2);
    }
    writer.out.push_str("return 0;\n}\n");
    writer.out
}

/// The word of what summed paths and exact ones say together.
///
/// # Errors
/// A proof of what fails.
pub fn check_sums(seed: u64) -> Result<&'static str, String> {
    check_text(&random_text(seed), seed)
}

/// The same for a given program; with some seeds leaks count.
pub(super) fn check_text(text: &str, seed: u64) -> Result<&'static str, String> {
    let mut options = Options::default();
    if seed.is_multiple_of(3) {
        options.checks.push(Check::Leaks);
    }
    let unit = c::load("sums.c", text.as_bytes(), &options);
    let checked = unit.checked.ok_or_else(|| format!("{:?}\n{text}", unit.diagnostics))?;
    let limits = |steps| Limits { steps: Some(steps), ..Limits::default() };
    // Whoever is stopped and goes on says nothing else.
    let slice = [u64::MAX, 900, 150][(seed / 3 % 3) as usize];
    let in_slices = |all: u64, go_on: &mut dyn FnMut(&Limits) -> Verdict| {
        let mut last = go_on(&limits(all.min(slice)));
        for _ in 1..all / slice.min(all) {
            if matches!(last, Verdict::Verified(_) | Verdict::Violated(_)) {
                break;
            }
            last = go_on(&limits(slice));
        }
        last
    };
    let mut prover = Prover::new(&checked, &options);
    let summed = in_slices(SUMMED, &mut |limits| prover.go_on(limits).outcome.verdict);
    let exact = Follower::new(&checked, &options).go_on(&limits(EXACT)).outcome.verdict;
    let mut follower = Follower::new(&checked, &options);
    let sliced = in_slices(EXACT, &mut |limits| match follower.has_ended() {
        true => exact.clone(),
        false => follower.go_on(limits).outcome.verdict,
    });
    match (&sliced, &exact) {
        (Verdict::Verified(_), Verdict::Violated(_)) | (Verdict::Violated(_), Verdict::Verified(_)) => {
            return Err(format!("followed in slices it is another answer\n{text}"));
        }
        _ => {}
    }
    match (&summed, &exact) {
        (Verdict::Verified(_), Verdict::Violated(trace)) => {
            Err(format!("summed up nothing fails, but {}\n{text}", trace.failure.message))
        }
        (Verdict::Verified(_), _) | (_, Verdict::Verified(_)) => Ok("verified"),
        (_, Verdict::Violated(_)) => Ok("violated"),
        _ => Ok("unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_summed_up_and_proved_does_not_fail() {
        let mut counts = [0; 3];
        for seed in 0..400 {
            let word = check_sums(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
            counts[["verified", "violated", "unknown"].iter().position(|w| *w == word).unwrap_or(2)] += 1;
        }
        assert!(counts[0] > 20 && counts[1] > 50, "{counts:?}");
    }
}
