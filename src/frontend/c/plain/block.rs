//! Blocks of numbers: a length, and for text the place of its end.
//!
//! `length` counts elements. It is written where a block begins its life on the heap, and for an array whenever a pointer to
//! it is made, which is early enough because only pointers ask for it. `end` is the place of the first zero of a block of
//! characters; there is no zero in it if that is no place of the block. `fixed` is 1 for a literal, which must not be written.
//! What a block holds otherwise is not kept.
//!
//! A pointer leads to the beginning of a block; one into the middle has no model.

use super::super::check::convert::constant;
use super::super::hir::{Callee, Expr, ExprKind, Global, GlobalInit, Intrinsic, Variable};
use super::super::objects::visit::Mapper;
use super::super::types::{Made, RecordId, Ty};
use super::build::{
    Steps, address, and, assign, behind, binary, compare, convert, guess, int, known, make, not, null, or,
    place, sequence, within,
};
use super::{PLACE, Plain, number, value};
use crate::program::{BinOp, Cmp, IntKind};

/// A block that an expression speaks of.
pub(super) struct Block {
    /// The struct that stands for it.
    object: Expr,
    /// Elements, if it is an array.
    fixed: Option<u64>,
    pub(super) kind: IntKind,
}

impl Block {
    fn field(&self, index: u32) -> Expr {
        let kind = ExprKind::Member(Box::new(self.object.clone()), index);
        make(kind, Ty::Int(PLACE), self.object.span)
    }

    pub(super) fn length(&self) -> Expr {
        match self.fixed {
            Some(length) => place(i128::from(length), self.object.span),
            None => self.field(0),
        }
    }

    pub(super) fn end(&self) -> Expr {
        self.field(1)
    }

    /// There is a zero in it.
    pub(super) fn ends(&self) -> Expr {
        within(&self.end(), place(0, self.object.span), self.length())
    }

    /// It may be written.
    pub(super) fn writable(&self, steps: &mut Steps) {
        if self.fixed.is_none() && self.kind.bits == 8 {
            let zero = place(0, steps.span);
            steps.bounds(compare(Cmp::Eq, self.field(2), zero));
        }
    }

    /// An access to it.
    pub(super) fn touched(&self) -> Expr {
        self.field(0)
    }

    /// The bytes of an element.
    pub(super) fn size(&self) -> i128 {
        i128::from(self.kind.bits.div_ceil(8))
    }
}

impl Plain<'_> {
    /// The struct behind a pointer, if that stands for a block.
    pub(super) fn block_behind(&self, ty: &Ty) -> Option<(RecordId, IntKind)> {
        let id = ty.target()?;
        self.blocks.iter().find(|(_, block)| *block == id).map(|(kind, id)| (*id, *kind))
    }

    /// The block that a pointer leads to; the pointer is evaluated now.
    pub(super) fn open(&mut self, steps: &mut Steps, pointer: Expr) -> Option<Block> {
        let (id, kind) = self.block_behind(&pointer.ty)?;
        let pointer = match pointer.kind {
            ExprKind::Unmodelled(..) => return None,
            _ => self.keep(steps, pointer),
        };
        Some(Block { object: behind(pointer, id), fixed: None, kind })
    }

    /// A pointer to a block.
    pub(super) fn pointer(&mut self, block: &Block) -> Expr {
        match (&block.object.kind, block.fixed) {
            (ExprKind::Deref(pointer), None) => (**pointer).clone(),
            (_, length) => self.pointer_to(block.object.clone(), length.unwrap_or(0)),
        }
    }

    /// A pointer to an array that stands as a block.
    pub(super) fn pointer_to(&mut self, object: Expr, length: u64) -> Expr {
        let span = object.span;
        let member = |index: u32| {
            let kind = ExprKind::Member(Box::new(object.clone()), index);
            make(kind, Ty::Int(PLACE), span)
        };
        let mut parts = vec![assign(member(0), place(i128::from(length), span))];
        if let Ty::Record(id) = object.ty
            && self.types.record(id).members.as_ref().is_some_and(|m| m.len() > 2)
        {
            parts.push(assign(member(2), place(0, span)));
        }
        sequence(parts, address(object))
    }

    /// The block and the place in it that an lvalue is.
    fn spot(&mut self, steps: &mut Steps, e: &Expr) -> Option<(Block, Expr)> {
        let e = e.exact();
        let (base, index) = match &e.kind {
            ExprKind::Index(base, index) => (base, Some(index)),
            ExprKind::Deref(base) => (base, None),
            _ => return None,
        };
        let kind = number(&e.ty)?;
        let block = match &base.ty {
            Ty::Array(_, Some(length)) => {
                let object = self.expression(base);
                self.array_block(object, *length, kind)?
            }
            Ty::Pointer(_) | Ty::Array(_, None) if self.pointed.contains(&kind) => {
                let (pointer, offset) = self.pair(steps, base)?;
                let offset = match offset.kind {
                    ExprKind::Int(0) => None,
                    ExprKind::Int(_) => Some(offset),
                    _ => Some(self.keep(steps, offset)),
                };
                let block = self.open(steps, pointer)?;
                let at = self.at(steps, &block, (index.map(|i| &**i), offset), e);
                return Some((block, at));
            }
            _ => return None,
        };
        let at = self.at(steps, &block, (index.map(|i| &**i), None), e);
        Some((block, at))
    }

    /// An array that stands as a block.
    pub(super) fn array_block(&self, object: Expr, length: u64, kind: IntKind) -> Option<Block> {
        let whole = self.is_block(&object.ty) && !object.has_effects();
        whole.then_some(Block { object, fixed: Some(length), kind })
    }

    /// The value of an element of an array that stands as a block.
    pub(super) fn element_value(
        &mut self,
        object: &Expr,
        length: u64,
        index: &Expr,
        e: &Expr,
    ) -> Option<Expr> {
        let block = self.array_block(object.clone(), length, number(&e.ty)?)?;
        let mut steps = Steps::new(e.span);
        let at = self.at(&mut steps, &block, (Some(index), None), e);
        let value = self.load(&mut steps, &block, &at);
        Some(steps.give(value))
    }

    /// A place in a block, which must be one.
    fn at(
        &mut self,
        steps: &mut Steps,
        block: &Block,
        (index, offset): (Option<&Expr>, Option<Expr>),
        e: &Expr,
    ) -> Expr {
        let index = index.map(|index| convert(self.expression(index), &Ty::Int(PLACE)));
        let index = match (offset, index) {
            (Some(offset), Some(index)) => binary(BinOp::Add, offset, index),
            (found, None) | (None, found) => found.unwrap_or_else(|| place(0, e.span)),
        };
        let simple = constant(&index).is_some();
        let index = if simple { index } else { self.keep(steps, index) };
        steps.bounds(within(&index, place(0, e.span), block.length()));
        // An array inside an object is there as long as the object is.
        if block.fixed.is_some() && !matches!(block.object.kind, ExprKind::Var(_)) {
            steps.run(block.field(0));
        }
        index
    }

    /// What stands in a block.
    fn load(&mut self, steps: &mut Steps, block: &Block, at: &Expr) -> Expr {
        let (ty, span) = (Ty::Int(block.kind), steps.span);
        if block.kind.bits != 8 {
            return guess(Vec::new(), ty, span);
        }
        let found = self.keep(steps, guess(Vec::new(), ty.clone(), span));
        let zero = compare(Cmp::Eq, found.clone(), int(0, ty, span));
        let first = compare(Cmp::Eq, at.clone(), block.end());
        let before = and(compare(Cmp::Lt, at.clone(), block.end()), block.ends());
        // It is zero at the end, and nowhere before.
        steps.assume(or(not(first), zero.clone()));
        steps.assume(or(not(before), not(zero)));
        found
    }

    /// Something is written into a block.
    fn store(&mut self, steps: &mut Steps, block: &Block, at: &Expr, value: Expr) -> Expr {
        let (ty, span) = (Ty::Int(block.kind), steps.span);
        block.writable(steps);
        let value = convert(value, &ty);
        if block.kind.bits != 8 {
            if block.fixed.is_none() || !matches!(block.object.kind, ExprKind::Var(_)) {
                steps.run(block.field(0));
            }
            return value;
        }
        let value = self.keep(steps, value);
        let zero = compare(Cmp::Eq, value.clone(), int(0, ty, span));
        let mut ended = Steps::new(span);
        let mut first = Steps::new(span);
        first.run(assign(block.end(), at.clone()));
        let sooner =
            and(compare(Cmp::Le, place(0, span), block.end()), compare(Cmp::Le, block.end(), at.clone()));
        ended.if_else(not(sooner), first, None);
        let mut open = Steps::new(span);
        self.lose_end(&mut open, block, binary(BinOp::Add, at.clone(), place(1, span)));
        let mut other = Steps::new(span);
        other.if_else(compare(Cmp::Eq, block.end(), at.clone()), open, None);
        steps.if_else(zero, ended, Some(other));
        value
    }

    /// The first zero may be anywhere from a place on, or nowhere.
    pub(super) fn lose_end(&mut self, steps: &mut Steps, block: &Block, from: Expr) {
        let span = steps.span;
        let end = self.keep(steps, guess(Vec::new(), Ty::Int(PLACE), span));
        let none = compare(Cmp::Eq, end.clone(), place(-1, span));
        steps.assume(or(none, within(&end, from, block.length())));
        steps.run(assign(block.end(), end));
    }

    /// A value is written into the element of a block that an lvalue is.
    pub(super) fn written(&mut self, target: &Expr, value: Expr) -> Option<Expr> {
        let mut steps = Steps::new(target.span);
        let (block, at) = self.spot(&mut steps, target)?;
        let value = self.store(&mut steps, &block, &at, value);
        Some(steps.give(value))
    }

    /// What an expression about blocks is.
    pub(super) fn blocked(&mut self, e: &Expr) -> Option<Expr> {
        let span = e.span;
        let global = self.function == u32::MAX;
        let mut steps = Steps::new(span);
        match &e.kind {
            ExprKind::Index(base, _) if matches!(base.ty, Ty::Array(_, Some(_))) => None,
            ExprKind::Index(..) | ExprKind::Deref(_) if number(&e.ty).is_some() && !global => {
                let (block, at) = self.spot(&mut steps, e)?;
                let value = self.load(&mut steps, &block, &at);
                Some(steps.give(value))
            }
            ExprKind::Assign(target, value) if number(&target.ty).is_some() => {
                let (block, at) = self.spot(&mut steps, target)?;
                let value = self.expression(value);
                let value = self.store(&mut steps, &block, &at, value);
                Some(steps.give(value))
            }
            ExprKind::Update { target, op, value, compute, old } if number(&target.ty).is_some() => {
                let (block, at) = self.spot(&mut steps, target)?;
                let before = self.load(&mut steps, &block, &at);
                let before = self.keep(&mut steps, before);
                let operand = self.expression(value);
                let compute = self.value_type(compute);
                let after = match compute {
                    Ty::Int(_) if block.kind.bits == 8 => {
                        binary(*op, convert(before.clone(), &compute), operand)
                    }
                    _ => guess(vec![operand], Ty::Int(block.kind), span),
                };
                let after = self.store(&mut steps, &block, &at, after);
                Some(steps.give(if *old { before } else { after }))
            }
            ExprKind::Convert(inner) => self.converted(inner, e),
            ExprKind::Address(object) => match &object.exact().kind {
                ExprKind::Index(base, index) if constant(index) == Some(0) => {
                    let new = self.expression(base);
                    match (&base.ty, self.block_behind(&new.ty)) {
                        (_, Some(_)) => Some(new),
                        (Ty::Array(_, Some(length)), None) if self.is_block(&new.ty) => {
                            Some(self.pointer_to(new, *length))
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            ExprKind::Str(bytes) if number(e.ty.pointee()?).is_some_and(|k| self.pointed.contains(&k)) => {
                self.is_main.then(|| self.literal(bytes, e))
            }
            ExprKind::Compare(..) if value::compares(e) => {
                let ExprKind::Compare(_, a, b) = &e.kind else { return None };
                a.ty.pointee().and_then(number).filter(|kind| kind.bits == 8)?;
                let (a, b) = (self.expression(a), self.expression(b));
                let text = self.block_behind(&a.ty).is_some_and(|(_, kind)| kind.bits == 8);
                // Two literals may lie in the same place.
                (text && !self.texts.is_empty()).then(|| guess(vec![a, b], Ty::INT, span))
            }
            _ => None,
        }
    }

    /// A pointer to an array, if that stands as a block.
    pub(super) fn block_array(&mut self, object: Expr, length: u64) -> Option<Expr> {
        self.is_block(&object.ty).then(|| self.pointer_to(object, length))
    }

    /// Whether there is a block inside.
    pub(super) fn holds_block(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Record(id) => {
                let record = self.types.record(*id);
                record.made == Made::Block || record.members.iter().flatten().any(|m| self.holds_block(&m.ty))
            }
            _ => false,
        }
    }

    /// Where the text ends that a global array starts with.
    pub(super) fn global_text(&self, index: u32, ty: &Ty, init: &[GlobalInit]) -> Option<GlobalInit> {
        if !self.is_block(ty) {
            return None;
        }
        let mut values = std::collections::BTreeMap::new();
        for value in init {
            let ExprKind::Index(base, at) = &value.target.exact().kind else { return None };
            let ExprKind::Var(Variable::Global(_)) = base.exact().kind else { return None };
            values.insert(constant(at)?, constant(&value.value)?);
        }
        let mut end = 0;
        while values.get(&end).is_some_and(|value| *value != 0) {
            end += 1;
        }
        let span = init.first()?.target.span;
        let object = make(ExprKind::Var(Variable::Global(index)), ty.clone(), span);
        let members = match ty {
            Ty::Record(id) => self.types.record(*id).members.as_ref()?.len(),
            _ => 0,
        };
        // Numbers are not kept: the length is all there is, and it is written later.
        let member = u32::from(members > 1);
        let target = make(ExprKind::Member(Box::new(object), member), Ty::Int(PLACE), span);
        Some(GlobalInit { target, value: place(if members > 1 { end } else { 0 }, span) })
    }

    fn is_block(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Record(id) if self.types.record(*id).made == Made::Block)
    }

    fn converted(&mut self, inner: &Expr, e: &Expr) -> Option<Expr> {
        let to = self.value_type(&e.ty);
        if let Ty::Array(_, Some(length)) = inner.ty {
            let object = self.expression(inner);
            return self.is_block(&object.ty).then(|| self.pointer_to(object, length));
        }
        let (id, kind) = self.block_behind(&to)?;
        let ExprKind::Call(Callee::Intrinsic(known), arguments) = &inner.exact().kind else { return None };
        let mut steps = Steps::new(e.span);
        let size = i128::from(kind.bits.div_ceil(8));
        let bytes = |plain: &mut Self, e: &Expr| convert(plain.expression(e), &Ty::Int(PLACE));
        let new = match (known, &arguments[..]) {
            (Intrinsic::Malloc, [length]) => {
                let length = bytes(self, length);
                self.allocation(&mut steps, (id, kind), (length, size), false)
            }
            (Intrinsic::Calloc, [count, length]) => {
                let (count, length) = (bytes(self, count), bytes(self, length));
                self.allocation(&mut steps, (id, kind), (binary(BinOp::Mul, count, length), size), true)
            }
            (Intrinsic::Realloc, [old, length]) => {
                let old = value::without_void(old);
                let old = self.expression(old);
                let old = match old.kind {
                    ExprKind::Null => null(to.clone(), e.span),
                    _ => old,
                };
                if self.block_behind(&old.ty).is_none() || matches!(old.kind, ExprKind::Unmodelled(..)) {
                    return None;
                }
                let old = self.keep(&mut steps, old);
                let length = bytes(self, length);
                self.again(&mut steps, (id, kind), old, (length, size))
            }
            _ => return None,
        };
        Some(steps.give(new))
    }

    /// A new block with so many bytes.
    pub(super) fn allocation(
        &mut self,
        steps: &mut Steps,
        (id, kind): (RecordId, IntKind),
        (bytes, size): (Expr, i128),
        zeroed: bool,
    ) -> Expr {
        let (ty, span) = (Ty::Record(id).pointer(), steps.span);
        let bytes = self.keep(steps, bytes);
        // Nobody has so much memory.
        steps.rely(compare(Cmp::Le, place(0, span), bytes.clone()));
        let whole = make(ExprKind::Sizeof(Ty::Record(id), None), Ty::Int(PLACE), span);
        let fresh = known(Intrinsic::Malloc, vec![whole], Ty::Void.pointer(), span);
        let new = self.keep(steps, convert(fresh, &ty));
        let block = Block { object: behind(new.clone(), id), fixed: None, kind };
        let mut made = Steps::new(span);
        let count = binary(BinOp::Div, bytes, place(size, span));
        made.run(assign(block.field(0), count));
        if kind.bits == 8 {
            made.run(assign(block.field(2), place(0, span)));
            if zeroed {
                made.run(assign(block.end(), place(0, span)));
            }
        }
        steps.if_else(compare(Cmp::Ne, new.clone(), null(ty, span)), made, None);
        new
    }

    /// `realloc`
    fn again(
        &mut self,
        steps: &mut Steps,
        (id, kind): (RecordId, IntKind),
        old: Expr,
        (bytes, size): (Expr, i128),
    ) -> Expr {
        let (ty, span) = (Ty::Record(id).pointer(), steps.span);
        let bytes = self.keep(steps, bytes);
        // What `realloc` to size 0 does is left open.
        steps.rely(compare(Cmp::Gt, bytes.clone(), place(0, span)));
        let new = self.allocation(steps, (id, kind), (bytes, size), false);
        let none = null(ty, span);
        let mut moved = Steps::new(span);
        if kind.bits == 8 {
            let (from, to) = (
                Block { object: behind(old.clone(), id), fixed: None, kind },
                Block { object: behind(new.clone(), id), fixed: None, kind },
            );
            let mut kept = Steps::new(span);
            kept.run(assign(to.end(), from.end()));
            let mut lost = Steps::new(span);
            self.lose_end(&mut lost, &to, place(0, span));
            // A zero that is still there is the first one.
            moved.if_else(
                and(from.ends(), within(&from.end(), place(0, span), to.length())),
                kept,
                Some(lost),
            );
        }
        let void = convert(old.clone(), &Ty::Void.pointer());
        moved.run(known(Intrinsic::Free, vec![void], Ty::Void, span));
        let both = and(compare(Cmp::Ne, new.clone(), none.clone()), compare(Cmp::Ne, old, none));
        steps.if_else(both, moved, None);
        new
    }

    /// The variable that holds a literal.
    fn literal(&mut self, bytes: &[u8], e: &Expr) -> Expr {
        let kind = number(e.ty.pointee().unwrap_or(&Ty::INT)).unwrap_or(IntKind::INT);
        let id = self.block(kind);
        let ty = Ty::Record(id);
        let index = match self.texts.get(bytes) {
            Some(index) => *index,
            None => {
                let index = self.globals.len() as u32;
                let span = e.span;
                let object = make(ExprKind::Var(Variable::Global(index)), ty.clone(), span);
                let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                let value = |member: u32, value: i128| GlobalInit {
                    target: make(ExprKind::Member(Box::new(object.clone()), member), Ty::Int(PLACE), span),
                    value: place(value, span),
                };
                let init = vec![value(0, bytes.len() as i128 + 1), value(1, end as i128), value(2, 1)];
                self.globals.push(Global {
                    name: format!("text {index}"),
                    ty: ty.clone(),
                    span,
                    init,
                    external: false,
                    constant: false,
                    owner: None,
                    diagnostics: Vec::new(),
                });
                self.texts.insert(bytes.to_vec(), index);
                index
            }
        };
        address(make(ExprKind::Var(Variable::Global(index)), ty, e.span))
    }
}
