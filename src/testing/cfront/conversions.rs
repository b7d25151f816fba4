//! Variables of all integer types, constants in all spellings, conversions of all kinds.

use super::numbers::{INT, Kind, Source, TYPES, Typed};
use crate::util::rng::Rng;
use std::fmt::Write;

/// A function of that name.
#[must_use]
pub fn function(seed: u64, name: &str, _faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), variables: Vec::new(), out: String::new(), name };
    g.globals();
    let _ = writeln!(g.out, "int {name}(void) {{\n  unsigned acc = 17;");
    for i in 0..3 + g.rng.below(4) {
        g.declare(i);
    }
    for _ in 0..5 + g.rng.below(10) {
        g.statement();
    }
    for (_, variable) in g.variables.clone() {
        let _ = writeln!(g.out, "  acc = mix(acc, {});", variable.text);
    }
    g.out.push_str("  return (int)(acc % 199u);\n}\n");
    g.out
}

struct Generator<'a> {
    rng: Rng,
    /// With the names of their types.
    variables: Vec<(&'static str, Typed)>,
    out: String,
    name: &'a str,
}

impl Generator<'_> {
    fn source(&mut self, constant: bool) -> Source<'_> {
        let leaves = if constant { Vec::new() } else { self.variables.iter().map(|v| v.1.clone()).collect() };
        Source { rng: &mut self.rng, leaves, condition: false }
    }

    /// Globals and enumerators start with constant expressions.
    fn globals(&mut self) {
        for i in 0..self.rng.below(3) {
            let (ty, kind) = TYPES[self.rng.below(TYPES.len())];
            let start = self.source(true).expr(3);
            let text = format!("{}_g{i}", self.name);
            let _ = writeln!(self.out, "static {ty} {text} = {};", start.text);
            self.variables.push((ty, Typed { text, kind, value: kind.wrap(start.value) }));
        }
    }

    fn declare(&mut self, i: usize) {
        let (ty, kind) = TYPES[self.rng.below(TYPES.len())];
        let start = self.source(false).expr(2);
        let _ = writeln!(self.out, "  {ty} v{i} = {};", start.text);
        self.variables.push((ty, Typed { text: format!("v{i}"), kind, value: kind.wrap(start.value) }));
    }

    fn statement(&mut self) {
        let i = self.rng.below(self.variables.len());
        let target = self.variables[i].1.clone();
        let e = self.source(false).expr(3);
        match self.rng.below(12) {
            0..=2 => {
                let _ = writeln!(self.out, "  {} = {};", target.text, e.text);
                self.variables[i].1.value = target.kind.wrap(e.value);
            }
            3..=5 => self.update(i, &e),
            6 => self.step(i),
            7 => {
                let test = if e.value != 0 { "!" } else { "" };
                let _ = writeln!(
                    self.out,
                    "  if ({test}({})) acc = mix(acc, 1); else acc = mix(acc, 2);",
                    e.text
                );
            }
            8 => self.switch(&e),
            9 => self.constant(),
            10 => {
                let _ = writeln!(self.out, "  acc = mix(acc, sizeof({}));", e.text);
            }
            _ => {
                let _ = writeln!(self.out, "  acc = mix(acc, {});", e.text);
            }
        }
    }

    fn update(&mut self, i: usize, e: &Typed) {
        let ops = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"];
        let op = ops[self.rng.below(ops.len())];
        let target = self.variables[i].1.clone();
        let Some((_, value)) = self.source(true).apply(op, &target, e) else { return };
        let _ = writeln!(self.out, "  acc = mix(acc, {} {op}= {});", target.text, e.text);
        self.variables[i].1.value = target.kind.wrap(value);
    }

    fn step(&mut self, i: usize) {
        let target = self.variables[i].1.clone();
        let (op, by) = if self.rng.one_in(2) { ("++", 1) } else { ("--", -1) };
        let value = target.value + by;
        let wide: Kind = if target.kind.bits < 32 { INT } else { target.kind };
        if wide.signed && !(wide.min()..=wide.max()).contains(&value) {
            return;
        }
        let text =
            if self.rng.one_in(2) { format!("{op}{}", target.text) } else { format!("{}{op}", target.text) };
        let _ = writeln!(self.out, "  acc = mix(acc, {text});");
        self.variables[i].1.value = target.kind.wrap(value);
    }

    /// Cases are converted to the type of the subject: one of them is the subject's value.
    fn switch(&mut self, e: &Typed) {
        let mut cases = vec![(e.value, format!("({})", self.spelled(e)))];
        for _ in 0..self.rng.below(4) {
            let other = self.source(true).expr(2);
            let kind = if e.kind.bits < 32 { INT } else { e.kind };
            let value = kind.wrap(other.value);
            if cases.iter().all(|(v, _)| *v != value) {
                cases.push((value, other.text));
            }
        }
        let first = self.rng.below(cases.len());
        cases.rotate_left(first);
        let default = self.rng.below(cases.len() + 1);
        let _ = writeln!(self.out, "  switch ({}) {{", e.text);
        for (i, (_, text)) in cases.iter().enumerate() {
            if i == default {
                let _ = writeln!(self.out, "  default: acc = mix(acc, 77);");
            }
            let end = if self.rng.one_in(2) { " break;" } else { "" };
            let _ = writeln!(self.out, "  case {text}: acc = mix(acc, {i});{end}");
        }
        let _ = writeln!(self.out, "  }}");
    }

    /// The value of an expression as a constant, maybe of another type.
    fn spelled(&mut self, e: &Typed) -> String {
        match self.rng.below(3) {
            0 if e.value > i128::from(i64::MIN) && e.value <= i128::from(i64::MAX) => {
                format!("{}ll", e.value).replace("-", "-1 * ")
            }
            1 => format!("0x{:x}ull", (e.value & i128::from(u64::MAX)) as u64),
            _ => format!("(long)0x{:x}", (e.value & i128::from(u64::MAX)) as u64),
        }
    }

    fn constant(&mut self) {
        let e = self.source(true).expr(3);
        if self.rng.one_in(2) && (INT.min()..=INT.max()).contains(&e.value) {
            let _ = writeln!(self.out, "  {{ enum {{ E = {} }}; acc = mix(acc, E); }}", e.text);
        } else {
            let _ = writeln!(self.out, "  {{ char a[(({}) & 15) + 1]; acc = mix(acc, sizeof a); }}", e.text);
        }
    }
}
