//! The heap behind a model of the translated formulas.
//!
//! Locations for which `alloc` is true are the cells, the functions give their fields. Before such a heap is
//! shown, the assertions are evaluated in it as they were written, by code that shares nothing with the
//! translation.

use crate::frontend::smtlib::sep::Translation;
use crate::logic::sep::{Heap, HeapError, HeapEvaluator, Vocabulary};
use crate::logic::{EvalError, Evaluator, Model, Op, SortId, TermId, Terms, Value};

/// A store and a heap.
#[derive(Clone, Debug)]
pub struct HeapModel {
    /// The store: values of all constants.
    pub model: Model,
    /// The heap.
    pub heap: Heap,
}

impl HeapModel {
    /// The heap that a model of translated formulas describes.
    pub fn new(
        terms: &Terms,
        vocabulary: &Vocabulary,
        translation: &Translation,
        model: Model,
    ) -> Result<HeapModel, EvalError> {
        let mut heap = Heap::default();
        let mut evaluator = Evaluator::new(terms, &model);
        for &(sort, var, is_cell) in &translation.alloc {
            let cell = vocabulary.cell_of(sort).expect("alloc is about sorts with cells");
            for e in 0..model.size(sort) {
                let at = Value::Elem(e);
                let mut env = [(var, at.clone())].into_iter().collect();
                if evaluator.eval_in(is_cell, &mut env)?.is_true() {
                    let place = [at.clone()];
                    let fields = cell.fields.iter().map(|f| model.get(terms, f.func, &place)).collect();
                    heap.insert(sort, at, fields);
                }
            }
        }
        Ok(HeapModel { model, heap })
    }

    /// Whether all assertions, as they were written, are true here.
    pub fn satisfies(
        &self,
        terms: &Terms,
        vocabulary: &Vocabulary,
        assertions: &[TermId],
    ) -> Result<bool, HeapError> {
        let nil_is_cell = |(sort, nil): (SortId, TermId)| {
            let Op::App(func) = terms.op(nil) else { unreachable!("nil is a constant") };
            self.heap.get(sort, &self.model.get(terms, func, &[])).is_some()
        };
        if vocabulary.nils().any(nil_is_cell) {
            return Ok(false);
        }
        let mut evaluator = HeapEvaluator::new(terms, vocabulary, &self.model, &self.heap);
        for &assertion in assertions {
            if !evaluator.holds(assertion)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
