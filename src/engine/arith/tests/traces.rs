//! Random sequences of assertions, pushes, pops and checks against a fresh solver at every check.

use super::brute::within;
use super::replay::{Inequality, replay};
use crate::engine::arith::{Arith, ArithVar, Conflict, Derivation, IntegerCheck, Premise};
use crate::util::limits::{Budget, Limits};
use crate::util::num::{Int, Rat};
use crate::util::rng::Rng;

const UNKNOWNS: u32 = 5;

type Terms = Vec<(Int, ArithVar)>;

struct Trace {
    arith: Arith,
    forms: Vec<(ArithVar, Terms)>,
    /// The bounds asserted, per level.
    levels: Vec<Vec<Premise>>,
    next_reason: u32,
}

impl Trace {
    fn new(rng: &mut Rng) -> Trace {
        let mut arith = Arith::new();
        let unknowns: Vec<ArithVar> = (0..UNKNOWNS).map(|_| arith.new_var()).collect();
        let forms = unknowns.iter().map(|&v| (v, vec![(Int::ONE, v)])).collect();
        let mut trace = Trace { arith, forms, levels: vec![Vec::new()], next_reason: 0 };
        for _ in 0..4 {
            trace.add_form(rng);
        }
        trace
    }

    fn add_form(&mut self, rng: &mut Rng) {
        let mut terms: Terms = (0..UNKNOWNS).map(|v| (within(rng, -4, 4), ArithVar(v))).collect();
        terms.retain(|(c, _)| !c.is_zero() && rng.below(3) > 0);
        let var = self.arith.linear(&terms);
        self.forms.push((var, terms));
    }

    fn active(&self) -> impl Iterator<Item = &Premise> {
        self.levels.iter().flatten()
    }

    fn terms(&self, var: ArithVar) -> &Terms {
        &self.forms.iter().find(|(v, _)| *v == var).expect("a variable of the trace").1
    }

    fn replay(&self, derivation: &Derivation) -> Inequality {
        replay(derivation, &|p: &Premise| {
            assert!(self.active().any(|q| q == p), "{p:?} was never asserted");
            Inequality::new(self.terms(p.var), p.upper, &p.bound)
        })
    }

    fn check_conflict(&self, conflict: &Conflict) {
        assert!(self.replay(&conflict.derivation).is_contradiction());
        assert!(conflict.reasons().iter().all(|r| self.active().any(|p| p.reason == *r)));
    }

    /// Asserts a random bound; false on a conflict.
    fn assert_bound(&mut self, rng: &mut Rng) -> bool {
        let var = rng.pick(&self.forms).0;
        let bound = within(rng, -12, 12);
        let premise = Premise { reason: self.next_reason, upper: rng.one_in(2), var, bound };
        self.next_reason += 1;
        self.levels.last_mut().unwrap().push(premise.clone());
        match assert_premise(&mut self.arith, &premise) {
            Ok(()) => true,
            Err(conflict) => {
                self.check_conflict(&conflict);
                false
            }
        }
    }

    fn pop(&mut self, n: usize) {
        self.arith.pop(n);
        self.levels.truncate(self.levels.len() - n);
    }

    fn check_values(&self) {
        assert!(self.arith.check_tableau());
        for (var, terms) in &self.forms {
            let sum = terms.iter().fold(Rat::ZERO, |s, (c, v)| s + Rat::from(c) * self.arith.value(*v));
            assert_eq!(sum, *self.arith.value(*var));
        }
        for p in self.active() {
            let value = self.arith.value(p.var);
            let bound = Rat::from(&p.bound);
            assert!(if p.upper { *value <= bound } else { *value >= bound });
        }
    }

    fn check_integer(&mut self) {
        match self.arith.check_integer(&mut Budget::unlimited()).unwrap() {
            IntegerCheck::Integral => {
                assert!(self.forms.iter().all(|(v, _)| self.arith.value(*v).is_integer()));
            }
            IntegerCheck::Branch { var, floor } => {
                let value = self.arith.value(var);
                assert!(!value.is_integer() && value.floor() == floor);
            }
            IntegerCheck::Cut { terms, bound, derivation } => {
                assert_eq!(self.replay(&derivation), Inequality::new(&terms, true, &bound));
                let now = terms.iter().fold(Rat::ZERO, |s, (c, v)| s + Rat::from(c) * self.arith.value(*v));
                assert!(
                    now > Rat::from(&bound) || self.is_news(&terms, &bound),
                    "a cut excludes the present values or is news of an unknown"
                );
            }
            IntegerCheck::Conflict(conflict) => self.check_conflict(&conflict),
        }
    }

    /// Whether `terms <= bound` is a tighter bound of an unknown than the present one.
    fn is_news(&self, terms: &[(Int, ArithVar)], bound: &Int) -> bool {
        let [(coeff, x)] = terms else { return false };
        if coeff.is_one() {
            self.arith.upper(*x).is_none_or(|old| bound < old)
        } else {
            assert_eq!(*coeff, Int::MINUS_ONE, "cuts are primitive");
            self.arith.lower(*x).is_none_or(|old| -bound > *old)
        }
    }

    fn fresh_is_feasible(&self) -> bool {
        let mut fresh = Arith::new();
        for _ in 0..UNKNOWNS {
            fresh.new_var();
        }
        let asserted = self.active().all(|p| {
            let var = fresh.linear(self.terms(p.var));
            assert_premise(&mut fresh, &Premise { var, ..p.clone() }).is_ok()
        });
        asserted && fresh.check(&mut Budget::unlimited()).unwrap().is_ok()
    }
}

fn assert_premise(arith: &mut Arith, p: &Premise) -> Result<(), Conflict> {
    if p.upper {
        arith.assert_upper(p.var, &p.bound, p.reason)
    } else {
        arith.assert_lower(p.var, &p.bound, p.reason)
    }
}

/// Runs one trace, if `interrupted` with checks that run out of steps in between, and returns what happened.
fn run(seed: u64, interrupted: bool) -> String {
    let mut rng = Rng::new(seed);
    let mut trace = Trace::new(&mut rng);
    let mut log = String::new();
    for _ in 0..120 {
        let consistent = match rng.below(12) {
            0..5 => trace.assert_bound(&mut rng),
            5..7 => {
                trace.arith.push();
                trace.levels.push(Vec::new());
                true
            }
            7 if trace.levels.len() > 1 => {
                let n = 1 + rng.below(trace.levels.len() - 1);
                trace.pop(n);
                true
            }
            8 if trace.forms.len() < 16 => {
                trace.add_form(&mut rng);
                true
            }
            _ => {
                if interrupted {
                    let limits = Limits { steps: Some(1 + rng.below(20) as u64), ..Limits::default() };
                    let _ = trace.arith.check(&mut Budget::new(&limits));
                    assert!(trace.arith.check_tableau());
                }
                let result = trace.arith.check(&mut Budget::unlimited()).unwrap();
                assert_eq!(result.is_ok(), trace.fresh_is_feasible());
                log += &format!("{result:?};");
                match &result {
                    Ok(()) => {
                        if interrupted {
                            let limits =
                                Limits { steps: Some(1 + rng.below(60) as u64), ..Limits::default() };
                            let _ = trace.arith.check_integer(&mut Budget::new(&limits));
                        }
                        trace.check_values();
                        trace.check_integer();
                        trace.check_values();
                    }
                    Err(conflict) => trace.check_conflict(conflict),
                }
                result.is_ok()
            }
        };
        if !consistent {
            if trace.levels.len() == 1 {
                break;
            }
            trace.pop(1);
        }
    }
    log + &format!("{} pivots", trace.arith.pivots())
}

#[test]
fn traces_agree_with_a_fresh_solver() {
    let pivots: usize = (0..400).filter(|&seed| !run(seed, false).ends_with(" 0 pivots")).count();
    assert!(pivots > 100, "{pivots} traces pivot");
}

#[test]
fn a_stopped_check_leaves_the_solver_usable() {
    (1000..1200).for_each(|seed| drop(run(seed, true)));
}

#[test]
fn equal_traces_give_equal_results() {
    (0..40).for_each(|seed| assert_eq!(run(seed, false), run(seed, false)));
}
