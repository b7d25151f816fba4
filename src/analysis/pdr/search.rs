//! Property-directed reachability over cubes of predicates, after Itzhaky et al., "Property-Directed Shape
//! Analysis" (CAV 2014), Algorithms 1 and 2, in the manner of IC3 (Bradley, VMCAI 2011).
//!
//! [`Search::run`] is the algorithm: strengthen the frontier until it excludes the bad states, extend it, push
//! clauses forward, stop when two frames agree. A bad state, or a predecessor of one, is an *obligation*: a
//! cube at a loop head that must be excluded from a frame. Excluding it succeeds if no entry run and no state
//! of the frame before leads into it; then the cube is generalised (`generalise.rs`) and becomes a clause.
//! Otherwise the state found is the next obligation, or the chain of obligations is an abstract trace.
//!
//! - The model that a query finds gives the abstract states on both sides by evaluation; both are kept as a
//!   *sample*, and a query that a sample answers is not asked.
//! - An obligation that was met comes back for the next frame, so long traces are found early (the length of
//!   the trace is the depth that the obligation knows, not a difference of frames).
//! - Queues are totally ordered; nothing depends on hashing or time, except where a limit stops the run.
//!
//! Frames count from 1; frame 0 is empty, so what is reached from it are the states that entry runs lead to.

use super::frames::Frames;
use super::system::System;
use crate::abstraction::cube::{Cube, Valuation};
use crate::engine::heap::{Answer, CubeAnswer};
use crate::util::limits::{Budget, Stop};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How a search ends.
pub(super) enum Ending {
    /// Per cut the cubes that the invariant excludes.
    Invariant(Vec<Vec<Cube>>),
    /// The abstract trace: loop heads with the abstract states there, to a bad one.
    Trace(Vec<(usize, Cube)>),
}

/// An answer about a cube at a frame.
pub(super) enum Reached {
    /// Not reached; so many of its literals suffice.
    No(Cube),
    /// Reached from this abstract state.
    From(usize, Cube),
    /// Reached by an entry run.
    FromEntry,
}

/// A cube to be excluded from a frame; ordered by frame, then by depth (deepest first), then by age.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Obligation {
    level: usize,
    depth: Reverse<usize>,
    age: usize,
    cut: usize,
    /// Position of the obligation that this one leads to.
    id: usize,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    pub(super) queries: u64,
    pub(super) sampled: u64,
    pub(super) obligations: u64,
    pub(super) frames: u64,
}

/// The search.
pub(super) struct Search<'a> {
    pub(super) system: &'a mut System,
    pub(super) frames: Frames,
    pub(super) budget: &'a mut Budget,
    pub(super) counters: Counters,
    /// By source and target cut: transitions seen.
    samples: Vec<Vec<Vec<(Valuation, Valuation)>>>,
    /// By target cut: states that entry runs lead to.
    entry_samples: Vec<Vec<Valuation>>,
    /// Every obligation ever made: its cut, its cube and the one it leads to.
    chain: Vec<(usize, Cube, Option<usize>)>,
    queue: BinaryHeap<Reverse<Obligation>>,
    progress: crate::analysis::Progress<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        system: &'a mut System,
        budget: &'a mut Budget,
        progress: crate::analysis::Progress<'a>,
    ) -> Search<'a> {
        let cuts = system.cuts.len();
        Search {
            system,
            frames: Frames::new(cuts),
            budget,
            counters: Counters::default(),
            samples: vec![vec![Vec::new(); cuts]; cuts],
            entry_samples: vec![Vec::new(); cuts],
            chain: Vec::new(),
            queue: BinaryHeap::new(),
            progress,
        }
    }

    /// Decides whether bad states are reached.
    pub(super) fn run(&mut self) -> Result<Ending, Stop> {
        if self.entry_is_bad()? {
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
                return Ok(Ending::Invariant(self.frames.from(level)));
            }
            (self.progress)(&format!(
                "frame {frontier}, {} obligations, {} queries, {} clauses",
                self.counters.obligations,
                self.counters.queries,
                self.frames.len()
            ));
        }
    }

    fn entry_is_bad(&mut self) -> Result<bool, Stop> {
        self.counters.queries += 1;
        let entry = &mut self.system.entry;
        Ok(entry.ctx.solve(&[entry.bad], self.budget)?.is_sat())
    }

    /// Excludes all bad states from the frontier, or finds an abstract trace.
    fn strengthen(&mut self, frontier: usize) -> Result<Option<Vec<(usize, Cube)>>, Stop> {
        for cut in 0..self.system.cuts.len() {
            while let Some(cube) = self.bad_state(cut, frontier)? {
                self.queue.clear();
                self.oblige(frontier, 0, cut, cube, None);
                if let Some(trace) = self.meet_obligations(frontier)? {
                    return Ok(Some(trace));
                }
            }
        }
        Ok(None)
    }

    /// A state of the frame from which something goes wrong before the next loop head.
    fn bad_state(&mut self, cut: usize, level: usize) -> Result<Option<Cube>, Stop> {
        self.counters.queries += 1;
        let segment = &mut self.system.segments[cut];
        let mut assumed = self.frames.assume(cut, level).to_vec();
        assumed.push(segment.bad);
        let preds = &self.system.cuts[cut].preds;
        Ok(match segment.ctx.solve(&assumed, self.budget)? {
            Answer::Sat(model) => {
                let state = Valuation::new(preds.iter().map(|&pred| model.eval(&segment.before, pred)));
                Some(state.cube(preds.len()))
            }
            Answer::Unsat(_) => None,
        })
    }

    fn oblige(&mut self, level: usize, depth: usize, cut: usize, cube: Cube, leads_to: Option<usize>) {
        self.chain.push((cut, cube, leads_to));
        self.requeue(level, depth, self.chain.len() - 1);
    }

    fn requeue(&mut self, level: usize, depth: usize, id: usize) {
        self.counters.obligations += 1;
        let age = self.counters.obligations as usize;
        let cut = self.chain[id].0;
        self.queue.push(Reverse(Obligation { level, depth: Reverse(depth), age, cut, id }));
    }

    /// Takes obligations until none is left, or one cannot be met.
    fn meet_obligations(&mut self, frontier: usize) -> Result<Option<Vec<(usize, Cube)>>, Stop> {
        while let Some(Reverse(Obligation { level, depth, cut, id, .. })) = self.queue.pop() {
            self.budget.spend(1)?;
            let cube = self.chain[id].1.clone();
            let met = if self.frames.covers(cut, level, &cube) {
                level
            } else {
                match self.reached(cut, level, &cube)? {
                    Reached::FromEntry => return Ok(Some(self.trace(id))),
                    Reached::From(source, state) => {
                        self.oblige(level - 1, depth.0 + 1, source, state, Some(id));
                        self.requeue(level, depth.0, id);
                        continue;
                    }
                    Reached::No(core) => {
                        let (cube, level) = self.generalise(cut, level, core, frontier)?;
                        self.exclude(cut, level, cube);
                        level
                    }
                }
            };
            if met < frontier {
                self.requeue(met + 1, depth.0, id);
            }
        }
        Ok(None)
    }

    /// The obligations from this one on.
    fn trace(&self, id: usize) -> Vec<(usize, Cube)> {
        let mut at = Some(id);
        let mut trace = Vec::new();
        while let Some(id) = at {
            let (cut, cube, leads_to) = &self.chain[id];
            trace.push((*cut, cube.clone()));
            at = *leads_to;
        }
        trace
    }

    /// Excludes the cube from all frames up to `level`.
    pub(super) fn exclude(&mut self, cut: usize, level: usize, cube: Cube) {
        let preds = &self.system.cuts[cut].preds;
        self.frames.add(&mut self.system.segments[cut], preds, cut, level, cube);
    }

    /// Whether the cube is reached by an entry run or in one round from the frame before `level`.
    pub(super) fn reached(&mut self, cut: usize, level: usize, cube: &Cube) -> Result<Reached, Stop> {
        if let Some(known) = self.sampled(cut, level, cube) {
            self.counters.sampled += 1;
            return Ok(known);
        }
        let Some(mut core) = self.initiation(cut, cube)? else { return Ok(Reached::FromEntry) };
        for source in 0..self.system.cuts.len() {
            match self.consecution(source, cut, level, cube)? {
                Ok(part) => core.join(&part),
                Err(state) => return Ok(Reached::From(source, state)),
            }
        }
        Ok(Reached::No(core))
    }

    /// What the samples say.
    fn sampled(&self, cut: usize, level: usize, cube: &Cube) -> Option<Reached> {
        if self.entry_samples[cut].iter().any(|state| cube.contains(state)) {
            return Some(Reached::FromEntry);
        }
        if level < 2 {
            return None;
        }
        for (source, samples) in self.samples.iter().enumerate() {
            let leads = |(before, after): &&(Valuation, Valuation)| {
                cube.contains(after) && !self.frames.excludes(source, level - 1, before)
            };
            if let Some((before, _)) = samples[cut].iter().find(leads) {
                return Some(Reached::From(source, before.cube(self.system.cuts[source].preds.len())));
            }
        }
        None
    }

    /// A core of "no entry run leads into the cube"; none if one does.
    pub(super) fn initiation(&mut self, cut: usize, cube: &Cube) -> Result<Option<Cube>, Stop> {
        let preds = &self.system.cuts[cut].preds;
        let entry = &mut self.system.entry;
        let Some(after) = &entry.after[cut] else { return Ok(Some(Cube::empty(preds.len()))) };
        let literals: Vec<(usize, bool)> = cube.literals().collect();
        let atoms: Vec<_> =
            literals.iter().map(|&(at, positive)| (after.atom(preds[at]), positive)).collect();
        self.counters.queries += 1;
        Ok(match entry.ctx.solve_cube(&[after.guard], &atoms, self.budget)? {
            CubeAnswer::Sat(model) => {
                let state = Valuation::new(preds.iter().map(|&pred| model.eval(after, pred)));
                self.entry_samples[cut].push(state);
                None
            }
            CubeAnswer::Unsat { cube: core, .. } => Some(restricted(&literals, &core, preds.len())),
        })
    }

    /// A core of "no state of the frame before `level` at the source leads into the cube in one round"; the
    /// state if one does.
    pub(super) fn consecution(
        &mut self,
        source: usize,
        cut: usize,
        level: usize,
        cube: &Cube,
    ) -> Result<Result<Cube, Cube>, Stop> {
        let preds = &self.system.cuts[cut].preds;
        let segment = &mut self.system.segments[source];
        let (true, Some(after)) = (level > 1, &segment.after[cut]) else {
            return Ok(Ok(Cube::empty(preds.len())));
        };
        let literals: Vec<(usize, bool)> = cube.literals().collect();
        let atoms: Vec<_> =
            literals.iter().map(|&(at, positive)| (after.atom(preds[at]), positive)).collect();
        let mut fixed = self.frames.assume(source, level - 1).to_vec();
        fixed.push(after.guard);
        self.counters.queries += 1;
        Ok(match segment.ctx.solve_cube(&fixed, &atoms, self.budget)? {
            CubeAnswer::Sat(model) => {
                let own = &self.system.cuts[source].preds;
                let before = Valuation::new(own.iter().map(|&pred| model.eval(&segment.before, pred)));
                let after = Valuation::new(preds.iter().map(|&pred| model.eval(after, pred)));
                let state = before.cube(own.len());
                self.samples[source][cut].push((before, after));
                Err(state)
            }
            CubeAnswer::Unsat { cube: core, .. } => Ok(restricted(&literals, &core, preds.len())),
        })
    }

    /// Moves clauses forward; the first frame that equals the next one, if there is one.
    fn push(&mut self, frontier: usize) -> Result<Option<usize>, Stop> {
        for level in 1..frontier {
            for cut in 0..self.system.cuts.len() {
                for cube in self.frames.at(cut, level) {
                    if let Reached::No(_) = self.reached(cut, level + 1, &cube)? {
                        self.exclude(cut, level + 1, cube);
                    }
                }
            }
            if self.frames.is_delta_empty(level) {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}

/// The literals at these positions.
fn restricted(literals: &[(usize, bool)], positions: &[usize], predicates: usize) -> Cube {
    let mut cube = Cube::empty(predicates);
    for &at in positions {
        cube.insert(literals[at].0, literals[at].1);
    }
    cube
}
