//! Clauses that hold by the meaning of one connective.
//!
//! The children of the connective are atoms (up to their sign) and nothing is known about them. `And` and
//! `Or` have any number of children, so their clauses are recognised by shape; `Iff` and `Ite` have at most
//! three, so all truth values are tried. Literals beyond those needed do no harm.

use super::error::{Fault, show, show_clause};
use crate::logic::{Op, SortId, TermId, Terms};
use crate::proof::Literal;
use crate::util::hash::Set;
use crate::util::num::Int;

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
        Op::Distinct => is_some_pair(terms, node, &literals),
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

/// `node`, or some pair of its terms is equal: the clause has the equality of every pair that can be equal,
/// as a literal or as a negated conjunct of a negated conjunction.
fn is_some_pair(terms: &Terms, node: TermId, literals: &Set<Literal>) -> bool {
    let mut equal: Set<[TermId; 2]> = Set::default();
    let mut note = |literal: Literal| {
        if let (Op::Eq, true, &[left, right]) =
            (terms.op(literal.atom), literal.positive, terms.children(literal.atom))
        {
            equal.insert([left, right]);
        }
    };
    for &literal in literals {
        note(literal);
        if !literal.positive && terms.op(literal.atom) == Op::And {
            terms.children(literal.atom).iter().for_each(|&part| note(Literal::new(terms, part, false)));
        }
    }
    let items = terms.children(node);
    let covered = |left: TermId, right: TermId| {
        equal.contains(&[left.min(right), left.max(right)]) || can_never_be_equal(terms, left, right)
    };
    literals.contains(&Literal { atom: node, positive: true })
        && items.iter().enumerate().all(|(i, &left)| items[i + 1..].iter().all(|&right| covered(left, right)))
}

/// Integers whose difference is a number other than 0, or is no multiple of what divides its coefficients.
fn can_never_be_equal(terms: &Terms, left: TermId, right: TermId) -> bool {
    if terms.sort(left) != SortId::INT {
        return false;
    }
    let difference = terms.linear_form(left).add_scaled(&terms.linear_form(right), &Int::from(-1));
    match difference.is_number() {
        true => !difference.constant.is_zero(),
        false => !difference.constant.mod_floor(&difference.content()).is_zero(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_distinct_has_an_equal_pair() {
        let mut t = Terms::new();
        t.unfolded_distinct = 2;
        let sort = t.declare_sort("S").unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| t.declare_const(name, sort).unwrap());
        let node = t.distinct(&[a, b, c]).unwrap();
        let [ab, ac, bc] = [(a, b), (a, c), (b, c)].map(|(x, y)| t.eq(x, y).unwrap());
        let literal = |atom, positive| Literal { atom, positive };
        let all = [literal(node, true), literal(ab, true), literal(ac, true), literal(bc, true)];
        assert!(check_connective(&t, node, &all).is_ok());
        for missing in 0..all.len() {
            let mut fewer = all.to_vec();
            fewer.remove(missing);
            assert!(check_connective(&t, node, &fewer).is_err());
            let mut wrong = all.to_vec();
            wrong[missing].positive = false;
            assert!(check_connective(&t, node, &wrong).is_err());
        }
        let pairs = t.mk_all_pairs(&[a, b, c]);
        assert!(check_connective(&t, node, &[literal(node, true), literal(pairs, false)]).is_ok());
        let two = t.mk_all_pairs(&[a, b]);
        let (atom, _) = t.strip_not(two);
        assert!(check_connective(&t, node, &[literal(node, true), literal(atom, true)]).is_err());
        // Numbers that are never equal need no literal.
        let i = t.declare_const("i", SortId::INT).unwrap();
        let one = t.int(1);
        let more = t.add(&[i, one]).unwrap();
        let node = t.distinct(&[i, more, one]).unwrap();
        let [first, second] = [(i, one), (more, one)].map(|(x, y)| t.eq(x, y).unwrap());
        let literals = [literal(node, true), literal(first, true), literal(second, true)];
        assert!(check_connective(&t, node, &literals).is_ok());
        assert!(check_connective(&t, node, &literals[..2]).is_err());
    }
}
