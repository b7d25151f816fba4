//! The standard library: allocation, bytes, sorting and searching, numbers from outside. Strings are in [`super::text`].
//!
//! What touches memory is exact. What comes from outside is a symbol.

use super::machine::{Doing, Machine};
use super::memory::{Found, Object, Storage, pointer};
use super::path::Relation;
use super::value::{Fill, Linear, ObjectId, Value};
use crate::frontend::c::Malloc;
use crate::frontend::c::formats::conversions;
use crate::frontend::c::hir::{Expr, ExprKind};
use crate::frontend::c::types::Ty;
use crate::program::{Check, Cmp, IntKind};
use crate::util::span::Span;

/// Bytes that one call fills, copies or compares one by one, at most.
const MAX_BYTES: u64 = 1 << 20;
/// Elements that are sorted, at most.
const MAX_SORTED: u64 = 1 << 10;

impl<'a> Machine<'a> {
    /// A call of a function that is not defined in the unit.
    pub(super) fn library(
        &mut self,
        name: &str,
        values: Vec<Value>,
        arguments: &'a [Expr],
        whole: &'a Expr,
    ) -> Doing<Value> {
        let span = whole.span;
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let unknown = Value::Unknown;
        let at = |i: usize| values.get(i).cloned().unwrap_or(unknown.clone());
        match (plain, values.len()) {
            ("malloc", 1) => {
                let size = self.bytes(&at(0), span)?;
                self.allocate(size, Fill::Arbitrary, span)
            }
            ("calloc", 2) => {
                let (count, size) = (self.bytes(&at(0), span)?, self.bytes(&at(1), span)?);
                match count.checked_mul(size) {
                    Some(size) => self.allocate(size, Fill::Zero, span),
                    None => Ok(Value::int(0)),
                }
            }
            ("realloc", 2) => self.reallocate(at(0), at(1), span),
            ("free", 1) => self.free(&at(0), span),
            ("alloca", 1) => {
                let size = self.bytes(&at(0), span)?;
                let id = self.new_object(Object::new(size, Storage::Automatic, Fill::Arbitrary), span)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.automatic.push(id);
                }
                Ok(pointer(id))
            }
            ("memset", 3) => self.memset(at(0), at(1), at(2), span),
            ("memcpy" | "memmove", 3) => self.memcpy(at(0), at(1), at(2), plain == "memcpy", span),
            ("memcmp", 3) => {
                let length = self.bytes(&at(2), span)?;
                self.compare_bytes(&at(0), &at(1), length, false, span)
            }
            ("memchr", 3) => self.find_byte(&at(0), &at(1), &at(2), span),
            ("abs" | "labs" | "llabs", 1) => {
                let Value::Int(number) = at(0) else { return self.give_up(span, "the size of this value") };
                // x < 0
                let below = self.linear(number.shifted(1), span)?;
                let negative = self.decide(&below, Relation::NotPositive, span)?;
                if !negative {
                    return Ok(Value::Int(number));
                }
                let opposite = self.linear(number.times(-1), span)?;
                let kind = whole.ty.int().unwrap_or(IntKind::INT);
                self.in_kind(opposite, kind, "-", span).map(Value::Int)
            }
            ("qsort", 4) => self.sort(&values, arguments, whole),
            ("bsearch", 5) => self.search(&values, arguments, whole),
            ("rand" | "random", 0) => Ok(Value::Int(self.path.fresh(0, IntKind::INT.max()))),
            ("srand" | "srandom" | "setbuf" | "tzset", _) => Ok(Value::Unknown),
            ("time", 1) if at(0).known() == Some(0) => Ok(self.arbitrary(&whole.ty)),
            ("clock" | "getpid", 0) => Ok(self.arbitrary(&whole.ty)),
            ("getchar", 0) => Ok(Value::Int(self.path.fresh(-1, 255))),
            ("atexit", 1) => self.register(&at(0), span),
            ("unreachable", 0) => {
                self.give_up(span, "`__builtin_unreachable` has no meaning where it is reached")
            }
            ("trap" | "abort", 0) => Err(self.end(span)),
            ("exit", 1) => Err(self.exit(span)),
            ("_exit" | "_Exit" | "quick_exit", 1) => Err(self.end(span)),
            ("getenv" | "secure_getenv", 1) => {
                self.length(&at(0), None, span)?;
                if self.choose(span)? {
                    return self.text_from_outside(span);
                }
                Ok(Value::int(0))
            }
            ("va_start" | "va_arg" | "va_end" | "va_copy", _) => {
                match self.list_of_arguments(plain, &values, whole)? {
                    Some(value) => Ok(value),
                    None => self.give_up(span, format!("`{name}` without a list")),
                }
            }
            ("vprintf", 2) => self.print_list(&at(0), &at(1), whole),
            ("vfprintf" | "vdprintf" | "vsyslog", 3) => self.print_list(&at(1), &at(2), whole),
            _ => match self.text_function(plain, &values, arguments, whole)? {
                Some(value) => Ok(value),
                None => self.give_up(span, format!("`{name}` has neither a body nor a contract")),
            },
        }
    }

    /// A new object of the heap.
    pub(super) fn allocate(&mut self, size: u64, fill: Fill, span: Span) -> Doing<Value> {
        if self.options.malloc == Malloc::MayFail && self.choose(span)? {
            return Ok(Value::int(0));
        }
        let id = self.new_object(Object::new(size, Storage::Heap, fill), span)?;
        Ok(pointer(id))
    }

    fn free(&mut self, address: &Value, span: Span) -> Doing<Value> {
        let Some(id) = self.freed(address, "free", span)? else { return Ok(Value::Unknown) };
        self.end_object(id);
        Ok(Value::Unknown)
    }

    /// The object of the heap that a pointer to be freed leads to; none if it is null.
    fn freed(&mut self, address: &Value, what: &str, span: Span) -> Doing<Option<ObjectId>> {
        match address {
            Value::Int(number) => {
                if self.decide(number, Relation::Zero, span)? {
                    return Ok(None);
                }
                self.fail(Check::Memsafety, span, format!("{what} of an address that is no object's"))
            }
            Value::Wild(null) => {
                if self.decide(null, Relation::Zero, span)? {
                    return Ok(None);
                }
                self.fail(Check::Memsafety, span, format!("{what} of a pointer that leads to no object"))
            }
            Value::Function(_) => self.fail(Check::Memsafety, span, format!("{what} of a function")),
            Value::Pointer(id, offset) => {
                let id = self.settled(*id, span)?;
                let object = self.memory.object(id);
                let (storage, alive) = (object.storage, object.alive);
                if storage != Storage::Heap {
                    return self.fail(Check::Memsafety, span, format!("{what} of a variable"));
                }
                if !alive {
                    return self.fail(Check::Memsafety, span, format!("{what} of an object that is freed"));
                }
                if !self.decide(offset, Relation::Zero, span)? {
                    return self.fail(Check::Memsafety, span, format!("{what} of the middle of an object"));
                }
                self.touch(id, 0, u64::MAX, true);
                Ok(Some(id))
            }
            _ => self.give_up(span, "this value is freed"),
        }
    }

    fn reallocate(&mut self, old: Value, size: Value, span: Span) -> Doing<Value> {
        let size = self.bytes(&size, span)?;
        if size == 0 {
            return self.give_up(span, "`realloc` to size 0 is not modelled");
        }
        let Some(id) = self.freed(&old, "free by `realloc`", span)? else {
            return self.allocate(size, Fill::Arbitrary, span);
        };
        let new = self.allocate(size, Fill::Arbitrary, span)?;
        let Value::Pointer(to, _) = new else { return Ok(new) };
        let kept = size.min(self.memory.object(id).size);
        let bytes = self.memory.object_mut(id).copy_out(0, kept);
        self.memory.object_mut(to).copy_in(0, &bytes);
        let ty = self.memory.object(id).ty.clone();
        self.memory.object_mut(to).ty = ty;
        self.end_object(id);
        Ok(new)
    }

    fn memset(&mut self, to: Value, byte: Value, size: Value, span: Span) -> Doing<Value> {
        let length = self.bytes(&size, span)?;
        if length == 0 {
            return Ok(to);
        }
        let (id, at) = self.accessed(&to, length, true, span)?;
        let Value::Int(byte) = byte else { return self.give_up(span, "this value as a byte") };
        let byte = self.wrapped(&byte, IntKind { bits: 8, signed: false }, span)?;
        let object = self.memory.object_mut(id);
        if byte.known() == Some(0) {
            object.fill(at, length, Fill::Zero);
        } else if length <= MAX_BYTES {
            for i in 0..length {
                object.write(at + i, 1, Value::Int(byte.clone()));
            }
        } else {
            return self.give_up(span, "so much memory is filled");
        }
        Ok(to)
    }

    fn memcpy(&mut self, to: Value, from: Value, size: Value, apart: bool, span: Span) -> Doing<Value> {
        let length = self.bytes(&size, span)?;
        if length == 0 {
            return Ok(to);
        }
        let (source, start) = self.accessed(&from, length, false, span)?;
        let (target, place) = self.accessed(&to, length, true, span)?;
        if apart && source == target && start < place + length && place < start + length {
            return self.give_up(span, "`memcpy` between objects that overlap has no meaning");
        }
        let bytes = self.memory.object_mut(source).copy_out(start, length);
        self.memory.object_mut(target).copy_in(place, &bytes);
        let ty = self.memory.object(source).ty.clone();
        let object = self.memory.object_mut(target);
        if object.ty.is_none() && place == 0 && start == 0 {
            object.ty = ty;
        }
        Ok(to)
    }

    /// One byte, as an `unsigned char`.
    pub(super) fn byte_at(&mut self, address: &Value, index: u64, span: Span) -> Doing<Linear> {
        let address = self.moved(address.clone(), &Linear::number(i128::from(index)), span)?;
        let (id, at) = self.accessed(&address, 1, false, span)?;
        self.budget.spend(1)?;
        match self.memory.object(id).read(at, 1) {
            Found::Value(Value::Int(number)) => {
                self.wrapped(&number, IntKind { bits: 8, signed: false }, span)
            }
            Found::Arbitrary => {
                let byte = self.path.fresh(0, 255);
                self.memory.object_mut(id).write(at, 1, Value::Int(byte.clone()));
                Ok(byte)
            }
            _ => self.give_up(span, "a byte of this value is looked at"),
        }
    }

    pub(super) fn set_byte(&mut self, address: &Value, index: u64, byte: Linear, span: Span) -> Doing<()> {
        let address = self.moved(address.clone(), &Linear::number(i128::from(index)), span)?;
        let (id, at) = self.accessed(&address, 1, true, span)?;
        self.budget.spend(1)?;
        self.memory.object_mut(id).write(at, 1, Value::Int(byte));
        Ok(())
    }

    /// `memcmp`, or `strncmp` if a zero ends both.
    pub(super) fn compare_bytes(
        &mut self,
        a: &Value,
        b: &Value,
        length: u64,
        text: bool,
        span: Span,
    ) -> Doing<Value> {
        for i in 0..length {
            let (x, y) = (self.byte_at(a, i, span)?, self.byte_at(b, i, span)?);
            let (p, q) = (Value::Int(x.clone()), Value::Int(y));
            if self.compare(Cmp::Lt, p.clone(), q.clone(), span)? {
                return Ok(Value::int(-1));
            }
            if self.compare(Cmp::Gt, p, q, span)? {
                return Ok(Value::int(1));
            }
            if text && self.decide(&x, Relation::Zero, span)? {
                break;
            }
        }
        Ok(Value::int(0))
    }

    fn find_byte(&mut self, from: &Value, byte: &Value, size: &Value, span: Span) -> Doing<Value> {
        let length = self.bytes(size, span)?;
        let Value::Int(byte) = byte else { return self.give_up(span, "this value as a byte") };
        let byte = self.wrapped(byte, IntKind { bits: 8, signed: false }, span)?;
        for i in 0..length {
            let found = self.byte_at(from, i, span)?;
            let difference = self.linear(found.plus(-1, &byte), span)?;
            if self.decide(&difference, Relation::Zero, span)? {
                return self.moved(from.clone(), &Linear::number(i128::from(i)), span);
            }
        }
        Ok(Value::int(0))
    }

    /// Calls a comparison of the program.
    fn ask(
        &mut self,
        function: &Value,
        a: Value,
        b: Value,
        arguments: &'a [Expr],
        whole: &'a Expr,
    ) -> Doing<Linear> {
        let Value::Function(index) = function else {
            return self.give_up(whole.span, "a comparison through this value");
        };
        self.held += 1;
        let order = self.call_function(*index, vec![a, b], None, arguments, whole)?;
        self.held -= 1;
        match order {
            Value::Int(number) => Ok(number),
            _ => self.give_up(whole.span, "the result of this comparison"),
        }
    }

    /// `qsort`, by insertion: a comparison that is no order gives some permutation as C allows.
    fn sort(&mut self, values: &[Value], arguments: &'a [Expr], whole: &'a Expr) -> Doing<Value> {
        let span = whole.span;
        let (count, size) = (self.bytes(&values[1], span)?, self.bytes(&values[2], span)?);
        if count > MAX_SORTED {
            return self.give_up(span, "so many elements are sorted");
        }
        let Some(total) = count.checked_mul(size).filter(|t| *t > 0) else { return Ok(Value::Unknown) };
        let (id, start) = self.accessed(&values[0], total, true, span)?;
        let element = |i: u64| Value::Pointer(id, Linear::number(i128::from(start + i * size)));
        for i in 1..count {
            let mut at = i;
            while at > 0 {
                let order = self.ask(&values[3], element(at - 1), element(at), arguments, whole)?;
                // order <= 0
                if self.decide(&order, Relation::NotPositive, span)? {
                    break;
                }
                let object = self.memory.object_mut(id);
                let (low, high) = (start + (at - 1) * size, start + at * size);
                let (a, b) = (object.copy_out(low, size), object.copy_out(high, size));
                object.copy_in(low, &b);
                object.copy_in(high, &a);
                at -= 1;
            }
        }
        Ok(Value::Unknown)
    }

    fn search(&mut self, values: &[Value], arguments: &'a [Expr], whole: &'a Expr) -> Doing<Value> {
        let span = whole.span;
        let (count, size) = (self.bytes(&values[2], span)?, self.bytes(&values[3], span)?);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let offset = Linear::number(i128::from(middle) * i128::from(size));
            let element = self.moved(values[1].clone(), &offset, span)?;
            let order = self.ask(&values[4], values[0].clone(), element.clone(), arguments, whole)?;
            if self.decide(&order, Relation::Zero, span)? {
                return Ok(element);
            }
            if self.decide(&order, Relation::NotPositive, span)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(Value::int(0))
    }

    /// `printf` and the like (`formatted`), `puts` and the like: what is printed is read.
    pub(super) fn print(
        &mut self,
        formatted: bool,
        values: &[Value],
        arguments: &'a [Expr],
        whole: &'a Expr,
    ) -> Doing<Value> {
        let span = whole.span;
        let is_text =
            |e: &Expr| matches!(&e.ty, Ty::Pointer(of) if matches!(**of, Ty::Int(IntKind { bits: 8, .. })));
        // Arguments that are printed as text, and how many characters of them at most.
        let mut texts: Vec<(usize, Option<u64>)> = Vec::new();
        if formatted {
            let format = arguments.iter().enumerate().find_map(|(i, e)| match &e.exact().kind {
                ExprKind::Str(format) => Some((i, conversions(format, false)?.0)),
                _ => None,
            });
            let known = format.filter(|(i, all)| i + 1 + all.len() == arguments.len());
            let Some((i, all)) = known else { return self.give_up(span, "this format is not known") };
            let printed = all.iter().enumerate().filter(|(_, c)| c.is_text());
            texts.extend(printed.map(|(n, c)| (i + 1 + n, c.precision)));
        } else {
            texts.extend((0..arguments.len()).filter(|i| is_text(&arguments[*i])).map(|i| (i, None)));
        }
        for (i, most) in texts {
            if !is_text(&arguments[i]) {
                return self.give_up(arguments[i].span, "this value is printed as text");
            }
            // Libraries print something for a null pointer.
            if values[i].known() != Some(0) {
                self.length(&values[i], most, span)?;
            }
        }
        match whole.ty {
            Ty::Int(kind) => Ok(Value::Int(self.path.fresh(kind.min(), kind.max()))),
            _ => Ok(Value::Unknown),
        }
    }
}
