//! Which quantifiers stay among the cells that a program can reach.

use crate::program::{BoundId, Cmp, Formula, Set, Term};

/// Whether a bound variable can only be null or a cell reached from a term without bound variables: in
/// `body` (of `\exists`), or in the guard of `body` (of `\forall`).
pub(super) fn is_guarded(id: BoundId, body: &Formula, exists: bool) -> bool {
    match body {
        Formula::Implies(guard, rest) if !exists => {
            is_guarded(id, guard, true) || is_guarded(id, rest, false)
        }
        Formula::Or(parts) if !exists => parts.iter().any(|p| is_guarded(id, p, false)),
        Formula::Not(inner) if !exists => is_guarded(id, inner, true),
        Formula::And(parts) if exists => parts.iter().any(|p| is_guarded(id, p, true)),
        Formula::Forall(_, inner) if !exists => is_guarded(id, inner, false),
        Formula::Exists(_, inner) if exists => is_guarded(id, inner, true),
        Formula::In(Term::Bound(b), set) if exists => *b == id && is_anchored(set),
        Formula::Reach { from, to: Term::Bound(b), .. } if exists => *b == id && is_rooted(from),
        Formula::Compare(Cmp::Eq, Term::Bound(b), t) | Formula::Compare(Cmp::Eq, t, Term::Bound(b))
            if exists =>
        {
            *b == id && is_rooted(t)
        }
        _ => false,
    }
}

fn is_anchored(set: &Set) -> bool {
    match set {
        Set::Cells(_, _, from, _) => is_rooted(from),
        Set::Of(terms) => terms.iter().all(is_rooted),
        Set::Union(parts) => parts.iter().all(is_anchored),
        Set::Inter(parts) => parts.iter().any(is_anchored),
        Set::Pre(..) | Set::Diff(..) => false,
    }
}

/// A variable, null, or a field of such.
fn is_rooted(term: &Term) -> bool {
    match term {
        Term::Field(_, _, inner) => is_rooted(inner),
        Term::Var(..) | Term::Null(_) => true,
        _ => false,
    }
}
