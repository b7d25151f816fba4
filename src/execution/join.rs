//! What two cells have in common, said of both.
//!
//! Each of the cells has objects for itself (`claim`): those to which nobody leads but the cell and they themselves. They are joined
//! as well. An exact join says nothing that does not hold of both cells but the values of numbers that are unknown anyway; a loose
//! one says that a place holds either of several values.

use super::chain::Chain;
use super::fold::Leading;
use super::memory::{Found, Memory, Object, Storage, targets};
use super::path::Path;
use super::summary::hull;
use super::tree::Tree;
use super::value::{Content, Fill, Linear, ObjectId, Value};
use std::collections::BTreeMap;

/// Values that a place of a chain may hold, at most.
const MAX_EITHER: usize = 4;

/// What an object holds: its fill, and pieces with place and length.
pub(super) type Said = (Fill, Vec<(u64, u64, Content)>);

/// The objects that a cell has for itself belong to it from now on.
pub(super) fn claim(
    memory: &mut Memory,
    cell: ObjectId,
    links: &[u64],
    neighbours: &[ObjectId],
    leading: &[Leading],
) {
    let outer = memory.object(cell).owner;
    let mut all: Vec<ObjectId> = Vec::new();
    let mut open: Vec<ObjectId> = memory
        .object(cell)
        .values()
        .filter(|(at, ..)| !links.contains(at))
        .flat_map(|(_, _, value)| targets(value))
        .collect();
    while let Some(id) = open.pop() {
        let id = memory.resolve(id);
        let object = memory.object(id);
        let may = id != cell
            && !neighbours.contains(&id)
            && object.storage == Storage::Heap
            && object.alive
            && object.owner == outer
            && !leading[id as usize].pinned;
        if !may || all.contains(&id) {
            continue;
        }
        all.push(id);
        open.extend(object.ends().into_iter().flatten());
        open.extend(object.values().flat_map(|(_, _, value)| targets(value)));
    }
    // Whoever is known to somebody else is not the cell's own.
    loop {
        let inside = |of: ObjectId| {
            let mut of = of;
            loop {
                if of == cell || all.contains(&of) {
                    return true;
                }
                match memory.object(of).owner {
                    Some(owner) if Some(owner) != outer => of = owner,
                    _ => return false,
                }
            }
        };
        let own = |id: &ObjectId| leading[*id as usize].places.iter().all(|(of, _)| inside(*of));
        let whole = |id: &ObjectId| {
            memory.object(*id).ends().is_none_or(|ends| ends.iter().all(|end| all.contains(end)))
        };
        let kept: Vec<ObjectId> = all.iter().copied().filter(|id| own(id) && whole(id)).collect();
        if kept.len() == all.len() {
            break;
        }
        all = kept;
    }
    for id in all {
        memory.object_mut(id).owner = Some(cell);
    }
}

/// What becomes of an object.
pub(super) struct Change {
    pub(super) object: ObjectId,
    pub(super) said: Said,
    pub(super) chain: Option<Chain>,
    pub(super) tree: Option<Tree>,
    pub(super) owner: ObjectId,
}

/// A join that is made.
pub(super) struct Join<'j> {
    pub(super) memory: &'j Memory,
    path: &'j mut Path,
    exact: bool,
    /// Different numbers are different.
    keeps_numbers: bool,
    /// Pairs of objects and what they become.
    pub(super) pairs: BTreeMap<(ObjectId, ObjectId), ObjectId>,
    pub(super) changes: Vec<Change>,
}

/// A join that can be applied.
pub(super) struct Joined {
    changes: Vec<Change>,
    /// Objects of the second cell that became others.
    names: BTreeMap<ObjectId, ObjectId>,
    /// What the cell holds.
    pub(super) said: Said,
}

impl<'j> Join<'j> {
    /// A join of what the cells of two fronts hold.
    pub(super) fn new(
        memory: &'j Memory,
        path: &'j mut Path,
        exact: bool,
        keeps_numbers: bool,
        fronts: [ObjectId; 2],
    ) -> Join<'j> {
        // Pointers of what belongs to a cell to the cell itself.
        let pairs = BTreeMap::from([((fronts[0], fronts[1]), fronts[0])]);
        Join { memory, path, exact, keeps_numbers, pairs, changes: Vec::new() }
    }

    /// What two objects hold apart from these places. What they have for themselves has these owners now; the first one stays.
    pub(super) fn contents(
        &mut self,
        a: ObjectId,
        b: ObjectId,
        skip: &[u64],
        owners: [Option<ObjectId>; 2],
        owner: ObjectId,
    ) -> Option<Said> {
        let (x, y) = (self.memory.object(a), self.memory.object(b));
        if x.size != y.size {
            return None;
        }
        let zero = |o: &Object| {
            o.fill_of_rest() == Fill::Zero && o.pieces().all(|(_, _, c)| *c != Content::Fill(Fill::Arbitrary))
        };
        let fill = if zero(x) && zero(y) { Fill::Zero } else { Fill::Arbitrary };
        let mut regions: Vec<(u64, u64)> = x
            .values()
            .chain(y.values())
            .filter(|(at, ..)| !skip.contains(at))
            .map(|(at, length, _)| (at, at + length))
            .collect();
        regions.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (start, end) in regions {
            match merged.last_mut() {
                Some((_, last)) if start < *last => *last = end.max(*last),
                _ => merged.push((start, end)),
            }
        }
        let mut pieces = Vec::new();
        for (start, end) in merged {
            let length = end - start;
            let content = match (x.read(start, length), y.read(start, length)) {
                (Found::Arbitrary, Found::Arbitrary) => Content::Fill(Fill::Arbitrary),
                (Found::Value(v), Found::Arbitrary) | (Found::Arbitrary, Found::Value(v)) => match v {
                    _ if self.exact => return None,
                    Value::Int(_) | Value::Wild(_) | Value::Float(_) | Value::AnyFloat => {
                        Content::Fill(Fill::Arbitrary)
                    }
                    v => {
                        let never = Value::Wild(self.path.auxiliary(0, 1));
                        Content::Value(either(v, never)?)
                    }
                },
                (Found::Value(v), Found::Value(w)) => {
                    Content::Value(self.values(&v, &w, length, owners, owner)?)
                }
                _ => Content::Value(Value::Unknown),
            };
            pieces.push((start, length, content));
        }
        // Zeros that both have.
        if fill == Fill::Arbitrary {
            for (at, length, content) in x.pieces() {
                let both =
                    y.pieces().any(|(place, size, other)| (place, size) == (at, length) && other == content);
                let free = pieces.iter().all(|(start, size, _)| start + size <= at || at + length <= *start);
                if *content == Content::Fill(Fill::Zero) && both && free {
                    pieces.push((at, length, content.clone()));
                }
            }
        }
        Some((fill, pieces))
    }

    fn numbers(&mut self, x: &Linear, y: &Linear, length: u64) -> Option<Value> {
        match (x.known(), y.known()) {
            (Some(n), Some(m)) if n == m => Some(Value::int(n)),
            (Some(_), Some(_)) if self.keeps_numbers => None,
            (Some(_), _) | (_, Some(_)) if self.exact => None,
            _ => {
                let (low, high) = hull(self.path.range(x)?, self.path.range(y)?, length, None);
                Some(Value::Int(self.path.auxiliary(low, high)))
            }
        }
    }

    pub(super) fn values(
        &mut self,
        v: &Value,
        w: &Value,
        length: u64,
        owners: [Option<ObjectId>; 2],
        owner: ObjectId,
    ) -> Option<Value> {
        match (v, w) {
            (Value::Int(x), Value::Int(y)) => self.numbers(x, y, length),
            (Value::Pointer(p, x), Value::Pointer(q, y)) => {
                let (p, q) = (self.memory.resolve(*p), self.memory.resolve(*q));
                if x == y && x.known().is_some() {
                    if let Some(both) = self.pairs.get(&(p, q)) {
                        return Some(Value::Pointer(*both, x.clone()));
                    }
                    if p == q {
                        return Some(v.clone());
                    }
                    let before = (self.pairs.clone(), self.changes.len());
                    if let Some(both) = self.objects(p, q, owners, owner) {
                        return Some(Value::Pointer(both, x.clone()));
                    }
                    self.pairs = before.0;
                    self.changes.truncate(before.1);
                } else if p == q && x.known().is_none() && y.known().is_none() {
                    let (low, high) = hull(self.path.range(x)?, self.path.range(y)?, 8, None);
                    return Some(Value::Pointer(p, self.path.auxiliary(low, high)));
                }
                self.loose(v, w)
            }
            (Value::Either(values), other) | (other, Value::Either(values)) => {
                let first = matches!(v, Value::Either(_));
                for (i, value) in values.iter().enumerate() {
                    let before = (self.pairs.clone(), self.changes.len());
                    let (x, y) = if first { (value, other) } else { (other, value) };
                    match self.values(x, y, length, owners, owner) {
                        Some(Value::Either(_)) | None => {
                            self.pairs = before.0;
                            self.changes.truncate(before.1);
                        }
                        Some(both) => {
                            let mut all = values.clone();
                            all[i] = both;
                            return Some(Value::Either(all));
                        }
                    }
                }
                self.loose(v, w)
            }
            (Value::Wild(_), Value::Wild(_)) => Some(Value::Wild(self.path.auxiliary(0, 1))),
            (Value::Float(x), Value::Float(y)) if x.to_bits() == y.to_bits() => Some(v.clone()),
            (Value::Float(_) | Value::AnyFloat, Value::Float(_) | Value::AnyFloat) => Some(Value::AnyFloat),
            (Value::Fragment(..), _) | (_, Value::Fragment(..)) if v != w => Some(Value::Unknown),
            (Value::Unknown, _) | (_, Value::Unknown) => Some(Value::Unknown),
            _ if v == w => Some(v.clone()),
            _ => self.loose(v, w),
        }
    }

    fn loose(&self, v: &Value, w: &Value) -> Option<Value> {
        if self.exact { None } else { either(v.clone(), w.clone()) }
    }

    fn is_used(&self, id: ObjectId, side: usize) -> bool {
        self.pairs.keys().any(|(a, b)| if side == 0 { *a == id } else { *b == id })
    }

    /// Two objects that the cells have for themselves become one.
    fn objects(
        &mut self,
        p: ObjectId,
        q: ObjectId,
        owners: [Option<ObjectId>; 2],
        owner: ObjectId,
    ) -> Option<ObjectId> {
        let belongs = |id: ObjectId, side: usize| {
            let object = self.memory.object(id);
            object.alive && object.owner.is_some() && object.owner == owners[side]
        };
        if !belongs(p, 0) || !belongs(q, 1) || self.is_used(p, 0) || self.is_used(q, 1) {
            return None;
        }
        if [p, q].iter().any(|id| self.memory.object(*id).tree.is_some()) {
            return self.trees(p, q, owners, owner);
        }
        let (left, right) = (self.memory.object(p).chain, self.memory.object(q).chain);
        let chain = match (left, right) {
            (None, None) => {
                self.pairs.insert((p, q), p);
                let said = self.contents(p, q, &[], owners, owner)?;
                self.changes.push(Change { object: p, said, chain: None, tree: None, owner });
                return Some(p);
            }
            (Some(x), Some(y)) => {
                let same = (x.next, x.previous) == (y.next, y.previous);
                let ends = (p == x.front) == (q == y.front) || x.previous.is_none();
                (same && ends).then_some(x)?
            }
            (Some(chain), None) | (None, Some(chain)) => chain,
        };
        let both = |c: Option<Chain>, id| c.map_or((id, id), |c| (c.front, c.back));
        let ((pf, pb), (qf, qb)) = (both(left, p), both(right, q));
        // Chains with cells of several kinds are joined where they are folded.
        let kinds = |id| !self.memory.kinds(id).is_empty();
        if kinds(pf) || kinds(qf) {
            return None;
        }
        // One cell with links in both directions has no object for its end: the other chain's is used.
        let back = if chain.previous.is_some() && pf == pb { qb } else { pb };
        let links: Vec<u64> = [Some(chain.next), chain.previous].iter().flatten().map(|l| l.at).collect();
        for a in [pf, pb] {
            for b in [qf, qb] {
                let end = if qf == qb {
                    a
                } else if b == qf {
                    pf
                } else {
                    back
                };
                self.pairs.entry((a, b)).or_insert(end);
            }
        }
        let mut inner = owners;
        if left.is_some() {
            inner[0] = Some(pf);
        }
        if right.is_some() {
            inner[1] = Some(qf);
        }
        let (fill, mut pieces) = self.contents(pf, qf, &links, inner, pf)?;
        let end = |m: &Memory, id: ObjectId, at: u64, length: u64| match m.object(id).read(at, length) {
            Found::Value(value) => Some(value),
            _ => None,
        };
        let next = chain.next;
        let (v, w) =
            (end(self.memory, pb, next.at, next.length)?, end(self.memory, qb, next.at, next.length)?);
        let follows = self.values(&v, &w, next.length, owners, owner)?;
        let result = Chain { front: pf, back, ..chain };
        if let Some(previous) = chain.previous {
            let (v, w) = (
                end(self.memory, pf, previous.at, previous.length)?,
                end(self.memory, qf, previous.at, previous.length)?,
            );
            let precedes = self.values(&v, &w, previous.length, owners, owner)?;
            pieces.push((previous.at, previous.length, Content::Value(precedes)));
            let said = (Fill::Arbitrary, vec![(next.at, next.length, Content::Value(follows))]);
            self.changes.push(Change { object: back, said, chain: Some(result), tree: None, owner });
        } else {
            pieces.push((next.at, next.length, Content::Value(follows)));
        }
        self.changes.push(Change {
            object: pf,
            said: (fill, pieces),
            chain: Some(result),
            tree: None,
            owner,
        });
        self.pairs.get(&(p, q)).copied()
    }

    /// What is to be done.
    pub(super) fn finish(self, said: Said, cell: ObjectId) -> Joined {
        let mut names: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
        // The cell itself is left to whoever folds.
        for ((_, b), both) in self.pairs.iter().filter(|((_, b), _)| *b != cell) {
            names.entry(*b).or_insert(*both);
        }
        Joined { changes: self.changes, names, said }
    }
}

/// One of several values.
fn either(v: Value, w: Value) -> Option<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for value in [v, w] {
        let all = match value {
            Value::Either(values) => values,
            value => vec![value],
        };
        for value in all {
            let wild = matches!(value, Value::Wild(_)) && kept.iter().any(|k| matches!(k, Value::Wild(_)));
            if !wild && !kept.contains(&value) {
                kept.push(value);
            }
        }
    }
    // Null comes first, so that the same values are written alike.
    kept.sort_by_key(|value| match value {
        Value::Int(_) => 0,
        Value::Wild(_) => 1,
        _ => 2,
    });
    (kept.len() <= MAX_EITHER).then_some(Value::Either(kept))
}

impl Joined {
    /// Carries the join out: what belonged to objects of the second cell belongs to what they became.
    pub(super) fn apply(&self, memory: &mut Memory) {
        for Change { object, said, chain, tree, owner } in &self.changes {
            let of = memory.object_mut(*object);
            of.replace(said);
            of.chain = *chain;
            of.tree.clone_from(tree);
            of.owner = Some(*owner);
        }
        let all: Vec<ObjectId> = (0..memory.objects.len() as ObjectId).collect();
        rename(memory, &all, &self.names);
        for (id, _) in self.names.iter().filter(|(a, b)| a != b) {
            memory.drop_object(*id);
        }
    }
}

/// In chains and what belongs to them, objects get other names.
pub(super) fn rename(memory: &mut Memory, within: &[ObjectId], names: &BTreeMap<ObjectId, ObjectId>) {
    let new = |id: ObjectId| names.get(&id).copied().unwrap_or(id);
    for id in within {
        let object = memory.object_mut(*id);
        object.owner = object.owner.map(new);
        object.kind_of = object.kind_of.map(new);
        object.change(&mut |value| value.replace_objects(&new));
    }
}
