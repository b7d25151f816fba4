//! Questions about checked expressions that look at all of their parts.

use super::{Callee, Checked, Expr, ExprKind, Intrinsic, Stmt, StmtKind, Variable};

impl Expr {
    /// What it says in C, whether or not there is a model for it.
    pub fn exact(&self) -> &Expr {
        match &self.kind {
            ExprKind::Unmodelled(inner, _) => inner.exact(),
            _ => self,
        }
    }

    /// Does evaluating it change anything?
    pub fn has_effects(&self) -> bool {
        match &self.kind {
            ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Block(_)
            | ExprKind::CallPointer(..) => true,
            ExprKind::Call(callee, arguments) => {
                let pure = matches!(
                    callee,
                    Callee::Intrinsic(
                        Intrinsic::Malloc
                            | Intrinsic::Calloc
                            | Intrinsic::Nondet
                            | Intrinsic::Print
                            | Intrinsic::Puts
                            | Intrinsic::Guess
                            | Intrinsic::Fraction
                            | Intrinsic::Bounds
                            | Intrinsic::Rely
                    )
                );
                !pure || arguments.iter().any(Expr::has_effects)
            }
            _ => {
                let mut found = false;
                self.each_part(&mut |part| found = found || part.has_effects());
                found
            }
        }
    }

    /// Does the variable occur? A block of statements counts as mentioning everything.
    pub fn mentions(&self, variable: Variable) -> bool {
        match &self.kind {
            ExprKind::Var(v) => *v == variable,
            ExprKind::Block(_) => true,
            _ => {
                let mut found = false;
                self.each_part(&mut |part| found = found || part.mentions(variable));
                found
            }
        }
    }
}

impl Expr {
    /// Calls back for each expression directly inside this one; of a block, for those of its statements.
    pub fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Sizeof(..)
            | ExprKind::Null
            | ExprKind::Str(_)
            | ExprKind::Var(_) => {}
            ExprKind::Deref(e)
            | ExprKind::Member(e, _)
            | ExprKind::Address(e)
            | ExprKind::Neg(e)
            | ExprKind::BitNot(e)
            | ExprKind::Not(e)
            | ExprKind::Unmodelled(e, _)
            | ExprKind::Moved(e, _)
            | ExprKind::Convert(e) => visit(e),
            ExprKind::Index(a, b)
            | ExprKind::Offset(a, b, _)
            | ExprKind::Difference(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::Update { target: a, value: b, .. } => {
                visit(a);
                visit(b);
            }
            ExprKind::Conditional(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            ExprKind::Call(_, arguments) => arguments.iter().for_each(visit),
            ExprKind::CallPointer(function, arguments) => {
                visit(function);
                arguments.iter().for_each(visit);
            }
            ExprKind::Block(statements) => statements.iter().for_each(|s| s.each_expr(visit)),
        }
    }
}

impl Stmt {
    /// Calls back for each expression of this statement and of those inside it, but not for their parts.
    pub fn each_expr<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            StmtKind::Block(inner) => inner.iter().for_each(|s| s.each_expr(visit)),
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => visit(e),
            StmtKind::If(test, yes, no) => {
                visit(test);
                yes.each_expr(visit);
                if let Some(no) = no {
                    no.each_expr(visit);
                }
            }
            StmtKind::Loop { test, step, body, .. } => {
                test.iter().chain(step).for_each(&mut *visit);
                body.each_expr(visit);
            }
            StmtKind::Switch(e, body) => {
                visit(e);
                body.each_expr(visit);
            }
            StmtKind::Case(_, inner) | StmtKind::Default(inner) | StmtKind::Label(_, inner) => {
                inner.each_expr(visit);
            }
            StmtKind::Declare(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Track(_) => {}
        }
    }
}

impl Checked {
    /// The functions whose address is a value somewhere.
    pub fn taken_functions(&self) -> Vec<u32> {
        fn look(expr: &Expr, found: &mut Vec<u32>) {
            if let ExprKind::Function(index) = expr.kind {
                found.push(index);
            }
            expr.each_part(&mut |part| look(part, found));
        }
        let mut found = Vec::new();
        for function in &self.functions {
            for statement in function.body.iter().flatten() {
                statement.each_expr(&mut |e| look(e, &mut found));
            }
        }
        for init in self.globals.iter().flat_map(|g| &g.init) {
            look(&init.value, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
