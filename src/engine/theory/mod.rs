//! The combined theory of a set of literals: equality and functions, reachability, linear integers.
//!
//! The search asserts literals and levels; the theory answers with conflicts, facts and needs. It knows
//! nothing of clauses. Only literals that matter are asserted (see `relevancy`), and only their terms exist
//! here: that keeps the tables of reachability small.
//!
//! [`Theory::saturate`] runs to a fixpoint: congruence closure, reachability rules, alternatives decided by
//! what is known, bounds. Order of the parts: the graph is closed before the rules run, because points are
//! classes; the simplex comes last, because it is the dearest.

pub(crate) mod egraph;
pub(crate) mod explain;
pub(crate) mod linear;
pub(crate) mod reach;
#[cfg(test)]
mod tests;

use crate::logic::{FuncId, Op, SortId, TermId, Terms};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};
use egraph::{Clash, EGraph, Node, Reason};
use explain::{Conflict, Explanation};
use linear::Linear;
use reach::{Conclusion, Contradiction, Known, Reach};

/// The theory solver.
pub(crate) struct Theory {
    pub(crate) egraph: EGraph,
    pub(crate) reach: Reach,
    pub(crate) linear: Linear,
    pub(crate) explanation: Explanation,
    /// Whether conflicts carry derivations.
    pub(crate) proofs: bool,
    /// Nodes that were already announced to the parts.
    announced: Node,
    level: usize,
    clash: Option<Clash>,
    /// What the reachability theory will hear of once the graph is closed.
    waiting: Vec<Waiting>,
}

/// What becomes of rules with alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sweeps {
    /// They are looked at.
    Run,
    /// They wait for a later check.
    Wait,
}

/// News for the reachability theory. It waits for the congruence closure, so that terms that are equal from
/// the start make one point and not two that have to be merged.
#[derive(Clone, Copy)]
enum Waiting {
    Node(Node),
    Guard(FuncId, Node),
    Between { field: FuncId, nodes: [Node; 3], literal: Lit, positive: bool },
}

impl Theory {
    pub(crate) fn new(terms: &Terms, proofs: bool) -> Theory {
        let mut theory = Theory {
            egraph: EGraph::default(),
            reach: Reach::new(),
            linear: Linear::default(),
            explanation: Explanation::default(),
            proofs,
            announced: 0,
            level: 0,
            clash: None,
            waiting: Vec::new(),
        };
        theory.add_term(terms, Terms::TRUE);
        theory.add_term(terms, Terms::FALSE);
        theory
    }

    pub(crate) fn level(&self) -> usize {
        self.level
    }

    pub(crate) fn push(&mut self) {
        self.level += 1;
        self.egraph.push();
        self.reach.push();
        self.linear.push();
    }

    pub(crate) fn pop_to(&mut self, level: usize) {
        if level >= self.level {
            return;
        }
        let n = self.level - level;
        self.egraph.pop(n);
        self.reach.pop(n);
        self.linear.pop(n);
        self.level = level;
        self.announced = self.egraph.len();
        self.clash = None;
        self.waiting.clear();
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.egraph.memory_bytes() + self.reach.memory_bytes() + self.linear.memory_bytes()
    }

    /// The node of a term; the term and its subterms exist from now on.
    pub(crate) fn add_term(&mut self, terms: &Terms, term: TermId) -> Node {
        let (node, new) = self.egraph.add(terms, term);
        if new {
            while self.announced < self.egraph.len() {
                let next = self.announced;
                self.announced += 1;
                self.announce(terms, next);
            }
        }
        node
    }

    fn announce(&mut self, terms: &Terms, node: Node) {
        if !self.egraph.args(node).is_empty() {
            self.waiting.push(Waiting::Node(node));
        }
        let term = self.egraph.term(node);
        if let Op::Lin(_) = terms.op(term) {
            self.linear.present(terms, &self.egraph, node);
            for &summand in terms.children(term) {
                let summand = self.egraph.node(summand).expect("summands come before their sum");
                self.linear.present(terms, &self.egraph, summand);
            }
        }
    }

    /// Makes the terms of a reachability guard points of its field.
    pub(crate) fn add_guard(&mut self, terms: &Terms, field: FuncId, ends: [TermId; 2]) {
        for end in ends {
            let node = self.add_term(terms, end);
            self.waiting.push(Waiting::Guard(field, node));
        }
    }

    /// Asserts an atom (`Eq`, `Le`, `Between`, or a predicate) or its negation, or a `Distinct`.
    pub(crate) fn assert(&mut self, terms: &Terms, atom: TermId, positive: bool, literal: Lit) {
        let children = terms.children(atom);
        match terms.op(atom) {
            Op::Eq => {
                let (left, right) = (self.add_term(terms, children[0]), self.add_term(terms, children[1]));
                if positive {
                    self.egraph.merge(left, right, Reason::Literal(literal));
                    return;
                }
                self.reach.separate(left, right);
                if terms.sort(children[0]) == SortId::INT {
                    self.linear.separate(left, right);
                }
                if let Err(clash) = self.egraph.separate(left, right, literal) {
                    self.clash.get_or_insert(clash);
                }
            }
            Op::Distinct => {
                debug_assert!(positive, "a false `distinct` is a disjunction of equalities");
                let nodes: Vec<Node> = children.iter().map(|&c| self.add_term(terms, c)).collect();
                self.reach.separate_all();
                if terms.sort(children[0]) == SortId::INT {
                    self.linear.separate_all(nodes.clone());
                }
                if let Err(clash) = self.egraph.separate_all(nodes, literal) {
                    self.clash.get_or_insert(clash);
                }
            }
            Op::Between(field) => {
                let nodes = [0, 1, 2].map(|i| self.add_term(terms, children[i]));
                self.waiting.push(Waiting::Between { field, nodes, literal, positive });
            }
            Op::Le(_) => {
                let sum = children[0];
                for (summand, _) in terms.linear_form(sum).terms {
                    let node = self.add_term(terms, summand);
                    self.linear.present(terms, &self.egraph, node);
                }
                self.linear.assert(terms, atom, literal, positive);
            }
            Op::App(_) if !children.is_empty() => {
                let node = self.add_term(terms, atom);
                let value = self.add_term(terms, terms.bool(positive));
                self.egraph.merge(node, value, Reason::Literal(literal));
            }
            Op::App(_) => {}
            _ => unreachable!("only atoms are asserted"),
        }
    }

    /// Closes the context under all rules; alternatives only where one is left.
    pub(crate) fn saturate(&mut self, terms: &Terms, budget: &mut Budget) -> Result<Option<Conflict>, Stop> {
        self.saturate_with(terms, Sweeps::Run, budget)
    }

    /// As [`Theory::saturate`], with or without the rules that have alternatives.
    pub(crate) fn saturate_with(
        &mut self,
        terms: &Terms,
        sweeps: Sweeps,
        budget: &mut Budget,
    ) -> Result<Option<Conflict>, Stop> {
        budget.spend(8)?;
        self.reach.set_room(budget.memory_room());
        if let Some(clash) = self.clash {
            return Ok(Some(self.clash_conflict(clash)));
        }
        loop {
            if let Err(clash) = self.egraph.close(terms) {
                return Ok(Some(self.clash_conflict(clash)));
            }
            if !self.egraph.merged.is_empty() {
                let mut merges = std::mem::take(&mut self.egraph.merged);
                self.reach.follow_merges(&self.egraph, &merges);
                self.linear.follow_merges(terms, &self.egraph, &merges);
                merges.clear();
                self.egraph.merged = merges;
            }
            for at in 0..self.waiting.len() {
                // A new point may make cubic tables grow.
                budget.spend(self.reach.point_cost())?;
                match self.waiting[at] {
                    Waiting::Node(node) => self.reach.add_node(terms, &self.egraph, node),
                    Waiting::Guard(field, node) => {
                        let field = self.reach.activate(terms, &self.egraph, field);
                        self.reach.touch(&self.egraph, field, node);
                    }
                    Waiting::Between { field, nodes, literal, positive } => {
                        self.reach.assert(terms, &self.egraph, field, nodes, literal, positive);
                    }
                }
            }
            self.waiting.clear();
            if self.reach.is_overrun() {
                return Err(budget.refuse_memory());
            }
            if let Some(contradiction) = self.reach.run(&mut self.egraph, budget)? {
                return Ok(Some(self.reach_conflict(contradiction)));
            }
            let wait = sweeps == Sweeps::Wait;
            if self.egraph.is_closed()
                && (wait || !self.reach.decide_alternatives(&mut self.egraph, budget)?)
            {
                break;
            }
            if let Some(contradiction) = self.reach.contradiction() {
                return Ok(Some(self.reach_conflict(contradiction)));
            }
        }
        if let Some(contradiction) = self.reach.contradiction() {
            return Ok(Some(self.reach_conflict(contradiction)));
        }
        debug_assert!(self.egraph.len() > 60 || self.egraph.check_congruence(terms), "check_congruence");
        self.check_linear(budget)
    }

    fn clash_conflict(&mut self, clash: Clash) -> Conflict {
        self.conflict(|out| {
            out.equality(clash.left, clash.right);
            if let Some(literal) = clash.literal {
                out.literal(literal);
            }
        })
    }

    fn reach_conflict(&mut self, contradiction: Contradiction) -> Conflict {
        match contradiction {
            Contradiction::Absurd { entry } => self.conflict(|out| out.entry(entry)),
            Contradiction::Negated { entry, literal, nodes } => {
                let Conclusion::Fact(fact) = self.reach.entry(entry).conclusion else {
                    unreachable!("facts are negated")
                };
                self.conflict(|out| {
                    out.entry(entry);
                    out.literal(literal);
                    for (a, b) in fact.into_iter().zip(nodes) {
                        out.equality(a, b);
                    }
                })
            }
        }
    }

    /// Whether the present context decides an atom whose terms all exist: its truth value, and the literals
    /// that force it.
    pub(crate) fn implied(&mut self, terms: &Terms, atom: TermId) -> Option<(bool, Conflict)> {
        let children = terms.children(atom);
        match terms.op(atom) {
            Op::Eq => {
                let left = self.egraph.node(children[0])?;
                let right = self.egraph.node(children[1])?;
                if self.egraph.equal(left, right) {
                    return Some((true, self.conflict(|out| out.equality(left, right))));
                }
                if let (Some(a), Some(b)) = (self.egraph.constant(left), self.egraph.constant(right)) {
                    return Some((
                        false,
                        self.conflict(|out| {
                            out.equality(left, a);
                            out.equality(right, b);
                        }),
                    ));
                }
                let apart = self.egraph.separation(left, right)?;
                Some((
                    false,
                    self.conflict(|out| {
                        out.equality(left, apart.here);
                        out.equality(right, apart.there);
                        out.literal(apart.literal);
                    }),
                ))
            }
            Op::Between(func) => {
                let field = self.reach.active_field(func)?;
                let mut nodes = [0; 3];
                for (node, &child) in nodes.iter_mut().zip(children) {
                    *node = self.egraph.node(child)?;
                }
                match self.reach.known(&self.egraph, field, nodes)? {
                    Known::Fact(entry) => Some((true, self.fact_conflict(entry, nodes))),
                    Known::Denied { literal, nodes: others } => Some((
                        false,
                        self.conflict(|out| {
                            out.literal(literal);
                            for (a, b) in nodes.into_iter().zip(others) {
                                out.equality(a, b);
                            }
                        }),
                    )),
                }
            }
            Op::App(_) if !children.is_empty() => {
                let node = self.egraph.node(atom)?;
                let constant = self.egraph.constant(node)?;
                let truth = self.egraph.term(constant) == Terms::TRUE;
                Some((truth, self.conflict(|out| out.equality(node, constant))))
            }
            _ => None,
        }
    }

    /// The literals behind a fact, read at other nodes of the same classes.
    pub(crate) fn fact_conflict(&mut self, entry: u32, nodes: [Node; 3]) -> Conflict {
        let Conclusion::Fact(fact) = self.reach.entry(entry).conclusion else {
            unreachable!("the table holds facts")
        };
        self.conflict(|out| {
            out.entry(entry);
            for (a, b) in fact.into_iter().zip(nodes) {
                out.equality(a, b);
            }
        })
    }
}
