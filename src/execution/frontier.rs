//! The paths that are still to be followed, none of them for ever.
//!
//! A path may never end. So each gets an allowance of statements and of other paths that it leaves for later; one that needs more waits
//! until all others had theirs, and is then made again with four times as much. What is made again costs a third of the whole, at most.
//! Paths that begin alike share what was decided on them: a path with n decisions leaves up to n others, which take memory
//! for n decisions together.

use super::path::Path;
use crate::util::hash::Set;
use std::collections::VecDeque;
use std::sync::Arc;

/// Statements of a path before others have their turn.
const FIRST_ALLOWANCE: u64 = 4_000;
/// Paths that one may leave for later before these have their turn.
const FIRST_BRANCHES: usize = 24;
/// How the allowance grows.
const GROWTH: u64 = 4;
/// Paths that wait, at most.
const MAX_WAITING: usize = 1_000_000;
/// Decisions that are kept for them, at most: a byte each.
const MAX_KEPT: usize = 500_000_000;

/// A path that waits: the first decisions of a path that was followed, the last of them turned round if it is another one.
struct Waiting {
    decisions: Arc<[bool]>,
    length: usize,
    turned: bool,
    /// Loop heads that it had come to before it had to wait.
    arrivals: u64,
}

/// A path to follow.
pub(super) struct Next {
    /// Its first decisions.
    pub(super) given: Vec<bool>,
    /// Loop heads that it had come to before.
    pub(super) arrivals: u64,
}

impl Waiting {
    fn given(&self) -> Vec<bool> {
        let mut given = self.decisions[..self.length].to_vec();
        if let Some(last) = given.last_mut().filter(|_| self.turned) {
            *last = !*last;
        }
        given
    }
}

/// What a path may do before others have their turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    statements: u64,
    branches: usize,
    /// No other path waits.
    alone: bool,
}

impl Allowance {
    /// Whether a path that has executed so many statements, or left so many others for later, has to wait. As long as there is no other path, it need not.
    pub(super) fn is_used_up(self, statements: u64, path: &Path) -> bool {
        let used_up = statements > self.statements || path.others.len() > self.branches;
        used_up && !(self.alone && path.others.is_empty())
    }
}

/// The paths that wait.
pub(super) struct Frontier {
    ready: VecDeque<Waiting>,
    /// Those that used up their allowance.
    later: VecDeque<Waiting>,
    allowance: u64,
    branches: usize,
    /// Decisions of all paths that left something to wait for.
    kept: usize,
    /// Where operands are evaluated the other way round: several paths may find that this makes a difference.
    orders: Set<Box<[bool]>>,
}

impl Frontier {
    /// The path without decisions.
    pub(super) fn new() -> Frontier {
        let first = Waiting { decisions: Arc::from([]), length: 0, turned: false, arrivals: 0 };
        Frontier {
            ready: VecDeque::from([first]),
            later: VecDeque::new(),
            allowance: FIRST_ALLOWANCE,
            branches: FIRST_BRANCHES,
            kept: 0,
            orders: Set::default(),
        }
    }

    /// The next path.
    pub(super) fn next(&mut self) -> Option<Next> {
        if self.ready.is_empty() {
            std::mem::swap(&mut self.ready, &mut self.later);
            self.allowance = self.allowance.saturating_mul(GROWTH);
            self.branches = self.branches.saturating_mul(GROWTH as usize);
        }
        let waiting = self.ready.pop_front()?;
        Some(Next { given: waiting.given(), arrivals: waiting.arrivals })
    }

    /// The path that was taken last was stopped after so many loop heads: it goes on first, with the same decisions. Its
    /// states are known by now, so it must not become another path.
    pub(super) fn put_back(&mut self, taken: &[bool], arrivals: u64) {
        let decisions: Arc<[bool]> = Arc::from(taken);
        let length = decisions.len();
        self.ready.push_front(Waiting { decisions, length, turned: false, arrivals });
    }

    /// What the path that was taken last may do before others have their turn.
    pub(super) fn allowance(&self) -> Allowance {
        Allowance {
            statements: self.allowance,
            branches: self.branches,
            alone: self.ready.is_empty() && self.later.is_empty(),
        }
    }

    /// Notes what a path leaves for later: itself too, if it was paused after so many loop heads.
    pub(super) fn leave(&mut self, path: &Path, paused: Option<u64>) {
        for order in &path.orders {
            let mut given = path.taken[..*order].to_vec();
            given.push(true);
            let length = given.len();
            let decisions: Arc<[bool]> = Arc::from(&given[..]);
            if self.orders.insert(given.into_boxed_slice()) {
                self.kept += 2 * length;
                self.ready.push_back(Waiting { decisions, length, turned: false, arrivals: 0 });
            }
        }
        if path.others.is_empty() && paused.is_none() {
            return;
        }
        let decisions: Arc<[bool]> = Arc::from(path.decisions());
        self.kept += decisions.len();
        for other in &path.others {
            self.ready.push_back(Waiting {
                decisions: decisions.clone(),
                length: other + 1,
                turned: true,
                arrivals: 0,
            });
        }
        if let Some(arrivals) = paused {
            let length = decisions.len();
            self.later.push_back(Waiting { decisions, length, turned: false, arrivals });
        }
    }

    /// More paths wait than can be kept.
    pub(super) fn is_full(&self) -> bool {
        self.ready.len() + self.later.len() > MAX_WAITING || self.kept > MAX_KEPT
    }
}
