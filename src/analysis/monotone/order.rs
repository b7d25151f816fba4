//! The ordering of signatures: `a` is below `b` if every heap above `b` is above `a`.
//!
//! `a ⊑ b` holds if the cells of `a` map injectively to cells of `b` so that labels agree, each coloured edge
//! becomes a path of its colour and each decoloured edge any path; interiors of paths are pairwise disjoint
//! and contain no image of a cell; two edges of one cell begin with different edges. A direct edge becomes a
//! single direct edge, an in-closed cell an in-closed cell with as many in-edges. This equals the closure of
//! the paper's five ordering steps (the tests compare with it, literally).
//!
//! Backtracking over edges: labels first, then the edge whose source is placed and that leaves least choice. A
//! [`Profile`] is a vector of monotone features that rejects most pairs before.

use super::signature::{MAX_CELLS, MAX_COLOURS, MAX_VARS, Node, Signature, mix};

/// Slot of an out-edge: colours, then decoloured edges.
const SLOTS: usize = 2 * MAX_COLOURS;
const LOOSE: u8 = MAX_COLOURS as u8;
const MAX_EDGES: usize = MAX_CELLS * MAX_COLOURS;

/// Whether `a ⊑ b`.
pub fn below(a: &Signature, b: &Signature) -> bool {
    below_within(a, b, u64::MAX).0
}

/// Whether `a ⊑ b` is found within so many steps of the backtracking, and the steps it took.
pub fn below_within(a: &Signature, b: &Signature, steps: u64) -> (bool, u64) {
    if a.len() > b.len() {
        return (false, 0);
    }
    let mut search = Embedding {
        left: steps,
        a,
        b,
        image: [Node::ABSENT; MAX_CELLS],
        used: 0,
        begun: [0; MAX_CELLS],
        edges: [Edge { from: 0, kind: 0, to: Node::ABSENT }; MAX_EDGES],
        count: 0,
        done: 0,
    };
    let found = search.place_labels() && {
        search.list_edges();
        search.solve()
    };
    (found, steps - search.left)
}

#[derive(Clone, Copy)]
struct Edge {
    from: u8,
    /// A colour, or [`LOOSE`].
    kind: u8,
    to: Node,
}

struct Embedding<'a> {
    /// Steps that are left; without any, nothing more is found.
    left: u64,
    a: &'a Signature,
    b: &'a Signature,
    image: [Node; MAX_CELLS],
    /// Cells of `b` that are images or inside a path.
    used: u16,
    /// Per cell of `b` the slots by which paths begin.
    begun: [u8; MAX_CELLS],
    edges: [Edge; MAX_EDGES],
    count: usize,
    done: u64,
}

impl Embedding<'_> {
    fn place_labels(&mut self) -> bool {
        for v in 0..MAX_VARS {
            let (here, there) = (self.a.labels[v], self.b.labels[v]);
            if !here.is_known() {
                continue;
            }
            if !here.is_cell() || !there.is_cell() {
                if here != there {
                    return false;
                }
                continue;
            }
            let image = self.image[here.index()];
            if image == there {
                continue;
            }
            if image.is_known() || self.is_used(there) {
                return false;
            }
            self.map(here, there);
        }
        true
    }

    fn list_edges(&mut self) {
        for i in 0..self.a.len() {
            for (colour, to) in self.a.cells[i].coloured.into_iter().enumerate() {
                if to.is_known() {
                    self.edges[self.count] = Edge { from: i as u8, kind: colour as u8, to };
                    self.count += 1;
                }
            }
            for to in self.a.cells[i].loose() {
                self.edges[self.count] = Edge { from: i as u8, kind: LOOSE, to };
                self.count += 1;
            }
        }
    }

    fn is_used(&self, cell: Node) -> bool {
        self.used & (1 << cell.0) != 0
    }

    fn map(&mut self, cell: Node, image: Node) {
        self.image[cell.index()] = image;
        self.used |= 1 << image.0;
    }

    fn unmap(&mut self, cell: Node) {
        self.used &= !(1 << self.image[cell.index()].0);
        self.image[cell.index()] = Node::ABSENT;
    }

    fn open_edges(&self) -> impl Iterator<Item = usize> + use<> {
        let mut open = !self.done & ((1u64 << self.count) - 1);
        std::iter::from_fn(move || {
            let next = open.trailing_zeros() as usize;
            open &= open.wrapping_sub(1);
            (next < 64).then_some(next)
        })
    }

    /// Embeds what is left.
    fn solve(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut best = None;
        for e in self.open_edges() {
            let edge = self.edges[e];
            if !self.image[edge.from as usize].is_known() {
                continue;
            }
            let placed = !edge.to.is_cell() || self.image[edge.to.index()].is_known();
            let score = 1 + 4 * u8::from(edge.kind != LOOSE) + 2 * u8::from(placed);
            if best.is_none_or(|(s, _)| score > s) {
                best = Some((score, e));
            }
        }
        if let Some((_, e)) = best {
            let Edge { from, kind, to } = self.edges[e];
            self.done |= 1 << e;
            let source = self.image[from as usize];
            let direct = kind != LOOSE && self.a.cells[from as usize].is_direct(kind as usize);
            let found = if direct {
                self.step(source, kind as usize, to)
            } else {
                self.walk(source, source, kind, to)
            };
            self.done &= !(1 << e);
            return found;
        }
        match self.root() {
            Some(root) => self.guess(root),
            None => self.place_rest(),
        }
    }

    /// An unplaced cell with out-edges, best one that no open edge leads to.
    fn root(&self) -> Option<Node> {
        let mut best = None;
        for e in self.open_edges() {
            let from = Node(self.edges[e].from);
            let mut score = self.a.cells[from.index()].degree();
            let led_to = |f: usize| self.edges[f].to == from && self.edges[f].from != from.0;
            if !self.open_edges().any(led_to) {
                score += 10;
            }
            if best.is_none_or(|(s, _)| score > s) {
                best = Some((score, from));
            }
        }
        best.map(|(_, root)| root)
    }

    fn guess(&mut self, root: Node) -> bool {
        let cell = &self.a.cells[root.index()];
        for image in self.b.nodes() {
            let other = &self.b.cells[image.index()];
            let lacks = |c: usize| cell.coloured[c].is_known() && !other.coloured[c].is_known();
            if self.is_used(image) || other.degree() < cell.degree() || (0..MAX_COLOURS).any(lacks) {
                continue;
            }
            self.map(root, image);
            if self.solve() {
                return true;
            }
            self.unmap(root);
        }
        false
    }

    /// All edges are placed: in-degrees, and the cells without edges and labels.
    fn place_rest(&self) -> bool {
        let (mut open, mut closed) = (0, 0);
        for cell in self.a.nodes() {
            let image = self.image[cell.index()];
            if self.a.is_closed(cell) {
                if !image.is_known() {
                    closed += 1;
                } else if !self.b.is_closed(image) || self.a.in_degree(cell) != self.b.in_degree(image) {
                    return false;
                }
            } else if !image.is_known() {
                open += 1;
            }
        }
        let free = self.b.len() - self.used.count_ones() as usize;
        if closed > 0 {
            let fits = |c: &Node| !self.is_used(*c) && self.b.is_closed(*c) && self.b.in_degree(*c) == 0;
            if self.b.nodes().filter(fits).count() < closed {
                return false;
            }
        }
        open + closed <= free
    }

    /// A direct edge becomes a direct edge.
    fn step(&mut self, source: Node, colour: usize, to: Node) -> bool {
        let cell = &self.b.cells[source.index()];
        if !cell.is_direct(colour) || self.begun[source.index()] & (1 << colour) != 0 {
            return false;
        }
        let target = cell.coloured[colour];
        self.begun[source.index()] |= 1 << colour;
        let found = if !target.is_cell() || !to.is_cell() || self.image[to.index()].is_known() {
            let wanted = if to.is_cell() { self.image[to.index()] } else { to };
            wanted == target && self.solve()
        } else {
            !self.is_used(target) && self.arrive(to, target)
        };
        self.begun[source.index()] &= !(1 << colour);
        found
    }

    fn arrive(&mut self, to: Node, target: Node) -> bool {
        self.map(to, target);
        let found = self.solve();
        if !found {
            self.unmap(to);
        }
        found
    }

    /// Continues a path that began at `source` and is at `current`.
    fn walk(&mut self, source: Node, current: Node, kind: u8, to: Node) -> bool {
        let cell = self.b.cells[current.index()];
        if kind != LOOSE {
            return self.take(source, current, kind as usize, cell.coloured[kind as usize], kind, to);
        }
        (0..SLOTS).any(|slot| {
            let target =
                if slot < MAX_COLOURS { cell.coloured[slot] } else { cell.decoloured[slot - MAX_COLOURS] };
            self.take(source, current, slot, target, kind, to)
        })
    }

    fn take(&mut self, source: Node, current: Node, slot: usize, target: Node, kind: u8, to: Node) -> bool {
        if !target.is_known() {
            return false;
        }
        let first = current == source;
        if first {
            if self.begun[source.index()] & (1 << slot) != 0 {
                return false;
            }
            self.begun[source.index()] |= 1 << slot;
        }
        let found = self.reach(source, target, kind, to);
        if first {
            self.begun[source.index()] &= !(1 << slot);
        }
        found
    }

    /// The path has come to `target`: ends there, or goes through.
    fn reach(&mut self, source: Node, target: Node, kind: u8, to: Node) -> bool {
        if !target.is_cell() {
            return target == to && self.solve();
        }
        if self.is_used(target) {
            return to.is_cell() && self.image[to.index()] == target && self.solve();
        }
        if to.is_cell() && !self.image[to.index()].is_known() && self.arrive(to, target) {
            return true;
        }
        self.used |= 1 << target.0;
        let found = self.walk(source, target, kind, to);
        self.used &= !(1 << target.0);
        found
    }
}

/// Features that do not decrease along the ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Label kinds, and which variables' cells have which out-edges.
    labels: [u32; 7],
    /// Counts, one per byte, each below 128.
    counts: [u64; 2],
    /// Which variable reaches which by which word of colours, hashed to bits: equal facts set equal bits.
    paths: [u64; 4],
}

const HIGH: u64 = 0x8080_8080_8080_8080;

impl Profile {
    /// The features of a signature.
    pub fn of(s: &Signature) -> Profile {
        let n = s.len();
        let mut counts = [[0u8; 8]; 2];
        counts[0][0] = n as u8;
        let mut entering = [[0u8; MAX_COLOURS + 1]; MAX_CELLS];
        for cell in &s.cells[..n] {
            for (colour, t) in cell.coloured.iter().enumerate().filter(|(_, t)| t.is_cell()) {
                entering[t.index()][colour] += 1;
                entering[t.index()][MAX_COLOURS] += 1;
            }
            cell.loose().filter(|t| t.is_cell()).for_each(|t| entering[t.index()][MAX_COLOURS] += 1);
        }
        for (cell, entering) in s.cells[..n].iter().zip(&entering) {
            for t in cell.targets() {
                counts[0][3] += 1;
                counts[0][4] += u8::from(t == Node::NULL);
                counts[0][5] += u8::from(t == Node::DANGLING);
            }
            let [first, second, ..] = cell.coloured.map(Node::is_known);
            counts[0][1] += u8::from(first);
            counts[0][2] += u8::from(second);
            counts[0][6] += u8::from(cell.coloured[0] == Node::NULL);
            counts[0][7] += u8::from(cell.degree() >= 2);
            counts[1][0] += u8::from(entering[0] > 0 && second);
            counts[1][1] += u8::from(entering[1] > 0 && first);
            counts[1][2] += u8::from(entering[MAX_COLOURS] >= 2);
            counts[1][3] += u8::from(entering[0] >= 2);
            counts[1][4] += u8::from(entering[1] >= 2);
            counts[1][5] += u8::from(entering[0] > 0 && entering[1] > 0);
            counts[1][7] += u8::from(entering[MAX_COLOURS] > 0);
        }
        counts[1][6] = s.nodes().filter(|c| s.is_closed(*c)).count() as u8;
        let mut profile = Profile { labels: [0; 7], counts: counts.map(u64::from_le_bytes), paths: [0; 4] };
        for (v, label) in s.labels.iter().enumerate().filter(|(_, l)| l.is_known()) {
            let bit = 1u32 << v;
            let kind = if label.is_cell() { 0 } else { 1 + usize::from(*label == Node::DANGLING) };
            profile.labels[kind] |= bit;
            if label.is_cell() {
                let cell = &s.cells[label.index()];
                (0..2).filter(|c| cell.coloured[*c].is_known()).for_each(|c| profile.labels[3 + c] |= bit);
                if cell.degree() >= 2 {
                    profile.labels[5] |= bit;
                }
                if entering[label.index()][MAX_COLOURS] >= 2 {
                    profile.labels[6] |= bit;
                }
            }
        }
        profile.add_paths(s);
        profile
    }

    fn add_paths(&mut self, s: &Signature) {
        let mut names = [0u32; MAX_CELLS];
        for (v, label) in s.labels.iter().enumerate().filter(|(_, l)| l.is_cell()) {
            names[label.index()] |= 1 << v;
        }
        for (v, label) in s.labels.iter().enumerate().filter(|(_, l)| l.is_cell()) {
            let start = 1u16 << label.0;
            let [a, b, any] = [reached(s, start, 0), reached(s, start, 1), reached(s, start, MAX_COLOURS)];
            let words = [a, b, any, reached(s, a.0, 1), reached(s, b.0, 0)];
            for (word, (cells, ends)) in words.into_iter().enumerate() {
                let mut targets = u64::from(ends) << 32;
                (0..s.len()).filter(|i| cells & (1 << i) != 0).for_each(|i| targets |= u64::from(names[i]));
                while targets != 0 {
                    let target = u64::from(targets.trailing_zeros());
                    targets &= targets - 1;
                    let bit = mix(target + 64 * (word as u64 + 8 * v as u64)) as usize % 256;
                    self.paths[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
    }

    /// Whether a signature of this profile may be below one of the other.
    #[inline]
    pub fn may_be_below(&self, other: &Profile) -> bool {
        let fits = |a: u64, b: u64| (b | HIGH).wrapping_sub(a) & HIGH == HIGH;
        self.labels[0] & !other.labels[0] == 0
            && fits(self.counts[0], other.counts[0])
            && fits(self.counts[1], other.counts[1])
            && self.labels.iter().zip(&other.labels).all(|(a, b)| a & !b == 0)
            && self.paths.iter().zip(&other.paths).all(|(a, b)| a & !b == 0)
    }
}

/// The cells that one or more edges lead to, and whether null (bit 0) or dangling (bit 1) are led to; by edges of one colour, or any.
fn reached(s: &Signature, start: u16, colour: usize) -> (u16, u8) {
    let (mut seen, mut ends, mut front) = (0u16, 0u8, start);
    while front != 0 {
        let cell = &s.cells[front.trailing_zeros() as usize];
        front &= front - 1;
        let mut go = |t: Node| {
            if t == Node::NULL {
                ends |= 1;
            } else if t == Node::DANGLING {
                ends |= 2;
            } else if t.is_known() && seen & (1 << t.0) == 0 {
                seen |= 1 << t.0;
                front |= 1 << t.0;
            }
        };
        if colour < MAX_COLOURS { go(cell.coloured[colour]) } else { cell.targets().for_each(go) }
    }
    (seen, ends)
}
