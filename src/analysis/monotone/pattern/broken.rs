//! How segments, inverses and trees can be broken.

use super::{Cases, Compiler, Partial, compare};
use crate::analysis::monotone::pre::CELLS;
use crate::analysis::monotone::signature::{Node, Signature};
use crate::program::{FieldId, Term};

impl Compiler<'_> {
    /// `ends` are x, px, y; without py any last cell will do.
    pub(super) fn broken_dlseg(
        &self,
        next: FieldId,
        prev: FieldId,
        ends: &[Term],
        py: Option<&Term>,
        case: Partial,
    ) -> Cases {
        let (n, p) = (self.colour(next)?, self.colour(prev)?);
        let [x, px, y] = ends else { return Err("a segment has four ends".to_owned()) };
        let mut out = Vec::new();
        for (c, at_x) in self.locate(&case, x)? {
            for (c, at_y) in self.locate(&c, y)? {
                if at_x == at_y && at_x != Node::DANGLING && at_x.is_known() {
                    if let Some(py) = py {
                        out.extend(self.pairs(&c, px, py, |q, a, b| {
                            Ok(compare(q, a, b, false).into_iter().collect())
                        })?);
                    }
                    continue;
                }
                if !at_x.is_cell() {
                    // A segment from null to something else never ends; of a dangling start nothing is known.
                    out.push(if at_x == Node::NULL && at_y.is_cell() { c } else { c.inexact() });
                    continue;
                }
                out.extend(self.path(c.clone(), n, at_x, at_y, true, false)?);
                for (q, first) in self.successor(&c, at_x, p)? {
                    out.extend(
                        self.places(&q, px, |q, at| Ok(compare(q, first, at, false).into_iter().collect()))?,
                    );
                }
                out.extend(self.broken_link(&c, n, p, at_x, at_y, py)?);
            }
        }
        Ok(out)
    }

    /// A cell of the segment whose successor does not point back, or a last cell that is not the one given.
    pub(super) fn broken_link(
        &self,
        case: &Partial,
        n: usize,
        p: usize,
        x: Node,
        y: Node,
        py: Option<&Term>,
    ) -> Cases {
        let mut out = Vec::new();
        for (c, z) in self.anywhere(case, CELLS)? {
            if z == y {
                continue;
            }
            let mut reached = Vec::new();
            if z == x {
                reached.push(c);
            } else {
                let avoid: &[Node] = if y.is_cell() { &[y] } else { &[] };
                self.reach(&c, x, z, n, 0, avoid, &mut reached);
            }
            for c in reached {
                for (c, w) in self.successor(&c, z, n)? {
                    if w == y {
                        if let Some(py) = py {
                            out.extend(self.places(&c, py, |q, at| {
                                Ok(compare(q, z, at, false).into_iter().collect())
                            })?);
                        }
                    } else if w.is_cell() {
                        for (c, back) in self.successor(&c, w, p)? {
                            out.extend(compare(c, back, z, false));
                        }
                    }
                }
            }
        }
        Ok(out)
    }

    /// Two cells on the way that one field connects and the other does not.
    pub(super) fn broken_inverse(
        &self,
        field: FieldId,
        back: FieldId,
        x: &Term,
        y: &Term,
        case: Partial,
    ) -> Cases {
        let (f, b) = (self.colour(field)?, self.colour(back)?);
        self.pairs(&case, x, y, |c, x, _| {
            if !x.is_cell() {
                return Ok(if x == Node::NULL { Vec::new() } else { vec![c.inexact()] });
            }
            let mut out = Vec::new();
            // That the cells reach the end is not demanded.
            for (c, first) in self.anywhere(&c.inexact(), CELLS)? {
                for c in self.path(c, f, x, first, false, true)? {
                    for (c, second) in self.anywhere(&c, CELLS)? {
                        for c in self.path(c, f, x, second, false, true)? {
                            for there in [true, false] {
                                let one = self.path(c.clone(), f, first, second, false, there)?;
                                out.extend(
                                    self.each(one, |c| self.path(c, b, second, first, false, !there))?,
                                );
                            }
                        }
                    }
                }
            }
            Ok(out)
        })
    }

    /// From the root something dangling, a cycle, or a cell that two paths lead to (the first common ancestor
    /// of two paths, and the path to it).
    pub(super) fn broken_tree(&self, left: FieldId, right: FieldId, t: &Term, case: Partial) -> Cases {
        let (l, r) = (self.colour(left)?, self.colour(right)?);
        if l == r || self.rules.colours != 2 {
            return Err("its struct has other link fields than those of the tree".to_owned());
        }
        self.places(&case, t, |c, root| {
            if !root.is_cell() {
                return Ok(if root == Node::NULL { Vec::new() } else { vec![c.inexact()] });
            }
            if c.sig.nodes().any(|m| c.sig.cells[m.index()].degree() > 0) {
                return Err("it says more about the cells of the tree".to_owned());
            }
            let mut out = Vec::new();
            let mut add = |sig: Signature, exact: bool| {
                let all = threaded(sig, c.sig.len(), root);
                out.extend(all.into_iter().map(|s| if exact { c.with(s) } else { c.with(s).inexact() }));
            };
            let mut dangling = c.sig;
            dangling.cells[root.index()].add_loose(Node::DANGLING);
            add(dangling, false);
            let mut below = c.sig;
            let ancestor = below.add_cell();
            below.cells[root.index()].add_loose(ancestor);
            for (sig, top) in [(c.sig, root), (below, ancestor)] {
                let mut cycle = sig;
                cycle.cells[top.index()].add_loose(top);
                add(cycle, true);
                let mut shared = sig;
                let cell = shared.add_cell();
                shared.cells[top.index()].add_loose(cell);
                shared.cells[top.index()].add_loose(cell);
                add(shared, true);
            }
            Ok(out)
        })
    }
}

/// The signature with its first `old` cells, of which only the root has edges, where they may be besides: on a
/// decoloured path, or one of the cells that came later.
fn threaded(sig: Signature, old: usize, root: Node) -> Vec<Signature> {
    let mut all = vec![sig];
    let others = (0..old).map(Node::cell).filter(|c| *c != root);
    for other in others.collect::<Vec<_>>().into_iter().rev() {
        let mut more = Vec::new();
        for s in &all {
            more.push(*s);
            for m in s.nodes() {
                let targets: Vec<Node> = s.cells[m.index()].loose().collect();
                for (i, target) in targets.iter().enumerate() {
                    if targets[..i].contains(target) {
                        continue;
                    }
                    let mut inside = *s;
                    inside.cells[m.index()].remove_loose(*target);
                    inside.cells[m.index()].add_loose(other);
                    inside.cells[other.index()].add_loose(*target);
                    more.push(inside);
                }
            }
            for late in (old..s.len()).map(Node::cell) {
                // `other` takes the edges of the later cell, which disappears.
                let mut same = *s;
                same.cells[other.index()] = same.cells[late.index()];
                same.remove_cell(late, other);
                more.push(same);
            }
        }
        all = more;
    }
    all
}
