//! Which variables may still be read: what is known of the others is forgotten.

use super::path::heap_free;
use crate::program::{Command, Edge, Expr, LocationId, Program, Term, VarId, VarKind, walk};
use crate::util::hash::Set;

/// Variables whose value may still be read, by location; globals are read at the exit, and what keeps
/// cells at sweeps, if leaks count.
pub(super) fn liveness(program: &Program, leaks: bool) -> Vec<Set<VarId>> {
    let mut live: Vec<Set<VarId>> = vec![Set::default(); program.locations as usize];
    if leaks {
        for at in program.sweeps.iter().map(|s| s.at).chain([program.exit]) {
            live[at.index()] = roots_at(program, at);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for edge in program.edges.iter().rev() {
            let mut here = live[edge.to.index()].clone();
            if let Command::Assign(x, _)
            | Command::Load { to: x, .. }
            | Command::Alloc { to: x, .. }
            | Command::Havoc(x) = &edge.command
            {
                here.remove(x);
            }
            reads(&edge.command, &mut here);
            let at = &mut live[edge.from.index()];
            let before = at.len();
            at.extend(here);
            changed |= at.len() != before;
        }
    }
    live
}

/// The variables through which cells are kept at the exit or at a sweep.
pub(super) fn roots_at(program: &Program, at: LocationId) -> Set<VarId> {
    let lasting = |i: &usize| matches!(program.vars[*i].kind, VarKind::Global | VarKind::Result);
    let lasting = (0..program.vars.len()).filter(lasting).map(|i| VarId(i as u32));
    let sweeps = program.sweeps.iter().filter(|s| s.at == at);
    lasting.chain(sweeps.flat_map(|s| s.roots.iter().filter_map(root_variable))).collect()
}

/// The program with fewer roots, if there are roots that can be spared: variables that are not read any more. What is
/// proved of it is proved of the program, and what need not be tracked is cheap.
///
/// At a loop head a cell that only such a variable keeps is not freed any more, so it is mostly lost at the end too. From
/// a place where a run can only end, the variables count that would be read if it did not.
pub(super) fn with_fewer_roots(program: &Program) -> Option<Program> {
    let live = liveness(program, false);
    let goes_on = reaching(program, &[program.exit]);
    let mut slim = program.clone();
    for sweep in &mut slim.sweeps {
        let mut needed = live[sweep.at.index()].clone();
        if !goes_on[sweep.at.index()] {
            let leads = reaching(program, &[sweep.at]);
            let turns = |e: &&Edge| leads[e.to.index()] && !goes_on[e.to.index()] && goes_on[e.from.index()];
            let mut turns = program.edges.iter().filter(turns).peekable();
            if turns.peek().is_none() {
                continue;
            }
            turns.for_each(|e| needed.extend(&live[e.from.index()]));
        }
        sweep.roots.retain(|root| root_variable(root).is_some_and(|v| needed.contains(&v)));
    }
    (slim != *program).then_some(slim)
}

/// By location: whether a path leads from there to one of these.
fn reaching(program: &Program, to: &[LocationId]) -> Vec<bool> {
    let predecessors = program.predecessors();
    let mut out = vec![false; program.locations as usize];
    let mut work = to.to_vec();
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut out[at.index()], true) {
            work.extend(predecessors[at.index()].iter().map(|e| program.edges[e.index()].from));
        }
    }
    out
}

/// The variable through which a root of a sweep keeps cells.
fn root_variable(root: &Term) -> Option<VarId> {
    match root {
        Term::Var(v, _) => Some(*v),
        Term::Field(_, _, of) => root_variable(of),
        _ => None,
    }
}

/// Adds the variables that a command reads.
fn reads(command: &Command, into: &mut Set<VarId>) {
    if let Command::Load { from: x, .. } | Command::Store { to: x, .. } | Command::Free(x) = command {
        into.insert(*x);
    }
    let mut add = |e: &Expr| {
        if let Expr::Var(v) = e {
            into.insert(*v);
        }
    };
    walk::expressions(command, &mut add);
    if let Command::Assert { formula, .. } = command
        && let Some(cond) = heap_free(formula)
    {
        walk::cond(&cond, &mut add);
    }
}
