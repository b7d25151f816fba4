//! Trees: one object that stands for one or more cells of which each leads to several others, as many as nobody knows.
//!
//! What `chain` is to lists this is to trees. The object at the root says what each of the cells holds; a link of a cell is null
//! or leads to another cell of the tree, to which nothing else leads. A tree may be open: exactly one link of one of its cells
//! leads out of it, to what the object says. So a path that goes down a tree is an open tree with trees at its sides, and a
//! variable that stands on it keeps its cell. Where cells lead to their parent, an open tree has an object too for the cell
//! whose link leads out.
//!
//! Whoever accesses a root takes that cell out first: each of its links is null or leads to a tree of its own, each is a path.
//! `grove` makes trees.

use super::chain::Link;
use super::join::{Change, Join};
use super::machine::{Doing, Machine};
use super::memory::{Found, Memory, Object, Storage, pointer_to};
use super::value::{Content, Fill, ObjectId, Value};
use crate::util::span::Span;
use std::sync::Arc;

/// How the cells of a tree are linked: where the pointers lie, and which byte of a cell they lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) children: Vec<u64>,
    pub(super) parent: Option<u64>,
    pub(super) word: u64,
    pub(super) to: i128,
}

impl Shape {
    /// Where links lie.
    pub(super) fn places(&self) -> Vec<u64> {
        self.children.iter().copied().chain(self.parent).collect()
    }

    fn links(&self) -> Vec<Link> {
        self.places().into_iter().map(|at| Link { at, length: self.word, to: self.to }).collect()
    }
}

/// What an object that stands for a tree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    /// What holds of all cells, and the first of them.
    pub(super) root: ObjectId,
    /// The cell whose link leads out; the same object as the root if cells do not know their parent, or nothing leads out.
    pub(super) bottom: ObjectId,
    /// One link leads out: the bottom holds it in the place of its first link.
    pub(super) open: bool,
    pub(super) shape: Arc<Shape>,
}

impl Tree {
    pub(super) fn closed(root: ObjectId, shape: &Arc<Shape>) -> Tree {
        Tree { root, bottom: root, open: false, shape: shape.clone() }
    }

    /// Where the link lies that leads out.
    pub(super) fn out(&self) -> u64 {
        self.shape.children[0]
    }
}

impl Memory {
    pub(super) fn set_tree(&mut self, tree: &Tree) {
        for end in [tree.root, tree.bottom] {
            self.object_mut(end).tree = Some(tree.clone());
        }
    }

    /// What leads out of an open tree.
    pub(super) fn leads_out(&self, tree: &Tree) -> Option<Value> {
        match self.object(tree.bottom).read(tree.out(), tree.shape.word) {
            Found::Value(value) if tree.open => Some(value),
            _ => None,
        }
    }

    pub(super) fn link(&mut self, of: ObjectId, at: u64, shape: &Shape, target: ObjectId) {
        self.object_mut(of).write(at, shape.word, pointer_to(target, shape.to));
    }
}

impl Object {
    /// The objects of what this one stands for, if it stands for several cells.
    pub(super) fn ends(&self) -> Option<[ObjectId; 2]> {
        let chain = self.chain.map(|c| [c.front, c.back]);
        chain.or_else(|| self.tree.as_ref().map(|t| [t.root, t.bottom]))
    }

    /// An object for the cell of a tree whose link leads out.
    pub(super) fn bottom_of(root: &Object) -> Object {
        let mut bottom = Object::new(root.size, Storage::Heap, Fill::Arbitrary);
        bottom.ty.clone_from(&root.ty);
        bottom.owner = root.owner;
        bottom
    }
}

impl Machine<'_> {
    /// Takes an end of a tree out of it.
    pub(super) fn unfold_tree(&mut self, id: ObjectId, tree: &Tree, span: Span) -> Doing<()> {
        let Tree { root, bottom, open, shape } = tree.clone();
        let Some(out) = self.memory.leads_out(tree) else {
            if open {
                return self.give_up(span, "what leads out of a tree is not known");
            }
            return self.become_node(root, root, &shape, None, span);
        };
        let more = self.choose(span)?;
        if !more {
            if bottom != root {
                self.memory.drop_object(bottom);
                self.memory.object_mut(bottom).same_as = Some(root);
            }
            return self.become_node(root, root, &shape, Some(out), span);
        }
        if id == root {
            let rest = self.copy_cell(root, span)?;
            self.memory.object_mut(rest).without(&shape.places());
            let bottom = if bottom == root { rest } else { bottom };
            if bottom == rest {
                self.memory.object_mut(rest).write(tree.out(), shape.word, out);
            }
            if let Some(parent) = shape.parent {
                self.memory.link(rest, parent, &shape, root);
            }
            self.memory.set_tree(&Tree { root: rest, bottom, open, shape: shape.clone() });
            let down = pointer_to(rest, shape.to);
            return self.become_node(root, rest, &shape, Some(down), span);
        }
        // The cell at the bottom: what is left of the tree leads to it.
        let cell = self.copy_cell(root, span)?;
        self.memory.object_mut(cell).without(&shape.places());
        let end = Object::bottom_of(self.memory.object(root));
        let end = self.new_object(end, span)?;
        self.memory.link(end, tree.out(), &shape, cell);
        if let Some(parent) = shape.parent {
            self.memory.link(cell, parent, &shape, end);
        }
        self.memory.set_tree(&Tree { root, bottom: end, open, shape: shape.clone() });
        self.memory.drop_object(bottom);
        self.memory.object_mut(bottom).same_as = Some(cell);
        self.become_node(cell, root, &shape, Some(out), span)
    }

    /// An object becomes one cell: one of its links is given, each of the others is null or leads to a tree of the cells that
    /// another object speaks of.
    fn become_node(
        &mut self,
        cell: ObjectId,
        like: ObjectId,
        shape: &Arc<Shape>,
        given: Option<Value>,
        span: Span,
    ) -> Doing<()> {
        let mut at = shape.children.len();
        if given.is_some() {
            at = 0;
            while at + 1 < shape.children.len() && !self.choose(span)? {
                at += 1;
            }
        }
        let mut links = Vec::new();
        for (i, child) in shape.children.iter().enumerate() {
            let value = match &given {
                Some(value) if i == at => value.clone(),
                _ if self.choose(span)? => {
                    let below = self.copy_cell(like, span)?;
                    self.memory.object_mut(below).without(&shape.places());
                    if let Some(parent) = shape.parent {
                        self.memory.link(below, parent, shape, cell);
                    }
                    self.memory.set_tree(&Tree::closed(below, shape));
                    pointer_to(below, shape.to)
                }
                _ => Value::int(0),
            };
            links.push((*child, value));
        }
        for (child, value) in links {
            self.memory.object_mut(cell).write(child, shape.word, value);
        }
        self.memory.object_mut(cell).tree = None;
        self.become_cell(cell, &shape.links(), span)
    }
}

impl Join<'_> {
    /// Two trees that cells have for themselves, or a tree and a cell without children, become one tree.
    pub(super) fn trees(
        &mut self,
        p: ObjectId,
        q: ObjectId,
        owners: [Option<ObjectId>; 2],
        owner: ObjectId,
    ) -> Option<ObjectId> {
        let (left, right) = (self.memory.object(p), self.memory.object(q));
        let shape = left.tree.as_ref().or(right.tree.as_ref())?.shape.clone();
        let is_leaf = |o: &Object| {
            let null = |at: &u64| o.read(*at, shape.word) == Found::Value(Value::int(0));
            o.chain.is_none() && shape.children.iter().all(null)
        };
        let fits = |o: &Object| o.tree.as_ref().map_or(is_leaf(o), |t| !t.open && t.shape == shape);
        if !fits(left) || !fits(right) {
            return None;
        }
        self.pairs.insert((p, q), p);
        let mut inner = owners;
        for (own, (id, object)) in inner.iter_mut().zip([(p, left), (q, right)]) {
            if object.tree.is_some() {
                *own = Some(id);
            }
        }
        let (fill, mut pieces) = self.contents(p, q, &shape.places(), inner, p)?;
        if let Some(parent) = shape.parent {
            let above = |o: &Object| match o.read(parent, shape.word) {
                Found::Value(value) => Some(value),
                _ => None,
            };
            let (v, w) = (above(left)?, above(right)?);
            let value = self.values(&v, &w, shape.word, owners, owner)?;
            pieces.push((parent, shape.word, Content::Value(value)));
        }
        let tree = Some(Tree::closed(p, &shape));
        self.changes.push(Change { object: p, said: (fill, pieces), chain: None, tree, owner });
        Some(p)
    }
}
