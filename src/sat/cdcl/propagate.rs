//! Unit propagation with two watched literals and blocking literals.
//!
//! The list of a literal is visited when the literal becomes false. Each entry carries another literal of
//! its clause: when that one is true the clause is never touched. An entry of a binary clause carries the
//! whole clause in itself. See the head of `cdcl` for the invariant on watched literals, and `definition` for
//! entries of definitions.

use super::definition::Waking;
use super::{Cdcl, ClauseRef};
use crate::sat::lit::Lit;

/// What an entry of a watch list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of the first two literals of a clause.
    Long = 0,
    /// A literal of a clause of two; of a definition only the negated head.
    Binary = 1,
    /// One of the first two literals of a definition that is or was awake; the blocker is the negated head.
    Awake = 2,
    /// The negated head of a definition.
    Head = 3,
}

/// An entry of a watch list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// Some other literal of the clause.
    blocker: Lit,
    /// `clause << 2 | kind`.
    packed: u32,
}

impl Watch {
    #[inline]
    pub(super) fn new(clause: ClauseRef, blocker: Lit, kind: Kind) -> Watch {
        Watch { blocker, packed: clause.0 << 2 | kind as u32 }
    }

    #[inline]
    pub(super) fn clause(self) -> ClauseRef {
        ClauseRef(self.packed >> 2)
    }

    #[inline]
    pub(super) fn is(self, kind: Kind) -> bool {
        self.packed & 3 == kind as u32
    }

    #[cfg(feature = "testing")]
    pub(super) fn blocker(self) -> Lit {
        self.blocker
    }
}

impl Cdcl {
    /// Puts a clause into the lists where it belongs.
    pub(super) fn attach(&mut self, clause: ClauseRef) {
        if self.arena.is_definition(clause) {
            return self.attach_definition(clause);
        }
        let (a, b) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        let kind = if self.arena.size(clause) == 2 { Kind::Binary } else { Kind::Long };
        self.watches[a.index()].push(Watch::new(clause, b, kind));
        self.watches[b.index()].push(Watch::new(clause, a, kind));
    }

    /// Draws all consequences of the trail. Returns a clause that is false, if one is met; the caller
    /// resolves it, or backtracks.
    pub fn propagate(&mut self) -> Option<ClauseRef> {
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            if let Some(conflict) = self.visit(!lit) {
                return Some(conflict);
            }
            self.head += 1;
            self.stats.propagations += 1;
        }
        None
    }

    /// Visits the clauses that watch a literal which has become false.
    fn visit(&mut self, gone: Lit) -> Option<ClauseRef> {
        // Nothing is pushed to this list meanwhile: new watches are not false.
        let mut list = std::mem::take(&mut self.watches[gone.index()]);
        self.forget.ticks += list.len() as u64;
        let mut conflict = None;
        let (mut read, mut write) = (0, 0);
        while read < list.len() {
            let watch = list[read];
            read += 1;
            list[write] = watch;
            write += 1;
            let truth = self.values[watch.blocker.index()];
            if truth > 0 {
                continue;
            }
            if watch.is(Kind::Binary) {
                if truth < 0 {
                    conflict = Some(watch.clause());
                    break;
                }
                self.assign(watch.blocker, watch.clause());
                continue;
            }
            let clause = watch.clause();
            if watch.is(Kind::Head) {
                match self.wake(clause) {
                    Waking::Quiet => {}
                    Waking::Satisfied(lit) => list[write - 1] = Watch::new(clause, lit, Kind::Head),
                    Waking::Conflict => {
                        conflict = Some(clause);
                        break;
                    }
                }
                continue;
            }
            let awake = watch.is(Kind::Awake);
            if awake {
                let place = usize::from(self.arena.lit(clause, 0) != gone);
                if truth == 0 {
                    // It has fallen asleep since.
                    self.arena.set_attached(clause, place, false);
                    write -= 1;
                    continue;
                }
                self.arena.bring_second(clause, place);
            }
            let entry = |other| if awake { watch } else { Watch::new(clause, other, Kind::Long) };
            let lits = self.arena.codes_mut(clause);
            // Exclusive or picks the other watched literal without a branch.
            let other = Lit::from_code(lits[0] ^ lits[1] ^ gone.code());
            let truth = self.values[other.index()];
            if truth > 0 {
                list[write - 1] = entry(other);
                continue;
            }
            lits[0] = other.code();
            lits[1] = gone.code();
            let found = lits[2..].iter().position(|&code| self.values[code as usize] >= 0);
            if let Some(found) = found {
                let new = Lit::from_code(lits[found + 2]);
                lits[1] = new.code();
                lits[found + 2] = gone.code();
                write -= 1;
                self.watches[new.index()].push(entry(other));
                continue;
            }
            list[write - 1] = entry(other);
            if truth < 0 {
                conflict = Some(clause);
                break;
            }
            self.assign(other, clause);
        }
        if read > write {
            list.copy_within(read.., write);
            list.truncate(list.len() - (read - write));
        }
        self.watches[gone.index()] = list;
        conflict
    }
}
