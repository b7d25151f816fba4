//! The justification-driven search: CDCL(T) whose only decisions are "make a child of an open node true".
//!
//! After each round of Boolean propagation the justification advances and the theory sees the new relevant
//! literals, so conflicts come early and short. Splits are asked for only when every formula is justified,
//! and more of them at once while no conflict follows. `benchmarks/lisbq/EXPERIMENT.md` has the measurements
//! behind this order.
//!
//! Levels of the Boolean search, the relevancy and the theory move together: level i + 1 is opened by
//! assumption i, later levels by decisions.

use crate::engine::construct::Constructed;
use crate::engine::habits::Habits;
use crate::engine::kernel::{Kernel, Progress};
use crate::engine::search::{Assumption, Counters, Outcome, core_positions, gives_up, map_proof};
use crate::logic::{TermId, Terms};
use crate::proof::Step;
use crate::sat::Lit;
use crate::sat::cdcl::{Cdcl, Config};
use crate::util::limits::{Budget, Stop};
use crate::util::options;

/// New clauses between two looks at the clock: a large formula has hundreds of thousands.
const POLL_CLAUSES: usize = 4096;

/// What a variable of the Boolean search takes, with its first watch entries.
const BYTES_PER_VAR: u64 = 160;
/// An incremental search over one growing set of formulas.
pub(crate) struct Online {
    pub(crate) kernel: Kernel,
    cdcl: Cdcl,
    /// Justifications of the clauses handed to the Boolean search, by tag.
    steps: Vec<Step>,
    calls: u64,
    habits: Habits,
    /// Conflicts when the assumptions were last tried on the clauses alone.
    foreseen: Option<u64>,
    /// Boolean constants that hold at level 0, and how much of the trail was looked at for them.
    fixed: (Vec<Lit>, usize),
    /// The assumptions of the last check, and how many formulas were asserted then.
    last: (Vec<Assumption>, usize),
}

impl Online {
    pub(crate) fn new(terms: &Terms, proofs: bool) -> Online {
        let mut cdcl = Cdcl::new(Config::default());
        if proofs {
            cdcl.log_proof();
        }
        Online {
            kernel: Kernel::new(terms, proofs),
            cdcl,
            steps: Vec::new(),
            calls: 0,
            habits: Habits::default(),
            foreseen: None,
            fixed: (Vec::new(), 0),
            last: (Vec::new(), 0),
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        let stats = &self.cdcl.stats;
        Counters {
            calls: self.calls,
            decisions: stats.decisions,
            conflicts: stats.conflicts,
            restarts: stats.restarts,
        }
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        let counted = self.kernel.memory_bytes() + self.cdcl.memory_bytes() + (self.steps.len() * 200) as u64;
        // What the allocator rounds up, and tables that are held twice while they grow.
        counted + counted / 4
    }

    /// Decides the asserted formulas under assumptions. After a stop the search is as good as new.
    pub(crate) fn solve(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Assumption],
        budget: &mut Budget,
    ) -> Result<Outcome, Stop> {
        self.calls += 1;
        self.foreseen = None;
        // The last check may have ended before it met what it had no room for.
        if self.kernel.theory.egraph.is_overrun() {
            self.start_over(terms);
        }
        let lits: Vec<Lit> = assumptions.iter().map(|a| a.lit).collect();
        let order = self.habits.order(&lits);
        let ordered: Vec<Assumption> = order.iter().map(|&at| assumptions[at].clone()).collect();
        let kept = self.in_common(&ordered);
        self.back_to(terms, kept);
        self.kernel.expect_assumptions(ordered.len());
        let mut result = self.run(terms, &ordered, budget);
        if let Ok(Outcome::Unsat(core)) = &mut result {
            core.iter_mut().for_each(|at| *at = order[*at]);
            core.sort_unstable();
        }
        self.last = (ordered, self.kernel.roots.len());
        if result.is_err() {
            self.start_over(terms);
        }
        result
    }

    /// Forgets the context, but no clause and no instance.
    fn start_over(&mut self, terms: &Terms) {
        self.back_to(terms, 0);
        self.kernel.reset_context(terms);
        self.last.0.clear();
    }

    /// How many assumptions are those of the last check: their levels stay, with all that was found there. A new
    /// assertion belongs at level 0, so nothing stays then.
    fn in_common(&self, assumptions: &[Assumption]) -> u32 {
        let (last, n_roots) = &self.last;
        if *n_roots != self.kernel.roots.len() {
            return 0;
        }
        last.iter().zip(assumptions).take_while(|(a, b)| a == b).count() as u32
    }

    fn back_to(&mut self, terms: &Terms, level: u32) {
        self.cdcl.backtrack_to(level);
        self.follow(terms);
    }

    fn open_level(&mut self, lit: Lit) {
        self.cdcl.decide(lit);
        // From here on only going back counts.
        self.cdcl.take_lowest_level();
        self.kernel.push();
        debug_assert_eq!(self.cdcl.level() as usize, self.kernel.theory.level(), "levels move together");
    }

    /// Brings relevancy and theory down to the level of the Boolean search.
    fn follow(&mut self, terms: &Terms) {
        let lowest = self.cdcl.take_lowest_level();
        self.kernel.pop_to(terms, lowest as usize);
    }

    /// Hands new clauses over; false when they are contradictory.
    fn flush(&mut self, terms: &Terms, budget: &mut Budget) -> Result<bool, Stop> {
        let missing = self.kernel.clausifier.n_vars() - self.cdcl.num_vars();
        if missing > 0 {
            if budget.watches_memory() {
                let growth = missing as u64 * BYTES_PER_VAR;
                budget.set_memory(self.memory_bytes() + terms.memory_bytes() + growth);
                budget.poll()?;
            }
            self.cdcl.reserve_vars(missing);
            (0..missing).for_each(|_| _ = self.cdcl.new_var());
        }
        let mut fresh = std::mem::take(&mut self.kernel.clausifier.fresh).into_iter();
        while let Some(clause) = fresh.next() {
            if fresh.len() % POLL_CLAUSES == POLL_CLAUSES - 1 {
                if budget.watches_memory() {
                    budget.set_memory(self.memory_bytes() + terms.memory_bytes());
                }
                if let Err(stop) = budget.poll() {
                    self.kernel.clausifier.fresh = [clause].into_iter().chain(fresh).collect();
                    return Err(stop);
                }
            }
            let head = self.kernel.clausifier.head(&clause);
            let tag = match clause.step {
                Some(step) => {
                    self.steps.push(*step);
                    self.steps.len() as u32 - 1
                }
                None => 0,
            };
            let fine = match head {
                Some(head) => {
                    let rest: Vec<Lit> = clause.lits.iter().copied().filter(|&lit| lit != !head).collect();
                    self.cdcl.add_definition(head, &rest, tag)
                }
                None => self.cdcl.add_clause(&clause.lits, tag),
            };
            if !fine {
                return Ok(false);
            }
        }
        self.follow(terms);
        Ok(true)
    }

    /// Boolean propagation to a fixpoint; false when the clauses are contradictory.
    fn propagate(&mut self, terms: &Terms) -> bool {
        while let Some(conflict) = self.cdcl.propagate() {
            self.cdcl.resolve(conflict);
            if !self.cdcl.ok() {
                return false;
            }
        }
        self.follow(terms);
        self.cdcl.ok()
    }

    fn run(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Assumption],
        budget: &mut Budget,
    ) -> Result<Outcome, Stop> {
        let (mut restart_after, mut restart_at) = (
            options::SOLVER_FIRST_RESTART.get(),
            self.cdcl.stats.conflicts + options::SOLVER_FIRST_RESTART.get(),
        );
        let mut model_rounds = 0;
        loop {
            if budget.watches_memory() {
                budget.set_memory(self.memory_bytes() + terms.memory_bytes());
            }
            // Without a limit as well: an earlier check may have had one.
            self.kernel.theory.egraph.set_room(budget.memory_room());
            budget.spend(4)?;
            if !self.flush(terms, budget)? || !self.propagate(terms) {
                return Ok(Outcome::Unsat(Vec::new()));
            }
            if self.cdcl.stats.conflicts >= restart_at {
                restart_after += restart_after / 10;
                restart_at = self.cdcl.stats.conflicts + restart_after;
                if self.cdcl.level() > assumptions.len() as u32 {
                    self.cdcl.stats.restarts += 1;
                    self.back_to(terms, assumptions.len() as u32);
                }
            }
            if let Some(core) = self.foresee(terms, assumptions) {
                return Ok(Outcome::Unsat(core));
            }
            if self.cdcl.level() == 0 {
                self.kernel.require_roots(terms);
            }
            if self.examine(terms, budget)? == Progress::More {
                continue;
            }
            if self.cdcl.level() < assumptions.len() as u32 {
                match self.assume(terms, assumptions) {
                    Some(core) => return Ok(Outcome::Unsat(core)),
                    None => continue,
                }
            }
            if self.kernel.relevancy.has_open() {
                self.decide(terms);
                continue;
            }
            let holding = self.constants_that_hold();
            let Online { kernel, cdcl, .. } = self;
            if kernel.require_guarded(terms, &holding) {
                continue;
            }
            if kernel.complete(terms, &|lit| is_fixed(cdcl, lit), budget)? == Progress::More {
                continue;
            }
            let assumed: Vec<TermId> = assumptions.iter().flat_map(|a| &a.formulas[..]).copied().collect();
            match kernel.construct(terms, &assumed, &holding, budget)? {
                Constructed::Model(model) => return Ok(Outcome::Sat(model)),
                Constructed::Stuck(formula) => return Ok(Outcome::Incomplete(formula)),
                Constructed::Refined => {
                    model_rounds += 1;
                    if let Some(formula) = gives_up(terms, kernel, &assumed, model_rounds) {
                        return Ok(Outcome::Endless(formula));
                    }
                }
            }
        }
    }

    /// The Boolean constants that are true. The trail of level 0 is long and only grows.
    fn constants_that_hold(&mut self) -> Vec<Lit> {
        let (trail, clausifier) = (self.cdcl.trail(), &self.kernel.clausifier);
        let is_constant = |lit: &&Lit| lit.is_positive() && clausifier.constant(lit.var()).is_some();
        let (fixed, seen) = &mut self.fixed;
        let lasting = self.cdcl.trail_len_at_level(0);
        fixed.extend(trail[*seen..lasting].iter().filter(is_constant));
        *seen = lasting;
        fixed.iter().chain(trail[lasting..].iter().filter(is_constant)).copied().collect()
    }

    /// Advances the justification and checks the context. What holds at a level is closed before the next
    /// one opens, because going back forgets unfinished work.
    fn examine(&mut self, terms: &mut Terms, budget: &mut Budget) -> Result<Progress, Stop> {
        let Online { kernel, cdcl, .. } = self;
        let value = |lit: Lit| known_value(cdcl, lit);
        kernel.advance(terms, &value);
        if !kernel.clausifier.fresh.is_empty() {
            return Ok(Progress::More);
        }
        kernel.check(terms, &|lit| is_fixed(cdcl, lit), &value, budget)
    }

    /// Opens the level of the next assumption; the positions of a failed core if it is false.
    fn assume(&mut self, terms: &Terms, assumptions: &[Assumption]) -> Option<Vec<usize>> {
        let next = self.cdcl.level() as usize;
        let lit = assumptions[next].lit;
        if self.cdcl.value(lit) == Some(false) {
            return Some(core_positions(&assumptions[..=next], &self.cdcl.failed_core(lit)));
        }
        self.open_level(lit);
        for &formula in &assumptions[next].formulas[..] {
            self.kernel.require(terms, formula);
        }
        None
    }

    /// Tries all assumptions on the clauses alone, before the theory looks at them one by one; the positions of
    /// a failed core if the clauses refute them. Once for each query, and again when conflicts have brought new
    /// clauses.
    fn foresee(&mut self, terms: &Terms, assumptions: &[Assumption]) -> Option<Vec<usize>> {
        let level = self.cdcl.level();
        let n = assumptions.len() as u32;
        if n - level.min(n) < 2 || self.foreseen == Some(self.cdcl.stats.conflicts) {
            return None;
        }
        let mut core = None;
        while self.cdcl.level() < n && core.is_none() {
            let next = self.cdcl.level() as usize;
            let lit = assumptions[next].lit;
            if self.cdcl.value(lit) == Some(false) {
                core = Some(core_positions(&assumptions[..=next], &self.cdcl.failed_core(lit)));
                break;
            }
            self.cdcl.decide(lit);
            while let Some(conflict) = self.cdcl.propagate() {
                self.cdcl.resolve(conflict);
                if !self.cdcl.ok() {
                    core = Some(Vec::new());
                    break;
                }
            }
        }
        self.foreseen = Some(self.cdcl.stats.conflicts);
        // The theory has followed to the lowest level since then only.
        let lowest = self.cdcl.take_lowest_level().min(level);
        self.cdcl.backtrack_to(lowest);
        self.follow(terms);
        core
    }

    /// Makes the most active undecided child of the first open node true.
    fn decide(&mut self, terms: &Terms) {
        let Online { kernel, cdcl, .. } = self;
        let mut best: Option<Lit> = None;
        kernel.relevancy.for_each_first_candidate(terms, &kernel.clausifier, &mut |lit| {
            let better = |b: Lit| cdcl.activity(lit.var()) > cdcl.activity(b.var());
            if cdcl.value(lit).is_none() && best.is_none_or(better) {
                best = Some(lit);
            }
        });
        let lit = best.expect("propagation leaves an open node an undecided child");
        self.open_level(lit);
    }

    /// The steps of the proof so far; `selected` as for [`map_proof`].
    pub(crate) fn proof_steps(&self, selected: &dyn Fn(TermId) -> Option<bool>) -> Vec<Step> {
        map_proof(&self.kernel.clausifier, self.cdcl.proof(), &self.steps, selected)
    }
}

/// The value of a literal; variables that the Boolean search has not heard of have none.
fn known_value(cdcl: &Cdcl, lit: Lit) -> Option<bool> {
    if lit.var().index() < cdcl.num_vars() { cdcl.value(lit) } else { None }
}

/// Whether a literal holds at level 0.
fn is_fixed(cdcl: &Cdcl, lit: Lit) -> bool {
    known_value(cdcl, lit) == Some(true) && cdcl.level_of(lit.var()) == 0
}
