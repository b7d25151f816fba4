//! Evidence for the verdicts about a C file is checked again, by code that the engines do not use.

use crate::certify::{Claim, check_certificate, read_certificates};
use crate::frontend::c;
use crate::program::Program;
use crate::report::findings::{Checked, Standing, VerifyError};
use crate::report::translate;
use crate::util::threads::with_stack;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    let (name, text) = (file.to_owned(), source.as_ref().to_vec());
    let input = c::Input { name: name.clone(), text, options: c::Options::default() };
    certify_linked(vec![(vec![input], vec![name])], certificate)
}

/// The same for programs of several texts, each with the names of those whose functions are asked about.
pub(crate) fn certify_linked(
    programs: Vec<(Vec<c::Input>, Vec<String>)>,
    certificate: &str,
) -> Result<Vec<Checked>, VerifyError> {
    let mut read = Vec::new();
    for (inputs, own) in programs {
        let plain = c::load_linked(&inputs);
        if plain.functions.is_empty() && plain.has_errors() {
            let translated = |d| translate::diagnostic(&plain.sources, d);
            return Err(VerifyError::Rejected(plain.diagnostics.iter().map(translated).collect()));
        }
        let options = inputs.first().map(|input| input.options.clone()).unwrap_or_default();
        read.push(Linked { inputs, own, units: vec![(options, plain)] });
    }
    let checked = catch_unwind(AssertUnwindSafe(|| with_stack(STACK, || check_all(read, certificate))));
    match checked {
        Ok(checked) => checked.map_err(|error| VerifyError::Internal(error.to_string()))?,
        Err(_) => Err(VerifyError::Internal("the checker panicked".to_owned())),
    }
}

/// Texts that are linked, as they were read with several options.
struct Linked {
    inputs: Vec<c::Input>,
    /// Those whose functions are asked about here.
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
        let reading = self.inputs.first().map(|input| input.options.clone()).unwrap_or_default();
        let options = c::Options {
            lp64: claim.lp64,
            malloc: if claim.malloc_may_fail { c::Malloc::MayFail } else { c::Malloc::NeverFails },
            inline_contracts: claim.inlined,
            checks: claim.checks.clone(),
            property: claim.property,
            ..reading
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

fn check_all(mut programs: Vec<Linked>, certificate: &str) -> Result<Vec<Checked>, VerifyError> {
    let mut missing: Vec<Checked> = programs.iter().flat_map(Linked::functions).flat_map(behaviors).collect();
    let files: Vec<(String, String)> = missing.iter().map(|m| (m.function.clone(), m.file.clone())).collect();
    let first = programs.first().and_then(|p| p.inputs.first()).map_or(String::new(), |i| i.name.clone());
    let file_of = |function: &str| files.iter().find(|(f, _)| f == function).map_or(&first, |(_, file)| file);
    let mut find = |claim: &Claim| -> Result<Program, String> {
        let of = programs.iter().position(|p| p.functions().any(|f| f.name == claim.function)).unwrap_or(0);
        programs.get_mut(of).ok_or_else(|| "there is no file".to_owned())?.find(claim)
    };
    let certificates = read_certificates(certificate, &mut find).map_err(VerifyError::Certificate)?;
    if certificates.is_empty() {
        return Err(VerifyError::Certificate("there is no certificate in it".to_owned()));
    }
    let mut checked = Vec::new();
    for (program, certificate) in &certificates {
        let claim = &certificate.claim;
        missing.retain(|m| (&m.function, &m.behavior) != (&claim.function, &claim.behavior));
        let (standing, note) = match check_certificate(program, certificate) {
            Ok(shown) => {
                let standing = if shown.is_proof() { Standing::Certified } else { Standing::Tested };
                let verdict = certificate.evidence.verdict();
                (standing, format!("{verdict}, {shown} ({})", conditions(claim)))
            }
            Err(why) => (Standing::Rejected, why),
        };
        let (function, behavior) = (claim.function.clone(), claim.behavior.clone());
        checked.push(Checked { file: file_of(&function).clone(), function, behavior, standing, note });
    }
    checked.append(&mut missing);
    Ok(checked)
}

/// What must have evidence: the behaviours of a function, or its only contract.
fn behaviors(function: &c::LoadedFunction) -> Vec<Checked> {
    let behaviors = match &function.program {
        Ok(program) => program.contracts.iter().map(|c| c.behavior.clone()).collect(),
        Err(_) => vec![None],
    };
    let missing = |behavior| Checked {
        file: function.file.clone(),
        function: function.name.clone(),
        behavior,
        standing: Standing::Missing,
        note: "no certificate".to_owned(),
    };
    behaviors.into_iter().map(missing).collect()
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
