//! Which variables' values are needed later.

use crate::program::cfg::Program;
use crate::program::decl::{LocationId, VarId};
use crate::program::formula::Term;
use crate::program::initialised::{assigned_by, reads};

/// Whether a variable is among those of the bits.
pub(super) fn has(bits: &[u64], v: usize) -> bool {
    bits[v / 64] >> (v % 64) & 1 == 1
}

fn add(bits: &mut [u64], v: VarId) {
    bits[v.index() / 64] |= 1 << (v.index() % 64);
}

/// By location, the variables that are used before they get another value, as bits. With `leaks`, being a root of a
/// sweep is a use.
pub(super) fn needed(program: &Program, leaks: bool) -> Vec<Vec<u64>> {
    let words = program.vars.len().div_ceil(64);
    let mut needed = vec![vec![0u64; words]; program.locations as usize];
    for sweep in program.sweeps.iter().filter(|_| leaks) {
        sweep.roots.iter().filter_map(root).for_each(|v| add(&mut needed[sweep.at.index()], v));
    }
    let predecessors = program.predecessors();
    let mut work: Vec<LocationId> = (0..program.locations).map(LocationId).collect();
    while let Some(at) = work.pop() {
        for edge in &predecessors[at.index()] {
            let edge = &program.edges[edge.index()];
            let mut here = needed[at.index()].clone();
            if let Some(v) = assigned_by(&edge.command) {
                here[v.index() / 64] &= !(1 << (v.index() % 64));
            }
            reads(&edge.command).into_iter().for_each(|v| add(&mut here, v));
            let before = &mut needed[edge.from.index()];
            if here.iter().zip(&*before).any(|(new, old)| new & !old != 0) {
                before.iter_mut().zip(&here).for_each(|(old, new)| *old |= new);
                work.push(edge.from);
            }
        }
    }
    needed
}

/// The variable through which a root of a sweep keeps cells.
fn root(root_term: &Term) -> Option<VarId> {
    match root_term {
        Term::Var(v, _) => Some(*v),
        Term::Field(_, _, of) => root(of),
        _ => None,
    }
}
