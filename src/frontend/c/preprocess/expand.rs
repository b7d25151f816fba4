//! Macro expansion.
//!
//! The input is a stack of tokens, the next one on top. The replacement of a macro is pushed on it followed by a
//! marker; until the marker is met the macro is *active* and its name is painted, never to be expanded again
//! (C11 6.10.3.4). Arguments are expanded by themselves before they are put in, except beside `#` and `##`.

use super::super::lex::lex;
use super::super::token::{Kind, Name, Token};
use super::{Macro, Preprocessor, spell};
use crate::frontend::diagnostic::{Diagnostic, Sources, Span};

/// Macro calls inside arguments of macro calls, at most.
const MAX_DEPTH: usize = 200;

/// One entry of the input stack.
#[derive(Clone, Copy)]
enum Item {
    Token(Token),
    /// The replacement of this macro ends here.
    End(Name),
}

/// Tokens still to be read, last first.
pub(super) struct Input {
    items: Vec<Item>,
    active: Vec<Name>,
    depth: usize,
}

impl Preprocessor<'_> {
    /// The macro's name and, for a call, the tokens up to the closing parenthesis: they may stand on the
    /// following lines of the file.
    pub(super) fn gather(&mut self, token: Token, name: Name) -> Input {
        let mut tokens = vec![token];
        // An object-like macro may stand for the name of a function-like one, so the parenthesis is looked for
        // whatever kind of macro this is.
        let any_function =
            self.macros.get(&name).is_some_and(|m| m.parameters.is_some() || !m.body.is_empty());
        let mut misplaced = None;
        if let Some(file) = self.files.last_mut()
            && any_function
            && file.tokens.get(file.at).is_some_and(|t| t.is("("))
        {
            let mut depth = 0usize;
            while let Some(&next) = file.tokens.get(file.at) {
                if (next.first && next.is("#")) || matches!(next.kind, Kind::Open | Kind::Close) {
                    misplaced = Some(next.span);
                    break;
                }
                file.at += 1;
                tokens.push(next);
                depth = if next.is("(") { depth + 1 } else { depth - usize::from(next.is(")")) };
                if depth == 0 {
                    break;
                }
            }
        }
        if let Some(span) = misplaced {
            self.error(
                "macro-call",
                span,
                "a directive or annotation boundary inside the arguments of a macro",
            );
        }
        Input { items: tokens.into_iter().rev().map(Item::Token).collect(), active: Vec::new(), depth: 0 }
    }

    /// Expands everything onto the output.
    pub(super) fn expand_all(&mut self, input: &mut Input) {
        while let Some(token) = self.next_expanded(input) {
            self.output.push(token);
        }
    }

    fn next_expanded(&mut self, input: &mut Input) -> Option<Token> {
        loop {
            let mut token = match input.items.pop()? {
                Item::End(name) => {
                    input.active.retain(|n| *n != name);
                    continue;
                }
                Item::Token(token) => token,
            };
            let Some(name) = token.ident().filter(|_| !token.painted) else { return Some(token) };
            if input.active.contains(&name) {
                token.painted = true;
                return Some(token);
            }
            if let Some(special) = self.special(name, token) {
                return Some(special);
            }
            let Some(definition) = self.macros.get(&name).cloned() else { return Some(token) };
            if self.exhausted {
                return None;
            }
            match &definition.parameters {
                None => {
                    let body: Vec<Token> =
                        definition.body.iter().map(|t| Token { span: token.span, ..*t }).collect();
                    let body = self.paste(body);
                    self.push_replacement(input, name, body, token.span);
                }
                Some(_) => {
                    let called = input.items.iter().rev().find_map(|i| match i {
                        Item::Token(t) => Some(t.is("(")),
                        Item::End(_) => None,
                    });
                    if called != Some(true) {
                        return Some(token);
                    }
                    let (arguments, close) = self.arguments(input, token.span)?;
                    let whole = token.span.to(close);
                    let body = self.substitute(&definition, &arguments, whole, name, input)?;
                    self.push_replacement(input, name, body, whole);
                }
            }
        }
    }

    fn push_replacement(&mut self, input: &mut Input, name: Name, body: Vec<Token>, span: Span) {
        if self.budget < body.len() + 1 {
            self.exhausted = true;
            let text = "macros expand to more text than is reasonable";
            self.diagnostics.push(Diagnostic::error("macro-size", span, text));
            return;
        }
        self.budget -= body.len() + 1;
        input.active.push(name);
        input.items.push(Item::End(name));
        input.items.extend(body.into_iter().rev().map(Item::Token));
    }

    /// `__LINE__` and `__FILE__`.
    fn special(&mut self, name: Name, token: Token) -> Option<Token> {
        let location = |s: &Sources| s.presumed(token.span);
        let kind = match self.names.text(name) {
            "__LINE__" => {
                let line = location(self.sources).line.to_string();
                Kind::Number(self.names.intern(&line))
            }
            "__FILE__" => {
                let file = format!("\"{}\"", location(self.sources).file.escape_default());
                Kind::Str(self.names.intern(&file))
            }
            _ => return None,
        };
        Some(Token { kind, ..token })
    }

    /// The arguments of a call whose `(` is next, and the position of its `)`.
    fn arguments(&mut self, input: &mut Input, called: Span) -> Option<(Vec<Vec<Token>>, Span)> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        while let Some(item) = input.items.pop() {
            let token = match item {
                Item::End(name) => {
                    input.active.retain(|n| *n != name);
                    continue;
                }
                Item::Token(token) => token,
            };
            match token.kind {
                Kind::Punct("(") => {
                    depth += 1;
                    if depth == 1 {
                        continue;
                    }
                }
                Kind::Punct(")") => {
                    depth -= 1;
                    if depth == 0 {
                        return Some((arguments, token.span));
                    }
                }
                Kind::Punct(",") if depth == 1 => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
        self.error("macro-call", called, "the arguments of this macro are not closed");
        None
    }

    fn substitute(
        &mut self,
        definition: &Macro,
        arguments: &[Vec<Token>],
        span: Span,
        name: Name,
        input: &Input,
    ) -> Option<Vec<Token>> {
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let Some(arguments) = fit(parameters, definition.variadic, arguments) else {
            let text = format!(
                "macro `{}` takes {} arguments, {} given",
                self.names.text(name),
                parameters.len(),
                arguments.len()
            );
            self.error("macro-call", span, text);
            return None;
        };
        let index = |token: &Token| token.ident().and_then(|n| parameters.iter().position(|p| *p == n));
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; parameters.len()];
        let mut out: Vec<Token> = Vec::new();
        let body = &definition.body;
        let mut at = 0;
        while let Some(token) = body.get(at) {
            at += 1;
            let here = Token { span, ..*token };
            if token.is("#")
                && let Some(parameter) = body.get(at).and_then(&index)
            {
                let text =
                    spell(&arguments[parameter], self.names).replace('\\', "\\\\").replace('"', "\\\"");
                let text = self.names.intern(&format!("\"{text}\""));
                out.push(Token { kind: Kind::Str(text), ..here });
                at += 1;
                continue;
            }
            let Some(parameter) = index(token) else {
                out.push(here);
                continue;
            };
            let pasted = body.get(at).is_some_and(|t| t.is("##")) || (at >= 2 && body[at - 2].is("##"));
            if pasted {
                if arguments[parameter].is_empty() {
                    // A placeholder, so that `##` has two neighbours; it vanishes afterwards.
                    out.push(Token { kind: Kind::Ident(self.names.intern("")), ..here });
                }
                out.extend_from_slice(&arguments[parameter]);
                continue;
            }
            if expanded[parameter].is_none() {
                let argument = &arguments[parameter];
                expanded[parameter] = Some(self.expand_argument(argument, span, input)?);
            }
            if let Some(tokens) = &expanded[parameter] {
                out.extend_from_slice(tokens);
            }
            // The replacement is one text: its size counts before the next copy is made.
            if out.len() > self.budget {
                break;
            }
        }
        Some(self.paste(out))
    }

    fn expand_argument(&mut self, tokens: &[Token], span: Span, outer: &Input) -> Option<Vec<Token>> {
        if outer.depth >= MAX_DEPTH {
            self.error("macro-call", span, "macro calls are nested too deeply");
            self.exhausted = true;
            return None;
        }
        let items = tokens.iter().rev().map(|t| Item::Token(*t)).collect();
        let mut input = Input { items, active: outer.active.clone(), depth: outer.depth + 1 };
        let mut out = Vec::new();
        while let Some(token) = self.next_expanded(&mut input) {
            out.push(token);
        }
        Some(out)
    }

    /// Joins the neighbours of every `##`.
    fn paste(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        if !tokens.iter().any(|t| t.is("##")) {
            return tokens;
        }
        let empty = self.names.intern("");
        let mut out: Vec<Token> = Vec::new();
        let mut rest = tokens.into_iter();
        while let Some(token) = rest.next() {
            if !token.is("##") {
                out.push(token);
                continue;
            }
            let (Some(left), Some(right)) = (out.pop(), rest.next()) else { continue };
            let text = format!("{}{}", left.spelling(self.names), right.spelling(self.names));
            let mut scratch = Sources::default();
            let Ok(index) = scratch.add("<pasted>", text) else { continue };
            let joined = lex(scratch.get(index), self.names, &mut Vec::new());
            if joined.is_empty() {
                out.push(left);
            } else if joined.len() == 1 {
                out.push(Token { kind: joined[0].kind, ..left });
            } else {
                self.error("macro-call", left.span, "`##` does not give one token");
                out.extend([left, right]);
            }
        }
        out.retain(|t| t.ident() != Some(empty));
        out
    }
}

/// The arguments, one per parameter; `None` if the numbers do not fit.
fn fit(parameters: &[Name], variadic: bool, arguments: &[Vec<Token>]) -> Option<Vec<Vec<Token>>> {
    let mut arguments = arguments.to_vec();
    if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
        return Some(Vec::new());
    }
    if variadic {
        if arguments.len() + 1 == parameters.len() {
            arguments.push(Vec::new());
        }
        while arguments.len() > parameters.len() && !parameters.is_empty() {
            // A comma between variable arguments belongs to them.
            let last = arguments.pop().unwrap_or_default();
            let comma = last.first().map(|t| Token { kind: Kind::Punct(","), ..*t });
            if let Some(target) = arguments.last_mut() {
                target.extend(comma);
                target.extend(last);
            }
        }
    }
    (arguments.len() == parameters.len()).then_some(arguments)
}

impl Preprocessor<'_> {
    /// Tokens of a condition as input.
    pub(super) fn input_of(&self, tokens: &[Token]) -> Input {
        let items = tokens.iter().rev().map(|t| Item::Token(*t)).collect();
        Input { items, active: Vec::new(), depth: 0 }
    }
}
