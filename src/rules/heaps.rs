//! All small heaps, and the path predicate computed from its definition.
//!
//! The ground truth of the gate: nothing here knows about rules.

use super::interpret::NaiveContext;
use super::matcher::Point;
use super::syntax::Heaps;
use std::fmt;

/// A link field on finitely many cells; null, if there is one, is the last and points to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap {
    /// The successor of each cell.
    pub field: Vec<usize>,
    /// The cell that stands for null.
    pub null: Option<usize>,
}

impl Heap {
    /// R(a, b, c): the path from a reaches c, and b lies on it up to the first c.
    pub fn between(&self, a: usize, b: usize, c: usize) -> bool {
        let (mut at, mut seen) = (a, false);
        // A path that does not arrive within as many steps as there are cells never does.
        for _ in 0..self.field.len() {
            seen |= at == b;
            if at == c {
                return seen;
            }
            at = self.field[at];
        }
        false
    }

    /// Whether every chain ends in null.
    pub fn is_acyclic(&self) -> bool {
        self.null.is_some_and(|null| (0..self.field.len()).all(|a| self.between(a, null, null)))
    }

    /// Everything that is true of the heap, over its cells as points, all successors named.
    pub fn context(&self) -> NaiveContext {
        let n = self.field.len();
        let mut context = NaiveContext::new(n, self.null.map(|null| null as Point));
        for a in 0..n {
            context.add_successor(a as Point, self.field[a] as Point);
            for b in 0..n {
                for c in 0..n {
                    if self.between(a, b, c) {
                        context.add(a as Point, b as Point, c as Point);
                    }
                }
            }
        }
        context
    }
}

/// All heaps with that many cells beside null.
pub fn heaps(kind: Heaps, null: bool, cells: usize) -> impl Iterator<Item = Heap> {
    let size = cells + usize::from(null);
    let heap = move |code: usize| {
        let mut field: Vec<usize> = (0..cells as u32).map(|a| code / size.pow(a) % size).collect();
        field.extend(null.then_some(cells));
        Heap { field, null: null.then_some(cells) }
    };
    let wanted = move |heap: &Heap| kind == Heaps::Functional || heap.is_acyclic();
    (0..size.pow(cells as u32)).map(heap).filter(wanted)
}

impl fmt::Display for Heap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |a: usize| if Some(a) == self.null { "null".to_string() } else { format!("c{a}") };
        let cells = (0..self.field.len()).filter(|&a| Some(a) != self.null);
        let links: Vec<String> = cells.map(|a| format!("f({}) = {}", name(a), name(self.field[a]))).collect();
        write!(out, "{}", links.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_definition() {
        assert_eq!(heaps(Heaps::Functional, false, 4).count(), 256);
        // Rooted forests on k labelled cells: (k+1)^(k-1).
        let forests: Vec<usize> = (1..=4).map(|k| heaps(Heaps::Acyclic, true, k).count()).collect();
        assert_eq!(forests, [1, 3, 16, 125]);
        let lasso = Heap { field: vec![1, 2, 1], null: None };
        assert!(lasso.between(0, 1, 2) && lasso.between(1, 2, 2) && lasso.between(2, 1, 1));
        assert!(!lasso.between(0, 2, 1), "the path stops at the first c1");
        assert!(!lasso.between(1, 2, 1), "and here it starts with it");
        assert!(!lasso.between(1, 0, 2));
    }
}
