//! What the bindings of Catena share.
//!
//! Each language gets the same three things: questions about programs as JSON ([`verify`]), SMT-LIB text
//! ([`Text`]), and terms by number ([`Terms`]). The layers above only translate calls, so the same input gives the same
//! answer in every language.

#![forbid(unsafe_code)]

mod options;
mod terms;
mod text;
mod verify;

pub use options::Options;
pub use terms::{Checked, Fault, Id, Kind, Terms};
pub use text::{Text, certify_proof};
pub use verify::{Progress, Ways, certify, verify};

/// Limits as numbers, 0 for none: milliseconds, steps, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Wall-clock milliseconds of one check.
    pub time_ms: u64,
    /// Deterministic steps of one check.
    pub steps: u64,
    /// Bytes of solver state.
    pub memory: u64,
}

impl Bounds {
    /// The same with a token.
    #[must_use]
    pub fn limits(self, cancel: &catena::CancelToken) -> catena::Limits {
        let some = |n: u64| (n > 0).then_some(n);
        catena::Limits {
            steps: some(self.steps),
            time: some(self.time_ms).map(std::time::Duration::from_millis),
            memory: some(self.memory),
            cancel: Some(cancel.clone()),
        }
    }
}
