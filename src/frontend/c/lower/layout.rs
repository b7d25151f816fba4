//! Which cells and variables objects become.

use super::super::hir::Variable;
use super::super::types::{RecordId, Ty};
use super::{Binding, Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::decl::VARIABLE;
use crate::program::{Field, FieldId, IntKind, StructId, Type, VarId, VarKind};

/// How values of a type are represented.
#[derive(Clone, Debug)]
pub(super) enum Repr {
    Scalar(Type),
    /// A fat pointer to this type: the tag, then one component per [`Alternative`].
    Fat(Ty),
    Struct(RecordId),
}

/// Where a pointer to a scalar may lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alternative {
    /// Kind of cell.
    pub(super) of: StructId,
    /// Field in it.
    pub(super) field: FieldId,
}

impl Lowerer<'_> {
    /// The kind of cells of a struct.
    pub(super) fn struct_id(&mut self, record: RecordId, span: Span) -> Lowering<StructId> {
        if let Some(id) = self.structs.get(&record) {
            return Ok(*id);
        }
        let ty = self.unit.types.record(record);
        if ty.union {
            return self.unsupported(span, "a union is not modelled");
        }
        let id = self.program.add_struct(&ty.name);
        self.structs.insert(record, id);
        for index in ty.fields.clone() {
            let field = &self.unit.types.fields[index as usize];
            if self.crosses(record, &field.path) {
                continue;
            }
            let ty = match &field.ty {
                Ty::Int(kind) => Some(Type::Int(*kind)),
                Ty::Pointer(inner) => match &**inner {
                    Ty::Record(target) if !self.unit.types.record(*target).union => {
                        Some(Type::Ptr(self.struct_id(*target, span)?))
                    }
                    // Outside of `main` such a pointer may lead into any object of the caller's.
                    scalar if scalar.is_scalar() && self.is_main() => {
                        let known = self.taken_fields(scalar).is_empty();
                        if known { self.boxed_member(scalar, span) } else { None }
                    }
                    _ => None,
                },
                _ => None,
            };
            if let Some(ty) = ty {
                let new = Field { name: field.name.clone(), owner: id, ty, ghost: field.ghost };
                let new = self.program.add_field(new);
                self.fields.insert(FieldId(index), new);
            }
        }
        self.add_parts(record, id, span)?;
        Ok(id)
    }

    /// A member that points to a scalar; one without a model matters where it is used.
    fn boxed_member(&mut self, scalar: &Ty, span: Span) -> Option<Type> {
        let kept = self.diagnostics.len();
        let found = self.box_of(scalar, span);
        self.diagnostics.truncate(kept);
        found.ok().map(|(of, _)| Type::Ptr(of))
    }

    /// A field of the unit in this program.
    pub(super) fn field(&mut self, field: FieldId, span: Span) -> Lowering<FieldId> {
        let flat = &self.unit.types.fields[field.index()];
        let (record, name) = (flat.record, flat.name.clone());
        self.struct_id(record, span)?;
        match self.fields.get(&field) {
            Some(id) => Ok(*id),
            None => self.unsupported(span, format!("member `{name}` has a type that is not modelled")),
        }
    }

    /// The cell of a variable of this type whose address is used.
    pub(super) fn box_of(&mut self, ty: &Ty, span: Span) -> Lowering<(StructId, FieldId)> {
        if let Some((_, id, field)) = self.boxes.iter().find(|(t, _, _)| t == ty) {
            return Ok((*id, *field));
        }
        let Repr::Scalar(field_ty) = self.repr(ty, span)? else {
            return self.unsupported(span, "a pointer to a pointer to a pointer is not modelled");
        };
        let id = self.program.add_struct(&format!("{VARIABLE}{}", self.unit.types.show(ty)));
        let field = Field { name: "value".to_owned(), owner: id, ty: field_ty, ghost: false };
        let field = self.program.add_field(field);
        self.boxes.push((ty.clone(), id, field));
        Ok((id, field))
    }

    /// Fields of this type whose address is used as a value.
    fn taken_fields(&self, scalar: &Ty) -> Vec<FieldId> {
        let exposed = self.exposed.contains(scalar);
        self.unit.usage.taken_fields(self.unit.types, scalar, self.inside, exposed)
    }

    /// Where pointers to this scalar type may lead.
    pub(super) fn alternatives(&mut self, target: &Ty, span: Span) -> Lowering<Vec<Alternative>> {
        let (of, field) = self.box_of(target, span)?;
        let mut list = vec![Alternative { of, field }];
        for unit_field in self.taken_fields(target) {
            let record = self.unit.types.fields[unit_field.index()].record;
            let of = self.struct_id(record, span)?;
            let field = self.field(unit_field, span)?;
            list.push(Alternative { of, field });
        }
        Ok(list)
    }

    /// How values of a type are represented.
    pub(super) fn repr(&mut self, ty: &Ty, span: Span) -> Lowering<Repr> {
        match ty {
            Ty::Int(kind) => Ok(Repr::Scalar(Type::Int(*kind))),
            Ty::Pointer(inner) => match &**inner {
                Ty::Record(record) => Ok(Repr::Scalar(Type::Ptr(self.struct_id(*record, span)?))),
                scalar if scalar.is_scalar() => {
                    if self.taken_fields(scalar).is_empty() {
                        return Ok(Repr::Scalar(Type::Ptr(self.box_of(scalar, span)?.0)));
                    }
                    Ok(Repr::Fat(scalar.clone()))
                }
                Ty::Void => self.unsupported(span, "an object of type `void *` is not modelled"),
                Ty::Function(_) => self.unsupported(span, "a pointer to a function is not modelled"),
                Ty::Unsupported(what) => {
                    self.unsupported(span, format!("a pointer to {what} is not modelled"))
                }
                Ty::Float(_) => {
                    self.unsupported(span, "a pointer to a floating-point number is not modelled")
                }
                _ => self.unsupported(span, "a pointer to an array is not modelled"),
            },
            Ty::Record(record) => {
                self.struct_id(*record, span)?;
                Ok(Repr::Struct(*record))
            }
            Ty::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
            Ty::Void | Ty::Float(_) | Ty::Function(_) | Ty::Array(..) => {
                let message = format!("a value of type `{}` is not modelled", self.unit.types.show(ty));
                self.unsupported(span, message)
            }
        }
    }

    /// The type of an array variable.
    pub(super) fn array_type(&mut self, element: &Ty, span: Span) -> Lowering<Type> {
        match self.repr(element, span)? {
            Repr::Scalar(Type::Int(kind)) => Ok(Type::IntArray(kind)),
            Repr::Scalar(Type::Ptr(id)) if element.target().is_some() => Ok(Type::PtrArray(id)),
            _ => self.unsupported(span, "only arrays of integers or of pointers to structs are modelled"),
        }
    }

    /// The components of a fat pointer: tag, then one pointer per alternative.
    pub(super) fn fat_vars(
        &mut self,
        name: &str,
        target: &Ty,
        kind: VarKind,
        span: Span,
    ) -> Lowering<Vec<VarId>> {
        let alternatives = self.alternatives(target, span)?;
        let tag = self.add_var(&format!("{name}.tag"), Type::Int(IntKind::INT), kind, span);
        self.tags.push(tag);
        let mut vars = vec![tag];
        // Those who show states recognise these names.
        for (i, alternative) in alternatives.iter().enumerate() {
            let field = &self.program.fields[alternative.field.index()].name;
            let part = if i == 0 { "variable" } else { field };
            let name = format!("{name}.{part}");
            vars.push(self.add_var(&name, Type::Ptr(alternative.of), kind, span));
        }
        Ok(vars)
    }

    /// Makes the variables for an object.
    pub(super) fn bind_object(
        &mut self,
        variable: Variable,
        name: &str,
        ty: &Ty,
        kind: VarKind,
        span: Span,
    ) -> Lowering<Binding> {
        let function = self.frames.last().map_or(u32::MAX, |f| f.function);
        if let Ty::Array(element, length) = ty {
            let ty = self.array_type(element, span)?;
            let id = self.add_var(name, ty, kind, span);
            self.program.vars[id.index()].len = *length;
            return Ok(Binding::Array(id));
        }
        match self.repr(ty, span)? {
            Repr::Struct(record) => {
                let id = self.struct_id(record, span)?;
                let binding =
                    Binding::Struct(self.add_var(&format!("&{name}"), Type::Ptr(id), kind, span), record);
                self.note_kind(function, variable, &binding);
                Ok(binding)
            }
            Repr::Fat(_) if self.unit.usage.is_boxed(function, variable) => {
                self.unsupported(span, "the address of a pointer to a pointer is not modelled")
            }
            Repr::Fat(target) => Ok(Binding::Fat(self.fat_vars(name, &target, kind, span)?, target)),
            Repr::Scalar(_) if self.unit.usage.is_boxed(function, variable) => {
                let (id, field) = self.box_of(ty, span)?;
                Ok(Binding::Cell(self.add_var(&format!("&{name}"), Type::Ptr(id), kind, span), field))
            }
            Repr::Scalar(ty) => Ok(Binding::Var(self.add_var(name, ty, kind, span))),
        }
    }

    /// Where a global lives; made on first use.
    pub(super) fn global(&mut self, index: u32) -> Binding {
        if let Some(binding) = self.globals.get(&index) {
            return binding.clone();
        }
        let global = &self.unit.checked.globals[index as usize];
        let kept = self.diagnostics.len();
        let binding = self.bind_global(index);
        let binding = binding.unwrap_or_else(|_| {
            let why = self.diagnostics.last().map(|d| d.message.clone());
            self.diagnostics.truncate(kept);
            Binding::Unsupported(why.unwrap_or_else(|| format!("`{}` is not modelled", global.name)))
        });
        if !matches!(binding, Binding::Unsupported(_)) {
            self.global_order.push(index);
        }
        self.globals.insert(index, binding.clone());
        binding
    }

    fn bind_global(&mut self, index: u32) -> Lowering<Binding> {
        let global = &self.unit.checked.globals[index as usize];
        if let Some(bad) = global.diagnostics.first() {
            let message = bad.message.clone();
            return self.unsupported(global.span, format!("`{}`: {message}", global.name));
        }
        if global.owner.is_some() && !self.is_main() {
            return self.unsupported(
                global.span,
                "a static local of a function that is checked by its contract is not modelled",
            );
        }
        if !self.is_main() && is_scalar_pointer(&global.ty) {
            return self
                .unsupported(global.span, "a global pointer to a scalar is not modelled outside of `main`");
        }
        let binding = self.bind_object(
            Variable::Global(index),
            &global.name,
            &global.ty,
            VarKind::Global,
            global.span,
        )?;
        if let Binding::Cell(var, _) | Binding::Struct(var, _) = binding
            && !self.is_main()
        {
            self.global_cells.push(var);
        }
        Ok(binding)
    }
}

/// A pointer to something other than a struct.
pub(super) fn is_scalar_pointer(ty: &Ty) -> bool {
    ty.pointee().is_some_and(Ty::is_scalar)
}
