//! When the paths of a program are followed besides what the engines do.
//!
//! A program with few paths is decided by following them in milliseconds, so that is tried first. The engines come next; after
//! each turn of theirs the paths get as much time as it took, so that neither waits for the other for more than twice the
//! time that is needed. Both ways to look at paths go on where they stopped. What is left of the time is theirs.

use super::{Aside, Clock, Decided, Engine};
use crate::analysis::Setup;
use crate::execution::{Executed, Follower, Prover};
use crate::frontend::c::{self, CheckedUnit};
use crate::program::Check;
use crate::util::clock::Instant;
use crate::util::limits::{CancelToken, Limits};
use crate::util::options::PORTFOLIO_PATHS;
use crate::verdict::{Reason, Verdict};
use std::cell::RefCell;
use std::time::Duration;

/// Steps of the first look: a few milliseconds.
const FIRST_STEPS: u64 = 20_000;
/// The first attempts to sum up states have so many times as many, and this much time.
const QUICK: u64 = 60;
const QUICK_TIME: Duration = Duration::from_millis(600);
/// A turn of the paths when nobody else is left; the next one is twice as long.
const TURN: Duration = Duration::from_millis(500);

/// A unit whose `main` is asked about.
pub struct Source<'a> {
    /// The unit.
    pub unit: &'a CheckedUnit,
    /// How it was read.
    pub reading: &'a c::Options,
    /// There is a model in cells for the engines.
    pub has_cells: bool,
}

/// The paths of a program, followed as they are and summed up.
struct Paths<'a> {
    limits: &'a Limits,
    follower: RefCell<Follower<'a>>,
    prover: RefCell<Prover<'a>>,
    /// What was found, of the last turn of each.
    decided: RefCell<Option<Decided>>,
    summed: RefCell<Option<Reason>>,
    followed: RefCell<Option<Reason>>,
}

impl<'a> Paths<'a> {
    fn new(source: &Source<'a>, limits: &'a Limits) -> Paths<'a> {
        Paths {
            limits,
            follower: RefCell::new(Follower::new(source.unit, source.reading)),
            prover: RefCell::new(Prover::new(source.unit, source.reading)),
            decided: RefCell::default(),
            summed: RefCell::default(),
            followed: RefCell::default(),
        }
    }

    /// Keeps an answer, or why there is none.
    fn note(&self, found: Executed, open: &RefCell<Option<Reason>>) -> bool {
        match found.outcome.verdict {
            Verdict::Verified(_) | Verdict::Violated(_) => {
                let decided = Decided { view: found.view, ..Decided::new(found.outcome) };
                *self.decided.borrow_mut() = Some(decided);
                return true;
            }
            Verdict::Unknown(reason) => *open.borrow_mut() = Some(reason),
            Verdict::TooWeak(_) => {}
        }
        false
    }

    fn follow(&self, limits: &Limits) -> bool {
        let mut follower = self.follower.borrow_mut();
        !follower.has_ended() && self.note(follower.go_on(limits), &self.followed)
    }

    fn prove(&self, limits: &Limits) -> bool {
        let mut prover = self.prover.borrow_mut();
        !prover.has_ended() && self.note(prover.go_on(limits), &self.summed)
    }

    /// All the rest of the time.
    fn finish(&self, clock: &Clock) -> bool {
        let mut turn = TURN;
        loop {
            let left = clock.share(1).time;
            let cancelled = self.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled);
            if left.is_some_and(|t| t <= Duration::from_millis(1)) || cancelled || !self.goes_on() {
                return false;
            }
            if self.work(left.map_or(turn, |t| t.min(turn))) {
                return true;
            }
            // A limit to steps is one for each turn.
            if self.limits.steps.is_some() {
                return false;
            }
            turn *= 2;
        }
    }

    /// Why there is no answer.
    fn reason(&self) -> Option<Reason> {
        let (summed, followed) = (self.summed.borrow_mut().take(), self.followed.borrow_mut().take());
        // What has no meaning on paths is said before that they have no end.
        match (followed, summed) {
            (Some(followed), _) if followed.span.is_some() => Some(followed),
            (followed, summed) => summed.or(followed),
        }
    }
}

impl Aside for Paths<'_> {
    fn work(&self, time: Duration) -> bool {
        let start = Instant::now();
        let ends = self.prover.borrow().has_ended();
        let follows = if ends { time } else { time / 2 };
        if self.is_decided() || self.follow(&Limits { time: Some(follows), ..self.limits.clone() }) {
            return true;
        }
        let left = time.saturating_sub(start.elapsed());
        self.prove(&Limits { time: Some(left), ..self.limits.clone() })
    }

    fn is_decided(&self) -> bool {
        self.decided.borrow().is_some()
    }

    fn goes_on(&self) -> bool {
        !(self.follower.borrow().has_ended() && self.prover.borrow().has_ended())
    }

    fn has_excluded(&self, class: Check) -> bool {
        self.prover.borrow().excluded().contains(&class)
    }

    fn exclude(&self, class: Check) {
        self.prover.borrow_mut().exclude(class);
    }
}

/// Decides by paths and by the engines.
#[must_use]
pub fn with_paths(
    source: Option<&Source<'_>>,
    engine: Engine,
    setup: &Setup,
    engines: &dyn Fn(&Setup, Option<&dyn Aside>) -> Decided,
) -> Decided {
    let Some(source) = source.filter(|_| engine == Engine::Auto && PORTFOLIO_PATHS.get() > 0) else {
        return engines(setup, None);
    };
    let clock = Clock::new(&setup.limits);
    if PORTFOLIO_PATHS.get() == 2 {
        return Decided::new(Prover::new(source.unit, source.reading).go_on(&setup.limits).outcome);
    }
    let paths = Paths::new(source, &setup.limits);
    let steps = setup.limits.steps.map_or(FIRST_STEPS, |s| s.min(FIRST_STEPS));
    let quick = |part: usize, steps: u64| Limits { steps: Some(steps), ..clock.share(part) };
    // What the engines find has a certificate.
    let first = !setup.certificates
        && (paths.follow(&quick(2, steps))
            || paths.prove(&Limits {
                time: Some(clock.at_most(QUICK_TIME)),
                ..quick(8, steps.saturating_mul(QUICK))
            }));
    let found = if first {
        None
    } else {
        let limits = if setup.certificates { clock.share(2) } else { clock.share(1) };
        let aside: Option<&dyn Aside> = (!setup.certificates).then_some(&paths);
        let found = engines(&Setup { limits, ..setup.clone() }, aside);
        if !paths.is_decided() && (is_decided(&found) || found.disagreement) {
            return found;
        }
        if !paths.is_decided() {
            paths.finish(&clock);
        }
        Some(found)
    };
    let decided = paths.decided.borrow_mut().take();
    match (decided, found) {
        (Some(decided), _) => decided,
        (None, Some(found)) => both(found, paths.reason(), source.has_cells),
        (None, None) => engines(setup, None),
    }
}

/// The engines have no answer, and the paths have none: both say why, those first that know the program.
fn both(mut engines: Decided, paths: Option<Reason>, has_cells: bool) -> Decided {
    let Some(paths) = paths else { return engines };
    match &mut engines.outcome.verdict {
        Verdict::Unknown(why) if !has_cells => {
            why.message = format!("{}; for the engines: {}", paths.message, why.message);
            why.span = paths.span.or(why.span);
        }
        Verdict::Unknown(why) => why.message = format!("{}; on its paths: {}", why.message, paths.message),
        _ => {}
    }
    engines
}

fn is_decided(decided: &Decided) -> bool {
    matches!(decided.outcome.verdict, Verdict::Verified(_) | Verdict::Violated(_))
}
