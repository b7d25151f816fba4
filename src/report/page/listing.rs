//! The source lines beside a run: the function with its contract, and around every other line that the run passes.

use crate::frontend::diagnostic::Source;
use crate::report::Entry;
use crate::report::findings::Place;
use crate::report::frames::Frame;
use crate::util::hash::Map;
use crate::util::span::Span;
use crate::verdict::Verdict;

/// Lines of one function that are shown.
const MOST: usize = 300;
/// Lines around one that the run passes elsewhere.
const AROUND: usize = 2;

/// A line of source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// From 1.
    pub number: usize,
    /// The text.
    pub text: String,
    /// Whether it stands in an annotation.
    pub is_annotation: bool,
}

/// Source lines, file by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The files with their lines, that of the function first. Numbers may have gaps.
    pub files: Vec<(String, Vec<Line>)>,
    /// The line in which the function's name stands.
    pub function: Option<(usize, usize)>,
}

impl Listing {
    /// The lines for an answer.
    #[must_use]
    pub fn new(entry: &Entry<'_>, frames: &[Frame], outlines: &mut Outlines) -> Listing {
        let mut wanted: Vec<(&Source, Vec<usize>)> = Vec::new();
        let own = entry.sources.source_of(entry.span.start).filter(|_| entry.span != Span::default());
        if let Some(source) = own {
            let offset = (entry.span.start - source.base) as usize;
            wanted.push((source, outlines.of(source).extent(offset).collect()));
        }
        let failure = match &entry.outcome.verdict {
            Verdict::Violated(trace) => Some(trace.failure.span),
            Verdict::TooWeak(weakness) => Some(weakness.failure.span),
            Verdict::Unknown(reason) => reason.span,
            Verdict::Verified(_) => None,
        };
        let places = frames.iter().filter_map(|frame| frame.place.clone());
        let failure = failure.filter(|s| *s != Span::default()).map(|s| entry.sources.presumed(s));
        for Place { file, line, .. } in places.chain(failure) {
            // Lines of preprocessed text have the names of other files, which are not here.
            let Some(source) = entry.sources.find(&file) else { continue };
            let line = line as usize;
            let at = wanted.iter().position(|(s, _)| s.base == source.base).unwrap_or_else(|| {
                wanted.push((source, Vec::new()));
                wanted.len() - 1
            });
            let lines = &mut wanted[at].1;
            if !lines.contains(&line) {
                lines.extend(line.saturating_sub(AROUND).max(1)..=line + AROUND);
            }
        }
        let mut out = Listing::default();
        for (source, mut lines) in wanted {
            lines.sort_unstable();
            lines.dedup();
            let outline = outlines.of(source);
            let taken = lines.into_iter().filter_map(|number| outline.line(&source.text, number));
            out.files.push((source.name.clone(), taken.collect()));
        }
        out.function = own.and_then(|_| out.find(&entry.sources.location(entry.span)));
        out
    }

    /// The file and the line of a place.
    #[must_use]
    pub fn find(&self, place: &Place) -> Option<(usize, usize)> {
        let file = self.files.iter().position(|(name, _)| *name == place.file)?;
        let line = self.files[file].1.iter().position(|line| line.number == place.line as usize)?;
        Some((file, line))
    }
}

/// The outlines of the texts that were needed so far, by name, place in the common space and length.
#[derive(Debug, Default)]
pub struct Outlines(Map<(String, u32, usize), Outline>);

impl Outlines {
    fn of(&mut self, source: &Source) -> &Outline {
        let key = (source.name.clone(), source.base, source.text.len());
        self.0.entry(key).or_insert_with(|| Outline::new(&source.text))
    }
}

/// Where the lines and the items of a text begin and end.
#[derive(Debug)]
pub struct Outline {
    /// The offset of each line.
    lines: Vec<usize>,
    /// Whether each line stands in an annotation.
    notes: Vec<bool>,
    /// Functions and declarations, from the text before them to their ends.
    items: Vec<(usize, usize)>,
}

impl Outline {
    fn new(text: &str) -> Outline {
        let (mut lines, mut notes, mut offset, mut in_note) = (Vec::new(), Vec::new(), 0, false);
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            in_note |= trimmed.starts_with("/*@") || trimmed.starts_with("//@");
            lines.push(offset);
            notes.push(in_note);
            in_note &= !line.contains("*/") && !trimmed.starts_with("//@");
            offset += line.len();
        }
        Outline { lines, notes, items: items(text.as_bytes()) }
    }

    /// The number of the line that an offset is in.
    fn number(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset).max(1)
    }

    /// The lines of the function whose name is at `offset`: from what stands before it, with its contract, to the end of
    /// its body. A very long function is shown around its beginning; what the run passes is added.
    fn extent(&self, offset: usize) -> std::ops::RangeInclusive<usize> {
        let at = self.number(offset);
        let item = self.items.partition_point(|(_, end)| *end <= offset);
        let (start, end) = self.items.get(item).copied().unwrap_or((offset, offset + 1));
        let first = self.number(start).min(at).max(at.saturating_sub(MOST / 3)).max(1);
        let last = self.number(end.saturating_sub(1)).max(at);
        first..=last.min(first + MOST)
    }

    fn line(&self, text: &str, number: usize) -> Option<Line> {
        let start = *self.lines.get(number.checked_sub(1)?)?;
        let end = self.lines.get(number).copied().unwrap_or(text.len());
        let text = text.get(start..end)?.trim_end().to_owned();
        Some(Line { number, text, is_annotation: self.notes[number - 1] })
    }
}

/// The items of a C text: each ends with a semicolon or a brace outside of braces, comments and strings, and begins after
/// the one before it, without blanks and directives.
fn items(bytes: &[u8]) -> Vec<(usize, usize)> {
    let (mut out, mut start, mut depth, mut i) = (Vec::new(), 0, 0usize, 0);
    while i < bytes.len() {
        let rest = &bytes[i..];
        let skip = |end: &[u8]| {
            let found = rest[1..].windows(end.len()).position(|w| w == end);
            found.map_or(rest.len(), |k| 1 + k + end.len())
        };
        i += match rest {
            [b'/', b'*', ..] => skip(b"*/"),
            [b'/', b'/', ..] => skip(b"\n"),
            [q @ (b'"' | b'\''), ..] => {
                let mut k = 1;
                while k < rest.len() && rest[k] != *q && rest[k] != b'\n' {
                    k += if rest[k] == b'\\' { 2 } else { 1 };
                }
                k + 1
            }
            // A directive ends what was before it.
            [b'#', ..] if depth == 0 => {
                let length = skip(b"\n");
                start = i + length;
                length
            }
            [b'{', ..] => {
                depth += 1;
                1
            }
            [end @ (b'}' | b';'), ..] => {
                depth -= usize::from(*end == b'}' && depth > 0);
                if depth == 0 {
                    out.push((start, i + 1));
                    start = i + 1;
                }
                1
            }
            // Blanks before an item are not part of it.
            [b, ..] if b.is_ascii_whitespace() && start == i => {
                start = i + 1;
                1
            }
            _ => 1,
        };
    }
    out.push((start.min(bytes.len()), bytes.len() + 1));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_shown_with_its_contract_to_its_end() {
        let text = "#include <x.h>\nint a;\n\n/*@ ensures 1; } @*/\nint f(void)\n{\n  char *s = \"}\";\n  if (a) { a = '}'; }\n  return 1; // }\n}\nint g(void) { return 2; }\n";
        let outline = Outline::new(text);
        assert_eq!(outline.extent(text.find("f(void)").expect("it is there")), 4..=10);
        assert_eq!(outline.extent(text.find("g(void)").expect("it is there")), 11..=11);
        assert_eq!(outline.extent(text.find("a;").expect("it is there")), 2..=2);
        let line = outline.line(text, 4).expect("it is there");
        assert_eq!((line.text.as_str(), line.is_annotation), ("/*@ ensures 1; } @*/", true));
        assert!(!outline.line(text, 5).expect("it is there").is_annotation);
        assert_eq!((outline.line(text, 12), outline.line(text, 0)), (None, None));
        // Text that never ends, and none.
        assert_eq!(Outline::new("int f() { \"").extent(4), 1..=1);
        assert_eq!(Outline::new("int f() { \"\\").extent(4), 1..=1);
        assert_eq!(Outline::new("").extent(0), 1..=1);
    }
}
