//! What one command does to a state.

use super::{BY_CONTRACT, Chooser, End, Machine, Op, Run};
use crate::program::cfg::Program;
use crate::program::command::{Check, Command, Storage, Target, broken};
use crate::program::decl::{FieldId, IntKind, StructId, Type, VarId, VarKind};
use crate::program::eval::States;
use crate::program::expr::{Cmp, Cond, Expr};
use crate::program::state::{CellId, State, Status, Value, zero};
use crate::program::trace::Failure;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The value of an expression; `None` if an integer leaves 128 bits.
#[inline]
pub(super) fn expr(state: &State, e: &Expr) -> Option<Value> {
    Some(match e {
        Expr::Var(v) => state.vars[v.index()],
        Expr::Null(_) => Value::Null,
        Expr::Int(n) => Value::Int(*n),
        Expr::Neg(_) | Expr::BitNot(_) | Expr::Binary(..) | Expr::Wrap(..) => Value::Int(int(state, e)?),
    })
}

fn int(state: &State, e: &Expr) -> Option<i128> {
    match e {
        Expr::Var(v) => match state.vars[v.index()] {
            Value::Int(n) => Some(n),
            Value::Null | Value::Cell(_) => None,
        },
        Expr::Null(_) => None,
        Expr::Int(n) => Some(*n),
        Expr::Neg(inner) => int(state, inner)?.checked_neg(),
        Expr::BitNot(inner) => Some(!int(state, inner)?),
        Expr::Binary(op, a, b) => op.apply(int(state, a)?, int(state, b)?),
        Expr::Wrap(kind, inner) => Some(kind.wrap(int(state, inner)?)),
    }
}

/// The truth of a condition; `None` if an integer leaves 128 bits.
#[inline]
pub(super) fn cond(state: &State, c: &Cond) -> Option<bool> {
    Some(match c {
        Cond::Const(value) => *value,
        Cond::Compare(cmp, a, b) => {
            let (a, b) = (expr(state, a)?, expr(state, b)?);
            match (a, b) {
                (Value::Int(a), Value::Int(b)) => cmp.holds(&a, &b),
                (a, b) => match cmp {
                    Cmp::Eq => a == b,
                    Cmp::Ne => a != b,
                    _ => return None,
                },
            }
        }
        Cond::Not(inner) => !cond(state, inner)?,
        Cond::And(parts) => {
            for part in parts {
                if !cond(state, part)? {
                    return Some(false);
                }
            }
            true
        }
        Cond::Or(parts) => {
            for part in parts {
                if cond(state, part)? {
                    return Some(true);
                }
            }
            false
        }
    })
}

pub(super) fn overflow() -> End {
    End::Outside("an integer leaves the range of its type".to_owned())
}

/// The value, unless it is outside the type: signed overflow.
#[inline]
fn fits(ty: Type, value: Option<Value>) -> Result<Value, End> {
    match (value, ty) {
        (Some(Value::Int(n)), Type::Int(kind) | Type::IntArray(kind)) if n < kind.min() || n > kind.max() => {
            Err(overflow())
        }
        (Some(value), _) => Ok(value),
        (None, _) => Err(overflow()),
    }
}

impl Machine<'_> {
    /// Executes the command; `None`: go on at the edge's target.
    pub(super) fn execute(&self, run: &mut Run, op: &Op<'_>, chooser: &mut dyn Chooser) -> Option<End> {
        self.effect(run, op, chooser).err()
    }

    fn effect(&self, run: &mut Run, op: &Op<'_>, chooser: &mut dyn Chooser) -> Result<(), End> {
        let program = self.program;
        let state = &mut run.state;
        match op.command {
            Command::Skip => {}
            Command::Assign(x, e) => {
                let value = fits(program.vars[x.index()].ty, expr(state, e))?;
                state.vars[x.index()] = value;
            }
            Command::Load { to, from, field } => {
                let cell = self.access(state, op, *from)?;
                if let Some(u) = &run.undefined {
                    let slot = state.slot(*field);
                    if slot < 64 && u.masks.get(cell.index()).is_some_and(|m| m >> slot & 1 == 1) {
                        return Err(End::Open("an uninitialised field is read"));
                    }
                }
                if let Some(reads) = &self.reads {
                    reads.note(cell, *field);
                }
                state.vars[to.index()] = state.field(Value::Cell(cell), *field);
            }
            Command::Store { to, field, value } => {
                let declared = &program.fields[field.index()];
                if declared.ghost && state.var(*to) == Value::Null {
                    return Ok(());
                }
                let cell = self.access(state, op, *to)?;
                let carried = self.carries(value);
                let value = fits(declared.ty, expr(state, value))?;
                if let Some(reads) = self.reads.as_ref().filter(|_| self.has_assigns()) {
                    // Whether this is a change depends on the old value.
                    reads.note(cell, *field);
                }
                state.set_field(cell, *field, value);
                if let Some(u) = &mut run.undefined {
                    define(u, cell, state.slot(*field), !carried)?;
                }
            }
            Command::LoadElement { to, array, index } => {
                let i = self.element(state, op, *array, index)?;
                if run.undefined.as_ref().is_some_and(|u| u.elements[array.index()][i]) {
                    return Err(End::Open("an uninitialised element is read"));
                }
                state.vars[to.index()] = state.arrays[array.index()][i];
            }
            Command::StoreElement { array, index, value } => {
                let i = self.element(state, op, *array, index)?;
                let carried = self.carries(value);
                let value = fits(program.vars[array.index()].ty, expr(state, value))?;
                state.arrays[array.index()][i] = value;
                if let Some(u) = &mut run.undefined {
                    u.elements[array.index()][i] = carried;
                }
            }
            Command::Alloc { to, of, storage, zeroed } => {
                let status = match storage {
                    Storage::Heap => Status::Heap,
                    Storage::Automatic => Status::Automatic,
                };
                let cell = self.allocate(run, chooser, *of, status, *zeroed)?;
                run.state.vars[to.index()] = Value::Cell(cell);
            }
            Command::Free(x) => self.free(state, op, *x)?,
            Command::Release(x) => {
                if let Value::Cell(cell) = state.var(*x) {
                    let status = &mut state.cells[cell.index()].status;
                    if *status == Status::Automatic {
                        *status = Status::Freed;
                    }
                }
            }
            Command::Assume(c) => match cond(state, c) {
                Some(true) => {}
                Some(false) => return Err(End::Blocked),
                None => return Err(overflow()),
            },
            Command::Suppose(formula) => {
                if !self.truth(run, op, formula)? {
                    return Err(End::Blocked);
                }
            }
            Command::Assert { formula, check, what } => {
                if !self.truth(run, op, formula)? {
                    return Err(self.failure(op, *check, broken(what)));
                }
            }
            Command::Fail { what } => {
                return Err(self.failure(op, Check::Asserts, format!("{what} is reached")));
            }
            // A strict run never reads what a havoc leaves: see `initialised`.
            Command::Havoc(x) if run.undefined.is_some() => {
                state.vars[x.index()] = zero(program.vars[x.index()].ty);
            }
            Command::Havoc(x) => {
                let mut asking = super::chooser::Asking { chooser, unread: op.unread };
                state.vars[x.index()] = choose(state, &mut asking, program.vars[x.index()].ty)?;
            }
            Command::Snapshot(label) => {
                let snapshot = Arc::new(run.state.clone());
                if run.labels.len() <= label.index() {
                    run.labels.resize(label.index() + 1, None);
                }
                run.labels[label.index()] = Some(snapshot);
            }
            Command::Scramble { local: Some(l), .. } if l.needed => return Err(End::Open(BY_CONTRACT)),
            Command::Scramble { targets, frees, .. } => self.scramble(run, chooser, targets, *frees)?,
        }
        Ok(())
    }

    /// The end of a run that fails in this class.
    fn failure(&self, op: &Op<'_>, check: Check, message: String) -> End {
        if self.question.asks(check) {
            let span = self.program.edges[op.edge.index()].span;
            End::Failed(Failure { check, message, span })
        } else {
            End::Outside(message)
        }
    }

    /// The cell that a variable points to, if it may be accessed.
    #[inline]
    fn access(&self, state: &State, op: &Op<'_>, pointer: VarId) -> Result<CellId, End> {
        let value = state.var(pointer);
        match value {
            Value::Cell(cell) if state.is_valid(value) => Ok(cell),
            _ => Err(self.bad_access(state, op, pointer)),
        }
    }

    fn bad_access(&self, state: &State, op: &Op<'_>, pointer: VarId) -> End {
        let what = match state.var(pointer) {
            Value::Cell(cell) if state.status(cell) == Status::Freed => "access to a freed cell",
            Value::Cell(_) => "access to a cell that is not allocated",
            _ => "null dereference",
        };
        self.failure(op, Check::Memsafety, self.about(what, pointer))
    }

    /// "what through `x`", unless nobody knows x.
    fn about(&self, what: &str, pointer: VarId) -> String {
        let var = &self.program.vars[pointer.index()];
        if var.kind == VarKind::Temp { what.to_owned() } else { format!("{what} through `{}`", var.name) }
    }

    fn element(&self, state: &State, op: &Op<'_>, array: VarId, index: &Expr) -> Result<usize, End> {
        let Some(Value::Int(i)) = expr(state, index) else { return Err(overflow()) };
        let len = state.arrays[array.index()].len();
        match usize::try_from(i) {
            Ok(i) if i < len => Ok(i),
            _ => {
                let name = &self.program.vars[array.index()].name;
                let message = format!("index {i} is outside the {len} elements of `{name}`");
                Err(self.failure(op, Check::Memsafety, message))
            }
        }
    }

    fn free(&self, state: &mut State, op: &Op<'_>, pointer: VarId) -> Result<(), End> {
        let Value::Cell(cell) = state.var(pointer) else { return Ok(()) };
        let what = match state.status(cell) {
            Status::Heap => {
                state.cells[cell.index()].status = Status::Freed;
                return Ok(());
            }
            Status::Freed => "free of a freed cell",
            Status::Automatic => "free of a cell that is not on the heap",
            Status::Never => "free of a cell that is not allocated",
        };
        Err(self.failure(op, Check::Memsafety, self.about(what, pointer)))
    }

    fn allocate(
        &self,
        run: &mut Run,
        chooser: &mut dyn Chooser,
        of: StructId,
        status: Status,
        zeroed: bool,
    ) -> Result<CellId, End> {
        let program = self.program;
        let cell = run.state.add_cell(program, of, status);
        if let Some(u) = &mut run.undefined {
            let n = program.structs[of.index()].fields.len();
            if n >= 64 && !zeroed {
                return Err(End::Open("a struct has more fields than can be tracked"));
            }
            let mask = if zeroed { 0 } else { (1u64 << n) - 1 };
            u.masks.resize(run.state.cells.len(), 0);
            u.masks[cell.index()] = mask;
            u.count += u64::from(mask.count_ones());
            return Ok(cell);
        }
        if !zeroed {
            for &field in &program.structs[of.index()].fields {
                let ty = program.fields[field.index()].ty;
                let value =
                    if chooser.fills() { choose(&run.state, chooser, ty)? } else { strange(&run.state, ty) };
                run.state.set_field(cell, field, value);
            }
        }
        Ok(cell)
    }

    /// The effect of a call that is known by its contract only. The callee may allocate: one new cell per
    /// struct is on offer for what it stores.
    fn scramble(
        &self,
        run: &mut Run,
        chooser: &mut dyn Chooser,
        targets: &[Target],
        frees: bool,
    ) -> Result<(), End> {
        let program = self.program;
        let open = || End::Open(BY_CONTRACT);
        let before = Arc::new(run.state.clone());
        let old_cells = run.state.cells.len();
        let reached = self.reached_from_visible(&before);
        if frees {
            for &cell in &reached {
                if before.status(cell) == Status::Heap && chooser.choose(2).ok_or_else(open)? == 1 {
                    run.state.cells[cell.index()].status = Status::Freed;
                }
            }
        }
        let structs: BTreeSet<StructId> = stored_structs(program, targets);
        for &of in &structs {
            if chooser.choose(2).ok_or_else(open)? == 1 {
                run.state.add_cell(program, of, Status::Heap);
            }
        }
        let states = States { now: &before, entry: &run.entry, labels: &run.labels };
        let mut places: BTreeSet<(CellId, FieldId)> = BTreeSet::new();
        let mut vars: BTreeSet<VarId> = BTreeSet::new();
        let mut elements: BTreeSet<(VarId, usize)> = BTreeSet::new();
        for target in targets {
            let undecided = End::Undecided;
            match target {
                Target::Var(v) => {
                    vars.insert(*v);
                }
                Target::Field(t, field) => {
                    if let Value::Cell(cell) = self.evaluator(states).term(t).map_err(undecided)? {
                        places.insert((cell, *field));
                    }
                }
                Target::Fields(set, field) => {
                    let cells = self.evaluator(states).set(set).map_err(undecided)?;
                    places.extend(cells.into_iter().map(|c| (c, *field)));
                }
                Target::Range(array, lo, hi) => {
                    let lo = self.evaluator(states).term(lo).map_err(undecided)?;
                    let hi = self.evaluator(states).term(hi).map_err(undecided)?;
                    let (Value::Int(lo), Value::Int(hi)) = (lo, hi) else { continue };
                    let len = before.arrays[array.index()].len();
                    let inside = (0..len).filter(|i| (lo..=hi).contains(&(*i as i128)));
                    elements.extend(inside.map(|i| (*array, i)));
                }
                Target::Everything => {
                    let globals = program.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Global);
                    vars.extend(globals.map(|(i, _)| VarId(i as u32)));
                    for &cell in &reached {
                        let fields = &program.structs[before.cells[cell.index()].of.index()].fields;
                        places.extend(fields.iter().map(|f| (cell, *f)));
                    }
                }
            }
        }
        let new_cells = old_cells..run.state.cells.len();
        for i in new_cells {
            let cell = CellId(i as u32);
            let of = run.state.cells[i].of;
            places.extend(program.structs[of.index()].fields.iter().map(|f| (cell, *f)));
        }
        for v in vars {
            let var = &program.vars[v.index()];
            match var.ty.element() {
                Some(element) => {
                    for i in 0..run.state.arrays[v.index()].len() {
                        run.state.arrays[v.index()][i] = choose_sound(&run.state, chooser, element)?;
                    }
                }
                None => run.state.vars[v.index()] = choose_sound(&run.state, chooser, var.ty)?,
            }
        }
        for (array, i) in elements {
            let element = program.vars[array.index()].ty.element().unwrap_or(Type::Int(IntKind::INT));
            run.state.arrays[array.index()][i] = choose_sound(&run.state, chooser, element)?;
        }
        for (cell, field) in places {
            chooser.about(cell, field);
            let value = choose_sound(&run.state, chooser, program.fields[field.index()].ty)?;
            run.state.set_field(cell, field, value);
        }
        Ok(())
    }

    /// The value stored is one that nobody wrote.
    fn carries(&self, value: &Expr) -> bool {
        matches!(value, Expr::Var(v) if self.carriers[v.index()])
    }

    fn has_assigns(&self) -> bool {
        let contract = self.program.contracts.get(self.question.contract);
        contract.is_some_and(|c| c.assigns.is_some())
    }

    /// The allocated cells reached from any variable, in order.
    fn reached_from_visible(&self, state: &State) -> BTreeSet<CellId> {
        let mut stack: Vec<Value> = Vec::new();
        for (i, var) in self.program.vars.iter().enumerate() {
            if var.kind != VarKind::Logic {
                stack.push(state.vars[i]);
                stack.extend(&state.arrays[i]);
            }
        }
        self.reached(state, stack)
    }
}

/// A field has, or has not, a value from now on. Structs too large for a mask are allocated with values, or not at all.
fn define(u: &mut super::Undefined, cell: CellId, slot: usize, defined: bool) -> Result<(), End> {
    let Some(mask) = u.masks.get_mut(cell.index()) else { return Ok(()) };
    if slot >= 64 {
        return if defined { Ok(()) } else { Err(End::Open("a struct has more fields than can be tracked")) };
    }
    match (*mask >> slot & 1 == 1, defined) {
        (true, true) => {
            *mask &= !(1 << slot);
            u.count -= 1;
        }
        (false, false) => {
            *mask |= 1 << slot;
            u.count += 1;
        }
        _ => {}
    }
    Ok(())
}

/// Any value of the type: for pointers null and all cells of the struct, allocated or not.
fn choose(state: &State, chooser: &mut dyn Chooser, ty: Type) -> Result<Value, End> {
    pick(state, chooser, ty, |_| true)
}

/// Null or an allocated cell, or an integer: what a callee may store.
fn choose_sound(state: &State, chooser: &mut dyn Chooser, ty: Type) -> Result<Value, End> {
    pick(state, chooser, ty, Status::is_valid)
}

fn pick(
    state: &State,
    chooser: &mut dyn Chooser,
    ty: Type,
    admits: impl Fn(Status) -> bool,
) -> Result<Value, End> {
    let open = || End::Open("a value is not determined");
    match ty {
        Type::Int(kind) => Ok(Value::Int(chooser.int(kind).ok_or_else(open)?)),
        Type::Ptr(of) => {
            let cells = state.cells.iter().enumerate();
            let cells = cells.filter(|(_, c)| c.of == of && admits(c.status));
            let cells: Vec<CellId> = cells.map(|(i, _)| CellId(i as u32)).collect();
            if cells.is_empty() {
                return Ok(Value::Null);
            }
            let choice = chooser.choose(cells.len() + 1).ok_or_else(open)?;
            Ok(if choice == 0 {
                Value::Null
            } else {
                cells.get(choice - 1).map_or(Value::Null, |c| Value::Cell(*c))
            })
        }
        Type::IntArray(_) | Type::PtrArray(_) => Ok(Value::Null),
    }
}

/// A value that must not be used: a pointer to a cell that was never allocated.
fn strange(state: &State, ty: Type) -> Value {
    let Type::Ptr(of) = ty else { return zero(ty) };
    let stranger = state.cells.iter().position(|c| c.of == of && c.status == Status::Never);
    stranger.map_or(Value::Null, |i| Value::Cell(CellId(i as u32)))
}

/// The structs of which a scrambled place can hold a pointer.
fn stored_structs(program: &Program, targets: &[Target]) -> BTreeSet<StructId> {
    let mut out = BTreeSet::new();
    for target in targets {
        match target {
            Target::Var(v) => {
                let ty = program.vars[v.index()].ty;
                out.extend(ty.element().unwrap_or(ty).pointee());
            }
            Target::Field(_, f) | Target::Fields(_, f) => out.extend(program.fields[f.index()].ty.pointee()),
            Target::Range(v, ..) => {
                out.extend(program.vars[v.index()].ty.element().and_then(Type::pointee));
            }
            Target::Everything => out.extend((0..program.structs.len()).map(|i| StructId(i as u32))),
        }
    }
    out
}
