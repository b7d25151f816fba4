//! Text from outside that is shown on a terminal or in a file: what could change how the rest is shown is escaped.
//!
//! Control characters (terminal escapes begin with one), marks that change the direction of writing, and characters
//! that cannot be seen become `\u{..}`, as Rust writes them. Line ends and tabs stay where the caller says so.

use std::borrow::Cow;

/// Whether a character is shown as a number.
#[must_use]
pub fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text on lines of its own; line ends and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hostile(c) && c != '\n' && c != '\t')
}

fn escaped(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if bad(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_harms_is_changed() {
        assert!(matches!(lines("a\tü\n→ \u{1f600}"), Cow::Borrowed(_)));
        assert_eq!(lines("\x1b[2J\r\u{202e}x"), "\\u{1b}[2J\\r\\u{202e}x");
    }
}
