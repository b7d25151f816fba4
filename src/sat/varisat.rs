//! The crate varisat 0.2.2 behind our interface, with its two faults worked around.
//!
//! 1. `failed_core` can name too few assumptions: a stale mark in its analysis ends the walk over reasons
//!    early, after a core of length one was found before. Answers and models are right. So every core is
//!    solved again; if it turns out satisfiable, it is found anew by deletion, using answers only.
//! 2. There is no way to stop it. A proof writer that fails once the budget is used up ends the search with
//!    an error, after which the solver is dead and is rebuilt from our own list of clauses. The writer is
//!    called once per 8 KiB of proof, so a stretch without conflicts is not interrupted.
//!
//! It is also rebuilt every [`REBUILD_AFTER`] queries, because retired temporary clauses slow it down.

use super::lit::{Lit, Var};
use super::{Engine, Outcome};
use crate::util::limits::{Budget, Stop};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use varisat::{ExtendFormula, ProofFormat};

/// Queries between two rebuildings.
const REBUILD_AFTER: u32 = 1000;

/// The proof writer that counts work and fails when the budget is used up.
struct Meter(Rc<RefCell<Budget>>);

impl io::Write for Meter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut budget = self.0.borrow_mut();
        match budget.spend(bytes.len() as u64).and_then(|()| budget.poll()) {
            Ok(()) => Ok(bytes.len()),
            Err(stop) => Err(io::Error::other(stop.to_string())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A varisat solver that can be stopped and gives right cores.
pub(super) struct Varisat {
    /// None after an interruption, until the next query.
    solver: Option<varisat::Solver<'static>>,
    /// The budget of the query that runs, shared with the proof writer.
    meter: Rc<RefCell<Budget>>,
    queries: u32,
    vars: u32,
    clauses: Vec<Vec<Lit>>,
    /// For each variable its value in all models, if known.
    facts: Vec<Option<bool>>,
    contradiction: bool,
    model: Vec<bool>,
    core: Vec<Lit>,
}

fn outward(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.var().index(), lit.is_positive())
}

fn inward(lit: varisat::Lit) -> Lit {
    Lit::new(Var(lit.index() as u32), lit.is_positive())
}

impl Varisat {
    pub(super) fn new() -> Varisat {
        Varisat {
            solver: None,
            meter: Rc::new(RefCell::new(Budget::unlimited())),
            queries: 0,
            vars: 0,
            clauses: Vec::new(),
            facts: Vec::new(),
            contradiction: false,
            model: Vec::new(),
            core: Vec::new(),
        }
    }

    fn fact(&self, lit: Lit) -> Option<bool> {
        self.facts[lit.var().index()].map(|value| value == lit.is_positive())
    }

    fn rebuild(&mut self) {
        let mut solver = varisat::Solver::new();
        solver.write_proof(Meter(self.meter.clone()), ProofFormat::Varisat);
        for _ in 0..self.vars {
            solver.new_var();
        }
        let mut clauses = std::mem::take(&mut self.clauses);
        // Clauses that a fact makes true for ever are dropped; the units that state facts stay.
        clauses.retain(|clause| clause.len() <= 1 || clause.iter().all(|&lit| self.fact(lit) != Some(true)));
        for clause in &clauses {
            solver.add_clause(&clause.iter().map(|&lit| outward(lit)).collect::<Vec<_>>());
        }
        self.clauses = clauses;
        self.solver = Some(solver);
        self.queries = 0;
    }

    /// One query as varisat answers it, with its core as far as it can be read; errors mean a stop.
    fn ask(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Option<Vec<Lit>>, Stop> {
        budget.spend(1 + assumptions.len() as u64)?;
        if self.solver.is_none() || self.queries >= REBUILD_AFTER {
            self.rebuild();
        }
        self.queries += 1;
        self.meter.replace(budget.clone());
        let solver = self.solver.as_mut().expect("just built");
        solver.assume(&assumptions.iter().map(|&lit| outward(lit)).collect::<Vec<_>>());
        let answer = solver.solve();
        budget.clone_from(&self.meter.borrow());
        match answer {
            Ok(true) => {
                self.model.clear();
                self.model.resize(self.vars as usize, false);
                for lit in solver.model().unwrap_or_default() {
                    self.model[lit.index()] = lit.is_positive();
                }
                Ok(None)
            }
            Ok(false) => {
                let core = solver.failed_core().unwrap_or_default();
                Ok(Some(core.iter().map(|&lit| inward(lit)).collect()))
            }
            Err(_) => {
                self.solver = None;
                Err(budget.stopped().unwrap_or(Stop::Cancelled))
            }
        }
    }

    /// A core that is right, given the one varisat reported.
    fn check_core(&mut self, assumptions: &[Lit], reported: Vec<Lit>, budget: &mut Budget) -> Vec<Lit> {
        let mut all = assumptions.to_vec();
        all.sort_unstable();
        all.dedup();
        let known = |lit: &Lit| all.binary_search(lit).is_ok();
        if reported.is_empty() || reported.len() == all.len() && reported.iter().all(known) {
            return reported;
        }
        match self.ask(&reported, budget) {
            Ok(Some(_)) => reported,
            Ok(None) => self.delete_from(all, budget),
            Err(_) => all,
        }
    }

    /// Shrinks a core by deletion, trusting answers only.
    fn delete_from(&mut self, mut core: Vec<Lit>, budget: &mut Budget) -> Vec<Lit> {
        for at in (0..core.len()).rev() {
            let dropped = core.remove(at);
            if !matches!(self.ask(&core, budget), Ok(Some(_))) {
                core.insert(at, dropped);
            }
        }
        core
    }
}

impl Engine for Varisat {
    fn new_var(&mut self) -> Var {
        self.vars += 1;
        self.facts.push(None);
        if let Some(solver) = &mut self.solver {
            solver.new_var();
        }
        Var(self.vars - 1)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        if let [unit] = lits {
            match self.fact(*unit) {
                Some(true) => return,
                Some(false) => self.contradiction = true,
                None => self.facts[unit.var().index()] = Some(unit.is_positive()),
            }
        }
        self.contradiction |= lits.is_empty();
        self.clauses.push(lits.to_vec());
        if let Some(solver) = &mut self.solver {
            solver.add_clause(&lits.iter().map(|&lit| outward(lit)).collect::<Vec<_>>());
        }
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Outcome, Stop> {
        self.core.clear();
        self.model.clear();
        budget.poll()?;
        if self.contradiction {
            return Ok(Outcome::Unsat);
        }
        if let Some(&failed) = assumptions.iter().find(|&&lit| self.fact(lit) == Some(false)) {
            self.core.push(failed);
            return Ok(Outcome::Unsat);
        }
        match self.ask(assumptions, budget)? {
            None => Ok(Outcome::Sat),
            Some(reported) => {
                self.core = self.check_core(assumptions, reported, budget);
                // Checking may have found models of parts of the assumptions.
                self.model.clear();
                match self.core[..] {
                    [] => self.contradiction = true,
                    // A unit of its own, because rebuilding may drop the clauses that imply it.
                    [failed] => self.add_clause(&[!failed]),
                    _ => {}
                }
                Ok(Outcome::Unsat)
            }
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.model.get(lit.var().index()).map(|&value| value == lit.is_positive())
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn level0(&self, lit: Lit) -> Option<bool> {
        self.fact(lit)
    }

    fn memory_bytes(&self) -> u64 {
        // What varisat itself holds is not visible: assume twice our own list for clauses and watches.
        let lits: usize = self.clauses.iter().map(|clause| clause.capacity()).sum();
        (3 * (4 * lits + size_of::<Vec<Lit>>() * self.clauses.capacity()) + 200 * self.vars as usize) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest script known to provoke the wrong core. The fact is implied by two clauses, so that the
    /// wrapper does not answer in varisat's place, and the last variable is new in the last step.
    fn provoke() -> (Varisat, Vec<Lit>, [Lit; 3]) {
        let mut budget = Budget::unlimited();
        let mut solver = Varisat::new();
        let [fact, a, b, implied] = [(); 4].map(|()| solver.new_var().positive());
        solver.add_clause(&[implied]);
        solver.add_clause(&[!implied, !fact]);
        assert_eq!(solver.ask(&[fact], &mut budget), Ok(Some(vec![fact])));
        solver.add_clause(&[fact, !a, b]);
        assert_eq!(solver.ask(&[], &mut budget), Ok(None));
        let fresh = solver.new_var().positive();
        (solver, vec![a, fresh, !b], [a, fresh, !b])
    }

    #[test]
    fn varisat_reports_a_wrong_core_and_we_repair_it() {
        let mut budget = Budget::unlimited();
        let (mut raw, assumptions, [a, _, not_b]) = provoke();
        let reported = raw.ask(&assumptions, &mut budget).unwrap().expect("unsat");
        assert!(!reported.contains(&a), "varisat has become right: this module can be simplified");
        assert_eq!(raw.ask(&reported, &mut budget), Ok(None), "the reported core has a model");

        let (mut solver, assumptions, _) = provoke();
        assert_eq!(solver.solve(&assumptions, &mut budget), Ok(Outcome::Unsat));
        let mut core = solver.core.clone();
        core.sort();
        assert_eq!(core, [a, not_b]);
        assert!(solver.value(a).is_none(), "models met while checking are not shown");
    }

    #[test]
    fn rebuilding_keeps_what_the_clauses_say() {
        let mut budget = Budget::unlimited();
        let mut solver = Varisat::new();
        let [x, y] = [(); 2].map(|()| solver.new_var().positive());
        solver.add_clause(&[!x, y]);
        solver.add_clause(&[!x, !y]);
        assert_eq!(solver.solve(&[x], &mut budget), Ok(Outcome::Unsat));
        solver.rebuild();
        assert_eq!(solver.clauses, [[!x]], "the clauses that the fact makes true are gone");
        assert_eq!(solver.solve(&[y], &mut budget), Ok(Outcome::Sat));
        assert_eq!(solver.value(x), Some(false));
        assert_eq!(solver.level0(x), Some(false));
        for _ in 0..2 * REBUILD_AFTER {
            assert_eq!(solver.solve(&[!y], &mut budget), Ok(Outcome::Sat));
        }
    }
}
