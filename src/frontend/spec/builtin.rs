//! The built-in words of annotations, and what ACSL has beyond them.

use super::formula::{Env, Value, record_of};
use crate::frontend::c::ast::{self, ExprKind, UnaryOp};
use crate::frontend::c::check::{Checker, Checking, Failed};
use crate::frontend::c::hir::{self, DEREF, TermTy, TypedTerm, Variable};
use crate::frontend::c::types::{RecordId, Ty};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::nearest::did_you_mean;
use crate::program::{At, Binder, BoundId, Cmp, Formula, Set, StructId, Term, VarId};

/// Every built-in with the number of its arguments; `None`: any number.
pub(super) const BUILTINS: &[(&str, Option<usize>)] = &[
    ("result", Some(0)),
    ("null", Some(0)),
    ("true", Some(0)),
    ("false", Some(0)),
    ("old", Some(1)),
    ("at", Some(2)),
    ("reach", Some(3)),
    ("btwn", Some(4)),
    ("list", Some(2)),
    ("lseg", Some(3)),
    ("cyclic", Some(2)),
    ("unshared", Some(3)),
    ("sorted", Some(4)),
    ("inverse", Some(4)),
    ("stable", Some(2)),
    ("valid", Some(1)),
    ("valid_read", Some(1)),
    ("separated", None),
    ("freed", Some(1)),
    ("fresh", Some(1)),
    ("dlseg", Some(6)),
    ("tree", Some(3)),
    ("cells", Some(3)),
    ("pre", Some(2)),
    ("union", None),
    ("inter", None),
    ("diff", Some(2)),
    ("empty", Some(0)),
    ("subset", Some(2)),
    ("disjoint", None),
    ("min", Some(2)),
    ("max", Some(2)),
    ("abs", Some(1)),
];

/// Words of the syntax, for "did you mean".
const SYNTAX: &[&str] = &["forall", "exists", "in", "nothing"];

/// Words of ACSL without a meaning here, and what to write instead.
const UNMODELLED: &[(&str, &str)] = &[
    (
        "initialized",
        "in `requires` it may be a part of a conjunction; what is read before it is written is reported anyway",
    ),
    ("base_addr", "cells are objects of their own: `p == q` says that two pointers lead into the same one"),
    ("block_length", "`\\valid(p + (0..n - 1))` says that n elements are there"),
    ("offset", "indices are numbers: keep the index beside the array"),
    ("freeable", "`\\valid(p)` says that p is allocated"),
    ("allocable", "`!\\valid(p)` says that p is not allocated"),
    ("dangling", "`\\freed(p)` says that p was freed"),
    ("object_pointer", "`\\valid(p)` says that p is allocated"),
    ("valid_function", "which functions a pointer leads to is not said in annotations"),
    ("let", "write the value where it is used, or define it: `logic int f(T *x) = e;`"),
    ("sum", "sums over ranges have no meaning in formulas"),
    ("product", "products over ranges have no meaning in formulas"),
    ("numof", "counting has no meaning in formulas"),
    ("lambda", "functions are no values in formulas"),
    ("strlen", "`\\valid(s + (0..n))` says which characters are there"),
    ("typeof", "types are no values in formulas"),
    ("exit_status", "a contract speaks of runs that return"),
    ("everything", "without `assigns` a function may change everything"),
    ("from", "what values depend on is not checked"),
];

/// All words, for "did you mean".
pub(super) fn words() -> Vec<&'static str> {
    BUILTINS.iter().map(|(name, _)| *name).chain(SYNTAX.iter().copied()).collect()
}

impl Checker<'_> {
    /// Complains about a word that is not known.
    pub(super) fn unknown_builtin<T>(&mut self, name: &str, span: Span) -> Checking<T> {
        if let Some((_, instead)) = UNMODELLED.iter().find(|(n, _)| *n == name) {
            let text = format!("`\\{name}` is not modelled");
            self.sink.push(Diagnostic::unsupported("annotation", span, text).help(*instead));
            return Err(Failed);
        }
        let known = words();
        let help = did_you_mean(name, "\\", &known).unwrap_or_else(|| {
            let known = known.iter().map(|n| format!("\\{n}")).collect::<Vec<_>>().join(" ");
            format!("known are {known}")
        });
        let message = format!("`\\{name}` is not known");
        self.sink.push(Diagnostic::error("annotation", span, message).help(help));
        Err(Failed)
    }

    /// `\min`, `\max`, `\abs`.
    pub(super) fn number_builtin(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        env: &Env,
    ) -> Checking<Value> {
        let first = self.int_term(&arguments[0], env)?;
        let (cmp, second) = match arguments.get(1) {
            Some(second) => (if name == "min" { Cmp::Le } else { Cmp::Ge }, self.int_term(second, env)?),
            None => (Cmp::Ge, Term::Neg(Box::new(first.clone()))),
        };
        let test = Formula::Compare(cmp, first.clone(), second.clone());
        let term = Term::Ite(Box::new(test), Box::new(first), Box::new(second));
        Ok(Value::Term(TypedTerm { term, ty: TermTy::Int }))
    }

    /// `\valid(&x)`: what has an address is there as long as the object it belongs to.
    pub(super) fn valid_address(&mut self, argument: &ast::Expr, env: &Env) -> Checking<Option<Formula>> {
        let ExprKind::Unary(UnaryOp::Address, inner) = &argument.kind else { return Ok(None) };
        Ok(match self.value(inner, env)? {
            Value::Term(TypedTerm { term: Term::Var(var, _), .. })
                if !matches!(hir::decode(var), hir::Ref::Logic(_)) =>
            {
                Some(Formula::Const(true))
            }
            Value::Term(TypedTerm { term: Term::Field(field, at, base), .. }) if field.0 < DEREF => {
                Some(Formula::Valid(*base, at))
            }
            Value::Term(TypedTerm { term: Term::Index(array, _, index), .. }) => {
                Some(Formula::ValidRange(array, (*index).clone(), *index))
            }
            Value::Array(..) => Some(Formula::Const(true)),
            _ => None,
        })
    }

    /// `\separated(p, q, ...)`: no two of the objects overlap.
    pub(super) fn separated(&mut self, arguments: &[ast::Expr], env: &Env, span: Span) -> Checking<Value> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push((self.value(argument, env)?, argument.span));
        }
        let mut parts = Vec::new();
        for i in 0..values.len() {
            for j in 0..i {
                parts.push(self.apart(&values[j].0, &values[i].0, values[i].1, span)?);
            }
        }
        Ok(Value::Formula(Formula::all(parts)))
    }

    fn apart(&mut self, a: &Value, b: &Value, at: Span, span: Span) -> Checking<Formula> {
        match (a, b) {
            (Value::Term(a), Value::Term(b)) => match (&a.ty, &b.ty) {
                (TermTy::Pointer(x), TermTy::Pointer(y)) if x == y => {
                    Ok(Formula::ne(a.term.clone(), b.term.clone()))
                }
                (TermTy::Pointer(x), TermTy::Pointer(y)) => match (x.target(), y.target()) {
                    // Two structs overlap only where one contains the other.
                    (Some(x), Some(y)) if !self.contains(x, y) && !self.contains(y, x) => {
                        Ok(Formula::Const(true))
                    }
                    _ => {
                        let text = "whether an object lies inside another is not modelled in `\\separated`";
                        let help = "say which pointers differ: `p != &q->m`";
                        self.sink.push(Diagnostic::unsupported("annotation", at, text).help(help));
                        Err(Failed)
                    }
                },
                _ => {
                    self.error("wrong-type", at, "`\\separated` speaks of pointers, arrays and sets of cells")
                }
            },
            (Value::Set(a, x), Value::Set(b, y)) => match (x, y) {
                (Some(x), Some(y)) if x != y => {
                    self.error("wrong-type", span, "these are sets of cells of different structs")
                }
                _ => Ok(Formula::Disjoint(vec![a.clone(), b.clone()])),
            },
            (Value::Set(set, _), Value::Term(term)) | (Value::Term(term), Value::Set(set, _)) => {
                let Some(record) = record_of(term) else {
                    return self.error("wrong-type", at, "a pointer to a cell is expected");
                };
                let element = self.coerce(term.clone(), record, at)?;
                Ok(Formula::In(element, set.clone()).negate())
            }
            (Value::Slice(a, low, high), Value::Slice(b, from, to)) if a == b => {
                let before = |x: &Term, y: &Term| Formula::Compare(Cmp::Lt, x.clone(), y.clone());
                Ok(Formula::Or(vec![
                    before(high, low),
                    before(to, from),
                    before(high, from),
                    before(to, low),
                ]))
            }
            // A parameter may stand for any array; others are objects of their own.
            (Value::Slice(a, ..) | Value::Array(a, _), Value::Slice(b, ..) | Value::Array(b, _))
                if a != b && (self.is_parameter(*a) || self.is_parameter(*b)) =>
            {
                self.unsupported(at, "whether arrays that are parameters overlap is not modelled")
            }
            (Value::Slice(a, ..) | Value::Array(a, _), Value::Slice(b, ..) | Value::Array(b, _)) => {
                Ok(Formula::Const(a != b))
            }
            (Value::Slice(..) | Value::Array(..), Value::Term(TypedTerm { ty: TermTy::Pointer(ty), .. }))
            | (Value::Term(TypedTerm { ty: TermTy::Pointer(ty), .. }), Value::Slice(..) | Value::Array(..))
                if ty.target().is_some() =>
            {
                Ok(Formula::Const(true))
            }
            _ => self.unsupported(at, "this is not modelled in `\\separated`"),
        }
    }

    fn is_parameter(&self, var: VarId) -> bool {
        matches!(hir::decode(var), hir::Ref::Local(index) if index < self.current.parameters)
    }

    /// A struct of this kind has one of that kind inside.
    fn contains(&self, outer: RecordId, inner: RecordId) -> bool {
        let mut todo = vec![outer];
        let mut seen = Vec::new();
        while let Some(record) = todo.pop() {
            if record == inner {
                return true;
            }
            if seen.contains(&record) {
                continue;
            }
            seen.push(record);
            for member in self.types.record(record).members.iter().flatten() {
                let mut ty = &member.ty;
                while let Ty::Array(element, _) = ty {
                    ty = element;
                }
                if let Ty::Record(id) = ty {
                    todo.push(*id);
                }
            }
        }
        false
    }

    /// `frees p, ...;`: at the exit, everything else that was allocated at the entry still is. `allocates p, ...;`: at the
    /// exit, everything else that is allocated was so at the entry. Both speak of the structs that the function is given.
    pub(super) fn frees(&mut self, allocates: bool, cells: &[ast::Expr]) -> Checking<Vec<Formula>> {
        let env = match allocates {
            true => Env::new(super::formula::Mode::Ensures),
            false => Env { at: At::Entry, ..Env::new(super::formula::Mode::Requires) },
        };
        let mut named: Vec<(RecordId, Formula, BoundId)> = Vec::new();
        let records = self.records_given();
        let bounds: Vec<BoundId> = records
            .iter()
            .map(|_| {
                self.current.bounds += 1;
                BoundId(self.current.bounds - 1)
            })
            .collect();
        for cell in cells {
            let (set, record) = match self.value(cell, &env)? {
                Value::Set(set, Some(record)) => (set, record),
                Value::Term(term) if record_of(&term).is_some() => {
                    let record = record_of(&term).ok_or(Failed)?;
                    (Set::Of(vec![term.term]), record)
                }
                _ => {
                    let text = "a pointer to a struct, or a set of cells, is expected";
                    return self.error("wrong-type", cell.span, text);
                }
            };
            if let Some(i) = records.iter().position(|r| *r == record) {
                named.push((record, Formula::In(Term::Bound(bounds[i]), set), bounds[i]));
            }
        }
        let mut out = Vec::new();
        for (record, id) in records.into_iter().zip(bounds) {
            let (then, now) =
                (Formula::Valid(Term::Bound(id), At::Entry), Formula::Valid(Term::Bound(id), At::Now));
            let (given, wanted) = if allocates { (now, then) } else { (then, now) };
            let mut any = vec![wanted];
            any.extend(named.iter().filter(|(r, ..)| *r == record).map(|(_, f, _)| f.clone()));
            let body = Formula::Implies(Box::new(given), Box::new(Formula::Or(any)));
            let binder = Binder { id, name: "u".to_owned(), of: Some(StructId(record.0)) };
            out.push(Formula::Forall(binder, Box::new(body)));
        }
        Ok(out)
    }

    /// The structs that parameters, globals and the result lead to.
    fn records_given(&self) -> Vec<RecordId> {
        let parameters = (0..self.current.parameters).map(|i| self.type_of(Variable::Local(i)));
        let globals = self.checked.globals.iter().map(|g| g.ty.clone());
        let mut todo: Vec<Ty> = parameters.chain(globals).chain(self.current.result.clone()).collect();
        let mut found: Vec<RecordId> = Vec::new();
        while let Some(ty) = todo.pop() {
            match &ty {
                Ty::Record(id) => {
                    todo.extend(self.types.record(*id).members.iter().flatten().map(|m| m.ty.clone()));
                }
                Ty::Array(element, _) => todo.push((**element).clone()),
                _ => {
                    if let Some(record) = ty.target().filter(|r| !found.contains(r) && self.is_complete(*r)) {
                        found.push(record);
                        todo.push(Ty::Record(record));
                    } else if let Some(inner) = ty.pointee().filter(|t| t.pointee().is_some()) {
                        todo.push(inner.clone());
                    }
                }
            }
        }
        found.sort();
        found
    }
}
