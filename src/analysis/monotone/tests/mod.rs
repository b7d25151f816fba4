//! Tests against enumeration: the ordering against its literal steps, predecessors against commands run on
//! heaps.

mod contracts;
pub(super) mod heaps;
mod levels;
mod ordering;
mod parents;
mod predecessors;
mod rows;
