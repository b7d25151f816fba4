//! The analysis with a context (`--context none|heap|joint`): places, ways, the return, and the final check.
//!
//! The return is a place as well (the paper's invariant for the return point): conjuncts of the postcondition that
//! speak of the entry must follow from the heaps there, those that do not are field constraints, proved
//! exactly on every way that leaves and assumed at the return.

use super::background;
use super::boolean::Heaps;
use super::cache::Cache;
use super::cartesian::{Context, Core, Fixpoint};
use super::count;
use super::learn;
use super::places::{self, Place, Way};
use super::prove::{self, Owner, Prover, Remaining};
use super::signature::Signature;
use super::text::formulas_of;
use super::trial::{Checked, Pieces, Trial, too_weak};
use crate::logic::{Op, TermId, Terms};
use crate::program::encode::formula::Side;
use crate::program::encode::{Encoder, Inexpressible, Moment, Moments};
use crate::program::walk::{self, Part};
use crate::program::wp::{Conditions, Obligation};
use crate::program::{At, Check, Formula, Set, Term};
use crate::util::hash::Map;
use crate::verdict::{Counters, Reason, Verdict};
use std::collections::BTreeSet;

/// Ways into which one path is split at most.
const MAX_BRANCHES: usize = 16;
/// Cells of each kind in models that are looked for where the core finds none without a bound.
const SMALL: usize = 5;

fn plain(message: impl ToString) -> Reason {
    Reason { message: message.to_string(), span: None }
}

/// Whether a formula speaks of fields as they were at the entry.
fn is_about_entry(formula: &Formula) -> bool {
    let mut found = false;
    walk::formula(formula, &mut |part| {
        found |= matches!(
            part,
            Part::Term(Term::Field(_, At::Entry, _) | Term::Index(_, At::Entry, _))
                | Part::Set(Set::Cells(_, At::Entry, ..) | Set::Pre(_, At::Entry, _))
                | Part::Formula(Formula::Reach { at: At::Entry, .. } | Formula::Between(_, At::Entry, ..))
        );
    });
    found
}

/// The conjuncts of the postcondition: about the end only, and those that compare it with the entry.
fn postcondition(trial: &Trial<'_>) -> (Vec<Formula>, Vec<Formula>) {
    let mut all = Vec::new();
    for clause in &trial.program.contracts[trial.question.contract].ensures {
        background::conjuncts(&clause.formula, &mut all);
    }
    all.into_iter().partition(|f| !is_about_entry(f))
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

/// The return: an arbitrary state in which the field constraints hold.
fn at_return(
    encoder: &mut Encoder<'_>,
    entry: &Moment,
    constraints: &[Formula],
) -> Result<(Moment, Vec<TermId>), Inexpressible> {
    let moment = encoder.fresh_moment()?;
    let labels = Map::default();
    let moments = Moments { now: &moment, entry, labels: &labels };
    let mut background = Vec::new();
    for constraint in constraints {
        if let Ok(fact) = encoder.formula(moments, constraint, Side::Assume) {
            background.push(fact);
        }
    }
    Ok((moment, background))
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
        let (constraints, _) = postcondition(trial);
        let (moment, background) = at_return(encoder, entry, &constraints)?;
        places.push(Place { background, view: places::view(encoder, entry, &moment, returns, &cells)? });
        let mut ways = Vec::new();
        for arrival in &conditions.arrivals {
            let to = conditions.heads.iter().position(|h| h.of == Some(arrival.of));
            let Some(to) = to.and_then(|h| place_of_head[h]) else { continue };
            let signature = &trial.signatures[arrival.of.index()];
            for (from, path) in split(&conditions, encoder, arrival.path, &arrival.heads)? {
                let after = places::view(encoder, entry, &arrival.now, signature, &cells)?;
                ways.push(Way { from: from.and_then(|h| place_of_head[h]), to, path, after });
            }
        }
        let exit = |o: &&Obligation| o.location == trial.program.exit && o.check == Check::Ensures;
        if let Some(end) = conditions.obligations.iter().find(exit) {
            for (from, path) in split(&conditions, encoder, end.path, &end.heads)? {
                let after = places::view(encoder, entry, &end.now, returns, &cells)?;
                let from = from.and_then(|h| place_of_head[h]);
                ways.push(Way { from, to: places.len() - 1, path, after });
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

/// Whether what the postcondition says about the entry follows from the heaps at the return; else what does not.
fn returns_hold(
    trial: &Trial<'_>,
    returns: &Signature,
    heaps: &Heaps,
    remaining: &Remaining,
) -> Result<Option<Formula>, Reason> {
    let mut conditions = trial.conditions(trial.program)?;
    let (constraints, goals) = postcondition(trial);
    let entry = conditions.entry.clone();
    let encoder = &mut conditions.encoder;
    let (moment, background) = at_return(encoder, &entry, &constraints).map_err(|reason| plain(reason.0))?;
    let labels = Map::default();
    let moments = Moments { now: &moment, entry: &entry, labels: &labels };
    let mut assumed = background;
    for formula in formulas_of(returns, &heaps.invariant(&returns.widths())) {
        assumed.push(encoder.formula(moments, &formula, Side::Assume).map_err(|reason| plain(reason.0))?);
    }
    let mut negated = Vec::new();
    for goal in &goals {
        let term = encoder.formula(moments, goal, Side::Prove).map_err(|reason| plain(reason.0))?;
        negated.push(encoder.terms.not(term).map_err(plain)?);
    }
    for (goal, negated) in goals.into_iter().zip(negated) {
        let mut solver = prove::solver(&conditions).map_err(plain)?;
        let asked: Vec<TermId> = assumed.iter().copied().chain([negated]).collect();
        let answer = remaining.ask(Owner::Own, &mut solver, &asked, prove::STEPS).map_err(plain)?;
        remaining.release(Owner::Own);
        if !matches!(answer, crate::engine::solver::Answer::Unsat(_)) {
            return Ok(Some(goal));
        }
    }
    Ok(None)
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
    let mut fixpoint = fixpoint(trial, kept, returns, context, cache)?;
    let outcome = fixpoint.run();
    count(&mut counters.queries, fixpoint.queries);
    count(&mut counters.cache_hits, fixpoint.hits);
    outcome.map_err(plain)?;
    let mut places = fixpoint.heaps;
    let at_return = places.pop().unwrap_or_default();
    counters.signatures = Some(places.iter().map(|h| h.heaps.len() as u64).sum());
    // A header belongs to one loop; loops without a header on any way have no heaps.
    let propagated = background::annotated(trial.program, trial.candidates, kept);
    let conditions = trial.conditions(&propagated)?;
    let mut heaps = vec![Heaps::default(); trial.program.loops.len()];
    let headers = conditions.heads.iter().filter_map(|h| h.of);
    for (l, found) in headers.zip(places) {
        heaps[l.index()] = found;
    }
    let signed = heaps.iter().zip(trial.signatures);
    let added: Vec<Vec<Formula>> =
        signed.map(|(h, signature)| formulas_of(signature, &h.invariant(&signature.widths()))).collect();
    let pieces = Pieces { kept: kept.to_vec(), added };
    let said = match trial.check(prover, &pieces, false, &mut heaps, counters)? {
        Checked::Proved(said) => said,
        Checked::Failed(obligation, Some(reason)) => {
            return Err(plain(format!("{}: {reason}", obligation.what)));
        }
        Checked::Failed(obligation, None) => {
            return Ok(too_weak(trial.program, &obligation, trial.signatures, &heaps));
        }
        Checked::Dropped(l, i) => {
            failing[l.index()].extend(kept[l.index()].get(i));
            return Err(plain("the heaps of the analysis could not be proved to be an invariant"));
        }
        Checked::Grown { .. } => {
            return Err(plain("the heaps of the analysis could not be proved to be an invariant"));
        }
    };
    let exit = |o: &&Obligation| o.location == trial.program.exit && o.check == Check::Ensures;
    if let Some(open) = returns_hold(trial, returns, &at_return, trial.remaining)?
        && let Some(end) = conditions.obligations.iter().find(exit)
    {
        let mut end = end.clone();
        end.what = format!(
            "the heaps at the return do not imply {}",
            crate::program::print::formula(trial.program, &open)
        );
        return Ok(too_weak(trial.program, &end, trial.signatures, &heaps));
    }
    Ok(trial.verified(said, counters))
}
