//! `assigns`: a store must be to a place that it names or to a new cell, an assignment to a global that it
//! names. That is stricter than the contract, which allows to write back what was there.
//!
//! Targets are read in the entry state, so that moment is written into their terms.

use super::occurs::assigned;
use super::symbolic::{Exec, Sym};
use crate::program::{At, Check, Command, FieldId, Formula, Set, Target, Term, VarId, VarKind};

impl Exec<'_> {
    /// The field of the cell may be written: `assigns` names it, or the cell is new.
    pub(super) fn check_assigns(&mut self, sym: &mut Sym, to: VarId, field: FieldId) {
        let Some(targets) = &self.layout.assigns else { return };
        let cell = Term::Var(to, At::Now);
        let mut allowed = Vec::new();
        for target in targets {
            match target {
                Target::Field(t, f) if *f == field => allowed.push(Formula::eq(cell.clone(), t.clone())),
                Target::Fields(set, f) if *f == field => allowed.push(Formula::In(cell.clone(), set.clone())),
                _ => {}
            }
        }
        if self.layout.config.alloc {
            allowed.push(Formula::Fresh(cell));
        }
        let name = &self.program.fields[field.index()].name;
        let message = format!("field `{name}` of a cell changes, which `assigns` does not allow");
        self.assert(sym, &Formula::Or(allowed), Check::Ensures, message);
    }

    /// A global may be assigned if `assigns` names it.
    pub(super) fn check_global(&mut self, sym: &mut Sym, command: &Command) {
        let (Some(targets), Some(x)) = (&self.layout.assigns, assigned(command)) else { return };
        let var = &self.program.vars[x.index()];
        if var.kind == VarKind::Global && !targets.contains(&Target::Var(x)) {
            let message = format!("`{}` changes, which `assigns` does not allow", var.name);
            self.fails(sym.heap.guard, Check::Ensures, message);
        }
    }
}

/// The target as it is read at the entry.
pub(super) fn target(target: &Target) -> Target {
    match target {
        Target::Var(v) => Target::Var(*v),
        Target::Field(t, field) => Target::Field(term(t), *field),
        Target::Fields(s, field) => Target::Fields(set(s), *field),
        Target::Range(v, lo, hi) => Target::Range(*v, term(lo), term(hi)),
        Target::Everything => Target::Everything,
    }
}

fn moment(at: At) -> At {
    if at == At::Now { At::Entry } else { at }
}

fn boxed(t: &Term) -> Box<Term> {
    Box::new(term(t))
}

fn term(t: &Term) -> Term {
    match t {
        Term::Var(v, at) => Term::Var(*v, moment(*at)),
        Term::Bound(_) | Term::Null(_) | Term::Int(_) => t.clone(),
        Term::Field(field, at, t) => Term::Field(*field, moment(*at), boxed(t)),
        Term::Index(v, at, t) => Term::Index(*v, moment(*at), boxed(t)),
        Term::Neg(t) => Term::Neg(boxed(t)),
        Term::Binary(op, a, b) => Term::Binary(*op, boxed(a), boxed(b)),
        // A choice inside `assigns` is not followed: a term that means nothing allows nothing.
        Term::Ite(_, a, b) => Term::Ite(Box::new(Formula::Const(true)), boxed(a), boxed(b)),
    }
}

fn set(s: &Set) -> Set {
    match s {
        Set::Cells(field, at, x, y) => Set::Cells(*field, moment(*at), boxed(x), boxed(y)),
        Set::Of(terms) => Set::Of(terms.iter().map(term).collect()),
        Set::Pre(field, at, t) => Set::Pre(*field, moment(*at), boxed(t)),
        Set::Union(sets) => Set::Union(sets.iter().map(set).collect()),
        Set::Inter(sets) => Set::Inter(sets.iter().map(set).collect()),
        Set::Diff(a, b) => Set::Diff(Box::new(set(a)), Box::new(set(b))),
    }
}

/// Whether the target contains a choice, which [`target`] does not follow.
pub(super) fn has_choice(target: &Target) -> bool {
    fn in_term(t: &Term) -> bool {
        match t {
            Term::Ite(..) => true,
            Term::Field(_, _, t) | Term::Index(_, _, t) | Term::Neg(t) => in_term(t),
            Term::Binary(_, a, b) => in_term(a) || in_term(b),
            Term::Var(..) | Term::Bound(_) | Term::Null(_) | Term::Int(_) => false,
        }
    }
    fn in_set(s: &Set) -> bool {
        match s {
            Set::Cells(_, _, x, y) => in_term(x) || in_term(y),
            Set::Of(terms) => terms.iter().any(in_term),
            Set::Pre(_, _, t) => in_term(t),
            Set::Union(sets) | Set::Inter(sets) => sets.iter().any(in_set),
            Set::Diff(a, b) => in_set(a) || in_set(b),
        }
    }
    match target {
        Target::Var(_) | Target::Everything => false,
        Target::Field(t, _) => in_term(t),
        Target::Fields(s, _) => in_set(s),
        Target::Range(_, lo, hi) => in_term(lo) || in_term(hi),
    }
}
