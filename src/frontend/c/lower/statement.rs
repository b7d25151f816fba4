//! Statements: control flow, scopes, annotations.

use super::super::hir::{Expr, LoopKind, LoopSpec, SpecTrack, Start, Stmt, StmtKind, Variable};
use super::super::types::Ty;
use super::{Binding, Goto, Jump, Lowerer, Lowering, MAX_EDGES, Scope, Slot};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::{
    Check, Cmp, Command, Cond, Expr as Pure, Loop, LoopId, Storage, Track, Type, VarId, VarKind,
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
            let _ = self.nested(statement.span, |l| l.statement(statement));
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
        self.frame().scopes.push(Scope { id, locals: Vec::new(), cells: Vec::new(), declares: false });
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
            } else {
                self.hold_nothing(&binding, span);
            }
            self.frame().locals[local as usize] = Some(binding);
        } else {
            // The declaration was complained about; uses of the variable are not.
            self.frame().locals[local as usize] = Some(Binding::Unsupported(String::new()));
        }
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.declares = true;
            scope.locals.push(local);
        }
    }

    /// An automatic cell for the variable, ended with the present scope.
    pub(super) fn begin_cell(&mut self, var: VarId, span: Span) {
        if let Type::Ptr(of) = self.program.vars[var.index()].ty {
            self.emit(Command::Alloc { to: var, of, storage: Storage::Automatic, zeroed: false }, span);
        }
        self.store_variable_kind(var, span);
        let parts = self.begin_parts(var, Storage::Automatic, false, span);
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.cells.push(var);
            scope.cells.extend(parts);
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
                for (cell, field) in self.own_fields(*var, span) {
                    if !self.program.fields[field.index()].ghost {
                        self.scramble_field(cell, field, span);
                    }
                }
            }
            Binding::Alias(_) | Binding::Text(_) | Binding::Unsupported(_) => {}
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
            StmtKind::Declare(local, start) => self.declare(*local, *start, span),
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
            // Nobody asks about it: it must not hide what follows.
            StmtKind::Assert(_) if !self.unit.options.asks(Check::Asserts) => Ok(()),
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

    fn declare(&mut self, local: u32, start: Start, span: Span) -> Lowering<()> {
        let Some(binding) = self.frame().locals[local as usize].clone() else { return Ok(()) };
        let jumps = self.frame().jumps;
        match &binding {
            Binding::Struct(var, _) if start == Start::Zero => {
                for (cell, field) in self.own_fields(*var, span) {
                    let value = zero(self.program.fields[field.index()].ty);
                    if !self.program.fields[field.index()].ghost {
                        self.emit(Command::Store { to: cell, field, value }, span);
                    }
                }
            }
            Binding::Array(array) if start == Start::Zero => {
                let element = self.program.vars[array.index()].ty.element();
                let Some(element) = element else { return Ok(()) };
                self.fill_array(*array, Some(zero(element)), span)?;
            }
            // A new cell's fields are arbitrary already, unless this declaration is executed again.
            Binding::Struct(..) | Binding::Cell(..) if !jumps => {}
            binding if start == Start::Assigned && jumps => self.hold_nothing(binding, span),
            _ if start == Start::Assigned => {}
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
        self.sweep_head(head, span);
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
        self.program.loops.push(Loop {
            head,
            invariants: Vec::new(),
            assigns: None,
            variant: Vec::new(),
            parent,
            span,
        });
        let mut invariants = Vec::new();
        for clause in &spec.invariants {
            invariants.push(self.map_clause(clause)?);
        }
        let assigns = match &spec.assigns {
            Some(targets) => Some(self.map_targets(targets)?),
            None => None,
        };
        let mut variant = Vec::new();
        for clause in &spec.variant {
            variant.push(self.map_clause(clause)?);
        }
        let entry = &mut self.program.loops[id.index()];
        entry.variant = variant;
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
