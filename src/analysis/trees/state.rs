//! Heaps in parts that never meet: cells that are known one by one, and whole structures of which only the root is.
//!
//! A node is a pointer value. What is *owned* is allocated, and no two owned nodes share a cell, so a write to one of
//! them changes no other. A pointer that leads to nothing that is owned is *lost*: it may be anything, and whoever
//! follows it proves nothing.

use crate::program::{FieldId, Program, StructId, Type, VarId};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// The null pointer.
    Null,
    /// A pointer, by its node.
    Node(usize),
    /// An integer, by its number.
    Int(usize),
    /// Nobody asks for it.
    Unused,
}

/// A structure: cells of a struct that fields lead to, each cell from one other at most, without a cycle. No field at
/// all: a single cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    pub(super) fields: Vec<FieldId>,
}

impl Shape {
    /// Whether every structure of this shape is one of the other along its fields.
    pub(super) fn covers(&self, fields: &[FieldId]) -> bool {
        fields.iter().all(|f| self.fields.contains(f))
    }
}

/// What is known behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// Nothing.
    Lost,
    /// It was freed here.
    Freed,
    /// Null or the root of a structure, which is owned.
    Whole(Shape),
    /// A cell, which is owned.
    Cell {
        /// Its fields, in the order of the struct.
        fields: Vec<Value>,
        /// They had these values at the entry, if the cell is one of the caller's.
        entry: Option<Vec<Value>>,
        /// It is a variable.
        automatic: bool,
    },
}

/// A pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) of: StructId,
    pub(super) behind: Behind,
    pub(super) not_null: bool,
    /// All cells were allocated here, or by what is called.
    pub(super) fresh: bool,
    /// A structure of the caller's that nobody has touched.
    pub(super) old: bool,
}

/// Bounds of an integer.
pub(super) type Range = (Option<i128>, Option<i128>);

/// A call of the function itself whose promises are assumed as soon as its result is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    /// By parameter: the argument.
    pub(super) arguments: Vec<Value>,
    pub(super) result: Option<VarId>,
    /// It changes nothing that was there.
    pub(super) reads_only: bool,
}

/// A promise of the function itself that was made by a call, and what it was made about. The heap is as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Promise {
    pub(super) arguments: Vec<Value>,
    pub(super) result: Value,
}

/// A set of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) vars: Vec<Value>,
    /// Values at the entry.
    pub(super) entry: Vec<Value>,
    pub(super) nodes: Vec<Node>,
    pub(super) numbers: Vec<Range>,
    pub(super) pending: Option<Pending>,
    pub(super) promises: Vec<Promise>,
    /// Fields of the caller's cells that were written.
    pub(super) written: Vec<(usize, FieldId)>,
    /// Globals that were written.
    pub(super) changed: Vec<VarId>,
    /// More of the caller's cells may have changed than that.
    pub(super) spoilt: bool,
}

impl State {
    pub(super) fn number(&mut self, range: Range) -> Value {
        self.numbers.push(range);
        Value::Int(self.numbers.len() - 1)
    }

    pub(super) fn node(&mut self, of: StructId, behind: Behind) -> Value {
        self.nodes.push(Node { of, behind, not_null: false, fresh: false, old: false });
        Value::Node(self.nodes.len() - 1)
    }

    /// Any value of the type.
    pub(super) fn anything(&mut self, ty: Type) -> Value {
        match ty {
            Type::Int(kind) => self.number((Some(kind.min()), Some(kind.max()))),
            Type::Ptr(of) => self.node(of, Behind::Lost),
            Type::IntArray(_) | Type::PtrArray(_) => Value::Unused,
        }
    }

    /// The bounds of a value.
    pub(super) fn range(&self, value: Value) -> Option<Range> {
        match value {
            Value::Int(n) => Some(self.numbers[n]),
            _ => None,
        }
    }

    /// A value is another one from now on.
    pub(super) fn replace(&mut self, old: Value, new: Value) {
        let each = |v: &mut Value| {
            if *v == old {
                *v = new;
            }
        };
        self.vars.iter_mut().chain(&mut self.entry).for_each(each);
        if let Some(pending) = &mut self.pending {
            pending.arguments.iter_mut().for_each(each);
        }
        for promise in &mut self.promises {
            promise.arguments.iter_mut().chain([&mut promise.result]).for_each(each);
        }
        for node in &mut self.nodes {
            if let Behind::Cell { fields, entry, .. } = &mut node.behind {
                fields.iter_mut().chain(entry.iter_mut().flatten()).for_each(each);
            }
        }
    }

    /// Makes the root of a structure a cell of its own. False if it may be null, or is not owned.
    pub(super) fn open(&mut self, program: &Program, node: usize) -> bool {
        let Node { of, behind, not_null, fresh, old } = self.nodes[node].clone();
        let shape = match behind {
            Behind::Cell { .. } => return true,
            Behind::Whole(shape) if not_null => shape,
            _ => return false,
        };
        let mut fields = Vec::new();
        for field in &program.structs[of.index()].fields {
            let value = if shape.fields.contains(field) {
                let value = self.node(of, Behind::Whole(shape.clone()));
                if let Value::Node(child) = value {
                    self.nodes[child].fresh = fresh;
                    self.nodes[child].old = old;
                }
                value
            } else {
                self.anything(program.fields[field.index()].ty)
            };
            fields.push(value);
        }
        let entry = old.then(|| fields.clone());
        self.nodes[node].behind = Behind::Cell { fields, entry, automatic: false };
        true
    }

    /// Whether two pointers are equal, if that is known.
    pub(super) fn equal(&self, a: Value, b: Value) -> Option<bool> {
        if a == b {
            return (a != Value::Unused).then_some(true);
        }
        let owned = |n: usize| matches!(self.nodes[n].behind, Behind::Whole(_) | Behind::Cell { .. });
        match (a, b) {
            (Value::Null, Value::Node(n)) | (Value::Node(n), Value::Null) => {
                self.nodes[n].not_null.then_some(false)
            }
            (Value::Node(m), Value::Node(n)) => {
                let apart = owned(m) && owned(n) && (self.nodes[m].not_null || self.nodes[n].not_null);
                apart.then_some(false)
            }
            (Value::Int(m), Value::Int(n)) => {
                let ((low, high), (least, most)) = (self.numbers[m], self.numbers[n]);
                if low.is_some() && low == high && low == least && high == most {
                    return Some(true);
                }
                let before = |a: Option<i128>, b: Option<i128>| matches!((a, b), (Some(a), Some(b)) if a < b);
                (before(high, least) || before(most, low)).then_some(false)
            }
            _ => None,
        }
    }

    /// Assumes that two values are equal; false if they are not.
    pub(super) fn unite(&mut self, a: Value, b: Value) -> bool {
        if let Some(known) = self.equal(a, b) {
            return known;
        }
        match (a, b) {
            (Value::Null, Value::Node(_)) => self.replace(b, a),
            (Value::Node(_), Value::Null) => self.replace(a, b),
            (Value::Node(m), Value::Node(n)) => {
                let owned = |n: usize| matches!(self.nodes[n].behind, Behind::Whole(_) | Behind::Cell { .. });
                match (owned(m), owned(n)) {
                    // Nothing is shared, so both are null.
                    (true, true) => {
                        self.replace(a, Value::Null);
                        self.replace(b, Value::Null);
                    }
                    (true, false) => self.merge(b, n, a, m),
                    _ => self.merge(a, m, b, n),
                }
            }
            (Value::Int(m), Value::Int(n)) => {
                let ((low, high), (least, most)) = (self.numbers[m], self.numbers[n]);
                let tighter = |a: Option<i128>, b: Option<i128>, pick: fn(i128, i128) -> i128| match (a, b) {
                    (Some(a), Some(b)) => Some(pick(a, b)),
                    (a, b) => a.or(b),
                };
                self.numbers[n] = (tighter(low, least, i128::max), tighter(high, most, i128::min));
                self.replace(a, b);
            }
            _ => {}
        }
        true
    }

    fn merge(&mut self, from: Value, m: usize, to: Value, n: usize) {
        self.nodes[n].not_null |= self.nodes[m].not_null;
        self.replace(from, to);
    }

    /// Assumes that two values differ; false if they do not.
    pub(super) fn part(&mut self, a: Value, b: Value) -> bool {
        match (a, b) {
            (Value::Null, Value::Node(n)) | (Value::Node(n), Value::Null) => {
                self.nodes[n].not_null = true;
                true
            }
            _ => self.equal(a, b) != Some(true),
        }
    }

    /// What the pointer led to is nobody's any more.
    pub(super) fn lose(&mut self, node: usize) {
        self.nodes[node].behind = Behind::Lost;
        self.nodes[node].old = false;
    }
}
