//! Conversions between pointers: the same object seen as another type, or a struct inside or around it.

use super::super::hir::Expr;
use super::super::types::Ty;
use super::address::{bytes, path_at};
use super::classes::Class;
use super::flow::{Flow, Owner, key};

impl Flow<'_> {
    pub(super) fn conversion(&mut self, inner: &Expr, whole: &Expr) -> Option<Class> {
        let class = self.value(inner);
        let target = whole.ty.pointee()?;
        let Some(mut class) = class else {
            // A number as a pointer.
            let Some((base, offset)) = bytes(self.types, inner) else {
                return self.unknown_result(&whole.ty);
            };
            let class = self.noted(base)?;
            return self.moved(class, base, offset, target).or_else(|| self.unknown_result(&whole.ty));
        };
        if matches!(inner.ty, Ty::Array(..) | Ty::Function(_)) || self.opaque(target) {
            return Some(class);
        }
        let Some((base, offset)) = bytes(self.types, inner) else {
            return Some(class);
        };
        if key(base) != key(inner) {
            class = self.noted(base).unwrap_or(class);
        }
        if let Some(moved) = self.moved(class, base, offset, target) {
            return Some(moved);
        }
        if matches!(target, Ty::Int(kind) if kind.bits == 8) {
            // Bytes of an object.
            return Some(class);
        }
        if offset != 0 {
            return self.unknown_result(&whole.ty);
        }
        self.see(class, target);
        Some(class)
    }

    /// A pointer to an object of the class, moved by so many bytes to one of the type.
    fn moved(&mut self, class: Class, base: &Expr, offset: i128, target: &Ty) -> Option<Class> {
        let (Ty::Record(from), Ty::Record(to)) = (base.ty.pointee()?, target) else { return None };
        let (from, to) = (*from, *to);
        if self.types.opaque == Some(from) || self.types.opaque == Some(to) {
            return None;
        }
        if from == to && offset == 0 {
            return Some(class);
        }
        if let Some(path) = path_at(self.types, to, from, -offset) {
            let owner = self.object(target);
            let mut around = owner;
            let mut record = to;
            let mut before = 0;
            for index in path {
                let part = self.field(around, record, index);
                let bytes = i128::from(self.types.record(record).offsets.get(index as usize)?.byte);
                self.owners.push(Owner { part, owner: around, member: (record, index), offset: bytes });
                before += bytes;
                if let Some(Ty::Record(inner)) = self.types.member_at(record, index).map(|m| &m.ty) {
                    record = *inner;
                }
                around = part;
            }
            debug_assert_eq!(before, -offset, "the path leads to the offset");
            self.classes.join(around, class);
            return Some(owner);
        }
        let path = path_at(self.types, from, to, offset)?;
        let (mut around, mut record) = (class, from);
        for index in path {
            let part = self.field(around, record, index);
            let bytes = i128::from(self.types.record(record).offsets.get(index as usize)?.byte);
            self.owners.push(Owner { part, owner: around, member: (record, index), offset: bytes });
            if let Some(Ty::Record(inner)) = self.types.member_at(record, index).map(|m| &m.ty) {
                record = *inner;
            }
            around = part;
        }
        Some(around)
    }
}
