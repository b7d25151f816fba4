//! Runs that C gives no meaning.

use super::explore;
use crate::analysis::Setup;
use crate::program::{Check, Command, Program, Property, Question, Trace};
use crate::util::options;
use crate::verdict::{Reason, Verdict};

/// A run of the program that C gives no meaning, and from which the text leads on to a failure (of arithmetic and of
/// termination nobody can tell), if a short search finds one. What was proved of all runs that have a meaning then says nothing of the compiled program, which may go on.
pub(super) fn undefined(program: &Program, property: Property, setup: &Setup) -> Option<Reason> {
    let question = Question { contract: 0, checks: vec![Check::Memsafety] };
    match explore(&setup.searches, program, &question, &setup.limits, options::PORTFOLIO_FIRST_LOOK.get()) {
        Some(Verdict::Violated(trace))
            if trace.is_real(program, &question)
                && (property != Property::UnreachCall || leads_to_failure(program, &trace)) =>
        {
            let failure = trace.failure;
            let message = format!("a run does what C gives no meaning: {}", failure.message);
            Some(Reason { message, span: Some(failure.span) })
        }
        _ => None,
    }
}

/// Whether edges lead from the end of the run to a failure.
fn leads_to_failure(program: &Program, trace: &Trace) -> bool {
    let successors = program.successors();
    let mut seen = vec![false; program.locations as usize];
    let mut work: Vec<_> = trace.steps.last().map(|s| program.edges[s.edge.index()].to).into_iter().collect();
    while let Some(at) = work.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for edge in &successors[at.index()] {
            let edge = &program.edges[edge.index()];
            match edge.command {
                Command::Fail { .. } | Command::Assert { check: Check::Asserts, .. } => return true,
                _ => work.push(edge.to),
            }
        }
    }
    false
}
