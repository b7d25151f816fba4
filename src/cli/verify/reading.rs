//! Reads files within the limits: a text may be small and its program huge.
//!
//! The reader runs in a thread of its own. It bounds its own work, but does not look at the clock, so it is looked at
//! from outside; where it takes too long or too much, it is given up and nothing is known of the file.

use super::{File, Options};
use crate::cli::inputs::Input;
use crate::cli::memory::resident;
use crate::frontend::c;
use crate::program::{Command, Program};
use crate::util::limits::{Limits, Stop};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Between two looks.
const EVERY: Duration = Duration::from_millis(10);
/// How long reading may go on after its time, at least.
const GRACE: Duration = Duration::from_millis(100);

/// Why a file was not read.
pub(super) struct Unread {
    pub reason: String,
    pub time: Duration,
}

/// The file, or why it was not read.
pub(super) fn within(input: Input, bytes: Vec<u8>, options: &Options) -> Result<File, Unread> {
    let start = Instant::now();
    let before = resident().unwrap_or(0);
    let (send, receive) = channel();
    let unread = |reason: String| Unread { reason, time: start.elapsed() };
    let spawned = std::thread::Builder::new().spawn(move || send.send(read(input, &bytes)));
    let reader = match spawned {
        Ok(reader) => reader,
        Err(error) => return Err(unread(error.to_string())),
    };
    loop {
        match receive.recv_timeout(EVERY) {
            Ok(file) => return Ok(file),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match reader.join() {
                Ok(_) => return Err(unread("the reader ended without a word".to_owned())),
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
        if let Some(stop) = beyond(&options.limits, start.elapsed(), before) {
            return Err(unread(format!("{stop} while the file was read")));
        }
    }
}

fn beyond(limits: &Limits, time: Duration, before: u64) -> Option<Stop> {
    let late = limits.time.is_some_and(|limit| time > limit + GRACE.max(limit / 20));
    let large = |limit: u64| resident().is_some_and(|now| now > before.saturating_add(limit));
    if late { Some(Stop::Deadline) } else { limits.memory.is_some_and(large).then_some(Stop::Memory) }
}

/// Reads a file, and once more with calls of functions with contracts inlined if there are any.
fn read(input: Input, bytes: &[u8]) -> File {
    let Input { name, reading, .. } = input;
    let unit = c::load(&name, bytes, &reading);
    let by_contract = |p: &Program| p.edges.iter().any(|e| matches!(e.command, Command::Scramble { .. }));
    let calls = unit.functions.iter().any(|f| f.program.as_ref().is_ok_and(by_contract));
    let inlined = if calls {
        let again = c::load(&name, bytes, &c::Options { inline_contracts: true, ..reading.clone() });
        let find = |name: &str| again.functions.iter().find(|f| f.name == name);
        let program = |name: &str| find(name).and_then(|f| f.program.as_ref().ok().cloned());
        unit.functions.iter().map(|f| program(&f.name)).collect()
    } else {
        unit.functions.iter().map(|_| None).collect()
    };
    File { name, lp64: reading.lp64, unit, inlined }
}
