//! What is checked when a run reaches the exit: `ensures`, `assigns`, leaks and garbage (DESIGN 6, decisions 8 and 10).

use super::{End, Machine, Run};
use crate::program::cfg::{Contract, Program, Sweep};
use crate::program::command::{Check, Target};
use crate::program::decl::{FieldId, VarId, VarKind};
use crate::program::eval::{EvalError, States};
use crate::program::formula::Term;
use crate::program::state::{CellId, State, Status, Value};
use crate::program::trace::Failure;
use crate::util::span::Span;
use std::collections::BTreeSet;

impl Machine<'_> {
    /// The end of a run that stands at the exit.
    pub(super) fn leave(&self, run: &Run) -> End {
        match self.broken_at_exit(run) {
            Ok(None) => End::Exit,
            Ok(Some(failure)) => End::Failed(failure),
            Err(end) => end,
        }
    }

    fn broken_at_exit(&self, run: &Run) -> Result<Option<Failure>, End> {
        let program = self.program;
        let contract = program.contracts.get(self.question.contract);
        if let Some(contract) = contract.filter(|_| self.question.asks(Check::Ensures)) {
            for clause in &contract.ensures {
                if !self.holds(run, &clause.formula)? {
                    return Ok(Some(failure(Check::Ensures, "postcondition does not hold", clause.span)));
                }
            }
            if let Some(message) = self.broken_assigns(contract, run).map_err(End::Undecided)? {
                return Ok(Some(failure(Check::Ensures, &message, contract.span)));
            }
        }
        if self.question.asks(Check::Leaks)
            && let Some(cell) = self.leaked(run, Vec::new())
        {
            let what = &program.structs[run.state.cells[cell.index()].of.index()].name;
            let message = format!("a cell of `{what}` is leaked");
            return Ok(Some(failure(Check::Leaks, &message, program.span)));
        }
        if self.question.asks(Check::Garbage)
            && let Some(cell) = self.garbage(run)
        {
            let what = &program.structs[run.state.cells[cell.index()].of.index()].name;
            let message = format!("a cell of `{what}` is garbage at the exit");
            return Ok(Some(failure(Check::Garbage, &message, program.span)));
        }
        Ok(None)
    }

    /// The allocated cells reached from the values through allocated cells.
    pub(super) fn reached(&self, state: &State, mut stack: Vec<Value>) -> BTreeSet<CellId> {
        let mut out = BTreeSet::new();
        while let Some(value) = stack.pop() {
            if let Value::Cell(cell) = value
                && state.is_valid(value)
                && out.insert(cell)
            {
                let here = &state.cells[cell.index()];
                if let Some(reads) = self.reads() {
                    self.program.structs[here.of.index()].fields.iter().for_each(|f| reads.note(cell, *f));
                }
                stack.extend(&here.fields);
            }
        }
        out
    }

    /// Looks for a lost cell in the middle of a run. What is lost stays lost, so at loop heads it is enough to look
    /// now and then: in all, looking takes about as long as running.
    pub(super) fn sweep(&self, run: &mut Run, sweep: &Sweep) -> Option<End> {
        if self.is_head(sweep.at) && run.steps < run.next_sweep {
            return None;
        }
        run.next_sweep = run.steps + run.state.cells.len() as u64;
        let mut roots = Vec::new();
        for root in &sweep.roots {
            match root {
                Term::Var(v, _) if self.program.vars[v.index()].ty.element().is_some() => {
                    roots.extend(&run.state.arrays[v.index()]);
                }
                root => match self.evaluator(run.states()).term(root) {
                    Ok(value) => roots.push(value),
                    Err(why) => return Some(End::Undecided(why)),
                },
            }
        }
        let cell = self.leaked(run, roots)?;
        let what = &self.program.structs[run.state.cells[cell.index()].of.index()].name;
        Some(End::Failed(failure(Check::Leaks, &format!("a cell of `{what}` is lost"), sweep.span)))
    }

    fn leaked(&self, run: &Run, mut roots: Vec<Value>) -> Option<CellId> {
        let program = self.program;
        roots.extend(lasting_roots(program, run));
        for (i, var) in program.vars.iter().enumerate() {
            if var.kind == VarKind::Param {
                roots.push(run.entry.vars[i]);
                roots.extend(&run.state.arrays[i]);
            }
        }
        let at_entry = |i: usize| run.entry.cells.get(i).is_some_and(|c| c.status.is_valid());
        roots.extend(
            (0..run.state.cells.len()).filter(|i| at_entry(*i)).map(|i| Value::Cell(CellId(i as u32))),
        );
        let kept = self.reached(&run.state, roots);
        let cells = run.state.cells.iter().enumerate();
        let mut lost = cells.filter(|(i, c)| c.status == Status::Heap && !kept.contains(&CellId(*i as u32)));
        lost.next().map(|(i, _)| CellId(i as u32))
    }

    /// A cell that nothing lasting reaches. Those that nothing reached at the entry do not count: no function could
    /// do better about them, and engines that think of structures take the heap to have no others.
    fn garbage(&self, run: &Run) -> Option<CellId> {
        let program = self.program;
        let kept = self.reached(&run.state, lasting_roots(program, run));
        let mut roots = Vec::new();
        for (i, var) in program.vars.iter().enumerate() {
            if matches!(var.kind, VarKind::Param | VarKind::Global) {
                roots.push(run.entry.vars[i]);
                roots.extend(&run.entry.arrays[i]);
            }
        }
        let lasting = run.entry.cells.iter().enumerate().filter(|(_, c)| c.status == Status::Automatic);
        roots.extend(lasting.map(|(i, _)| Value::Cell(CellId(i as u32))));
        let known = self.reached(&run.entry, roots);
        let lost = |i: usize| {
            let cell = CellId(i as u32);
            let stranger =
                run.entry.cells.get(i).is_some_and(|c| c.status.is_valid()) && !known.contains(&cell);
            run.state.cells[i].status == Status::Heap && !kept.contains(&cell) && !stranger
        };
        (0..run.state.cells.len()).find(|i| lost(*i)).map(|i| CellId(i as u32))
    }

    /// The first thing that changed although `assigns` does not allow it. Targets are read in the entry state;
    /// cells that were not allocated at entry may change.
    fn broken_assigns(&self, contract: &Contract, run: &Run) -> Result<Option<String>, EvalError> {
        let program = self.program;
        let Some(targets) = &contract.assigns else { return Ok(None) };
        let allowed = self.allowed(targets, &run.entry)?;
        if allowed.everything {
            return Ok(None);
        }
        for (i, var) in program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            if allowed.vars.contains(&id) {
                continue;
            }
            if var.kind == VarKind::Global && run.state.vars[i] != run.entry.vars[i] {
                return Ok(Some(format!("`{}` changes, which `assigns` does not allow", var.name)));
            }
            if matches!(var.kind, VarKind::Global | VarKind::Param) {
                let elements = run.state.arrays[i].iter().zip(&run.entry.arrays[i]).enumerate();
                for (k, (now, then)) in elements {
                    let ranged = allowed
                        .ranges
                        .iter()
                        .any(|(v, lo, hi)| *v == id && (*lo..=*hi).contains(&(k as i128)));
                    if now != then && !ranged {
                        return Ok(Some(format!(
                            "`{}[{k}]` changes, which `assigns` does not allow",
                            var.name
                        )));
                    }
                }
            }
        }
        for (i, then) in run.entry.cells.iter().enumerate().filter(|(_, c)| c.status.is_valid()) {
            let now = &run.state.cells[i];
            for (slot, field) in program.structs[then.of.index()].fields.iter().enumerate() {
                let changed = now.fields[slot] != then.fields[slot];
                if changed && !allowed.places.contains(&(CellId(i as u32), *field)) {
                    let name = &program.fields[field.index()].name;
                    return Ok(Some(format!(
                        "field `{name}` of a cell changes, which `assigns` does not allow"
                    )));
                }
            }
        }
        Ok(None)
    }

    fn allowed(&self, targets: &[Target], entry: &State) -> Result<Allowed, EvalError> {
        let states = States::at_entry(entry);
        let mut allowed = Allowed::default();
        for target in targets {
            match target {
                Target::Var(v) => {
                    allowed.vars.insert(*v);
                }
                Target::Field(t, field) => {
                    if let Value::Cell(cell) = self.evaluator(states).term(t)? {
                        allowed.places.insert((cell, *field));
                    }
                }
                Target::Fields(set, field) => {
                    let cells = self.evaluator(states).set(set)?;
                    allowed.places.extend(cells.into_iter().map(|c| (c, *field)));
                }
                Target::Range(array, lo, hi) => {
                    let (lo, hi) = (self.evaluator(states).term(lo)?, self.evaluator(states).term(hi)?);
                    let (Value::Int(lo), Value::Int(hi)) = (lo, hi) else { return Err(EvalError::IllTyped) };
                    allowed.ranges.push((*array, lo, hi));
                }
                Target::Everything => allowed.everything = true,
            }
        }
        Ok(allowed)
    }
}

fn failure(check: Check, message: &str, span: Span) -> Failure {
    Failure { check, message: message.to_owned(), span }
}

/// Result, globals, and cells that live on although nobody frees them (globals whose address is taken).
fn lasting_roots(program: &Program, run: &Run) -> Vec<Value> {
    let state = &run.state;
    let mut roots = Vec::new();
    for (i, var) in program.vars.iter().enumerate() {
        if matches!(var.kind, VarKind::Global | VarKind::Result) {
            roots.push(state.vars[i]);
            roots.extend(&state.arrays[i]);
        }
    }
    // Cells of variables that existed before outlive the function; its own do not, even those of results of calls,
    // which nobody releases.
    let before = state.cells.iter().take(run.entry.cells.len()).enumerate();
    let cells = before.filter(|(_, c)| c.status == Status::Automatic);
    roots.extend(cells.map(|(i, _)| Value::Cell(CellId(i as u32))));
    roots
}

/// What `assigns` allows, as places of the entry state.
#[derive(Default)]
struct Allowed {
    everything: bool,
    vars: BTreeSet<VarId>,
    places: BTreeSet<(CellId, FieldId)>,
    ranges: Vec<(VarId, i128, i128)>,
}
