//! In which groups the symbols of a term occur, hence on which sides of a cut it can be said.
//!
//! A cut with `k` groups before it is crossed by a symbol that occurs in some group below `k` and in some group
//! from `k` on. Only the first and the last group of a symbol matter.

use crate::logic::{FuncId, Op, TermId, Terms};
use crate::util::hash::{Map, Set};

/// From which group on and up to which group all symbols of a term are there: it can be said in the prefix of
/// a cut `k` if `first < k`, in the suffix if `last >= k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub first: usize,
    pub last: usize,
}

impl Range {
    /// Of a term without symbols.
    const EVERYWHERE: Range = Range { first: 0, last: usize::MAX };

    pub(super) fn both(self, other: Range) -> Range {
        Range { first: self.first.max(other.first), last: self.last.min(other.last) }
    }

    /// All symbols occur together in one group, or might: the term has a side at every cut.
    pub(super) fn is_one_sided(self) -> bool {
        self.first <= self.last
    }

    pub(super) fn in_suffix(self, cut: usize) -> bool {
        self.last >= cut
    }

    pub(super) fn in_prefix(self, cut: usize) -> bool {
        self.first < cut
    }
}

/// Where symbols occur.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    symbols: Map<FuncId, Range>,
}

impl Vocabulary {
    pub(super) fn of(terms: &Terms, groups: &[Vec<TermId>]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for (group, formulas) in groups.iter().enumerate() {
            for symbol in symbols(terms, formulas) {
                vocabulary.add(symbol, group);
            }
        }
        vocabulary
    }

    /// The symbol occurs in the group.
    pub(super) fn add(&mut self, symbol: FuncId, group: usize) {
        let range = self.symbols.entry(symbol).or_insert(Range { first: group, last: group });
        *range = Range { first: range.first.min(group), last: range.last.max(group) };
    }

    /// Whether the symbol occurs on both sides of the cut.
    pub(super) fn crosses(&self, symbol: FuncId, cut: usize) -> bool {
        self.symbols.get(&symbol).is_some_and(|r| r.in_prefix(cut) && r.in_suffix(cut))
    }

    pub(super) fn range(&self, terms: &Terms, term: TermId) -> Range {
        let all = symbols(terms, &[term]);
        all.iter().fold(Range::EVERYWHERE, |r, s| r.both(self.symbols.get(s).copied().unwrap_or(r)))
    }
}

/// The symbols of some terms, ascending.
pub(super) fn symbols(terms: &Terms, roots: &[TermId]) -> Vec<FuncId> {
    let mut seen: Set<TermId> = Set::default();
    let mut found: Vec<FuncId> = Vec::new();
    let mut open = roots.to_vec();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            if let Op::App(f) | Op::Between(f) = terms.op(term) {
                found.push(f);
            }
            open.extend(terms.children(term));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether each interpolant has only symbols of both sides of its cut, and of the theory.
pub(super) fn all_shared(
    terms: &Terms,
    groups: &[Vec<TermId>],
    interpolants: &[TermId],
    of_theory: &[FuncId],
) -> bool {
    let vocabulary = Vocabulary::of(terms, groups);
    interpolants.iter().enumerate().all(|(i, &term)| {
        let shared = |s: &FuncId| of_theory.contains(s) || vocabulary.crosses(*s, i + 1);
        symbols(terms, &[term]).iter().all(shared)
    })
}
