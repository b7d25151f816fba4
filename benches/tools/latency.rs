//! How soon does a check return that is cancelled from another thread?
//!
//! Every input (the families of the benches at their larger sizes, families that are too large on purpose,
//! files given as arguments; those of separation logic as dialogues) is checked several times and cancelled
//! at random points. Afterwards the solver must still answer. Printed is the worst latency per input:
//! wall-clock time, and the processor time of the checking thread, which is what counts on a machine with
//! other work; then how many cancellations that is the worst of, and how many are left out because other
//! work hid when they were. Without any the latency is unknown, `-`.
//!
//! `--print NAME SIZE` prints an input as a script instead, for measuring the program from outside.

use catena::engine::solver::{Answer, Config, Reason, Solver};
use catena::frontend::smtlib;
use catena::frontend::smtlib::dialogue::{Dialogue, Response, Settings};
use catena::frontend::smtlib::stream::{Chunk, Stream};
use catena::logic::{TermId, Terms};
use catena::testing::clock::ThreadClock;
use catena::testing::families::{self, Family};
use catena::util::limits::{CancelToken, Limits, Stop};
use catena::util::rng::Rng;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// An uncancelled run is given up after this time; later points are not tried.
const LONGEST: Duration = Duration::from_secs(4);
/// How much the checking thread may work while this one reads two clocks.
const BLUR: Duration = Duration::from_millis(8);
/// Sizes of the growth families are multiplied by this, so that checks take long.
const LARGER: usize = 2;

/// Cancel checks at random points and print how long they take to return
#[derive(Parser)]
#[command(
    name = "latency",
    after_help = "Exit status: 0 if nothing was late, 1 if something was, 2 if the arguments are wrong."
)]
struct Options {
    /// Scripts
    files: Vec<PathBuf>,
    /// Only families whose names contain this (repeatable)
    #[arg(long = "family", value_name = "NAME")]
    families: Vec<String>,
    /// Cancellations per input
    #[arg(long, default_value_t = 12)]
    tries: u32,
    /// Where to start
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What counts as late, in milliseconds of processor time
    #[arg(long, default_value_t = 50.0)]
    limit: f64,
    /// With proofs
    #[arg(long)]
    proofs: bool,
    /// Print the family's instance of size N as a script
    #[arg(long, num_args = 2, value_names = ["NAME", "N"])]
    print: Option<Vec<String>>,
}

struct Input {
    name: String,
    content: Content,
}

enum Content {
    Formulas(Box<Terms>, Vec<TermId>),
    Script(Vec<Chunk>),
}

/// What is checked.
enum Subject {
    Formulas(Box<Solver>),
    Script(Box<Dialogue>, Vec<Chunk>),
}

impl Subject {
    fn new(input: &Input, proofs: bool, token: CancelToken) -> Subject {
        let limits = Limits { cancel: Some(token), ..Limits::default() };
        match &input.content {
            Content::Script(chunks) => {
                let settings = Settings { limits, proofs, ..Settings::default() };
                Subject::Script(Box::new(Dialogue::new(settings)), chunks.clone())
            }
            Content::Formulas(terms, formulas) => {
                let config = Config { proofs, ..Config::default() };
                let mut solver = Solver::with_terms(config, (**terms).clone());
                solver.set_limits(limits);
                solver.push();
                for &formula in formulas {
                    solver.assert(formula).expect("assertions are closed formulas");
                }
                Subject::Formulas(Box::new(solver))
            }
        }
    }

    /// The answer, or all answers of a script up to the first check that was cancelled; whether one was.
    fn check(&mut self) -> (bool, Option<Answer>) {
        match self {
            Subject::Formulas(solver) => {
                let answer = solver.check();
                (matches!(answer, Answer::Unknown(Reason::Stopped(Stop::Cancelled))), Some(answer))
            }
            Subject::Script(dialogue, chunks) => {
                for chunk in chunks.iter() {
                    dialogue.chunk(chunk);
                    if chunk.text.starts_with("(check") && dialogue.reason_unknown() == Some("canceled") {
                        return (true, None);
                    }
                }
                (false, None)
            }
        }
    }

    /// Asks something easy.
    fn answers_again(&mut self) -> Result<(), String> {
        match self {
            Subject::Formulas(solver) => {
                assert!(solver.pop(1));
                solver.assert(Terms::TRUE).map_err(|e| e.to_string())?;
                match solver.check() {
                    Answer::Sat(_) => Ok(()),
                    other => Err(format!("afterwards the empty problem is {other:?}")),
                }
            }
            Subject::Script(dialogue, _) => {
                let mut last = None;
                for chunk in chunks("(reset) (check-sat)")? {
                    last = Some(dialogue.chunk(&chunk));
                }
                match last {
                    Some(Response::Text(answer)) if answer == "sat" => Ok(()),
                    other => Err(format!("afterwards the empty problem is {other:?}")),
                }
            }
        }
    }
}

/// The commands of a script.
fn chunks(text: &str) -> Result<Vec<Chunk>, String> {
    let mut stream = Stream::new(text.as_bytes());
    let mut chunks = Vec::new();
    while let Some(chunk) = stream.next_chunk().map_err(|e| e.to_string())? {
        chunks.push(chunk.map_err(|e| e.to_string())?);
    }
    Ok(chunks)
}

struct Latency {
    wall: f64,
    cpu: f64,
    /// When the check was cancelled, in milliseconds after its start.
    at: f64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some([name, size]) = options.print.as_deref() {
        return match print_instance(name, size) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("latency: {error}");
                ExitCode::from(2)
            }
        };
    }
    println!(
        "{:28} {:>9} {:>9} {:>9} {:>9} {:>5} {:>8}",
        "input", "whole ms", "wall ms", "cpu ms", "at ms", "kept", "blurred"
    );
    let mut rng = Rng::new(options.seed);
    let mut late = 0;
    let selected = |f: &&Family| {
        options.families.is_empty() || options.families.iter().any(|w| f.name.contains(w.as_str()))
    };
    for family in families::ALL.iter().filter(selected) {
        let size = LARGER * family.sizes[family.sizes.len() - 1];
        late += u32::from(measure(&of_family(family, size), &options, &mut rng));
    }
    for family in families::STRESS.iter().filter(selected) {
        for &size in family.sizes {
            late += u32::from(measure(&of_family(family, size), &options, &mut rng));
        }
    }
    for file in &options.files {
        match of_file(file) {
            Ok(input) => late += u32::from(measure(&input, &options, &mut rng)),
            Err(error) => eprintln!("latency: {}: {error}", file.display()),
        }
    }
    if late > 0 {
        println!("{late} inputs were late");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Prints the instance of a family as a script.
fn print_instance(name: &str, size: &str) -> Result<(), String> {
    let size: usize = size.parse().map_err(|_| format!("{size} is no size"))?;
    let family = families::find(name).ok_or_else(|| format!("no family {name}"))?;
    print!("{}", (family.make)(size).dialect());
    Ok(())
}

fn of_family(family: &Family, size: usize) -> Input {
    let problem = (family.make)(size).problem;
    let content = Content::Formulas(Box::new(problem.terms), problem.formulas);
    Input { name: format!("{} {size}", family.name), content }
}

fn of_file(file: &Path) -> Result<Input, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let content = if text.contains("(declare-heap") {
        Content::Script(chunks(&text)?)
    } else {
        let mut terms = Terms::new();
        let formulas = smtlib::read(&text, &mut terms).map_err(|e| e.to_string())?.formulas();
        Content::Formulas(Box::new(terms), formulas)
    };
    Ok(Input { name, content })
}

/// Whether a cancelled check was late; prints a row.
fn measure(input: &Input, options: &Options, rng: &mut Rng) -> bool {
    let whole = match cancelled(input, LONGEST, options.proofs) {
        Ok(Sample::Kept(_) | Sample::Blurred) => LONGEST,
        Ok(Sample::Ended) => finished(input, options.proofs),
        Err(error) => {
            println!("{:28} {error}", input.name);
            return true;
        }
    };
    let mut worst: Option<Latency> = None;
    let (mut kept, mut blurred) = (0, 0);
    for _ in 0..options.tries {
        let part = rng.below(1_000_000) as f64 / 1e6;
        match cancelled(input, whole.mul_f64(part), options.proofs) {
            Ok(Sample::Kept(latency)) => {
                kept += 1;
                if worst.as_ref().is_none_or(|worst| latency.cpu > worst.cpu) {
                    worst = Some(latency);
                }
            }
            Ok(Sample::Blurred) => blurred += 1,
            Ok(Sample::Ended) => {}
            Err(error) => {
                println!("{:28} {error}", input.name);
                return true;
            }
        }
    }
    let late = worst.as_ref().is_some_and(|worst| worst.cpu > options.limit);
    // No sample is not the same as no latency.
    let figures = worst.map_or_else(
        || format!("{:>9} {:>9} {:>9}", "-", "-", "-"),
        |worst| format!("{:9.1} {:9.1} {:9.1}", worst.wall, worst.cpu, worst.at),
    );
    println!(
        "{:28} {:9.1} {figures} {kept:5} {blurred:8}{}",
        input.name,
        whole.as_secs_f64() * 1e3,
        if late { " LATE" } else { "" }
    );
    late
}

/// How long a check takes that ends by itself.
fn finished(input: &Input, proofs: bool) -> Duration {
    let mut subject = Subject::new(input, proofs, CancelToken::new());
    let start = Instant::now();
    drop(subject.check());
    start.elapsed()
}

/// What one cancellation showed.
enum Sample {
    /// How long the check took to return.
    Kept(Latency),
    /// This thread had to wait around the cancellation, so when it was is not known.
    Blurred,
    /// The check had ended by then.
    Ended,
}

/// Cancels a check after some time; an error if the solver does not answer afterwards.
fn cancelled(input: &Input, after: Duration, proofs: bool) -> Result<Sample, String> {
    let token = CancelToken::new();
    let (to_main, from_checker) = mpsc::channel();
    let (to_checker, from_main) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let theirs = token.clone();
        let checker = scope.spawn(move || {
            let mut subject = Subject::new(input, proofs, theirs.clone());
            // The checking thread says where its processor time can be read.
            let clock = ThreadClock::here();
            to_main.send(clock.clone()).expect("the main thread waits");
            from_main.recv().expect("the main thread starts the check");
            let (stopped, answer) = subject.check();
            let (end, cpu) = (Instant::now(), clock.spent());
            // The answer may own much; dropping it is not part of the check.
            drop(answer);
            from_main.recv().expect("the main thread has cancelled");
            theirs.reset();
            (subject.answers_again(), stopped, end, cpu)
        });
        let clock = from_checker.recv().map_err(|_| "the check panicked".to_owned())?;
        to_checker.send(()).expect("the checker waits");
        std::thread::sleep(after);
        let cpu_before = clock.spent();
        token.cancel();
        let (start, cpu) = (Instant::now(), clock.spent());
        // A checker that has panicked does not listen.
        let _ = to_checker.send(());
        // On a busy machine this thread may have waited around the cancellation; then nothing is known.
        let blurred = cpu.saturating_sub(cpu_before) > BLUR;
        let joined = checker.join().map_err(|_| "the check panicked".to_owned())?;
        let (afterwards, stopped, end, cpu_end) = joined;
        afterwards?;
        let latency = Latency {
            wall: end.saturating_duration_since(start).as_secs_f64() * 1e3,
            cpu: cpu_end.saturating_sub(cpu).as_secs_f64() * 1e3,
            at: after.as_secs_f64() * 1e3,
        };
        Ok(match (stopped, blurred) {
            (false, _) => Sample::Ended,
            (true, true) => Sample::Blurred,
            (true, false) => Sample::Kept(latency),
        })
    })
}
