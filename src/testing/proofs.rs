//! The oracle for the proof checker: no change to a proof may make it prove what is not so.
//!
//! A real proof is changed and offered for the core of its problem with one assertion left out. What is
//! left has a model, so whatever is accepted is a bug of the checker.

use crate::certify::mutate::mutants;
use crate::certify::{check_model, check_proof};
use crate::engine::solver::Answer;
use crate::logic::TermId;
use crate::testing::oracle::{Complaint, Effort, Verdict, assert_all, new_solver};
use crate::testing::{Problem, formulas};
use crate::util::rng::Rng;

/// Changes the proof of a problem, if it has one, `count` times for each assertion of the core.
pub fn check_mutants(problem: &Problem, seed: u64, count: usize) -> Result<Verdict, Complaint> {
    let effort = Effort::default();
    let mut solver = new_solver(&problem.terms, &effort);
    for (i, &formula) in problem.formulas.iter().enumerate() {
        solver.assert_named(formula, &i.to_string()).map_err(|e| Complaint::new("assert", e))?;
    }
    let refutation = match solver.check() {
        Answer::Sat(_) => return Ok(Verdict::Sat),
        Answer::Unknown(_) => return Ok(Verdict::Unknown),
        Answer::Unsat(refutation) => refutation,
    };
    let proof = refutation.proof.ok_or_else(|| Complaint::new("proof", "there is none"))?;
    let core: Vec<TermId> = refutation
        .names
        .iter()
        .filter_map(|n| n.parse::<usize>().ok())
        .map(|i| problem.formulas[i])
        .collect();
    for left_out in 0..core.len() {
        let kept: Vec<TermId> = [&core[..left_out], &core[left_out + 1..]].concat();
        let mut other = new_solver(&problem.terms, &effort);
        assert_all(&mut other, &kept)?;
        let Answer::Sat(model) = other.check() else { continue };
        check_model(other.terms(), &model, &kept).map_err(|e| Complaint::new("model", e))?;
        let changed = mutants(solver.terms(), &proof, seed.wrapping_add(left_out as u64), count);
        for mutant in std::iter::once(&proof).chain(&changed) {
            if check_proof(solver.terms(), &kept, &[], mutant).is_ok() {
                let detail = format!("without assertion {left_out} of the core: {mutant:?}");
                return Err(Complaint::new("proof mutation", detail));
            }
        }
    }
    Ok(Verdict::Unsat)
}

/// A problem of a random kind.
pub fn random_problem(seed: u64) -> Problem {
    let mut rng = Rng::new(seed);
    let all = formulas::all();
    let (_, generator) = rng.pick(&all);
    generator.generate(rng.next_u64())
}
