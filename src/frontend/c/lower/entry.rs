//! The function that the program is about: its parameters, its result, what its callers may hand over.

use super::super::hir::{Function, Variable};
use super::super::types::{RecordId, Ty};
use super::address::exposed;
use super::layout::Repr;
use super::{Binding, Lowerer, Lowering, Moment, Slot};
use crate::frontend::diagnostic::Span;
use crate::program::{Clause, Cmp, Command, Cond, Expr as Pure, Type, VarKind};

impl Lowerer<'_> {
    /// Lowers the function that the program is about.
    pub(super) fn entry_function(&mut self, index: u32) {
        let function = self.function(index);
        let span = function.span;
        let start = self.program.add_location();
        self.here = start;
        if !self.is_main() {
            self.exposed = function.parameters.iter().filter_map(exposed).cloned().collect();
        }
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
        self.count_arguments(span);
        self.check_array_parameters(function);
        self.enter_merged();
        self.contracts(function);
        self.require_fat(function, span);
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
        self.forget_globals(span);
        self.check_embedding(span);
        self.check_exposed(function, span);
        self.require_coupling(span);
    }

    /// The number of a program's arguments is not negative (C11 5.1.2.2.1).
    fn count_arguments(&mut self, span: Span) {
        let first = self.frame().parameters.first().copied().flatten();
        let Some(count) = first.filter(|_| self.is_main()) else { return };
        if matches!(self.program.vars[count.index()].ty, Type::Int(_)) {
            let known = Cond::Compare(Cmp::Ge, Pure::Var(count), Pure::Int(0));
            self.emit(Command::Assume(known), span);
        }
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
            ty => ty.target().is_some() || (!self.is_main() && exposed(ty).is_some()),
        };
        let kept = self.diagnostics.len();
        let number = self.frame().function;
        let boxed = self.unit.usage.is_boxed(number, Variable::Local(index));
        let binding = if !modelled {
            let why = "a parameter of this type is not modelled for a function that is verified by itself";
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

    /// A pointer from outside may lead into a struct that contains its target, unless that is a cell of its own.
    fn check_embedding(&mut self, span: Span) {
        if self.is_main() {
            return;
        }
        let used: Vec<_> = self.structs.keys().copied().collect();
        for outer in &used {
            let Some(inner) = self.embedded(*outer).into_iter().find(|inner| used.contains(inner)) else {
                continue;
            };
            let message = format!(
                "`{}` contains a `{}`, to which pointers may lead: overlapping objects are not modelled",
                self.unit.types.record(*outer).name,
                self.unit.types.record(inner).name
            );
            self.overlaps = true;
            let _ = self.unsupported::<()>(span, message);
            return;
        }
    }

    /// Structs inside this one that are not cells of their own, nor inside such a cell.
    fn embedded(&self, outer: RecordId) -> Vec<RecordId> {
        let mut found = Vec::new();
        let mut open = vec![(outer, Vec::new())];
        while let Some((at, path)) = open.pop() {
            for (i, member) in (0..).zip(self.unit.types.record(at).members.iter().flatten()) {
                let path: Vec<u32> = path.iter().copied().chain([i]).collect();
                let mut ty = &member.ty;
                while let Ty::Array(element, _) = ty {
                    ty = element;
                }
                let Ty::Record(inner) = ty else { continue };
                let part = *ty == member.ty && self.crosses(outer, &path);
                if !part && !found.contains(inner) {
                    found.push(*inner);
                    open.push((*inner, path));
                }
            }
        }
        found
    }

    /// The precondition says how the caller's parts belong together.
    fn require_coupling(&mut self, span: Span) {
        if self.is_main() {
            return;
        }
        for formula in self.coupled() {
            for contract in &mut self.program.contracts {
                contract.requires.push(Clause { formula: formula.clone(), span });
            }
        }
    }
}
