//! Random problems about small heaps, as scripts.
//!
//! The plain kind is an entailment or a satisfiability question over a few variables. Half of the
//! entailments are *chains*: segments in a row with many disequalities, and a right side that joins
//! neighbours; there the question is whether a segment may run through its end, which plain random atoms
//! hardly ever ask. The mixed kind nests descriptions below arbitrary connectives.

use crate::util::rng::Rng;
use std::fmt::Write as _;

/// What a random problem may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One description on the left, one to three on the right.
    Plain,
    /// Descriptions below connectives, several assertions.
    Mixed,
    /// Segments defined in several ways.
    Definitions,
    /// Doubly linked segments.
    Double,
    /// Segments with data: sorted, or with a bound on every cell.
    Data,
}

const SORTS: &str =
    "(declare-sort L 0)\n(declare-datatypes ((C 0)) (((c (next L)))))\n(declare-heap (L C))\n";
const SORTS_DOUBLE: &str =
    "(declare-sort L 0)\n(declare-datatypes ((C 0)) (((c (next L) (prev L)))))\n(declare-heap (L C))\n";

/// Definitions of segments, with how they are called: `%a` is the first cell, `%b` the end.
const SEGMENTS: &[(&str, &str)] = &[
    (
        "(define-fun-rec ls ((in L) (out L)) Bool (or (and (= in out) (_ emp L C))
  (exists ((u L)) (and (distinct in out) (sep (pto in (c u)) (ls u out))))))",
        "(ls %a %b)",
    ),
    (
        "(define-fun-rec back ((out L) (in L)) Bool (ite (= out in) emp
  (exists ((u L)) (sep (back out u) (pto in (c u))))))",
        "(back %b %a)",
    ),
    (
        "(define-fun-rec loose ((x L) (y L)) Bool
  (or (exists ((u L)) (sep (pto x (c u)) (loose u y))) (and sep.emp (= y x))))",
        "(loose %a %b)",
    ),
    (
        "(define-fun-rec some ((x L) (y L)) Bool
  (or (pto x (c y)) (exists ((u L)) (sep (pto x (c u)) (some u y)))))",
        "(some %a %b)",
    ),
    (
        "(define-fun-rec some1 ((x L) (y L)) Bool (and (not (= x y))
  (or (pto x (c y)) (exists ((u L)) (sep (pto x (c u)) (some1 u y))))))",
        "(some1 %a %b)",
    ),
    (
        "(define-fun-rec some2 ((x L) (y L)) Bool
  (or (pto x (c y)) (exists ((u L)) (and (not (= y x)) (sep (pto x (c u)) (some2 u y))))))",
        "(some2 %a %b)",
    ),
    (
        "(define-fun-rec some3 ((x L) (y L)) Bool
  (or (and (distinct x y) (pto x (c y))) (exists ((u L)) (sep (pto x (c u)) (some3 u y)))))",
        "(some3 %a %b)",
    ),
    (
        "(define-fun-rec list ((x L)) Bool
  (or (and (= x (as nil L)) emp) (exists ((u L) (v L)) (and (= u v) (sep (pto x (c v)) (list u))))))",
        "(list %a)",
    ),
];

const DOUBLE: &str = "(define-fun-rec dll ((fr L) (bk L) (pr L) (nx L)) Bool (or
  (and (= fr nx) (= bk pr) (_ emp L C))
  (exists ((u L)) (and (distinct fr nx) (distinct bk pr) (sep (pto fr (c u pr)) (dll u bk fr nx))))))";

const SORTS_DATA: &str =
    "(declare-sort L 0)\n(declare-datatypes ((C 0)) (((c (next L) (data Int)))))\n(declare-heap (L C))\n";

const DATA: &str = "(define-fun-rec up ((x L) (y L) (m Int)) Bool (or (and (= x y) emp)
  (exists ((u L) (d Int)) (and (distinct x y) (<= m d) (sep (pto x (c u d)) (up u y d))))))
(define-fun-rec down ((m Int) (y L) (x L)) Bool (or
  (exists ((u L) (d Int)) (and (> m d) (distinct x y) (sep (down d y u) (pto x (c u d))))) (and (= x y) emp)))
(define-fun-rec below ((x L) (y L) (k Int)) Bool (ite (= x y) emp
  (exists ((u L) (d Int)) (and (< d k) (sep (pto x (c u d)) (below u y k))))))
(declare-const k0 Int)\n(declare-const k1 Int)\n";

struct Writer {
    rng: Rng,
    style: Style,
    n_vars: usize,
    segments: Vec<&'static str>,
}

impl Writer {
    fn location(&mut self) -> String {
        if self.rng.one_in(7) { "(as nil L)".to_owned() } else { format!("x{}", self.rng.below(self.n_vars)) }
    }

    fn segment(&mut self, from: &str, to: &str) -> String {
        let call = *self.rng.pick(&self.segments);
        call.replace("%a", from).replace("%b", to)
    }

    fn atom(&mut self) -> String {
        let (from, to) = (self.location(), self.location());
        if self.style == Style::Double {
            let (a, b) = (self.location(), self.location());
            return match self.rng.one_in(2) {
                true => format!("(pto {from} (c {to} {a}))"),
                false => format!("(dll {from} {a} {b} {to})"),
            };
        }
        if self.style == Style::Data {
            let k = *self.rng.pick(&["k0", "k1", "0", "1"]);
            return match self.rng.below(5) {
                0 | 1 => format!("(pto {from} (c {to} {k}))"),
                2 => format!("(up {from} {to} {k})"),
                3 => format!("(down {k} {to} {from})"),
                _ => format!("(below {from} {to} {k})"),
            };
        }
        if self.rng.one_in(2) { format!("(pto {from} (c {to}))") } else { self.segment(&from, &to) }
    }

    fn pure(&mut self) -> String {
        let (a, b) = (self.location(), self.location());
        match self.rng.below(6) {
            0 => format!("(= {a} {b})"),
            1 => format!("(not (= {a} {b}))"),
            2 => format!("(or (= {a} {b}) (distinct {b} {}))", self.location()),
            _ => format!("(distinct {a} {b})"),
        }
    }

    fn description(&mut self, most_atoms: usize, most_pure: usize) -> String {
        let n = self.rng.below(most_atoms + 1);
        let atoms: Vec<String> = (0..n).map(|_| self.atom()).collect();
        let spatial = match &atoms[..] {
            [] => "(_ emp L C)".to_owned(),
            [only] => only.clone(),
            _ => format!("(sep {})", atoms.join(" ")),
        };
        let n = self.rng.below(most_pure + 1);
        let mut parts: Vec<String> = (0..n).map(|_| self.pure()).collect();
        if parts.is_empty() {
            return spatial;
        }
        parts.insert(self.rng.below(parts.len() + 1), spatial);
        format!("(and {})", parts.join(" "))
    }

    /// A row of segments with disequalities, and a right side that joins neighbours.
    fn chain(&mut self) -> (String, String) {
        let n = 2 + self.rng.below(3);
        let mut stops: Vec<String> = (0..=n).map(|i| format!("x{}", i.min(self.n_vars - 1))).collect();
        for stop in &mut stops {
            if self.rng.one_in(6) {
                *stop = self.location();
            }
        }
        let row = |this: &mut Writer, stops: &[String]| {
            let mut atoms = Vec::new();
            for pair in stops.windows(2) {
                atoms.push(if this.rng.one_in(4) {
                    format!("(pto {} (c {}))", pair[0], pair[1])
                } else {
                    this.segment(&pair[0], &pair[1])
                });
            }
            atoms
        };
        let mut left = row(self, &stops);
        let mut joined: Vec<String> = stops.clone();
        for _ in 0..1 + self.rng.below(2) {
            if joined.len() > 2 {
                joined.remove(1 + self.rng.below(joined.len() - 2));
            }
        }
        let right = row(self, &joined);
        if self.rng.one_in(3) {
            left.push(self.atom());
        }
        let mut parts: Vec<String> = Vec::new();
        for i in 0..stops.len() {
            for j in 0..i {
                if self.rng.one_in(2) {
                    parts.push(format!("(distinct {} {})", stops[j], stops[i]));
                }
            }
        }
        parts.push(format!("(sep {} (_ emp L C))", left.join(" ")));
        (format!("(and {})", parts.join(" ")), format!("(sep {} emp)", right.join(" ")))
    }

    /// Descriptions below connectives.
    fn mixed(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.one_in(5) {
            return if self.rng.one_in(4) { self.pure() } else { self.description(3, 2) };
        }
        let (a, b) = (self.mixed(depth - 1), self.mixed(depth - 1));
        match self.rng.below(8) {
            0 | 1 => format!("(and {a} {b})"),
            2 | 3 => format!("(or {a} {b})"),
            4 => format!("(not {a})"),
            5 => format!("(=> {a} {b})"),
            6 => format!("(ite {} {a} {b})", self.pure()),
            _ => format!("(= {a} {b})"),
        }
    }

    /// A description whose parts are disjunctions.
    fn split(&mut self) -> String {
        let (a, b, c) = (self.description(1, 1), self.description(2, 1), self.atom());
        format!("(sep (or {a} {b}) {c})")
    }
}

/// A random problem.
pub fn generate(seed: u64, style: Style) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from("(set-logic QF_SHLS)\n");
    text.push_str(match style {
        Style::Double => SORTS_DOUBLE,
        Style::Data => SORTS_DATA,
        _ => SORTS,
    });
    let mut segments: Vec<&str> = Vec::new();
    match style {
        Style::Double => text.push_str(DOUBLE),
        Style::Data => text.push_str(DATA),
        Style::Definitions => {
            for _ in 0..2 {
                let (definition, call) = *rng.pick(SEGMENTS);
                if !segments.contains(&call) {
                    let _ = writeln!(text, "{definition}");
                    segments.push(call);
                }
            }
        }
        Style::Plain | Style::Mixed => {
            let _ = writeln!(text, "{}", SEGMENTS[0].0);
            segments.push(SEGMENTS[0].1);
        }
    }
    text.push_str("\n(check-sat)\n");
    let n_vars = 2 + rng.below(if style == Style::Plain { 4 } else { 3 });
    for i in 0..n_vars {
        let _ = writeln!(text, "(declare-const x{i} L)");
    }
    let mut writer = Writer { rng, style, n_vars, segments };
    let mut assertions = Vec::new();
    match style {
        Style::Mixed => {
            for _ in 0..1 + writer.rng.below(2) {
                assertions.push(writer.mixed(2));
            }
            if writer.rng.one_in(3) {
                assertions.push(writer.split());
            }
        }
        _ if !matches!(style, Style::Double | Style::Data) && writer.rng.one_in(2) => {
            let (left, right) = writer.chain();
            assertions.extend([left, format!("(not {right})")]);
        }
        _ => {
            assertions.push(writer.description(4, 3));
            if !writer.rng.one_in(4) {
                let n = [1, 1, 1, 2, 3][writer.rng.below(5)];
                let sides: Vec<String> = (0..n).map(|_| writer.description(4, 1)).collect();
                let right = if n == 1 { sides[0].clone() } else { format!("(or {})", sides.join(" ")) };
                assertions.push(format!("(not {right})"));
            }
        }
    }
    for assertion in assertions {
        let _ = writeln!(text, "(assert {assertion})");
    }
    text.push_str("(check-sat)\n");
    text
}
