//! Formulas about states: contracts, invariants, assertions, tracked predicates.
//!
//! This is the annotation language (DESIGN 3.2) after names are resolved, macros and `predicate`s are
//! expanded and types are checked. A leaf names the moment it speaks of ([`At`]), so `\old(x->next)` is
//! `Field(next, At::Entry, Var(x, At::Entry))`. Everything is total: a link field of null is null, an
//! integer field of null is some fixed value (DESIGN 6, decision 3). `program::eval` is the meaning.
//!
//! In `ensures` clauses parameters mean their entry values (decision 5): the front end writes them with
//! [`At::Entry`], so no reader of formulas has to know the rule.

use super::decl::{BoundId, FieldId, LabelId, StructId, VarId};
use super::expr::{BinOp, Cmp};

/// The moment a leaf speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum At {
    /// The state in which the formula stands.
    Now,
    /// Entry of the function, before its first command.
    Entry,
    /// The last time the label's snapshot was taken.
    Label(LabelId),
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A program variable that is no array.
    Var(VarId, At),
    /// A quantified variable.
    Bound(BoundId),
    /// The null pointer of a struct.
    Null(StructId),
    /// An integer.
    Int(i128),
    /// `t->f`
    Field(FieldId, At, Box<Term>),
    /// `a[i]`; outside the array's bounds some fixed value.
    Index(VarId, At, Box<Term>),
    /// `-t`
    Neg(Box<Term>),
    /// `a op b`
    Binary(BinOp, Box<Term>, Box<Term>),
    /// `c ? a : b`
    Ite(Box<Formula>, Box<Term>, Box<Term>),
}

/// A finite set of cells; never contains null (decision 12).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// `\cells(f, x, y)`: the cells from x up to, not including, y; empty if x does not reach y.
    Cells(FieldId, At, Box<Term>, Box<Term>),
    /// `{t, ...}` without null.
    Of(Vec<Term>),
    /// `\pre(f, t)`: the cells whose field f is t.
    Pre(FieldId, At, Box<Term>),
    /// `\union`
    Union(Vec<Set>),
    /// `\inter` of at least one set
    Inter(Vec<Set>),
    /// `\diff`
    Diff(Box<Set>, Box<Set>),
}

/// A statement about one or several states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// `true`, `false`
    Const(bool),
    /// `!p`
    Not(Box<Formula>),
    /// `p && ...`
    And(Vec<Formula>),
    /// `p || ...`
    Or(Vec<Formula>),
    /// `p ==> q`
    Implies(Box<Formula>, Box<Formula>),
    /// `p <==> q`
    Iff(Box<Formula>, Box<Formula>),
    /// Two values of one type.
    Compare(Cmp, Term, Term),
    /// `x -f*-> y`; with `plus`, `x -f+-> y` (false for x = null).
    Reach {
        /// Link field.
        field: FieldId,
        /// Moment of the field.
        at: At,
        /// Start.
        from: Term,
        /// End.
        to: Term,
        /// One or more steps.
        plus: bool,
    },
    /// `\btwn(f, x, y, z)`: y lies on the simple f-path from x to z, ends included.
    Between(FieldId, At, Term, Term, Term),
    /// `\valid(t)`: allocated (on the heap or automatic).
    Valid(Term, At),
    /// `\freed(t)`
    Freed(Term, At),
    /// `\fresh(t)`: a cell, not allocated at entry.
    Fresh(Term),
    /// `\stable(f, t)`: all cells reached from t are allocated.
    Stable(FieldId, At, Term),
    /// `\unshared(f, x, y)`: f.ls\[x,y\] of the PDR paper.
    Unshared(FieldId, At, Term, Term),
    /// `\sorted(f, d, x, y)`: d does not decrease along the cells of \[x, y).
    Sorted(FieldId, FieldId, At, Term, Term),
    /// `\inverse(f, b, x, y)`: f/b.rev\[x,y\].
    Inverse(FieldId, FieldId, At, Term, Term),
    /// `\dlseg(n, p, x, px, y, py)`
    Dlseg(FieldId, FieldId, At, Box<[Term; 4]>),
    /// `\tree(l, r, x)`
    Tree(FieldId, FieldId, At, Term),
    /// `\valid(a + (lo..hi))`
    ValidRange(VarId, Term, Term),
    /// `t \in S`
    In(Term, Set),
    /// `\subset(A, B)`
    Subset(Set, Set),
    /// `\disjoint(A, ...)`, pairwise
    Disjoint(Vec<Set>),
    /// `A == B`
    SameSet(Set, Set),
    /// `\forall T *u; p` over null and all cells, allocated or not; `\forall int k; p`.
    Forall(Binder, Box<Formula>),
    /// `\exists`
    Exists(Binder, Box<Formula>),
}

/// What a quantifier binds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binder {
    /// The variable.
    pub id: BoundId,
    /// Its name in the source.
    pub name: String,
    /// Cells of this struct and null; `None`: integers.
    pub of: Option<StructId>,
}

impl Formula {
    /// One more than the largest number of a variable that is bound in it.
    #[must_use]
    pub fn bounds(&self) -> u32 {
        let mut bounds = 0;
        super::walk::formula(self, &mut |part| {
            if let super::walk::Part::Formula(Formula::Forall(binder, _) | Formula::Exists(binder, _)) = part
            {
                bounds = bounds.max(binder.id.0.saturating_add(1));
            }
        });
        bounds
    }

    /// `!p`, without double negation.
    #[must_use]
    pub fn negate(self) -> Formula {
        match self {
            Formula::Const(value) => Formula::Const(!value),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// Conjunction, flattened.
    #[must_use]
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Const(true) => {}
                Formula::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::Const(true),
            1 => flat.remove(0),
            _ => Formula::And(flat),
        }
    }

    /// `a == b`
    #[must_use]
    pub fn eq(a: Term, b: Term) -> Formula {
        Formula::Compare(Cmp::Eq, a, b)
    }

    /// `a != b`
    #[must_use]
    pub fn ne(a: Term, b: Term) -> Formula {
        Formula::Compare(Cmp::Ne, a, b)
    }
}

impl Term {}
