//! Answers as workflow commands: GitHub shows them beside the lines of a change.

use super::findings::{Diagnostic, Place};
use super::item::{Item, level};
use super::plain;

/// One line for an answer; nothing for what is verified.
#[must_use]
pub fn answer(item: &Item) -> String {
    let kind = match item.word {
        "verified" => return String::new(),
        "violated" => "error",
        _ => "warning",
    };
    let title = format!("catena: {}", item.word);
    let text: Vec<String> = std::iter::once(item.message()).chain(item.run()).collect();
    command(kind, &title, item.blamed(), Some(&item.file), &text.join("\n"))
}

/// One line for a message.
#[must_use]
pub fn diagnostic(diagnostic: &Diagnostic) -> String {
    let title = format!("catena: {}", diagnostic.code);
    command(level(diagnostic.severity), &title, Some(&diagnostic.place), None, &diagnostic.message)
}

fn command(kind: &str, title: &str, place: Option<&Place>, file: Option<&str>, text: &str) -> String {
    let mut properties = match (place, file) {
        (Some(place), _) => {
            format!("file={},line={},col={},", property(&place.file), place.line, place.column)
        }
        (None, Some(file)) => format!("file={},", property(file)),
        (None, None) => String::new(),
    };
    properties.push_str(&format!("title={}", property(title)));
    format!("::{kind} {properties}::{}\n", data(text))
}

/// Text after the second pair of colons.
fn data(text: &str) -> String {
    plain::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_stays_on_its_line() {
        let place = Place { file: "a,b:c\n::error::.c".to_owned(), line: 3, column: 1 };
        let line = command("error", "t", Some(&place), None, "100%\n::warning::x");
        assert_eq!(
            line,
            "::error file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3A.c,line=3,col=1,title=t::100%25%0A::warning::x\n"
        );
    }
}
