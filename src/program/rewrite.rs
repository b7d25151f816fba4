//! Formulas with terms replaced, or read at another moment.

use super::formula::{At, Formula, Set, Term};

/// What is replaced.
#[derive(Clone, Copy)]
pub struct Rewrite<'a> {
    /// Terms and what stands for them. It is put in as it is; nobody looks whether a quantifier captures it.
    pub terms: &'a [(Term, Term)],
    /// Moments.
    pub at: &'a dyn Fn(At) -> At,
}

impl std::fmt::Debug for Rewrite<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rewrite").field("terms", &self.terms).finish_non_exhaustive()
    }
}

/// No moment changes.
#[must_use]
pub fn same(at: At) -> At {
    at
}

/// The present becomes the entry.
#[must_use]
pub fn to_entry(at: At) -> At {
    if at == At::Now { At::Entry } else { at }
}

/// The entry becomes the present.
#[must_use]
pub fn to_now(at: At) -> At {
    if at == At::Entry { At::Now } else { at }
}

impl Rewrite<'_> {
    fn boxed(&self, t: &Term) -> Box<Term> {
        Box::new(self.term(t))
    }

    /// The term, rewritten.
    #[must_use]
    pub fn term(&self, t: &Term) -> Term {
        if let Some((_, by)) = self.terms.iter().find(|(from, _)| from == t) {
            return by.clone();
        }
        match t {
            Term::Var(v, at) => Term::Var(*v, (self.at)(*at)),
            Term::Bound(_) | Term::Null(_) | Term::Int(_) => t.clone(),
            Term::Field(f, at, inner) => Term::Field(*f, (self.at)(*at), self.boxed(inner)),
            Term::Index(a, at, inner) => Term::Index(*a, (self.at)(*at), self.boxed(inner)),
            Term::Neg(inner) => Term::Neg(self.boxed(inner)),
            Term::Binary(op, a, b) => Term::Binary(*op, self.boxed(a), self.boxed(b)),
            Term::Ite(c, a, b) => Term::Ite(Box::new(self.formula(c)), self.boxed(a), self.boxed(b)),
        }
    }

    /// The set, rewritten.
    #[must_use]
    pub fn set(&self, s: &Set) -> Set {
        let sets = |sets: &[Set]| sets.iter().map(|s| self.set(s)).collect();
        match s {
            Set::Cells(f, at, a, b) => Set::Cells(*f, (self.at)(*at), self.boxed(a), self.boxed(b)),
            Set::Of(terms) => Set::Of(terms.iter().map(|t| self.term(t)).collect()),
            Set::Pre(f, at, t) => Set::Pre(*f, (self.at)(*at), self.boxed(t)),
            Set::Union(parts) => Set::Union(sets(parts)),
            Set::Inter(parts) => Set::Inter(sets(parts)),
            Set::Diff(a, b) => Set::Diff(Box::new(self.set(a)), Box::new(self.set(b))),
        }
    }

    /// The formula, rewritten.
    #[must_use]
    pub fn formula(&self, f: &Formula) -> Formula {
        let inner = |p: &Formula| Box::new(self.formula(p));
        let all = |parts: &[Formula]| parts.iter().map(|p| self.formula(p)).collect();
        let term = |t: &Term| self.term(t);
        let at = self.at;
        match f {
            Formula::Const(_) => f.clone(),
            Formula::Not(p) => Formula::Not(inner(p)),
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Implies(p, q) => Formula::Implies(inner(p), inner(q)),
            Formula::Iff(p, q) => Formula::Iff(inner(p), inner(q)),
            Formula::Compare(cmp, a, b) => Formula::Compare(*cmp, term(a), term(b)),
            Formula::Reach { field, at: when, from, to, plus } => {
                Formula::Reach { field: *field, at: at(*when), from: term(from), to: term(to), plus: *plus }
            }
            Formula::Between(f, when, x, y, z) => Formula::Between(*f, at(*when), term(x), term(y), term(z)),
            Formula::Valid(t, when) => Formula::Valid(term(t), at(*when)),
            Formula::Freed(t, when) => Formula::Freed(term(t), at(*when)),
            Formula::Fresh(t) => Formula::Fresh(term(t)),
            Formula::Stable(f, when, t) => Formula::Stable(*f, at(*when), term(t)),
            Formula::Unshared(f, when, a, b) => Formula::Unshared(*f, at(*when), term(a), term(b)),
            Formula::Sorted(f, d, when, a, b) => Formula::Sorted(*f, *d, at(*when), term(a), term(b)),
            Formula::Inverse(f, g, when, a, b) => Formula::Inverse(*f, *g, at(*when), term(a), term(b)),
            Formula::Dlseg(f, g, when, ends) => {
                Formula::Dlseg(*f, *g, at(*when), Box::new(std::array::from_fn(|i| term(&ends[i]))))
            }
            Formula::Tree(l, r, when, t) => Formula::Tree(*l, *r, at(*when), term(t)),
            Formula::ValidRange(a, lo, hi) => Formula::ValidRange(*a, term(lo), term(hi)),
            Formula::In(t, s) => Formula::In(term(t), self.set(s)),
            Formula::Subset(a, b) => Formula::Subset(self.set(a), self.set(b)),
            Formula::Disjoint(sets) => Formula::Disjoint(sets.iter().map(|s| self.set(s)).collect()),
            Formula::SameSet(a, b) => Formula::SameSet(self.set(a), self.set(b)),
            Formula::Forall(binder, p) => Formula::Forall(binder.clone(), inner(p)),
            Formula::Exists(binder, p) => Formula::Exists(binder.clone(), inner(p)),
        }
    }
}
