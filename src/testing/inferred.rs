//! The judge of engine `pdr` on random pointer programs (see [`crate::testing::pointers`]).
//!
//! `verified` is held against explicit-state search on bounded heaps, with the invariants as assertions on the
//! way; `violated` against a second run of its trace; and what the derived predicates answer against what
//! universal clauses answer.

use crate::analysis::pdr;
use crate::analysis::{Predicates, Setup, Variants};
use crate::program::explore::{self, Bound, Found};
use crate::program::{Check, Question};
use crate::testing::pointers::{Case, random_case};
use crate::util::limits::{Budget, Limits};
use crate::verdict::{Certificate, Verdict};

/// Runs the engine on the case of a seed; the word of its verdict, or what is wrong.
pub fn check_pdr(seed: u64) -> Result<&'static str, String> {
    let mut case = random_case(seed);
    case.question.checks.retain(|check| matches!(check, Check::Memsafety | Check::Ensures));
    let words = [judged(&case, Predicates::Derived)?, judged(&case, Predicates::None)?];
    if words.contains(&"verified") && words.contains(&"violated") {
        return Err(format!("verified and violated: {}", case.text));
    }
    Ok(words[0])
}

fn judged(case: &Case, predicates: Predicates) -> Result<&'static str, String> {
    let limits = Limits { steps: Some(400_000), ..Limits::default() };
    let setup =
        Setup { limits, variants: Variants { predicates, ..Variants::default() }, ..Setup::default() };
    let outcome = pdr::run(&case.program, &case.question, &setup, &|_| {});
    match &outcome.verdict {
        Verdict::Verified(certificate) => {
            let Certificate::Invariants(invariants) = certificate else {
                return Err(format!("a certificate of another kind for {}", case.text));
            };
            let annotated = pdr::exact::annotated(&case.program, invariants);
            let mut checks = case.question.checks.clone();
            checks.push(Check::Asserts);
            let question = Question { checks, ..case.question.clone() };
            let bound = Bound { cells: 3, commands: 200_000, ..Bound::default() };
            let found = explore::search(&annotated, &question, &bound, &mut Budget::unlimited());
            if let Found::Violation(trace) = found {
                return Err(format!(
                    "{predicates:?}: verified, but {} in {}",
                    trace.failure.message, case.text
                ));
            }
        }
        Verdict::Violated(trace) => {
            let (bound, mut budget) = (Bound::default(), Budget::unlimited());
            let start = &trace.initial;
            let again = explore::replay(&case.program, &case.question, start, None, &bound, &mut budget);
            if !matches!(again, Found::Violation(_)) {
                return Err(format!("a trace that does not replay for {}", case.text));
            }
        }
        Verdict::TooWeak(_) | Verdict::Unknown(_) => {}
    }
    Ok(outcome.verdict.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_programs_are_judged_right() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..300 {
            let word = check_pdr(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            *counts.entry(word).or_insert(0) += 1;
        }
        assert!(counts["verified"] > 20 && counts["violated"] > 50, "{counts:?}");
    }
}
