//! Relations between sets in postconditions as quantified formulas: `A == B` says of every cell that it is in
//! both or in neither. The quantifier then gets a ghost, over which the search can find invariants.

use crate::program::{Binder, BoundId, Formula, Program, Set, StructId, Term};

/// The program with the postconditions of one contract written so.
pub(super) fn postconditions(program: &Program, contract: usize) -> Program {
    let mut program = program.clone();
    let mut bounds = program.bounds;
    let fields: Vec<StructId> = program.fields.iter().map(|f| f.owner).collect();
    if let Some(contract) = program.contracts.get_mut(contract) {
        for clause in &mut contract.ensures {
            clause.formula = formula(&clause.formula, &fields, &mut bounds);
        }
    }
    program.bounds = bounds;
    program
}

fn formula(f: &Formula, owners: &[StructId], bounds: &mut u32) -> Formula {
    let mut all = |parts: &[Formula]| parts.iter().map(|p| formula(p, owners, bounds)).collect::<Vec<_>>();
    match f {
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Implies(p, q) => Formula::Implies(p.clone(), Box::new(formula(q, owners, bounds))),
        Formula::Forall(binder, body) => {
            Formula::Forall(binder.clone(), Box::new(formula(body, owners, bounds)))
        }
        Formula::SameSet(a, b) => each(f, &[a, b], owners, bounds, |u| {
            Formula::Iff(Box::new(Formula::In(u.clone(), a.clone())), Box::new(Formula::In(u, b.clone())))
        }),
        Formula::Subset(a, b) => each(f, &[a, b], owners, bounds, |u| {
            Formula::Implies(Box::new(Formula::In(u.clone(), a.clone())), Box::new(Formula::In(u, b.clone())))
        }),
        // Two whole lists: the logic has a predicate for that.
        Formula::Disjoint(sets)
            if matches!(&sets[..], [Set::Cells(f, s, _, x), Set::Cells(g, t, _, y)]
                if f == g && s == t && [x, y].iter().all(|end| matches!(***end, Term::Null(_)))) =>
        {
            Formula::Disjoint(sets.clone())
        }
        Formula::Disjoint(sets) => each(f, &sets.iter().collect::<Vec<_>>(), owners, bounds, |u| {
            let mut parts = Vec::new();
            for (i, a) in sets.iter().enumerate() {
                for b in &sets[..i] {
                    let both = vec![Formula::In(u.clone(), a.clone()), Formula::In(u.clone(), b.clone())];
                    parts.push(Formula::And(both).negate());
                }
            }
            Formula::And(parts)
        }),
        other => other.clone(),
    }
}

/// The formula for every cell, if it is known of which kind the sets are.
fn each(
    whole: &Formula,
    sets: &[&Set],
    owners: &[StructId],
    bounds: &mut u32,
    of: impl Fn(crate::program::Term) -> Formula,
) -> Formula {
    let Some(kind) = sets.iter().find_map(|set| kind(set, owners)) else { return whole.clone() };
    let id = BoundId(*bounds);
    *bounds += 1;
    let binder = Binder { id, name: format!("cell{}", id.0), of: Some(kind) };
    Formula::Forall(binder, Box::new(of(crate::program::Term::Bound(id))))
}

/// The struct of a set's cells, if a field tells it.
fn kind(set: &Set, owners: &[StructId]) -> Option<StructId> {
    match set {
        Set::Cells(field, ..) | Set::Pre(field, ..) => owners.get(field.index()).copied(),
        Set::Of(_) => None,
        Set::Union(sets) | Set::Inter(sets) => sets.iter().find_map(|s| kind(s, owners)),
        Set::Diff(a, b) => kind(a, owners).or_else(|| kind(b, owners)),
    }
}
