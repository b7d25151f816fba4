//! Expressions, one by one.

use super::super::check::convert::constant;
use super::super::hir::{Callee, Checked, Expr, ExprKind, Intrinsic, Start, Stmt, StmtKind, Variable};
use super::super::objects::visit::{Mapper, map_children, map_statement};
use super::super::types::{Made, RecordId, Ty, Types};
use super::build::{address, assign, binary, convert, int, make, place, within};
use super::{PLACE, Plain, number};
use crate::program::{BinOp, Cmp, IntKind};
use crate::util::hash::Set;

/// Takes note of numbers that pointers move over, or that lie where the size says that there are several.
pub(super) fn points(checked: &Checked, e: &Expr, pointed: &mut Set<IntKind>) {
    let element = |ty: &Ty| match ty {
        Ty::Pointer(element) | Ty::Array(element, _) => number(element),
        _ => None,
    };
    let text = |ty: &Ty| element(ty).filter(|kind| kind.bits == 8);
    match &e.kind {
        ExprKind::Index(base, _) if !matches!(base.ty, Ty::Array(..)) => pointed.extend(element(&base.ty)),
        ExprKind::Offset(base, ..) | ExprKind::Difference(base, _) => pointed.extend(element(&base.ty)),
        ExprKind::Update { target, .. } => pointed.extend(element(&target.ty)),
        ExprKind::Convert(inner) => {
            if matches!(inner.ty, Ty::Array(..)) {
                pointed.extend(element(&e.ty));
            }
            if let (Some(size), Some(Ty::Int(_) | Ty::Float(_))) = (allocated(inner), e.ty.pointee()) {
                let one = matches!(size, ExprKind::Sizeof(ty, _) if e.ty.pointee() == Some(ty));
                pointed.extend(element(&e.ty).filter(|_| !one));
            }
        }
        ExprKind::Unmodelled(inner, _) => {
            if let ExprKind::Call(Callee::Intrinsic(Intrinsic::Print | Intrinsic::Puts), arguments) =
                &inner.kind
            {
                let literal = |a: &Expr| matches!(a.exact().kind, ExprKind::Str(_));
                pointed.extend(arguments.iter().filter(|a| !literal(a)).filter_map(|a| text(&a.ty)));
            }
        }
        ExprKind::Call(callee, arguments) => {
            let library = match callee {
                Callee::Function(index) => {
                    let callee = &checked.functions[*index as usize];
                    !callee.defined && !callee.has_contract
                }
                Callee::Builtin(_) => true,
                Callee::Intrinsic(_) => false,
            };
            if library {
                for argument in arguments {
                    let plain = without_void(argument).exact();
                    if !matches!(plain.kind, ExprKind::Str(_)) {
                        pointed.extend(text(&plain.ty));
                    }
                }
                pointed.extend(text(&e.ty));
            }
        }
        _ => {}
    }
}

/// The numbers as which a cast looks at a struct, or that it takes for one.
pub(super) fn bytes_of_structs(types: &Types, e: &Expr) -> Option<IntKind> {
    let ExprKind::Convert(inner) = &e.kind else { return None };
    let (from, to) = (inner.ty.pointee()?, e.ty.pointee()?);
    let object = |ty: &Ty| matches!(ty, Ty::Record(_)) && !types.is_opaque(&ty.clone().pointer());
    match (number(from), number(to)) {
        (None, Some(kind)) if object(from) => Some(kind),
        (Some(kind), None) if object(to) => Some(kind),
        _ => None,
    }
}

/// The size that is asked of a function that allocates.
pub(super) fn allocated(e: &Expr) -> Option<&ExprKind> {
    let ExprKind::Call(Callee::Intrinsic(known), arguments) = &e.exact().kind else { return None };
    let size = match (known, &arguments[..]) {
        (Intrinsic::Malloc, [size]) | (Intrinsic::Calloc | Intrinsic::Realloc, [_, size]) => size,
        _ => return None,
    };
    let mut size = size;
    while let ExprKind::Convert(inner) = &size.kind {
        size = inner;
    }
    let several = match (known, &arguments[0]) {
        (Intrinsic::Calloc, count) => constant(count) != Some(1),
        _ => false,
    };
    Some(if several { &arguments[0].kind } else { &size.kind })
}

/// Takes note of arrays that are used as pointers.
pub(super) fn decays(e: &Expr, function: u32, decayed: &mut Set<(u32, Variable)>) {
    let mut note = |object: &Expr| {
        let mut object = object.exact();
        while let ExprKind::Index(base, _) = &object.kind
            && matches!(base.ty, Ty::Array(..))
        {
            object = base.exact();
        }
        if let (ExprKind::Var(variable), Ty::Array(..)) = (&object.kind, &object.ty) {
            let owner = if matches!(variable, Variable::Global(_)) { u32::MAX } else { function };
            decayed.insert((owner, *variable));
        }
    };
    match &e.kind {
        ExprKind::Convert(inner) if matches!(inner.ty, Ty::Array(..)) => note(inner),
        ExprKind::Address(inner) => note(inner),
        ExprKind::Call(_, arguments) => {
            for argument in arguments {
                if let Ty::Array(element, _) = &argument.ty
                    && number(element).is_some()
                {
                    note(argument);
                }
            }
        }
        _ => {}
    }
}

/// An array of arrays of numbers: how many there are.
pub(super) fn flat(ty: &Ty) -> Option<(IntKind, u64)> {
    let Ty::Array(element, Some(length)) = ty else { return None };
    match &**element {
        Ty::Array(..) => {
            let (kind, inner) = flat(element)?;
            Some((kind, inner.checked_mul(*length)?))
        }
        element => Some((number(element)?, *length)),
    }
}

/// Without conversions to `void *`.
pub(super) fn without_void(e: &Expr) -> &Expr {
    match &e.exact().kind {
        ExprKind::Convert(inner) if e.ty.pointee() == Some(&Ty::Void) => without_void(inner),
        _ => e,
    }
}

impl Mapper for Plain<'_> {
    fn expression(&mut self, e: &Expr) -> Expr {
        match &e.kind {
            ExprKind::Unmodelled(inner, diagnostic) => {
                let inner = inner.exact();
                if let Some(new) = self.special(inner) {
                    return new;
                }
                let new = self.default(inner);
                if self.is_plain(inner, &new) {
                    return new;
                }
                let (ty, span) = (new.ty.clone(), e.span);
                make(ExprKind::Unmodelled(Box::new(new), diagnostic.clone()), ty, span)
            }
            _ => self.special(e).unwrap_or_else(|| self.default(e)),
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Stmt> {
        let kind = match &statement.kind {
            StmtKind::Block(list) => StmtKind::Block(self.statements(list)),
            StmtKind::If(test, yes, no) => StmtKind::If(
                self.test(test),
                Box::new(map_statement(yes, self)),
                no.as_ref().map(|no| Box::new(map_statement(no, self))),
            ),
            StmtKind::Loop { kind, test, step, body, spec } => StmtKind::Loop {
                kind: *kind,
                test: test.as_ref().map(|e| self.test(e)),
                step: step.as_ref().map(|e| self.effect(e)),
                body: Box::new(map_statement(body, self)),
                spec: spec.clone(),
            },
            _ => self.moving_statement(statement)?,
        };
        Some(Stmt { kind, span: statement.span })
    }
}

impl Plain<'_> {
    /// Statements; characters that an array starts with are one text.
    pub(super) fn statements(&mut self, list: &[Stmt]) -> Vec<Stmt> {
        let mut new = Vec::new();
        let mut at = 0;
        while let Some(statement) = list.get(at) {
            new.push(map_statement(statement, self));
            at += 1;
            let StmtKind::Declare(local, Start::Zero) = statement.kind else { continue };
            let record = match self.locals.get(local as usize).map(|l| &l.ty) {
                Some(Ty::Record(id)) if self.types.record(*id).made == Made::Block => *id,
                _ => continue,
            };
            // A store behind the last element is an access like any other.
            let length = match &self.checked.functions[self.function as usize].locals[local as usize].ty {
                Ty::Array(_, Some(length)) => i128::from(*length),
                _ => continue,
            };
            let mut end = None;
            let mut count = 0;
            while let Some((index, value)) = list.get(at).and_then(|s| starts(s, local))
                && index == count
                && index < length
            {
                if value == 0 {
                    end = end.or(Some(index));
                }
                count += 1;
                at += 1;
            }
            if count > 0 && self.types.record(record).members.as_ref().is_some_and(|m| m.len() > 1) {
                let span = statement.span;
                let object = make(ExprKind::Var(Variable::Local(local)), Ty::Record(record), span);
                let field = make(ExprKind::Member(Box::new(object), 1), Ty::Int(PLACE), span);
                let value = place(end.unwrap_or(count), span);
                let kind = StmtKind::Expr(assign(field, value));
                new.push(Stmt { kind, span });
            }
        }
        new
    }

    fn made(&self, ty: &Ty) -> Made {
        match ty {
            Ty::Record(id) => self.types.record(*id).made,
            _ => Made::Declared,
        }
    }

    /// Whether an expression that had no model has one in the new types.
    fn is_plain(&self, old: &Expr, new: &Expr) -> bool {
        match &old.kind {
            ExprKind::Member(base, _) => {
                let union = matches!(base.ty, Ty::Record(id) if self.old.record(id).union);
                !union && (new.ty.is_scalar() || matches!(new.ty, Ty::Record(_)))
            }
            ExprKind::Index(..) => match &new.kind {
                ExprKind::Index(base, _) => {
                    new.ty.is_scalar() && matches!(base.ty, Ty::Array(..))
                        || self.made(&base.ty) == Made::Elements
                }
                _ => true,
            },
            ExprKind::Assign(..) => matches!(old.ty, Ty::Array(_, None)) && new.ty.pointee().is_some(),
            ExprKind::Convert(_) => match &new.kind {
                ExprKind::Convert(inner) => inner.ty == new.ty,
                _ => false,
            },
            _ => false,
        }
    }

    /// What has another form in the new types.
    fn special(&mut self, e: &Expr) -> Option<Expr> {
        let found = self.united(e).or_else(|| self.fraction(e)).or_else(|| self.bits(e));
        let found = found.or_else(|| self.moved(e));
        let found = found.or_else(|| self.blocked(e));
        let found = found.or_else(|| self.program_argument(e)).or_else(|| self.library(e));
        found.or_else(|| self.arrayed(e))
    }

    /// An array that stands as a struct.
    fn arrayed(&mut self, e: &Expr) -> Option<Expr> {
        let span = e.span;
        match &e.kind {
            ExprKind::Index(base, index) if matches!(base.ty, Ty::Array(_, Some(_))) => {
                if let Some(element) = self.flattened(e) {
                    return Some(element);
                }
                let Ty::Array(_, Some(length)) = base.ty else { return None };
                let base = self.expression(base);
                if self.function != u32::MAX
                    && let Some(element) = self.element_value(&base, length, index, e)
                {
                    return Some(element);
                }
                let index = self.expression(index);
                match base.ty.clone() {
                    Ty::Record(id) => self.element_of(base, id, index, e),
                    Ty::Array(element, _) => {
                        let new = ExprKind::Index(Box::new(base), Box::new(index));
                        // What is left has no model.
                        element.is_scalar().then(|| make(new, (*element).clone(), span))
                    }
                    _ => None,
                }
            }
            // The first element.
            ExprKind::Convert(inner) if matches!(inner.ty, Ty::Array(_, Some(_))) => {
                let base = self.expression(inner);
                if self.made(&base.ty) != Made::Elements {
                    return None;
                }
                let Ty::Record(id) = base.ty else { return None };
                let first = self.element_of(base, id, int(0, Ty::INT, span), e)?;
                Some(convert(address(first), &self.value_type(&e.ty)))
            }
            // `a + i`
            ExprKind::Offset(base, index, false) => {
                let ExprKind::Convert(array) = &base.exact().kind else { return None };
                let array = self.expression(array);
                let Ty::Record(id) = array.ty else { return None };
                let index = self.expression(index);
                Some(address(self.element_of(array, id, index, e)?))
            }
            ExprKind::Deref(pointer) if matches!(pointer.exact().kind, ExprKind::Offset(..)) => {
                let pointer = self.expression(pointer);
                match pointer.kind {
                    ExprKind::Address(object) => Some(*object),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn element_of(&mut self, base: Expr, id: RecordId, index: Expr, e: &Expr) -> Option<Expr> {
        if self.types.record(id).made != Made::Elements {
            return None;
        }
        let members = self.types.record(id).members.as_ref()?;
        let (count, ty) = (members.len() as i128, members.first()?.ty.clone());
        let kind = match constant(&index) {
            Some(at) if (0..count).contains(&at) => ExprKind::Member(Box::new(base), at as u32),
            _ => ExprKind::Index(Box::new(base), Box::new(convert(index, &Ty::Int(PLACE)))),
        };
        Some(make(kind, ty, e.span))
    }

    /// An element of an array of arrays that is one array now.
    fn flattened(&mut self, e: &Expr) -> Option<Expr> {
        let mut indices = Vec::new();
        let mut base = e;
        while let ExprKind::Index(inner, index) = &base.exact().kind {
            let Ty::Array(_, Some(length)) = inner.ty else { return None };
            indices.push((index, length));
            base = inner;
        }
        let ExprKind::Var(_) = base.exact().kind else { return None };
        if indices.len() < 2 || number(&e.ty).is_none() {
            return None;
        }
        let array = self.expression(base);
        let Ty::Array(element, Some(_)) = array.ty.clone() else { return None };
        let span = e.span;
        indices.reverse();
        let mut all: Option<Expr> = None;
        let mut inside: Option<Expr> = None;
        for (index, length) in indices {
            if index.has_effects() {
                return None;
            }
            let index = convert(self.expression(index), &Ty::Int(PLACE));
            let fits = within(&index, place(0, span), place(i128::from(length), span));
            inside = Some(match inside {
                Some(others) => super::build::and(others, fits),
                None => fits,
            });
            all = Some(match all {
                Some(rows) => {
                    binary(BinOp::Add, binary(BinOp::Mul, rows, place(i128::from(length), span)), index)
                }
                None => index,
            });
        }
        // Outside of one of the arrays is outside of all.
        let index = ExprKind::Conditional(Box::new(inside?), Box::new(all?), Box::new(place(-1, span)));
        let index = make(index, Ty::Int(PLACE), span);
        Some(make(ExprKind::Index(Box::new(array), Box::new(index)), (*element).clone(), span))
    }

    /// The same expression in the new types.
    pub(super) fn default(&mut self, e: &Expr) -> Expr {
        let span = e.span;
        let (kind, ty) = match &e.kind {
            ExprKind::Var(variable) => {
                let ty = match variable {
                    Variable::Local(local) if self.function != u32::MAX => {
                        self.locals.get(*local as usize).map_or_else(|| e.ty.clone(), |l| l.ty.clone())
                    }
                    Variable::Global(global) => {
                        let ty = self.checked.globals[*global as usize].ty.clone();
                        self.variable_type(*variable, &ty)
                    }
                    Variable::Local(_) => e.ty.clone(),
                };
                (e.kind.clone(), ty)
            }
            ExprKind::Member(base, index) => {
                let base = self.expression(base);
                let ty = match base.ty {
                    Ty::Record(id) => self.types.member_at(id, *index).map(|m| m.ty.clone()),
                    _ => None,
                };
                let ty = ty.unwrap_or_else(|| e.ty.clone());
                (ExprKind::Member(Box::new(base), *index), ty)
            }
            ExprKind::Index(base, index) => {
                let (base, index) = (self.expression(base), self.expression(index));
                let ty = match &base.ty {
                    Ty::Array(element, _) | Ty::Pointer(element) => (**element).clone(),
                    _ => self.value_type(&e.ty),
                };
                (ExprKind::Index(Box::new(base), Box::new(index)), ty)
            }
            ExprKind::Deref(pointer) => {
                let pointer = self.expression(pointer);
                let ty = pointer.ty.pointee().cloned().unwrap_or_else(|| self.value_type(&e.ty));
                (ExprKind::Deref(Box::new(pointer)), ty)
            }
            ExprKind::Address(object) => {
                let object = self.expression(object);
                let ty = object.ty.clone().pointer();
                (ExprKind::Address(Box::new(object)), ty)
            }
            ExprKind::Not(inner) => (ExprKind::Not(Box::new(self.test(inner))), Ty::INT),
            ExprKind::And(a, b) => (ExprKind::And(Box::new(self.test(a)), Box::new(self.test(b))), Ty::INT),
            ExprKind::Or(a, b) => (ExprKind::Or(Box::new(self.test(a)), Box::new(self.test(b))), Ty::INT),
            ExprKind::Conditional(test, yes, no) => {
                let (test, yes, no) = (self.test(test), self.expression(yes), self.expression(no));
                let ty = if matches!(yes.kind, ExprKind::Null) { no.ty.clone() } else { yes.ty.clone() };
                (ExprKind::Conditional(Box::new(test), Box::new(yes), Box::new(no)), ty)
            }
            ExprKind::Assign(target, value) => {
                let (target, value) = (self.expression(target), self.expression(value));
                let ty = target.ty.clone();
                (ExprKind::Assign(Box::new(target), Box::new(value)), ty)
            }
            ExprKind::Update { target, op, value, compute, old } => {
                let (target, value) = (self.expression(target), self.expression(value));
                let (ty, compute) = (target.ty.clone(), self.value_type(compute));
                let (target, value) = (Box::new(target), Box::new(value));
                (ExprKind::Update { target, op: *op, value, compute, old: *old }, ty)
            }
            ExprKind::Comma(a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                let ty = b.ty.clone();
                (ExprKind::Comma(Box::new(a), Box::new(b)), ty)
            }
            ExprKind::Call(callee, arguments) => {
                let new = arguments.iter().map(|a| self.argument(a)).collect();
                (ExprKind::Call(*callee, new), self.value_type(&e.ty))
            }
            ExprKind::Block(list) => {
                let list = self.statements(list);
                let ty = match list.last().map(|s| &s.kind) {
                    Some(StmtKind::Expr(last)) if e.ty != Ty::Void => last.ty.clone(),
                    _ => e.ty.clone(),
                };
                (ExprKind::Block(list), ty)
            }
            _ => (map_children(e, self), self.value_type(&e.ty)),
        };
        make(kind, ty, span)
    }

    /// An argument; an array that became a block is handed over as a pointer to it.
    fn argument(&mut self, argument: &Expr) -> Expr {
        let new = self.expression(argument);
        match (&argument.ty, self.made(&new.ty)) {
            (Ty::Array(_, Some(length)), Made::Block) => self.pointer_to(new, *length),
            _ => new,
        }
    }
}

/// The value that a statement stores in an element of the local array.
fn starts(statement: &Stmt, local: u32) -> Option<(i128, i128)> {
    let StmtKind::Expr(e) = &statement.kind else { return None };
    let ExprKind::Assign(target, value) = &e.exact().kind else { return None };
    let ExprKind::Index(base, index) = &target.exact().kind else { return None };
    let ExprKind::Var(Variable::Local(found)) = base.exact().kind else { return None };
    if found != local {
        return None;
    }
    Some((constant(index)?, constant(value)?))
}

/// Whether two pointers are compared of which neither is null.
pub(super) fn compares(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Compare(Cmp::Eq | Cmp::Ne, a, b) => {
            let null = |e: &Expr| matches!(e.exact().kind, ExprKind::Null);
            !null(a) && !null(b)
        }
        _ => false,
    }
}
