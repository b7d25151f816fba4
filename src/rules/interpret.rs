//! The rules taken literally: try every binding, add what follows, repeat.
//!
//! Slow and obviously right. It shares nothing with the compiled matchers but the syntax tree, so it
//! can judge them; the gate and the property tests do.

use super::matcher::{Ground, Point};
use super::syntax::{Arg, Head, Pattern, Rule, Theory};
use std::fmt;

/// A context over a few points: facts, successor terms and equations between points.
///
/// A class is represented by its least point; facts and successors speak of representatives only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveContext {
    class: Vec<Point>,
    facts: Vec<bool>,
    successor: Vec<Option<Point>>,
    null: Option<Point>,
}

impl NaiveContext {
    /// Points 0 to `count` - 1, nothing known.
    pub fn new(count: usize, null: Option<Point>) -> NaiveContext {
        NaiveContext {
            class: (0..count as Point).collect(),
            facts: vec![false; count * count * count],
            successor: vec![None; count],
            null,
        }
    }

    /// The representative of a point.
    pub fn representative(&self, a: Point) -> Point {
        self.class[a as usize]
    }

    /// The representatives, in order.
    pub fn points(&self) -> Vec<Point> {
        (0..self.class.len() as Point).filter(|&a| self.representative(a) == a).collect()
    }

    /// The point of null.
    pub fn null(&self) -> Option<Point> {
        self.null.map(|n| self.representative(n))
    }

    /// The point of f(a), if the term occurs.
    pub fn successor(&self, a: Point) -> Option<Point> {
        self.successor[self.representative(a) as usize]
    }

    /// Whether R(a, b, c) is known.
    pub fn between(&self, a: Point, b: Point, c: Point) -> bool {
        self.facts[self.index([a, b, c])]
    }

    fn index(&self, fact: [Point; 3]) -> usize {
        fact.iter().fold(0, |index, &p| index * self.class.len() + self.representative(p) as usize)
    }

    /// The known facts, in order.
    pub fn facts(&self) -> Vec<[Point; 3]> {
        let n = self.class.len();
        let known = (0..self.facts.len()).filter(|&i| self.facts[i]);
        known.map(|i| [i / n / n, i / n % n, i % n].map(|p| p as Point)).collect()
    }

    /// Adds R(a, b, c); true if it is new.
    pub fn add(&mut self, a: Point, b: Point, c: Point) -> bool {
        let index = self.index([a, b, c]);
        !std::mem::replace(&mut self.facts[index], true)
    }

    /// Adds the term f(a), equal to b.
    pub fn add_successor(&mut self, a: Point, b: Point) {
        match self.successor(a) {
            Some(known) => self.merge(known, b),
            None => self.successor[self.class[a as usize] as usize] = Some(self.representative(b)),
        }
    }

    /// Makes two points equal, and their successors.
    pub fn merge(&mut self, a: Point, b: Point) {
        let (a, b) = (self.representative(a), self.representative(b));
        let (low, high) = (a.min(b), a.max(b));
        if low == high {
            return;
        }
        let facts = self.facts();
        let rename = |p: &mut Point| *p = if *p == high { low } else { *p };
        self.class.iter_mut().for_each(rename);
        self.facts.fill(false);
        facts.iter().for_each(|&[a, b, c]| {
            self.add(a, b, c);
        });
        self.successor.iter_mut().flatten().for_each(rename);
        if let Some(successor) = self.successor[high as usize].take() {
            self.add_successor(low, successor);
        }
    }

    pub(super) fn value(&self, arg: Arg, binding: &[Point]) -> Option<Point> {
        match arg {
            Arg::Var(x) => Some(self.representative(binding[x as usize])),
            Arg::App(x) => self.successor(binding[x as usize]),
            Arg::Null => self.null(),
        }
    }

    /// A conclusion over points; `None` if it mentions a term that does not occur.
    pub fn ground(&self, head: Head, binding: &[Point]) -> Option<Ground> {
        let value = |arg| self.value(arg, binding);
        Some(match head {
            Head::Between(p, q, r) => Ground::Between(value(p)?, value(q)?, value(r)?),
            Head::Equal(p, q) => Ground::Equal(value(p)?, value(q)?),
        })
    }

    /// Whether all premises of a rule hold, and null exists if the rule needs it.
    pub fn matches(&self, rule: &Rule, binding: &[Point]) -> bool {
        let value = |arg| self.value(arg, binding);
        let holds = |premise: &Pattern| match *premise {
            Pattern::Occurs(_) => true,
            Pattern::Term(x) => value(Arg::App(x)).is_some(),
            Pattern::Between(p, q, r) => {
                matches!((value(p), value(q), value(r)), (Some(a), Some(b), Some(c)) if self.between(a, b, c))
            }
            Pattern::Equal(p, q) => value(p).is_some() && value(p) == value(q),
        };
        (self.null.is_some() || !rule.mentions_null()) && rule.premises.iter().all(holds)
    }

    /// The facts among the premises of a rule that matches.
    pub fn premise_facts(&self, rule: &Rule, binding: &[Point]) -> Vec<[Point; 3]> {
        let fact = |premise: &Pattern| match *premise {
            Pattern::Between(p, q, r) => {
                let value = |arg| self.value(arg, binding);
                Some([value(p)?, value(q)?, value(r)?])
            }
            _ => None,
        };
        rule.premises.iter().filter_map(fact).collect()
    }

    /// Whether a conclusion is known.
    pub fn holds(&self, head: Head, binding: &[Point]) -> bool {
        match self.ground(head, binding) {
            Some(Ground::Between(a, b, c)) => self.between(a, b, c),
            Some(Ground::Equal(a, b)) => a == b,
            None => false,
        }
    }

    /// The first binding at which the premises of a rule hold but none of its alternatives.
    pub fn violation(&self, rule: &Rule) -> Option<Vec<Point>> {
        self.bindings(rule).find(|binding| self.is_open(rule, binding))
    }

    /// Whether nothing is left to conclude.
    #[cfg(feature = "testing")]
    pub fn is_closed(&self, theory: &Theory) -> bool {
        theory.rules.iter().all(|rule| self.violation(rule).is_none())
    }

    /// The matches of rules with several alternatives none of which holds: rule and binding.
    pub fn splits(&self, theory: &Theory) -> Vec<(usize, Vec<Point>)> {
        let rules = theory.rules.iter().enumerate().filter(|(_, rule)| !rule.is_horn());
        let open = |(i, rule)| {
            self.bindings(rule).filter(move |b| self.is_open(rule, b)).map(move |binding| (i, binding))
        };
        rules.flat_map(open).collect()
    }

    fn is_open(&self, rule: &Rule, binding: &[Point]) -> bool {
        let holds = |heads: &Vec<Head>| heads.iter().all(|&head| self.holds(head, binding));
        self.matches(rule, binding) && !rule.alternatives.iter().any(holds)
    }

    /// All bindings of a rule's variables to points, in lexicographic order.
    fn bindings(&self, rule: &Rule) -> impl Iterator<Item = Vec<Point>> + use<> {
        let points = self.points();
        let width = rule.variables.len() as u32;
        (0..points.len().pow(width)).map(move |code| {
            (0..width).rev().map(|place| points[code / points.len().pow(place) % points.len()]).collect()
        })
    }

    /// Applies the rules with one alternative until nothing changes.
    pub fn saturate(&mut self, theory: &Theory) {
        let mut changed = true;
        while changed {
            changed = false;
            for rule in theory.rules.iter().filter(|rule| rule.is_horn()) {
                for binding in self.bindings(rule) {
                    changed |= self.apply(rule, &binding);
                }
            }
        }
    }

    fn apply(&mut self, rule: &Rule, binding: &[Point]) -> bool {
        let mut changed = false;
        if self.matches(rule, binding) {
            for head in rule.heads() {
                if !self.holds(head, binding) {
                    changed = true;
                    match self.ground(head, binding).expect("premises provide the terms of conclusions") {
                        Ground::Between(a, b, c) => _ = self.add(a, b, c),
                        Ground::Equal(a, b) => self.merge(a, b),
                    }
                }
            }
        }
        changed
    }

    /// The name of a point in printed contexts.
    pub fn name(&self, a: Point) -> String {
        if Some(a) == self.null() { "null".to_string() } else { format!("c{a}") }
    }
}

impl fmt::Display for NaiveContext {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |a| self.name(a);
        let points = self.points();
        write!(out, "points {}", points.iter().map(|&a| name(a)).collect::<Vec<_>>().join(" "))?;
        for a in points {
            if let Some(b) = self.successor(a) {
                write!(out, "; f({}) = {}", name(a), name(b))?;
            }
        }
        let fact = |[a, b, c]: [Point; 3]| {
            if b == c {
                format!("{} -> {}", name(a), name(b))
            } else {
                format!("{} -> {} -> {}", name(a), name(b), name(c))
            }
        };
        let facts: Vec<String> = self.facts().into_iter().map(fact).collect();
        write!(out, "; {}", if facts.is_empty() { "no facts".to_string() } else { facts.join(", ") })
    }
}
