//! The SAT interface: incremental queries under assumptions, with models and checked cores.
//!
//! [`Solver`] is the narrow front that the offline loops use; behind it is our own [`cdcl::Cdcl`] or one of
//! two crates, kept for comparison and as a second opinion. The search over theories uses `Cdcl` directly.
//!
//! Contract, the same for every back end:
//! - clauses and variables may be added between queries, for good; a temporary clause carries the negation
//!   of an activation literal, is switched on by assuming that literal, and retired by a unit clause;
//! - after [`Outcome::Sat`] every variable that exists has a value and all clauses and assumptions are true;
//! - after [`Outcome::Unsat`] the core is a subset of the assumptions that has no model with the clauses; it
//!   is empty only if the clauses alone have none;
//! - a stopped query changes nothing but the budget;
//! - the same calls give the same answers, models and cores.

#[cfg(feature = "batsat")]
mod batsat;
pub mod cdcl;
#[cfg(feature = "testing")]
pub mod cnf;
pub mod lit;
pub mod proof;
#[cfg(test)]
mod tests;
#[cfg(feature = "varisat")]
mod varisat;

use crate::util::limits::{Budget, Stop};
pub use lit::{Lit, Var};

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
}

/// Which solver does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// [`cdcl::Cdcl`].
    Own,
    /// The crate varisat, its cores checked again.
    #[cfg(feature = "varisat")]
    Varisat,
    /// The crate batsat.
    #[cfg(feature = "batsat")]
    Batsat,
}

impl Backend {
    /// Every back end of this build.
    #[cfg(feature = "testing")]
    pub const ALL: &'static [Backend] = &[
        Backend::Own,
        #[cfg(feature = "varisat")]
        Backend::Varisat,
        #[cfg(feature = "batsat")]
        Backend::Batsat,
    ];
}

/// What a back end does; see [`Solver`] for the contract of each.
trait Engine {
    fn new_var(&mut self) -> Var;
    fn add_clause(&mut self, lits: &[Lit]);
    fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Outcome, Stop>;
    fn value(&self, lit: Lit) -> Option<bool>;
    fn core(&self) -> &[Lit];
    fn level0(&self, lit: Lit) -> Option<bool>;
    fn memory_bytes(&self) -> u64;
}

impl Engine for cdcl::Cdcl {
    fn new_var(&mut self) -> Var {
        cdcl::Cdcl::new_var(self)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        cdcl::Cdcl::add_clause(self, lits, 0);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Outcome, Stop> {
        cdcl::Cdcl::solve(self, assumptions, budget)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.model_value(lit)
    }

    fn core(&self) -> &[Lit] {
        cdcl::Cdcl::core(self)
    }

    fn level0(&self, lit: Lit) -> Option<bool> {
        cdcl::Cdcl::level0(self, lit)
    }

    fn memory_bytes(&self) -> u64 {
        cdcl::Cdcl::memory_bytes(self)
    }
}

/// An incremental SAT solver.
pub struct Solver {
    engine: Box<dyn Engine>,
    /// The core of the last unsat answer.
    core: Vec<Lit>,
}

impl Solver {
    /// A solver without variables and clauses.
    pub fn new(backend: Backend) -> Solver {
        let engine: Box<dyn Engine> = match backend {
            Backend::Own => Box::<cdcl::Cdcl>::default(),
            #[cfg(feature = "varisat")]
            Backend::Varisat => Box::new(varisat::Varisat::new()),
            #[cfg(feature = "batsat")]
            Backend::Batsat => Box::new(batsat::Batsat::new()),
        };
        Solver { engine, core: Vec::new() }
    }

    /// Makes the next variable.
    pub fn new_var(&mut self) -> Var {
        self.engine.new_var()
    }

    /// Adds a clause for good. Its variables must exist.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.engine.add_clause(lits);
    }

    /// Whether the clauses have a model in which the assumptions are true. Cheapest when the assumptions
    /// that change least between queries come first.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Outcome, Stop> {
        self.core.clear();
        let outcome = self.engine.solve(assumptions, budget)?;
        if outcome == Outcome::Unsat {
            self.core.extend_from_slice(self.engine.core());
        }
        Ok(outcome)
    }

    /// The literal's value in the model of the last query; none if it had no model, or for a variable made
    /// since then. Adding clauses does not change the model.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.engine.value(lit)
    }

    /// After an unsat answer: assumptions that have no model together.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Drops literals from the core of the last unsat answer as long as it stays a core. When the budget
    /// stops this, the core is valid but may not be minimal.
    #[cfg(feature = "testing")]
    pub fn minimise_core(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let mut core = std::mem::take(&mut self.core);
        let mut result = Ok(());
        // From the back, so that consecutive queries share the front of their assumptions.
        let mut at = core.len();
        while at > 0 {
            at -= 1;
            let dropped = core.remove(at);
            match self.engine.solve(&core, budget) {
                Ok(Outcome::Unsat) => {
                    let smaller = self.engine.core();
                    // Literals behind `at` are needed, so all that goes is in front of it or at it.
                    let before = core.len();
                    core.retain(|lit| smaller.contains(lit));
                    at = at.saturating_sub(before - core.len());
                }
                Ok(Outcome::Sat) => core.insert(at, dropped),
                Err(stop) => {
                    core.insert(at, dropped);
                    result = Err(stop);
                    break;
                }
            }
        }
        self.core = core;
        result
    }

    /// The literal's value if it is known to be the same in every model.
    pub fn level0(&self, lit: Lit) -> Option<bool> {
        self.engine.level0(lit)
    }

    /// Bytes held, nearly.
    pub fn memory_bytes(&self) -> u64 {
        self.engine.memory_bytes()
    }
}
