//! The beginning and the tidying up: globals, and the graph without what cannot be reached.

use super::super::check::convert::constant;
use super::super::types::Ty;
use super::statement::zero;
use super::{Binding, Frame, Lowerer, Moment, Slot};
use crate::frontend::diagnostic::Span;
use crate::program::{At, Command, EdgeId, Formula, LocationId, Program, Storage, Term, Type, VarId};
use crate::util::hash::Map;

impl Lowerer<'_> {
    /// What happens before the body at `start`: globals get their first values, or exist already.
    pub(super) fn prelude(&mut self, start: LocationId, span: Span) {
        let entry = self.program.entry;
        if !self.is_main() {
            self.here = entry;
            self.suppose_cells(span);
            self.emit_to(start, Command::Skip, span);
            return;
        }
        // Initialisers may mention further globals, so the list grows; all objects exist before the first value.
        let values = self.program.add_location();
        self.here = values;
        self.frames.push(empty_frame());
        let mut next = 0;
        while let Some(&index) = self.global_order.get(next) {
            next += 1;
            let global = &self.unit.checked.globals[index as usize];
            for init in &global.init {
                let _ = self.assignment(&init.target, &init.value, init.value.span);
            }
        }
        self.emit_to(start, Command::Skip, span);
        self.here = entry;
        for index in self.global_order.clone() {
            self.begin_global(index);
        }
        self.begin_texts();
        self.frames.pop();
        self.emit_to(values, Command::Skip, span);
    }

    /// At the end of `main`, globals let go of what they lead to. They all exist by now: see [`Self::prelude`].
    pub(super) fn forget_globals(&mut self, span: Span) {
        if !self.is_main() || !self.unit.options.cleans_up() {
            return;
        }
        self.here = self.program.exit;
        for index in self.global_order.clone() {
            let Some(binding) = self.globals.get(&index).cloned() else { continue };
            match binding {
                Binding::Array(array) => {
                    let element = self.program.vars[array.index()].ty.element();
                    if let Some(element @ Type::Ptr(_)) = element {
                        let _ = self.fill_array(array, Some(zero(element)), span);
                    }
                }
                Binding::Cell(var, _) | Binding::Struct(var, _) => {
                    for (cell, field) in self.own_fields(var, span) {
                        if let ty @ Type::Ptr(_) = self.program.fields[field.index()].ty {
                            self.emit(Command::Store { to: cell, field, value: zero(ty) }, span);
                        }
                    }
                }
                Binding::Var(var) => self.forget(var, span),
                Binding::Fat(vars, _) => vars.into_iter().for_each(|var| self.forget(var, span)),
                Binding::Alias(_) | Binding::Text(_) | Binding::Unsupported(_) => {}
            }
        }
        self.program.exit = self.here;
    }

    fn forget(&mut self, var: VarId, span: Span) {
        if let ty @ Type::Ptr(_) = self.program.vars[var.index()].ty {
            self.emit(Command::Assign(var, zero(ty)), span);
        }
    }

    fn begin_global(&mut self, index: u32) {
        let global = &self.unit.checked.globals[index as usize];
        let span = global.span;
        let Some(binding) = self.globals.get(&index).cloned() else { return };
        if global.external {
            // Its value comes from elsewhere.
            match binding {
                Binding::Var(var) if global.ty.int().is_some() => self.emit(Command::Havoc(var), span),
                Binding::Array(array) if matches!(&global.ty, Ty::Array(e, Some(_)) if e.int().is_some()) => {
                    let _ = self.fill_array(array, None, span);
                }
                _ => {
                    let _ =
                        self.unsupported::<()>(span, "an object that is defined elsewhere is not modelled");
                }
            }
            return;
        }
        match binding {
            Binding::Var(var) => {
                let value = zero(self.program.vars[var.index()].ty);
                self.emit(Command::Assign(var, value), span);
            }
            Binding::Fat(vars, _) => {
                for var in vars {
                    let value = zero(self.program.vars[var.index()].ty);
                    self.emit(Command::Assign(var, value), span);
                }
            }
            Binding::Cell(var, _) | Binding::Struct(var, _) => {
                if let Type::Ptr(of) = self.program.vars[var.index()].ty {
                    let command = Command::Alloc { to: var, of, storage: Storage::Automatic, zeroed: true };
                    self.emit(command, span);
                    self.store_variable_kind(var, span);
                    self.begin_parts(var, Storage::Automatic, true, span);
                }
            }
            Binding::Array(array) => {
                let Some(element) = self.program.vars[array.index()].ty.element() else { return };
                let _ = self.fill_array(array, Some(zero(element)), span);
            }
            Binding::Alias(_) | Binding::Text(_) | Binding::Unsupported(_) => {}
        }
    }

    /// Globals that live in cells are allocated, and different ones in different cells.
    fn suppose_cells(&mut self, span: Span) {
        let cells = self.global_cells.clone();
        let mut parts = Vec::new();
        for (i, cell) in cells.iter().enumerate() {
            parts.push(Formula::Valid(Term::Var(*cell, At::Now), At::Now));
            let same =
                |other: &&VarId| self.program.vars[other.index()].ty == self.program.vars[cell.index()].ty;
            for other in cells[..i].iter().filter(same) {
                parts.push(Formula::ne(Term::Var(*cell, At::Now), Term::Var(*other, At::Now)));
            }
        }
        parts.extend(self.first_characters());
        parts.extend(self.constants());
        if !parts.is_empty() {
            self.emit(Command::Suppose(Formula::all(parts)), span);
        }
    }

    /// What constants hold when a function is entered.
    fn constants(&self) -> Vec<Formula> {
        let held = |index: &u32| {
            let global = &self.unit.checked.globals[*index as usize];
            let term = match self.globals.get(index)? {
                Binding::Var(var) => Term::Var(*var, At::Now),
                Binding::Cell(var, field) => Term::Field(*field, At::Now, Box::new(Term::Var(*var, At::Now))),
                _ => return None,
            };
            let value = constant(&global.init.last()?.value)?;
            global.constant.then(|| Formula::eq(term, Term::Int(value)))
        };
        self.global_order.iter().filter_map(held).collect()
    }

    /// The finished program.
    pub(super) fn finish(mut self) -> Program {
        self.promote();
        self.finish_sweeps();
        let mut program = self.program;
        // A function without a way out still has an exit.
        skip_nothing(&mut program);
        prune(&mut program);
        program
    }
}

fn empty_frame() -> Frame {
    Frame {
        function: u32::MAX,
        locals: Vec::new(),
        exit: LocationId(1),
        slot: Slot::Nothing,
        scopes: Vec::new(),
        breaks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
        labels: Map::default(),
        gotos: Vec::new(),
        spec_labels: Vec::new(),
        parameters: Vec::new(),
        entry: Moment::Entry,
        jumps: false,
    }
}

/// Locations whose only way on does nothing become the location they lead to.
fn skip_nothing(program: &mut Program) {
    let count = program.locations as usize;
    let mut is_head = vec![false; count];
    for l in &program.loops {
        is_head[l.head.index()] = true;
    }
    let successors = program.successors();
    let mut to: Vec<LocationId> = (0..count as u32).map(LocationId).collect();
    for location in 0..count {
        if is_head[location] || location == program.entry.index() {
            continue;
        }
        if let [EdgeId(edge)] = successors[location][..] {
            let edge = &program.edges[edge as usize];
            if edge.command == Command::Skip {
                to[location] = edge.to;
            }
        }
    }
    // Follow chains; a cycle without a loop head does not exist, the bound keeps us honest.
    let resolve = |start: LocationId| {
        let mut at = start;
        for _ in 0..count {
            let next = to[at.index()];
            if next == at {
                break;
            }
            at = next;
        }
        at
    };
    let resolved: Vec<LocationId> = (0..count as u32).map(|l| resolve(LocationId(l))).collect();
    for edge in &mut program.edges {
        edge.to = resolved[edge.to.index()];
    }
    program.edges.retain(|e| resolved[e.from.index()] == e.from);
    take_over(program, &is_head);
}

/// The entry and loop heads take over the edges of a location that only they lead to, by doing nothing.
fn take_over(program: &mut Program, is_head: &[bool]) {
    let count = program.locations as usize;
    let successors = program.successors();
    let mut incoming = vec![0u32; count];
    program.edges.iter().for_each(|e| incoming[e.to.index()] += 1);
    let mut merged: Vec<Option<LocationId>> = vec![None; count];
    let mut gone = vec![false; program.edges.len()];
    for location in (0..count).filter(|l| is_head[*l] || *l == program.entry.index()) {
        let [only] = successors[location][..] else { continue };
        let edge = &program.edges[only.index()];
        let target = edge.to.index();
        let alone = incoming[target] == 1 && !is_head[target] && edge.to != program.exit;
        if edge.command == Command::Skip && alone {
            merged[target] = Some(edge.from);
            gone[only.index()] = true;
        }
    }
    let mut number = 0;
    program.edges.retain(|_| {
        number += 1;
        !gone[number - 1]
    });
    for edge in &mut program.edges {
        if let Some(from) = merged[edge.from.index()] {
            edge.from = from;
        }
    }
}

/// Drops what no run reaches, and numbers the locations anew.
fn prune(program: &mut Program) {
    let successors = program.successors();
    let mut reached = vec![false; program.locations as usize];
    reached[program.entry.index()] = true;
    reached[program.exit.index()] = true;
    let mut open = vec![program.entry];
    while let Some(location) = open.pop() {
        for edge in &successors[location.index()] {
            let to = program.edges[edge.index()].to;
            if !std::mem::replace(&mut reached[to.index()], true) {
                open.push(to);
            }
        }
    }
    let mut new = vec![None; program.locations as usize];
    let mut next = 0;
    for (location, reached) in reached.iter().enumerate() {
        if *reached {
            new[location] = Some(LocationId(next));
            next += 1;
        }
    }
    program.locations = next;
    let renumber = |l: LocationId| new[l.index()];
    program.edges.retain(|e| renumber(e.from).is_some());
    for edge in &mut program.edges {
        if let (Some(from), Some(to)) = (renumber(edge.from), renumber(edge.to)) {
            (edge.from, edge.to) = (from, to);
        }
    }
    prune_loops(program, &renumber);
    program.sweeps.retain(|s| renumber(s.at).is_some());
    for sweep in &mut program.sweeps {
        if let Some(at) = renumber(sweep.at) {
            sweep.at = at;
        }
    }
    if let (Some(entry), Some(exit)) = (renumber(program.entry), renumber(program.exit)) {
        (program.entry, program.exit) = (entry, exit);
    }
}

fn prune_loops(program: &mut Program, renumber: &dyn Fn(LocationId) -> Option<LocationId>) {
    let mut kept: Vec<Option<u32>> = Vec::new();
    let mut count = 0;
    for l in &program.loops {
        let alive = renumber(l.head).is_some();
        kept.push(alive.then_some(count));
        count += u32::from(alive);
    }
    let loop_id = |id: crate::program::LoopId| kept[id.index()].map(crate::program::LoopId);
    let parents: Vec<_> = program.loops.iter().map(|l| l.parent).collect();
    // A loop that is gone hands its parent on.
    let alive_parent = |mut parent: Option<crate::program::LoopId>| {
        while let Some(id) = parent {
            if let Some(new) = loop_id(id) {
                return Some(new);
            }
            parent = parents[id.index()];
        }
        None
    };
    program.loops.retain(|l| renumber(l.head).is_some());
    for l in &mut program.loops {
        if let Some(head) = renumber(l.head) {
            l.head = head;
        }
        l.parent = alive_parent(l.parent);
    }
    program.tracks.retain(|t| t.at.is_none_or(|at| loop_id(at).is_some()));
    for track in &mut program.tracks {
        track.at = track.at.and_then(loop_id);
    }
}
