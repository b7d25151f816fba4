//! The universal predicates, defined once.
//!
//! Each is a clause over a start x and two bound cells c and d, where d is on the segment: d is no null, and
//! d reaches the segment's end. From this one definition come
//! - the instances of a positive literal (`refine`),
//! - the witnesses of a negative one (`encode`): d = the first violation, c = its partner, all premises true
//!   and all conclusions false. Only "d reaches the end" mentions the end, so two constants serve every end;
//! - the value in a model (`structure`), where the cells c that violate the clause for a given d are an
//!   intersection of bit rows.
//!
//! NOTE: Table 3 of the PDR paper defines `rev` by an equivalence. The other direction follows: if d, c are
//! on the segment and c is not before d, then d is before c, and mutual back reachability makes them equal.

use super::pred::{Const, Matrix, Order, Unary};

/// A universal predicate, with what it reads beside the matrix of its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// No cell of the segment is entered from outside: whoever reaches d is comparable with x.
    Unshared,
    /// Data do not decrease along the segment.
    Sorted(Order),
    /// The matrix runs backwards on the segment.
    Inverse(Matrix),
    /// What the matrix reaches from the segment is on the chain of x, or the matrix reaches it from x.
    Inside(Matrix),
    /// What the matrix reaches from d comes before d, or the matrix reaches it from x.
    Before(Matrix),
    /// Every cell of the segment is in the set.
    Stable(Unary),
    /// No cell of the segment is reached from the constant.
    Apart(Const),
}

/// A place in a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    X,
    C,
    D,
}

/// An atom of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rel {
    /// Along the segment's matrix.
    Reach(Place, Place),
    /// Along the other matrix.
    Back(Place, Place),
    AtMost(Place, Place),
    /// Reached along the segment's matrix from the kind's constant.
    From(Place),
    Holds(Place),
}

/// `premises => one of the conclusions`, for all c, d.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) premises: &'static [Rel],
    pub(super) conclusions: &'static [Rel],
    /// Whether c occurs.
    pub(super) paired: bool,
}

use Place::{C, D, X};

impl Kind {
    /// The matrix that runs backwards, if the kind reads one.
    pub(super) fn back(self) -> Option<Matrix> {
        match self {
            Kind::Inverse(back) | Kind::Inside(back) | Kind::Before(back) => Some(back),
            Kind::Unshared | Kind::Sorted(_) | Kind::Stable(_) | Kind::Apart(_) => None,
        }
    }

    /// Three universal facts that say together that each step of the segment is undone by the matrix.
    ///
    /// Let c be followed by d. [`Kind::Inverse`] makes the matrix lead from d to c, in one step or by way of
    /// some z. If it leads from x to z, then on to c and back to x, and z = c = x. Otherwise z is on the chain
    /// of x and before d, so not after c, and `Inverse` leads from c to z as well: z = c.
    pub(super) fn doubly(back: Matrix) -> [Kind; 3] {
        [Kind::Inverse(back), Kind::Inside(back), Kind::Before(back)]
    }

    pub(super) fn definition(self) -> &'static Definition {
        match self {
            Kind::Unshared => &Definition {
                premises: &[Rel::Reach(X, D), Rel::Reach(C, D)],
                conclusions: &[Rel::Reach(C, X), Rel::Reach(X, C)],
                paired: true,
            },
            Kind::Sorted(_) => &Definition {
                premises: &[Rel::Reach(X, C), Rel::Reach(C, D)],
                conclusions: &[Rel::AtMost(C, D)],
                paired: true,
            },
            Kind::Inverse(_) => &Definition {
                premises: &[Rel::Reach(X, C), Rel::Reach(C, D)],
                conclusions: &[Rel::Back(D, C)],
                paired: true,
            },
            Kind::Inside(_) => &Definition {
                premises: &[Rel::Reach(X, D), Rel::Back(D, C)],
                conclusions: &[Rel::Reach(X, C), Rel::Back(X, C)],
                paired: true,
            },
            Kind::Before(_) => &Definition {
                premises: &[Rel::Reach(X, D), Rel::Back(D, C)],
                conclusions: &[Rel::Reach(C, D), Rel::Back(X, C)],
                paired: true,
            },
            Kind::Apart(_) => {
                &Definition { premises: &[Rel::Reach(X, D), Rel::From(D)], conclusions: &[], paired: false }
            }
            Kind::Stable(_) => {
                &Definition { premises: &[Rel::Reach(X, D)], conclusions: &[Rel::Holds(D)], paired: false }
            }
        }
    }
}

impl Rel {
    pub(super) fn mentions_c(self) -> bool {
        match self {
            Rel::Reach(a, b) | Rel::Back(a, b) | Rel::AtMost(a, b) => a == C || b == C,
            Rel::Holds(a) | Rel::From(a) => a == C,
        }
    }
}
