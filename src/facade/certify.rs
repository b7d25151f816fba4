//! Evidence for the verdicts about a C file is checked again, by code that the engines do not use.

use crate::certify::{Claim, check_certificate, read_certificates};
use crate::frontend::c;
use crate::program::Program;
use crate::report::findings::{Checked, Standing, VerifyError};
use crate::report::translate;
use std::fmt::Write as _;

/// Stack of the thread that checks: formulas are walked recursively.
const STACK: usize = 256 << 20;

/// Checks a certificate that [`Verifier::certificates`](crate::Verifier::certificates) made, or `verify --certificate`:
/// the file is read again, proofs of obligations are checked step by step, runs are made again. One entry for each
/// function and behavior of the file, in the order of the certificate; those without evidence come last.
///
/// ```
/// use catena::findings::Standing;
/// use catena::{Verifier, certify};
///
/// let source = r"
///     struct node { struct node *next; };
///     /*@ requires \valid(e) && \list(next, l) && !(l -next*-> e); ensures \list(next, \result); @*/
///     struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
/// ";
/// let report = Verifier::new().certificates(true).verify("push.c", source)?;
/// let certificate = report.functions()[0].certificate.as_deref().expect("there is evidence");
/// assert_eq!(certify("push.c", source, certificate)?[0].standing, Standing::Certified);
/// // It shows nothing about another function.
/// let wrong = source.replace("return e", "e->next = e; return e");
/// assert_eq!(certify("push.c", &wrong, certificate)?[0].standing, Standing::Rejected);
/// # Ok::<(), catena::findings::VerifyError>(())
/// ```
pub fn certify(file: &str, source: impl AsRef<[u8]>, certificate: &str) -> Result<Vec<Checked>, VerifyError> {
    certify_as(file, source.as_ref(), certificate, &c::Options::default())
}

/// The same for a file that is read with flags.
pub(crate) fn certify_as(
    file: &str,
    source: &[u8],
    certificate: &str,
    reading: &c::Options,
) -> Result<Vec<Checked>, VerifyError> {
    let plain = c::load(file, source, reading);
    if plain.functions.is_empty() && plain.has_errors() {
        let translated = |d| translate::diagnostic(&plain.sources, d);
        return Err(VerifyError::Rejected(plain.diagnostics.iter().map(translated).collect()));
    }
    std::thread::scope(|scope| {
        let check = || check_all(file, plain, source, certificate, reading);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, check);
        let thread = thread.map_err(|error| VerifyError::Internal(error.to_string()))?;
        thread.join().map_err(|_| VerifyError::Internal("the checker panicked".to_owned()))?
    })
}

fn check_all(
    file: &str,
    plain: c::Unit,
    source: &[u8],
    certificate: &str,
    reading: &c::Options,
) -> Result<Vec<Checked>, VerifyError> {
    let mut missing: Vec<(String, Option<String>)> = plain.functions.iter().flat_map(behaviors).collect();
    let mut units: Vec<(c::Options, c::Unit)> = vec![(reading.clone(), plain)];
    let mut find = |claim: &Claim| -> Result<Program, String> {
        let options = c::Options {
            lp64: claim.lp64,
            malloc: if claim.malloc_may_fail { c::Malloc::MayFail } else { c::Malloc::NeverFails },
            inline_contracts: claim.inlined,
            checks: claim.checks.clone(),
            property: claim.property,
            ..reading.clone()
        };
        if !units.iter().any(|(o, _)| *o == options) {
            units.push((options.clone(), c::load(file, source, &options)));
        }
        let unit = units.iter().find(|(o, _)| *o == options).map(|(_, unit)| unit);
        let found = unit.and_then(|u| u.functions.iter().find(|f| f.name == claim.function));
        let found = found.ok_or_else(|| format!("the file has no function `{}`", claim.function))?;
        let program = found.program.as_ref();
        program.cloned().map_err(|_| format!("`{}` is not supported", claim.function))
    };
    let certificates = read_certificates(certificate, &mut find).map_err(VerifyError::Certificate)?;
    if certificates.is_empty() {
        return Err(VerifyError::Certificate("there is no certificate in it".to_owned()));
    }
    let mut checked = Vec::new();
    for (program, certificate) in &certificates {
        let claim = &certificate.claim;
        missing.retain(|(f, b)| (f, b) != (&claim.function, &claim.behavior));
        let (standing, note) = match check_certificate(program, certificate) {
            Ok(shown) => {
                let standing = if shown.is_proof() { Standing::Certified } else { Standing::Tested };
                let verdict = certificate.evidence.verdict();
                (standing, format!("{verdict}, {shown} ({})", conditions(claim)))
            }
            Err(why) => (Standing::Rejected, why),
        };
        let (function, behavior) = (claim.function.clone(), claim.behavior.clone());
        checked.push(Checked { function, behavior, standing, note });
    }
    checked.extend(missing.into_iter().map(|(function, behavior)| {
        let note = "no certificate".to_owned();
        Checked { function, behavior, standing: Standing::Missing, note }
    }));
    Ok(checked)
}

/// What must have evidence: the behaviours of a function, or its only contract.
fn behaviors(function: &c::LoadedFunction) -> Vec<(String, Option<String>)> {
    let behaviors = match &function.program {
        Ok(program) => program.contracts.iter().map(|c| c.behavior.clone()).collect(),
        Err(_) => vec![None],
    };
    behaviors.into_iter().map(|b| (function.name.clone(), b)).collect()
}

/// Under which conditions the verdict holds: what was asked, and what is not the default.
fn conditions(claim: &Claim) -> String {
    let checks: Vec<&str> = claim.checks.iter().map(|c| c.word()).collect();
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
