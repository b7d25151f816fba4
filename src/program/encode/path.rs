//! What is known about cells without asking the core: which are different, and where their links lead.
//!
//! A cell that was allocated on the way differs from all others allocated on the way, from null and from what the
//! function was given (DESIGN 6, decisions 1 and 2); `requires x != y` says it of two parameters. So the link of a
//! cell that was written is known as long as later writes go to different cells, and a path is followed from
//! cell to cell (`known_path`) instead of through all writes: building a list of n cells costs O(n) per
//! question, where the cases of [`reach`](super::reach) would multiply.
//!
//! The differences hold on every path on which the cells exist, and terms about them matter on such paths only.
//! The conditions say them as well (`wp`), so that the core knows what was used here.

use super::{Built, Encoder, Version, VersionId};
use crate::logic::{TermId, Terms};
use crate::program::decl::StructId;

impl Encoder<'_> {
    /// A cell was allocated: those of its struct that it differs from.
    pub fn born(&mut self, of: StructId, cell: TermId) -> Vec<TermId> {
        let sort = self.sort_of(of);
        let mut others: Vec<TermId> = self.given.clone();
        others.extend(&self.allocated);
        others.retain(|t| self.terms.sort(*t) == sort);
        self.allocated.push(cell);
        others
    }

    /// The caller's pointer: null or allocated when the function is entered.
    pub fn given(&mut self, pointer: TermId) {
        self.given.push(pointer);
    }

    /// Two pointers differ from the entry on.
    pub fn apart(&mut self, a: TermId, b: TermId) {
        self.apart.insert((a.min(b), a.max(b)));
    }

    fn differ_by_birth(&self, a: TermId, b: TermId) -> bool {
        self.allocated.contains(&a)
            && (self.allocated.contains(&b) || self.given.contains(&b) || self.nulls.contains(&b))
    }

    /// Whether two terms of one sort are known to differ.
    #[must_use]
    pub fn differ(&self, a: TermId, b: TermId) -> bool {
        a != b
            && (self.differ_by_birth(a, b)
                || self.differ_by_birth(b, a)
                || self.apart.contains(&(a.min(b), a.max(b))))
    }

    /// `a = b`, as far as that is known.
    pub(super) fn same(&mut self, a: TermId, b: TermId) -> Built {
        if self.differ(a, b) { Ok(Terms::FALSE) } else { Ok(self.terms.eq(a, b)?) }
    }

    /// Where the link of `u` leads, if the last write to it is known.
    fn successor(&self, version: VersionId, u: TermId) -> Option<TermId> {
        let mut at = version;
        loop {
            match self.describe(at) {
                Version::Store { place, value, .. } if place == u => return Some(value),
                Version::Store { before, place, .. } if self.differ(place, u) => at = before,
                _ => return None,
            }
        }
    }

    /// The cells from `u` on whose links are known, in order, and the first one whose link is not; none if the
    /// path comes back to a cell, or to null, which leads to itself.
    pub(super) fn known_path(&self, version: VersionId, u: TermId) -> (Vec<TermId>, Option<TermId>) {
        let mut cells = Vec::new();
        let mut at = u;
        loop {
            if cells.contains(&at) {
                return (cells, None);
            }
            if self.nulls.contains(&at) {
                cells.push(at);
                return (cells, None);
            }
            let Some(next) = self.successor(version, at) else { return (cells, Some(at)) };
            cells.push(at);
            at = next;
        }
    }
}
