//! Where the text of included files comes from, and what is said about a text outside of it.
//!
//! The reader opens no file by itself: it asks a [`Files`], which may be a disk, an archive or a map in a browser.
//! Paths are texts with `/` between their parts, made from the name of the including file and the name in the
//! directive, as compilers do it.

use std::fmt;
use std::sync::Arc;

/// Gives the bytes of files.
pub trait Files: Send + Sync {
    /// The bytes of a file, `None` if there is no such file, or why it cannot be read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String>;

    /// A name that two paths to one file share, for `#pragma once`.
    fn identity(&self, path: &str) -> String {
        normal(path)
    }
}

/// Files in memory, by path.
impl Files for std::collections::BTreeMap<String, Vec<u8>> {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        let path = normal(path);
        Ok(self.iter().find(|(name, _)| normal(name) == path).map(|(_, bytes)| bytes.clone()))
    }
}

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        use std::io::ErrorKind;
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => return Ok(None),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error.to_string()),
        }
        std::fs::read(path).map(Some).map_err(|error| error.to_string())
    }

    fn identity(&self, path: &str) -> String {
        let found = std::fs::canonicalize(path);
        found.map_or_else(|_| normal(path), |path| path.to_string_lossy().into_owned())
    }
}

/// Who gives files, if anybody.
#[derive(Clone, Default)]
pub struct Provider(Option<Arc<dyn Files>>);

impl Provider {
    /// These files.
    pub fn new(files: impl Files + 'static) -> Provider {
        Provider(Some(Arc::new(files)))
    }

    /// Who gives them.
    pub(super) fn get(&self) -> Option<&dyn Files> {
        self.0.as_deref()
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Provider(files)" } else { "Provider(none)" })
    }
}

impl PartialEq for Provider {
    fn eq(&self, other: &Provider) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Provider {}

/// `-D` or `-U`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroFlag {
    /// `NAME`, `NAME=VALUE` or `NAME(X)=VALUE`.
    Define(String),
    /// `NAME`.
    Undefine(String),
}

/// What a compiler is told beside the text: its flags, as far as they concern what the text means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `-iquote`: where `"x.h"` is searched, after the directory of the including file.
    pub quote_directories: Vec<String>,
    /// `-I`, then `-isystem`: where `"x.h"` and `<x.h>` are searched.
    pub directories: Vec<String>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroFlag>,
    /// `-include`: read before the text.
    pub includes: Vec<String>,
    /// What `-std` says, if anything.
    pub standard: Option<Standard>,
    /// Flags that change the meaning of a program in a way that has no model.
    pub unmodelled: Vec<String>,
}

/// The language that `-std` names, as far as macros tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard {
    /// The value of `__STDC_VERSION__`; `None`: C90, which has none.
    pub version: Option<u32>,
    /// Without GNU's extensions: `__STRICT_ANSI__` is defined.
    pub strict: bool,
}

impl Standard {
    /// C11 with GNU's extensions: what is read where nothing is said.
    pub const GNU11: Standard = Standard { version: Some(201_112), strict: false };
}

impl Flags {
    /// The text that is read before the file: the macros, then the files of `-include`.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for flag in &self.macros {
            let line = match flag {
                MacroFlag::Define(text) => match text.split_once('=') {
                    Some((name, value)) => format!("#define {name} {value}"),
                    None => format!("#define {text} 1"),
                },
                MacroFlag::Undefine(name) => format!("#undef {name}"),
            };
            // A flag is one line, whatever it holds.
            out.push_str(&line.replace(['\n', '\r'], " "));
            out.push('\n');
        }
        for file in &self.includes {
            out.push_str(&format!("#include \"{}\"\n", file.replace(['\n', '\r', '"'], "?")));
        }
        out
    }
}

/// The directory of a path; empty for the present one.
pub(super) fn directory(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(at) => &path[..at],
        None => "",
    }
}

/// A name as seen from a directory.
pub fn join(directory: &str, name: &str) -> String {
    match directory {
        _ if is_absolute(name) => name.to_owned(),
        "" => name.to_owned(),
        _ if directory.ends_with('/') => format!("{directory}{name}"),
        _ => format!("{directory}/{name}"),
    }
}

/// Whether a path says by itself where it leads.
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || std::path::Path::new(path).is_absolute()
}

/// A path without `.`, and without `..` where a part stands before it.
pub fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(directory("a/b.c"), "a");
        assert_eq!(directory("/b.c"), "/");
        assert_eq!(directory("b.c"), "");
        assert_eq!(join("a", "b.h"), "a/b.h");
        assert_eq!(join("", "b.h"), "b.h");
        assert_eq!(join("/", "b.h"), "/b.h");
        assert_eq!(join("a", "/b.h"), "/b.h");
        assert_eq!(normal("./a/../b//c.h"), "b/c.h");
        assert_eq!(normal("../a/./b"), "../a/b");
        assert_eq!(normal("/a/../../b"), "/b");
    }

    #[test]
    fn flags_are_lines() {
        let macros = [
            MacroFlag::Define("A".into()),
            MacroFlag::Define("B=a = b".into()),
            MacroFlag::Undefine("C".into()),
            MacroFlag::Define("F(x)=x\n#error".into()),
        ];
        let flags = Flags { macros: macros.into(), includes: vec!["f.h".into()], ..Flags::default() };
        assert_eq!(
            flags.text(),
            "#define A 1\n#define B a = b\n#undef C\n#define F(x) x #error\n#include \"f.h\"\n"
        );
    }
}
