//! `#pragma` and `_Pragma`: a table of those that change nothing, a model of some, and a complaint about the rest.

use super::super::token::{Kind, Token};
use super::Preprocessor;
use crate::frontend::diagnostic::Span;

/// Pragmas that speak to warnings, editors, optimisers and floating-point units only, by their first words.
const HARMLESS: &[&[&str]] = &[
    &["mark"],
    &["region"],
    &["endregion"],
    &["message"],
    &["warning"],
    &["error"],
    &["ident"],
    &["unroll"],
    &["nounroll"],
    &["ivdep"],
    &["GCC", "diagnostic"],
    &["GCC", "warning"],
    &["GCC", "error"],
    &["GCC", "message"],
    &["GCC", "system_header"],
    &["GCC", "dependency"],
    &["GCC", "poison"],
    &["GCC", "ivdep"],
    &["GCC", "unroll"],
    &["GCC", "visibility"],
    &["GCC", "push_options"],
    &["GCC", "pop_options"],
    &["clang", "diagnostic"],
    &["clang", "system_header"],
    &["clang", "loop"],
    &["clang", "assume_nonnull"],
    &["STDC", "FP_CONTRACT"],
    &["STDC", "FENV_ACCESS"],
    &["STDC", "FENV_ROUND"],
    &["STDC", "CX_LIMITED_RANGE"],
];

/// Where `#pragma pack` changes layouts: a stack as compilers keep it.
#[derive(Default)]
pub(super) struct Packing {
    /// To how many bytes members are aligned at most, now and at every `push`.
    now: Option<u64>,
    pushed: Vec<Option<u64>>,
    /// Where the present range began, in tokens put out.
    since: usize,
    ranges: Vec<(std::ops::Range<usize>, u64)>,
}

impl Packing {
    fn set(&mut self, bytes: Option<u64>, at: usize) {
        if let Some(now) = self.now.filter(|_| at > self.since) {
            self.ranges.push((self.since..at, now));
        }
        (self.now, self.since) = (bytes, at);
    }

    /// All ranges, after so many tokens.
    pub(super) fn finish(mut self, at: usize) -> Vec<(std::ops::Range<usize>, u64)> {
        self.set(None, at);
        self.ranges
    }
}

impl Preprocessor<'_> {
    /// The pragma with these tokens.
    pub(super) fn pragma(&mut self, line: &[Token], span: Span) {
        let word = |i: usize| line.get(i).and_then(Token::ident).map_or("", |n| self.names.text(n));
        if line.is_empty() || HARMLESS.iter().any(|h| h.iter().enumerate().all(|(i, w)| word(i) == *w)) {
            return;
        }
        let done = match word(0) {
            "once" => {
                self.once();
                true
            }
            "pack" => self.pack(&line[1..]),
            "push_macro" => self.set_aside(&line[1..], true),
            "pop_macro" => self.set_aside(&line[1..], false),
            _ => false,
        };
        if !done {
            let text = super::text_of(line, self.names);
            self.unsupported("pragma", span, format!("`#pragma {text}` is not modelled"));
        }
    }

    /// `(n)`, `()`, `(push)`, `(push, n)`, `(pop)`; whether it is one of these.
    fn pack(&mut self, line: &[Token]) -> bool {
        let [open, inner @ .., close] = line else { return false };
        let word = |t: &Token| t.ident().map_or("", |n| self.names.text(n));
        let number = |t: &Token| match t.kind {
            Kind::Number(text) => match self.names.text(text) {
                "1" => Some(1),
                "2" => Some(2),
                "4" => Some(4),
                "8" => Some(8),
                "16" => Some(16),
                _ => None,
            },
            _ => None,
        };
        let at = self.output.len();
        if !open.is("(") || !close.is(")") {
            return false;
        }
        match inner {
            [] => self.packing.set(None, at),
            [push] if word(push) == "push" => self.packing.pushed.push(self.packing.now),
            [pop] if word(pop) == "pop" => {
                let Some(before) = self.packing.pushed.pop() else { return false };
                self.packing.set(before, at);
            }
            [before @ .., n] => {
                let Some(bytes) = number(n) else { return false };
                match before {
                    [] => {}
                    [push, comma] if word(push) == "push" && comma.is(",") => {
                        self.packing.pushed.push(self.packing.now);
                    }
                    _ => return false,
                }
                self.packing.set(Some(bytes), at);
            }
        }
        true
    }

    /// `("NAME")`: the macro is put aside, or what was put aside is the macro again.
    fn set_aside(&mut self, line: &[Token], push: bool) -> bool {
        let [open, Token { kind: Kind::Str(text), .. }, close] = line else { return false };
        if !open.is("(") || !close.is(")") {
            return false;
        }
        let name = self.names.text(*text).trim_matches('"').to_owned();
        if super::SPECIAL.contains(&name.as_str()) {
            return false;
        }
        let name = self.names.intern(&name);
        if push {
            let now = self.macros.get(&name).cloned();
            self.saved_macros.entry(name).or_default().push(now);
            return true;
        }
        match self.saved_macros.get_mut(&name).and_then(Vec::pop) {
            Some(Some(before)) => {
                self.macros.insert(name, before);
            }
            Some(None) => {
                self.macros.remove(&name);
            }
            None => {}
        }
        true
    }
}
