//! Tokens of C and of annotations, and the interner of their spellings.

use super::padding::Padding;
use crate::frontend::diagnostic::Span;
use crate::util::hash::Map;

/// An interned spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

/// The spellings of a run.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<String>,
    index: Map<String, u32>,
}

impl Names {
    /// The name with this spelling.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(found) = self.index.get(text) {
            return Name(*found);
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.index.insert(text.to_owned(), number);
        Name(number)
    }

    /// The name with this spelling, if it occurred.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.index.get(text).map(|n| Name(*n))
    }

    /// Its spelling.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or a keyword.
    Ident(Name),
    /// A preprocessing number, as spelled.
    Number(Name),
    /// A character constant with its quotes.
    Char(Name),
    /// A string literal with its quotes.
    Str(Name),
    /// `\old` and the like, without the backslash; in annotations only.
    Builtin(Name),
    /// An operator or a separator.
    Punct(&'static str),
    /// The beginning of an annotation.
    Open,
    /// The end of an annotation.
    Close,
    /// A character that no token begins with.
    Stray(char),
    /// The end of the input.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where the user wrote it, or the macro that produced it.
    pub span: Span,
    /// First on its line.
    pub first: bool,
    /// Blanks stand right before it.
    pub spaced: bool,
    /// A macro's name inside its own expansion: never expanded again.
    pub painted: bool,
    /// Macros and arguments that stood before it.
    pub before: Padding,
}

impl Token {
    /// Is it this operator?
    pub fn is(&self, punct: &str) -> bool {
        matches!(self.kind, Kind::Punct(p) if p == punct)
    }

    /// Its name, if it is an identifier.
    pub fn ident(&self) -> Option<Name> {
        match self.kind {
            Kind::Ident(name) => Some(name),
            _ => None,
        }
    }

    /// As the user would write it.
    pub fn spelling<'a>(&self, names: &'a Names) -> std::borrow::Cow<'a, str> {
        match self.kind {
            Kind::Ident(n) | Kind::Number(n) | Kind::Char(n) | Kind::Str(n) => names.text(n).into(),
            Kind::Builtin(n) => format!("\\{}", names.text(n)).into(),
            Kind::Punct(p) => p.into(),
            Kind::Open => "/*@".into(),
            Kind::Close => "@*/".into(),
            Kind::Stray(c) => c.to_string().into(),
            Kind::End => "end of file".into(),
        }
    }
}
