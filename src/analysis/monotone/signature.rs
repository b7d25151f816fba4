//! Signatures: partial heaps, each standing for all heaps that contain it.
//!
//! After section 4 of the paper on monotonic abstraction for multiply-linked structures. A signature has a few
//! *cells*; per cell at most one *coloured* edge per link field and some *decoloured* edges (a path whose
//! fields are not known); and a *label* per variable: a cell, null, dangling, or nothing known. An edge
//! stands for a path of one or more steps.
//!
//! Two extensions, bits of the same representation: a *direct* edge is exactly one step; all in-edges of an
//! *in-closed* cell are shown.
//!
//! A signature is a small `Copy` value, because a search makes millions of them. What does not fit is the
//! caller's to refuse: [`Signature::room`] tells how many cells can still be added.

/// Cells of one signature.
pub const MAX_CELLS: usize = 16;
/// Variables of one program.
pub const MAX_VARS: usize = 24;
/// Link fields of one program.
pub const MAX_COLOURS: usize = 3;

/// What an edge or a label points to: a cell, null, a cell that is not allocated, or nothing known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub u8);

impl Node {
    /// Null.
    pub const NULL: Node = Node(0xFD);
    /// Not allocated: freed, or never allocated.
    pub const DANGLING: Node = Node(0xFE);
    /// Nothing known, or no edge.
    pub const ABSENT: Node = Node(0xFF);

    /// The cell of this number.
    pub fn cell(i: usize) -> Node {
        debug_assert!(i < MAX_CELLS, "a cell's number is below the capacity");
        Node(i as u8)
    }

    /// Whether it is a cell.
    #[inline]
    pub fn is_cell(self) -> bool {
        (self.0 as usize) < MAX_CELLS
    }

    /// Whether something is known.
    #[inline]
    pub fn is_known(self) -> bool {
        self != Node::ABSENT
    }

    /// The cell's number.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The out-edges of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Target per colour.
    pub coloured: [Node; MAX_COLOURS],
    /// Targets of decoloured edges, ascending; the absent ones come last.
    pub decoloured: [Node; MAX_COLOURS],
    /// Colours whose edge is direct, as bits.
    direct: u8,
}

impl Cell {
    /// No edges.
    pub const BARE: Cell =
        Cell { coloured: [Node::ABSENT; MAX_COLOURS], decoloured: [Node::ABSENT; MAX_COLOURS], direct: 0 };

    /// Number of out-edges.
    #[inline]
    pub fn degree(&self) -> usize {
        self.targets().count()
    }

    /// Targets of all out-edges.
    #[inline]
    pub fn targets(&self) -> impl Iterator<Item = Node> + '_ {
        self.coloured.iter().chain(&self.decoloured).copied().filter(|t| t.is_known())
    }

    /// Targets of decoloured edges.
    #[inline]
    pub fn loose(&self) -> impl Iterator<Item = Node> + '_ {
        self.decoloured.iter().copied().filter(|t| t.is_known())
    }

    /// Whether the edge of this colour is direct.
    #[inline]
    pub fn is_direct(&self, colour: usize) -> bool {
        self.direct & (1 << colour) != 0
    }

    /// Whether some edge is direct.
    #[cfg(feature = "testing")]
    #[inline]
    pub fn has_direct(&self) -> bool {
        self.direct != 0
    }

    /// Sets the edge of a colour.
    pub fn set(&mut self, colour: usize, target: Node, direct: bool) {
        self.coloured[colour] = target;
        if direct && target.is_known() {
            self.direct |= 1 << colour;
        } else {
            self.direct &= !(1 << colour);
        }
    }

    /// Removes the edge of a colour.
    pub fn remove(&mut self, colour: usize) {
        self.set(colour, Node::ABSENT, false);
    }

    /// Adds a decoloured edge; the caller knows that there is room.
    pub fn add_loose(&mut self, target: Node) {
        debug_assert!(!self.decoloured[MAX_COLOURS - 1].is_known(), "at most one out-edge per colour");
        self.decoloured[MAX_COLOURS - 1] = target;
        self.decoloured.sort_unstable();
    }

    /// Removes one decoloured edge to the target, which exists.
    pub fn remove_loose(&mut self, target: Node) {
        let at = self.decoloured.iter().position(|t| *t == target);
        debug_assert!(at.is_some(), "only an edge that is there is removed");
        if let Some(at) = at {
            self.decoloured[at] = Node::ABSENT;
            self.decoloured.sort_unstable();
        }
    }

    fn forget_direct(&mut self) {
        self.direct = 0;
    }

    fn map(&mut self, mut f: impl FnMut(Node) -> Node) {
        for c in 0..MAX_COLOURS {
            let target = f(self.coloured[c]);
            self.set(c, target, self.is_direct(c));
        }
        for t in &mut self.decoloured {
            *t = f(*t);
        }
        self.decoloured.sort_unstable();
    }
}

/// A partial heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    len: u8,
    closed: u16,
    /// By variable.
    pub labels: [Node; MAX_VARS],
    /// The first [`Signature::len`] are in use, the others bare.
    pub cells: [Cell; MAX_CELLS],
}

impl Signature {
    /// Every heap satisfies it.
    pub const EMPTY: Signature =
        Signature { len: 0, closed: 0, labels: [Node::ABSENT; MAX_VARS], cells: [Cell::BARE; MAX_CELLS] };

    /// Number of cells.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether it has no cells; labels it may have.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Cells that can still be added.
    pub fn room(&self) -> usize {
        MAX_CELLS - self.len()
    }

    /// Adds a bare cell; there must be room.
    pub fn add_cell(&mut self) -> Node {
        let cell = Node::cell(self.len());
        self.len += 1;
        cell
    }

    /// Whether all in-edges of the cell are shown.
    #[inline]
    pub fn is_closed(&self, node: Node) -> bool {
        node.is_cell() && self.closed & (1 << node.0) != 0
    }

    /// Whether some cell is in-closed.
    #[inline]
    pub fn has_closed(&self) -> bool {
        self.closed != 0
    }

    /// Whether a label or an edge is at the dangling node.
    pub fn shows_dangling(&self) -> bool {
        let cells = &self.cells[..self.len()];
        self.labels.contains(&Node::DANGLING)
            || cells.iter().flat_map(Cell::targets).any(|t| t == Node::DANGLING)
    }

    /// Marks or unmarks a cell as in-closed.
    pub fn set_closed(&mut self, cell: Node, closed: bool) {
        if closed {
            self.closed |= 1 << cell.0;
        } else {
            self.closed &= !(1 << cell.0);
        }
    }

    /// Marks everything that holds in a whole heap: each edge is one step, each in-edge is shown.
    pub fn make_total(&mut self) {
        for i in 0..self.len() {
            self.set_closed(Node::cell(i), true);
            for c in 0..MAX_COLOURS {
                let target = self.cells[i].coloured[c];
                self.cells[i].set(c, target, true);
            }
        }
    }

    /// Every edge stands for a path again.
    pub fn forget_direct(&mut self) {
        self.cells.iter_mut().for_each(Cell::forget_direct);
    }

    /// Every edge stands for a path again, but for those of cells that a variable labels.
    pub fn forget_direct_of_unlabelled(&mut self) {
        for node in self.nodes() {
            if !self.is_labelled(node) {
                self.cells[node.0 as usize].forget_direct();
            }
        }
    }

    /// Every edge stands for a path again, but for those into in-closed cells.
    pub fn forget_direct_to_open(&mut self) {
        let closed = self.closed;
        for cell in &mut self.cells {
            let keeps = |c: usize| cell.coloured[c].is_cell() && closed & (1 << cell.coloured[c].0) != 0;
            let mask = (0..MAX_COLOURS).filter(|c| keeps(*c)).fold(0u8, |m, c| m | 1 << c);
            cell.direct &= mask;
        }
    }

    /// The in-use cells.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.len).map(Node)
    }

    /// Number of shown edges into a node.
    pub fn in_degree(&self, node: Node) -> usize {
        self.cells[..self.len()].iter().flat_map(Cell::targets).filter(|t| *t == node).count()
    }

    /// Whether a variable labels the node.
    pub fn is_labelled(&self, node: Node) -> bool {
        self.labels.contains(&node)
    }

    /// Cells, edges and labels: the order in which a search takes signatures.
    pub fn size(&self) -> usize {
        let edges: usize = self.cells[..self.len()].iter().map(Cell::degree).sum();
        self.len() + edges + self.labels.iter().filter(|l| l.is_known()).count()
    }

    /// Removes a cell with its out-edges; what pointed to it points to `instead`.
    pub fn remove_cell(&mut self, cell: Node, instead: Node) {
        let last = Node(self.len - 1);
        let last_closed = self.is_closed(last);
        self.set_closed(last, false);
        self.set_closed(cell, last_closed && last != cell);
        self.cells[cell.index()] = self.cells[last.index()];
        self.cells[last.index()] = Cell::BARE;
        self.len -= 1;
        let moved = |t: Node| {
            if t == cell {
                instead
            } else if t == last {
                cell
            } else {
                t
            }
        };
        let len = self.len();
        self.cells[..len].iter_mut().for_each(|c| c.map(moved));
        self.labels.iter_mut().for_each(|l| *l = moved(*l));
    }

    /// The same with cell `i` as `to[i]`.
    fn renumbered(&self, to: &[u8; MAX_CELLS]) -> Signature {
        let moved = |t: Node| if t.is_cell() { Node(to[t.index()]) } else { t };
        let mut out = Signature { len: self.len, ..Signature::EMPTY };
        for node in self.nodes() {
            let mut cell = self.cells[node.index()];
            cell.map(moved);
            out.cells[moved(node).index()] = cell;
            if self.is_closed(node) {
                out.closed |= 1 << moved(node).0;
            }
        }
        for (v, label) in self.labels.iter().enumerate() {
            out.labels[v] = moved(*label);
        }
        out
    }

    /// The representative of all signatures that differ only in the numbering of cells.
    ///
    /// Cells are distinguished by what they look like and what their neighbours look like, to a fixpoint; the
    /// first tied class is split by singling out each member in turn, and the smallest result is taken. Cells
    /// without edges and labels are interchangeable and need no split.
    #[must_use]
    pub fn canonical(&self) -> Signature {
        let n = self.len();
        if n <= 1 {
            return *self;
        }
        let mut looks = [0u64; MAX_CELLS];
        for (i, look) in looks[..n].iter_mut().enumerate() {
            *look = mix(0x1234_5678 ^ (u64::from(self.closed >> i & 1) << 40));
        }
        for (v, label) in self.labels.iter().enumerate() {
            if label.is_cell() {
                let look = &mut looks[label.index()];
                *look = look.wrapping_add(mix(0x77 + v as u64));
            }
        }
        self.refine(&mut looks);
        let mut best = None;
        self.smallest(&looks, &mut best);
        best.unwrap_or(*self)
    }

    fn refine(&self, looks: &mut [u64; MAX_CELLS]) {
        let n = self.len();
        let mut classes = count_classes(&looks[..n]);
        while classes < n {
            let old = *looks;
            looks[..n].iter_mut().for_each(|l| *l = mix(*l));
            for i in 0..n {
                let mut link = |kind: u64, target: Node| {
                    if target.is_cell() {
                        looks[i] = looks[i].wrapping_add(mix(old[target.index()].wrapping_mul(3 + kind)));
                        let other = &mut looks[target.index()];
                        *other = other.wrapping_add(mix(old[i].wrapping_mul(101 + kind)));
                    } else {
                        looks[i] =
                            looks[i].wrapping_add(mix((0x9e37 + u64::from(target.0)).wrapping_mul(3 + kind)));
                    }
                };
                let cell = &self.cells[i];
                for c in 0..MAX_COLOURS {
                    if cell.coloured[c].is_known() {
                        link(c as u64 * 2 + u64::from(cell.is_direct(c)) * 1000, cell.coloured[c]);
                    }
                }
                cell.loose().for_each(|t| link(56, t));
            }
            let now = count_classes(&looks[..n]);
            if now == classes {
                break;
            }
            classes = now;
        }
    }

    fn smallest(&self, looks: &[u64; MAX_CELLS], best: &mut Option<Signature>) {
        let n = self.len();
        let mut order: [u8; MAX_CELLS] = std::array::from_fn(|i| i as u8);
        order[..n].sort_by_key(|i| looks[*i as usize]);
        let look = |at: usize| looks[order[at] as usize];
        let mut start = 0;
        while start < n {
            let end = (start..n).find(|i| look(*i) != look(start)).unwrap_or(n);
            let first = Node(order[start]);
            let alone = self.cells[first.index()].degree() == 0 && self.in_degree(first) == 0;
            if end - start > 1 && !alone {
                for &member in &order[start..end] {
                    let mut singled = *looks;
                    singled[member as usize] = mix(singled[member as usize] ^ 0xDEAD_BEEF);
                    self.refine(&mut singled);
                    self.smallest(&singled, best);
                }
                return;
            }
            start = end;
        }
        let mut to = [0u8; MAX_CELLS];
        for (at, &i) in order[..n].iter().enumerate() {
            to[i as usize] = at as u8;
        }
        let candidate = self.renumbered(&to);
        if best.as_ref().is_none_or(|b| candidate < *b) {
            *best = Some(candidate);
        }
    }
}

fn count_classes(looks: &[u64]) -> usize {
    let mut sorted = [0u64; MAX_CELLS];
    sorted[..looks.len()].copy_from_slice(looks);
    let sorted = &mut sorted[..looks.len()];
    sorted.sort_unstable();
    1 + sorted.windows(2).filter(|w| w[0] != w[1]).count()
}

/// Scrambles 64 bits (the finaliser of SplitMix64).
#[inline]
pub fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
