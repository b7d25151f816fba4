//! Merged classes: the absorbed point hands its facts over to the surviving one.

use super::field::News;
use super::{Contradiction, Reach, Undo};
use crate::engine::theory::egraph::{EGraph, NONE, Node};
use crate::rules::matcher::Point;

impl Reach {
    /// Follows the merges of the graph: absorbed points hand over their facts.
    pub(crate) fn follow_merges(&mut self, egraph: &EGraph, merges: &[(Node, Node)]) {
        for &(loser, winner) in merges {
            for field in 0..self.fields.len() as u32 {
                self.follow_merge(egraph, field, loser, winner);
            }
        }
    }

    fn follow_merge(&mut self, egraph: &EGraph, field: u32, loser: Node, winner: Node) {
        let f = &mut self.fields[field as usize];
        // A class that brings no point may bring a disequality that decides an alternative.
        f.swept = false;
        let Some(old) = f.point(loser) else { return };
        let Some(new) = f.point(winner) else {
            if f.point_of.len() <= winner as usize {
                f.point_of.resize(egraph.len() as usize, NONE);
            }
            f.point_of[winner as usize] = old;
            f.root_of[old as usize] = winner;
            self.undo.push(Undo::Moved { field, point: old, from: loser, to: winner });
            return;
        };
        let position = f.live.iter().position(|&p| p == old).expect("a point of a root is alive");
        self.undo.push(Undo::Died { field, point: old, position: position as u32, root: loser });
        f.live.remove(position);
        let live = f.live.clone();
        self.note_change(field);
        // Most places are empty, so the three that a pair gives are found by their positions.
        let f = &self.fields[field as usize];
        let (row, base) = (f.capacity, |a: Point, b: Point| f.index([a, b, 0]));
        let last = live.len();
        let mut found: Vec<[Point; 3]> = Vec::new();
        for (k, &x) in live.iter().chain([&old]).enumerate() {
            let (first, second, third) = (base(old, x), base(x, old), base(x, 0) + old as usize);
            for &y in live.iter().chain([&old]) {
                if f.is_used(first + y as usize) {
                    found.push([old, x, y]);
                }
                if k < last && f.is_used(second + y as usize) {
                    found.push([x, old, y]);
                }
                if k < last && y != old && f.is_used(third + y as usize * row) {
                    found.push([x, y, old]);
                }
            }
        }
        for at in found {
            self.hand_over(field, at, old, new);
        }
        let successor = self.fields[field as usize].successors[old as usize];
        if successor != NONE {
            self.set_successor(field, new, successor);
        }
        // Successors that lie in the merged class read differently now.
        let f = &mut self.fields[field as usize];
        for &point in &live {
            let application = f.successors[point as usize];
            if application != NONE && (point == new || f.point(egraph.root(application)) == Some(new)) {
                f.news.push_back(News::Successor(point));
            }
        }
    }

    fn hand_over(&mut self, field: u32, at: [Point; 3], old: Point, new: Point) {
        let f = &self.fields[field as usize];
        let index = f.index(at);
        let to = at.map(|p| if p == old { new } else { p });
        let target = f.index(to);
        let (fact, negated) = (f.fact(index), f.negated[index]);
        if fact != NONE && f.fact(target) == NONE {
            self.place(field, to, fact);
        }
        if negated != 0 {
            let (literal, nodes) = self.negatives[negated as usize - 1];
            let f = &mut self.fields[field as usize];
            if f.negated[target] == 0 {
                f.negated[target] = negated;
                self.undo.push(Undo::Negated { field, at: to.map(|p| p as u16) });
            }
            let entry = self.fields[field as usize].fact(target);
            if entry != NONE {
                self.contradiction.get_or_insert(Contradiction::Negated { entry, literal, nodes });
            }
        }
    }
}
