//! Single cells and segments as formulas of the reachability logic.
//!
//! Each field is one total function; on cells it is the heap, elsewhere it is free. A location t belongs to
//! `pto x y` if t = x, to a segment from x to y if between(x, t, y) and t != y. If x = y then between(x, t, x)
//! says t = x, so the segment is empty, as it should be.

use crate::frontend::smtlib::sep::Outside;
use crate::frontend::smtlib::sep::chain::Segment;
use crate::frontend::smtlib::sep::data;
use crate::frontend::smtlib::sep::symbolic::Cell;
use crate::logic::sep::Vocabulary;
use crate::logic::{BuildError, SortId, TermId, Terms};

/// Something that has cells.
#[derive(Clone, Debug)]
pub enum Atom {
    /// One cell.
    Cell(Cell),
    /// A segment.
    Segment(Segment),
}

impl From<BuildError> for Outside {
    fn from(error: BuildError) -> Outside {
        Outside::new(error.to_string())
    }
}

type Built<T = TermId> = Result<T, Outside>;

impl Atom {
    fn cell_index(&self) -> usize {
        match self {
            Atom::Cell(cell) => cell.cell,
            Atom::Segment(segment) => segment.cell,
        }
    }

    /// The sort of its locations.
    pub fn location(&self, vocabulary: &Vocabulary) -> SortId {
        vocabulary.cells()[self.cell_index()].location
    }

    /// Whether a location is one of its cells.
    pub fn covers(&self, terms: &mut Terms, at: TermId) -> Built {
        Ok(match self {
            Atom::Cell(cell) => terms.eq(at, cell.at)?,
            Atom::Segment(s) => {
                let on_path = terms.between(s.next, s.from, at, s.to)?;
                let is_end = terms.eq(at, s.to)?;
                let inside = terms.not(is_end)?;
                terms.and(&[on_path, inside])?
            }
        })
    }

    /// `claim` of every cell.
    pub fn every_cell(&self, terms: &mut Terms, claim: impl FnOnce(&mut Terms, TermId) -> Built) -> Built {
        match self {
            Atom::Cell(cell) => claim(terms, cell.at),
            Atom::Segment(s) => {
                let sort = terms.sort(s.from);
                let u = terms.variable("u", sort)?;
                let on_path = terms.between(s.next, s.from, u, s.to)?;
                let outside = terms.not(on_path)?;
                let is_end = terms.eq(u, s.to)?;
                let claimed = claim(terms, u)?;
                let body = terms.or(&[outside, is_end, claimed])?;
                Ok(terms.forall(&[u], body)?)
            }
        }
    }

    /// What is true if the atom is, apart from which locations are its cells.
    pub fn facts(&self, terms: &mut Terms, vocabulary: &Vocabulary, facts: &mut Vec<TermId>) -> Built<()> {
        match self {
            Atom::Cell(cell) => {
                for (field, &value) in vocabulary.cells()[cell.cell].fields.iter().zip(&cell.values) {
                    let held = terms.app(field.func, &[cell.at])?;
                    facts.push(terms.eq(held, value)?);
                }
            }
            Atom::Segment(s) => {
                facts.push(terms.reach(s.next, s.from, s.to)?);
                back_links(terms, s, facts)?;
                data::facts(terms, s, facts)?;
            }
        }
        Ok(())
    }

    /// Disjuncts one of which is true if the atom's facts are not.
    pub fn denials(
        &self,
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        denials: &mut Vec<TermId>,
    ) -> Built<()> {
        let mut facts = Vec::new();
        match self {
            Atom::Cell(_) => self.facts(terms, vocabulary, &mut facts)?,
            Atom::Segment(s) => {
                facts.push(terms.reach(s.next, s.from, s.to)?);
                broken_back_links(terms, s, denials)?;
                data::denials(terms, s, denials)?;
            }
        }
        for fact in facts {
            denials.push(terms.not(fact)?);
        }
        Ok(())
    }

    /// No location is a cell of both. Different sorts have different locations.
    pub fn disjoint(&self, terms: &mut Terms, other: &Atom) -> Built {
        let (one, other) = match (self, other) {
            (Atom::Segment(_), Atom::Cell(_)) => (other, self),
            _ => (self, other),
        };
        one.every_cell(terms, |terms, u| {
            let shared = other.covers(terms, u)?;
            Ok(terms.not(shared)?)
        })
    }
}

/// What is true of the back links of a segment.
///
/// Empty: last = before. Otherwise the first cell leads back to `before`, the last cell leads to the end,
/// and inside the links are inverse to each other.
fn back_links(terms: &mut Terms, s: &Segment, facts: &mut Vec<TermId>) -> Built<()> {
    let Some(back) = &s.back else { return Ok(()) };
    let empty = terms.eq(s.from, s.to)?;
    let none = terms.eq(back.last, back.before)?;
    let not_empty = terms.not(empty)?;
    facts.push(terms.implies(empty, none)?);
    let mut when_cells = Vec::new();
    let first_back = terms.app(back.prev, &[s.from])?;
    when_cells.push(terms.eq(first_back, back.before)?);
    if back.guarded {
        when_cells.push(terms.not(none)?);
    }
    let end = Atom::Segment(s.bare());
    when_cells.push(end.covers(terms, back.last)?);
    let after_last = terms.app(s.next, &[back.last])?;
    when_cells.push(terms.eq(after_last, s.to)?);
    let when_cells = terms.and(&when_cells)?;
    facts.push(terms.implies(not_empty, when_cells)?);
    let sort = terms.sort(s.from);
    // The hints keep instances to links that are mentioned; without them there may be no end of new cells.
    for forward in [true, false] {
        let u = terms.variable("u", sort)?;
        let on_path = terms.between(s.next, s.from, u, s.to)?;
        let outside = terms.not(on_path)?;
        let is_end = terms.eq(u, s.to)?;
        let (there, border) = if forward {
            let there = terms.app(s.next, &[u])?;
            (there, terms.eq(there, s.to)?)
        } else {
            (terms.app(back.prev, &[u])?, terms.eq(u, s.from)?)
        };
        let home = terms.app(if forward { back.prev } else { s.next }, &[there])?;
        let inverse = terms.eq(home, u)?;
        let body = terms.or(&[outside, is_end, border, inverse])?;
        facts.push(terms.forall_with(&[u], body, &[vec![there]])?);
    }
    Ok(())
}

/// Disjuncts that say that the back links of a segment are not as they should be.
fn broken_back_links(terms: &mut Terms, s: &Segment, denials: &mut Vec<TermId>) -> Built<()> {
    let Some(back) = &s.back else { return Ok(()) };
    let empty = terms.eq(s.from, s.to)?;
    let none = terms.eq(back.last, back.before)?;
    let (not_empty, not_none) = (terms.not(empty)?, terms.not(none)?);
    denials.push(terms.and(&[empty, not_none])?);
    let cells = Atom::Segment(s.bare());
    let sort = terms.sort(s.from);
    let v = terms.fresh_const("broken", sort);
    let first_back = terms.app(back.prev, &[s.from])?;
    let after_last = terms.app(s.next, &[back.last])?;
    let good =
        [terms.eq(first_back, back.before)?, cells.covers(terms, back.last)?, terms.eq(after_last, s.to)?];
    let mut broken = Vec::new();
    for fact in good {
        broken.push(terms.not(fact)?);
    }
    if back.guarded {
        broken.push(none);
    }
    let after = terms.app(s.next, &[v])?;
    let back_again = terms.app(back.prev, &[after])?;
    let inside = cells.covers(terms, v)?;
    let (is_last, inverse) = (terms.eq(after, s.to)?, terms.eq(back_again, v)?);
    let (not_last, not_inverse) = (terms.not(is_last)?, terms.not(inverse)?);
    broken.push(terms.and(&[inside, not_last, not_inverse])?);
    let broken = terms.or(&broken)?;
    denials.push(terms.and(&[not_empty, broken])?);
    Ok(())
}
