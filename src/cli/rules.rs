//! `catena rules list | show NAME | check [--rules DIR]`: the inference rules, and their validation.
//!
//! The answer goes to `out`, complaints to `err`; the number returned is the exit status: 0, 1 if the
//! gate failed, 64 for a command line that makes no sense, 65 for a rule file that cannot be read.

use super::{BAD_INPUT, BAD_USAGE};
use crate::rules::check::check;
use crate::rules::parse::parse;
use crate::rules::shape::{self, Shape};
use crate::rules::syntax::Theory;
use crate::rules::table::table;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const FAILED: u8 = 1;

/// The inference rules, and their brute-force validation
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// All rules
    List,
    /// One rule, theory or shape
    Show {
        /// A theory, a shape, a rule or law, or `theory.rule`
        name: String,
    },
    /// Validate the rules by brute force: those that are built in, or those of a directory
    Check {
        /// The files *.rules of this directory
        #[arg(long, value_name = "DIR")]
        rules: Option<PathBuf>,
    },
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    match &arguments.action {
        Action::List => list(out),
        Action::Show { name } => show(name, out, err),
        Action::Check { rules: None } => check_all(table().theories(), shape::shapes(), out),
        Action::Check { rules: Some(folder) } => check_folder(folder, out, err),
    }
}

fn list(out: &mut dyn Write) -> io::Result<u8> {
    for (position, theory) in table().theories().iter().enumerate() {
        if position > 0 {
            writeln!(out)?;
        }
        writeln!(out, "theory {}{}", theory.name, if theory.null { " with null" } else { "" })?;
        let width = theory.rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
        for rule in &theory.rules {
            writeln!(out, "  {:width$}  {}", rule.name, rule.body_text())?;
        }
    }
    for shape in shape::shapes() {
        writeln!(out, "\nshape {} over {}", shape.name, shape.fields.join(", "))?;
        let width = shape.laws.iter().map(|law| law.name.len()).max().unwrap_or(0);
        for law in &shape.laws {
            writeln!(out, "  {:width$}  {}", law.name, shape.body_text(law))?;
        }
    }
    Ok(0)
}

/// NAME is a theory, a shape, a rule or law (of whatever theory or shape), or `theory.rule`.
fn show(name: &str, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let mut found = false;
    for theory in table().theories() {
        if theory.name == name {
            write!(out, "{theory}")?;
            found = true;
            continue;
        }
        for (number, rule) in table().ids(&theory.name).zip(&theory.rules) {
            let full = format!("{}.{}", theory.name, rule.name);
            if rule.name != name && full != name {
                continue;
            }
            found = true;
            writeln!(out, "{full} (rule {number})")?;
            for &premise in &rule.premises {
                writeln!(out, "  if    {}", rule.premise_text(premise))?;
            }
            for (i, heads) in rule.alternatives.iter().enumerate() {
                let heads: Vec<String> = heads.iter().map(|&head| rule.head_text(head)).collect();
                writeln!(out, "  {}  {}", if i == 0 { "then" } else { "or  " }, heads.join(" and "))?;
            }
            if let Some(note) = &rule.note {
                writeln!(out, "  note  {note}")?;
            }
        }
    }
    for shape in shape::shapes() {
        if shape.name == name {
            write!(out, "{shape}")?;
            found = true;
            continue;
        }
        for law in &shape.laws {
            let full = format!("{}.{}", shape.name, law.name);
            if law.name == name || full == name {
                writeln!(out, "{full}\n  {}", shape.body_text(law))?;
                law.note.iter().try_for_each(|note| writeln!(out, "  note  {note}"))?;
                found = true;
            }
        }
    }
    if !found {
        writeln!(err, "no rule, theory or shape is called `{name}`; `catena rules list` shows them all")?;
        return Ok(BAD_USAGE);
    }
    Ok(0)
}

fn check_all(theories: &[Theory], shapes: &[Shape], out: &mut dyn Write) -> io::Result<u8> {
    let mut status = 0;
    for theory in theories {
        let report = check(theory);
        writeln!(out, "{report}")?;
        status = if report.passed() { status } else { FAILED };
    }
    for shape in shapes {
        let report = shape::check(shape);
        writeln!(out, "{report}")?;
        status = if report.passed() { status } else { FAILED };
    }
    Ok(status)
}

/// Whether a file describes a shape: its first word that is no comment says so.
fn is_shape(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|l| !l.starts_with('#')).find_map(|l| l.split_whitespace().next()) == Some("shape")
}

fn check_folder(folder: &Path, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let mut files = match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?,
        Err(error) => {
            writeln!(err, "{}: {error}", folder.display())?;
            return Ok(BAD_INPUT);
        }
    };
    files.retain(|path| path.extension().is_some_and(|end| end == "rules"));
    files.sort();
    if files.is_empty() {
        writeln!(err, "{}: no file *.rules", folder.display())?;
        return Ok(BAD_INPUT);
    }
    let (mut theories, mut shapes, mut complaints) = (Vec::new(), Vec::new(), Vec::new());
    for path in files {
        let name = path.display().to_string();
        let read = match std::fs::read_to_string(&path) {
            Ok(text) if is_shape(&text) => shape::parse(&name, &text).map(|s| shapes.push(s)),
            Ok(text) => parse(&name, &text).map(|t| theories.push(t)),
            Err(error) => {
                complaints.push(format!("{name}: {error}"));
                continue;
            }
        };
        if let Err(diagnostics) = read {
            complaints.extend(diagnostics.iter().map(ToString::to_string));
        }
    }
    for complaint in &complaints {
        writeln!(err, "{}", complaint.trim_end())?;
    }
    if complaints.is_empty() { check_all(&theories, &shapes, out) } else { Ok(BAD_INPUT) }
}

#[cfg(test)]
mod tests {
    use crate::rules::table::SOURCES;
    use std::ffi::OsString;

    fn catena_rules(args: &[&str]) -> (u8, String, String) {
        let args: Vec<OsString> = ["rules"].iter().chain(args).map(OsString::from).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = crate::cli::run(&args, &mut out, &mut err).unwrap();
        (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    #[test]
    fn list_show_and_usage() {
        let (status, out, _) = catena_rules(&["list"]);
        assert_eq!(status, 0);
        assert!(out.contains("  transitive1  x -> y, y -> z => x -> z\n"), "{out}");
        let (status, out, _) = catena_rules(&["show", "reach"]);
        let expected = "  if    term f(x)\n  if    x -> y\n  then  x = y\n  or    x -> f(x) -> y\n";
        assert_eq!(status, 0);
        assert!(out.starts_with("lisbq.reach (rule ") && out.ends_with(expected), "{out}");
        let (_, both, _) = catena_rules(&["show", "reflexive"]);
        assert!(both.contains("acyclic.reflexive") && both.contains("lisbq.reflexive"));
        assert_eq!(catena_rules(&["show", "acyclic.last"]).0, 0);
        assert_eq!(catena_rules(&["show", "nothing"]).0, 64);
        for wrong in [&[][..], &["show"], &["list", "x"], &["check", "--rules"], &["prove"]] {
            let (status, out, err) = catena_rules(wrong);
            assert_eq!((status, out.as_str()), (64, ""));
            assert!(err.contains("help"), "{err}");
        }
    }

    #[test]
    fn check_tells_good_from_bad_folders() {
        assert_eq!(catena_rules(&["check"]).0, 0);
        let folder = std::env::temp_dir().join(format!("catena-rules-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.to_str().unwrap();
        let file = folder.join("mine.rules");
        assert_eq!(catena_rules(&["check", "--rules", path]).0, 65);

        let (_, text) = SOURCES.iter().find(|(name, _)| name.contains("lisbq")).unwrap();
        std::fs::write(&file, text).unwrap();
        assert_eq!(catena_rules(&["check", &format!("--rules={path}")]).0, 0);

        std::fs::write(&file, text.replace("x -> y -> x => x = y", "x -> y, y -> x => x = y")).unwrap();
        let (status, out, _) = catena_rules(&["check", "--rules", path]);
        assert_eq!(status, 1);
        assert!(out.contains("false in the heap f(c0) = c1, f(c1) = c0 at x = c0, y = c1"), "{out}");

        std::fs::write(&file, text.replace("rule step:", "rule step")).unwrap();
        let (status, out, err) = catena_rules(&["check", "--rules", path]);
        assert_eq!((status, out.as_str()), (65, ""));
        assert!(err.contains("expected `:`"), "{err}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
