//! `catena certify FILE CERTIFICATE`: re-checks an answer with code that the solver does not use.
//!
//! What a certificate is depends on the kind of the file: for `FILE.smt2` it is a proof, written by
//! `solve --proof` or `get-proof`, that the assertions at the last check of the script are contradictory. For
//! `FILE.c` it is what `verify --certificate` wrote: evidence for the verdicts about its functions.

use super::inputs::{self, Inputs};
use super::{BAD_INPUT, BAD_USAGE, INTERNAL, flags};
use crate::facade::certify::{Detailed, Wanted, certify_linked};
use crate::facade::dialogue::{Unproved, check_script};
use crate::frontend::c;
use crate::frontend::c::files::{Disk, Provider};
use crate::frontend::c::link;
use crate::frontend::smtlib::proof::Problem;
use crate::report::findings::{Checked, Standing, VerifyError};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Check what `verify --certificate` or `solve --proof` wrote, by independent code
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "catena certify [OPTIONS] FILE.c... CERTIFICATE\n       catena certify FILE.smt2 PROOF",
    after_help = AFTER,
    args_override_self = true
)]
pub(super) struct Arguments {
    /// The files that were verified, or the script; the certificate or proof comes last
    #[arg(value_name = "FILE", num_args = 2.., required = true)]
    files: Vec<OsString>,
    /// Say what was checked, obligation by obligation, and what has to be trusted beside it
    #[arg(long)]
    explain: bool,
    /// Write each obligation to DIR as an SMT-LIB script: other solvers answer `unsat`
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// The compilation database that was used
    #[arg(long, value_name = "FILE")]
    compile_commands: Option<PathBuf>,
    #[command(flatten)]
    flags: flags::Written,
}

const AFTER: &str = "\
Options and files are those that were verified.

With a C file: reads it again and checks what `catena verify --certificate CERTIFICATE FILE.c` wrote, with code
that shares no solving with the engines. For `verified` the invariants found are put into the program, the
obligations are made again and each is proved by the steps of its proof. If a program has finitely many runs,
up to the values of numbers, an interpreter of the checker's own makes them all again. For `violated` the
interpreter makes the run again. One line per function and behaviour:
  FILE:FUNCTION: certified: ...   a proof was checked, or a run was made again
  FILE:FUNCTION: tested: ...      signatures of engine monotone or shape graphs of engine lazy: they were tried on
                                  small instances, which is no proof
  FILE:FUNCTION: rejected: ...    the evidence does not show what it claims
  FILE:FUNCTION: no certificate   there is no evidence in the file

With a script: checks that PROOF, written by `catena solve --proof PROOF FILE.smt2` or copied from the answer to
(get-proof), shows that the assertions at the last check of FILE.smt2 are unsatisfiable. Prints
`certified` and a summary, or `rejected` and why. Assertions about the heap (separation logic) are
translated again, and the proof is checked against the translation.

exit status: 0 everything is certified, 1 something is rejected, 2 something is only tested or has no
certificate, 64 usage, 65 a file cannot be read";
const REJECTED: u8 = 1;
/// Something was only tested, or has no evidence.
const OPEN: u8 = 2;

/// Runs the command.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let Some((certificate, operands @ [file, others @ ..])) = arguments.files.split_last() else {
        return Ok(BAD_USAGE);
    };
    let certificate = Path::new(certificate);
    match Path::new(file).extension().and_then(|end| end.to_str()) {
        Some("smt2") if others.is_empty() && (arguments.explain || arguments.export.is_some()) => {
            writeln!(
                err,
                "{}: `--explain` and `--export` are about certificates of C files",
                file.display()
            )?;
            Ok(BAD_USAGE)
        }
        Some("smt2") if others.is_empty() => proof(Path::new(file), certificate, out, err),
        Some("c" | "i") => {
            let mut reading = c::Options { flags: arguments.flags.0.clone(), ..c::Options::default() };
            reading.files = Provider::new(Disk);
            let inputs = inputs::resolve(operands, arguments.compile_commands.as_deref(), &reading);
            for error in &inputs.errors {
                writeln!(err, "{error}")?;
            }
            if inputs.errors.is_empty() {
                program(inputs, certificate, arguments, out, err)
            } else {
                Ok(BAD_INPUT)
            }
        }
        _ => {
            writeln!(err, "{}: expected a file *.c, *.i or *.smt2", file.display())?;
            Ok(BAD_USAGE)
        }
    }
}

/// A proof about a script.
fn proof(script: &Path, proof: &Path, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let Some(source) = text(script, err)? else { return Ok(BAD_INPUT) };
    let Some(steps) = text(proof, err)? else { return Ok(BAD_INPUT) };
    let problem = Problem::read(source.as_slice())?;
    let problem = problem.map_err(|error| format!("{}:{error}", script.display()));
    let mut problem = match problem {
        Ok(problem) => problem,
        Err(message) => {
            writeln!(err, "{message}")?;
            return Ok(BAD_INPUT);
        }
    };
    match check_script(&mut problem, &String::from_utf8_lossy(&steps)) {
        Ok(summary) => {
            writeln!(out, "certified: {summary}")?;
            Ok(0)
        }
        Err(Unproved::Unreadable(error)) => {
            writeln!(out, "rejected: {}:{error}", proof.display())?;
            Ok(REJECTED)
        }
        Err(Unproved::Wrong(error)) => {
            writeln!(out, "rejected: {error}")?;
            Ok(REJECTED)
        }
    }
}

/// The bytes of a file; `None` if it cannot be read.
fn text(path: &Path, err: &mut dyn Write) -> io::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) => {
            writeln!(err, "{}: {error}", path.display())?;
            Ok(None)
        }
    }
}

/// Evidence about functions of C files.
fn program(
    inputs: Inputs,
    certificate: &Path,
    arguments: &Arguments,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let mut all = Vec::new();
    for input in inputs.files {
        let Some(text) = text(Path::new(&input.path), err)? else { return Ok(BAD_INPUT) };
        all.push(c::Input { name: input.name, text, options: input.reading });
    }
    let Some(evidence) = text(certificate, err)? else { return Ok(BAD_INPUT) };
    let mut programs = Vec::new();
    for group in link::groups(&all, inputs.together) {
        let linked: Vec<c::Input> = group.files.iter().map(|i| all[*i].clone()).collect();
        programs.push((linked, group.new.iter().map(|i| all[*i].name.clone()).collect()));
    }
    let wanted = Wanted { details: arguments.explain, scripts: arguments.export.is_some() };
    let detailed = match certify_linked(programs, &String::from_utf8_lossy(&evidence), wanted) {
        Ok(detailed) => detailed,
        Err(VerifyError::Certificate(why)) => {
            writeln!(out, "rejected: {}: {why}", certificate.display())?;
            return Ok(REJECTED);
        }
        Err(error @ VerifyError::Internal(_)) => {
            writeln!(err, "{error}")?;
            return Ok(INTERNAL);
        }
        Err(error) => {
            writeln!(err, "{error}")?;
            return Ok(BAD_INPUT);
        }
    };
    for Detailed { checked: Checked { file, function, behavior, standing, note }, details, .. } in &detailed {
        let behavior = behavior.as_ref().map_or(String::new(), |b| format!("[{b}]"));
        let word = match standing {
            Standing::Certified => "certified: ",
            Standing::Tested => "tested: ",
            Standing::Rejected => "rejected: ",
            Standing::Missing => "",
        };
        writeln!(out, "{file}:{function}{behavior}: {word}{note}")?;
        for line in details {
            writeln!(out, "    {line}")?;
        }
    }
    if let Some(directory) = &arguments.export {
        export(directory, &detailed, err)?;
    }
    let any = |standings: &[Standing]| detailed.iter().any(|d| standings.contains(&d.checked.standing));
    Ok(match () {
        () if any(&[Standing::Rejected]) => REJECTED,
        () if any(&[Standing::Tested, Standing::Missing]) => OPEN,
        () => 0,
    })
}

/// Writes the obligations; what cannot be written, or has none, is said.
fn export(directory: &Path, detailed: &[Detailed], err: &mut dyn Write) -> io::Result<()> {
    if let Err(error) = std::fs::create_dir_all(directory) {
        return writeln!(err, "{}: {error}", directory.display());
    }
    for (number, Detailed { checked, scripts, .. }) in detailed.iter().enumerate() {
        let Checked { file, function, standing, .. } = checked;
        if scripts.is_empty() && *standing == Standing::Certified {
            writeln!(err, "{file}:{function}: the evidence is no proof of obligations, nothing is exported")?;
        }
        let plain: String =
            function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        for (i, script) in scripts.iter().enumerate() {
            let path = directory.join(format!("{:03}-{plain}-{:03}.smt2", number + 1, i + 1));
            if let Err(error) = std::fs::write(&path, script) {
                return writeln!(err, "{}: {error}", path.display());
            }
        }
    }
    Ok(())
}
