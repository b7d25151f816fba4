//! Making a term anew from its leaves up.

use crate::logic::{TermId, Terms};
use crate::util::hash::Map;

/// The term that `root` becomes when each subterm, children first, is replaced by what `make` returns for it
/// and its new children. `done` holds what subterms became so far; entries put there before stop the walk.
pub(crate) fn bottom_up(
    terms: &mut Terms,
    root: TermId,
    done: &mut Map<TermId, TermId>,
    mut make: impl FnMut(&mut Terms, TermId, Vec<TermId>) -> TermId,
) -> TermId {
    let mut stack = vec![(root, false)];
    while let Some((term, children_done)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if !children_done {
            stack.push((term, true));
            stack.extend(terms.children(term).iter().map(|&c| (c, false)));
            continue;
        }
        let children = terms.children(term).iter().map(|c| done[c]).collect();
        let result = make(terms, term, children);
        done.insert(term, result);
    }
    done[&root]
}

/// The term with other children; itself if they are its own.
pub(crate) fn with_children(terms: &mut Terms, term: TermId, children: &[TermId]) -> TermId {
    if children == terms.children(term) { term } else { terms.rebuild(term, children) }
}
