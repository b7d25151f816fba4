//! Answers as JUnit's XML, as CI systems read it: a suite per file, a test case per function. What is violated has
//! failed, what is undecided is an error, so that neither is taken for success.

use super::item::{Item, Items};
use super::plain;
use std::fmt::Write;

/// The whole document.
#[must_use]
pub fn document(items: &Items) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut files: Vec<&str> = Vec::new();
    for item in &items.answers {
        if !files.contains(&item.file.as_str()) {
            files.push(&item.file);
        }
    }
    let all: Vec<&Item> = items.answers.iter().collect();
    let _ = writeln!(out, "<testsuites name=\"catena\" {}>", numbers(&all));
    for file in files {
        let suite: Vec<&Item> = items.answers.iter().filter(|item| item.file == file).collect();
        let _ = writeln!(out, "  <testsuite name=\"{}\" {}>", attribute(file), numbers(&suite));
        for item in suite {
            case(&mut out, item);
        }
        let messages: Vec<String> = items
            .diagnostics
            .iter()
            .filter(|d| d.place.file == file)
            .map(|d| format!("{}:{}:{}: {}", d.place.file, d.place.line, d.place.column, d.message))
            .collect();
        if !messages.is_empty() {
            let _ = writeln!(out, "    <system-err>{}</system-err>", content(&messages.join("\n")));
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn numbers(items: &[&Item]) -> String {
    let count = |words: &[&str]| items.iter().filter(|item| words.contains(&item.word)).count();
    let time: f64 = items.iter().map(|item| item.time.as_secs_f64()).sum();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{time:.3}\"",
        items.len(),
        count(&["violated"]),
        count(&["too-weak", "unknown"]),
    )
}

fn case(out: &mut String, item: &Item) {
    let name = attribute(item.function.as_deref().unwrap_or("reading"));
    let file = attribute(&item.file);
    let line = item.place.as_ref().map_or(String::new(), |p| format!(" line=\"{}\"", p.line));
    let time = item.time.as_secs_f64();
    let _ = write!(
        out,
        "    <testcase name=\"{name}\" classname=\"{file}\" file=\"{file}\"{line} time=\"{time:.3}\""
    );
    if item.word == "verified" {
        out.push_str("/>\n");
        return;
    }
    let element = if item.word == "violated" { "failure" } else { "error" };
    let lines: Vec<String> = item.reason.clone().into_iter().chain(item.run()).collect();
    let _ = writeln!(
        out,
        ">\n      <{element} type=\"{}\" message=\"{}\">{}</{element}>\n    </testcase>",
        item.word,
        attribute(&item.message()),
        content(&lines.join("\n")),
    );
}

/// Text between tags.
fn content(text: &str) -> String {
    plain::lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text in quotes: line ends would become blanks.
fn attribute(text: &str) -> String {
    content(text).replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_understands_is_escaped() {
        assert_eq!(attribute("<a b=\"&\">\n\u{1b}\u{0}"), "&lt;a b=&quot;&amp;&quot;&gt;&#10;\\u{1b}\\u{0}");
        assert_eq!(content("]]>"), "]]&gt;");
    }
}
