//! Decides jobs on several threads and hands the answers out in order.

use super::certificate::Making;
use super::watch::Watch;
use super::{Answered, File, Job, unsupported};
use crate::analysis::{Progress, Setup, heaps};
use crate::portfolio::{self, Task};
use crate::program::{Program, Question};
use crate::util::limits::{CancelToken, Limits};
use crate::verdict::{Counters, Outcome, Reason, Verdict};
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Stack of a worker: formulas are walked recursively.
const STACK: usize = 256 << 20;
/// How often limits are looked at from outside.
const TICK: Duration = Duration::from_millis(25);
/// How often the status line is written.
const STATUS: Duration = Duration::from_millis(100);

/// Gets each answer in the order of the jobs.
pub(super) type Deliver<'d> = &'d mut dyn FnMut(&Job, &Answered, &mut dyn Write) -> io::Result<()>;

/// How an engine is run.
pub(super) type Run = fn(&Program, &Question, &Setup, Progress<'_>) -> Outcome;

/// Decides all jobs.
pub(super) fn all(
    files: &[File],
    jobs: &[Job],
    options: &super::Options,
    token: &CancelToken,
    err: &mut dyn Write,
    deliver: Deliver<'_>,
) -> io::Result<()> {
    let threads = options.jobs.min(jobs.len()).max(1);
    let setup = Setup {
        limits: options.limits.clone(),
        jobs: (options.jobs / threads).max(1),
        seed: options.seed,
        predicates: options.predicates,
    };
    let watch = Watch::new(threads, options.limits.memory, token);
    let next = AtomicUsize::new(0);
    let status = Mutex::new(String::new());
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for worker in &watch.workers {
            let (send, next, status) = (send.clone(), &next, &status);
            let limits = Limits { cancel: Some(worker.token.clone()), ..setup.limits.clone() };
            let setup = Setup { limits, ..setup.clone() };
            let work = move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(i) else { return };
                    worker.begin();
                    let mut result = decide(&files[job.file], job, options, &setup, status);
                    worker.end(&mut result.outcome.verdict);
                    if send.send((i, result)).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        }
        drop(send);
        let delivered = collect(jobs, &receive, &watch, &status, err, deliver);
        if delivered.is_err() {
            token.cancel();
            watch.look();
        }
        delivered
    })
}

/// Receives answers, delivers those whose predecessors are there, shows the status in between.
fn collect(
    jobs: &[Job],
    receive: &mpsc::Receiver<(usize, Answered)>,
    watch: &Watch<'_>,
    status: &Mutex<String>,
    err: &mut dyn Write,
    deliver: Deliver<'_>,
) -> io::Result<()> {
    let terminal = io::stderr().is_terminal();
    let mut waiting: Vec<Option<Answered>> = jobs.iter().map(|_| None).collect();
    let (mut delivered, mut shown) = (0, Instant::now());
    while delivered < jobs.len() {
        match receive.recv_timeout(TICK) {
            Ok((i, result)) => waiting[i] = Some(result),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                watch.look();
                if terminal
                    && shown.elapsed() >= STATUS
                    && let Ok(text) = status.lock()
                {
                    shown = Instant::now();
                    write!(err, "\r\x1b[K[{delivered}/{}] {text}", jobs.len())?;
                    err.flush()?;
                }
                continue;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        while let Some(result) = waiting.get_mut(delivered).and_then(Option::take) {
            if terminal {
                write!(err, "\r\x1b[K")?;
            }
            deliver(&jobs[delivered], &result, err)?;
            delivered += 1;
        }
    }
    Ok(())
}

fn decide(
    file: &File,
    job: &Job,
    options: &super::Options,
    setup: &Setup,
    status: &Mutex<String>,
) -> Answered {
    let start = Instant::now();
    let function = &file.unit.functions[job.function];
    let Ok(program) = &function.program else {
        let outcome = unsupported(&file.unit, job.function);
        return Answered {
            outcome,
            about_inlined: false,
            time: start.elapsed(),
            panicked: false,
            certificate: None,
        };
    };
    let task = Task { program, inlined: file.inlined[job.function].as_ref(), question: &job.question };
    let progress = |text: &str| {
        if let Ok(mut line) = status.lock() {
            *line = format!("{}: {text}", function.name);
        }
    };
    let decided = catch_unwind(AssertUnwindSafe(|| match options.context {
        Some(context) => {
            let outcome = heaps::run_in_context(
                program,
                &job.question,
                setup,
                (context, &mut heaps::Cache::default()),
                &progress,
            );
            portfolio::Decided { outcome, about_inlined: false, disagreement: false }
        }
        None => portfolio::decide(options.engine, &task, setup, &progress),
    }));
    let time = start.elapsed();
    match decided {
        Ok(decided) => {
            let portfolio::Decided { outcome, about_inlined, disagreement } = decided;
            let mut answer =
                Answered { outcome, about_inlined, time, panicked: disagreement, certificate: None };
            if options.certificate.is_some() {
                let making = Making {
                    options,
                    program,
                    inlined: task.inlined,
                    question: &job.question,
                    behavior: job.behavior.as_deref(),
                    setup,
                    start,
                    progress: &progress,
                };
                answer.certificate = making.certificate(&answer);
            }
            answer
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
            let message = format!("internal error: {text}");
            let verdict = Verdict::Unknown(Reason { message, span: None });
            let outcome = Outcome { engine: options.engine.word(), verdict, counters: Counters::default() };
            Answered { outcome, about_inlined: false, time, panicked: true, certificate: None }
        }
    }
}
