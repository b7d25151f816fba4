//! Proofs of unsat answers: the log of the search in the words of the problem.
//!
//! Level literals of `push` do not appear: under the open levels they are true, so their negations are left
//! out of all clauses; a clause of a closed level is left out itself. The latter is sound because a level
//! occurs in negated form only, so whatever rests on such a clause still contains the literal.

use super::{Grounder, Last};
use crate::proof::{Clause, Literal, Proof, Step};
use crate::sat::Lit;
use crate::sat::proof::ProofStep;

impl Grounder {
    /// The proof of the last answer, which must have been unsat with nothing added since: its last clause is
    /// made of negated assumptions of the core. None if proofs are off.
    pub(crate) fn proof(&self, terms: &crate::logic::Terms) -> Option<Proof> {
        let groups = self.encoder.steps.as_ref()?;
        let Last::Core(core) = &self.last else { panic!("the last query was unsatisfiable") };
        let mut steps = Vec::new();
        for step in self.encoder.cdcl.proof() {
            let Some(clause) = self.without_levels(step.lits()) else { continue };
            match step {
                ProofStep::Input { tag, .. } => steps.extend_from_slice(&groups[*tag as usize]),
                ProofStep::Learnt { .. } => steps.push(Step::Propagation { clause }),
            }
        }
        let clause: Clause = core.iter().map(|&formula| Literal::new(terms, formula, false)).collect();
        let last = Step::Propagation { clause };
        if steps.last() != Some(&last) {
            steps.push(last);
        }
        Some(Proof { steps })
    }

    /// The literals of the problem in a clause; none if a closed level makes it true.
    fn without_levels(&self, lits: &[Lit]) -> Option<Clause> {
        let mut clause = Vec::with_capacity(lits.len());
        for &lit in lits {
            match self.encoder.literal(lit) {
                Some(literal) => clause.push(literal),
                None if self.levels.contains(&!lit) => {}
                None => return None,
            }
        }
        Some(clause)
    }
}
