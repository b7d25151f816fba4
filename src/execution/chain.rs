//! Chains: one object that stands for one or more linked cells, as many as nobody knows.
//!
//! A program that builds a list has a state for each length. Where states are summed up (`summary`), cells in a row that are
//! alike become a chain: the object in front says what each of the cells holds, and where it differs from cell to cell, which
//! values there are. Objects that each cell has for itself (a text, a list of its own) belong to the front as their owner. In a list
//! with links in both directions the last cell has an object too, which only says what follows.
//!
//! A chain is never empty, and its cells are no other objects. Whoever accesses one of its ends takes that cell out first: either
//! it is the only one, or others are left; each is a path. So nothing else has to know of chains but what compares addresses.

use super::machine::{Doing, Machine};
use super::memory::{Found, Memory, Object, pointer_to};
use super::tree::Tree;
use super::value::{Content, Fill, Linear, ObjectId, Symbol, Value};
use crate::util::hash::Map;
use crate::util::span::Span;

/// How a cell leads to its neighbour: where the pointer lies, how long it is, and which byte of the neighbour it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) at: u64,
    pub(super) length: u64,
    pub(super) to: i128,
}

/// What an object that stands for several cells is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chain {
    /// The first cell, and what holds of all of them.
    pub(super) front: ObjectId,
    /// The last cell; the same object as the front if links lead one way only.
    pub(super) back: ObjectId,
    pub(super) next: Link,
    pub(super) previous: Option<Link>,
}

impl Chain {
    fn links(&self) -> Vec<Link> {
        [Some(self.next), self.previous].into_iter().flatten().collect()
    }
}

impl Memory {
    /// The object that this one turned out to be.
    pub(super) fn resolve(&self, mut id: ObjectId) -> ObjectId {
        while let Some(same) = self.object(id).same_as {
            id = same;
        }
        id
    }

    /// The objects that each cell of this chain has for itself, and those that belong to them, ascending.
    pub(super) fn owned(&self, front: ObjectId) -> Vec<ObjectId> {
        let mut all: Vec<ObjectId> = Vec::new();
        let mut open = vec![front];
        while let Some(owner) = open.pop() {
            let own = (0..).zip(&self.objects).filter(|(_, o)| o.owner == Some(owner)).map(|(id, _)| id);
            let own: Vec<ObjectId> = own.collect();
            open.extend(&own);
            all.extend(own);
        }
        all.sort_unstable();
        all
    }

    /// What some of the cells of this chain hold that hold something else than its front says.
    pub(super) fn kinds(&self, front: ObjectId) -> Vec<ObjectId> {
        (0..).zip(&self.objects).filter(|(_, o)| o.kind_of == Some(front)).map(|(id, _)| id).collect()
    }

    /// The object is no more, and was never freed.
    pub(super) fn drop_object(&mut self, id: ObjectId) {
        let object = self.object_mut(id);
        object.alive = false;
        object.chain = None;
        object.tree = None;
        object.owner = None;
        object.kind_of = None;
        object.reset(Fill::Arbitrary);
    }

    fn put_link(&mut self, of: ObjectId, link: Link, target: ObjectId) {
        self.object_mut(of).write(link.at, link.length, pointer_to(target, link.to));
    }
}

/// What becomes of objects and symbols in a copy.
#[derive(Default)]
struct Names {
    objects: Map<ObjectId, ObjectId>,
    symbols: Map<Symbol, Linear>,
}

impl Machine<'_> {
    /// The object that an address leads to, as a cell of its own.
    pub(super) fn settled(&mut self, id: ObjectId, span: Span) -> Doing<ObjectId> {
        let id = self.memory.resolve(id);
        if let Some(chain) = self.memory.object(id).chain {
            self.unfold(id, chain, span)?;
        } else if let Some(tree) = self.memory.object(id).tree.clone() {
            self.unfold_tree(id, &tree, span)?;
        }
        Ok(self.memory.resolve(id))
    }

    /// Two objects whose addresses are compared: the ends of one chain may be one cell.
    pub(super) fn settled_pair(
        &mut self,
        a: ObjectId,
        b: ObjectId,
        span: Span,
    ) -> Doing<(ObjectId, ObjectId)> {
        let (x, y) = (self.memory.resolve(a), self.memory.resolve(b));
        match self.memory.object(x).chain {
            Some(chain) if x != y && self.memory.object(y).chain == Some(chain) => {
                self.unfold(x, chain, span)?;
                Ok((self.memory.resolve(x), self.memory.resolve(y)))
            }
            None if x != y
                && self
                    .memory
                    .object(x)
                    .tree
                    .as_ref()
                    .is_some_and(|t| self.memory.object(y).tree.as_ref() == Some(t)) =>
            {
                self.settled(x, span)?;
                Ok((self.memory.resolve(x), self.memory.resolve(y)))
            }
            _ => Ok((x, y)),
        }
    }

    /// Takes an end of a chain out of it.
    fn unfold(&mut self, id: ObjectId, chain: Chain, span: Span) -> Doing<()> {
        let Chain { front, back, next, previous } = chain;
        let more = self.choose(span)?;
        match previous {
            None if more => {
                let follows = self.memory.object(front).read(next.at, next.length);
                let rest = self.copy_cell(front, span)?;
                if let Found::Value(follows) = follows {
                    self.memory.object_mut(rest).write(next.at, next.length, follows);
                }
                self.become_chain(Chain { front: rest, back: rest, next, previous });
                self.memory.put_link(front, next, rest);
            }
            None => {}
            Some(previous_link) if more && id == front => {
                let rest = self.copy_cell(front, span)?;
                self.memory.put_link(rest, previous_link, front);
                self.become_chain(Chain { front: rest, back, next, previous });
                self.memory.put_link(front, next, rest);
            }
            Some(previous_link) if more => {
                let follows = self.memory.object(back).read(next.at, next.length);
                // The cell that is taken out gets a copy of what holds of all, under the name that the last one has.
                let cell = self.copy_cell(front, span)?;
                let mut object = self.memory.object(cell).clone();
                object.owner = self.memory.object(back).owner;
                *self.memory.object_mut(back) = object;
                self.memory.object_mut(cell).reset(Fill::Arbitrary);
                self.memory.object_mut(cell).same_as = None;
                // `cell` is the new last one; what was copied for it belongs to the one that was taken out.
                for own in self.memory.owned(cell) {
                    let object = self.memory.object_mut(own);
                    if object.owner == Some(cell) {
                        object.owner = Some(back);
                        object.kind_of = object.kind_of.map(|_| back);
                    }
                }
                self.rename_in(back, cell, back);
                if let Found::Value(follows) = follows {
                    self.memory.object_mut(back).write(next.at, next.length, follows);
                }
                self.memory.put_link(back, previous_link, cell);
                self.memory.put_link(cell, next, back);
                self.become_chain(Chain { front, back: cell, next, previous });
                return self.become_cell(back, &chain.links(), span);
            }
            Some(_) => {
                let follows = self.memory.object(back).read(next.at, next.length);
                if let Found::Value(follows) = follows {
                    self.memory.object_mut(front).write(next.at, next.length, follows);
                }
                self.memory.drop_object(back);
                self.memory.object_mut(back).same_as = Some(front);
            }
        }
        self.become_cell(front, &chain.links(), span)
    }

    fn become_chain(&mut self, chain: Chain) {
        for end in [chain.front, chain.back] {
            self.memory.object_mut(end).chain = Some(chain);
        }
    }

    /// In an object and what belongs to it, pointers to one object lead to another.
    fn rename_in(&mut self, of: ObjectId, from: ObjectId, to: ObjectId) {
        let mut all = self.memory.owned(of);
        all.push(of);
        for id in all {
            let mut object = self.memory.object(id).clone();
            object.change(&mut |value| {
                value.replace_objects(&|o| if o == from { to } else { o });
            });
            *self.memory.object_mut(id) = object;
        }
    }

    /// A new object with what holds of the cells of a chain, and with objects of its own: numbers that differ from cell to
    /// cell are new ones.
    pub(super) fn copy_cell(&mut self, front: ObjectId, span: Span) -> Doing<ObjectId> {
        let mut all = vec![front];
        all.extend(self.memory.owned(front));
        let mut names = Names::default();
        for id in &all {
            let object = self.memory.object(*id).clone();
            let copy = self.new_object(object, span)?;
            names.objects.insert(*id, copy);
        }
        for copy in all.iter().filter_map(|id| names.objects.get(id).copied()).collect::<Vec<_>>() {
            let mut object = self.memory.object(copy).clone();
            let renamed = |id: ObjectId| names.objects.get(&id).copied().unwrap_or(id);
            object.owner = object.owner.map(renamed);
            object.kind_of = object.kind_of.map(renamed);
            object.chain = object
                .chain
                .map(|c| Chain { front: renamed(c.front), back: renamed(c.back), ..c })
                .filter(|_| copy != renamed(front));
            object.tree = object
                .tree
                .map(|t| Tree { root: renamed(t.root), bottom: renamed(t.bottom), ..t })
                .filter(|_| copy != renamed(front));
            let memory = &self.memory;
            object.change(&mut |value| {
                value.replace_objects(&|o| renamed(memory.resolve(o)));
            });
            let path = &mut self.path;
            let symbols = &mut names.symbols;
            object.change(&mut |value| {
                value.replace_symbols(&mut |symbol| {
                    let fresh = symbols.entry(symbol).or_insert_with(|| {
                        let (low, high) = path.bounds_of(symbol);
                        path.auxiliary(low, high)
                    });
                    fresh.clone()
                });
            });
            *self.memory.object_mut(copy) = object;
        }
        Ok(names.objects.get(&front).copied().unwrap_or(front))
    }

    /// The object stands for one cell now: what it owned are objects like others, and of several values it has one.
    pub(super) fn become_cell(&mut self, id: ObjectId, links: &[Link], span: Span) -> Doing<()> {
        self.memory.object_mut(id).chain = None;
        self.choose_kind(id, links, span)?;
        let outer = self.memory.object(id).owner;
        let released: Vec<ObjectId> =
            (0..).zip(&self.memory.objects).filter(|(_, o)| o.owner == Some(id)).map(|(i, _)| i).collect();
        let mut met: Vec<ObjectId> = Vec::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            if self.memory.object(next).ends().is_none() {
                self.choose_values(next, span)?;
            }
            for target in self.memory.object(next).values().flat_map(|(_, _, v)| super::memory::targets(v)) {
                let target = self.memory.resolve(target);
                if released.contains(&target) && !met.contains(&target) {
                    met.push(target);
                    open.push(target);
                    for end in self.memory.object(target).ends().into_iter().flatten() {
                        if !met.contains(&end) {
                            met.push(end);
                            open.push(end);
                        }
                    }
                }
            }
        }
        for object in released {
            if met.contains(&object) {
                self.memory.object_mut(object).owner = outer;
            } else {
                for own in self.memory.owned(object) {
                    self.memory.drop_object(own);
                }
                self.memory.drop_object(object);
            }
        }
        Ok(())
    }

    /// The cell is of one kind: each is a path.
    fn choose_kind(&mut self, id: ObjectId, links: &[Link], span: Span) -> Doing<()> {
        for kind in self.memory.kinds(id) {
            if self.choose(span)? {
                let kept: Vec<(Link, Found)> =
                    links.iter().map(|l| (*l, self.memory.object(id).read(l.at, l.length))).collect();
                let size = self.memory.object(id).size;
                let content = self.memory.object_mut(kind).copy_out(0, size);
                let fill = self.memory.object(kind).fill_of_rest();
                let object = self.memory.object_mut(id);
                object.reset(fill);
                object.copy_in(0, &content);
                for (link, found) in kept {
                    if let Found::Value(value) = found {
                        object.write(link.at, link.length, value);
                    }
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// One of several values: each is a path.
    fn choose_values(&mut self, id: ObjectId, span: Span) -> Doing<()> {
        let several: Vec<(u64, u64, Vec<Value>)> = self
            .memory
            .object(id)
            .values()
            .filter_map(|(at, length, value)| match value {
                Value::Either(values) => Some((at, length, values.clone())),
                _ => None,
            })
            .collect();
        for (at, length, mut values) in several {
            let mut chosen = values.pop().unwrap_or(Value::Unknown);
            while let Some(other) = values.pop() {
                if self.choose(span)? {
                    chosen = other;
                    break;
                }
            }
            self.memory.object_mut(id).write(at, length, chosen);
        }
        Ok(())
    }
}

impl Object {
    /// Changes all values.
    pub(super) fn change(&mut self, by: &mut dyn FnMut(&mut Value)) {
        for content in self.contents_mut() {
            if let Content::Value(value) = content {
                by(value);
            }
        }
    }
}

impl Value {
    /// Pointers lead to other objects.
    pub(super) fn replace_objects(&mut self, by: &dyn Fn(ObjectId) -> ObjectId) {
        match self {
            Value::Pointer(id, _) => *id = by(*id),
            Value::Fragment(inner, ..) => inner.replace_objects(by),
            Value::Record(bytes) => {
                for (_, _, content) in &mut bytes.pieces {
                    if let Content::Value(value) = content {
                        value.replace_objects(by);
                    }
                }
            }
            Value::Either(values) => values.iter_mut().for_each(|v| v.replace_objects(by)),
            _ => {}
        }
    }

    /// The sums in it change.
    pub(super) fn replace_sums(&mut self, by: &mut dyn FnMut(&mut Linear)) {
        match self {
            Value::Int(sum) | Value::Pointer(_, sum) | Value::Wild(sum) => by(sum),
            Value::Fragment(inner, ..) => inner.replace_sums(by),
            Value::Record(bytes) => {
                for (_, _, content) in &mut bytes.pieces {
                    if let Content::Value(value) = content {
                        value.replace_sums(by);
                    }
                }
            }
            Value::Either(values) => values.iter_mut().for_each(|v| v.replace_sums(by)),
            _ => {}
        }
    }

    /// Symbols are replaced by sums; a sum that becomes too large for that keeps its symbols.
    pub(super) fn replace_symbols(&mut self, by: &mut dyn FnMut(Symbol) -> Linear) {
        self.replace_sums(&mut |sum| {
            let mut result = Some(Linear::number(sum.constant));
            for (symbol, factor) in &sum.terms {
                result = result.and_then(|r| r.plus(*factor, &by(*symbol)));
            }
            if let Some(result) = result {
                *sum = result;
            }
        });
    }
}
