//! The two ways to ask the paths of a program, both of which can be left and gone on with.

use super::grove::{Kinds, Parent};
use super::recursion::Calls;
use super::search::{Progress, Search, asked};
use super::summary::{Landmarks, Summing};
use super::{Executed, STACK, asks, unknown};
use crate::frontend::c::{CheckedUnit, Options};
use crate::program::Check;
use crate::util::limits::{Budget, Limits, Stop};
use crate::util::threads::with_stack;
use crate::verdict::{Counters, Reason, Verdict};
use std::sync::Arc;

/// Follows all paths as they are.
pub struct Follower<'a> {
    unit: &'a CheckedUnit,
    options: &'a Options,
    search: Search,
    ended: bool,
}

impl<'a> Follower<'a> {
    /// Of this `main`.
    #[must_use]
    pub fn new(unit: &'a CheckedUnit, options: &'a Options) -> Follower<'a> {
        Follower { unit, options, search: Search::new(None, Arc::default()), ended: false }
    }

    /// There is nothing left to be followed.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Goes on within these limits.
    pub fn go_on(&mut self, limits: &Limits) -> Executed {
        let (unit, options, search) = (self.unit, self.options, &mut self.search);
        match with_stack(STACK, || search.go_on(unit, options, limits, &[])) {
            Ok(Progress::Ended(found)) => {
                self.ended = true;
                *found
            }
            Ok(Progress::Stopped(stop, reason)) => {
                self.ended = stop == Stop::Memory;
                unknown(&reason.message, reason.span, Counters::default())
            }
            Err(_) => super::no_memory(),
        }
    }
}

/// Proves by paths whose states are summed up at loop heads (`summary`): `verified`, or nothing is known. What is left out
/// differs from one attempt to the next; all of them get more and more steps in turn, since nobody knows which one leads to
/// an end.
pub struct Prover<'a> {
    unit: &'a CheckedUnit,
    options: &'a Options,
    attempts: Vec<Search>,
    /// Whose turn it is, and how many steps that is.
    next: usize,
    steps: u64,
    /// Classes of failures that are the first one of no run.
    excluded: Vec<Check>,
    /// What the most exact attempt failed with.
    why: Option<Reason>,
    counters: Counters,
}

/// Steps of the first turns.
const FIRST_TURN: u64 = 15_000;
/// How turns grow.
const GROWTH: u64 = 6;

/// How states are summed up, the most exact way first.
const ATTEMPTS: [Summing; 8] = [
    Summing { widen_after: 70, keeps_numbers: true, kinds: 1, loose: false, row: 3, trees: None },
    Summing { widen_after: 70, keeps_numbers: true, kinds: 4, loose: false, row: 3, trees: None },
    Summing { widen_after: 2, keeps_numbers: false, kinds: 4, loose: true, row: 2, trees: None },
    Summing { widen_after: 2, keeps_numbers: false, kinds: 1, loose: true, row: 2, trees: None },
    Summing { widen_after: 70, keeps_numbers: false, kinds: 1, loose: true, row: 3, trees: None },
    Summing { widen_after: 70, keeps_numbers: false, kinds: 1, loose: false, row: 7, trees: None },
    Summing {
        widen_after: 2,
        keeps_numbers: false,
        kinds: 4,
        loose: true,
        row: 3,
        trees: Some(Parent::Last),
    },
    Summing {
        widen_after: 2,
        keeps_numbers: false,
        kinds: 4,
        loose: true,
        row: 3,
        trees: Some(Parent::First),
    },
];

impl<'a> Prover<'a> {
    /// Of this `main`.
    #[must_use]
    pub fn new(unit: &'a CheckedUnit, options: &'a Options) -> Prover<'a> {
        let mut prover = Prover {
            unit,
            options,
            attempts: Vec::new(),
            next: 0,
            steps: FIRST_TURN,
            excluded: Vec::new(),
            why: None,
            counters: Counters::default(),
        };
        if asks(options, Check::Termination) {
            let message = "whether runs end is not seen in sums of states".to_owned();
            prover.why = Some(Reason { message, span: None });
            return prover;
        }
        let landmarks = Arc::new(Landmarks::of(unit));
        let trees = !Kinds::of(&unit.types).is_empty();
        let calls = Calls::of(unit);
        let attempts = ATTEMPTS.into_iter().filter(|how| trees || how.trees.is_none());
        let search = |how| Search::new(Some(how), landmarks.clone()).with_calls(calls.clone());
        prover.attempts = attempts.map(search).collect();
        prover
    }

    /// No attempt is left.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.attempts.is_empty()
    }

    /// Classes of failures that were shown to be no run's first one.
    #[must_use]
    pub fn excluded(&self) -> &[Check] {
        &self.excluded
    }

    /// Somebody else has shown that failures of this class are no run's first one.
    pub fn exclude(&mut self, check: Check) {
        if !self.excluded.contains(&check) {
            self.excluded.push(check);
        }
    }

    /// Goes on within these limits.
    pub fn go_on(&mut self, limits: &Limits) -> Executed {
        let mut budget = Budget::new(limits);
        let mut used = 0u64;
        while self.next < self.attempts.len() {
            let left = limits.steps.map(|most| most.saturating_sub(used));
            let turn = left.map_or(self.steps, |left| left.min(self.steps));
            let time = budget.within(limits).time;
            if turn == 0 || time.is_some_and(|t| t.is_zero()) || budget.poll().is_err() {
                break;
            }
            let within = Limits { steps: Some(turn), ..budget.within(limits) };
            let (unit, options, excluded) = (self.unit, self.options, &self.excluded[..]);
            let search = &mut self.attempts[self.next];
            let Ok(progress) = with_stack(STACK, || search.go_on(unit, options, &within, excluded)) else {
                return super::no_memory();
            };
            used = used.saturating_add(turn);
            match progress {
                Progress::Ended(found) => {
                    let search = self.attempts.remove(self.next);
                    self.counters.add(&found.outcome.counters);
                    if matches!(found.outcome.verdict, Verdict::Verified(_)) {
                        for check in asked(self.options) {
                            if !search.failed.contains(&check) {
                                self.exclude(check);
                            }
                        }
                        if asked(self.options).iter().all(|check| self.excluded.contains(check)) {
                            return *found;
                        }
                    } else if let Verdict::Unknown(reason) = found.outcome.verdict {
                        self.why.get_or_insert(reason);
                    }
                }
                Progress::Stopped(Stop::Memory, _) => {
                    self.attempts.remove(self.next);
                }
                Progress::Stopped(..) => self.next += 1,
            }
            if self.next >= self.attempts.len() {
                self.next = 0;
                self.steps = self.steps.saturating_mul(GROWTH);
            }
        }
        let why = self.why.clone().unwrap_or(Reason {
            message: "there is no end to the paths, though their states are summed up".to_owned(),
            span: None,
        });
        unknown(&why.message, why.span, self.counters.clone())
    }
}
