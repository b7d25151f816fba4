//! Larger entry states, made from small ones.
//!
//! All states of up to four cells show what happens near the ends of a structure. That two cursors, a cell between
//! them and one behind each are all different takes seven cells or more, and so many states cannot be enumerated. But a
//! large state of the same shape is easily made: a cell of a small one is followed by a copy, along one of its links.
//! The other links of the copy are guessed, except for those that lead back along that link in all states met so far
//! (`prev` in a doubly linked list, the father in a tree). What is no entry state is thrown away.
//!
//! States whose runs showed something new are preferred, and may be varied without being made larger: what is still to be
//! seen is often near what was seen last.
//!
//! States are drawn from one seeded generator: the same program gives the same states.

use crate::program::state::{CellId, State, Status, Value};
use crate::program::{FieldId, Program, StructId, Type};
use crate::util::options;
use crate::util::rng::Rng;

/// Most and fewest cells of a stretched state, if as many can be added.
const MOST_CELLS: usize = 9;
const FEWEST_CELLS: usize = 5;

/// Entry states that were met, and larger ones made from them.
pub(super) struct Stretch<'p> {
    program: &'p Program,
    seeds: Vec<State>,
    /// Those that showed something new: variants of them show the next thing more often than others do.
    favoured: Vec<State>,
    n_met: usize,
    rng: Rng,
    /// Pairs of links such that the second has always led back along the first, and how often.
    back: Vec<((FieldId, FieldId), usize)>,
}

impl<'p> Stretch<'p> {
    pub(super) fn new(program: &'p Program) -> Stretch<'p> {
        let links = links(program);
        let pairs =
            links.iter().flat_map(|&(f, of)| links.iter().filter(move |l| l.1 == of).map(move |l| (f, l.0)));
        let back = pairs.filter(|(f, g)| f != g).map(|pair| (pair, 0)).collect();
        Stretch { program, seeds: Vec::new(), favoured: Vec::new(), n_met: 0, rng: Rng::new(1), back }
    }

    /// An entry state was met.
    pub(super) fn meet(&mut self, entry: &State) {
        if self.seeds.last() == Some(entry) {
            return;
        }
        let program = self.program;
        self.back.retain_mut(|((f, g), n)| match leads_back(program, entry, *f, *g) {
            Some(more) => {
                *n += more;
                true
            }
            None => false,
        });
        self.n_met += 1;
        if self.seeds.len() < options::HEAPS_STRETCH_SEEDS.size() {
            self.seeds.push(entry.clone());
        } else {
            // Each of all the states met is kept with the same probability.
            let at = self.rng.below(self.n_met);
            if let Some(seed) = self.seeds.get_mut(at) {
                seed.clone_from(entry);
            }
        }
    }

    /// A run from an entry state showed something new.
    pub(super) fn favour(&mut self, entry: &State) {
        if self.favoured.last() != Some(entry) {
            if self.favoured.len() >= options::HEAPS_STRETCH_FAVOURED.size() {
                let at = self.rng.below(options::HEAPS_STRETCH_FAVOURED.size());
                self.favoured.swap_remove(at);
            }
            self.favoured.push(entry.clone());
        }
    }

    /// A larger state that is admitted, if one is found.
    pub(super) fn larger(&mut self, admits: &dyn Fn(&State) -> bool) -> Option<State> {
        if self.seeds.is_empty() {
            return None;
        }
        let from = if self.favoured.is_empty() || self.rng.one_in(2) { &self.seeds } else { &self.favoured };
        let mut state = self.rng.pick(from).clone();
        let cells = FEWEST_CELLS + self.rng.below(MOST_CELLS - FEWEST_CELLS + 1);
        let mut grown = false;
        let mut guesses = 0;
        while n_cells(&state) < cells {
            if guesses == options::HEAPS_STRETCH_GUESSES.size() {
                break;
            }
            guesses += 1;
            let Some(next) = self.longer(&state) else { break };
            if admits(&next) {
                (state, grown, guesses) = (next, true, 0);
            }
        }
        let other = self.redrawn(&state);
        if other != state && admits(&other) {
            return Some(other);
        }
        grown.then_some(state)
    }

    /// The state with some integers exchanged for others that occur.
    fn redrawn(&mut self, state: &State) -> State {
        let mut out = state.clone();
        for i in 0..state.cells.len() {
            let of = state.cells[i].of;
            for &field in &self.program.structs[of.index()].fields {
                if matches!(self.program.fields[field.index()].ty, Type::Int(_)) && self.rng.one_in(4) {
                    let value = self.any(state, of, field);
                    out.set_field(CellId(i as u32), field, value);
                }
            }
        }
        out
    }

    /// The state with a copy of some cell behind it.
    fn longer(&mut self, state: &State) -> Option<State> {
        let mut places = Vec::new();
        for &(field, of) in &links(self.program) {
            let cells = state.cells.iter().enumerate();
            let cells = cells.filter(|(_, c)| c.of == of && c.status == Status::Heap);
            places.extend(cells.map(|(i, _)| (CellId(i as u32), field, of)));
        }
        if places.is_empty() {
            return None;
        }
        let &(cell, along, of) = self.rng.pick(&places);
        let mut out = state.clone();
        let (here, behind) = (Value::Cell(cell), state.field(Value::Cell(cell), along));
        let new = out.add_cell(self.program, of, Status::Heap);
        for &field in &self.program.structs[of.index()].fields {
            let own = state.field(here, field);
            let value = match self.program.fields[field.index()].ty {
                _ if field == along => behind,
                Type::Ptr(to) if to == of => {
                    if self.back.iter().any(|&(pair, n)| pair == (along, field) && n > 0) {
                        if let Value::Cell(behind) = behind {
                            out.set_field(behind, field, Value::Cell(new));
                        }
                        here
                    } else {
                        if self.rng.one_in(4) {
                            out.set_field(cell, field, Value::Cell(new));
                        }
                        *self.rng.pick(&[Value::Null, Value::Null, own, behind])
                    }
                }
                Type::Int(_) => {
                    let any = self.any(state, of, field);
                    *self.rng.pick(&[own, own, state.field(behind, field), any])
                }
                _ => own,
            };
            out.set_field(new, field, value);
        }
        out.set_field(cell, along, Value::Cell(new));
        Some(out)
    }

    /// What some cell has in a field.
    fn any(&mut self, state: &State, of: StructId, field: FieldId) -> Value {
        let cells: Vec<usize> = (0..state.cells.len()).filter(|&i| state.cells[i].of == of).collect();
        state.field(Value::Cell(CellId(*self.rng.pick(&cells) as u32)), field)
    }
}

/// The fields that lead from a struct to itself.
fn links(program: &Program) -> Vec<(FieldId, StructId)> {
    let fields = program.fields.iter().enumerate();
    let links = fields.filter(|(_, f)| f.ty == Type::Ptr(f.owner));
    links.map(|(i, f)| (FieldId(i as u32), f.owner)).collect()
}

/// How often one link leads to a cell, if the other always leads back.
fn leads_back(program: &Program, state: &State, along: FieldId, back: FieldId) -> Option<usize> {
    let of = program.fields[along.index()].owner;
    let mut n = 0;
    for i in (0..state.cells.len()).filter(|&i| state.cells[i].of == of) {
        let here = Value::Cell(CellId(i as u32));
        let next = state.field(here, along);
        if next != Value::Null {
            if state.field(next, back) != here {
                return None;
            }
            n += 1;
        }
    }
    Some(n)
}

/// Cells that are allocated.
fn n_cells(state: &State) -> usize {
    state.cells.iter().filter(|c| c.status == Status::Heap).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::c;
    use crate::program::Question;
    use crate::program::explore::{self, Bound};
    use crate::program::interp::Machine;
    use crate::util::limits::{Budget, Limits};

    const WALK: &str = "
struct node { int data; struct node *next, *prev; };
/*@ requires (\\forall struct node *u; \\list(next, u)) && \\stable(next, l);
    requires \\forall struct node *u; u != \\null && u->next != \\null ==> u->next->prev == u;
    requires \\forall struct node *u; u != \\null && u->prev != \\null ==> u->prev->next == u;
    ensures  \\list(next, l); @*/
void walk(struct node *l)
{
  struct node *p = l;
  while (p != 0)
    p = p->next;
}
";

    fn drawn() -> Vec<State> {
        let unit = c::load("walk.c", WALK.as_bytes(), &c::Options::default());
        let program = unit.functions[0].program.as_ref().expect("lowered");
        let question = Question::of_contract(0);
        let mut stretch = Stretch::new(program);
        let bound = Bound { cells: 3, ints: 2, commands: 40_000, ..Bound::default() };
        let mut budget = Budget::new(&Limits::default());
        explore::search_visiting(program, &question, &bound, &mut budget, &mut |_, at| {
            stretch.meet(at.entry)
        });
        let machine = Machine::new(program, &question);
        let admits = |state: &State| machine.admits(state) == Ok(true);
        let states: Vec<State> = (0..50).filter_map(|_| stretch.larger(&admits)).collect();
        assert!(states.iter().all(admits));
        states
    }

    /// Most draws give a state, all satisfy the precondition, some are as large as they may be, and a second
    /// time the same come out.
    #[test]
    fn larger_states_are_entry_states() {
        let states = drawn();
        assert!(states.len() > 25, "{}", states.len());
        assert!(states.iter().all(|s| n_cells(s) > 1 && n_cells(s) <= MOST_CELLS + 1));
        assert!(states.iter().any(|s| n_cells(s) >= MOST_CELLS));
        assert_eq!(states, drawn());
    }
}
