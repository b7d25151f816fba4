//! Prints what the worker answers, and sees to the limits.
//!
//! The dialogue polls its limits itself, and goes on after a check that was stopped. But one multiplication of
//! long numbers polls nothing, and no structure knows what the allocator keeps. So while a command runs, clock
//! and resident memory are looked at from outside as well: near the memory limit the command is asked to stop,
//! and a dialogue that is beyond a limit by a margin is ended. Its last answer is `unknown`, or the error of the
//! command that did not end; what follows in the input is not answered.

use super::Options;
use super::worker::{Busy, End, Shared, Told, run as work};
use crate::cli::{BAD_USAGE, INTERNAL};
use crate::util::limits::Stop;
use crate::util::memory::resident;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Between two looks memory grows by a few megabytes.
const EVERY: Duration = Duration::from_millis(4);
/// How long a command may go on after its time, at least.
const GRACE: Duration = Duration::from_millis(150);
/// A limit ended the dialogue before its input was read.
const ENDED: u8 = 2;
/// Stack of the worker; what recurses is bounded, but not by what threads have by default.
const STACK: usize = 256 << 20;
const PROGRESS_EVERY: u64 = 1 << 20;

/// Has the dialogue with a source that the worker opens; `progress` is the size of a file that takes long.
pub(super) fn run<R: BufRead>(
    options: &Options,
    source: impl FnOnce() -> R + Send + 'static,
    progress: Option<u64>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let shared = Arc::new(Shared::default());
    let (tell, told) = sync_channel(64);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn({
        let (options, shared) = (options.clone(), shared.clone());
        move || work(&options, source(), &shared, &tell)
    })?;
    let mut looks = Looks::new(options);
    let mut shown = 0;
    let ended = loop {
        match told.recv_timeout(EVERY) {
            Ok(Told::Answers(text)) => {
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
            Ok(Told::End(end)) => break end,
            Err(RecvTimeoutError::Timeout) => {}
            // A bug of ours; the panic has said which.
            Err(RecvTimeoutError::Disconnected) => {
                return match worker.join() {
                    Ok(()) => Ok(INTERNAL),
                    Err(panic) => std::panic::resume_unwind(panic),
                };
            }
        }
        if let Some((stop, busy)) = looks.look(&shared) {
            // What was answered before.
            while let Ok(Told::Answers(text)) = told.try_recv() {
                out.write_all(text.as_bytes())?;
            }
            return end_by_force(options, stop, &busy, out, err);
        }
        let n_bytes = shared.n_bytes.load(Ordering::Relaxed);
        if let Some(size) = progress
            && n_bytes >= shown + PROGRESS_EVERY
        {
            shown = n_bytes;
            write!(io::stderr(), "\rreading {} of {} MB", shown >> 20, size >> 20)?;
        }
    };
    if shown > 0 {
        write!(io::stderr(), "\r\x1b[K")?;
    }
    finish(options, ended, err)
}

fn finish(options: &Options, end: End, err: &mut dyn Write) -> io::Result<u8> {
    if let Some(error) = &end.unreadable {
        let name = options.file.as_ref().map_or("-".into(), |file| file.to_string_lossy());
        writeln!(err, "{name}: {error}")?;
    }
    err.write_all(end.stats.as_bytes())?;
    if let Some(file) = &options.picture {
        let name = file.to_string_lossy();
        match end.picture.map(|text| std::fs::write(file, text)) {
            Some(Ok(())) => {}
            // The answers stand.
            Some(Err(error)) => writeln!(err, "catena solve: {name}: no picture was written: {error}")?,
            None => writeln!(err, "{name}: not written, the last check was not sat")?,
        }
    }
    match &options.proof {
        Some(file) => {
            let name = file.to_string_lossy();
            match end.proof.map(|text| std::fs::write(file, text + "\n")) {
                Some(Ok(())) => {}
                Some(Err(error)) => {
                    writeln!(err, "catena solve: {name}: {error}")?;
                    return Ok(BAD_USAGE);
                }
                None => writeln!(err, "{name}: not written, the last check was not unsat")?,
            }
            Ok(end.status)
        }
        None => Ok(end.status),
    }
}

/// The last answer of a dialogue that did not keep a limit.
fn end_by_force(
    options: &Options,
    stop: Stop,
    busy: &Busy,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    if busy.is_check {
        writeln!(out, "unknown")?;
        if options.explain {
            writeln!(out, "; {stop}")?;
        }
    } else {
        let at = busy.at.map_or(String::new(), |at| format!("{at}: "));
        writeln!(out, "(error \"{at}{stop}\")")?;
    }
    out.flush()?;
    writeln!(err, "catena solve: {stop}; what follows in the input was not read")?;
    Ok(ENDED)
}

/// What was seen of a process.
struct Looks {
    memory: Option<u64>,
    time: Option<Duration>,
    last: Instant,
    /// The command looked at, and what it may let the process grow to.
    allowed: Option<(u64, u64)>,
}

impl Looks {
    fn new(options: &Options) -> Looks {
        let limits = &options.settings.limits;
        Looks { memory: limits.memory, time: limits.time, last: Instant::now(), allowed: None }
    }

    /// Looks at clock and memory if it is time; a reason to end the dialogue.
    fn look(&mut self, shared: &Shared) -> Option<(Stop, Busy)> {
        if self.last.elapsed() < EVERY {
            return None;
        }
        self.last = Instant::now();
        let busy = shared.busy();
        if let Some(limit) = self.memory
            && let Some(now) = resident()
        {
            let eighth = limit / 8;
            // Reading leaves something for the check.
            shared.full.store(now > limit - eighth, Ordering::Relaxed);
            if let Some(busy) = busy {
                let allowed = match self.allowed {
                    Some((number, allowed)) if number == busy.number => allowed,
                    // What was held before must not forbid a small question.
                    _ => (now + eighth).clamp(limit - eighth, limit),
                };
                self.allowed = Some((busy.number, allowed));
                if now > allowed {
                    shared.token.exhaust();
                }
                if now > limit + eighth {
                    return Some((Stop::Memory, busy));
                }
            }
        }
        let (busy, limit) = (busy?, self.time?);
        let grace = GRACE.max(limit * 2 / 25);
        let left = busy.left.map_or(limit, |left| left.min(limit));
        (busy.since.elapsed() > left + grace).then_some((Stop::Deadline, busy))
    }
}
