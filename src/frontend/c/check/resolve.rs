//! Types as written become types.

use super::super::ast::{self, Alignment, Basic, TypeExpr};
use super::super::token::Name;
use super::super::types::{BOOL, FloatKind, Made, MemberTy, RecordId, RecordTy, Signature, Ty};
use super::{Checker, Entity, Tag};
use crate::frontend::diagnostic::{Diagnostic, Severity, Span};
use crate::program::IntKind;
use std::rc::Rc;
use std::sync::Arc;

/// What is said of arrays whose length is computed.
pub(super) const VARIABLE_LENGTH: &str = "an array without a constant length";

impl Checker<'_> {
    fn int(bits: u8, signed: bool) -> Ty {
        Ty::Int(IntKind { bits, signed })
    }

    /// The type that was written.
    pub(crate) fn resolve(&mut self, ty: &TypeExpr) -> Ty {
        let long = if self.types.lp64 { 64 } else { 32 };
        match ty {
            TypeExpr::Void => Ty::Void,
            TypeExpr::Basic(basic) => match basic {
                Basic::Bool => Ty::Int(BOOL),
                Basic::Char => Self::int(8, true),
                Basic::UnsignedChar => Self::int(8, false),
                Basic::Short => Self::int(16, true),
                Basic::UnsignedShort => Self::int(16, false),
                Basic::Int => Ty::INT,
                Basic::Unsigned => Self::int(32, false),
                Basic::Long => Self::int(long, true),
                Basic::UnsignedLong => Self::int(long, false),
                Basic::LongLong => Self::int(64, true),
                Basic::UnsignedLongLong => Self::int(64, false),
                Basic::Float => Ty::Float(FloatKind::Single),
                Basic::Double => Ty::Float(FloatKind::Double),
                Basic::LongDouble => Ty::Float(FloatKind::Extended),
            },
            TypeExpr::Named(name, span)
                if self.pinned.as_ref().is_some_and(|(n, s, _)| (n, s) == (name, span)) =>
            {
                self.pinned.as_ref().map_or(Ty::Void, |(_, _, ty)| ty.clone())
            }
            TypeExpr::Typeof(operand) => match self.operand_type(operand) {
                Ok(ty) => ty,
                Err(_) => Ty::Unsupported("a type that is not known"),
            },
            TypeExpr::Named(name, span) => match self.typedef(*name) {
                Some(ty) => ty,
                None if self.text(*name) == super::VA_LIST => self.list_of_arguments(),
                _ if self.text(*name).starts_with("__") || self.text(*name).starts_with("_Float") => {
                    Ty::Unsupported("a built-in type of the compiler")
                }
                _ => {
                    let message = format!("unknown type name `{}`", self.text(*name));
                    let _ = self.error::<()>("unknown-type", *span, message);
                    Ty::Unsupported("an unknown type")
                }
            },
            TypeExpr::Record(record) => self.record(record),
            TypeExpr::Enum(enumeration) => self.enumeration(enumeration),
            TypeExpr::Pointer(inner) => self.resolve(inner).pointer(),
            TypeExpr::Array(element, size) => {
                let element = self.resolve(element);
                if let Ty::Unsupported(what) = element {
                    return Ty::Unsupported(what);
                }
                match size {
                    None => Ty::Array(Arc::new(element), None),
                    Some(size) => match self.constant_expression(size) {
                        Some(n) if n < 0 => {
                            let message = format!("the length of an array is {n}: it cannot be negative");
                            let _ = self.error::<()>("wrong-type", size.span, message);
                            Ty::Unsupported("an array with a wrong length")
                        }
                        Some(n) if (0..=i128::from(u32::MAX)).contains(&n) => {
                            Ty::Array(Arc::new(element), Some(n as u64))
                        }
                        _ => Ty::Unsupported(VARIABLE_LENGTH),
                    },
                }
            }
            TypeExpr::Function(function) => Ty::Function(Arc::new(self.signature(function))),
            TypeExpr::Unsupported(what) => Ty::Unsupported(what),
        }
    }

    /// The type of a function that was written.
    fn signature(&mut self, ty: &ast::FunctionType) -> Signature {
        let result = self.resolve(&ty.result);
        let result = self.of_object(result);
        let parameters = self.in_scope(|c| {
            let pointer = |ty| match ty {
                Ty::Array(element, None) => Ty::Pointer(element),
                ty => ty,
            };
            ty.parameters.iter().map(|p| pointer(c.resolve_parameter(p))).collect()
        });
        Signature { result, parameters, variadic: ty.variadic, unspecified: ty.unspecified }
    }

    /// The type of `va_list`: a pointer, that of which only calls know more.
    fn list_of_arguments(&mut self) -> Ty {
        let id = self.va_list.unwrap_or_else(|| self.nameless("struct __catena_va_list", None));
        self.va_list = Some(id);
        Ty::Record(id).pointer()
    }

    /// A struct that no text declares.
    fn nameless(&mut self, name: &str, members: Option<Vec<MemberTy>>) -> RecordId {
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(RecordTy {
            name: name.to_owned(),
            union: false,
            members,
            layout: None,
            offsets: Vec::new(),
            fields: Vec::new(),
            made: Made::Declared,
            broken: false,
            alignment: Alignment::Unknown,
            span: Span::default(),
            merged: None,
        });
        id
    }

    /// What a name stands for as a type. The parser has decided that it is one, so another meaning hides nothing.
    fn typedef(&self, name: Name) -> Option<Ty> {
        self.scopes.iter().rev().find_map(|s| match s.names.get(&name) {
            Some(Entity::Typedef(ty)) => Some(ty.clone()),
            _ => None,
        })
    }

    fn record(&mut self, record: &Rc<ast::Record>) -> Ty {
        let key = Rc::as_ptr(record) as usize;
        if let Some(ty) = self.entered.get(&key) {
            return ty.clone();
        }
        let word = if record.union { "union" } else { "struct" };
        let id = match record.tag {
            Some(tag) => self.tagged(tag, record, word),
            None => Some(self.identified(record, |c| c.new_record(format!("{word} at line"), record))),
        };
        let Some(id) = id else { return Ty::Unsupported("a type with a wrong tag") };
        let ty = Ty::Record(id);
        self.entered.insert(key, ty.clone());
        if let Some(members) = &record.members {
            if self.is_defined_here(id) {
                let message = format!("`{}` is defined twice", self.types.record(id).name);
                let first = self.types.record(id).span;
                self.sink.push(
                    Diagnostic::error("redefinition", record.span, message)
                        .label(first, "first defined here"),
                );
                self.types.records[id.0 as usize].broken = true;
                return ty;
            }
            // What its members mention is not declared alone.
            let alone = std::mem::replace(&mut self.alone, false);
            self.define(id, members, record.alignment);
            self.alone = alone;
        }
        ty
    }

    fn tagged(&mut self, tag: Name, record: &ast::Record, word: &str) -> Option<RecordId> {
        let here = self.scopes.last().and_then(|s| s.tags.get(&tag));
        let outer = self.scopes.iter().rev().find_map(|s| s.tags.get(&tag));
        // A definition makes a new type in its own scope; a mention finds an outer one.
        let found = if record.members.is_some() || self.alone { here } else { outer };
        match found {
            Some(Tag::Record(id)) if self.types.record(*id).union == record.union => Some(*id),
            Some(_) => {
                let message = format!("`{}` is a tag of another kind", self.text(tag));
                let _ = self.error::<()>("wrong-tag", record.span, message);
                None
            }
            None => {
                let name = format!("{word} {}", self.text(tag));
                let id = self.identified(record, |c| c.new_record(name, record));
                if let Some(scope) = self.scopes.last_mut() {
                    scope.tags.insert(tag, Tag::Record(id));
                }
                Some(id)
            }
        }
    }

    fn new_record(&mut self, name: String, record: &ast::Record) -> RecordId {
        let id = RecordId(self.types.records.len() as u32);
        let name = if record.tag.is_none() { format!("struct #{}", id.0) } else { name };
        let union = record.union;
        self.types.records.push(RecordTy {
            name,
            union,
            members: None,
            layout: None,
            offsets: Vec::new(),
            fields: Vec::new(),
            made: Made::Declared,
            broken: false,
            alignment: record.alignment,
            span: record.span,
            merged: None,
        });
        id
    }

    /// The type of an object: `void *` leads to something that nobody knows.
    pub(super) fn of_object(&mut self, ty: Ty) -> Ty {
        if ty.pointee() != Some(&Ty::Void) {
            return ty;
        }
        let id = self.types.opaque.unwrap_or_else(|| self.nameless("void", Some(Vec::new())));
        self.types.opaque = Some(id);
        Ty::Record(id).pointer()
    }

    fn define(&mut self, id: RecordId, members: &[ast::Member], alignment: Alignment) {
        let complaints = self.sink.len();
        let mut list: Vec<MemberTy> = Vec::new();
        for member in members {
            let ty = self.resolve(&member.ty);
            let mut ty = self.of_object(ty);
            if let Ty::Record(inner) = ty
                && self.types.record(inner).members.is_none()
            {
                let message = format!("`{}` is not complete here", self.types.show(&ty));
                let _ = self.error::<()>("incomplete-type", member.span, message);
                ty = Ty::Unsupported("an incomplete type");
            }
            if matches!(ty, Ty::Void | Ty::Function(_)) {
                let _ = self.error::<()>("wrong-type", member.span, "a member has to be an object");
                ty = Ty::Unsupported("a wrong type");
            }
            if let Some(name) = member.name
                && let Some(before) = list.iter().find(|m| m.name == Some(name))
            {
                let first = before.span;
                let message = format!("member `{}` is declared twice", self.text(name));
                self.sink
                    .push(Diagnostic::error("redefinition", member.span, message).label(first, "first here"));
                continue;
            }
            if member.ghost && !ty.is_scalar() {
                let _ = self.error::<()>("ghost", member.span, "a ghost field is a pointer or an integer");
                continue;
            }
            let (name, ghost, span) = (member.name, member.ghost, member.span);
            let width = member.width.as_ref().and_then(|width| self.bit_width(width, &ty, name.is_some()));
            if member.width.is_some() && width.is_none() {
                continue;
            }
            // A name without a tag and a body makes no anonymous struct.
            let anonymous = matches!(&member.ty, TypeExpr::Record(r) if r.tag.is_none());
            if name.is_none() && !anonymous && width.is_none() {
                if matches!(ty, Ty::Unsupported(_)) {
                    list.push(MemberTy { name, ty, width, ghost, span });
                }
                continue;
            }
            list.push(MemberTy { name, ty, width, ghost, span });
        }
        self.note_completed(id);
        if self.types.record(id).members.is_some() {
            return self.compare_members(id, &list, alignment);
        }
        let record = &mut self.types.records[id.0 as usize];
        record.alignment = record.alignment.and(alignment);
        record.members = Some(list);
        record.broken = self.sink[complaints..].iter().any(|d| d.severity == Severity::Error);
        self.types.flatten(id, self.names);
    }

    /// The width of a bit-field, or a complaint.
    fn bit_width(&mut self, width: &ast::Expr, ty: &Ty, named: bool) -> Option<u32> {
        let most = match ty {
            Ty::Int(kind) => i128::from(kind.bits),
            Ty::Unsupported(_) => i128::from(u32::MAX),
            _ => {
                let message = format!("a bit-field is an integer, found `{}`", self.types.show(ty));
                let _ = self.error::<()>("wrong-type", width.span, message);
                return None;
            }
        };
        match self.constant_expression(width) {
            Some(n) if n >= i128::from(named) && n <= most => u32::try_from(n).ok(),
            Some(n) => {
                let message = format!("a bit-field of this type cannot have {n} bits");
                let _ = self.error::<()>("wrong-type", width.span, message);
                None
            }
            None => {
                let _ = self.error::<()>("constant", width.span, "the width of a bit-field is a constant");
                None
            }
        }
    }

    /// Why there is no object of this type: the code of the complaint and what it says of the object.
    pub(super) fn no_object(&self, ty: &Ty) -> Option<(&'static str, &'static str)> {
        const INCOMPLETE: (&str, &str) = ("incomplete-type", "has an incomplete type");
        match ty {
            Ty::Void | Ty::Function(_) | Ty::Array(_, None) => Some(INCOMPLETE),
            Ty::Array(element, Some(_)) => self.no_object(element),
            Ty::Record(id) if !self.is_complete(*id) => Some(INCOMPLETE),
            Ty::Record(id) => {
                let wrong = |r: &RecordId| self.types.record(*r).broken;
                let wrong = wrong(id) || self.types.embedded(*id).iter().any(wrong);
                wrong.then_some(("wrong-type", "has a type whose definition is wrong"))
            }
            _ => None,
        }
    }

    fn enumeration(&mut self, enumeration: &Rc<ast::Enumeration>) -> Ty {
        let key = Rc::as_ptr(enumeration) as usize;
        if let Some(ty) = self.entered.get(&key) {
            return ty.clone();
        }
        let known = enumeration.tag.and_then(|tag| self.scopes.iter().rev().find_map(|s| s.tags.get(&tag)));
        let mut ty = match known {
            Some(Tag::Enum(ty)) if enumeration.constants.is_none() => ty.clone(),
            _ if enumeration.constants.is_none() => {
                return Ty::Unsupported("an enumeration that is not defined");
            }
            _ => Self::int(32, false),
        };
        if let Some(constants) = &enumeration.constants {
            ty = self.enumerators(constants);
        }
        if enumeration.laid_out {
            ty = Ty::Unsupported("an enumeration with a size of its own");
        }
        if let (Some(tag), Some(scope)) = (enumeration.tag, self.scopes.last_mut()) {
            scope.tags.insert(tag, Tag::Enum(ty.clone()));
        }
        self.entered.insert(key, ty.clone());
        ty
    }

    /// Enters the enumerators, as GCC and Clang do. The type is unsigned unless one is negative, and as wide as it has
    /// to be; an enumerator is an `int` if that holds it, else it has the type of the enumeration.
    fn enumerators(&mut self, constants: &[(Name, Option<ast::Expr>, Span)]) -> Ty {
        let (mut next, mut values) = (0i128, Vec::new());
        let int = |n: i128| (IntKind::INT.min()..=IntKind::INT.max()).contains(&n);
        for (name, value, span) in constants {
            match value.as_ref().map(|value| self.constant_expression(value)) {
                Some(Some(n)) => next = n,
                Some(None) => {
                    let _ = self.error::<()>("constant", *span, "an enumerator needs a constant value");
                }
                None if !int(next) => {
                    let message = "the value of this enumerator does not fit `int`: it needs one of its own";
                    let _ = self.error::<()>("constant", *span, message);
                }
                None => {}
            }
            values.push((*name, next));
            // The ones after it may mention it; until the end it has the type of its value.
            let own = match value {
                Some(value) if !int(next) => self.operand_type(value).unwrap_or(Ty::INT),
                _ => Ty::INT,
            };
            self.insert(*name, Entity::Constant(next, own));
            next += 1;
        }
        let least = values.iter().map(|(_, n)| *n).min().unwrap_or(0);
        let most = values.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let signed = least < 0;
        let narrow = IntKind { bits: 32, signed };
        let fits = narrow.min() <= least && most <= narrow.max();
        let ty = Self::int(if fits { 32 } else { 64 }, signed);
        for (name, value) in values {
            let own = if int(value) { Ty::INT } else { ty.clone() };
            self.insert(name, Entity::Constant(value, own));
        }
        ty
    }
}
