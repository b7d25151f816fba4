//! Congruence closure over closed terms, one per lemma.
//!
//! A node is an application of a symbol to nodes, or a leaf: numbers, sums, `ite`s and whatever else is
//! not an application are leaves, known by their term only. Two nodes are in one class if their equality
//! follows from the merged pairs by congruence. Numbers and the two truth values are different from each
//! other; a class that holds two of them is a conflict, which stays.
//!
//! Terms are added when they are first asked for, which never changes a class: an application that is
//! congruent to an old one becomes the same node.

use crate::logic::{FuncId, Op, TermId, Terms};
use crate::util::hash::Map;

/// A node of a [`Closure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(u32);

impl Node {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A symbol and the classes of its arguments.
type Signature = (FuncId, Box<[Node]>);

/// Classes of equal terms.
pub(super) struct Closure<'a> {
    terms: &'a Terms,
    of_term: Map<TermId, Node>,
    /// Links of the union-find forest.
    parent: Vec<Node>,
    /// The symbol and arguments of a node that is an application.
    application: Vec<Option<Signature>>,
    /// For each representative, the applications with an argument in its class.
    users: Vec<Vec<Node>>,
    /// For each representative, the number or truth value in its class.
    constant: Vec<Option<TermId>>,
    /// For each representative, how many nodes and users its class has.
    weight: Vec<u64>,
    by_signature: Map<Signature, Node>,
    conflict: bool,
}

impl<'a> Closure<'a> {
    /// No terms yet.
    pub fn new(terms: &'a Terms) -> Closure<'a> {
        Closure {
            terms,
            of_term: Map::default(),
            parent: Vec::new(),
            application: Vec::new(),
            users: Vec::new(),
            constant: Vec::new(),
            weight: Vec::new(),
            by_signature: Map::default(),
            conflict: false,
        }
    }

    /// Whether a class holds two different numbers or truth values.
    pub fn has_conflict(&self) -> bool {
        self.conflict
    }

    /// The representative of the class of a closed term.
    pub fn class(&mut self, root: TermId) -> Node {
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if self.of_term.contains_key(&term) {
                continue;
            }
            let node = match self.terms.op(term) {
                Op::App(func) => {
                    let children = self.terms.children(term);
                    if !children_done {
                        stack.push((term, true));
                        stack.extend(children.iter().map(|&c| (c, false)));
                        continue;
                    }
                    let args: Vec<Node> = children.iter().map(|c| self.of_term[c]).collect();
                    self.apply(func, &args)
                }
                Op::Num(_) | Op::True | Op::False => self.new_node(None, Some(term)),
                _ => self.new_node(None, None),
            };
            self.of_term.insert(term, node);
        }
        self.find(self.of_term[&root])
    }

    /// The representative of the class of a symbol applied to nodes.
    pub fn apply(&mut self, func: FuncId, args: &[Node]) -> Node {
        let signature: Signature = (func, args.iter().map(|&a| self.find(a)).collect());
        if let Some(&node) = self.by_signature.get(&signature) {
            return self.find(node);
        }
        let node = self.new_node(Some(signature.clone()), None);
        for arg in &signature.1 {
            self.users[arg.index()].push(node);
            self.weight[arg.index()] += 1;
        }
        self.by_signature.insert(signature, node);
        node
    }

    /// The representative of a node's class.
    pub fn find(&self, mut node: Node) -> Node {
        while self.parent[node.index()] != node {
            node = self.parent[node.index()];
        }
        node
    }

    /// Whether both classes hold numbers or truth values, and different ones.
    pub fn differ(&self, left: Node, right: Node) -> bool {
        let constant = |node| self.constant[self.find(node).index()];
        matches!((constant(left), constant(right)), (Some(l), Some(r)) if l != r)
    }

    /// Makes two nodes equal, and all that is congruent then.
    pub fn merge(&mut self, left: Node, right: Node) {
        let mut todo = vec![(left, right)];
        while let Some((left, right)) = todo.pop() {
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            self.conflict |= self.differ(left, right);
            // The lighter class moves: finding stays logarithmic, and no user moves often.
            let right_is_heavier = self.weight[left.index()] <= self.weight[right.index()];
            let (from, to) = if right_is_heavier { (left, right) } else { (right, left) };
            self.weight[to.index()] += self.weight[from.index()];
            self.parent[from.index()] = to;
            let constant = self.constant[to.index()].or(self.constant[from.index()]);
            self.constant[to.index()] = constant;
            for user in std::mem::take(&mut self.users[from.index()]) {
                let (func, args) = self.application[user.index()].as_ref().expect("users are applications");
                let signature = (*func, args.iter().map(|&a| self.find(a)).collect());
                let twin = *self.by_signature.entry(signature).or_insert(user);
                todo.push((user, twin));
                self.users[to.index()].push(user);
            }
        }
    }

    /// How many classes there are.
    #[cfg(test)]
    pub fn n_classes(&self) -> usize {
        (0..self.parent.len()).filter(|&i| self.parent[i].index() == i).count()
    }

    fn new_node(&mut self, application: Option<Signature>, constant: Option<TermId>) -> Node {
        let node = Node(self.parent.len() as u32);
        self.parent.push(node);
        self.application.push(application);
        self.users.push(Vec::new());
        self.constant.push(constant);
        self.weight.push(1);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::SortId;
    use crate::util::rng::Rng;

    #[test]
    fn equality_climbs_through_functions_of_any_arity() {
        let mut t = Terms::new();
        let s = t.declare_sort("S").unwrap();
        let f = t.declare_fun("f", &[s, s], s).unwrap();
        let p = t.declare_fun("p", &[s], SortId::BOOL).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|n| t.declare_const(n, s).unwrap());
        let fab = t.app(f, &[a, b]).unwrap();
        let fba = t.app(f, &[b, a]).unwrap();
        let (p_fab, p_fba) = (t.app(p, &[fab]).unwrap(), t.app(p, &[fba]).unwrap());
        let mut closure = Closure::new(&t);
        let (left, right) = (closure.class(p_fab), closure.class(p_fba));
        let [na, nb, nc] = [a, b, c].map(|x| closure.class(x));
        assert_ne!(closure.find(left), closure.find(right));
        closure.merge(na, nc);
        assert_ne!(closure.find(left), closure.find(right));
        closure.merge(nc, nb);
        assert_eq!(closure.find(left), closure.find(right));
        // A late application finds its class.
        assert_eq!(closure.apply(f, &[nc, nc]), closure.class(fab));
        let [yes, no] = [Terms::TRUE, Terms::FALSE].map(|x| closure.class(x));
        closure.merge(left, yes);
        assert!(!closure.has_conflict() && closure.differ(right, no));
        closure.merge(right, no);
        assert!(closure.has_conflict());
    }

    #[test]
    fn numbers_differ_and_sums_are_leaves() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.declare_const(n, SortId::INT).unwrap());
        let (one, two) = (t.int(1), t.int(2));
        let (x1, y1) = (t.add(&[x, one]).unwrap(), t.add(&[y, one]).unwrap());
        let mut closure = Closure::new(&t);
        let [x, y, one, two, x1, y1] = [x, y, one, two, x1, y1].map(|n| closure.class(n));
        closure.merge(x, y);
        assert_ne!(closure.find(x1), closure.find(y1));
        closure.merge(x, one);
        assert!(closure.differ(y, two) && !closure.differ(y, one) && !closure.differ(y1, one));
        closure.merge(y, two);
        assert!(closure.has_conflict());
    }

    #[test]
    fn deep_terms_are_added_without_recursion() {
        let mut t = Terms::new();
        let s = t.declare_sort("S").unwrap();
        let f = t.declare_fun("f", &[s], s).unwrap();
        let a = t.declare_const("a", s).unwrap();
        let mut deep = a;
        for _ in 0..100_000 {
            deep = t.app(f, &[deep]).unwrap();
        }
        let fa = t.app(f, &[a]).unwrap();
        let mut closure = Closure::new(&t);
        let (deep, a, fa) = (closure.class(deep), closure.class(a), closure.class(fa));
        closure.merge(a, fa);
        assert_eq!(closure.find(deep), closure.find(a));
    }

    /// The closure on a random set of unary terms is the least congruence that holds the merged pairs.
    #[test]
    fn agrees_with_naive_saturation() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let mut t = Terms::new();
            let s = t.declare_sort("S").unwrap();
            let f = t.declare_fun("f", &[s], s).unwrap();
            let g = t.declare_fun("g", &[s, s], s).unwrap();
            let mut all: Vec<TermId> =
                (0..4).map(|i| t.declare_const(&format!("c{i}"), s).unwrap()).collect();
            for _ in 0..10 {
                let (x, y) = (*rng.pick(&all), *rng.pick(&all));
                let new = if rng.one_in(2) { t.app(f, &[x]) } else { t.app(g, &[x, y]) }.unwrap();
                all.push(new);
            }
            let mut closure = Closure::new(&t);
            let mut label: Map<TermId, usize> = all.iter().enumerate().map(|(i, &x)| (x, i)).collect();
            for _ in 0..4 {
                let (x, y) = (*rng.pick(&all), *rng.pick(&all));
                let (nx, ny) = (closure.class(x), closure.class(y));
                closure.merge(nx, ny);
                relabel(&mut label, x, y);
                saturate(&t, &all, &mut label);
                for &x in &all {
                    for &y in &all {
                        assert_eq!(closure.class(x) == closure.class(y), label[&x] == label[&y]);
                    }
                }
            }
        }
    }

    fn relabel(label: &mut Map<TermId, usize>, x: TermId, y: TermId) {
        let (from, to) = (label[&x], label[&y]);
        label.values_mut().filter(|l| **l == from).for_each(|l| *l = to);
    }

    fn saturate(t: &Terms, all: &[TermId], label: &mut Map<TermId, usize>) {
        let congruent = |label: &Map<TermId, usize>, x: TermId, y: TermId| {
            t.op(x) == t.op(y) && t.children(x).iter().zip(t.children(y)).all(|(a, b)| label[a] == label[b])
        };
        while let Some((x, y)) = all
            .iter()
            .flat_map(|&x| all.iter().map(move |&y| (x, y)))
            .find(|&(x, y)| label[&x] != label[&y] && congruent(label, x, y))
        {
            relabel(label, x, y);
        }
    }
}
