//! What segments say about the data of their cells: claims about each cell, and sortedness.
//!
//! An order is transitive, so `bound order d1 order d2 ...` is the same as: the bound is related to the data of
//! every cell, and the data of every cell to that of all cells after it. Both are bounded quantifiers.

use crate::frontend::smtlib::sep::Outside;
use crate::frontend::smtlib::sep::atoms::Atom;
use crate::frontend::smtlib::sep::chain::{Segment, SortedBy};
use crate::logic::{TermId, Terms};

type Built<T = TermId> = Result<T, Outside>;

impl Segment {
    /// Its cells, without what is said about their fields.
    pub fn bare(&self) -> Segment {
        Segment { back: None, claims: Vec::new(), sorted: None, ..self.clone() }
    }

    /// The formulas that are true of one cell.
    fn claims_of(&self, terms: &mut Terms, cell: TermId) -> Built {
        let mut all = Vec::new();
        for &(hole, claim) in &self.claims {
            all.push(terms.substitute(claim, &[(hole, cell)].into_iter().collect()));
        }
        if let Some(SortedBy { field, bound, order }) = self.sorted {
            let held = terms.app(field, &[cell])?;
            all.push(order.relate(terms, bound, held)?);
        }
        Ok(terms.and(&all)?)
    }

    /// Two cells, the first before the second, are in order or are not such cells.
    fn pair(&self, terms: &mut Terms, sorted: &SortedBy, first: TermId, second: TermId) -> Built {
        let before = terms.between(self.next, self.from, first, second)?;
        let inside = terms.between(self.next, self.from, second, self.to)?;
        let (is_end, same) = (terms.eq(second, self.to)?, terms.eq(first, second)?);
        let (one, other) = (terms.app(sorted.field, &[first])?, terms.app(sorted.field, &[second])?);
        let related = sorted.order.relate(terms, one, other)?;
        let (not_before, not_inside) = (terms.not(before)?, terms.not(inside)?);
        Ok(terms.or(&[not_before, not_inside, is_end, same, related])?)
    }
}

/// What is true of the data of a segment.
pub fn facts(terms: &mut Terms, s: &Segment, facts: &mut Vec<TermId>) -> Built<()> {
    if !s.claims.is_empty() || s.sorted.is_some() {
        facts.push(Atom::Segment(s.bare()).every_cell(terms, |terms, u| s.claims_of(terms, u))?);
    }
    if let Some(sorted) = &s.sorted {
        let sort = terms.sort(s.from);
        let (u, v) = (terms.variable("u", sort)?, terms.variable("v", sort)?);
        let body = s.pair(terms, sorted, u, v)?;
        facts.push(terms.forall(&[u, v], body)?);
    }
    Ok(())
}

/// Disjuncts that say that the data of a segment are not as they should be.
pub fn denials(terms: &mut Terms, s: &Segment, denials: &mut Vec<TermId>) -> Built<()> {
    let sort = terms.sort(s.from);
    if !s.claims.is_empty() || s.sorted.is_some() {
        let v = terms.fresh_const("denied", sort);
        let inside = Atom::Segment(s.bare()).covers(terms, v)?;
        let claimed = s.claims_of(terms, v)?;
        let denied = terms.not(claimed)?;
        denials.push(terms.and(&[inside, denied])?);
    }
    if let Some(sorted) = &s.sorted {
        let (u, v) = (terms.fresh_const("denied", sort), terms.fresh_const("denied", sort));
        let ordered = s.pair(terms, sorted, u, v)?;
        denials.push(terms.not(ordered)?);
    }
    Ok(())
}
