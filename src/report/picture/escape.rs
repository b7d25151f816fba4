//! Text of programs inside other languages: nothing that a file, a comment or an identifier says may end the place it
//! is put into, and what nobody sees is written out.
//!
//! Controls (the null byte, terminal escapes) and marks that change the direction of text or have no width are
//! written as on the terminal (`report::plain`), so that a reader sees that they are there.

use crate::report::plain;
use std::borrow::Cow;

/// The text with hidden characters written out; line ends and tabs stay.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    // Neither XML nor HTML may have them, and no program does.
    let is_none = |c: char| (c as u32) & 0xfffe == 0xfffe;
    match plain::lines(text) {
        shown if shown.contains(is_none) => shown.replace(is_none, "\u{fffd}").into(),
        shown => shown,
    }
}

/// Text between tags and in quoted attributes, in HTML and in SVG.
#[must_use]
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// At most so many characters; the last is an ellipsis where something is missing.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(most.saturating_sub(1)).collect();
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_place() {
        let hostile = "</style><script>x\"'</script>]]>&\0\u{1b}[31m\u{202e}\u{feff}\u{ffff}";
        let text = markup(hostile);
        assert!(!text.contains(['<', '>', '"', '\'', '\0', '\u{1b}', '\u{202e}', '\u{feff}', '\u{ffff}']));
        assert!(text.contains("\\u{0}\\u{1b}[31m\\u{202e}\\u{feff}\u{fffd}"), "{text}");
        assert!(text.starts_with("&lt;/style&gt;"));
        assert_eq!(short("abcd", 3), "ab…");
        assert_eq!(short("abc", 3), "abc");
    }
}
