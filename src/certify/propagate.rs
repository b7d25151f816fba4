//! Unit propagation with two watched literals, for [`crate::proof::Step::Propagation`].
//!
//! Clauses are only added, never removed. What follows from them by propagation alone is kept for good, so
//! that a clause asked about later costs what its own consequences cost and no more.
//!
//! Invariant between calls: propagation is complete, and every stored clause watches (in its first two
//! places) two literals of which none is false, or one is true.

use crate::logic::{TermId, Terms};
use crate::proof::Literal;
use crate::util::hash::Map;

/// A literal as a number: twice the variable, plus one if negative.
type Code = u32;

/// All clauses proved so far, and what propagation makes of them.
pub(super) struct Propagator {
    variables: Map<TermId, u32>,
    /// Truth of each variable, if it is known.
    values: Vec<Option<bool>>,
    /// Clauses of at least two literals.
    clauses: Vec<Box<[Code]>>,
    /// For each literal the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// True literals in the order in which they became true.
    trail: Vec<Code>,
    /// How much of the trail has been propagated.
    n_propagated: usize,
    contradictory: bool,
    /// Clauses looked at since somebody asked.
    n_visits: u64,
}

impl Propagator {
    /// Knows that `true` is true and `false` is false.
    pub fn new() -> Propagator {
        let mut propagator = Propagator {
            variables: Map::default(),
            values: Vec::new(),
            clauses: Vec::new(),
            watches: Vec::new(),
            trail: Vec::new(),
            n_propagated: 0,
            contradictory: false,
            n_visits: 0,
        };
        propagator.add(&[Literal { atom: Terms::TRUE, positive: true }]);
        propagator.add(&[Literal { atom: Terms::FALSE, positive: false }]);
        propagator
    }

    /// How many clauses were looked at since the last call.
    pub fn take_visits(&mut self) -> u64 {
        std::mem::take(&mut self.n_visits)
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: &[Literal]) {
        let mut codes: Vec<Code> = clause.iter().map(|&l| self.code(l)).collect();
        codes.sort_unstable();
        codes.dedup();
        // The two signs of a variable are neighbours.
        let tautology = codes.windows(2).any(|w| w[0] ^ 1 == w[1]);
        if self.contradictory || tautology || codes.iter().any(|&c| self.value(c) == Some(true)) {
            return;
        }
        // What is false here is false for good.
        codes.retain(|&c| self.value(c).is_none());
        match codes[..] {
            [] => self.contradictory = true,
            [only] => {
                self.assign(only);
                self.contradictory = self.propagate();
            }
            _ => {
                let id = self.clauses.len() as u32;
                self.watches[codes[0] as usize].push(id);
                self.watches[codes[1] as usize].push(id);
                self.clauses.push(codes.into());
            }
        }
    }

    /// Whether propagation with every literal of the clause false ends in a conflict.
    pub fn implies(&mut self, clause: &[Literal]) -> bool {
        if self.contradictory {
            return true;
        }
        let n_permanent = self.trail.len();
        let mut conflict = false;
        for &literal in clause {
            let negation = self.code(literal) ^ 1;
            match self.value(negation) {
                Some(true) => {}
                Some(false) => conflict = true,
                None => self.assign(negation),
            }
        }
        conflict = conflict || self.propagate();
        for code in self.trail.drain(n_permanent..) {
            self.values[(code / 2) as usize] = None;
        }
        self.n_propagated = n_permanent;
        conflict
    }

    fn code(&mut self, literal: Literal) -> Code {
        let next = self.values.len() as u32;
        let variable = *self.variables.entry(literal.atom).or_insert(next);
        if variable == next {
            self.values.push(None);
            self.watches.extend([Vec::new(), Vec::new()]);
        }
        2 * variable + u32::from(!literal.positive)
    }

    fn value(&self, code: Code) -> Option<bool> {
        self.values[(code / 2) as usize].map(|v| v == code.is_multiple_of(2))
    }

    fn assign(&mut self, code: Code) {
        debug_assert!(self.value(code).is_none(), "no literal is assigned twice");
        self.values[(code / 2) as usize] = Some(code.is_multiple_of(2));
        self.trail.push(code);
    }

    /// Propagates to the end; true if there is a conflict.
    fn propagate(&mut self) -> bool {
        while let Some(&code) = self.trail.get(self.n_propagated) {
            self.n_propagated += 1;
            if self.visit_watches(code ^ 1) {
                return true;
            }
        }
        false
    }

    /// Finds a new watch, a unit or a conflict in each clause that watches a literal that became false.
    fn visit_watches(&mut self, falsified: Code) -> bool {
        let mut watching = std::mem::take(&mut self.watches[falsified as usize]);
        let mut conflict = false;
        let mut kept = 0;
        self.n_visits += 1 + watching.len() as u64;
        for i in 0..watching.len() {
            let id = watching[i];
            if conflict || !self.move_watch(id, falsified) {
                watching[kept] = id;
                kept += 1;
                let other = self.clauses[id as usize][0];
                match self.value(other) {
                    _ if conflict => {}
                    Some(true) => {}
                    Some(false) => conflict = true,
                    None => self.assign(other),
                }
            }
        }
        watching.truncate(kept);
        self.watches[falsified as usize] = watching;
        conflict
    }

    /// Lets a clause watch another literal; false if there is none to watch, or no need to. The other
    /// watched literal is then in the first place.
    fn move_watch(&mut self, id: u32, falsified: Code) -> bool {
        if self.clauses[id as usize][0] == falsified {
            self.clauses[id as usize].swap(0, 1);
        }
        let clause = &self.clauses[id as usize];
        debug_assert_eq!(clause[1], falsified, "a clause is on the lists of the literals it watches");
        if self.value(clause[0]) == Some(true) {
            return false;
        }
        let Some(place) = (2..clause.len()).find(|&i| self.value(clause[i]) != Some(false)) else {
            return false;
        };
        let watched = clause[place];
        self.clauses[id as usize].swap(1, place);
        self.watches[watched as usize].push(id);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    fn literal(number: i64) -> Literal {
        Literal { atom: TermId(number.unsigned_abs() as u32 + 1), positive: number > 0 }
    }

    fn clause(numbers: &[i64]) -> Vec<Literal> {
        numbers.iter().map(|&n| literal(n)).collect()
    }

    /// Propagation by definition: look at all clauses until nothing changes.
    fn conflicts(clauses: &[Vec<Literal>], assumed: &[Literal]) -> bool {
        let mut known: Vec<Literal> = assumed.to_vec();
        loop {
            if known.iter().any(|&l| known.contains(&!l)) {
                return true;
            }
            let before = known.len();
            for clause in clauses {
                let mut open: Vec<Literal> = clause.clone();
                open.retain(|&l| !known.contains(&!l));
                open.sort_unstable();
                open.dedup();
                match open[..] {
                    [] => return true,
                    [only] if !known.contains(&only) => known.push(only),
                    _ => {}
                }
            }
            if known.len() == before {
                return false;
            }
        }
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut rng = Rng::new(7);
        for _ in 0..300 {
            let mut propagator = Propagator::new();
            let mut clauses = Vec::new();
            for _ in 0..25 {
                let mut draw = |max: usize| -> Vec<Literal> {
                    (0..rng.below(max))
                        .map(|_| literal((1 + rng.below(8) as i64) * if rng.one_in(2) { 1 } else { -1 }))
                        .collect()
                };
                let (new, asked) = (draw(5), draw(4));
                if !new.is_empty() {
                    propagator.add(&new);
                    clauses.push(new);
                }
                let negated: Vec<Literal> = asked.iter().map(|&l| !l).collect();
                assert_eq!(propagator.implies(&asked), conflicts(&clauses, &negated));
            }
        }
    }

    #[test]
    fn long_chains_are_followed_once() {
        let n = 100_000;
        let mut propagator = Propagator::new();
        for i in 1..n {
            propagator.add(&clause(&[-i, i + 1]));
        }
        assert!(propagator.implies(&clause(&[-1, n])));
        assert!(!propagator.implies(&clause(&[n])));
        propagator.add(&clause(&[1]));
        for i in 1..=n {
            assert!(propagator.implies(&clause(&[i])));
        }
        assert!(!propagator.implies(&[]));
        propagator.add(&clause(&[-n, -1]));
        assert!(propagator.implies(&[]));
    }

    #[test]
    fn truth_is_true() {
        let mut propagator = Propagator::new();
        assert!(propagator.implies(&[Literal { atom: Terms::TRUE, positive: true }]));
        assert!(!propagator.implies(&[Literal { atom: Terms::FALSE, positive: true }]));
        propagator.add(&[Literal { atom: Terms::FALSE, positive: true }]);
        assert!(propagator.implies(&[]));
    }
}
