//! Reads files within the limits: a text may be small and its program huge.
//!
//! The reader runs in a thread of its own. It bounds its own work, but does not look at the clock, so it is looked at
//! from outside; where it takes too long or too much, it is given up and nothing is known of the file. Where there are no
//! threads, only its own bounds hold.

use super::File;
use crate::frontend::c::link::{self, Group};
use crate::frontend::c::{self, Input};
use crate::util::clock::Instant;
use crate::util::limits::{CancelToken, Limits, Stop};
use crate::util::memory::resident;
use crate::util::threads;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

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

/// Reads texts: those that are linked as one, or why they were not read, with the name of the first.
pub fn read_all(inputs: Vec<Input>, together: bool, limits: &Limits) -> Vec<Result<File, (String, Unread)>> {
    let all = inputs.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(", ");
    let inputs = Arc::new(inputs);
    let given = inputs.clone();
    let groups = match limited(limits, move || link::groups(&given, together)) {
        Ok(groups) => groups,
        Err(unread) => return vec![Err((all, unread))],
    };
    let read_group = |group: Group| {
        let name = inputs[group.files[0]].name.clone();
        let own: Vec<Input> = group.files.iter().map(|i| inputs[*i].clone()).collect();
        let names = group.new.iter().map(|i| inputs[*i].name.clone()).collect();
        read(own, names, limits).map_err(|unread| (name, unread))
    };
    groups.into_iter().map(read_group).collect()
}

/// Reads texts that are linked to one program; the functions of those that are named are asked about.
pub fn read(inputs: Vec<Input>, names: Vec<String>, limits: &Limits) -> Result<File, Unread> {
    limited(limits, move || {
        let unit = c::load_linked(&inputs);
        let reading = inputs.into_iter().next().map(|input| input.options).unwrap_or_default();
        File { names, reading, unit }
    })
}

/// What the work gives within the limits.
fn limited<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unread> {
    if !threads::AVAILABLE {
        return Ok(work());
    }
    let start = Instant::now();
    let before = resident().unwrap_or(0);
    let (send, receive) = channel();
    let worker = std::thread::Builder::new().spawn(move || send.send(work()).is_ok());
    let worker = worker.map_err(|error| Unread::Fault(error.to_string()))?;
    loop {
        match receive.recv_timeout(EVERY) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let why = worker.join().err().map(|panic| super::work::text_of(&*panic).to_owned());
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
