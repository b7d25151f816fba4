//! The crate batsat 0.6 behind our interface.
//!
//! Its `unsat_core` returns the negations of the failed assumptions, whatever its text says. It asks a
//! callback at every decision whether to stop, and is usable afterwards.

use super::lit::{Lit, Var};
use super::{Engine, Outcome};
use crate::util::limits::{Budget, Stop};
use batsat::{Callbacks, SolverInterface, lbool};
use std::cell::RefCell;

/// The budget of the query that runs.
struct Meter(RefCell<Budget>);

impl Callbacks for Meter {
    fn stop(&self) -> bool {
        // Batsat reports no propagations; a decision stands for a few.
        self.0.borrow_mut().spend(8).is_err()
    }
}

/// A batsat solver.
pub(super) struct Batsat {
    solver: batsat::Solver<Meter>,
    vars: Vec<batsat::Var>,
    literals: usize,
    model: Vec<bool>,
    core: Vec<Lit>,
}

impl Batsat {
    pub(super) fn new() -> Batsat {
        let meter = Meter(RefCell::new(Budget::unlimited()));
        Batsat {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), meter),
            vars: Vec::new(),
            literals: 0,
            model: Vec::new(),
            core: Vec::new(),
        }
    }

    fn outward(&self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.vars[lit.var().index()], lit.is_positive())
    }
}

fn truth(value: lbool) -> Option<bool> {
    if value == lbool::UNDEF { None } else { Some(value == lbool::TRUE) }
}

impl Engine for Batsat {
    fn new_var(&mut self) -> Var {
        let var = self.solver.new_var_default();
        debug_assert_eq!(var.idx() as usize, self.vars.len(), "batsat counts as we do");
        self.vars.push(var);
        Var(self.vars.len() as u32 - 1)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.literals += lits.len();
        let mut clause = lits.iter().map(|&lit| self.outward(lit)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Outcome, Stop> {
        self.model.clear();
        self.core.clear();
        budget.poll()?;
        self.solver.cb_mut().0.replace(budget.clone());
        let assumed: Vec<batsat::Lit> = assumptions.iter().map(|&lit| self.outward(lit)).collect();
        let answer = truth(self.solver.solve_limited(&assumed));
        budget.clone_from(&self.solver.cb().0.borrow());
        match answer {
            Some(true) => {
                let values = self.vars.iter().map(|&var| self.solver.value_var(var) == lbool::TRUE);
                self.model.extend(values);
                Ok(Outcome::Sat)
            }
            Some(false) => {
                let core = self.solver.unsat_core().iter();
                self.core.extend(core.map(|lit| !Lit::new(Var(lit.var().idx()), lit.sign())));
                Ok(Outcome::Unsat)
            }
            None => Err(budget.stopped().unwrap_or(Stop::Cancelled)),
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.model.get(lit.var().index()).map(|&value| value == lit.is_positive())
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn level0(&self, lit: Lit) -> Option<bool> {
        truth(self.solver.value_lvl_0(self.outward(lit)))
    }

    fn memory_bytes(&self) -> u64 {
        // What batsat itself holds is not visible: assume headers and watches as large as the literals.
        (12 * self.literals + 200 * self.vars.len()) as u64
    }
}
