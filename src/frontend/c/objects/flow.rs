//! What flows where: assignments, calls and conversions join the classes of the objects that they speak of.

use super::super::hir::{Callee, Checked, Expr, ExprKind, Function, Intrinsic, Stmt, StmtKind, Variable};
use super::super::types::{RecordId, Ty, Types};
use super::classes::{Class, Classes};
use crate::util::hash::Map;

/// A struct and the struct around it, between which pointers are moved.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub(super) part: Class,
    pub(super) owner: Class,
    /// The struct around and the member that the part is.
    pub(super) member: (RecordId, u32),
    /// Bytes from the beginning of the owner to the part.
    pub(super) offset: i128,
}

/// The classes of a program's objects.
pub(super) struct Flow<'a> {
    pub(super) types: &'a Types,
    pub(super) functions: &'a [Function],
    pub(super) classes: Classes,
    /// By expression: the object that an lvalue is, what a pointer leads to, the struct that a value is.
    pub(super) at: Map<usize, Class>,
    pub(super) owners: Vec<Owner>,
    /// Classes whose objects `malloc` makes.
    pub(super) allocated: Vec<Class>,
    locals: Map<(u32, u32), Class>,
    globals: Map<u32, Class>,
    results: Map<u32, Class>,
    pub(super) checked: &'a Checked,
    function: u32,
    first_copy: u32,
    /// A function is called whose body is not looked at.
    calls_out: bool,
}

/// The key of an expression while the tree stays where it is.
pub(super) fn key(expr: &Expr) -> usize {
    std::ptr::from_ref(expr) as usize
}

/// Objects have addresses that can be named.
pub(super) fn is_place(expr: &Expr) -> bool {
    matches!(
        expr.exact().kind,
        ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..)
    )
}

/// A function of the library that makes objects.
pub(super) fn is_allocation(expr: &Expr) -> bool {
    match &expr.exact().kind {
        ExprKind::Call(Callee::Intrinsic(known), _) => {
            matches!(known, Intrinsic::Malloc | Intrinsic::Calloc | Intrinsic::Realloc)
        }
        ExprKind::Convert(inner) if expr.ty.pointee() == Some(&Ty::Void) => is_allocation(inner),
        _ => false,
    }
}

impl<'a> Flow<'a> {
    /// Follows all functions from `first` on, and the values of globals.
    pub(super) fn of(
        checked: &'a Checked,
        types: &'a Types,
        functions: &'a [Function],
        first: u32,
        outside: Option<u32>,
    ) -> Flow<'a> {
        let mut flow = Flow {
            types,
            functions,
            classes: Classes::default(),
            at: Map::default(),
            owners: Vec::new(),
            allocated: Vec::new(),
            locals: Map::default(),
            globals: Map::default(),
            results: Map::default(),
            checked,
            function: u32::MAX,
            first_copy: first,
            calls_out: false,
        };
        for global in &checked.globals {
            for init in &global.init {
                flow.assign(&init.target, &init.value);
            }
        }
        for index in first..functions.len() as u32 {
            flow.function = index;
            let function = &functions[index as usize];
            function.body.iter().flatten().for_each(|s| flow.statement(s));
        }
        if let Some(entry) = outside {
            flow.expose_entry(entry);
        }
        if outside.is_some() || flow.calls_out {
            flow.expose_globals();
        }
        flow
    }

    pub(super) fn opaque(&self, ty: &Ty) -> bool {
        *ty == Ty::Void || matches!(ty, Ty::Record(id) if self.types.opaque == Some(*id))
    }

    /// A new class of objects of this type.
    pub(super) fn object(&mut self, ty: &Ty) -> Class {
        let class = self.classes.fresh();
        self.see(class, ty);
        class
    }

    /// Objects of the class are seen as this type.
    pub(super) fn see(&mut self, class: Class, ty: &Ty) {
        if self.opaque(ty) {
            return;
        }
        match ty {
            Ty::Record(id) => {
                self.classes.known(class).records.insert(*id);
            }
            Ty::Pointer(inner) => {
                let known = self.classes.known(class);
                known.pointer = true;
                if known.behind.is_none() {
                    let behind = self.object(inner);
                    self.classes.known(class).behind = Some(behind);
                } else {
                    let behind = self.classes.behind(class);
                    if !matches!(**inner, Ty::Pointer(_)) {
                        self.see(behind, inner);
                    }
                }
            }
            Ty::Array(element, _) => {
                self.see(class, element);
                self.classes.known(class).array = true;
            }
            Ty::Void | Ty::Function(_) => {}
            Ty::Int(_) | Ty::Float(_) | Ty::Unsupported(_) => {
                let known = self.classes.known(class);
                if !known.scalars.contains(ty) {
                    known.scalars.push(ty.clone());
                }
            }
        }
    }

    /// The object that a variable is.
    pub(super) fn variable(&mut self, function: u32, variable: Variable) -> Class {
        let known = match variable {
            Variable::Local(local) => self.locals.get(&(function, local)),
            Variable::Global(global) => self.globals.get(&global),
        };
        if let Some(class) = known {
            return *class;
        }
        let ty = match variable {
            Variable::Local(local) => self.functions[function as usize]
                .locals
                .get(local as usize)
                .map_or(Ty::Void, |l| l.ty.clone()),
            Variable::Global(global) => self.checked.globals[global as usize].ty.clone(),
        };
        let class = self.object(&ty);
        match variable {
            Variable::Local(local) => self.locals.insert((function, local), class),
            Variable::Global(global) => self.globals.insert(global, class),
        };
        class
    }

    /// What a function returns, as an object.
    pub(super) fn result(&mut self, function: u32) -> Class {
        if let Some(class) = self.results.get(&function) {
            return *class;
        }
        let ty = self.functions[function as usize].result.clone();
        let class = self.object(&ty);
        self.results.insert(function, class);
        class
    }

    /// The object inside another.
    pub(super) fn field(&mut self, class: Class, record: RecordId, index: u32) -> Class {
        if let Some(field) = self.classes.known(class).fields.get(&(record, index)) {
            return *field;
        }
        let ty = self.types.member_at(record, index).map_or(Ty::Void, |m| m.ty.clone());
        let field = self.object(&ty);
        self.classes.known(class).fields.insert((record, index), field);
        field
    }

    fn statement(&mut self, statement: &Stmt) {
        // Statements inside blocks come one by one.
        match &statement.kind {
            StmtKind::Return(Some(value)) => {
                let class = self.value(value);
                let result = self.result(self.function);
                self.flows(result, &value.ty, class);
            }
            StmtKind::Expr(e) => {
                self.value(e);
            }
            StmtKind::Block(inner) => inner.iter().for_each(|s| self.statement(s)),
            StmtKind::If(test, yes, no) => {
                self.value(test);
                self.statement(yes);
                no.iter().for_each(|s| self.statement(s));
            }
            StmtKind::Loop { test, step, body, .. } => {
                test.iter().chain(step).for_each(|e| {
                    self.value(e);
                });
                self.statement(body);
            }
            StmtKind::Switch(e, body) => {
                self.value(e);
                self.statement(body);
            }
            StmtKind::Case(_, inner) | StmtKind::Default(inner) | StmtKind::Label(_, inner) => {
                self.statement(inner);
            }
            StmtKind::Return(None)
            | StmtKind::Declare(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Track(_) => {}
        }
    }

    /// A value of the type is stored in the object.
    fn flows(&mut self, object: Class, ty: &Ty, value: Option<Class>) {
        let Some(value) = value else { return };
        match ty {
            Ty::Pointer(_) => {
                let behind = self.classes.behind(object);
                self.classes.join(behind, value);
            }
            Ty::Record(_) | Ty::Array(..) => self.classes.join(object, value),
            _ => {}
        }
    }

    fn assign(&mut self, target: &Expr, value: &Expr) -> Option<Class> {
        let object = self.place(target);
        let class = self.value(value);
        self.flows(object, &target.ty, class);
        class
    }

    /// What a pointer leads to, the struct that a value is, the elements of an array.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<Class> {
        let class = self.class_of(expr);
        if is_place(expr) {
            // Noted as an object.
            return class;
        }
        if let Some(class) = class {
            self.at.insert(key(expr), class);
        }
        class
    }

    fn class_of(&mut self, expr: &Expr) -> Option<Class> {
        let inside = |flow: &mut Self| {
            expr.each_part(&mut |e| {
                flow.value(e);
            });
        };
        match &expr.kind {
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                let object = self.place(expr);
                self.held(object, &expr.ty)
            }
            ExprKind::Unmodelled(inner, _) if is_place(inner) => {
                let object = self.place(expr);
                self.held(object, &expr.ty)
            }
            ExprKind::Unmodelled(inner, _) | ExprKind::Moved(inner, _) => self.value(inner),
            ExprKind::Address(inner) => Some(self.place(inner)),
            ExprKind::Offset(pointer, index, _) => {
                self.value(index);
                self.value(pointer)
            }
            ExprKind::Assign(target, value) => self.assign(target, value),
            ExprKind::Update { target, value, .. } => {
                let object = self.place(target);
                self.value(value);
                self.held(object, &target.ty)
            }
            ExprKind::Conditional(test, yes, no) => {
                self.value(test);
                let (yes, no) = (self.value(yes), self.value(no));
                if let (Some(yes), Some(no)) = (yes, no) {
                    self.classes.join(yes, no);
                }
                yes.or(no)
            }
            ExprKind::Comma(first, second) => {
                self.value(first);
                self.value(second)
            }
            ExprKind::Compare(_, a, b) => {
                if let (Some(a), Some(b)) = (self.value(a), self.value(b)) {
                    self.classes.join(a, b);
                }
                None
            }
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments, expr),
            ExprKind::Convert(inner) => self.conversion(inner, expr),
            ExprKind::Block(statements) => self.block(statements),
            ExprKind::Null | ExprKind::Str(_) => expr.ty.pointee().map(|inner| self.object(inner)),
            _ => {
                inside(self);
                match &expr.ty {
                    Ty::Pointer(inner) => {
                        let class = self.object(inner);
                        self.classes.known(class).vague = true;
                        Some(class)
                    }
                    _ => None,
                }
            }
        }
    }

    /// What an object of the type holds.
    fn held(&mut self, object: Class, ty: &Ty) -> Option<Class> {
        match ty {
            Ty::Pointer(_) => Some(self.classes.behind(object)),
            Ty::Record(_) | Ty::Array(..) => Some(object),
            _ => None,
        }
    }

    fn block(&mut self, statements: &[Stmt]) -> Option<Class> {
        let (last, before) = statements.split_last()?;
        before.iter().for_each(|s| self.statement(s));
        match &last.kind {
            StmtKind::Expr(e) => self.value(e),
            _ => {
                self.statement(last);
                None
            }
        }
    }

    /// The object that an lvalue is.
    fn place(&mut self, expr: &Expr) -> Class {
        let class = match &expr.kind {
            ExprKind::Unmodelled(inner, _) => self.place(inner),
            ExprKind::Var(variable) => self.variable(self.function, *variable),
            ExprKind::Deref(pointer) => {
                let class = self.value(pointer);
                let class = class.unwrap_or_else(|| self.classes.fresh());
                self.see(class, &expr.ty);
                class
            }
            ExprKind::Member(base, index) => {
                let around = match is_place(base) {
                    true => self.place(base),
                    false => self.value(base).unwrap_or_else(|| self.classes.fresh()),
                };
                match base.ty {
                    Ty::Record(record) => self.field(around, record, *index),
                    _ => self.classes.fresh(),
                }
            }
            // An array that stands as a struct: nobody knows which element is meant.
            ExprKind::Index(array, index) if matches!(array.ty, Ty::Record(_)) => {
                self.value(index);
                let around = self.place(array);
                let Ty::Record(record) = array.ty else { return around };
                let count = self.types.record(record).members.as_ref().map_or(0, Vec::len);
                let first = self.field(around, record, 0);
                for element in 1..count as u32 {
                    let other = self.field(around, record, element);
                    self.classes.join(first, other);
                }
                self.classes.find(first)
            }
            ExprKind::Index(array, index) => {
                self.value(index);
                let class = self.value(array).unwrap_or_else(|| self.classes.fresh());
                self.see(class, &expr.ty);
                class
            }
            _ => self.value(expr).unwrap_or_else(|| self.classes.fresh()),
        };
        self.at.insert(key(expr), class);
        class
    }

    fn call(&mut self, callee: Callee, arguments: &[Expr], whole: &Expr) -> Option<Class> {
        let classes: Vec<Option<Class>> = arguments.iter().map(|a| self.value(a)).collect();
        let index = match callee {
            Callee::Function(index) => index,
            Callee::Builtin(_) => return self.unknown_result(&whole.ty),
            Callee::Intrinsic(known) => {
                return match known {
                    Intrinsic::Malloc | Intrinsic::Calloc => {
                        let class = self.classes.fresh();
                        self.allocated.push(class);
                        Some(class)
                    }
                    Intrinsic::Realloc => {
                        let class = classes.first().copied().flatten();
                        self.allocated.extend(class);
                        class
                    }
                    _ => self.unknown_result(&whole.ty),
                };
            }
        };
        let function = &self.functions[index as usize];
        let known = index >= self.first_copy;
        self.calls_out |= !known;
        for (i, (argument, class)) in arguments.iter().zip(&classes).enumerate() {
            if !known {
                // Its body is not looked at.
                match (&argument.ty, class) {
                    (Ty::Pointer(inner), Some(class)) => {
                        self.classes.known(*class).vague |= self.opaque(inner);
                        self.expose(*class, inner);
                    }
                    (ty, Some(class)) => self.expose(*class, ty),
                    _ => {}
                }
            } else if i < function.parameters.len() {
                let object = self.variable(index, Variable::Local(i as u32));
                self.flows(object, &argument.ty, *class);
            }
        }
        if !known {
            return self.unknown_result(&whole.ty);
        }
        let result = self.result(index);
        self.held(result, &whole.ty)
    }

    /// What was found of an expression before.
    pub(super) fn noted(&mut self, expr: &Expr) -> Option<Class> {
        let class = *self.at.get(&key(expr))?;
        if is_place(expr) { self.held(class, &expr.ty) } else { Some(class) }
    }

    pub(super) fn unknown_result(&mut self, ty: &Ty) -> Option<Class> {
        let class = match ty {
            Ty::Pointer(inner) => self.object(inner),
            Ty::Record(_) => self.object(ty),
            _ => return None,
        };
        let known = self.classes.known(class);
        known.vague = true;
        known.exposed = true;
        Some(class)
    }
}
