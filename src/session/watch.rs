//! Looks at the workers from outside: passes Ctrl-C on, and keeps the limits.
//!
//! Engines poll their time limit and count the memory of their largest structures themselves, but not everywhere and
//! not everything. So clock and resident memory are looked at from outside as well, several times a second. A function
//! that is near the memory limit is asked to stop. One that goes on after its time is given up: its
//! thread runs on for nobody, another one takes its place. Where the process grows beyond the limit all the same,
//! nothing that is still open is decided.
//!
//! What the allocator keeps after a function has ended must not count against the next one, so each may grow by at
//! least an eighth of the limit. Where the system does not tell (no `/proc`), only the engines' own counts hold.

use crate::util::clock::Instant;
use crate::util::limits::{CancelToken, Limits, Stop};
use crate::util::memory::resident;
use crate::verdict::{Reason, Verdict};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long a function may go on after its time, at least.
const GRACE: Duration = Duration::from_millis(120);

/// One thread that decides functions.
pub(super) struct Worker {
    /// Stops the function that it decides.
    pub token: CancelToken,
    /// The job at work, and since when.
    job: Mutex<Option<(usize, Instant)>>,
    /// Resident memory when the function was begun.
    before: AtomicU64,
    /// The function was stopped for its memory.
    greedy: AtomicBool,
    /// Nobody waits for it any more.
    given_up: AtomicBool,
}

impl Worker {
    pub(super) fn new() -> Arc<Worker> {
        Arc::new(Worker {
            token: CancelToken::new(),
            job: Mutex::new(None),
            before: AtomicU64::new(0),
            greedy: AtomicBool::new(false),
            given_up: AtomicBool::new(false),
        })
    }

    /// A function is begun.
    pub(super) fn begin(&self, job: usize) {
        self.token.reset();
        self.greedy.store(false, Ordering::Relaxed);
        self.before.store(resident().unwrap_or(0), Ordering::Relaxed);
        self.set(Some((job, Instant::now())));
    }

    /// It is decided; a verdict that was cut off for lack of memory says so.
    pub(super) fn end(&self, verdict: &mut Verdict, limit: Option<u64>) {
        self.set(None);
        let open = matches!(verdict, Verdict::Unknown(_) | Verdict::TooWeak(_));
        if let (Some(limit), true, true) = (limit, open, self.greedy.load(Ordering::Relaxed)) {
            *verdict = Verdict::Unknown(out_of_memory(limit));
        }
    }

    /// Whether somebody still wants its answers.
    pub(super) fn is_wanted(&self) -> bool {
        !self.given_up.load(Ordering::Relaxed)
    }

    fn set(&self, job: Option<(usize, Instant)>) {
        if let Ok(mut slot) = self.job.lock() {
            *slot = job;
        }
    }

    fn at_work(&self) -> Option<(usize, Instant)> {
        self.job.lock().ok().and_then(|slot| *slot).filter(|_| self.is_wanted())
    }
}

/// What is answered where memory ran out.
pub(super) fn out_of_memory(limit: u64) -> Reason {
    let message = format!("the memory limit of {} MB was reached", limit >> 20);
    Reason { message, span: None }
}

/// What has to be done about a worker, or about all.
pub(super) enum Order {
    /// This job is given up: its time is over.
    GiveUp(usize, Duration),
    /// The process has grown too large: nothing that is open is decided.
    End,
}

/// All of them.
pub(super) struct Watch<'t> {
    pub workers: Vec<Arc<Worker>>,
    limits: Limits,
    /// Resident memory before the first function.
    base: u64,
    token: &'t CancelToken,
}

impl<'t> Watch<'t> {
    pub(super) fn new(limits: &Limits, token: &'t CancelToken) -> Watch<'t> {
        let base = if limits.memory.is_some() { resident().unwrap_or(0) } else { 0 };
        Watch { workers: Vec::new(), limits: limits.clone(), base, token }
    }

    /// Stops everybody.
    pub(super) fn stop(&self) {
        self.workers.iter().for_each(|w| w.token.cancel());
    }

    /// Stops who has to be stopped, and says who does not stop.
    pub(super) fn look(&self) -> Vec<Order> {
        if self.token.is_cancelled() {
            self.stop();
        }
        let mut orders = Vec::new();
        for worker in &self.workers {
            let (Some(time), Some((job, since))) = (self.limits.time, worker.at_work()) else { continue };
            if since.elapsed() > time + GRACE.max(time / 20) {
                worker.given_up.store(true, Ordering::Relaxed);
                worker.token.cancel();
                orders.push(Order::GiveUp(job, since.elapsed()));
            }
        }
        if self.limits.memory.is_some_and(|limit| self.keep_memory(limit) == Err(Stop::Memory)) {
            orders.push(Order::End);
        }
        orders
    }

    fn keep_memory(&self, limit: u64) -> Result<(), Stop> {
        let Some(now) = resident() else { return Ok(()) };
        let busy: Vec<&Arc<Worker>> = self.workers.iter().filter(|w| w.at_work().is_some()).collect();
        let before = busy.iter().map(|w| w.before.load(Ordering::Relaxed)).max().unwrap_or(0);
        let all = limit.saturating_mul(busy.len().max(1) as u64);
        // Between two looks, memory grows on.
        let allowed = self.base.saturating_add(all - all / 8).max(before.saturating_add(limit / 8));
        if now > allowed {
            for worker in &busy {
                worker.greedy.store(true, Ordering::Relaxed);
                worker.token.exhaust();
            }
        }
        let most = allowed.max(self.base.saturating_add(all)).saturating_add(limit / 10);
        if now > most { Err(Stop::Memory) } else { Ok(()) }
    }
}
