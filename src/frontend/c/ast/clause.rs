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
    /// `assert P;`
    Assert(Expr),
    /// `assume P;`
    Assume(Expr),
    /// `ghost stmt`
    Ghost(Box<Stmt>),
    /// `predicate p(T *x) = P;`
    Predicate(Name, Vec<Parameter>, Expr),
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
    /// `behavior NAME: ...`
    Behavior(Name, Vec<Clause>),
    /// Something that could not be read and was complained about: what it says is not known.
    Broken,
}
