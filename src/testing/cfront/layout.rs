//! Sizes and alignments of types and of expressions of every form.

use crate::util::rng::Rng;
use std::fmt::Write;

/// A function of that name, after the types it asks about.
#[must_use]
pub fn function(seed: u64, name: &str, _faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), types: Vec::new(), out: String::new(), name };
    for i in 0..2 + g.rng.below(3) {
        g.define(i);
    }
    // Objects that nobody evaluates need no model and no definition.
    for i in 0..g.types.len() {
        let _ = writeln!(g.out, "extern {} *{name}_r{i}, {name}_v{i};", g.types[i].0);
    }
    let _ = writeln!(g.out, "int {name}(void) {{\n  unsigned acc = 17;");
    g.out.push_str(
        "  int i = 1, a[7] = { 0 }, *p = &i, **q = &p; long l = 2; char c = 'x', s[] = \"four\";\n",
    );
    g.out.push_str("  unsigned char b = 3; const char *t = \"text\"; _Bool f = 1; short h = 5;\n");
    for _ in 0..12 + g.rng.below(12) {
        let e = g.operand();
        let _ = writeln!(g.out, "  acc = mix(acc, {e});");
    }
    g.out.push_str("  return (int)((acc + (unsigned)(i + a[0] + *p + **q + (int)l + c + s[1] + b + *t + f + h)) % 199u);\n}\n");
    g.out
}

struct Generator<'a> {
    rng: Rng,
    /// Structs and unions by name, with their members: the path and whether it is an array.
    types: Vec<(String, Vec<(String, bool)>)>,
    out: String,
    name: &'a str,
}

const SCALARS: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "long long",
    "unsigned char",
    "unsigned short",
    "unsigned",
    "unsigned long",
    "_Bool",
    "char *",
    "void *",
    "struct unknown *",
    "int **",
];

impl Generator<'_> {
    fn pick<'b>(&mut self, words: &[&'b str]) -> &'b str {
        words[self.rng.below(words.len())]
    }

    fn define(&mut self, i: usize) {
        let word = if self.rng.one_in(4) { "union" } else { "struct" };
        let ty = format!("{word} {}_t{i}", self.name);
        let (mut text, mut members) = (format!("{ty} {{ "), Vec::new());
        for n in 0..1 + self.rng.below(5) {
            let member = format!("m{n}");
            let length = 1 + self.rng.below(5);
            match self.rng.below(10) {
                0 | 1 if i > 0 => {
                    let (inner, parts) = self.types[self.rng.below(i)].clone();
                    let array = self.rng.one_in(3);
                    let _ = write!(text, "{inner} {member}{}; ", if array { "[2]" } else { "" });
                    members.push((member.clone(), array));
                    if !array {
                        members.extend(parts.into_iter().map(|(p, a)| (format!("{member}.{p}"), a)));
                    }
                }
                2 => {
                    let (x, y) = (self.pick(SCALARS), self.pick(SCALARS));
                    let word = self.pick(&["struct", "union"]);
                    let _ = write!(text, "{word} {{ {x} {member}_x; {y} {member}_y[{length}]; }}; ");
                    members.extend([(format!("{member}_x"), false), (format!("{member}_y"), true)]);
                }
                3 | 4 => {
                    let _ = write!(text, "{} {member}[{length}]; ", self.pick(SCALARS));
                    members.push((member, true));
                }
                5 => {
                    let _ = write!(text, "enum {{ {}_e{i}_{n} = {} }} {member}; ", self.name, length);
                    members.push((member, false));
                }
                _ => {
                    let _ = write!(text, "{} {member}; ", self.pick(SCALARS));
                    members.push((member, false));
                }
            }
        }
        let _ = writeln!(self.out, "{text}}};");
        self.types.push((ty, members));
    }

    /// An expression, mostly without its evaluation.
    fn operand(&mut self) -> String {
        let t = self.rng.below(self.types.len());
        let (ty, members) = self.types[t].clone();
        let (member, array) = members[self.rng.below(members.len())].clone();
        let scalar = self.pick(SCALARS);
        let (r, v) = (format!("{}_r{t}", self.name), format!("{}_v{t}", self.name));
        match self.rng.below(20) {
            0 => format!("sizeof({ty})"),
            1 => format!("sizeof {v}.{member}"),
            2 => format!("sizeof({r}->{member})"),
            3 => format!("sizeof((({ty} *)0)->{member})"),
            4 if array => format!("sizeof({v}.{member}) / sizeof({v}.{member}[0])"),
            4 => format!("sizeof(&{v}.{member})"),
            5 => format!("_Alignof({ty})"),
            6 => format!("_Alignof({scalar})"),
            7 => format!("sizeof({ty}[{}])", 1 + self.rng.below(9)),
            8 => format!("sizeof(struct {{ char x; {scalar} y; {ty} z; char w; }})"),
            9 => format!("sizeof(({ty} *[3]){{ 0 }})"),
            10 => format!("sizeof *{r}"),
            11 => format!("sizeof({scalar}[3])"),
            12 => format!("sizeof(__typeof__({v}.{member}))"),
            13 => {
                let words = [
                    "\"\"",
                    "\"abc\"",
                    "(\"a\" \"bc\")",
                    "\"a\\0b\"",
                    "\"\\x41\\102\"",
                    "u8\"q\"",
                    "\"\\u00e9\"",
                ];
                format!("sizeof {}", self.pick(&words))
            }
            14 => format!(
                "sizeof({})",
                self.pick(&["a", "&a", "*a", "a + 1", "&a[1]", "(a)", "(0, a)", "*&a", "a[0]"])
            ),
            15 => format!(
                "sizeof({})",
                self.pick(&["1 ? a : a", "1 ? c : c", "1 ? c : l", "f ? 1u : b", "c, s", "s"])
            ),
            16 => format!(
                "sizeof({})",
                self.pick(&[
                    "c + c", "+c", "~b", "!l", "-h", "h << l", "l << c", "i = 3", "c += 1", "c++", "i < l",
                    "i && l"
                ])
            ),
            17 => format!(
                "sizeof({})",
                self.pick(&[
                    "p", "*p", "**q", "&p", "&*p", "p - p", "p + 1", "t", "*t", "&t", "\"x\"[0]", "*\"x\""
                ])
            ),
            18 => format!(
                "sizeof({})",
                self.pick(&[
                    "(char)1",
                    "(int[]){ 1, 2, [5] = 3 }",
                    "(char[]){ \"abc\" }",
                    "mix",
                    "sizeof 1",
                    "({ c; })",
                    "'c'",
                    "1ul",
                    "0x80000000",
                    "mix(1, 2)"
                ])
            ),
            _ => format!("sizeof(int[sizeof({ty}) % 7 + 1])"),
        }
    }
}
