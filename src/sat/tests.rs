//! Every back end against truth tables, against each other, and under interruption.

use super::cdcl::Cdcl;
use super::cnf::Cnf;
use super::*;
use crate::util::limits::{CancelToken, Limits};
use crate::util::rng::Rng;

fn lits(numbers: &[i64]) -> Vec<Lit> {
    numbers.iter().map(|&n| Lit::from_dimacs(n)).collect()
}

/// The models of a growing clause set over 12 variables, one bit each.
struct Table(Vec<u64>);

impl Table {
    const VARS: u32 = 12;

    fn new() -> Table {
        Table(vec![!0; 1 << (Table::VARS - 6)])
    }

    fn row(lit: Lit, word: usize) -> u64 {
        const LOW: [u64; 6] = [
            0xAAAA_AAAA_AAAA_AAAA,
            0xCCCC_CCCC_CCCC_CCCC,
            0xF0F0_F0F0_F0F0_F0F0,
            0xFF00_FF00_FF00_FF00,
            0xFFFF_0000_FFFF_0000,
            0xFFFF_FFFF_0000_0000,
        ];
        let var = lit.var().index();
        let bits = if var < 6 { LOW[var] } else { 0u64.wrapping_sub((word >> (var - 6) & 1) as u64) };
        if lit.is_positive() { bits } else { !bits }
    }

    fn add(&mut self, clause: &[Lit]) {
        for (word, models) in self.0.iter_mut().enumerate() {
            *models &= clause.iter().fold(0, |any, &lit| any | Table::row(lit, word));
        }
    }

    fn sat(&self, assumptions: &[Lit]) -> bool {
        let rows = |word| assumptions.iter().fold(!0, |all, &lit| all & Table::row(lit, word));
        self.0.iter().enumerate().any(|(word, models)| models & rows(word) != 0)
    }
}

fn random_lits(rng: &mut Rng, vars: usize, count: usize) -> Vec<Lit> {
    (0..count).map(|_| Lit::new(Var(rng.below(vars) as u32), rng.one_in(2))).collect()
}

fn assert_model(solver: &Solver, clauses: &[Vec<Lit>], assumptions: &[Lit]) {
    let holds = |lit: &Lit| solver.value(*lit) == Some(true);
    assert!(clauses.iter().all(|clause| clause.iter().any(holds)), "the model satisfies the clauses");
    assert!(assumptions.iter().all(holds), "the model satisfies the assumptions");
}

/// A random incremental script on one back end, each answer compared with the table.
fn script(backend: Backend, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut solver, mut table, mut clauses) = (Solver::new(backend), Table::new(), Vec::new());
    let mut budget = Budget::unlimited();
    let (mut vars, mut active) = (1 + rng.below(6), Vec::new());
    (0..vars).for_each(|_| _ = solver.new_var());
    for _ in 0..5 + rng.below(40) {
        if vars < Table::VARS as usize && rng.one_in(3) {
            // Half of the new variables guard a temporary clause.
            let guard = solver.new_var().positive();
            if rng.one_in(2) {
                let mut clause = random_lits(&mut rng, vars, 2);
                clause.push(!guard);
                clauses.push(clause);
                active.push(guard);
            }
            vars += 1;
        }
        for _ in 0..rng.below(4) {
            let width = [0, 1, 2, 2, 3, 3, 3, 4, 5][rng.below(9)];
            if width > 0 || rng.one_in(10) {
                clauses.push(random_lits(&mut rng, vars, width));
            }
        }
        if !active.is_empty() && rng.one_in(4) {
            clauses.push(vec![!active.swap_remove(rng.below(active.len()))]);
        }
        for clause in &clauses {
            table.add(clause);
        }
        for clause in clauses.drain(..) {
            solver.add_clause(&clause);
        }
        let mut assumptions = active.clone();
        let count = rng.below(6);
        assumptions.extend(random_lits(&mut rng, vars, count));
        let outcome = solver.solve(&assumptions, &mut budget).unwrap();
        assert_eq!(outcome == Outcome::Sat, table.sat(&assumptions), "{backend:?} seed {seed}");
        if outcome == Outcome::Unsat {
            check_core(&mut solver, &table, &assumptions, rng.one_in(2));
        } else {
            let point: Vec<Lit> = (0..vars as u32)
                .map(|v| Lit::new(Var(v), solver.value(Var(v).positive()).unwrap()))
                .collect();
            assert!(table.sat(&point) && assumptions.iter().all(|lit| point.contains(lit)), "seed {seed}");
        }
        for lit in (0..vars as u32).map(|v| Var(v).positive()) {
            match solver.level0(lit) {
                Some(value) => assert!(!table.sat(&[if value { !lit } else { lit }]), "seed {seed}"),
                None => assert!(solver.value(lit).is_some() || outcome == Outcome::Unsat),
            }
        }
    }
}

fn check_core(solver: &mut Solver, table: &Table, assumptions: &[Lit], minimise: bool) {
    let check = |core: &[Lit]| {
        assert!(core.iter().all(|lit| assumptions.contains(lit)), "cores are subsets");
        assert!(!table.sat(core), "cores have no model");
    };
    check(solver.core());
    if minimise {
        solver.minimise_core(&mut Budget::unlimited()).unwrap();
        check(solver.core());
        for at in 0..solver.core().len() {
            let mut rest = solver.core().to_vec();
            rest.remove(at);
            assert!(table.sat(&rest), "a minimal core needs every literal");
        }
    }
}

#[test]
fn scripts_agree_with_truth_tables() {
    for &backend in Backend::ALL {
        let scripts = if backend == Backend::Own { 4000 } else { 500 };
        (0..scripts).for_each(|seed| script(backend, seed));
    }
}

#[test]
fn back_ends_agree_on_larger_scripts() {
    for seed in 0..60 {
        let mut rng = Rng::new(1000 + seed);
        let vars = 30 + rng.below(31);
        let mut solvers: Vec<Solver> = Backend::ALL.iter().map(|&b| Solver::new(b)).collect();
        solvers.iter_mut().for_each(|s| (0..vars).for_each(|_| _ = s.new_var()));
        let mut clauses = Vec::new();
        for _ in 0..40 {
            for _ in 0..rng.below(vars / 4) {
                let clause = random_lits(&mut rng, vars, 3);
                solvers.iter_mut().for_each(|s| s.add_clause(&clause));
                clauses.push(clause);
            }
            let count = rng.below(10);
            let assumptions = random_lits(&mut rng, vars, count);
            let mut outcomes = Vec::new();
            for solver in &mut solvers {
                let outcome = solver.solve(&assumptions, &mut Budget::unlimited()).unwrap();
                match outcome {
                    Outcome::Sat => assert_model(solver, &clauses, &assumptions),
                    Outcome::Unsat => {
                        let mut fresh = Solver::new(Backend::Own);
                        (0..vars).for_each(|_| _ = fresh.new_var());
                        clauses.iter().for_each(|c| fresh.add_clause(c));
                        let again = fresh.solve(solver.core(), &mut Budget::unlimited());
                        assert_eq!(again, Ok(Outcome::Unsat), "seed {seed}");
                    }
                }
                outcomes.push(outcome);
            }
            assert!(outcomes.iter().all(|&o| o == outcomes[0]), "seed {seed}");
        }
    }
}

/// The script of varisat's wrong core through the common interface; see `varisat` for one that provokes it.
#[test]
fn cores_are_right_after_a_core_of_length_one() {
    for &backend in Backend::ALL {
        let mut solver = Solver::new(backend);
        let ask = |solver: &mut Solver, numbers: &[i64]| {
            solver.solve(&lits(numbers), &mut Budget::unlimited()).unwrap()
        };
        (0..4).for_each(|_| _ = solver.new_var());
        solver.add_clause(&lits(&[-3]));
        assert_eq!(ask(&mut solver, &[3]), Outcome::Unsat);
        assert_eq!(solver.core(), lits(&[3]));
        solver.add_clause(&lits(&[3, -2, 4]));
        assert_eq!(ask(&mut solver, &[]), Outcome::Sat);
        assert_eq!(ask(&mut solver, &[2, 1, -4]), Outcome::Unsat);
        let mut core = solver.core().to_vec();
        core.sort();
        assert_eq!(core, lits(&[2, -4]));
        assert_eq!(ask(&mut solver, &core.iter().map(|l| l.to_dimacs()).collect::<Vec<_>>()), Outcome::Unsat);
    }
}

fn load(backend: Backend, cnf: &Cnf) -> Solver {
    let mut solver = Solver::new(backend);
    (0..cnf.vars).for_each(|_| _ = solver.new_var());
    cnf.clauses.iter().for_each(|clause| solver.add_clause(clause));
    solver
}

#[test]
fn pigeons_need_holes() {
    for &backend in Backend::ALL {
        let mut solver = load(backend, &Cnf::pigeonhole(7, 6));
        assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Outcome::Unsat));
        assert!(solver.core().is_empty());
        assert_eq!(solver.solve(&lits(&[1]), &mut Budget::unlimited()), Ok(Outcome::Unsat));
        let fits = Cnf::pigeonhole(6, 6);
        let mut solver = load(backend, &fits);
        assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Outcome::Sat));
        assert_model(&solver, &fits.clauses, &[]);
        assert!(solver.memory_bytes() > 0);
    }
}

#[test]
fn a_stopped_query_leaves_the_solver_usable() {
    for &backend in Backend::ALL {
        let mut solver = load(backend, &Cnf::pigeonhole(9, 8));
        let hard = solver.new_var().positive();
        let limits = Limits { steps: Some(20_000), ..Limits::default() };
        assert_eq!(solver.solve(&[hard], &mut Budget::new(&limits)), Err(Stop::Steps), "{backend:?}");
        assert!(solver.core().is_empty() && solver.value(hard).is_none());
        let token = CancelToken::new();
        token.cancel();
        let cancelled = Limits { cancel: Some(token), ..Limits::default() };
        assert_eq!(solver.solve(&[], &mut Budget::new(&cancelled)), Err(Stop::Cancelled));
        // Pigeon 0 alone in no hole is an easy contradiction.
        let nowhere: Vec<Lit> = (0..8).map(|hole| Var(hole).negative()).collect();
        assert_eq!(solver.solve(&nowhere, &mut Budget::unlimited()), Ok(Outcome::Unsat));
        assert_eq!(solver.core().len(), 8);
        let mut spent = Budget::new(&Limits { steps: Some(1), ..Limits::default() });
        assert!(solver.minimise_core(&mut spent).is_err());
        assert_eq!(solver.core().len(), 8, "a stopped minimisation keeps a core");
    }
}

#[test]
fn deadline_stops_a_hard_query() {
    for &backend in Backend::ALL {
        let mut solver = load(backend, &Cnf::pigeonhole(13, 12));
        let limits = Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() };
        assert_eq!(solver.solve(&[], &mut Budget::new(&limits)), Err(Stop::Deadline));
    }
}

#[test]
fn equal_scripts_do_equal_work() {
    let run = || {
        let mut rng = Rng::new(5);
        let cnf = Cnf::random(120, 500, 3, &mut rng);
        let mut cdcl = Cdcl::default();
        (0..cnf.vars).for_each(|_| _ = cdcl.new_var());
        cnf.clauses.iter().for_each(|clause| _ = cdcl.add_clause(clause, 0));
        let mut log = Vec::new();
        for _ in 0..50 {
            let assumptions = random_lits(&mut rng, 120, 5);
            log.push((cdcl.solve(&assumptions, &mut Budget::unlimited()), cdcl.core().to_vec()));
        }
        (cdcl.stats, log)
    };
    assert_eq!(run(), run());
}
