//! Clauses of annotations.

use super::super::token::Name;
use super::{Expr, Parameter, Stmt};
use crate::frontend::diagnostic::Span;

/// A clause of an annotation.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it is.
    pub kind: ClauseKind,
    /// Where.
    pub span: Span,
}

/// Kinds of clauses.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `requires P;`
    Requires(Expr),
    /// `ensures P;`
    Ensures(Expr),
    /// `assigns loc, ...;` and `loop assigns`; `\nothing` is the empty list.
    Assigns {
        /// Of a loop.
        of_loop: bool,
        /// Locations.
        locations: Vec<Expr>,
    },
    /// `loop invariant P;`
    Invariant(Expr),
    /// `loop variant E, ...;`, or `decreases E, ...;` of a function
    Variant {
        /// Of a loop.
        of_loop: bool,
        /// Numbers and sets of cells; the first that changes decreases.
        ranks: Vec<Expr>,
    },
    /// `assert P;`
    Assert(Expr),
    /// `assume P;`
    Assume(Expr),
    /// `ghost stmt`
    Ghost(Box<Stmt>),
    /// `predicate p(T *x) = P;`, or `logic T f(T *x) = e;`
    Predicate {
        /// Its name.
        name: Name,
        /// Its parameters.
        parameters: Vec<Parameter>,
        /// What it stands for.
        body: Expr,
        /// It stands for a value, not for a truth value.
        is_value: bool,
    },
    /// Names that an `axiomatic` block or a definition without a model defines.
    Unmodelled(Vec<Name>),
    /// `track P, ...;`, `track (T *v) P;`, `loop track`
    Track {
        /// Of a loop.
        of_loop: bool,
        /// The heap object.
        object: Option<Parameter>,
        /// Predicates.
        predicates: Vec<Expr>,
    },
    /// `pattern (T *a, *b) P;`
    Pattern {
        /// The cells.
        cells: Vec<Parameter>,
        /// What must not hold of them.
        body: Expr,
    },
    /// `shape list(f);`
    Shape(Name, Vec<(Name, Span)>),
    /// `logic T *u, *v;`
    Logic(Vec<Parameter>),
    /// `assumes P;` in a behaviour.
    Assumes(Expr),
    /// `complete behaviors A, B;` or `disjoint behaviors A, B;`; no name stands for all.
    Relation {
        /// `complete`, not `disjoint`.
        complete: bool,
        /// The behaviours.
        names: Vec<(Name, Span)>,
    },
    /// `frees p, ...;` or `allocates p, ...;`; `\nothing` is the empty list.
    Frees {
        /// `allocates`.
        allocates: bool,
        /// Pointers and sets of cells.
        cells: Vec<Expr>,
    },
    /// `behavior NAME: ...`
    Behavior(Name, Vec<Clause>),
    /// Something that could not be read and was complained about: what it says is not known.
    Broken,
}
