//! The shape half: regions of three-valued shape graphs, after Sagiv, Reps and Wilhelm, in the form in which
//! lazy shape analysis refines them (classes that grow).
//!
//! [`class`] what is tracked, [`graph`] the structures, [`coerce`](mod@coerce) and [`focus`] the two
//! sharpening steps, [`transfer`] the transformers, [`command`] their use, [`region`] sets of graphs.

#[cfg(test)]
mod best;
pub mod class;
pub mod coerce;
pub mod command;
pub mod focus;
pub mod graph;
#[cfg(test)]
mod kinds_tests;
pub mod range;
pub mod region;
pub mod store;
#[cfg(test)]
mod tests;
pub mod transfer;
pub mod truths;

pub use class::Class;
pub use range::Range;
pub use region::Region;
