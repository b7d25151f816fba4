//! States at loop heads are summed up: what is not needed to see that nothing goes wrong is left out.
//!
//! Exact paths of a program that builds a list of any length never end. Here, at each loop head, numbers forget how they are
//! related, numbers that change from round to round become intervals (`widened`), and cells in a row become chains (`fold`). So there
//! are often few states, and a path that comes to one of them again is done. What fails in such a state may fail in no run, so
//! nothing is claimed then; if nothing fails, nothing fails in any run.
//!
//! What is lost at a loop head is lost: there the attempt ends where that is asked about.

use super::grove::{Kinds, Parent, Shapes};
use super::machine::{Doing, Fault, Halt, Machine};
use super::memory::{Object, Storage};
use super::value::{Content, Fill, Linear, ObjectId, Value};
use crate::frontend::c::CheckedUnit;
use crate::frontend::c::hir::{Expr, ExprKind};
use crate::frontend::c::types::Ty;
use crate::program::{Check, IntKind};
use crate::util::hash::Map;
use crate::util::span::Span;
use std::collections::BTreeMap;

impl Object {
    /// A number of which nothing is known is like one that was never stored.
    fn forget_anything(&mut self, range: impl Fn(&Linear) -> Option<(i128, i128)>) {
        if self.fill_of_rest() != Fill::Arbitrary {
            return;
        }
        let anything = |length: u64, content: &Content| match content {
            Content::Value(Value::Int(sum)) if matches!(length, 1 | 2 | 4 | 8) && !sum.terms.is_empty() => {
                let bits = 8 * length as u32;
                range(sum).is_some_and(|(low, high)| {
                    low <= -(1i128 << (bits - 1)) && high >= (1i128 << (bits - 1)) - 1
                        || low <= 0 && high >= (1i128 << bits) - 1
                })
            }
            _ => false,
        };
        let places: Vec<(u64, u64)> = self
            .pieces()
            .filter(|(_, length, content)| anything(*length, content))
            .map(|(at, length, _)| (at, length))
            .collect();
        for (at, length) in places {
            self.fill(at, length, Fill::Arbitrary);
        }
    }
}

/// How much is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summing {
    /// Rounds of a loop before numbers that change become intervals.
    pub(super) widen_after: u32,
    /// Cells with different numbers are different.
    pub(super) keeps_numbers: bool,
    /// Kinds of cells of one chain, at most.
    pub(super) kinds: usize,
    /// Cells that differ in more than the chain has kinds for are folded all the same.
    pub(super) loose: bool,
    /// Cells in a row that become a chain, at least.
    pub(super) row: usize,
    /// Cells with several links become trees; which link is the one to the parent, where several may be.
    pub(super) trees: Option<Parent>,
}

/// The intervals of numbers, by place.
type Numbers = BTreeMap<(ObjectId, u64), (i128, i128)>;

/// What is known of a loop from its earlier rounds.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    count: u32,
    /// The numbers at the last loop head, by place.
    numbers: Numbers,
}

/// Numbers at which intervals stop before they go on to the next one: those that the program names, and their neighbours.
#[derive(Debug, Default)]
pub(super) struct Landmarks {
    numbers: Vec<i128>,
    /// Structs that may be cells of trees.
    pub(super) kinds: Kinds,
}

/// Landmarks that are kept, at most: each may take a round of a loop.
const MAX_LANDMARKS: usize = 60;

impl Landmarks {
    pub(super) fn of(unit: &CheckedUnit) -> Landmarks {
        let mut all = vec![0];
        let mut named = |n: i128| all.extend([n - 1, n, n + 1]);
        for function in &unit.checked.functions {
            for statement in function.body.iter().flatten() {
                statement.each_expr(&mut |expr| note(expr, &mut named));
            }
            for local in &function.locals {
                if let Ty::Array(_, Some(length)) = &local.ty {
                    named(i128::from(*length));
                }
            }
        }
        for global in &unit.checked.globals {
            if let Ty::Array(_, Some(length)) = &global.ty {
                named(i128::from(*length));
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.len() > MAX_LANDMARKS {
            all.clear();
        }
        Landmarks { numbers: all, kinds: Kinds::of(&unit.types) }
    }

    /// An interval around two: where the second goes beyond the first, up to the next landmark.
    pub(super) fn around(
        &self,
        last: (i128, i128),
        now: (i128, i128),
        length: u64,
        kind: Option<IntKind>,
    ) -> (i128, i128) {
        let (least, most) = hull(last, now, length, kind);
        let below = self.numbers.iter().rev().find(|n| **n <= now.0).copied();
        let above = self.numbers.iter().find(|n| **n >= now.1).copied();
        let low = if now.0 < last.0 { below.map_or(least, |n| n.max(least)) } else { last.0 };
        let high = if now.1 > last.1 { above.map_or(most, |n| n.min(most)) } else { last.1 };
        (low, high)
    }
}

fn note(expr: &Expr, named: &mut dyn FnMut(i128)) {
    if let ExprKind::Int(n) = &expr.kind {
        named(*n);
    }
    if let Ty::Array(_, Some(length)) = &expr.ty {
        named(i128::from(*length));
    }
    expr.each_part(&mut |part| note(part, named));
}

/// The least interval with simple bounds around two: limits that are passed are passed for good.
pub(super) fn hull(a: (i128, i128), b: (i128, i128), length: u64, kind: Option<IntKind>) -> (i128, i128) {
    let bits = 8 * length.clamp(1, 8) as u32;
    let (least, most) = match kind {
        Some(kind) => (kind.min(), kind.max()),
        None if a.1.max(b.1) >= 1 << (bits - 1) => (-(1i128 << (bits - 1)), (1i128 << bits) - 1),
        None => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    };
    let low = match (a.0 == b.0, a.0.min(b.0)) {
        (true, low) => low,
        (false, low) if low >= 0 => 0,
        (false, low) => least.min(low),
    };
    let high = match (a.1 == b.1, a.1.max(b.1)) {
        (true, high) => high,
        (false, high) if high <= 0 => 0,
        (false, high) => most.max(high),
    };
    (low, high)
}

/// No symbol occurs in it.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Pointer(_, sum) | Value::Int(sum) => sum.terms.is_empty(),
        _ => false,
    }
}

impl Machine<'_> {
    /// Sums up the state at a loop head.
    pub(super) fn sum_up(&mut self, how: Summing, rounds: &mut Rounds, span: Span) -> Doing<()> {
        if self.held > 0 || self.watches_orders() {
            return Ok(());
        }
        self.budget.spend(1 + self.memory.objects.len() as u64 / 4)?;
        rounds.count += 1;
        let widens = rounds.count > how.widen_after;
        self.forget_relations(widens.then_some(&rounds.numbers), span)?;
        self.drop_lost(span)?;
        rounds.numbers = self.numbers();
        self.sum_cells(how)?;
        if self.pending.iter().all(is_plain) {
            self.path.forget();
        }
        Ok(())
    }

    /// Cells become chains and trees.
    pub(super) fn sum_cells(&mut self, how: Summing) -> Doing<()> {
        let shapes = how.trees.map_or_else(Shapes::new, |parent| self.shapes(parent));
        self.plant(&shapes, how)?;
        self.fold(how, &shapes)
    }

    fn roots(&self) -> Vec<ObjectId> {
        let mut roots: Vec<ObjectId> = (0..)
            .zip(&self.memory.objects)
            .filter(|(_, o)| o.storage == Storage::Static)
            .map(|(id, _)| id)
            .collect();
        for frame in &self.frames {
            roots.extend(frame.locals.iter().flatten());
            roots.extend(&frame.automatic);
        }
        roots
    }

    pub(super) fn drop_lost(&mut self, span: Span) -> Doing<()> {
        let seen = self.memory.reached(&self.pending, &self.roots());
        let lost: Vec<ObjectId> = (0..)
            .zip(&self.memory.objects)
            .filter(|(id, o)| o.alive && o.storage == Storage::Heap && !seen[*id as usize])
            .map(|(id, _)| id)
            .collect();
        if lost.is_empty() {
            self.memory.recycle(&seen);
            return Ok(());
        }
        let message = "memory may be lost before this loop".to_owned();
        if self.asks_for_leaks() {
            return Err(Halt::Failed(Fault { check: Check::Leaks, message, span }));
        }
        if super::asks(self.options, Check::Garbage) {
            return Err(Halt::GaveUp(message, span));
        }
        for id in lost {
            self.memory.drop_object(id);
        }
        self.memory.recycle(&seen);
        Ok(())
    }

    /// Each number that is not known becomes a symbol of its own; equal sums stay equal outside of chains.
    pub(super) fn forget_relations(&mut self, before: Option<&Numbers>, span: Span) -> Doing<()> {
        let mut shared: Map<Vec<i128>, Linear> = Map::default();
        for id in 0..self.memory.objects.len() as ObjectId {
            let object = self.memory.object(id);
            if !object.alive || object.weight() == 0 {
                continue;
            }
            let own = object.ends().is_some() || object.owner.is_some();
            let kind = match &object.ty {
                Some(Ty::Int(kind)) => Some(*kind),
                _ => None,
            };
            let mut object = object.clone();
            let mut too_large = false;
            let mut private: Map<Vec<i128>, Linear> = Map::default();
            let names = if own { &mut private } else { &mut shared };
            // Other names of objects are not needed any more.
            let (memory, path, landmarks) = (&self.memory, &mut self.path, &self.landmarks);
            object.change(&mut |value| {
                value.replace_objects(&|o| memory.resolve(o));
                // A pointer to a freed object is as good as one that was never assigned; whether two of them are equal is not known.
                if let Value::Pointer(target, _) = value {
                    let target = memory.object(*target);
                    if !target.alive && target.storage == Storage::Heap {
                        *value = Value::Wild(path.auxiliary(1, 1));
                    }
                }
            });
            for (at, length, content) in object.pieces_mut() {
                let Content::Value(value) = content else { continue };
                if let (Value::Int(sum), Some(before), false) = (&mut *value, before, own)
                    && let Some(last) = before.get(&(id, at))
                    && let Some(now) = path.range(sum)
                    && now != *last
                {
                    let (low, high) = landmarks.around(*last, now, length, kind);
                    *sum = path.auxiliary(low, high);
                    continue;
                }
                // A number lies in the range of a type of that length.
                let (least, most) = match (&*value, length) {
                    (Value::Int(_), 1..=8) => (-(1i128 << (8 * length - 1)), (1i128 << (8 * length)) - 1),
                    _ => (i128::MIN, i128::MAX),
                };
                value.replace_sums(&mut |sum| {
                    if sum.terms.is_empty() {
                        return;
                    }
                    let mut key = vec![sum.constant];
                    key.extend(sum.terms.iter().flat_map(|(s, f)| [i128::from(*s), *f]));
                    let Some((low, high)) = path.range(sum) else {
                        too_large = true;
                        return;
                    };
                    let (low, high) = (low.max(least), high.min(most));
                    *sum = names.entry(key).or_insert_with(|| path.auxiliary(low, high)).clone();
                });
            }
            object.forget_anything(|sum| path.range(sum));
            if too_large {
                return self.give_up(span, "a number is too large to be computed with");
            }
            *self.memory.object_mut(id) = object;
        }
        Ok(())
    }

    /// The intervals of all numbers outside of chains.
    fn numbers(&self) -> Numbers {
        let mut all = BTreeMap::new();
        for (id, object) in (0..).zip(&self.memory.objects) {
            if !object.alive || object.ends().is_some() || object.owner.is_some() {
                continue;
            }
            for (at, _, value) in object.values() {
                if let Value::Int(sum) = value
                    && let Some(range) = self.path.range(sum)
                {
                    all.insert((id, at), range);
                }
            }
        }
        all
    }
}
