//! Small finite models of formulas outside the complete fragments, and of others whose search takes long.
//!
//! There, instances make new terms that ask for further instances, and the search for a model need not end.
//! If every uninterpreted sort is said to have at most n elements, named by constants, every term equals one
//! of them and instantiation by models ends. So the same search is asked again with that said, for a few small
//! n. A model of more formulas is a model; that there is none of this size means nothing. Every quantifier over
//! a sort that has only small models benefits, and nothing is trusted: the model was evaluated.

use crate::engine::search::{Outcome, Search};
use crate::logic::{Model, SortId, TermId, Terms};
use crate::util::limits::{Budget, Stop};
use crate::util::options;

/// The sizes that are tried.
const SIZES: [usize; 4] = [1, 2, 3, 5];

/// The constants that name elements, per sort; they are made once.
#[derive(Default)]
pub(crate) struct Elements {
    names: Vec<Vec<TermId>>,
}

impl Elements {
    /// A model of the formulas in which every uninterpreted sort is small, if one is found cheaply.
    pub(crate) fn small_model(
        &mut self,
        terms: &mut Terms,
        formulas: &[TermId],
        budget: &mut Budget,
    ) -> Result<Option<Box<Model>>, Stop> {
        let sorts: Vec<SortId> = terms.uninterpreted_sorts().collect();
        if sorts.is_empty() {
            return Ok(None);
        }
        for size in SIZES {
            let mut search = Search::new(terms, None, false);
            for &formula in formulas {
                search.kernel_mut().assert(terms, formula);
            }
            for &sort in &sorts {
                let closed = self.at_most(terms, sort, size);
                search.kernel_mut().assert(terms, closed);
                search.kernel_mut().urgent.push(closed);
            }
            let mut allowance = budget.part(options::SOLVER_SMALL_MODELS_WORK.get());
            let outcome = search.solve(terms, &[], &mut allowance);
            budget.spend(allowance.used().saturating_sub(budget.used()))?;
            budget.poll()?;
            if let Ok(Outcome::Sat(model)) = outcome {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }

    /// Every element of the sort is one of the first constants.
    fn at_most(&mut self, terms: &mut Terms, sort: SortId, size: usize) -> TermId {
        if self.names.len() <= sort.index() {
            self.names.resize(sort.index() + 1, Vec::new());
        }
        let names = &mut self.names[sort.index()];
        while names.len() < size {
            names.push(terms.fresh_const("element", sort));
        }
        let variable = terms.variable("u", sort).expect("the sort is known");
        let equal: Vec<TermId> = names[..size].iter().map(|&name| terms.mk_eq(variable, name)).collect();
        let body = terms.mk_junction(&equal, false);
        terms.forall(&[variable], body).expect("a closed formula")
    }
}
