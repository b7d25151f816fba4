//! Random systems in small boxes against enumeration, with small and with very large numbers.

use super::replay::{Inequality, refute};
use crate::engine::arith::{ArithVar, Constraint, IntegerAnswer, Relation, solve_integers};
use crate::util::limits::Budget;
use crate::util::num::Int;
use crate::util::rng::Rng;

pub fn ten_to(exponent: usize) -> Int {
    format!("1{}", "0".repeat(exponent)).parse().unwrap()
}

pub fn within(rng: &mut Rng, low: i64, high: i64) -> Int {
    Int::from(low + rng.below((high - low + 1) as usize) as i64)
}

pub fn satisfies(constraint: &Constraint, point: &[Int]) -> bool {
    let value = constraint.terms.iter().fold(Int::ZERO, |s, (c, v)| s + c * &point[v.0 as usize]);
    match constraint.relation {
        Relation::Le => value <= constraint.bound,
        Relation::Ge => value >= constraint.bound,
        Relation::Eq => value == constraint.bound,
    }
}

pub fn random_constraint(rng: &mut Rng, unknowns: usize) -> Constraint {
    let terms = (0..unknowns as u32).map(|v| (within(rng, -4, 4), ArithVar(v))).collect();
    let relation = *rng.pick(&[Relation::Le, Relation::Ge, Relation::Eq]);
    Constraint { terms, relation, bound: within(rng, -8, 8) }
}

/// `centre - radius <= x <= centre + radius` for every unknown.
fn boxed(unknowns: usize, radius: i64, centre: &Int) -> Vec<Constraint> {
    let side = |v: usize, relation, offset: i64| Constraint {
        terms: vec![(Int::ONE, ArithVar(v as u32))],
        relation,
        bound: centre + Int::from(offset),
    };
    (0..unknowns).flat_map(|v| [side(v, Relation::Ge, -radius), side(v, Relation::Le, radius)]).collect()
}

fn points(unknowns: usize, radius: i64, centre: &Int) -> Vec<Vec<Int>> {
    let mut points = vec![Vec::new()];
    for _ in 0..unknowns {
        let extend = |p: &Vec<Int>, x: i64| p.iter().cloned().chain([centre + Int::from(x)]).collect();
        points = points.iter().flat_map(|p| (-radius..=radius).map(move |x| extend(p, x))).collect();
    }
    points
}

/// Solves, and checks the answer against every point of the box; returns whether it was feasible and how
/// many cuts the refutation has.
fn compare(constraints: &[Constraint], points: &[Vec<Int>]) -> (bool, usize) {
    let solution = points.iter().any(|p| constraints.iter().all(|c| satisfies(c, p)));
    match solve_integers(constraints, 100_000, &mut Budget::unlimited()).unwrap() {
        IntegerAnswer::Feasible(values) => {
            assert!(solution, "{constraints:?}");
            assert!(constraints.iter().all(|c| satisfies(c, &values)), "{constraints:?} {values:?}");
            (true, 0)
        }
        IntegerAnswer::Infeasible(steps) => {
            assert!(!solution, "{constraints:?}");
            let mut cuts = 0;
            let mut on_cut = |splits: &[Inequality], cut: &Inequality| {
                cuts += 1;
                let inside = |p: &&Vec<Int>| {
                    constraints.iter().all(|c| satisfies(c, p)) && splits.iter().all(|s| s.holds(p))
                };
                assert!(points.iter().filter(inside).all(|p| cut.holds(p)));
            };
            refute(constraints, &steps, &mut on_cut);
            (false, cuts)
        }
        IntegerAnswer::GaveUp => panic!("gave up on {constraints:?}"),
    }
}

#[test]
fn small_boxes_agree_with_enumeration() {
    let mut rng = Rng::new(1);
    let boxes: Vec<_> = (0..=4).map(|n| points(n, 3, &Int::ZERO)).collect();
    let (mut feasible, mut cuts) = (0, 0);
    for round in 0..2500 {
        let n = 1 + rng.below(if round % 8 == 0 { 4 } else { 3 });
        let mut constraints = boxed(n, 3, &Int::ZERO);
        for _ in 0..1 + rng.below(5) {
            constraints.push(random_constraint(&mut rng, n));
        }
        rng.shuffle(&mut constraints);
        let (sat, cut) = compare(&constraints, &boxes[n]);
        feasible += usize::from(sat);
        cuts += cut;
    }
    assert!(feasible > 300 && feasible < 2200, "{feasible} of 2500 feasible");
    assert!(cuts > 20, "{cuts} cuts");
}

#[test]
fn scaled_and_shifted_boxes_agree_with_enumeration() {
    let mut rng = Rng::new(2);
    for round in 0..300 {
        let n = 1 + rng.below(3);
        let centre = if round % 2 == 0 { ten_to(18) } else { -ten_to(30) };
        let scale = if round % 3 == 0 { ten_to(18) } else { ten_to(30) + Int::from(7) };
        let mut constraints = boxed(n, 2, &centre);
        for _ in 0..1 + rng.below(4) {
            let mut c = random_constraint(&mut rng, n);
            let shift = c.terms.iter().fold(Int::ZERO, |s, (a, _)| s + a * &centre);
            c.bound = (c.bound + shift) * &scale;
            c.terms.iter_mut().for_each(|(a, _)| *a *= &scale);
            constraints.push(c);
        }
        compare(&constraints, &points(n, 2, &centre));
    }
}

#[test]
fn large_coefficients_agree_with_enumeration() {
    let mut rng = Rng::new(3);
    let sizes = [Int::ONE, Int::from(1i64 << 31), Int::from(i64::MAX), ten_to(18), ten_to(30)];
    for _ in 0..300 {
        let n = 1 + rng.below(3);
        let mut constraints = boxed(n, 2, &Int::ZERO);
        for _ in 0..1 + rng.below(4) {
            let mut c = random_constraint(&mut rng, n);
            for (a, _) in &mut c.terms {
                *a = &*a * rng.pick(&sizes) + within(&mut rng, -1, 1);
            }
            c.bound = &c.bound * rng.pick(&sizes) + within(&mut rng, -1, 1);
            // An equation with random large coefficients is almost never satisfiable.
            if c.relation == Relation::Eq && !rng.one_in(4) {
                c.relation = Relation::Le;
            }
            constraints.push(c);
        }
        compare(&constraints, &points(n, 2, &Int::ZERO));
    }
}
