//! `catena options`: the table of [`crate::util::options`]; `--set NAME=VALUE` for every command.

use super::BAD_USAGE;
use crate::util::options::{self, TABLE};
use std::ffi::OsString;
use std::io::{self, Write};

/// Carries out every `--set NAME=VALUE` and returns the other arguments.
pub(super) fn take(args: &[OsString]) -> Result<Vec<OsString>, String> {
    let mut rest = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--") => {
                rest.push(arg.clone());
                rest.extend(args.by_ref().cloned());
            }
            Some("--set") => {
                let assignment = args.next().and_then(|a| a.to_str());
                options::set(assignment.ok_or("`--set` needs NAME=VALUE")?)?;
            }
            Some(word) if word.starts_with("--set=") => options::set(&word["--set=".len()..])?,
            _ => rest.push(arg.clone()),
        }
    }
    Ok(rest)
}

/// Runs the command with the arguments that follow `catena options`.
pub(super) fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    if let [first, ..] = args
        && !(args.len() == 1 && (first == "--help" || first == "-h"))
    {
        writeln!(err, "usage: catena options [--set NAME=VALUE]")?;
        return Ok(BAD_USAGE);
    }
    for choice in TABLE {
        let (least, most) = choice.range;
        writeln!(out, "{} = {} (default {}, {least} to {most})", choice.name, choice.get(), choice.default)?;
        writeln!(out, "    {}", choice.trades)?;
        writeln!(out, "    fixed by {}", choice.fixed_by)?;
    }
    Ok(0)
}
