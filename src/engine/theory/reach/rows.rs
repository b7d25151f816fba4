//! The known facts of a field as sets of points, for joins that look at nothing else.
//!
//! For each pair of points and each open place, the points that make a known fact there are the bits of a row; for
//! each point the ones it reaches. A rule that joins a new fact with older ones reads one row instead of trying every
//! point: most rows are nearly empty (benches/incremental, pdr-native-20: a quarter fewer instructions of saturation).

use crate::rules::matcher::{Point, Row};

/// Sets of points for facts with an open place.
#[derive(Default)]
pub(super) struct Rows {
    /// Points that there is room for.
    capacity: usize,
    /// Words of a row.
    words: usize,
    starts: Vec<u64>,
    middles: Vec<u64>,
    ends: Vec<u64>,
    reached: Vec<u64>,
    /// The points that were not absorbed.
    live: Vec<u64>,
}

impl Rows {
    /// Bytes of the rows for so many points.
    pub(super) fn bytes(capacity: usize) -> u64 {
        let words = words(capacity) as u64;
        let n = capacity as u64;
        n.saturating_mul(3 * n + 1).saturating_mul(words * 8)
    }

    /// Makes room; `used` points are in use.
    pub(super) fn reserve(&mut self, capacity: usize, used: usize) {
        let words = words(capacity);
        let (old, new) = ((self.capacity, self.words), (capacity, words));
        for table in [&mut self.starts, &mut self.middles, &mut self.ends] {
            *table = enlarged(table, used, old, new);
        }
        let mut reached = vec![0; capacity * words];
        for a in 0..used {
            let row = &self.reached[a * self.words..(a + 1) * self.words];
            reached[a * words..][..self.words].copy_from_slice(row);
        }
        self.reached = reached;
        self.live.resize(words, 0);
        self.capacity = capacity;
        self.words = words;
    }

    /// Whether a point counts. There may be no room for it after a refused growth; then nothing asks.
    pub(super) fn set_live(&mut self, point: Point, live: bool) {
        if let Some(word) = self.live.get_mut(point as usize / 64) {
            put(word, point, live);
        }
    }

    pub(super) fn is_live(&self, point: Point) -> bool {
        self.live[point as usize / 64] >> (point % 64) & 1 != 0
    }

    /// Whether a fact is known.
    pub(super) fn set(&mut self, [a, b, c]: [Point; 3], known: bool) {
        let at = |row: usize, point: Point| row * self.words + point as usize / 64;
        let pair = |r: Point, s: Point| r as usize * self.capacity + s as usize;
        let (start, middle, end) = (at(pair(b, c), a), at(pair(a, c), b), at(pair(a, b), c));
        let reached = at(a as usize, b);
        put(&mut self.starts[start], a, known);
        put(&mut self.middles[middle], b, known);
        put(&mut self.ends[end], c, known);
        if b == c {
            put(&mut self.reached[reached], b, known);
        }
    }

    /// Words of a row.
    #[inline]
    pub(super) fn word_count(&self) -> usize {
        self.words
    }

    /// The live points of a row, as bits: those from `64 * word` on.
    #[inline(always)]
    pub(super) fn word(&self, row: Row, word: usize) -> u64 {
        let pair = |r: Point, s: Point| r as usize * self.capacity + s as usize;
        let (table, row) = match row {
            Row::Starts(b, c) => (&self.starts, pair(b, c)),
            Row::Middles(a, c) => (&self.middles, pair(a, c)),
            Row::Ends(a, b) => (&self.ends, pair(a, b)),
            Row::Reached(a) => (&self.reached, a as usize),
        };
        table[row * self.words + word] & self.live[word]
    }

    /// The live points of a row in ascending order.
    pub(super) fn points(&self, row: Row) -> impl Iterator<Item = Point> + '_ {
        (0..self.words).flat_map(move |at| {
            let bits = self.word(row, at);
            let rest = std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1)));
            rest.take_while(|&bits| bits != 0).map(move |bits| at as Point * 64 + bits.trailing_zeros())
        })
    }
}

/// A table of rows for pairs of points, laid out anew: `(points, entries of a row)` before and then; the pairs of `used`
/// points are copied.
pub(super) fn enlarged<T: Copy + Default + PartialEq>(
    table: &[T],
    used: usize,
    (old, old_row): (usize, usize),
    (new, new_row): (usize, usize),
) -> Vec<T> {
    let mut larger = vec![T::default(); new * new * new_row];
    for a in 0..used {
        for b in 0..used {
            let row = &table[(a * old + b) * old_row..][..old_row];
            // Pages of the new table that nothing is written to are never made.
            if row.iter().any(|entry| *entry != T::default()) {
                larger[(a * new + b) * new_row..][..old_row].copy_from_slice(row);
            }
        }
    }
    larger
}

/// Words of a row.
fn words(capacity: usize) -> usize {
    capacity.div_ceil(64)
}

fn put(word: &mut u64, point: Point, value: bool) {
    let bit = 1 << (point % 64);
    if value { *word |= bit } else { *word &= !bit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    /// Rows against a plain set of facts, with growth, facts that go and points that are absorbed.
    #[test]
    fn rows_are_what_the_facts_say() {
        let mut rng = Rng::new(7);
        for n in [3, 20, 64, 65, 130] {
            let mut rows = Rows::default();
            rows.reserve(n / 2 + 1, 0);
            let mut facts: Vec<[Point; 3]> = Vec::new();
            let mut live: Vec<Point> = (0..n as Point / 2).collect();
            live.iter().for_each(|&p| rows.set_live(p, true));
            for round in 0..400 {
                if round == 200 {
                    rows.reserve(n + 1, n / 2 + 1);
                    (n as Point / 2..n as Point).for_each(|p| rows.set_live(p, true));
                    live.extend(n as Point / 2..n as Point);
                }
                let top = if round < 200 { n / 2 } else { n };
                let mut at = [0; 3].map(|_| rng.below(top) as Point);
                if rng.one_in(2) {
                    at[2] = at[1];
                }
                match facts.iter().position(|&f| f == at) {
                    Some(known) => {
                        facts.swap_remove(known);
                        rows.set(at, false);
                    }
                    None => {
                        facts.push(at);
                        rows.set(at, true);
                    }
                }
            }
            let gone = live.swap_remove(rng.below(live.len()));
            rows.set_live(gone, false);
            live.sort_unstable();
            for _ in 0..2000 {
                let [p, q] = [0; 2].map(|_| rng.below(n) as Point);
                let row = [Row::Starts(p, q), Row::Middles(p, q), Row::Ends(p, q), Row::Reached(p)];
                let row = row[rng.below(4)];
                let expected = live.iter().copied().filter(|&d| facts.contains(&row.fact(d)));
                assert!(rows.points(row).eq(expected), "{row:?} of {n}");
            }
        }
    }
}
