//! The public solver: assertions, levels, assumptions, limits, answers.
//!
//! ```
//! use catena::engine::solver::{Answer, Solver};
//!
//! let mut solver = Solver::new();
//! let t = solver.terms_mut();
//! let cell = t.declare_sort("Cell")?;
//! let next = t.declare_fun("next", &[cell], cell)?;
//! let (x, y) = (t.declare_const("x", cell)?, t.declare_const("y", cell)?);
//! let there = t.reach(next, x, y)?;
//! let back = t.reach(next, y, x)?;
//! let different = t.distinct(&[x, y])?;
//! for formula in [there, back, different] {
//!     solver.assert(formula)?;
//! }
//! // Two cells that reach each other lie on a cycle; nothing forbids that.
//! let Answer::Sat(model) = solver.check() else { panic!("a cycle of two cells is a model") };
//! assert_eq!(model.size(cell), 2);
//!
//! // On a chain that ends in x there is no cycle.
//! let t = solver.terms_mut();
//! let end = t.app(next, &[x])?;
//! let ends = t.eq(end, x)?;
//! assert!(matches!(solver.check_assuming(&[ends])?, Answer::Unsat(_)));
//! # Ok::<(), catena::logic::BuildError>(())
//! ```

mod cores;
mod counters;
mod room;

pub use crate::engine::answer::{Answer, Config, Reason, Refutation, Route};
use crate::engine::finite::Elements;
use crate::engine::fragment::{Fragment, classify};
use crate::engine::ground::GroundAnswer;
use crate::engine::route::{GroundRoute, ScopeView};
use crate::engine::search::{Assumption, Formulas, Outcome, Search};
use crate::logic::print::brief;
use crate::logic::{BuildError, SortId, TermId, Terms};
use crate::proof::{Literal, Proof, Step};
use crate::sat::Lit;
use crate::util::hash::{Map, Set};
use crate::util::limits::{Budget, Limits, Stop};
use crate::util::options;

struct Assertion {
    formula: TermId,
    /// The Boolean constant under which it is asserted, if any.
    selector: Option<TermId>,
    name: Option<String>,
    /// It is not encoded.
    too_large: bool,
}

struct Scope {
    id: u64,
    n_assertions: usize,
    /// Guards all unnamed assertions of the scope; made when the first one comes.
    selector: Option<TermId>,
}

/// An incremental solver. It owns its terms, can be sent to another thread, and gives the same answers in
/// the same order on every run.
pub struct Solver {
    terms: Terms,
    config: Config,
    limits: Limits,
    search: Search,
    elements: Elements,
    assertions: Vec<Assertion>,
    scopes: Vec<Scope>,
    /// All selectors ever made; a caller may have fresh Boolean constants of their own.
    selectors: Set<TermId>,
    /// Scopes opened so far; their numbers identify them.
    n_opened: u64,
    ground: GroundRoute,
    /// The grounder has accepted so many assertions, the oldest.
    ground_known: usize,
    /// How many assertions have quantifiers.
    n_quantified: usize,
    /// How many assertions have names.
    n_named: usize,
    /// How many assertions are too large for the memory limit.
    n_too_large: usize,
    queries: u64,
    steps: u64,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver with the default configuration.
    pub fn new() -> Solver {
        Solver::with_config(Config::default())
    }

    /// A solver with this configuration.
    pub fn with_config(config: Config) -> Solver {
        Solver::with_terms(config, Terms::new())
    }

    /// A solver over terms that exist already.
    pub fn with_terms(config: Config, terms: Terms) -> Solver {
        let search = Search::new(&terms, config.offline, config.proofs);
        let ground = GroundRoute::new(config.proofs);
        Solver {
            search,
            elements: Elements::default(),
            terms,
            config,
            limits: Limits::default(),
            assertions: Vec::new(),
            scopes: Vec::new(),
            selectors: Set::default(),
            n_opened: 0,
            ground,
            ground_known: 0,
            n_quantified: 0,
            n_named: 0,
            n_too_large: 0,
            queries: 0,
            steps: 0,
        }
    }

    /// The terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The terms, to build more of them.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// Sets the limits of each following check.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Asserts a closed formula until the present scope is popped.
    pub fn assert(&mut self, formula: TermId) -> Result<(), BuildError> {
        self.expect_formula(formula)?;
        let selector = match self.scopes.last_mut() {
            None => None,
            Some(scope) => {
                let terms = &mut self.terms;
                Some(*scope.selector.get_or_insert_with(|| terms.fresh_const("scope", SortId::BOOL)))
            }
        };
        self.add(formula, selector, None);
        Ok(())
    }

    /// Asserts a closed formula under a name that cores will mention.
    pub fn assert_named(&mut self, formula: TermId, name: &str) -> Result<(), BuildError> {
        self.expect_formula(formula)?;
        let selector = self.terms.fresh_const("named", SortId::BOOL);
        self.add(formula, Some(selector), Some(name.to_owned()));
        Ok(())
    }

    fn add(&mut self, formula: TermId, selector: Option<TermId>, name: Option<String>) {
        let too_large = self.is_too_large(formula);
        match selector {
            _ if too_large => self.n_too_large += 1,
            None => self.search.kernel_mut().assert(&mut self.terms, formula),
            Some(selector) => self.search.kernel_mut().assert_under(&mut self.terms, selector, formula),
        }
        self.selectors.extend(selector);
        self.n_quantified += usize::from(!self.terms.is_quantifier_free(formula));
        self.n_named += usize::from(name.is_some());
        self.assertions.push(Assertion { formula, selector, name, too_large });
    }

    fn expect_formula(&self, formula: TermId) -> Result<(), BuildError> {
        if !self.terms.contains(formula) {
            return Err(BuildError::ForeignId);
        }
        if self.terms.sort(formula) != SortId::BOOL {
            return Err(BuildError::Sort {
                place: "assertion".to_owned(),
                expected: "Bool".to_owned(),
                found: self.terms.sort_name(self.terms.sort(formula)).to_owned(),
            });
        }
        if !self.terms.is_closed(formula) {
            let free = self.terms.free_variables(formula)[0];
            let name = self.terms.variable_info(free).0;
            return Err(BuildError::Unsupported(format!("assertion: the variable {name} is not bound")));
        }
        Ok(())
    }

    /// Formulas asserted now, oldest first.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.assertions.iter().map(|a| a.formula)
    }

    /// The same with their names.
    pub fn named_assertions(&self) -> impl Iterator<Item = (TermId, Option<&str>)> + '_ {
        self.assertions.iter().map(|a| (a.formula, a.name.as_deref()))
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.n_opened += 1;
        self.scopes.push(Scope { id: self.n_opened, n_assertions: self.assertions.len(), selector: None });
    }

    /// Closes scopes and forgets their assertions. False, and nothing happens, if fewer are open.
    pub fn pop(&mut self, n: usize) -> bool {
        if n > self.scopes.len() {
            return false;
        }
        for _ in 0..n {
            let scope = self.scopes.pop().expect("counted above");
            let gone: Vec<Assertion> = self.assertions.drain(scope.n_assertions..).collect();
            self.ground_known = self.ground_known.min(self.assertions.len());
            let terms = &self.terms;
            self.n_quantified -= gone.iter().filter(|a| !terms.is_quantifier_free(a.formula)).count();
            self.n_named -= gone.iter().filter(|a| a.name.is_some()).count();
            self.n_too_large -= gone.iter().filter(|a| a.too_large).count();
            let gone: Set<TermId> = gone.into_iter().filter_map(|a| a.selector).collect();
            let mut gone: Vec<TermId> = gone.into_iter().collect();
            gone.sort_unstable();
            for selector in gone {
                self.search.kernel_mut().retire(&mut self.terms, selector);
            }
        }
        true
    }

    /// How many scopes are open.
    #[cfg(feature = "testing")]
    pub fn n_scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Whether the assertions are satisfiable.
    pub fn check(&mut self) -> Answer {
        self.check_formulas(&[])
    }

    /// Whether the assertions are satisfiable together with these closed formulas.
    pub fn check_assuming(&mut self, assumptions: &[TermId]) -> Result<Answer, BuildError> {
        for &assumption in assumptions {
            self.expect_formula(assumption)?;
        }
        Ok(self.check_formulas(assumptions))
    }

    fn check_formulas(&mut self, user: &[TermId]) -> Answer {
        self.queries += 1;
        if self.n_too_large > 0 || user.iter().any(|&formula| self.is_too_large(formula)) {
            return Answer::Unknown(Reason::Stopped(Stop::Memory));
        }
        let mut budget = Budget::new(&self.limits);
        // Encoding a question takes time that is not there any more.
        if let Err(stop) = budget.poll() {
            return Answer::Unknown(Reason::Stopped(stop));
        }
        if self.config.route != Route::Search && self.is_epr(user) {
            return self.check_ground(user);
        }
        let assumptions = self.assumptions(user);
        let solved = self.solve(&assumptions, user, &mut budget);
        self.steps += budget.used();
        match solved {
            Err(stop) => Answer::Unknown(Reason::Stopped(stop)),
            Ok(Outcome::Sat(model)) => Answer::Sat(model),
            Ok(Outcome::Incomplete(formula) | Outcome::Endless(formula)) => {
                Answer::Unknown(self.incomplete(formula, user))
            }
            Ok(Outcome::Unsat(core)) => {
                let core: Vec<Assumption> = core.into_iter().map(|i| assumptions[i].clone()).collect();
                let core = self.minimise(core, &budget);
                Answer::Unsat(self.refutation(&core, user, &assumptions))
            }
        }
    }

    /// The search; where it comes to no end, or to none soon, small models are tried in between.
    fn solve(
        &mut self,
        assumptions: &[Assumption],
        user: &[TermId],
        budget: &mut Budget,
    ) -> Result<Outcome, Stop> {
        // Quantifiers may ask for ever more terms where three cells would do.
        let quantified = |f: &TermId| !self.terms.is_quantifier_free(*f);
        let has_quantifiers = self.n_quantified > 0 || user.iter().any(quantified);
        let mut first =
            budget.part(if has_quantifiers { options::SOLVER_SMALL_MODELS_AFTER.get() } else { u64::MAX });
        self.search.kernel_mut().patience = options::SOLVER_FIRST_ROUNDS.count();
        let outcome = self.search.solve(&mut self.terms, assumptions, &mut first);
        self.search.kernel_mut().patience = options::SOLVER_MODEL_ROUNDS.count();
        let spent = budget.spend(first.used().saturating_sub(budget.used()));
        let unfinished = match outcome {
            Ok(Outcome::Incomplete(_)) => false,
            Ok(Outcome::Endless(_)) | Err(Stop::Steps) => true,
            _ => return outcome,
        };
        spent?;
        let formulas: Vec<TermId> = self.assertions().chain(user.iter().copied()).collect();
        match self.elements.small_model(&mut self.terms, &formulas, budget)? {
            Some(model) => Ok(Outcome::Sat(model)),
            None if unfinished => self.search.solve(&mut self.terms, assumptions, budget),
            None => outcome,
        }
    }

    /// Whether there are quantifiers and all formulas are EPR. Only new ones are looked at.
    fn is_epr(&mut self, user: &[TermId]) -> bool {
        let quantified = |f: &TermId| !self.terms.is_quantifier_free(*f);
        if self.n_quantified == 0 && !user.iter().any(quantified) {
            return false;
        }
        let new = self.assertions[self.ground_known..].iter().map(|a| a.formula);
        let new: Vec<TermId> = new.chain(user.iter().copied()).collect();
        if !self.ground.accepts_more(&self.terms, &new) {
            let live: Vec<TermId> = self.assertions().chain(user.iter().copied()).collect();
            self.ground_known = 0;
            if !self.ground.accepts_anew(&self.terms, &live) {
                return false;
            }
        }
        self.ground_known = self.assertions.len();
        true
    }

    /// The EPR route.
    fn check_ground(&mut self, user: &[TermId]) -> Answer {
        let mut budget = Budget::new(&self.limits);
        let named: Vec<TermId> = match self.n_named {
            0 => Vec::new(),
            _ => self.assertions.iter().filter(|a| a.name.is_some()).map(|a| a.formula).collect(),
        };
        if budget.watches_memory() {
            self.ground.set_held_beside(self.search.memory_bytes());
        }
        if let Err(stop) = self.follow_scopes(&mut budget) {
            return Answer::Unknown(Reason::Stopped(stop));
        }
        let assumed: Vec<TermId> = named.iter().chain(user).copied().collect();
        let checked = self.ground.check(&mut self.terms, &assumed, &mut budget);
        self.steps += budget.used();
        match checked {
            Err(stop) => Answer::Unknown(Reason::Stopped(stop)),
            Ok(GroundAnswer::Sat) => match self.ground.model(&self.terms, &assumed, &mut budget.watch()) {
                Ok(Ok(model)) => Answer::Sat(Box::new(model)),
                Ok(Err(formula)) => Answer::Unknown(self.incomplete(formula, user)),
                Err(stop) => Answer::Unknown(Reason::Stopped(stop)),
            },
            Ok(GroundAnswer::Unsat { core }) => {
                let core = match self.minimise_ground(core, &budget) {
                    Ok(core) => core,
                    Err(stop) => return Answer::Unknown(Reason::Stopped(stop)),
                };
                let in_core = |f: &TermId| core.contains(f);
                let assumptions: Vec<TermId> = user.iter().copied().filter(in_core).collect();
                let needed: Vec<TermId> = named.iter().copied().filter(in_core).collect();
                let proof = self.ground.proof(&self.terms, &needed, &assumptions);
                // Of several assertions of one formula the first is enough.
                let mut missing: Set<TermId> = needed.into_iter().collect();
                let names = self.assertions.iter().filter(|a| a.name.is_some() && missing.remove(&a.formula));
                let names = names.filter_map(|a| a.name.clone()).collect();
                Answer::Unsat(Refutation { names, assumptions, proof })
            }
        }
    }

    /// Brings the grounder up to date with the unnamed assertions of all scopes.
    fn follow_scopes(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let mut scopes = vec![ScopeView { id: 0, start: 0 }];
        scopes.extend(self.scopes.iter().map(|s| ScopeView { id: s.id, start: s.n_assertions }));
        let Solver { ground, terms, assertions, .. } = self;
        let unnamed = |i: usize| {
            let assertion: &Assertion = &assertions[i];
            assertion.name.is_none().then_some(assertion.formula)
        };
        ground.follow(terms, &scopes, assertions.len(), unnamed, budget)
    }

    /// Everything that holds in this check but not for good, as assumptions.
    fn assumptions(&mut self, user: &[TermId]) -> Vec<Assumption> {
        let mut selected: Vec<(Lit, Vec<TermId>)> = Vec::new();
        let mut position: Map<TermId, usize> = Map::default();
        for assertion in &self.assertions {
            let Some(selector) = assertion.selector else { continue };
            let at = *position.entry(selector).or_insert_with(|| {
                let lit = self.search.kernel_mut().assumable(&mut self.terms, selector);
                selected.push((lit, Vec::new()));
                selected.len() - 1
            });
            selected[at].1.push(assertion.formula);
        }
        let mut out = Vec::with_capacity(selected.len() + user.len());
        let many = |(lit, formulas)| Assumption { lit, formulas: Formulas::Many(formulas) };
        out.extend(selected.into_iter().map(many));
        for &formula in user {
            let lit = self.search.kernel_mut().assumable(&mut self.terms, formula);
            out.push(Assumption { lit, formulas: Formulas::One([formula]) });
        }
        out
    }

    /// Drops assumptions that are not needed, within a budget of the work already done.
    fn minimise(&mut self, mut core: Vec<Assumption>, spent: &Budget) -> Vec<Assumption> {
        if !self.config.minimise_cores {
            return core;
        }
        let mut budget = self.minimising_budget(spent);
        let mut at = 0;
        while at < core.len() && core.len() > 1 {
            let mut fewer = core.clone();
            fewer.remove(at);
            match self.search.solve(&mut self.terms, &fewer, &mut budget) {
                Ok(Outcome::Unsat(kept)) => {
                    // Everything before `at` is needed, so it is in every core.
                    core = kept.into_iter().map(|i| fewer[i].clone()).collect();
                }
                Ok(_) => at += 1,
                Err(_) => break,
            }
        }
        core
    }

    fn refutation(&self, core: &[Assumption], user: &[TermId], all: &[Assumption]) -> Refutation {
        let lits: Set<u32> = core.iter().map(|a| a.lit.code()).collect();
        let clausifier = &self.search.kernel().clausifier;
        let in_core = |formula: TermId| {
            clausifier.known_literal(&self.terms, formula).is_some_and(|l| lits.contains(&l.code()))
        };
        let names = self.assertions.iter().filter(|a| a.selector.is_some_and(&in_core));
        let names = names.filter_map(|a| a.name.clone()).collect();
        let assumptions: Vec<TermId> = user.iter().copied().filter(|&f| in_core(f)).collect();
        let proof = self.config.proofs.then(|| self.proof(&assumptions, all));
        Refutation { names, assumptions, proof }
    }

    fn proof(&self, assumptions: &[TermId], all: &[Assumption]) -> Proof {
        let live: Set<TermId> = self.assertions.iter().filter_map(|a| a.selector).collect();
        let selected = |atom: TermId| self.selectors.contains(&atom).then(|| live.contains(&atom));
        let mut steps = self.search.proof_steps(all, &selected);
        let clause: Vec<Literal> = assumptions.iter().map(|&a| Literal::new(&self.terms, a, false)).collect();
        let closed = matches!(steps.last(), Some(Step::Propagation { clause }) if clause.is_empty());
        if !closed {
            steps.push(Step::Propagation { clause });
        }
        Proof { steps }
    }

    /// Why the search got stuck at a formula: what is outside the complete fragments, if something is.
    fn incomplete(&self, stuck: TermId, user: &[TermId]) -> Reason {
        let formulas: Vec<TermId> = self.assertions().chain(user.iter().copied()).collect();
        let (formula, why) = match classify(&self.terms, &formulas) {
            Fragment::Outside { formula, why } => (formula, why),
            Fragment::Ground | Fragment::Lisbq | Fragment::Epr => (stuck, "no model could be built"),
        };
        Reason::Incomplete { formula, what: format!("{why}: {}", brief(&self.terms, formula)) }
    }
}

#[cfg(test)]
#[path = "solver_tests.rs"]
mod tests;
