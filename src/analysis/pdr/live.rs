//! Which variables matter at each location: those that are read later, and those that the contract names
//! (a variable that is dead in the code may still be what an invariant hangs on).

use super::occurs::{Occurs, assigned};
use super::signature::{Name, Signature};
use crate::program::{At, LocationId, Program, Question, VarKind};
use crate::util::hash::Set;

/// The names that matter, by location.
pub(super) struct Live(Vec<Set<Name>>);

impl Live {
    pub(super) fn new(program: &Program, question: &Question, layout: &Signature) -> Live {
        let contract = &program.contracts[question.contract];
        let mut at: Vec<Set<Name>> = vec![Set::default(); program.locations as usize];
        let mut end = Occurs::default();
        contract.ensures.iter().for_each(|clause| end.formula(&clause.formula));
        at[program.exit.index()].extend(names(layout, &end));
        // Ghosts and what the contract says of the entry are the same all the way.
        let mut always: Set<Name> =
            layout.names.iter().copied().filter(|n| matches!(n, Name::Ghost(..) | Name::Number(_))).collect();
        let mut entry = Occurs::default();
        contract.requires.iter().for_each(|clause| entry.formula(&clause.formula));
        for name in names(layout, &entry).into_iter().chain(names(layout, &end)) {
            if let Name::Var(v) = name
                && matches!(program.vars[v.index()].kind, VarKind::Param | VarKind::Global | VarKind::Logic)
            {
                always.insert(name);
            }
        }
        let mut assigns = Occurs::default();
        layout.assigns.iter().flatten().for_each(|target| assigns.target(target));
        always.extend(names(layout, &assigns));
        for set in &mut at {
            set.extend(always.iter().copied());
        }
        for l in &program.loops {
            let mut invariants = Occurs::default();
            l.invariants.iter().for_each(|clause| invariants.formula(&clause.formula));
            at[l.head.index()].extend(names(layout, &invariants));
        }
        for track in &program.tracks {
            let mut occurs = Occurs::default();
            occurs.formula(&track.clause.formula);
            for l in
                program.loops.iter().enumerate().filter(|(i, _)| track.at.is_none_or(|at| at.index() == *i))
            {
                at[l.1.head.index()].extend(names(layout, &occurs));
            }
        }
        let reads: Vec<Vec<Name>> = program
            .edges
            .iter()
            .map(|edge| {
                let mut occurs = Occurs::default();
                occurs.command(&edge.command);
                names(layout, &occurs)
            })
            .collect();
        // Backwards until nothing is new; a snapshot makes the earlier values read the present ones.
        loop {
            let mut changed = false;
            for (edge, reads) in program.edges.iter().zip(&reads).rev() {
                let mut before: Vec<Name> = at[edge.to.index()].iter().copied().collect();
                if let Some(x) = assigned(&edge.command) {
                    before.retain(|name| *name != Name::Var(x) || always.contains(name));
                }
                if let crate::program::Command::Snapshot(label) = &edge.command {
                    for name in &mut before {
                        if let Name::Earlier(v, moment) = *name
                            && moment == At::Label(*label)
                        {
                            *name = Name::Var(v);
                        }
                    }
                }
                let set = &mut at[edge.from.index()];
                for name in before.into_iter().chain(reads.iter().copied()) {
                    changed |= set.insert(name);
                }
            }
            if !changed {
                break;
            }
        }
        Live(at).with_fields(program, layout)
    }

    /// Fields of what names hold matter at loop heads, where the names do.
    fn with_fields(mut self, program: &Program, layout: &Signature) -> Live {
        for l in &program.loops {
            let set = &mut self.0[l.head.index()];
            for name in &layout.names {
                if let Name::Next(base, _) = *name
                    && layout.name(base).is_some_and(|base| set.contains(&base))
                {
                    set.insert(*name);
                }
            }
        }
        self
    }

    pub(super) fn at(&self, location: LocationId) -> &Set<Name> {
        &self.0[location.index()]
    }
}

/// The names of the variables that occur.
fn names(layout: &Signature, occurs: &Occurs) -> Vec<Name> {
    let mut names: Vec<Name> =
        occurs.vars.iter().filter_map(|&(v, at)| layout.name(layout.slot(v, at)?)).collect();
    names.sort_unstable();
    names
}
