//! Expressions whose value depends on an order of evaluation that C leaves open.
//!
//! Lowering evaluates operands from left to right. That is one of the orders C allows; a program that gives
//! another result under another order, or has none, must not be verified for one of them. So two operands that
//! touch the same object, one of them writing, are reported. Objects are variables and fields; an access through a
//! pointer to a scalar touches whatever has that type (C11 6.5 p7), one with a character's type everything.

use super::super::hir::{Callee, Checked, Expr, ExprKind, Intrinsic, Stmt, StmtKind, Variable};
use super::super::token::Names;
use super::super::types::{RecordId, Ty, Types};
use super::quiet::{APART, READERS};
use crate::frontend::diagnostic::Diagnostic;
use crate::program::BinOp;
use crate::util::hash::Set;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Object {
    Var(Variable),
    Field(RecordId, u32),
    /// A member of a variable that no pointer leads to.
    Part(Variable, u32),
    /// Elements of arrays.
    Elements,
    /// Whether cells are allocated.
    Allocation,
    /// Whatever a pointer to such a scalar leads to.
    Through(Scalar),
    /// Whatever a pointer leads to.
    Anything,
}

/// Types of which one object cannot have two. Signs make no difference, nor does what a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scalar {
    Pointer,
    Bits(u32),
}

impl Scalar {
    /// Characters may be bytes of anything, unless objects are cells.
    fn of(ty: &Ty, typed: bool) -> Option<Scalar> {
        match ty {
            Ty::Pointer(_) => Some(Scalar::Pointer),
            Ty::Int(kind) if kind.bits > 8 || typed => Some(Scalar::Bits(kind.bits.into())),
            _ => None,
        }
    }
}

/// What an expression reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effects {
    reads: Set<Object>,
    writes: Set<Object>,
    /// Writes that may still be to come when the value is there: side effects of the expression itself, not of calls in
    /// it and not of what stands before a sequence point.
    loose: Set<Object>,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.loose.extend(other.loose.iter().cloned());
    }

    /// After a sequence point.
    fn settled(self) -> Effects {
        Effects { loose: Set::default(), ..self }
    }

    fn touches(&self, object: &Object, scan: &Scan<'_>) -> bool {
        let own = |set: &Set<Object>| set.contains(object) || set.iter().any(|o| scan.overlap(o, object));
        own(&self.reads) || own(&self.writes)
    }

    fn conflicts(&self, other: &Effects, scan: &Scan<'_>) -> bool {
        self.writes.iter().any(|w| other.touches(w, scan))
            || other.writes.iter().any(|w| self.touches(w, scan))
    }
}

/// Complaints about one function.
pub(super) struct Order<'a> {
    /// Objects are accessed by their own type only, as cells are; otherwise a character may be a byte of anything.
    typed: bool,
    checked: &'a Checked,
    types: &'a Types,
    names: &'a Names,
    /// The functions that pointers may lead to.
    taken: Vec<u32>,
    /// What a call of each function does to globals and the heap.
    summaries: Vec<Effects>,
}

impl<'a> Order<'a> {
    /// Looks at all functions of a unit.
    pub(super) fn of(checked: &'a Checked, types: &'a Types, names: &'a Names, typed: bool) -> Order<'a> {
        let count = checked.functions.len();
        let (taken, summaries) = (checked.taken_functions(), vec![Effects::default(); count]);
        let mut order = Order { typed, checked, types, names, taken, summaries };
        let mut callers = vec![Vec::new(); count];
        // Whoever calls through a pointer may call those: they are few.
        for callee in &order.taken {
            callers[*callee as usize].extend(0..count);
        }
        for (caller, function) in checked.functions.iter().enumerate() {
            let mut note = |callee: u32| callers[callee as usize].push(caller);
            for statement in function.body.iter().flatten() {
                statement.each_expr(&mut |e| each_callee(e, &mut note));
            }
        }
        // A function is looked at again only when one that it calls has changed.
        let mut open: std::collections::VecDeque<usize> = (0..count).collect();
        let mut waiting = vec![true; count];
        while let Some(i) = open.pop_front() {
            waiting[i] = false;
            let mut scan = Scan { order: &order, addressed: Set::default(), found: Vec::new() };
            let body = checked.functions[i].body.as_deref().unwrap_or(&[]);
            scan.statements(body);
            let mut effects = scan.statements(body);
            let shared = |o: &Object| {
                !matches!(o, Object::Var(Variable::Local(_)) | Object::Part(Variable::Local(_), _))
            };
            effects.reads.retain(shared);
            effects.writes.retain(shared);
            if effects != order.summaries[i] {
                order.summaries[i] = effects;
                for caller in &callers[i] {
                    if !std::mem::replace(&mut waiting[*caller], true) {
                        open.push_back(*caller);
                    }
                }
            }
        }
        order
    }

    /// What a call of this function does to globals and the heap.
    fn summary(&self, index: u32) -> Effects {
        let function = &self.checked.functions[index as usize];
        if function.body.is_some() || function.defined {
            return self.summaries[index as usize].clone();
        }
        if !function.has_contract && APART.contains(&self.names.text(function.name)) {
            return Effects::default();
        }
        let all = self.anything();
        if !function.has_contract && READERS.contains(&self.names.text(function.name)) {
            return Effects { writes: Set::default(), ..all };
        }
        all
    }

    /// What a call of an unknown function may do.
    fn anything(&self) -> Effects {
        let globals = (0..self.checked.globals.len() as u32).map(|g| Object::Var(Variable::Global(g)));
        let writes: Set<Object> = globals.chain([Object::Anything, Object::Allocation]).collect();
        Effects { reads: writes.clone(), writes, loose: Set::default() }
    }

    fn is_union(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Record(id) if self.types.record(*id).union)
    }

    pub(super) fn check(&self, function: u32) -> Vec<Diagnostic> {
        let body = self.checked.functions[function as usize].body.as_deref().unwrap_or(&[]);
        let mut scan = Scan { order: self, addressed: Set::default(), found: Vec::new() };
        // The first pass finds out whose address is taken anywhere in the function.
        scan.statements(body);
        scan.found.clear();
        scan.statements(body);
        scan.found
    }
}

struct Scan<'a> {
    order: &'a Order<'a>,
    /// Variables whose address is taken.
    addressed: Set<Variable>,
    found: Vec<Diagnostic>,
}

impl Scan<'_> {
    /// Whether two objects, described differently, may be one.
    fn overlap(&self, a: &Object, b: &Object) -> bool {
        let pointed = |o: &Object| match o {
            Object::Var(variable) => self.addressed.contains(variable),
            Object::Allocation => false,
            _ => true,
        };
        match (a, b) {
            (Object::Var(_), Object::Var(_)) => false,
            (Object::Part(own, _), Object::Var(whole)) | (Object::Var(whole), Object::Part(own, _)) => {
                own == whole
            }
            // Another member, or what a pointer leads to.
            (Object::Part(..), _) | (_, Object::Part(..)) => false,
            // Bytes may be of any type. Execution finds out whether they are the same.
            _ if !self.order.typed => pointed(a) && pointed(b),
            (Object::Anything, other) | (other, Object::Anything) => pointed(other),
            (Object::Through(a), Object::Through(b)) => a == b,
            (Object::Through(scalar), Object::Field(record, index))
            | (Object::Field(record, index), Object::Through(scalar)) => {
                let mut ty = self.order.types.member_at(*record, *index).map(|member| &member.ty);
                while let Some(Ty::Array(element, _)) = ty {
                    ty = Some(element);
                }
                let typed = self.order.typed;
                ty.and_then(|ty| Scalar::of(ty, typed)).is_none_or(|own| own == *scalar)
            }
            (Object::Through(_), other) | (other, Object::Through(_)) => pointed(other),
            _ => false,
        }
    }

    fn statements(&mut self, statements: &[Stmt]) -> Effects {
        let mut all = Effects::default();
        for statement in statements {
            let effects = self.statement(statement);
            all.add(&effects);
        }
        all.settled()
    }

    fn statement(&mut self, statement: &Stmt) -> Effects {
        let mut all = Effects::default();
        match &statement.kind {
            StmtKind::Block(inner) => return self.statements(inner),
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => return self.value(e),
            StmtKind::If(test, yes, no) => {
                all.add(&self.value(test));
                all.add(&self.statement(yes));
                if let Some(no) = no {
                    all.add(&self.statement(no));
                }
            }
            StmtKind::Loop { test, step, body, .. } => {
                for e in test.iter().chain(step) {
                    all.add(&self.value(e));
                }
                all.add(&self.statement(body));
            }
            StmtKind::Switch(e, body) => {
                all.add(&self.value(e));
                all.add(&self.statement(body));
            }
            StmtKind::Case(_, inner) | StmtKind::Default(inner) | StmtKind::Label(_, inner) => {
                return self.statement(inner);
            }
            _ => {}
        }
        all
    }

    /// Operands in no particular order.
    fn unordered(&mut self, whole: &Expr, parts: &[Effects]) -> Effects {
        let mut all = Effects::default();
        for (i, part) in parts.iter().enumerate() {
            if parts[..i].iter().any(|p| p.conflicts(part, self)) {
                let text = "the result depends on the order in which C evaluates this expression";
                let diagnostic = Diagnostic::unsupported("evaluation-order", whole.span, text)
                    .help("C leaves this order open: split the expression into statements");
                self.found.push(diagnostic);
                break;
            }
        }
        parts.iter().for_each(|p| all.add(p));
        all
    }

    fn value(&mut self, expr: &Expr) -> Effects {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Sizeof(..)
            | ExprKind::Null
            | ExprKind::Str(_) => Effects::default(),
            ExprKind::Unmodelled(inner, _) | ExprKind::Moved(inner, _) => self.value(inner),
            ExprKind::Convert(array) if matches!(array.ty, Ty::Array(..)) => {
                // The address of its first element.
                if let Some(variable) = root(array) {
                    self.addressed.insert(variable);
                }
                self.address(array)
            }
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                if let (ExprKind::Var(variable), Ty::Array(..)) = (&expr.kind, &expr.ty) {
                    self.addressed.insert(*variable);
                }
                let mut effects = self.address(expr);
                let object = self.object(expr);
                effects.reads.insert(object);
                if !matches!(expr.kind, ExprKind::Var(_)) {
                    effects.reads.insert(Object::Allocation);
                }
                effects
            }
            ExprKind::Address(inner) => {
                if let Some(variable) = root(inner) {
                    self.addressed.insert(variable);
                }
                self.address(inner)
            }
            ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::Not(e) | ExprKind::Convert(e) => self.value(e),
            ExprKind::Binary(op, a, b) if commutes(*op) && self.is_same_call(a, b) => {
                // Whichever call comes first, the sum is the same.
                let mut all = self.value(a);
                all.add(&self.value(b));
                all
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Offset(a, b, _)
            | ExprKind::Difference(a, b) => {
                let parts = [self.value(a), self.value(b)];
                self.unordered(expr, &parts)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                let mut all = self.value(a).settled();
                all.add(&self.value(b));
                all
            }
            ExprKind::Conditional(a, b, c) => {
                let mut all = self.value(a).settled();
                all.add(&self.value(b));
                all.add(&self.value(c));
                all
            }
            ExprKind::Assign(target, value) => {
                let parts = [self.address(target), self.value(value)];
                let mut all = self.unordered(expr, &parts);
                // The write itself comes after the operands' values, not after their side effects.
                let target = Set::from_iter([self.object(target)]);
                let write = Effects { writes: target.clone(), loose: target, ..Effects::default() };
                if all.loose.iter().any(|w| write.touches(w, self)) {
                    self.unordered(expr, &[all.clone(), write.clone()]);
                }
                all.add(&write);
                all
            }
            ExprKind::Update { target, value, .. } => {
                let mut left = self.address(target);
                left.reads.insert(self.object(target));
                let right = self.value(value);
                let mut all = self.unordered(expr, &[left, right]);
                all.writes.insert(self.object(target));
                all.loose.insert(self.object(target));
                all
            }
            ExprKind::Call(callee, arguments) => {
                let parts: Vec<Effects> = arguments.iter().map(|a| self.value(a)).collect();
                let mut all = self.unordered(expr, &parts).settled();
                // The call comes after its arguments.
                let null = |e: &Expr| matches!(e.exact().kind, ExprKind::Null);
                if !(arguments.len() == 1 && arguments.iter().all(null) && self.is_time(*callee)) {
                    all.add(&self.callee(*callee));
                }
                for argument in arguments {
                    if let ExprKind::Address(inner) = &argument.kind {
                        all.writes.insert(self.object(inner));
                    }
                }
                all
            }
            ExprKind::CallPointer(function, arguments) => {
                let mut parts = vec![self.value(function)];
                parts.extend(arguments.iter().map(|a| self.value(a)));
                let mut all = self.unordered(expr, &parts).settled();
                for index in &self.order.taken {
                    all.add(&self.callee(Callee::Function(*index)));
                }
                all
            }
            ExprKind::Block(inner) => self.statements(inner),
        }
    }

    /// What computing an lvalue's address reads and writes.
    fn address(&mut self, lvalue: &Expr) -> Effects {
        match &lvalue.kind {
            ExprKind::Unmodelled(inner, _) => self.address(inner),
            ExprKind::Deref(pointer) => self.value(pointer),
            ExprKind::Member(base, _) => self.address(base),
            ExprKind::Index(pointer, index) if pointer.ty.pointee().is_some() => {
                let parts = [self.value(pointer), self.value(index)];
                self.unordered(lvalue, &parts)
            }
            ExprKind::Index(array, index) => {
                let parts = [self.address(array), self.value(index)];
                self.unordered(lvalue, &parts)
            }
            ExprKind::Var(_) => Effects::default(),
            _ => self.value(lvalue),
        }
    }

    fn object(&self, lvalue: &Expr) -> Object {
        let lvalue = lvalue.exact();
        match &lvalue.kind {
            // Members of a union lie over each other.
            ExprKind::Member(..) if self.in_union(lvalue) => Object::Anything,
            ExprKind::Var(variable) => Object::Var(*variable),
            // A whole struct is all of its fields.
            _ if matches!(lvalue.ty, Ty::Record(_)) => self.whole(lvalue),
            // An array inside of a struct has bounds of its own.
            ExprKind::Index(array, _) if matches!(array.ty, Ty::Array(..)) && !is_variable(array) => {
                self.object(array)
            }
            // An element of another object than an array of scalars may be part of a struct.
            ExprKind::Index(array, _) if !is_variable(array) => self.through(&lvalue.ty),
            // As bytes, what a pointer leads to may be any object; as cells, what is indexed is an array of its own.
            ExprKind::Index(array, _)
                if !self.order.typed && matches!(array.ty, Ty::Pointer(_) | Ty::Array(_, None)) =>
            {
                self.through(&lvalue.ty)
            }
            ExprKind::Deref(_) => self.through(&lvalue.ty),
            ExprKind::Member(base, index) => match (root(lvalue), &base.ty) {
                // A struct variable that no pointer leads to is touched under its own name only.
                (Some(variable @ Variable::Local(_)), _) if !self.addressed.contains(&variable) => {
                    first_member(lvalue).map_or(Object::Var(variable), |i| Object::Part(variable, i))
                }
                (_, Ty::Record(id)) => Object::Field(*id, *index),
                _ => Object::Anything,
            },
            ExprKind::Index(array, _) => match (&array.kind, &array.ty) {
                // So is an array that is never handed on.
                (ExprKind::Var(variable @ Variable::Local(_)), Ty::Array(_, Some(_)))
                    if !self.addressed.contains(variable) =>
                {
                    Object::Var(*variable)
                }
                _ => Object::Elements,
            },
            _ => Object::Anything,
        }
    }

    /// What an access of this type through a pointer touches.
    fn through(&self, ty: &Ty) -> Object {
        Scalar::of(ty, self.order.typed).map_or(Object::Anything, Object::Through)
    }

    fn in_union(&self, lvalue: &Expr) -> bool {
        match &lvalue.exact().kind {
            ExprKind::Member(base, _) => self.order.is_union(&base.ty) || self.in_union(base),
            ExprKind::Index(array, _) if matches!(array.ty, Ty::Array(..)) => self.in_union(array),
            _ => false,
        }
    }

    /// A struct that is touched as a whole.
    fn whole(&self, lvalue: &Expr) -> Object {
        match root(lvalue) {
            Some(variable @ Variable::Local(_)) if !self.addressed.contains(&variable) => {
                Object::Var(variable)
            }
            _ => Object::Anything,
        }
    }

    /// `time`, which writes through its argument if that leads somewhere.
    fn is_time(&self, callee: Callee) -> bool {
        match callee {
            Callee::Function(index) => {
                let function = &self.order.checked.functions[index as usize];
                !function.defined && !function.has_contract && self.order.names.text(function.name) == "time"
            }
            _ => false,
        }
    }

    /// The same function is called with the same values, which neither call can change.
    fn is_same_call(&self, a: &Expr, b: &Expr) -> bool {
        let local = |v: &Variable| matches!(v, Variable::Local(_));
        let same = |a: &Expr, b: &Expr| match (&a.exact().kind, &b.exact().kind) {
            (ExprKind::Int(n), ExprKind::Int(m)) => n == m,
            (ExprKind::Null, ExprKind::Null) => true,
            (ExprKind::Var(v), ExprKind::Var(w)) => v == w && local(v) && !self.addressed.contains(v),
            (ExprKind::Address(x), ExprKind::Address(y)) => match (&x.exact().kind, &y.exact().kind) {
                (ExprKind::Var(v), ExprKind::Var(w)) => v == w,
                _ => false,
            },
            _ => false,
        };
        match (&a.exact().kind, &b.exact().kind) {
            (ExprKind::Call(Callee::Function(f), x), ExprKind::Call(Callee::Function(g), y)) => {
                f == g && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
            }
            _ => false,
        }
    }

    fn callee(&self, callee: Callee) -> Effects {
        let mut effects = Effects::default();
        match callee {
            Callee::Function(index) => return self.order.summary(index),
            Callee::Intrinsic(Intrinsic::Free | Intrinsic::Realloc) => {
                effects.writes.insert(Object::Allocation);
            }
            Callee::Builtin(_) => return self.order.anything(),
            Callee::Intrinsic(_) => {}
        }
        effects
    }
}

/// The operands may change places.
fn commutes(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Mul | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor)
}

/// The member of a struct variable that an lvalue is, or is a part of.
fn first_member(lvalue: &Expr) -> Option<u32> {
    match &lvalue.exact().kind {
        ExprKind::Member(base, index) if is_variable(base) => Some(*index),
        ExprKind::Member(base, _) => first_member(base),
        ExprKind::Index(base, _) if base.ty.pointee().is_none() => first_member(base),
        _ => None,
    }
}

fn is_variable(expr: &Expr) -> bool {
    matches!(expr.exact().kind, ExprKind::Var(_))
}

/// The functions that an expression calls by name.
fn each_callee(expr: &Expr, note: &mut dyn FnMut(u32)) {
    if let ExprKind::Call(Callee::Function(index), _) = expr.kind {
        note(index);
    }
    expr.each_part(&mut |part| each_callee(part, note));
}

/// The variable that an lvalue is a part of.
fn root(lvalue: &Expr) -> Option<Variable> {
    match &lvalue.exact().kind {
        ExprKind::Var(variable) => Some(*variable),
        ExprKind::Member(base, _) => root(base),
        ExprKind::Index(base, _) if base.ty.pointee().is_none() => root(base),
        _ => None,
    }
}
