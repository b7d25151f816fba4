//! Interpolants of random groups, each proved: they follow, are inductive and contradict the rest.

use super::{Failure, Quotients, sequence, sequence_with_quotients};
use crate::engine::answer::{Answer, Config};
use crate::engine::solver::Solver;
use crate::logic::{FuncId, SortId, TermId, Terms, print};
use crate::util::limits::Limits;
use crate::util::rng::Rng;

fn check(terms: &Terms, groups: &[Vec<TermId>], found: &[TermId], limits: &Limits) -> Option<bool> {
    super::check(terms, groups, found, &Quotients::default(), limits)
}

struct World {
    terms: Terms,
    cells: Vec<TermId>,
    ints: Vec<TermId>,
    f: FuncId,
    g: FuncId,
    p: FuncId,
    h: FuncId,
}

fn world() -> World {
    let mut terms = Terms::new();
    let cell = terms.declare_sort("Cell").expect("new");
    let cells = (0..6).map(|i| terms.declare_const(&format!("c{i}"), cell).expect("new")).collect();
    let ints = (0..5).map(|i| terms.declare_const(&format!("i{i}"), SortId::INT).expect("new")).collect();
    let f = terms.declare_fun("f", &[cell], cell).expect("new");
    let g = terms.declare_fun("g", &[cell, cell], cell).expect("new");
    let p = terms.declare_fun("p", &[cell], SortId::BOOL).expect("new");
    let h = terms.declare_fun("h", &[cell], SortId::INT).expect("new");
    World { terms, cells, ints, f, g, p, h }
}

impl World {
    fn cell(&mut self, rng: &mut Rng, depth: usize, from: usize) -> TermId {
        let n = self.cells.len() - from;
        match rng.below(if depth == 0 { 1 } else { 4 }) {
            1 => {
                let a = self.cell(rng, depth - 1, from);
                self.terms.app(self.f, &[a]).expect("sorts fit")
            }
            2 => {
                let (a, b) = (self.cell(rng, depth - 1, from), self.cell(rng, depth - 1, from));
                self.terms.app(self.g, &[a, b]).expect("sorts fit")
            }
            _ => self.cells[from + rng.below(n.min(3))],
        }
    }

    fn int(&mut self, rng: &mut Rng, from: usize) -> TermId {
        match rng.below(5) {
            0 => self.terms.int(rng.below(4) as i64),
            1 => {
                let a = self.cell(rng, 0, from.min(3));
                self.terms.app(self.h, &[a]).expect("sorts fit")
            }
            2 => {
                let (a, k) = (self.int(rng, from), self.terms.int(1));
                self.terms.add(&[a, k]).expect("sorts fit")
            }
            _ => self.ints[from.min(2) + rng.below(3)],
        }
    }

    fn atom(&mut self, rng: &mut Rng, from: usize) -> TermId {
        match rng.below(5) {
            0 | 1 => {
                let (a, b) = (self.cell(rng, 2, from.min(3)), self.cell(rng, 1, from.min(3)));
                self.terms.eq(a, b).expect("sorts fit")
            }
            2 => {
                let a = self.cell(rng, 1, from.min(3));
                self.terms.app(self.p, &[a]).expect("sorts fit")
            }
            3 => {
                let (a, b) = (self.int(rng, from), self.int(rng, from));
                self.terms.le(a, b).expect("sorts fit")
            }
            _ => {
                let (a, b) = (self.int(rng, from), self.int(rng, from));
                self.terms.eq(a, b).expect("sorts fit")
            }
        }
    }

    fn formula(&mut self, rng: &mut Rng, from: usize) -> TermId {
        let mut parts = Vec::new();
        for _ in 0..1 + rng.below(2) {
            let atom = self.atom(rng, from);
            parts.push(if rng.below(2) == 0 { atom } else { self.terms.not(atom).expect("a formula") });
        }
        if rng.below(8) == 0 && parts.len() == 2 {
            let c = self.atom(rng, from);
            return self.terms.ite(c, parts[0], parts[1]).expect("formulas");
        }
        self.terms.or(&parts).expect("formulas")
    }
}

#[test]
fn random_sequences_are_proved() {
    let mut rng = Rng::new(3);
    let (mut refuted, mut unable, mut missed) = (0, 0, 0);
    for _ in 0..900 {
        let mut w = world();
        let n = 2 + rng.below(4);
        let groups: Vec<Vec<TermId>> =
            (0..n).map(|i| (0..2 + rng.below(3)).map(|_| w.formula(&mut rng, i)).collect()).collect();
        let mut solver = Solver::with_terms(Config::default(), w.terms.clone());
        groups.iter().flatten().for_each(|&f| solver.assert(f).expect("a formula"));
        let unsat = matches!(solver.check(), Answer::Unsat(_));
        match sequence(&mut w.terms, &groups, &Limits::default()) {
            Ok(found) => {
                assert!(unsat, "interpolants of a satisfiable set");
                let shown: Vec<String> = found.iter().map(|t| print::term(&w.terms, *t)).collect();
                assert_eq!(check(&w.terms, &groups, &found, &Limits::default()), Some(true), "{shown:?}");
                refuted += 1;
            }
            Err(Failure::Unable(_)) => unable += 1,
            Err(Failure::Satisfiable) => missed += u32::from(unsat),
            Err(Failure::Stopped(stop)) => panic!("{stop}"),
        }
    }
    assert_eq!(missed, 0, "unsatisfiable groups are refuted");
    assert!(refuted > 150, "{refuted} refuted, {unable} without an answer");
    assert!(unable * 5 < refuted, "{refuted} refuted, {unable} without an answer");
}

#[test]
fn congruence_across_a_cut_is_split() {
    let mut w = world();
    let t = &mut w.terms;
    let [a, b, c] = [w.cells[0], w.cells[1], w.cells[2]];
    // Prefix: f(a) != c', a = s; suffix: s = b, f(b) = c'. The cut must speak of f(s).
    let (s, d) = (w.cells[3], w.cells[4]);
    let (fa, fb) = (t.app(w.f, &[a]).unwrap(), t.app(w.f, &[b]).unwrap());
    let equal = t.eq(fa, d).unwrap();
    let first = vec![t.eq(a, s).unwrap(), t.not(equal).unwrap(), t.eq(c, c).unwrap()];
    let second = vec![t.eq(s, b).unwrap(), t.eq(fb, d).unwrap()];
    let found = sequence(t, &[first, second], &Limits::default()).unwrap();
    let fs = t.app(w.f, &[s]).unwrap();
    let differ = t.eq(fs, d).unwrap();
    let differ = t.not(differ).unwrap();
    assert_eq!(found, vec![differ]);
}

#[test]
fn sums_give_inequalities() {
    let mut w = world();
    let t = &mut w.terms;
    let [x, y, z] = [w.ints[0], w.ints[1], w.ints[2]];
    // x <= y, y + 1 <= z | z <= x
    let one = t.int(1);
    let next = t.add(&[y, one]).unwrap();
    let groups = [vec![t.le(x, y).unwrap()], vec![t.le(next, z).unwrap()], vec![t.le(z, x).unwrap()]];
    let found = sequence(t, &groups, &Limits::default()).unwrap();
    assert_eq!(found[0], t.le(x, y).unwrap());
    assert_eq!(found[1], t.lt(x, z).unwrap());
}

#[test]
fn what_is_outside_is_refused() {
    let mut w = world();
    let [x, y, a, b] = [w.cells[0], w.cells[1], w.cells[2], w.cells[3]];
    // Both sides have a cell of their own that only transitivity connects.
    let first = [(x, a), (a, y)].map(|(s, t)| w.terms.reach(w.f, s, t).unwrap()).to_vec();
    let there = w.terms.reach(w.f, x, b).unwrap();
    let second = vec![w.terms.reach(w.f, y, b).unwrap(), w.terms.not(there).unwrap()];
    let found = sequence(&mut w.terms, &[first.clone(), second], &Limits::default());
    assert!(matches!(found, Err(Failure::Unable(_))));
    // If the suffix has none, what contradicts it is an interpolant.
    let there = w.terms.reach(w.f, x, y).unwrap();
    let second = vec![w.terms.not(there).unwrap()];
    assert_eq!(sequence(&mut w.terms, &[first, second], &Limits::default()), Ok(vec![there]));
    let holds = w.terms.app(w.p, &[x]).unwrap();
    assert_eq!(
        sequence(&mut w.terms, &[vec![holds], vec![holds]], &Limits::default()),
        Err(Failure::Satisfiable)
    );
}

#[test]
fn cuts_are_projected() {
    let mut w = world();
    let t = &mut w.terms;
    let [a, b, c, d, e] = [w.ints[0], w.ints[1], w.ints[2], w.ints[3], w.ints[4]];
    // d = b + c, 2 a = d | b = c + 1, a <= 5: an odd number would have to be even. Only d is of one side.
    let (one, two, five) = (t.int(1), t.int(2), t.int(5));
    let (sum, twice, next) = (t.add(&[b, c]).unwrap(), t.mul(two, a).unwrap(), t.add(&[c, one]).unwrap());
    let prefix = vec![t.eq(d, sum).unwrap(), t.eq(twice, d).unwrap()];
    let suffix = vec![t.eq(b, next).unwrap(), t.le(a, five).unwrap()];
    let found = sequence(t, &[prefix.clone(), suffix.clone()], &Limits::default()).unwrap();
    assert_eq!(found, vec![t.eq(twice, sum).unwrap()]);
    // The same with bounds around a constant of the prefix instead of an equality, and a third group.
    let prefix = vec![t.le(sum, e).unwrap(), t.le(e, twice).unwrap(), t.le(twice, sum).unwrap()];
    let groups = [prefix, vec![suffix[0]], vec![suffix[1]]];
    let found = sequence(t, &groups, &Limits::default()).unwrap();
    assert_eq!(check(t, &groups, &found, &Limits::default()), Some(true));
    // Satisfiable groups have none.
    let even = t.add(&[c, two]).unwrap();
    let groups = [vec![t.eq(twice, sum).unwrap()], vec![t.eq(b, even).unwrap()]];
    assert!(sequence(t, &groups, &Limits::default()).is_err());
}

/// Groups of linear literals with factors, and disjunctions of them; every constant but two is of one group.
#[test]
fn factors_are_projected_with_quotients() {
    let mut rng = Rng::new(11);
    let (mut refuted, mut dividing) = (0, 0);
    for _ in 0..150 {
        let mut terms = Terms::new();
        let ints: Vec<TermId> =
            (0..5).map(|i| terms.declare_const(&format!("i{i}"), SortId::INT).expect("new")).collect();
        let mut groups = Vec::new();
        for own in [2, 3, 4] {
            let mut group = Vec::new();
            for _ in 0..1 + rng.below(2) {
                let mut literal = |terms: &mut Terms| {
                    let mut sum = vec![terms.int(rng.below(7) as i64 - 3)];
                    for v in [0, 1, own, own] {
                        let factor = terms.int(rng.below(5) as i64 - 2);
                        sum.push(terms.mul(factor, ints[v]).expect("linear"));
                    }
                    let (sum, zero) = (terms.add(&sum).expect("sorts fit"), terms.int(0));
                    let atom = if rng.below(3) < 2 { terms.eq(sum, zero) } else { terms.le(sum, zero) };
                    let atom = atom.expect("sorts fit");
                    if rng.below(6) == 0 { terms.not(atom).expect("a formula") } else { atom }
                };
                let (a, b) = (literal(&mut terms), literal(&mut terms));
                group.push(if rng.below(4) == 0 { terms.or(&[a, b]).expect("formulas") } else { a });
            }
            groups.push(group);
        }
        let limits = Limits::default();
        let mut solver = Solver::with_terms(Config::default(), terms.clone());
        groups.iter().flatten().for_each(|&f| solver.assert(f).expect("a formula"));
        let unsat = match solver.check() {
            Answer::Unsat(_) => true,
            Answer::Sat(_) => false,
            Answer::Unknown(_) => continue,
        };
        let mut quotients = Quotients::default();
        match sequence_with_quotients(&mut terms, &groups, &mut quotients, &limits) {
            Ok(found) => {
                assert!(unsat, "interpolants of a satisfiable set");
                let shown: Vec<String> = found.iter().map(|t| print::term(&terms, *t)).collect();
                let proved = super::check(&terms, &groups, &found, &quotients, &limits);
                assert_eq!(proved, Some(true), "{shown:?}");
                refuted += 1;
                dividing += u32::from(shown.iter().any(|s| s.contains("@div")));
            }
            Err(why) => assert!(!unsat, "{why}: {groups:?}"),
        }
    }
    assert!(refuted > 15 && dividing > 2, "{refuted} refuted, {dividing} with quotients");
}
