//! Contracts for functions that have none, each proved by the engines.
//!
//! Functions are taken from the bottom of the call graph to its top, so that callers are proved with the contracts of
//! those they call; functions that call each other are proved together, each with the contracts of the others. What is
//! printed is what was proved, text and all: a contract is read from the text in which it will stand, by the reader of
//! `verify`, and decided as `verify` decides it.
//!
//! `draft` writes contracts into texts and reads them, `vocabulary`, `atoms` and `goals` make candidates, `entries` and
//! `pool` run the function on small heaps, `choose` finds conditions, `mutants` tells promises that say something from
//! others, `search` puts it together for one function. Nothing here decides a verdict of a function that has a contract.

mod after;
mod assigns;
mod atoms;
mod choose;
pub mod contract;
mod draft;
mod entries;
mod goals;
mod mutants;
#[cfg(feature = "testing")]
pub mod oracle;
mod order;
mod pool;
mod prove;
mod search;
mod vocabulary;

pub use contract::{Case, Contract};

use crate::frontend::c::Input;
use crate::frontend::c::outline::{Outline, Outlined};
use crate::util::clock::Instant;
use crate::util::limits::{CancelToken, Limits};
use crate::util::threads;
use draft::Draft;
use prove::{Proof, prove};
use search::{Outcome, Search};
use std::time::Duration;

/// Stack of the thread that works: formulas are walked recursively.
const STACK: usize = 256 << 20;

/// What was found out about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It keeps this contract, which is proved.
    Contract(Contract),
    /// Runs fail, and no condition of those that are tried excludes them: either all fail, or too many.
    Never {
        /// It is proved that no run comes to its end.
        always: bool,
        /// One of them.
        run: Vec<String>,
    },
    /// No engine could prove it.
    Open {
        /// Why.
        reason: String,
        /// What no run that was tried contradicts.
        candidate: Option<Contract>,
    },
    /// It uses something that has no model.
    Unmodelled {
        /// What.
        why: String,
        /// `file:line:column`
        place: Option<String>,
    },
}

/// A conjunct of a precondition, and the run that it excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The conjunct.
    pub conjunct: String,
    /// What happens without it.
    pub why: Vec<String>,
}

/// The answer about one function.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// Its text.
    pub file: String,
    /// Its name.
    pub function: String,
    /// Its line.
    pub line: usize,
    /// What was found out.
    pub found: Found,
    /// Why each conjunct of the precondition is needed.
    pub explanations: Vec<Explanation>,
    /// Functions whose bodies, not contracts, were used in the proof: these must stay without a contract.
    pub bodies: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Only these functions, and what they call, if there are any.
    pub functions: Vec<String>,
    /// For each function.
    pub limits: Limits,
    /// Seed of everything that is drawn by engines.
    pub seed: u64,
}

/// All answers about a unit.
#[derive(Debug)]
pub struct Inference {
    draft: Draft,
    /// In the order of the text.
    pub functions: Vec<Inferred>,
}

impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Draft").field("contracts", &self.contracts).finish_non_exhaustive()
    }
}

impl Inference {
    /// The texts that were given, by name, each before and with the contracts that were found.
    #[must_use]
    pub fn texts(&self) -> Vec<(String, String, String)> {
        let bodies: Vec<&String> = self.functions.iter().flat_map(|f| &f.bodies).collect();
        let with = |f: &&Inferred| matches!(f.found, Found::Contract(_)) && !bodies.contains(&&f.function);
        let names: Vec<&str> = self.functions.iter().filter(with).map(|f| f.function.as_str()).collect();
        let both = |input: &Input| {
            let before = String::from_utf8_lossy(&input.text).into_owned();
            Some((input.name.clone(), before, self.draft.pasted(&input.name, &names)?))
        };
        self.draft.inputs().iter().filter_map(both).collect()
    }

    /// The texts with all contracts that were found, on the same lines as before; of these functions, those without one
    /// require nothing.
    #[must_use]
    pub fn completed(&self, functions: &[String]) -> Vec<Input> {
        let mut draft = self.draft.clone();
        for name in functions {
            draft.contracts.entry(name.clone()).or_default();
        }
        draft.completed()
    }

    /// Whether a contract is left out where all are pasted, because a caller is proved with the body.
    #[must_use]
    pub fn is_left_out(&self, function: &str) -> bool {
        self.functions.iter().any(|f| f.bodies.iter().any(|b| b == function))
    }
}

/// Infers contracts for the functions of texts that are linked to one program; `told` hears what is worked on.
pub fn infer(
    inputs: Vec<Input>,
    outline: Outline,
    settings: &Settings,
    told: &(dyn Fn(&str) + Sync),
) -> std::io::Result<Inference> {
    threads::with_stack(STACK, || infer_all(inputs, outline, settings, told))
}

fn infer_all(
    inputs: Vec<Input>,
    outline: Outline,
    settings: &Settings,
    told: &(dyn Fn(&str) + Sync),
) -> Inference {
    let mut draft = Draft::new(inputs, outline);
    let mut functions = Vec::new();
    let cancelled = || settings.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled);
    for group in order::groups(&draft.outline, &settings.functions) {
        if cancelled() {
            break;
        }
        told(&group.join(", "));
        let members: Vec<Outlined> =
            group.iter().filter_map(|name| draft.outline.function(name).cloned()).collect();
        match &members[..] {
            [one] => functions.push(single(&mut draft, one, settings)),
            several => functions.extend(together(&mut draft, several, settings)),
        }
    }
    let wanted = |f: &Inferred| settings.functions.is_empty() || settings.functions.contains(&f.function);
    functions.retain(wanted);
    functions.sort_by_key(|f| draft.outline.functions.iter().position(|g| g.name == f.function));
    Inference { draft, functions }
}

fn answer(draft: &Draft, function: &Outlined, outcome: Outcome, start: Instant) -> Inferred {
    Inferred {
        file: function.file.clone(),
        function: function.name.clone(),
        line: draft.line(function),
        found: outcome.found,
        explanations: outcome.explanations,
        bodies: Vec::new(),
        time: start.elapsed(),
    }
}

/// A contract cannot be written before what a header or a macro defines.
fn elsewhere(function: &Outlined) -> Option<Outcome> {
    let why = "it is defined by a macro or in a header, where no contract can be written".to_owned();
    (!function.in_text)
        .then(|| Outcome { found: Found::Unmodelled { why, place: None }, explanations: Vec::new() })
}

fn single(draft: &mut Draft, function: &Outlined, settings: &Settings) -> Inferred {
    let start = Instant::now();
    if let Some(outcome) = elsewhere(function) {
        return answer(draft, function, outcome, start);
    }
    let callees: Vec<String> =
        function.calls.iter().filter(|c| draft.contracts.contains_key(*c)).cloned().collect();
    // Where there may be a second search, each has half of the time.
    let searches = if callees.is_empty() { 1 } else { 2 };
    let limits = Limits { time: settings.limits.time.map(|t| t / searches), ..settings.limits.clone() };
    let search = |draft: &Draft| {
        Search { draft, function, limits: limits.clone(), seed: settings.seed, start: Instant::now() }
            .run(true)
    };
    let outcome = search(draft);
    let failed = !matches!(outcome.found, Found::Contract(_) | Found::Never { always: true, .. });
    if failed && !callees.is_empty() {
        // The contracts of those it calls say too little for it, or cannot be used.
        let mut bodies = draft.clone();
        bodies.contracts.clear();
        let again = search(&bodies);
        if let Found::Contract(contract) = &again.found {
            draft.contracts.insert(function.name.clone(), contract.clone());
            let needed = order::below(&draft.outline, &function.name);
            let used: Vec<String> = needed.into_iter().filter(|c| draft.contracts.contains_key(c)).collect();
            return Inferred { bodies: used, ..answer(draft, function, again, start) };
        }
    }
    if let Found::Contract(contract) = &outcome.found {
        draft.contracts.insert(function.name.clone(), contract.clone());
    }
    answer(draft, function, outcome, start)
}

/// Functions that call each other: what the pool supports is assumed of all of them and proved of each. What is not
/// proved is left out of all, until everything is.
fn together(draft: &mut Draft, functions: &[Outlined], settings: &Settings) -> Vec<Inferred> {
    let start = Instant::now();
    let limits = &settings.limits;
    let search = |draft: &Draft, function: &Outlined| match elsewhere(function) {
        Some(outcome) => outcome,
        None => {
            Search { draft, function, limits: limits.clone(), seed: settings.seed, start: Instant::now() }
                .run(false)
        }
    };
    // Calls need some contract; this one asks for nothing.
    let mut tentative = draft.clone();
    for function in functions {
        tentative.contracts.insert(function.name.clone(), Contract::default());
    }
    let mut outcomes: Vec<Outcome> = functions.iter().map(|f| search(&tentative, f)).collect();
    let mut reason = String::new();
    for round in 0..3 {
        let mut assumed = draft.clone();
        for (function, outcome) in functions.iter().zip(&mut outcomes) {
            if let Found::Contract(contract) = &mut outcome.found {
                match round {
                    1 => contract.ensures.clear(),
                    2 => contract.assigns = None,
                    _ => {}
                }
                assumed.contracts.insert(function.name.clone(), contract.clone());
            }
        }
        let proved = |(function, outcome): (&Outlined, &Outcome)| match &outcome.found {
            Found::Contract(contract) => match prove(&assumed, function, contract, limits, settings.seed) {
                Proof::Proved => Ok(()),
                Proof::Broken { message, .. } => Err(message),
                Proof::Open { reason } => Err(reason),
            },
            _ => Err(format!("`{}`, which it calls, has no contract", function.name)),
        };
        let first = functions.iter().zip(&outcomes).find_map(|both| proved(both).err());
        match first {
            None => {
                let found = functions.iter().zip(&outcomes);
                for (function, outcome) in found {
                    if let Found::Contract(contract) = &outcome.found {
                        draft.contracts.insert(function.name.clone(), contract.clone());
                    }
                }
                return functions.iter().zip(outcomes).map(|(f, o)| answer(draft, f, o, start)).collect();
            }
            Some(why) => reason = why,
        }
    }
    let open = |outcome: Outcome| match outcome.found {
        Found::Contract(contract) => {
            let found = Found::Open { reason: reason.clone(), candidate: Some(contract) };
            Outcome { found, ..outcome }
        }
        _ => outcome,
    };
    functions.iter().zip(outcomes).map(|(f, o)| answer(draft, f, open(o), start)).collect()
}
