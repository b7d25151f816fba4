//! Functions: the one that is verified, inlined copies of others, and what is known by name.

use super::super::hir::{Callee, Expr, ExprKind, Function, Stmt, StmtKind, Variable};
use super::super::types::Ty;
use super::expression::Value;
use super::layout::{Repr, is_scalar_pointer};
use super::place::Place;
use super::{Binding, Frame, Lowerer, Lowering, Moment, Scope, Slot};
use crate::frontend::diagnostic::Span;
use crate::program::{
    Command, Cond, EdgeId, Expr as Pure, IntKind, LocationId, Storage, Type, VarId, VarKind,
};

/// Copies inside copies, at most.
const MAX_FRAMES: usize = 100;

/// Calls of one function inside each other where runs are looked for: enough to walk a list of four cells.
const MAX_ACTIVE: usize = 5;

/// An argument, evaluated.
enum Argument {
    Value(Value),
    Alias(Place),
}

impl Lowerer<'_> {
    pub(super) fn new_frame(&mut self, index: u32, exit: LocationId, slot: Slot, entry: Moment) -> Frame {
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
            scopes: vec![Scope { id, locals: Vec::new(), cells: Vec::new(), declares: false }],
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
            Callee::Builtin(name) => {
                let message = format!("`{}` is not modelled", self.unit.names.text(name));
                self.unsupported(whole.span, message)
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
        let active = self.frames.iter().filter(|f| f.function == index).count();
        if active >= MAX_ACTIVE && self.unit.options.inline_contracts {
            // Deeper runs are not looked at.
            self.emit(Command::Assume(Cond::Const(false)), span);
            return Ok(self.call_slot(function, into, span)?.1);
        }
        if active > 0 && !self.unit.options.inline_contracts {
            let message = if function.has_contract {
                format!(
                    "`{name}` calls itself, and its contract cannot be used for the call: it needs parameters and \
                         result that are integers or pointers to structs with one link field (or it must leave all links \
                         as they are), and no global structs"
                )
            } else {
                format!("recursion without a contract is not modelled: `{name}` calls itself")
            };
            return self.unsupported(span, message);
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
        for further in arguments.iter().skip(function.parameters.len()) {
            self.value(further)?;
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
        let required = self.assert_required(function, span);
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
        bound.and(required)?;
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
            Place::OneOf(cases) => {
                let stable = |(c, p)| (c, self.stable(p, span));
                Place::OneOf(cases.into_iter().map(stable).collect())
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
                // Nobody can take the address of a result, so nobody sees that its cell is never released; the
                // block around may be left on ways that do not pass this call.
                let storage = Storage::Automatic;
                self.emit(Command::Alloc { to: var, of, storage, zeroed: false }, span);
                self.begin_parts(var, storage, false, span);
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
        if let (Value::Text(text), true, false) = (&value, constant, boxed) {
            // A message that is handed over matters only where it is looked at.
            self.frame().locals[index as usize] = Some(Binding::Text(*text));
            return Ok(());
        }
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
            Binding::Array(_) | Binding::Alias(_) | Binding::Text(_) | Binding::Unsupported(_) => {
                return self.unsupported(span, "this argument is not modelled");
            }
        };
        if let (Binding::Var(var), Value::Int(Pure::Int(size)), true) = (&binding, &value, constant) {
            self.sizes.insert(*var, *size);
        }
        self.frame().locals[index as usize] = Some(binding);
        let value = match value {
            fresh @ Value::Fresh { .. } => self.allocate(fresh, &local.ty, None, span)?,
            value => value,
        };
        self.write(&place, value, &local.ty, span)
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
