//! A small inductive subset of the lemmas of a frame: what safety needs, and what that needs in turn.
//!
//! Every lemma that is returned was shown to hold on entry and to be kept by the lemmas that are returned.

use super::super::system::System;
use super::diagram::Diagram;
use super::lemmas::{Found, Lemmas, goal};
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use std::collections::BTreeSet;

/// Per cut the diagrams that the invariant excludes.
pub(super) fn invariant(
    system: &mut System,
    lemmas: &mut Lemmas,
    level: usize,
    budget: &mut Budget,
) -> Result<Vec<Vec<Diagram>>, Stop> {
    let all: Vec<usize> = (0..lemmas.all.len()).filter(|&at| lemmas.all[at].level >= level).collect();
    let closed = closure(system, lemmas, &all, budget)?;
    assert!(closed.is_some(), "the frame that equals the next one is inductive and safe");
    let mut kept = closed.unwrap_or_default();
    let first = lemmas.queries;
    let mut order = kept.clone();
    order.sort_by_key(|&at| (std::cmp::Reverse(lemmas.all[at].diagram.0.len()), at));
    for at in order {
        if lemmas.queries - first < options::PDR_THIN_QUERIES.get() && kept.contains(&at) {
            let fewer: Vec<usize> = kept.iter().copied().filter(|&other| other != at).collect();
            kept = closure(system, lemmas, &fewer, budget)?.unwrap_or(kept);
        }
    }
    let mut out = vec![Vec::new(); system.cuts.len()];
    for at in kept {
        out[lemmas.all[at].cut].push(lemmas.all[at].diagram.clone());
    }
    Ok(out)
}

/// The lemmas that safety needs, and what they need; none if the set is not inductive or not safe.
fn closure(
    system: &mut System,
    lemmas: &mut Lemmas,
    among: &[usize],
    budget: &mut Budget,
) -> Result<Option<Vec<usize>>, Stop> {
    let of = |lemmas: &Lemmas, cut: usize| -> Vec<usize> {
        among.iter().copied().filter(|&at| lemmas.all[at].cut == cut).collect()
    };
    let mut open = Vec::new();
    for cut in 0..system.cuts.len() {
        let (mine, segment) = (of(lemmas, cut), &mut system.segments[cut]);
        let bad = segment.bad;
        match lemmas.solve(segment, cut, &mine, bad, &[], budget)? {
            Found::State(_) => return Ok(None),
            Found::Core { lemmas, .. } => open.extend(lemmas),
        }
    }
    let mut needed = BTreeSet::new();
    while let Some(at) = open.pop() {
        if !needed.insert(at) {
            continue;
        }
        let (cut, diagram) = (lemmas.all[at].cut, lemmas.all[at].diagram.clone());
        let entry = &mut system.entry;
        if let Some(after) = &entry.after[cut] {
            let (guard, atoms) = (after.guard, goal(after, &diagram));
            if matches!(lemmas.solve(entry, cut, &[], guard, &atoms, budget)?, Found::State(_)) {
                return Ok(None);
            }
        }
        for source in 0..system.cuts.len() {
            let (theirs, segment) = (of(lemmas, source), &mut system.segments[source]);
            let Some(after) = &segment.after[cut] else { continue };
            let (guard, atoms) = (after.guard, goal(after, &diagram));
            match lemmas.solve(segment, source, &theirs, guard, &atoms, budget)? {
                Found::State(_) => return Ok(None),
                Found::Core { lemmas, .. } => open.extend(lemmas),
            }
        }
    }
    Ok(Some(needed.into_iter().collect()))
}
