//! Small pieces without a subject of their own: hashing with a fixed seed, clock and threads, limits and cancellation,
//! exact numbers, counters, a seeded generator, and the table of options.
//!
//! Nothing here knows about terms or heaps, and nothing here prints.

pub(crate) mod clock;
pub mod hash;
pub mod limits;
pub mod memory;
pub mod num;
pub mod options;
pub mod rng;
pub mod span;
pub mod stats;
pub(crate) mod threads;
