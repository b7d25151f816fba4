//! Variants: what becomes smaller in every round of a loop and in every recursive call, so that there are only finitely
//! many (check word `termination`).
//!
//! A rank is an integer that is not negative while rounds go on, a finite set of cells, or a tree whose links stay. A variant is a list of ranks:
//! the first one that changes becomes smaller. Annotations keep a rank as a formula, so that everything that maps
//! formulas maps ranks as well.

use super::decl::FieldId;
use super::expr::Cmp;
use super::formula::{At, Formula, Set, Term};
use super::rewrite::Rewrite;

/// What becomes smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rank {
    /// An integer, at least 0 before it becomes smaller.
    Number(Term),
    /// A finite set of cells.
    Cells(Set),
    /// A tree whose links stay as they are: one of its two subtrees is smaller.
    Tree(FieldId, FieldId, At, Term),
}

/// A rank in the form of a formula: `E >= 0`, or `\subset(S, S)`.
#[must_use]
pub fn rank_as_formula(rank: Rank) -> Formula {
    match rank {
        Rank::Number(term) => Formula::Compare(Cmp::Ge, term, Term::Int(0)),
        Rank::Cells(set) => Formula::Subset(set.clone(), set),
        Rank::Tree(left, right, at, term) => Formula::Tree(left, right, at, term),
    }
}

/// The rank that a formula stands for.
#[must_use]
pub fn rank_of(formula: &Formula) -> Option<Rank> {
    match formula {
        Formula::Compare(Cmp::Ge, term, Term::Int(0)) => Some(Rank::Number(term.clone())),
        Formula::Subset(a, b) if a == b => Some(Rank::Cells(a.clone())),
        Formula::Tree(left, right, at, term) => Some(Rank::Tree(*left, *right, *at, term.clone())),
        _ => None,
    }
}

impl Rank {
    /// The rank read at other moments.
    #[must_use]
    pub fn at(&self, moment: &dyn Fn(At) -> At) -> Rank {
        let rewrite = Rewrite { terms: &[], at: moment };
        match self {
            Rank::Number(term) => Rank::Number(rewrite.term(term)),
            Rank::Cells(set) => Rank::Cells(rewrite.set(set)),
            Rank::Tree(left, right, at, term) => Rank::Tree(*left, *right, moment(*at), rewrite.term(term)),
        }
    }
}

/// `new` is smaller than `old`, and `old` is a value that a rank can have.
fn smaller(old: &Rank, new: &Rank) -> Formula {
    match (old, new) {
        (Rank::Number(old), Rank::Number(new)) => Formula::And(vec![
            Formula::Compare(Cmp::Ge, old.clone(), Term::Int(0)),
            Formula::Compare(Cmp::Lt, new.clone(), old.clone()),
        ]),
        // Its first cell is one that is missing in the other.
        (Rank::Cells(old @ Set::Cells(_, _, first, _)), Rank::Cells(new)) => Formula::And(vec![
            Formula::In((**first).clone(), old.clone()),
            Formula::Not(Box::new(Formula::In((**first).clone(), new.clone()))),
            Formula::Subset(new.clone(), old.clone()),
        ]),
        (Rank::Cells(old), Rank::Cells(new)) => Formula::And(vec![
            Formula::Subset(new.clone(), old.clone()),
            Formula::Not(Box::new(Formula::Subset(old.clone(), new.clone()))),
        ]),
        (Rank::Tree(left, right, at, old), Rank::Tree(l, r, _, new)) if (left, right) == (l, r) => {
            let child =
                |field: &FieldId| Formula::eq(new.clone(), Term::Field(*field, *at, Box::new(old.clone())));
            Formula::And(vec![
                Formula::Valid(old.clone(), *at),
                Formula::Or(vec![child(left), child(right)]),
                Formula::Tree(*left, *right, *at, old.clone()),
            ])
        }
        _ => Formula::Const(false),
    }
}

fn same(old: &Rank, new: &Rank) -> Formula {
    match (old, new) {
        (Rank::Number(old), Rank::Number(new)) => Formula::eq(old.clone(), new.clone()),
        (Rank::Cells(old), Rank::Cells(new)) => Formula::SameSet(old.clone(), new.clone()),
        (Rank::Tree(.., old), Rank::Tree(.., new)) => Formula::eq(old.clone(), new.clone()),
        _ => Formula::Const(false),
    }
}

/// The first rank that changes becomes smaller. Lists of different lengths are compared as far as both go.
#[must_use]
pub fn decreases(old: &[Rank], new: &[Rank]) -> Formula {
    let mut ways = Vec::new();
    for (i, (before, after)) in old.iter().zip(new).enumerate() {
        let kept = old[..i].iter().zip(new).map(|(a, b)| same(a, b));
        ways.push(Formula::all(kept.chain([smaller(before, after)])));
    }
    match ways.len() {
        0 => Formula::Const(false),
        1 => ways.remove(0),
        _ => Formula::Or(ways),
    }
}
