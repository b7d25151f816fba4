//! Random problems of the fragment over a small fixed signature.

use crate::engine::ground::in_fragment;
use crate::logic::{FuncId, SortId, TermId, Terms};
use crate::util::rng::Rng;

/// A store with two sorts, some symbols, and a source of formulas.
pub(super) struct Generator {
    pub(super) terms: Terms,
    pub(super) rng: Rng,
    sorts: [SortId; 2],
    functions: Vec<FuncId>,
    predicates: Vec<FuncId>,
    pub(super) bools: Vec<TermId>,
    constants: Vec<TermId>,
}

impl Generator {
    /// A generator for this seed; the seed also picks the signature.
    pub(super) fn new(seed: u64) -> Generator {
        let mut rng = Rng::new(seed);
        let mut terms = Terms::new();
        let (s, t) = (terms.declare_sort("S").unwrap(), terms.declare_sort("T").unwrap());
        let bool = SortId::BOOL;
        let mut constants = Vec::new();
        for (name, sort) in [("a", s), ("b", s), ("c", t), ("d", t)] {
            if !rng.one_in(4) {
                constants.push(terms.declare_const(name, sort).unwrap());
            }
        }
        let mut functions = Vec::new();
        let signatures: [(&str, &[SortId], SortId); 4] =
            [("f", &[s], t), ("g", &[s], s), ("h", &[s, bool], t), ("k", &[t], t)];
        for (name, args, result) in signatures {
            if rng.one_in(3) {
                functions.push(terms.declare_fun(name, args, result).unwrap());
            }
        }
        let mut predicates = Vec::new();
        let signatures: [(&str, &[SortId]); 6] =
            [("p", &[s]), ("o", &[t]), ("r", &[s, s]), ("m", &[s, t]), ("w", &[t, s, t]), ("e", &[bool, s])];
        for (name, args) in signatures {
            if rng.one_in(2) {
                predicates.push(terms.declare_fun(name, args, bool).unwrap());
            }
        }
        let bools = (0..3).map(|i| terms.declare_const(&format!("q{i}"), bool).unwrap()).collect();
        Generator { terms, rng, sorts: [s, t], functions, predicates, bools, constants }
    }

    /// A closed formula such that all of `others` and it are in the fragment together.
    pub(super) fn formula(&mut self, depth: usize, others: &[TermId]) -> TermId {
        loop {
            let formula = self.open_formula(depth, &mut Vec::new());
            let all: Vec<TermId> = others.iter().copied().chain([formula]).collect();
            if in_fragment(&self.terms, &all).is_ok() {
                return formula;
            }
        }
    }

    fn open_formula(&mut self, depth: usize, scope: &mut Vec<TermId>) -> TermId {
        if depth == 0 {
            return self.atom(scope);
        }
        let roll = self.rng.below(14);
        match roll {
            0 | 1 => self.atom(scope),
            2 => {
                let inner = self.open_formula(depth - 1, scope);
                self.terms.not(inner).unwrap()
            }
            3..=6 => {
                let n = 2 + self.rng.below(2);
                let parts: Vec<TermId> = (0..n).map(|_| self.open_formula(depth - 1, scope)).collect();
                if roll < 5 { self.terms.and(&parts).unwrap() } else { self.terms.or(&parts).unwrap() }
            }
            7 => {
                let (a, b) = (self.open_formula(depth - 1, scope), self.open_formula(depth - 1, scope));
                self.terms.iff(a, b).unwrap()
            }
            8 => {
                let parts: Vec<TermId> = (0..3).map(|_| self.open_formula(depth - 1, scope)).collect();
                self.terms.ite(parts[0], parts[1], parts[2]).unwrap()
            }
            _ => self.quantified(depth, scope),
        }
    }

    fn quantified(&mut self, depth: usize, scope: &mut Vec<TermId>) -> TermId {
        let outer = scope.len();
        // Now and then the same variable is bound again inside.
        let again = scope.last().copied().filter(|_| self.rng.one_in(6));
        for i in 0..1 + self.rng.below(3) {
            let sort = *self.rng.pick(&self.sorts);
            let var = match again {
                Some(var) if i == 0 => var,
                _ => self.terms.variable("x", sort).unwrap(),
            };
            scope.push(var);
        }
        let body = self.open_formula(depth - 1, scope);
        let variables = scope.split_off(outer);
        if self.rng.one_in(3) {
            self.terms.exists(&variables, body).unwrap()
        } else {
            self.terms.forall(&variables, body).unwrap()
        }
    }

    fn atom(&mut self, scope: &mut Vec<TermId>) -> TermId {
        let roll = self.rng.below(6);
        if roll == 0 || (roll < 4 && self.predicates.is_empty()) {
            return *self.rng.pick(&self.bools);
        }
        let atom = if roll < 4 {
            let predicate = *self.rng.pick(&self.predicates);
            let args = self.arguments(predicate, scope);
            self.terms.app(predicate, &args).unwrap()
        } else {
            let sort = *self.rng.pick(&self.sorts);
            let (left, right) = (self.term(sort, 2, scope), self.term(sort, 2, scope));
            self.terms.eq(left, right).unwrap()
        };
        if self.rng.one_in(2) { self.terms.not(atom).unwrap() } else { atom }
    }

    fn arguments(&mut self, func: FuncId, scope: &mut Vec<TermId>) -> Vec<TermId> {
        let sorts = self.terms.func(func).args.clone();
        sorts.into_iter().map(|sort| self.term(sort, 1, scope)).collect()
    }

    fn term(&mut self, sort: SortId, depth: usize, scope: &mut Vec<TermId>) -> TermId {
        if sort == SortId::BOOL {
            return if self.rng.one_in(2) { *self.rng.pick(&self.bools) } else { Terms::TRUE };
        }
        if depth > 0 && self.rng.one_in(8) {
            let condition = self.atom(&mut scope.clone());
            let (then, other) = (self.term(sort, depth - 1, scope), self.term(sort, depth - 1, scope));
            return self.terms.ite(condition, then, other).unwrap();
        }
        let of_sort = |t: &Terms, f: &FuncId| t.func(*f).result == sort;
        let functions: Vec<FuncId> =
            self.functions.iter().copied().filter(|f| of_sort(&self.terms, f)).collect();
        if depth > 0 && !functions.is_empty() && self.rng.one_in(3) {
            let func = *self.rng.pick(&functions);
            let sorts = self.terms.func(func).args.clone();
            let args: Vec<TermId> = sorts.into_iter().map(|s| self.term(s, depth - 1, scope)).collect();
            return self.terms.app(func, &args).unwrap();
        }
        let known = scope.iter().chain(scope.iter()).chain(&self.constants);
        let leaves: Vec<TermId> = known.copied().filter(|&t| self.terms.sort(t) == sort).collect();
        if leaves.is_empty() {
            let name = format!("z{}", self.constants.len());
            let constant = self.terms.declare_const(&name, sort).unwrap();
            self.constants.push(constant);
            return constant;
        }
        *self.rng.pick(&leaves)
    }
}
