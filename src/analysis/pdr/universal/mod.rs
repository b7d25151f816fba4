//! Universal PDR: invariants that are universally quantified clauses, found without any predicate, after
//! Karbyshev, Bjorner, Itzhaky, Rinetzky and Shoham, "Property-Directed Inference of Universal Invariants or
//! Proving Their Absence" (CAV 2015).
//!
//! The search is that of `search`, but a state is abstracted by its *diagram* (`diagram`) instead of by the
//! predicates that hold in it, and a clause is the negation of what is left of a diagram after
//! generalisation: for all cells, not all of these literals. Clauses are instantiated on demand (`lemmas`).
//! A trace of diagrams that leads to a bad state and is not a run shows that no universal invariant exists
//! over this vocabulary, as far as the cells of the states on it are all in their diagrams ([`CELLS`]).
//!
//! Limitations: one kind of cells, and as many quantified cells per clause as there are slots for them.

mod diagram;
mod lemmas;
mod thin;

use super::live::Live;
use super::search::Counters;
use super::signature::Signature;
use super::system::System;
use crate::analysis::Progress;
use crate::program::Program;
use crate::util::limits::{Budget, Stop};
use crate::util::options;
pub(super) use diagram::Diagram;
use diagram::Words;
use lemmas::{Found, Lemmas, goal};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Quantified cells that a clause can have.
pub(super) const CELLS: usize = 4;

/// Whether universal clauses can be searched for.
pub(super) fn is_possible(program: &Program) -> bool {
    program.structs.len() == 1
}

/// How a search ends.
pub(super) enum Ending {
    /// Per cut the diagrams that the invariant excludes.
    Invariant(Vec<Vec<Diagram>>),
    /// Loop heads with the diagrams there, to a bad one.
    Trace(Vec<(usize, Diagram)>),
}

enum Reached {
    /// Not reached; this part suffices.
    No(Diagram),
    /// Reached from a state with this diagram.
    From(usize, Diagram),
    FromEntry,
}

/// Ordered by frame, then by depth (deepest first), then by age.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Obligation {
    level: usize,
    depth: Reverse<usize>,
    age: usize,
    id: usize,
}

/// The search.
pub(super) struct Search<'a> {
    system: &'a mut System,
    lemmas: Lemmas,
    budget: &'a mut Budget,
    pub(super) counters: Counters,
    /// Every obligation ever made: its cut, its diagram and the one it leads to.
    chain: Vec<(usize, Diagram, Option<usize>)>,
    queue: BinaryHeap<Reverse<Obligation>>,
    progress: Progress<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        system: &'a mut System,
        layout: &Signature,
        live: &Live,
        budget: &'a mut Budget,
        progress: Progress<'a>,
    ) -> Search<'a> {
        let words = system.cuts.iter().map(|cut| Words::new(layout, live.at(cut.location))).collect();
        Search {
            system,
            lemmas: Lemmas { all: Vec::new(), words, queries: 0, instances: 0 },
            budget,
            counters: Counters::default(),
            chain: Vec::new(),
            queue: BinaryHeap::new(),
            progress,
        }
    }

    /// Runs to the end.
    pub(super) fn run(&mut self) -> Result<Ending, Stop> {
        let ending = self.decide();
        self.counters.queries += std::mem::take(&mut self.lemmas.queries);
        ending
    }

    /// How many clauses there are.
    pub(super) fn clauses(&self) -> usize {
        self.lemmas.all.len()
    }

    fn decide(&mut self) -> Result<Ending, Stop> {
        let entry = &mut self.system.entry;
        self.counters.queries += 1;
        if entry.ctx.solve(&[entry.bad], self.budget)?.is_sat() {
            return Ok(Ending::Trace(Vec::new()));
        }
        let mut frontier = 1;
        loop {
            self.counters.frames = frontier as u64;
            if let Some(trace) = self.strengthen(frontier)? {
                return Ok(Ending::Trace(trace));
            }
            frontier += 1;
            if let Some(level) = self.push(frontier)? {
                let kept = thin::invariant(self.system, &mut self.lemmas, level, self.budget)?;
                return Ok(Ending::Invariant(kept));
            }
            (self.progress)(&format!(
                "frame {frontier}, {} obligations, {} queries, {} universal clauses, {} instances",
                self.counters.obligations,
                self.lemmas.queries,
                self.lemmas.all.len(),
                self.lemmas.instances
            ));
        }
    }

    fn strengthen(&mut self, frontier: usize) -> Result<Option<Vec<(usize, Diagram)>>, Stop> {
        for cut in 0..self.system.cuts.len() {
            loop {
                let among = self.lemmas.of(cut, frontier);
                let segment = &mut self.system.segments[cut];
                let bad = segment.bad;
                match self.lemmas.solve(segment, cut, &among, bad, &[], self.budget)? {
                    Found::Core { .. } => break,
                    Found::State(diagram) => {
                        self.queue.clear();
                        self.oblige(frontier, 0, cut, diagram, None);
                        if let Some(trace) = self.meet_obligations(frontier)? {
                            return Ok(Some(trace));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn oblige(&mut self, level: usize, depth: usize, cut: usize, diagram: Diagram, leads_to: Option<usize>) {
        self.chain.push((cut, diagram, leads_to));
        self.requeue(level, depth, self.chain.len() - 1);
    }

    fn requeue(&mut self, level: usize, depth: usize, id: usize) {
        self.counters.obligations += 1;
        let age = self.counters.obligations as usize;
        self.queue.push(Reverse(Obligation { level, depth: Reverse(depth), age, id }));
    }

    fn meet_obligations(&mut self, frontier: usize) -> Result<Option<Vec<(usize, Diagram)>>, Stop> {
        while let Some(Reverse(Obligation { level, depth, id, .. })) = self.queue.pop() {
            self.budget.spend(1)?;
            let (cut, diagram, _) = self.chain[id].clone();
            let met = match self.reached(cut, level, &diagram)? {
                Reached::FromEntry => return Ok(Some(self.trace(id))),
                Reached::From(source, state) => {
                    self.oblige(level - 1, depth.0 + 1, source, state, Some(id));
                    self.requeue(level, depth.0, id);
                    continue;
                }
                Reached::No(core) => {
                    let (diagram, level) = self.generalise(cut, level, core, frontier)?;
                    self.lemmas.add(self.system, cut, level, diagram);
                    level
                }
            };
            if met < frontier {
                self.requeue(met + 1, depth.0, id);
            }
        }
        Ok(None)
    }

    fn trace(&self, id: usize) -> Vec<(usize, Diagram)> {
        let mut at = Some(id);
        let mut trace = Vec::new();
        while let Some(id) = at {
            let (cut, diagram, leads_to) = &self.chain[id];
            trace.push((*cut, diagram.clone()));
            at = *leads_to;
        }
        trace
    }

    /// Whether a state with the diagram is reached by an entry run or from the frame before.
    fn reached(&mut self, cut: usize, level: usize, diagram: &Diagram) -> Result<Reached, Stop> {
        let mut needed = std::collections::BTreeSet::new();
        let entry = &mut self.system.entry;
        if let Some(after) = &entry.after[cut] {
            let (guard, atoms) = (after.guard, goal(after, diagram));
            match self.lemmas.solve(entry, cut, &[], guard, &atoms, self.budget)? {
                Found::State(_) => return Ok(Reached::FromEntry),
                Found::Core { goal, .. } => needed.extend(goal),
            }
        }
        for source in 0..self.system.cuts.len() {
            let segment = &mut self.system.segments[source];
            let (true, Some(after)) = (level > 1, &segment.after[cut]) else { continue };
            let (guard, atoms) = (after.guard, goal(after, diagram));
            let among = self.lemmas.of(source, level - 1);
            match self.lemmas.solve(segment, source, &among, guard, &atoms, self.budget)? {
                Found::State(state) => return Ok(Reached::From(source, state)),
                Found::Core { goal, .. } => needed.extend(goal),
            }
        }
        Ok(Reached::No(diagram.restricted(&needed.into_iter().collect::<Vec<_>>())))
    }

    /// A smaller diagram that is not reached at `level`, and the highest frame at which that holds too.
    fn generalise(
        &mut self,
        cut: usize,
        level: usize,
        core: Diagram,
        frontier: usize,
    ) -> Result<(Diagram, usize), Stop> {
        let mut diagram = core;
        for slot in diagram.cells(&self.lemmas.words[cut]) {
            if let Reached::No(smaller) = self.reached(cut, level, &diagram.without(slot))? {
                diagram = smaller;
            }
        }
        let (mut at, mut failures) = (diagram.0.len(), 0);
        while at > 0 && failures < options::PDR_UNIVERSAL_FAILURES.size() && diagram.0.len() > 1 {
            at -= 1;
            let mut smaller = diagram.clone();
            smaller.0.remove(at);
            match self.reached(cut, level, &smaller)? {
                Reached::No(core) => {
                    diagram = core;
                    at = at.min(diagram.0.len());
                    failures = 0;
                }
                _ => failures += 1,
            }
        }
        let mut level = level;
        while level < frontier && matches!(self.reached(cut, level + 1, &diagram)?, Reached::No(_)) {
            level += 1;
        }
        Ok((diagram, level))
    }

    /// Moves lemmas forward; the first frame that equals the next one, if there is one.
    fn push(&mut self, frontier: usize) -> Result<Option<usize>, Stop> {
        for level in 1..frontier {
            for at in 0..self.lemmas.all.len() {
                if self.lemmas.all[at].level != level {
                    continue;
                }
                let (cut, diagram) = (self.lemmas.all[at].cut, self.lemmas.all[at].diagram.clone());
                if let Reached::No(_) = self.reached(cut, level + 1, &diagram)? {
                    self.lemmas.all[at].level = level + 1;
                }
            }
            if self.lemmas.all.iter().all(|lemma| lemma.level != level) {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}
