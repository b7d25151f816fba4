//! The conjuncts of a clause: each is an obligation of its own.
//!
//! A goal that is a conjunction is refuted by breaking any one part, so the search for its proof meets the cases of
//! every part at once; one by one they are small, and what was proved of one part is known for the next.

use crate::program::formula::{Formula, Set};

/// A clause with more parts than this stays whole: premises are repeated for each.
const MAX_PARTS: usize = 64;

/// Formulas that together say what the given one says.
pub(super) fn conjuncts(formula: &Formula) -> Vec<Formula> {
    let parts = split(formula);
    if parts.len() > MAX_PARTS { vec![formula.clone()] } else { parts }
}

fn split(formula: &Formula) -> Vec<Formula> {
    let subset = |a: &Set, b: &Set| Formula::Subset(a.clone(), b.clone());
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        Formula::Implies(premise, then) => {
            let under = |part| Formula::Implies(premise.clone(), Box::new(part));
            conjuncts(then).into_iter().map(under).collect()
        }
        Formula::Iff(a, b) => {
            let there = Formula::Implies(a.clone(), b.clone());
            let back = Formula::Implies(b.clone(), a.clone());
            [there, back].iter().flat_map(conjuncts).collect()
        }
        Formula::Forall(binder, body) => {
            let over = |part| Formula::Forall(binder.clone(), Box::new(part));
            conjuncts(body).into_iter().map(over).collect()
        }
        Formula::SameSet(a, b) => vec![subset(a, b), subset(b, a)],
        other => vec![other.clone()],
    }
}
