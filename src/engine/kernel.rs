//! What both searches share: clauses, relevancy, theory and instances of one set of formulas.
//!
//! A search (`search`, `offline`) owns the Boolean assignment. It tells the kernel about levels, lets it
//! [`Kernel::advance`] the justification under the present assignment, and asks it to [`Kernel::check`] the
//! relevant literals. The kernel answers by leaving new clauses in the clausifier, by opening case splits,
//! or by saying that nothing is wrong so far.
//!
//! Order of work in a check, cheapest and most useful first (benchmarks/lisbq/EXPERIMENT): conflicts,
//! quantifier instances whose guard is derived, consequences for open disjunctions; only when nothing is
//! open splits of the reachability rules, integers, and the model.

use crate::engine::cases::Cases;
use crate::engine::clausify::Clausifier;
use crate::engine::definitions::Definitions;
use crate::engine::guarded::Guarded;
use crate::engine::quantify::{Candidate, Quantifiers};
use crate::engine::relevancy::Relevancy;
use crate::engine::theory::egraph::Marks;
use crate::engine::theory::explain::Conflict;
use crate::engine::theory::{Sweeps, Theory};
use crate::logic::{Op, SortId, TermId, Terms};
use crate::proof::Step;
use crate::sat::Lit;
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::options;

/// What a check led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// There are new clauses or newly required formulas.
    More,
    /// Nothing is wrong with the present context.
    Quiet,
}

/// Clauses, relevancy, theory and instances.
pub(crate) struct Kernel {
    pub(crate) clausifier: Clausifier,
    pub(crate) theory: Theory,
    pub(crate) relevancy: Relevancy,
    pub(crate) quantifiers: Quantifiers,
    /// Formulas that hold without assumptions.
    pub(crate) roots: Vec<TermId>,
    /// The same by guards: those behind a false guard are not looked at.
    pub(crate) guarded: Guarded,
    /// How many of the unguarded ones the relevancy was told.
    required: usize,
    pub(crate) definitions: Definitions,
    cases: Cases,
    /// A second theory, for minimising conflicts.
    scratch: Theory,
    /// Constants for sorts of which nothing is known.
    witnesses: Map<SortId, TermId>,
    /// Relevant quantifiers whose guards are in the theory.
    prepared: usize,
    /// Splits to open at once; doubles while no conflict follows.
    pub(crate) split_width: usize,
    /// The context changed since it was last found quiet. Levels open only from quiet contexts, so going
    /// back leads to one.
    pub(crate) changed: bool,
    /// Something was undone since instances and splits were last looked at.
    resync: bool,
    /// Quantifiers, terms and instances when instances were last looked at.
    seen_for_instances: (usize, u32, u64),
    /// Literals met while looking at open nodes.
    open_marks: Marks,
    /// Their atoms.
    open_atoms: Vec<(TermId, bool)>,
    /// How many levels are opened by assumptions.
    n_assumed: usize,
    pub(crate) n_conflicts: u64,
    pub(crate) match_rounds: u32,
    /// For quantifiers over an integer, where that is worth an instance.
    pub(crate) boundaries: Map<TermId, Vec<TermId>>,
    /// Quantifiers whose violations are repaired before those of others.
    pub(crate) urgent: Vec<TermId>,
    /// Models that may be refined before a search outside the complete fragments gives up.
    pub(crate) patience: u32,
    pub(crate) n_splits: u64,
    pub(crate) n_checks: u64,
}

/// The truth value of a literal in the present assignment.
pub(crate) type Values<'a> = &'a dyn Fn(Lit) -> Option<bool>;

impl Kernel {
    pub(crate) fn new(terms: &Terms, proofs: bool) -> Kernel {
        Kernel {
            clausifier: Clausifier::new(proofs),
            theory: Theory::new(terms, proofs),
            relevancy: Relevancy::default(),
            quantifiers: Quantifiers::default(),
            roots: Vec::new(),
            guarded: Guarded::default(),
            required: 0,
            definitions: Definitions::default(),
            cases: Cases::default(),
            scratch: Theory::new(terms, proofs),
            witnesses: Map::default(),
            prepared: 0,
            split_width: 1,
            changed: true,
            resync: false,
            seen_for_instances: (0, 0, 0),
            open_marks: Marks::default(),
            open_atoms: Vec::new(),
            n_assumed: 0,
            n_conflicts: 0,
            match_rounds: 0,
            boundaries: Map::default(),
            urgent: Vec::new(),
            patience: options::SOLVER_MODEL_ROUNDS.count(),
            n_splits: 0,
            n_checks: 0,
        }
    }

    /// Asserts a formula for good.
    pub(crate) fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        let lit = self.encode(terms, formula);
        self.clausifier.add(vec![lit], |_| Step::Assertion { formula });
        self.roots.push(formula);
        self.guarded.add(terms, formula);
        if let Some(constant) = self.definitions.read(terms, formula) {
            self.relevancy.definitions.insert(constant, formula);
        }
    }

    /// Asserts a formula that holds whenever `selector`, a Boolean constant, does.
    pub(crate) fn assert_under(&mut self, terms: &mut Terms, selector: TermId, formula: TermId) {
        let lit = self.encode(terms, formula);
        let selector = self.clausifier.literal(terms, selector);
        self.clausifier.add(vec![!selector, lit], |_| Step::Assertion { formula });
    }

    /// A selector will never be assumed again.
    pub(crate) fn retire(&mut self, terms: &mut Terms, selector: TermId) {
        let lit = self.clausifier.literal(terms, selector);
        let negated = terms.mk_not(selector);
        self.clausifier.add(vec![!lit], |_| Step::Assertion { formula: negated });
    }

    /// The literal of a formula that is going to be assumed.
    pub(crate) fn assumable(&mut self, terms: &mut Terms, formula: TermId) -> Lit {
        let lit = self.clausifier.encode_assumed(terms, formula);
        self.cases.read(terms, formula, &mut self.clausifier, &mut self.scratch);
        self.clausifier.note_assumed(lit);
        lit
    }

    /// The literal of a formula that holds as a whole.
    fn encode(&mut self, terms: &mut Terms, formula: TermId) -> Lit {
        let lit = self.clausifier.encode(terms, formula);
        self.cases.read(terms, formula, &mut self.clausifier, &mut self.scratch);
        lit
    }

    /// Asks for the justification of the asserted formulas without guards, each once, at level 0.
    pub(crate) fn require_roots(&mut self, terms: &Terms) {
        for at in self.required..self.guarded.plain.len() {
            let root = self.guarded.plain[at];
            match self.definitions.defined(root) {
                // A definition waits for its constant, which may be there already.
                Some(constant) if self.theory.egraph.node(constant).is_none() => {}
                _ => self.require(terms, root),
            }
        }
        self.required = self.guarded.plain.len();
    }

    /// Asks for the justification of a formula, and if it is a guard, of what is behind it.
    pub(crate) fn require(&mut self, terms: &Terms, formula: TermId) {
        self.relevancy.require(terms, formula);
        let behind = self.guarded.behind(terms, formula);
        for &follows in behind.iter().chain(self.cases.following(formula)) {
            self.relevancy.require(terms, follows);
        }
    }

    /// Asks for everything behind guards among the constants that hold; whether something was missing. A guard that
    /// has no value is false in the model.
    pub(crate) fn require_guarded(&mut self, terms: &Terms, holding: &[Lit]) -> bool {
        let Kernel { guarded, clausifier, relevancy, .. } = self;
        let mut missing = false;
        for guard in holding.iter().filter_map(|lit| clausifier.constant(lit.var())) {
            for &formula in guarded.group(guard).into_iter().flat_map(|at| &guarded.groups[at].1) {
                if !relevancy.is_relevant(terms, formula) {
                    relevancy.require(terms, formula);
                    missing = true;
                }
            }
        }
        missing
    }

    pub(crate) fn push(&mut self) {
        self.theory.push();
        self.relevancy.push();
        // With the last assumption everything that waited is due, even if it brings nothing itself.
        self.changed |= self.theory.level() == self.n_assumed;
    }

    pub(crate) fn pop_to(&mut self, terms: &Terms, level: usize) {
        if level < self.theory.level() {
            self.theory.pop_to(level);
            self.relevancy.pop_to(level, &self.clausifier, terms, &self.theory);
            self.prepared = self.prepared.min(self.relevancy.quantifiers.len());
            self.resync = true;
            // What was passed over with assumptions to come is due where the next ones are others.
            self.changed = self.is_early();
        }
    }

    /// A query begins in which so many levels are opened by assumptions.
    pub(crate) fn expect_assumptions(&mut self, n: usize) {
        self.changed |= self.n_assumed != n;
        self.n_assumed = n;
    }

    /// Whether more assumptions follow. Until then rules with alternatives wait, except at level 0, where their
    /// conclusions last: sweeps at every assumption were a quarter of the time of benches/incremental.
    fn is_early(&self) -> bool {
        (1..self.n_assumed).contains(&self.theory.level())
    }

    /// Forgets the context but no clause and no instance: after an interrupted check.
    pub(crate) fn reset_context(&mut self, terms: &Terms) {
        let proofs = self.clausifier.proofs;
        self.theory = Theory::new(terms, proofs);
        self.scratch = Theory::new(terms, proofs);
        self.relevancy.reset();
        self.required = 0;
        self.prepared = 0;
        self.resync = true;
        self.changed = true;
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.clausifier.memory_bytes()
            + self.theory.memory_bytes()
            + self.scratch.memory_bytes()
            + self.relevancy.memory_bytes()
            + self.definitions.memory_bytes()
            + self.quantifiers.n_instances * 160
    }

    /// Extends the justification under the assignment until nothing new is relevant. Returns how many
    /// literals were asserted.
    pub(crate) fn advance(&mut self, terms: &mut Terms, value: Values) -> u64 {
        let mut asserted = 0;
        if std::mem::take(&mut self.resync) {
            self.relevancy.list_splits();
            self.seen_for_instances = (0, 0, 0);
        }
        loop {
            asserted += self.relevancy.advance(terms, &mut self.clausifier, &mut self.theory, value);
            self.changed |= asserted > 0;
            let mut changed = false;
            while self.prepared < self.relevancy.quantifiers.len() {
                let forall = self.relevancy.quantifiers[self.prepared];
                self.prepared += 1;
                self.quantifiers.prepare(terms, &mut self.theory, forall);
                self.inhabit_sorts(terms, forall);
                changed = true;
                self.changed = true;
            }
            changed |= self.require_instances(terms);
            if !changed {
                return asserted;
            }
        }
    }

    /// Asks for the instances of relevant quantifiers at terms that exist; whether one was missing.
    fn require_instances(&mut self, terms: &Terms) -> bool {
        let now = (self.relevancy.quantifiers.len(), self.theory.egraph.len(), self.quantifiers.n_instances);
        if std::mem::replace(&mut self.seen_for_instances, now) == now {
            return false;
        }
        let mut missing = false;
        for at in 0..self.relevancy.quantifiers.len() {
            let forall = self.relevancy.quantifiers[at];
            for instance in self.quantifiers.instances(forall) {
                let exists = |&t: &TermId| {
                    self.theory.egraph.node(t).is_some() || (instance.lasting && terms.sort(t) == SortId::INT)
                };
                if !self.relevancy.is_relevant(terms, instance.formula) && instance.values.iter().all(exists)
                {
                    self.relevancy.require(terms, instance.formula);
                    missing = true;
                }
            }
        }
        missing
    }

    /// Gives the sorts of a quantifier without guards a term: a sort is never empty, so there must be one
    /// to instantiate with.
    fn inhabit_sorts(&mut self, terms: &mut Terms, forall: TermId) {
        if self.quantifiers.is_guarded(forall) {
            return;
        }
        let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
        let variables = terms.quantifier(id).variables.clone();
        for var in variables {
            let sort = terms.variable_info(var).1;
            let egraph = &self.theory.egraph;
            let inhabited = (0..egraph.len()).any(|n| terms.sort(egraph.term(n)) == sort);
            if !inhabited && sort.is_uninterpreted() {
                let witness = *self.witnesses.entry(sort).or_insert_with(|| terms.fresh_const("elem", sort));
                self.theory.add_term(terms, witness);
            }
        }
    }

    /// Checks the relevant literals. `fixed` tells literals that hold at level 0.
    pub(crate) fn check(
        &mut self,
        terms: &mut Terms,
        fixed: &dyn Fn(Lit) -> bool,
        value: Values,
        budget: &mut Budget,
    ) -> Result<Progress, Stop> {
        if self.theory.egraph.is_overrun() {
            return Err(budget.refuse_memory());
        }
        if !self.changed {
            return Ok(Progress::Quiet);
        }
        self.n_checks += 1;
        let sweeps = if self.is_early() { Sweeps::Wait } else { Sweeps::Run };
        if let Some(conflict) = self.theory.saturate_with(terms, sweeps, budget)? {
            self.add_conflict(terms, conflict, fixed, budget)?;
            return Ok(Progress::More);
        }
        if self.instantiate(terms, budget)? {
            return Ok(Progress::More);
        }
        // Atoms of open nodes wait as well.
        if sweeps == Sweeps::Run && self.imply_open(terms, value, budget)? {
            return Ok(Progress::More);
        }
        self.changed = false;
        Ok(Progress::Quiet)
    }

    /// Adds the clause of a conflict, shortened if it is long.
    pub(crate) fn add_conflict(
        &mut self,
        terms: &Terms,
        conflict: Conflict,
        fixed: &dyn Fn(Lit) -> bool,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        self.n_conflicts += 1;
        self.match_rounds = 0;
        self.split_width = 1;
        let conflict = self.minimise(terms, conflict, fixed, budget)?;
        let lits: Vec<Lit> = conflict.literals.iter().map(|&l| !l).collect();
        self.clausifier.add(lits.clone(), |c| Step::Lemma {
            clause: c.proof_clause(&lits),
            derivation: conflict.derivation,
        });
        Ok(())
    }

    /// Deletion-based shortening: drop a literal, ask the scratch theory again.
    fn minimise(
        &mut self,
        terms: &Terms,
        conflict: Conflict,
        fixed: &dyn Fn(Lit) -> bool,
        budget: &mut Budget,
    ) -> Result<Conflict, Stop> {
        let order: Vec<Lit> = conflict.literals.iter().copied().filter(|&l| !fixed(l)).collect();
        if order.len() <= options::SOLVER_SHORT_CONFLICT.size() {
            return Ok(conflict);
        }
        let mut best = conflict;
        let mut work = 0;
        for &dropped in order.iter().rev() {
            if best.literals.binary_search(&dropped).is_err() {
                continue;
            }
            work += best.literals.len();
            if work > options::SOLVER_MINIMISING_WORK.size() {
                break;
            }
            budget.spend(best.literals.len() as u64)?;
            self.scratch.push();
            for &lit in best.literals.iter().filter(|&&l| l != dropped) {
                self.scratch.assert(terms, self.clausifier.atom(lit.var()), lit.is_positive(), lit);
            }
            let shorter = self.scratch.saturate(terms, budget);
            self.scratch.pop_to(0);
            if let Some(shorter) = shorter? {
                best = shorter;
            }
        }
        Ok(best)
    }

    /// Adds instances whose guards are derived; whether there were any.
    fn instantiate(&mut self, terms: &mut Terms, budget: &mut Budget) -> Result<bool, Stop> {
        let mut found: Vec<Candidate> = Vec::new();
        for &forall in &self.relevancy.quantifiers {
            self.quantifiers.candidates(terms, &self.theory, forall, &mut found, budget)?;
        }
        let any = !found.is_empty();
        for candidate in found {
            self.add_instance(terms, candidate.forall, &candidate.values);
            for (field, places) in candidate.guards {
                self.add_guard_lemma(terms, field, places);
            }
        }
        Ok(any)
    }

    /// The clause `not forall or instance`; whether it is new.
    pub(crate) fn add_instance(&mut self, terms: &mut Terms, forall: TermId, values: &[TermId]) -> bool {
        let Some(formula) = self.quantifiers.add(terms, forall, values) else { return false };
        let instance = self.clausifier.encode(terms, formula);
        let quantifier = self.clausifier.literal(terms, forall);
        let values = values.to_vec();
        self.clausifier.add(vec![!quantifier, instance], |_| Step::Instance { forall, values });
        true
    }

    /// A derived guard as a clause, so that the Boolean search knows it too.
    fn add_guard_lemma(&mut self, terms: &mut Terms, field: crate::logic::FuncId, places: [TermId; 3]) {
        let atom = terms.mk_between(field, places[0], places[1], places[2]);
        if let Some((true, why)) = self.theory.implied(terms, atom) {
            self.add_implication(terms, why, atom, true);
        }
    }

    fn add_implication(&mut self, terms: &mut Terms, why: Conflict, atom: TermId, truth: bool) {
        let head = self.clausifier.encode(terms, atom);
        let head = if truth { head } else { !head };
        if why.literals[..] == [head] {
            return;
        }
        let mut lits: Vec<Lit> = why.literals.iter().map(|&l| !l).collect();
        lits.push(head);
        self.clausifier
            .add(lits.clone(), |c| Step::Lemma { clause: c.proof_clause(&lits), derivation: why.derivation });
    }

    /// Clauses for undecided atoms of open nodes that the context decides; whether there were any.
    fn imply_open(&mut self, terms: &mut Terms, value: Values, budget: &mut Budget) -> Result<bool, Stop> {
        self.open_marks.start(2 * self.clausifier.n_vars());
        let mut atoms = std::mem::take(&mut self.open_atoms);
        atoms.clear();
        let (clausifier, marks) = (&self.clausifier, &mut self.open_marks);
        self.relevancy.for_each_candidate(terms, clausifier, &mut |lit| {
            if value(lit).is_none() && marks.set(lit.code()) {
                atoms.push((clausifier.atom(lit.var()), lit.is_positive()));
            }
        });
        let mut any = false;
        for &(atom, positive) in &atoms {
            budget.spend(1)?;
            // An entailed atom is worth a clause in both signs, a refuted one only if somebody wants it true.
            if let Some((truth, why)) = self.theory.implied(terms, atom)
                && (truth || positive)
            {
                budget.spend(why.literals.len() as u64)?;
                self.add_implication(terms, why, atom, truth);
                any = true;
            }
        }
        self.open_atoms = atoms;
        Ok(any)
    }
}
