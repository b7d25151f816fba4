//! New cells: `malloc` and what else makes an object, once it is known of which type.

use super::super::types::Ty;
use super::expression::Value;
use super::{Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{Command, Expr as Pure, Storage, Type, VarId};

impl Lowerer<'_> {
    /// A new cell for `T *`.
    pub(super) fn allocate(
        &mut self,
        fresh: Value,
        ty: &Ty,
        into: Option<VarId>,
        span: Span,
    ) -> Lowering<Value> {
        let (Value::Fresh { bytes, named, zeroed }, Some(target)) = (fresh, ty.pointee()) else {
            return self.unsupported(span, "this allocation is not modelled");
        };
        let of = match target {
            Ty::Record(record) => self.struct_id(*record, span)?,
            scalar if scalar.is_scalar() => self.box_of(scalar, span)?.0,
            _ => return self.unsupported(span, "an allocation for this type is not modelled"),
        };
        let size = self.unit.types.layout(target).map(|(size, _)| i128::from(size));
        let merged = match target {
            Ty::Record(record) => self.allocated_kind(*record, bytes, named.as_ref()).map(|k| (*record, k)),
            _ => None,
        };
        // What nobody looks into may have any size.
        let opaque = self.unit.types.is_opaque(ty);
        let exact = named.as_ref() == Some(target) || (bytes.is_some() && bytes == size);
        if !exact && !opaque && merged.is_none() {
            let name = self.unit.types.show(target);
            let message = match (bytes, size) {
                (Some(bytes), Some(size)) => {
                    format!(
                        "{bytes} bytes are allocated for one `{name}` of {size}: only the exact size is modelled"
                    )
                }
                _ => format!("the size of this allocation is not that of one `{name}`"),
            };
            return self.unsupported(span, message);
        }
        let to = match into {
            Some(var) if self.program.vars[var.index()].ty == Type::Ptr(of) => var,
            _ => self.temp(Type::Ptr(of), span),
        };
        let command = Command::Alloc { to, of, storage: Storage::Heap, zeroed };
        if self.may_fail() {
            let (start, end) = (self.here, self.program.add_location());
            if self.parts.contains_key(&of) || merged.is_some() {
                self.emit(command, span);
                if let Some((record, kind)) = merged {
                    self.store_kind(to, record, kind, span)?;
                }
                self.begin_parts(to, Storage::Heap, zeroed, span);
                self.emit_to(end, Command::Skip, span);
            } else {
                self.emit_to(end, command, span);
            }
            self.here = start;
            self.emit_to(end, Command::Assign(to, Pure::Null(of)), span);
            self.here = end;
        } else {
            self.emit(command, span);
            if let Some((record, kind)) = merged {
                self.store_kind(to, record, kind, span)?;
            }
            self.begin_parts(to, Storage::Heap, zeroed, span);
        }
        Ok(Value::Ptr(Pure::Var(to), of))
    }
}
