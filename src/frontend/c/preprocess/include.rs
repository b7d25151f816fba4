//! `#include`: where headers are searched, and which are not read again.
//!
//! `"x.h"` is searched beside the including file, then in the directories of the flags, then among the bundled
//! headers; `<x.h>` without the first. The headers of the C standard in `<...>` are always the bundled ones, because
//! a system's own describe a compiler's internals; a directory that has one too is named in a warning.
//! A file with an include guard whose macro is defined, or with `#pragma once`, is not opened again. A file that
//! includes itself is stopped by a depth, one that does so twice by the budget of the expansion.

use super::super::files::{self, Files};
use super::super::token::{Kind, Name, Token};
use super::stubs;
use super::{Preprocessor, is_hash, text_of};
use crate::frontend::diagnostic::{Diagnostic, Span};

/// Includes inside includes, at most; compilers have the same bound.
const MAX_INCLUDES: usize = 200;
/// This many bytes of an included file count like one token of an expansion.
const BYTES_PER_TOKEN: usize = 16;

/// How a header is named.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    name: String,
    quoted: bool,
    /// `#include_next`: behind the directory in which the including file was found.
    next: bool,
}

/// Where a header is.
enum Found {
    File {
        path: String,
        bytes: Vec<u8>,
        /// The first directory of the search behind it.
        behind: usize,
    },
    Bundled(&'static str),
    Nowhere(Vec<String>),
    Unreadable(String, String),
}

/// Why a file is not opened again.
pub(super) enum Again {
    /// `#pragma once`.
    Never,
    /// Not while this macro is defined.
    Unless(Name),
}

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, line: &[Token], span: Span, next: bool) {
        let place = match (line.first(), line.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => span,
        };
        let Some(mut wanted) = self.wanted(line) else {
            return self.error("include", span, "`#include` needs `<name>` or `\"name\"`");
        };
        wanted.next = next;
        if self.files.len() > MAX_INCLUDES {
            // Whoever includes himself twice would come back here very often.
            self.exhausted = true;
            let text =
                format!("includes are nested more than {MAX_INCLUDES} deep: does a file include itself?");
            return self.error("include", place, text);
        }
        match self.find(&wanted) {
            Found::Bundled(text) => {
                self.warn_of_own(&wanted, place);
                self.open_included(&format!("<{}>", wanted.name), text.to_owned(), None, 0, place);
            }
            Found::File { path, bytes, behind } => self.open_file(path, bytes, behind, place),
            Found::Unreadable(path, why) => {
                self.error("include", place, format!("`{path}` cannot be read: {why}"));
            }
            Found::Nowhere(places) => {
                let message = format!("header `{}` is not found", wanted.name);
                let mut help = match places.is_empty() {
                    true => "no directory was searched: name some with `-I DIR`".to_owned(),
                    false => format!("searched: {}", places.join(", ")),
                };
                if !wanted.quoted {
                    let known = stubs::names().collect::<Vec<_>>().join(", ");
                    help.push_str(&format!("; bundled are {known}"));
                }
                self.diagnostics.push(Diagnostic::error("include", place, message).help(help));
            }
        }
    }

    /// The name in `<name>` or `"name"`, which macros may have made.
    fn wanted(&mut self, line: &[Token]) -> Option<Wanted> {
        let text = match (line.first(), line.last()) {
            (Some(first), _) if first.ident().is_some() => {
                text_of(&self.expand_line(line, false), self.names)
            }
            // `<a/b.h>` was lexed as operators and names; the text between the brackets is the name.
            (Some(first), Some(last)) => self.sources.text(first.span.to(last.span)).trim().to_owned(),
            _ => return None,
        };
        let angled = text.strip_prefix('<').and_then(|t| t.split_once('>'));
        let quoted = text.strip_prefix('"').and_then(|t| t.split_once('"'));
        let name = angled.or(quoted).map(|(name, _)| name.to_owned())?;
        Some(Wanted { name, quoted: quoted.is_some(), next: false })
    }

    /// Whether `__has_include` finds this header.
    pub(super) fn has_include(&mut self, line: &[Token], next: bool) -> Option<bool> {
        let wanted = Wanted { next, ..self.wanted(line)? };
        Some(matches!(self.find(&wanted), Found::File { .. } | Found::Bundled(_) | Found::Unreadable(..)))
    }

    fn find(&self, wanted: &Wanted) -> Found {
        let name = wanted.name.as_str();
        let bundled = stubs::header(name);
        if let Some(text) = bundled.filter(|_| !wanted.quoted && stubs::is_standard(name)) {
            return Found::Bundled(text);
        }
        let mut searched = Vec::new();
        if let Some(provider) = self.provider() {
            for (path, behind) in self.places(wanted) {
                match provider.read(&path) {
                    Ok(Some(bytes)) => return Found::File { path, bytes, behind },
                    Ok(None) => searched.push(path),
                    Err(why) => return Found::Unreadable(path, why),
                }
            }
        }
        bundled.map_or(Found::Nowhere(searched), Found::Bundled)
    }

    fn provider(&self) -> Option<&dyn Files> {
        self.options.files.get()
    }

    /// Where a header is searched, in order, each with the number of the directory behind it.
    fn places(&self, wanted: &Wanted) -> Vec<(String, usize)> {
        let name = wanted.name.as_str();
        if files::is_absolute(name) {
            return vec![(name.to_owned(), 0)];
        }
        let flags = &self.options.flags;
        let including = self.files.last();
        let (angled, mut places) = (flags.quote_directories.len(), Vec::new());
        let first = match including.map(|f| f.behind) {
            Some(behind) if wanted.next => behind.max(angled),
            _ if wanted.quoted => {
                let beside = including.map_or("", |f| files::directory(&f.path));
                places.push((files::join(beside, name), 0));
                0
            }
            _ => angled,
        };
        let all = flags.quote_directories.iter().chain(&flags.directories).enumerate();
        places.extend(all.skip(first).map(|(i, directory)| (files::join(directory, name), i + 1)));
        places
    }

    /// A bundled header is read although a directory of the flags has one of that name.
    fn warn_of_own(&mut self, wanted: &Wanted, place: Span) {
        if wanted.quoted || !stubs::is_standard(&wanted.name) {
            return;
        }
        let Some(provider) = self.provider() else { return };
        let own =
            self.places(wanted).into_iter().find(|(path, _)| matches!(provider.read(path), Ok(Some(_))));
        if let Some((path, _)) = own {
            let text = format!("the bundled `<{}>` is read, not `{path}`", wanted.name);
            let help =
                "headers of the C standard in `<...>` are always the bundled ones; use \"...\" for your own";
            self.diagnostics.push(Diagnostic::warning("include", place, text).help(help));
        }
    }

    fn open_file(&mut self, path: String, bytes: Vec<u8>, behind: usize, place: Span) {
        let identity = self.provider().map_or_else(|| files::normal(&path), |p| p.identity(&path));
        match self.again.get(&identity) {
            Some(Again::Never) => return,
            Some(Again::Unless(name)) if self.macros.contains_key(name) => return,
            _ => {}
        }
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => {
                self.open_included(&path, text, Some(identity), behind, place);
            }
            _ => {
                let text = format!("`{path}` is not a text file: expected UTF-8 without zero bytes");
                self.error("include", place, text);
            }
        }
    }

    fn open_included(
        &mut self,
        path: &str,
        text: String,
        identity: Option<String>,
        behind: usize,
        place: Span,
    ) {
        let size = text.len() / BYTES_PER_TOKEN;
        let Ok(index) = self.sources.add_included(path, text, place) else {
            return self.error("include", place, format!("there is no room for `{path}`"));
        };
        self.open(index);
        let Some(file) = self.files.last_mut() else { return };
        let cost = size + file.tokens.len() + 1;
        path.clone_into(&mut file.path);
        file.behind = behind;
        file.identity.clone_from(&identity);
        if let (Some(identity), Some(guard)) = (identity, guard(&file.tokens, self.names)) {
            self.again.insert(identity, Again::Unless(guard));
        }
        if self.budget < cost {
            self.exhausted = true;
            return self.error("include", place, "includes bring more text than is reasonable");
        }
        self.budget -= cost;
    }

    /// `#pragma once`.
    pub(super) fn once(&mut self) {
        if let Some(identity) = self.files.last().and_then(|f| f.identity.clone()) {
            self.again.insert(identity, Again::Never);
        }
    }
}

/// The macro that guards a whole file: `#ifndef NAME` or `#if !defined(NAME)` is its first line, the `#endif` of it
/// its last, and there is no other group.
fn guard(tokens: &[Token], names: &super::Names) -> Option<Name> {
    let word = |t: Option<&Token>| t.and_then(Token::ident).map_or("", |n| names.text(n));
    let starts = |i: usize| is_hash(tokens[i]) && tokens[i].first;
    if tokens.is_empty() || !starts(0) {
        return None;
    }
    let length = tokens[1..].iter().take_while(|t| !t.first).count() + 1;
    let line = &tokens[1..length];
    let name = match (word(line.first()), line) {
        ("ifndef", [_, name]) => name,
        ("if", [_, not, defined, name]) if not.is("!") && word(Some(defined)) == "defined" => name,
        ("if", [_, not, defined, open, name, close])
            if not.is("!") && word(Some(defined)) == "defined" && open.is("(") && close.is(")") =>
        {
            name
        }
        _ => return None,
    };
    let mut depth = 1usize;
    for i in (length..tokens.len()).filter(|i| starts(*i)) {
        match word(tokens.get(i + 1)) {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "else" | "elif" | "elifdef" | "elifndef" if depth == 1 => return None,
            "endif" => {
                depth -= 1;
                if depth == 0 {
                    let rest = &tokens[i + 1..];
                    let last = rest.iter().skip(1).all(|t| !t.first && !matches!(t.kind, Kind::Open));
                    return name.ident().filter(|_| last);
                }
            }
            _ => {}
        }
    }
    None
}
