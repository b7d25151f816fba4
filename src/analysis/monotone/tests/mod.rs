//! Tests against enumeration: the ordering against its literal steps, predecessors against commands run on
//! heaps.

mod build;
mod heaps;
mod ordering;
mod predecessors;
mod rows;
