//! Statements.

use super::super::ast::{self, ClauseKind, StmtKind as Syntax};
use super::super::hir::{Expr, LoopKind, LoopSpec, Stmt, StmtKind};
use super::super::token::Name;
use super::super::types::Ty;
use super::convert::wrap;
use super::{Cases, Checker, Checking};
use crate::frontend::diagnostic::Span;

/// Cases of one range, at most.
const MAX_CASES: i128 = 1 << 10;

impl Checker<'_> {
    /// A function's body.
    pub(super) fn body(&mut self, statements: &[ast::Stmt]) -> Vec<Stmt> {
        let mut labels = Vec::new();
        collect_labels(statements, &mut labels);
        for (i, (name, span)) in labels.iter().enumerate() {
            if labels[..i].iter().any(|(n, _)| n == name) {
                let message = format!("label `{}` is defined twice", self.text(*name));
                let _ = self.error::<()>("redefinition", *span, message);
            }
        }
        self.current.defined_labels = labels.into_iter().map(|(n, _)| n).collect();
        let mut body = self.statements(statements);
        body.splice(0..0, std::mem::take(&mut self.current.automatic));
        body
    }

    /// Statements of one block, in its scope.
    pub(super) fn statements(&mut self, statements: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        for statement in statements {
            // The complaint is on record, and the function will not be used.
            let _ = self.statement(statement, &mut out);
        }
        out
    }

    fn block(&mut self, statement: &ast::Stmt) -> Stmt {
        let inner = self.in_scope(|c| {
            let mut out = Vec::new();
            let _ = c.statement(statement, &mut out);
            out
        });
        match <[Stmt; 1]>::try_from(inner) {
            Ok([only]) if !matches!(only.kind, StmtKind::Declare(..)) => only,
            Ok([only]) => Stmt { span: only.span, kind: StmtKind::Block(vec![only]) },
            Err(inner) => Stmt { kind: StmtKind::Block(inner), span: statement.span },
        }
    }

    fn test(&mut self, expr: &ast::Expr) -> Checking<Expr> {
        let expr = self.expression(expr)?;
        self.scalar(expr)
    }

    fn statement(&mut self, statement: &ast::Stmt, out: &mut Vec<Stmt>) -> Checking<()> {
        let outer = std::mem::take(&mut self.current.literals);
        let (start, automatic) = (out.len(), self.current.automatic.len());
        let result = self.statement_itself(statement, out);
        if matches!(statement.kind, Syntax::While(..) | Syntax::Do(..) | Syntax::For { .. }) {
            self.check_automatic(automatic);
        }
        let literals = std::mem::replace(&mut self.current.literals, outer);
        self.declare_literals(&statement.kind, literals, start, out);
        result
    }

    fn statement_itself(&mut self, statement: &ast::Stmt, out: &mut Vec<Stmt>) -> Checking<()> {
        let span = statement.span;
        let kind = match &statement.kind {
            Syntax::Block(inner) => StmtKind::Block(self.in_scope(|c| c.statements(inner))),
            Syntax::Declaration(declaration) => {
                self.local_declaration(declaration, out);
                return Ok(());
            }
            Syntax::Expr(None) => return Ok(()),
            Syntax::Expr(Some(expr)) => StmtKind::Expr(self.expression(expr)?),
            Syntax::If(test, yes, no) => {
                let test = self.test(test);
                let yes = Box::new(self.block(yes));
                let no = no.as_ref().map(|no| Box::new(self.block(no)));
                StmtKind::If(test?, yes, no)
            }
            Syntax::While(clauses, test, body) => {
                let spec = self.loop_spec(clauses);
                let test = self.test(test);
                let body = self.loop_body(body);
                StmtKind::Loop { kind: LoopKind::While, test: Some(test?), step: None, body, spec }
            }
            Syntax::Do(clauses, body, test) => {
                let spec = self.loop_spec(clauses);
                let body = self.loop_body(body);
                let test = self.test(test)?;
                StmtKind::Loop { kind: LoopKind::Do, test: Some(test), step: None, body, spec }
            }
            Syntax::For { clauses, init, test, step, body } => {
                let inner = self.in_scope(|c| {
                    c.for_loop(clauses, init.as_deref(), test.as_ref(), step.as_ref(), body, span)
                })?;
                StmtKind::Block(inner)
            }
            Syntax::Switch(subject, body) => {
                let subject = self.expression(subject).and_then(|e| self.promote(e));
                let kind = subject.as_ref().ok().and_then(|e| e.ty.int());
                let outer = std::mem::replace(&mut self.current.cases, Cases { kind, ..Cases::default() });
                self.current.switches += 1;
                let body = self.block(body);
                self.current.switches -= 1;
                self.current.cases = outer;
                StmtKind::Switch(subject?, Box::new(body))
            }
            Syntax::Case(first, last, inner) => self.case(first, last.as_deref(), inner, span)?,
            Syntax::Default(inner) => {
                if self.current.switches == 0 {
                    let _ = self.error::<()>("misplaced", span, "`default` outside of a `switch`");
                }
                if std::mem::replace(&mut self.current.cases.default, self.current.switches > 0) {
                    let _ = self.error::<()>("redefinition", span, "this `switch` has a `default` before");
                }
                StmtKind::Default(Box::new(self.labelled(inner)))
            }
            Syntax::Label(name, inner) => StmtKind::Label(*name, Box::new(self.labelled(inner))),
            Syntax::Goto(name) => {
                if !self.current.defined_labels.contains(name) {
                    let message = format!("label `{}` is not defined in this function", self.text(*name));
                    return self.error("undeclared", span, message);
                }
                StmtKind::Goto(*name)
            }
            Syntax::Break => {
                if self.current.loops + self.current.switches == 0 {
                    return self.error("misplaced", span, "`break` outside of a loop or `switch`");
                }
                StmtKind::Break
            }
            Syntax::Continue => {
                if self.current.loops == 0 {
                    return self.error("misplaced", span, "`continue` outside of a loop");
                }
                StmtKind::Continue
            }
            Syntax::Return(value) => StmtKind::Return(self.return_value(value.as_ref(), span)?),
            Syntax::Annotation(clauses) => {
                for clause in clauses {
                    self.statement_clause(clause, out);
                }
                return Ok(());
            }
            Syntax::Unsupported(what) => return self.unsupported(span, format!("{what} is not modelled")),
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// `case first:` or `case first ... last:`
    fn case(
        &mut self,
        first: &ast::Expr,
        last: Option<&ast::Expr>,
        inner: &ast::Stmt,
        span: Span,
    ) -> Checking<StmtKind> {
        if self.current.switches == 0 {
            let _ = self.error::<()>("misplaced", span, "`case` outside of a `switch`");
        }
        let low = self.constant_expression(first);
        let high = last.map_or(low, |last| self.constant_expression(last));
        let (Some(low), Some(high)) = (low, high) else {
            self.labelled(inner);
            return self.error("constant", first.span, "a case needs an integer constant");
        };
        if high.saturating_sub(low) >= MAX_CASES {
            self.labelled(inner);
            return self.unsupported(span, "so long a range of cases is not modelled");
        }
        for value in low..=high {
            let cases = &mut self.current.cases;
            if let Some(kind) = cases.kind
                && !cases.values.insert(wrap(value, kind))
            {
                let _ = self.error::<()>("redefinition", first.span, "this `switch` has this case before");
            }
        }
        let inner = self.labelled(inner);
        // An empty range is no case.
        let nested = |inner, value| Stmt { kind: StmtKind::Case(value, Box::new(inner)), span };
        Ok((low..=high).rev().fold(inner, nested).kind)
    }

    /// The statement after a label; a declaration there belongs to the block around.
    fn labelled(&mut self, inner: &ast::Stmt) -> Stmt {
        let mut out = Vec::new();
        let _ = self.statement(inner, &mut out);
        if out.iter().any(|s| matches!(s.kind, StmtKind::Declare(..))) {
            let _ =
                self.unsupported::<()>(inner.span, "a declaration directly after a label is not modelled");
        }
        Stmt { kind: StmtKind::Block(out), span: inner.span }
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Box<Stmt> {
        self.current.loops += 1;
        let body = self.block(body);
        self.current.loops -= 1;
        Box::new(body)
    }

    fn loop_spec(&mut self, clauses: &[ast::Clause]) -> Box<LoopSpec> {
        Box::new(self.loop_clauses(clauses))
    }

    fn for_loop(
        &mut self,
        clauses: &[ast::Clause],
        init: Option<&ast::Stmt>,
        test: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Checking<Vec<Stmt>> {
        let mut out = Vec::new();
        if let Some(init) = init {
            self.statement(init, &mut out)?;
        }
        let spec = self.loop_spec(clauses);
        let test = test.map(|t| self.test(t)).transpose();
        let step = step.map(|s| self.expression(s)).transpose();
        let body = self.loop_body(body);
        let kind = StmtKind::Loop { kind: LoopKind::While, test: test?, step: step?, body, spec };
        out.push(Stmt { kind, span });
        Ok(out)
    }

    fn return_value(&mut self, value: Option<&ast::Expr>, span: Span) -> Checking<Option<Expr>> {
        let result = self.current.result.clone().unwrap_or(Ty::Void);
        match (value, &result) {
            (None, Ty::Void) => Ok(None),
            (None, _) => self.error("wrong-type", span, "a value is expected after `return`"),
            (Some(value), Ty::Void) => {
                let value = self.expression(value)?;
                if value.ty == Ty::Void {
                    return Ok(Some(value));
                }
                self.error("wrong-type", value.span, "the function returns nothing")
            }
            (Some(value), ty) => {
                let value = self.expression(value)?;
                self.convert(value, ty, false).map(Some)
            }
        }
    }

    fn statement_clause(&mut self, clause: &ast::Clause, out: &mut Vec<Stmt>) {
        let span = clause.span;
        let kind = match &clause.kind {
            ClauseKind::Assert(formula) => self.body_formula(formula).map(StmtKind::Assert),
            ClauseKind::Assume(formula) => self.body_formula(formula).map(StmtKind::Assume),
            ClauseKind::Track { .. } => self.track(clause).map(StmtKind::Track),
            ClauseKind::Ghost(statement) => {
                self.current.ghost = true;
                let mut inner = Vec::new();
                let result = self.statement(statement, &mut inner);
                self.current.ghost = false;
                if inner.iter().any(|s| !is_ghostly(s)) {
                    let _ = self.error::<()>(
                        "ghost",
                        span,
                        "a ghost statement is an assignment to a ghost field, or a choice between such",
                    );
                }
                result.map(|()| StmtKind::Block(inner))
            }
            // Reported by the parser: a loop clause without a loop.
            ClauseKind::Invariant(_)
            | ClauseKind::Variant { .. }
            | ClauseKind::Assigns { of_loop: true, .. }
            | ClauseKind::Broken => {
                return;
            }
            _ => self.error("annotation-place", span, "this clause cannot stand between statements"),
        };
        if let Ok(kind) = kind {
            out.push(Stmt { kind, span });
        }
    }
}

/// Allowed in ghost code: assignments and choices.
fn is_ghostly(statement: &Stmt) -> bool {
    use super::super::hir::ExprKind;
    match &statement.kind {
        StmtKind::Expr(e) => matches!(e.kind, ExprKind::Assign(..) | ExprKind::Update { .. }),
        StmtKind::Block(inner) => inner.iter().all(is_ghostly),
        StmtKind::If(_, yes, no) => is_ghostly(yes) && no.as_deref().is_none_or(is_ghostly),
        _ => false,
    }
}

fn collect_labels(statements: &[ast::Stmt], out: &mut Vec<(Name, Span)>) {
    for statement in statements {
        match &statement.kind {
            Syntax::Block(inner) => collect_labels(inner, out),
            Syntax::If(_, yes, no) => {
                collect_labels(std::slice::from_ref(yes), out);
                if let Some(no) = no {
                    collect_labels(std::slice::from_ref(no), out);
                }
            }
            Syntax::Label(name, inner) => {
                out.push((*name, statement.span));
                collect_labels(std::slice::from_ref(inner), out);
            }
            Syntax::While(_, _, inner)
            | Syntax::Do(_, inner, _)
            | Syntax::For { body: inner, .. }
            | Syntax::Switch(_, inner)
            | Syntax::Case(_, _, inner)
            | Syntax::Default(inner) => collect_labels(std::slice::from_ref(inner), out),
            _ => {}
        }
    }
}
