//! Generators and oracles: random formulas, small models, search by enumeration, random API traces, what
//! to hold an answer against, shrinking.
//!
//! Ordinary library code behind the feature `testing`, shared by property tests, fuzz targets and the
//! torture example. The judges go back to [`crate::logic::Evaluator`] and to [`crate::certify`]: `brute`
//! and `models` use no engine of the crate, so an engine and its judge cannot be wrong together. `oracle`,
//! `metamorphic` and `replay` run the engine and judge what it says; `kinds` lists everything that can be
//! hammered. Everything is a function of its seed.

pub mod as_test;
pub mod brute;
pub mod cblocks;
pub mod cbytes;
pub mod ccontainers;
pub mod cfront;
pub mod clock;
pub mod cloops;
pub mod cobjects;
pub mod compiled;
pub mod contracts;
pub mod coverflow;
pub mod cplain;
pub mod cprograms;
pub mod csums;
pub mod ctexts;
pub mod ctrees;
pub mod cwide;
pub mod dialogues;
pub mod ends;
pub mod families;
pub mod formulas;
pub mod inferred;
pub mod interpolants;
pub mod kinds;
pub mod metamorphic;
pub mod models;
pub mod oracle;
pub mod plain;
pub mod pointers;
pub mod proofs;
pub mod psh;
pub mod regions;
pub mod replay;
pub mod scripts;
pub mod sep;
pub mod shrink;
pub mod texts;
pub mod trace;
pub mod whole;
pub mod words;

pub use brute::{Brute, decide_by_enumeration};
pub use formulas::{Generate, Problem};
pub use kinds::Kind;
pub use oracle::{Complaint, Effort, Verdict, check_problem};
pub use trace::Trace;
