//! Engine `vc`: programs whose loops carry invariants. One obligation per property, decided by the core.
//!
//! [`program::wp`](crate::program::wp) makes the obligations; [`solve`] asks the core about each of them, in
//! parallel; [`witness`] turns the model of one that fails into a state. `verified` needs all obligations
//! proved. A model is not a run: when an obligation fails, `violated` needs a run from the entry that the interpreter
//! makes (DESIGN 6, decision 9), either from the model's entry state or found by a bounded search over small
//! entry heaps. Otherwise the verdict is `too-weak`, with the state that satisfies the invariants but breaks the
//! obligation.
//!
//! The conditions are linear in the number of writes and branches: paths over many writes have names, and a name is
//! defined when a model gets it wrong (`worker`). Obligations that this does not settle in the first stage are asked
//! again with all paths written out, which is up to cubic in the writes and faster when most of them matter.
//!
//! Answers do not depend on the number of threads: the obligation that is reported is the first one that
//! does not follow, and its model is found again by a solver that has seen nothing else.

mod candidates;
pub mod filter;
mod hint;
pub mod local;
pub mod prove;
mod refute;
pub mod solve;
pub mod vacuous;
pub mod witness;
mod worker;

use self::solve::{Result as Proof, Task};
use super::{Progress, Setup};
use crate::program::explore::Bound;
use crate::program::wp::{self, Conditions, Kind, Obligation};
use crate::program::{LoopId, Program, Question};
use crate::util::clock::Instant;
use crate::util::limits::Limits;
use crate::util::options;
use crate::verdict::{
    AbstractStep, Author, Certificate, Counters, Failure, Outcome, Reason, Verdict, Weakness,
};
use std::cell::OnceCell;

/// Work of the core on one obligation, and then the most cells and commands of the search for a failing run. Easy
/// proofs and simple faults are found in the first stage; what is left after the last one gets all the time there is.
fn stages() -> [(u64, usize, u64); 2] {
    let cells = options::EXPLORE_CELLS.size();
    [
        (options::VC_FIRST_WORK.get(), cells, options::VC_FIRST_SEARCH.get()),
        (options::VC_SECOND_WORK.get(), cells + 2, options::VC_SECOND_SEARCH.get()),
    ]
}

/// This engine in the table.
pub struct Vc;

impl super::Engine for Vc {
    fn author(&self) -> Author {
        Author::Vc
    }

    fn takes(&self) -> &'static str {
        "loops carry their invariants; also circular and doubly linked structures"
    }

    fn suits(&self, program: &Program) -> bool {
        super::is_annotated(program)
    }

    fn run(&self, program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
        run(program, question, setup, progress)
    }
}

/// Proves or refutes one contract of a function.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let mut counters = Counters::default();
    let verdict = decide(program, question, setup, progress, &mut counters);
    Outcome { engine: Author::Vc, verdict, counters }
}

/// The limits that are left of those of a whole run.
#[derive(Clone, Debug)]
pub struct Remaining {
    limits: Limits,
    start: Instant,
}

impl Remaining {
    /// Starts the clock.
    #[must_use]
    pub fn new(limits: &Limits) -> Remaining {
        Remaining { limits: limits.clone(), start: Instant::now() }
    }

    /// What is left now.
    #[must_use]
    pub fn now(&self) -> Limits {
        let time = self.limits.time.map(|t| t.saturating_sub(self.start.elapsed()));
        Limits { time, ..self.limits.clone() }
    }
}

fn decide(
    program: &Program,
    question: &Question,
    setup: &Setup,
    progress: Progress<'_>,
    counters: &mut Counters,
) -> Verdict {
    let remaining = Remaining::new(&setup.limits);
    if program.contracts.get(question.contract).is_none() {
        return unknown("there is no such contract".to_owned(), None);
    }
    let by_need = match wp::conditions_by_need(program, question) {
        Ok(conditions) => conditions,
        Err(reason) => return unknown(reason.message, reason.span),
    };
    let total = by_need.obligations.len();
    counters.obligations = Some(total as u64);
    let mut task = Task { conditions: &by_need, remaining: &remaining, jobs: setup.jobs, progress };
    let mut proofs = vec![Proof::Open("not reached".to_owned()); total];
    let complete = OnceCell::new();
    for (stage, (steps, cells, commands)) in stages().into_iter().enumerate() {
        // What resists is asked with its paths written out: more to read, but nothing to be found out about names.
        if stage > 0 && !by_need.encoder.named().is_empty() {
            task.conditions = complete
                .get_or_init(|| wp::conditions(program, question).unwrap_or_else(|_| by_need.clone()));
        }
        // Once an obligation does not follow, no proof of another one changes the verdict.
        if !proofs.contains(&Proof::Refuted) {
            proofs = task.run(proofs, Some(steps), counters);
        }
        if failed(&proofs).is_none() {
            return verified(program);
        }
        progress("looking for a run");
        if let Some(trace) = refute::search(
            &task,
            &setup.searches,
            program,
            question,
            &Bound { cells, commands, ..Bound::default() },
        ) {
            return Verdict::Violated(Box::new(trace));
        }
    }
    if !proofs.contains(&Proof::Refuted) {
        proofs = task.run(proofs, None, counters);
    }
    let Some(first) = reported(&proofs) else { return verified(program) };
    let obligation = &task.conditions.obligations[first];
    match &proofs[first] {
        Proof::Open(reason) => unknown(format!("{}: {reason}", obligation.what), Some(obligation.span)),
        _ => {
            let model = refute::smallest_model(&task, first);
            if let Some(model) = &model
                && let Some(trace) = refute::replay(&task, program, question, first, model)
            {
                return Verdict::Violated(Box::new(trace));
            }
            too_weak(&task, program, question, first, model)
        }
    }
}

/// The first obligation that is not proved.
fn failed(proofs: &[Proof]) -> Option<usize> {
    proofs.iter().position(|p| *p != Proof::Proved)
}

/// The obligation to report: the first that does not follow, else the first that is open.
fn reported(proofs: &[Proof]) -> Option<usize> {
    proofs.iter().position(|p| *p == Proof::Refuted).or_else(|| failed(proofs))
}

fn verified(program: &Program) -> Verdict {
    let loops = (0..program.loops.len()).map(|i| (LoopId(i as u32), Vec::new()));
    Verdict::Verified(Certificate::Invariants(loops.collect()))
}

fn unknown(message: String, span: Option<crate::util::span::Span>) -> Verdict {
    Verdict::Unknown(Reason { message, span })
}

/// The verdict for an obligation that does not follow and of which no run is known.
fn too_weak(
    task: &Task<'_, '_>,
    program: &Program,
    question: &Question,
    first: usize,
    shown: Option<(crate::logic::Terms, crate::logic::Model)>,
) -> Verdict {
    let conditions = task.conditions;
    let obligation = &conditions.obligations[first];
    let failure =
        Failure { check: obligation.check, message: obligation.what.clone(), span: obligation.span };
    let (mut state, mut abstract_trace) = (None, Vec::new());
    let mut hint = None;
    if let Some((terms, model)) = &shown {
        let read = |moment| witness::state(program, &conditions.encoder, terms, model, moment);
        let head = witness::last_head(conditions, obligation, terms, model);
        let at_entry = head.is_none();
        let moment = head.map_or(&conditions.entry, |h| &h.moment);
        let location = head.map_or(program.entry, |h| h.location);
        state = read(moment).map(Box::new);
        let text = if at_entry { "at the entry" } else { "at the head of the loop" };
        abstract_trace.push(AbstractStep {
            location,
            text: format!("{text}: the state shown satisfies what is assumed"),
        });
        abstract_trace.push(AbstractStep { location: obligation.location, text: obligation.what.clone() });
        let start = hint::head_state(program, conditions, obligation, terms, model);
        (task.progress)("looking for what is missing");
        let missing = start.and_then(|s| hint::missing(program, question, task.remaining, obligation, s));
        hint = advice(program, conditions, obligation, head, missing.as_ref());
    }
    Verdict::TooWeak(Box::new(Weakness { failure, abstract_trace, state, hint }))
}

/// What may help, as far as the counterexample shows it.
fn advice(
    program: &Program,
    conditions: &Conditions<'_>,
    obligation: &Obligation,
    head: Option<&wp::Head>,
    missing: Option<&hint::Missing>,
) -> Option<String> {
    let part = obligation.part.as_ref().map_or(String::new(), |(i, formula)| {
        let text = crate::program::print::formula(program, formula);
        format!(" (conjunct {} of the clause, {text})", i + 1)
    });
    let Some(head) = head else {
        let dropped = conditions.dropped.first();
        return dropped.map(|(_, why)| format!("a hypothesis could not be used: {why}"));
    };
    let invariants = head.of.map_or(0, |l| program.loops[l.index()].invariants.len());
    let about = if invariants == 0 {
        "the loop has no invariant, so nothing is known of what its body changes"
    } else {
        "the invariants of the loop allow the state shown"
    };
    let mut text = match obligation.kind {
        Kind::Preserved(_) => {
            format!("{about}; one round leads to a state that breaks the invariant{part}: strengthen it")
        }
        Kind::Initially(_) => format!("{about}: a conjunct of an earlier loop's invariant is missing{part}"),
        Kind::Place => format!("{about}: a conjunct that excludes it is missing{part}"),
    };
    if let Some(missing) = missing {
        let clause = |(_, formula): &(LoopId, crate::program::Formula)| {
            format!("`loop invariant {};`", crate::program::print::formula(program, formula))
        };
        let clauses: Vec<String> = missing.conjuncts.iter().map(clause).collect();
        let verb = if clauses.len() == 1 { "holds" } else { "hold" };
        let so = if missing.enough { "with it this follows" } else { "it excludes this state, not all" };
        text.push_str(&format!("; {} {verb} in every run that was tried, and {so}", clauses.join(" ")));
    }
    Some(text)
}
