//! Elimination of integer constants from linear formulas, exactly, after Cooper ("Theorem proving in arithmetic
//! without multiplication"): what remains may speak of divisibility.
//!
//! A formula is brought into cubes of equations, inequalities and divisibilities. A constant with an equation is
//! substituted, which leaves that its factor divides the rest. Otherwise its factors are made equal (`y` stands
//! for that multiple of it) and one of three things holds: all bounds of one side are absent, then some residue
//! is fine; or, with factor 1 on one side and no divisibility, each upper bound is at least each lower one; or `y`
//! is a lower bound plus less than the common multiple of the divisors.
//!
//! Everything is bounded by [`interpolants.cubes`] and [`MAX_RESIDUES`]; beyond, nothing is answered.

use super::projection::{at_most_zero, mentions, sum};
use super::quotients::Quotients;
use crate::logic::{BuildError, FuncId, LinearForm, Op, SortId, TermId, Terms};
use crate::util::num::Int;
use crate::util::options;

const MAX_RESIDUES: i64 = 64;

/// A conjunction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cube {
    /// Zero.
    equal: Vec<LinearForm>,
    /// At most zero.
    at_most: Vec<LinearForm>,
    /// Divided by the number.
    divided: Vec<(Int, LinearForm)>,
    /// Literals without the constants to be eliminated.
    others: Vec<TermId>,
}

/// The formulas without the constants, saying the same about everything else; `None` where that is beyond us.
pub(super) fn eliminate(
    terms: &mut Terms,
    conjuncts: &[TermId],
    locals: &[FuncId],
    quotients: &mut Quotients,
) -> Result<Option<Vec<TermId>>, BuildError> {
    let mut out = Vec::new();
    let mut cubes = vec![Cube::default()];
    for &conjunct in conjuncts {
        if !mentions_any(terms, conjunct, locals) {
            out.push(conjunct);
            continue;
        }
        let Some(parts) = cubes_of(terms, conjunct, true, locals)? else { return Ok(None) };
        let Some(next) = product(&cubes, &parts) else { return Ok(None) };
        cubes = next;
    }
    for &local in locals {
        let constant = terms.app(local, &[])?;
        let mut next = Vec::new();
        for cube in cubes {
            let Some(rest) = without(&cube, constant) else { return Ok(None) };
            for cube in rest.into_iter().filter_map(Cube::simplified) {
                if !next.contains(&cube) {
                    next.push(cube);
                }
            }
            if next.len() > options::INTERPOLANTS_CUBES.size() {
                return Ok(None);
            }
        }
        cubes = next;
    }
    let mut disjuncts = Vec::new();
    for cube in cubes {
        disjuncts.push(cube.term(terms, quotients)?);
    }
    out.push(terms.or(&disjuncts)?);
    Ok(Some(out))
}

fn mentions_any(terms: &Terms, term: TermId, locals: &[FuncId]) -> bool {
    locals.iter().any(|&l| mentions(terms, term, l))
}

fn product(left: &[Cube], right: &[Cube]) -> Option<Vec<Cube>> {
    if left.len() * right.len() > options::INTERPOLANTS_CUBES.size() {
        return None;
    }
    let both = left.iter().flat_map(|a| right.iter().map(move |b| a.and(b)));
    Some(both.filter_map(Cube::simplified).collect())
}

/// The formula, or its negation, as a disjunction of cubes.
fn cubes_of(
    terms: &mut Terms,
    formula: TermId,
    positive: bool,
    locals: &[FuncId],
) -> Result<Option<Vec<Cube>>, BuildError> {
    if !mentions_any(terms, formula, locals) {
        let literal = if positive { formula } else { terms.not(formula)? };
        return Ok(Some(vec![Cube { others: vec![literal], ..Cube::default() }]));
    }
    let children: Vec<TermId> = terms.children(formula).to_vec();
    match (terms.op(formula), children.as_slice()) {
        (Op::Not, &[inner]) => cubes_of(terms, inner, !positive, locals),
        (Op::And | Op::Or, parts) => {
            let conjunction = (terms.op(formula) == Op::And) == positive;
            let mut all = if conjunction { vec![Cube::default()] } else { Vec::new() };
            for &part in parts {
                let Some(cubes) = cubes_of(terms, part, positive, locals)? else { return Ok(None) };
                if conjunction {
                    let Some(next) = product(&all, &cubes) else { return Ok(None) };
                    all = next;
                } else {
                    all.extend(cubes);
                }
            }
            Ok((all.len() <= options::INTERPOLANTS_CUBES.size()).then_some(all))
        }
        (Op::Iff, &[a, b]) => cases(terms, [(a, true, b, positive), (a, false, b, !positive)], locals),
        (Op::Ite, &[c, a, b]) => cases(terms, [(c, true, a, positive), (c, false, b, positive)], locals),
        (Op::Le(_), _) => {
            let literal = if positive { formula } else { terms.not(formula)? };
            let form = at_most_zero(terms, literal).filter(|f| is_linear(terms, f, locals));
            Ok(form.map(|form| vec![Cube { at_most: vec![form], ..Cube::default() }]))
        }
        (Op::Eq, &[a, b]) if terms.sort(a) == SortId::INT => {
            let form = terms.linear_form(a).add_scaled(&terms.linear_form(b), &Int::from(-1));
            if !is_linear(terms, &form, locals) {
                return Ok(None);
            }
            if positive {
                return Ok(Some(vec![Cube { equal: vec![form], ..Cube::default() }]));
            }
            // Below or above: form + 1 <= 0 or 1 - form <= 0.
            let one = LinearForm::number(Int::from(1));
            let sides = [&form, &form.scaled(&Int::from(-1))].map(|f| f.add_scaled(&one, &Int::from(1)));
            Ok(Some(sides.map(|f| Cube { at_most: vec![f], ..Cube::default() }).to_vec()))
        }
        _ => Ok(None),
    }
}

/// Two conjunctions of two formulas with signs, one or the other.
fn cases(
    terms: &mut Terms,
    pairs: [(TermId, bool, TermId, bool); 2],
    locals: &[FuncId],
) -> Result<Option<Vec<Cube>>, BuildError> {
    let mut all = Vec::new();
    for (a, a_holds, b, b_holds) in pairs {
        let Some(left) = cubes_of(terms, a, a_holds, locals)? else { return Ok(None) };
        let Some(right) = cubes_of(terms, b, b_holds, locals)? else { return Ok(None) };
        let Some(both) = product(&left, &right) else { return Ok(None) };
        all.extend(both);
    }
    Ok((all.len() <= options::INTERPOLANTS_CUBES.size()).then_some(all))
}

/// Whether the constants are summands of their own, not arguments.
fn is_linear(terms: &Terms, form: &LinearForm, locals: &[FuncId]) -> bool {
    let plain = |t: TermId| matches!(terms.op(t), Op::App(f) if locals.contains(&f));
    form.terms.iter().all(|(t, _)| plain(*t) || !mentions_any(terms, *t, locals))
}

fn factor(form: &LinearForm, constant: TermId) -> Int {
    let found = form.terms.iter().find(|(t, _)| *t == constant);
    found.map_or_else(|| Int::from(0), |(_, c)| c.clone())
}

fn rest(form: &LinearForm, constant: TermId) -> LinearForm {
    form.add_scaled(&LinearForm::term(constant), &-&factor(form, constant))
}

/// Cubes without the constant, one or another of which holds exactly if the cube does for some value of it.
fn without(cube: &Cube, constant: TermId) -> Option<Vec<Cube>> {
    let uses = |f: &LinearForm| !factor(f, constant).is_zero();
    let solved = cube.equal.iter().filter(|f| uses(f)).min_by_key(|f| factor(f, constant).abs());
    if let Some(equation) = solved {
        return Some(vec![substituted(cube, equation, constant)]);
    }
    let (bounds, free): (Vec<_>, Vec<_>) = cube.at_most.iter().cloned().partition(uses);
    let (divided, untouched): (Vec<_>, Vec<_>) = cube.divided.iter().cloned().partition(|(_, f)| uses(f));
    let base = Cube { at_most: free, divided: untouched, ..cube.clone() };
    let (upper, lower): (Vec<_>, Vec<_>) =
        bounds.into_iter().partition(|f| factor(f, constant).is_positive());
    let unit = |all: &[LinearForm]| all.iter().all(|f| factor(f, constant).abs().is_one());
    if divided.is_empty() && (upper.is_empty() || lower.is_empty() || unit(&upper) || unit(&lower)) {
        let mut out = base;
        for up in &upper {
            for low in &lower {
                let (a, b) = (factor(up, constant), factor(low, constant).abs());
                let both = rest(up, constant).scaled(&b);
                out.at_most.push(both.add_scaled(&rest(low, constant), &a));
            }
        }
        return Some(vec![out]);
    }
    let all = upper.iter().chain(&lower).chain(divided.iter().map(|(_, f)| f));
    let common = all.map(|f| factor(f, constant).abs()).fold(Int::from(1), |m, c| m.lcm(&c));
    // Everything in terms of y, the common multiple of the constant: y + rest, -y + rest.
    let scale = |f: &LinearForm| {
        let by = common.div_floor(&factor(f, constant).abs());
        (factor(f, constant).is_positive(), rest(f, constant).scaled(&by), by)
    };
    let mut residues: Vec<(Int, bool, LinearForm)> =
        vec![(common.clone(), true, LinearForm::number(Int::from(0)))];
    for (divisor, form) in &divided {
        let (positive, form, by) = scale(form);
        residues.push((divisor * &by, positive, form));
    }
    let period = residues.iter().fold(Int::from(1), |m, (d, ..)| m.lcm(d));
    let period = period.to_i64().filter(|&p| p <= MAX_RESIDUES)?;
    // y is at most -u for upper bounds y + u <= 0, and at least l for lower bounds -y + l <= 0.
    let starts: Vec<LinearForm> = if upper.is_empty() || lower.is_empty() {
        vec![LinearForm::number(Int::from(0))]
    } else {
        lower.iter().map(|f| scale(f).1).collect()
    };
    let bounded = !upper.is_empty() && !lower.is_empty();
    let mut out = Vec::new();
    for start in &starts {
        for offset in 0..period {
            let y = start.add_scaled(&LinearForm::number(Int::from(offset)), &Int::from(1));
            let put = |positive: bool, form: &LinearForm| {
                form.add_scaled(&y, &Int::from(if positive { 1 } else { -1 }))
            };
            let mut next = base.clone();
            if bounded {
                let forms = upper.iter().chain(&lower).map(scale);
                next.at_most.extend(forms.map(|(positive, form, _)| put(positive, &form)));
            }
            next.divided.extend(residues.iter().map(|(d, positive, form)| (d.clone(), put(*positive, form))));
            out.push(next);
        }
    }
    (out.len() <= options::INTERPOLANTS_CUBES.size()).then_some(out)
}

/// `c x + rest = 0` used everywhere: everything is multiplied by |c|, and c divides the rest.
fn substituted(cube: &Cube, equation: &LinearForm, constant: TermId) -> Cube {
    let c = factor(equation, constant);
    let solution = rest(equation, constant);
    let size = c.abs();
    // |c| (a x + s) = |c| s - a sign(c) rest.
    let put = |form: &LinearForm| {
        let a = factor(form, constant);
        let a = if c.is_positive() { -&a } else { a };
        rest(form, constant).scaled(&size).add_scaled(&solution, &a)
    };
    let touched = |f: &LinearForm| !factor(f, constant).is_zero();
    let mut out = Cube { others: cube.others.clone(), ..Cube::default() };
    out.divided.push((size.clone(), solution.clone()));
    out.equal = cube
        .equal
        .iter()
        .filter(|f| *f != equation)
        .map(|f| if touched(f) { put(f) } else { f.clone() })
        .collect();
    out.at_most = cube.at_most.iter().map(|f| if touched(f) { put(f) } else { f.clone() }).collect();
    for (divisor, form) in &cube.divided {
        out.divided.push(if touched(form) {
            (divisor * &size, put(form))
        } else {
            (divisor.clone(), form.clone())
        });
    }
    out
}

impl Cube {
    fn and(&self, other: &Cube) -> Cube {
        let mut both = self.clone();
        both.equal.extend(other.equal.iter().cloned());
        both.at_most.extend(other.at_most.iter().cloned());
        both.divided.extend(other.divided.iter().cloned());
        both.others.extend(&other.others);
        both
    }

    /// Without what is true of numbers alone; `None` if something is false.
    fn simplified(self) -> Option<Cube> {
        let mut out = Cube { others: self.others, ..Cube::default() };
        for form in self.equal {
            if !form.is_number() {
                out.equal.push(form);
            } else if !form.constant.is_zero() {
                return None;
            }
        }
        for form in self.at_most {
            if !form.is_number() {
                out.at_most.push(form);
            } else if form.constant.is_positive() {
                return None;
            }
        }
        for (divisor, form) in self.divided {
            // Factors count only up to the divisor.
            let mut reduced = LinearForm::number(form.constant.mod_floor(&divisor));
            for (term, factor) in &form.terms {
                reduced = reduced.add_scaled(&LinearForm::term(*term), &factor.mod_floor(&divisor));
            }
            if !reduced.is_number() {
                out.divided.push((divisor, reduced));
            } else if !reduced.constant.is_zero() {
                return None;
            }
        }
        Some(out)
    }

    fn term(self, terms: &mut Terms, quotients: &mut Quotients) -> Result<TermId, BuildError> {
        let mut all = self.others;
        let zero = terms.int(0);
        for form in self.equal {
            let left = sum(terms, &form)?;
            all.push(terms.eq(left, zero)?);
        }
        for form in self.at_most {
            let left = sum(terms, &form)?;
            all.push(terms.le(left, zero)?);
        }
        for (divisor, form) in self.divided {
            let form = sum(terms, &form)?;
            all.push(quotients.divides(terms, &divisor, form)?);
        }
        terms.and(&all)
    }
}
