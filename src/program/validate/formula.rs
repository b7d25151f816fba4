//! Types of terms, sets and formulas.

use super::{Checked, Invalid, Kind, Validator, wrong};
use crate::program::decl::{FieldId, StructId};
use crate::program::formula::{At, Binder, Formula, Set, Term};

impl Validator<'_> {
    pub(super) fn int(&mut self, t: &Term) -> Checked {
        let kind = self.term(t)?;
        self.same(kind, Kind::Int)
    }

    pub(super) fn pointer_to(&mut self, t: &Term, of: StructId) -> Checked {
        let kind = self.term(t)?;
        self.same(kind, Kind::Ptr(of))
    }

    pub(super) fn term(&mut self, t: &Term) -> Checked<Kind> {
        match t {
            Term::Var(v, at) => {
                self.at(*at)?;
                self.scalar(*v)
            }
            Term::Bound(id) => {
                let found = self.bound.iter().rev().find(|(b, _)| b == id);
                found.map(|(_, k)| *k).ok_or_else(|| Invalid("a variable is not bound".into()))
            }
            Term::Null(s) => self.in_range(*s).map(|()| Kind::Ptr(*s)),
            Term::Int(_) => Ok(Kind::Int),
            Term::Field(f, at, inner) => {
                self.at(*at)?;
                let (owner, kind) = self.field(*f)?;
                self.pointer_to(inner, owner)?;
                Ok(kind)
            }
            Term::Index(a, at, i) => {
                self.at(*at)?;
                self.int(i)?;
                self.array(*a)
            }
            Term::Neg(a) => self.int(a).map(|()| Kind::Int),
            Term::Binary(_, a, b) => {
                self.int(a)?;
                self.int(b)?;
                Ok(Kind::Int)
            }
            Term::Ite(c, a, b) => {
                self.formula(c)?;
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.same(a, b)?;
                Ok(a)
            }
        }
    }

    /// The struct of a set's cells, if the set says; it must be `expected`, if that is given.
    pub(super) fn set(&mut self, s: &Set, expected: Option<StructId>) -> Checked<Option<StructId>> {
        let found = match s {
            Set::Cells(f, at, x, y) => {
                self.at(*at)?;
                let of = self.link(*f)?;
                self.pointer_to(x, of)?;
                self.pointer_to(y, of)?;
                Some(of)
            }
            Set::Of(terms) => {
                let mut of = expected;
                for t in terms {
                    let Kind::Ptr(s) = self.term(t)? else { return wrong("an integer in a set of cells") };
                    self.same(Kind::Ptr(s), Kind::Ptr(of.unwrap_or(s)))?;
                    of = Some(s);
                }
                of
            }
            Set::Pre(f, at, t) => {
                self.at(*at)?;
                let (owner, kind) = self.field(*f)?;
                let found = self.term(t)?;
                self.same(found, kind)?;
                Some(owner)
            }
            Set::Union(sets) | Set::Inter(sets) => {
                if matches!(s, Set::Inter(_)) && sets.is_empty() {
                    return wrong("an intersection of nothing");
                }
                let mut of = expected;
                for s in sets {
                    of = self.set(s, of)?.or(of);
                }
                of
            }
            Set::Diff(a, b) => {
                let of = self.set(a, expected)?.or(expected);
                self.set(b, of)?.or(of)
            }
        };
        match (found, expected) {
            (Some(a), Some(b)) if a != b => wrong("sets of cells of different structs"),
            _ => Ok(found),
        }
    }

    pub(super) fn under(&mut self, binder: &Binder, body: &Formula) -> Checked {
        if binder.id.0 >= self.p.bounds {
            return wrong("a bound variable was not handed out");
        }
        if let Some(s) = binder.of {
            self.in_range(s)?;
        }
        self.bound.push((binder.id, binder.of.map_or(Kind::Int, Kind::Ptr)));
        let result = self.formula(body);
        self.bound.pop();
        result
    }

    pub(super) fn formula(&mut self, f: &Formula) -> Checked {
        match f {
            Formula::Const(_) => Ok(()),
            Formula::Not(p) => self.formula(p),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().try_for_each(|p| self.formula(p)),
            Formula::Implies(p, q) | Formula::Iff(p, q) => {
                self.formula(p)?;
                self.formula(q)
            }
            Formula::Compare(cmp, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.compared(*cmp, a, b)
            }
            Formula::Reach { field, at, from, to, .. } => self.chain(*field, *at, &[from, to]),
            Formula::Between(field, at, x, y, z) => self.chain(*field, *at, &[x, y, z]),
            Formula::Stable(field, at, t) => self.chain(*field, *at, &[t]),
            Formula::Unshared(field, at, x, y) => self.chain(*field, *at, &[x, y]),
            Formula::Sorted(field, key, at, x, y) => {
                let of = self.link(*field)?;
                if self.field(*key)? != (of, Kind::Int) {
                    return wrong("the key of a sorted list is no integer field of its cells");
                }
                self.chain(*field, *at, &[x, y])
            }
            Formula::Inverse(f, g, at, x, y) => {
                self.links(*f, *g)?;
                self.chain(*f, *at, &[x, y])
            }
            Formula::Dlseg(f, g, at, ends) => {
                self.links(*f, *g)?;
                self.chain(*f, *at, &ends.each_ref())
            }
            Formula::Tree(f, g, at, t) => {
                self.links(*f, *g)?;
                self.chain(*f, *at, &[t])
            }
            Formula::Valid(t, at) | Formula::Freed(t, at) => {
                self.at(*at)?;
                self.any_pointer(t)
            }
            Formula::Fresh(t) => self.any_pointer(t),
            Formula::ValidRange(a, lo, hi) => {
                self.array(*a)?;
                self.int(lo)?;
                self.int(hi)
            }
            Formula::In(t, s) => match self.term(t)? {
                Kind::Ptr(of) => self.set(s, Some(of)).map(drop),
                Kind::Int => wrong("an integer in a set of cells"),
            },
            Formula::Subset(a, b) | Formula::SameSet(a, b) => {
                let of = self.set(a, None)?;
                self.set(b, of).map(drop)
            }
            Formula::Disjoint(sets) => {
                let mut of = None;
                for s in sets {
                    of = self.set(s, of)?.or(of);
                }
                Ok(())
            }
            Formula::Forall(binder, body) | Formula::Exists(binder, body) => self.under(binder, body),
        }
    }

    pub(super) fn any_pointer(&mut self, t: &Term) -> Checked {
        match self.term(t)? {
            Kind::Ptr(_) => Ok(()),
            Kind::Int => wrong("an integer is used as a pointer"),
        }
    }

    pub(super) fn chain(&mut self, field: FieldId, at: At, terms: &[&Term]) -> Checked {
        self.at(at)?;
        let of = self.link(field)?;
        terms.iter().try_for_each(|t| self.pointer_to(t, of))
    }
}
