//! Files that say themselves how they are run and what is right:
//!
//! ```text
//! // RUN: verify --svcomp valid-memsafety %s
//! // EXPECT: VERDICT: false(valid-memtrack)
//! // STATUS: 1
//! ```
//! (`; RUN:` in scripts). Each `RUN` is one call of the program; `%s` is the file, `%S` its directory. The lines up to the next `RUN`
//! belong to it: every `EXPECT` is part of a line of the output, no `REFUSE` is, `STATUS` is the exit status (0 if left
//! out).

use std::ffi::OsString;
use std::path::Path;

/// One call and what is right.
#[derive(Default)]
struct Case {
    words: Vec<String>,
    expect: Vec<String>,
    refuse: Vec<String>,
    status: u8,
}

fn cases(text: &str) -> Vec<Case> {
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
            "EXPECT" => case.expect.push(rest.to_owned()),
            "REFUSE" => case.refuse.push(rest.to_owned()),
            "STATUS" => case.status = rest.trim().parse().expect("a status"),
            _ => {}
        }
    }
    cases
}

fn run(file: &Path, case: &Case) -> (String, u8) {
    let directory = file.parent().expect("a directory").display().to_string();
    let name = file.display().to_string();
    let words = case.words.iter().map(|w| w.replace("%S", &directory).replace("%s", &name));
    let args: Vec<OsString> = words.map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    out.extend(err);
    (String::from_utf8(out).expect("text"), status)
}

#[test]
fn files_are_answered_as_they_say() {
    let directory = crate::root().join("tests/programs/edges");
    let files: Vec<_> = ["c", "smt2"].into_iter().flat_map(|end| crate::files(&directory, end)).collect();
    assert!(files.len() > 20, "the files are there");
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let cases = cases(&text);
        assert!(!cases.is_empty(), "{} says how it is run", file.display());
        for case in cases {
            let (out, status) = run(&file, &case);
            let has = |part: &String| out.lines().any(|line| line.contains(part.as_str()));
            let missing: Vec<_> = case.expect.iter().filter(|part| !has(part)).collect();
            let there: Vec<_> = case.refuse.iter().filter(|part| has(part)).collect();
            if !missing.is_empty() || !there.is_empty() || status != case.status {
                wrong.push(format!(
                    "{} {}: status {status}, not {}; missing {missing:?}; there {there:?}\n{out}",
                    file.display(),
                    case.words.join(" "),
                    case.status
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
