//! Functions of the library on strings and characters.

use super::machine::{Doing, Machine};
use super::path::Relation;
use super::value::{Fill, Linear, Value};
use crate::frontend::c::hir::Expr;
use crate::frontend::c::types::Ty;
use crate::program::IntKind;
use crate::util::span::Span;

/// Characters of one string that are looked at, at most.
const MAX_LENGTH: u64 = 1 << 16;

impl<'a> Machine<'a> {
    /// A function on strings or characters, if it is one.
    pub(super) fn text_function(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &'a [Expr],
        whole: &'a Expr,
    ) -> Doing<Option<Value>> {
        let span = whole.span;
        let number = |n: u64| Ok(Some(Value::int(i128::from(n))));
        match (name, values) {
            ("strlen", [text]) => number(self.length(text, None, span)?),
            ("strnlen", [text, most]) => {
                let most = self.bytes(most, span)?;
                number(self.length(text, Some(most), span)?)
            }
            ("strcmp", [a, b]) => self.compare_bytes(a, b, MAX_LENGTH, true, span).map(Some),
            ("strncmp", [a, b, most]) => {
                let most = self.bytes(most, span)?;
                self.compare_bytes(a, b, most.min(MAX_LENGTH), true, span).map(Some)
            }
            ("strcpy" | "stpcpy", [to, from]) => {
                let length = self.length(from, None, span)?;
                self.copy_text(to, 0, from, length, span)?;
                let end = if name == "stpcpy" { length } else { 0 };
                self.moved(to.clone(), &Linear::number(i128::from(end)), span).map(Some)
            }
            ("strncpy", [to, from, most]) => {
                let most = self.bytes(most, span)?;
                let length = self.length(from, Some(most), span)?;
                for i in 0..most {
                    let byte = if i < length { self.byte_at(from, i, span)? } else { Linear::number(0) };
                    self.set_byte(to, i, byte, span)?;
                }
                Ok(Some(to.clone()))
            }
            ("strcat", [to, from]) => {
                let (before, length) = (self.length(to, None, span)?, self.length(from, None, span)?);
                self.copy_text(to, before, from, length, span)?;
                Ok(Some(to.clone()))
            }
            ("strncat", [to, from, most]) => {
                let most = self.bytes(most, span)?;
                let (before, length) = (self.length(to, None, span)?, self.length(from, Some(most), span)?);
                self.copy_text(to, before, from, length, span)?;
                Ok(Some(to.clone()))
            }
            ("strdup", [from]) => {
                let length = self.length(from, None, span)?;
                self.duplicate(from, length, span).map(Some)
            }
            ("strndup", [from, most]) => {
                let most = self.bytes(most, span)?;
                let length = self.length(from, Some(most), span)?;
                self.duplicate(from, length, span).map(Some)
            }
            ("strchr" | "strrchr", [text, byte]) => {
                let length = self.length(text, None, span)?;
                let Value::Int(byte) = byte else { return self.give_up(span, "this value as a character") };
                let byte = self.wrapped(byte, IntKind { bits: 8, signed: false }, span)?;
                let order: Vec<u64> =
                    if name == "strchr" { (0..=length).collect() } else { (0..=length).rev().collect() };
                for i in order {
                    let found = self.byte_at(text, i, span)?;
                    let difference = self.linear(found.plus(-1, &byte), span)?;
                    if self.decide(&difference, Relation::Zero, span)? {
                        return self.moved(text.clone(), &Linear::number(i128::from(i)), span).map(Some);
                    }
                }
                Ok(Some(Value::int(0)))
            }
            ("strstr", [text, part]) => {
                let (length, short) = (self.length(text, None, span)?, self.length(part, None, span)?);
                for i in 0..=length.saturating_sub(short) {
                    if i + short > length {
                        break;
                    }
                    let at = self.moved(text.clone(), &Linear::number(i128::from(i)), span)?;
                    if self.compare_bytes(&at, part, short, false, span)?.known() == Some(0) {
                        return Ok(Some(at));
                    }
                }
                Ok(Some(Value::int(0)))
            }
            ("strspn" | "strcspn", [text, set]) => {
                let (length, all) = (self.length(text, None, span)?, self.length(set, None, span)?);
                for i in 0..length {
                    let byte = self.byte_at(text, i, span)?;
                    let mut member = false;
                    for j in 0..all {
                        let difference = self.byte_at(set, j, span)?.plus(-1, &byte);
                        let difference = self.linear(difference, span)?;
                        if self.decide(&difference, Relation::Zero, span)? {
                            member = true;
                            break;
                        }
                    }
                    if member == (name == "strcspn") {
                        return number(i);
                    }
                }
                number(length)
            }
            ("puts" | "perror", [text]) => {
                self.length(text, None, span)?;
                Ok(Some(Value::Int(self.path.fresh(-1, IntKind::INT.max()))))
            }
            ("fgets", [to, size, _]) => {
                let size = self.bytes(size, span)?;
                if self.choose(span)? || size == 0 {
                    return Ok(Some(Value::int(0)));
                }
                for i in 0..size.saturating_sub(1).min(MAX_LENGTH) {
                    let byte = self.path.fresh(0, 255);
                    self.set_byte(to, i, byte, span)?;
                }
                self.set_byte(to, size - 1, Linear::number(0), span)?;
                Ok(Some(to.clone()))
            }
            ("scanf", [_, rest @ ..]) => {
                for (value, argument) in rest.iter().zip(&arguments[1..]) {
                    let Ty::Pointer(target) = &argument.ty else {
                        return self.give_up(argument.span, "this argument is read into");
                    };
                    if !matches!(**target, Ty::Int(_) | Ty::Float(_)) {
                        return self.give_up(argument.span, "this argument is read into");
                    }
                    if matches!(**target, Ty::Int(kind) if kind.bits == 8) {
                        return self.give_up(argument.span, "a string is read");
                    }
                    if self.choose(span)? {
                        let read = self.arbitrary(target);
                        self.store(value, target, read, span)?;
                    }
                }
                Ok(Some(Value::Int(self.path.fresh(-1, rest.len() as i128))))
            }
            (_, [Value::Int(character)]) => match self.character(name, character, span)? {
                Some(value) => Ok(Some(value)),
                None => self.further_text_function(name, values, whole),
            },
            _ => self.further_text_function(name, values, whole),
        }
    }

    /// How many characters stand before the zero, or are looked at.
    pub(super) fn length(&mut self, text: &Value, most: Option<u64>, span: Span) -> Doing<u64> {
        let bound = most.unwrap_or(MAX_LENGTH);
        for i in 0..bound {
            let byte = self.byte_at(text, i, span)?;
            if self.decide(&byte, Relation::Zero, span)? {
                return Ok(i);
            }
        }
        match most {
            Some(most) => Ok(most),
            None => self.give_up(span, "so long a string"),
        }
    }

    /// Copies so many characters behind what stands there, and a zero.
    fn copy_text(&mut self, to: &Value, at: u64, from: &Value, length: u64, span: Span) -> Doing<()> {
        for i in 0..length {
            let byte = self.byte_at(from, i, span)?;
            self.set_byte(to, at + i, byte, span)?;
        }
        self.set_byte(to, at + length, Linear::number(0), span)
    }

    fn duplicate(&mut self, from: &Value, length: u64, span: Span) -> Doing<Value> {
        let new = self.allocate(length + 1, Fill::Arbitrary, span)?;
        if let Value::Pointer(..) = new {
            self.copy_text(&new, 0, from, length, span)?;
        }
        Ok(new)
    }

    /// Functions of `ctype.h`, in the C locale.
    fn character(&mut self, name: &str, character: &Linear, span: Span) -> Doing<Option<Value>> {
        let classes: &[(i128, i128)] = match name {
            "isdigit" => &[(48, 57)],
            "isalpha" => &[(65, 90), (97, 122)],
            "isalnum" => &[(48, 57), (65, 90), (97, 122)],
            "isupper" | "tolower" => &[(65, 90)],
            "islower" | "toupper" => &[(97, 122)],
            "isspace" => &[(9, 13), (32, 32)],
            "isxdigit" => &[(48, 57), (65, 70), (97, 102)],
            "isprint" => &[(32, 126)],
            "isgraph" => &[(33, 126)],
            "iscntrl" => &[(0, 31), (127, 127)],
            "ispunct" => &[(33, 47), (58, 64), (91, 96), (123, 126)],
            _ => return Ok(None),
        };
        let mut inside = false;
        for (low, high) in classes {
            let above = self.linear(character.times(-1).and_then(|c| c.shifted(*low)), span)?;
            let below = self.linear(character.shifted(-high), span)?;
            if self.decide(&above, Relation::NotPositive, span)?
                && self.decide(&below, Relation::NotPositive, span)?
            {
                inside = true;
                break;
            }
        }
        Ok(Some(match name {
            "tolower" if inside => Value::Int(self.linear(character.shifted(32), span)?),
            "toupper" if inside => Value::Int(self.linear(character.shifted(-32), span)?),
            "tolower" | "toupper" => Value::Int(character.clone()),
            _ if inside => Value::Int(self.path.fresh(1, IntKind::INT.max())),
            _ => Value::int(0),
        }))
    }
}
