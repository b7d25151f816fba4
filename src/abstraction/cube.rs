//! Cubes and valuations over numbered predicates, as bit sets of any width.
//!
//! A valuation says of every predicate whether it holds; a cube says it of some. Subsumption and membership
//! are a few word operations, because the search asks them all the time.

/// The truth of every predicate in one state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Valuation(Vec<u64>);

impl Valuation {
    /// From the truth of each predicate, in order.
    #[must_use]
    pub fn new(truths: impl IntoIterator<Item = bool>) -> Valuation {
        let mut words = Vec::new();
        for (at, truth) in truths.into_iter().enumerate() {
            if at % 64 == 0 {
                words.push(0);
            }
            words[at / 64] |= u64::from(truth) << (at % 64);
        }
        Valuation(words)
    }

    /// Whether predicate `at` holds.
    #[must_use]
    pub fn holds(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// The cube that says all of it, for this many predicates.
    #[must_use]
    pub fn cube(&self, predicates: usize) -> Cube {
        let mut cube = Cube::empty(predicates);
        (0..predicates).for_each(|at| cube.insert(at, self.holds(at)));
        cube
    }
}

/// Literals over some of the predicates; as a clause, the negation of their conjunction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// Which predicates are mentioned.
    mask: Vec<u64>,
    /// Which of them hold.
    value: Vec<u64>,
}

impl Cube {
    /// No literals: every state is in it.
    #[must_use]
    pub fn empty(predicates: usize) -> Cube {
        let words = predicates.div_ceil(64);
        Cube { mask: vec![0; words], value: vec![0; words] }
    }

    /// Adds a literal; replaces one about the same predicate.
    pub fn insert(&mut self, at: usize, positive: bool) {
        let bit = 1u64 << (at % 64);
        self.mask[at / 64] |= bit;
        self.value[at / 64] &= !bit;
        self.value[at / 64] |= if positive { bit } else { 0 };
    }

    /// Removes the literal about a predicate.
    pub fn remove(&mut self, at: usize) {
        let bit = 1u64 << (at % 64);
        self.mask[at / 64] &= !bit;
        self.value[at / 64] &= !bit;
    }

    /// Whether the predicate is mentioned.
    #[must_use]
    pub fn mentions(&self, at: usize) -> bool {
        self.mask[at / 64] >> (at % 64) & 1 == 1
    }

    /// The literals, by predicate.
    pub fn literals(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.mask.iter().zip(&self.value).enumerate().flat_map(|(word, (&mask, &value))| {
            (0..64)
                .filter(move |bit| mask >> bit & 1 == 1)
                .map(move |bit| (64 * word + bit, value >> bit & 1 == 1))
        })
    }

    /// How many literals there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mask.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mask.iter().all(|&word| word == 0)
    }

    /// Whether the state is in the cube.
    #[must_use]
    pub fn contains(&self, state: &Valuation) -> bool {
        let words = self.mask.iter().zip(&self.value).zip(&state.0);
        words.into_iter().all(|((mask, value), state)| (value ^ state) & mask == 0)
    }

    /// Whether all literals of this cube are in the other: as clauses, this one implies the other.
    #[must_use]
    pub fn subsumes(&self, other: &Cube) -> bool {
        let words = self.mask.iter().zip(&self.value).zip(other.mask.iter().zip(&other.value));
        words
            .into_iter()
            .all(|((mask, value), (others, truth))| mask & !others == 0 && (value ^ truth) & mask == 0)
    }

    /// Adds the literals of another cube that mentions no predicate with another truth.
    pub fn join(&mut self, other: &Cube) {
        self.mask.iter_mut().zip(&other.mask).for_each(|(mine, its)| *mine |= its);
        self.value.iter_mut().zip(&other.value).for_each(|(mine, its)| *mine |= its);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    #[test]
    fn bits_say_what_lists_say() {
        let mut rng = Rng::new(7);
        for _ in 0..500 {
            let width = 1 + rng.below(140);
            let state: Vec<bool> = (0..width).map(|_| rng.one_in(2)).collect();
            let valuation = Valuation::new(state.iter().copied());
            let mut draw = |most: usize| {
                let mut list: Vec<(usize, bool)> = Vec::new();
                for _ in 0..rng.below(most + 1) {
                    let at = rng.below(width);
                    list.retain(|l| l.0 != at);
                    list.push((at, if rng.one_in(4) { !state[at] } else { state[at] }));
                }
                list.sort_unstable();
                let mut cube = Cube::empty(width);
                list.iter().for_each(|&(at, positive)| cube.insert(at, positive));
                (list, cube)
            };
            let ((small, small_cube), (large, large_cube)) = (draw(2), draw(6));
            assert_eq!(small_cube.literals().collect::<Vec<_>>(), small);
            assert_eq!(small_cube.len(), small.len());
            assert_eq!(small_cube.contains(&valuation), small.iter().all(|&(at, truth)| state[at] == truth));
            assert_eq!(small_cube.subsumes(&large_cube), small.iter().all(|l| large.contains(l)));
            assert!(valuation.cube(width).contains(&valuation) && valuation.cube(width).len() == width);
            if let Some(&(at, _)) = large.first() {
                let mut fewer = large_cube.clone();
                fewer.remove(at);
                assert!(!fewer.mentions(at) && fewer.subsumes(&large_cube));
                fewer.join(&large_cube);
                assert_eq!(fewer, large_cube);
            }
        }
    }
}
