//! What is propagated: conjuncts of the precondition that hold at every loop head as well (Bohne, section 6).
//!
//! Candidates are put at every loop, those that do not hold initially or are not preserved under the others
//! are dropped, and so on until nothing is dropped. Besides the conjuncts of `requires` these are what follows from
//! them ([`lemma`]), that what a pointer reaches is allocated where cells are freed or allocated, the definition of what
//! the contract calls old (`content == \old(content)`) and the frame that `assigns` asks for.

use super::prove::{Place, Proof, Prover, Remaining};
use super::signature::Signature;
use crate::program::rewrite::{Rewrite, same, to_entry, to_now};
use crate::program::walk::{self, Part};
use crate::program::wp::lemma;
use crate::program::{
    At, Binder, BoundId, Clause, Command, Contract, Edge, Field, FieldId, Formula, LoopId, Program, Question,
    Set, Target, Term, Type,
};
use crate::util::options;

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
    let entry = Rewrite { terms: &[], at: &to_entry };
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

/// Where cells are freed or allocated: that those which a pointer reaches are allocated still, or at least its own. (A
/// new cell is then none of those.)
fn allocated(program: &Program, contract: &Contract, signatures: &[Signature]) -> Vec<Formula> {
    let mut out = Vec::new();
    for kind in signatures.iter().flat_map(|s| &s.kinds) {
        let changes = |e: &Edge| match e.command {
            Command::Free(v) => program.vars[v.index()].ty.pointee() == Some(kind.of),
            Command::Alloc { of, .. } => of == kind.of,
            _ => false,
        };
        if !program.edges.iter().any(changes) {
            continue;
        }
        for field in lemma::followed(contract) {
            if program.fields[field.index()].owner == kind.of && program.fields[field.index()].is_link() {
                let rows = kind.rows.iter().filter(|row| matches!(row, Term::Var(..)));
                out.extend(rows.map(|row| Formula::Stable(field, At::Now, row.clone())));
            }
        }
        for row in kind.rows.iter().filter(|row| matches!(row, Term::Var(_, At::Now))) {
            let is_cell = Formula::ne(row.clone(), Term::Null(kind.of));
            let valid = Formula::Valid(row.clone(), At::Now);
            out.push(Formula::Implies(Box::new(is_cell), Box::new(valid)));
        }
    }
    out
}

/// What may be propagated.
pub(super) fn candidates(program: &Program, question: &Question, signatures: &[Signature]) -> Vec<Formula> {
    let contract = &program.contracts[question.contract];
    let mut out = Vec::new();
    let known = lemma::consequences(program, contract);
    contract.requires.iter().chain(&known).for_each(|clause| conjuncts(&clause.formula, &mut out));
    for kind in signatures.iter().flat_map(|s| &s.kinds) {
        for predicate in kind.predicates.iter().filter(|p| is_old(p)) {
            let now = Rewrite { terms: &[], at: &to_now }.formula(predicate);
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
    for formula in allocated(program, contract, signatures) {
        if !out.contains(&formula) {
            out.push(formula);
        }
    }
    if let Some(targets) = &contract.assigns {
        // Kinds use the first ids above those of the program.
        let id = BoundId(program.bounds.saturating_add(program.structs.len() as u32));
        out.extend(written(program).into_iter().filter_map(|field| frame(program, targets, field, id)));
    }
    debug_assert!(out.iter().all(|f| Rewrite { terms: &[], at: &same }.formula(f) == *f));
    out
}

/// The program with these candidates as invariants of its loops.
pub(super) fn annotated(program: &Program, candidates: &[Formula], kept: &[Vec<usize>]) -> Program {
    let mut out = program.clone();
    for (l, kept) in out.loops.iter_mut().zip(kept) {
        let span = l.span;
        l.invariants.extend(kept.iter().map(|&c| Clause { formula: candidates[c].clone(), span }));
    }
    out
}

/// Candidates by loop.
pub(super) type Numbers = Vec<Vec<usize>>;

/// Which states a candidate has to hold in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// Those that come to the loop from outside.
    Initially,
    /// Those after a round as well: the candidates are an invariant by themselves.
    Always,
}

/// The candidates that hold at the loop heads under the others that do: what cannot be proved is dropped until all that
/// is left can be.
pub(super) fn propagate(
    prover: &mut Prover<'_>,
    candidates: &[Formula],
    demand: Demand,
    remaining: &Remaining,
    progress: crate::analysis::Progress<'_>,
) -> Result<Numbers, String> {
    let n_loops = prover.conditions.encoder.program().loops.len();
    let mut kept: Numbers = vec![(0..candidates.len()).collect(); n_loops];
    loop {
        let pieces: Vec<Vec<Formula>> =
            kept.iter().map(|kept| kept.iter().map(|&c| candidates[c].clone()).collect()).collect();
        let mut dropped = false;
        for at in 0..prover.conditions.arrivals.len() {
            if demand == Demand::Initially && !prover.is_initial(at) {
                continue;
            }
            let arrival = &prover.conditions.arrivals[at];
            let (of, place) = (arrival.of, Place { path: arrival.path, heads: arrival.heads.clone() });
            let mut holding = Vec::new();
            for &c in &kept[of.index()] {
                if remaining.is_over() {
                    return Err(remaining.why_over());
                }
                progress(&format!("propagating conjunct {} of {}", c + 1, candidates.len()));
                let proof = match prover.goal(at, &candidates[c]) {
                    Ok(goal) => prover.prove(
                        &place,
                        goal,
                        &pieces,
                        (remaining, options::HEAPS_BACKGROUND_STEPS.get()),
                    ),
                    Err(reason) => Proof::Open(reason),
                };
                match proof {
                    Proof::Proved(_) => holding.push(c),
                    Proof::Refuted(_) | Proof::Open(_) => dropped = true,
                }
            }
            kept[of.index()] = holding;
        }
        if !dropped {
            return Ok(kept);
        }
    }
}

/// The loops of a program by number.
pub(super) fn loops(program: &Program) -> impl Iterator<Item = LoopId> {
    (0..u32::try_from(program.loops.len()).unwrap_or(u32::MAX)).map(LoopId)
}
