//! From an abstract trace to a run: a bounded check along its loop heads, and the entry state of a model.
//!
//! The check unrolls the program along the trace in one context, without the abstract states: any run that
//! takes the same rounds and fails will do. Its model is made small (constants are equated with null and with
//! each other as far as the failure allows), turned into an entry state, and handed to the interpreter,
//! which is the only judge.

use super::signature::{Name, Role, Signature};
use super::symbolic::{Sym, What};
use super::system::{Plan, Unrolled};
use crate::engine::heap::{Answer, Atom, Const, Heap, Slot};
use crate::program::{At, CellId, FieldId, Program, State, Status, StructId, Type, Value, VarId, VarKind};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};
use crate::verdict::Failure;
use std::collections::BTreeMap;

/// A model of a run along the trace.
pub(super) struct Concrete {
    /// The entry state, if the model could be turned into one.
    pub(super) initial: Option<State>,
    /// What happens at its end.
    pub(super) what: What,
}

/// Looks for a run along the loop heads; one that breaks the property rather than one that leaves the logic.
pub(super) fn along(plan: &Plan<'_>, path: &[usize], budget: &mut Budget) -> Result<Option<Concrete>, Stop> {
    let Unrolled { mut exec, initial, bad } = plan.unroll(path);
    let fails: Vec<Lit> =
        exec.sites.iter().filter(|site| matches!(site.what, What::Fails(_))).map(|site| site.lit).collect();
    let fails =
        fails.into_iter().fold(crate::engine::heap::constant(false), |any, lit| exec.ctx.or(any, lit));
    for goal in [fails, bad] {
        if !exec.ctx.solve(&[goal], budget)?.is_sat() {
            continue;
        }
        let mut assumed = vec![goal];
        shrink(&mut exec.ctx, &mut assumed, budget)?;
        let (sites, numbers) = (exec.sites.clone(), exec.numbers_known());
        let Answer::Sat(model) = exec.ctx.solve(&assumed, budget)? else {
            debug_assert!(false, "the last assumptions were satisfiable");
            return Ok(None);
        };
        let reached = sites.iter().find(|site| model.value(site.lit) == Some(true));
        let what = reached.map_or(What::Leaves(String::new(), plan.program.span), |site| site.what.clone());
        let heap = model.heap(&initial.heap);
        let level = |c: Const| model.level_of(c);
        let initial = entry_state(plan.program, plan.layout, &initial, &heap, level, &numbers);
        return Ok(Some(Concrete { initial, what }));
    }
    Ok(None)
}

/// Equates constants with null and with each other as long as there is a model.
fn shrink(
    ctx: &mut crate::engine::heap::HeapCtx,
    assumed: &mut Vec<Lit>,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let mut apart = vec![Const::NULL];
    for c in ctx.constants().filter(|&c| !ctx.is_integer(c)).collect::<Vec<_>>() {
        let mut alone = true;
        for &other in &apart {
            let same = ctx.atom_literal(Atom::Equal(c, other), true);
            assumed.push(same);
            if ctx.solve(assumed, budget)?.is_sat() {
                alone = false;
                break;
            }
            assumed.pop();
        }
        if alone {
            apart.push(c);
        }
    }
    Ok(())
}

/// The entry state of a model.
fn entry_state(
    program: &Program,
    layout: &Signature,
    sym: &Sym,
    heap: &Heap,
    level: impl Fn(Const) -> u32,
    numbers: &[(i128, Const)],
) -> Option<State> {
    let mut state = State::new(program);
    let kinds = cell_kinds(program, layout, heap)?;
    let values = data_values(sym, heap, &level, numbers)?;
    let mut cells: Vec<Option<CellId>> = vec![None; heap.size()];
    for (cell, kind) in kinds.iter().enumerate() {
        if let Some(kind) = kind {
            let held = !layout.config.alloc || heap.alloc[cell];
            cells[cell] =
                Some(state.add_cell(program, *kind, if held { Status::Heap } else { Status::Never }));
        }
    }
    let value_of = |cell: usize| cells[cell].map_or(Value::Null, Value::Cell);
    for (at, field) in program.fields.iter().enumerate() {
        let id = FieldId(at as u32);
        for (cell, made) in cells.iter().enumerate() {
            let (Some(made), true) = (made, kinds[cell] == Some(field.owner)) else { continue };
            let value = match layout.role(id) {
                Role::Link(link) => value_of(heap.next[link.0 as usize][cell]),
                Role::Datum => Value::Int(*values.get(&heap.data[cell])?),
                Role::Colour(colour) => Value::Int(i128::from(heap.colours[colour.0 as usize][cell])),
                Role::Opaque => continue,
            };
            state.set_field(*made, id, value);
        }
    }
    for v in (0..program.vars.len() as u32).map(VarId) {
        let var = &program.vars[v.index()];
        if !matches!(var.kind, VarKind::Param | VarKind::Global | VarKind::Logic) {
            continue;
        }
        let Some(slot) = layout.slot(v, At::Now) else { continue };
        match (var.ty, slot.0.checked_sub(layout.integers)) {
            (Type::Ptr(_), _) => {
                state.vars[v.index()] = heap.slots[slot.0 as usize].map_or(Value::Null, value_of);
            }
            (_, Some(at)) => {
                if let Some(super::symbolic::Value::Point(c)) = sym.ints[usize::from(at)] {
                    state.vars[v.index()] = Value::Int(*values.get(&level(c))?);
                }
            }
            _ => {}
        }
    }
    Some(state)
}

/// The struct of each cell, from the variables and fields that lead to it; cells that nothing leads to and
/// that lead nowhere are left out. None if a cell would be of two structs.
fn cell_kinds(program: &Program, layout: &Signature, heap: &Heap) -> Option<Vec<Option<StructId>>> {
    let mut kinds: Vec<Option<StructId>> = vec![None; heap.size()];
    let mut set = |cell: usize, kind: StructId| {
        if cell == 0 || kinds[cell] == Some(kind) {
            return Some(false);
        }
        if kinds[cell].is_some() {
            return None;
        }
        kinds[cell] = Some(kind);
        Some(true)
    };
    for (at, cell) in heap.slots.iter().enumerate().skip(1).take(usize::from(layout.integers) - 1) {
        let kind = layout.name(Slot(at as u16)).and_then(|name: Name| layout.kind(program, name));
        if let (Some(cell), Some(kind)) = (cell, kind) {
            set(*cell, kind)?;
        }
    }
    loop {
        let mut changed = false;
        for (at, field) in program.fields.iter().enumerate() {
            let (Some(link), Some(target)) = (layout.link(FieldId(at as u32), At::Now), field.ty.pointee())
            else {
                continue;
            };
            for cell in 1..heap.size() {
                let to = heap.next[link.0 as usize][cell];
                if to != 0 {
                    changed |= set(cell, field.owner)?;
                    changed |= set(to, target)?;
                }
            }
        }
        if !changed {
            return Some(kinds);
        }
    }
}

/// Numbers for the levels of data, in their order, with the program's numbers in their places; none if
/// there is no room between two of them.
fn data_values(
    sym: &Sym,
    heap: &Heap,
    level: &impl Fn(Const) -> u32,
    numbers: &[(i128, Const)],
) -> Option<BTreeMap<u32, i128>> {
    let mut levels: std::collections::BTreeSet<u32> = heap.data.iter().copied().collect();
    for value in sym.ints.iter().flatten() {
        if let super::symbolic::Value::Point(c) = value {
            levels.insert(level(*c));
        }
    }
    let fixed: BTreeMap<u32, i128> = numbers.iter().map(|&(n, c)| (level(c), n)).collect();
    levels.extend(fixed.keys());
    let mut values: BTreeMap<u32, i128> = BTreeMap::new();
    let first = fixed.iter().next().map(|(l, n)| (*l, *n));
    let below = levels.iter().filter(|l| first.is_some_and(|f| **l < f.0)).count() as i128;
    let mut next = first.map_or(0, |f| f.1.saturating_sub(below));
    for l in levels {
        if let Some(&n) = fixed.get(&l) {
            if next > n {
                return None;
            }
            next = n;
        }
        values.insert(l, next);
        next += 1;
    }
    Some(values)
}

/// The failure of a site, or why the logic was left.
pub(super) fn describe(what: &What) -> Failure {
    match what {
        What::Fails(failure) => failure.clone(),
        What::Leaves(why, span) => {
            Failure { check: crate::program::Check::Memsafety, message: why.clone(), span: *span }
        }
    }
}
