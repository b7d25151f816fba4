//! Havocs whose value nobody reads: the variable is assigned again before it is looked at, on every way. Which value such
//! a havoc yields makes no difference to a run, so a search need not try them all (a C declaration without initialiser
//! is a havoc, and nearly all of them are of this kind).
//!
//! Only locals and temporaries count. What a formula says of another moment than now is taken to be read everywhere; what
//! `track` mentions is read at the loop heads, so that what is shown there does not depend on this.

use super::cfg::Program;
use super::command::Command;
use super::decl::{EdgeId, LocationId, VarId, VarKind};
use super::formula::{At, Formula, Term};
use super::initialised::{assigned_by, reads};
use super::walk::{self, Part};
use crate::util::hash::Set;

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
    let places = Places::of(program);
    left.sort_by_key(|(_, x)| *x);
    for group in left.chunk_by(|a, b| a.1 == b.1) {
        let read = places.read_before_assigned(program, group[0].1);
        for &(i, _) in group {
            out[i] = read.as_ref().is_some_and(|at| !at.contains(&program.edges[i].to));
        }
    }
    out
}

/// Where variables are read.
struct Places {
    /// By variable: where it is read now.
    read: Vec<Vec<LocationId>>,
    /// By variable: it is read at another moment.
    later: Vec<bool>,
    /// By location: the edges that lead to it.
    into: Vec<Vec<EdgeId>>,
}

impl Places {
    fn of(program: &Program) -> Places {
        let mut places = Places {
            read: vec![Vec::new(); program.vars.len()],
            later: vec![false; program.vars.len()],
            into: program.predecessors(),
        };
        for l in &program.loops {
            let invariants = l.invariants.iter().map(|c| &c.formula);
            let tracks = program.tracks.iter().map(|t| &t.clause.formula);
            invariants.chain(tracks).for_each(|formula| places.formula(formula, l.head));
        }
        for clause in program.contracts.iter().flat_map(|c| c.requires.iter().chain(&c.ensures)) {
            places.formula(&clause.formula, program.exit);
        }
        for sweep in &program.sweeps {
            sweep.roots.iter().for_each(|root| walk::term(root, &mut |part| places.note(part, sweep.at)));
        }
        for edge in &program.edges {
            walk::command(&edge.command, &mut |part| {
                if let Part::Term(Term::Var(v, when)) = part {
                    places.later[v.index()] |= *when != At::Now;
                }
            });
            reads(&edge.command).into_iter().for_each(|v| places.read[v.index()].push(edge.from));
        }
        places
    }

    fn formula(&mut self, formula: &Formula, at: LocationId) {
        walk::formula(formula, &mut |part| self.note(part, at));
    }

    fn note(&mut self, part: Part<'_>, at: LocationId) {
        if let Part::Term(Term::Var(v, when)) = part {
            self.read[v.index()].push(at);
            self.later[v.index()] |= *when != At::Now;
        }
    }

    /// The locations from which the variable may be read before it is assigned; nothing if it is read at another moment.
    fn read_before_assigned(&self, program: &Program, x: VarId) -> Option<Set<LocationId>> {
        if self.later[x.index()] {
            return None;
        }
        let mut at: Set<LocationId> = Set::default();
        let mut work = self.read[x.index()].clone();
        while let Some(location) = work.pop() {
            if !at.insert(location) {
                continue;
            }
            for edge in &self.into[location.index()] {
                let edge = &program.edges[edge.index()];
                if assigned_by(&edge.command) != Some(x) {
                    work.push(edge.from);
                }
            }
        }
        Some(at)
    }
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
