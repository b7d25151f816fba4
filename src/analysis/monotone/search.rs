//! The backward search: all bad patterns together, smallest signature first, until nothing new appears or the
//! entry is met.
//!
//! Per location a set of kept signatures, none below another. A predecessor is dropped if it contradicts the
//! forward facts, is known, or is above a kept one; a kept one above it is removed. Each keeps the step and
//! the signature that it comes from, so an alarm has an abstract trace. When the search ends without an
//! alarm, the complement of what is kept, excluded by facts or by frames is an inductive invariant.
//!
//! One thread. A second one was tried: it expanded half of each batch of 16 to 64 signatures (predecessors, facts,
//! canonical forms), the results were entered in order. Fifteen runs each of merge (2,953 signatures) and of
//! insertion sort (5,488) took 0.69 and 1.50 s of CPU with one thread, 0.82 and 1.44 s with two. Of the
//! instructions on merge a third is in what can be handed over (predecessors 4 %, canonical forms and features
//! 31 %); the rest is lookups in the one store that all expansions share. So at best a sixth of 10 ms could be
//! saved, and rows that take less than that pay for the hand-over. On the insertion into a skip list of three
//! levels (3,716 signatures, 0.95 billion instructions) the share is smaller still: 39 % are in the search, 28 %
//! of all in comparing signatures, 6 % in canonical forms and features, 3 % in the order of lists; the others
//! look for failing runs (27 %) and make the certificate (26 %).

use super::entry::EntryCheck;
use super::facts::Facts;
use super::levels::Frames;
use super::model::{Bad, Model};
use super::order::{Profile, below, below_within};
use super::pre::{CELLS, Rules, growth, place, predecessors};
use super::signature::{MAX_CELLS, Signature};
use super::widen::widen;
use crate::util::hash::Set;
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Direct edges (forgotten at loop heads), and frames.
    pub refined: bool,
    /// Direct edges of cells that a variable labels are not forgotten.
    pub anchored: bool,
    /// At loop heads a list's edge is forgotten beside one of a list that is part of it, with the same target:
    /// chains of both get shorter only without.
    pub thinned: bool,
    /// At loop heads signatures of more than three cells lose the interior of their paths.
    pub widened: bool,
    /// Signatures that may be kept.
    pub max_kept: usize,
    /// Steps that all comparisons may take.
    pub max_compared: u64,
}

/// Cells beyond which signatures are widened, if they are.
const WIDE: usize = 3;

/// Steps of comparisons that one step of the budget pays for.
const COMPARED_PER_STEP: u64 = 16;

impl Options {
    /// Cells that a predecessor may have. What grows further does not end, unless it is thinned.
    fn max_cells(&self) -> usize {
        if self.thinned { MAX_CELLS } else { 14 }
    }
}

/// A signature of the search.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where.
    pub location: usize,
    /// What.
    pub signature: Signature,
    /// The index of what it leads to; `None` for a bad pattern.
    pub next: Option<usize>,
    /// The step to that.
    pub step: usize,
    /// The bad pattern at the end.
    pub bad: usize,
    depth: u32,
    alive: bool,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub enum End {
    /// Nothing is left.
    Closed {
        /// The kept signatures with their locations, and variables beside the lists that they are on.
        kept: Vec<(usize, Signature)>,
        /// What else the entry excludes, and frames with it.
        excluded: Vec<Signature>,
    },
    /// The entry is met: the signatures from there to the bad pattern.
    Alarm(Vec<Found>),
    /// A signature does not fit, or too many are kept.
    Full(&'static str),
    /// A limit.
    Stopped(Stop),
}

/// Counts of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Predecessors computed.
    pub generated: u64,
    /// Signatures ever kept.
    pub kept: u64,
    /// Most cells of a kept one.
    pub cells: usize,
}

struct Search<'a, 'p> {
    model: &'a Model<'p>,
    facts: &'a [Facts],
    entry: &'a EntryCheck,
    options: Options,
    rules: Rules,
    heads: Vec<bool>,
    /// Per location the steps into it.
    entering: Vec<Vec<usize>>,
    /// Per location what frames exclude.
    frames: Vec<Vec<Signature>>,
    found: Vec<Found>,
    kept: Vec<Vec<(Profile, usize)>>,
    seen: Vec<Set<Signature>>,
    queue: BinaryHeap<Reverse<(usize, usize)>>,
    /// Lists of the entry, and which variables are on them.
    ordered: Frames<'a>,
    /// Parts of signatures that were dropped because of those lists.
    dropped: Set<(usize, Signature)>,
    /// Steps of all comparisons.
    compared: u64,
    tally: Tally,
    alarm: Option<usize>,
}

/// Searches backward from the bad patterns.
pub fn search(
    model: &Model<'_>,
    bad: &[Bad],
    facts: &[Facts],
    entry: &EntryCheck,
    options: Options,
    budget: &mut Budget,
    progress: &dyn Fn(&str),
) -> (End, Tally) {
    let mut entering = vec![Vec::new(); model.locations];
    model.steps.iter().enumerate().for_each(|(i, s)| entering[s.to].push(i));
    let framed = |location: usize| -> Vec<Signature> {
        if !options.refined {
            return Vec::new();
        }
        facts[location].frame(&entry.excluded, model.fields.len())
    };
    let mut run = Search {
        model,
        facts,
        entry,
        options,
        rules: Rules { colours: model.fields.len(), direct: options.refined },
        heads: loop_heads(model),
        entering,
        frames: (0..model.locations).map(framed).collect(),
        found: Vec::new(),
        kept: vec![Vec::new(); model.locations],
        seen: vec![Set::default(); model.locations],
        queue: BinaryHeap::new(),
        ordered: Frames::of(model, facts, &entry.levels),
        dropped: Set::default(),
        compared: 0,
        tally: Tally::default(),
        alarm: None,
    };
    let end = run.run(bad, budget, progress);
    (end, run.tally)
}

impl Search<'_, '_> {
    fn run(&mut self, bad: &[Bad], budget: &mut Budget, progress: &dyn Fn(&str)) -> End {
        for (i, b) in bad.iter().enumerate() {
            let start = Found {
                location: b.location,
                signature: b.signature,
                next: None,
                step: 0,
                bad: i,
                depth: 0,
                alive: true,
            };
            self.add(start);
        }
        let mut before = Vec::new();
        let mut expanded = 0u64;
        while self.alarm.is_none() {
            let Some(Reverse((_, id))) = self.queue.pop() else { return self.closed(budget) };
            if !self.found[id].alive {
                continue;
            }
            if self.found.len() > self.options.max_kept {
                return End::Full("too many signatures are kept");
            }
            if self.compared > self.options.max_compared {
                return End::Full("comparing the signatures takes too long");
            }
            expanded += 1;
            if expanded.is_multiple_of(512) {
                let live: usize = self.kept.iter().map(Vec::len).sum();
                let depth = self.found[id].depth;
                progress(&format!("{} signatures kept, {live} live, depth {depth}", self.tally.kept));
            }
            let Found { location, signature, bad, depth, .. } = self.found[id];
            if signature.len() + growth(&signature) >= self.options.max_cells() {
                return End::Full("a signature has too many cells");
            }
            for i in 0..self.entering[location].len() {
                let step = self.entering[location][i];
                before.clear();
                predecessors(self.model.steps[step].op, &signature, &self.rules, &mut before);
                for &signature in &before {
                    let location = self.model.steps[step].from;
                    let compared = self.compared;
                    self.add(Found {
                        location,
                        signature,
                        next: Some(id),
                        step,
                        bad,
                        depth: depth + 1,
                        alive: true,
                    });
                    if let Err(stop) = budget.spend(1 + (self.compared - compared) / COMPARED_PER_STEP) {
                        return End::Stopped(stop);
                    }
                }
            }
            if budget.watches_memory() {
                let dropped = self.dropped.len() * 2 * size_of::<Signature>();
                budget.set_memory((self.found.len() * 3 * size_of::<Found>() + dropped) as u64);
            }
        }
        match self.alarm {
            Some(id) => End::Alarm(self.trace(id)),
            None => self.closed(budget),
        }
    }

    fn closed(&self, budget: &mut Budget) -> End {
        let live = self.found.iter().filter(|f| f.alive).map(|f| (f.location, f.signature));
        let mut kept: Vec<(usize, Signature)> = live.collect();
        if self.options.refined {
            let beside = |l: usize| self.ordered.beside(l).into_iter().map(move |s| (l, s));
            kept.extend((0..self.model.locations).flat_map(beside));
        }
        match self.ordered.reasons(&self.dropped, budget) {
            Ok(excluded) => End::Closed { kept, excluded },
            Err(stop) => End::Stopped(stop),
        }
    }

    fn trace(&self, from: usize) -> Vec<Found> {
        let mut out = vec![self.found[from].clone()];
        while let Some(next) = out.last().and_then(|f| f.next) {
            out.push(self.found[next].clone());
        }
        out
    }

    /// Adds a signature; where a frame needs to know which cell is new, all places of it.
    fn add(&mut self, new: Found) {
        self.tally.generated += 1;
        let only_new = self.facts[new.location].only_new().filter(|_| self.options.refined);
        match only_new {
            Some(x) if !new.signature.labels[x as usize].is_known() && new.signature.room() > 0 => {
                let mut placed = Vec::new();
                place(&new.signature, x, CELLS, &mut placed);
                placed.into_iter().for_each(|signature| self.add_placed(Found { signature, ..new.clone() }));
            }
            _ => self.add_placed(new),
        }
    }

    /// Whether the part of the signature that lies in the entry heap contradicts the lists of the entry.
    fn breaks_lists(&mut self, location: usize, s: &Signature) -> bool {
        let broken = if self.options.refined { self.ordered.broken(location, s) } else { None };
        broken.is_some_and(|part| {
            self.dropped.insert((location, part));
            true
        })
    }

    fn add_placed(&mut self, mut new: Found) {
        let location = new.location;
        let vars = self.model.slots.len();
        if !self.facts[location].allow(&new.signature, vars, self.rules.colours)
            || self.model.is_ill_typed(&new.signature)
        {
            return;
        }
        if self.heads[location] {
            if self.options.anchored {
                new.signature.forget_direct_of_unlabelled();
            } else {
                new.signature.forget_direct();
            }
            if self.options.thinned {
                self.ordered.thin(&mut new.signature);
            }
            if self.options.widened {
                widen(&mut new.signature, WIDE);
            }
        } else if !self.options.refined {
            // How an in-closed cell is pointed to decides what an allocation can have written.
            new.signature.forget_direct_to_open();
        }
        let s = new.signature.canonical();
        new.signature = s;
        if !self.seen[location].insert(s) {
            return;
        }
        let at_entry = location == self.model.entry;
        if at_entry && !self.entry.may_meet(&s) {
            return;
        }
        if is_above_any(&self.frames[location], &s) || self.breaks_lists(location, &s) {
            return;
        }
        let profile = Profile::of(&s);
        let found = &mut self.found;
        let kept = &mut self.kept[location];
        let mut compared = 0;
        let mut compare = |a: &Signature, b: &Signature| {
            let (below, steps) = below_within(a, b, options::MONOTONE_COMPARISON.get());
            compared += steps;
            below
        };
        let known = kept.iter().any(|(p, i)| p.may_be_below(&profile) && compare(&found[*i].signature, &s));
        if known {
            self.compared += compared;
            return;
        }
        kept.retain(|(p, i)| {
            let above = profile.may_be_below(p) && compare(&s, &found[*i].signature);
            if above {
                found[*i].alive = false;
            }
            !above
        });
        self.compared += compared;
        let id = found.len();
        kept.push((profile, id));
        self.tally.kept += 1;
        self.tally.cells = self.tally.cells.max(s.len());
        if at_entry && self.alarm.is_none() {
            self.alarm = Some(id);
        }
        self.queue.push(Reverse((s.size(), id)));
        found.push(new);
    }
}

fn is_above_any(all: &[Signature], s: &Signature) -> bool {
    all.iter().any(|e| below(e, s))
}

/// Locations that a step enters from behind in a depth-first walk.
fn loop_heads(model: &Model<'_>) -> Vec<bool> {
    let mut leaving = vec![Vec::new(); model.locations];
    model.steps.iter().for_each(|s| leaving[s.from].push(s.to));
    let mut heads = vec![false; model.locations];
    let mut state = vec![0u8; model.locations];
    let mut stack = vec![(model.entry, 0)];
    state[model.entry] = 1;
    while let Some((at, i)) = stack.pop() {
        let Some(&to) = leaving[at].get(i) else {
            state[at] = 2;
            continue;
        };
        stack.push((at, i + 1));
        match state[to] {
            0 => {
                state[to] = 1;
                stack.push((to, 0));
            }
            1 => heads[to] = true,
            _ => {}
        }
    }
    heads
}
