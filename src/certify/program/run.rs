//! Runs as evidence: they are made again.

use super::{FailingRun, Runs, Shown, all_runs};
use crate::program::interp::{Given, Machine};
use crate::program::{Program, Question, Trace};

/// Commands of all runs that are made again, at most.
const LONGEST: u64 = 2_000_000_000;

/// All runs of a program, as many as are said to be.
pub(super) fn all(program: &Program, question: &Question, said: Runs) -> Result<Shown, String> {
    match all_runs(program, question, said.steps.min(LONGEST)) {
        Ok(made) if made == said => Ok(Shown::Runs(made)),
        Ok(made) => Err(format!(
            "there are {} runs of {} commands, not {} of {}",
            made.runs, made.steps, said.runs, said.steps
        )),
        Err(why) => Err(why.to_string()),
    }
}

/// A run that is said to fail.
pub(super) fn failing(program: &Program, question: &Question, claimed: &FailingRun) -> Result<Shown, String> {
    let made = made_again(program, question, claimed)?;
    Ok(Shown::Steps(made.omitted.saturating_add(made.steps.len() as u64)))
}

/// A run that is said to fail, as the interpreter makes it.
///
/// # Errors
/// How it differs from what is said.
pub fn made_again(program: &Program, question: &Question, claimed: &FailingRun) -> Result<Trace, String> {
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
    Ok(trace)
}
