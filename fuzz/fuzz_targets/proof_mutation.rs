//! Changed proofs are accepted only if the assertions are contradictory.

#![no_main]

use catena::testing::proofs::{check_mutants, random_problem};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, u64)| {
    let (problem, mutation) = input;
    if let Err(complaint) = check_mutants(&random_problem(problem), mutation, 20) {
        panic!("{complaint}");
    }
});
