//! Incremental, backtrackable congruence closure with a proof forest.
//!
//! Nodes are the terms of the literals asserted so far; a class is a circular list of nodes with one root.
//! Merging moves the smaller class; every change is on an undo log, and [`EGraph::pop`] replays it
//! backwards. Two tricks keep that cheap: a signature under an absorbed root stays in the table, because
//! no lookup can find it until that root is a root again; and the edges of the proof forest are never turned
//! back, because the path between two nodes is the same whichever way its edges point.
//!
//! The *proof forest* holds one edge per merge, so the edges between two equal nodes explain why they are
//! equal, and the explanation of an equality is the same at every later moment.
//!
//! Disequalities are kept per class, the interpreted constants (`true`, `false`, numbers) are pairwise
//! different. The members of a `distinct` form a *group*; a class knows its members of groups, at most one of
//! each, so a group costs no more than its length. `Lin`, `Ite` and symbols without arguments are leaves.

use crate::logic::{Op, TermId, Terms};
use crate::sat::Lit;
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, Hasher};

/// No node, no fact.
pub(crate) const NONE: u32 = u32::MAX;

/// Index of a node of the graph.
pub(crate) type Node = u32;

/// Why two nodes were merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The root of its tree in the proof forest.
    Root,
    /// An asserted literal.
    Literal(Lit),
    /// Two applications of one symbol with equal arguments.
    Congruence(Node, Node),
    /// Entry of the reachability theory that concludes an equality.
    Entry(u32),
}

/// Two nodes that are equal and must not be: the literal says so, or both are interpreted constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash {
    pub(crate) left: Node,
    pub(crate) right: Node,
    pub(crate) literal: Option<Lit>,
}

/// A disequality seen from one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Diseq {
    pub(crate) here: Node,
    pub(crate) there: Node,
    pub(crate) literal: Lit,
}

/// What a node takes in all tables.
const BYTES_PER_NODE: u64 = 230;

#[derive(Clone, Copy, Debug)]
struct NodeData {
    term: TermId,
    first_arg: u32,
    n_args: u32,
    root: Node,
    /// Next node of the class.
    next: Node,
    size: u32,
    /// The interpreted constant of the class (valid at roots).
    constant: Node,
    /// Edge of the proof forest.
    parent: Node,
    reason: Reason,
}

enum Undo {
    AddNode,
    Signature {
        node: Node,
        hash: u64,
    },
    Merge {
        loser: Node,
        winner: Node,
        from: Node,
        to: Node,
        n_parents: u32,
        n_diseqs: u32,
        n_memberships: u32,
        constant: Node,
    },
    Diseq {
        left: Node,
        right: Node,
    },
    Group,
}

/// A node that is in a group.
#[derive(Clone, Copy, Debug)]
struct Membership {
    group: u32,
    node: Node,
}

/// Nodes that must differ pairwise.
struct Group {
    nodes: Vec<Node>,
    literal: Lit,
}

/// The graph.
#[derive(Default)]
pub(crate) struct EGraph {
    nodes: Vec<NodeData>,
    args: Vec<Node>,
    /// At roots: applications with an argument in the class. Entries past `nodes.len()` are spare.
    parents: Vec<Vec<Node>>,
    /// At roots.
    diseqs: Vec<Vec<Diseq>>,
    /// At roots.
    memberships: Vec<Vec<Membership>>,
    groups: Vec<Group>,
    node_of: Vec<Node>,
    /// Applications with the hash of the signature they were entered under; a stale one must not move.
    signatures: hashbrown::HashTable<(Node, u64)>,
    pending: VecDeque<(Node, Node, Reason)>,
    /// Merges since the owner last looked: (absorbed root, surviving root).
    pub(crate) merged: Vec<(Node, Node)>,
    undo: Vec<Undo>,
    /// For each level the length of the undo log and the stamp at its start.
    levels: Vec<(usize, u64)>,
    /// Names the nodes and classes of this moment.
    stamp: u64,
    /// The newest stamp ever given.
    clock: u64,
    /// Bytes that may be added, if that is limited.
    room: Option<u64>,
    /// More would have been.
    overrun: bool,
}

impl EGraph {
    /// Names the nodes and classes of this moment: as long as it is the same, so are they. Going back brings
    /// the stamp of that time back.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    fn note_change(&mut self) {
        self.clock += 1;
        self.stamp = self.clock;
    }

    /// Number of nodes; nodes are numbered in the order of their addition.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    #[inline]
    pub(crate) fn root(&self, node: Node) -> Node {
        self.nodes[node as usize].root
    }

    #[inline]
    pub(crate) fn equal(&self, left: Node, right: Node) -> bool {
        self.root(left) == self.root(right)
    }

    #[inline]
    pub(crate) fn term(&self, node: Node) -> TermId {
        self.nodes[node as usize].term
    }

    /// The node of a term, if the term is in the graph.
    #[inline]
    pub(crate) fn node(&self, term: TermId) -> Option<Node> {
        match self.node_of.get(term.index()) {
            Some(&node) if node != NONE => Some(node),
            _ => None,
        }
    }

    pub(crate) fn args(&self, node: Node) -> &[Node] {
        let data = &self.nodes[node as usize];
        &self.args[data.first_arg as usize..(data.first_arg + data.n_args) as usize]
    }

    /// The interpreted constant in the class of a node.
    pub(crate) fn constant(&self, node: Node) -> Option<Node> {
        let constant = self.nodes[self.root(node) as usize].constant;
        (constant != NONE).then_some(constant)
    }

    /// The members of the class of a node, starting with the node.
    pub(crate) fn class(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = Some(node);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.nodes[here as usize].next;
            at = (next != node).then_some(next);
            Some(here)
        })
    }

    /// Applications that have an argument in the class of this root.
    pub(crate) fn parents(&self, root: Node) -> &[Node] {
        &self.parents[root as usize]
    }

    /// Sets how many bytes may be added to what is held now.
    pub(crate) fn set_room(&mut self, bytes: u64) {
        self.room = Some(bytes);
    }

    /// Whether there is no room for one more node. Tables double where they are full, and the old ones live
    /// until the new ones are filled.
    fn overruns(&mut self) -> bool {
        if let Some(room) = self.room
            && self.nodes.len() == self.nodes.capacity()
        {
            let growth = 3 * self.nodes.capacity() as u64 * BYTES_PER_NODE;
            self.overrun |= growth > room;
            self.room = Some(room.saturating_sub(growth));
        }
        self.overrun
    }

    /// Whether a term was not added for lack of room. From then on the graph means nothing and must go.
    pub(crate) fn is_overrun(&self) -> bool {
        self.overrun
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<NodeData>()
            // Most lists of a node are empty; one of parents is a few nodes on the heap.
            + self.parents.capacity() * 56
            + (self.diseqs.capacity() + self.memberships.capacity()) * 24
            + self.signatures.capacity() * 20
            + self.node_of.capacity() * 4
            + self.args.capacity() * 8
            + self.undo.capacity() * size_of::<Undo>()) as u64
    }

    // ---- levels

    pub(crate) fn push(&mut self) {
        debug_assert!(self.pending.is_empty(), "a level starts from a closed graph");
        self.levels.push((self.undo.len(), self.stamp));
    }

    /// Undoes everything since the matching push.
    pub(crate) fn pop(&mut self, n_levels: usize) {
        self.pending.clear();
        self.merged.clear();
        let keep = self.levels.len() - n_levels;
        let Some(&(target, stamp)) = self.levels.get(keep) else { return };
        self.stamp = stamp;
        self.levels.truncate(keep);
        while self.undo.len() > target {
            match self.undo.pop().expect("longer than the target") {
                Undo::AddNode => self.remove_last_node(),
                Undo::Signature { node, hash } => self.remove_signature(node, hash),
                Undo::Merge { loser, winner, from, to, n_parents, n_diseqs, n_memberships, constant } => {
                    self.unmerge(loser, winner);
                    self.memberships[winner as usize].truncate(n_memberships as usize);
                    self.parents[winner as usize].truncate(n_parents as usize);
                    self.diseqs[winner as usize].truncate(n_diseqs as usize);
                    self.nodes[winner as usize].constant = constant;
                    // Later merges may have turned the edge round.
                    let child = if self.nodes[from as usize].parent == to { from } else { to };
                    debug_assert!(
                        child == from || self.nodes[to as usize].parent == from,
                        "the edge is there"
                    );
                    self.nodes[child as usize].parent = NONE;
                    self.nodes[child as usize].reason = Reason::Root;
                }
                Undo::Diseq { left, right } => {
                    self.diseqs[left as usize].pop();
                    self.diseqs[right as usize].pop();
                }
                Undo::Group => {
                    let group = self.groups.pop().expect("a logged group is there");
                    for &node in &group.nodes {
                        let root = self.root(node);
                        self.memberships[root as usize].pop();
                    }
                }
            }
        }
    }

    fn remove_last_node(&mut self) {
        let data = self.nodes.pop().expect("an added node is there");
        let node = self.nodes.len() as Node;
        self.node_of[data.term.index()] = NONE;
        for i in 0..data.n_args {
            let root = self.root(self.args[(data.first_arg + i) as usize]);
            let popped = self.parents[root as usize].pop();
            debug_assert_eq!(popped, Some(node), "parents are removed in reverse order");
        }
        self.args.truncate(data.first_arg as usize);
        self.parents[node as usize].clear();
        self.diseqs[node as usize].clear();
        self.memberships[node as usize].clear();
    }

    fn remove_signature(&mut self, node: Node, hash: u64) {
        // One node may be entered under several hashes, and the table compares but a few bits of them.
        match self.signatures.find_entry(hash, |&entry| entry == (node, hash)) {
            Ok(entry) => {
                entry.remove();
            }
            Err(_) => unreachable!("a logged signature is in the table"),
        }
    }

    fn unmerge(&mut self, loser: Node, winner: Node) {
        let (a, b) = (self.nodes[loser as usize].next, self.nodes[winner as usize].next);
        self.nodes[loser as usize].next = b;
        self.nodes[winner as usize].next = a;
        self.nodes[winner as usize].size -= self.nodes[loser as usize].size;
        let mut at = loser;
        loop {
            self.nodes[at as usize].root = loser;
            at = self.nodes[at as usize].next;
            if at == loser {
                break;
            }
        }
    }

    // ---- nodes

    /// The node of a closed term, added with its subterms if it is new. Returns whether it was new.
    pub(crate) fn add(&mut self, terms: &Terms, term: TermId) -> (Node, bool) {
        if let Some(node) = self.node(term) {
            return (node, false);
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.node(top).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            // The summands of a sum are nodes too, though not its arguments.
            if matches!(terms.op(top), Op::App(_) | Op::Lin(_)) {
                for &child in terms.children(top) {
                    if self.node(child).is_none() {
                        stack.push(child);
                    }
                }
            }
            if stack.len() == before {
                stack.pop();
                if self.overruns() {
                    return (0, false);
                }
                self.add_one(terms, top);
            }
        }
        (self.node(term).expect("just added"), true)
    }

    fn add_one(&mut self, terms: &Terms, term: TermId) {
        let node = self.nodes.len() as Node;
        let first_arg = self.args.len() as u32;
        if matches!(terms.op(term), Op::App(_)) {
            for &child in terms.children(term) {
                let arg = self.node(child).expect("children come first");
                self.args.push(arg);
            }
        }
        let n_args = self.args.len() as u32 - first_arg;
        let is_constant = matches!(terms.op(term), Op::True | Op::False | Op::Num(_));
        self.nodes.push(NodeData {
            term,
            first_arg,
            n_args,
            root: node,
            next: node,
            size: 1,
            constant: if is_constant { node } else { NONE },
            parent: NONE,
            reason: Reason::Root,
        });
        if self.parents.len() < self.nodes.len() {
            self.parents.push(Vec::new());
            self.diseqs.push(Vec::new());
            self.memberships.push(Vec::new());
        }
        if self.node_of.len() <= term.index() {
            self.node_of.resize(terms.len().max(term.index() + 1), NONE);
        }
        self.node_of[term.index()] = node;
        for i in 0..n_args {
            let root = self.root(self.args[(first_arg + i) as usize]);
            self.parents[root as usize].push(node);
        }
        self.undo.push(Undo::AddNode);
        self.note_change();
        if n_args > 0 {
            self.update_signature(terms, node);
        }
    }

    fn signature_hash(&self, terms: &Terms, node: Node) -> u64 {
        let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
        terms.op(self.term(node)).hash(&mut hasher);
        for &arg in self.args(node) {
            self.root(arg).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn congruent(&self, terms: &Terms, left: Node, right: Node) -> bool {
        terms.op(self.term(left)) == terms.op(self.term(right))
            && self.args(left).iter().zip(self.args(right)).all(|(&a, &b)| self.equal(a, b))
    }

    /// Enters the present signature of an application, or queues the merge with a congruent one.
    fn update_signature(&mut self, terms: &Terms, node: Node) {
        let hash = self.signature_hash(terms, node);
        // The hashes are compared too: the table also offers stale entries of other hashes, and one of this
        // very node would look like a congruent node.
        match self.signatures.find(hash, |&(other, h)| h == hash && self.congruent(terms, node, other)) {
            Some(&(other, _)) => {
                if !self.equal(node, other) {
                    self.pending.push_back((node, other, Reason::Congruence(node, other)));
                }
            }
            None => {
                self.undo.push(Undo::Signature { node, hash });
                self.signatures.insert_unique(hash, (node, hash), |&(_, hash)| hash);
            }
        }
    }

    /// The application of a unary symbol to (a member of the class of) a node.
    pub(crate) fn application(&self, terms: &Terms, op: Op, arg: Node) -> Option<Node> {
        let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
        op.hash(&mut hasher);
        self.root(arg).hash(&mut hasher);
        let hash = hasher.finish();
        let found = self.signatures.find(hash, |&(n, h)| {
            h == hash
                && terms.op(self.term(n)) == op
                && self.equal(self.args(n)[0], arg)
                && self.args(n).len() == 1
        });
        found.map(|&(node, _)| node)
    }

    // ---- equalities

    /// Queues the equality of two nodes; [`EGraph::close`] carries it out.
    pub(crate) fn merge(&mut self, left: Node, right: Node, reason: Reason) {
        if !self.equal(left, right) {
            self.pending.push_back((left, right, reason));
        }
    }

    /// Two nodes must differ.
    pub(crate) fn separate(&mut self, left: Node, right: Node, literal: Lit) -> Result<(), Clash> {
        if self.equal(left, right) {
            return Err(Clash { left, right, literal: Some(literal) });
        }
        let (a, b) = (self.root(left), self.root(right));
        self.diseqs[a as usize].push(Diseq { here: left, there: right, literal });
        self.diseqs[b as usize].push(Diseq { here: right, there: left, literal });
        self.undo.push(Undo::Diseq { left: a, right: b });
        Ok(())
    }

    /// All these nodes must differ from each other.
    pub(crate) fn separate_all(&mut self, nodes: Vec<Node>, literal: Lit) -> Result<(), Clash> {
        let group = self.groups.len() as u32;
        let mut clash = None;
        for &node in &nodes {
            let memberships = &mut self.memberships[self.nodes[node as usize].root as usize];
            if let Some(twin) = memberships.last().filter(|m| m.group == group) {
                clash = clash.or(Some(Clash { left: twin.node, right: node, literal: Some(literal) }));
            }
            memberships.push(Membership { group, node });
        }
        self.groups.push(Group { nodes, literal });
        self.undo.push(Undo::Group);
        clash.map_or(Ok(()), Err)
    }

    /// The group that keeps two classes apart, as a disequality of its members.
    fn common_group(&self, a: Node, b: Node) -> Option<Diseq> {
        let (here, there) = (&self.memberships[a as usize], &self.memberships[b as usize]);
        here.iter().find_map(|m| {
            let other = there.iter().find(|o| o.group == m.group)?;
            let literal = self.groups[m.group as usize].literal;
            Some(Diseq { here: m.node, there: other.node, literal })
        })
    }

    /// The disequality that keeps two classes apart: `here` is in the class of `left`.
    pub(crate) fn separation(&self, left: Node, right: Node) -> Option<Diseq> {
        let (a, b) = (self.root(left), self.root(right));
        if let Some(found) = self.common_group(a, b) {
            return Some(found);
        }
        let (from, to, flip) = if self.diseqs[a as usize].len() <= self.diseqs[b as usize].len() {
            (a, b, false)
        } else {
            (b, a, true)
        };
        let found = self.diseqs[from as usize].iter().find(|d| self.root(d.there) == to)?;
        Some(if flip { Diseq { here: found.there, there: found.here, ..*found } } else { *found })
    }

    /// Whether no merge is queued.
    pub(crate) fn is_closed(&self) -> bool {
        self.pending.is_empty()
    }

    /// Carries out all queued merges and their congruences.
    pub(crate) fn close(&mut self, terms: &Terms) -> Result<(), Clash> {
        while let Some((left, right, reason)) = self.pending.pop_front() {
            if !self.equal(left, right)
                && let Err(clash) = self.merge_now(terms, left, right, reason)
            {
                self.pending.clear();
                return Err(clash);
            }
        }
        Ok(())
    }

    fn merge_now(&mut self, terms: &Terms, left: Node, right: Node, reason: Reason) -> Result<(), Clash> {
        let (mut from, mut to) = (left, right);
        if self.nodes[self.root(from) as usize].size > self.nodes[self.root(to) as usize].size {
            std::mem::swap(&mut from, &mut to);
        }
        let (loser, winner) = (self.root(from), self.root(to));
        self.reroot(from);
        self.nodes[from as usize].parent = to;
        self.nodes[from as usize].reason = reason;
        let constant = self.nodes[winner as usize].constant;
        self.undo.push(Undo::Merge {
            loser,
            winner,
            from,
            to,
            n_parents: self.parents[winner as usize].len() as u32,
            n_diseqs: self.diseqs[winner as usize].len() as u32,
            n_memberships: self.memberships[winner as usize].len() as u32,
            constant,
        });
        let clash = self.find_clash(loser, winner);
        let mut at = loser;
        loop {
            self.nodes[at as usize].root = winner;
            at = self.nodes[at as usize].next;
            if at == loser {
                break;
            }
        }
        let (a, b) = (self.nodes[loser as usize].next, self.nodes[winner as usize].next);
        self.nodes[loser as usize].next = b;
        self.nodes[winner as usize].next = a;
        self.nodes[winner as usize].size += self.nodes[loser as usize].size;
        if constant == NONE {
            self.nodes[winner as usize].constant = self.nodes[loser as usize].constant;
        }
        self.merged.push((loser, winner));
        self.note_change();
        if let Some(clash) = clash {
            return Err(clash);
        }
        let moved = std::mem::take(&mut self.parents[loser as usize]);
        for &parent in &moved {
            self.update_signature(terms, parent);
        }
        self.parents[winner as usize].extend_from_slice(&moved);
        self.parents[loser as usize] = moved;
        let moved = std::mem::take(&mut self.diseqs[loser as usize]);
        self.diseqs[winner as usize].extend_from_slice(&moved);
        self.diseqs[loser as usize] = moved;
        let moved = std::mem::take(&mut self.memberships[loser as usize]);
        self.memberships[winner as usize].extend_from_slice(&moved);
        self.memberships[loser as usize] = moved;
        Ok(())
    }

    fn find_clash(&self, loser: Node, winner: Node) -> Option<Clash> {
        let (a, b) = (self.nodes[loser as usize].constant, self.nodes[winner as usize].constant);
        if a != NONE && b != NONE {
            return Some(Clash { left: a, right: b, literal: None });
        }
        let found = self.separation(loser, winner)?;
        Some(Clash { left: found.here, right: found.there, literal: Some(found.literal) })
    }

    /// Makes `node` the root of its tree in the proof forest.
    fn reroot(&mut self, node: Node) {
        let (mut child, mut parent, mut reason) = (node, NONE, Reason::Root);
        loop {
            let data = &mut self.nodes[child as usize];
            let (next, next_reason) = (data.parent, data.reason);
            data.parent = parent;
            data.reason = reason;
            if next == NONE {
                return;
            }
            (parent, reason, child) = (child, next_reason, next);
        }
    }

    /// Calls `visit` with (child node, reason) for every edge on the path between two equal nodes.
    pub(crate) fn path(
        &self,
        left: Node,
        right: Node,
        marks: &mut Marks,
        mut visit: impl FnMut(Node, Reason),
    ) {
        if left == right {
            return;
        }
        marks.start(self.nodes.len());
        let mut at = left;
        while at != NONE {
            marks.set(at);
            at = self.nodes[at as usize].parent;
        }
        let mut meet = right;
        while !marks.has(meet) {
            meet = self.nodes[meet as usize].parent;
            debug_assert!(meet != NONE, "equal nodes are in one tree");
        }
        for start in [left, right] {
            let mut at = start;
            while at != meet {
                let data = &self.nodes[at as usize];
                visit(at, data.reason);
                at = data.parent;
            }
        }
    }

    /// Every class has one root, every parent list and signature is current. For debug assertions.
    pub(crate) fn check_congruence(&self, terms: &Terms) -> bool {
        (0..self.len()).all(|n| {
            let root_ok = self.root(self.root(n)) == self.root(n);
            let no_rival = (0..n).all(|m| {
                self.args(n).is_empty()
                    || self.args(n).len() != self.args(m).len()
                    || !self.congruent(terms, n, m)
                    || self.equal(n, m)
            });
            root_ok && no_rival
        })
    }
}

/// A reusable set of nodes, cleared in constant time.
#[derive(Default)]
pub(crate) struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    /// Empties the set and makes room for `n` members.
    pub(crate) fn start(&mut self, n: usize) {
        if self.stamps.len() < n {
            self.stamps.resize(n, 0);
        }
        self.now += 1;
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    /// Adds a member; whether it was new.
    pub(crate) fn set(&mut self, member: u32) -> bool {
        let fresh = self.stamps[member as usize] != self.now;
        self.stamps[member as usize] = self.now;
        fresh
    }

    /// Whether it is a member.
    pub(crate) fn has(&self, member: u32) -> bool {
        self.stamps[member as usize] == self.now
    }
}
