//! Which variables matter at a location: those that are read before they are assigned, those that outlive the
//! function, and those that a postcondition names.

use crate::program::walk::{self, Part};
use crate::program::{Command, Expr, Formula, LocationId, Program, Question, Term, VarId, VarKind};
use crate::util::hash::Set;

/// The variables of a formula.
pub(super) fn variables(formula: &Formula, out: &mut Set<VarId>) {
    walk::formula(formula, &mut |part| of_part(part, out));
}

fn of_part(part: Part<'_>, out: &mut Set<VarId>) {
    match part {
        Part::Term(Term::Var(v, _) | Term::Index(v, ..)) | Part::Formula(Formula::ValidRange(v, ..)) => {
            out.insert(*v);
        }
        _ => {}
    }
}

fn reads(command: &Command) -> Set<VarId> {
    let mut out = Set::default();
    walk::expressions(command, &mut |e| {
        if let Expr::Var(v) = e {
            out.insert(*v);
        }
    });
    walk::command(command, &mut |part| of_part(part, &mut out));
    match command {
        Command::Load { from: v, .. }
        | Command::Store { to: v, .. }
        | Command::LoadElement { array: v, .. }
        | Command::StoreElement { array: v, .. }
        | Command::Free(v)
        | Command::Release(v) => {
            out.insert(*v);
        }
        _ => {}
    }
    out
}

/// The variable that a command sets.
pub(super) fn writes(command: &Command) -> Option<VarId> {
    match command {
        Command::Assign(v, _)
        | Command::Load { to: v, .. }
        | Command::LoadElement { to: v, .. }
        | Command::Alloc { to: v, .. }
        | Command::Havoc(v) => Some(*v),
        _ => None,
    }
}

/// The variables that matter at each location.
pub(super) fn live(program: &Program, question: &Question) -> Vec<Set<VarId>> {
    let mut at: Vec<Set<VarId>> = vec![Set::default(); program.locations as usize];
    let mut end = Set::default();
    for clause in &program.contracts[question.contract].ensures {
        variables(&clause.formula, &mut end);
    }
    for (i, var) in program.vars.iter().enumerate() {
        if var.kind == VarKind::Global {
            end.insert(VarId(u32::try_from(i).unwrap_or(u32::MAX)));
        }
    }
    at[program.exit.index()] = end;
    for l in &program.loops {
        let head: &mut Set<VarId> = &mut at[l.head.index()];
        l.invariants.iter().for_each(|clause| variables(&clause.formula, head));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for edge in program.edges.iter().rev() {
            let mut before = at[edge.to.index()].clone();
            if let Some(v) = writes(&edge.command) {
                before.remove(&v);
            }
            before.extend(reads(&edge.command));
            let known = &mut at[edge.from.index()];
            let size = known.len();
            known.extend(before);
            changed |= known.len() != size;
        }
    }
    at
}

/// The variables that matter at some loop.
pub(super) fn carried(program: &Program, live: &[Set<VarId>]) -> Set<VarId> {
    program.loops.iter().flat_map(|l| &live[l.head.index()]).copied().collect()
}

/// Whether the function changes a variable.
pub(super) fn is_written(program: &Program, v: VarId) -> bool {
    program.edges.iter().any(|e| writes(&e.command) == Some(v))
}

/// The pointer variables among those at a location, in the order of their declaration.
pub(super) fn pointers(program: &Program, live: &[Set<VarId>], at: LocationId) -> Vec<VarId> {
    pointers_among(program, &live[at.index()])
}

/// The pointers among some variables, in the order of their declaration.
pub(super) fn pointers_among(program: &Program, vars: &Set<VarId>) -> Vec<VarId> {
    let ids = (0..program.vars.len()).map(|i| VarId(u32::try_from(i).unwrap_or(u32::MAX)));
    ids.filter(|v| program.vars[v.index()].ty.pointee().is_some() && vars.contains(v)).collect()
}
