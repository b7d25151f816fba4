//! Initialisers, as lists of assignments to parts of the object.

use super::super::ast::{self, Designator, Init};
use super::super::hir::{Expr, ExprKind, GlobalInit, Variable};
use super::super::types::Ty;
use super::convert::{constant, is_null};
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;
use crate::program::IntKind;

/// Longest array that is initialised from a string.
const MAX_CHARACTERS: u64 = 1 << 12;

/// The entries of an initialiser list, and how far they are read.
struct List<'a> {
    entries: &'a [(Vec<Designator>, Init)],
    at: usize,
    span: Span,
}

impl Checker<'_> {
    /// The parts of a global that do not start as 0.
    pub(super) fn global_initialiser(
        &mut self,
        variable: Variable,
        span: Span,
        init: &Init,
    ) -> Vec<GlobalInit> {
        let target = self.variable(variable, span);
        let mut pairs = Vec::new();
        if self.initialise(target, init, &mut pairs).is_err() {
            return Vec::new();
        }
        let mut out = Vec::new();
        for (target, value) in pairs {
            let address = matches!(&value.kind, ExprKind::Address(inner) if is_static(inner));
            if is_null(&value) || constant(&value).is_some() || address {
                out.push(GlobalInit { target, value });
            } else {
                let _ = self.error::<()>("constant", value.span, "a global starts with a constant");
            }
        }
        out
    }

    /// `target = init`, part by part; parts that are not named are the caller's business.
    pub(super) fn initialise(
        &mut self,
        target: Expr,
        init: &Init,
        out: &mut Vec<(Expr, Expr)>,
    ) -> Checking<()> {
        match init {
            Init::Expr(value) => {
                let value = self.expression(value)?;
                if let Ty::Array(element, length) = &target.ty {
                    let (element, length) = ((**element).clone(), length.unwrap_or(0));
                    return self.characters(target, &element, length, &value, out);
                }
                let value = self.convert(value, &target.ty, false)?;
                out.push((target, value));
                Ok(())
            }
            Init::List(entries, span) => match target.ty.clone() {
                Ty::Record(_) | Ty::Array(..) => {
                    let count = self.n_parts(&target.ty);
                    let mut list = List { entries, at: 0, span: *span };
                    let mut next = 0;
                    while list.at < entries.len() {
                        self.entry(&target, &mut list, &mut next, count, out)?;
                    }
                    Ok(())
                }
                Ty::Unsupported(what) => self.unsupported(*span, format!("{what} is not modelled")),
                _ => match &entries[..] {
                    [(designators, value)] if designators.is_empty() => self.initialise(target, value, out),
                    _ => self.error("initialiser", *span, "one value is expected"),
                },
            },
        }
    }

    /// Complains if it matters in which order the values of a list are computed.
    pub(super) fn check_order(&mut self, pairs: &[(Expr, Expr)], span: Span) {
        let effects = pairs.iter().filter(|(_, value)| value.has_effects()).count();
        let fixed = |value: &Expr| constant(value).is_some();
        if effects > 1 || (effects == 1 && pairs.iter().any(|(_, v)| !v.has_effects() && !fixed(v))) {
            let text = "C leaves open in which order the values of an initialiser list are computed";
            let _ = self.unsupported::<()>(span, text);
        }
    }

    /// An array of characters that starts with a string; what follows the string is 0.
    fn characters(
        &mut self,
        target: Expr,
        element: &Ty,
        length: u64,
        value: &Expr,
        out: &mut Vec<(Expr, Expr)>,
    ) -> Checking<()> {
        let (ExprKind::Str(bytes), Ty::Int(kind @ IntKind { bits: 8, .. })) = (&value.kind, element) else {
            return self.error("initialiser", value.span, "an array starts with a list of values");
        };
        if length > MAX_CHARACTERS {
            return self.unsupported(value.span, "so long an array of characters is not modelled");
        }
        if (bytes.len() as u64) > length {
            return self.error("initialiser", value.span, "the string is longer than the array");
        }
        for index in 0..length {
            let byte = bytes.get(index as usize).copied().unwrap_or(0);
            let place = self.part(target.clone(), index as u32, value.span)?;
            let number = ExprKind::Int(kind.wrap(i128::from(byte)));
            out.push((place, self.make(number, element.clone(), value.span)));
        }
        Ok(())
    }

    /// Members or elements that a list without designators fills.
    fn n_parts(&self, ty: &Ty) -> usize {
        match ty {
            Ty::Record(id) if self.types.record(*id).union => 1,
            Ty::Record(id) => self.types.record(*id).members.as_ref().map_or(0, Vec::len),
            Ty::Array(_, length) => usize::try_from(length.unwrap_or(0)).unwrap_or(0),
            _ => 0,
        }
    }

    /// The next entry of a list, or the next ones if they fill a part without braces of its own.
    fn entry(
        &mut self,
        target: &Expr,
        list: &mut List<'_>,
        next: &mut usize,
        count: usize,
        out: &mut Vec<(Expr, Expr)>,
    ) -> Checking<()> {
        let (span, designators) = (list.span, &list.entries[list.at].0);
        let mut place = match designators.first() {
            None => {
                if *next >= count {
                    return self.error("initialiser", span, "more values than members");
                }
                let place = self.part(target.clone(), *next as u32, span)?;
                *next += 1;
                place
            }
            Some(first) => {
                let place = self.designated(target.clone(), first, span)?;
                *next = match (&place.kind, first) {
                    (ExprKind::Index(_, index), _) => constant(index).map_or(count, |n| n as usize + 1),
                    (ExprKind::Member(_, index), _) => *index as usize + 1,
                    _ => count,
                };
                place
            }
        };
        for designator in designators.iter().skip(1) {
            place = self.designated(place, designator, span)?;
        }
        self.fill(place, list, out)
    }

    /// A part from the entry at which the list stands, whose designators have led here.
    fn fill(&mut self, place: Expr, list: &mut List<'_>, out: &mut Vec<(Expr, Expr)>) -> Checking<()> {
        let (_, value) = &list.entries[list.at];
        if !self.lacks_braces(&place.ty, value) {
            list.at += 1;
            return self.initialise(place, value, out);
        }
        // What follows without a designator fills the members one after the other (C11 6.7.9, 20).
        for index in 0..self.n_parts(&place.ty) {
            if index > 0 && list.entries.get(list.at).is_none_or(|(designators, _)| !designators.is_empty()) {
                break;
            }
            let part = self.part(place.clone(), index as u32, list.span)?;
            self.fill(part, list, out)?;
        }
        Ok(())
    }

    /// Whether a value for a struct or array is that of its first member.
    fn lacks_braces(&mut self, ty: &Ty, value: &Init) -> bool {
        let (Ty::Record(_) | Ty::Array(..), Init::Expr(value)) = (ty, value) else { return false };
        if let (Ty::Array(element, _), ast::ExprKind::Str(_)) = (ty, &value.kind) {
            return !matches!(**element, Ty::Int(IntKind { bits: 8, .. }));
        }
        let (kept, literals) = (self.sink.len(), self.current.literals.len());
        let checked = self.expression(value);
        self.sink.truncate(kept);
        self.current.literals.truncate(literals);
        // What is wrong with it is said when it is read again.
        checked.is_ok_and(|e| e.ty != *ty) && self.n_parts(ty) > 0
    }

    fn part(&mut self, target: Expr, index: u32, span: Span) -> Checking<Expr> {
        match target.ty.clone() {
            Ty::Record(_) => self.step_into(target, index, span),
            Ty::Array(element, _) => {
                let index = Expr { kind: ExprKind::Int(i128::from(index)), ty: Ty::Int(IntKind::INT), span };
                let ty = (*element).clone();
                if !ty.is_scalar() {
                    return self
                        .unsupported(span, "only arrays of integers or of pointers to structs are modelled");
                }
                Ok(Expr { kind: ExprKind::Index(Box::new(target), Box::new(index)), ty, span })
            }
            _ => self.error("initialiser", span, "one value is expected"),
        }
    }

    fn designated(&mut self, target: Expr, designator: &Designator, span: Span) -> Checking<Expr> {
        match (designator, target.ty.clone()) {
            (Designator::Field(name, field_span), Ty::Record(id)) => {
                let path = self.find_member(id, *name, *field_span)?;
                let mut place = target;
                for index in path {
                    place = self.step_into(place, index, *field_span)?;
                }
                Ok(place)
            }
            (Designator::Index(index), Ty::Array(_, length)) => match self.constant_expression(index) {
                Some(n)
                    if n >= 0 && length.is_none_or(|l| n < i128::from(l)) && n <= i128::from(u32::MAX) =>
                {
                    self.part(target, n as u32, span)
                }
                _ => self.error("initialiser", index.span, "this is no index of the array"),
            },
            _ => self.error("initialiser", span, "this designator does not fit the type"),
        }
    }
}

/// An object that exists before `main` runs.
fn is_static(lvalue: &Expr) -> bool {
    match &lvalue.kind {
        ExprKind::Var(Variable::Global(_)) => true,
        ExprKind::Member(base, _) => is_static(base),
        _ => false,
    }
}
