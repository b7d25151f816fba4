//! Small entry states of a function: all of them as long as there are few, then some that are drawn.
//!
//! Cells are discovered: each pointer, first of the variables, then of the cells in their order, is null, a cell met
//! before or the next new one. So every heap comes once, whatever its cells are called, and nobody else's cells are
//! there. Numbers are drawn from those that the function compares with. What is drawn depends on the program alone.

use crate::program::explore::add_strangers;
use crate::program::walk;
use crate::program::{CellId, Command, Expr, Program, State, Status, StructId, Type, Value, Var, VarKind};
use crate::util::hash::Set;
use crate::util::rng::Rng;
use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::ops::Range;

/// Most cells of a heap whose shapes are all tried.
const MOST_CELLS: usize = 3;
/// Shapes of one size that are tried at most.
const MOST_SHAPES: usize = 1_200;
/// Heaps that are drawn of sizes above those that are all tried: by how much larger, and how many. Where several structs
/// belong together, a heap with one cell of each is not small.
const DRAWN: [(usize, usize); 4] = [(0, 500), (1, 400), (2, 200), (4, 200)];

/// Makes the states.
pub(super) struct Entries<'p> {
    program: &'p Program,
    rng: Rng,
    ints: Vec<i128>,
    /// Whether a number makes a difference, by field.
    matters: Vec<bool>,
    has_numbers: bool,
    /// Parameters that may lead to variables and to fields: a number that says which, and one pointer for each.
    ways: Vec<Range<usize>>,
}

/// Where such parameters stand among the variables.
fn ways(program: &Program) -> Vec<Range<usize>> {
    let way = |(i, var): (usize, &Var)| {
        let name = var.name.strip_suffix(".tag").filter(|_| var.kind == VarKind::Param)?;
        let own = |v: &&Var| {
            v.kind == VarKind::Param && v.name.strip_prefix(name).is_some_and(|n| n.starts_with('.'))
        };
        let count = program.vars[i..].iter().take_while(own).count();
        Some(i..i + count)
    };
    program.vars.iter().enumerate().filter_map(way).collect()
}

/// How a pointer is decided.
enum Source<'a> {
    /// The answers so far, and how many there were to choose from; behind them the first.
    Given {
        answers: &'a [usize],
        options: Vec<usize>,
    },
    Drawn,
}

impl<'p> Entries<'p> {
    pub(super) fn new(program: &'p Program) -> Entries<'p> {
        let mut matters = vec![false; program.fields.len()];
        for edge in &program.edges {
            if let Command::Load { field, .. } = &edge.command {
                matters[field.index()] = true;
            }
        }
        let has_numbers = program
            .vars
            .iter()
            .any(|v| is_given(v.kind) && (matches!(v.ty, Type::Int(_)) || v.ty.element().is_some()))
            || program.fields.iter().zip(&matters).any(|(f, m)| *m && matches!(f.ty, Type::Int(_)));
        Entries {
            program,
            rng: Rng::new(1),
            ints: integers(program),
            matters,
            has_numbers,
            ways: ways(program),
        }
    }

    /// The numbers that the function compares with.
    pub(super) fn constants(&self) -> &[i128] {
        &self.ints
    }

    /// Hands out states until somebody has enough.
    pub(super) fn each(&mut self, most: usize, visit: &mut dyn FnMut(State) -> bool) {
        let (mut next, mut visited) = (0, 0);
        'sizes: while next <= MOST_CELLS {
            let Some(states) = self.all(next) else { break };
            next += 1;
            for state in states {
                // Larger ones are needed as well.
                if visited >= most / 2 {
                    break 'sizes;
                }
                let counted = &mut |state: State| {
                    visited += 1;
                    visit(state)
                };
                if !self.with_numbers(state, counted) {
                    return;
                }
            }
        }
        let mut seen: Set<u64> = Set::default();
        for (i, (more, drawn)) in DRAWN.into_iter().enumerate() {
            // Each size has its share of what is left.
            let share = visited + most.saturating_sub(visited) / (DRAWN.len() - i);
            for _ in 0..drawn {
                if visited >= share {
                    break;
                }
                let state = self.state(next + more, &mut Source::Drawn);
                let new = seen.insert(rustc_hash::FxBuildHasher.hash_one(&state));
                let counted = &mut |state: State| {
                    visited += 1;
                    visit(state)
                };
                if new && !self.with_numbers(state, counted) {
                    return;
                }
            }
        }
    }

    /// All heaps of so many cells, without numbers; `None` if there are too many.
    fn all(&mut self, cells: usize) -> Option<Vec<State>> {
        let (mut answers, mut out, mut tried) = (Vec::new(), Vec::new(), 0);
        loop {
            let mut source = Source::Given { answers: &answers, options: Vec::new() };
            let state = self.state(cells, &mut source);
            let Source::Given { options, .. } = source else { return None };
            tried += 1;
            // Those with fewer cells have been there before.
            if state.cells.iter().filter(|c| c.status == Status::Heap).count() == cells {
                out.push(state);
            }
            if out.len() > MOST_SHAPES || tried > 4 * MOST_SHAPES {
                return None;
            }
            let mut at = options.len();
            answers.resize(at, 0);
            while at > 0 && answers[at - 1] + 1 >= options[at - 1] {
                at -= 1;
            }
            if at == 0 {
                return Some(out);
            }
            answers.truncate(at);
            answers[at - 1] += 1;
        }
    }

    /// The same pointers with some numbers.
    fn with_numbers(&mut self, state: State, visit: &mut dyn FnMut(State) -> bool) -> bool {
        if !self.has_numbers {
            return visit(state);
        }
        let small = state.cells.iter().filter(|c| c.status == Status::Heap).count() <= 2;
        let variants = if small { 6 } else { 2 };
        (0..variants).all(|variant| {
            let mut state = state.clone();
            self.fill(&mut state, variant);
            visit(state)
        })
    }

    fn fill(&mut self, state: &mut State, variant: usize) {
        let draw = |rng: &mut Rng| Value::Int(if variant == 0 { 0 } else { *rng.pick(&self.ints) });
        for (i, var) in self.program.vars.iter().enumerate().filter(|(_, v)| is_given(v.kind)) {
            match var.ty {
                Type::Int(kind) => {
                    if let Value::Int(n) = draw(&mut self.rng) {
                        state.vars[i] = Value::Int(kind.wrap(n));
                    }
                }
                Type::IntArray(_) => {
                    if var.len.is_none() {
                        let length = self.rng.below(4);
                        state.arrays[i] = vec![Value::Int(0); length];
                    }
                    for element in &mut state.arrays[i] {
                        *element = draw(&mut self.rng);
                    }
                }
                Type::PtrArray(of) if var.len.is_none() => {
                    let cells = cells_of(state, of);
                    let length = self.rng.below(4);
                    state.arrays[i] = (0..length)
                        .map(|_| match cells.len() {
                            0 => Value::Null,
                            n => match self.rng.below(n + 1) {
                                0 => Value::Null,
                                k => Value::Cell(cells[k - 1]),
                            },
                        })
                        .collect();
                }
                _ => {}
            }
        }
        for way in &self.ways {
            let chosen = way.clone().skip(1).position(|j| matches!(state.vars[j], Value::Cell(_)));
            state.vars[way.start] = Value::Int(chosen.map_or(0, |k| k as i128 + 1));
        }
        // Some heaps are sorted: whoever relies on an order must find one.
        let sorted = variant % 2 == 1;
        let mut last = -1;
        for i in 0..state.cells.len() {
            if state.cells[i].status != Status::Heap {
                continue;
            }
            let fields = self.program.structs[state.cells[i].of.index()].fields.clone();
            for (slot, field) in fields.into_iter().enumerate() {
                let Type::Int(kind) = self.program.fields[field.index()].ty else { continue };
                if !self.matters[field.index()] {
                    continue;
                }
                let value = if sorted {
                    last += self.rng.below(2) as i128;
                    last
                } else {
                    *self.rng.pick(&self.ints)
                };
                state.cells[i].fields[slot] = Value::Int(kind.wrap(if variant == 0 { 0 } else { value }));
            }
        }
    }

    /// A state with at most so many cells.
    fn state(&mut self, most: usize, source: &mut Source<'_>) -> State {
        let program = self.program;
        let mut state = State::new(program);
        for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| is_given(v.kind)) {
            if let Type::Ptr(of) = var.ty {
                // Of the places that a pointer may lead to it leads to one.
                let other = self.ways.iter().find(|way| way.contains(&i));
                if other.is_none_or(|way| {
                    way.clone().all(|j| matches!(state.vars[j], Value::Null | Value::Int(_)))
                }) {
                    state.vars[i] = self.pointer(&mut state, of, None, most, source);
                }
            }
        }
        let mut at = 0;
        while at < state.cells.len() {
            let fields = program.structs[state.cells[at].of.index()].fields.clone();
            for (slot, field) in fields.into_iter().enumerate() {
                if let Type::Ptr(of) = program.fields[field.index()].ty {
                    let value = self.pointer(&mut state, of, Some(CellId(at as u32)), most, source);
                    state.cells[at].fields[slot] = value;
                }
            }
            at += 1;
        }
        for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| is_given(v.kind)) {
            if let (Type::PtrArray(of), Some(length)) = (var.ty, var.len) {
                for k in 0..(length as usize).min(4) {
                    state.arrays[i][k] = self.pointer(&mut state, of, None, most, source);
                }
            }
        }
        add_strangers(program, &mut state);
        state
    }

    fn pointer(
        &mut self,
        state: &mut State,
        of: StructId,
        from: Option<CellId>,
        most: usize,
        source: &mut Source<'_>,
    ) -> Value {
        let known = cells_of(state, of);
        let room = state.cells.len() < most;
        let options = 1 + known.len() + usize::from(room);
        let choice = match source {
            Source::Given { answers, options: seen } => {
                let choice = answers.get(seen.len()).copied().unwrap_or(0);
                seen.push(options);
                choice
            }
            Source::Drawn => match self.rng.below(8) {
                0..=3 if room => options - 1,
                4 | 5 => 0,
                6 => {
                    // A pointer back to whoever leads here makes doubly linked structures.
                    let back = |c: &CellId| {
                        let leads =
                            |v: &Value| from.is_some() && *v == Value::Cell(from.unwrap_or(CellId(0)));
                        state.cells[c.index()].fields.iter().any(leads)
                    };
                    known.iter().position(back).map_or(0, |i| i + 1)
                }
                _ => self.rng.below(options),
            },
        };
        match choice {
            0 => Value::Null,
            k if k <= known.len() => Value::Cell(known[k - 1]),
            _ => Value::Cell(state.add_cell(self.program, of, Status::Heap)),
        }
    }
}

fn cells_of(state: &State, of: StructId) -> Vec<CellId> {
    let cells = state.cells.iter().enumerate();
    cells.filter(|(_, c)| c.of == of && c.status == Status::Heap).map(|(i, _)| CellId(i as u32)).collect()
}

fn is_given(kind: VarKind) -> bool {
    matches!(kind, VarKind::Param | VarKind::Global)
}

/// 0, 1, 2, -1 and the program's own constants with their neighbours, the smallest of them.
fn integers(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::from([(0, 0), (1, 1), (2, 2), (1, -1)]);
    for edge in &program.edges {
        walk::expressions(&edge.command, &mut |e| {
            if let Expr::Int(n) = e {
                for n in [n.saturating_sub(1), *n, n.saturating_add(1)] {
                    found.insert((n.unsigned_abs(), n));
                }
            }
        });
    }
    found.into_iter().map(|(_, n)| n).take(8).collect()
}
