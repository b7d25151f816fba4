//! One attempt: heaps are grown, the invariant that they are is proved, and what the proof refutes is a new heap.
//!
//! The proof goes backwards from what is asked. First the property is proved from all pieces of the invariant; the cores
//! tell which pieces that took. These are proved in every state that arrives at their loop, and so on: pieces that
//! nothing needs are never looked at, and are no part of the certificate. Heaps that grow make pieces weaker; goals
//! whose pieces are still there stay proved.

use super::background::{self, Numbers};
use super::boolean::{Heap, Heaps};
use super::count;
use super::learn;
use super::prove::{Piece, Place, Proof, Prover, Remaining};
use super::signature::Signature;
use super::tautology::Tautologies;
use super::text::{draw, formulas_of};
use crate::analysis::Progress;
use crate::logic::eval::Evaluator;
use crate::logic::{Model, TermId};
use crate::program::wp::{self, Obligation};
use crate::program::{Formula, LoopId, Program, Question};
use crate::util::options;
use crate::verdict::{AbstractStep, Certificate, Counters, Failure, Reason, Verdict, Weakness};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Questions of the final check without answer, after which the pieces of the invariant that cannot be proved are
/// dropped.
const MAX_OPEN: usize = 1;
/// Heaps of a loop that are shown besides the one that fails.
const MAX_DRAWN: usize = 5;

/// One attempt, given what is assumed to be propagated.
pub(super) struct Trial<'a> {
    pub(super) program: &'a Program,
    pub(super) question: &'a Question,
    pub(super) remaining: &'a Remaining,
    pub(super) progress: Progress<'a>,
    pub(super) signatures: &'a [Signature],
    pub(super) candidates: &'a [Formula],
    /// What runs showed, by loop.
    pub(super) shown: &'a [Heaps],
    /// The obligation that failed last.
    pub(super) failed: &'a RefCell<Option<Failed>>,
}

/// An obligation of the program that did not follow, and the pieces by loop that it did not follow from.
pub(super) type Failed = (usize, Vec<Vec<Formula>>);

/// What is said at the loops: the candidates that are kept, then what the heaps say.
#[derive(Clone)]
pub(super) struct Pieces {
    pub(super) kept: Numbers,
    pub(super) added: Vec<Vec<Formula>>,
}

impl Pieces {
    fn formulas(&self, candidates: &[Formula]) -> Vec<Vec<Formula>> {
        let both = self.kept.iter().zip(&self.added);
        both.map(|(kept, added)| {
            kept.iter().map(|&c| &candidates[c]).chain(added).cloned().collect::<Vec<_>>()
        })
        .collect()
    }
}

/// Something to prove. Pieces come first: a model of one that does not hold is cheap, and makes obligations void that
/// were proved from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Goal {
    /// In a state that arrives: a piece of its loop.
    Piece(usize, usize),
    /// An obligation of the program.
    Obligation(usize),
}

fn plain(message: impl ToString) -> Reason {
    Reason { message: message.to_string(), span: None }
}

impl Trial<'_> {
    /// The verdict, and the candidates that the final check did not prove.
    pub(super) fn run(
        &self,
        prover: &mut Prover<'_>,
        kept: &Numbers,
        counters: &mut Counters,
    ) -> (Result<Verdict, Reason>, Numbers) {
        let mut failing: Numbers = vec![Vec::new(); self.program.loops.len()];
        let outcome = self.result(prover, kept, counters, &mut failing);
        (outcome, failing)
    }

    pub(super) fn conditions<'p>(&self, program: &'p Program) -> Result<wp::Conditions<'p>, Reason>
    where
        Self: 'p,
    {
        let asked = wp::conditions(program, self.question);
        asked.map_err(|reason| Reason { message: reason.message, span: reason.span })
    }

    fn result(
        &self,
        prover: &mut Prover<'_>,
        kept: &Numbers,
        counters: &mut Counters,
        failing: &mut Numbers,
    ) -> Result<Verdict, Reason> {
        let mut heaps = self.shown.to_vec();
        let bare = self.conditions(self.program)?;
        let mut tautologies = Tautologies::new(bare, self.signatures).map_err(plain)?;
        // Questions without an answer, and models: after some, no more heaps are looked for.
        let (mut open, mut grown) = (0, 0);
        for round in 0..learn::ROUNDS {
            self.grow(kept, round, &mut heaps, &mut tautologies, counters)?;
            let added = self.said(&heaps, &mut tautologies, counters)?;
            let mut pieces = Pieces { kept: kept.clone(), added };
            loop {
                counters.signatures = Some(heaps.iter().map(|h| h.heaps.len() as u64).sum());
                let more =
                    round + 1 < learn::ROUNDS && open < MAX_OPEN && grown < options::HEAPS_GROWN.size();
                match self.check(prover, &pieces, more, &mut heaps, counters)? {
                    Checked::Proved(pieces) => return Ok(self.verified(pieces, counters)),
                    Checked::Grown { by_model: true } => {
                        grown += 1;
                        pieces.added = self.said(&heaps, &mut tautologies, counters)?;
                    }
                    Checked::Grown { by_model: false } => {
                        open += 1;
                        break;
                    }
                    Checked::Dropped(l, i) => {
                        count(&mut counters.refinements, 1);
                        let n_kept = pieces.kept[l.index()].len();
                        if i < n_kept {
                            failing[l.index()].push(pieces.kept[l.index()].remove(i));
                        } else {
                            pieces.added[l.index()].remove(i - n_kept);
                        }
                    }
                    Checked::Failed(Unproved { obligation, state: Err(reason) }) => {
                        let message = format!("{}: {reason}", obligation.what);
                        return Err(Reason { message, span: Some(obligation.span) });
                    }
                    Checked::Failed(Unproved { obligation, state: Ok(state) }) => {
                        let failing = state.as_ref();
                        return Ok(too_weak(self.program, &obligation, self.signatures, &heaps, failing));
                    }
                }
            }
        }
        Err(plain("the heaps could not be closed"))
    }

    pub(super) fn verified(&self, said: Vec<Vec<Formula>>, counters: &mut Counters) -> Verdict {
        counters.clauses = Some(said.iter().map(|f| f.len() as u64).sum());
        Verdict::Verified(Certificate::Invariants(background::loops(self.program).zip(said).collect()))
    }

    /// Grows heaps until they are closed, as far as the core finds models.
    fn grow(
        &self,
        kept: &Numbers,
        round: usize,
        heaps: &mut Vec<Heaps>,
        tautologies: &mut Tautologies,
        counters: &mut Counters,
    ) -> Result<(), Reason> {
        (self.progress)("growing heaps");
        let propagated = background::annotated(self.program, self.candidates, kept);
        let conditions = self.conditions(&propagated)?;
        let (signatures, remaining) = (self.signatures, self.remaining);
        let learnt =
            learn::learn(heaps, round, conditions, signatures, tautologies, remaining, self.progress);
        let learnt = learnt.map_err(|stuck| {
            count(&mut counters.queries, stuck.queries);
            plain(format!("the heaps could not be closed: {}", stuck.message))
        })?;
        count(&mut counters.queries, learnt.queries);
        *heaps = learnt.heaps;
        Ok(())
    }

    /// What the heaps say, without what holds in every state.
    fn said(
        &self,
        heaps: &[Heaps],
        tautologies: &mut Tautologies,
        counters: &mut Counters,
    ) -> Result<Vec<Vec<Formula>>, Reason> {
        let mut out = Vec::new();
        for (l, (heaps, signature)) in heaps.iter().zip(self.signatures).enumerate() {
            let whole = heaps.invariant(&signature.widths());
            let pruned = tautologies.pruned(l, whole, self.remaining);
            out.push(formulas_of(signature, &pruned.map_err(plain)?));
        }
        count(&mut counters.queries, std::mem::take(&mut tautologies.queries));
        Ok(out)
    }

    /// Proves what is asked, and the pieces that this takes. If `more` heaps may come, ends at the first model that
    /// shows a new one.
    pub(super) fn check(
        &self,
        prover: &mut Prover<'_>,
        pieces: &Pieces,
        more: bool,
        heaps: &mut [Heaps],
        counters: &mut Counters,
    ) -> Result<Checked, Reason> {
        (self.progress)("proving the invariant");
        let asked = prover.queries();
        let checked = self.prove_backwards(prover, pieces, more, heaps, counters);
        count(&mut counters.queries, prover.queries() - asked);
        checked
    }

    fn prove_backwards(
        &self,
        prover: &mut Prover<'_>,
        pieces: &Pieces,
        more: bool,
        heaps: &mut [Heaps],
        counters: &mut Counters,
    ) -> Result<Checked, Reason> {
        let formulas = pieces.formulas(self.candidates);
        let obligations = (0..prover.conditions.obligations.len()).map(Goal::Obligation);
        let mut open: BTreeSet<Goal> = obligations.collect();
        // What was needed when the heaps were smaller will be needed again.
        for (at, arrival) in prover.conditions.arrivals.iter().enumerate() {
            let here = formulas[arrival.of.index()].iter().enumerate();
            let again = here.filter(|(_, f)| prover.needed.contains(&(arrival.of, Formula::clone(f))));
            open.extend(again.map(|(i, _)| Goal::Piece(at, i)));
        }
        let mut done: BTreeMap<Goal, Vec<Piece>> = BTreeMap::new();
        while let Some(goal) = open.pop_first() {
            (self.progress)(&format!("goal {} of {}", done.len() + 1, done.len() + open.len() + 1));
            if self.remaining.is_over() {
                return Err(plain(self.remaining.why_over()));
            }
            let (place, term) = self.term(prover, goal, &formulas);
            let proof = match term {
                Err(reason) => Proof::Open(format!("it cannot be expressed: {reason}")),
                Ok(term) => {
                    // A piece that takes long is worth less than more heaps, where there may be more.
                    let can_wait = more && matches!(goal, Goal::Piece(..));
                    let steps = if can_wait { options::HEAPS_PROVE_STEPS.get() } else { u64::MAX };
                    prover.prove(&place, term, &formulas, (self.remaining, steps))
                }
            };
            let refuted = match proof {
                Proof::Proved(used) => {
                    for &(l, i) in &used {
                        prover.needed.insert((l, formulas[l.index()][i].clone()));
                        let new = goals_of(prover, (l, i)).filter(|other| *other != goal);
                        open.extend(new.filter(|goal| !done.contains_key(goal)));
                    }
                    done.insert(goal, used);
                    continue;
                }
                Proof::Refuted(model) => {
                    if more
                        && let Goal::Piece(at, _) = goal
                        && self.shows(prover, at, &model, heaps)?
                    {
                        return Ok(Checked::Grown { by_model: true });
                    }
                    Ok(model)
                }
                Proof::Open(reason) => Err(reason),
            };
            match goal {
                Goal::Obligation(i) => {
                    let obligation = Box::new(prover.conditions.obligations[i].clone());
                    self.failed.replace(Some((i, formulas)));
                    let state = refuted.map(|model| self.passed(prover, &obligation.heads, &model));
                    return Ok(Checked::Failed(Unproved { obligation, state }));
                }
                Goal::Piece(at, i) => {
                    let l = prover.conditions.arrivals[at].of;
                    let is_candidate = i < pieces.kept[l.index()].len();
                    return Ok(match more && !is_candidate {
                        true => Checked::Grown { by_model: false },
                        false => Checked::Dropped(l, i),
                    });
                }
            }
        }
        let needed = needed(prover, &done);
        counters.obligations = Some(done.len() as u64);
        let mut said: Vec<Vec<Formula>> = vec![Vec::new(); formulas.len()];
        for (l, i) in needed {
            said[l.index()].push(formulas[l.index()][i].clone());
        }
        Ok(Checked::Proved(said))
    }

    fn term(
        &self,
        prover: &mut Prover<'_>,
        goal: Goal,
        formulas: &[Vec<Formula>],
    ) -> (Place, Result<TermId, String>) {
        match goal {
            Goal::Obligation(i) => {
                let obligation = &prover.conditions.obligations[i];
                let place = Place { path: obligation.path, heads: obligation.heads.clone() };
                (place, obligation.goal.clone().map_err(|reason| reason.0))
            }
            Goal::Piece(at, i) => {
                let arrival = &prover.conditions.arrivals[at];
                let (l, place) = (arrival.of, Place { path: arrival.path, heads: arrival.heads.clone() });
                (place, prover.goal(at, &formulas[l.index()][i]))
            }
        }
    }

    /// Whether a model shows a new heap in a state that arrives; it is added.
    fn shows(
        &self,
        prover: &mut Prover<'_>,
        arrival: usize,
        model: &Model,
        heaps: &mut [Heaps],
    ) -> Result<bool, Reason> {
        let of = prover.conditions.arrivals[arrival].of;
        let reading = prover.reading(arrival, &self.signatures[of.index()]).map_err(plain)?;
        let heap = learn::abstracted(&prover.solver, model, &reading);
        Ok(heap.is_some_and(|(atoms, objects)| heaps[of.index()].add(atoms, objects)))
    }

    /// The heap of a model at the loop head that it passed last.
    fn passed(&self, prover: &mut Prover<'_>, heads: &[usize], model: &Model) -> Option<(LoopId, Heap)> {
        let is_passed = |prover: &Prover<'_>, head: usize| {
            let path = prover.conditions.heads[head].path;
            Evaluator::new(prover.solver.terms(), model).holds(path).unwrap_or(false)
        };
        let head = heads.iter().rev().copied().find(|&head| is_passed(prover, head))?;
        let of = prover.conditions.heads[head].of?;
        let reading = prover.reading_at_head(head, &self.signatures[of.index()]).ok()?;
        Some((of, learn::abstracted(&prover.solver, model, &reading)?))
    }
}

/// An obligation that the pieces do not imply.
pub(super) struct Unproved {
    pub(super) obligation: Box<Obligation>,
    /// The heap at the loop from which a model breaks it, if a loop was passed; or why there is no model.
    pub(super) state: Result<Option<(LoopId, Heap)>, String>,
}

/// A piece in all states that arrive at its loop.
fn goals_of<'a>(prover: &'a Prover<'_>, (l, i): Piece) -> impl Iterator<Item = Goal> + 'a {
    let arrivals = prover.conditions.arrivals.iter().enumerate();
    arrivals.filter(move |(_, a)| a.of == l).map(move |(at, _)| Goal::Piece(at, i))
}

/// The pieces that the obligations of the program rest on, given what each goal was proved from.
fn needed(prover: &Prover<'_>, proved: &BTreeMap<Goal, Vec<Piece>>) -> BTreeSet<Piece> {
    let mut out: BTreeSet<Piece> = BTreeSet::new();
    let mut open: Vec<Goal> =
        proved.keys().copied().filter(|goal| matches!(goal, Goal::Obligation(_))).collect();
    while let Some(goal) = open.pop() {
        for &piece in &proved[&goal] {
            if out.insert(piece) {
                open.extend(goals_of(prover, piece));
            }
        }
    }
    out
}

/// What the check of an invariant gave.
pub(super) enum Checked {
    /// Everything was proved with these pieces, by loop.
    Proved(Vec<Vec<Formula>>),
    /// There may be more heaps; whether a model showed one.
    Grown {
        /// One was added.
        by_model: bool,
    },
    /// This piece could not be proved. The others may be enough.
    Dropped(LoopId, usize),
    /// This was not.
    Failed(Unproved),
}

/// The obligation that the heaps do not exclude, with the heap from which it fails, if a model shows one, and some others.
pub(super) fn too_weak(
    program: &Program,
    obligation: &Obligation,
    signatures: &[Signature],
    heaps: &[Heaps],
    failing: Option<&(LoopId, Heap)>,
) -> Verdict {
    let failure =
        Failure { check: obligation.check, message: obligation.what.clone(), span: obligation.span };
    // The loop that was passed last stands last.
    let (mut abstract_trace, mut last) = (Vec::new(), Vec::new());
    for (l, (signature, heaps)) in background::loops(program).zip(signatures.iter().zip(heaps)) {
        let location = program.loops[l.index()].head;
        let here = failing.filter(|(of, _)| *of == l).map(|(_, heap)| heap);
        let is_last = here.is_some();
        let others =
            heaps.heaps.iter().filter(|(atoms, _)| here.is_none_or(|(failing, _)| failing != *atoms));
        let n_others = others.clone().count();
        let shown = others.take(MAX_DRAWN).map(|(atoms, objects)| draw(program, signature, atoms, objects));
        let mut texts: Vec<String> = shown.map(|text| format!("heap: {text}")).collect();
        if n_others > MAX_DRAWN {
            texts.push(format!("and {} more heaps", n_others - MAX_DRAWN));
        }
        if let Some((atoms, objects)) = here {
            texts.push(format!("the heap that fails: {}", draw(program, signature, atoms, objects)));
        }
        let steps = texts.into_iter().map(|text| AbstractStep { location, text });
        match is_last {
            true => last.extend(steps),
            false => abstract_trace.extend(steps),
        }
    }
    abstract_trace.append(&mut last);
    abstract_trace.push(AbstractStep { location: obligation.location, text: obligation.what.clone() });
    let hint = Some("another predicate to `track` may tell these cells apart".to_owned());
    Verdict::TooWeak(Box::new(Weakness { failure, abstract_trace, state: None, hint }))
}
