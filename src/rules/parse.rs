//! Reads a `*.rules` file: tokens, then a recursive descent with one function per construct.
//!
//! ```text
//! file  = "theory" name ["with" "null"] rule*
//! rule  = "rule" name ":" premise ("," premise)* "=>" heads ("|" heads)* ["note" string]
//! heads = head ("," head)*
//! head  = arg "->" arg ["->" arg] | arg "=" arg
//! premise = head | "term" "f" "(" var ")" | var
//! arg   = var | "f" "(" var ")" | "null"
//! ```
//! A variable used only once starts with `_`. Line ends mean nothing; `#` and `//` start comments. After an error the reader goes on at the next
//! `rule`, so that one run reports everything. What the grammar cannot say (unbound variables,
//! duplicate names and so on) is checked per rule by `Names` right after it was read.

use super::syntax::{Arg, Head, Heaps, Pattern, Rule, Span, Theory};
use std::fmt;

/// Names with a meaning of their own; none of them can be a variable.
const RESERVED: [&str; 7] = ["theory", "with", "rule", "note", "term", "null", "f"];
/// Bindings are small arrays and the gate enumerates them all: more variables are a mistake.
const MAX_VARIABLES: usize = 6;

/// One error in a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file as it was named by the caller.
    pub file: String,
    /// Where.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// The line of the file.
    pub source: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.span.line.to_string();
        let margin = " ".repeat(number.len());
        let indent = " ".repeat(self.span.column as usize - 1);
        let caret = "^".repeat(self.span.length.max(1) as usize);
        writeln!(out, "error: {}", self.message)?;
        writeln!(out, "{margin}--> {}:{}:{}", self.file, self.span.line, self.span.column)?;
        writeln!(out, "{margin} |\n{number} | {}\n{margin} | {indent}{caret}", self.source)
    }
}

/// Reads one file; all errors are returned, in the order of the file.
pub fn parse(file: &str, text: &str) -> Result<Theory, Vec<Diagnostic>> {
    let mut parser = Parser { tokens: Vec::new(), at: 0, errors: Vec::new(), null: false };
    parser.tokenize(text);
    let theory = parser.theory();
    if parser.errors.is_empty() {
        return Ok(theory);
    }
    parser.errors.sort_by_key(|(span, _)| (span.line, span.column));
    let diagnostic = |(span, message): (Span, String)| Diagnostic {
        file: file.to_string(),
        span,
        message,
        // Tabs would put the caret elsewhere than the column says.
        source: text.lines().nth(span.line as usize - 1).unwrap_or("").replace('\t', " "),
    };
    Err(parser.errors.into_iter().map(diagnostic).collect())
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Name(String),
    Text(String),
    Sign(&'static str),
    End,
}

struct Token {
    kind: Kind,
    span: Span,
}

/// An error was recorded; the reader looks for the next rule.
struct Recover;
type Parsed<T> = Result<T, Recover>;

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    errors: Vec<(Span, String)>,
    null: bool,
}

impl Parser {
    fn tokenize(&mut self, text: &str) {
        for (row, line) in text.lines().enumerate() {
            let chars: Vec<char> = line.chars().collect();
            let mut i = 0;
            while i < chars.len() {
                let start = i;
                let rest = |s: &str| s.chars().enumerate().all(|(k, c)| chars.get(start + k) == Some(&c));
                if chars[i].is_whitespace() {
                    i += 1;
                    continue;
                }
                if rest("#") || rest("//") {
                    break;
                }
                let sign = ["->", "=>", "=", "|", ",", ":", "(", ")"].into_iter().find(|s| rest(s));
                let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
                let mut bad = None;
                let kind = if let Some(sign) = sign {
                    i += sign.len();
                    Some(Kind::Sign(sign))
                } else if word(&chars[i]) {
                    i += chars[i..].iter().take_while(|c| word(c)).count();
                    Some(Kind::Name(chars[start..i].iter().collect()))
                } else if chars[i] == '"' {
                    let inside: String = chars[i + 1..].iter().take_while(|c| **c != '"').collect();
                    i += inside.chars().count() + 2;
                    if i > chars.len() {
                        i = chars.len();
                        bad = Some("found the end of the line, expected a closing `\"`".to_string());
                    }
                    Some(Kind::Text(inside))
                } else {
                    i += 1;
                    bad = Some(format!("found `{}`, expected a name or a sign", chars[start]));
                    None
                };
                let span =
                    Span { line: row as u32 + 1, column: start as u32 + 1, length: (i - start) as u32 };
                self.errors.extend(bad.map(|message| (span, message)));
                self.tokens.extend(kind.map(|kind| Token { kind, span }));
            }
        }
        let rows = text.lines().count().max(1);
        let column = text.lines().last().map_or(0, |l| l.chars().count()) as u32 + 1;
        self.tokens.push(Token { kind: Kind::End, span: Span { line: rows as u32, column, length: 1 } });
    }

    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn fail<T>(&mut self, span: Span, message: String) -> Parsed<T> {
        self.errors.push((span, message));
        Err(Recover)
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = match self.kind() {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Text(_) => "a string".to_string(),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end of the file".to_string(),
        };
        self.fail(self.span(), format!("found {found}, expected {what}"))
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.kind(), Kind::Sign(s) if *s == sign);
        if found {
            self.advance();
        }
        found
    }

    fn sign(&mut self, sign: &str, what: &str) -> Parsed<()> {
        if self.eat_sign(sign) { Ok(()) } else { self.expected(what) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Name(n) if n == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn name(&mut self, what: &str) -> Parsed<(String, Span)> {
        match self.kind().clone() {
            Kind::Name(name) if !RESERVED.contains(&name.as_str()) => {
                let span = self.span();
                self.advance();
                Ok((name, span))
            }
            _ => self.expected(what),
        }
    }

    fn theory(&mut self) -> Theory {
        let mut theory =
            Theory { name: String::new(), heaps: Heaps::Functional, null: false, rules: Vec::new() };
        if self.header(&mut theory).is_err() {
            self.skip_to_rule();
        }
        while *self.kind() != Kind::End {
            match self.rule() {
                Ok(rule) => {
                    if let Some(first) = theory.rule(&rule.name) {
                        let message = format!(
                            "found a second rule `{}`, expected a new name (the first is on line {})",
                            rule.name, first.span.line
                        );
                        self.errors.push((rule.span, message));
                    }
                    theory.rules.push(rule);
                }
                Err(Recover) => self.skip_to_rule(),
            }
        }
        theory
    }

    fn header(&mut self, theory: &mut Theory) -> Parsed<()> {
        if !self.eat_word("theory") {
            return self.expected("`theory NAME`");
        }
        let (name, span) = self.name("the name of the theory")?;
        theory.null = self.eat_word("with") && {
            if !self.eat_word("null") {
                return self.expected("`null`");
            }
            true
        };
        self.null = theory.null;
        theory.heaps = match name.as_str() {
            "lisbq" => Heaps::Functional,
            "acyclic" if theory.null => Heaps::Acyclic,
            "acyclic" => {
                return self.fail(span, "found `theory acyclic`, expected `theory acyclic with null`".into());
            }
            _ => {
                let message = format!("found theory `{name}`, expected `lisbq` or `acyclic`");
                return self.fail(span, message);
            }
        };
        theory.name = name;
        if self.is_word("rule") || *self.kind() == Kind::End { Ok(()) } else { self.expected("`rule`") }
    }

    fn skip_to_rule(&mut self) {
        while *self.kind() != Kind::End && !self.is_word("rule") {
            self.advance();
        }
    }

    fn rule(&mut self) -> Parsed<Rule> {
        if !self.eat_word("rule") {
            return self.expected("`rule`, `note`, `,` or `|`");
        }
        let (name, span) = self.name("the name of the rule")?;
        self.sign(":", "`:`")?;
        let mut names = Names::default();
        let mut premises = vec![self.premise(&mut names)?];
        while self.eat_sign(",") {
            premises.push(self.premise(&mut names)?);
        }
        self.sign("=>", "`->`, `=`, `,` or `=>`")?;
        names.in_head = true;
        let mut alternatives = vec![self.heads(&mut names)?];
        while self.eat_sign("|") {
            alternatives.push(self.heads(&mut names)?);
        }
        let mut note = None;
        if self.eat_word("note") {
            match self.kind().clone() {
                Kind::Text(text) => note = Some(text),
                _ => return self.expected("a string"),
            }
            self.advance();
        }
        names.check(&mut self.errors);
        if names.variables.len() > MAX_VARIABLES {
            let count = names.variables.len();
            let message = format!("found {count} variables, expected at most {MAX_VARIABLES}");
            self.errors.push((span, message));
        }
        let variables = names.variables;
        Ok(Rule { name, variables, premises, alternatives, note, span })
    }

    fn heads(&mut self, names: &mut Names) -> Parsed<Vec<Head>> {
        let mut heads = Vec::new();
        loop {
            let first = self.arg(names)?;
            heads.push(self.relation(first, names)?);
            if !self.eat_sign(",") {
                return Ok(heads);
            }
        }
    }

    fn premise(&mut self, names: &mut Names) -> Parsed<Pattern> {
        let span = self.span();
        if self.eat_word("term") {
            if !self.is_word("f") {
                return self.expected("`f(x)`");
            }
            return match self.arg(names)? {
                Arg::App(x) => Ok(Pattern::Term(x)),
                arg => unreachable!("`f` starts an application, not {arg:?}"),
            };
        }
        let first = self.arg(names)?;
        match (first, self.kind()) {
            (Arg::Var(x), Kind::Sign("," | "=>")) => return Ok(Pattern::Occurs(x)),
            (Arg::App(_), Kind::Sign("," | "=>")) => {
                return self.fail(span, "found a bare `f(x)`, expected `term f(x)`".into());
            }
            _ => {}
        }
        match self.relation(first, names)? {
            Head::Between(p, q, r) => Ok(Pattern::Between(p, q, r)),
            Head::Equal(p, q) if matches!(p, Arg::App(_)) || matches!(q, Arg::App(_)) => {
                Ok(Pattern::Equal(p, q))
            }
            Head::Equal(..) => {
                let message = "found an equation without f, expected the same name used twice".into();
                self.fail(span, message)
            }
        }
    }

    /// The rest of a fact or an equation after its first argument.
    fn relation(&mut self, first: Arg, names: &mut Names) -> Parsed<Head> {
        if self.eat_sign("=") {
            return Ok(Head::Equal(first, self.arg(names)?));
        }
        self.sign("->", "`->` or `=`")?;
        let second = self.arg(names)?;
        let third = if self.eat_sign("->") {
            let third = self.arg(names)?;
            // `x -> y -> y` is `x -> y` written out, and prints as such: its end is one use, not two.
            if third == second && third != Arg::Null {
                names.occurrences.pop();
            }
            third
        } else {
            second
        };
        if matches!(self.kind(), Kind::Sign("->")) {
            return self.expected("a path of at most three points");
        }
        Ok(Head::Between(first, second, third))
    }

    fn arg(&mut self, names: &mut Names) -> Parsed<Arg> {
        let span = self.span();
        if self.eat_word("null") {
            if !self.null {
                return self.fail(span, "found `null`, expected `with null` in the header".into());
            }
            return Ok(Arg::Null);
        }
        if self.eat_word("f") {
            self.sign("(", "`(` after the link field f")?;
            let (name, _) = self.name("a variable")?;
            self.sign(")", "`)`")?;
            let x = names.occurrence(name, span, true);
            return Ok(Arg::App(x));
        }
        let (name, span) = self.name("a variable, `f(x)` or `null`")?;
        Ok(Arg::Var(names.occurrence(name, span, false)))
    }
}

/// Where the variables of one rule occur.
#[derive(Default)]
struct Names {
    variables: Vec<String>,
    /// Variable, place, under f, in a conclusion.
    occurrences: Vec<(u8, Span, bool, bool)>,
    in_head: bool,
}

impl Names {
    fn occurrence(&mut self, name: String, span: Span, applied: bool) -> u8 {
        let index = self.variables.iter().position(|v| *v == name).unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        }) as u8;
        self.occurrences.push((index, span, applied, self.in_head));
        index
    }

    fn check(&self, errors: &mut Vec<(Span, String)>) {
        for &(x, span, applied, in_head) in &self.occurrences {
            let name = &self.variables[x as usize];
            let bound = self.occurrences.iter().any(|o| o.0 == x && !o.3);
            let term = self.occurrences.iter().any(|o| o.0 == x && !o.3 && o.2);
            let uses = self.occurrences.iter().filter(|o| o.0 == x).count();
            let message = if in_head && !bound {
                format!("found `{name}`, expected a variable of the premises")
            } else if in_head && applied && !term {
                format!("found `f({name})`, expected a premise `term f({name})`")
            } else if uses == 1 && !name.starts_with('_') {
                format!("found `{name}` only once, expected a second use or the name `_{name}`")
            } else {
                continue;
            };
            errors.push((span, message));
        }
    }
}
