//! Constant expressions of `#if` and `#elif`.

use super::super::token::{Kind, Token};
use super::Preprocessor;
use super::arithmetic::Number;
use crate::frontend::c::number;
use crate::frontend::diagnostic::{Diagnostic, Span};

const MAX_DEPTH: usize = 200;

impl Preprocessor<'_> {
    /// The value of a condition; an error counts as false.
    pub(super) fn condition(&mut self, line: &[Token], span: Span) -> bool {
        let tokens = self.expand_line(line, true);
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0, names: self.names };
        let value = reader.conditional(true);
        let complete = reader.at == tokens.len();
        match value {
            Ok(value) if complete => value.holds(),
            Ok(_) => {
                let place = tokens.get(reader.at).map_or(span, |t| t.span);
                self.error("directive", place, "unexpected text after the condition");
                false
            }
            Err(complaint) => {
                let place = complaint.span.unwrap_or(span);
                self.diagnostics.push(match complaint.unsupported {
                    true => Diagnostic::unsupported("directive", place, complaint.message),
                    false => Diagnostic::error("directive", place, complaint.message),
                });
                false
            }
        }
    }
}

struct Complaint {
    span: Option<Span>,
    message: String,
    /// It is legal and means something that is not known here.
    unsupported: bool,
}

type Value = Result<Number, Complaint>;

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    names: &'a super::Names,
}

impl Reader<'_> {
    fn eat(&mut self, punct: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t.is(punct));
        self.at += usize::from(found);
        found
    }

    fn fail<T>(&self, message: &str) -> Result<T, Complaint> {
        let span = self.tokens.get(self.at).map(|t| t.span);
        Err(Complaint { span, message: message.to_owned(), unsupported: false })
    }

    /// `live`: the value is used, so a division by zero is an error.
    fn conditional(&mut self, live: bool) -> Value {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("the condition is nested too deeply");
        }
        let test = self.binary(0, live)?;
        let value = if self.eat("?") {
            let yes = self.conditional(live && test.holds())?;
            if !self.eat(":") {
                return self.fail("`:` is missing");
            }
            let no = self.conditional(live && !test.holds())?;
            if test.holds() { yes.chosen_over(no) } else { no.chosen_over(yes) }
        } else {
            test
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Value {
        let mut left = self.unary(live)?;
        while let Some(Kind::Punct(op)) = self.tokens.get(self.at).map(|t| t.kind) {
            let Some(level) = precedence(op).filter(|l| *l >= least) else { break };
            self.at += 1;
            let decided = match op {
                "&&" => !left.holds(),
                "||" => left.holds(),
                _ => false,
            };
            let right_live = live && !decided;
            let right = self.binary(level + 1, right_live)?;
            left = match left.binary(op, right) {
                Some(value) => value,
                None if right_live => return self.fail("division by zero in a condition"),
                None => Number { bits: 0, unsigned: left.unsigned || right.unsigned },
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Value {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("the condition is nested too deeply");
        }
        let Some(token) = self.tokens.get(self.at) else { return self.fail("the condition is incomplete") };
        self.at += 1;
        let value = match token.kind {
            Kind::Punct(op @ ("!" | "-" | "+" | "~")) => self.unary(live)?.unary(op),
            Kind::Punct("(") => {
                let value = self.conditional(live)?;
                if !self.eat(")") {
                    return self.fail("`)` is missing");
                }
                value
            }
            Kind::Number(text) => {
                let number = self.number(self.names.text(text));
                self.at -= usize::from(number.is_err());
                number?
            }
            Kind::Char(text) => match character(self.names.text(text)) {
                Some(value) => value,
                None => {
                    let message = "the value of this character constant is not known".to_owned();
                    return Err(Complaint { span: Some(token.span), message, unsupported: true });
                }
            },
            // With some compilers these are operators; what they say is not known.
            Kind::Ident(name) if self.names.text(name).starts_with("__has_") => {
                let message = format!("what `{}` tells of a compiler is not known", self.names.text(name));
                return Err(Complaint { span: Some(token.span), message, unsupported: true });
            }
            // What is still a name is no macro: it counts as 0.
            Kind::Ident(_) => Number::signed(0),
            _ => {
                self.at -= 1;
                return self.fail("unexpected text in a condition");
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Every integer has the width of `intmax_t`; one that only `uintmax_t` holds is unsigned.
    fn number(&self, text: &str) -> Value {
        let Some(literal) = number::integer(text) else {
            let span = self.tokens.get(self.at - 1).map(|t| t.span);
            return Err(Complaint { span, message: "not an integer".to_owned(), unsupported: false });
        };
        let unsigned = literal.unsigned || i64::try_from(literal.value).is_err();
        Ok(Number { bits: literal.value, unsigned })
    }
}

/// The value of a character constant. A wide one is known if it is one character of ASCII.
fn character(text: &str) -> Option<Number> {
    let plain = text.trim_start_matches('L');
    let value = number::character(plain)?;
    let known = plain.len() == text.len() || (0..0x80).contains(&value) && !plain.contains('\\');
    known.then(|| Number::signed(value))
}

fn precedence(op: &str) -> Option<u8> {
    Some(match op {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | ">" | "<=" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        _ => return None,
    })
}
