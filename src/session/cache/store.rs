//! Where answers are kept: a directory that several processes may share, or memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// No entry is larger.
const LARGEST: u64 = 64 << 20;
/// Entries in memory, at most; then all are forgotten.
const MOST: usize = 20_000;

/// Keeps texts by key. A key is a word of hexadecimal digits.
pub trait Store: Send + Sync {
    /// The text, if there is one that can be read.
    fn read(&self, key: &str) -> Option<String>;

    /// Keeps a text: whoever reads finds all of it, what was there before, or nothing.
    fn write(&self, key: &str, text: &str) -> io::Result<()>;
}

/// A file per entry. Files are written beside their place and renamed, so that nobody reads half of one.
#[derive(Debug)]
pub struct Directory {
    root: PathBuf,
}

/// Makes names of new files differ within this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Directory {
    /// The directory, which is made if it is not there.
    pub fn open(root: &Path) -> io::Result<Directory> {
        fs::create_dir_all(root)?;
        Ok(Directory { root: root.to_owned() })
    }

    /// So many files in one directory are slow.
    fn place(&self, key: &str) -> (PathBuf, PathBuf) {
        let directory = self.root.join(key.get(..2).unwrap_or("00"));
        let file = directory.join(key.get(2..).unwrap_or(key));
        (directory, file)
    }
}

impl Store for Directory {
    fn read(&self, key: &str) -> Option<String> {
        let (_, file) = self.place(key);
        let known = fs::metadata(&file).ok()?;
        if !known.is_file() || known.len() > LARGEST {
            return None;
        }
        fs::read_to_string(&file).ok()
    }

    fn write(&self, key: &str, text: &str) -> io::Result<()> {
        if text.len() as u64 > LARGEST {
            return Ok(());
        }
        let (directory, file) = self.place(key);
        fs::create_dir_all(&directory)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let new = directory.join(format!("new-{}-{number}", std::process::id()));
        let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &file));
        if written.is_err() {
            // What is left of it is of no use; if it cannot be removed either, the first complaint says enough.
            let _ = fs::remove_file(&new);
        }
        written
    }
}

/// Entries of this process.
#[derive(Debug, Default)]
pub struct InMemory(std::sync::Mutex<crate::util::hash::Map<String, String>>);

impl Store for InMemory {
    fn read(&self, key: &str) -> Option<String> {
        self.0.lock().ok()?.get(key).cloned()
    }

    fn write(&self, key: &str, text: &str) -> io::Result<()> {
        if let Ok(mut entries) = self.0.lock() {
            if entries.len() >= MOST {
                entries.clear();
            }
            entries.insert(key.to_owned(), text.to_owned());
        }
        Ok(())
    }
}
