//! What is known by name: allocation, assertions, the end of a run.

use super::super::check::convert::{constant, wrap};
use super::super::hir::{Expr, ExprKind, Intrinsic, Variable};
use super::super::types::Ty;
use super::expression::Value;
use super::layout::Repr;
use super::{Binding, Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::trace::{GUESS, UNMODELLED};
use crate::program::{
    At, BinOp, Check, Command, Cond, Expr as Pure, Formula, IntKind, Term, Type, VarId, VarKind,
};

impl Lowerer<'_> {
    pub(super) fn intrinsic(
        &mut self,
        known: Intrinsic,
        arguments: &[Expr],
        whole: &Expr,
        into: Option<VarId>,
    ) -> Lowering<Value> {
        let span = whole.span;
        match known {
            Intrinsic::Malloc => Ok(self.fresh(&arguments[0], None, false)),
            Intrinsic::Calloc => Ok(self.fresh(&arguments[1], Some(&arguments[0]), true)),
            Intrinsic::Realloc => self.realloc(&arguments[0], &arguments[1], span),
            Intrinsic::Free => {
                let value = self.value(&arguments[0])?;
                self.free(value, span)?;
                Ok(Value::Void)
            }
            Intrinsic::Abort => {
                self.end(span);
                Ok(Value::Void)
            }
            Intrinsic::Exit | Intrinsic::Leave => {
                let status = self.int(&arguments[0])?;
                self.exit(status, span);
                Ok(Value::Void)
            }
            Intrinsic::Assert => {
                self.assertion(&arguments[0], "assertion", self.unit.options.counts_assert(), span)
            }
            Intrinsic::VerifierAssert => {
                let counts = self.unit.options.asks(Check::Asserts);
                self.assertion(&arguments[0], "__VERIFIER_assert", counts, span)
            }
            Intrinsic::AssertFail if self.unit.options.counts_assert() => {
                let (formula, what) = (Formula::Const(false), "assertion".to_owned());
                self.emit(Command::Assert { formula, check: Check::Asserts, what }, span);
                self.here = self.program.add_location();
                Ok(Value::Void)
            }
            Intrinsic::Error if self.unit.options.asks(Check::Asserts) => {
                self.emit(Command::Fail { what: "reach_error".to_owned() }, span);
                self.here = self.program.add_location();
                Ok(Value::Void)
            }
            Intrinsic::AssertFail | Intrinsic::Error => {
                self.end(span);
                Ok(Value::Void)
            }
            Intrinsic::Assume => {
                let (yes, no) = (self.program.add_location(), self.program.add_location());
                self.branch(&arguments[0], yes, no)?;
                self.here = yes;
                Ok(Value::Void)
            }
            Intrinsic::Nondet => {
                let kind = whole.ty.int().unwrap_or(IntKind::INT);
                let to = match into {
                    Some(var) if self.program.vars[var.index()].ty == Type::Int(kind) => var,
                    _ => self.temp(Type::Int(kind), span),
                };
                self.emit(Command::Havoc(to), span);
                Ok(Value::Int(Pure::Var(to)))
            }
            Intrinsic::Guess => self.guess(arguments, whole),
            Intrinsic::Fraction => {
                for argument in arguments {
                    self.effect(argument)?;
                }
                Ok(Value::Int(Pure::Int(0)))
            }
            Intrinsic::Bounds => {
                self.must(&arguments[0], Check::Memsafety, "access beyond the object", span)?;
                Ok(Value::Int(Pure::Int(0)))
            }
            Intrinsic::Rely => {
                let what = format!("{UNMODELLED}what this does here");
                self.must(&arguments[0], self.unit.options.precondition(), &what, span)?;
                Ok(Value::Int(Pure::Int(0)))
            }
            Intrinsic::Print | Intrinsic::Puts => {
                for argument in arguments {
                    // The value of a plain variable has no effect; `stdout` and the like have no model.
                    if !matches!(argument.kind, ExprKind::Var(_)) {
                        self.effect(argument)?;
                    }
                }
                if whole.ty.int().is_none() {
                    return Ok(Value::Void);
                }
                let to = self.temp_int(span);
                self.emit(Command::Havoc(to), span);
                Ok(Value::Int(Pure::Var(to)))
            }
        }
    }

    /// Any value, after the parts were evaluated.
    fn guess(&mut self, parts: &[Expr], whole: &Expr) -> Lowering<Value> {
        for part in parts {
            self.effect(part)?;
        }
        let Repr::Scalar(ty) = self.repr(&whole.ty, whole.span)? else {
            return self.unsupported(whole.span, "this value is not modelled");
        };
        let to = self.add_var(GUESS, ty, VarKind::Temp, whole.span);
        self.emit(Command::Havoc(to), whole.span);
        self.scalar_value(Pure::Var(to), &whole.ty, whole.span)
    }

    /// A test that fails if it does not hold.
    fn must(&mut self, test: &Expr, check: Check, what: &str, span: Span) -> Lowering<()> {
        let (yes, no) = (self.program.add_location(), self.program.add_location());
        self.branch(test, yes, no)?;
        self.here = no;
        let formula = Formula::Const(false);
        self.emit(Command::Assert { formula, check, what: what.to_owned() }, span);
        self.here = yes;
        Ok(())
    }

    fn fresh(&mut self, size: &Expr, count: Option<&Expr>, zeroed: bool) -> Value {
        let mut inner = size;
        while let ExprKind::Convert(next) = &inner.kind {
            inner = next;
        }
        let one = count.is_none_or(|c| self.known_size(c) == Some(1));
        let named = match &inner.kind {
            ExprKind::Sizeof(ty, _) if one => Some(ty.clone()),
            _ => None,
        };
        let factor = count.map_or(Some(1), |c| self.known_size(c));
        let bytes = self.known_size(size).zip(factor).and_then(|(a, b)| a.checked_mul(b));
        Value::Fresh { bytes, named, zeroed }
    }

    /// A constant, also one that was handed over to this copy of a function.
    fn known_size(&mut self, expr: &Expr) -> Option<i128> {
        if let Some(value) = constant(expr) {
            return Some(value);
        }
        match &expr.kind {
            ExprKind::Convert(inner) => {
                let value = self.known_size(inner)?;
                (value == wrap(value, expr.ty.int()?)).then_some(value)
            }
            ExprKind::Var(Variable::Local(local)) => {
                match self.frames.last()?.locals.get(*local as usize)?.as_ref()? {
                    Binding::Var(var) => self.sizes.get(var).copied(),
                    _ => None,
                }
            }
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Mul), a, b) => {
                let value = op.apply(self.known_size(a)?, self.known_size(b)?)?;
                (value == wrap(value, expr.ty.int()?)).then_some(value)
            }
            _ => None,
        }
    }

    /// `realloc` of one object to its own size: another cell with the same fields, and the old one is freed. The
    /// pointer that C gives back may be the old one, but nobody may look at the old one to find that out.
    fn realloc(&mut self, old: &Expr, size: &Expr, span: Span) -> Lowering<Value> {
        let mut source = old;
        while let ExprKind::Convert(inner) = &source.kind {
            source = inner;
        }
        let ty = source.ty.clone();
        let fresh = self.fresh(size, None, false);
        let (old, of) = match self.value(old)? {
            Value::Null => return Ok(fresh),
            Value::Ptr(pointer, of) => (self.in_var(pointer, Type::Ptr(of), span), of),
            _ => return self.unsupported(span, "`realloc` of this pointer is not modelled"),
        };
        let Some(object) = ty.pointee().cloned().filter(|object| object.is_scalar() || ty.target().is_some())
        else {
            return self.unsupported(span, "`realloc` of this pointer is not modelled");
        };
        let Value::Ptr(new, _) = self.allocate(fresh, &ty, None, span)? else {
            return self.unsupported(span, "`realloc` of this pointer is not modelled");
        };
        let new = self.in_var(new, Type::Ptr(of), span);
        // Nothing to copy and to free where there was nothing, or where there is no memory.
        let end = self.program.add_location();
        for pointer in [old, new] {
            let null = Cond::eq(Pure::Var(pointer), Pure::Null(of));
            let there = self.program.add_location();
            self.emit_to(end, Command::Assume(null.clone()), span);
            self.emit_to(there, Command::Assume(null.negated()), span);
            self.here = there;
        }
        self.check_not_freed(old, span);
        let from = self.behind(Value::Ptr(Pure::Var(old), of), &object, span)?;
        let to = self.behind(Value::Ptr(Pure::Var(new), of), &object, span)?;
        let value = self.read(from, &object, None, span)?;
        self.write(&to, value, &object, span)?;
        self.free(Value::Ptr(Pure::Var(old), of), span)?;
        self.emit_to(end, Command::Skip, span);
        self.here = end;
        Ok(Value::Ptr(Pure::Var(new), of))
    }

    fn free(&mut self, value: Value, span: Span) -> Lowering<()> {
        match value {
            Value::Null => Ok(()),
            Value::Ptr(pointer, of) => {
                let var = self.in_var(pointer, Type::Ptr(of), span);
                // Globals that live in cells exist at the entry of a function; they are not on the heap.
                for index in 0..self.unit.checked.globals.len() as u32 {
                    let global = &self.unit.checked.globals[index as usize];
                    let boxed = self.unit.usage.is_boxed(u32::MAX, Variable::Global(index));
                    if !self.is_main()
                        && global.owner.is_none()
                        && (boxed || matches!(global.ty, Ty::Record(_)))
                    {
                        self.global(index);
                    }
                }
                for cell in self.global_cells.clone() {
                    if self.program.vars[cell.index()].ty == Type::Ptr(of) {
                        let formula = Formula::ne(Term::Var(var, At::Now), Term::Var(cell, At::Now));
                        let what = "free of a variable".to_owned();
                        self.emit(Command::Assert { formula, check: Check::Memsafety, what }, span);
                    }
                }
                self.free_with_parts(var, of, span);
                Ok(())
            }
            Value::Fat(..) => {
                self.unsupported(span, "free of a pointer that may lead into a cell is not modelled")
            }
            _ => self.unsupported(span, "free of this pointer is not modelled"),
        }
    }

    /// A test that must hold; where that does not count, the program ends if it does not.
    fn assertion(&mut self, test: &Expr, what: &str, counts: bool, span: Span) -> Lowering<Value> {
        match &test.kind {
            ExprKind::Not(inner) => {
                if let ExprKind::Not(inner) = &inner.kind {
                    return self.assertion(inner, what, counts, span);
                }
            }
            ExprKind::And(a, b) => {
                self.assertion(a, what, counts, span)?;
                return self.assertion(b, what, counts, span);
            }
            _ => {}
        }
        let (yes, no) = (self.program.add_location(), self.program.add_location());
        self.branch(test, yes, no)?;
        self.here = no;
        if counts {
            let formula = Formula::Const(false);
            self.emit(Command::Assert { formula, check: Check::Asserts, what: what.to_owned() }, span);
        } else {
            self.end(span);
        }
        self.here = yes;
        Ok(Value::Void)
    }
}
