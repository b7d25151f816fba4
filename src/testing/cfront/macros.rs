//! Macros, `#` and `##`, conditions and directives. What a soup of macros becomes is put into a string, and all its
//! characters count.

use super::numbers::Source;
use crate::util::rng::Rng;
use std::fmt::Write;

/// A function of that name, with directives in it and before it.
#[must_use]
pub fn function(seed: u64, name: &str, _faulty: bool) -> String {
    let rng = Rng::new(seed);
    let mut g = Generator { rng, macros: Vec::new(), out: String::new(), name: PREFIX, strings: 0 };
    g.helpers();
    for i in 0..3 + g.rng.below(5) {
        g.define(i);
    }
    let _ = writeln!(g.out, "int {name}(void) {{\n  unsigned acc = 17;");
    for _ in 0..3 + g.rng.below(5) {
        match g.rng.below(5) {
            0 | 1 => g.string(),
            2 | 3 => g.conditional(0),
            _ => g.lines(),
        }
    }
    g.out.push_str("  return (int)(acc % 199u);\n}\n");
    // The next function of the same file may define the same names.
    let names: Vec<String> = g.macros.iter().map(|m| m.name.clone()).collect();
    let others = ["S", "XS", "X", "K", "P", "flag0", "flag1", "flag2"].map(|n| format!("{PREFIX}_{n}"));
    for name in names.into_iter().chain(others) {
        let _ = writeln!(g.out, "#undef {name}");
    }
    g.out
}

/// Before the names of all macros. They become parts of strings, so they are the same wherever the program stands.
const PREFIX: &str = "zz";

/// A macro that can be used.
#[derive(Clone)]
struct Macro {
    name: String,
    /// Of each parameter: it stands beside `##`, so its argument is one word. `None`: object-like.
    parameters: Option<Vec<bool>>,
    /// Further arguments are taken.
    variadic: bool,
}

struct Generator<'a> {
    rng: Rng,
    macros: Vec<Macro>,
    out: String,
    name: &'a str,
    strings: usize,
}

impl Generator<'_> {
    fn pick<'b>(&mut self, words: &[&'b str]) -> &'b str {
        words[self.rng.below(words.len())]
    }

    fn helpers(&mut self) {
        let n = self.name;
        let _ = writeln!(self.out, "#define {n}_S(...) #__VA_ARGS__\n#define {n}_XS(...) {n}_S(__VA_ARGS__)");
        let _ = writeln!(self.out, "#define {n}_E");
        let _ = writeln!(self.out, "#define {n}_C(a, b) a ## b\n#define {n}_X(a, b) {n}_C(a, b)");
        let _ = writeln!(self.out, "#define {n}_V(first, rest...) [first, ## rest]");
        for (name, parameters, variadic) in [("C", vec![true, true], false), ("V", vec![false], true)] {
            self.macros.push(Macro { name: format!("{n}_{name}"), parameters: Some(parameters), variadic });
        }
        self.macros.push(Macro { name: format!("{n}_E"), parameters: None, variadic: false });
    }

    /// The name of a macro that may not exist yet: bodies may mention later ones, or themselves.
    fn any_name(&mut self) -> String {
        format!("{}_m{}", self.name, self.rng.below(8))
    }

    fn word(&mut self) -> String {
        match self.rng.below(4) {
            0 => self.rng.below(100).to_string(),
            1 if self.rng.one_in(2) => self.any_name(),
            _ => self.pick(&["x", "y", "_z", "L1", "u"]).to_owned(),
        }
    }

    fn blank(&mut self) -> &'static str {
        self.pick(&["", " ", "  ", " /* c */ ", "\t"])
    }

    /// Something between commas or at the top: balanced, without commas outside of parentheses.
    fn soup(&mut self, depth: usize, parameters: &[&str]) -> String {
        let mut text = String::new();
        for i in 0..1 + self.rng.below(4) {
            if i > 0 {
                let blank = self.blank();
                text.push_str(blank);
            }
            match self.rng.below(10) {
                0 | 1 => {
                    let op = self.pick(&["+", "-", "*", "<", "->", "...", "<<=", "<:", "%>", "@"]);
                    let _ = write!(text, " {op} ");
                }
                2 if !parameters.is_empty() => {
                    let p = parameters[self.rng.below(parameters.len())];
                    let _ = write!(text, " {p}");
                }
                3 => {
                    let literal =
                        self.pick(&["\"q\"", "\"a\\\\b\"", "'\\n'", "\"\\\"\"", "'\"'", "1.5e+3", "0x1p-2"]);
                    let _ = write!(text, " {literal} ");
                }
                4 if depth > 0 => {
                    let inner = self.soup(depth - 1, parameters);
                    let _ = write!(text, "({inner})");
                }
                5 | 6 if depth > 0 => {
                    let call = self.call(depth - 1, parameters);
                    let _ = write!(text, " {call}");
                }
                _ => {
                    let word = self.word();
                    let _ = write!(text, " {word}");
                }
            }
        }
        text
    }

    fn call(&mut self, depth: usize, parameters: &[&str]) -> String {
        let called = self.macros[self.rng.below(self.macros.len())].clone();
        let Some(of) = called.parameters else { return called.name };
        let mut arguments = Vec::new();
        for pasted in of {
            arguments.push(match (pasted, self.rng.below(6)) {
                (_, 0) => String::new(),
                // What is joined is a word for sure, and no number first.
                (true, _) => self.pick(&["a", "b7", "_"]).to_owned(),
                _ => self.soup(depth.min(1), parameters),
            });
        }
        if called.variadic {
            for _ in 0..self.rng.below(3) {
                let argument = self.soup(0, parameters);
                arguments.push(argument);
            }
        }
        let blank = self.blank();
        format!("{}{blank}({})", called.name, arguments.join(","))
    }

    fn define(&mut self, i: usize) {
        let name = format!("{}_m{i}", self.name);
        let count = self.rng.below(4);
        let names = ["p", "q"];
        let (head, body, parameters) = match count {
            0 => {
                let body = self.soup(2, &[]);
                (String::new(), body, None)
            }
            1 | 2 => {
                let body = match self.rng.below(4) {
                    0 => "#p".to_owned(),
                    1 => format!("{} {} #p", self.soup(1, &names[..1]), self.blank()),
                    _ => self.soup(2, &names[..1]),
                };
                let head = if count == 1 { "(p)" } else { "(p...)" };
                (head.to_owned(), body, Some(vec![false]))
            }
            _ => {
                let body = match self.rng.below(3) {
                    0 => "x ## p ## q".to_owned(),
                    1 => format!("p##q {}", self.soup(1, &[])),
                    _ => format!("{} p ##q", self.soup(1, &names)),
                };
                ("(p, q)".to_owned(), body, Some(vec![true, true]))
            }
        };
        // A bare name may be called by whatever parentheses follow, so such a macro takes any number of arguments.
        let fixed = head == "(p)" || head == "(p, q)";
        let name = if fixed { format!("{name}_fixed") } else { name };
        let splice = if self.rng.one_in(5) { "\\\n" } else { "" };
        let blank = self.blank();
        let _ = writeln!(self.out, "#{blank}define {splice}{name}{head} {body}");
        self.macros.push(Macro { name, parameters, variadic: false });
    }

    fn string(&mut self) {
        let soup = self.soup(3, &[]);
        let (n, s) = (self.name, self.strings);
        self.strings += 1;
        let how = self.pick(&["S", "XS", "XS"]);
        let _ = writeln!(self.out, "  {{ static char s{s}[] = {n}_{how}({soup});");
        let _ =
            writeln!(self.out, "    for (int k = 0; k < (int)sizeof s{s}; k++) acc = mix(acc, s{s}[k]); }}");
    }

    fn condition(&mut self) -> String {
        let known = self.macros[self.rng.below(self.macros.len())].name.clone();
        match self.rng.below(8) {
            0 => format!("defined {known}"),
            1 => format!("!defined({}_nothing) && defined({known})", self.name),
            2 => format!("{}_nothing + 1 == 1", self.name),
            _ => Source { rng: &mut self.rng, leaves: Vec::new(), condition: true }.expr(4).text,
        }
    }

    fn conditional(&mut self, depth: usize) {
        let condition = self.condition();
        let (n, k) = (self.name, self.rng.below(100));
        match self.rng.below(6) {
            0 => {
                let _ = writeln!(self.out, "#ifdef {n}_flag{}", k % 3);
            }
            1 => {
                let _ = writeln!(self.out, "#ifndef {n}_flag{}", k % 3);
            }
            _ => {
                let _ = writeln!(self.out, "#if {condition}");
            }
        }
        self.group(depth);
        for _ in 0..self.rng.below(3) {
            let condition = self.condition();
            let _ = writeln!(self.out, "#elif {condition}");
            self.group(depth);
        }
        if self.rng.one_in(2) {
            self.out.push_str("#else\n");
            self.group(depth);
        }
        self.out.push_str("#endif\n");
    }

    fn group(&mut self, depth: usize) {
        let k = self.rng.below(100);
        let _ = writeln!(self.out, "  acc = mix(acc, {k});");
        match self.rng.below(6) {
            0 => {
                let _ = writeln!(self.out, "#define {}_flag{} {k}", self.name, k % 3);
            }
            1 => {
                let _ = writeln!(self.out, "#undef {}_flag{}", self.name, k % 3);
            }
            2 | 3 if depth < 2 => self.conditional(depth + 1),
            _ => {}
        }
    }

    /// Directives about lines, pragmas, other spellings.
    fn lines(&mut self) {
        let (n, k) = (self.name, self.rng.below(1000) + 1);
        let text = match self.rng.below(7) {
            0 => format!("#line {k}\n  acc = mix(acc, __LINE__);\n\n  acc = mix(acc, __LINE__);\n"),
            1 => format!(
                "#define {n}_K {k}\n#line {n}_K \"some.c\"\n  acc = mix(acc, __LINE__ + sizeof __FILE__);\n"
            ),
            2 => format!("#line {k}\n  acc = mix(acc, {n}_X(__LI, NE__) + {n}_C(1, 2) +\n    __LINE__);\n"),
            3 => format!(
                "  acc = mix(acc, __COUNTER__ - __COUNTER__); _Pragma(\"GCC diagnostic push\") acc = mix(acc, {k});\n#pragma GCC diagnostic pop\n"
            ),
            4 => format!("  <% int a<:2:> = <% {k}, 1 %>; acc = mix(acc, a<:0:>); %>\n"),
            5 => format!(
                "#define {n}_P 1\n#pragma push_macro(\"{n}_P\")\n#undef {n}_P\n#define {n}_P {k}\n  acc = mix(acc, {n}_P);\n#pragma pop_macro(\"{n}_P\")\n  acc = mix(acc, {n}_P);\n"
            ),
            _ => format!("  ac\\\nc = mi\\\nx(acc, {k}\\\n1); // comment \\\n  acc = 0;\n"),
        };
        self.out.push_str(&text);
    }
}
