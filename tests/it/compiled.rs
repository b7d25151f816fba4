//! The interpreter against the machine: random C programs are run by `program::interp` and, compiled by the
//! system's C compiler, by the processor; results must be the same. Faulty ones are compiled with
//! AddressSanitizer, and must fail in one exactly if they fail in the other.

use catena::frontend::c;
use catena::program::interp::{End, Machine, Nothing};
use catena::program::{Check, Question, State, Value};
use catena::testing::{cprograms, cwide};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// More programs: `CATENA_PROGRAMS=1000 cargo test compiled`.
fn count() -> u64 {
    std::env::var("CATENA_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

/// A family of programs: what they begin with, and the text that defines a function of this name.
struct Family {
    prelude: &'static str,
    define: fn(u64, &str, bool) -> String,
}

const NARROW: Family = Family { prelude: cprograms::PRELUDE, define: cprograms::function };
const WIDE: Family = Family { prelude: cwide::PRELUDE, define: wide };

fn wide(seed: u64, name: &str, faulty: bool) -> String {
    let unit = format!("{name}_unit");
    format!("{}int {name}(void) {{ return {unit}_run(); }}\n", cwide::unit(seed, &unit, faulty))
}

/// What a run gave: its result, or that it failed.
#[derive(Debug, PartialEq, Eq)]
enum Behaviour {
    Returns(i128),
    Fails,
}

fn interpreted(text: &str) -> Behaviour {
    let unit = c::load("generated.c", text.as_bytes(), &c::Options::default());
    let main = unit.functions.iter().find(|f| f.name == "main").expect("main is there");
    let program = main.program.as_ref().unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    program.validate().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let question = Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts] };
    let machine = Machine::new(program, &question);
    let mut run = machine.start_strict(State::new(program));
    match machine.run(&mut run, &mut Nothing, 1_000_000) {
        End::Exit => match run.state.var(program.result().expect("main returns a value")) {
            Value::Int(n) => Behaviour::Returns(n),
            other => panic!("{other:?} is returned\n{text}"),
        },
        End::Failed(_) => Behaviour::Fails,
        other => panic!("{other:?}\n{text}"),
    }
}

/// One binary with all functions; the argument selects one. `None` if there is no compiler.
fn compile(name: &str, prelude: &str, functions: &[String], flags: &[&str]) -> Option<PathBuf> {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (directory.join(format!("{name}.c")), directory.join(name));
    let mut text = prelude.to_owned();
    functions.iter().for_each(|f| text.push_str(f));
    text.push_str("int main(int argc, char **argv) {\n  switch (argc > 1 ? atoi(argv[1]) : -1) {\n");
    for i in 0..functions.len() {
        text.push_str(&format!("  case {i}: return f{i}();\n"));
    }
    text.push_str("  }\n  return 255;\n}\n");
    std::fs::write(&source, text).ok()?;
    let mut command = Command::new("cc");
    command.args(["-w", "-O0", "-std=c11"]).args(flags).arg(&source).arg("-o").arg(&binary);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    status.success().then_some(binary)
}

fn compiled(binary: &PathBuf, index: usize) -> Behaviour {
    let mut command = Command::new(binary);
    command.arg(index.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
    // Leaks are no errors here, and every error ends with the same status.
    command.env("ASAN_OPTIONS", "detect_leaks=0:exitcode=99:detect_stack_use_after_return=0");
    command.env("UBSAN_OPTIONS", "exitcode=99");
    let status = command.status().expect("the program runs");
    match status.code() {
        Some(code) if code < 200 && code != 99 => Behaviour::Returns(i128::from(code)),
        _ => Behaviour::Fails,
    }
}

fn compare(name: &str, family: &Family, faulty: bool) {
    let flags: &[&str] =
        if faulty { &["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"] } else { &[] };
    let define = family.define;
    let functions: Vec<String> = (0..count()).map(|i| define(i, &format!("f{i}"), faulty)).collect();
    let Some(binary) = compile(name, family.prelude, &functions, flags) else {
        eprintln!("skipped: no C compiler that accepts {flags:?}");
        return;
    };
    let mut failing = 0;
    for i in 0..functions.len() {
        let text = format!("{}{}", family.prelude, define(i as u64, "main", faulty));
        let (ours, theirs) = (interpreted(&text), compiled(&binary, i));
        // 99 is a result like any other, but also what a sanitizer exits with.
        if ours != Behaviour::Returns(99) {
            assert_eq!(ours, theirs, "program {i}:\n{text}");
        }
        failing += usize::from(ours == Behaviour::Fails);
    }
    let some = failing > 0 && failing < functions.len();
    assert_eq!(some, faulty, "{failing} of {} programs fail", functions.len());
}

#[test]
fn safe_programs_return_the_same() {
    compare("safe", &NARROW, false);
}

#[test]
fn faulty_programs_fail_in_both() {
    compare("faulty", &NARROW, true);
}

#[test]
fn wide_safe_programs_return_the_same() {
    compare("wide_safe", &WIDE, false);
}

#[test]
fn wide_faulty_programs_fail_in_both() {
    compare("wide_faulty", &WIDE, true);
}
