//! What the logic takes for granted, said in the annotation language: chains end, and what is reached is allocated.
//!
//! With it the invariant that is printed can be proved where heaps may be cyclic. Where there are several link fields,
//! what is said of the variables alone may not be inductive (the end of a chain of `prev` is lost when a variable
//! follows `next`), so it is also said of all that another field leads to; [`super::exact::settled`] keeps what can
//! be proved.

use super::Engine;
use super::regular;
use super::signature::{Name, Role};
use super::system::{Plan, System};
use crate::program::{At, Binder, BoundId, Command, FieldId, Formula, Term, VarKind};

impl Engine<'_> {
    /// What the logic takes for granted at a loop head: the chains from its pointers end in null, and where
    /// allocation is not tracked, all that is reached is allocated.
    pub(super) fn chains(&self, plan: &Plan<'_>, system: &System, cut: usize) -> Vec<Formula> {
        let (program, layout) = (self.program, plan.layout);
        let requires = &program.contracts[self.question.contract].requires;
        let location = system.cuts[cut].location;
        let live = plan.live.at(location);
        let links = (0..program.fields.len() as u32).map(FieldId).filter(|f| self.is_loaded(*f)).count();
        let mut out = Vec::new();
        for at in 0..program.fields.len() {
            let (id, field) = (FieldId(at as u32), &program.fields[at]);
            let (Role::Link(_), true) = (layout.role(id), field.is_link()) else { continue };
            let everywhere = requires.iter().find(|clause| regular::everywhere(&clause.formula, id));
            out.extend(everywhere.map(|clause| clause.formula.clone()));
            for name in &layout.names {
                let (v, var, from) = match *name {
                    Name::Var(v) => (v, Term::Var(v, At::Now), location),
                    Name::Earlier(v, At::Entry) => (v, Term::Var(v, At::Entry), program.entry),
                    _ => continue,
                };
                let of_kind = program.vars[v.index()].ty.pointee() == Some(field.owner);
                let ends = || regular::is_ending(program, self.question, id, v, from);
                if !of_kind || !live.contains(name) || !ends() {
                    continue;
                }
                let is_raw = plan.raw.at(location).any(|entry| entry == (v, id));
                if is_raw && from == location {
                    continue;
                }
                if everywhere.is_none() {
                    let (from, to) = (var.clone(), Term::Null(field.owner));
                    out.push(Formula::Reach { field: id, at: At::Now, from, to, plus: false });
                }
                // What another field leads to is allocated as well, but not by this field's chains alone.
                let alone = links == 1 && self.is_loaded(id);
                if alone && !layout.config.alloc && program.vars[v.index()].kind != VarKind::Logic {
                    out.push(Formula::Stable(id, At::Now, var));
                }
            }
        }
        out
    }

    /// The same of the cells that another field leads to: their chains end too.
    pub(super) fn crossed(&self, plan: &Plan<'_>, system: &System, cut: usize) -> Vec<Formula> {
        let (program, layout) = (self.program, plan.layout);
        let links: Vec<FieldId> = (0..program.fields.len() as u32)
            .map(FieldId)
            .filter(|&f| matches!(layout.role(f), Role::Link(_)) && program.fields[f.index()].is_link())
            .collect();
        let live = plan.live.at(system.cuts[cut].location);
        let mut out = Vec::new();
        for name in layout.names.iter().filter(|name| live.contains(*name)) {
            let Name::Var(v) = *name else { continue };
            for (&along, &field) in links.iter().flat_map(|f| links.iter().map(move |g| (f, g))) {
                let of = program.fields[field.index()].owner;
                let is_same_kind = along != field && program.fields[along.index()].owner == of;
                if !is_same_kind || program.vars[v.index()].ty.pointee() != Some(of) {
                    continue;
                }
                // Above the bound variables of clauses.
                let id = BoundId(program.bounds + (1 << 13));
                let reach = |field, from, to| Formula::Reach { field, at: At::Now, from, to, plus: false };
                let reached = reach(along, Term::Var(v, At::Now), Term::Bound(id));
                let ends = reach(field, Term::Bound(id), Term::Null(of));
                let binder = Binder { id, name: "u".to_owned(), of: Some(of) };
                let body = Formula::Implies(Box::new(reached), Box::new(ends));
                out.push(Formula::Forall(binder, Box::new(body)));
            }
        }
        out
    }

    /// Whether code follows the pointer field.
    fn is_loaded(&self, field: FieldId) -> bool {
        let pointer = self.program.fields[field.index()].ty.pointee().is_some();
        let loads = |c: &Command| matches!(c, Command::Load { field: f, .. } if *f == field);
        pointer && self.program.edges.iter().any(|edge| loads(&edge.command))
    }
}
