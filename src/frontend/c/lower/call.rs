//! Functions: the one that is verified, inlined copies of others, and what is known by name.

use super::super::check::convert::constant;
use super::super::hir::{Callee, Expr, ExprKind, Function, Intrinsic, Stmt, StmtKind, Variable};
use super::super::types::Ty;
use super::expression::Value;
use super::layout::{Repr, is_scalar_pointer};
use super::place::Place;
use super::{Binding, Frame, Lowerer, Lowering, Moment, Scope, Slot};
use crate::frontend::diagnostic::Span;
use crate::program::{
    At, Check, Command, EdgeId, Expr as Pure, Formula, IntKind, LocationId, Term, Type, VarId, VarKind,
};

/// Copies inside copies, at most.
const MAX_FRAMES: usize = 200;

/// An argument, evaluated.
enum Argument {
    Value(Value),
    Alias(Place),
}

impl Lowerer<'_> {
    fn new_frame(&mut self, index: u32, exit: LocationId, slot: Slot, entry: Moment) -> Frame {
        let function = self.function(index);
        let first = self.program.labels.len() as u32;
        for label in &function.labels {
            let name = self.unit.names.text(*label).to_owned();
            self.program.labels.push(name);
        }
        let count = function.labels.len() as u32;
        let id = self.next_scope;
        self.next_scope += 1;
        Frame {
            function: index,
            locals: vec![None; function.locals.len()],
            exit,
            slot,
            scopes: vec![Scope { id, cells: Vec::new(), declares: false }],
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: crate::util::hash::Map::default(),
            gotos: Vec::new(),
            spec_labels: (first..first + count).map(crate::program::LabelId).collect(),
            parameters: Vec::new(),
            entry,
            jumps: has_jumps(function.body.as_deref().unwrap_or(&[])),
        }
    }

    /// Lowers the function that the program is about.
    pub(super) fn entry_function(&mut self, index: u32) {
        let function = self.function(index);
        let span = function.span;
        let start = self.program.add_location();
        self.here = start;
        let slot = self.result_slot(function).unwrap_or(Slot::Nothing);
        let frame = self.new_frame(index, self.program.exit, slot.clone(), Moment::Entry);
        self.frames.push(frame);
        for constant in &function.logic {
            let name = self.unit.names.text(constant.name);
            if let Ok(Repr::Scalar(ty)) = self.repr(&constant.ty, constant.span) {
                let var = self.add_var(name, ty, VarKind::Logic, constant.span);
                self.logic.push(var);
            }
        }
        for parameter in 0..function.parameters.len() as u32 {
            self.entry_parameter(function, parameter);
        }
        self.check_array_parameters(function);
        self.contracts(function);
        let _ = self.add_tracks(&function.tracks, None);
        let body = function.body.as_deref().unwrap_or(&[]);
        self.block(body, span);
        // Falling off the end.
        if let Slot::Var(var) = slot {
            let main = self.is_main();
            let command = if main { Command::Assign(var, Pure::Int(0)) } else { Command::Havoc(var) };
            self.emit(command, span);
        }
        self.release_beyond(0, span);
        let exit = self.program.exit;
        self.emit_to(exit, Command::Skip, span);
        self.resolve_gotos();
        self.frames.pop();
        let shapes = self.unit.checked.shapes.clone();
        for shape in shapes {
            self.add_shape(shape);
        }
        self.prelude(start, span);
        self.check_embedding(span);
    }

    fn result_slot(&mut self, function: &Function) -> Lowering<Slot> {
        if function.result == Ty::Void {
            return Ok(Slot::Nothing);
        }
        match self.repr(&function.result, function.span)? {
            Repr::Scalar(ty) if function.result.int().is_some() || function.result.target().is_some() => {
                Ok(Slot::Var(self.add_var("\\result", ty, VarKind::Result, function.span)))
            }
            _ => self.unsupported(
                function.span,
                "a result of this type is not modelled for a function that is verified by itself",
            ),
        }
    }

    fn entry_parameter(&mut self, function: &Function, index: u32) {
        let Some(local) = function.locals.get(index as usize) else { return };
        let name = self.unit.names.text(local.name);
        let span = local.span;
        let modelled = match &local.ty {
            Ty::Int(_) | Ty::Array(..) => true,
            ty => ty.target().is_some(),
        };
        let kept = self.diagnostics.len();
        let number = self.frame().function;
        let boxed = self.unit.usage.is_boxed(number, Variable::Local(index));
        let binding = if !modelled {
            let why = "a parameter that is neither an integer nor a pointer to a struct nor an array is not modelled \
                       for a function that is verified by itself";
            Binding::Unsupported(why.to_owned())
        } else if boxed {
            self.boxed_parameter(name, &local.ty, span)
                .unwrap_or_else(|_| Binding::Unsupported(String::new()))
        } else {
            let bound = self.bind_object(Variable::Local(index), name, &local.ty, VarKind::Param, span);
            bound.unwrap_or_else(|_| {
                let why = self.diagnostics.pop().map_or_else(String::new, |d| d.message);
                self.diagnostics.truncate(kept);
                Binding::Unsupported(why)
            })
        };
        if !boxed {
            let entry = match &binding {
                Binding::Var(var) => Some(*var),
                _ => None,
            };
            self.frame().parameters.push(entry);
        }
        self.frame().locals[index as usize] = Some(binding);
    }

    /// A parameter whose address is used: its value is copied into a cell.
    fn boxed_parameter(&mut self, name: &str, ty: &Ty, span: Span) -> Lowering<Binding> {
        let Repr::Scalar(scalar) = self.repr(ty, span)? else {
            return self.unsupported(span, "this parameter is not modelled");
        };
        let var = self.add_var(name, scalar, VarKind::Param, span);
        self.frame().parameters.push(Some(var));
        let (of, field) = self.box_of(ty, span)?;
        let cell = self.add_var(&format!("&{name}"), Type::Ptr(of), VarKind::Local, span);
        self.begin_cell(cell, span);
        self.emit(Command::Store { to: cell, field, value: Pure::Var(var) }, span);
        Ok(Binding::Cell(cell, field))
    }

    /// Two arrays of the caller's may be the same one.
    fn check_array_parameters(&mut self, function: &Function) {
        let arrays: Vec<_> = function
            .locals
            .iter()
            .take(function.parameters.len())
            .filter(|l| matches!(l.ty, Ty::Array(..)))
            .collect();
        for (i, array) in arrays.iter().enumerate() {
            if arrays[..i].iter().any(|a| a.ty == array.ty) {
                let text = "two array parameters of one type may overlap, which is not modelled";
                let _ = self.unsupported::<()>(array.span, text);
            }
            let Ty::Array(element, _) = &array.ty else { continue };
            let global =
                self.unit.checked.globals.iter().any(|g| matches!(&g.ty, Ty::Array(e, _) if e == element));
            if global {
                let text =
                    "an array parameter may be one of the global arrays of its type, which is not modelled";
                let _ = self.unsupported::<()>(array.span, text);
            }
        }
    }

    /// A pointer from outside may lead into a struct that contains its target.
    fn check_embedding(&mut self, span: Span) {
        if self.is_main() {
            return;
        }
        let used: Vec<_> = self.structs.keys().copied().collect();
        for outer in &used {
            for inner in self.unit.types.embedded(*outer) {
                if used.contains(&inner) {
                    let message = format!(
                        "`{}` contains a `{}`, to which pointers may lead: overlapping objects are not modelled",
                        self.unit.types.record(*outer).name,
                        self.unit.types.record(inner).name
                    );
                    let _ = self.unsupported::<()>(span, message);
                    return;
                }
            }
        }
    }

    /// A call in an expression.
    pub(super) fn call(
        &mut self,
        callee: Callee,
        arguments: &[Expr],
        whole: &Expr,
        into: Option<VarId>,
    ) -> Lowering<Value> {
        match callee {
            Callee::Function(index) => {
                if self.unit.is_by_contract(index) {
                    return self.call_by_contract(index, arguments, whole, into);
                }
                self.inline(index, arguments, whole, into)
            }
            Callee::Intrinsic(known) => self.intrinsic(known, arguments, whole, into),
        }
    }

    fn inline(
        &mut self,
        index: u32,
        arguments: &[Expr],
        whole: &Expr,
        into: Option<VarId>,
    ) -> Lowering<Value> {
        let span = whole.span;
        let function = self.function(index);
        let name = self.unit.names.text(function.name);
        if self.frames.iter().any(|f| f.function == index) {
            return self.unsupported(
                span,
                format!("recursion without a contract is not modelled: `{name}` calls itself"),
            );
        }
        let Some(body) = &function.body else {
            return self.unsupported(span, format!("`{name}` has neither a body nor a contract"));
        };
        if self.frames.len() >= MAX_FRAMES {
            return self.unsupported(span, "calls are nested too deeply");
        }
        let mut evaluated = Vec::new();
        for (i, argument) in arguments.iter().enumerate().take(function.parameters.len()) {
            evaluated.push(self.argument(index, i as u32, argument)?);
        }
        let exit = self.program.add_location();
        let (slot, result) = self.call_slot(function, into, span)?;
        let frame = self.new_frame(index, exit, slot.clone(), Moment::Entry);
        let aliased: Vec<VarId> = evaluated
            .iter()
            .filter_map(|a| match a {
                Argument::Alias(Place::Var(var)) => Some(*var),
                _ => None,
            })
            .collect();
        // The arguments are bound in the copy's scope; the edge for a snapshot comes after them.
        self.frames.push(frame);
        let mut bound = Ok(());
        for (i, argument) in evaluated.into_iter().enumerate() {
            bound = bound.and(self.bind_argument(function, i as u32, argument, &aliased, span));
        }
        let edge = EdgeId(self.program.edges.len() as u32);
        self.emit(Command::Skip, span);
        self.frame().entry = Moment::Edge(edge);
        self.block(body, span);
        if let Slot::Var(var) = slot {
            // Falling off the end: the value is whatever it is.
            self.emit(Command::Havoc(var), span);
        }
        self.release_beyond(0, span);
        self.emit_to(exit, Command::Skip, span);
        self.resolve_gotos();
        self.frames.pop();
        self.here = exit;
        bound?;
        Ok(result)
    }

    fn argument(&mut self, function: u32, parameter: u32, argument: &Expr) -> Lowering<Argument> {
        let target = &self.function(function).parameters[parameter as usize];
        if is_scalar_pointer(target) && self.unit.usage.is_transparent(function, parameter) {
            if let ExprKind::Address(inner) = &argument.kind {
                let place = self.place(inner)?;
                let place = self.stable(place, argument.span);
                return Ok(Argument::Alias(place));
            }
            if let ExprKind::Var(variable) = &argument.kind
                && let Binding::Alias(place) = self.binding(*variable, argument.span)?
            {
                return Ok(Argument::Alias(place));
            }
        }
        let value = self.value(argument)?;
        Ok(match value {
            Value::Address(place) => Argument::Alias(*place),
            value => Argument::Value(value),
        })
    }

    /// The same object, named so that assignments to variables do not change which one is meant.
    fn stable(&mut self, place: Place, span: Span) -> Place {
        let keep = |lowerer: &mut Self, var: VarId| {
            let ty = lowerer.program.vars[var.index()].ty;
            let copy = lowerer.temp(ty, span);
            lowerer.emit(Command::Assign(copy, Pure::Var(var)), span);
            copy
        };
        match place {
            Place::Cell(var, field) => Place::Cell(keep(self, var), field),
            Place::Element(array, index) => {
                let copy = self.temp(Type::Int(IntKind { bits: 64, signed: true }), span);
                self.emit(Command::Assign(copy, index), span);
                Place::Element(array, Pure::Var(copy))
            }
            Place::Behind(vars, target) => {
                Place::Behind(vars.into_iter().map(|v| keep(self, v)).collect(), target)
            }
            place => place,
        }
    }

    fn call_slot(&mut self, function: &Function, into: Option<VarId>, span: Span) -> Lowering<(Slot, Value)> {
        if function.result == Ty::Void {
            return Ok((Slot::Nothing, Value::Void));
        }
        match self.repr(&function.result, span)? {
            Repr::Scalar(ty) => {
                let var = match into {
                    Some(var) if self.program.vars[var.index()].ty == ty => var,
                    _ => self.temp(ty, span),
                };
                Ok((Slot::Var(var), self.scalar_value(Pure::Var(var), &function.result, span)?))
            }
            Repr::Fat(target) => {
                let vars = self.fat_vars("#", &target, VarKind::Temp, span)?;
                let value = Value::Fat(vars.iter().copied().map(Pure::Var).collect(), target.clone());
                Ok((Slot::Fat(vars, target), value))
            }
            Repr::Struct(record) => {
                let of = self.struct_id(record, span)?;
                let var = self.temp(Type::Ptr(of), span);
                self.begin_cell(var, span);
                Ok((Slot::Struct(var, record), Value::Struct(var, record, Vec::new())))
            }
        }
    }

    fn bind_argument(
        &mut self,
        function: &Function,
        index: u32,
        argument: Argument,
        aliased: &[VarId],
        span: Span,
    ) -> Lowering<()> {
        let number = self.frame().function;
        let local = &function.locals[index as usize];
        let value = match argument {
            Argument::Alias(place) => {
                self.frame().locals[index as usize] = Some(Binding::Alias(place));
                return Ok(());
            }
            Argument::Value(Value::Array(var)) => {
                self.frame().locals[index as usize] = Some(Binding::Array(var));
                return Ok(());
            }
            Argument::Value(value) => value,
        };
        let constant = self.unit.usage.is_constant(number, index);
        let boxed = self.unit.usage.is_boxed(number, Variable::Local(index));
        if let Value::Int(Pure::Var(var)) | Value::Ptr(Pure::Var(var), _) = &value
            && constant
            && !boxed
            && !aliased.contains(var)
        {
            let known = self.program.vars[var.index()].ty;
            let fits = matches!(self.repr(&local.ty, span)?, Repr::Scalar(ty) if ty == known);
            let private = matches!(
                self.program.vars[var.index()].kind,
                VarKind::Local | VarKind::Param | VarKind::Temp
            );
            if fits && private {
                self.frame().locals[index as usize] = Some(Binding::Var(*var));
                return Ok(());
            }
        }
        let name = format!("{}.{}", self.unit.names.text(function.name), self.unit.names.text(local.name));
        let kept = self.diagnostics.len();
        let binding =
            match self.bind_object(Variable::Local(index), &name, &local.ty, VarKind::Local, local.span) {
                Ok(binding) => binding,
                Err(_) => {
                    // A parameter without a model matters where it is used.
                    let why = self.diagnostics.pop().map_or_else(String::new, |d| d.message);
                    self.diagnostics.truncate(kept);
                    self.frame().locals[index as usize] = Some(Binding::Unsupported(why));
                    return Ok(());
                }
            };
        if let Binding::Cell(var, _) | Binding::Struct(var, _) = &binding {
            self.begin_cell(*var, span);
        }
        let place = match &binding {
            Binding::Var(var) => Place::Var(*var),
            Binding::Fat(vars, target) => Place::Fat(vars.clone(), target.clone()),
            Binding::Cell(var, field) => Place::Cell(*var, *field),
            Binding::Struct(var, record) => Place::Struct(*var, *record, Vec::new()),
            Binding::Array(_) | Binding::Alias(_) | Binding::Unsupported(_) => {
                return self.unsupported(span, "this argument is not modelled");
            }
        };
        self.frame().locals[index as usize] = Some(binding);
        let value = match value {
            fresh @ Value::Fresh { .. } => self.allocate(fresh, &local.ty, None, span)?,
            value => value,
        };
        self.write(&place, value, &local.ty, span)
    }

    fn intrinsic(
        &mut self,
        known: Intrinsic,
        arguments: &[Expr],
        whole: &Expr,
        into: Option<VarId>,
    ) -> Lowering<Value> {
        let span = whole.span;
        match known {
            Intrinsic::Malloc => Ok(self.fresh(&arguments[0], None, false)),
            Intrinsic::Calloc => Ok(self.fresh(&arguments[1], Some(&arguments[0]), true)),
            Intrinsic::Free => {
                let value = self.value(&arguments[0])?;
                self.free(value, span)?;
                Ok(Value::Void)
            }
            Intrinsic::Abort => {
                self.here = self.program.add_location();
                Ok(Value::Void)
            }
            Intrinsic::Exit => {
                let status = self.int(&arguments[0])?;
                self.exit(status, span);
                Ok(Value::Void)
            }
            Intrinsic::Assert => self.assertion(&arguments[0], "assertion", span),
            Intrinsic::VerifierAssert => self.assertion(&arguments[0], "__VERIFIER_assert", span),
            Intrinsic::AssertFail => {
                let (formula, what) = (Formula::Const(false), "assertion".to_owned());
                self.emit(Command::Assert { formula, check: Check::Asserts, what }, span);
                self.here = self.program.add_location();
                Ok(Value::Void)
            }
            Intrinsic::Error => {
                self.emit(Command::Fail { what: "reach_error".to_owned() }, span);
                self.here = self.program.add_location();
                Ok(Value::Void)
            }
            Intrinsic::Assume => {
                let (yes, no) = (self.program.add_location(), self.program.add_location());
                self.branch(&arguments[0], yes, no)?;
                self.here = yes;
                Ok(Value::Void)
            }
            Intrinsic::Nondet => {
                let kind = whole.ty.int().unwrap_or(IntKind::INT);
                let to = match into {
                    Some(var) if self.program.vars[var.index()].ty == Type::Int(kind) => var,
                    _ => self.temp(Type::Int(kind), span),
                };
                self.emit(Command::Havoc(to), span);
                Ok(Value::Int(Pure::Var(to)))
            }
            Intrinsic::Print => {
                for argument in arguments {
                    self.effect(argument)?;
                }
                if whole.ty.int().is_none() {
                    return Ok(Value::Void);
                }
                let to = self.temp_int(span);
                self.emit(Command::Havoc(to), span);
                Ok(Value::Int(Pure::Var(to)))
            }
        }
    }

    fn fresh(&mut self, size: &Expr, count: Option<&Expr>, zeroed: bool) -> Value {
        let mut inner = size;
        while let ExprKind::Convert(next) = &inner.kind {
            inner = next;
        }
        let one = count.is_none_or(|c| constant(c) == Some(1));
        let named = match &inner.kind {
            ExprKind::Sizeof(ty, _) if one => Some(ty.clone()),
            _ => None,
        };
        let factor = count.map_or(Some(1), constant);
        let bytes = constant(size).zip(factor).and_then(|(a, b)| a.checked_mul(b));
        Value::Fresh { bytes, named, zeroed }
    }

    fn free(&mut self, value: Value, span: Span) -> Lowering<()> {
        match value {
            Value::Null => Ok(()),
            Value::Ptr(pointer, of) => {
                let var = self.in_var(pointer, Type::Ptr(of), span);
                // Globals that live in cells exist at the entry of a function; they are not on the heap.
                for cell in self.global_cells.clone() {
                    if self.program.vars[cell.index()].ty == Type::Ptr(of) {
                        let formula = Formula::ne(Term::Var(var, At::Now), Term::Var(cell, At::Now));
                        let what = "free of a variable".to_owned();
                        self.emit(Command::Assert { formula, check: Check::Memsafety, what }, span);
                    }
                }
                self.emit(Command::Free(var), span);
                Ok(())
            }
            Value::Fat(..) => {
                self.unsupported(span, "free of a pointer that may lead into a cell is not modelled")
            }
            _ => self.unsupported(span, "free of this pointer is not modelled"),
        }
    }

    fn exit(&mut self, status: Pure, span: Span) {
        if !self.is_main() {
            self.here = self.program.add_location();
            return;
        }
        if let Some(Slot::Var(var)) = self.frames.first().map(|f| f.slot.clone()) {
            self.emit(Command::Assign(var, status), span);
        }
        let cells: Vec<VarId> = self
            .frames
            .iter()
            .rev()
            .flat_map(|f| f.scopes.iter().rev().flat_map(|s| s.cells.iter().rev().copied()))
            .collect();
        for cell in cells {
            self.emit(Command::Release(cell), span);
        }
        let exit = self.program.exit;
        self.jump(exit, span);
    }

    fn assertion(&mut self, test: &Expr, what: &str, span: Span) -> Lowering<Value> {
        match &test.kind {
            ExprKind::Not(inner) => {
                if let ExprKind::Not(inner) = &inner.kind {
                    return self.assertion(inner, what, span);
                }
            }
            ExprKind::And(a, b) => {
                self.assertion(a, what, span)?;
                return self.assertion(b, what, span);
            }
            _ => {}
        }
        let (yes, no) = (self.program.add_location(), self.program.add_location());
        self.branch(test, yes, no)?;
        self.here = no;
        let formula = Formula::Const(false);
        self.emit(Command::Assert { formula, check: Check::Asserts, what: what.to_owned() }, span);
        self.here = yes;
        Ok(Value::Void)
    }
}

/// Labels or switches: control may enter a block elsewhere than at its beginning.
fn has_jumps(statements: &[Stmt]) -> bool {
    statements.iter().any(|s| match &s.kind {
        StmtKind::Block(inner) => has_jumps(inner),
        StmtKind::If(_, yes, no) => {
            has_jumps(std::slice::from_ref(yes))
                || no.as_ref().is_some_and(|n| has_jumps(std::slice::from_ref(n)))
        }
        StmtKind::Loop { body, .. } => has_jumps(std::slice::from_ref(body)),
        StmtKind::Switch(..) | StmtKind::Label(..) | StmtKind::Goto(_) => true,
        _ => false,
    })
}
