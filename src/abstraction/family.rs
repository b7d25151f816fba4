//! The predicate families of "Property-Directed Shape Analysis", Tables 1 and 3, over a vocabulary.
//!
//! A predicate is a [`Pred`] of the heap context: its one definition there serves for encoding it and for
//! evaluating it on models. Which families take part follows from what program and property speak of.

use crate::engine::heap::{Colour, Field, Pred, Slot};

/// What predicates may speak of at one place of a program.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Pointer variables, null left out, with the number of their kind of cells.
    pub pointers: Vec<(Slot, u32)>,
    /// Link fields with the kinds of cells at their start and end.
    pub fields: Vec<(Field, u32, u32)>,
    /// Fields at an earlier moment: rigid, so they get reachability only.
    pub rigid: Vec<(Field, u32, u32)>,
    /// Integer variables, with the number of the class of values they are compared in.
    pub integers: Vec<(Slot, u32)>,
    /// The class of values that cells hold as data; none if data are not compared.
    pub data: Option<u32>,
    /// Whether sortedness along this field is spoken of.
    pub sorted: Vec<Field>,
    /// Pairs of fields of which one is said to run backwards along the other.
    pub inverse: Vec<(Field, Field)>,
    /// Pairs of fields of which one is said to undo each step of the other.
    pub doubly: Vec<(Field, Field)>,
    /// Colours.
    pub colours: Vec<Colour>,
    /// Whether allocation is tracked.
    pub alloc: bool,
    /// Whether pairs of disjoint lists and lists of one colour take part: more than the paper has.
    pub wide: bool,
}

/// All predicates of the families, each once, in a fixed order.
#[must_use]
pub fn predicates(words: &Vocabulary) -> Vec<Pred> {
    let mut out = Vec::new();
    let null = Slot::NULL;
    for (at, &(x, kind)) in words.pointers.iter().enumerate() {
        out.push(Pred::Equal(x, null));
        let earlier = words.pointers[..at].iter().filter(|other| other.1 == kind);
        out.extend(earlier.map(|&(y, _)| Pred::Equal(x, y)));
        for &(field, from, to) in &words.fields {
            if from != kind {
                continue;
            }
            let ends =
                || words.pointers.iter().filter(move |other| other.0 != x && other.1 == to).map(|o| o.0);
            out.push(Pred::Edge(field, x, null));
            out.extend(ends().map(|y| Pred::Edge(field, x, y)));
            out.extend(ends().map(|y| Pred::Reach(field, x, y)));
            if from == to {
                out.push(Pred::Unshared(field, x, null));
                out.extend(ends().map(|y| Pred::Unshared(field, x, y)));
            }
            if words.sorted.contains(&field) {
                out.push(Pred::Sorted(field, x, null));
                out.extend(ends().map(|y| Pred::Sorted(field, x, y)));
            }
            for &(_, back) in words.inverse.iter().filter(|pair| pair.0 == field) {
                out.push(Pred::Inverse(field, back, x, null));
                out.extend(ends().map(|y| Pred::Inverse(field, back, x, y)));
            }
            for &(_, back) in words.doubly.iter().filter(|pair| pair.0 == field) {
                out.push(Pred::Doubly(field, back, x, null));
                out.extend(ends().map(|y| Pred::Doubly(field, back, x, y)));
            }
            if words.alloc {
                out.push(Pred::Stable(field, x));
            }
            if words.wide && from == to {
                let earlier = words.pointers[..at].iter().filter(|other| other.1 == kind);
                out.extend(earlier.map(|&(y, _)| Pred::Apart(field, x, y)));
                out.extend(words.colours.iter().map(|&colour| Pred::All(field, colour, x)));
            }
        }
        for &(field, from, to) in &words.rigid {
            if from == kind {
                let ends = words.pointers.iter().filter(|other| other.0 != x && other.1 == to);
                out.extend(ends.map(|&(y, _)| Pred::Reach(field, x, y)));
            }
        }
        if words.alloc {
            out.push(Pred::Alloc(x));
        }
        out.extend(words.colours.iter().map(|&colour| Pred::Colour(colour, x)));
        if let Some(class) = words.data {
            out.extend(words.pointers.iter().filter(|o| o.0 != x).map(|&(y, _)| Pred::AtMost(x, y)));
            for &(k, _) in words.integers.iter().filter(|k| k.1 == class) {
                out.extend([Pred::AtMost(x, k), Pred::AtMost(k, x)]);
            }
        }
    }
    for &(k, class) in &words.integers {
        let others = words.integers.iter().filter(|other| other.0 != k && other.1 == class);
        out.extend(others.map(|&(l, _)| Pred::AtMost(k, l)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes that the benchmarks' notes give for the paper's families.
    #[test]
    fn sizes_are_those_of_the_paper() {
        let pointers = |n: u16| (1..=n).map(|x| (Slot(x), 0)).collect();
        let blank =
            |n| Vocabulary { pointers: pointers(n), fields: vec![(Field(0), 0, 0)], ..Vocabulary::default() };
        // x<f*>null is always true in total heaps and so no predicate: it is counted there, not here.
        for (n, expected) in [(1, 3), (2, 13), (3, 30), (4, 54), (5, 85)] {
            let all = predicates(&blank(n));
            let always_true = n as usize;
            assert_eq!(all.len() + always_true, expected + always_true, "{n} variables");
            let mut once = all.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), all.len());
        }
        let sorted = Vocabulary { sorted: vec![Field(0)], ..blank(4) };
        assert_eq!(predicates(&sorted).len(), 70);
        let sorted = Vocabulary { data: Some(0), ..sorted };
        assert_eq!(predicates(&sorted).len(), 82);
    }
}
