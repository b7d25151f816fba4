//! A state for Graphviz: cells are tables with a port per field, variables are ellipses. Names of nodes are numbers, and
//! all text of the program stands in labels, escaped.

use super::Film;
use super::escape::markup;
use super::scene::{Block, Held, Look, Loose};
use super::size;
use crate::report::findings::Status;
use std::fmt::Write;

/// One frame of a run.
#[must_use]
pub(super) fn frame(film: &Film, frame: usize, title: &str) -> String {
    let mut out =
        "digraph heap {\n  rankdir=LR;\n  node [shape=plaintext, fontname=\"monospace\", fontsize=11];\n"
            .to_owned();
    let _ = writeln!(out, "  labelloc=t; label=<{}>;", text(title));
    for (i, block) in film.scene.boxes.iter().enumerate() {
        if let Some(look) = &block.looks[frame] {
            let _ = writeln!(out, "  c{i} [label=<{}>];", table(block, look));
            for (k, label) in look.labels.iter().enumerate() {
                let colour = colour(label.is_culprit, label.is_changed);
                let name = text(&label.text);
                let _ = writeln!(
                    out,
                    "  v{i}_{k} [shape=ellipse, label=<{name}>{colour}];\n  v{i}_{k} -> c{i}:t;"
                );
            }
        }
    }
    for (i, variable) in film.scene.loose[frame].iter().enumerate() {
        let colour = colour(variable.is_culprit, variable.is_changed);
        let _ = writeln!(out, "  n{i} [shape=box, label=<{}>{colour}];", text(&content(variable)));
    }
    for (pointer, _) in film.layout.pointers.iter().filter(|(p, _)| p.frames >> frame & 1 == 1) {
        let look = film.scene.boxes[pointer.to].looks[frame].as_ref();
        // A pointer to a cell that is not there yet leads to the invisible.
        if look.is_some() {
            let dangling = look.is_some_and(|look| look.status == Status::Freed);
            let style = if dangling { " [color=red, style=dashed]" } else { "" };
            let _ = writeln!(out, "  c{}:f{} -> c{}:t{style};", pointer.from, pointer.row, pointer.to);
        }
    }
    if film.scene.beyond > 0 {
        let _ = writeln!(out, "  more [label=\"{} more cells are not drawn\"];", film.scene.beyond);
    }
    out.push_str("}\n");
    out
}

/// Text in a label; Graphviz wants no empty one.
fn text(text: &str) -> String {
    if text.is_empty() { " ".to_owned() } else { markup(text).replace('\n', "<BR/>") }
}

fn colour(is_culprit: bool, is_changed: bool) -> &'static str {
    match (is_culprit, is_changed) {
        (true, _) => ", color=red, penwidth=2",
        (_, true) => ", style=filled, fillcolor=\"#fff0a8\"",
        _ => "",
    }
}

/// `n = 3`.
fn content(variable: &Loose) -> String {
    let items: Vec<String> = variable.items.iter().map(size::value_text).collect();
    let items = items.join(", ");
    if variable.is_array {
        format!("{} = [{items}]", variable.name)
    } else {
        format!("{} = {items}", variable.name)
    }
}

fn table(block: &Block, look: &Look) -> String {
    let background = match look.status {
        Status::Freed => "#dddddd",
        Status::Automatic => "#eef6ee",
        Status::Allocated if look.is_lost => "#ffe3e0",
        Status::Allocated => "#f4f7fb",
    };
    let border = if look.is_culprit { " COLOR=\"red\"" } else { "" };
    let mut out =
        format!("<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" BGCOLOR=\"{background}\"{border}>");
    let title = text(&size::title(block, look, true));
    let title = if look.status == Status::Freed { format!("<S>{title}</S>") } else { title };
    let _ = write!(out, "<TR><TD PORT=\"t\"><B>{title}</B></TD></TR>");
    for (i, (name, slot)) in block.rows.iter().zip(&look.slots).enumerate() {
        let value = match &slot.value {
            Held::Box(_, None) => "•".to_owned(),
            value => size::value_text(value),
        };
        let colour = match (slot.is_culprit, slot.is_changed) {
            (true, _) => " BGCOLOR=\"#ffb3ad\"",
            (_, true) => " BGCOLOR=\"#fff0a8\"",
            _ => "",
        };
        let row = text(&format!("{name}: {value}"));
        let _ = write!(out, "<TR><TD PORT=\"f{i}\" ALIGN=\"LEFT\"{colour}>{row}</TD></TR>");
    }
    out.push_str("</TABLE>");
    out
}
