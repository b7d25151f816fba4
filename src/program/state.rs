//! Concrete states: variables and an explicit heap. What traces show, what the interpreter runs on, and the
//! ground on which the meaning of formulas is defined.

use super::cfg::Program;
use super::decl::{FieldId, StructId, Type, VarId};

/// A cell of a concrete heap: an index into [`State::cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub u32);

impl CellId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value of a variable, a field or an array element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// An integer.
    Int(i128),
    /// The null pointer.
    Null,
    /// A pointer to a cell, whatever its status.
    Cell(CellId),
}

/// Allocation status of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Not allocated so far. Such cells exist because quantifiers range over them and a pointer that was
    /// never initialised may hold them.
    Never,
    /// On the heap.
    Heap,
    /// A variable whose address is taken.
    Automatic,
    /// No longer allocated; stays so.
    Freed,
}

impl Status {
    /// May be accessed.
    #[must_use]
    pub fn is_valid(self) -> bool {
        matches!(self, Status::Heap | Status::Automatic)
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Kind.
    pub of: StructId,
    /// Status.
    pub status: Status,
    /// Values in the order of [`Struct::fields`](super::Struct::fields).
    pub fields: Vec<Value>,
}

/// A state of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// By variable; of an array variable unused (`Value::Null`).
    pub vars: Vec<Value>,
    /// Elements of array variables, by variable; empty for others.
    pub arrays: Vec<Vec<Value>>,
    /// All cells.
    pub cells: Vec<Cell>,
    /// What integer fields hold at null, by field: an unspecified but fixed value. Pointer fields: null.
    pub at_null: Vec<Value>,
    /// The position of each field in its struct, by field.
    slots: Vec<u32>,
}

impl State {
    /// No cells, all variables null or 0, local arrays of their length filled with null or 0.
    #[must_use]
    pub fn new(program: &Program) -> State {
        let mut slots = vec![0; program.fields.len()];
        for s in &program.structs {
            for (i, field) in s.fields.iter().enumerate() {
                slots[field.index()] = i as u32;
            }
        }
        let arrays = |v: &super::Var| match v.ty.element() {
            Some(element) => vec![zero(element); v.len.unwrap_or(0) as usize],
            None => Vec::new(),
        };
        State {
            vars: program.vars.iter().map(|v| zero(v.ty)).collect(),
            arrays: program.vars.iter().map(arrays).collect(),
            cells: Vec::new(),
            at_null: program.fields.iter().map(|f| zero(f.ty)).collect(),
            slots,
        }
    }

    /// Adds a cell with null and 0 in its fields.
    pub fn add_cell(&mut self, program: &Program, of: StructId, status: Status) -> CellId {
        let fields = program.structs[of.index()].fields.iter();
        let fields = fields.map(|f| zero(program.fields[f.index()].ty)).collect();
        self.cells.push(Cell { of, status, fields });
        CellId((self.cells.len() - 1) as u32)
    }

    /// Value of a variable.
    #[must_use]
    pub fn var(&self, v: VarId) -> Value {
        self.vars[v.index()]
    }

    /// `value->field`, total: of null it is null or the fixed integer. A cell that this state does not have
    /// (it is created later) has the fields of null.
    #[must_use]
    pub fn field(&self, value: Value, field: FieldId) -> Value {
        let slot = self.slots[field.index()] as usize;
        match value {
            Value::Cell(cell) if cell.index() < self.cells.len() => {
                self.cells[cell.index()].fields.get(slot).copied().unwrap_or(self.at_null[field.index()])
            }
            _ => self.at_null[field.index()],
        }
    }

    /// Status of a cell; one that this state does not have was never allocated.
    #[must_use]
    pub fn status(&self, cell: CellId) -> Status {
        self.cells.get(cell.index()).map_or(Status::Never, |c| c.status)
    }

    /// The position of a field among the values of its cells.
    #[must_use]
    pub fn slot(&self, field: FieldId) -> usize {
        self.slots[field.index()] as usize
    }

    /// Writes a field of a cell.
    pub fn set_field(&mut self, cell: CellId, field: FieldId, value: Value) {
        let slot = self.slots[field.index()] as usize;
        self.cells[cell.index()].fields[slot] = value;
    }

    /// Whether the value is a pointer to a cell that may be accessed.
    #[must_use]
    pub fn is_valid(&self, value: Value) -> bool {
        matches!(value, Value::Cell(c) if self.status(c).is_valid())
    }
}

/// 0 or null.
#[must_use]
pub fn zero(ty: Type) -> Value {
    match ty {
        Type::Int(_) => Value::Int(0),
        _ => Value::Null,
    }
}
