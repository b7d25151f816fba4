//! The theory against naive references: congruence closure recomputed from scratch, explanations replayed
//! alone, levels undone, reachability against all small heaps.

use super::*;
use crate::logic::{FuncId, SortId};
use crate::sat::{Lit, Var};
use crate::testing::{Brute, decide_by_enumeration};
use crate::util::rng::Rng;

struct World {
    terms: Terms,
    ground: Vec<TermId>,
    next: FuncId,
}

/// Three constants, a unary and a binary function, two layers of applications.
fn world() -> World {
    let mut terms = Terms::new();
    let cell = terms.declare_sort("Cell").unwrap();
    let next = terms.declare_fun("next", &[cell], cell).unwrap();
    let pair = terms.declare_fun("pair", &[cell, cell], cell).unwrap();
    let constants: Vec<TermId> =
        (0..3).map(|i| terms.declare_const(&format!("c{i}"), cell).unwrap()).collect();
    let mut ground = constants.clone();
    for &a in &constants {
        ground.push(terms.app(next, &[a]).unwrap());
        for &b in &constants {
            ground.push(terms.app(pair, &[a, b]).unwrap());
        }
    }
    let layer = ground.clone();
    for &a in &layer[3..8] {
        ground.push(terms.app(next, &[a]).unwrap());
        ground.push(terms.app(pair, &[a, layer[0]]).unwrap());
    }
    World { terms, ground, next }
}

/// Classes by fixpoint over all pairs: the meaning of congruence closure, spelled out.
fn naive_classes(w: &World, equations: &[(usize, usize)]) -> Vec<usize> {
    let n = w.ground.len();
    let mut class: Vec<usize> = (0..n).collect();
    let merge = |class: &mut Vec<usize>, a: usize, b: usize| {
        let (from, to) = (class[a], class[b]);
        class.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
        from != to
    };
    for &(a, b) in equations {
        merge(&mut class, a, b);
    }
    loop {
        let mut changed = false;
        for a in 0..n {
            for b in 0..n {
                let (x, y) = (w.ground[a], w.ground[b]);
                let (args_x, args_y) = (w.terms.children(x), w.terms.children(y));
                let position = |t: &TermId| w.ground.iter().position(|g| g == t).unwrap();
                let congruent = w.terms.op(x) == w.terms.op(y)
                    && !args_x.is_empty()
                    && args_x.iter().zip(args_y).all(|(p, q)| class[position(p)] == class[position(q)]);
                if congruent && class[a] != class[b] {
                    changed |= merge(&mut class, a, b);
                }
            }
        }
        if !changed {
            return class;
        }
    }
}

fn assert_classes(w: &World, theory: &Theory, equations: &[(usize, usize)]) {
    let class = naive_classes(w, equations);
    for (a, &x) in w.ground.iter().enumerate() {
        for (b, &y) in w.ground.iter().enumerate() {
            let (Some(m), Some(n)) = (theory.egraph.node(x), theory.egraph.node(y)) else { continue };
            assert_eq!(theory.egraph.equal(m, n), class[a] == class[b], "{equations:?}: terms {a} and {b}");
        }
    }
}

#[test]
fn closure_agrees_with_the_naive_fixpoint_on_random_traces() {
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let mut w = world();
        let mut theory = Theory::new(&w.terms, false);
        // Half of the traces know all terms from the start, the others meet them on the way.
        for &t in w.ground.iter().filter(|_| seed % 2 == 0) {
            theory.add_term(&w.terms, t);
        }
        let mut levels: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        for step in 0..20 {
            match rng.below(4) {
                0 => {
                    theory.push();
                    levels.push(Vec::new());
                }
                1 if levels.len() > 1 => {
                    let keep = rng.below(levels.len());
                    theory.pop_to(keep);
                    levels.truncate(keep + 1);
                }
                _ => {
                    let (a, b) = (rng.below(w.ground.len()), rng.below(w.ground.len()));
                    let atom = w.terms.eq(w.ground[a], w.ground[b]).unwrap();
                    if atom != Terms::TRUE {
                        theory.assert(&w.terms, atom, true, Var(step).positive());
                        levels.last_mut().unwrap().push((a, b));
                    }
                }
            }
            let budget = &mut Budget::unlimited();
            assert!(theory.saturate(&w.terms, budget).unwrap().is_none(), "equations alone have models");
            assert!(theory.egraph.check_congruence(&w.terms), "seed {seed}");
            if seed % 2 == 0 {
                assert_classes(&w, &theory, &levels.concat());
            }
        }
    }
}

#[test]
fn explanations_suffice_and_name_asserted_literals_only() {
    for seed in 0..200 {
        let mut rng = Rng::new(1000 + seed);
        let mut w = world();
        let mut theory = Theory::new(&w.terms, false);
        let mut equations = Vec::new();
        for i in 0..8 {
            let (a, b) = (rng.below(w.ground.len()), rng.below(w.ground.len()));
            let atom = w.terms.eq(w.ground[a], w.ground[b]).unwrap();
            if atom != Terms::TRUE {
                theory.assert(&w.terms, atom, true, Var(i).positive());
            }
            equations.push((a, b));
        }
        theory.saturate(&w.terms, &mut Budget::unlimited()).unwrap();
        for _ in 0..20 {
            let (a, b) = (rng.below(w.ground.len()), rng.below(w.ground.len()));
            let atom = w.terms.eq(w.ground[a], w.ground[b]).unwrap();
            if let Some((true, why)) = theory.implied(&w.terms, atom) {
                let used: Vec<(usize, usize)> =
                    why.literals.iter().map(|l| equations[l.var().index()]).collect();
                let class = naive_classes(&w, &used);
                assert_eq!(class[a], class[b], "seed {seed}: {used:?} explain {a} = {b}");
            }
        }
    }
}

/// Random literals over one field: a conflict's literals have no model up to four cells, and without a
/// conflict and splits whatever is implied holds in every model.
#[test]
fn reachability_conflicts_and_consequences_hold_on_small_heaps() {
    let (mut conflicts, mut consequences) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(5000 + seed);
        let w = world();
        let mut terms = w.terms.clone();
        let pool: Vec<TermId> = w.ground.iter().copied().filter(|&t| !is_pair(&terms, t)).collect();
        let mut theory = Theory::new(&terms, true);
        let mut literals: Vec<(TermId, bool)> = Vec::new();
        for _ in 0..7 {
            let mut pick = || *rng.pick(&pool);
            let (x, y, z) = (pick(), pick(), pick());
            let atom = match rng.below(3) {
                0 => terms.eq(x, y).unwrap(),
                1 => terms.reach(w.next, x, y).unwrap(),
                _ => terms.between(w.next, x, y, z).unwrap(),
            };
            if atom != Terms::TRUE && !literals.iter().any(|l| l.0 == atom) {
                let positive = rng.below(3) > 0;
                let literal = Lit::new(Var(literals.len() as u32), positive);
                theory.assert(&terms, atom, positive, literal);
                literals.push((atom, positive));
            }
        }
        let formula = |terms: &mut Terms, at: usize| {
            let (atom, positive) = literals[at];
            if positive { atom } else { terms.not(atom).unwrap() }
        };
        let conflict = theory.saturate(&terms, &mut Budget::unlimited()).unwrap();
        if let Some(conflict) = conflict {
            conflicts += 1;
            let formulas: Vec<TermId> =
                conflict.literals.iter().map(|l| formula(&mut terms, l.var().index())).collect();
            let brute = decide_by_enumeration(&terms, &formulas, 4, 0..=0, 1_000_000);
            assert!(!matches!(brute, Brute::Sat(_)), "seed {seed}: a conflict with a model");
            continue;
        }
        for _ in 0..6 {
            let (x, y, z) = (*rng.pick(&pool), *rng.pick(&pool), *rng.pick(&pool));
            let atom = terms.between(w.next, x, y, z).unwrap();
            if let Some((truth, why)) = theory.implied(&terms, atom) {
                consequences += 1;
                let mut formulas: Vec<TermId> =
                    why.literals.iter().map(|l| formula(&mut terms, l.var().index())).collect();
                formulas.push(if truth { terms.not(atom).unwrap() } else { atom });
                let brute = decide_by_enumeration(&terms, &formulas, 4, 0..=0, 1_000_000);
                assert!(!matches!(brute, Brute::Sat(_)), "seed {seed}: a consequence with a countermodel");
            }
        }
    }
    assert!(conflicts > 50 && consequences > 100, "{conflicts} conflicts, {consequences} consequences");
}

/// Levels come and go, and alternatives wait now and then; what is known in the end is what a theory knows
/// that saw the same literals at once, and a sweep over everything finds nothing more.
#[test]
fn what_is_due_is_all_that_a_sweep_would_find() {
    let (mut compared, mut facts, mut groups) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(9000 + seed);
        let w = world();
        let mut terms = w.terms.clone();
        terms.unfolded_distinct = 2;
        let pool: Vec<TermId> = w.ground.iter().copied().filter(|&t| !is_pair(&terms, t)).collect();
        let mut theory = Theory::new(&terms, false);
        let mut levels: Vec<Vec<(TermId, bool)>> = vec![Vec::new()];
        for _ in 0..30 {
            let mut sweeps = Sweeps::Run;
            match rng.below(6) {
                0 => {
                    theory.push();
                    levels.push(Vec::new());
                }
                1 if levels.len() > 1 => {
                    let keep = rng.below(levels.len());
                    theory.pop_to(keep);
                    levels.truncate(keep + 1);
                }
                kind => {
                    if kind == 2 {
                        sweeps = Sweeps::Wait;
                    }
                    let (x, y, z) = (*rng.pick(&pool), *rng.pick(&pool), *rng.pick(&pool));
                    let atom = match rng.below(7) {
                        0 | 1 => terms.eq(x, y).unwrap(),
                        2 | 3 => terms.reach(w.next, x, y).unwrap(),
                        4 | 5 => terms.between(w.next, x, y, z).unwrap(),
                        _ => terms.distinct(&distinct_members(&pool, &mut rng)).unwrap(),
                    };
                    let known = levels.iter().flatten().any(|l| l.0 == atom);
                    if !matches!(terms.op(atom), Op::Eq | Op::Between(_) | Op::Distinct) || known {
                        continue;
                    }
                    let positive = terms.op(atom) == Op::Distinct || rng.below(2) == 0;
                    groups += u32::from(terms.op(atom) == Op::Distinct);
                    theory.assert(&terms, atom, positive, Lit::new(Var(atom.index() as u32), positive));
                    levels.last_mut().unwrap().push((atom, positive));
                }
            }
            let conflict = theory.saturate_with(&terms, sweeps, &mut Budget::unlimited()).unwrap();
            if conflict.is_some() {
                // As a search does, back to before the conflict, or to a new start.
                if levels.len() == 1 {
                    break;
                }
                theory.pop_to(levels.len() - 2);
                levels.truncate(levels.len() - 1);
                continue;
            }
            if sweeps == Sweeps::Wait {
                continue;
            }
            let mut fresh = Theory::new(&terms, false);
            for &(atom, positive) in levels.iter().flatten() {
                fresh.assert(&terms, atom, positive, Lit::new(Var(atom.index() as u32), positive));
            }
            let at_once = fresh.saturate(&terms, &mut Budget::unlimited()).unwrap();
            assert!(at_once.is_none(), "seed {seed}: a conflict that the levels did not see");
            compared += 1;
            facts += assert_same_facts(&terms, &theory, &fresh, &pool, w.next);
            let more = theory.reach.sweep(&mut theory.egraph, true, &mut Budget::unlimited()).unwrap();
            assert!(!more, "seed {seed}: a sweep concludes more");
        }
    }
    assert!(
        compared > 2000 && facts > 20_000 && groups > 20,
        "{compared} contexts, {facts} facts, {groups} groups"
    );
}

/// All terms of the pool but one or two.
fn distinct_members(pool: &[TermId], rng: &mut Rng) -> Vec<TermId> {
    let (without, other) = (rng.below(pool.len()), rng.below(pool.len()));
    (0..pool.len()).filter(|&i| i != without && i != other).map(|i| pool[i]).collect()
}

/// Both know the same facts about the terms that both have; how many.
fn assert_same_facts(terms: &Terms, one: &Theory, other: &Theory, pool: &[TermId], next: FuncId) -> usize {
    let known = |theory: &Theory, places: [TermId; 3]| {
        let nodes = places.map(|t| theory.egraph.node(t));
        let field = theory.reach.active_field(next)?;
        let [Some(x), Some(y), Some(z)] = nodes else { return None };
        Some(theory.reach.fact(&theory.egraph, field, [x, y, z]).is_some())
    };
    let mut facts = 0;
    for &x in pool {
        for &y in pool {
            for &z in pool {
                if let (Some(here), Some(there)) = (known(one, [x, y, z]), known(other, [x, y, z])) {
                    let name = |t| crate::logic::print::term(terms, t);
                    assert_eq!(here, there, "{} {} {}", name(x), name(y), name(z));
                    facts += usize::from(here);
                }
            }
        }
    }
    facts
}

fn is_pair(terms: &Terms, t: TermId) -> bool {
    terms.children(t).len() == 2 || terms.children(t).iter().any(|&c| terms.children(c).len() == 2)
}

#[test]
fn integers_and_classes_agree() {
    let mut terms = Terms::new();
    let cell = terms.declare_sort("Cell").unwrap();
    let size = terms.declare_fun("size", &[cell], SortId::INT).unwrap();
    let (x, y) = (terms.declare_const("x", cell).unwrap(), terms.declare_const("y", cell).unwrap());
    let (sx, sy) = (terms.app(size, &[x]).unwrap(), terms.app(size, &[y]).unwrap());
    let less = terms.lt(sx, sy).unwrap();
    let same = terms.eq(x, y).unwrap();
    let (atom, positive) = terms.strip_not(less);
    let mut theory = Theory::new(&terms, true);
    theory.assert(&terms, atom, positive, Lit::new(Var(0), positive));
    assert!(theory.saturate(&terms, &mut Budget::unlimited()).unwrap().is_none());
    theory.push();
    theory.assert(&terms, same, true, Var(1).positive());
    let conflict =
        theory.saturate(&terms, &mut Budget::unlimited()).unwrap().expect("equal cells, equal sizes");
    assert_eq!(conflict.literals.len(), 2);
    theory.pop_to(0);
    assert!(theory.saturate(&terms, &mut Budget::unlimited()).unwrap().is_none());
}
