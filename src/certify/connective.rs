//! Clauses that hold by the meaning of one connective.
//!
//! The children of the connective are atoms (up to their sign) and nothing is known about them. `And` and
//! `Or` have any number of children, so their clauses are recognised by shape; `Iff` and `Ite` have at most
//! three, so all truth values are tried. Literals beyond those needed do no harm.

use super::error::{Fault, show, show_clause};
use crate::logic::{Op, SortId, TermId, Terms};
use crate::proof::Literal;
use crate::util::hash::Set;

/// Whether the clause follows from the meaning of the head of `node`.
pub(super) fn check_connective(terms: &Terms, node: TermId, clause: &[Literal]) -> Result<(), Fault> {
    let literals: Set<Literal> = clause.iter().copied().collect();
    let follows = match terms.op(node) {
        Op::True | Op::False => is_trivial(&literals),
        Op::And => follows_from_junction(terms, node, &literals, true),
        Op::Or => follows_from_junction(terms, node, &literals, false),
        Op::Iff => holds_in_all_cases(terms, node, &literals, |v| v[0] == v[1]),
        Op::Ite if terms.sort(node) == SortId::BOOL => {
            holds_in_all_cases(terms, node, &literals, |v| if v[0] { v[1] } else { v[2] })
        }
        Op::Ite => is_choice(terms, node, &literals),
        _ => return Err(Fault::NoConnective(show(terms, node))),
    };
    if follows {
        return Ok(());
    }
    Err(Fault::NotAConsequence { node: show(terms, node), clause: show_clause(terms, clause) })
}

/// The clause contains `true` or `not false`.
fn is_trivial(literals: &Set<Literal>) -> bool {
    literals.contains(&Literal { atom: Terms::TRUE, positive: true })
        || literals.contains(&Literal { atom: Terms::FALSE, positive: false })
}

/// A conjunction is false or each child true, a child false or the conjunction true; the dual for `or`.
fn follows_from_junction(terms: &Terms, node: TermId, literals: &Set<Literal>, conjunction: bool) -> bool {
    let children = terms.children(node);
    let has = |formula, sign| literals.contains(&Literal::new(terms, formula, sign));
    let one_child = has(node, !conjunction) && children.iter().any(|&c| has(c, conjunction));
    let all_children = has(node, conjunction) && children.iter().all(|&c| has(c, !conjunction));
    one_child || all_children
}

/// Whatever the truth values of the children, some literal over them or the node is true.
fn holds_in_all_cases(
    terms: &Terms,
    node: TermId,
    literals: &Set<Literal>,
    meaning: impl Fn(&[bool]) -> bool,
) -> bool {
    let children: Vec<(TermId, bool)> = terms.children(node).iter().map(|&c| terms.strip_not(c)).collect();
    let mut atoms: Vec<TermId> = children.iter().map(|&(atom, _)| atom).collect();
    atoms.sort_unstable();
    atoms.dedup();
    (0..1u32 << atoms.len()).all(|case| {
        let value = |atom| {
            let bit = atoms.iter().position(|&a| a == atom).expect("the atom of a child");
            case >> bit & 1 == 1
        };
        if value_contradicts_constant(&atoms, value) {
            return true;
        }
        let values: Vec<bool> = children.iter().map(|&(atom, plain)| value(atom) == plain).collect();
        let whole = Literal { atom: node, positive: meaning(&values) };
        literals.contains(&whole)
            || atoms.iter().any(|&atom| literals.contains(&Literal { atom, positive: value(atom) }))
    })
}

/// `true` and `false` may be children, but not with any value.
fn value_contradicts_constant(atoms: &[TermId], value: impl Fn(TermId) -> bool) -> bool {
    atoms.iter().any(|&a| (a == Terms::TRUE && !value(a)) || (a == Terms::FALSE && value(a)))
}

/// `not c or node = then`, or `c or node = else`.
fn is_choice(terms: &Terms, node: TermId, literals: &Set<Literal>) -> bool {
    let &[condition, then, otherwise] = terms.children(node) else { return false };
    let equal_to = |branch: TermId| {
        let pair = [node.min(branch), node.max(branch)];
        literals.iter().any(|l| {
            l.positive && matches!(terms.op(l.atom), Op::Eq) && terms.children(l.atom) == pair.as_slice()
        })
    };
    let has = |sign| literals.contains(&Literal::new(terms, condition, sign));
    (has(false) && equal_to(then)) || (has(true) && equal_to(otherwise))
}
