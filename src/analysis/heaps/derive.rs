//! Object predicates that the contract's vocabulary suggests, where none is tracked.
//!
//! Along each link field of which the contract speaks: what a row reaches, or what reaches a row, whichever way round
//! the contract puts it (a list is what its head reaches, a tree is what reaches its root through the father); and the
//! sets of cells that the contract speaks of at the entry.

use super::live;
use super::signature::push;
use crate::program::walk::{self, Part};
use crate::program::wp::lemma;
use crate::program::{
    At, Binder, Cmp, Contract, Field, FieldId, Formula, Program, Set, StructId, Term, Type, VarId, VarKind,
};

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

/// Parameters that move while the postcondition speaks of where they started.
pub(super) fn moved(program: &Program, contract: &Contract) -> Vec<VarId> {
    let mut out = Vec::new();
    let mut note = |mut term: &Term| {
        // A field of its cell now is as good as the cell.
        while let Term::Field(_, At::Now, place) = term {
            term = place;
        }
        if let Term::Var(v, At::Entry) = term
            && program.vars[v.index()].ty.pointee().is_some()
            && !out.contains(v)
        {
            out.push(*v);
        }
    };
    for clause in &contract.ensures {
        walk::formula(&clause.formula, &mut |part| match part {
            Part::Formula(Formula::Compare(_, a, b)) => [a, b].into_iter().for_each(&mut note),
            part => start(part).into_iter().for_each(&mut note),
        });
    }
    out.retain(|v| live::is_written(program, *v));
    out
}

/// Where something that is followed now starts.
fn start(part: Part<'_>) -> Option<&Term> {
    match part {
        Part::Formula(
            Formula::Reach { at: At::Now, from, .. }
            | Formula::Sorted(_, _, At::Now, from, _)
            | Formula::Between(_, At::Now, from, ..),
        ) => Some(from),
        Part::Set(Set::Cells(_, At::Now, from, _)) => Some(from),
        _ => None,
    }
}

/// Parameters that the precondition speaks of and that nothing refers to any more: what they were given as. And where
/// the contract starts in a field of something that does not move: that field.
fn forgotten(program: &Program, contract: &Contract, of: StructId, rows: &[Term]) -> Vec<Term> {
    let mut out = Vec::new();
    walk::contract(contract, &mut |part| {
        if let Some(Term::Field(f, At::Now, owner)) = start(part)
            && let Term::Var(v, _) = **owner
            && program.fields[f.index()].ty == Type::Ptr(of)
            && program.fields[f.index()].owner != of
            && !live::is_written(program, v)
        {
            push_term(&mut out, Term::Field(*f, At::Now, Box::new(Term::Var(v, At::Now))));
        }
    });
    for clause in &contract.requires {
        walk::formula(&clause.formula, &mut |part| {
            if let Part::Term(Term::Var(v, At::Now)) = part {
                let var = &program.vars[v.index()];
                let is_row = rows.iter().any(|r| matches!(r, Term::Var(row, _) if row == v));
                let start = Term::Var(*v, At::Entry);
                let is_mine = var.kind == VarKind::Param && var.ty.pointee() == Some(of);
                if is_mine && !is_row {
                    push_term(&mut out, start);
                }
            }
        });
    }
    out
}

fn push_term(list: &mut Vec<Term>, term: Term) {
    if !list.contains(&term) {
        list.push(term);
    }
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
    let starts = forgotten(program, contract, of, rows);
    for &field in &fields {
        for row in rows.iter().filter(|r| matches!(r, Term::Var(..))).chain(&starts) {
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
