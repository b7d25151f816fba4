//! Predecessors: which heaps can a command turn into one that satisfies a signature?
//!
//! The paper's rules as corrected by the errata that come with the benchmark (items E1 to E16), adapted to
//! the semantics of [`crate::program`]:
//!
//! - Dangling pointers may be copied and compared; two of them may be equal or different. Only accessing or
//!   freeing one fails.
//! - A new cell has arbitrary fields, and its address may have been in a pointer that was never initialised:
//!   what points to the new cell pointed to an unallocated one before.
//! - NOTE departing from the paper: a pointer that a command accesses is not placed unless its cell matters.
//!   Heaps in which it is no cell are bad at that location anyway, so their inclusion changes no answer.
//! - NOTE departing from the paper: when nothing is known of what a command writes (the loaded variable, the
//!   stored field), the value written is not placed. This is exact, and most of a search's work otherwise.
//!
//! Invariant, tested by enumeration: for a heap `h` on which the command does not fail, some predecessor is
//! below `h` if (always) and only if (but for loads through contracted paths, E13) some successor of `h` is
//! above the signature.

mod lifetime;

use super::signature::{Cell, MAX_COLOURS, Node, Signature};
use lifetime::{alloc, free};

/// Index of a variable among the labels.
pub type VarIx = u8;

/// A command of the abstract program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Passes if x is null.
    IsNull(VarIx),
    /// Passes if x is not null.
    NotNull(VarIx),
    /// Passes if x = y.
    Same(VarIx, VarIx),
    /// Passes if x ≠ y.
    Differ(VarIx, VarIx),
    /// x takes any value.
    Havoc(VarIx),
    /// `x = null`
    SetNull(VarIx),
    /// `x = y`
    Copy(VarIx, VarIx),
    /// `x = y.colour`
    Load {
        /// Assigned.
        to: VarIx,
        /// Accessed.
        from: VarIx,
        /// Field.
        colour: u8,
    },
    /// `x.colour = y`, or null
    Store {
        /// Accessed.
        to: VarIx,
        /// Field.
        colour: u8,
        /// Stored; `None`: null.
        value: Option<VarIx>,
    },
    /// `x = malloc()`; `zeroed`: all fields are null.
    Alloc {
        /// Assigned.
        to: VarIx,
        /// All fields are null.
        zeroed: bool,
    },
    /// `free(x)`, x not null.
    Free(VarIx),
}

impl Op {
    /// The variable it assigns.
    pub fn assigned(self) -> Option<VarIx> {
        match self {
            Op::Havoc(x) | Op::SetNull(x) | Op::Copy(x, _) => Some(x),
            Op::Load { to, .. } | Op::Alloc { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Whether it looks at the value of the variable.
    pub fn reads(self, x: VarIx) -> bool {
        match self {
            Op::Skip | Op::Havoc(_) | Op::SetNull(_) | Op::Alloc { .. } => false,
            Op::IsNull(y) | Op::NotNull(y) | Op::Copy(_, y) | Op::Free(y) => x == y,
            Op::Same(y, z) | Op::Differ(y, z) => x == y || x == z,
            Op::Load { from, .. } => x == from,
            Op::Store { to, value, .. } => x == to || value == Some(x),
        }
    }

    /// Whether it changes the heap.
    pub fn writes(self) -> bool {
        matches!(self, Op::Store { .. } | Op::Alloc { .. } | Op::Free(_))
    }

    /// The variable that it accesses: it fails if that is no cell.
    pub fn accessed(self) -> Option<VarIx> {
        match self {
            Op::Load { from, .. } => Some(from),
            Op::Store { to, .. } => Some(to),
            Op::Free(x) => Some(x),
            _ => None,
        }
    }
}

/// How predecessors are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Link fields of the program.
    pub colours: usize,
    /// Mark edges that are known to be one step (E14).
    pub direct: bool,
}

/// Where a variable may be placed.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    cell: bool,
    null: bool,
    dangling: bool,
}

/// On a cell.
pub(super) const CELLS: Kinds = Kinds { cell: true, null: false, dangling: false };
/// On a cell, null, or dangling.
pub(super) const ANYWHERE: Kinds = Kinds { cell: true, null: true, dangling: true };
const NOT_NULL: Kinds = Kinds { cell: true, null: false, dangling: true };

/// Cells that a predecessor may have more than the signature.
pub fn growth(s: &Signature) -> usize {
    2 + s.cells[..s.len()].iter().map(|c| c.loose().count()).max().unwrap_or(0).max(2)
}

/// Appends the predecessors of a signature; it must have [`growth`] cells of room.
pub fn predecessors(op: Op, s: &Signature, rules: &Rules, out: &mut Vec<Signature>) {
    let label = |x: VarIx| s.labels[x as usize];
    match op {
        Op::Skip => out.push(*s),
        Op::IsNull(x) => out.extend(bind(s, Some(x), Node::NULL)),
        Op::NotNull(x) => place(s, x, NOT_NULL, out),
        Op::Same(x, y) => same(s, x, y, out),
        Op::Differ(x, y) => differ(s, x, y, out),
        Op::Havoc(x) => out.push(without(s, x)),
        Op::SetNull(x) => {
            if !label(x).is_known() || label(x) == Node::NULL {
                out.push(without(s, x));
            }
        }
        Op::Copy(x, y) => {
            if x == y || !label(x).is_known() {
                out.push(*s);
            } else if let Some(t) = bind(&without(s, x), Some(y), label(x)) {
                out.push(t);
            }
        }
        Op::Load { to, from, colour } => load(s, to, from, colour as usize, rules, out),
        Op::Store { to, colour, value } => store(s, to, colour as usize, value, rules, out),
        Op::Alloc { to, zeroed } => alloc(s, to, zeroed, out),
        Op::Free(x) => free(s, x, rules, out),
    }
}

fn without(s: &Signature, x: VarIx) -> Signature {
    let mut t = *s;
    t.labels[x as usize] = Node::ABSENT;
    t
}

fn with(s: &Signature, x: VarIx, node: Node) -> Signature {
    let mut t = *s;
    t.labels[x as usize] = node;
    t
}

/// The signature in which the variable (`None`: null) is at the node, if that can be.
fn bind(s: &Signature, x: Option<VarIx>, node: Node) -> Option<Signature> {
    let Some(x) = x else { return (node == Node::NULL).then_some(*s) };
    let label = s.labels[x as usize];
    if label == node {
        Some(*s)
    } else if label.is_known() {
        None
    } else {
        Some(with(s, x, node))
    }
}

/// All ways to know where x is: an existing cell, a new one, one inside an edge, null, dangling.
pub(super) fn place(s: &Signature, x: VarIx, kinds: Kinds, out: &mut Vec<Signature>) {
    let label = s.labels[x as usize];
    if label.is_known() {
        let allowed = match label {
            Node::NULL => kinds.null,
            Node::DANGLING => kinds.dangling,
            _ => kinds.cell,
        };
        if allowed {
            out.push(*s);
        }
        return;
    }
    if kinds.null {
        out.push(with(s, x, Node::NULL));
    }
    if kinds.dangling {
        out.push(with(s, x, Node::DANGLING));
    }
    if kinds.cell {
        out.extend(s.nodes().map(|m| with(s, x, m)));
        let mut t = *s;
        t.labels[x as usize] = t.add_cell();
        out.push(t);
        for m in s.nodes() {
            (0..MAX_COLOURS).for_each(|c| out.extend(inside(s, m, c, x)));
            distinct_loose(&s.cells[m.index()]).for_each(|t| out.push(inside_loose(s, m, t, x)));
        }
    }
}

/// x on a new cell inside the edge of this colour, if it stands for a path.
fn inside(s: &Signature, m: Node, colour: usize, x: VarIx) -> Option<Signature> {
    let cell = &s.cells[m.index()];
    let target = cell.coloured[colour];
    if !target.is_known() || cell.is_direct(colour) {
        return None;
    }
    let mut t = *s;
    let new = t.add_cell();
    t.cells[m.index()].set(colour, new, false);
    t.cells[new.index()].set(colour, target, false);
    Some(with(&t, x, new))
}

/// x on a new cell inside a decoloured edge.
fn inside_loose(s: &Signature, m: Node, target: Node, x: VarIx) -> Signature {
    let mut t = *s;
    let new = t.add_cell();
    t.cells[m.index()].remove_loose(target);
    t.cells[m.index()].add_loose(new);
    t.cells[new.index()].add_loose(target);
    with(&t, x, new)
}

fn distinct_loose(cell: &Cell) -> impl Iterator<Item = Node> + '_ {
    let mut last = Node::ABSENT;
    cell.loose().filter(move |t| std::mem::replace(&mut last, *t) != *t)
}

fn same(s: &Signature, x: VarIx, y: VarIx, out: &mut Vec<Signature>) {
    let (at_x, at_y) = (s.labels[x as usize], s.labels[y as usize]);
    if x == y {
        out.push(*s);
    } else if at_x.is_known() {
        out.extend(bind(s, Some(y), at_x));
    } else if at_y.is_known() {
        out.push(with(s, x, at_y));
    } else {
        let mut placed = Vec::new();
        place(s, x, ANYWHERE, &mut placed);
        out.extend(placed.iter().map(|t| with(t, y, t.labels[x as usize])));
    }
}

fn differ(s: &Signature, x: VarIx, y: VarIx, out: &mut Vec<Signature>) {
    if x == y {
        return;
    }
    let mut placed = Vec::new();
    place(s, x, ANYWHERE, &mut placed);
    for t in &placed {
        let start = out.len();
        place(t, y, ANYWHERE, out);
        let mut at = start;
        while at < out.len() {
            let (a, b) = (out[at].labels[x as usize], out[at].labels[y as usize]);
            if a == b && a != Node::DANGLING {
                out.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }
}

/// Makes an edge present; the last case is redundant where the second applies (E15).
pub(super) fn edge(
    s: &Signature,
    m: Node,
    colour: usize,
    target: Node,
    rules: &Rules,
    direct: bool,
) -> Option<Signature> {
    let cell = &s.cells[m.index()];
    let mut t = *s;
    let changed = &mut t.cells[m.index()];
    if cell.coloured[colour].is_known() {
        if cell.coloured[colour] != target {
            return None;
        }
        let direct = direct || cell.is_direct(colour);
        changed.set(colour, target, direct);
    } else if cell.loose().any(|l| l == target) {
        changed.remove_loose(target);
        changed.set(colour, target, direct);
    } else if cell.degree() < rules.colours && !s.is_closed(target) {
        changed.set(colour, target, direct);
    } else {
        return None;
    }
    Some(t)
}

fn load(s: &Signature, x: VarIx, y: VarIx, colour: usize, rules: &Rules, out: &mut Vec<Signature>) {
    let value = s.labels[x as usize];
    if !value.is_known() {
        let accessed = s.labels[y as usize];
        if accessed.is_cell() || !accessed.is_known() {
            out.push(*s);
        }
        return;
    }
    let mut placed = Vec::new();
    place(&without(s, x), y, CELLS, &mut placed);
    for t in &placed {
        out.extend(edge(t, t.labels[y as usize], colour, value, rules, rules.direct));
    }
}

fn store(s: &Signature, x: VarIx, colour: usize, y: Option<VarIx>, rules: &Rules, out: &mut Vec<Signature>) {
    let mut placed = Vec::new();
    place(s, x, CELLS, &mut placed);
    let mut bases = Vec::new();
    for t in &placed {
        bases.clear();
        let m = t.labels[x as usize];
        before_store(t, m, colour, y, rules, &mut bases);
        for base in &bases {
            let start = out.len();
            split_loose(base, m, colour, rules, out);
            if s.has_closed() {
                // What was overwritten may have been an in-edge of an in-closed cell.
                for i in start..out.len() {
                    with_edge_to_closed(out[i], m, colour, out);
                }
            }
        }
    }
}

/// The signature without what the store has written: an edge of its colour, a decoloured one, or nothing shown.
fn before_store(
    t: &Signature,
    m: Node,
    colour: usize,
    y: Option<VarIx>,
    rules: &Rules,
    bases: &mut Vec<Signature>,
) {
    let cell = &t.cells[m.index()];
    let written = cell.coloured[colour];
    let unplaced = y.filter(|y| !t.labels[*y as usize].is_known());
    if written.is_known() {
        let between = unplaced.and_then(|y| inside(t, m, colour, y));
        for mut base in bind(t, y, written).into_iter().chain(between) {
            base.cells[m.index()].remove(colour);
            bases.push(base);
        }
        return;
    }
    for target in distinct_loose(cell) {
        if let Some(mut base) = bind(t, y, target) {
            base.cells[m.index()].remove_loose(target);
            bases.push(base);
        }
        if let Some(y) = unplaced {
            let mut base = inside_loose(t, m, target, y);
            let between = base.labels[y as usize];
            base.cells[m.index()].remove_loose(between);
            bases.push(base);
        }
    }
    if cell.degree() < rules.colours {
        match y {
            Some(y) if t.has_closed() => {
                let start = bases.len();
                place(t, y, ANYWHERE, bases);
                let kept: Vec<_> =
                    bases.drain(start..).filter(|b| !b.is_closed(b.labels[y as usize])).collect();
                bases.extend(kept);
            }
            _ => bases.push(*t),
        }
    }
}

/// Each decoloured edge of m begins with another colour than the overwritten one (E5).
fn split_loose(s: &Signature, m: Node, colour: usize, rules: &Rules, out: &mut Vec<Signature>) {
    let Some(target) = s.cells[m.index()].loose().next() else {
        out.push(*s);
        return;
    };
    for other in 0..rules.colours {
        if other == colour || s.cells[m.index()].coloured[other].is_known() {
            continue;
        }
        let mut t = *s;
        t.cells[m.index()].remove_loose(target);
        let mut through = t;
        t.cells[m.index()].set(other, target, rules.direct);
        split_loose(&t, m, colour, rules, out);
        let new = through.add_cell();
        through.cells[m.index()].set(other, new, rules.direct);
        through.cells[new.index()].add_loose(target);
        split_loose(&through, m, colour, rules, out);
    }
}

/// For each in-closed cell: the signature in which the field of m points to it.
fn with_edge_to_closed(s: Signature, m: Node, colour: usize, out: &mut Vec<Signature>) {
    for closed in s.nodes().filter(|c| s.is_closed(*c)) {
        let mut t = s;
        t.cells[m.index()].set(colour, closed, true);
        out.push(t);
    }
}
