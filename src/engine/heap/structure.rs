//! A finite structure as bit rows, and the value of every atom in it.
//!
//! Points are the constants of the universe; equal constants are different points with equal rows. The
//! structure is read from the Boolean model after each SAT call (`refine`), or made from an explicit heap
//! (tests). Derived matrices are computed from their definition, never from their literals: that is what
//! makes "the model agrees with every assumed literal" a check of the encoding.

use super::bits::{Row, Square, has, insert, members};
use super::define::{Kind, Place, Rel};
use super::pred::{Atom, Const, Matrix, Order};

/// Reachability in one matrix, and its converse.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) rows: Square,
    pub(super) cols: Square,
    /// Whether the matrix is that of a heap: every store on the way to it was to a cell and closed no cycle.
    pub(super) proper: bool,
}

/// Reachability, data order and sets over points.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    pub(super) size: usize,
    /// By matrix; the first ones are the fields at the beginning.
    pub(super) reach: Vec<Reach>,
    /// By moment: a data level for each point; the order of data is the order of levels.
    pub(super) levels: Vec<Vec<u32>>,
    /// By moment, row d: the points whose datum is at most that of d.
    pub(super) below: Vec<Square>,
    /// By set number.
    pub(super) sets: Vec<Vec<u64>>,
}

impl Structure {
    /// The points that are null.
    #[inline]
    pub(super) fn nulls(&self) -> &Row {
        self.reach[0].rows.row(0)
    }

    /// Whether two points are the same cell.
    #[inline]
    pub(super) fn equal(&self, a: usize, b: usize) -> bool {
        let rows = &self.reach[0].rows;
        rows.get(a, b) && rows.get(b, a)
    }

    /// The points equal to `a`, into `out`.
    pub(super) fn class(&self, a: usize, out: &mut Vec<u64>) {
        let Reach { rows, cols, .. } = &self.reach[0];
        out.clear();
        out.extend(rows.row(a).iter().zip(cols.row(a)).map(|(r, c)| r & c));
    }

    /// The matrix after `x->f = y`.
    pub(super) fn store(&mut self, result: usize, before: usize, x: usize, y: usize) {
        let mut after = std::mem::take(&mut self.reach[result]);
        let Reach { rows, cols, proper } = &self.reach[before];
        after.rows.reset(self.size);
        for a in 0..self.size {
            let row = after.rows.row_mut(a);
            row.copy_from_slice(rows.row(a));
            // Row 0 is "is null" in every matrix.
            if a != 0 && cols.get(x, a) {
                let parts = cols.row(x).iter().zip(rows.row(y));
                row.iter_mut().zip(parts).for_each(|(word, (to_x, from_y))| *word = *word & to_x | from_y);
            }
        }
        after.cols.transpose_of(&after.rows);
        after.proper = *proper && !has(self.nulls(), x) && !rows.get(y, x);
        self.reach[result] = after;
    }

    /// Fills `below` of a moment from its levels.
    pub(super) fn order_by_level(&mut self, at: usize) {
        let (level, below) = (&self.levels[at], &mut self.below[at]);
        let mut points: Vec<usize> = (0..self.size).collect();
        points.sort_unstable_by_key(|&d| level[d]);
        below.reset(self.size);
        let mut so_far = vec![0; below.width()];
        for same in points.chunk_by(|&c, &d| level[c] == level[d]) {
            same.iter().for_each(|&c| insert(&mut so_far, c));
            same.iter().for_each(|&d| below.row_mut(d).copy_from_slice(&so_far));
        }
    }

    /// The data after the cell of `x` got the datum that `value` has at the beginning.
    pub(super) fn store_datum(&mut self, result: usize, before: usize, x: usize, value: usize) {
        let mut class = Vec::new();
        self.class(x, &mut class);
        let mut level = self.levels[before].clone();
        let new = self.levels[0][value];
        members(&class).for_each(|a| level[a] = new);
        self.levels[result] = level;
        self.order_by_level(result);
    }

    /// Whether every matrix that the atom reads is that of a heap.
    pub(super) fn is_proper(&self, atom: &Atom) -> bool {
        atom.matrices().iter().flatten().all(|m| self.reach[m.index()].proper)
    }

    /// The atom's value; all its matrices must be proper.
    pub(super) fn eval(&self, atom: &Atom) -> bool {
        let pair = |a: Const, b: Const| (a.index(), b.index());
        let rows = |m: Matrix| &self.reach[m.index()].rows;
        match *atom {
            Atom::Equal(a, b) => self.equal(a.index(), b.index()),
            Atom::Reach(m, a, b) => rows(m).get(a.index(), b.index()),
            Atom::Plus(m, a, b) => rows(m).get(a.index(), b.index()) && !self.equal(a.index(), b.index()),
            Atom::Edge(m, a, b) => {
                let (a, b) = pair(a, b);
                let (from_a, from_b) = (rows(m).row(a), rows(m).row(b));
                let to_a = self.reach[m.index()].cols.row(a);
                // b is the nearest one after a: all that follows a follows b.
                has(from_a, b)
                    && !has(to_a, b)
                    && (0..from_a.len()).all(|k| from_a[k] & !to_a[k] & !from_b[k] == 0)
            }
            Atom::Segment(kind, m, x, y) => {
                let mut violated = false;
                self.violations(kind, m, x, y, |_, _| {
                    violated = true;
                    false
                });
                !violated
            }
            Atom::Doubly(m, back, x, y) => {
                Kind::doubly(back).iter().all(|&kind| self.eval(&Atom::Segment(kind, m, x, y)))
            }
            Atom::AtMost(first, a, second, b) => {
                self.levels[first.index()][a.index()] <= self.levels[second.index()][b.index()]
            }
            Atom::Holds(set, a) => has(&self.sets[set.index()], a.index()),
        }
    }

    /// The pairs (c, d) that violate the segment's definition, d by d, until `visit` says false. In a
    /// definition without c, c is given as null.
    pub(super) fn violations(
        &self,
        kind: Kind,
        matrix: Matrix,
        x: Const,
        y: Const,
        mut visit: impl FnMut(usize, usize) -> bool,
    ) {
        let definition = kind.definition();
        let Reach { rows, cols, .. } = &self.reach[matrix.index()];
        let (from_x, to_y, nulls) = (rows.row(x.index()), cols.row(y.index()), self.nulls());
        for at in 0..from_x.len() {
            for bit in super::bits::Word(from_x[at] & to_y[at] & !nulls[at]) {
                let d = 64 * at + bit;
                if !definition.paired {
                    let entered = !matches!(kind, Kind::Apart(z) if !rows.get(z.index(), d));
                    let holds =
                        !entered || definition.conclusions.iter().any(|&rel| self.holds(kind, rel, d));
                    if !holds && !visit(0, d) {
                        return;
                    }
                    continue;
                }
                for word in 0..from_x.len() {
                    let mut left = u64::MAX;
                    for &rel in definition.premises.iter().filter(|rel| rel.mentions_c()) {
                        left &= self.partners(kind, matrix, rel, x.index(), d)[word];
                    }
                    for &rel in definition.conclusions {
                        left &= !self.partners(kind, matrix, rel, x.index(), d)[word];
                    }
                    for bit in super::bits::Word(left) {
                        if !visit(64 * word + bit, d) {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// The points c for which the relation holds with this x and d.
    fn partners(&self, kind: Kind, matrix: Matrix, rel: Rel, x: usize, d: usize) -> &Row {
        let point = |place| if place == Place::X { x } else { d };
        let matrix = match (rel, kind) {
            (Rel::Back(..), kind) => kind.back().expect("the kind names what its definition reads"),
            _ => matrix,
        };
        let Reach { rows, cols, .. } = &self.reach[matrix.index()];
        match rel {
            Rel::Reach(Place::C, to) | Rel::Back(Place::C, to) => cols.row(point(to)),
            Rel::Reach(from, Place::C) | Rel::Back(from, Place::C) => rows.row(point(from)),
            Rel::AtMost(Place::C, to) => {
                let order = if let Kind::Sorted(order) = kind { order } else { Order::BASE };
                self.below[order.index()].row(point(to))
            }
            _ => unreachable!("the definitions relate c in no other way"),
        }
    }

    fn holds(&self, kind: Kind, rel: Rel, d: usize) -> bool {
        match (kind, rel) {
            (Kind::Stable(set), Rel::Holds(Place::D)) => has(&self.sets[set.index()], d),
            _ => unreachable!("only membership is asked of d alone"),
        }
    }

    /// The set with `a`'s class added or removed.
    pub(super) fn update_set(&mut self, result: usize, before: usize, a: usize, add: bool) {
        let mut class = Vec::new();
        self.class(a, &mut class);
        let mut set = self.sets[before].clone();
        for (word, members) in set.iter_mut().zip(&class) {
            *word = if add { *word | members } else { *word & !members };
        }
        // Null is in no set, also where an error would have put it there.
        set.iter_mut().zip(self.nulls()).for_each(|(word, nulls)| *word &= !nulls);
        self.sets[result] = set;
    }

    /// Puts the whole class of `a` into a set.
    pub(super) fn insert_class(&mut self, set: usize, a: usize) {
        let mut words = std::mem::take(&mut self.sets[set]);
        let Reach { rows, cols, .. } = &self.reach[0];
        let class = rows.row(a).iter().zip(cols.row(a)).map(|(r, c)| r & c);
        words.iter_mut().zip(class).for_each(|(word, members)| *word |= members);
        self.sets[set] = words;
    }

    /// A representative of each cell, null first, and the cell number of each point.
    pub(super) fn cells(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut reps, mut cell) = (vec![0], Vec::with_capacity(self.size));
        for a in 0..self.size {
            let known = reps.iter().position(|&rep| self.equal(rep, a));
            cell.push(known.unwrap_or_else(|| {
                reps.push(a);
                reps.len() - 1
            }));
        }
        (reps, cell)
    }

    /// The point that follows `a` directly in a proper matrix.
    pub(super) fn next(&self, matrix: Matrix, a: usize) -> usize {
        let Reach { rows, cols, .. } = &self.reach[matrix.index()];
        let after = members(rows.row(a)).filter(|&b| !cols.get(a, b));
        // The nearest reaches most; null, which everything reaches, when there is no other.
        after
            .max_by_key(|&b| (rows.row(b).iter().map(|w| w.count_ones()).sum::<u32>(), usize::MAX - b))
            .unwrap_or(0)
    }

    /// Bytes held, nearly.
    #[cfg(feature = "testing")]
    pub(super) fn memory_bytes(&self) -> u64 {
        let squares = self.reach.iter().map(|r| r.rows.memory_bytes() + r.cols.memory_bytes()).sum::<u64>();
        let sets = self.sets.iter().map(|set| 8 * set.capacity() as u64).sum::<u64>();
        let below = self.below.iter().map(Square::memory_bytes).sum::<u64>();
        let levels = self.levels.iter().map(|level| 4 * level.capacity() as u64).sum::<u64>();
        squares + below + sets + levels
    }
}
