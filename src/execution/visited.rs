//! States at loop heads that some path has come to before: what follows has been looked at, or will be.
//!
//! Programs that wait for input in a loop have endless runs and often few states: a pool, a ring buffer, a protocol. Two
//! states are one if the calls stand at the same places and memory is the same up to the names of objects and of unknown
//! numbers, with the same bounds and conditions. Nothing is left out of a state, so nothing is claimed that was not looked
//! at. Where it is asked whether runs end, no state ends a path: one that is met again may be met for ever.
//!
//! A state is written down as numbers: objects and symbols are numbered as they are met, from the variables on.

use super::machine::{Doing, Halt, Machine};
use super::memory::{Memory, Storage};
use super::path::{Path, Relation};
use super::summary::Rounds;
use super::value::{Bytes, Content, Fill, Linear, ObjectId, Symbol, Value};
use crate::program::Check;
use crate::util::hash::{Map, Set};
use crate::util::span::Span;

/// Numbers that a state takes, at most.
const MAX_STATE: usize = 20_000;
/// Numbers of all states, at most: sixteen bytes each.
const MAX_KEPT: usize = 4_000_000;
/// States of which none was met again before the search for them is given up.
const PATIENCE: usize = 4_000;
/// Conditions that belong to a state, at most.
const MAX_CONDITIONS: usize = 200;

/// The states that paths have come to.
#[derive(Debug, Default)]
pub(super) struct Visited {
    states: Set<Box<[i128]>>,
    kept: usize,
    /// How often a path came to one of them.
    met: usize,
}

/// Writes a state down.
struct Writer<'m> {
    memory: &'m Memory,
    path: &'m Path,
    objects: Map<ObjectId, i128>,
    /// Objects that were met and are still to be written.
    open: Vec<ObjectId>,
    symbols: Map<Symbol, i128>,
    /// Where the literals stand that have an object: the same text at another place is another object.
    literals: Map<ObjectId, (u32, u32)>,
    out: Vec<i128>,
}

impl Writer<'_> {
    fn object(&mut self, id: ObjectId) {
        let id = self.memory.resolve(id);
        let next = self.objects.len() as i128;
        let number = *self.objects.entry(id).or_insert_with(|| {
            self.open.push(id);
            next
        });
        self.out.push(number);
    }

    fn symbol(&mut self, symbol: Symbol) {
        let next = self.symbols.len() as i128;
        let known = self.symbols.get(&symbol).copied();
        self.out.push(known.unwrap_or(next));
        if known.is_none() {
            self.symbols.insert(symbol, next);
            let (low, high) = self.path.bounds_of(symbol);
            self.out.extend([low, high]);
        }
    }

    fn linear(&mut self, sum: &Linear) {
        self.out.extend([sum.constant, sum.terms.len() as i128]);
        for (symbol, factor) in &sum.terms {
            self.out.push(*factor);
            self.symbol(*symbol);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Int(sum) => {
                self.out.push(0);
                self.linear(sum);
            }
            Value::Pointer(id, offset) => {
                self.out.push(1);
                self.object(*id);
                self.linear(offset);
            }
            Value::Function(index) => self.out.extend([2, i128::from(*index)]),
            Value::Float(x) => self.out.extend([3, i128::from(x.to_bits())]),
            Value::AnyFloat => self.out.push(4),
            Value::Wild(null) => {
                self.out.push(5);
                self.linear(null);
            }
            Value::Fragment(inner, at, length) => {
                self.out.extend([6, i128::from(*at), i128::from(*length)]);
                self.value(inner);
            }
            Value::Record(bytes) => {
                self.out.push(7);
                self.bytes(bytes);
            }
            Value::Unknown => self.out.push(8),
            Value::Either(values) => {
                self.out.extend([9, values.len() as i128]);
                values.iter().for_each(|value| self.value(value));
            }
        }
    }

    fn bytes(&mut self, bytes: &Bytes) {
        self.out.extend([i128::from(bytes.size), bytes.pieces.len() as i128]);
        for (at, length, content) in &bytes.pieces {
            self.piece(*at, *length, content);
        }
    }

    fn piece(&mut self, at: u64, length: u64, content: &Content) {
        self.out.extend([i128::from(at), i128::from(length)]);
        match content {
            Content::Fill(fill) => self.out.push(if *fill == Fill::Zero { -2 } else { -1 }),
            Content::Value(value) => self.value(value),
        }
    }

    /// Everything that can be reached from what was written.
    fn finish(&mut self) -> Option<()> {
        let mut next = 0;
        while let Some(id) = self.open.get(next).copied() {
            next += 1;
            let object = self.memory.object(id);
            let storage = match object.storage {
                Storage::Static => 0,
                Storage::Automatic => 1,
                Storage::Heap => 2,
            };
            let zero = object.fill_of_rest() == Fill::Zero;
            let flags = storage
                + 4 * i128::from(object.alive)
                + 8 * i128::from(object.constant)
                + 16 * i128::from(zero)
                + 32 * i128::from(object.chain.is_some())
                + 64 * i128::from(object.owner.is_some())
                + 128 * i128::from(object.tree.is_some())
                + 256 * object.outside.map_or(0, |o| 1 + o as i128);
            self.out.extend([flags, i128::from(object.size), object.weight() as i128]);
            if let Some(chain) = object.chain {
                let link = |l: super::chain::Link| [l.at as i128, l.to];
                self.out.extend(link(chain.next));
                self.out.extend(chain.previous.map_or([-1, -1], link));
                self.object(chain.front);
                self.object(chain.back);
                for kind in self.memory.kinds(chain.front) {
                    self.object(kind);
                }
            }
            if let Some(tree) = &object.tree {
                let parent = tree.shape.parent.map_or(-1, i128::from);
                self.out.extend([i128::from(tree.open), parent, tree.shape.to]);
                self.out.push(tree.shape.children.len() as i128);
                self.out.extend(tree.shape.children.iter().map(|at| i128::from(*at)));
                self.object(tree.root);
                self.object(tree.bottom);
            }
            if let Some(owner) = object.owner {
                self.object(owner);
            }
            if let Some((start, end)) = self.literals.get(&id) {
                self.out.extend([i128::from(*start), i128::from(*end)]);
            }
            for (at, length, content) in object.pieces() {
                self.piece(at, length, content);
            }
            if self.out.len() > MAX_STATE {
                return None;
            }
        }
        Some(())
    }

    /// What the path says of the symbols, and of those that occur together with them.
    fn conditions(&mut self) -> Option<()> {
        let conditions = projected(self.path, &|s| self.symbols.contains_key(&s))?;
        // Those about the state's own symbols come first, in an order that does not depend on the path.
        let (own, mut left): (Vec<Condition>, Vec<Condition>) =
            conditions.into_iter().partition(|c| c.0.terms.iter().all(|(s, _)| self.symbols.contains_key(s)));
        let mut written: Vec<Vec<i128>> = Vec::new();
        for condition in &own {
            let before = self.out.len();
            self.condition(condition);
            written.push(self.out.split_off(before));
        }
        written.sort_unstable();
        written.dedup();
        self.out.extend(written.iter().flatten());
        let known = |w: &Self, c: &Condition| c.0.terms.iter().any(|(s, _)| w.symbols.contains_key(s));
        while let Some(i) = left.iter().position(|c| known(self, c)) {
            let condition = left.remove(i);
            self.condition(&condition);
        }
        Some(())
    }

    fn condition(&mut self, (sum, relation, holds): &Condition) {
        self.out.extend([*relation as i128, i128::from(*holds)]);
        self.linear(sum);
    }
}

/// Something that a path says of symbols.
type Condition = (Linear, Relation, bool);

/// The conditions of a path without symbols that are not kept, as far as they can be left out without a change for the others:
/// one that equals a sum is replaced by it, and one that only differs from some numbers can always be chosen.
fn projected(path: &Path, kept: &dyn Fn(Symbol) -> bool) -> Option<Vec<Condition>> {
    let mut conditions = path.conditions().to_vec();
    if conditions.len() > MAX_CONDITIONS {
        return None;
    }
    loop {
        let solved = conditions.iter().enumerate().find_map(|(i, (sum, relation, holds))| {
            let equation = *relation == Relation::Zero && *holds;
            let free = |(s, factor): &&(Symbol, i128)| !kept(*s) && factor.abs() == 1;
            let (symbol, factor) = sum.terms.iter().filter(|_| equation).find(free)?;
            // factor * symbol + rest = 0
            let value = sum.plus(-factor, &Linear::symbol(*symbol))?.times(-factor)?;
            let ((low, high), (least, most)) = (path.bounds_of(*symbol), path.range(&value)?);
            (low <= least && most <= high).then_some((i, *symbol, value))
        });
        let Some((i, symbol, value)) = solved else { break };
        conditions.remove(i);
        for (sum, ..) in &mut conditions {
            if let Some((_, factor)) = sum.terms.iter().find(|(s, _)| *s == symbol).copied() {
                *sum = sum.plus(-factor, &Linear::symbol(symbol))?.plus(factor, &value)?;
            }
        }
    }
    // What is left of numbers alone holds.
    conditions.retain(|c| !c.0.terms.is_empty());
    loop {
        let before = conditions.len();
        let mut others: Vec<Symbol> = conditions.iter().flat_map(|c| c.0.terms.iter().map(|t| t.0)).collect();
        others.sort_unstable();
        others.dedup();
        for symbol in others.into_iter().filter(|s| !kept(*s)) {
            let about = |c: &Condition| c.0.terms.iter().any(|(s, _)| *s == symbol);
            let mut own = conditions.iter().filter(|c| about(c));
            let only_differs = own.clone().all(|(_, relation, holds)| *relation == Relation::Zero && !holds);
            let (low, high) = path.bounds_of(symbol);
            if only_differs && high - low >= own.by_ref().count() as i128 {
                conditions.retain(|c| !about(c));
            }
        }
        if conditions.len() == before {
            return Some(conditions);
        }
    }
}

/// A part of a state that was written down.
pub(super) struct Written {
    pub(super) key: Box<[i128]>,
    /// Its objects and symbols in the order of their numbers.
    pub(super) objects: Vec<ObjectId>,
    pub(super) symbols: Vec<Symbol>,
}

impl Machine<'_> {
    fn writer(&self, out: Vec<i128>) -> Writer<'_> {
        Writer {
            memory: &self.memory,
            path: &self.path,
            objects: Map::default(),
            open: Vec::new(),
            symbols: Map::default(),
            literals: self.literals.iter().map(|((start, end, _), id)| (*id, (*start, *end))).collect(),
            out,
        }
    }

    /// What can be reached from these values, objects and globals, without the conditions of the path.
    pub(super) fn written(
        &self,
        place: i128,
        values: &[Value],
        objects: &[ObjectId],
        globals: &[u32],
    ) -> Option<Written> {
        let mut writer = self.writer(vec![place, i128::from(self.path.inexact)]);
        for value in values {
            writer.value(value);
        }
        for global in globals {
            match self.globals[*global as usize] {
                Some(id) => writer.object(id),
                None => writer.out.push(-1),
            }
        }
        for object in objects {
            writer.object(*object);
        }
        writer.finish()?;
        let mut symbols: Vec<(i128, Symbol)> = writer.symbols.iter().map(|(s, n)| (*n, *s)).collect();
        symbols.sort_unstable();
        let mut objects: Vec<(i128, ObjectId)> = writer.objects.iter().map(|(o, n)| (*n, *o)).collect();
        objects.sort_unstable();
        Some(Written {
            objects: objects.into_iter().map(|(_, o)| o).collect(),
            symbols: symbols.into_iter().map(|(_, s)| s).collect(),
            key: writer.out.into_boxed_slice(),
        })
    }

    /// At a loop head: whether this is a state to which a path has come before, in which nothing is lost.
    pub(super) fn arrive(&mut self, place: i128, rounds: &mut Rounds, span: Span) -> Doing<()> {
        self.arrivals += 1;
        // A loop need not have statements: a test that reads leaves other paths all the same.
        if self.allowance.is_some_and(|a| a.is_used_up(self.steps, &self.path)) {
            return Err(Halt::Paused);
        }
        if let Some(how) = self.summing {
            self.sum_up(how, rounds, span)?;
        }
        // Between two decisions nothing comes back but what never ends.
        let decisions = self.path.taken.len();
        if self.visited.is_none()
            || (self.arrived == decisions && self.summing.is_none())
            || self.arrivals <= self.resumed
            || !self.path.is_beyond_given()
            || self.held > 0
            || self.watches_orders()
            || (!self.pending.is_empty() && self.summing.is_none())
        {
            return Ok(());
        }
        self.arrived = decisions;
        let Some(state) = self.state(place) else { return Ok(()) };
        self.budget.spend(1 + state.len() as u64 / 16)?;
        let Some(visited) = self.visited.as_deref_mut() else { return Ok(()) };
        if visited.states.contains(&state) {
            visited.met += 1;
            self.met = true;
            return Err(Halt::Cut);
        }
        let hopeless = visited.met == 0 && visited.states.len() >= PATIENCE;
        if !hopeless && visited.kept + state.len() <= MAX_KEPT {
            visited.kept += state.len();
            visited.states.insert(state);
        } else if hopeless {
            self.visited = None;
        }
        Ok(())
    }

    fn state(&self, place: i128) -> Option<Box<[i128]>> {
        let mut writer = self.writer(vec![place, i128::from(self.path.inexact), self.frames.len() as i128]);
        let slot = |writer: &mut Writer<'_>, object: &Option<ObjectId>| match object {
            Some(id) => writer.object(*id),
            None => writer.out.push(-1),
        };
        for global in &self.globals {
            slot(&mut writer, global);
        }
        for frame in &self.frames {
            writer.out.extend([
                i128::from(frame.function),
                frame.site as i128,
                frame.automatic.len() as i128,
            ]);
            for local in &frame.locals {
                slot(&mut writer, local);
            }
            for object in &frame.automatic {
                writer.object(*object);
            }
        }
        slot(&mut writer, &self.hidden);
        writer.out.push(self.at_exit.len() as i128);
        writer.out.extend(self.at_exit.iter().map(|f| i128::from(*f)));
        for value in &self.pending {
            writer.value(value);
        }
        writer.finish()?;
        writer.conditions()?;
        // What is lost is lost in every run from here, however it goes on.
        let lost = self.memory.objects.iter().enumerate().any(|(id, o)| {
            o.alive && o.storage == Storage::Heap && !writer.objects.contains_key(&(id as ObjectId))
        });
        let asked = self.asks_for_leaks() || super::asks(self.options, Check::Garbage);
        (!(lost && asked)).then(|| writer.out.into_boxed_slice())
    }
}
