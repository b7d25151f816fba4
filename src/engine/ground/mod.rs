//! The EPR route: lazy grounding over a finite universe, guided by models.
//!
//! The clauses of the Boolean skeleton are solved with quantifiers as atoms. Each assignment found is turned
//! into a finite model: nodes (ground terms) that are equal fall into one class, predicates become bit tables
//! over classes, everything not mentioned is false. What the model violates is added and the search goes on:
//! lemmas of equality and congruence, a counterexample (new constants) for a false quantifier, up to 40
//! instances of each true quantifier whose body is false somewhere. When nothing is violated, the finite model
//! is the answer. DESIGN.md section 5 says why this wins over grounding everything first.
//!
//! Everything added is valid for good, so thousands of queries under changing assumptions share it: a query
//! that needs nothing new costs one incremental SAT call, one rebuild of the tables and one evaluation of the
//! quantifiers that read a changed table.
//!
//! One concept per file: `fragment` says what is decided; `encode` makes clauses; `universe` holds the ground
//! terms; `closure` their classes; `tables`, `program` and `run` evaluate quantifiers fast; `world` joins
//! these; `instances` is the meaning of quantifiers; `refutation` writes proofs; `theory` supplies axioms.
//!
//! What one round finds (explanations, lemmas, tuples to instantiate) lives in one arena that is emptied with
//! the round. In `benches/incremental` (pdr-relation) that costs as many instructions as vectors did, within a
//! thousandth.
//!
//! Missing on purpose: minimising cores and trimming proofs, which callers do with a budget of their own.

mod closure;
mod encode;
mod fragment;
mod instances;
mod program;
mod refutation;
mod run;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(feature = "testing")]
mod theory;
mod universe;
mod world;

pub(crate) use fragment::in_fragment;
#[cfg(feature = "testing")]
pub use theory::axioms;

use crate::engine::habits::Habits;
use crate::logic::{Model, TermId, Terms};
use crate::proof::{Literal, Step};
use crate::sat::{Lit, Outcome};
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::stats::Stats;
use bumpalo::Bump;
use encode::Encoder;
use program::Program;
use world::World;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroundAnswer {
    /// There is a model; [`Grounder::model`] and [`Grounder::holds`] look at it.
    Sat,
    /// There is none.
    Unsat {
        /// Assumptions that have no model with the assertions; not minimal.
        core: Vec<TermId>,
    },
}

/// What the last query left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Last {
    /// No answer, or something was added since.
    Nothing,
    /// The world is a model.
    Model,
    /// The assertions and these assumptions have no model.
    Core(Vec<TermId>),
}

/// An incremental decision procedure for the fragment of [`in_fragment`]. All formulas of its life must be in
/// the fragment together; otherwise it may run until its budget ends.
#[derive(Clone, Debug)]
pub(crate) struct Grounder {
    encoder: Encoder,
    world: World,
    /// The literals of the open levels.
    levels: Vec<Lit>,
    /// What was asserted, and in which level.
    assertions: Vec<(TermId, usize)>,
    /// Bytes that the caller holds beside this.
    pub(crate) held_beside: u64,
    /// Formulas compiled for [`Grounder::holds`].
    compiled: Map<TermId, Program>,
    last: Last,
    habits: Habits,
    stats: Stats,
}

impl Grounder {
    /// A grounder without assertions; with `proofs` it keeps what a proof needs.
    pub(crate) fn new(proofs: bool) -> Grounder {
        Grounder {
            encoder: Encoder::new(proofs),
            world: World::default(),
            levels: Vec::new(),
            assertions: Vec::new(),
            held_beside: 0,
            compiled: Map::default(),
            last: Last::Nothing,
            habits: Habits::default(),
            stats: Stats::default(),
        }
    }

    /// Asserts a closed formula in the present level.
    pub(crate) fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        self.last = Last::Nothing;
        self.assertions.push((formula, self.levels.len()));
        let clause = vec![Literal::new(terms, formula, true)];
        let level = self.levels.last().copied();
        self.encoder.add(terms, clause, None, level, Step::Assertion { formula });
    }

    /// Opens a level: what is asserted from now on goes with [`Grounder::pop`].
    pub(crate) fn push(&mut self) {
        self.last = Last::Nothing;
        let level = self.encoder.level_var().positive();
        self.levels.push(level);
    }

    /// Forgets the assertions of the last level; terms and instances stay. Returns whether there was a level.
    pub(crate) fn pop(&mut self) -> bool {
        let Some(level) = self.levels.pop() else { return false };
        self.last = Last::Nothing;
        self.assertions.retain(|a| a.1 <= self.levels.len());
        self.encoder.retire(level);
        true
    }

    /// Decides whether the assertions have a model in which the assumptions, closed formulas, are true. A
    /// stopped query leaves everything usable.
    pub(crate) fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &mut Budget,
    ) -> Result<GroundAnswer, Stop> {
        self.stats.queries += 1;
        self.last = Last::Nothing;
        let assumed: Vec<Lit> = assumptions.iter().map(|&a| self.encoder.assume(terms, a)).collect();
        let mut lits = self.levels.clone();
        lits.extend(self.habits.order(&assumed).into_iter().map(|at| assumed[at]));
        let mut scratch = Bump::new();
        loop {
            scratch.reset();
            self.stats.sat_calls += 1;
            if budget.watches_memory() {
                budget.set_memory(self.held_beside + self.memory_bytes() + terms.memory_bytes());
            }
            if self.encoder.cdcl.solve(&lits, budget)? == Outcome::Unsat {
                let failed = self.encoder.cdcl.core();
                let of = assumed.iter().zip(assumptions);
                let mut core: Vec<TermId> =
                    of.filter(|(lit, _)| failed.contains(lit)).map(|(_, &a)| a).collect();
                core.sort_unstable();
                core.dedup();
                self.last = Last::Core(core.clone());
                return Ok(GroundAnswer::Unsat { core });
            }
            if self.repair(terms, &scratch, budget)? {
                continue;
            }
            self.last = Last::Model;
            debug_assert!(self.model_is_right(terms, assumptions), "the model satisfies all formulas");
            return Ok(GroundAnswer::Sat);
        }
    }

    /// Adds what the present assignment violates; false if it is a model.
    fn repair(&mut self, terms: &mut Terms, scratch: &Bump, budget: &mut Budget) -> Result<bool, Stop> {
        let Grounder { encoder, world, stats, .. } = self;
        if instances::skolemise(terms, encoder) {
            return Ok(true);
        }
        stats.theory_checks += 1;
        instances::compile_active(terms, encoder, world);
        world.rebuild(terms, encoder);
        if world.repair_equalities(encoder, scratch) {
            return Ok(true);
        }
        if world.repair_predicates(terms, encoder, scratch) {
            return Ok(true);
        }
        let added = instances::instantiate(terms, encoder, world, scratch, budget)?;
        stats.instances += added;
        Ok(added > 0)
    }

    /// The model of the last query, which must have been satisfiable with nothing added since.
    pub(crate) fn model(&self, terms: &Terms) -> Model {
        assert_eq!(self.last, Last::Model, "the last query found a model");
        self.world.model(terms, &self.encoder)
    }

    /// The truth of a closed formula of the fragment in the model of the last query: much faster than
    /// evaluating [`Grounder::model`], since it looks at the tables, and what is long or has quantifiers is
    /// compiled once for all models.
    pub(crate) fn holds(
        &mut self,
        terms: &Terms,
        formula: TermId,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        assert_eq!(self.last, Last::Model, "the last query found a model");
        let Grounder { encoder, world, compiled, .. } = self;
        // The same code has just found no violation in the same tables.
        if let Some((program, verified)) = encoder.verified(formula) {
            world.fill(terms, encoder, program);
            if world.unchanged(program, verified) {
                return Ok(true);
            }
        }
        if let Some(truth) = world.truth(terms, encoder, formula) {
            return Ok(truth);
        }
        if !compiled.contains_key(&formula) {
            compiled.insert(formula, program::compile(terms, &mut world.tables, formula));
        }
        let program = &compiled[&formula];
        world.fill(terms, encoder, program);
        world.holds(program, budget)
    }

    /// The truth of a Boolean constant in the model of the last query.
    pub(crate) fn is_on(&self, constant: TermId) -> bool {
        assert_eq!(self.last, Last::Model, "the last query found a model");
        self.encoder.is_on(constant)
    }

    /// Bytes held, as the parts count them.
    pub(crate) fn memory_bytes(&self) -> u64 {
        let counted = self.encoder.memory_bytes();
        // What the allocator rounds up, and tables that are held twice while they grow.
        counted + counted / 4
    }

    /// What was done so far.
    pub(crate) fn stats(&self) -> Stats {
        let search = &self.encoder.cdcl.stats;
        Stats {
            decisions: search.decisions,
            conflicts: search.conflicts,
            restarts: search.restarts,
            clauses: self.encoder.n_clauses,
            ..self.stats
        }
    }

    /// Whether the model satisfies what was asserted and assumed, as far as a bounded evaluation shows. The
    /// plain evaluator is a thousand times slower than a query, so of many queries only some are looked at.
    fn model_is_right(&self, terms: &Terms, assumptions: &[TermId]) -> bool {
        if self.stats.queries > 20 && !self.stats.queries.is_multiple_of(64) {
            return true;
        }
        let model = self.model(terms);
        let limits = crate::util::limits::Limits { steps: Some(100_000), ..Default::default() };
        let mut evaluator = crate::logic::Evaluator::with_budget(terms, &model, Budget::new(&limits));
        let formulas = self.assertions.iter().map(|a| a.0).chain(assumptions.iter().copied());
        formulas.into_iter().all(|f| !matches!(evaluator.holds(f), Ok(false)))
    }
}
