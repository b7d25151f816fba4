//! Messages of the front end as text, in the form that compilers have made familiar.

use crate::frontend::diagnostic::{Diagnostic, Severity, Sources};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// The message with the source lines it is about.
#[must_use]
pub fn render(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Warning => Level::WARNING,
        Severity::Unsupported => Level::WARNING.with_name("unsupported"),
        Severity::Error => Level::ERROR,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let Some(source) = sources.source_of(diagnostic.span.start) else {
        return Renderer::plain().render(&[annotate_snippets::Group::with_title(title)]);
    };
    let inside = |start: u32, end: u32| {
        let length = source.text.len();
        let start = ((start.max(source.base) - source.base) as usize).min(length);
        let end = ((end.max(source.base) - source.base) as usize).clamp(start, length);
        let start = (0..=start).rev().find(|i| source.text.is_char_boundary(*i)).unwrap_or(0);
        let end = (end..=length).find(|i| source.text.is_char_boundary(*i)).unwrap_or(length);
        start..end
    };
    let mut snippet = Snippet::source(&source.text)
        .path(&source.name)
        .annotation(AnnotationKind::Primary.span(inside(diagnostic.span.start, diagnostic.span.end)));
    for label in &diagnostic.labels {
        let same = label.span.start >= source.base && label.span.start <= source.end();
        if same {
            let span = inside(label.span.start, label.span.end);
            snippet = snippet.annotation(AnnotationKind::Context.span(span).label(&label.message));
        }
    }
    let mut group = title.element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    Renderer::plain().render(&[group])
}
