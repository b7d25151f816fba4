//! Where a field is the same as at an earlier moment, whatever path was taken: no command on the way wrote it.
//! There both are one matrix, and nothing has to be found out about how they relate.

use crate::program::{At, Command, FieldId, Program};

/// By location: whether the field is as it was at the moment.
pub(super) fn since(program: &Program, field: FieldId, moment: At) -> Vec<bool> {
    // Optimistic; an edge that does not keep it, or comes from where it is not so, spoils its target.
    let mut same = vec![true; program.locations as usize];
    same[program.entry.index()] = moment == At::Entry;
    loop {
        let mut changed = false;
        for edge in &program.edges {
            let after = match &edge.command {
                Command::Snapshot(label) if moment == At::Label(*label) => true,
                Command::Store { field: written, .. } if *written == field => false,
                Command::Alloc { zeroed: true, .. } | Command::Scramble { .. } => false,
                _ => same[edge.from.index()],
            };
            if !after && same[edge.to.index()] {
                same[edge.to.index()] = false;
                changed = true;
            }
        }
        if !changed {
            return same;
        }
    }
}
