//! Interpolants by projection, for refutations that cannot be split (cuts, integer equalities that neither side
//! can name).
//!
//! The strongest interpolant of a cut is what the prefix says about the shared symbols, the weakest is that the
//! suffix does not. Each is computed exactly, by eliminating the constants that only one side has: by a conjunct that
//! defines one, or, among inequalities in which it has the factor 1 or -1, by adding each upper to each lower
//! bound (Fourier and Motzkin; with such factors exact over the integers). The strongest ones up to some cut followed by the
//! weakest ones form a sequence: what the prefix says and the next group imply what the longer prefix says; it
//! contradicts the suffix; and if a longer suffix is contradicted, then the next group contradicts the shorter one.
//!
//! Constants under other factors, or within disjunctions, need divisibility and cases (`cooper`); that is done
//! where the caller has quotients to say it with. Deliberately missing: functions of one side.

use super::cooper;
use super::quotients::Quotients;
use super::vocabulary::{Vocabulary, symbols};
use crate::logic::{BuildError, FuncId, LinearForm, Op, SortId, TermId, Terms};
use crate::util::num::Int;
use crate::util::options;

/// Interpolants at all cuts, if the constants of one side can be eliminated.
pub(super) fn sequence(
    terms: &mut Terms,
    groups: &[Vec<TermId>],
    mut quotients: Option<&mut Quotients>,
) -> Result<Option<Vec<TermId>>, BuildError> {
    let vocabulary = Vocabulary::of(terms, groups);
    let mut strong = Vec::new();
    for cut in 1..groups.len() {
        let Some(prefix) = project(terms, &groups[..cut], &vocabulary, cut, quotients.as_deref_mut())? else {
            break;
        };
        strong.push(prefix);
    }
    let mut all = strong;
    for cut in all.len() + 1..groups.len() {
        let Some(suffix) = project(terms, &groups[cut..], &vocabulary, cut, quotients.as_deref_mut())? else {
            return Ok(None);
        };
        all.push(terms.not(suffix)?);
    }
    Ok(Some(all))
}

/// What the groups say about the symbols of both sides of the cut.
fn project(
    terms: &mut Terms,
    groups: &[Vec<TermId>],
    vocabulary: &Vocabulary,
    cut: usize,
    quotients: Option<&mut Quotients>,
) -> Result<Option<TermId>, BuildError> {
    let mut conjuncts: Vec<TermId> = Vec::new();
    groups.iter().flatten().for_each(|&f| flatten(terms, f, &mut conjuncts));
    let of_theory: Vec<FuncId> = quotients.as_ref().map_or_else(Vec::new, |q| q.symbols());
    let own = |f: &FuncId| !of_theory.contains(f) && !vocabulary.crosses(*f, cut);
    if let Some(quotients) = &quotients {
        let named = quotients.named(terms, &conjuncts, &|f| own(&f))?;
        conjuncts.clear();
        named.into_iter().for_each(|f| flatten(terms, f, &mut conjuncts));
    }
    loop {
        if conjuncts.len() > options::INTERPOLANTS_CONJUNCTS.size() {
            return Ok(None);
        }
        let locals: Vec<FuncId> = symbols(terms, &conjuncts).into_iter().filter(own).collect();
        if locals.is_empty() {
            return Ok(Some(terms.and(&conjuncts)?));
        }
        let mut next = None;
        for &local in &locals {
            next = eliminate(terms, &conjuncts, local)?;
            if next.is_some() {
                break;
            }
        }
        match next {
            Some(rest) => conjuncts = rest,
            None => {
                let Some(quotients) = quotients else { return Ok(None) };
                let integer =
                    |&f: &FuncId| terms.func(f).args.is_empty() && terms.func(f).result == SortId::INT;
                if !locals.iter().all(integer) {
                    return Ok(None);
                }
                let rest = cooper::eliminate(terms, &conjuncts, &locals, quotients)?;
                return rest.map(|all| terms.and(&all)).transpose();
            }
        }
    }
}

fn flatten(terms: &Terms, formula: TermId, out: &mut Vec<TermId>) {
    match terms.op(formula) {
        Op::And => terms.children(formula).iter().for_each(|&c| flatten(terms, c, out)),
        Op::True => {}
        _ => out.push(formula),
    }
}

/// The conjuncts without the constant, saying the same about everything else.
fn eliminate(
    terms: &mut Terms,
    conjuncts: &[TermId],
    constant: FuncId,
) -> Result<Option<Vec<TermId>>, BuildError> {
    for (i, &conjunct) in conjuncts.iter().enumerate() {
        if let Some(value) = definition(terms, conjunct, constant)? {
            let mut out = Vec::new();
            for (j, &other) in conjuncts.iter().enumerate() {
                if i != j {
                    let replaced = replace(terms, other, constant, value);
                    flatten(terms, replaced, &mut out);
                }
            }
            return Ok(Some(out));
        }
    }
    bounds(terms, conjuncts, constant)
}

pub(super) fn mentions(terms: &Terms, term: TermId, constant: FuncId) -> bool {
    symbols(terms, &[term]).binary_search(&constant).is_ok()
}

/// The value that the conjunct gives to the constant.
fn definition(terms: &mut Terms, conjunct: TermId, constant: FuncId) -> Result<Option<TermId>, BuildError> {
    let is_it = |terms: &Terms, t: TermId| terms.op(t) == Op::App(constant) && terms.children(t).is_empty();
    if is_it(terms, conjunct) {
        return Ok(Some(Terms::TRUE));
    }
    let (a, b) = match (terms.op(conjunct), terms.children(conjunct)) {
        (Op::Not, &[inner]) if is_it(terms, inner) => return Ok(Some(Terms::FALSE)),
        (Op::Eq | Op::Iff, &[a, b]) => (a, b),
        _ => return Ok(None),
    };
    if terms.sort(a) != SortId::INT {
        let defines = |x, t| is_it(terms, x) && !mentions(terms, t, constant);
        return Ok(if defines(a, b) {
            Some(b)
        } else if defines(b, a) {
            Some(a)
        } else {
            None
        });
    }
    let form = terms.linear_form(a).add_scaled(&terms.linear_form(b), &Int::from(-1));
    let Some((x, factor)) = alone(terms, &form, constant) else { return Ok(None) };
    // c x + rest = 0 with c = 1 or -1: x = -c rest.
    let rest = form.add_scaled(&LinearForm::term(x), &-&factor);
    Ok(Some(sum(terms, &rest.scaled(&-&factor))?))
}

/// The constant's term and its factor, if that is 1 or -1 and the constant is nowhere else in the sum.
fn alone(terms: &Terms, form: &LinearForm, constant: FuncId) -> Option<(TermId, Int)> {
    let mut with = form.terms.iter().filter(|(t, _)| mentions(terms, *t, constant));
    let (term, factor) = with.next()?;
    let single = with.next().is_none() && terms.op(*term) == Op::App(constant);
    (single && (*factor == Int::from(1) || *factor == Int::from(-1))).then(|| (*term, factor.clone()))
}

pub(super) fn sum(terms: &mut Terms, form: &LinearForm) -> Result<TermId, BuildError> {
    let mut summands = vec![terms.int(form.constant.clone())];
    for (term, factor) in &form.terms {
        let factor = terms.int(factor.clone());
        summands.push(terms.mul(factor, *term)?);
    }
    terms.add(&summands)
}

fn replace(terms: &mut Terms, root: TermId, constant: FuncId, value: TermId) -> TermId {
    if !mentions(terms, root, constant) {
        return root;
    }
    if terms.op(root) == Op::App(constant) && terms.children(root).is_empty() {
        return value;
    }
    let children: Vec<TermId> = terms.children(root).to_vec();
    let children: Vec<TermId> = children.into_iter().map(|c| replace(terms, c, constant, value)).collect();
    terms.rebuild(root, &children)
}

/// Upper and lower bounds of the constant added up; `None` if it occurs elsewhere.
fn bounds(
    terms: &mut Terms,
    conjuncts: &[TermId],
    constant: FuncId,
) -> Result<Option<Vec<TermId>>, BuildError> {
    let (mut out, mut upper, mut lower) = (Vec::new(), Vec::new(), Vec::new());
    for &conjunct in conjuncts {
        if !mentions(terms, conjunct, constant) {
            out.push(conjunct);
            continue;
        }
        let Some(form) = at_most_zero(terms, conjunct) else { return Ok(None) };
        match alone(terms, &form, constant) {
            Some((_, factor)) if factor == Int::from(1) => upper.push(form),
            Some(_) => lower.push(form),
            None => return Ok(None),
        }
    }
    for up in &upper {
        for low in &lower {
            let both = sum(terms, &up.add_scaled(low, &Int::from(1)))?;
            let zero = terms.int(0);
            let bound = terms.le(both, zero)?;
            flatten(terms, bound, &mut out);
        }
    }
    Ok(Some(out))
}

/// The form that the literal says is at most 0.
pub(super) fn at_most_zero(terms: &Terms, literal: TermId) -> Option<LinearForm> {
    let (atom, positive) = match terms.op(literal) {
        Op::Not => (terms.children(literal)[0], false),
        _ => (literal, true),
    };
    let Op::Le(bound) = terms.op(atom) else { return None };
    let left = terms.linear_form(terms.children(atom)[0]);
    let form = left.add_scaled(&LinearForm::number(terms.number(bound).clone()), &Int::from(-1));
    // not (e <= k) is k + 1 - e <= 0.
    let above = || form.scaled(&Int::from(-1)).add_scaled(&LinearForm::number(Int::from(1)), &Int::from(1));
    Some(if positive { form } else { above() })
}
