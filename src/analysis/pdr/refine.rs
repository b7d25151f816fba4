//! The abstraction of one attempt, and the next one to try when it is too weak.
//!
//! The first attempt has the paper's families. What a spurious trace adds, in this order: pairs of disjoint
//! lists and lists of one colour (`family`); universally quantified clauses, which need no predicates
//! (`universal`); fields of what variables hold, first those that the property
//! itself reads, then those that the code on the trace's way reads. Such a term is a name like a variable's,
//! so all families extend to it. A trace that leaves the logic by a cycle between two stores has the stores
//! taken in the other order.

use super::signature::{Name, Role, Signature};
use super::system::Plan;
use super::universal;
use crate::program::{Command, FieldId, Program};
use crate::util::hash::Set;
use crate::util::options;

/// What an attempt speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Abstraction {
    /// Only the families that the paper prints for the property.
    pub(super) paper: bool,
    /// Disjoint lists and lists of one colour.
    pub(super) wide: bool,
    /// Fields of what names hold.
    pub(super) terms: Vec<(Name, FieldId)>,
    /// Two stores that follow each other may be taken in the other order.
    pub(super) swapped: bool,
    /// Bound cells for universal clauses.
    pub(super) cells: usize,
    /// Not zero: the predicates are taken in an order drawn from it. Answers do not depend on it, time does.
    pub(super) seed: u64,
    /// What was added, for people.
    pub(super) added: Vec<String>,
}

impl Abstraction {
    /// What to try after a trace along these loop heads that is no run.
    pub(super) fn finer(&self, plan: &Plan<'_>, path: &[usize]) -> Option<Abstraction> {
        if self.paper {
            return None;
        }
        let mut next = self.clone();
        if !self.wide && self.cells == 0 {
            next.wide = true;
            next.added.push("disjoint lists and lists of one colour".to_string());
            return Some(next);
        }
        if self.cells == 0 && universal::is_possible(plan.program) {
            next.cells = universal::CELLS;
            next.added.push("universally quantified clauses instead of predicates".to_string());
            return Some(next);
        }
        let spoken = spoken(plan.layout);
        let followed = followed(plan, path);
        for terms in [spoken, followed] {
            let new: Vec<(Name, FieldId)> =
                terms.into_iter().filter(|term| !self.terms.contains(term)).collect();
            let pointers = usize::from(plan.layout.integers) - 1;
            if !new.is_empty() && pointers + new.len() <= options::PDR_NAMES.size() {
                next.added.extend(new.iter().map(|&(name, field)| words(plan.program, name, field)));
                next.terms.extend(new);
                return Some(next);
            }
        }
        None
    }

    /// What to try after a trace that closes a cycle.
    pub(super) fn reordered(&self, plan: &Plan<'_>) -> Option<Abstraction> {
        let pairs = plan.program.edges.iter().enumerate();
        let any = pairs.into_iter().any(|(at, _)| plan.store_after(at).is_some());
        if self.swapped || self.paper || !any {
            return None;
        }
        let mut next = self.clone();
        next.swapped = true;
        next.added.push("stores in the other order".to_string());
        Some(next)
    }
}

fn words(program: &Program, name: Name, field: FieldId) -> String {
    let field = &program.fields[field.index()].name;
    match name {
        Name::Var(v) => format!("{}->{field}", program.vars[v.index()].name),
        Name::Ghost(i, _) => format!("u{i}->{field}"),
        _ => field.clone(),
    }
}

/// Fields that formulas read.
fn spoken(layout: &Signature) -> Vec<(Name, FieldId)> {
    let mut out: Vec<(Name, FieldId)> = Vec::new();
    for &(v, field) in &layout.occurs.steps {
        out.push((Name::Var(v), field));
    }
    for (id, field) in &layout.occurs.bound_steps {
        let name = layout.bound.get(id).and_then(|slot| layout.name(*slot));
        out.extend(name.map(|name| (name, *field)));
    }
    out.retain(|term| matches!(layout.role(term.1), Role::Link(_)) && layout.slot_of(term.0).is_some());
    out.sort_unstable();
    out.dedup();
    out
}

/// Fields that the code between the loop heads of a trace reads.
fn followed(plan: &Plan<'_>, path: &[usize]) -> Vec<(Name, FieldId)> {
    let mut out = Vec::new();
    let mut heads: Vec<usize> = path.to_vec();
    heads.sort_unstable();
    heads.dedup();
    let mut seen: Set<u32> = Set::default();
    for cut in heads {
        for location in plan.between(cut) {
            for (at, edge) in plan.program.edges.iter().enumerate().filter(|(_, e)| e.from == location) {
                if !seen.insert(at as u32) {
                    continue;
                }
                if let Command::Load { from, field, .. } = edge.command
                    && matches!(plan.layout.role(field), Role::Link(_))
                    && plan.live.at(plan.head(cut)).contains(&Name::Var(from))
                {
                    out.push((Name::Var(from), field));
                }
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
