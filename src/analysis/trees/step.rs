//! What commands do to a set of states.

use super::Run;
use super::formula::{Begin, Reader, arithmetic, assume_comparison, compare, holds};
use super::state::{Behind, Pending, Promise, State, Value};
use crate::program::command::may_break;
use crate::program::decl::VARIABLE;
use crate::program::{
    BinOp, Cmp, Command, Cond, Edge, Expr, FieldId, IntKind, Local, Storage, Target, Type, VarId, VarKind,
};
use std::collections::BTreeSet;

/// The states after a command, or why it is not proved that it does not fail.
pub(super) type Stepped = Result<Vec<State>, String>;

impl Run<'_> {
    pub(super) fn step(&self, mut state: State, edge: &Edge) -> Stepped {
        let waits = matches!(edge.command, Command::Havoc(_) | Command::Suppose(_));
        if !waits && !self.finish_call(&mut state) {
            return Ok(Vec::new());
        }
        let reader = self.reader();
        match &edge.command {
            Command::Skip | Command::Snapshot(_) => {}
            Command::Assign(x, e) => {
                let value = self.value(&mut state, e);
                self.set(&mut state, *x, value);
            }
            Command::Load { to, from, field } => {
                let (node, slot) = self.access(&mut state, *from, *field)?;
                let Behind::Cell { fields, .. } = &state.nodes[node].behind else { return Ok(Vec::new()) };
                let value = fields[slot];
                self.set(&mut state, *to, value);
            }
            Command::Store { to, field, value } => {
                if self.program.fields[field.index()].ghost {
                    return Err("ghost fields".to_owned());
                }
                let value = self.value(&mut state, value);
                let (node, slot) = self.access(&mut state, *to, *field)?;
                if !state.nodes[node].fresh {
                    state.written.push((node, *field));
                }
                if let Behind::Cell { fields, .. } = &mut state.nodes[node].behind {
                    fields[slot] = value;
                }
                state.promises.clear();
            }
            Command::Alloc { to, of, storage, zeroed } => {
                let mut fields = Vec::new();
                for field in &self.program.structs[of.index()].fields {
                    let ty = self.program.fields[field.index()].ty;
                    fields.push(match ty {
                        Type::Ptr(_) if *zeroed => Value::Null,
                        Type::Int(_) if *zeroed => state.number((Some(0), Some(0))),
                        ty => state.anything(ty),
                    });
                }
                let automatic = *storage == Storage::Automatic;
                let value = state.node(*of, Behind::Cell { fields, entry: None, automatic });
                if let Value::Node(n) = value {
                    state.nodes[n].not_null = true;
                    state.nodes[n].fresh = true;
                }
                self.set(&mut state, *to, value);
            }
            Command::Free(x) => {
                let pointer = state.vars[x.index()];
                return self.free(state, pointer);
            }
            Command::Release(x) => match state.vars[x.index()] {
                Value::Node(n) if matches!(state.nodes[n].behind, Behind::Cell { automatic: true, .. }) => {
                    state.nodes[n].behind = Behind::Freed;
                    state.promises.clear();
                }
                _ => return Err("the end of a variable".to_owned()),
            },
            Command::Assume(condition) => return Ok(self.filter(state, condition)),
            Command::Suppose(formula) => {
                let own = state.pending.is_some();
                if !own && !reader.assume(&mut state, formula) {
                    return Ok(Vec::new());
                }
            }
            Command::Assert { formula, check, what } => {
                if self.question.asks(*check) {
                    if !reader.proves(&state, formula) {
                        return Err(may_break(what));
                    }
                    reader.assume(&mut state, formula);
                }
            }
            Command::Fail { what } => return Err(may_break(what)),
            Command::Havoc(x) => {
                let value = state.anything(self.program.vars[x.index()].ty);
                self.set(&mut state, *x, value);
                if let Some(pending) = &mut state.pending {
                    pending.result.get_or_insert(*x);
                }
            }
            Command::Scramble { targets, frees, local } => {
                return self.call(state, targets, *frees, local.as_deref());
            }
            Command::LoadElement { .. } | Command::StoreElement { .. } => return Err("arrays".to_owned()),
        }
        Ok(vec![state])
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { program: self.program, begin: Begin::Entry, roots: &self.owned.roots }
    }

    fn set(&self, state: &mut State, var: VarId, value: Value) {
        if self.program.vars[var.index()].kind == VarKind::Global && !state.changed.contains(&var) {
            state.changed.push(var);
        }
        state.vars[var.index()] = value;
    }

    /// The cell that a pointer leads to, and the place of a field in it.
    fn access(&self, state: &mut State, pointer: VarId, field: FieldId) -> Result<(usize, usize), String> {
        let name = &self.program.vars[pointer.index()].name;
        let unknown = || format!("access to a cell that may not be allocated through `{name}`");
        if self.program.fields[field.index()].ghost {
            return Err("ghost fields".to_owned());
        }
        let Value::Node(node) = state.vars[pointer.index()] else { return Err(unknown()) };
        if !state.open(self.program, node) {
            return Err(unknown());
        }
        let own = &self.program.structs[state.nodes[node].of.index()].fields;
        let slot = own.iter().position(|f| *f == field).ok_or_else(unknown)?;
        Ok((node, slot))
    }

    fn free(&self, state: State, pointer: Value) -> Stepped {
        let mut state = state;
        state.promises.clear();
        let node = match pointer {
            Value::Null => return Ok(vec![state]),
            Value::Node(node) => node,
            _ => return Err("free of something that is not known".to_owned()),
        };
        let of = state.nodes[node].of;
        if self.program.structs[of.index()].name.starts_with(VARIABLE) {
            return Err("free of what may be a variable".to_owned());
        }
        let mut out = Vec::new();
        let mut there = state.clone();
        if !state.nodes[node].not_null {
            let mut null = state;
            null.replace(pointer, Value::Null);
            out.push(null);
            there.nodes[node].not_null = true;
        }
        if !there.open(self.program, node) {
            return Err("free of a cell that may not be allocated".to_owned());
        }
        match there.nodes[node].behind {
            Behind::Cell { automatic: false, .. } => there.nodes[node].behind = Behind::Freed,
            _ => return Err("free of a variable".to_owned()),
        }
        there.nodes[node].old = false;
        out.push(there);
        Ok(out)
    }

    pub(super) fn value(&self, state: &mut State, expr: &Expr) -> Value {
        let known = match expr {
            Expr::Var(v) => Some(state.vars[v.index()]),
            Expr::Null(_) => Some(Value::Null),
            Expr::Int(n) => Some(state.number((Some(*n), Some(*n)))),
            Expr::Neg(inner) => {
                let value = self.value(state, inner);
                let zero = state.number((Some(0), Some(0)));
                arithmetic(state, BinOp::Sub, zero, value)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(state, a), self.value(state, b));
                arithmetic(state, *op, a, b)
            }
            Expr::Wrap(kind, inner) => {
                let value = self.value(state, inner);
                Some(wrapped(state, *kind, value))
            }
            Expr::BitNot(_) => None,
        };
        known.unwrap_or_else(|| state.number((None, None)))
    }

    /// The states that satisfy a condition.
    fn filter(&self, mut state: State, condition: &Cond) -> Vec<State> {
        match condition {
            Cond::Const(true) => vec![state],
            Cond::Const(false) => Vec::new(),
            Cond::Compare(cmp, a, b) => {
                let (a, b) = (self.value(&mut state, a), self.value(&mut state, b));
                if self.assume(&mut state, *cmp, a, b) { vec![state] } else { Vec::new() }
            }
            Cond::Not(inner) => match &**inner {
                Cond::Not(twice) => self.filter(state, twice),
                other => self.filter(state, &other.negated()),
            },
            Cond::And(parts) => {
                let mut states = vec![state];
                for part in parts {
                    states = states.into_iter().flat_map(|s| self.filter(s, part)).collect();
                }
                states
            }
            Cond::Or(parts) => parts.iter().flat_map(|part| self.filter(state.clone(), part)).collect(),
        }
    }

    fn assume(&self, state: &mut State, cmp: Cmp, a: Value, b: Value) -> bool {
        compare(state, cmp, a, b) != Some(false) && assume_comparison(state, cmp, a, b)
    }

    /// A call that is known by its contract.
    fn call(&self, mut state: State, targets: &[Target], frees: bool, local: Option<&Local>) -> Stepped {
        let reads_only = is_read_only(targets, frees, local);
        if reads_only && !targets.is_empty() {
            // Numbers and variables may change, and nothing else.
            state.promises.clear();
            state.spoilt = true;
            self.forget_numbers(&mut state);
        }
        let Some(local) = local else {
            // Others see to it that nothing dangles.
            return if reads_only { Ok(vec![state]) } else { Err("a call that changes more".to_owned()) };
        };
        let arguments: Vec<Value> = local.arguments.iter().map(|v| state.vars[v.index()]).collect();
        if !local.itself {
            self.is_closed(&state, &arguments)?;
            if reads_only {
                return Ok(vec![state]);
            }
            return Err("a call that changes more".to_owned());
        }
        if arguments.len() != self.parameters.len() || !self.owned.is_plain() {
            return Err("a call of the function itself".to_owned());
        }
        let mut there = state.clone();
        for (parameter, argument) in self.parameters.iter().zip(&arguments) {
            there.vars[parameter.index()] = *argument;
        }
        let reader = Reader { program: self.program, begin: Begin::Now, roots: &[] };
        if !self.contract.requires.iter().all(|c| reader.proves(&there, &c.formula)) {
            return Err(format!("precondition of `{}` may not hold", self.program.name));
        }
        let mut used = BTreeSet::new();
        for (var, shape) in &self.owned.roots {
            if !holds(self.program, &there, &shape.fields, there.vars[var.index()], &mut used) {
                return Err(format!("what `{}` is given may overlap", self.program.name));
            }
        }
        if !reads_only {
            state.promises.clear();
            used.into_iter().for_each(|node| state.lose(node));
            state.spoilt = true;
            let globals = self.program.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Global);
            for (i, var) in globals {
                state.vars[i] = state.anything(var.ty);
            }
        }
        state.pending = Some(Pending { arguments, result: None, reads_only });
        Ok(vec![state])
    }

    /// All numbers in cells are others, and all globals.
    fn forget_numbers(&self, state: &mut State) {
        for n in 0..state.nodes.len() {
            let mut behind = state.nodes[n].behind.clone();
            if let Behind::Cell { fields, .. } = &mut behind {
                let own = &self.program.structs[state.nodes[n].of.index()].fields;
                for (value, field) in fields.iter_mut().zip(own) {
                    if matches!(value, Value::Int(_)) {
                        *value = state.anything(self.program.fields[field.index()].ty);
                    }
                }
            }
            state.nodes[n].behind = behind;
        }
        for (i, var) in self.program.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Global) {
            state.vars[i] = state.anything(var.ty);
            state.changed.push(VarId(i as u32));
        }
    }

    /// Nothing that a callee may reach dangles: what is owned does not, and the caller's other cells do not while
    /// nothing is freed.
    fn is_closed(&self, state: &State, arguments: &[Value]) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        let mut open: Vec<Value> = arguments.to_vec();
        let globals = self.program.vars.iter().zip(&state.vars).filter(|(v, _)| v.kind == VarKind::Global);
        open.extend(globals.map(|(_, value)| *value));
        while let Some(value) = open.pop() {
            let Value::Node(n) = value else { continue };
            if !seen.insert(n) {
                continue;
            }
            let node = &state.nodes[n];
            let pointers = self.program.structs[node.of.index()]
                .fields
                .iter()
                .filter(|f| self.program.fields[f.index()].ty.pointee().is_some());
            match &node.behind {
                Behind::Cell { fields, .. } => open.extend(fields.iter().copied()),
                Behind::Whole(shape) if pointers.clone().all(|f| shape.fields.contains(f)) => {}
                Behind::Freed => return Err("a pointer handed over dangles".to_owned()),
                Behind::Whole(_) | Behind::Lost if !self.may_dangle => {}
                _ => return Err("a pointer handed over may dangle".to_owned()),
            }
        }
        Ok(())
    }

    /// What the function promises holds after a call of itself. False if that cannot be.
    pub(super) fn finish_call(&self, state: &mut State) -> bool {
        let Some(pending) = state.pending.take() else { return true };
        if self.silent {
            return true;
        }
        let kept = state.entry.clone();
        let n = state.entry.len();
        let own = self.program.result();
        // Put aside, and found again if values are replaced by others.
        let saved = own.map(|r| state.vars[r.index()]);
        state.entry.extend(kept);
        state.vars.extend(saved);
        for value in &mut state.entry[..n] {
            *value = Value::Unused;
        }
        for (parameter, argument) in self.parameters.iter().zip(&pending.arguments) {
            state.entry[parameter.index()] = *argument;
        }
        if let (Some(own), Some(result)) = (own, pending.result) {
            state.vars[own.index()] = state.vars[result.index()];
        }
        let reader = Reader { program: self.program, begin: Begin::Call, roots: &[] };
        let mut more = !pending.reads_only || self.joint;
        for (fields, root) in self.promised() {
            let value = reader.term(state, root);
            if let (Some(Value::Node(n)), true) = (value, more)
                && state.nodes[n].behind == Behind::Lost
            {
                state.nodes[n].behind = Behind::Whole(super::state::Shape { fields });
                state.nodes[n].fresh = pending.reads_only;
                more = self.joint;
            }
        }
        let holds = self.contract.ensures.iter().all(|c| reader.assume(state, &c.formula));
        if let (Some(own), Some(value)) = (own, state.vars.get(self.program.vars.len()).copied()) {
            state.vars[own.index()] = value;
        }
        state.vars.truncate(self.program.vars.len());
        state.entry.drain(..n);
        if let (Some(result), true) = (pending.result, pending.reads_only) {
            let result = state.vars[result.index()];
            state.promises.push(Promise { arguments: pending.arguments, result });
        }
        holds
    }
}

/// Whether a call leaves all pointers and what they lead to as they are.
pub(super) fn is_read_only(targets: &[Target], frees: bool, local: Option<&Local>) -> bool {
    !frees && (targets.is_empty() || local.is_some_and(|local| local.keeps_links))
}

/// The value that stays the same in the kind, or any of the kind.
fn wrapped(state: &mut State, kind: IntKind, value: Value) -> Value {
    match state.range(value) {
        Some((Some(low), Some(high))) if kind.min() <= low && high <= kind.max() => value,
        _ => state.number((Some(kind.min()), Some(kind.max()))),
    }
}
