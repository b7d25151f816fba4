//! `catena certify FILE CERTIFICATE`: re-checks an answer with code that the solver does not use.
//!
//! What a certificate is depends on the kind of the file: for `FILE.smt2` it is a proof, written by
//! `solve --proof` or `get-proof`, that the assertions at the last check of the script are contradictory. For
//! `FILE.c` it is what `verify --certificate` wrote: evidence for the verdicts about its functions.

use super::inputs::{self, Inputs};
use super::{BAD_INPUT, BAD_USAGE, flags};
use crate::certify::{Claim, check_certificate, check_proof, read_certificates};
use crate::frontend::c;
use crate::frontend::c::files::{Disk, Provider};
use crate::frontend::c::link;
use crate::frontend::smtlib::proof::Problem;
use crate::program::Program;
use crate::report::diagnostic;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: catena certify [FLAGS] FILE.c... CERTIFICATE
       catena certify FILE.smt2 PROOF

FLAGS and files are those that were verified: -I DIR, -D NAME[=VALUE], -U NAME, -include FILE, -iquote DIR,
-isystem DIR, --compile-commands FILE.

With a C file: reads it again and checks what `catena verify --certificate CERTIFICATE FILE.c` wrote, with code
that shares no solving with the engines. For `verified` the invariants found are put into the program, the
obligations are made again and each is proved by the steps of its proof (a program without any choice: it is run
again). For `violated` the interpreter makes the run again. One line per function and behaviour:
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
certificate, 64 usage, 65 a file cannot be read
";
const REJECTED: u8 = 1;
/// Something was only tested, or has no evidence.
const OPEN: u8 = 2;
/// Stack of the thread that checks.
const STACK: usize = 256 << 20;

/// Runs the command with the arguments that follow `catena certify`.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let parsed = match Arguments::parse(args) {
        Ok(parsed) => parsed,
        Err(error) => {
            writeln!(err, "catena certify: {error}")?;
            err.write_all(USAGE.as_bytes())?;
            return Ok(BAD_USAGE);
        }
    };
    if parsed.help {
        out.write_all(USAGE.as_bytes())?;
        return Ok(0);
    }
    let Some((certificate, [file, others @ ..])) = parsed.files.split_last() else {
        err.write_all(USAGE.as_bytes())?;
        return Ok(BAD_USAGE);
    };
    let certificate = Path::new(certificate);
    match Path::new(file).extension().and_then(|end| end.to_str()) {
        Some("smt2") if others.is_empty() => proof(Path::new(file), certificate, out, err),
        Some("c" | "i") => {
            let operands = &parsed.files[..parsed.files.len() - 1];
            let inputs = inputs::resolve(operands, parsed.database.as_deref(), &parsed.reading);
            for error in &inputs.errors {
                writeln!(err, "{error}")?;
            }
            if inputs.errors.is_empty() { program(&inputs, certificate, out, err) } else { Ok(BAD_INPUT) }
        }
        _ => {
            writeln!(err, "{}: expected a file *.c, *.i or *.smt2", file.display())?;
            Ok(BAD_USAGE)
        }
    }
}

/// What the command line says.
#[derive(Default)]
struct Arguments {
    files: Vec<OsString>,
    database: Option<PathBuf>,
    reading: c::Options,
    help: bool,
}

impl Arguments {
    fn parse(args: &[OsString]) -> Result<Arguments, lexopt::Error> {
        use lexopt::prelude::*;
        let mut out = Arguments::default();
        out.reading.files = Provider::new(Disk);
        let mut parser = lexopt::Parser::from_args(args);
        while let Some(arg) = parser.next()? {
            match arg {
                Long("help") | Short('h') => out.help = true,
                Long("compile-commands") => out.database = Some(parser.value()?.into()),
                Short(letter) if flags::LETTERS.contains(&letter) => {
                    flags::take(letter, &mut parser, &mut out.reading.flags)?;
                }
                Value(file) => out.files.push(file),
                other => return Err(other.unexpected()),
            }
        }
        Ok(out)
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

/// Evidence about functions of C files.
fn program(inputs: &Inputs, certificate: &Path, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let mut texts = Vec::new();
    for input in &inputs.files {
        match std::fs::read(&input.path) {
            Ok(text) => {
                let (name, options) = (input.name.clone(), input.reading.clone());
                texts.push(c::Input { name, text, options });
            }
            Err(error) => {
                writeln!(err, "{}: {error}", input.name)?;
                return Ok(BAD_INPUT);
            }
        }
    }
    let evidence = match std::fs::read(certificate) {
        Ok(bytes) => bytes,
        Err(error) => {
            writeln!(err, "{}: {error}", certificate.display())?;
            return Ok(BAD_INPUT);
        }
    };
    let mut programs = Vec::new();
    for group in link::groups(&texts, inputs.together) {
        let inputs: Vec<c::Input> = group.files.iter().map(|i| texts[*i].clone()).collect();
        let own = group.new.iter().map(|i| texts[*i].name.clone()).collect();
        let plain = c::load_linked(&inputs);
        if plain.functions.is_empty() && plain.has_errors() {
            err.write_all(diagnostic::text(&plain.diagnostics, &plain.sources, false).as_bytes())?;
            return Ok(BAD_INPUT);
        }
        let options = inputs[0].options.clone();
        programs.push(Linked { inputs, own, units: vec![(options, plain)] });
    }
    let check = || check_all(programs, &evidence, certificate);
    let checked = std::thread::scope(|scope| {
        // Formulas are walked recursively.
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, check)?;
        Ok::<_, io::Error>(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let (text, status) = checked?;
    out.write_all(text.as_bytes())?;
    Ok(status)
}

/// Files that are linked, as they were read with several options.
struct Linked {
    inputs: Vec<c::Input>,
    /// The files whose functions are asked about here.
    own: Vec<String>,
    units: Vec<(c::Options, c::Unit)>,
}

impl Linked {
    fn functions(&self) -> impl Iterator<Item = &c::LoadedFunction> {
        let all = self.units.first().into_iter().flat_map(|(_, unit)| &unit.functions);
        all.filter(|f| self.own.contains(&f.file))
    }

    /// The function of a claim, read as the claim says.
    fn find(&mut self, claim: &Claim) -> Result<Program, String> {
        let options = c::Options {
            lp64: claim.lp64,
            malloc: if claim.malloc_may_fail { c::Malloc::MayFail } else { c::Malloc::NeverFails },
            inline_contracts: claim.inlined,
            checks: claim.checks.clone(),
            property: claim.property,
            ..self.inputs[0].options.clone()
        };
        if !self.units.iter().any(|(o, _)| *o == options) {
            let read_as = |input: &c::Input| {
                let (flags, files) = (input.options.flags.clone(), input.options.files.clone());
                c::Input { options: c::Options { flags, files, ..options.clone() }, ..input.clone() }
            };
            let inputs: Vec<c::Input> = self.inputs.iter().map(read_as).collect();
            self.units.push((options.clone(), c::load_linked(&inputs)));
        }
        let unit = self.units.iter().find(|(o, _)| *o == options).map(|(_, unit)| unit);
        let found = unit.and_then(|u| u.functions.iter().find(|f| f.name == claim.function));
        let found = found.ok_or_else(|| format!("the file has no function `{}`", claim.function))?;
        let program = found.program.as_ref();
        program.cloned().map_err(|_| format!("`{}` is not supported", claim.function))
    }
}

/// The lines about all certificates, and the exit status.
fn check_all(mut programs: Vec<Linked>, certificate: &[u8], path: &Path) -> (String, u8) {
    let mut out = String::new();
    let mut missing: Vec<(String, String, Option<String>)> =
        programs.iter().flat_map(Linked::functions).flat_map(behaviors).collect();
    let files: Vec<(String, String)> =
        missing.iter().map(|(file, function, _)| (function.clone(), file.clone())).collect();
    let first = programs.first().and_then(|p| p.inputs.first()).map_or(String::new(), |i| i.name.clone());
    let file_of = |function: &str| files.iter().find(|(f, _)| f == function).map_or(&first, |(_, file)| file);
    let mut find = |claim: &Claim| -> Result<Program, String> {
        let of = programs.iter().position(|p| p.functions().any(|f| f.name == claim.function)).unwrap_or(0);
        match programs.get_mut(of) {
            Some(program) => program.find(claim),
            None => Err("there is no file".to_owned()),
        }
    };
    let text = String::from_utf8_lossy(certificate);
    let certificates = match read_certificates(&text, &mut find) {
        Ok(certificates) => certificates,
        Err(why) => {
            let _ = writeln!(out, "rejected: {}: {why}", path.display());
            return (out, REJECTED);
        }
    };
    let (mut rejected, mut open) = (false, false);
    for (program, certificate) in &certificates {
        let claim = &certificate.claim;
        let behavior = claim.behavior.as_ref().map_or(String::new(), |b| format!("[{b}]"));
        let title = format!("{}:{}{behavior}", file_of(&claim.function), claim.function);
        missing.retain(|(_, f, b)| (f, b) != (&claim.function, &claim.behavior));
        match check_certificate(program, certificate) {
            Ok(shown) => {
                let words: Vec<&str> = claim.checks.iter().map(|c| c.word()).collect();
                let verdict = certificate.evidence.verdict();
                let word = if shown.is_proof() { "certified" } else { "tested" };
                let _ = writeln!(out, "{title}: {word}: {verdict}, {shown} ({})", conditions(claim, &words));
                open |= !shown.is_proof();
            }
            Err(why) => {
                let _ = writeln!(out, "{title}: rejected: {why}");
                rejected = true;
            }
        }
    }
    open |= !missing.is_empty();
    for (file, function, behavior) in missing {
        let behavior = behavior.map_or(String::new(), |b| format!("[{b}]"));
        let _ = writeln!(out, "{file}:{function}{behavior}: no certificate");
    }
    if certificates.is_empty() {
        let _ = writeln!(out, "rejected: {}: there is no certificate in it", path.display());
        rejected = true;
    }
    let status = match (rejected, open) {
        (true, _) => REJECTED,
        (false, true) => OPEN,
        (false, false) => 0,
    };
    (out, status)
}

/// What must have evidence: the behaviours of a function, or its only contract.
fn behaviors(function: &c::LoadedFunction) -> Vec<(String, String, Option<String>)> {
    let behaviors = match &function.program {
        Ok(program) => program.contracts.iter().map(|c| c.behavior.clone()).collect(),
        Err(_) => vec![None],
    };
    behaviors.into_iter().map(|b| (function.file.clone(), function.name.clone(), b)).collect()
}

/// Under which conditions the verdict holds: what was asked, and what is not the default.
fn conditions(claim: &Claim, checks: &[&str]) -> String {
    let mut out = checks.join(",");
    if !claim.lp64 {
        out.push_str("; ILP32");
    }
    if claim.malloc_may_fail {
        out.push_str("; malloc may fail");
    }
    if let Some(property) = claim.property {
        let _ = write!(out, "; {}", property.word());
    }
    out
}
