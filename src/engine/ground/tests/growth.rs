//! Larger universes: orders and linked lists with many constants, and many queries about them.

use super::{check, satisfies};
use crate::engine::ground::{GroundAnswer, Grounder, axioms, in_fragment};
use crate::logic::{FuncId, SortId, TermId, Terms};
use crate::util::limits::Budget;
use crate::util::rng::Rng;

/// A strict total order and `n` different constants.
fn order(n: usize) -> (Terms, Vec<TermId>, FuncId, Vec<TermId>) {
    let mut t = Terms::new();
    let s = t.declare_sort("S").unwrap();
    let lt = t.declare_fun("lt", &[s, s], SortId::BOOL).unwrap();
    let constants: Vec<TermId> = (0..n).map(|i| t.declare_const(&format!("c{i}"), s).unwrap()).collect();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.variable(name, s).unwrap());
    let (xx, xy, yx, yz, xz) = (
        t.app(lt, &[x, x]).unwrap(),
        t.app(lt, &[x, y]).unwrap(),
        t.app(lt, &[y, x]).unwrap(),
        t.app(lt, &[y, z]).unwrap(),
        t.app(lt, &[x, z]).unwrap(),
    );
    let irreflexive = t.not(xx).unwrap();
    let both = t.and(&[xy, yz]).unwrap();
    let transitive = t.implies(both, xz).unwrap();
    let same = t.eq(x, y).unwrap();
    let total = t.or(&[xy, yx, same]).unwrap();
    let different = t.distinct(&constants).unwrap();
    let formulas = vec![
        t.forall(&[x], irreflexive).unwrap(),
        t.forall(&[x, y, z], transitive).unwrap(),
        t.forall(&[x, y], total).unwrap(),
        different,
    ];
    (t, formulas, lt, constants)
}

#[test]
fn orders_of_many_constants() {
    for n in [3, 8, 16, 24] {
        let (mut t, formulas, lt, c) = order(n);
        assert_eq!(in_fragment(&t, &formulas), Ok(()));
        let mut grounder = Grounder::new(n == 8);
        formulas.iter().for_each(|&f| grounder.assert(&mut t, f));
        assert_eq!(check(&mut grounder, &mut t, &[]), GroundAnswer::Sat);
        satisfies(&mut grounder, &t, &formulas);
        let full = (n * n * n) as u64;
        assert!(n < 8 || grounder.stats().instances < full / 2, "lazy: {:?}", grounder.stats());
        let mut rng = Rng::new(n as u64);
        for _ in 0..500 {
            let picks: Vec<TermId> = (0..3).map(|_| *rng.pick(&c)).collect();
            let ring: Vec<TermId> =
                (0..3).map(|i| t.app(lt, &[picks[i], picks[(i + 1) % 3]]).unwrap()).collect();
            assert!(matches!(check(&mut grounder, &mut t, &ring), GroundAnswer::Unsat { .. }));
            let chain = if picks[0] == picks[1] || picks[1] == picks[2] { &[] } else { &ring[1..2] };
            assert_eq!(check(&mut grounder, &mut t, chain), GroundAnswer::Sat);
        }
    }
}

#[test]
fn lists_that_end_in_null() {
    let mut t = Terms::new();
    let s = t.declare_sort("Cell").unwrap();
    let reach = t.declare_fun("reach", &[s, s], SortId::BOOL).unwrap();
    let null = t.declare_const("null", s).unwrap();
    assert!(axioms(&mut t, "lisbq", reach, null).is_err());
    assert!(axioms(&mut t, "no such theory", reach, null).is_err());
    let rules = axioms(&mut t, "acyclic", reach, null).unwrap();
    assert_eq!(in_fragment(&t, &rules), Ok(()));
    let mut grounder = Grounder::new(false);
    rules.iter().for_each(|&rule| grounder.assert(&mut t, rule));
    let n = 10;
    let cells: Vec<TermId> = (0..n).map(|i| t.declare_const(&format!("x{i}"), s).unwrap()).collect();
    for pair in cells.windows(2) {
        let step = t.app(reach, pair).unwrap();
        grounder.assert(&mut t, step);
    }
    let back = t.app(reach, &[cells[n - 1], cells[0]]).unwrap();
    let GroundAnswer::Sat = check(&mut grounder, &mut t, &[back]) else { panic!("all cells may be one") };
    for i in 1..n {
        let same = t.eq(cells[0], cells[i]).unwrap();
        assert_eq!(
            grounder.holds(&t, same, &mut Budget::unlimited()),
            Ok(true),
            "a ring of an acyclic relation is one cell"
        );
    }
    let different: Vec<TermId> = (1..n)
        .map(|i| {
            let same = t.eq(cells[i - 1], cells[i]).unwrap();
            t.not(same).unwrap()
        })
        .collect();
    for &apart in &different {
        let GroundAnswer::Unsat { core } = check(&mut grounder, &mut t, &[apart, back]) else {
            panic!("a ring of two cells")
        };
        assert_eq!(core.len(), 2);
    }
    let mut all = different.clone();
    assert_eq!(check(&mut grounder, &mut t, &all), GroundAnswer::Sat);
    satisfies(&mut grounder, &t, &all);
    // A cell is null exactly if it is reached from null.
    let last_is_null = t.eq(cells[n - 1], null).unwrap();
    let from_null = t.app(reach, &[null, cells[n - 1]]).unwrap();
    let not_null = t.not(last_is_null).unwrap();
    all.extend([from_null, not_null]);
    let GroundAnswer::Unsat { mut core } = check(&mut grounder, &mut t, &all) else { panic!("null is last") };
    core.sort_unstable();
    assert!(core.contains(&from_null) && core.contains(&not_null));
}
