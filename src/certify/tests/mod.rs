//! Tests of the checker: proofs by hand that must pass (`valid`), the same proofs broken in all the ways the
//! checker looks for (`corrupt`, `corrupt_lemma`), and mutants of them held against satisfiable problems
//! (`fuzz`).

/// `title: valid case, |case| change => fault,` — the changed case is rejected with that fault.
macro_rules! rejects {
    ($($title:literal: $valid:expr, |$case:ident| $change:expr => $fault:pat,)*) => {$({
        let mut $case: Case = $valid;
        assert_eq!($case.check(), Ok(()), "{}: before the change", $title);
        $change;
        match $case.check() {
            Ok(()) => panic!("{}: accepted", $title),
            Err(error) => assert!(matches!(error.fault, $fault), "{}: {error}", $title),
        }
    })*};
}

mod corrupt;
mod corrupt_lemma;
mod fuzz;
mod valid;

use super::{ProofError, check_proof};
use crate::logic::{FuncId, SortId, TermId, Terms};
use crate::proof::{Closing, Cut, Derivation, Literal, Proof, RuleStep, Source, Step};
use crate::util::num::Int;

/// A problem and a proof that it is unsatisfiable.
#[derive(Clone)]
struct Case {
    t: Terms,
    /// A sort with a link field `next`, a predicate and a data field on it.
    cell: SortId,
    next: FuncId,
    marked: FuncId,
    key: FuncId,
    /// Constants a, b, c, d of sort Cell.
    cells: [TermId; 4],
    /// Constants p, q, r of sort Bool.
    flags: [TermId; 3],
    /// Constants x, y of sort Int.
    ints: [TermId; 2],
    assertions: Vec<TermId>,
    assumptions: Vec<TermId>,
    steps: Vec<Step>,
}

impl Case {
    fn new() -> Case {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let next = t.declare_fun("next", &[cell], cell).unwrap();
        let marked = t.declare_fun("marked", &[cell], SortId::BOOL).unwrap();
        let key = t.declare_fun("key", &[cell], SortId::INT).unwrap();
        let cells = ["a", "b", "c", "d"].map(|n| t.declare_const(n, cell).unwrap());
        let flags = ["p", "q", "r"].map(|n| t.declare_const(n, SortId::BOOL).unwrap());
        let ints = ["x", "y"].map(|n| t.declare_const(n, SortId::INT).unwrap());
        let (assertions, assumptions, steps) = Default::default();
        Case { t, cell, next, marked, key, cells, flags, ints, assertions, assumptions, steps }
    }

    fn check(&self) -> Result<(), ProofError> {
        let proof = Proof { steps: self.steps.clone() };
        check_proof(&self.t, &self.assertions, &self.assumptions, &proof)
    }

    // ---- terms

    fn not(&mut self, formula: TermId) -> TermId {
        self.t.not(formula).unwrap()
    }

    fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        self.t.eq(left, right).unwrap()
    }

    fn next(&mut self, cell: TermId) -> TermId {
        self.t.app(self.next, &[cell]).unwrap()
    }

    fn key(&mut self, cell: TermId) -> TermId {
        self.t.app(self.key, &[cell]).unwrap()
    }

    fn marked(&mut self, cell: TermId) -> TermId {
        self.t.app(self.marked, &[cell]).unwrap()
    }

    fn reach(&mut self, x: TermId, y: TermId) -> TermId {
        self.t.reach(self.next, x, y).unwrap()
    }

    fn between(&mut self, x: TermId, y: TermId, z: TermId) -> TermId {
        self.t.between(self.next, x, y, z).unwrap()
    }

    /// A new variable.
    fn open_cell(&mut self) -> TermId {
        self.t.variable("open", self.cell).unwrap()
    }

    /// `forall u. marked(u)`, with a new variable each time.
    fn all_marked(&mut self) -> TermId {
        let u = self.t.variable("u", self.cell).unwrap();
        let body = self.marked(u);
        self.t.forall(&[u], body).unwrap()
    }

    fn literal(&self, formula: TermId) -> Literal {
        Literal::new(&self.t, formula, true)
    }

    // ---- steps

    /// Asserts the formula and adds the step that says so.
    fn assert(&mut self, formula: TermId) {
        self.assertions.push(formula);
        self.steps.push(Step::Assertion { formula });
    }

    fn connective(&mut self, node: TermId, clause: &[TermId]) {
        let clause = clause.iter().map(|&f| self.literal(f)).collect();
        self.steps.push(Step::Connective { node, clause });
    }

    fn propagation(&mut self, clause: &[TermId]) {
        let clause = clause.iter().map(|&f| self.literal(f)).collect();
        self.steps.push(Step::Propagation { clause });
    }

    /// Asserts the formulas; a lemma says that they contradict each other.
    fn refute(&mut self, formulas: &[TermId], rules: Vec<RuleStep>, closing: Closing) {
        formulas.iter().for_each(|&f| self.assert(f));
        let clause = formulas.iter().map(|&f| !self.literal(f)).collect();
        self.steps.push(Step::Lemma { clause, derivation: Derivation { rules, closing } });
        self.propagation(&[]);
    }

    fn rule(&self, rule: &'static str, binding: &[TermId], alternative: Option<usize>) -> RuleStep {
        RuleStep { field: self.next, rule, binding: binding.to_vec(), alternative }
    }

    // ---- parts to corrupt

    /// The derivation of the only lemma.
    fn derivation(&mut self) -> &mut Derivation {
        let mut lemmas = self.steps.iter_mut().filter_map(|step| match step {
            Step::Lemma { derivation, .. } => Some(derivation),
            _ => None,
        });
        lemmas.next().expect("a case with a lemma")
    }

    fn cuts(&mut self) -> &mut Vec<Cut> {
        match &mut self.derivation().closing {
            Closing::Arithmetic(cuts) => cuts,
            Closing::Contradiction => panic!("a case with arithmetic"),
        }
    }

    /// The clause of a step that has one.
    fn clause(&mut self, step: usize) -> &mut Vec<Literal> {
        match &mut self.steps[step] {
            Step::Connective { clause, .. } | Step::Lemma { clause, .. } | Step::Propagation { clause } => {
                clause
            }
            other => panic!("{other:?} has no clause"),
        }
    }
}

fn cut(sum: &[(i64, Source)]) -> Cut {
    Cut { sum: sum.iter().map(|(c, source)| (Int::from(*c), source.clone())).collect() }
}
