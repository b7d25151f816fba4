//! What is propagated: conjuncts of the precondition that hold at every loop head as well (Bohne, section 6).
//!
//! Candidates are put at every loop, those that do not hold initially or are not preserved under the others
//! are dropped, and so on until nothing is dropped. Besides the conjuncts of `requires` these are what follows from
//! them ([`lemma`]), the definition of what the contract calls old (`content == \old(content)`) and the frame that `assigns` asks
//! for.

use super::prove::{self, Remaining};
use super::signature::Signature;
use crate::program::rewrite::{Rewrite, same, to_entry, to_now};
use crate::program::walk::{self, Part};
use crate::program::wp::{self, Kind as Place, lemma};
use crate::program::{
    At, Binder, BoundId, Clause, Command, Field, FieldId, Formula, LoopId, Program, Question, Set, Target,
    Term, Type,
};
use crate::util::span::Span;

/// Work that one question about a candidate may take.
const STEPS: u64 = 100_000;

/// The conjuncts of a formula.
pub(super) fn conjuncts(formula: &Formula, out: &mut Vec<Formula>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| conjuncts(p, out)),
        other if !out.contains(other) => out.push(other.clone()),
        _ => {}
    }
}

/// Whether everything in the formula is about the entry.
fn is_old(formula: &Formula) -> bool {
    let (mut old, mut now) = (false, false);
    walk::formula(formula, &mut |part| {
        let at = match part {
            Part::Term(Term::Var(_, at) | Term::Field(_, at, _) | Term::Index(_, at, _))
            | Part::Set(Set::Cells(_, at, ..) | Set::Pre(_, at, _))
            | Part::Formula(
                Formula::Reach { at, .. }
                | Formula::Between(_, at, ..)
                | Formula::Valid(_, at)
                | Formula::Freed(_, at)
                | Formula::Stable(_, at, _)
                | Formula::Unshared(_, at, ..)
                | Formula::Sorted(_, _, at, ..)
                | Formula::Inverse(_, _, at, ..)
                | Formula::Dlseg(_, _, at, _)
                | Formula::Tree(_, _, at, _),
            ) => *at,
            _ => return,
        };
        old |= at == At::Entry;
        now |= at != At::Entry;
    });
    old && !now
}

/// The fields that the function writes.
fn written(program: &Program) -> Vec<FieldId> {
    let mut out = Vec::new();
    for edge in &program.edges {
        if let Command::Store { field, .. } = &edge.command
            && !out.contains(field)
        {
            out.push(*field);
        }
    }
    out
}

/// `v->f` is what it was, outside of what `assigns` lists.
fn frame(program: &Program, targets: &[Target], field: FieldId, id: BoundId) -> Option<Formula> {
    let Field { owner, ty, .. } = program.fields[field.index()];
    if !matches!(ty, Type::Int(_) | Type::Ptr(_)) {
        return None;
    }
    let v = || Term::Bound(id);
    let entry = Rewrite { terms: &[], at: to_entry };
    let value = |at| Term::Field(field, at, Box::new(v()));
    let mut parts = vec![Formula::eq(value(At::Now), value(At::Entry))];
    for target in targets {
        match target {
            Target::Field(t, f) if *f == field => parts.push(Formula::eq(v(), entry.term(t))),
            Target::Fields(s, f) if *f == field => parts.push(Formula::In(v(), entry.set(s))),
            Target::Everything => return None,
            _ => {}
        }
    }
    let binder = Binder { id, name: "v".to_owned(), of: Some(owner) };
    Some(Formula::Forall(binder, Box::new(Formula::Or(parts))))
}

/// What may be propagated.
pub(super) fn candidates(program: &Program, question: &Question, signatures: &[Signature]) -> Vec<Formula> {
    let contract = &program.contracts[question.contract];
    let mut out = Vec::new();
    let known = lemma::consequences(program, contract);
    contract.requires.iter().chain(&known).for_each(|clause| conjuncts(&clause.formula, &mut out));
    for kind in signatures.iter().flat_map(|s| &s.kinds) {
        for predicate in kind.predicates.iter().filter(|p| is_old(p)) {
            let now = Rewrite { terms: &[], at: to_now }.formula(predicate);
            let same = match (&now, predicate) {
                (Formula::In(_, now), Formula::In(_, old)) => Formula::SameSet(now.clone(), old.clone()),
                _ => {
                    let iff = Formula::Iff(Box::new(now), Box::new(predicate.clone()));
                    Formula::Forall(kind.object.clone(), Box::new(iff))
                }
            };
            if !out.contains(&same) {
                out.push(same);
            }
        }
    }
    if let Some(targets) = &contract.assigns {
        // Kinds use the first ids above those of the program.
        let id = BoundId(program.bounds.saturating_add(program.structs.len() as u32));
        out.extend(written(program).into_iter().filter_map(|field| frame(program, targets, field, id)));
    }
    debug_assert!(out.iter().all(|f| Rewrite { terms: &[], at: same }.formula(f) == *f));
    out
}

/// The program with these invariants in addition. Their numbers are in their spans ([`candidate_of`], [`added_of`]).
pub(super) fn annotated(
    program: &Program,
    candidates: &[Formula],
    kept: &[Vec<usize>],
    added: &[Vec<Formula>],
) -> Program {
    let mut out = program.clone();
    for (i, l) in out.loops.iter_mut().enumerate() {
        let candidate = |&c: &usize| Clause { formula: candidates[c].clone(), span: mark(CANDIDATE, c) };
        l.invariants.extend(kept[i].iter().map(candidate));
        let of_heaps = added.get(i).into_iter().flatten().enumerate();
        l.invariants.extend(of_heaps.map(|(n, f)| Clause { formula: f.clone(), span: mark(ADDED, n) }));
    }
    out
}

/// Candidates by loop.
pub(super) type Numbers = Vec<Vec<usize>>;

/// What was found about the candidates.
pub(super) struct Propagated {
    /// Those that hold whenever their loop is reached, under the others of this kind.
    pub(super) initially: Numbers,
    /// Those that hold after every round as well: an invariant by themselves.
    pub(super) always: Numbers,
    /// Questions asked.
    pub(super) queries: u64,
}

/// Which obligations a candidate has to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    Initially,
    Always,
}

/// Finds the candidates that hold at the loop heads.
pub(super) fn propagate(
    program: &Program,
    question: &Question,
    candidates: &[Formula],
    remaining: &Remaining,
    progress: crate::analysis::Progress<'_>,
) -> Result<Propagated, String> {
    let mut houdini = Houdini { program, question, candidates, remaining, progress, queries: 0 };
    let all: Numbers = vec![(0..candidates.len()).collect(); program.loops.len()];
    let first = houdini.failing(&all, Demand::Always)?;
    let mut close = |dropped: Numbers, demand: Demand| -> Result<Numbers, String> {
        let (mut kept, mut dropped) = (all.clone(), dropped);
        while dropped.iter().any(|d| !d.is_empty()) {
            for (kept, dropped) in kept.iter_mut().zip(&dropped) {
                kept.retain(|c| !dropped.contains(c));
            }
            let failing = houdini.failing(&kept, demand)?;
            dropped = match demand {
                Demand::Initially => failing.initially,
                Demand::Always => failing.either(),
            };
        }
        Ok(kept)
    };
    let always = close(first.clone().either(), Demand::Always)?;
    let initially = close(first.initially, Demand::Initially)?;
    Ok(Propagated { initially, always, queries: houdini.queries })
}

/// Candidates that were not proved.
#[derive(Clone)]
struct Failing {
    initially: Numbers,
    preserved: Numbers,
}

impl Failing {
    fn either(self) -> Numbers {
        let both = self.initially.into_iter().zip(self.preserved);
        both.map(|(mut a, b)| {
            a.extend(b);
            a
        })
        .collect()
    }
}

/// Drops candidates that cannot be proved until all that are left can be.
struct Houdini<'a> {
    program: &'a Program,
    question: &'a Question,
    candidates: &'a [Formula],
    remaining: &'a Remaining,
    progress: crate::analysis::Progress<'a>,
    queries: u64,
}

impl Houdini<'_> {
    /// The candidates that do not follow when all that are kept are assumed.
    fn failing(&mut self, kept: &Numbers, demand: Demand) -> Result<Failing, String> {
        let trial = annotated(self.program, self.candidates, kept, &[]);
        let conditions = wp::conditions(&trial, self.question).map_err(|reason| reason.message)?;
        let mut solver = prove::solver(&conditions)?;
        let nothing: Numbers = vec![Vec::new(); kept.len()];
        let mut failing = Failing { initially: nothing.clone(), preserved: nothing };
        for (i, obligation) in conditions.obligations.iter().enumerate() {
            let (l, list) = match obligation.kind {
                Place::Initially(l) => (l, &mut failing.initially),
                Place::Preserved(l) if demand == Demand::Always => (l, &mut failing.preserved),
                _ => continue,
            };
            let Some(candidate) = candidate_of(obligation.span) else { continue };
            if list[l.index()].contains(&candidate) {
                continue;
            }
            if self.remaining.is_over() {
                return Err("the time is up".to_owned());
            }
            self.queries += 1;
            (self.progress)(&format!("propagating conjunct {} of {}", candidate + 1, self.candidates.len()));
            let limits = prove::short(&self.remaining.now(), STEPS);
            if !prove::check(&mut solver, &conditions, i, &limits).is_proved() {
                list[l.index()].push(candidate);
            }
        }
        Ok(failing)
    }
}

/// Starts of spans that no source has: they end before they start.
const CANDIDATE: u32 = u32::MAX;
const ADDED: u32 = u32::MAX - 1;

fn mark(start: u32, i: usize) -> Span {
    Span::new(start, u32::try_from(i).unwrap_or(u32::MAX))
}

fn number(start: u32, span: Span) -> Option<usize> {
    (span.start == start).then_some(span.end as usize)
}

/// The candidate that a clause of [`annotated`] is.
pub(super) fn candidate_of(span: Span) -> Option<usize> {
    number(CANDIDATE, span)
}

/// The formula of the heaps that a clause of [`annotated`] is.
pub(super) fn added_of(span: Span) -> Option<usize> {
    number(ADDED, span)
}

/// Whether a clause was made here.
pub(super) fn is_made(span: Span) -> bool {
    candidate_of(span).or(added_of(span)).is_some()
}

/// The loops of a program by number.
pub(super) fn loops(program: &Program) -> impl Iterator<Item = LoopId> {
    (0..u32::try_from(program.loops.len()).unwrap_or(u32::MAX)).map(LoopId)
}
