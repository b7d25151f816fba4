//! The program again, with the types that were found for its objects.

use super::super::hir::{
    Callee, Demand, Expr, ExprKind, Function, Global, GlobalInit, Intrinsic, Stmt, StmtKind, Variable,
};
use super::super::types::{RecordId, Ty};
use super::address::{bytes, path_at};
use super::classes::Class;
use super::flow::{is_allocation, is_place, key};
use super::layout::Layout;
use super::visit::{Mapper, map_children, map_statement};
use crate::frontend::diagnostic::Diagnostic;

pub(super) struct Rewriter<'l, 'f, 'a> {
    pub(super) layout: &'l mut Layout<'f, 'a>,
}

impl Rewriter<'_, '_, '_> {
    /// A function with the new types.
    pub(super) fn function(&mut self, index: u32, old: &Function) -> Function {
        let mut new = old.clone();
        for (local, entry) in (0..).zip(&mut new.locals) {
            let class = self.layout.flow.variable(index, Variable::Local(local));
            entry.ty = self.layout.object_type(class, &entry.ty);
        }
        for (i, ty) in new.parameters.iter_mut().enumerate() {
            if let Some(local) = new.locals.get(i) {
                *ty = local.ty.clone();
            }
        }
        if old.result != Ty::Void {
            let result = self.layout.flow.result(index);
            new.result = self.layout.object_type(result, &old.result);
        }
        if let Some(body) = &old.body {
            new.body = Some(body.iter().map(|s| map_statement(s, self)).collect());
        }
        new
    }

    /// A global with its new type.
    pub(super) fn global(&mut self, index: u32, old: &Global) -> Global {
        let mut new = old.clone();
        let class = self.layout.flow.variable(u32::MAX, Variable::Global(index));
        new.ty = self.layout.object_type(class, &old.ty);
        let init = |i: &GlobalInit, this: &mut Self| GlobalInit {
            target: this.expression(&i.target),
            value: this.expression(&i.value),
        };
        new.init = old.init.iter().map(|i| init(i, self)).collect();
        new
    }

    /// The object that an lvalue is, what a pointer leads to, or the struct that a value is.
    fn class(&self, expr: &Expr) -> Option<Class> {
        self.layout.flow.at.get(&key(expr)).copied()
    }

    /// What the value of a pointer leads to.
    fn target(&mut self, expr: &Expr) -> Option<Class> {
        let class = self.class(expr)?;
        Some(if is_place(expr) { self.layout.flow.classes.behind(class) } else { class })
    }

    /// The new type of an expression that is no struct.
    fn new_type(&mut self, expr: &Expr) -> Ty {
        let Some(class) = self.class(expr) else { return expr.ty.clone() };
        if is_place(expr) {
            return self.layout.object_type(class, &expr.ty);
        }
        match &expr.ty {
            Ty::Pointer(inner) => self.layout.object_type(class, inner).pointer(),
            Ty::Record(_) | Ty::Array(..) => self.layout.object_type(class, &expr.ty),
            ty => ty.clone(),
        }
    }

    /// The struct of the unit inside the merged struct.
    fn view(&mut self, base: Expr, class: Class, ty: &Ty) -> Expr {
        let Ty::Record(record) = *ty else { return base };
        match self.layout.member(class, record) {
            Some(member) => {
                let ty = Ty::Record(self.layout.instance(class, record));
                let span = base.span;
                Expr { kind: ExprKind::Member(Box::new(base), member), ty, span }
            }
            None => base,
        }
    }

    /// The merged struct around a view.
    fn whole(&self, expr: Expr) -> Expr {
        match expr.kind {
            ExprKind::Member(base, _) if self.is_merged(&base.ty) => *base,
            kind => Expr { kind, ..expr },
        }
    }

    fn is_merged(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Record(id) if self.layout.types.record(*id).merged.is_some())
    }

    fn member(&mut self, base: &Expr, index: u32, expr: &Expr) -> Expr {
        let new = self.expression(base);
        let (span, ty) = (expr.span, self.new_type(expr));
        let (around, inside) = (self.class(base), self.class(expr));
        if let (Ty::Record(_), Some(around), Some(inside)) = (&expr.ty, around, inside) {
            let group = self.layout.group(inside);
            if group.is_some() && group == self.layout.group(around) {
                let whole = self.whole(new);
                return self.view(whole, inside, &expr.ty);
            }
            let part = Expr { kind: ExprKind::Member(Box::new(new), index), ty, span };
            return self.view(part, inside, &expr.ty);
        }
        Expr { kind: ExprKind::Member(Box::new(new), index), ty, span }
    }

    fn address(&mut self, object: &Expr, expr: &Expr) -> Expr {
        let new = self.expression(object);
        let span = expr.span;
        let pointer = |object: Expr| {
            let ty = object.ty.clone().pointer();
            Expr { kind: ExprKind::Address(Box::new(object)), ty, span }
        };
        let Some(class) = self.class(object).filter(|_| matches!(object.ty, Ty::Record(_))) else {
            return pointer(new);
        };
        let Some(start) = self.layout.start(class) else { return pointer(new) };
        // Down to the object that the address is computed from.
        let group = self.layout.group(class);
        let mut bottom = object.exact();
        let mut from = start;
        while let ExprKind::Member(base, _) = &bottom.kind {
            let Some(around) = self.class(base) else { break };
            if self.layout.group(around) != group {
                break;
            }
            from = self.layout.start(around).unwrap_or(from);
            bottom = base.exact();
        }
        let new = pointer(self.whole(new));
        if from != start && matches!(bottom.kind, ExprKind::Deref(_)) {
            return demand(new, Demand::NotNull);
        }
        new
    }

    /// A conversion between pointers; `None` if there is no model for it.
    fn conversion(&mut self, inner: &Expr, expr: &Expr) -> Option<Expr> {
        let wanted = self.new_type(expr);
        if let Some((base, offset)) = bytes(self.layout.flow.types, inner)
            && (offset != 0 || key(base) != key(inner))
        {
            let from = self.target(base)?;
            if !self.layout.merges_parts() {
                return self.by_links(base, offset, expr);
            }
            let new = self.expression(base);
            if new.ty != wanted {
                return None;
            }
            let to = self.target(expr)?;
            let (from, to) = (self.layout.start(from), self.layout.start(to));
            return match (from, to) {
                (Some(from), Some(to)) if to - from == offset => {
                    Some(if offset == 0 { new } else { demand(new, Demand::NotNull) })
                }
                (None, None) if offset == 0 => Some(new),
                _ => None,
            };
        }
        let from = self.target(inner);
        if !self.layout.merges_parts()
            && from.is_some()
            && !is_allocation(inner)
            && let Some(moved) = self.by_links(inner, 0, expr)
        {
            return Some(moved);
        }
        let new = self.expression(inner);
        if is_allocation(inner) {
            let kind = ExprKind::Convert(Box::new(new));
            let made = Expr { kind, ty: wanted, span: expr.span };
            let kinds = from.and_then(|class| self.layout.kinds_of(class));
            return Some(match kinds {
                Some(kinds) => demand(made, Demand::Made(kinds.start, kinds.end)),
                None => made,
            });
        }
        if new.ty != wanted {
            return None;
        }
        let to = self.target(expr);
        let (from, to) = (from.and_then(|c| self.layout.start(c)), to.and_then(|c| self.layout.start(c)));
        (from == to).then_some(Expr { span: expr.span, ..new })
    }

    /// A pointer that is moved to a struct inside or around its object, where these are objects of their own.
    fn by_links(&mut self, base: &Expr, offset: i128, expr: &Expr) -> Option<Expr> {
        let (Ty::Record(from), Ty::Record(to)) = (base.ty.pointee()?, expr.ty.pointee()?) else {
            return None;
        };
        let (from, to, span) = (*from, *to, expr.span);
        let types = self.layout.flow.types;
        if let Some(path) = path_at(types, to, from, -offset) {
            let mut levels = Vec::new();
            let (mut class, mut record) = (self.target(expr)?, to);
            for index in path {
                levels.push((self.layout.instance(class, record), index));
                class = self.layout.flow.field(class, record, index);
                match types.member_at(record, index)?.ty {
                    Ty::Record(inner) => record = inner,
                    _ => return None,
                }
            }
            let mut new = self.expression(base);
            for (around, index) in levels.into_iter().rev() {
                new = demand(new, Demand::Around(around, index));
                new.ty = Ty::Record(around).pointer();
            }
            return Some(new);
        }
        let path = path_at(types, from, to, offset)?;
        let (mut class, mut record) = (self.target(base)?, from);
        let pointer = self.expression(base);
        let ty = pointer.ty.pointee()?.clone();
        let mut object = Expr { kind: ExprKind::Deref(Box::new(pointer)), ty, span };
        for index in path {
            class = self.layout.flow.field(class, record, index);
            match types.member_at(record, index)?.ty {
                Ty::Record(inner) => record = inner,
                _ => return None,
            }
            let ty = Ty::Record(self.layout.instance(class, record));
            object = Expr { kind: ExprKind::Member(Box::new(object), index), ty, span };
        }
        let ty = object.ty.clone().pointer();
        Some(Expr { kind: ExprKind::Address(Box::new(object)), ty, span })
    }

    fn call(&mut self, callee: Callee, arguments: &[Expr], expr: &Expr) -> Expr {
        let ty = self.new_type(expr);
        let mut new: Vec<Expr> = arguments.iter().map(|a| self.expression(a)).collect();
        let (span, mut complaint) = (expr.span, None);
        if let Callee::Intrinsic(known @ (Intrinsic::Free | Intrinsic::Realloc)) = callee
            && let Some(class) = arguments.first().and_then(|a| self.target(a))
            && let Some(start) = self.layout.start(class)
        {
            if known == Intrinsic::Realloc {
                complaint = Some("`realloc` of an object of several structs is not modelled");
            }
            let first = new.remove(0);
            new.insert(0, demand(first, Demand::Begins(start)));
        }
        if let Callee::Intrinsic(Intrinsic::Free | Intrinsic::Realloc) = callee
            && let Some(class) = arguments.first().and_then(|a| self.target(a))
            && self.layout.flow.classes.known(class).vague
        {
            complaint =
                Some("what this pointer of type `void *` leads to is not known: it may be any object");
        }
        let ty = if is_allocation(expr) { expr.ty.clone() } else { ty };
        let call = Expr { kind: ExprKind::Call(callee, new), ty, span };
        match complaint {
            Some(message) => unmodelled(call, message),
            None => call,
        }
    }

    /// A copy of a struct of which a part lies elsewhere in the merged struct.
    fn has_holes(&self, ty: &Ty) -> bool {
        let Ty::Record(record) = ty else { return false };
        let mut open = vec![*record];
        while let Some(RecordId(index)) = open.pop() {
            let record = &self.layout.types.records[index as usize];
            if record.merged.is_some() {
                return true;
            }
            for member in record.members.iter().flatten() {
                match &member.ty {
                    Ty::Record(inner) if self.layout.is_empty(*inner) => return true,
                    Ty::Record(inner) => open.push(*inner),
                    _ => {}
                }
            }
        }
        false
    }
}

fn demand(pointer: Expr, demand: Demand) -> Expr {
    let (ty, span) = (pointer.ty.clone(), pointer.span);
    Expr { kind: ExprKind::Moved(Box::new(pointer), demand), ty, span }
}

fn unmodelled(expr: Expr, message: &str) -> Expr {
    let (ty, span) = (expr.ty.clone(), expr.span);
    let diagnostic = Box::new(Diagnostic::unsupported("unsupported", span, message));
    Expr { kind: ExprKind::Unmodelled(Box::new(expr), diagnostic), ty, span }
}

impl Mapper for Rewriter<'_, '_, '_> {
    fn expression(&mut self, expr: &Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Index(..) => {
                let kind = map_children(expr, self);
                let new = Expr { kind, ty: self.new_type(expr), span };
                match self.class(expr) {
                    Some(class) if matches!(expr.ty, Ty::Record(_)) => self.view(new, class, &expr.ty),
                    _ => new,
                }
            }
            ExprKind::Member(base, index) => self.member(base, *index, expr),
            ExprKind::Address(object) => self.address(object, expr),
            ExprKind::Unmodelled(inner, diagnostic) => {
                if let ExprKind::Convert(from) = &inner.kind
                    && inner.ty.pointee().is_some()
                    && !matches!(from.ty, Ty::Array(..) | Ty::Function(_))
                    && let Some(new) = self.conversion(from, inner)
                {
                    return new;
                }
                let new = self.expression(inner);
                let ty = new.ty.clone();
                Expr { kind: ExprKind::Unmodelled(Box::new(new), diagnostic.clone()), ty, span }
            }
            ExprKind::Convert(inner) if inner.ty.pointee().is_some() && expr.ty.pointee().is_some() => {
                self.conversion(inner, expr).unwrap_or_else(|| {
                    let new = Box::new(self.expression(inner));
                    Expr { kind: ExprKind::Convert(new), ty: self.new_type(expr), span }
                })
            }
            ExprKind::Call(callee, arguments) => {
                let call = self.call(*callee, arguments, expr);
                match self.class(expr) {
                    Some(class) if matches!(expr.ty, Ty::Record(_)) => self.view(call, class, &expr.ty),
                    _ => call,
                }
            }
            ExprKind::Assign(target, value) => {
                let (target, value) = (self.expression(target), self.expression(value));
                let ty = target.ty.clone();
                let holes = self.has_holes(&ty);
                let kind = ExprKind::Assign(Box::new(target), Box::new(value));
                let assign = Expr { kind, ty, span };
                if holes {
                    return unmodelled(
                        assign,
                        "a copy of a struct with a part that others lead to is not modelled",
                    );
                }
                assign
            }
            ExprKind::Update { .. } => {
                let kind = map_children(expr, self);
                let ty = match &kind {
                    ExprKind::Update { target, .. } => target.ty.clone(),
                    _ => expr.ty.clone(),
                };
                Expr { kind, ty, span }
            }
            ExprKind::Comma(..) | ExprKind::Block(_) | ExprKind::Conditional(..) => {
                let kind = map_children(expr, self);
                let ty = match (&kind, &expr.ty) {
                    (ExprKind::Comma(_, last), _) => last.ty.clone(),
                    (ExprKind::Conditional(_, yes, _), _) => yes.ty.clone(),
                    (ExprKind::Block(statements), Ty::Pointer(_) | Ty::Record(_)) => {
                        match statements.last().map(|s: &Stmt| &s.kind) {
                            Some(StmtKind::Expr(last)) => last.ty.clone(),
                            _ => expr.ty.clone(),
                        }
                    }
                    _ => expr.ty.clone(),
                };
                Expr { kind, ty, span }
            }
            _ => {
                let kind = map_children(expr, self);
                Expr { kind, ty: self.new_type(expr), span }
            }
        }
    }
}
