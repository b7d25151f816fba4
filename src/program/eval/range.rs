//! The finite range of an integer quantifier, read off the comparisons in its body.

use super::Evaluator;
use crate::program::decl::BoundId;
use crate::program::expr::{BinOp, Cmp};
use crate::program::formula::{Formula, Term};

/// Least and greatest value, where known. A least value above the greatest: no value at all.
pub(super) type Range = (Option<i128>, Option<i128>);

impl Evaluator<'_> {
    /// Bounds of k that follow from `body` having the value `sign`; outside of them it has the other one.
    pub(super) fn range(&mut self, k: BoundId, body: &Formula, sign: bool) -> Range {
        match body {
            // No value of k gives it the sign: the empty range.
            Formula::Const(value) if *value != sign => (Some(1), Some(0)),
            Formula::Not(p) => self.range(k, p, !sign),
            Formula::And(parts) if sign => self.meet(k, parts.iter().map(|p| (p, true))),
            Formula::Or(parts) if !sign => self.meet(k, parts.iter().map(|p| (p, false))),
            Formula::And(parts) => self.join(k, parts.iter().map(|p| (p, false))),
            Formula::Or(parts) => self.join(k, parts.iter().map(|p| (p, true))),
            Formula::Implies(p, q) if sign => self.join(k, [(&**p, false), (&**q, true)].into_iter()),
            Formula::Implies(p, q) => self.meet(k, [(&**p, true), (&**q, false)].into_iter()),
            Formula::Forall(_, inner) if !sign => self.range(k, inner, sign),
            Formula::Exists(_, inner) if sign => self.range(k, inner, sign),
            Formula::Compare(cmp, a, b) => {
                let cmp = if sign { *cmp } else { cmp.negated() };
                if let Some(offset) = offset(a, k) {
                    self.bound(cmp, offset, b)
                } else if let Some(offset) = offset(b, k) {
                    self.bound(mirrored(cmp), offset, a)
                } else {
                    (None, None)
                }
            }
            _ => (None, None),
        }
    }

    /// Bounds of k from `k + offset cmp term`. A term that mentions an unbound variable bounds nothing.
    fn bound(&mut self, cmp: Cmp, offset: i128, term: &Term) -> Range {
        let Ok(limit) = self.int(term) else { return (None, None) };
        let limit = limit.checked_sub(offset);
        match cmp {
            Cmp::Eq => (limit, limit),
            Cmp::Ne => (None, None),
            Cmp::Lt => (None, limit.and_then(|l| l.checked_sub(1))),
            Cmp::Le => (None, limit),
            Cmp::Gt => (limit.and_then(|l| l.checked_add(1)), None),
            Cmp::Ge => (limit, None),
        }
    }

    fn meet<'f>(&mut self, k: BoundId, parts: impl Iterator<Item = (&'f Formula, bool)>) -> Range {
        let mut range: Range = (None, None);
        for (part, sign) in parts {
            let (lo, hi) = self.range(k, part, sign);
            range.0 = range.0.max(lo);
            range.1 = match (range.1, hi) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        range
    }

    fn join<'f>(&mut self, k: BoundId, parts: impl Iterator<Item = (&'f Formula, bool)>) -> Range {
        let mut all: Option<Range> = None;
        for (part, sign) in parts {
            let (lo, hi) = self.range(k, part, sign);
            if matches!((lo, hi), (Some(l), Some(h)) if l > h) {
                continue;
            }
            all = Some(match all {
                None => (lo, hi),
                Some((l, h)) => (l.zip(lo).map(|(a, b)| a.min(b)), h.zip(hi).map(|(a, b)| a.max(b))),
            });
        }
        all.unwrap_or((Some(1), Some(0)))
    }
}

fn mirrored(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Lt => Cmp::Gt,
        Cmp::Le => Cmp::Ge,
        Cmp::Gt => Cmp::Lt,
        Cmp::Ge => Cmp::Le,
        same => same,
    }
}

/// `Some(c)` if the term is `k + c`.
fn offset(term: &Term, k: BoundId) -> Option<i128> {
    match term {
        Term::Bound(id) if *id == k => Some(0),
        Term::Binary(BinOp::Add, a, b) => match (&**a, &**b) {
            (a, Term::Int(n)) | (Term::Int(n), a) => offset(a, k)?.checked_add(*n),
            _ => None,
        },
        Term::Binary(BinOp::Sub, a, b) => match &**b {
            Term::Int(n) => offset(a, k)?.checked_sub(*n),
            _ => None,
        },
        _ => None,
    }
}
