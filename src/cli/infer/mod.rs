//! `catena infer`: contracts for functions that have none.

mod diff;
mod options;
mod show;

use super::verify::Format;
use super::{BAD_INPUT, BAD_USAGE, inputs};
use crate::frontend::c;
use crate::frontend::diagnostic::{Diagnostic, Severity};
use crate::infer::{Found, Inference, Inferred, infer};
use crate::report;
use crate::session;
use crate::util::limits::CancelToken;
pub(super) use options::Arguments;
use std::io::{self, IsTerminal, Write};

/// Runs the command.
pub(super) fn run(options: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let mut settings = options.settings();
    let token = CancelToken::new();
    super::interrupt::on_ctrl_c(&token);
    settings.limits.cancel = Some(token);
    let mut rejected = false;
    let found = inputs::resolve(&options.files, options.compile_commands.as_deref(), &options.reading());
    for note in found.notes.iter().filter(|_| !options.quiet) {
        writeln!(err, "{note}")?;
    }
    for error in &found.errors {
        writeln!(err, "{error}")?;
        rejected = true;
    }
    let mut texts = Vec::new();
    for input in found.files {
        match std::fs::read(&input.path) {
            Ok(text) => texts.push(c::Input { name: input.name, text, options: input.reading }),
            Err(error) => {
                writeln!(err, "{}: {error}", input.name)?;
                rejected = true;
            }
        }
    }
    let mut inferences = Vec::new();
    for read in session::read_all(texts.clone(), found.together, &settings.limits) {
        let file = match read {
            Ok(file) => file,
            Err((name, unread)) => {
                writeln!(err, "{name}: {unread}")?;
                rejected = true;
                continue;
            }
        };
        if file.unit.has_errors() {
            let wrong = file.unit.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            let wrong: Vec<Diagnostic> = wrong.cloned().collect();
            err.write_all(report::diagnostic::text(&wrong, &file.unit.sources, false).as_bytes())?;
            rejected = true;
            continue;
        }
        let outline = &file.unit.outline;
        let own = texts.iter().filter(|t| outline.bases.iter().any(|(name, _)| *name == t.name));
        let own: Vec<c::Input> = own.cloned().collect();
        let is_terminal = io::stderr().is_terminal();
        let told = |names: &str| {
            if is_terminal {
                let _ = write!(io::stderr(), "\r\x1b[K{names}");
            }
        };
        let inference = infer(own, outline.clone(), &settings, &told)?;
        told("");
        inferences.push((file.names, inference));
    }
    let missing =
        |name: &&String| !inferences.iter().any(|(_, i)| i.functions.iter().any(|f| f.function == **name));
    if !rejected && let Some(name) = settings.functions.iter().find(missing) {
        writeln!(err, "catena infer: no function `{name}` without a contract")?;
        return Ok(BAD_USAGE);
    }
    let answers: Vec<(&Inference, &Inferred)> = inferences
        .iter()
        .flat_map(|(names, i)| i.functions.iter().filter(|f| names.contains(&f.file)).map(move |f| (i, f)))
        .collect();
    if answers.is_empty() && !rejected && !options.quiet {
        writeln!(err, "catena infer: nothing to infer: every function has a contract")?;
    }
    print(options, &inferences, &answers, out, err)?;
    let fails = answers.iter().any(|(_, f)| matches!(f.found, Found::Never { always: true, .. }));
    let open = answers.iter().any(|(_, f)| !matches!(f.found, Found::Contract(_)));
    Ok(match (rejected, fails, open) {
        (true, _, _) => BAD_INPUT,
        (_, true, _) => 1,
        (_, _, true) => 2,
        _ => 0,
    })
}

fn print(
    options: &Arguments,
    inferences: &[(Vec<String>, Inference)],
    answers: &[(&Inference, &Inferred)],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    if options.format == Format::Json {
        let all: Vec<_> = answers.iter().map(|(_, f)| show::value(f)).collect();
        return writeln!(out, "{}", serde_json::to_string_pretty(&all).map_err(io::Error::other)?);
    }
    if options.in_place || options.diff {
        return change(options, inferences, answers, out, err);
    }
    if !options.report {
        for (i, (inference, answer)) in answers.iter().enumerate() {
            let blank = if i == 0 { "" } else { "\n" };
            let left_out = inference.is_left_out(&answer.function);
            write!(out, "{blank}{}", show::text(answer, options.explain, left_out))?;
        }
        return Ok(());
    }
    for (_, answer) in answers {
        writeln!(out, "{}", show::view(answer))?;
        for explanation in answer.explanations.iter().filter(|_| options.explain) {
            writeln!(out, "    without {}:", explanation.conjunct)?;
            explanation.why.iter().try_for_each(|line| writeln!(out, "        {line}"))?;
        }
    }
    let all: Vec<&Inferred> = answers.iter().map(|(_, f)| *f).collect();
    writeln!(out, "{}", show::summary(&all))
}

/// Writes the contracts into the files, or prints the change.
fn change(
    options: &Arguments,
    inferences: &[(Vec<String>, Inference)],
    answers: &[(&Inference, &Inferred)],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    for (names, inference) in inferences {
        for (name, before, after) in inference.texts() {
            if before == after || !names.contains(&name) {
                continue;
            }
            if options.diff {
                out.write_all(diff::unified(&name, &before, &after).as_bytes())?;
            } else if let Err(error) = std::fs::write(&name, &after) {
                writeln!(err, "catena infer: {name}: {error}")?;
            }
        }
    }
    // What has no contract is said, but not among the changes.
    for (_, answer) in answers.iter().filter(|(_, f)| !matches!(f.found, Found::Contract(_))) {
        if !options.quiet {
            err.write_all(show::text(answer, options.explain, false).as_bytes())?;
        }
    }
    Ok(())
}
