//! Initialiser lists: braces left out, designators, ranges, parts that are initialised twice.

use crate::util::rng::Rng;
use std::fmt::Write;

/// A struct: its members are numbers, or other structs by their position.
#[derive(Clone)]
struct Shape {
    members: Vec<Option<usize>>,
}

/// A function of that name, after the structs it uses.
#[must_use]
pub fn function(seed: u64, name: &str, _faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), shapes: Vec::new(), out: String::new(), name, value: 0 };
    for i in 0..2 + g.rng.below(2) {
        g.define(i);
    }
    let objects = 2 + g.rng.below(3);
    for i in 0..objects {
        if g.rng.one_in(3) {
            g.object(&format!("{name}_o{i}"), "static ", 0);
        }
    }
    let _ = writeln!(g.out, "int {name}(void) {{\n  unsigned acc = 17;");
    for i in 0..objects {
        g.value = 10 * i;
        let storage = if g.rng.one_in(3) { "static " } else { "" };
        g.object(&format!("o{i}"), storage, 1);
    }
    g.out.push_str("  return (int)(acc % 199u);\n}\n");
    g.out
}

struct Generator<'a> {
    rng: Rng,
    shapes: Vec<Shape>,
    out: String,
    name: &'a str,
    value: usize,
}

impl Generator<'_> {
    fn define(&mut self, i: usize) {
        let count = 1 + self.rng.below(4);
        let members: Vec<Option<usize>> = (0..count)
            .map(|_| if i > 0 && self.rng.one_in(2) { Some(self.rng.below(i)) } else { None })
            .collect();
        let mut text = format!("struct {}_s{i} {{ ", self.name);
        for (n, member) in members.iter().enumerate() {
            let ty = match member {
                Some(inner) => format!("struct {}_s{inner}", self.name),
                None => ["int", "short", "unsigned char", "long"][self.rng.below(4)].to_owned(),
            };
            let _ = write!(text, "{ty} m{n}; ");
        }
        let _ = writeln!(self.out, "{text}}};");
        self.shapes.push(Shape { members });
    }

    fn number(&mut self) -> String {
        self.value += 1;
        (self.value % 90 + 1).to_string()
    }

    /// The numbers in a struct, by their paths.
    fn leaves(&self, shape: usize, prefix: &str, out: &mut Vec<String>) {
        for (n, member) in self.shapes[shape].members.iter().enumerate() {
            let path = format!("{prefix}.m{n}");
            match member {
                Some(inner) => self.leaves(*inner, &path, out),
                None => out.push(path),
            }
        }
    }

    /// Declares an object and, inside of the function, looks at all of it.
    fn object(&mut self, name: &str, storage: &str, depth: usize) {
        let indent = "  ".repeat(depth);
        if self.rng.one_in(3) {
            return self.array(name, storage, depth);
        }
        let shape = self.rng.below(self.shapes.len());
        let list = self.list(shape);
        let ty = format!("struct {}_s{shape}", self.name);
        let _ = writeln!(self.out, "{indent}{storage}{ty} {name} = {list};");
        if depth == 0 {
            return;
        }
        let mut leaves = Vec::new();
        self.leaves(shape, "", &mut leaves);
        for leaf in leaves {
            let _ = writeln!(self.out, "  acc = mix(acc, {name}{leaf});");
        }
        if storage.is_empty() && self.rng.one_in(3) {
            let list = self.list(shape);
            let mut leaves = Vec::new();
            self.leaves(shape, "", &mut leaves);
            let _ = writeln!(self.out, "  {name} = ({ty}){list};");
            for leaf in leaves {
                let _ = writeln!(self.out, "  acc = mix(acc, {name}{leaf});");
            }
        }
    }

    fn array(&mut self, name: &str, storage: &str, depth: usize) {
        let indent = "  ".repeat(depth);
        if self.rng.one_in(4) {
            let text =
                ["\"abc\"", "{ \"de\" }", "\"\"", "\"a\\0\\n\"", "{ 'x', 0, [4] = 'y' }"][self.rng.below(5)];
            let length = if self.rng.one_in(2) { "6" } else { "" };
            let _ = writeln!(self.out, "{indent}{storage}char {name}[{length}] = {text};");
        } else {
            let length = 3 + self.rng.below(6);
            let (mut entries, mut next) = (Vec::new(), 0);
            for _ in 0..self.rng.below(7) {
                let value = self.number();
                let at = self.rng.below(length);
                match self.rng.below(5) {
                    0 => {
                        entries.push(format!("[{at}] = {value}"));
                        next = at + 1;
                    }
                    1 => {
                        let to = at + self.rng.below(length - at);
                        entries.push(format!("[{at} ... {to}] = {value}"));
                        next = to + 1;
                    }
                    2 if next < length => {
                        entries.push(format!("{{ {value} }}"));
                        next += 1;
                    }
                    _ if next < length => {
                        entries.push(value);
                        next += 1;
                    }
                    _ => {}
                }
            }
            if entries.is_empty() {
                entries.push("5".to_owned());
            }
            let stated = if self.rng.one_in(2) { length.to_string() } else { String::new() };
            let ty = ["int", "short", "unsigned char"][self.rng.below(3)];
            let comma = if self.rng.one_in(4) { "," } else { "" };
            let _ = writeln!(
                self.out,
                "{indent}{storage}{ty} {name}[{stated}] = {{ {}{comma} }};",
                entries.join(", ")
            );
        }
        if depth > 0 {
            let _ = writeln!(self.out, "  acc = mix(acc, sizeof {name});");
            let count = format!("(int)(sizeof {name} / sizeof {name}[0])");
            let _ = writeln!(self.out, "  for (int k = 0; k < {count}; k++) acc = mix(acc, {name}[k]);");
        }
    }

    /// The position after everything in a shape, where it begins at `start`; the structs in it with their ranges.
    fn ranges(
        &self,
        shape: usize,
        start: usize,
        prefix: &str,
        out: &mut Vec<(String, Option<usize>, usize, usize)>,
    ) -> usize {
        let mut at = start;
        for (n, member) in self.shapes[shape].members.iter().enumerate() {
            let path = format!("{prefix}.m{n}");
            let index = out.len();
            out.push((path.clone(), *member, at, at + 1));
            at = match member {
                Some(inner) => self.ranges(*inner, at, &path, out),
                None => at + 1,
            };
            out[index].3 = at;
        }
        at
    }

    /// A list for a struct. Numbers are counted through, so that none is left over.
    fn list(&mut self, shape: usize) -> String {
        let mut parts = Vec::new();
        let total = self.ranges(shape, 0, "", &mut parts);
        // What is next, and the number that had a value last.
        let (mut next, mut last) = (0, None::<usize>);
        let mut entries = Vec::new();
        for _ in 0..1 + self.rng.below(6) {
            if self.rng.one_in(3) {
                let (path, inner, from, to) = parts[self.rng.below(parts.len())].clone();
                let value = match inner {
                    Some(inner) => self.list(inner),
                    None => self.number(),
                };
                entries.push(format!("{path} = {value}"));
                (next, last) = (to, Some(to - 1));
                let _ = from;
                continue;
            }
            if next >= total {
                continue;
            }
            // The largest part that begins here and does not hold what was last: the next one of its struct.
            let part = parts
                .iter()
                .find(|(_, _, from, to)| *from == next && last.is_none_or(|l| !(*from..*to).contains(&l)));
            match part.cloned() {
                Some((_, Some(inner), _, to)) if self.rng.one_in(2) => {
                    entries.push(self.list(inner));
                    (next, last) = (to, Some(to - 1));
                }
                _ => {
                    let value = self.number();
                    entries.push(value);
                    (next, last) = (next + 1, Some(next));
                }
            }
        }
        if entries.is_empty() {
            entries.push(self.number());
        }
        let comma = if self.rng.one_in(5) { "," } else { "" };
        format!("{{ {}{comma} }}", entries.join(", "))
    }
}
