//! Variables on the lists of the entry, while the entry heap is not written.
//!
//! A variable that takes the root's value is on all lists; one that takes a link of a list from a variable on
//! that list is on it and on those that contain it, or null; and on those lists from earlier variables on
//! which the other one is. This holds as long as facts know the entry heap to be there, perhaps beside one new
//! cell. So a signature at such a location is dropped if no heap with the lists is above the part of it that
//! lies in the entry heap, with the variables on their lists ([`super::order`]).
//!
//! **Certificates.** The excluded signatures of such a location are: what the entry excludes of the root's lists
//! (with the reasons found), and a variable beside a list on which it should be: `w@a, a -c-> #, v@b`, and
//! `h@#, v@b` for the root. A step keeps both: it does not write the lists, and lists in order lead from their
//! cells to their cells. A signature that was dropped because of variables on lists is excluded by these: let the
//! lists lead to where the variables are, in all ways, and there is a reason that speaks of the root only.

use super::order::{Members, NO_MEMBERS};
use super::{Levels, broken_level};
use crate::analysis::monotone::facts::Facts;
use crate::analysis::monotone::model::Model;
use crate::analysis::monotone::order::below;
use crate::analysis::monotone::pre::Op;
use crate::analysis::monotone::signature::{MAX_COLOURS, MAX_VARS, Node, Signature};
use crate::util::hash::Set;
use crate::util::limits::{Budget, Stop};

/// Ways to let lists lead to variables that a certificate speaks of.
const MAX_WAYS: usize = 500;

/// The lists of the entry, and per location the variables on them.
pub struct Frames<'a> {
    facts: &'a [Facts],
    groups: Vec<(Levels, Vec<Members>)>,
    /// Variables of the model.
    n_vars: usize,
}

impl<'a> Frames<'a> {
    /// The variables on lists at all locations.
    pub fn of(model: &Model<'_>, facts: &'a [Facts], levels: &[Levels]) -> Frames<'a> {
        let groups = levels.iter().map(|l| (*l, members(model, facts, *l))).collect();
        Frames { facts, groups, n_vars: model.slots.len() }
    }

    /// The part of a signature that lies in the entry heap and contradicts its lists.
    pub fn broken(&self, location: usize, s: &Signature) -> Option<Signature> {
        if self.groups.is_empty() {
            return None;
        }
        let on_list = |v: usize| self.groups.iter().any(|(l, m)| m[location][v][l.root() as usize] != 0);
        let part = self.facts[location].entry_part(s, on_list)?;
        let broken = self.groups.iter().any(|(levels, m)| !levels.admit(&part, &m[location]));
        broken.then(|| part.canonical())
    }

    /// Forgets edges of lists beside edges of lists that are part of them, with the same target.
    pub fn thin(&self, s: &mut Signature) {
        for m in s.nodes() {
            let cell = &mut s.cells[m.index()];
            for (levels, _) in &self.groups {
                let parts = (0..MAX_COLOURS).map(|c| (c, levels.within(c as u8) & !(1 << c)));
                for (part, wholes) in parts.collect::<Vec<_>>() {
                    let target = cell.coloured[part];
                    for whole in (0..MAX_COLOURS).filter(|w| wholes & (1 << w) != 0) {
                        if target.is_cell() && cell.coloured[whole] == target {
                            cell.remove(whole);
                        }
                    }
                }
            }
        }
    }

    /// What the entry excludes because of the parts that were dropped, speaking of roots only.
    pub fn reasons(
        &self,
        dropped: &Set<(usize, Signature)>,
        budget: &mut Budget,
    ) -> Result<Vec<Signature>, Stop> {
        let mut dropped: Vec<&(usize, Signature)> = dropped.iter().collect();
        dropped.sort_unstable_by_key(|(location, part)| (part.size(), *location, *part));
        let mut all: Vec<Signature> = Vec::new();
        for (levels, members) in &self.groups {
            let mut known: Vec<(Members, Signature)> = Vec::new();
            for (location, part) in &dropped {
                let on_lists = members[*location];
                budget.spend(1 + known.len() as u64 / 16)?;
                let has_reason = known.iter().any(|(m, reason)| *m == on_lists && below(reason, part));
                if !has_reason && !levels.admit(part, &on_lists) {
                    let reason = levels.reason(part, &on_lists);
                    rooted(levels, &reason, &on_lists, &mut all);
                    known.push((on_lists, reason));
                }
            }
        }
        all.sort_by_key(|r| (r.size(), *r));
        let mut least: Vec<Signature> = Vec::new();
        for reason in all {
            if !least.iter().any(|l| below(l, &reason)) {
                least.push(reason);
            }
        }
        Ok(least)
    }

    /// Variables beside the lists that they are on, for a certificate.
    pub fn beside(&self, location: usize) -> Vec<Signature> {
        let mut out = Vec::new();
        if !self.facts[location].is_frame() {
            return out;
        }
        for (levels, members) in &self.groups {
            let root = levels.root() as usize;
            for (v, from) in members[location].iter().enumerate().take(self.n_vars) {
                let mut base = Signature::EMPTY;
                base.labels[v] = base.add_cell();
                if v != root && from[root] != 0 {
                    let mut nothing = base;
                    nothing.labels[root] = Node::NULL;
                    out.push(nothing);
                }
                // The root as well: it is on the list from a copy of it.
                for w in (0..self.n_vars).filter(|w| *w != v) {
                    for c in (0..MAX_COLOURS).filter(|c| from[w] & (1 << c) != 0) {
                        let mut s = base;
                        let first = s.add_cell();
                        s.labels[w] = first;
                        s.cells[first.index()].set(c, Node::NULL, false);
                        out.push(s);
                    }
                }
            }
        }
        self.facts[location].beside_new(out, 0)
    }
}

/// Adds reasons that speak of the root only: wherever the lists lead from variable to variable.
fn rooted(levels: &Levels, reason: &Signature, on_lists: &Members, out: &mut Vec<Signature>) {
    let root = levels.root() as usize;
    let is_shown = |s: &Signature, v: usize| s.labels[v].is_cell();
    let others: Vec<usize> = (0..MAX_VARS).filter(|v| *v != root && is_shown(reason, *v)).collect();
    let mut all = vec![*reason];
    if !others.is_empty() && !is_shown(reason, root) {
        all.clear();
        let fresh = if reason.room() > 0 { Some(None) } else { None };
        for first in reason.nodes().map(Some).chain(fresh) {
            let mut s = *reason;
            s.labels[root] = first.unwrap_or_else(|| s.add_cell());
            all.push(s);
        }
    }
    for &v in &others {
        for w in others.iter().copied().chain([root]).filter(|w| *w != v) {
            for colour in smallest(levels, on_lists[v][w]) {
                let mut led = Vec::new();
                all.iter().for_each(|s| lead(*s, s.labels[w], s.labels[v], colour, 0, &mut led));
                all = led;
                all.truncate(MAX_WAYS);
            }
        }
    }
    for mut s in all {
        let first = s.labels[root];
        s.labels = Signature::EMPTY.labels;
        s.labels[root] = first;
        // Lists that are in order contain no reason.
        if !levels.admit(&s, &NO_MEMBERS) {
            out.push(levels.reason(&s, &NO_MEMBERS));
        }
    }
}

/// Those of some lists that contain no other of them.
fn smallest(levels: &Levels, lists: u8) -> Vec<usize> {
    let has = |c: usize| lists & (1 << c) != 0;
    let contains = |c: usize, d: usize| d != c && has(d) && levels.within(d as u8) & (1 << c) != 0;
    (0..MAX_COLOURS).filter(|c| has(*c) && !(0..MAX_COLOURS).any(|d| contains(*c, d))).collect()
}

/// All ways of a path of one colour from one cell to another through the cells shown.
fn lead(s: Signature, from: Node, to: Node, colour: usize, visited: u16, out: &mut Vec<Signature>) {
    if from == to {
        out.push(s);
        return;
    }
    if !from.is_cell() || visited & (1 << from.0) != 0 {
        return;
    }
    let visited = visited | 1 << from.0;
    let shown = s.cells[from.index()].coloured[colour];
    if shown.is_known() {
        return lead(s, shown, to, colour, visited, out);
    }
    for next in s.nodes().filter(|n| visited & (1 << n.0) == 0) {
        let mut t = s;
        t.cells[from.index()].set(colour, next, false);
        lead(t, next, to, colour, visited, out);
    }
}

/// The variables on lists at all locations, to a fixpoint.
fn members(model: &Model<'_>, facts: &[Facts], levels: Levels) -> Vec<Members> {
    let root = levels.root() as usize;
    let mut all = vec![[[levels.all(); MAX_VARS]; MAX_VARS]; model.locations];
    all[model.entry] = NO_MEMBERS;
    all[model.entry][root][root] = levels.all();
    loop {
        let mut changed = false;
        for step in model.steps.iter().filter(|s| facts[s.from].is_reached()) {
            let next = if facts[step.from].is_frame() && step.op.assigned() != Some(levels.root()) {
                after(&all[step.from], step.op, levels)
            } else {
                NO_MEMBERS
            };
            for (old, new) in all[step.to].iter_mut().flatten().zip(next.iter().flatten()) {
                changed |= *old & new != *old;
                *old &= new;
            }
        }
        if !changed {
            return all;
        }
    }
}

/// The variables on lists after a command that does not write them, nor the root.
fn after(before: &Members, op: Op, levels: Levels) -> Members {
    let root = levels.root() as usize;
    let mut out = *before;
    let Some(x) = op.assigned().map(usize::from) else { return out };
    let value: [u8; MAX_VARS] = match op {
        Op::Copy(_, y) if usize::from(y) == x => return out,
        Op::Copy(_, y) => before[y as usize],
        Op::SetNull(_) => [levels.all(); MAX_VARS],
        Op::Load { from, colour, .. } => {
            let follows = before[from as usize][root] & (1 << colour) != 0;
            let within = if follows { levels.within(colour) } else { 0 };
            let mut value = before[from as usize].map(|m| m & within);
            value[from as usize] = within;
            value
        }
        _ => [0; MAX_VARS],
    };
    out[x] = value;
    out[x][x] = value[root];
    for w in (0..MAX_VARS).filter(|w| *w != x) {
        out[w][x] = match op {
            Op::Copy(_, y) => before[w][y as usize],
            Op::SetNull(_) => levels.all(),
            _ => 0,
        };
    }
    if let Op::Copy(_, y) = op {
        let on = before[y as usize][root];
        out[x][y as usize] = on;
        out[y as usize][x] = on;
    }
    out
}

/// Covers the heaps in which the lists end and one is no part of another, as it should be: reasons of their own.
pub fn broken_levels(levels: &Levels, colours: usize) -> Vec<Signature> {
    let mut out = Vec::new();
    for upper in 0..colours as u8 {
        for lower in (0..colours as u8).filter(|l| *l != upper && levels.within(upper) & (1 << l) != 0) {
            out.extend(broken_level(super::Level { root: levels.root(), upper, lower }, colours));
        }
    }
    out
}
