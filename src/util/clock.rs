//! Points in time, also where there is no clock.
//!
//! `wasm32-unknown-unknown` has none, and the standard library panics when it is asked for one. There the host gives
//! one with [`set_clock`]; until it does, time stands still: no deadline passes, and limits are steps, memory and
//! cancellation.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set_clock};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::sync::OnceLock;
    use std::time::Duration;

    static NOW: OnceLock<fn() -> Duration> = OnceLock::new();

    /// The clock of the host: the time since some fixed point, which never goes back. Only the first one counts. There
    /// is nothing to set where the standard library has a clock.
    pub fn set_clock(now: fn() -> Duration) {
        let _ = NOW.set(now);
    }

    /// A point in time, counted from a point that the host chose.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present.
        #[must_use]
        pub fn now() -> Instant {
            Instant(NOW.get().map_or(Duration::ZERO, |now| now()))
        }

        /// The time from this point to the present.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time from an earlier point to this one.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// As [`Instant::saturating_duration_since`].
        #[must_use]
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }

        /// So much later, if that can be said.
        #[must_use]
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }
}

/// Seconds since 1970, for documents that say when they were made.
#[cfg(feature = "cli")]
#[must_use]
pub fn unix_seconds() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}
