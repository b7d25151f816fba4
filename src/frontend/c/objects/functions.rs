//! Pointers to functions as numbers: 0 is null, and each function whose address is taken has its own. A call through
//! such a pointer is a choice among those of the pointer's type; a call of anything else has no model.

use super::super::hir::{
    Callee, Checked, Demand, Expr, ExprKind, Function, GlobalInit, Local, Start, Stmt, StmtKind, Variable,
};
use super::super::types::{Signature, Ty, Types};
use super::visit::{Mapper, all, map_children, map_statement};
use crate::frontend::diagnostic::Span;
use crate::program::Cmp;
use std::sync::Arc;

/// The unit without pointers to functions, if the function needs that.
pub(super) fn replace(types: &Types, checked: &Checked, entry: u32) -> Option<(Types, Checked)> {
    let (reached, taken, found) = reach(checked, entry);
    if !found {
        return None;
    }
    let mut types = types.clone();
    for record in &mut types.records {
        record.members.iter_mut().flatten().for_each(|member| member.ty = number(&member.ty));
    }
    for field in &mut types.fields {
        field.ty = number(&field.ty);
    }
    let mut calls = Calls { checked, taken: &taken, locals: Vec::new(), current: entry };
    let mut functions = Vec::new();
    for (index, function) in (0..).zip(&checked.functions) {
        functions.push(if reached[index as usize] {
            calls.function(index, function)
        } else {
            function.clone()
        });
    }
    let mut globals = checked.globals.clone();
    for global in &mut globals {
        global.ty = number(&global.ty);
        let init = |i: &GlobalInit, calls: &mut Calls<'_>| GlobalInit {
            target: calls.expression(&i.target),
            value: calls.expression(&i.value),
        };
        global.init = global.init.iter().map(|i| init(i, &mut calls)).collect();
    }
    let checked = Checked {
        functions,
        globals,
        shapes: checked.shapes.clone(),
        boxed: checked.boxed.clone(),
        parts: checked.parts.clone(),
        by_itself: checked.by_itself,
        kinds: checked.kinds.clone(),
    };
    Some((types, checked))
}

/// The functions that are reached, those whose address is taken there or by globals, and whether there are any pointers.
fn reach(checked: &Checked, entry: u32) -> (Vec<bool>, Vec<u32>, bool) {
    let mut reached = vec![false; checked.functions.len()];
    let (mut taken, mut found) = (Vec::new(), false);
    let mut open = vec![entry];
    for global in &checked.globals {
        found |= number(&global.ty) != global.ty;
        for init in &global.init {
            let mut look = vec![&init.value];
            while let Some(expr) = look.pop() {
                if let ExprKind::Function(index) = expr.kind {
                    taken.push(index);
                }
                expr.each_part(&mut |e| look.push(e));
            }
        }
    }
    open.extend(&taken);
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut reached[index as usize], true) {
            continue;
        }
        let function = &checked.functions[index as usize];
        found |= function.locals.iter().any(|local| number(&local.ty) != local.ty);
        for statement in function.body.iter().flatten() {
            all(statement, &mut |e| match &e.kind {
                ExprKind::Call(Callee::Function(callee), _) => open.push(*callee),
                ExprKind::Function(callee) => {
                    taken.push(*callee);
                    open.push(*callee);
                    found = true;
                }
                ExprKind::CallPointer(..) => found = true,
                _ => found |= is_function_pointer(&e.ty),
            });
        }
    }
    taken.sort_unstable();
    taken.dedup();
    (reached, taken, found)
}

/// The type without pointers to functions.
fn number(ty: &Ty) -> Ty {
    match ty {
        Ty::Pointer(inner) if matches!(**inner, Ty::Function(_)) => Ty::INT,
        Ty::Pointer(inner) => number(inner).pointer(),
        Ty::Array(element, length) => Ty::Array(Arc::new(number(element)), *length),
        ty => ty.clone(),
    }
}

fn is_function_pointer(ty: &Ty) -> bool {
    matches!(ty, Ty::Pointer(inner) if matches!(**inner, Ty::Function(_)))
}

struct Calls<'a> {
    checked: &'a Checked,
    taken: &'a [u32],
    /// Of the function at hand.
    locals: Vec<Local>,
    current: u32,
}

impl Calls<'_> {
    fn function(&mut self, index: u32, old: &Function) -> Function {
        let mut new = old.clone();
        self.current = index;
        self.locals = old.locals.iter().map(|l| Local { ty: number(&l.ty), ..l.clone() }).collect();
        new.parameters = old.parameters.iter().map(number).collect();
        new.result = number(&old.result);
        if let Some(body) = &old.body {
            new.body = Some(body.iter().map(|s| map_statement(s, self)).collect());
        }
        new.locals = std::mem::take(&mut self.locals);
        new
    }

    /// A new variable that takes the value.
    fn keep(&mut self, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        let (ty, span) = (value.ty.clone(), value.span);
        let (local, var) = self.local(ty.clone(), span);
        out.push(Stmt { kind: StmtKind::Declare(local, Start::Assigned), span });
        let kind = ExprKind::Assign(Box::new(var.clone()), Box::new(value));
        out.push(Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span });
        var
    }

    fn local(&mut self, ty: Ty, span: Span) -> (u32, Expr) {
        let index = self.locals.len() as u32;
        let name = self.checked.functions[self.current as usize].name;
        self.locals.push(Local { name, ty: ty.clone(), span });
        (index, Expr { kind: ExprKind::Var(Variable::Local(index)), ty, span })
    }

    /// The functions that a pointer of this type may lead to.
    fn candidates(&self, signature: &Signature, arguments: &[Expr]) -> Vec<u32> {
        let fits = |index: &&u32| {
            let function = &self.checked.functions[**index as usize];
            if function.variadic || function.unspecified && !function.parameters.is_empty() {
                return false;
            }
            let parameters = match signature.unspecified {
                true => arguments.iter().map(|a| a.ty.clone()).collect(),
                false => signature.parameters.clone(),
            };
            function.result == signature.result && function.parameters == parameters && !signature.variadic
        };
        self.taken.iter().filter(fits).copied().collect()
    }

    /// A call through a pointer, as a block.
    fn call(&mut self, pointer: &Expr, arguments: &[Expr], whole: &Expr) -> Option<Expr> {
        let signature = pointer.ty.signature()?.clone();
        if self.current == u32::MAX || arguments.iter().any(|a| matches!(a.ty, Ty::Array(..))) {
            return None;
        }
        let (span, ty) = (whole.span, number(&whole.ty));
        let candidates = self.candidates(&signature, arguments);
        let mut steps = Vec::new();
        let pointer = self.expression(pointer);
        let pointer = self.keep(pointer, &mut steps);
        let mut values = Vec::new();
        for argument in arguments {
            let argument = self.expression(argument);
            values.push(self.keep(argument, &mut steps));
        }
        let result = (ty != Ty::Void).then(|| self.local(ty.clone(), span));
        if let Some((local, _)) = &result {
            steps.push(Stmt { kind: StmtKind::Declare(*local, Start::Arbitrary), span });
        }
        let none = Expr { kind: ExprKind::Null, ty: Ty::Void.pointer(), span };
        let none =
            Expr { kind: ExprKind::Moved(Box::new(none), Demand::Called), ty: Ty::Void.pointer(), span };
        let mut chosen = Stmt { kind: StmtKind::Expr(none), span };
        for index in candidates.into_iter().rev() {
            let kind = ExprKind::Call(Callee::Function(index), values.clone());
            let mut call = Expr { kind, ty: ty.clone(), span };
            if let Some((_, result)) = &result {
                let kind = ExprKind::Assign(Box::new(result.clone()), Box::new(call));
                call = Expr { kind, ty: ty.clone(), span };
            }
            let own = Expr { kind: ExprKind::Int(i128::from(index) + 1), ty: Ty::INT, span };
            let kind = ExprKind::Compare(Cmp::Eq, Box::new(pointer.clone()), Box::new(own));
            let test = Expr { kind, ty: Ty::INT, span };
            let call = Stmt { kind: StmtKind::Expr(call), span };
            let kind = StmtKind::If(test, Box::new(call), Some(Box::new(chosen)));
            chosen = Stmt { kind, span };
        }
        steps.push(chosen);
        if let Some((_, result)) = result {
            steps.push(Stmt { kind: StmtKind::Expr(result), span });
        }
        Some(Expr { kind: ExprKind::Block(steps), ty, span })
    }
}

impl Mapper for Calls<'_> {
    fn expression(&mut self, expr: &Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Unmodelled(inner, diagnostic) => {
                let plain = match &inner.kind {
                    ExprKind::CallPointer(pointer, arguments) => self.call(pointer, arguments, inner),
                    ExprKind::Convert(from) if is_function_pointer(&inner.ty) => {
                        let known = matches!(from.ty, Ty::Function(_)) || is_function_pointer(&from.ty);
                        known.then(|| self.expression(inner))
                    }
                    _ => None,
                };
                plain.unwrap_or_else(|| {
                    let new = self.expression(inner);
                    let ty = new.ty.clone();
                    Expr { kind: ExprKind::Unmodelled(Box::new(new), diagnostic.clone()), ty, span }
                })
            }
            ExprKind::Null if is_function_pointer(&expr.ty) => {
                Expr { kind: ExprKind::Int(0), ty: Ty::INT, span }
            }
            ExprKind::Convert(inner) if is_function_pointer(&expr.ty) => match &inner.exact().kind {
                ExprKind::Function(index) => {
                    Expr { kind: ExprKind::Int(i128::from(*index) + 1), ty: Ty::INT, span }
                }
                _ if is_function_pointer(&inner.ty) => self.expression(inner),
                _ => {
                    let kind = ExprKind::Convert(Box::new(self.expression(inner)));
                    Expr { kind, ty: Ty::INT, span }
                }
            },
            ExprKind::Update { target, op, value, compute, old } => {
                let kind = ExprKind::Update {
                    target: Box::new(self.expression(target)),
                    op: *op,
                    value: Box::new(self.expression(value)),
                    compute: number(compute),
                    old: *old,
                };
                Expr { kind, ty: number(&expr.ty), span }
            }
            _ => Expr { kind: map_children(expr, self), ty: number(&expr.ty), span },
        }
    }
}
