//! What is said about termination agrees with all states of small programs; `testing::cloops` makes them.

use catena::testing::cloops::{Answer, check};

fn compare(lists: bool, seeds: std::ops::Range<u64>) {
    let mut answers = Vec::new();
    for seed in seeds {
        match check(seed, lists) {
            Ok(answer) => answers.push(answer),
            Err(why) => panic!("{why}"),
        }
    }
    let count = |wanted: Answer| answers.iter().filter(|a| **a == wanted).count();
    let (ends, endless, open) = (count(Answer::Ends), count(Answer::Endless), count(Answer::Open));
    eprintln!("{ends} end, {endless} do not, {open} are open, {} skipped", count(Answer::Skipped));
    assert!(ends > 0 && endless > 0, "the programs say something");
}

#[test]
fn loops_over_numbers() {
    compare(false, 0..40);
}

#[test]
fn loops_over_lists() {
    compare(true, 0..30);
}

/// More of both: `cargo test --test it termination -- --ignored`.
#[test]
#[ignore = "minutes"]
fn many_loops() {
    compare(false, 1000..1600);
    compare(true, 1000..1400);
}
