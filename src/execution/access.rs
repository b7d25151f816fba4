//! Objects that expressions name, and what is read from and written to them.

use super::machine::{Doing, Machine};
use super::memory::{Found, Object, Storage, pointer};
use super::path::Relation;
use super::value::{Fill, Linear, ObjectId, Value};
use crate::frontend::c::hir::{Expr, ExprKind};
use crate::frontend::c::types::{BOOL, FloatKind, Ty};
use crate::program::{Check, IntKind};
use crate::util::span::Span;

/// Places that a symbolic offset may mean, at most: each is a path.
const MAX_PLACES: i128 = 256;

/// An object or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) address: Value,
    /// Of a bit-field: the first bit and how many.
    bits: Option<(u32, u32)>,
    /// It stands right behind the last element of an array inside of an object: it has an address and no value.
    behind: bool,
}

impl Place {
    /// An object by its address.
    pub(super) fn whole(address: Value) -> Place {
        Place { address, bits: None, behind: false }
    }
}

impl<'a> Machine<'a> {
    /// The object that an lvalue names. A struct that is no object becomes one.
    pub(super) fn place(&mut self, expr: &'a Expr) -> Doing<Place> {
        let expr = expr.exact();
        let span = expr.span;
        let whole = |address| Ok(Place::whole(address));
        match &expr.kind {
            ExprKind::Var(variable) => {
                let object = self.variable(*variable, span)?;
                whole(pointer(object))
            }
            ExprKind::Deref(inner) => {
                let address = self.value(inner)?;
                whole(address)
            }
            ExprKind::Member(base, index) => {
                let Ty::Record(id) = base.ty else { return self.give_up(span, "a member of no struct") };
                let Place { address, behind, .. } = self.place(base)?;
                let record = self.types().record(id);
                let Some(offset) = record.offsets.get(*index as usize) else {
                    return self.give_up(span, "where this member lies is not known");
                };
                let width = self.types().member_at(id, *index).and_then(|m| m.width);
                let address = self.moved(address, &Linear::number(i128::from(offset.byte)), span)?;
                Ok(Place { address, bits: width.map(|w| (offset.bit, w)), behind })
            }
            ExprKind::Index(array, index) => {
                let mut operands = self.operands(span);
                let (base, inside, behind) = if is_pointer(array) {
                    (self.value(array)?, false, false)
                } else {
                    let place = self.place(array)?;
                    (place.address, !matches!(array.exact().kind, ExprKind::Var(_)), place.behind)
                };
                self.operand_done(&mut operands);
                self.pending.push(base.clone());
                let index_value = self.value(index)?;
                self.pending.pop();
                self.operand_done(&mut operands);
                self.operands_end(operands, false, span)?;
                let Value::Int(index_value) = index_value else {
                    return self.give_up(index.span, "this value is an index");
                };
                let behind = match array.ty {
                    Ty::Array(_, Some(length)) if inside => {
                        self.is_behind(&index_value, length, span)? || behind
                    }
                    _ => behind,
                };
                let size = self.size(&expr.ty, span)?;
                let offset = self.linear(index_value.times(i128::from(size)), span)?;
                let address = self.moved(base, &offset, span)?;
                Ok(Place { address, bits: None, behind })
            }
            ExprKind::Str(bytes) => {
                let object = self.literal(bytes, span)?;
                whole(pointer(object))
            }
            _ => {
                let value = self.value(expr)?;
                let size = self.size(&expr.ty, span)?;
                let mut object = Object::new(size, Storage::Automatic, Fill::Arbitrary);
                object.ty = Some(expr.ty.clone());
                let id = self.new_object(object, span)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.automatic.push(id);
                }
                self.store(&pointer(id), &expr.ty, value, span)?;
                whole(pointer(id))
            }
        }
    }

    /// Whether an index into an array inside of an object is the one behind the last element. Others that are no
    /// elements have no meaning, though bytes of the object may lie there. An array of at most one element at the
    /// end of a struct is often meant to be longer.
    fn is_behind(&mut self, index: &Linear, length: u64, span: Span) -> Doing<bool> {
        if length <= 1 {
            return Ok(false);
        }
        let length = i128::from(length);
        let below = self.linear(index.shifted(1), span)?;
        // length - index <= 0
        let beyond = self.linear(index.times(-1).and_then(|i| i.shifted(length)), span)?;
        if !self.decide(&below, Relation::NotPositive, span)? {
            if !self.decide(&beyond, Relation::NotPositive, span)? {
                return Ok(false);
            }
            if self.decide(&beyond, Relation::Zero, span)? {
                return Ok(true);
            }
        }
        self.outside_array(span)
    }

    fn outside_array<T>(&mut self, span: Span) -> Doing<T> {
        let message = "access outside of an array inside of an object";
        // The competition counts objects.
        if self.options.property.is_some() {
            return self.give_up(span, message);
        }
        self.fail(Check::Memsafety, span, message)
    }

    /// The object of a string literal.
    pub(super) fn literal(&mut self, bytes: &[u8], span: Span) -> Doing<ObjectId> {
        let key = (span.start, span.end, bytes.to_vec());
        if let Some(id) = self.literals.get(&key) {
            return Ok(*id);
        }
        let mut object = Object::new(bytes.len() as u64 + 1, Storage::Static, Fill::Zero);
        for (i, byte) in bytes.iter().enumerate() {
            object.write(i as u64, 1, Value::int(i128::from(*byte)));
        }
        object.constant = true;
        let id = self.new_object(object, span)?;
        self.literals.insert(key, id);
        Ok(id)
    }

    /// An address and so many bytes.
    pub(super) fn moved(&mut self, address: Value, by: &Linear, span: Span) -> Doing<Value> {
        if by.known() == Some(0) {
            return Ok(address);
        }
        match address {
            Value::Pointer(object, offset) => {
                let offset = self.linear(offset.plus(1, by), span)?;
                Ok(Value::Pointer(object, offset))
            }
            Value::Int(number) => Ok(Value::Int(self.linear(number.plus(1, by), span)?)),
            wild @ Value::Wild(_) => Ok(wild),
            _ => self.give_up(span, "arithmetic on this pointer"),
        }
    }

    /// The place that an access means: its object and offset, or what is wrong with it.
    pub(super) fn accessed(
        &mut self,
        address: &Value,
        length: u64,
        write: bool,
        span: Span,
    ) -> Doing<(ObjectId, u64)> {
        let (id, offset) = match address {
            Value::Pointer(id, offset) => (self.settled(*id, span)?, offset.clone()),
            Value::Int(number) => {
                let null = self.decide(number, Relation::Zero, span)?;
                let text = if null { "null dereference" } else { "access to an address that is no object's" };
                return self.fail(Check::Memsafety, span, text);
            }
            Value::Wild(_) => {
                return self.fail(Check::Memsafety, span, "dereference of a pointer that leads to no object");
            }
            Value::Function(_) => {
                return self.fail(Check::Memsafety, span, "access to a function as an object");
            }
            _ => return self.give_up(span, "this value is an address"),
        };
        if self.memory.object(id).outside.is_some() {
            self.come_to_be(id, &offset, length, span)?;
        }
        let object = self.memory.object(id);
        if !object.alive {
            let text = match object.storage {
                Storage::Heap => "access to a freed object",
                _ => "access to a variable outside of its block",
            };
            return self.fail(Check::Memsafety, span, text);
        }
        if write && object.constant {
            return self.fail(Check::Memsafety, span, "a string literal is written to");
        }
        let size = i128::from(object.size);
        let last = size - i128::from(length);
        // offset < 0, or offset > last
        let below = self.linear(offset.shifted(1), span)?;
        let outside = self.decide(&below, Relation::NotPositive, span)? || {
            let beyond = self.linear(offset.times(-1).and_then(|o| o.shifted(last + 1)), span)?;
            self.decide(&beyond, Relation::NotPositive, span)?
        };
        if outside {
            let text = match offset.known() {
                Some(at) => format!("access to {length} bytes at offset {at} of an object of {size} bytes"),
                None => format!("access outside of an object of {size} bytes"),
            };
            return self.fail(Check::Memsafety, span, text);
        }
        let offset = self.concrete(&offset, span)?;
        match u64::try_from(offset) {
            Ok(offset) => {
                self.touch(id, offset, length, write);
                Ok((id, offset))
            }
            Err(_) => self.give_up(span, "this offset"),
        }
    }

    /// One of the numbers that a sum may be: each makes a path.
    pub(super) fn concrete(&mut self, sum: &Linear, span: Span) -> Doing<i128> {
        if let Some(known) = sum.known() {
            return Ok(known);
        }
        let step = sum.step().max(1);
        let Some((low, high)) = self.path.range(sum) else { return self.give_up(span, "this number") };
        let first = low + (sum.constant - low).rem_euclid(step);
        if (high - first) / step >= MAX_PLACES {
            return self.give_up(span, "too many values of a number make a difference here");
        }
        let mut at = first;
        while at < high {
            let difference = self.linear(sum.shifted(-at), span)?;
            if self.decide(&difference, Relation::Zero, span)? {
                return Ok(at);
            }
            at += step;
        }
        Ok(at)
    }

    /// The value of an object.
    pub(super) fn load(&mut self, place: &Place, ty: &Ty, span: Span) -> Doing<Value> {
        if place.behind {
            return self.outside_array(span);
        }
        if let Some((bit, width)) = place.bits {
            return self.load_bits(&place.address, bit, width, ty, span);
        }
        let size = self.size(ty, span)?;
        let (id, at) = self.accessed(&place.address, size, false, span)?;
        if let Ty::Record(_) = ty {
            let bytes = self.memory.object_mut(id).copy_out(at, size);
            return Ok(Value::Record(Box::new(bytes)));
        }
        let found = self.memory.object(id).read(at, size);
        let value = match found {
            Found::Value(value) => value,
            Found::Mixed => return self.give_up(span, "bytes of several values are read as one"),
            Found::Arbitrary => {
                let value = self.arbitrary(ty);
                self.memory.object_mut(id).write(at, size, value.clone());
                value
            }
        };
        self.seen_as(value, ty, span)
    }

    /// Any value of a type.
    pub(super) fn arbitrary(&mut self, ty: &Ty) -> Value {
        match ty {
            Ty::Int(kind) => Value::Int(self.path.fresh(IntKind::min(*kind), IntKind::max(*kind))),
            Ty::Pointer(_) | Ty::Array(..) => Value::Wild(self.path.fresh(0, 1)),
            // In a run it is one of them.
            Ty::Float(_) if self.path.is_run() => Value::Float(0.0),
            Ty::Float(_) => Value::AnyFloat,
            _ => Value::Unknown,
        }
    }

    /// Bytes that hold a value, read with a type.
    fn seen_as(&mut self, value: Value, ty: &Ty, span: Span) -> Doing<Value> {
        match (ty, value) {
            (Ty::Int(kind), Value::Int(number)) => match number.known() {
                Some(n) if *kind == BOOL => Ok(Value::int(i128::from(n != 0))),
                Some(n) => Ok(Value::int(kind.wrap(n))),
                None => self.wrapped(&number, *kind, span).map(Value::Int),
            },
            (Ty::Int(kind), Value::Float(x)) => {
                let bits =
                    if kind.bits == 32 { i128::from((x as f32).to_bits()) } else { i128::from(x.to_bits()) };
                Ok(Value::int(kind.wrap(bits)))
            }
            (Ty::Int(kind), Value::AnyFloat) => {
                self.path.inexact = true;
                Ok(Value::Int(self.path.fresh(IntKind::min(*kind), IntKind::max(*kind))))
            }
            (Ty::Float(kind), Value::Int(number)) => match (number.known(), kind) {
                (Some(n), FloatKind::Single) => Ok(Value::Float(f64::from(f32::from_bits(n as u32)))),
                (Some(n), FloatKind::Double) => Ok(Value::Float(f64::from_bits(n as u64))),
                (None, _) | (_, FloatKind::Extended) => {
                    self.path.inexact = true;
                    Ok(Value::AnyFloat)
                }
            },
            (Ty::Float(_), value @ (Value::Float(_) | Value::AnyFloat)) => Ok(value),
            (Ty::Float(_), _) => self.give_up(span, "a pointer read as a number with a fraction"),
            (_, value) => Ok(value),
        }
    }

    /// The bytes around a bit-field as one number.
    fn unit(
        &mut self,
        address: &Value,
        bit: u32,
        width: u32,
        write: bool,
        span: Span,
    ) -> Doing<(ObjectId, u64, u64, Linear)> {
        let length = u64::from(bit + width).div_ceil(8);
        let (id, at) = self.accessed(address, length, write, span)?;
        let number = match self.memory.object(id).read(at, length) {
            Found::Value(Value::Int(number)) if number.known().is_some() => {
                let modulus = 1i128 << (8 * length);
                Linear::number(number.constant.rem_euclid(modulus))
            }
            Found::Value(Value::Int(number)) => number,
            Found::Arbitrary => {
                let number = self.path.fresh(0, (1i128 << (8 * length)) - 1);
                self.memory.object_mut(id).write(at, length, Value::Int(number.clone()));
                number
            }
            _ => return self.give_up(span, "bytes of several values are read as one"),
        };
        Ok((id, at, length, number))
    }

    fn load_bits(&mut self, address: &Value, bit: u32, width: u32, ty: &Ty, span: Span) -> Doing<Value> {
        let (_, _, _, unit) = self.unit(address, bit, width, false, span)?;
        let field = self.field_of(&unit, bit, width, span)?;
        let signed = ty.int().is_some_and(|k| k.signed);
        let kind = IntKind { bits: width as u8, signed };
        match ty.int() {
            Some(BOOL) | None => Ok(Value::Int(field)),
            Some(_) if width >= 64 => self.wrapped(&field, kind, span).map(Value::Int),
            Some(_) if signed => self.wrapped(&field, kind, span).map(Value::Int),
            Some(_) => Ok(Value::Int(field)),
        }
    }

    /// Some bits of a number that is not negative.
    fn field_of(&mut self, unit: &Linear, bit: u32, width: u32, span: Span) -> Doing<Linear> {
        let (shifted, _) = self.divided(unit, 1i128 << bit, span)?;
        let (_, field) = self.divided(&shifted, 1i128 << width, span)?;
        Ok(field)
    }

    /// Writes a value of this type to an address.
    pub(super) fn store(&mut self, address: &Value, ty: &Ty, value: Value, span: Span) -> Doing<()> {
        self.put(&Place::whole(address.clone()), ty, value, span)
    }

    /// Writes a value to an object.
    pub(super) fn put(&mut self, place: &Place, ty: &Ty, value: Value, span: Span) -> Doing<()> {
        if place.behind {
            return self.outside_array(span);
        }
        if let Some((bit, width)) = place.bits {
            let (id, at, length, unit) = self.unit(&place.address, bit, width, true, span)?;
            let old = self.field_of(&unit, bit, width, span)?;
            let Value::Int(new) = value else { return self.give_up(span, "this value in a bit-field") };
            let new = self.wrapped(&new, IntKind { bits: width as u8, signed: false }, span)?;
            let change = self.linear(new.plus(-1, &old), span)?;
            let unit = self.linear(unit.plus(1i128 << bit, &change), span)?;
            self.memory.object_mut(id).write(at, length, Value::Int(unit));
            return Ok(());
        }
        let size = self.size(ty, span)?;
        let (id, at) = self.accessed(&place.address, size, true, span)?;
        let object = self.memory.object_mut(id);
        match value {
            Value::Record(bytes) => object.copy_in(at, &bytes),
            value => object.write(at, size, value),
        }
        if object.ty.is_none() && at == 0 && object.size == size {
            object.ty = Some(ty.clone());
        }
        Ok(())
    }

    /// Assigns to an lvalue.
    pub(super) fn store_into(&mut self, target: &'a Expr, value: Value) -> Doing<()> {
        let place = self.place(target)?;
        self.put(&place, &target.ty, value, target.span)
    }
}

/// Its value is a pointer, though its type may say array: a parameter.
pub(super) fn is_pointer(array: &Expr) -> bool {
    match &array.ty {
        Ty::Pointer(_) => true,
        Ty::Array(_, None) => {
            matches!(array.exact().kind, ExprKind::Var(crate::frontend::c::hir::Variable::Local(_)))
        }
        _ => false,
    }
}
