//! Random sequences of calls ([`calls`]), and threads that share a solver.

mod calls;

use calls::{Done, Random, sequence};
use catena_c::*;
use std::ptr::null;

const OK: catena_status = catena_status::CATENA_OK;

#[test]
fn random_calls_do_no_harm() {
    let mut all = Done::default();
    for seed in 1..=500u64 {
        let done = sequence(Random::seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)), 1500);
        all.checks += done.checks;
        all.texts += done.texts;
        all.terms += done.terms;
    }
    let Done { checks, texts, terms } = all;
    assert!(checks > 500 && texts > 500 && terms > 5000, "{checks} checks, {texts} texts, {terms} terms");
    // As the fuzz target makes them.
    sequence(Random::from_bytes(&[0, 0, 1, 0, 7, 1, 25, 0, 3, 0]), 300);
}

#[test]
fn threads_share_a_solver_without_harm() {
    let mut solver = 0;
    // SAFETY: the place for the result is a variable.
    assert_eq!(unsafe { catena_solver_new(false, &raw mut solver) }, OK);
    std::thread::scope(|scope| {
        for t in 0..4i64 {
            scope.spawn(move || {
                for i in 0..500 {
                    let (mut term, mut answer) = (0, catena_answer::CATENA_UNKNOWN);
                    // SAFETY: the places for the results are variables.
                    let statuses = unsafe {
                        [
                            catena_int(solver, t * 1000 + i, &raw mut term),
                            catena_check(solver, null(), 0, &raw mut answer),
                        ]
                    };
                    for status in statuses {
                        assert!(matches!(status, OK | catena_status::CATENA_ERROR_BUSY), "{status:?}");
                    }
                }
            });
        }
    });
    assert_eq!(catena_close(solver), OK);
}
