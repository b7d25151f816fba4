//! Entry heaps with several lists over the same cells (skip lists): what follows from their orders together.
//!
//! Where the contract says that a list from h along g ends in null, the cells on it are in a total order that
//! begins with h. Where it says of the list along f that what comes later there comes later along g as well, the
//! list along f is part of the list along g, in the same order. Single clauses exclude patterns
//! ([`super::pattern`]), but not what two of them exclude together, in a skip list of three levels for instance
//! a cell of the third level whose second level leads back to itself.
//!
//! For a signature below an entry heap: `u -g-> v` says that u comes before v along g and no other cell of the
//! signature lies between them; `u -g-> #` that none comes after u. These are closed under each other; if
//! some cell comes before itself, there is no such heap. The answer "excluded" is certain for signatures of any
//! size; the others are left to the search.

use super::pattern::Vocabulary;
use super::pre::VarIx;
use super::shape::{ending_lists, list_root, parts};
use super::signature::{MAX_CELLS, Node, Signature};
use crate::program::{At, Formula, Term};

/// What the contract says of lists.
#[derive(Clone, Debug, Default)]
pub struct Ordered {
    /// Heads and fields of lists that end in null.
    lists: Vec<(VarIx, u8)>,
    /// Head, f, g: the order along f is one along g.
    within: Vec<(VarIx, u8, u8)>,
}

/// One list of a signature.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    members: u32,
    /// By cell, those that come later.
    later: [u32; MAX_CELLS],
}

impl Ordered {
    /// What the clauses of a contract say.
    pub fn of(vocabulary: &dyn Vocabulary, requires: &[&Formula]) -> Ordered {
        let lists: Vec<(VarIx, u8)> = requires.iter().flat_map(|f| ending_lists(vocabulary, f)).collect();
        let all = requires.iter().flat_map(|f| parts(f));
        let known = |(h, f, g): &(VarIx, u8, u8)| lists.contains(&(*h, *f)) && lists.contains(&(*h, *g));
        let within = all.filter_map(|f| order_within(vocabulary, f)).filter(known).collect();
        Ordered { lists, within }
    }

    /// Whether no entry heap is above the signature; yes is certain.
    pub fn exclude(&self, s: &Signature) -> bool {
        let mut heads: Vec<VarIx> = self.within.iter().map(|w| w.0).collect();
        heads.dedup();
        heads.into_iter().any(|h| s.labels[h as usize].is_cell() && self.contradict(s, h))
    }

    fn contradict(&self, s: &Signature, head: VarIx) -> bool {
        let of_head = self.lists.iter().filter(|l| l.0 == head);
        let first = s.labels[head as usize].index();
        let start = Line { members: 1 << first, ..Line::default() };
        let mut lines: Vec<(u8, Line)> = of_head.map(|l| (l.1, start)).collect();
        loop {
            let before: Vec<Line> = lines.iter().map(|l| l.1).collect();
            for (field, line) in &mut lines {
                if line.follow(s, *field as usize, first) {
                    return true;
                }
            }
            for &(h, f, g) in self.within.iter().filter(|w| w.0 == head) {
                debug_assert_eq!(h, head);
                let Some(&(_, inner)) = lines.iter().find(|l| l.0 == f) else { continue };
                if let Some((_, outer)) = lines.iter_mut().find(|l| l.0 == g) {
                    outer.members |= inner.members;
                    (0..MAX_CELLS).for_each(|u| outer.later[u] |= inner.later[u]);
                }
            }
            let same = |(a, b): (&Line, &(u8, Line))| a.members == b.1.members && a.later == b.1.later;
            if before.iter().zip(&lines).all(same) {
                return false;
            }
        }
    }
}

impl Line {
    fn cells(self) -> impl Iterator<Item = usize> {
        (0..MAX_CELLS).filter(move |u| self.members >> u & 1 == 1)
    }

    /// One round of what the edges of the field and the order say; `true` if that is impossible.
    fn follow(&mut self, s: &Signature, field: usize, first: usize) -> bool {
        self.later[first] |= self.members & !(1 << first);
        for u in self.cells() {
            let target = s.cells[u].coloured[field];
            if target == Node::DANGLING {
                return true;
            }
            if target == Node::NULL {
                self.cells().filter(|w| *w != u).for_each(|w| self.later[w] |= 1 << u);
            } else if target.is_cell() {
                let v = target.index();
                self.members |= 1 << v;
                self.later[u] |= 1 << v;
                for w in self.cells().filter(|w| *w != u && *w != v) {
                    if self.later[w] >> v & 1 == 1 {
                        self.later[w] |= 1 << u;
                    }
                    if self.later[u] >> w & 1 == 1 {
                        self.later[v] |= 1 << w;
                    }
                }
            }
        }
        for u in self.cells() {
            for v in self.cells().filter(|v| self.later[u] >> v & 1 == 1).collect::<Vec<_>>() {
                self.later[u] |= self.later[v];
            }
        }
        self.cells().any(|u| self.later[u] >> u & 1 == 1)
    }
}

/// `\forall z, w; z \in \cells(f, h, NULL) && w \in \cells(f, h, NULL) && z -f+-> w ==> z -g+-> w`, perhaps with
/// fewer guards: h, f, g.
fn order_within(vocabulary: &dyn Vocabulary, clause: &Formula) -> Option<(VarIx, u8, u8)> {
    let Formula::Forall(z, inner) = clause else { return None };
    let Formula::Forall(w, body) = &**inner else { return None };
    let (z, w) = (Term::Bound(z.id), Term::Bound(w.id));
    let Formula::Implies(guard, conclusion) = &**body else { return None };
    let step = |formula: &Formula| match formula {
        Formula::Reach { field, at: At::Now, from, to, plus: true } if *from == z && *to == w => {
            vocabulary.colour(*field)
        }
        _ => None,
    };
    let g = step(conclusion)?;
    let guards = parts(guard);
    let f = guards.iter().find_map(|p| step(p))?;
    let mut head = None;
    for part in guards {
        match part {
            Formula::In(member, set) if *member == z || *member == w => {
                let (h, field) = list_root(vocabulary, set)?;
                if field != f || head.is_some_and(|other| other != h) {
                    return None;
                }
                head = Some(h);
            }
            other if step(other) == Some(f) => {}
            _ => return None,
        }
    }
    Some((head?, f, g))
}
