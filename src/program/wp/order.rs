//! The order of cells on paths that stay as they are.
//!
//! That the same cells lie between x and y as before (`keep_paths`) does not say that they lie there in the same
//! order, and a sorted list that a call leaves alone would not be known to be sorted afterwards. Said is, of each cell
//! v between x and y, that the same cells lie between v and y. Two nested quantifiers cost time, so this is said only of
//! fields along which annotations look from a cell that is itself quantified.

use super::Walk;
use crate::logic::TermId;
use crate::program::cfg::Program;
use crate::program::decl::FieldId;
use crate::program::encode::{Inexpressible, VersionId};
use crate::program::formula::{Formula, Set, Term};
use crate::program::walk::{self, Part};
use std::collections::BTreeSet;

/// Link fields along which annotations order cells.
pub(super) fn ordered(program: &Program, contract: usize) -> BTreeSet<FieldId> {
    let mut out = BTreeSet::new();
    let is_bound = |t: &Term| matches!(t, Term::Bound(_));
    walk::program(program, contract, &mut |part| match part {
        Part::Formula(Formula::Sorted(field, ..)) => {
            out.insert(*field);
        }
        Part::Formula(Formula::Reach { field, from, .. }) if is_bound(from) => {
            out.insert(*field);
        }
        Part::Formula(Formula::Between(field, _, from, ..)) if is_bound(from) => {
            out.insert(*field);
        }
        Part::Set(Set::Cells(field, _, from, _)) if is_bound(from) => {
            out.insert(*field);
        }
        _ => {}
    });
    out
}

impl Walk<'_> {
    /// Of each cell between x and y in one version: what lies between it and y lies there in the other version too.
    pub(super) fn keep_order(
        &mut self,
        (one, other): (VersionId, VersionId),
        x: TermId,
        y: TermId,
    ) -> Result<TermId, Inexpressible> {
        let sort = self.encoder.terms.sort(x);
        let (v, w) = (self.encoder.terms.variable("v", sort)?, self.encoder.terms.variable("w", sort)?);
        let there = self.encoder.between(other, v, w, y)?;
        let behind = self.guarded(w, one, v, y, there)?;
        self.guarded(v, one, x, y, behind)
    }
}
