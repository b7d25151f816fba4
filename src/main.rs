//! The `catena` program.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    // Standard error is not locked: a worker that panics has to be able to say so.
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let terminals = catena::Terminals { out: out.is_terminal(), err: err.is_terminal() };
    match catena::command_line_on(terminals, &args, &mut out, &mut err) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            let _ = writeln!(err, "catena: {error}");
            ExitCode::from(70)
        }
    }
}
