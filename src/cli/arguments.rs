//! The command line as a value: the commands, and how the values of their options are read.
//!
//! Each command describes its own options beside what it does. What `clap` finds wrong, or was asked to explain, is
//! printed here: explanations are answers (standard output, status 0), complaints are bad usage.

#[cfg(feature = "lsp")]
use super::lsp;
use super::{BAD_USAGE, certify, flags, infer, options, page, rules, solve, suite, verify, z3};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use std::time::Duration;

const AFTER: &str = "\
`catena COMMAND --help` shows the options of a command.
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
or unknown, 64 usage, 65 input rejected or unreadable, 70 internal error, 141 closed pipe";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "catena",
    version,
    about = "Proves or refutes C programs about linked structures, and decides formulas about them",
    after_help = AFTER,
    args_override_self = true
)]
pub(super) struct Arguments {
    /// Change one of the numbers that `catena options` lists (repeatable)
    #[arg(long, global = true, display_order = 990, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Verify(Box<verify::Arguments>),
    Infer(Box<infer::Arguments>),
    Solve(solve::Arguments),
    Certify(certify::Arguments),
    #[cfg(feature = "lsp")]
    Lsp(Box<lsp::Arguments>),
    Suite(suite::Arguments),
    Rules(rules::Arguments),
    /// The numbers that are judgements, and what each trades
    Options,
    Completions(page::Completions),
    Man(page::Man),
}

/// What the command line says; the exit status if it was answered or refused here.
pub(super) fn parse(
    args: &[OsString],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Result<Arguments, u8>> {
    let mut words = vec![OsString::from("catena")];
    // Clients that know only how to start Z3 pass its words to whatever program they are given.
    let rewritten = z3::rewritten(args);
    let args = rewritten.as_deref().unwrap_or(args);
    let z3_style = |word: &OsString| word == "-in" || word == "-smt2";
    words.extend(flags::with_two_dashes(args));
    if words.get(1).is_some_and(|word| word == "solve") {
        words.retain(|word| !z3_style(word));
    }
    let error = match Arguments::try_parse_from(words) {
        Ok(arguments) => match arguments.set.iter().try_for_each(|text| options::set(text)) {
            Ok(()) => return Ok(Ok(arguments)),
            Err(why) => Arguments::command().error(ErrorKind::ValueValidation, why),
        },
        Err(error) => error,
    };
    if !error.use_stderr() {
        write!(out, "{}", error.render())?;
        return Ok(Err(0));
    }
    write!(err, "{}", error.render())?;
    if let Some(command) = meant(&error) {
        writeln!(err, "A file is given to a command: `catena {command} FILE`.")?;
    }
    Ok(Err(BAD_USAGE))
}

/// The command that was forgotten before the name of a file.
fn meant(error: &clap::Error) -> Option<&'static str> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    match word.rsplit_once('.')?.1 {
        "c" | "i" => Some("verify"),
        "smt2" => Some("solve"),
        _ => None,
    }
}

/// Reads one of the words of a table as what it means.
pub(super) fn word<T: Clone + Send + Sync + 'static>(
    table: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let table: Vec<(&'static str, T)> = table.into_iter().collect();
    let words = PossibleValuesParser::new(table.iter().map(|(word, _)| *word));
    words.try_map(move |word| {
        let found = table.iter().find(|(w, _)| *w == word);
        found.map(|(_, meaning)| meaning.clone()).ok_or("there is no such word")
    })
}

/// Reads a time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Reads megabytes as bytes.
pub(super) fn megabytes(text: &str) -> Result<u64, String> {
    let megabytes: u64 = text.parse().map_err(|_| "expected a number of megabytes".to_owned())?;
    Ok(megabytes.saturating_mul(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }
}
