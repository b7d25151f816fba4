//! Runs as evidence: the interpreter makes them again.

use super::{FailingRun, Shown};
use crate::program::initialised::uninitialised_read;
use crate::program::interp::{End, Given, Machine, Nothing};
use crate::program::{Entry, Program, Question, State};

/// Longest run of a whole program that is made again.
const LONGEST: u64 = 2_000_000_000;

/// A program that leaves nothing open, run to its end, which comes after so many steps.
pub(super) fn whole(program: &Program, question: &Question, steps: u64) -> Result<Shown, String> {
    let limit = steps.saturating_add(1).min(LONGEST);
    match whole_run(program, question, limit)? {
        found if found == steps => Ok(Shown::Steps(found)),
        found => Err(format!("the run has {found} steps, not {steps}")),
    }
}

/// The length of the only run of a program that leaves nothing open.
///
/// # Errors
/// If there are others, if it fails, or if it is longer than the limit.
pub fn whole_run(program: &Program, question: &Question, limit: u64) -> Result<u64, String> {
    let contract = program.contracts.get(question.contract);
    if program.begins != Entry::Main || contract.is_some_and(|c| !c.requires.is_empty()) {
        return Err("the entry is open: one run is not all runs".to_owned());
    }
    if let Some(v) = uninitialised_read(program, question) {
        return Err(format!("`{}` may be read before it is assigned", program.vars[v.index()].name));
    }
    let machine = Machine::new(program, question);
    let mut run = machine.start_strict(State::new(program));
    match machine.run(&mut run, &mut Nothing, limit.min(LONGEST)) {
        End::Exit | End::Halted | End::Blocked => Ok(run.steps),
        End::Failed(failure) => Err(format!("the run fails: {}", failure.message)),
        End::Outside(why) => Err(format!("the run leaves what is modelled: {why}")),
        End::Undecided(why) => Err(why.to_string()),
        End::Open(why) => Err(format!("the run asks for a choice: {why}")),
        End::Steps => Err("the run is longer".to_owned()),
    }
}

/// A run that is said to fail.
pub(super) fn failing(program: &Program, question: &Question, claimed: &FailingRun) -> Result<Shown, String> {
    if claimed.omitted > 0 && program.calls_by_contract() {
        return Err("the run is too long to see that it passes no call by contract".to_owned());
    }
    let machine = Machine::new(program, question);
    match machine.admits(&claimed.initial) {
        Ok(true) => {}
        Ok(false) => return Err("the function cannot be entered in that state".to_owned()),
        Err(why) => return Err(why.to_string()),
    }
    let steps = claimed.omitted.saturating_add(claimed.path.len() as u64);
    let mut given = Given::new(&claimed.choices, claimed.fills);
    // One step more than claimed, so that a longer run shows as such.
    let limit = steps.saturating_add(1);
    let trace = machine.trace(&claimed.initial, &mut given, limit, claimed.path.len().max(1));
    let trace = trace.ok_or("the run does not break the property")?;
    let path = trace.steps.iter().map(|s| s.edge);
    if trace.omitted != claimed.omitted || !path.eq(claimed.path.iter().copied()) {
        return Err("the run takes another path".to_owned());
    }
    if trace.choices != claimed.choices {
        return Err("not all that is given was chosen".to_owned());
    }
    if !trace.is_real(program, question) {
        return Err("the run passes a call by contract, whose effect is arbitrary".to_owned());
    }
    let (found, said) = (&trace.failure, &claimed.failure);
    if (found.check, &found.message) != (said.check, &said.message) {
        return Err(format!("the run fails otherwise: {}", found.message));
    }
    Ok(Shown::Steps(steps))
}
