//! Cells in a row become a chain.
//!
//! Two neighbours are folded if what they hold can be said in one (`join`) and nobody but the first leads to the second: a
//! pointer that would lead into the middle of the chain keeps cells apart, and so does a variable that points to one. In a
//! list with links in both directions the second cell stays as the last one of the chain.

use super::chain::{Chain, Link};
use super::grove::Shapes;
use super::join::{Join, Said, claim, rename};
use super::machine::{Doing, Machine};
use super::memory::{Found, Memory, Object, Storage, targets};
use super::summary::Summing;
use super::value::{Content, Fill, ObjectId, Value};
use crate::frontend::c::types::Ty;
use std::collections::BTreeMap;

/// Who leads to an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Leading {
    /// Places of pointers: object and offset.
    pub(super) places: Vec<(ObjectId, u64)>,
    /// A variable that is a pointer, or a value that is still to be used.
    pub(super) pinned: bool,
    /// A value that is still to be used, which has no place.
    held: bool,
}

/// Who leads to each object.
pub(super) fn leading(memory: &Memory, pending: &[Value], word: u64) -> Vec<Leading> {
    let mut all = vec![Leading::default(); memory.objects.len()];
    for (id, object) in (0..).zip(&memory.objects) {
        if !object.alive {
            continue;
        }
        let variable = object.storage != Storage::Heap && object.size == word;
        for (at, _, value) in object.values() {
            for target in targets(value) {
                let of = &mut all[memory.resolve(target) as usize];
                of.places.push((id, at));
                of.pinned |= variable;
            }
        }
    }
    for target in pending.iter().flat_map(targets) {
        let of = &mut all[memory.resolve(target) as usize];
        (of.pinned, of.held) = (true, true);
    }
    all
}

/// The pointer to another object that lies at a place.
fn follow(memory: &Memory, of: ObjectId, at: u64, length: u64) -> Option<(ObjectId, i128)> {
    match memory.object(of).read(at, length) {
        Found::Value(Value::Pointer(id, offset)) => Some((memory.resolve(id), offset.known()?)),
        _ => None,
    }
}

/// Neighbours and the links between them.
struct Pair {
    /// The last cell of the first part, and the first cell of the second one.
    last: ObjectId,
    first: ObjectId,
    next: Link,
    previous: Option<Link>,
}

impl Machine<'_> {
    /// Folds as long as there is something to fold.
    pub(super) fn fold(&mut self, how: Summing, shapes: &Shapes) -> Doing<()> {
        loop {
            let (folded, tried) = self.fold_once(how, shapes);
            // Each attempt works on a copy.
            self.budget.spend((1 + tried) * (1 + self.memory.objects.len() as u64 / 8))?;
            if !folded {
                return Ok(());
            }
        }
    }

    fn fold_once(&mut self, how: Summing, shapes: &Shapes) -> (bool, u64) {
        let mut tried = 0;
        let word = if self.types().lp64 { 8 } else { 4 };
        let leading = leading(&self.memory, &self.pending, word);
        for last in 0..self.memory.objects.len() as ObjectId {
            let object = self.memory.object(last);
            // Cells of trees are left to `grove`.
            let in_tree = matches!(&object.ty, Some(Ty::Record(id)) if shapes.contains_key(&id.0));
            if !object.alive || object.storage != Storage::Heap || in_tree {
                continue;
            }
            let links: Vec<(u64, u64)> = match object.chain {
                Some(chain) if chain.back == last => vec![(chain.next.at, chain.next.length)],
                Some(_) => continue,
                None => object.values().map(|(at, length, _)| (at, length)).filter(|l| l.1 == word).collect(),
            };
            for (at, length) in links {
                let Some(pair) = self.neighbours(last, at, length, &leading, how) else { continue };
                tried += 1;
                if self.fold_pair(&pair, &leading, how) {
                    return (true, tried);
                }
            }
        }
        (false, tried)
    }

    /// The cells that a link connects, if they may be of one kind.
    fn neighbours(
        &self,
        last: ObjectId,
        at: u64,
        length: u64,
        leading: &[Leading],
        how: Summing,
    ) -> Option<Pair> {
        let memory = &self.memory;
        let (first, to) = follow(memory, last, at, length)?;
        let next = Link { at, length, to };
        let (a, b) = (memory.object(last), memory.object(first));
        let alike = b.alive
            && b.storage == Storage::Heap
            && a.size == b.size
            && a.owner == b.owner
            && (a.ty.is_none() || b.ty.is_none() || a.ty == b.ty);
        let begins = b.chain.is_none_or(|c| c.front == first);
        let fits = [a, b].iter().all(|o| o.chain.is_none_or(|c| c.next == next));
        if first == last || !alike || !begins || !fits || at + length > a.size {
            return None;
        }
        let front = a.chain.map_or(last, |c| c.front);
        if front == first {
            return None;
        }
        let backwards = match (a.chain, b.chain) {
            (Some(x), Some(y)) if x.previous != y.previous => return None,
            (Some(chain), _) | (None, Some(chain)) => match chain.previous {
                Some(link) => {
                    (follow(memory, first, link.at, link.length) == Some((last, link.to))).then_some(link)?;
                    Some(link)
                }
                None => None,
            },
            (None, None) => b.values().find_map(|(back, size, value)| match value {
                Value::Pointer(id, offset) if back != at && size == length => {
                    let to = offset.known().filter(|_| memory.resolve(*id) == last)?;
                    Some(Link { at: back, length, to })
                }
                _ => None,
            }),
        };
        // Of a link that only some cells have, a chain would say nothing.
        if a.chain.is_none() && b.chain.is_none() && !self.is_row(last, first, &next, how.row, leading) {
            return None;
        }
        Some(Pair { last, first, next, previous: backwards })
    }

    /// Whether two cells are among so many that this link connects.
    fn is_row(
        &self,
        last: ObjectId,
        first: ObjectId,
        link: &Link,
        least: usize,
        leading: &[Leading],
    ) -> bool {
        let memory = &self.memory;
        let size = memory.object(last).size;
        let mut met = vec![last, first];
        let mut end = first;
        while met.len() < least {
            match follow(memory, end, link.at, link.length) {
                Some((id, to)) if to == link.to && memory.object(id).size == size && !met.contains(&id) => {
                    if memory.object(id).chain.is_some() {
                        return true;
                    }
                    met.push(id);
                    end = id;
                }
                _ => break,
            }
        }
        let mut begin = last;
        while met.len() < least {
            let mut before = leading[begin as usize].places.iter().filter(|(_, at)| *at == link.at);
            let Some((id, _)) = before.find(|(id, _)| memory.object(*id).size == size && !met.contains(id))
            else {
                break;
            };
            if memory.object(*id).chain.is_some() {
                return true;
            }
            met.push(*id);
            begin = *id;
        }
        met.len() >= least
    }

    fn fold_pair(&mut self, pair: &Pair, leading: &[Leading], how: Summing) -> bool {
        let Pair { last, first, next, previous } = *pair;
        let memory = &self.memory;
        let (left, right) = (memory.object(last).chain, memory.object(first).chain);
        let (front, back) = (left.map_or(last, |c| c.front), right.map_or(first, |c| c.back));
        // A cell that a variable points to stays.
        let pinned = |id: ObjectId| leading[id as usize].pinned;
        if left.is_none() && pinned(last) || pinned(first) {
            return false;
        }
        // The last cell of a chain with links both ways goes.
        if left.is_some_and(|chain| chain.front != last) && leading[last as usize].held {
            return false;
        }
        // What follows must not be the cell that goes.
        let out = memory.object(back).read(next.at, next.length);
        if let Found::Value(value) = &out
            && targets(value).iter().any(|t| [first, back].contains(&memory.resolve(*t)))
        {
            return false;
        }
        let before = previous.map(|p| (p, memory.object(front).read(p.at, p.length)));
        let links: Vec<u64> = [Some(next), previous].iter().flatten().map(|l| l.at).collect();
        let mut work = memory.clone();
        let neighbours = [front, last, first, back];
        for (cell, chain) in [(last, left), (first, right)] {
            if chain.is_none() {
                claim(&mut work, cell, &links, &neighbours, leading);
            }
        }
        // Nobody else leads to the cells in the middle.
        let mut theirs = work.owned(first);
        theirs.extend([first, back]);
        let inside = |at: &(ObjectId, u64)| theirs.contains(&at.0) || *at == (last, next.at);
        // In what holds of all cells, a pointer to the front means the cell itself.
        let to_front = |id: &ObjectId| {
            let object = work.object(*id);
            let links_of = |at: u64| (*id == first || *id == back) && links.contains(&at);
            object
                .values()
                .filter(|(at, ..)| !links_of(*at))
                .any(|(_, _, value)| targets(value).iter().any(|t| [front, last].contains(&work.resolve(*t))))
        };
        if theirs.iter().any(to_front) {
            return false;
        }
        let keeps_second = previous.is_some() && right.is_none();
        if !keeps_second && !leading[first as usize].places.iter().all(inside) {
            return false;
        }
        if let (Some(link), Some(_)) = (previous, left)
            && leading[last as usize].places.iter().any(|at| *at != (first, link.at))
        {
            return false;
        }
        work.object_mut(front).without(&links);
        let Some(mut work) = self.kinds_of_both(work, front, first, &links, how) else { return false };
        let outer = self.memory.object(front).owner;
        if let Some((link, Found::Value(value))) = before {
            work.object_mut(front).write(link.at, link.length, value);
        }
        let chain_back = if previous.is_some() { back } else { front };
        if previous.is_some() {
            work.object_mut(back).reset(Fill::Arbitrary);
        }
        if let Found::Value(value) = out {
            work.object_mut(chain_back).write(next.at, next.length, value);
        }
        let chain = Chain { front, back: chain_back, next, previous };
        for end in [front, chain_back] {
            let object = work.object_mut(end);
            object.chain = Some(chain);
            object.owner = outer;
        }
        for gone in [last, first, back] {
            if gone != front && gone != chain_back {
                work.drop_object(gone);
            }
        }
        self.memory = work;
        true
    }

    /// Each kind of cell of the second part becomes one of the first part.
    pub(super) fn kinds_of_both(
        &mut self,
        mut work: Memory,
        front: ObjectId,
        first: ObjectId,
        links: &[u64],
        how: Summing,
    ) -> Option<Memory> {
        let mut ours = vec![front];
        ours.extend(work.kinds(front));
        let mut theirs = vec![first];
        theirs.extend(work.kinds(first));
        for kind in theirs {
            let owners = [Some(front), Some(first)];
            let mut done = false;
            for exact in [true, false].into_iter().take(1 + usize::from(how.loose)) {
                for own in &ours {
                    let mut join = Join::new(&work, &mut self.path, exact, how.keeps_numbers, [front, first]);
                    let Some(said) = join.contents(*own, kind, links, owners, front) else { continue };
                    let joined = join.finish(said, first);
                    joined.apply(&mut work);
                    work.object_mut(*own).replace(&joined.said);
                    done = true;
                    break;
                }
                if !done && exact && ours.len() < how.kinds {
                    let mut object = work.object(kind).clone();
                    object.without(links);
                    object.chain = None;
                    object.owner = Some(front);
                    object.kind_of = Some(front);
                    ours.push(work.add(object));
                    done = true;
                }
                if done {
                    break;
                }
            }
            if !done {
                return None;
            }
            if kind != first {
                work.drop_object(kind);
            }
        }
        let mut all = work.owned(front);
        all.extend(work.owned(first));
        all.push(front);
        rename(&mut work, &all, &BTreeMap::from([(first, front)]));
        Some(work)
    }
}

impl Object {
    /// Other content.
    pub(super) fn replace(&mut self, (fill, pieces): &Said) {
        self.reset(*fill);
        for (at, length, content) in pieces {
            match content {
                Content::Value(value) => self.write(*at, *length, value.clone()),
                Content::Fill(fill) => self.fill(*at, *length, *fill),
            }
        }
    }

    /// Without what lies at these places.
    pub(super) fn without(&mut self, places: &[u64]) {
        let pieces: Vec<(u64, u64, Content)> = self
            .pieces()
            .filter(|(at, ..)| !places.contains(at))
            .map(|(at, length, content)| (at, length, content.clone()))
            .collect();
        self.replace(&(self.fill_of_rest(), pieces));
    }
}
