//! Making a failing case small.
//!
//! [`shrink`] knows nothing of why a case fails. It deletes assertions, takes conjunctions apart, replaces
//! subterms by their children, by constants, by `true`, `false` or 0, instantiates quantifiers, merges
//! constants, and keeps every change after which the case is smaller and still fails. It stops at a local minimum: no single change is
//! left. The size of a case falls with each kept change, so this ends.

use crate::logic::rewrite::{bottom_up, with_children};
use crate::logic::{Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};

/// A smaller list of formulas on which `fails` still holds; the list itself if it does not fail.
pub fn shrink(
    terms: &mut Terms,
    formulas: &[TermId],
    mut fails: impl FnMut(&Terms, &[TermId]) -> bool,
) -> Vec<TermId> {
    let mut current = formulas.to_vec();
    if !fails(terms, &current) {
        return current;
    }
    loop {
        let before = size(terms, &current);
        current = shrink_list(&current, |formulas| fails(terms, formulas));
        simplify(terms, &mut current, &mut fails);
        if size(terms, &current) == before {
            return current;
        }
    }
}

/// Terms and edges below the formulas, plus the formulas: what shrinking makes smaller.
pub fn size(terms: &Terms, formulas: &[TermId]) -> usize {
    let below = subterms(terms, formulas);
    formulas.len() + below.iter().map(|&t| 1 + terms.children(t).len()).sum::<usize>()
}

/// All terms below the formulas, the largest ids (the outermost terms) first.
fn subterms(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen: Set<TermId> = Set::default();
    let mut stack = formulas.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(terms.children(term));
        }
    }
    let mut all: Vec<TermId> = seen.into_iter().collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all
}

/// A shorter list on which `fails` still holds: runs of items are deleted, long runs first. The list itself
/// if it does not fail.
pub fn shrink_list<T: Clone>(items: &[T], mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut current = items.to_vec();
    let mut run = current.len().div_ceil(2);
    while run > 0 {
        let mut at = 0;
        while at < current.len() {
            let end = (at + run).min(current.len());
            let candidate = [&current[..at], &current[end..]].concat();
            if fails(&candidate) {
                current = candidate;
            } else {
                at = end;
            }
        }
        run = if run == 1 { 0 } else { run.div_ceil(2) };
    }
    current
}

/// Tries every replacement of a subterm in every assertion once.
fn simplify(terms: &mut Terms, current: &mut Vec<TermId>, fails: &mut impl FnMut(&Terms, &[TermId]) -> bool) {
    let mut i = 0;
    while i < current.len() {
        if matches!(terms.op(current[i]), Op::And) {
            let parts = terms.children(current[i]).to_vec();
            let candidate = [&current[..i], &parts, &current[i + 1..]].concat();
            if fails(terms, &candidate) {
                *current = candidate;
                continue;
            }
        }
        for term in subterms(terms, &[current[i]]) {
            for by in candidates(terms, term, &constants(terms, current)) {
                // A change before this one may have removed the term.
                let changed = replace(terms, current[i], term, by);
                if changed == current[i] {
                    continue;
                }
                let mut candidate = current.clone();
                candidate[i] = changed;
                if size(terms, &candidate) < size(terms, current) && fails(terms, &candidate) {
                    *current = candidate;
                }
            }
        }
        i += 1;
    }
    merge_constants(terms, current, fails);
}

/// Smaller terms to try in the place of a term.
fn candidates(terms: &mut Terms, term: TermId, constants: &[TermId]) -> Vec<TermId> {
    let sort = terms.sort(term);
    let mut found = match sort {
        SortId::BOOL => vec![Terms::TRUE, Terms::FALSE],
        SortId::INT => vec![terms.int(0)],
        _ => Vec::new(),
    };
    if !terms.children(term).is_empty() {
        found.extend(constants.iter().copied().filter(|&c| terms.sort(c) == sort));
    }
    if let Op::Forall(id) = terms.op(term) {
        let variables = terms.quantifier(id).variables.clone();
        let body = terms.children(term)[0];
        found.extend(instances(terms, &variables, body, constants));
        return found;
    }
    found.extend(terms.children(term).iter().copied().filter(|&c| terms.sort(c) == sort));
    if let Some(inner) = terms.negated(term)
        && !matches!(terms.op(inner), Op::Forall(_))
    {
        found.extend(terms.children(inner).iter().copied().filter(|&c| terms.sort(c) == sort));
    }
    found
}

/// The body of a quantifier with one constant for all variables of a sort.
fn instances(terms: &mut Terms, variables: &[VarId], body: TermId, constants: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    for &constant in constants {
        let sort = terms.sort(constant);
        let map: Map<VarId, TermId> =
            variables.iter().filter(|&&v| terms.variable_info(v).1 == sort).map(|&v| (v, constant)).collect();
        if map.is_empty() {
            continue;
        }
        let rest: Vec<VarId> = variables.iter().copied().filter(|v| !map.contains_key(v)).collect();
        let instance = terms.substitute(body, &map);
        found.push(terms.mk_forall(rest, instance, Vec::new()));
    }
    found
}

/// The constants below the formulas, the last declared first.
fn constants(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut all = subterms(terms, formulas);
    all.retain(|&t| matches!(terms.op(t), Op::App(_)) && terms.children(t).is_empty());
    all
}

/// The root with one subterm replaced everywhere. Both terms have one sort, and the free variables of the
/// new one are among those of the old.
pub fn replace(terms: &mut Terms, root: TermId, from: TermId, to: TermId) -> TermId {
    let mut done: Map<TermId, TermId> = Map::default();
    done.insert(from, to);
    bottom_up(terms, root, &mut done, |terms, term, children| with_children(terms, term, &children))
}

/// Replaces constants by other constants of their sort in all formulas at once.
fn merge_constants(
    terms: &mut Terms,
    current: &mut Vec<TermId>,
    fails: &mut impl FnMut(&Terms, &[TermId]) -> bool,
) {
    let constants = constants(terms, current);
    for &from in &constants {
        for &to in constants.iter().filter(|&&to| to < from) {
            if terms.sort(from) != terms.sort(to) {
                continue;
            }
            let candidate: Vec<TermId> = current.iter().map(|&f| replace(terms, f, from, to)).collect();
            if size(terms, &candidate) < size(terms, current) && fails(terms, &candidate) {
                *current = candidate;
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::smtlib::read;
    use crate::logic::print;
    use crate::testing::formulas::{Generate, Lisbq, Mixed};
    use crate::testing::models::Signature;
    use crate::testing::{Brute, decide_by_enumeration};

    #[test]
    fn an_unsat_core_is_left() {
        let text = "(declare-sort C 0)(declare-fun n (C) C)(declare-const a C)(declare-const b C)
            (declare-const c C)(declare-const i Int)(declare-fun d (C) Int)
            (assert (or (= a c) (< (d a) 7)))
            (assert (and ((_ reach n) a b) (> i 3) (=> (= a b) (= (d a) (d b)))))
            (assert (forall ((u C)) (=> ((_ between n) a u b) (= (d u) 1))))
            (assert (or (= (d b) 2) (and (= (d b) 3) (= i 4))))";
        let mut terms = Terms::new();
        let formulas = read(text, &mut terms).unwrap().formulas();
        let unsat = |t: &Terms, f: &[TermId]| {
            matches!(decide_by_enumeration(t, f, 2, -1..=4, 1_000_000), Brute::NoModelUpTo(2))
        };
        assert!(unsat(&terms, &formulas));
        let small = shrink(&mut terms, &formulas, unsat);
        // `false` alone is the smallest unsatisfiable case.
        assert_eq!(small, [Terms::FALSE]);
        // With a condition on what must stay, the rest goes.
        let quantified = |t: &Terms, f: &[TermId]| unsat(t, f) && f.iter().any(|&g| !t.is_quantifier_free(g));
        let small = shrink(&mut terms, &formulas, quantified);
        assert!(quantified(&terms, &small));
        assert!(
            size(&terms, &small) <= 12,
            "{:?}",
            small.iter().map(|&f| print::term(&terms, f)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn closed_and_well_sorted_on_the_way() {
        for seed in 0..20 {
            let mut problem =
                if seed % 2 == 0 { Lisbq::default().generate(seed) } else { Mixed::default().generate(seed) };
            let formulas = problem.formulas.clone();
            // "Fails" if some function of one argument occurs: shrinks to next to nothing.
            let mut tries = 0;
            let small = shrink(&mut problem.terms, &formulas, |t, f| {
                tries += 1;
                assert!(f.iter().all(|&g| t.is_closed(g) && t.sort(g) == SortId::BOOL));
                Signature::of(t, f).funcs.iter().any(|&g| t.func(g).args.len() == 1)
            });
            assert!(tries < 20_000);
            assert!(
                size(&problem.terms, &small) <= 8,
                "seed {seed}: {}",
                print::term(&problem.terms, small[0])
            );
        }
    }

    #[test]
    fn a_case_that_does_not_fail_is_left_alone() {
        let mut problem = Mixed::default().generate(7);
        let formulas = problem.formulas.clone();
        assert_eq!(shrink(&mut problem.terms, &formulas, |_, _| false), formulas);
    }
}
