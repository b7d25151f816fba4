//! A program that falls apart into regions of the heap is decided region by region.
//!
//! If every part is verified, the program is (`program::parts`). A part that is not verified says nothing about the program,
//! so the engines look at the whole then.

use super::{Clock, Runner, Task, is_final, order};
use crate::analysis::{Progress, Setup};
use crate::program::parts::parts;
use crate::util::options;
use crate::verdict::{Certificate, Counters, Outcome, Verdict};

/// The answer, if all parts are verified.
pub(super) fn by_parts(
    task: &Task<'_>,
    setup: &Setup,
    clock: &Clock,
    progress: Progress<'_>,
    run: Runner<'_>,
) -> Option<Outcome> {
    let parts = parts(task.program, task.question);
    if parts.is_empty() {
        return None;
    }
    let clock = Clock::new(&clock.share(options::PARTS_SHARE.count() as usize));
    let mut counters = Counters::default();
    let (mut evidence, mut author) = (Vec::new(), None);
    for (number, part) in parts.iter().enumerate() {
        let about = Task { program: part, inlined: None, ..*task };
        let told = |text: &str| progress(&format!("part {} of {}: {text}", number + 1, parts.len()));
        let outcome = one(&about, setup, &clock, parts.len() - number, &told, run)?;
        counters.add(&outcome.counters);
        author.get_or_insert(outcome.engine);
        let Verdict::Verified(certificate) = outcome.verdict else { return None };
        evidence.push(certificate);
    }
    let verdict = Verdict::Verified(Certificate::Parts(evidence));
    Some(Outcome { engine: author?, verdict, counters })
}

/// The first engine that verifies a part.
fn one(
    task: &Task<'_>,
    setup: &Setup,
    clock: &Clock,
    left: usize,
    progress: Progress<'_>,
    run: Runner<'_>,
) -> Option<Outcome> {
    let part = Clock::new(&clock.share(left));
    for engine in order(task.program) {
        let limits = part.slice(Some(options::PORTFOLIO_SLICE_MS.milliseconds()), 1);
        let setup = Setup { limits, searches: Default::default(), ..setup.clone() };
        let outcome = run(engine, task, &setup, progress);
        if is_final(&outcome) {
            return matches!(outcome.verdict, Verdict::Verified(_)).then_some(outcome);
        }
    }
    None
}
