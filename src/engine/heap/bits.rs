//! Square bit matrices: relations on the constants of a universe of any size.
//!
//! A row is a slice of 64-bit words, so universes of up to 64 constants (nearly all) cost one word operation
//! for each set operation. Bits at or beyond the size are zero in every stored row.

/// A set of constants, as words.
pub(super) type Row = [u64];

/// The members of a set, in order.
pub(super) fn members(row: &Row) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(at, &word)| Word(word).map(move |bit| 64 * at + bit))
}

/// Whether `at` is in the set.
#[inline]
pub(super) fn has(row: &Row, at: usize) -> bool {
    row[at / 64] >> (at % 64) & 1 == 1
}

/// Puts `at` into the set.
#[inline]
pub(super) fn insert(row: &mut Row, at: usize) {
    // The shift is done in 64 bits: pitfall 2 of the experiment was a shift in 32.
    row[at / 64] |= 1u64 << (at % 64);
}

/// The bits of one word, lowest first.
pub(super) struct Word(pub(super) u64);

impl Iterator for Word {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            bit
        })
    }
}

/// A binary relation on `0..size`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Square {
    size: usize,
    width: usize,
    words: Vec<u64>,
}

impl Square {
    /// Words in a row of this size.
    pub(super) fn width_for(size: usize) -> usize {
        size.div_ceil(64).max(1)
    }

    /// Makes this the empty relation on `0..size`, keeping its memory.
    pub(super) fn reset(&mut self, size: usize) {
        self.size = size;
        self.width = Square::width_for(size);
        self.words.clear();
        self.words.resize(size * self.width, 0);
    }

    /// Words in a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// What `a` is related to.
    #[inline]
    pub(super) fn row(&self, a: usize) -> &Row {
        &self.words[a * self.width..][..self.width]
    }

    /// What `a` is related to, to be changed.
    #[inline]
    pub(super) fn row_mut(&mut self, a: usize) -> &mut Row {
        &mut self.words[a * self.width..][..self.width]
    }

    /// Whether `a` is related to `b`.
    #[inline]
    pub(super) fn get(&self, a: usize, b: usize) -> bool {
        has(self.row(a), b)
    }

    /// Relates `a` to `b`.
    #[inline]
    pub(super) fn set(&mut self, a: usize, b: usize) {
        insert(self.row_mut(a), b);
    }

    /// Relates `to` to what `from` is related to, and nothing else.
    pub(super) fn copy_row(&mut self, from: usize, to: usize) {
        self.words.copy_within(from * self.width..(from + 1) * self.width, to * self.width);
    }

    /// Makes this the converse of `other`.
    pub(super) fn transpose_of(&mut self, other: &Square) {
        self.reset(other.size);
        for a in 0..other.size {
            let (word, bit) = (a / 64, 1u64 << (a % 64));
            for b in members(other.row(a)) {
                self.words[b * self.width + word] |= bit;
            }
        }
    }

    /// Bytes held.
    #[cfg(feature = "testing")]
    pub(super) fn memory_bytes(&self) -> u64 {
        8 * self.words.capacity() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_converses_beyond_one_word() {
        let mut square = Square::default();
        square.reset(150);
        let pairs = [(0, 0), (0, 63), (3, 64), (149, 31), (149, 32), (64, 149)];
        pairs.iter().for_each(|&(a, b)| square.set(a, b));
        assert_eq!(members(square.row(149)).collect::<Vec<_>>(), [31, 32]);
        assert!(square.get(64, 149) && !square.get(149, 64));
        let (mut once, mut twice) = (Square::default(), Square::default());
        once.transpose_of(&square);
        assert!(pairs.iter().all(|&(a, b)| once.get(b, a)));
        twice.transpose_of(&once);
        assert_eq!(twice, square);
        assert_eq!(square.width(), 3);
    }
}
