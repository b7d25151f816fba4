//! Bounded search for a run that fails (DESIGN 6, decision 9): small entry states that satisfy `requires`,
//! every choice the program leaves open, fewest cells first, then small values, then few steps.
//!
//! What it finds is a real run; that it finds nothing means nothing beyond the bound. It is deterministic.
//!
//! Each size of heaps gets a share of the bound, so that a size with too many states does not hide the next one; what
//! a smaller size has explored is not explored again.
//! From one entry state the runs are explored breadth first. States met again at a choice or a loop head are not
//! followed twice; they are recognised by a hash, so a collision may hide a run, never invent one.

mod entry;
mod memo;
mod sample;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use entry::add_strangers;
pub use memo::Searches;

use super::cfg::{Entry, Program, Question};
use super::command::{Check, Command};
use super::decl::{EdgeId, FieldId, LocationId};
use super::eval::{EvalError, Reads, States};
use super::interp::{Chooser, End, Given, Machine, Odometer, Run};
use super::state::{CellId, State};
use super::trace::Trace;
use crate::util::hash::{Map, Set};
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use entry::{Entries, Size};
use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::ops::ControlFlow;
use vocabulary::Vocabulary;

/// How far the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Most cells at entry.
    pub cells: usize,
    /// Most integer values tried per place.
    pub ints: usize,
    /// Most commands per entry state.
    pub commands_per_entry: u64,
    /// Most commands in all; the evaluation of formulas counts as commands that take as long.
    pub commands: u64,
    /// Steps of a trace that are kept.
    pub keep: usize,
}

impl Default for Bound {
    fn default() -> Bound {
        Bound {
            cells: options::EXPLORE_CELLS.size(),
            ints: options::EXPLORE_INTS.size(),
            commands_per_entry: options::EXPLORE_COMMANDS_PER_ENTRY.get(),
            commands: options::EXPLORE_COMMANDS.get(),
            keep: 2_000,
        }
    }
}

/// Nodes of formulas that are evaluated in the time of a command.
const NODES_PER_COMMAND: u64 = 4;

/// Cells of a heap that are told from another's in the time of a command.
const CELLS_PER_COMMAND: u64 = 64;

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A run that fails.
    Violation(Box<Trace>),
    /// None within the bound; `complete` if every run within it was followed to its end.
    Nothing {
        /// No run was cut off.
        complete: bool,
    },
    /// A limit was reached before.
    Stopped(Stop),
}

impl Found {
    /// The trace, if there is one.
    #[must_use]
    pub fn trace(self) -> Option<Box<Trace>> {
        match self {
            Found::Violation(trace) => Some(trace),
            Found::Nothing { .. } | Found::Stopped(_) => None,
        }
    }
}

/// Gets every state that a run brings to the head of a loop, once per entry state.
pub type Visit<'v> = &'v mut dyn FnMut(LocationId, States<'_>);

/// Looks for a failing run from any small entry state.
pub fn search(program: &Program, question: &Question, bound: &Bound, budget: &mut Budget) -> Found {
    search_visiting(program, question, bound, budget, &mut |_, _| {})
}

/// The same, and shows the states at loop heads on the way.
pub fn search_visiting(
    program: &Program,
    question: &Question,
    bound: &Bound,
    budget: &mut Budget,
    visit: Visit<'_>,
) -> Found {
    let vocabulary = Vocabulary::of(program, question.contract, bound.ints);
    let machine = Machine::new(program, question).noting().sparing();
    let mut explorer = Explorer {
        machine,
        bound,
        budget,
        ints: vocabulary.ints.clone(),
        used: 0,
        complete: true,
        path: None,
        visit,
        explored: Map::default(),
    };
    let fills: &[bool] = if vocabulary.allocates { &[false, true] } else { &[true] };
    if program.begins == Entry::Main {
        let mut state = State::new(program);
        add_strangers(program, &mut state);
        for &fills in fills {
            match explorer.explore(&state, fills, bound.commands) {
                ControlFlow::Break(Found::Nothing { .. }) => explorer.complete = false,
                ControlFlow::Break(found) => return found,
                ControlFlow::Continue(()) => {}
            }
        }
        let share = bound.commands / 4;
        return match sample::search(
            &explorer.machine,
            &state,
            &explorer.ints,
            share,
            bound.keep,
            explorer.budget,
        ) {
            Ok(Some(trace)) => Found::Violation(Box::new(trace)),
            Ok(None) => Found::Nothing { complete: explorer.complete },
            Err(stop) => Found::Stopped(stop),
        };
    }
    let lengths = if Entries::has_arrays(program) { 0..=3 } else { 0..=0 };
    // A cell that nobody reaches is garbage whatever the program does.
    let with_extra = vocabulary.quantifies && !question.asks(Check::Garbage);
    let extras: &[bool] = if with_extra { &[false, true] } else { &[false] };
    let mut rounds = Vec::new();
    for cells in 0..=bound.cells {
        for length in lengths.clone() {
            for &extra in extras {
                rounds.extend(fills.iter().map(|&fills| (Size { cells, extra, length }, fills)));
            }
        }
    }
    let n_rounds = rounds.len() as u64;
    for (done, (size, fills)) in (0..n_rounds).zip(rounds) {
        // What small heaps leave of the bound is shared by the larger ones.
        let share = bound.commands.saturating_sub(explorer.used) / (n_rounds - done);
        let entries = Entries::new(program, question, &vocabulary, size);
        if let ControlFlow::Break(found) = explorer.entries(entries, fills, share) {
            return found;
        }
    }
    Found::Nothing { complete: explorer.complete }
}

/// Looks for a failing run from one entry state, which must satisfy entry condition and `requires`; along a
/// path of edges first, if one is given, and then wherever the program goes.
pub fn replay(
    program: &Program,
    question: &Question,
    initial: &State,
    path: Option<&[EdgeId]>,
    bound: &Bound,
    budget: &mut Budget,
) -> Found {
    let machine = Machine::new(program, question).sparing();
    if machine.admits(initial) != Ok(true) {
        return Found::Nothing { complete: false };
    }
    from_state(machine, initial, path, bound, budget, &mut |_, _| {})
}

/// Shows the states that the runs from one entry state bring to loop heads. The state must satisfy entry condition and
/// `requires`; nothing is said about how the runs end, and conditions at the end are not evaluated.
pub fn visit_from(
    program: &Program,
    question: &Question,
    initial: &State,
    bound: &Bound,
    budget: &mut Budget,
    visit: Visit<'_>,
) {
    let checks = question.checks.iter().copied().filter(|c| *c == Check::Memsafety).collect();
    let machine = Machine::new(program, &Question { contract: question.contract, checks }).sparing();
    let _ = from_state(machine, initial, None, bound, budget, visit);
}

fn from_state(
    machine: Machine<'_>,
    initial: &State,
    path: Option<&[EdgeId]>,
    bound: &Bound,
    budget: &mut Budget,
    visit: Visit<'_>,
) -> Found {
    let Vocabulary { ints, allocates, .. } =
        Vocabulary::of(machine.program(), machine.contract(), bound.ints);
    let explored = Map::default();
    let mut explorer =
        Explorer { machine, bound, budget, ints, used: 0, complete: true, path, visit, explored };
    for &fills in if allocates { &[false, true][..] } else { &[true] } {
        if let ControlFlow::Break(found) = explorer.explore(initial, fills, bound.commands) {
            return found;
        }
    }
    Found::Nothing { complete: explorer.complete }
}

struct Explorer<'a, 'p> {
    machine: Machine<'p>,
    bound: &'a Bound,
    budget: &'a mut Budget,
    ints: Vec<i128>,
    used: u64,
    complete: bool,
    path: Option<&'a [EdgeId]>,
    visit: Visit<'a>,
    /// Entry states that were explored, by their hashes, and what was looked at.
    explored: Map<u64, Vec<(CellId, FieldId)>>,
}

/// A run on the frontier and how it got there.
struct Node {
    parent: usize,
    choices: Vec<i128>,
}

impl Explorer<'_, '_> {
    /// Explores the runs from all entry states of a size, as far as a share of the bound goes.
    fn entries(&mut self, mut entries: Entries<'_>, fills: bool, share: u64) -> ControlFlow<Found> {
        let end = self.used.saturating_add(share);
        loop {
            match entries.admitted(&self.machine) {
                Ok(true) => self.explore_once(entries.state(), fills)?,
                Ok(false) => {}
                Err(EvalError::Stopped(stop)) => return ControlFlow::Break(Found::Stopped(stop)),
                Err(_) => self.complete = false,
            }
            self.spend_evaluation()?;
            if self.used > end {
                self.complete = false;
                return ControlFlow::Continue(());
            }
            if !entries.advance(&self.machine) {
                self.complete &= !entries.narrowed;
                return ControlFlow::Continue(());
            }
        }
    }

    /// Explores the runs from an entry state, unless that was done for a smaller size: then only what they look at
    /// matters, because there it may lead to further cells.
    fn explore_once(&mut self, state: &State, fills: bool) -> ControlFlow<Found> {
        let key = rustc_hash::FxBuildHasher.hash_one((state, fills));
        if let (Some(known), Some(reads)) = (self.explored.get(&key), self.machine.reads()) {
            known.iter().for_each(|&(cell, field)| reads.note(cell, field));
            return ControlFlow::Continue(());
        }
        self.explore(state, fills, self.bound.commands_per_entry)?;
        if let Some(reads) = self.machine.reads()
            && self.explored.len() < options::EXPLORE_REMEMBERED.size()
        {
            let mut looked_at = Vec::new();
            reads.each(|cell, field| looked_at.push((cell, field)));
            self.explored.insert(key, looked_at);
        }
        ControlFlow::Continue(())
    }

    /// Counts the evaluation of formulas, and the making of a candidate or a run.
    fn spend_evaluation(&mut self) -> ControlFlow<Found> {
        let work = self.machine.reads().map_or(0, Reads::take_work);
        self.spend(1 + work / NODES_PER_COMMAND)
    }

    fn spend(&mut self, commands: u64) -> ControlFlow<Found> {
        self.used += commands;
        if self.used > self.bound.commands {
            return ControlFlow::Break(Found::Nothing { complete: false });
        }
        match self.budget.spend(commands) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => ControlFlow::Break(Found::Stopped(stop)),
        }
    }

    /// Explores all runs from one state, breadth first.
    fn explore(&mut self, initial: &State, fills: bool, limit: u64) -> ControlFlow<Found> {
        let mut run = self.machine.start(initial.clone());
        let mut nodes = vec![Node { parent: usize::MAX, choices: Vec::new() }];
        if let Some(end) = self.machine.arrive(&mut run) {
            return self.ended(initial, fills, &nodes, 0, &[], &end);
        }
        if self.machine.is_head(run.location) {
            (self.visit)(run.location, run.states());
        }
        let mut seen: Set<u64> = Set::default();
        let mut frontier = VecDeque::from([(run, 0usize)]);
        let (mut used, mut waiting) = (0, size(initial));
        while let Some((run, node)) = frontier.pop_front() {
            waiting -= size(&run.state).min(waiting);
            let ints = std::mem::take(&mut self.ints);
            let watching = self.machine.reads().is_some();
            let mut odometer =
                if watching { Odometer::lazy(&ints, fills) } else { Odometer::new(&ints, fills) };
            let mut flow = ControlFlow::Continue(());
            loop {
                let mut next = run.clone();
                if let Some(reads) = self.machine.reads() {
                    reads.watch();
                }
                let end = self.advance(&mut next, &mut odometer, &mut seen, limit, &mut used);
                let looked_at = self.machine.reads().map(Reads::watched).unwrap_or_default();
                looked_at.into_iter().for_each(|(cell, field)| odometer.looked_at(cell, field));
                if !matches!(end, Ok(Some(End::Blocked)))
                    && !odometer.vary_rest(options::EXPLORE_UNSEEN.size())
                {
                    self.complete = false;
                }
                match end {
                    Ok(Some(end)) => {
                        flow = self.ended(initial, fills, &nodes, node, &odometer.choices, &end);
                    }
                    Ok(None) if waiting > options::EXPLORE_WAITING.size() => self.complete = false,
                    Ok(None) => {
                        waiting += size(&next.state);
                        nodes.push(Node { parent: node, choices: odometer.choices.clone() });
                        frontier.push_back((next, nodes.len() - 1));
                    }
                    Err(Cut::Seen) => {}
                    Err(Cut::Limit) => self.complete = false,
                    Err(Cut::Found(found)) => flow = ControlFlow::Break(found),
                }
                if flow.is_break() || !odometer.advance() {
                    break;
                }
            }
            self.ints = ints;
            flow?;
            self.spend_evaluation()?;
            if used > limit {
                self.complete = false;
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Makes one choice, then goes on as long as nothing is to be chosen. `None`: stands before a choice, or has gone on
    /// for so long that other runs are to be looked at first.
    fn advance(
        &mut self,
        run: &mut Run,
        odometer: &mut Odometer<'_>,
        seen: &mut Set<u64>,
        limit: u64,
        used: &mut u64,
    ) -> Result<Option<End>, Cut> {
        let mut first = true;
        // The effect of a call, its result and what its contract says of them are one choice.
        let mut in_call = false;
        let pause = *used + options::EXPLORE_STRETCH.get();
        loop {
            if *used > limit {
                return Err(Cut::Limit);
            }
            let is_open = !first && !in_call && self.machine.is_open(run, odometer.fills());
            let is_head = !first && self.machine.is_head(run.location);
            if is_open || is_head {
                // A place is told by its whole heap; a loop that only allocates would take quadratic time.
                let work = run.state.cells.len() as u64 / CELLS_PER_COMMAND;
                *used += work;
                if let ControlFlow::Break(found) = self.spend(work) {
                    return Err(Cut::Found(found));
                }
                if !self.new_place(run, seen) {
                    return Err(Cut::Seen);
                }
            }
            if is_head {
                (self.visit)(run.location, run.states());
            }
            if is_open || *used > pause && !in_call {
                return Ok(None);
            }
            first = false;
            *used += 1;
            if let ControlFlow::Break(found) = self.spend(1) {
                return Err(Cut::Found(found));
            }
            let mut taken = None;
            let end = self.machine.step(run, odometer, &mut |edge, _| taken = Some(edge));
            let command = taken.map(|edge| &self.machine.program().edges[edge.index()].command);
            in_call = match command {
                Some(Command::Scramble { .. }) => true,
                Some(Command::Havoc(_) | Command::Suppose(_)) => in_call,
                _ => false,
            };
            if let (Some(path), Some(edge)) = (self.path, taken)
                && path.get(run.steps as usize - 1).is_some_and(|e| *e != edge)
            {
                return Err(Cut::Seen);
            }
            if end.is_some() {
                return Ok(end);
            }
        }
    }

    /// Whether this place has not been met before.
    fn new_place(&self, run: &Run, seen: &mut Set<u64>) -> bool {
        let hasher = rustc_hash::FxBuildHasher;
        let along = self.path.map(|p| (run.steps as usize).min(p.len()));
        let mut key = hasher.hash_one((run.location, &run.state, along));
        for label in run.labels.iter().flatten() {
            key = hasher.hash_one((key, &**label));
        }
        seen.insert(key)
    }

    fn ended(
        &mut self,
        initial: &State,
        fills: bool,
        nodes: &[Node],
        node: usize,
        choices: &[i128],
        end: &End,
    ) -> ControlFlow<Found> {
        match end {
            End::Failed(_) => {
                let mut reversed: Vec<&[i128]> = vec![choices];
                let mut at = node;
                while at != usize::MAX {
                    reversed.push(&nodes[at].choices);
                    at = nodes[at].parent;
                }
                let all: Vec<i128> = reversed.into_iter().rev().flatten().copied().collect();
                let mut given = Given::new(&all, fills);
                let limit = self.bound.commands;
                match self.machine.trace(initial, &mut given, limit, self.bound.keep) {
                    Some(trace) => ControlFlow::Break(Found::Violation(Box::new(trace))),
                    None => {
                        debug_assert!(false, "a run that failed fails again with the same choices");
                        ControlFlow::Continue(())
                    }
                }
            }
            End::Undecided(EvalError::Stopped(stop)) => ControlFlow::Break(Found::Stopped(*stop)),
            End::Undecided(_) | End::Open(_) | End::Steps => {
                self.complete = false;
                ControlFlow::Continue(())
            }
            End::Exit | End::Halted | End::Blocked | End::Outside(_) => ControlFlow::Continue(()),
        }
    }
}

/// How many values a state holds, about.
fn size(state: &State) -> usize {
    let arrays: usize = state.arrays.iter().map(Vec::len).sum();
    let cells: usize = state.cells.iter().map(|c| c.fields.len() + 2).sum();
    state.vars.len() + arrays + cells
}

/// Why a run is not followed further.
enum Cut {
    Seen,
    Limit,
    Found(Found),
}
