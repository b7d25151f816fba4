//! How many checks of the competition's benchmark repository are decided, and how many wrongly?
//!
//! `CATENA_CORPORA=DIR cargo bench --bench competition [-- [--timeout S] [--jobs N] [--list] WORD...]`
//!
//! The repository is expected below `DIR/svcomp`; without it the bench says so and does nothing. Each task is a `.yml` file
//! that names its input, its properties and the right answers. Only tasks whose path has one of the words are run. The
//! score is the competition's: 2 for a right `true`, 1 for a right `false`, -32 and -16 for wrong ones. `--list` prints a line
//! per check. The first number of seconds is the limit of each check, on the clock.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const DIRECTORIES: [&str; 15] = [
    "list-properties",
    "list-simple",
    "list-ext-properties",
    "list-ext2-properties",
    "list-ext3-properties",
    "heap-manipulation",
    "heap-data",
    "forester-heap",
    "memsafety",
    "memsafety-ext",
    "memsafety-ext2",
    "memsafety-ext3",
    "ldv-sets",
    "ldv-regression",
    "ldv-memsafety",
];
const PROPERTIES: [&str; 5] =
    ["unreach-call", "valid-memsafety", "valid-memcleanup", "no-overflow", "termination"];

/// One question with its answer.
struct Check {
    directory: &'static str,
    task: String,
    input: PathBuf,
    property: &'static str,
    holds: bool,
    /// The part of the property that fails first.
    part: Option<String>,
}

/// How a check went.
struct Done {
    answer: String,
    right: Option<bool>,
    time: Duration,
}

#[derive(Default)]
struct Row {
    right: [usize; 2],
    wrong: usize,
    undecided: usize,
    score: i64,
    best: i64,
    time: Duration,
}

fn main() -> ExitCode {
    let Some(corpora) = std::env::var_os("CATENA_CORPORA") else {
        eprintln!("SKIPPED: CATENA_CORPORA does not say where the benchmark repository is");
        return ExitCode::SUCCESS;
    };
    let (mut timeout, mut jobs, mut list, mut words) = (30.0, 2, false, Vec::new());
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse::<f64>().ok());
        match argument.as_str() {
            "--timeout" => timeout = number().unwrap_or(timeout),
            "--jobs" => jobs = number().map_or(jobs, |n| n as usize),
            "--list" => list = true,
            _ => words.push(argument),
        }
    }
    let root = Path::new(&corpora).join("svcomp/c");
    let mut checks: Vec<Check> = DIRECTORIES.iter().flat_map(|d| tasks(&root, d)).collect();
    checks.retain(|c| words.is_empty() || words.iter().any(|w| c.task.contains(w.as_str())));
    if checks.is_empty() {
        eprintln!("SKIPPED: there are no tasks below svcomp/c in CATENA_CORPORA");
        return ExitCode::SUCCESS;
    }
    let done = run_all(&checks, timeout, jobs);
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for (check, done) in checks.iter().zip(&done) {
        let Some(done) = done else { continue };
        if list {
            let word = match done.right {
                Some(true) => "right",
                Some(false) => "WRONG",
                None => "undecided",
            };
            println!(
                "{word}\t{}\t{}\t{:.2}\t{}",
                check.task,
                check.property,
                done.time.as_secs_f64(),
                done.answer
            );
        }
        add(rows.entry(check.directory).or_default(), check, done);
    }
    print(&rows)
}

fn print(rows: &BTreeMap<&str, Row>) -> ExitCode {
    println!(
        "{:24} {:>6} {:>6} {:>6} {:>10} {:>11} {:>8}",
        "directory", "true", "false", "wrong", "undecided", "score", "seconds"
    );
    let mut total = Row::default();
    let line = |name: &str, row: &Row| {
        println!(
            "{name:24} {:>6} {:>6} {:>6} {:>10} {:>5} / {:<4} {:>7.1}",
            row.right[1],
            row.right[0],
            row.wrong,
            row.undecided,
            row.score,
            row.best,
            row.time.as_secs_f64()
        );
    };
    for (name, row) in rows {
        line(name, row);
        (0..2).for_each(|i| total.right[i] += row.right[i]);
        total.wrong += row.wrong;
        total.undecided += row.undecided;
        total.score += row.score;
        total.best += row.best;
        total.time += row.time;
    }
    line("all", &total);
    if total.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn add(row: &mut Row, check: &Check, done: &Done) {
    row.best += if check.holds { 2 } else { 1 };
    row.time += done.time;
    match (done.right, check.holds) {
        (Some(true), holds) => {
            row.right[usize::from(holds)] += 1;
            row.score += if holds { 2 } else { 1 };
        }
        (Some(false), holds) => {
            row.wrong += 1;
            row.score -= if holds { 16 } else { 32 };
        }
        (None, _) => row.undecided += 1,
    }
}

/// The checks of a directory.
fn tasks(root: &Path, directory: &'static str) -> Vec<Check> {
    let Ok(entries) = std::fs::read_dir(root.join(directory)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "yml"));
    files.sort();
    files
        .iter()
        .filter_map(|file| Some((file, std::fs::read_to_string(file).ok()?)))
        .flat_map(|(file, text)| read(file, &text, directory))
        .collect()
}

/// The lines of a task that matter; the format is YAML, written one key a line throughout the repository.
fn read(file: &Path, text: &str, directory: &'static str) -> Vec<Check> {
    let value = |line: &str, key: &str| {
        let rest = line.trim().trim_start_matches("- ").strip_prefix(key)?.strip_prefix(':')?;
        Some(rest.trim().trim_matches(['\'', '"']).to_owned())
    };
    let mut input = None;
    let mut checks: Vec<Check> = Vec::new();
    let mut open: Option<&'static str> = None;
    for line in text.lines() {
        if let Some(name) = value(line, "input_files") {
            input = Some(file.with_file_name(name));
        }
        if let Some(name) = value(line, "property_file") {
            open = PROPERTIES.into_iter().find(|p| name.ends_with(&format!("/{p}.prp")));
        }
        if let (Some(property), Some(answer), Some(input)) = (open, value(line, "expected_verdict"), &input) {
            let task = format!("{directory}/{}", file.file_stem().unwrap_or_default().to_string_lossy());
            let holds = answer == "true";
            checks.push(Check { directory, task, input: input.clone(), property, holds, part: None });
        }
        if let (Some(part), Some(check), true) =
            (value(line, "subproperty"), checks.last_mut(), open.is_some())
        {
            check.part = Some(part);
        }
    }
    checks
}

fn run_all(checks: &[Check], timeout: f64, jobs: usize) -> Vec<Option<Done>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(checks.iter().map(|_| None).collect::<Vec<_>>());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some((index, check)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, checks.get(i)?)))
                {
                    let result = run(check, timeout);
                    if let Ok(mut done) = done.lock() {
                        done[index] = Some(result);
                    }
                }
            });
        }
    });
    done.into_inner().unwrap_or_default()
}

fn run(check: &Check, timeout: f64) -> Done {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_catena"))
        .args([
            "verify",
            "--svcomp",
            check.property,
            "--data-model",
            "ILP32",
            "--jobs",
            "1",
            "--memory",
            "4000",
        ])
        .args(["--timeout", &timeout.to_string()])
        .arg(&check.input)
        .output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    let answer = text.lines().rev().find_map(|l| l.strip_prefix("VERDICT: ")).unwrap_or("none").to_owned();
    let failing = answer.strip_prefix("false(").and_then(|a| a.strip_suffix(')'));
    let right = match answer == "true" {
        true => Some(check.holds),
        false => failing.map(|part| !check.holds && check.part.as_ref().is_none_or(|p| p == part)),
    };
    Done { answer, right, time: start.elapsed() }
}
