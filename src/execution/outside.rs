//! Texts from outside: the arguments of the program, and the environment.
//!
//! How long such a text is and what it says is decided as far as it is looked at, a character at a time: the shortest text
//! comes first. `argv` is an array of `argc` texts and a null pointer, each of which comes to be when it is asked for. There is
//! always a first argument, as systems have it; a run without one is outside of the claim.

use super::machine::{Doing, Halt, Machine};
use super::memory::{Found, Object, Storage, pointer};
use super::path::Relation;
use super::value::{Fill, Linear, ObjectId, Value};
use crate::frontend::c::types::Ty;
use crate::program::{Check, IntKind};
use crate::util::span::Span;

/// What an object from outside is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outside {
    /// A text of which so many characters are known as the object has bytes; there is more of it.
    Text,
    /// The array of arguments. How many there are stands behind the last one there could be.
    Arguments,
}

/// Characters of one text, at most.
const MAX_TEXT: u64 = 1 << 12;
/// Where the number of arguments stands.
const COUNT: u64 = 1 << 36;

impl Machine<'_> {
    /// The array of so many arguments.
    pub(super) fn arguments_of_program(&mut self, count: Linear, span: Span) -> Doing<Value> {
        let mut object = Object::new(COUNT + 8, Storage::Static, Fill::Arbitrary);
        object.outside = Some(Outside::Arguments);
        object.write(COUNT, 8, Value::Int(count));
        object.ty = Some(Ty::Int(IntKind { bits: 8, signed: true }).pointer());
        Ok(pointer(self.new_object(object, span)?))
    }

    /// A text of any length.
    pub(super) fn text_from_outside(&mut self, span: Span) -> Doing<Value> {
        let mut object = Object::new(0, Storage::Static, Fill::Arbitrary);
        object.outside = Some(Outside::Text);
        Ok(pointer(self.new_object(object, span)?))
    }

    /// Before an access: what it touches of an object from outside comes to be. The bounds of a text are checked like those
    /// of any object then.
    pub(super) fn come_to_be(&mut self, id: ObjectId, offset: &Linear, length: u64, span: Span) -> Doing<()> {
        let Some(outside) = self.memory.object(id).outside else { return Ok(()) };
        let below = self.linear(offset.shifted(1), span)?;
        if self.decide(&below, Relation::NotPositive, span)? {
            return Ok(());
        }
        match outside {
            Outside::Text => {
                let end = self.concrete(offset, span)?.saturating_add(i128::from(length));
                while i128::from(self.memory.object(id).size) < end && self.goes_on(id, span)? {}
                Ok(())
            }
            Outside::Arguments => self.argument(id, offset, length, span),
        }
    }

    /// One more character of a text, or its end.
    fn goes_on(&mut self, id: ObjectId, span: Span) -> Doing<bool> {
        let at = self.memory.object(id).size;
        if self.memory.object(id).outside.is_none() {
            return Ok(false);
        }
        if at >= MAX_TEXT {
            return self.give_up(span, "so long a text from outside");
        }
        let more = self.choose(span)?;
        let byte = if more { self.path.fresh(1, 255) } else { Linear::number(0) };
        let object = self.memory.object_mut(id);
        object.size += 1;
        object.write(at, 1, Value::Int(byte));
        if !more {
            object.outside = None;
        }
        Ok(more)
    }

    fn argument(&mut self, id: ObjectId, offset: &Linear, length: u64, span: Span) -> Doing<()> {
        let word = if self.types().lp64 { 8 } else { 4 };
        let Found::Value(Value::Int(count)) = self.memory.object(id).read(COUNT, 8) else {
            return self.give_up(span, "the number of arguments");
        };
        // offset + length > word * (count + 1)
        let size = count.shifted(1).and_then(|c| c.times(word));
        let beyond = size.and_then(|s| s.plus(-1, offset)).and_then(|r| r.shifted(1 - i128::from(length)));
        let beyond = self.linear(beyond, span)?;
        if self.decide(&beyond, Relation::NotPositive, span)? {
            return self.fail(Check::Memsafety, span, "access outside of the arguments of the program");
        }
        let at = self.concrete(offset, span)?;
        let place = at as u64;
        if at % word != 0 || self.memory.object(id).read(place, word as u64) != Found::Arbitrary {
            return Ok(());
        }
        let last = self.linear(count.shifted(-at / word), span)?;
        let value = if self.decide(&last, Relation::Zero, span)? {
            if at == 0 {
                return Err(Halt::Cut);
            }
            Value::int(0)
        } else {
            self.text_from_outside(span)?
        };
        self.memory.object_mut(id).write(place, word as u64, value);
        Ok(())
    }
}
