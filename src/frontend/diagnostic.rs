//! What the front end has to say to the user: plain values with positions, rendered elsewhere.
//!
//! All files of a run lie one after the other in one space of byte positions, so that a [`Span`] is two numbers
//! and a token that a macro produced keeps the position where the user wrote the macro's name. [`Sources`] turns
//! a span back into file, line and column, in time logarithmic in the number of lines.

pub use crate::util::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth reading, changes nothing.
    Warning,
    /// The construct is legal and has no model here: the functions that use it are `unknown`.
    Unsupported,
    /// The input is wrong.
    Error,
}

/// A secondary place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub message: String,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name of the kind of message, such as `unknown-type`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Further places.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// The input is wrong.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// The construct has no model.
    pub fn unsupported(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Unsupported, code, span, message)
    }

    /// Worth reading.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity, message: message.into(), span, labels: Vec::new(), help: None }
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds a secondary place.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, message: message.into() });
        self
    }
}

/// One file's text.
#[derive(Clone, Debug)]
pub struct Source {
    /// As the user named it, or `<stdlib.h>` for a bundled header.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Position of the first byte in the common space.
    pub base: u32,
    /// The directive that included it.
    included: Option<Span>,
    lines: Vec<u32>,
    markers: Vec<Marker>,
}

/// A `# 12 "file.c"` line of preprocessed text.
#[derive(Clone, Debug)]
struct Marker {
    /// The line after the marker, counted from 0.
    line: u32,
    /// What that line is called.
    presumed: u32,
    file: String,
}

impl Source {
    /// One past the last byte, in the common space.
    pub fn end(&self) -> u32 {
        self.base + self.text.len() as u32
    }
}

/// A place for people: lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file's name.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// All texts of a run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    sources: Vec<Source>,
}

/// The common space is addressed by 32 bits; a text that does not fit is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Sources {
    /// Adds a text; the number identifies it.
    pub fn add(&mut self, name: &str, text: String) -> Result<usize, TooLarge> {
        self.push(name, text, None)
    }

    /// Adds a text that the directive at `from` includes.
    pub(crate) fn add_included(&mut self, name: &str, text: String, from: Span) -> Result<usize, TooLarge> {
        self.push(name, text, Some(from))
    }

    fn push(&mut self, name: &str, text: String, included: Option<Span>) -> Result<usize, TooLarge> {
        // One byte between files, so that the end of one is not the beginning of the next.
        let base = self.sources.last().map_or(0, |s| s.end() + 1);
        // A quarter of the space stays free: sums of positions never overflow.
        if u64::from(base) + text.len() as u64 >= u64::from(u32::MAX / 4 * 3) {
            return Err(TooLarge);
        }
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        let lines = std::iter::once(0).chain(newlines).collect();
        let (name, markers) = (name.to_owned(), Vec::new());
        self.sources.push(Source { name, text, base, included, lines, markers });
        Ok(self.sources.len() - 1)
    }

    /// The text with that number.
    pub fn get(&self, index: usize) -> &Source {
        &self.sources[index]
    }

    /// The text that a position lies in.
    pub fn source_of(&self, position: u32) -> Option<&Source> {
        let index = self.sources.partition_point(|s| s.base <= position);
        self.sources[..index].last()
    }

    /// The last text of that name.
    pub(crate) fn find(&self, name: &str) -> Option<&Source> {
        self.sources.iter().rev().find(|s| s.name == name)
    }

    /// The `#include` lines that lead to a place, the innermost first.
    pub fn includes(&self, span: Span) -> Vec<Location> {
        let mut out = Vec::new();
        let mut at = self.source_of(span.start);
        while let Some(from) = at.and_then(|source| source.included) {
            out.push(self.presumed(from));
            at = self.source_of(from.start);
        }
        out
    }

    /// Where the text that was given leads to a place: the place itself, or the `#include` for what is in a header.
    pub fn outermost(&self, span: Span) -> u32 {
        let mut at = span.start;
        while let Some(from) = self.source_of(at).and_then(|source| source.included) {
            at = from.start;
        }
        at
    }

    /// The text of a span; empty if it lies nowhere.
    pub fn text(&self, span: Span) -> &str {
        let Some(source) = self.source_of(span.start) else { return "" };
        let (start, end) = (span.start - source.base, span.end.max(span.start) - source.base);
        source.text.get(start as usize..(end as usize).min(source.text.len())).unwrap_or("")
    }

    /// Records that the line after `position` is line `line` of `file`.
    pub(crate) fn mark(&mut self, position: u32, line: u32, file: &str) {
        let index = self.sources.partition_point(|s| s.base <= position);
        let Some(source) = self.sources[..index].last_mut() else { return };
        let at = source.lines.partition_point(|l| *l <= position - source.base) as u32;
        source.markers.push(Marker { line: at, presumed: line, file: file.to_owned() });
    }

    /// File, line and column of the beginning of a span.
    pub fn location(&self, span: Span) -> Location {
        let Some(source) = self.source_of(span.start) else {
            return Location { file: String::new(), line: 1, column: 1 };
        };
        let offset = (span.start - source.base).min(source.text.len() as u32);
        let line = source.lines.partition_point(|l| *l <= offset) - 1;
        let begin = source.lines[line] as usize;
        let column = source.text.get(begin..offset as usize).map_or(0, |t| t.chars().count());
        Location { file: source.name.clone(), line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// Like [`Sources::location`], with file and line as the last `# line` marker before it names them.
    pub fn presumed(&self, span: Span) -> Location {
        let mut location = self.location(span);
        let Some(source) = self.source_of(span.start) else { return location };
        let line = location.line - 1;
        let index = source.markers.partition_point(|m| m.line <= line);
        if let Some(marker) = source.markers[..index].last() {
            location.line = marker.presumed.saturating_add(line - marker.line);
            location.file.clone_from(&marker.file);
        }
        location
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_characters_and_lines() {
        let mut sources = Sources::default();
        sources.add("a.c", "int x;\n".to_owned()).expect("small");
        let second = sources.add("b.c", "é\nab\n".to_owned()).expect("small");
        let base = sources.get(second).base;
        let at = |start| sources.location(Span { start, end: start });
        assert_eq!(at(0), Location { file: "a.c".into(), line: 1, column: 1 });
        assert_eq!(at(base + 4), Location { file: "b.c".into(), line: 2, column: 2 });
        assert_eq!(at(base + 2), Location { file: "b.c".into(), line: 1, column: 2 });
        assert_eq!(at(u32::MAX).file, "b.c");
    }

    #[test]
    fn markers_rename_the_lines_after_them() {
        let mut sources = Sources::default();
        sources.add("a.i", "x\n# 40 \"a.c\"\ny\nz\n".to_owned()).expect("small");
        sources.mark(2, 40, "a.c");
        let at = |start| sources.presumed(Span { start, end: start });
        assert_eq!((at(0).file.as_str(), at(0).line), ("a.i", 1));
        assert_eq!((at(13).file.as_str(), at(13).line), ("a.c", 40));
        assert_eq!((at(15).file.as_str(), at(15).line), ("a.c", 41));
    }
}
