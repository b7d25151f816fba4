//! Physical lines become logical lines: a backslash at the end of a line joins it with the next one (C11 5.1.1.2, 2).
//!
//! It does so anywhere, also inside an identifier, a number, an operator or a comment that ends with its line. So
//! the lexer reads a text without such ends, and [`Spliced`] leads a position in it back to the text of the user.

use std::borrow::Cow;

/// A text without spliced line ends.
pub(super) struct Spliced<'a> {
    /// The text.
    pub(super) text: Cow<'a, str>,
    /// Where something was cut out of the text, and how many bytes were cut out up to there.
    cuts: Vec<(usize, usize)>,
}

impl<'a> Spliced<'a> {
    /// Joins the lines of a text. Like GCC and Clang it forgives blanks between the backslash and the line's end.
    pub(super) fn new(text: &'a str) -> Spliced<'a> {
        if !text.contains('\\') {
            return Spliced { text: Cow::Borrowed(text), cuts: Vec::new() };
        }
        let (mut joined, mut cuts) = (String::new(), Vec::new());
        let (mut kept, mut removed) = (0, 0);
        for (at, _) in text.match_indices('\\') {
            // A backslash may stand among the blanks of the one before.
            let Some(length) = splice(&text.as_bytes()[at..]).filter(|_| at >= kept) else { continue };
            joined.push_str(&text[kept..at]);
            removed += length;
            cuts.push((joined.len(), removed));
            kept = at + length;
        }
        if cuts.is_empty() {
            return Spliced { text: Cow::Borrowed(text), cuts };
        }
        joined.push_str(&text[kept..]);
        Spliced { text: Cow::Owned(joined), cuts }
    }

    /// The place of the character at this position.
    pub(super) fn start(&self, position: usize) -> usize {
        let before = self.cuts.partition_point(|(at, _)| *at <= position);
        position + before.checked_sub(1).map_or(0, |i| self.cuts[i].1)
    }

    /// The place behind the character before this position.
    pub(super) fn end(&self, position: usize) -> usize {
        let before = self.cuts.partition_point(|(at, _)| *at < position);
        position + before.checked_sub(1).map_or(0, |i| self.cuts[i].1)
    }
}

/// The length of the end of line that this backslash splices.
fn splice(text: &[u8]) -> Option<usize> {
    let blanks = text[1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)).count();
    (text.get(1 + blanks) == Some(&b'\n')).then_some(blanks + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_anywhere() {
        for (text, expected) in [
            ("a b", "a b"),
            ("in\\\nt x", "int x"),
            ("+\\\n+", "++"),
            ("// a\\\nb\nc", "// ab\nc"),
            ("a\\\\\nb", "a\\b"),
            ("a\\ \t\r\nb", "ab"),
            ("a\\\n\\\nb\\", "ab\\"),
            ("\\n", "\\n"),
        ] {
            assert_eq!(Spliced::new(text).text, expected, "{text:?}");
        }
    }

    #[test]
    fn positions_lead_back() {
        let spliced = Spliced::new("ab\\\ncd\\\n\\\nef");
        assert_eq!(spliced.text, "abcdef");
        assert_eq!((0..6).map(|i| spliced.start(i)).collect::<Vec<_>>(), [0, 1, 4, 5, 10, 11]);
        assert_eq!((1..7).map(|i| spliced.end(i)).collect::<Vec<_>>(), [1, 2, 5, 6, 11, 12]);
    }
}
