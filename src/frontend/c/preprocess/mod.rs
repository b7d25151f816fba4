//! A small preprocessor: directives and macros over tokens.
//!
//! Directives: `#include` of files and of the bundled headers (`include`, `stubs`), `#define` and `#undef` of both kinds
//! of macros, all conditionals, `#error`, `#line` and the `# 12 "file.c"` markers of preprocessed text, `#pragma` and
//! `_Pragma`. A token that a macro's body produces has the position of the macro's use, an argument's token keeps
//! its own. Annotations are expanded like all other text.
//!
//! What is not modelled here (a pragma that is not known, `__VA_OPT__`, `__has_builtin`) is reported as unsupported.
//! It may change any text after it, so no function of the unit has a program then.

mod arithmetic;
mod condition;
#[cfg(test)]
mod condition_tests;
mod define;
mod expand;
mod has;
mod include;
mod pragma;
mod stubs;
mod substitute;
#[cfg(test)]
mod tests;

use super::Options;
use super::lex::lex;
use super::padding::Padding;
use super::token::{Kind, Name, Names, Token};
use crate::frontend::diagnostic::{Diagnostic, Sources, Span};
use crate::util::hash::Map;
use substitute::spell;

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
    /// Its name, from which `"x.h"` is searched.
    path: String,
    /// The number of the directory behind the one it was found in.
    behind: usize,
    /// What tells whether two paths lead to it; a bundled header and the text itself have none.
    identity: Option<String>,
}

/// The preprocessor's state.
pub struct Preprocessor<'a> {
    sources: &'a mut Sources,
    names: &'a mut Names,
    diagnostics: &'a mut Vec<Diagnostic>,
    options: &'a Options,
    macros: Map<Name, Macro>,
    files: Vec<Reading>,
    output: Vec<Token>,
    in_annotation: bool,
    budget: usize,
    exhausted: bool,
    /// The next value of `__COUNTER__`.
    counter: u32,
    /// What `#pragma pack` says.
    packing: pragma::Packing,
    /// What `#pragma push_macro` has put aside.
    saved_macros: Map<Name, Vec<Option<Macro>>>,
    /// Files that need not be opened again.
    again: Map<String, include::Again>,
}

/// What preprocessing gives.
pub struct Preprocessed {
    /// The tokens; the last is [`Kind::End`].
    pub tokens: Vec<Token>,
    /// Ranges of them in which `#pragma pack` aligns members of structs to at most so many bytes.
    pub packed: Vec<(std::ops::Range<usize>, u64)>,
}

/// The text of source number `main` after preprocessing.
pub fn preprocess(
    sources: &mut Sources,
    main: usize,
    options: &Options,
    names: &mut Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Preprocessed {
    let predefined = stubs::predefined(options);
    let mut reader = Preprocessor {
        budget: MAX_EXPANSION + sources.get(main).text.len() * 2,
        sources,
        names,
        diagnostics,
        options,
        macros: Map::default(),
        files: Vec::new(),
        output: Vec::new(),
        in_annotation: false,
        exhausted: false,
        counter: 0,
        packing: pragma::Packing::default(),
        saved_macros: Map::default(),
        again: Map::default(),
    };
    for (name, text) in [("<built-in>", predefined), ("<command line>", options.flags.text())] {
        if let Ok(index) = reader.sources.add(name, text) {
            reader.open(index);
            reader.run();
        }
    }
    reader.say_unmodelled();
    reader.open(main);
    reader.run();
    let source = reader.sources.get(main);
    let end = Span { start: source.end(), end: source.end() };
    let mut output = reader.output;
    let before = Padding::default();
    output.push(Token { kind: Kind::End, span: end, first: true, spaced: true, painted: false, before });
    let packed = reader.packing.finish(output.len());
    Preprocessed { tokens: output, packed }
}

/// `#`, however it is spelled.
fn is_hash(token: Token) -> bool {
    token.is("#") || token.is("%:")
}

/// Digraphs and what they stand for.
const DIGRAPHS: &[(&str, &str)] =
    &[("<:", "["), (":>", "]"), ("<%", "{"), ("%>", "}"), ("%:", "#"), ("%:%:", "##")];

/// Names that are replaced without a definition that could be read.
const SPECIAL: &[&str] = &[
    "__LINE__",
    "__FILE__",
    "__BASE_FILE__",
    "__COUNTER__",
    "__INCLUDE_LEVEL__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
    "_Pragma",
    "__VA_OPT__",
];

impl Preprocessor<'_> {
    fn open(&mut self, index: usize) {
        let tokens = lex(self.sources.get(index), self.names, self.diagnostics);
        // The flags are as if written in the present directory.
        let name = &self.sources.get(index).name;
        let path = if name.starts_with('<') { String::new() } else { name.clone() };
        let conditionals = Vec::new();
        self.files.push(Reading { tokens, at: 0, conditionals, path, behind: 0, identity: None });
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
            if token.first && is_hash(token) && !self.in_annotation {
                self.directive();
                continue;
            }
            file.at += 1;
            if !self.active() {
                continue;
            }
            match token.kind {
                Kind::Ident(name)
                    if self.macros.contains_key(&name) || SPECIAL.contains(&self.names.text(name)) =>
                {
                    self.expand_text(token);
                }
                Kind::Open => self.emit_mark(token, true),
                Kind::Close => self.emit_mark(token, false),
                _ => self.put(token),
            }
        }
    }

    /// Puts a token out. From here on a digraph is what it stands for.
    fn put(&mut self, mut token: Token) {
        if let Kind::Punct(spelling) = token.kind
            && let Some((_, meaning)) = DIGRAPHS.iter().find(|(digraph, _)| *digraph == spelling)
        {
            token.kind = Kind::Punct(meaning);
        }
        self.output.push(token);
    }

    fn unsupported(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::unsupported(code, span, message));
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
                    Some(name) => active && self.is_defined(name),
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
            directive @ ("elifdef" | "elifndef") => {
                let top = self.files.last().and_then(|f| f.conditionals.last());
                if top.is_none_or(|c| c.parent) {
                    let text = format!("`#{directive}`, which not every compiler knows, is not modelled");
                    self.unsupported("directive", span, text);
                }
            }
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
                    self.check_special(name, span);
                    self.macros.remove(&name);
                }
                None => self.error("directive", span, "`#undef` needs a name"),
            },
            "include" => self.include(rest, span, false),
            "include_next" => self.include(rest, span, true),
            "line" => {
                let rest = self.expand_line(rest, false);
                match rest.first() {
                    Some(&number) if self.line_number(number).is_some() => {
                        // The marker stands on the line of the directive, whatever macro made it.
                        self.marker(Token { span: word.span, ..number }, rest.get(1));
                    }
                    _ => self.error("directive", span, "`#line` needs a number"),
                }
            }
            "error" => {
                let text = text_of(rest, self.names);
                self.error("directive", span, format!("#error {text}"));
            }
            "warning" => {
                let text = format!("#warning {}", text_of(rest, self.names));
                self.diagnostics.push(Diagnostic::warning("directive", span, text));
            }
            "pragma" => self.pragma(rest, span),
            "ident" | "sccs" => {}
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

    /// Flags that change what the text means, and have no model.
    fn say_unmodelled(&mut self) {
        let Some(source) = self.sources.find("<command line>") else { return };
        let span = Span { start: source.base, end: source.base };
        for flag in &self.options.flags.unmodelled {
            let text = format!("the flag `{flag}` changes what the text means and is not modelled");
            self.diagnostics.push(Diagnostic::unsupported("flag", span, text));
        }
    }

    /// The number of a line, in decimal whatever it looks like.
    fn line_number(&self, number: Token) -> Option<u32> {
        let Kind::Number(text) = number.kind else { return None };
        self.names.text(text).parse().ok()
    }

    fn marker(&mut self, number: Token, file: Option<&Token>) {
        let Some(line) = self.line_number(number) else { return };
        let name = match file.map(|f| f.kind) {
            Some(Kind::Str(name)) => {
                let text = self.names.text(name).trim_matches('"');
                text.replace("\\\"", "\"").replace("\\\\", "\\")
            }
            _ => self.sources.presumed(number.span).file,
        };
        self.sources.mark(number.span.start, line, &name);
    }
}

/// Tokens as text, for messages.
fn text_of(tokens: &[Token], names: &Names) -> String {
    spell(tokens, names, |_, text| text.to_owned())
}
