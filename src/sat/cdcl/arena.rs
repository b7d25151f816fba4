//! All clauses in one vector of numbers.
//!
//! A clause is two header words and then its literals. Word 0 is `length << 2 | dead << 1 | learnt`; word 1
//! of a learnt clause is `lbd << 1 | used`, of another one `definition << 2 | attached`, with a bit for each of
//! the first two literals. The first two literals are the watched ones, see `definition` for the exception. The vector is its
//! own list of clauses: walking from header to header visits each one in the order it was added.

use crate::sat::lit::Lit;

/// Header words before the literals.
const HEADER: usize = 2;
const LEARNT: u32 = 1;
const DEAD: u32 = 2;
/// In word 1 of a clause that is not learnt.
const DEFINITION: u32 = 4;

/// A clause of a solver. Valid until the next call that changes the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseRef(pub(super) u32);

impl ClauseRef {
    /// Stands for no clause where a reason is stored.
    pub(super) const NONE: ClauseRef = ClauseRef(u32::MAX);
}

/// The clause store.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    words: Vec<u32>,
}

impl Arena {
    pub(super) fn alloc(&mut self, lits: &[Lit], learnt: bool, lbd: u32) -> ClauseRef {
        let at = self.words.len();
        // The two lowest bits of a stored reference say in the watch lists what kind of entry it is.
        assert!(at + lits.len() + HEADER < 1 << 30, "the clause arena is full");
        self.words.push((lits.len() as u32) << 2 | u32::from(learnt));
        self.words.push(lbd << 1);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        ClauseRef(at as u32)
    }

    /// Words in use.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn capacity(&self) -> usize {
        self.words.capacity()
    }

    fn header(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize]
    }

    pub(super) fn size(&self, clause: ClauseRef) -> usize {
        (self.header(clause) >> 2) as usize
    }

    pub(super) fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.header(clause) & LEARNT != 0
    }

    #[cfg(feature = "testing")]
    pub(super) fn is_dead(&self, clause: ClauseRef) -> bool {
        self.header(clause) & DEAD != 0
    }

    pub(super) fn kill(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize] |= DEAD;
    }

    pub(super) fn lbd(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1] >> 1
    }

    /// Notes that a learnt clause took part in a conflict, with its glue there.
    pub(super) fn mark_used(&mut self, clause: ClauseRef, lbd: u32) {
        let word = &mut self.words[clause.0 as usize + 1];
        *word = lbd.min(*word >> 1) << 1 | 1;
    }

    /// Reads and clears the mark of [`Arena::mark_used`].
    pub(super) fn take_used(&mut self, clause: ClauseRef) -> bool {
        let word = &mut self.words[clause.0 as usize + 1];
        let used = *word & 1 != 0;
        *word &= !1;
        used
    }

    /// Makes a clause a definition: its last literal is the negated head.
    pub(super) fn mark_definition(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize + 1] |= DEFINITION;
    }

    #[inline]
    pub(super) fn is_definition(&self, clause: ClauseRef) -> bool {
        !self.is_learnt(clause) && self.words[clause.0 as usize + 1] & DEFINITION != 0
    }

    /// Whether one of the first two literals of a definition has an entry in the watch lists.
    pub(super) fn is_attached(&self, clause: ClauseRef, place: usize) -> bool {
        self.words[clause.0 as usize + 1] >> place & 1 != 0
    }

    /// Notes whether one of the first two literals of a definition has an entry in the watch lists.
    pub(super) fn set_attached(&mut self, clause: ClauseRef, place: usize, attached: bool) {
        let word = &mut self.words[clause.0 as usize + 1];
        *word = *word & !(1 << place) | u32::from(attached) << place;
    }

    /// Moves the literal at this place of a definition, 0 or 1, to place 1.
    pub(super) fn bring_second(&mut self, clause: ClauseRef, place: usize) {
        if place == 0 {
            let attached = [self.is_attached(clause, 0), self.is_attached(clause, 1)];
            self.codes_mut(clause).swap(0, 1);
            self.set_attached(clause, 0, attached[1]);
            self.set_attached(clause, 1, attached[0]);
        }
    }

    /// The literals' codes.
    #[inline]
    pub(super) fn codes(&self, clause: ClauseRef) -> &[u32] {
        let at = clause.0 as usize;
        let size = (self.words[at] >> 2) as usize;
        &self.words[at + HEADER..at + HEADER + size]
    }

    /// The literals' codes, to be permuted only.
    #[inline]
    pub(super) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let at = clause.0 as usize;
        let size = (self.words[at] >> 2) as usize;
        &mut self.words[at + HEADER..at + HEADER + size]
    }

    pub(super) fn lits(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        self.codes(clause).iter().map(|&code| Lit::from_code(code))
    }

    pub(super) fn lit(&self, clause: ClauseRef, at: usize) -> Lit {
        Lit::from_code(self.codes(clause)[at])
    }

    /// The clause after `clause`, or the first one; dead clauses included.
    pub(super) fn next(&self, clause: Option<ClauseRef>) -> Option<ClauseRef> {
        let at = clause.map_or(0, |c| c.0 as usize + HEADER + self.size(c));
        (at < self.words.len()).then_some(ClauseRef(at as u32))
    }

    /// Every live clause, in the order of addition.
    #[cfg(feature = "testing")]
    pub(super) fn clauses(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        std::iter::successors(self.next(None), |&c| self.next(Some(c))).filter(|&c| !self.is_dead(c))
    }

    /// Drops the dead clauses, and from the others the literals that `keep` rejects; the watched literals
    /// must be kept. A definition whose negated head goes becomes an ordinary clause; others stay whole.
    /// Returns where each clause went.
    pub(super) fn compact(&mut self, keep: impl Fn(Lit) -> bool) -> Moved {
        let mut old = std::mem::take(&mut self.words);
        self.words.reserve(old.len());
        let mut at = 0;
        while at < old.len() {
            let header = old[at];
            let next = at + HEADER + (header >> 2) as usize;
            if header & DEAD == 0 {
                let new = self.words.len();
                let definition = header & LEARNT == 0 && old[at + 1] & DEFINITION != 0;
                let whole = definition && keep(Lit::from_code(old[next - 1]));
                self.words.extend([header, if definition && !whole { 0 } else { old[at + 1] }]);
                let kept = old[at + HEADER..next].iter().filter(|&&code| whole || keep(Lit::from_code(code)));
                self.words.extend(kept);
                let size = (self.words.len() - new - HEADER) as u32;
                debug_assert!(size >= 2, "watched literals are kept");
                self.words[new] = size << 2 | header & LEARNT;
                old[at] = new as u32;
            }
            at = next;
        }
        Moved(old)
    }
}

/// The forwarding addresses of one compaction.
pub(super) struct Moved(Vec<u32>);

impl Moved {
    /// The new place of a clause that was live.
    pub(super) fn get(&self, clause: ClauseRef) -> ClauseRef {
        ClauseRef(self.0[clause.0 as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compaction_drops_the_dead_and_forwards_the_rest() {
        let lit = |n| Lit::from_dimacs(n);
        let mut arena = Arena::default();
        let a = arena.alloc(&[lit(1), lit(2), lit(3)], false, 0);
        let b = arena.alloc(&[lit(-1), lit(2), lit(3)], true, 2);
        let c = arena.alloc(&[lit(1), lit(-2), lit(-3), lit(4)], true, 3);
        arena.mark_used(c, 7);
        arena.kill(a);
        assert_eq!(arena.clauses().collect::<Vec<_>>(), [b, c]);
        let moved = arena.compact(|l| l != lit(-3));
        let c = moved.get(c);
        assert_eq!(arena.clauses().collect::<Vec<_>>(), [moved.get(b), c]);
        assert_eq!(arena.lits(c).collect::<Vec<_>>(), [lit(1), lit(-2), lit(4)]);
        assert_eq!((arena.lbd(c), arena.is_learnt(c)), (3, true));
        assert!(arena.take_used(c) && !arena.take_used(c));
    }
}
