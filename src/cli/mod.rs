//! The command line: the only place that prints.
//!
//! Standard output is the answer only; complaints and statistics go to standard error. Exit status: 0 the
//! dialogue was completed, 1 a gate failed, 2 something is unknown (`verify`), 64 usage, 65 input rejected,
//! 70 internal error.

pub mod certify;
pub mod rules;
pub mod solve;

use std::ffi::OsString;
use std::io::{self, Write};

/// The command line makes no sense.
pub const BAD_USAGE: u8 = 64;
/// The input was rejected.
pub const BAD_INPUT: u8 = 65;
/// Our own fault, not the input's.
pub const INTERNAL: u8 = 70;

const HELP: &str = "\
catena: decides formulas about linked heap structures

usage:
  catena solve [OPTIONS] [FILE.smt2|-]    decide the check-sat commands of an SMT-LIB script
  catena certify FILE.smt2 PROOF          check a proof that solve --proof wrote, by independent code
  catena rules list                       the inference rules
  catena rules show NAME                  one rule or theory
  catena rules check [--rules DIR]        brute-force validation of the rules, built in or in DIR

`catena solve --help` shows its options.
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

exit status: 0 done, 1 a rule check failed, 64 usage, 65 input rejected, 70 internal error
";

/// Runs the program with the arguments after its name; the number is the exit status.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let word = args.first().and_then(|a| a.to_str());
    match word {
        Some("solve") => solve::run(&args[1..], out, err),
        // Clients that know only how to start Z3 pass these to whatever program they are given.
        Some("-in" | "-smt2") => solve::run(args, out, err),
        Some("certify") => certify::run(&args[1..], out, err),
        Some("rules") => rules::run(&args[1..], out, err),
        Some("--help" | "-h" | "help") => {
            out.write_all(HELP.as_bytes())?;
            Ok(0)
        }
        Some("--version" | "-V") => {
            writeln!(out, "catena {}", env!("CARGO_PKG_VERSION"))?;
            Ok(0)
        }
        Some("verify" | "suite") => {
            let name = word.unwrap_or_default();
            writeln!(err, "catena: `{name}` is not part of this version yet; see `catena --help`")?;
            Ok(BAD_USAGE)
        }
        _ => {
            err.write_all(HELP.as_bytes())?;
            Ok(BAD_USAGE)
        }
    }
}
