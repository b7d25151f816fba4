//! The naive checker of derivations and refutations. It shares no code with the solver beyond [`Int`].

use std::collections::BTreeMap;

use crate::engine::arith::{ArithVar, Constraint, Derivation, Premise, RefutationStep, Relation, Source};
use crate::util::num::Int;

/// `form <= constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inequality {
    pub form: BTreeMap<u32, Int>,
    pub constant: Int,
}

impl Inequality {
    pub fn new(terms: &[(Int, ArithVar)], upper: bool, bound: &Int) -> Inequality {
        let mut sum = Inequality { form: BTreeMap::new(), constant: Int::ZERO };
        let mut one = Inequality { form: BTreeMap::new(), constant: bound.clone() };
        for (c, v) in terms {
            *one.form.entry(v.0).or_default() += c;
        }
        sum.add(&(if upper { Int::ONE } else { Int::MINUS_ONE }), &one);
        sum
    }

    fn add(&mut self, multiplier: &Int, other: &Inequality) {
        for (v, c) in &other.form {
            *self.form.entry(*v).or_default() += c * multiplier;
        }
        self.form.retain(|_, c| !c.is_zero());
        self.constant += &other.constant * multiplier;
    }

    fn round(&mut self) {
        let gcd = self.form.values().fold(Int::ZERO, |g, c| g.gcd(c));
        if gcd.is_zero() {
            return;
        }
        self.form.values_mut().for_each(|c| *c = c.div_floor(&gcd));
        self.constant = self.constant.div_floor(&gcd);
    }

    pub fn is_contradiction(&self) -> bool {
        self.form.is_empty() && self.constant.is_negative()
    }

    pub fn holds(&self, point: &[Int]) -> bool {
        self.form.iter().fold(Int::ZERO, |s, (v, c)| s + c * &point[*v as usize]) <= self.constant
    }
}

/// The inequality of the last step; `meaning` gives that of a premise and fails on one never asserted.
pub fn replay(derivation: &Derivation, meaning: &dyn Fn(&Premise) -> Inequality) -> Inequality {
    let mut results: Vec<Inequality> = Vec::new();
    for step in &derivation.steps {
        let mut sum = Inequality { form: BTreeMap::new(), constant: Int::ZERO };
        for (multiplier, source) in &step.sum {
            assert!(multiplier.is_positive());
            match source {
                Source::Bound(premise) => sum.add(multiplier, &meaning(premise)),
                Source::Step(k) => sum.add(multiplier, &results[*k]),
            }
        }
        sum.round();
        results.push(sum);
    }
    results.pop().expect("a derivation has a step")
}

fn premise_of(constraint: &Constraint, p: &Premise) -> Inequality {
    assert_eq!(constraint.bound, p.bound);
    assert_ne!(constraint.relation, if p.upper { Relation::Ge } else { Relation::Le });
    Inequality::new(&constraint.terms, p.upper, &p.bound)
}

/// An inequality that a refutation may use at some point of its tree.
struct InForce {
    reason: u32,
    inequality: Inequality,
    split: bool,
    /// The upper side of a split, while its lower side is being searched.
    high: Option<Inequality>,
}

/// Replays a whole refutation. `on_cut` sees every cut with the inequalities of the splits around it.
pub fn refute(
    constraints: &[Constraint],
    steps: &[RefutationStep],
    on_cut: &mut dyn FnMut(&[Inequality], &Inequality),
) {
    let mut force: Vec<InForce> = Vec::new();
    let mut finished = false;
    for (k, step) in steps.iter().enumerate() {
        assert!(!finished, "nothing follows the end of the tree");
        let reason = (constraints.len() + k) as u32;
        let meaning = |p: &Premise| match constraints.get(p.reason as usize) {
            Some(constraint) => premise_of(constraint, p),
            None => {
                let found = force.iter().find(|f| f.reason == p.reason);
                found.expect("the premise is in force").inequality.clone()
            }
        };
        match step {
            RefutationStep::Split { terms, floor } => {
                let low = Inequality::new(terms, true, floor);
                let high = Inequality::new(terms, false, &(floor + Int::ONE));
                force.push(InForce { reason, inequality: low, split: true, high: Some(high) });
            }
            RefutationStep::Cut { terms, bound, derivation } => {
                let cut = Inequality::new(terms, true, bound);
                assert_eq!(replay(derivation, &meaning), cut);
                let splits: Vec<_> = force.iter().filter(|f| f.split).map(|f| f.inequality.clone()).collect();
                on_cut(&splits, &cut);
                force.push(InForce { reason, inequality: cut, split: false, high: None });
            }
            RefutationStep::Conflict(derivation) => {
                assert!(replay(derivation, &meaning).is_contradiction());
                while force.last().is_some_and(|f| f.high.is_none()) {
                    force.pop();
                }
                match force.last_mut() {
                    None => finished = true,
                    Some(split) => split.inequality = split.high.take().expect("an open split"),
                }
            }
        }
    }
    assert!(finished, "every branch is closed");
}
