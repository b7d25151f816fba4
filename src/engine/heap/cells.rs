//! Explicit finite heaps, and the meaning of every predicate on them, written out.
//!
//! This is what traces show and what tests take as the truth: quantifiers are loops over cells and
//! reachability is walking. It shares nothing with the definitions that the encoding uses.

use super::pred::{Colour, Field, Pred, Slot, State};
use super::structure::Structure;

/// A heap with the values of the variables. Cell 0 is null.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heap {
    /// By field: the successor of each cell; 0 for null itself.
    pub next: Vec<Vec<usize>>,
    /// The cell of each variable, null first; none for a variable without a value.
    pub slots: Vec<Option<usize>>,
    /// The datum of each cell; null's is above all others.
    pub data: Vec<u32>,
    /// By colour: whether each cell has it.
    pub colours: Vec<Vec<bool>>,
    /// Whether each cell is allocated.
    pub alloc: Vec<bool>,
}

impl Heap {
    pub(super) fn of_structure(structure: &Structure, state: &State) -> Heap {
        let (reps, cell) = structure.cells();
        let in_set = |set: usize| reps.iter().map(|&a| super::bits::has(&structure.sets[set], a)).collect();
        Heap {
            next: state
                .fields
                .iter()
                .map(|&m| reps.iter().map(|&a| cell[structure.next(m, a)]).collect())
                .collect(),
            slots: state.slots.iter().map(|slot| slot.map(|c| cell[c.index()])).collect(),
            data: reps.iter().map(|&a| structure.levels[state.order.index()][a]).collect(),
            colours: state.colours.iter().map(|set| in_set(set.index())).collect(),
            alloc: in_set(state.alloc.index()),
        }
    }

    /// How many cells there are, null included.
    pub fn size(&self) -> usize {
        self.data.len()
    }

    /// The cell of a variable, which must have a value.
    #[cfg(feature = "testing")]
    pub fn cell(&self, slot: Slot) -> usize {
        self.slots[slot.0 as usize].expect("a variable is set before it is used")
    }

    /// Whether a walk from `a` meets `b`.
    #[cfg(feature = "testing")]
    pub fn reaches(&self, Field(f): Field, a: usize, b: usize) -> bool {
        let mut at = a;
        // A walk that has not met b after as many steps as there are cells never does.
        for _ in 0..self.size() {
            if at == b {
                return true;
            }
            at = self.next[f as usize][at];
        }
        false
    }

    /// Whether every chain ends in null.
    #[cfg(feature = "testing")]
    pub fn is_acyclic(&self) -> bool {
        let fields = (0..self.next.len()).map(|f| Field(f as u8));
        fields.into_iter().all(|f| (0..self.size()).all(|a| self.reaches(f, a, 0)))
    }

    /// The cells from `x` to `y`, in order; none if y is not reached. Null is not a cell.
    #[cfg(feature = "testing")]
    fn segment(&self, f: Field, x: usize, y: usize) -> Vec<usize> {
        let mut cells = Vec::new();
        if self.reaches(f, x, y) {
            let mut at = x;
            while at != 0 && (cells.is_empty() || *cells.last().expect("not empty") != y) {
                cells.push(at);
                at = self.next[f.0 as usize][at];
            }
        }
        cells
    }

    /// The predicate's value.
    #[cfg(feature = "testing")]
    pub fn eval(&self, pred: Pred) -> bool {
        let at = |slot| self.cell(slot);
        match pred {
            Pred::Equal(x, y) => at(x) == at(y),
            Pred::Reach(f, x, y) => self.reaches(f, at(x), at(y)),
            Pred::Plus(f, x, y) => self.reaches(f, at(x), at(y)) && at(x) != at(y),
            Pred::Edge(Field(f), x, y) => at(x) != 0 && self.next[f as usize][at(x)] == at(y),
            Pred::Unshared(f, x, y) => {
                let x = at(x);
                self.segment(f, x, at(y)).iter().all(|&a| {
                    (0..self.size())
                        .all(|b| !self.reaches(f, b, a) || self.reaches(f, b, x) || self.reaches(f, x, b))
                })
            }
            Pred::Sorted(f, x, y) => {
                let cells = self.segment(f, at(x), at(y));
                cells.windows(2).all(|pair| self.data[pair[0]] <= self.data[pair[1]])
            }
            Pred::Inverse(f, b, x, y) => {
                let cells = self.segment(f, at(x), at(y));
                let same = |&p: &usize, &q: &usize| self.reaches(f, p, q) == self.reaches(b, q, p);
                cells.iter().all(|p| cells.iter().all(|q| same(p, q)))
            }
            Pred::Doubly(f, Field(b), x, y) => {
                let cells = self.segment(f, at(x), at(y));
                cells.windows(2).all(|pair| self.next[b as usize][pair[1]] == pair[0])
            }
            Pred::Stable(f, x) => self.segment(f, at(x), 0).iter().all(|&a| self.alloc[a]),
            Pred::Apart(f, x, y) => {
                let other = self.segment(f, at(y), 0);
                self.segment(f, at(x), 0).iter().all(|a| !other.contains(a))
            }
            Pred::All(f, Colour(colour), x) => {
                self.segment(f, at(x), 0).iter().all(|&a| self.colours[colour as usize][a])
            }
            Pred::AtMost(x, y) => match (at(x), at(y)) {
                (_, 0) => true,
                (0, _) => false,
                (a, b) => self.data[a] <= self.data[b],
            },
            Pred::Colour(Colour(colour), x) => at(x) != 0 && self.colours[colour as usize][at(x)],
            Pred::Alloc(x) => at(x) != 0 && self.alloc[at(x)],
        }
    }
}
