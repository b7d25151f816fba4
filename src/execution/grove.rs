//! Cells become trees.
//!
//! Which pointers of a struct are links of a tree is known from its type: those that lead to structs of the same type. One that
//! always leads back to the cell whose other links lead here is the link to the parent.
//!
//! A cell whose links all are null or lead to trees becomes a tree with them, if nobody else leads to these. A cell with one link to
//! something else becomes an open tree, and an open tree that leads to a tree becomes one with it. A variable that points to
//! a cell keeps it apart.

use super::fold::{Leading, leading};
use super::join::claim;
use super::machine::{Doing, Machine};
use super::memory::{Found, Memory, Object, Storage, targets};
use super::summary::Summing;
use super::tree::{Shape, Tree};
use super::value::{ObjectId, Value};
use crate::frontend::c::types::{RecordId, Ty, Types};
use crate::util::hash::Map;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Elements of an array of links, at most.
const MAX_ELEMENTS: u64 = 8;

/// Pointers of a struct that are looked at, at most.
const MAX_POINTERS: usize = 100;

/// Which of several links that may be the one to the parent is: structs declare it first or last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    First,
    Last,
}

/// Places of a struct where pointers to structs of the same type lie.
#[derive(Debug)]
struct Places {
    places: Vec<u64>,
    to: i128,
}

/// The structs that may be cells of trees.
#[derive(Debug, Default)]
pub(super) struct Kinds(BTreeMap<u32, Places>);

/// How the cells of each struct are linked in a state.
pub(super) type Shapes = BTreeMap<u32, Arc<Shape>>;

impl Kinds {
    pub(super) fn of(types: &Types) -> Kinds {
        let mut all = BTreeMap::new();
        for (id, record) in (0..).zip(&types.records) {
            let mut by_offset: BTreeMap<i128, Vec<u64>> = BTreeMap::new();
            let inner: Vec<(RecordId, u64)> = parts(types, RecordId(id));
            let mut pointers = Vec::new();
            pointers_in(types, &Ty::Record(RecordId(id)), 0, &mut pointers);
            for (at, target) in pointers {
                let mut own = inner.iter().filter(|(part, _)| *part == target);
                if let (Some((_, to)), None) = (own.next(), own.next()) {
                    by_offset.entry(i128::from(*to)).or_default().push(at);
                }
            }
            let several = by_offset.into_iter().find(|(_, places)| places.len() > 1);
            if let (Some((to, mut places)), false) = (several, record.union) {
                places.sort_unstable();
                places.dedup();
                all.insert(id, Places { places, to });
            }
        }
        Kinds(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Where pointers to structs lie in an object of this type.
fn pointers_in(types: &Types, ty: &Ty, at: u64, out: &mut Vec<(u64, RecordId)>) {
    match ty {
        Ty::Pointer(target) => {
            if let Ty::Record(target) = **target {
                out.push((at, target));
            }
        }
        Ty::Array(element, Some(count)) if *count <= MAX_ELEMENTS => {
            let size = types.layout(element).map_or(0, |(size, _)| size);
            for i in 0..*count {
                pointers_in(types, element, at + i * size, out);
            }
        }
        Ty::Record(id) if out.len() < MAX_POINTERS => {
            let record = types.record(*id);
            for (member, offset) in record.members.iter().flatten().zip(&record.offsets) {
                pointers_in(types, &member.ty, at + offset.byte, out);
            }
        }
        _ => {}
    }
}

/// A struct and those inside of it, with the bytes at which they lie.
fn parts(types: &Types, id: RecordId) -> Vec<(RecordId, u64)> {
    let mut all = vec![(id, 0)];
    let mut next = 0;
    while let Some((record, at)) = all.get(next).copied() {
        next += 1;
        let of = types.record(record);
        for (member, offset) in of.members.iter().flatten().zip(&of.offsets) {
            if let Ty::Record(inner) = member.ty
                && all.len() < 100
            {
                all.push((inner, at + offset.byte));
            }
        }
    }
    all
}

/// The record that an object is.
fn record_of(object: &Object) -> Option<u32> {
    match object.ty {
        Some(Ty::Record(id)) if object.alive && object.storage == Storage::Heap => Some(id.0),
        _ => None,
    }
}

/// What a child link of a cell holds.
enum Child {
    Null,
    /// A tree to which nothing else leads.
    Own(ObjectId),
    Other(Value),
}

impl Machine<'_> {
    /// How cells are linked in this state.
    pub(super) fn shapes(&self, parent: Parent) -> Shapes {
        let word = if self.types().lp64 { 8 } else { 4 };
        let mut shapes = Shapes::new();
        for object in &self.memory.objects {
            if let (Some(record), Some(tree)) = (record_of(object), &object.tree) {
                shapes.entry(record).or_insert_with(|| tree.shape.clone());
            }
        }
        for (record, Places { places, to }) in &self.landmarks.kinds.0 {
            if shapes.contains_key(record) {
                continue;
            }
            let edges = self.edges(*record, places, *to, word);
            let leads_back = |place: &&u64| {
                let own = edges.get(*place);
                let others = || edges.iter().filter(|(at, _)| at != place).flat_map(|(_, e)| e.iter());
                own.is_some_and(|own| {
                    own.iter().all(|(a, b)| others().any(|e| *e == (*b, *a)))
                        && others().all(|(a, b)| own.contains(&(*b, *a)))
                })
            };
            let parent = match parent {
                Parent::First => places.iter().find(leads_back),
                Parent::Last => places.iter().rev().find(leads_back),
            };
            let children: Vec<u64> = places.iter().copied().filter(|at| Some(at) != parent).collect();
            if children.len() > 1 {
                let shape = Shape { children, parent: parent.copied(), word, to: *to };
                shapes.insert(*record, Arc::new(shape));
            }
        }
        shapes
    }

    /// Which cells of a struct lead to which, by place.
    fn edges(&self, record: u32, places: &[u64], to: i128, word: u64) -> Map<u64, Vec<(ObjectId, ObjectId)>> {
        let mut edges: Map<u64, Vec<(ObjectId, ObjectId)>> = Map::default();
        for (id, object) in (0..).zip(&self.memory.objects) {
            if record_of(object) != Some(record) {
                continue;
            }
            for at in places {
                if let Found::Value(Value::Pointer(target, offset)) = object.read(*at, word) {
                    let target = self.memory.resolve(target);
                    if offset.known() == Some(to) && record_of(self.memory.object(target)) == Some(record) {
                        edges.entry(*at).or_default().push((id, target));
                    }
                }
            }
        }
        edges
    }

    /// Makes trees as long as there is something to make.
    pub(super) fn plant(&mut self, shapes: &Shapes, how: Summing) -> Doing<()> {
        if shapes.is_empty() {
            return Ok(());
        }
        loop {
            let (planted, tried) = self.plant_once(shapes, how);
            // Each attempt works on a copy.
            self.budget.spend((1 + tried) * (1 + self.memory.objects.len() as u64 / 8))?;
            if !planted {
                return Ok(());
            }
        }
    }

    fn plant_once(&mut self, shapes: &Shapes, how: Summing) -> (bool, u64) {
        let word = if self.types().lp64 { 8 } else { 4 };
        let leading = leading(&self.memory, &self.pending, word);
        let mut tried = 0;
        for id in 0..self.memory.objects.len() as ObjectId {
            let object = self.memory.object(id);
            let Some(shape) = record_of(object).and_then(|r| shapes.get(&r)).cloned() else { continue };
            let done = match object.tree.clone() {
                Some(tree) if tree.root == id && tree.open => {
                    tried += 1;
                    self.graft(&tree, &leading, how)
                }
                None if object.chain.is_none() && !leading[id as usize].pinned => {
                    tried += 1;
                    self.gather(id, &shape, &leading, how)
                }
                _ => false,
            };
            if done {
                return (true, tried);
            }
        }
        (false, tried)
    }

    /// Whether nothing but this place, and what belongs to the tree itself, leads to a tree.
    fn is_own(&self, root: ObjectId, by: (ObjectId, u64), leading: &[Leading]) -> bool {
        let inside = self.memory.owned(root);
        let of = &leading[root as usize];
        !of.pinned && of.places.iter().all(|at| *at == by || inside.contains(&at.0) || at.0 == root)
    }

    /// Whether the link of a cell to its parent leads to this one.
    fn has_parent(&self, cell: ObjectId, parent: ObjectId, shape: &Shape) -> bool {
        let Some(at) = shape.parent else { return true };
        match self.memory.object(cell).read(at, shape.word) {
            Found::Value(Value::Pointer(id, offset)) => {
                self.memory.resolve(id) == parent && offset.known() == Some(shape.to)
            }
            _ => false,
        }
    }

    /// What the child links of a cell hold.
    fn children(&self, cell: ObjectId, shape: &Arc<Shape>, leading: &[Leading]) -> Option<Vec<Child>> {
        let object = self.memory.object(cell);
        let mut all = Vec::new();
        for at in &shape.children {
            let Found::Value(value) = object.read(*at, shape.word) else { return None };
            all.push(match &value {
                Value::Int(n) if n.known() == Some(0) => Child::Null,
                Value::Pointer(id, offset) if offset.known() == Some(shape.to) => {
                    let id = self.memory.resolve(*id);
                    let child = self.memory.object(id);
                    let closed = child.tree == Some(Tree::closed(id, shape)) && child.owner == object.owner;
                    if closed && self.is_own(id, (cell, *at), leading) && self.has_parent(id, cell, shape) {
                        Child::Own(id)
                    } else {
                        Child::Other(value)
                    }
                }
                Value::Pointer(..) => Child::Other(value),
                _ => return None,
            });
        }
        Some(all)
    }

    /// A cell becomes a tree, with the trees below it.
    fn gather(&mut self, cell: ObjectId, shape: &Arc<Shape>, leading: &[Leading], how: Summing) -> bool {
        let Some(children) = self.children(cell, shape, leading) else { return false };
        let is_child = leading[cell as usize].places.iter().any(|(id, at)| {
            shape.children.contains(at) && self.memory.object(*id).ty == self.memory.object(cell).ty
        });
        let mut below = Vec::new();
        let mut out = Vec::new();
        for child in children {
            match child {
                Child::Null => {}
                Child::Own(id) => below.push(id),
                Child::Other(value) => out.push(value),
            }
        }
        if out.len() > 1 || !is_child && below.is_empty() {
            return false;
        }
        let mut work = self.memory.clone();
        let mut neighbours = below.clone();
        neighbours.push(cell);
        neighbours.extend(out.iter().flat_map(targets).map(|id| work.resolve(id)));
        claim(&mut work, cell, &shape.places(), &neighbours, leading);
        let above = shape.parent.map(|at| (at, work.object(cell).read(at, shape.word)));
        work.object_mut(cell).without(&shape.places());
        let Some(mut work) = self.absorb(work, cell, &below, shape, how) else { return false };
        if let Some((at, Found::Value(value))) = above {
            work.object_mut(cell).write(at, shape.word, value);
        }
        let mut tree = Tree::closed(cell, shape);
        if let Some(value) = out.pop() {
            tree.open = true;
            // Where cells know their parent, that of the one below is the bottom.
            if let Some(at) = shape.parent {
                let [target] = targets(&value)[..] else { return false };
                let target = work.resolve(target);
                if target == cell || !self.has_parent(target, cell, shape) {
                    return false;
                }
                tree.bottom = work.add(Object::bottom_of(work.object(cell)));
                work.link(target, at, shape, tree.bottom);
            } else if targets(&value).iter().any(|t| work.resolve(*t) == cell) {
                return false;
            }
            work.object_mut(tree.bottom).write(tree.out(), shape.word, value);
        }
        work.set_tree(&tree);
        self.memory = work;
        true
    }

    /// An open tree and the tree to which it leads become one.
    fn graft(&mut self, tree: &Tree, leading: &[Leading], how: Summing) -> bool {
        let shape = &tree.shape;
        let Some(Value::Pointer(next, offset)) = self.memory.leads_out(tree) else { return false };
        let next = self.memory.resolve(next);
        let object = self.memory.object(next);
        let Some(lower) = object.tree.clone() else { return false };
        let by = (tree.bottom, tree.out());
        let fits = offset.known() == Some(shape.to)
            && lower.shape == *shape
            && lower.root == next
            && next != tree.root
            && object.owner == self.memory.object(tree.root).owner
            && self.has_parent(next, tree.bottom, shape)
            && self.is_own(next, by, leading);
        if !fits {
            return false;
        }
        // The cell in the middle is known to the one below only.
        if let (Some(at), false) = (shape.parent, tree.bottom == tree.root) {
            let of = &leading[tree.bottom as usize];
            if of.pinned || of.places.iter().any(|by| *by != (next, at)) {
                return false;
            }
        }
        let out = self.memory.leads_out(&lower);
        if lower.open && out.is_none() {
            return false;
        }
        if out
            .iter()
            .flat_map(targets)
            .any(|t| [tree.root, tree.bottom, next].contains(&self.memory.resolve(t)))
        {
            return false;
        }
        let mut work = self.memory.clone();
        let above = shape.parent.map(|at| (at, work.object(tree.root).read(at, shape.word)));
        work.object_mut(tree.root).without(&shape.places());
        let Some(mut work) = self.absorb(work, tree.root, &[next], shape, how) else { return false };
        if let Some((at, Found::Value(value))) = above {
            work.object_mut(tree.root).write(at, shape.word, value);
        }
        if tree.bottom != tree.root {
            work.drop_object(tree.bottom);
        }
        let mut whole = Tree::closed(tree.root, shape);
        if let Some(value) = out {
            whole.open = true;
            if lower.bottom != next {
                whole.bottom = lower.bottom;
            }
            work.object_mut(whole.bottom).write(whole.out(), shape.word, value);
        }
        work.set_tree(&whole);
        self.memory = work;
        true
    }

    /// What an object says is said of the cells of these trees too; they are no more.
    fn absorb(
        &mut self,
        mut work: Memory,
        root: ObjectId,
        below: &[ObjectId],
        shape: &Shape,
        how: Summing,
    ) -> Option<Memory> {
        let how = Summing { kinds: 1, ..how };
        for tree in below {
            // In what holds of all cells, a pointer to the root means the cell itself.
            let mut theirs = work.owned(*tree);
            theirs.push(*tree);
            let places = shape.places();
            let to_root = |id: &ObjectId| {
                let link = |at: u64| id == tree && places.contains(&at);
                let object = work.object(*id);
                object
                    .values()
                    .filter(|(at, ..)| !link(*at))
                    .any(|(_, _, value)| targets(value).iter().any(|t| work.resolve(*t) == root))
            };
            if theirs.iter().any(to_root) {
                return None;
            }
            work = self.kinds_of_both(work, root, *tree, &places, how)?;
            work.drop_object(*tree);
        }
        Some(work)
    }
}
