//! How large things are, in the pixels of a picture. Text has a fixed width per character, somewhat more than
//! the fonts of browsers have, and is cut where it would be too long.

use super::escape::{short, visible};
use super::scene::{Block, Held, Label, Look, Loose, Scene};
use crate::report::findings::Status;

/// Height of the title of a box.
pub const TITLE: i32 = 20;
/// Height of a row.
pub const ROW: i32 = 18;
/// Height of a label, and of a variable that leads nowhere.
pub const LABEL: i32 = 18;
/// Between two labels.
pub const GAP: i32 = 4;
/// Between labels and the box below them.
pub const STEM: i32 = 7;
/// Labels stand this far to the right of their box's left side: pointers from above come in beside them.
pub const INDENT: i32 = 16;
/// Height of the numbers below the elements of an array.
pub const INDEX: i32 = 12;
/// What an array without elements shows.
pub const EMPTY: &str = "no elements";
const LONGEST_NAME: usize = 22;
const LONGEST_VALUE: usize = 26;
const LONGEST_TITLE: usize = 30;
/// Elements of an array beside each other.
const MOST_ITEMS: usize = 16;

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

/// The width of a text: two columns for scripts of wide characters.
#[must_use]
pub fn text(text: &str) -> i32 {
    let wide = |c: char| matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f000..=0x3fffd);
    let columns: i32 = text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum();
    (columns * 15 + 1) / 2
}

/// A field's name as it is shown.
#[must_use]
pub fn row_name(name: &str) -> String {
    short(&visible(name), LONGEST_NAME)
}

/// A label as it is shown.
#[must_use]
pub fn label_text(name: &str) -> String {
    short(&visible(name), LONGEST_VALUE)
}

/// What stands in a row as text.
#[must_use]
pub fn value_text(value: &Held) -> String {
    match value {
        Held::Absent => String::new(),
        Held::Text(text) => short(&visible(text), LONGEST_VALUE),
        Held::Null => "NULL".to_owned(),
        Held::Wild => "invalid".to_owned(),
        Held::Beyond => "…".to_owned(),
        Held::Box(_, None) => String::new(),
        Held::Box(_, Some(field)) => short(&format!("&{}", visible(field)), LONGEST_NAME),
    }
}

/// The width of a value with its symbol.
#[must_use]
pub fn value(value: &Held) -> i32 {
    match value {
        Held::Box(..) => 10 + text(&value_text(value)),
        // The ground says it.
        Held::Null => 16,
        // After the mark of a pointer to nowhere.
        Held::Wild => 20 + text(&value_text(value)),
        _ => text(&value_text(value)),
    }
}

/// The title of a box in a frame.
#[must_use]
pub fn title(block: &Block, look: &Look, with_kind: bool) -> String {
    let mut out = short(&visible(&block.name), LONGEST_TITLE);
    if with_kind && !block.kind.is_empty() {
        let kind = block.kind.strip_prefix("struct ").unwrap_or(&block.kind);
        out = format!("{out} : {}", short(&visible(kind), LONGEST_NAME));
    }
    match look.status {
        Status::Freed => out.push_str(" · freed"),
        Status::Allocated if look.is_lost => out.push_str(" · lost"),
        Status::Allocated | Status::Automatic => {}
    }
    out
}

/// Whether the kinds of boxes are worth showing.
#[must_use]
pub fn shows_kinds(scene: &Scene) -> bool {
    let mut kinds = scene.boxes.iter().filter(|b| !b.is_array).map(|b| b.kind.as_str());
    let first = kinds.next();
    kinds.any(|kind| Some(kind) != first)
}

/// A box: large enough for all frames.
#[must_use]
pub fn block(block: &Block, with_kind: bool) -> Size {
    let mut w = 60;
    for look in block.looks.iter().flatten() {
        w = w.max(text(&title(block, look, with_kind)) + 16);
        for (row, slot) in block.rows.iter().zip(&look.slots) {
            w = w.max(16 + text(&row_name(row)) + 12 + value(&slot.value) + 16);
        }
    }
    Size { w, h: TITLE + ROW * block.rows.len() as i32 + 2 }
}

/// A label.
#[must_use]
pub fn label(label: &Label) -> Size {
    Size { w: text(&label_text(&label.text)) + 12, h: LABEL }
}

/// A variable that leads nowhere.
#[must_use]
pub fn loose(loose: &Loose) -> Size {
    let name = text(&label_text(&loose.name)) + 12;
    if !loose.is_array {
        let word = |item: &Held| if *item == Held::Null { 4 + text(&value_text(item)) } else { 0 };
        let items = loose.items.iter().map(|item| 10 + value(item) + word(item));
        return Size { w: name + items.sum::<i32>(), h: LABEL };
    }
    let items: i32 = items(loose).map(|held| item(held).w).sum();
    Size {
        w: name
            + 4
            + (if loose.items.is_empty() { text(EMPTY) + 6 } else { items })
            + if loose.items.len() > MOST_ITEMS { 16 } else { 0 },
        h: LABEL + INDEX,
    }
}

/// The elements of an array that are shown.
pub fn items(loose: &Loose) -> impl Iterator<Item = &Held> {
    loose.items.iter().take(MOST_ITEMS)
}

/// An element of an array.
#[must_use]
pub fn item(held: &Held) -> Size {
    Size { w: (value(held) + 10).max(22), h: LABEL }
}
