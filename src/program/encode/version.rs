//! Contents of fields, arrays and the allocation function, and how they came about.

use super::{Built, Encoder};
use crate::logic::{FuncId, TermId, Terms};
use std::collections::BTreeSet;

/// Writes between two writes to one place, of which the first is then dropped: a constant, so that n writes cost
/// O(n).
const LOOK_BACK: usize = 16;

/// The contents of a field, of the allocation function or of an array at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VersionId(pub(super) u32);

/// How contents came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// A function symbol.
    Base(FuncId),
    /// The same value everywhere.
    Constant(TermId),
    /// One place written.
    Store {
        /// Contents before.
        before: VersionId,
        /// The place: a cell or an index.
        place: TermId,
        /// The value written.
        value: TermId,
    },
    /// Where two paths meet.
    Choose {
        /// Decides.
        condition: TermId,
        /// Contents if it holds.
        yes: VersionId,
        /// Contents otherwise.
        no: VersionId,
    },
}

/// What was written on the ways to a version.
pub(super) struct Writes {
    /// Versions met, this one included.
    pub(super) versions: usize,
    /// Places written and values, each once.
    pub(super) cells: usize,
    /// Nothing was left out.
    pub(super) all: bool,
}

impl Encoder<'_> {
    /// Counts versions and cells on the ways to a version, until there are enough of them.
    pub(super) fn writes(&self, version: VersionId, enough: impl Fn(usize, usize) -> bool) -> Writes {
        let (mut seen, mut cells) = (BTreeSet::from([version]), BTreeSet::new());
        let mut stack = vec![version];
        while let Some(at) = stack.pop() {
            let below = match self.describe(at) {
                Version::Store { before, place, value } => {
                    cells.extend([place, value]);
                    [before, before]
                }
                Version::Choose { yes, no, .. } => [yes, no],
                Version::Base(_) | Version::Constant(_) => continue,
            };
            stack.extend(below.into_iter().filter(|v| seen.insert(*v)));
            if enough(seen.len(), cells.len()) {
                break;
            }
        }
        Writes { versions: seen.len(), cells: cells.len(), all: stack.is_empty() }
    }

    /// The version of this description. Of several writes to one place the last one is kept, if they are not far
    /// apart.
    pub fn version(&mut self, version: Version) -> VersionId {
        match version {
            Version::Store { before, place, value }
                if self.terms.children(value) == [place] && self.read(before, place) == Ok(value) =>
            {
                before
            }
            Version::Store { before, place, value } => {
                let before = self.without_write(before, place);
                self.known_version(Version::Store { before, place, value })
            }
            Version::Choose { condition, yes, no } if yes == no || condition == Terms::TRUE => yes,
            Version::Choose { condition, no, .. } if condition == Terms::FALSE => no,
            other => self.known_version(other),
        }
    }

    /// The same contents but for a place that is going to be written: an earlier write there does not matter,
    /// whichever places lie in between.
    fn without_write(&mut self, version: VersionId, place: TermId) -> VersionId {
        let mut above = Vec::new();
        let mut at = version;
        while let Version::Store { before, place: written, value } = self.describe(at) {
            if written == place {
                let later = above.into_iter().rev();
                return later.fold(before, |before, (place, value)| {
                    self.known_version(Version::Store { before, place, value })
                });
            }
            above.push((written, value));
            at = before;
            if above.len() >= LOOK_BACK {
                break;
            }
        }
        version
    }

    fn known_version(&mut self, version: Version) -> VersionId {
        if let Some(&id) = self.version_ids.get(&version) {
            return id;
        }
        let depth = |v: VersionId| self.depths[v.0 as usize];
        let depth = match version {
            Version::Base(_) | Version::Constant(_) => 0,
            Version::Store { before, .. } => depth(before) + 1,
            Version::Choose { yes, no, .. } => depth(yes).max(depth(no)) + 1,
        };
        let id = VersionId(u32::try_from(self.versions.len()).expect("fewer than 2^32 writes"));
        self.versions.push(version);
        self.depths.push(depth);
        self.version_ids.insert(version, id);
        id
    }

    /// How the contents came about.
    #[must_use]
    pub fn describe(&self, version: VersionId) -> Version {
        self.versions[version.0 as usize]
    }

    /// The function symbol of contents that were never written since they were unknown.
    #[must_use]
    pub fn base(&self, version: VersionId) -> Option<FuncId> {
        match self.describe(version) {
            Version::Base(func) => Some(func),
            _ => None,
        }
    }

    /// The value at a place.
    ///
    /// # Errors
    /// If the place has the wrong sort.
    pub fn read(&mut self, version: VersionId, place: TermId) -> Built {
        let mut stack = vec![version];
        while let Some(&top) = stack.last() {
            if self.reads.contains_key(&(top, place)) {
                stack.pop();
                continue;
            }
            let known = |v: VersionId| self.reads.get(&(v, place)).copied();
            let value = match self.describe(top) {
                Version::Base(func) => self.terms.app(func, &[place])?,
                Version::Constant(value) => value,
                Version::Store { place: written, value, .. } if written == place => value,
                Version::Store { before, place: written, .. } if self.differ(written, place) => {
                    match known(before) {
                        None => {
                            stack.push(before);
                            continue;
                        }
                        Some(other) => other,
                    }
                }
                Version::Store { before, place: written, value } => match known(before) {
                    None => {
                        stack.push(before);
                        continue;
                    }
                    Some(other) => {
                        let here = self.terms.eq(place, written)?;
                        self.terms.ite(here, value, other)?
                    }
                },
                Version::Choose { condition, yes, no } => match (known(yes), known(no)) {
                    (Some(yes), Some(no)) => self.terms.ite(condition, yes, no)?,
                    (yes_value, no_value) => {
                        stack.extend(yes_value.is_none().then_some(yes));
                        stack.extend(no_value.is_none().then_some(no));
                        continue;
                    }
                },
            };
            self.reads.insert((top, place), value);
            stack.pop();
        }
        Ok(self.reads[&(version, place)])
    }
}
