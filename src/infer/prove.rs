//! Asks the engines about a function with a contract, exactly as `verify` would.

use super::contract::Contract;
use super::draft::Draft;
use crate::analysis::Setup;
use crate::frontend::c::outline::Outlined;
use crate::portfolio::{self, Engine, Task};
use crate::program::{Program, Question, State, StructId, Value, VarKind};
use crate::util::limits::Limits;
use crate::verdict::Verdict;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the engines say.
pub(super) enum Proof {
    /// Every part of the contract is proved.
    Proved,
    /// A run from this entry state breaks it; variables and cells are those of this program.
    Broken { initial: Box<State>, program: Box<Program>, message: String },
    /// No engine knows.
    Open { reason: String },
}

/// Asks about all behaviours of a contract, the one outside of them first.
pub(super) fn prove(
    draft: &Draft,
    function: &Outlined,
    contract: &Contract,
    limits: &Limits,
    seed: u64,
) -> Proof {
    let open = |reason: String| Proof::Open { reason };
    let file = match draft.with(function, contract, limits) {
        Ok(file) => file,
        Err(why) => return open(why),
    };
    let Some(loaded) = file.unit.functions.iter().find(|f| f.name == function.name) else {
        return open("the function could not be read".to_owned());
    };
    let program = match &loaded.program {
        Ok(program) => program,
        Err(found) => {
            let worst = found.iter().max_by_key(|d| d.severity);
            return open(worst.map_or(String::new(), |d| d.message.clone()));
        }
    };
    let checks = &file.reading.checks;
    for number in 0..program.contracts.len() {
        let question = Question { contract: number, checks: checks.clone() };
        let task = Task {
            program,
            inlined: loaded.inlined.as_ref(),
            question: &question,
            property: None,
            aside: None,
        };
        let setup = Setup { limits: limits.clone(), jobs: 1, seed, ..Setup::default() };
        let decided =
            catch_unwind(AssertUnwindSafe(|| portfolio::decide(Engine::Auto, &task, &setup, &|_| {})));
        let Ok(decided) = decided else {
            return open("internal error: an engine panicked".to_owned());
        };
        if decided.disagreement {
            return open("internal error: engines disagree".to_owned());
        }
        match decided.outcome.verdict {
            Verdict::Verified(_) => {}
            Verdict::Violated(trace) => {
                let inlined = loaded.inlined.as_ref().filter(|_| decided.about_inlined);
                return Proof::Broken {
                    program: Box::new(inlined.unwrap_or(program).clone()),
                    message: trace.failure.message.clone(),
                    initial: Box::new(trace.initial),
                };
            }
            Verdict::TooWeak(weakness) => return open(weakness.failure.message),
            Verdict::Unknown(reason) => return open(reason.message),
        }
    }
    Proof::Proved
}

/// The same state for another program of the same function, whose structs and variables may have other numbers, and
/// which may lack some that nobody mentions.
pub(super) fn transferred(state: &State, from: &Program, to: &Program) -> Option<State> {
    let mut out = State::new(to);
    let place = |cell: usize| {
        let name = &from.structs[state.cells[cell].of.index()].name;
        to.structs.iter().position(|s| s.name == *name)
    };
    let mut number = vec![None; state.cells.len()];
    for (i, cell) in state.cells.iter().enumerate() {
        if let Some(of) = place(i) {
            let new = out.add_cell(to, StructId(of as u32), cell.status);
            number[i] = Some(new);
        }
    }
    let value = |v: Value| match v {
        Value::Cell(cell) => number.get(cell.index()).copied().flatten().map_or(Value::Null, Value::Cell),
        other => other,
    };
    for (i, cell) in state.cells.iter().enumerate() {
        let Some(new) = number[i] else { continue };
        let fields = from.structs[cell.of.index()].fields.iter().zip(&cell.fields);
        for (field, held) in fields {
            let name = &from.fields[field.index()].name;
            let own = &to.structs[out.cells[new.index()].of.index()].fields;
            if let Some(field) = own.iter().copied().find(|f| to.fields[f.index()].name == *name) {
                out.set_field(new, field, value(*held));
            }
        }
    }
    for (i, var) in to.vars.iter().enumerate() {
        let same = |v: &crate::program::Var| v.name == var.name && v.kind == var.kind;
        let known = from.vars.iter().position(same);
        match known {
            Some(j) => {
                out.vars[i] = value(state.vars[j]);
                out.arrays[i] = state.arrays[j].iter().map(|v| value(*v)).collect();
            }
            // A variable of the caller's that the other program does not know has no value there.
            None if matches!(var.kind, VarKind::Param | VarKind::Global) => return None,
            None => {}
        }
    }
    Some(out)
}
