//! Arithmetic near the ends of the types: about half of the programs overflow, shift wrongly or divide wrongly, and the
//! compiler's sanitizer says which.
//!
//! `word` is `long`. Under ILP32 it has the range and the conversions of `int`, so the compiler may take it for one.
//! `VOL` is nothing for us and `volatile` for the compiler, which must not simplify what its sanitizer is to look at.

use crate::util::rng::Rng;
use std::fmt::Write;

/// What all programs of the family begin with.
pub const PRELUDE: &str = "#include <stdlib.h>\ntypedef long word;\n#define VOL\n\
    static unsigned mix(unsigned h, unsigned long v) { return h * 31u + (unsigned)(v % 1009u); }\n";

const TYPES: [&str; 9] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "word",
    "long long",
    "int",
];

const EDGES: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "31",
    "32",
    "-128",
    "127",
    "255",
    "32767",
    "-32768",
    "46340",
    "46341",
    "65535",
    "2147483647",
    "(-2147483647 - 1)",
    "1073741824",
    "2147483646",
    "-2147483647",
    "4000000000u",
];

struct Writer<'r> {
    rng: &'r mut Rng,
    vars: Vec<String>,
    /// Those at least as wide as `int`.
    wide: Vec<String>,
}

impl Writer<'_> {
    fn leaf(&mut self) -> String {
        match self.rng.below(4) {
            0 => (*self.rng.pick(&EDGES[..8])).to_owned(),
            1 if self.rng.one_in(3) => (*self.rng.pick(&EDGES)).to_owned(),
            _ => self.rng.pick(&self.vars).clone(),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let next = depth - 1;
        let mut a = self.expression(next);
        // What the compiler computes itself its sanitizer does not look at.
        if !a.contains('x') && !a.contains("p->") {
            a = self.rng.pick(&self.vars).clone();
        }
        match self.rng.below(15) {
            0 => format!("(-{a})"),
            1 => format!("(~{a})"),
            // The compiler computes in the narrow type where only its bits are kept, and there nothing overflows.
            2 => format!("(({}){})", self.rng.pick(&TYPES), self.leaf()),
            3 => {
                let (b, c) = (self.expression(next), self.expression(next));
                format!("({} ? {b} : {c})", self.leaf())
            }
            4 => format!("({a} {} {})", self.rng.pick(&["<<", ">>"]), self.amount()),
            5 => {
                let b = self.expression(next);
                format!("({a} {} {b})", self.rng.pick(&["/", "%"]))
            }
            6 => {
                let b = self.expression(next);
                format!("({a} {} {b})", self.rng.pick(&["&", "|", "^"]))
            }
            13 => {
                // Tests of arithmetic are simplified before the sanitizer sees them.
                let (a, b) = (self.rng.pick(&self.vars).clone(), self.leaf());
                format!("({a} {} {b})", self.rng.pick(&["<", "==", "&&", ">="]))
            }
            7 | 8 => {
                let b = self.expression(next);
                format!("({a} * {b})")
            }
            _ => {
                let b = self.expression(next);
                format!("({a} {} {b})", self.rng.pick(&["+", "-"]))
            }
        }
    }

    fn amount(&mut self) -> String {
        match self.rng.below(4) {
            0 => self.leaf(),
            _ => (*self.rng.pick(&["0", "1", "2", "5", "8", "15", "30", "31"])).to_owned(),
        }
    }

    fn statement(&mut self) -> String {
        let x = self.rng.pick(&self.vars).clone();
        let wide = self.rng.pick(&self.wide).clone();
        match self.rng.below(8) {
            0 => format!("{x}{};", self.rng.pick(&["++", "--"])),
            1 => format!("{}{x};", self.rng.pick(&["++", "--"])),
            2 => {
                let e = self.expression(1);
                format!("{wide} {}= {e};", self.rng.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]))
            }
            3 => {
                let amount = self.amount();
                format!("{wide} {}= {amount};", self.rng.pick(&["<<", ">>"]))
            }
            4 => {
                let (y, e) = (self.rng.pick(&self.vars).clone(), self.expression(1));
                format!(
                    "for (int i = 0; i < {}; i++) {{ long long t = {y} + ({e}); {x} = t; }}",
                    1 + self.rng.below(4)
                )
            }
            5 => {
                let (test, e) = (self.leaf(), self.expression(2));
                format!("if ({test}) {{ long long t = {e}; {x} = t; }}")
            }
            _ => format!("{{ long long t = {}; {x} = t; }}", self.expression(2)),
        }
    }
}

/// The text that defines the function of this name.
#[must_use]
pub fn function(seed: u64, name: &str, _: bool) -> String {
    let mut rng = Rng::new(seed);
    let mut out = format!(
        "struct {name}_s {{ VOL signed char c; VOL short s; VOL int i; VOL word w; }};\nint {name}(void) {{\n"
    );
    let n = 2 + rng.below(4);
    let mut vars: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
    let mut wide = Vec::new();
    for (i, x) in vars.iter().enumerate() {
        let ty = if i == 0 { "int" } else { *rng.pick(&TYPES) };
        if !ty.contains("char") && !ty.contains("short") {
            wide.push(x.clone());
        }
        let _ = writeln!(out, "  VOL {ty} {x} = {};", rng.pick(&EDGES));
    }
    if rng.one_in(3) {
        let _ = writeln!(out, "  struct {name}_s *p = malloc(sizeof *p);");
        for field in ["c", "s", "i", "w"] {
            let _ = writeln!(out, "  p->{field} = {};", rng.pick(&EDGES));
            vars.push(format!("p->{field}"));
            if matches!(field, "i" | "w") {
                wide.push(format!("p->{field}"));
            }
        }
    }
    let mut writer = Writer { rng: &mut rng, vars: vars.clone(), wide };
    for _ in 0..1 + writer.rng.below(4) {
        let statement = writer.statement();
        let _ = writeln!(out, "  {statement}");
    }
    out.push_str("  unsigned h = 7;\n");
    for x in &vars {
        let _ = writeln!(out, "  h = mix(h, (unsigned long){x} & 65535u);");
    }
    out.push_str("  return (int)(h % 99u);\n}\n");
    out
}
