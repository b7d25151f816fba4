//! Random runs of a whole program, for what the systematic search does not reach: values that count iterations,
//! long runs of which few fail.
//!
//! A run draws its integers from the program's own and the small naturals; how often it draws 0, the value that ends
//! most loops over input, is drawn once per run. Of all failing runs found the one with the fewest commands is
//! kept, then the one with the smallest choices; every single choice is then replaced by smaller ones as long as
//! the run still fails. Equal programs and bounds give equal traces.

use crate::program::decl::IntKind;
use crate::program::interp::{Chooser, End, Given, Machine, Recorder};
use crate::program::state::State;
use crate::program::trace::Trace;
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use crate::util::rng::Rng;

/// Small naturals that integers are drawn from, besides the program's own.
const NATURALS: i128 = 12;

/// Draws every choice; 0 and the first way with the run's own frequency.
struct Sampler<'a> {
    rng: Rng,
    ints: &'a [i128],
    zero_one_in: usize,
}

impl Chooser for Sampler<'_> {
    fn choose(&mut self, n: usize) -> Option<usize> {
        Some(self.rng.below(n))
    }

    fn int(&mut self, kind: IntKind) -> Option<i128> {
        if self.rng.one_in(self.zero_one_in) {
            return Some(0);
        }
        let value = if self.rng.one_in(2) {
            *self.rng.pick(self.ints)
        } else {
            self.rng.below(NATURALS as usize) as i128
        };
        Some(kind.wrap(value))
    }
}

/// What is preferred: few commands, small choices.
type Rank = (u64, i128);

fn rank(steps: u64, choices: &[i128]) -> Rank {
    (steps, choices.iter().map(|c| c.saturating_abs()).fold(0, i128::saturating_add))
}

/// Looks for a failing run from the initial state of a whole program within so many commands.
pub(super) fn search(
    machine: &Machine<'_>,
    initial: &State,
    ints: &[i128],
    commands: u64,
    keep: usize,
    budget: &mut Budget,
) -> Result<Option<Trace>, Stop> {
    let zero = [0];
    let ints = if ints.is_empty() { &zero } else { ints };
    let mut best: Option<(Rank, Vec<i128>)> = None;
    let mut used = 0;
    let mut seed = 0;
    // The last quarter is for making the run smaller.
    while used < commands - commands / 4 {
        seed += 1;
        let rng = Rng::new(seed);
        let mut chooser = Recorder::new(Sampler { rng, ints, zero_one_in: 2 + (seed as usize % 4) * 2 });
        let limit = best.as_ref().map_or(options::EXPLORE_SAMPLE_RUN.get(), |((steps, _), _)| *steps);
        let (failed, steps) = attempt(machine, initial, &mut chooser, limit);
        used += steps + 1;
        budget.spend(steps + 1)?;
        if failed {
            let rank = rank(steps, &chooser.choices);
            if best.as_ref().is_none_or(|(r, _)| rank < *r) {
                best = Some((rank, chooser.choices));
            }
        }
    }
    let Some((mut best_rank, mut choices)) = best else { return Ok(None) };
    let mut at = 0;
    while at < choices.len() && used < commands {
        let mut smaller = false;
        for value in [0, 1, choices[at] / 2, choices[at] - choices[at].signum()] {
            if value.saturating_abs() >= choices[at].saturating_abs() {
                continue;
            }
            let mut candidate = choices.clone();
            candidate[at] = value;
            let mut chooser = Recorder::new(Given::new(&candidate, true));
            let (failed, steps) = attempt(machine, initial, &mut chooser, best_rank.0);
            used += steps + 1;
            budget.spend(steps + 1)?;
            let rank = rank(steps, &chooser.choices);
            if failed && rank < best_rank {
                (best_rank, choices) = (rank, chooser.choices);
                smaller = true;
                break;
            }
        }
        at = if smaller { at } else { at + 1 };
    }
    Ok(machine.trace(initial, &mut Given::new(&choices, true), best_rank.0 + 1, keep))
}

/// Runs once; whether the run failed, and its commands.
fn attempt(machine: &Machine<'_>, initial: &State, chooser: &mut dyn Chooser, limit: u64) -> (bool, u64) {
    let mut run = machine.start(initial.clone());
    let end = machine.run(&mut run, chooser, limit);
    (matches!(end, End::Failed(_)), run.steps)
}
