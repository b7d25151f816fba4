//! Which variables may still be read: what is known of the others is forgotten.

use super::path::heap_free;
use crate::program::{Command, Expr, Program, VarId, VarKind, walk};
use crate::util::hash::Set;

/// Variables whose value may still be read, by location; globals are read at the exit if leaks count.
pub(super) fn liveness(program: &Program, leaks: bool) -> Vec<Set<VarId>> {
    let mut live: Vec<Set<VarId>> = vec![Set::default(); program.locations as usize];
    if leaks {
        let globals = (0..program.vars.len()).filter(|&i| program.vars[i].kind == VarKind::Global);
        live[program.exit.index()] = globals.map(|i| VarId(i as u32)).collect();
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
