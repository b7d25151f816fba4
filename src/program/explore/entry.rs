//! All entry states of a given number of cells, each once up to the names of cells.
//!
//! Cells are discovered: each pointer, first of the variables, then of the fields in a fixed order, is null,
//! a cell met before, or the next new one. So every heap whose cells are reached from variables comes exactly once.
//! A conjunct of `requires` is looked at as soon as everything it depends on is decided; if it is false and
//! more cells cannot make it true, the branch ends there. Integers come last.

use super::vocabulary::Vocabulary;
use crate::program::cfg::{Program, Question};
use crate::program::decl::{FieldId, StructId, Type, VarId, VarKind};
use crate::program::eval::{self, States};
use crate::program::formula::{Formula, Set, Term};
use crate::program::state::{CellId, State, Status, Value};
use crate::program::walk::{self, Part};
use std::ops::ControlFlow;

/// A conjunct of `requires`.
struct Conjunct<'p> {
    formula: &'p Formula,
    fields: Vec<FieldId>,
    /// Depends on integer variables or arrays.
    ints: bool,
    /// Once false on a partial heap it stays false when cells are added.
    stays_false: bool,
}

/// The enumeration.
pub(super) struct Entries<'p> {
    program: &'p Program,
    conjuncts: Vec<Conjunct<'p>>,
    links: Vec<FieldId>,
    data: Vec<FieldId>,
    ints: &'p [i128],
    /// Cells reached from variables.
    cells: usize,
    /// Whether one cell per struct is added that no variable reaches.
    extra: bool,
    /// Length of array parameters.
    length: usize,
}

/// What is decided next.
#[derive(Clone, Copy)]
enum Slot {
    Var(VarId),
    Element(VarId, usize),
    Field(CellId, FieldId),
}

/// Gets each entry state; breaks to end the enumeration.
pub(super) type Take<'t> = &'t mut dyn FnMut(&State) -> ControlFlow<()>;

impl<'p> Entries<'p> {
    pub(super) fn new(
        program: &'p Program,
        question: &Question,
        vocabulary: &'p Vocabulary,
        cells: usize,
        extra: bool,
        length: usize,
    ) -> Entries<'p> {
        let is_int = |f: &FieldId| matches!(program.fields[f.index()].ty, Type::Int(_));
        let (data, links) = vocabulary.fields.iter().copied().partition(is_int);
        let mut conjuncts = Vec::new();
        for clause in program.contracts.get(question.contract).iter().flat_map(|c| &c.requires) {
            split(program, &clause.formula, &mut conjuncts);
        }
        Entries { program, conjuncts, links, data, ints: &vocabulary.ints, cells, extra, length }
    }

    /// Whether array parameters exist, so that their length matters.
    pub(super) fn has_arrays(program: &Program) -> bool {
        program.vars.iter().any(|v| v.kind == VarKind::Param && v.ty.element().is_some() && v.len.is_none())
    }

    /// Hands out all states.
    pub(super) fn each(&self, take: Take<'_>) -> ControlFlow<()> {
        let mut state = State::new(self.program);
        let mut slots = Vec::new();
        for (i, var) in self.program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            if !matches!(var.kind, VarKind::Param | VarKind::Global | VarKind::Logic) {
                continue;
            }
            match var.ty {
                Type::Ptr(_) => slots.push(Slot::Var(id)),
                Type::PtrArray(_) | Type::IntArray(_) => {
                    if var.len.is_none() {
                        let element = var.ty.element().unwrap_or(var.ty);
                        state.arrays[i] = vec![crate::program::state::zero(element); self.length];
                    }
                    if let Type::PtrArray(_) = var.ty {
                        let n = state.arrays[i].len().min(MOST_ELEMENTS);
                        slots.extend((0..n).map(|k| Slot::Element(id, k)));
                    }
                }
                Type::Int(_) => {}
            }
        }
        self.pointers(&mut state, &slots, 0, take)
    }

    /// Decides pointer slots of variables from `at` on, then the link fields.
    fn pointers(&self, state: &mut State, slots: &[Slot], at: usize, take: Take<'_>) -> ControlFlow<()> {
        match slots.get(at) {
            None => self.links(state, 0, &mut Vec::new(), false, take),
            Some(&slot) => {
                let of = self.pointee(slot);
                self.each_pointer(state, of, slot, &mut |state| self.pointers(state, slots, at + 1, take))
            }
        }
    }

    fn pointee(&self, slot: Slot) -> StructId {
        let ty = match slot {
            Slot::Var(v) => self.program.vars[v.index()].ty,
            Slot::Element(v, _) => {
                self.program.vars[v.index()].ty.element().unwrap_or(Type::Ptr(StructId(0)))
            }
            Slot::Field(_, f) => self.program.fields[f.index()].ty,
        };
        ty.pointee().unwrap_or(StructId(0))
    }

    /// Null, each cell of the struct, a new one.
    fn each_pointer(
        &self,
        state: &mut State,
        of: StructId,
        slot: Slot,
        go_on: &mut dyn FnMut(&mut State) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        put(state, slot, Value::Null);
        go_on(state)?;
        for i in 0..state.cells.len() {
            if state.cells[i].of == of {
                put(state, slot, Value::Cell(CellId(i as u32)));
                go_on(state)?;
            }
        }
        if state.cells.len() < self.cells {
            let new = state.add_cell(self.program, of, Status::Heap);
            put(state, slot, Value::Cell(new));
            go_on(state)?;
            put(state, slot, Value::Null);
            state.cells.pop();
        }
        put(state, slot, Value::Null);
        ControlFlow::Continue(())
    }

    /// Decides the first `phase` + 1 link fields of all cells; `decided` lists what is done.
    fn links(
        &self,
        state: &mut State,
        phase: usize,
        decided: &mut Vec<(CellId, FieldId)>,
        extended: bool,
        take: Take<'_>,
    ) -> ControlFlow<()> {
        let fields = &self.links[..self.links.len().min(phase + 1)];
        let open = (0..state.cells.len()).find_map(|i| {
            let cell = CellId(i as u32);
            let of = state.cells[i].of;
            let mine = fields.iter().filter(|f| self.program.fields[f.index()].owner == of);
            mine.copied().find(|f| !decided.contains(&(cell, *f))).map(|f| (cell, f))
        });
        if let Some((cell, field)) = open {
            let slot = Slot::Field(cell, field);
            decided.push((cell, field));
            let depth = decided.len();
            let flow = self.each_pointer(state, self.pointee(slot), slot, &mut |state| {
                decided.truncate(depth);
                self.links(state, phase, decided, extended, take)
            });
            decided.truncate(depth - 1);
            return flow;
        }
        if self.refuted(state, fields, &[], false) {
            return ControlFlow::Continue(());
        }
        if phase + 1 < self.links.len() {
            return self.links(state, phase + 1, decided, extended, take);
        }
        if !extended {
            if state.cells.len() != self.cells {
                return ControlFlow::Continue(());
            }
            if self.extra {
                let n = state.cells.len();
                for i in 0..self.program.structs.len() {
                    state.add_cell(self.program, StructId(i as u32), Status::Heap);
                }
                let flow = self.links(state, phase, decided, true, take);
                state.cells.truncate(n);
                return flow;
            }
        }
        self.with_strangers(state, take)
    }

    /// Adds one cell per struct that was never allocated, then decides integers.
    fn with_strangers(&self, state: &mut State, take: Take<'_>) -> ControlFlow<()> {
        let n = state.cells.len();
        add_strangers(self.program, state);
        let mut slots = Vec::new();
        for (i, var) in self.program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            if !matches!(var.kind, VarKind::Param | VarKind::Global | VarKind::Logic) {
                continue;
            }
            match var.ty {
                Type::Int(_) => slots.push(Slot::Var(id)),
                Type::IntArray(_) => {
                    slots.extend((0..state.arrays[i].len().min(MOST_ELEMENTS)).map(|k| Slot::Element(id, k)));
                }
                Type::Ptr(_) | Type::PtrArray(_) => {}
            }
        }
        let variables = slots.len();
        for &field in &self.data {
            let owner = self.program.fields[field.index()].owner;
            let cells = (0..n).filter(|i| state.cells[*i].of == owner);
            slots.extend(cells.map(|i| Slot::Field(CellId(i as u32), field)));
        }
        let flow = self.integers(state, &slots, variables, 0, take);
        state.cells.truncate(n);
        flow
    }

    fn integers(
        &self,
        state: &mut State,
        slots: &[Slot],
        variables: usize,
        at: usize,
        take: Take<'_>,
    ) -> ControlFlow<()> {
        let field_of = |slot: Option<&Slot>| match slot {
            Some(Slot::Field(_, f)) => Some(*f),
            _ => None,
        };
        // Between two groups of slots everything decided so far is looked at.
        if at >= variables && (at == variables || field_of(slots.get(at)) != field_of(slots.get(at - 1))) {
            let rest = field_of(slots.get(at));
            let n = rest.and_then(|f| self.data.iter().position(|d| *d == f)).unwrap_or(self.data.len());
            if self.refuted(state, &self.links, &self.data[..n], true) {
                return ControlFlow::Continue(());
            }
        }
        let Some(&slot) = slots.get(at) else { return take(state) };
        let ty = match slot {
            Slot::Var(v) | Slot::Element(v, _) => self.program.vars[v.index()].ty,
            Slot::Field(_, f) => self.program.fields[f.index()].ty,
        };
        for &n in self.ints {
            if let Type::Int(kind) | Type::IntArray(kind) = ty
                && (kind.min()..=kind.max()).contains(&n)
            {
                put(state, slot, Value::Int(n));
                self.integers(state, slots, variables, at + 1, take)?;
            }
        }
        put(state, slot, Value::Int(0));
        ControlFlow::Continue(())
    }

    /// Whether a conjunct that depends on decided things only is false. While the heap grows (`complete` is false)
    /// only conjuncts count that stay false.
    fn refuted(&self, state: &State, links: &[FieldId], data: &[FieldId], complete: bool) -> bool {
        self.conjuncts.iter().any(|c| {
            (complete || (c.stays_false && !c.ints))
                && c.fields.iter().all(|f| links.contains(f) || data.contains(f))
                && eval::holds(self.program, States::at_entry(state), c.formula) == Ok(false)
        })
    }
}

/// Longer arrays keep zeros behind this many elements.
const MOST_ELEMENTS: usize = 4;

/// One cell per struct that was never allocated, for formulas that quantify and for pointers that must not be used.
pub fn add_strangers(program: &Program, state: &mut State) {
    for i in 0..program.structs.len() {
        state.add_cell(program, StructId(i as u32), Status::Never);
    }
}

fn put(state: &mut State, slot: Slot, value: Value) {
    match slot {
        Slot::Var(v) => state.vars[v.index()] = value,
        Slot::Element(v, k) => state.arrays[v.index()][k] = value,
        Slot::Field(cell, field) => state.set_field(cell, field, value),
    }
}

fn split<'p>(program: &Program, formula: &'p Formula, out: &mut Vec<Conjunct<'p>>) {
    if let Formula::And(parts) = formula {
        return parts.iter().for_each(|p| split(program, p, out));
    }
    let mut fields = Vec::new();
    let mut ints = false;
    walk::formula(formula, &mut |part| {
        walk::fields(part, &mut |f| fields.push(f));
        ints |= match part {
            Part::Term(Term::Var(v, _)) => matches!(program.vars[v.index()].ty, Type::Int(_)),
            Part::Term(Term::Index(..)) | Part::Formula(Formula::ValidRange(..)) => true,
            _ => false,
        };
    });
    out.push(Conjunct { formula, fields, ints, stays_false: stays_false(formula, true) });
}

/// Whether a formula that is false (`positive`) or true (otherwise) on a heap stays so when cells are added
/// that the old ones do not point to: it must not gain witnesses.
fn stays_false(formula: &Formula, positive: bool) -> bool {
    let here = match formula {
        Formula::Not(p) => return stays_false(p, !positive),
        Formula::And(parts) | Formula::Or(parts) => return parts.iter().all(|p| stays_false(p, positive)),
        Formula::Implies(p, q) => return stays_false(p, !positive) && stays_false(q, positive),
        Formula::Iff(p, q) => {
            return [p, q].into_iter().all(|f| stays_false(f, true) && stays_false(f, false));
        }
        Formula::Forall(b, p) => return (positive || b.of.is_none()) && stays_false(p, positive),
        Formula::Exists(b, p) => return (!positive || b.of.is_none()) && stays_false(p, positive),
        Formula::Unshared(..) => positive,
        _ => true,
    };
    let mut plain = here;
    walk::formula(formula, &mut |part| {
        plain &= !matches!(part, Part::Set(Set::Pre(..)) | Part::Term(Term::Ite(..)));
    });
    plain
}
