//! Tokens to syntax tree: a parser by recursive descent.
//!
//! Our own parser instead of `lang-c`, the best one there is in pure Rust: annotation terms *are* C expressions, so
//! one expression parser serves both; tokens carry the positions that macro expansion gave them; and an error costs
//! one statement, where `lang-c` stops at the first one in the file. After an error the parser skips to
//! the end of the statement, or of the item, and goes on; a function in which anything was wrong keeps its name
//! so that its verdict can be told. GNU syntax that real headers contain (attributes, `asm` labels,
//! `__extension__`, `typeof`, statement expressions) is read; what has no model is marked.
//!
//! Nesting is bounded (`MAX_DEPTH`), so no input overflows the stack, here or in a later recursion.

mod acsl;
mod annotation;
pub(super) mod attribute;
#[cfg(test)]
mod attribute_tests;
mod builtin;
mod declaration;
mod expression;
mod initialiser;
mod item;
mod record;
mod statement;
#[cfg(test)]
mod tests;

use super::ast::{Expr, ExprKind, Item};
use super::token::{Kind, Name, Names, Token};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::util::hash::Map;
use std::ops::Range;

/// Levels of nesting, of statements, expressions and declarators together.
pub(crate) const MAX_DEPTH: u32 = 400;
/// Branches of a chain `if ... else if ... else if`, which is no deeper for its length.
const MAX_CHAIN: usize = 5_000;
/// Height of an expression's tree: long sums are as tall as they are long.
const MAX_HEIGHT: u32 = 2000;
/// After so many errors the parser stops.
const MAX_ERRORS: usize = 50;

/// The error is on record; the parser has to find a place to go on.
pub(super) struct Failed;

pub(super) type Parsed<T> = Result<T, Failed>;

/// What the parser found.
pub struct Parse {
    /// Items in order.
    pub items: Vec<Item>,
    /// What may change anything in the unit and is not modelled.
    pub strange: Vec<Diagnostic>,
}

/// Reads a translation unit. In the ranges of tokens that are `packed`, `#pragma pack` aligns members of structs to
/// at most so many bytes.
/// Where nobody but the program writes to its objects, `volatile` says nothing.
pub fn parse(
    tokens: &[Token],
    packed: &[(Range<usize>, u64)],
    undisturbed: bool,
    names: &mut Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Parse {
    let mut parser = Parser {
        tokens,
        packed,
        undisturbed,
        strange: Vec::new(),
        at: 0,
        names,
        diagnostics,
        scopes: vec![Map::default()],
        depth: 0,
        in_annotation: false,
        type_wanted: false,
        indexed: Vec::new(),
        restart: None,
        errors: 0,
        attributes: super::ast::Attributes::default(),
    };
    for name in ["__builtin_va_list", "__int128", "__float128", "_Float128", "__int128_t", "__uint128_t"] {
        let name = parser.names.intern(name);
        parser.declare(name, true);
    }
    let items = parser.unit();
    let strange = parser.strange;
    diagnostics.extend(strange.iter().cloned());
    Parse { items, strange }
}

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    packed: &'a [(Range<usize>, u64)],
    /// `volatile` says nothing.
    undisturbed: bool,
    strange: Vec<Diagnostic>,
    at: usize,
    names: &'a mut Names,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Per scope: is the name a type?
    scopes: Vec<Map<Name, bool>>,
    depth: u32,
    in_annotation: bool,
    /// What comes next in an annotation is a type.
    type_wanted: bool,
    /// Names that the present item uses as arrays.
    indexed: Vec<Name>,
    /// Where the next item begins although braces say otherwise.
    restart: Option<usize>,
    errors: usize,
    /// Attributes read that nobody has taken.
    attributes: super::ast::Attributes,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)]
    }

    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn bump(&mut self) -> Token {
        let token = self.peek();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn at(&self, punct: &str) -> bool {
        self.peek().is(punct)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    fn word(&self) -> Option<&str> {
        self.peek().ident().map(|n| self.names.text(n))
    }

    fn at_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    fn spell(&self, token: Token) -> String {
        match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => {
                let text = token.spelling(self.names);
                match text.char_indices().nth(40) {
                    Some((cut, _)) => format!("`{}...`", &text[..cut]),
                    None => format!("`{text}`"),
                }
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        self.errors += 1;
        // One complaint per place: what follows an error at the same token is its echo.
        let echo = self.diagnostics.last().is_some_and(|d| d.span == diagnostic.span);
        if !echo && self.errors <= MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        Err(self.report(Diagnostic::error("syntax", span, message)))
    }

    /// The present token is not what belongs here.
    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let mut token = self.peek();
        let found = self.spell(token);
        if token.kind == Kind::End {
            // The end of the file is rarely where the user looks; the last word is.
            token.span = self.previous();
        }
        if let Kind::Stray(c) = token.kind {
            let text = format!("`{}` does not belong into C text", c.escape_default());
            return self.fail(token.span, text);
        }
        let message = format!("expected {expected}, found {found}");
        let mut diagnostic = Diagnostic::error("syntax", token.span, message);
        if self.in_annotation && token.is("->") {
            diagnostic.help =
                Some("reachability is written `x -next*-> y`, one or more steps `x -next+-> y`".to_owned());
        }
        Err(self.report(diagnostic))
    }

    /// Eats an operator or complains at a sensible place.
    fn expect(&mut self, punct: &str) -> Parsed<Span> {
        if self.at(punct) {
            return Ok(self.bump().span);
        }
        let next = self.peek();
        let found = self.spell(next);
        if punct == ";" || punct == ")" || punct == "]" {
            // The gap after the previous token is where it is missing, whatever comes next.
            let gap = self.previous();
            let gap = Span { start: gap.end, end: gap.end };
            let diagnostic = Diagnostic::error("syntax", gap, format!("`{punct}` is missing here"))
                .label(next.span, format!("found {found} instead"));
            return Err(self.report(diagnostic));
        }
        self.fail(next.span, format!("expected `{punct}`, found {found}"))
    }

    fn ident(&mut self, what: &str) -> Parsed<(Name, Span)> {
        match self.peek().kind {
            Kind::Ident(name) if !is_keyword(self.names.text(name)) => Ok((name, self.bump().span)),
            _ => self.unexpected(what),
        }
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        let result = if self.depth > MAX_DEPTH {
            let span = self.peek().span;
            let text = format!("nested too deeply: at most {MAX_DEPTH} levels are read");
            Err(self.report(Diagnostic::error("nesting", span, text)))
        } else {
            inner(self)
        };
        self.depth -= 1;
        result
    }

    fn expr(&mut self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        let height = kind.tallest_child() + 1;
        if height > MAX_HEIGHT {
            let text = "this expression is too long";
            return Err(self.report(Diagnostic::error("nesting", span, text)));
        }
        Ok(Expr { kind, span, height })
    }

    fn declare(&mut self, name: Name, is_type: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, is_type);
        }
    }

    /// In an annotation, where only a type can stand: a parameter does not hide the type of its name.
    fn is_hidden_type(&self, name: Name) -> bool {
        self.type_wanted && self.scopes.iter().any(|s| s.get(&name) == Some(&true))
    }

    fn is_typedef(&self, name: Name) -> bool {
        self.scopes.iter().rev().find_map(|s| s.get(&name)).copied().unwrap_or(false)
    }

    /// Skips a balanced group whose opening bracket is next.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            let token = self.bump();
            match token.kind {
                Kind::Punct("(" | "[" | "{") => depth += 1,
                Kind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

/// Words that are never names.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Bool"
            | "_Complex"
            | "_Atomic"
            | "_Alignas"
            | "_Alignof"
            | "_Generic"
            | "_Noreturn"
            | "_Static_assert"
            | "_Thread_local"
            | "__alignof__"
            | "__alignof"
            | "__attribute__"
            | "__attribute"
            | "__asm__"
            | "__asm"
            | "__auto_type"
            | "__const"
            | "__const__"
            | "__extension__"
            | "__inline"
            | "__inline__"
            | "__restrict"
            | "__restrict__"
            | "__signed"
            | "__signed__"
            | "__thread"
            | "__typeof"
            | "__typeof__"
            | "__volatile"
            | "__volatile__"
    )
}
