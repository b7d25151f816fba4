//! What is known about cells without asking the core: which are different, and where their links lead.
//!
//! A cell that was allocated on the way differs from all others allocated on the way, from null and from what the
//! function was given (DESIGN 6, decisions 1 and 2); `requires x != y` says it of two parameters. So the link of a
//! cell that was written is known as long as later writes go to different cells, and a path is followed from
//! cell to cell (`known_path`) instead of through all writes: building a list of n cells costs O(n) per
//! question, where the cases of [`reach`](super::reach) would multiply.
//!
//! What the function was given leads to cells that are allocated at the entry, along fields as they are then. A cell that is
//! allocated on the way is none of these, so writes to such cells change no path that begins at what was given.
//!
//! Where the chain of x along a symbol f ends (`requires \list(f, x)`, an invariant), the cells x, f(x), f(f(x)), ... differ as
//! long as they are cells: a chain that comes back to a cell does not end. So a place that was written, which is no null,
//! differs from every other term of its chain, and from a cell behind all writes the path is the old one.
//!
//! The differences hold on every path on which the cells exist, and terms about them matter on such paths only.
//! The conditions say them as well (`wp`), so that the core knows what was used here.

use super::{Built, Encoder, Inexpressible, Version, VersionId};
use crate::logic::{FuncId, Op, SortId, TermId, Terms};
use crate::program::decl::StructId;

/// Cells of one struct that are told apart pair by pair. More of them get numbers, which the core compares less
/// quickly, but n of them take n facts.
const MAX_PAIRED: usize = 32;

/// The cells of a struct that were allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct Births {
    /// In order.
    cells: Vec<TermId>,
    /// Gives each its number, if they are many.
    number: Option<FuncId>,
}

impl Encoder<'_> {
    /// A cell was allocated: those of its struct that it has to be told apart from. Of many cells each gets a number
    /// instead, so that they take no pairs.
    ///
    /// # Errors
    /// Never for cells of this encoder.
    pub fn born(&mut self, of: StructId, cell: TermId) -> Result<Vec<TermId>, Inexpressible> {
        let sort = self.sort_of(of);
        let mut others: Vec<TermId> = self.given.clone();
        others.retain(|t| self.terms.sort(*t) == sort);
        self.allocated.insert(cell);
        let number = self.births[of.index()].cells.len();
        self.births[of.index()].cells.push(cell);
        if number < MAX_PAIRED {
            others.extend(&self.births[of.index()].cells[..number]);
            return Ok(others);
        }
        let (first, func) = match self.births[of.index()].number {
            Some(func) => (number, func),
            None => {
                let name = self.symbol_name("birth");
                let func = self.terms.declare_fun(&name, &[sort], SortId::INT)?;
                self.births[of.index()].number = Some(func);
                (0, func)
            }
        };
        for number in first..=number {
            let cell = self.births[of.index()].cells[number];
            let (given, number) = (self.terms.app(func, &[cell])?, self.terms.int(number as i128));
            let fact = self.terms.eq(given, number)?;
            self.facts.push(fact);
        }
        Ok(others)
    }

    /// The caller's pointer: null or allocated when the function is entered.
    pub fn given(&mut self, pointer: TermId) {
        self.given.push(pointer);
    }

    /// A field as it is at the entry: what the caller's pointers lead to along it is null or allocated.
    pub fn closed(&mut self, func: FuncId) {
        self.closed.insert(func);
    }

    /// The caller's pointer, or what it leads to at the entry.
    fn is_old(&self, term: TermId) -> bool {
        let mut at = term;
        while !self.given.contains(&at) {
            match (self.terms.op(at), self.terms.children(at)) {
                (Op::App(func), &[before]) if self.closed.contains(&func) => at = before,
                _ => return false,
            }
        }
        true
    }

    /// Two pointers differ from the entry on.
    pub fn apart(&mut self, a: TermId, b: TermId) {
        self.apart.insert((a.min(b), a.max(b)));
    }

    /// The chain of a cell along a symbol ends in null, wherever the symbol is used.
    pub fn ends(&mut self, func: FuncId, cell: TermId) {
        if self.on_chain(cell).is_none_or(|(along, ..)| along != Some(func)) {
            self.chains.insert((func, cell));
        }
    }

    /// Symbol, first cell and number of steps of a term on a chain that ends. The first cell has no symbol.
    fn on_chain(&self, term: TermId) -> Option<(Option<FuncId>, TermId, u32)> {
        let (mut at, mut steps, mut along) = (term, 0, None);
        while let (Op::App(func), &[before]) = (self.terms.op(at), self.terms.children(at))
            && along.is_none_or(|f| f == func)
        {
            (along, at, steps) = (Some(func), before, steps + 1);
            if self.chains.contains(&(func, at)) {
                return Some((along, at, steps));
            }
        }
        self.chains.iter().any(|(_, first)| *first == term).then_some((None, term, 0))
    }

    /// Steps from the first cell to both, if the terms are on one chain that ends.
    fn on_one_chain(&self, a: TermId, b: TermId) -> Option<(u32, u32)> {
        if self.chains.is_empty() {
            return None;
        }
        let ((f, first, i), (g, other, j)) = (self.on_chain(a)?, self.on_chain(b)?);
        let along = f.or(g)?;
        let one = first == other && g.is_none_or(|g| g == along) && self.chains.contains(&(along, first));
        one.then_some((i, j))
    }

    /// The contents before all writes, if every one of them is at a cell that is not on the path from `u`: one that
    /// comes before `u` on a chain of theirs, or a new one where `u` is old.
    pub(super) fn beyond_writes(&self, version: VersionId, u: TermId) -> VersionId {
        let along = self.on_chain(u).and_then(|(along, ..)| along);
        let old = self.is_old(u);
        if along.is_none() && !old {
            return version;
        }
        let (mut at, mut by_chain, mut by_birth) = (version, false, false);
        loop {
            match self.describe(at) {
                Version::Store { before, place, .. } if old && self.allocated.contains(&place) => {
                    (at, by_birth) = (before, true);
                }
                Version::Store { before, place, .. }
                    if along.is_some() && self.on_one_chain(place, u).is_some_and(|(i, j)| i < j) =>
                {
                    (at, by_chain) = (before, true);
                }
                Version::Base(func)
                    if (!by_chain || along == Some(func)) && (!by_birth || self.closed.contains(&func)) =>
                {
                    return at;
                }
                _ => return version,
            }
        }
    }

    fn differ_by_birth(&self, a: TermId, b: TermId) -> bool {
        self.allocated.contains(&a)
            && (self.allocated.contains(&b) || self.is_old(b) || self.nulls.contains(&b))
    }

    /// Whether two terms of one sort are known to differ; `a` is null or a place that was written.
    #[must_use]
    pub fn differ(&self, a: TermId, b: TermId) -> bool {
        a != b
            && (self.differ_by_birth(a, b)
                || self.differ_by_birth(b, a)
                || self.apart.contains(&(a.min(b), a.max(b)))
                || self.on_one_chain(a, b).is_some_and(|(i, j)| i != j))
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
