//! Functions of the library about text.

use super::super::hir::{Expr, ExprKind, Intrinsic};
use super::super::objects::visit::Mapper;
use super::super::types::Ty;
use super::build::{
    Steps, and, assign, behind, binary, compare, convert, guess, int, known, make, nondet, null, or, place,
    within,
};
use super::format::conversions;
use super::{PLACE, Plain};
use crate::program::{BinOp, Cmp, IntKind};

impl Plain<'_> {
    /// Functions about text.
    pub(super) fn text_call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        mut steps: Steps,
        ty: &Ty,
    ) -> Option<Expr> {
        let span = steps.span;
        let steps_in = &mut steps;
        match (name, arguments) {
            ("strlen", [text]) => {
                let length = self.text_length(steps_in, text)?;
                Some(steps.give(convert(length, ty)))
            }
            ("strspn" | "strcspn", [text, set]) => {
                let length = self.text_length(steps_in, text)?;
                self.read_argument(steps_in, set)?;
                let found = self.keep(steps_in, guess(Vec::new(), Ty::Int(PLACE), span));
                let inside = and(
                    compare(Cmp::Le, place(0, span), found.clone()),
                    compare(Cmp::Le, found.clone(), length),
                );
                steps_in.assume(inside);
                Some(steps.give(convert(found, ty)))
            }
            ("strcpy", [to, from]) => {
                let to = self.block_argument(steps_in, to)?;
                let length = self.text_length(steps_in, from)?;
                steps_in.bounds(compare(Cmp::Lt, length.clone(), to.length()));
                to.writable(steps_in);
                steps_in.run(assign(to.end(), length));
                let pointer = self.pointer(&to);
                Some(steps.give(pointer))
            }
            ("strcat", [to, from]) => {
                let to = self.block_argument(steps_in, to)?;
                steps_in.bounds(to.ends());
                let length = self.text_length(steps_in, from)?;
                let end = self.keep(steps_in, binary(BinOp::Add, to.end(), length));
                steps_in.bounds(compare(Cmp::Lt, end.clone(), to.length()));
                to.writable(steps_in);
                steps_in.run(assign(to.end(), end));
                let pointer = self.pointer(&to);
                Some(steps.give(pointer))
            }
            ("strncpy", [to, from, most]) => {
                let to = self.block_argument(steps_in, to)?;
                let most = convert(self.expression(most), &Ty::Int(PLACE));
                let most = self.keep(steps_in, most);
                let (end, ends) = match &from.exact().kind {
                    ExprKind::Str(_) => (self.text_length(steps_in, from)?, int(1, Ty::INT, span)),
                    _ => {
                        let from = self.block_argument(steps_in, from)?;
                        // It is read up to its end, or as far as is asked for.
                        let far = compare(Cmp::Le, most.clone(), from.length());
                        steps_in.bounds(or(far, from.ends()));
                        (self.keep(steps_in, from.end()), from.ends())
                    }
                };
                let room = binary(BinOp::Add, to.length(), place(1, span));
                steps_in.bounds(within(&most, place(0, span), room));
                to.writable(steps_in);
                let mut whole = Steps::new(span);
                whole.run(assign(to.end(), end.clone()));
                let mut part = Steps::new(span);
                let mut lost = Steps::new(span);
                self.lose_end(&mut lost, &to, most.clone());
                // A zero behind what was written is still there.
                let behind = and(compare(Cmp::Le, most.clone(), to.end()), to.ends());
                part.if_else(behind, Steps::new(span), Some(lost));
                let fits = and(ends, compare(Cmp::Lt, end, most));
                steps_in.if_else(fits, whole, Some(part));
                let pointer = self.pointer(&to);
                Some(steps.give(pointer))
            }
            ("strdup", [text]) => {
                let length = self.text_length(steps_in, text)?;
                let (id, kind) = self.block_behind(ty)?;
                let size = binary(BinOp::Add, length.clone(), place(1, span));
                let new = self.allocation(steps_in, (id, kind), (size, 1), false);
                let mut made = Steps::new(span);
                let object = behind(new.clone(), id);
                let end = make(ExprKind::Member(Box::new(object), 1), Ty::Int(PLACE), span);
                made.run(assign(end, length));
                steps_in.if_else(compare(Cmp::Ne, new.clone(), null(ty.clone(), span)), made, None);
                Some(steps.give(new))
            }
            ("fgets", [to, most, _]) => {
                let to = self.block_argument(steps_in, to)?;
                let most = convert(self.expression(most), &Ty::Int(PLACE));
                let most = self.keep(steps_in, most);
                steps_in.bounds(within(
                    &most,
                    place(1, span),
                    binary(BinOp::Add, to.length(), place(1, span)),
                ));
                to.writable(steps_in);
                let read = self.keep(steps_in, nondet(Ty::INT, span));
                let mut line = Steps::new(span);
                let last = binary(BinOp::Sub, most, place(1, span));
                self.set_end(&mut line, &to, &last, false);
                // After an error nobody knows what stands there.
                let mut nothing = Steps::new(span);
                let mut lost = Steps::new(span);
                self.lose_end(&mut lost, &to, place(0, span));
                nothing.if_else(nondet(Ty::INT, span), lost, None);
                steps_in.if_else(read.clone(), line, Some(nothing));
                let pointer = self.pointer(&to);
                let none = null(pointer.ty.clone(), span);
                let ty = pointer.ty.clone();
                let chosen = ExprKind::Conditional(Box::new(read), Box::new(pointer), Box::new(none));
                Some(steps.give(make(chosen, ty, span)))
            }
            ("sprintf", [to, format, values @ ..]) => {
                let to = self.block_argument(steps_in, to)?;
                let (length, most) = self.printed(steps_in, format, values)?;
                if let Some(most) = most {
                    steps_in.assume(compare(Cmp::Le, length.clone(), most));
                }
                steps_in.bounds(compare(Cmp::Lt, length.clone(), to.length()));
                to.writable(steps_in);
                self.set_end(steps_in, &to, &length, true);
                Some(steps.give(convert(length, ty)))
            }
            ("snprintf", [to, size, format, values @ ..]) => {
                let to = self.block_argument(steps_in, to)?;
                let size = convert(self.expression(size), &Ty::Int(PLACE));
                let size = self.keep(steps_in, size);
                let (length, most) = self.printed(steps_in, format, values)?;
                if let Some(most) = most {
                    steps_in.assume(compare(Cmp::Le, length.clone(), most));
                }
                // A size beyond the block does no harm as long as the text is short.
                let fits = within(&size, place(0, span), binary(BinOp::Add, to.length(), place(1, span)));
                steps_in.bounds(or(fits.clone(), compare(Cmp::Lt, length.clone(), to.length())));
                to.writable(steps_in);
                let mut some = Steps::new(span);
                let less = |e: Expr| Box::new(binary(BinOp::Sub, e, place(1, span)));
                let last = ExprKind::Conditional(Box::new(fits), less(size.clone()), less(to.length()));
                let last = make(last, Ty::Int(PLACE), span);
                self.set_end(&mut some, &to, &last, true);
                steps_in.if_else(compare(Cmp::Ne, size, place(0, span)), some, None);
                Some(steps.give(convert(length, ty)))
            }
            ("getline", [line, size, _]) => self.get_line(line, size, steps, ty),
            _ => None,
        }
    }

    /// How long a printed text is, and how long it can be.
    fn printed(&mut self, steps: &mut Steps, format: &Expr, values: &[Expr]) -> Option<(Expr, Option<Expr>)> {
        let ExprKind::Str(format) = &format.exact().kind else { return None };
        let (all, plain) = conversions(format, false)?;
        if all.len() != values.len() {
            return None;
        }
        let span = steps.span;
        let mut most = Some(place(i128::from(plain), span));
        for (conversion, value) in all.iter().zip(values) {
            let own = if conversion.is_text() {
                let length = self.text_length(steps, value)?;
                conversion.width.is_none().then_some(length)
            } else {
                self.number_argument(steps, value)?;
                conversion.most().map(|n| place(i128::from(n), span))
            };
            most = most.zip(own).map(|(a, b)| binary(BinOp::Add, a, b));
        }
        let length = self.keep(steps, guess(Vec::new(), Ty::Int(PLACE), span));
        let high = place(IntKind::INT.max(), span);
        steps.assume(within(&length, place(0, span), high));
        Some((length, most))
    }

    /// `getline`
    fn get_line(&mut self, line: &Expr, size: &Expr, mut steps: Steps, ty: &Ty) -> Option<Expr> {
        let (ExprKind::Address(line), ExprKind::Address(size)) = (&line.exact().kind, &size.exact().kind)
        else {
            return None;
        };
        let span = steps.span;
        let (line, size) = (self.expression(line), self.expression(size));
        let (id, kind) = self.block_behind(&line.ty)?;
        if line.has_effects() || size.has_effects() || size.ty.int().is_none() {
            return None;
        }
        let none = null(line.ty.clone(), span);
        let mut grow = Steps::new(span);
        let length = self.keep(&mut grow, nondet(Ty::Int(PLACE), span));
        grow.assume(within(&length, place(2, span), place(IntKind::INT.max(), span)));
        let new = self.allocation(&mut grow, (id, kind), (length.clone(), 1), false);
        let mut moved = Steps::new(span);
        let void = convert(line.clone(), &Ty::Void.pointer());
        moved.run(known(Intrinsic::Free, vec![void], Ty::Void, span));
        moved.run(assign(line.clone(), new.clone()));
        moved.run(assign(size.clone(), convert(length, &size.ty)));
        grow.if_else(compare(Cmp::Ne, new, none.clone()), moved, None);
        let missing = compare(Cmp::Eq, line.clone(), none.clone());
        steps.if_else(or(missing, nondet(Ty::INT, span)), grow, None);
        let result = self.keep(&mut steps, int(-1, ty.clone(), span));
        let mut found = Steps::new(span);
        let block = self.open(&mut found, line.clone())?;
        let read = self.keep(&mut found, nondet(Ty::Int(PLACE), span));
        found.assume(within(&read, place(1, span), block.length()));
        self.set_end(&mut found, &block, &read, false);
        found.run(assign(result.clone(), convert(read, ty)));
        let there = and(compare(Cmp::Ne, line, none), nondet(Ty::INT, span));
        steps.if_else(there, found, None);
        Some(steps.give(result))
    }
}
