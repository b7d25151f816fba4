//! Sequence interpolants: for groups of formulas that contradict each other, what is known between them.
//!
//! For groups `G1 .. Gn` without a common model the interpolants `I1 .. In-1` satisfy: `G1` implies `I1`,
//! `Ik` and `Gk+1` imply `Ik+1`, `In-1` contradicts `Gn`; and `Ik` has only symbols that occur both in
//! `G1 .. Gk` and in `Gk+1 .. Gn`. Theory: equality, uninterpreted functions and predicates, numerals, linear
//! integers; no quantifiers, no reachability.
//!
//! All cuts are read off **one** proof, after McMillan: a small clause-learning search (`resolution`) whose
//! lemmas come from congruence closure (`equality`) and from the simplex (`linear`). Lemmas use only
//! literals over symbols of a single group, so every literal has a side at every cut (`vocabulary`); what is
//! mixed inside a lemma (a congruence between a term of the prefix and one of the suffix) is split there.
//! Integers are branched on one unknown at a time, which never mixes symbols either.
//!
//! A refutation with cuts, or with equalities between integers that neither side can name, has no such reading; then
//! the interpolants are projections of the prefix or the suffix (`projection`), with divisibility where the caller
//! has quotients to say it with ([`Quotients`], `cooper`). Deliberately missing: projections of functions
//! (the answer is then [`Failure::Unable`]).
//!
//! [`check`] proves the entailments with the solver; it is an invariant under debug, and the dialogue calls it
//! always.

mod clauses;
mod cooper;
mod equality;
mod linear;
mod projection;
mod quotients;
mod resolution;
#[cfg(test)]
mod tests;
mod vocabulary;

use crate::engine::answer::{Answer, Config};
use crate::engine::solver::Solver;
use crate::logic::{BuildError, TermId, Terms};
use crate::util::limits::{Limits, Stop};
pub use quotients::Quotients;
use resolution::Refuted;

/// Why there are no interpolants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The groups have a common model, as far as the theories here tell.
    Satisfiable,
    /// Something is outside the theory, or cannot be expressed at a cut.
    Unable(String),
    /// A limit.
    Stopped(Stop),
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        Failure::Unable(error.to_string())
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Satisfiable => {
                f.write_str("the formulas are not refuted by equality and linear integers")
            }
            Failure::Unable(why) => f.write_str(why),
            Failure::Stopped(stop) => stop.fmt(f),
        }
    }
}

/// Interpolants at all cuts between the groups, one fewer than there are groups.
///
/// # Errors
/// See [`Failure`].
pub fn sequence(terms: &mut Terms, groups: &[Vec<TermId>], limits: &Limits) -> Result<Vec<TermId>, Failure> {
    let none = Quotients::default();
    match from_proof(terms, groups, limits) {
        Ok(out) => {
            debug_assert!(
                check(terms, groups, &out, &none, limits) != Some(false),
                "interpolants follow, contradict and are inductive"
            );
            Ok(out)
        }
        // Here it is not known that the groups contradict each other, so the check decides.
        Err(Failure::Unable(why)) => match projection::sequence(terms, groups, None)? {
            Some(out) if check(terms, groups, &out, &none, limits) == Some(true) => Ok(out),
            _ => Err(Failure::Unable(why)),
        },
        Err(other) => Err(other),
    }
}

/// The same; interpolants may speak of quotients, those of the formulas and others.
///
/// # Errors
/// See [`Failure`].
pub fn sequence_with_quotients(
    terms: &mut Terms,
    groups: &[Vec<TermId>],
    quotients: &mut Quotients,
    limits: &Limits,
) -> Result<Vec<TermId>, Failure> {
    match sequence(terms, groups, limits) {
        // Without the laws of quotients there may be no refutation.
        Err(why @ (Failure::Unable(_) | Failure::Satisfiable)) => {
            match projection::sequence(terms, groups, Some(quotients))? {
                Some(out) if check(terms, groups, &out, quotients, limits) == Some(true) => Ok(out),
                _ => Err(why),
            }
        }
        other => other,
    }
}

/// All cuts from one proof.
fn from_proof(terms: &mut Terms, groups: &[Vec<TermId>], limits: &Limits) -> Result<Vec<TermId>, Failure> {
    let mut problem = clauses::Problem::new(terms, groups)?;
    let refuted = resolution::refute(terms, &mut problem, limits)?;
    (1..groups.len()).map(|cut| at_cut(terms, &problem, &refuted, cut)).collect()
}

/// The partial interpolant of the empty clause; `cut` groups are the prefix.
fn at_cut(
    terms: &mut Terms,
    problem: &clauses::Problem,
    refuted: &Refuted,
    cut: usize,
) -> Result<TermId, Failure> {
    use resolution::Origin;
    let mut partial: Vec<TermId> = Vec::with_capacity(refuted.clauses.len());
    for (i, clause) in refuted.clauses.iter().enumerate() {
        if !refuted.used[i] {
            partial.push(Terms::TRUE);
            continue;
        }
        let term = match &clause.origin {
            Origin::Input(group) if *group < cut => {
                let mut shared = Vec::new();
                for &lit in &clause.lits {
                    if problem.in_suffix(lit.var(), cut) {
                        shared.push(problem.literal_term(terms, lit)?);
                    }
                }
                terms.or(&shared)?
            }
            Origin::Input(_) => Terms::TRUE,
            Origin::Equality(proof) => equality::interpolant(terms, problem, proof, cut)?,
            Origin::Linear(sum) => linear::interpolant(terms, problem, sum, cut)?,
            Origin::Learned(first, rest) => {
                let mut term = partial[*first];
                for (other, pivot) in rest {
                    term = if problem.in_suffix(*pivot, cut) {
                        terms.and(&[term, partial[*other]])?
                    } else {
                        terms.or(&[term, partial[*other]])?
                    };
                }
                term
            }
        };
        partial.push(term);
    }
    Ok(partial[refuted.empty])
}

/// Proves that the interpolants are inductive and that their symbols are shared; `None` if the solver does not
/// know.
pub fn check(
    terms: &Terms,
    groups: &[Vec<TermId>],
    interpolants: &[TermId],
    quotients: &Quotients,
    limits: &Limits,
) -> Option<bool> {
    let shared = || vocabulary::all_shared(terms, groups, interpolants, &quotients.symbols());
    if interpolants.len() + 1 != groups.len() || !shared() {
        return Some(false);
    }
    for (i, group) in groups.iter().enumerate() {
        let mut solver = Solver::with_terms(Config::default(), terms.clone());
        solver.set_limits(limits.clone());
        let mut facts = group.clone();
        facts.extend(i.checked_sub(1).map(|before| interpolants[before]));
        if let Some(&after) = interpolants.get(i) {
            facts.push(solver.terms_mut().not(after).ok()?);
        }
        let laws = quotients.laws(solver.terms_mut(), &facts).ok()?;
        for fact in facts.into_iter().chain(laws) {
            solver.assert(fact).ok()?;
        }
        match solver.check() {
            Answer::Unsat(_) => {}
            Answer::Sat(_) => return Some(false),
            Answer::Unknown(_) => return None,
        }
    }
    Some(true)
}
