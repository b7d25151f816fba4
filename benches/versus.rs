//! The same formula to us, to Z3 and to cvc5, in one run: who needs how much CPU time, and do all agree?
//!
//! Ours is `catena solve`. Ours and Z3 are whole processes (user and system time, start included), taken in
//! turn: medians of five, of three above 200 ms, a single run above five seconds. cvc5 runs inside Python
//! once; its figure is the solver's own CPU time without the start of Python. A child is stopped after 20
//! seconds on the clock (`over`, counted with the CPU time it had used, cvc5 with all of it, so that Z3's
//! ratio is a lower bound); a family then goes on without the others. An answer `sat` against `unsat` is a
//! panic; `unknown` is printed. Others get reachability as a predicate with triggered axioms, and their
//! default options. Rows of a few milliseconds compare the start of the programs.
//!
//! Rows `scripts-LOGIC` are one dialogue of many random scripts with `(reset)` between them and two seconds
//! for each check.
//!
//! Arguments select rows by parts of their names; `cvc5` among them switches cvc5 on, which is slow; `n=500`
//! is the number of scripts in a row of scripts and of queries in a row `pdr-queries`, `seed=7` where the
//! scripts start.

#[path = "common/child.rs"]
mod child;
#[path = "common/cvc5.rs"]
mod cvc5;
#[path = "common/files.rs"]
mod files;
#[path = "common/pdr.rs"]
mod pdr;
#[path = "common/z3.rs"]
mod z3;

use catena::engine::solver::Config;
use catena::logic::{TermId, print};
use catena::testing::as_test::script;
use catena::testing::families;
use catena::testing::formulas::{Epr, Generate, GroundEuf, LinearInts, Lisbq, Shape};
use catena::testing::scripts::{Logic, script as random_script};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const RANDOM: u64 = 10;
/// The answer of a child that was stopped.
const OVER: &str = "over";
/// Unless an argument says otherwise.
const PDR_QUERIES: u64 = 10_000;
/// How long a dialogue may take.
const SESSION: Duration = Duration::from_secs(180);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut wanted: Vec<String> = args.into_iter().filter(|a| !a.starts_with("--")).collect();
    let with_cvc5 = wanted.iter().any(|w| w == "cvc5");
    wanted.retain(|w| w != "cvc5");
    let number = |key: &str| wanted.iter().find_map(|w| w.strip_prefix(key)?.parse::<u64>().ok());
    let (n_scripts, seed) = (number("n=").unwrap_or(100), number("seed=").unwrap_or(0));
    let n_queries = number("n=").unwrap_or(PDR_QUERIES) as usize;
    wanted.retain(|w| !w.contains('='));
    let dir = std::env::temp_dir().join(format!("versus-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for the scripts");
    let bench = Bench { z3: z3::z3(), cvc5: with_cvc5 && cvc5::has_cvc5(), wanted, dir };
    if bench.z3.is_none() {
        eprintln!("SKIPPED: z3 is not installed");
    }
    if with_cvc5 && !bench.cvc5 {
        eprintln!("SKIPPED: the Python package cvc5 is not installed");
    }
    println!("{:26} {:>8} {:>9} {:>9} {:>8}  CPU ms", "row", "ours", "z3", "cvc5", "z3/ours");
    bench.conditions();
    bench.families();
    bench.random();
    bench.scripts(seed, n_scripts);
    bench.incremental(n_queries);
    let _ = std::fs::remove_dir_all(&bench.dir);
}

/// Median time and the answer; nothing if the time limit was reached.
type Run = Option<(f64, String)>;

struct Bench {
    z3: Option<String>,
    cvc5: bool,
    wanted: Vec<String>,
    dir: PathBuf,
}

impl Bench {
    fn selected(&self, name: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|w| name.contains(w.as_str()))
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.join(name);
        std::fs::write(&path, text).expect("the directory was just made");
        path
    }

    fn conditions(&self) {
        for file in files::conditions() {
            let name = files::name(&file);
            if !self.selected(&name) {
                continue;
            }
            let twin =
                file.parent().and_then(Path::parent).map(|vcs| vcs.join(format!("axioms/{name}.smt2")));
            let twin = twin.filter(|t| t.exists()).expect("each condition has its axiomatised twin");
            self.row(&name, &[(file, twin.clone())], true);
            // The twin to us as well: its axioms are recognised.
            self.row(&format!("{name}-twin"), &[(twin.clone(), twin)], true);
        }
    }

    fn families(&self) {
        for family in families::ALL {
            let mut with_others = true;
            // The smallest size says nothing but the start-up time.
            for &size in &family.sizes[1..] {
                let name = format!("{}-{size}", family.name);
                if self.selected(&name) {
                    let instance = (family.make)(size);
                    let ours = self.file("ours.smt2", &instance.dialect());
                    let theirs = self.file("theirs.smt2", &instance.axiomatised());
                    with_others = self.row(&name, &[(ours, theirs)], with_others);
                }
            }
        }
    }

    /// One row per generator: the sum over a few seeds.
    fn random(&self) {
        let shape = Shape { assertions: 30, depth: 2 };
        let generators: [(&str, Box<dyn Generate>); 4] = [
            ("random-euf", Box::new(GroundEuf { shape, constants: 8, functions: 4, ..GroundEuf::default() })),
            ("random-lia", Box::new(LinearInts { shape, constants: 8, largest: 10 })),
            ("random-epr", Box::new(Epr { constants: 4, ..Epr::default() })),
            (
                "random-lisbq",
                Box::new(Lisbq { shape: Shape { assertions: 8, depth: 1 }, ..Lisbq::default() }),
            ),
        ];
        for (name, generator) in generators {
            if !self.selected(name) {
                continue;
            }
            let pairs: Vec<(PathBuf, PathBuf)> = (0..RANDOM)
                .map(|seed| {
                    let problem = generator.generate(seed);
                    let ours = self.file(&format!("ours-{seed}.smt2"), &problem.text());
                    (ours, self.file(&format!("theirs-{seed}.smt2"), &families::axiomatised(&problem, None)))
                })
                .collect();
            self.row(name, &pairs, true);
        }
    }

    /// One row per logic: random scripts in one dialogue.
    fn scripts(&self, seed: u64, n: u64) {
        for logic in Logic::ALL {
            let name = format!("scripts-{}", logic.name());
            if !self.selected(&name) {
                continue;
            }
            let texts: Vec<String> = (seed..seed + n).map(|seed| random_script(logic, seed)).collect();
            let session = |option: &str| {
                let parts = texts.iter().map(|text| format!("(set-option {option} 2000)\n{text}(reset)\n"));
                self.file(&format!("{name}{}.smt2", option.replace(':', "-")), &parts.collect::<String>())
            };
            let (usual, theirs) = (session(":timeout"), session(":tlimit-per"));
            let mut catena = Command::new(env!("CARGO_BIN_EXE_catena"));
            let mut runs = vec![("ours", child::run_within(catena.arg("solve").arg(&usual), None, SESSION))];
            if let Some(z3) = &self.z3 {
                runs.push(("z3", child::run_within(Command::new(z3).arg(&usual), None, SESSION)));
            }
            if self.cvc5 {
                let mut python = Command::new("python3");
                let run = child::run_within(python.args(["-c", cvc5::CVC5]).arg(&theirs), None, SESSION);
                runs.push(("cvc5", run));
            }
            let mut sums = [0.0; 3];
            let mut notes = Vec::new();
            let mut decided: Vec<Option<&str>> = vec![None; texts.len()];
            for (who, (solver, run)) in runs.iter().enumerate() {
                let Some((ms, text)) = run else {
                    notes.push(format!("{solver} over"));
                    continue;
                };
                sums[who] = *ms;
                // cvc5 says `unknown (REASON)`.
                let words = text.lines().filter_map(|line| line.split(' ').next());
                let answers: Vec<&str> =
                    words.filter(|word| matches!(*word, "sat" | "unsat" | "unknown")).collect();
                // An assertion that was refused makes the answers incomparable.
                let error = text.lines().find(|line| line.contains("error"));
                assert_eq!(error, None, "{name}: {solver}");
                if answers.len() < texts.len() {
                    // cvc5 ends at some of its own limits.
                    assert_eq!(*solver, "cvc5", "{name}: {} answers", answers.len());
                    notes.push(format!("{solver} stopped after {} scripts", answers.len()));
                }
                for (i, answer) in answers.iter().enumerate().filter(|(_, a)| **a != "unknown") {
                    let first = *decided[i].get_or_insert(answer);
                    assert_eq!(first, *answer, "{name}: {solver} disagrees on\n{}", texts[i]);
                }
                let count = |word| answers.iter().filter(|a| **a == word).count();
                let [sat, unsat, unknown] = ["sat", "unsat", "unknown"].map(count);
                notes.push(format!("{solver} {sat} sat {unsat} unsat {unknown} unknown"));
            }
            print_row(&name, sums, &notes.join(", "));
        }
    }

    /// Measures the pairs of scripts and prints their sums. False if Z3 was left out or reached the limit.
    fn row(&self, name: &str, pairs: &[(PathBuf, PathBuf)], with_others: bool) -> bool {
        let mut sums = [0.0; 3];
        let mut notes: Vec<String> = Vec::new();
        for (ours, theirs) in pairs {
            let cvc5 = if with_others { self.run_cvc5(theirs) } else { None };
            let runs = [self.ours_and_z3(ours, theirs, with_others), vec![cvc5]].concat();
            let mut decided: Option<&str> = None;
            for (who, run) in runs.iter().enumerate() {
                let Some(run) = run else { continue };
                let solver = ["ours", "z3", "cvc5"][who];
                let Some((ms, answer)) = run else {
                    notes.push(format!("{solver} over"));
                    sums[who] += child::LIMIT.as_secs_f64() * 1e3;
                    continue;
                };
                sums[who] += ms;
                match answer.as_str() {
                    "sat" | "unsat" => {
                        let first = *decided.get_or_insert(answer);
                        assert_eq!(first, answer, "{name}: {solver} disagrees on {}", ours.display());
                    }
                    _ => notes.push(format!("{solver} {answer}")),
                }
            }
        }
        notes.sort_unstable();
        let mut counted: Vec<String> = Vec::new();
        for group in notes.chunk_by(|a, b| a == b) {
            counted.push(format!("{} x{}", group[0], group.len()));
        }
        print_row(name, sums, &counted.join(", "));
        sums[1] > 0.0 && !notes.iter().any(|note| note == "z3 over")
    }

    /// Medians of runs taken in turn; quick ones are repeated more often.
    fn ours_and_z3(&self, ours: &Path, theirs: &Path, with_z3: bool) -> Vec<Option<Run>> {
        let mut times: [Vec<f64>; 2] = Default::default();
        let mut answers: [Option<String>; 2] = [None, None];
        let present = [true, with_z3 && self.z3.is_some()];
        let mut stopped = [false, !present[1]];
        for round in 0..5 {
            for who in 0..2 {
                let slowest = times[who].iter().copied().fold(0.0, f64::max);
                let enough = if slowest > 5000.0 {
                    1
                } else if slowest > 200.0 {
                    3
                } else {
                    5
                };
                if stopped[who] || round >= enough {
                    continue;
                }
                let run = if who == 0 { Some(run_ours(ours)) } else { self.run_z3(theirs) };
                match run {
                    None => stopped[who] = true,
                    Some((ms, answer)) => {
                        stopped[who] = answer == OVER;
                        times[who].push(ms);
                        answers[who] = Some(answer);
                    }
                }
            }
        }
        (0..2)
            .map(|who| {
                present[who].then(|| answers[who].take().map(|answer| (median(&mut times[who]), answer)))
            })
            .collect()
    }

    fn run_z3(&self, file: &Path) -> Run {
        Some(answer_of(Command::new(self.z3.as_ref()?).arg(file)))
    }

    fn run_cvc5(&self, file: &Path) -> Option<Run> {
        self.cvc5.then(|| {
            let (_, text) = child::run(Command::new("python3").args(["-c", cvc5::CVC5]).arg(file), None)?;
            let mut lines = text.lines().rev();
            let ms = lines.next()?.parse().ok()?;
            Some((ms, lines.next().unwrap_or("nothing").to_owned()))
        })
    }

    /// Many queries on one solver, in process, against one Z3 that reads them from its input.
    fn incremental(&self, queries: usize) {
        for n_cells in pdr::CELLS {
            let name = format!("pdr-queries-{n_cells}");
            if self.selected(&name) {
                self.queries(&name, n_cells, queries);
            }
        }
    }

    /// Both get the same queries: those that Z3 answers within its session.
    fn queries(&self, name: &str, n_cells: usize, mut queries: usize) {
        let mut traces = [pdr::Encoding::Relation, pdr::Encoding::Native]
            .map(|encoding| pdr::record(encoding, n_cells, queries, 5));
        let [expected, also] = [&traces[0], &traces[1]].map(answers);
        assert_eq!(expected, also, "{name}: the two encodings of reachability");
        let mut z3_ms = 0.0;
        let mut note = String::new();
        if let Some(z3) = &self.z3 {
            let input = self.file("pdr.smt2", &dialogue(&traces[0]));
            let input = File::open(input).expect("just written");
            let (ms, text, ended) = child::run_counted(Command::new(z3).arg("-in"), Some(input), SESSION);
            z3_ms = ms;
            let answered = text.lines().count();
            assert!(text.lines().eq(expected[..answered].iter().copied()), "{name}: Z3 answers otherwise");
            assert!(!ended || answered == expected.len(), "{name}: Z3 gave {answered} answers");
            if !ended {
                note = format!(" (the first of {}: z3 over)", expected.len());
                queries = answered.max(1);
            }
        }
        // Z3 is not asked for cores, so ours are not made minimal either.
        let config = Config { minimise_cores: false, ..Config::default() };
        for (encoding, trace) in ["relation", "native"].into_iter().zip(&mut traces) {
            shorten(trace, queries);
            let before = child::cpu_ms(std::process::id());
            let (_, times) = pdr::replay(trace, config.clone());
            let after = child::cpu_ms(std::process::id());
            let ours = before.zip(after).map_or(times.iter().sum(), |(before, after)| after - before);
            let mean = ours * 1e3 / times.len() as f64;
            let note = format!("{} queries in process, {mean:.1} us each{note}", times.len());
            print_row(&format!("{name}-{encoding}"), [ours, z3_ms, 0.0], &note);
        }
    }
}

/// Leaves so many queries, and what was asserted before the last of them.
fn shorten(trace: &mut pdr::Trace, queries: usize) {
    let mut checks = trace.calls.iter().enumerate().filter(|(_, call)| matches!(call, pdr::Call::Check(..)));
    if let Some((beyond, _)) = checks.nth(queries) {
        trace.calls.truncate(beyond);
    }
}

/// Milliseconds of each solver, nothing where one was not run.
fn print_row(name: &str, [ours, z3, cvc5]: [f64; 3], notes: &str) {
    let shown = |figure: f64, places: usize| match figure > 0.0 {
        true => format!("{figure:.places$}"),
        false => "-".to_owned(),
    };
    println!(
        "{name:26} {ours:8.1} {:>9} {:>9} {:>8}  {notes}",
        shown(z3, 1),
        shown(cvc5, 1),
        shown(z3 / ours, 2)
    );
}

fn answers(trace: &pdr::Trace) -> Vec<&'static str> {
    let answer = |call: &pdr::Call| match call {
        pdr::Call::Assert(_) => None,
        pdr::Call::Check(_, sat) => Some(if *sat { "sat" } else { "unsat" }),
    };
    trace.calls.iter().filter_map(answer).collect()
}

fn run_ours(file: &Path) -> (f64, String) {
    answer_of(Command::new(env!("CARGO_BIN_EXE_catena")).arg("solve").arg(file))
}

/// Milliseconds of CPU and the last line of a child, [`OVER`] if it was stopped: on a busy machine it has had
/// less than the limit by then.
fn answer_of(command: &mut Command) -> (f64, String) {
    let (ms, text, ended) = child::run_counted(command, None, child::LIMIT);
    (ms, if ended { last_line(&text) } else { OVER.to_owned() })
}

fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or("nothing").to_owned()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The trace as commands: assertions for good at the base level, each query between push and pop.
fn dialogue(trace: &pdr::Trace) -> String {
    let mentioned: Vec<TermId> = trace
        .calls
        .iter()
        .flat_map(|call| match call {
            pdr::Call::Assert(formula) => std::slice::from_ref(formula),
            pdr::Call::Check(assumptions, _) => assumptions,
        })
        .copied()
        .collect();
    let declarations = script(&trace.terms, &mentioned, None);
    let mut out = declarations[..declarations.find("(assert").unwrap_or(0)].to_owned();
    for call in &trace.calls {
        match call {
            pdr::Call::Assert(formula) => {
                let _ = writeln!(out, "(assert {})", print::term(&trace.terms, *formula));
            }
            pdr::Call::Check(assumptions, _) => {
                out.push_str("(push 1)\n");
                for &assumption in assumptions {
                    let _ = writeln!(out, "(assert {})", print::term(&trace.terms, assumption));
                }
                out.push_str("(check-sat)\n(pop 1)\n");
            }
        }
    }
    out
}
