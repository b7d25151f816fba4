//! The ground terms that the Boolean search speaks of.
//!
//! A *node* is a closed term of an uninterpreted sort that occurs in some atom. Nodes that *range* are the
//! universe: quantifiers are instantiated with them. A node in which an `ite` occurs does not range, since it
//! equals one that does; letting it range would make the universe infinite.
//!
//! NOTE: a constant or application becomes a node when an atom with it is made, not when it is declared or
//! asserted below a quantifier: until then its value in a model is element 0 of its sort.

use crate::logic::{FuncId, Op, SortId, TermId, Terms};
use crate::util::hash::{Map, Set};

/// The node of `false`, when it is an argument.
pub(super) const FALSE_NODE: u32 = 0;

/// A closed term that is an argument of an atom.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The closed term.
    pub(super) term: TermId,
    /// Its sort.
    pub(super) sort: SortId,
    /// The symbol; none for an `ite`.
    pub(super) func: Option<FuncId>,
    /// Nodes of the arguments; empty for an `ite`.
    pub(super) args: Box<[u32]>,
    /// Whether quantifiers are instantiated with it.
    pub(super) ranges: bool,
}

/// All nodes, numbered in the order of their making; arguments come before applications.
#[derive(Clone, Debug)]
pub(super) struct Universe {
    nodes: Vec<Node>,
    ids: Map<TermId, u32>,
    by_func: Map<FuncId, Vec<u32>>,
    applications: Vec<u32>,
    sorts: Set<SortId>,
}

impl Universe {
    /// A universe with nothing but the two truth values.
    pub(super) fn new() -> Universe {
        let truth = |term| Node { term, sort: SortId::BOOL, func: None, args: Box::default(), ranges: true };
        Universe {
            nodes: vec![truth(Terms::FALSE), truth(Terms::TRUE)],
            ids: [(Terms::FALSE, FALSE_NODE), (Terms::TRUE, FALSE_NODE + 1)].into_iter().collect(),
            by_func: Map::default(),
            applications: Vec::new(),
            sorts: Set::default(),
        }
    }

    /// The node of a closed term, if it has one.
    pub(super) fn find(&self, term: TermId) -> Option<u32> {
        self.ids.get(&term).copied()
    }

    /// All nodes in order.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    pub(super) fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// Whether a sort has no node.
    pub(super) fn is_empty(&self, sort: SortId) -> bool {
        !self.sorts.contains(&sort)
    }

    /// Nodes with arguments.
    pub(super) fn applications(&self) -> &[u32] {
        &self.applications
    }

    /// Nodes of one symbol.
    pub(super) fn of_func(&self, func: FuncId) -> &[u32] {
        self.by_func.get(&func).map_or(&[], Vec::as_slice)
    }

    /// The node of a closed term, made with its subterms if it is new. Every new `ite` is put on `ites`: the
    /// caller has to define it.
    pub(super) fn add(&mut self, terms: &Terms, root: TermId, ites: &mut Vec<TermId>) -> u32 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.ids.contains_key(&term) {
                stack.pop();
                continue;
            }
            let func = match terms.op(term) {
                Op::App(func) => Some(func),
                Op::Ite => None,
                other => unreachable!("outside the fragment: {other:?}"),
            };
            let below = if func.is_some() { terms.children(term) } else { &terms.children(term)[1..] };
            let ready = stack.len();
            stack.extend(below.iter().filter(|c| !self.ids.contains_key(*c)));
            if stack.len() > ready {
                continue;
            }
            stack.pop();
            let args: Box<[u32]> = match func {
                Some(_) => below.iter().map(|c| self.ids[c]).collect(),
                None => Box::default(),
            };
            self.push(terms, term, func, args, ites);
        }
        self.ids[&root]
    }

    fn push(
        &mut self,
        terms: &Terms,
        term: TermId,
        func: Option<FuncId>,
        args: Box<[u32]>,
        ites: &mut Vec<TermId>,
    ) {
        let id = self.nodes.len() as u32;
        let ranges = func.is_some() && args.iter().all(|&a| self.node(a).ranges);
        match func {
            Some(func) => self.by_func.entry(func).or_default().push(id),
            None => ites.push(term),
        }
        if !args.is_empty() {
            self.applications.push(id);
        }
        self.sorts.insert(terms.sort(term));
        self.nodes.push(Node { term, sort: terms.sort(term), func, args, ranges });
        self.ids.insert(term, id);
    }
}
