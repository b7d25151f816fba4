//! Memory as C has it: objects of bytes, in which values lie.
//!
//! An object keeps the values that were stored where they were stored. What is read with the same place and length is
//! that value again; what is read otherwise is put together from bytes, if these are known.

use super::chain::Chain;
use super::outside::Outside;
use super::tree::Tree;
use super::value::{Bytes, Content, Fill, Linear, ObjectId, Value};
use crate::frontend::c::types::Ty;
use std::collections::BTreeMap;

/// Who made an object and how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// A global, or a literal: lives as long as the program.
    Static,
    /// A variable of a block, or what `alloca` gave.
    Automatic,
    /// By `malloc` and the like.
    Heap,
}

/// An object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) size: u64,
    pub(super) storage: Storage,
    /// It can be accessed.
    pub(super) alive: bool,
    /// It must not be written to.
    pub(super) constant: bool,
    /// The variable's name.
    pub(super) name: Option<String>,
    /// Its type, as far as it is known.
    pub(super) ty: Option<Ty>,
    /// It stands for cells in a row.
    pub(super) chain: Option<Chain>,
    /// It stands for the cells of a tree.
    pub(super) tree: Option<Tree>,
    /// Each cell of the chain with this front has one of these for itself.
    pub(super) owner: Option<ObjectId>,
    /// It says what some of the cells of the chain with this front hold.
    pub(super) kind_of: Option<ObjectId>,
    /// It comes from outside, and more of it comes to be.
    pub(super) outside: Option<Outside>,
    /// It turned out to be this object.
    pub(super) same_as: Option<ObjectId>,
    fill: Fill,
    slots: BTreeMap<u64, (u64, Content)>,
}

/// What bytes hold as one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found {
    Value(Value),
    /// None of the bytes was ever assigned.
    Arbitrary,
    /// Bytes of several values: nobody knows what they are together.
    Mixed,
}

impl Object {
    pub(super) fn new(size: u64, storage: Storage, fill: Fill) -> Object {
        Object {
            size,
            storage,
            alive: true,
            constant: false,
            name: None,
            ty: None,
            chain: None,
            tree: None,
            owner: None,
            outside: None,
            same_as: None,
            kind_of: None,
            fill,
            slots: BTreeMap::new(),
        }
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self, fill: Fill) {
        self.slots.clear();
        self.fill = fill;
    }

    /// How many values it keeps.
    pub(super) fn weight(&self) -> usize {
        self.slots.len()
    }

    /// What lies at its bytes, in order, apart from what all others have in common.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (u64, u64, &Content)> {
        self.slots.iter().map(|(at, (length, content))| (*at, *length, content))
    }

    /// The same, to be changed.
    pub(super) fn pieces_mut(&mut self) -> impl Iterator<Item = (u64, u64, &mut Content)> {
        self.slots.iter_mut().map(|(at, (length, content))| (*at, *length, content))
    }

    pub(super) fn contents_mut(&mut self) -> impl Iterator<Item = &mut Content> {
        self.slots.values_mut().map(|(_, content)| content)
    }

    /// What the bytes hold that are in no piece.
    pub(super) fn fill_of_rest(&self) -> Fill {
        self.fill
    }

    pub(super) fn values(&self) -> impl Iterator<Item = (u64, u64, &Value)> {
        self.slots.iter().filter_map(|(at, (length, content))| match content {
            Content::Value(value) => Some((*at, *length, value)),
            Content::Fill(_) => None,
        })
    }

    /// Cuts what lies across a place in two.
    fn cut(&mut self, at: u64) {
        let Some((&start, &(length, _))) = self.slots.range(..at).next_back() else { return };
        if start + length <= at {
            return;
        }
        let Some((length, content)) = self.slots.remove(&start) else { return };
        match content {
            Content::Fill(fill) => {
                self.slots.insert(start, (at - start, Content::Fill(fill)));
                self.slots.insert(at, (start + length - at, Content::Fill(fill)));
            }
            Content::Value(value) => {
                for i in 0..length {
                    self.slots.insert(start + i, (1, Content::Value(byte_of(&value, i, length))));
                }
            }
        }
    }

    fn clear(&mut self, at: u64, length: u64) {
        self.cut(at);
        self.cut(at + length);
        let inside: Vec<u64> = self.slots.range(at..at + length).map(|(start, _)| *start).collect();
        for start in inside {
            self.slots.remove(&start);
        }
    }

    pub(super) fn write(&mut self, at: u64, length: u64, value: Value) {
        if let Some((old, content)) = self.slots.get_mut(&at)
            && *old == length
        {
            *content = Content::Value(value);
            return;
        }
        self.clear(at, length);
        self.slots.insert(at, (length, Content::Value(value)));
    }

    /// Makes some bytes all alike.
    pub(super) fn fill(&mut self, at: u64, length: u64, fill: Fill) {
        if length == 0 {
            return;
        }
        self.clear(at, length);
        if fill != self.fill {
            self.slots.insert(at, (length, Content::Fill(fill)));
        }
    }

    pub(super) fn read(&self, at: u64, length: u64) -> Found {
        if let Some((own, content)) = self.slots.get(&at)
            && *own == length
        {
            return match content {
                Content::Value(value) => Found::Value(value.clone()),
                Content::Fill(Fill::Zero) => Found::Value(Value::int(0)),
                Content::Fill(Fill::Arbitrary) => Found::Arbitrary,
            };
        }
        let bytes: Vec<Content> = (at..at + length).map(|i| self.byte(i)).collect();
        if bytes.iter().all(|b| *b == Content::Fill(Fill::Arbitrary)) {
            return Found::Arbitrary;
        }
        if let [Content::Value(byte)] = &bytes[..] {
            return Found::Value(byte.clone());
        }
        let mut number = 0i128;
        for (i, byte) in bytes.iter().enumerate() {
            let known = match byte {
                Content::Fill(Fill::Zero) => Some(0),
                Content::Fill(Fill::Arbitrary) => None,
                Content::Value(value) => value.known(),
            };
            match known {
                Some(n) if i < 16 => number |= (n & 0xff) << (8 * i),
                _ => return together(&bytes),
            }
        }
        Found::Value(Value::int(number))
    }

    fn byte(&self, at: u64) -> Content {
        match self.slots.range(..=at).next_back() {
            Some((start, (length, content))) if at < start + length => match content {
                Content::Value(value) => Content::Value(byte_of(value, at - start, *length)),
                Content::Fill(fill) => Content::Fill(*fill),
            },
            _ => Content::Fill(self.fill),
        }
    }

    /// A copy of some bytes.
    pub(super) fn copy_out(&mut self, at: u64, length: u64) -> Bytes {
        self.cut(at);
        self.cut(at + length);
        let mut pieces = Vec::new();
        let mut next = at;
        for (start, (size, content)) in self.slots.range(at..at + length) {
            if next < *start {
                pieces.push((next - at, start - next, Content::Fill(self.fill)));
            }
            pieces.push((start - at, *size, content.clone()));
            next = start + size;
        }
        if next < at + length {
            pieces.push((next - at, at + length - next, Content::Fill(self.fill)));
        }
        Bytes { size: length, pieces }
    }

    /// Puts a copy of bytes to a place.
    pub(super) fn copy_in(&mut self, at: u64, bytes: &Bytes) {
        self.clear(at, bytes.size);
        for (start, length, content) in &bytes.pieces {
            if *content != Content::Fill(self.fill) {
                self.slots.insert(at + start, (*length, content.clone()));
            }
        }
    }
}

/// One byte of a value.
fn byte_of(value: &Value, index: u64, length: u64) -> Value {
    match value.known() {
        Some(number) => Value::int((number >> (8 * index.min(15))) & 0xff),
        None if length == 1 => value.clone(),
        None => Value::Fragment(Box::new(value.clone()), index as u8, length as u8),
    }
}

/// Bytes of one value, in order and complete, are the value.
fn together(bytes: &[Content]) -> Found {
    let Some(Content::Value(Value::Fragment(value, 0, length))) = bytes.first() else { return Found::Mixed };
    let same = |(i, byte): (usize, &Content)| matches!(byte, Content::Value(Value::Fragment(v, n, l)) if v == value && usize::from(*n) == i && l == length);
    if usize::from(*length) == bytes.len() && bytes.iter().enumerate().all(same) {
        Found::Value((**value).clone())
    } else {
        Found::Mixed
    }
}

/// All objects of a run; they keep their number when they end.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) objects: Vec<Object>,
    /// Numbers that can be given again.
    free: Vec<ObjectId>,
}

impl Memory {
    pub(super) fn add(&mut self, object: Object) -> ObjectId {
        if let Some(id) = self.free.pop() {
            self.objects[id as usize] = object;
            return id;
        }
        self.objects.push(object);
        (self.objects.len() - 1) as ObjectId
    }

    pub(super) fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id as usize]
    }

    pub(super) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[id as usize]
    }

    /// The heap objects that are alive and that nothing leads to from these values and objects.
    pub(super) fn lost(&self, values: &[Value], roots: &[ObjectId]) -> Vec<ObjectId> {
        let seen = self.reached(values, roots);
        let heap = |o: &Object| o.alive && o.storage == Storage::Heap;
        (0..).zip(&self.objects).filter(|(i, o)| heap(o) && !seen[*i as usize]).map(|(i, _)| i).collect()
    }

    /// For each object whether something leads to it from these values and objects.
    pub(super) fn reached(&self, values: &[Value], roots: &[ObjectId]) -> Vec<bool> {
        let mut seen = vec![false; self.objects.len()];
        let mut open: Vec<ObjectId> = roots.to_vec();
        open.extend(values.iter().flat_map(targets));
        while let Some(name) = open.pop() {
            let mut next = name;
            while let Some(same) = self.object(next).same_as {
                seen[next as usize] = true;
                next = same;
            }
            if !std::mem::replace(&mut seen[next as usize], true) {
                let object = self.object(next);
                open.extend(object.values().flat_map(|(_, _, value)| targets(value)));
                open.extend(object.ends().into_iter().flatten());
                if object.chain.is_some() {
                    open.extend(self.kinds(next));
                }
            }
        }
        seen
    }

    /// Gives the numbers of ended objects to which nothing leads any more to new ones.
    pub(super) fn recycle(&mut self, seen: &[bool]) {
        let gone = |o: &Object| !o.alive && o.storage != Storage::Static;
        let free = (0..).zip(self.objects.iter().zip(seen)).filter(|(_, (o, seen))| gone(o) && !**seen);
        self.free = free.map(|(id, _)| id).collect();
    }
}

/// The objects that a value leads to.
pub(super) fn targets(value: &Value) -> Vec<ObjectId> {
    match value {
        Value::Pointer(object, _) => vec![*object],
        Value::Fragment(inner, ..) => targets(inner),
        Value::Either(values) => values.iter().flat_map(targets).collect(),
        Value::Record(bytes) => {
            let of = |(_, _, content): &(u64, u64, Content)| match content {
                Content::Value(value) => targets(value),
                Content::Fill(_) => Vec::new(),
            };
            bytes.pieces.iter().flat_map(of).collect()
        }
        _ => Vec::new(),
    }
}

/// The beginning of an object.
pub(super) fn pointer(object: ObjectId) -> Value {
    pointer_to(object, 0)
}

/// A byte of an object.
pub(super) fn pointer_to(object: ObjectId, at: i128) -> Value {
    Value::Pointer(object, Linear::number(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_make_values_and_values_bytes() {
        let mut object = Object::new(16, Storage::Heap, Fill::Arbitrary);
        assert_eq!(object.read(0, 4), Found::Arbitrary);
        object.write(0, 4, Value::int(0x0403_0201));
        assert_eq!(object.read(1, 1), Found::Value(Value::int(2)));
        assert_eq!(object.read(0, 2), Found::Value(Value::int(0x0201)));
        assert_eq!(object.read(2, 4), Found::Mixed);
        object.write(1, 1, Value::int(9));
        assert_eq!(object.read(0, 4), Found::Value(Value::int(0x0403_0901)));
        object.fill(4, 8, Fill::Zero);
        assert_eq!(object.read(2, 4), Found::Value(Value::int(0x0403)));
        object.write(8, 8, pointer(3));
        let copy = object.copy_out(8, 8);
        for i in 0..8 {
            let Found::Value(byte) = object.read(8 + i, 1) else { panic!("a byte") };
            object.write(i, 1, byte);
        }
        assert_eq!(object.read(0, 8), Found::Value(pointer(3)), "a pointer copied byte by byte");
        object.fill(0, 16, Fill::Arbitrary);
        object.copy_in(4, &copy);
        assert_eq!(object.read(4, 8), Found::Value(pointer(3)));
        assert_eq!(object.read(0, 8), Found::Mixed);
        assert_eq!(object.weight(), 1);
    }

    #[test]
    fn what_nothing_leads_to_is_lost() {
        let mut memory = Memory::default();
        let global = memory.add(Object::new(8, Storage::Static, Fill::Zero));
        let first = memory.add(Object::new(8, Storage::Heap, Fill::Arbitrary));
        let second = memory.add(Object::new(8, Storage::Heap, Fill::Arbitrary));
        memory.object_mut(global).write(0, 8, pointer(first));
        memory.object_mut(first).write(0, 8, pointer(second));
        assert!(memory.lost(&[], &[global]).is_empty());
        memory.object_mut(first).write(0, 8, Value::int(0));
        assert_eq!(memory.lost(&[], &[global]), vec![second]);
        assert_eq!(memory.lost(&[pointer(second)], &[]), vec![first]);
    }
}
