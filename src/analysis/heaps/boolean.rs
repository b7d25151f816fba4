//! Boolean heaps: what is known of the cells at one place of a program.
//!
//! A *row* is a named place (null, a pointer variable); the *atoms* are statements without free cell: state
//! predicates, equalities of rows, object predicates at rows. An *object* is the truth of all predicates of one
//! cell, as a bit mask; the first predicates of a kind of cells are the singletons of its rows. A heap is one truth
//! of all atoms with the set of objects that occur under it; an abstract state is a set of heaps, one per truth
//! of the atoms (heaps that agree on all atoms are joined). Sets of complete objects as sorted integers were
//! enough: no row of the paper has more than a few dozen.
//!
//! [`Heaps::invariant`] turns heaps into what they say, in the form a solver and a reader like best: literals
//! that hold throughout, short clauses over the other atoms, and universally quantified clauses that forbid objects.

use std::collections::{BTreeMap, BTreeSet};

/// The truth of all atoms.
pub(super) type Atoms = Vec<bool>;
/// The truth of all predicates of one cell, as bits.
pub(super) type Object = u64;

/// A heap: the truth of all atoms, and the objects of each kind of cells.
pub(super) type Heap = (Atoms, Vec<BTreeSet<Object>>);

/// Predicates of one kind of cells at most, rows apart.
pub(super) const MAX_OBJECT_PREDICATES: usize = 44;
/// Rows of one kind of cells at most.
pub(super) const MAX_ROWS: usize = 16;

/// A set of Boolean heaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Heaps {
    /// By truth of the atoms: the objects of each kind of cells.
    pub(super) heaps: BTreeMap<Atoms, Vec<BTreeSet<Object>>>,
}

/// A literal over the atoms.
pub(super) type AtomLiteral = (usize, bool);

/// No cell of a kind has these truths, in the heaps that a guard selects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Universal {
    /// Conjunction of atoms; empty: always.
    pub(super) guard: Vec<AtomLiteral>,
    /// Kind of cells.
    pub(super) kind: usize,
    /// Predicates mentioned.
    pub(super) mask: Object,
    /// Which of them hold.
    pub(super) value: Object,
}

/// What heaps say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Invariant {
    /// Atoms that are the same in all heaps.
    pub(super) units: Vec<AtomLiteral>,
    /// Conjunctions of the other atoms that no heap satisfies; the empty one: there is no heap.
    pub(super) excluded: Vec<Vec<AtomLiteral>>,
    /// Clauses about all cells.
    pub(super) universals: Vec<Universal>,
}

impl Heaps {
    /// Adds a heap; whether anything is new.
    pub(super) fn add(&mut self, atoms: Atoms, objects: Vec<BTreeSet<Object>>) -> bool {
        match self.heaps.get_mut(&atoms) {
            None => {
                self.heaps.insert(atoms, objects);
                true
            }
            Some(known) => {
                let mut grown = false;
                for (mine, its) in known.iter_mut().zip(objects) {
                    for object in its {
                        grown |= mine.insert(object);
                    }
                }
                grown
            }
        }
    }

    /// Objects of all heaps.
    pub(super) fn n_objects(&self) -> usize {
        self.heaps.values().flatten().map(BTreeSet::len).sum()
    }

    /// What the heaps say.
    pub(super) fn invariant(&self, widths: &Widths) -> Invariant {
        let all: Vec<&Atoms> = self.heaps.keys().collect();
        let Some(first) = all.first() else {
            return Invariant { excluded: vec![Vec::new()], ..Invariant::default() };
        };
        let is_unit = |i: usize| all.iter().all(|a| a[i] == first[i]);
        let (units, open): (Vec<usize>, Vec<usize>) = (0..first.len()).partition(|&i| is_unit(i));
        let units = units.into_iter().map(|i| (i, first[i])).collect();
        let excluded = excluded(&all, open, &widths.atoms);
        let mut universals = Vec::new();
        for (kind, &(rows, width)) in widths.kinds.iter().enumerate() {
            let everywhere: BTreeSet<Object> = self.heaps.values().flat_map(|o| &o[kind]).copied().collect();
            for (mask, value) in forbidden(rows, width, &everywhere, &|_| true) {
                universals.push(Universal { guard: Vec::new(), kind, mask, value });
            }
            for (atoms, objects) in &self.heaps {
                let known = |point| {
                    let excludes =
                        |u: &Universal| u.kind == kind && point & u.mask == u.value && holds(atoms, &u.guard);
                    !universals.iter().any(excludes)
                };
                let cubes = forbidden(rows, width, &objects[kind], &known);
                if cubes.is_empty() {
                    continue;
                }
                let guard = distinguish(atoms, &all, &widths.atoms);
                for (mask, value) in cubes {
                    let guarded = Universal { guard: guard.clone(), kind, mask, value };
                    universals.push(self.generalised(guarded, &widths.atoms));
                }
            }
        }
        Invariant { units, excluded, universals }
    }

    /// A clause with fewer literals in its guard, heavy ones dropped first, that no heap breaks either.
    fn generalised(&self, mut clause: Universal, weights: &[usize]) -> Universal {
        let occurs = |guard: &[AtomLiteral]| {
            let selected = self.heaps.iter().filter(|(atoms, _)| holds(atoms, guard));
            selected.flat_map(|(_, objects)| &objects[clause.kind]).any(|o| o & clause.mask == clause.value)
        };
        let mut order = clause.guard.clone();
        order.sort_by_key(|&(i, _)| std::cmp::Reverse((weights[i], i)));
        for literal in order {
            let fewer: Vec<AtomLiteral> = clause.guard.iter().copied().filter(|&l| l != literal).collect();
            if !occurs(&fewer) {
                clause.guard = fewer;
            }
        }
        clause
    }
}

/// Whether a cube over the atoms holds.
fn holds(atoms: &Atoms, cube: &[AtomLiteral]) -> bool {
    cube.iter().all(|&(i, truth)| atoms[i] == truth)
}

/// How many predicates there are, and how hard atoms are to reason about.
#[derive(Clone, Debug, Default)]
pub(super) struct Widths {
    /// Weights of the atoms; light ones are preferred.
    pub(super) atoms: Vec<usize>,
    /// Rows and all predicates of each kind.
    pub(super) kinds: Vec<(usize, usize)>,
}

/// Few literals of `atoms` that no other truth in `all` satisfies, light ones first.
fn distinguish(atoms: &Atoms, all: &[&Atoms], weights: &[usize]) -> Vec<AtomLiteral> {
    let mut others: Vec<&Atoms> = all.iter().copied().filter(|a| *a != atoms).collect();
    let mut out = Vec::new();
    while !others.is_empty() {
        let excluded = |i: usize| others.iter().filter(|o| o[i] != atoms[i]).count();
        let worth = |i: usize| (1000 * excluded(i)).div_ceil(weights[i]);
        let Some(best) = (0..atoms.len()).max_by_key(|&i| (worth(i), usize::MAX - i)) else { break };
        others.retain(|o| o[best] == atoms[best]);
        out.push((best, atoms[best]));
    }
    out.sort_unstable();
    out
}

/// Conjunctions of literals over the open atoms that together hold of every truth but those in `all`.
///
/// Truths are split along the atoms, light ones first; where no heap is left, what was chosen so far is excluded,
/// heavy literals dropped first while no heap comes in.
fn excluded(all: &[&Atoms], mut open: Vec<usize>, weights: &[usize]) -> Vec<Vec<AtomLiteral>> {
    open.sort_by_key(|&i| (weights[i], i));
    let mut out: Vec<Vec<AtomLiteral>> = Vec::new();
    let mut stack: Vec<(Vec<AtomLiteral>, Vec<&Atoms>)> = vec![(Vec::new(), all.to_vec())];
    while let Some((chosen, left)) = stack.pop() {
        if !left.is_empty() {
            if let Some(&atom) = open.get(chosen.len()) {
                for truth in [true, false] {
                    let mut chosen = chosen.clone();
                    chosen.push((atom, truth));
                    let left = left.iter().copied().filter(|a| a[atom] == truth).collect();
                    stack.push((chosen, left));
                }
            }
            continue;
        }
        if out.iter().any(|cube| cube.iter().all(|l| chosen.contains(l))) {
            continue;
        }
        let mut cube = chosen;
        let mut at = cube.len();
        while at > 0 {
            at -= 1;
            let dropped = cube.remove(at);
            if all.iter().any(|a| cube.iter().all(|&(i, truth)| a[i] == truth)) {
                cube.insert(at, dropped);
            }
        }
        out.push(cube);
    }
    // A cube found late may contain earlier ones.
    let cubes = out.clone();
    let is_within = |a: &[AtomLiteral], b: &[AtomLiteral]| b.iter().all(|l| a.contains(l));
    let mut at = 0;
    out.retain(|cube| {
        at += 1;
        !cubes.iter().enumerate().any(|(i, c)| c != cube && (i + 1 != at) && is_within(cube, c))
    });
    out
}

/// Cubes that contain no object of the set, and together every other object that is no row and satisfies `open`.
fn forbidden(
    rows: usize,
    width: usize,
    objects: &BTreeSet<Object>,
    open: &dyn Fn(Object) -> bool,
) -> Vec<(Object, Object)> {
    let full: Object = if width == 0 { 0 } else { Object::MAX >> (Object::BITS as usize - width) };
    let mut out: Vec<(Object, Object)> = Vec::new();
    let generalised = |mut mask: Object, point: Object| {
        for bit in 0..width {
            let fewer = mask & !(1 << bit);
            if objects.iter().all(|o| o & fewer != point & fewer) {
                mask = fewer;
            }
        }
        (mask, point & mask)
    };
    if width - rows <= ENUMERATED {
        for rest in 0..(1 << (width - rows)) {
            let point: Object = rest << rows;
            if !objects.contains(&point) && open(point) && !out.iter().any(|&(m, v)| point & m == v) {
                out.push(generalised(full, point));
            }
        }
        return out;
    }
    // Too many points: the set is split bit by bit, and where no object is left the rest is one cube. Clauses that the
    // caller knows already may come again.
    let is_row = |o: &Object| o & ((1 << rows) - 1) != 0;
    let mut stack = vec![(rows, 0, objects.iter().copied().filter(|o| !is_row(o)).collect::<Vec<_>>())];
    while let Some((bit, value, left)) = stack.pop() {
        if left.is_empty() {
            let decided = (1 << bit) - 1;
            if !out.iter().any(|&(m, v)| m & decided == m && value & m == v) {
                out.push(generalised(decided, value));
            }
        } else if bit < width {
            for truth in [1, 0] {
                let part = left.iter().copied().filter(|o| o >> bit & 1 == truth).collect();
                stack.push((bit + 1, value | truth << bit, part));
            }
        }
    }
    out
}

/// Predicates up to which all objects are enumerated.
const ENUMERATED: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    /// Many predicates: no clause excludes an object that occurs, and random others are excluded.
    #[test]
    fn many_predicates_are_split() {
        let mut rng = Rng::new(5);
        for _ in 0..50 {
            let (rows, width) = (2, 40);
            let objects: BTreeSet<Object> =
                (0..12).map(|_| rng.next_u64() & ((1 << width) - 1) & !3).chain([1, 2]).collect();
            let cubes = forbidden(rows, width, &objects, &|_| true);
            let excluded = |o: Object| cubes.iter().any(|&(m, v)| o & m == v);
            assert!(!objects.iter().any(|&o| excluded(o)));
            for _ in 0..100 {
                let near = objects.iter().nth(rng.below(objects.len())).expect("an object") & !3;
                let other = near ^ (1 << (rows + rng.below(width - rows)));
                assert!(objects.contains(&other) || excluded(other));
            }
        }
    }

    /// The clauses hold of exactly the objects that occur, rows apart.
    #[test]
    fn an_invariant_says_what_the_heaps_are() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let (rows, width, n_atoms) = (rng.below(3), 3 + rng.below(3), 1 + rng.below(4));
            let mut heaps = Heaps::default();
            for _ in 0..1 + rng.below(4) {
                let atoms: Atoms = (0..n_atoms).map(|_| rng.one_in(2)).collect();
                let objects = (0..rng.below(5)).map(|_| (rng.below(1 << width)) as Object).collect();
                heaps.add(atoms, vec![objects]);
            }
            let invariant = heaps.invariant(&Widths {
                atoms: (0..n_atoms).map(|_| 1 + rng.below(5)).collect(),
                kinds: vec![(rows, width)],
            });
            let truth = |atoms: &Atoms, cube: &[AtomLiteral]| cube.iter().all(|&(i, t)| atoms[i] == t);
            for code in 0..1usize << n_atoms {
                let atoms: Atoms = (0..n_atoms).map(|i| code >> i & 1 == 1).collect();
                let known = heaps.heaps.get(&atoms);
                let covered =
                    truth(&atoms, &invariant.units) && !invariant.excluded.iter().any(|c| truth(&atoms, c));
                assert_eq!(covered, known.is_some());
                let Some(known) = known else { continue };
                for object in (0..1u64 << width).filter(|o| o & ((1 << rows) - 1) == 0) {
                    let allowed = invariant
                        .universals
                        .iter()
                        .all(|u| !truth(&atoms, &u.guard) || object & u.mask != u.value);
                    assert_eq!(allowed, known[0].contains(&object));
                }
                // What occurs is never excluded, rows included.
                for object in &known[0] {
                    let excluded = |u: &Universal| truth(&atoms, &u.guard) && object & u.mask == u.value;
                    assert!(!invariant.universals.iter().any(excluded));
                }
            }
        }
    }
}
