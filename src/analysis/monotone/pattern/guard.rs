//! Which quantifiers stay among the cells that a program can reach.

use crate::program::{BoundId, Cmp, Formula, Set, Term};

/// Whether a bound variable can only be null or a cell reached from the program's variables: in `body` (of
/// `\exists`), or in the guard of `body` (of `\forall`). Variables bound outside are guarded themselves.
pub(super) fn is_guarded(id: BoundId, body: &Formula, exists: bool, outer: &[BoundId]) -> bool {
    match body {
        Formula::Implies(guard, rest) if !exists => {
            is_guarded(id, guard, true, outer) || is_guarded(id, rest, false, outer)
        }
        Formula::Or(parts) if !exists => parts.iter().any(|p| is_guarded(id, p, false, outer)),
        Formula::Not(inner) if !exists => is_guarded(id, inner, true, outer),
        Formula::And(parts) if exists => parts.iter().any(|p| is_guarded(id, p, true, outer)),
        Formula::Forall(_, inner) if !exists => is_guarded(id, inner, false, outer),
        Formula::Exists(_, inner) if exists => is_guarded(id, inner, true, outer),
        Formula::In(Term::Bound(b), set) if exists => *b == id && is_anchored(set, outer),
        Formula::Reach { from, to: Term::Bound(b), .. } if exists => *b == id && is_rooted(from, outer),
        Formula::Compare(Cmp::Eq, Term::Bound(b), t) | Formula::Compare(Cmp::Eq, t, Term::Bound(b))
            if exists =>
        {
            *b == id && is_rooted(t, outer)
        }
        _ => false,
    }
}

fn is_anchored(set: &Set, outer: &[BoundId]) -> bool {
    match set {
        Set::Cells(_, _, from, _) => is_rooted(from, outer),
        Set::Of(terms) => terms.iter().all(|t| is_rooted(t, outer)),
        Set::Union(parts) => parts.iter().all(|p| is_anchored(p, outer)),
        Set::Inter(parts) => parts.iter().any(|p| is_anchored(p, outer)),
        Set::Pre(..) | Set::Diff(..) => false,
    }
}

/// A variable, null, or a field of such.
fn is_rooted(term: &Term, outer: &[BoundId]) -> bool {
    match term {
        Term::Field(_, _, inner) => is_rooted(inner, outer),
        Term::Bound(b) => outer.contains(b),
        Term::Var(..) | Term::Null(_) => true,
        _ => false,
    }
}
