//! The format of proofs: what an `unsat` answer hands out and [`crate::certify`] checks.
//!
//! A proof is a list of clauses over *literals*, which are formulas of the problem's own term store with a
//! sign. Every step is either a clause whose truth can be seen by looking at it (an assertion, the meaning
//! of a connective, an instance of a quantifier, a theory lemma with its derivation) or a clause that unit
//! propagation derives from the steps before it. The proof shows that the assertions are unsatisfiable if
//! its last clause is empty; together with assumptions, if the last clause consists of negated assumptions.
//!
//! Theory lemmas are proved by contradiction: assume that every literal of the clause is false, apply the
//! listed rule instances one after the other, and close. Premises of a rule instance hold *modulo the
//! congruence closure* of the equalities assumed and derived so far; the checker computes that closure by
//! itself, so no congruence chain is spelled out. Once the context is contradictory, later steps need no
//! premises.
//!
//! This file has types only, [`text`] writes them out. It is shared by the engine, which writes proofs, and the checker, which
//! shares nothing else with it.

pub mod text;

use crate::logic::{FuncId, TermId};
use crate::util::num::Int;

/// A formula without outer negation, and its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// A formula that is not a negation.
    pub atom: TermId,
    /// False for the negation of `atom`.
    pub positive: bool,
}

impl Literal {
    /// The literal of a formula and a sign; `positive` refers to the formula as given.
    pub fn new(terms: &crate::logic::Terms, formula: TermId, positive: bool) -> Literal {
        let (atom, plain) = terms.strip_not(formula);
        Literal { atom, positive: plain == positive }
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal { atom: self.atom, positive: !self.positive }
    }
}

/// A disjunction of literals.
pub type Clause = Vec<Literal>;

/// An unsatisfiability proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Proof {
    /// The number of steps of each kind, in words.
    pub fn summary(&self) -> String {
        let kinds =
            ["assertions", "connectives", "instances", "Skolem", "trichotomies", "lemmas", "propagations"];
        let mut counts = [0usize; 7];
        let mut rules = 0;
        for step in &self.steps {
            counts[match step {
                Step::Assertion { .. } => 0,
                Step::Connective { .. } => 1,
                Step::Instance { .. } => 2,
                Step::Skolem { .. } => 3,
                Step::Trichotomy { .. } => 4,
                Step::Lemma { derivation, .. } => {
                    rules += derivation.rules.len();
                    5
                }
                Step::Propagation { .. } => 6,
            }] += 1;
        }
        let parts: Vec<String> =
            kinds.iter().zip(counts).filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{n} {kind}")).collect();
        format!("{} steps ({}; {rules} rule instances)", self.steps.len(), parts.join(", "))
    }
}

/// One clause and why it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The formula is asserted by the problem: the unit clause of it.
    Assertion {
        /// The asserted formula.
        formula: TermId,
    },
    /// The clause follows from the meaning of the connective at the head of `node` (`and`, `or`, `=` on
    /// formulas, `ite` on formulas), its children taken as atoms; or `node` is an `ite` that is not a
    /// formula and the clause is `not c or node = then` or `c or node = else`; or `node` is `true`/`false`
    /// and the clause contains `true` or `not false`.
    Connective {
        /// The formula whose head is unfolded.
        node: TermId,
        /// The clause.
        clause: Clause,
    },
    /// `not (forall x. body) or body[x := values]`.
    Instance {
        /// The quantified formula.
        forall: TermId,
        /// Closed terms, one per variable.
        values: Vec<TermId>,
    },
    /// `(forall x. body) or not body[x := constants]` for constants that occur nowhere before.
    Skolem {
        /// The quantified formula.
        forall: TermId,
        /// New constants, one per variable, introduced by this step only.
        constants: Vec<TermId>,
    },
    /// `left = right or left < right or right < left` for integers.
    Trichotomy {
        /// Left side.
        left: TermId,
        /// Right side.
        right: TermId,
    },
    /// A clause of the theories, proved by contradiction.
    Lemma {
        /// The clause.
        clause: Clause,
        /// Why its negation is contradictory.
        derivation: Derivation,
    },
    /// Unit propagation on the steps before, with every literal of the clause false, ends in a conflict.
    Propagation {
        /// The clause; empty at the end of a refutation.
        clause: Clause,
    },
}

/// Why a conjunction of literals is contradictory.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Derivation {
    /// Rule instances to apply, in order.
    pub rules: Vec<RuleStep>,
    /// How it ends.
    pub closing: Closing,
}

/// An instance of an inference rule of theory `lisbq` for a link field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleStep {
    /// The link field.
    pub field: FuncId,
    /// The name of the rule.
    pub rule: &'static str,
    /// A closed term for each variable of the rule, in the order of the table.
    pub binding: Vec<TermId>,
    /// Which alternative of the head is concluded; all others must be refuted by what is known (an
    /// equality by an assumed disequality or by different numbers, a fact by an assumed negated fact).
    /// `None`: all alternatives are refuted, which closes the derivation.
    pub alternative: Option<usize>,
}

/// How a derivation ends.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Closing {
    /// The context is contradictory by now: a term equals one it was assumed to differ from, two different
    /// numbers are equal, a derived fact was assumed false, or a rule step has all alternatives refuted.
    #[default]
    Contradiction,
    /// A cutting-plane refutation: the last step is `0 <= c` with negative c.
    Arithmetic(Vec<Cut>),
}

/// One step of a cutting-plane derivation: a combination of inequalities `form <= bound`, then division by
/// the greatest common divisor of the coefficients, rounding the bound down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Multipliers and what they multiply. Only equalities may have negative multipliers.
    pub sum: Vec<(Int, Source)>,
}

/// An inequality or equality to combine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The negation of literal number n of the lemma's clause: `e <= k`, its negation `-e <= -k-1`, or an
    /// equality of integers.
    Hypothesis(usize),
    /// `left - right = 0`, because both are in one congruence class by now.
    Equal(TermId, TermId),
    /// An earlier step.
    Cut(usize),
}
