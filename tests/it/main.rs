//! The one integration-test binary.

mod cache;
mod certificates;
mod clients;
mod command_line;
mod compiled;
mod data;
mod deep;
mod determinism;
mod ends;
mod facade;
mod files;
mod formats;
mod frames;
mod heaps;
mod heaps_orders;
mod heaps_refused;
mod hostile;
mod infer;
mod interface;
mod lazy;
mod limits;
mod linked;
mod lisbq;
mod lq;
#[cfg(feature = "lsp")]
mod lsp;
mod monotone;
mod options;
mod pdr;
mod pictures;
mod pipes;
mod properties;
mod ranges;
mod refused;
mod regressions;
mod replay;
mod sep;
mod signatures;
mod solve;
mod solve_limits;
mod suite;
mod termination;
mod tidy;
mod verify;
mod watch;

use std::path::{Path, PathBuf};

/// The root of the crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reference material beside the crate; `CATENA_SHARED` names another place.
fn shared() -> PathBuf {
    std::env::var_os("CATENA_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from)
}

/// The files of a directory that end in `.{extension}`, by name; empty if there is no such directory.
fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.map(|e| e.expect("a readable entry").path()).collect();
    found.retain(|p| p.extension().is_some_and(|e| e == extension));
    found.sort();
    found
}
