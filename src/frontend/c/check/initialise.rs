//! Initialisers, as lists of assignments to parts of the object.
//!
//! A list is read as C11 6.7.9 says: each value goes to the next part; one without braces for a struct or array goes to
//! its first part, and the following ones to its other parts; a designator moves to the part it names, and what
//! follows continues after that part, inside of the same struct or array. A part that is initialised again has the
//! last of its values, and of a braced list all of it.

use super::super::ast::{self, Designator, Init};
use super::super::hir::{Expr, ExprKind, GlobalInit, Variable};
use super::super::types::Ty;
use super::convert::{constant, is_null, unmodelled};
use super::{Checker, Checking};
use crate::frontend::diagnostic::Span;
use crate::program::IntKind;

/// Longest array that is initialised from a string, and longest range of a designator.
const MAX_PARTS: u64 = 1 << 12;

/// A struct or array that is being filled.
struct Level {
    place: Expr,
    /// The part that the next value is for.
    next: usize,
    count: usize,
}

/// The parts of an object that have values so far, in order.
type Pairs = Vec<(Expr, Expr)>;

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
            } else if is_static_value(&value) {
                let message = match &value.exact().kind {
                    ExprKind::Str(_) => "a global that starts as a string is not modelled",
                    _ => "a global that starts as this address is not modelled",
                };
                out.push(GlobalInit { target, value: unmodelled(value, message) });
            } else {
                let _ = self.error::<()>("constant", value.span, "a global starts with a constant");
            }
        }
        out
    }

    /// `target = init`, part by part; parts that are not named are the caller's business.
    pub(super) fn initialise(&mut self, target: Expr, init: &Init, out: &mut Pairs) -> Checking<()> {
        match init {
            Init::Expr(value) => {
                let value = self.expression(value)?;
                self.initialise_with(target, value, out)
            }
            Init::List(entries, span) => match target.ty.clone() {
                Ty::Array(element, _) if is_braced_string(&element, entries) => {
                    self.initialise(target, &entries[0].1, out)
                }
                Ty::Record(_) | Ty::Array(..) => self.list(target, entries, *span, out),
                Ty::Unsupported(what) => self.unsupported(*span, format!("{what} is not modelled")),
                _ => match &entries[..] {
                    [(designators, value)] if designators.is_empty() => self.initialise(target, value, out),
                    _ => self.error("initialiser", *span, "one value is expected"),
                },
            },
        }
    }

    fn initialise_with(&mut self, target: Expr, value: Expr, out: &mut Pairs) -> Checking<()> {
        if let Ty::Array(element, length) = &target.ty {
            let (element, length) = ((**element).clone(), length.unwrap_or(0));
            return self.characters(target, &element, length, &value, out);
        }
        let value = self.convert(value, &target.ty, false)?;
        out.push((target, value));
        Ok(())
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

    /// Complains if a value of a list looks at the object that the list is for.
    pub(super) fn check_self(&mut self, pairs: &[(Expr, Expr)], variable: Variable, span: Span) {
        if pairs.iter().any(|(_, value)| reads(value, variable)) {
            let text = "C leaves open what an object holds while its initialiser list is computed";
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
        out: &mut Pairs,
    ) -> Checking<()> {
        let (ExprKind::Str(bytes), Ty::Int(kind @ IntKind { bits: 8, .. })) = (&value.kind, element) else {
            return self.error("initialiser", value.span, "an array starts with a list of values");
        };
        if length > MAX_PARTS {
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

    /// An array type without a length has the one of its initialiser. Where that is not known, the type is not.
    pub(super) fn complete_array(&mut self, ty: Ty, init: Option<&Init>) -> Ty {
        let (Ty::Array(element, None), Some(init)) = (&ty, init) else { return ty };
        let length = match init {
            // `char s[] = "abc"` has room for the zero at the end.
            Init::Expr(ast::Expr { kind: ast::ExprKind::Str(bytes), .. }) => Some(bytes.len() as u64 + 1),
            Init::List(entries, _) if is_braced_string(element, entries) => {
                return self.complete_array(ty, Some(&entries[0].1));
            }
            Init::List(entries, span) => {
                let (kept, literals) = (self.sink.len(), self.current.literals.len());
                let array = Ty::Array(element.clone(), Some(u64::from(u32::MAX)));
                let target = self.make(ExprKind::Null, array, *span);
                let mut pairs = Vec::new();
                let length = match self.list(target, entries, *span, &mut pairs) {
                    Ok(()) => Some(pairs.iter().map(|(place, _)| first_index(place) + 1).max().unwrap_or(0)),
                    Err(_) => None,
                };
                self.current.literals.truncate(literals);
                // What is wrong with the values is said when they are read again.
                if length.is_some() {
                    self.sink.truncate(kept);
                }
                length
            }
            Init::Expr(_) => return ty,
        };
        match length {
            Some(length) => Ty::Array(element.clone(), Some(length)),
            None => Ty::Unsupported("an array whose length its initialiser does not tell"),
        }
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

    fn level(&self, place: Expr, next: usize) -> Level {
        let count = self.n_parts(&place.ty);
        Level { place, next, count }
    }

    /// The values of one pair of braces.
    fn list(
        &mut self,
        target: Expr,
        entries: &[(Vec<Designator>, Init)],
        span: Span,
        out: &mut Pairs,
    ) -> Checking<()> {
        let designated = entries.iter().any(|(designators, _)| !designators.is_empty());
        let mut levels = vec![self.level(target, 0)];
        for (designators, init) in entries {
            let ways = self.ways(designators, span)?;
            if ways.len() > 1 && self.computes(init) {
                return self
                    .unsupported(span, "a range of parts with a value that has effects is not modelled");
            }
            for way in ways {
                if !way.is_empty() {
                    levels.truncate(1);
                    self.designate(&mut levels, &way, span)?;
                }
                self.entry(&mut levels, init, span, designated, out)?;
            }
        }
        Ok(())
    }

    /// Whether something happens when this is evaluated. Evaluating it twice would be wrong then.
    fn computes(&mut self, init: &Init) -> bool {
        match init {
            Init::List(entries, _) => entries.iter().any(|(_, init)| self.computes(init)),
            Init::Expr(value) => {
                let (kept, literals) = (self.sink.len(), self.current.literals.len());
                let checked = self.expression(value);
                self.sink.truncate(kept);
                self.current.literals.truncate(literals);
                !checked.is_ok_and(|e| constant(&e).is_some() || !e.has_effects())
            }
        }
    }

    /// Designators with every index of their ranges: several ways to go.
    fn ways<'a>(&mut self, designators: &'a [Designator], span: Span) -> Checking<Vec<Vec<Step<'a>>>> {
        let mut ways: Vec<Vec<Step<'a>>> = vec![Vec::new()];
        for designator in designators {
            let steps: Vec<Step<'a>> = match designator {
                Designator::Field(..) => vec![Step::Field(designator)],
                Designator::Index(index) => vec![Step::Index(self.designated_index(index)?, index.span)],
                Designator::Range(first, last) => {
                    let (low, high) = (self.designated_index(first)?, self.designated_index(last)?);
                    if high < low {
                        return self.error("initialiser", last.span, "this range is empty");
                    }
                    if u64::from(high - low) >= MAX_PARTS {
                        return self.unsupported(last.span, "so long a range of elements is not modelled");
                    }
                    (low..=high).map(|n| Step::Index(n, last.span)).collect()
                }
            };
            if (ways.len() * steps.len()) as u64 > MAX_PARTS {
                return self.unsupported(span, "so long a range of elements is not modelled");
            }
            ways = ways
                .into_iter()
                .flat_map(|way| {
                    steps.iter().map(move |step| {
                        let mut way = way.clone();
                        way.push(*step);
                        way
                    })
                })
                .collect();
        }
        Ok(ways)
    }

    fn designated_index(&mut self, index: &ast::Expr) -> Checking<u32> {
        match self.constant_expression(index).map(u32::try_from) {
            Some(Ok(n)) if n < u32::MAX => Ok(n),
            _ => self.error("initialiser", index.span, "this is no index of the array"),
        }
    }

    /// Moves to the part that designators name.
    fn designate(&mut self, levels: &mut Vec<Level>, way: &[Step<'_>], span: Span) -> Checking<()> {
        let mut moved = false;
        for step in way {
            let ty = levels.last().map_or(Ty::Void, |l| l.place.ty.clone());
            if moved {
                self.descend(levels, span)?;
            }
            let ty = if moved { levels.last().map_or(Ty::Void, |l| l.place.ty.clone()) } else { ty };
            let path = match (step, &ty) {
                (Step::Field(Designator::Field(name, field_span)), Ty::Record(id)) => {
                    self.find_member(*id, *name, *field_span)?
                }
                (Step::Index(n, _), Ty::Array(_, length)) if length.is_none_or(|l| u64::from(*n) < l) => {
                    vec![*n]
                }
                (Step::Index(_, index_span), Ty::Array(..)) => {
                    return self.error("initialiser", *index_span, "this is no index of the array");
                }
                _ => return self.error("initialiser", span, "this designator does not fit the type"),
            };
            for (i, index) in path.into_iter().enumerate() {
                if i > 0 {
                    self.descend(levels, span)?;
                }
                if let Some(top) = levels.last_mut() {
                    top.next = index as usize;
                    // Of a union one member is initialised: this one.
                    if matches!(top.place.ty, Ty::Record(id) if self.types.record(id).union) {
                        top.count = index as usize + 1;
                    }
                }
            }
            moved = true;
        }
        Ok(())
    }

    /// Into the part that would be next.
    fn descend(&mut self, levels: &mut Vec<Level>, span: Span) -> Checking<()> {
        let place = self.take(levels, span)?;
        let level = self.level(place, 0);
        levels.push(level);
        Ok(())
    }

    /// The part that is next, and the one after it will be.
    fn take(&mut self, levels: &mut Vec<Level>, span: Span) -> Checking<Expr> {
        loop {
            let Some(top) = levels.last_mut() else {
                return self.error("initialiser", span, "more values than members");
            };
            if let Ty::Record(id) = top.place.ty
                && self.types.member_at(id, top.next as u32).is_some_and(|m| m.ghost)
            {
                top.next += 1;
                continue;
            }
            if top.next < top.count {
                let (place, index) = (top.place.clone(), top.next);
                top.next += 1;
                return self.part(place, index as u32, span);
            }
            levels.pop();
        }
    }

    /// The next value of a list.
    fn entry(
        &mut self,
        levels: &mut Vec<Level>,
        init: &Init,
        span: Span,
        designated: bool,
        out: &mut Pairs,
    ) -> Checking<()> {
        let mut place = self.take(levels, span)?;
        let Init::Expr(value) = init else {
            if designated {
                self.forget(&place, span, out)?;
            }
            return self.initialise(place, init, out);
        };
        let value = self.expression(value)?;
        // Without braces of its own a struct or array takes this and the next values for its parts.
        while matches!(place.ty, Ty::Record(_) | Ty::Array(..)) && place.ty != value.ty {
            let text = matches!(value.kind, ExprKind::Str(_));
            if matches!(&place.ty, Ty::Array(element, _) if text && is_character(element)) {
                break;
            }
            let level = self.level(place, 0);
            if level.count == 0 {
                return self.error("initialiser", span, "this part has no members");
            }
            levels.push(level);
            place = self.take(levels, span)?;
        }
        if designated {
            self.forget(&place, span, out)?;
        }
        self.initialise_with(place, value, out)
    }

    /// Drops the values that a part has had so far, because it is initialised again.
    fn forget(&mut self, place: &Expr, span: Span, out: &mut Pairs) -> Checking<()> {
        let path = path(place);
        let around = |target: &Expr| {
            let other = self::path(target);
            other.len() < path.len() && path.starts_with(&other)
        };
        if out.iter().any(|(target, _)| around(target)) {
            return self
                .unsupported(span, "a part of a struct that is initialised by a copy is not modelled");
        }
        let inside = |target: &Expr| self::path(target).starts_with(&path);
        if out.iter().any(|(target, value)| inside(target) && value.has_effects()) {
            return self.unsupported(span, "C leaves open whether a value that is overridden is computed");
        }
        out.retain(|(target, _)| !inside(target));
        Ok(())
    }

    fn part(&mut self, target: Expr, index: u32, span: Span) -> Checking<Expr> {
        match target.ty.clone() {
            Ty::Record(_) => self.step_into(target, index, span),
            Ty::Array(element, _) => {
                let index = Expr { kind: ExprKind::Int(i128::from(index)), ty: Ty::Int(IntKind::INT), span };
                let ty = (*element).clone();
                let modelled = ty.is_scalar();
                let part = Expr { kind: ExprKind::Index(Box::new(target), Box::new(index)), ty, span };
                let message = "only arrays of integers or of pointers to structs are modelled";
                Ok(if modelled { part } else { unmodelled(part, message) })
            }
            _ => self.error("initialiser", span, "one value is expected"),
        }
    }
}

/// One step from a struct or array to a part.
#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a Designator),
    Index(u32, Span),
}

fn is_character(ty: &Ty) -> bool {
    matches!(ty, Ty::Int(IntKind { bits: 8, .. }))
}

/// `{"abc"}` for an array of characters is `"abc"`.
fn is_braced_string(element: &Ty, entries: &[(Vec<Designator>, Init)]) -> bool {
    let [(designators, Init::Expr(value))] = entries else { return false };
    is_character(element) && designators.is_empty() && matches!(value.kind, ast::ExprKind::Str(_))
}

/// The members and elements that lead from an object to a part of it.
pub(super) fn path(part: &Expr) -> Vec<i128> {
    let (mut path, mut at) = (Vec::new(), part);
    loop {
        at = at.exact();
        match &at.kind {
            ExprKind::Member(base, index) => {
                path.push(i128::from(*index));
                at = base;
            }
            ExprKind::Index(base, index) => {
                path.push(constant(index).unwrap_or(-1));
                at = base;
            }
            _ => break,
        }
    }
    path.reverse();
    path
}

/// The element of the outermost array that a part lies in.
fn first_index(part: &Expr) -> u64 {
    path(part).first().and_then(|n| u64::try_from(*n).ok()).unwrap_or(0)
}

/// Whether a value depends on what the variable holds; its address does not.
fn reads(value: &Expr, variable: Variable) -> bool {
    match &value.kind {
        ExprKind::Address(object) => {
            let mut base = object.exact();
            while let ExprKind::Member(inner, _) = &base.kind {
                base = inner.exact();
            }
            !matches!(base.kind, ExprKind::Var(_)) && value.mentions(variable)
        }
        ExprKind::Convert(inner) if matches!(inner.ty, Ty::Array(_, Some(_))) => match &inner.exact().kind {
            ExprKind::Var(_) => false,
            _ => inner.mentions(variable),
        },
        ExprKind::Convert(inner) | ExprKind::Unmodelled(inner, _) => reads(inner, variable),
        _ => value.mentions(variable),
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

/// A constant that an object can start with before `main` runs, besides numbers (C11 6.6 p9).
fn is_static_value(value: &Expr) -> bool {
    let object = |lvalue: &Expr| {
        let mut at = lvalue.exact();
        loop {
            match &at.kind {
                ExprKind::Var(Variable::Global(_)) | ExprKind::Str(_) => return true,
                ExprKind::Member(base, _) => at = base.exact(),
                ExprKind::Index(base, index) if constant(index).is_some() => at = base.exact(),
                _ => return false,
            }
        }
    };
    match &value.exact().kind {
        ExprKind::Str(_) | ExprKind::Function(_) | ExprKind::Float(_) | ExprKind::Null => true,
        ExprKind::Address(lvalue) => object(lvalue),
        ExprKind::Convert(inner) if matches!(inner.ty, Ty::Array(_, Some(_))) => object(inner),
        ExprKind::Convert(inner) | ExprKind::Neg(inner) => is_static_value(inner),
        ExprKind::Offset(pointer, index, _) => is_static_value(pointer) && constant(index).is_some(),
        ExprKind::Binary(_, a, b) if matches!(value.ty, Ty::Float(_)) => {
            is_static_value(a) && is_static_value(b)
        }
        _ => constant(value).is_some(),
    }
}
