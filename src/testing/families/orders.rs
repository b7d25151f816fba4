//! EPR families: a total order, and the forest order that stands for reachability along lists.

use crate::frontend::smtlib::Status;
use crate::logic::{FuncId, SortId, TermId};
use crate::testing::families::Instance;
use crate::testing::families::draft::Draft;

/// Reflexive, transitive, antisymmetric; and total, or linear above each element only.
fn order(draft: &mut Draft, total: bool) -> (SortId, FuncId) {
    let sort = draft.sort("Elem");
    let le = draft.fun("le", &[sort, sort], SortId::BOOL);
    let [x, y, z] = ["x", "y", "z"].map(|name| draft.variable(name, sort));
    let xx = draft.app(le, &[x, x]);
    let [xy, yx, yz, zy, xz] = [(x, y), (y, x), (y, z), (z, y), (x, z)].map(|(a, b)| draft.app(le, &[a, b]));
    let same = draft.eq(x, y);
    draft.axiom(&[x], &[], &[xx]);
    draft.axiom(&[x, y, z], &[xy, yz], &[xz]);
    draft.axiom(&[x, y], &[xy, yx], &[same]);
    if total {
        draft.axiom(&[x, y], &[], &[xy, yx]);
    } else {
        draft.axiom(&[x, y, z], &[xy, xz], &[yz, zy]);
    }
    (sort, le)
}

/// A cycle of `n` strict steps in a total order: unsatisfiable.
pub(super) fn cycle(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (sort, le) = order(&mut draft, true);
    let c = draft.constants("c", n + 1, sort);
    for (i, &from) in c.iter().enumerate() {
        let to = c[(i + 1) % c.len()];
        let step = draft.app(le, &[from, to]);
        let same = draft.eq(from, to);
        draft.add(step);
        draft.deny(same);
    }
    draft.finish(Status::Unsat)
}

fn different(mut draft: Draft, c: &[TermId]) -> Instance {
    let different = draft.distinct(c);
    draft.add(different);
    draft.finish(Status::Sat)
}

/// `n` different elements of a total order, in no given order: satisfiable.
pub(super) fn open(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (sort, _) = order(&mut draft, true);
    let c = draft.constants("c", n, sort);
    different(draft, &c)
}

/// `n` different elements above one element of a forest: satisfiable.
pub(super) fn forest(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (sort, le) = order(&mut draft, false);
    let c = draft.constants("c", n + 1, sort);
    for &other in &c[1..] {
        let above = draft.app(le, &[c[0], other]);
        draft.add(above);
    }
    different(draft, &c)
}
