//! Expressions of C and terms of annotations, by precedence climbing.

use super::super::ast::{BinaryOp, Expr, ExprKind, TypeExpr, UnaryOp};
use super::super::number;
use super::super::token::{Kind, Name};
use super::{Parsed, Parser};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::{BinOp, Cmp};

/// Levels of binary operators; annotations add the two lowest and `\in`, `-f*->` beside the comparisons.
fn binary(punct: &str, annotation: bool) -> Option<(u8, BinaryOp)> {
    use BinaryOp::{And, Arithmetic, Compare, Iff, Implies, Or};
    Some(match punct {
        "<==>" if annotation => (1, Iff),
        "==>" if annotation => (2, Implies),
        "||" => (4, Or),
        "&&" => (5, And),
        "|" => (6, Arithmetic(BinOp::BitOr)),
        "^" => (7, Arithmetic(BinOp::BitXor)),
        "&" => (8, Arithmetic(BinOp::BitAnd)),
        "==" => (9, Compare(Cmp::Eq)),
        "!=" => (9, Compare(Cmp::Ne)),
        "<" => (10, Compare(Cmp::Lt)),
        "<=" => (10, Compare(Cmp::Le)),
        ">" => (10, Compare(Cmp::Gt)),
        ">=" => (10, Compare(Cmp::Ge)),
        "<<" => (11, Arithmetic(BinOp::Shl)),
        ">>" => (11, Arithmetic(BinOp::Shr)),
        "+" => (12, Arithmetic(BinOp::Add)),
        "-" => (12, Arithmetic(BinOp::Sub)),
        "*" => (13, Arithmetic(BinOp::Mul)),
        "/" => (13, Arithmetic(BinOp::Div)),
        "%" => (13, Arithmetic(BinOp::Rem)),
        _ => return None,
    })
}

/// `? :` binds weaker than `||` and stronger than `==>`.
pub(super) const CONDITIONAL: u8 = 3;
const RELATION: u8 = 10;

fn assignment(punct: &str) -> Option<Option<BinOp>> {
    Some(match punct {
        "=" => None,
        "+=" => Some(BinOp::Add),
        "-=" => Some(BinOp::Sub),
        "*=" => Some(BinOp::Mul),
        "/=" => Some(BinOp::Div),
        "%=" => Some(BinOp::Rem),
        "&=" => Some(BinOp::BitAnd),
        "|=" => Some(BinOp::BitOr),
        "^=" => Some(BinOp::BitXor),
        "<<=" => Some(BinOp::Shl),
        ">>=" => Some(BinOp::Shr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// `a, b`
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment_expression()?;
        while self.at(",") {
            self.bump();
            let right = self.assignment_expression()?;
            let span = left.span.to(right.span);
            left = self.expr(ExprKind::Comma(Box::new(left), Box::new(right)), span)?;
        }
        Ok(left)
    }

    /// One expression without commas; in annotations, a whole formula.
    pub(super) fn assignment_expression(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.binary_expression(0)?;
            let Kind::Punct(punct) = p.peek().kind else { return Ok(left) };
            let Some(op) = assignment(punct) else { return Ok(left) };
            p.bump();
            let right = p.assignment_expression()?;
            let span = left.span.to(right.span);
            p.expr(ExprKind::Assign(op, Box::new(left), Box::new(right)), span)
        })
    }

    /// Binary operators of at least this level, and `? :`.
    pub(super) fn binary_expression(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary_expression()?;
        loop {
            let token = self.peek();
            if let Some(operator) = self.set_operator() {
                self.bump();
                let right = self.unary_expression()?;
                let span = left.span.to(right.span);
                left = self.expr(ExprKind::Builtin(operator, vec![left, right]), span)?;
                continue;
            }
            if self.in_annotation
                && RELATION >= least
                && let Some(next) = self.relation(&left)?
            {
                left = next;
                continue;
            }
            let Kind::Punct(punct) = token.kind else { return Ok(left) };
            if punct == "?" && CONDITIONAL >= least {
                left = self.conditional(left)?;
                continue;
            }
            let Some((level, op)) = binary(punct, self.in_annotation).filter(|(l, _)| *l >= least) else {
                return Ok(left);
            };
            // `x -f*-> y` is no subtraction: it is a relation, met at its own level.
            if self.in_annotation && punct == "-" && self.at_reach() {
                return Ok(left);
            }
            self.bump();
            // Implication associates to the right.
            let right_level = if op == BinaryOp::Implies { level } else { level + 1 };
            let right = match op {
                BinaryOp::Implies => self.nested(|p| p.binary_expression(right_level))?,
                _ => self.binary_expression(right_level)?,
            };
            let span = left.span.to(right.span);
            left = self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)?;
        }
    }

    fn conditional(&mut self, test: Expr) -> Parsed<Expr> {
        self.bump();
        if self.eat(":") {
            let no = self.nested(|p| p.binary_expression(CONDITIONAL))?;
            let span = test.span.to(no.span);
            let name = self.names.intern("(chosen)");
            return self.expr(ExprKind::Otherwise(Box::new(test), Box::new(no), name), span);
        }
        let yes = self.nested(|p| p.expression())?;
        self.expect(":")?;
        let no = self.nested(|p| p.binary_expression(CONDITIONAL))?;
        let span = test.span.to(no.span);
        self.expr(ExprKind::Conditional(Box::new(test), Box::new(yes), Box::new(no)), span)
    }

    /// `- f * ->` or `- f + ->` comes next.
    fn at_reach(&self) -> bool {
        self.at("-")
            && self.peek_at(1).ident().is_some()
            && (self.peek_at(2).is("*") || self.peek_at(2).is("+"))
            && self.peek_at(3).is("->")
    }

    /// `\union`, `\inter` and `\diff` between two sets: short for `\union(A, B)`.
    fn set_operator(&self) -> Option<Name> {
        match self.peek().kind {
            Kind::Builtin(name)
                if self.in_annotation && matches!(self.names.text(name), "union" | "inter" | "diff") =>
            {
                Some(name)
            }
            _ => None,
        }
    }

    /// `x \in S`, `A \subset B`, `x -f*-> y` after the left operand.
    fn relation(&mut self, left: &Expr) -> Parsed<Option<Expr>> {
        if let Kind::Builtin(name) = self.peek().kind
            && self.names.text(name) == "in"
        {
            self.bump();
            let right = self.binary_expression(RELATION + 1)?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary(BinaryOp::In, Box::new(left.clone()), Box::new(right));
            return self.expr(kind, span).map(Some);
        }
        if let Kind::Builtin(name) = self.peek().kind
            && self.names.text(name) == "subset"
        {
            self.bump();
            let right = self.binary_expression(RELATION + 1)?;
            let span = left.span.to(right.span);
            return self.expr(ExprKind::Builtin(name, vec![left.clone(), right]), span).map(Some);
        }
        if !self.at_reach() {
            return Ok(None);
        }
        if matches!(left.kind, ExprKind::Reach { .. }) {
            let span = self.peek().span;
            let diagnostic = Diagnostic::error("syntax", span, "a path has two ends")
                .help("`\\btwn(f, x, y, z)` says that y lies between x and z");
            return Err(self.report(diagnostic));
        }
        self.bump();
        let (field, field_span) = self.ident("a field")?;
        let plus = self.bump().is("+");
        self.bump();
        let to = self.unary_expression()?;
        let span = left.span.to(to.span);
        let from = Box::new(left.clone());
        self.expr(ExprKind::Reach { field, field_span, plus, from, to: Box::new(to) }, span).map(Some)
    }

    fn unary_expression(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let unary = match token.kind {
            Kind::Punct("+") => Some(UnaryOp::Plus),
            Kind::Punct("-") => Some(UnaryOp::Neg),
            Kind::Punct("!") => Some(UnaryOp::Not),
            Kind::Punct("~") => Some(UnaryOp::BitNot),
            Kind::Punct("*") => Some(UnaryOp::Deref),
            Kind::Punct("&") => Some(UnaryOp::Address),
            _ => None,
        };
        if let Some(op) = unary {
            self.bump();
            let inner = self.nested(|p| p.unary_expression())?;
            let span = token.span.to(inner.span);
            return self.expr(ExprKind::Unary(op, Box::new(inner)), span);
        }
        match token.kind {
            Kind::Punct(step @ ("++" | "--")) => {
                self.bump();
                let target = Box::new(self.nested(|p| p.unary_expression())?);
                let span = token.span.to(target.span);
                self.expr(ExprKind::Step { up: step == "++", prefix: true, target }, span)
            }
            Kind::Punct("&&") => {
                self.bump();
                self.bump();
                self.expr(ExprKind::Unsupported("the address of a label"), token.span)
            }
            Kind::Punct("(") if self.type_follows(1) => self.cast(),
            Kind::Ident(name) => match self.names.text(name) {
                "sizeof" | "_Alignof" | "__alignof__" | "__alignof" => self.sizeof(),
                "__extension__" => {
                    self.bump();
                    self.nested(|p| p.unary_expression())
                }
                "__builtin_offsetof" => self.offset_of(),
                "__builtin_va_arg" => self.va_arg(),
                "__builtin_types_compatible_p" => self.types_compatible(),
                "_Generic" | "__builtin_choose_expr" => {
                    self.bump();
                    self.skip_group();
                    self.expr(ExprKind::Unsupported("this built-in construct"), token.span)
                }
                "__real__" | "__imag__" => {
                    self.bump();
                    self.nested(|p| p.unary_expression())?;
                    self.expr(ExprKind::Unsupported("complex arithmetic"), token.span)
                }
                _ => self.postfix_expression(),
            },
            _ => self.postfix_expression(),
        }
    }

    fn cast(&mut self) -> Parsed<Expr> {
        let open = self.bump().span;
        let ty = self.type_name()?;
        self.expect(")")?;
        if self.at("{") {
            let literal = self.compound(ty, open)?;
            return self.postfix_of(literal);
        }
        let inner = self.nested(|p| p.unary_expression())?;
        let span = open.to(inner.span);
        self.expr(ExprKind::Cast(ty, Box::new(inner)), span)
    }

    /// The braces of a compound literal of this type, which began at `open`.
    fn compound(&mut self, ty: TypeExpr, open: Span) -> Parsed<Expr> {
        let name = self.names.intern("(literal)");
        let init = self.nested(|p| p.initialiser())?;
        let span = open.to(self.previous());
        self.expr(ExprKind::Compound(ty, Box::new(init), name), span)
    }

    fn sizeof(&mut self) -> Parsed<Expr> {
        let word = self.bump();
        let alignment = word.ident().is_some_and(|n| self.names.text(n) != "sizeof");
        let (kind, span) = if self.at("(") && self.type_follows(1) {
            self.bump();
            let ty = self.type_name()?;
            let close = self.expect(")")?;
            // `sizeof (T){...}` is the size of a compound literal.
            if !alignment && self.at("{") {
                let literal = self.compound(ty, word.span)?;
                let operand = self.postfix_of(literal)?;
                let span = word.span.to(operand.span);
                return self.expr(ExprKind::SizeofExpr(Box::new(operand)), span);
            }
            let gnu = word.ident().is_some_and(|n| self.names.text(n) != "_Alignof");
            let kind = if alignment { ExprKind::Alignof(ty, gnu) } else { ExprKind::SizeofType(ty) };
            return self.expr(kind, word.span.to(close));
        } else {
            let inner = self.nested(|p| p.unary_expression())?;
            let span = word.span.to(inner.span);
            (ExprKind::SizeofExpr(Box::new(inner)), span)
        };
        self.expr(if alignment { ExprKind::Unsupported("`_Alignof`") } else { kind }, span)
    }

    fn postfix_expression(&mut self) -> Parsed<Expr> {
        let base = self.primary_expression()?;
        self.postfix_of(base)
    }

    /// What may follow an operand.
    fn postfix_of(&mut self, mut base: Expr) -> Parsed<Expr> {
        loop {
            let token = self.peek();
            let Kind::Punct(punct) = token.kind else { return Ok(base) };
            match punct {
                "(" => {
                    self.bump();
                    let arguments = self.arguments()?;
                    let span = base.span.to(self.previous());
                    base = self.expr(ExprKind::Call(Box::new(base), arguments), span)?;
                }
                "[" => {
                    self.bump();
                    let index = self.nested(|p| if p.in_annotation { p.range() } else { p.expression() })?;
                    let close = self.expect("]")?;
                    let span = base.span.to(close);
                    // `p[0]` is `*p` as well.
                    let first = matches!(&index.kind, ExprKind::Int(literal) if literal.value == 0);
                    if let (ExprKind::Name(name), false) = (&base.kind, first) {
                        self.indexed.push(*name);
                    }
                    base = self.expr(ExprKind::Index(Box::new(base), Box::new(index)), span)?;
                }
                "." | "->" => {
                    self.bump();
                    let (field, field_span) = self.ident("a member's name")?;
                    let span = base.span.to(field_span);
                    let arrow = punct == "->";
                    let kind = ExprKind::Member { base: Box::new(base), field, field_span, arrow };
                    base = self.expr(kind, span)?;
                }
                "++" | "--" => {
                    self.bump();
                    let span = base.span.to(token.span);
                    let target = Box::new(base);
                    base = self.expr(ExprKind::Step { up: punct == "++", prefix: false, target }, span)?;
                }
                _ => return Ok(base),
            }
        }
    }

    /// The rest of `(a, b)` after the parenthesis.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.eat(")") {
            return Ok(arguments);
        }
        loop {
            // In annotations an argument may be the name of a field; it reads like a variable.
            arguments.push(self.assignment_expression()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    /// `lo..hi` or an expression.
    fn range(&mut self) -> Parsed<Expr> {
        let low = self.assignment_expression()?;
        if !self.eat("..") {
            return Ok(low);
        }
        let high = self.assignment_expression()?;
        let span = low.span.to(high.span);
        self.expr(ExprKind::Range(Box::new(low), Box::new(high)), span)
    }

    fn primary_expression(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        match token.kind {
            Kind::Number(text) => {
                let text = self.names.text(text).to_owned();
                self.bump();
                if let Some(literal) = number::integer(&text) {
                    return self.expr(ExprKind::Int(literal), token.span);
                }
                if number::is_floating(&text) {
                    return match number::floating(&text) {
                        Some((value, kind)) => self.expr(ExprKind::Float(value, kind), token.span),
                        None => self.expr(ExprKind::Unsupported("this floating-point number"), token.span),
                    };
                }
                self.fail(token.span, format!("`{text}` is no integer constant"))
            }
            Kind::Char(text) => {
                let value = number::character(self.names.text(text));
                self.bump();
                match value {
                    Some(value) => self.expr(ExprKind::Char(value), token.span),
                    None => self.expr(ExprKind::Unsupported("this character constant"), token.span),
                }
            }
            Kind::Str(_) => self.strings(),
            Kind::Ident(name) if !is_reserved(self.names.text(name)) => {
                self.bump();
                self.expr(ExprKind::Name(name), token.span)
            }
            Kind::Punct("(") => self.parenthesised(),
            Kind::Punct("{") if self.in_annotation => {
                self.bump();
                let mut elements = Vec::new();
                if !self.at("}") {
                    elements.push(self.assignment_expression()?);
                    while self.eat(",") {
                        elements.push(self.assignment_expression()?);
                    }
                }
                let close = self.expect("}")?;
                self.expr(ExprKind::Set(elements), token.span.to(close))
            }
            Kind::Builtin(_) if self.in_annotation => self.builtin(),
            _ => self.unexpected("an expression"),
        }
    }

    fn strings(&mut self) -> Parsed<Expr> {
        let first = self.peek().span;
        let (mut bytes, mut wide) = (Vec::new(), false);
        while let Kind::Str(text) = self.peek().kind {
            let text = self.names.text(text).to_owned();
            let span = self.bump().span;
            let quoted = text.trim_start_matches(['L', 'u', 'U', '8']);
            wide |= quoted.len() < text.len() && !text.starts_with("u8");
            let inner = &quoted[1..quoted.len() - 1];
            match number::unescape(inner) {
                Some(more) => bytes.extend(more),
                None => return self.fail(span, "this string literal has an escape that C does not know"),
            }
        }
        let kind = if wide { ExprKind::Unsupported("a wide string literal") } else { ExprKind::Str(bytes) };
        self.expr(kind, first.to(self.previous()))
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let open = self.bump().span;
        if self.at("{") && !self.in_annotation {
            let block = self.block()?;
            let close = self.expect(")")?;
            return self.expr(ExprKind::Block(block), open.to(close));
        }
        let inner = self.nested(|p| if p.in_annotation { p.range() } else { p.expression() })?;
        let close = self.expect(")")?;
        Ok(Expr { span: open.to(close), ..inner })
    }
}

/// Keywords other than those that begin an expression.
fn is_reserved(word: &str) -> bool {
    super::is_keyword(word)
}
