//! Diagnostics as rustc would print them, and as JSON.
//!
//! Text goes through `annotate-snippets`: `--> file:line:column` is understood by every editor. Positions are those
//! of the file that was read; if the file is preprocessed text, a note names the line that its markers claim.

use crate::frontend::diagnostic::{Diagnostic, Location, Severity, Source, Sources, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// Lines of text shown around a position at most; a file of one huge line must not be printed whole.
const MAX_LINE: usize = 400;

/// All diagnostics as text, in order, each followed by an empty line.
pub fn text(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&one(diagnostic, sources, &renderer));
        out.push_str("\n\n");
    }
    out
}

fn one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Unsupported => Level::ERROR.with_name("unsupported"),
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let mut group = Group::with_title(title);
    let location = sources.location(diagnostic.span);
    match sources.source_of(diagnostic.span.start).and_then(|s| window(s, diagnostic.span)) {
        Some((source, window)) => {
            let mut snippet = Snippet::source(&source.text[window.start..window.end])
                .line_start(window.line)
                .path(source.name.as_str())
                .annotation(AnnotationKind::Primary.span(window.inside(source, diagnostic.span)));
            for label in &diagnostic.labels {
                let inside = sources.source_of(label.span.start).is_some_and(|s| s.base == source.base);
                if inside && window.contains(source, label.span) {
                    let span = window.inside(source, label.span);
                    snippet =
                        snippet.annotation(AnnotationKind::Context.span(span).label(label.message.as_str()));
                }
            }
            group = group.element(snippet);
        }
        None => {
            let place = format!("{}:{}:{}", location.file, location.line, location.column);
            group = group.element(Level::NOTE.message(place));
        }
    }
    let presumed = sources.presumed(diagnostic.span);
    if (presumed.file.as_str(), presumed.line) != (location.file.as_str(), location.line) {
        group = group.element(Level::NOTE.message(format!("this is {}:{}", presumed.file, presumed.line)));
    }
    for from in sources.includes(diagnostic.span) {
        let place = format!("included from {}:{}:{}", from.file, from.line, from.column);
        group = group.element(Level::NOTE.message(place));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// A part of a source: whole lines around a diagnostic.
struct Window {
    start: usize,
    end: usize,
    line: usize,
}

impl Window {
    fn contains(&self, source: &Source, span: Span) -> bool {
        let at = |p: u32| (p - source.base) as usize;
        at(span.start) >= self.start && at(span.end.max(span.start)) <= self.end
    }

    /// The span relative to the window, on character boundaries.
    fn inside(&self, source: &Source, span: Span) -> std::ops::Range<usize> {
        let text = &source.text[self.start..self.end];
        let clamp = |position: u32| {
            let mut at = ((position - source.base) as usize).clamp(self.start, self.end) - self.start;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (clamp(span.start), clamp(span.end.max(span.start)));
        start..end.max(start)
    }
}

/// The lines of a span, at most a few; `None` if they are too long to be shown.
fn window(source: &Source, span: Span) -> Option<(&Source, Window)> {
    let text = source.text.as_str();
    let mut at = ((span.start - source.base) as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = text[..at].rfind('\n').map_or(0, |p| p + 1);
    let line = text[..start].bytes().filter(|b| *b == b'\n').count() + 1;
    let mut end = start;
    for _ in 0..4 {
        end = text[end..].find('\n').map_or(text.len(), |p| end + p + 1);
        if end >= (span.end - source.base) as usize {
            break;
        }
    }
    let end = if end > start && text[..end].ends_with('\n') { end - 1 } else { end };
    let long = text[start..end.max(start)].lines().any(|l| l.len() > MAX_LINE);
    (!long && start <= end).then_some((source, Window { start, end, line }))
}

/// A diagnostic as one JSON object.
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Unsupported => "unsupported",
        Severity::Warning => "warning",
    };
    let labels: Vec<String> = diagnostic
        .labels
        .iter()
        .map(|l| format!("{{{},\"message\":{}}}", place(l.span, sources), quote(&l.message)))
        .collect();
    let help = diagnostic.help.as_deref().map_or_else(|| "null".to_owned(), quote);
    let at =
        |l: Location| format!("{{\"file\":{},\"line\":{},\"column\":{}}}", quote(&l.file), l.line, l.column);
    let chain: Vec<String> = sources.includes(diagnostic.span).into_iter().map(at).collect();
    let chain = chain.join(",");
    format!(
        "{{\"severity\":\"{severity}\",\"code\":{},\"message\":{},{},\"labels\":[{}],\"included_from\":[{chain}],\"help\":{help}}}",
        quote(diagnostic.code),
        quote(&diagnostic.message),
        place(diagnostic.span, sources),
        labels.join(",")
    )
}

fn place(span: Span, sources: &Sources) -> String {
    let start = sources.location(span);
    let end = sources.location(Span { start: span.end.max(span.start), end: span.end });
    let Location { file, line, column } = start;
    format!(
        "\"file\":{},\"line\":{line},\"column\":{column},\"end_line\":{},\"end_column\":{}",
        quote(&file),
        end.line,
        end.column
    )
}

/// A JSON string.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str, start: u32, end: u32) -> (Diagnostic, Sources) {
        let mut sources = Sources::default();
        sources.add("t.c", text.to_owned()).expect("small");
        let span = Span { start, end };
        let diagnostic = Diagnostic::error("syntax", span, "`;` is missing \"here\"")
            .label(Span { start: 0, end: 3 }, "a type")
            .help("add it");
        (diagnostic, sources)
    }

    #[test]
    fn text_points_at_the_place() {
        let (diagnostic, sources) = sample("int x\nint y;\n", 5, 5);
        let shown = text(&[diagnostic], &sources, false);
        assert!(shown.contains("error[syntax]: `;` is missing"), "{shown}");
        assert!(shown.contains("--> t.c:1:6"), "{shown}");
        assert!(shown.contains("help: add it"), "{shown}");
    }

    #[test]
    fn odd_positions_are_shown_somehow() {
        for (start, end) in [(0, 0), (1, 2), (12, 12), (400, 500), (u32::MAX / 2, u32::MAX / 2), (3, 1)] {
            let (diagnostic, sources) = sample("é\r\n\n\u{1F600} é", start, end);
            assert!(text(std::slice::from_ref(&diagnostic), &sources, true).contains("missing"));
            assert!(json(&diagnostic, &sources).starts_with("{\"severity\":\"error\""));
        }
        let (diagnostic, sources) = sample(&"x".repeat(10_000), 5, 9);
        assert!(text(&[diagnostic], &sources, false).len() < 1000);
    }

    #[test]
    fn json_is_quoted() {
        let (diagnostic, sources) = sample("int x\nint y;\n", 5, 5);
        let shown = json(&diagnostic, &sources);
        assert!(shown.contains("\"message\":\"`;` is missing \\\"here\\\"\""), "{shown}");
        assert!(shown.contains("\"line\":1,\"column\":6"), "{shown}");
        assert_eq!(quote("a\u{1}\n"), "\"a\\u0001\\n\"");
    }
}
