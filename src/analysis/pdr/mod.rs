//! Engine `pdr`: property-directed reachability over predicates of the state; infers loop invariants.

mod formula;
mod frames;
mod generalise;
mod live;
mod occurs;
mod search;
mod signature;
mod symbolic;
mod system;

use crate::program::{Program, Question};

/// Temporary.
pub fn trial(
    program: &Program,
    question: &Question,
    setup: &super::Setup,
    progress: super::Progress<'_>,
) -> String {
    let layout = signature::Signature::new(program, question);
    let plan = system::Plan::new(program, question, &layout);
    let mut system = plan.system(plan.cuts());
    let mut budget = crate::util::limits::Budget::new(&setup.limits);
    let preds = system.cuts.iter().map(|c| c.preds.len()).sum::<usize>();
    let mut search = search::Search::new(&mut system, &mut budget, progress);
    let ending = search.run();
    let c = search.counters;
    let word = match ending {
        Ok(search::Ending::Invariant(cubes)) => {
            format!("proved {}", cubes.iter().map(Vec::len).sum::<usize>())
        }
        Ok(search::Ending::Trace(t)) => {
            let un = plan.unroll(&t.iter().map(|s| s.0).collect::<Vec<_>>());
            let mut exec = un.exec;
            let sat = exec.ctx.solve(&[un.bad], &mut budget).unwrap().is_sat();
            format!("trace {} {sat}", t.len())
        }
        Err(stop) => format!("stop {stop}"),
    };
    format!(
        "{word} preds {preds} queries {} sampled {} frames {} gaps {:?} universe {:?}",
        c.queries,
        c.sampled,
        c.frames,
        system.gaps,
        system.segments.iter().map(|s| s.ctx.universe()).collect::<Vec<_>>()
    )
}
