//! Evidence for the verdicts about a C file is checked again, by code that the engines do not use.

use crate::certify::{Claim, Evidence, Proved, check_telling, read_certificates, trusted};
use crate::frontend::c;
use crate::logic::axiomatise::axiomatised;
use crate::program::{Formula, Program, print};
use crate::report::findings::{Checked, Standing, VerifyError};
use crate::report::translate;
use crate::util::span::Span;
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
    let detailed = certify_linked(vec![(vec![input], vec![name])], certificate, Wanted::default())?;
    Ok(detailed.into_iter().map(|d| d.checked).collect())
}

/// What is wanted beside the result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// What was checked and what is trusted, in words.
    pub details: bool,
    /// The obligations as scripts for other solvers.
    pub scripts: bool,
}

/// The result of a check, with what was wanted beside it.
#[derive(Debug)]
pub(crate) struct Detailed {
    pub checked: Checked,
    pub details: Vec<String>,
    pub scripts: Vec<String>,
}

/// The same for programs of several texts, each with the names of those whose functions are asked about.
pub(crate) fn certify_linked(
    programs: Vec<(Vec<c::Input>, Vec<String>)>,
    certificate: &str,
    wanted: Wanted,
) -> Result<Vec<Detailed>, VerifyError> {
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
    let checked =
        catch_unwind(AssertUnwindSafe(|| with_stack(STACK, || check_all(read, certificate, wanted))));
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

fn check_all(
    mut programs: Vec<Linked>,
    certificate: &str,
    wanted: Wanted,
) -> Result<Vec<Detailed>, VerifyError> {
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
    let mut all = Vec::new();
    for (program, certificate) in &certificates {
        let claim = &certificate.claim;
        missing.retain(|m| (&m.function, &m.behavior) != (&claim.function, &claim.behavior));
        let file = file_of(&claim.function).clone();
        let of = programs.iter().find(|p| p.functions().any(|f| f.name == claim.function));
        let sources = of.and_then(|p| p.units.first()).map(|(_, unit)| &unit.sources);
        let place = |span| {
            let place = sources.map(|s| s.presumed(span));
            place.map_or(String::new(), |at| format!(" at {}:{}:{}", at.file, at.line, at.column))
        };
        let (mut details, mut scripts) = (Vec::new(), Vec::new());
        let mut tell = |proved: &Proved<'_>| {
            let Proved { number: (number, of), obligation, problem, proof } = *proved;
            let what = format!(
                "obligation {number} of {of}{}, excluded: {}",
                place(obligation.span),
                obligation.what
            );
            if wanted.details {
                details.push(format!("{what}; {}", proof.summary()));
            }
            if wanted.scripts {
                let script = axiomatised(&problem.terms, &problem.assertions);
                let one_line = what.replace(['\n', '\r'], " ");
                scripts.push(format!(
                    "; {file}:{}: {one_line}\n(set-info :status unsat)\n{script}",
                    claim.function
                ));
            }
        };
        let (standing, note) = match check_telling(program, certificate, &mut tell) {
            Ok(shown) => {
                let standing = if shown.is_proof() { Standing::Certified } else { Standing::Tested };
                let verdict = certificate.evidence.verdict();
                (standing, format!("{verdict}, {shown} ({})", conditions(claim)))
            }
            Err(why) => (Standing::Rejected, why),
        };
        if wanted.details {
            let invariants = invariants(program, &certificate.evidence, &place);
            details.splice(0..0, invariants);
            details.extend(trusted(&certificate.evidence).iter().map(|part| format!("trusted: {part}")));
        }
        let (function, behavior) = (claim.function.clone(), claim.behavior.clone());
        let checked = Checked { file, function, behavior, standing, note };
        all.push(Detailed { checked, details, scripts });
    }
    all.extend(missing.into_iter().map(|checked| Detailed {
        checked,
        details: Vec::new(),
        scripts: Vec::new(),
    }));
    Ok(all)
}

/// The invariants that the proofs use: those of the source, and those of the evidence.
fn invariants(program: &Program, evidence: &Evidence, place: &dyn Fn(Span) -> String) -> Vec<String> {
    let Evidence::Proofs { invariants, .. } = evidence else { return Vec::new() };
    let mut out = Vec::new();
    for (number, of) in program.loops.iter().enumerate() {
        let at = place(of.span);
        let mut line = |origin: &str, formula: &Formula| {
            out.push(format!("invariant of the {origin}, loop{at}: {}", print::formula(program, formula)));
        };
        of.invariants.iter().for_each(|clause| line("source", &clause.formula));
        let added =
            invariants.iter().filter(|(of, _)| of.index() == number).flat_map(|(_, formulas)| formulas);
        added.for_each(|formula| line("certificate", formula));
    }
    out
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
