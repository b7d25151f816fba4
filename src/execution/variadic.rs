//! Arguments that no parameter stands for.
//!
//! They lie in one object of the call, each in a slot of its own; a list of them is a pointer to the next slot.

use super::access::Place;
use super::machine::{Doing, Machine};
use super::memory::{Found, Object, Storage, pointer};
use super::value::{Fill, Linear, ObjectId, Value};
use crate::frontend::c::formats::conversions;
use crate::frontend::c::hir::{Expr, ExprKind};
use crate::frontend::c::types::Ty;
use crate::program::Check;
use crate::util::span::Span;

/// Bytes of a slot.
pub(super) const SLOT: u64 = 16;
/// Bytes of a format, at most.
pub(super) const MAX_FORMAT: u64 = 4_000;

impl<'a> Machine<'a> {
    /// The object with those arguments of a call that follow so many.
    pub(super) fn further_arguments(
        &mut self,
        values: &[Value],
        named: usize,
        call: &'a Expr,
    ) -> Doing<ObjectId> {
        let ExprKind::Call(_, arguments) = &call.kind else {
            return self.give_up(call.span, "arguments that no parameter stands for");
        };
        let count = values.len().saturating_sub(named) as u64;
        let id =
            self.new_object(Object::new(SLOT * count, Storage::Automatic, Fill::Arbitrary), call.span)?;
        for (i, (value, argument)) in values.iter().zip(arguments).skip(named).enumerate() {
            let size = self.size(&argument.ty, argument.span)?;
            if size > SLOT {
                return self.give_up(argument.span, "an argument of this size that no parameter stands for");
            }
            let object = self.memory.object_mut(id);
            match value {
                Value::Record(bytes) => object.copy_in(SLOT * i as u64, bytes),
                value => object.write(SLOT * i as u64, size, value.clone()),
            }
        }
        Ok(id)
    }

    /// `va_start` and the like; none of them if there is no answer.
    pub(super) fn list_of_arguments(
        &mut self,
        name: &str,
        values: &[Value],
        whole: &'a Expr,
    ) -> Doing<Option<Value>> {
        let (Some(list), span) = (values.first(), whole.span) else { return Ok(None) };
        let any = Ty::Void.pointer();
        match name {
            "va_start" => {
                let Some(first) = self.frames.last().and_then(|f| f.further) else {
                    return self.give_up(span, "the arguments of this call are not known");
                };
                self.store(list, &any, pointer(first), span)?;
            }
            "va_copy" => {
                let Some(from) = values.get(1).cloned() else { return Ok(None) };
                self.store(list, &any, from, span)?;
            }
            "va_end" => {}
            "va_arg" => return self.next_argument(&list.clone(), &whole.ty, span).map(Some),
            _ => return Ok(None),
        }
        Ok(Some(Value::Unknown))
    }

    /// Whether a list has not come to its end.
    pub(super) fn is_given(&mut self, slot: &Value, span: Span) -> Doing<()> {
        if let Value::Pointer(id, offset) = slot
            && offset.known() == Some(i128::from(self.memory.object(*id).size))
        {
            return self.fail(Check::Memsafety, span, "there is no further argument");
        }
        Ok(())
    }

    fn next_argument(&mut self, list: &Value, ty: &Ty, span: Span) -> Doing<Value> {
        let any = Ty::Void.pointer();
        let slot = self.load(&Place::whole(list.clone()), &any, span)?;
        self.is_given(&slot, span)?;
        let (id, at) = self.accessed(&slot, SLOT, false, span)?;
        let size = self.size(ty, span)?;
        // It has to be of the type that was given.
        let slots = self.memory.object(id);
        let given = slots.pieces().any(|(place, length, _)| place == at && length == size);
        if !given && !matches!(ty, Ty::Record(_)) || slots.read(at, size) == Found::Mixed {
            return self.give_up(span, "this argument has another type");
        }
        let value = self.load(&Place::whole(slot.clone()), ty, span)?;
        let next = self.moved(slot, &Linear::number(i128::from(SLOT)), span)?;
        self.store(list, &any, next, span)?;
        Ok(value)
    }

    /// `vprintf` and the like: what is printed is read.
    pub(super) fn print_list(&mut self, format: &Value, list: &Value, whole: &'a Expr) -> Doing<Value> {
        let span = whole.span;
        let length = self.length(format, Some(MAX_FORMAT), span)?;
        let mut text = Vec::new();
        for i in 0..length {
            match self.byte_at(format, i, span)?.known() {
                Some(byte) => text.push(byte as u8),
                None => return self.give_up(span, "this format is not known"),
            }
        }
        let Some((all, _)) = conversions(&text, false) else {
            return self.give_up(span, "this format is not known");
        };
        let mut slot = list.clone();
        let any = Ty::Void.pointer();
        for conversion in all {
            self.is_given(&slot, span)?;
            if conversion.is_text() {
                let value = self.load(&Place::whole(slot.clone()), &any, span)?;
                if value.known() != Some(0) {
                    self.length(&value, conversion.precision, span)?;
                }
            }
            slot = self.moved(slot, &Linear::number(i128::from(SLOT)), span)?;
        }
        Ok(self.arbitrary(&whole.ty))
    }
}
