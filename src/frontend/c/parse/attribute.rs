//! `__attribute__`, `asm` labels and `_Alignas`: what is read over, and what is remembered because it changes what
//! a program means.
//!
//! Only attributes that are known to change nothing are read over. The others are kept in the parser until the
//! declaration they belong to takes them.

use super::super::ast::Attributes;
use super::super::token::Kind;
use super::Parser;

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
    "no_instrument_function",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_undefined",
    "noclone",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noreturn",
    "nothrow",
    "null_terminated_string_arg",
    "optimize",
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

    fn skip_group_if_any(&mut self) {
        if self.at("(") {
            self.skip_group();
        }
    }

    /// Takes in the names of the attributes between token `start` and the present one: `((a, b(c), d))`.
    fn note_attributes(&mut self, start: usize) {
        let mut depth = 0usize;
        for i in start..self.at {
            let token = self.tokens[i];
            match token.kind {
                Kind::Punct("(") => depth += 1,
                Kind::Punct(")") => depth = depth.saturating_sub(1),
                _ => {}
            }
            let Some(name) = token.ident().filter(|_| depth == 2) else { continue };
            match self.names.text(name).trim_matches('_') {
                "packed"
                | "aligned"
                | "warn_if_not_aligned"
                | "scalar_storage_order"
                | "ms_struct"
                | "gcc_struct" => self.attributes.layout = true,
                "constructor" | "destructor" | "init_priority" => self.attributes.by_itself = true,
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
