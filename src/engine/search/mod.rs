//! The Boolean search above the kernel, in two forms behind one type.
//!
//! [`online`] is the default: a CDCL search of our own that hands the theory the relevant literals of every
//! partial assignment. [`offline`] asks any SAT solver for a full model, picks the relevant literals
//! afterwards and starts over; it is the reference that the fast search is tested against. Both drive the
//! same kernel, so they differ in nothing but the order of their questions.

pub(crate) mod offline;
pub(crate) mod online;

use crate::engine::clausify::Clausifier;
use crate::engine::fragment::{Fragment, classify};
use crate::engine::kernel::Kernel;
use crate::logic::{Model, TermId, Terms};
use crate::proof::Step;
use crate::sat::proof::ProofStep;
use crate::sat::{Backend, Lit};
use crate::util::limits::{Budget, Stop};
use offline::Offline;
use online::Online;

/// What a search may start from: a literal assumed, and the formulas that hold because of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assumption {
    pub(crate) lit: Lit,
    pub(crate) formulas: Formulas,
}

/// Formulas; a single one, as there are many of, takes no memory of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formulas {
    One([TermId; 1]),
    Many(Vec<TermId>),
}

impl std::ops::Deref for Formulas {
    type Target = [TermId];

    fn deref(&self) -> &[TermId] {
        match self {
            Formulas::One(one) => one,
            Formulas::Many(many) => many,
        }
    }
}

/// The answer of a search.
pub(crate) enum Outcome {
    /// An evaluated model.
    Sat(Box<Model>),
    /// Unsatisfiable; these assumptions (by position) are to blame.
    Unsat(Vec<usize>),
    /// The model violates this formula and no further instance is known.
    Incomplete(TermId),
    /// So far every model violated a formula, and there may be no end to it; this formula is the reason.
    Endless(TermId),
}

/// A search of either kind.
pub(crate) enum Search {
    Online(Box<Online>),
    Offline(Box<Offline>),
}

/// Counters of the Boolean search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    pub(crate) calls: u64,
    pub(crate) decisions: u64,
    pub(crate) conflicts: u64,
    pub(crate) restarts: u64,
}

impl Search {
    /// The online search, or with a back end the offline one.
    pub(crate) fn new(terms: &Terms, offline: Option<Backend>, proofs: bool) -> Search {
        match offline {
            None => Search::Online(Box::new(Online::new(terms, proofs))),
            Some(backend) => Search::Offline(Box::new(Offline::new(terms, backend, proofs))),
        }
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        match self {
            Search::Online(search) => &search.kernel,
            Search::Offline(search) => &search.kernel,
        }
    }

    pub(crate) fn kernel_mut(&mut self) -> &mut Kernel {
        match self {
            Search::Online(search) => &mut search.kernel,
            Search::Offline(search) => &mut search.kernel,
        }
    }

    /// Decides the asserted formulas under assumptions. After a stop the search is as good as new.
    pub(crate) fn solve(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Assumption],
        budget: &mut Budget,
    ) -> Result<Outcome, Stop> {
        self.kernel_mut().match_rounds = 0;
        match self {
            Search::Online(search) => search.solve(terms, assumptions, budget),
            Search::Offline(search) => search.solve(terms, assumptions, budget),
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        match self {
            Search::Online(search) => search.counters(),
            Search::Offline(search) => search.counters(),
        }
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        match self {
            Search::Online(search) => search.memory_bytes(),
            Search::Offline(search) => search.memory_bytes(),
        }
    }

    /// The steps of the proof after an `unsat` under these assumptions; `selected` as for [`map_proof`].
    pub(crate) fn proof_steps(
        &self,
        assumptions: &[Assumption],
        selected: &dyn Fn(TermId) -> Option<bool>,
    ) -> Vec<Step> {
        match self {
            Search::Online(search) => search.proof_steps(selected),
            Search::Offline(search) => search.proof_steps(assumptions, selected),
        }
    }
}

/// Whether a search gives up after this many models were refined (its patience): never inside the complete fragments, where
/// the number of instances is finite.
fn gives_up(terms: &Terms, kernel: &Kernel, assumed: &[TermId], model_rounds: u32) -> Option<TermId> {
    if !model_rounds.is_multiple_of(kernel.patience) {
        return None;
    }
    let formulas: Vec<TermId> = kernel.roots.iter().chain(assumed).copied().collect();
    match classify(terms, &formulas) {
        Fragment::Outside { formula, .. } => Some(formula),
        Fragment::Ground | Fragment::Lisbq | Fragment::Epr => None,
    }
}

/// Positions of the assumptions whose literal is in a failed core.
fn core_positions(assumptions: &[Assumption], core: &[Lit]) -> Vec<usize> {
    (0..assumptions.len()).filter(|&i| core.contains(&assumptions[i].lit)).collect()
}

/// A log of the Boolean search as steps of a proof. `selected` tells selectors, and whether they are assumed
/// now: literals of assumed ones are left out, because what they guard counts as asserted; clauses about
/// others are left out altogether.
fn map_proof(
    clausifier: &Clausifier,
    log: &[ProofStep],
    inputs: &[Step],
    selected: &dyn Fn(TermId) -> Option<bool>,
) -> Vec<Step> {
    let mut out = Vec::new();
    for step in log {
        let selector = |l: &Lit| selected(clausifier.atom(l.var()));
        if step.lits().iter().any(|l| selector(l) == Some(false)) {
            continue;
        }
        match step {
            ProofStep::Input { tag, .. } => out.push(inputs[*tag as usize].clone()),
            ProofStep::Learnt { lits } => {
                let kept: Vec<Lit> = lits.iter().copied().filter(|l| selector(l).is_none()).collect();
                out.push(Step::Propagation { clause: clausifier.proof_clause(&kept) });
            }
        }
    }
    out
}
