//! The proof log of the Boolean search.
//!
//! Every [`ProofStep::Learnt`] clause follows from the steps before it by reverse unit propagation (RUP):
//! assume its negation, propagate units, meet a conflict. Deletions are not logged, so a step may rest on
//! any earlier one. After an unsat answer under assumptions the clause of the negated core is RUP as well;
//! after an unsat answer without assumptions the log ends in the empty clause. The checker that the
//! product trusts lives elsewhere; the one here serves the tests of this module.

use super::lit::Lit;

/// One step of a proof log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// A clause that the caller added.
    Input {
        /// The caller's mark for the clause.
        tag: u32,
        /// The literals as given.
        lits: Vec<Lit>,
    },
    /// A clause that follows from the steps before it by unit propagation.
    Learnt {
        /// The literals; none for the contradiction that ends a refutation.
        lits: Vec<Lit>,
    },
}

impl ProofStep {
    /// The clause of the step.
    pub fn lits(&self) -> &[Lit] {
        match self {
            ProofStep::Input { lits, .. } | ProofStep::Learnt { lits } => lits,
        }
    }
}

/// A slow and plain RUP checker that shares no code with the search.
#[cfg(test)]
pub(super) mod rup {
    use super::*;

    /// Whether the negation of `lits` propagates to a conflict in `clauses`.
    pub(crate) fn implied(clauses: &[&[Lit]], lits: &[Lit]) -> bool {
        let mut truths: std::collections::BTreeSet<Lit> = lits.iter().map(|&lit| !lit).collect();
        if truths.iter().any(|&lit| truths.contains(&!lit)) {
            return true;
        }
        loop {
            let before = truths.len();
            for clause in clauses {
                if clause.iter().any(|lit| truths.contains(lit)) {
                    continue;
                }
                let mut open = clause.iter().filter(|&&lit| !truths.contains(&!lit));
                match (open.next(), open.next()) {
                    (None, _) => return true,
                    (Some(&unit), None) => _ = truths.insert(unit),
                    (Some(&a), Some(_)) if clause.iter().all(|&b| b == a || truths.contains(&!b)) => {
                        truths.insert(a);
                    }
                    _ => {}
                }
            }
            if truths.len() == before {
                return false;
            }
        }
    }

    /// Asserts that every learnt step is RUP, and the clause `last` after all of them.
    pub(crate) fn check(steps: &[ProofStep], last: Option<&[Lit]>) {
        let clauses: Vec<&[Lit]> = steps.iter().map(ProofStep::lits).collect();
        for (at, step) in steps.iter().enumerate() {
            if let ProofStep::Learnt { lits } = step {
                assert!(implied(&clauses[..at], lits), "step {at} is not RUP: {lits:?}");
            }
        }
        if let Some(last) = last {
            assert!(implied(&clauses, last), "the answer's clause is not RUP: {last:?}");
        }
    }

    #[test]
    fn accepts_units_and_rejects_guesses() {
        let lits = |ns: &[i64]| ns.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>();
        let (a, b) = (lits(&[1, 2]), lits(&[-1, 2]));
        assert!(implied(&[&a, &b], &lits(&[2])));
        assert!(!implied(&[&a, &b], &lits(&[1])));
        assert!(implied(&[&lits(&[1, 1])], &lits(&[1])));
        assert!(implied(&[], &lits(&[3, -3])));
    }
}
