//! Formulas that have to hold, sorted by the Boolean constant that switches them off.
//!
//! Most assertions of a long session are disjunctions `not g or ...` for a frame or a scope g. While g is
//! false all of them hold, and none has to be looked at: neither when a query is justified nor when its model
//! is evaluated. That keeps a query independent of what was asserted for others.

use crate::logic::{FuncId, Op, TermId, Terms};
use crate::util::hash::Map;

/// Formulas with and without a guard.
#[derive(Default)]
pub(crate) struct Guarded {
    /// Formulas without a guard.
    pub(crate) plain: Vec<TermId>,
    /// Guards with their formulas, in the order of their first one.
    pub(crate) groups: Vec<(TermId, Vec<TermId>)>,
    ids: Map<FuncId, usize>,
}

impl Guarded {
    pub(crate) fn add(&mut self, terms: &Terms, formula: TermId) {
        let Some(guard) = guard(terms, formula) else { return self.plain.push(formula) };
        let Op::App(func) = terms.op(guard) else { unreachable!("guards are constants") };
        let at = *self.ids.entry(func).or_insert_with(|| {
            self.groups.push((guard, Vec::new()));
            self.groups.len() - 1
        });
        self.groups[at].1.push(formula);
    }

    /// The formulas behind a formula, if it is a guard.
    pub(crate) fn behind(&self, terms: &Terms, guard: TermId) -> &[TermId] {
        match terms.op(guard) {
            Op::App(func) => self.group(func).map_or(&[], |at| &self.groups[at].1),
            _ => &[],
        }
    }

    /// The group of a guard.
    pub(crate) fn group(&self, guard: FuncId) -> Option<usize> {
        self.ids.get(&guard).copied()
    }
}

/// The Boolean constant that stands negated in a disjunction, if there is one.
fn guard(terms: &Terms, formula: TermId) -> Option<TermId> {
    let negated = |&child: &TermId| (terms.op(child) == Op::Not).then(|| terms.children(child)[0]);
    let is_constant =
        |term: &TermId| matches!(terms.op(*term), Op::App(_)) && terms.children(*term).is_empty();
    let children = terms.children(formula).iter();
    (terms.op(formula) == Op::Or).then(|| children.filter_map(negated).find(is_constant))?
}
