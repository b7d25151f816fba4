//! Formulas and terms.

use crate::frontend::c::ast::{self, BinaryOp, ExprKind};
use crate::frontend::c::check::{Checker, Checking, Failed};
use crate::frontend::c::hir::{DEREF, TermTy, TypedTerm};
use crate::frontend::c::token::Name;
use crate::frontend::c::types::{RecordId, Ty};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::{At, BinOp, Cmp, Formula, Set, StructId, Term, VarId};

/// Where the formula stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Requires,
    Ensures,
    Body,
    /// Inside a predicate: only its parameters and globals exist.
    Predicate,
}

/// What a formula may speak of.
#[derive(Clone)]
pub(super) struct Env {
    pub(super) mode: Mode,
    pub(super) at: At,
    pub(super) bound: Vec<(Name, TypedTerm)>,
    /// Predicates being expanded.
    pub(super) stack: Vec<Name>,
    pub(super) height: u32,
}

impl Env {
    pub(super) fn new(mode: Mode) -> Env {
        Env { mode, at: At::Now, bound: Vec::new(), stack: Vec::new(), height: 0 }
    }
}

/// What an expression of an annotation is.
pub(super) enum Value {
    Formula(Formula),
    Term(TypedTerm),
    /// A set of cells of one struct; of the empty set the struct is not known.
    Set(Set, Option<RecordId>),
    /// A struct, or a struct inside one, by the address of the cell.
    Struct {
        base: Term,
        record: RecordId,
        part: RecordId,
        path: Vec<u32>,
    },
    Array(VarId, Ty),
    /// `a + (lo..hi)`
    Slice(VarId, Term, Term),
    Range(Term, Term),
}

impl Checker<'_> {
    /// A formula.
    pub(super) fn formula(&mut self, expr: &ast::Expr, env: &Env) -> Checking<Formula> {
        let value = self.value(expr, env)?;
        self.as_formula(value, expr.span)
    }

    pub(super) fn as_formula(&mut self, value: Value, span: Span) -> Checking<Formula> {
        match value {
            Value::Formula(formula) => Ok(formula),
            Value::Term(TypedTerm { term, ty }) => match ty {
                TermTy::Int => Ok(Formula::ne(term, Term::Int(0))),
                TermTy::Null => Ok(Formula::Const(false)),
                TermTy::Pointer(ty) => {
                    let null = self.null_of(&ty, span)?;
                    Ok(Formula::ne(term, null))
                }
            },
            Value::Set(..) => {
                self.error("annotation", span, "a set is no formula: compare it, or write `e \\in S`")
            }
            _ => self.error("annotation", span, "a formula is expected"),
        }
    }

    pub(super) fn term(&mut self, expr: &ast::Expr, env: &Env) -> Checking<TypedTerm> {
        let value = self.value(expr, env)?;
        self.as_term(value, expr.span)
    }

    pub(super) fn as_term(&mut self, value: Value, span: Span) -> Checking<TypedTerm> {
        match value {
            Value::Term(term) => Ok(term),
            Value::Formula(formula) => Ok(TypedTerm { term: truth(formula), ty: TermTy::Int }),
            Value::Set(..) => self.error("annotation", span, "a cell or a number is expected, not a set"),
            Value::Array(..) => {
                self.unsupported(span, "the address of an array as a value is not modelled in formulas")
            }
            _ => self.error("annotation", span, "a cell or a number is expected"),
        }
    }

    pub(super) fn int_term(&mut self, expr: &ast::Expr, env: &Env) -> Checking<Term> {
        let found = self.term(expr, env)?;
        match found.ty {
            TermTy::Int => Ok(found.term),
            _ => self.error("wrong-type", expr.span, "a number is expected, found a pointer"),
        }
    }

    /// The null pointer of a pointer type.
    pub(super) fn null_of(&mut self, ty: &Ty, span: Span) -> Checking<Term> {
        match ty.pointee() {
            Some(Ty::Record(id)) => Ok(Term::Null(StructId(id.0))),
            Some(inner) if inner.is_scalar() => {
                let number = self.boxed(inner);
                Ok(Term::Null(StructId(DEREF + number)))
            }
            _ => {
                let message = format!("`{}` is not modelled", self.types.show(ty));
                self.unsupported(span, message)
            }
        }
    }

    /// The number of a struct inside another.
    pub(super) fn inner_part(&mut self, record: RecordId, path: Vec<u32>) -> u32 {
        let part = (record, path);
        let found = self.checked.parts.iter().position(|known| *known == part);
        let number = found.unwrap_or_else(|| {
            self.checked.parts.push(part);
            self.checked.parts.len() - 1
        });
        number as u32
    }

    /// The number of a type of variables that pointers point to.
    pub(super) fn boxed(&mut self, ty: &Ty) -> u32 {
        let found = self.checked.boxed.iter().position(|t| t == ty);
        found.unwrap_or_else(|| {
            self.checked.boxed.push(ty.clone());
            self.checked.boxed.len() - 1
        }) as u32
    }

    /// Elaborates any expression.
    pub(super) fn value(&mut self, expr: &ast::Expr, env: &Env) -> Checking<Value> {
        let span = expr.span;
        let int = |term| Ok(Value::Term(TypedTerm { term, ty: TermTy::Int }));
        match &expr.kind {
            ExprKind::Name(name) => self.spec_name(*name, env, span),
            ExprKind::Int(literal) => int(Term::Int(i128::from(literal.value))),
            ExprKind::Char(value) => int(Term::Int(i128::from(*value))),
            ExprKind::Unary(op, inner) => self.spec_unary(*op, inner, env, span),
            ExprKind::Binary(op, a, b) => self.spec_binary(*op, a, b, env, span),
            ExprKind::Conditional(test, yes, no) => self.spec_conditional(test, yes, no, env, span),
            ExprKind::Call(function, arguments) => self.predicate_call(function, arguments, env, span),
            ExprKind::Index(array, index) => {
                let Value::Array(var, element) = self.value(array, env)? else {
                    return self.error("annotation", array.span, "an array is expected before `[`");
                };
                let index = self.int_term(index, env)?;
                let ty = if element.int().is_some() { TermTy::Int } else { TermTy::Pointer(element) };
                Ok(Value::Term(TypedTerm { term: Term::Index(var, env.at, Box::new(index)), ty }))
            }
            ExprKind::Member { base, field, field_span, arrow } => {
                self.spec_member(base, *field, *field_span, *arrow, env, span)
            }
            ExprKind::Cast(ty, inner) => {
                let ty = self.resolve(ty);
                let found = self.term(inner, env)?;
                match (&found.ty, &ty) {
                    (TermTy::Int, Ty::Pointer(_)) if found.term == Term::Int(0) => {
                        let ty = if ty.pointee() == Some(&Ty::Void) {
                            TermTy::Null
                        } else {
                            TermTy::Pointer(ty.clone())
                        };
                        let term = match &ty {
                            TermTy::Pointer(ty) => self.null_of(&ty.clone(), span)?,
                            _ => Term::Int(0),
                        };
                        Ok(Value::Term(TypedTerm { term, ty }))
                    }
                    (TermTy::Null, Ty::Pointer(_)) => Ok(Value::Term(found)),
                    (TermTy::Pointer(a), b) if a == b => Ok(Value::Term(found)),
                    (TermTy::Int, Ty::Int(_)) => self
                        .unsupported(span, "a conversion between integers inside a formula is not modelled"),
                    _ => self.unsupported(span, "this conversion is not modelled in formulas"),
                }
            }
            ExprKind::Builtin(name, arguments) => {
                let name = self.text(*name).to_owned();
                self.builtin_value(&name, arguments, env, span)
            }
            ExprKind::Reach { field, field_span, plus, from, to } => {
                let (from_term, to_term) = (self.term(from, env)?, self.term(to, env)?);
                let record = self.common_record(&[&from_term, &to_term], *field, *field_span)?;
                let id = self.link_field(record, *field, *field_span)?;
                let from = self.coerce(from_term, record, from.span)?;
                let to = self.coerce(to_term, record, to.span)?;
                Ok(Value::Formula(Formula::Reach { field: id, at: env.at, from, to, plus: *plus }))
            }
            ExprKind::Quantifier { all, binders, body } => {
                let mut env = env.clone();
                let mut bound = Vec::new();
                for binder in binders {
                    bound.push(self.bind(binder, &mut env)?);
                }
                let mut formula = self.formula(body, &env)?;
                for binder in bound.into_iter().rev() {
                    let inner = Box::new(formula);
                    formula =
                        if *all { Formula::Forall(binder, inner) } else { Formula::Exists(binder, inner) };
                }
                Ok(Value::Formula(formula))
            }
            ExprKind::Set(elements) => self.set_of(elements, env),
            ExprKind::Range(low, high) => {
                Ok(Value::Range(self.int_term(low, env)?, self.int_term(high, env)?))
            }
            ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) | ExprKind::Alignof(..) => {
                self.error("annotation", span, "`sizeof` has no place in a formula")
            }
            ExprKind::Assign(..) | ExprKind::Step { .. } => {
                let diagnostic = Diagnostic::error("annotation", span, "a formula must not change anything")
                    .help("equality is written `==`");
                self.sink.push(diagnostic);
                Err(Failed)
            }
            ExprKind::Comma(..) | ExprKind::Block(_) | ExprKind::Str(_) | ExprKind::VaArg(..) => {
                self.error("annotation", span, "this has no place in a formula")
            }
            ExprKind::Float(..)
            | ExprKind::Otherwise(..)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..) => self.unsupported(span, "this is not modelled in formulas"),
            ExprKind::Compound(..) => {
                self.unsupported(span, "a compound literal in a formula is not modelled")
            }
            ExprKind::Unsupported(what) => self.unsupported(span, format!("{what} is not modelled")),
        }
    }

    fn spec_conditional(
        &mut self,
        test: &ast::Expr,
        yes: &ast::Expr,
        no: &ast::Expr,
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        let test = self.formula(test, env)?;
        match (self.value(yes, env)?, self.value(no, env)?) {
            (Value::Term(a), Value::Term(b)) => {
                let (a, b) = self.same_type(a, b, span)?;
                let ty = a.ty.clone();
                let term = Term::Ite(Box::new(test), Box::new(a.term), Box::new(b.term));
                Ok(Value::Term(TypedTerm { term, ty }))
            }
            (a, b) => {
                let (a, b) = (self.as_formula(a, yes.span)?, self.as_formula(b, no.span)?);
                let yes = Formula::And(vec![test.clone(), a]);
                let no = Formula::And(vec![test.negate(), b]);
                Ok(Value::Formula(Formula::Or(vec![yes, no])))
            }
        }
    }

    /// Two terms of one type; null takes the type of the other.
    pub(super) fn same_type(
        &mut self,
        a: TypedTerm,
        b: TypedTerm,
        span: Span,
    ) -> Checking<(TypedTerm, TypedTerm)> {
        match (&a.ty, &b.ty) {
            (TermTy::Int, TermTy::Int) | (TermTy::Null, TermTy::Null) => Ok((a, b)),
            (TermTy::Pointer(x), TermTy::Pointer(y)) if x == y => Ok((a, b)),
            (TermTy::Pointer(ty), TermTy::Null) => {
                let null = self.null_of(&ty.clone(), span)?;
                let ty = a.ty.clone();
                Ok((a, TypedTerm { term: null, ty }))
            }
            (TermTy::Pointer(_), TermTy::Int) if b.term == Term::Int(0) => self.same_type(a, null(), span),
            (TermTy::Null, TermTy::Int) if b.term == Term::Int(0) => Ok((null(), null())),
            (TermTy::Null | TermTy::Int, TermTy::Pointer(_)) | (TermTy::Int, TermTy::Null) => {
                let (b, a) = self.same_type(b, a, span)?;
                Ok((a, b))
            }
            _ => self.error("wrong-type", span, "the two sides have different types"),
        }
    }

    fn spec_binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        let formula = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                let (a, b) = (self.formula(a, env), self.formula(b, env));
                let (a, b) = (a?, b?);
                match op {
                    BinaryOp::And => Formula::all([a, b]),
                    BinaryOp::Or => match a {
                        Formula::Or(mut parts) => {
                            parts.push(b);
                            Formula::Or(parts)
                        }
                        a => Formula::Or(vec![a, b]),
                    },
                    BinaryOp::Implies => Formula::Implies(Box::new(a), Box::new(b)),
                    _ => Formula::Iff(Box::new(a), Box::new(b)),
                }
            }
            BinaryOp::In => {
                let element = self.term(a, env)?;
                let (set, record) = self.set(b, env)?;
                let Some(record) = record.or_else(|| record_of(&element)) else {
                    return Ok(Value::Formula(Formula::Const(false)));
                };
                let element = self.coerce(element, record, a.span)?;
                Formula::In(element, set)
            }
            BinaryOp::Compare(cmp) => return self.spec_compare(cmp, a, b, env, span),
            BinaryOp::Arithmetic(op) => return self.spec_arithmetic(op, a, b, env, span),
        };
        Ok(Value::Formula(formula))
    }

    fn spec_compare(
        &mut self,
        cmp: Cmp,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        // A chain `a < b <= c` means `a < b && b <= c`, as in ACSL; nobody means an order of truth values.
        if let ExprKind::Binary(BinaryOp::Compare(before), _, middle) = &a.kind
            && (is_rising(*before) && is_rising(cmp) || is_falling(*before) && is_falling(cmp))
        {
            let first = self.formula(a, env)?;
            let second = self.spec_compare(cmp, middle, b, env, span)?;
            let second = self.as_formula(second, span)?;
            return Ok(Value::Formula(Formula::all([first, second])));
        }
        let (left, right) = (self.value(a, env), self.value(b, env));
        let (left, right) = (left?, right?);
        if matches!(left, Value::Set(..)) || matches!(right, Value::Set(..)) {
            let (Value::Set(x, of_x), Value::Set(y, of_y)) = (left, right) else {
                return self.error("wrong-type", span, "a set is compared with something else");
            };
            if of_x.is_some() && of_y.is_some() && of_x != of_y {
                return self.error("wrong-type", span, "these are sets of cells of different structs");
            }
            return match cmp {
                Cmp::Eq => Ok(Value::Formula(Formula::SameSet(x, y))),
                Cmp::Ne => Ok(Value::Formula(Formula::SameSet(x, y).negate())),
                _ => self.error("wrong-type", span, "sets are compared by `==`, `!=` and `\\subset`"),
            };
        }
        if matches!(left, Value::Formula(_)) && !matches!(cmp, Cmp::Eq | Cmp::Ne) {
            let diagnostic = Diagnostic::error("annotation", span, "a truth value has no order")
                .help("write `a <= b && b <= c`");
            self.sink.push(diagnostic);
            return Err(Failed);
        }
        let arrays = matches!(left, Value::Array(..)) || matches!(right, Value::Array(..));
        let as_term = |v: Value| match v {
            Value::Term(term) => Some(term),
            Value::Formula(f) => Some(TypedTerm { term: truth(f), ty: TermTy::Int }),
            _ => None,
        };
        let (Some(left), Some(right)) = (as_term(left), as_term(right)) else {
            if arrays {
                let text = "the address of an array as a value is not modelled in formulas";
                return self.unsupported(span, text);
            }
            return self.error("wrong-type", span, "these cannot be compared");
        };
        let (left, right) = self.same_type(left, right, span)?;
        if left.ty == TermTy::Null {
            return Ok(Value::Formula(Formula::Const(cmp == Cmp::Eq)));
        }
        if left.ty != TermTy::Int && !matches!(cmp, Cmp::Eq | Cmp::Ne) {
            return self.unsupported(span, "an order between pointers is not modelled");
        }
        Ok(Value::Formula(Formula::Compare(cmp, left.term, right.term)))
    }

    fn spec_arithmetic(
        &mut self,
        op: BinOp,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &Env,
        span: Span,
    ) -> Checking<Value> {
        let left = self.value(a, env)?;
        if let (BinOp::Add, Value::Array(var, _)) = (op, &left) {
            let var = *var;
            return match self.value(b, env)? {
                Value::Range(low, high) => Ok(Value::Slice(var, low, high)),
                _ => self.error("annotation", span, "`a + (lo..hi)` is meant"),
            };
        }
        if let (
            BinOp::Add,
            Value::Term(TypedTerm { ty: TermTy::Pointer(_), .. }),
            ExprKind::Range(low, high),
        ) = (op, &left, &b.kind)
        {
            let (low, high) = (self.int_term(low, env)?, self.int_term(high, env)?);
            if (low, high) == (Term::Int(0), Term::Int(0)) {
                return Ok(left);
            }
            let text = "several objects behind one pointer are not modelled in formulas";
            let diagnostic =
                Diagnostic::unsupported("annotation", span, text).help("`\\valid(p)` speaks of one");
            self.sink.push(diagnostic);
            return Err(Failed);
        }
        if let (
            BinOp::Sub,
            Value::Term(TypedTerm { ty: TermTy::Pointer(_), .. }),
            ExprKind::Member { arrow: true, .. },
        ) = (op, &left, &b.kind)
        {
            let diagnostic = Diagnostic::error("wrong-type", a.span, "a number is expected, found a pointer")
                .help("a step is `x->next == y`, several are `x -next*-> y` or `x -next+-> y`");
            self.sink.push(diagnostic);
            return Err(Failed);
        }
        let left = match left {
            Value::Term(TypedTerm { term, ty: TermTy::Int }) => term,
            Value::Formula(f) => truth(f),
            _ => return self.error("wrong-type", a.span, "a number is expected"),
        };
        let right = self.int_term(b, env)?;
        let term = Term::Binary(op, Box::new(left), Box::new(right));
        Ok(Value::Term(TypedTerm { term, ty: TermTy::Int }))
    }
}

/// The null pointer, its type still open.
pub(super) fn null() -> TypedTerm {
    TypedTerm { term: Term::Int(0), ty: TermTy::Null }
}

pub(super) fn record_of(term: &TypedTerm) -> Option<RecordId> {
    match &term.ty {
        TermTy::Pointer(ty) => ty.target(),
        _ => None,
    }
}

fn is_rising(cmp: Cmp) -> bool {
    matches!(cmp, Cmp::Lt | Cmp::Le)
}

fn is_falling(cmp: Cmp) -> bool {
    matches!(cmp, Cmp::Gt | Cmp::Ge)
}

/// 1 or 0.
fn truth(formula: Formula) -> Term {
    Term::Ite(Box::new(formula), Box::new(Term::Int(1)), Box::new(Term::Int(0)))
}
