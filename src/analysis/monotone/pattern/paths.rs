//! Paths of one colour, threaded through the cells that a signature shows.
//!
//! In a signature interiors of paths are disjoint, in a heap they need not be. So a path that is added may
//! also meet the inside of one that is there: of its own colour, then the two go on together from a cell that
//! is shown from now on; of another colour, then they may part and meet again any number of times, which
//! no finite set of signatures says. There the path is not followed beyond the second cell that they share, in
//! larger patterns the first, and the pattern is not exact.

use super::{Cases, Compiler, MAX_PATTERN_CELLS, Partial};
use crate::analysis::monotone::pre::{CELLS, edge};
use crate::analysis::monotone::signature::Node;

/// Cells of a pattern in which a path is followed beyond the first one that it shares with one of another
/// colour: the ways to go on multiply.
const MAX_CROSSED_CELLS: usize = 3;

impl Compiler<'_> {
    /// Whether a path of one colour leads from one node to another.
    pub(super) fn path(
        &self,
        p: Partial,
        colour: usize,
        from: Node,
        to: Node,
        plus: bool,
        truth: bool,
    ) -> Cases {
        if !from.is_known() || !to.is_known() || from == Node::DANGLING {
            return Ok(vec![p.inexact()]);
        }
        if !plus && from == to {
            return Ok(if truth { vec![p] } else { Vec::new() });
        }
        if from == Node::NULL {
            return Ok(if truth { Vec::new() } else { vec![p] });
        }
        let mut out = Vec::new();
        if truth {
            self.reach(&p, from, to, colour, 0, &[], &mut out);
        } else if to == Node::DANGLING {
            out.push(p.inexact());
        } else {
            self.miss(&p, from, to, colour, 0, &mut out);
        }
        Ok(out)
    }

    /// Threads a path of one or more steps from a cell to a node through cells not yet visited.
    #[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
    pub(super) fn reach(
        &self,
        p: &Partial,
        m: Node,
        to: Node,
        colour: usize,
        visited: u16,
        avoid: &[Node],
        out: &mut Vec<Partial>,
    ) {
        let visited = visited | 1 << m.0;
        for (p, next) in self.continuations(p, m, colour, &[to, Node::DANGLING]) {
            if next == to {
                out.push(p);
            } else if next == Node::DANGLING || !next.is_known() {
                // Beyond it fields of cells that are not allocated are followed, or nothing is.
                out.push(p.inexact());
            } else if next.is_cell() && visited & (1 << next.0) == 0 && !avoid.contains(&next) {
                self.reach(&p, next, to, colour, visited, avoid, out);
            }
        }
    }

    /// Threads the path from a cell so that it never meets a node.
    pub(super) fn miss(
        &self,
        p: &Partial,
        m: Node,
        to: Node,
        colour: usize,
        visited: u16,
        out: &mut Vec<Partial>,
    ) {
        let visited = visited | 1 << m.0;
        for (p, next) in self.continuations(p, m, colour, &[Node::NULL, Node::DANGLING]) {
            if next == to {
                continue;
            } else if next == Node::DANGLING || !next.is_known() {
                out.push(p.inexact());
            } else if next == Node::NULL || visited & (1 << next.0) != 0 {
                out.push(p);
            } else {
                self.miss(&p, next, to, colour, visited, out);
            }
        }
        if !p.sig.cells[m.index()].coloured[colour].is_known() {
            // A cycle among cells that are not shown.
            if p.sig.len() >= MAX_PATTERN_CELLS {
                out.push(p.inexact());
                return;
            }
            let mut sig = p.sig;
            let turn = sig.add_cell();
            sig.cells[turn.index()].set(colour, turn, false);
            out.extend(edge(&sig, m, colour, turn, &self.rules, false).map(|s| p.with(s)));
        }
    }

    /// The next shown node on the path of a colour: what the edge says, or one of the ends or any cell, or a
    /// new one inside another path; [`Node::ABSENT`] where the path is not followed further.
    pub(super) fn continuations(
        &self,
        p: &Partial,
        m: Node,
        colour: usize,
        ends: &[Node],
    ) -> Vec<(Partial, Node)> {
        let shown = p.sig.cells[m.index()].coloured[colour];
        if shown.is_known() {
            return vec![(p.clone(), shown)];
        }
        let ends = ends.iter().copied().filter(|e| !e.is_cell());
        let targets = p.sig.nodes().chain(ends);
        let mut all: Vec<(Partial, Node)> = targets
            .filter_map(|t| edge(&p.sig, m, colour, t, &self.rules, false).map(|s| (p.with(s), t)))
            .collect();
        let Ok(met) = self.anywhere(p, CELLS) else {
            // No room to show where paths meet.
            all.push((p.inexact(), Node::ABSENT));
            return all;
        };
        let inside = |q: &Partial, cell: Node| cell.index() == p.sig.len() && q.sig.in_degree(cell) > 0;
        for (p, cell) in met.into_iter().filter(|(q, cell)| inside(q, *cell)) {
            let joins = p.sig.cells[cell.index()].coloured[colour].is_known();
            let follows = !p.crossed && p.sig.len() <= MAX_CROSSED_CELLS;
            let next = if joins || follows { cell } else { Node::ABSENT };
            let crossed = p.crossed || !joins;
            let met = edge(&p.sig, m, colour, cell, &self.rules, false);
            all.extend(met.map(|sig| (Partial { sig, crossed, ..p }, next)));
        }
        all
    }

    pub(super) fn unstable(&self, p: Partial, colour: usize, node: Node, truth: bool) -> Cases {
        if truth {
            return Ok(vec![p.inexact()]);
        }
        Ok(match node {
            Node::ABSENT => vec![p.inexact()],
            Node::DANGLING => vec![p],
            Node::NULL => Vec::new(),
            cell => {
                let mut out = Vec::new();
                self.reach(&p, cell, Node::DANGLING, colour, 0, &[], &mut out);
                out
            }
        })
    }
}
