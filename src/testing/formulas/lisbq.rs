//! LISBQ: reachability with bounded quantifiers over list segments and field preimages.
//!
//! The bound of a quantifier is `between(f, x, u, y)` or `g(u) = t` for a data field g. The body is sort
//! restricted: link fields are never applied to bound variables, data fields are, and no function leads
//! from a data sort back to cells (Lahiri and Qadeer, "Back to the future", POPL 2008).

use crate::logic::{SortId, TermId};
use crate::testing::formulas::vocabulary::Vocabulary;
use crate::testing::formulas::{Generate, Problem, Shape};

/// Ground reachability plus bounded quantifiers.
#[derive(Clone, Debug)]
pub struct Lisbq {
    /// How much ground formula.
    pub shape: Shape,
    /// Constants of the sort of cells.
    pub constants: usize,
    /// Link fields.
    pub link_fields: usize,
    /// Data fields into the integers.
    pub int_fields: usize,
    /// Data fields into an uninterpreted sort.
    pub data_fields: usize,
    /// How many assertions have a quantifier.
    pub quantifiers: usize,
    /// Whether quantifiers also occur negated.
    pub negated: bool,
    /// Whether some quantifiers have two variables, the second bounded by the first.
    pub pairs: bool,
}

impl Default for Lisbq {
    fn default() -> Lisbq {
        Lisbq {
            shape: Shape { assertions: 4, depth: 1 },
            constants: 3,
            link_fields: 1,
            int_fields: 1,
            data_fields: 0,
            quantifiers: 2,
            negated: true,
            pairs: true,
        }
    }
}

impl Generate for Lisbq {
    fn generate(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        let cell = v.sort("Cell");
        v.constants("x", self.constants.max(1), cell);
        for i in 0..self.link_fields.max(1) {
            v.link(&format!("n{i}"), cell);
        }
        for i in 0..self.int_fields {
            v.function(&format!("d{i}"), &[cell], SortId::INT);
            v.ints = Some(2);
        }
        if self.data_fields > 0 {
            let data = v.sort("Data");
            v.constants("e", 2, data);
            for i in 0..self.data_fields {
                v.function(&format!("g{i}"), &[cell], data);
            }
        }
        v.restricted = true;
        let mut formulas: Vec<TermId> =
            (0..self.shape.assertions).map(|_| v.formula(self.shape.depth)).collect();
        for _ in 0..self.quantifiers {
            let assertion = self.assertion(&mut v, cell);
            formulas.push(assertion);
        }
        v.finish(formulas)
    }
}

impl Lisbq {
    /// A quantifier, alone or with a ground formula beside it.
    fn assertion(&self, v: &mut Vocabulary, cell: SortId) -> TermId {
        let mut quantified = self.quantifier(v, cell);
        if self.negated && v.rng.one_in(3) {
            quantified = v.not(quantified);
        }
        match v.rng.below(4) {
            0 => {
                let ground = v.literal();
                v.terms.or(&[ground, quantified]).expect("formulas")
            }
            1 if self.negated => {
                let ground = v.literal();
                v.terms.iff(ground, quantified).expect("formulas")
            }
            _ => quantified,
        }
    }

    fn quantifier(&self, v: &mut Vocabulary, cell: SortId) -> TermId {
        let first = self.bound(v, cell, None);
        let mut variables = vec![first.0];
        let mut guards = vec![first.1];
        if self.pairs && v.rng.one_in(3) {
            let second = self.bound(v, cell, Some(first.0));
            variables.push(second.0);
            guards.push(second.1);
        }
        let mut clause: Vec<TermId> = guards.into_iter().map(|g| v.not(g)).collect();
        for _ in 0..1 + v.rng.below(2) {
            clause.push(v.literal());
        }
        v.scope.clear();
        let body = v.terms.or(&clause).expect("formulas");
        v.terms.forall(&variables, body).expect("variables of the sort of cells")
    }

    /// A new variable and its bound; `from` is an earlier variable that the bound may start at.
    fn bound(&self, v: &mut Vocabulary, cell: SortId, from: Option<TermId>) -> (TermId, TermId) {
        let data: Vec<_> = v.functions.iter().copied().filter(|f| !v.links.contains(f)).collect();
        let outer = std::mem::take(&mut v.scope);
        let (start, end) = (v.term(cell, 1), v.term(cell, 1));
        let guard_value = (!data.is_empty() && v.rng.one_in(4)).then(|| {
            let field = *v.rng.pick(&data);
            (field, v.term(v.terms.func(field).result, 0))
        });
        v.scope = outer;
        let variable = v.bind("u", cell);
        let guard = match guard_value {
            Some((field, value)) => {
                let at = v.terms.app(field, &[variable]).expect("a field of cells");
                v.terms.eq(at, value).expect("the value has the sort of the field")
            }
            None => {
                let link = *v.rng.pick(&v.links);
                v.terms.between(link, from.unwrap_or(start), variable, end).expect("three cells")
            }
        };
        (variable, guard)
    }
}
