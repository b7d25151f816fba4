//! Separation logic: random problems, enumeration of small heaps, and a judge.
//!
//! The judge believes nothing. The heap of a `sat` is evaluated in the assertions as they were written; for
//! an `unsat` the proof of the translated formulas is certified, and all heaps with few cells are searched
//! for one that satisfies the assertions.

pub mod brute;
pub mod families;
pub mod generate;
pub mod inductive;

use crate::certify::check_proof;
use crate::engine::solver::{Answer, Config, Solver};
use crate::frontend::smtlib::sep::HeapModel;
use crate::frontend::smtlib::sep::inductive::Outcome;
use crate::frontend::smtlib::{Script, read};
use crate::logic::{TermId, Terms};
use crate::testing::oracle::{Complaint, Verdict};
use crate::util::limits::Limits;

pub use brute::{Bounds, satisfying_heap};

/// How hard the judge tries.
#[derive(Clone, Copy, Debug)]
pub struct Scrutiny {
    /// Which heaps are searched after an `unsat`; none if absent.
    pub bounds: Option<Bounds>,
    /// Whether proofs are made and certified.
    pub proofs: bool,
    /// Whether `unknown` is a complaint.
    pub must_decide: bool,
}

/// A script that was read.
pub struct Problem {
    /// Its terms.
    pub terms: Terms,
    /// What it says.
    pub script: Script,
}

impl Problem {
    /// Reads a script.
    pub fn read(text: &str) -> Result<Problem, Complaint> {
        let mut terms = Terms::new();
        let script = read(text, &mut terms).map_err(|e| Complaint::new("reading", e))?;
        Ok(Problem { terms, script })
    }

    /// Solves the conjunction of all assertions.
    pub fn solve(&mut self, proofs: bool) -> Result<(Verdict, Option<HeapModel>), Complaint> {
        let assertions = self.script.formulas();
        let context = &mut self.script.context;
        let Ok(translation) = context.translate(&mut self.terms, &assertions) else {
            let limits = Limits { steps: Some(3_000_000), ..Limits::default() };
            return Ok(match context.decide_inductive(&mut self.terms, &assertions, &limits) {
                Ok(Outcome::Sat(found)) => (Verdict::Sat, Some(*found)),
                Ok(Outcome::Unsat) => (Verdict::Unsat, None),
                Err(_) => (Verdict::Unknown, None),
            });
        };
        let config = Config { proofs, ..Config::default() };
        let mut solver = Solver::with_terms(config, std::mem::take(&mut self.terms));
        solver.set_limits(Limits { steps: Some(3_000_000), ..Limits::default() });
        for &formula in &translation.formulas {
            solver.assert(formula).map_err(|e| Complaint::new("asserting", e))?;
        }
        let answer = solver.check();
        self.terms = solver.terms().clone();
        match answer {
            Answer::Unknown(_) => Ok((Verdict::Unknown, None)),
            Answer::Unsat(refutation) => {
                if let Some(proof) = &refutation.proof {
                    check_proof(&self.terms, &translation.formulas, &[], proof)
                        .map_err(|e| Complaint::new("proof", e))?;
                }
                Ok((Verdict::Unsat, None))
            }
            Answer::Sat(model) => {
                let found = context.heap_model(&self.terms, &assertions, &translation, *model);
                Ok((Verdict::Sat, Some(found.map_err(|e| Complaint::new("heap", e))?)))
            }
        }
    }
}

/// A random problem, doubted: after an `unsat` up to `tries` heaps of at most 4 cells and 2 further locations
/// are evaluated. Doubly linked segments and segments with data may be undecided.
pub fn check_random(seed: u64, style: generate::Style, tries: u64) -> Result<Verdict, Complaint> {
    let bounds = Some(Bounds { cells: 4, dangling: 2, tries });
    let must_decide = !matches!(style, generate::Style::Double | generate::Style::Data);
    let scrutiny = Scrutiny { bounds, proofs: true, must_decide };
    judge(&generate::generate(seed, style), scrutiny)
}

/// A random problem about random definitions, doubted. It may be undecided.
pub fn check_inductive(seed: u64, fields: inductive::Fields, tries: u64) -> Result<Verdict, Complaint> {
    let bounds = Some(Bounds { cells: 3, dangling: 2, tries });
    let scrutiny = Scrutiny { bounds, proofs: true, must_decide: false };
    judge(&inductive::generate(seed, fields), scrutiny)
}

/// Solves a script and doubts the answer.
pub fn judge(text: &str, scrutiny: Scrutiny) -> Result<Verdict, Complaint> {
    let mut problem = Problem::read(text)?;
    let assertions: Vec<TermId> = problem.script.formulas();
    let (verdict, _) = problem.solve(scrutiny.proofs)?;
    match (verdict, scrutiny.bounds) {
        (Verdict::Unknown, _) if scrutiny.must_decide => Err(Complaint::new("decision", "unknown")),
        (Verdict::Unsat, Some(bounds)) => {
            let vocabulary = problem.script.context.vocabulary();
            match satisfying_heap(&problem.terms, vocabulary, &assertions, bounds) {
                Ok(None) => Ok(verdict),
                Ok(Some((model, heap))) => {
                    Err(Complaint::new("enumeration", format!("unsat, but there is {heap:?} with {model:?}")))
                }
                Err(error) => Err(Complaint::new("evaluation", error)),
            }
        }
        _ => Ok(verdict),
    }
}
