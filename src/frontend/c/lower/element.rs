//! Elements of arrays that stand as structs (module `plain`): one place of several, found out by an index.

use super::super::hir::Expr;
use super::super::types::{Made, Ty};
use super::expression::Value;
use super::layout::Repr;
use super::place::Place;
use super::{Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{
    At, Check, Cmp, Command, Cond, Expr as Pure, Formula, IntKind, Storage, Term, Type, VarKind,
};

const INDEX: IntKind = IntKind { bits: 64, signed: true };

/// Places of one access, at most.
const MAX_CASES: usize = 4096;

impl Lowerer<'_> {
    /// An element of a struct that stands for an array.
    pub(super) fn element(&mut self, array: &Expr, index: &Expr, expr: &Expr) -> Lowering<Place> {
        let span = expr.span;
        let Ty::Record(record) = array.ty else {
            return self.unsupported(span, "this array is not modelled");
        };
        if self.unit.types.record(record).made != Made::Elements {
            return self.unsupported(span, "this array is not modelled");
        }
        let count = self.unit.types.record(record).members.as_ref().map_or(0, Vec::len) as u32;
        let base = self.place(array)?;
        let value = self.int(index)?;
        let at = self.temp(Type::Int(INDEX), span);
        self.emit(Command::Assign(at, value), span);
        let (low, high) = (Term::Int(0), Term::Int(i128::from(count)));
        let formula = Formula::And(vec![
            Formula::Compare(Cmp::Ge, Term::Var(at, At::Now), low),
            Formula::Compare(Cmp::Lt, Term::Var(at, At::Now), high),
        ]);
        let what = "access beyond the array".to_owned();
        self.emit(Command::Assert { formula, check: Check::Memsafety, what }, span);
        let mut cases = Vec::new();
        for element in 0..count {
            let is = Cond::eq(Pure::Var(at), Pure::Int(i128::from(element)));
            match self.member_of(base.clone(), element, &expr.ty, span)? {
                Place::OneOf(inner) => {
                    cases.extend(inner.into_iter().map(|(c, p)| (Cond::And(vec![is.clone(), c]), p)));
                }
                place => cases.push((is, place)),
            }
        }
        if cases.len() > MAX_CASES {
            return self.unsupported(span, "an access to one of so many elements is not modelled");
        }
        Ok(Place::OneOf(cases))
    }

    /// Does something for the place that is meant.
    fn each_case(
        &mut self,
        cases: Vec<(Cond, Place)>,
        span: Span,
        mut access: impl FnMut(&mut Self, Place) -> Lowering<()>,
    ) -> Lowering<()> {
        let (start, end) = (self.here, self.program.add_location());
        for (condition, place) in cases {
            self.here = start;
            self.emit(Command::Assume(condition), span);
            access(self, place)?;
            self.emit_to(end, Command::Skip, span);
        }
        self.here = end;
        Ok(())
    }

    /// The value of the place that is meant.
    pub(super) fn read_case(&mut self, cases: Vec<(Cond, Place)>, ty: &Ty, span: Span) -> Lowering<Value> {
        let to = match self.repr(ty, span)? {
            Repr::Scalar(ty) => Place::Var(self.temp(ty, span)),
            Repr::Fat(target) => Place::Fat(self.fat_vars("#", &target, VarKind::Temp, span)?, target),
            Repr::Struct(record) => {
                let of = self.struct_id(record, span)?;
                let var = self.temp(Type::Ptr(of), span);
                let storage = Storage::Automatic;
                self.emit(Command::Alloc { to: var, of, storage, zeroed: false }, span);
                self.begin_parts(var, storage, false, span);
                Place::Struct(var, record, Vec::new())
            }
        };
        let target = to.clone();
        self.each_case(cases, span, |lowerer, place| {
            let value = lowerer.read(place, ty, None, span)?;
            lowerer.write(&target, value, ty, span)
        })?;
        self.read(to, ty, None, span)
    }

    /// Assigns the place that is meant.
    pub(super) fn write_case(
        &mut self,
        cases: Vec<(Cond, Place)>,
        value: Value,
        ty: &Ty,
        span: Span,
    ) -> Lowering<()> {
        // A new cell is made once.
        let value = match value {
            fresh @ Value::Fresh { .. } => self.allocate(fresh, ty, None, span)?,
            value => value,
        };
        self.each_case(cases, span, |lowerer, place| lowerer.write(&place, value.clone(), ty, span))
    }

    /// The address of the place that is meant.
    pub(super) fn case_address(&mut self, cases: Vec<(Cond, Place)>, ty: &Ty, span: Span) -> Lowering<Value> {
        let to = match self.repr(ty, span)? {
            Repr::Scalar(ty) => Place::Var(self.temp(ty, span)),
            Repr::Fat(target) => Place::Fat(self.fat_vars("#", &target, VarKind::Temp, span)?, target),
            Repr::Struct(_) => return self.unsupported(span, "this address is not modelled"),
        };
        let target = to.clone();
        self.each_case(cases, span, |lowerer, place| {
            let value = lowerer.address(place, ty, span)?;
            lowerer.write(&target, value, ty, span)
        })?;
        self.read(to, ty, None, span)
    }
}
