//! Quotients by numbers, so that interpolants can speak of divisibility: a function symbol `@divN` of one
//! argument per divisor N, with the law `0 <= t - N @divN(t) < N` for each of its terms. The law fixes the
//! value, so the symbols belong to the theory: they are shared at every cut.

use super::vocabulary::symbols;
use crate::logic::{BuildError, FuncId, LinearForm, Op, SortId, TermId, Terms};
use crate::util::hash::{Map, Set};
use crate::util::num::Int;

/// The quotient symbols in use, with their divisors, all above 1.
#[derive(Clone, Debug, Default)]
pub struct Quotients {
    divisors: Map<FuncId, Int>,
}

impl Quotients {
    /// Symbols whose laws are part of the formulas already.
    #[must_use]
    pub fn new(divisors: Map<FuncId, Int>) -> Quotients {
        Quotients { divisors }
    }

    /// The symbols, ascending, each with its divisor.
    #[must_use]
    pub fn divisors(&self) -> Vec<(FuncId, &Int)> {
        let mut all: Vec<(FuncId, &Int)> = self.divisors.iter().map(|(f, d)| (*f, d)).collect();
        all.sort_unstable_by_key(|(f, _)| *f);
        all
    }

    pub(super) fn symbols(&self) -> Vec<FuncId> {
        self.divisors().into_iter().map(|(f, _)| f).collect()
    }

    /// `divisor` divides the form.
    pub(super) fn divides(
        &mut self,
        terms: &mut Terms,
        divisor: &Int,
        form: TermId,
    ) -> Result<TermId, BuildError> {
        let known = self.divisors.iter().find(|(_, d)| *d == divisor).map(|(f, _)| *f);
        let name = format!("@div{divisor}");
        let symbol = match known.or_else(|| terms.find_func(&name)) {
            Some(symbol) => symbol,
            None => terms.declare_fun(&name, &[SortId::INT], SortId::INT)?,
        };
        self.divisors.insert(symbol, divisor.clone());
        let (factor, quotient) = (terms.int(divisor.clone()), terms.app(symbol, &[form])?);
        let product = terms.mul(factor, quotient)?;
        terms.eq(form, product)
    }

    /// The quotients in some formulas, arguments before what they stand in.
    fn terms_in(&self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: Set<TermId> = Set::default();
        let mut open = roots.to_vec();
        let mut found = Vec::new();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                if matches!(terms.op(term), Op::App(f) if self.divisors.contains_key(&f)) {
                    found.push(term);
                }
                open.extend(terms.children(term));
            }
        }
        // A term is made after its parts.
        found.sort_unstable_by_key(|t| t.index());
        found
    }

    /// The laws of the quotients in some formulas.
    pub(super) fn laws(&self, terms: &mut Terms, roots: &[TermId]) -> Result<Vec<TermId>, BuildError> {
        let mut laws = Vec::new();
        for quotient in self.terms_in(terms, roots) {
            let Op::App(symbol) = terms.op(quotient) else { continue };
            let argument = terms.children(quotient)[0];
            laws.extend(law(terms, &self.divisors[&symbol], argument, quotient)?);
        }
        Ok(laws)
    }

    /// The formulas with constants in the place of quotients of something local, and the laws of those.
    pub(super) fn named(
        &self,
        terms: &mut Terms,
        conjuncts: &[TermId],
        is_local: &dyn Fn(FuncId) -> bool,
    ) -> Result<Vec<TermId>, BuildError> {
        let mut out = conjuncts.to_vec();
        loop {
            let local = |q: &TermId| symbols(terms, terms.children(*q)).into_iter().any(is_local);
            // The innermost first: its argument has no quotients of local terms any more.
            let Some(quotient) = self.terms_in(terms, &out).into_iter().find(local) else { return Ok(out) };
            let Op::App(symbol) = terms.op(quotient) else { return Ok(out) };
            let argument = terms.children(quotient)[0];
            let name = terms.fresh_const("quotient", SortId::INT);
            out = out.into_iter().map(|f| replace(terms, f, quotient, name)).collect();
            out.extend(law(terms, &self.divisors[&symbol], argument, name)?);
        }
    }
}

/// `0 <= argument - divisor quotient` and `argument - divisor quotient <= divisor - 1`.
fn law(
    terms: &mut Terms,
    divisor: &Int,
    argument: TermId,
    quotient: TermId,
) -> Result<[TermId; 2], BuildError> {
    let form = terms.linear_form(argument).add_scaled(&LinearForm::term(quotient), &-divisor);
    let remainder = super::projection::sum(terms, &form)?;
    let (zero, largest) = (terms.int(0), terms.int(divisor - &Int::from(1)));
    Ok([terms.le(zero, remainder)?, terms.le(remainder, largest)?])
}

fn replace(terms: &mut Terms, root: TermId, old: TermId, new: TermId) -> TermId {
    if root == old {
        return new;
    }
    let children: Vec<TermId> = terms.children(root).to_vec();
    let changed: Vec<TermId> = children.iter().map(|&c| replace(terms, c, old, new)).collect();
    if changed == children { root } else { terms.rebuild(root, &changed) }
}
