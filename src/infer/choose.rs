//! The weakest condition that the pool supports: it excludes every entry state with a run that fails or does not end,
//! and as few of the others as possible.
//!
//! First come conditions that no good entry state breaks: they are necessary. If these do not suffice, the one that
//! excludes most bad states for the good ones it costs is taken, and so on. Then whatever is not needed is dropped,
//! the dearest first: every conjunct that is left has a bad state that nothing else excludes.

use super::atoms::Atom;
use super::pool::{Fate, Pool};
use std::collections::BTreeSet;

/// What a plain candidate costs at most.
const PLAIN: u32 = 4;

/// Edges that are left, good states that are left against the cost, good states that are left.
type Measure = (usize, i64, usize);

/// What a condition is judged by.
pub(super) struct Judge<'p> {
    pool: &'p Pool<'p>,
    atoms: &'p [Atom],
    pub(super) good: Vec<usize>,
    pub(super) bad: Vec<usize>,
}

impl<'p> Judge<'p> {
    pub(super) fn new(pool: &'p Pool<'p>, atoms: &'p [Atom]) -> Judge<'p> {
        let with = |wanted: fn(&Fate) -> bool| {
            let entries = pool.entries.iter().enumerate();
            entries.filter(|(_, e)| wanted(&e.fate)).map(|(i, _)| i).collect()
        };
        let good = with(|fate| *fate == Fate::Good);
        let bad = with(|fate| matches!(fate, Fate::Fails(_) | Fate::Circles));
        Judge { pool, atoms, good, bad }
    }

    /// A judge that tells these entry states from those.
    pub(super) fn of(pool: &'p Pool<'p>, atoms: &'p [Atom], good: Vec<usize>, bad: Vec<usize>) -> Judge<'p> {
        Judge { pool, atoms, good, bad }
    }

    fn holds(&self, atom: usize, entry: usize) -> bool {
        self.pool.entries[entry].holds[atom]
    }

    /// The entry states of a list that satisfy a condition.
    pub(super) fn satisfying(&self, condition: &[usize], of: &[usize]) -> Vec<usize> {
        of.iter().copied().filter(|e| condition.iter().all(|a| self.holds(*a, *e))).collect()
    }

    /// Nobody asks for a list and a ring along the same field.
    fn clashes(&self, atom: usize, condition: &[usize]) -> bool {
        let (shape, ring) = (self.atoms[atom].ends(), self.atoms[atom].circles());
        let other = |a: &usize| {
            let (s, r) = (self.atoms[*a].ends(), self.atoms[*a].circles());
            ring.is_some() && ring == s || shape.is_some() && shape == r
        };
        condition.iter().any(other)
    }

    /// The edges that runs from these entry states take.
    pub(super) fn covered(&self, entries: &[usize]) -> BTreeSet<u32> {
        entries.iter().flat_map(|e| self.pool.entries[*e].edges.iter().copied()).collect()
    }

    /// Whether the good states of a condition take every edge that good runs take at all.
    pub(super) fn covers_all(&self, condition: &[usize]) -> bool {
        let satisfying = self.satisfying(condition, &self.good);
        !satisfying.is_empty() && self.covered(&satisfying).len() == self.covered(&self.good).len()
    }

    /// A condition that no bad state satisfies, if the candidates have one that leaves a good state. Those that are
    /// banned are not used. What only plain candidates give is preferred to what needs all of them, if it costs few
    /// good states.
    pub(super) fn condition(&self, banned: &BTreeSet<usize>) -> Option<Vec<usize>> {
        if self.bad.is_empty() {
            return Some(Vec::new());
        }
        let mut best: Option<(Measure, Vec<usize>)> = None;
        for dearest in [PLAIN, u32::MAX] {
            let usable = |a: &usize| {
                let fits = !banned.contains(a) && self.atoms[*a].cost <= dearest;
                fits && self.bad.iter().any(|e| !self.holds(*a, *e))
            };
            let candidates: Vec<usize> = (0..self.atoms.len()).filter(usable).collect();
            let Some(mut condition) = self.greedy(&candidates) else { continue };
            self.improve(&mut condition, &candidates);
            self.minimise(&mut condition);
            condition.sort_unstable();
            let measured = self.measure(&condition);
            if best.as_ref().is_none_or(|(m, _)| measured > *m) {
                best = Some((measured, condition));
            }
        }
        // A condition under which parts of the function are dead is none that its callers have.
        best.map(|(_, condition)| condition).filter(|condition| self.covers_all(condition))
    }

    fn greedy(&self, candidates: &[usize]) -> Option<Vec<usize>> {
        let mut left: Vec<usize> = self.bad.clone();
        let mut good: Vec<usize> = self.good.clone();
        let edges = self.covered(&self.good).len();
        let mut condition = Vec::new();
        while !left.is_empty() {
            let mut best: Option<((bool, bool, u64, u32), usize)> = None;
            let fits = |a: &&usize| !condition.contains(*a) && !self.clashes(**a, &condition);
            for &atom in candidates.iter().filter(fits) {
                let excluded = left.iter().filter(|e| !self.holds(atom, **e)).count() as u64;
                if excluded == 0 {
                    continue;
                }
                let kept: Vec<usize> = good.iter().copied().filter(|e| self.holds(atom, *e)).collect();
                let lost = (good.len() - kept.len()) as u64;
                let cost = self.atoms[atom].cost;
                // A dear condition that is not necessary is an accident.
                if kept.is_empty() || (cost > PLAIN + 3 && lost * 8 > self.good.len() as u64) {
                    continue;
                }
                let covers = self.covered(&kept).len() == edges;
                // What one good state costs in bad ones.
                let worth = 1_000 * excluded / (4 + 20 * lost / (good.len() as u64 / 16 + 1) + lost);
                let rank = (!covers, lost > 0, u64::MAX - worth / u64::from(cost), cost);
                if best.as_ref().is_none_or(|(r, _)| rank < *r) {
                    best = Some((rank, atom));
                }
            }
            let (_, atom) = best?;
            condition.push(atom);
            left.retain(|e| self.holds(atom, *e));
            good.retain(|e| self.holds(atom, *e));
        }
        Some(condition)
    }

    /// What a condition is worth: the edges that it leaves, then the good states that it leaves against its cost.
    fn measure(&self, condition: &[usize]) -> Measure {
        let kept = self.satisfying(condition, &self.good);
        let cost: i64 = condition.iter().map(|a| i64::from(self.atoms[*a].cost)).sum();
        let part = 100 * kept.len() as i64 / self.good.len().max(1) as i64;
        (self.covered(&kept).len(), part - 2 * cost, kept.len())
    }

    /// Drops what is not needed, the dearest first.
    pub(super) fn minimise(&self, condition: &mut Vec<usize>) {
        let mut order = condition.clone();
        order.sort_by_key(|a| (std::cmp::Reverse(self.atoms[*a].cost), std::cmp::Reverse(*a)));
        for atom in order {
            let rest: Vec<usize> = condition.iter().copied().filter(|a| *a != atom).collect();
            if self.satisfying(&rest, &self.bad).is_empty() {
                *condition = rest;
            }
        }
    }

    /// Replaces a conjunct by another one that leaves more good states, or by a cheaper one that leaves as many.
    fn improve(&self, condition: &mut Vec<usize>, candidates: &[usize]) {
        for _ in 0..4 {
            self.minimise(condition);
            let before = self.measure(condition);
            let mut best = (before, None);
            for i in 0..condition.len() {
                let mut other = condition.clone();
                other.remove(i);
                let open = self.satisfying(&other, &self.bad);
                let fits = |a: &&usize| {
                    !other.contains(a)
                        && !self.clashes(**a, &other)
                        && open.iter().all(|e| !self.holds(**a, *e))
                };
                for atom in candidates.iter().filter(fits) {
                    let mut tried = other.clone();
                    tried.push(*atom);
                    let measured = self.measure(&tried);
                    if measured > best.0 {
                        best = (measured, Some(tried));
                    }
                }
            }
            match best.1 {
                Some(better) => *condition = better,
                None => return,
            }
        }
    }

    /// A bad state that satisfies all conjuncts but this one: the run that it is needed for.
    pub(super) fn witness(&self, condition: &[usize], atom: usize) -> Option<usize> {
        let rest: Vec<usize> = condition.iter().copied().filter(|a| *a != atom).collect();
        let mut open = self.satisfying(&rest, &self.bad);
        // A failure is easier to show than a run without end.
        open.sort_by_key(|e| (self.pool.entries[*e].fate == Fate::Circles, *e));
        open.into_iter().find(|e| !self.holds(atom, *e))
    }
}
