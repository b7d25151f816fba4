//! Texts and their positions: editors count lines from 0 and, within a line, units of UTF-16.

use serde_json::{Value, json};

/// A position of an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub line: u32,
    pub character: u32,
}

impl Position {
    /// From a value of the protocol.
    pub(super) fn of(value: &Value) -> Option<Position> {
        let number = |name: &str| u32::try_from(value.get(name)?.as_u64()?).ok();
        Some(Position { line: number("line")?, character: number("character")? })
    }

    pub(super) fn value(self) -> Value {
        json!({ "line": self.line, "character": self.character })
    }
}

/// A range of the protocol.
pub(super) fn range(start: Position, end: Position) -> Value {
    json!({ "start": start.value(), "end": end.max(start).value() })
}

/// A text with the beginnings of its lines. A line ends by `\n`, `\r\n` or `\r`.
#[derive(Clone, Debug)]
pub(super) struct Text {
    text: String,
    lines: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: impl Into<String>) -> Text {
        let text = text.into();
        let bytes = text.as_bytes();
        let ends = |i: &usize| bytes[*i] == b'\n' || bytes[*i] == b'\r' && bytes.get(i + 1) != Some(&b'\n');
        let lines = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|i| i + 1)).collect();
        Text { text, lines }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Where a byte stands; within a character, the character.
    pub(super) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.lines[line]..offset];
        Position { line: line as u32, character: before.encode_utf16().count() as u32 }
    }

    /// The byte at a position. Beyond the end of a line is its end, beyond the text is the end of it.
    pub(super) fn offset(&self, at: Position) -> usize {
        let Some(&start) = self.lines.get(at.line as usize) else { return self.text.len() };
        let line = self.line(at.line as usize);
        let mut units = 0;
        for (i, c) in line.char_indices() {
            units += c.len_utf16() as u32;
            if units > at.character {
                return start + i;
            }
        }
        start + line.len()
    }

    /// A line without its end.
    pub(super) fn line(&self, line: usize) -> &str {
        let Some(&start) = self.lines.get(line) else { return "" };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The range between two bytes.
    pub(super) fn range(&self, start: usize, end: usize) -> Value {
        range(self.position(start), self.position(end))
    }

    /// From a byte to the end of what its line says.
    pub(super) fn rest_of_line(&self, start: usize) -> Value {
        let position = self.position(start);
        let line = position.line as usize;
        let end = self.lines[line] + self.line(line).trim_end().len();
        self.range(start, end.max(start))
    }

    /// The byte at a line and a column in characters, both counted from 1, where only `\n` ends a line.
    pub(super) fn place(&self, line: u32, column: u32) -> usize {
        let mut start = 0;
        for _ in 1..line {
            match self.text[start..].find('\n') {
                Some(at) => start += at + 1,
                None => return self.text.len(),
            }
        }
        let rest = &self.text[start..];
        rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(self.text.len(), |(i, _)| start + i)
    }

    /// Carries out a change of the protocol; `None` if it is not one.
    pub(super) fn change(&mut self, change: &Value) -> Option<()> {
        let new = change.get("text")?.as_str()?;
        let text = match change.get("range").filter(|range| !range.is_null()) {
            None => new.to_owned(),
            Some(range) => {
                let start = self.offset(Position::of(range.get("start")?)?);
                let end = self.offset(Position::of(range.get("end")?)?);
                let mut text = self.text.clone();
                text.replace_range(start..end.max(start), new);
                text
            }
        };
        *self = Text::new(text);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_count_units_of_utf_16() {
        let text = Text::new("aé𝄞b\r\nx\ry\n");
        assert_eq!(text.position("aé𝄞".len()), at(0, 4));
        assert_eq!(text.offset(at(0, 4)), "aé𝄞".len());
        // Within a pair is its character; within a character is the character.
        assert_eq!(text.offset(at(0, 3)), "aé".len());
        assert_eq!(text.position("aé".len() + 2), at(0, 2));
        assert_eq!((text.offset(at(0, 99)), text.offset(at(9, 0))), ("aé𝄞b".len(), text.as_str().len()));
        assert_eq!((text.line(1), text.line(2), text.line(3), text.line(4)), ("x", "y", "", ""));
        for offset in (0..=text.as_str().len()).filter(|i| text.as_str().is_char_boundary(*i)) {
            let back = text.offset(text.position(offset));
            assert!(back == offset || text.as_str().as_bytes()[back] == b'\r', "{offset}");
        }
    }

    #[test]
    fn changes_are_carried_out() {
        let mut text = Text::new("a𝄞c\nd");
        let change = |l1: u32, c1: u32, l2: u32, c2: u32, new: &str| json!({ "range": range(at(l1, c1), at(l2, c2)), "text": new });
        assert_eq!(text.change(&change(0, 1, 0, 3, "b")), Some(()));
        assert_eq!(text.as_str(), "abc\nd");
        assert_eq!(text.change(&change(0, 3, 1, 0, "")), Some(()));
        assert_eq!(text.change(&change(7, 7, 9, 9, "!")), Some(()));
        assert_eq!(text.as_str(), "abcd!");
        assert_eq!(text.change(&json!({ "text": "new" })), Some(()));
        assert_eq!((text.as_str(), text.place(1, 3), text.place(3, 1)), ("new", 2, 3));
        for wrong in [json!({}), json!({ "text": 1 }), json!({ "text": "", "range": {} }), json!(null)] {
            assert_eq!(text.change(&wrong), None);
        }
    }
}
