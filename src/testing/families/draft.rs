//! A problem under construction. Families are well sorted by construction, so nothing here can fail.

use crate::frontend::smtlib::Status;
use crate::logic::{FuncId, SortId, TermId, Terms};
use crate::testing::families::Instance;
use crate::testing::formulas::Problem;

const WELL_SORTED: &str = "families are well sorted and declare each name once";

#[derive(Default)]
pub(super) struct Draft {
    pub(super) terms: Terms,
    formulas: Vec<TermId>,
}

impl Draft {
    pub(super) fn finish(self, status: Status) -> Instance {
        Instance { problem: Problem { terms: self.terms, formulas: self.formulas }, status }
    }

    pub(super) fn add(&mut self, formula: TermId) {
        self.formulas.push(formula);
    }

    pub(super) fn deny(&mut self, formula: TermId) {
        let formula = self.not(formula);
        self.add(formula);
    }

    pub(super) fn sort(&mut self, name: &str) -> SortId {
        self.terms.declare_sort(name).expect(WELL_SORTED)
    }

    pub(super) fn fun(&mut self, name: &str, args: &[SortId], result: SortId) -> FuncId {
        self.terms.declare_fun(name, args, result).expect(WELL_SORTED)
    }

    pub(super) fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        self.terms.declare_const(name, sort).expect(WELL_SORTED)
    }

    /// Constants `prefix0`, `prefix1`, ...
    pub(super) fn constants(&mut self, prefix: &str, n: usize, sort: SortId) -> Vec<TermId> {
        (0..n).map(|i| self.constant(&format!("{prefix}{i}"), sort)).collect()
    }

    pub(super) fn variable(&mut self, name: &str, sort: SortId) -> TermId {
        self.terms.variable(name, sort).expect(WELL_SORTED)
    }

    pub(super) fn app(&mut self, func: FuncId, args: &[TermId]) -> TermId {
        self.terms.app(func, args).expect(WELL_SORTED)
    }

    pub(super) fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        self.terms.eq(left, right).expect(WELL_SORTED)
    }

    pub(super) fn not(&mut self, formula: TermId) -> TermId {
        self.terms.not(formula).expect(WELL_SORTED)
    }

    pub(super) fn and(&mut self, formulas: &[TermId]) -> TermId {
        self.terms.and(formulas).expect(WELL_SORTED)
    }

    pub(super) fn or(&mut self, formulas: &[TermId]) -> TermId {
        self.terms.or(formulas).expect(WELL_SORTED)
    }

    pub(super) fn distinct(&mut self, items: &[TermId]) -> TermId {
        self.terms.distinct(items).expect(WELL_SORTED)
    }

    pub(super) fn between(&mut self, field: FuncId, x: TermId, y: TermId, z: TermId) -> TermId {
        self.terms.between(field, x, y, z).expect(WELL_SORTED)
    }

    pub(super) fn reach(&mut self, field: FuncId, x: TermId, y: TermId) -> TermId {
        self.between(field, x, y, y)
    }

    pub(super) fn forall(&mut self, variables: &[TermId], body: TermId) -> TermId {
        self.terms.forall(variables, body).expect(WELL_SORTED)
    }

    /// `premises => one of the conclusions`, quantified.
    pub(super) fn axiom(&mut self, variables: &[TermId], premises: &[TermId], conclusions: &[TermId]) {
        let mut clause: Vec<TermId> = premises.iter().map(|&p| self.not(p)).collect();
        clause.extend(conclusions);
        let body = self.or(&clause);
        let all = self.forall(variables, body);
        self.add(all);
    }

    pub(super) fn int(&mut self, value: i64) -> TermId {
        self.terms.int(value)
    }

    pub(super) fn le(&mut self, left: TermId, right: TermId) -> TermId {
        self.terms.le(left, right).expect(WELL_SORTED)
    }

    pub(super) fn plus(&mut self, left: TermId, number: i64) -> TermId {
        let number = self.int(number);
        self.terms.add(&[left, number]).expect(WELL_SORTED)
    }

    /// The sum of the terms, each times its weight.
    pub(super) fn weighted(&mut self, weights: &[i64], items: &[TermId]) -> TermId {
        let parts: Vec<TermId> = weights
            .iter()
            .zip(items)
            .map(|(&weight, &item)| {
                let weight = self.terms.int(weight);
                self.terms.mul(weight, item).expect(WELL_SORTED)
            })
            .collect();
        self.terms.add(&parts).expect(WELL_SORTED)
    }
}
