//! `--watch`: verifies again when a file changes, until Ctrl-C.
//!
//! Everything that was read is looked at several times a second: its size and when it was changed. What was looked for and
//! was not there counts as well, and so does the list of files below a directory. Answers are remembered, so that only what
//! changed is decided again; after the first round, answers that are known and say `verified` are not repeated.

use super::options::{Arguments, Format};
use super::{cached, once};
use crate::cli::interrupt::on_ctrl_c;
use crate::cli::{BAD_USAGE, Terminals, inputs};
use crate::frontend::c::files::{Disk, Files};
use crate::session::cache::{Cache, InMemory};
use crate::util::limits::CancelToken;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// Between two looks.
const EVERY: Duration = Duration::from_millis(250);
/// Editors write in several steps.
const SETTLING: Duration = Duration::from_millis(60);

/// What one round is given.
pub(super) struct Round {
    pub cache: Arc<Cache>,
    pub token: CancelToken,
    pub watched: Watched,
    /// Counts from 1.
    pub number: usize,
}

/// Size and time of a file; `None` if it is not there.
type Stamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> Stamp {
    let known = std::fs::metadata(path).ok()?;
    Some((known.len(), known.modified().ok()?))
}

/// The files that were read, as they were before.
#[derive(Clone, Default)]
pub(super) struct Watched(Arc<Mutex<BTreeMap<PathBuf, Stamp>>>);

impl Watched {
    /// A file is going to be read.
    pub(super) fn note(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        if let Ok(mut files) = self.0.lock() {
            files.entry(path.to_owned()).or_insert_with(|| stamp(path));
        }
    }

    fn forget(&self) {
        if let Ok(mut files) = self.0.lock() {
            files.clear();
        }
    }

    /// How many there are, and those that are not as they were.
    fn look(&self) -> (usize, Vec<String>) {
        let Ok(files) = self.0.lock() else { return (0, Vec::new()) };
        let changed = files.iter().filter(|(path, then)| stamp(path) != **then);
        let changed = changed.map(|(path, _)| path.display().to_string()).collect();
        (files.values().flatten().count(), changed)
    }

    /// The files of the machine, of which note is taken.
    pub(super) fn files(&self) -> impl Files + 'static {
        Noting(self.clone())
    }
}

struct Noting(Watched);

impl Files for Noting {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.0.note(path);
        Disk.read(path)
    }

    fn identity(&self, path: &str) -> String {
        Disk.identity(path)
    }
}

/// Verifies until it is interrupted; the status is that of the last round.
pub(super) fn run(
    options: &Arguments,
    terminals: Terminals,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let in_memory = || Arc::new(Cache::new(InMemory::default(), ""));
    let mut round = Round {
        cache: cached::open(options, err)?.unwrap_or_else(in_memory),
        token: CancelToken::new(),
        watched: Watched::default(),
        number: 1,
    };
    on_ctrl_c(&round.token);
    loop {
        round.watched.forget();
        let listed = listed(options);
        if let Some(path) = &options.compile_commands {
            round.watched.note(path);
        }
        let status = once(options, terminals, Some(&round), out, err)?;
        out.flush()?;
        if status == BAD_USAGE && round.number == 1 {
            return Ok(status);
        }
        if round.number == 1 && !round.token.is_cancelled() {
            writeln!(err, "watching {} files; Ctrl-C ends", round.watched.look().0)?;
        }
        let Some(why) = next_change(options, &round, &listed) else { return Ok(status) };
        round.number += 1;
        let line = format!("==== {}: {why} ====", round.number);
        match options.format {
            Format::Text => writeln!(out, "\n{}", crate::report::plain::lines(&line))?,
            _ => writeln!(err, "{line}")?,
        }
    }
}

/// The names of the files that the operands stand for; looking into a directory is not needed for a file.
fn listed(options: &Arguments) -> Vec<String> {
    if !options.files.iter().any(|file| Path::new(file).is_dir()) {
        return Vec::new();
    }
    let found = inputs::resolve(&options.files, options.compile_commands.as_deref(), &Default::default());
    found.files.into_iter().map(|file| file.name).collect()
}

/// Waits for a change; what changed, or `None` after an interruption.
fn next_change(options: &Arguments, round: &Round, before: &[String]) -> Option<String> {
    loop {
        if round.token.is_cancelled() {
            return None;
        }
        let (_, changed) = round.watched.look();
        let why = match &changed[..] {
            [] if listed(options) != before => "other files".to_owned(),
            [] => {
                sleep(EVERY);
                continue;
            }
            [one] => format!("{one} changed"),
            [one, rest @ ..] => format!("{one} and {} more changed", rest.len()),
        };
        // The last of several steps counts.
        let stamps = || changed.iter().map(|path| stamp(Path::new(path))).collect::<Vec<_>>();
        let mut last = stamps();
        loop {
            sleep(SETTLING);
            let now = stamps();
            if now == last || round.token.is_cancelled() {
                return Some(why);
            }
            last = now;
        }
    }
}
