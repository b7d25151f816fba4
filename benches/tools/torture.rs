//! Hammers the crate with random cases until the time is over.
//!
//! Cases are functions of (seed, kind, index), so a complaint can be had again by its seed. Workers draw
//! from a queue in which the kinds take turns. A complaint is shrunk and printed as a test to paste; a case
//! that does not come back is reported with its seed. Limits are steps or processor time, never the clock on
//! the wall, so a run beside other work complains of the same cases; only how many fit into it differs.

use catena::testing::clock::ThreadClock;
use catena::testing::kinds::{Kind, case_seed, kinds};
use catena::testing::{Complaint, Verdict};
use clap::builder::PossibleValuesParser;
use clap::{Parser, value_parser};
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A case may take so much processor time before the run is given up. Limits are in steps; this is for
/// work that counts none.
const STUCK: Duration = Duration::from_secs(300);
/// Complaints of one kind that are shrunk; more of them say nothing new.
const MAX_COMPLAINTS: u64 = 3;

/// Random cases for all generators, API traces and readers
#[derive(Parser)]
#[command(
    name = "torture",
    after_help = "Exit status: 0 if nothing complained, 1 if something did, 2 if the arguments are wrong."
)]
struct Options {
    /// How long
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Where to start
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only this kind (repeatable)
    #[arg(long = "kind", value_parser = PossibleValuesParser::new(kinds().iter().map(|k| k.name)))]
    only: Vec<String>,
    /// Run the one case with this seed, as printed with a complaint; needs one --kind
    #[arg(long, requires = "only")]
    case: Option<u64>,
    /// Print the case instead of running it
    #[arg(long)]
    print: bool,
    /// Threads
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u64).range(1..=64))]
    jobs: u64,
    /// An option of `catena options` (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Draw the options that may only cost time; complaints that something is unknown are no news then
    #[arg(long, value_name = "SEED")]
    vary: Option<u64>,
    /// Print the kinds
    #[arg(long)]
    list: bool,
}

#[derive(Clone, Copy, Default)]
struct Row {
    cases: u64,
    sat: u64,
    unsat: u64,
    unknown: u64,
    complaints: u64,
    micros: u64,
}

impl Row {
    fn count(&mut self, outcome: &Result<Verdict, Complaint>, time: Duration) {
        self.cases += 1;
        self.micros += time.as_micros() as u64;
        match outcome {
            Ok(Verdict::Sat) => self.sat += 1,
            Ok(Verdict::Unsat) => self.unsat += 1,
            Ok(Verdict::Unknown) => self.unknown += 1,
            Err(_) => self.complaints += 1,
        }
    }
}

/// The name of a kind, a seed, the worker's clock and what it showed when the case began.
type Current = (&'static str, u64, ThreadClock, Duration);

/// What the workers share.
struct Run {
    options: Options,
    names: Vec<&'static str>,
    deadline: Instant,
    next: AtomicU64,
    done: AtomicBool,
    rows: Mutex<Vec<Row>>,
    /// Per worker: what it is at.
    current: Vec<Mutex<Option<Current>>>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.list {
        kinds().iter().for_each(|k| println!("{}", k.name));
        return ExitCode::SUCCESS;
    }
    if let Err(error) = options.set.iter().try_for_each(|text| catena::util::options::set(text)) {
        eprintln!("torture: {error}");
        return ExitCode::from(2);
    }
    options.vary.into_iter().for_each(vary);
    // A caught panic is a complaint with its message; the default report would only clutter the output.
    std::panic::set_hook(Box::new(|_| {}));
    if let Some(seed) = options.case {
        return one_case(&options, seed);
    }
    hammer(options)
}

/// Draws every option from half to twice its default.
fn vary(seed: u64) {
    let mut rng = catena::util::rng::Rng::new(seed);
    for choice in catena::util::options::TABLE.iter().filter(|c| c.name != "solver.backend") {
        let (least, most) = choice.range;
        let value = (choice.default / 2 + rng.below(choice.default.max(1) as usize * 3 / 2 + 1) as u64)
            .clamp(least, most);
        println!("{} = {value}", choice.name);
        choice.set(value).expect("within the range");
    }
}

/// The kinds asked for.
fn chosen(options: &Options) -> Vec<Kind> {
    kinds()
        .into_iter()
        .filter(|k| options.only.is_empty() || options.only.iter().any(|o| o == k.name))
        .collect()
}

fn one_case(options: &Options, seed: u64) -> ExitCode {
    let kind = &chosen(options)[0];
    if options.print {
        println!("{}", kind.case(seed));
        return ExitCode::SUCCESS;
    }
    match kind.run(seed) {
        Ok(verdict) => {
            println!("{} {seed}: {verdict}", kind.name);
            ExitCode::SUCCESS
        }
        Err(complaint) => {
            report(kind, seed, &complaint);
            ExitCode::FAILURE
        }
    }
}

fn report(kind: &Kind, seed: u64, complaint: &Complaint) {
    println!("\ncomplaint: --kind {} --case {seed}\n{complaint}", kind.name);
    // Shrinking may take a while, and with several workers other lines may come between.
    let test = kind.reproduce(seed, complaint);
    println!("--kind {} --case {seed} shrinks to\n{test}", kind.name);
}

fn hammer(options: Options) -> ExitCode {
    let names: Vec<&'static str> = chosen(&options).iter().map(|k| k.name).collect();
    let jobs = options.jobs as usize;
    let run = Run {
        deadline: Instant::now() + Duration::from_secs(options.seconds),
        rows: Mutex::new(vec![Row::default(); names.len()]),
        current: (0..jobs).map(|_| Mutex::new(None)).collect(),
        next: AtomicU64::new(0),
        done: AtomicBool::new(false),
        options,
        names,
    };
    let stuck = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs)
            .map(|worker| {
                scope.spawn({
                    let run = &run;
                    move || run.work(worker)
                })
            })
            .collect();
        let mut stuck = false;
        while !stuck && workers.iter().any(|w| !w.is_finished()) {
            std::thread::sleep(Duration::from_millis(100));
            run.progress();
            stuck = run.report_stuck();
        }
        if stuck {
            // The worker cannot be stopped; leave without it.
            run.table();
            std::process::exit(1);
        }
        stuck
    });
    let complaints = run.table();
    if complaints > 0 || stuck { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

impl Run {
    fn work(&self, worker: usize) {
        let (kinds, clock) = (chosen(&self.options), ThreadClock::here());
        while Instant::now() < self.deadline && !self.done.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let at = (number % kinds.len() as u64) as usize;
            let kind = &kinds[at];
            let seed = case_seed(self.options.seed, kind.name, number / kinds.len() as u64);
            let start = clock.spent();
            *lock(&self.current[worker]) = Some((kind.name, seed, clock.clone(), start));
            let outcome = kind.run(seed);
            let mut rows = lock(&self.rows);
            rows[at].count(&outcome, clock.spent().saturating_sub(start));
            let n_complaints = rows[at].complaints;
            drop(rows);
            if let Err(complaint) = outcome
                && n_complaints <= MAX_COMPLAINTS
            {
                // Shrinking may take its time.
                *lock(&self.current[worker]) = None;
                report(kind, seed, &complaint);
            }
            *lock(&self.current[worker]) = None;
        }
    }

    fn progress(&self) {
        if std::io::stderr().is_terminal() {
            let rows = lock(&self.rows);
            let (cases, complaints) =
                rows.iter().fold((0, 0), |(c, k), row| (c + row.cases, k + row.complaints));
            let left = self.deadline.saturating_duration_since(Instant::now()).as_secs();
            eprint!("\r{cases} cases, {complaints} complaints, {left} s left ");
        }
    }

    /// Whether some case takes forever; it is printed.
    fn report_stuck(&self) -> bool {
        for current in &self.current {
            if let Some((name, seed, clock, start)) = &*lock(current)
                && clock.spent() > *start + STUCK
            {
                println!("\nstuck: --kind {name} --case {seed} after {STUCK:?}");
                if let Some(kind) = kinds().iter().find(|k| k.name == *name) {
                    println!("{}", kind.case(*seed));
                }
                self.done.store(true, Ordering::Relaxed);
                return true;
            }
        }
        false
    }

    /// Prints the summary and returns the number of complaints.
    fn table(&self) -> u64 {
        let rows = lock(&self.rows);
        println!(
            "\n{:16}{:>8}{:>8}{:>8}{:>9}{:>12}{:>10}",
            "kind", "cases", "sat", "unsat", "unknown", "complaints", "ms/case"
        );
        for (name, row) in self.names.iter().zip(rows.iter()) {
            println!(
                "{name:16}{:>8}{:>8}{:>8}{:>9}{:>12}{:>10.2}",
                row.cases,
                row.sat,
                row.unsat,
                row.unknown,
                row.complaints,
                row.micros as f64 / 1e3 / row.cases.max(1) as f64
            );
        }
        rows.iter().map(|r| r.complaints).sum()
    }
}

/// A worker that panicked leaves numbers that are still good.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
