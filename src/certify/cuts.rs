//! Cutting planes: integer combinations of inequalities, divided and rounded.
//!
//! An inequality is a linear form that is at most 0, an equality one that is 0; the constant summand is
//! minus the bound. Forms are over terms as they stand. That two terms are equal by congruence is used only
//! where a cut says so ([`Source::Equal`]).

use super::closure::Closure;
use super::error::{Fault, show, show_literal};
use super::proof::expect_sort;
use crate::logic::{LinearForm, Op, SortId, TermId, Terms, print};
use crate::proof::{Cut, Literal, Source};
use crate::util::num::Int;

/// Whether the cuts refute the negation of the clause. Ids have been validated.
pub(super) fn check_cuts(
    terms: &Terms,
    clause: &[Literal],
    cuts: &[Cut],
    closure: &mut Closure<'_>,
) -> Result<(), Fault> {
    let mut done: Vec<LinearForm> = Vec::with_capacity(cuts.len());
    for (at, cut) in cuts.iter().enumerate() {
        let mut sum = LinearForm::default();
        for (multiplier, source) in &cut.sum {
            let is_equality = match source {
                Source::Hypothesis(number) => {
                    let (form, is_equality) = hypothesis(terms, clause, at, *number)?;
                    sum = sum.add_scaled(&form, multiplier);
                    is_equality
                }
                Source::Equal(left, right) => {
                    sum = sum.add_scaled(&equality(terms, closure, *left, *right)?, multiplier);
                    true
                }
                Source::Cut(number) => {
                    let form = done.get(*number).ok_or(Fault::NoEarlierCut { at, found: *number })?;
                    sum = sum.add_scaled(form, multiplier);
                    false
                }
            };
            if multiplier.is_negative() && !is_equality {
                return Err(Fault::NegativeMultiplier { at, found: multiplier.to_string() });
            }
        }
        done.push(divided(&sum));
    }
    match done.last() {
        Some(last) if last.is_number() && last.constant.is_positive() => Ok(()),
        Some(last) => Err(Fault::NoRefutation(show_inequality(terms, last))),
        None => Err(Fault::NoRefutation("no cuts".to_owned())),
    }
}

/// The negation of a literal of the clause as a form, and whether it is an equality.
fn hypothesis(
    terms: &Terms,
    clause: &[Literal],
    at: usize,
    number: usize,
) -> Result<(LinearForm, bool), Fault> {
    let Some(&literal) = clause.get(number) else {
        return Err(Fault::NoHypothesis { at, expected: clause.len(), found: number });
    };
    let children = terms.children(literal.atom);
    match terms.op(literal.atom) {
        Op::Le(bound) => {
            let bound = LinearForm::number(terms.number(bound).clone());
            let form = terms.linear_form(children[0]).add_scaled(&bound, &Int::from(-1));
            if !literal.positive {
                return Ok((form, false));
            }
            // Not e - k <= 0 is k - e + 1 <= 0.
            Ok((LinearForm::number(Int::from(1)).add_scaled(&form, &Int::from(-1)), false))
        }
        Op::Eq if !literal.positive && terms.sort(children[0]) == SortId::INT => {
            Ok((difference(terms, children[0], children[1]), true))
        }
        _ => Err(Fault::NotArithmetic { at, found: show_literal(terms, !literal) }),
    }
}

/// `left - right`, which is 0 because the terms are in one class.
fn equality(
    terms: &Terms,
    closure: &mut Closure<'_>,
    left: TermId,
    right: TermId,
) -> Result<LinearForm, Fault> {
    expect_sort(terms, left, SortId::INT)?;
    expect_sort(terms, right, SortId::INT)?;
    if closure.class(left) != closure.class(right) {
        return Err(Fault::NotEqual { left: show(terms, left), right: show(terms, right) });
    }
    Ok(difference(terms, left, right))
}

fn difference(terms: &Terms, left: TermId, right: TermId) -> LinearForm {
    terms.linear_form(left).add_scaled(&terms.linear_form(right), &Int::from(-1))
}

/// The inequality divided by the content of its form; the bound is rounded down, so the constant up.
fn divided(form: &LinearForm) -> LinearForm {
    let content = form.content();
    if content.is_zero() {
        return form.clone();
    }
    LinearForm {
        terms: form.terms.iter().map(|(t, c)| (*t, c.div_floor(&content))).collect(),
        constant: form.constant.div_ceil(&content),
    }
}

fn show_inequality(terms: &Terms, form: &LinearForm) -> String {
    let mut summands: Vec<String> = form
        .terms
        .iter()
        .map(|(term, c)| format!("(* {} {})", print::number(c), print::brief(terms, *term)))
        .collect();
    if summands.is_empty() {
        summands.push("0".to_owned());
    }
    format!("{} <= {}", summands.join(" + "), -&form.constant)
}
