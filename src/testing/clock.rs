//! Processor time of a thread, so that a limit means the same beside other work.
//!
//! A wall-clock limit turns a busy machine into a complaint. Steps are the first choice; where some work
//! counts none, what a thread has really computed is the second.

use crate::util::limits::CancelToken;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The processor time of the thread that made the clock, readable by every thread of the process. It is
/// wall-clock time where the system keeps no such account.
#[derive(Clone, Debug)]
pub struct ThreadClock {
    statistics: Option<PathBuf>,
    start: Instant,
}

impl ThreadClock {
    /// The clock of the calling thread.
    #[must_use]
    pub fn here() -> ThreadClock {
        let task = std::fs::read_link("/proc/thread-self").ok();
        let statistics = task.map(|t| Path::new("/proc").join(t).join("schedstat"));
        let statistics = statistics.filter(|path| read(path).is_some());
        ThreadClock { statistics, start: Instant::now() }
    }

    /// Processor time used so far, from an origin that is the same for every reading of this clock.
    #[must_use]
    pub fn spent(&self) -> Duration {
        match &self.statistics {
            // A thread that has ended has no account any more; nothing waits for it.
            Some(path) => read(path).unwrap_or_default(),
            None => self.start.elapsed(),
        }
    }
}

/// The first number of the scheduler's statistics: nanoseconds on a processor.
fn read(path: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Runs a body with a token that is cancelled once the body has used so much processor time.
pub fn within<T>(limit: Duration, body: impl FnOnce(CancelToken) -> T) -> T {
    let (clock, token) = (ThreadClock::here(), CancelToken::new());
    let end = clock.spent() + limit;
    let (finished, waits) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn({
            let token = token.clone();
            move || {
                let mut left = limit;
                // The sender is dropped when the body ends, by a panic too.
                while matches!(waits.recv_timeout(left), Err(RecvTimeoutError::Timeout)) {
                    left = end.saturating_sub(clock.spent());
                    if left.is_zero() {
                        return token.cancel();
                    }
                }
            }
        });
        let _finished = finished;
        body(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_works_is_cancelled() {
        let rounds = within(Duration::from_millis(20), |token| {
            let clock = ThreadClock::here();
            let start = clock.spent();
            while !token.is_cancelled() {}
            clock.spent() - start
        });
        assert!(rounds >= Duration::from_millis(15), "{rounds:?}");
    }

    #[test]
    fn a_body_that_ends_is_not() {
        assert!(!within(Duration::from_secs(1000), |token| token.is_cancelled()));
    }
}
