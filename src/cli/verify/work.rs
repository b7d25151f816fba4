//! Decides jobs on several threads and hands the answers out in order.

use super::certificate::Making;
use super::watch::{Order, Watch, Worker, out_of_memory};
use super::{Answered, File, Job, Options, unsupported};
use crate::analysis::{Progress, Setup, heaps};
use crate::execution;
use crate::portfolio::paths::{Source, with_paths};
use crate::portfolio::{self, Task};
use crate::program::{Program, Property, Question};
use crate::util::limits::{CancelToken, Limits, Stop};
use crate::verdict::{Counters, Outcome, Reason, Verdict};
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Stack of a worker: formulas are walked recursively.
const STACK: usize = 256 << 20;
/// How often limits are looked at from outside; memory can grow by gigabytes in a second.
const TICK: Duration = Duration::from_millis(5);
/// How often the status line is written.
const STATUS: Duration = Duration::from_millis(100);

/// Gets each answer in the order of the jobs.
pub(super) type Deliver<'d> = &'d mut dyn FnMut(&Job, &Answered, &mut dyn Write) -> io::Result<()>;

/// How an engine is run.
pub(super) type Run = fn(&Program, &Question, &Setup, Progress<'_>) -> Outcome;

/// What the workers share. A worker that is given up keeps it alive.
struct Shared {
    files: Arc<Vec<File>>,
    jobs: Arc<Vec<Job>>,
    options: Arc<Options>,
    setup: Setup,
    next: AtomicUsize,
    status: Mutex<String>,
}

type Answers = mpsc::Sender<(usize, Answered)>;

/// Decides all jobs.
pub(super) fn all(
    files: &Arc<Vec<File>>,
    jobs: &Arc<Vec<Job>>,
    options: &Arc<Options>,
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
    let shared = Arc::new(Shared {
        files: files.clone(),
        jobs: jobs.clone(),
        options: options.clone(),
        setup,
        next: AtomicUsize::new(0),
        status: Mutex::new(String::new()),
    });
    let mut watch = Watch::new(&options.limits, token);
    let (send, receive) = mpsc::channel();
    for _ in 0..threads {
        watch.workers.push(start(&shared, &send)?);
    }
    let delivered = collect(&shared, &send, &receive, &mut watch, err, deliver);
    if delivered.is_err() {
        token.cancel();
        watch.look();
    }
    delivered
}

/// A new worker. It is not waited for: it may have been given up.
fn start(shared: &Arc<Shared>, send: &Answers) -> io::Result<Arc<Worker>> {
    let worker = Worker::new();
    let (shared, send, own) = (shared.clone(), send.clone(), worker.clone());
    let work = move || {
        let limits = Limits { cancel: Some(own.token.clone()), ..shared.setup.limits.clone() };
        let setup = Setup { limits, ..shared.setup.clone() };
        while own.is_wanted() {
            let i = shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = shared.jobs.get(i) else { return };
            own.begin(i);
            let mut result = decide(&shared.files[job.file], job, &shared.options, &setup, &shared.status);
            own.end(&mut result.outcome.verdict, shared.setup.limits.memory);
            if send.send((i, result)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work)?;
    Ok(worker)
}

/// Receives answers, delivers those whose predecessors are there, shows the status in between, and gives up on jobs
/// that do not keep their limits.
fn collect(
    shared: &Arc<Shared>,
    send: &Answers,
    receive: &mpsc::Receiver<(usize, Answered)>,
    watch: &mut Watch<'_>,
    err: &mut dyn Write,
    deliver: Deliver<'_>,
) -> io::Result<()> {
    let jobs = &shared.jobs;
    let terminal = io::stderr().is_terminal();
    let mut waiting: Vec<Option<Answered>> = jobs.iter().map(|_| None).collect();
    let (mut delivered, mut shown, mut looked) = (0, Instant::now(), Instant::now());
    let unknown = |verdict: Verdict, time: Duration| {
        let outcome =
            Outcome { engine: shared.options.engine.word(), verdict, counters: Counters::default() };
        Answered { outcome, about_inlined: false, view: None, time, panicked: false, certificate: None }
    };
    while delivered < jobs.len() {
        match receive.recv_timeout(TICK) {
            // Of a job that was given up, a late answer does not count.
            Ok((i, result)) if i >= delivered && waiting[i].is_none() => waiting[i] = Some(result),
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        if looked.elapsed() >= TICK {
            looked = Instant::now();
            let orders = watch.look();
            for order in orders {
                match order {
                    Order::GiveUp(job, time) => {
                        let message = Stop::Deadline.to_string();
                        let verdict = Verdict::Unknown(Reason { message, span: None });
                        waiting[job] = Some(unknown(verdict, time));
                        watch.workers.push(start(shared, send)?);
                    }
                    Order::End => {
                        shared.next.store(jobs.len(), Ordering::Relaxed);
                        let limit = shared.setup.limits.memory.unwrap_or(0);
                        for slot in waiting.iter_mut().skip(delivered).filter(|slot| slot.is_none()) {
                            *slot = Some(unknown(out_of_memory(limit), Duration::ZERO));
                        }
                    }
                }
            }
            if terminal
                && shown.elapsed() >= STATUS
                && let Ok(text) = shared.status.lock()
            {
                shown = Instant::now();
                write!(err, "\r\x1b[K[{delivered}/{}] {text}", jobs.len())?;
                err.flush()?;
            }
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
    let progress = |text: &str| {
        if let Ok(mut line) = status.lock() {
            *line = format!("{}: {text}", function.name);
        }
    };
    let engines = |setup: &Setup| {
        let Ok(program) = &function.program else {
            let outcome = unsupported(&file.unit, job.function);
            return portfolio::Decided { outcome, about_inlined: false, disagreement: false, view: None };
        };
        let task = Task { program, inlined: file.inlined[job.function].as_ref(), question: &job.question };
        match options.context {
            Some(context) => {
                let outcome = heaps::run_in_context(
                    program,
                    &job.question,
                    setup,
                    (context, &mut heaps::Cache::default()),
                    &progress,
                );
                portfolio::Decided { outcome, about_inlined: false, disagreement: false, view: None }
            }
            None => portfolio::decide(options.engine, &task, setup, &progress),
        }
    };
    let source = file.unit.checked.as_ref().filter(|_| function.name == "main" && options.context.is_none());
    let source = source.map(|unit| Source { unit, reading: &options.reading });
    let decided =
        catch_unwind(AssertUnwindSafe(|| with_paths(source.as_ref(), options.engine, setup, &engines)));
    let time = start.elapsed();
    match decided {
        Ok(decided) => {
            let portfolio::Decided { mut outcome, about_inlined, disagreement, view } = decided;
            if options.svcomp == Some(Property::UnreachCall)
                && let Verdict::Verified(_) = outcome.verdict
                // Following all paths, nothing undefined was met.
                && outcome.engine != execution::NAME
                && let Ok(program) = &function.program
                && let Some(reason) = portfolio::undefined(program, &setup.limits)
            {
                outcome.verdict = Verdict::Unknown(reason);
            }
            let mut answer =
                Answered { outcome, about_inlined, view, time, panicked: disagreement, certificate: None };
            if options.certificate.is_some() && answer.view.is_some() {
                let why = "the run was made on the bytes of C, for which there is no certificate";
                answer.certificate = Some(Err(why.to_owned()));
            } else if options.certificate.is_some()
                && let Ok(program) = &function.program
            {
                let making = Making {
                    options,
                    lp64: file.lp64,
                    program,
                    inlined: file.inlined[job.function].as_ref(),
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
            Answered { outcome, about_inlined: false, view: None, time, panicked: true, certificate: None }
        }
    }
}
