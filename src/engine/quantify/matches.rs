//! Matching the guards of a quantifier against the facts and classes of the context.

use super::{Guard, Place, Plan};
use crate::engine::theory::Theory;
use crate::engine::theory::egraph::Node;
use crate::logic::{FuncId, Op, Terms};
use crate::util::limits::Budget;

/// A search for tuples of nodes at which all guards of a plan are derived.
pub(super) struct Matches<'a> {
    pub(super) terms: &'a Terms,
    pub(super) theory: &'a Theory,
    pub(super) plan: &'a Plan,
    pub(super) binding: Vec<Option<Node>>,
    /// Tuples of nodes for the variables, one after the other.
    pub(super) found: Vec<Node>,
    /// Nothing more is found once it has stopped.
    pub(super) watch: Budget,
}

impl Matches<'_> {
    /// Matches the guards from number `at` on. Recursion is by the number of guards.
    pub(super) fn extend(&mut self, at: usize) {
        let plan = self.plan;
        if self.watch.spend(1).is_err() {
            return;
        }
        let Some(guard) = plan.guards.get(at) else {
            self.found.extend(self.binding.iter().map(|node| node.expect("a plan binds every variable")));
            return;
        };
        match guard {
            Guard::Between(field, places) => self.extend_between(at, *field, places),
            Guard::Preimage(func, var, place) => self.extend_preimage(at, *func, *var, *place),
        }
    }

    fn node(&self, place: Place) -> Option<Node> {
        match place {
            Place::Closed(term) => self.theory.egraph.node(term),
            Place::Var(i) => self.binding[i],
        }
    }

    fn extend_between(&mut self, at: usize, field: FuncId, places: &[Place; 3]) {
        let theory = self.theory;
        let Some(field) = theory.reach.active_field(field) else { return };
        let mut free = None;
        let mut nodes = [None; 3];
        for (node, &place) in nodes.iter_mut().zip(places) {
            *node = self.node(place);
            match (place, *node) {
                (Place::Var(variable), None) => free = Some(variable),
                (Place::Closed(_), None) => return,
                (_, Some(_)) => {}
            }
        }
        match free {
            Some(variable) => {
                for root in theory.reach.completions(&theory.egraph, field, nodes) {
                    self.binding[variable] = Some(root);
                    self.extend(at + 1);
                }
                self.binding[variable] = None;
            }
            None => {
                let nodes = nodes.map(|node| node.expect("no place is open"));
                if theory.reach.fact(&theory.egraph, field, nodes).is_some() {
                    self.extend(at + 1);
                }
            }
        }
    }

    fn extend_preimage(&mut self, at: usize, func: FuncId, variable: usize, place: Place) {
        let Some(target) = self.node(place) else { return };
        let egraph = &self.theory.egraph;
        let members: Vec<Node> = egraph
            .class(target)
            .filter(|&n| self.terms.op(egraph.term(n)) == Op::App(func))
            .map(|n| egraph.root(egraph.args(n)[0]))
            .collect();
        match self.binding[variable] {
            Some(bound) => {
                if members.contains(&self.theory.egraph.root(bound)) {
                    self.extend(at + 1);
                }
            }
            None => {
                for member in members {
                    self.binding[variable] = Some(member);
                    self.extend(at + 1);
                }
                self.binding[variable] = None;
            }
        }
    }
}
