//! Brute force about preconditions: which entry heaps they admit, and whether a run from one of them fails.
//!
//! The heaps and runs are those of the bounded search (`program::explore`) where a failure is looked for, so what an
//! inferred contract says is judged by code that had no part in finding it.

use super::contract::Contract;
use super::draft::Draft;
use super::order;
use super::pool::{Fate, Pool};
use crate::frontend::c::Input;
use crate::frontend::c::outline::Outline;
use crate::program::explore::{Bound, Found, search};
use crate::program::{Check, Question};
use crate::util::limits::{Budget, Limits};

/// On how many small entry heaps only the first, only the second, both of two conditions hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Heaps that only the first admits.
    pub first: usize,
    /// Heaps that only the second admits.
    pub second: usize,
    /// Heaps that both admit.
    pub both: usize,
}

impl Comparison {
    /// How the first stands to the second.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (self.first > 0, self.second > 0) {
            (false, false) => "equal",
            (true, false) => "weaker",
            (false, true) => "stronger",
            (true, true) => "incomparable",
        }
    }
}

fn conjunction(parts: &[String]) -> String {
    if parts.is_empty() {
        return "\\true".to_owned();
    }
    parts.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join(" && ")
}

/// Compares what is required with another condition on small entry heaps.
pub fn compare(
    inputs: &[Input],
    outline: &Outline,
    function: &str,
    requires: &[String],
    other: &str,
) -> Result<Comparison, String> {
    let draft = Draft::new(inputs.to_vec(), outline.clone());
    let own = outline.function(function).ok_or("there is no such function")?;
    // Calls need a contract if the function is recursive; it asks for nothing.
    let candidates = [conjunction(requires), other.to_owned()];
    let (probe, ..) = draft.probe(own, &candidates, &Limits::default()).map_err(|r| r.why)?;
    if probe.formulas.iter().any(Option::is_none) {
        return Err(format!("`{other}` is not well formed"));
    }
    let recursive = order::below(outline, function).iter().any(|f| f == function);
    let pool = Pool::new(&probe, candidates.len(), recursive, &mut Budget::unlimited());
    let mut out = Comparison::default();
    for entry in &pool.entries {
        match (entry.holds[0], entry.holds[1]) {
            (true, true) => out.both += 1,
            (true, false) => out.first += 1,
            (false, true) => out.second += 1,
            (false, false) => {}
        }
    }
    Ok(out)
}

/// What is wrong with a precondition: a run that it does not exclude, or a conjunct that excludes none.
pub fn judge(
    inputs: &[Input],
    outline: &Outline,
    function: &str,
    contract: &Contract,
    cells: usize,
) -> Result<(), String> {
    let own = outline.function(function).ok_or("there is no such function")?;
    let draft = Draft::new(inputs.to_vec(), outline.clone());
    let fails = |requires: &[String]| -> Result<bool, String> {
        let asked = Contract { requires: requires.to_vec(), ..Contract::default() };
        let file = draft.with(own, &asked, &Limits::default())?;
        let loaded = file.unit.functions.iter().find(|f| f.name == function).ok_or("it is not read")?;
        let program = loaded.inlined.as_ref().or(loaded.program.as_ref().ok()).ok_or("it is not modelled")?;
        let question = Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts] };
        let bound = Bound { cells, commands: 400_000, ..Bound::default() };
        let found = search(program, &question, &bound, &mut Budget::unlimited());
        Ok(matches!(found, Found::Violation(_)))
    };
    if fails(&contract.requires)? {
        return Err("a run that fails is not excluded".to_owned());
    }
    for (i, conjunct) in contract.requires.iter().enumerate() {
        let mut rest = contract.requires.clone();
        rest.remove(i);
        if fails(&rest)? {
            continue;
        }
        // No run fails: one must go in circles.
        let candidates = [conjunction(&rest), conjunct.clone()];
        let (probe, ..) = draft.probe(own, &candidates, &Limits::default()).map_err(|r| r.why)?;
        let recursive = order::below(outline, function).iter().any(|f| f == function);
        let pool = Pool::new(&probe, candidates.len(), recursive, &mut Budget::unlimited());
        let circles = pool.entries.iter().any(|e| e.holds[0] && !e.holds[1] && e.fate == Fate::Circles);
        if !circles {
            return Err(format!("`{conjunct}` excludes no run"));
        }
    }
    Ok(())
}
