//! Which promises are worth making: those that tell the states at the exit from others.
//!
//! A mutant is a state at the exit of a run in which one thing is different: the result, a field of a cell, a variable,
//! whether a cell is freed. Where `assigns` says what may change, only what the run has changed is different in a mutant:
//! the rest is said already. A promise that no mutant breaks says nothing; of two that are broken by the same mutants one
//! is enough. The cheapest promises that break all mutants that can be broken are chosen.

use super::pool::Pool;
use crate::program::{CellId, Program, State, Status, Type, Value, VarKind};
use crate::util::rng::Rng;

/// Runs that are looked at.
const RUNS: usize = 60;
/// Mutants of each.
const MUTANTS: usize = 14;

/// A promise: its number among the candidates, and its cost.
pub(super) type Promise = (usize, u32);

/// Pairs of entry and exit, each with mutants of the exit.
pub(super) struct Mutants {
    all: Vec<(usize, State)>,
}

impl Mutants {
    /// Mutants of runs from these entry states; with a frame, what a run did not change stays.
    pub(super) fn new(pool: &Pool<'_>, entries: &[usize], framed: bool) -> Mutants {
        let mut rng = Rng::new(7);
        let mut all = Vec::new();
        let stride = entries.len().div_ceil(RUNS).max(1);
        for &entry in entries.iter().step_by(stride) {
            for exit in pool.entries[entry].exits.iter().take(1) {
                for _ in 0..MUTANTS {
                    let mut mutant = exit.clone();
                    let before = framed.then_some(&*pool.entries[entry].state);
                    if change(&pool.probe().program, &mut mutant, before, &mut rng) && mutant != *exit {
                        all.push((entry, mutant));
                    }
                }
            }
        }
        Mutants { all }
    }

    /// The promises that are worth making, in the order in which they were given.
    pub(super) fn choose(&self, pool: &Pool<'_>, promises: &[Promise], most: usize) -> Vec<usize> {
        let broken_by = |goal: usize| -> Vec<bool> {
            let broken = |(entry, mutant): &(usize, State)| {
                !pool.holds_after(goal, &pool.entries[*entry].state, mutant)
            };
            self.all.iter().map(broken).collect()
        };
        let mut table: Vec<(usize, u32, Vec<bool>)> =
            promises.iter().map(|(goal, cost)| (*goal, *cost, broken_by(*goal))).collect();
        let mut open = vec![true; self.all.len()];
        let mut chosen = Vec::new();
        while chosen.len() < most {
            let gain = |row: &[bool]| row.iter().zip(&open).filter(|(b, o)| **b && **o).count();
            let mut best: Option<(usize, usize)> = None;
            for (i, (_, cost, row)) in table.iter().enumerate() {
                let value = gain(row) * 60 / *cost as usize;
                // Fewer than a handful of mutants are not worth a line.
                if gain(row) >= 2 && best.is_none_or(|(v, _)| value > v) {
                    best = Some((value, i));
                }
            }
            let Some((_, i)) = best else { break };
            let (goal, _, row) = table.remove(i);
            open.iter_mut().zip(row).for_each(|(o, b)| *o &= !b);
            chosen.push(goal);
        }
        // What the rest says already is left out.
        let rows: Vec<(usize, Vec<bool>)> = chosen.iter().map(|g| (*g, broken_by(*g))).collect();
        let needed = |goal: usize| {
            let own = rows.iter().find(|(g, _)| *g == goal).map(|(_, row)| row);
            own.is_some_and(|row| {
                row.iter().enumerate().any(|(i, b)| *b && !rows.iter().any(|(g, r)| *g != goal && r[i]))
            })
        };
        let mut kept: Vec<usize> = chosen.iter().copied().filter(|g| needed(*g)).collect();
        if kept.is_empty() {
            kept = chosen;
        }
        kept.sort_by_key(|g| promises.iter().position(|(goal, _)| goal == g));
        kept
    }
}

/// Changes one thing; with the state at the entry, one that is not as it was then.
fn change(program: &Program, state: &mut State, before: Option<&State>, rng: &mut Rng) -> bool {
    let changed = |i: &usize| match program.vars[*i].kind {
        VarKind::Result => true,
        VarKind::Global => before.is_none_or(|b| b.vars[*i] != state.vars[*i]),
        _ => false,
    };
    let vars: Vec<usize> = (0..program.vars.len()).filter(changed).collect();
    let mut places: Vec<(usize, Option<usize>)> = Vec::new();
    for (i, cell) in state.cells.iter().enumerate().filter(|(_, c)| c.status != Status::Never) {
        let known = before.and_then(|b| b.cells.get(i)).filter(|b| b.status != Status::Never);
        if known.is_none_or(|k| k.status != cell.status) {
            places.push((i, None));
        }
        let slots = 0..cell.fields.len();
        let kept = |slot: usize| known.is_some_and(|k| k.fields.get(slot) == cell.fields.get(slot));
        places.extend(slots.filter(|slot| !kept(*slot)).map(|slot| (i, Some(slot))));
    }
    if !vars.is_empty() && (places.is_empty() || rng.one_in(3)) {
        let var = *rng.pick(&vars);
        match other(program.vars[var].ty, state.vars[var], state, rng) {
            Some(value) => state.vars[var] = value,
            None => return false,
        }
        return true;
    }
    if places.is_empty() {
        return false;
    }
    let (cell, slot) = *rng.pick(&places);
    let Some(slot) = slot else {
        let status = state.cells[cell].status;
        state.cells[cell].status = if status == Status::Freed { Status::Heap } else { Status::Freed };
        return true;
    };
    let field = program.structs[state.cells[cell].of.index()].fields[slot];
    match other(program.fields[field.index()].ty, state.cells[cell].fields[slot], state, rng) {
        Some(value) => state.cells[cell].fields[slot] = value,
        None => return false,
    }
    true
}

/// Another value of the type.
fn other(ty: Type, value: Value, state: &State, rng: &mut Rng) -> Option<Value> {
    match ty {
        Type::Int(kind) => {
            let Value::Int(n) = value else { return None };
            Some(Value::Int(kind.wrap(n + [1, -1, 2, -3][rng.below(4)])))
        }
        Type::Ptr(of) => {
            let cells =
                state.cells.iter().enumerate().filter(|(_, c)| c.of == of && c.status != Status::Never);
            let mut values: Vec<Value> = cells.map(|(i, _)| Value::Cell(CellId(i as u32))).collect();
            values.push(Value::Null);
            values.retain(|v| *v != value);
            if values.is_empty() { None } else { Some(*rng.pick(&values)) }
        }
        _ => None,
    }
}
