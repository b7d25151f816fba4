//! Along which fields a structure is drawn and its cells are named: `next` before `prev`, `left` and `right` as a tree.
//!
//! Only the order and the layout of what is shown depend on it, so names of fields and hints are good enough.

use crate::program::{FieldId, Program, Shape, StructId};

/// How much a link leads onwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    Onwards,
    Unclear,
    Back,
}

/// Words in the names of links that lead onwards, and of those that lead back.
const ONWARDS: &[&str] = &["next", "nxt", "succ", "link", "tail", "rest", "forw", "cdr"];
const BACK: &[&str] = &["prev", "pred", "prv", "back", "parent", "father", "owner", "up", "pre", "last"];
/// Names of the two children in a tree.
const CHILDREN: &[(&str, &str)] = &[
    ("left", "right"),
    ("l", "r"),
    ("lft", "rgt"),
    ("lc", "rc"),
    ("lson", "rson"),
    ("lchild", "rchild"),
    ("left_child", "right_child"),
    ("less", "greater"),
    ("lo", "hi"),
];

fn direction(program: &Program, field: FieldId) -> Direction {
    let hinted = |shape: &Shape| match *shape {
        Shape::List(f) | Shape::Dlist(f, _) if f == field => Some(Direction::Onwards),
        Shape::Dlist(_, b) if b == field => Some(Direction::Back),
        _ => None,
    };
    if let Some(direction) = program.shapes.iter().find_map(hinted) {
        return direction;
    }
    let name = program.fields[field.index()].name.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or(&name);
    let one_of = |words: &[&str]| words.iter().any(|w| last == *w || (w.len() > 2 && last.contains(w)));
    match () {
        () if one_of(ONWARDS) || last == "n" => Direction::Onwards,
        () if one_of(BACK) || last == "p" || last == "b" => Direction::Back,
        () => Direction::Unclear,
    }
}

/// Whether a link leads back, as `prev` and `parent` do.
pub(super) fn leads_back(program: &Program, field: FieldId) -> bool {
    program.fields[field.index()].is_link() && direction(program, field) == Direction::Back
}

/// The link along which cells of a struct are drawn, among those that are shown.
pub(super) fn main_link(program: &Program, of: StructId, shown: &[bool]) -> Option<FieldId> {
    let fields = program.structs.get(of.index())?.fields.iter().copied();
    let links = fields.filter(|f| shown[f.index()] && program.fields[f.index()].is_link());
    links.min_by_key(|f| direction(program, *f))
}

/// The two children, if cells of a struct form a tree.
pub(super) fn children(program: &Program, of: StructId, shown: &[bool]) -> Option<(FieldId, FieldId)> {
    let owned = |f: FieldId| program.fields[f.index()].owner == of && shown[f.index()];
    let hinted = program.shapes.iter().find_map(|shape| match *shape {
        Shape::Tree(l, r) if owned(l) && owned(r) => Some((l, r)),
        _ => None,
    });
    let named = |name: &str| {
        let mut fields = program.structs.get(of.index())?.fields.iter().copied();
        fields.find(|f| {
            let field = &program.fields[f.index()];
            field.is_link() && shown[f.index()] && field.name.eq_ignore_ascii_case(name)
        })
    };
    hinted.or_else(|| CHILDREN.iter().find_map(|(l, r)| named(l).zip(named(r))))
}
