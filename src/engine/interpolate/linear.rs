//! Linear integers: conflicts by the simplex, interpolants as partial sums of its multipliers (Farkas).

use super::Failure;
use super::clauses::{Atom, Lit, Problem};
use crate::engine::arith::{Arith, ArithVar, Source};
use crate::logic::{LinearForm, Op, TermId, Terms};
use crate::util::hash::Map;
use crate::util::limits::Budget;
use crate::util::num::Int;

/// Inequalities with positive factors whose sum is a contradiction.
pub(super) type Sum = Vec<(Int, Lit)>;

/// What a set of literals is over the integers.
pub(super) enum Linear {
    /// A solution; the value by term that is not a sum.
    Values(Map<TermId, Int>),
    /// No rational solution.
    Conflict(Sum),
    /// Split on `term <= number`.
    Branch(TermId, Int),
}

/// `form <= 0` of a literal over an inequality.
fn form(terms: &Terms, problem: &Problem, lit: Lit) -> Option<LinearForm> {
    let term = problem.atoms[lit.var()].term;
    let Op::Le(bound) = terms.op(term) else { return None };
    let left = terms.linear_form(terms.children(term)[0]);
    let mut form = left.add_scaled(&LinearForm::number(terms.number(bound).clone()), &Int::from(-1));
    if !lit.is_positive() {
        // not (e <= k) is k + 1 - e <= 0.
        form = form.scaled(&Int::from(-1)).add_scaled(&LinearForm::number(Int::from(1)), &Int::from(1));
    }
    Some(form)
}

/// Decides the inequalities among the literals.
pub(super) fn solve(
    terms: &Terms,
    problem: &Problem,
    literals: &[Lit],
    budget: &mut Budget,
) -> Result<Linear, Failure> {
    let mut arith = Arith::new();
    let mut unknowns: Map<TermId, ArithVar> = Map::default();
    let mut order: Vec<TermId> = Vec::new();
    let conflict = |sum: Vec<(Int, Source)>| {
        let mut out = Sum::new();
        for (factor, source) in sum {
            match source {
                Source::Bound(premise) => out.push((factor, literals[premise.reason as usize])),
                Source::Step(_) => return Err(Failure::Unable("a cut in a refutation".to_owned())),
            }
        }
        Ok(Linear::Conflict(out))
    };
    for (i, &lit) in literals.iter().enumerate() {
        if problem.atoms[lit.var()].atom != Atom::AtMost {
            continue;
        }
        let Some(form) = form(terms, problem, lit) else { continue };
        let mut sum = Vec::new();
        for (term, coefficient) in &form.terms {
            let var = *unknowns.entry(*term).or_insert_with(|| {
                order.push(*term);
                arith.new_var()
            });
            sum.push((coefficient.clone(), var));
        }
        let var = arith.linear(&sum);
        let bound = -&form.constant;
        if let Err(found) = arith.assert_upper(var, &bound, i as u32) {
            return conflict(
                found.derivation.steps.into_iter().next_back().map(|s| s.sum).unwrap_or_default(),
            );
        }
    }
    if let Err(found) = arith.check(budget)? {
        let [step] = &found.derivation.steps[..] else {
            return Err(Failure::Unable("a cut in a refutation".to_owned()));
        };
        return conflict(step.sum.clone());
    }
    let mut values = Map::default();
    for term in order {
        let value = arith.value(unknowns[&term]);
        match value.to_int() {
            Some(value) => {
                values.insert(term, value);
            }
            None => return Ok(Linear::Branch(term, value.floor())),
        }
    }
    Ok(Linear::Values(values))
}

/// The sum of the summands of the prefix: symbols that only it has cancel out.
pub(super) fn interpolant(
    terms: &mut Terms,
    problem: &Problem,
    sum: &Sum,
    cut: usize,
) -> Result<TermId, Failure> {
    let mut total = LinearForm::default();
    for (factor, lit) in sum {
        if !problem.in_suffix(lit.var(), cut) {
            let form = form(terms, problem, *lit)
                .ok_or_else(|| Failure::Unable("a summand that is no inequality".to_owned()))?;
            total = total.add_scaled(&form, factor);
        }
    }
    let mut summands = Vec::new();
    for (term, coefficient) in &total.terms {
        let factor = terms.int(coefficient.clone());
        summands.push(terms.mul(factor, *term)?);
    }
    let left = terms.add(&summands)?;
    let right = terms.int(-&total.constant);
    Ok(terms.le(left, right)?)
}
