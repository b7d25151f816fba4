//! Goals and the core: used to find what is propagated, and again for the final check.

use super::learn::{self, Reading};
use super::signature::Signature;
use crate::engine::solver::{Answer, Config, Solver};
use crate::logic::{BuildError, Model, Op, TermId, Terms};
use crate::program::encode::formula::Side;
use crate::program::encode::{Encoder, Inexpressible, Moment, Moments};
use crate::program::wp::Conditions;
use crate::program::{Formula, LoopId};
use crate::util::clock::Instant;
use crate::util::hash::{Map, Set};
use crate::util::limits::Limits;
use crate::util::options;
use std::cell::Cell;

/// The limits of a whole run, and what it has used.
#[derive(Clone, Debug)]
pub(super) struct Remaining {
    limits: Limits,
    start: Instant,
    steps: Cell<u64>,
    /// Bytes that solvers held when they were last asked.
    held: [Cell<u64>; OWNERS],
}

/// The solvers that may exist at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Of the obligations.
    Prover,
    /// For one question.
    Own,
    /// Of the search for heaps.
    Growth,
    /// Of what holds in all states.
    Tautologies,
}

const OWNERS: usize = 4;

impl Remaining {
    pub(super) fn new(limits: &Limits) -> Remaining {
        let held = std::array::from_fn(|_| Cell::new(0));
        Remaining { limits: limits.clone(), start: Instant::now(), steps: Cell::new(0), held }
    }

    /// What is left now.
    pub(super) fn now(&self) -> Limits {
        let time = self.limits.time.map(|t| t.saturating_sub(self.start.elapsed()));
        let steps = self.limits.steps.map(|s| s.saturating_sub(self.steps.get()));
        let held: u64 = self.held.iter().map(Cell::get).sum();
        let memory = self.limits.memory.map(|m| m.saturating_sub(held));
        Limits { time, steps, memory, cancel: self.limits.cancel.clone() }
    }

    /// Work was done.
    pub(super) fn spend(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    /// A solver is no more.
    pub(super) fn release(&self, owner: Owner) {
        self.held[owner as usize].set(0);
    }

    /// Whether time or steps are up or somebody cancelled.
    pub(super) fn is_over(&self) -> bool {
        let late = self.limits.time.is_some_and(|t| self.start.elapsed() >= t);
        let spent = self.limits.steps.is_some_and(|s| self.steps.get() >= s);
        late || spent || self.limits.cancel.as_ref().is_some_and(|c| c.is_cancelled())
    }

    /// What is over, for people.
    pub(super) fn why_over(&self) -> String {
        let spent = self.limits.steps.is_some_and(|s| self.steps.get() >= s);
        let cancelled = self.limits.cancel.as_ref().is_some_and(|c| c.is_cancelled());
        match (cancelled, spent) {
            (true, _) => "the run was cancelled",
            (false, true) => "the step limit was reached",
            (false, false) => "the time is up",
        }
        .to_owned()
    }

    /// Asks a solver, with no more than so many steps and what is left of the run.
    pub(super) fn ask(
        &self,
        owner: Owner,
        solver: &mut Solver,
        assumptions: &[TermId],
        steps: u64,
    ) -> Result<Answer, BuildError> {
        self.release(owner);
        solver.set_limits(short(&self.now(), steps));
        let before = solver.steps();
        let answer = solver.check_assuming(assumptions);
        self.spend(solver.steps() - before);
        if self.limits.memory.is_some() {
            self.held[owner as usize].set(solver.memory_bytes());
        }
        answer
    }
}

/// What was found about a goal.
#[derive(Debug)]
pub(super) enum Proof {
    /// It follows, from these pieces of invariants.
    Proved(Vec<Piece>),
    /// There is a model in which it does not hold.
    Refuted(Box<Model>),
    /// Neither is known, and why.
    Open(String),
}

/// A piece of an invariant: its loop, and its number in the list of the loop's pieces.
pub(super) type Piece = (LoopId, usize);

/// A solver that knows facts and hypotheses.
pub(super) fn solver(conditions: &Conditions<'_>) -> Result<Solver, String> {
    with_facts(conditions.encoder.terms.clone(), &facts(conditions))
}

/// What holds in all states, and at the entry.
pub(super) fn facts(conditions: &Conditions<'_>) -> Vec<TermId> {
    conditions.encoder.facts.iter().chain(&conditions.hypotheses).copied().collect()
}

/// A solver that knows these facts.
pub(super) fn with_facts(terms: Terms, facts: &[TermId]) -> Result<Solver, String> {
    let config = Config { minimise_cores: false, ..Config::default() };
    let mut solver = Solver::with_terms(config, terms);
    for &fact in facts {
        solver.assert(fact).map_err(|e| e.to_string())?;
    }
    Ok(solver)
}

/// Conjuncts of a goal, as far as they show.
fn conjuncts(terms: &Terms, goal: TermId) -> Vec<TermId> {
    let (mut out, mut stack) = (Vec::new(), vec![goal]);
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend(terms.children(term).iter().rev()),
            _ => out.push(term),
        }
    }
    out
}

/// A place at which something is to be proved: what is known there, and the headers on the way.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: TermId,
    pub(super) heads: Vec<usize>,
}

/// The conditions of a program and one solver, asked under assumptions only.
///
/// Pieces of invariants are no part of the program: they are assumed at the headers that lie on the way, one by one, so
/// the core of a refutation tells which of them a goal needs. A goal stays proved as long as these are there. What is
/// common to the places inside a loop is assumed first, so that the solver keeps it from question to question.
pub(super) struct Prover<'p> {
    pub(super) conditions: Conditions<'p>,
    pub(super) solver: Solver,
    /// Questions to solvers before this one.
    before: u64,
    /// Facts that the solver knows.
    told: usize,
    assumed: Map<(usize, Formula), Option<TermId>>,
    goals: Map<(usize, Formula), Result<TermId, String>>,
    /// Pieces that something was proved from.
    pub(super) needed: Set<(LoopId, Formula)>,
    /// By path and goal: assumptions from which it follows.
    proved: Map<(TermId, TermId), Vec<Vec<TermId>>>,
}

impl<'p> Prover<'p> {
    pub(super) fn new(conditions: Conditions<'p>) -> Result<Prover<'p>, String> {
        let solver = self::solver(&conditions)?;
        let told = conditions.encoder.facts.len();
        let (assumed, goals, proved) = (Map::default(), Map::default(), Map::default());
        let needed = Set::default();
        Ok(Prover { conditions, solver, before: 0, told, assumed, goals, needed, proved })
    }

    /// Questions that reached a solver.
    pub(super) fn queries(&self) -> u64 {
        self.before + self.solver.stats().queries
    }

    /// Encodes something. Terms are the solver's, so the encoder borrows them; facts about new symbols are asserted.
    fn encoded<T>(
        &mut self,
        encode: impl FnOnce(&mut Encoder<'p>, &Moment) -> Result<T, Inexpressible>,
    ) -> Result<T, String> {
        let Conditions { encoder, entry, .. } = &mut self.conditions;
        std::mem::swap(&mut encoder.terms, self.solver.terms_mut());
        let made = encode(encoder, entry);
        std::mem::swap(&mut encoder.terms, self.solver.terms_mut());
        for &fact in &encoder.facts[self.told..] {
            self.solver.assert(fact).map_err(|e| e.to_string())?;
        }
        self.told = encoder.facts.len();
        made.map_err(|reason| reason.0)
    }

    fn formula(&mut self, now: &Moment, formula: &Formula, side: Side) -> Result<TermId, String> {
        let labels = Map::default();
        self.encoded(|encoder, entry| encoder.formula(Moments { now, entry, labels: &labels }, formula, side))
    }

    /// The predicates of a signature in a state that arrives at its loop.
    pub(super) fn reading(&mut self, arrival: usize, signature: &Signature) -> Result<Reading, String> {
        let now = self.conditions.arrivals[arrival].now.clone();
        self.encoded(|encoder, entry| learn::reading(encoder, entry, &now, signature))
    }

    /// The predicates of a signature at a header.
    pub(super) fn reading_at_head(&mut self, head: usize, signature: &Signature) -> Result<Reading, String> {
        let now = self.conditions.heads[head].moment.clone();
        self.encoded(|encoder, entry| learn::reading(encoder, entry, &now, signature))
    }

    /// A piece as it is known at a header; nothing if it cannot be expressed.
    fn assumption(&mut self, head: usize, formula: &Formula) -> Option<TermId> {
        let key = (head, formula.clone());
        if let Some(&known) = self.assumed.get(&key) {
            return known;
        }
        let moment = self.conditions.heads[head].moment.clone();
        let made = self.formula(&moment, formula, Side::Assume).ok();
        self.assumed.insert(key, made);
        made
    }

    /// A piece as it has to hold in a state that arrives.
    pub(super) fn goal(&mut self, arrival: usize, formula: &Formula) -> Result<TermId, String> {
        let key = (arrival, formula.clone());
        if let Some(known) = self.goals.get(&key) {
            return known.clone();
        }
        let moment = self.conditions.arrivals[arrival].now.clone();
        let made = self.formula(&moment, formula, Side::Prove);
        self.goals.insert(key, made.clone());
        made
    }

    /// Whether the state that arrives comes from outside the loop.
    pub(super) fn is_initial(&self, arrival: usize) -> bool {
        let arrival = &self.conditions.arrivals[arrival];
        !arrival.heads.iter().any(|&h| self.conditions.heads[h].of == Some(arrival.of))
    }

    /// What is known at a place when all pieces hold at the headers: header by header what is known there and its pieces,
    /// then the rest of the way.
    fn known_at(&mut self, place: &Place, pieces: &[Vec<Formula>]) -> Result<Known, String> {
        let way = conjuncts(self.solver.terms(), place.path);
        let on_way: Set<TermId> = way.iter().copied().collect();
        let mut known = Known::default();
        for &head in &place.heads {
            let path = self.conditions.heads[head].path;
            let here = conjuncts(self.solver.terms(), path);
            let is_passed = here.iter().all(|part| on_way.contains(part));
            if is_passed {
                here.into_iter().for_each(|part| known.add(part, None));
            }
            let Some(l) = self.conditions.heads[head].of else { continue };
            for (i, piece) in pieces.get(l.index()).into_iter().flatten().enumerate() {
                let Some(term) = self.assumption(head, piece) else { continue };
                // A header that this way may not have passed: its pieces hold if it was.
                let term = match is_passed {
                    true => term,
                    false => self.solver.terms_mut().implies(path, term).map_err(|e| e.to_string())?,
                };
                known.add(term, Some((l, i)));
            }
        }
        way.into_iter().for_each(|part| known.add(part, None));
        Ok(known)
    }

    /// Whether a goal follows at a place, conjunct by conjunct. The first conjunct that does not decides.
    pub(super) fn prove(
        &mut self,
        place: &Place,
        goal: TermId,
        pieces: &[Vec<Formula>],
        (remaining, steps): (&Remaining, u64),
    ) -> Proof {
        let known = match self.known_at(place, pieces) {
            Ok(known) => known,
            Err(message) => return Proof::Open(message),
        };
        let mut used: Vec<Piece> = Vec::new();
        for part in conjuncts(self.solver.terms(), goal) {
            match self.part(place, part, &known, (remaining, steps)) {
                Proof::Proved(more) => used.extend(more),
                other => return other,
            }
        }
        used.sort_unstable();
        used.dedup();
        Proof::Proved(used)
    }

    /// Forgets what earlier questions left behind, which may be in the way: instances, and what the search has learnt
    /// to try first.
    fn renew(&mut self) {
        let facts: Vec<TermId> = self.solver.assertions().collect();
        if let Ok(new) = with_facts(self.solver.terms().clone(), &facts) {
            self.before += self.solver.stats().queries;
            self.solver = new;
        }
    }

    fn part(
        &mut self,
        place: &Place,
        goal: TermId,
        known: &Known,
        (remaining, steps): (&Remaining, u64),
    ) -> Proof {
        let key = (place.path, goal);
        let stays = |core: &&Vec<TermId>| core.iter().all(|a| known.of.contains_key(a));
        if let Some(core) = self.proved.get(&key).and_then(|cores| cores.iter().find(stays)) {
            return Proof::Proved(known.pieces(core));
        }
        let negated = match self.solver.terms_mut().not(goal) {
            Ok(negated) => negated,
            Err(error) => return Proof::Open(error.to_string()),
        };
        let assumptions: Vec<TermId> = known.order.iter().copied().chain([negated]).collect();
        let is_new = self.solver.stats().queries == 0;
        let most = if is_new { options::HEAPS_PROVE_OWN.get() } else { options::HEAPS_PROVE_SHARED.get() };
        let mut answer = remaining.ask(Owner::Prover, &mut self.solver, &assumptions, steps.min(most));
        if let Ok(Answer::Unknown(_)) = answer
            && steps > most
            && !is_new
        {
            self.renew();
            answer = remaining.ask(
                Owner::Prover,
                &mut self.solver,
                &assumptions,
                steps.min(options::HEAPS_PROVE_OWN.get()),
            );
        }
        match answer {
            Ok(Answer::Unsat(refutation)) => {
                let core: Vec<TermId> =
                    refutation.assumptions.into_iter().filter(|a| known.of.contains_key(a)).collect();
                let used = known.pieces(&core);
                self.proved.entry(key).or_default().push(core);
                Proof::Proved(used)
            }
            Ok(Answer::Sat(model)) => Proof::Refuted(model),
            Ok(Answer::Unknown(reason)) => Proof::Open(reason.to_string()),
            Err(error) => Proof::Open(error.to_string()),
        }
    }
}

/// What is known at a place, in the order in which it is assumed.
#[derive(Default)]
struct Known {
    order: Vec<TermId>,
    /// The pieces among it.
    of: Map<TermId, Option<Piece>>,
}

impl Known {
    fn add(&mut self, fact: TermId, piece: Option<Piece>) {
        if !self.of.contains_key(&fact) {
            self.of.insert(fact, piece);
            self.order.push(fact);
        }
    }

    fn pieces(&self, core: &[TermId]) -> Vec<Piece> {
        core.iter().filter_map(|a| *self.of.get(a)?).collect()
    }
}

/// The same limits with no more than so many steps.
fn short(limits: &Limits, steps: u64) -> Limits {
    Limits { steps: Some(limits.steps.map_or(steps, |s| s.min(steps))), ..limits.clone() }
}
