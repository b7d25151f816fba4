//! Objects: reading, writing, taking addresses.

use super::super::hir::{Expr, ExprKind};
use super::super::types::{RecordId, Ty};
use super::expression::Value;
use super::layout::Repr;
use super::{Binding, Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{
    Check, Cmp, Command, Cond, Expr as Pure, FieldId, Formula, StructId, Term, Type, VarId,
};

/// An object, its address computed.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Var(VarId),
    /// A scalar field of the cell the variable points to.
    Cell(VarId, FieldId),
    Element(VarId, Pure),
    /// A fat pointer in variables.
    Fat(Vec<VarId>, Ty),
    /// What a fat pointer leads to.
    Behind(Vec<VarId>, Ty),
    /// A struct, or a struct inside one.
    Struct(VarId, RecordId, Vec<u32>),
    Array(VarId),
    /// The one whose condition holds.
    OneOf(Vec<(Cond, Place)>),
}

impl Lowerer<'_> {
    /// The object an lvalue names.
    pub(super) fn place(&mut self, expr: &Expr) -> Lowering<Place> {
        match &expr.kind {
            ExprKind::Var(variable) => Ok(match self.binding(*variable, expr.span)? {
                Binding::Var(var) => Place::Var(var),
                Binding::Fat(vars, target) => Place::Fat(vars, target),
                Binding::Cell(var, field) => Place::Cell(var, field),
                Binding::Struct(var, record) => Place::Struct(var, record, Vec::new()),
                Binding::Array(var) => Place::Array(var),
                Binding::Alias(_) | Binding::Text(_) | Binding::Unsupported(_) => {
                    return self.unsupported(expr.span, "this use of a pointer parameter is not modelled");
                }
            }),
            ExprKind::Deref(pointer) => {
                let value = self.value(pointer)?;
                self.behind(value, &expr.ty, expr.span)
            }
            ExprKind::Member(base, index) => {
                let base = match &base.kind {
                    ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                        self.place(base)?
                    }
                    _ => match self.value(base)? {
                        Value::Struct(ptr, record, path) => Place::Struct(ptr, record, path),
                        _ => return self.unsupported(expr.span, "this struct value is not modelled"),
                    },
                };
                self.member_of(base, *index, &expr.ty, expr.span)
            }
            ExprKind::Index(array, index) if matches!(array.ty, Ty::Record(_)) => {
                self.element(array, index, expr)
            }
            ExprKind::Index(array, index) => {
                let Place::Array(array) = self.place(array)? else {
                    return self.unsupported(expr.span, "this array is not modelled");
                };
                let index = self.int(index)?;
                Ok(Place::Element(array, index))
            }
            ExprKind::Unmodelled(_, diagnostic) => self.reported(diagnostic),
            _ => self.unsupported(expr.span, "this object is not modelled"),
        }
    }

    /// A member of a struct.
    pub(super) fn member_of(&mut self, base: Place, index: u32, ty: &Ty, span: Span) -> Lowering<Place> {
        let (ptr, record, mut path) = match base {
            Place::Struct(ptr, record, path) => (ptr, record, path),
            Place::OneOf(cases) => {
                let mut members = Vec::new();
                for (condition, place) in cases {
                    if let Place::Struct(_, record, _) = place
                        && self.unit.types.record(record).merged.is_some()
                    {
                        return self.unsupported(span, "elements of several structs are not modelled");
                    }
                    members.push((condition, self.member_of(place, index, ty, span)?));
                }
                return Ok(Place::OneOf(members));
            }
            _ => return self.unsupported(span, "this struct value is not modelled"),
        };
        path.push(index);
        let (ptr, record, path) = self.descend(ptr, record, path, span)?;
        if let Ty::Record(_) = ty {
            return Ok(Place::Struct(ptr, record, path));
        }
        self.check_view(ptr, (record, &path), ty, span)?;
        match self.unit.types.field(record, &path) {
            Some(field) => Ok(Place::Cell(ptr, self.field(field, span)?)),
            None => self.unsupported(span, "this member is not modelled"),
        }
    }

    /// `*value`
    pub(super) fn behind(&mut self, value: Value, ty: &Ty, span: Span) -> Lowering<Place> {
        match value {
            Value::Ptr(pointer, of) => {
                let var = self.in_var(pointer, Type::Ptr(of), span);
                match ty {
                    Ty::Record(record) if self.structs.get(record) == Some(&of) => {
                        Ok(Place::Struct(var, *record, Vec::new()))
                    }
                    _ => match self.boxes.iter().find(|(t, id, _)| t == ty && *id == of) {
                        Some((_, _, field)) => Ok(Place::Cell(var, *field)),
                        None => {
                            self.unsupported(span, "a pointer is used with another type than its object's")
                        }
                    },
                }
            }
            Value::Null => {
                // Dereferencing the constant: an error when it is executed.
                let (of, _) = match ty {
                    Ty::Record(record) => (self.struct_id(*record, span)?, ()),
                    _ => (self.box_of(ty, span)?.0, ()),
                };
                self.behind(Value::Ptr(Pure::Null(of), of), ty, span)
            }
            Value::Address(place) => Ok(*place),
            Value::Text(text) => {
                let value = self.text(text)?;
                self.behind(value, ty, span)
            }
            Value::Fat(parts, target) => {
                let vars = self.fat_in_vars(parts, &target, span)?;
                Ok(Place::Behind(vars, target))
            }
            _ => self.unsupported(span, "this pointer is not modelled"),
        }
    }

    /// A variable with this value.
    pub(super) fn in_var(&mut self, value: Pure, ty: Type, span: Span) -> VarId {
        if let Pure::Var(var) = value {
            return var;
        }
        let var = self.temp(ty, span);
        self.emit(Command::Assign(var, value), span);
        var
    }

    fn fat_in_vars(&mut self, parts: Vec<Pure>, target: &Ty, span: Span) -> Lowering<Vec<VarId>> {
        let alternatives = self.alternatives(target, span)?;
        let mut vars = Vec::new();
        for (i, part) in parts.into_iter().enumerate() {
            let ty = if i == 0 {
                Type::Int(crate::program::IntKind::INT)
            } else {
                Type::Ptr(alternatives[i - 1].of)
            };
            vars.push(self.in_var(part, ty, span));
        }
        Ok(vars)
    }

    /// The value of an object; a scalar goes into `into` if that saves a variable.
    pub(super) fn read(&mut self, place: Place, ty: &Ty, into: Option<VarId>, span: Span) -> Lowering<Value> {
        match place {
            Place::Var(var) => self.scalar_value(Pure::Var(var), ty, span),
            Place::Fat(vars, target) => Ok(Value::Fat(vars.into_iter().map(Pure::Var).collect(), target)),
            Place::Struct(ptr, record, path) => Ok(Value::Struct(ptr, record, path)),
            Place::Array(var) => Ok(Value::Array(var)),
            Place::OneOf(cases) => self.read_case(cases, ty, span),
            Place::Cell(from, field) => {
                let to = self.destination(ty, into, span)?;
                self.emit(Command::Load { to, from, field }, span);
                self.scalar_value(Pure::Var(to), ty, span)
            }
            Place::Element(array, index) => {
                let to = self.destination(ty, into, span)?;
                self.emit(Command::LoadElement { to, array, index }, span);
                self.scalar_value(Pure::Var(to), ty, span)
            }
            Place::Behind(vars, target) => {
                let to = self.destination(ty, into, span)?;
                self.each_alternative(&vars, &target, span, |lowerer, from, field| {
                    lowerer.emit(Command::Load { to, from, field }, span);
                })?;
                self.scalar_value(Pure::Var(to), ty, span)
            }
        }
    }

    fn destination(&mut self, ty: &Ty, into: Option<VarId>, span: Span) -> Lowering<VarId> {
        match self.repr(ty, span)? {
            Repr::Scalar(ty) => match into {
                Some(var) if self.program.vars[var.index()].ty == ty => Ok(var),
                _ => Ok(self.temp(ty, span)),
            },
            _ => self.unsupported(span, "a pointer to a pointer inside an object is not modelled"),
        }
    }

    pub(super) fn scalar_value(&mut self, value: Pure, ty: &Ty, span: Span) -> Lowering<Value> {
        match self.repr(ty, span)? {
            Repr::Scalar(Type::Ptr(of)) => Ok(Value::Ptr(value, of)),
            Repr::Scalar(_) => Ok(Value::Int(value)),
            _ => self.unsupported(span, "a pointer to a pointer inside an object is not modelled"),
        }
    }

    /// One branch per place a fat pointer may lead to. A null pointer takes the first, whose pointer is null then,
    /// so that the access fails there.
    fn each_alternative(
        &mut self,
        vars: &[VarId],
        target: &Ty,
        span: Span,
        mut access: impl FnMut(&mut Self, VarId, FieldId),
    ) -> Lowering<()> {
        let alternatives = self.alternatives(target, span)?;
        let tag = Pure::Var(vars[0]);
        let (start, end) = (self.here, self.program.add_location());
        for (i, alternative) in alternatives.iter().enumerate() {
            self.here = start;
            let condition = if i == 0 {
                Cond::Compare(Cmp::Le, tag.clone(), Pure::Int(1))
            } else if i + 1 == alternatives.len() {
                Cond::Compare(Cmp::Gt, tag.clone(), Pure::Int(i as i128))
            } else {
                Cond::eq(tag.clone(), Pure::Int(i as i128 + 1))
            };
            self.emit(Command::Assume(condition), span);
            access(self, vars[i + 1], alternative.field);
            self.emit_to(end, Command::Skip, span);
        }
        self.here = end;
        Ok(())
    }

    /// Assigns an object.
    pub(super) fn write(&mut self, place: &Place, value: Value, ty: &Ty, span: Span) -> Lowering<()> {
        match place {
            Place::Fat(vars, target) => {
                let parts = self.fat_parts(value, target, span)?;
                for (var, part) in vars.iter().zip(parts) {
                    if part != Pure::Var(*var) {
                        self.emit(Command::Assign(*var, part), span);
                    }
                }
                Ok(())
            }
            Place::Struct(ptr, record, path) => self.copy(*ptr, *record, path, value, span),
            Place::Array(_) => self.unsupported(span, "an array cannot be assigned to"),
            Place::OneOf(cases) => self.write_case(cases.clone(), value, ty, span),
            _ => {
                let value = self.pure(value, ty, span)?;
                match place {
                    Place::Var(var) => {
                        if value != Pure::Var(*var) {
                            self.emit(Command::Assign(*var, value), span);
                        }
                    }
                    Place::Cell(to, field) => {
                        self.emit(Command::Store { to: *to, field: *field, value }, span);
                    }
                    Place::Element(array, index) => {
                        let (array, index) = (*array, index.clone());
                        self.emit(Command::StoreElement { array, index, value }, span);
                    }
                    Place::Behind(vars, target) => {
                        return self.each_alternative(vars, target, span, |lowerer, to, field| {
                            lowerer.emit(Command::Store { to, field, value: value.clone() }, span);
                        });
                    }
                    Place::Fat(..) | Place::Struct(..) | Place::Array(_) | Place::OneOf(_) => {}
                }
                Ok(())
            }
        }
    }

    /// A struct assignment, field by field.
    fn copy(&mut self, to: VarId, record: RecordId, path: &[u32], value: Value, span: Span) -> Lowering<()> {
        let Value::Struct(from, from_record, from_path) = value else {
            return self.unsupported(span, "this struct value is not modelled");
        };
        let part = self.part(record, path);
        if part != self.part(from_record, &from_path) {
            return self.unsupported(span, "this struct value is not modelled");
        }
        for rest in self.scalar_paths(part, span)? {
            let whole = |path: &[u32]| path.iter().chain(&rest).copied().collect::<Vec<_>>();
            let (from, from_record, from_path) = self.descend(from, from_record, whole(&from_path), span)?;
            let (to, record, path) = self.descend(to, record, whole(path), span)?;
            for (ptr, record, path) in [(from, from_record, &from_path), (to, record, &path)] {
                let ty = self.unit.types.field(record, path).map(|f| &self.unit.types.fields[f.index()].ty);
                if let Some(ty) = ty {
                    self.check_view(ptr, (record, path), ty, span)?;
                }
            }
            let source = self.unit.types.field(from_record, &from_path);
            let target = self.unit.types.field(record, &path);
            let (Some(source), Some(target)) = (source, target) else {
                return self.unsupported(span, "this struct has members that are not modelled");
            };
            let (source, target) = (self.field(source, span)?, self.field(target, span)?);
            let ty = self.program.fields[source.index()].ty;
            let temp = self.temp(ty, span);
            self.emit(Command::Load { to: temp, from, field: source }, span);
            self.emit(Command::Store { to, field: target, value: Pure::Var(temp) }, span);
        }
        Ok(())
    }

    fn part(&self, record: RecordId, path: &[u32]) -> RecordId {
        let mut part = record;
        for index in path {
            if let Some(Ty::Record(inner)) = self.unit.types.member_at(part, *index).map(|m| &m.ty) {
                part = *inner;
            }
        }
        part
    }

    /// Paths to all scalars inside a struct; a complaint if something in it has no model.
    fn scalar_paths(&mut self, record: RecordId, span: Span) -> Lowering<Vec<Vec<u32>>> {
        let mut paths = Vec::new();
        let mut open = vec![(record, Vec::new())];
        while let Some((part, path)) = open.pop() {
            if paths.len() + open.len() > super::super::types::MAX_FIELDS {
                return self.unsupported(span, "this struct is too large to be copied");
            }
            let members = self.unit.types.record(part).members.as_deref().unwrap_or(&[]);
            for (i, member) in members.iter().enumerate() {
                let mut path = path.clone();
                path.push(i as u32);
                match &member.ty {
                    _ if member.ghost => {}
                    Ty::Record(inner) if !self.unit.types.record(*inner).union => open.push((*inner, path)),
                    ty if ty.is_scalar() && member.width.is_none() => paths.push(path),
                    _ => return self.unsupported(span, "this struct has members that are not modelled"),
                }
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// `&place`
    pub(super) fn address(&mut self, place: Place, ty: &Ty, span: Span) -> Lowering<Value> {
        match place {
            Place::Struct(ptr, record, path) if path.is_empty() => {
                let of = self.struct_id(record, span)?;
                Ok(Value::Ptr(Pure::Var(ptr), of))
            }
            Place::Struct(..) => {
                self.overlaps = true;
                self.unsupported(span, "the address of a struct inside another is not modelled")
            }
            Place::Cell(ptr, field) => {
                let Some(target) = ty.pointee().cloned() else {
                    return self.unsupported(span, "this address is not modelled");
                };
                let of = self.program.fields[field.index()].owner;
                self.field_address(ptr, field, of, &target, span)
            }
            Place::Behind(vars, target) => Ok(Value::Fat(vars.into_iter().map(Pure::Var).collect(), target)),
            Place::Var(_) | Place::Fat(..) => self.unsupported(span, "this address is not modelled"),
            Place::Element(..) => self.unsupported(span, "the address of an array's element is not modelled"),
            Place::Array(_) => self.unsupported(span, "the address of an array is not modelled"),
            Place::OneOf(cases) => self.case_address(cases, ty, span),
        }
    }

    fn field_address(
        &mut self,
        ptr: VarId,
        field: FieldId,
        of: StructId,
        target: &Ty,
        span: Span,
    ) -> Lowering<Value> {
        let alternatives = self.alternatives(target, span)?;
        let Some(position) = alternatives.iter().position(|a| a.field == field) else {
            return self.unsupported(span, "this address is not modelled");
        };
        if position > 0 {
            // `&p->f` with p null has no meaning in C, though nothing is read.
            let formula = Formula::ne(Term::Var(ptr, crate::program::At::Now), Term::Null(of));
            let what = "address of a member of a null pointer".to_owned();
            self.emit(Command::Assert { formula, check: Check::Memsafety, what }, span);
        }
        if alternatives.len() == 1 {
            return Ok(Value::Ptr(Pure::Var(ptr), of));
        }
        let mut parts = vec![Pure::Int(position as i128 + 1)];
        for (i, alternative) in alternatives.iter().enumerate() {
            parts.push(if i == position { Pure::Var(ptr) } else { Pure::Null(alternative.of) });
        }
        Ok(Value::Fat(parts, target.clone()))
    }

    /// Tag and components of a fat pointer value.
    pub(super) fn fat_parts(&mut self, value: Value, target: &Ty, span: Span) -> Lowering<Vec<Pure>> {
        let alternatives = self.alternatives(target, span)?;
        match value {
            Value::Fat(parts, of) if of == *target => Ok(parts),
            Value::Null => {
                let nulls = alternatives.iter().map(|a| Pure::Null(a.of));
                Ok(std::iter::once(Pure::Int(0)).chain(nulls).collect())
            }
            Value::Text(text) => {
                let value = self.text(text)?;
                self.fat_parts(value, target, span)
            }
            Value::Ptr(pointer, of) if of == alternatives[0].of => {
                // The address of a variable, or a new cell; null if allocation failed.
                let var = self.in_var(pointer, Type::Ptr(of), span);
                let tag = self.temp_int(span);
                self.tags.push(tag);
                self.choose(Cond::eq(Pure::Var(var), Pure::Null(of)), tag, 0, 1, span);
                let mut parts = vec![Pure::Var(tag), Pure::Var(var)];
                parts.extend(alternatives[1..].iter().map(|a| Pure::Null(a.of)));
                Ok(parts)
            }
            _ => self.unsupported(span, "this pointer is not modelled"),
        }
    }

    /// `to = condition ? yes : no`
    pub(super) fn choose(&mut self, condition: Cond, to: VarId, yes: i128, no: i128, span: Span) {
        let (start, end) = (self.here, self.program.add_location());
        for (condition, value) in [(condition.clone(), yes), (condition.negated(), no)] {
            self.here = start;
            self.emit(Command::Assume(condition), span);
            self.emit_to(end, Command::Assign(to, Pure::Int(value)), span);
        }
        self.here = end;
    }
}
