//! The primitives under a random driver, and the proof log.

use super::*;
use crate::sat::Outcome;
use crate::sat::cnf::Cnf;
use crate::sat::proof::rup;
use crate::util::limits::Budget;
use crate::util::rng::Rng;

fn random_clause(rng: &mut Rng, vars: usize, width: usize) -> Vec<Lit> {
    (0..width).map(|_| Lit::new(Var(rng.below(vars) as u32), rng.one_in(2))).collect()
}

/// A clause most of whose literals are false now: the kind a theory adds.
fn hostile_clause(cdcl: &Cdcl, rng: &mut Rng) -> Vec<Lit> {
    let mut clause = random_clause(rng, cdcl.num_vars(), 1);
    for _ in 0..1 + rng.below(4) {
        if let [first, ..] = cdcl.trail() {
            let lit = cdcl.trail().get(rng.below(cdcl.trail().len())).unwrap_or(first);
            clause.push(if rng.one_in(8) { *lit } else { !*lit });
        }
    }
    if rng.one_in(2) {
        clause.swap_remove(0);
    }
    clause
}

/// Decides, propagates, adds clauses and backtracks at random; returns the clauses added. With `hidden`,
/// all of them hold in one model, so that the drive does not end early.
fn drive(seed: u64, vars: usize, steps: usize, hidden: bool) -> (Cdcl, Vec<Vec<Lit>>) {
    let mut rng = Rng::new(seed);
    // Small limits make forgetting and sweeping happen.
    let eager = Config { first_reduce: 10, more_reduce: 2, sweep_price: 0, ..Config::default() };
    let mut cdcl = Cdcl::new(eager);
    if seed % 2 == 1 {
        cdcl.decide_on_demand();
    }
    cdcl.log_proof();
    (0..vars).for_each(|_| _ = cdcl.new_var());
    let mut clauses = Vec::new();
    let mut mirror: Vec<Lit> = Vec::new();
    for _ in 0..steps {
        match rng.below(10) {
            0..4 => {
                if let Some(conflict) = cdcl.propagate() {
                    assert!(cdcl.clause(conflict).all(|lit| cdcl.value(lit) == Some(false)));
                    // A forgotten conflict must come back.
                    if !rng.one_in(10) {
                        cdcl.resolve(conflict);
                    }
                }
            }
            4..7 => {
                let lit = Lit::new(Var(rng.below(vars) as u32), rng.one_in(2));
                if cdcl.is_propagated() && cdcl.value(lit) != Some(false) {
                    cdcl.decide(lit);
                }
            }
            7 if hidden && !rng.one_in(8) => {}
            7 => cdcl.backtrack_to(rng.below(cdcl.level() as usize + 1) as u32),
            8 | 9 if hidden && clauses.len() > 4 * vars && !rng.one_in(15) => {}
            8 if rng.one_in(6) => _ = cdcl.take_lowest_level(),
            8 if !hidden && rng.one_in(4) => cdcl.set_phase(Var(rng.below(vars) as u32), rng.one_in(2)),
            _ => {
                let width = 2 + rng.below(3);
                let mut clause = if rng.one_in(2) && cdcl.level() > 0 {
                    hostile_clause(&cdcl, &mut rng)
                } else {
                    random_clause(&mut rng, vars, width)
                };
                if hidden && (clause.len() < 3 || clause.iter().all(|lit| !lit.is_positive())) {
                    clause.push(Var(rng.below(vars) as u32).positive());
                }
                if clause.len() > usize::from(!rng.one_in(20)) {
                    match clause[..] {
                        [head, ref rest @ ..] if rng.one_in(3) => {
                            cdcl.add_definition(!head, rest, clauses.len() as u32);
                        }
                        _ => _ = cdcl.add_clause(&clause, clauses.len() as u32),
                    }
                    clauses.push(clause);
                }
            }
        }
        cdcl.check_invariants();
        mirror.truncate(cdcl.take_shortest_trail());
        mirror.extend_from_slice(&cdcl.trail()[mirror.len()..]);
        assert_eq!(mirror, cdcl.trail(), "the mirror follows");
        if !cdcl.ok() {
            break;
        }
    }
    (cdcl, clauses)
}

fn brute_force(vars: usize, clauses: &[Vec<Lit>]) -> bool {
    let cnf = Cnf { vars: vars as u32, clauses: clauses.to_vec() };
    (0..1u32 << vars).any(|bits| cnf.holds(|lit| (bits >> lit.var().0 & 1 != 0) == lit.is_positive()))
}

#[test]
fn a_random_driver_keeps_the_invariants() {
    let mut refuted = 0;
    for seed in 0..1500 {
        let vars = 4 + seed as usize % 7;
        let (mut cdcl, clauses) = drive(seed, vars, 150, false);
        refuted += u32::from(!cdcl.ok());
        let outcome = cdcl.solve(&[], &mut Budget::unlimited()).unwrap();
        assert_eq!(outcome == Outcome::Sat, brute_force(vars, &clauses), "seed {seed}");
        if outcome == Outcome::Sat {
            let cnf = Cnf { vars: vars as u32, clauses };
            assert!(cnf.holds(|lit| cdcl.model_value(lit) == Some(true)), "seed {seed}");
        }
        let last: Option<&[Lit]> = (outcome == Outcome::Unsat).then_some(&[]);
        rup::check(cdcl.proof(), last);
        if outcome == Outcome::Unsat {
            assert!(cdcl.proof().iter().any(|step| step.lits().is_empty()), "the log has the empty clause");
        }
    }
    assert!(refuted > 100 && refuted < 1400, "both answers are tried: {refuted}");
}

#[test]
fn larger_drives_forget_and_sweep() {
    let mut total = Counters::default();
    for seed in 0..60 {
        let (mut cdcl, clauses) = drive(seed, 60, 3000, true);
        total.forgotten += cdcl.stats.forgotten;
        total.sweeps += cdcl.stats.sweeps;
        let outcome = cdcl.solve(&[], &mut Budget::unlimited()).unwrap();
        cdcl.check_invariants();
        let mut fresh = Cdcl::default();
        (0..60).for_each(|_| _ = fresh.new_var());
        clauses.iter().for_each(|clause| _ = fresh.add_clause(clause, 0));
        assert_eq!(fresh.solve(&[], &mut Budget::unlimited()), Ok(outcome), "seed {seed}");
    }
    assert!(total.forgotten > 100 && total.sweeps > 100, "{total:?}");
}

fn load(cnf: &Cnf, config: Config) -> Cdcl {
    let mut cdcl = Cdcl::new(config);
    cdcl.log_proof();
    (0..cnf.vars).for_each(|_| _ = cdcl.new_var());
    for (tag, clause) in cnf.clauses.iter().enumerate() {
        cdcl.add_clause(clause, tag as u32);
    }
    cdcl
}

#[test]
fn proofs_of_queries_are_rup() {
    let mut rng = Rng::new(3);
    for restart in [u32::MAX, 4, 64] {
        for _ in 0..8 {
            let cnf = Cnf::random(40, 160, 3, &mut rng);
            let mut cdcl = load(&cnf, Config { restart, phase: true, first_reduce: 20, ..Config::default() });
            for _ in 0..15 {
                let count = rng.below(12);
                let assumptions = random_clause(&mut rng, 40, count);
                if cdcl.solve(&assumptions, &mut Budget::unlimited()) == Ok(Outcome::Unsat) {
                    let last: Vec<Lit> = cdcl.core().iter().map(|&lit| !lit).collect();
                    rup::check(cdcl.proof(), Some(&last));
                }
                cdcl.check_invariants();
            }
        }
    }
    let mut holes = load(&Cnf::pigeonhole(6, 5), Config { first_reduce: 50, ..Config::default() });
    assert_eq!(holes.solve(&[], &mut Budget::unlimited()), Ok(Outcome::Unsat));
    rup::check(holes.proof(), Some(&[]));
    assert!(matches!(holes.proof()[0], ProofStep::Input { tag: 0, .. }));
}

#[test]
fn shared_assumptions_keep_their_levels() {
    let mut cdcl = Cdcl::default();
    let v: Vec<Lit> = (0..6).map(|_| cdcl.new_var().positive()).collect();
    cdcl.add_clause(&[!v[0], !v[1], v[2]], 0);
    cdcl.solve(&[v[0], v[1], v[2], v[3]], &mut Budget::unlimited()).unwrap();
    let before = cdcl.stats;
    cdcl.take_lowest_level();
    cdcl.solve(&[v[0], v[1], v[2], !v[4]], &mut Budget::unlimited()).unwrap();
    assert_eq!(cdcl.take_lowest_level(), 3);
    assert!(cdcl.stats.decisions - before.decisions <= 3);
    assert_eq!((cdcl.decision_of(3), cdcl.level_of(v[2].var())), (v[2], 2));
    assert_eq!(cdcl.trail_len_at_level(2), 3);
}

#[test]
fn decisions_can_come_from_outside() {
    let mut cdcl = Cdcl::default();
    let v: Vec<Lit> = (0..8).map(|_| cdcl.new_var().positive()).collect();
    cdcl.add_clause(&[!v[0], !v[7]], 0);
    let mut highest = |cdcl: &Cdcl| v.iter().rev().copied().find(|&lit| cdcl.value(lit).is_none());
    assert_eq!(cdcl.solve_with(&[], &mut highest, &mut Budget::unlimited()), Ok(Outcome::Sat));
    assert_eq!(cdcl.model_value(v[0]), Some(false));
    assert!(v[1..].iter().all(|&lit| cdcl.model_value(lit) == Some(true)));
}

#[test]
fn failed_cores_name_decisions() {
    let mut cdcl = Cdcl::default();
    let v: Vec<Lit> = (0..5).map(|_| cdcl.new_var().positive()).collect();
    cdcl.add_clause(&[!v[0], !v[2], v[3]], 0);
    cdcl.add_clause(&[!v[3], !v[4]], 0);
    for lit in [v[0], v[1], v[2]] {
        cdcl.decide(lit);
        assert_eq!(cdcl.propagate(), None);
    }
    let mut core = cdcl.failed_core(v[4]);
    core.sort();
    assert_eq!(core, [v[0], v[2], v[4]]);
    cdcl.add_clause(&[!v[1]], 0);
    assert_eq!((cdcl.level(), cdcl.propagate()), (0, None));
    assert_eq!(cdcl.failed_core(v[1]), [v[1]]);
    assert_eq!(cdcl.level0(v[1]), Some(false));
}

/// Queries under assumptions, clauses between them: on demand every answer is as when all is decided, every
/// model is one, and what no clause needs is not decided.
#[test]
fn deciding_on_demand_answers_alike_and_decides_less() {
    let mut spared = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let vars = 6 + rng.below(30);
        let [mut full, mut lazy] = [Cdcl::default(), Cdcl::default()];
        lazy.decide_on_demand();
        for cdcl in [&mut full, &mut lazy] {
            (0..vars).for_each(|_| _ = cdcl.new_var());
        }
        let mut clauses = Vec::new();
        for _ in 0..30 {
            for _ in 0..rng.below(8) {
                let width = 1 + rng.below(4);
                // Mostly Horn, as lemmas are.
                let mut clause = random_clause(&mut rng, vars, width);
                clause.push(Var(rng.below(vars) as u32).negative());
                full.add_clause(&clause, 0);
                lazy.add_clause(&clause, 0);
                clauses.push(clause);
            }
            if rng.one_in(5) {
                lazy.set_phase(Var(rng.below(vars) as u32), rng.one_in(2));
            }
            let n = rng.below(5);
            let assumptions = random_clause(&mut rng, vars, n);
            let mut budget = Budget::unlimited();
            let expected = full.solve(&assumptions, &mut budget).unwrap();
            assert_eq!(lazy.solve(&assumptions, &mut budget).unwrap(), expected, "seed {seed}");
            lazy.check_invariants();
            if expected == Outcome::Sat {
                spared += full.trail().len() - lazy.trail().len().min(full.trail().len());
                let cnf = Cnf { vars: vars as u32, clauses: clauses.clone() };
                assert!(cnf.holds(|lit| lazy.model_value(lit) == Some(true)), "seed {seed}");
                assert!(assumptions.iter().all(|&lit| lazy.model_value(lit) == Some(true)), "seed {seed}");
            } else {
                assert!(lazy.core().iter().all(|lit| assumptions.contains(lit)));
                let core = lazy.core().to_vec();
                assert_eq!(full.solve(&core, &mut budget).unwrap(), Outcome::Unsat, "seed {seed}");
            }
        }
    }
    assert!(spared > 50_000, "most of the variables are left open: {spared}");
}
