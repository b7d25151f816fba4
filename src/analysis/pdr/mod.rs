//! Engine `pdr`: property-directed reachability over predicates of the state; infers loop invariants.
//!
//! The method is that of Itzhaky, Bjørner, Reps, Sagiv and Thakur, "Property-Directed Shape Analysis" (CAV
//! 2014). A program becomes a transition system between loop heads (`system`, by `symbolic` execution in the
//! acyclic logic of [`engine::heap`](crate::engine::heap)); predicates come from its variables and its
//! contract (`signature`, [`abstraction::family`](crate::abstraction::family)); `search` finds an invariant
//! that is a Boolean combination of them, or an abstract trace. Three outcomes:
//! - an invariant: thinned (`invariant`), written as formulas of the annotation language, `verified`;
//! - an abstract trace along which the program can fail (`concretise`): the interpreter runs the model's
//!   entry state, and only a run that it made is `violated`;
//! - an abstract trace along which it cannot: no invariant over these predicates exists, `too-weak`.
//!
//! # What makes `verified` sound
//!
//! Everything that the logic does not express adds behaviours and takes none away (`symbolic`, `formula`). The
//! logic itself knows acyclic heaps only. That no run leaves them is part of what is proved (sites of
//! `What::Leaves`); that no run starts outside them must follow from `requires` (`regular`). The invariant
//! that is reported says of every pointer that it ends in null, so that it is inductive in the exact semantics
//! as well and `certify` and engine `vc` can prove it again without this assumption.
//!
//! # Limitations, in roughly descending order of significance
//!
//! Integers are points of an order: no sums, one data field. Of `\dlseg` only what it implies about
//! reachability is used. Arrays, cells of variables, ghost fields and calls by contract leave the logic.

mod assigns;
mod concretise;
mod desugar;
pub mod exact;
mod formula;
mod frames;
mod generalise;
mod invariant;
mod live;
mod occurs;
mod regular;
mod search;
mod signature;
mod symbolic;
mod system;
mod unchanged;
mod values;

use self::invariant::Writer;
use self::search::{Ending, Search};
use self::signature::{Name, Role, Signature};
use self::symbolic::What;
use self::system::{Plan, System};
use super::{Progress, Setup};
use crate::abstraction::cube::Cube;
use crate::engine::heap::CubeAnswer;
use crate::program::explore::{self, Bound, Found};
use crate::program::{At, Check, Command, FieldId, Formula, Program, Question, Term, VarKind};
use crate::util::limits::{Budget, Stop};
use crate::verdict::{AbstractStep, Certificate, Counters, Failure, Outcome, Reason, Verdict, Weakness};

/// Commands that a search for a real run may execute beside the model's own.
const SEARCH: u64 = 100_000;

/// Proves or refutes one contract of a function.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let mut counters = Counters::default();
    let verdict = match unsupported(program, question) {
        Some(reason) => Verdict::Unknown(reason),
        None => {
            let program = &desugar::postconditions(program, question.contract);
            let mut engine = Engine { program, question, budget: Budget::new(&setup.limits), progress };
            engine.decide(&mut counters).unwrap_or_else(|stop| {
                let frames = counters.frames.unwrap_or(0);
                let message = format!("{stop} at frame {frames}");
                Verdict::Unknown(Reason { message, span: None })
            })
        }
    };
    Outcome { engine: "pdr", verdict, counters }
}

/// What the engine cannot be asked at all.
fn unsupported(program: &Program, question: &Question) -> Option<Reason> {
    let reason = |message: &str| Some(Reason { message: message.to_string(), span: Some(program.span) });
    if signature::too_large(program) {
        return reason("the program has too many variables or fields");
    }
    if question.asks(Check::Leaks) || question.asks(Check::Garbage) {
        return reason("leaks and garbage are not checked by this engine");
    }
    let contract = program.contracts.get(question.contract)?;
    let choice = contract.assigns.iter().flatten().any(assigns::has_choice);
    choice.then(|| Reason {
        message: "a choice in `assigns` is not modelled".to_string(),
        span: Some(contract.span),
    })
}

struct Engine<'a> {
    program: &'a Program,
    question: &'a Question,
    budget: Budget,
    progress: Progress<'a>,
}

impl Engine<'_> {
    /// Searches with the paper's families; if they are too weak, once more with wider ones.
    fn decide(&mut self, counters: &mut Counters) -> Result<Verdict, Stop> {
        let layout = Signature::new(self.program, self.question);
        let plan = Plan::new(self.program, self.question, &layout);
        let first = self.attempt(&plan, false, counters)?;
        if !matches!(first, Verdict::TooWeak(_)) {
            return Ok(first);
        }
        counters.refinements = Some(1);
        (self.progress)("too weak: disjoint lists and lists of one colour are added to the predicates");
        self.attempt(&plan, true, counters)
    }

    /// One search over one choice of predicates.
    fn attempt(&mut self, plan: &Plan<'_>, wide: bool, counters: &mut Counters) -> Result<Verdict, Stop> {
        let mut system = plan.system(plan.cuts(wide));
        let sum = |old: Option<u64>, new: u64| Some(old.unwrap_or(0) + new);
        counters.predicates = Some(system.cuts.iter().map(|cut| cut.preds.len() as u64).sum());
        let mut search = Search::new(&mut system, &mut self.budget, self.progress);
        let ending = search.run();
        counters.queries = sum(counters.queries, search.counters.queries);
        counters.frames = Some(search.counters.frames);
        counters.obligations = sum(counters.obligations, search.counters.obligations);
        counters.cache_hits = sum(counters.cache_hits, search.counters.sampled);
        counters.clauses = Some(search.frames.len() as u64);
        let verdict = match ending? {
            Ending::Invariant(cubes) => self.prove(plan, &mut system, cubes, counters)?,
            Ending::Trace(trace) => self.refute(plan, &mut system, &trace, !wide)?,
        };
        let segments = system.segments.iter().chain([&system.entry]);
        let instances = segments.map(|segment| segment.ctx.stats().instances).sum();
        counters.instances = sum(counters.instances, instances);
        Ok(verdict)
    }

    /// The verdict for an invariant.
    fn prove(
        &mut self,
        plan: &Plan<'_>,
        system: &mut System,
        cubes: Vec<Vec<Cube>>,
        counters: &mut Counters,
    ) -> Result<Verdict, Stop> {
        let thinned = invariant::thin(system, cubes, &mut self.budget)?;
        assert!(thinned.is_some(), "the frame that equals the next one is inductive and safe");
        let cubes = thinned.unwrap_or_default();
        counters.clauses = Some(cubes.iter().map(|cubes| cubes.len() as u64).sum());
        let writer = Writer { program: self.program, layout: plan.layout };
        let invariants = writer.invariants(system, &cubes, |cut| self.chains(plan, system, cut));
        let Some((message, span)) = regular::doubt(self.program, self.question, plan.layout) else {
            return Ok(Verdict::Verified(Certificate::Invariants(invariants)));
        };
        // Heaps with cycles are possible at the entry: only a proof without the assumption counts.
        let bare = writer.invariants(system, &cubes, |_| Vec::new());
        for invariants in [invariants, bare] {
            let limits = exact::limits();
            if exact::proves(self.program, self.question, &invariants, &limits, &mut self.budget) {
                return Ok(Verdict::Verified(Certificate::Invariants(invariants)));
            }
            self.budget.poll()?;
        }
        let bound = Bound { commands: SEARCH, ..Bound::default() };
        match explore::search(self.program, self.question, &bound, &mut self.budget) {
            Found::Violation(trace) => return Ok(Verdict::Violated(trace)),
            Found::Stopped(stop) => return Err(stop),
            Found::Nothing { .. } => {}
        }
        let message = format!("left the logic of acyclic heaps: {message}");
        Ok(Verdict::Unknown(Reason { message, span: Some(span) }))
    }

    /// What the logic takes for granted at a loop head: the chains from its pointers end in null, and where
    /// allocation is not tracked, all that is reached is allocated.
    fn chains(&self, plan: &Plan<'_>, system: &System, cut: usize) -> Vec<Formula> {
        let (program, layout) = (self.program, plan.layout);
        let requires = &program.contracts[self.question.contract].requires;
        let live = plan.live.at(system.cuts[cut].location);
        let links = (0..program.fields.len() as u32).map(FieldId).filter(|f| self.is_loaded(*f)).count();
        let mut out = Vec::new();
        for at in 0..program.fields.len() {
            let (id, field) = (FieldId(at as u32), &program.fields[at]);
            let (Role::Link(_), true) = (layout.role(id), field.is_link()) else { continue };
            let everywhere = requires.iter().find(|clause| regular::everywhere(&clause.formula, id));
            out.extend(everywhere.map(|clause| clause.formula.clone()));
            for name in &layout.names {
                let Name::Var(v) = *name else { continue };
                let of_kind = program.vars[v.index()].ty.pointee() == Some(field.owner);
                let var = Term::Var(v, At::Now);
                if !of_kind || !live.contains(name) || !regular::is_ending(program, self.question, id, v) {
                    continue;
                }
                if everywhere.is_none() {
                    let (from, to) = (var.clone(), Term::Null(field.owner));
                    out.push(Formula::Reach { field: id, at: At::Now, from, to, plus: false });
                }
                // What another field leads to is allocated as well, but not by this field's chains alone.
                let alone = links == 1 && self.is_loaded(id);
                if alone && !layout.config.alloc && program.vars[v.index()].kind != VarKind::Logic {
                    out.push(Formula::Stable(id, At::Now, var));
                }
            }
        }
        out
    }

    /// Whether code follows the pointer field.
    fn is_loaded(&self, field: FieldId) -> bool {
        let pointer = self.program.fields[field.index()].ty.pointee().is_some();
        let loads = |c: &Command| matches!(c, Command::Load { field: f, .. } if *f == field);
        pointer && self.program.edges.iter().any(|edge| loads(&edge.command))
    }

    /// The verdict for an abstract trace; `again` if a too weak one is followed by another attempt.
    fn refute(
        &mut self,
        plan: &Plan<'_>,
        system: &mut System,
        trace: &[(usize, Cube)],
        again: bool,
    ) -> Result<Verdict, Stop> {
        let path: Vec<usize> = trace.iter().map(|step| step.0).collect();
        let concrete = concretise::along(plan, &path, &mut self.budget)?;
        let bound = Bound { commands: SEARCH, ..Bound::default() };
        if let Some(initial) = concrete.as_ref().and_then(|concrete| concrete.initial.as_ref()) {
            let found = explore::replay(self.program, self.question, initial, None, &bound, &mut self.budget);
            match found {
                Found::Violation(trace) => return Ok(Verdict::Violated(trace)),
                Found::Stopped(stop) => return Err(stop),
                Found::Nothing { .. } => {}
            }
        }
        // A spurious trace is worth a search for a real one only when there is nothing else to try.
        if concrete.is_some() || !again {
            match explore::search(self.program, self.question, &bound, &mut self.budget) {
                Found::Violation(trace) => return Ok(Verdict::Violated(trace)),
                Found::Stopped(stop) => return Err(stop),
                Found::Nothing { .. } => {}
            }
        }
        if let Some(gap) = system.gaps.first() {
            let message = format!("{} cannot be expressed by this engine", gap.what);
            return Ok(Verdict::Unknown(Reason { message, span: Some(gap.span) }));
        }
        let failure = match concrete {
            Some(concrete) => match concrete.what {
                What::Leaves(why, span) => {
                    let message = format!("left the logic of acyclic heaps: {why}");
                    return Ok(Verdict::Unknown(Reason { message, span: Some(span) }));
                }
                What::Fails(failure) => failure,
            },
            None => self.suspect(system, trace)?,
        };
        let writer = Writer { program: self.program, layout: plan.layout };
        let steps = trace.iter().map(|(cut, cube)| AbstractStep {
            location: system.cuts[*cut].location,
            text: self.describe(&writer, system, *cut, cube),
        });
        let hint = Some("track a predicate that excludes the last state".to_string());
        Ok(Verdict::TooWeak(Box::new(Weakness {
            failure,
            abstract_trace: steps.collect(),
            state: None,
            hint,
        })))
    }

    /// What the abstract trace ends in.
    fn suspect(&mut self, system: &mut System, trace: &[(usize, Cube)]) -> Result<Failure, Stop> {
        let (segment, atoms) = match trace.last() {
            None => (&mut system.entry, Vec::new()),
            Some((cut, cube)) => {
                let (segment, preds) = (&mut system.segments[*cut], &system.cuts[*cut].preds);
                let atoms = cube.literals().map(|(at, positive)| (segment.before.atom(preds[at]), positive));
                let atoms: Vec<_> = atoms.collect();
                (segment, atoms)
            }
        };
        let sites = std::mem::take(&mut segment.sites);
        let mut what = None;
        if let CubeAnswer::Sat(model) = segment.ctx.solve_cube(&[segment.bad], &atoms, &mut self.budget)? {
            let reached = sites.iter().find(|site| model.value(site.lit) == Some(true));
            what = reached.map(|site| concretise::describe(&site.what));
        }
        segment.sites = sites;
        Ok(what.unwrap_or_else(|| Failure {
            check: Check::Asserts,
            message: "a bad state".to_string(),
            span: self.program.span,
        }))
    }

    /// The equalities and paths of an abstract state.
    fn describe(&self, writer: &Writer<'_>, system: &System, cut: usize, cube: &Cube) -> String {
        let preds = &system.cuts[cut].preds;
        let mut words = Vec::new();
        for (at, positive) in cube.literals() {
            if positive && preds[at].is_shape() {
                words.push(writer.words(preds[at]));
            }
        }
        words.join(", ")
    }
}
