//! Answers against the finite model finder and against enumeration of all models.

use super::finder::has_small_model;
use super::generate::Generator;
use super::{check, satisfies};
use crate::engine::ground::{GroundAnswer, Grounder};
use crate::logic::{Evaluator, Model, Op, SortId, TermId, Terms, Value};

/// Decides one random problem, checks a model by evaluation and a refutation by the finder.
fn one(seed: u64, depth: usize) -> bool {
    let mut generator = Generator::new(seed);
    let mut formulas: Vec<TermId> = Vec::new();
    for _ in 0..1 + generator.rng.below(4) {
        let formula = generator.formula(depth, &formulas);
        formulas.push(formula);
    }
    let terms = &mut generator.terms;
    let mut grounder = Grounder::new(false);
    formulas.iter().for_each(|&f| grounder.assert(terms, f));
    match check(&mut grounder, terms, &[]) {
        GroundAnswer::Sat => {
            satisfies(&mut grounder, terms, &formulas);
            true
        }
        GroundAnswer::Unsat { core } => {
            assert!(core.is_empty());
            assert!(!has_small_model(terms, &formulas, 3), "seed {seed} has a model of at most 3 elements");
            false
        }
    }
}

#[test]
fn random_problems_against_the_finder() {
    let mut unsat = 0;
    for seed in 0..2500 {
        unsat += u32::from(!one(seed, 3));
    }
    for seed in 3000..3400 {
        unsat += u32::from(!one(seed, 5));
    }
    assert!((200..2700).contains(&unsat), "both answers are common: {unsat} unsat");
}

/// Every model with up to `most` elements, of a signature of predicates and constants on one sort.
fn enumerate(terms: &Terms, formula: TermId, sort: SortId, most: u32) -> bool {
    let funcs: Vec<_> = terms.funcs().map(|(id, f)| (id, f.args.len(), f.result)).collect();
    for size in 1..=most {
        let mut places: Vec<(crate::logic::FuncId, Vec<Value>, u32)> = Vec::new();
        for &(func, arity, result) in &funcs {
            let choices = if result == SortId::BOOL { 2 } else { size };
            for at in 0..size.pow(arity as u32) {
                let args = (0..arity as u32).map(|i| Value::Elem(at / size.pow(i) % size)).collect();
                places.push((func, args, choices));
            }
        }
        let total: u64 = places.iter().map(|p| u64::from(p.2)).product();
        for mut number in 0..total {
            let mut model = Model::new(terms);
            model.set_size(sort, size);
            for (func, args, choices) in &places {
                let choice = (number % u64::from(*choices)) as u32;
                number /= u64::from(*choices);
                let value = match terms.func(*func).result {
                    SortId::BOOL => Value::Bool(choice == 1),
                    _ => Value::Elem(choice),
                };
                model.set(terms, *func, args, value);
            }
            if Evaluator::new(terms, &model).holds(formula) == Ok(true) {
                return true;
            }
        }
    }
    false
}

#[test]
fn tiny_problems_against_all_models() {
    let mut unsat = 0;
    for seed in 0..100 {
        let mut rng = crate::util::rng::Rng::new(seed);
        let mut t = Terms::new();
        let s = t.declare_sort("S").unwrap();
        let a = t.declare_const("a", s).unwrap();
        let r = t.declare_fun("r", &[s, s], SortId::BOOL).unwrap();
        let (x, y, z) =
            (t.variable("x", s).unwrap(), t.variable("y", s).unwrap(), t.variable("z", s).unwrap());
        let mut parts = Vec::new();
        for _ in 0..3 + rng.below(4) {
            let mut literals = Vec::new();
            for _ in 0..1 + rng.below(3) {
                let (left, right) = (*rng.pick(&[x, y, z, a]), *rng.pick(&[x, y, z, a]));
                let atom = if rng.one_in(4) { t.eq(left, right) } else { t.app(r, &[left, right]) }.unwrap();
                literals.push(if rng.one_in(2) { t.not(atom).unwrap() } else { atom });
            }
            let clause = t.or(&literals).unwrap();
            let inner = t.forall(&[y, z], clause).unwrap();
            parts.push(if rng.one_in(4) { t.exists(&[x], inner) } else { t.forall(&[x], inner) }.unwrap());
        }
        // Witnesses outside: at most two of them and a make a universe of three.
        let parts: Vec<TermId> = {
            let mut witnesses = 0;
            parts.retain(|&p| {
                witnesses += usize::from(matches!(t.op(p), Op::Not));
                !matches!(t.op(p), Op::Not) || witnesses <= 2
            });
            parts
        };
        let formula = t.and(&parts).unwrap();
        let expected = enumerate(&t, formula, s, 3);
        let mut grounder = Grounder::new(false);
        grounder.assert(&mut t, formula);
        let found = check(&mut grounder, &mut t, &[]) == GroundAnswer::Sat;
        assert_eq!(found, expected, "seed {seed}");
        unsat += u32::from(!expected);
    }
    assert!((5..95).contains(&unsat), "both answers are common: {unsat} unsat");
}

#[test]
fn runs_are_repeatable() {
    for seed in 0..60 {
        let run = || {
            let mut generator = Generator::new(seed);
            let formula = generator.formula(5, &[]);
            let mut grounder = Grounder::new(true);
            grounder.assert(&mut generator.terms, formula);
            let answer = check(&mut grounder, &mut generator.terms, &[]);
            let model = (answer == GroundAnswer::Sat).then(|| grounder.model(&generator.terms));
            (answer, grounder.stats(), format!("{model:?}"))
        };
        assert_eq!(run(), run());
    }
}
