//! `__has_include`, `__has_attribute` and their kind: what a compiler can do, asked in a condition.
//!
//! The answers are those of GCC, because the meaning of a program may hang on them (`packed`, `cleanup`): an attribute
//! that GCC knows is there, whether it has a model or not. Of builtins none is said to be there: whoever asks has
//! another way. Operators that only other compilers have are not defined.

use super::super::parse::attribute;
use super::super::token::{Kind, Token};
use super::Preprocessor;
use super::expand::Input;

/// The operators.
pub(super) const OPERATORS: &[&str] =
    &["__has_include", "__has_include_next", "__has_attribute", "__has_c_attribute", "__has_builtin"];

/// Attributes of GCC that have no model, beside those that the parser knows.
const UNMODELLED: &[&str] = &[
    "address_space",
    "alias",
    "cleanup",
    "common",
    "copy",
    "ifunc",
    "mode",
    "nocommon",
    "no_reorder",
    "optimize",
    "section",
    "simd",
    "symver",
    "target",
    "target_clones",
    "tls_model",
    "transparent_union",
    "vector_size",
    "weak",
    "weakref",
];

impl Preprocessor<'_> {
    /// The value of an operator whose operand comes next.
    pub(super) fn has(&mut self, input: &mut Input, token: Token) -> Option<Token> {
        let operator = token.ident().map_or("", |n| self.names.text(n)).to_owned();
        let mut operand = Vec::new();
        let mut depth = usize::from(self.next_raw(input).is_some_and(|t| t.is("(")));
        while depth > 0 {
            let Some(next) = self.next_raw(input) else { break };
            depth = match next.kind {
                Kind::Punct("(") => depth + 1,
                Kind::Punct(")") => depth - 1,
                _ => depth,
            };
            if depth > 0 {
                operand.push(next);
            }
        }
        let value = match operator.as_str() {
            "__has_include" => self.has_include(&operand, false).map(u32::from),
            "__has_include_next" => self.has_include(&operand, true).map(u32::from),
            "__has_builtin" => Some(0),
            _ => self.has_attribute(&operand),
        };
        let Some(value) = value.filter(|_| !operand.is_empty()) else {
            self.error("directive", token.span, format!("what `{operator}` asks about is missing"));
            return None;
        };
        Some(Token { kind: Kind::Number(self.names.intern(&value.to_string())), ..token })
    }

    /// `name` or `gnu::name`.
    fn has_attribute(&self, operand: &[Token]) -> Option<u32> {
        let name = operand.last().and_then(Token::ident)?;
        let name = self.names.text(name).trim_matches('_');
        let standard =
            operand.len() == 1 && matches!(name, "deprecated" | "fallthrough" | "maybe_unused" | "nodiscard");
        if standard {
            return Some(201_904);
        }
        Some(u32::from(attribute::is_known(name) || UNMODELLED.contains(&name)))
    }
}
