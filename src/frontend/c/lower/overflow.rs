//! Signed arithmetic that has no value (check word `overflow`): assertions before it, only where they are asked for.
//!
//! C11 6.5: the result of `+ - *`, of unary minus and of a division lies in its type; 6.5.7: a shift goes by 0 up to,
//! not including, the width, and a signed number that is shifted to the left is not negative, nor is what it
//! becomes too large. Conversions have a value always (the compilers') and are no overflow.
//!
//! Engines compute with numbers that have no range. As long as nothing overflows every variable holds a value of its
//! type, so this is told them where it helps: before arithmetic and before comparisons of variables.

use super::super::types::Ty;
use super::Lowerer;
use crate::frontend::diagnostic::Span;
use crate::program::{
    At, BinOp, Check, Cmp, Command, Cond, Expr as Pure, Formula, IntKind, Term, Type, VarId,
};

impl Lowerer<'_> {
    fn checks_overflow(&self) -> bool {
        self.unit.options.asks(Check::Overflow)
    }

    /// What must hold before `a op b` is computed in this kind; the operands as they are to be used.
    pub(super) fn before_arithmetic(
        &mut self,
        op: BinOp,
        a: Pure,
        b: Pure,
        ty: &Ty,
        span: Span,
    ) -> (Pure, Pure) {
        let Some(kind) = ty.int().filter(|k| k.signed && self.checks_overflow()) else { return (a, b) };
        if matches!(op, BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Shr) {
            return (a, b);
        }
        let result = self.interval(&Pure::Binary(op, Box::new(a.clone()), Box::new(b.clone())));
        let within = result.is_some_and(|(low, high)| kind.min() <= low && high <= kind.max());
        let negative = op == BinOp::Shl && self.interval(&a).is_none_or(|(low, _)| low < 0);
        if within && !negative {
            return (a, b);
        }
        self.tell_ranges(&[&a, &b], span);
        let (a, x) = self.as_term(a, kind, span);
        let (b, y) = self.as_term(b, kind, span);
        let (formula, what) = match op {
            BinOp::Div | BinOp::Rem => {
                let least = Formula::ne(x, Term::Int(kind.min()));
                let formula = match &b {
                    Pure::Int(-1) => least,
                    _ => Formula::Or(vec![least, Formula::ne(y, Term::Int(-1))]),
                };
                (formula, format!("signed overflow of `{}`", if op == BinOp::Div { "/" } else { "%" }))
            }
            BinOp::Shl => {
                let positive = Formula::Compare(Cmp::Ge, x.clone(), Term::Int(0));
                let fits = match &b {
                    Pure::Int(n) if (0..i128::from(kind.bits)).contains(n) => {
                        Formula::Compare(Cmp::Le, x, Term::Int(kind.max() >> n))
                    }
                    _ => {
                        let shifted = Term::Binary(op, Box::new(x), Box::new(y));
                        Formula::Compare(Cmp::Le, shifted, Term::Int(kind.max()))
                    }
                };
                (Formula::And(vec![positive, fits]), "left shift beyond the type".to_owned())
            }
            _ => {
                let sign = match op {
                    BinOp::Add => "+",
                    BinOp::Sub => "-",
                    _ => "*",
                };
                let value = Term::Binary(op, Box::new(x), Box::new(y));
                let mut parts = Vec::new();
                if result.is_none_or(|(low, _)| low < kind.min()) {
                    parts.push(Formula::Compare(Cmp::Ge, value.clone(), Term::Int(kind.min())));
                }
                if result.is_none_or(|(_, high)| high > kind.max()) {
                    parts.push(Formula::Compare(Cmp::Le, value, Term::Int(kind.max())));
                }
                (Formula::And(parts), format!("signed overflow of `{sign}`"))
            }
        };
        self.emit(Command::Assert { formula, check: Check::Overflow, what }, span);
        (a, b)
    }

    /// What must hold before `-a` is computed; the operand as it is to be used.
    pub(super) fn before_negation(&mut self, a: Pure, ty: &Ty, span: Span) -> Pure {
        let Some(kind) = ty.int().filter(|k| k.signed && self.checks_overflow()) else { return a };
        if self.interval(&a).is_some_and(|(low, _)| low > kind.min()) {
            return a;
        }
        self.tell_ranges(&[&a], span);
        let (a, x) = self.as_term(a, kind, span);
        let formula = Formula::Compare(Cmp::Gt, x, Term::Int(kind.min()));
        self.emit(
            Command::Assert {
                formula,
                check: Check::Overflow,
                what: "signed overflow of unary `-`".to_owned(),
            },
            span,
        );
        a
    }

    /// The class of a shift by a wrong amount, and whether it counts.
    pub(super) fn shift_check(&self) -> (Check, bool) {
        let overflow = self.checks_overflow();
        let class = if overflow { Check::Overflow } else { Check::Asserts };
        (class, overflow || self.unit.options.counts_assert())
    }

    /// Tells that the variables of two numbers that are compared have values of their types.
    pub(super) fn before_comparison(&mut self, a: &Pure, b: &Pure, span: Span) {
        let constant = |e: &Pure| matches!(e, Pure::Int(_));
        if self.checks_overflow() && !constant(a) && !constant(b) {
            self.tell_ranges(&[a, b], span);
        }
    }

    fn tell_ranges(&mut self, exprs: &[&Pure], span: Span) {
        let mut vars = Vec::new();
        exprs.iter().for_each(|e| variables(e, &mut vars));
        let mut known = Vec::new();
        for var in vars {
            if let Type::Int(kind) = self.program.vars[var.index()].ty {
                known.push(Cond::Compare(Cmp::Ge, Pure::Var(var), Pure::Int(kind.min())));
                known.push(Cond::Compare(Cmp::Le, Pure::Var(var), Pure::Int(kind.max())));
            }
        }
        if !known.is_empty() {
            self.emit(Command::Assume(Cond::And(known)), span);
        }
    }

    /// The expression as a term; what terms do not have goes into a variable first.
    fn as_term(&mut self, expr: Pure, kind: IntKind, span: Span) -> (Pure, Term) {
        if let Some(term) = term(&expr) {
            return (expr, term);
        }
        let var = self.in_var(expr, Type::Int(kind), span);
        (Pure::Var(var), Term::Var(var, At::Now))
    }

    /// Bounds of the value, from the types of the variables.
    fn interval(&self, expr: &Pure) -> Option<(i128, i128)> {
        match expr {
            Pure::Var(v) => match self.program.vars[v.index()].ty {
                Type::Int(kind) => Some((kind.min(), kind.max())),
                _ => None,
            },
            Pure::Null(_) => None,
            Pure::Int(n) => Some((*n, *n)),
            Pure::Neg(e) => self.interval(e).map(|(low, high)| (-high, -low)),
            Pure::BitNot(e) => self.interval(e).map(|(low, high)| (!high, !low)),
            Pure::Wrap(kind, e) => {
                let (least, most) = (IntKind::min(*kind), IntKind::max(*kind));
                let inner = self.interval(e).filter(|(low, high)| least <= *low && *high <= most);
                inner.or(Some((least, most)))
            }
            Pure::Binary(op, a, b) => {
                let ((a, b), (c, d)) = (self.interval(a)?, self.interval(b)?);
                let hull = |ends: [Option<i128>; 4]| {
                    let mut values = Vec::new();
                    for end in ends {
                        values.push(end?);
                    }
                    Some((*values.iter().min()?, *values.iter().max()?))
                };
                match op {
                    BinOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
                    BinOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
                    BinOp::Mul => {
                        hull([a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)])
                    }
                    // By a positive number nothing becomes larger; by another one the sign may change.
                    BinOp::Div if c > 0 => Some((a.min(0), b.max(0))),
                    BinOp::Rem if c > 0 => Some((a.max(1 - d).min(0), b.min(d - 1).max(0))),
                    // Whether a rest has a value depends on the quotient.
                    BinOp::Div | BinOp::Rem => Some((a.min(-b), b.max(-a))),
                    BinOp::BitAnd if a >= 0 && c >= 0 => Some((0, b.min(d))),
                    BinOp::BitAnd if c >= 0 => Some((0, d)),
                    BinOp::BitAnd if a >= 0 => Some((0, b)),
                    BinOp::Shr if a >= 0 => Some((0, b)),
                    BinOp::Shr => Some((a, b.max(0))),
                    BinOp::Shl if (0..64).contains(&c) && d < 64 => {
                        let times = |n: i128, by: i128| n.checked_mul(1i128 << by);
                        hull([times(a, c), times(a, d), times(b, c), times(b, d)])
                    }
                    _ => None,
                }
            }
        }
    }
}

fn variables(expr: &Pure, out: &mut Vec<VarId>) {
    match expr {
        Pure::Var(v) if !out.contains(v) => out.push(*v),
        Pure::Var(_) | Pure::Null(_) | Pure::Int(_) => {}
        Pure::Neg(e) | Pure::BitNot(e) | Pure::Wrap(_, e) => variables(e, out),
        Pure::Binary(_, a, b) => {
            variables(a, out);
            variables(b, out);
        }
    }
}

fn term(expr: &Pure) -> Option<Term> {
    Some(match expr {
        Pure::Var(v) => Term::Var(*v, At::Now),
        Pure::Int(n) => Term::Int(*n),
        Pure::Neg(e) => Term::Neg(Box::new(term(e)?)),
        Pure::Binary(op, a, b) => Term::Binary(*op, Box::new(term(a)?), Box::new(term(b)?)),
        Pure::Null(_) | Pure::BitNot(_) | Pure::Wrap(..) => return None,
    })
}
