//! The `catena` program.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    match catena::cli::run(&args, &mut out, &mut err) {
        Ok(status) => ExitCode::from(status),
        // Somebody closed the pipe; they have seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(err, "catena: {error}");
            ExitCode::from(catena::cli::INTERNAL)
        }
    }
}
