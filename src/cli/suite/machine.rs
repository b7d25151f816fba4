//! Who has measured: this program and the machine it runs on.

use crate::cli::verify::build;
use std::num::NonZeroUsize;

/// The program and its machine.
pub(super) struct Machine {
    pub version: &'static str,
    /// The commit, if the build was told, or else the beginning of the hash of the program itself.
    pub build: String,
    pub processor: String,
    pub threads: usize,
    pub system: String,
    /// Rows that were decided at once.
    pub jobs: usize,
}

impl Machine {
    pub(super) fn new(jobs: usize) -> Machine {
        let hash = || {
            let known = build().ok()?;
            Some(format!("build {}", known.split_once(' ')?.1.get(..12)?))
        };
        // A build that sets this variable names its commit.
        let commit = option_env!("CATENA_COMMIT").map(|commit| format!("commit {commit}"));
        Machine {
            version: env!("CARGO_PKG_VERSION"),
            build: commit.or_else(hash).unwrap_or_else(|| "unknown build".to_owned()),
            processor: processor().unwrap_or_else(|| "unknown processor".to_owned()),
            threads: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            jobs,
        }
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let Machine { version, build, processor, threads, system, jobs } = self;
        let jobs = if *jobs == 1 { "one row at a time".to_owned() } else { format!("{jobs} rows at once") };
        format!("catena {version} ({build}) on {processor}, {threads} threads, {system}; {jobs}")
    }
}

/// The name of the processor, where the system tells it.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
