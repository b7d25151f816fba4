//! The state of a plain run.

use super::number::{self, Number};
use super::{Answer, Stop, refused};
use crate::program::{
    Cmp, Cond, Expr, FieldId, IntKind, LocationId, Program, StructId, Type, VarId, VarKind,
};
use std::rc::Rc;

/// What a variable, a field or an element holds, if it holds anything.
pub(super) type Slot = Option<Value>;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Int(Number),
    Null,
    /// An index into the cells; beyond their number: a cell that was never allocated.
    Cell(usize),
}

/// What became of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    OnHeap,
    Automatic,
    Freed,
}

/// A cell that was allocated.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub of: StructId,
    pub life: Life,
    /// In the order of the struct.
    pub fields: Vec<Slot>,
}

/// Variables and heap at one moment.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub vars: Vec<Slot>,
    pub arrays: Vec<Vec<Slot>>,
    pub cells: Vec<Cell>,
}

/// Where a run stands.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub location: LocationId,
    pub memory: Memory,
    /// The intervals of symbols.
    pub symbols: Vec<(i128, i128)>,
    /// What was remembered under labels.
    pub labels: Vec<Option<Rc<Memory>>>,
    /// Commands executed, and cells looked at in search of lost ones.
    pub work: u64,
}

impl Memory {
    pub(super) fn is_valid(&self, value: Value) -> bool {
        matches!(value, Value::Cell(c) if self.cells.get(c).is_some_and(|c| c.life != Life::Freed))
    }

    /// The field of a cell; nothing is known of a cell that was never allocated.
    pub(super) fn field(&self, program: &Program, cell: usize, field: FieldId) -> Slot {
        self.cells.get(cell)?.fields[position(program, field)]
    }
}

/// The position of a field in its struct.
pub(super) fn position(program: &Program, field: FieldId) -> usize {
    let owner = program.fields[field.index()].owner;
    let fields = &program.structs[owner.index()].fields;
    fields.iter().position(|f| *f == field).unwrap_or(usize::MAX)
}

impl Store {
    /// The entry of `main`: no cells. Integers hold anything, pointers nothing.
    pub(super) fn new(program: &Program) -> Store {
        let mut symbols = Vec::new();
        let mut vars = Vec::new();
        let mut arrays = Vec::new();
        for var in &program.vars {
            vars.push(match var.ty {
                Type::Int(kind) => Some(Value::Int(fresh(&mut symbols, kind))),
                _ => None,
            });
            let global = var.kind == VarKind::Global;
            let element = var.ty.element().filter(|_| global).map(zero);
            arrays.push(match var.ty.element() {
                Some(_) => vec![element; usize::try_from(var.len.unwrap_or(0)).unwrap_or(0)],
                None => Vec::new(),
            });
        }
        let memory = Memory { vars, arrays, cells: Vec::new() };
        let labels = vec![None; program.labels.len()];
        Store { location: program.entry, memory, symbols, labels, work: 0 }
    }

    /// An integer of which nothing is known but its type.
    pub(super) fn any(&mut self, kind: IntKind) -> Value {
        Value::Int(fresh(&mut self.symbols, kind))
    }

    pub(super) fn var(&self, v: VarId) -> Answer<Value> {
        match self.memory.vars[v.index()] {
            Some(value) => Ok(value),
            None => refused("a pointer is used that nobody wrote"),
        }
    }

    /// The value of an expression; nothing for a variable that holds nothing.
    pub(super) fn expr(&self, e: &Expr) -> Answer<Slot> {
        Ok(match e {
            Expr::Var(v) => self.memory.vars[v.index()],
            Expr::Null(_) => Some(Value::Null),
            other => Some(Value::Int(self.int(other)?)),
        })
    }

    pub(super) fn int(&self, e: &Expr) -> Answer<Number> {
        let known = &self.symbols;
        match e {
            Expr::Var(v) => match self.var(*v)? {
                Value::Int(n) => Ok(n),
                Value::Null | Value::Cell(_) => refused("a pointer is used as a number"),
            },
            Expr::Null(_) => refused("a pointer is used as a number"),
            Expr::Int(n) => Ok(Number::constant(*n)),
            Expr::Neg(a) => number::negated(self.int(a)?, known),
            Expr::BitNot(a) => Ok(Number::constant(!number::single(self.int(a)?, known)?)),
            Expr::Binary(op, a, b) => number::binary(*op, self.int(a)?, self.int(b)?, known),
            Expr::Wrap(kind, a) => number::wrapped(*kind, self.int(a)?, known),
        }
    }

    pub(super) fn cond(&self, c: &Cond) -> Answer<bool> {
        match c {
            Cond::Const(value) => Ok(*value),
            Cond::Not(inner) => Ok(!self.cond(inner)?),
            Cond::And(parts) => settled(parts.iter().map(|p| self.cond(p)), false),
            Cond::Or(parts) => settled(parts.iter().map(|p| self.cond(p)), true),
            Cond::Compare(cmp, a, b) => match (self.expr(a)?, self.expr(b)?) {
                (Some(a), Some(b)) => compared(*cmp, a, b, &self.symbols),
                _ => refused("a pointer is compared that nobody wrote"),
            },
        }
    }
}

fn fresh(symbols: &mut Vec<(i128, i128)>, kind: IntKind) -> Number {
    symbols.push((kind.min(), kind.max()));
    Number { symbol: Some(symbols.len() - 1), plus: 0 }
}

/// 0 or null.
pub(super) fn zero(ty: Type) -> Value {
    match ty {
        Type::Int(_) => Value::Int(Number::constant(0)),
        _ => Value::Null,
    }
}

/// The truth of a comparison.
pub(super) fn compared(cmp: Cmp, a: Value, b: Value, symbols: &[(i128, i128)]) -> Answer<bool> {
    match (cmp, a, b) {
        (_, Value::Int(a), Value::Int(b)) => number::compared(cmp, a, b, symbols),
        (_, Value::Int(_), _) | (_, _, Value::Int(_)) => refused("a number is compared with a pointer"),
        (Cmp::Eq, a, b) => Ok(a == b),
        (Cmp::Ne, a, b) => Ok(a != b),
        _ => refused("pointers are ordered"),
    }
}

/// A conjunction (`by` false) or disjunction (`by` true): one part with that value settles it, whatever the others are.
pub(super) fn settled(parts: impl Iterator<Item = Answer<bool>>, by: bool) -> Answer<bool> {
    let mut stop: Option<Stop> = None;
    for part in parts {
        match part {
            Ok(value) if value == by => return Ok(by),
            Ok(_) => {}
            // A part that becomes known by splitting may settle it.
            Err(split @ Stop::Split(..)) if !matches!(stop, Some(Stop::Split(..))) => stop = Some(split),
            Err(other) => stop = stop.or(Some(other)),
        }
    }
    stop.map_or(Ok(!by), Err)
}
