//! Which variables have a value where: a variable that is read before it is certainly assigned, or after a havoc
//! without an assignment, makes a run depend on what nobody wrote. A temporary that only carries an arbitrary value
//! into a field or an element ([`carriers`]) is not read by that: the place has no value afterwards.

use super::cfg::{Program, Question};
use super::command::{Check, Command};
use super::decl::{VarId, VarKind};
use super::expr::Expr;
use super::formula::{At, Term};
use super::walk::{self, Part};

/// Variables times locations; where there are more, any variable may be read before it is assigned.
const MAX_TABLE: usize = 1 << 26;

/// The first variable that may be read before it is assigned when nothing is assigned at the entry.
#[must_use]
pub fn uninitialised_read(program: &Program, question: &Question) -> Option<VarId> {
    if (program.locations as usize).saturating_mul(program.vars.len()) > MAX_TABLE {
        return Some(VarId(0));
    }
    let assigned = certainly_assigned(program, |v| program.vars[v].ty.element().is_some());
    let carriers = carriers(program);
    let bad = |place: &Option<Vec<bool>>, reads: Vec<VarId>| {
        let known = place.as_ref()?;
        reads.into_iter().find(|v| !known[v.index()])
    };
    for edge in &program.edges {
        let mut read = reads(&edge.command);
        read.retain(|v| !carriers[v.index()]);
        let found = bad(&assigned[edge.from.index()], read);
        if found.is_some() {
            return found;
        }
    }
    for l in program.loops.iter().filter(|_| question.asks(Check::Asserts)) {
        let mut vars = Vec::new();
        l.invariants.iter().for_each(|c| walk::formula(&c.formula, &mut |p| vars.extend(variable(p))));
        let found = bad(&assigned[l.head.index()], vars);
        if found.is_some() {
            return found;
        }
    }
    let mut vars = Vec::new();
    for clause in program.contracts.get(question.contract).into_iter().flat_map(|c| &c.ensures) {
        walk::formula(&clause.formula, &mut |p| vars.extend(variable(p)));
    }
    bad(&assigned[program.exit.index()], vars)
}

/// By location and variable: whether it is assigned on every path from the entry, where some are; nothing for locations
/// that no path leads to. Elements of arrays are not tracked.
#[must_use]
pub fn certainly_assigned(program: &Program, at_entry: impl Fn(usize) -> bool) -> Vec<Option<Vec<bool>>> {
    let mut assigned: Vec<Option<Vec<bool>>> = vec![None; program.locations as usize];
    assigned[program.entry.index()] = Some((0..program.vars.len()).map(at_entry).collect());
    let successors = program.successors();
    let mut work = vec![program.entry];
    while let Some(location) = work.pop() {
        let Some(before) = assigned[location.index()].clone() else { continue };
        for edge in &successors[location.index()] {
            let edge = &program.edges[edge.index()];
            let mut after = before.clone();
            if let Some(x) = assigned_by(&edge.command) {
                // What a havoc leaves is as good as nothing.
                after[x.index()] = !matches!(edge.command, Command::Havoc(_));
            }
            let to = &mut assigned[edge.to.index()];
            let merged = match to {
                None => after,
                Some(old) => old.iter().zip(&after).map(|(a, b)| *a && *b).collect(),
            };
            if to.as_ref() != Some(&merged) {
                *to = Some(merged);
                work.push(edge.to);
            }
        }
    }
    assigned
}

/// Temporaries that only ever hold what a havoc left, and are only stored as they are; by variable.
#[must_use]
pub fn carriers(program: &Program) -> Vec<bool> {
    let mut out: Vec<bool> = program.vars.iter().map(|v| v.kind == VarKind::Temp).collect();
    for edge in &program.edges {
        let command = &edge.command;
        if let Some(x) = assigned_by(command)
            && !matches!(command, Command::Havoc(_))
        {
            out[x.index()] = false;
        }
        let mut read = reads(command);
        if let Command::Store { value: Expr::Var(v), .. } | Command::StoreElement { value: Expr::Var(v), .. } =
            command
            && let Some(at) = read.iter().position(|r| r == v)
        {
            read.remove(at);
        }
        read.into_iter().for_each(|v| out[v.index()] = false);
    }
    out
}

/// The variable that a command gives a value.
#[must_use]
pub fn assigned_by(command: &Command) -> Option<VarId> {
    match command {
        Command::Assign(x, _) | Command::Havoc(x) => Some(*x),
        Command::Load { to, .. } | Command::LoadElement { to, .. } | Command::Alloc { to, .. } => Some(*to),
        _ => None,
    }
}

fn variable(part: Part<'_>) -> Option<VarId> {
    match part {
        // The value at entry of what is not initialised there is not initialised either; it is read as well.
        Part::Term(Term::Var(v, At::Now | At::Entry | At::Label(_))) => Some(*v),
        _ => None,
    }
}

/// The variables whose values a command uses.
#[must_use]
pub fn reads(command: &Command) -> Vec<VarId> {
    let mut out = Vec::new();
    walk::expressions(command, &mut |e| {
        if let Expr::Var(v) = e {
            out.push(*v);
        }
    });
    walk::command(command, &mut |p| out.extend(variable(p)));
    match command {
        Command::Load { from: x, .. }
        | Command::Store { to: x, .. }
        | Command::Free(x)
        | Command::Release(x) => {
            out.push(*x);
        }
        _ => {}
    }
    out
}
