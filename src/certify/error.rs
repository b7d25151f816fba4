//! What can be wrong with a proof.

use crate::logic::{TermId, Terms, print};
use crate::proof::{Literal, Step};
use crate::util::limits::Stop;
use std::fmt;

/// Why a proof is rejected, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofError {
    /// The number of the step; `None` if the problem or the proof as a whole is at fault.
    pub step: Option<usize>,
    /// The kind of the step.
    pub kind: &'static str,
    /// What is wrong with it.
    pub fault: Fault,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step} ({}): {}", self.kind, self.fault),
            None => write!(f, "{}: {}", self.kind, self.fault),
        }
    }
}

impl std::error::Error for ProofError {}

/// What is wrong with a step. Texts are terms, literals or clauses as the user would write them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The proof has no steps.
    EmptyProof,
    /// A limit was reached before the end of the proof.
    Stopped(Stop),
    /// A number that names no term of the store.
    ForeignTerm(u32),
    /// A number that names no symbol of the store.
    ForeignSymbol(u32),
    /// A closed term was expected.
    OpenTerm(String),
    /// A literal was expected: a formula that is not a negation, and a sign.
    NotALiteral(String),
    /// The formula is not among the assertions.
    NotAsserted(String),
    /// The term has no connective at its head.
    NoConnective(String),
    /// The clause does not follow from the meaning of the connective.
    NotAConsequence {
        /// The formula whose head is unfolded.
        node: String,
        /// The clause.
        clause: String,
    },
    /// A quantified formula was expected.
    NotAQuantifier(String),
    /// A list has the wrong length.
    Arity {
        /// What the list is for.
        place: String,
        /// The right length.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// A term has the wrong sort.
    Sort {
        /// The term.
        term: String,
        /// The right sort.
        expected: String,
        /// Its sort.
        found: String,
    },
    /// A constant made by the solver was expected.
    NotASkolemConstant(String),
    /// The Skolem constant occurs before its introduction.
    NotFresh(String),
    /// The table has no rule of this name.
    UnknownRule(String),
    /// The symbol is no function from an uninterpreted sort to itself.
    NotALinkField(String),
    /// A premise of a rule step does not hold in the context.
    Premise {
        /// The number of the rule step.
        at: usize,
        /// The rule.
        rule: String,
        /// The premise.
        expected: String,
    },
    /// A rule step concludes an alternative that its rule does not have.
    NoAlternative {
        /// The number of the rule step.
        at: usize,
        /// The rule.
        rule: String,
        /// How many alternatives the rule has.
        expected: usize,
        /// The number of the one concluded.
        found: usize,
    },
    /// An alternative that is not concluded is not refuted by the context either.
    NotRefuted {
        /// The number of the rule step.
        at: usize,
        /// The rule.
        rule: String,
        /// The alternative.
        alternative: String,
    },
    /// The derivation ends in a context that is not contradictory.
    NoContradiction,
    /// The lemma has no literal of this number.
    NoHypothesis {
        /// The number of the cut.
        at: usize,
        /// How many literals there are.
        expected: usize,
        /// The number used.
        found: usize,
    },
    /// A hypothesis that is neither an inequality nor an equality of integers.
    NotArithmetic {
        /// The number of the cut.
        at: usize,
        /// The hypothesis.
        found: String,
    },
    /// An inequality is multiplied by a negative number.
    NegativeMultiplier {
        /// The number of the cut.
        at: usize,
        /// The multiplier.
        found: String,
    },
    /// A cut uses itself or a later one.
    NoEarlierCut {
        /// The number of the cut.
        at: usize,
        /// The number used.
        found: usize,
    },
    /// Two terms are not in one congruence class.
    NotEqual {
        /// One term.
        left: String,
        /// The other.
        right: String,
    },
    /// The last cut is not `0 <= c` with negative c.
    NoRefutation(String),
    /// Unit propagation does not end in a conflict.
    NotPropagated(String),
    /// A literal of the last clause is not the negation of an assumption.
    FinalClause(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Stopped(stop) => write!(f, "{stop}"),
            Fault::EmptyProof => f.write_str("expected at least one step, found none"),
            Fault::ForeignTerm(id) => write!(f, "expected a term of the problem, found id {id}"),
            Fault::ForeignSymbol(id) => write!(f, "expected a symbol of the problem, found id {id}"),
            Fault::OpenTerm(term) => write!(f, "expected a closed term, found {term}"),
            Fault::NotALiteral(term) => {
                write!(f, "expected a formula that is not a negation, found {term}")
            }
            Fault::NotAsserted(formula) => write!(f, "expected an assertion, found {formula}"),
            Fault::NoConnective(node) => write!(f, "expected a connective, found {node}"),
            Fault::NotAConsequence { node, clause } => {
                write!(f, "expected a consequence of the meaning of {node}, found {clause}")
            }
            Fault::NotAQuantifier(found) => write!(f, "expected a quantified formula, found {found}"),
            Fault::Arity { place, expected, found } => {
                write!(f, "{place}: expected {expected} terms, found {found}")
            }
            Fault::Sort { term, expected, found } => {
                write!(f, "{term}: expected sort {expected}, found {found}")
            }
            Fault::NotASkolemConstant(found) => {
                write!(f, "expected a constant made by the solver, found {found}")
            }
            Fault::NotFresh(constant) => {
                write!(f, "expected a new constant, found {constant}, which occurs before")
            }
            Fault::UnknownRule(name) => write!(f, "expected a rule of the table, found {name}"),
            Fault::NotALinkField(name) => write!(f, "expected a link field, found {name}"),
            Fault::Premise { at, rule, expected } => {
                write!(f, "rule step {at} ({rule}): expected {expected}, which is not known")
            }
            Fault::NoAlternative { at, rule, expected, found } => {
                write!(f, "rule step {at} ({rule}): expected one of {expected} alternatives, found {found}")
            }
            Fault::NotRefuted { at, rule, alternative } => {
                write!(f, "rule step {at} ({rule}): expected {alternative} to be refuted")
            }
            Fault::NoContradiction => f.write_str("expected a contradictory context, found none"),
            Fault::NoHypothesis { at, expected, found } => {
                write!(f, "cut {at}: expected one of {expected} hypotheses, found number {found}")
            }
            Fault::NotArithmetic { at, found } => {
                write!(f, "cut {at}: expected an inequality or an equality of integers, found {found}")
            }
            Fault::NegativeMultiplier { at, found } => {
                write!(f, "cut {at}: expected a multiplier that is not negative, found {found}")
            }
            Fault::NoEarlierCut { at, found } => {
                write!(f, "cut {at}: expected an earlier cut, found number {found}")
            }
            Fault::NotEqual { left, right } => {
                write!(f, "expected equal terms, found {left} and {right}")
            }
            Fault::NoRefutation(found) => write!(f, "expected 0 <= c with negative c, found {found}"),
            Fault::NotPropagated(clause) => write!(f, "expected a conflict when {clause} is false"),
            Fault::FinalClause(literal) => {
                write!(f, "last clause: expected negated assumptions only, found {literal}")
            }
        }
    }
}

/// The name of a step's kind.
pub(super) fn kind(step: &Step) -> &'static str {
    match step {
        Step::Assertion { .. } => "assertion",
        Step::Connective { .. } => "connective",
        Step::Instance { .. } => "instance",
        Step::Skolem { .. } => "skolem",
        Step::Trichotomy { .. } => "trichotomy",
        Step::Lemma { .. } => "lemma",
        Step::Propagation { .. } => "propagation",
    }
}

/// A term for a message.
pub(super) fn show(terms: &Terms, term: TermId) -> String {
    print::brief(terms, term)
}

/// A literal for a message.
pub(super) fn show_literal(terms: &Terms, literal: Literal) -> String {
    let atom = show(terms, literal.atom);
    if literal.positive { atom } else { format!("(not {atom})") }
}

/// A clause for a message.
pub(super) fn show_clause(terms: &Terms, clause: &[Literal]) -> String {
    match clause {
        [] => "false".to_owned(),
        [only] => show_literal(terms, *only),
        _ => {
            let literals: Vec<String> = clause.iter().map(|&l| show_literal(terms, l)).collect();
            format!("(or {})", literals.join(" "))
        }
    }
}
