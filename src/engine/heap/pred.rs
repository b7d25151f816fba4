//! What can be said: predicates over program variables, and states that turn them into atoms.
//!
//! A [`Pred`] speaks of program variables ([`Slot`]s) and link fields, as the user does. A [`State`] says
//! which constant each variable is, which reachability matrix each field is and which cells are allocated at
//! one moment of a symbolic execution; it turns a predicate into an [`Atom`] over constants and matrices.
//! Atoms of two states that read only unchanged things are equal, and so are their literals.

use super::define::Kind;
use crate::sat::Lit;

/// A program variable; number 0 is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u16);

impl Slot {
    /// The variable that is always null.
    pub const NULL: Slot = Slot(0);
}

/// A link field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(pub u8);

/// A fixed, unknown property of cells (false for null).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub u8);

/// A predicate over program variables. Its meaning on a heap is [`super::Heap::eval`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pred {
    /// The same cell, or both null.
    Equal(Slot, Slot),
    /// The second is reached from the first by zero or more steps.
    Reach(Field, Slot, Slot),
    /// The second is reached from the first and another.
    Plus(Field, Slot, Slot),
    /// The first is a cell and its field is the second.
    Edge(Field, Slot, Slot),
    /// No cell of the segment is entered from outside.
    Unshared(Field, Slot, Slot),
    /// The data of the segment's cells do not decrease.
    Sorted(Field, Slot, Slot),
    /// On the segment along the first field, the second field runs backwards.
    Inverse(Field, Field, Slot, Slot),
    /// Each step of the segment along the first field is undone by a step of the second.
    Doubly(Field, Field, Slot, Slot),
    /// Every cell reached is allocated.
    Stable(Field, Slot),
    /// No cell is reached from both.
    Apart(Field, Slot, Slot),
    /// Every cell reached has the colour.
    All(Field, Colour, Slot),
    /// The first one's datum is at most the second one's; null's datum is above all others. The datum of an
    /// integer variable is its value.
    AtMost(Slot, Slot),
    /// The cell has the colour.
    Colour(Colour, Slot),
    /// The cell is allocated.
    Alloc(Slot),
}

impl Pred {
    /// The variables it reads.
    pub fn slots(&self) -> [Slot; 2] {
        match *self {
            Pred::Equal(x, y)
            | Pred::Reach(_, x, y)
            | Pred::Plus(_, x, y)
            | Pred::Edge(_, x, y)
            | Pred::Unshared(_, x, y)
            | Pred::Sorted(_, x, y)
            | Pred::Inverse(_, _, x, y)
            | Pred::Doubly(_, _, x, y)
            | Pred::Apart(_, x, y)
            | Pred::AtMost(x, y) => [x, y],
            Pred::Stable(_, x) | Pred::All(_, _, x) | Pred::Colour(_, x) | Pred::Alloc(x) => [x, Slot::NULL],
        }
    }

    /// Whether it follows the field from the variable.
    pub fn follows(&self, field: Field, slot: Slot) -> bool {
        match *self {
            Pred::Reach(f, x, _)
            | Pred::Plus(f, x, _)
            | Pred::Edge(f, x, _)
            | Pred::Unshared(f, x, _)
            | Pred::Sorted(f, x, _)
            | Pred::Stable(f, x)
            | Pred::All(f, _, x) => f == field && x == slot,
            Pred::Inverse(f, b, x, _) | Pred::Doubly(f, b, x, _) => [f, b].contains(&field) && x == slot,
            Pred::Apart(f, x, y) => f == field && (x == slot || y == slot),
            Pred::Equal(..) | Pred::AtMost(..) | Pred::Colour(..) | Pred::Alloc(_) => false,
        }
    }
}

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(super) u32);

        impl $name {
            #[inline]
            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index! {
    /// A constant of the universe; number 0 is null.
    Const;
    /// A reachability matrix.
    Matrix;
    /// A set of cells: those of a colour, or the allocated ones, at some moment.
    Unary;
    /// The data of all cells at some moment.
    Order;
}

impl Order {
    /// The data at the beginning. Integers are data of constants at the beginning.
    pub const BASE: Order = Order(0);
}

impl Const {
    /// The constant null.
    pub const NULL: Const = Const(0);
}

/// A predicate over constants and matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// The same cell, or both null.
    Equal(Const, Const),
    /// Zero or more steps.
    Reach(Matrix, Const, Const),
    /// One or more steps.
    Plus(Matrix, Const, Const),
    /// One step.
    Edge(Matrix, Const, Const),
    /// A universal property of the segment between two constants.
    Segment(Kind, Matrix, Const, Const),
    /// Each step of the segment along the first matrix is undone by a step of the second.
    Doubly(Matrix, Matrix, Const, Const),
    /// The datum of the first, at the first moment, is at most that of the second at the second.
    AtMost(Order, Const, Order, Const),
    /// Membership in a set.
    Holds(Unary, Const),
}

impl Atom {
    /// Whether one literal serves both polarities: `literal(a, false)` is then `!literal(a, true)`.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Atom::Segment(..) | Atom::Doubly(..))
    }

    /// How much a literal of this atom adds to the search, smallest first: ground atoms cost nothing, edges
    /// a successor constant, universal predicates witnesses and instances.
    pub fn cost(&self) -> u8 {
        match self {
            Atom::Edge(..) => 1,
            Atom::Segment(kind, ..) => match kind {
                Kind::Stable(_) => 2,
                Kind::Unshared | Kind::Apart(_) => 3,
                Kind::Inverse(_) | Kind::Inside(_) | Kind::Before(_) => 4,
                Kind::Sorted(_) => 5,
            },
            Atom::Doubly(..) => 5,
            _ => 0,
        }
    }

    /// The matrices it reads.
    pub(super) fn matrices(&self) -> [Option<Matrix>; 2] {
        match *self {
            Atom::Reach(m, ..) | Atom::Plus(m, ..) | Atom::Edge(m, ..) => [Some(m), None],
            Atom::Segment(kind, m, ..) => [Some(m), kind.back()],
            Atom::Doubly(m, back, ..) => [Some(m), Some(back)],
            Atom::Equal(..) | Atom::AtMost(..) | Atom::Holds(..) => [None, None],
        }
    }
}

/// One moment of a symbolic execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The constant of each variable; none while the variable has no value.
    pub slots: Vec<Option<Const>>,
    /// The matrix of each field.
    pub fields: Vec<Matrix>,
    /// The variables from this number on are integers: their constants stand for data at the beginning.
    pub integers: u16,
    /// The data.
    pub order: Order,
    /// The cells of each colour.
    pub colours: Vec<Unary>,
    /// The allocated cells.
    pub alloc: Unary,
    /// True if this moment is reached without an error. Atoms of the state mean something only then.
    pub guard: Lit,
}

impl State {
    /// The constant of a variable, which must have a value.
    pub fn constant(&self, slot: Slot) -> Const {
        self.slots[slot.0 as usize].expect("a variable is set before it is used")
    }

    /// The matrix of a field at this moment.
    pub fn matrix(&self, field: Field) -> Matrix {
        self.fields[field.0 as usize]
    }

    /// The predicate at this moment.
    pub fn atom(&self, pred: Pred) -> Atom {
        let at = |slot| self.constant(slot);
        let of = |field: Field| self.fields[field.0 as usize];
        match pred {
            Pred::Equal(x, y) => Atom::Equal(at(x), at(y)),
            Pred::Reach(f, x, y) => Atom::Reach(of(f), at(x), at(y)),
            Pred::Plus(f, x, y) => Atom::Plus(of(f), at(x), at(y)),
            Pred::Edge(f, x, y) => Atom::Edge(of(f), at(x), at(y)),
            Pred::Unshared(f, x, y) => Atom::Segment(Kind::Unshared, of(f), at(x), at(y)),
            Pred::Sorted(f, x, y) => Atom::Segment(Kind::Sorted(self.order), of(f), at(x), at(y)),
            Pred::Inverse(f, b, x, y) => Atom::Segment(Kind::Inverse(of(b)), of(f), at(x), at(y)),
            Pred::Doubly(f, b, x, y) => Atom::Doubly(of(f), of(b), at(x), at(y)),
            Pred::Stable(f, x) => Atom::Segment(Kind::Stable(self.alloc), of(f), at(x), Const::NULL),
            Pred::Apart(f, x, y) => Atom::Segment(Kind::Apart(at(y)), of(f), at(x), Const::NULL),
            Pred::All(f, colour, x) => {
                let set = self.colours[colour.0 as usize];
                Atom::Segment(Kind::Stable(set), of(f), at(x), Const::NULL)
            }
            Pred::AtMost(x, y) => {
                let order = |slot: Slot| if slot.0 >= self.integers { Order::BASE } else { self.order };
                Atom::AtMost(order(x), at(x), order(y), at(y))
            }
            Pred::Colour(colour, x) => Atom::Holds(self.colours[colour.0 as usize], at(x)),
            Pred::Alloc(x) => Atom::Holds(self.alloc, at(x)),
        }
    }
}
