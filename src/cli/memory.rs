//! The resident memory of the process, and a watch that keeps a dialogue within its limit.
//!
//! The solver counts its largest structures itself, but neither everything nor what the allocator keeps. So
//! while a check runs, the resident memory is looked at as well, and the check is stopped where the limit is
//! near. What was held before it must not forbid a small question, so each check may have an eighth of the
//! limit, as long as the whole stays within it. Where the system does not tell (no `/proc`),
//! only the solver's own counts hold.

use crate::util::limits::CancelToken;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Thread;
use std::time::Duration;

/// Between two looks memory grows by a few megabytes.
const EVERY: Duration = Duration::from_millis(4);

/// Bytes of the process that are in memory.
pub(super) fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Ends a watch when it is dropped.
struct Ending<'a> {
    ended: &'a AtomicBool,
    watch: &'a Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watch.unpark();
    }
}

/// Stops the checks of one dialogue when the process grows beyond what they may have.
pub(super) struct Watch {
    /// For the limits of the checks.
    pub token: CancelToken,
    limit: u64,
    /// What the present check may grow to; 0 while none runs.
    allowed: AtomicU64,
    ended: AtomicBool,
}

impl Watch {
    pub(super) fn new(limit: u64) -> Watch {
        Watch { token: CancelToken::new(), limit, allowed: AtomicU64::new(0), ended: AtomicBool::new(false) }
    }

    /// Runs some work under the watch.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                while !self.ended.load(Ordering::Relaxed) {
                    self.look();
                    std::thread::park_timeout(EVERY);
                }
            });
            // Also when the work panics: the scope waits for the watch.
            let _ending = Ending { ended: &self.ended, watch: watch.thread() };
            work()
        })
    }

    /// A check begins.
    pub(super) fn begin(&self) {
        self.token.reset();
        let eighth = self.limit / 8;
        let before = resident().unwrap_or(0);
        // Between two looks, memory grows on.
        let allowed = (before + eighth).clamp(self.limit - eighth, self.limit);
        self.allowed.store(allowed, Ordering::Relaxed);
    }

    /// It has ended.
    pub(super) fn end(&self) {
        self.allowed.store(0, Ordering::Relaxed);
    }

    fn look(&self) {
        let allowed = self.allowed.load(Ordering::Relaxed);
        if allowed > 0 && resident().is_some_and(|now| now > allowed) {
            self.token.exhaust();
        }
    }
}
