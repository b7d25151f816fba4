//! What all generators share: a vocabulary, and random terms, atoms and Boolean combinations over it.

use crate::logic::{FuncId, SortId, TermId, Terms};
use crate::testing::formulas::Problem;
use crate::util::rng::Rng;

/// A vocabulary under construction, and what may be built from it.
pub(super) struct Vocabulary {
    pub(super) terms: Terms,
    pub(super) rng: Rng,
    pub(super) sorts: Vec<SortId>,
    pub(super) constants: Vec<TermId>,
    /// Functions that are neither constants nor predicates.
    pub(super) functions: Vec<FuncId>,
    pub(super) predicates: Vec<FuncId>,
    pub(super) links: Vec<FuncId>,
    /// The largest coefficient or number, if there are integer atoms at all.
    pub(super) ints: Option<i64>,
    /// Whether terms may be `ite`.
    pub(super) ite: bool,
    /// Bound variables that terms may mention.
    pub(super) scope: Vec<TermId>,
    /// Whether link fields are applied to ground terms only (LISBQ's sort restriction).
    pub(super) restricted: bool,
    /// How deep applications are nested in a term.
    pub(super) fuel: usize,
}

impl Vocabulary {
    pub(super) fn new(seed: u64) -> Vocabulary {
        let mut terms = Terms::new();
        if seed.is_multiple_of(2) {
            terms.unfolded_distinct = 2;
        }
        Vocabulary {
            terms,
            rng: Rng::new(seed),
            sorts: Vec::new(),
            constants: Vec::new(),
            functions: Vec::new(),
            predicates: Vec::new(),
            links: Vec::new(),
            ints: None,
            ite: false,
            scope: Vec::new(),
            restricted: false,
            fuel: 1,
        }
    }

    pub(super) fn finish(self, formulas: Vec<TermId>) -> Problem {
        Problem { terms: self.terms, formulas }
    }

    // ---- declarations; names are unique because each kind has its own prefix

    pub(super) fn sort(&mut self, name: &str) -> SortId {
        let sort = self.terms.declare_sort(name).expect("each sort is declared once");
        self.sorts.push(sort);
        sort
    }

    pub(super) fn constants(&mut self, prefix: &str, n: usize, sort: SortId) {
        for i in 0..n {
            let constant = self.terms.declare_const(&format!("{prefix}{i}"), sort);
            self.constants.push(constant.expect("each constant is declared once"));
        }
    }

    pub(super) fn function(&mut self, name: &str, args: &[SortId], result: SortId) -> FuncId {
        let func = self.terms.declare_fun(name, args, result).expect("each function is declared once");
        match result {
            SortId::BOOL => self.predicates.push(func),
            _ => self.functions.push(func),
        }
        func
    }

    pub(super) fn link(&mut self, name: &str, sort: SortId) {
        let func = self.function(name, &[sort], sort);
        self.links.push(func);
    }

    // ---- terms

    pub(super) fn term(&mut self, sort: SortId, fuel: usize) -> TermId {
        if self.ite && fuel > 0 && self.rng.one_in(8) {
            let condition = self.atom_of(fuel - 1);
            let (left, right) = (self.term(sort, fuel - 1), self.term(sort, fuel - 1));
            return self.terms.ite(condition, left, right).expect("both branches have one sort");
        }
        let functions: Vec<FuncId> =
            self.functions.iter().copied().filter(|&f| self.terms.func(f).result == sort).collect();
        if fuel > 0 && !functions.is_empty() && !self.rng.one_in(3) {
            let func = *self.rng.pick(&functions);
            return self.application(func, fuel - 1);
        }
        if sort == SortId::INT && fuel > 0 && self.rng.one_in(2) {
            return self.sum(fuel - 1);
        }
        let leaves: Vec<TermId> = self
            .constants
            .iter()
            .chain(&self.scope)
            .copied()
            .filter(|&c| self.terms.sort(c) == sort)
            .collect();
        if leaves.is_empty() || (sort == SortId::INT && self.rng.one_in(4)) {
            return self.number();
        }
        // A bound variable is rare among many constants but is the point of a quantifier.
        match leaves.iter().rev().find(|l| self.scope.contains(l)) {
            Some(&bound) if self.rng.one_in(3) => bound,
            _ => *self.rng.pick(&leaves),
        }
    }

    pub(super) fn application(&mut self, func: FuncId, fuel: usize) -> TermId {
        let hidden = if self.restricted && self.links.contains(&func) {
            std::mem::take(&mut self.scope)
        } else {
            Vec::new()
        };
        let sorts = self.terms.func(func).args.clone();
        let args: Vec<TermId> = sorts.into_iter().map(|s| self.term(s, fuel)).collect();
        if !hidden.is_empty() {
            self.scope = hidden;
        }
        self.terms.app(func, &args).expect("arguments are made for the signature")
    }

    fn number(&mut self) -> TermId {
        let largest = self.ints.unwrap_or(1);
        let value = self.rng.below(2 * largest as usize + 1) as i64 - largest;
        self.terms.int(value)
    }

    fn sum(&mut self, fuel: usize) -> TermId {
        let mut parts = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let (factor, term) = (self.number(), self.term(SortId::INT, fuel));
            // Both may be numbers, so one of them always is.
            parts.push(self.terms.mul(factor, term).expect("the factor is a number"));
        }
        parts.push(self.number());
        self.terms.add(&parts).expect("all parts are integers")
    }

    // ---- formulas

    /// An atom that is not simply true or false, if one is found soon.
    pub(super) fn atom(&mut self) -> TermId {
        let fuel = self.fuel;
        for _ in 0..4 {
            let atom = self.atom_of(fuel);
            if atom != Terms::TRUE && atom != Terms::FALSE {
                return atom;
            }
        }
        self.atom_of(fuel)
    }

    fn atom_of(&mut self, fuel: usize) -> TermId {
        let kinds = [
            (0, self.sorts.len()),
            (1, 2 * self.predicates.len()),
            (2, 3 * usize::from(self.ints.is_some())),
            (3, 3 * self.links.len()),
        ];
        let mut at = self.rng.below(kinds.iter().map(|k| k.1).sum());
        let kind = kinds.iter().find(|(_, weight)| {
            let here = at < *weight;
            at = at.saturating_sub(*weight);
            here
        });
        match kind.map(|k| k.0) {
            Some(0) => {
                let sort = *self.rng.pick(&self.sorts);
                if self.rng.one_in(6) {
                    return self.distinct(sort, fuel);
                }
                let (left, right) = (self.term(sort, fuel), self.term(sort, fuel));
                self.terms.eq(left, right).expect("both sides have one sort")
            }
            Some(1) => {
                let predicate = *self.rng.pick(&self.predicates);
                self.application(predicate, fuel)
            }
            Some(3) => self.reach_atom(fuel),
            _ => self.comparison(fuel),
        }
    }

    /// Three or four terms that differ; half of the stores keep them as one term.
    fn distinct(&mut self, sort: SortId, fuel: usize) -> TermId {
        let items: Vec<TermId> = (0..3 + self.rng.below(2)).map(|_| self.term(sort, fuel)).collect();
        self.terms.distinct(&items).expect("all have one sort")
    }

    fn comparison(&mut self, fuel: usize) -> TermId {
        if self.rng.one_in(8) {
            return self.distinct(SortId::INT, fuel);
        }
        let (left, right) = (self.term(SortId::INT, fuel), self.term(SortId::INT, fuel));
        match self.rng.below(3) {
            0 => self.terms.eq(left, right),
            1 => self.terms.le(left, right),
            _ => self.terms.lt(left, right),
        }
        .expect("both sides are integers")
    }

    fn reach_atom(&mut self, fuel: usize) -> TermId {
        let link = *self.rng.pick(&self.links);
        let sort = self.terms.func(link).result;
        let (x, y, z) = (self.term(sort, fuel), self.term(sort, fuel), self.term(sort, fuel));
        if self.rng.one_in(2) { self.terms.reach(link, x, y) } else { self.terms.between(link, x, y, z) }
            .expect("all cells have the sort of the field")
    }

    /// An atom or its negation.
    pub(super) fn literal(&mut self) -> TermId {
        let atom = self.atom();
        if self.rng.one_in(2) { self.not(atom) } else { atom }
    }

    pub(super) fn not(&mut self, formula: TermId) -> TermId {
        self.terms.not(formula).expect("a formula")
    }

    /// A Boolean combination of literals.
    pub(super) fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.rng.one_in(4) {
            return self.literal();
        }
        let kids: Vec<TermId> = (0..3).map(|_| self.formula(depth - 1)).collect();
        match self.rng.below(8) {
            0 => self.terms.implies(kids[0], kids[1]),
            1 => self.terms.iff(kids[0], kids[1]),
            2 => self.terms.ite(kids[0], kids[1], kids[2]),
            3 => self.terms.xor(kids[0], kids[1]),
            4 => self.terms.and(&kids[..2]),
            5 => self.terms.and(&kids),
            6 => self.terms.or(&kids),
            _ => self.terms.or(&kids[..2]),
        }
        .expect("all parts are formulas")
    }

    /// A new variable that terms may mention until the scope is cut back.
    pub(super) fn bind(&mut self, name: &str, sort: SortId) -> TermId {
        let variable = self.terms.variable(name, sort).expect("the sort is declared");
        self.scope.push(variable);
        variable
    }
}
