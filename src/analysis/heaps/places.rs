//! Places of the analysis with a context, the ways between them, and the predicates of a place at a moment.

use super::boolean::Object;
use super::signature::Signature;
use crate::logic::{TermId, Terms};
use crate::program::encode::formula::Side;
use crate::program::encode::{Encoder, Inexpressible, Moment, Moments};
use crate::program::{StructId, Term};
use crate::util::hash::Map;

/// What is known of a cell: the predicates in the mask have these truths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Partial {
    pub(super) mask: Object,
    pub(super) value: Object,
    /// The same for the state predicates.
    pub(super) state_mask: Object,
    pub(super) state_value: Object,
}

/// The predicates of one kind of cells at one moment.
pub(super) struct Cells {
    pub(super) of: StructId,
    /// At some cell.
    pub(super) at_cell: Vec<TermId>,
    /// At each row; null is the first.
    pub(super) at_rows: Vec<Vec<TermId>>,
}

/// The predicates of a place at one moment.
pub(super) struct View {
    pub(super) atoms: Vec<TermId>,
    pub(super) n_state: usize,
    pub(super) kinds: Vec<Cells>,
}

/// The predicates of a signature at a moment, at given cells.
pub(super) fn view(
    encoder: &mut Encoder<'_>,
    entry: &Moment,
    now: &Moment,
    signature: &Signature,
    cells: &[TermId],
) -> Result<View, Inexpressible> {
    let labels = Map::default();
    let moments = Moments { now, entry, labels: &labels };
    let mut atoms = Vec::new();
    for atom in &signature.atoms {
        atoms.push(encoder.formula(moments, atom, Side::Prove)?);
    }
    let mut kinds = Vec::new();
    for kind in &signature.kinds {
        let mut at = |place: TermId| -> Result<Vec<TermId>, Inexpressible> {
            let of = kind.predicates.iter();
            of.map(|p| encoder.formula_with(moments, (kind.object.id, place), p, Side::Prove)).collect()
        };
        let at_cell = at(cells[kind.of.index()])?;
        let mut at_rows = Vec::new();
        for row in &kind.rows {
            let place = match row {
                Term::Null(of) => encoder.null(*of),
                row => encoder.term(moments, row)?,
            };
            let of = kind.predicates.iter();
            let predicates: Result<Vec<TermId>, _> =
                of.map(|p| encoder.formula_with(moments, (kind.object.id, place), p, Side::Prove)).collect();
            at_rows.push(predicates?);
        }
        kinds.push(Cells { of: kind.of, at_cell, at_rows });
    }
    Ok(View { atoms, n_state: signature.n_state, kinds })
}

/// A place: what holds there whatever the heap is, and its predicates.
pub(super) struct Place {
    pub(super) background: Vec<TermId>,
    pub(super) view: View,
}

/// A way from a place, or from the entry, to a place.
pub(super) struct Way {
    pub(super) from: Option<usize>,
    pub(super) to: usize,
    pub(super) path: Vec<TermId>,
    /// The predicates of the place it leads to, in the state that arrives.
    pub(super) after: View,
}

impl View {
    /// All that is said, at rows and at the free cell.
    pub(super) fn terms(&self) -> Vec<TermId> {
        let mut out = self.literals();
        out.extend(self.kinds.iter().flat_map(|k| &k.at_cell));
        out
    }

    /// Atoms, then what else holds at rows: of null, and quantified predicates, which are terms of their own wherever they
    /// are written.
    pub(super) fn literals(&self) -> Vec<TermId> {
        let mut out = self.atoms.clone();
        for &term in self.kinds.iter().flat_map(|k| &k.at_rows).flatten() {
            if term != Terms::TRUE && term != Terms::FALSE && !out.contains(&term) {
                out.push(term);
            }
        }
        out
    }
}
