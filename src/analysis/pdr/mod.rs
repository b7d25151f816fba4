//! Engine `pdr`: property-directed reachability over predicates of the state; infers loop invariants.
//!
//! The method is that of Itzhaky, Bjørner, Reps, Sagiv and Thakur, "Property-Directed Shape Analysis" (CAV
//! 2014). A program becomes a transition system between loop heads (`system`, by `symbolic` execution in the
//! acyclic logic of [`engine::heap`](crate::engine::heap)); predicates come from its variables and its
//! contract (`signature`, [`abstraction::family`](crate::abstraction::family)); `search` finds an invariant
//! that is a Boolean combination of them, or an abstract trace. Without predicates, `universal` searches for
//! universally quantified clauses instead. Three outcomes:
//! - an invariant: thinned (`invariant`), written as formulas of the annotation language, `verified`;
//! - an abstract trace along which the program can fail (`concretise`): the interpreter runs the model's
//!   entry state, and only a run that it made is `violated`;
//! - an abstract trace along which it cannot: no invariant over these predicates exists; `refine` proposes
//!   more, and when nothing is left to propose the answer is `too-weak`.
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
//! Integers are points of an order: no sums, one data field. Arrays, cells of variables where others are freed, ghost fields
//! and calls by contract leave the logic.

mod assigns;
mod chains;
mod concretise;
mod desugar;
pub mod exact;
mod formula;
mod frames;
mod generalise;
mod invariant;
mod live;
mod occurs;
mod raw;
mod refine;
mod regular;
mod search;
mod signature;
mod special;
mod symbolic;
mod system;
mod track;
mod unchanged;
mod universal;
mod unset;
mod values;
mod vocabulary;

use self::invariant::Writer;
use self::refine::Abstraction;
use self::search::Search;
use self::signature::Signature;
use self::symbolic::What;
use self::system::{Cut, Plan, System};
use super::{Predicates, Progress, Setup};
use crate::abstraction::cube::Cube;
use crate::engine::heap::{CubeAnswer, Pred, Slot};
use crate::program::explore::{self, Bound, Found, Searches};
use crate::program::{Check, Formula, LoopId, Program, Question};
use crate::util::clock::Instant;
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use crate::verdict::{
    AbstractStep, Author, Certificate, Counters, Failure, Outcome, Reason, Verdict, Weakness,
};

/// This engine in the table.
pub struct Pdr;

impl super::Engine for Pdr {
    fn author(&self) -> Author {
        Author::Pdr
    }

    fn takes(&self) -> &'static str {
        "infers invariants over predicates of acyclic lists"
    }

    fn run(&self, program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
        run(program, question, setup, progress)
    }
}

/// Proves or refutes one contract of a function.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let mut counters = Counters::default();
    let verdict = match unsupported(program, question) {
        Some(reason) => Verdict::Unknown(reason),
        None => {
            let program = &desugar::postconditions(program, question.contract);
            let mut engine = Engine {
                program,
                question,
                budget: Budget::new(&setup.limits),
                searches: &setup.searches,
                progress,
            };
            engine.decide(setup, &mut counters).unwrap_or_else(|stop| {
                let frames = counters.frames.unwrap_or(0);
                let message = format!("{stop} at frame {frames}");
                Verdict::Unknown(Reason { message, span: None })
            })
        }
    };
    Outcome { engine: Author::Pdr, verdict, counters }
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
    searches: &'a Searches,
    progress: Progress<'a>,
}

impl Engine<'_> {
    /// Searches with the paper's families; if they are too weak, again with finer ones (`refine`).
    fn decide(&mut self, setup: &Setup, counters: &mut Counters) -> Result<Verdict, Stop> {
        let (predicates, seed) = (setup.variants.predicates, setup.seed);
        let mut abstraction =
            Abstraction { paper: predicates == Predicates::Paper, seed, ..Abstraction::default() };
        if predicates == Predicates::None {
            if !universal::is_possible(self.program) {
                let message = "universal clauses are found for one kind of cells only".to_string();
                return Ok(Verdict::Unknown(Reason { message, span: Some(self.program.span) }));
            }
            abstraction.cells = universal::CELLS;
        }
        loop {
            let layout = Signature::new(self.program, self.question, &abstraction);
            let plan = Plan::new(self.program, self.question, &layout, &abstraction);
            match self.attempt(&plan, counters)? {
                Attempt::Decided(verdict) => return Ok(verdict),
                Attempt::Refined(next) => {
                    counters.refinements = Some(counters.refinements.unwrap_or(0) + 1);
                    let added = next.added[abstraction.added.len()..].join(", ");
                    (self.progress)(&format!("too weak; added: {added}"));
                    abstraction = next;
                }
            }
        }
    }

    /// One search over one abstraction.
    fn attempt(&mut self, plan: &Plan<'_>, counters: &mut Counters) -> Result<Attempt, Stop> {
        let start = Instant::now();
        let mut system = plan.system(plan.cuts(), &self.budget)?;
        counters.spent("transitions", start);
        let start = Instant::now();
        let sum = |old: Option<u64>, new: u64| Some(old.unwrap_or(0) + new);
        let ending = if plan.abstraction.cells > 0 {
            let (layout, live) = (plan.layout, &plan.live);
            let mut search =
                universal::Search::new(&mut system, layout, live, &mut self.budget, self.progress);
            let ending = search.run();
            counters.spent("search", start);
            counters.queries = sum(counters.queries, search.counters.queries);
            counters.frames = Some(search.counters.frames);
            counters.obligations = sum(counters.obligations, search.counters.obligations);
            counters.clauses = Some(search.clauses() as u64);
            Ending::of_diagrams(plan, ending?)
        } else {
            counters.predicates = Some(system.cuts.iter().map(|cut| cut.preds.len() as u64).sum());
            let mut search = Search::new(&mut system, &mut self.budget, self.progress);
            let ending = search.run();
            counters.spent("search", start);
            counters.queries = sum(counters.queries, search.counters.queries);
            counters.frames = Some(search.counters.frames);
            counters.obligations = sum(counters.obligations, search.counters.obligations);
            counters.cache_hits = sum(counters.cache_hits, search.counters.sampled);
            counters.clauses = Some(search.frames.len() as u64);
            let start = Instant::now();
            let ending = self.thinned(plan, &mut system, ending?)?;
            counters.spent("thinning", start);
            ending
        };
        let start = Instant::now();
        let attempt = match ending {
            Ending::Invariant(clauses) => {
                counters.clauses = Some(clauses.iter().map(|clauses| clauses.len() as u64).sum());
                Attempt::Decided(self.prove(plan, &system, &clauses)?)
            }
            Ending::Trace(trace) => self.refute(plan, &mut system, &trace)?,
        };
        counters.spent(if matches!(attempt, Attempt::Refined(_)) { "refinement" } else { "checking" }, start);
        let segments = system.segments.iter().chain([&system.entry]);
        let instances = segments.map(|segment| segment.ctx.stats().instances).sum();
        counters.instances = sum(counters.instances, instances);
        Ok(attempt)
    }

    /// What a search over predicates found, its invariant with nothing in it that is not needed.
    fn thinned(
        &mut self,
        plan: &Plan<'_>,
        system: &mut System,
        ending: search::Ending,
    ) -> Result<Ending, Stop> {
        let writer = Writer { program: self.program, layout: plan.layout };
        Ok(match ending {
            search::Ending::Invariant(cubes) => {
                let thinned = invariant::thin(system, cubes, &mut self.budget)?;
                assert!(thinned.is_some(), "the frame that equals the next one is inductive and safe");
                let of_cut = |(cut, cubes): (&Cut, Vec<Cube>)| {
                    cubes.iter().map(|cube| writer.clause(&cut.preds, cube)).collect()
                };
                let cuts = system.cuts.iter().zip(thinned.unwrap_or_default());
                Ending::Invariant(cuts.map(of_cut).collect())
            }
            search::Ending::Trace(trace) => {
                let stop = |(cut, cube): (usize, Cube)| {
                    let preds = &system.cuts[cut].preds;
                    let literals = cube.literals().map(|(at, positive)| (preds[at], positive)).collect();
                    Halt { cut, literals }
                };
                Ending::Trace(trace.into_iter().map(stop).collect())
            }
        })
    }

    /// The verdict for an invariant.
    fn prove(&mut self, plan: &Plan<'_>, system: &System, clauses: &[Vec<Formula>]) -> Result<Verdict, Stop> {
        let invariants = |known: &dyn Fn(usize) -> Vec<Formula>| -> Vec<(LoopId, Vec<Formula>)> {
            let of_cut = |(cut, clauses): (usize, &Vec<Formula>)| {
                (system.cuts[cut].at, clauses.iter().cloned().chain(known(cut)).collect())
            };
            clauses.iter().enumerate().map(of_cut).collect()
        };
        let full = invariants(&|cut| self.chains(plan, system, cut));
        let Some((message, span)) = regular::doubt(self.program, self.question, plan.layout) else {
            let settled = if plan.layout.config.fields > 1 {
                // That chains of one field end is kept up only if it holds along the others.
                let known = invariants(&|_| Vec::new());
                let plain = |cut| self.chains(plan, system, cut);
                let crossed = |cut| [plain(cut), self.crossed(plan, system, cut)].concat();
                let by: [&dyn Fn(usize) -> Vec<Formula>; 2] = [&plain, &crossed];
                let optional = |by: &dyn Fn(usize) -> Vec<Formula>| -> Vec<(LoopId, Vec<Formula>)> {
                    (0..clauses.len()).map(|cut| (system.cuts[cut].at, by(cut))).collect()
                };
                let tries = by.map(optional);
                let (program, question) = (self.program, self.question);
                tries.into_iter().find_map(|optional| {
                    exact::settled(program, question, (&known, optional), &mut self.budget)
                })
            } else {
                None
            };
            return Ok(Verdict::Verified(Certificate::Invariants(settled.unwrap_or(full))));
        };
        // Heaps with cycles are possible at the entry: only a proof without the assumption counts.
        let bare = invariants(&|_| Vec::new());
        for invariants in [full, bare] {
            let limits = exact::limits();
            if exact::proves(self.program, self.question, &invariants, &limits, &mut self.budget) {
                return Ok(Verdict::Verified(Certificate::Invariants(invariants)));
            }
            self.budget.poll()?;
        }
        let bound = Bound { commands: options::PDR_SEARCH.get(), ..Bound::default() };
        match self.searches.search(self.program, self.question, &bound, &mut self.budget) {
            Found::Violation(trace) => return Ok(Verdict::Violated(trace)),
            Found::Stopped(stop) => return Err(stop),
            Found::Nothing { .. } => {}
        }
        let message = format!("left the logic of acyclic heaps: {message}");
        Ok(Verdict::Unknown(Reason { message, span: Some(span) }))
    }

    /// What follows from an abstract trace.
    fn refute(&mut self, plan: &Plan<'_>, system: &mut System, trace: &[Halt]) -> Result<Attempt, Stop> {
        let path: Vec<usize> = trace.iter().map(|step| step.cut).collect();
        let concrete = concretise::along(plan, &path, &mut self.budget)?;
        let bound = Bound { commands: options::PDR_SEARCH.get(), ..Bound::default() };
        if let Some(initial) = concrete.as_ref().and_then(|concrete| concrete.initial.as_ref()) {
            let found = explore::replay(self.program, self.question, initial, None, &bound, &mut self.budget);
            match found {
                Found::Violation(trace) => return Ok(Attempt::Decided(Verdict::Violated(trace))),
                Found::Stopped(stop) => return Err(stop),
                Found::Nothing { .. } => {}
            }
        }
        let finer = match &concrete {
            None => plan.abstraction.finer(plan, &path),
            Some(concrete) if concrete.what.is_cycle() => plan.abstraction.reordered(plan),
            Some(_) => None,
        };
        // A search for a real run is worth its time only when there is nothing else to try.
        if let Some(finer) = finer {
            return Ok(Attempt::Refined(finer));
        }
        match self.searches.search(self.program, self.question, &bound, &mut self.budget) {
            Found::Violation(trace) => return Ok(Attempt::Decided(Verdict::Violated(trace))),
            Found::Stopped(stop) => return Err(stop),
            Found::Nothing { .. } => {}
        }
        let unknown =
            |message, span| Ok(Attempt::Decided(Verdict::Unknown(Reason { message, span: Some(span) })));
        if let Some(gap) = system.gaps.first() {
            return unknown(format!("{} cannot be expressed by this engine", gap.what), gap.span);
        }
        let failure = match concrete {
            Some(concrete) => match concrete.what {
                What::Leaves(why, span) => {
                    return unknown(format!("left the logic of acyclic heaps: {why}"), span);
                }
                What::Fails(failure) => failure,
            },
            None => self.suspect(system, trace)?,
        };
        let writer = Writer { program: self.program, layout: plan.layout };
        let steps = trace.iter().map(|step| AbstractStep {
            location: system.cuts[step.cut].location,
            text: step.describe(&writer),
        });
        Ok(Attempt::Decided(Verdict::TooWeak(Box::new(Weakness {
            failure,
            abstract_trace: steps.collect(),
            state: None,
            hint: Some(self.hint(plan)),
        }))))
    }

    /// What was tried and what may help.
    fn hint(&self, plan: &Plan<'_>) -> String {
        let mut hint = match plan.abstraction.cells {
            0 => "track a predicate that excludes the last state".to_string(),
            _ => "no universally quantified invariant over reachability excludes the last state".to_string(),
        };
        if !plan.abstraction.added.is_empty() {
            hint.push_str(&format!("; tried besides: {}", plan.abstraction.added.join(", ")));
        }
        let untold = self
            .program
            .tracks
            .iter()
            .find(|t| track::predicates(plan.layout, &t.clause.formula).iter().any(Option::is_none));
        if let Some(track) = untold {
            let formula = crate::program::print::formula(self.program, &track.clause.formula);
            hint.push_str(&format!("; not all of `track {formula}` can be expressed by this engine"));
        }
        hint
    }

    /// What the abstract trace ends in.
    fn suspect(&mut self, system: &mut System, trace: &[Halt]) -> Result<Failure, Stop> {
        let (segment, atoms) = match trace.last() {
            None => (&mut system.entry, Vec::new()),
            Some(Halt { cut, literals }) => {
                let segment = &mut system.segments[*cut];
                let atoms: Vec<_> =
                    literals.iter().map(|&(pred, positive)| (segment.before.atom(pred), positive)).collect();
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
}

/// What one attempt leads to.
enum Attempt {
    Decided(Verdict),
    /// Too weak; this is to be tried next.
    Refined(Abstraction),
}

/// How a search ends, whatever it is over.
enum Ending {
    /// By cut the clauses of the invariant.
    Invariant(Vec<Vec<Formula>>),
    Trace(Vec<Halt>),
}

/// An abstract state at a loop head.
struct Halt {
    cut: usize,
    literals: Vec<(Pred, bool)>,
}

impl Ending {
    fn of_diagrams(plan: &Plan<'_>, ending: universal::Ending) -> Ending {
        let writer = Writer { program: plan.program, layout: plan.layout };
        match ending {
            universal::Ending::Invariant(cuts) => {
                let clauses = |diagrams: Vec<universal::Diagram>| {
                    diagrams.iter().map(|d| writer.universal(d)).collect()
                };
                Ending::Invariant(cuts.into_iter().map(clauses).collect())
            }
            universal::Ending::Trace(trace) => {
                Ending::Trace(trace.into_iter().map(|(cut, d)| Halt { cut, literals: d.0 }).collect())
            }
        }
    }
}

impl Halt {
    /// The equalities and paths of the abstract state.
    fn describe(&self, writer: &Writer<'_>) -> String {
        let holds = |pred: Pred| self.literals.contains(&(pred, true));
        let null = |x: Slot| x == Slot::NULL || holds(Pred::Equal(x, Slot::NULL));
        let same = |x: Slot, y: Slot| holds(Pred::Equal(x, y)) || holds(Pred::Equal(y, x));
        // What follows from the rest is left out.
        let shown = |pred: Pred| match pred {
            Pred::Equal(x, y) => x == Slot::NULL || y == Slot::NULL || !null(x),
            Pred::Edge(_, x, _) => !null(x),
            Pred::Reach(f, x, y) => !null(x) && !null(y) && !same(x, y) && !holds(Pred::Edge(f, x, y)),
            _ => false,
        };
        let mut words: Vec<String> = Vec::new();
        for &(pred, positive) in &self.literals {
            if positive && shown(pred) {
                let text = writer.words(pred);
                let trivial = text.split_once(" == ").is_some_and(|(a, b)| a == b);
                if !trivial && !words.contains(&text) {
                    words.push(text);
                }
            }
        }
        words.join(", ")
    }
}
