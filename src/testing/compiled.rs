//! The interpreter against the machine: random C programs are run by `program::interp` and, compiled by the
//! system's C compiler, by the processor; results must be the same. Faulty ones are compiled with
//! AddressSanitizer, and must fail in one exactly if they fail in the other.

use super::{cobjects, cprograms, cwide};
use crate::frontend::c;
use crate::program::interp::{End, Machine, Nothing};
use crate::program::{Check, Question, State, Value};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A family of programs.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// For people and file names.
    pub name: &'static str,
    prelude: &'static str,
    /// The text that defines a function of this name.
    define: fn(u64, &str, bool) -> String,
    faulty: bool,
}

/// All families: those of [`cprograms`], [`cwide`] and [`cobjects`], safe and faulty.
pub const FAMILIES: [Family; 6] = [
    Family { name: "safe", prelude: cprograms::PRELUDE, define: cprograms::function, faulty: false },
    Family { name: "faulty", prelude: cprograms::PRELUDE, define: cprograms::function, faulty: true },
    Family { name: "wide_safe", prelude: cwide::PRELUDE, define: wide, faulty: false },
    Family { name: "wide_faulty", prelude: cwide::PRELUDE, define: wide, faulty: true },
    Family { name: "objects_safe", prelude: cobjects::PRELUDE, define: cobjects::function, faulty: false },
    Family { name: "objects_faulty", prelude: cobjects::PRELUDE, define: cobjects::function, faulty: true },
];

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

/// What a comparison found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Programs that ran both ways.
    pub programs: usize,
    /// Of these, programs that fail.
    pub failing: usize,
}

/// Compares the programs of these seeds; nothing if there is no C compiler that takes the flags.
///
/// # Errors
/// The first program on which the two differ, or that the interpreter does not run, with its text.
pub fn compare(family: &Family, seeds: Range<u64>, directory: &Path) -> Option<Result<Summary, String>> {
    let functions: Vec<String> =
        seeds.clone().enumerate().map(|(i, s)| (family.define)(s, &format!("f{i}"), family.faulty)).collect();
    let binary = compile(family, &functions, directory)?;
    let mut summary = Summary::default();
    for (i, seed) in seeds.enumerate() {
        let text = format!("{}{}", family.prelude, (family.define)(seed, "main", family.faulty));
        let (ours, theirs) = match (interpreted(&text), compiled(&binary, i)) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Err(why), _) | (_, Err(why)) => return Some(Err(format!("program {seed}: {why}\n{text}"))),
        };
        // 99 is a result like any other, but also what a sanitizer exits with.
        if ours != Behaviour::Returns(99) && ours != theirs {
            return Some(Err(format!("program {seed}: {ours:?} here, {theirs:?} compiled\n{text}")));
        }
        summary.programs += 1;
        summary.failing += usize::from(ours == Behaviour::Fails);
    }
    let some = summary.failing > 0 && summary.failing < summary.programs;
    if some != family.faulty {
        return Some(Err(format!("{} of {} programs fail", summary.failing, summary.programs)));
    }
    Some(Ok(summary))
}

fn interpreted(text: &str) -> Result<Behaviour, String> {
    let unit = c::load("generated.c", text.as_bytes(), &c::Options::default());
    let main = unit.functions.iter().find(|f| f.name == "main").ok_or("there is no main")?;
    let program = main.program.as_ref().map_err(|d| format!("{d:?}"))?;
    program.validate().map_err(|e| e.to_string())?;
    let question = Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts] };
    let machine = Machine::new(program, &question);
    let mut run = machine.start_strict(State::new(program));
    match machine.run(&mut run, &mut Nothing, 1_000_000) {
        End::Exit => match program.result().map(|r| run.state.var(r)) {
            Some(Value::Int(n)) => Ok(Behaviour::Returns(n)),
            other => Err(format!("{other:?} is returned")),
        },
        End::Failed(_) => Ok(Behaviour::Fails),
        other => Err(format!("{other:?}")),
    }
}

/// One binary with all functions; the argument selects one. `None` if there is no compiler.
fn compile(family: &Family, functions: &[String], directory: &Path) -> Option<PathBuf> {
    let (source, binary) = (directory.join(format!("{}.c", family.name)), directory.join(family.name));
    let mut text = family.prelude.to_owned();
    functions.iter().for_each(|f| text.push_str(f));
    text.push_str("int main(int argc, char **argv) {\n  switch (argc > 1 ? atoi(argv[1]) : -1) {\n");
    for i in 0..functions.len() {
        text.push_str(&format!("  case {i}: return f{i}();\n"));
    }
    text.push_str("  }\n  return 255;\n}\n");
    std::fs::write(&source, text).ok()?;
    let sanitized = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let flags = if family.faulty { &sanitized[..] } else { &[] };
    let mut command = Command::new("cc");
    command.args(["-w", "-O0", "-std=c11"]).args(flags).arg(&source).arg("-o").arg(&binary);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    status.success().then_some(binary)
}

fn compiled(binary: &Path, index: usize) -> Result<Behaviour, String> {
    let mut command = Command::new(binary);
    command.arg(index.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
    // Leaks are no errors here, and every error ends with the same status.
    command.env("ASAN_OPTIONS", "detect_leaks=0:exitcode=99:detect_stack_use_after_return=0");
    command.env("UBSAN_OPTIONS", "exitcode=99");
    let status = command.status().map_err(|e| e.to_string())?;
    Ok(match status.code() {
        Some(code) if code < 200 && code != 99 => Behaviour::Returns(i128::from(code)),
        _ => Behaviour::Fails,
    })
}
