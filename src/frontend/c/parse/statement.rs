//! Statements and blocks, with recovery after an error.

use super::super::ast::{Clause, ClauseKind, Declaration, Stmt, StmtKind, TypeExpr};
use super::super::token::Kind;
use super::{MAX_ERRORS, Parsed, Parser, is_keyword};
use crate::frontend::diagnostic::Diagnostic;
use crate::util::hash::Map;

impl Parser<'_> {
    /// `{ ... }`; an error inside costs one statement.
    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.nested(|p| {
            p.expect("{")?;
            p.scopes.push(Map::default());
            let result = p.block_items();
            p.scopes.pop();
            result
        })
    }

    fn block_items(&mut self) -> Parsed<Vec<Stmt>> {
        let mut items = Vec::new();
        loop {
            if self.eat("}") {
                return Ok(items);
            }
            if self.at_end() {
                return self.unexpected("`}`");
            }
            if self.in_annotation && self.peek().kind == Kind::Close {
                return self.unexpected("`}`");
            }
            match self.block_item() {
                Ok(statement) => items.push(statement),
                Err(failed) => {
                    let hopeless = self.restart.is_some() || self.depth + 8 > super::MAX_DEPTH;
                    if hopeless || self.errors > MAX_ERRORS || self.in_annotation {
                        return Err(failed);
                    }
                    self.skip_statement();
                }
            }
        }
    }

    /// To the end of a broken statement: after `;` or a block, before the `}` of the block around.
    fn skip_statement(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            let token = self.peek();
            match token.kind {
                Kind::Punct("{") => depth += 1,
                Kind::Punct("}") if depth == 0 => return,
                Kind::Punct("}") => {
                    depth -= 1;
                    if depth == 0 {
                        self.bump();
                        return;
                    }
                }
                Kind::Punct(";") if depth == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    fn block_item(&mut self) -> Parsed<Stmt> {
        if self.attributes_alone() {
            let start = self.peek().span;
            self.loose_attributes();
            self.expect(";")?;
            return Ok(Stmt { kind: StmtKind::Expr(None), span: start.to(self.previous()) });
        }
        if self.at_word("__label__") && self.peek_at(1).ident().is_some() {
            let start = self.bump().span;
            while self.peek().ident().is_some() {
                self.bump();
                self.eat(",");
            }
            self.expect(";")?;
            let kind = StmtKind::Unsupported("GNU's `__label__`");
            return Ok(Stmt { kind, span: start.to(self.previous()) });
        }
        if self.declaration_follows() {
            let start = self.peek().span;
            let declaration = self.local_declaration()?;
            let span = start.to(self.previous());
            let kind = declaration.map_or(StmtKind::Expr(None), StmtKind::Declaration);
            return Ok(Stmt { kind, span });
        }
        self.unknown_type()?;
        self.nested(|p| p.statement())
    }

    /// `__attribute__((fallthrough));`: attributes without a declaration.
    fn attributes_alone(&self) -> bool {
        let keyword = |token: &super::Token| {
            token.ident().is_some_and(|n| matches!(self.names.text(n), "__attribute__" | "__attribute"))
        };
        if !keyword(&self.peek()) && !self.double_bracket() {
            return false;
        }
        let mut depth = 0usize;
        for token in &self.tokens[self.at..] {
            match token.kind {
                Kind::Punct("(" | "[") => depth += 1,
                Kind::Punct(")" | "]") => depth = depth.saturating_sub(1),
                _ if depth == 0 && !keyword(token) => return token.is(";"),
                _ => {}
            }
        }
        false
    }

    /// Two names in a row: the first was meant as a type.
    fn unknown_type(&mut self) -> Parsed<()> {
        let (first, second) = (self.peek(), self.peek_at(1));
        let named = |p: &Self, t: super::Token| t.ident().is_some_and(|n| !is_keyword(p.names.text(n)));
        let asm = first
            .ident()
            .is_some_and(|n| matches!(self.names.text(n), "asm" | "__asm__" | "__asm" | "__extension__"));
        if named(self, first) && named(self, second) && !asm {
            let text = first.spelling(self.names).into_owned();
            let diagnostic =
                Diagnostic::error("unknown-type", first.span, format!("unknown type name `{text}`"));
            return Err(self.report(diagnostic));
        }
        Ok(())
    }

    /// `None`: a static assertion.
    pub(super) fn local_declaration(&mut self) -> Parsed<Option<Declaration>> {
        if self.at_word("_Static_assert") {
            self.static_assert()?;
            return Ok(None);
        }
        let start = self.at;
        let base = self.specifiers()?;
        if self.at(";") {
            return self.declarators(base, None).map(Some);
        }
        let (name, ty, span) = self.declarator(&base.ty)?;
        let Some(name) = name else { return self.unexpected("a name") };
        if self.at("{") && matches!(ty, TypeExpr::Function(_)) {
            let diagnostic = Diagnostic::error("syntax", span, "a function definition inside a function")
                .help("a `}` is probably missing before it");
            self.restart = Some(start);
            return Err(self.report(diagnostic));
        }
        self.declarators(base, Some((name, ty, span))).map(Some)
    }

    /// One statement that is no declaration.
    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.peek();
        let kind = match start.kind {
            Kind::Open => return self.annotated(),
            Kind::Punct("{") => StmtKind::Block(self.block()?),
            Kind::Punct(";") => {
                self.bump();
                StmtKind::Expr(None)
            }
            Kind::Ident(name) => {
                let word = self.names.text(name).to_owned();
                match self.keyword(&word)? {
                    Some(kind) => kind,
                    None if self.peek_at(1).is(":") && !is_keyword(&word) => {
                        self.bump();
                        self.bump();
                        self.loose_attributes();
                        StmtKind::Label(name, Box::new(self.labelled()?))
                    }
                    None => self.expression_statement()?,
                }
            }
            _ => self.expression_statement()?,
        };
        Ok(Stmt { kind, span: start.span.to(self.previous()) })
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let expression = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::Expr(Some(expression)))
    }

    /// What a label stands before; C11 wants a statement, C23 allows the end of a block and declarations.
    fn labelled(&mut self) -> Parsed<Stmt> {
        if self.at("}") {
            let span = self.peek().span;
            return Ok(Stmt { kind: StmtKind::Expr(None), span });
        }
        if self.declaration_follows() {
            return self.block_item();
        }
        self.nested(|p| p.statement())
    }

    fn keyword(&mut self, word: &str) -> Parsed<Option<StmtKind>> {
        Ok(Some(match word {
            "if" => self.if_statement()?,
            "while" | "do" | "for" => self.loop_statement(Vec::new())?,
            "switch" => {
                self.bump();
                let subject = self.condition()?;
                StmtKind::Switch(subject, Box::new(self.nested(|p| p.statement())?))
            }
            "case" => {
                self.bump();
                let value = self.binary_expression(3)?;
                let last = if self.eat("...") { Some(Box::new(self.binary_expression(3)?)) } else { None };
                self.expect(":")?;
                StmtKind::Case(value, last, Box::new(self.labelled()?))
            }
            "default" => {
                self.bump();
                self.expect(":")?;
                StmtKind::Default(Box::new(self.labelled()?))
            }
            "goto" => {
                self.bump();
                if self.at("*") {
                    self.expression()?;
                    self.expect(";")?;
                    return Ok(Some(StmtKind::Unsupported("a computed goto")));
                }
                let (name, _) = self.ident("a label")?;
                self.expect(";")?;
                StmtKind::Goto(name)
            }
            "break" | "continue" => {
                self.bump();
                self.expect(";")?;
                if word == "break" { StmtKind::Break } else { StmtKind::Continue }
            }
            "return" => {
                self.bump();
                let value = if self.at(";") { None } else { Some(self.expression()?) };
                self.expect(";")?;
                StmtKind::Return(value)
            }
            "asm" | "__asm__" | "__asm" => {
                self.bump();
                while let Some("volatile" | "__volatile__" | "__volatile" | "goto" | "inline") = self.word() {
                    self.bump();
                }
                self.skip_group();
                self.expect(";")?;
                StmtKind::Unsupported("inline assembly")
            }
            "else" => return self.unexpected("a statement"),
            _ => return Ok(None),
        }))
    }

    /// `if`, with all of a chain of `else if`.
    fn if_statement(&mut self) -> Parsed<StmtKind> {
        let mut chain = Vec::new();
        let mut last = None;
        loop {
            let start = self.bump().span;
            if chain.len() >= super::MAX_CHAIN {
                let text = format!("a chain of more than {} conditions is not read", super::MAX_CHAIN);
                return Err(self.report(Diagnostic::error("nesting", start, text)));
            }
            let test = self.condition()?;
            let yes = Box::new(self.nested(|p| p.statement())?);
            chain.push((start, test, yes));
            if !self.eat_word("else") {
                break;
            }
            if !self.at_word("if") {
                last = Some(Box::new(self.nested(|p| p.statement())?));
                break;
            }
        }
        let end = self.previous();
        let mut rest = last;
        while let Some((start, test, yes)) = chain.pop() {
            let kind = StmtKind::If(test, yes, rest.take());
            if chain.is_empty() {
                return Ok(kind);
            }
            rest = Some(Box::new(Stmt { kind, span: start.to(end) }));
        }
        self.unexpected("`if`")
    }

    fn condition(&mut self) -> Parsed<super::Expr> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    /// A loop with the clauses that stand before it.
    fn loop_statement(&mut self, mut clauses: Vec<Clause>) -> Parsed<StmtKind> {
        let word = self.word().unwrap_or_default().to_owned();
        self.bump();
        match word.as_str() {
            "while" => {
                let test = self.condition()?;
                // Frama-C users put them before the loop; between test and body they mean the same.
                clauses.extend(self.loop_clauses_before_body());
                Ok(StmtKind::While(clauses, test, Box::new(self.nested(|p| p.statement())?)))
            }
            "do" => {
                let body = Box::new(self.nested(|p| p.statement())?);
                if !self.eat_word("while") {
                    return self.unexpected("`while` after the body of `do`");
                }
                let test = self.condition()?;
                self.expect(";")?;
                Ok(StmtKind::Do(clauses, body, test))
            }
            _ => {
                self.scopes.push(Map::default());
                let result = self.for_statement(clauses);
                self.scopes.pop();
                result
            }
        }
    }

    /// Annotations right before the body, if all of them are loop clauses. Before a body that is a loop they
    /// belong to that one.
    fn loop_clauses_before_body(&mut self) -> Vec<Clause> {
        let is = |p: &Self, ahead: usize, words: &[&str]| {
            p.peek_at(ahead).ident().is_some_and(|n| words.contains(&p.names.text(n)))
        };
        if self.peek().kind != Kind::Open || !is(self, 1, &["loop"]) {
            return Vec::new();
        }
        let mut ahead = 0;
        while self.peek_at(ahead).kind == Kind::Open {
            let left = self.tokens.len().saturating_sub(self.at);
            let Some(close) = (ahead..left).find(|&at| self.peek_at(at).kind == Kind::Close) else { break };
            ahead = close + 1;
        }
        if is(self, ahead, &["while", "for", "do"]) { Vec::new() } else { self.annotations() }
    }

    fn for_statement(&mut self, mut clauses: Vec<Clause>) -> Parsed<StmtKind> {
        self.expect("(")?;
        let start = self.peek().span;
        let init = if self.eat(";") {
            None
        } else if self.declaration_follows() {
            let declaration = self.local_declaration()?;
            let span = start.to(self.previous());
            declaration.map(|d| Box::new(Stmt { kind: StmtKind::Declaration(d), span }))
        } else {
            let kind = self.expression_statement()?;
            Some(Box::new(Stmt { kind, span: start.to(self.previous()) }))
        };
        let test = if self.at(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.at(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        clauses.extend(self.loop_clauses_before_body());
        let body = Box::new(self.nested(|p| p.statement())?);
        Ok(StmtKind::For { clauses, init, test, step, body })
    }

    /// Annotations, and the loop after them if there is one.
    fn annotated(&mut self) -> Parsed<Stmt> {
        let start = self.peek().span;
        let clauses = self.annotations();
        let span = start.to(self.previous());
        if self.errors > MAX_ERRORS {
            return Err(super::Failed);
        }
        let is_loop = matches!(self.word(), Some("while" | "do" | "for"));
        if !is_loop {
            let stray = clauses.iter().find(|c| {
                matches!(
                    c.kind,
                    ClauseKind::Invariant(_)
                        | ClauseKind::Variant { .. }
                        | ClauseKind::Assigns { of_loop: true, .. }
                        | ClauseKind::Track { of_loop: true, .. }
                )
            });
            if let Some(stray) = stray {
                let diagnostic =
                    Diagnostic::error("annotation-place", stray.span, "no loop follows this clause")
                        .help("loop clauses stand directly before `while`, `for` or `do`");
                self.report(diagnostic);
            }
            return Ok(Stmt { kind: StmtKind::Annotation(clauses), span });
        }
        let belongs = |c: &Clause| {
            matches!(
                c.kind,
                ClauseKind::Invariant(_)
                    | ClauseKind::Variant { .. }
                    | ClauseKind::Assigns { .. }
                    | ClauseKind::Track { .. }
            )
        };
        let (of_loop, others): (Vec<_>, Vec<_>) = clauses.into_iter().partition(belongs);
        let loop_start = self.peek().span;
        let kind = self.nested(|p| p.loop_statement(of_loop))?;
        let statement = Stmt { kind, span: loop_start.to(self.previous()) };
        if others.is_empty() {
            return Ok(statement);
        }
        let before = Stmt { kind: StmtKind::Annotation(others), span };
        let span = span.to(statement.span);
        Ok(Stmt { kind: StmtKind::Block(vec![before, statement]), span })
    }
}
