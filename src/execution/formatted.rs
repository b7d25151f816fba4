//! `sprintf` and its family: the text that a format makes is written character by character.
//!
//! A number that is not known has as many paths as it may have digits; its digits are rests, so nothing is lost. Where states are summed
//! up anyway, it is enough that the longest text there can be fits: then any text of at most that length stands there.

use super::access::Place;
use super::machine::{Doing, Machine};
use super::memory::Found;
use super::path::Relation;
use super::value::{Fill, Linear, Value};
use super::variadic::{MAX_FORMAT, SLOT};
use crate::frontend::c::hir::Expr;
use crate::frontend::c::types::{FloatKind, Ty};
use crate::program::{Check, IntKind};
use crate::util::span::Span;

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Character(u8),
    Conversion { flags: Vec<u8>, width: Count, precision: Count, size: Vec<u8>, letter: u8 },
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    None,
    Number(u64),
    /// It is an argument.
    Given,
}

/// Where the values to be converted come from.
pub(super) enum Given<'v> {
    /// Arguments of the call, from this one on.
    Arguments(&'v [Value], usize),
    /// A list of arguments: its next slot.
    List(Value),
}

/// Characters that a conversion is widened to, at most.
const MAX_WIDTH: u64 = 4_096;

fn parts(format: &[u8]) -> Option<Vec<Part>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'%' {
            found.push(Part::Character(*byte));
            continue;
        }
        if let Some(after) = rest.strip_prefix(b"%") {
            found.push(Part::Character(b'%'));
            rest = after;
            continue;
        }
        let mut take = |set: &[u8]| {
            let length = rest.iter().take_while(|b| set.contains(b)).count();
            let (taken, after) = rest.split_at(length);
            rest = after;
            taken.to_vec()
        };
        let flags = take(b"-+ #0");
        let count = |take: &mut dyn FnMut(&[u8]) -> Vec<u8>| match &take(b"*0123456789")[..] {
            [] => Some(Count::None),
            b"*" => Some(Count::Given),
            digits => {
                let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
                (number <= MAX_WIDTH).then_some(Count::Number(number))
            }
        };
        let width = count(&mut take)?;
        let precision = match take(b".").len() {
            0 => Count::None,
            1 => match count(&mut take)? {
                Count::None => Count::Number(0),
                precision => precision,
            },
            _ => return None,
        };
        let size = take(b"hljztL");
        let (letter, after) = rest.split_first()?;
        rest = after;
        found.push(Part::Conversion { flags, width, precision, size, letter: *letter });
    }
    Some(found)
}

/// The kind of number that a conversion takes.
fn kind_of(letter: u8, size: &[u8], lp64: bool) -> Option<IntKind> {
    let signed = match letter {
        b'd' | b'i' => true,
        b'u' | b'x' | b'X' | b'o' => false,
        _ => return None,
    };
    let bits = match size {
        b"" => 32,
        b"h" => 16,
        b"hh" => 8,
        b"l" | b"z" | b"t" if lp64 => 64,
        b"l" | b"z" | b"t" => 32,
        b"ll" | b"j" => 64,
        _ => return None,
    };
    Some(IntKind { bits, signed })
}

impl<'a> Machine<'a> {
    /// The characters of a format.
    fn format_text(&mut self, format: &Value, span: Span) -> Doing<Vec<Part>> {
        let length = self.length(format, Some(MAX_FORMAT), span)?;
        let mut text = Vec::new();
        for i in 0..length {
            match self.byte_at(format, i, span)?.known() {
                Some(byte) => text.push(byte as u8),
                None => return self.give_up(span, "this format is not known"),
            }
        }
        match parts(&text) {
            Some(parts) => Ok(parts),
            None => self.give_up(span, "this format is not known"),
        }
    }

    fn next_given(&mut self, given: &mut Given<'_>, ty: &Ty, span: Span) -> Doing<Value> {
        match given {
            Given::Arguments(values, next) => {
                *next += 1;
                match values.get(*next - 1) {
                    Some(value) => Ok(value.clone()),
                    None => self.fail(Check::Memsafety, span, "there is no further argument"),
                }
            }
            Given::List(slot) => {
                self.is_given(slot, span)?;
                let value = self.load(&Place::whole(slot.clone()), ty, span)?;
                *slot = self.moved(slot.clone(), &Linear::number(i128::from(SLOT)), span)?;
                Ok(value)
            }
        }
    }

    fn count(&mut self, count: Count, given: &mut Given<'_>, span: Span) -> Doing<Option<i128>> {
        match count {
            Count::None => Ok(None),
            Count::Number(n) => Ok(Some(i128::from(n))),
            Count::Given => {
                let Value::Int(number) = self.next_given(given, &Ty::INT, span)? else {
                    return self.give_up(span, "this value is a width");
                };
                let number = self.concrete(&number, span)?;
                if number.unsigned_abs() > u128::from(MAX_WIDTH) {
                    return self.give_up(span, "so large a width");
                }
                Ok(Some(number))
            }
        }
    }

    /// `sprintf` and the like: the text, and how many characters of it there is room for.
    pub(super) fn write_formatted(
        &mut self,
        to: &Value,
        room: Option<u64>,
        format: &Value,
        mut given: Given<'_>,
        whole: &'a Expr,
    ) -> Doing<Value> {
        let span = whole.span;
        let parts = self.format_text(format, span)?;
        if self.summing.is_some()
            && let Given::Arguments(values, next) = given
            && let Some(result) = self.write_any(to, room, &parts, &values[next..], whole)?
        {
            return Ok(result);
        }
        let mut text = Vec::new();
        for part in parts {
            match part {
                Part::Character(byte) => text.push(Linear::number(i128::from(byte))),
                conversion @ Part::Conversion { .. } => {
                    text.extend(self.convert_part(conversion, &mut given, span)?);
                }
            }
            self.budget.spend(1 + text.len() as u64 / 16)?;
        }
        let shown = room.map_or(text.len() as u64, |room| room.saturating_sub(1).min(text.len() as u64));
        if room != Some(0) {
            for (i, byte) in text.iter().take(shown as usize).enumerate() {
                self.set_byte(to, i as u64, byte.clone(), span)?;
            }
            self.set_byte(to, shown, Linear::number(0), span)?;
        }
        Ok(Value::int(text.len() as i128))
    }

    /// The characters that one conversion makes.
    fn convert_part(&mut self, part: Part, given: &mut Given<'_>, span: Span) -> Doing<Vec<Linear>> {
        let Part::Conversion { mut flags, width, precision, size, letter } = part else {
            return Ok(Vec::new());
        };
        let width = self.count(width, given, span)?;
        let precision = self.count(precision, given, span)?.filter(|n| *n >= 0).map(|n| n as u64);
        if width.is_some_and(|w| w < 0) {
            flags.push(b'-');
        }
        let width = width.map_or(0, i128::unsigned_abs) as usize;
        let (mut sign, mut body) = (Vec::new(), Vec::new());
        let lp64 = self.types().lp64;
        let mut zeros = flags.contains(&b'0') && !flags.contains(&b'-');
        match letter {
            b'c' if size.is_empty() => {
                let Value::Int(number) = self.next_given(given, &Ty::INT, span)? else {
                    return self.give_up(span, "this value as a character");
                };
                body.push(self.wrapped(&number, IntKind { bits: 8, signed: false }, span)?);
                zeros = false;
            }
            b's' if size.is_empty() => {
                let text = self.next_given(given, &Ty::Void.pointer(), span)?;
                if text.known() == Some(0) {
                    return self.give_up(span, "a null pointer is written as text");
                }
                let length = self.length(&text, precision, span)?;
                for i in 0..length {
                    body.push(self.byte_at(&text, i, span)?);
                }
                zeros = false;
            }
            b'f' | b'F' if size.is_empty() || size == b"l" => {
                let kind = Ty::Float(FloatKind::Double);
                match self.next_given(given, &kind, span)? {
                    Value::Float(x) if x.is_finite() && precision.is_none_or(|p| p > 0) => {
                        let places = precision.unwrap_or(6) as usize;
                        let text = format!("{:.places$}", x.abs());
                        body.extend(text.bytes().map(|b| Linear::number(i128::from(b))));
                        sign = self.sign_of(x.is_sign_negative(), &flags);
                    }
                    _ => return self.give_up(span, "this number with a fraction is written as text"),
                }
            }
            _ => {
                let Some(kind) = kind_of(letter, &size, lp64) else {
                    return self.give_up(span, "this conversion is not modelled");
                };
                if flags.contains(&b'#') {
                    return self.give_up(span, "this conversion is not modelled");
                }
                let promoted = IntKind { bits: kind.bits.max(32), ..kind };
                let Value::Int(number) = self.next_given(given, &Ty::Int(promoted), span)? else {
                    return self.give_up(span, "this value is written as a number");
                };
                let number = self.wrapped(&number, kind, span)?;
                let below = self.linear(number.shifted(1), span)?;
                let negative = self.decide(&below, Relation::NotPositive, span)?;
                let size = if negative { self.linear(number.times(-1), span)? } else { number };
                body = self.digits(size, letter, span)?;
                if let Some(least) = precision {
                    zeros = false;
                    if least == 0 && body.len() == 1 {
                        return self.give_up(span, "this conversion is not modelled");
                    }
                    let missing = (least as usize).saturating_sub(body.len());
                    body.splice(0..0, vec![Linear::number(48); missing]);
                }
                if kind.signed {
                    sign = self.sign_of(negative, &flags);
                }
            }
        }
        let missing = width.saturating_sub(sign.len() + body.len());
        let blanks = vec![Linear::number(32); missing];
        Ok(if flags.contains(&b'-') {
            [sign, body, blanks].concat()
        } else if zeros {
            [sign, vec![Linear::number(48); missing], body].concat()
        } else {
            [blanks, sign, body].concat()
        })
    }

    fn sign_of(&self, negative: bool, flags: &[u8]) -> Vec<Linear> {
        let sign = match negative {
            true => Some(b'-'),
            false if flags.contains(&b'+') => Some(b'+'),
            false => flags.contains(&b' ').then_some(b' '),
        };
        sign.map(|s| Linear::number(i128::from(s))).into_iter().collect()
    }

    /// The digits of a number that is not negative.
    fn digits(&mut self, number: Linear, letter: u8, span: Span) -> Doing<Vec<Linear>> {
        let base: i128 = match letter {
            b'o' => 8,
            b'x' | b'X' => 16,
            _ => 10,
        };
        let (mut count, mut limit) = (1, base);
        loop {
            let above = self.linear(number.shifted(1 - limit), span)?;
            if self.decide(&above, Relation::NotPositive, span)? {
                break;
            }
            count += 1;
            limit *= base;
        }
        let mut digits = Vec::new();
        let mut rest = number;
        for _ in 0..count {
            let (quotient, digit) = self.divided(&rest, base, span)?;
            let after = if letter == b'X' { 55 } else { 87 };
            let beyond = self.linear(digit.shifted(-9), span)?;
            digits.push(if base < 16 || self.decide(&beyond, Relation::NotPositive, span)? {
                self.linear(digit.shifted(48), span)?
            } else {
                self.linear(digit.shifted(after), span)?
            });
            rest = quotient;
        }
        digits.reverse();
        Ok(digits)
    }

    /// Any text that is not longer than what the format can make, if there is room for the longest one.
    fn write_any(
        &mut self,
        to: &Value,
        room: Option<u64>,
        parts: &[Part],
        values: &[Value],
        whole: &'a Expr,
    ) -> Doing<Option<Value>> {
        let (span, lp64) = (whole.span, self.types().lp64);
        let (mut least, mut most, mut next) = (0u64, 0u64, 0);
        for part in parts {
            let Part::Conversion { width, precision, size, letter, .. } = part else {
                (least, most) = (least + 1, most + 1);
                continue;
            };
            let width = match width {
                Count::None => 0,
                Count::Number(n) => *n,
                Count::Given => return Ok(None),
            };
            let Some(value) = values.get(next) else { return Ok(None) };
            next += 1;
            let (low, high) = match (letter, value, precision) {
                (b'c', Value::Int(_), Count::None) if size.is_empty() => (1, 1),
                (b's', Value::Pointer(..), Count::None) if size.is_empty() => match self.longest(value) {
                    Some(longest) => (0, longest),
                    None => return Ok(None),
                },
                (_, Value::Int(_), Count::None) => match kind_of(*letter, size, lp64) {
                    Some(kind) if *letter == b'd' || *letter == b'i' => {
                        (1, kind.min().to_string().len() as u64)
                    }
                    Some(kind) => (1, u64::from(kind.bits).div_ceil(3)),
                    None => return Ok(None),
                },
                _ => return Ok(None),
            };
            (least, most) = (least + low.max(width), most + high.max(width));
        }
        let written = room.map_or(most, |room| room.saturating_sub(1).min(most));
        let Value::Pointer(id, offset) = to else { return Ok(None) };
        let Some(at) = offset.known().and_then(|at| u64::try_from(at).ok()) else { return Ok(None) };
        let id = self.settled(*id, span)?;
        let object = self.memory.object(id);
        let fits = at.checked_add(written + 1).is_some_and(|end| end <= object.size);
        if !fits || room == Some(0) || !object.alive || object.constant || object.outside.is_some() {
            return Ok(None);
        }
        let (id, at) = self.accessed(to, written + 1, true, span)?;
        let object = self.memory.object_mut(id);
        object.fill(at, written, Fill::Arbitrary);
        object.write(at + written, 1, Value::int(0));
        self.path.inexact = true;
        Ok(Some(Value::Int(self.path.auxiliary(i128::from(least), i128::from(most)))))
    }

    /// How long a text is at most: up to a zero that certainly stands there.
    fn longest(&self, text: &Value) -> Option<u64> {
        let Value::Pointer(id, offset) = text else { return None };
        let at = u64::try_from(offset.known()?).ok()?;
        let object = self.memory.object(*id);
        if !object.alive || object.outside.is_some() {
            return None;
        }
        let end = object.size.min(at.saturating_add(MAX_FORMAT));
        let zero = |i: &u64| object.read(*i, 1) == Found::Value(Value::int(0));
        (at..end).find(zero).map(|i| i - at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let found = parts(b"a%%%-08.*lld").expect("a format");
        assert_eq!(found[..2], [Part::Character(b'a'), Part::Character(b'%')]);
        let Part::Conversion { flags, width, precision, size, letter } = &found[2] else { panic!() };
        assert_eq!((&flags[..], *width, *precision), (&b"-0"[..], Count::Number(8), Count::Given));
        assert_eq!((&size[..], *letter), (&b"ll"[..], b'd'));
        assert!(parts(b"%").is_none() && parts(b"%1**d").is_none() && parts(b"%..2d").is_none());
    }
}
