//! Our own Boolean search: conflict-driven clause learning as in MiniSat (Eén and Sörensson, SAT 2003).
//!
//! [`Cdcl`] serves two masters. [`Cdcl::solve`] answers queries under assumptions. An outside search over
//! theories drives the same steps itself: [`Cdcl::decide`], [`Cdcl::propagate`], [`Cdcl::resolve`] on a
//! conflict, [`Cdcl::backtrack_to`], and [`Cdcl::add_clause`] at any moment and any level.
//!
//! Invariants, asserted by [`Cdcl::check_invariants`]:
//! - the trail is ordered by level, and every literal on it is a decision or follows from its reason clause
//!   and earlier literals;
//! - once a watched literal is false and propagated, some literal of the clause is true, at the same level
//!   or a lower one, and so for as long as the watched one is false. Backtracking therefore needs no work
//!   on watches. To keep this, a clause that arrives late (it would have propagated at a lower level) makes
//!   the search jump back to that level, and no level is opened before the last one is propagated;
//! - literals not yet propagated wait in the trail from `head` on. A conflict does not move `head`, so a
//!   caller that forgets to resolve it meets it again.
//!
//! One phase per file: `add` takes clauses in, `propagate` watches, `definition` lets some of them rest,
//! `analyze` learns, `reduce` forgets, `demand` says what needs a decision, `search` is the loop of `solve`. Missing on purpose: inprocessing, and any elimination of variables,
//! because callers add clauses over all variables at all times.

mod add;
mod analyze;
mod arena;
mod config;
mod definition;
mod demand;
mod heap;
#[cfg(feature = "testing")]
mod invariants;
mod propagate;
mod reduce;
mod search;
#[cfg(test)]
mod tests;

pub use arena::ClauseRef;
pub use config::{Config, Counters};
pub use search::Decide;

use super::lit::{Lit, Var};
use super::proof::ProofStep;
use arena::Arena;
use demand::{Demand, Trail};
use heap::Order;
use propagate::Watch;

/// Where a variable got its value.
#[derive(Clone, Copy, Debug)]
struct Origin {
    level: u32,
    reason: ClauseRef,
}

/// One decision level.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Trail length when the level was opened.
    start: u32,
    /// The literal decided; it may have been true before.
    decision: Lit,
}

/// An incremental CDCL solver.
#[derive(Clone, Debug)]
pub struct Cdcl {
    config: Config,
    /// What was done so far.
    pub stats: Counters,
    ok: bool,

    arena: Arena,
    /// For each literal, the clauses that watch its negation's arrival: visited when the literal gets false.
    watches: Vec<Vec<Watch>>,
    /// Live clauses of two or more literals.
    clauses: usize,
    /// Live learnt clauses among them.
    learnts: usize,

    /// For each literal 1 if true, -1 if false, 0 if open.
    values: Vec<i8>,
    origin: Vec<Origin>,
    /// For each variable the value it had last, or the default phase.
    phase: Vec<bool>,
    trail: Vec<Lit>,
    levels: Vec<Level>,
    /// The first trail position not yet propagated.
    head: usize,
    /// Shortest trail since the caller last looked.
    shortest: usize,
    /// Lowest level since the caller last looked.
    lowest: u32,

    order: Order,
    scratch: analyze::Scratch,
    forget: reduce::Schedule,
    /// Which clauses need a decision, if only those are decided.
    demand: Option<Box<Demand>>,

    proof: Option<Vec<ProofStep>>,
    /// Numbers held by the proof log, for `memory_bytes`.
    proof_words: usize,
    /// The values of the last model, by literal.
    model: Vec<i8>,
    /// Whether the last query had a model.
    has_model: bool,
    /// Variables of which the model says something else than their default, or may do so.
    written: Vec<Var>,
    core: Vec<Lit>,
    /// Buffer of `add_clause`.
    incoming: Vec<Lit>,
}

impl Default for Cdcl {
    fn default() -> Cdcl {
        Cdcl::new(Config::default())
    }
}

impl Cdcl {
    /// A solver without variables and clauses.
    pub fn new(config: Config) -> Cdcl {
        Cdcl {
            config,
            stats: Counters::default(),
            ok: true,
            arena: Arena::default(),
            watches: Vec::new(),
            clauses: 0,
            learnts: 0,
            values: Vec::new(),
            origin: Vec::new(),
            phase: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            shortest: 0,
            lowest: 0,
            order: Order::new(),
            scratch: analyze::Scratch::default(),
            forget: reduce::Schedule::new(&config),
            demand: None,
            proof: None,
            proof_words: 0,
            model: Vec::new(),
            has_model: false,
            written: Vec::new(),
            core: Vec::new(),
            incoming: Vec::new(),
        }
    }

    /// Makes the next variable.
    pub fn new_var(&mut self) -> Var {
        let var = Var(self.origin.len() as u32);
        self.values.extend([0, 0]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.origin.push(Origin { level: 0, reason: ClauseRef::NONE });
        self.phase.push(self.config.phase);
        self.order.new_var();
        self.scratch.new_var();
        if let Some(demand) = &mut self.demand {
            demand.new_var(self.config.phase);
        }
        var
    }

    /// Makes room for so many more variables: tables that grow by doubling would be held twice meanwhile.
    pub fn reserve_vars(&mut self, more: usize) {
        // For a few more, doubling is what keeps this linear.
        if more > self.num_vars() / 2 {
            self.values.reserve(2 * more);
            self.watches.reserve(2 * more);
            self.origin.reserve(more);
            self.phase.reserve(more);
        }
    }

    /// How many variables there are.
    pub fn num_vars(&self) -> usize {
        self.origin.len()
    }

    /// False once the clauses are known to have no model at all; this is for ever.
    pub fn ok(&self) -> bool {
        self.ok
    }

    /// The literal's value on the trail.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            sign => Some(sign > 0),
        }
    }

    #[inline]
    fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    #[inline]
    fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] < 0
    }

    /// The number of decision levels.
    #[inline]
    pub fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The level at which an assigned variable got its value.
    #[inline]
    pub fn level_of(&self, var: Var) -> u32 {
        self.origin[var.index()].level
    }

    /// The literal's value if it holds in every model, as far as level 0 shows.
    pub fn level0(&self, lit: Lit) -> Option<bool> {
        self.value(lit).filter(|_| self.level_of(lit.var()) == 0)
    }

    /// The true literals, in the order in which they became so.
    #[inline]
    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// How many literals of the trail are at `level` or below.
    pub fn trail_len_at_level(&self, level: u32) -> usize {
        self.levels.get(level as usize).map_or(self.trail.len(), |l| l.start as usize)
    }

    /// The literal decided to open `level`, counted from 1.
    pub fn decision_of(&self, level: u32) -> Lit {
        self.levels[level as usize - 1].decision
    }

    /// Whether every literal of the trail has been propagated.
    pub fn is_propagated(&self) -> bool {
        self.head == self.trail.len()
    }

    /// The literals of a clause, for instance of the conflict that `propagate` returned.
    #[cfg(feature = "testing")]
    pub fn clause(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        self.arena.lits(clause)
    }

    /// The clause that made this variable's value follow; none for decisions and at level 0.
    pub fn reason(&self, var: Var) -> Option<ClauseRef> {
        let origin = self.origin[var.index()];
        (origin.reason != ClauseRef::NONE && origin.level > 0 && self.value(var.positive()).is_some())
            .then_some(origin.reason)
    }

    /// Opens a level with this literal, which must not be false; everything must be propagated. A literal that is already true gets an
    /// empty level, so that level and list position of assumptions agree.
    pub fn decide(&mut self, lit: Lit) {
        assert!(self.is_propagated(), "propagation comes before decisions");
        debug_assert!(!self.is_false(lit), "a decision is not false");
        self.levels.push(Level { start: self.trail.len() as u32, decision: lit });
        self.stats.decisions += 1;
        if !self.is_true(lit) {
            self.assign(lit, ClauseRef::NONE);
        }
    }

    /// The most active open variable, in its saved phase; none when all variables have values.
    pub fn pick(&mut self) -> Option<Lit> {
        while let Some(var) = self.order.peek() {
            if self.values[var.positive().index()] == 0 {
                // It leaves the heap when it surfaces again, so a caller may decide something else.
                return Some(Lit::new(var, self.phase[var.index()]));
            }
            self.order.pop();
        }
        None
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert!(self.value(lit).is_none(), "only open literals are assigned");
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.origin[lit.var().index()] = Origin { level: self.levels.len() as u32, reason };
        self.trail.push(lit);
    }

    /// Undoes everything above `level`.
    pub fn backtrack_to(&mut self, level: u32) {
        if level >= self.level() {
            return;
        }
        let start = self.levels[level as usize].start as usize;
        for at in (start..self.trail.len()).rev() {
            let lit = self.trail[at];
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phase[lit.var().index()] = lit.is_positive();
            self.order.insert(lit.var());
        }
        self.trail.truncate(start);
        self.levels.truncate(level as usize);
        self.head = self.head.min(start);
        self.shortest = self.shortest.min(start);
        self.lowest = self.lowest.min(level);
        if let Some(demand) = &mut self.demand {
            demand.rewind(start);
        }
    }

    /// The lowest level the search has been at since the last call.
    pub fn take_lowest_level(&mut self) -> u32 {
        std::mem::replace(&mut self.lowest, self.levels.len() as u32)
    }

    /// The shortest trail since the last call: the literals before this position have not moved. A caller
    /// that mirrors the trail undoes its copy down to here and then reads on.
    #[cfg(feature = "testing")]
    pub fn take_shortest_trail(&mut self) -> usize {
        std::mem::replace(&mut self.shortest, self.trail.len())
    }

    /// How active a variable is in recent conflicts.
    pub fn activity(&self, var: Var) -> f64 {
        self.order.activity(var)
    }

    /// Makes a variable more active.
    #[cfg(feature = "testing")]
    pub fn bump(&mut self, var: Var) {
        self.order.bump(var);
    }

    /// Makes all bumps so far count less.
    pub fn decay(&mut self) {
        self.order.decay(self.config.decay);
    }

    /// Sets the value with which the variable will be decided next, and with which it is read when it was
    /// not decided.
    pub fn set_phase(&mut self, var: Var, value: bool) {
        self.phase[var.index()] = value;
        if let Some(demand) = &mut self.demand {
            // The last model stays as it is; the next one reads the new default.
            if var.index() < self.model.len() / 2 {
                self.written.push(var);
            }
            demand.set_default(var, value, &Trail { values: &self.values, trail: &self.trail });
        }
    }

    /// From now on [`Cdcl::solve`] decides only what clauses need, and reads variables without a value as
    /// they were set by [`Cdcl::set_phase`]; to be called before the first variable is made.
    pub fn decide_on_demand(&mut self) {
        assert!(self.num_vars() == 0, "every variable has its place in the demand");
        self.demand = Some(Box::new(Demand::new()));
    }

    /// Starts to log a proof; to be called before the first clause.
    pub fn log_proof(&mut self) {
        assert!(
            self.clauses == 0 && self.trail.is_empty() && self.ok,
            "the proof log starts with the first clause"
        );
        self.proof = Some(Vec::new());
    }

    /// The proof log so far; empty when it is off.
    pub fn proof(&self) -> &[ProofStep] {
        self.proof.as_deref().unwrap_or_default()
    }

    fn log(&mut self, step: impl FnOnce() -> ProofStep) {
        if let Some(steps) = &mut self.proof {
            let step = step();
            self.proof_words += step.lits().len();
            steps.push(step);
        }
    }

    /// The clauses contradict each other.
    fn set_contradiction(&mut self) {
        if self.ok {
            self.ok = false;
            self.log(|| ProofStep::Learnt { lits: Vec::new() });
        }
    }

    /// Bytes held, nearly; costs no walk over the structures.
    pub fn memory_bytes(&self) -> u64 {
        let per_var = 2 * size_of::<Vec<Watch>>() + 2 + size_of::<Origin>() + 1 + 16 + 8 + 4;
        let steps = self.proof.as_ref().map_or(0, |p| p.capacity() * size_of::<ProofStep>());
        // Watch lists grow by doubling, so count a half more than their entries.
        let watches = 3 * self.clauses * size_of::<Watch>();
        let own =
            self.arena.capacity() * 4 + self.num_vars() * per_var + watches + steps + self.proof_words * 4;
        own as u64 + self.demand.as_ref().map_or(0, |demand| demand.memory_bytes())
    }
}
