//! `catena lsp`: the language server, over standard input and output.
//!
//! `wire` reads and writes messages, `server` keeps the documents and answers, `text` knows positions, `work` verifies and
//! infers in threads of their own, `show` makes diagnostics, code lenses and quick fixes of what was found. Types of
//! messages come from the crate `lsp-server`, their contents are JSON values.
//!
//! A document is read and lowered again when it is opened, saved, or left alone for a moment after a change; its functions
//! are looked up in the memory of `session::cache`, so only those whose question has changed are decided again. What is
//! being verified is cancelled when its document changes.

mod server;
mod show;
mod text;
mod uri;
mod wire;
mod work;

use super::arguments::{self, word};
use super::flags;
use super::verify::{Checks, DATA_MODELS, MALLOC, checks};
use crate::frontend::c::Malloc;
use crate::session::Settings;
use crate::session::cache::{Cache, InMemory};
use crate::util::limits::CancelToken;
use clap::ArgAction;
use std::io::{self, BufReader, Read, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Serve an editor: the language server protocol over standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER, args_override_self = true)]
pub(super) struct Arguments {
    #[arg(long, value_name = "LIST", value_parser = checks, help = "What is checked, as for `catena verify`")]
    check: Option<Checks>,
    /// Give up on a function after this time
    #[arg(long, value_name = "SECONDS", value_parser = arguments::seconds, default_value = "10")]
    timeout: Duration,
    /// Threads for each document; half of the processors if nothing is said
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How long after a change a document is verified
    #[arg(long, value_name = "SECONDS", value_parser = arguments::seconds, default_value = "0.3")]
    pause: Duration,
    /// Sizes of the types of C
    #[arg(long, value_name = "MODEL", action = ArgAction::Set, default_value = "LP64")]
    #[arg(value_parser = word(DATA_MODELS))]
    data_model: bool,
    /// Whether malloc may return NULL
    #[arg(long, value_name = "HOW", value_parser = word(MALLOC), default_value = "never-fails")]
    malloc: Malloc,
    /// A compilation database; one in the folder that is opened, or in its build, is enough
    #[arg(long, value_name = "FILE", help_heading = flags::HEADING)]
    compile_commands: Option<PathBuf>,
    /// What editors that start any server say: there is no other way
    #[arg(long, hide = true)]
    stdio: bool,
    #[command(flatten)]
    flags: flags::Written,
}

const AFTER: &str = "\
Documents are verified when they are opened and saved, and a moment after a change; functions that did not change
keep their answers. Verdicts are code lenses, failing runs are related information of diagnostics, contracts and
invariants that were found are quick fixes. docs/editor.md says how editors are set up.

exit status: 0 the client said `shutdown` and `exit`, 1 it went away without";

/// How documents are verified.
struct Manner {
    settings: Settings,
    pause: Duration,
    compile_commands: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<u8> {
    serve(arguments, io::stdin(), out)
}

fn serve(arguments: &Arguments, input: impl Read + Send + 'static, out: &mut dyn Write) -> io::Result<u8> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut settings = Settings {
        jobs: arguments.jobs.map_or(processors.div_ceil(2), usize::from),
        cache: Some(Arc::new(Cache::new(InMemory::default(), ""))),
        ..Settings::default()
    };
    settings.limits.time = Some(arguments.timeout);
    settings.limits.memory = Some(4_000 << 20);
    settings.limits.cancel = Some(CancelToken::new());
    settings.reading.lp64 = arguments.data_model;
    settings.reading.malloc = arguments.malloc;
    settings.reading.flags = arguments.flags.0.clone();
    if let Some(Checks(checks)) = &arguments.check {
        settings.reading.checks = checks.clone();
    }
    let compile_commands = arguments.compile_commands.clone();
    let manner = Manner { settings, pause: arguments.pause, compile_commands };
    server::serve(manner, BufReader::new(input), out)
}
