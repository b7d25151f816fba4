//! Files that say themselves how they are run and what is right:
//!
//! ```text
//! // RUN: verify --svcomp valid-memsafety %s
//! // EXPECT: VERDICT: false(valid-memtrack)
//! // STATUS: 1
//! ```
//! (`; RUN:` in scripts). Each `RUN` is one call of the program; `%s` is the file, `%S` its directory. The lines up to the next `RUN`
//! belong to it: every `EXPECT` is part of a line of the output, no `REFUSE` is, `STATUS` is the exit status (0 if left
//! out). Where several verdicts are right the line says why: `EXPECT: f: verified or unknown (there may be no time)`.
//!
//! Every evidence that a plain `verify` makes is certified again. A last test names the files that nothing runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// One call and what is right.
#[derive(Debug, Default)]
pub(crate) struct Case {
    /// The arguments, with `%s` and `%S`.
    pub words: Vec<String>,
    /// Each is a part of a line of the output; one of several.
    pub expect: Vec<Vec<String>>,
    refuse: Vec<String>,
    status: Option<u8>,
}

impl Case {
    /// What follows an option.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word == name)?;
        self.words.get(at + 1).map(String::as_str)
    }

    /// The verdict that is expected of a function, or of all.
    pub(crate) fn verdict(&self, function: &str) -> Option<&str> {
        self.expect.iter().find_map(|any| any.first()?.strip_prefix(function)?.strip_prefix(": "))
    }
}

/// `f: verified or unknown (why)` as alternatives.
fn alternatives(file: &Path, text: &str) -> Vec<String> {
    let Some((first, others)) = text.split_once(" or ") else { return vec![text.to_owned()] };
    let name = first.rsplit_once(": ").map_or("", |(name, _)| name);
    let (others, why) = others.split_once(" (").unwrap_or((others, ""));
    assert!(why.len() > 4, "{}: `{text}` does not say why", file.display());
    let others = others.split(" or ").map(|verdict| format!("{name}: {verdict}"));
    std::iter::once(first.to_owned()).chain(others).collect()
}

/// The calls of a file.
pub(crate) fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let Some(line) = line.strip_prefix("// ").or_else(|| line.strip_prefix("; ")) else { continue };
        let Some((word, rest)) = line.split_once(": ") else { continue };
        if word == "RUN" {
            let words = rest.split_whitespace().map(str::to_owned).collect();
            cases.push(Case { words, ..Case::default() });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match word {
            "EXPECT" => case.expect.push(alternatives(file, rest)),
            "REFUSE" => case.refuse.push(rest.to_owned()),
            "STATUS" => case.status = Some(rest.trim().parse().expect("a status")),
            _ => {}
        }
    }
    cases
}

fn call(words: &[String]) -> (String, u8) {
    let args: Vec<OsString> = words.iter().map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    out.extend(err);
    (String::from_utf8(out).expect("text"), status)
}

/// What is wrong with the answer to a case.
fn check(file: &Path, case: &Case, number: usize) -> Option<String> {
    let directory = file.parent().expect("a directory").display().to_string();
    let name = file.display().to_string();
    let mut words: Vec<String> =
        case.words.iter().map(|w| w.replace("%S", &directory).replace("%s", &name)).collect();
    let plain = ["--certificate", "--format", "--function", "--set"];
    let certified = words[0] == "verify" && !words.iter().any(|w| plain.contains(&w.as_str()));
    let certificate =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files_{number}.cert")).display().to_string();
    if certified {
        words.extend(["--certificate".to_owned(), certificate.clone()]);
    }
    let (out, status) = call(&words);
    let has = |part: &String| out.lines().any(|line| line.contains(part.as_str()));
    let missing: Vec<_> = case.expect.iter().filter(|any| !any.iter().any(has)).collect();
    let there: Vec<_> = case.refuse.iter().filter(|part| has(part)).collect();
    let open = case.expect.iter().any(|any| any.len() > 1);
    let right = case.status.or((!open).then_some(0));
    if !missing.is_empty() || !there.is_empty() || right.is_some_and(|right| right != status) {
        return Some(format!(
            "{name} {}: status {status}, not {right:?}; missing {missing:?}; there {there:?}\n{out}",
            case.words.join(" "),
        ));
    }
    // What is not modelled is said with its place.
    if words[0] == "verify"
        && out.contains("(front end, ")
        && !out.contains("--> ")
        && !out.contains("\"line\"")
    {
        return Some(format!("{name}: no place\n{out}"));
    }
    let evidence = certified.then(|| std::fs::read_to_string(&certificate).unwrap_or_default())?;
    if !evidence.contains("\nfunction ") {
        return None;
    }
    let (judged, _) = call(&["certify".to_owned(), name.clone(), certificate]);
    judged.contains(": rejected: ").then(|| format!("{name}: {judged}"))
}

/// All files below a directory of these kinds.
fn below(directory: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(directory).expect("readable").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            below(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn run(directory: &str) {
    let mut all = Vec::new();
    below(&crate::root().join(directory), &mut all);
    let mut jobs = Vec::new();
    for file in all.into_iter().filter(|f| f.extension().is_some_and(|e| e == "c" || e == "smt2")) {
        jobs.extend(cases(&file).into_iter().map(|case| (file.clone(), case)));
    }
    assert!(!jobs.is_empty());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((file, case)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let number = std::ptr::from_ref(file).addr();
            wrong.lock().unwrap_or_else(PoisonError::into_inner).extend(check(file, case, number));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn edges() {
    run("tests/programs/edges");
}

#[test]
fn competition() {
    run("tests/programs/competition");
}

#[test]
fn papers() {
    for directory in ["lisbq", "pdr", "monotone", "lazy", "bohne"] {
        run(&format!("tests/programs/{directory}"));
    }
}

#[test]
fn beyond_the_papers() {
    run("tests/programs/beyond");
}

#[test]
fn overflow_termination_and_recursion() {
    for directory in ["overflow", "termination", "recursion"] {
        run(&format!("tests/programs/{directory}"));
    }
}

#[test]
fn inference() {
    run("tests/programs/infer");
}

#[test]
fn no_program_is_verified_by_accident() {
    run("tests/data/c");
}

/// Files that other tests read, and which.
const ELSEWHERE: &[(&str, &str)] = &[
    ("tests/data/refused/", "refused"),
    ("tests/data/sep/", "sep"),
    ("tests/data/sizes/", "the front end's sizes"),
    ("tests/data/traces/", "data"),
    ("tests/data/interface.txt", "interface"),
];

#[test]
fn nothing_runs_nowhere() {
    let mut all = Vec::new();
    below(&crate::root().join("tests/programs"), &mut all);
    below(&crate::root().join("tests/data"), &mut all);
    let texts: Vec<String> = all
        .iter()
        .filter(|f| !cases_of(f).is_empty())
        .map(|f| std::fs::read_to_string(f).expect("text"))
        .collect();
    let mut idle = Vec::new();
    for file in &all {
        let path =
            file.strip_prefix(crate::root()).expect("below the root").to_string_lossy().replace('\\', "/");
        let is_read = ELSEWHERE.iter().any(|(start, _)| path.starts_with(start));
        // Golden scripts have a runner of their own, with checks that a call of the program cannot make.
        let golden = path.starts_with("tests/data/") && path.ends_with(".smt2");
        let name = file.file_name().and_then(|n| n.to_str()).expect("a name");
        let mentioned = || texts.iter().any(|text| text.contains(name));
        if !is_read && !golden && cases_of(file).is_empty() && !mentioned() {
            idle.push(path);
        }
    }
    assert!(idle.is_empty(), "nothing runs {idle:?}");
}

/// The calls of a file that is a text of a kind that has some.
fn cases_of(file: &Path) -> Vec<Case> {
    let has_header = file.extension().is_some_and(|e| e == "c" || e == "smt2");
    if has_header { cases(file) } else { Vec::new() }
}
