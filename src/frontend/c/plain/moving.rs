//! Pointers that move over blocks: a variable of the function that is moved has a second one, for the place it leads to.
//!
//! Where such a pointer is kept elsewhere (a member, an argument, a result) it must lead to the beginning of its block; there
//! is no model of a run in which it does not.

use super::super::check::convert::constant;
use super::super::hir::{Expr, ExprKind, Function, Stmt, StmtKind, Variable};
use super::super::objects::needed::annotated;
use super::super::objects::visit::{Mapper, all};
use super::super::types::Ty;
use super::build::{Steps, and, assign, binary, compare, convert, int, make, not, place, within};
use super::{PLACE, Plain, number};
use crate::program::{BinOp, Cmp};
use crate::util::hash::Set;

/// Rounds in which variables are found that hold what others hold.
const ROUNDS: usize = 8;

fn element(ty: &Ty) -> Option<crate::program::IntKind> {
    match ty {
        Ty::Pointer(element) | Ty::Array(element, None) => number(element),
        _ => None,
    }
}

/// The locals of a function that are moved over numbers, or hold what others lead to.
pub(super) fn moving(function: &Function) -> Set<u32> {
    let mut found = Set::default();
    for _ in 0..ROUNDS {
        let before = found.len();
        for statement in function.body.iter().flatten() {
            all(statement, &mut |e| {
                let (target, value) = match &e.kind {
                    ExprKind::Update { target, .. } => (target, None),
                    ExprKind::Assign(target, value) => (target, Some(value)),
                    _ => return,
                };
                let ExprKind::Var(Variable::Local(local)) = target.exact().kind else { return };
                let moves = value.is_none_or(|value| is_moved(value, &found));
                if element(&target.ty).is_some() && moves {
                    found.insert(local);
                }
            });
        }
        if found.len() == before {
            break;
        }
    }
    found
}

/// Whether a pointer may lead into the middle of a block.
fn is_moved(e: &Expr, moving: &Set<u32>) -> bool {
    match &e.exact().kind {
        ExprKind::Offset(..) | ExprKind::Update { .. } => true,
        ExprKind::Address(object) => match &object.exact().kind {
            ExprKind::Index(_, index) => constant(index) != Some(0),
            _ => false,
        },
        ExprKind::Var(Variable::Local(local)) => moving.contains(local),
        ExprKind::Assign(target, value) => is_moved(target, moving) || is_moved(value, moving),
        ExprKind::Conditional(_, yes, no) => is_moved(yes, moving) || is_moved(no, moving),
        ExprKind::Convert(inner) if !matches!(inner.ty, Ty::Array(..)) => is_moved(inner, moving),
        _ => false,
    }
}

impl Plain<'_> {
    /// The variables for the places of moving pointers, with their declarations.
    pub(super) fn companions(&mut self, function: &Function) -> Vec<Stmt> {
        // Formulas speak of the pointers themselves.
        if annotated(function) {
            return Vec::new();
        }
        let mut found: Vec<u32> = moving(function).into_iter().collect();
        found.sort_unstable();
        let mut begin = Steps::new(function.span);
        for local in found {
            let ty = &function.locals[local as usize].ty;
            if element(ty).is_some_and(|kind| self.pointed.contains(&kind)) {
                let at = self.keep(&mut begin, place(0, function.span));
                if let ExprKind::Var(Variable::Local(at)) = at.kind {
                    self.places.insert(local, at);
                }
            }
        }
        begin.statements()
    }

    /// The place that a moving variable leads to.
    fn place_of(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Var(Variable::Local(local)) = e.exact().kind else { return None };
        let at = *self.places.get(&local)?;
        Some(make(ExprKind::Var(Variable::Local(at)), Ty::Int(PLACE), e.span))
    }

    /// Whether it has to be looked at as a block and a place in it.
    fn moves(&self, e: &Expr) -> bool {
        let local = |e: &Expr| self.place_of(e).is_some();
        match &e.exact().kind {
            ExprKind::Offset(..) => true,
            ExprKind::Var(_) => local(e),
            ExprKind::Update { target, .. } => local(target),
            ExprKind::Assign(target, _) => local(target),
            ExprKind::Address(object) => match &object.exact().kind {
                ExprKind::Index(_, index) => constant(index) != Some(0),
                _ => false,
            },
            _ => false,
        }
    }

    /// A pointer to a number of a block, as a pointer to the block and the place in it.
    pub(super) fn pair(&mut self, steps: &mut Steps, e: &Expr) -> Option<(Expr, Expr)> {
        let kind = element(&e.ty).or_else(|| match &e.ty {
            Ty::Array(element, Some(_)) => number(element),
            _ => None,
        })?;
        if !self.pointed.contains(&kind) {
            return None;
        }
        let e = e.exact();
        let span = e.span;
        let zero = place(0, span);
        match &e.kind {
            ExprKind::Var(_) if self.place_of(e).is_some() => {
                let at = self.place_of(e)?;
                Some((self.default(e), at))
            }
            ExprKind::Offset(base, index, back) => {
                let (pointer, at) = self.pair(steps, base)?;
                let (pointer, at) = (self.settled(steps, pointer), self.settled(steps, at));
                let index = convert(self.expression(index), &Ty::Int(PLACE));
                let op = if *back { BinOp::Sub } else { BinOp::Add };
                Some((pointer, binary(op, at, index)))
            }
            ExprKind::Address(object) => {
                let ExprKind::Index(base, index) = &object.exact().kind else { return None };
                let (pointer, at) = self.pair(steps, base)?;
                let (pointer, at) = (self.settled(steps, pointer), self.settled(steps, at));
                let index = convert(self.expression(index), &Ty::Int(PLACE));
                Some((pointer, binary(BinOp::Add, at, index)))
            }
            ExprKind::Update { target, op: op @ (BinOp::Add | BinOp::Sub), value, old, .. } => {
                let at = self.place_of(target)?;
                let pointer = self.default(target.exact());
                let by = convert(self.expression(value), &Ty::Int(PLACE));
                let before = self.keep(steps, at.clone());
                steps.run(assign(at.clone(), binary(*op, before.clone(), by)));
                Some((pointer, if *old { before } else { at }))
            }
            ExprKind::Assign(target, value) => {
                let at = self.place_of(target)?;
                let pointer = self.default(target.exact());
                let (new, place) = self.pair(steps, value)?;
                let place = self.keep(steps, place);
                steps.run(assign(pointer.clone(), new));
                steps.run(assign(at.clone(), place));
                Some((pointer, at))
            }
            _ => {
                let new = match &e.ty {
                    Ty::Array(_, Some(length)) => {
                        let object = self.expression(e);
                        let length = *length;
                        self.block_array(object, length)?
                    }
                    _ => self.expression(e),
                };
                let whole = self.block_behind(&new.ty).is_some() || matches!(new.kind, ExprKind::Null);
                (whole && !matches!(new.kind, ExprKind::Unmodelled(..))).then_some((new, zero))
            }
        }
    }

    /// A value that later steps do not change.
    fn settled(&mut self, steps: &mut Steps, value: Expr) -> Expr {
        match value.kind {
            ExprKind::Int(_) | ExprKind::Null => value,
            _ => self.keep(steps, value),
        }
    }

    /// An expression for its effects.
    pub(super) fn effect(&mut self, e: &Expr) -> Expr {
        match &e.exact().kind {
            ExprKind::Update { .. } | ExprKind::Assign(..) if self.moves(e) => {
                let mut steps = Steps::new(e.span);
                match self.pair(&mut steps, e) {
                    Some(_) => steps.give(int(0, Ty::INT, e.span)),
                    None => self.expression(e),
                }
            }
            ExprKind::Assign(target, _) if matches!(target.ty, Ty::Record(_)) => {
                let new = self.expression(e);
                match new.kind {
                    ExprKind::Assign(to, value) if self.holds_block(&to.ty) && !to.has_effects() => {
                        let mut steps = Steps::new(e.span);
                        steps.run(assign((*to).clone(), *value));
                        self.restore_lengths(&mut steps, &target.ty, *to);
                        steps.give(int(0, Ty::INT, e.span))
                    }
                    _ => new,
                }
            }
            ExprKind::Comma(a, b) => {
                let (a, b) = (self.effect(a), self.effect(b));
                let ty = b.ty.clone();
                make(ExprKind::Comma(Box::new(a), Box::new(b)), ty, e.span)
            }
            _ => self.expression(e),
        }
    }

    /// What an expression about moving pointers is.
    pub(super) fn moved(&mut self, e: &Expr) -> Option<Expr> {
        if self.function == u32::MAX {
            return None;
        }
        let span = e.span;
        let mut steps = Steps::new(span);
        match &e.kind {
            ExprKind::Compare(cmp, a, b) if element(&a.ty).is_some() => {
                let null = |e: &Expr| matches!(e.exact().kind, ExprKind::Null);
                let order = !matches!(cmp, Cmp::Eq | Cmp::Ne);
                if !order && !self.moves(a) && !self.moves(b) {
                    return None;
                }
                let (p, i) = self.pair(&mut steps, a)?;
                let (p, i) = (self.settled(&mut steps, p), self.settled(&mut steps, i));
                if null(b) || null(a) {
                    let (q, _) = self.pair(&mut steps, b)?;
                    return (!order).then(|| steps.give(compare(*cmp, p, q)));
                }
                let (q, j) = self.pair(&mut steps, b)?;
                let (q, j) = (self.settled(&mut steps, q), self.settled(&mut steps, j));
                let same = compare(Cmp::Eq, p, q);
                if order {
                    steps.rely(same);
                    return Some(steps.give(compare(*cmp, i, j)));
                }
                let equal = and(same, compare(Cmp::Eq, i, j));
                Some(steps.give(if *cmp == Cmp::Eq { equal } else { not(equal) }))
            }
            ExprKind::Difference(a, b) if element(&a.ty).is_some() => {
                let (p, i) = self.pair(&mut steps, a)?;
                let (p, i) = (self.settled(&mut steps, p), self.settled(&mut steps, i));
                let (q, j) = self.pair(&mut steps, b)?;
                steps.rely(compare(Cmp::Eq, p, q));
                let ty = self.value_type(&e.ty);
                Some(steps.give(convert(binary(BinOp::Sub, i, j), &ty)))
            }
            _ if element(&e.ty).is_some() && self.moves(e) => {
                let (pointer, at) = self.pair(&mut steps, e)?;
                if constant(&at) != Some(0) {
                    let at = self.settled(&mut steps, at);
                    steps.rely(within(&at, place(0, span), place(1, span)));
                }
                Some(steps.give(pointer))
            }
            _ => None,
        }
    }

    /// A pointer that is tested.
    pub(super) fn moving_test(&mut self, e: &Expr) -> Option<Expr> {
        if element(&e.ty).is_none() || !self.moves(e) || self.function == u32::MAX {
            return None;
        }
        let mut steps = Steps::new(e.span);
        let (pointer, _) = self.pair(&mut steps, e)?;
        Some(steps.give(pointer))
    }

    /// A statement about moving pointers.
    pub(super) fn moving_statement(&mut self, statement: &Stmt) -> Option<StmtKind> {
        match &statement.kind {
            StmtKind::Expr(e) => Some(StmtKind::Expr(self.effect(e))),
            _ => None,
        }
    }
}
