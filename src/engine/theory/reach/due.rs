//! Rules with alternatives: what is due to be looked at, and the sweep over everything.
//!
//! Whatever may open or decide an alternative is *due*: a new fact, successor or point, a fact that was
//! denied, two nodes or classes that came apart. Looking at it means matching the rules around it, so a
//! context that grew by one literal costs what that literal brought and not a sweep over all triples of
//! points (29 % of the instructions of pdr-native-20 in benches/incremental). Going back makes due again what
//! was due when the level was opened; conclusions of older things lie below it and stay.
//!
//! Things of points that were absorbed are passed over: the merge handed them to the surviving point, where
//! they were new or had been looked at before.

use super::view::View;
use super::{Contradiction, Reach};
use crate::engine::theory::egraph::{EGraph, Node};
use crate::rules::matcher::{self, Context, Point};
use crate::util::limits::{Budget, Stop};
use std::cell::RefCell;

/// What may open or decide an alternative.
#[derive(Clone, Copy)]
pub(super) enum Due {
    /// A new point.
    Point { field: u32, point: Point },
    /// A new fact of those that rules with alternatives speak of.
    Fact { field: u32, at: [Point; 3] },
    /// A new successor, or one whose class is another.
    Successor { field: u32, point: Point },
    /// A fact that was asserted to be false.
    Denied { field: u32, at: [Point; 3] },
    /// The class of a point has new members, hence new disequalities.
    Class { field: u32, point: Point },
    /// Nodes that were asserted to be different.
    Apart([Node; 2]),
    /// Many nodes at once.
    Everything,
}

impl Reach {
    /// Two nodes are different.
    pub(crate) fn separate(&mut self, left: Node, right: Node) {
        self.due.push(Due::Apart([left, right]));
    }

    /// Many nodes are pairwise different.
    pub(crate) fn separate_all(&mut self) {
        self.due.push(Due::Everything);
    }

    /// Looks at the rules with alternatives around what is due. Returns whether something new was concluded.
    pub(crate) fn decide_alternatives(
        &mut self,
        egraph: &mut EGraph,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let before = self.entries.len();
        let end = self.due.len();
        while self.swept < end && self.contradiction.is_none() {
            let due = self.due[self.swept];
            self.swept += 1;
            match due {
                Due::Point { field, .. }
                | Due::Fact { field, .. }
                | Due::Successor { field, .. }
                | Due::Denied { field, .. }
                | Due::Class { field, .. } => self.look_at(egraph, field, due, budget)?,
                Due::Apart(_) => {
                    for field in 0..self.fields.len() as u32 {
                        self.look_at(egraph, field, due, budget)?;
                    }
                }
                Due::Everything => {
                    self.sweep(egraph, false, budget)?;
                }
            }
        }
        // Going back leads to where a level began, so what came later is needed no more.
        if self.swept == self.due.len() {
            let kept = self.levels.last().map_or(0, |level| level.due.0);
            self.due.truncate(kept);
            self.swept = kept;
        }
        Ok(self.entries.len() > before)
    }

    fn look_at(
        &mut self,
        egraph: &mut EGraph,
        field: u32,
        due: Due,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        budget.spend(1 + self.fields[field as usize].live.len() as u64 / 32)?;
        let mut view = View { reach: self, egraph, field, collect: false, watch: None };
        match due {
            Due::Point { point, .. } if view.is_live(point) => matcher::split_on_point(&mut view, point),
            Due::Fact { at: [a, b, c], .. } if [a, b, c].iter().all(|&p| view.is_live(p)) => {
                matcher::split_on_fact(&mut view, a, b, c);
            }
            Due::Denied { at: [a, b, c], .. } if [a, b, c].iter().all(|&p| view.is_live(p)) => {
                matcher::split_on_denied(&mut view, a, b, c);
            }
            Due::Successor { point, .. } if view.is_live(point) => {
                if let Some(to) = view.successor(point) {
                    matcher::split_on_successor(&mut view, point, to);
                }
            }
            Due::Class { point, .. } if view.is_live(point) => {
                for position in 0..view.point_count() {
                    let other = view.point(position);
                    matcher::split_on_apart(&mut view, point, other);
                    matcher::split_on_apart(&mut view, other, point);
                }
            }
            Due::Apart(nodes) => {
                let [left, right] = nodes.map(|node| view.point_at(node));
                if let (Some(left), Some(right)) = (left, right) {
                    matcher::split_on_apart(&mut view, left, right);
                    matcher::split_on_apart(&mut view, right, left);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Looks at all rules with alternatives. Returns whether something new was concluded; with `collect`
    /// the open splits are in `self.splits` afterwards.
    pub(crate) fn sweep(
        &mut self,
        egraph: &mut EGraph,
        collect: bool,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        self.splits.clear();
        let before = self.entries.len();
        for field in 0..self.fields.len() as u32 {
            let n = self.fields[field as usize].live.len() as u64;
            budget.spend(n * n / 4 + 1)?;
            let watch = Some(RefCell::new(budget.watch()));
            let mut view = View { reach: self, egraph, field, collect, watch };
            matcher::sweep(&mut view);
            if let Some(stop) = view.watch.and_then(|w| w.into_inner().stopped()) {
                return Err(stop);
            }
        }
        Ok(self.entries.len() > before)
    }

    pub(crate) fn contradiction(&self) -> Option<Contradiction> {
        self.contradiction
    }
}
