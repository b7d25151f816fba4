//! Diagrams of finite models: everything that equality, reachability, data order and sets say about the cells
//! of a state, as literals over the program's variables and a few bound cells.
//!
//! A diagram is existential: "there are cells such that". Its negation is a universal clause. Bound cells are
//! slots of the layout that no command touches (`Name::Ghost`), so a literal is an ordinary predicate, and a
//! state whose slots are filled in with constants turns it into an atom.

use super::super::signature::{Name, Signature};
use crate::engine::heap::{Colour, Const, Field, Model, Pred, Slot, State};
use crate::util::hash::Set;

/// What diagrams at one place speak of.
#[derive(Clone, Debug)]
pub(in super::super) struct Words {
    /// Pointer variables.
    pub(super) pointers: Vec<Slot>,
    /// Integer variables and constants.
    pub(super) integers: Vec<Slot>,
    /// The slots of bound cells.
    pub(super) bound: Vec<Slot>,
    colours: u8,
    alloc: bool,
    data: bool,
}

impl Words {
    /// The vocabulary of a place at which these names matter.
    pub(super) fn new(layout: &Signature, live: &Set<Name>) -> Words {
        let (mut pointers, mut integers, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        for (at, name) in layout.names.iter().enumerate().filter(|entry| live.contains(entry.1)) {
            let slot = Slot(at as u16 + 1);
            match *name {
                _ if slot.0 >= layout.integers => integers.push(slot),
                Name::Ghost(i, _) if i >= layout.free_ghosts => bound.push(slot),
                _ => pointers.push(slot),
            }
        }
        Words {
            pointers,
            integers,
            bound,
            colours: layout.config.colours as u8,
            alloc: layout.config.alloc,
            data: layout.data_class.is_some(),
        }
    }
}

/// Literals, all of which some choice of bound cells makes true; as a lemma, none does.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Diagram(pub(in super::super) Vec<(Pred, bool)>);

impl Diagram {
    /// The bound cells that are mentioned.
    pub(super) fn cells(&self, words: &Words) -> Vec<Slot> {
        words.bound.iter().copied().filter(|&slot| self.0.iter().any(|l| mentions(l.0, slot))).collect()
    }

    /// The literals at these positions.
    pub(super) fn restricted(&self, positions: &[usize]) -> Diagram {
        Diagram(positions.iter().map(|&at| self.0[at]).collect())
    }

    /// Without what is said about a bound cell.
    pub(super) fn without(&self, slot: Slot) -> Diagram {
        Diagram(self.0.iter().copied().filter(|literal| !mentions(literal.0, slot)).collect())
    }

    /// The diagram of a state in a model. Cells beyond the bound ones that there are room for are left out,
    /// and so are cells that are connected to nothing: every state has a successor with and without them.
    pub(super) fn of(model: &Model<'_>, state: &State, words: &Words, points: &[Const]) -> Diagram {
        let mut named: Vec<(Slot, Const)> = Vec::new();
        let mut out = Vec::new();
        let same = |a: Const, b: Const| model.eval_atom(&crate::engine::heap::Atom::Equal(a, b));
        for &slot in &words.pointers {
            let Some(c) = state.slots[slot.0 as usize] else { continue };
            out.push((Pred::Equal(slot, Slot::NULL), same(c, Const::NULL)));
            if same(c, Const::NULL) {
                continue;
            }
            let twin = named.iter().find(|(_, d)| same(c, *d)).map(|entry| entry.0);
            out.extend(twin.map(|twin| (Pred::Equal(slot, twin), true)));
            if twin.is_none() {
                named.push((slot, c));
            }
        }
        let mut others: Vec<Const> = Vec::new();
        for &c in points {
            let known = same(c, Const::NULL)
                || named.iter().any(|(_, d)| same(c, *d))
                || others.iter().any(|&d| same(c, d));
            if !known {
                others.push(c);
            }
        }
        let mut filled = state.clone();
        let mut bound = words.bound.iter().copied();
        let everyone: Vec<Const> = named.iter().map(|entry| entry.1).chain(others.iter().copied()).collect();
        let linked = |a: Const, b: Const| {
            let reach = |x, y| {
                fields(state)
                    .any(|f| model.eval_atom(&crate::engine::heap::Atom::Reach(state.matrix(f), x, y)))
            };
            a != b && (reach(a, b) || reach(b, a))
        };
        for c in others {
            if !everyone.iter().any(|&d| linked(c, d)) {
                continue;
            }
            let Some(slot) = bound.next() else { break };
            filled.slots[slot.0 as usize] = Some(c);
            out.push((Pred::Equal(slot, Slot::NULL), false));
            named.push((slot, c));
        }
        let slots: Vec<Slot> = named.iter().map(|entry| entry.0).collect();
        words.relations(&filled, &slots, |pred| out.push((pred, model.eval(&filled, pred))));
        Diagram(out)
    }
}

impl Words {
    /// Every relation between different cells.
    fn relations(&self, state: &State, cells: &[Slot], mut tell: impl FnMut(Pred)) {
        let given = |k: &&Slot| state.slots[k.0 as usize].is_some();
        let integers: Vec<Slot> = self.integers.iter().filter(given).copied().collect();
        for (at, &x) in cells.iter().enumerate() {
            cells[..at].iter().for_each(|&y| tell(Pred::Equal(x, y)));
            for &y in cells.iter().filter(|&&y| y != x) {
                fields(state).for_each(|f| tell(Pred::Reach(f, x, y)));
                if self.data {
                    tell(Pred::AtMost(x, y));
                }
            }
            (0..self.colours).for_each(|c| tell(Pred::Colour(Colour(c), x)));
            if self.alloc {
                tell(Pred::Alloc(x));
            }
            if self.data {
                integers.iter().for_each(|&k| {
                    tell(Pred::AtMost(x, k));
                    tell(Pred::AtMost(k, x));
                });
            }
        }
        for &k in &integers {
            integers.iter().filter(|&&l| l != k).for_each(|&l| tell(Pred::AtMost(k, l)));
        }
    }
}

/// The fields of a state, without those that are the same as an earlier one.
fn fields(state: &State) -> impl Iterator<Item = Field> + '_ {
    let new = |at: &usize| !state.fields[..*at].contains(&state.fields[*at]);
    (0..state.fields.len()).filter(new).map(|at| Field(at as u8))
}

/// Whether the predicate reads the slot.
pub(super) fn mentions(pred: Pred, slot: Slot) -> bool {
    match pred {
        Pred::Equal(x, y) | Pred::Reach(_, x, y) | Pred::AtMost(x, y) => x == slot || y == slot,
        Pred::Colour(_, x) | Pred::Alloc(x) => x == slot,
        // Not used in diagrams.
        Pred::Plus(..)
        | Pred::Edge(..)
        | Pred::Unshared(..)
        | Pred::Sorted(..)
        | Pred::Inverse(..)
        | Pred::Doubly(..)
        | Pred::Stable(..)
        | Pred::Apart(..)
        | Pred::All(..) => false,
    }
}
