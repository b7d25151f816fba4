//! Points in time, also where there is no clock.
//!
//! `wasm32-unknown-unknown` has none, and the standard library panics when it is asked for one. There time stands
//! still: no deadline passes, and limits are steps, memory and cancellation.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use still::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod still {
    use std::time::Duration;

    /// A point in time, counted from the only present there is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present.
        #[must_use]
        pub fn now() -> Instant {
            Instant(Duration::ZERO)
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

        /// As [`Instant::saturating_duration_since`]; there is nothing before the present.
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
