//! Macro expansion.
//!
//! The input is a stack of tokens, the next one on top, and behind it the rest of the file: a name at the end of an
//! expansion may be called by the parenthesis after it. The replacement of a macro is pushed on the stack followed by a
//! marker; until the marker is met the macro is *active* and its name is painted, never to be expanded again
//! (C11 6.10.3.4). Arguments are expanded by themselves before they are put in, except beside `#` and `##`.

use super::super::padding::Padding;
use super::super::token::{Kind, Name, Token};
use super::substitute::{Arguments, Replacement};
use super::{Preprocessor, has, is_hash};
use crate::frontend::diagnostic::{Diagnostic, Sources, Span};

/// Macro calls inside arguments of macro calls, at most.
const MAX_DEPTH: usize = 200;

/// One entry of the input stack.
#[derive(Clone, Copy)]
enum Item {
    Token(Token),
    /// The replacement of this macro ends here, and with what it has behind its last token.
    End(Name, Padding),
}

/// What follows the tokens on the stack, and what they are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Text of the program; the rest of the file follows.
    Text,
    /// A directive or an argument; nothing follows.
    Line,
    /// A condition, in which `defined` is an operator; nothing follows.
    Condition,
}

/// Tokens still to be read, last first.
pub(super) struct Input {
    items: Vec<Item>,
    active: Vec<Name>,
    depth: usize,
    purpose: Purpose,
    /// What stood before the next token and was no token.
    padding: Padding,
}

impl Input {
    fn new(tokens: &[Token], purpose: Purpose) -> Input {
        let items = tokens.iter().rev().map(|t| Item::Token(*t)).collect();
        Input { items, active: Vec::new(), depth: 0, purpose, padding: Padding::default() }
    }
}

impl Input {
    /// The replacement of a macro is over.
    fn leave(&mut self, name: Name, padding: Padding) {
        self.active.retain(|n| *n != name);
        self.padding.then(padding);
        self.padding.end();
    }

    /// A token behind what stood before it.
    fn place(&mut self, token: Token) -> Token {
        let mut before = std::mem::take(&mut self.padding);
        before.then(token.before);
        Token { before, ..token }
    }
}

impl Preprocessor<'_> {
    /// Expands a name of the text, with what follows if it is called, onto the output.
    pub(super) fn expand_text(&mut self, token: Token) {
        let mut input = Input::new(&[token], Purpose::Text);
        while let Some(token) = self.next_expanded(&mut input) {
            self.put(token);
        }
    }

    /// The tokens of a directive, expanded.
    pub(super) fn expand_line(&mut self, line: &[Token], condition: bool) -> Vec<Token> {
        let purpose = if condition { Purpose::Condition } else { Purpose::Line };
        let mut input = Input::new(line, purpose);
        std::iter::from_fn(|| self.next_expanded(&mut input)).collect()
    }

    fn next_expanded(&mut self, input: &mut Input) -> Option<Token> {
        loop {
            let mut token = match input.items.pop()? {
                Item::End(name, padding) => {
                    input.leave(name, padding);
                    continue;
                }
                Item::Token(token) => token,
            };
            token = input.place(token);
            let Some(name) = token.ident().filter(|_| !token.painted) else { return Some(token) };
            if input.active.contains(&name) {
                token.painted = true;
                return Some(token);
            }
            if input.purpose == Purpose::Condition && self.names.text(name) == "defined" {
                return self.defined(input, token);
            }
            if input.purpose == Purpose::Condition && has::OPERATORS.contains(&self.names.text(name)) {
                return self.has(input, token);
            }
            if let Some(special) = self.special(name, token) {
                return Some(special);
            }
            if input.purpose == Purpose::Text && self.names.text(name) == "_Pragma" {
                self.pragma_operator(input, token)?;
                continue;
            }
            let Some(definition) = self.macros.get(&name).cloned() else { return Some(token) };
            if self.exhausted {
                return None;
            }
            let (arguments, whole) = match &definition.parameters {
                None => (Arguments::default(), token.span),
                Some(_) if !self.is_called(input) => return Some(token),
                Some(_) => {
                    let (arguments, close) = self.arguments(input, token.span)?;
                    (arguments, token.span.to(close))
                }
            };
            let body = self.substitute(&definition, &arguments, whole, name, input)?;
            self.push_replacement(input, name, body, Token { span: whole, ..token });
        }
    }

    /// A macro's replacement comes next; it begins with the blanks before the macro's name.
    fn push_replacement(&mut self, input: &mut Input, name: Name, text: Replacement, called: Token) {
        let body = text.tokens;
        if self.budget < body.len() + 1 {
            self.exhausted = true;
            let text = "macros expand to more text than is reasonable";
            self.diagnostics.push(Diagnostic::error("macro-size", called.span, text));
            return;
        }
        self.budget -= body.len() + 1;
        input.padding = called.before;
        input.padding.begin(called.spaced);
        input.active.push(name);
        input.items.push(Item::End(name, text.padding));
        input.items.extend(body.into_iter().rev().map(Item::Token));
    }

    /// The next token as it is.
    pub(super) fn next_raw(&mut self, input: &mut Input) -> Option<Token> {
        while let Some(item) = input.items.pop() {
            match item {
                Item::End(name, padding) => input.leave(name, padding),
                Item::Token(token) => return Some(input.place(token)),
            }
        }
        let file = self.files.last_mut().filter(|_| input.purpose == Purpose::Text)?;
        let &next = file.tokens.get(file.at)?;
        if (next.first && is_hash(next)) || matches!(next.kind, Kind::Open | Kind::Close) {
            let text = "a directive or annotation boundary inside the arguments of a macro";
            self.error("macro-call", next.span, text);
            return None;
        }
        file.at += 1;
        Some(next)
    }

    /// A parenthesis comes next.
    fn is_called(&self, input: &Input) -> bool {
        let next = input.items.iter().rev().find_map(|i| match i {
            Item::Token(t) => Some(*t),
            Item::End(..) => None,
        });
        let file = self.files.last().filter(|_| input.purpose == Purpose::Text);
        let next = next.or_else(|| file.and_then(|f| f.tokens.get(f.at).copied()));
        next.is_some_and(|t| t.is("("))
    }

    /// `defined X` and `defined(X)`, as a number.
    fn defined(&mut self, input: &mut Input, token: Token) -> Option<Token> {
        let mut operand = self.next_raw(input);
        let parenthesis = operand.is_some_and(|t| t.is("("));
        if parenthesis {
            operand = self.next_raw(input);
        }
        let name = operand.as_ref().and_then(Token::ident);
        let closed = !parenthesis || self.next_raw(input).is_some_and(|t| t.is(")"));
        let Some(name) = name.filter(|_| closed) else {
            self.error("directive", token.span, "`defined` needs a name");
            return None;
        };
        let value = if self.is_defined(name) { "1" } else { "0" };
        Some(Token { kind: Kind::Number(self.names.intern(value)), ..token })
    }

    /// `_Pragma("...")` is a `#pragma` line in the middle of the text.
    fn pragma_operator(&mut self, input: &mut Input, token: Token) -> Option<()> {
        let parts = [self.next_raw(input), self.next_raw(input), self.next_raw(input)];
        let [Some(open), Some(Token { kind: Kind::Str(text), .. }), Some(close)] = parts else {
            self.error("directive", token.span, "`_Pragma` needs a string in parentheses");
            return None;
        };
        if !open.is("(") || !close.is(")") {
            self.error("directive", token.span, "`_Pragma` needs a string in parentheses");
            return None;
        }
        let text = self.names.text(text).trim_start_matches(['L', 'u', 'U', '8']).to_owned();
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        let line = self.tokens_of(&inner.replace("\\\"", "\"").replace("\\\\", "\\"), token.span);
        self.pragma(&line, token.span.to(close.span));
        Some(())
    }

    /// What the compiler itself replaces.
    fn special(&mut self, name: Name, token: Token) -> Option<Token> {
        let location = |s: &Sources| s.presumed(token.span);
        let kind = match self.names.text(name) {
            "__LINE__" => {
                let line = location(self.sources).line.to_string();
                Kind::Number(self.names.intern(&line))
            }
            "__FILE__" | "__BASE_FILE__" => {
                let file = location(self.sources).file.replace('\\', "\\\\").replace('"', "\\\"");
                Kind::Str(self.names.intern(&format!("\"{file}\"")))
            }
            "__COUNTER__" => {
                self.counter += 1;
                let value = (self.counter - 1).to_string();
                Kind::Number(self.names.intern(&value))
            }
            "__INCLUDE_LEVEL__" => {
                let level = self.files.len().saturating_sub(1).to_string();
                Kind::Number(self.names.intern(&level))
            }
            "__DATE__" | "__TIME__" | "__TIMESTAMP__" => {
                let text = "the time of a compilation is not modelled";
                self.diagnostics.push(Diagnostic::unsupported("macro-call", token.span, text));
                Kind::Str(self.names.intern("\"\""))
            }
            _ => return None,
        };
        Some(Token { kind, ..token })
    }

    /// The arguments of a call whose `(` is next, and the position of its `)`.
    fn arguments(&mut self, input: &mut Input, called: Span) -> Option<(Arguments, Span)> {
        let mut arguments = Arguments { texts: vec![Vec::new()], commas: Vec::new() };
        let mut depth = 0usize;
        let complaints = self.diagnostics.len();
        while let Some(token) = self.next_raw(input) {
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
                    arguments.texts.push(Vec::new());
                    arguments.commas.push(token);
                    continue;
                }
                _ => {}
            }
            if let Some(last) = arguments.texts.last_mut() {
                last.push(token);
            }
        }
        if self.diagnostics.len() == complaints {
            self.error("macro-call", called, "the arguments of this macro are not closed");
        }
        None
    }

    /// An argument, expanded by itself, and what stands behind its last token.
    pub(super) fn expand_argument(
        &mut self,
        tokens: &[Token],
        span: Span,
        outer: &Input,
    ) -> Option<(Vec<Token>, Padding)> {
        if outer.depth >= MAX_DEPTH {
            self.error("macro-call", span, "macro calls are nested too deeply");
            self.exhausted = true;
            return None;
        }
        let purpose = if outer.purpose == Purpose::Condition { Purpose::Condition } else { Purpose::Line };
        let mut input = Input::new(tokens, purpose);
        input.active.clone_from(&outer.active);
        input.depth = outer.depth + 1;
        let mut out = Vec::new();
        while let Some(token) = self.next_expanded(&mut input) {
            out.push(token);
        }
        Some((out, input.padding))
    }
}
