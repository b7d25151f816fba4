//! Reads files within the limits: a text may be small and its program huge.
//!
//! The reader runs in a thread of its own. It bounds its own work, but does not look at the clock, so it is looked at
//! from outside; where it takes too long or too much, it is given up and nothing is known of the file.

use super::File;
use crate::frontend::c;
use crate::util::limits::{CancelToken, Limits, Stop};
use crate::util::memory::resident;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Between two looks.
const EVERY: Duration = Duration::from_millis(5);
/// How long reading may go on after its time, at least.
const GRACE: Duration = Duration::from_millis(100);

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// A limit was reached.
    Stopped(Stop),
    /// A fault of ours, or of the system's.
    Fault(String),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unread::Stopped(stop) => write!(f, "{stop} while the file was read"),
            Unread::Fault(why) => write!(f, "internal error: {why}"),
        }
    }
}

/// The file, or why it was not read.
pub fn read(name: &str, bytes: Vec<u8>, reading: &c::Options, limits: &Limits) -> Result<File, Unread> {
    let start = Instant::now();
    let before = resident().unwrap_or(0);
    let (send, receive) = channel();
    let (name, reading) = (name.to_owned(), reading.clone());
    let read = move || {
        let unit = c::load(&name, &bytes, &reading);
        send.send(File { name, reading, unit })
    };
    let reader = std::thread::Builder::new().spawn(read).map_err(|error| Unread::Fault(error.to_string()))?;
    loop {
        match receive.recv_timeout(EVERY) {
            Ok(file) => return Ok(file),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let why = reader.join().err().map(|panic| super::work::text_of(&*panic).to_owned());
                return Err(Unread::Fault(
                    why.unwrap_or_else(|| "the reader ended without a word".to_owned()),
                ));
            }
        }
        if let Some(stop) = beyond(limits, start.elapsed(), before) {
            return Err(Unread::Stopped(stop));
        }
    }
}

fn beyond(limits: &Limits, time: Duration, before: u64) -> Option<Stop> {
    let late = limits.time.is_some_and(|limit| time > limit + GRACE.max(limit / 20));
    let large = |limit: u64| resident().is_some_and(|now| now > before.saturating_add(limit));
    if limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
        Some(Stop::Cancelled)
    } else if late {
        Some(Stop::Deadline)
    } else {
        limits.memory.is_some_and(large).then_some(Stop::Memory)
    }
}
