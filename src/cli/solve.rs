//! `catena solve`: an SMT-LIB dialogue on a file or on standard input.
//!
//! Commands are answered as they come, and every answer is flushed; a file and `-` behave alike. The
//! dialogue itself is [`crate::frontend::smtlib::dialogue`]; here are the options and the judge that `--check`
//! puts over it. `worker` runs the dialogue in a thread of its own, `supervise` prints what it answers and ends it
//! where it does not keep its limits.

mod supervise;
mod worker;

use super::{BAD_INPUT, BAD_USAGE};
use crate::certify::{Fault, ModelError, check_model_within, check_proof_within};
use crate::frontend::smtlib::dialogue::{Judge, Objection, Settings};
use crate::logic::{EvalError, Model, TermId, Terms};
use crate::proof::Proof;
use crate::util::limits::Budget;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::time::Duration;

pub(super) const HELP: &str = "\
catena solve [OPTIONS] [FILE.smt2|-]

Answers the commands of an SMT-LIB 2.6 script, from a file or from standard input, one by one as they
come. Sorts: Bool, Int, declared sorts. Theories: equality and functions, linear integer arithmetic,
quantifiers, and reachability along a declared f : S -> S, written ((_ reach f) x y) and
((_ between f) x y z): y lies on the simple f-path from x to z. Separation logic as in SL-COMP: declare-heap,
pto, sep, emp, nil, list segments by define-fun-rec.

options:
  --explain           after sat the model, after unsat core and proof summary, as comments; implies --check
  --check             every model is evaluated, every core solved again, every proof certified by
                      independent code before the answer is printed
  --proof OUT         write the proof of the last check to OUT if it is unsat; `catena certify FILE.smt2 OUT` checks it
  --timeout SECONDS   give up on a check after this time: unknown. What was said since the check before it
                      counts; where the time is used up, the rest is not read
  --memory MB         give up on a check when the program grows beyond this: unknown; on reading, before that
  --steps N           give up on a check after this much work, the same on every machine: unknown
  --stats             counters on standard error at the end
  --seed N            accepted for compatibility; the search does not use randomness

Clients that start Z3 with `-in -smt2` can start catena with the same arguments.

A first dialogue:

  (declare-sort Cell 0)
  (declare-fun next (Cell) Cell)
  (declare-const x Cell)
  (declare-const y Cell)
  (assert ((_ reach next) x y))
  (assert (not (= x y)))
  (check-sat)                             ; sat
  (get-value ((next x)))                  ; one cell further
  (assert (= (next x) x))
  (check-sat)                             ; unsat: who steps in place reaches nobody else

What to ask afterwards: (get-model), (get-value (term ...)), (get-assignment) after sat;
(get-unsat-core), (get-unsat-assumptions), (get-proof) after unsat, with (set-option
:produce-unsat-cores true) or (set-option :produce-proofs true) before the check;
(get-info :reason-unknown) after unknown. Limits from inside: (set-option :timeout MILLISECONDS),
(set-option :reproducible-resource-limit STEPS).

An error is answered by (error \"line:column: ...\"); the dialogue goes on with what was said before. After an
error in a command that could have constrained the problem, sat becomes unknown until its scope is popped.

exit status: 0 done, 2 ended by a limit before the end of the input, 64 usage, 65 the input had errors or
cannot be read, 70 internal error
";

#[derive(Clone, Default)]
struct Options {
    file: Option<OsString>,
    settings: Settings,
    check: bool,
    explain: bool,
    stats: bool,
    help: bool,
    proof: Option<OsString>,
}

/// Runs the command with the arguments that follow `catena solve`.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let options = match parse(args) {
        Ok(options) => options,
        Err(error) => {
            writeln!(err, "catena solve: {error}; see `catena solve --help`")?;
            return Ok(BAD_USAGE);
        }
    };
    if options.help {
        out.write_all(HELP.as_bytes())?;
        return Ok(0);
    }
    match options.file.clone() {
        Some(file) if file != "-" => match File::open(&file) {
            Ok(opened) => {
                let size = opened.metadata().map_or(0, |m| m.len());
                let progress = (size > PROGRESS_FROM && io::stderr().is_terminal()).then_some(size);
                let source = move || BufReader::with_capacity(1 << 16, opened);
                supervise::run(&options, source, progress, out, err)
            }
            Err(error) => {
                writeln!(err, "{}: {error}", file.to_string_lossy())?;
                Ok(BAD_INPUT)
            }
        },
        _ => supervise::run(&options, || io::stdin().lock(), None, out, err),
    }
}

fn parse(args: &[OsString]) -> Result<Options, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options::default();
    // What clients of Z3 pass: read from standard input, in this language.
    let z3_style = |arg: &&OsString| *arg != "-in" && *arg != "-smt2";
    let mut parser = lexopt::Parser::from_args(args.iter().filter(z3_style));
    while let Some(arg) = parser.next()? {
        match arg {
            Long("timeout") => {
                let seconds: f64 = parser.value()?.parse()?;
                let time = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
                options.settings.limits.time = Some(time);
            }
            Long("memory") => {
                let megabytes: u64 = parser.value()?.parse()?;
                options.settings.limits.memory = Some(megabytes.saturating_mul(1 << 20));
            }
            Long("steps") => options.settings.limits.steps = Some(parser.value()?.parse()?),
            Long("seed") => {
                let _: u64 = parser.value()?.parse()?;
            }
            Long("check") => options.check = true,
            Long("explain") => {
                (options.explain, options.check) = (true, true);
                options.settings.cores = true;
            }
            Long("stats") => options.stats = true,
            Long("help") | Short('h') => options.help = true,
            Long("proof") => {
                options.proof = Some(parser.value()?);
                options.settings.proofs = true;
            }
            Value(file) if options.file.is_none() => options.file = Some(file),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(options)
}

/// Files larger than this get a progress line on a terminal.
const PROGRESS_FROM: u64 = 8 << 20;

/// The judge of `--check`: the independent checker.
#[derive(Clone, Copy, Debug)]
pub struct Certifier;

impl Judge for Certifier {
    fn model(
        &self,
        terms: &Terms,
        model: &Model,
        formulas: &[TermId],
        budget: &mut Budget,
    ) -> Result<(), Objection> {
        check_model_within(terms, model, formulas, budget).map_err(|error| match error {
            ModelError::Eval { error: EvalError::Stopped(stop), .. } => Objection::Stopped(stop),
            error => Objection::Wrong(error.to_string()),
        })
    }

    fn proof(
        &self,
        terms: &Terms,
        assertions: &[TermId],
        assumptions: &[TermId],
        proof: &Proof,
        budget: &mut Budget,
    ) -> Result<(), Objection> {
        check_proof_within(terms, assertions, assumptions, proof, budget).map_err(|error| match error.fault {
            Fault::Stopped(stop) => Objection::Stopped(stop),
            _ => Objection::Wrong(error.to_string()),
        })
    }
}
