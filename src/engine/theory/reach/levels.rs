//! Levels: what is undone when the search goes back, and stamps that name what is known.

use super::{Level, Reach, Undo};
use crate::engine::theory::egraph::NONE;
use crate::rules::matcher::Point;

impl Reach {
    pub(crate) fn push(&mut self) {
        self.levels.push(Level {
            undo: self.undo.len(),
            entries: self.entries.len(),
            refuters: self.refuters.len(),
            negatives: self.negatives.len(),
            due: (self.due.len(), self.swept),
            stamps: (self.stamps.len(), self.fields.len()),
        });
        self.stamps.extend(self.fields.iter().map(|field| field.stamp));
    }

    pub(crate) fn pop(&mut self, n_levels: usize) {
        let keep = self.levels.len() - n_levels;
        if keep == self.levels.len() {
            return;
        }
        let level = self.levels.swap_remove(keep);
        self.levels.truncate(keep);
        while self.undo.len() > level.undo {
            let undo = self.undo.pop().expect("longer than the target");
            self.undo_one(undo);
        }
        self.entries.truncate(level.entries);
        self.refuters.truncate(level.refuters);
        self.negatives.truncate(level.negatives);
        // What was due and not looked at is due again, and what was looked at since then has to be.
        self.due.truncate(level.due.0);
        self.swept = level.due.1;
        self.splits.clear();
        self.contradiction = None;
        self.overrun = false;
        let (first, n_fields) = level.stamps;
        for (at, field) in self.fields.iter_mut().enumerate() {
            field.news.clear();
            // A field that is younger than the level has lost all its points.
            field.stamp = if at < n_fields { self.stamps[first + at] } else { 0 };
        }
        self.stamps.truncate(first);
    }

    /// Notes that points or facts of a field changed.
    pub(super) fn note_change(&mut self, field: u32) {
        self.clock += 1;
        self.fields[field as usize].stamp = self.clock;
    }

    /// Names what is known of a field: as long as it is the same, so are the points and facts. Going back
    /// brings the stamps of that time back.
    pub(crate) fn stamp(&self, field: u32) -> u64 {
        self.fields[field as usize].stamp
    }

    fn undo_one(&mut self, undo: Undo) {
        match undo {
            Undo::Point { field, root } => {
                let f = &mut self.fields[field as usize];
                f.root_of.pop();
                f.successors.pop();
                let point = f.live.pop().expect("the last point is alive");
                f.rows.set_live(point, false);
                f.point_of[root as usize] = NONE;
            }
            Undo::Fact { field, at } => {
                let f = &mut self.fields[field as usize];
                f.set_fact(at.map(Point::from), NONE);
            }
            Undo::Negated { field, at } => {
                let f = &mut self.fields[field as usize];
                let index = f.index(at.map(Point::from));
                f.negated[index] = 0;
            }
            Undo::Successor { field, point } => {
                self.fields[field as usize].successors[point as usize] = NONE;
            }
            Undo::Moved { field, point, from, to } => {
                let f = &mut self.fields[field as usize];
                f.point_of[to as usize] = NONE;
                f.root_of[point as usize] = from;
            }
            Undo::Died { field, point, position, root } => {
                let f = &mut self.fields[field as usize];
                f.live.insert(position as usize, point);
                f.rows.set_live(point, true);
                f.root_of[point as usize] = root;
            }
            Undo::Activated { field } => self.fields[field as usize].active = false,
        }
    }
}
