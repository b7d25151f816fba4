//! Expressions whose value depends on an order of evaluation that C leaves open.
//!
//! Lowering evaluates operands from left to right. That is one of the orders C allows; a program that gives
//! another result under another order, or has none, must not be verified for one of them. So two operands that
//! touch the same object, one of them writing, are reported. Objects are variables and fields; a write through a
//! pointer to a scalar touches everything.

use super::super::hir::{Callee, Checked, Expr, ExprKind, Intrinsic, Stmt, StmtKind, Variable};
use super::super::types::RecordId;
use crate::frontend::diagnostic::Diagnostic;
use crate::util::hash::Set;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Object {
    Var(Variable),
    Field(RecordId, u32),
    /// Elements of arrays.
    Elements,
    /// Whether cells are allocated.
    Allocation,
    /// Whatever a pointer to a scalar leads to.
    Anything,
}

/// What an expression reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effects {
    reads: Set<Object>,
    writes: Set<Object>,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
    }

    fn touches(&self, object: &Object) -> bool {
        let own = |set: &Set<Object>| {
            set.contains(object)
                || set.contains(&Object::Anything)
                || (*object == Object::Anything && !set.is_empty())
        };
        own(&self.reads) || own(&self.writes)
    }

    fn conflicts(&self, other: &Effects) -> bool {
        self.writes.iter().any(|w| other.touches(w)) || other.writes.iter().any(|w| self.touches(w))
    }
}

/// Complaints about one function.
pub(super) struct Order<'a> {
    checked: &'a Checked,
    /// What a call of each function does to globals and the heap.
    summaries: Vec<Effects>,
}

impl<'a> Order<'a> {
    /// `calls`: whom each function calls.
    pub(super) fn of(checked: &'a Checked, calls: &[Vec<u32>]) -> Order<'a> {
        let count = checked.functions.len();
        let mut order = Order { checked, summaries: vec![Effects::default(); count] };
        let mut callers = vec![Vec::new(); count];
        for (caller, list) in calls.iter().enumerate() {
            list.iter().for_each(|callee| callers[*callee as usize].push(caller));
        }
        // A function is looked at again only when one that it calls has changed.
        let mut open: std::collections::VecDeque<usize> = (0..count).collect();
        let mut waiting = vec![true; count];
        while let Some(i) = open.pop_front() {
            waiting[i] = false;
            let mut scan = Scan { order: &order, found: Vec::new() };
            let mut effects = scan.statements(checked.functions[i].body.as_deref().unwrap_or(&[]));
            let shared = |o: &Object| !matches!(o, Object::Var(Variable::Local(_)));
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

    pub(super) fn check(&self, function: u32) -> Vec<Diagnostic> {
        let mut scan = Scan { order: self, found: Vec::new() };
        scan.statements(self.checked.functions[function as usize].body.as_deref().unwrap_or(&[]));
        scan.found
    }
}

struct Scan<'a> {
    order: &'a Order<'a>,
    found: Vec<Diagnostic>,
}

impl Scan<'_> {
    fn statements(&mut self, statements: &[Stmt]) -> Effects {
        let mut all = Effects::default();
        for statement in statements {
            let effects = self.statement(statement);
            all.add(&effects);
        }
        all
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
            if parts[..i].iter().any(|p| p.conflicts(part)) {
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
            ExprKind::Int(_) | ExprKind::Sizeof(..) | ExprKind::Null | ExprKind::Str(_) => Effects::default(),
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                let mut effects = self.address(expr);
                effects.reads.insert(object(expr));
                if !matches!(expr.kind, ExprKind::Var(_)) {
                    effects.reads.insert(Object::Allocation);
                }
                effects
            }
            ExprKind::Address(inner) => self.address(inner),
            ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::Not(e) | ExprKind::Convert(e) => self.value(e),
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => {
                let parts = [self.value(a), self.value(b)];
                self.unordered(expr, &parts)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                let mut all = self.value(a);
                all.add(&self.value(b));
                all
            }
            ExprKind::Conditional(a, b, c) => {
                let mut all = self.value(a);
                all.add(&self.value(b));
                all.add(&self.value(c));
                all
            }
            ExprKind::Assign(target, value) => {
                let parts = [self.address(target), self.value(value)];
                let mut all = self.unordered(expr, &parts);
                // The write itself comes after the operands' values, not after their side effects.
                let write = Effects { writes: Set::from_iter([object(target)]), ..Effects::default() };
                if parts.iter().any(|p| p.writes.contains(&object(target))) {
                    self.unordered(expr, &[all.clone(), write.clone()]);
                }
                all.add(&write);
                all
            }
            ExprKind::Update { target, value, .. } => {
                let mut left = self.address(target);
                left.reads.insert(object(target));
                let right = self.value(value);
                let mut all = self.unordered(expr, &[left, right]);
                all.writes.insert(object(target));
                all
            }
            ExprKind::Call(callee, arguments) => {
                let parts: Vec<Effects> = arguments.iter().map(|a| self.value(a)).collect();
                let mut all = self.unordered(expr, &parts);
                // The call comes after its arguments.
                all.add(&self.callee(*callee));
                for argument in arguments {
                    if let ExprKind::Address(inner) = &argument.kind {
                        all.writes.insert(object(inner));
                    }
                }
                all
            }
            ExprKind::Block(inner) => self.statements(inner),
        }
    }

    /// What computing an lvalue's address reads and writes.
    fn address(&mut self, lvalue: &Expr) -> Effects {
        match &lvalue.kind {
            ExprKind::Deref(pointer) => self.value(pointer),
            ExprKind::Member(base, _) => self.address(base),
            ExprKind::Index(array, index) => {
                let parts = [self.address(array), self.value(index)];
                self.unordered(lvalue, &parts)
            }
            ExprKind::Var(_) => Effects::default(),
            _ => self.value(lvalue),
        }
    }

    fn callee(&self, callee: Callee) -> Effects {
        let mut effects = Effects::default();
        match callee {
            Callee::Function(index) => return self.order.summaries[index as usize].clone(),
            Callee::Intrinsic(Intrinsic::Free) => {
                effects.writes.insert(Object::Allocation);
            }
            Callee::Intrinsic(_) => {}
        }
        effects
    }
}

fn object(lvalue: &Expr) -> Object {
    match &lvalue.kind {
        ExprKind::Var(variable) => Object::Var(*variable),
        ExprKind::Member(base, index) => match base.ty {
            super::super::types::Ty::Record(id) => Object::Field(id, *index),
            _ => Object::Anything,
        },
        ExprKind::Index(..) => Object::Elements,
        _ => Object::Anything,
    }
}
