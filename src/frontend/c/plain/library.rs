//! Functions of the standard library that the unit only declares.
//!
//! What comes from outside is arbitrary; what is computed from numbers or text that the cells do not keep is a guess; what
//! is read and written is checked. A definition of the user's overrides, as does a contract.

use super::super::check::convert::constant;
use super::super::formats::{Conversion, conversions};
use super::super::hir::{Callee, Expr, ExprKind, Intrinsic};
use super::super::objects::visit::Mapper;
use super::super::types::Ty;
use super::block::Block;
use super::build::{
    Steps, and, assign, binary, compare, convert, guess, int, known, make, nondet, nothing, null, place,
    within,
};
use super::number::is_fraction;
use super::value::without_void;
use super::{PLACE, Plain};
use crate::program::{BinOp, Cmp, IntKind};

/// Functions of numbers with a fraction, without the letter that names their type.
const FRACTIONS: &[&str] = &[
    "sqrt", "pow", "fabs", "floor", "ceil", "sin", "cos", "tan", "exp", "exp2", "log", "log10", "log2",
    "fmod", "round", "trunc", "hypot", "atan", "atan2", "asin", "acos", "cbrt", "fmax", "fmin", "sinh",
    "cosh", "tanh", "lround", "lrint", "rint", "difftime",
];

/// Functions that tell something about a character, or change it.
const CHARACTERS: &[&str] = &[
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct",
    "isspace", "isupper", "isxdigit", "tolower", "toupper",
];

/// Functions that read texts and give back a number.
const READERS: &[&str] =
    &["strcmp", "strncmp", "strcoll", "strcasecmp", "strncasecmp", "atoi", "atol", "atoll", "atof", "remove"];

/// Functions that say where something is in a text.
const FINDERS: &[&str] = &["strchr", "strrchr", "strstr", "strpbrk"];

impl<'a> Plain<'a> {
    /// The function of the library that is called.
    fn library_name(&self, callee: Callee) -> Option<&'a str> {
        let name = match callee {
            Callee::Function(index) => {
                let function = &self.checked.functions[index as usize];
                if function.defined || function.has_contract || !function.diagnostics.is_empty() {
                    return None;
                }
                self.names.text(function.name)
            }
            Callee::Builtin(name) => self.names.text(name),
            Callee::Intrinsic(_) => return None,
        };
        Some(name.strip_prefix("__builtin_").unwrap_or(name))
    }

    /// Whether something is found in a text: where it is has no model.
    pub(super) fn finds(&mut self, e: &Expr) -> Option<Expr> {
        let ExprKind::Call(callee, arguments) = &e.exact().kind else { return None };
        let name = self.library_name(*callee)?;
        if !FINDERS.contains(&name) {
            return None;
        }
        let mut steps = Steps::new(e.span);
        for argument in arguments {
            self.read_argument(&mut steps, argument)?;
        }
        Some(steps.give(guess(Vec::new(), Ty::INT, e.span)))
    }

    /// What a call is.
    pub(super) fn library(&mut self, e: &Expr) -> Option<Expr> {
        if let ExprKind::Compare(cmp @ (Cmp::Eq | Cmp::Ne), a, b) = &e.kind {
            let call = match (&a.exact().kind, &b.exact().kind) {
                (_, ExprKind::Null) => a,
                (ExprKind::Null, _) => b,
                _ => return None,
            };
            let found = self.finds(call)?;
            return Some(compare(*cmp, found, int(0, Ty::INT, e.span)));
        }
        let ExprKind::Call(callee, arguments) = &e.kind else { return None };
        if self.function == u32::MAX {
            return None;
        }
        if let Callee::Intrinsic(known @ (Intrinsic::Print | Intrinsic::Puts)) = callee {
            return self.print(*known, arguments, e);
        }
        let name = self.library_name(*callee)?;
        let (span, count) = (e.span, arguments.len());
        let mut steps = Steps::new(span);
        let ty = self.value_type(&e.ty);
        match (name, count) {
            ("getchar" | "getc" | "fgetc", 0 | 1) => Some(self.outside(&mut steps, &ty, -1, 255)),
            ("rand" | "random", 0) => Some(self.outside(&mut steps, &ty, 0, IntKind::INT.max())),
            ("time", 1) if constant(&arguments[0]) == Some(0) || is_null(&arguments[0]) => {
                Some(nondet(ty, span))
            }
            ("clock" | "getpid", 0) | ("feof" | "ferror", 1) => Some(nondet(ty, span)),
            ("srand" | "srandom" | "putc" | "fputc" | "ungetc" | "setbuf" | "fclose", _) => {
                for argument in arguments {
                    self.number_argument(&mut steps, argument)?;
                }
                Some(self.done(steps, &ty))
            }
            ("fputs", 2) => {
                self.read_argument(&mut steps, &arguments[0])?;
                Some(self.done(steps, &ty))
            }
            ("abs" | "labs" | "llabs", 1) => {
                let value = self.expression(&arguments[0]);
                let value = self.keep(&mut steps, value);
                let zero = int(0, ty.clone(), span);
                let negative = compare(Cmp::Lt, value.clone(), zero);
                let minus = make(ExprKind::Neg(Box::new(value.clone())), ty.clone(), span);
                let chosen = ExprKind::Conditional(Box::new(negative), Box::new(minus), Box::new(value));
                Some(steps.give(make(chosen, ty, span)))
            }
            _ if CHARACTERS.contains(&name) && count == 1 => {
                let argument = self.expression(&arguments[0]);
                Some(guess(vec![argument], ty, span))
            }
            _ if FRACTIONS.contains(&name.trim_end_matches(['f', 'l'])) || FRACTIONS.contains(&name) => {
                let number = |a: &Expr| is_fraction(&a.ty) || a.ty.int().is_some();
                if !arguments.iter().all(number) {
                    return None;
                }
                let parts: Vec<Expr> = arguments.iter().map(|a| self.expression(a)).collect();
                Some(match is_fraction(&e.ty) {
                    true => nothing(parts, ty, span),
                    false => guess(parts, ty, span),
                })
            }
            _ if READERS.contains(&name) => {
                for argument in arguments {
                    self.read_argument(&mut steps, argument)?;
                }
                Some(steps.give(guess(Vec::new(), ty, span)))
            }
            ("strtol" | "strtoul" | "strtoll" | "strtod", 2 | 3) if is_null(&arguments[1]) => {
                self.read_argument(&mut steps, &arguments[0])?;
                Some(steps.give(guess(Vec::new(), ty, span)))
            }
            ("scanf", 1..) => self.scan(None, &arguments[0], &arguments[1..], steps),
            ("fscanf", 2..) => self.scan(None, &arguments[1], &arguments[2..], steps),
            ("sscanf", 2..) => self.scan(Some(&arguments[0]), &arguments[1], &arguments[2..], steps),
            ("memset" | "memcpy" | "memmove", 3) => self.memory(name, arguments, e, steps),
            _ => self.text_call(name, arguments, steps, &ty),
        }
    }

    /// A number from outside between these.
    fn outside(&mut self, steps: &mut Steps, ty: &Ty, low: i128, high: i128) -> Expr {
        let mut steps = std::mem::replace(steps, Steps::new(steps.span));
        let span = steps.span;
        let value = self.keep(&mut steps, nondet(ty.clone(), span));
        steps.assume(and(
            compare(Cmp::Le, int(low, ty.clone(), span), value.clone()),
            compare(Cmp::Le, value.clone(), int(high, ty.clone(), span)),
        ));
        steps.give(value)
    }

    /// The result of a function that has nothing to say.
    fn done(&mut self, steps: Steps, ty: &Ty) -> Expr {
        let span = steps.span;
        match ty {
            Ty::Void => convert(steps.give(int(0, Ty::INT, span)), &Ty::Void),
            ty => steps.give(nondet(ty.clone(), span)),
        }
    }

    /// An argument that is no text; a stream is a variable that nobody looks at.
    pub(super) fn number_argument(&mut self, steps: &mut Steps, argument: &Expr) -> Option<()> {
        if matches!(argument.exact().kind, ExprKind::Var(_)) && argument.ty.pointee().is_some() {
            return Some(());
        }
        let new = self.expression(argument);
        steps.run(new);
        Some(())
    }

    /// The block that a pointer argument leads to the beginning of.
    pub(super) fn block_argument(&mut self, steps: &mut Steps, argument: &Expr) -> Option<Block> {
        if let Some(block) = self.array_argument(steps, argument) {
            return Some(block);
        }
        let new = self.expression(without_void(argument));
        self.open(steps, new)
    }

    /// The block that an array is, which needs no pointer.
    pub(super) fn array_argument(&mut self, steps: &mut Steps, argument: &Expr) -> Option<Block> {
        let ExprKind::Convert(array) = &without_void(argument).exact().kind else { return None };
        let Ty::Array(element, Some(length)) = &array.ty else { return None };
        let object = self.expression(array);
        let block = self.array_block(object, *length, super::number(element)?)?;
        // An array inside an object is there as long as the object is.
        steps.run(block.touched());
        Some(block)
    }

    /// The text that a pointer argument leads into, and how much of it is left.
    fn rest(&mut self, steps: &mut Steps, argument: &Expr) -> Option<(Block, Expr)> {
        if let Some(block) = self.array_argument(steps, argument) {
            if block.kind.bits != 8 {
                return None;
            }
            steps.bounds(block.ends());
            let end = self.keep(steps, block.end());
            return Some((block, end));
        }
        let (pointer, at) = self.pair(steps, without_void(argument))?;
        let at = match at.kind {
            ExprKind::Int(0) => None,
            _ => Some(self.keep(steps, at)),
        };
        let block = self.open(steps, pointer)?;
        if block.kind.bits != 8 {
            return None;
        }
        steps.bounds(block.ends());
        let Some(at) = at else {
            let end = self.keep(steps, block.end());
            return Some((block, end));
        };
        // Where the next zero is after the first one is not known.
        let inside = and(
            compare(Cmp::Le, place(0, steps.span), at.clone()),
            compare(Cmp::Le, at.clone(), block.end()),
        );
        steps.rely(inside);
        let left = self.keep(steps, binary(BinOp::Sub, block.end(), at));
        Some((block, left))
    }

    /// An argument that is read up to its end, if it is text.
    pub(super) fn read_argument(&mut self, steps: &mut Steps, argument: &Expr) -> Option<()> {
        if matches!(argument.exact().kind, ExprKind::Str(_)) {
            return Some(());
        }
        if argument.ty.pointee().is_none() {
            return self.number_argument(steps, argument);
        }
        self.rest(steps, argument)?;
        Some(())
    }

    /// The length of a text, which is read up to its end.
    pub(super) fn text_length(&mut self, steps: &mut Steps, argument: &Expr) -> Option<Expr> {
        if let ExprKind::Str(bytes) = &argument.exact().kind {
            let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
            return Some(place(end as i128, argument.span));
        }
        self.rest(steps, argument).map(|(_, left)| left)
    }

    /// `printf` and the like.
    fn print(&mut self, which: Intrinsic, arguments: &[Expr], e: &Expr) -> Option<Expr> {
        let stream = |a: &Expr| matches!(a.exact().kind, ExprKind::Var(_)) && self.is_stream(&a.ty);
        let skip = arguments.iter().take_while(|a| stream(a)).count();
        // Which arguments are printed as text.
        let mut texts = vec![which == Intrinsic::Puts; arguments.len()];
        if which == Intrinsic::Print {
            let ExprKind::Str(format) = &arguments.get(skip)?.exact().kind else { return None };
            let (all, _) = conversions(format, false)?;
            // A part of a text need not have an end.
            if all.len() + skip + 1 != arguments.len()
                || all.iter().any(|c| c.is_text() && c.precision.is_some())
            {
                return None;
            }
            for (text, conversion) in texts[skip + 1..].iter_mut().zip(&all) {
                *text = conversion.is_text();
            }
        }
        let mut new = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let literal = matches!(argument.exact().kind, ExprKind::Str(_));
            let ty = self.value_type(&argument.ty);
            new.push(if literal || i < skip {
                argument.clone()
            } else if ty.pointee().is_some() {
                if !texts[i] {
                    // A pointer that is printed is not looked through.
                    if self.block_behind(&ty).is_none() && ty.target().is_none() && !is_null(argument) {
                        return None;
                    }
                    new.push(self.expression(argument));
                    continue;
                }
                let (_, kind) = self.block_behind(&ty)?;
                if kind.bits != 8 {
                    return None;
                }
                let mut steps = Steps::new(argument.span);
                self.printed_text(&mut steps, argument)?;
                steps.give(int(0, Ty::INT, argument.span))
            } else {
                self.expression(argument)
            });
        }
        Some(known(which, new, e.ty.clone(), e.span))
    }

    /// A text that is printed; libraries print something for a null pointer too.
    fn printed_text(&mut self, steps: &mut Steps, argument: &Expr) -> Option<()> {
        let array = matches!(&argument.exact().kind, ExprKind::Convert(a) if matches!(a.ty, Ty::Array(..)));
        if array {
            return self.read_argument(steps, argument);
        }
        let (pointer, at) = self.pair(steps, argument)?;
        let at = self.keep(steps, at);
        let pointer = self.keep(steps, pointer);
        let none = null(pointer.ty.clone(), steps.span);
        let mut text = Steps::new(steps.span);
        let block = self.open(&mut text, pointer.clone())?;
        text.bounds(block.ends());
        let inside =
            and(compare(Cmp::Le, place(0, steps.span), at.clone()), compare(Cmp::Le, at, block.end()));
        text.rely(inside);
        steps.if_else(compare(Cmp::Ne, pointer, none), text, None);
        Some(())
    }

    fn is_stream(&self, ty: &Ty) -> bool {
        ty.target().is_some_and(|id| self.old.record(id).members.is_none())
    }

    /// `scanf` and the like.
    fn scan(
        &mut self,
        source: Option<&Expr>,
        format: &Expr,
        targets: &[Expr],
        mut steps: Steps,
    ) -> Option<Expr> {
        let ExprKind::Str(format) = &format.exact().kind else { return None };
        let (all, _) = conversions(format, true)?;
        let all: Vec<Conversion> = all.into_iter().filter(|c| !c.dropped).collect();
        if all.len() != targets.len() {
            return None;
        }
        if let Some(source) = source {
            self.read_argument(&mut steps, source)?;
        }
        let span = steps.span;
        let any = |ty: Ty| if source.is_some() { guess(Vec::new(), ty, span) } else { nondet(ty, span) };
        let read = self.keep(&mut steps, any(Ty::INT));
        let most = int(all.len() as i128 + 1, Ty::INT, span);
        steps.assume(within(&read, int(-1, Ty::INT, span), most));
        for (i, (conversion, target)) in all.iter().zip(targets).enumerate() {
            let mut inner = Steps::new(span);
            if conversion.is_text() {
                let block = self.block_argument(&mut inner, target)?;
                let read = self.keep(&mut inner, any(Ty::Int(PLACE)));
                let one = place(1, span);
                inner.assume(compare(Cmp::Le, one, read.clone()));
                match conversion.width {
                    Some(width) => {
                        let width = place(i128::from(width), span);
                        inner.assume(compare(Cmp::Le, read.clone(), width.clone()));
                        // All that may be read must fit.
                        inner.bounds(compare(Cmp::Lt, width, block.length()));
                    }
                    None => inner.bounds(compare(Cmp::Lt, read.clone(), block.length())),
                }
                block.writable(&mut inner);
                self.set_end(&mut inner, &block, &read, source.is_some());
            } else {
                let bits = conversion.bits(self.old.lp64)?;
                self.receive(&mut inner, target, bits, &any)?;
            }
            let assigned = compare(Cmp::Gt, read.clone(), int(i as i128, Ty::INT, span));
            steps.if_else(assigned, inner, None);
        }
        Some(steps.give(read))
    }

    /// Text from outside with so many characters: a zero may be among them.
    pub(super) fn set_end(&mut self, steps: &mut Steps, block: &Block, most: &Expr, guessed: bool) {
        let span = steps.span;
        let ty = Ty::Int(PLACE);
        let any = if guessed { guess(Vec::new(), ty, span) } else { nondet(ty, span) };
        let end = self.keep(steps, any);
        let zero = place(0, span);
        steps.assume(and(compare(Cmp::Le, zero, end.clone()), compare(Cmp::Le, end.clone(), most.clone())));
        steps.run(assign(block.end(), end));
    }

    /// A number is written through a pointer.
    fn receive(
        &mut self,
        steps: &mut Steps,
        target: &Expr,
        bits: u32,
        any: &dyn Fn(Ty) -> Expr,
    ) -> Option<()> {
        let kind = super::number(target.ty.pointee()?)?;
        if u32::from(kind.bits) != bits {
            return None;
        }
        if let ExprKind::Address(object) = &target.exact().kind {
            let value = any(Ty::Int(kind));
            if let Some(stored) = self.written(object, value.clone()) {
                steps.run(stored);
                return Some(());
            }
            let object = self.expression(object);
            if matches!(object.kind, ExprKind::Unmodelled(..)) || object.ty != Ty::Int(kind) {
                return None;
            }
            steps.run(assign(object, value));
            return Some(());
        }
        let pointer = self.expression(target);
        if self.block_behind(&pointer.ty).is_some() {
            let block = self.open(steps, pointer)?;
            steps.bounds(compare(Cmp::Lt, place(0, steps.span), block.length()));
            return (kind.bits != 8).then_some(());
        }
        let object = make(ExprKind::Deref(Box::new(pointer)), Ty::Int(kind), target.span);
        steps.run(assign(object, any(Ty::Int(kind))));
        Some(())
    }
}

fn is_null(e: &Expr) -> bool {
    let mut e = e.exact();
    while let ExprKind::Convert(inner) = &e.kind {
        e = inner.exact();
    }
    matches!(e.kind, ExprKind::Null) || constant(e) == Some(0)
}
