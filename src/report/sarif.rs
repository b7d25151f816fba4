//! Answers as SARIF 2.1.0 (OASIS): one run, one result for everything that is not verified and for every message. The
//! failing run is a code flow whose locations carry what each statement changed.

use super::findings::{Check, Place, Trace, Verdict};
use super::item::{Item, Items, level};
use super::plain;
use serde_json::{Map, Value, json};

/// The schema that documents name.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The whole document.
#[must_use]
pub fn document(items: &Items) -> Value {
    let mut rules = Rules::default();
    let mut results = Vec::new();
    for item in items.answers.iter().filter(|item| item.word != "verified") {
        results.push(answer(item, &mut rules));
    }
    for diagnostic in &items.diagnostics {
        let text = match &diagnostic.help {
            Some(help) => format!("{}; {help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let mut result = result(
            rules.index(diagnostic.code, diagnostic.code),
            diagnostic.code,
            level(diagnostic.severity),
            &text,
            Some(&diagnostic.place),
        );
        let from = diagnostic.included_from.iter().enumerate();
        let related: Vec<Value> = from.map(|(i, place)| related(i, place, "included from here")).collect();
        if !related.is_empty() {
            result.insert("relatedLocations".to_owned(), Value::Array(related));
        }
        results.push(Value::Object(result));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "catena",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.0.iter().map(|(id, text)| json!({
                    "id": id,
                    "shortDescription": { "text": text },
                })).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The kinds of results, in the order in which they come.
#[derive(Default)]
struct Rules(Vec<(String, String)>);

impl Rules {
    fn index(&mut self, id: &str, text: &str) -> usize {
        if let Some(at) = self.0.iter().position(|(known, _)| known == id) {
            return at;
        }
        self.0.push((id.to_owned(), text.to_owned()));
        self.0.len() - 1
    }
}

/// What a kind of results is about.
fn about(check: Check) -> String {
    format!("A check of the class `{}` fails or could not be proved", check.word())
}

fn answer(item: &Item, rules: &mut Rules) -> Value {
    let (id, text) = match &item.verdict {
        Some(Verdict::Violated(trace)) => (trace.check.word().to_owned(), about(trace.check)),
        Some(Verdict::TooWeak(weakness)) => (weakness.check.word().to_owned(), about(weakness.check)),
        _ => ("undecided".to_owned(), "Nothing is known".to_owned()),
    };
    let index = rules.index(&id, &text);
    let level = if item.word == "violated" { "error" } else { "warning" };
    let mut out = result(index, &id, level, &item.message(), item.blamed());
    out.insert(
        "properties".to_owned(),
        json!({
            "verdict": item.word,
            "engine": item.engine,
            "function": item.function,
            "file": item.file,
        }),
    );
    if let Some(place) = &item.place {
        let name = item.function.as_deref().unwrap_or_default();
        let related = related(0, place, &format!("the function `{name}`"));
        out.insert("relatedLocations".to_owned(), json!([related]));
    }
    if let Some(trace) = item.trace() {
        out.insert("codeFlows".to_owned(), json!([code_flow(item, trace)]));
    }
    Value::Object(out)
}

fn result(rule: usize, id: &str, level: &str, text: &str, place: Option<&Place>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("ruleId".to_owned(), json!(id));
    out.insert("ruleIndex".to_owned(), json!(rule));
    out.insert("level".to_owned(), json!(level));
    out.insert("message".to_owned(), message(text));
    let locations: Vec<Value> =
        place.into_iter().map(|p| json!({ "physicalLocation": physical(p) })).collect();
    out.insert("locations".to_owned(), Value::Array(locations));
    out
}

/// A message; braces and escapes of the text are not placeholders.
fn message(text: &str) -> Value {
    json!({ "text": plain::lines(text) })
}

fn physical(place: &Place) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&place.file) },
        "region": { "startLine": place.line.max(1), "startColumn": place.column.max(1) },
    })
}

fn related(id: usize, place: &Place, text: &str) -> Value {
    json!({ "id": id, "message": message(text), "physicalLocation": physical(place) })
}

fn code_flow(item: &Item, trace: &Trace) -> Value {
    let mut locations = Vec::new();
    if let Some(place) = &item.place {
        locations.push(flow_location(
            place,
            &format!("at entry: {}", trace.entry.drawn.join("; ")),
            "important",
        ));
    }
    for (i, step) in trace.steps.iter().enumerate() {
        let Some(place) = &step.place else { continue };
        let is_last = i + 1 == trace.steps.len();
        let changes = step.changes.join(", ");
        let text = match (is_last, changes.is_empty()) {
            (true, true) => trace.message.clone(),
            (true, false) => format!("{changes}; {}", trace.message),
            (false, _) => changes,
        };
        locations.push(flow_location(place, &text, if is_last { "essential" } else { "important" }));
    }
    if locations.is_empty()
        && let Some(place) = item.blamed()
    {
        locations.push(flow_location(place, &trace.message, "essential"));
    }
    json!({ "threadFlows": [{ "locations": locations }] })
}

fn flow_location(place: &Place, text: &str, importance: &str) -> Value {
    json!({
        "importance": importance,
        "location": { "physicalLocation": physical(place), "message": message(text) },
    })
}

/// A path as a reference: what has a meaning in one is written by its number.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(byte as char)
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    if path.starts_with('/') { format!("file://{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a/b c.c"), "a/b%20c.c");
        assert_eq!(uri("/a:b.c"), "file:///a%3Ab.c");
        assert_eq!(uri("x\u{1b}<y>.c"), "x%1B%3Cy%3E.c");
    }
}
