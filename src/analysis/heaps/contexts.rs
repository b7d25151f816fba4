//! The analysis with a context (`--context none|heap|joint`): places, ways, the return, and the final check.
//!
//! The return is a place as well (the paper's invariant for the return point): conjuncts of the postcondition must
//! follow from the heaps there, except those that the precondition asks for too. These are field constraints,
//! proved exactly on every way that leaves and assumed at the return.

use super::background;
use super::boolean::Heaps;
use super::cache::Cache;
use super::cartesian::{Context, Core, Fixpoint};
use super::count;
use super::learn;
use super::places::{self, Place, View, Way};
use super::prove::{self, Prover};
use super::returned;
use super::signature::Signature;
use super::text::formulas_of;
use super::trial::{Checked, Pieces, Trial, Unproved, too_weak};
use crate::logic::{Op, TermId, Terms};
use crate::program::encode::{Encoder, Inexpressible, Moment};
use crate::program::wp::{Conditions, Obligation};
use crate::program::{Check, Formula, LoopId, VarKind};
use crate::verdict::{Counters, Reason, Verdict};
use std::collections::BTreeSet;

/// Ways into which one path is split at most.
const MAX_BRANCHES: usize = 16;
/// Models of heaps that enumerations have missed at most.
const MAX_SHOWN: usize = 60;
/// Cells of each kind in models that are looked for where the core finds none without a bound.
const SMALL: usize = 5;

fn plain(message: impl ToString) -> Reason {
    Reason { message: message.to_string(), span: None }
}

/// The last header of a way, if it passed one, and what holds on it.
type Branch = (Option<usize>, Vec<TermId>);

/// The states that come to a place split by the last head they passed.
fn split(
    conditions: &Conditions<'_>,
    encoder: &mut Encoder<'_>,
    path: TermId,
    heads: &[usize],
) -> Result<Vec<Branch>, Inexpressible> {
    let mut out = Vec::new();
    for at in 0..=heads.len() {
        let mut formulas = vec![path];
        if at > 0 {
            formulas.push(conditions.heads[heads[at - 1]].path);
        }
        for &later in &heads[at..] {
            formulas.push(encoder.terms.not(conditions.heads[later].path)?);
        }
        let from = at.checked_sub(1).map(|i| heads[i]);
        let known: BTreeSet<TermId> = match from {
            Some(head) => flat(&encoder.terms, conditions.heads[head].path).into_iter().collect(),
            None => BTreeSet::new(),
        };
        let (known, open): (Vec<TermId>, Vec<TermId>) =
            formulas.iter().flat_map(|&f| flat(&encoder.terms, f)).partition(|f| known.contains(f));
        for branch in branches(&encoder.terms, &open) {
            out.push((from, known.iter().copied().chain(branch).collect()));
        }
    }
    Ok(out)
}

fn flat(terms: &Terms, formula: TermId) -> Vec<TermId> {
    match terms.op(formula) {
        Op::And => terms.children(formula).iter().flat_map(|&c| flat(terms, c)).collect(),
        _ => vec![formula],
    }
}

/// The ways through the disjunctions of a path: the paper's guarded commands. A context is common to the heaps that can
/// go the same way.
fn branches(terms: &Terms, conjuncts: &[TermId]) -> Vec<Vec<TermId>> {
    let mut out: Vec<Vec<TermId>> = vec![Vec::new()];
    for &part in conjuncts {
        let ways: Vec<Vec<TermId>> = match terms.op(part) {
            Op::Or => {
                let children = terms.children(part).iter();
                children.flat_map(|&c| branches(terms, &flat(terms, c))).collect()
            }
            _ => vec![vec![part]],
        };
        let ways = if out.len() * ways.len() > MAX_BRANCHES { vec![vec![part]] } else { ways };
        out = out.iter().flat_map(|o| ways.iter().map(|w| [o.as_slice(), w].concat())).collect();
    }
    out
}

/// Locals that are not set yet hold null: nobody reads them, and any other value would only be another place for
/// heaps to be split at.
fn unset_locals(encoder: &mut Encoder<'_>, entry: &Moment) -> Result<Vec<TermId>, Inexpressible> {
    let mut out = Vec::new();
    for (v, var) in encoder.program().vars.iter().enumerate() {
        if let (VarKind::Local, Some(of)) = (var.kind, var.ty.pointee()) {
            let null = encoder.null(of);
            out.push(encoder.terms.eq(entry.vars[v], null)?);
        }
    }
    Ok(out)
}

/// Places, ways, and the cells that cubes are about, by struct.
type Built = (Vec<Place>, Vec<Way>, Vec<TermId>);

/// Places and ways of a program with its propagated conjuncts.
pub(super) fn fixpoint<'a, 'b>(
    trial: &'a Trial<'b>,
    kept: &[Vec<usize>],
    returns: &Signature,
    context: Context,
    cache: &'a mut Cache,
) -> Result<Fixpoint<'a>, Reason>
where
    'b: 'a,
{
    let propagated = background::annotated(trial.program, trial.candidates, kept);
    let conditions = trial.conditions(&propagated)?;
    let mut encoder = conditions.encoder.clone();
    let build = |encoder: &mut Encoder<'_>| -> Result<Built, Inexpressible> {
        let mut cells = Vec::new();
        for i in 0..trial.program.structs.len() {
            let of = crate::program::StructId(u32::try_from(i).unwrap_or(u32::MAX));
            let sort = encoder.sort_of(of);
            cells.push(encoder.unknown("object", sort)?);
        }
        let entry = &conditions.entry;
        // Places: the headers in their order, then the return.
        let mut places = Vec::new();
        let mut place_of_head = Vec::new();
        for head in &conditions.heads {
            place_of_head.push(head.of.map(|_| places.len()));
            if let Some(l) = head.of {
                let signature = &trial.signatures[l.index()];
                let view = places::view(encoder, entry, &head.moment, signature, &cells)?;
                places.push(Place { background: vec![head.path], view });
            }
        }
        let (constraints, _) = returned::postcondition(trial);
        let (moment, background) = returned::at_return(encoder, entry, &constraints)?;
        places.push(Place { background, view: places::view(encoder, entry, &moment, returns, &cells)? });
        let before = |encoder: &mut Encoder<'_>,
                      from: Option<usize>,
                      to: Option<(&Moment, &Signature)>,
                      cells: &[TermId]| {
            let head = from.map(|h| &conditions.heads[h]);
            let Some((head, l)) = head.and_then(|head| Some((head, head.of?))) else {
                return Ok(View::default());
            };
            let signature = &trial.signatures[l.index()];
            let Some(to) = to else { return places::view(encoder, entry, &head.moment, signature, cells) };
            let new = places::named(encoder, entry, (&head.moment, signature), to)?;
            places::materialised(encoder, (entry, &head.moment), signature, cells, &new)
        };
        let mut ways = Vec::new();
        for arrival in &conditions.arrivals {
            let to = conditions.heads.iter().position(|h| h.of == Some(arrival.of));
            let Some(to) = to.and_then(|h| place_of_head[h]) else { continue };
            let signature = &trial.signatures[arrival.of.index()];
            for (from, path) in split(&conditions, encoder, arrival.path, &arrival.heads)? {
                let after = places::view(encoder, entry, &arrival.now, signature, &cells)?;
                let before = before(encoder, from, Some((&arrival.now, signature)), &cells)?;
                ways.push(Way { from: from.and_then(|h| place_of_head[h]), to, path, before, after });
            }
        }
        let exit = |o: &&Obligation| o.location == trial.program.exit && o.check == Check::Ensures;
        if let Some(end) = conditions.obligations.iter().find(exit) {
            let unset = unset_locals(encoder, entry)?;
            for (from, mut path) in split(&conditions, encoder, end.path, &end.heads)? {
                if from.is_none() {
                    continue;
                }
                path.extend(&unset);
                let after = places::view(encoder, entry, &end.now, returns, &cells)?;
                let before = before(encoder, from, None, &cells)?;
                let from = from.and_then(|h| place_of_head[h]);
                ways.push(Way { from, to: places.len() - 1, path, before, after });
            }
        }
        Ok((places, ways, cells))
    };
    let (places, ways, cells) = build(&mut encoder).map_err(|reason| plain(reason.0))?;
    let ready = Conditions { encoder, ..conditions };
    let mut solver = prove::solver(&ready).map_err(plain)?;
    let facts = prove::facts(&ready);
    let bound = learn::at_most(solver.terms_mut(), &ready.encoder, SMALL).map_err(plain)?;
    Ok(Fixpoint::new(Core { solver, facts, cells, bound }, places, ways, context, trial.remaining, cache))
}

/// What follows from heaps: the pieces of the invariant, or an obligation that does not.
type Followed = Result<Vec<Vec<Formula>>, Unproved>;

/// Proves what is asked from the heaps at the loops; nothing if a model shows a heap that an enumeration has missed, which
/// is added. What can neither be proved nor refuted is left out.
fn proved(
    trial: &Trial<'_>,
    prover: &mut Prover<'_>,
    kept: &[Vec<usize>],
    mut more: bool,
    heaps: &mut [Heaps],
    counters: &mut Counters,
    failing: &mut [Vec<usize>],
) -> Result<Option<Followed>, Reason> {
    let signed = heaps.iter().zip(trial.signatures);
    let added: Vec<Vec<Formula>> =
        signed.map(|(h, signature)| formulas_of(signature, &h.invariant(&signature.widths()))).collect();
    let mut pieces = Pieces { kept: kept.to_vec(), added };
    loop {
        match trial.check(prover, &pieces, more, heaps, counters)? {
            Checked::Proved(said) => return Ok(Some(Ok(said))),
            Checked::Failed(Unproved { obligation, state: Err(reason) }) => {
                return Err(plain(format!("{}: {reason}", obligation.what)));
            }
            Checked::Failed(unproved) => return Ok(Some(Err(unproved))),
            Checked::Grown { by_model: true } => return Ok(None),
            Checked::Grown { by_model: false } => more = false,
            Checked::Dropped(l, i) => match i.checked_sub(kept[l.index()].len()) {
                Some(i) => _ = pieces.added[l.index()].remove(i),
                None => {
                    failing[l.index()].push(kept[l.index()][i]);
                    return Err(plain("what the precondition says could not be proved at a loop"));
                }
            },
        }
    }
}

/// Proves a question by the analysis with this context.
pub(super) fn run(
    trial: &Trial<'_>,
    prover: &mut Prover<'_>,
    kept: &[Vec<usize>],
    returns: &Signature,
    (context, cache): (Context, &mut Cache),
    counters: &mut Counters,
    failing: &mut [Vec<usize>],
) -> Result<Verdict, Reason> {
    let propagated = background::annotated(trial.program, trial.candidates, kept);
    let conditions = trial.conditions(&propagated)?;
    // A header belongs to one loop; loops without a header on any way have no heaps.
    let headers: Vec<LoopId> = conditions.heads.iter().filter_map(|h| h.of).collect();
    let mut fixpoint = fixpoint(trial, kept, returns, context, cache)?;
    // What runs have shown occurs whatever the post is.
    for (l, place) in headers.iter().zip(&mut fixpoint.heaps) {
        place.clone_from(&trial.shown[l.index()]);
    }
    let closed = fixpoint.enter().map_err(plain).and_then(|()| {
        let mut shown = 0;
        loop {
            fixpoint.run().map_err(plain)?;
            let mut heaps = vec![Heaps::default(); trial.program.loops.len()];
            for (l, found) in headers.iter().zip(&fixpoint.heaps) {
                heaps[l.index()] = found.clone();
            }
            counters.signatures = Some(heaps.iter().map(|h| h.heaps.len() as u64).sum());
            match proved(trial, prover, kept, shown < MAX_SHOWN, &mut heaps, counters, failing)? {
                Some(outcome) => return Ok((outcome, heaps)),
                None => {
                    shown += 1;
                    for (l, place) in headers.iter().zip(&mut fixpoint.heaps) {
                        place.clone_from(&heaps[l.index()]);
                    }
                }
            }
        }
    });
    count(&mut counters.queries, fixpoint.queries);
    count(&mut counters.cache_hits, fixpoint.hits);
    let (outcome, heaps) = closed?;
    let said = match outcome {
        Ok(said) => said,
        Err(Unproved { obligation, state }) => {
            let failing = state.ok().flatten();
            return Ok(too_weak(trial.program, &obligation, trial.signatures, &heaps, failing.as_ref()));
        }
    };
    let exit = |o: &&Obligation| o.location == trial.program.exit && o.check == Check::Ensures;
    let (open, queries) = returned::hold(trial, returns, &fixpoint.returned, trial.remaining)?;
    count(&mut counters.queries, queries);
    if let Some(open) = open
        && let Some(end) = conditions.obligations.iter().find(exit)
    {
        let mut end = end.clone();
        end.what = format!(
            "the heaps at the return do not imply {}",
            crate::program::print::formula(trial.program, &open)
        );
        return Ok(too_weak(trial.program, &end, trial.signatures, &heaps, None));
    }
    Ok(trial.verified(said, counters))
}
