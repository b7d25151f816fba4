//! Where the truth of a formula may change along an integer variable, as terms.
//!
//! If a universal formula over the integers fails in a model, an instance at a *number* excludes little more than
//! that model: `forall i. c <= i` with c = 0 would be instantiated at -1, -2, -3, ... for ever. An instance at
//! `c - 1` is final. So the variable is first given the terms that its body compares it with, and their
//! neighbours: where all comparisons are with coefficient 1 and no function is applied to the variable, these
//! and the two ends are enough (Cooper's elimination). For the rest the caller takes numbers.

use crate::logic::{LinearForm, Op, SortId, TermId, Terms, VarId};
use crate::util::hash::Set;
use crate::util::num::Int;
use crate::util::options;

/// Terms over the other variables of the quantifier at which its body may change its truth.
pub(crate) fn boundaries(terms: &mut Terms, forall: TermId, variable: VarId) -> Vec<TermId> {
    let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
    let around: Vec<VarId> = terms.quantifier(id).variables.clone();
    let mut forms: Vec<(LinearForm, [i64; 2])> = Vec::new();
    let mut seen: Set<TermId> = Set::default();
    let mut open = vec![terms.children(forall)[0]];
    while let Some(term) = open.pop() {
        if !seen.insert(term) || !terms.free_variables(term).contains(&variable) {
            continue;
        }
        let children = terms.children(term);
        open.extend(children);
        match terms.op(term) {
            Op::Le(bound) => {
                let bound = LinearForm::number(terms.number(bound).clone());
                let form = terms.linear_form(children[0]).add_scaled(&bound, &Int::from(-1));
                if let Some((factor, other)) = isolated(terms, &form, variable) {
                    forms.push((other, if factor.is_positive() { [0, 1] } else { [-1, 0] }));
                }
            }
            Op::Eq | Op::Distinct if terms.sort(children[0]) == SortId::INT => {
                for (i, &left) in children.iter().enumerate() {
                    for &right in &children[i + 1..] {
                        let form = terms.linear_form(left);
                        let form = form.add_scaled(&terms.linear_form(right), &Int::from(-1));
                        if let Some((_, other)) = isolated(terms, &form, variable) {
                            forms.extend([(other.clone(), [0, 1]), (other, [-1, 0])]);
                        }
                    }
                }
            }
            _ => {}
        }
        if forms.len() >= options::SOLVER_BOUNDARIES.size() {
            break;
        }
    }
    let mut found: Vec<TermId> = Vec::new();
    for (form, offsets) in forms {
        for offset in offsets {
            let form = form.add_scaled(&LinearForm::number(Int::from(offset)), &Int::from(1));
            let term = terms.mk_linear(form);
            let known = terms.free_variables(term).iter().all(|v| around.contains(v) && *v != variable);
            if known && !found.contains(&term) {
                found.push(term);
            }
        }
    }
    found.truncate(options::SOLVER_BOUNDARIES.size());
    found
}

/// The coefficient of the variable in a form, and the form that it equals where the whole is zero; if the
/// coefficient is 1 or -1.
fn isolated(terms: &Terms, form: &LinearForm, variable: VarId) -> Option<(Int, LinearForm)> {
    let (at, factor) = form.terms.iter().find(|(t, _)| terms.op(*t) == Op::Var(variable))?;
    if !factor.abs().is_one() {
        return None;
    }
    // factor * v + rest = 0, so v = -rest / factor = -factor * rest.
    let rest = form.add_scaled(&LinearForm::term(*at), &-factor);
    Some((factor.clone(), rest.scaled(&-factor)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::smtlib;
    use crate::logic::print;

    #[test]
    fn comparisons_give_their_ends() {
        let cases = [
            ("(< x i)", "x, (+ x 1)"),
            ("(<= i (+ x (f y)))", "(+ x (f y)), (+ x (f y) 1)"),
            ("(= (- i) x)", "(* (- 1) x), (+ (* (- 1) x) 1), (+ (* (- 1) x) (- 1))"),
            ("(< (* 2 i) x)", ""),
            ("(< (+ i (f i)) x)", ""),
        ];
        for (body, expected) in cases {
            let mut terms = Terms::new();
            let text = format!(
                "(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)
                (assert (forall ((i Int)) {body}))"
            );
            let script = smtlib::read(&text, &mut terms).expect("well-formed");
            let forall = script.formulas()[0];
            let Op::Forall(id) = terms.op(forall) else { panic!("a quantifier") };
            let variable = terms.quantifier(id).variables[0];
            let found = boundaries(&mut terms, forall, variable);
            let found: Vec<String> = found.iter().map(|&t| print::term(&terms, t)).collect();
            assert_eq!(found.join(", "), expected, "{body}");
        }
    }
}
