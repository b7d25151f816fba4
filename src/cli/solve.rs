//! `catena solve`: an SMT-LIB dialogue on a file or on standard input.
//!
//! Commands are answered as they come, and every answer is flushed; a file and `-` behave alike. The
//! dialogue itself is [`crate::frontend::smtlib::dialogue`]; here are the options, the judge that `--check`
//! puts over it, and the printing.

use super::memory::Watch;
use super::{BAD_INPUT, BAD_USAGE, INTERNAL};
use crate::certify::{check_model, check_proof};
use crate::frontend::smtlib::dialogue::{Dialogue, Judge, Response, Settings};
use crate::frontend::smtlib::stream::Stream;
use crate::logic::{Model, TermId, Terms};
use crate::proof::Proof;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
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
  --timeout SECONDS   give up on a check after this time: unknown
  --memory MB         give up on a check when the solver's state grows beyond this: unknown
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

exit status: 0 done, 64 usage, 65 the input had errors or cannot be read, 70 internal error
";

#[derive(Default)]
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
    match &options.file {
        Some(file) if file != "-" => match File::open(file) {
            Ok(opened) => {
                let size = opened.metadata().map_or(0, |m| m.len());
                let progress = (size > PROGRESS_FROM && io::stderr().is_terminal()).then_some(size);
                watched(&options, BufReader::with_capacity(1 << 16, opened), progress, out, err)
            }
            Err(error) => {
                writeln!(err, "{}: {error}", file.to_string_lossy())?;
                Ok(BAD_INPUT)
            }
        },
        _ => watched(&options, io::stdin().lock(), None, out, err),
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
const PROGRESS_EVERY: u64 = 1 << 20;

/// The dialogue, under a watch if memory is limited.
fn watched(
    options: &Options,
    source: impl BufRead,
    progress: Option<u64>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let watch = options.settings.limits.memory.map(Watch::new);
    match &watch {
        Some(watch) => watch.during(|| dialogue(options, Some(watch), source, progress, out, err)),
        None => dialogue(options, None, source, progress, out, err),
    }
}

fn dialogue(
    options: &Options,
    watch: Option<&Watch>,
    source: impl BufRead,
    progress: Option<u64>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let mut stream = Stream::new(source);
    let mut settings = options.settings.clone();
    settings.limits.cancel = watch.map(|watch| watch.token.clone());
    let mut dialogue = Dialogue::new(settings);
    if options.check {
        dialogue.set_judge(Box::new(Certifier));
    }
    let mut status = 0;
    let mut proof = None;
    let mut shown = 0;
    loop {
        let chunk = match stream.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            Err(error) => {
                let name = options.file.as_ref().map_or("-".into(), |file| file.to_string_lossy());
                writeln!(err, "{name}: {error}")?;
                status = BAD_INPUT;
                break;
            }
        };
        if let Some(size) = progress
            && stream.n_bytes() >= shown + PROGRESS_EVERY
        {
            shown = stream.n_bytes();
            write!(err, "\rreading {} of {} MB", shown >> 20, size >> 20)?;
        }
        let asked = watch.filter(|_| chunk.as_ref().is_ok_and(|chunk| chunk.text.starts_with("(check")));
        asked.inspect(|watch| watch.begin());
        let response = dialogue.read(chunk);
        asked.inspect(|watch| watch.end());
        out.write_all(dialogue.print(&response).as_bytes())?;
        if options.explain {
            out.write_all(explanation(&mut dialogue, &response).as_bytes())?;
        }
        out.flush()?;
        match response {
            Response::Exit => break,
            Response::Error(_) => status = BAD_INPUT,
            Response::Internal(_) => return Ok(INTERNAL),
            Response::Text(answer) if options.proof.is_some() => match answer.as_str() {
                "unsat" => proof = dialogue.proof_text(),
                "sat" | "unknown" => proof = None,
                _ => {}
            },
            _ => {}
        }
    }
    if shown > 0 {
        write!(err, "\r\x1b[K")?;
    }
    if options.stats {
        writeln!(err, "{:#?}", dialogue.stats())?;
    }
    match &options.proof {
        Some(file) if !write_proof(file, proof, err)? => Ok(BAD_USAGE),
        _ => Ok(status),
    }
}

/// What `--explain` adds to an answer.
fn explanation(dialogue: &mut Dialogue, response: &Response) -> String {
    match response {
        Response::Text(answer) if answer == "sat" => {
            let n_formulas = dialogue.assertions().count();
            let model = dialogue.model_text().unwrap_or_default();
            let commented: String = model.lines().map(|line| format!("; {line}\n")).collect();
            format!("{commented}; the model was evaluated: all {n_formulas} assertions are true in it\n")
        }
        Response::Text(answer) if answer == "unsat" => {
            let core = dialogue.core().join(" ");
            let core = if core.is_empty() { core } else { format!("; core: {core}\n") };
            let summary = dialogue.proof().map(Proof::summary).unwrap_or_default();
            format!("{core}; proof: {summary}\n; the proof was certified by independent code\n")
        }
        Response::Text(answer) if answer == "unknown" => {
            let reason = dialogue.reason_unknown().unwrap_or("no reason");
            format!("; {reason}\n")
        }
        _ => String::new(),
    }
}

/// Writes the proof, if there is one; false if the file cannot be written.
fn write_proof(file: &OsString, proof: Option<String>, err: &mut dyn Write) -> io::Result<bool> {
    let name = file.to_string_lossy();
    match proof.map(|text| std::fs::write(file, text + "\n")) {
        Some(Ok(())) => Ok(true),
        Some(Err(error)) => writeln!(err, "catena solve: {name}: {error}").map(|()| false),
        None => writeln!(err, "{name}: not written, the last check was not unsat").map(|()| true),
    }
}

/// The judge of `--check`: the independent checker.
#[derive(Clone, Copy, Debug)]
pub struct Certifier;

impl Judge for Certifier {
    fn model(&self, terms: &Terms, model: &Model, formulas: &[TermId]) -> Result<(), String> {
        check_model(terms, model, formulas).map_err(|e| e.to_string())
    }

    fn proof(
        &self,
        terms: &Terms,
        assertions: &[TermId],
        assumptions: &[TermId],
        proof: &Proof,
    ) -> Result<(), String> {
        check_proof(terms, assertions, assumptions, proof).map_err(|e| e.to_string())
    }
}
