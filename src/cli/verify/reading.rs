//! Reads files within the limits: a text may be small and its program huge.
//!
//! The reader runs in a thread of its own. It bounds its own work, but does not look at the clock, so it is looked at
//! from outside; where it takes too long or too much, it is given up and nothing is known of the file.

use super::{File, Options};
use crate::cli::memory::resident;
use crate::frontend::c::link::{self, Group};
use crate::frontend::c::{self, Input, LoadedFunction};
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

/// The files, those that are linked as one, or why they were not read.
pub(super) fn within(
    inputs: Vec<Input>,
    together: bool,
    options: &Options,
) -> Vec<Result<File, (String, Unread)>> {
    let all = inputs.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(", ");
    let inputs = std::sync::Arc::new(inputs);
    let given = inputs.clone();
    let groups = match limited(options, move || link::groups(&given, together)) {
        Ok(groups) => groups,
        Err(unread) => return vec![Err((all, unread))],
    };
    let read_group = |group: Group| {
        let name = inputs[group.files[0]].name.clone();
        let given = inputs.clone();
        limited(options, move || read(&given, &group)).map_err(|unread| (name, unread))
    };
    groups.into_iter().map(read_group).collect()
}

/// What the work gives within the limits.
fn limited<T: Send + 'static>(
    options: &Options,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unread> {
    let start = Instant::now();
    let before = resident().unwrap_or(0);
    let (send, receive) = channel();
    let unread = |reason: String| Unread { reason, time: start.elapsed() };
    let spawned = std::thread::Builder::new().spawn(move || send.send(work()).is_ok());
    let reader = match spawned {
        Ok(reader) => reader,
        Err(error) => return Err(unread(error.to_string())),
    };
    loop {
        match receive.recv_timeout(EVERY) {
            Ok(done) => return Ok(done),
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

/// Reads files, and once more with calls of functions with contracts inlined if there are any.
fn read(inputs: &[Input], group: &Group) -> File {
    let mut own: Vec<Input> = group.files.iter().map(|i| inputs[*i].clone()).collect();
    let unit = c::load_linked(&own);
    let by_contract = |p: &Program| p.edges.iter().any(|e| matches!(e.command, Command::Scramble { .. }));
    let calls = unit.functions.iter().any(|f| f.program.as_ref().is_ok_and(by_contract));
    let inlined = if calls {
        own.iter_mut().for_each(|input| input.options.inline_contracts = true);
        let again = c::load_linked(&own);
        let find = |f: &LoadedFunction| again.functions.iter().find(|g| g.span == f.span);
        let program = |f| find(f).and_then(|f| f.program.as_ref().ok().cloned());
        unit.functions.iter().map(program).collect()
    } else {
        unit.functions.iter().map(|_| None).collect()
    };
    let names = group.new.iter().map(|i| inputs[*i].name.clone()).collect();
    File { name: own[0].name.clone(), names, lp64: own[0].options.lp64, unit, inlined }
}
