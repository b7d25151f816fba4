//! Visits every part of formulas, terms, sets, expressions and commands.

use super::cfg::{Contract, Program};
use super::command::{Command, Target};
use super::decl::FieldId;
use super::expr::{Cond, Expr};
use super::formula::{Formula, Set, Term};

/// A part of a formula.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A subformula.
    Formula(&'a Formula),
    /// A subterm.
    Term(&'a Term),
    /// A set.
    Set(&'a Set),
}

/// A visitor of parts, parents before children.
pub type Visit<'v> = &'v mut dyn FnMut(Part<'_>);

/// The parts of a formula, itself included.
pub fn formula(f: &Formula, visit: Visit<'_>) {
    visit(Part::Formula(f));
    match f {
        Formula::Const(_) => {}
        Formula::Not(p) | Formula::Forall(_, p) | Formula::Exists(_, p) => formula(p, visit),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|p| formula(p, visit)),
        Formula::Implies(p, q) | Formula::Iff(p, q) => [p, q].into_iter().for_each(|p| formula(p, visit)),
        Formula::Compare(_, a, b)
        | Formula::Unshared(_, _, a, b)
        | Formula::Sorted(_, _, _, a, b)
        | Formula::Inverse(_, _, _, a, b)
        | Formula::ValidRange(_, a, b)
        | Formula::Reach { from: a, to: b, .. } => [a, b].into_iter().for_each(|t| term(t, visit)),
        Formula::Between(_, _, a, b, c) => [a, b, c].into_iter().for_each(|t| term(t, visit)),
        Formula::Valid(t, _)
        | Formula::Freed(t, _)
        | Formula::Fresh(t)
        | Formula::Stable(_, _, t)
        | Formula::Tree(_, _, _, t) => term(t, visit),
        Formula::Dlseg(_, _, _, ends) => ends.iter().for_each(|t| term(t, visit)),
        Formula::In(t, s) => {
            term(t, visit);
            set(s, visit);
        }
        Formula::Subset(a, b) | Formula::SameSet(a, b) => [a, b].into_iter().for_each(|s| set(s, visit)),
        Formula::Disjoint(sets) => sets.iter().for_each(|s| set(s, visit)),
    }
}

/// The parts of a term, itself included.
pub fn term(t: &Term, visit: Visit<'_>) {
    visit(Part::Term(t));
    match t {
        Term::Var(..) | Term::Bound(_) | Term::Null(_) | Term::Int(_) => {}
        Term::Field(_, _, inner) | Term::Index(_, _, inner) | Term::Neg(inner) => term(inner, visit),
        Term::Binary(_, a, b) => [a, b].into_iter().for_each(|t| term(t, visit)),
        Term::Ite(c, a, b) => {
            formula(c, visit);
            [a, b].into_iter().for_each(|t| term(t, visit));
        }
    }
}

/// The parts of a set, itself included.
pub fn set(s: &Set, visit: Visit<'_>) {
    visit(Part::Set(s));
    match s {
        Set::Cells(_, _, a, b) => [a, b].into_iter().for_each(|t| term(t, visit)),
        Set::Of(terms) => terms.iter().for_each(|t| term(t, visit)),
        Set::Pre(_, _, t) => term(t, visit),
        Set::Union(sets) | Set::Inter(sets) => sets.iter().for_each(|s| set(s, visit)),
        Set::Diff(a, b) => [a, b].into_iter().for_each(|s| set(s, visit)),
    }
}

/// The parts of a target.
pub fn target(t: &Target, visit: Visit<'_>) {
    match t {
        Target::Var(_) | Target::Everything => {}
        Target::Field(t, _) => term(t, visit),
        Target::Fields(s, _) => set(s, visit),
        Target::Range(_, lo, hi) => [lo, hi].into_iter().for_each(|t| term(t, visit)),
    }
}

/// The expressions of a command, themselves and their parts.
pub fn expressions(command: &Command, visit: &mut dyn FnMut(&Expr)) {
    match command {
        Command::Assign(_, e) | Command::Store { value: e, .. } | Command::LoadElement { index: e, .. } => {
            expr(e, visit)
        }
        Command::StoreElement { index, value, .. } => [index, value].into_iter().for_each(|e| expr(e, visit)),
        Command::Assume(c) => cond(c, visit),
        _ => {}
    }
}

/// An expression and its parts.
pub fn expr(e: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(e);
    match e {
        Expr::Var(_) | Expr::Null(_) | Expr::Int(_) => {}
        Expr::Neg(a) | Expr::BitNot(a) | Expr::Wrap(_, a) => expr(a, visit),
        Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| expr(e, visit)),
    }
}

/// The expressions of a condition.
pub fn cond(c: &Cond, visit: &mut dyn FnMut(&Expr)) {
    match c {
        Cond::Const(_) => {}
        Cond::Compare(_, a, b) => [a, b].into_iter().for_each(|e| expr(e, visit)),
        Cond::Not(inner) => cond(inner, visit),
        Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| cond(p, visit)),
    }
}

/// The parts of the formulas and targets in a command.
pub fn command(c: &Command, visit: Visit<'_>) {
    match c {
        Command::Suppose(f) | Command::Assert { formula: f, .. } => formula(f, visit),
        Command::Scramble { targets, .. } => targets.iter().for_each(|t| target(t, visit)),
        _ => {}
    }
}

/// The parts of a contract.
pub fn contract(c: &Contract, visit: Visit<'_>) {
    c.requires.iter().chain(&c.ensures).for_each(|clause| formula(&clause.formula, visit));
    c.assigns.iter().flatten().for_each(|t| target(t, visit));
}

/// The parts of everything a run evaluates: commands, invariants and one contract.
pub fn program(p: &Program, asked: usize, visit: Visit<'_>) {
    p.contracts.get(asked).into_iter().for_each(|c| contract(c, visit));
    p.loops.iter().flat_map(|l| &l.invariants).for_each(|clause| formula(&clause.formula, visit));
    p.edges.iter().for_each(|e| command(&e.command, visit));
}

/// The fields that one part names itself.
pub fn fields(part: Part<'_>, take: &mut dyn FnMut(FieldId)) {
    match part {
        Part::Term(Term::Field(f, ..))
        | Part::Set(Set::Cells(f, ..) | Set::Pre(f, ..))
        | Part::Formula(
            Formula::Reach { field: f, .. }
            | Formula::Between(f, ..)
            | Formula::Stable(f, ..)
            | Formula::Unshared(f, ..),
        ) => take(*f),
        Part::Formula(
            Formula::Sorted(f, g, ..)
            | Formula::Inverse(f, g, ..)
            | Formula::Dlseg(f, g, ..)
            | Formula::Tree(f, g, ..),
        ) => {
            take(*f);
            take(*g);
        }
        _ => {}
    }
}
