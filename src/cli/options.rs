//! `catena options`: the table of [`crate::util::options`]; `--set NAME=VALUE` for every command.

use crate::util::options::TABLE;
use std::io::{self, Write};

pub(super) use crate::util::options::set;

/// Prints the table.
pub(super) fn run(out: &mut dyn Write) -> io::Result<u8> {
    for choice in TABLE {
        let (least, most) = choice.range;
        writeln!(out, "{} = {} (default {}, {least} to {most})", choice.name, choice.get(), choice.default)?;
        writeln!(out, "    {}", choice.trades)?;
        writeln!(out, "    fixed by {}", choice.fixed_by)?;
    }
    Ok(0)
}
