//! How conditions grow with the number of writes, branches and allocations.

use super::super::{conditions, conditions_by_need};
use crate::program::samples::{NEXT, NODE, PREV, Sample};
use crate::program::{At, Command, Cond, Expr, Formula, Program, Question, Storage, Term, VarId, VarKind};

fn list(v: VarId) -> Formula {
    let (from, to) = (Term::Var(v, At::Now), Term::Null(NODE));
    Formula::Reach { field: NEXT, at: At::Now, from, to, plus: false }
}

/// Writes to parameters that may all be the same.
fn writes(n: usize) -> Program {
    let mut sample = Sample::new("f");
    let cells: Vec<VarId> = (0..=n).map(|i| sample.pointer(&format!("x{i}"), VarKind::Param)).collect();
    for &x in &cells {
        sample.requires(list(x));
    }
    for pair in cells.windows(2) {
        sample.store(pair[0], NEXT, Expr::Var(pair[1]));
    }
    sample.ensures(list(cells[0]));
    sample.finish()
}

/// Branches whose arms go on along the list and write.
fn branches(n: usize) -> Program {
    let mut sample = Sample::new("f");
    let (x, y) = (sample.pointer("x", VarKind::Param), sample.pointer("y", VarKind::Param));
    for i in 0..n {
        let cond = Cond::eq(Expr::Var(x), Expr::Var(y));
        let (from, after) = (sample.here, sample.program.add_location());
        for branch in [cond.clone(), cond.negated()] {
            sample.here = from;
            sample.then(Command::Assume(branch));
            sample.load(x, x, NEXT);
            sample.store(x, if i % 2 == 0 { NEXT } else { PREV }, Expr::Var(y));
            let end = sample.here;
            sample.edge(end, after, Command::Skip);
        }
        sample.here = after;
    }
    sample.ensures(list(x));
    sample.finish()
}

/// A list of new cells.
fn allocations(n: usize) -> Program {
    let mut sample = Sample::new("f");
    let (x, y) = (sample.pointer("x", VarKind::Param), sample.pointer("y", VarKind::Local));
    sample.requires(list(x));
    for _ in 0..n {
        sample.then(Command::Alloc { to: y, of: NODE, storage: Storage::Heap, zeroed: false });
        sample.store(y, NEXT, Expr::Var(x));
        sample.then(Command::Assign(x, Expr::Var(y)));
    }
    sample.ensures(list(x));
    sample.finish()
}

fn sizes(of: fn(usize) -> Program) -> Vec<usize> {
    let size = |n| {
        let (program, question) = (of(n), Question::of_contract(0));
        let made = conditions_by_need(&program, &question);
        made.expect("a loop-free program").encoder.terms.len()
    };
    [10, 20, 30, 40, 80].map(size).to_vec()
}

#[test]
fn conditions_by_need_are_linear_in_writes_branches_and_allocations() {
    // A few new cells are told apart in pairs.
    let families = [
        ("writes", sizes(writes), 1000),
        ("branches", sizes(branches), 1000),
        ("allocations", sizes(allocations), 1200),
    ];
    for (name, sizes, few) in families {
        // Up to the depth of one piece paths are written out, so 10 may take more than 20.
        let per_ten = sizes[2] - sizes[1];
        assert!(sizes[0] < few && sizes[1] < few, "{name}: {sizes:?}");
        assert!(2 * (sizes[3] - sizes[2]) <= 3 * per_ten, "{name}: {sizes:?}");
        assert!(2 * (sizes[4] - sizes[3]) <= 3 * 4 * per_ten, "{name}: {sizes:?}");
    }
}

/// Where nobody defines names, paths are written out up to a limit (`MAX_COST`), with pairs of the cells written;
/// beyond it they are cut.
#[test]
fn complete_conditions_are_linear_beyond_a_limit() {
    let size = |n: usize| {
        let (program, question) = (branches(n), Question::of_contract(0));
        conditions(&program, &question).expect("a loop-free program").encoder.terms.len()
    };
    let (small, large) = (size(120), size(240));
    assert!(large < 3 * small, "{small} terms for 120 branches, {large} for 240");
    assert!(size(80) < 150_000, "{} terms for 80", size(80));
}
