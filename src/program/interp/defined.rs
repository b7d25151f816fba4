//! Which fields and elements have a value, and whether a formula looks at those only.

use super::super::formula::{At, Formula, Term};
use super::super::state::{State, Value};

/// Fields of new cells and elements of local arrays that nobody has written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Undefined {
    /// By cell, a bit per slot.
    pub masks: Vec<u64>,
    pub count: u64,
    /// By variable and element.
    pub elements: Vec<Vec<bool>>,
}

/// Whether the formula looks only at variables, at whether the cells that they point to are allocated, and at fields of
/// those cells that have a value.
pub(super) fn is_defined(formula: &Formula, state: &State, undefined: &Undefined) -> bool {
    let inside = |formula: &Formula| is_defined(formula, state, undefined);
    let known = |term: &Term| match term {
        Term::Var(_, At::Now) | Term::Null(_) | Term::Int(_) => true,
        Term::Field(field, At::Now, base) => match **base {
            Term::Var(x, At::Now) => match state.var(x) {
                Value::Cell(cell) => {
                    let slot = state.slot(*field);
                    slot < 64 && undefined.masks.get(cell.index()).is_none_or(|m| m >> slot & 1 == 0)
                }
                _ => false,
            },
            _ => false,
        },
        _ => false,
    };
    match formula {
        Formula::Const(_) => true,
        Formula::Not(inner) => inside(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(inside),
        Formula::Implies(a, b) | Formula::Iff(a, b) => inside(a) && inside(b),
        Formula::Compare(_, a, b) => known(a) && known(b),
        Formula::Valid(term, At::Now) | Formula::Freed(term, At::Now) => {
            matches!(term, Term::Var(_, At::Now))
        }
        _ => false,
    }
}
