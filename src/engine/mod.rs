//! The decision procedures.
//!
//! [`solver`] is the public face; [`fragment`] picks the route. *LISBQ route*: `search` (Boolean search, online
//! and offline), `kernel` (what both share), `complete` (its last resorts), `clausify`, `cases`, `relevancy`,
//! `quantify`, `ematch`, `boundary`, `construct` (models), `finite` (small ones) and `theory` (congruence,
//! reachability, integers). *EPR route*: `ground`.
//! Both sort assertions by what switches them off, `guarded`, and assumptions by use, `habits`. [`heap`] is a second entrance for engines that
//! ask many small questions about acyclic heaps.

pub mod answer;
pub mod arith;
pub(crate) mod boundary;
pub(crate) mod cases;
pub(crate) mod clausify;
pub(crate) mod complete;
pub(crate) mod construct;
pub(crate) mod definitions;
pub(crate) mod ematch;
pub(crate) mod finite;
pub mod fragment;
pub(crate) mod ground;
pub(crate) mod guarded;
pub(crate) mod habits;
#[cfg(feature = "verify")]
pub mod heap;
pub mod induct;
pub mod interpolate;
pub(crate) mod kernel;
pub(crate) mod quantify;
pub(crate) mod relevancy;
pub(crate) mod route;
pub(crate) mod search;
pub mod solver;
pub(crate) mod theory;

#[cfg(feature = "testing")]
pub use ground::axioms;
