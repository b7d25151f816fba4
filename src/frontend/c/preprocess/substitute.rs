//! The replacement of one macro call: parameters, `#` and `##` (C11 6.10.3.1 to 6.10.3.3).

use super::super::lex::lex;
use super::super::padding::Padding;
use super::super::token::{Kind, Name, Names, Token};
use super::expand::Input;
use super::{Macro, Preprocessor, is_hash};
use crate::frontend::diagnostic::{Diagnostic, Sources, Span};

fn is_paste(token: &Token) -> bool {
    token.is("##") || token.is("%:%:")
}

impl Preprocessor<'_> {
    /// The body of a macro with its arguments put in.
    pub(super) fn substitute(
        &mut self,
        definition: &Macro,
        given: &Arguments,
        span: Span,
        name: Name,
        input: &Input,
    ) -> Option<Replacement> {
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let fitting = match definition.parameters {
            None => Some(Vec::new()),
            Some(_) => fit(parameters, definition.variadic, given),
        };
        let Some(arguments) = fitting else {
            let text = format!(
                "macro `{}` takes {} arguments, {} given",
                self.names.text(name),
                parameters.len(),
                given.commas.len() + 1
            );
            self.error("macro-call", span, text);
            return None;
        };
        let omitted = given.texts.len() < parameters.len()
            || (parameters.len() == 1 && given.texts.len() == 1 && given.texts[0].is_empty());
        let index = |token: &Token| token.ident().and_then(|n| parameters.iter().position(|p| *p == n));
        let mut expanded: Vec<Option<(Vec<Token>, Padding)>> = vec![None; parameters.len()];
        let mut out = Replacement::default();
        let body = &definition.body;
        let mut at = 0;
        while let Some(token) = body.get(at) {
            let pasted = at >= 2 && is_paste(&body[at - 1]);
            at += 1;
            // At the edges of a body it joins nothing, and `#define` has complained.
            if is_paste(token) && at >= 2 {
                continue;
            }
            let here = Token { span, ..*token };
            let stringised = definition.parameters.is_some() && is_hash(*token);
            if let Some(parameter) = body.get(at).filter(|_| stringised).and_then(index) {
                at += 1;
                let text = self.stringise(&arguments[parameter], span);
                let text = Token { kind: Kind::Str(self.names.intern(&text)), spaced: false, ..here };
                let place =
                    Place { spaced: here.spaced, first: at == 2, pasted, left: self.pastes(body, at) };
                self.operand(&mut out, &[text], Padding::default(), place);
                continue;
            }
            let Some(parameter) = index(token) else {
                if pasted {
                    let place = Place { spaced: false, first: false, pasted, left: true };
                    self.operand(&mut out, &[here], Padding::default(), place);
                } else {
                    out.push(here);
                }
                continue;
            };
            let place = Place { spaced: here.spaced, first: at == 1, pasted, left: self.pastes(body, at) };
            let argument = &arguments[parameter];
            let rest = definition.variadic && parameter + 1 == parameters.len();
            if pasted && rest && out.last_is_comma(body.get(at - 3)) {
                // GNU: `, ## __VA_ARGS__` leaves the comma out if there are no such arguments, not even an empty one.
                if omitted {
                    out.tokens.pop();
                    out.padding = out.before_last;
                }
                out.tokens.extend_from_slice(argument);
                out.empty = argument.is_empty();
                out.padding.end();
            } else if pasted || place.left {
                self.operand(&mut out, argument, Padding::default(), place);
            } else {
                if expanded[parameter].is_none() {
                    expanded[parameter] = Some(self.expand_argument(argument, span, input)?);
                }
                if let Some((tokens, behind)) = &expanded[parameter] {
                    self.operand(&mut out, tokens, *behind, place);
                }
            }
            // The replacement is one text: its size counts before the next copy is made.
            if out.tokens.len() > self.budget {
                break;
            }
        }
        Some(out)
    }

    fn pastes(&self, body: &[Token], at: usize) -> bool {
        body.get(at).is_some_and(is_paste)
    }

    /// Appends what stands at one place of a body, joined with what is before it if `##` says so.
    fn operand(&mut self, out: &mut Replacement, tokens: &[Token], behind: Padding, place: Place) {
        if !place.pasted && !place.first {
            out.padding.begin(place.spaced);
        }
        let mut rest = tokens;
        // Beside `##` nothing is a placemarker, which joins with anything.
        if let (true, false, Some((&right, others))) = (place.pasted, out.empty, tokens.split_first())
            && let Some(left) = out.tokens.pop()
        {
            let joined = self.paste(left, right);
            out.tokens.extend(joined);
            rest = others;
        } else if let Some((&first, others)) = tokens.split_first() {
            out.push(first);
            rest = others;
        }
        out.tokens.extend_from_slice(rest);
        out.padding.then(behind);
        if !place.left {
            out.padding.end();
        }
        out.empty = tokens.is_empty() && (out.empty || !place.pasted);
    }

    /// Two tokens as one.
    fn paste(&mut self, left: Token, right: Token) -> Vec<Token> {
        let text = format!("{}{}", left.spelling(self.names), right.spelling(self.names));
        let joined = self.tokens_of(&text, left.span);
        match joined[..] {
            // A line of a file may be longer than what a macro makes of one.
            [Token { kind: Kind::Open | Kind::Stray(_), .. }] => {}
            [joined] => return vec![Token { kind: joined.kind, painted: false, ..left }],
            _ => {}
        }
        self.error("macro-call", left.span, format!("`##` does not give one token: `{text}`"));
        vec![left, right]
    }

    /// The tokens of a text that a macro made at this place.
    pub(super) fn tokens_of(&mut self, text: &str, span: Span) -> Vec<Token> {
        let mut scratch = Sources::default();
        let Ok(index) = scratch.add("<pasted>", text.to_owned()) else { return Vec::new() };
        let tokens = lex(scratch.get(index), self.names, &mut Vec::new());
        tokens.into_iter().map(|t| Token { span, ..t }).collect()
    }

    /// `#argument` as a string literal.
    fn stringise(&mut self, argument: &[Token], span: Span) -> String {
        let renamed = |t: &Token| t.ident().is_some_and(|n| !self.names.text(n).is_ascii());
        if argument.iter().any(|t| renamed(t) && self.sources.text(t.span).contains('\\')) {
            let text = "`#` of a universal character name is not modelled";
            self.diagnostics.push(Diagnostic::unsupported("macro-call", span, text));
        }
        let text = spell(argument, self.names, |token, text| match token.kind {
            Kind::Str(_) | Kind::Char(_) => text.replace('\\', "\\\\").replace('"', "\\\""),
            _ => text.to_owned(),
        });
        // A backslash outside of literals may spoil the string that arises.
        let whole = self.tokens_of(&format!("\"{text}\""), span);
        if whole.len() != 1 {
            self.error("macro-call", span, "`#` does not give a string literal");
            return "\"\"".to_owned();
        }
        format!("\"{text}\"")
    }
}

/// A place of a body.
#[derive(Clone, Copy)]
struct Place {
    spaced: bool,
    /// Nothing stands before it.
    first: bool,
    /// `##` stands before it.
    pasted: bool,
    /// `##` stands behind it.
    left: bool,
}

/// What a body has become so far.
#[derive(Default)]
pub(super) struct Replacement {
    pub(super) tokens: Vec<Token>,
    /// What stood last was empty: a placemarker.
    empty: bool,
    /// What stands behind the last token.
    pub(super) padding: Padding,
    /// What stood before the last token.
    before_last: Padding,
}

impl Replacement {
    fn push(&mut self, token: Token) {
        self.before_last = self.padding;
        let mut before = std::mem::take(&mut self.padding);
        before.then(token.before);
        self.tokens.push(Token { before, ..token });
        self.empty = false;
    }

    /// The comma of the body before `##` was put out last.
    fn last_is_comma(&self, before: Option<&Token>) -> bool {
        before.is_some_and(|t| t.is(",")) && self.tokens.last().is_some_and(|t| t.is(","))
    }
}

/// Tokens as text, for messages and `#`: blanks become one blank.
pub(super) fn spell(tokens: &[Token], names: &Names, escape: impl Fn(&Token, &str) -> String) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && token.before.is_spaced(token.spaced) {
            text.push(' ');
        }
        text.push_str(&escape(token, &token.spelling(names)));
    }
    text
}

/// What stands between the parentheses of a call.
#[derive(Default)]
pub(super) struct Arguments {
    /// The texts between the commas.
    pub(super) texts: Vec<Vec<Token>>,
    /// The commas.
    pub(super) commas: Vec<Token>,
}

/// The arguments, one per parameter; `None` if the numbers do not fit.
fn fit(parameters: &[Name], variadic: bool, given: &Arguments) -> Option<Vec<Vec<Token>>> {
    let mut arguments = given.texts.clone();
    if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
        return Some(Vec::new());
    }
    if variadic {
        if arguments.len() + 1 == parameters.len() {
            arguments.push(Vec::new());
        }
        let further = arguments.split_off(arguments.len().min(parameters.len()));
        if let Some(last) = arguments.last_mut() {
            for (argument, comma) in further.into_iter().zip(given.commas.iter().skip(parameters.len() - 1)) {
                // A comma between variable arguments belongs to them.
                last.push(*comma);
                last.extend(argument);
            }
        }
    }
    // What stands before the first token of an argument does not belong to it.
    for first in arguments.iter_mut().filter_map(|a| a.first_mut()) {
        first.before = Padding::default();
    }
    (arguments.len() == parameters.len()).then_some(arguments)
}
