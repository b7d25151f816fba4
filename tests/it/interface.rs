//! The public interface as text: `tests/data/interface.txt` holds what the root of the crate exports, with fields,
//! variants and methods, read off the source. Whoever changes it changes that file too: `CATENA_BLESS=1` writes it.
//!
//! (`cargo public-api` needs a nightly compiler and says the same in more words.)

use crate::root;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Where the exported names are defined.
const FILES: &[&str] = &[
    "src/facade/solver.rs",
    "src/facade/build.rs",
    "src/facade/model.rs",
    "src/facade/dialogue.rs",
    "src/facade/verifier.rs",
    "src/facade/certify.rs",
    "src/portfolio/mod.rs",
    "src/report/findings.rs",
    "src/util/limits.rs",
];

/// Types that `findings` re-exports under a name of its own, with their files.
const RENAMED: &[(&str, &str, &str)] = &[
    ("Place", "Location", "src/frontend/diagnostic.rs"),
    ("Severity", "Severity", "src/frontend/diagnostic.rs"),
    ("Check", "Check", "src/program/command.rs"),
];

fn read(path: &str) -> String {
    let text = std::fs::read_to_string(root().join(path)).expect("a readable source");
    let end = text.find("\n#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..end].to_owned()
}

/// The names that `lib.rs` exports; a module stands for all that it defines.
fn exported() -> BTreeSet<String> {
    let text = read("src/lib.rs");
    let mut names = BTreeSet::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("\npub use ") {
        let statement = &rest[at + 9..];
        let end = statement.find(';').expect("a statement ends");
        let hidden = rest[..at].ends_with("#[doc(hidden)]");
        let words = statement[..end].split(|c: char| !c.is_alphanumeric() && c != '_');
        if !hidden {
            names.extend(words.map(str::to_owned));
        }
        rest = &statement[end..];
    }
    names
}

/// One item up to its body: a declaration on one line.
fn declaration(lines: &[&str], at: usize) -> String {
    let mut text = String::new();
    for line in &lines[at..] {
        let line = line.trim();
        let _ = write!(text, "{}{line}", if text.is_empty() { "" } else { " " });
        if line.ends_with('{')
            || line.ends_with(';')
            || line.ends_with(',') && text.matches('(').count() == text.matches(')').count()
        {
            break;
        }
    }
    text.trim_end_matches(['{', ',', ' ']).replace("( ", "(").replace(", )", ")").replace(",)", ")")
}

/// The lines about one type or function.
fn describe(source: &str, name: &str, shown: &str, out: &mut String) -> bool {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = false;
    for (i, line) in lines.iter().enumerate() {
        let item = |kind: &str| {
            let rest = line.strip_prefix(kind)?.strip_prefix(name)?;
            (!rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')).then_some(())
        };
        if item("pub fn ").is_some() {
            let _ = writeln!(out, "{}", declaration(&lines, i));
            found = true;
        }
        if item("pub struct ").or_else(|| item("pub enum ")).is_some() {
            found = true;
            let mark = lines[..i]
                .iter()
                .rev()
                .take_while(|l| l.starts_with("#["))
                .any(|l| l.contains("non_exhaustive"));
            let kind = if line.starts_with("pub enum") { "enum" } else { "struct" };
            let _ = writeln!(out, "{kind} {shown}{}", if mark { " (non_exhaustive)" } else { "" });
            if line.ends_with('{') {
                for inner in lines[i + 1..].iter().take_while(|l| **l != "}") {
                    let text = inner.trim();
                    let is_field = kind == "enum" || text.starts_with("pub ");
                    if is_field
                        && !text.starts_with("//")
                        && !text.starts_with('#')
                        && !text.starts_with("pub(")
                        && !text.is_empty()
                    {
                        let _ =
                            writeln!(out, "    {}", text.trim_start_matches("pub ").trim_end_matches(','));
                    }
                }
            }
        }
    }
    out.push_str(&methods(&lines, name));
    found
}

fn methods(lines: &[&str], name: &str) -> String {
    let mut out = String::new();
    let is_impl = |line: &str| {
        let head = line.strip_suffix(" {")?.strip_prefix("impl")?;
        let head = if head.starts_with('<') { head.split_once("> ")?.1 } else { head.trim_start() };
        let of = head.split_once(" for ").map_or(head, |(_, of)| of);
        (of == name || of.starts_with(&format!("{name}<"))).then_some(head.contains(" for "))
    };
    for (i, line) in lines.iter().enumerate() {
        match is_impl(line) {
            Some(true) => {
                let _ = writeln!(out, "    {}", line.trim_end_matches([' ', '{']));
            }
            Some(false) => {
                for (j, inner) in lines.iter().enumerate().skip(i + 1).take_while(|(_, l)| **l != "}") {
                    if inner.starts_with("    pub fn ") || inner.starts_with("    pub const ") {
                        let _ = writeln!(out, "    {}", declaration(lines, j).trim_start_matches("pub "));
                    }
                }
            }
            None => {}
        }
    }
    out
}

#[test]
fn the_public_interface_is_as_written_down() {
    let names = exported();
    let mut out = String::new();
    for path in FILES {
        let source = read(path);
        let all = path.ends_with("findings.rs");
        for line in source.lines() {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let is_item = line.starts_with("pub fn ")
                || line.starts_with("pub struct ")
                || line.starts_with("pub enum ");
            if let (true, Some(name)) = (is_item, words.nth(2))
                && (all || names.contains(name))
            {
                let module = if all && !names.contains(name) { "findings::" } else { "" };
                assert!(describe(&source, name, &format!("{module}{name}"), &mut out));
            }
        }
        if path.ends_with("solver.rs") || path.ends_with("build.rs") {
            // The builders of terms stand in a file of their own.
            if path.ends_with("build.rs") {
                let _ = writeln!(out, "struct Solver, builders of terms");
                out.push_str(&methods(&source.lines().collect::<Vec<_>>(), "Solver"));
            }
        }
    }
    for (shown, name, path) in RENAMED {
        assert!(describe(&read(path), name, &format!("findings::{shown}"), &mut out));
    }
    let path = root().join("tests/data/interface.txt");
    if std::env::var_os("CATENA_BLESS").is_some() {
        std::fs::write(&path, &out).expect("the file is written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    for (i, (now, before)) in out.lines().zip(known.lines()).enumerate() {
        assert_eq!(now, before, "line {} of {}", i + 1, path.display());
    }
    assert_eq!(out.lines().count(), known.lines().count(), "CATENA_BLESS=1 writes {}", path.display());
}
