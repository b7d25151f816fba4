//! The LISBQ conditions, if they are there.

use std::path::PathBuf;

/// The scripts of `../shared/benchmarks/lisbq/vcs/dialect`, by name; empty, with a message, if absent.
pub fn conditions() -> Vec<PathBuf> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks/lisbq/vcs/dialect");
    let Ok(entries) = std::fs::read_dir(&dir) else {
        eprintln!("SKIPPED: the LISBQ conditions are not in ../shared/benchmarks/lisbq/vcs/dialect");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    files
}

/// The name of a condition.
pub fn name(file: &std::path::Path) -> String {
    file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}
