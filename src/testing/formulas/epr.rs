//! EPR: relations and constants under `exists* forall*`, and acyclic reachability in two encodings.

use crate::logic::rewrite::{bottom_up, with_children};
use crate::logic::{FuncId, Op, SortId, TermId, Terms};
use crate::testing::formulas::vocabulary::Vocabulary;
use crate::testing::formulas::{Generate, Problem, Shape};
use crate::util::hash::Map;

/// Effectively propositional formulas. Closed quantified formulas are combined by connectives; what stands
/// in both polarities (below `=`) has one kind of quantifier only, so the problem stays in the fragment.
#[derive(Clone, Debug)]
pub struct Epr {
    /// How much formula; the depth is that of connectives above the quantifiers.
    pub shape: Shape,
    /// Sorts.
    pub sorts: usize,
    /// Constants per sort.
    pub constants: usize,
    /// Relations over random sorts.
    pub relations: usize,
    /// The largest arity of a relation.
    pub max_arity: usize,
    /// Functions, each from an earlier to a later sort (stratified); needs two sorts.
    pub functions: usize,
    /// At most this many variables per block of quantifiers.
    pub block: usize,
}

impl Default for Epr {
    fn default() -> Epr {
        Epr {
            shape: Shape { assertions: 5, depth: 1 },
            sorts: 1,
            constants: 2,
            relations: 2,
            max_arity: 3,
            functions: 0,
            block: 2,
        }
    }
}

/// Where a formula stands.
#[derive(Clone, Copy)]
enum Polarity {
    Positive,
    Negative,
    Both,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}

impl Generate for Epr {
    fn generate(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        for i in 0..self.sorts.max(1) {
            let sort = v.sort(&format!("S{i}"));
            v.constants(&format!("c{i}_"), self.constants.max(1), sort);
        }
        for i in 0..self.relations {
            let arity = 1 + v.rng.below(self.max_arity.max(1));
            let args: Vec<SortId> = (0..arity).map(|_| *v.rng.pick(&v.sorts)).collect();
            v.function(&format!("r{i}"), &args, SortId::BOOL);
        }
        if v.sorts.len() >= 2 {
            for i in 0..self.functions {
                let from = v.rng.below(v.sorts.len() - 1);
                let to = from + 1 + v.rng.below(v.sorts.len() - 1 - from);
                let (from, to) = (v.sorts[from], v.sorts[to]);
                v.function(&format!("f{i}"), &[from], to);
            }
        }
        let formulas = (0..self.shape.assertions)
            .map(|_| self.combination(&mut v, self.shape.depth, Polarity::Positive))
            .collect();
        v.finish(formulas)
    }
}

impl Epr {
    fn combination(&self, v: &mut Vocabulary, depth: usize, polarity: Polarity) -> TermId {
        if depth == 0 {
            return if v.rng.one_in(4) { v.literal() } else { self.closed(v, polarity) };
        }
        let (left_polarity, kind) = match v.rng.below(6) {
            0 => (polarity.flipped(), 0),
            1 => (Polarity::Both, 1),
            2 => (polarity.flipped(), 2),
            k => (polarity, k),
        };
        let right_polarity = if kind == 1 { Polarity::Both } else { polarity };
        let left = self.combination(v, depth - 1, left_polarity);
        let right = self.combination(v, depth - 1, right_polarity);
        match kind {
            0 => v.terms.not(left),
            1 => v.terms.iff(left, right),
            2 => v.terms.implies(left, right),
            3 => v.terms.and(&[left, right]),
            _ => v.terms.or(&[left, right]),
        }
        .expect("formulas")
    }

    /// A closed formula whose Skolem form has no function where it stands.
    fn closed(&self, v: &mut Vocabulary, polarity: Polarity) -> TermId {
        let mut outer = v.rng.below(self.block + 1);
        let mut inner = v.rng.below(self.block + 1);
        if outer + inner == 0 {
            inner = 1;
        }
        // The outer block is existential after the formula is brought to the positive side.
        let outer_exists = match polarity {
            Polarity::Positive => true,
            Polarity::Negative => false,
            Polarity::Both => {
                (outer, inner) = if v.rng.one_in(2) { (outer + inner, 0) } else { (0, outer + inner) };
                v.rng.one_in(2)
            }
        };
        let bind = |v: &mut Vocabulary, n: usize, name: &str| -> Vec<TermId> {
            (0..n)
                .map(|_| {
                    let sort = *v.rng.pick(&v.sorts);
                    v.bind(name, sort)
                })
                .collect()
        };
        let outer_variables = bind(v, outer, "x");
        let inner_variables = bind(v, inner, "y");
        let body = v.formula(1);
        v.scope.clear();
        let body = quantify(&mut v.terms, !outer_exists, &inner_variables, body);
        quantify(&mut v.terms, outer_exists, &outer_variables, body)
    }
}

fn quantify(terms: &mut Terms, exists: bool, variables: &[TermId], body: TermId) -> TermId {
    if exists { terms.exists(variables, body) } else { terms.forall(variables, body) }
        .expect("variables and a formula")
}

/// Acyclic lists that end in null, in formulas over `reach` only, for two decision procedures at once.
///
/// [`Generate::generate`] gives LISBQ: every constant reaches null, null points to itself, quantifiers are
/// bounded by the path to null. [`AcyclicReach::generate_epr`] gives the same formulas over a relation `R`
/// with the axioms of a forest order. The two are equisatisfiable: a finite forest order is the reachability
/// of its immediate successors, and cells that no constant reaches do not matter to bounded quantifiers.
#[derive(Clone, Debug)]
pub struct AcyclicReach {
    /// How much ground formula.
    pub shape: Shape,
    /// Constants besides null.
    pub constants: usize,
    /// How many assertions have a quantifier.
    pub quantifiers: usize,
}

impl Default for AcyclicReach {
    fn default() -> AcyclicReach {
        AcyclicReach { shape: Shape { assertions: 4, depth: 1 }, constants: 3, quantifiers: 1 }
    }
}

impl Generate for AcyclicReach {
    fn generate(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        let (link, null, mut formulas) = self.shared(&mut v);
        for constant in v.constants.clone() {
            formulas.push(v.terms.reach(link, constant, null).expect("two cells"));
        }
        let after = v.terms.app(link, &[null]).expect("a cell");
        formulas.push(v.terms.eq(after, null).expect("two cells"));
        v.finish(formulas)
    }
}

impl AcyclicReach {
    /// The problem of [`Generate::generate`] for the same seed, over a relation with axioms.
    pub fn generate_epr(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        let (_, null, formulas) = self.shared(&mut v);
        let cell = v.sorts[0];
        let relation =
            v.terms.declare_fun("R", &[cell, cell], SortId::BOOL).expect("nothing else is called R");
        let mut translated: Vec<TermId> =
            formulas.into_iter().map(|f| over_relation(&mut v.terms, relation, f)).collect();
        translated.extend(forest_axioms(&mut v.terms, relation, cell, null));
        v.finish(translated)
    }

    /// The formulas that both encodings have, over `reach` and `between` to null.
    fn shared(&self, v: &mut Vocabulary) -> (FuncId, TermId, Vec<TermId>) {
        let cell = v.sort("Cell");
        v.constants("x", self.constants.max(1), cell);
        let null = v.terms.declare_const("null", cell).expect("declared once");
        v.constants.push(null);
        v.link("n", cell);
        let link = v.links[0];
        v.fuel = 0;
        let mut formulas: Vec<TermId> =
            (0..self.shape.assertions).map(|_| v.formula(self.shape.depth)).collect();
        for _ in 0..self.quantifiers {
            let start = v.term(cell, 0);
            let variable = v.bind("u", cell);
            let on_path = v.terms.between(link, start, variable, null).expect("three cells");
            let (first, second) = (v.literal(), v.literal());
            v.scope.clear();
            let conclusion = v.terms.or(&[first, second]).expect("formulas");
            let body = v.terms.implies(on_path, conclusion).expect("formulas");
            let all = v.terms.forall(&[variable], body).expect("a cell variable");
            formulas.push(if v.rng.one_in(3) { v.not(all) } else { all });
        }
        (link, null, formulas)
    }
}

/// `between(x, y, z)` as `R(x, y) and R(y, z)`: the same thing where there is no cycle.
fn over_relation(terms: &mut Terms, relation: FuncId, root: TermId) -> TermId {
    bottom_up(terms, root, &mut Map::default(), |terms, term, children| match terms.op(term) {
        Op::Between(_) => {
            let first = terms.app(relation, &children[..2]).expect("two cells");
            let second = terms.app(relation, &children[1..]).expect("two cells");
            if children[1] == children[2] { first } else { terms.and(&[first, second]).expect("formulas") }
        }
        _ => with_children(terms, term, &children),
    })
}

/// Reflexive, transitive, antisymmetric, linear above each cell, null on top.
fn forest_axioms(terms: &mut Terms, relation: FuncId, cell: SortId, null: TermId) -> Vec<TermId> {
    let [x, y, z] = ["x", "y", "z"].map(|n| terms.variable(n, cell).expect("the sort is declared"));
    let r = |terms: &mut Terms, a: TermId, b: TermId| terms.app(relation, &[a, b]).expect("two cells");
    let (xx, xy, yx) = (r(terms, x, x), r(terms, x, y), r(terms, y, x));
    let (yz, zy, xz) = (r(terms, y, z), r(terms, z, y), r(terms, x, z));
    let ends = r(terms, x, null);
    let same = terms.eq(x, y).expect("two cells");
    let clause = |terms: &mut Terms, premises: &[TermId], conclusions: &[TermId]| {
        let mut literals: Vec<TermId> = premises.iter().map(|&p| terms.mk_not(p)).collect();
        literals.extend(conclusions);
        let body = terms.or(&literals).expect("formulas");
        terms.forall(&[x, y, z], body).expect("cell variables")
    };
    vec![
        clause(terms, &[], &[xx]),
        clause(terms, &[xy, yz], &[xz]),
        clause(terms, &[xy, yx], &[same]),
        clause(terms, &[xy, xz], &[yz, zy]),
        clause(terms, &[], &[ends]),
    ]
}
