//! Bytes choose a kind of formula and a seed; every oracle runs.

#![no_main]

use catena::testing::formulas;
use catena::testing::{Effort, check_problem};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u64)| {
    let (kind, seed) = input;
    let all = formulas::all();
    let (name, generator) = &all[usize::from(kind) % all.len()];
    let effort = Effort { brute_cap: 2_000, ..Effort::default() };
    if let Err(complaint) = check_problem(&generator.generate(seed), &effort, seed) {
        panic!("{name} {seed}: {complaint}");
    }
});
