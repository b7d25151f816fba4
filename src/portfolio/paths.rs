//! When the paths of a program are followed besides what the engines do.
//!
//! A program with few paths is decided by following them in milliseconds, so that is tried first. The engines come
//! next; what they leave open, and what has no model in cells, gets the rest of the time.

use super::{Clock, Decided, Engine};
use crate::analysis::Setup;
use crate::execution;
use crate::frontend::c::{self, CheckedUnit};
use crate::util::limits::Limits;
use crate::util::options::PORTFOLIO_PATHS;
use crate::verdict::Verdict;

/// Steps of the first look: a few milliseconds.
const FIRST_STEPS: u64 = 20_000;

/// The first attempt to sum up states has so many times as many.
const QUICK: u64 = 4;

/// A unit whose `main` is asked about.
pub struct Source<'a> {
    /// The unit.
    pub unit: &'a CheckedUnit,
    /// How it was read.
    pub reading: &'a c::Options,
}

/// Decides by paths and by the engines.
#[must_use]
pub fn with_paths(
    source: Option<&Source<'_>>,
    engine: Engine,
    setup: &Setup,
    engines: &dyn Fn(&Setup) -> Decided,
) -> Decided {
    let Some(source) = source.filter(|_| engine == Engine::Auto && PORTFOLIO_PATHS.get() > 0) else {
        return engines(setup);
    };
    if PORTFOLIO_PATHS.get() == 2 {
        return prove(source, &setup.limits);
    }
    let clock = Clock::new(&setup.limits);
    let steps = setup.limits.steps.map_or(FIRST_STEPS, |s| s.min(FIRST_STEPS));
    // What the engines find has a certificate.
    if !setup.certificates {
        let first = follow(source, &Limits { steps: Some(steps), ..clock.share(2) });
        if is_decided(&first) {
            return first;
        }
    }
    if !setup.certificates {
        let quick = Limits { steps: Some(steps.saturating_mul(QUICK)), ..clock.share(8) };
        let summed = prove(source, &quick);
        if is_decided(&summed) {
            return summed;
        }
    }
    // Time is kept for the paths only if there is a limit to it.
    let share = clock.share(1).time.map(|left| left * 2 / 3);
    let limits = Limits { time: share.or(setup.limits.time), ..setup.limits.clone() };
    let found = engines(&Setup { limits, ..setup.clone() });
    if is_decided(&found) || found.disagreement {
        return found;
    }
    let summed = prove(source, &clock.share(2));
    if is_decided(&summed) {
        return summed;
    }
    let rest = follow(source, &clock.share(1));
    if is_decided(&rest) { rest } else { both(found, rest) }
}

/// The engines have no answer, and the paths have none: both say why.
fn both(mut engines: Decided, paths: Decided) -> Decided {
    if let (Verdict::Unknown(why), Verdict::Unknown(also)) =
        (&mut engines.outcome.verdict, paths.outcome.verdict)
    {
        why.message = format!("{}; on its paths: {}", why.message, also.message);
    }
    engines
}

fn follow(source: &Source<'_>, limits: &Limits) -> Decided {
    let executed = execution::decide(source.unit, source.reading, limits);
    Decided { view: executed.view, ..Decided::new(executed.outcome) }
}

fn prove(source: &Source<'_>, limits: &Limits) -> Decided {
    Decided::new(execution::prove(source.unit, source.reading, limits).outcome)
}

fn is_decided(decided: &Decided) -> bool {
    matches!(decided.outcome.verdict, Verdict::Verified(_) | Verdict::Violated(_))
}
