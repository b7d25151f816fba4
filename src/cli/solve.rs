//! `catena solve`: reads a script and answers its `check-sat` commands in order.
//!
//! The whole script is read first; a dialogue that answers while it reads is to come.

use super::{BAD_INPUT, BAD_USAGE};
use crate::certify::{check_model, check_proof};
use crate::engine::solver::{Answer, Config, Solver};
use crate::frontend::smtlib;
use crate::logic::{Terms, print};
use crate::util::limits::Limits;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::time::Duration;

#[derive(Default)]
struct Options {
    file: Option<OsString>,
    limits: Limits,
    explain: bool,
    stats: bool,
}

/// Runs the command with the arguments that follow `catena solve`.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let options = match parse(args) {
        Ok(options) => options,
        Err(error) => {
            writeln!(err, "catena solve: {error}; see `catena --help`")?;
            return Ok(BAD_USAGE);
        }
    };
    let name = options.file.as_ref().map_or("-".into(), |f| f.to_string_lossy().into_owned());
    let bytes = match read(&name, options.file.as_ref()) {
        Ok(bytes) => bytes,
        Err(error) => {
            writeln!(err, "{name}: {error}")?;
            return Ok(BAD_INPUT);
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        writeln!(err, "{name}: expected UTF-8 text, found other bytes")?;
        return Ok(BAD_INPUT);
    };
    let mut terms = Terms::new();
    match smtlib::read(&text, &mut terms) {
        Err(error) => {
            writeln!(out, "(error \"{error}\")")?;
            writeln!(err, "{name}:{error}")?;
            Ok(BAD_INPUT)
        }
        Ok(script) => answer(&options, terms, &script, out, err),
    }
}

fn read(name: &str, file: Option<&OsString>) -> io::Result<Vec<u8>> {
    match file {
        Some(file) if name != "-" => std::fs::read(file),
        _ => {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes)?;
            Ok(bytes)
        }
    }
}

fn parse(args: &[OsString]) -> Result<Options, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options::default();
    let mut parser = lexopt::Parser::from_args(args);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("timeout") => {
                let seconds: f64 = parser.value()?.parse()?;
                let time = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
                options.limits.time = Some(time);
            }
            Long("memory") => {
                let megabytes: u64 = parser.value()?.parse()?;
                options.limits.memory = Some(megabytes.saturating_mul(1 << 20));
            }
            Long("steps") => options.limits.steps = Some(parser.value()?.parse()?),
            Long("seed") => {
                let _: u64 = parser.value()?.parse()?;
            }
            Long("explain") => options.explain = true,
            Long("stats") => options.stats = true,
            Value(file) if options.file.is_none() => options.file = Some(file),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(options)
}

fn answer(
    options: &Options,
    terms: Terms,
    script: &smtlib::Script,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let config = Config { proofs: options.explain, ..Config::default() };
    let mut solver = Solver::with_terms(config, terms);
    solver.set_limits(options.limits.clone());
    let mut asserted = 0;
    for check in &script.checks {
        for (formula, name) in &script.assertions[asserted..check.n_assertions] {
            let result = match name {
                Some(name) if options.explain => solver.assert_named(*formula, name),
                _ => solver.assert(*formula),
            };
            if let Err(error) = result {
                writeln!(out, "(error \"{error}\")")?;
                return Ok(BAD_INPUT);
            }
        }
        asserted = check.n_assertions;
        let answer = solver.check();
        report(options, &mut solver, answer, out)?;
        out.flush()?;
    }
    if options.stats {
        writeln!(err, "{:#?}", solver.stats())?;
    }
    Ok(0)
}

fn report(options: &Options, solver: &mut Solver, answer: Answer, out: &mut dyn Write) -> io::Result<()> {
    let asserted: Vec<_> = solver.assertions().collect();
    match answer {
        Answer::Unknown(reason) => writeln!(out, "unknown\n; {reason}"),
        Answer::Sat(model) => {
            writeln!(out, "sat")?;
            if options.explain {
                check_model(solver.terms(), &model, &asserted).map_err(internal)?;
                write!(out, "{}", print::model(solver.terms(), &model))?;
                writeln!(out, "; the model was evaluated: all {} assertions are true in it", asserted.len())?;
            }
            Ok(())
        }
        Answer::Unsat(refutation) => {
            writeln!(out, "unsat")?;
            if let Some(proof) = &refutation.proof {
                check_proof(solver.terms(), &asserted, &[], proof).map_err(internal)?;
                if !refutation.names.is_empty() {
                    writeln!(out, "; core: {}", refutation.names.join(" "))?;
                }
                writeln!(out, "; proof: {}", proof.summary())?;
                writeln!(out, "; the proof was certified by independent code")?;
            }
            Ok(())
        }
    }
}

fn internal(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("internal error: the answer is not certified: {error}"))
}
