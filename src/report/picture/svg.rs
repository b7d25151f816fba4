//! A laid-out scene as SVG: one frame by itself, or all frames in one picture whose parts know when they are to be
//! seen.

use super::Film;
use super::escape::markup;
use super::layout::{Point, Rect, row_height};
use super::links::Role;
use super::route::Pointer;
use super::scene::{Block, Held, Look, Loose, Slot};
use super::size::{self, LABEL, ROW, STEM, TITLE};
use crate::report::findings::Status;
#[cfg(feature = "cli")]
use crate::util::hash::Map;
use std::fmt::Write;

/// How everything looks, in light and in dark.
pub const STYLE: &str = include_str!("picture.css");
/// Radius of the corners of ways.
const ROUND: i32 = 5;

/// What lies below and what above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Layer {
    Past,
    Boxes,
    Ways,
    Labels,
    Marks,
}

/// One frame as a picture of its own; `described` is the text for those who do not see it.
pub(super) fn one(film: &Film, frame: usize, described: &str) -> String {
    let mut out = begin(film, "xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    let _ = write!(out, "<title>{}</title><style>{STYLE}</style>", markup(described));
    out.push_str("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>");
    let mut elements = elements(film, frame);
    elements.sort_by_key(|(layer, _)| *layer);
    elements.iter().for_each(|(_, text)| out.push_str(text));
    out.push_str("</svg>\n");
    out
}

/// All frames in one picture: what is seen in some frames only is in groups with the attribute `data-f`, the set of
/// frames in hexadecimal. `shown` is the frame that is seen at first.
#[cfg(feature = "cli")]
pub(super) fn all(film: &Film, shown: usize, attributes: &str) -> String {
    let n = film.scene.n_frames();
    let mut order: Vec<(Layer, String)> = Vec::new();
    let mut frames: Map<(Layer, String), u64> = Map::default();
    for frame in 0..n {
        for element in elements(film, frame) {
            if let Some(known) = frames.get_mut(&element) {
                *known |= 1 << frame;
            } else {
                order.push(element.clone());
                frames.insert(element, 1 << frame);
            }
        }
    }
    let mut parts: Vec<(Layer, u64, String)> = order.into_iter().map(|e| (e.0, frames[&e], e.1)).collect();
    // The sort is stable: what is seen at the same times comes together.
    parts.sort_by_key(|(layer, mask, _)| (*layer, *mask));
    let always = if n >= 64 { u64::MAX } else { (1 << n) - 1 };
    let mut out = begin(film, attributes);
    let mut group: Option<(Layer, u64)> = None;
    for (layer, mask, text) in parts {
        if group != Some((layer, mask)) {
            if group.is_some_and(|(_, mask)| mask != always) {
                out.push_str("</g>");
            }
            group = Some((layer, mask));
            if mask != always {
                let hidden = if mask >> shown & 1 == 1 { "" } else { " display=\"none\"" };
                let _ = write!(out, "<g data-f=\"{mask:x}\"{hidden}>");
            }
        }
        out.push_str(&text);
    }
    if group.is_some_and(|(_, mask)| mask != always) {
        out.push_str("</g>");
    }
    out.push_str("</svg>");
    out
}

fn begin(film: &Film, attributes: &str) -> String {
    let size = film.layout.size;
    let (w, h) = (size.w, size.h);
    format!("<svg class=\"heap\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" {attributes}>")
}

fn elements(film: &Film, frame: usize) -> Vec<(Layer, String)> {
    let mut out = Vec::new();
    let with_kind = size::shows_kinds(&film.scene);
    for (i, block) in film.scene.boxes.iter().enumerate() {
        let Some(look) = &block.looks[frame] else { continue };
        let rect = film.layout.boxes[i];
        out.push((Layer::Boxes, cell(block, look, rect, with_kind)));
        for (row, slot) in look.slots.iter().enumerate() {
            let text = slot_text(&block.rows[row], slot, rect, row);
            out.push((Layer::Ways, text));
            if slot.is_culprit {
                let y = rect.y + TITLE + ROW * row as i32;
                out.push((Layer::Marks, frame_around(Rect { y, h: ROW, ..rect })));
            }
        }
        labels(&mut out, look, rect, &film.layout.labels[frame][i]);
        if look.is_culprit {
            let around = Rect { x: rect.x - 4, y: rect.y - 4, w: rect.w + 8, h: rect.h + 8 };
            out.push((Layer::Marks, frame_around(around)));
        }
    }
    for (variable, rect) in film.scene.loose[frame].iter().zip(&film.layout.loose[frame]) {
        loose(&mut out, variable, *rect);
    }
    for (pointer, corners) in &film.layout.pointers {
        if pointer.frames >> frame & 1 == 1 {
            out.push((Layer::Ways, way(film, pointer, corners, frame, false)));
        } else if pointer.past >> frame & 1 == 1 {
            out.push((Layer::Past, way(film, pointer, corners, frame, true)));
        }
    }
    if film.scene.boxes.is_empty() && film.scene.loose[frame].is_empty() {
        out.push((
            Layer::Labels,
            "<text x=\"10\" y=\"24\" class=\"name\">no variables, no cells</text>".to_owned(),
        ));
    }
    if film.scene.beyond > 0 {
        let text = format!("{} more cells are not drawn", film.scene.beyond);
        let y = film.layout.size.h - 4;
        out.push((Layer::Labels, format!("<text x=\"10\" y=\"{y}\" class=\"bad\">{text}</text>")));
    }
    out
}

fn rect(class: &str, r: Rect, round: i32) -> String {
    let Rect { x, y, w, h } = r;
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\"/>")
}

fn frame_around(r: Rect) -> String {
    rect("culprit", r, 4)
}

/// The box and its title.
fn cell(block: &Block, look: &Look, r: Rect, with_kind: bool) -> String {
    let class = match look.status {
        _ if block.is_array => "array",
        Status::Freed => "freed",
        Status::Automatic => "automatic",
        Status::Allocated if look.is_lost => "lost",
        Status::Allocated => "cell",
    };
    let mut out = format!("<g class=\"{class}\">{}", rect("box", r, 4));
    if look.is_changed {
        out += &rect("changed", Rect { x: r.x + 1, y: r.y + 1, w: r.w - 2, h: TITLE - 1 }, 3);
    }
    for (row, _) in look.slots.iter().enumerate().filter(|(_, slot)| slot.is_changed) {
        let y = r.y + TITLE + ROW * row as i32 + 1;
        out += &rect("changed", Rect { x: r.x + 1, y, w: r.w - 2, h: ROW - 1 }, 0);
    }
    for row in 0..block.rows.len() as i32 {
        let y = r.y + TITLE + ROW * row;
        let _ = write!(out, "<path class=\"rule\" d=\"M{} {y}h{}\"/>", r.x, r.w);
    }
    let title = markup(&size::title(block, look, with_kind));
    let _ = write!(out, "<text class=\"title\" x=\"{}\" y=\"{}\">{title}</text>", r.x + 8, r.y + 14);
    let full =
        if block.kind.is_empty() { block.name.clone() } else { format!("{}: {}", block.name, block.kind) };
    let _ = write!(out, "<title>{}</title>", markup(&full));
    if look.status == Status::Freed && !block.is_array {
        let (x2, y2) = (r.x + r.w, r.y + r.h);
        let _ =
            write!(out, "<path class=\"cross\" d=\"M{} {}L{x2} {y2}M{x2} {}L{} {y2}\"/>", r.x, r.y, r.y, r.x);
    }
    out.push_str("</g>");
    out
}

/// The name of a row and what it holds; pointers are drawn by [`way`].
fn slot_text(name: &str, slot: &Slot, r: Rect, row: usize) -> String {
    let middle = r.y + row_height(row);
    let mut out = String::new();
    let _ = write!(
        out,
        "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>",
        r.x + 16,
        middle + 4,
        markup(&size::row_name(name))
    );
    let left = r.x + r.w - 16 - size::value(&slot.value);
    held(&mut out, &slot.value, left, middle);
    out
}

/// A value that starts at `x`, around the height `y`.
fn held(out: &mut String, value: &Held, x: i32, y: i32) {
    let text = markup(&size::value_text(value));
    match value {
        Held::Null => {
            let (a, b) = (x + 2, y - 6);
            // A stroke down to three that get shorter.
            let _ = write!(
                out,
                "<path class=\"ground\" d=\"M{} {b}v6M{a} {y}h12M{} {}h8M{} {}h4\"/>",
                a + 6,
                a + 2,
                y + 3,
                a + 4,
                y + 6
            );
        }
        Held::Wild => {
            let _ = write!(
                out,
                "<path class=\"wild\" d=\"M{} {}l4 4l-4 4M{} {y}h4M{} {}l8 8m0 -8l-8 8\"/>",
                x,
                y - 4,
                x,
                x + 8,
                y - 4
            );
            let _ = write!(out, "<text class=\"bad\" x=\"{}\" y=\"{}\">{text}</text>", x + 20, y + 4);
        }
        _ if text.is_empty() => {}
        _ => {
            let _ = write!(out, "<text x=\"{x}\" y=\"{}\">{text}</text>", y + 4);
        }
    }
}

fn labels(out: &mut Vec<(Layer, String)>, look: &Look, cell: Rect, places: &[Rect]) {
    for (label, place) in look.labels.iter().zip(places) {
        let class = if label.is_changed { "tag moved" } else { "tag" };
        let text = markup(&size::label_text(&label.text));
        let (x, y) = (place.x + 6, place.y + 13);
        let text =
            format!("{}<text class=\"tagname\" x=\"{x}\" y=\"{y}\">{text}</text>", rect(class, *place, 8));
        out.push((Layer::Labels, text));
        if label.is_culprit {
            out.push((Layer::Marks, frame_around(*place)));
        }
    }
    if !look.labels.is_empty() {
        let (x, y) = (cell.x + size::INDENT + 4, cell.y - STEM + 1);
        out.push((
            Layer::Labels,
            format!("<path class=\"stem\" d=\"M{x} {}v2h-3l5 6l5 -6h-3v-2z\"/>", y - 3),
        ));
    }
}

fn loose(out: &mut Vec<(Layer, String)>, variable: &Loose, r: Rect) {
    let name = size::label_text(&variable.name);
    let w = size::text(&name) + 12;
    let class = if variable.is_changed { "tag moved" } else { "tag" };
    let mut text = rect(class, Rect { w, h: LABEL, ..r }, 8);
    let _ =
        write!(text, "<text class=\"tagname\" x=\"{}\" y=\"{}\">{}</text>", r.x + 6, r.y + 13, markup(&name));
    let (mut x, y) = (r.x + w + 4, r.y + LABEL / 2);
    if variable.is_array {
        for (i, item) in size::items(variable).enumerate() {
            let size = size::item(item);
            text += &rect("box", Rect { x, y: r.y, w: size.w, h: LABEL }, 0);
            held(&mut text, item, x + 5, y);
            let _ =
                write!(text, "<text class=\"index\" x=\"{}\" y=\"{}\">{i}</text>", x + 4, r.y + LABEL + 9);
            x += size.w;
        }
        if variable.items.is_empty() {
            let _ =
                write!(text, "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>", x + 3, y + 4, size::EMPTY);
        }
        if size::items(variable).count() < variable.items.len() {
            let _ = write!(text, "<text x=\"{}\" y=\"{}\">…</text>", x + 3, y + 4);
        }
    } else {
        for item in &variable.items {
            held(&mut text, item, x + 4, y);
            if *item == Held::Null {
                let _ = write!(text, "<text class=\"name\" x=\"{}\" y=\"{}\">NULL</text>", x + 24, y + 4);
            }
        }
    }
    out.push((Layer::Labels, text));
    if variable.is_culprit {
        out.push((Layer::Marks, frame_around(Rect { x: r.x - 2, y: r.y - 2, w: r.w + 4, h: r.h + 4 })));
    }
}

/// A pointer: its dot, its way with round corners, its head.
fn way(film: &Film, pointer: &Pointer, corners: &[Point], frame: usize, is_past: bool) -> String {
    let block = &film.scene.boxes[pointer.from];
    let role = match film.roles.of(&block.kind, &block.rows[pointer.row]) {
        Role::Next => "next",
        Role::Child(_) => "child",
        Role::Back => "back",
        Role::Aside => "aside",
    };
    let look = |i: usize| film.scene.boxes[i].looks[frame].as_ref();
    let to_freed = look(pointer.to).is_none_or(|look| look.status == Status::Freed);
    let is_new =
        look(pointer.from).and_then(|l| l.slots.get(pointer.row)).is_some_and(|slot| slot.is_changed);
    let class = match (is_past, to_freed, is_new) {
        (true, _, _) => "old",
        (_, true, true) => "dangling new",
        (_, true, false) => "dangling",
        (_, _, true) => "new",
        _ => "",
    };
    let (x, y) = corners[0];
    let mut out = format!("<g class=\"{}\">", format!("{role} {class}").trim());
    let _ = write!(
        out,
        "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/><path class=\"way\" d=\"M{x} {y}"
    );
    for i in 1..corners.len() {
        let (from, here) = (corners[i - 1], corners[i]);
        match corners.get(i + 1) {
            Some(&next) => {
                let before = toward(here, from, radius(from, here, next));
                let after = toward(here, next, radius(from, here, next));
                let _ =
                    write!(out, "L{} {}Q{} {} {} {}", before.0, before.1, here.0, here.1, after.0, after.1);
            }
            None => {
                let end = toward(here, from, 5);
                let _ = write!(out, "L{} {}\"/>", end.0, end.1);
                let (dx, dy) = ((here.0 - from.0).signum(), (here.1 - from.1).signum());
                let (a, b) = (here.0 - 8 * dx, here.1 - 8 * dy);
                let _ = write!(
                    out,
                    "<path class=\"head\" d=\"M{} {}L{} {}L{} {}z\"/>",
                    here.0,
                    here.1,
                    a - 4 * dy,
                    b + 4 * dx,
                    a + 4 * dy,
                    b - 4 * dx
                );
            }
        }
    }
    out.push_str("</g>");
    out
}

fn radius(from: Point, here: Point, next: Point) -> i32 {
    let length = |a: Point, b: Point| (a.0 - b.0).abs() + (a.1 - b.1).abs();
    ROUND.min(length(from, here) / 2).min(length(here, next) / 2)
}

/// The point so far from `here` in the direction of `there`, along one axis.
fn toward(here: Point, there: Point, far: i32) -> Point {
    (here.0 + (there.0 - here.0).signum() * far, here.1 + (there.1 - here.1).signum() * far)
}
