//! What `frontend::c::plain` says with cells, held against the system's C compiler: small programs about texts, blocks, arrays
//! inside of objects, unions, bit-fields and the library, each with one number from outside.
//!
//! A program is compiled with the sanitizers and run for every number that it lets pass; it is decided by the engines alone,
//! without its paths. Verified although a run fails is wrong, as is violated although none does; `unknown` is allowed. The
//! cells are over-approximating, so nothing else would show that they leave something out.

mod features;
mod generate;

use super::compiled::has_compiler;
use crate::analysis::Setup;
use crate::frontend::c;
use crate::portfolio::{self, Engine, Task};
use crate::program::{Check, Question};
use crate::util::limits::Limits;
use features::PRELUDE;
use generate::{Micro, micro};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const CHECKS: [Check; 2] = [Check::Memsafety, Check::Asserts];

/// Numbers from outside that a program is run with; it refuses all others.
const INPUTS: usize = 5;

/// What `malloc` fills its blocks with: nothing may depend on it that is said to fail.
const FILLS: [u8; 2] = [0, 190];

/// An array at the end of a struct is no longer than it says; GCC and Clang have different words for that.
const STRICT: [&str; 2] = ["-fsanitize=bounds-strict", "-fstrict-flex-arrays=3"];

/// Runs all programs with all inputs and says of each how it ends.
const RUNNER: &str = "
static int input;
int __VERIFIER_nondet_int(void) { return input; }
void __VERIFIER_error(void) { _exit(42); }
int main(void) {
  for (unsigned p = 0; p < sizeof programs / sizeof *programs; p++)
    for (input = 0; input < INPUTS; input++) {
      int status = 0;
      char end = '?';
      pid_t child = fork();
      if (child == 0) { alarm(10); programs[p](); _exit(0); }
      if (child > 0 && waitpid(child, &status, 0) == child) {
        if (WIFEXITED(status)) end = WEXITSTATUS(status) == 0 ? '+' : '-';
        else if (WIFSIGNALED(status)) end = WTERMSIG(status) == SIGALRM ? '?' : '-';
      }
      if (write(1, &end, 1) != 1) return 1;
    }
  return 0;
}
";

/// What the compiled program says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// All runs are good.
    Good,
    /// Some run fails.
    Fails,
    /// Some run does not end, and none fails.
    Open,
}

/// What a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Programs that were held against each other.
    pub programs: usize,
    /// Of these, programs that fail for some number.
    pub failing: usize,
    /// Programs that were verified.
    pub verified: usize,
    /// Programs that were violated.
    pub violated: usize,
    /// Programs that the two do not agree on, without the statements that do not matter.
    pub differences: Vec<String>,
}

impl Summary {
    /// Both together.
    pub fn add(&mut self, other: Summary) {
        self.programs += other.programs;
        self.failing += other.failing;
        self.verified += other.verified;
        self.violated += other.violated;
        self.differences.extend(other.differences);
    }
}

/// The text of the program of a seed.
#[must_use]
pub fn program_text(seed: u64) -> String {
    micro(seed).text()
}

/// Compares the programs of these seeds, each decided in so many steps; nothing if there is no C compiler.
///
/// # Errors
/// What is wrong with the programs or with the machine; where the two differ is in the summary.
pub fn compare(seeds: Range<u64>, steps: u64, directory: &Path) -> Option<Result<Summary, String>> {
    if !cfg!(unix) || !has_compiler() {
        return None;
    }
    Some(compare_all(seeds, steps, directory))
}

/// Programs of one case of the torture run.
const CASE: u64 = 10;

/// Steps of one case of the torture run for each program.
const STEPS: u64 = 20_000;

/// Like [`compare`], for a few seeds from this one on, in a directory of its own; a difference is an error.
pub fn compare_seed(seed: u64) -> Option<Result<Summary, String>> {
    let directory = std::env::temp_dir().join(format!("plaincells-{}-{seed:x}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&directory) {
        return Some(Err(error.to_string()));
    }
    let first = seed % (u64::MAX - CASE);
    let result = compare(first..first + CASE, STEPS, &directory);
    let _ = std::fs::remove_dir_all(&directory);
    let result = result?.and_then(|summary| match summary.differences.first() {
        Some(difference) => Err(difference.clone()),
        None => Ok(summary),
    });
    Some(result)
}

fn compare_all(seeds: Range<u64>, steps: u64, directory: &Path) -> Result<Summary, String> {
    let programs: Vec<Micro> = seeds.clone().map(micro).collect();
    let mut summary = Summary::default();
    for ((seed, program), fate) in seeds.zip(&programs).zip(fates(&programs, directory)?) {
        let word = decided(program, steps).map_err(|why| format!("program {seed}: {why}"))?;
        summary.programs += 1;
        summary.failing += usize::from(fate == Fate::Fails);
        summary.verified += usize::from(word == "verified");
        summary.violated += usize::from(word == "violated");
        if contradicts(word, fate) {
            let least = smallest(program, steps, directory)?;
            summary.differences.push(format!("program {seed}: {word}, but it is {fate:?}\n{}", least.text()));
        }
    }
    Ok(summary)
}

fn contradicts(word: &str, fate: Fate) -> bool {
    matches!((word, fate), ("verified", Fate::Fails) | ("violated", Fate::Good))
}

/// What the engines say of it.
fn decided(program: &Micro, steps: u64) -> Result<&'static str, String> {
    let text = program.text();
    let options = c::Options { checks: CHECKS.to_vec(), ..c::Options::default() };
    let unit = c::load("micro.c", text.as_bytes(), &options);
    if unit.has_errors() {
        return Err(format!("{:?}\n{text}", unit.diagnostics));
    }
    let main = unit.functions.iter().find(|f| f.name == "main").ok_or_else(|| format!("no main\n{text}"))?;
    let Ok(program) = &main.program else { return Ok("unknown") };
    program.validate().map_err(|e| format!("{e}\n{text}"))?;
    let question = Question { contract: 0, checks: CHECKS.to_vec() };
    let task =
        Task { program, inlined: main.inlined.as_ref(), question: &question, property: None, aside: None };
    let limits = Limits { steps: Some(steps), ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    let decided = portfolio::decide(Engine::Auto, &task, &setup, &|_| {});
    match decided.disagreement {
        true => Err(format!("the engines disagree\n{text}")),
        false => Ok(decided.outcome.verdict.word()),
    }
}

/// The program without the statements that the contradiction does not need.
fn smallest(program: &Micro, steps: u64, directory: &Path) -> Result<Micro, String> {
    let mut least = program.clone();
    loop {
        let without = |i: usize| {
            let mut other = least.clone();
            other.statements.remove(i);
            other
        };
        let smaller: Vec<Micro> = (0..least.statements.len()).map(without).collect();
        let fates = fates(&smaller, directory)?;
        let next = smaller
            .into_iter()
            .zip(fates)
            .find(|(other, fate)| decided(other, steps).is_ok_and(|word| contradicts(word, *fate)));
        match next {
            Some((other, _)) => least = other,
            None => return Ok(least),
        }
    }
}

/// How the programs end, compiled.
fn fates(programs: &[Micro], directory: &Path) -> Result<Vec<Fate>, String> {
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let binary = compile(programs, directory)?;
    let mut fates = vec![Fate::Good; programs.len()];
    for fill in FILLS {
        let mut command = Command::new(&binary);
        let options = format!(
            "detect_leaks=0:exitcode=99:detect_stack_use_after_return=0:strict_string_checks=1:symbolize=0:malloc_fill_byte={fill}"
        );
        command.env("ASAN_OPTIONS", options).env("UBSAN_OPTIONS", "exitcode=99:symbolize=0");
        let output =
            command.stdin(Stdio::null()).stderr(Stdio::null()).output().map_err(|e| e.to_string())?;
        let ends = output.stdout;
        if ends.len() != programs.len() * INPUTS {
            return Err(format!("{} runs instead of {}", ends.len(), programs.len() * INPUTS));
        }
        for (fate, ends) in fates.iter_mut().zip(ends.chunks(INPUTS)) {
            if ends.contains(&b'-') {
                *fate = Fate::Fails;
            } else if ends.contains(&b'?') && *fate == Fate::Good {
                *fate = Fate::Open;
            }
        }
    }
    Ok(fates)
}

/// One binary with all of them.
fn compile(programs: &[Micro], directory: &Path) -> Result<PathBuf, String> {
    let (source, binary) = (directory.join("plaincells.c"), directory.join("plaincells"));
    let mut text = format!("#include <signal.h>\n#include <unistd.h>\n#include <sys/wait.h>\n{PRELUDE}");
    let mut table = "static int (*programs[])(void) = {".to_owned();
    for (i, program) in programs.iter().enumerate() {
        text.push_str(&program.definition(&format!("f{i}")));
        let _ = write!(table, " f{i},");
    }
    let _ = write!(text, "{table} }};{}", RUNNER.replace("INPUTS", &INPUTS.to_string()));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    // What the library does is seen only where it is called.
    let flags = ["-w", "-O0", "-g", "-std=gnu11", "-fno-builtin", "-fsanitize=address,undefined"];
    let mut complaint = String::new();
    for strict in STRICT {
        let mut command = Command::new("cc");
        command.args(flags).args(["-fno-sanitize-recover=all", strict]).arg(&source).arg("-o").arg(&binary);
        let output = command.stdout(Stdio::null()).output().map_err(|e| e.to_string())?;
        if output.status.success() {
            return Ok(binary);
        }
        let _ = writeln!(complaint, "the compiler says: {}", String::from_utf8_lossy(&output.stderr));
    }
    Err(complaint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_of_small_programs_what_the_compiler_says() {
        let directory = std::env::temp_dir().join(format!("plaincells-test-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory for the programs");
        let result = compare(0..40, 5_000, &directory);
        let _ = std::fs::remove_dir_all(&directory);
        let Some(result) = result else {
            eprintln!("SKIPPED plaincells: no C compiler");
            return;
        };
        let summary = result.unwrap_or_else(|why| panic!("{why}"));
        assert!(summary.differences.is_empty(), "{}", summary.differences.join("\n"));
        assert!(summary.verified >= 4 && summary.violated >= 4, "{summary:?}");
        assert!(summary.failing >= 8 && summary.failing + 8 <= summary.programs, "{summary:?}");
    }

    #[test]
    fn every_feature_is_drawn() {
        let texts: Vec<String> = (0..600).map(program_text).collect();
        for feature in features::FEATURES {
            let drawn = texts.iter().filter(|text| text.contains(feature.name)).count();
            assert!(drawn > 20, "{}", feature.name);
        }
    }
}
