//! The same question asked in other ways: the answers must agree.
//!
//! Text and back, another order of assertions and of the children of `and` and `or`, cores solved again,
//! without proofs, one assertion after another with checks between them, and the same run twice.

use crate::engine::solver::{Answer, Config, Refutation, Solver};
use crate::frontend::smtlib::read;
use crate::logic::rewrite::{bottom_up, with_children};
use crate::logic::{Op, TermId, Terms, print};
use crate::testing::oracle::{Complaint, Effort, Verdict, assert_all, certify, fresh, new_solver};
use crate::testing::{Problem, as_test};
use crate::util::hash::Map;
use crate::util::rng::Rng;

/// Asks a problem whose verdict is known in every other way. The seed chooses the second order.
pub fn check(problem: &Problem, effort: &Effort, verdict: Verdict, seed: u64) -> Result<(), Complaint> {
    read_back(problem, effort, verdict)?;
    second_order(problem, effort, verdict, seed)?;
    named(problem, effort, verdict)?;
    without_proofs(problem, effort, verdict)?;
    one_by_one(problem, effort, verdict)?;
    same_twice(problem, effort)
}

/// Two answers to one question. `unknown` agrees with everything outside the complete fragments.
pub fn agree(
    stage: &'static str,
    effort: &Effort,
    expected: Verdict,
    found: Verdict,
) -> Result<(), Complaint> {
    let open = expected == Verdict::Unknown || found == Verdict::Unknown;
    if expected == found || (open && (effort.may_stop || !effort.complete)) {
        return Ok(());
    }
    Err(Complaint::new(stage, format!("expected {expected}, found {found}")))
}

fn reread(terms: &Terms, formulas: &[TermId]) -> Result<Problem, Complaint> {
    let text = as_test::script(terms, formulas, None);
    let mut terms = Terms::new();
    let script = read(&text, &mut terms).map_err(|e| Complaint::new("print", format!("{e}\n{text}")))?;
    Ok(Problem { terms, formulas: script.formulas() })
}

/// Printed and read, a problem has the same answer; read into its own store, it is itself.
fn read_back(problem: &Problem, effort: &Effort, verdict: Verdict) -> Result<(), Complaint> {
    same_formulas(&problem.terms, &problem.formulas)?;
    let again = reread(&problem.terms, &problem.formulas)?;
    agree("read back", effort, verdict, fresh(&again.terms, &again.formulas, effort)?)
}

/// In the store that it came from, each formula reads back as itself.
pub fn same_formulas(terms: &Terms, formulas: &[TermId]) -> Result<(), Complaint> {
    let mut store = terms.clone();
    for &formula in formulas {
        let text = format!("(assert {})", print::term(terms, formula));
        let script = read(&text, &mut store).map_err(|e| Complaint::new("print", format!("{e}\n{text}")))?;
        if script.formulas() != [formula] {
            let other = print::term(&store, script.formulas()[0]);
            return Err(Complaint::new("print", format!("{text}\nreads back as\n{other}")));
        }
    }
    Ok(())
}

/// Another order of assertions, and of the children of `and` and `or`.
fn second_order(problem: &Problem, effort: &Effort, verdict: Verdict, seed: u64) -> Result<(), Complaint> {
    let mut rng = Rng::new(seed ^ 0x5EC0_17D0);
    let mut terms = problem.terms.clone();
    let mut done = Map::default();
    let mut formulas: Vec<TermId> =
        problem.formulas.iter().map(|&f| shuffled(&mut terms, f, &mut rng, &mut done)).collect();
    rng.shuffle(&mut formulas);
    // Through text, so that the terms get new numbers as well.
    let other = reread(&terms, &formulas)?;
    agree("second order", effort, verdict, fresh(&other.terms, &other.formulas, effort)?)
}

/// The formula with the children of every `and` and `or` in random order.
pub fn shuffled(terms: &mut Terms, root: TermId, rng: &mut Rng, done: &mut Map<TermId, TermId>) -> TermId {
    bottom_up(terms, root, done, |terms, term, mut children| {
        if matches!(terms.op(term), Op::And | Op::Or) {
            rng.shuffle(&mut children);
        }
        with_children(terms, term, &children)
    })
}

/// Every assertion named: same answer; the core alone is contradictory, and no part of it is idle.
fn named(problem: &Problem, effort: &Effort, verdict: Verdict) -> Result<(), Complaint> {
    let mut solver = new_solver(&problem.terms, effort);
    for (i, &formula) in problem.formulas.iter().enumerate() {
        solver.assert_named(formula, &format!("a{i}")).map_err(|e| Complaint::new("assert", e))?;
    }
    let answer = solver.check();
    let found = certify(solver.terms(), &problem.formulas, &[], &answer)?;
    agree("named", effort, verdict, found)?;
    let Answer::Unsat(refutation) = answer else { return Ok(()) };
    let core = core_formulas(problem, &refutation)?;
    resolve_core(&problem.terms, &core, effort)
}

/// The same without proofs, as callers ask by default.
fn without_proofs(problem: &Problem, effort: &Effort, verdict: Verdict) -> Result<(), Complaint> {
    let mut solver = Solver::with_terms(Config::default(), problem.terms.clone());
    solver.set_limits(effort.limits());
    for (i, &formula) in problem.formulas.iter().enumerate() {
        solver.assert_named(formula, &format!("a{i}")).map_err(|e| Complaint::new("assert", e))?;
    }
    let answer = solver.check();
    let Answer::Unsat(refutation) = answer else {
        let found = certify(solver.terms(), &problem.formulas, &[], &answer)?;
        return agree("without proofs", effort, verdict, found);
    };
    agree("without proofs", effort, verdict, Verdict::Unsat)?;
    let core = core_formulas(problem, &refutation)?;
    agree("core without proofs", effort, Verdict::Unsat, fresh(&problem.terms, &core, effort)?)
}

fn core_formulas(problem: &Problem, refutation: &Refutation) -> Result<Vec<TermId>, Complaint> {
    let index = |name: &String| name.strip_prefix('a').and_then(|i| i.parse::<usize>().ok());
    let formula = |name: &String| {
        let found = index(name).and_then(|i| problem.formulas.get(i).copied());
        found.ok_or_else(|| Complaint::new("core", format!("{name}: nothing has this name")))
    };
    refutation.names.iter().map(formula).collect()
}

/// A core is contradictory, and minimal as far as the solver's budget for that goes.
pub fn resolve_core(terms: &Terms, core: &[TermId], effort: &Effort) -> Result<(), Complaint> {
    let found = fresh(terms, core, effort)?;
    if found == Verdict::Unknown && effort.may_stop {
        return Ok(());
    }
    if found != Verdict::Unsat {
        let texts: Vec<String> = core.iter().map(|&f| print::brief(terms, f)).collect();
        return Err(Complaint::new("core", format!("the core alone is {found}: {}", texts.join("; "))));
    }
    // Deletion has 20,000 steps for the whole core. What a fresh solver sees with a small share of them
    // deletion must have seen as well.
    let share = Effort { steps: 2_000 / (core.len() as u64 + 1), complete: false, ..effort.clone() };
    for i in 0..core.len() {
        let fewer: Vec<TermId> = [&core[..i], &core[i + 1..]].concat();
        if fresh(terms, &fewer, &share)? == Verdict::Unsat {
            let idle = print::brief(terms, core[i]);
            return Err(Complaint::new("minimal core", format!("unsat without {idle}")));
        }
    }
    Ok(())
}

/// Asserted one after another with a check after each; what is refuted stays refuted.
fn one_by_one(problem: &Problem, effort: &Effort, verdict: Verdict) -> Result<(), Complaint> {
    let mut solver = new_solver(&problem.terms, effort);
    let mut last = Verdict::Sat;
    for (i, &formula) in problem.formulas.iter().enumerate() {
        assert_all(&mut solver, &[formula])?;
        let answer = solver.check();
        let found = certify(solver.terms(), &problem.formulas[..=i], &[], &answer)?;
        if last == Verdict::Unsat && found != Verdict::Unsat {
            return Err(Complaint::new("one by one", format!("unsat, then {found} with more assertions")));
        }
        last = found;
    }
    agree("one by one", effort, verdict, last)
}

/// Everything that a run shows: answer, model or proof, counters.
fn transcript(solver: &mut Solver) -> String {
    let answer = solver.check();
    let evidence = match &answer {
        Answer::Sat(model) => print::model(solver.terms(), model),
        Answer::Unsat(refutation) => format!("{refutation:?}"),
        Answer::Unknown(reason) => reason.to_string(),
    };
    format!("{evidence}\n{:?}", solver.stats())
}

fn same_twice(problem: &Problem, effort: &Effort) -> Result<(), Complaint> {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let mut solver = new_solver(&problem.terms, effort);
        assert_all(&mut solver, &problem.formulas)?;
        runs.push(transcript(&mut solver));
    }
    if runs[0] != runs[1] {
        return Err(Complaint::new("determinism", format!("{}\nand then\n{}", runs[0], runs[1])));
    }
    Ok(())
}
