//! The offline loop: a full Boolean model, its relevant literals, one theory check, new clauses, again.
//!
//! The first milestone of `benchmarks/lisbq/EXPERIMENT.md`, kept as the reference for `online`. Any SAT
//! solver will do. A proof is made by solving the final clauses once more with our own CDCL, which logs what
//! it learns; that run is also a second opinion on the SAT solver's answer.

use crate::engine::clausify::NewClause;
use crate::engine::construct::Constructed;
use crate::engine::kernel::{Kernel, Progress};
use crate::engine::search::{Assumption, Counters, Outcome, core_positions, gives_up, map_proof};
use crate::logic::{TermId, Terms};
use crate::proof::Step;
use crate::sat::cdcl::Cdcl;
use crate::sat::{self, Backend, Lit, Var};
use crate::util::limits::{Budget, Stop};

/// A SAT solver and how much of the kernel's clauses it has.
struct SatCopy {
    solver: sat::Solver,
    n_vars: usize,
    n_clauses: usize,
}

/// The reference search.
pub(crate) struct Offline {
    pub(crate) kernel: Kernel,
    backend: Backend,
    /// All clauses, with their justifications when proofs are on. The SAT solver is made anew for each
    /// query, because not every back end can be sent to another thread.
    clauses: Vec<NewClause>,
    calls: u64,
}

impl Offline {
    pub(crate) fn new(terms: &Terms, backend: Backend, proofs: bool) -> Offline {
        Offline { kernel: Kernel::new(terms, proofs), backend, clauses: Vec::new(), calls: 0 }
    }

    pub(crate) fn counters(&self) -> Counters {
        Counters { calls: self.calls, conflicts: self.kernel.n_conflicts, ..Counters::default() }
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.kernel.memory_bytes() + (self.clauses.len() * 240) as u64
    }

    pub(crate) fn solve(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Assumption],
        budget: &mut Budget,
    ) -> Result<Outcome, Stop> {
        let lits: Vec<Lit> = assumptions.iter().map(|a| a.lit).collect();
        let assumed: Vec<TermId> = assumptions.iter().flat_map(|a| &a.formulas[..]).copied().collect();
        let mut model_rounds = 0;
        let mut sat = SatCopy { solver: sat::Solver::new(self.backend), n_vars: 0, n_clauses: 0 };
        loop {
            self.flush(&mut sat);
            self.calls += 1;
            budget.set_memory(self.memory_bytes() + sat.solver.memory_bytes() + terms.memory_bytes());
            budget.poll()?;
            if sat.solver.solve(&lits, budget)? == sat::Outcome::Unsat {
                return Ok(Outcome::Unsat(core_positions(assumptions, sat.solver.core())));
            }
            // Every round starts from an empty context.
            self.kernel.reset_context(terms);
            self.kernel.require_roots(terms);
            for &formula in &assumed {
                self.kernel.relevancy.require(terms, formula);
            }
            let kernel = &mut self.kernel;
            let value = |lit: Lit| if lit.var().index() < sat.n_vars { sat.solver.value(lit) } else { None };
            let fixed = |lit: Lit| lit.var().index() < sat.n_vars && sat.solver.level0(lit) == Some(true);
            let vars = (0..sat.n_vars as u32).map(|var| Var(var).positive());
            let holding: Vec<Lit> = vars.filter(|&lit| value(lit) == Some(true)).collect();
            kernel.require_guarded(terms, &holding);
            kernel.advance(terms, &value);
            if !kernel.clausifier.fresh.is_empty()
                || kernel.check(terms, &fixed, &value, budget)? == Progress::More
                || kernel.relevancy.has_open()
                || kernel.complete(terms, &fixed, budget)? == Progress::More
            {
                continue;
            }
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

    fn flush(&mut self, sat: &mut SatCopy) {
        self.clauses.append(&mut self.kernel.clausifier.fresh);
        while sat.n_vars < self.kernel.clausifier.n_vars() {
            sat.solver.new_var();
            sat.n_vars += 1;
        }
        for clause in &self.clauses[sat.n_clauses..] {
            sat.solver.add_clause(&clause.lits);
        }
        sat.n_clauses = self.clauses.len();
    }

    pub(crate) fn proof_steps(
        &self,
        assumptions: &[Assumption],
        selected: &dyn Fn(TermId) -> Option<bool>,
    ) -> Vec<Step> {
        let mut cdcl = Cdcl::default();
        cdcl.log_proof();
        for _ in 0..self.kernel.clausifier.n_vars() {
            cdcl.new_var();
        }
        for (tag, clause) in self.clauses.iter().enumerate() {
            cdcl.add_clause(&clause.lits, tag as u32);
        }
        let lits: Vec<Lit> = assumptions.iter().map(|a| a.lit).collect();
        let answer = cdcl.solve(&lits, &mut Budget::unlimited());
        assert!(
            matches!(answer, Ok(crate::sat::Outcome::Unsat)),
            "two SAT solvers agree on the final clauses"
        );
        let inputs: Vec<Step> = self.clauses.iter().filter_map(|c| c.step.as_deref().cloned()).collect();
        map_proof(&self.kernel.clausifier, cdcl.proof(), &inputs, selected)
    }
}
