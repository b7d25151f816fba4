//! `memset`, `memcpy` and `memmove`: of one whole object, or inside blocks.

use super::super::check::convert::constant;
use super::super::hir::{Expr, ExprKind};
use super::super::objects::visit::Mapper;
use super::super::types::{Made, Ty};
use super::block::Block;
use super::build::{Steps, and, assign, behind, binary, compare, convert, int, make, null, place, within};
use super::value::without_void;
use super::{PLACE, Plain};
use crate::program::{BinOp, Cmp};

impl Plain<'_> {
    /// `memset`, `memcpy`, `memmove`
    pub(super) fn memory(
        &mut self,
        name: &str,
        arguments: &[Expr],
        e: &Expr,
        mut steps: Steps,
    ) -> Option<Expr> {
        if let Some(block) = self.array_argument(&mut steps, &arguments[0]) {
            return self.memory_block(name, block, arguments, e, steps);
        }
        let target = self.expression(without_void(&arguments[0]));
        if self.block_behind(&target.ty).is_some() {
            let block = self.open(&mut steps, target)?;
            return self.memory_block(name, block, arguments, e, steps);
        }
        let object = match target.kind {
            ExprKind::Unmodelled(..) => return None,
            ExprKind::Address(object) => *object,
            _ if target.has_effects() => return None,
            _ => {
                let id = target.ty.target()?;
                behind(target, id)
            }
        };
        // What a `void *` leads to has no size.
        let whole = without_void(&arguments[0]).ty.pointee().and_then(|ty| self.old.layout(ty));
        let (size, _) = whole.filter(|_| !self.old.is_opaque(&without_void(&arguments[0]).ty))?;
        if object.has_effects() || constant(&arguments[2]) != Some(i128::from(size)) {
            return None;
        }
        let pointer = super::build::address(object.clone());
        if name == "memset" {
            if constant(&arguments[1]) != Some(0) {
                return None;
            }
            self.clear(&mut steps, object)?;
        } else {
            let source = self.expression(without_void(&arguments[1]));
            if source.has_effects() || source.ty.target() != pointer.ty.target() {
                return None;
            }
            let from = behind(source.clone(), source.ty.target()?);
            steps.run(assign(object.clone(), from));
            if let Some(ty) = without_void(&arguments[0]).ty.pointee() {
                self.restore_lengths(&mut steps, ty, object);
            }
        }
        Some(steps.give(convert(pointer, &Ty::Void.pointer())))
    }

    fn memory_block(
        &mut self,
        name: &str,
        to: Block,
        arguments: &[Expr],
        e: &Expr,
        mut steps: Steps,
    ) -> Option<Expr> {
        let span = e.span;
        let source = match name {
            "memset" => {
                let value = self.expression(&arguments[1]);
                steps.run(value);
                None
            }
            _ => match &without_void(&arguments[1]).exact().kind {
                ExprKind::Str(_) => return None,
                _ => Some(self.block_argument(&mut steps, &arguments[1])?),
            },
        };
        let size = convert(self.expression(&arguments[2]), &Ty::Int(PLACE));
        let size = self.keep(&mut steps, size);
        let bytes = |block: &Block| binary(BinOp::Mul, block.length(), place(block.size(), span));
        steps.bounds(within(&size, place(0, span), binary(BinOp::Add, bytes(&to), place(1, span))));
        if let Some(from) = &source {
            steps.bounds(compare(Cmp::Le, size.clone(), bytes(from)));
        }
        to.writable(&mut steps);
        if to.kind.bits == 8 {
            let mut some = Steps::new(span);
            match (&source, constant(&arguments[1])) {
                (None, Some(0)) => some.run(assign(to.end(), place(0, span))),
                (Some(from), _) if from.kind.bits == 8 => {
                    let mut whole = Steps::new(span);
                    whole.run(assign(to.end(), from.end()));
                    let mut lost = Steps::new(span);
                    self.lose_end(&mut lost, &to, place(0, span));
                    let fits = and(from.ends(), compare(Cmp::Lt, from.end(), size.clone()));
                    some.if_else(fits, whole, Some(lost));
                }
                _ => self.lose_end(&mut some, &to, place(0, span)),
            }
            steps.if_else(compare(Cmp::Gt, size, place(0, span)), some, None);
        }
        let pointer = self.pointer(&to);
        Some(steps.give(convert(pointer, &Ty::Void.pointer())))
    }

    /// After a copy, the lengths of the arrays in an object: nobody may have asked the other one for pointers, but somebody
    /// may hold pointers into this one.
    pub(super) fn restore_lengths(&mut self, steps: &mut Steps, old: &Ty, object: Expr) {
        let Ty::Record(new) = object.ty else { return };
        if !self.holds_block(&object.ty) {
            return;
        }
        let parts: Vec<Ty> = match old {
            Ty::Array(_, Some(length)) if self.types.record(new).made == Made::Block => {
                let pointer = self.pointer_to(object, *length);
                steps.run(pointer);
                return;
            }
            Ty::Array(element, Some(length)) => (0..*length).map(|_| (**element).clone()).collect(),
            Ty::Record(id) if !self.old.record(*id).union => {
                self.old.record(*id).members.iter().flatten().map(|m| m.ty.clone()).collect()
            }
            _ => return,
        };
        for (index, part) in (0..).zip(&parts) {
            let Some(ty) = self.types.member_at(new, index).map(|m| m.ty.clone()) else { return };
            let member = make(ExprKind::Member(Box::new(object.clone()), index), ty, steps.span);
            self.restore_lengths(steps, part, member);
        }
    }

    /// Every part of an object is 0.
    fn clear(&mut self, steps: &mut Steps, object: Expr) -> Option<()> {
        let span = steps.span;
        match object.ty.clone() {
            Ty::Int(_) => steps.run(assign(object.clone(), int(0, object.ty, span))),
            Ty::Pointer(_) => steps.run(assign(object.clone(), null(object.ty, span))),
            Ty::Record(id) if !self.types.record(id).union => {
                let record = self.types.record(id);
                let block = record.made == Made::Block;
                let members = record.members.clone()?;
                for (index, member) in (0..).zip(members) {
                    if member.ghost || (block && index != 1) {
                        continue;
                    }
                    let kind = ExprKind::Member(Box::new(object.clone()), index);
                    self.clear(steps, make(kind, member.ty, span))?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}
