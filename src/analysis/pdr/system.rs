//! The transition system of a program: cut points (entry, loop heads) and what happens between them.
//!
//! From each cut point the loop-free part of the graph is executed symbolically once, in a context of its own
//! with a small universe. Runs that part and meet again are joined under the test that parted them, so the
//! Boolean structure is kept and no path is enumerated. The result is one state for each cut point that is
//! reached next, and a literal for everything that can go wrong on the way. Nested loops and loops in
//! sequence need nothing special: each loop head is a cut point with predicates over its own live variables.

use super::formula::is_universal;
use super::live::Live;
use super::raw::Raw;
use super::refine::Abstraction;
use super::signature::{Name, Signature};
use super::symbolic::{Exec, Gap, Site, Sym};
use super::unchanged;
use crate::engine::heap::{Atom, Const, HeapCtx, Kind, Pred, Slot, State, constant};
use crate::program::{
    At, Check, Command, Cond, EdgeId, Entry, LocationId, LoopId, Program, Question, VarKind,
};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};

/// A loop head with its predicates.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) at: LoopId,
    pub(super) location: LocationId,
    pub(super) preds: Vec<Pred>,
}

/// What happens from one cut point to the next.
pub(super) struct Segment {
    pub(super) ctx: HeapCtx,
    /// The state at the cut point.
    pub(super) before: State,
    /// By cut: the state on arrival there.
    pub(super) after: Vec<Option<State>>,
    pub(super) sites: Vec<Site>,
    /// One of the sites is reached.
    pub(super) bad: Lit,
}

/// A program as a transition system.
pub(super) struct System {
    pub(super) cuts: Vec<Cut>,
    pub(super) entry: Segment,
    pub(super) segments: Vec<Segment>,
    /// What could not be expressed.
    pub(super) gaps: Vec<Gap>,
}

/// Where a segment starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Entry,
    Cut(usize),
}

/// What the segments of a program are made from.
pub(super) struct Plan<'a> {
    pub(super) program: &'a Program,
    pub(super) question: &'a Question,
    pub(super) layout: &'a Signature,
    pub(super) live: Live,
    /// New cells whose fields are not set yet, by location.
    pub(super) raw: Raw,
    pub(super) abstraction: &'a Abstraction,
    /// By earlier field of the layout and location: whether the field is still the same.
    pub(super) same: Vec<Vec<bool>>,
    successors: Vec<Vec<EdgeId>>,
    heads: Vec<(LoopId, LocationId)>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        program: &'a Program,
        question: &'a Question,
        layout: &'a Signature,
        abstraction: &'a Abstraction,
    ) -> Plan<'a> {
        let live = Live::new(program, question, layout);
        let same = layout.earlier.iter().map(|e| unchanged::since(program, e.0, e.1)).collect();
        let heads = program.loops.iter().enumerate().map(|(i, l)| (LoopId(i as u32), l.head)).collect();
        let (raw, successors) = (Raw::new(program), program.successors());
        Plan { program, question, layout, live, raw, abstraction, same, successors, heads }
    }

    fn cut_at(&self, location: LocationId) -> Option<usize> {
        self.heads.iter().position(|head| head.1 == location)
    }

    /// The location of a cut point.
    pub(super) fn head(&self, cut: usize) -> LocationId {
        self.heads[cut].1
    }

    /// The locations between a cut point and the next ones.
    pub(super) fn between(&self, cut: usize) -> Vec<LocationId> {
        self.order(self.heads[cut].1)
    }

    /// The store to the same field that alone follows this one, if the edge is a store.
    pub(super) fn store_after(&self, edge: usize) -> Option<EdgeId> {
        let first = &self.program.edges[edge];
        let Command::Store { field, .. } = first.command else { return None };
        let [next] = self.successors[first.to.index()][..] else { return None };
        let entered = self.program.edges.iter().filter(|e| e.to == first.to).count();
        let follows = matches!(self.program.edges[next.index()].command,
            Command::Store { field: f, .. } if f == field);
        (follows && entered == 1 && self.cut_at(first.to).is_none()).then_some(next)
    }

    /// The cut points with the predicates of their families.
    pub(super) fn cuts(&self) -> Vec<Cut> {
        let cut = |&(at, location): &(LoopId, LocationId)| Cut {
            at,
            location,
            preds: if self.abstraction.cells > 0 { Vec::new() } else { self.predicates(at, location) },
        };
        self.heads.iter().map(cut).collect()
    }

    /// The state at a cut point, with what is known there.
    pub(super) fn begin(&self, exec: &mut Exec<'_>, start: Start) -> Sym {
        match start {
            Start::Cut(cut) => {
                let live = self.live.at(self.heads[cut].1);
                let mut sym = exec.begin(|name| live.contains(&name));
                for (entry, same) in self.layout.earlier.iter().zip(&self.same) {
                    if let (true, Some(link)) =
                        (same[self.heads[cut].1.index()], self.layout.link(entry.0, At::Now))
                    {
                        sym.heap.fields[entry.2.0 as usize] = sym.heap.fields[link.0 as usize];
                    }
                }
                exec.materialise(&mut sym, |_| true);
                exec.follow(&mut sym, |name| live.contains(&name));
                for (v, field) in self.raw.at(self.heads[cut].1) {
                    exec.carry(&mut sym, v, field);
                }
                for clause in &self.program.loops[self.heads[cut].0.index()].invariants {
                    exec.span = clause.span;
                    let lit = exec.formula(&sym, &clause.formula, true);
                    exec.ctx.add_clause(&[lit]);
                }
                sym
            }
            Start::Entry => self.begin_entry(exec),
        }
    }

    /// The entry: `requires` holds, and what parameters and globals reach is null or allocated.
    fn begin_entry(&self, exec: &mut Exec<'_>) -> Sym {
        let program = self.program;
        let given = |name: Name| match name {
            Name::Var(v) => {
                let kind = program.vars[v.index()].kind;
                match program.begins {
                    Entry::Function => matches!(kind, VarKind::Param | VarKind::Global | VarKind::Logic),
                    Entry::Main => kind == VarKind::Logic,
                }
            }
            Name::Ghost(..) | Name::Number(_) => true,
            Name::Earlier(..) | Name::Next(..) => false,
        };
        let mut sym = exec.begin(given);
        exec.snapshot(&mut sym, At::Entry);
        if program.begins == Entry::Function && self.layout.config.alloc {
            for (at, name) in self.layout.names.iter().enumerate().take(usize::from(self.layout.integers) - 1)
            {
                let Name::Var(v) = *name else { continue };
                let kind = program.vars[v.index()].kind;
                let (true, Some(c)) = (kind != VarKind::Logic, sym.heap.slots[at + 1]) else { continue };
                let held = exec.ctx.atom_literal(Atom::Holds(sym.heap.alloc, c), true);
                let null = exec.ctx.atom_literal(Atom::Equal(c, Const::NULL), true);
                exec.ctx.add_clause(&[held, null]);
                // What a field to another kind of cells leads to is a start of chains as well.
                let mut starts = vec![c];
                for (f, field) in program.fields.iter().enumerate() {
                    let id = crate::program::FieldId(f as u32);
                    let of_kind = program.vars[v.index()].ty.pointee() == Some(field.owner);
                    if let (true, Some(link)) = (of_kind && !field.is_link(), self.layout.link(id, At::Now)) {
                        starts.push(exec.ctx.successor_of(&sym.heap, link, c));
                    }
                }
                for (&m, &c) in sym.heap.fields.iter().flat_map(|m| starts.iter().map(move |c| (m, c))) {
                    let stable = Atom::Segment(Kind::Stable(sym.heap.alloc), m, c, Const::NULL);
                    let lit = exec.ctx.atom_literal(stable, true);
                    exec.ctx.add_clause(&[lit]);
                }
            }
        }
        for clause in &program.contracts[self.question.contract].requires {
            exec.span = clause.span;
            let lit = exec.formula(&sym, &clause.formula, true);
            exec.ctx.add_clause(&[lit]);
        }
        sym
    }

    /// Executes from a cut point to the next ones; the state on arrival at each, by cut. What must hold at
    /// loop heads and at the exit is checked on arrival.
    pub(super) fn run(&self, exec: &mut Exec<'_>, start: Start, sym: Sym) -> Vec<Option<Sym>> {
        let from = match start {
            Start::Entry => self.program.entry,
            Start::Cut(cut) => self.heads[cut].1,
        };
        let mut arrived: Vec<Option<Sym>> = vec![None; self.heads.len()];
        let mut at: Vec<Option<Sym>> = vec![None; self.program.locations as usize];
        at[from.index()] = Some(sym);
        for location in self.order(from) {
            let Some(mut sym) = at[location.index()].take() else { continue };
            if location == self.program.exit {
                self.leave(exec, &mut sym);
                continue;
            }
            let live = self.live.at(location);
            exec.forget(&mut sym, |name| live.contains(&name));
            for (edge, mut sym) in self.fork(exec, location, &sym) {
                let mut to = self.program.edges[edge.index()].to;
                let second = if self.abstraction.swapped { self.store_after(edge.index()) } else { None };
                match second {
                    Some(second) => {
                        exec.step_both(&mut sym, edge, second);
                        to = self.program.edges[second.index()].to;
                    }
                    None => exec.step(&mut sym, edge),
                }
                if sym.heap.guard == constant(false) {
                    continue;
                }
                let live = self.live.at(to);
                exec.forget(&mut sym, |name| live.contains(&name));
                let slot = match self.cut_at(to) {
                    Some(cut) => {
                        self.arrive(exec, cut, &mut sym);
                        &mut arrived[cut]
                    }
                    None => &mut at[to.index()],
                };
                *slot = Some(match slot.take() {
                    Some(other) => exec.join(&other, &sym),
                    None => sym,
                });
            }
        }
        for (cut, sym) in arrived.iter_mut().enumerate() {
            if let Some(sym) = sym {
                let live = self.live.at(self.heads[cut].1);
                exec.materialise(sym, |slot| self.layout.name(slot).is_some_and(|name| live.contains(&name)));
                self.require_values(exec, cut, sym);
                exec.follow(sym, |name| live.contains(&name));
            }
        }
        arrived
    }

    /// A pointer that matters at a loop head must have a value there.
    fn require_values(&self, exec: &mut Exec<'_>, cut: usize, sym: &mut Sym) {
        let live = self.live.at(self.heads[cut].1);
        for (at, name) in self.layout.names.iter().enumerate() {
            let derived = matches!(name, Name::Next(..));
            if live.contains(name) && !derived && sym.heap.slots[at + 1].is_none() {
                let slot = Slot(at as u16 + 1);
                if slot.0 < self.layout.integers {
                    exec.span = self.program.loops[self.heads[cut].0.index()].span;
                    let why = match name {
                        Name::Var(v) | Name::Earlier(v, _) => {
                            format!("`{}` may be read before it is set", self.program.vars[v.index()].name)
                        }
                        _ => "a constant has no value".to_string(),
                    };
                    exec.leaves(sym, constant(true), why);
                    sym.heap.slots[at + 1] = Some(exec.ctx.pointer("unset"));
                } else {
                    sym.heap.slots[at + 1] = Some(exec.ctx.integer("unset"));
                }
            }
        }
    }

    /// What must hold at a loop head.
    fn arrive(&self, exec: &mut Exec<'_>, cut: usize, sym: &mut Sym) {
        exec.span = self.program.loops[self.heads[cut].0.index()].span;
        let mut kept = Vec::new();
        for (v, field) in self.raw.at(self.heads[cut].1) {
            let cell = self.layout.slot(v, At::Now).and_then(|slot| sym.heap.slots[slot.0 as usize]);
            kept.extend(cell.zip(self.layout.link(field, At::Now)));
        }
        exec.settle_except(sym, &kept);
        for clause in &self.program.loops[self.heads[cut].0.index()].invariants {
            exec.span = clause.span;
            exec.assert(sym, &clause.formula, Check::Asserts, "loop invariant".to_string());
        }
    }

    /// What must hold at the exit.
    fn leave(&self, exec: &mut Exec<'_>, sym: &mut Sym) {
        let contract = &self.program.contracts[self.question.contract];
        exec.span = contract.span;
        if !contract.ensures.is_empty() {
            exec.settle(sym);
        }
        for clause in &contract.ensures {
            exec.span = clause.span;
            exec.assert(sym, &clause.formula, Check::Ensures, "postcondition does not hold".to_string());
        }
    }

    /// The locations between two cut points, each after those it is reached from.
    fn order(&self, from: LocationId) -> Vec<LocationId> {
        let mut done = vec![false; self.program.locations as usize];
        let mut order = Vec::new();
        let mut stack = vec![(from, 0)];
        done[from.index()] = true;
        while let Some((location, next)) = stack.pop() {
            match self.successors[location.index()].get(next) {
                Some(edge) => {
                    stack.push((location, next + 1));
                    let to = self.program.edges[edge.index()].to;
                    if !done[to.index()] && self.cut_at(to).is_none() {
                        done[to.index()] = true;
                        stack.push((to, 0));
                    }
                }
                None => order.push(location),
            }
        }
        order.reverse();
        order
    }

    /// The runs that leave a location, one for each edge; they exclude each other.
    fn fork(&self, exec: &mut Exec<'_>, location: LocationId, sym: &Sym) -> Vec<(EdgeId, Sym)> {
        let edges = &self.successors[location.index()];
        if let [yes, no] = edges[..]
            && let Command::Assume(first) = &self.program.edges[yes.index()].command
            && let Command::Assume(second) = &self.program.edges[no.index()].command
            && (*second == first.negated() || *first == second.negated() || is_negation(first, second))
        {
            exec.span = self.program.edges[yes.index()].span;
            let mut sym = sym.clone();
            let test = exec.cond(&mut sym, first);
            let side = |exec: &mut Exec<'_>, edge, test| {
                let mut side = sym.clone();
                exec.ctx.restrict(&mut side.heap, test);
                side.path.push(test);
                (edge, side)
            };
            let sides = [side(exec, yes, test), side(exec, no, !test)];
            return sides.into_iter().collect();
        }
        let mut rest = sym.clone();
        let mut out = Vec::new();
        for (i, &edge) in edges.iter().enumerate() {
            if i + 1 == edges.len() {
                out.push((edge, rest.clone()));
                continue;
            }
            let choice = exec.ctx.fresh();
            let mut side = rest.clone();
            exec.ctx.restrict(&mut side.heap, choice);
            side.path.push(choice);
            out.push((edge, side));
            exec.ctx.restrict(&mut rest.heap, !choice);
            rest.path.push(!choice);
        }
        out
    }

    fn exec(&self) -> Exec<'a> {
        let mut exec = Exec::new(self.program, self.question, self.layout);
        exec.carried = self.heads.iter().flat_map(|head| self.raw.at(head.1)).collect();
        exec
    }

    /// Says what is known universally at the beginning once more, of all constants that exist by now: cells
    /// that the run meets, and those that it must not meet.
    fn instantiate(&self, exec: &mut Exec<'_>, start: Start, initial: &Sym) {
        let clauses = match start {
            Start::Entry => &self.program.contracts[self.question.contract].requires,
            Start::Cut(cut) => &self.program.loops[self.heads[cut].0.index()].invariants,
        };
        exec.everywhere = true;
        for clause in clauses.iter().filter(|clause| is_universal(&clause.formula)) {
            exec.span = clause.span;
            let lit = exec.formula(initial, &clause.formula, true);
            exec.ctx.add_clause(&[lit]);
        }
        exec.everywhere = false;
    }

    fn segment(&self, start: Start, gaps: &mut Vec<Gap>, watch: Budget) -> Result<Segment, Stop> {
        let mut exec = Exec { watch, ..self.exec() };
        let sym = self.begin(&mut exec, start);
        let (before, initial) = (sym.heap.clone(), sym.clone());
        let after = self.run(&mut exec, start, sym);
        self.instantiate(&mut exec, start, &initial);
        let after: Vec<Option<State>> = after.into_iter().map(|sym| Some(sym?.heap)).collect();
        let bad = exec.sites.iter().map(|site| site.lit).collect::<Vec<_>>();
        let bad = bad.into_iter().fold(constant(false), |any, lit| exec.ctx.or(any, lit));
        gaps.extend(exec.gaps);
        exec.watch.poll()?;
        Ok(Segment { ctx: exec.ctx, before, after, sites: exec.sites, bad })
    }

    /// The whole system.
    pub(super) fn system(&self, cuts: Vec<Cut>, budget: &Budget) -> Result<System, Stop> {
        let mut gaps = Vec::new();
        let entry = self.segment(Start::Entry, &mut gaps, budget.watch())?;
        let mut segments = Vec::new();
        for cut in 0..cuts.len() {
            segments.push(self.segment(Start::Cut(cut), &mut gaps, budget.watch())?);
        }
        Ok(System { cuts, entry, segments, gaps })
    }

    /// A run along a sequence of cut points in one context, with the sites on its last leg.
    pub(super) fn unroll(&self, path: &[usize]) -> Unrolled<'a> {
        let mut exec = self.exec();
        let mut sym = self.begin(&mut exec, Start::Entry);
        let initial = sym.clone();
        let mut start = Start::Entry;
        for &cut in path {
            exec.sites.clear();
            let arrived = self.run(&mut exec, start, sym);
            let Some(next) = arrived.into_iter().nth(cut).flatten() else {
                exec.sites.clear();
                return Unrolled { exec, initial, bad: constant(false) };
            };
            (sym, start) = (next, Start::Cut(cut));
            // Tests of earlier legs part no runs of this one.
            sym.path.clear();
        }
        exec.sites.clear();
        self.run(&mut exec, start, sym);
        self.instantiate(&mut exec, Start::Entry, &initial);
        let lits: Vec<Lit> = exec.sites.iter().map(|site| site.lit).collect();
        let bad = lits.into_iter().fold(constant(false), |any, lit| exec.ctx.or(any, lit));
        Unrolled { exec, initial, bad }
    }
}

/// A run along a path in one context.
pub(super) struct Unrolled<'a> {
    pub(super) exec: Exec<'a>,
    pub(super) initial: Sym,
    /// One of the sites on the last leg is reached.
    pub(super) bad: Lit,
}

/// Whether one condition is the other in a `Not`.
fn is_negation(a: &Cond, b: &Cond) -> bool {
    matches!(a, Cond::Not(inner) if **inner == *b) || matches!(b, Cond::Not(inner) if **inner == *a)
}
