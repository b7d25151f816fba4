//! Facts as the signatures that they exclude: what a certificate says of them.

use super::{CELL, DANGLING, DIFFERENT, Facts, Link, NULL, SAME};
use crate::analysis::monotone::signature::{Node, Signature};

impl Facts {
    /// What the facts exclude, as signatures: for certificates.
    pub fn excluded(&self, n: usize, colours: usize) -> Vec<Signature> {
        let mut out = Vec::new();
        if !self.reached {
            return vec![Signature::EMPTY];
        }
        let at = |s: &mut Signature, x: usize, kind: u8| {
            s.labels[x] = match kind {
                CELL => s.add_cell(),
                NULL => Node::NULL,
                _ => Node::DANGLING,
            };
        };
        let kinds = [CELL, NULL, DANGLING];
        for x in 0..n {
            for kind in kinds.into_iter().filter(|k| self.kinds[x] & k == 0) {
                let mut s = Signature::EMPTY;
                at(&mut s, x, kind);
                out.push(s);
            }
            for y in 0..x {
                self.excluded_pairs(x, y, &mut out);
            }
            (0..colours).for_each(|c| self.excluded_links(x, c, &mut out));
        }
        out
    }

    fn excluded_pairs(&self, x: usize, y: usize, out: &mut Vec<Signature>) {
        let nodes = |s: &mut Signature| [s.add_cell(), s.add_cell(), Node::NULL, Node::DANGLING];
        let mut base = Signature::EMPTY;
        let nodes = nodes(&mut base);
        for (i, a) in nodes.into_iter().enumerate() {
            for (j, b) in nodes.into_iter().enumerate() {
                let relation = if a == b { SAME } else { DIFFERENT };
                if self.pairs[x][y] & relation != 0
                    || (a.is_cell() && i == 1)
                    || (b.is_cell() && j == 1 && i != 0)
                {
                    continue;
                }
                let mut s = base;
                s.labels[x] = a;
                s.labels[y] = b;
                for cell in [Node::cell(1), Node::cell(0)] {
                    if !s.is_labelled(cell) {
                        s.remove_cell(cell, Node::ABSENT);
                    }
                }
                out.push(s);
            }
        }
    }

    fn excluded_links(&self, x: usize, colour: usize, out: &mut Vec<Signature>) {
        let target = match self.links[x][colour] {
            Link::Unknown => return,
            Link::Null => None,
            Link::Var(y) => Some(y as usize),
        };
        // x on cell 0; the known target on cell 1, null or dangling, or on cell 0; the edge elsewhere.
        let mut base = Signature::EMPTY;
        let [cell, other, third] = [base.add_cell(), base.add_cell(), base.add_cell()];
        let targets: Vec<Node> = match target {
            None => vec![Node::NULL],
            Some(y) if y == x => vec![cell],
            Some(_) => vec![cell, other, Node::NULL, Node::DANGLING],
        };
        for known in targets {
            for shown in [cell, other, third, Node::NULL, Node::DANGLING] {
                if shown == known || (shown == third && known != other) {
                    continue;
                }
                let mut s = base;
                s.labels[x] = cell;
                if let Some(y) = target {
                    s.labels[y] = known;
                }
                s.cells[cell.index()].set(colour, shown, false);
                for unused in [third, other] {
                    if !s.is_labelled(unused) && s.in_degree(unused) == 0 {
                        s.remove_cell(unused, Node::ABSENT);
                    }
                }
                out.push(s);
            }
        }
    }
}
