//! Tests of the generators: determinism, well-sortedness, fragments, a mix of answers.

use super::*;
use crate::logic::{Op, SortId, Terms};
use crate::testing::models::Signature;
use crate::testing::{Brute, decide_by_enumeration};
use crate::util::hash::Set;

#[test]
fn same_seed_same_text() {
    for (name, generator) in all() {
        let texts: Set<String> = (0..20).map(|seed| generator.generate(seed).text()).collect();
        assert!(texts.len() >= 18, "{name}: seeds differ");
        for seed in 0..20 {
            assert!(texts.contains(&generator.generate(seed).text()), "{name} {seed}");
        }
    }
}

#[test]
fn formulas_are_closed_and_of_sort_bool() {
    for (name, generator) in all() {
        for seed in 0..200 {
            let problem = generator.generate(seed);
            assert!(!problem.formulas.is_empty());
            for &f in &problem.formulas {
                assert!(problem.terms.is_closed(f) && problem.terms.sort(f) == SortId::BOOL, "{name} {seed}");
            }
        }
    }
}

/// Both answers must occur often, or a generator tests nothing.
#[test]
fn answers_are_mixed() {
    for (name, generator) in all() {
        let (mut n_sat, mut n_none, mut n_open) = (0, 0, 0);
        for seed in 0..60 {
            let problem = generator.generate(seed);
            match decide_by_enumeration(&problem.terms, &problem.formulas, 3, -3..=3, 20_000) {
                Brute::Sat(_) => n_sat += 1,
                Brute::NoModelUpTo(_) => n_none += 1,
                Brute::TooMany => n_open += 1,
                Brute::NotEvaluable(error) => panic!("{name} {seed}: {error}"),
            }
        }
        assert!(n_sat >= 6 && n_none >= 6 && n_open <= 30, "{name}: {n_sat} {n_none} {n_open}");
    }
}

fn below(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen = Set::default();
    let mut stack = formulas.to_vec();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            stack.extend(terms.children(t));
        }
    }
    seen.into_iter().collect()
}

#[test]
fn lisbq_is_sort_restricted() {
    for seed in 0..300 {
        let problem = Lisbq { link_fields: 2, data_fields: 1, ..Lisbq::default() }.generate(seed);
        let terms = &problem.terms;
        for t in below(terms, &problem.formulas) {
            if let Op::App(func) = terms.op(t) {
                let is_link = terms.func(func).is_link_field();
                assert!(!is_link || terms.is_closed(t), "seed {seed}: a link field on a bound variable");
            }
        }
    }
}

/// Quantifiers below each polarity: none may be universal above existential.
#[test]
fn epr_has_no_forall_exists() {
    fn walk(terms: &Terms, t: TermId, positive: bool, below_universal: bool) {
        match terms.op(t) {
            Op::Not => walk(terms, terms.children(t)[0], !positive, below_universal),
            Op::Forall(_) => {
                assert!(positive || !below_universal, "an existential quantifier below a universal one");
                walk(terms, terms.children(t)[0], positive, below_universal || positive);
            }
            Op::Iff => {
                for &c in terms.children(t) {
                    walk(terms, c, true, below_universal);
                    walk(terms, c, false, below_universal);
                }
            }
            Op::Ite if terms.sort(t) == SortId::BOOL => {
                let kids = terms.children(t);
                walk(terms, kids[0], !positive, below_universal);
                kids.iter().for_each(|&c| walk(terms, c, positive, below_universal));
            }
            _ => terms.children(t).iter().for_each(|&c| walk(terms, c, positive, below_universal)),
        }
    }
    for seed in 0..300 {
        for functions in [0, 2] {
            let generator =
                Epr { functions, sorts: 2, shape: Shape { assertions: 3, depth: 2 }, ..Epr::default() };
            let problem = generator.generate(seed);
            problem.formulas.iter().for_each(|&f| walk(&problem.terms, f, true, false));
            let signature = Signature::of(&problem.terms, &problem.formulas);
            for func in signature.funcs.iter().map(|&f| problem.terms.func(f)) {
                assert!(
                    func.result == SortId::BOOL || func.args.is_empty() || func.args[0] < func.result,
                    "functions go to later sorts"
                );
            }
        }
    }
}

#[test]
fn acyclic_encodings_agree() {
    let generator = AcyclicReach { constants: 2, quantifiers: 1, shape: Shape { assertions: 2, depth: 1 } };
    let (mut n_sat, mut n_none) = (0, 0);
    for seed in 0..60 {
        let [heap, order] = [generator.generate(seed), generator.generate_epr(seed)]
            .map(|p| decide_by_enumeration(&p.terms, &p.formulas, 3, 0..=0, 300_000));
        if heap == Brute::TooMany || order == Brute::TooMany {
            continue;
        }
        assert_eq!(heap.is_sat(), order.is_sat(), "seed {seed}");
        if heap.is_sat() { n_sat += 1 } else { n_none += 1 }
    }
    assert!(n_sat >= 10 && n_none >= 5, "{n_sat} {n_none}");
}
