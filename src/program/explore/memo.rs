//! Searches that were made already: engines that work on one question one after the other ask for the same runs.
//!
//! A search is deterministic. One that found nothing finds nothing again within a bound that is no larger, and a run that
//! fails still fails. What a limit stopped is not remembered.

use super::{Bound, Found, search};
use crate::program::{Program, Question};
use crate::util::limits::Budget;
use std::sync::{Arc, Mutex};

/// Bounded search for a failing run, with a memory that its clones share.
#[derive(Clone, Debug, Default)]
pub struct Searches(Arc<Mutex<Vec<Done>>>);

/// A search and its result.
#[derive(Debug)]
struct Done {
    program: Program,
    question: Question,
    bound: Bound,
    found: Found,
}

/// Searches that are remembered, the newest ones: each holds a program.
const MOST: usize = 8;

impl Searches {
    /// Looks for a failing run from any small entry state.
    pub fn search(
        &self,
        program: &Program,
        question: &Question,
        bound: &Bound,
        budget: &mut Budget,
    ) -> Found {
        if let Some(found) = self.known(program, question, bound) {
            return found;
        }
        let found = search(program, question, bound, budget);
        if let (Ok(mut all), false) = (self.0.lock(), matches!(found, Found::Stopped(_))) {
            let same = |d: &Done| d.question == *question && d.program == *program;
            if all.len() >= MOST {
                all.remove(0);
            }
            all.retain(|d| !same(d) || d.bound.cells > bound.cells || d.bound.commands > bound.commands);
            let (program, question) = (program.clone(), question.clone());
            all.push(Done { program, question, bound: *bound, found: found.clone() });
        }
        found
    }

    fn known(&self, program: &Program, question: &Question, bound: &Bound) -> Option<Found> {
        let all = self.0.lock().ok()?;
        let answers = |d: &&Done| match &d.found {
            Found::Nothing { .. } => bound.is_within(&d.bound),
            Found::Violation(_) => d.bound.is_within(bound),
            Found::Stopped(_) => false,
        };
        let mut fitting = all.iter().filter(answers);
        fitting.find(|d| d.question == *question && d.program == *program).map(|d| d.found.clone())
    }
}

impl Bound {
    /// No larger in any respect.
    fn is_within(&self, other: &Bound) -> bool {
        self.cells <= other.cells
            && self.ints <= other.ints
            && self.commands_per_entry <= other.commands_per_entry
            && self.commands <= other.commands
            && self.keep <= other.keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::samples::{Sample, reverse};
    use crate::program::{Formula, VarKind};

    #[test]
    fn what_was_searched_is_not_searched_again() {
        let (searches, question) = (Searches::default(), Question::of_contract(0));
        let bound = Bound { cells: 2, commands: 5_000, ..Bound::default() };
        let spent = |program: &Program, bound: &Bound| {
            let mut budget = Budget::unlimited();
            let found = searches.search(program, &question, bound, &mut budget);
            (found, budget.used())
        };
        let program = reverse();
        let (found, used) = spent(&program, &bound);
        assert!(matches!(found, Found::Nothing { .. }) && used > 0);
        assert_eq!(spent(&program, &Bound { cells: 1, ..bound }), (found.clone(), 0));
        // A larger bound, another program or a question of another kind is a new search.
        assert!(spent(&program, &Bound { cells: 3, ..bound }).1 > 0);
        let mut wrong = Sample::new("f");
        wrong.pointer("x", VarKind::Param);
        wrong.assert(Formula::Const(false));
        let wrong = wrong.finish();
        let (violation, _) = spent(&wrong, &bound);
        assert!(matches!(violation, Found::Violation(_)));
        assert_eq!(spent(&wrong, &Bound { cells: 4, ..bound }), (violation, 0));
        assert_eq!(spent(&program, &bound), (found, 0));
    }
}
