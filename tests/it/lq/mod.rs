//! Reads the `.lq` notation of the LISBQ benchmarks (NOTATION.md, section 2) into programs: a second front
//! end, small enough to be checked by eye, so that the engine is tested on the paper's procedures as they
//! were written down and not only on our translations to C.

mod code;
mod formula;

use catena::program::{
    Clause, Field, FieldId, Formula, IntKind, LabelId, Program, StructId, Type, Var, VarId, VarKind,
};
use catena::util::span::Span;
use std::collections::BTreeMap;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    Number(i128),
    Sign(&'static str),
}

const SIGNS: [&str; 32] = [
    "<==>", "==>", "^-1", ":=", "->", "&&", "||", "!=", "<=", ">=", "=", "<", ">", "!", "(", ")", "{", "}",
    "[", "]", ",", ";", ".", ":", "+", "-", "\\", "*", "/", "%", "?", "&",
];

fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("");
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !word.is_empty() {
                rest = &rest[word.len()..];
                out.push(word.parse().map_or(Token::Word(word), Token::Number));
            } else {
                let sign = SIGNS.iter().find(|s| rest.starts_with(**s)).expect("a known sign");
                rest = &rest[sign.len()..];
                out.push(Token::Sign(sign));
            }
            rest = rest.trim_start();
        }
    }
    out
}

/// Reads tokens of one file into programs.
pub struct Reader {
    pub tokens: Vec<Token>,
    pub at: usize,
    pub program: Program,
    /// Names of structs in their order.
    structs: Vec<String>,
    fields: BTreeMap<String, FieldId>,
    macros: BTreeMap<String, (Vec<String>, Vec<Token>)>,
    /// Snapshots: the field and the label.
    snapshots: BTreeMap<String, (FieldId, LabelId)>,
    temps: u32,
}

/// All procedures of a file.
pub fn read(text: &str) -> Vec<Program> {
    let mut reader = Reader {
        tokens: tokens(text),
        at: 0,
        program: Program::new(""),
        structs: Vec::new(),
        fields: BTreeMap::new(),
        macros: BTreeMap::new(),
        snapshots: BTreeMap::new(),
        temps: 0,
    };
    let mut programs = Vec::new();
    while reader.at < reader.tokens.len() {
        match reader.word().as_str() {
            "sort" => reader.sorts(),
            "field" => reader.field(),
            "define" => reader.define(),
            "proc" => programs.push(reader.procedure()),
            other => panic!("unexpected {other}"),
        }
    }
    programs
}

impl Reader {
    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(s)) if *s == sign)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w == word)
    }

    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, sign: &str) {
        assert!(
            self.eat(sign),
            "expected {sign}, found {:?}",
            &self.tokens[self.at..(self.at + 8).min(self.tokens.len())]
        );
    }

    pub fn word(&mut self) -> String {
        match self.peek() {
            Some(Token::Word(w)) => {
                let w = w.clone();
                self.at += 1;
                w
            }
            other => panic!("expected a name, found {other:?}"),
        }
    }

    fn words(&mut self) -> Vec<String> {
        let mut out = vec![self.word()];
        while self.eat(",") {
            out.push(self.word());
        }
        out
    }

    fn sorts(&mut self) {
        for name in self.words() {
            self.program.add_struct(&name);
            self.structs.push(name);
        }
        self.expect(";");
    }

    fn ty(&mut self) -> Type {
        let name = self.word();
        if name == "Int" {
            return Type::Int(IntKind { bits: 64, signed: true });
        }
        let index = self.structs.iter().position(|s| *s == name).expect("a declared sort");
        Type::Ptr(StructId(index as u32))
    }

    fn field(&mut self) {
        let names = self.words();
        self.expect(":");
        let Type::Ptr(owner) = self.ty() else { panic!("fields belong to sorts") };
        self.expect("->");
        let ty = self.ty();
        for name in names {
            let id = self.program.add_field(Field { name: name.clone(), owner, ty, ghost: false });
            self.fields.insert(name, id);
        }
        self.expect(";");
    }

    fn define(&mut self) {
        let name = self.word();
        self.expect("(");
        let parameters = if self.is(")") { Vec::new() } else { self.words() };
        self.expect(")");
        self.expect("=");
        let start = self.at;
        while !self.is(";") {
            self.at += 1;
        }
        let body = self.tokens[start..self.at].to_vec();
        self.expect(";");
        self.macros.insert(name, (parameters, body));
    }

    fn variables(&mut self, kind: VarKind, end: &str) {
        while !self.eat(end) {
            let mut names = vec![self.word()];
            loop {
                if self.eat(",") {
                    names.push(self.word());
                } else {
                    break;
                }
            }
            self.expect(":");
            let ty = self.ty();
            for name in names {
                self.program.add_var(Var { name, ty, kind, len: None, span: Span::default() });
            }
            self.eat(",");
        }
    }

    fn clause(&mut self) -> Clause {
        let formula = self.formula();
        self.expect(";");
        Clause { formula, span: Span::default() }
    }

    fn procedure(&mut self) -> Program {
        let declarations = self.program.clone();
        self.program.name = self.word();
        self.snapshots.clear();
        self.expect("(");
        self.variables(VarKind::Param, ")");
        let mut locals = Vec::new();
        if self.eat_word("local") {
            locals.push(self.at);
            self.variables(VarKind::Local, ";");
        }
        self.find_snapshots();
        loop {
            if self.eat_word("requires") {
                let clause = self.clause();
                self.program.contracts[0].requires.push(clause);
            } else if self.eat_word("ensures") {
                let clause = self.clause();
                self.program.contracts[0].ensures.push(clause);
            } else {
                break;
            }
        }
        self.body();
        std::mem::replace(&mut self.program, declarations)
    }

    /// Contracts speak of snapshots that the body takes later.
    fn find_snapshots(&mut self) {
        for i in self.at..self.tokens.len() {
            if self.tokens[i] == Token::Word("proc".to_owned()) {
                break;
            }
            if self.tokens[i] == Token::Word("snapshot".to_owned())
                && let (Token::Word(name), Token::Word(field)) = (&self.tokens[i + 1], &self.tokens[i + 3])
            {
                let label = LabelId(self.program.labels.len() as u32);
                self.program.labels.push(name.clone());
                self.snapshots.insert(name.clone(), (self.fields[field], label));
            }
        }
    }

    pub fn var(&self, name: &str) -> VarId {
        self.program.var_named(name).unwrap_or_else(|| panic!("unknown variable {name}"))
    }

    pub fn all(parts: Vec<Formula>) -> Formula {
        Formula::all(parts)
    }
}
