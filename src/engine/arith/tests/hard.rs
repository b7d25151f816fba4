//! Single cases: unbounded systems without integer solutions, larger systems, the small methods.

use super::brute::{random_constraint, satisfies, ten_to, within};
use super::replay::{Inequality, refute, replay};
use crate::engine::arith::{
    Arith, ArithVar, Constraint, IntegerAnswer, IntegerCheck, Premise, Relation, solve_integers,
};
use crate::util::limits::{Budget, Limits, Stop};
use crate::util::num::{Int, Rat};
use crate::util::rng::Rng;

fn constraint(coeffs: &[i64], relation: Relation, bound: i64) -> Constraint {
    let terms = coeffs.iter().enumerate().map(|(v, &c)| (Int::from(c), ArithVar(v as u32))).collect();
    Constraint { terms, relation, bound: Int::from(bound) }
}

/// Refutes within `nodes` splits and cuts, and replays.
fn refuted(constraints: &[Constraint], nodes: usize) {
    match solve_integers(constraints, nodes, &mut Budget::unlimited()).unwrap() {
        IntegerAnswer::Infeasible(steps) => refute(constraints, &steps, &mut |_, _| ()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn unbounded_equations_without_solution() {
    use Relation::{Eq, Ge, Le};
    refuted(&[constraint(&[3, -3], Eq, 1)], 0);
    refuted(&[constraint(&[2, 4], Eq, 7)], 0);
    refuted(&[constraint(&[6, 10, 15], Eq, 1), constraint(&[2, 0, 0], Eq, 3)], 0);
    // No single row fails a gcd test here: half the sum of the equations is integral on the left only.
    refuted(&[constraint(&[2, 0, 1], Eq, 0), constraint(&[0, 2, 1], Eq, 1)], 0);
    refuted(
        &[constraint(&[1, 1, 0], Eq, 1), constraint(&[0, 1, 1], Eq, 1), constraint(&[1, 0, 1], Eq, 1)],
        0,
    );
    // A fixed unknown joins the equations.
    refuted(&[constraint(&[3, 3, 1], Eq, 0), constraint(&[0, 0, 1], Eq, 1)], 0);
    // Two inequalities that are one equation, stated in opposite directions and over one form.
    refuted(&[constraint(&[3, -3], Le, 1), constraint(&[3, -3], Ge, 1)], 0);
    refuted(&[constraint(&[3, -3], Le, 1), constraint(&[-3, 3], Le, -1)], 10);
    refuted(&[constraint(&[4, -2], Ge, 1), constraint(&[4, -2], Le, 1)], 0);
    // A strip without integral points.
    refuted(&[constraint(&[3, -3], Le, 2), constraint(&[3, -3], Ge, 1)], 10);
}

#[test]
fn unbounded_equations_with_solutions() {
    use Relation::{Eq, Ge};
    for constraints in [
        vec![constraint(&[2, -3], Eq, 1)],
        vec![constraint(&[17, -23], Eq, 1)],
        vec![constraint(&[6, 10, 15], Eq, 1)],
        vec![constraint(&[1_000_000_007, -998_244_353, 0], Eq, 1), constraint(&[30, 42, 70], Ge, 1001)],
        vec![constraint(&[1_000_000_007, -998_244_353, 65_537], Eq, 1), constraint(&[1, 0, 0], Ge, 12345)],
        vec![constraint(&[5, -7, 0], Eq, 3), constraint(&[0, 3, -4], Eq, 1), constraint(&[1, 0, 0], Ge, 50)],
    ] {
        match solve_integers(&constraints, 1000, &mut Budget::unlimited()).unwrap() {
            IntegerAnswer::Feasible(values) => assert!(constraints.iter().all(|c| satisfies(c, &values))),
            other => panic!("{constraints:?}: {other:?}"),
        }
    }
}

#[test]
fn large_equations_without_solution() {
    let big = ten_to(30);
    let terms = vec![(&big * Int::from(6), ArithVar(0)), (&big * Int::from(-4), ArithVar(1))];
    let bound = &big * Int::from(3);
    refuted(&[Constraint { terms, relation: Relation::Eq, bound }], 0);
}

/// A degenerate system with more rows than unknowns, most of whose bounds are 0.
fn dense(seed: u64, mut arith: Arith, budget: &mut Budget) -> Result<(Arith, Vec<Premise>, bool), Stop> {
    let mut rng = Rng::new(seed);
    let size = 16;
    let unknowns: Vec<ArithVar> = (0..size).map(|_| arith.new_var()).collect();
    let mut asserted = Vec::new();
    for reason in 0..2 * size {
        let mut terms: Vec<_> = unknowns.iter().map(|&v| (within(&mut rng, -5, 5), v)).collect();
        terms.retain(|_| rng.below(4) == 0);
        let var = arith.linear(&terms);
        let bound = if rng.one_in(5) { within(&mut rng, -5, -1) } else { Int::ZERO };
        asserted.push(Premise { reason, upper: true, var, bound: bound.clone() });
        if arith.assert_upper(var, &bound, reason).is_err() {
            break;
        }
    }
    let feasible = match arith.check(budget)? {
        Ok(()) => true,
        Err(conflict) => {
            let meaning = |p: &Premise| {
                assert!(asserted.contains(p));
                let unknown = [(Int::ONE, p.var)];
                Inequality::new(arith.definition(p.var).unwrap_or(&unknown), p.upper, &p.bound)
            };
            assert!(replay(&conflict.derivation, &meaning).is_contradiction());
            false
        }
    };
    Ok((arith, asserted, feasible))
}

#[test]
fn larger_systems() {
    let mut feasible = 0;
    for seed in 0..40 {
        let (arith, asserted, sat) = dense(seed, Arith::new(), &mut Budget::unlimited()).unwrap();
        assert!(arith.check_tableau());
        if sat {
            feasible += 1;
            assert!(asserted.iter().all(|p| *arith.value(p.var) <= Rat::from(&p.bound)));
        }
        assert!(arith.memory_bytes() > 0);
        let limits = Limits { steps: Some(20_000_000), ..Limits::default() };
        let impatient = Arith { bland_after: 0, ..Arith::new() };
        assert_eq!(dense(seed, impatient, &mut Budget::new(&limits)).unwrap().2, sat, "Bland's rule, {seed}");
    }
    assert!(feasible > 0 && feasible < 40, "{feasible} of 40 feasible");
}

#[test]
fn random_unbounded_systems() {
    let mut rng = Rng::new(11);
    let (mut feasible, mut infeasible, mut open) = (0, 0, 0);
    for _ in 0..600 {
        let n = 1 + rng.below(4);
        let constraints: Vec<_> = (0..1 + rng.below(5)).map(|_| random_constraint(&mut rng, n)).collect();
        match solve_integers(&constraints, 200, &mut Budget::unlimited()).unwrap() {
            IntegerAnswer::Feasible(values) => {
                assert!(constraints.iter().all(|c| satisfies(c, &values)));
                feasible += 1;
            }
            IntegerAnswer::Infeasible(steps) => {
                refute(&constraints, &steps, &mut |_, _| ());
                infeasible += 1;
            }
            IntegerAnswer::GaveUp => open += 1,
        }
    }
    assert!(feasible > 100 && infeasible > 100 && open == 0, "{feasible} {infeasible} {open}");
}

#[test]
fn steps_stop_a_check() {
    let mut budget = Budget::new(&Limits { steps: Some(40), ..Limits::default() });
    let stops =
        (0..20).filter(|&seed| dense(seed, Arith::new(), &mut budget).err() == Some(Stop::Steps)).count();
    assert!(stops > 0);
    let constraints = [constraint(&[6, 10, 15], Relation::Eq, 1)];
    assert_eq!(solve_integers(&constraints, 100, &mut budget), Err(Stop::Steps));
}

#[test]
fn forms_are_shared() {
    let mut arith = Arith::new();
    let (x, y) = (arith.new_var(), arith.new_var());
    let int = Int::from;
    let sum = arith.linear(&[(int(1), x), (int(2), y)]);
    assert_eq!(arith.linear(&[(int(2), y), (int(1), x), (int(0), x)]), sum);
    assert_eq!(arith.linear(&[(int(1), sum), (int(-2), y)]), x);
    assert_eq!(arith.linear(&[(int(1), y)]), y);
    let zero = arith.linear(&[(int(1), x), (int(-1), x)]);
    assert_eq!(arith.linear(&[]), zero);
    let budget = &mut Budget::unlimited();
    arith.push();
    arith.assert_upper(zero, &int(-1), 5).unwrap();
    assert_eq!(arith.check(budget).unwrap().unwrap_err().reasons(), [5]);
    arith.pop(1);
    assert_eq!(arith.check(budget), Ok(Ok(())));
    assert_eq!(arith.check_integer(budget), Ok(IntegerCheck::Integral));
}

#[test]
fn fixed_and_equal_values() {
    let mut arith = Arith::new();
    let v: Vec<ArithVar> = (0..5).map(|_| arith.new_var()).collect();
    let int = Int::from;
    arith.assert_lower(v[1], &int(3), 0).unwrap();
    arith.assert_upper(v[1], &int(3), 1).unwrap();
    arith.assert_lower(v[3], &int(3), 2).unwrap();
    arith.assert_upper(v[4], &int(-2), 3).unwrap();
    assert_eq!(arith.check(&mut Budget::unlimited()), Ok(Ok(())));
    assert_eq!((arith.fixed_value(v[1]), arith.fixed_value(v[3])), (Some(&int(3)), None));
    assert_eq!(arith.bound(v[1], true).map(|p| p.reason), Some(1));
    assert_eq!(arith.bound(v[3], true), None);
    assert_eq!(arith.equal_values(&v), [(v[0], v[2]), (v[1], v[3])]);
    assert_eq!(arith.equal_values(&[v[3], v[3], v[1]]), [(v[3], v[1])]);
    let conflict = arith.assert_upper(v[3], &int(2), 9).unwrap_err();
    assert_eq!(conflict.reasons(), [2, 9]);
}

/// Bounds carried from form to form, with rounding on the way: branching alone would walk through thousands
/// of values.
#[test]
fn bounds_are_carried_through_large_coefficients() {
    use Relation::{Eq, Ge, Le};
    let chain = [
        constraint(&[187, -522, -1, 0], Eq, 466),
        constraint(&[1, 0, 0, -921], Ge, -123),
        constraint(&[0, 0, 620, -1], Eq, 724),
        constraint(&[1, 0, 0, 0], Le, 297_121),
        constraint(&[0, 0, 0, 1], Ge, 1),
    ];
    refuted(&chain, 4);
    let mut turned = chain.to_vec();
    for _ in 0..chain.len() {
        turned.rotate_left(1);
        refuted(&turned, 4);
    }
    // The content of a form counts: 6x - 4y is even, so at least 2 if it is positive.
    refuted(&[constraint(&[6, -4], Ge, 1), constraint(&[1, 0], Le, 0), constraint(&[0, 1], Ge, 0)], 4);
}

/// Derived bounds hold at every solution: systems around a hidden point stay feasible, and what is refuted has
/// no solution in the box.
#[test]
fn carried_bounds_against_enumeration() {
    let mut rng = Rng::new(11);
    for round in 0..300 {
        let mut constraints: Vec<Constraint> = (0..3)
            .flat_map(|v| {
                let unit: Vec<i64> = (0..3).map(|u| i64::from(u == v)).collect();
                [constraint(&unit, Relation::Ge, -6), constraint(&unit, Relation::Le, 6)]
            })
            .collect();
        for _ in 0..3 {
            let coeffs: Vec<i64> = (0..3).map(|_| rng.below(41) as i64 - 20).collect();
            let relation = [Relation::Eq, Relation::Le, Relation::Ge][rng.below(3)];
            constraints.push(constraint(&coeffs, relation, rng.below(61) as i64 - 30));
        }
        let points = (0..13i64.pow(3)).map(|p| [p % 13 - 6, p / 13 % 13 - 6, p / 169 - 6].map(Int::from));
        let holds = |point: &[Int]| constraints.iter().all(|c| satisfies(c, point));
        let feasible = points.into_iter().any(|point| holds(&point));
        match solve_integers(&constraints, 2000, &mut Budget::unlimited()).unwrap() {
            IntegerAnswer::Feasible(point) => assert!(holds(&point), "round {round}"),
            IntegerAnswer::Infeasible(steps) => {
                assert!(!feasible, "round {round}");
                refute(&constraints, &steps, &mut |_, _| ());
            }
            IntegerAnswer::GaveUp => panic!("round {round}: a box of {} points", 13 * 13 * 13),
        }
    }
}
