//! `catena certify FILE CERTIFICATE`: re-checks an answer with code that the solver does not use.
//!
//! What a certificate is depends on the kind of the file: for `FILE.smt2` it is a proof, written by
//! `solve --proof` or `get-proof`, that the assertions at the last check of the script are contradictory.

use super::{BAD_INPUT, BAD_USAGE};
use crate::certify::check_proof;
use crate::frontend::smtlib::proof::Problem;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

const USAGE: &str = "\
usage: catena certify FILE.smt2 PROOF

Checks that PROOF, written by `catena solve --proof PROOF FILE.smt2` or copied from the answer to
(get-proof), shows that the assertions at the last check of FILE.smt2 are unsatisfiable. Prints
`certified` and a summary, or `rejected` and why. Assertions about the heap (separation logic) are
translated again, and the proof is checked against the translation.

exit status: 0 certified, 1 rejected, 64 usage, 65 a file cannot be read
";
const REJECTED: u8 = 1;

/// Runs the command with the arguments that follow `catena certify`.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    match args {
        [word] if word == "--help" || word == "-h" => {
            out.write_all(USAGE.as_bytes())?;
            Ok(0)
        }
        [file, certificate] => {
            let (file, certificate) = (Path::new(file), Path::new(certificate));
            match file.extension().and_then(|end| end.to_str()) {
                Some("smt2") => proof(file, certificate, out, err),
                _ => {
                    writeln!(err, "{}: expected a file *.smt2", file.display())?;
                    Ok(BAD_USAGE)
                }
            }
        }
        _ => {
            err.write_all(USAGE.as_bytes())?;
            Ok(BAD_USAGE)
        }
    }
}

/// A proof about a script.
fn proof(script: &Path, proof: &Path, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let mut problem = match File::open(script).and_then(|file| Problem::read(BufReader::new(file))) {
        Ok(Ok(problem)) => problem,
        Ok(Err(error)) => {
            writeln!(err, "{}:{error}", script.display())?;
            return Ok(BAD_INPUT);
        }
        Err(error) => {
            writeln!(err, "{}: {error}", script.display())?;
            return Ok(BAD_INPUT);
        }
    };
    let text = match std::fs::read_to_string(proof) {
        Ok(text) => text,
        Err(error) => {
            writeln!(err, "{}: {error}", proof.display())?;
            return Ok(BAD_INPUT);
        }
    };
    let found = match problem.read_proof(&text) {
        Ok(found) => found,
        Err(error) => {
            writeln!(out, "rejected: {}:{error}", proof.display())?;
            return Ok(REJECTED);
        }
    };
    match check_proof(&problem.terms, &problem.assertions, &problem.assumptions, &found) {
        Ok(()) => {
            let about = if problem.is_translated { " (of the translation of the heap)" } else { "" };
            writeln!(out, "certified: {}{about}", found.summary())?;
            Ok(0)
        }
        Err(error) => {
            writeln!(out, "rejected: {error}")?;
            Ok(REJECTED)
        }
    }
}
