//! Engine `lazy`: predicates and shape graphs, refined only where a spurious path asks for it.

pub mod shape;
