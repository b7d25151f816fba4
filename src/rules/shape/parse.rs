//! Reads a file of a shape. The grammar stands in the head of `shape`.

use super::{Fact, Law, Shape, Term};
use crate::rules::parse::Diagnostic;
use crate::rules::syntax::Span;

/// The gate enumerates all bindings: more variables are a mistake.
const MAX_VARIABLES: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    Sign(&'static str),
    End,
}

/// What was expected instead of the token at hand.
type Parsed<T> = Result<T, (Span, String)>;

struct Reader {
    tokens: Vec<(Token, Span)>,
    at: usize,
    fields: Vec<String>,
    constants: Vec<String>,
}

/// Reads one file; the error says where and what.
///
/// # Errors
/// If the text does not follow the grammar.
pub fn parse(file: &str, text: &str) -> Result<Shape, Vec<Diagnostic>> {
    let read = tokens(text)
        .and_then(|tokens| Reader { tokens, at: 0, fields: Vec::new(), constants: Vec::new() }.shape());
    read.map_err(|(span, message)| {
        let line = text.lines().nth(span.line as usize - 1).unwrap_or("").replace('\t', " ");
        vec![Diagnostic { file: file.to_owned(), span, message, source: line }]
    })
}

fn tokens(text: &str) -> Parsed<Vec<(Token, Span)>> {
    let mut out = Vec::new();
    for (row, line) in text.lines().enumerate() {
        let chars: Vec<char> = line.chars().collect();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut at = 0;
        while at < chars.len() && chars[at] != '#' {
            let start = at;
            let span = |end: usize| Span {
                line: row as u32 + 1,
                column: start as u32 + 1,
                length: (end - start) as u32,
            };
            if chars[at].is_whitespace() {
                at += 1;
            } else if is_word(chars[at]) {
                at += chars[at..].iter().take_while(|&&c| is_word(c)).count();
                out.push((Token::Word(chars[start..at].iter().collect()), span(at)));
            } else if chars[at] == '"' {
                let inside: String = chars[at + 1..].iter().take_while(|&&c| c != '"').collect();
                at += inside.chars().count() + 2;
                if at > chars.len() {
                    return Err((span(chars.len()), "the text has no end".to_owned()));
                }
                out.push((Token::Text(inside), span(at)));
            } else {
                let signs = ["->", "=>", "!=", "=", "-", "|", ",", ":", "(", ")"];
                let is_here =
                    |s: &&&str| s.chars().enumerate().all(|(i, c)| chars.get(start + i) == Some(&c));
                let Some(sign) = signs.iter().find(is_here) else {
                    return Err((span(at + 1), format!("found `{}`, expected a name or a sign", chars[at])));
                };
                at += sign.len();
                out.push((Token::Sign(sign), span(at)));
            }
        }
    }
    let line = text.lines().count().max(1) as u32;
    out.push((Token::End, Span { line, column: 1, length: 1 }));
    Ok(out)
}

impl Reader {
    fn fail<T>(&self, expected: &str) -> Parsed<T> {
        let (token, span) = &self.tokens[self.at];
        let found = match token {
            Token::Word(word) => format!("`{word}`"),
            Token::Text(_) => "a text".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_owned(),
        };
        Err((*span, format!("found {found}, expected {expected}")))
    }

    fn takes(&mut self, token: &Token) -> bool {
        let here = self.tokens[self.at].0 == *token;
        self.at += usize::from(here);
        here
    }

    fn takes_word(&mut self, word: &str) -> bool {
        self.takes(&Token::Word(word.to_owned()))
    }

    fn sign(&mut self, sign: &'static str) -> Parsed<()> {
        if self.takes(&Token::Sign(sign)) { Ok(()) } else { self.fail(&format!("`{sign}`")) }
    }

    fn word(&mut self, what: &str) -> Parsed<(String, Span)> {
        match &self.tokens[self.at] {
            (Token::Word(word), span) => {
                let found = (word.clone(), *span);
                self.at += 1;
                Ok(found)
            }
            _ => self.fail(what),
        }
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<String>> {
        let mut out: Vec<String> = Vec::new();
        loop {
            let (name, span) = self.word(what)?;
            if out.contains(&name) || self.fields.contains(&name) || name == "null" {
                return Err((span, format!("`{name}` has a meaning already")));
            }
            out.push(name);
            if !self.takes(&Token::Sign(",")) {
                return Ok(out);
            }
        }
    }

    fn shape(&mut self) -> Parsed<Shape> {
        if !self.takes_word("shape") {
            return self.fail("`shape`");
        }
        let (name, _) = self.word("the name of the shape")?;
        if !self.takes_word("over") {
            return self.fail("`over`");
        }
        self.fields = self.names("a field")?;
        if self.takes_word("at") {
            self.constants = self.names("a constant")?;
        }
        let mut laws: Vec<Law> = Vec::new();
        while self.takes_word("law") {
            let law = self.law()?;
            if laws.iter().any(|known| known.name == law.name) {
                return Err((law.span, format!("there is a law `{}` already", law.name)));
            }
            laws.push(law);
        }
        if self.tokens[self.at].0 != Token::End {
            return self.fail("`law`");
        }
        Ok(Shape { name, fields: self.fields.clone(), constants: self.constants.clone(), laws })
    }

    fn law(&mut self) -> Parsed<Law> {
        let (name, span) = self.word("the name of the law")?;
        self.sign(":")?;
        let mut variables = Vec::new();
        let mut premises = Vec::new();
        let start = self.at;
        loop {
            premises.extend(self.fact(&mut variables, true)?);
            if !self.takes(&Token::Sign(",")) {
                break;
            }
        }
        if !self.takes(&Token::Sign("=>")) {
            // There are no premises.
            self.at = start;
            premises.clear();
            variables.clear();
        }
        let n_bound = variables.len();
        let mut alternatives = Vec::new();
        loop {
            alternatives.extend(self.fact(&mut variables, false)?);
            if !self.takes(&Token::Sign("|")) {
                break;
            }
        }
        if variables.len() > n_bound {
            return Err((span, format!("no premise mentions `{}`", variables[n_bound])));
        }
        if variables.len() > MAX_VARIABLES {
            return Err((span, format!("more than {MAX_VARIABLES} variables")));
        }
        let note = match (self.takes_word("note"), &self.tokens[self.at].0) {
            (true, Token::Text(text)) => {
                let text = text.clone();
                self.at += 1;
                Some(text)
            }
            (true, _) => return self.fail("a text"),
            (false, _) => None,
        };
        Ok(Law { name, variables, premises, alternatives, note, span })
    }

    fn fact(&mut self, variables: &mut Vec<String>, may_introduce: bool) -> Parsed<Option<Fact>> {
        let left = self.term(variables)?;
        if self.takes(&Token::Sign("-")) {
            let (field, span) = self.word("a field")?;
            let Some(field) = self.fields.iter().position(|f| *f == field) else {
                return Err((span, format!("`{field}` is no field of the shape")));
            };
            self.sign("->")?;
            let right = self.term(variables)?;
            return Ok(Some(Fact::Reach(field, left, right)));
        }
        if self.takes(&Token::Sign("=")) {
            return Ok(Some(Fact::Equal(left, self.term(variables)?)));
        }
        if self.takes(&Token::Sign("!=")) {
            return Ok(Some(Fact::Differ(left, self.term(variables)?)));
        }
        match left {
            Term::Var(_) if may_introduce => Ok(None),
            _ => self.fail("`=`, `!=` or a path"),
        }
    }

    fn term(&mut self, variables: &mut Vec<String>) -> Parsed<Term> {
        let (name, _) = self.word("a term")?;
        if name == "null" {
            return Ok(Term::Null);
        }
        if let Some(field) = self.fields.iter().position(|f| *f == name) {
            self.sign("(")?;
            let of = self.term(variables)?;
            self.sign(")")?;
            return Ok(Term::Field(field, Box::new(of)));
        }
        if let Some(constant) = self.constants.iter().position(|c| *c == name) {
            return Ok(Term::Constant(constant));
        }
        let known = variables.iter().position(|v| *v == name);
        Ok(Term::Var(known.unwrap_or_else(|| {
            variables.push(name);
            variables.len() - 1
        })))
    }
}
