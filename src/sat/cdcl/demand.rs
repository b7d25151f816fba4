//! Deciding on demand: a query assigns only what its clauses need.
//!
//! Every variable has a *default*, the value it is read as while it is open. A clause with an open or true
//! literal that its default makes true *sleeps* on that literal and is not looked at. When the last such
//! literal becomes false the clause is *awake*, and unless one of its other literals is true, one of them
//! has to be decided. When no awake clause is left without a true literal, the trail with all open variables
//! at their defaults is a model of the clauses of the caller; learnt clauses follow from those. So frames,
//! cubes and witnesses of other queries cost nothing.
//!
//! A definition sleeps on its negated head, its last literal, whenever that is not false.
//!
//! Invariants: a clause sleeps on a literal that is not false, or whose negation has not been read from the
//! trail yet, or it is awake and waits at the literal that became false last; then backtracking puts it to
//! sleep again without any work. `awake` is ordered by trail positions. `passed` runs beside it: how much of
//! the trail the clauses looked at so far rest on.

use crate::sat::lit::{Lit, Var};

/// Which clauses of the caller need a decision.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// The literals of all clauses, one after the other.
    lits: Vec<Lit>,
    /// `start << 1 | definition` of each clause; the last entry is the end.
    starts: Vec<u32>,
    /// For each variable how it is read while it is open.
    default: Vec<bool>,
    /// For each literal the clauses that sleep on it.
    sleepers: Vec<Vec<u32>>,
    /// Clauses that no default makes true.
    always: Vec<u32>,
    /// Clauses awake and the position of the trail that woke them.
    awake: Vec<(u32, u32)>,
    /// For the first clauses of `always` and `awake`: they are true as long as the trail is longer than this.
    passed: Vec<u32>,
    /// How much of the trail has been read.
    read: usize,
    /// Where a variable was last read on the trail.
    place: Vec<u32>,
}

/// What the search knows: values by literal, and the trail.
pub(super) struct Trail<'a> {
    pub(super) values: &'a [i8],
    pub(super) trail: &'a [Lit],
}

impl Demand {
    pub(super) fn new() -> Demand {
        Demand {
            lits: Vec::new(),
            starts: vec![0],
            default: Vec::new(),
            sleepers: Vec::new(),
            always: Vec::new(),
            awake: Vec::new(),
            passed: Vec::new(),
            read: 0,
            place: Vec::new(),
        }
    }

    pub(super) fn new_var(&mut self, default: bool) {
        self.default.push(default);
        self.sleepers.extend([Vec::new(), Vec::new()]);
        self.place.push(u32::MAX);
    }

    /// How a variable is read while it is open.
    pub(super) fn default(&self, var: Var) -> bool {
        self.default[var.index()]
    }

    /// Changes how a variable is read while it is open.
    pub(super) fn set_default(&mut self, var: Var, default: bool, now: &Trail<'_>) {
        if self.default[var.index()] == default {
            return;
        }
        self.default[var.index()] = default;
        for clause in std::mem::take(&mut self.sleepers[Lit::new(var, !default).index()]) {
            self.awake.retain(|&(awake, _)| awake != clause);
            self.passed.clear();
            self.lay_down(clause, now);
        }
    }

    /// Takes in a clause.
    pub(super) fn add(&mut self, lits: &[Lit], definition: bool, now: &Trail<'_>) {
        let clause = self.starts.len() as u32 - 1;
        self.lits.extend_from_slice(lits);
        self.starts[clause as usize] |= u32::from(definition);
        self.starts.push((self.lits.len() as u32) << 1);
        self.lay_down(clause, now);
    }

    /// Puts a clause that is in no list where it belongs.
    fn lay_down(&mut self, clause: u32, now: &Trail<'_>) {
        let Some(best) = self.bed(clause, now) else {
            self.always.push(clause);
            self.passed.clear();
            return;
        };
        self.sleepers[best.index()].push(clause);
        if let Some(place) = self.read_at(best, now) {
            // All its defaults are gone already: read on from where the last one went.
            self.rewind(place as usize);
        }
    }

    /// The literal a clause should sleep on: one that is true, one that is open, one whose end has not been
    /// read, or the one that ended last. None if no default makes it true.
    fn bed(&self, clause: u32, now: &Trail<'_>) -> Option<Lit> {
        let lits = &self.lits[self.range(clause)];
        if self.is_definition(clause) {
            let gate = lits[lits.len() - 1];
            if self.default[gate.var().index()] == gate.is_positive() && now.values[gate.index()] >= 0 {
                return Some(gate);
            }
        }
        let mut best = None;
        for &lit in lits {
            if self.default[lit.var().index()] != lit.is_positive() {
                continue;
            }
            let rank = match now.values[lit.index()] {
                1.. => return Some(lit),
                0 => u64::MAX,
                _ => self.read_at(lit, now).map_or(u64::MAX - 1, u64::from),
            };
            if best.is_none_or(|(known, _)| known < rank) {
                best = Some((rank, lit));
            }
        }
        best.map(|(_, lit)| lit)
    }

    fn range(&self, clause: u32) -> std::ops::Range<usize> {
        let at = clause as usize;
        (self.starts[at] >> 1) as usize..(self.starts[at + 1] >> 1) as usize
    }

    fn is_definition(&self, clause: u32) -> bool {
        self.starts[clause as usize] & 1 != 0
    }

    /// The position at which the end of a literal was read, if it is false and that was read.
    fn read_at(&self, lit: Lit, now: &Trail<'_>) -> Option<u32> {
        let place = self.place[lit.var().index()];
        ((place as usize) < self.read && now.trail[place as usize] == !lit).then_some(place)
    }

    /// Forgets what was read of the trail from `start` on.
    pub(super) fn rewind(&mut self, start: usize) {
        self.read = self.read.min(start);
        while self.awake.last().is_some_and(|&(_, at)| at as usize >= start) {
            self.awake.pop();
        }
        while self.passed.last().is_some_and(|&at| at as usize >= start)
            || self.passed.len() > self.always.len() + self.awake.len()
        {
            self.passed.pop();
        }
    }

    fn read_trail(&mut self, now: &Trail<'_>) {
        while let Some(&lit) = now.trail.get(self.read) {
            let at = self.read as u32;
            self.place[lit.var().index()] = at;
            self.read += 1;
            let gone = !lit;
            if self.sleepers[gone.index()].is_empty() {
                continue;
            }
            let mut list = std::mem::take(&mut self.sleepers[gone.index()]);
            list.retain(|&clause| {
                let bed = self.bed(clause, now).unwrap_or(gone);
                if bed == gone {
                    self.awake.push((clause, at));
                    return true;
                }
                self.sleepers[bed.index()].push(clause);
                false
            });
            self.sleepers[gone.index()] = list;
        }
    }

    /// The open literals of the first clause that needs one of them to be true; none if the trail and the
    /// defaults are a model. Everything on the trail must be propagated.
    pub(super) fn needy(&mut self, now: &Trail<'_>) -> Option<&[Lit]> {
        self.read_trail(now);
        loop {
            let at = self.passed.len();
            let clause = match self.always.get(at) {
                Some(&clause) => clause,
                None => self.awake.get(at - self.always.len())?.0,
            };
            let lits = &self.lits[self.range(clause)];
            let holds = lits.iter().filter(|lit| now.values[lit.index()] > 0);
            let Some(rests) = holds.map(|lit| self.place[lit.var().index()]).min() else {
                return Some(&self.lits[self.range(clause)]);
            };
            self.passed.push(self.passed.last().copied().unwrap_or(0).max(rests));
        }
    }

    /// Drops clauses for which `settled` says that they are true for ever.
    pub(super) fn sweep(&mut self, settled: impl Fn(Lit) -> bool, now: &Trail<'_>) {
        let old = std::mem::take(&mut self.lits);
        let starts = std::mem::replace(&mut self.starts, vec![0]);
        self.sleepers.iter_mut().for_each(Vec::clear);
        self.always.clear();
        self.awake.clear();
        self.passed.clear();
        self.read = 0;
        for bounds in starts.windows(2) {
            let lits = &old[(bounds[0] >> 1) as usize..(bounds[1] >> 1) as usize];
            if !lits.iter().any(|&lit| settled(lit)) {
                self.add(lits, bounds[0] & 1 != 0, now);
            }
        }
    }

    /// Bytes held, nearly.
    pub(super) fn memory_bytes(&self) -> u64 {
        // A clause is in one list; lists grow by doubling.
        (self.lits.capacity() * 4 + self.starts.capacity() * 10 + self.place.len() * 60) as u64
    }

    /// Asserts the invariants of the head.
    #[cfg(feature = "testing")]
    pub(super) fn check_invariants(&self, now: &Trail<'_>) {
        let mut times = vec![0; self.starts.len() - 1];
        self.always.iter().for_each(|&clause| times[clause as usize] += 1);
        let awake = |clause: u32| self.awake.iter().any(|&(c, _)| c == clause);
        for (index, list) in self.sleepers.iter().enumerate() {
            let lit = Lit::from_code(index as u32);
            for &clause in list {
                times[clause as usize] += 1;
                assert!(self.lits[self.range(clause)].contains(&lit), "a clause sleeps on its own literals");
                assert_eq!(self.default(lit.var()), lit.is_positive(), "sleepers trust in defaults");
                let read = self.read_at(lit, now);
                assert_eq!(awake(clause), read.is_some(), "awake once the last default was read as gone");
            }
        }
        assert!(times.iter().all(|&n| n == 1), "each clause is in one list");
        assert!(self.awake.is_sorted_by_key(|a| a.1), "clauses wake in the order of the trail");
        assert!(self.passed.len() <= self.always.len() + self.awake.len(), "what was looked at exists");
        assert!(self.read <= now.trail.len(), "only the trail is read");
    }
}
