//! Abstraction by predicates: cubes over numbered predicates, and the families of predicates that an engine
//! derives from a program's vocabulary.

pub mod cube;
pub mod family;
