//! The predicates at a loop head: the families over the names that matter there, what the user tracks, without
//! what reads fields that are not set yet.

use super::signature::Name;
use super::system::Plan;
use super::track;
use crate::abstraction::family::{self, Vocabulary};
use crate::engine::heap::{Pred, Slot};
use crate::program::{At, LocationId, LoopId};
use crate::util::rng::Rng;

impl Plan<'_> {
    /// The predicates over the variables that matter at a location.
    pub(super) fn predicates(&self, of: LoopId, location: LocationId) -> Vec<Pred> {
        let (program, layout) = (self.program, self.layout);
        let live = self.live.at(location);
        let mut words =
            Vocabulary { alloc: layout.config.alloc, data: layout.data_class, ..Vocabulary::default() };
        words.wide = self.abstraction.wide;
        for (at, name) in layout.names.iter().enumerate() {
            let slot = Slot(at as u16 + 1);
            match (layout.kind(program, *name), live.contains(name)) {
                (_, false) => {}
                (Some(kind), true) => words.pointers.push((slot, kind.0)),
                (None, true) => words.integers.push((slot, layout.class(*name))),
            }
        }
        // A number belongs to the class of whatever is compared; data are compared with it like variables.
        let classes: Vec<u32> = words.integers.iter().map(|k| k.1).filter(|&c| c != u32::MAX).collect();
        let numbers: Vec<Slot> = words.integers.iter().filter(|k| k.1 == u32::MAX).map(|k| k.0).collect();
        words.integers.retain(|k| k.1 != u32::MAX);
        let mut out_numbers = Vec::new();
        for slot in numbers {
            for &class in classes.iter().chain(&layout.data_class) {
                if !out_numbers.contains(&(slot, class)) {
                    out_numbers.push((slot, class));
                }
            }
        }
        words.integers.extend(out_numbers);
        for (at, field) in program.fields.iter().enumerate() {
            let id = crate::program::FieldId(at as u32);
            let (Some(link), Some(to)) = (layout.link(id, At::Now), field.ty.pointee()) else { continue };
            words.fields.push((link, field.owner.0, to.0));
            if layout.occurs.sorted.iter().any(|pair| pair.0 == id) && layout.data_class.is_some() {
                words.sorted.push(link);
            }
        }
        for &(field, back) in &layout.occurs.inverse {
            if let (Some(n), Some(p)) = (layout.link(field, At::Now), layout.link(back, At::Now)) {
                words.inverse.push((n, p));
                if !self.abstraction.paper {
                    words.inverse.push((p, n));
                }
            }
        }
        for &(field, back) in &layout.occurs.doubly {
            if let (Some(n), Some(p)) = (layout.link(field, At::Now), layout.link(back, At::Now)) {
                words.doubly.push((n, p));
            }
        }
        words.doubly.sort_unstable();
        words.inverse.sort_unstable();
        words.inverse.dedup();
        for (&(field, _, copy), same) in layout.earlier.iter().zip(&self.same) {
            if same[location.index()] {
                continue;
            }
            let owner = &program.fields[field.index()];
            if let Some(to) = owner.ty.pointee() {
                words.rigid.push((copy, owner.owner.0, to.0));
            }
        }
        words.colours = (0..layout.config.colours as u8).map(crate::engine::heap::Colour).collect();
        if self.abstraction.paper {
            words.data = None;
            words.colours.clear();
        }
        let mut preds = family::predicates(&words);
        for tracked in program.tracks.iter().filter(|t| t.at.is_none_or(|at| at == of)) {
            let known = |pred: &Pred| {
                let slots = pred.slots();
                slots.iter().all(|s| *s == Slot::NULL || layout.name(*s).is_some_and(|n| live.contains(&n)))
            };
            let found = track::predicates(layout, &tracked.clause.formula).into_iter().flatten();
            preds.extend(found.filter(known));
        }
        for (v, field) in self.raw.at(location) {
            if let (Some(slot), Some(link)) = (layout.slot(v, At::Now), layout.link(field, At::Now)) {
                preds.retain(|pred| !pred.follows(link, slot));
            }
        }
        // Comparisons of numbers with numbers say nothing.
        let is_number = |slot: Slot| matches!(layout.name(slot), Some(Name::Number(_)));
        preds.retain(|p| !matches!(*p, Pred::AtMost(x, y) if is_number(x) && is_number(y)));
        let mut seen = crate::util::hash::Set::default();
        preds.retain(|p| seen.insert(*p));
        if self.abstraction.seed != 0 {
            let mut rng = Rng::new(self.abstraction.seed.wrapping_add(u64::from(of.0)));
            (1..preds.len()).rev().for_each(|at| preds.swap(at, rng.below(at + 1)));
        }
        preds
    }
}
