//! Writes the page.

use super::Section;
use super::listing::Listing;
use crate::report::findings::Diagnostic;
use crate::report::picture::describe;
use crate::report::picture::escape::{markup, short};
use std::fmt::Write;

/// What the page looks like; pictures have their part of it.
pub(super) const STYLE: &str = concat!(include_str!("page.css"), include_str!("../picture/picture.css"));
/// What the page does: it shows and hides.
pub(super) const SCRIPT: &str = include_str!("page.js");
/// SHA-256 of [`STYLE`], in base 64. A test says what it has to be.
pub(super) const STYLE_HASH: &str = "vhLALVJiHL5yysmb2JYM1TlHfC9wLAo7PDFGRBDVQmU=";
/// SHA-256 of [`SCRIPT`].
pub(super) const SCRIPT_HASH: &str = "YEnjcsY1msuqLAca6T1mg+ybSEOCH3WwDXjaNyxvy2w=";
/// Of a line of source text or evidence.
const LONGEST: usize = 400;

const VERDICTS: [&str; 4] = ["violated", "too-weak", "unknown", "verified"];

/// The whole page.
#[must_use]
pub fn page(sections: &[Section], messages: &[Diagnostic]) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; \
         script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n",
        markup(&title(sections))
    );
    header(&mut out, sections);
    out.push_str("<div class=\"page\">");
    index(&mut out, sections);
    out.push_str("<main id=\"main\" tabindex=\"-1\">\n");
    diagnostics(&mut out, messages);
    let first = first(sections);
    for (i, section) in sections.iter().enumerate() {
        article(&mut out, i, section, Some(i) == first);
    }
    let _ = write!(out, "</main></div>\n<script>{SCRIPT}</script></body></html>\n");
    out
}

/// The section that is seen at first: the first that is not verified.
fn first(sections: &[Section]) -> Option<usize> {
    let rank = |verdict: &str| VERDICTS.iter().position(|v| *v == verdict);
    (0..sections.len()).min_by_key(|i| rank(sections[*i].verdict))
}

fn count(sections: &[Section], verdict: &str) -> usize {
    sections.iter().filter(|s| s.verdict == verdict).count()
}

fn title(sections: &[Section]) -> String {
    let counts: Vec<String> = VERDICTS
        .iter()
        .filter_map(|v| Some(count(sections, v)).filter(|n| *n > 0).map(|n| format!("{n} {v}")))
        .collect();
    let what = if counts.is_empty() { "nothing verified".to_owned() } else { counts.join(", ") };
    format!("{what} - Catena")
}

fn header(out: &mut String, sections: &[Section]) {
    let mut files: Vec<&str> = sections.iter().map(|s| s.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let files = match files[..] {
        [] => "no function".to_owned(),
        [one] => one.to_owned(),
        _ => format!("{} files", files.len()),
    };
    let time: std::time::Duration = sections.iter().map(|s| s.time).sum();
    let functions =
        if sections.len() == 1 { "1 function".to_owned() } else { format!("{} functions", sections.len()) };
    let _ = write!(
        out,
        "<a class=\"skip\" href=\"#main\">to the answer</a><header><h1>Catena</h1>\
         <p>{functions} in {}, {} of work</p><div role=\"group\" aria-label=\"show these verdicts\">",
        markup(&short(&files, LONGEST)),
        crate::report::text::time(time)
    );
    for verdict in VERDICTS {
        let n = count(sections, verdict);
        let off = if n == 0 { " disabled" } else { "" };
        let _ = write!(
            out,
            "<button type=\"button\" class=\"v {verdict}\" aria-pressed=\"true\" data-v=\"{verdict}\"{off}>{n} {verdict}</button>"
        );
    }
    out.push_str("</div><label>find <input type=\"search\" id=\"search\" autocomplete=\"off\"></label><p id=\"shown\" role=\"status\"></p>\
         <details class=\"legend\"><summary>how to read the pictures</summary><ul>\
         <li>a box is a cell: its name, its fields; labels are the variables that lead to it</li>\
         <li>variables on top lead to no cell; the sign of ground is NULL</li>\
         <li>yellow: changed by this statement; a thick pointer is new, a dotted one is where it led before</li>\
         <li>crossed out: freed; lost: no variable leads there; dashed red: a pointer to what is freed</li>\
         <li>a red frame: what the failure is about</li>\
         <li>arrow keys, Home and End step through the run</li></ul></details></header>\n");
}

fn index(out: &mut String, sections: &[Section]) {
    out.push_str("<nav aria-label=\"functions\"><ul>");
    let first = first(sections);
    for (i, section) in sections.iter().enumerate() {
        let current = if Some(i) == first { " aria-current=\"true\"" } else { "" };
        let _ = write!(
            out,
            "<li data-v=\"{0}\"><a href=\"#f{i}\"{current}><span class=\"v {0}\">{0}</span> <b>{1}</b> <small>{2}</small></a></li>",
            section.verdict,
            markup(&short(&section.function, 80)),
            markup(&short(&section.file, 120))
        );
    }
    out.push_str("</ul></nav>");
}

fn diagnostics(out: &mut String, messages: &[Diagnostic]) {
    if messages.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<details class=\"messages\"><summary>{} messages about the text</summary><ul>",
        messages.len()
    );
    for message in messages {
        let _ = write!(out, "<li>{}</li>", markup(&short(&message.to_string(), LONGEST)));
    }
    out.push_str("</ul></details>\n");
}

fn article(out: &mut String, i: usize, section: &Section, is_first: bool) {
    let hidden = if is_first { "" } else { " hidden" };
    let _ = write!(
        out,
        "<article id=\"f{i}\" tabindex=\"-1\" aria-labelledby=\"h{i}\"{hidden}><h2 id=\"h{i}\"><span class=\"v {0}\">{0}</span> {1}</h2>\
         <p class=\"by\">{2}, decided by {3} in {4}</p>",
        section.verdict,
        markup(&short(&section.function, LONGEST)),
        markup(&short(&section.file, LONGEST)),
        section.engine,
        section.shown_time()
    );
    if let Some(reason) = &section.reason {
        let _ = write!(out, "<p class=\"reason\">{}</p>", markup(&short(reason, 2 * LONGEST)));
    }
    if let Some(hint) = &section.hint {
        let _ = write!(out, "<p class=\"hint\">{}</p>", markup(&short(hint, 2 * LONGEST)));
    }
    if !section.frames.is_empty() {
        picture(out, i, section);
    }
    out.push_str("<div class=\"texts\">");
    source(out, i, section);
    if !section.frames.is_empty() {
        steps(out, i, section);
    }
    list(out, "Contract", &section.contract, |clause| markup(&short(clause, LONGEST)), 0);
    let found = if section.verdict == "verified" {
        "Invariants that were found"
    } else {
        "What could not be excluded"
    };
    let line = |(place, formula): &(String, String)| {
        let at = if place.is_empty() { String::new() } else { format!("<small>{}</small> ", markup(place)) };
        format!("{at}{}", markup(&short(formula, LONGEST)))
    };
    list(out, found, &section.evidence, line, section.more);
    out.push_str("</div></article>\n");
}

/// Lines of a language under a title, if there are any.
fn list<T>(out: &mut String, title: &str, lines: &[T], line: impl Fn(&T) -> String, more: usize) {
    if lines.is_empty() {
        return;
    }
    let _ = write!(out, "<div><h3>{title}</h3><ul class=\"code\">");
    for one in lines {
        let _ = write!(out, "<li>{}</li>", line(one));
    }
    if more > 0 {
        let _ = write!(out, "<li class=\"more\">{more} more lines</li>");
    }
    out.push_str("</ul></div>");
}

/// The buttons and the picture.
fn picture(out: &mut String, i: usize, section: &Section) {
    let last = section.frames.len() - 1;
    let single = if last == 0 { " hidden" } else { "" };
    let _ = write!(
        out,
        "<div class=\"buttons\" role=\"group\" aria-label=\"steps\"{single}>\
         <button type=\"button\" data-go=\"first\">« first</button>\
         <button type=\"button\" data-go=\"back\">‹ back</button>\
         <button type=\"button\" data-go=\"on\">on ›</button>\
         <button type=\"button\" data-go=\"last\">last »</button>\
         <output aria-live=\"polite\"></output></div>"
    );
    let picture = section.film().element(last, &format!("role=\"img\" aria-labelledby=\"d{i}.{last}\""));
    let _ = write!(out, "<figure tabindex=\"0\" aria-label=\"the heap; scrolls\">{picture}</figure>");
}

/// The statements of the run, each a button, with the states in words.
fn steps(out: &mut String, i: usize, section: &Section) {
    let last = section.frames.len() - 1;
    out.push_str("<div><h3>Run</h3><ol class=\"steps\">");
    for (k, frame) in section.frames.iter().enumerate() {
        let current = if k == last { " aria-current=\"step\"" } else { "" };
        let row = frame.place.as_ref().and_then(|place| section.listing.find(place));
        let row = row.map_or(String::new(), |(file, line)| format!(" data-r=\"{file}.{line}\""));
        let place = frame.place.as_ref().map(|p| format!("{}:{}", base(&p.file), p.line)).unwrap_or_default();
        let source = match (k, frame.source.as_str()) {
            (0, "") => "at the entry",
            (_, source) => source,
        };
        let _ = write!(
            out,
            "<li><button type=\"button\" class=\"step\"{row}{current}><small>{}</small> <code>{}</code>",
            markup(&place),
            markup(&short(source, 160))
        );
        for change in &frame.changes {
            let _ = write!(out, "<span class=\"change\">{}</span>", markup(&short(change, 160)));
        }
        if k == last && section.verdict == "violated" {
            out.push_str("<span class=\"fails\">fails here</span>");
        }
        out.push_str("</button>");
        let _ = write!(
            out,
            "<span class=\"alt\" id=\"d{i}.{k}\">{}</span></li>",
            markup(&describe::state(&frame.state))
        );
        if k == 0 && section.omitted > 0 {
            let _ = write!(out, "<li class=\"gap\">{} statements are left out</li>", section.omitted);
        }
    }
    out.push_str("</ol></div>");
}

/// The name of a file without its directories.
fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn source(out: &mut String, i: usize, section: &Section) {
    let Listing { files, function } = &section.listing;
    if files.is_empty() {
        return;
    }
    out.push_str("<div><h3>Source</h3>");
    for (f, (name, lines)) in files.iter().enumerate() {
        if f > 0 {
            let _ = write!(out, "<h4>{}</h4>", markup(&short(name, LONGEST)));
        }
        out.push_str("<ol class=\"src\">");
        let mut before = 0;
        for (k, line) in lines.iter().enumerate() {
            if before > 0 && line.number > before + 1 {
                out.push_str("<li class=\"gap\">…</li>");
            }
            before = line.number;
            let mut class = Vec::new();
            if line.is_annotation {
                class.push("note");
            }
            if *function == Some((f, k)) {
                class.push("name");
            }
            let class =
                if class.is_empty() { String::new() } else { format!(" class=\"{}\"", class.join(" ")) };
            let text = markup(&short(&line.text, LONGEST));
            let _ = write!(
                out,
                "<li id=\"l{i}.{f}.{k}\" value=\"{}\"{class}><code>{text}</code></li>",
                line.number
            );
        }
        out.push_str("</ol>");
    }
    out.push_str("</div>");
}
