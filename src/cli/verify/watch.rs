//! Looks at the workers from outside: passes Ctrl-C on, and keeps the memory limit.
//!
//! Engines count the memory of their largest structures themselves, but not everything. So the resident memory of the
//! whole process is looked at as well, several times a second: when it exceeds what the functions that are being
//! decided may have together, these functions are stopped and their verdict is `unknown`. What the allocator
//! keeps after a function has ended must not count against the next one, so each may grow by at least an eighth
//! of the limit. Where the system does not tell (no `/proc`), only the engines' own counts hold.

use crate::cli::memory::resident;
use crate::util::limits::CancelToken;
use crate::verdict::{Reason, Verdict};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One thread that decides functions.
pub(super) struct Worker {
    /// Stops the function that it decides.
    pub token: CancelToken,
    limit: Option<u64>,
    busy: AtomicBool,
    /// Resident memory when the function was begun.
    before: AtomicU64,
    /// The function was stopped for its memory.
    greedy: AtomicBool,
}

impl Worker {
    /// A function is begun.
    pub(super) fn begin(&self) {
        self.token.reset();
        self.greedy.store(false, Ordering::Relaxed);
        if self.limit.is_some() {
            self.before.store(resident().unwrap_or(0), Ordering::Relaxed);
        }
        self.busy.store(true, Ordering::Relaxed);
    }

    /// It is decided; a verdict that was cut off for lack of memory says so.
    pub(super) fn end(&self, verdict: &mut Verdict) {
        self.busy.store(false, Ordering::Relaxed);
        let open = matches!(verdict, Verdict::Unknown(_) | Verdict::TooWeak(_));
        if let (Some(limit), true, true) = (self.limit, open, self.greedy.load(Ordering::Relaxed)) {
            let message = format!("the memory limit of {} MB was reached", limit >> 20);
            *verdict = Verdict::Unknown(Reason { message, span: None });
        }
    }
}

/// All of them.
pub(super) struct Watch<'t> {
    pub workers: Vec<Worker>,
    limit: Option<u64>,
    /// Resident memory before the first function.
    base: u64,
    token: &'t CancelToken,
}

impl<'t> Watch<'t> {
    pub(super) fn new(threads: usize, limit: Option<u64>, token: &'t CancelToken) -> Watch<'t> {
        let worker = |_| Worker {
            token: CancelToken::new(),
            limit,
            busy: AtomicBool::new(false),
            before: AtomicU64::new(0),
            greedy: AtomicBool::new(false),
        };
        let base = if limit.is_some() { resident().unwrap_or(0) } else { 0 };
        Watch { workers: (0..threads).map(worker).collect(), limit, base, token }
    }

    /// Stops who has to be stopped.
    pub(super) fn look(&self) {
        if self.token.is_cancelled() {
            self.workers.iter().for_each(|w| w.token.cancel());
        }
        let Some((limit, now)) = self.limit.and_then(|limit| Some((limit, resident()?))) else { return };
        let busy: Vec<&Worker> = self.workers.iter().filter(|w| w.busy.load(Ordering::Relaxed)).collect();
        let before = busy.iter().map(|w| w.before.load(Ordering::Relaxed)).max().unwrap_or(0);
        // Between two looks, memory grows on.
        let together = (limit - limit / 8).saturating_mul(busy.len() as u64);
        let allowed = self.base.saturating_add(together).max(before.saturating_add(limit / 8));
        if now > allowed {
            for worker in busy {
                worker.greedy.store(true, Ordering::Relaxed);
                worker.token.cancel();
            }
        }
    }
}
