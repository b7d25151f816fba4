//! Certificates of programs: evidence for a verdict, as text that is written once and checked again by code
//! that shares no solving with the engines.
//!
//! What shows `verified`:
//! - *invariants and proofs*: per loop the conjuncts that an engine added to those of the source, and one proof
//!   per obligation. The invariants are put into the program, the result is validated, the obligations are made
//!   again by [`wp`], each is written as a script and read back, and its proof is checked step by step by
//!   [`check_proof`]. Before that, all small entry states are run by the interpreter with the invariants as
//!   assertions: a wrong invariant mostly dies there, by code that knows no formula translation at all;
//! - *an annotation* in the language of an engine: the signatures of `monotone`, checked by
//!   [`check_signatures`], or the shape graphs of `lazy`, checked by [`check_shapes`], on small instances. That is
//!   no proof ([`Shown::is_proof`]): such a verdict is tested, not certified;
//! - *all runs*, if they are finitely many up to the values of numbers: they are made by an interpreter of this module's
//!   own, [`all_runs`], which shares nothing with the one that found them.
//!
//! What shows `violated`: the state at the entry, what was chosen on the way and the edges taken. The interpreter
//! makes the run again; it must take these edges and fail at the last one in the way that is claimed.
//!
//! What is shared with the engines, and therefore has to be trusted or tested by other means: the reader of C and
//! annotations, the interpreter for failing runs (the oracle of everything else, held against compiled C), and
//! [`program::wp`](crate::program::wp) with [`program::encode`](crate::program::encode), the one generator of
//! obligations, held against the interpreter on all small heaps. Nothing of `engine`, `sat` and `analysis` is used.
//!
//! The text form is described in `text`.

mod run;
mod text;
mod trust;

#[cfg(feature = "cli")]
pub use run::made_again;
pub use text::{print_certificates, read_certificates};
pub use trust::trusted;

use super::{Runs, all_runs, check_proof, check_shapes, check_signatures};
use crate::frontend::smtlib::proof::Problem;
use crate::program::explore::{self, Bound, Found};
use crate::program::wp::Obligation;
use crate::program::{Check, Clause, EdgeId, Formula, LoopId, Program, Property, Question, State, wp};
use crate::proof::Proof;
use crate::util::limits::Budget;
use crate::verdict::{Failure, Language};
use std::fmt;

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The function.
    pub function: String,
    /// The behaviour; `None` for the clauses outside any.
    pub behavior: Option<String>,
    /// Property classes that were asked for.
    pub checks: Vec<Check>,
    /// The C text was read with 64-bit pointers.
    pub lp64: bool,
    /// `malloc` may return null.
    pub malloc_may_fail: bool,
    /// The property of the competition that was asked about, if it was one.
    pub property: Option<Property>,
    /// Calls of functions with contracts are inlined in the program that the evidence speaks of.
    pub inlined: bool,
}

/// Evidence for a verdict about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCertificate {
    /// What it is about.
    pub claim: Claim,
    /// The engine that found it, for people.
    pub engine: String,
    /// What shows it.
    pub evidence: Evidence,
}

/// What shows a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// `verified`: what is added to the loops' invariants, and a proof per obligation, as text.
    Proofs {
        /// Conjuncts by loop.
        invariants: Vec<(LoopId, Vec<Formula>)>,
        /// In the order of the obligations.
        proofs: Vec<String>,
    },
    /// `verified`: what an engine says about locations in a language of its own, which has a checker of its own.
    Annotation {
        /// What it is written in.
        language: Language,
        /// What it says.
        lines: Vec<String>,
    },
    /// `verified`: there are finitely many runs, up to the values of numbers: how many, and how many commands they have.
    AllRuns(Runs),
    /// `violated`: a run.
    Run(Box<FailingRun>),
}

/// A run that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingRun {
    /// State at the entry.
    pub initial: State,
    /// What was chosen, in order.
    pub choices: Vec<i128>,
    /// Whether the fields of new cells are among the choices.
    pub fills: bool,
    /// Steps before the first one of the path (very long runs).
    pub omitted: u64,
    /// Edges in their order; the last one fails.
    pub path: Vec<EdgeId>,
    /// How it fails.
    pub failure: Failure,
}

impl Evidence {
    /// The verdict that it shows.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match self {
            Evidence::Run(_) => "violated",
            Evidence::Proofs { .. } | Evidence::Annotation { .. } | Evidence::AllRuns(_) => "verified",
        }
    }
}

/// What a check looked at, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// So many proofs of obligations.
    Proofs(usize),
    /// Small instances: entry states and steps.
    Instances(u64, u64),
    /// A run of so many steps.
    Steps(u64),
    /// All runs.
    Runs(Runs),
}

impl Shown {
    /// Whether it shows what is claimed: a proof was checked or a run was made. Small instances only show that nothing
    /// was found.
    #[must_use]
    pub fn is_proof(self) -> bool {
        match self {
            Shown::Proofs(_) | Shown::Steps(_) | Shown::Runs(_) => true,
            Shown::Instances(..) => false,
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Proofs(1) => write!(f, "1 proof"),
            Shown::Proofs(n) => write!(f, "{n} proofs"),
            Shown::Instances(entries, steps) => {
                write!(f, "on small instances: {entries} entry states, {steps} steps")
            }
            Shown::Steps(n) => write!(f, "a run of {n} steps"),
            Shown::Runs(Runs { runs: 1, steps }) => write!(f, "its only run, of {steps} steps"),
            Shown::Runs(Runs { runs, steps }) => write!(f, "all its {runs} runs, of {steps} steps"),
        }
    }
}

/// Random runs of the check of signatures.
const EFFORT: usize = 400;
/// Random runs of the check of shape graphs.
const EFFORT_OF_SHAPES: usize = 60;
/// Commands of the search for a run that breaks an invariant.
const SEARCH: u64 = 100_000;

/// An obligation whose proof was just checked.
pub struct Proved<'a> {
    /// From 1, and how many there are.
    pub number: (usize, usize),
    /// What was shown impossible.
    pub obligation: &'a Obligation,
    /// What the proof is about: the negation of the obligation, with all it may use.
    pub problem: &'a Problem,
    /// The proof.
    pub proof: &'a Proof,
}

/// Whether the evidence shows what it claims about the program.
///
/// # Errors
/// Why not.
pub fn check_certificate(program: &Program, certificate: &ProgramCertificate) -> Result<Shown, String> {
    check_telling(program, certificate, &mut |_| {})
}

/// The same, and `tell` hears of each obligation whose proof was checked.
///
/// # Errors
/// Why not.
pub fn check_telling(
    program: &Program,
    certificate: &ProgramCertificate,
    tell: &mut dyn FnMut(&Proved<'_>),
) -> Result<Shown, String> {
    let claim = &certificate.claim;
    if program.name != claim.function {
        return Err(format!("the certificate is about `{}`", claim.function));
    }
    if claim.checks.contains(&Check::Termination) {
        return Err("there are no certificates of termination".to_owned());
    }
    let contract = program.contracts.iter().position(|c| c.behavior == claim.behavior);
    let contract = contract.ok_or("there is no such behaviour")?;
    let question = Question { contract, checks: claim.checks.clone() };
    match &certificate.evidence {
        Evidence::Proofs { invariants, proofs } => {
            let annotated = annotated(program, invariants)?;
            check_proofs(&annotated, &question, proofs, tell)
        }
        Evidence::Annotation { language: Language::Signatures, lines } => {
            let checked = check_signatures(program, &question, lines, EFFORT, 1);
            let checked = checked.map_err(|fault| fault.to_string())?;
            Ok(Shown::Instances(checked.entries, checked.steps))
        }
        Evidence::Annotation { language: Language::ShapeGraphs, lines } => {
            let checked = check_shapes(program, &question, lines, EFFORT_OF_SHAPES, 1);
            let checked = checked.map_err(|fault| fault.to_string())?;
            Ok(Shown::Instances(1, checked.steps))
        }
        Evidence::AllRuns(said) => run::all(program, &question, *said),
        Evidence::Run(failing) => run::failing(program, &question, failing),
    }
}

/// The program with the invariants in it.
///
/// # Errors
/// If they are not formulas about this program.
pub fn annotated(program: &Program, invariants: &[(LoopId, Vec<Formula>)]) -> Result<Program, String> {
    let mut annotated = program.clone();
    for (at, formulas) in invariants {
        for formula in formulas {
            // Bound variables of inferred invariants are numbered after those of the program.
            annotated.bounds = annotated.bounds.max(formula.bounds());
        }
        let of = annotated.loops.get_mut(at.index()).ok_or("there is no such loop")?;
        let span = of.span;
        of.invariants.extend(formulas.iter().map(|f| Clause { formula: f.clone(), span }));
    }
    annotated.validate().map_err(|e| e.0)?;
    Ok(annotated)
}

fn check_proofs(
    program: &Program,
    question: &Question,
    proofs: &[String],
    tell: &mut dyn FnMut(&Proved<'_>),
) -> Result<Shown, String> {
    let bound = Bound { commands: SEARCH, cells: 3, ..Bound::default() };
    if let Found::Violation(trace) = explore::search(program, question, &bound, &mut Budget::unlimited()) {
        return Err(format!("a run fails: {}", trace.failure.message));
    }
    let conditions = wp::conditions(program, question).map_err(|reason| reason.message)?;
    if conditions.obligations.len() != proofs.len() {
        return Err(format!("{} obligations, {} proofs", conditions.obligations.len(), proofs.len()));
    }
    for (i, (obligation, proof)) in conditions.obligations.iter().zip(proofs).enumerate() {
        let failed = |why: String| format!("obligation {} ({}): {why}", i + 1, obligation.what);
        let script = wp::script(&conditions, i).map_err(|reason| failed(reason.0))?;
        let problem = Problem::read(script.as_bytes()).map_err(|e| failed(e.to_string()))?;
        let mut problem = problem.map_err(|e| failed(e.to_string()))?;
        let proof = problem.read_proof(proof).map_err(|e| failed(e.to_string()))?;
        check_proof(&problem.terms, &problem.assertions, &problem.assumptions, &proof)
            .map_err(|e| failed(e.to_string()))?;
        tell(&Proved { number: (i + 1, proofs.len()), obligation, problem: &problem, proof: &proof });
    }
    Ok(Shown::Proofs(proofs.len()))
}
