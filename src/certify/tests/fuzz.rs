//! No mutant of a proof may be accepted for a satisfiable problem, and none may make the checker panic.

use super::valid::minimal_cases;
use super::*;
use crate::certify::mutate::mutants;

#[test]
fn no_mutant_proves_a_satisfiable_problem() {
    for (number, (title, case)) in minimal_cases().into_iter().enumerate() {
        let proof = Proof { steps: case.steps.clone() };
        for seed in 0..case.assertions.len() {
            // Every assertion of a minimal case is needed.
            let mut kept = case.assertions.clone();
            kept.remove(seed);
            for mutant in mutants(&case.t, &proof, (100 * number + seed) as u64, 400) {
                let answer = check_proof(&case.t, &kept, &case.assumptions, &mutant);
                assert!(answer.is_err(), "{title}, without assertion {seed}: {mutant:?}");
            }
        }
    }
}

/// Two changes in a row reach what one cannot; most mutants of either kind are noticed.
#[test]
fn most_mutants_are_rejected() {
    let (mut accepted, mut all) = (0, 0);
    for (title, case) in minimal_cases() {
        let proof = Proof { steps: case.steps.clone() };
        for (i, mutant) in mutants(&case.t, &proof, 1, 50).into_iter().enumerate() {
            for twice in mutants(&case.t, &mutant, i as u64, 4).iter().chain([&mutant]) {
                accepted +=
                    usize::from(check_proof(&case.t, &case.assertions, &case.assumptions, twice).is_ok());
                all += 1;
                let answer = check_proof(&case.t, &[], &case.assumptions, twice);
                assert!(answer.is_err(), "{title}, without assertions: {twice:?}");
            }
        }
    }
    assert!(accepted * 3 < all, "{accepted} of {all} mutants are accepted");
}

#[test]
fn equal_seeds_give_equal_mutants() {
    let (_, case) = minimal_cases().remove(8);
    let proof = Proof { steps: case.steps.clone() };
    let first = mutants(&case.t, &proof, 5, 20);
    assert_eq!(first, mutants(&case.t, &proof, 5, 20));
    assert_eq!(first.len(), 20);
    assert!(first.iter().all(|mutant| *mutant != proof));
    assert!(mutants(&case.t, &Proof::default(), 5, 20).is_empty());
}
