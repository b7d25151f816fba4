//! What a call sees of the state, taken out of it and put back (`recursion`).

use super::chain::Chain;
use super::machine::{Doing, Frame, Halt, Machine};
use super::memory::{Memory, Object, Storage, pointer, targets};
use super::recursion::{Known, Local, Numbers};
use super::summary::Summing;
use super::tree::Tree;
use super::value::{Fill, Linear, ObjectId, Symbol, Value};
use super::visited::Written;
use crate::frontend::c::types::Ty;
use crate::program::{Check, Property};
use crate::util::hash::Map;
use crate::util::span::Span;

/// Entries of a function, and ends of an entry, before numbers that change become intervals.
const MANY: usize = 8;
/// The place of the numbers of values themselves.
const VALUES: ObjectId = ObjectId::MAX;

impl Object {
    /// Other names for objects, and other symbols.
    fn renamed(
        mut self,
        objects: &dyn Fn(ObjectId) -> ObjectId,
        symbols: &mut dyn FnMut(Symbol) -> Linear,
    ) -> Object {
        self.owner = self.owner.map(objects);
        self.kind_of = self.kind_of.map(objects);
        self.chain = self.chain.map(|c| Chain { front: objects(c.front), back: objects(c.back), ..c });
        self.tree = self.tree.map(|t| Tree { root: objects(t.root), bottom: objects(t.bottom), ..t });
        self.change(&mut |value| {
            value.replace_objects(objects);
            value.replace_symbols(symbols);
        });
        self
    }
}

impl Machine<'_> {
    /// A call of a recursive function, by what is known of its body. Nothing is returned where the state is no model of it.
    pub(super) fn call_summed(
        &mut self,
        function: u32,
        arguments: Vec<Value>,
        span: Span,
    ) -> Doing<Option<Value>> {
        let (Some(calls), Some(how)) = (self.calls.clone(), self.summing) else { return Ok(None) };
        self.keeps_nothing(span)?;
        let known = calls.borrow().known(function).clone();
        let visible = self.visible(&arguments, &known);
        let shared = self.shared(&visible, &known);
        for (id, _) in visible.iter().enumerate().filter(|(_, seen)| **seen) {
            let object = self.memory.object(id as ObjectId);
            if object.owner.is_some_and(|o| !visible[o as usize]) {
                return self.give_up(span, "a recursive call sees a part of a summary");
            }
            let size = object.size;
            self.touch_below(id as ObjectId, size, known.writes);
        }
        // The state that the call sees is summed up by itself.
        let outer =
            (std::mem::take(&mut self.pending), std::mem::take(&mut self.frames), self.memory.clone());
        for (id, seen) in visible.iter().enumerate() {
            if !seen && self.memory.object(id as ObjectId).same_as.is_none() {
                self.memory.drop_object(id as ObjectId);
            }
        }
        let entered = self.entry(function, arguments, &shared, &known, how, span);
        (self.pending, self.frames, self.memory) = outer;
        let index = entered?;
        let (exits, ends) = {
            let calls = calls.borrow();
            (calls.entries[index].exits.len(), calls.entries[index].ends)
        };
        if ends && self.watches_orders() {
            return self.give_up(span, "a program that ends inside of this expression");
        }
        self.may_end |= ends;
        if exits == 0 {
            // What follows is looked at when more is known.
            self.waits = true;
            return Err(Halt::Cut);
        }
        let mut chosen = 0;
        while chosen + 1 < exits && self.choose(span)? {
            chosen += 1;
        }
        let exit = calls.borrow().entries[index].exits[chosen].clone();
        for (id, seen) in visible.iter().enumerate() {
            let object = self.memory.object(id as ObjectId);
            let stays = shared.contains(&(id as ObjectId)) || object.storage == Storage::Static;
            if *seen && !stays && object.same_as.is_none() {
                self.memory.drop_object(id as ObjectId);
            }
        }
        Ok(self.put_back(&exit, &shared).into_iter().next())
    }

    /// What the library keeps between its calls belongs to no part of the state.
    fn keeps_nothing(&self, span: Span) -> Doing<()> {
        if self.at_exit.is_empty() && self.hidden.is_none() {
            return Ok(());
        }
        self.give_up(span, "what the library keeps between its calls is not seen by a recursive call")
    }

    /// The objects that a call can come to.
    fn visible(&self, arguments: &[Value], known: &Known) -> Vec<bool> {
        let roots: Vec<ObjectId> = known.globals.iter().filter_map(|g| self.globals[*g as usize]).collect();
        self.memory.reached(arguments, &roots)
    }

    /// Those of them that somebody else leads to as well, ascending.
    fn shared(&self, visible: &[bool], known: &Known) -> Vec<ObjectId> {
        let mut shared: Vec<ObjectId> = Vec::new();
        let mut note = |id: ObjectId| {
            let id = self.memory.resolve(id);
            if visible[id as usize] {
                shared.push(id);
            }
        };
        for (id, object) in self.memory.objects.iter().enumerate() {
            if object.alive && !visible[id] {
                object.values().flat_map(|(_, _, value)| targets(value)).for_each(&mut note);
            }
        }
        for frame in &self.frames {
            frame.locals.iter().flatten().chain(&frame.automatic).copied().for_each(&mut note);
        }
        self.pending.iter().flat_map(targets).for_each(&mut note);
        for (global, id) in self.globals.iter().enumerate() {
            if let Some(id) = id
                && known.globals.contains(&(global as u32))
            {
                note(*id);
            }
        }
        shared.sort_unstable();
        shared.dedup();
        shared
    }

    /// The entry of a call; memory holds nothing but what it sees.
    fn entry(
        &mut self,
        function: u32,
        arguments: Vec<Value>,
        shared: &[ObjectId],
        known: &Known,
        how: Summing,
        span: Span,
    ) -> Doing<usize> {
        let Some(calls) = self.calls.clone() else { return self.give_up(span, "recursion") };
        self.frames = vec![base(function, shared)];
        self.pending = arguments;
        let count = self.pending.len();
        self.pending.extend(shared.iter().map(|id| pointer(*id)));
        self.forget_relations(None, span)?;
        self.forget_in_values(&self.function(function).parameters, span)?;
        self.sum_cells(how)?;
        let mut written = self.written_local(function, count, shared, known, span)?;
        let (last, entries) = calls.borrow_mut().last.remove(&function).unwrap_or_default();
        if entries >= MANY {
            self.widen(&written, count, &last);
            written = self.written_local(function, count, shared, known, span)?;
        }
        let all = around(last, self.local_numbers(&written, count));
        calls.borrow_mut().last.insert(function, (all, entries + 1));
        let local = || self.take_out(&written, count, shared, known);
        let index = calls.borrow_mut().enter(function, written.key.clone(), local);
        match index {
            Some(index) => Ok(index),
            None => self.give_up(span, "recursive calls are made in too many states"),
        }
    }

    fn written_local(
        &self,
        function: u32,
        values: usize,
        shared: &[ObjectId],
        known: &Known,
        span: Span,
    ) -> Doing<Written> {
        let written = self.written(i128::from(function), &self.pending[..values], shared, &known.globals);
        match written {
            Some(written) => Ok(written),
            None => self.give_up(span, "a recursive call sees too much"),
        }
    }

    /// Numbers in values become symbols of their own.
    fn forget_in_values(&mut self, types: &[Ty], span: Span) -> Doing<()> {
        let mut too_large = false;
        let path = &mut self.path;
        for (value, ty) in self.pending.iter_mut().zip(types) {
            // It lies in the range of its type.
            let (least, most) = match (&*value, ty.int()) {
                (Value::Int(_), Some(kind)) => (kind.min(), kind.max()),
                _ => (i128::MIN, i128::MAX),
            };
            value.replace_sums(&mut |sum| {
                if !sum.terms.is_empty() {
                    match path.range(sum) {
                        Some((low, high)) => *sum = path.auxiliary(low.max(least), high.min(most)),
                        None => too_large = true,
                    }
                }
            });
        }
        if too_large { self.give_up(span, "a number is too large to be computed with") } else { Ok(()) }
    }

    /// The ranges of the numbers of a local state, by the numbers of its objects.
    fn local_numbers(&self, written: &Written, values: usize) -> Numbers {
        let mut numbers = Numbers::new();
        let mut note = |key, value: &Value| {
            if let Value::Int(sum) = value
                && let Some(range) = self.path.range(sum)
            {
                numbers.insert(key, range);
            }
        };
        for (i, value) in self.pending[..values].iter().enumerate() {
            note((VALUES, i as u64), value);
        }
        for (number, id) in (0..).zip(&written.objects) {
            let object = self.memory.object(*id);
            if object.ends().is_none() && object.owner.is_none() {
                for (at, _, value) in object.values() {
                    note((number, at), value);
                }
            }
        }
        numbers
    }

    /// Numbers become intervals around all that they were before.
    fn widen(&mut self, written: &Written, values: usize, last: &Numbers) {
        let now = self.local_numbers(written, values);
        for ((object, at), range) in now {
            let Some(before) = last.get(&(object, at)).filter(|before| **before != range) else { continue };
            if object == VALUES {
                let (low, high) = self.landmarks.around(*before, range, 8, None);
                self.pending[at as usize] = Value::Int(self.path.auxiliary(low, high));
                continue;
            }
            let id = written.objects[object as usize];
            let length = self.memory.object(id).values().find(|(place, ..)| *place == at).map(|v| v.1);
            if let Some(length) = length {
                let (low, high) = self.landmarks.around(*before, range, length, None);
                let value = Value::Int(self.path.auxiliary(low, high));
                self.memory.object_mut(id).write(at, length, value);
            }
        }
    }

    /// What was written down, as a state by itself.
    fn take_out(&self, written: &Written, values: usize, shared: &[ObjectId], known: &Known) -> Local {
        let numbers: Map<ObjectId, ObjectId> =
            written.objects.iter().enumerate().map(|(number, id)| (*id, number as ObjectId)).collect();
        let of = |id: ObjectId| numbers.get(&self.memory.resolve(id)).copied().unwrap_or_default();
        let symbols: Map<Symbol, Symbol> =
            written.symbols.iter().enumerate().map(|(number, s)| (*s, number as Symbol)).collect();
        let mut symbol = |s: Symbol| Linear::symbol(symbols.get(&s).copied().unwrap_or_default());
        let mut memory = Memory::default();
        for id in &written.objects {
            memory.add(self.memory.object(*id).clone().renamed(&of, &mut symbol));
        }
        let values = self.pending[..values].iter().cloned().map(|mut value| {
            value.replace_objects(&of);
            value.replace_symbols(&mut symbol);
            value
        });
        let values = values.collect();
        let globals = known.globals.iter().filter_map(|g| Some((*g, of(self.globals[*g as usize]?))));
        let literals = self.literals.iter().filter(|(_, id)| numbers.contains_key(*id));
        let mut literals: Vec<_> = literals.map(|(literal, id)| (literal.clone(), of(*id))).collect();
        literals.sort_unstable();
        Local {
            memory,
            globals: globals.collect(),
            literals,
            values,
            shared: shared.iter().map(|id| of(*id)).collect(),
            bounds: written.symbols.iter().map(|s| self.path.bounds_of(*s)).collect(),
            inexact: self.path.inexact,
        }
    }

    /// What a call has left takes the place of what it saw; the values of the call.
    fn put_back(&mut self, local: &Local, shared: &[ObjectId]) -> Vec<Value> {
        let mut names: Map<ObjectId, ObjectId> = Map::default();
        let mut same: Vec<(ObjectId, ObjectId)> = Vec::new();
        for (id, number) in shared.iter().zip(&local.shared) {
            match names.get(number) {
                Some(first) => same.push((*id, *first)),
                None => {
                    names.insert(*number, *id);
                }
            }
        }
        for (global, number) in &local.globals {
            if let Some(id) = self.globals[*global as usize] {
                names.entry(*number).or_insert(id);
            }
        }
        for (literal, number) in &local.literals {
            if let Some(id) = self.literals.get(literal) {
                names.entry(*number).or_insert(*id);
            }
        }
        for number in 0..local.memory.objects.len() as ObjectId {
            names
                .entry(number)
                .or_insert_with(|| self.memory.add(Object::new(0, Storage::Heap, Fill::Arbitrary)));
        }
        for (global, number) in &local.globals {
            self.globals[*global as usize] = names.get(number).copied();
        }
        for (literal, number) in &local.literals {
            if let Some(id) = names.get(number) {
                self.literals.insert(literal.clone(), *id);
            }
        }
        let of = |id: ObjectId| names.get(&id).copied().unwrap_or(id);
        let symbols: Vec<Linear> =
            local.bounds.iter().map(|(low, high)| self.path.auxiliary(*low, *high)).collect();
        let mut symbol = |s: Symbol| symbols[s as usize].clone();
        for (number, object) in (0..).zip(&local.memory.objects) {
            *self.memory.object_mut(of(number)) = object.clone().renamed(&of, &mut symbol);
        }
        for (id, first) in same {
            self.memory.drop_object(id);
            self.memory.object_mut(id).same_as = Some(first);
        }
        self.path.inexact |= local.inexact;
        let values = local.values.iter().cloned().map(|mut value| {
            value.replace_objects(&of);
            value.replace_symbols(&mut symbol);
            value
        });
        values.collect()
    }

    /// Executes the body of a function from one of its entries, and keeps the state in which it returns.
    pub(super) fn run_entry(&mut self, index: usize) -> Halt {
        let halt = self.follow_entry(index).err().unwrap_or(Halt::Ended);
        self.ended_in_order(halt)
    }

    fn follow_entry(&mut self, index: usize) -> Doing<()> {
        let (Some(calls), Some(how)) = (self.calls.clone(), self.summing) else { return Ok(()) };
        let (function, at) = {
            let entry = &calls.borrow().entries[index];
            (entry.function, entry.at.clone())
        };
        let known = calls.borrow().known(function).clone();
        let span = self.function(function).span;
        for (low, high) in &at.bounds {
            self.path.auxiliary(*low, *high);
        }
        self.path.inexact = at.inexact;
        self.memory = at.memory;
        for (global, id) in at.globals {
            self.globals[global as usize] = Some(id);
        }
        self.literals.extend(at.literals);
        self.frames = vec![base(function, &at.shared)];
        self.pending = at.shared.iter().map(|id| pointer(*id)).collect();
        let body = self.invoke_body(function, at.values, None, span);
        // In another order of operands the program need not come to where it ended.
        let cut = matches!(body, Err(Halt::Cut)) && !self.met && !self.waits;
        let halts = matches!(body, Err(Halt::Ended)) || cut || self.may_end;
        calls.borrow_mut().entries[index].ends |= halts;
        let result = match body {
            // The caller's memory is not here.
            Err(Halt::Ended) if self.options.property == Some(Property::Memcleanup) => {
                return self.give_up(span, "the program may end inside of a recursive call");
            }
            Err(halt) => return Err(halt),
            Ok(result) => result,
        };
        self.keeps_nothing(span)?;
        if super::asks(self.options, Check::Garbage) {
            return self.give_up(span, "garbage is not looked for on paths");
        }
        self.pending.insert(0, result.unwrap_or(Value::Unknown));
        self.drop_lost(span)?;
        self.forget_relations(None, span)?;
        self.forget_in_values(std::slice::from_ref(&self.function(function).result), span)?;
        self.sum_cells(how)?;
        let mut written = self.written_local(function, 1, &at.shared, &known, span)?;
        let (last, count) = {
            let entry = &mut calls.borrow_mut().entries[index];
            entry.count += 1;
            (entry.last.take(), entry.count)
        };
        let last = last.unwrap_or_default();
        if count > MANY {
            self.widen(&written, 1, &last);
            written = self.written_local(function, 1, &at.shared, &known, span)?;
        }
        let numbers = around(last, self.local_numbers(&written, 1));
        let kept = calls
            .borrow_mut()
            .leave(index, written.key.clone(), || self.take_out(&written, 1, &at.shared, &known));
        calls.borrow_mut().entries[index].last = Some(numbers);
        if kept { Ok(()) } else { self.give_up(span, "a recursive call ends in too many states") }
    }
}

/// The intervals around all numbers.
fn around(mut all: Numbers, more: Numbers) -> Numbers {
    for (place, (low, high)) in more {
        let known = all.entry(place).or_insert((low, high));
        *known = (known.0.min(low), known.1.max(high));
    }
    all
}

/// What stands for all callers: it keeps what they share with the call.
fn base(function: u32, shared: &[ObjectId]) -> Frame {
    Frame { function, site: 0, locals: Vec::new(), automatic: shared.to_vec(), further: None }
}
