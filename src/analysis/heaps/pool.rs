//! Models that questions of the analysis with a context have met, to answer the next ones by evaluation.
//!
//! A model of a way is a run of it, and a model of a place a state there: whatever is asked about them next is asked
//! of these models first. Only the literals tell two questions about the same way or place apart, and in a model all of
//! them have truths. The cell that a cube is about is a constant that nothing else mentions, so every element of
//! a model can play it: one model speaks of as many cubes as it has cells.
//!
//! Sound because a model in which a cube holds, or a predicate fails, can only make heaps weaker, and what
//! comes out is proved by the caller anyway.

use crate::logic::eval::Evaluator;
use crate::logic::{Model, Op, TermId, Terms, Value};
use crate::util::hash::Map;

/// Models that are kept per way or place, one for each element that plays the cell.
const MOST: usize = 4_000;

/// What a model is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    /// Of a way, by number.
    Way(usize),
    /// Of a place, by number.
    Place(usize),
}

/// A model and what was found to be true in it, where that has a value.
struct Known {
    model: Model,
    truths: Map<TermId, Option<bool>>,
}

impl Known {
    fn truth(&mut self, terms: &Terms, formula: TermId) -> Option<bool> {
        let Known { model, truths } = self;
        *truths.entry(formula).or_insert_with(|| Evaluator::new(terms, model).holds(formula).ok())
    }
}

/// All models that are kept.
#[derive(Default)]
pub(super) struct Pool {
    models: Map<Of, Vec<Known>>,
}

impl Pool {
    /// Keeps a model, with every element as the cell of each kind.
    pub(super) fn add(&mut self, of: Of, terms: &Terms, model: &Model, cells: &[TermId]) {
        let kept = self.models.entry(of).or_default();
        for &cell in cells {
            let Op::App(constant) = terms.op(cell) else { continue };
            for element in 0..model.size(terms.sort(cell)) {
                if kept.len() >= MOST {
                    return;
                }
                let mut model = model.clone();
                model.set(terms, constant, &[], Value::Elem(element));
                kept.push(Known { model, truths: Map::default() });
            }
        }
    }

    /// How many models there are of a way or place.
    pub(super) fn len(&self, of: Of) -> usize {
        self.models.get(&of).map_or(0, Vec::len)
    }

    /// Whether all formulas hold in a model.
    pub(super) fn satisfies(&mut self, of: Of, i: usize, terms: &Terms, formulas: &[TermId]) -> bool {
        let known = self.models.get_mut(&of).and_then(|known| known.get_mut(i));
        known.is_some_and(|known| formulas.iter().all(|&f| known.truth(terms, f) == Some(true)))
    }

    /// The truths of formulas in a model, if all of them have one.
    pub(super) fn truths(
        &mut self,
        of: Of,
        i: usize,
        terms: &Terms,
        formulas: &[TermId],
    ) -> Option<Vec<bool>> {
        let known = self.models.get_mut(&of)?.get_mut(i)?;
        formulas.iter().map(|&f| known.truth(terms, f)).collect()
    }

    /// Whether all formulas hold in some model.
    pub(super) fn is_satisfied(&mut self, of: Of, terms: &Terms, formulas: &[TermId]) -> bool {
        (0..self.len(of)).any(|i| self.satisfies(of, i, terms, formulas))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One model with two elements speaks of both of them, and of what does not depend on the cell.
    #[test]
    fn every_element_plays_the_cell() {
        let mut terms = Terms::new();
        let sort = terms.declare_sort("Cell").expect("a sort");
        let x = terms.declare_const("x", sort).expect("a constant");
        let cell = terms.declare_const("object", sort).expect("a constant");
        let same = terms.eq(x, cell).expect("an equality");
        let other = terms.not(same).expect("its negation");
        let mut model = Model::new(&terms);
        model.set_size(sort, 2);
        let mut pool = Pool::default();
        pool.add(Of::Way(0), &terms, &model, &[cell]);
        assert_eq!(pool.len(Of::Way(0)), 2);
        assert_eq!(pool.len(Of::Place(0)), 0);
        assert!(pool.is_satisfied(Of::Way(0), &terms, &[same]));
        assert!(pool.is_satisfied(Of::Way(0), &terms, &[other]));
        assert!(!pool.is_satisfied(Of::Way(0), &terms, &[same, other]));
        assert!(!pool.is_satisfied(Of::Place(0), &terms, &[same]));
    }
}
