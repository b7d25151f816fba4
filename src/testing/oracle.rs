//! Oracles: what takes a problem and says whether the solver has a bug.
//!
//! The bodies are shared by property tests, golden files, fuzz targets and the torture example. An answer
//! is never believed: a model is evaluated, a refutation is certified and held against enumeration, and
//! [`crate::testing::metamorphic`] asks the same question in other ways. A [`Complaint`] names the stage
//! that failed, so that shrinking keeps the failure it started from.

use crate::certify::{check_model, check_proof};
use crate::engine::solver::{Answer, Config, Reason, Solver};
use crate::frontend::smtlib::{Status, read};
use crate::logic::{TermId, Terms, print};
use crate::testing::shrink::{shrink, shrink_list};
use crate::testing::{Brute, Problem, as_test, decide_by_enumeration, metamorphic};
use crate::util::limits::Limits;
use std::fmt;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What is wrong, and which check noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The check that noticed.
    pub stage: &'static str,
    /// What was expected and what was found.
    pub detail: String,
}

impl Complaint {
    /// A complaint of this stage.
    pub fn new(stage: &'static str, detail: impl fmt::Display) -> Complaint {
        Complaint { stage, detail: detail.to_string() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.stage, self.detail)
    }
}

impl std::error::Error for Complaint {}

/// An answer without its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Not decided.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        })
    }
}

impl From<Status> for Verdict {
    fn from(status: Status) -> Verdict {
        match status {
            Status::Sat => Verdict::Sat,
            Status::Unsat => Verdict::Unsat,
            Status::Unknown => Verdict::Unknown,
        }
    }
}

/// How hard the oracles try.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Steps of one check; a small problem that needs more counts as a hang.
    pub steps: u64,
    /// Whether the problems are of a fragment that is decided completely, so that `unknown` is wrong.
    pub complete: bool,
    /// Whether a reached limit is an answer all the same: counted as unknown, no complaint. Any other unknown
    /// of a complete fragment stays one.
    pub may_stop: bool,
    /// Elements per sort in the search for a model of what was refuted.
    pub cells: u32,
    /// Integers in that search.
    pub ints: RangeInclusive<i64>,
    /// Slots filled before that search gives up.
    pub brute_cap: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            steps: 5_000_000,
            complete: true,
            may_stop: false,
            cells: 3,
            ints: -2..=3,
            brute_cap: 20_000,
        }
    }
}

impl Effort {
    /// The limits of one check.
    pub fn limits(&self) -> Limits {
        Limits { steps: Some(self.steps), ..Limits::default() }
    }
}

/// A solver that keeps proofs, over a copy of the store, with the limits of the effort.
pub fn new_solver(terms: &Terms, effort: &Effort) -> Solver {
    let mut solver = Solver::with_terms(Config { proofs: true, ..Config::default() }, terms.clone());
    solver.set_limits(effort.limits());
    solver
}

/// Asserts a formula that is known to be closed.
pub fn assert_all(solver: &mut Solver, formulas: &[TermId]) -> Result<(), Complaint> {
    for &formula in formulas {
        solver.assert(formula).map_err(|e| Complaint::new("assert", e))?;
    }
    Ok(())
}

/// Checks the evidence of an answer to the question whether `asserted` and `assumed` hold together.
pub fn certify(
    terms: &Terms,
    asserted: &[TermId],
    assumed: &[TermId],
    answer: &Answer,
) -> Result<Verdict, Complaint> {
    match answer {
        Answer::Sat(model) => {
            let all = [asserted, assumed].concat();
            match check_model(terms, model, &all) {
                Ok(()) => Ok(Verdict::Sat),
                Err(e) => Err(Complaint::new("model", format!("{e}\n{}", print::model(terms, model)))),
            }
        }
        Answer::Unsat(refutation) => {
            if let Some(stranger) = refutation.assumptions.iter().find(|a| !assumed.contains(a)) {
                let text = print::brief(terms, *stranger);
                return Err(Complaint::new("core", format!("{text} was not assumed")));
            }
            let Some(proof) = &refutation.proof else {
                return Err(Complaint::new("proof", "the solver keeps proofs but has none"));
            };
            match check_proof(terms, asserted, &refutation.assumptions, proof) {
                Ok(()) => Ok(Verdict::Unsat),
                Err(e) => Err(Complaint::new("proof", e)),
            }
        }
        Answer::Unknown(_) => Ok(Verdict::Unknown),
    }
}

/// The certified answer of a fresh solver.
pub fn fresh(terms: &Terms, formulas: &[TermId], effort: &Effort) -> Result<Verdict, Complaint> {
    let mut solver = new_solver(terms, effort);
    assert_all(&mut solver, formulas)?;
    let answer = solver.check();
    let verdict = certify(solver.terms(), formulas, &[], &answer)?;
    match answer {
        Answer::Unknown(Reason::Stopped(_)) if effort.may_stop => Ok(Verdict::Unknown),
        Answer::Unknown(reason) if effort.complete => Err(Complaint::new("unknown", reason)),
        _ => Ok(verdict),
    }
}

/// Every check there is: the evidence, enumeration, and the same question asked in other ways. The seed
/// chooses the second order.
pub fn check_problem(problem: &Problem, effort: &Effort, seed: u64) -> Result<Verdict, Complaint> {
    let verdict = fresh(&problem.terms, &problem.formulas, effort)?;
    if verdict == Verdict::Unsat {
        let Effort { cells, ints, brute_cap, .. } = effort;
        let found =
            decide_by_enumeration(&problem.terms, &problem.formulas, *cells, ints.clone(), *brute_cap);
        if let Brute::Sat(model) = found {
            let text = print::model(&problem.terms, &model);
            return Err(Complaint::new(
                "unsat",
                format!("refuted and certified, but this is a model:\n{text}"),
            ));
        }
    }
    metamorphic::check(problem, effort, verdict, seed)?;
    Ok(verdict)
}

/// [`check_problem`] on a script. A `:status` must be met; without one, `unknown` is no complaint.
pub fn check_text(text: &str) -> Result<Verdict, Complaint> {
    let mut terms = Terms::new();
    let script = read(text, &mut terms).map_err(|e| Complaint::new("read", e))?;
    let problem = Problem { terms, formulas: script.formulas() };
    let complete = script.status.is_some_and(|s| s != Status::Unknown);
    let verdict = check_problem(&problem, &Effort { complete, ..Effort::default() }, 1)?;
    match script.status.map(Verdict::from) {
        Some(expected) if expected != verdict => {
            Err(Complaint::new("status", format!("expected {expected}, found {verdict}")))
        }
        _ => Ok(verdict),
    }
}

/// Runs a body and turns a panic into a complaint.
pub fn guarded<T>(body: impl FnOnce() -> Result<T, Complaint>) -> Result<T, Complaint> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Err(Complaint::new("panic", text.unwrap_or_else(|| "without a message".to_owned())))
    })
}

/// How long a failing case is tried again while it shrinks; one that hangs takes long each time.
pub(crate) const SHRINK_TIME: Duration = Duration::from_secs(40);

/// A smaller problem with the same kind of complaint, as a test to paste.
pub fn reproduce(problem: &Problem, effort: &Effort, seed: u64, complaint: &Complaint) -> String {
    let start = Instant::now();
    let same = |smaller: &Problem, effort: &Effort| {
        guarded(|| check_problem(smaller, effort, seed)).is_err_and(|c| c.stage == complaint.stage)
    };
    // A hang shrinks ten times as fast with a tenth of the patience.
    let impatient = Effort { steps: effort.steps / 10, ..effort.clone() };
    let effort = if same(problem, &impatient) { &impatient } else { effort };
    let fails = |terms: &Terms, formulas: &[TermId]| {
        let smaller = Problem { terms: terms.clone(), formulas: formulas.to_vec() };
        start.elapsed() < SHRINK_TIME && same(&smaller, effort)
    };
    let mut terms = problem.terms.clone();
    // A changed quantifier may leave the fragment, and then `unknown` is right; so only delete.
    let quantified = problem.formulas.iter().any(|&f| !terms.is_quantifier_free(f));
    let formulas = if quantified && matches!(complaint.stage, "unknown" | "one by one" | "named") {
        shrink_list(&problem.formulas, |formulas| fails(&terms, formulas))
    } else {
        shrink(&mut terms, &problem.formulas, fails)
    };
    as_test::rust_test("reproduced", &terms, &formulas, None)
}
