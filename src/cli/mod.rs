//! The command line: the only place that prints.
//!
//! Standard output is the answer only; complaints and statistics go to standard error. Exit status: 0 the
//! dialogue was completed or everything is verified, 1 a gate failed or something is violated, 2 something is
//! too-weak or unknown, 64 usage, 65 input rejected or unreadable, 70 internal error, 141 the reader of the answer
//! has closed the pipe.

pub mod certify;
mod flags;
mod inputs;
mod interrupt;
mod options;
pub mod rules;
pub mod solve;
pub mod suite;
pub mod verify;

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

const HELP: &str = "\
catena: proves or refutes C programs about linked structures, and decides formulas about them

usage:
  catena verify [OPTIONS] FILE.c...       prove or refute every function that has a contract, and main
  catena suite NAME|all [--json]          reproduce a paper's table: lisbq pdr bohne monotone lazy
  catena solve [OPTIONS] [FILE.smt2|-]    decide the check-sat commands of an SMT-LIB script
  catena certify FILE.c... CERTIFICATE    check what verify --certificate wrote, by independent code
  catena certify FILE.smt2 PROOF          check a proof that solve --proof wrote, by independent code
  catena rules list                       the inference rules
  catena rules show NAME                  one rule or theory
  catena rules check [--rules DIR]        brute-force validation of the rules, built in or in DIR
  catena options                          the numbers that are judgements, and what each trades

Every command takes `--set NAME=VALUE` for the options of that list.

`catena verify --help` and `catena solve --help` show their options.
Reachability along a declared f : S -> S is written ((_ reach f) x y) and ((_ between f) x y z).
A first example:

  (declare-sort Cell 0)
  (declare-fun next (Cell) Cell)
  (declare-const x Cell)
  (declare-const y Cell)
  (assert ((_ reach next) x y))
  (assert (= (next x) x))
  (assert (not (= x y)))
  (check-sat)                             ; unsat: who steps in place reaches nobody else

exit status: 0 all verified or done, 1 something violated or a rule check failed, 2 something too-weak
or unknown, 64 usage, 65 input rejected or unreadable, 70 internal error, 141 closed pipe
";

/// Runs the program with the arguments after its name; the number is the exit status.
///
/// A closed pipe is no error here: whoever closed it has seen enough, so the program ends without a word, as
/// if the signal had ended it. Every command writes through the two writers, so this is the one place for it.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let args = match options::take(args) {
        Ok(args) => args,
        Err(why) => {
            writeln!(err, "catena: {why}")?;
            return Ok(BAD_USAGE);
        }
    };
    let done = command(&args, out, err).and_then(|status| out.flush().map(|()| status));
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(CLOSED_PIPE),
        done => done,
    }
}

fn command(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let word = args.first().and_then(|a| a.to_str());
    match word {
        Some("solve") => solve::run(&args[1..], out, err),
        Some("verify") => verify::run(&args[1..], out, err),
        Some("suite") => suite::run(&args[1..], out, err),
        // Clients that know only how to start Z3 pass these to whatever program they are given.
        Some("-in" | "-smt2") => solve::run(args, out, err),
        Some("certify") => certify::run(&args[1..], out, err),
        Some("rules") => rules::run(&args[1..], out, err),
        Some("options") => options::run(&args[1..], out, err),
        Some("--help" | "-h" | "help") => {
            out.write_all(HELP.as_bytes())?;
            Ok(0)
        }
        Some("--version" | "-V") => {
            writeln!(out, "catena {}", env!("CARGO_PKG_VERSION"))?;
            Ok(0)
        }
        _ => {
            err.write_all(HELP.as_bytes())?;
            Ok(BAD_USAGE)
        }
    }
}
