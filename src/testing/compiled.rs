//! The interpreters against the machine: random C programs are run by `program::interp` as cells, by `execution` as
//! bytes and, compiled by the system's C compiler, by the processor; results must be the same. Faulty ones are compiled
//! with AddressSanitizer, and must fail in one exactly if they fail in the others.

use super::{cblocks, cbytes, ccontainers, cfront, cobjects, coverflow, cprograms, cwide};
use crate::execution::{self, Ran};
use crate::frontend::c;
use crate::program::interp::{End, Machine, Nothing};
use crate::program::trace::UNMODELLED;
use crate::program::{Check, Question, State, Value};
use crate::util::limits::Limits;
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
    /// Cells have no model of it: it is executed as bytes only.
    bytes: bool,
    /// What is asked about: signed overflow counts in some families.
    checks: &'static [Check],
    /// `long` has 32 bits; the text calls it `word`.
    ilp32: bool,
}

const MEMORY: &[Check] = &[Check::Memsafety, Check::Asserts];
const ARITHMETIC: &[Check] = &[Check::Memsafety, Check::Asserts, Check::Overflow];

const fn family(
    name: &'static str,
    prelude: &'static str,
    define: fn(u64, &str, bool) -> String,
    faulty: bool,
) -> Family {
    Family { name, prelude, define, faulty, bytes: false, checks: MEMORY, ilp32: false }
}

/// All families: those of [`cprograms`], [`cwide`], [`cobjects`], [`cfront`], [`cbytes`], [`ccontainers`],
/// [`coverflow`] and [`cblocks`], safe and faulty.
pub const FAMILIES: [Family; 23] = [
    family("safe", cprograms::PRELUDE, cprograms::function, false),
    family("faulty", cprograms::PRELUDE, cprograms::function, true),
    family("wide_safe", cwide::PRELUDE, wide, false),
    family("wide_faulty", cwide::PRELUDE, wide, true),
    family("objects_safe", cobjects::PRELUDE, cobjects::function, false),
    family("objects_faulty", cobjects::PRELUDE, cobjects::function, true),
    front("conversions", cfront::conversions::function, false),
    front("layout", cfront::layout::function, false),
    front("initialisers", cfront::initialisers::function, false),
    front("macros", cfront::macros::function, false),
    front("control", cfront::control::function, false),
    front("ends", cfront::control::function, true),
    front("recursion", cfront::recursion::function, false),
    front("recursion_faulty", cfront::recursion::function, true),
    Family { bytes: true, ..front("orders", cfront::orders::function, false) },
    Family { bytes: true, ..family("bytes", cbytes::PRELUDE, cbytes::function, false) },
    Family { bytes: true, ..family("bytes_faulty", cbytes::PRELUDE, cbytes::function, true) },
    family("containers", ccontainers::PRELUDE, ccontainers::function, false),
    family("containers_faulty", ccontainers::PRELUDE, ccontainers::function, true),
    Family { checks: ARITHMETIC, ..family("overflow", coverflow::PRELUDE, coverflow::function, true) },
    Family {
        checks: ARITHMETIC,
        ilp32: true,
        ..family("overflow_ilp32", coverflow::PRELUDE, coverflow::function, true)
    },
    Family { bytes: true, ..family("blocks", cblocks::PRELUDE, cblocks::function, false) },
    Family { bytes: true, ..family("blocks_faulty", cblocks::PRELUDE, cblocks::function, true) },
];

const fn front(name: &'static str, define: fn(u64, &str, bool) -> String, faulty: bool) -> Family {
    family(name, cfront::PRELUDE, define, faulty)
}

fn wide(seed: u64, name: &str, faulty: bool) -> String {
    let unit = format!("{name}_unit");
    format!("{}int {name}(void) {{ return {unit}_run(); }}\n", cwide::unit(seed, &unit, faulty))
}

/// What a run gave.
#[derive(Debug, PartialEq, Eq)]
enum Behaviour {
    /// It ended with this status.
    Returns(i128),
    /// It called `abort`, maybe because an assertion failed.
    Aborts,
    /// It did something that has no meaning.
    Fails,
}

/// Why there is nothing to compare.
enum Refusal {
    /// The front end says that something is not modelled.
    Unsupported(String),
    /// Anything else is a fault.
    Fault(String),
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal::Fault(why)
    }
}

/// What a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Programs that ran both ways.
    pub programs: usize,
    /// Of these, programs that fail.
    pub failing: usize,
    /// Programs that the front end does not model.
    pub refused: usize,
    /// Why it did not model the last of them.
    pub reason: Option<String>,
}

/// Compares the programs of these seeds; nothing if there is no C compiler.
///
/// # Errors
/// The first program on which the two differ, or that one of them does not take, with its text.
pub fn compare(family: &Family, seeds: Range<u64>, directory: &Path) -> Option<Result<Summary, String>> {
    has_compiler().then(|| compare_all(family, seeds, directory))
}

/// Whether there is a C compiler.
pub(super) fn has_compiler() -> bool {
    Command::new("cc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Programs of one case of the torture run.
const CASE: u64 = 25;

/// The family that a case is about.
#[must_use]
pub fn family_of(seed: u64) -> &'static Family {
    &FAMILIES[(seed % FAMILIES.len() as u64) as usize]
}

/// Like [`compare`], for a few seeds from this one on, in a directory of its own.
pub fn compare_seed(family: &Family, seed: u64) -> Option<Result<Summary, String>> {
    let name = format!("compiled-{}-{seed:x}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    if let Err(error) = std::fs::create_dir_all(&directory) {
        return Some(Err(error.to_string()));
    }
    let first = seed % (u64::MAX - CASE);
    let result = compare(family, first..first + CASE, &directory);
    let _ = std::fs::remove_dir_all(&directory);
    result
}

/// Tells that nothing of this kind was compared.
pub fn say_skipped(kind: &str) {
    use std::io::Write as _;
    // If that cannot be told, nobody reads it.
    let _ = writeln!(std::io::stderr(), "SKIPPED {kind}: no C compiler");
}

/// The text of one program of a family.
#[must_use]
pub fn program_text(family: &Family, seed: u64) -> String {
    format!("{}{}", family.prelude, (family.define)(seed, "main", family.faulty))
}

fn compare_all(family: &Family, seeds: Range<u64>, directory: &Path) -> Result<Summary, String> {
    let functions: Vec<String> =
        seeds.clone().enumerate().map(|(i, s)| (family.define)(s, &format!("f{i}"), family.faulty)).collect();
    let binary = compile(family, &functions, directory)?;
    let mut summary = Summary::default();
    for (i, seed) in seeds.enumerate() {
        let text = program_text(family, seed);
        let theirs = compiled(&binary, i).map_err(|why| format!("program {seed}: {why}\n{text}"))?;
        let mut failing = false;
        let cells = (!family.bytes).then(|| interpreted(family, &text, true));
        // Without knowing what pointers lead to, less is decided, and nothing else.
        if let (false, Ok(plain)) = (family.bytes, interpreted(family, &text, false))
            && plain != Behaviour::Returns(99)
            && plain != theirs
        {
            return Err(format!("program {seed}: {plain:?} as plain cells, {theirs:?} compiled\n{text}"));
        }
        for (how, ours) in
            cells.map(|c| ("as cells", c)).into_iter().chain([("as bytes", executed(family, &text))])
        {
            let ours = match ours {
                Ok(ours) => ours,
                Err(Refusal::Unsupported(why)) => {
                    summary.refused += 1;
                    summary.reason = Some(format!("program {seed} {how}: {why}"));
                    continue;
                }
                Err(Refusal::Fault(why)) => return Err(format!("program {seed} {how}: {why}\n{text}")),
            };
            // 99 is a result like any other, but also what a sanitizer exits with.
            if ours != Behaviour::Returns(99) && ours != theirs {
                return Err(format!("program {seed}: {ours:?} {how}, {theirs:?} compiled\n{text}"));
            }
            failing |= !matches!(ours, Behaviour::Returns(_));
        }
        summary.programs += 1;
        summary.failing += usize::from(failing);
    }
    Ok(summary)
}

impl Summary {
    /// Whether so many programs say something of this family: faulty ones fail sometimes, safe ones never, and few are
    /// refused.
    ///
    /// # Errors
    /// What is wrong with the numbers.
    pub fn judge(&self, family: &Family) -> Result<(), String> {
        let some = self.failing > 0 && self.failing < self.programs;
        if some != family.faulty {
            return Err(format!("{}: {} of {} programs fail", family.name, self.failing, self.programs));
        }
        if self.refused * 20 > self.programs + self.refused {
            return Err(format!("{}: {} programs are refused: {:?}", family.name, self.refused, self.reason));
        }
        Ok(())
    }
}

impl Family {
    /// How its programs are read.
    fn options(&self) -> c::Options {
        c::Options { checks: self.checks.to_vec(), lp64: !self.ilp32, ..c::Options::default() }
    }
}

fn interpreted(family: &Family, text: &str, objects: bool) -> Result<Behaviour, Refusal> {
    // Recursion is followed some levels deep.
    let options = c::Options { inline_contracts: true, objects, ..family.options() };
    let unit = c::load("generated.c", text.as_bytes(), &options);
    if unit.has_errors() {
        return Err(Refusal::Fault(format!("{:?}", unit.diagnostics)));
    }
    let main = unit.functions.iter().find(|f| f.name == "main").ok_or("there is no main".to_owned())?;
    let program = main.program.as_ref().map_err(|d| Refusal::Unsupported(format!("{d:?}")))?;
    program.validate().map_err(|e| e.to_string())?;
    let question = Question { contract: 0, checks: family.checks.to_vec() };
    let machine = Machine::new(program, &question);
    let mut run = machine.start_strict(State::new(program));
    match machine.run(&mut run, &mut Nothing, 1_000_000) {
        End::Exit => match program.result().map(|r| run.state.var(r)) {
            Some(Value::Int(n)) => Ok(Behaviour::Returns(n)),
            other => Err(Refusal::Fault(format!("{other:?} is returned"))),
        },
        End::Halted => Ok(Behaviour::Aborts),
        // A division by zero belongs to the same check.
        End::Failed(failure) if failure.message.starts_with("assertion") => Ok(Behaviour::Aborts),
        End::Failed(failure) if failure.message.starts_with(UNMODELLED) => {
            Err(Refusal::Unsupported(failure.message))
        }
        End::Failed(_) => Ok(Behaviour::Fails),
        other => Err(Refusal::Fault(format!("{other:?}"))),
    }
}

fn executed(family: &Family, text: &str) -> Result<Behaviour, Refusal> {
    let options = family.options();
    let unit = c::load("generated.c", text.as_bytes(), &options);
    if unit.has_errors() {
        return Err(Refusal::Fault(format!("{:?}", unit.diagnostics)));
    }
    let checked = unit.checked.ok_or("there is no main".to_owned())?;
    let limits = Limits { steps: Some(20_000_000), ..Limits::default() };
    match execution::run(&checked, &options, &limits) {
        Ran::Returned(status) => Ok(Behaviour::Returns(status)),
        Ran::Aborted => Ok(Behaviour::Aborts),
        Ran::Failed(..) => Ok(Behaviour::Fails),
        Ran::Unknown(why) => Err(Refusal::Unsupported(why)),
    }
}

/// One binary with all functions; the argument selects one.
fn compile(family: &Family, functions: &[String], directory: &Path) -> Result<PathBuf, String> {
    let (source, binary) = (directory.join(format!("{}.c", family.name)), directory.join(family.name));
    let mut text = family.prelude.to_owned();
    text = text.replace("#define VOL\n", "#define VOL volatile\n");
    if family.ilp32 {
        text = text.replace("typedef long word;", "typedef int word;");
    }
    functions.iter().for_each(|f| text.push_str(f));
    text.push_str("int main(int argc, char **argv) {\n  switch (argc > 1 ? atoi(argv[1]) : -1) {\n");
    for i in 0..functions.len() {
        text.push_str(&format!("  case {i}: return f{i}();\n"));
    }
    text.push_str("  }\n  return 255;\n}\n");
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let sanitized = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let undefined = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
    let flags = if family.faulty { &sanitized[..] } else { &undefined[..] };
    let mut command = Command::new("cc");
    command.args(["-w", "-O0", "-std=gnu11"]).args(flags).arg(&source).arg("-o").arg(&binary);
    let output = command.stdout(Stdio::null()).output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(binary),
        false => Err(format!("the compiler says: {}", String::from_utf8_lossy(&output.stderr))),
    }
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
        Some(_) => Behaviour::Fails,
        // A signal: `abort`, unless the sanitizers were not there to say what is wrong.
        None if has_aborted(status) => Behaviour::Aborts,
        None => Behaviour::Fails,
    })
}

#[cfg(unix)]
fn has_aborted(status: std::process::ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    const SIGABRT: i32 = 6;
    status.signal() == Some(SIGABRT)
}

#[cfg(not(unix))]
fn has_aborted(_: std::process::ExitStatus) -> bool {
    true
}
