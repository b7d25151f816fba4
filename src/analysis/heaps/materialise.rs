//! Materialisation: before a way is followed, the cells that it is about to name get cubes of their own.
//!
//! After `e = e->next` the variable names a cell that had no name before. Its predicates would be those of whatever
//! object of the heap it may have been, each of them by itself; split on `e->next` before the way, the heap knows it as
//! one cell, and that it is named afterwards is a bit that is copied (benchmark's README, step 6). The heaps
//! are cleaned by what holds on the way too, so those that cannot go it drop out here.

use super::boolean::{Heap, Heaps, Object};
use super::cartesian::Fixpoint;
use super::clean::View;
use super::enumerate::{Effort, Found};
use super::places::Partial;
use super::pool::Of;
use crate::logic::Terms;
use std::collections::BTreeSet;

impl Fixpoint<'_> {
    /// The heaps that can go a way, split on the cells that it names.
    pub(super) fn going(&mut self, w: usize, from: usize) -> Result<Heaps, String> {
        let mut out = Heaps::default();
        for heap in self.heaps[from].heaps.clone() {
            let key = (w, heap);
            let split = match self.split.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let split = self.split_before(w, from, &key.1)?;
                    self.split.insert(key, split.clone());
                    split
                }
            };
            for (atoms, objects) in split {
                out.add(atoms, objects);
            }
        }
        Ok(out)
    }

    fn split_before(&mut self, w: usize, from: usize, (atoms, objects): &Heap) -> Result<Vec<Heap>, String> {
        let mut literals = BTreeSet::new();
        for (i, &truth) in atoms.iter().enumerate() {
            let term = self.places[from].view.atoms[i];
            literals.insert(self.literal(term, truth)?);
        }
        let rows = |kinds: &[super::places::Cells]| kinds.iter().map(|k| k.at_rows.len()).collect::<Vec<_>>();
        let (old, new) = (rows(&self.places[from].view.kinds), rows(&self.ways[w].before.kinds));
        if old == new {
            let stays =
                !matches!(self.follows(w, &literals, Terms::FALSE, Effort::Refutation)?, Found::Refuted);
            return Ok(stays.then(|| (atoms.clone(), objects.clone())).into_iter().collect());
        }
        // What is known of an object, the new rows apart: their bits lie between those of the rows and the others.
        let widened = |k: usize, object: Object| {
            let low: Object = (1 << old[k]) - 1;
            let among: Object = ((1 << new[k]) - 1) & !low;
            let width = self.ways[w].before.kinds[k].at_cell.len();
            let full = if width == 0 { 0 } else { Object::MAX >> (Object::BITS as usize - width) };
            let value = (object & low) | ((object >> old[k]) << new[k]);
            Partial { mask: full & !among, value, state_mask: 0, state_value: 0 }
        };
        let cubes: Vec<BTreeSet<Partial>> = objects
            .iter()
            .enumerate()
            .map(|(k, of_kind)| of_kind.iter().map(|&o| widened(k, o)).collect())
            .collect();
        let mut base = self.ways[w].path.clone();
        base.extend(&literals);
        for (k, cubes) in cubes.iter().enumerate() {
            for row in self.ways[w].before.kinds[k].at_rows.clone() {
                base.push(self.one_of(from, &row, cubes)?);
            }
        }
        let literals = self.ways[w].before.literals();
        let found = self.enumerate(Of::Way(w), &base, &literals)?;
        self.objects(found, &base, Some((from, &cubes)), View::Before(w))
    }
}
