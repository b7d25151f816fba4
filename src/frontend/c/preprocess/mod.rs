//! A small preprocessor: directives and macros over tokens.
//!
//! Directives: `#include` of the bundled headers (`stubs`), `#define` and `#undef` of both kinds of macros,
//! all conditionals, `#error`, `#line` and the `# 12 "file.c"` markers of preprocessed text; `#pragma` is
//! skipped. A token that a macro's body produces has the position of the macro's use, an argument's token keeps
//! its own. Annotations are expanded like all other text. Deliberately missing: files other than the bundled
//! ones, `_Pragma`, digraphs.

mod condition;
mod expand;
mod stubs;
#[cfg(test)]
mod tests;

use super::lex::lex;
use super::token::{Kind, Name, Names, Token};
use crate::frontend::diagnostic::{Diagnostic, Sources, Span};
use crate::util::hash::Map;

/// Includes inside includes, at most.
const MAX_INCLUDES: usize = 64;
/// Tokens that macros and includes may add beyond a multiple of the input, so that no input explodes.
const MAX_EXPANSION: usize = 1 << 21;

/// A macro.
#[derive(Clone, Debug)]
struct Macro {
    /// `None`: object-like.
    parameters: Option<Vec<Name>>,
    /// The last parameter takes all further arguments.
    variadic: bool,
    body: Vec<Token>,
}

/// One level of `#if`.
struct Conditional {
    opened: Span,
    /// Text of this group is read.
    active: bool,
    /// A group of this conditional was read already.
    taken: bool,
    /// The whole conditional stands in text that is read.
    parent: bool,
    seen_else: bool,
}

/// A file being read.
struct Reading {
    tokens: Vec<Token>,
    at: usize,
    conditionals: Vec<Conditional>,
}

/// The preprocessor's state.
pub struct Preprocessor<'a> {
    sources: &'a mut Sources,
    names: &'a mut Names,
    diagnostics: &'a mut Vec<Diagnostic>,
    macros: Map<Name, Macro>,
    files: Vec<Reading>,
    output: Vec<Token>,
    in_annotation: bool,
    budget: usize,
    exhausted: bool,
}

/// The tokens of source number `main` after preprocessing; ends with [`Kind::End`].
pub fn preprocess(
    sources: &mut Sources,
    main: usize,
    lp64: bool,
    names: &mut Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let predefined = stubs::predefined(lp64);
    let mut reader = Preprocessor {
        budget: MAX_EXPANSION + sources.get(main).text.len() * 2,
        sources,
        names,
        diagnostics,
        macros: Map::default(),
        files: Vec::new(),
        output: Vec::new(),
        in_annotation: false,
        exhausted: false,
    };
    if let Ok(index) = reader.sources.add("<built-in>", predefined) {
        reader.open(index);
        reader.run();
    }
    reader.open(main);
    reader.run();
    let source = reader.sources.get(main);
    let end = Span { start: source.end(), end: source.end() };
    let mut output = reader.output;
    output.push(Token { kind: Kind::End, span: end, first: true, spaced: true, painted: false });
    output
}

impl Preprocessor<'_> {
    fn open(&mut self, index: usize) {
        let tokens = lex(self.sources.get(index), self.names, self.diagnostics);
        self.files.push(Reading { tokens, at: 0, conditionals: Vec::new() });
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// Text is read here, not skipped.
    fn active(&self) -> bool {
        self.files.last().is_none_or(|f| f.conditionals.last().is_none_or(|c| c.active))
    }

    fn run(&mut self) {
        while let Some(file) = self.files.last_mut() {
            if self.exhausted {
                self.files.clear();
                return;
            }
            let Some(&token) = file.tokens.get(file.at) else {
                self.finish_file();
                continue;
            };
            if token.first && token.is("#") && !self.in_annotation {
                self.directive();
                continue;
            }
            file.at += 1;
            if !self.active() {
                continue;
            }
            match token.kind {
                Kind::Ident(name) if self.macros.contains_key(&name) => {
                    let mut input = self.gather(token, name);
                    self.expand_all(&mut input);
                }
                Kind::Open => self.emit_mark(token, true),
                Kind::Close => self.emit_mark(token, false),
                _ => self.output.push(token),
            }
        }
    }

    fn emit_mark(&mut self, token: Token, inside: bool) {
        self.in_annotation = inside;
        self.output.push(token);
    }

    fn finish_file(&mut self) {
        if let Some(file) = self.files.pop() {
            for open in file.conditionals {
                self.error("unclosed-conditional", open.opened, "this conditional has no `#endif`");
            }
        }
    }

    /// The tokens of the directive at the present position, without `#`; the position moves to the next line.
    fn line(&mut self) -> Vec<Token> {
        let Some(file) = self.files.last_mut() else { return Vec::new() };
        let start = file.at + 1;
        let length = file.tokens[start..].iter().take_while(|t| !t.first).count();
        file.at = start + length;
        file.tokens[start..start + length].to_vec()
    }

    fn directive(&mut self) {
        let hash = self.files.last().map_or(Span::default(), |f| f.tokens[f.at].span);
        let line = self.line();
        let Some(&word) = line.first() else { return };
        let rest = &line[1..];
        let span = hash.to(word.span);
        let active = self.active();
        if let Kind::Number(_) = word.kind {
            if active {
                self.marker(word, rest.first());
            }
            return;
        }
        if active && let Some(bad) = line.iter().find(|t| matches!(t.kind, Kind::Open)) {
            self.error("annotation-place", bad.span, "an annotation cannot stand on a line with a directive");
        }
        let Some(name) = word.ident() else {
            if active {
                self.error("directive", span, "a directive's name is expected after `#`");
            }
            return;
        };
        match self.names.text(name).to_owned().as_str() {
            "if" => {
                let value = active && self.condition(rest, span);
                self.enter(span, value);
            }
            directive @ ("ifdef" | "ifndef") => {
                let defined = match rest.first().and_then(Token::ident) {
                    Some(name) => self.macros.contains_key(&name),
                    None => {
                        if active {
                            self.error("directive", span, format!("`#{directive}` needs a name"));
                        }
                        false
                    }
                };
                self.enter(span, active && (defined == (directive == "ifdef")));
            }
            "elif" => self.elif(rest, span),
            "else" => self.switch_group(span, true, |_| true),
            "endif" => {
                if self.files.last_mut().and_then(|f| f.conditionals.pop()).is_none() {
                    self.error("directive", span, "`#endif` without `#if`");
                }
            }
            _ if !active => {}
            "define" => self.define(rest, span),
            "undef" => match rest.first().and_then(Token::ident) {
                Some(name) => {
                    self.macros.remove(&name);
                }
                None => self.error("directive", span, "`#undef` needs a name"),
            },
            "include" => self.include(rest, span),
            "line" => {
                if let Some(&number) = rest.first() {
                    self.marker(number, rest.get(1));
                }
            }
            "error" => {
                let text = spell(rest, self.names);
                self.error("directive", span, format!("#error {text}"));
            }
            "warning" => {
                let text = format!("#warning {}", spell(rest, self.names));
                self.diagnostics.push(Diagnostic::warning("directive", span, text));
            }
            "pragma" | "ident" => {}
            other => {
                let message = format!("unknown directive `#{other}`");
                self.error("directive", span, message);
            }
        }
    }

    fn enter(&mut self, opened: Span, value: bool) {
        let parent = self.active();
        if let Some(file) = self.files.last_mut() {
            let active = parent && value;
            file.conditionals.push(Conditional { opened, active, taken: active, parent, seen_else: false });
        }
    }

    fn elif(&mut self, rest: &[Token], span: Span) {
        let wanted =
            self.files.last().and_then(|f| f.conditionals.last()).is_some_and(|c| c.parent && !c.taken);
        // The condition of a group that cannot be taken is not looked at, as C says.
        let value = wanted && self.condition(rest, span);
        self.switch_group(span, false, |_| value);
    }

    fn switch_group(&mut self, span: Span, is_else: bool, value: impl Fn(&Conditional) -> bool) {
        let Some(top) = self.files.last_mut().and_then(|f| f.conditionals.last_mut()) else {
            return self.error("directive", span, "`#else` or `#elif` without `#if`");
        };
        if top.seen_else {
            return self.error("directive", span, "another group after `#else`");
        }
        top.active = top.parent && !top.taken && value(top);
        top.taken |= top.active;
        top.seen_else = is_else;
    }

    fn define(&mut self, line: &[Token], span: Span) {
        let Some(name) = line.first().and_then(Token::ident) else {
            return self.error("directive", span, "`#define` needs a name");
        };
        if self.names.text(name) == "defined" {
            return self.error("directive", span, "`defined` cannot be a macro");
        }
        let function_like = line.get(1).is_some_and(|t| t.is("(") && !t.spaced);
        if !function_like {
            let body = line[1..].to_vec();
            self.macros.insert(name, Macro { parameters: None, variadic: false, body });
            return;
        }
        let mut parameters = Vec::new();
        let mut variadic = false;
        let mut at = 2;
        while let Some(token) = line.get(at) {
            at += 1;
            match token.kind {
                Kind::Punct(")") => {
                    let body = line[at..].to_vec();
                    self.macros.insert(name, Macro { parameters: Some(parameters), variadic, body });
                    return;
                }
                Kind::Punct(",") => {}
                Kind::Punct("...") => {
                    variadic = true;
                    parameters.push(self.names.intern("__VA_ARGS__"));
                }
                Kind::Ident(parameter) if !parameters.contains(&parameter) => parameters.push(parameter),
                _ => return self.error("directive", token.span, "a macro's parameters are distinct names"),
            }
        }
        self.error("directive", span, "the macro's parameter list is not closed");
    }

    fn include(&mut self, line: &[Token], span: Span) {
        // `<a/b.h>` was lexed as operators and names; the text between the brackets is the name.
        let first = line.first().map_or(span, |t| t.span);
        let last = line.last().map_or(span, |t| t.span);
        let text = self.sources.text(first.to(last)).trim().to_owned();
        let inner = text
            .strip_prefix('<')
            .and_then(|t| t.split_once('>'))
            .or_else(|| text.strip_prefix('"').and_then(|t| t.split_once('"')))
            .map(|(name, _)| name.to_owned());
        let Some(name) = inner else {
            return self.error("include", span, "`#include` needs `<name>` or `\"name\"`");
        };
        let Some(stub) = stubs::header(&name) else {
            let known = stubs::names().collect::<Vec<_>>().join(", ");
            self.diagnostics.push(
                Diagnostic::error("include", first.to(last), format!("header `{name}` is not bundled"))
                    .help(format!("bundled are {known}; other files have to be preprocessed: `cc -E -C`")),
            );
            return;
        };
        if self.files.len() >= MAX_INCLUDES {
            return self.error("include", span, "includes are nested too deeply");
        }
        if let Ok(index) = self.sources.add(&format!("<{name}>"), stub.to_owned()) {
            self.open(index);
        }
    }

    fn marker(&mut self, number: Token, file: Option<&Token>) {
        let Kind::Number(text) = number.kind else { return };
        let Ok(line) = self.names.text(text).parse::<u32>() else { return };
        let name = match file.map(|f| f.kind) {
            Some(Kind::Str(name)) => self.names.text(name).trim_matches('"').to_owned(),
            _ => self.sources.presumed(number.span).file,
        };
        self.sources.mark(number.span.start, line, &name);
    }
}

/// Tokens as text, for messages and `#`.
fn spell(tokens: &[Token], names: &Names) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && token.spaced {
            text.push(' ');
        }
        text.push_str(&token.spelling(names));
    }
    text
}
