//! Draws the small programs of [`super`] from the table of [`features`](super::features).

use super::features::{ANY, FEATURES, Feature, PRELUDE, TEXT_VALUES, TEXTS};
use crate::util::rng::Rng;
use std::fmt::Write as _;

/// Stands for what the names of a program's globals begin with.
const PREFIX: &str = "@";

/// A small program, line by line, so that lines can be left out.
#[derive(Clone)]
pub(super) struct Micro {
    globals: String,
    declarations: Vec<String>,
    pub(super) statements: Vec<String>,
}

impl Micro {
    /// What stands outside of the function, and the function with this name; several fit into one unit.
    pub(super) fn definition(&self, name: &str) -> String {
        let mut out = format!("{}int {name}(void) {{\n", self.globals);
        for line in self.declarations.iter().chain(&self.statements).filter(|line| !line.is_empty()) {
            let _ = writeln!(out, "  {line}");
        }
        out.push_str("  return 0;\n}\n");
        out.replace(PREFIX, &format!("{name}_"))
    }

    /// The whole text of the program.
    pub(super) fn text(&self) -> String {
        format!("{PRELUDE}{}", self.definition("main"))
    }
}

/// The program of a seed.
pub(super) fn micro(seed: u64) -> Micro {
    let mut rng = Rng::new(seed);
    let mut all: Vec<&'static Feature> = FEATURES.iter().collect();
    rng.shuffle(&mut all);
    all.truncate(1 + rng.below(3));
    let lengths = [2 + rng.below(4), 1 + rng.below(5)];
    let mut draw = Draw { rng, features: all, lengths };
    let low = *draw.rng.pick(&[0, 0, 1]);
    let high = *draw.rng.pick(&[2, 3, 4]);
    let mut declarations = vec![
        format!("int n = __VERIFIER_nondet_int(); if (n < {low} || n > {high}) return 0;"),
        "int x = 0, i = 0; char *s = NULL; int *q = NULL;".to_owned(),
    ];
    let names: Vec<&str> = draw.features.iter().map(|f| f.name).collect();
    let mut globals = format!("/* {} */\n", names.join(", "));
    for feature in draw.features.clone() {
        globals.push_str(&draw.fill(feature.globals));
        let declaration = *draw.rng.pick(feature.declarations);
        declarations.push(draw.fill(declaration));
    }
    let mut statements: Vec<String> = (0..1 + draw.rng.below(4)).map(|_| draw.statement()).collect();
    if !draw.rng.one_in(3) {
        statements.push(draw.fill("if ($E <<==|!=|<|> >> <<0|1|2|3|n|x>>) __VERIFIER_error();"));
    }
    Micro { globals, declarations, statements }
}

struct Draw {
    rng: Rng,
    features: Vec<&'static Feature>,
    lengths: [usize; 2],
}

impl Draw {
    fn statement(&mut self) -> String {
        if self.rng.one_in(3) {
            let test = self.fill("$E <<==|<|> |!=>> <<0|1|2|n>>");
            return format!("if ({test}) {{ {} }}", self.simple());
        }
        self.simple()
    }

    fn simple(&mut self) -> String {
        let feature = self.features[self.rng.below(self.features.len())];
        let template = if self.rng.one_in(8) {
            *self.rng.pick(ANY)
        } else if !feature.texts.is_empty() && !self.rng.one_in(3) {
            *self.rng.pick(TEXTS)
        } else {
            *self.rng.pick(feature.statements)
        };
        self.fill(template)
    }

    /// What is read somewhere.
    fn value(&mut self) -> String {
        let feature = self.features[self.rng.below(self.features.len())];
        let template = if self.rng.one_in(6) {
            *self.rng.pick(&["n", "x", "i"])
        } else if !feature.texts.is_empty() && !self.rng.one_in(4) {
            *self.rng.pick(TEXT_VALUES)
        } else {
            *self.rng.pick(feature.values)
        };
        self.fill(template)
    }

    /// A text that is not that one; a literal if there is no other.
    fn text(&mut self, not: &str) -> String {
        let all: Vec<&str> = self.features.iter().flat_map(|f| f.texts).copied().collect();
        let all: Vec<String> = all.iter().map(|t| self.fill(t)).filter(|t| t != not).collect();
        if all.is_empty() { self.literal() } else { self.rng.pick(&all).clone() }
    }

    fn literal(&mut self) -> String {
        let length = self.rng.below(5);
        let letters: String = (0..length).map(|_| *self.rng.pick(&['a', 'b', 'c'])).collect();
        format!("\"{letters}\"")
    }

    /// The template with its choices made and its holes filled.
    fn fill(&mut self, template: &str) -> String {
        let mut text = template.to_owned();
        while let Some(start) = text.find("<<") {
            let length = text[start..].find(">>").expect("a choice ends");
            let choices: Vec<&str> = text[start + 2..start + length].split('|').collect();
            let chosen = self.rng.pick(&choices).to_string();
            text.replace_range(start..start + length + 2, &chosen);
        }
        // The text that the template is about is the same in all of it.
        let one = if text.contains("$T") || text.contains("$U") { self.text("") } else { String::new() };
        let mut out = String::new();
        let mut parts = text.split('$');
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (hole, rest) = part.split_at(1);
            let filled = match hole {
                "T" => one.clone(),
                "U" => self.text(&one),
                "E" => self.value(),
                "L" => self.literal(),
                "A" => self.rng.pick(&["'a'", "'b'", "'c'"]).to_string(),
                "S" => self.rng.below(5).to_string(),
                "O" => (1 + self.rng.below(5)).to_string(),
                "N" => self.lengths[0].to_string(),
                "M" => self.lengths[1].to_string(),
                "G" => PREFIX.to_owned(),
                "I" => {
                    let last = self.lengths[0] - 1;
                    let places = ["0", "1", "2", "3", "n", "n + 1", "n - 1", "i", "x", &last.to_string()];
                    self.rng.pick(&places).to_string()
                }
                "V" => self.rng.pick(&["0", "1", "n", "x", "i", "n * 2", "x + 1", "7"]).to_string(),
                other => panic!("there is no hole of this letter: {other}"),
            };
            out.push_str(&filled);
            out.push_str(rest);
        }
        out
    }
}
