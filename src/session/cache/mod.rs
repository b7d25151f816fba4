//! Answers that were found before, by the content of what they are about.
//!
//! The key of a question is a hash of everything that its answer depends on (`key`): the lowered program, what is asked,
//! the options that matter, the build of this program. So whatever influences a verdict (types, globals, bodies that are
//! used, what pointers lead to in the whole unit) is in the key if it is in the program, and nothing else is.
//!
//! What is kept is `verified` with its evidence and `violated` with its run (`text`). A run is made again by the interpreter
//! before anybody sees it. A proof is taken as it was found; if certificates are wanted, it is checked again. What is not decided is
//! not kept, for more time may decide it. Before an answer is kept it is read back: one that does not come back as it
//! was is left out.
//!
//! What is kept may be damaged. An entry whose key or checksum is wrong, or that cannot be read, is none. Whoever can
//! write the entries is believed, as whoever writes the source is.

mod key;
mod store;
mod text;

use super::{Answered, File, Job, Settings};
use crate::frontend::c::LoadedFunction;
use crate::util::clock::Instant;
use key::{Question, hex};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
pub use store::{Directory, InMemory, Store};

/// First line of an entry; a change of the format changes the number.
const HEADER: &str = "catena answer 1";

/// A memory of answers.
pub struct Cache {
    store: Box<dyn Store>,
    /// Which build of this program answers.
    build: String,
    known: AtomicU64,
    decided: AtomicU64,
    complaint: Mutex<Option<String>>,
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cache").field("build", &self.build).finish_non_exhaustive()
    }
}

/// A question with its keys.
pub(super) struct Asked<'a> {
    about: About<'a>,
    /// With the calls of functions with contracts by contract.
    own: String,
    /// With the bodies of these functions as well, for runs that need them.
    with_bodies: Option<String>,
}

/// What is asked about.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    pub settings: &'a Settings,
    pub file: &'a File,
    pub function: &'a LoadedFunction,
    pub job: &'a Job,
}

impl Cache {
    /// A memory in a store. Another `build` of this program shares nothing.
    #[must_use]
    pub fn new(store: impl Store + 'static, build: impl Into<String>) -> Cache {
        Cache {
            store: Box::new(store),
            build: build.into(),
            known: AtomicU64::new(0),
            decided: AtomicU64::new(0),
            complaint: Mutex::default(),
        }
    }

    /// How many answers were known, and how many had to be found.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.known.load(Ordering::Relaxed), self.decided.load(Ordering::Relaxed))
    }

    /// Why some answer could not be kept, if that happened.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        self.complaint.lock().ok().and_then(|why| why.clone())
    }

    /// The question with its keys.
    pub(super) fn asked<'a>(&self, about: About<'a>) -> Asked<'a> {
        let question = Question::new(&about, &self.build);
        let with_bodies = about.function.inlined.as_ref().map(|program| question.with_bodies(program));
        Asked { own: question.key(), with_bodies, about }
    }

    /// The answer, if it is known.
    pub(super) fn recall(&self, asked: &Asked<'_>) -> Option<Answered> {
        let start = Instant::now();
        let keys = [(Some(&asked.own), false), (asked.with_bodies.as_ref(), true)];
        let mut found = keys.into_iter().filter_map(|(key, inlined)| {
            let body = self.entry(key?)?;
            // A fault in reading what is kept must not cost the answer.
            catch_unwind(AssertUnwindSafe(|| text::read(&asked.about, inlined, &body))).ok().flatten()
        });
        let found = found.next();
        let count = if found.is_some() { &self.known } else { &self.decided };
        count.fetch_add(1, Ordering::Relaxed);
        found.map(|answer| Answered { time: start.elapsed(), ..answer })
    }

    /// Keeps an answer, if it can be kept.
    pub(super) fn keep(&self, asked: &Asked<'_>, answer: &Answered) {
        let key = if answer.about_inlined { asked.with_bodies.as_ref() } else { Some(&asked.own) };
        let whole = || {
            let body = text::print(&asked.about, answer)?;
            let again = text::read(&asked.about, answer.about_inlined, &body)?;
            let is_same = text::is_same(answer, &again) && text::print(&asked.about, &again)? == body;
            is_same.then_some(body)
        };
        let body = catch_unwind(AssertUnwindSafe(whole)).ok().flatten();
        let (Some(key), Some(body)) = (key, body) else { return };
        let entry = format!("{HEADER}\nkey {key}\nsum {}\n{body}", hex(body.as_bytes()));
        if let (Err(error), Ok(mut complaint)) = (self.store.write(key, &entry), self.complaint.lock()) {
            complaint.get_or_insert_with(|| error.to_string());
        }
    }

    /// What is kept under the key, if it is whole.
    fn entry(&self, key: &str) -> Option<String> {
        let entry = self.store.read(key)?;
        let rest = entry.strip_prefix(HEADER)?.strip_prefix("\nkey ")?.strip_prefix(key)?;
        let (sum, body) = rest.strip_prefix("\nsum ")?.split_once('\n')?;
        (sum == hex(body.as_bytes())).then(|| body.to_owned())
    }
}
