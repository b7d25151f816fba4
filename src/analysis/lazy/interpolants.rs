//! The refiner of the thesis: what the atoms of sequence interpolants along a refuted path ask to be tracked.
//!
//! The constants of a path formula are values that variables had at some step, or values stored in fields.
//! Stripping the step gives back the program's own words: a comparison of integers is a predicate, a pointer
//! is a pointer to keep apart, a stored constant is a test of its field.

use super::flow::Flows;
use super::path::{PathFormula, Question};
use super::precision::Wish;
use super::shape::Range;
use super::wish::Reader;
use crate::engine::interpolate::sequence;
use crate::logic::{LinearForm, Op, SortId, TermId, Terms};
use crate::program::{BinOp, Cmp, Expr, FieldId, StructId, VarId};
use crate::util::hash::{Map, Set};
use crate::util::limits::Limits;
use crate::util::num::Int;

/// What the interpolants between the steps of a refutation ask for; `None` if there are none.
pub fn wish(
    question: &Question<'_>,
    flows: &Flows,
    steps: &[usize],
    heap: bool,
    limits: &Limits,
) -> Option<Wish> {
    let PathFormula { mut encoder, constraints, origin, stored } = question.build(heap).ok()?;
    let mut groups: Vec<Vec<TermId>> = vec![Vec::new(); steps.len()];
    if groups.len() < 2 {
        return None;
    }
    for (step, constraint) in constraints {
        if let Ok(group) = steps.binary_search(&step) {
            groups[group].push(constraint);
        }
    }
    groups[0].splice(0..0, std::mem::take(&mut encoder.facts));
    let found = sequence(&mut encoder.terms, &groups, limits).ok()?;
    let mut reader = Reader::new(question.program, flows, heap);
    let nulls = (0..question.program.structs.len()).map(|i| StructId(i as u32));
    let nulls = nulls.map(|s| (encoder.null(s), s)).collect();
    let names = Names { terms: &encoder.terms, origin: &origin, stored: &stored, nulls };
    for atom in atoms(&encoder.terms, &found) {
        names.read(atom, &mut reader);
    }
    Some(reader.finish())
}

/// The atoms of some formulas, in the order in which they are met.
fn atoms(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen: Set<TermId> = Set::default();
    let mut out = Vec::new();
    let mut open: Vec<TermId> = roots.iter().rev().copied().collect();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::And | Op::Or | Op::Not | Op::Iff => open.extend(terms.children(term)),
            Op::Eq | Op::Le(_) => out.push(term),
            _ => {}
        }
    }
    out
}

struct Names<'a> {
    terms: &'a Terms,
    origin: &'a Map<TermId, VarId>,
    stored: &'a Map<TermId, FieldId>,
    nulls: Map<TermId, StructId>,
}

impl Names<'_> {
    fn read(&self, atom: TermId, reader: &mut Reader<'_>) {
        let children = self.terms.children(atom);
        match (self.terms.op(atom), children) {
            (Op::Eq, &[a, b]) => {
                for (value, other) in [(a, b), (b, a)] {
                    if let (Some(&field), Op::Num(n)) = (self.stored.get(&value), self.terms.op(other))
                        && let Some(n) = self.terms.number(n).to_i64()
                    {
                        reader.test(field, Range::one(i128::from(n)));
                    }
                }
                if let (Some(a), Some(b)) = (self.expr(a), self.expr(b)) {
                    reader.compare(Cmp::Eq, &a, &b);
                } else if let Some((a, b)) = self.equal_sums(a, b) {
                    reader.compare(Cmp::Eq, &a, &b);
                } else {
                    // One side is known to the heap only: the other side is what tells the cells apart.
                    self.pointers(atom, reader);
                }
            }
            (Op::Le(bound), &[left]) => {
                let form = self.terms.linear_form(left);
                let Some(bound) = self.terms.number(bound).to_i64() else { return };
                if let Some((a, b)) = self.sides(&form, i128::from(bound)) {
                    reader.compare(Cmp::Le, &a, &b);
                }
            }
            _ => {}
        }
    }

    fn pointers(&self, atom: TermId, reader: &mut Reader<'_>) {
        let mut open = vec![atom];
        while let Some(term) = open.pop() {
            if let Some(&v) = self.origin.get(&term) {
                reader.pointer(v);
            }
            open.extend(self.terms.children(term));
        }
    }

    /// The sides of an equality of sums.
    fn equal_sums(&self, a: TermId, b: TermId) -> Option<(Expr, Expr)> {
        if self.terms.sort(a) != SortId::INT {
            return None;
        }
        let mut form = self.terms.linear_form(a).add_scaled(&self.terms.linear_form(b), &Int::from(-1));
        let bound = -form.constant.to_i64()?;
        form.constant = Int::from(0);
        self.sides(&form, i128::from(bound))
    }

    fn expr(&self, term: TermId) -> Option<Expr> {
        match self.terms.op(term) {
            Op::Num(n) => Some(Expr::Int(i128::from(self.terms.number(n).to_i64()?))),
            _ => match self.origin.get(&term) {
                Some(&v) => Some(Expr::Var(v)),
                None => self.nulls.get(&term).map(|s| Expr::Null(*s)),
            },
        }
    }

    /// `left <= right` of a linear form and its bound, both sides with positive coefficients.
    fn sides(&self, form: &LinearForm, bound: i128) -> Option<(Expr, Expr)> {
        let plus = |sum: Option<Expr>, e: Expr| match sum {
            Some(sum) => Some(Expr::Binary(BinOp::Add, Box::new(sum), Box::new(e))),
            None => Some(e),
        };
        let (mut left, mut right) = (None, None);
        for (term, coefficient) in &form.terms {
            let v = Expr::Var(*self.origin.get(term)?);
            let k = coefficient.to_i64()?;
            let factor = i128::from(k.unsigned_abs());
            let e = if factor == 1 {
                v
            } else {
                Expr::Binary(BinOp::Mul, Box::new(Expr::Int(factor)), Box::new(v))
            };
            if k > 0 {
                left = plus(left, e);
            } else {
                right = plus(right, e);
            }
        }
        let (left, right) = match (left, right) {
            (Some(l), None) => (l, Expr::Int(bound)),
            (None, Some(r)) => (Expr::Int(-bound), r),
            (Some(l), Some(r)) if bound == 0 => (l, r),
            (Some(l), Some(r)) if bound > 0 => (l, plus(Some(r), Expr::Int(bound))?),
            (Some(l), Some(r)) => (plus(Some(l), Expr::Int(-bound))?, r),
            (None, None) => return None,
        };
        Some((left, right))
    }
}
