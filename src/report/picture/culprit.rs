//! What a failure is about. The message of a failing statement may name an expression in backticks, ``null dereference
//! through `x->next` ``; if it is an access path of the state, the variable, field and cell behind it are marked.
//! Otherwise the failing expression itself is looked at: of the pointers that it goes through, the first that leads to
//! no cell that may be accessed.

use super::links::{Role, Roles};
use super::scene::{Culprit, Scene};
use crate::report::findings::{Content, State, Status};

/// What the access path of a message stands for in a state, or the broken pointer of the failing expression.
#[must_use]
pub fn find(message: &str, expression: &str, state: &State) -> Culprit {
    let named = message.split('`').skip(1).step_by(2);
    let told = named.filter_map(|text| walk(text, state).pop()).map(|stop| stop.culprit).next();
    told.or_else(|| broken(expression, state)).unwrap_or_default()
}

/// A pointer on an access path.
struct Stop<'s> {
    culprit: Culprit,
    value: &'s Content,
    /// The path goes on from here.
    is_followed: bool,
}

/// The pointers of an access path, one after the other; nothing if it is none of this state.
fn walk<'s>(path: &str, state: &'s State) -> Vec<Stop<'s>> {
    let path = path.trim().trim_start_matches(['*', '(']).trim_end_matches(')');
    let mut parts = path.split("->").map(str::trim).peekable();
    let mut out = Vec::new();
    let Some(first) = parts.next() else { return out };
    let Some(mut value) = state.variable(first) else { return out };
    let mut culprit = Culprit { variable: Some(first.to_owned()), ..Culprit::default() };
    loop {
        culprit.cell = name(value).map(str::to_owned);
        out.push(Stop { culprit, value, is_followed: parts.peek().is_some() });
        let Some(part) = parts.next() else { return out };
        let Some(cell) = name(value).and_then(|name| state.cell(name)) else { return out };
        // A part of a struct inside of the struct: `x->link.next`.
        let Some(field) = cell.fields.iter().find(|f| f.name == part) else { return out };
        value = &field.value;
        culprit = Culprit { field: Some((cell.name.clone(), part.to_owned())), ..Culprit::default() };
    }
}

/// The first pointer of an expression that is followed and leads to no cell, else one that leads to a freed cell.
fn broken(expression: &str, state: &State) -> Option<Culprit> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '>' | '.');
    let paths = || expression.split(|c| !is_part(c)).filter(|path| !path.is_empty());
    let freed = |value: &Content| match name(value) {
        Some(cell) => state.cell(cell).is_none_or(|cell| cell.status == Status::Freed),
        None => *value == Content::Wild,
    };
    let followed = |stop: &Stop<'_>| stop.is_followed && (*stop.value == Content::Null || freed(stop.value));
    let stops = || paths().flat_map(|path| walk(path, state));
    let found = stops().find(followed).or_else(|| stops().find(|stop| freed(stop.value)));
    // `*p` follows p, which is the whole path.
    let starred = || stops().find(|stop| expression.starts_with('*') && *stop.value == Content::Null);
    found.or_else(starred).map(|stop| stop.culprit)
}

/// Marks, in the last frame, the ways back that do not lead back to where the structure comes from.
pub(super) fn mark_structure(scene: &mut Scene) {
    let roles = Roles::new(scene);
    let Some(frame) = scene.n_frames().checked_sub(1) else { return };
    let mut wrong = Vec::new();
    for (from, block) in scene.boxes.iter().enumerate() {
        let valid =
            |i: usize| scene.boxes[i].looks[frame].as_ref().is_some_and(|l| l.status != Status::Freed);
        if block.is_array || !valid(from) {
            continue;
        }
        for (row, name) in block.rows.iter().enumerate() {
            let onward = matches!(roles.of(&block.kind, name), Role::Next | Role::Child(_));
            let Some(to) = block.target(frame, row).filter(|to| onward && valid(*to)) else { continue };
            let other = &scene.boxes[to];
            for (back, name) in other.rows.iter().enumerate() {
                let leads_back = roles.of(&other.kind, name) == Role::Back && other.kind == block.kind;
                if leads_back && other.target(frame, back) != Some(from) {
                    wrong.push((to, back));
                }
            }
        }
    }
    for (to, back) in wrong {
        if let Some(slot) = scene.boxes[to].looks[frame].as_mut().and_then(|look| look.slots.get_mut(back)) {
            slot.is_culprit = true;
        }
    }
}

/// The cell that a pointer leads to.
fn name(value: &Content) -> Option<&str> {
    match value {
        Content::Cell(cell) | Content::Field { cell, .. } => Some(cell),
        _ => None,
    }
}
