//! Pointers to scalars in formulas: `*p`, `\valid(p)`, `p == NULL`.
//!
//! In a function that is verified by itself such a parameter may lead to a variable of the caller's or to any field of
//! that type, so it is a fat pointer; null is the tag 0. The precondition says that the component which the tag
//! names is the only one that is not null.

use super::super::hir::{DEREF, Function, PART, Ref, decode};
use super::super::types::Ty;
use super::formula::Mapper;
use super::place::Place;
use super::{Binding, Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{At, Clause, FieldId, Formula, Target, Term, Type};

/// A pointer that is no variable of the program.
enum Side {
    /// The address of this object.
    Object(Place),
    /// A fat pointer's variables, at this moment.
    Fat(Vec<crate::program::VarId>, At),
    /// The address of a field of the cell.
    Field(Term, FieldId, Ty),
}

/// The scalar that a parameter of a function verified by itself may lead to. Characters are texts.
pub(super) fn exposed(ty: &Ty) -> Option<&Ty> {
    match ty.pointee()? {
        Ty::Int(kind) if kind.bits > 8 => ty.pointee(),
        Ty::Pointer(inner) if matches!(**inner, Ty::Record(_)) => ty.pointee(),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// The precondition says what a fat pointer from outside is.
    pub(super) fn require_fat(&mut self, function: &Function, span: Span) {
        let mut formulas = Vec::new();
        for index in 0..function.parameters.len() {
            let Some(Some(Binding::Fat(vars, _))) = self.frame().locals.get(index).cloned() else { continue };
            let tag = || Term::Var(vars[0], At::Now);
            let count = vars.len() as i128 - 1;
            let known = (0..=count).map(|i| Formula::eq(tag(), Term::Int(i)));
            formulas.push(Formula::Or(known.collect()));
            for (i, var) in (1..).zip(&vars[1..]) {
                let Type::Ptr(of) = self.program.vars[var.index()].ty else { continue };
                let here = Formula::eq(tag(), Term::Int(i));
                let leads = Formula::ne(Term::Var(*var, At::Now), Term::Null(of));
                formulas.push(Formula::Iff(Box::new(here), Box::new(leads)));
            }
        }
        for formula in formulas {
            for contract in &mut self.program.contracts {
                contract.requires.push(Clause { formula: formula.clone(), span });
            }
        }
    }

    /// A variable or an element that such a pointer may lead to must not be one that the program names otherwise.
    pub(super) fn check_exposed(&mut self, function: &Function, span: Span) {
        let named = |ty: &Ty| match ty {
            Ty::Array(element, _) => self.exposed.contains(element),
            ty => self.exposed.contains(ty),
        };
        let globals = self.global_order.iter().map(|g| &self.unit.checked.globals[*g as usize]);
        let arrays = function.parameters.iter().filter(|ty| matches!(ty, Ty::Array(..)));
        if globals.map(|g| &g.ty).chain(arrays).any(named) {
            let text =
                "a parameter may lead to a global variable or an array of its type, which is not modelled";
            let _ = self.unsupported::<()>(span, text);
        }
    }
}

impl Mapper<'_, '_> {
    /// `*p` of a pointer to a scalar.
    pub(super) fn deref(&mut self, field: FieldId, at: At, base: &Term) -> Lowering<Term> {
        let moment = self.at(at);
        if let Term::Var(var, base_at) = base
            && let Ref::Local(_) | Ref::Global(_) = decode(*var)
            && self.mapping.arguments.is_none()
        {
            match self.variable(*var)? {
                Binding::Alias(place) => return self.place_term(&place, moment),
                Binding::Fat(vars, target) => {
                    let base_at = self.at(*base_at);
                    let alternatives = self.lowerer.alternatives(&target, self.span)?;
                    let access = |i: usize| {
                        let base = Box::new(Term::Var(vars[i + 1], base_at));
                        Term::Field(alternatives[i].field, moment, base)
                    };
                    let mut term = access(0);
                    for i in 1..alternatives.len() {
                        let test = Formula::eq(Term::Var(vars[0], base_at), Term::Int(i as i128 + 1));
                        term = Term::Ite(Box::new(test), Box::new(access(i)), Box::new(term));
                    }
                    return Ok(term);
                }
                _ => {}
            }
        }
        let ty = self.lowerer.unit.checked.boxed[(field.0 - DEREF) as usize].clone();
        if self.lowerer.alternatives(&ty, self.span)?.len() > 1 {
            return self.unsupported(
                "a pointer that may lead into cells is modelled in formulas only as a variable",
            );
        }
        let (_, field) = self.lowerer.box_of(&ty, self.span)?;
        let base = self.term(base)?;
        Ok(Term::Field(field, moment, Box::new(base)))
    }

    /// The parameter of a copy may stand for the object that its argument is the address of.
    pub(super) fn valid(&mut self, term: &Term, at: At) -> Lowering<Formula> {
        let Some(side) = self.side(term)? else {
            return Ok(Formula::Valid(self.term(term)?, self.at(at)));
        };
        let moment = self.at(at);
        match side {
            Side::Object(Place::Var(_)) => Ok(Formula::Const(true)),
            Side::Object(Place::Cell(cell, _)) => Ok(Formula::Valid(Term::Var(cell, At::Now), moment)),
            Side::Fat(vars, when) => {
                let (tag, rest) = (Term::Var(vars[0], when), &vars[1..]);
                let leads = (1..).zip(rest).map(|(i, var)| {
                    let here = Formula::eq(tag.clone(), Term::Int(i));
                    Formula::And(vec![here, Formula::Valid(Term::Var(*var, when), moment)])
                });
                Ok(Formula::Or(leads.collect()))
            }
            _ => self.unsupported("this object is not modelled in formulas"),
        }
    }

    /// `p == q` where one of them is no single variable of the program; the other one may be null.
    pub(super) fn same_address(&mut self, a: &Term, b: &Term) -> Lowering<Option<Formula>> {
        let (side_a, side_b) = (self.side(a)?, self.side(b)?);
        let null = |term: &Term| matches!(term, Term::Null(_));
        Ok(Some(match (side_a, side_b) {
            (None, None) => return Ok(None),
            (Some(Side::Fat(vars, at)), None) if null(b) => Formula::eq(Term::Var(vars[0], at), Term::Int(0)),
            (None, Some(Side::Fat(vars, at))) if null(a) => Formula::eq(Term::Var(vars[0], at), Term::Int(0)),
            (Some(Side::Fat(xs, at_x)), Some(Side::Fat(ys, at_y))) if xs.len() == ys.len() => {
                let both = xs.iter().zip(&ys);
                Formula::all(both.map(|(x, y)| Formula::eq(Term::Var(*x, at_x), Term::Var(*y, at_y))))
            }
            (Some(Side::Fat(vars, at)), Some(Side::Field(cell, field, ty)))
            | (Some(Side::Field(cell, field, ty)), Some(Side::Fat(vars, at))) => {
                let alternatives = self.lowerer.alternatives(&ty, self.span)?;
                let leads = (1..).zip(&alternatives).find(|(_, there)| there.field == field);
                let Some((i, _)) = leads else { return Ok(Some(Formula::Const(false))) };
                let here = Formula::eq(Term::Var(vars[0], at), Term::Int(i));
                Formula::all([here, Formula::eq(Term::Var(vars[i as usize], at), cell)])
            }
            (Some(Side::Field(x, f, _)), Some(Side::Field(y, g, _))) => {
                if f == g {
                    Formula::eq(x, y)
                } else {
                    Formula::Const(false)
                }
            }
            (Some(Side::Object(Place::Var(_))), Some(Side::Field(..)))
            | (Some(Side::Field(..)), Some(Side::Object(Place::Var(_)))) => Formula::Const(false),
            (Some(Side::Object(Place::Cell(x, f))), Some(Side::Field(y, g, _)))
            | (Some(Side::Field(y, g, _)), Some(Side::Object(Place::Cell(x, f)))) => {
                if f == g {
                    Formula::eq(Term::Var(x, At::Now), y)
                } else {
                    Formula::Const(false)
                }
            }
            (Some(Side::Object(Place::Var(x))), Some(Side::Object(Place::Var(y)))) => Formula::Const(x == y),
            (Some(Side::Object(_)), None) if null(b) => Formula::Const(false),
            (None, Some(Side::Object(_))) if null(a) => Formula::Const(false),
            _ => return self.unsupported("a comparison of these addresses is not modelled in formulas"),
        }))
    }

    fn side(&mut self, term: &Term) -> Lowering<Option<Side>> {
        if let Term::Field(field, at, base) = term
            && field.0 >= PART
        {
            let (record, path) = self.lowerer.unit.checked.parts[(field.0 - PART) as usize].clone();
            let Some(id) = self.lowerer.unit.types.field(record, &path) else { return Ok(None) };
            let ty = self.lowerer.unit.types.fields[id.index()].ty.clone();
            let (at, base) = (self.at(*at), self.term(base)?);
            let found = self.lowerer.field_term((record, &path), at, base, self.span)?;
            let Term::Field(field, _, cell) = found else { return Ok(None) };
            return Ok(Some(Side::Field(*cell, field, ty)));
        }
        if let Term::Var(var, at) = term
            && let Ref::Local(_) | Ref::Global(_) = decode(*var)
            && self.mapping.arguments.is_none()
        {
            return Ok(match self.variable(*var)? {
                Binding::Alias(place) => Some(Side::Object(place)),
                Binding::Fat(vars, _) => Some(Side::Fat(vars, self.at(*at))),
                _ => None,
            });
        }
        Ok(None)
    }

    /// The locations that `*p` may be.
    pub(super) fn behind(&mut self, base: &Term) -> Lowering<Option<Vec<Target>>> {
        let Term::Var(var, _) = base else { return Ok(None) };
        let (Some(Side::Fat(vars, at)), Binding::Fat(_, target)) = (self.side(base)?, self.variable(*var)?)
        else {
            return Ok(None);
        };
        let alternatives = self.lowerer.alternatives(&target, self.span)?;
        let each = vars[1..].iter().zip(alternatives);
        Ok(Some(each.map(|(var, there)| Target::Field(Term::Var(*var, at), there.field)).collect()))
    }

    fn place_term(&mut self, place: &Place, at: At) -> Lowering<Term> {
        match place {
            Place::Var(var) => Ok(Term::Var(*var, at)),
            Place::Cell(var, field) => Ok(Term::Field(*field, at, Box::new(Term::Var(*var, At::Now)))),
            _ => self.unsupported("this object is not modelled in formulas"),
        }
    }
}
