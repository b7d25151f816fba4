//! Classes of objects: which of them the same pointers may lead to.
//!
//! A union-find structure in the manner of Steensgaard. A class knows the types by which its objects are seen, the
//! objects inside them by struct and member, and, if they are pointers, what they lead to. Joining two classes joins
//! what is inside and behind them.

use super::super::types::{RecordId, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// A class of objects.
pub(super) type Class = usize;

/// What is known of a class.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Structs as which its objects are seen.
    pub(super) records: BTreeSet<RecordId>,
    /// Other types as which they are seen, pointers excepted.
    pub(super) scalars: Vec<Ty>,
    /// They are seen as pointers.
    pub(super) pointer: bool,
    /// They are elements of an array.
    pub(super) array: bool,
    /// A `void *` from outside leads to them, or something is done with them that has no model: they may be anything.
    pub(super) vague: bool,
    /// Others than this program have pointers to them.
    pub(super) exposed: bool,
    /// Objects inside, by struct and member.
    pub(super) fields: BTreeMap<(RecordId, u32), Class>,
    /// What they lead to.
    pub(super) behind: Option<Class>,
}

/// All classes.
#[derive(Default)]
pub(super) struct Classes {
    parent: Vec<Class>,
    known: Vec<Known>,
}

impl Classes {
    /// A class of which nothing is known.
    pub(super) fn fresh(&mut self) -> Class {
        self.parent.push(self.parent.len());
        self.known.push(Known::default());
        self.parent.len() - 1
    }

    /// The class that stands for it.
    pub(super) fn find(&mut self, class: Class) -> Class {
        let mut root = class;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        let mut at = class;
        while self.parent[at] != root {
            at = std::mem::replace(&mut self.parent[at], root);
        }
        root
    }

    /// What is known of it.
    pub(super) fn known(&mut self, class: Class) -> &mut Known {
        let root = self.find(class);
        &mut self.known[root]
    }

    /// The classes that stand for themselves.
    pub(super) fn roots(&self) -> Vec<Class> {
        (0..self.parent.len()).filter(|class| self.parent[*class] == *class).collect()
    }

    /// Makes one class of two.
    pub(super) fn join(&mut self, a: Class, b: Class) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let (a, b) = (a.min(b), a.max(b));
            self.parent[b] = a;
            let other = std::mem::take(&mut self.known[b]);
            let known = &mut self.known[a];
            known.records.extend(other.records);
            for scalar in other.scalars {
                if !known.scalars.contains(&scalar) {
                    known.scalars.push(scalar);
                }
            }
            known.pointer |= other.pointer;
            known.array |= other.array;
            known.vague |= other.vague;
            known.exposed |= other.exposed;
            for (member, class) in other.fields {
                match known.fields.get(&member) {
                    Some(mine) => work.push((*mine, class)),
                    None => {
                        known.fields.insert(member, class);
                    }
                }
            }
            match (known.behind, other.behind) {
                (Some(mine), Some(theirs)) => work.push((mine, theirs)),
                (mine, theirs) => known.behind = mine.or(theirs),
            }
        }
    }

    /// What objects of the class lead to.
    pub(super) fn behind(&mut self, class: Class) -> Class {
        if let Some(class) = self.known(class).behind {
            return class;
        }
        let fresh = self.fresh();
        self.known(class).behind = Some(fresh);
        fresh
    }
}
