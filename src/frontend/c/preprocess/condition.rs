//! Constant expressions of `#if` and `#elif`.

use super::super::token::{Kind, Token};
use super::Preprocessor;
use crate::frontend::c::number;
use crate::frontend::diagnostic::{Diagnostic, Span};

const MAX_DEPTH: usize = 200;

impl Preprocessor<'_> {
    /// The value of a condition; an error counts as false.
    pub(super) fn condition(&mut self, line: &[Token], span: Span) -> bool {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(&token) = line.get(at) {
            at += 1;
            let defined = token.ident().is_some_and(|n| self.names.text(n) == "defined");
            if !defined {
                tokens.push(token);
                continue;
            }
            // `defined X` and `defined(X)` are replaced before macros are.
            let parenthesis = line.get(at).is_some_and(|t| t.is("("));
            let name = line.get(at + usize::from(parenthesis)).and_then(Token::ident);
            let closed = !parenthesis || line.get(at + 2).is_some_and(|t| t.is(")"));
            let Some(name) = name.filter(|_| closed) else {
                self.error("directive", token.span, "`defined` needs a name");
                return false;
            };
            at += if parenthesis { 3 } else { 1 };
            let value = if self.macros.contains_key(&name) { "1" } else { "0" };
            tokens.push(Token { kind: Kind::Number(self.names.intern(value)), ..token });
        }
        let saved = std::mem::take(&mut self.output);
        let mut input = self.input_of(&tokens);
        self.expand_all(&mut input);
        let tokens = std::mem::replace(&mut self.output, saved);
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0, names: self.names };
        let value = reader.conditional(true);
        let complete = reader.at == tokens.len();
        match value {
            Ok(value) if complete => value != 0,
            Ok(_) => {
                let place = tokens.get(reader.at).map_or(span, |t| t.span);
                self.error("directive", place, "unexpected text after the condition");
                false
            }
            Err((place, message)) => {
                self.diagnostics.push(Diagnostic::error("directive", place.unwrap_or(span), message));
                false
            }
        }
    }
}

type Value = Result<i128, (Option<Span>, String)>;

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

    fn fail<T>(&self, message: &str) -> Result<T, (Option<Span>, String)> {
        Err((self.tokens.get(self.at).map(|t| t.span), message.to_owned()))
    }

    /// `live`: the value is used, so a division by zero is an error.
    fn conditional(&mut self, live: bool) -> Value {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("the condition is nested too deeply");
        }
        let test = self.binary(0, live)?;
        let value = if self.eat("?") {
            let yes = self.conditional(live && test != 0)?;
            if !self.eat(":") {
                return self.fail("`:` is missing");
            }
            let no = self.conditional(live && test == 0)?;
            if test != 0 { yes } else { no }
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
            let right_live = live && !(op == "&&" && left == 0) && !(op == "||" && left != 0);
            let right = self.binary(level + 1, right_live)?;
            if matches!(op, "/" | "%") && right == 0 {
                if right_live {
                    return self.fail("division by zero in a condition");
                }
                left = 0;
                continue;
            }
            left = apply(op, left, right);
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
            Kind::Punct("!") => i128::from(self.unary(live)? == 0),
            Kind::Punct("-") => wrap(-self.unary(live)?),
            Kind::Punct("+") => self.unary(live)?,
            Kind::Punct("~") => !self.unary(live)?,
            Kind::Punct("(") => {
                let value = self.conditional(live)?;
                if !self.eat(")") {
                    return self.fail("`)` is missing");
                }
                value
            }
            Kind::Number(text) => match number::integer(self.names.text(text)) {
                Some(literal) => wrap(literal.value as i128),
                None => {
                    self.at -= 1;
                    return self.fail("not an integer");
                }
            },
            Kind::Char(text) => number::character(self.names.text(text)).map_or(0, i128::from),
            // What is still a name is no macro: it counts as 0.
            Kind::Ident(_) => 0,
            _ => {
                self.at -= 1;
                return self.fail("unexpected text in a condition");
            }
        };
        self.depth -= 1;
        Ok(value)
    }
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

/// To the range of `intmax_t`.
fn wrap(value: i128) -> i128 {
    i128::from(value as i64)
}

fn apply(op: &str, a: i128, b: i128) -> i128 {
    let truth = i128::from;
    let shift = (b & 63) as u32;
    wrap(match op {
        "||" => truth(a != 0 || b != 0),
        "&&" => truth(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(a < b),
        ">" => truth(a > b),
        "<=" => truth(a <= b),
        ">=" => truth(a >= b),
        "<<" => a << shift,
        ">>" => a >> shift,
        "+" => a + b,
        "-" => a - b,
        "*" => a.wrapping_mul(b),
        "/" => a / b,
        _ => a % b,
    })
}
