//! Unions of numbers and pointers: a struct with all members and one more that says which was stored last.
//!
//! 0 says that all bytes are zero, which every member can be read of; n + 1 stands for member n. A number that is read
//! through another member than it was stored through is a guess; a pointer has no model then.

use super::super::hir::{Expr, ExprKind};
use super::super::objects::visit::Mapper;
use super::super::types::{MemberTy, RecordId, Ty};
use super::build::{Steps, assign, binary, compare, convert, guess, make, or, place};
use super::{PLACE, Plain, number};
use crate::frontend::diagnostic::Span;
use crate::program::Cmp;

impl Plain<'_> {
    /// Whether a union has such members only.
    pub(super) fn is_simple_union(&self, id: RecordId) -> bool {
        let record = self.old.record(id);
        let simple = |m: &MemberTy| {
            m.width.is_none() && !m.ghost && (number(&m.ty).is_some() || m.ty.pointee().is_some())
        };
        record.union && record.members.as_ref().is_some_and(|m| !m.is_empty() && m.iter().all(simple))
    }

    /// The members of the struct that stands for a union.
    pub(super) fn united_members(&mut self, mut members: Vec<MemberTy>) -> Vec<MemberTy> {
        for member in &mut members {
            member.ty = self.value_type(&member.ty.clone());
        }
        let ty = Ty::Int(PLACE);
        members.push(MemberTy { name: None, ty, width: None, ghost: false, span: Span::default() });
        members
    }

    /// The union around a member, as it is now.
    fn around(&mut self, e: &Expr) -> Option<(Expr, u32, u32)> {
        let ExprKind::Member(base, index) = &e.exact().kind else { return None };
        let Ty::Record(id) = base.ty else { return None };
        if !self.is_simple_union(id) || base.has_effects() {
            return None;
        }
        let tag = self.old.record(id).members.as_ref().map_or(0, Vec::len) as u32;
        let base = self.expression(base);
        (!base.has_effects()).then_some((base, *index, tag))
    }

    fn part(&self, base: &Expr, index: u32) -> Expr {
        let ty = match base.ty {
            Ty::Record(id) => self.types.member_at(id, index).map(|m| m.ty.clone()),
            _ => None,
        };
        make(ExprKind::Member(Box::new(base.clone()), index), ty.unwrap_or(Ty::INT), base.span)
    }

    fn read(&mut self, steps: &mut Steps, (base, index, tag): &(Expr, u32, u32)) -> Expr {
        let span = steps.span;
        let (member, tag) = (self.part(base, *index), self.part(base, *tag));
        let stored = compare(Cmp::Eq, tag.clone(), place(i128::from(*index) + 1, span));
        let known = or(stored, compare(Cmp::Eq, tag, place(0, span)));
        let ty = member.ty.clone();
        if ty.int().is_none() {
            steps.rely(known);
            return member;
        }
        let other = guess(Vec::new(), ty.clone(), span);
        make(ExprKind::Conditional(Box::new(known), Box::new(member), Box::new(other)), ty, span)
    }

    fn write(&mut self, steps: &mut Steps, (base, index, tag): &(Expr, u32, u32), value: Expr) -> Expr {
        let (member, tag) = (self.part(base, *index), self.part(base, *tag));
        let value = self.keep(steps, convert(value, &member.ty));
        steps.run(assign(tag, place(i128::from(*index) + 1, steps.span)));
        steps.run(assign(member, value.clone()));
        value
    }

    /// What an expression about a member of a union is.
    pub(super) fn united(&mut self, e: &Expr) -> Option<Expr> {
        if self.function == u32::MAX {
            return None;
        }
        let mut steps = Steps::new(e.span);
        match &e.kind {
            ExprKind::Member(..) => {
                let member = self.around(e)?;
                let value = self.read(&mut steps, &member);
                Some(steps.give(value))
            }
            ExprKind::Assign(target, value) => {
                let member = self.around(target)?;
                let value = self.expression(value);
                let value = self.write(&mut steps, &member, value);
                Some(steps.give(value))
            }
            ExprKind::Update { target, op, value, compute, old } if compute.int().is_some() => {
                let member = self.around(target)?;
                let before = self.read(&mut steps, &member);
                let before = self.keep(&mut steps, before);
                let operand = self.expression(value);
                let after = binary(*op, convert(before.clone(), compute), operand);
                let after = self.write(&mut steps, &member, after);
                Some(steps.give(if *old { before } else { after }))
            }
            _ => None,
        }
    }
}
