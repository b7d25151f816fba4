//! One attempt: heaps are grown, the invariant that they are is proved, and what the proof refutes is a new heap.

use super::background::{self, Numbers};
use super::boolean::Heaps;
use super::count;
use super::learn;
use super::prove::{self, Proof, Remaining};
use super::signature::Signature;
use super::tautology::Tautologies;
use super::text::{draw, formulas_of};
use crate::analysis::Progress;
use crate::program::wp::{self, Obligation};
use crate::program::{Formula, LoopId, Program, Question};
use crate::util::span::Span;
use crate::verdict::{AbstractStep, Certificate, Counters, Failure, Reason, Verdict, Weakness};

/// Questions of the final check without answer, after which the pieces of the invariant that cannot be proved are
/// dropped.
const MAX_OPEN: usize = 1;

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
}

impl Trial<'_> {
    /// The verdict, and the candidates that the final check did not prove.
    pub(super) fn run(&self, kept: &Numbers, counters: &mut Counters) -> (Result<Verdict, Reason>, Numbers) {
        let mut failing: Numbers = vec![Vec::new(); self.program.loops.len()];
        let outcome = self.result(kept, counters, &mut failing);
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
        kept: &Numbers,
        counters: &mut Counters,
        failing: &mut Numbers,
    ) -> Result<Verdict, Reason> {
        let mut heaps = self.shown.to_vec();
        let bare = self.conditions(self.program)?;
        let mut tautologies =
            Tautologies::new(bare, self.signatures).map_err(|message| Reason { message, span: None })?;
        // Questions without an answer: after some, no more heaps are looked for.
        let mut open = 0;
        for round in 0..learn::ROUNDS {
            let mut added = self.grown(kept, round, &mut heaps, &mut tautologies, counters)?;
            counters.signatures = Some(heaps.iter().map(|h| h.heaps.len() as u64).sum());
            let more = round + 1 < learn::ROUNDS && open < MAX_OPEN;
            loop {
                failing.iter_mut().for_each(Vec::clear);
                match self.check(kept, &added, more, &mut heaps, counters, failing)? {
                    Checked::Proved => return Ok(self.verified(kept, added, counters)),
                    Checked::Grown { by_model } => {
                        open += usize::from(!by_model);
                        break;
                    }
                    Checked::Dropped(pieces) => {
                        for (l, i) in pieces.into_iter().rev() {
                            added[l.index()].remove(i);
                        }
                        count(&mut counters.refinements, 1);
                    }
                    Checked::Failed(obligation, Some(reason)) => {
                        let message = format!("{}: {reason}", obligation.what);
                        return Err(Reason { message, span: Some(span_of(self.program, &obligation)) });
                    }
                    Checked::Failed(obligation, None) => {
                        return Ok(too_weak(self.program, &obligation, self.signatures, &heaps));
                    }
                }
            }
        }
        Err(Reason { message: "the heaps could not be closed".to_owned(), span: None })
    }

    pub(super) fn verified(
        &self,
        kept: &Numbers,
        added: Vec<Vec<Formula>>,
        counters: &mut Counters,
    ) -> Verdict {
        let mut invariants = Vec::new();
        for (l, (kept, added)) in background::loops(self.program).zip(kept.iter().zip(added)) {
            let propagated = kept.iter().map(|&c| self.candidates[c].clone());
            invariants.push((l, propagated.chain(added).collect::<Vec<_>>()));
        }
        counters.clauses = Some(invariants.iter().map(|(_, f)| f.len() as u64).sum());
        Verdict::Verified(Certificate::Invariants(invariants))
    }

    /// Grows heaps until they are closed, as far as the core finds models. The invariants that they are.
    fn grown(
        &self,
        kept: &Numbers,
        round: usize,
        heaps: &mut Vec<Heaps>,
        tautologies: &mut Tautologies,
        counters: &mut Counters,
    ) -> Result<Vec<Vec<Formula>>, Reason> {
        let plain = |message: String| Reason { message, span: None };
        (self.progress)("growing heaps");
        let propagated = background::annotated(self.program, self.candidates, kept, &[]);
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
        let mut out = Vec::new();
        for (l, (heaps, signature)) in heaps.iter().zip(signatures).enumerate() {
            let whole = heaps.invariant(&signature.widths());
            let pruned = tautologies.pruned(l, whole, &remaining.now());
            out.push(formulas_of(signature, &pruned.map_err(|e| plain(e.to_string()))?));
        }
        count(&mut counters.queries, std::mem::take(&mut tautologies.queries));
        Ok(out)
    }

    /// Proves the program with the invariants. If `more` rounds may follow, ends at the first model that shows a new
    /// heap.
    pub(super) fn check(
        &self,
        kept: &Numbers,
        added: &[Vec<Formula>],
        more: bool,
        heaps: &mut [Heaps],
        counters: &mut Counters,
        failing: &mut [Vec<usize>],
    ) -> Result<Checked, Reason> {
        let plain = |message: String| Reason { message, span: None };
        (self.progress)("proving the invariant");
        let annotated = background::annotated(self.program, self.candidates, kept, added);
        let mut conditions = self.conditions(&annotated)?;
        let mut readings = Vec::new();
        for arrival in conditions.arrivals.clone() {
            let signature = &self.signatures[arrival.of.index()];
            let made = learn::reading(&mut conditions.encoder, &conditions.entry, &arrival.now, signature);
            readings.push((made.map_err(|reason| plain(reason.0))?, arrival));
        }
        let mut solver = prove::solver(&conditions).map_err(plain)?;
        counters.obligations = Some(conditions.obligations.len() as u64);
        let mut failed: Option<(Obligation, Option<String>)> = None;
        let mut dropped: Vec<(LoopId, usize)> = Vec::new();
        let mut grown = None;
        for (i, obligation) in conditions.obligations.iter().enumerate() {
            (self.progress)(&format!("obligation {} of {}", i + 1, conditions.obligations.len()));
            if self.remaining.is_over() {
                return Err(plain("the time is up".to_owned()));
            }
            let of_loop = match obligation.kind {
                wp::Kind::Initially(l) | wp::Kind::Preserved(l) => Some(l),
                wp::Kind::Place => None,
            };
            let limits = self.remaining.now();
            let is_piece = background::added_of(obligation.span).is_some();
            let limits = if is_piece { prove::short(&limits, prove::STEPS) } else { limits };
            let proof = prove::check(&mut solver, &conditions, i, &limits);
            if proof.is_proved() {
                continue;
            }
            if let (Some(c), Some(l)) = (background::candidate_of(obligation.span), of_loop) {
                failing[l.index()].push(c);
            }
            let piece = background::added_of(obligation.span).zip(of_loop).map(|(i, l)| (l, i));
            let reason = match proof {
                Proof::Open(reason) => Some(reason),
                Proof::Refuted(model) if more => {
                    let mut by_model = false;
                    for (reading, arrival) in readings.iter().filter(|(_, a)| Some(a.of) == of_loop) {
                        if learn::holds(&solver, &model, arrival.path)
                            && let Some((atoms, objects)) = learn::abstracted(&solver, &model, reading)
                        {
                            by_model |= heaps[arrival.of.index()].add(atoms, objects);
                        }
                    }
                    if by_model {
                        grown = Some(true);
                        break;
                    }
                    None
                }
                Proof::Proved | Proof::Refuted(_) => None,
            };
            if let Some(piece) = piece {
                if more {
                    grown = Some(false);
                    break;
                }
                if !dropped.contains(&piece) {
                    dropped.push(piece);
                }
            }
            if failed.as_ref().is_none_or(|(_, open)| open.is_some() && reason.is_none()) {
                failed = Some((obligation.clone(), reason));
            }
        }
        count(&mut counters.queries, solver.stats().queries);
        dropped.sort_unstable();
        Ok(match (grown, failed) {
            (Some(by_model), _) => Checked::Grown { by_model },
            (None, _) if !dropped.is_empty() => Checked::Dropped(dropped),
            (None, None) => Checked::Proved,
            (None, Some((obligation, reason))) => Checked::Failed(Box::new(obligation), reason),
        })
    }
}

/// What the check of an invariant gave.
pub(super) enum Checked {
    /// Everything was proved.
    Proved,
    /// There may be more heaps; whether a model showed one.
    Grown {
        /// One was added.
        by_model: bool,
    },
    /// These pieces of the heaps' invariant could not be proved: loop and number. The rest may be enough.
    Dropped(Vec<(LoopId, usize)>),
    /// This was not, and why if no model shows it.
    Failed(Box<Obligation>, Option<String>),
}

/// The place of an obligation in the source; of a propagated conjunct its loop.
fn span_of(program: &Program, obligation: &Obligation) -> Span {
    match obligation.kind {
        wp::Kind::Initially(l) | wp::Kind::Preserved(l) if background::is_made(obligation.span) => {
            program.loops[l.index()].span
        }
        _ => obligation.span,
    }
}

/// The obligation that the heaps do not exclude, with the heaps.
pub(super) fn too_weak(
    program: &Program,
    obligation: &Obligation,
    signatures: &[Signature],
    heaps: &[Heaps],
) -> Verdict {
    let span = span_of(program, obligation);
    let failure = Failure { check: obligation.check, message: obligation.what.clone(), span };
    let mut abstract_trace = Vec::new();
    for (l, (signature, heaps)) in background::loops(program).zip(signatures.iter().zip(heaps)) {
        let location = program.loops[l.index()].head;
        for text in draw(program, signature, heaps) {
            abstract_trace.push(AbstractStep { location, text });
        }
    }
    abstract_trace.push(AbstractStep { location: obligation.location, text: obligation.what.clone() });
    let hint = Some("another predicate to `track` may tell these cells apart".to_owned());
    Verdict::TooWeak(Box::new(Weakness { failure, abstract_trace, state: None, hint }))
}
