//! The options of `catena infer`.

use crate::cli::arguments::{self, word};
use crate::cli::flags;
use crate::cli::verify::{DATA_MODELS, Format, MALLOC};
use crate::frontend::c::files::{Disk, Provider};
use crate::frontend::c::{Malloc, Options as Reading};
use crate::infer::Settings;
use crate::util::limits::Limits;
use clap::ArgAction;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Contracts for functions that have none, each proved
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER, args_override_self = true)]
pub(in crate::cli) struct Arguments {
    /// Files, or directories: all `.c` files below, or those of its compilation database
    #[arg(value_name = "FILE.c|DIR", required_unless_present = "compile_commands")]
    pub files: Vec<OsString>,
    /// Only this function, with what it calls (repeatable)
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// For each part of a precondition the run that it excludes
    #[arg(long)]
    pub explain: bool,
    /// The callers' view: which functions are safe from any caller, which under what condition,
    /// which never
    #[arg(long, verbatim_doc_comment, conflicts_with_all = ["in_place", "diff"])]
    pub report: bool,
    /// Write the contracts into the files
    #[arg(long, conflicts_with = "diff")]
    pub in_place: bool,
    /// Print the contracts as a change of the files, for `patch -p0`
    #[arg(long)]
    pub diff: bool,
    /// How answers are printed
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["in_place", "diff"])]
    pub format: Format,
    /// What is not found and proved in this time for a function is left out
    #[arg(long, value_name = "SECONDS", value_parser = arguments::seconds, default_value = "10")]
    timeout: Duration,
    /// Give up on a function when the program grows beyond this
    #[arg(long, value_name = "MB", value_parser = arguments::megabytes, default_value = "4000")]
    memory: u64,
    /// Sizes of the types of C
    #[arg(long, value_name = "MODEL", action = ArgAction::Set, default_value = "LP64")]
    #[arg(value_parser = word(DATA_MODELS))]
    data_model: bool,
    /// Whether malloc may return NULL
    #[arg(long, value_name = "HOW", value_parser = word(MALLOC), default_value = "never-fails")]
    malloc: Malloc,
    /// Nothing but the answer
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

const AFTER: &str = "\
A contract says what callers must establish (requires), what may change (assigns, frees), what is promised
(ensures), and what is promised for certain shapes only (behavior). What is printed is proved by the engines of
`catena verify` and can be pasted before the function; functions that have a contract keep it. The precondition is
the weakest that was found: without any part of it a run fails or does not end.

exit status: 0 every function has a proved contract, 1 a function fails whatever its caller does, 2 for some
function none was found or proved, 64 usage, 65 input rejected
A tutorial: docs/infer.md. A first example:

  struct node { int data; struct node *next; };
  int length(struct node *l) { int n = 0; while (l) { n++; l = l->next; } return n; }

gives

  /*@ requires \\list(next, l);
      assigns  \\nothing;
      ensures  \\result >= 0;
      ensures  \\result == 0 <==> l == NULL; @*/";

impl Arguments {
    /// What is asked.
    pub(super) fn settings(&self) -> Settings {
        let limits = Limits { time: Some(self.timeout), memory: Some(self.memory), ..Limits::default() };
        Settings { functions: self.function.clone(), limits, seed: self.seed }
    }

    /// How C is read.
    pub(super) fn reading(&self) -> Reading {
        Reading {
            lp64: self.data_model,
            malloc: self.malloc,
            flags: self.flags.0.clone(),
            files: Provider::new(Disk),
            ..Reading::default()
        }
    }
}
