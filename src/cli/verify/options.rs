//! The options of `catena verify`.

use crate::analysis::heaps::Context;
use crate::analysis::{ENGINES, Predicates};
use crate::cli::arguments::{self, word};
use crate::cli::flags;
use crate::cli::screen::Colour;
use crate::frontend::c::Malloc;
use crate::frontend::c::files::{Disk, Provider};
use crate::frontend::nearest::did_you_mean;
use crate::portfolio::Engine;
use crate::program::{Check, Property};
use crate::report::text::Detail;
use crate::session::Settings;
use crate::verdict::Language;
use clap::ArgAction;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// How answers are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Format {
    #[default]
    Text,
    Json,
    Sarif,
    Github,
    Junit,
}

/// Prove or refute every function that has a contract, and main
#[derive(Debug, clap::Args)]
#[command(after_help = after(), args_override_self = true)]
pub(in crate::cli) struct Arguments {
    /// Files, or directories: all `.c` files below, or those of its compilation database
    #[arg(value_name = "FILE.c|DIR", required_unless_present = "compile_commands")]
    pub files: Vec<OsString>,
    #[arg(long, value_name = "ENGINE", default_value = "auto", help = "Who decides")]
    #[arg(value_parser = word(Engine::ALL.map(|e| (e.word(), e))), hide_possible_values = true)]
    engine: Engine,
    /// Of engine pdr: derived from the program and refined; the families of its paper; none at all:
    /// universally quantified invariants from finite models
    #[arg(long, value_name = "WHICH", value_parser = word(PREDICATES), verbatim_doc_comment)]
    predicates: Option<Predicates>,
    /// Of engine heaps: the Cartesian post of the paper with this context
    #[arg(long, value_name = "WHICH", value_parser = word(CONTEXTS))]
    context: Option<Context>,
    /// Only this function (repeatable); one without a contract gets one by inference
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Only this behaviour (repeatable)
    #[arg(long, value_name = "NAME")]
    behavior: Vec<String>,
    #[arg(long, value_name = "LIST", value_parser = checks, help = check_words())]
    check: Option<Checks>,
    /// Give up on a function after this time: unknown
    #[arg(long, value_name = "SECONDS", value_parser = arguments::seconds, default_value = "60")]
    timeout: Duration,
    /// Give up on a function when the program grows beyond this: unknown
    #[arg(long, value_name = "MB", value_parser = arguments::megabytes, default_value = "4000")]
    memory: u64,
    /// Threads; as many as there are processors if nothing is said
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How answers are printed
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// When answers are coloured: auto, always or never; NO_COLOR is respected
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, hide_possible_values = true)]
    pub color: Colour,
    /// Invariants, predicates, engines that ran and for how long; without it success is one line
    #[arg(long)]
    explain: bool,
    /// All steps of failing runs, not only those that matter
    #[arg(long)]
    full_trace: bool,
    /// Answers that were found before are taken from this directory, new ones are kept in it
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Verify again what changed when a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// Evidence for every verdict, checked again by `catena certify FILE.c OUT`
    #[arg(long, value_name = "OUT")]
    pub certificate: Option<PathBuf>,
    /// One page with all answers: source, failing runs step by step
    /// with pictures of the heap
    #[arg(long, value_name = "OUT.html", verbatim_doc_comment)]
    pub report: Option<PathBuf>,
    /// Every state of every failing run as a file for Graphviz
    #[arg(long, value_name = "DIR")]
    pub dot: Option<PathBuf>,
    /// A witness of the competition, format 2.0: of main, or of the first function that is decided
    #[arg(long, value_name = "OUT.yml")]
    pub witness: Option<PathBuf>,
    /// A C program that makes the first failing run again; compile it with -g -fsanitize=address
    #[arg(long, value_name = "OUT.c")]
    pub replay: Option<PathBuf>,
    /// That property of main: unreach-call, valid-memsafety,
    /// valid-memcleanup, no-overflow, termination; the last line
    /// is VERDICT: true, false(..) or unknown(..)
    #[arg(long, value_name = "PROPERTY", verbatim_doc_comment)]
    #[arg(value_parser = word(Property::ALL.map(|p| (p.word(), p))), hide_possible_values = true)]
    svcomp: Option<Property>,
    /// Sizes of the types of C
    #[arg(long, value_name = "MODEL", action = ArgAction::Set, default_value = "LP64")]
    #[arg(value_parser = word(DATA_MODELS))]
    data_model: bool,
    /// Whether malloc may return NULL
    #[arg(long, value_name = "HOW", value_parser = word(MALLOC), default_value = "never-fails")]
    malloc: Malloc,
    /// Counters on standard error
    #[arg(long)]
    pub stats: bool,
    /// Only the verdicts
    #[arg(long, short)]
    pub quiet: bool,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t)]
    seed: u64,
    /// A compilation database: its files with their flags, or the flags of the files that are named;
    /// a directory that has one (or DIR/build) is enough
    #[arg(long, value_name = "FILE", help_heading = flags::HEADING, verbatim_doc_comment)]
    pub compile_commands: Option<PathBuf>,
    #[command(flatten)]
    flags: flags::Written,
}

const PREDICATES: [(&str, Predicates); 3] =
    [("derived", Predicates::Derived), ("paper", Predicates::Paper), ("none", Predicates::None)];
const CONTEXTS: [(&str, Context); 3] =
    [("none", Context::None), ("heap", Context::Heap), ("joint", Context::Joint)];
/// Whether it is LP64.
pub(in crate::cli) const DATA_MODELS: [(&str, bool); 2] = [("ILP32", false), ("LP64", true)];
pub(in crate::cli) const MALLOC: [(&str, Malloc); 2] =
    [("never-fails", Malloc::NeverFails), ("may-fail", Malloc::MayFail)];

const AFTER: &str = "\
verdicts: verified, violated (with a run of the interpreter), too-weak (no invariant in the engine's
language, or the given ones do not suffice), unknown (with the reason)
exit status: 0 all verified, 1 something violated, 2 something too-weak or unknown, 64 usage, 65 input rejected
A tutorial and the annotation language: docs/verify.md. A first example:

  struct node { int data; struct node *next; };
  /*@ requires \\valid(e) && \\list(next, l) && !(l -next*-> e);
      ensures  \\list(next, \\result); @*/
  struct node *push(struct node *l, struct node *e) { e->next = l; return e; }";

/// What each engine takes and shows, and the rest.
fn after() -> String {
    let line = |e: &&dyn crate::analysis::Engine| {
        let shown = match e.evidence() {
            None => "loop invariants",
            Some(Language::Signatures) => "signatures",
            Some(Language::ShapeGraphs) => "shape graphs",
        };
        format!("  {:<9} {}; shows {shown}\n", e.author().word(), e.takes())
    };
    let lines: String = ENGINES.iter().map(line).collect();
    format!("engines:\n  auto      the others in an order that the program suggests\n{lines}\n{AFTER}")
}

fn check_words() -> String {
    let words: Vec<&str> = Check::ALL.iter().map(|c| c.word()).collect();
    format!("What is checked, of {}; [default: the first three]", words.join(","))
}

/// The classes of `--check`.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Checks(pub Vec<Check>);

impl Arguments {
    /// How much answers as text say.
    pub(super) fn detail(&self) -> Detail {
        Detail { explain: self.explain, full_trace: self.full_trace }
    }

    /// What the session is about.
    pub(super) fn settings(&self) -> Result<Settings, String> {
        if self.context.is_some() && self.engine != Engine::Heaps {
            return Err("`--context` belongs to `--engine heaps`".to_owned());
        }
        let mut settings = Settings {
            engine: self.engine,
            functions: self.function.clone(),
            behaviors: self.behavior.clone(),
            jobs: self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, usize::from),
            seed: self.seed,
            // Evidence needs a run of the interpreter, whose inputs are known; so does a replay.
            certificates: self.certificate.is_some() || self.replay.is_some(),
            ..Settings::default()
        };
        settings.limits.time = Some(self.timeout);
        settings.limits.memory = Some(self.memory);
        settings.variants.context = self.context;
        if let Some(predicates) = self.predicates {
            settings.variants.predicates = predicates;
        }
        let reading = &mut settings.reading;
        reading.lp64 = self.data_model;
        reading.malloc = self.malloc;
        reading.flags = self.flags.0.clone();
        reading.files = Provider::new(Disk);
        reading.property = self.svcomp;
        if let Some(property) = self.svcomp {
            reading.checks = property.checks();
        } else if let Some(Checks(checks)) = &self.check {
            reading.checks = checks.clone();
        }
        Ok(settings)
    }
}

pub(in crate::cli) fn checks(list: &str) -> Result<Checks, String> {
    let mut out = Vec::new();
    for word in list.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let check = Check::named(word).ok_or_else(|| {
            let words: Vec<&str> = Check::ALL.iter().map(|c| c.word()).collect();
            let meant = did_you_mean(word, "", &words).unwrap_or_else(|| words.join(", "));
            format!("there is no check `{word}`: {meant}")
        })?;
        if !out.contains(&check) {
            out.push(check);
        }
    }
    if out.is_empty() { Err("`--check` needs at least one word".to_owned()) } else { Ok(Checks(out)) }
}
