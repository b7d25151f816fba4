//! Lists over the same cells: a list from a root along one field, and lists from the same root along other
//! fields that are parts of it in its order, like the levels of a skip list; whatever other link fields
//! there are, and whatever the links of a level hold in cells that are not on it.
//!
//! Which signatures a heap with such lists can be above is decided in `order`; which variables are on the
//! lists while the entry heap is not written, and what a certificate says of that, in `frames`. Both
//! together make the searches of walks over skip lists end: without them, cells that no skip list has
//! are walked back through for ever.
//!
//! **How such a level can be broken.** Let both lists, along `u` and along `n`, end in null, and let `w` be the
//! first cell of the list along `u` that some cell before it does not reach along `n`. Let `z` be the one right
//! before `w`. The cells before `z` reach `z`; so `z` does not reach `w`, otherwise all do. Then the path along `n` from `z` to
//! null meets neither `w` nor a cell before `z`, or `z` would reach itself. So one of two patterns is below the
//! heap: `h@z` or `h -u-> z`, and `z -u-> w, z -n-> #`; and no heap above one of them has the level in order.

mod frames;
mod order;

pub use frames::{Frames, broken_levels};
pub use order::NO_MEMBERS;

use super::pattern::{Pattern, Vocabulary, negation};
use super::pre::VarIx;
use super::shape::{ending_lists, parts, pattern};
use super::signature::{MAX_COLOURS, Signature};
use crate::program::{At, BoundId, Cmp, Formula, Set, Term};

/// The lists from one root that one of them contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    root: VarIx,
    /// Per colour the lists that contain it, itself among them, as bits; none if it is no such list.
    within: [u8; MAX_COLOURS],
}

/// One list is part of another one in its order: root, colour of the part, colour of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    root: VarIx,
    upper: u8,
    lower: u8,
}

/// The lists that clauses speak of, grouped by root and by the list that contains the others.
pub fn recognise_levels(vocabulary: &dyn Vocabulary, clauses: &[&Formula]) -> Vec<Levels> {
    let mut lists: Vec<(VarIx, u8)> = clauses.iter().flat_map(|f| ending_lists(vocabulary, f)).collect();
    lists.sort_unstable();
    lists.dedup();
    let all = clauses.iter().flat_map(|f| parts(f)).filter_map(|part| level_of(vocabulary, part));
    let known = |l: &Level| lists.contains(&(l.root, l.upper)) && lists.contains(&(l.root, l.lower));
    let levels: Vec<Level> = all.filter(known).collect();
    let mut out = Vec::new();
    for &(root, base) in &lists {
        let of_root: Vec<&Level> = levels.iter().filter(|l| l.root == root && l.upper != base).collect();
        let mut within = [0u8; MAX_COLOURS];
        within[base as usize] = 1 << base;
        for _ in 0..MAX_COLOURS {
            for l in &of_root {
                let lower = within[l.lower as usize];
                within[l.upper as usize] |= if lower == 0 { 0 } else { lower | 1 << l.upper };
            }
        }
        out.push(Levels { root, within });
    }
    // What another group contains adds nothing.
    let of = |l: &Levels| l.within.iter().fold(0u8, |m, w| m | w);
    let groups = out.clone();
    out.retain(|l| !groups.iter().any(|g| g != l && g.root == l.root && of(g) & of(l) == of(l)));
    out
}

/// Reads `\forall z, w; z, w \in \cells(u, h, NULL) && z -u+-> w ==> z -n+-> w`, or the same of single links:
/// `\forall z; z \in \cells(u, h, NULL) && z->u != NULL ==> z -n+-> z->u`.
fn level_of(vocabulary: &dyn Vocabulary, clause: &Formula) -> Option<Level> {
    let mut bound = Vec::new();
    let mut body = clause;
    while let Formula::Forall(binder, inner) = body {
        bound.push(binder.id);
        body = inner;
    }
    let Formula::Implies(guard, conclusion) = body else { return None };
    let Formula::Reach { field, at: At::Now, from: Term::Bound(z), to, plus: true } = &**conclusion else {
        return None;
    };
    let lower = vocabulary.colour(*field)?;
    let guards = parts(guard);
    let (root, upper) = guards.iter().find_map(|g| member_of(vocabulary, g, *z))?;
    let is_up = |f| vocabulary.colour(f) == Some(upper);
    let is_z = |t: &Term| *t == Term::Bound(*z);
    let said = match to {
        Term::Bound(w) if bound.len() == 2 && w != z => {
            guards.iter().all(|g| match g {
                Formula::Reach { field, at: At::Now, from, to, plus: true } => {
                    is_up(*field) && is_z(from) && *to == Term::Bound(*w)
                }
                g => [*z, *w].iter().any(|b| member_of(vocabulary, g, *b) == Some((root, upper))),
            }) && guards.iter().any(|g| matches!(g, Formula::Reach { plus: true, .. }))
        }
        Term::Field(f, At::Now, of) if bound.len() == 1 && is_up(*f) && is_z(of) => {
            let is_link = |t: &Term| t == to;
            guards.iter().all(|g| match g {
                Formula::Compare(Cmp::Ne, t, Term::Null(_)) => is_link(t) || is_z(t),
                g => member_of(vocabulary, g, *z) == Some((root, upper)),
            }) && guards
                .iter()
                .any(|g| matches!(g, Formula::Compare(Cmp::Ne, t, Term::Null(_)) if is_link(t)))
        }
        _ => false,
    };
    (said && bound.contains(z) && upper != lower).then_some(Level { root, upper, lower })
}

/// Root and colour of the list that a bound variable is said to be on.
fn member_of(vocabulary: &dyn Vocabulary, guard: &Formula, z: BoundId) -> Option<(VarIx, u8)> {
    let Formula::In(Term::Bound(member), Set::Cells(field, At::Now, from, to)) = guard else { return None };
    match (&**from, &**to) {
        (Term::Var(v, at), Term::Null(_)) if *member == z => {
            Some((vocabulary.label(*v, *at)?, vocabulary.colour(*field)?))
        }
        _ => None,
    }
}

/// Patterns that cover all states in which the formula does not hold, if those of `lists` are forbidden too: paths
/// from these labels along these colours that do not end in null.
pub fn negation_over(
    vocabulary: &dyn Vocabulary,
    formula: &Formula,
    lists: &[(VarIx, u8)],
) -> Result<Vec<Pattern>, String> {
    let mut out = Vec::new();
    for part in parts(formula) {
        let known = |l: &Level| [l.upper, l.lower].iter().all(|c| lists.contains(&(l.root, *c)));
        match level_of(vocabulary, part).filter(known) {
            Some(level) => {
                let broken = broken_level(level, vocabulary.rules().colours);
                out.extend(broken.map(|signature| Pattern { signature, exact: true }));
            }
            None => out.extend(negation(vocabulary, part)?),
        }
    }
    Ok(out)
}

/// [`negation_over`] the lists among the formula's own conjuncts.
pub fn negation_of(vocabulary: &dyn Vocabulary, formula: &Formula) -> Result<Vec<Pattern>, String> {
    negation_over(vocabulary, formula, &ending_lists(vocabulary, formula))
}

/// Covers all heaps in which both lists end in null and the level is not in order.
fn broken_level(level: Level, colours: usize) -> [Signature; 2] {
    let (u, n) = (level.upper + 1, level.lower + 1);
    let other = if level.root == 0 { 1 } else { 0 };
    let read = |text: String| pattern(&text, level.root, other, colours);
    [read(format!("h@z, z -{u}-> w, z -{n}-> #")), read(format!("h@a, a -{u}-> z, z -{u}-> w, z -{n}-> #"))]
}
