//! Decides jobs on several threads and hands the answers out in order.

use super::certificate::Making;
use super::watch::{Order, Watch, Worker, out_of_memory};
use super::{Answered, File, Job, Settings, unread};
use crate::analysis::Setup;
use crate::analysis::vc::vacuous::is_vacuous;
use crate::portfolio::paths::{Source, with_paths};
use crate::portfolio::{self, Aside, Decided, Task};
use crate::program::Check;
use crate::util::clock::Instant;
use crate::util::limits::{Limits, Stop};
use crate::util::threads;
use crate::verdict::{Outcome, Reason, Verdict};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Stack of a worker: formulas are walked recursively.
const STACK: usize = 256 << 20;
/// How often limits are looked at from outside; memory can grow by gigabytes in a second.
const TICK: Duration = Duration::from_millis(5);

/// Who waits for the answers.
pub trait Audience {
    /// Gets each answer, in the order of the jobs.
    fn answer(&mut self, job: &Job, answer: Answered) -> io::Result<()>;

    /// Is told several times a second how many answers there are.
    fn wait(&mut self, _answers: usize) -> io::Result<()> {
        Ok(())
    }
}

/// Gets the name of a function and how far its engine is, from the threads that work.
pub type Told = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// What the workers share. A worker that is given up keeps it alive.
struct Shared {
    files: Arc<Vec<File>>,
    jobs: Arc<Vec<Job>>,
    settings: Settings,
    setup: Setup,
    next: AtomicUsize,
    told: Told,
}

type Answers = mpsc::Sender<(usize, Answered)>;

/// Decides all jobs. The token of the limits stops everything.
pub fn decide_all(
    files: &Arc<Vec<File>>,
    jobs: &Arc<Vec<Job>>,
    settings: &Settings,
    told: Told,
    audience: &mut dyn Audience,
) -> io::Result<()> {
    let threads = settings.jobs.min(jobs.len()).max(1);
    let setup = Setup {
        certificates: settings.certificates,
        limits: settings.limits.clone(),
        jobs: (settings.jobs / threads).max(1),
        seed: settings.seed,
        variants: settings.variants,
        ..Setup::default()
    };
    let token = settings.limits.cancel.clone().unwrap_or_default();
    let (files, jobs, settings) = (files.clone(), jobs.clone(), settings.clone());
    let shared = Arc::new(Shared { files, jobs, settings, setup, next: AtomicUsize::new(0), told });
    let mut watch = Watch::new(&shared.setup.limits, &token);
    let (send, receive) = mpsc::channel();
    for _ in 0..threads {
        watch.workers.push(start(&shared, &send)?);
    }
    let delivered = collect(&shared, &send, &receive, &mut watch, audience);
    if delivered.is_err() {
        watch.stop();
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
            let mut result = decide(&shared, job, &setup);
            own.end(&mut result.outcome.verdict, shared.setup.limits.memory);
            if send.send((i, result)).is_err() {
                return;
            }
        }
    };
    if threads::AVAILABLE {
        std::thread::Builder::new().stack_size(STACK).spawn(work)?;
    } else {
        // The only thread does all the work before anybody waits for it.
        work();
    }
    Ok(worker)
}

/// Receives answers, delivers those whose predecessors are there, shows the status in between, and gives up on jobs
/// that do not keep their limits.
fn collect(
    shared: &Arc<Shared>,
    send: &Answers,
    receive: &mpsc::Receiver<(usize, Answered)>,
    watch: &mut Watch<'_>,
    audience: &mut dyn Audience,
) -> io::Result<()> {
    let jobs = &shared.jobs;
    let mut waiting: Vec<Option<Answered>> = jobs.iter().map(|_| None).collect();
    let (mut delivered, mut looked) = (0, Instant::now());
    let unknown = |reason: Reason, time: Duration| {
        let outcome = Outcome::unknown(shared.settings.engine.author(), reason);
        Answered {
            outcome,
            about_inlined: false,
            view: None,
            time,
            is_fault: false,
            certificate: None,
            vacuous: false,
            known: false,
        }
    };
    while delivered < jobs.len() {
        let received = if threads::AVAILABLE {
            receive.recv_timeout(TICK)
        } else {
            receive.try_recv().map_err(|e| match e {
                mpsc::TryRecvError::Empty => mpsc::RecvTimeoutError::Timeout,
                mpsc::TryRecvError::Disconnected => mpsc::RecvTimeoutError::Disconnected,
            })
        };
        match received {
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
                        waiting[job] = Some(unknown(Reason { message, span: None }, time));
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
            audience.wait(delivered)?;
        }
        while let Some(result) = waiting.get_mut(delivered).and_then(Option::take) {
            audience.answer(&jobs[delivered], result)?;
            delivered += 1;
        }
    }
    Ok(())
}

/// The answer that is known, or the one that is found.
#[cfg(feature = "cli")]
fn decide(shared: &Shared, job: &Job, setup: &Setup) -> Answered {
    let settings = &shared.settings;
    let Some(cache) = &settings.cache else { return find(shared, job, setup) };
    let file = &shared.files[job.file];
    let about = super::cache::About { settings, file, function: &file.unit.functions[job.function], job };
    let asked = cache.asked(about);
    cache.recall(&asked).unwrap_or_else(|| {
        let answer = find(shared, job, setup);
        cache.keep(&asked, &answer);
        answer
    })
}

#[cfg(not(feature = "cli"))]
use find as decide;

fn find(shared: &Shared, job: &Job, setup: &Setup) -> Answered {
    let start = Instant::now();
    let file = &shared.files[job.file];
    let function = &file.unit.functions[job.function];
    let (settings, inlined) = (&shared.settings, function.inlined.as_ref());
    let progress = |text: &str| (shared.told)(&function.name, text);
    let engines = |setup: &Setup, aside: Option<&dyn Aside>| match &function.program {
        Ok(program) => {
            let property = settings.reading.property;
            let task = Task { program, inlined, question: &job.question, property, aside };
            portfolio::decide(settings.engine, &task, setup, &progress)
        }
        Err(found) => Decided::new(unread(found)),
    };
    let source = file.unit.checked.as_ref().filter(|_| function.name == "main");
    let source =
        source.map(|unit| Source { unit, reading: &file.reading, has_cells: function.program.is_ok() });
    let decided =
        catch_unwind(AssertUnwindSafe(|| with_paths(source.as_ref(), settings.engine, setup, &engines)));
    let (decided, panicked) = match decided {
        Ok(decided) => (decided, false),
        Err(panic) => {
            let message = format!("internal error: {}", text_of(&*panic));
            let reason = Reason { message, span: None };
            (Decided::new(Outcome::unknown(settings.engine.author(), reason)), true)
        }
    };
    let Decided { outcome, about_inlined, disagreement, view } = decided;
    let time = start.elapsed();
    let is_fault = panicked || disagreement;
    // Of a function that nobody can call everything is true, and somebody should know.
    let vacuous = || function.program.as_ref().is_ok_and(|program| is_vacuous(program, &job.question));
    let vacuous = matches!(outcome.verdict, Verdict::Verified(_))
        && catch_unwind(AssertUnwindSafe(vacuous)).unwrap_or(false);
    let mut answer =
        Answered { outcome, about_inlined, view, time, is_fault, certificate: None, vacuous, known: false };
    let decided = matches!(answer.outcome.verdict, Verdict::Verified(_) | Verdict::Violated(_));
    if settings.certificates && decided && job.question.asks(Check::Termination) {
        answer.certificate = Some(Err("there are no certificates of termination".to_owned()));
    } else if settings.certificates && answer.view.is_some() {
        let why = "the run was made on the bytes of C, for which there is no certificate";
        answer.certificate = Some(Err(why.to_owned()));
    } else if let (true, Ok(program)) = (settings.certificates, &function.program) {
        let making = Making {
            settings,
            lp64: file.reading.lp64,
            program,
            inlined,
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

/// What a panic says.
pub(super) fn text_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic")
}
