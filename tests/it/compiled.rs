//! A sample of random C programs behaves the same in the interpreter and compiled; the example `compiled` runs
//! more.

use catena::testing::compiled::{FAMILIES, compare};
use std::path::Path;

fn family(name: &str) {
    let family = FAMILIES.iter().find(|f| f.name == name).expect("a family");
    match compare(family, 0..60, Path::new(env!("CARGO_TARGET_TMPDIR"))) {
        Some(Ok(summary)) => {
            if let Err(complaint) = summary.judge(family) {
                panic!("{complaint}");
            }
        }
        Some(Err(difference)) => panic!("{difference}"),
        None => eprintln!("SKIPPED {name}: no C compiler"),
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

#[test]
fn conversions_between_integers_are_the_same() {
    family("conversions");
}

#[test]
fn sizes_are_the_same() {
    family("layout");
}

#[test]
fn initialisers_are_the_same() {
    family("initialisers");
}

#[test]
fn macros_are_the_same() {
    family("macros");
}

#[test]
fn shapes_of_control_are_the_same() {
    family("control");
}

#[test]
fn programs_end_the_same() {
    family("ends");
}

#[test]
fn recursive_calls_are_the_same() {
    family("recursion");
}

#[test]
fn faulty_recursion_fails_in_both() {
    family("recursion_faulty");
}

#[test]
fn open_orders_make_no_difference() {
    family("orders");
}

#[test]
fn arithmetic_overflows_in_both() {
    family("overflow");
}

#[test]
fn arithmetic_overflows_in_both_with_a_short_long() {
    family("overflow_ilp32");
}

/// The tables of sizes are those of the compiler.
#[test]
fn the_compiler_agrees_about_all_sizes() {
    for (rows, flag) in [("rows.txt", "-m64"), ("rows_ilp32.txt", "-m32")] {
        let directory = crate::root().join("tests/data/sizes");
        let read = |name: &str| std::fs::read_to_string(directory.join(name)).expect("readable");
        let compile = |name: &str, text: String| {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
            std::fs::write(&file, text).expect("a place for test files");
            let flags = ["-w", "-std=gnu11", "-fsyntax-only", flag];
            std::process::Command::new("cc").args(flags).arg(&file).output()
        };
        // Not every compiler knows both machines.
        if !compile("any.c", "int main(void) { return 0; }\n".to_owned()).is_ok_and(|o| o.status.success()) {
            eprintln!("SKIPPED the_compiler_agrees_about_all_sizes: no C compiler that takes {flag}");
            continue;
        }
        let checks: String = read(rows)
            .lines()
            .map(|row| row.split_once(' ').expect("a size and an expression"))
            .map(|(size, expression)| {
                format!("  {{ char check[sizeof({expression}) == {size} ? 1 : -1]; }}\n")
            })
            .collect();
        let text = format!("{}{checks}  return 0;\n}}\n", read("declarations.c"));
        let output = compile("sizes.c", text).expect("it ran before");
        assert!(output.status.success(), "{rows}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn arrays_inside_objects_and_blocks_are_the_same() {
    family("blocks");
}

#[test]
fn faulty_programs_about_arrays_and_blocks_fail_in_all() {
    family("blocks_faulty");
}
