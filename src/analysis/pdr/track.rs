//! `track`: the atoms of the formulas that the user names, as predicates of the abstraction.
//!
//! A Boolean combination is not a predicate of its own: the search combines its atoms. A variable bound by an
//! outermost universal quantifier, or the object that a predicate is about, is a ghost, so what is found over
//! it is universally quantified. Terms `x->f` are names of the layout (`Name::Next`).

use super::signature::{Name, Role, Signature};
use crate::engine::heap::{Pred, Slot};
use crate::program::{At, Cmp, Formula, Set, Term};

/// The predicates for the atoms of a formula; `None` stands for an atom that has none.
pub(super) fn predicates(layout: &Signature, formula: &Formula) -> Vec<Option<Pred>> {
    let mut out = Vec::new();
    Reader { layout }.formula(formula, &mut out);
    out
}

struct Reader<'a> {
    layout: &'a Signature,
}

impl Reader<'_> {
    fn formula(&self, formula: &Formula, out: &mut Vec<Option<Pred>>) {
        match formula {
            Formula::Const(_) => {}
            Formula::Not(p) | Formula::Forall(_, p) | Formula::Exists(_, p) => self.formula(p, out),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|p| self.formula(p, out)),
            Formula::Implies(p, q) | Formula::Iff(p, q) => {
                self.formula(p, out);
                self.formula(q, out);
            }
            Formula::Compare(cmp, a, b) => self.comparison(*cmp, a, b, out),
            Formula::Between(f, at, x, y, z) => {
                out.push(self.segment(*f, *at, x, y, Pred::Reach));
                out.push(self.segment(*f, *at, y, z, Pred::Reach));
            }
            Formula::In(t, Set::Cells(f, at, x, y)) => {
                out.push(self.segment(*f, *at, x, t, Pred::Reach));
                out.push(self.segment(*f, *at, t, y, Pred::Reach));
                out.push(self.pair(t, y).map(|(t, y)| Pred::Equal(t, y)));
            }
            Formula::Dlseg(f, b, at, ends) => {
                let [x, px, y, py] = &**ends;
                let back = self.layout.link(*b, *at);
                out.push(
                    back.and_then(|back| self.segment(*f, *at, x, py, |f, x, y| Pred::Doubly(f, back, x, y))),
                );
                out.push(self.segment(*b, *at, x, px, Pred::Edge));
                out.push(self.segment(*f, *at, py, y, Pred::Edge));
                out.push(self.segment(*f, *at, x, py, Pred::Reach));
            }
            other => out.push(self.atom(other)),
        }
    }

    fn atom(&self, formula: &Formula) -> Option<Pred> {
        match formula {
            Formula::Reach { field, at, from, to, plus } => {
                self.segment(*field, *at, from, to, if *plus { Pred::Plus } else { Pred::Reach })
            }
            Formula::Unshared(f, at, x, y) => self.segment(*f, *at, x, y, Pred::Unshared),
            Formula::Sorted(f, data, At::Now, x, y @ Term::Null(_))
                if self.layout.role(*data) == Role::Datum =>
            {
                self.segment(*f, At::Now, x, y, Pred::Sorted)
            }
            Formula::Inverse(f, b, at, x, y) => {
                let back = self.layout.link(*b, *at)?;
                self.segment(*f, *at, x, y, |f, x, y| Pred::Inverse(f, back, x, y))
            }
            Formula::Stable(f, At::Now, x) if self.layout.config.alloc => {
                Some(Pred::Stable(self.layout.link(*f, At::Now)?, self.slot(x)?))
            }
            Formula::Valid(x, At::Now) if self.layout.config.alloc => Some(Pred::Alloc(self.slot(x)?)),
            Formula::Valid(x, at) => {
                let entry = self.layout.allocated.iter().find(|entry| entry.0 == *at)?;
                Some(Pred::Colour(entry.1, self.slot(x)?))
            }
            Formula::Disjoint(sets) => match &sets[..] {
                [Set::Cells(f, at, x, x_end), Set::Cells(g, then, y, y_end)]
                    if f == g
                        && at == then
                        && [x_end, y_end].iter().all(|end| matches!(***end, Term::Null(_))) =>
                {
                    self.segment(*f, *at, x, y, Pred::Apart)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn segment(
        &self,
        field: crate::program::FieldId,
        at: At,
        x: &Term,
        y: &Term,
        of: impl Fn(crate::engine::heap::Field, Slot, Slot) -> Pred,
    ) -> Option<Pred> {
        Some(of(self.layout.link(field, at)?, self.slot(x)?, self.slot(y)?))
    }

    fn pair(&self, a: &Term, b: &Term) -> Option<(Slot, Slot)> {
        Some((self.slot(a)?, self.slot(b)?))
    }

    fn comparison(&self, cmp: Cmp, a: &Term, b: &Term, out: &mut Vec<Option<Pred>>) {
        if let Some((x, y)) = self.pair(a, b) {
            out.push(Some(Pred::Equal(x, y)));
            return;
        }
        for (field, other) in [(a, b), (b, a)] {
            match (field, other) {
                (Term::Field(f, at, t), other) if self.layout.link(*f, *at).is_some() => {
                    out.push(self.segment(*f, *at, t, other, Pred::Edge));
                    return;
                }
                (Term::Field(f, At::Now, t), Term::Int(0)) => {
                    if let Role::Colour(colour) = self.layout.role(*f) {
                        out.push(self.slot(t).map(|slot| Pred::Colour(colour, slot)));
                        return;
                    }
                }
                _ => {}
            }
        }
        let (Some(x), Some(y)) = (self.value(a), self.value(b)) else {
            out.push(None);
            return;
        };
        let (below, above) = (Pred::AtMost(x, y), Pred::AtMost(y, x));
        match cmp {
            Cmp::Le | Cmp::Gt => out.push(Some(below)),
            Cmp::Ge | Cmp::Lt => out.push(Some(above)),
            Cmp::Eq | Cmp::Ne => out.extend([Some(below), Some(above)]),
        }
    }

    /// The slot of a pointer term.
    fn slot(&self, term: &Term) -> Option<Slot> {
        match term {
            Term::Null(_) => Some(Slot::NULL),
            Term::Var(v, at) => self.layout.slot(*v, *at).filter(|slot| slot.0 < self.layout.integers),
            Term::Bound(id) => self.layout.bound.get(id).copied(),
            Term::Field(f, At::Now, t) => self.layout.slot_of(Name::Next(self.slot(t)?, *f)),
            _ => None,
        }
    }

    /// The slot whose datum is the integer term.
    fn value(&self, term: &Term) -> Option<Slot> {
        match term {
            Term::Int(n) => self.layout.slot_of(Name::Number(*n)),
            Term::Var(v, at) => self.layout.slot(*v, *at).filter(|slot| slot.0 >= self.layout.integers),
            Term::Field(f, At::Now, t) if self.layout.role(*f) == Role::Datum => self.slot(t),
            _ => None,
        }
    }
}
