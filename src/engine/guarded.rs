//! Formulas that have to hold, sorted by the Boolean constant that switches them off.
//!
//! Most assertions of a long session are disjunctions `not g or ...` for a frame or a scope g. While g is
//! false all of them hold, and none has to be looked at: neither when a query is justified nor when its model
//! is evaluated. That keeps a query independent of what was asserted for others.

use crate::logic::{Op, TermId, Terms};
use crate::util::hash::{Map, Set};

/// Formulas with and without a guard.
#[derive(Default)]
pub(crate) struct Guarded {
    /// Formulas without a guard.
    pub(crate) plain: Vec<TermId>,
    /// Guards with their formulas, in the order of their first one.
    pub(crate) groups: Vec<(TermId, Vec<TermId>)>,
    ids: Map<TermId, usize>,
    /// Boolean constants that were assumed in some query.
    frames: Set<TermId>,
}

impl Guarded {
    pub(crate) fn add(&mut self, terms: &Terms, formula: TermId) {
        let Some(guard) = guard(terms, formula) else { return self.plain.push(formula) };
        let at = *self.ids.entry(guard).or_insert_with(|| {
            self.groups.push((guard, Vec::new()));
            self.groups.len() - 1
        });
        self.groups[at].1.push(formula);
    }

    /// Notes that a formula is assumed in a query.
    pub(crate) fn assumed(&mut self, terms: &Terms, formula: TermId) {
        if is_constant(terms, formula) {
            self.frames.insert(formula);
        }
    }

    /// The guard of a formula if it is one that queries assume. Its clause has nothing to say in others, while
    /// a guard that was never assumed may be a variable like any other, for the search to find out.
    pub(crate) fn frame(&self, terms: &Terms, formula: TermId) -> Option<TermId> {
        guard(terms, formula).filter(|guard| self.frames.contains(guard))
    }

    /// The formulas behind a guard.
    pub(crate) fn behind(&self, guard: TermId) -> &[TermId] {
        self.ids.get(&guard).map_or(&[], |&at| &self.groups[at].1)
    }
}

/// The Boolean constant that stands negated in a disjunction, if there is one.
fn guard(terms: &Terms, formula: TermId) -> Option<TermId> {
    let negated = |&child: &TermId| (terms.op(child) == Op::Not).then(|| terms.children(child)[0]);
    let children = terms.children(formula).iter();
    (terms.op(formula) == Op::Or)
        .then(|| children.filter_map(negated).find(|&term| is_constant(terms, term)))?
}

fn is_constant(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::App(_)) && terms.children(term).is_empty()
}
