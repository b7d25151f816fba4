//! Which signatures can a heap be above whose lists are in order?
//!
//! The cells of `s` that certainly are *members* of a list are found from the root, and from variables that are
//! known to be on it: a link of a list from a member leads to a member, and a member of a level is a member
//! of the lists that contain it. Suppose a heap with such lists is above `s`. The images of members are on
//! their lists, and the *base*, the list that contains the others, orders them. In this order the root comes
//! first; an edge of a list from a member ends at the next member of that list among the images, because the path
//! has no image inside and leads forward along the list; a member whose edge ends in null is the last one of
//! its list; no such edge dangles; a variable on a list from another one does not come before it. If no order of the members does all this, then no such heap is above `s`.
//! (The converse holds as well, but for decoloured edges and in-closed cells, which are not looked at: take the
//! members in that order, each edge as one step, other cells anywhere.)
//! When too many orders have been tried, there may be one.
//! A cell that is not found to be a member may be one, but to let it be none only takes conditions away.

use super::Levels;
use crate::analysis::monotone::pre::VarIx;
use crate::analysis::monotone::signature::{MAX_CELLS, MAX_COLOURS, MAX_VARS, Node, Signature};
use std::cell::Cell;

/// `[v][w]`: the lists from `w` on which `v` is, as bits, if both are cells; with the root of the lists as `w`
/// the lists on which `v` is. None if nothing is known.
pub type Members = [[u8; MAX_VARS]; MAX_VARS];

/// Members placed before an order counts as found: many variables on one list could be put in many orders.
const MAX_PLACED: u32 = 20_000;

/// Nothing is known.
pub const NO_MEMBERS: Members = [[0; MAX_VARS]; MAX_VARS];

impl Levels {
    /// Where the lists begin.
    pub fn root(&self) -> VarIx {
        self.root
    }

    /// All of the lists, as bits.
    pub(super) fn all(&self) -> u8 {
        self.within.iter().fold(0, |m, w| m | w)
    }

    /// The lists that contain the one along a colour, itself among them; none if it is no such list.
    pub(super) fn within(&self, colour: u8) -> u8 {
        self.within[colour as usize]
    }

    /// Whether a heap with these lists may be above the signature, where variables are on lists as told; no is
    /// certain.
    pub fn admit(&self, s: &Signature, on_lists: &Members) -> bool {
        let mut members = [0u8; MAX_CELLS];
        for (label, lists) in s.labels.iter().zip(on_lists).filter(|(l, _)| l.is_cell()) {
            members[label.index()] |= lists[self.root as usize];
        }
        let first = s.labels[self.root as usize];
        if first.is_cell() {
            members[first.index()] = self.all();
        }
        if !self.spread(s, &mut members) {
            return false;
        }
        let mut last = [Node::ABSENT; MAX_COLOURS];
        let known =
            Known { s, members: &members, earlier: earlier(s, on_lists, &members), placed: Cell::new(0) };
        if first.is_cell() {
            return known.in_order(first, 0, &mut last);
        }
        let mut left = s.nodes().filter(|m| members[m.index()] != 0).peekable();
        left.peek().is_none() || left.any(|m| known.in_order(m, 0, &mut last))
    }

    /// Adds all that follows to the lists that cells certainly are on; no if one of them dangles.
    fn spread(&self, s: &Signature, members: &mut [u8; MAX_CELLS]) -> bool {
        let mut open: Vec<Node> = s.nodes().filter(|m| members[m.index()] != 0).collect();
        while let Some(m) = open.pop() {
            for (c, within) in self.within.iter().enumerate() {
                let target = s.cells[m.index()].coloured[c];
                if members[m.index()] & (1 << c) == 0 || !target.is_known() {
                    continue;
                }
                if target == Node::DANGLING {
                    return false;
                }
                if target.is_cell() && members[target.index()] | within != members[target.index()] {
                    members[target.index()] |= within;
                    open.push(target);
                }
            }
        }
        true
    }

    /// A small signature below one that is not admitted, itself not admitted: a reason. Its labels are the root
    /// and variables on lists.
    pub fn reason(&self, s: &Signature, on_lists: &Members) -> Signature {
        let mut core = *s;
        core.nodes().for_each(|m| core.set_closed(m, false));
        core.forget_direct();
        let mut smaller = true;
        while smaller {
            let found = simpler(&core).into_iter().find(|t| !self.admit(t, on_lists));
            smaller = found.is_some();
            core = found.unwrap_or(core);
        }
        core.canonical()
    }
}

/// Per member those that do not come after it, as bits.
fn earlier(s: &Signature, on_lists: &Members, members: &[u8; MAX_CELLS]) -> [u16; MAX_CELLS] {
    let mut out = [0u16; MAX_CELLS];
    let is_member = |n: Node| n.is_cell() && members[n.index()] != 0;
    for (v, later) in s.labels.iter().enumerate().filter(|(_, l)| is_member(**l)) {
        for (w, earlier) in s.labels.iter().enumerate().filter(|(_, l)| is_member(**l)) {
            if on_lists[v][w] != 0 && earlier != later {
                out[later.index()] |= 1 << earlier.0;
            }
        }
    }
    out
}

struct Known<'a> {
    s: &'a Signature,
    /// Per cell the lists that it certainly is on.
    members: &'a [u8; MAX_CELLS],
    earlier: [u16; MAX_CELLS],
    /// How often a member was placed.
    placed: Cell<u32>,
}

impl Known<'_> {
    /// Whether the members can be put in order, `next` after those already `placed`; `last` is the last one so
    /// far of each list.
    fn in_order(&self, next: Node, placed: u16, last: &mut [Node; MAX_COLOURS]) -> bool {
        self.placed.set(self.placed.get() + 1);
        if self.placed.get() > MAX_PLACED {
            return true;
        }
        let (s, before) = (self.s, *last);
        let mut fits = self.earlier[next.index()] & !placed == 0;
        for c in (0..MAX_COLOURS).filter(|c| self.members[next.index()] & (1 << c) != 0) {
            if before[c].is_cell() {
                let target = s.cells[before[c].index()].coloured[c];
                fits &= !target.is_known() || target == next;
            }
            last[c] = next;
        }
        let placed = placed | 1 << next.0;
        let is_left = |m: &Node| self.members[m.index()] != 0 && placed & (1 << m.0) == 0;
        let mut left = s.nodes().filter(is_left).peekable();
        let found = fits
            && match left.peek() {
                Some(_) => left.any(|m| self.in_order(m, placed, last)),
                // What the last ones still point to would come after them.
                None => (0..MAX_COLOURS)
                    .filter(|c| last[*c].is_cell())
                    .all(|c| !s.cells[last[c].index()].coloured[c].is_cell()),
            };
        *last = before;
        found
    }
}

/// The signatures right below: without a label, an edge or a bare cell, or with a path through one cell less.
fn simpler(s: &Signature) -> Vec<Signature> {
    let mut out = Vec::new();
    for v in (0..MAX_VARS).filter(|v| s.labels[*v].is_known()) {
        let mut t = *s;
        t.labels[v] = Node::ABSENT;
        out.push(t);
    }
    for m in s.nodes() {
        let cell = s.cells[m.index()];
        if cell.degree() == 0 && s.in_degree(m) == 0 && !s.is_labelled(m) {
            let mut t = *s;
            t.remove_cell(m, Node::ABSENT);
            return vec![t];
        }
        for target in cell.loose() {
            let mut t = *s;
            t.cells[m.index()].remove_loose(target);
            out.push(t);
        }
        for c in (0..MAX_COLOURS).filter(|c| cell.coloured[*c].is_known()) {
            let mut t = *s;
            t.cells[m.index()].remove(c);
            out.push(t);
            let through = cell.degree() == 1 && s.in_degree(m) == 1 && !s.is_labelled(m);
            let before = s.nodes().find(|b| *b != m && s.cells[b.index()].coloured[c] == m);
            if let (true, Some(before)) = (through, before) {
                let mut t = *s;
                t.cells[before.index()].set(c, cell.coloured[c], false);
                t.remove_cell(m, Node::ABSENT);
                out.push(t);
            }
        }
    }
    out
}
