//! Text to tokens: comments vanish, annotations stay.
//!
//! `/*@ ... @*/` and `//@ ...` become [`Kind::Open`], the tokens inside, [`Kind::Close`]; so macros are expanded
//! in annotations by the same code as everywhere else, and the parser meets an annotation where the user put
//! it. Inside, `\name` is a token, `..` is an operator (even in `0..n`, which C would read as one number), and
//! an `@` that begins a line or ends the annotation is a blank. A macro may be meant for annotations, so a line
//! with `#define` has the same tokens; the parser takes them in annotations only.
//!
//! Lines are joined before (`splice`). Digraphs stay as they are spelled, for `#`, until the preprocessor puts them
//! out. Trigraphs are replaced under some options of compilers and not under others: one outside of a comment
//! is reported, and so is one inside if it would splice the comment's line.

use super::padding::Padding;
use super::splice::Spliced;
use super::token::{Kind, Names, Token};
use crate::frontend::diagnostic::{Diagnostic, Source, Span};

/// Longest first, so that the first match is the longest.
const PUNCTUATION: &[&str] = &[
    "<==>", "%:%:", "...", "<<=", ">>=", "==>", "<:", ":>", "<%", "%>", "%:", "->", "++", "--", "<<", ">>",
    "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "..", "[", "]",
    "(", ")", "{", "}", ".", "&", "*", "+", "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":", ";", "=",
    ",", "#", "@",
];

/// Operators that exist in annotations only.
const ANNOTATION_ONLY: &[&str] = &["<==>", "==>", "..", "@"];

/// The tokens of a text, without [`Kind::End`].
pub fn lex(source: &Source, names: &mut Names, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let spliced = Spliced::new(&source.text);
    let mut lexer = Lexer {
        text: spliced.text.as_bytes(),
        string: &spliced.text,
        spliced: &spliced,
        base: source.base,
        at: 0,
        annotation: Annotation::Outside,
        defining: false,
        first: true,
        spaced: false,
        tokens: Vec::new(),
        names,
        diagnostics,
    };
    lexer.run();
    lexer.tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Annotation {
    Outside,
    /// Up to `*/`.
    Block(Span),
    /// Up to the end of the line.
    Line,
}

struct Lexer<'a> {
    text: &'a [u8],
    string: &'a str,
    spliced: &'a Spliced<'a>,
    base: u32,
    at: usize,
    annotation: Annotation,
    /// On a line with `#define`.
    defining: bool,
    first: bool,
    spaced: bool,
    tokens: Vec<Token>,
    names: &'a mut Names,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn looking_at(&self, what: &str) -> bool {
        self.text[self.at.min(self.text.len())..].starts_with(what.as_bytes())
    }

    fn span(&self, start: usize) -> Span {
        let (start, end) = (self.spliced.start(start), self.spliced.end(self.at));
        Span { start: self.base + start as u32, end: self.base + end.max(start) as u32 }
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let span = self.span(start);
        let (first, spaced) = (self.first, self.spaced);
        self.tokens.push(Token { kind, span, first, spaced, painted: false, before: Padding::default() });
        self.first = false;
        self.spaced = false;
    }

    fn run(&mut self) {
        // A byte-order mark is no token.
        if self.string.starts_with('\u{feff}') {
            self.at = 3;
        }
        while self.at < self.text.len() {
            self.step();
        }
        match self.annotation {
            Annotation::Outside => {}
            Annotation::Line => self.close(self.at),
            Annotation::Block(open) => {
                self.diagnostics.push(
                    Diagnostic::error("unclosed-annotation", open, "this annotation is not closed")
                        .help("end it with `@*/`"),
                );
                self.close(self.at);
            }
        }
    }

    fn close(&mut self, start: usize) {
        self.push(Kind::Close, start);
        self.annotation = Annotation::Outside;
    }

    fn step(&mut self) {
        let start = self.at;
        match self.peek(0) {
            b'?' if self.at_trigraph() => {
                self.trigraph();
                self.punctuation(start);
            }
            b'\n' => {
                if self.annotation == Annotation::Line {
                    self.close(start);
                }
                self.at += 1;
                self.defining = false;
                self.first = true;
                self.spaced = true;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                self.at += 1;
                self.spaced = true;
            }
            b'@' if self.annotation != Annotation::Outside && (self.first || self.ends_annotation()) => {
                self.at += 1;
                self.spaced = true;
            }
            b'*' if matches!(self.annotation, Annotation::Block(_)) && self.peek(1) == b'/' => {
                self.at += 2;
                self.close(start);
            }
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'/' if self.peek(1) == b'*' && matches!(self.annotation, Annotation::Block(_)) => {
                // C's comments do not nest: what looks like one would end the annotation.
                self.at += 2;
                let span = self.span(start);
                self.diagnostics.push(
                    Diagnostic::error("nested-comment", span, "`/*` inside an annotation")
                        .help("comments in annotations are written `// ...`"),
                );
            }
            b'/' if self.peek(1) == b'*' => self.block_comment(),
            b'"' => self.quoted(start, b'"'),
            b'\'' => self.quoted(start, b'\''),
            b'0'..=b'9' => self.number(start),
            b'.' if self.peek(1).is_ascii_digit() => self.number(start),
            b'\\' if self.speaks_annotations() && is_word(self.peek(1)) && self.universal().is_none() => {
                self.at += 1;
                let name = self.word();
                self.push(Kind::Builtin(name), start);
            }
            c if is_word(c) || self.universal().is_some() => self.identifier(start),
            _ => self.punctuation(start),
        }
    }

    fn speaks_annotations(&self) -> bool {
        self.defining || self.annotation != Annotation::Outside
    }

    fn ends_annotation(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        match self.annotation {
            Annotation::Block(_) => {
                let blanks = rest.iter().take_while(|b| matches!(b, b'@' | b' ')).count();
                rest[blanks..].starts_with(b"*/")
            }
            _ => rest.first().is_none_or(|b| *b == b'\n' || *b == b'\r'),
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        if self.peek(2) == b'@' && self.annotation == Annotation::Outside {
            self.at += 3;
            self.push(Kind::Open, start);
            self.annotation = Annotation::Line;
            return;
        }
        // Inside `/*@`, a line comment ends where the annotation ends at the latest.
        let block = matches!(self.annotation, Annotation::Block(_));
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            if block && (self.looking_at("*/") || self.looking_at("@*/")) {
                break;
            }
            if self.looking_at("??/\n") || self.looking_at("??/\r\n") {
                self.trigraph();
            }
            self.at += 1;
        }
        self.spaced = true;
    }

    fn block_comment(&mut self) {
        let start = self.at;
        if self.peek(2) == b'@' && self.annotation == Annotation::Outside {
            self.at += 3;
            let span = self.span(start);
            self.push(Kind::Open, start);
            self.annotation = Annotation::Block(span);
            return;
        }
        self.at += 2;
        let rest = &self.text[self.at.min(self.text.len())..];
        let length = rest.windows(2).position(|w| w == b"*/");
        let Some(length) = length else {
            let span = self.span(start);
            self.at = self.text.len();
            self.diagnostics.push(Diagnostic::error("unclosed-comment", span, "this comment is not closed"));
            return;
        };
        // A comment that spans lines does not make the token after it the first of its line.
        if self.annotation == Annotation::Line && rest[..length].contains(&b'\n') {
            self.close(start);
        }
        self.at += length + 2;
        self.spaced = true;
    }

    /// One of the nine trigraphs comes next.
    fn at_trigraph(&self) -> bool {
        self.looking_at("??") && b"=/'()!<>-".contains(&self.peek(2))
    }

    /// Nobody knows whether the trigraph that comes next is meant as one.
    fn trigraph(&mut self) {
        let (from, to) = (self.spliced.start(self.at), self.spliced.end(self.at + 3));
        let span = Span { start: self.base + from as u32, end: self.base + to as u32 };
        let text = "a trigraph, which some compilers replace and others do not, is not modelled";
        self.diagnostics.push(Diagnostic::unsupported("trigraph", span, text));
    }

    /// A literal from its first quote on; `start` is its prefix.
    fn quoted(&mut self, start: usize, quote: u8) {
        self.at += 1;
        loop {
            match self.peek(0) {
                b'\n' => break,
                _ if self.at >= self.text.len() => break,
                b'\\' => self.at = (self.at + 2).min(self.text.len()),
                b'?' if self.at_trigraph() => {
                    self.trigraph();
                    self.at += 1;
                }
                c if c == quote => {
                    self.at += 1;
                    let text = &self.string[start..self.at];
                    let name = self.names.intern(text);
                    let kind = if quote == b'"' { Kind::Str(name) } else { Kind::Char(name) };
                    return self.push(kind, start);
                }
                _ => self.at += 1,
            }
        }
        // The cut may have landed inside a character.
        while !self.string.is_char_boundary(self.at) {
            self.at += 1;
        }
        let span = self.span(start);
        let what = if quote == b'"' { "string literal" } else { "character constant" };
        self.diagnostics.push(Diagnostic::error(
            "unclosed-quote",
            span,
            format!("this {what} is not closed"),
        ));
        let name = self.names.intern(if quote == b'"' { "\"\"" } else { "'0'" });
        self.push(if quote == b'"' { Kind::Str(name) } else { Kind::Char(name) }, start);
    }

    fn number(&mut self, start: usize) {
        while self.at < self.text.len() {
            let c = self.peek(0);
            if self.speaks_annotations() && self.looking_at("..") {
                break;
            }
            let exponent = matches!(c, b'+' | b'-')
                && matches!(self.text[self.at - 1], b'e' | b'E' | b'p' | b'P')
                && self.at > start
                && !self.is_hexadecimal_e(start);
            if !(c.is_ascii_alphanumeric() || c == b'_' || c == b'.' || exponent) {
                break;
            }
            self.at += 1;
        }
        let name = self.names.intern(&self.string[start..self.at]);
        self.push(Kind::Number(name), start);
    }

    /// In an annotation `0xe+1` is a sum; C's greedy reading would make it a broken number.
    fn is_hexadecimal_e(&self, start: usize) -> bool {
        let hexadecimal = self.text[start..].starts_with(b"0x") || self.text[start..].starts_with(b"0X");
        hexadecimal && matches!(self.text[self.at - 1], b'e' | b'E')
    }

    fn word(&mut self) -> super::token::Name {
        let start = self.at;
        let mut text = String::new();
        let mut kept = start;
        loop {
            if is_word(self.peek(0)) || self.peek(0).is_ascii_digit() {
                self.at += 1;
            } else if let Some((c, length)) = self.universal() {
                text.push_str(&self.string[kept..self.at]);
                text.push(c);
                self.at += length;
                kept = self.at;
            } else {
                break;
            }
        }
        while !self.string.is_char_boundary(self.at) {
            self.at += 1;
        }
        text.push_str(&self.string[kept..self.at]);
        self.names.intern(&text)
    }

    /// The character that a universal name (`\u00e9`) stands for, if one comes next, and the length of that name.
    fn universal(&self) -> Option<(char, usize)> {
        let digits = match (self.peek(0), self.peek(1)) {
            (b'\\', b'u') => 4,
            (b'\\', b'U') => 8,
            _ => return None,
        };
        super::number::universal(self.string.get(self.at + 2..self.at + 2 + digits)?).map(|c| (c, digits + 2))
    }

    fn identifier(&mut self, start: usize) {
        let name = self.word();
        let quote = self.peek(0);
        let prefix = match self.names.text(name) {
            "L" | "u" | "U" => matches!(quote, b'"' | b'\''),
            "u8" => quote == b'"',
            _ => false,
        };
        if prefix {
            return self.quoted(start, quote);
        }
        let directive = self.tokens.last().is_some_and(|t| t.first && t.is("#"));
        self.defining |= directive && self.names.text(name) == "define" && !self.first;
        self.push(Kind::Ident(name), start);
    }

    fn punctuation(&mut self, start: usize) {
        let inside = self.speaks_annotations();
        for p in PUNCTUATION {
            if self.looking_at(p) && (inside || !ANNOTATION_ONLY.contains(p)) {
                self.at += p.len();
                return self.push(Kind::Punct(p), start);
            }
        }
        let c = self.string[start..].chars().next().unwrap_or('\u{fffd}');
        self.at += c.len_utf8();
        self.push(Kind::Stray(c), start);
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$' || c >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::diagnostic::Sources;

    fn spell(text: &str) -> String {
        let mut sources = Sources::default();
        let index = sources.add("t.c", text.to_owned()).expect("small");
        let (mut names, mut diagnostics) = (Names::default(), Vec::new());
        let tokens = lex(sources.get(index), &mut names, &mut diagnostics);
        let mut words: Vec<_> = tokens.iter().map(|t| t.spelling(&names).into_owned()).collect();
        words.extend(diagnostics.iter().map(|d| format!("!{}", d.code)));
        words.join(" ")
    }

    #[test]
    fn comments_vanish_and_annotations_stay() {
        assert_eq!(spell("a /* b */ c // d\ne"), "a c e");
        assert_eq!(spell("/*@ x;\n  @ y; @*/ z"), "/*@ x ; y ; @*/ z");
        assert_eq!(spell("//@ assert p; // why\nq"), "/*@ assert p ; @*/ q");
        assert_eq!(spell("/*@ a // b @*/ c"), "/*@ a @*/ c");
        assert_eq!(spell("/*@ a @@*/"), "/*@ a @*/");
    }

    #[test]
    fn annotations_have_their_own_operators() {
        assert_eq!(
            spell("/*@ x -next*-> y ==> \\old(0..n) @*/"),
            "/*@ x - next * -> y ==> \\old ( 0 .. n ) @*/"
        );
        assert_eq!(
            spell("#define P(x) \\list(x) ==> \\\n 0..x\n==>"),
            "# define P ( x ) \\list ( x ) ==> 0 .. x == >"
        );
        assert_eq!(spell("a ==> b"), "a == > b");
        assert_eq!(spell("x <==> y"), "x <= => y".replace("=>", "= >"));
    }

    #[test]
    fn broken_tokens_are_reported_and_lexing_goes_on() {
        assert_eq!(spell("a /* b"), "a !unclosed-comment");
        assert_eq!(spell("\"a\nb"), "\"\" b !unclosed-quote");
        assert_eq!(spell("/*@ a"), "/*@ a @*/ !unclosed-annotation");
        assert_eq!(spell("\"\\"), "\"\" !unclosed-quote");
        assert_eq!(spell("§ \u{1}x"), "§ \u{1} x");
        assert_eq!(spell("'\\é"), "'0' !unclosed-quote");
    }

    #[test]
    fn lines_are_joined_inside_of_tokens() {
        assert_eq!(spell("in\\\nt x\\\n1 = 1\\\n0 +\\\n+ y;"), "int x1 = 10 ++ y ;");
        assert_eq!(spell("\"a\\\nb\" /\\\n/ c\\\nd\ne /\\\n* f *\\\n/ g"), "\"ab\" e g");
        assert_eq!(spell("//@ assert \\\nx;\ny"), "/*@ assert x ; @*/ y");
    }

    #[test]
    fn other_spellings() {
        assert_eq!(spell("a<:0:> <% %> %: %:%: a<b%c"), "a <: 0 :> <% %> %: %:%: a < b % c");
        assert_eq!(spell("caf\\u00e9 café \\U000000e9x"), "café café éx");
        assert_eq!(spell("L\"a\" u8\"b\" u'c' U \"d\" u8'e'"), "L\"a\" u8\"b\" u'c' U \"d\" u8 'e'");
    }

    #[test]
    fn trigraphs_are_reported() {
        for text in ["??=", "\"??)\"", "'??-'", "// a??/\nb", "a ??/ b", "int a??(3];"] {
            assert!(spell(text).ends_with("!trigraph"), "{text}");
        }
        for text in ["// ??=", "/* ??/ */", "a ?? b", "\"?\\?=\"", "\"??a\""] {
            assert!(!spell(text).contains("!trigraph"), "{text}");
        }
    }
}
