//! All small heaps, up to the names of locations.
//!
//! Variables are given values one after the other, then the fields of cells: a location met before, a new
//! cell or a new location that is no cell. When everything met has its fields, the assertions are evaluated;
//! then a cell that nothing leads to may be added. Integers are 0 or 1; other sorts have one value.

use crate::logic::sep::{Heap, HeapError, HeapEvaluator, Vocabulary};
use crate::logic::{FuncId, Model, Op, SortId, TermId, Terms, Value};

/// Which heaps are enumerated.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many cells of each sort.
    pub cells: u32,
    /// How many locations of each sort that are no cells, beside nil.
    pub dangling: u32,
    /// How many assignments are tried before the search is given up.
    pub tries: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nil,
    Cell,
    Dangling,
}

/// What has to be given a value.
#[derive(Clone, Copy)]
enum Slot {
    Constant(FuncId, SortId),
    /// A field of a cell: the sort and location of the cell, and the sort of the field.
    Field(SortId, u32, SortId),
}

struct Enumeration<'a> {
    terms: &'a Terms,
    vocabulary: &'a Vocabulary,
    assertions: &'a [TermId],
    bounds: Bounds,
    left: u64,
    /// Locations by sort.
    locations: Vec<(SortId, Vec<Kind>)>,
    constants: Vec<(FuncId, u32)>,
    fields: Vec<(SortId, u32, u32)>,
    slots: Vec<Slot>,
}

/// A store and a heap within the bounds in which all assertions are true.
pub fn satisfying_heap(
    terms: &Terms,
    vocabulary: &Vocabulary,
    assertions: &[TermId],
    bounds: Bounds,
) -> Result<Option<(Model, Heap)>, HeapError> {
    let locations = vocabulary.cells().iter().map(|c| (c.location, vec![Kind::Nil])).collect();
    let is_slot = |s: SortId| s == SortId::INT || vocabulary.cell_of(s).is_some();
    let constants = terms.funcs().filter(|(_, f)| !f.internal && f.args.is_empty() && is_slot(f.result));
    let mut slots: Vec<Slot> = constants.map(|(id, f)| Slot::Constant(id, f.result)).collect();
    slots.reverse();
    let mut enumeration = Enumeration {
        terms,
        vocabulary,
        assertions,
        bounds,
        left: bounds.tries,
        locations,
        constants: Vec::new(),
        fields: Vec::new(),
        slots,
    };
    enumeration.fill()
}

impl Enumeration<'_> {
    fn kinds(&mut self, sort: SortId) -> &mut Vec<Kind> {
        let found = self.locations.iter_mut().find(|(s, _)| *s == sort);
        &mut found.expect("slots are of location sorts").1
    }

    fn fill(&mut self) -> Result<Option<(Model, Heap)>, HeapError> {
        if self.left == 0 {
            return Ok(None);
        }
        let Some(slot) = self.slots.pop() else { return self.complete() };
        let sort = match slot {
            Slot::Constant(_, sort) | Slot::Field(.., sort) => sort,
        };
        let mut found = None;
        if self.vocabulary.cell_of(sort).is_some() {
            let n = self.kinds(sort).len() as u32;
            for value in 0..n {
                found = found.or(self.with(slot, value)?);
            }
            for kind in [Kind::Cell, Kind::Dangling] {
                if found.is_none() && self.room(sort, kind) {
                    found = self.with_new(sort, kind, |this| this.with(slot, n))?;
                }
            }
        } else {
            // Two numbers are enough to be in order and out of order.
            for value in 0..if sort == SortId::INT { 2 } else { 1 } {
                found = found.or(self.with(slot, value)?);
            }
        }
        self.slots.push(slot);
        Ok(found)
    }

    fn room(&mut self, sort: SortId, kind: Kind) -> bool {
        let most = if kind == Kind::Cell { self.bounds.cells } else { self.bounds.dangling };
        self.kinds(sort).iter().filter(|k| **k == kind).count() < most as usize
    }

    /// Goes on with the slot filled.
    fn with(&mut self, slot: Slot, value: u32) -> Result<Option<(Model, Heap)>, HeapError> {
        match slot {
            Slot::Constant(func, _) => {
                self.constants.push((func, value));
                let found = self.fill();
                self.constants.pop();
                found
            }
            Slot::Field(sort, at, _) => {
                self.fields.push((sort, at, value));
                let found = self.fill();
                self.fields.pop();
                found
            }
        }
    }

    /// Goes on with one location more.
    fn with_new(
        &mut self,
        sort: SortId,
        kind: Kind,
        go_on: impl FnOnce(&mut Self) -> Result<Option<(Model, Heap)>, HeapError>,
    ) -> Result<Option<(Model, Heap)>, HeapError> {
        let at = self.kinds(sort).len() as u32;
        self.kinds(sort).push(kind);
        let before = self.slots.clone();
        if kind == Kind::Cell {
            let cell = self.vocabulary.cell_of(sort).expect("a sort of locations");
            let fields: Vec<Slot> = cell.fields.iter().rev().map(|f| Slot::Field(sort, at, f.sort)).collect();
            // Constants come first: they are on top.
            self.slots.splice(0..0, fields);
        }
        let found = go_on(self);
        self.slots = before;
        self.kinds(sort).pop();
        found
    }

    /// Everything has a value: evaluate, or add a cell that nothing leads to.
    fn complete(&mut self) -> Result<Option<(Model, Heap)>, HeapError> {
        self.left -= 1;
        let mut model = Model::new(self.terms);
        for (sort, kinds) in &self.locations {
            model.set_size(*sort, kinds.len() as u32);
        }
        for &(func, value) in &self.constants {
            model.set(self.terms, func, &[], value_of(self.terms.func(func).result, value));
        }
        for (_, nil) in self.vocabulary.nils() {
            let Op::App(func) = self.terms.op(nil) else { unreachable!("nil is a constant") };
            model.set(self.terms, func, &[], Value::Elem(0));
        }
        let mut heap = Heap::default();
        for (sort, kinds) in &self.locations {
            for at in (0..kinds.len() as u32).filter(|&at| kinds[at as usize] == Kind::Cell) {
                let values = self.fields.iter().filter(|(s, a, _)| s == sort && *a == at);
                let cell = self.vocabulary.cell_of(*sort).expect("a sort of locations");
                let fields =
                    cell.fields.iter().zip(values).map(|(f, &(.., v))| value_of(f.sort, v)).collect();
                heap.insert(*sort, Value::Elem(at), fields);
            }
        }
        let mut evaluator = HeapEvaluator::new(self.terms, self.vocabulary, &model, &heap);
        let mut holds = true;
        for &assertion in self.assertions {
            holds = holds && evaluator.holds(assertion)?;
        }
        drop(evaluator);
        if holds {
            return Ok(Some((model, heap)));
        }
        for sort in self.locations.iter().map(|(s, _)| *s).collect::<Vec<_>>() {
            if self.room(sort, Kind::Cell)
                && let Some(found) = self.with_new(sort, Kind::Cell, Self::fill)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

fn value_of(sort: SortId, value: u32) -> Value {
    match sort {
        SortId::INT => Value::Int(i64::from(value).into()),
        SortId::BOOL => Value::Bool(value > 0),
        _ => Value::Elem(value),
    }
}
