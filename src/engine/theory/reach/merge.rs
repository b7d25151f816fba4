//! Merged classes: the absorbed point hands its facts over to the surviving one.

use super::due::Due;
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
        let (old, new) = (f.point(loser), f.point(winner));
        if let Some(point) = new.or(old) {
            self.due.push(Due::Class { field, point });
        }
        let Some(old) = old else { return };
        let Some(new) = new else {
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
        f.rows.set_live(old, false);
        let live = f.live.clone();
        self.note_change(field);
        self.hand_all_over(field, old, new, &live);
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
                self.due.push(Due::Successor { field, point });
            }
        }
    }

    /// Hands over every fact, and every negated one, that a point is part of, the others being live points. What was
    /// entered is on the undo log; where that is longer than the rows of the point, these are read.
    fn hand_all_over(&mut self, field: u32, old: Point, new: Point, live: &[Point]) {
        let f = &self.fields[field as usize];
        if self.undo.len() > 3 * live.len() * f.capacity {
            let mut found: Vec<[Point; 3]> = Vec::new();
            f.places_of(old, live, &mut found);
            return found.into_iter().for_each(|at| self.hand_over(field, at, old, new));
        }
        for logged in 0..self.undo.len() {
            let (Undo::Fact { field: there, at } | Undo::Negated { field: there, at }) = self.undo[logged]
            else {
                continue;
            };
            let at = at.map(Point::from);
            let rows = &self.fields[field as usize].rows;
            if there == field && at.contains(&old) && at.iter().all(|&p| p == old || rows.is_live(p)) {
                self.hand_over(field, at, old, new);
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
                self.due.push(Due::Denied { field, at: to });
                self.undo.push(Undo::Negated { field, at: to.map(|p| p as u16) });
            }
            let entry = self.fields[field as usize].fact(target);
            if entry != NONE {
                self.contradiction.get_or_insert(Contradiction::Negated { entry, literal, nodes });
            }
        }
    }
}
