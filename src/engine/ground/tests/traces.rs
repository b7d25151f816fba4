//! Incremental use against fresh solvers: levels, selectors, assumptions, stopped queries.

use super::generate::Generator;
use super::{check, fresh, satisfies};
use crate::engine::ground::{GroundAnswer, Grounder};
use crate::logic::TermId;
use crate::util::limits::{Budget, Limits, Stop};

/// The assertions that are in force, by level.
struct Trace {
    generator: Generator,
    grounder: Grounder,
    levels: Vec<Vec<TermId>>,
    /// All formulas ever, so that they stay in the fragment together.
    all: Vec<TermId>,
}

impl Trace {
    fn new(seed: u64) -> Trace {
        let grounder = Grounder::new(seed.is_multiple_of(2));
        Trace { generator: Generator::new(seed), grounder, levels: vec![Vec::new()], all: Vec::new() }
    }

    fn formula(&mut self) -> TermId {
        let formula = self.generator.formula(3, &self.all);
        self.all.push(formula);
        formula
    }

    fn assert(&mut self) {
        let formula = self.formula();
        let generator = &mut self.generator;
        let selector = generator.rng.one_in(3).then(|| *generator.rng.pick(&generator.bools));
        let asserted = match selector {
            Some(selector) => generator.terms.implies(selector, formula).unwrap(),
            None => formula,
        };
        self.grounder.assert(&mut generator.terms, asserted);
        self.levels.last_mut().unwrap().push(asserted);
    }

    fn assumptions(&mut self) -> Vec<TermId> {
        let mut assumptions = Vec::new();
        for _ in 0..self.generator.rng.below(4) {
            let formula = match self.generator.rng.below(3) {
                0 => self.formula(),
                1 if !self.all.is_empty() => *self.generator.rng.pick(&self.all),
                _ => *self.generator.rng.pick(&self.generator.bools),
            };
            assumptions.push(formula);
        }
        assumptions
    }

    fn check(&mut self) -> bool {
        let assumptions = self.assumptions();
        let active: Vec<TermId> = self.levels.iter().flatten().copied().collect();
        let terms = &mut self.generator.terms;
        if self.generator.rng.one_in(4) {
            let steps = Some(1 + self.generator.rng.below(40) as u64);
            let mut budget = Budget::new(&Limits { steps, ..Limits::default() });
            let stopped = self.grounder.check(terms, &assumptions, &mut budget);
            assert!(!matches!(stopped, Err(stop) if stop != Stop::Steps));
        }
        let with = |some: &[TermId]| active.iter().chain(some).copied().collect::<Vec<TermId>>();
        match check(&mut self.grounder, terms, &assumptions) {
            GroundAnswer::Sat => {
                satisfies(&mut self.grounder, terms, &with(&assumptions));
                assert!(fresh(terms, &with(&assumptions)), "fresh and incremental agree");
                true
            }
            GroundAnswer::Unsat { core } => {
                assert!(core.iter().all(|c| assumptions.contains(c)), "a core is made of assumptions");
                assert!(!fresh(terms, &with(&core)), "the core has no model");
                false
            }
        }
    }
}

#[test]
fn incremental_agrees_with_fresh() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..250 {
        let mut trace = Trace::new(seed);
        for _ in 0..14 {
            match trace.generator.rng.below(6) {
                0 | 1 => trace.assert(),
                2 => {
                    trace.grounder.push();
                    trace.levels.push(Vec::new());
                }
                3 => {
                    let popped = trace.grounder.pop();
                    assert_eq!(popped, trace.levels.len() > 1);
                    if popped {
                        trace.levels.pop();
                    }
                }
                _ if trace.check() => sat += 1,
                _ => unsat += 1,
            }
        }
    }
    assert!(sat > 100 && unsat > 100, "both answers are common: {sat} sat, {unsat} unsat");
}

#[test]
fn a_stopped_query_can_be_repeated() {
    for seed in 0..40 {
        let mut generator = Generator::new(seed);
        let formula = generator.formula(5, &[]);
        let expected = fresh(&mut generator.terms, &[formula]);
        let mut grounder = Grounder::new(true);
        grounder.assert(&mut generator.terms, formula);
        let mut answer = None;
        for steps in 1.. {
            let mut budget = Budget::new(&Limits { steps: Some(steps), ..Limits::default() });
            match grounder.check(&mut generator.terms, &[], &mut budget) {
                Ok(found) => {
                    answer = Some(found);
                    break;
                }
                Err(stop) => assert_eq!(stop, Stop::Steps),
            }
        }
        assert_eq!(answer == Some(GroundAnswer::Sat), expected, "seed {seed}");
    }
}
