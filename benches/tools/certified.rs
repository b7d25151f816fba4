//! How much of what is `verified` is certified: runs `verify --certificate` and `certify` on programs, and counts what
//! the checker says, by the engine that found it.
//!
//! `certified CATENA FILE...` takes the program `catena` and C files; a folder stands for the files below it. A file that
//! says how it is run (`// RUN: verify ... %s`) and that it is not verified is left out; the options of its first such
//! line are used. Per function that is verified one line: what `certify` says, the engine, the file, the time that both
//! took, conjuncts of the invariants, bytes of the certificate. Then the sums.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let catena = args.next().expect("certified CATENA FILE...");
    let mut files = Vec::new();
    args.for_each(|file| collect(Path::new(&file), &mut files));
    let certificate = std::env::temp_dir().join(format!("certified-{}.cert", std::process::id()));
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut conjuncts, mut loops, mut with_loops) = (0, 0, 0);
    for file in &files {
        let Some(options) = options(file) else { continue };
        let _ = std::fs::remove_file(&certificate);
        let start = Instant::now();
        let run = |what: &[&str]| {
            let output = Command::new(&catena).args(what).output().expect("catena can be run");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let (name, written) = (file.to_string_lossy(), certificate.to_string_lossy());
        let mut arguments: Vec<&str> = vec!["verify"];
        arguments.extend(options.iter().map(String::as_str));
        arguments.extend(["--certificate", &written, &name]);
        let verdicts = run(&arguments);
        let verified = start.elapsed();
        if !verdicts.contains(": verified") {
            continue;
        }
        let start = Instant::now();
        let says = run(&["certify", &name, &written]);
        let checked = start.elapsed();
        let text = std::fs::read_to_string(&certificate).unwrap_or_default();
        for line in verdicts.lines().filter(|line| line.contains(": verified")) {
            let function =
                line.split(": verified").next().unwrap_or("").rsplit(':').next().unwrap_or("").trim();
            let found = says.lines().find(|l| l.contains(&format!("{function}: ")));
            let (_, found) =
                found.and_then(|l| l.split_once(&format!("{function}: "))).unwrap_or(("", "none"));
            let word = found.split(':').next().unwrap_or("").to_owned();
            let part =
                text.split(&format!("\nfunction {}\n", function.split('[').next().unwrap_or(""))).nth(1);
            let part = part.unwrap_or("").split("\nfunction ").next().unwrap_or("");
            let engine = part.lines().find_map(|l| l.strip_prefix("engine ")).unwrap_or("-").to_owned();
            let count = |word: &str| part.lines().filter(|l| l.starts_with(word)).count();
            if count("loop ") > 0 {
                conjuncts += count("invariant ");
                loops += count("loop ");
                with_loops += 1;
            }
            println!(
                "{word:14} {engine:9} {name}:{function} {:.2}+{:.2} s, {} conjuncts, {} bytes{}",
                verified.as_secs_f64(),
                checked.as_secs_f64(),
                count("invariant "),
                text.len(),
                if word == "certified" { String::new() } else { format!(" ({found})") },
            );
            *counts.entry((word, engine)).or_default() += 1;
        }
    }
    let _ = std::fs::remove_file(&certificate);
    for ((word, engine), count) in counts {
        println!("{count:6} {word} by {engine}");
    }
    println!("{conjuncts} conjuncts at {loops} loops of {with_loops} functions");
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let entries = std::fs::read_dir(path).expect("a folder can be read");
    let mut below: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    below.sort();
    for path in below {
        if path.is_dir() || path.extension().is_some_and(|end| end == "c" || end == "i") {
            collect(&path, files);
        }
    }
}

/// The options that a file is verified with; `None` if it says that nothing in it is verified.
fn options(file: &Path) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
    let line = |word: &str| text.lines().take(20).find_map(|l| l.strip_prefix(word).map(str::to_owned));
    let Some(run) = line("// RUN: ") else { return Some(Vec::new()) };
    let verified = text.lines().take(20).any(|l| l.starts_with("// EXPECT") && l.contains(": verified"));
    let mut words = run.split_whitespace().filter(|w| !w.contains('%')).map(str::to_owned);
    (verified && words.next()? == "verify").then(|| words.collect())
}
