//! Shapes of control: `switch` of all kinds, `goto`, loops, blocks that hide names, statics, ends of the program.

use crate::util::rng::Rng;
use std::fmt::Write;

/// A function of that name. A faulty one may end by `abort` or a failed assertion, or write behind an array.
#[must_use]
pub fn function(seed: u64, name: &str, faulty: bool) -> String {
    let mut g =
        Generator { rng: Rng::new(seed), out: String::new(), name, faulty, depth: 1, numbers: 0, loops: 0 };
    let _ = writeln!(
        g.out,
        "typedef int {name}_T; typedef struct {name}_tag {{ int v; struct {name}_tag *n; }} {name}_N;"
    );
    let _ = writeln!(
        g.out,
        "static int {name}_g = 3; static int {name}_g; extern int {name}_h; int {name}_h = 4;"
    );
    let _ = writeln!(
        g.out,
        "static unsigned {name}_count(unsigned by) {{ static unsigned calls = 5; return calls += by; }}"
    );
    let _ = writeln!(g.out, "static int {name}_leave(int k, int x) {{");
    g.line("int y = x;");
    for _ in 0..1 + g.rng.below(3) {
        g.statement();
    }
    g.end("k");
    g.out.push_str("  return y % 1000 + x % 1000;\n}\n");
    let _ = writeln!(g.out, "int {name}(void) {{\n  unsigned acc = 17; int x = {}, y = 2;", g.rng.below(20));
    let _ = writeln!(g.out, "  int fuel = 200;");
    for _ in 0..3 + g.rng.below(6) {
        g.statement();
        g.line("x %= 1000; y %= 1000;");
        if g.rng.one_in(4) {
            let k = g.rng.below(9);
            g.line(&format!("acc = mix(acc, {name}_leave({k}, x));"));
        }
    }
    if g.rng.one_in(4) {
        g.end("x");
    }
    let _ = writeln!(g.out, "  acc = mix(acc, x); acc = mix(acc, y); acc = mix(acc, {name}_g + {name}_h);");
    g.out.push_str("  (void)fuel; return (int)(acc % 199u);\n}\n");
    g.out
}

struct Generator<'a> {
    rng: Rng,
    out: String,
    name: &'a str,
    faulty: bool,
    depth: usize,
    numbers: usize,
    loops: usize,
}

impl Generator<'_> {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn fresh(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    /// The program may end here.
    fn end(&mut self, test: &str) {
        let k = self.rng.below(9);
        let n = self.rng.below(150);
        let text = match self.rng.below(if self.faulty { 5 } else { 2 }) {
            0 => format!("if ({test} == {k}) exit({n});"),
            1 => format!("if ({test} > {}) _Exit({n} & 63);", k + 4),
            2 => format!("if ({test} < {k}) abort();"),
            3 => format!("assert({test} != {k});"),
            _ => format!("{{ int small[2] = {{ 1, 2 }}; y = small[({test} & 7) == {k} ? 2 : 1]; }}"),
        };
        self.line(&text);
    }

    fn simple(&mut self) {
        let (n, name) = (self.rng.below(9) + 1, self.name);
        let text = match self.rng.below(9) {
            0 => format!("x = (x * {n} + y) % 100;"),
            1 => format!("y = (y + {n}) % 50;"),
            2 => format!("x += {name}_count({n}u) % 10u; x %= 1000;"),
            3 => format!("{{ int x = {n}; y = (y + x) % 1000; {{ int y = x; x = y + 1; }} y += x; }}"),
            4 => format!("{{ {name}_T {name}_T = {n}; x = (x + {name}_T) % 1000; }}"),
            5 => format!("{{ {name}_N {name}_N = {{ {n}, 0 }}, *p = &{name}_N; y = (y + p->v) % 1000; }}"),
            6 => format!("{{ static int s = {n}; s = s * 3 % 101; x = (x ^ s) % 1000; }}"),
            7 => format!("{{ enum {{ x_ = {n}, {name}_T = 2 }}; y = (y * {name}_T + x_) % 1000; }}"),
            _ => format!(
                "{{ extern int {name}_h; {name}_h = ({name}_h + {n}) % 100; {name}_g++; {name}_g %= 7; }}"
            ),
        };
        self.line(&text);
    }

    fn test(&mut self) -> String {
        let n = self.rng.below(9);
        match self.rng.below(6) {
            0 => format!("x > {n}"),
            1 => format!("(x & 1) == {}", n & 1),
            2 => format!("y % 3 == {}", n % 3),
            3 => "x++ < y--".to_owned(),
            4 => format!("(y = (y + {n}) % 70, y > 30)"),
            _ => format!("x == y || (x % 5 && y % {})", n + 1),
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.rng.below(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        if self.depth > 4 || self.rng.one_in(3) {
            return self.simple();
        }
        match self.rng.below(9) {
            0 | 1 => self.switch(),
            2 => self.chain(),
            3 => self.counted(),
            4 => self.do_while(),
            5 => self.backward(),
            6 => self.forward(),
            7 => self.duff(),
            _ => self.simple(),
        }
    }

    fn jump(&mut self) {
        let test = self.test();
        if self.loops > 0 && self.rng.one_in(3) {
            let word = ["break", "continue"][self.rng.below(2)];
            self.line(&format!("if ({test}) {word};"));
        }
    }

    /// Cases in any order, `default` anywhere, falling through, declarations before the first case, nested blocks.
    fn switch(&mut self) {
        let (subject, cases): (&str, &[&str]) = match self.rng.below(5) {
            0 => ("x % 4", &["0", "1", "2", "3", "-1", "-2"]),
            1 => ("(unsigned char)(x - 3)", &["0", "255", "254", "1", "2", "'a'"]),
            2 => ("(signed char)(y * 40)", &["0", "-128", "80", "40", "-96", "'\\377'"]),
            3 => ("(unsigned)y - 3u", &["-1", "0", "4294967294u", "1", "2", "-3"]),
            _ => ("(long)x - y", &["0", "1L", "-1", "2u", "sizeof(int)", "3"]),
        };
        let mut cases: Vec<&str> = cases.to_vec();
        let turn = self.rng.below(cases.len());
        cases.rotate_left(turn);
        cases.truncate(1 + self.rng.below(5));
        let default = self.rng.below(cases.len() + 3);
        self.line(&format!("switch ({subject}) {{"));
        if self.rng.one_in(3) {
            self.line("int unused; (void)x;");
        }
        let saved = std::mem::take(&mut self.loops);
        for (i, case) in cases.into_iter().enumerate() {
            if i == default {
                self.line("default:");
            }
            self.line(&format!("case {case}:"));
            if !self.rng.one_in(4) {
                self.line("{");
                self.block();
                self.line("}");
            }
            if self.rng.one_in(2) {
                let word = if self.rng.one_in(4) { "if (x & 1) break;" } else { "break;" };
                self.line(word);
            }
        }
        self.loops = saved;
        if default > 5 {
            self.line("default: x = (x + 7) % 1000;");
        }
        self.line(";");
        self.line("}");
    }

    fn chain(&mut self) {
        for _ in 0..1 + self.rng.below(4) {
            let test = self.test();
            self.line(&format!("if ({test}) {{"));
            self.block();
            self.line("} else");
        }
        self.line("{");
        self.block();
        self.line("}");
    }

    fn counted(&mut self) {
        let (i, n) = (self.fresh(), self.rng.below(4) + 1);
        self.line(&format!("for (int i{i} = 0, x = {n}; i{i} < {n}; i{i}++, x--) {{"));
        self.line(&format!("  y = (y + x + i{i}) % 1000;"));
        self.loops += 1;
        self.depth += 1;
        self.jump();
        self.depth -= 1;
        self.block();
        self.loops -= 1;
        self.line("}");
    }

    fn do_while(&mut self) {
        let i = self.fresh();
        let test = self.test();
        self.line(&format!("{{ int d{i} = 0; do {{"));
        self.loops += 1;
        self.depth += 1;
        self.jump();
        self.depth -= 1;
        self.block();
        self.loops -= 1;
        self.line(&format!("}} while (d{i}++ < 3 && ({test})); }}"));
    }

    fn backward(&mut self) {
        let i = self.fresh();
        let test = self.test();
        self.line(&format!("{{ int b{i} = 0;"));
        self.line(&format!("back{i}: ;"));
        self.simple();
        self.line(&format!("if (b{i}++ < 3 && ({test})) goto back{i}; }}"));
    }

    fn forward(&mut self) {
        let i = self.fresh();
        let test = self.test();
        self.line(&format!("if ({test}) goto out{i};"));
        self.simple();
        self.line(&format!("if (y & 1) {{ x++; out{i}: y = (y + {i}) % 1000; }}"));
    }

    /// A loop inside of a `switch`, entered at its middle.
    fn duff(&mut self) {
        let i = self.fresh();
        self.line(&format!("{{ int n{i} = 3; switch (x & 3) {{"));
        self.line("case 0: do { y = (y + 1) % 1000;");
        self.line("case 3: x = (x + 2) % 1000;");
        self.line("case 2: y = (y * 3) % 1000;");
        self.line(&format!("default: x ^= 1; }} while (--n{i} > 0);"));
        self.line("} }");
    }
}
