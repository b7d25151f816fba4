//! Universal clauses at loop heads, instantiated when a model violates them.
//!
//! Every lemma has a literal of its own. Assuming it asserts the lemma at the loop head; a model that violates
//! it gets the violated instance, and the query is repeated. The constants of a context are its whole
//! universe, so a model that violates no instance over them satisfies the lemma.

use super::super::system::{Segment, System};
use super::diagram::{Diagram, Words};
use crate::engine::heap::{Atom, Const, CubeAnswer, Model, Pred, Slot, State};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};

/// A diagram that is excluded at a loop head.
pub(super) struct Lemma {
    pub(super) cut: usize,
    pub(super) diagram: Diagram,
    /// The highest frame it is known for.
    pub(super) level: usize,
    active: Lit,
}

/// All lemmas.
pub(super) struct Lemmas {
    pub(super) all: Vec<Lemma>,
    /// By cut.
    pub(super) words: Vec<Words>,
    pub(super) queries: u64,
    pub(super) instances: u64,
}

/// The answer to a query.
pub(super) enum Found {
    /// A state before from which the goal is reached.
    State(Diagram),
    /// There is none: positions in the goal and lemmas that exclude it.
    Core { goal: Vec<usize>, lemmas: Vec<usize> },
}

impl Lemmas {
    /// Adds a lemma.
    pub(super) fn add(&mut self, system: &mut System, cut: usize, level: usize, diagram: Diagram) -> usize {
        let active = system.segments[cut].ctx.fresh();
        self.all.push(Lemma { cut, diagram, level, active });
        self.all.len() - 1
    }

    /// The lemmas of a frame at a loop head.
    pub(super) fn of(&self, cut: usize, level: usize) -> Vec<usize> {
        (0..self.all.len()).filter(|&at| self.all[at].cut == cut && self.all[at].level >= level).collect()
    }

    /// Whether a state at the source, which the lemmas allow, makes `fixed` and the goal true.
    pub(super) fn solve(
        &mut self,
        segment: &mut Segment,
        source: usize,
        among: &[usize],
        fixed: Lit,
        goal: &[(Atom, bool)],
        budget: &mut Budget,
    ) -> Result<Found, Stop> {
        let mut assumed: Vec<Lit> = among.iter().map(|&at| self.all[at].active).collect();
        assumed.push(fixed);
        let ctx = &mut segment.ctx;
        let points: Vec<Const> =
            std::iter::once(Const::NULL).chain(ctx.constants().filter(|&c| !ctx.is_integer(c))).collect();
        loop {
            self.queries += 1;
            let violated = match segment.ctx.solve_cube(&assumed, goal, budget)? {
                CubeAnswer::Unsat { fixed, cube } => {
                    let used = |at: &usize| fixed.contains(&self.all[*at].active);
                    return Ok(Found::Core {
                        goal: cube,
                        lemmas: among.iter().copied().filter(used).collect(),
                    });
                }
                CubeAnswer::Sat(model) => {
                    let words = &self.words[source];
                    let cells = representatives(&model, &points);
                    let mut violated: Vec<(usize, State)> = Vec::new();
                    for &at in among {
                        let found = violation(&model, &segment.before, words, &self.all[at].diagram, &cells);
                        violated.extend(found.map(|state| (at, state)));
                    }
                    if violated.is_empty() {
                        return Ok(Found::State(Diagram::of(&model, &segment.before, words, &points)));
                    }
                    violated
                }
            };
            budget.spend(violated.len() as u64)?;
            for (at, state) in violated {
                let mut clause = vec![!self.all[at].active];
                for &(pred, positive) in &self.all[at].diagram.0 {
                    clause.push(segment.ctx.literal(&state, pred, !positive));
                }
                segment.ctx.add_clause(&clause);
                self.instances += 1;
            }
        }
    }
}

/// The goal as atoms of a state.
pub(super) fn goal(state: &State, diagram: &Diagram) -> Vec<(Atom, bool)> {
    diagram.0.iter().map(|&(pred, positive)| (state.atom(pred), positive)).collect()
}

/// One constant for each cell.
fn representatives(model: &Model<'_>, points: &[Const]) -> Vec<Const> {
    let mut cells: Vec<Const> = Vec::new();
    for &c in points {
        if !cells.iter().any(|&d| model.eval_atom(&Atom::Equal(c, d))) {
            cells.push(c);
        }
    }
    cells
}

/// A choice of bound cells, as a state, that makes the whole diagram true.
fn violation(
    model: &Model<'_>,
    state: &State,
    words: &Words,
    diagram: &Diagram,
    cells: &[Const],
) -> Option<State> {
    let bound = diagram.cells(words);
    // Literals are tested as soon as the last of their cells is chosen.
    let mut stages: Vec<Vec<(Pred, bool)>> = vec![Vec::new(); bound.len() + 1];
    for &literal in &diagram.0 {
        let last = bound.iter().rposition(|&slot| super::diagram::mentions(literal.0, slot));
        stages[last.map_or(0, |at| at + 1)].push(literal);
    }
    let mut state = state.clone();
    let holds = |state: &State, stage: &[(Pred, bool)]| {
        stage.iter().all(|&(pred, positive)| model.eval(state, pred) == positive)
    };
    if !holds(&state, &stages[0]) {
        return None;
    }
    choose(&mut state, &bound, &stages[1..], cells, &holds).then_some(state)
}

fn choose(
    state: &mut State,
    bound: &[Slot],
    stages: &[Vec<(Pred, bool)>],
    cells: &[Const],
    holds: &impl Fn(&State, &[(Pred, bool)]) -> bool,
) -> bool {
    let (Some((&slot, rest)), Some((stage, later))) = (bound.split_first(), stages.split_first()) else {
        return true;
    };
    for &c in cells {
        state.slots[slot.0 as usize] = Some(c);
        if holds(state, stage) && choose(state, rest, later, cells, holds) {
            return true;
        }
    }
    false
}
