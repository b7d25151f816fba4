//! The predicates about whole segments, from their definitions (PDR paper, Table 3; DESIGN 6, decisions 4 and 12).

use super::{Answer, EvalError, Evaluator};
use crate::program::decl::FieldId;
use crate::program::formula::{At, Formula};
use crate::program::state::{CellId, Value};
use std::collections::BTreeSet;

impl Evaluator<'_> {
    /// The truth of one of them.
    pub(super) fn shape(&mut self, formula: &Formula) -> Answer<bool> {
        match formula {
            Formula::Stable(field, at, t) => {
                let start = self.pointer(t)?;
                let state = self.state(*at)?;
                let cells = self.closure(*field, *at, start)?;
                Ok(cells.iter().all(|c| state.status(*c).is_valid()))
            }
            Formula::Unshared(field, at, x, y) => {
                let (x, y) = (self.pointer(x)?, self.pointer(y)?);
                self.unshared(*field, *at, x, y)
            }
            Formula::Sorted(field, key, at, x, y) => {
                let (x, y) = (self.pointer(x)?, self.pointer(y)?);
                let state = self.state(*at)?;
                let cells = self.segment(*field, *at, x, y)?.unwrap_or_default();
                let keys: Vec<Value> =
                    cells.iter().map(|c| self.read(state, Value::Cell(*c), *key)).collect();
                if keys.iter().any(|k| !matches!(k, Value::Int(_))) {
                    return Err(EvalError::IllTyped);
                }
                Ok(keys.is_sorted())
            }
            Formula::Inverse(field, back, at, x, y) => {
                let (x, y) = (self.pointer(x)?, self.pointer(y)?);
                self.inverse(*field, *back, *at, x, y)
            }
            Formula::Dlseg(next, prev, at, ends) => {
                let [x, px, y, py] = &**ends;
                let (x, px) = (self.pointer(x)?, self.pointer(px)?);
                let (y, py) = (self.pointer(y)?, self.pointer(py)?);
                let state = self.state(*at)?;
                let Some(cells) = self.segment(*next, *at, x, y)? else { return Ok(false) };
                let mut before = px;
                for cell in cells {
                    if self.read(state, Value::Cell(cell), *prev) != before {
                        return Ok(false);
                    }
                    before = Value::Cell(cell);
                }
                Ok(before == py)
            }
            Formula::Tree(left, right, at, t) => {
                let root = self.pointer(t)?;
                let state = self.state(*at)?;
                let mut seen = BTreeSet::new();
                let mut stack = vec![root];
                while let Some(here) = stack.pop() {
                    self.spend()?;
                    let Value::Cell(cell) = here else { continue };
                    if !seen.insert(cell) {
                        return Ok(false);
                    }
                    stack.extend([self.read(state, here, *left), self.read(state, here, *right)]);
                }
                Ok(true)
            }
            _ => Err(EvalError::IllTyped),
        }
    }

    /// The cells a with x -f*-> a -f*-> y.
    fn on_the_way(&mut self, field: FieldId, at: At, x: Value, y: Value) -> Answer<Vec<CellId>> {
        let mut cells = self.closure(field, at, x)?;
        let mut error = None;
        cells.retain(|c| {
            self.reaches(field, at, Value::Cell(*c), y).unwrap_or_else(|e| {
                error = Some(e);
                false
            })
        });
        error.map_or(Ok(cells), Err)
    }

    fn unshared(&mut self, field: FieldId, at: At, x: Value, y: Value) -> Answer<bool> {
        let owner = self.program.fields[field.index()].owner;
        let on = self.on_the_way(field, at, x, y)?;
        for b in self.cells_of(owner) {
            let b = Value::Cell(b);
            if self.reaches(field, at, b, x)? || self.reaches(field, at, x, b)? {
                continue;
            }
            for a in &on {
                if self.reaches(field, at, b, Value::Cell(*a))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn inverse(&mut self, field: FieldId, back: FieldId, at: At, x: Value, y: Value) -> Answer<bool> {
        let on = self.on_the_way(field, at, x, y)?;
        for a in &on {
            for b in &on {
                let (a, b) = (Value::Cell(*a), Value::Cell(*b));
                if self.reaches(field, at, a, b)? != self.reaches(back, at, b, a)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
