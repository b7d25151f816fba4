//! `catena solve`: an SMT-LIB dialogue on a file or on standard input.
//!
//! Commands are answered as they come, and every answer is flushed; a file and `-` behave alike. The
//! dialogue itself is [`crate::frontend::smtlib::dialogue`]; here are the options and the judge that `--check`
//! puts over it. `worker` runs the dialogue in a thread of its own, `supervise` prints what it answers and ends it
//! where it does not keep its limits.

mod supervise;
mod worker;

use super::{BAD_INPUT, arguments};
use crate::certify::{Fault, ModelError, check_model_within, check_proof_within};
use crate::frontend::smtlib::dialogue::{Judge, Objection, Settings};
use crate::logic::{EvalError, Model, TermId, Terms};
use crate::proof::Proof;
use crate::util::limits::Budget;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::time::Duration;

/// Decide the check-sat commands of an SMT-LIB script
#[derive(Clone, Debug, Default, clap::Args)]
#[command(long_about = ABOUT, after_help = AFTER, args_override_self = true)]
pub(super) struct Arguments {
    /// The script; standard input if it is `-` or missing
    #[arg(value_name = "FILE.smt2|-")]
    file: Option<OsString>,
    /// After sat the model, after unsat core and proof summary, as comments; implies --check
    #[arg(long)]
    explain: bool,
    /// Every model is evaluated, every core solved again, every proof certified by independent code
    /// before the answer is printed
    #[arg(long, verbatim_doc_comment)]
    check: bool,
    /// Write the proof of the last check to OUT if it is unsat; `catena certify FILE.smt2 OUT` checks it
    #[arg(long, value_name = "OUT")]
    proof: Option<OsString>,
    /// Draw the model of the last check to OUT.svg if it is sat: cells, where functions lead, constants
    #[arg(long, value_name = "OUT.svg")]
    picture: Option<OsString>,
    /// Give up on a check after this time: unknown. What was said since the check before it counts;
    /// where the time is used up, the rest is not read
    #[arg(long, value_name = "SECONDS", verbatim_doc_comment, value_parser = arguments::seconds)]
    timeout: Option<Duration>,
    /// Give up on a check when the program grows beyond this: unknown; on reading, before that
    #[arg(long, value_name = "MB", value_parser = arguments::megabytes)]
    memory: Option<u64>,
    /// Give up on a check after this much work, the same on every machine: unknown
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Counters on standard error at the end
    #[arg(long)]
    stats: bool,
    /// Accepted for compatibility; the search does not use randomness
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

const ABOUT: &str = "\
Decide the check-sat commands of an SMT-LIB script

Answers the commands of an SMT-LIB 2.6 script, from a file or from standard input, one by one as they
come. Sorts: Bool, Int, declared sorts. Theories: equality and functions, linear integer arithmetic,
quantifiers, and reachability along a declared f : S -> S, written ((_ reach f) x y) and
((_ between f) x y z): y lies on the simple f-path from x to z. Separation logic as in SL-COMP: declare-heap,
pto, sep, emp, nil, list segments by define-fun-rec.";

const AFTER: &str = "\
Clients that start Z3 with `-in -smt2 -t:MS -T:S -memory:MB -st -v:N name=value` can start catena with the same arguments.

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
cannot be read, 70 internal error";

#[derive(Clone, Default)]
struct Options {
    file: Option<OsString>,
    settings: Settings,
    check: bool,
    explain: bool,
    stats: bool,
    proof: Option<OsString>,
    picture: Option<OsString>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let options = Options::of(arguments);
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

impl Options {
    fn of(arguments: &Arguments) -> Options {
        let mut settings = Settings::default();
        settings.limits.time = arguments.timeout;
        settings.limits.memory = arguments.memory;
        settings.limits.steps = arguments.steps;
        settings.cores = arguments.explain;
        settings.proofs = arguments.proof.is_some();
        let check = arguments.check || arguments.explain;
        let (explain, stats) = (arguments.explain, arguments.stats);
        let (file, proof, picture) =
            (arguments.file.clone(), arguments.proof.clone(), arguments.picture.clone());
        Options { file, settings, check, explain, stats, proof, picture }
    }
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
