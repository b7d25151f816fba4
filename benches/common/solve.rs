//! One problem through the public solver.

use catena::engine::solver::{Answer, Config, Solver};
use catena::frontend::smtlib::Status;
use catena::testing::Problem;
use catena::util::limits::Limits;
use catena::util::stats::Stats;
use std::time::Duration;

/// Status (nothing for unknown) and counters.
pub fn solve(problem: Problem, limit: Option<Duration>) -> (Option<Status>, Stats) {
    let mut solver = Solver::with_terms(Config::default(), problem.terms);
    solver.set_limits(Limits { time: limit, ..Limits::default() });
    for formula in problem.formulas {
        solver.assert(formula).expect("closed formulas");
    }
    let status = match solver.check() {
        Answer::Sat(_) => Some(Status::Sat),
        Answer::Unsat(_) => Some(Status::Unsat),
        Answer::Unknown(_) => None,
    };
    (status, solver.stats())
}
