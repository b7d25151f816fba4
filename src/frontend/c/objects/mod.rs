//! Which objects pointers lead to, found before lowering, so that the engines see ordinary cells.
//!
//! C's effective types say that an object is accessed by the type of its first store. So every `void *`, and every pointer
//! that is cast, leads to objects of types that the program itself names somewhere. One copy of each function is made per
//! call (`copies`), assignments, calls and conversions join classes of objects (`flow`, `classes`), and each class becomes a
//! struct (`layout`): the one as which it is seen, or a *merged* one where the same pointers lead to objects of several
//! structs, or are moved between a struct and one around it (`container_of`, casts to the first member; `address` knows
//! them by what they compute). The program is then written again with these types (`rewrite`): a conversion between pointers
//! to the same struct is none, and a pointer to a part of a merged struct is the pointer to the whole.
//!
//! Pointers to functions are numbers before all that (`functions`).
//!
//! What the merged struct cannot say is checked where it matters, by lowering: an object has only the members of its kind
//! ([`Merged`](super::types::Merged)), null has no parts, `free` takes the beginning of an object. Where no types fit, the
//! program stays as it is, and what has no model is reported at its place.
//!
//! In a function that is checked by itself, what a `void *` of the caller's leads to may be anything, and structs that the
//! caller has pointers to are not merged.

mod address;
mod classes;
mod convert;
mod copies;
mod flow;
mod functions;
mod groups;
mod layout;
mod names;
pub(super) mod needed;
mod outside;
mod rewrite;
pub(super) mod visit;

use super::hir::Checked;
use super::token::Names;
use super::types::Types;
use flow::Flow;
use layout::Layout;
use needed::{annotated, needed};
use rewrite::Rewriter;

/// A program with the types of its objects.
pub(super) struct Resolved {
    /// Structs, the merged ones too.
    pub(super) types: Types,
    /// The unit, with copies of the functions that the program uses.
    pub(super) checked: Checked,
    /// The function that the program is about.
    pub(super) entry: u32,
}

/// The program that begins with a function, if its objects need it and types are found for them.
pub(super) fn resolve(
    types: &Types,
    checked: &Checked,
    names: &Names,
    entry: u32,
    by_contract: &dyn Fn(u32) -> bool,
) -> Option<Resolved> {
    let is_main = names.text(checked.functions[entry as usize].name) == "main";
    let replaced = functions::replace(types, checked, entry);
    let (types, checked) = match &replaced {
        Some((types, checked)) => (types, checked),
        None => (types, checked),
    };
    let copies = copies::copy(checked, entry, by_contract);
    let own = &copies.functions[copies.first as usize..];
    if !own.iter().any(needed) {
        drop(copies);
        let (types, checked) = replaced?;
        return Some(Resolved { types, checked, entry });
    }
    let formulas = own.iter().any(annotated) || !checked.shapes.is_empty();
    let outside = (!is_main).then_some(copies.entry);
    // If a struct cannot be one with what is inside it, the parts stay objects of their own.
    for merges_parts in [true, false] {
        let mut flow = Flow::of(checked, types, &copies.functions, copies.first, outside);
        let layout = Layout::of(&mut flow, checked, names, formulas, merges_parts);
        let layout = layout.filter(|l| !formulas || !l.merges() || checked.parts.is_empty());
        if let Some(layout) = layout {
            return Some(rewritten(layout, checked, &copies));
        }
    }
    let (types, checked) = replaced?;
    Some(Resolved { types, checked, entry })
}

/// The program with the types that were found.
fn rewritten(mut layout: Layout<'_, '_>, checked: &Checked, copies: &copies::Copies) -> Resolved {
    let mut rewriter = Rewriter { layout: &mut layout };
    let mut functions = Vec::new();
    for (index, function) in (0..).zip(&copies.functions) {
        functions.push(match index < copies.first {
            true if function.has_contract => function.clone(),
            // Only the copies are looked at.
            true => super::hir::Function { body: None, ..function.clone() },
            false => rewriter.function(index, function),
        });
    }
    let globals = (0..).zip(&checked.globals).map(|(index, global)| rewriter.global(index, global)).collect();
    let Layout { types, kinds, .. } = layout;
    let checked = Checked {
        functions,
        globals,
        shapes: checked.shapes.clone(),
        boxed: checked.boxed.clone(),
        parts: checked.parts.clone(),
        by_itself: checked.by_itself,
        kinds,
    };
    Resolved { types, checked, entry: copies.entry }
}
