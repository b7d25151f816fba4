//! Pointers whose objects nobody looks into, in a function that is checked by itself: `char *name` of a struct that is
//! only compared, handed on, stored and freed leads to something that nobody knows, as a `void *` does.
//!
//! All pointers to a type are taken together. If anything that the function reaches follows one of them, moves it, takes
//! the address of such an object or gives one to the library, or if a struct has a member of that type, to which the
//! pointer may lead, the type stays as it is, and what has no model is reported
//! as before.

use super::hir::{Callee, Checked, Expr, ExprKind, Function, Intrinsic, Local};
use super::objects::visit::{Mapper, all, map_children, map_statement};
use super::types::{Made, RecordId, RecordTy, Ty, Types};
use crate::frontend::diagnostic::Span;
use crate::program::walk::{self, Part};
use crate::program::{Binder, Formula};
use std::sync::Arc;

/// The unit in which pointers to some types are `void *`, if a function that is not `main` can be read like that.
pub(super) fn rewrite(types: &Types, checked: &Checked, entry: u32) -> Option<(Types, Checked)> {
    let reached = reach(checked, entry);
    let clauses = checked.functions[entry as usize].contracts.iter().flat_map(|c| &c.ensures);
    let lives = clauses.into_iter().any(|clause| speaks_of_life(&clause.formula));
    let mut followed = Followed { types, lives, found: Vec::new() };
    // A pointer may lead into any struct that contains such an object.
    for field in &types.fields {
        let mut ty = &field.ty;
        while let Ty::Array(element, _) = ty {
            ty = element;
        }
        followed.add(ty);
    }
    for (function, _) in checked.functions.iter().zip(&reached).filter(|(_, reached)| **reached) {
        for statement in function.body.iter().flatten() {
            all(statement, &mut |e| followed.look(e, checked));
        }
        // What formulas say of it is read as it is written.
        if function.body.is_none() {
            function.parameters.iter().for_each(|ty| followed.pointer(ty));
        }
    }
    checked.globals.iter().for_each(|g| followed.inside(&g.ty));
    let mut types = types.clone();
    let opaque = opaque(&mut types);
    let mut veil = Veil { followed: followed.found, opaque, changed: false };
    for record in &mut types.records {
        record.members.iter_mut().flatten().for_each(|member| member.ty = veil.ty(&member.ty));
    }
    for field in &mut types.fields {
        field.ty = veil.ty(&field.ty);
    }
    let mut functions = Vec::new();
    for (function, reached) in checked.functions.iter().zip(&reached) {
        let new = veil.function(function);
        functions.push(if *reached { new } else { Function { body: None, ..new } });
    }
    if !veil.changed {
        return None;
    }
    let checked = Checked {
        functions,
        globals: checked.globals.clone(),
        shapes: checked.shapes.clone(),
        boxed: checked.boxed.clone(),
        parts: checked.parts.clone(),
        by_itself: checked.by_itself,
        kinds: checked.kinds.clone(),
    };
    Some((types, checked))
}

/// `frees` and `allocates` say it of all objects of a struct.
fn speaks_of_life(formula: &Formula) -> bool {
    let mut found = false;
    walk::formula(formula, &mut |part| {
        if let Part::Formula(Formula::Forall(Binder { of: Some(_), .. }, body)) = part {
            walk::formula(body, &mut |inside| found |= matches!(inside, Part::Formula(Formula::Valid(..))));
        }
    });
    found
}

/// The functions that may be called, and the function itself.
fn reach(checked: &Checked, entry: u32) -> Vec<bool> {
    let mut reached = vec![false; checked.functions.len()];
    let mut open = vec![entry];
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut reached[index as usize], true) {
            continue;
        }
        for statement in checked.functions[index as usize].body.iter().flatten() {
            all(statement, &mut |e| match e.kind {
                ExprKind::Call(Callee::Function(callee), _) | ExprKind::Function(callee) => open.push(callee),
                _ => {}
            });
        }
    }
    reached
}

/// What `void *` leads to.
fn opaque(types: &mut Types) -> RecordId {
    if let Some(id) = types.opaque {
        return id;
    }
    let id = RecordId(types.records.len() as u32);
    types.records.push(RecordTy {
        name: "void".to_owned(),
        union: false,
        members: Some(Vec::new()),
        layout: None,
        offsets: Vec::new(),
        fields: Vec::new(),
        made: Made::Declared,
        broken: false,
        alignment: super::ast::Alignment::Unknown,
        span: Span::default(),
        merged: None,
    });
    types.opaque = Some(id);
    id
}

/// The types whose objects are looked into.
struct Followed<'a> {
    types: &'a Types,
    /// The contract says which objects live, and names structs only.
    lives: bool,
    found: Vec<Ty>,
}

impl Followed<'_> {
    fn add(&mut self, ty: &Ty) {
        if !self.found.contains(ty) {
            self.found.push(ty.clone());
        }
    }

    fn pointer(&mut self, ty: &Ty) {
        if let Ty::Pointer(inner) = ty {
            self.add(inner);
        }
    }

    /// Everything that an object of this type leads to.
    fn inside(&mut self, ty: &Ty) {
        match ty {
            Ty::Pointer(inner) => {
                self.add(inner);
                self.inside(inner);
            }
            Ty::Array(element, _) => self.inside(element),
            _ => {}
        }
    }

    fn is_void(&self, ty: &Ty) -> bool {
        ty.pointee() == Some(&Ty::Void) || self.types.is_opaque(ty)
    }

    fn look(&mut self, expr: &Expr, checked: &Checked) {
        match &expr.kind {
            ExprKind::Deref(p) | ExprKind::Index(p, _) | ExprKind::Offset(p, ..) => self.pointer(&p.ty),
            ExprKind::Difference(p, q) => {
                self.pointer(&p.ty);
                self.pointer(&q.ty);
            }
            ExprKind::Address(place) => self.add(&place.ty),
            ExprKind::Update { target, .. } => self.pointer(&target.ty),
            ExprKind::Convert(from) => {
                let same = from.ty == expr.ty || self.is_void(&from.ty) || self.is_void(&expr.ty);
                if !same || self.lives {
                    self.pointer(&from.ty);
                    self.pointer(&expr.ty);
                }
            }
            ExprKind::Moved(inner, _) => self.pointer(&inner.ty),
            ExprKind::CallPointer(_, arguments) => arguments.iter().for_each(|a| self.handed(a)),
            ExprKind::Call(callee, arguments) => {
                let own = match callee {
                    Callee::Function(index) => checked.functions[*index as usize].body.is_some(),
                    Callee::Builtin(_) => false,
                    Callee::Intrinsic(known) => {
                        matches!(known, Intrinsic::Malloc | Intrinsic::Calloc | Intrinsic::Free)
                    }
                };
                if !own || self.lives && *callee == Callee::Intrinsic(Intrinsic::Free) {
                    arguments.iter().for_each(|a| self.handed(a));
                    self.pointer(&expr.ty);
                }
            }
            _ => {}
        }
    }

    /// Somebody else gets it.
    fn handed(&mut self, argument: &Expr) {
        let mut expr = argument.exact();
        loop {
            self.pointer(&expr.ty);
            match &expr.kind {
                ExprKind::Convert(inner) => expr = inner.exact(),
                _ => return,
            }
        }
    }
}

struct Veil {
    followed: Vec<Ty>,
    opaque: RecordId,
    changed: bool,
}

impl Veil {
    fn ty(&mut self, ty: &Ty) -> Ty {
        match ty {
            Ty::Pointer(inner) => match &**inner {
                Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_) if !self.followed.contains(inner) => {
                    self.changed = true;
                    Ty::Record(self.opaque).pointer()
                }
                inner => self.ty(inner).pointer(),
            },
            Ty::Array(element, length) => Ty::Array(Arc::new(self.ty(element)), *length),
            ty => ty.clone(),
        }
    }

    fn function(&mut self, old: &Function) -> Function {
        let mut new = old.clone();
        new.locals = old.locals.iter().map(|l| Local { ty: self.ty(&l.ty), ..l.clone() }).collect();
        new.parameters = old.parameters.iter().map(|ty| self.ty(ty)).collect();
        new.result = self.ty(&old.result);
        if let Some(body) = &old.body {
            new.body = Some(body.iter().map(|s| map_statement(s, self)).collect());
        }
        new
    }
}

impl Mapper for Veil {
    fn expression(&mut self, expr: &Expr) -> Expr {
        let (ty, span) = (self.ty(&expr.ty), expr.span);
        let veiled = ty != expr.ty;
        match &expr.kind {
            // What had no model was a conversion from or to `void *`.
            ExprKind::Unmodelled(inner, diagnostic) => {
                let new = self.expression(inner);
                let from = match &inner.kind {
                    ExprKind::Convert(from) => Some(&from.ty),
                    _ => None,
                };
                let source = from.map(|from| self.ty(from));
                if from.is_some()
                    && (veiled || source.as_ref() != from)
                    && new.ty == source.unwrap_or(Ty::Void)
                {
                    return new;
                }
                Expr {
                    ty: new.ty.clone(),
                    kind: ExprKind::Unmodelled(Box::new(new), diagnostic.clone()),
                    span,
                }
            }
            ExprKind::Convert(inner) => {
                let new = self.expression(inner);
                let same = new.ty == ty;
                if same && (veiled || new.ty != inner.ty) {
                    return Expr { ty, ..new };
                }
                Expr { kind: ExprKind::Convert(Box::new(new)), ty, span }
            }
            _ => Expr { kind: map_children(expr, self), ty, span },
        }
    }
}
