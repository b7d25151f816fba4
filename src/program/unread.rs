//! Havocs whose value nobody reads: the variable is assigned again before it is looked at, on every way. Which value such
//! a havoc yields makes no difference to a run, so a search need not try them all (a C declaration without initialiser
//! is a havoc, and nearly all of them are of this kind).
//!
//! Only locals and temporaries count. What a formula says of another moment than now is taken to be read everywhere; what
//! `track` mentions is read at the loop heads, so that what is shown there does not depend on this.

use super::cfg::Program;
use super::command::Command;
use super::decl::{EdgeId, VarId, VarKind};
use super::formula::{At, Formula, Term};
use super::initialised::{assigned_by, reads};
use super::walk::{self, Part};

/// The edges with such a havoc; by edge.
#[must_use]
pub fn unread_havocs(program: &Program) -> Vec<bool> {
    let mut out = vec![false; program.edges.len()];
    let mut left: Vec<(usize, VarId)> = Vec::new();
    for (i, edge) in program.edges.iter().enumerate() {
        if let Command::Havoc(x) = edge.command {
            let var = &program.vars[x.index()];
            let is_own = matches!(var.kind, VarKind::Local | VarKind::Temp);
            if is_own && var.ty.element().is_none() {
                left.push((i, x));
            }
        }
    }
    while let Some(&(_, x)) = left.last() {
        let read_at = is_read(program, x);
        for &(i, _) in left.iter().filter(|(_, y)| *y == x) {
            out[i] = read_at.as_ref().is_some_and(|at| !at[program.edges[i].to.index()]);
        }
        left.retain(|(_, y)| *y != x);
    }
    out
}

/// By location: whether the variable may be read from there on before it is assigned; nothing if it is read at another
/// moment than that.
fn is_read(program: &Program, x: VarId) -> Option<Vec<bool>> {
    let mut at = vec![false; program.locations as usize];
    let mut later = false;
    let mut mentions = |formula: &Formula| {
        let mut found = false;
        walk::formula(formula, &mut |part| {
            if let Part::Term(Term::Var(v, when)) = part
                && *v == x
            {
                found = true;
                later |= *when != At::Now;
            }
        });
        found
    };
    for l in &program.loops {
        let invariants = l.invariants.iter().map(|c| &c.formula);
        let tracks = program.tracks.iter().map(|t| &t.clause.formula);
        for formula in invariants.chain(tracks) {
            at[l.head.index()] |= mentions(formula);
        }
    }
    for clause in program.contracts.iter().flat_map(|c| c.requires.iter().chain(&c.ensures)) {
        at[program.exit.index()] |= mentions(&clause.formula);
    }
    for sweep in &program.sweeps {
        for root in &sweep.roots {
            walk::term(root, &mut |part| {
                at[sweep.at.index()] |= matches!(part, Part::Term(Term::Var(v, _)) if *v == x);
            });
        }
    }
    let mut by_target: Vec<Vec<EdgeId>> = vec![Vec::new(); program.locations as usize];
    let mut work = Vec::new();
    for (i, edge) in program.edges.iter().enumerate() {
        by_target[edge.to.index()].push(EdgeId(i as u32));
        walk::command(&edge.command, &mut |part| {
            if let Part::Term(Term::Var(v, when)) = part
                && *v == x
            {
                later |= *when != At::Now;
            }
        });
        at[edge.from.index()] |= reads(&edge.command).contains(&x);
    }
    if later {
        return None;
    }
    work.extend((0..at.len()).filter(|&l| at[l]));
    while let Some(location) = work.pop() {
        for edge in &by_target[location] {
            let edge = &program.edges[edge.index()];
            if assigned_by(&edge.command) != Some(x) && !at[edge.from.index()] {
                at[edge.from.index()] = true;
                work.push(edge.from.index());
            }
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::c;

    /// The variables none of whose havocs is read. (The lowering may havoc a variable twice, where its block begins and
    /// where it is declared; the first is always unread.)
    fn unread(text: &str) -> Vec<String> {
        let unit = c::load("t.c", text.as_bytes(), &c::Options::default());
        let program = unit.functions[0].program.as_ref().expect("lowered");
        let found = unread_havocs(program);
        let name = |e: &crate::program::Edge| match e.command {
            Command::Havoc(x) => Some(program.vars[x.index()].name.clone()),
            _ => None,
        };
        let havocs = || program.edges.iter().zip(&found).filter_map(|(e, unread)| Some((name(e)?, *unread)));
        let mut out: Vec<String> = havocs().map(|(name, _)| name).collect();
        out.retain(|x| havocs().all(|(name, unread)| unread || name != *x));
        out.sort_unstable();
        out.dedup();
        out
    }

    #[test]
    fn what_is_assigned_first_is_unread() {
        let text = "struct n { struct n *next; };
            /*@ requires \\true; ensures \\true; @*/
            int f(struct n *l, int c) {
              int a, b, d, e;
              struct n *p, *q, *r;
              a = 1;
              p = l;
              if (c) b = 2;
              d = a + b;
              /*@ track q == \\null; @*/
              while (p != 0) { r = p; p = r->next; }
              q = l;
              L: e = 3;
              /*@ assert \\at(e, L) == \\at(e, L); @*/
              return d + e;
            }";
        // b may be returned, q is tracked at the loop, e is read at a label.
        assert_eq!(unread(text), ["a", "d", "p", "r"]);
    }
}
