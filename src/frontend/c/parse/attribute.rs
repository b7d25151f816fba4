//! `__attribute__`, `[[...]]`, `asm` labels and `_Alignas`: what is read over, and what is remembered because it
//! changes what a program means.
//!
//! Only attributes that are known to change nothing are read over. The others are kept in the parser until the
//! declaration they belong to takes them.

use super::super::ast::Attributes;
use super::super::token::Kind;
use super::Parser;
use crate::frontend::diagnostic::Diagnostic;

/// Hints for optimisers, linkers and warnings.
const HARMLESS: &[&str] = &[
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cdecl",
    "cold",
    "const",
    "deprecated",
    "designated_init",
    "error",
    "externally_visible",
    "fallthrough",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "maybe_unused",
    "no_instrument_function",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_undefined",
    "noclone",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noreturn",
    "nothrow",
    "null_terminated_string_arg",
    "pure",
    "regparm",
    "returns_nonnull",
    "sentinel",
    "stdcall",
    "unavailable",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
];

/// Attributes that change the layout of a type.
const LAYOUT: &[&str] =
    &["packed", "aligned", "warn_if_not_aligned", "scalar_storage_order", "ms_struct", "gcc_struct"];
/// Attributes of functions that run without a call.
const BY_ITSELF: &[&str] = &["constructor", "destructor", "init_priority"];

/// Whether it is known what an attribute does.
pub(in crate::frontend::c) fn is_known(name: &str) -> bool {
    [HARMLESS, LAYOUT, BY_ITSELF].iter().any(|list| list.contains(&name))
}

impl Parser<'_> {
    pub(super) fn skip_attributes(&mut self) {
        loop {
            match self.word() {
                Some("__attribute__" | "__attribute") => {
                    self.bump();
                    let start = self.at;
                    self.skip_group_if_any();
                    self.note_attributes(start);
                }
                _ if self.double_bracket() => {
                    let start = self.at;
                    self.skip_group();
                    self.note_attributes(start);
                }
                Some("_Alignas") => {
                    self.attributes.layout = true;
                    self.bump();
                    self.skip_group_if_any();
                }
                Some("__asm__" | "__asm" | "asm") => {
                    self.attributes.renamed = true;
                    self.bump();
                    while let Some("__volatile__" | "volatile") = self.word() {
                        self.bump();
                    }
                    self.skip_group_if_any();
                }
                _ => return,
            }
        }
    }

    /// C23's attributes begin here. No expression has two brackets in a row.
    pub(super) fn double_bracket(&self) -> bool {
        self.at("[") && self.peek_at(1).is("[") && !self.in_annotation
    }

    /// Attributes that belong to no declaration: of a label or of a statement by itself.
    pub(super) fn loose_attributes(&mut self) {
        let outer = self.take_attributes();
        let start = self.peek().span;
        self.skip_attributes();
        let own = std::mem::replace(&mut self.attributes, outer);
        if own != Attributes::default() {
            let text = "what this attribute does is not modelled";
            self.strange.push(Diagnostic::unsupported("attribute", start, text));
        }
    }

    fn skip_group_if_any(&mut self) {
        if self.at("(") {
            self.skip_group();
        }
    }

    /// Takes in the names of the attributes between token `start` and the present one: `((a, b(c), d))` or
    /// `[[a, gnu::b(c)]]`.
    fn note_attributes(&mut self, start: usize) {
        let mut depth = 0usize;
        for i in start..self.at {
            let token = self.tokens[i];
            match token.kind {
                Kind::Punct("(" | "[") => depth += 1,
                Kind::Punct(")" | "]") => depth = depth.saturating_sub(1),
                _ => {}
            }
            let Some(name) = token.ident().filter(|_| depth == 2) else { continue };
            let prefix = self.tokens[i + 1].is(":");
            if prefix && matches!(self.names.text(name).trim_matches('_'), "gnu" | "clang") {
                continue;
            }
            match self.names.text(name).trim_matches('_') {
                "packed" => self.attributes.packed = true,
                known if LAYOUT.contains(&known) => self.attributes.layout = true,
                known if BY_ITSELF.contains(&known) => self.attributes.by_itself = true,
                known if HARMLESS.contains(&known) => {}
                _ => self.attributes.strange = true,
            }
        }
    }

    /// What was read since the last call.
    pub(super) fn take_attributes(&mut self) -> Attributes {
        std::mem::take(&mut self.attributes)
    }
}
