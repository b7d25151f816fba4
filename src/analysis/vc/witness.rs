//! Models as states: what a counterexample of the core looks like as a heap.

use crate::logic::eval::{as_int, eval};
use crate::logic::{Model, TermId, Terms, Value as Element};
use crate::program::encode::{Encoder, Moment, Version, VersionId, status};
use crate::program::wp::{Conditions, Head, Obligation};
use crate::program::{CellId, Program, State, Status, Type, Value};

/// Arrays longer than this are not shown.
const MAX_ARRAY: i128 = 1024;

/// The state at a moment of a model. Nothing if a number is too large to be shown.
#[must_use]
pub fn state(
    program: &Program,
    encoder: &Encoder<'_>,
    terms: &Terms,
    model: &Model,
    moment: &Moment,
) -> Option<State> {
    let reader = Reader { program, encoder, terms, model };
    reader.state(moment)
}

/// The last loop head on the way to an obligation that the model passes.
#[must_use]
pub fn last_head<'c>(
    conditions: &'c Conditions<'_>,
    obligation: &Obligation,
    terms: &Terms,
    model: &Model,
) -> Option<&'c Head> {
    let heads = obligation.heads.iter().rev().map(|&h| &conditions.heads[h]);
    let mut passed = heads.filter(|h| eval(terms, model, h.path).is_ok_and(|v| v.is_true()));
    passed.next()
}

struct Reader<'a> {
    program: &'a Program,
    encoder: &'a Encoder<'a>,
    terms: &'a Terms,
    model: &'a Model,
}

impl Reader<'_> {
    fn term(&self, term: TermId) -> Option<Element> {
        eval(self.terms, self.model, term).ok()
    }

    /// Contents at an element of the model.
    fn at(&self, version: VersionId, place: &Element) -> Option<Element> {
        let mut version = version;
        loop {
            match self.encoder.describe(version) {
                Version::Base(func) => {
                    return Some(self.model.get(self.terms, func, std::slice::from_ref(place)));
                }
                Version::Constant(value) => return self.term(value),
                Version::Store { before, place: written, value } => {
                    if self.term(written)? == *place {
                        return self.term(value);
                    }
                    version = before;
                }
                Version::Choose { condition, yes, no } => {
                    version = if self.term(condition)?.is_true() { yes } else { no };
                }
            }
        }
    }

    fn int(element: &Element) -> Option<i128> {
        as_int(element)?.to_string().parse().ok()
    }

    fn state(&self, moment: &Moment) -> Option<State> {
        let mut state = State::new(self.program);
        // Elements of each struct's sort but null become cells, in order.
        let mut cells: Vec<Vec<Option<CellId>>> = Vec::new();
        for i in 0..self.program.structs.len() {
            let of = crate::program::StructId(i as u32);
            let null = self.term(self.encoder.null(of))?;
            let mut numbers = Vec::new();
            for n in 0..self.model.size(self.encoder.sort_of(of)) {
                let element = Element::Elem(n);
                if element == null {
                    numbers.push(None);
                    continue;
                }
                let value = Reader::int(&self.at(moment.status[i], &element)?)?;
                let status = match value {
                    v if v == i128::from(status::HEAP) => Status::Heap,
                    v if v == i128::from(status::FREED) => Status::Freed,
                    v if v == i128::from(status::AUTOMATIC) => Status::Automatic,
                    _ => Status::Never,
                };
                numbers.push(Some(state.add_cell(self.program, of, status)));
            }
            cells.push(numbers);
        }
        let value = |ty: Type, element: &Element| match (ty, element) {
            (Type::Ptr(of) | Type::PtrArray(of), Element::Elem(n)) => {
                Some(cells[of.index()].get(*n as usize).copied().flatten().map_or(Value::Null, Value::Cell))
            }
            _ => Reader::int(element).map(Value::Int),
        };
        for (i, field) in self.program.fields.iter().enumerate() {
            let id = crate::program::FieldId(i as u32);
            let null = self.term(self.encoder.null(field.owner))?;
            for (n, cell) in cells[field.owner.index()].iter().enumerate() {
                let found = self.at(moment.fields[i], &Element::Elem(n as u32))?;
                let found = value(field.ty, &found)?;
                match cell {
                    Some(cell) => state.set_field(*cell, id, found),
                    None => debug_assert_eq!(null, Element::Elem(n as u32), "only null is no cell"),
                }
            }
            if let Type::Int(_) = field.ty {
                state.at_null[i] = value(field.ty, &self.at(moment.fields[i], &null)?)?;
            }
        }
        for (i, var) in self.program.vars.iter().enumerate() {
            let found = self.term(moment.vars[i])?;
            match (var.ty.element(), moment.arrays[i]) {
                (Some(element), Some(version)) => {
                    let len = Reader::int(&found)?;
                    if len > MAX_ARRAY {
                        return None;
                    }
                    let elements = (0..len).map(|k| {
                        let place = Element::Int(crate::util::num::Int::from(k));
                        value(element, &self.at(version, &place)?)
                    });
                    state.arrays[i] = elements.collect::<Option<_>>()?;
                }
                _ => state.vars[i] = value(var.ty, &found)?,
            }
        }
        Some(state)
    }
}
