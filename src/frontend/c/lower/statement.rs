//! Statements: control flow, scopes, annotations.

use super::super::check::convert::wrap;
use super::super::hir::{Expr, LoopKind, LoopSpec, SpecTrack, Stmt, StmtKind, Variable};
use super::super::types::Ty;
use super::{Binding, Goto, Jump, Label, Lowerer, Lowering, MAX_EDGES, Scope, Slot, Switch};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::{
    Check, Cmp, Command, Cond, Expr as Pure, IntKind, Loop, LoopId, Storage, Track, Type, VarId, VarKind,
};

/// Elements of a local array whose start value is written out.
const MAX_ELEMENTS: u64 = 256;

impl Lowerer<'_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if self.program.edges.len() > MAX_EDGES {
                if self.diagnostics.last().is_none_or(|d| d.code != "program-size") {
                    let text = "the program is too large after inlining";
                    self.diagnostics.push(Diagnostic::unsupported("program-size", statement.span, text));
                }
                return;
            }
            // The complaint is on record; the rest is looked at for further ones.
            let _ = self.statement(statement);
        }
    }

    pub(super) fn block(&mut self, statements: &[Stmt], span: Span) {
        self.enter_scope(statements, span);
        self.statements(statements);
        self.leave_scope(span);
    }

    /// Makes the variables that the block declares; those that live in cells begin their life here.
    pub(super) fn enter_scope(&mut self, statements: &[Stmt], span: Span) {
        let id = self.next_scope;
        self.next_scope += 1;
        self.frame().scopes.push(Scope { id, cells: Vec::new(), declares: false });
        for statement in statements {
            let StmtKind::Declare(local, _) = statement.kind else { continue };
            self.declare_local(local, span);
        }
    }

    fn declare_local(&mut self, local: u32, span: Span) {
        let function = self.frame().function;
        let declared = &self.function(function).locals[local as usize];
        let name = self.unit.names.text(declared.name);
        let variable = Variable::Local(local);
        let binding = self.bind_object(variable, name, &declared.ty, VarKind::Local, declared.span);
        let jumps = self.frame().jumps;
        if let Ok(binding) = binding {
            if let Binding::Cell(var, _) | Binding::Struct(var, _) = binding {
                self.begin_cell(var, span);
            } else if jumps {
                // Its declaration may be jumped over.
                self.scramble(&binding, span);
            }
            self.frame().locals[local as usize] = Some(binding);
        }
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.declares = true;
        }
    }

    /// An automatic cell for the variable, ended with the present scope.
    pub(super) fn begin_cell(&mut self, var: VarId, span: Span) {
        if let Type::Ptr(of) = self.program.vars[var.index()].ty {
            self.emit(Command::Alloc { to: var, of, storage: Storage::Automatic, zeroed: false }, span);
        }
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.cells.push(var);
        }
    }

    pub(super) fn leave_scope(&mut self, span: Span) {
        if let Some(scope) = self.frame().scopes.pop() {
            for cell in scope.cells.into_iter().rev() {
                self.emit(Command::Release(cell), span);
            }
        }
    }

    /// Ends the life of all cells in scopes beyond the first `keep`.
    pub(super) fn release_beyond(&mut self, keep: usize, span: Span) {
        let cells: Vec<VarId> =
            self.frame().scopes.iter().skip(keep).rev().flat_map(|s| s.cells.iter().rev().copied()).collect();
        for cell in cells {
            self.emit(Command::Release(cell), span);
        }
    }

    /// Arbitrary values.
    pub(super) fn scramble(&mut self, binding: &Binding, span: Span) {
        match binding {
            Binding::Var(var) => self.emit(Command::Havoc(*var), span),
            Binding::Fat(vars, target) => {
                // Some pointer that leads nowhere valid or anywhere: every component arbitrary, the tag in range.
                let target = target.clone();
                let count = self.alternatives(&target, span).map_or(1, |a| a.len());
                for var in vars {
                    self.emit(Command::Havoc(*var), span);
                }
                let tag = Pure::Var(vars[0]);
                let low = Cond::Compare(Cmp::Ge, tag.clone(), Pure::Int(0));
                let high = Cond::Compare(Cmp::Le, tag, Pure::Int(count as i128));
                self.emit(Command::Assume(Cond::And(vec![low, high])), span);
            }
            Binding::Array(array) => {
                let _ = self.fill_array(*array, None, span);
            }
            Binding::Cell(var, field) => self.scramble_field(*var, *field, span),
            Binding::Struct(var, _) => {
                let Type::Ptr(of) = self.program.vars[var.index()].ty else { return };
                for field in self.program.structs[of.index()].fields.clone() {
                    if !self.program.fields[field.index()].ghost {
                        self.scramble_field(*var, field, span);
                    }
                }
            }
            Binding::Alias(_) | Binding::Unsupported(_) => {}
        }
    }

    fn scramble_field(&mut self, var: VarId, field: crate::program::FieldId, span: Span) {
        let temp = self.temp(self.program.fields[field.index()].ty, span);
        self.emit(Command::Havoc(temp), span);
        self.emit(Command::Store { to: var, field, value: Pure::Var(temp) }, span);
    }

    /// Writes every element: the value, or an arbitrary one.
    pub(super) fn fill_array(&mut self, array: VarId, value: Option<Pure>, span: Span) -> Lowering<()> {
        let var = &self.program.vars[array.index()];
        let (length, element) = (var.len.unwrap_or(0), var.ty.element());
        let Some(element) = element else { return Ok(()) };
        if length > MAX_ELEMENTS {
            let message = format!(
                "an array of more than {MAX_ELEMENTS} elements that starts without a size in a contract is not modelled"
            );
            return self.unsupported(span, message);
        }
        for index in 0..length {
            let value = match &value {
                Some(value) => value.clone(),
                None => {
                    let temp = self.temp(element, span);
                    self.emit(Command::Havoc(temp), span);
                    Pure::Var(temp)
                }
            };
            self.emit(Command::StoreElement { array, index: Pure::Int(i128::from(index)), value }, span);
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt) -> Lowering<()> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Block(inner) => {
                self.block(inner, span);
                Ok(())
            }
            StmtKind::Declare(local, zeroed) => self.declare(*local, *zeroed, span),
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::If(test, yes, no) => self.if_statement(test, yes, no.as_deref(), span),
            StmtKind::Loop { kind, test, step, body, spec } => {
                self.loop_statement(*kind, test.as_ref(), step.as_ref(), body, spec, span)
            }
            StmtKind::Switch(subject, body) => self.switch(subject, body, span),
            StmtKind::Case(value, inner) => {
                let value = *value;
                self.case(Some(value), span)?;
                self.statement(inner)
            }
            StmtKind::Default(inner) => {
                self.case(None, span)?;
                self.statement(inner)
            }
            StmtKind::Label(name, inner) => {
                self.label(*name, span);
                self.statement(inner)
            }
            StmtKind::Goto(name) => {
                self.clock += 1;
                let (from, clock) = (self.here, self.clock);
                let scopes = self.frame().scopes.clone();
                self.frame().gotos.push(Goto { from, to: *name, scopes, clock, span });
                self.here = self.program.add_location();
                Ok(())
            }
            StmtKind::Break => {
                let jump = self.frame().breaks.last().copied();
                self.leave_to(jump, span);
                Ok(())
            }
            StmtKind::Continue => {
                let jump = self.frame().continues.last().copied();
                self.leave_to(jump, span);
                Ok(())
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            StmtKind::Assert(formula) => {
                let formula = self.map_formula(formula, span)?;
                self.emit(
                    Command::Assert { formula, check: Check::Asserts, what: "assertion".to_owned() },
                    span,
                );
                Ok(())
            }
            StmtKind::Assume(formula) => {
                let formula = self.map_formula(formula, span)?;
                self.emit(Command::Suppose(formula), span);
                Ok(())
            }
            StmtKind::Track(tracks) => self.add_tracks(tracks, None),
        }
    }

    fn declare(&mut self, local: u32, zeroed: bool, span: Span) -> Lowering<()> {
        let Some(binding) = self.frame().locals[local as usize].clone() else { return Ok(()) };
        let jumps = self.frame().jumps;
        match &binding {
            Binding::Struct(var, _) if zeroed => {
                let Type::Ptr(of) = self.program.vars[var.index()].ty else { return Ok(()) };
                for field in self.program.structs[of.index()].fields.clone() {
                    let value = zero(self.program.fields[field.index()].ty);
                    if !self.program.fields[field.index()].ghost {
                        self.emit(Command::Store { to: *var, field, value }, span);
                    }
                }
            }
            Binding::Array(array) if zeroed => {
                let element = self.program.vars[array.index()].ty.element();
                let Some(element) = element else { return Ok(()) };
                self.fill_array(*array, Some(zero(element)), span)?;
            }
            // A new cell's fields are arbitrary already, unless this declaration is executed again.
            Binding::Struct(..) | Binding::Cell(..) if !jumps => {}
            binding => self.scramble(binding, span),
        }
        Ok(())
    }

    fn if_statement(&mut self, test: &Expr, yes: &Stmt, no: Option<&Stmt>, span: Span) -> Lowering<()> {
        let (then, otherwise, end) =
            (self.program.add_location(), self.program.add_location(), self.program.add_location());
        let result = self.branch(test, then, otherwise);
        self.here = then;
        self.statements(std::slice::from_ref(yes));
        self.emit_to(end, Command::Skip, span);
        self.here = otherwise;
        if let Some(no) = no {
            self.statements(std::slice::from_ref(no));
        }
        self.emit_to(end, Command::Skip, span);
        self.here = end;
        result
    }

    fn loop_statement(
        &mut self,
        kind: LoopKind,
        test: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        spec: &LoopSpec,
        span: Span,
    ) -> Lowering<()> {
        let (head, start) = (self.program.add_location(), self.program.add_location());
        let (next, out) = (self.program.add_location(), self.program.add_location());
        self.emit_to(head, Command::Skip, span);
        self.here = head;
        let id = self.add_loop(head, spec, span)?;
        self.loops.push(id);
        let scopes = self.frame().scopes.len();
        self.frame().breaks.push(Jump { to: out, scopes });
        self.frame().continues.push(Jump { to: next, scopes });
        let mut result = Ok(());
        match (kind, test) {
            (LoopKind::While, Some(test)) => {
                result = self.branch(test, start, out);
                self.here = start;
            }
            _ => self.here = head,
        }
        self.statements(std::slice::from_ref(body));
        self.emit_to(next, Command::Skip, span);
        self.here = next;
        if let Some(step) = step {
            result = result.and(self.effect(step));
        }
        match (kind, test) {
            (LoopKind::Do, Some(test)) => result = result.and(self.branch(test, head, out)),
            _ => self.emit_to(head, Command::Skip, span),
        }
        self.frame().breaks.pop();
        self.frame().continues.pop();
        self.loops.pop();
        self.here = out;
        result
    }

    fn add_loop(
        &mut self,
        head: crate::program::LocationId,
        spec: &LoopSpec,
        span: Span,
    ) -> Lowering<LoopId> {
        let id = LoopId(self.program.loops.len() as u32);
        let parent = self.loops.last().copied();
        self.program.loops.push(Loop { head, invariants: Vec::new(), assigns: None, parent, span });
        let mut invariants = Vec::new();
        for clause in &spec.invariants {
            invariants.push(self.map_clause(clause)?);
        }
        let assigns = match &spec.assigns {
            Some(targets) => Some(self.map_targets(targets)?),
            None => None,
        };
        let entry = &mut self.program.loops[id.index()];
        entry.invariants = invariants;
        entry.assigns = assigns;
        self.add_tracks(&spec.tracks, Some(id))?;
        Ok(id)
    }

    pub(super) fn add_tracks(&mut self, tracks: &[SpecTrack], at: Option<LoopId>) -> Lowering<()> {
        for track in tracks {
            let (object, clause) = self.map_track(track)?;
            self.program.tracks.push(Track { object, clause, at });
        }
        Ok(())
    }

    fn switch(&mut self, subject: &Expr, body: &Stmt, span: Span) -> Lowering<()> {
        let kind = subject.ty.int().unwrap_or(IntKind::INT);
        let value = self.int(subject)?;
        let subject = Pure::Var(self.in_var(value, Type::Int(kind), span));
        // The scope of the body is entered before the jump to a case.
        let inner: &[Stmt] = match &body.kind {
            StmtKind::Block(inner) => inner,
            _ => std::slice::from_ref(body),
        };
        self.enter_scope(inner, span);
        let mut labels = Vec::new();
        collect_cases(inner, &mut labels);
        let out = self.program.add_location();
        let mut switch = Switch { kind, cases: Vec::new(), default: None, scopes: self.frame().scopes.len() };
        let mut others = Vec::new();
        let dispatch = self.here;
        for label in labels {
            let to = self.program.add_location();
            self.here = dispatch;
            match label {
                Some(value) => {
                    let value = wrap(value, kind);
                    if switch.cases.iter().any(|(v, _)| *v == value) {
                        return self.unsupported(span, "a case occurs twice in this switch");
                    }
                    switch.cases.push((value, to));
                    self.emit_to(to, Command::Assume(Cond::eq(subject.clone(), Pure::Int(value))), span);
                    others.push(Cond::ne(subject.clone(), Pure::Int(value)));
                }
                None => switch.default = Some(to),
            }
        }
        self.here = dispatch;
        let otherwise = switch.default;
        let rest = if others.is_empty() { Command::Skip } else { Command::Assume(Cond::And(others)) };
        let skip = self.program.add_location();
        self.emit_to(otherwise.unwrap_or(skip), rest, span);
        let scopes = self.frame().scopes.len();
        self.frame().breaks.push(Jump { to: skip, scopes });
        self.frame().switches.push(switch);
        self.here = self.program.add_location();
        self.statements(inner);
        self.emit_to(skip, Command::Skip, span);
        self.here = skip;
        self.frame().switches.pop();
        self.frame().breaks.pop();
        self.leave_scope(span);
        self.emit_to(out, Command::Skip, span);
        self.here = out;
        Ok(())
    }

    fn case(&mut self, value: Option<i128>, span: Span) -> Lowering<()> {
        let depth = self.frame().scopes.len();
        let Some(switch) = self.frame().switches.last() else { return Ok(()) };
        let base = switch.scopes;
        let to = match value {
            None => switch.default,
            Some(value) => {
                let value = wrap(value, switch.kind);
                switch.cases.iter().find(|(v, _)| *v == value).map(|(_, to)| *to)
            }
        };
        let jumped = self.frame().scopes[base.min(depth)..].iter().any(|s| s.declares);
        if jumped {
            return self.unsupported(span, "a jump into a block past its declarations is not modelled");
        }
        if let Some(to) = to {
            self.emit_to(to, Command::Skip, span);
            self.here = to;
        }
        Ok(())
    }

    fn label(&mut self, name: super::Name, span: Span) {
        let at = self.program.add_location();
        self.emit_to(at, Command::Skip, span);
        self.here = at;
        self.clock += 1;
        let (clock, parent) = (self.clock, self.loops.last().copied());
        let scopes = self.frame().scopes.clone();
        self.frame().labels.insert(name, Label { at, scopes, clock, parent, span });
        let function = self.frame().function;
        if let Some(index) = self.function(function).labels.iter().position(|l| *l == name)
            && let Some(label) = self.frame().spec_labels.get(index).copied()
        {
            self.emit(Command::Snapshot(label), span);
        }
        if self.unit.names.text(name) == "ERROR" {
            self.emit(Command::Fail { what: "label `ERROR`".to_owned() }, span);
        }
    }

    /// Connects the gotos of the present function with their labels.
    pub(super) fn resolve_gotos(&mut self) {
        let gotos = std::mem::take(&mut self.frame().gotos);
        for goto in gotos {
            let Some(label) = self.frame().labels.get(&goto.to).cloned() else { continue };
            let shared = goto.scopes.iter().zip(&label.scopes).take_while(|(a, b)| a.id == b.id).count();
            if label.scopes[shared..].iter().any(|s| s.declares) {
                let text = "a jump into a block past its declarations is not modelled";
                self.diagnostics.push(Diagnostic::unsupported("unsupported", goto.span, text));
                continue;
            }
            self.here = goto.from;
            let left: Vec<VarId> =
                goto.scopes[shared..].iter().rev().flat_map(|s| s.cells.iter().rev().copied()).collect();
            for cell in left {
                self.emit(Command::Release(cell), goto.span);
            }
            self.emit_to(label.at, Command::Skip, goto.span);
            // A jump backwards closes a cycle.
            if goto.clock > label.clock && self.program.loop_at(label.at).is_none() {
                let (head, parent, span) = (label.at, label.parent, label.span);
                self.program.loops.push(Loop { head, invariants: Vec::new(), assigns: None, parent, span });
            }
        }
    }

    fn leave_to(&mut self, jump: Option<Jump>, span: Span) {
        if let Some(jump) = jump {
            self.release_beyond(jump.scopes, span);
            self.jump(jump.to, span);
        }
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Lowering<()> {
        if let Some(expr) = value {
            let slot = self.frame().slot.clone();
            if expr.ty == Ty::Void || matches!(slot, Slot::Nothing) {
                self.effect(expr)?;
            } else {
                let into = match slot {
                    Slot::Var(var) => Some(var),
                    _ => None,
                };
                let value = self.value_into(expr, into)?;
                let place = slot.place();
                self.write(&place, value, &expr.ty, span)?;
            }
        }
        self.release_beyond(0, span);
        let exit = self.frame().exit;
        self.jump(exit, span);
        Ok(())
    }
}

/// 0 or null.
pub(super) fn zero(ty: Type) -> Pure {
    match ty {
        Type::Ptr(of) | Type::PtrArray(of) => Pure::Null(of),
        Type::Int(_) | Type::IntArray(_) => Pure::Int(0),
    }
}

/// The labels of a switch, not those of switches inside it.
fn collect_cases(statements: &[Stmt], out: &mut Vec<Option<i128>>) {
    for statement in statements {
        match &statement.kind {
            StmtKind::Block(inner) => collect_cases(inner, out),
            StmtKind::If(_, yes, no) => {
                collect_cases(std::slice::from_ref(yes), out);
                if let Some(no) = no {
                    collect_cases(std::slice::from_ref(no), out);
                }
            }
            StmtKind::Loop { body, .. } => collect_cases(std::slice::from_ref(body), out),
            StmtKind::Case(value, inner) => {
                out.push(Some(*value));
                collect_cases(std::slice::from_ref(inner), out);
            }
            StmtKind::Default(inner) => {
                out.push(None);
                collect_cases(std::slice::from_ref(inner), out);
            }
            StmtKind::Label(_, inner) => collect_cases(std::slice::from_ref(inner), out),
            _ => {}
        }
    }
}
