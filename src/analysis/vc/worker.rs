//! A solver for obligations whose deep paths have names ([`need`](crate::program::encode::need)).
//!
//! The question is asked with the names that are defined so far. A refutation is one. A model counts if every
//! other name that the question leads to has its right value in it; otherwise the wrong ones are defined, and the question
//! is asked again. Definitions stay, they serve the next obligation.

use crate::engine::solver::{Answer, Solver};
use crate::logic::{Model, TermId, Terms};
use crate::program::encode::Encoder;
use crate::program::encode::need::Truths;
use crate::util::hash::{Map, Set};
use crate::util::limits::Limits;

/// Questions with only the wrong names defined; then all names that the question leads to are.
const PATIENCE: u32 = 3;

/// A solver with the names that its terms use.
pub(super) struct Worker<'p> {
    pub(super) solver: Solver,
    /// Its terms are with the solver.
    encoder: Encoder<'p>,
    /// Numbers of the encoder's names, as far as they were looked at.
    numbers: Map<TermId, usize>,
    /// By number, the definition.
    definitions: Vec<Option<TermId>>,
    /// Facts of the encoder that the solver has.
    n_facts: usize,
}

impl<'p> Worker<'p> {
    /// A solver that knows the encoder's facts; its terms are the solver's.
    pub(super) fn new(solver: Solver, encoder: Encoder<'p>) -> Worker<'p> {
        let n_facts = encoder.facts.len();
        Worker { solver, encoder, numbers: Map::default(), definitions: Vec::new(), n_facts }
    }

    /// Asks, and defines names until the answer is one of the question with all of them defined. The limits hold for
    /// each time it is asked.
    ///
    /// # Errors
    /// What could not be built.
    pub(super) fn check(
        &mut self,
        assumptions: &[TermId],
        limits: impl Fn() -> Limits,
    ) -> Result<Answer, String> {
        for round in 0.. {
            self.solver.set_limits(limits());
            let answer = self.solver.check_assuming(assumptions).map_err(|e| e.to_string())?;
            let Answer::Sat(model) = answer else { return Ok(answer) };
            let mut open = self.undefined(assumptions);
            if round < PATIENCE {
                self.keep_wrong(&mut open, &model);
            }
            if open.is_empty() {
                return Ok(Answer::Sat(model));
            }
            open.into_iter().try_for_each(|number| self.define(number))?;
        }
        unreachable!("the loop has no end of its own")
    }

    /// The names without a definition that formulas lead to, through the definitions of others too.
    fn undefined(&mut self, formulas: &[TermId]) -> Vec<usize> {
        let named = self.encoder.named();
        for (number, name) in named.iter().enumerate().skip(self.definitions.len()) {
            self.numbers.insert(name.name, number);
            self.definitions.push(None);
        }
        let mut open = Vec::new();
        if self.numbers.is_empty() {
            return open;
        }
        let (terms, mut seen): (&Terms, Set<TermId>) = (self.solver.terms(), Set::default());
        let mut stack: Vec<TermId> = formulas.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend(terms.children(term));
            if let Some(&number) = self.numbers.get(&term) {
                match self.definitions[number] {
                    Some(definition) => stack.push(definition),
                    None => open.push(number),
                }
            }
        }
        open.sort_unstable();
        open
    }

    fn keep_wrong(&self, open: &mut Vec<usize>, model: &Model) {
        let mut truths = Truths::new(&self.encoder, self.solver.terms(), model);
        let named = self.encoder.named();
        open.retain(|&number| !truths.is_right(&named[number]));
    }

    fn define(&mut self, number: usize) -> Result<(), String> {
        std::mem::swap(self.solver.terms_mut(), &mut self.encoder.terms);
        let definition = self.encoder.define(number);
        std::mem::swap(self.solver.terms_mut(), &mut self.encoder.terms);
        let definition = definition.map_err(|reason| reason.0)?;
        self.definitions[number] = Some(definition);
        let facts = self.encoder.facts[self.n_facts..].iter().copied().chain([definition]);
        for fact in facts.collect::<Vec<_>>() {
            self.solver.assert(fact).map_err(|e| e.to_string())?;
        }
        self.n_facts = self.encoder.facts.len();
        Ok(())
    }
}
