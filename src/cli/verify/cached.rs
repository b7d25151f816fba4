//! `--cache DIR`: answers that were found before, in a directory that several processes may share.
//!
//! A directory that cannot be used is a complaint; verdicts and status stay as they are.

use super::options::Arguments;
use crate::session::cache::{Cache, Directory};
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

/// The memory in the directory that is named.
pub(super) fn open(options: &Arguments, err: &mut dyn Write) -> io::Result<Option<Arc<Cache>>> {
    let Some(path) = &options.cache else { return Ok(None) };
    let opened = Directory::open(path).and_then(|directory| Ok(Cache::new(directory, build()?)));
    match opened {
        Ok(cache) => Ok(Some(Arc::new(cache))),
        Err(error) => {
            writeln!(err, "catena verify: {}: {error}; nothing is remembered", path.display())?;
            Ok(None)
        }
    }
}

/// What there is to say of it at the end; `before` is what was counted at the beginning.
pub(super) fn tell(
    options: &Arguments,
    cache: &Cache,
    before: (u64, u64),
    err: &mut dyn Write,
) -> io::Result<()> {
    if let (Some(path), Some(why)) = (&options.cache, cache.complaint()) {
        writeln!(err, "catena verify: {}: {why}; some answers are not kept", path.display())?;
    }
    let (known, decided) = cache.counts();
    if options.stats {
        writeln!(err, "cache: {} known, {} decided", known - before.0, decided - before.1)?;
    }
    Ok(())
}

/// The program itself as a hash: what another build has found is not believed, for it may have had a fault.
pub(in crate::cli) fn build() -> io::Result<String> {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(build) = BUILD.get() {
        return Ok(build.clone());
    }
    let program = std::fs::read(std::env::current_exe()?)?;
    let digest: String = Sha256::digest(program).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(BUILD.get_or_init(|| format!("{} {digest}", env!("CARGO_PKG_VERSION"))).clone())
}
