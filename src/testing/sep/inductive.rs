//! Random problems about random inductive definitions, as scripts.
//!
//! Half of the definitions are shapes that people write (lists of odd length, lists from behind, trees), the others
//! are drawn rule by rule. A rule with calls has a cell, so that every formula can be evaluated. Many
//! entailments fold or unfold a definition, or join two calls: those hold often.

use crate::util::rng::Rng;
use std::fmt::Write as _;

const ONE_FIELD: &str = "(declare-datatypes ((C 0)) (((c (f L)))))";
const TWO_FIELDS: &str = "(declare-datatypes ((C 0)) (((c (f L) (g L)))))";
const WITH_NUMBER: &str = "(declare-datatypes ((C 0)) (((c (f L) (d Int)))))";

/// What a random problem may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// One or two links.
    Links,
    /// A link and a number.
    Number,
}

/// Definitions with one field, with two, with a number; `Int` parameters come last.
const SHAPES: [&[(&str, usize, usize)]; 3] = [
    &[
        ("(define-fun-rec P ((x L) (y L)) Bool (or (pto x (c y)) (exists ((u L)) (sep (pto x (c u)) (P u y)))))", 2, 0),
        ("(define-fun-rec P ((x L) (y L)) Bool (or (and (= x y) emp) (exists ((u L)) (sep (P x u) (pto u (c y))))))", 2, 0),
        (
            "(define-fun-rec P ((x L) (y L)) Bool (or (and (= x y) emp)
  (exists ((u L) (v L)) (sep (pto x (c u)) (pto u (c v)) (P v y)))))",
            2,
            0,
        ),
        (
            "(define-fun-rec P ((x L) (y L)) Bool (or (pto x (c y))
  (exists ((u L) (v L)) (and (distinct x y) (sep (pto x (c u)) (pto u (c v)) (P v y))))))",
            2,
            0,
        ),
        ("(define-fun-rec P ((x L)) Bool (or (pto x (c x)) (exists ((u L)) (sep (pto x (c u)) (P u)))))", 1, 0),
    ],
    &[
        (
            "(define-fun-rec P ((x L) (p L) (t L) (n L)) Bool (or (and (= x t) (pto x (c n p)))
  (exists ((u L)) (sep (pto x (c u p)) (P u x t n)))))",
            4,
            0,
        ),
        (
            "(define-fun-rec P ((x L) (p L) (t L) (n L)) Bool (or (and (= x n) (= p t) emp)
  (exists ((u L)) (sep (pto t (c n u)) (P x p u t)))))",
            4,
            0,
        ),
        (
            "(define-fun-rec P ((x L)) Bool (or (and (= x (as nil L)) emp)
  (exists ((l L) (r L)) (sep (pto x (c l r)) (P l) (P r)))))",
            1,
            0,
        ),
        (
            "(define-fun-rec P ((x L) (y L)) Bool (or (and (= x y) emp)
  (exists ((l L) (r L)) (and (distinct x y) (sep (pto x (c l r)) (P l y) (P r (as nil L)))))))",
            2,
            0,
        ),
        (
            "(define-fun-rec P ((x L) (y L)) Bool (or (and (= x y) emp)
  (exists ((u L)) (and (distinct x y) (sep (pto x (c u y)) (P u y))))))",
            2,
            0,
        ),
    ],
    &[
        (
            "(define-fun-rec P ((x L) (y L) (n Int)) Bool (or (and (= x y) (= n 0) emp)
  (exists ((u L) (d Int)) (and (> n 0) (sep (pto x (c u d)) (P u y (- n 1)))))))",
            2,
            1,
        ),
        (
            "(define-fun-rec P ((x L) (y L) (m Int)) Bool (or (exists ((d Int)) (and (<= m d) (pto x (c y d))))
  (exists ((u L) (d Int)) (and (<= m d) (sep (pto x (c u d)) (P u y d))))))",
            2,
            1,
        ),
        (
            "(define-fun-rec P ((x L) (y L) (n Int)) Bool (or (and (= x y) (= n 0) emp)
  (exists ((u L) (k Int)) (and (= k (- n 1)) (sep (P x u k) (pto u (c y k)))))))",
            2,
            1,
        ),
    ],
];

struct Predicate {
    name: String,
    links: usize,
    numbers: usize,
}

struct Writer {
    rng: Rng,
    /// 0: one link, 1: two links, 2: a link and a number.
    kind: usize,
    n_vars: usize,
    predicates: Vec<Predicate>,
}

impl Writer {
    fn pick(&mut self, names: &[String]) -> String {
        if self.rng.one_in(8) { "(as nil L)".to_owned() } else { self.rng.pick(names).clone() }
    }

    fn number(&mut self) -> String {
        (*self.rng.pick(&["k0", "k1", "0", "1", "2"])).to_owned()
    }

    fn call(&mut self, names: &[String]) -> String {
        let i = self.rng.below(self.predicates.len());
        let Predicate { name, links, numbers } = &self.predicates[i];
        let (mut text, links, numbers) = (format!("({name}"), *links, *numbers);
        for _ in 0..links {
            let _ = write!(text, " {}", self.pick(names));
        }
        for _ in 0..numbers {
            let _ = write!(text, " {}", self.number());
        }
        text + ")"
    }

    fn cell(&mut self, at: &str, names: &[String]) -> String {
        let first = self.pick(names);
        match self.kind {
            0 => format!("(pto {at} (c {first}))"),
            1 => format!("(pto {at} (c {first} {}))", self.pick(names)),
            _ => format!("(pto {at} (c {first} {}))", self.number()),
        }
    }

    fn pure(&mut self, names: &[String]) -> String {
        let (a, b) = (self.pick(names), self.pick(names));
        match self.rng.below(3) {
            0 => format!("(= {a} {b})"),
            _ => format!("(distinct {a} {b})"),
        }
    }

    fn joined(pure: Vec<String>, atoms: &[String]) -> String {
        let spatial = match atoms {
            [] => "emp".to_owned(),
            [only] => only.clone(),
            _ => format!("(sep {})", atoms.join(" ")),
        };
        if pure.is_empty() { spatial } else { format!("(and {} {spatial})", pure.join(" ")) }
    }

    /// A rule over parameters: pure parts, cells, and calls only beside a cell.
    fn rule(&mut self, params: &[String]) -> String {
        let n = self.rng.below(3);
        let mut names = params.to_vec();
        let bound: Vec<String> = (0..n).map(|i| format!("u{i}")).collect();
        names.extend(bound.iter().cloned());
        let pure = (0..self.rng.below(3)).map(|_| self.pure(&names)).collect();
        let mut atoms = Vec::new();
        if !self.rng.one_in(3) {
            let at = if self.rng.one_in(4) { self.rng.pick(&names).clone() } else { params[0].clone() };
            atoms.push(self.cell(&at, &names));
            for _ in 0..self.rng.below(3) {
                let call = self.call(&names);
                atoms.push(call);
            }
        }
        let body = Writer::joined(pure, &atoms);
        match bound.is_empty() {
            true => body,
            false => {
                let bound: Vec<String> = bound.iter().map(|b| format!("({b} L)")).collect();
                format!("(exists ({}) {body})", bound.join(" "))
            }
        }
    }

    fn definitions(&mut self, out: &mut String) {
        let n = 1 + self.rng.below(2);
        let mut random = Vec::new();
        for i in 0..n {
            let name = format!("P{i}");
            if self.kind == 2 || self.rng.one_in(2) {
                let (text, links, numbers) = *self.rng.pick(SHAPES[self.kind]);
                let text =
                    text.replace("rec P ", &format!("rec {name} ")).replace("(P ", &format!("({name} "));
                let _ = writeln!(out, "{text}");
                self.predicates.push(Predicate { name, links, numbers });
            } else {
                let links = 1 + self.rng.below(3);
                self.predicates.push(Predicate { name: name.clone(), links, numbers: 0 });
                random.push((name, links));
            }
        }
        if random.is_empty() {
            return;
        }
        let (mut heads, mut bodies) = (String::new(), String::new());
        for (name, links) in random {
            let params: Vec<String> = (0..links).map(|i| format!("a{i}")).collect();
            let list: Vec<String> = params.iter().map(|p| format!("({p} L)")).collect();
            let _ = write!(heads, "({name} ({}) Bool) ", list.join(" "));
            let rules: Vec<String> = (0..1 + self.rng.below(3)).map(|_| self.rule(&params)).collect();
            let _ = match &rules[..] {
                [only] => writeln!(bodies, "{only}"),
                _ => writeln!(bodies, "(or {})", rules.join(" ")),
            };
        }
        let _ = writeln!(out, "(define-funs-rec ({heads}) (\n{bodies}))");
    }

    fn side(&mut self, most: usize, names: &[String]) -> String {
        let pure = (0..self.rng.below(3)).map(|_| self.pure(names)).collect();
        let mut atoms = Vec::new();
        for _ in 0..self.rng.below(most + 1) {
            let at = self.rng.pick(names).clone();
            let atom = if self.rng.one_in(3) { self.cell(&at, names) } else { self.call(names) };
            atoms.push(atom);
        }
        Writer::joined(pure, &atoms)
    }
}

/// A random problem.
pub fn generate(seed: u64, fields: Fields) -> String {
    let mut rng = Rng::new(seed);
    let kind = if fields == Fields::Number { 2 } else { rng.below(2) };
    let n_vars = 2 + rng.below(2);
    let mut writer = Writer { rng, kind, n_vars, predicates: Vec::new() };
    let mut text = String::from("(set-logic ALL)\n(declare-sort L 0)\n");
    let _ = writeln!(text, "{}", [ONE_FIELD, TWO_FIELDS, WITH_NUMBER][kind]);
    text.push_str("(declare-heap (L C))\n");
    if kind == 2 {
        text.push_str("(declare-const k0 Int)\n(declare-const k1 Int)\n");
    }
    writer.definitions(&mut text);
    text.push_str("(check-sat)\n");
    let names: Vec<String> = (0..writer.n_vars).map(|i| format!("x{i}")).collect();
    for name in &names {
        let _ = writeln!(text, "(declare-const {name} L)");
    }
    let _ = writeln!(text, "(assert {})", writer.side(3, &names));
    if !writer.rng.one_in(4) {
        // An existential on the right, sometimes.
        let right = match writer.rng.one_in(4) {
            true => {
                let mut more = names.clone();
                more.push("z".to_owned());
                format!("(exists ((z L)) {})", writer.side(2, &more))
            }
            false => writer.side(2, &names),
        };
        let _ = writeln!(text, "(assert (not {right}))");
    }
    text.push_str("(check-sat)\n");
    text
}
