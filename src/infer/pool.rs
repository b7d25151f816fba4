//! Entry states with what becomes of the runs from them, and the truth of candidates at entry and exit.
//!
//! Most candidates are refuted here, by evaluation, and never reach an engine. What the pool says of a candidate is no
//! proof: heaps are small and runs are cut off.

use super::draft::Probe;
use super::entries::Entries;
use crate::program::eval::{States, holds};
use crate::program::interp::{End, Given, Machine, Odometer};
use crate::program::trace::UNMODELLED;
use crate::program::{Edge, Failure, Formula, Program, State, Status, Trace, Value, VarKind};
use crate::util::hash::Map;
use crate::util::limits::Budget;
use std::sync::Arc;

/// Commands of a run before it counts as one that does not end: heaps have a handful of cells.
const STEPS: u64 = 1_500;
/// Runs from one entry state.
const RUNS: usize = 12;
/// Cells and counts for which calls of a recursive function are followed to their end.
const SHALLOW: i128 = 3;
/// Entry states at most.
const MOST: usize = 6_000;
/// Evaluations of candidates at most.
const EVALUATIONS: usize = 1_500_000;

/// What becomes of the runs from an entry state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// All that were tried end, and one of them at the exit.
    Good,
    /// One fails.
    Fails(Failure),
    /// One does not end.
    Circles,
    /// Nothing is known.
    Unknown,
}

/// An entry state.
pub(super) struct Entry {
    pub(super) state: Arc<State>,
    pub(super) fate: Fate,
    /// What was chosen in the failing run.
    choices: Vec<i128>,
    /// States at the exit.
    pub(super) exits: Vec<State>,
    /// The edges that runs from it take.
    pub(super) edges: Vec<u32>,
    /// By candidate for the entry.
    pub(super) holds: Vec<bool>,
}

/// Entry states of a function.
pub(super) struct Pool<'p> {
    probe: &'p Probe,
    /// How many of the candidates speak of the entry.
    n_atoms: usize,
    /// The function calls itself: runs end where calls are nested too deeply.
    recursive: bool,
    /// By edge: the first one with the same place in the text. Copies of one body are one.
    places: Vec<u32>,
    pub(super) entries: Vec<Entry>,
}

/// By edge: the first edge that is the same branch of the same statement.
fn places(program: &Program) -> Vec<u32> {
    let mut branch = vec![0; program.edges.len()];
    for leaving in program.successors() {
        for (i, edge) in leaving.into_iter().enumerate() {
            branch[edge.index()] = i;
        }
    }
    let mut first: Map<_, u32> = Map::default();
    let place = |(i, edge): (usize, &Edge)| {
        let kind = std::mem::discriminant(&edge.command);
        *first.entry((edge.span, branch[i], kind)).or_insert(i as u32)
    };
    program.edges.iter().enumerate().map(place).collect()
}

impl<'p> Pool<'p> {
    /// Runs the function from small entry states.
    pub(super) fn new(probe: &'p Probe, n_atoms: usize, recursive: bool, budget: &mut Budget) -> Pool<'p> {
        let places = places(&probe.program);
        let mut pool = Pool { probe, n_atoms, recursive, places, entries: Vec::new() };
        let machine = Machine::new(&probe.program, &probe.question);
        let mut entries = Entries::new(&probe.program);
        let ints = entries.constants().to_vec();
        let most = MOST.min(EVALUATIONS / n_atoms.max(1));
        entries.each(most, &mut |state| {
            if machine.admits(&state) == Ok(true) {
                let entry = pool.run(&machine, state, &ints);
                pool.entries.push(entry);
            }
            pool.entries.len() < most && budget.spend(400).is_ok()
        });
        pool.settle();
        pool
    }

    /// A function that never ends is not worse for it: only where some runs end, the others go in circles.
    fn settle(&mut self) {
        let ends = self.entries.iter().any(|e| e.fate == Fate::Good);
        let circles = self.entries.iter_mut().filter(|e| e.fate == Fate::Circles);
        if !ends {
            circles.for_each(|e| e.fate = Fate::Good);
        }
    }

    /// Adds a state that somebody else has found; false if it is known, or nothing is known of it.
    pub(super) fn add(&mut self, state: State) -> bool {
        if self.entries.iter().any(|e| *e.state == state) {
            return false;
        }
        let machine = Machine::new(&self.probe.program, &self.probe.question);
        if machine.admits(&state) != Ok(true) {
            return false;
        }
        let ints = Entries::new(&self.probe.program).constants().to_vec();
        let entry = self.run(&machine, state, &ints);
        let told = entry.fate != Fate::Unknown;
        self.entries.push(entry);
        told
    }

    fn run(&self, machine: &Machine<'_>, state: State, ints: &[i128]) -> Entry {
        let mut odometer = Odometer::new(ints, true);
        let state = Arc::new(state);
        let mut entry = Entry {
            fate: Fate::Unknown,
            choices: Vec::new(),
            exits: Vec::new(),
            edges: Vec::new(),
            holds: Vec::new(),
            state: state.clone(),
        };
        for _ in 0..RUNS {
            let mut run = machine.start((*state).clone());
            let edges = &mut entry.edges;
            let end = machine
                .observe(&mut run, &mut odometer, STEPS, |edge, _| edges.push(self.places[edge.index()]));
            match end {
                End::Exit => {
                    entry.exits.push(run.state);
                    if entry.fate == Fate::Unknown {
                        entry.fate = Fate::Good;
                    }
                }
                // To exclude what has no model would hide it, not solve it.
                End::Failed(failure) if failure.message.starts_with(UNMODELLED) => {
                    entry.fate = Fate::Unknown;
                    break;
                }
                End::Failed(failure) => {
                    entry.choices = odometer.choices.clone();
                    entry.fate = Fate::Fails(failure);
                    break;
                }
                End::Steps => {
                    entry.fate = Fate::Circles;
                    break;
                }
                End::Undecided(_) | End::Open(_) => {
                    entry.fate = Fate::Unknown;
                    break;
                }
                End::Blocked if self.recursive => {
                    entry.fate = if self.is_shallow(&state) { Fate::Circles } else { Fate::Unknown };
                    break;
                }
                End::Halted | End::Blocked | End::Outside(_) => {}
            }
            if !odometer.advance() {
                break;
            }
        }
        entry.edges.sort_unstable();
        entry.edges.dedup();
        let formulas = self.probe.formulas.iter().take(self.n_atoms);
        let value = |f: &Option<Formula>| {
            let at = States::at_entry(&state);
            f.as_ref().is_some_and(|f| holds(&self.probe.program, at, f) == Ok(true))
        };
        entry.holds = formulas.map(value).collect();
        entry
    }

    /// Whether calls that go from cell to cell, or count, are nested less deeply than runs are followed.
    fn is_shallow(&self, state: &State) -> bool {
        let cells = state.cells.iter().filter(|c| c.status == Status::Heap).count() as i128;
        let given = |kind: VarKind| matches!(kind, VarKind::Param | VarKind::Global);
        let vars = self.probe.program.vars.iter().zip(&state.vars).filter(|(v, _)| given(v.kind));
        let largest = vars.map(|(_, value)| match value {
            Value::Int(n) => n.saturating_abs(),
            _ => 0,
        });
        cells + largest.max().unwrap_or(0) <= SHALLOW
    }

    /// The failing run from an entry state, again, state by state.
    pub(super) fn trace(&self, entry: &Entry) -> Option<Trace> {
        let machine = Machine::new(&self.probe.program, &self.probe.question);
        machine.trace(&entry.state, &mut Given::new(&entry.choices, true), STEPS, STEPS as usize)
    }

    /// Whether a candidate for the exit holds after a run; what has no value does not.
    pub(super) fn holds_after(&self, goal: usize, entry: &State, exit: &State) -> bool {
        let states = States { now: exit, entry, labels: &[] };
        let formula = self.probe.formulas[self.n_atoms + goal].as_ref();
        formula.is_some_and(|f| holds(&self.probe.program, states, f) == Ok(true))
    }

    pub(super) fn probe(&self) -> &Probe {
        self.probe
    }
}
