//! What is known in a lemma: equalities, disequalities, facts and denied facts.
//!
//! Invariant: facts and disequalities are over representatives, and facts are in the normal form that the
//! term store gives to literals, now modulo the closure: `R(a, a, a)` is true, `R(a, b, a)` is `a = b`, and
//! `R(a, a, c)` is `R(a, c, c)`. So a literal that the store simplified means the same here as the fact it
//! came from, and `reflexive`, `sandwich` and `prefix` hold without being stated.

use super::closure::{Closure, Node};
use crate::logic::{FuncId, Op, Terms};
use crate::proof::Literal;
use crate::util::hash::Set;

/// `R(from, via, to)` along a link field.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fact {
    /// The link field.
    pub field: FuncId,
    /// Where the path starts.
    pub from: Node,
    /// A cell on it.
    pub via: Node,
    /// Where it ends.
    pub to: Node,
}

/// What a fact says about classes.
pub(super) enum Meaning {
    /// Nothing.
    True,
    /// Two classes are one.
    Equal(Node, Node),
    /// A fact in normal form.
    Path(Fact),
}

/// The context of a lemma.
pub(super) struct Context<'a> {
    /// The store of the proof.
    pub terms: &'a Terms,
    /// The equalities.
    pub closure: Closure<'a>,
    /// Facts assumed or derived.
    pub facts: Set<Fact>,
    /// Facts assumed false.
    pub denied: Set<Fact>,
    /// Pairs assumed different, the smaller node first.
    pub different: Set<(Node, Node)>,
    /// Nodes assumed to differ pairwise.
    pub groups: Vec<Vec<Node>>,
    /// Stays once it is set.
    pub contradictory: bool,
}

impl<'a> Context<'a> {
    /// Nothing is known.
    pub fn new(terms: &'a Terms) -> Context<'a> {
        Context {
            terms,
            closure: Closure::new(terms),
            facts: Set::default(),
            denied: Set::default(),
            different: Set::default(),
            groups: Vec::new(),
            contradictory: false,
        }
    }

    /// Adds a literal that is assumed to be true. Connectives and comparisons say nothing here.
    pub fn assume(&mut self, literal: Literal) {
        let children = self.terms.children(literal.atom);
        match self.terms.op(literal.atom) {
            Op::Eq => {
                let (left, right) = (self.closure.class(children[0]), self.closure.class(children[1]));
                if literal.positive { self.equate(left, right) } else { self.distinguish(left, right) }
            }
            Op::Distinct if literal.positive => {
                let group = children.iter().map(|&c| self.closure.class(c)).collect();
                self.groups.push(group);
                self.contradictory |= self.has_repeated_member();
            }
            Op::Between(field) => {
                let [from, via, to] = [0, 1, 2].map(|i| self.closure.class(children[i]));
                let fact = Fact { field, from, via, to };
                if literal.positive { self.add(fact) } else { self.deny(fact) }
            }
            Op::App(_) | Op::True | Op::False => {
                let left = self.closure.class(literal.atom);
                let right = self.closure.class(self.terms.bool(literal.positive));
                self.equate(left, right);
            }
            _ => {}
        }
    }

    /// The normal form of a fact modulo the closure.
    pub fn meaning(&self, fact: Fact) -> Meaning {
        let [from, via, to] = [fact.from, fact.via, fact.to].map(|n| self.closure.find(n));
        if from == to {
            return if from == via { Meaning::True } else { Meaning::Equal(from, via) };
        }
        Meaning::Path(Fact { field: fact.field, from, via: if from == via { to } else { via }, to })
    }

    /// Adds a fact.
    pub fn add(&mut self, fact: Fact) {
        match self.meaning(fact) {
            Meaning::True => {}
            Meaning::Equal(left, right) => self.equate(left, right),
            Meaning::Path(fact) => {
                self.facts.insert(fact);
                self.contradictory |= self.denied.contains(&fact);
            }
        }
    }

    /// Adds that a fact is false.
    pub fn deny(&mut self, fact: Fact) {
        match self.meaning(fact) {
            Meaning::True => self.contradictory = true,
            Meaning::Equal(left, right) => self.distinguish(left, right),
            Meaning::Path(fact) => {
                self.denied.insert(fact);
                self.contradictory |= self.facts.contains(&fact);
            }
        }
    }

    /// Adds that two nodes are different.
    pub fn distinguish(&mut self, left: Node, right: Node) {
        let (left, right) = (self.closure.find(left), self.closure.find(right));
        self.different.insert((left.min(right), left.max(right)));
        self.contradictory |= left == right;
    }

    /// Whether two members of a group are in one class.
    fn has_repeated_member(&self) -> bool {
        self.groups.iter().any(|group| {
            let mut seen: Set<Node> = Set::default();
            group.iter().any(|&node| !seen.insert(self.closure.find(node)))
        })
    }

    /// Whether two classes are assumed to be different.
    pub fn are_different(&self, left: Node, right: Node) -> bool {
        let (left, right) = (self.closure.find(left), self.closure.find(right));
        let is_in = |group: &[Node], class: Node| group.iter().any(|&n| self.closure.find(n) == class);
        self.different.contains(&(left.min(right), left.max(right)))
            || left != right && self.groups.iter().any(|g| is_in(g, left) && is_in(g, right))
    }

    /// Merges two classes and restores the invariant, which may merge more: a fact `R(a, b, c)` becomes an
    /// equality when a and c become equal.
    pub fn equate(&mut self, left: Node, right: Node) {
        let mut todo = vec![(left, right)];
        while let Some((left, right)) = todo.pop() {
            if self.closure.find(left) == self.closure.find(right) {
                continue;
            }
            self.closure.merge(left, right);
            for fact in std::mem::take(&mut self.facts) {
                match self.meaning(fact) {
                    Meaning::True => {}
                    Meaning::Equal(left, right) => todo.push((left, right)),
                    Meaning::Path(fact) => {
                        self.facts.insert(fact);
                    }
                }
            }
        }
        for (left, right) in std::mem::take(&mut self.different) {
            self.distinguish(left, right);
        }
        for fact in std::mem::take(&mut self.denied) {
            self.deny(fact);
        }
        self.contradictory |= self.closure.has_conflict() || self.has_repeated_member();
    }
}
