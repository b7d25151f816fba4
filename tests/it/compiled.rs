//! A sample of random C programs behaves the same in the interpreter and compiled; the example `compiled` runs
//! more.

use catena::testing::compiled::{FAMILIES, compare};
use std::path::Path;

fn family(name: &str) {
    let family = FAMILIES.iter().find(|f| f.name == name).expect("a family");
    match compare(family, 0..60, Path::new(env!("CARGO_TARGET_TMPDIR"))) {
        Some(Ok(_)) => {}
        Some(Err(difference)) => panic!("{difference}"),
        None => eprintln!("skipped: no C compiler that takes the flags"),
    }
}

#[test]
fn safe_programs_return_the_same() {
    family("safe");
}

#[test]
fn faulty_programs_fail_in_both() {
    family("faulty");
}

#[test]
fn safe_programs_about_whole_objects_return_the_same() {
    family("objects_safe");
}

#[test]
fn faulty_programs_about_whole_objects_fail_in_both() {
    family("objects_faulty");
}

#[test]
fn wide_safe_programs_return_the_same() {
    family("wide_safe");
}

#[test]
fn wide_faulty_programs_fail_in_both() {
    family("wide_faulty");
}
