//! Which promises hold after which runs of the pool.

use super::pool::Pool;

/// Good entry states that promises are evaluated on.
const SAMPLE: usize = 260;

/// Which promises hold after the runs from which entry states.
pub(super) struct After {
    /// By goal, then by number among the entry states.
    table: Vec<Vec<bool>>,
    entries: Vec<usize>,
}

impl After {
    /// Evaluates so many promises.
    pub(super) fn new(n_goals: usize, pool: &Pool<'_>, entries: &[usize]) -> After {
        let holds = |goal: usize, entry: usize| {
            let entry = &pool.entries[entry];
            entry.exits.iter().all(|exit| pool.holds_after(goal, &entry.state, exit))
        };
        let row = |goal: usize| entries.iter().map(|e| holds(goal, *e)).collect();
        After { table: (0..n_goals).map(row).collect(), entries: entries.to_vec() }
    }

    /// It holds after all runs.
    pub(super) fn always(&self, goal: usize) -> bool {
        self.table[goal].iter().all(|holds| *holds)
    }

    /// It holds after the runs from this entry state.
    pub(super) fn holds(&self, goal: usize, entry: usize) -> bool {
        let at = self.entries.iter().position(|e| *e == entry);
        at.is_some_and(|at| self.table[goal][at])
    }

    /// The entry states after which it holds, and the others.
    pub(super) fn split(&self, goal: usize, entries: &[usize]) -> (Vec<usize>, Vec<usize>) {
        entries.iter().copied().partition(|e| self.holds(goal, *e))
    }
}

/// Some of the entry states: the small ones, and every few of the others.
pub(super) fn sample(entries: &[usize]) -> Vec<usize> {
    let small = entries.len().min(SAMPLE / 2);
    let rest = &entries[small..];
    let stride = rest.len().div_ceil(SAMPLE / 2).max(1);
    entries[..small].iter().chain(rest.iter().step_by(stride)).copied().collect()
}
