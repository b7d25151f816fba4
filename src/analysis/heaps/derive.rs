//! Object predicates that the contract's vocabulary suggests, where none is tracked.
//!
//! Along each link field of which the contract speaks: what a row reaches, or what reaches a row, whichever way round
//! the contract puts it (a list is what its head reaches, a tree is what reaches its root through the father); and the
//! sets of cells that the contract speaks of at the entry.

use super::signature::push;
use crate::program::walk::{self, Part};
use crate::program::wp::lemma;
use crate::program::{At, Binder, Cmp, Contract, Field, FieldId, Formula, Program, Set, StructId, Term};

/// The fields along which the contract says that an arbitrary cell reaches something.
fn followed_back(contract: &Contract) -> Vec<FieldId> {
    let (mut back, mut forth) = (Vec::new(), Vec::new());
    walk::contract(contract, &mut |part| {
        if let Part::Formula(Formula::Reach { field, from, to, .. }) = part {
            match (from, to) {
                (Term::Bound(_), Term::Var(..)) => back.push(*field),
                (Term::Var(..), _) => forth.push(*field),
                _ => {}
            }
        }
        if let Part::Set(Set::Cells(field, ..)) = part {
            forth.push(*field);
        }
    });
    back.retain(|f| !forth.contains(f));
    back
}

/// What the contract says of an arbitrary cell at the entry: sets it lies in, variables that it reaches or that reach it.
fn at_entry(contract: &Contract, of: FieldId, v: &Term) -> Vec<Formula> {
    let mut out = Vec::new();
    walk::contract(contract, &mut |part| match part {
        Part::Set(set @ Set::Cells(field, At::Entry, from, to))
            if *field == of
                && [from, to].iter().all(|t| matches!(***t, Term::Var(_, At::Entry) | Term::Null(_))) =>
        {
            push(&mut out, Formula::In(v.clone(), set.clone()));
        }
        Part::Formula(Formula::Reach { field, at: At::Entry, from: Term::Bound(_), to, plus })
            if *field == of && matches!(to, Term::Var(_, At::Entry)) =>
        {
            let (from, to) = (v.clone(), to.clone());
            push(&mut out, Formula::Reach { field: of, at: At::Entry, from, to, plus: *plus });
        }
        _ => {}
    });
    out
}

/// Predicates of a cell of a kind.
pub(super) fn objects(
    program: &Program,
    contract: &Contract,
    object: &Binder,
    of: StructId,
    rows: &[Term],
    out: &mut Vec<Formula>,
) {
    let back = followed_back(contract);
    let is_mine = |field: &Field| field.owner == of && field.is_link();
    let v = || Term::Bound(object.id);
    let is_cell = |t: Term| Formula::Compare(Cmp::Ne, t, Term::Null(of));
    let fields = lemma::followed(contract).into_iter().filter(|f| is_mine(&program.fields[f.index()]));
    let fields: Vec<FieldId> = fields.collect();
    for &field in &fields {
        for row in rows.iter().filter(|r| matches!(r, Term::Var(..))) {
            let is_back = back.contains(&field);
            let (from, to) = if is_back { (v(), row.clone()) } else { (row.clone(), v()) };
            let reached = Formula::Reach { field, at: At::Now, from, to, plus: false };
            let mut parts = vec![is_cell(v())];
            if is_back {
                // Every cell of a tree reaches null.
                parts.push(is_cell(row.clone()));
            }
            parts.push(reached);
            push(out, Formula::And(parts));
        }
    }
    for &field in &fields {
        for formula in at_entry(contract, field, &v()) {
            let guarded = match formula {
                Formula::Reach { ref to, .. } => {
                    Formula::And(vec![is_cell(v()), is_cell(to.clone()), formula.clone()])
                }
                other => other,
            };
            push(out, guarded);
        }
    }
}
