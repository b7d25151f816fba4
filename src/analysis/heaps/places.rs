//! Places of the analysis with a context, the ways between them, and the predicates of a place at a moment.

use super::boolean::Object;
use super::signature::{Kind, Signature};
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
#[derive(Default)]
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
    materialised(encoder, (entry, now), signature, cells, &vec![Vec::new(); signature.kinds.len()])
}

/// The values that the rows of a kind have at a moment.
fn values(
    encoder: &mut Encoder<'_>,
    moments: Moments<'_>,
    kind: &Kind,
) -> Result<Vec<TermId>, Inexpressible> {
    let value = |row: &Term| match row {
        Term::Null(of) => Ok(encoder.null(*of)),
        row => encoder.term(moments, row),
    };
    kind.rows.iter().map(value).collect()
}

/// The values that rows of a place have after a way to it and that no row has before it, by kind of the place before.
/// These are the cells that the way gives a name.
pub(super) fn named(
    encoder: &mut Encoder<'_>,
    entry: &Moment,
    (before, signature): (&Moment, &Signature),
    (after, to): (&Moment, &Signature),
) -> Result<Vec<Vec<TermId>>, Inexpressible> {
    let labels = Map::default();
    let at = |now| Moments { now, entry, labels: &labels };
    let mut out = Vec::new();
    for kind in &signature.kinds {
        let known = values(encoder, at(before), kind)?;
        let mut new = Vec::new();
        for later in to.kinds.iter().filter(|k| k.of == kind.of) {
            for value in values(encoder, at(after), later)? {
                if !known.contains(&value) && !new.contains(&value) {
                    new.push(value);
                }
            }
        }
        out.push(new);
    }
    Ok(out)
}

/// The same with further rows, given by their values. Their singletons come after those of the other rows.
pub(super) fn materialised(
    encoder: &mut Encoder<'_>,
    (entry, now): (&Moment, &Moment),
    signature: &Signature,
    cells: &[TermId],
    new: &[Vec<TermId>],
) -> Result<View, Inexpressible> {
    let labels = Map::default();
    let moments = Moments { now, entry, labels: &labels };
    let mut atoms = Vec::new();
    for atom in &signature.atoms {
        atoms.push(encoder.formula(moments, atom, Side::Prove)?);
    }
    let mut kinds = Vec::new();
    for (kind, new) in signature.kinds.iter().zip(new) {
        let rows = values(encoder, moments, kind)?;
        let mut at = |place: TermId| -> Result<Vec<TermId>, Inexpressible> {
            let mut out = Vec::new();
            for (i, p) in kind.predicates.iter().enumerate() {
                if i == rows.len() {
                    for &value in new {
                        out.push(encoder.terms.eq(place, value)?);
                    }
                }
                out.push(encoder.formula_with(moments, (kind.object.id, place), p, Side::Prove)?);
            }
            if kind.predicates.len() == rows.len() {
                for &value in new {
                    out.push(encoder.terms.eq(place, value)?);
                }
            }
            Ok(out)
        };
        let at_cell = at(cells[kind.of.index()])?;
        let at_rows: Vec<Vec<TermId>> =
            rows.iter().chain(new).map(|&row| at(row)).collect::<Result<_, _>>()?;
        for &term in at_rows[rows.len()..].iter().flatten() {
            if term != Terms::TRUE && term != Terms::FALSE && !atoms.contains(&term) {
                atoms.push(term);
            }
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
    /// The predicates of the place it comes from, with rows for the cells that it gives a name; of the entry nothing.
    pub(super) before: View,
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
