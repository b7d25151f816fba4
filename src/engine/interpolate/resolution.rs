//! A clause-learning search that keeps its resolution proof.
//!
//! Conflicts are analysed to the first unique implication point; every resolution is recorded, also with the
//! units of level 0, so a learned clause is exactly the end of its chain. When all atoms are assigned, the
//! theories look at the assignment and add lemmas, or atoms that they want decided.

use super::Failure;
use super::clauses::{Atom, Lit, Problem};
use super::equality::{self, EqualityProof, Exchange};
use super::linear::{self, Linear, Sum};
use crate::logic::Terms;
use crate::util::limits::{Budget, Limits};
use crate::util::options;

/// Where a clause comes from.
pub(super) enum Origin {
    /// A group.
    Input(usize),
    /// The theory of equality.
    Equality(EqualityProof),
    /// The integers.
    Linear(Sum),
    /// A clause, and others resolved with it one after the other on these atoms.
    Learned(usize, Vec<(usize, usize)>),
}

pub(super) struct Clause {
    pub lits: Vec<Lit>,
    pub origin: Origin,
}

/// A proof.
pub(super) struct Refuted {
    pub clauses: Vec<Clause>,
    /// Whether the proof needs the clause.
    pub used: Vec<bool>,
    /// The empty clause.
    pub empty: usize,
}

struct Search {
    clauses: Vec<Clause>,
    watches: Vec<Vec<usize>>,
    value: Vec<Option<bool>>,
    reason: Vec<Option<usize>>,
    level: Vec<u32>,
    trail: Vec<Lit>,
    marks: Vec<usize>,
    head: usize,
    activity: Vec<u64>,
    bump: u64,
    /// How many of the problem's clauses are here.
    taken: usize,
}

/// Refutes the clauses of the problem.
pub(super) fn refute(terms: &mut Terms, problem: &mut Problem, limits: &Limits) -> Result<Refuted, Failure> {
    let mut budget = Budget::new(limits);
    let mut search = Search {
        clauses: Vec::new(),
        watches: Vec::new(),
        value: Vec::new(),
        reason: Vec::new(),
        level: Vec::new(),
        trail: Vec::new(),
        marks: Vec::new(),
        head: 0,
        activity: Vec::new(),
        bump: 1,
        taken: 0,
    };
    let mut branches = 0;
    let mut conflict = search.take(problem);
    loop {
        budget.spend(16)?;
        budget.poll()?;
        if conflict.is_none() {
            conflict = search.propagate();
        }
        if let Some(found) = conflict.take() {
            match search.learn(found) {
                Ok(empty) => return Ok(search.finish(empty)),
                Err(next) => conflict = next,
            }
            continue;
        }
        if let Some(var) = search.undecided() {
            search.marks.push(search.trail.len());
            search.assign(Lit::new(var, false), None);
            continue;
        }
        let origin = match equality::refute(terms, problem, &search.trail) {
            Some(proof) => Some((proof.clause(), Origin::Equality(proof))),
            None => match linear::solve(terms, problem, &search.trail, &mut budget)? {
                Linear::Conflict(sum) => {
                    let clause = sum.iter().map(|(_, l)| !*l).collect();
                    Some((clause, Origin::Linear(sum)))
                }
                Linear::Branch(term, floor) => {
                    branches += 1;
                    if branches > options::INTERPOLANTS_BRANCHES.count() {
                        return Err(Failure::Unable("too many branches over the integers".to_owned()));
                    }
                    let floor = terms.int(floor);
                    let split = terms.le(term, floor)?;
                    problem.atom(terms, terms.strip_not(split).0)?;
                    None
                }
                Linear::Values(values) => match equality::exchange(terms, problem, &search.trail, &values)? {
                    Exchange::Agree => return Err(Failure::Satisfiable),
                    Exchange::Mixed => {
                        let why = "an equality of integers that neither side of a cut can name";
                        return Err(Failure::Unable(why.to_owned()));
                    }
                    Exchange::Ask => None,
                },
            },
        };
        conflict = search.take(problem);
        if let Some((lits, origin)) = origin {
            let lemma = search.add(lits, origin);
            conflict = conflict.or(Some(lemma));
        }
    }
}

impl Search {
    /// Takes over what the problem has got since the last time; a clause that is false already.
    fn take(&mut self, problem: &Problem) -> Option<usize> {
        for _ in self.value.len()..problem.atoms.len() {
            self.value.push(None);
            self.reason.push(None);
            self.level.push(0);
            self.activity.push(0);
            self.watches.push(Vec::new());
            self.watches.push(Vec::new());
        }
        // Clauses are added at level 0, where a unit stays.
        if self.taken < problem.clauses.len() {
            self.backtrack(0);
        }
        let mut conflict = None;
        while self.taken < problem.clauses.len() {
            let (lits, group) = problem.clauses[self.taken].clone();
            self.taken += 1;
            let mut lits = lits;
            lits.sort_unstable();
            lits.dedup();
            if lits.windows(2).any(|w| w[0].var() == w[1].var()) {
                continue;
            }
            let names_only = lits.iter().all(|l| problem.atoms[l.var()].atom == Atom::Name);
            self.bump += u64::from(!names_only);
            let clause = self.add(lits, Origin::Input(group));
            conflict = conflict.or_else(|| self.settle(clause));
        }
        conflict
    }

    fn truth(&self, lit: Lit) -> Option<bool> {
        self.value[lit.var()].map(|v| v == lit.is_positive())
    }

    /// Adds a clause; the two literals assigned last, or unassigned ones, are watched.
    fn add(&mut self, mut lits: Vec<Lit>, origin: Origin) -> usize {
        let place = |s: &Search, l: Lit| match s.truth(l) {
            None | Some(true) => u32::MAX,
            Some(false) => s.level[l.var()],
        };
        lits.sort_by_key(|l| std::cmp::Reverse(place(self, *l)));
        let id = self.clauses.len();
        for lit in lits.iter().take(2) {
            self.watches[lit.index()].push(id);
        }
        self.clauses.push(Clause { lits, origin });
        id
    }

    /// Propagates a new clause if it is a unit; itself if it is false.
    fn settle(&mut self, id: usize) -> Option<usize> {
        let lits = &self.clauses[id].lits;
        let free: Vec<Lit> = lits.iter().copied().filter(|l| self.truth(*l) != Some(false)).take(2).collect();
        match free[..] {
            [] => Some(id),
            [only] if self.truth(only).is_none() => {
                self.assign(only, Some(id));
                None
            }
            _ => None,
        }
    }

    fn assign(&mut self, lit: Lit, reason: Option<usize>) {
        let var = lit.var();
        self.value[var] = Some(lit.is_positive());
        self.reason[var] = reason;
        self.level[var] = self.marks.len() as u32;
        self.trail.push(lit);
    }

    fn propagate(&mut self) -> Option<usize> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            let watching = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = Vec::with_capacity(watching.len());
            for (n, &id) in watching.iter().enumerate() {
                if self.clauses[id].lits.len() > 1 && self.clauses[id].lits[0] == falsified {
                    self.clauses[id].lits.swap(0, 1);
                }
                let first = self.clauses[id].lits[0];
                if first != falsified && self.truth(first) == Some(true) {
                    kept.push(id);
                    continue;
                }
                let other = (2..self.clauses[id].lits.len())
                    .find(|&i| self.truth(self.clauses[id].lits[i]) != Some(false));
                if let Some(i) = other {
                    self.clauses[id].lits.swap(1, i);
                    let watch = self.clauses[id].lits[1];
                    self.watches[watch.index()].push(id);
                    continue;
                }
                kept.push(id);
                if self.truth(first) == Some(false) {
                    kept.extend(&watching[n + 1..]);
                    self.watches[falsified.index()] = kept;
                    return Some(id);
                }
                self.assign(first, Some(id));
            }
            self.watches[falsified.index()] = kept;
        }
        None
    }

    fn backtrack(&mut self, level: usize) {
        if self.marks.len() <= level {
            return;
        }
        let keep = self.marks[level];
        for lit in self.trail.drain(keep..) {
            self.value[lit.var()] = None;
            self.reason[lit.var()] = None;
        }
        self.marks.truncate(level);
        self.head = self.head.min(keep);
    }

    fn undecided(&self) -> Option<usize> {
        let open = (0..self.value.len()).filter(|&v| self.value[v].is_none());
        open.max_by_key(|&v| (self.activity[v], std::cmp::Reverse(v)))
    }

    /// Analyses a false clause. The empty clause, or a clause learned and what it makes false.
    fn learn(&mut self, conflict: usize) -> Result<usize, Option<usize>> {
        let deepest = self.clauses[conflict].lits.iter().map(|l| self.level[l.var()]).max().unwrap_or(0);
        self.backtrack(deepest as usize);
        let mut lits = self.clauses[conflict].lits.clone();
        let mut chain: Vec<(usize, usize)> = Vec::new();
        // Resolve with reasons, latest first: down to one literal of this level, and level 0 away altogether.
        for at in (0..self.trail.len()).rev() {
            let lit = self.trail[at];
            let (var, level) = (lit.var(), self.level[lit.var()]);
            let Some(place) = lits.iter().position(|l| *l == !lit) else { continue };
            let Some(reason) = self.reason[var] else { continue };
            let here = lits.iter().filter(|l| self.level[l.var()] == deepest).count();
            if level > 0 && (level < deepest || here <= 1) {
                continue;
            }
            lits.swap_remove(place);
            for &l in &self.clauses[reason].lits {
                if l != lit && !lits.contains(&l) {
                    lits.push(l);
                }
            }
            chain.push((reason, var));
        }
        self.bump += self.bump / 16 + 1;
        for lit in &lits {
            self.activity[lit.var()] = self.activity[lit.var()].saturating_add(self.bump);
        }
        if lits.is_empty() {
            return Ok(if chain.is_empty() {
                conflict
            } else {
                self.add(lits, Origin::Learned(conflict, chain))
            });
        }
        let mut levels: Vec<u32> = lits.iter().map(|l| self.level[l.var()]).collect();
        levels.sort_unstable();
        let back = levels.iter().rev().nth(1).copied().unwrap_or(0);
        let learned =
            if chain.is_empty() { conflict } else { self.add(lits, Origin::Learned(conflict, chain)) };
        let back = if back == deepest { deepest.saturating_sub(1) } else { back };
        self.backtrack(back as usize);
        Err(self.settle(learned))
    }

    fn finish(self, empty: usize) -> Refuted {
        let mut used = vec![false; self.clauses.len()];
        used[empty] = true;
        for i in (0..=empty).rev() {
            if used[i]
                && let Origin::Learned(first, rest) = &self.clauses[i].origin
            {
                used[*first] = true;
                rest.iter().for_each(|(c, _)| used[*c] = true);
            }
        }
        Refuted { clauses: self.clauses, used, empty }
    }
}
