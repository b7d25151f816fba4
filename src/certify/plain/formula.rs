//! The meaning of formulas on a plain store, by their definitions (DESIGN 3.2; decisions 3, 4 and 12).
//!
//! Walks along a field stop at null, at a cell that was met before, or where nobody wrote the field: that is refused.

use super::number;
use super::store::{Life, Memory, Slot, Store, Value, compared, settled};
use super::{Answer, Plain, refused};
use crate::program::{At, Binder, BoundId, Cmp, FieldId, Formula, Set, StructId, Term};
use std::collections::BTreeSet;

/// Values of bound variables, the innermost last.
type Bound = Vec<(BoundId, Value)>;

impl Plain<'_> {
    /// Whether a closed formula holds.
    pub(super) fn holds(&self, store: &Store, formula: &Formula) -> Answer<bool> {
        self.formula(store, formula, &mut Vec::new())
    }

    fn memory<'s>(&self, store: &'s Store, at: At) -> Answer<&'s Memory> {
        match at {
            At::Now => Ok(&store.memory),
            At::Label(label) => match store.labels.get(label.index()) {
                Some(Some(memory)) => Ok(memory),
                _ => refused("a label has not been passed"),
            },
            At::Entry => refused("a formula speaks of the entry of `main`"),
        }
    }

    pub(super) fn term(&self, store: &Store, term: &Term, bound: &mut Bound) -> Answer<Value> {
        let slot: Slot = match term {
            Term::Var(v, at) => self.memory(store, *at)?.vars[v.index()],
            Term::Bound(id) => bound.iter().rev().find(|(b, _)| b == id).map(|(_, value)| *value),
            Term::Null(_) => Some(Value::Null),
            Term::Int(n) => Some(Value::Int(number::Number::constant(*n))),
            Term::Field(field, at, inner) => {
                let object = self.term(store, inner, bound)?;
                return self.read(self.memory(store, *at)?, object, *field);
            }
            Term::Index(array, at, index) => {
                let index = number::single(self.int(store, index, bound)?, &store.symbols)?;
                let elements = &self.memory(store, *at)?.arrays[array.index()];
                usize::try_from(index).ok().and_then(|i| elements.get(i).copied()).flatten()
            }
            Term::Neg(inner) => {
                let n = self.int(store, inner, bound)?;
                Some(Value::Int(number::negated(n, &store.symbols)?))
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.int(store, a, bound)?, self.int(store, b, bound)?);
                Some(Value::Int(number::binary(*op, a, b, &store.symbols)?))
            }
            Term::Ite(c, a, b) => {
                let chosen = if self.formula(store, c, bound)? { a } else { b };
                Some(self.term(store, chosen, bound)?)
            }
        };
        match slot {
            Some(value) => Ok(value),
            None => refused("a formula looks at what nobody wrote"),
        }
    }

    fn int(&self, store: &Store, term: &Term, bound: &mut Bound) -> Answer<number::Number> {
        match self.term(store, term, bound)? {
            Value::Int(n) => Ok(n),
            _ => refused("a pointer is used as a number"),
        }
    }

    /// `object->field`. A link of null is null; what else null holds is not known here.
    fn read(&self, memory: &Memory, object: Value, field: FieldId) -> Answer<Value> {
        let found = match object {
            Value::Null if self.program.fields[field.index()].ty.pointee().is_some() => Some(Value::Null),
            Value::Cell(cell) => memory.field(self.program, cell, field),
            _ => None,
        };
        match found {
            Some(value) => Ok(value),
            None => refused("a formula looks at what nobody wrote"),
        }
    }

    /// The values met on the walk from x along the field, x first; the last one is null or leads back to one before it.
    fn walk(&self, memory: &Memory, field: FieldId, x: Value) -> Answer<Vec<Value>> {
        let mut met = vec![x];
        let mut seen = BTreeSet::new();
        let mut here = x;
        while let Value::Cell(cell) = here {
            seen.insert(cell);
            here = self.read(memory, here, field)?;
            if matches!(here, Value::Cell(c) if seen.contains(&c)) {
                return Ok(met);
            }
            met.push(here);
        }
        Ok(met)
    }

    /// The cells from x to before the first y; `None` if y is not reached. The walk goes no further than y.
    fn segment(&self, memory: &Memory, field: FieldId, x: Value, y: Value) -> Answer<Option<Vec<usize>>> {
        let mut cells = Vec::new();
        let mut seen = BTreeSet::new();
        let mut here = x;
        while here != y {
            match here {
                Value::Cell(cell) if seen.insert(cell) => cells.push(cell),
                _ => return Ok(None),
            }
            here = self.read(memory, here, field)?;
        }
        Ok(Some(cells))
    }

    fn reaches(&self, memory: &Memory, field: FieldId, x: Value, y: Value) -> Answer<bool> {
        Ok(self.segment(memory, field, x, y)?.is_some())
    }

    /// The cells a with x -f*-> a -f*-> y.
    fn on_the_way(&self, memory: &Memory, field: FieldId, x: Value, y: Value) -> Answer<Vec<Value>> {
        let mut out = Vec::new();
        for value in self.walk(memory, field, x)? {
            if value != Value::Null && self.reaches(memory, field, value, y)? {
                out.push(value);
            }
        }
        Ok(out)
    }

    /// The cells of a struct, and some that were never allocated: one more than there are variables bound, so that each
    /// of these may be another one.
    fn cells_of(&self, store: &Store, of: StructId, bound: &Bound) -> Vec<Value> {
        let cells = &store.memory.cells;
        let known = cells.iter().enumerate().filter(|(_, c)| c.of == of).map(|(i, _)| i);
        let first = cells.len() + of.index();
        let strangers = (0..=bound.len()).map(|k| first + k * self.program.structs.len());
        known.chain(strangers).map(Value::Cell).collect()
    }

    fn set(&self, store: &Store, set: &Set, bound: &mut Bound) -> Answer<BTreeSet<usize>> {
        let mut out = BTreeSet::new();
        match set {
            Set::Cells(field, at, x, y) => {
                let (x, y) = (self.term(store, x, bound)?, self.term(store, y, bound)?);
                let memory = self.memory(store, *at)?;
                out.extend(self.segment(memory, *field, x, y)?.unwrap_or_default());
            }
            Set::Of(terms) => {
                for term in terms {
                    if let Value::Cell(cell) = self.term(store, term, bound)? {
                        out.insert(cell);
                    }
                }
            }
            Set::Pre(field, at, target) => {
                let target = self.term(store, target, bound)?;
                let memory = self.memory(store, *at)?;
                for cell in self.cells_of(store, self.program.fields[field.index()].owner, bound) {
                    let found = self.read(memory, cell, *field)?;
                    let same = compared(Cmp::Eq, found, target, &store.symbols)?;
                    if let (true, Value::Cell(cell)) = (same, cell) {
                        out.insert(cell);
                    }
                }
            }
            Set::Union(sets) => {
                for set in sets {
                    out.extend(self.set(store, set, bound)?);
                }
            }
            Set::Inter(sets) => {
                let mut parts = Vec::new();
                for set in sets {
                    parts.push(self.set(store, set, bound)?);
                }
                let Some(first) = parts.first() else { return refused("an intersection of nothing") };
                out.extend(first.iter().filter(|c| parts.iter().all(|p| p.contains(c))));
            }
            Set::Diff(a, b) => {
                let (a, b) = (self.set(store, a, bound)?, self.set(store, b, bound)?);
                out.extend(a.difference(&b));
            }
        }
        Ok(out)
    }

    fn formula(&self, store: &Store, formula: &Formula, bound: &mut Bound) -> Answer<bool> {
        match formula {
            Formula::Const(value) => Ok(*value),
            Formula::Not(p) => Ok(!self.formula(store, p, bound)?),
            Formula::And(parts) => settled(parts.iter().map(|p| self.formula(store, p, bound)), false),
            Formula::Or(parts) => settled(parts.iter().map(|p| self.formula(store, p, bound)), true),
            Formula::Implies(p, q) => {
                let premise = self.formula(store, p, bound).map(|p| !p);
                settled([premise, self.formula(store, q, bound)].into_iter(), true)
            }
            Formula::Iff(p, q) => Ok(self.formula(store, p, bound)? == self.formula(store, q, bound)?),
            Formula::Compare(cmp, a, b) => {
                let (a, b) = (self.term(store, a, bound)?, self.term(store, b, bound)?);
                compared(*cmp, a, b, &store.symbols)
            }
            Formula::Reach { field, at, from, to, plus } => {
                let (x, y) = (self.term(store, from, bound)?, self.term(store, to, bound)?);
                let memory = self.memory(store, *at)?;
                match (*plus, x) {
                    (false, x) => self.reaches(memory, *field, x, y),
                    (true, Value::Cell(_)) => {
                        let next = self.read(memory, x, *field)?;
                        self.reaches(memory, *field, next, y)
                    }
                    (true, _) => Ok(false),
                }
            }
            Formula::Between(field, at, x, y, z) => {
                let (x, y) = (self.term(store, x, bound)?, self.term(store, y, bound)?);
                let z = self.term(store, z, bound)?;
                let path = self.segment(self.memory(store, *at)?, *field, x, z)?;
                Ok(path.is_some_and(|path| y == z || path.iter().any(|c| Value::Cell(*c) == y)))
            }
            Formula::Valid(t, at) => {
                let value = self.term(store, t, bound)?;
                Ok(self.memory(store, *at)?.is_valid(value))
            }
            Formula::Freed(t, at) => {
                let value = self.term(store, t, bound)?;
                let cells = &self.memory(store, *at)?.cells;
                Ok(matches!(value, Value::Cell(c) if cells.get(c).is_some_and(|c| c.life == Life::Freed)))
            }
            // Nothing is allocated at the entry of `main`.
            Formula::Fresh(t) => Ok(self.term(store, t, bound)? != Value::Null),
            Formula::In(t, set) => match self.term(store, t, bound)? {
                Value::Cell(cell) => Ok(self.set(store, set, bound)?.contains(&cell)),
                _ => Ok(false),
            },
            Formula::Subset(a, b) => Ok(self.set(store, a, bound)?.is_subset(&self.set(store, b, bound)?)),
            Formula::SameSet(a, b) => Ok(self.set(store, a, bound)? == self.set(store, b, bound)?),
            Formula::Disjoint(sets) => {
                let mut all = BTreeSet::new();
                let mut twice = false;
                for set in sets {
                    for cell in self.set(store, set, bound)? {
                        twice |= !all.insert(cell);
                    }
                }
                Ok(!twice)
            }
            Formula::ValidRange(array, lo, hi) => {
                let lo = number::single(self.int(store, lo, bound)?, &store.symbols)?;
                let hi = number::single(self.int(store, hi, bound)?, &store.symbols)?;
                let len = store.memory.arrays[array.index()].len() as i128;
                Ok(lo > hi || (0 <= lo && hi < len))
            }
            Formula::Forall(binder, body) => self.over_cells(store, binder, body, bound, false),
            Formula::Exists(binder, body) => self.over_cells(store, binder, body, bound, true),
            _ => self.shape(store, formula, bound),
        }
    }

    /// A quantifier over null and cells; the value of the body that settles it is given.
    fn over_cells(
        &self,
        store: &Store,
        binder: &Binder,
        body: &Formula,
        bound: &mut Bound,
        by: bool,
    ) -> Answer<bool> {
        let Some(of) = binder.of else { return refused("a quantifier over integers is not evaluated here") };
        let values = [Value::Null].into_iter().chain(self.cells_of(store, of, bound));
        let parts = values.map(|value| {
            bound.push((binder.id, value));
            let part = self.formula(store, body, bound);
            bound.pop();
            part
        });
        settled(parts, by)
    }

    /// The predicates about whole segments.
    fn shape(&self, store: &Store, formula: &Formula, bound: &mut Bound) -> Answer<bool> {
        match formula {
            Formula::Stable(field, at, t) => {
                let start = self.term(store, t, bound)?;
                let memory = self.memory(store, *at)?;
                let met = self.walk(memory, *field, start)?;
                Ok(met.into_iter().all(|v| v == Value::Null || memory.is_valid(v)))
            }
            Formula::Unshared(field, at, x, y) => {
                let (x, y) = (self.term(store, x, bound)?, self.term(store, y, bound)?);
                let memory = self.memory(store, *at)?;
                let on = self.on_the_way(memory, *field, x, y)?;
                for b in self.cells_of(store, self.program.fields[field.index()].owner, bound) {
                    if self.reaches(memory, *field, x, b)? || self.reaches(memory, *field, b, x)? {
                        continue;
                    }
                    for a in &on {
                        if self.reaches(memory, *field, b, *a)? {
                            return Ok(false);
                        }
                    }
                }
                Ok(true)
            }
            Formula::Sorted(field, key, at, x, y) => {
                let (x, y) = (self.term(store, x, bound)?, self.term(store, y, bound)?);
                let memory = self.memory(store, *at)?;
                let cells = self.segment(memory, *field, x, y)?.unwrap_or_default();
                for pair in cells.windows(2) {
                    let a = self.read(memory, Value::Cell(pair[0]), *key)?;
                    let b = self.read(memory, Value::Cell(pair[1]), *key)?;
                    if !compared(Cmp::Le, a, b, &store.symbols)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Formula::Inverse(field, back, at, x, y) => {
                let (x, y) = (self.term(store, x, bound)?, self.term(store, y, bound)?);
                let memory = self.memory(store, *at)?;
                let on = self.on_the_way(memory, *field, x, y)?;
                for a in &on {
                    for b in &on {
                        if self.reaches(memory, *field, *a, *b)? != self.reaches(memory, *back, *b, *a)? {
                            return Ok(false);
                        }
                    }
                }
                Ok(true)
            }
            Formula::Dlseg(next, prev, at, ends) => {
                let [x, px, y, py] = &**ends;
                let (x, px) = (self.term(store, x, bound)?, self.term(store, px, bound)?);
                let (y, py) = (self.term(store, y, bound)?, self.term(store, py, bound)?);
                let memory = self.memory(store, *at)?;
                let Some(cells) = self.segment(memory, *next, x, y)? else { return Ok(false) };
                let mut before = px;
                for cell in cells {
                    if self.read(memory, Value::Cell(cell), *prev)? != before {
                        return Ok(false);
                    }
                    before = Value::Cell(cell);
                }
                Ok(before == py)
            }
            Formula::Tree(left, right, at, t) => {
                let root = self.term(store, t, bound)?;
                let memory = self.memory(store, *at)?;
                let mut seen = BTreeSet::new();
                let mut open = vec![root];
                while let Some(here) = open.pop() {
                    let Value::Cell(cell) = here else { continue };
                    if !seen.insert(cell) {
                        return Ok(false);
                    }
                    open.extend([self.read(memory, here, *left)?, self.read(memory, here, *right)?]);
                }
                Ok(true)
            }
            _ => refused("a formula of this kind is not evaluated here"),
        }
    }
}
