//! The command line: the only place that prints.
//!
//! Standard output is the answer only; complaints and statistics go to standard error. Exit status: 0 the
//! dialogue was completed or everything is verified, 1 a gate failed or something is violated, 2 something is
//! too-weak or unknown, 64 usage, 65 input rejected or unreadable, 70 internal error, 141 the reader of the answer
//! has closed the pipe.

mod arguments;
mod certify;
mod flags;
mod infer;
mod inputs;
mod interrupt;
#[cfg(feature = "lsp")]
mod lsp;
mod options;
mod page;
mod rules;
mod screen;
pub mod solve;
mod suite;
mod verify;
mod z3;

use arguments::Command;
use screen::Plain;
pub use screen::Terminals;
use std::ffi::OsString;
use std::io::{self, Write};

/// The command line makes no sense.
pub const BAD_USAGE: u8 = 64;
/// The input was rejected.
pub const BAD_INPUT: u8 = 65;
/// Our own fault, not the input's.
pub const INTERNAL: u8 = 70;
/// Whoever read the answer has closed the pipe: the status that a shell gives a process ended by SIGPIPE.
pub const CLOSED_PIPE: u8 = 128 + 13;

/// Runs the program with the arguments after its name; the number is the exit status.
///
/// A closed pipe is no error here: whoever closed it has seen enough, so the program ends without a word, as
/// if the signal had ended it. Every command writes through the two writers, so this is the one place for it. What goes
/// to standard error quotes files and arguments; nothing in it reaches a terminal as a command.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    run_on(Terminals::default(), args, out, err)
}

/// The same where one of the writers, or both, are terminals: answers are coloured, and a line tells how far the work is.
pub fn run_on(
    terminals: Terminals,
    args: &[OsString],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let done = answer(terminals, args, out, &mut Plain(err)).and_then(|status| out.flush().map(|()| status));
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(CLOSED_PIPE),
        done => done,
    }
}

fn answer(
    terminals: Terminals,
    args: &[OsString],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let command = match arguments::parse(args, out, err)? {
        Ok(arguments) => arguments.command,
        Err(status) => return Ok(status),
    };
    match &command {
        Command::Verify(arguments) => verify::run(arguments, terminals, out, err),
        Command::Infer(arguments) => infer::run(arguments, out, err),
        Command::Solve(arguments) => solve::run(arguments, out, err),
        Command::Certify(arguments) => certify::run(arguments, out, err),
        #[cfg(feature = "lsp")]
        Command::Lsp(arguments) => lsp::run(arguments, out),
        Command::Suite(arguments) => suite::run(arguments, terminals, out),
        Command::Rules(arguments) => rules::run(arguments, out, err),
        Command::Options => options::run(out),
        Command::Completions(arguments) => page::completions(arguments, out),
        Command::Man(arguments) => page::man(arguments, out, err),
    }
}
