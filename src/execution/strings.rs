//! More functions of the library on strings: those that write formatted text, take texts apart or read numbers from them.

use super::formatted::Given;
use super::machine::{Doing, Machine};
use super::memory::{Object, Storage, pointer};
use super::path::Relation;
use super::value::{Fill, Linear, Value};
use crate::frontend::c::hir::Expr;
use crate::frontend::c::types::Ty;
use crate::program::IntKind;
use crate::util::span::Span;

impl<'a> Machine<'a> {
    /// One of these functions, if it is one.
    pub(super) fn further_text_function(
        &mut self,
        name: &str,
        values: &[Value],
        whole: &'a Expr,
    ) -> Doing<Option<Value>> {
        let span = whole.span;
        let result = match (name, values) {
            ("sprintf", [to, format, ..]) => {
                self.write_formatted(to, None, format, Given::Arguments(values, 2), whole)?
            }
            ("snprintf", [to, room, format, ..]) => {
                let room = self.bytes(room, span)?;
                self.write_formatted(to, Some(room), format, Given::Arguments(values, 3), whole)?
            }
            ("vsprintf", [to, format, list]) => {
                self.write_formatted(to, None, format, Given::List(list.clone()), whole)?
            }
            ("vsnprintf", [to, room, format, list]) => {
                let room = self.bytes(room, span)?;
                self.write_formatted(to, Some(room), format, Given::List(list.clone()), whole)?
            }
            ("strtok", [text, set]) => self.next_token(text, set, None, span)?,
            ("strtok_r" | "__strtok_r", [text, set, place]) => {
                self.next_token(text, set, Some(place), span)?
            }
            ("strpbrk", [text, set]) => {
                let length = self.span_of(text, set, false, span)?;
                if self.is_end(text, length, span)? {
                    return Ok(Some(Value::int(0)));
                }
                self.moved(text.clone(), &Linear::number(i128::from(length)), span)?
            }
            ("memrchr", [text, byte, size]) => {
                let length = self.bytes(size, span)?;
                let Value::Int(byte) = byte else { return self.give_up(span, "this value as a character") };
                let byte = self.wrapped(byte, IntKind { bits: 8, signed: false }, span)?;
                for i in (0..length).rev() {
                    let difference = self.byte_at(text, i, span)?.plus(-1, &byte);
                    let difference = self.linear(difference, span)?;
                    if self.decide(&difference, Relation::Zero, span)? {
                        return self.moved(text.clone(), &Linear::number(i128::from(i)), span).map(Some);
                    }
                }
                Value::int(0)
            }
            ("strtol" | "strtoll" | "strtoul" | "strtoull", [text, end, base]) => {
                self.read_number(text, Some(end), base.known(), whole)?
            }
            ("atoi" | "atol" | "atoll", [text]) => self.read_number(text, None, Some(10), whole)?,
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// Whether a text ends here.
    fn is_end(&mut self, text: &Value, at: u64, span: Span) -> Doing<bool> {
        let byte = self.byte_at(text, at, span)?;
        self.decide(&byte, Relation::Zero, span)
    }

    /// How many characters at the beginning of a text belong to a set, or do not.
    fn span_of(&mut self, text: &Value, set: &Value, inside: bool, span: Span) -> Doing<u64> {
        let all = self.length(set, None, span)?;
        let mut at = 0;
        loop {
            if self.is_end(text, at, span)? {
                return Ok(at);
            }
            let byte = self.byte_at(text, at, span)?;
            let mut member = false;
            for i in 0..all {
                let difference = self.byte_at(set, i, span)?.plus(-1, &byte);
                let difference = self.linear(difference, span)?;
                if self.decide(&difference, Relation::Zero, span)? {
                    member = true;
                    break;
                }
            }
            if member != inside {
                return Ok(at);
            }
            at += 1;
        }
    }

    /// `strtok`: where it goes on stands in an object that nobody sees, or where the caller says.
    fn next_token(&mut self, text: &Value, set: &Value, place: Option<&Value>, span: Span) -> Doing<Value> {
        let any = Ty::Void.pointer();
        let place = match (place, self.hidden) {
            (Some(place), _) => place.clone(),
            (None, Some(hidden)) => pointer(hidden),
            (None, None) => {
                let size = self.size(&any, span)?;
                let hidden = self.new_object(Object::new(size, Storage::Static, Fill::Zero), span)?;
                self.hidden = Some(hidden);
                pointer(hidden)
            }
        };
        let mut from = text.clone();
        if from.known() == Some(0) {
            from = self.load(&super::access::Place::whole(place.clone()), &any, span)?;
            if from.known() == Some(0) {
                // Libraries give null here as long as they are not asked for a new text.
                return Ok(Value::int(0));
            }
        }
        let skipped = self.span_of(&from, set, true, span)?;
        let start = self.moved(from, &Linear::number(i128::from(skipped)), span)?;
        if self.is_end(&start, 0, span)? {
            self.store(&place, &any, start, span)?;
            return Ok(Value::int(0));
        }
        let length = self.span_of(&start, set, false, span)?;
        let mut next = self.moved(start.clone(), &Linear::number(i128::from(length)), span)?;
        if !self.is_end(&next, 0, span)? {
            self.set_byte(&next, 0, Linear::number(0), span)?;
            next = self.moved(next, &Linear::number(1), span)?;
        }
        self.store(&place, &any, next, span)?;
        Ok(start)
    }

    /// `strtol` and the like. Of a text that is not known as a whole, any number and any end are possible.
    fn read_number(
        &mut self,
        text: &Value,
        end: Option<&Value>,
        base: Option<i128>,
        whole: &'a Expr,
    ) -> Doing<Value> {
        let span = whole.span;
        let length = self.length(text, None, span)?;
        let Some(kind) = whole.ty.int() else { return self.give_up(span, "this number is read") };
        let mut known = Some(Vec::new());
        for i in 0..length {
            let byte = self.byte_at(text, i, span)?.known();
            known = known.zip(byte).map(|(mut text, byte)| {
                text.push(byte as u8);
                text
            });
        }
        let base = base.and_then(|b| u32::try_from(b).ok()).filter(|b| *b == 0 || (2..=36).contains(b));
        let read = known.zip(base).and_then(|(text, base)| number_in(&text, base, kind));
        let (number, after) = match read {
            Some((number, after)) => (Linear::number(number), Linear::number(after as i128)),
            None if self.path.is_run() => return self.give_up(span, "the number in this text"),
            None => {
                self.path.inexact = true;
                let after = match end {
                    Some(end) if end.known() != Some(0) => {
                        let after = self.path.auxiliary(0, i128::from(length));
                        Linear::number(self.concrete(&after, span)?)
                    }
                    _ => Linear::number(0),
                };
                (self.path.auxiliary(kind.min(), kind.max()), after)
            }
        };
        if let Some(end) = end
            && end.known() != Some(0)
        {
            let after = self.moved(text.clone(), &after, span)?;
            self.store(end, &Ty::Void.pointer(), after, span)?;
        }
        Ok(Value::Int(number))
    }
}

/// The number at the beginning of a text, and where it ends; none if it is too large for its type.
fn number_in(text: &[u8], base: u32, kind: IntKind) -> Option<(i128, usize)> {
    let blank = |b: &&u8| matches!(b, b' ' | 9..=13);
    let mut at = text.iter().take_while(blank).count();
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let digit = |at: usize, base: u32| text.get(at).and_then(|b| char::from(*b).to_digit(base));
    let mut base = base;
    let hex = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2, 16).is_some();
    if hex && (base == 0 || base == 16) {
        (base, at) = (16, at + 2);
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    let start = at;
    let mut number = 0i128;
    while let Some(digit) = digit(at, base) {
        number = number.checked_mul(i128::from(base))?.checked_add(i128::from(digit))?;
        at += 1;
    }
    if at == start {
        return Some((0, 0));
    }
    let number = if negative { -number } else { number };
    let fits = kind.min() <= number && number <= kind.max();
    fits.then_some((number, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_beginning_of_texts() {
        let long = IntKind { bits: 64, signed: true };
        let read = |text: &str, base| number_in(text.as_bytes(), base, long);
        assert_eq!(read("  -12x", 10), Some((-12, 5)));
        assert_eq!(
            (read("0x1F", 0), read("0x", 16), read("077", 0)),
            (Some((31, 4)), Some((0, 1)), Some((63, 3)))
        );
        assert_eq!(
            (read("+", 10), read("", 10), read("zz", 36)),
            (Some((0, 0)), Some((0, 0)), Some((1295, 2)))
        );
        assert_eq!(
            (read("9223372036854775807", 10).is_some(), read("9223372036854775808", 10)),
            (true, None)
        );
    }
}
