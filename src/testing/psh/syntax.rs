//! Tokens and grammar of the `.psh` notation.

/// A file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) fields: Vec<String>,
    pub(super) vars: Vec<String>,
    pub(super) temps: Vec<String>,
    pub(super) code: Vec<Statement>,
    pub(super) specs: Vec<Spec>,
}

/// One contract.
#[derive(Clone, Debug, Default)]
pub(super) struct Spec {
    pub(super) name: String,
    pub(super) family: Vec<String>,
    pub(super) ghosts: Vec<String>,
    pub(super) requires: Vec<Phrase>,
    pub(super) ensures: Vec<Phrase>,
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// `x = y`, y may be `null`.
    Copy(String, String),
    /// `x = y->f`
    Load(String, String, String),
    /// `x->f = y`
    Store(String, String, String),
    Malloc(String),
    Free(String),
    Assume(Phrase),
    If(Phrase, Vec<Statement>, Vec<Statement>),
    While(Phrase, Vec<Statement>),
}

/// A condition or formula.
#[derive(Clone, Debug)]
pub(super) enum Phrase {
    Const(bool),
    /// `*`
    Choice,
    Not(Box<Phrase>),
    And(Box<Phrase>, Box<Phrase>),
    Or(Box<Phrase>, Box<Phrase>),
    Implies(Box<Phrase>, Box<Phrase>),
    Iff(Box<Phrase>, Box<Phrase>),
    Equal(String, String),
    /// `x<f*>y`; with `plus`, `x<f+>y`
    Reach {
        field: String,
        from: String,
        to: String,
        plus: bool,
    },
    /// `x<f>y`
    Edge(String, String, String),
    /// `f.ls[x,y]`, `f.sorted[x,y]`
    Segment(String, String, String, String),
    /// `f/b.rev[x,y]`
    Inverse(String, String, String, String),
    /// `f.stable(x)`
    Stable(String, String),
    /// `dle(x,y)`
    AtMost(String, String),
    /// `C(x)`, `alloc(x)`
    Unary(String, String),
}

pub(super) fn parse(text: &str) -> Result<File, String> {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    let file = parser.file()?;
    Ok(file)
}

fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("");
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let len = if word(first) {
                rest.find(|c: char| !word(c)).unwrap_or(rest.len())
            } else {
                let long = ["<->", "->", "==", "!=", "&&", "||"];
                long.iter().find(|l| rest.starts_with(**l)).map_or(first.len_utf8(), |l| l.len())
            };
            out.push(rest[..len].to_string());
            rest = rest[len..].trim_start();
        }
    }
    out
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) { Ok(()) } else { Err(format!("expected `{token}`, found `{}`", self.peek())) }
    }

    fn word(&mut self) -> Result<String, String> {
        let token = self.next();
        if token.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            Ok(token)
        } else {
            Err(format!("expected a name, found `{token}`"))
        }
    }

    fn words(&mut self) -> Result<Vec<String>, String> {
        let mut out = Vec::new();
        while !self.eat(";") {
            out.push(self.word()?);
        }
        Ok(out)
    }

    fn file(&mut self) -> Result<File, String> {
        let mut file = File::default();
        self.expect("program")?;
        file.name = self.word()?;
        while !self.peek().is_empty() {
            match self.next().as_str() {
                "fields" => file.fields = self.words()?,
                "vars" => file.vars = self.words()?,
                "temps" => file.temps = self.words()?,
                "code" => file.code = self.block()?,
                "spec" => {
                    let spec = self.spec()?;
                    file.specs.push(spec);
                }
                other => return Err(format!("`{other}` begins no section")),
            }
        }
        if file.fields.is_empty() {
            file.fields.push("n".to_string());
        }
        Ok(file)
    }

    fn spec(&mut self) -> Result<Spec, String> {
        let mut spec = Spec { name: self.word()?, ..Spec::default() };
        self.expect("{")?;
        while !self.eat("}") {
            let key = self.word()?;
            self.expect(":")?;
            match key.as_str() {
                "family" => spec.family = self.words()?,
                "ghosts" => spec.ghosts = self.words()?,
                "requires" | "axiom" => {
                    spec.requires.push(self.phrase()?);
                    self.expect(";")?;
                }
                "ensures" => {
                    spec.ensures.push(self.phrase()?);
                    self.expect(";")?;
                }
                other => return Err(format!("`{other}` is no clause")),
            }
        }
        Ok(spec)
    }

    fn block(&mut self) -> Result<Vec<Statement>, String> {
        if !self.eat("{") {
            return Ok(vec![self.statement()?]);
        }
        let mut out = Vec::new();
        while !self.eat("}") {
            out.push(self.statement()?);
        }
        Ok(out)
    }

    fn statement(&mut self) -> Result<Statement, String> {
        let first = self.word()?;
        match first.as_str() {
            "while" | "if" => {
                self.expect("(")?;
                let test = self.phrase()?;
                self.expect(")")?;
                let body = self.block()?;
                if first == "while" {
                    return Ok(Statement::While(test, body));
                }
                let other = if self.eat("else") { self.block()? } else { Vec::new() };
                return Ok(Statement::If(test, body, other));
            }
            "assume" | "free" => {
                self.expect("(")?;
                let statement = if first == "free" {
                    Statement::Free(self.word()?)
                } else {
                    Statement::Assume(self.phrase()?)
                };
                self.expect(")")?;
                self.expect(";")?;
                return Ok(statement);
            }
            _ => {}
        }
        let statement = if self.eat("->") {
            let field = self.word()?;
            self.expect("=")?;
            Statement::Store(first, field, self.word()?)
        } else {
            self.expect("=")?;
            let source = self.word()?;
            if source == "malloc" {
                self.expect("(")?;
                self.expect(")")?;
                Statement::Malloc(first)
            } else if self.eat("->") {
                Statement::Load(first, source, self.word()?)
            } else {
                Statement::Copy(first, source)
            }
        };
        self.expect(";")?;
        Ok(statement)
    }

    fn phrase(&mut self) -> Result<Phrase, String> {
        let left = self.disjunction()?;
        if self.eat("->") {
            return Ok(Phrase::Implies(Box::new(left), Box::new(self.phrase()?)));
        }
        if self.eat("<->") {
            return Ok(Phrase::Iff(Box::new(left), Box::new(self.phrase()?)));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Phrase, String> {
        let mut left = self.conjunction()?;
        while self.eat("|") || self.eat("||") {
            left = Phrase::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Phrase, String> {
        let mut left = self.atom()?;
        while self.eat("&") || self.eat("&&") {
            left = Phrase::And(Box::new(left), Box::new(self.atom()?));
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Phrase, String> {
        if self.eat("!") {
            return Ok(Phrase::Not(Box::new(self.atom()?)));
        }
        if self.eat("(") {
            let inner = self.phrase()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.eat("*") {
            return Ok(Phrase::Choice);
        }
        let first = self.word()?;
        match self.next().as_str() {
            "(" => {
                let x = self.word()?;
                if first == "dle" {
                    self.expect(",")?;
                    let y = self.word()?;
                    self.expect(")")?;
                    return Ok(Phrase::AtMost(x, y));
                }
                self.expect(")")?;
                Ok(Phrase::Unary(first, x))
            }
            "=" | "==" => Ok(Phrase::Equal(first, self.word()?)),
            "!=" => Ok(Phrase::Not(Box::new(Phrase::Equal(first, self.word()?)))),
            "<" => {
                let field = self.word()?;
                let kind = self.next();
                if kind == "*" || kind == "+" {
                    self.expect(">")?;
                    return Ok(Phrase::Reach { field, from: first, to: self.word()?, plus: kind == "+" });
                }
                Ok(Phrase::Edge(field, first, self.word()?))
            }
            "." => {
                let kind = self.word()?;
                if kind == "stable" {
                    self.expect("(")?;
                    let x = self.word()?;
                    self.expect(")")?;
                    return Ok(Phrase::Stable(first, x));
                }
                let (x, y) = self.ends()?;
                Ok(Phrase::Segment(kind, first, x, y))
            }
            "/" => {
                let back = self.word()?;
                self.expect(".")?;
                self.expect("rev")?;
                let (x, y) = self.ends()?;
                Ok(Phrase::Inverse(first, back, x, y))
            }
            _ if first == "true" || first == "false" => {
                self.at -= 1;
                Ok(Phrase::Const(first == "true"))
            }
            other => Err(format!("`{first} {other}` begins no formula")),
        }
    }

    fn ends(&mut self) -> Result<(String, String), String> {
        self.expect("[")?;
        let x = self.word()?;
        self.expect(",")?;
        let y = self.word()?;
        self.expect("]")?;
        Ok((x, y))
    }
}
