//! String literals as values: pointers to characters that exist while the program runs.
//!
//! A literal that is only printed or handed on has no cell. One that is stored, compared or read is a pointer to a
//! cell with its first character; more of it cannot be reached, because arithmetic on pointers is not modelled. The cell is
//! automatic, so `free` of it is an error. Writing to a literal has no meaning in C; a unit that writes through any
//! pointer to characters has no such values. Whether two literals lie in the same place is left open, so addresses
//! of characters are not compared with each other.

use super::super::types::Ty;
use super::expression::Value;
use super::{Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{At, Command, Expr as Pure, Formula, IntKind, Storage, Term, Type, VarId, VarKind};

const CHARACTER: IntKind = IntKind { bits: 8, signed: true };

/// A string literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Where it stands; copies of a function share it.
    span: Span,
    /// Its first character, 0 if it is empty.
    first: i8,
}

impl Text {
    pub(super) fn new(bytes: &[u8], span: Span) -> Text {
        Text { span, first: bytes.first().map_or(0, |byte| byte.cast_signed()) }
    }
}

/// A pointer to characters.
pub(super) fn is_character(ty: &Ty) -> bool {
    ty.pointee() == Some(&Ty::Int(CHARACTER))
}

impl Lowerer<'_> {
    /// The literal as a pointer.
    pub(super) fn text(&mut self, text: Text) -> Lowering<Value> {
        let span = text.span;
        if self.unit.usage.writes_characters() {
            let why =
                "a string literal as a value is not modelled where something is written through a `char *`";
            return self.unsupported(span, why);
        }
        let (of, _) = self.box_of(&Ty::Int(CHARACTER), span)?;
        if let Some((_, cell)) = self.texts.iter().find(|(known, _)| *known == text) {
            return Ok(Value::Ptr(Pure::Var(*cell), of));
        }
        let cell = self.add_var("&text", Type::Ptr(of), VarKind::Global, span);
        self.texts.push((text, cell));
        if !self.is_main() {
            self.global_cells.push(cell);
        }
        Ok(Value::Ptr(Pure::Var(cell), of))
    }

    /// The cells of literals begin their life, before `main` does.
    pub(super) fn begin_texts(&mut self) {
        for (text, cell) in self.texts.clone() {
            let Ok((of, field)) = self.box_of(&Ty::Int(CHARACTER), text.span) else { continue };
            let command = Command::Alloc { to: cell, of, storage: Storage::Automatic, zeroed: true };
            self.emit(command, text.span);
            let value = Pure::Int(i128::from(text.first));
            self.emit(Command::Store { to: cell, field, value }, text.span);
        }
    }

    /// What the cells of literals hold when a function is entered.
    pub(super) fn first_characters(&mut self) -> Vec<Formula> {
        let mut known: Vec<(Text, VarId)> = self.texts.clone();
        known.sort_by_key(|(_, cell)| *cell);
        let mut formulas = Vec::new();
        for (text, cell) in known {
            let Ok((_, field)) = self.box_of(&Ty::Int(CHARACTER), text.span) else { continue };
            let held = Term::Field(field, At::Now, Box::new(Term::Var(cell, At::Now)));
            formulas.push(Formula::eq(held, Term::Int(i128::from(text.first))));
        }
        formulas
    }
}
