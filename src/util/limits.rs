//! Limits on work: deterministic steps, a deadline, memory, and a token that cancels from another thread.
//!
//! [`Limits`] is what a caller asks for; a [`Budget`] is one running meter made from it. Every loop that
//! can take long calls [`Budget::spend`], which reads a clock only once per [`POLL_EVERY`] steps and so
//! costs one addition and one comparison otherwise. A stopped budget stays stopped.

use crate::util::clock::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// How many steps may pass between two looks at the clock and at the cancellation token.
pub const POLL_EVERY: u64 = 1024;

const RUNNING: u8 = 0;
const CANCELLED: u8 = 1;
const EXHAUSTED: u8 = 2;

/// A flag that stops a running check from another thread. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicU8>);

impl CancelToken {
    /// A token that nobody has cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Asks every check that holds a clone of this token to stop.
    pub fn cancel(&self) {
        self.0.store(CANCELLED, Ordering::Relaxed);
    }

    /// As [`CancelToken::cancel`], because the process has no memory left to give; a cancelled token stays so.
    pub fn exhaust(&self) {
        let _ = self.0.compare_exchange(RUNNING, EXHAUSTED, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Makes the token usable again after [`CancelToken::cancel`].
    pub fn reset(&self) {
        self.0.store(RUNNING, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.stop().is_some()
    }

    /// Why a check has to stop, if it has to.
    pub(crate) fn stop(&self) -> Option<Stop> {
        match self.0.load(Ordering::Relaxed) {
            RUNNING => None,
            EXHAUSTED => Some(Stop::Memory),
            _ => Some(Stop::Cancelled),
        }
    }
}

/// What a single check may use. The default sets no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Deterministic work units; the same input stops at the same place on every machine.
    pub steps: Option<u64>,
    /// Wall-clock time of one check.
    pub time: Option<Duration>,
    /// Bytes of solver state, as counted by the structures themselves.
    pub memory: Option<u64>,
    /// Cancellation from another thread.
    pub cancel: Option<CancelToken>,
}

/// Why a check stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The step limit was reached.
    Steps,
    /// The deadline passed.
    Deadline,
    /// The memory limit was reached.
    Memory,
    /// The token was cancelled.
    Cancelled,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Steps => "the step limit was reached",
            Stop::Deadline => "the deadline passed",
            Stop::Memory => "the memory limit was reached",
            Stop::Cancelled => "the check was cancelled",
        })
    }
}

/// The meter of one check.
#[derive(Clone, Debug)]
pub struct Budget {
    used: u64,
    next_poll: u64,
    steps: u64,
    deadline: Option<Instant>,
    memory: Option<u64>,
    memory_used: u64,
    cancel: Option<CancelToken>,
    stopped: Option<Stop>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::unlimited()
    }
}

impl Budget {
    /// Starts a meter now.
    pub fn new(limits: &Limits) -> Budget {
        Budget {
            used: 0,
            next_poll: 0,
            steps: limits.steps.unwrap_or(u64::MAX),
            deadline: limits.time.and_then(|t| Instant::now().checked_add(t)),
            memory: limits.memory,
            memory_used: 0,
            cancel: limits.cancel.clone(),
            stopped: None,
        }
    }

    /// A meter that never stops.
    pub fn unlimited() -> Budget {
        Budget::new(&Limits::default())
    }

    /// A meter for more work of the same check: so many steps, and what is left of everything else.
    pub fn extended(&self, steps: u64) -> Budget {
        Budget { steps: self.used.saturating_add(steps), next_poll: self.used, stopped: None, ..self.clone() }
    }

    /// A meter for a part of the work: at most so many steps, and never more than are left.
    pub fn part(&self, steps: u64) -> Budget {
        let steps = self.used.saturating_add(steps).min(self.steps);
        Budget { steps, next_poll: self.used, ..self.clone() }
    }

    /// A meter that stops when this one would, except for steps: work done under it is not counted.
    pub fn watch(&self) -> Budget {
        Budget { steps: u64::MAX, next_poll: self.used, ..self.clone() }
    }

    /// These limits for a check of its own, and no more than is left of the time and until cancellation here.
    pub fn within(&self, limits: &Limits) -> Limits {
        let left = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let time = match (limits.time, left) {
            (Some(time), Some(left)) => Some(time.min(left)),
            (time, left) => time.or(left),
        };
        let cancel = limits.cancel.clone().or_else(|| self.cancel.clone());
        Limits { time, cancel, ..limits.clone() }
    }

    /// Counts `steps` units of work.
    #[inline]
    pub fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.used = self.used.saturating_add(steps);
        if self.used < self.next_poll { Ok(()) } else { self.poll() }
    }

    /// Looks at every limit now.
    pub fn poll(&mut self) -> Result<(), Stop> {
        if self.stopped.is_none() {
            self.stopped = self.find_stop();
        }
        match self.stopped {
            Some(stop) => Err(stop),
            None => {
                self.next_poll = self.used.saturating_add(POLL_EVERY).min(self.steps);
                Ok(())
            }
        }
    }

    fn find_stop(&self) -> Option<Stop> {
        if self.used >= self.steps {
            return Some(Stop::Steps);
        }
        if let Some(stop) = self.cancel.as_ref().and_then(CancelToken::stop) {
            return Some(stop);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some(Stop::Deadline);
        }
        if self.memory.is_some_and(|m| self.memory_used > m) {
            return Some(Stop::Memory);
        }
        None
    }

    /// Reports how many bytes the structures under this budget hold; the next poll compares.
    pub fn set_memory(&mut self, bytes: u64) {
        self.memory_used = bytes;
        if self.memory.is_some_and(|m| bytes > m) {
            self.next_poll = 0;
        }
    }

    /// Bytes last reported.
    pub fn memory_used(&self) -> u64 {
        self.memory_used
    }

    /// How many bytes may be added to what was last reported.
    pub fn memory_room(&self) -> u64 {
        self.memory.map_or(u64::MAX, |limit| limit.saturating_sub(self.memory_used))
    }

    /// Stops for lack of memory: some structure would have to grow beyond the limit.
    pub fn refuse_memory(&mut self) -> Stop {
        *self.stopped.get_or_insert(Stop::Memory)
    }

    /// Whether a memory limit is set, so that callers can skip the counting otherwise.
    pub fn watches_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Work units used so far.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Why this budget stopped, if it did.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stop_at_the_same_place() {
        let limits = Limits { steps: Some(5000), ..Limits::default() };
        let run = || {
            let mut budget = Budget::new(&limits);
            (0..).find(|_| budget.spend(3).is_err()).unwrap()
        };
        assert_eq!(run(), run());
        assert!(run() <= 5000 / 3 + 1);
    }

    #[test]
    fn a_cancelled_budget_stays_stopped() {
        let token = CancelToken::new();
        let mut budget = Budget::new(&Limits { cancel: Some(token.clone()), ..Limits::default() });
        assert_eq!(budget.spend(1), Ok(()));
        token.cancel();
        assert_eq!(budget.spend(2 * POLL_EVERY), Err(Stop::Cancelled));
        token.reset();
        assert_eq!(budget.poll(), Err(Stop::Cancelled));
    }

    #[test]
    fn an_exhausted_token_stops_for_memory() {
        let token = CancelToken::new();
        let limits = Limits { cancel: Some(token.clone()), ..Limits::default() };
        token.exhaust();
        assert_eq!(Budget::new(&limits).poll(), Err(Stop::Memory));
        token.cancel();
        token.exhaust();
        assert_eq!(Budget::new(&limits).poll(), Err(Stop::Cancelled), "who cancels is heard");
    }

    #[test]
    fn more_work_has_the_same_deadline() {
        let token = CancelToken::new();
        let limits = Limits { steps: Some(10), cancel: Some(token.clone()), ..Limits::default() };
        let mut budget = Budget::new(&limits);
        assert_eq!(budget.spend(10), Err(Stop::Steps));
        let (mut more, mut watch) = (budget.extended(5), budget.watch());
        assert_eq!((more.spend(4), more.spend(1)), (Ok(()), Err(Stop::Steps)));
        assert_eq!(watch.spend(1), Err(Stop::Steps), "what has stopped stays stopped");
        token.cancel();
        assert_eq!(budget.extended(5).spend(1), Err(Stop::Cancelled));
    }

    #[test]
    fn memory_and_deadline_stop() {
        let mut budget = Budget::new(&Limits { memory: Some(100), ..Limits::default() });
        budget.set_memory(100);
        assert_eq!(budget.poll(), Ok(()));
        budget.set_memory(101);
        assert_eq!(budget.spend(1), Err(Stop::Memory));
        let mut budget = Budget::new(&Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!(budget.poll(), Err(Stop::Deadline));
    }
}
