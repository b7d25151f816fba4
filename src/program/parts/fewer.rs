//! A program with fewer pointer variables: those that are never needed at the same time share one.
//!
//! Inlined functions and blocks bring variables of their own, and engines pay for each of them. A variable is needed
//! from where it gets a value to where it is used last; being a root of a sweep is a use. Two variables of one type
//! share one if neither is given a value where the other is needed.

use super::needs::{has, needed};
use crate::program::cfg::{Program, Question};
use crate::program::command::{Check, Command};
use crate::program::decl::{Type, VarId, VarKind};
use crate::program::expr::{Cond, Expr};
use crate::program::formula::{At, Term};
use crate::program::initialised::{assigned_by, reads};
use crate::program::rewrite::{Rewrite, same};

/// The program with fewer variables; their number in the list of declarations stays.
pub(super) fn with_fewer_variables(mut program: Program, question: &Question) -> Program {
    let shared = shared(&program, question.asks(Check::Leaks) || question.asks(Check::Garbage));
    let terms: Vec<(Term, Term)> = (0..)
        .zip(&shared)
        .filter(|(v, by)| *v != by.0)
        .map(|(v, by)| (Term::Var(VarId(v), At::Now), Term::Var(*by, At::Now)))
        .collect();
    if terms.is_empty() {
        return program;
    }
    let rewrite = Rewrite { terms: &terms, at: &same };
    for edge in &mut program.edges {
        rename(&mut edge.command, &shared, &rewrite);
    }
    for sweep in &mut program.sweeps {
        sweep.roots = sweep.roots.iter().map(|root| rewrite.term(root)).collect();
        sweep.roots.dedup();
    }
    program
}

fn rename(command: &mut Command, shared: &[VarId], rewrite: &Rewrite<'_>) {
    let by = |v: &mut VarId| *v = shared[v.index()];
    match command {
        Command::Assign(x, e) => {
            by(x);
            rename_expr(e, shared);
        }
        Command::Load { to, from, .. } => {
            by(to);
            by(from);
        }
        Command::Store { to, value, .. } => {
            by(to);
            rename_expr(value, shared);
        }
        Command::LoadElement { to, index, .. } => {
            by(to);
            rename_expr(index, shared);
        }
        Command::StoreElement { index, value, .. } => {
            rename_expr(index, shared);
            rename_expr(value, shared);
        }
        Command::Alloc { to: x, .. } | Command::Free(x) | Command::Release(x) | Command::Havoc(x) => by(x),
        Command::Assume(cond) => rename_cond(cond, shared),
        Command::Suppose(formula) | Command::Assert { formula, .. } => *formula = rewrite.formula(formula),
        Command::Skip | Command::Fail { .. } | Command::Snapshot(_) | Command::Scramble { .. } => {}
    }
}

fn rename_expr(e: &mut Expr, shared: &[VarId]) {
    match e {
        Expr::Var(v) => *v = shared[v.index()],
        Expr::Null(_) | Expr::Int(_) => {}
        Expr::Neg(a) | Expr::BitNot(a) | Expr::Wrap(_, a) => rename_expr(a, shared),
        Expr::Binary(_, a, b) => {
            rename_expr(a, shared);
            rename_expr(b, shared);
        }
    }
}

fn rename_cond(cond: &mut Cond, shared: &[VarId]) {
    match cond {
        Cond::Const(_) => {}
        Cond::Compare(_, a, b) => {
            rename_expr(a, shared);
            rename_expr(b, shared);
        }
        Cond::Not(inner) => rename_cond(inner, shared),
        Cond::And(parts) | Cond::Or(parts) => parts.iter_mut().for_each(|p| rename_cond(p, shared)),
    }
}

/// By variable, the one that it is from now on.
fn shared(program: &Program, leaks: bool) -> Vec<VarId> {
    let needed = needed(program, leaks);
    let count = program.vars.len();
    let mut conflicts = vec![vec![0u64; count.div_ceil(64)]; count];
    let mut used = vec![false; count];
    let mut conflict = |v: usize, with: &[u64]| {
        for (mine, theirs) in conflicts[v].iter_mut().zip(with) {
            *mine |= theirs;
        }
    };
    for edge in &program.edges {
        reads(&edge.command).into_iter().for_each(|v| used[v.index()] = true);
        if let Some(v) = assigned_by(&edge.command) {
            used[v.index()] = true;
            conflict(v.index(), &needed[edge.to.index()]);
        }
    }
    // What is needed before it gets a value has one from the start.
    let at_entry = &needed[program.entry.index()];
    (0..count).filter(|v| has(at_entry, *v)).for_each(|v| conflict(v, at_entry));
    let mut by: Vec<VarId> = (0..).take(count).map(VarId).collect();
    let mut colours: Vec<(usize, Vec<usize>)> = Vec::new();
    for v in 0..count {
        let var = &program.vars[v];
        let plain = matches!(var.kind, VarKind::Local | VarKind::Temp) && matches!(var.ty, Type::Ptr(_));
        if !plain || !used[v] {
            continue;
        }
        let free = |w: &usize| !has(&conflicts[v], *w) && !has(&conflicts[*w], v);
        let fits = |(first, members): &&mut (usize, Vec<usize>)| {
            program.vars[*first].ty == var.ty && members.iter().all(free)
        };
        match colours.iter_mut().find(fits) {
            Some((first, members)) => {
                by[v] = VarId(*first as u32);
                members.push(v);
            }
            None => colours.push((v, vec![v])),
        }
    }
    by
}
