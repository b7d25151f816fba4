//! Separation logic through the program: how much CPU does each public problem take, the start of the process
//! included; is that so with other orders and names as well; and how do the families grow?

#[path = "common/child.rs"]
mod child;

use catena::testing::sep::families::{bolognesa, clones, shuffle, spaguetti};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHUFFLES: u64 = 3;

/// A problem by seed and size.
type Family = fn(u64, usize) -> String;

/// CPU milliseconds and the last answer.
fn solve(file: &Path) -> (f64, String) {
    let run = child::run(Command::new(env!("CARGO_BIN_EXE_catena")).arg("solve").arg(file), None);
    let Some((ms, text)) = run else { return (f64::INFINITY, "timeout".to_owned()) };
    (ms, text.lines().last().unwrap_or("nothing").to_owned())
}

fn solve_text(text: &str) -> (f64, String) {
    let path = std::env::temp_dir().join(format!("catena-sep-{}.smt2", std::process::id()));
    let mut file = std::fs::File::create(&path).expect("a temporary file");
    file.write_all(text.as_bytes()).expect("a temporary file can be written");
    let found = solve(&path);
    let _ = std::fs::remove_file(&path);
    found
}

/// Median, largest and sum.
fn row(label: &str, mut times: Vec<f64>, more: &str) {
    times.sort_unstable_by(f64::total_cmp);
    let (median, largest) = (times[times.len() / 2], times[times.len() - 1]);
    let sum: f64 = times.iter().sum();
    println!(
        "{label}: {} runs, median {median:.1} ms, max {largest:.1} ms, sum {:.2} s{more}",
        times.len(),
        sum / 1e3
    );
}

fn collection(name: &str) {
    let directory = directory(name);
    let Ok(entries) = std::fs::read_dir(&directory) else {
        eprintln!("SKIPPED: {} is absent", directory.display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    let (mut plain, mut shuffled, mut wrong, mut slow) = (Vec::new(), Vec::new(), 0, Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).expect("readable text");
        let expected = if text.contains(":status unsat") { "unsat" } else { "sat" };
        let label = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut note = |(ms, answer): (f64, String), what: &str, times: &mut Vec<f64>| {
            if answer != expected {
                println!("{label}{what}: expected {expected}, found {answer}");
                wrong += 1;
            }
            times.push(ms);
            slow.push((ms, format!("{label}{what}")));
        };
        note(solve(file), "", &mut plain);
        for seed in 0..SHUFFLES {
            let text = shuffle(&text, seed).expect("the problems are well formed");
            note(solve_text(&text), " shuffled", &mut shuffled);
        }
    }
    row(name, plain, "");
    row(&format!("{name} shuffled"), shuffled, &format!("; wrong {wrong}"));
    slow.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    for (ms, label) in slow.iter().take(5) {
        println!("  {ms:.1} ms {label}");
    }
}

/// The directory of a division: below `CATENA_CORPORA`, or beside the project.
fn directory(name: &str) -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    std::env::var_os("CATENA_CORPORA").map_or_else(beside, PathBuf::from).join("slcomp18").join(name)
}

/// How many problems of a division with inductive definitions are right, wrong and open.
fn division(name: &str) {
    let directory = directory(name);
    let Ok(entries) = std::fs::read_dir(&directory) else {
        eprintln!("SKIPPED: {} is absent", directory.display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    let (mut right, mut wrong, mut open, mut times) = (0, 0, 0, Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).expect("readable text");
        let expected = if text.contains(":status unsat") { "unsat" } else { "sat" };
        let (ms, answer) = solve(file);
        times.push(ms);
        match answer.as_str() {
            found if found == expected => right += 1,
            "sat" | "unsat" => {
                wrong += 1;
                println!("WRONG {}: {answer}", file.display());
            }
            _ => open += 1,
        }
    }
    if !times.is_empty() {
        row(name, times, &format!("; right {right}, wrong {wrong}, open {open}"));
    }
}

const DIVISIONS: [&str; 7] = [
    "qf_shlid_entl",
    "qf_shid_sat",
    "qf_shid_entl",
    "shid_entl",
    "qf_shidlia_sat",
    "qf_shidlia_entl",
    "shidlia_entl",
];

fn main() {
    DIVISIONS.into_iter().for_each(division);
    collection("qf_shls_sat");
    collection("qf_shls_entl");
    for n in [10, 20, 30, 40] {
        let make: [(&str, Family); 3] = [
            ("bolognesa", bolognesa),
            ("spaguetti", spaguetti),
            ("clones", |seed, n| clones(seed, 5, n / 5)),
        ];
        for (label, family) in make {
            let mut counts = [0; 3];
            let mut times = Vec::new();
            for seed in 0..10 {
                let (ms, answer) = solve_text(&family(seed, n));
                counts[match answer.as_str() {
                    "sat" => 0,
                    "unsat" => 1,
                    _ => 2,
                }] += 1;
                times.push(ms);
            }
            row(&format!("{label} {n}"), times, &format!("; sat, unsat, other {counts:?}"));
        }
    }
}
