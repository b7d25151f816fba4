//! New cells that are carried through a loop before a field of theirs is set.
//!
//! A field of a new cell holds anything, also what closes a cycle, so the logic cannot say what it reaches.
//! As long as nobody reads it that does not matter: a run with any value there does the same as a run of the
//! model, in which the chain of the field ends. Within a segment symbolic execution watches that nobody does
//! (`symbolic`). At a loop head it must be known which variable holds such a cell, the only pointer to it;
//! this analysis finds that: by location, the variables that hold a new cell whose field is not set on any
//! path, and that were never copied. Predicates that read the field of such a variable are left out there.

use super::occurs::{Occurs, assigned};
use crate::program::{Command, Expr, FieldId, LocationId, Program, Storage, VarId};
use std::collections::BTreeSet;

/// By location: variables with the fields of their cells that are not set yet.
pub(super) struct Raw(Vec<Option<BTreeSet<(VarId, FieldId)>>>);

impl Raw {
    pub(super) fn new(program: &Program) -> Raw {
        let mut at: Vec<Option<BTreeSet<(VarId, FieldId)>>> = vec![None; program.locations as usize];
        at[program.entry.index()] = Some(BTreeSet::new());
        // What is not reached yet claims everything; a path takes away what it does not have.
        loop {
            let mut changed = false;
            for edge in &program.edges {
                let Some(before) = &at[edge.from.index()] else { continue };
                let after = step(program, &edge.command, before.clone());
                let known = &mut at[edge.to.index()];
                let met = match known.as_ref() {
                    None => after,
                    Some(known) => known.intersection(&after).copied().collect(),
                };
                if known.as_ref() != Some(&met) {
                    *known = Some(met);
                    changed = true;
                }
            }
            if !changed {
                return Raw(at);
            }
        }
    }

    /// The variables and fields at a location.
    pub(super) fn at(&self, location: LocationId) -> impl Iterator<Item = (VarId, FieldId)> + '_ {
        self.0[location.index()].iter().flatten().copied()
    }
}

fn step(
    program: &Program,
    command: &Command,
    mut raw: BTreeSet<(VarId, FieldId)>,
) -> BTreeSet<(VarId, FieldId)> {
    match command {
        Command::Store { to, field, value } => {
            raw.remove(&(*to, *field));
            if let Expr::Var(v) = value {
                raw.retain(|entry| entry.0 != *v);
            }
        }
        // A comparison makes no copy, and neither does following or freeing.
        Command::Assume(_) | Command::Load { .. } | Command::Free(_) => {}
        other => {
            let mut read = Occurs::default();
            read.command(other);
            raw.retain(|entry| !read.vars.iter().any(|(v, _)| *v == entry.0));
        }
    }
    if let Some(x) = assigned(command) {
        raw.retain(|entry| entry.0 != x);
        if let (Command::Alloc { storage: Storage::Heap, zeroed: false, .. }, Some(kind)) =
            (command, program.vars[x.index()].ty.pointee())
        {
            let fields = program.structs[kind.index()].fields.iter().copied();
            raw.extend(fields.filter(|f| program.fields[f.index()].is_link()).map(|f| (x, f)));
        }
    }
    raw
}
