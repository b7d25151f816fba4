//! The steps of a failing run that matter: those that what fails depends on, by data and by control.
//!
//! Backwards from the failure it is known which variables, fields of cells and elements of arrays count. A step that
//! sets one of them matters, and then what it reads counts too. A step matters as well if a decision that matters is
//! made by it: the decisions are those after which the run could have gone past a step that matters (dynamic slicing:
//! Korel, Laski 1988). What is left out cannot change whether the run fails there; it may change how.

use super::failing;
use crate::program::eval::{Evaluator, Reads, States};
use crate::program::walk::{self, Part};
use crate::program::{
    CellId, Check, Command, Expr, FieldId, Formula, LocationId, Program, State, Status, Step, Term, Value,
    VarId, VarKind,
};
use crate::verdict::Trace;
use std::collections::{BTreeMap, BTreeSet};

/// Longer runs are not sliced.
const MOST_STEPS: usize = 20_000;

/// What counts at a point of the run.
#[derive(Default)]
struct Counts {
    vars: BTreeSet<VarId>,
    fields: BTreeSet<(CellId, FieldId)>,
    /// Cells whose allocation or release counts.
    cells: BTreeSet<CellId>,
    /// All elements of these arrays.
    arrays: BTreeSet<VarId>,
}

/// By step, whether it matters.
#[must_use]
pub fn relevant(program: &Program, trace: &Trace) -> Vec<bool> {
    let n = trace.steps.len();
    let mut matters = vec![false; n];
    let Some(last) = trace.steps.last() else { return matters };
    // A run whose steps do not say what they do is shown whole.
    let silent = |step: &Step| matches!(program.edges[step.edge.index()].command, Command::Skip);
    if n > MOST_STEPS || trace.steps[..n - 1].iter().all(silent) {
        return vec![true; n];
    }
    let mut counts = Counts::default();
    let lost = lost_cells(program, trace);
    counts.cells.extend(&lost);
    match failing::formula(program, trace) {
        Some(formula) => {
            let reads = Reads::default();
            reads.watch();
            let states = States { now: &last.state, entry: &trace.initial, labels: &[] };
            let _ = Evaluator::new(program, states).noting(Some(&reads)).formula(formula);
            counts.fields.extend(reads.watched());
            walk::formula(formula, &mut |part| match part {
                Part::Term(Term::Var(v, _)) => drop(counts.vars.insert(*v)),
                Part::Term(Term::Index(a, ..)) => drop(counts.arrays.insert(*a)),
                Part::Formula(Formula::Valid(..) | Formula::Freed(..) | Formula::Stable(..)) => {
                    counts.cells.extend((0..last.state.cells.len()).map(|i| CellId(i as u32)))
                }
                _ => {}
            });
        }
        None => uses(&program.edges[last.edge.index()].command, &last.state, &mut counts),
    }
    let mut control = Control::new(program);
    // Locations of steps that matter and whose decisions are still looked for.
    let mut wanted: Vec<LocationId> = vec![program.edges[last.edge.index()].from];
    for i in (0..n).rev() {
        let edge = &program.edges[trace.steps[i].edge.index()];
        let before = if i == 0 { &trace.initial } else { &trace.steps[i - 1].state };
        let after = &trace.steps[i].state;
        let sets = sets(&edge.command, before, after, &mut counts)
            || touches(program, &edge.command, before, after, &lost);
        let decides = wanted.iter().any(|at| control.decides(edge.from, *at));
        if sets || decides || i + 1 == n {
            matters[i] = true;
            if i + 1 < n || sets {
                uses(&edge.command, before, &mut counts);
            }
            wanted.retain(|at| !control.decides(edge.from, *at));
            if !wanted.contains(&edge.from) {
                wanted.push(edge.from);
            }
        }
    }
    matters
}

/// Cells that nothing leads to at the end, if that is the failure.
fn lost_cells(program: &Program, trace: &Trace) -> Vec<CellId> {
    if !matches!(trace.failure.check, Check::Leaks | Check::Garbage) {
        return Vec::new();
    }
    let Some(last) = trace.steps.last() else { return Vec::new() };
    let state = &last.state;
    let paths = super::names::paths(program, state, |kind| kind != VarKind::Temp);
    let allocated = |i: &usize| state.cells[*i].status == Status::Heap;
    let all = (0..state.cells.len()).filter(allocated);
    let unreached: Vec<CellId> =
        all.clone().filter(|i| paths[*i].is_none()).map(|i| CellId(i as u32)).collect();
    if unreached.is_empty() { all.map(|i| CellId(i as u32)).collect() } else { unreached }
}

/// Whether a step stores or overwrites a pointer to one of these cells.
fn touches(program: &Program, command: &Command, before: &State, after: &State, cells: &[CellId]) -> bool {
    let about = |value: Value| matches!(value, Value::Cell(c) if cells.contains(&c));
    match command {
        _ if cells.is_empty() => false,
        Command::Assign(x, _) | Command::Load { to: x, .. } | Command::Alloc { to: x, .. } => {
            program.vars[x.index()].kind != VarKind::Temp && (about(before.var(*x)) || about(after.var(*x)))
        }
        Command::Store { to, field, .. } => {
            about(before.field(before.var(*to), *field)) || about(after.field(after.var(*to), *field))
        }
        _ => false,
    }
}

/// Whether a step sets something that counts; what it sets for good counts no longer.
fn sets(command: &Command, before: &State, after: &State, counts: &mut Counts) -> bool {
    match command {
        Command::Assign(x, _)
        | Command::Load { to: x, .. }
        | Command::LoadElement { to: x, .. }
        | Command::Havoc(x) => counts.vars.remove(x),
        Command::Alloc { to: x, .. } => {
            let cell = match after.var(*x) {
                Value::Cell(cell) => counts.cells.remove(&cell),
                _ => false,
            };
            counts.vars.remove(x) || cell
        }
        Command::Store { to, field, .. } => match before.var(*to) {
            Value::Cell(cell) => counts.fields.remove(&(cell, *field)),
            _ => false,
        },
        Command::StoreElement { array, .. } => counts.arrays.contains(array),
        Command::Free(x) | Command::Release(x) => match before.var(*x) {
            Value::Cell(cell) => counts.cells.contains(&cell),
            _ => false,
        },
        Command::Scramble { .. } => {
            let var = counts.vars.iter().any(|v| before.var(*v) != after.var(*v));
            let array =
                counts.arrays.iter().any(|a| before.arrays.get(a.index()) != after.arrays.get(a.index()));
            let field = |(cell, field): &(CellId, FieldId)| {
                let value = Value::Cell(*cell);
                before.cells.get(cell.index()).is_none()
                    || before.field(value, *field) != after.field(value, *field)
            };
            var || array || counts.fields.iter().any(field)
        }
        Command::Skip
        | Command::Assume(_)
        | Command::Suppose(_)
        | Command::Assert { .. }
        | Command::Fail { .. }
        | Command::Snapshot(_) => false,
    }
}

/// What a step reads counts.
fn uses(command: &Command, before: &State, counts: &mut Counts) {
    walk::expressions(command, &mut |e| {
        if let Expr::Var(v) = e {
            counts.vars.insert(*v);
        }
    });
    match command {
        Command::Load { from, field, .. } => {
            counts.vars.insert(*from);
            if let Value::Cell(cell) = before.var(*from) {
                counts.fields.insert((cell, *field));
                if before.status(cell) == Status::Freed {
                    counts.cells.insert(cell);
                }
            }
        }
        Command::Store { to: x, .. } | Command::Free(x) | Command::Release(x) => {
            counts.vars.insert(*x);
            if let Value::Cell(cell) = before.var(*x)
                && before.status(cell) == Status::Freed
            {
                counts.cells.insert(cell);
            }
        }
        Command::LoadElement { array, .. } => drop(counts.arrays.insert(*array)),
        Command::Suppose(formula) | Command::Assert { formula, .. } => {
            walk::formula(formula, &mut |part| match part {
                Part::Term(Term::Var(v, _)) => drop(counts.vars.insert(*v)),
                Part::Term(Term::Index(a, ..)) => drop(counts.arrays.insert(*a)),
                _ => {}
            });
        }
        _ => {}
    }
}

/// Which decisions lead past which locations.
struct Control {
    /// By location, where its edges lead.
    ways: Vec<Vec<LocationId>>,
    /// By branch and location.
    known: BTreeMap<(LocationId, LocationId), bool>,
}

impl Control {
    fn new(program: &Program) -> Control {
        let mut ways = vec![Vec::new(); program.locations as usize];
        for edge in &program.edges {
            ways[edge.from.index()].push(edge.to);
        }
        Control { ways, known: BTreeMap::new() }
    }

    /// Whether the branch decides if the location is reached: it has several ways, and one of them avoids it.
    fn decides(&mut self, branch: LocationId, at: LocationId) -> bool {
        if self.ways[branch.index()].len() < 2 || branch == at {
            return false;
        }
        if let Some(known) = self.known.get(&(branch, at)) {
            return *known;
        }
        let decides = self.avoids(branch, at);
        self.known.insert((branch, at), decides);
        decides
    }

    /// Whether an end is reached from the branch without the location.
    fn avoids(&self, branch: LocationId, at: LocationId) -> bool {
        let mut seen = vec![false; self.ways.len()];
        let mut stack = vec![branch];
        while let Some(here) = stack.pop() {
            if here == at || std::mem::replace(&mut seen[here.index()], true) {
                continue;
            }
            if self.ways[here.index()].is_empty() {
                return true;
            }
            stack.extend(&self.ways[here.index()]);
        }
        false
    }
}
