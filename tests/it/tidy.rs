//! The conventions that a compiler does not check: file length, module heads, the one direction of
//! dependency, no printing, no hash map with random state, no machine's paths.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// No file is longer.
const MAX_LINES: usize = 800;
/// A longer file has to give a reason below.
const LONG_LINES: usize = 500;

/// Files between the two bounds, and why they are one file.
const LONG_FILES: &[(&str, &str)] = &[
    ("src/program/print.rs", "one case per kind of formula, term, set and command, a few lines each"),
    ("src/logic/build.rs", "the builders of all terms, each a few lines, and their tests"),
    ("src/engine/theory/egraph.rs", "congruence closure with its explanations shares one set of invariants"),
    ("src/execution/machine.rs", "statements, jumps between them, and the frames and objects they live in"),
    ("src/execution/path.rs", "what is known of the numbers of one path, and every way to ask it"),
    ("src/frontend/c/lower/order.rs", "one walk over an expression, a case for each kind of operand"),
    ("src/frontend/c/parse/declaration.rs", "one grammar of specifiers and declarators"),
    ("src/frontend/c/check/declare.rs", "every form of declaration, inside and outside of functions"),
    ("src/engine/induct/prove.rs", "the steps of one proof by induction, which call each other"),
    ("src/frontend/c/check/initialise.rs", "one walk over initialisers and the types that they fill"),
    ("src/frontend/c/lower/usage.rs", "one walk over a function, a case for each kind of expression"),
    ("src/frontend/c/types.rs", "the types of C and their layout, one table"),
    (
        "src/frontend/smtlib/sep/inductive.rs",
        "how definitions and assertions become those of `engine::induct`",
    ),
    ("src/portfolio/mod.rs", "the order of the engines and how their answers are put together"),
];

/// A module may use itself and the modules before it.
const ORDER: &[&str] = &[
    "util",
    "logic",
    "rules",
    "proof",
    "sat",
    "engine",
    "program",
    "frontend",
    "verdict",
    "execution",
    "abstraction",
    "analysis",
    "portfolio",
    "certify",
    "testing",
    "report",
    "session",
    "infer",
    "facade",
    "cli",
];

/// Uses that the order would allow and the design does not: the checker shares no code with the solver.
const FORBIDDEN: &[(&str, &str)] = &[("certify", "engine"), ("certify", "sat")];

struct Source {
    /// Relative to the root, with slashes.
    path: String,
    text: String,
}

impl Source {
    /// The lines of code without comments, numbered from 1, up to the tests at the end of the file.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let text = match self.text.find("#[cfg(test)]\nmod tests {") {
            Some(end) => &self.text[..end],
            None => &self.text,
        };
        text.lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line))
            .filter(|(_, l)| !l.trim_start().starts_with("//"))
    }

    fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("tests.rs")
    }

    /// The top-level module the file belongs to.
    fn module(&self) -> &str {
        let rest = self.path.trim_start_matches("src/");
        rest.split('/').next().unwrap_or(rest).trim_end_matches(".rs")
    }
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn sources(directories: &[&str]) -> Vec<Source> {
    let mut paths = Vec::new();
    directories.iter().for_each(|d| collect(&root().join(d), &mut paths));
    paths.sort();
    let relative = |path: &Path| {
        let path = path.strip_prefix(root()).expect("below the root");
        path.to_string_lossy().replace('\\', "/")
    };
    paths
        .into_iter()
        .map(|p| Source { path: relative(&p), text: fs::read_to_string(&p).expect("readable text") })
        .collect()
}

/// The identifiers of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

fn complain(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn files_are_short() {
    let mut faults = Vec::new();
    for source in sources(&["src", "tests", "examples", "benches", "rules", "fuzz/fuzz_targets"]) {
        let lines = source.text.lines().count();
        let excused = LONG_FILES.iter().any(|(path, _)| *path == source.path);
        if lines > LONG_LINES && !excused {
            faults.push(format!("{}: {lines} lines, and LONG_FILES gives no reason", source.path));
        }
        if lines > MAX_LINES {
            faults.push(format!("{}: {lines} lines, at most {MAX_LINES} are allowed", source.path));
        }
    }
    complain(&faults);
}

#[test]
fn long_files_exist() {
    for (path, reason) in LONG_FILES {
        let text = fs::read_to_string(root().join(path)).unwrap_or_default();
        // A list that outlives its files excuses the next one of that name.
        if text.lines().count() <= LONG_LINES {
            eprintln!("{path} is short by now; drop it from LONG_FILES ({reason})");
        }
    }
}

#[test]
fn modules_have_heads() {
    let all = sources(&["src", "tests", "examples", "benches"]);
    let without = all.iter().filter(|s| !s.text.starts_with("//!"));
    complain(&without.map(|s| format!("{}: does not start with //!", s.path)).collect::<Vec<_>>());
}

#[test]
fn dependencies_have_one_direction() {
    let place = |module: &str| ORDER.iter().position(|m| *m == module);
    let mut faults = Vec::new();
    for source in sources(&["src"]).iter().filter(|s| !s.is_test()) {
        let user = source.module();
        if user == "lib" || user == "main" {
            continue;
        }
        let Some(at) = place(user) else {
            faults.push(format!("{}: {user} has no place in ORDER", source.path));
            continue;
        };
        for (number, line) in source.code() {
            for used in line.split("crate::").skip(1).filter_map(|rest| words(rest).next()) {
                let forbidden = FORBIDDEN.contains(&(user, used));
                // What is not in the order is a macro or an item of the crate's root.
                if forbidden || place(used).is_some_and(|p| p > at) {
                    faults.push(format!("{}:{number}: {user} must not use {used}", source.path));
                }
            }
        }
    }
    complain(&faults);
}

#[test]
fn nothing_is_printed_outside_the_command_line() {
    let mut faults = Vec::new();
    let printing = |s: &&Source| s.path.starts_with("src/cli/") || s.path == "src/main.rs" || s.is_test();
    for source in sources(&["src"]).iter().filter(|s| !printing(s)) {
        for (number, line) in source.code() {
            let prints = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
            if prints.iter().any(|p| line.contains(p)) {
                faults.push(format!("{}:{number}: prints", source.path));
            }
        }
    }
    complain(&faults);
}

#[test]
fn forbidden_words() {
    let mut faults = Vec::new();
    for source in sources(&["src"]) {
        let hashes = source.path == "src/util/hash.rs";
        for (number, line) in source.code() {
            for word in words(line) {
                if word == "unsafe"
                    || (!hashes && matches!(word, "HashMap" | "HashSet" | "RandomState" | "DefaultHasher"))
                {
                    faults.push(format!("{}:{number}: {word}", source.path));
                }
            }
        }
        for (number, line) in source.text.lines().enumerate() {
            if let Some(word) = words(line).find(|w| matches!(*w, "TODO" | "FIXME" | "XXX")) {
                faults.push(format!("{}:{}: {word}", source.path, number + 1));
            }
        }
    }
    complain(&faults);
}

#[test]
fn no_machine_paths() {
    // Assembled, so that this file does not find itself.
    let roots = ["home", "root", "work", "tmp", "Users"].map(|d| format!("/{d}/"));
    let mut faults = Vec::new();
    for source in sources(&["src", "tests", "examples", "benches", "rules", "fuzz/fuzz_targets"]) {
        for (number, line) in source.text.lines().enumerate() {
            if let Some(path) = roots.iter().find(|r| line.contains(r.as_str())) {
                faults.push(format!("{}:{}: {path}", source.path, number + 1));
            }
        }
    }
    complain(&faults);
}

/// Whoever talks to people, and the tests, run only where the standard library has clock and threads.
fn runs_in_browsers(source: &Source) -> bool {
    !source.is_test() && !["src/cli", "src/testing"].iter().any(|p| source.path.starts_with(p))
}

#[test]
fn all_read_one_clock() {
    // Where there is no clock, only `util::clock` knows.
    let mut faults = Vec::new();
    for source in sources(&["src"]).iter().filter(|s| runs_in_browsers(s) && s.path != "src/util/clock.rs") {
        for (number, line) in source.code() {
            if line.contains("std::time") && words(line).any(|w| w == "Instant" || w == "SystemTime") {
                faults.push(format!("{}:{number}: use crate::util::clock", source.path));
            }
        }
    }
    complain(&faults);
}

#[test]
fn threads_are_started_where_it_is_known_whether_there_are_any() {
    // These ask `util::threads`, or run inline if they may have one thread only.
    let known =
        ["src/util/threads.rs", "src/session/reading.rs", "src/session/work.rs", "src/analysis/vc/solve.rs"];
    let mut faults = Vec::new();
    for source in
        sources(&["src"]).iter().filter(|s| runs_in_browsers(s) && !known.contains(&s.path.as_str()))
    {
        for (number, line) in source.code() {
            if ["thread::scope", "thread::spawn", "thread::Builder"].iter().any(|way| line.contains(way)) {
                faults.push(format!("{}:{number}: use crate::util::threads", source.path));
            }
        }
    }
    complain(&faults);
}
