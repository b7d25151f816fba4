//! What a unit does with its variables: whose address escapes, which parameters are assigned, who calls whom.
//!
//! A variable whose address is used as a value lives in a cell of its own. `f(&x)` alone does not do that: if `f`
//! only ever writes `*p` (or hands `p` on the same way), inlining replaces `*p` by `x`. The property is a greatest
//! fixpoint: all pointer parameters start as *transparent* and lose it when used otherwise.

mod part;

use super::super::hir::{Callee, Checked, Expr, ExprKind, Function, Intrinsic, Stmt, StmtKind, Variable};
use super::super::types::{RecordId, Ty, Types};
use super::Inside;
use crate::program::FieldId;
use crate::util::hash::{Map, Set};

/// Rounds of the fixpoint before it is given up.
const MAX_ROUNDS: u32 = 50;

/// Facts about a unit.
#[derive(Default)]
pub(super) struct Usage {
    /// Locals (function, local) whose address is used as a value.
    boxed_locals: Set<(u32, u32)>,
    /// Globals whose address is used as a value.
    boxed_globals: Set<u32>,
    /// Fields whose address is used as a value.
    taken_fields: Set<FieldId>,
    /// Structs inside others whose address is used as a value: the struct around and the members on the way.
    taken_parts: Set<(RecordId, Vec<u32>)>,
    /// The same by the struct around, in order; no path leads through another part.
    parts: Map<RecordId, Vec<Vec<u32>>>,
    /// Structs inside others that any pointer of the unit may lead to, in the same way.
    pointed_parts: Map<RecordId, Vec<Vec<u32>>>,
    /// Parameters (function, parameter) that are assigned to, or whose address is taken.
    assigned: Set<(u32, u32)>,
    /// Parameters used otherwise than as `*p`.
    opaque: Set<(u32, u32)>,
    /// String literals occur as values.
    texts: bool,
    /// Something is written through a pointer to characters.
    characters_written: bool,
    /// The fixpoint took too long: no parameter counts as transparent.
    gave_up: bool,
    /// Functions called, by function.
    pub(super) calls: Vec<Vec<u32>>,
    /// Functions that may free a cell, themselves or through others.
    pub(super) frees: Vec<bool>,
    /// Functions that can reach themselves by calls.
    pub(super) recursive: Vec<bool>,
    /// Functions that may change a link, allocate or free, themselves or through others.
    pub(super) changes_links: Vec<bool>,
}

impl Usage {
    pub(super) fn of(checked: &Checked, types: &Types) -> Usage {
        let count = checked.functions.len();
        let mut usage = Usage {
            calls: vec![Vec::new(); count],
            frees: vec![false; count],
            recursive: vec![false; count],
            ..Usage::default()
        };
        for (index, function) in checked.functions.iter().enumerate() {
            let mut walk = Walk { usage: &mut usage, types, function: index as u32, checked };
            walk.statements(function.body.as_deref().unwrap_or(&[]));
        }
        for global in &checked.globals {
            for init in &global.init {
                let mut walk = Walk { usage: &mut usage, types, function: u32::MAX, checked };
                walk.value(&init.value);
            }
        }
        usage.close_calls();
        usage.changes_links = super::links::changing(checked, &usage.calls);
        usage.close_opaque(checked, types);
        usage.close_parts(types);
        usage.find_pointed(checked, types);
        usage
    }

    /// Lives in a cell of its own.
    pub(super) fn is_boxed(&self, function: u32, variable: Variable) -> bool {
        match variable {
            Variable::Local(local) => self.boxed_locals.contains(&(function, local)),
            Variable::Global(global) => self.boxed_globals.contains(&global),
        }
    }

    /// Its value never changes while the function runs.
    pub(super) fn is_constant(&self, function: u32, parameter: u32) -> bool {
        !self.assigned.contains(&(function, parameter))
    }

    /// Used as `*p` only.
    pub(super) fn is_transparent(&self, function: u32, parameter: u32) -> bool {
        !self.gave_up
            && !self.opaque.contains(&(function, parameter))
            && self.is_constant(function, parameter)
    }

    /// Fields of this type whose address is used as a value, in order; all fields of the type if it is exposed.
    pub(super) fn taken_fields(&self, types: &Types, ty: &Ty, inside: Inside, exposed: bool) -> Vec<FieldId> {
        let all = (0..types.fields.len() as u32).map(FieldId).filter(|f| {
            let field = &types.fields[f.index()];
            exposed && !field.ghost && !types.record(field.record).union
        });
        let of_type =
            self.taken_fields.iter().copied().chain(all).filter(|f| types.fields[f.index()].ty == *ty);
        let mut fields: Vec<FieldId> = of_type.filter_map(|f| self.in_part(types, f, inside)).collect();
        fields.sort();
        fields.dedup();
        fields
    }

    /// The same field of the part that it lies in, if it lies in one.
    fn in_part(&self, types: &Types, field: FieldId, inside: Inside) -> Option<FieldId> {
        let parts =
            |record| if inside == Inside::All { self.pointed_parts(record) } else { self.parts(record) };
        let flat = &types.fields[field.index()];
        let (mut record, mut path) = (flat.record, &flat.path[..]);
        while let Some(part) = parts(record).iter().find(|part| path.starts_with(part)) {
            let Some(Ty::Record(inner)) = types.part_type(record, part) else { break };
            (record, path) = (*inner, &path[part.len()..]);
        }
        types.field(record, path)
    }

    /// The structs inside this one that are cells of their own.
    pub(super) fn parts(&self, record: RecordId) -> &[Vec<u32>] {
        self.parts.get(&record).map_or(&[], |parts| parts)
    }

    /// The structs inside this one that any pointer may lead to.
    pub(super) fn pointed_parts(&self, record: RecordId) -> &[Vec<u32>] {
        self.pointed_parts.get(&record).map_or(&[], |parts| parts)
    }

    /// The structs with parts, in order.
    pub(super) fn around_parts(&self) -> Vec<RecordId> {
        let mut records: Vec<RecordId> = self.parts.keys().copied().collect();
        records.sort();
        records
    }

    /// String literals occur as values.
    pub(super) fn has_texts(&self) -> bool {
        self.texts
    }

    /// Something is written through a pointer to characters.
    pub(super) fn writes_characters(&self) -> bool {
        self.characters_written
    }

    fn close_calls(&mut self) {
        let count = self.calls.len();
        for list in &mut self.calls {
            list.sort_unstable();
            list.dedup();
        }
        loop {
            let mut changed = false;
            for f in 0..count {
                if !self.frees[f] && self.calls[f].iter().any(|g| self.frees[*g as usize]) {
                    self.frees[f] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.recursive = on_cycles(&self.calls);
    }

    /// `&x` handed to a parameter that turned out opaque makes x boxed, and a parameter handed on to one is opaque.
    fn close_opaque(&mut self, checked: &Checked, types: &Types) {
        for round in 0.. {
            // Nothing is transparent any more after that, so the next round is the last that changes something.
            self.gave_up = round >= MAX_ROUNDS;
            let before = (
                self.opaque.len(),
                self.boxed_locals.len(),
                self.boxed_globals.len(),
                self.taken_fields.len(),
            );
            for (index, function) in checked.functions.iter().enumerate() {
                let mut walk = Walk { usage: self, types, function: index as u32, checked };
                walk.statements(function.body.as_deref().unwrap_or(&[]));
            }
            let after = (
                self.opaque.len(),
                self.boxed_locals.len(),
                self.boxed_globals.len(),
                self.taken_fields.len(),
            );
            if before == after {
                return;
            }
        }
    }
}

impl Usage {
    /// Whether calls lead from one function to another, which may be the same.
    pub(super) fn leads_to(&self, from: u32, to: u32) -> bool {
        let mut seen = vec![false; self.calls.len()];
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            if next == to {
                return true;
            }
            if !std::mem::replace(&mut seen[next as usize], true) {
                open.extend(&self.calls[next as usize]);
            }
        }
        false
    }
}

/// Which nodes lie on a cycle: strongly connected components, without recursion.
fn on_cycles(edges: &[Vec<u32>]) -> Vec<bool> {
    let n = edges.len();
    let mut result = vec![false; n];
    let (mut order, mut low, mut on_stack) = (vec![u32::MAX; n], vec![0u32; n], vec![false; n]);
    let (mut stack, mut next) = (Vec::new(), 0u32);
    for root in 0..n {
        if order[root] != u32::MAX {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                order[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(target) = edges[node].get(edge).map(|t| *t as usize) {
                work.push((node, edge + 1));
                if order[target] == u32::MAX {
                    work.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(order[target]);
                    result[node] |= target == node;
                }
                continue;
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let start = stack.iter().rposition(|m| *m == node).unwrap_or(0);
                let component = stack.split_off(start);
                for member in &component {
                    on_stack[*member] = false;
                    result[*member] |= component.len() > 1;
                }
            }
        }
    }
    result
}

struct Walk<'a> {
    usage: &'a mut Usage,
    types: &'a Types,
    function: u32,
    checked: &'a Checked,
}

impl Walk<'_> {
    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Block(inner) => self.statements(inner),
            StmtKind::Expr(e) => self.value(e),
            StmtKind::If(test, yes, no) => {
                self.value(test);
                self.statement(yes);
                if let Some(no) = no {
                    self.statement(no);
                }
            }
            StmtKind::Loop { test, step, body, .. } => {
                test.iter().chain(step).for_each(|e| self.value(e));
                self.statement(body);
            }
            StmtKind::Switch(e, body) => {
                self.value(e);
                self.statement(body);
            }
            StmtKind::Case(_, inner) | StmtKind::Default(inner) | StmtKind::Label(_, inner) => {
                self.statement(inner)
            }
            StmtKind::Return(Some(e)) => self.value(e),
            StmtKind::Return(None)
            | StmtKind::Declare(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Track(_) => {}
        }
    }

    fn is_parameter(&self, variable: Variable) -> Option<u32> {
        match variable {
            Variable::Local(local) if self.function != u32::MAX => {
                let function = &self.checked.functions[self.function as usize];
                (local < function.parameters.len() as u32).then_some(local)
            }
            _ => None,
        }
    }

    /// An expression whose value is used.
    fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(variable) => {
                if let Some(parameter) = self.is_parameter(*variable) {
                    self.usage.opaque.insert((self.function, parameter));
                }
            }
            ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => self.place(expr),
            ExprKind::Address(inner) => {
                self.place(inner);
                self.take(inner);
            }
            ExprKind::Assign(target, value) => {
                self.place(target);
                self.assigned(target);
                self.value(value);
            }
            ExprKind::Update { target, value, .. } => {
                self.place(target);
                self.assigned(target);
                self.value(value);
            }
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments),
            ExprKind::Compare(_, a, b) => {
                // `p == NULL` is no use of p as a value: the address of an object is never null.
                for (side, other) in [(a, b), (b, a)] {
                    let plain = matches!(side.kind, ExprKind::Var(_)) && matches!(other.kind, ExprKind::Null);
                    if !plain {
                        self.value(side);
                    }
                }
            }
            ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::Convert(e) | ExprKind::Moved(e, _) => {
                self.value(e);
            }
            ExprKind::Not(e) => {
                if !matches!(e.kind, ExprKind::Var(_)) {
                    self.value(e);
                }
            }
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Conditional(a, b, c) => {
                self.value(a);
                self.value(b);
                self.value(c);
            }
            ExprKind::Block(inner) => self.statements(inner),
            ExprKind::Str(_) => self.usage.texts = true,
            // A function with such an expression has no program.
            ExprKind::Unmodelled(..)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Offset(..)
            | ExprKind::Difference(..)
            | ExprKind::CallPointer(..) => {}
            ExprKind::Int(_) | ExprKind::Sizeof(..) | ExprKind::Null => {}
        }
    }

    /// An lvalue: its address is computed, its value is not necessarily used.
    fn place(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(_) => {}
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Var(_) => {}
                ExprKind::Address(inner) => self.place(inner),
                _ => self.value(pointer),
            },
            ExprKind::Member(base, _) => self.place(base),
            ExprKind::Index(array, index) => {
                self.place(array);
                self.value(index);
            }
            _ => self.value(expr),
        }
    }

    fn assigned(&mut self, target: &Expr) {
        if let ExprKind::Deref(pointer) = &target.kind {
            self.usage.characters_written |= super::text::is_character(&pointer.ty);
        }
        if let ExprKind::Var(variable) = &target.kind
            && let Some(parameter) = self.is_parameter(*variable)
        {
            self.usage.assigned.insert((self.function, parameter));
        }
    }

    /// The address of the object is used as a value.
    fn take(&mut self, object: &Expr) {
        if !object.ty.is_scalar() {
            // Structs live in cells anyway, but for those inside others.
            if let Ty::Record(_) = object.ty {
                for (record, path) in self.paths(object) {
                    if !path.is_empty() {
                        self.usage.taken_parts.insert((record, path));
                    }
                }
            }
            return;
        }
        match &object.kind {
            ExprKind::Var(Variable::Local(local)) => {
                self.usage.boxed_locals.insert((self.function, *local));
                self.usage.assigned.insert((self.function, *local));
            }
            ExprKind::Var(Variable::Global(global)) => {
                self.usage.boxed_globals.insert(*global);
            }
            ExprKind::Member(..) | ExprKind::Index(..) => {
                for (record, path) in self.paths(object) {
                    self.usage.taken_fields.extend(self.types.field(record, &path));
                }
            }
            _ => {}
        }
    }

    /// The structs at the bottom of a chain of members and elements, and the paths: one for each element that may be meant.
    fn paths(&self, object: &Expr) -> Vec<(RecordId, Vec<u32>)> {
        let (base, steps) = match &object.kind {
            ExprKind::Member(base, index) => (base, vec![*index]),
            ExprKind::Index(base, _) => match base.ty {
                Ty::Record(array) => {
                    let count = self.types.record(array).members.as_ref().map_or(0, Vec::len);
                    (base, (0..count as u32).collect())
                }
                _ => return Vec::new(),
            },
            _ => match object.ty {
                Ty::Record(record) => return vec![(record, Vec::new())],
                _ => return Vec::new(),
            },
        };
        let mut all = Vec::new();
        for (record, path) in self.paths(base) {
            for step in &steps {
                all.push((record, path.iter().copied().chain([*step]).collect()));
            }
        }
        all
    }

    fn call(&mut self, callee: Callee, arguments: &[Expr]) {
        let function = match callee {
            Callee::Function(index) => Some(index),
            Callee::Builtin(_) => None,
            Callee::Intrinsic(known) => {
                if matches!(known, Intrinsic::Free | Intrinsic::Realloc) && self.function != u32::MAX {
                    self.usage.frees[self.function as usize] = true;
                }
                None
            }
        };
        if let (Some(index), Some(list)) = (function, self.usage.calls.get_mut(self.function as usize)) {
            list.push(index);
            if self.checked.functions[index as usize].body.is_none() {
                self.usage.frees[self.function as usize] = true;
            }
        }
        for (i, argument) in arguments.iter().enumerate() {
            let transparent = function.is_some_and(|f| self.transparent(f, i as u32));
            match &argument.kind {
                ExprKind::Address(inner) if transparent => self.place(inner),
                // Known functions only print texts.
                ExprKind::Str(_) if function.is_none() => {}
                ExprKind::Var(variable) if transparent && self.is_parameter(*variable).is_some() => {}
                _ => self.value(argument),
            }
        }
    }

    fn transparent(&self, function: u32, parameter: u32) -> bool {
        let target: &Function = &self.checked.functions[function as usize];
        let pointer =
            target.parameters.get(parameter as usize).and_then(Ty::pointee).is_some_and(Ty::is_scalar);
        pointer
            && target.body.is_some()
            && !self.usage.recursive[function as usize]
            && self.usage.is_transparent(function, parameter)
    }
}
