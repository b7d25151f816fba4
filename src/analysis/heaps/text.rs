//! Heaps as text: formulas of the annotation language, and one line per heap for people.

use super::boolean::{AtomLiteral, Atoms, Invariant, Object};
use super::signature::Signature;
use crate::program::rewrite::{Rewrite, same};
use crate::program::{Binder, Cmp, Formula, Program, Term, print};
use std::collections::BTreeSet;

/// A heap in one line: what holds of the rows, then the objects.
pub(super) fn draw(
    program: &Program,
    signature: &Signature,
    atoms: &Atoms,
    objects: &[BTreeSet<Object>],
) -> String {
    let atom = |i: usize| print::formula(program, &signature.atoms[i]);
    let known: Vec<String> = (0..atoms.len()).filter(|&i| atoms[i]).map(atom).collect();
    let mut cells = Vec::new();
    for (kind, objects) in signature.kinds.iter().zip(objects) {
        for object in objects {
            let holds = (0..kind.predicates.len()).filter(|i| object >> i & 1 == 1);
            let texts: Vec<String> =
                holds.map(|i| print::formula_under(program, &kind.object, &kind.predicates[i])).collect();
            cells.push(format!("[{}]", texts.join(", ")));
        }
    }
    format!("{}; cells: {}", known.join(", "), cells.join(" "))
}

fn cube(signature: &Signature, literals: &[AtomLiteral]) -> Formula {
    let literal = |&(i, truth): &AtomLiteral| {
        let atom = signature.atoms[i].clone();
        if truth { atom } else { atom.negate() }
    };
    Formula::all(literals.iter().map(literal))
}

/// Not all of the literals hold: what holds, if one does, implies what does not.
fn clause(signature: &Signature, literals: &[AtomLiteral]) -> Formula {
    let (holding, others): (Vec<AtomLiteral>, Vec<AtomLiteral>) = literals.iter().partition(|l| l.1);
    let conclusion = match others.as_slice() {
        [] => Formula::Const(false),
        [(i, _)] => signature.atoms[*i].clone(),
        several => Formula::Or(several.iter().map(|(i, _)| signature.atoms[*i].clone()).collect()),
    };
    match (holding.as_slice(), others.is_empty()) {
        ([], _) => conclusion,
        (holding, true) => cube(signature, holding).negate(),
        (holding, false) => Formula::Implies(Box::new(cube(signature, holding)), Box::new(conclusion)),
    }
}

/// An invariant in the annotation language, conjunct by conjunct.
pub(super) fn formulas_of(signature: &Signature, invariant: &Invariant) -> Vec<Formula> {
    let mut out: Vec<Formula> = invariant.units.iter().map(|&u| cube(signature, &[u])).collect();
    out.extend(invariant.excluded.iter().map(|c| clause(signature, c)));
    for universal in &invariant.universals {
        let kind = &signature.kinds[universal.kind];
        let mut parts = Vec::new();
        for (i, predicate) in kind.predicates.iter().enumerate() {
            if universal.mask >> i & 1 == 1 {
                let holds = universal.value >> i & 1 == 1;
                parts.push(if holds { predicate.clone().negate() } else { predicate.clone() });
            }
        }
        let all = indexed(&kind.object, &parts)
            .unwrap_or_else(|| Formula::Forall(kind.object.clone(), Box::new(Formula::Or(parts))));
        out.push(match universal.guard.as_slice() {
            [] => all,
            guard => Formula::Implies(Box::new(cube(signature, guard)), Box::new(all)),
        });
    }
    out
}

/// `forall j. guard(j) ==> rest(a[j])` for `forall v. (not exists j. guard(j) && a[j] == v) || rest(v)`.
///
/// The second form speaks of cells that an array holds, the first is what an index can be put into.
fn indexed(object: &Binder, parts: &[Formula]) -> Option<Formula> {
    let v = Term::Bound(object.id);
    for (at, part) in parts.iter().enumerate() {
        let Formula::Not(inner) = part else { continue };
        let Formula::Exists(index, body) = &**inner else { continue };
        let Formula::And(conjuncts) = &**body else { continue };
        let element = |f: &Formula| match f {
            Formula::Compare(Cmp::Eq, a, b) if *b == v && matches!(a, Term::Index(..)) => Some(a.clone()),
            Formula::Compare(Cmp::Eq, b, a) if *b == v && matches!(a, Term::Index(..)) => Some(a.clone()),
            _ => None,
        };
        let Some((place, by)) = conjuncts.iter().enumerate().find_map(|(i, f)| Some((i, element(f)?))) else {
            continue;
        };
        let terms = [(Term::Bound(object.id), by)];
        let rewrite = Rewrite { terms: &terms, at: &same };
        let guard =
            conjuncts.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, f)| rewrite.formula(f));
        let rest = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, f)| rewrite.formula(f));
        let body = Formula::Implies(Box::new(Formula::all(guard)), Box::new(Formula::Or(rest.collect())));
        return Some(Formula::Forall(index.clone(), Box::new(body)));
    }
    None
}
